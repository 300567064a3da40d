"""The `regulated` room: golden tournaments, the slow twin, and the properties of its page."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import pytest

import swisssim
from swisssim._core import legal_pairs
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


# Numbers in the trace of the room.
GROUP, FLOAT, BLOCKED, CHOSEN = 2, 3, 5, 103


def groups(events: list[tuple[int, int, int, int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield who stood in each group that was paired, and who was chosen to float on; not a median found blocked."""
    members: list[int] = []
    floats: list[int] = []
    seen_other = blocked = False
    for article, player, _, reason in events:
        if article == GROUP:
            if seen_other:
                if not blocked:
                    yield members, floats
                members, floats, seen_other, blocked = [], [], False, False
            members.append(player)
        else:
            seen_other = True
            blocked |= article == BLOCKED
            if article == FLOAT and reason == CHOSEN:
                floats.append(player)
    yield members, floats


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_as_few_float_as_can_be(seed: int) -> None:
    """From every group exactly those float on whom no matching of compatible pairs can cover."""
    floated = 0
    for s in range(seed, seed + 50):
        for event, pairing in play(answer_or_raise, s, most=20):
            if pairing is None:
                continue
            state = compiled.state_of(event)
            state.tracing = True
            compiled.pair(room(event), event, state=state)
            field, allowed, _ = legal_pairs(state, room(event))
            place = {player: k for k, player in enumerate(field)}
            for members, floats in groups(state.events()):
                graph = nx.Graph()
                graph.add_nodes_from(members)
                graph.add_edges_from((i, j) for i in members for j in members if i < j and allowed[place[i], place[j]])
                uncovered = len(members) - 2 * len(nx.max_weight_matching(graph, maxcardinality=True))
                assert len(floats) == uncovered, f"seed {s}, round {event.round}: {members} float {floats}"
                floated += len(floats)
    assert floated > 50


def answer_or_raise(event: Event) -> Pairing:
    return compiled.pair(room(event), event)


def test_without_colour_limits_only_meetings_count() -> None:
    """Draughts micro-matches: three Whites in a row are no obstacle, though due colours still decide who gets what."""
    free = swisssim.Tournament(
        [2000, 1900, 1800, 1700], 3, system=swisssim.system("regulated", colour_limits=False), initial_colour="white"
    )
    bound = swisssim.Tournament([2000, 1900, 1800, 1700, 1600, 1500], 5, system="regulated")
    for t, rounds in ((free, [{(1, 2): 1.0, (3, 4): 1.0}, {(1, 4): 1.0, (3, 2): 1.0}]),):
        for results in rounds:
            t.add_round(results)
        assert t.pair().boards, "1-3, both due Black"
    for results in ({(1, 2): 0.5, (3, 4): 0.5, (5, 6): 0.5}, {(1, 4): 0.5, (3, 6): 0.5, (5, 2): 0.5}):
        bound.add_round(results)
    met = {frozenset(b) for b in bound.pair().boards}
    assert frozenset((1, 3)) not in met, "both have had White twice"
    assert frozenset((1, 5)) not in met


@pytest.mark.parametrize("players", range(4, 26))
def test_the_median_can_always_be_unblocked(players: int) -> None:
    """Full-length events: rounds fail only where the whole field has no pairing (see the conformance suite), never in between."""
    results = swisssim.simulate(
        "regulated",
        swisssim.Field.uniform(players=players, low=1400, high=2200),
        rounds=players - 1,
        tournaments=20,
        progress=False,
    )
    assert results.rounds_paired.min() >= players // 2
