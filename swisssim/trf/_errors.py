"""Errors and remarks of the report files: where it stands, what stood there, what is expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from swisssim.errors import SwissError

Columns = tuple[int, int]


def _place(file: str | None, line: int | None, columns: Columns | None) -> str:
    """Words for a place in a file: ``name, line 3, columns 92-99``."""
    parts = [file] if file else []
    if line is not None:
        parts.append(f"line {line}")
    if columns is not None:
        first, last = columns
        parts.append(f"column {first}" if first == last else f"columns {first}-{last}")
    return ", ".join(parts)


class TrfError(SwissError):
    """A report file that can't be read, or a report that can't be written.

    Parameters
    ----------
    message : str
        What was wrong, and what would be right.
    file : str, optional
        Name of the file.
    line : int, optional
        Line in the file, from 1.
    columns : tuple of int, optional
        First and last column in that line, from 1.
    player : int, optional
        Starting number of the player concerned.
    round : int, optional
        Round concerned, from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        columns: Columns | None = None,
        player: int | None = None,
        round: int | None = None,
    ) -> None:
        subject = [] if player is None else [f"player {player}"]
        if round is not None:
            subject.append(f"round {round}")
        parts = [_place(file, line, columns), ", ".join(subject), message]
        super().__init__(": ".join(part for part in parts if part))
        self.file = file
        self.line = line
        self.columns = columns
        self.player = player
        self.round = round


class TrfWarning(UserWarning):
    """Something that had to be changed to write a report, such as a name that was cut."""


@dataclass(frozen=True)
class Remark:
    """Something in a report file that was read, but deserves a look.

    Attributes
    ----------
    line : int or None
        Line in the file, from 1.
    columns : tuple of int or None
        First and last column, from 1.
    message : str
        What was found, and how it was understood.
    """

    line: int | None
    columns: Columns | None
    message: str

    def __str__(self) -> str:
        place = _place(None, self.line, self.columns)
        return f"{place}: {self.message}" if place else self.message


class Context:
    """What every part of the reader needs at hand: the name of the file, the strictness, the remarks so far."""

    def __init__(self, name: str | None, *, strict: bool) -> None:
        self.name = name
        self.strict = strict
        self.warnings: list[Remark] = []

    def warn(self, message: str, line: int | None = None, columns: Columns | None = None) -> None:
        """Keep a remark for the report."""
        self.warnings.append(Remark(line, columns, message))

    def fail(
        self,
        message: str,
        line: int | None = None,
        columns: Columns | None = None,
        *,
        player: int | None = None,
        round: int | None = None,
    ) -> NoReturn:
        """Raise `TrfError` with the name of the file."""
        raise TrfError(message, file=self.name, line=line, columns=columns, player=player, round=round)

    def reject(self, message: str, line: int | None = None, columns: Columns | None = None) -> None:
        """Raise `TrfError` if strict, else keep a remark that it is not used."""
        if self.strict:
            self.fail(message, line, columns)
        self.warn(f"{message}; it is not used", line, columns)
