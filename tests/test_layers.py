"""The rooms import in one direction only: every import and cimport line is read and held against the table."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "swisssim"

BASICS = {"errors", "codes", "points", "files", "history", "advice"}
CORE = {"_bits", "_random", "_matching", "_state", "_colours", "_byes", "_boards", "_search", "_search_tables", "_core"}
QUESTIONS = {"colour", "byes", "floats", "ranking"}
STATISTICS = {"metrics", "statistics", "_metrics"}
STUDY = {"results", "tiebreaks", "simulation", "field", "models", "participation"}

# What each room may import of ours, besides itself and its own folder.
ALLOWED = {
    "_bits": set(),
    "_random": set(),
    "_matching": {"_bits"},
    "errors": set(),
    "codes": set(),
    "files": set(),
    "history": set(),
    "points": set(),
    "advice": set(),
    "_state": {"_bits", "_random"},
    "_colours": {"_state"},
    "_byes": {"_state"},
    "_boards": {"_state"},
    "_search_tables": {"_bits", "_matching", "_search", "_state"},
    "_search": {"_bits", "_state", "_matching"},
    "_core": {"_bits", "_random", "_matching", "_state", "_colours", "_byes", "_search"},
    "_brackets": {"_bits", "_matching", "_state", "_colours"},
    "pairing": CORE | {"_brackets"},
    "trf": set(),
    "models": {"_random"},
    "matches": {"models"},
    "field": {"trf", "_random"},
    "participation": {"_random"},
    "tiebreaks": {"_tiebreaks"},
    "_tiebreaks": {"_bits", "_state"},
    "_metrics": {"_state"},
    "results": {"field", "tiebreaks", "_random"},
    "reasons": {"_core", "_state", "_matching"},
    "explain": {"_core", "_state", "_matching"},
    "tournament": {"explain", "pairing", "_core", "_state", "trf", "tiebreaks", "reasons"},
    "events": {"tournament", "pairing", "_core", "_random", "trf"} | QUESTIONS | STATISTICS | STUDY,
    "review": {"events", "tournament", "pairing", "_core", "trf", "plots", "report"} | QUESTIONS | STATISTICS | STUDY,
    "simulation": {
        "_core",
        "_state",
        "_random",
        "field",
        "models",
        "matches",
        "participation",
        "pairing",
        "results",
        "tiebreaks",
    },
    "metrics": {"results", "tiebreaks", "_metrics"},
    "statistics": {"metrics", "_random"},
    "colour": {"results", "tiebreaks", "metrics", "_metrics", "statistics"},
    "byes": {"results", "tiebreaks", "metrics", "_metrics", "statistics", "models", "matches"},
    "floats": {"results", "tiebreaks", "metrics", "_metrics", "statistics"},
    "ranking": {"results", "tiebreaks", "metrics", "_metrics", "statistics", "_random"},
    "compare": QUESTIONS | STATISTICS | STUDY | {"pairing", "_core", "_random", "_state"},
    "study": QUESTIONS | STATISTICS | STUDY | {"compare", "pairing", "_state"},
    "plots": QUESTIONS | STATISTICS | {"compare", "results"},
    "report": QUESTIONS | STATISTICS | {"compare", "plots", "results"},
}

IMPORT = re.compile(
    r"^[ \t]*(?:from\s+swisssim(?:\.(\w+))?[\w.]*\s+c?import\s+(\([^)]*\)|[^\n]*)|c?import\s+swisssim\.(\w+))",
    re.MULTILINE,
)
RELATIVE = re.compile(r"^[ \t]*from\s+(\.+)", re.MULTILINE)


def rooms() -> list[str]:
    return sorted(
        {
            path.relative_to(PACKAGE).parts[0].split(".")[0]
            for path in PACKAGE.rglob("*")
            if path.suffix in (".py", ".pyx", ".pxd") and path.parent.name != "__pycache__"
        }
        - {"__init__", "__main__"}
    )


def files(room: str) -> list[Path]:
    return [
        path
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".pyx", ".pxd") and path.relative_to(PACKAGE).parts[0].split(".")[0] == room
    ]


def imports(text: str) -> set[str]:
    """Return the rooms that a text imports from; a list of names in parentheses may have several lines."""
    found = set()
    for module, names, plain in IMPORT.findall(text):
        if module or plain:
            found.add(module or plain)
        else:
            listed = re.sub(r"#[^\n]*", "", names).strip("()").split(",")
            found |= {name.split()[0] for name in listed if name.split()}
    return found - {"__version__"}


@pytest.mark.parametrize("room", rooms())
def test_arrows_point_one_way(room: str) -> None:
    if room == "cli":
        return
    assert room in ALLOWED, f"{room} is a new room: say in the table what it may import"
    for path in files(room):
        text = path.read_text(encoding="utf-8")
        deep = len(path.relative_to(PACKAGE).parts) - 1
        assert all(len(dots) <= deep for dots in RELATIVE.findall(text)), f"{path.name} imports from outside by dots"
        forbidden = imports(text) - ALLOWED[room] - BASICS - {room}
        assert not forbidden, f"{path.name} imports {sorted(forbidden)}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from swisssim._state cimport State", {"_state"}),
        ("from swisssim.pairing.nordic import Nordic", {"pairing"}),
        ("from swisssim import field, models as m, __version__", {"field", "models"}),
        ("from swisssim import (\n    field,  # the players\n    models,\n)\nimport os", {"field", "models"}),
        ("def f():\n    from swisssim.trf import read", {"trf"}),
        ("import swisssim.trf as trf", {"trf"}),
        ("cimport swisssim._core", {"_core"}),
        ("from swisssim.trf import (\n    read,\n)\nfrom swisssim.results import Results", {"trf", "results"}),
        ("import numpy\nfrom pandas import DataFrame", set()),
    ],
)
def test_the_reader_sees_every_form(text: str, found: set[str]) -> None:
    assert imports(text) == found
