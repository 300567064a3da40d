"""Random small events under the Dutch systems, to set a compiled engine against the slow twins.

An event is played round by round with whatever function is given to pair it; every position that arises is a test case.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tests.reference.dutch_position import (
    FORFEITS,
    WORTH,
    Code,
    NoPairing,
    Pairing,
    Position,
    after_round,
    with_result,
)

FEATURES = (
    "late", "withdrawn", "byes", "forfeits", "forbidden", "postponed", "acceleration", "scoring", "pab_half", "short",
)  # fmt: skip
SCORINGS = ((10, 5, 0), (30, 10, 0), (30, 20, 10), (20, 10, 0))
Played = tuple[Position, Pairing | None]


def worth(win: int, draw: int, loss: int, pairing_bye: int) -> tuple[int, ...]:
    """Return the points for each code in a scoring; what is not played and not asked for is worth nothing."""
    table = list(WORTH)
    for code in (Code.WIN, Code.FORFEIT_WIN, Code.FULL_BYE):
        table[code] = win
    for code in (Code.DRAW, Code.HALF_BYE, Code.POSTPONED):
        table[code] = draw
    table[Code.LOSS] = loss
    table[Code.PAIRING_BYE] = pairing_bye
    return tuple(table)


@dataclass
class Event:
    """A random event: what is drawn before it starts, and its dice.

    Attributes
    ----------
    seed, players, features
        What it is drawn from; `features` are some of `FEATURES`.
    arrives, leaves
        Round in which a late player comes, and the first one without a withdrawn player.
    forbidden
        (first round, last round, pair).
    open_games
        (round, board) of postponed games without a result.
    """

    seed: int
    players: int
    features: frozenset[str]
    rounds: int = 0
    arrives: dict[int, int] = field(default_factory=dict)
    leaves: dict[int, int] = field(default_factory=dict)
    forbidden: list[tuple[int, int, frozenset[int]]] = field(default_factory=list)
    open_games: list[tuple[int, tuple[int, int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(f"event {self.seed} {self.players} {sorted(self.features)}")
        self.rounds = self.dice.randint(min(3, self.players), self.players) if "short" not in self.features else 3
        self.draws = self.dice.choice((0.0, 0.2, 0.5, 0.85))
        numbers = range(1, self.players + 1)
        if "late" in self.features:
            for player in self.dice.sample(numbers, self.dice.randint(1, max(1, self.players // 4))):
                self.arrives[player] = self.dice.randint(2, self.rounds + 2)
        if "withdrawn" in self.features:
            for player in self.dice.sample(numbers, self.dice.randint(1, max(1, self.players // 4))):
                self.leaves[player] = self.dice.randint(2, self.rounds + 1)
        if "forbidden" in self.features and self.players > 1:
            for _ in range(self.dice.randint(1, self.players)):
                first = self.dice.randint(1, self.rounds)
                pair = frozenset(self.dice.sample(numbers, 2))
                self.forbidden.append((first, self.dice.randint(first, self.rounds), pair))

    def start(self) -> Position:
        """Return the position before round 1, its field not yet set."""
        win, draw, loss = self.dice.choice(SCORINGS) if "scoring" in self.features else SCORINGS[0]
        return Position(
            histories=((),) * self.players,
            field=frozenset(),
            rounds=self.rounds + self.dice.choice((0, 0, 0, 1)),
            initial_colour=self.dice.choice("WB"),
            worth=worth(win, draw, loss, draw if "pab_half" in self.features else win),
            virtual=self.virtual(win, draw) if "acceleration" in self.features else (),
            forfeits_count_as_met=False,
        )

    def virtual(self, win: int, draw: int) -> tuple[tuple[int, ...], ...]:
        """Draw virtual points: Baku's, or falling steps in up to three groups of players."""
        half = -(-self.rounds // 2)
        if self.dice.random() < 0.5:
            top = (win,) * -(-half // 2) + (draw,) * (half // 2)
            size = 2 * -(-self.players // 4)
            return tuple(top if player <= size else () for player in range(1, self.players + 1))
        steps = sorted((self.dice.choice((0, draw, win)) for _ in range(3)), reverse=True)
        rounds = self.dice.randint(1, self.rounds)
        return tuple((steps[3 * number // self.players],) * rounds for number in range(self.players))

    def absences(self, position: Position) -> dict[int, Code]:
        """Draw who is away from the coming round, and why."""
        coming = position.done + 1
        away: dict[int, Code] = {}
        for player in range(1, self.players + 1):
            if coming < self.arrives.get(player, 0) or coming >= self.leaves.get(player, coming + 1):
                away[player] = Code.ABSENT
            elif "byes" in self.features and self.dice.random() < 0.12:
                away[player] = self.dice.choice((Code.HALF_BYE, Code.HALF_BYE, Code.ZERO_BYE, Code.FULL_BYE))
        return away

    def results(self, pairing: Pairing) -> list[str]:
        """Draw one result letter per board: `1 = 0`, forfeits `+ - x`, postponed `p`."""
        letters = []
        for white, black in pairing.boards:
            if "forfeits" in self.features and self.dice.random() < 0.12:
                letters.append(self.dice.choice("+-x"))
            elif "postponed" in self.features and self.dice.random() < 0.15:
                letters.append("p")
            elif self.dice.random() < self.draws:
                letters.append("=")
            else:
                stronger_wins = self.dice.random() < 0.7
                letters.append("1" if stronger_wins == (white < black) else "0")
        return letters

    def arrivals(self, position: Position) -> Position:
        """Draw which postponed games get their result now."""
        still_open = []
        for round, board in self.open_games:
            if self.dice.random() < 0.5:
                position = with_result(position, round, board, self.dice.choice("1=0+"))
            else:
                still_open.append((round, board))
        self.open_games = still_open
        return position

    def before_round(self, position: Position, away: Mapping[int, Code]) -> Position:
        """Return the position with the field and the forbidden pairs of the coming round."""
        coming = position.done + 1
        return replace(
            position,
            field=frozenset(range(1, self.players + 1)) - away.keys(),
            forbidden=frozenset(pair for first, last, pair in self.forbidden if first <= coming <= last),
        )


def random_event(seed: int, players: int | None = None, features: frozenset[str] | None = None) -> Event:
    """Return a random event of 3 to 12 players with up to four random features, unless these are given."""
    dice = random.Random(f"kind {seed}")
    drawn = frozenset(dice.sample(FEATURES, dice.randint(0, 4)))
    count = dice.randint(3, 12)
    return Event(seed, players or count, drawn if features is None else features)


def play(event: Event, pair: Callable[[Position], Pairing]) -> Iterator[Played]:
    """Play an event and yield the position before each round with the answer of `pair`.

    The answer is None where `pair` raises `NoPairing`; that ends the event.
    """
    position = event.start()
    for number in range(1, event.rounds + 1):
        position = event.arrivals(position)
        away = event.absences(position)
        position = event.before_round(position, away)
        try:
            pairing = pair(position)
        except NoPairing:
            yield position, None
            return
        yield position, pairing
        letters = event.results(pairing)
        event.open_games += [(number, b) for b, letter in zip(pairing.boards, letters, strict=True) if letter == "p"]
        position = after_round(position, pairing.boards, pairing.bye, letters, away)
