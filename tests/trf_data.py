"""Report files for the tests: the golden and the needs files, and small ones put together from columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
GOLDEN = sorted((DATA / "dutch").rglob("*.trf"))
CASES = sorted((DATA / "cases").glob("*.trf"))
# Cases that a strict reader has to refuse.
REFUSED = {"O10_0000_w_without_result", "O11_opponent_plus_Z", "O17_rating_over_9999"}


def case(name: str) -> Path:
    """Path of a needs case."""
    return DATA / "cases" / f"{name}.trf"


def expected(name: str) -> dict[str, Any]:
    """The answer that a needs case asks for."""
    answer: dict[str, Any] = json.loads((DATA / "cases" / f"{name}.json").read_text(encoding="utf-8"))
    return answer


def line(number: int, *blocks: str, name: str = "Player", points: str = "", rating: str = "2000", **fields: str) -> str:
    """A 001 line column by column; a block is ``"2 w 1"``, ``"0000 - U"`` or ``""``."""
    get = fields.get
    head = (
        f"001 {number:4} {get('sex', ' '):1}{get('title', ''):>3} {name:<33} {rating:>4} {get('federation', ''):<3} "
        f"{get('fide_id', ''):>11} {get('birth', ''):<10} {points:>4} {get('rank', ''):>4}"
    )
    return (head + "".join(f"  {block:>8}" if block else " " * 10 for block in blocks)).rstrip()


def four(*, first: str = "3 w 1", third: str = "1 b 0") -> list[str]:
    """Four players after one round, 1-3 and 4-2, the first board as given."""
    return [line(1, first), line(2, "4 b 1"), line(3, third), line(4, "2 w 0")]


def text(*lines: str, end: str = "\n") -> str:
    """A file of these lines."""
    return "".join(one + end for one in lines)
