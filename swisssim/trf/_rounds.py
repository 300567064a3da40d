"""The rounds of a player in record 001: blocks of ten columns, from column 92 on.

In the block of round r stand the opponent at 92+10(r-1), the colour at 97+10(r-1) and the result at 99+10(r-1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NoReturn

from ._errors import Context, TrfError
from ._model import BLANK, BYES, GAMES, RoundEntry
from ._text import whole

MOST_ROUNDS = 999
_COLOURS = ("w", "b", "-", "")
_GAME_EXPECTED = "expected 1 = 0 W D L, + or - (forfeit), or ? (not finished)"
_BYE_EXPECTED = "expected an opponent, or 0000 - with U, F, H or Z"
# Results of games that stand where a bye belongs, and the bye worth as much.
_BYE_INSTEAD = {"1": "F", "W": "F", "D": "H", "0": "Z", "L": "Z"}


class Block:
    """The block of one round, and how to say something about it."""

    def __init__(self, ctx: Context, line: int, first: int, text: str, player: int, round: int) -> None:
        self.ctx = ctx
        self.line = line
        self.columns = (first, first + 7)
        self.text = text
        self.player = player
        self.round = round

    def fail(self, message: str) -> NoReturn:
        """Raise an error about this block."""
        self.ctx.fail(
            f"invalid round block {self.text.rstrip()!r}: {message}",
            self.line,
            self.columns,
            player=self.player,
            round=self.round,
        )

    def warn(self, message: str) -> None:
        """Keep a remark about this block."""
        self.ctx.warn(f"player {self.player}, round {self.round}: {message}", self.line, self.columns)


def parse_rounds(text: str, line: int, first: int, player: int, ctx: Context) -> list[RoundEntry]:
    """Entries of all rounds of a line whose first block starts in column `first`, without blank ones at the end."""
    body = text[first - 1 :].rstrip(" ")
    count = -(-len(body) // 10)
    if count > MOST_ROUNDS:
        ctx.fail(
            f"the line is long enough for {count} rounds; expected at most {MOST_ROUNDS}",
            line,
            (first, len(text)),
            player=player,
        )
    body = body.ljust(10 * count)
    entries = []
    for at in range(0, 10 * count, 10):
        part = body[at : at + 10]
        entry = _plain_entry(part)
        if entry is None:
            entry = _odd_entry(Block(ctx, line, first + at, part, player, at // 10 + 1))
        entries.append(entry)
    # A block of 0000 alone says as little as no block.
    while entries and entries[-1] == BLANK:
        entries.pop()
    return entries


@lru_cache(maxsize=1 << 14)
def _plain_entry(text: str) -> RoundEntry | None:
    """Entry of a block that needs no remark, else None."""
    opponent = whole(text[:4])
    if (opponent is None and text[:4] != "    ") or text[4] + text[6] + text[8:] != "    ":
        return None
    opponent, colour, code = opponent or 0, text[5].lower().strip(" "), text[7].upper().strip(" ")
    if colour not in _COLOURS:
        return None
    if opponent:
        plain = code in ("+", "-") or (code not in ("", "?") and code in GAMES and colour in ("w", "b"))
    else:
        plain = code in BYES and colour in ("-", "")
    return RoundEntry(opponent, colour, code) if plain else None


def _odd_entry(block: Block) -> RoundEntry:
    """Entry of a block that isn't plain: an error, or an entry with a remark."""
    text = block.text
    opponent = whole(text[:4])
    if opponent is None and text[:4] != "    ":
        block.fail(f"opponent {text[:4].strip()!r}; expected a starting number, or 0000 or blanks for none")
    if text[4] + text[6] + text[8:] != "    ":
        block.fail("expected four columns opponent, blank, colour, blank, result and two blanks")
    entry = RoundEntry(opponent or 0, text[5].lower().strip(" "), text[7].upper().strip(" "))
    if entry.colour not in _COLOURS:
        block.fail(f"colour {text[5]!r}; expected w, b, - or a blank")
    return _odd_game(block, entry) if opponent else _odd_bye(block, entry)


def _odd_game(block: Block, entry: RoundEntry) -> RoundEntry:
    """Entry with an opponent whose result or colour is unusual."""
    if entry.code == "Z":
        if block.ctx.strict:
            block.fail(f"an opponent together with result Z (absent); {_GAME_EXPECTED}")
        block.warn(f"opponent {entry.opponent} together with result Z is read as a forfeit loss")
        return entry._replace(code="-")
    if entry.code not in GAMES:
        hint = "a bye has no opponent; " if entry.code in BYES else ""
        block.fail(f"result {entry.code!r} with opponent {entry.opponent}; {hint}{_GAME_EXPECTED}")
    if entry.colour not in ("w", "b"):
        block.fail(f"a game without a colour; expected w or b in column {block.columns[0] + 5}")
    block.warn(f"no result against player {entry.opponent} yet; read as a game that is not finished")
    return entry


def _odd_bye(block: Block, entry: RoundEntry) -> RoundEntry:
    """Entry without an opponent whose result or colour is unusual."""
    if entry.code not in BYES and entry.code not in _BYE_INSTEAD:
        block.fail(f"result {entry.code!r} without an opponent; {_BYE_EXPECTED}")
    if entry.colour in ("w", "b") and entry.code not in ("U", "F", "H", "Z", "+", "-"):
        what = f"result {entry.code}" if entry.code else "no result"
        block.fail(f"colour {entry.colour} without an opponent and with {what}; {_BYE_EXPECTED}")
    if entry.code in BYES:
        block.warn(f"colour {entry.colour} without an opponent; read as a bye ({entry.code})")
        return entry
    instead = _BYE_INSTEAD[entry.code]
    if block.ctx.strict:
        block.fail(f"result {entry.code} without an opponent; {_BYE_EXPECTED}")
    block.warn(f"result {entry.code} without an opponent is read as {instead}")
    return entry._replace(code=instead)


def render_entry(player: int, round: int, entry: RoundEntry) -> str:
    """Ten columns: two blanks, opponent, colour and result.

    Raises
    ------
    TrfError
        If the entry has a colour or a code that report files don't know.
    """
    if entry == BLANK:
        return " " * 10
    known = entry.code in (GAMES if entry.opponent else BYES) and entry.colour in _COLOURS
    if not known or not 0 <= entry.opponent <= 9999:
        raise TrfError(
            f"entry {tuple(entry)!r} can't be written; expected an opponent 0..9999, a colour w b or -, and a result code",
            player=player,
            round=round,
        )
    opponent = f"{entry.opponent:4}" if entry.opponent else "0000"
    return f"  {opponent} {entry.colour or ' '} {entry.code or ' '}"
