"""Report files as a whole: bytes in, a checked report out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from ._check import check
from ._errors import Context
from ._model import PlayerRecord, Report, SourceLine, scalar_values, snapshot
from ._player import parse_player
from ._records import Reading, parse_record, remark_unknown
from ._text import decode, split_lines, usual_newline

PathLike = str | os.PathLike[str]


def read(path: PathLike | IO[bytes] | IO[str], *, strict: bool = True, encoding: str | None = None) -> Report:
    """Read a tournament report file (TRF06, TRF16, TRF26, with the extensions of JaVaFo and bbpPairings).

    Parameters
    ----------
    path : path or file
        Path of the file, or a file open for reading.
    strict : bool
        False: an opponent with result ``Z`` is a forfeit loss, game results without an opponent are byes, unreadable
        records other than 001 have no effect; each with a remark instead of an error.
    encoding : str, optional
        Default: a byte order mark decides, else UTF-8, and latin-1 for files that aren't.

    Returns
    -------
    Report
        With `Report.warnings` for everything that deserves a look.

    Raises
    ------
    TrfError
        If the contents can't be read, or contradict each other.
    OSError
        If the file can't be read.
    """
    if isinstance(path, (str, os.PathLike)):
        data: bytes | str = Path(path).read_bytes()
        name: str | None = os.fspath(path)
    else:
        data = path.read()
        name = getattr(path, "name", None)
    return reads(data, name=name if isinstance(name, str) else None, strict=strict, encoding=encoding)


def reads(data: bytes | str, *, name: str | None = None, strict: bool = True, encoding: str | None = None) -> Report:
    """Read the contents of a tournament report file.

    Parameters
    ----------
    data : bytes or str
        The whole file.
    name : str, optional
        Name of the file for messages.
    strict, encoding
        As in `read`; text needs no encoding.

    Returns
    -------
    Report
        As from `read`.

    Raises
    ------
    TrfError
        If the contents can't be read, or contradict each other.
    """
    ctx = Context(name, strict=strict)
    if isinstance(data, str):
        marked = data.startswith("\ufeff")
        text, used = data.removeprefix("\ufeff"), "utf-8-sig" if marked else encoding or "utf-8"
    else:
        text, used = decode(data, encoding, ctx)
    lines = split_lines(text)
    report = Report(path=name, encoding=used, newline=usual_newline(lines))
    _parse(report, lines, ctx)
    check(report, ctx)
    for entry in report.source:
        if entry.group == "player" and isinstance(entry.item, PlayerRecord):
            entry.item = (entry.item.number, snapshot(entry.item))
    report.warnings = sorted(ctx.warnings, key=lambda remark: (remark.line is None, remark.line or 0))
    return report


def _parse(report: Report, lines: list[tuple[str, str]], ctx: Context) -> None:
    """Read all lines one by one."""
    reading = Reading(report, ctx)
    players: dict[int, PlayerRecord] = {}
    for line, (text, end) in enumerate(lines, 1):
        group: str
        item: object
        if text.startswith("001"):
            player = parse_player(text, line, ctx)
            first = players.setdefault(player.number, player)
            if first is not player:
                ctx.fail(
                    f"starting number {player.number} is used twice, in lines {first.line} and {line}; expected another number",
                    line,
                    (5, 8),
                    player=player.number,
                )
            group, item = "player", player
        else:
            group, item = parse_record(reading, text, line)
        report.source.append(SourceLine(text, end, group, item))
    report.players = dict(sorted(players.items()))
    remark_unknown(reading)
    values = scalar_values(report)
    for entry in report.source:
        if entry.group in values:
            entry.item = (entry.item, values[entry.group])
