"""The documentation is true: every code block of the pages and of the README runs, and every local link leads somewhere.

Blocks in ``python`` are executed, their ``>>>`` examples compared; commands of ``console`` blocks (``$ swisssim ...``) are run, and what is
shown below them compared; ``toml`` blocks become the files that they read. Blocks in ``sh`` are for the reader's own machine (installation,
a cluster) and are only shown.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from sybil import Example, Sybil
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser

import swisssim
from swisssim import cli

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if not {"_build", "notebooks"} & set(path.relative_to(DOCS).parts))
SLOW = {"study.md"}
EXECUTED = [
    pytest.param(page, marks=[pytest.mark.slow] if page.name in SLOW else [], id=str(page.relative_to(ROOT)))
    for page in (ROOT / "README.md", *PAGES)
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


def run_commands(example: Example) -> None:
    """Run the commands of a console block one after the other and compare what they print."""
    for block in re.split(r"^\$ ", example.parsed, flags=re.MULTILINE)[1:]:
        command, _, expected = block.replace("\\\n", " ").partition("\n")
        name, *arguments = command.split()
        assert name == "swisssim", (
            f"line {example.line}: only swisssim commands stand in console blocks, not {command!r}"
        )
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = cli.run(arguments)
        assert code == 0, f"line {example.line}: {command!r} ended with {code}"
        if expected.strip() and not doctest.OutputChecker().check_output(expected, printed.getvalue(), FLAGS):
            raise AssertionError(
                f"line {example.line}: {command!r} printed\n{printed.getvalue()}\ninstead of\n{expected}"
            )


def write_file(example: Example) -> None:
    """Write a file that the commands of the page read; its first line is a comment with its name."""
    name = example.parsed.partition("\n")[0].removeprefix("#").strip()
    Path(name).write_text(example.parsed)


READER = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=FLAGS),
        CodeBlockParser("console", run_commands),
        CodeBlockParser("toml", write_file),
    ]
)


@pytest.mark.parametrize("page", EXECUTED)
def test_code_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    for example in READER.parse(page).examples():
        example.evaluate()


def commands_of_readme() -> list[str]:
    """Return the `swisssim` commands that stand in the shell blocks of the README."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    lines = (line.partition("#")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith("swisssim ")]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the README speaks of: an event under way, a season, and the study of the how-to page."""
    folder = tmp_path_factory.mktemp("reader")
    made = ["generate", "--system", "dutch", "--players", "14", "--rounds", "5", "--count", "3"]
    assert cli.run([*made, "--out", str(folder / "season")]) == 0
    event = swisssim.Tournament([2200 - 50 * k for k in range(14)], 5, system="dutch")
    for white_score in (1.0, 0.0, 0.5):
        event.record(dict.fromkeys(event.pair().boards, white_score))
    swisssim.trf.write(event.to_trf(), folder / "event.trf")
    page = (ROOT / "docs" / "howto" / "study.md").read_text(encoding="utf-8")
    (folder / "colours.toml").write_text(page.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("command", commands_of_readme())
def test_readme_commands(command: str, reader: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other in the same folder, as a reader would."""
    monkeypatch.chdir(reader)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    arguments = command.split()[1:]
    assert cli.run([*arguments, "--force"] if arguments[0] == "compare" else arguments) == 0


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=lambda path: path.name)
def test_local_links(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing


@pytest.mark.slow
def test_example_of_a_system_compiles_and_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = (
        "from pathlib import Path; from Cython.Build import cythonize; from setuptools import Extension, setup;"
        f"setup(script_args=['-q', 'build_ext', '--inplace'], ext_modules=cythonize([Extension('neighbours', ['neighbours.pyx'])], "
        f"include_path=[{str(ROOT)!r}], language_level=3, quiet=True))"
    )
    (tmp_path / "neighbours.pyx").write_text((DOCS / "examples" / "neighbours.pyx").read_text())
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, timeout=300)
    monkeypatch.syspath_prepend(str(tmp_path))
    neighbours = importlib.import_module("neighbours").Neighbours()
    event = swisssim.Tournament([2000, 1900, 1800, 1700, 1600], 3, system=neighbours)
    assert (event.pair().boards, event.pair().bye) == ([(2, 1), (4, 3)], 5)
    field = swisssim.Field.uniform(players=21, low=1400, high=2200)
    results = swisssim.simulate(neighbours, field, rounds=9, tournaments=50, progress=False)
    results.check()
    assert results.games.groupby("tournament").size().eq(10 * 9).all()
    assert not results.byes.duplicated(["tournament", "player"]).any()


@pytest.mark.slow
def test_numbers_of_the_page_what_we_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run of the script agrees with the long one that the page shows."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.syspath_prepend(str(DOCS))
    script = importlib.import_module("found")
    published = pd.read_csv(DOCS / "found" / "numbers.csv").fillna({"label": ""})
    field = swisssim.Field.uniform(players=33, low=1400, high=2200)
    short = script.numbers(swisssim.compare(script.SYSTEMS, field, rounds=7, tournaments=300, seed=1, progress=False))
    both = short.merge(published[published["players"] == 33], on=["metric", "label", "system"], suffixes=("", "_long"))
    assert len(both) == len(short)
    assert (both["tournaments_long"] >= 10_000).all()
    spread = (both["high"] - both["low"]) + (both["high_long"] - both["low_long"])
    assert ((both["mean"] - both["mean_long"]).abs() <= 1.2 * spread + 0.003).all()


@pytest.mark.slow
def test_site_builds_without_a_warning(tmp_path: Path) -> None:
    """Pages, references between them, docstrings; the notebooks run while the site is built."""
    pytest.importorskip("sphinx", reason="needs the extra `docs`")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "-E", "-d", tmp_path / "trees", "docs", tmp_path / "site"],
        cwd=ROOT, env={**os.environ, "SWISSSIM_TOURNAMENTS": "60"}, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "index.html").exists()
