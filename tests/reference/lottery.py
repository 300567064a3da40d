"""`lottery`, the null model: its exact law for small fields, by enumeration.

Players in random order; each draws a partner uniformly among those with whom the rest can still be paired. The bye of
an odd field is drawn first, uniformly among those who may have it and without whom the others can be paired. Colours
are drawn and no part of the law.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from fractions import Fraction

from tests.reference.event import Event
from tests.reference.matching import Fits, perfect

Pairs = frozenset[frozenset[int]]
Outcome = tuple[Pairs, int | None]
"""Who meets whom, and the bye."""

Law = dict[Outcome, Fraction]


def legal_pairings(players: Collection[int], fits: Fits) -> list[Pairs]:
    """Return all ways to pair everybody up."""
    if not players:
        return [frozenset()]
    first, *others = sorted(players)
    return [
        pairs | {frozenset({first, other})}
        for other in others
        if fits(first, other)
        for pairs in legal_pairings([p for p in others if p != other], fits)
    ]


def sequential_law(players: Collection[int], fits: Fits) -> dict[Pairs, Fraction]:
    """Return the probability of every pairing when the players draw partners in random order.

    Whoever is next in a random order is, given all that was drawn before, any of the unpaired with equal probability.
    """
    remembered: dict[frozenset[int], dict[Pairs, Fraction]] = {frozenset(): {frozenset(): Fraction(1)}}

    def law(left: frozenset[int]) -> dict[Pairs, Fraction]:
        if left not in remembered:
            total: dict[Pairs, Fraction] = defaultdict(Fraction)
            for drawer in left:
                partners = [p for p in left if p != drawer and fits(drawer, p) and perfect(left - {drawer, p}, fits)]
                for partner in partners:
                    pair = frozenset({drawer, partner})
                    for pairs, probability in law(left - pair).items():
                        total[pairs | {pair}] += probability / len(left) / len(partners)
            remembered[left] = dict(total)
        return remembered[left]

    everybody = frozenset(players)
    return law(everybody) if perfect(everybody, fits) else {}


def possible_byes(event: Event) -> list[int | None]:
    """Return who can get the bye: [None] for an even field; empty if nobody can."""
    if len(event.field) % 2 == 0:
        return [None]
    return [
        player
        for player in event.field
        if not event.had_point_without_play(player)
        and perfect([p for p in event.field if p != player], lambda a, b: not event.met(a, b))
    ]


def law(event: Event) -> Law:
    """Return the exact law of the next round; empty if no pairing exists."""
    byes = possible_byes(event)
    total: Law = {}
    for bye in byes:
        players = [p for p in event.field if p != bye]
        for pairs, probability in sequential_law(players, lambda a, b: not event.met(a, b)).items():
            total[pairs, bye] = probability / len(byes)
    return total


def uniform_law(event: Event) -> Law:
    """Return the law that gives every legal outcome the same probability."""
    outcomes = [
        (pairs, bye)
        for bye in possible_byes(event)
        for pairs in legal_pairings([p for p in event.field if p != bye], lambda a, b: not event.met(a, b))
    ]
    return {outcome: Fraction(1, len(outcomes)) for outcome in outcomes}


def total_variation(one: Mapping[Outcome, Fraction], other: Mapping[Outcome, Fraction]) -> Fraction:
    """Return the total variation distance of two laws: half the sum of absolute differences."""
    return sum((abs(one.get(o, Fraction(0)) - other.get(o, Fraction(0))) for o in {*one, *other}), Fraction(0)) / 2
