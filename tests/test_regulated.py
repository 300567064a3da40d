"""The `regulated` room: golden tournaments, the slow twin, and the properties of its page."""

from __future__ import annotations

import random

import pytest

import swisssim
from tests import compiled, golden
from tests.invariants import check_round
from tests.reference import regulated as twin
from tests.reference.event import Event, NoPairing
from tests.reference.random_events import play, random_event, random_rates


def room(event: Event) -> swisssim.PairingSystem:
    return swisssim.system(
        "regulated",
        colour_limits=event.options.colour_limits,
        forfeits_count_as_met=event.options.forfeits_count_as_met,
    )


@pytest.mark.parametrize("tournament", golden.tournaments("regulated"), ids=lambda t: f"{len(t.ratings)}p-{t.rounds}r")
def test_golden(tournament: golden.GoldenTournament) -> None:
    for event, expected in golden.replay(tournament):
        found = compiled.pair(room(event), event)
        if expected.pairs is None:
            assert found is None, f"round {event.round}"
        else:
            assert found == (list(expected.pairs), expected.bye), f"round {event.round}"


def play_and_compare(seed: int, *, most: int = 12) -> int:
    """Play one event paired by the twin; the compiled room has to give the same in every round."""
    rounds = 0
    for event, pairing in play(twin.pair, seed, most=most):
        assert compiled.pair(room(event), event) == pairing, f"seed {seed}, round {event.round}"
        rounds += 1
    return rounds


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_equals_the_twin(seed: int) -> None:
    assert sum(play_and_compare(s) for s in range(seed, seed + 20)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 5000, 500))
def test_equals_the_twin_on_thousands_of_events(seed: int) -> None:
    assert sum(play_and_compare(s) for s in range(seed, seed + 500)) > 500
