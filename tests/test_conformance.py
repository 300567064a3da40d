"""What every pairing system owes: the same tests for each, found in the registry."""

from __future__ import annotations

import contextlib
import itertools
import random

import networkx as nx
import numpy as np
import pytest

import swisssim
from swisssim._core import legal_pairs, pair_one
from tests import compiled
from tests.invariants import check_round
from tests.reference.event import Code, Event, NoPairing
from tests.reference.random_events import play

SYSTEMS = sorted(swisssim.SYSTEMS)


def made(name: str, event: Event | None = None) -> swisssim.PairingSystem:
    """Return the system with the options of the event that it knows."""
    options = {}
    if event is not None:
        options["forfeits_count_as_met"] = event.options.forfeits_count_as_met
        if "colour_limits" in swisssim.SYSTEMS[name].OPTIONS:
            options["colour_limits"] = event.options.colour_limits
    return swisssim.system(name, **options)


def pair(name: str):
    """Return the pairing function of the event model for a compiled room."""
    return lambda event: compiled.pair(made(name, event), event)


def answer(name: str, event: Event, **state_settings: object):
    """Pair once more with other settings of the state; None if no pairing exists."""
    state = compiled.state_of(event)
    for setting, value in state_settings.items():
        setattr(state, setting, value)
    try:
        return compiled.pair(made(name, event), event, state=state), state
    except NoPairing:
        return None, state


@pytest.mark.parametrize("name", SYSTEMS)
def test_says_what_it_is(name: str) -> None:
    kind = swisssim.SYSTEMS[name]
    assert 20 < len(kind.summary) < 140
    assert kind.source
    assert kind.ARTICLES
    assert swisssim.system(name).name == name


@pytest.mark.parametrize("name", SYSTEMS)
def test_unknown_option_is_named(name: str) -> None:
    with pytest.raises(swisssim.SwissError, match="forfeits_count_as_met"):
        swisssim.system(name, forfeits_count_as_mett=True)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", SYSTEMS)
def test_random_events_keep_the_invariants(name: str, seed: int) -> None:
    for event, pairing in play(pair(name), seed, fewest=2, most=16):
        if pairing is not None:
            check_round(event, *pairing, system=name)


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_pairing_only_where_none_is_legal(name: str) -> None:
    """A round fails exactly when the graph of legal pairs, with a vertex for the bye, has no perfect matching."""
    outcomes = {True: 0, False: 0}
    for seed in range(150):
        for event, pairing in play(pair(name), seed, fewest=2, most=9):
            outcomes[pairing is not None] += 1
            assert (pairing is not None) == can_be_paired(name, event), f"seed {seed}, round {event.round}"
    assert outcomes[True] > 200
    assert outcomes[False] > 10


def can_be_paired(name: str, event: Event) -> bool:
    state, system = compiled.state_of(event), made(name, event)
    with contextlib.suppress(swisssim.NoPairingError):
        pair_one(state, system, event.round)
    field, allowed, bye = legal_pairs(state, system)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(field)))
    graph.add_edges_from(zip(*np.nonzero(allowed), strict=True))
    if len(field) % 2:
        graph.add_node(-1)
        graph.add_edges_from((-1, int(k)) for k in np.flatnonzero(bye))
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return 2 * len(matching) == graph.number_of_nodes()


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_budget_of_the_search_gives_the_same(name: str) -> None:
    for seed in range(30):
        for event, pairing in play(pair(name), seed, fewest=2, most=14):
            for budget in (0, 1, 10**9 if event.round < 6 else 10**4):
                assert answer(name, event, node_budget=budget)[0] == pairing, f"seed {seed}"


@pytest.mark.parametrize("name", SYSTEMS)
def test_tracing_changes_nothing(name: str) -> None:
    for seed in range(30):
        for event, pairing in play(pair(name), seed, fewest=2, most=14):
            found, state = answer(name, event, tracing=True)
            assert found == pairing
            articles = {article for article, *_ in state.events()}
            assert articles <= set(swisssim.SYSTEMS[name].ARTICLES)


@pytest.mark.parametrize("name", SYSTEMS)
def test_one_player_gets_the_bye_and_an_empty_field_is_no_error(name: str) -> None:
    event = Event([2000, 1900, 1800], 3)
    event.absent = dict.fromkeys((2, 3), Code.ZERO_BYE)
    assert answer(name, event)[0] == ([], 1)
    event.record(([], 1), [])
    event.absent = dict.fromkeys((2, 3), Code.ZERO_BYE)
    assert answer(name, event)[0] is None
    event.absent = dict.fromkeys((1, 2, 3), Code.ZERO_BYE)
    assert answer(name, event)[0] == ([], None)


def can_be_paired_now(event: swisssim.Tournament) -> bool:
    try:
        event.pair()
    except swisssim.NoPairingError:
        return False
    return True


@pytest.mark.parametrize("players", range(2, 25))
@pytest.mark.parametrize("name", SYSTEMS)
def test_full_length_events_end_cleanly(name: str, players: int) -> None:
    """n - 1 rounds (n for odd n): every round is legal or refused, and nobody meets twice."""
    rounds = players if players % 2 else players - 1
    event = swisssim.Tournament(list(range(2000, 2000 - players, -1)), rounds, system=made(name))
    rng = random.Random(players)
    met = set()
    for _ in range(rounds):
        if not can_be_paired_now(event):
            with pytest.raises(swisssim.NoPairingError, match=f"^round {event.round}: "):
                event.pair()
            break
        pairing = event.pair()
        for board in pairing.boards:
            key = frozenset(board)
            assert key not in met
            met.add(key)
        event.record({board: rng.choice([0.0, 0.5, 1.0]) for board in pairing.boards})
    assert len(met) >= min(3, rounds) * (players // 2) - players // 2


@pytest.mark.parametrize("name", SYSTEMS)
def test_two_triangles_are_refused_with_the_reason(name: str) -> None:
    """Six players of whom 1-3 have met 4-6: what is left are two triangles."""
    event = swisssim.Tournament([2000, 1900, 1800, 1700, 1600, 1500], 5, system=name)
    for shift in range(3):
        boards = {}
        for k in range(3):
            high, low = k + 1, (k + shift) % 3 + 4
            boards[(high, low) if (k + shift) % 2 else (low, high)] = 0.5
        event.add_round(boards)
    before = event.standings()
    with pytest.raises(swisssim.NoPairingError, match=r"round 4: .*(odd|nobody)"):
        event.pair()
    assert event.standings().equals(before)
    assert event.round == 4


@pytest.mark.parametrize("name", SYSTEMS)
def test_pairing_again_gives_the_same_and_absence_changes_it(name: str) -> None:
    event = swisssim.Tournament([2000 - 10 * k for k in range(8)], 4, system=name)
    first = event.pair()
    assert event.pair() is first
    without = event.pair(absent={1: "half", 2: "zero"})
    assert {p for board in without.boards for p in board} == {3, 4, 5, 6, 7, 8}
    assert event.pair() == first


@pytest.mark.parametrize("name", SYSTEMS)
def test_forbidden_pairs_are_kept_apart(name: str) -> None:
    players = range(1, 9)
    forbidden = [pair for pair in itertools.combinations(players, 2) if sum(pair) % 2]
    event = swisssim.Tournament([2000 - 10 * k for k in range(8)], 3, system=name, forbidden=forbidden)
    for _ in range(2):
        pairing = event.pair()
        assert all((white + black) % 2 == 0 for white, black in pairing.boards)
        event.record(dict.fromkeys(pairing.boards, 1.0))
