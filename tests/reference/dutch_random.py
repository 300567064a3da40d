"""Random small events with what the Dutch systems know beyond the others: acceleration, forbidden pairs, scorings.

They set a compiled engine against the slow twins: an event is played round by round with whatever function is given to
pair it, and every position that arises is a test case.
"""

import random
from collections.abc import Iterator
from itertools import combinations

from tests.reference.dutch_position import worth_of
from tests.reference.event import Code, Event, Options, PairFunction, Pairing
from tests.reference.random_events import play as play_common

SCORINGS = (
    {"W": 30, "D": 10, "L": 0}, {"W": 30, "D": 20, "L": 10}, {"W": 20, "D": 10, "L": 0}, {"W": 10, "D": 5, "L": 0},
)  # fmt: skip


class Extras:
    """What is drawn for one event on top of the common irregularities, each in a third of the events."""

    def __init__(self, rng: random.Random, event: Event) -> None:
        self.forbidden: list[tuple[int, int, frozenset[int]]] = []
        self.virtual: list[list[int]] = []
        event.worth = dict(event.worth)
        if rng.random() < 1 / 3:
            event.worth = self._draw_scoring(rng)
        if rng.random() < 1 / 3:
            event.rounds += rng.randint(1, 2)  # so that some events end without a pairing
        if rng.random() < 1 / 3:
            self.virtual = self._draw_acceleration(rng, event)
        if rng.random() < 1 / 3:
            self._draw_forbidden(rng, event)

    @staticmethod
    def _draw_scoring(rng: random.Random) -> dict[Code, int]:
        scoring = rng.choice(SCORINGS)
        return worth_of(scoring | {"Z": 0, "F": 0, "P": scoring[rng.choice("WWDL")]})

    @staticmethod
    def _draw_acceleration(rng: random.Random, event: Event) -> list[list[int]]:
        """Return virtual points, [round][player]: Baku's, or falling steps in up to three groups of players."""
        count = len(event.ratings)
        if rng.random() < 0.5:
            accelerated = -(-event.rounds // 2)
            whole, group = -(-accelerated // 2), 2 * -(-count // 4)
            return [[10 if r < whole else 5] * group + [0] * (count - group) for r in range(accelerated)]
        steps = sorted(rng.choices((0, 5, 10), k=3), reverse=True)
        return [[steps[3 * player // count] for player in range(count)]] * rng.randint(1, event.rounds)

    def _draw_forbidden(self, rng: random.Random, event: Event) -> None:
        for _ in range(rng.randint(1, len(event.ratings))):
            first = rng.randint(1, event.rounds)
            pair = frozenset(rng.sample(event.players, 2))
            self.forbidden.append((first, rng.randint(first, event.rounds), pair))

    def prepare(self, event: Event) -> None:
        """Set the virtual points and the forbidden pairs of the round to be paired."""
        event.virtual = self.virtual[event.round - 1] if event.round <= len(self.virtual) else None
        event.forbidden = {pair for first, last, pair in self.forbidden if first <= event.round <= last}


def play(pair: PairFunction, seed: int, *, fewest: int = 3, most: int = 12) -> Iterator[tuple[Event, Pairing | None]]:
    """Play one random event, paired by `pair`, as `random_events.play` does, with the extras of the Dutch systems.

    Parameters
    ----------
    pair
        Pairs an event, or raises `NoPairing`.
    seed
        Seed of everything that is drawn. Equal pairings see equal events.
    fewest, most
        Bounds of the number of players.

    Yields
    ------
    tuple
        The event before each round, and the pairing that `pair` made of it: None if there is none, which ends the
        event. It is one event object that goes on: use it before asking for the next round.
    """
    rng = random.Random(f"extras {seed}")
    extras: list[Extras] = []

    def prepared(event: Event) -> Pairing:
        if not extras:
            extras.append(Extras(rng, event))
        extras[0].prepare(event)
        return pair(event)

    return play_common(prepared, seed, fewest=fewest, most=most)


RESULTS = "111000===+-xp"
ABSENCES = (Code.ABSENT, Code.ZERO_BYE, Code.HALF_BYE, Code.FULL_BYE)


def artificial_event(seed: int, *, fewest: int = 3, most: int = 12) -> Event:
    """Return an event in a state that no pairing rule led to, to reach the corners of the rules more often.

    Up to five rounds were paired at random; virtual points pile the players up on a few scores, and each pair is
    forbidden with some probability.
    """
    rng = random.Random(f"artificial {seed}")
    count, done = rng.randint(fewest, most), rng.randint(0, 5)
    options = Options(rng.choice("WB"), forfeits_count_as_met=rng.random() < 0.2)
    event = Event([2400 - player for player in range(count)], done + rng.choice((1, 1, 2, 3)), options)
    absence = rng.choice((0.0, 0.0, 0.1, 0.3))
    for _ in range(done):
        event.absent = {player: rng.choice(ABSENCES) for player in event.players if rng.random() < absence}
        there = rng.sample(event.field, len(event.field))
        boards = list(zip(there[::2], there[1::2], strict=False))
        event.record((boards, there[-1] if len(there) % 2 else None), rng.choices(RESULTS, k=len(boards)))
    event.absent = {player: rng.choice(ABSENCES) for player in event.players if rng.random() < absence}
    levels = range(0, 5 * rng.randint(1, 6), 5)
    event.virtual = [rng.choice(levels) for _ in event.players]
    density = rng.choice((0.0, 0.2, 0.4, 0.6))
    event.forbidden = {frozenset(pair) for pair in combinations(event.players, 2) if rng.random() < density}
    return event
