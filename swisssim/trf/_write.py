"""Reports back to text: lines that still hold stay as they were, everything else is written anew."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, cast

from ._errors import TrfError
from ._model import PlayerRecord, PointSystem, Report, SourceLine, scalar_values, snapshot
from ._player import render_player
from ._records import (
    HEADERS,
    configuration_words,
    render_acceleration,
    render_byes,
    render_extensions,
    render_forbidden,
    render_points,
    render_team,
)

_EARLY = [f"header {code}" for code in sorted(HEADERS) if code < "142"]
_LATE = [f"header {code}" for code in sorted(HEADERS) if code > "142"]
# The order of new lines in a file.
_ORDER = [
    "comments",
    *_EARLY,
    "configuration",
    "player",
    "teams",
    "rounds",
    "colour",
    "points",
    "system",
    *_LATE,
    "byes",
    "acceleration",
    "forbidden",
    "other",
]
_LISTS: dict[str, Callable[[Any], str]] = {
    "comments": str,
    "byes": render_byes,
    "acceleration": render_acceleration,
    "forbidden": render_forbidden,
    "teams": render_team,
    "other": lambda record: str(record.text),
}


class _Pending:
    """What a report says and no line says yet."""

    def __init__(self, report: Report) -> None:
        for number, player in report.players.items():
            if number != player.number:
                raise TrfError(f"listed under {number}; expected the same starting number", player=player.number)
        self.report = report
        self.players = dict(report.players)
        self.lists: dict[str, list[object]] = {group: list(getattr(report, group)) for group in _LISTS}
        for code, values in report.headers.items():
            self.lists[f"header {code}"] = list(values)
        self.values = scalar_values(report)
        self.usual = scalar_values(Report())
        self.seen: set[str] = set()

    def keep(self, entry: SourceLine) -> list[str]:
        """The line as it was, or with the values of today, or nothing if nothing of it holds any longer."""
        group, item = entry.group, entry.item
        if group == "player":
            return self._keep_player(entry)
        if group in self.values:
            return self._keep_value(entry)
        if item is None:
            return [entry.text]
        if item in self.lists.get(group, []):
            self.lists[group].remove(item)
            return [entry.text]
        return []

    def _keep_player(self, entry: SourceLine) -> list[str]:
        number, before = entry.item if isinstance(entry.item, tuple) else (0, None)
        player = self.players.pop(number, None)
        if player is None:
            return []
        return [entry.text if snapshot(player) == before else render_player(player)]

    def _keep_value(self, entry: SourceLine) -> list[str]:
        group = entry.group
        first = group not in self.seen
        self.seen.add(group)
        code, before = entry.item if isinstance(entry.item, tuple) else ("", None)
        if before == self.values[group]:
            return [entry.text]
        # Several lines that say one thing together become one.
        if group in ("points", "configuration") and not first:
            return []
        return self._value_lines(group, code)

    def _value_lines(self, group: str, code: str) -> list[str]:
        """Lines for a group that says one thing, none if there is nothing to say."""
        report = self.report
        if group == "points":
            return render_points(report.points)
        said = {
            "rounds": (code or "142", report.rounds),
            "colour": ("152", report.initial_colour),
            "configuration": ("XXC", configuration_words(report)),
            "system": ("192", report.system),
        }
        record, value = said[group]
        return [f"{record} {value}"] if value else []

    def rest(self, group: str) -> list[str]:
        """New lines of a group."""
        if group == "player":
            return [render_player(player) for player in self.players.values()]
        if group in self.values:
            return self._new_value(group)
        items = self.lists.get(group, [])
        if group.startswith("header "):
            return [f"{group[7:]} {item}" for item in items]
        return [_LISTS[group](item) for item in items]

    def _new_value(self, group: str) -> list[str]:
        if group in self.seen or self.values[group] == self.usual[group]:
            return []
        if group == "configuration":
            return ["XXC rank"] if self.report.rank_order else []
        if group == "colour" and "configuration" in self.seen:
            return []
        return self._value_lines(group, "")


def dumps(report: Report, *, verbatim: bool = True, extensions: bool = False) -> str:
    """Write a report as text.

    Lines that still say what the report says are written as they were read; changed ones are written anew where they
    stood, new ones follow the lines of their kind, or stand at the end.

    Parameters
    ----------
    report : Report
        Read from a file, or built from scratch.
    verbatim : bool
        False: write every line anew, in the columns of the standard and in a fixed order.
    extensions : bool
        Also write XXR, XXC, XXS and BB* lines, for engines that don't know 142, 152 and 162.

    Returns
    -------
    str
        With the report's own line ends.

    Raises
    ------
    TrfError
        If a value doesn't fit into its columns.

    Warns
    -----
    TrfWarning
        If a name had to be cut.
    """
    lines = _lines(report, report.source if verbatim else [])
    if extensions:
        codes = {text[:3] for text, _ in lines}
        lines += [(new, report.newline) for code, new in render_extensions(report).items() if code not in codes]
    for text, _ in lines:
        if "\n" in text or "\r" in text:
            raise TrfError(f"{text!r} can't be written; expected one line")
    # Only the last line may have no end.
    return "".join(text + (end or report.newline * (index < len(lines))) for index, (text, end) in enumerate(lines, 1))


def _lines(report: Report, source: list[SourceLine]) -> list[tuple[str, str]]:
    """All lines with their ends: those of the source that still hold or have new values, and the new ones."""
    pending = _Pending(report)
    last = {entry.group: index for index, entry in enumerate(source)}
    lines: list[tuple[str, str]] = []
    for index, entry in enumerate(source):
        texts = pending.keep(entry)
        lines += [(text, entry.end) for text in texts]
        if last[entry.group] == index and entry.group != "blank":
            lines += [(new, report.newline) for new in pending.rest(entry.group)]
    for group in (*_ORDER, *(group for group in pending.lists if group not in _ORDER)):
        if group not in last:
            lines += [(new, report.newline) for new in pending.rest(group)]
    return lines


def write(
    report: Report,
    path: str | os.PathLike[str] | IO[bytes] | IO[str],
    *,
    encoding: str | None = None,
    verbatim: bool = True,
    extensions: bool = False,
) -> None:
    """Write a report into a file; nothing is touched if the report can't be written.

    Parameters
    ----------
    report : Report
        Read from a file, or built from scratch.
    path : path or file
        Path of the file, or a file open for writing.
    encoding : str, optional
        Default: the report's own.
    verbatim, extensions : bool
        As in `dumps`.

    Raises
    ------
    TrfError
        If a value doesn't fit into its columns, or a character into the encoding.
    OSError
        If the file can't be written.
    """
    text = dumps(report, verbatim=verbatim, extensions=extensions)
    encoding = encoding or report.encoding
    try:
        data = text.encode(encoding)
    except LookupError as error:
        raise TrfError(f"unknown encoding {encoding!r}; expected a name such as 'utf-8' or 'latin-1'") from error
    except UnicodeEncodeError as error:
        before = text[: error.start].replace("\r\n", "\n").replace("\r", "\n")
        column = len(before) - before.rfind("\n")
        raise TrfError(
            f"{text[error.start]!r} does not exist in {encoding}; expected another encoding, such as 'utf-8'",
            line=before.count("\n") + 1,
            columns=(column, column),
        ) from error
    if isinstance(path, (str, os.PathLike)):
        Path(path).write_bytes(data)
    elif isinstance(path, io.TextIOBase):
        path.write(text)
    else:
        cast(IO[bytes], path).write(data)


def new_report(
    players: Iterable[PlayerRecord],
    *,
    name: str = "",
    rounds: int | None = None,
    initial_colour: str | None = None,
    points: PointSystem | None = None,
    system: str = "",
    headers: Mapping[str, str] | None = None,
) -> Report:
    """Build a report from scratch, with the counts of the header and the points of the players filled in.

    Parameters
    ----------
    players : iterable of PlayerRecord
        In any order; points that are None are computed from the rounds.
    name : str
        Name of the tournament (012).
    rounds : int, optional
        Announced number of rounds (142).
    initial_colour : {"W", "B"}, optional
        Colour of the first player (152).
    points : PointSystem, optional
        What results are worth (162 if it isn't 1, 0.5, 0).
    system : str
        Coded type (192), such as ``FIDE_DUTCH_2026``; ``CUSTOM_SWISS`` for systems without a code, with its name in
        header 092.
    headers : mapping of str to str, optional
        Further header lines by code, such as ``{"092": "Nordic"}``.

    Returns
    -------
    Report
        Ready for `write`; byes to come, acceleration and forbidden pairs can be added to its lists.

    Raises
    ------
    TrfError
        If a starting number is used twice, the colour is neither W nor B, or a header code is unknown.
    """
    if initial_colour not in ("W", "B", None):
        raise TrfError(f"initial colour {initial_colour!r}; expected 'W' or 'B'")
    report = Report(rounds=rounds, points=points or PointSystem(), system=system)
    report.initial_colour = "W" if initial_colour == "W" else "B" if initial_colour else None
    for player in sorted(players, key=lambda item: item.number):
        if player.number in report.players:
            raise TrfError("the starting number is used twice; expected another number", player=player.number)
        report.players[player.number] = player
    report.headers = _header_lines(report, {"012": name, **(headers or {})})
    for number, total in report.all_points().items():
        if report.players[number].points is None:
            report.players[number].points = total
    return report


def _header_lines(report: Report, texts: Mapping[str, str]) -> dict[str, list[str]]:
    """The header with the numbers of players and of rated players."""
    rated = sum(bool(player.rating) for player in report.players.values())
    wanted = {"062": str(len(report.players)), "072": str(rated), **texts}
    strange = sorted(wanted.keys() - HEADERS.keys())
    if strange:
        raise TrfError(f"header {strange[0]!r} is not known; expected one of {' '.join(HEADERS)}")
    return {code: [text] for code, text in sorted(wanted.items()) if text}
