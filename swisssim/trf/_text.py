"""Bytes to lines and back: encodings, byte order marks, line ends; small numbers in text columns."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from ._errors import Context

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TENTHS = re.compile(r"([0-9]{0,3})(?:[.,]([0-9])0*)?")


def decode(data: bytes, encoding: str | None, ctx: Context) -> tuple[str, str]:
    """Text of a file and the encoding it was read with.

    A byte order mark decides; else UTF-8 is tried, and anything that isn't UTF-8 is read as latin-1 with a remark,
    because TRF06 and TRF16 prescribe no encoding.
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), None)
    wanted = encoding or marked
    if encoding and marked == "utf-8-sig" and _canonical(encoding, ctx) == "utf-8":
        wanted = marked
    try:
        return data.decode(wanted or "utf-8"), wanted or "utf-8"
    except LookupError:
        ctx.fail(f"unknown encoding {wanted!r}; expected a name such as 'utf-8' or 'latin-1'")
    except UnicodeError as error:
        line, column = _byte_place(data, getattr(error, "start", 0))
        if wanted:
            ctx.fail(
                f"not {wanted}: {getattr(error, 'reason', error)}; expected text in {wanted}, or another encoding",
                line,
                (column, column),
            )
        ctx.warn("not UTF-8, read as latin-1", line, (column, column))
        return data.decode("latin-1"), "latin-1"


def _canonical(encoding: str, ctx: Context) -> str:
    """Python's own name of an encoding."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        ctx.fail(f"unknown encoding {encoding!r}; expected a name such as 'utf-8' or 'latin-1'")


def _byte_place(data: bytes, position: int) -> tuple[int, int]:
    """Line and column, from 1, of a byte."""
    before = data[:position].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1


def split_lines(text: str) -> list[tuple[str, str]]:
    """Lines with their own line ends (``\\r\\n``, ``\\r``, ``\\n``; the last may have none).

    `str.splitlines` would also split at form feeds and at bytes that latin-1 reads as control characters.
    """
    lines = [(match[1], match[2]) for match in _LINE.finditer(text)]
    if lines and lines[-1] == ("", ""):
        lines.pop()
    return lines


def usual_newline(lines: list[tuple[str, str]]) -> str:
    """The most frequent line end of a file, ``\\n`` if it has none."""
    ends = Counter(end for _, end in lines if end)
    return ends.most_common(1)[0][0] if ends else "\n"


def whole(text: str) -> int | None:
    """Non-negative integer in a text column, or None if there is anything else."""
    text = text.strip(" ")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def tenths(text: str) -> int | None:
    """Points in tenths: ``11.5`` is 115; None if it isn't a number with at most one decimal place."""
    text = text.strip(" ")
    match = _TENTHS.fullmatch(text)
    if match is None or not text or text in ".,":
        return None
    return 10 * int(match[1] or 0) + int(match[2] or 0)


def show_tenths(value: int) -> str:
    """Points as they are written in a report: 115 is ``11.5``."""
    return f"{value // 10}.{value % 10}"


def tokens(text: str, start: int = 0) -> list[tuple[str, tuple[int, int]]]:
    """Words of a line from an index on, each with its first and last column (from 1)."""
    return [(match[0], (match.start() + 1, match.end())) for match in re.compile(r"\S+").finditer(text, start)]
