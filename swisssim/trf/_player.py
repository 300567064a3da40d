"""Record 001, read and written: one player with all rounds.

Columns of the standard (from 1): number 5-8, sex 10, title 11-13, name 15-47, rating 49-52, federation 54-56, FIDE id 58-68,
birth 70-79, points 81-84, rank 86-89; round r has its opponent at 92+10(r-1), colour at 97+10(r-1), result at 99+10(r-1).
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

from ._errors import Context, TrfError, TrfWarning
from ._model import BLANK, BYES, GAMES, PlayerRecord, RoundEntry
from ._text import show_tenths, tenths, whole

NAME_WIDTH = 33
MOST_ROUNDS = 999
# Enough to see how a line is aligned, and few enough for absurdly long lines.
_ROUNDS_LOOKED_AT = 30
_NAME_END = 47
# Blank columns between the fields after the name. What stands in the last three could only be a part of a number.
_GAPS = (48, 53, 57, 69, 80, 85, 90, 91)
_SEVERE_GAPS = frozenset((85, 90, 91))
_POINTS = re.compile(r"[ 0-9]{2}[.,][0-9]|[ 0-9]{3}[0-9]| {4}")
_BLOCK = re.compile(r"(?: *[0-9]+|    )(?<=^.{4}) [wbWB -] .  ", re.DOTALL)
_REGULAR = re.compile(
    r" [ 0-9]{4} .{3} .{11} .{10} (?:[ 0-9]{2}\.[0-9]| {4}) [ 0-9]{4}  (?:(?:[ 0-9]{3}[0-9]|    ) [wb -] .  )*", re.DOTALL)
_BYE_INSTEAD = {"1": "F", "W": "F", "D": "H", "0": "Z", "L": "Z"}


def parse_player(text: str, line: int, ctx: Context) -> PlayerRecord:
    """Player of a line that starts with ``001``."""
    number = whole(text[4:8])
    if text[3:4].strip() or not number:
        ctx.fail(f"invalid player record: columns 5-8 hold {text[4:8]!r}; expected a starting number 1..9999 and a blank before it",
                 line, (4, 8))
    shift = _shift(text)
    if shift:
        _remark_shift(text, shift, line, number, ctx)
    _check_gaps_before_name(text, line, number, ctx)
    fields = text[_NAME_END + shift:91 + shift].ljust(44)
    _check_gaps(fields, shift, line, number, ctx)
    return PlayerRecord(
        number=number,
        sex=text[9:10].strip(),
        title=text[10:13].strip(),
        name=text[14:_NAME_END + shift].strip(),
        rating=_rating(text, shift, line, number, ctx),
        federation=fields[6:9].strip(),
        fide_id=fields[10:21].strip(),
        birth=fields[22:32].strip(),
        points=_points(fields[33:37], shift, line, number, ctx),
        rank=_rank(fields[38:42], shift, line, number, ctx),
        rounds=_rounds(text, number, line, shift, ctx),
        line=line,
        shift=shift,
    )


def _check_gaps_before_name(text: str, line: int, number: int, ctx: Context) -> None:
    """Remark on a character between the fields in front of the name, which no field takes in."""
    for column in (9, 14):
        if text[column - 1:column].strip():
            ctx.warn(f"player {number}: {text[column - 1]!r} stands where a blank is expected, and is not read", line, (column, column))


def _remark_shift(text: str, shift: int, line: int, number: int, ctx: Context) -> None:
    """Say that the fields after the name were found in other columns than the standard's."""
    name = text[14:_NAME_END + shift].strip()
    way = "right" if shift > 0 else "left"
    why = f"the name has {len(name)} characters, {NAME_WIDTH} fit" if shift > 0 else "the name is padded in bytes or too short"
    ctx.warn(f"player {number}: {why}; the fields after it are read {abs(shift)} columns further {way}",
             line, (15, _NAME_END + shift))


def _shift(text: str) -> int:
    """By how many columns the fields after the name stand further right.

    Names padded in bytes move them left by one column for each extra byte; names that were not cut move them right.
    """
    body = text[_NAME_END:]
    if len(body) <= 44:
        padded = body.ljust(44)
    else:
        padded = body + " " * (-(len(body) - 44) % 10)
    if _REGULAR.fullmatch(padded):
        return 0
    extra = len(text[14:_NAME_END].encode("utf-8", "replace")) - len(text[14:_NAME_END])
    candidates = [0, *range(-1, -max(3, min(extra, NAME_WIDTH)) - 1, -1)]
    end = text.find("  ", 14)
    end = len(text) if end < 0 else end
    # A name that was not cut has no run of blanks and ends at the end of a word.
    candidates += [at - _NAME_END for at in range(_NAME_END + 1, min(end, 3 * _NAME_END) + 1)
                   if text[at - 1] != " " and text[at:at + 1] in ("", " ")]
    return min(candidates, key=lambda shift: (_misfits(text, shift), abs(shift), shift))


def _misfits(text: str, shift: int) -> int:
    """How many fields after the name don't look as they should if they stand `shift` columns further right."""
    tail = text[_NAME_END + shift:].ljust(44)
    bad = sum(tail[column - 48] != " " for column in _GAPS)
    bad += tail[1:5].strip() != "" and whole(tail[1:5]) is None
    bad += _POINTS.fullmatch(tail[33:37]) is None
    bad += tail[38:42].strip() != "" and not (whole(tail[38:42]) is not None and tail[41] != " ")
    blocks = (tail[at:at + 10].ljust(10) for at in range(44, min(len(tail), 44 + 10 * _ROUNDS_LOOKED_AT), 10))
    return bad + sum(_BLOCK.fullmatch(block) is None for block in blocks)


def _check_gaps(fields: str, shift: int, line: int, number: int, ctx: Context) -> None:
    """Refuse or remark what stands between the fields."""
    for column in _GAPS:
        found = fields[column - 48]
        if found == " ":
            continue
        at = (column + shift, column + shift)
        if column in _SEVERE_GAPS:
            ctx.fail(f"{found!r} stands where a blank is expected (points belong in columns 81-84, the rank in 86-89, "
                     "round 1 in 92-99)", line, at, player=number)
        # Digits that continue the rating are refused together with it.
        spills = found.isdigit() and ((column == 48 and fields[1].isdigit()) or (column == 53 and fields[4].isdigit()))
        if not spills:
            ctx.warn(f"player {number}: {found!r} stands where a blank is expected, and is not read", line, at)


def _rating(text: str, shift: int, line: int, number: int, ctx: Context) -> int | None:
    """Columns 49-52; digits that spill over either end are part of the number."""
    first, last = 48 + shift, 52 + shift
    if text[first:last].strip():
        while first > 14 and text[first - 1:first].isdigit() and text[first:first + 1].isdigit():
            first -= 1
        while text[last:last + 1].isdigit() and text[last - 1:last].isdigit():
            last += 1
    found = text[first:last].strip()
    if not found:
        return None
    rating = whole(found)
    if rating is None or rating > 9999 or last - first > 4:
        ctx.fail(f"rating out of range 0..9999: {found!r} stands there; expected a number of at most four digits in columns 49-52, "
                 "0 or blanks for unrated", line, (first + 1, last), player=number)
    return rating


def _points(found: str, shift: int, line: int, number: int, ctx: Context) -> int | None:
    """Columns 81-84."""
    if not found.strip():
        return None
    points = tenths(found)
    if points is None:
        ctx.fail(f"invalid points {found.strip()!r}; expected a number such as 11.5 or blanks", line, (81 + shift, 84 + shift), player=number)
    return points


def _rank(found: str, shift: int, line: int, number: int, ctx: Context) -> int | None:
    """Columns 86-89: nothing depends on them, so a strange one is only remarked."""
    if not found.strip():
        return None
    rank = whole(found)
    if rank is None:
        ctx.warn(f"player {number}: rank {found.strip()!r} is not a number, and is not read", line, (86 + shift, 89 + shift))
    return rank


def _rounds(text: str, number: int, line: int, shift: int, ctx: Context) -> list[RoundEntry]:
    """Entries of all rounds, without blank ones at the end."""
    body = text[91 + shift:].rstrip(" ")
    count = -(-len(body) // 10)
    if count > MOST_ROUNDS:
        ctx.fail(f"the line has room for {count} rounds; expected at most {MOST_ROUNDS}", line, (92 + shift, len(text)), player=number)
    body = body.ljust(10 * count)
    rounds = []
    for index in range(count):
        block = body[10 * index:10 * index + 10]
        entry = _plain_entry(block)
        if entry is None:
            first = 92 + shift + 10 * index
            entry = _odd_entry(block, _Spot(ctx, line, (first, first + 7), number, index + 1))
        rounds.append(entry)
    return rounds


@lru_cache(maxsize=1 << 16)
def _plain_entry(block: str) -> RoundEntry | None:
    """Entry of a block of ten columns that needs no remark, else None."""
    opponent = whole(block[:4])
    if (block[:4].strip(" ") and opponent is None) or block[4] + block[6] + block[8:] != "    ":
        return None
    opponent, colour, code = opponent or 0, block[5].lower().strip(" "), block[7].upper().strip(" ")
    if colour not in ("w", "b", "-", ""):
        return None
    if opponent:
        plain = code in ("+", "-") or (code not in ("", "?") and code in GAMES and colour in ("w", "b"))
    else:
        plain = code in BYES and colour in ("-", "")
    return RoundEntry(opponent, colour, code) if plain else None


class _Spot:
    """Where a round block stands, for its messages."""

    def __init__(self, ctx: Context, line: int, columns: tuple[int, int], player: int, round: int) -> None:
        self.ctx, self.line, self.columns, self.player, self.round = ctx, line, columns, player, round

    def fail(self, block: str, message: str) -> TrfError:
        """Error about this block, to be raised by the caller."""
        return TrfError(f"invalid round block {block.rstrip()!r}: {message}", file=self.ctx.name, line=self.line,
                        columns=self.columns, player=self.player, round=self.round)

    def warn(self, message: str) -> None:
        """Remark about this block."""
        self.ctx.warn(f"player {self.player}, round {self.round}: {message}", self.line, self.columns)


def _odd_entry(block: str, spot: _Spot) -> RoundEntry:
    """Entry of a block that isn't plain: an error, or an entry with a remark."""
    opponent = whole(block[:4])
    if block[:4].strip(" ") and opponent is None:
        raise spot.fail(block, f"opponent {block[:4].strip()!r}; expected a starting number, or 0000 or blanks for none")
    if block[4] + block[6] + block[8:] != "    ":
        raise spot.fail(block, "expected four columns opponent, blank, colour, blank, result and two blanks")
    colour, code = block[5].lower().strip(" "), block[7].upper().strip(" ")
    if colour not in ("w", "b", "-", ""):
        raise spot.fail(block, f"colour {block[5]!r}; expected w, b, - or a blank")
    if opponent:
        return _odd_game(block, RoundEntry(opponent, colour, code), spot)
    return _odd_bye(block, RoundEntry(0, colour, code), spot)


def _odd_game(block: str, entry: RoundEntry, spot: _Spot) -> RoundEntry:
    """Entry with an opponent whose result or colour is unusual."""
    expected = "expected 1 = 0 W D L, + or - (forfeit), or ? (not finished)"
    if entry.code == "Z":
        if spot.ctx.strict:
            raise spot.fail(block, f"an opponent together with result Z (absent); {expected}")
        spot.warn(f"opponent {entry.opponent} together with result Z is read as a forfeit loss")
        return entry._replace(code="-")
    if entry.code not in GAMES:
        hint = "a bye has no opponent; " if entry.code in BYES else ""
        raise spot.fail(block, f"result {block[7]!r} with opponent {entry.opponent}; {hint}{expected}")
    if entry.colour not in ("w", "b"):
        raise spot.fail(block, f"a game without a colour; expected w or b in column {spot.columns[0] + 5}")
    spot.warn(f"no result against {entry.opponent} yet; read as a game that is not finished")
    return entry


def _odd_bye(block: str, entry: RoundEntry, spot: _Spot) -> RoundEntry:
    """Entry without an opponent whose result or colour is unusual."""
    expected = "expected an opponent, or 0000 - with U, F, H or Z"
    if entry.code not in BYES and entry.code not in _BYE_INSTEAD:
        raise spot.fail(block, f"result {block[7]!r} without an opponent; {expected}")
    if entry.colour in ("w", "b") and entry.code not in ("U", "F", "H", "Z", "+", "-"):
        what = f"result {entry.code}" if entry.code else "no result"
        raise spot.fail(block, f"colour {entry.colour} without an opponent and with {what}; {expected}")
    if entry.code in BYES:
        spot.warn(f"colour {entry.colour} without an opponent; read as a bye ({entry.code})")
        return entry
    instead = _BYE_INSTEAD[entry.code]
    if spot.ctx.strict:
        raise spot.fail(block, f"result {entry.code} without an opponent; {expected}")
    spot.warn(f"result {entry.code} without an opponent is read as {instead}")
    return entry._replace(code=instead)


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
        warnings.warn(f"player {player.number}: name {name!r} has {len(name)} characters and is cut to {NAME_WIDTH}",
                      TrfWarning, stacklevel=2)
        name = name[:NAME_WIDTH].rstrip()
    for field in ("number", "rating", "points", "rank"):
        if (getattr(player, field) or 0) < 0:
            raise TrfError(f"{field} {getattr(player, field)} can't be written; expected no negative number", player=player.number)
    points = "" if player.points is None else show_tenths(player.points)
    fields = (
        ("number", str(player.number), 4, True), ("sex", player.sex, 1, False), ("title", player.title, 3, True),
        ("name", name, NAME_WIDTH, False), ("rating", "" if player.rating is None else str(player.rating), 4, True),
        ("federation", player.federation, 3, False), ("fide_id", player.fide_id, 11, True), ("birth", player.birth, 10, False),
        ("points", points, 4, True), ("rank", "" if player.rank is None else str(player.rank), 4, True),
    )
    texts = [_fitted(player, *item) for item in fields]
    head = f"001 {texts[0]} {texts[1]}{' '.join(texts[2:])}"
    return (head + "".join(_render_entry(player, index, entry) for index, entry in enumerate(player.rounds, 1))).rstrip(" ")


def _fitted(player: PlayerRecord, field: str, text: str, width: int, right: bool) -> str:
    """A value padded to its columns."""
    if len(text) > width or text != text.strip() or "\n" in text or "\r" in text:
        raise TrfError(f"{field} {text!r} can't be written; expected at most {width} characters in one line and no blanks around", player=player.number)
    return text.rjust(width) if right else text.ljust(width)


def _render_entry(player: PlayerRecord, round: int, entry: RoundEntry) -> str:
    """Ten columns: two blanks, opponent, colour and result."""
    if entry == BLANK:
        return " " * 10
    known = entry.code in (GAMES if entry.opponent else BYES) and entry.colour in ("w", "b", "-", "")
    if not known or not 0 <= entry.opponent <= 9999:
        raise TrfError(f"entry {tuple(entry)!r} can't be written; expected an opponent 0..9999, colour w b - and a result code of TRF",
                       player=player.number, round=round)
    opponent = f"{entry.opponent:4}" if entry.opponent else "0000"
    return f"  {opponent} {entry.colour or ' '} {entry.code or ' '}"
