"""The search: equal answers with every budget, equal to brute force, and never exponential."""

import random
import time

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from swisssim._search_tables import assignment_by_table, bye_by_table, can_pair_by_table, pairing_by_table
from swisssim._state import CancelFlag, State
from tests.reference.matching import Fits, perfect

PAIRED, NO_PAIRING, CANCELLED = 0, 1, 2
CHOSEN, COLOUR, REST = 0, 2, 3
BUDGETS = (0, 1, 7, 10**7)

Table = NDArray[np.uint8]
Order = NDArray[np.int32]


def block(
    *, players: int = 300, budget: int | None = None, tracing: bool = False, flag: CancelFlag | None = None
) -> State:
    """Return a block of one tournament without history, to search with."""
    shape = (1, 1, players)
    opponent, board, score = (np.zeros(shape, np.int16) for _ in range(3))
    colour, result, arrived = (np.zeros(shape, np.int8) for _ in range(3))
    rating, initial_colour = np.zeros((1, players)), np.ones(1, np.int8)
    state = State(opponent, colour, result, board, score, arrived, rating, initial_colour, flag=flag)
    if budget is not None:
        state.node_budget = budget
    state.tracing = tracing
    return state


def random_table(rng: random.Random, m: int, density: float) -> Table:
    """Draw a symmetric table of allowed pairs."""
    table = np.zeros((m, m), np.uint8)
    for i in range(m):
        for j in range(i):
            table[i, j] = table[j, i] = rng.random() < density
    return table


def random_order(rng: random.Random, m: int) -> Order:
    """Draw an order of trial for every position."""
    return np.array([rng.sample(range(m), m) for _ in range(m)], np.int32).reshape(m, m)


def ascending(m: int) -> Order:
    """Return the order of trial that takes candidates by number."""
    return np.tile(np.arange(m, dtype=np.int32), (m, 1))


def brute_force(allowed: Table, order: Order) -> list[tuple[int, int]] | None:
    """Return the first complete pairing: the first open position takes its first candidate that can be completed."""

    def search(left: list[int]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        for candidate in order[left[0]].tolist():
            if candidate in left[1:] and allowed[left[0], candidate]:
                rest = search([p for p in left[1:] if p != candidate])
                if rest is not None:
                    return [(left[0], candidate), *rest]
        return None

    return search(list(range(len(allowed))))


def fits_in(table: Table) -> Fits:
    """Return the question whether two positions may be paired."""
    return lambda a, b: bool(table[a, b])


def expected_status(pairing: object) -> int:
    return NO_PAIRING if pairing is None else PAIRED


@pytest.mark.parametrize("m", [0, 1, 2, 3, 4, 5, 6, 8, 10, 12])
def test_every_budget_equals_brute_force(m: int) -> None:
    rng = random.Random(m)
    for _ in range(120):
        allowed, order = random_table(rng, m, rng.choice((0.2, 0.4, 0.6, 0.9))), random_order(rng, m)
        pairs = brute_force(allowed, order)
        for budget in BUDGETS:
            assert pairing_by_table(block(budget=budget), allowed, order) == (expected_status(pairs), pairs or [])
        traced = block(tracing=True)
        assert pairing_by_table(traced, allowed, order) == (expected_status(pairs), pairs or [])
        assert can_pair_by_table(block(), allowed) == expected_status(pairs)


@pytest.mark.parametrize("m", [6, 10])
def test_trace_holds_every_refusal_and_all_are_final(m: int) -> None:
    rng = random.Random(m)
    refused = 0
    for _ in range(100):
        allowed, order = random_table(rng, m, 0.5), random_order(rng, m)
        state = block(tracing=True)
        status, pairs = pairing_by_table(state, allowed, order)
        if status == NO_PAIRING:
            continue
        told = []
        left = set(range(m))
        for leader, partner in pairs:
            for candidate in order[leader].tolist():
                if candidate == partner:
                    break
                if candidate in left - {leader}:
                    told.append((0, leader, candidate, REST if allowed[leader, candidate] else COLOUR))
                    rest = left - {leader, candidate}
                    assert not allowed[leader, candidate] or not perfect(rest, fits_in(allowed))
            told.append((0, leader, partner, CHOSEN))
            left -= {leader, partner}
        assert state.events() == told
        refused += sum(reason == REST for *_, reason in told)
    assert refused > 20


@pytest.mark.parametrize("m", [62, 64, 66, 130, 258, 400])
def test_large_fields_with_a_choice_that_fails_at_the_end(m: int) -> None:
    """The last position may only be paired with number 1, whom position 0 would take first."""
    allowed = np.ones((m, m), np.uint8)
    allowed[m - 1] = allowed[:, m - 1] = 0
    allowed[1, m - 1] = allowed[m - 1, 1] = 1
    expected = [(0, 2), (1, m - 1), *((i, i + 1) for i in range(3, m - 2, 2))]
    for state in (block(players=m), block(players=m, budget=0), block(players=m, tracing=True)):
        assert pairing_by_table(state, allowed, ascending(m)) == (PAIRED, expected)
        if state.tracing:
            assert state.events()[:2] == [(0, 0, 1, REST), (0, 0, 2, CHOSEN)]
            assert sum(reason == CHOSEN for *_, reason in state.events()) == m // 2


@pytest.mark.parametrize("m", [100, 180, 300])
def test_large_random_fields_are_paired_equally_by_both_searches(m: int) -> None:
    rng = random.Random(m)
    for density in (0.1, 0.3, 0.9):
        allowed, order = random_table(rng, m, density), random_order(rng, m)
        answers = [pairing_by_table(block(budget=budget), allowed, order) for budget in (0, 50, 20_000)]
        answers.append(pairing_by_table(block(tracing=True), allowed, order))
        assert answers[0][0] == PAIRED
        assert sorted(p for pair in answers[0][1] for p in pair) == list(range(m))
        assert all(allowed[i, j] for i, j in answers[0][1])
        assert answers == answers[:1] * 4


@pytest.mark.parametrize("m", [3, 5, 7, 9, 11])
def test_first_bye_equals_brute_force(m: int) -> None:
    rng = random.Random(m)
    found = set()
    for _ in range(150):
        allowed = random_table(rng, m, rng.choice((0.2, 0.4, 0.7)))
        candidates = rng.sample(range(m), rng.randint(1, m))
        fits = [perfect(set(range(m)) - {player}, fits_in(allowed)) for player in candidates]
        place = fits.index(True) if True in fits else -1
        found.add(place)
        for budget in BUDGETS:
            state = block(budget=budget, tracing=True)
            answer = bye_by_table(state, allowed, np.array(candidates, np.int32))
            assert answer == (PAIRED if place >= 0 else NO_PAIRING, place)
            refused = candidates if place < 0 else candidates[:place]
            assert state.events() == [(0, p, -1, REST) for p in refused] + [
                (0, candidates[k], -1, CHOSEN) for k in [place] if k >= 0
            ]
    assert {-1, 0, 1} <= found


def rows_of(table: Table) -> NDArray[np.uint64]:
    """Return the rows of a table as bitsets of (m + 63) // 64 words."""
    m = len(table)
    padded = np.zeros((m, (m + 63) // 64 * 64), np.uint8)
    padded[:, :m] = table
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def complete(table: Table) -> bool:
    """Tell whether every row can be given a column of its own with a 1."""
    rows, columns = linear_sum_assignment(table, maximize=True)
    return bool(table[rows, columns].all())


def first_assignment(table: Table) -> list[int] | None:
    """Return the first complete assignment: each row takes the first column that leaves the others assignable."""
    if not complete(table):
        return None
    answer: list[int] = []
    for u in range(len(table)):
        for v in np.flatnonzero(table[u]).tolist():
            columns = [c for c in range(len(table)) if c not in answer and c != v]
            if v not in answer and complete(table[u + 1 :, columns]):
                answer.append(v)
                break
    return answer


@pytest.mark.parametrize(("m", "events"), [(0, 1), (1, 4), (2, 40), (5, 100), (9, 60), (20, 10), (64, 2), (70, 1)])
def test_assignment_equals_the_literal_search(m: int, events: int) -> None:
    rng = np.random.default_rng(m)
    for _ in range(events):
        table = (rng.random((m, m)) < rng.choice([4 / (m + 4), 0.5, 0.8])).astype(np.uint8)
        expected = first_assignment(table)
        for budget in (0, 1, 5, 3000):
            got = assignment_by_table(block(budget=budget), rows_of(table))
            assert got == (expected_status(expected), expected or [])


def two_odd_cliques(m: int, *, bridge: bool) -> Table:
    """Return a field in which search without matching tests is lost: two odd groups whose members have met across."""
    half = m // 2 - (m // 2 + 1) % 2
    table = np.zeros((m, m), np.uint8)
    table[:half, :half] = table[half:, half:] = 1
    np.fill_diagonal(table, 0)
    if bridge:
        table[half - 2, m - 1] = table[m - 1, half - 2] = 1
    return table


@pytest.mark.parametrize("m", [10, 40, 120, 300])
def test_cases_that_would_be_exponential_end_at_once(m: int) -> None:
    start = time.process_time()
    assert pairing_by_table(block(), two_odd_cliques(m, bridge=False), ascending(m))[0] == NO_PAIRING
    assert can_pair_by_table(block(), two_odd_cliques(m, bridge=False)) == NO_PAIRING
    status, pairs = pairing_by_table(block(), two_odd_cliques(m, bridge=True), ascending(m))
    assert status == PAIRED
    assert (m // 2 - (m // 2 + 1) % 2 - 2, m - 1) in pairs
    table = np.ones((m, m), np.uint8)
    table[m // 2 :, m // 2 - 1 :] = 0
    assert assignment_by_table(block(), rows_of(table))[0] == NO_PAIRING
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("n", range(6, 41, 2))
def test_as_many_rounds_as_there_are_opponents(n: int) -> None:
    """n players, up to n - 1 rounds in two orders of trial: each round is fast and the same with every budget."""
    rng = random.Random(n)
    for order in (ascending(n), random_order(rng, n)):
        allowed = np.ones((n, n), np.uint8)
        np.fill_diagonal(allowed, 0)
        for _ in range(n - 1):
            start = time.process_time()
            answer = pairing_by_table(block(), allowed, order)
            assert time.process_time() - start < 0.2
            assert all(pairing_by_table(block(budget=b), allowed, order) == answer for b in (0, 1, 5_000))
            if answer[0] == NO_PAIRING:
                break
            for i, j in answer[1]:
                allowed[i, j] = allowed[j, i] = 0


@pytest.mark.parametrize("budget", [0, 10**12])
def test_a_raised_flag_stops_the_search(budget: int) -> None:
    flag = CancelFlag()
    flag.cancel()
    table = two_odd_cliques(40, bridge=False)
    assert pairing_by_table(block(budget=budget, flag=flag), table, ascending(40))[0] == CANCELLED
    assert can_pair_by_table(block(budget=budget, flag=flag), table) == CANCELLED
    rows = np.ones((40, 40), np.uint8)
    rows[20:, 19:] = 0
    assert assignment_by_table(block(budget=budget, flag=flag), rows_of(rows))[0] == CANCELLED
