"""Random small events, seeded: anything an event can bring, driven round by round by any pairing function.

Nothing here knows a pairing system, so the same events can drive a twin, a compiled room or both side by side.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.reference.event import Code, Event, NoPairing, Options, PairFunction, Pairing


@dataclass(frozen=True)
class Rates:
    """Probabilities per player and round (byes, withdrawals), per player (late) or per board (the others)."""

    draw: float = 0.35
    forfeit: float = 0.0
    half_bye: float = 0.0
    full_bye: float = 0.0
    zero_bye: float = 0.0
    withdraw: float = 0.0
    late: float = 0.0
    postpone: float = 0.0
    arrive: float = 0.5
    """Per postponed game and round."""


SPREADS = (0, 3, 40, 400, 1200)
"""Rating range of a field: from all equal to one where unfinished games are worth less to the weaker."""


def random_rates(rng: random.Random) -> Rates:
    """Draw rates: each irregularity is absent in two thirds of the events, so that plain events occur too."""

    def rate(most: float) -> float:
        return rng.uniform(0, most) if rng.random() < 1 / 3 else 0.0

    return Rates(
        draw=rng.choice((0.0, 0.2, 0.35, 0.6, 1.0)),
        forfeit=rate(0.3),
        half_bye=rate(0.2),
        full_bye=rate(0.1),
        zero_bye=rate(0.2),
        withdraw=rate(0.1),
        late=rate(0.3),
        postpone=rate(0.4),
        arrive=rng.choice((0.0, 0.3, 0.7, 1.0)),
    )


def random_event(rng: random.Random, *, fewest: int = 4, most: int = 12) -> Event:
    """Draw an event before its first round: field with ties in rating, number of rounds, options."""
    players = rng.randint(fewest, most)
    longest = players - 1 if players % 2 == 0 else players
    rounds = longest if rng.random() < 0.3 else rng.randint(min(3, longest), longest)
    spread = rng.choice(SPREADS)
    ratings = sorted((2400 - rng.randint(0, spread) for _ in range(players)), reverse=True)
    options = Options(
        initial_colour=rng.choice("WB"),
        forfeits_count_as_met=rng.random() < 0.2,
        colour_limits=rng.random() < 0.8,
    )
    return Event(ratings, rounds, options)


class Participation:
    """Who is there in which round."""

    def __init__(self, rng: random.Random, rates: Rates, event: Event) -> None:
        self.rng = rng
        self.rates = rates
        self.gone: set[int] = set()
        self.arrives = {p: rng.randint(2, 3) if rng.random() < rates.late else 1 for p in event.players}

    def absences(self, event: Event) -> dict[int, Code]:
        """Draw the absences of the round to be paired."""
        absent: dict[int, Code] = {}
        for player in event.players:
            if event.round < self.arrives[player] or player in self.gone:
                absent[player] = Code.ABSENT
            elif event.round > 1 and self.rng.random() < self.rates.withdraw:
                self.gone.add(player)
                absent[player] = Code.ABSENT
            else:
                self._requested_bye(player, absent)
        return absent

    def _requested_bye(self, player: int, absent: dict[int, Code]) -> None:
        for code, rate in (
            (Code.HALF_BYE, self.rates.half_bye),
            (Code.FULL_BYE, self.rates.full_bye),
            (Code.ZERO_BYE, self.rates.zero_bye),
        ):
            if self.rng.random() < rate:
                absent[player] = code
                return


def random_result(rng: random.Random, rates: Rates) -> str:
    """Draw the result letter of a board."""
    if rng.random() < rates.forfeit:
        return rng.choice("+-x")
    if rng.random() < rates.postpone:
        return "p"
    return "=" if rng.random() < rates.draw else rng.choice("10")


def late_results(rng: random.Random, rates: Rates, event: Event) -> None:
    """Let the results of some postponed games arrive; a few turn out to be forfeits."""
    for round_number, white in event.postponed_games():
        if rng.random() < rates.arrive:
            event.arrive(round_number, white, rng.choice("+-x") if rng.random() < 0.1 else rng.choice("1=0"))


def play(
    pair: PairFunction, seed: int, *, fewest: int = 4, most: int = 12, rates: Rates | None = None
) -> Iterator[tuple[Event, Pairing | None]]:
    """Play one random event, paired by `pair`.

    Parameters
    ----------
    pair
        Pairs an event, or raises `NoPairing`.
    seed
        Seed of everything that is drawn: field, options, absences, results. Equal pairings see equal events.
    fewest, most
        Bounds of the number of players.
    rates
        Rates of irregularities; drawn as well if None.

    Yields
    ------
    tuple
        The event before each round, its absences set, and the pairing that `pair` made of it: None if there is none,
        which ends the event. It is one event object that goes on: use it before asking for the next round.
    """
    rng = random.Random(seed)
    event = random_event(rng, fewest=fewest, most=most)
    rates = rates or random_rates(rng)
    participation = Participation(rng, rates, event)
    while event.round <= event.rounds:
        late_results(rng, rates, event)
        event.absent = participation.absences(event)
        try:
            pairing = pair(event)
        except NoPairing:
            yield event, None
            return
        yield event, pairing
        event.record(pairing, [random_result(rng, rates) for _ in pairing[0]])
