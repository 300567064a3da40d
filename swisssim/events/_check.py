"""Check files of events: pair every round again from the rounds before it, and compare."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from swisssim import trf
from swisssim._core import PairingSystem
from swisssim.errors import NoPairingError, SwissError
from swisssim.events._parallel import spread, workers_for
from swisssim.pairing import system as make_system
from swisssim.tournament import Pairing, Tournament
from swisssim.trf import Report

Board = tuple[int, int]

SUFFIXES = (".trf", ".trfx", ".trf06", ".trf16", ".trf26")
"""Names in a folder that are taken for report files."""

STANDARD_INPUT = "-"
"""Stands for standard input where a file is asked for."""

# Systems that draw: what they answer cannot be compared, only whether a pairing is legal.
_DRAWN = ("lottery",)


@dataclass(frozen=True)
class RoundCheck:
    """A round in which file and system differ.

    Attributes
    ----------
    round : int
        The round, from 1.
    expected, found : tuple of (int, int)
        Boards of the system that the file does not have, and the reverse; White first, a bye as ``(id, 0)``.
    illegal : tuple of str
        What the rules forbid in the round of the file.
    reason : str
        Why the system has no pairing, or empty.
    """

    round: int
    expected: tuple[Board, ...] = ()
    found: tuple[Board, ...] = ()
    illegal: tuple[str, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        rows = [f"  {'system':>13} | {'file':>13}"]
        for k in range(max(len(self.expected), len(self.found))):
            left, right = (_shown(boards[k]) if k < len(boards) else "" for boards in (self.expected, self.found))
            rows.append(f"  {left:>13} | {right:>13}")
        if not self.expected and not self.found:
            rows = []
        rows += [f"  no pairing: {self.reason}"] if self.reason else []
        rows += [f"  not legal: {what}" for what in self.illegal]
        return "\n".join(rows)


@dataclass
class FileCheck:
    """The check of one file.

    Attributes
    ----------
    path : str
        The file.
    rounds : int
        Rounds that were compared.
    differences : list of RoundCheck
        Those that differ.
    notes : list of str
        Remarks on the file.
    error : str
        Why the file could not be checked, or empty.
    error_kind : {"", "contents", "access"}
        Whether its contents are wrong or it cannot be read.
    """

    path: str
    rounds: int = 0
    differences: list[RoundCheck] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    error: str = ""
    error_kind: str = ""

    @property
    def ok(self) -> bool:
        """True if the file could be read and does not differ."""
        return not self.error and not self.differences

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "file": self.path,
            "rounds": self.rounds,
            "differences": [
                {
                    "round": d.round,
                    "system": [list(board) for board in d.expected],
                    "file": [list(board) for board in d.found],
                    "illegal": list(d.illegal),
                    "reason": d.reason,
                }
                for d in self.differences
            ],
            "notes": self.notes,
            "error": self.error,
        }


@dataclass
class Checks:
    """The checks of several files, and their sums."""

    files: list[FileCheck] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        """Rounds that were compared."""
        return sum(check.rounds for check in self.files)

    @property
    def differences(self) -> int:
        """Rounds that differ."""
        return sum(len(check.differences) for check in self.files)

    @property
    def errors(self) -> int:
        """Files that could not be checked."""
        return sum(bool(check.error) for check in self.files)

    @property
    def ok(self) -> bool:
        """True if every file could be read and none differs."""
        return not self.differences and not self.errors

    def __str__(self) -> str:
        return summary(len(self.files), self.rounds, self.differences, self.errors)


def summary(files: int, rounds: int, differences: int, errors: int) -> str:
    """Return the numbers of a check in one line."""
    text = f"{files} file{'s' * (files != 1)}, {rounds} rounds: {differences} difference{'s' * (differences != 1)}"
    return text + (f", {errors} file{'s' * (errors != 1)} could not be checked" if errors else "")


def find_files(places: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return report files: those that are named, and all in the folders that are named; ``-`` stands for itself.

    Raises
    ------
    FileNotFoundError
        If a place does not exist.
    SwissError
        If a folder has no report file.
    """
    found: list[str] = []
    for place in map(Path, places):
        if str(place) == STANDARD_INPUT:
            found.append(STANDARD_INPUT)
            continue
        if not place.is_dir():
            if not place.exists():
                raise FileNotFoundError(2, "No such file or directory", str(place))
            found.append(str(place))
            continue
        inside = sorted(path for path in place.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
        if not inside:
            raise SwissError(f"{place}: no report file in this folder; their names end in {', '.join(SUFFIXES)}")
        found += map(str, inside)
    return found


def check(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    system: str | PairingSystem,
    legality: bool = False,
    strict: bool = True,
    workers: int | None = 1,
) -> Checks:
    """Check files of events: pair every round again from the rounds before it, and compare pairs, colours and byes.

    Parameters
    ----------
    files : path or iterable of paths
        Report files, and folders with such files.
    system : str or PairingSystem
        The system that the events should follow. For `lottery`, which draws, only legality is checked.
    legality : bool
        Check only whether the rounds are legal under the system.
    strict : bool
        As in `swisssim.trf.read`.
    workers : int, optional
        Processes; None: as many as there are processors and the number of files is worth.

    Returns
    -------
    Checks
        One `FileCheck` for each file, in order.

    Raises
    ------
    SwissError
        If the system is unknown or a folder has no report file.
    OSError
        If a place does not exist; a file that cannot be read is an error in its own `FileCheck`.
    """
    places = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    found = find_files(places)
    task = partial(check_file, system=make_system(system), legality=legality, strict=strict)
    return Checks(list(checked(found, task, workers=workers_for(len(found), workers))))


def checked(paths: Sequence[str], task: Callable[[str], FileCheck], *, workers: int) -> Iterator[FileCheck]:
    """Yield the checks of files as they are done, in order."""
    return spread(task, paths, workers=workers)


def check_file(
    path: str | os.PathLike[str],
    *,
    system: str | PairingSystem,
    legality: bool = False,
    strict: bool = True,
    only: int | None = None,
) -> FileCheck:
    """Check one file; what is wrong with it stands in the answer.

    Parameters
    ----------
    path : path
        The report file.
    system, legality, strict
        As in `check`.
    only : int, optional
        Check this round alone.

    Returns
    -------
    FileCheck
    """
    result = FileCheck(os.fspath(path))
    try:
        report = _read(path, strict=strict)
        total = report.rounds if report.rounds is not None else max(1, report.rounds_played)
        event = Tournament.from_trf(report, system=system, total=max(total, report.rounds_played, 1))
    except SwissError as error:
        result.error, result.error_kind = str(error), "contents"
        return result
    except OSError as error:
        result.error, result.error_kind = f"{error.filename}: {error.strerror}", "access"
        return result
    if only is not None and not 1 <= only < event.round:
        result.error, result.error_kind = f"{path}: round is {only}; played are 1 to {event.round - 1}", "contents"
        return result
    result.notes = event.notes
    if report.rounds is None:
        result.notes.append(f"the file does not say how many rounds there are; round {total} is taken for the last")
    result.rounds = event.round - 1 if only is None else 1
    result.differences = check_event(event, uncoloured=partial(_uncoloured, report), legality=legality, only=only)
    return result


def _read(path: str | os.PathLike[str], *, strict: bool) -> Report:
    if os.fspath(path) == STANDARD_INPUT:
        return trf.reads(sys.stdin.buffer.read(), name="standard input", strict=strict)
    return trf.read(path, strict=strict)


def check_event(
    event: Tournament,
    *,
    uncoloured: Callable[[int], set[Board]] | None = None,
    legality: bool = False,
    only: int | None = None,
) -> list[RoundCheck]:
    """Pair every recorded round of an event again, and return the rounds that differ.

    Parameters
    ----------
    event : Tournament
        With the system that its rounds should follow.
    uncoloured : callable, optional
        Round to the boards whose colours are not known; either order of them is right.
    legality : bool
        Only tell which rounds are not legal.
    only : int, optional
        Check this round alone.

    Returns
    -------
    list of RoundCheck
    """
    only_legality = legality or event.system.name in _DRAWN
    found = []
    for round in range(1, event.round) if only is None else [only]:
        if only_legality:
            illegal = event.illegal(round)
            difference = RoundCheck(round, illegal=tuple(illegal)) if illegal else None
        else:
            difference = _compare(event, round, uncoloured(round) if uncoloured else set())
        if difference is not None:
            found.append(difference)
    return found


def _compare(event: Tournament, round: int, uncoloured: set[Board]) -> RoundCheck | None:
    """Return how the system's pairing of a round differs from the recorded one, or None."""
    past = event.pairing(round)
    reason, answer = "", None
    try:
        answer = event.pair_again(round)
    except NoPairingError as error:
        reason = str(error)
    here = _lines(past)
    there = _lines(answer) if answer is not None else []
    free = {frozenset(board) for board in uncoloured}
    alike = set(here) & set(there)
    unordered = {frozenset(b) for b in here} & {frozenset(b) for b in there} & free

    def left(boards: list[Board]) -> tuple[Board, ...]:
        return tuple(board for board in boards if board not in alike and frozenset(board) not in unordered)

    expected, found = left(there), left(here)
    if not expected and not found and not reason:
        return None
    return RoundCheck(round, expected, _aligned(expected, found), tuple(event.illegal(round)), reason)


def _lines(pairing: Pairing) -> list[Board]:
    return list(pairing.boards) + ([(pairing.bye, 0)] if pairing.bye is not None else [])


def _aligned(expected: tuple[Board, ...], found: tuple[Board, ...]) -> tuple[Board, ...]:
    """Return the boards of the file in the order of the system's boards that share a player with them."""
    left = list(found)
    ordered = []
    for board in expected:
        near = next((other for other in left if (set(other) & set(board)) - {0}), None)
        if near is not None:
            left.remove(near)
            ordered.append(near)
    return tuple(ordered + left)


def _uncoloured(report: Report, round: int) -> set[Board]:
    """Return the boards of a round for which a report has no colours: forfeits that are written without."""
    return {
        (white, black)
        for white, black in report.games(round)
        if report.entry(white, round).colour != "w" and report.entry(black, round).colour != "b"
    }


def _shown(board: Board) -> str:
    return f"{board[0]} - {board[1]}" if board[1] else f"{board[0]} bye"
