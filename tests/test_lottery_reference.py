"""The exact law of `lottery`, and how far drawing partners one by one is from uniform over all legal pairings."""

import random
from fractions import Fraction

import pytest

from tests.reference import lottery
from tests.reference.event import Code, Event
from tests.reference.lottery import Pairs

FARTHEST_OF_EIGHT = Fraction(2, 15)
"""Largest distance found for eight players, over 500 random histories of every length; it occurs after four rounds."""


def event_after(players: int, rounds: list[Pairs]) -> Event:
    """Return an event in which these pairs have met, every game drawn."""
    event = Event([2000.0] * players, players)
    for pairs in rounds:
        boards = sorted((min(pair), max(pair)) for pair in pairs)
        event.record((boards, None), "=" * len(boards))
    return event


def random_history(rng: random.Random, players: int, rounds: int) -> Event | None:
    """Return an event after rounds drawn uniformly; None if the history ran into a dead end."""
    played: list[Pairs] = []
    for _ in range(rounds + 1):
        event = event_after(players, played)
        outcomes = list(lottery.uniform_law(event))
        if not outcomes:
            return None
        played.append(rng.choice(outcomes)[0])
    return event


def distance(event: Event) -> Fraction:
    """Return the total variation distance of the law from uniform, after checking that both are laws."""
    law, uniform = lottery.law(event), lottery.uniform_law(event)
    assert sum(law.values()) == sum(uniform.values()) == 1
    assert set(law) == set(uniform), "every legal outcome can be drawn, and no other"
    return lottery.total_variation(law, uniform)


@pytest.mark.parametrize(("players", "pairings"), [(2, 1), (4, 3), (6, 15), (8, 105)])
def test_first_round_is_uniform(players: int, pairings: int) -> None:
    event = event_after(players, [])
    assert len(lottery.law(event)) == pairings
    assert distance(event) == 0


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [(0, Fraction(0)), (1, Fraction(0)), (2, Fraction(1, 12)), (3, Fraction(0)), (4, Fraction(0))],
)
def test_distance_from_uniform_of_six_players(rounds: int, expected: Fraction) -> None:
    rng = random.Random(6)
    events = [random_history(rng, 6, rounds) for _ in range(12)]
    assert {distance(event) for event in events if event is not None} == {expected}


def test_distance_from_uniform_of_eight_players() -> None:
    rng = random.Random(8)
    assert {distance(event) for _ in range(3) if (event := random_history(rng, 8, 1))} == {Fraction(1, 45)}
    distances = [
        distance(event) for rounds in (2, 3, 4, 5) for _ in range(6) if (event := random_history(rng, 8, rounds))
    ]
    assert max(distances) <= FARTHEST_OF_EIGHT
    assert max(distances) > Fraction(1, 20)


def test_law_of_six_players_after_two_rounds_by_hand() -> None:
    # Two rounds leave a triangular prism; its pairings are the three rungs, or one rung and two sides.
    prism = {(1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6), (1, 4), (2, 5), (3, 6)}
    law = lottery.sequential_law(range(1, 7), lambda a, b: (min(a, b), max(a, b)) in prism)
    rungs = frozenset(frozenset(pair) for pair in ((1, 4), (2, 5), (3, 6)))
    # The first player draws his rung with 1/3; the four left are a ring with two pairings, drawn evenly.
    assert law[rungs] == Fraction(1, 3) * Fraction(1, 2)
    assert set(law.values()) == {Fraction(1, 6), Fraction(5, 18)}


def test_bye_is_drawn_among_those_who_may_have_it_and_leave_the_rest_pairable() -> None:
    event = Event([2000.0] * 5, 5)
    event.record(([(1, 2), (3, 4)], 5), "==")
    assert lottery.possible_byes(event) == [1, 2, 3, 4]
    law = lottery.law(event)
    for bye in (1, 2, 3, 4):
        assert sum(p for (_, drawn), p in law.items() if drawn == bye) == Fraction(1, 4)
    event.absent = {1: Code.ZERO_BYE, 2: Code.ZERO_BYE}
    assert lottery.possible_byes(event) == [3, 4], "5 has had the bye"


def test_no_law_where_nothing_can_be_paired() -> None:
    event = Event([2000.0] * 2, 2)
    event.record(([(1, 2)], None), "=")
    assert lottery.law(event) == {}
    assert lottery.uniform_law(event) == {}
