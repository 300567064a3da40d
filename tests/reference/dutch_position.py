"""What both slow Dutch twins read of an event before a round, and a reader for the golden TRF files.

The reader is a second one on purpose: the twins are an oracle only as long as they share no code with what they judge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tests.reference.event import FORFEITS, GAMES, Board, Code, Entry, Event, Options

TAKEN_PART = GAMES | FORFEITS | {Code.PAIRING_BYE}


class Position:
    """An event before a round, as the pages of the Dutch systems speak of it."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.field = frozenset(event.field)
        self.done = len(event.history)
        self.initial_colour = event.options.initial_colour
        self._scores = {player: event.score(player) for player in event.players}

    def score(self, player: int, round: int | None = None) -> int:
        """Return the pairing score of a player before a round (the coming one unless told otherwise)."""
        if round is None or round > self.done:
            return self._scores[player]
        return self.event.past_scores[round - 1][player - 1]

    def score_without_virtual_points(self, player: int) -> int:
        """Return the pairing score before the coming round without acceleration."""
        return self.event.score_without_virtual_points(player)

    def worth(self, code: Code) -> int:
        """Return the points in tenths for a code."""
        return self.event.worth.get(code, 0)

    def entry(self, player: int, round: int) -> Entry:
        """Return what a player did in an earlier round, absent before round 1."""
        return self.event.history[round - 1][player - 1] if round >= 1 else Entry()

    def codes(self, player: int) -> set[Code]:
        """Return the codes of all earlier rounds of a player."""
        return {entry.code for entry in self.event.entries(player)}

    def colours(self, player: int) -> str:
        """Return the colours of the games that count, in order, as a word of W and B."""
        return self.event.played_colours(player)

    def may_meet(self, a: int, b: int) -> bool:
        """Tell whether two players have neither met nor are forbidden to meet in the coming round."""
        return not self.event.met(a, b)

    def ranked(self, players: Iterable[int]) -> list[int]:
        """Return players by rank: higher pairing score first, then the smaller number."""
        return sorted(players, key=lambda player: (-self.score(player), player))

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Running numbers of those who are, or have been, in the field of a round (`dutch` 2.1)."""
        known = [p for p in self.event.players if p in self.field or self.codes(p) & TAKEN_PART]
        return {player: number for number, player in enumerate(known, 1)}


# ---- TRF files of the `dutch` system


@dataclass
class Trf:
    """What the golden TRF files say, column by column.

    Attributes
    ----------
    ratings
        Of players 1..n.
    entries
        For players 1..n what they did in round 1, 2, ...
    worth
        Tenths of a point for W, D, L, Z, F, P.
    virtual
        Player to round to virtual points in tenths.
    forbidden
        (first round, last round, players) of each 260 line.
    """

    ratings: list[int] = field(default_factory=list)
    entries: list[list[Entry]] = field(default_factory=list)
    rounds: int = 0
    initial_colour: str = "W"
    worth: dict[str, int] = field(default_factory=dict)
    virtual: dict[int, dict[int, int]] = field(default_factory=dict)
    forbidden: list[tuple[int, int, list[int]]] = field(default_factory=list)

    @property
    def rounds_present(self) -> int:
        """Number of rounds that have a column."""
        return max(map(len, self.entries))


def tenths(text: str) -> int:
    """Return a number of points, such as `0.5`, in tenths."""
    return round(float(text) * 10)


def read_trf(path: Path) -> Trf:
    """Read a golden TRF file (001 in the order of the numbers, 142, 152, 162, 250, 260; nothing else is needed)."""
    trf = Trf()
    points: dict[str, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind = line[:3]
        if kind == "001":
            trf.ratings.append(int(line[48:52].strip() or 0))
            trf.entries.append([trf_entry(line[at : at + 8].ljust(8)) for at in range(91, len(line.rstrip()), 10)])
        elif kind == "142":
            trf.rounds = int(line[3:])
        elif kind == "152":
            trf.initial_colour = line[3:].strip()
        elif kind == "162":
            words = line[3:].split()
            points.update(zip(words[::2], map(tenths, words[1::2]), strict=True))
        elif kind == "250":
            for player in range(int(line[22:26]), int(line[27:31]) + 1):
                for number in range(int(line[14:17]), int(line[18:21]) + 1):
                    trf.virtual.setdefault(player, {})[number] = tenths(line[9:13])
        elif kind == "260":
            trf.forbidden.append((int(line[4:7]), int(line[8:11]), [int(word) for word in line[11:].split()]))
    trf.worth = {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0} | points
    trf.worth.setdefault("P", trf.worth["W"])
    return trf


GAME_LETTERS = {
    "1": Code.WIN, "W": Code.WIN, "=": Code.DRAW, "D": Code.DRAW, "0": Code.LOSS, "L": Code.LOSS,
    "+": Code.FORFEIT_WIN, "-": Code.FORFEIT_LOSS,
}  # fmt: skip
BYE_LETTERS = {
    "U": Code.PAIRING_BYE, "+": Code.PAIRING_BYE, "F": Code.FULL_BYE, "H": Code.HALF_BYE, "=": Code.HALF_BYE,
    "Z": Code.ZERO_BYE, "-": Code.ZERO_BYE, " ": Code.ABSENT,
}  # fmt: skip
SYMBOLS = "ZWDLWFPWDZD"
"""For each code the letter under which a 162 line gives its worth."""


def trf_entry(cell: str) -> Entry:
    """Turn the eight characters of one round of a 001 line into an entry."""
    opponent = int(cell[:4].strip() or 0)
    if not opponent:
        return Entry(BYE_LETTERS[cell[7]])
    return Entry(GAME_LETTERS[cell[7]], opponent, cell[5].upper())


def trf_event(trf: Trf, round: int, everybody: bool = False) -> Event:
    """Return the event before a round of a TRF.

    In the field are those whose entry in that round has an opponent or is a pairing-allocated bye; with `everybody`
    all players are (for the round after the last one present).
    """
    players = range(1, len(trf.entries) + 1)
    event = Event(trf.ratings, trf.rounds, Options(trf.initial_colour))
    event.worth = worth_of(trf.worth)
    for number in range(1, round + 1):
        event.virtual = [trf.virtual.get(player, {}).get(number, 0) for player in players]
        if number < round:
            event.past_scores.append([event.score(player) for player in players])
            event.history.append([row[number - 1] for row in trf.entries])
    if not everybody:
        coming = {player: trf.entries[player - 1][round - 1].code for player in players}
        event.absent = {player: code for player, code in coming.items() if code not in TAKEN_PART}
    event.forbidden = {
        frozenset((a, b))
        for first, last, group in trf.forbidden
        if first <= round <= last
        for a in group
        for b in group
        if a != b
    }
    return event


def worth_of(points: Mapping[str, int]) -> dict[Code, int]:
    """Return the worth of each code from the points of W, D, L, Z, F, P; a postponed game gives nothing yet."""
    return {code: points[symbol] for code, symbol in zip(Code, SYMBOLS, strict=True)} | {Code.POSTPONED: 0}


def trf_answer(trf: Trf, round: int) -> tuple[set[Board], int | None]:
    """Return the (White, Black) pairs and the bye that a TRF lists for a round."""
    entries = {player: row[round - 1] for player, row in enumerate(trf.entries, 1)}
    pairs = {(player, entry.opponent) for player, entry in entries.items() if entry.opponent and entry.colour == "W"}
    byes = [player for player, entry in entries.items() if entry.code == Code.PAIRING_BYE]
    return pairs, byes[0] if byes else None
