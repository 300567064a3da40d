"""The `regulated` room: golden tournaments, the slow twin, and the properties of its page."""

from __future__ import annotations

import pytest

import swisssim
from tests import compiled, golden
from tests.reference import regulated as twin
from tests.reference.event import Event, NoPairing, Pairing
from tests.reference.random_events import play


def room(event: Event) -> swisssim.PairingSystem:
    return swisssim.system(
        "regulated",
        colour_limits=event.options.colour_limits,
        forfeits_count_as_met=event.options.forfeits_count_as_met,
    )


def answer(event: Event) -> Pairing | None:
    """Pair with the compiled room; None if no pairing exists."""
    try:
        return compiled.pair(room(event), event)
    except NoPairing:
        return None


@pytest.mark.parametrize("tournament", golden.tournaments("regulated"), ids=lambda t: f"{len(t.ratings)}p-{t.rounds}r")
def test_golden(tournament: golden.GoldenTournament) -> None:
    for event, expected in golden.replay(tournament):
        assert answer(event) == expected.pairing, f"round {event.round}"


def play_and_compare(seed: int, *, most: int = 12) -> int:
    """Play one event paired by the twin; the compiled room has to give the same in every round."""
    rounds = 0
    for event, pairing in play(twin.pair, seed, most=most):
        assert answer(event) == pairing, f"seed {seed}, round {event.round}"
        rounds += 1
    return rounds


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_equals_the_twin(seed: int) -> None:
    assert sum(play_and_compare(s) for s in range(seed, seed + 20)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 5000, 500))
def test_equals_the_twin_on_thousands_of_events(seed: int) -> None:
    assert sum(play_and_compare(s) for s in range(seed, seed + 500)) > 500
