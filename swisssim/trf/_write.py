"""Reports back to text: lines that still hold stay as they were, everything else is written anew."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from ._errors import TrfError
from ._model import PlayerRecord, PointSystem, Report, SourceLine, scalar_values, snapshot
from ._player import render_player
from ._records import (
    HEADERS,
    render_acceleration,
    render_byes,
    render_forbidden,
    render_points,
    render_team,
)

_EARLY = [f"header {code}" for code in sorted(HEADERS) if code < "142"]
_LATE = [f"header {code}" for code in sorted(HEADERS) if code > "142"]
# The order of new lines in a file.
_ORDER = ["comments", *_EARLY, "configuration", "player", "teams", "rounds", "colour", "points", "system", *_LATE,
          "byes", "acceleration", "forbidden", "other"]
_LISTS: dict[str, Callable[[Any], str]] = {
    "comments": str, "byes": render_byes, "acceleration": render_acceleration, "forbidden": render_forbidden,
    "teams": render_team, "other": lambda record: str(record.text),
}


class _Pending:
    """What a report says and no line says yet."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.players = dict(report.players)
        self.lists: dict[str, list[object]] = {group: list(getattr(report, group)) for group in _LISTS}
        for code, values in report.headers.items():
            self.lists[f"header {code}"] = list(values)
        self.values = scalar_values(report)
        self.usual = scalar_values(Report())
        self.seen: set[str] = set()

    def keep(self, entry: SourceLine) -> str | None:
        """The line as it was, or with the values of today, or None if nothing of it holds any longer."""
        group, item = entry.group, entry.item
        if group == "player":
            return self._keep_player(entry)
        if group in self.values:
            return self._keep_value(entry)
        if item is None:
            return entry.text
        if item in self.lists.get(group, []):
            self.lists[group].remove(item)
            return entry.text
        return None

    def _keep_player(self, entry: SourceLine) -> str | None:
        number, before = entry.item if isinstance(entry.item, tuple) else (0, None)
        player = self.players.pop(number, None)
        if player is None:
            return None
        return entry.text if snapshot(player) == before else render_player(player)

    def _keep_value(self, entry: SourceLine) -> str | None:
        group = entry.group
        first = group not in self.seen
        self.seen.add(group)
        said, before = entry.item if isinstance(entry.item, tuple) else ("", None)
        if before == self.values[group]:
            return entry.text
        if group == "points" and not first:
            return None
        return self._value_line(group, said) or None

    def _value_line(self, group: str, code: str) -> str:
        """A line for a group that says one thing, empty if there is nothing to say."""
        report = self.report
        if group == "rounds":
            return "" if report.rounds is None else f"{code or '142'} {report.rounds}"
        if group == "colour":
            return "" if report.initial_colour is None else f"152 {report.initial_colour}"
        if group == "configuration":
            words = ["rank"] * report.rank_order
            words += {"W": ["white1"], "B": ["black1"]}.get(report.initial_colour or "", [])
            return " ".join(["XXC", *words]) if words else ""
        if group == "points":
            return render_points(report.points)
        return f"192 {report.system}" if report.system else ""

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
        line = self._value_line(group, "")
        return [line] if line else []


def dumps(report: Report, *, verbatim: bool = True) -> str:
    """Write a report as text.

    Lines that still say what the report says are written as they were read; changed ones are written anew where they stood, new ones
    follow the lines of their kind, or stand at the end.

    Parameters
    ----------
    report : Report
        Read from a file, or built from scratch.
    verbatim : bool
        False: write every line anew, in the columns of the standard and in a fixed order.

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
    source = report.source if verbatim else []
    pending = _Pending(report)
    last = {entry.group: index for index, entry in enumerate(source)}
    lines: list[tuple[str, str]] = []
    for index, entry in enumerate(source):
        text = pending.keep(entry)
        if text is not None:
            lines.append((text, entry.end))
        if last[entry.group] == index and entry.group != "blank":
            lines += [(new, report.newline) for new in pending.rest(entry.group)]
    for group in (*_ORDER, *(group for group in pending.lists if group not in _ORDER)):
        if group not in last:
            lines += [(new, report.newline) for new in pending.rest(group)]
    for text, _ in lines:
        if "\n" in text or "\r" in text:
            raise TrfError(f"{text!r} can't be written; expected one line")
    # Only the last line may have no end.
    return "".join(text + (end or report.newline * (index < len(lines))) for index, (text, end) in enumerate(lines, 1))


def write(report: Report, path: str | os.PathLike[str] | IO[bytes] | IO[str], *, encoding: str | None = None,
          verbatim: bool = True) -> None:
    """Write a report into a file; nothing is touched if the report can't be written.

    Parameters
    ----------
    report : Report
        Read from a file, or built from scratch.
    path : path or file
        Path of the file, or a file open for writing.
    encoding : str, optional
        Default: the report's own.
    verbatim : bool
        As in `dumps`.

    Raises
    ------
    TrfError
        If a value doesn't fit into its columns, or a character into the encoding.
    OSError
        If the file can't be written.
    """
    text = dumps(report, verbatim=verbatim)
    encoding = encoding or report.encoding
    try:
        data = text.encode(encoding)
    except LookupError as error:
        raise TrfError(f"unknown encoding {encoding!r}; expected a name such as 'utf-8' or 'latin-1'") from error
    except UnicodeEncodeError as error:
        before = text[:error.start].replace("\r\n", "\n").replace("\r", "\n")
        column = len(before) - before.rfind("\n")
        raise TrfError(f"{text[error.start]!r} does not exist in {encoding}; expected another encoding, such as 'utf-8'",
                       line=before.count("\n") + 1, columns=(column, column)) from error
    if isinstance(path, (str, os.PathLike)):
        Path(path).write_bytes(data)
        return
    try:
        path.write(data)  # type: ignore[arg-type]
    except TypeError:
        path.write(text)  # type: ignore[arg-type]


def new_report(players: Iterable[PlayerRecord], *, name: str = "", rounds: int | None = None, initial_colour: str | None = None,
               points: PointSystem | None = None, system: str = "", headers: Mapping[str, str] | None = None) -> Report:
    """Build a report from scratch: name, counts, rounds, colour, points and type in the header, points of the players filled in.

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
        Coded type (192), such as ``FIDE_DUTCH_2026``; ``CUSTOM_SWISS`` for systems without a code, with its name in header 092.
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
    rated = sum(bool(player.rating) for player in report.players.values())
    texts = {"012": name, "062": str(len(report.players)), "072": str(rated), **(headers or {})}
    for code, text in texts.items():
        if code not in HEADERS:
            raise TrfError(f"header {code!r} is not known; expected one of {' '.join(HEADERS)}")
        if text:
            report.headers[code] = [text]
    played = report.rounds_played
    for player in report.players.values():
        if player.points is None:
            player.points = report.points_of(player.number, played)
    return report
