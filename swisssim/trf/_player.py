"""Record 001, read and written: one player with all rounds.

Columns of the standard (from 1): number 5-8, sex 10, title 11-13, name 15-47, rating 49-52, federation 54-56,
FIDE id 58-68, birth 70-79, points 81-84, rank 86-89, rounds from 92 on.
"""

from __future__ import annotations

import re
import warnings
from typing import NoReturn

from ._errors import Context, TrfError, TrfWarning
from ._model import PlayerRecord
from ._rounds import parse_rounds, render_entry
from ._text import show_tenths, tenths, whole

NAME_WIDTH = 33
_NAME_END = 47
_ROUNDS_START = 92
_GAP_BEFORE_SEX = 9
_GAPS_AFTER_NAME = (48, 53, 57, 69, 80, 85, 90, 91)
# What stands in these could only be a part of a number.
_SEVERE_GAPS = frozenset((85, 90, 91))
_POINTS = re.compile(r"[ 0-9]{2}[.,][0-9]|[ 0-9]{3}[0-9]| {4}")
_BLOCK = re.compile(r"(?: *[0-9]+|    )(?<=^.{4}) [wbWB -] .  ", re.DOTALL)
_REGULAR = re.compile(
    r" [ 0-9]{4} .{3} .{11} .{10} (?:[ 0-9]{2}\.[0-9]| {4}) [ 0-9]{4}  (?:(?:[ 0-9]{3}[0-9]|    ) [wb -] .  )*",
    re.DOTALL,
)
# Enough to see how a line is aligned, and few enough for absurdly long lines.
_ROUNDS_LOOKED_AT = 30
_LEAST_SHIFT = 3


class _PlayerLine:
    """A line 001 with the columns of the standard, wherever the fields after the name really stand."""

    def __init__(self, text: str, line: int, ctx: Context) -> None:
        self.text = text
        self.line = line
        self.ctx = ctx
        self.number: int | None = None
        self.shift = 0
        self.name = ""
        self.title = ""

    def at(self, column: int) -> int:
        """Real column of a column of the standard."""
        return column + self.shift if column > _NAME_END else column

    def field(self, first: int, last: int) -> str:
        """Text of a field, its blanks included."""
        return self.text[self.at(first) - 1 : self.at(last)]

    def fail(self, message: str, first: int, last: int) -> NoReturn:
        """Raise an error about real columns."""
        self.ctx.fail(message, self.line, (first, last), player=self.number)

    def warn(self, message: str, first: int, last: int) -> None:
        """Keep a remark about real columns."""
        self.ctx.warn(f"player {self.number}: {message}", self.line, (first, last))

    def read_number(self) -> int:
        """Columns 5-8."""
        self.number = whole(self.text[4:8])
        if self.text[3:4].strip() or not self.number:
            found = self.text[3:8].strip()
            self.number = None
            self.fail(f"starting number {found!r}; expected a number 1..9999 in columns 5-8", 4, 8)
        return self.number

    def read_layout(self) -> None:
        """Read title and name, and find where the fields after the name stand; say so if it isn't where they should."""
        end, self.shift = _find_layout(self.text)
        start = self._read_title()
        self.name = self.text[start:end].strip()
        if end == _NAME_END:
            return
        why = "the name is padded in bytes, or too short"
        if end > _NAME_END:
            why = f"the name has {len(self.name)} characters, {NAME_WIDTH} fit"
        if self.shift:
            way = "right" if self.shift > 0 else "left"
            self.warn(f"{why}; the fields after it are read {abs(self.shift)} columns further {way}", 15, end)
        else:
            self.warn(f"{why}; what it covers of the fields after it is read as blank", 15, end)
            self.text = self.text[:_NAME_END] + " " * (end - _NAME_END) + self.text[end:]

    def _read_title(self) -> int:
        """Read the title, and return the index where the name starts: either may stand one column off."""
        self.title = self.field(11, 13).strip()
        if not self.field(14, 14).strip():
            return 14
        if not self.field(15, 15).strip():
            self.title = self.field(11, 14).strip()
            self.warn(f"title {self.title!r} ends in column 14; expected in columns 11-13", 11, 14)
        elif not self.field(13, 13).strip():
            self.warn("the name starts in column 14; expected in column 15", 14, 14)
            return 13
        else:
            self.warn(f"{self.field(14, 14)!r} stands where a blank is expected, and is not read", 14, 14)
        return 14

    def check_gaps(self) -> None:
        """Refuse or remark what stands between the fields, where no field takes it in."""
        for column in (_GAP_BEFORE_SEX, *_GAPS_AFTER_NAME):
            found = self.field(column, column)
            if not found.strip(" "):
                continue
            real = self.at(column)
            if column in _SEVERE_GAPS:
                self.fail(
                    f"{found!r} stands where a blank is expected (points belong in columns 81-84, the rank in 86-89, round 1 in 92-99)",
                    real,
                    real,
                )
            if not self._continues_rating(column):
                self.warn(f"{found!r} stands where a blank is expected, and is not read", real, real)

    def _continues_rating(self, column: int) -> bool:
        """True for a digit right before or after the rating, which is refused together with it."""
        beside = {48: 49, 53: 52}.get(column)
        return beside is not None and (self.field(column, column) + self.field(beside, beside)).isdigit()

    def read_rating(self) -> int | None:
        """Columns 49-52; digits that spill over either end are part of the number."""
        first, last = self.at(49) - 1, self.at(52)
        text = self.text
        if text[first:last].strip():
            while first > 14 and text[first - 1 : first + 1].isdigit():
                first -= 1
            while text[last : last + 1].isdigit() and text[last - 1].isdigit():
                last += 1
        found = text[first:last].strip(" ")
        if not found:
            return None
        rating = whole(found)
        if rating is None or last - first > 4:
            self.fail(
                f"rating out of range 0..9999: {found!r}; expected at most four digits in columns 49-52, 0 or blanks for unrated",
                first + 1,
                last,
            )
        return rating

    def read_points(self) -> int | None:
        """Columns 81-84, in tenths."""
        found = self.field(81, 84)
        points = tenths(found)
        if points is None and found.strip(" "):
            self.fail(f"points {found.strip()!r}; expected a number such as 11.5, or blanks", self.at(81), self.at(84))
        return points

    def read_rank(self) -> int | None:
        """Columns 86-89: nothing depends on them, so a strange one is only remarked."""
        found = self.field(86, 89)
        rank = whole(found)
        if rank is None and found.strip(" "):
            self.warn(f"rank {found.strip()!r} is not a number, and is not read", self.at(86), self.at(89))
        return rank


def parse_player(text: str, line: int, ctx: Context) -> PlayerRecord:
    """Player of a line that starts with ``001``."""
    record = _PlayerLine(text, line, ctx)
    number = record.read_number()
    record.read_layout()
    record.check_gaps()
    return PlayerRecord(
        number=number,
        sex=record.field(10, 10).strip(),
        title=record.title,
        name=record.name,
        rating=record.read_rating(),
        federation=record.field(54, 56).strip(),
        fide_id=record.field(58, 68).strip(),
        birth=record.field(70, 79).strip(),
        points=record.read_points(),
        rank=record.read_rank(),
        rounds=parse_rounds(record.text, line, record.at(_ROUNDS_START), number, ctx),
        line=line,
        shift=record.shift,
    )


def _find_layout(text: str) -> tuple[int, int]:
    """Index where the name ends, and by how many columns the fields after it stand further right.

    Names padded in bytes move them left by one column for each extra byte; names that were not cut move them right, or
    were written over the next fields.
    """
    tail = text[_NAME_END:]
    if _REGULAR.fullmatch(tail.ljust(44) + " " * (-(max(len(tail), 44) - 44) % 10)):
        return _NAME_END, 0
    name = text[14:_NAME_END]
    extra = len(name.encode("utf-8", "replace")) - len(name)
    lefts = range(1, max(_LEAST_SHIFT, min(extra, NAME_WIDTH)) + 1)
    layouts = [(_NAME_END, 0), *((_NAME_END - left, -left) for left in lefts)]
    # A name that was not cut has no run of blanks, and ends where a word ends.
    start = len(text) - len(text[14:].lstrip(" "))
    blanks = text.find("  ", start)
    limit = min(len(text) if blanks < 0 else blanks, 3 * _NAME_END)
    ends = [at for at in range(_NAME_END + 1, limit + 1) if text[at - 1] != " " and text[at : at + 1] in ("", " ")]
    layouts += [(at, at - _NAME_END) for at in ends] + [(at, 0) for at in ends]

    def misfits(layout: tuple[int, int]) -> tuple[int, int]:
        end, shift = layout
        covered = max(0, end - shift - _NAME_END)
        return _misfits(" " * covered + text[_NAME_END + shift + covered :]), abs(shift) + covered

    return min(layouts, key=misfits)


def _misfits(tail: str) -> int:
    """How many fields don't look as they should if this text starts in column 48 of the standard."""
    tail = tail[: 44 + 10 * _ROUNDS_LOOKED_AT].ljust(44)
    rating, points, rank = tail[1:5], tail[33:37], tail[38:42]
    bad = [tail[column - 48] != " " for column in _GAPS_AFTER_NAME]
    bad.append(rating != "    " and whole(rating) is None)
    bad.append(_POINTS.fullmatch(points) is None)
    bad.append(rank != "    " and (whole(rank) is None or rank.endswith(" ")))
    bad += [_BLOCK.fullmatch(tail[at : at + 10].ljust(10)) is None for at in range(44, len(tail), 10)]
    return sum(bad)


def render_player(player: PlayerRecord) -> str:
    """The line of a player in the columns of the standard.

    Raises
    ------
    TrfError
        If a value other than the name doesn't fit into its columns.

    Warns
    -----
    TrfWarning
        If the name has to be cut.
    """
    name = player.name
    if len(name) > NAME_WIDTH:
        warnings.warn(
            f"player {player.number}: name {name!r} has {len(name)} characters and is cut to {NAME_WIDTH}",
            TrfWarning,
            stacklevel=2,
        )
        name = name[:NAME_WIDTH].rstrip()
    number, title, rating, fide_id, points, rank = (
        _fitted(player, field, width).rjust(width)
        for field, width in (("number", 4), ("title", 3), ("rating", 4), ("fide_id", 11), ("points", 4), ("rank", 4))
    )
    sex, federation, birth = (
        _fitted(player, field, width).ljust(width) for field, width in (("sex", 1), ("federation", 3), ("birth", 10))
    )
    head = f"001 {number} {sex}{title} {name:<33} {rating} {federation} {fide_id} {birth} {points} {rank}"
    rounds = (render_entry(player.number, round, entry) for round, entry in enumerate(player.rounds, 1))
    return (head + "".join(rounds)).rstrip(" ")


def _fitted(player: PlayerRecord, field: str, width: int) -> str:
    """A value as text, if it fits into its columns."""
    value = getattr(player, field)
    if value is None:
        return ""
    if isinstance(value, int) and value < 0:
        raise TrfError(f"{field} {value} can't be written; expected no negative number", player=player.number)
    text = show_tenths(value) if field == "points" else str(value)
    if len(text) > width:
        raise TrfError(f"{field} {text!r} can't be written; expected at most {width} characters", player=player.number)
    return text
