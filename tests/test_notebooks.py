"""The notebooks call, plot and comment; they are run when the documentation is built (`test_docs`)."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LOGIC = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.If, ast.Try, ast.With)


def cells(notebook: Path, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text())["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_has_no_outputs(notebook: Path) -> None:
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells(notebook, "code"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_has_no_logic(notebook: Path) -> None:
    for cell in cells(notebook, "code"):
        logic = [
            type(node).__name__ for node in ast.walk(ast.parse("".join(cell["source"]))) if isinstance(node, LOGIC)
        ]
        assert not logic, "".join(cell["source"])


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_a_page_of_the_site(notebook: Path) -> None:
    assert f"notebooks/{notebook.stem}\n" in (FOLDER.parent / "docs" / "notebooks.md").read_text()
