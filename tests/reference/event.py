"""The neutral event model of the slow twins: what every player did in every round, and what follows from it.

Players are pairing numbers 1..n, scores are tenths of a point, colours are the letters W and B. Nothing here is
compiled, nothing here knows a pairing system.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

Board = tuple[int, int]
Pairing = tuple[list[Board], int | None]
PairFunction = Callable[["Event"], Pairing]

NO_COLOUR = "-"
OTHER = {"W": "B", "B": "W"}


class NoPairing(Exception):
    """The rules allow no complete pairing of the round."""


class Code(IntEnum):
    """Result codes, each from the player's own view; the numbers are those of the compact arrays."""

    ABSENT = 0
    WIN = 1
    DRAW = 2
    LOSS = 3
    FORFEIT_WIN = 4
    FORFEIT_LOSS = 5
    PAIRING_BYE = 6
    FULL_BYE = 7
    HALF_BYE = 8
    ZERO_BYE = 9
    POSTPONED = 10


GAMES = frozenset({Code.WIN, Code.DRAW, Code.LOSS, Code.POSTPONED})
"""Codes of games that count for meetings and colours: played, or still to be played."""

FORFEITS = frozenset({Code.FORFEIT_WIN, Code.FORFEIT_LOSS})

POINT_WITHOUT_PLAY = frozenset({Code.FORFEIT_WIN, Code.PAIRING_BYE, Code.FULL_BYE})
"""Codes that keep a player from the pairing-allocated bye (common terms, "pairing-allocated bye")."""

WORTH: Mapping[Code, int] = {
    Code.WIN: 10,
    Code.FORFEIT_WIN: 10,
    Code.PAIRING_BYE: 10,
    Code.FULL_BYE: 10,
    Code.DRAW: 5,
    Code.HALF_BYE: 5,
}
"""Tenths of a point for each code; a code that is not listed is worth nothing."""

BOARD_RESULTS: Mapping[str, tuple[Code, Code]] = {
    "1": (Code.WIN, Code.LOSS),
    "=": (Code.DRAW, Code.DRAW),
    "0": (Code.LOSS, Code.WIN),
    "+": (Code.FORFEIT_WIN, Code.FORFEIT_LOSS),
    "-": (Code.FORFEIT_LOSS, Code.FORFEIT_WIN),
    "x": (Code.FORFEIT_LOSS, Code.FORFEIT_LOSS),
    "p": (Code.POSTPONED, Code.POSTPONED),
}
"""One letter per board to the codes of White and Black."""


@dataclass
class Entry:
    """What one player did in one round, as far as it is known now."""

    code: Code = Code.ABSENT
    opponent: int | None = None
    colour: str = NO_COLOUR
    arrived: int = 0
    """The round after which the result of a postponed game became known; 0 for any other game."""
    board: int | None = None
    """Board number, from 1."""

    @property
    def played_colour(self) -> str:
        """The colour that counts: none if the game was forfeited."""
        return self.colour if self.code in GAMES else NO_COLOUR


@dataclass(frozen=True)
class Options:
    """Options of the systems; each system reads the ones that its page names."""

    initial_colour: str = "W"
    forfeits_count_as_met: bool = False
    colour_limits: bool = True


@dataclass
class Event:
    """A tournament before the pairing of a round.

    Attributes
    ----------
    ratings
        Rating of players 1..n, in that order.
    rounds
        Number of rounds announced.
    options
        Options of the pairing system.
    history
        One list per finished round with the entries of players 1..n.
    absent
        Player to the code of his absence, for the round to be paired.
    forbidden
        Pairs that must not meet in the round to be paired.
    virtual
        Virtual points of players 1..n in tenths, for the round to be paired (acceleration).
    worth
        Tenths of a point for each code.
    past_scores
        One list per finished round with the pairing scores (tenths) of players 1..n before that round.
    """

    ratings: Sequence[float]
    rounds: int
    options: Options = Options()
    history: list[list[Entry]] = field(default_factory=list)
    absent: dict[int, Code] = field(default_factory=dict)
    forbidden: set[frozenset[int]] = field(default_factory=set)
    virtual: Sequence[int] | None = None
    worth: Mapping[Code, int] = field(default_factory=lambda: WORTH)
    past_scores: list[list[int]] = field(default_factory=list)

    @property
    def players(self) -> range:
        """All pairing numbers, 1..n."""
        return range(1, len(self.ratings) + 1)

    @property
    def round(self) -> int:
        """Number of the round to be paired, from 1."""
        return len(self.history) + 1

    @property
    def last_round(self) -> bool:
        """Whether the round to be paired is the last one."""
        return self.round >= self.rounds

    @property
    def field(self) -> list[int]:
        """Players who are to be paired in this round, by number."""
        return [player for player in self.players if player not in self.absent]

    def entries(self, player: int) -> list[Entry]:
        """Return what the player did, one entry per finished round."""
        return [entries[player - 1] for entries in self.history]

    def points(self, player: int) -> int:
        """Return the standings so far in tenths: a postponed game counts nothing."""
        return sum(self.worth.get(entry.code, 0) for entry in self.entries(player))

    def score(self, player: int) -> int:
        """Return the pairing score in tenths: a postponed game is a draw until its result arrives."""
        return self.score_without_virtual_points(player) + (self.virtual[player - 1] if self.virtual else 0)

    def score_without_virtual_points(self, player: int) -> int:
        """Return the pairing score as it is without acceleration."""
        postponed = sum(entry.code == Code.POSTPONED for entry in self.entries(player))
        return self.points(player) + self.worth[Code.DRAW] * postponed

    def colours(self, player: int) -> str:
        """Return the colour history, one letter per finished round: W, B or - (none)."""
        return "".join(entry.played_colour for entry in self.entries(player))

    def played_colours(self, player: int) -> str:
        """Return the colours of the games that count, without the rounds that gave none."""
        return self.colours(player).replace(NO_COLOUR, "")

    def had_point_without_play(self, player: int) -> bool:
        """Tell whether he had a bye or another full point without playing, so that he may not get the bye."""
        return any(entry.code in POINT_WITHOUT_PLAY for entry in self.entries(player))

    def met(self, a: int, b: int) -> bool:
        """Tell whether a and b met or are due to (forfeits too with `forfeits_count_as_met`), or are forbidden."""
        counting = GAMES | FORFEITS if self.options.forfeits_count_as_met else GAMES
        return frozenset({a, b}) in self.forbidden or any(
            entry.opponent == b and entry.code in counting for entry in self.entries(a)
        )

    def record(self, pairing: Pairing, results: Iterable[str]) -> None:
        """Append a round: absences as announced, the bye, and one result letter per board; absences start anew."""
        self.past_scores.append([self.score(player) for player in self.players])
        boards, bye = pairing
        entries = [Entry(self.absent.get(player, Code.ABSENT)) for player in self.players]
        if bye is not None:
            entries[bye - 1] = Entry(Code.PAIRING_BYE)
        for board, ((white, black), letter) in enumerate(zip(boards, results, strict=True), start=1):
            codes = BOARD_RESULTS[letter]
            entries[white - 1] = Entry(codes[0], black, "W", board=board)
            entries[black - 1] = Entry(codes[1], white, "B", board=board)
        self.history.append(entries)
        self.absent = {}

    def arrive(self, round_number: int, white: int, letter: str) -> None:
        """Replace a postponed game of an earlier round, named by its white player, by its result."""
        entries = self.history[round_number - 1]
        mine = entries[white - 1]
        if mine.code != Code.POSTPONED or mine.opponent is None or mine.colour != "W":
            raise ValueError(f"round {round_number}: player {white} has no postponed game with White")
        yours = entries[mine.opponent - 1]
        mine.code, yours.code = BOARD_RESULTS[letter]
        mine.arrived = yours.arrived = len(self.history)

    def postponed_games(self) -> list[tuple[int, int]]:
        """Return the games without a result: round and white player."""
        return [
            (number, player)
            for number, entries in enumerate(self.history, start=1)
            for player, entry in enumerate(entries, start=1)
            if entry.code == Code.POSTPONED and entry.colour == "W"
        ]


def may_take(event: Event, player: int, colour: str) -> bool:
    """Absolute colour rule: no third identical colour in a row among played games, |whites - blacks| at most 2."""
    after = event.played_colours(player) + colour
    return after[-3:] != 3 * colour and abs(after.count("W") - after.count("B")) <= 2


def legal_colours(event: Event, white: int, black: int) -> bool:
    """Tell whether this assignment of colours obeys the absolute colour rule for both players."""
    return may_take(event, white, "W") and may_take(event, black, "B")


def colour_legal(event: Event, a: int, b: int) -> bool:
    """Tell whether at least one of the two assignments obeys the absolute colour rule for both players."""
    return legal_colours(event, a, b) or legal_colours(event, b, a)
