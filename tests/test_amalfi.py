"""`amalfi`: golden tournaments, the worked example, and the slow twin on random events."""

from collections.abc import Iterator

import pytest

import swisssim
from swisssim._core import PairingSystem
from swisssim._state import REASONS
from tests import compiled, golden
from tests.invariants import check_round
from tests.reference import amalfi as twin
from tests.reference import random_events
from tests.reference.event import Code, Event, NoPairing, Options, Pairing

BUDGETS = (0, 1, 20_000)


def room(event: Event) -> PairingSystem:
    """Return the room with the options of an event."""
    return swisssim.system("amalfi", forfeits_count_as_met=event.options.forfeits_count_as_met)


def answers(event: Event) -> Iterator[Pairing | None]:
    """Pair with the default budget, with every other one, and with the trace on."""
    state = compiled.state_of(event)
    yield compiled.answer(room(event), event, state=state)
    for budget in BUDGETS:
        state.node_budget = budget
        yield compiled.answer(room(event), event, state=state)
    state.tracing = True
    yield compiled.answer(room(event), event, state=state)


@pytest.mark.parametrize("tournament", golden.tournaments("amalfi"), ids=lambda tournament: tournament.name)
def test_golden_tournament(tournament: golden.GoldenTournament) -> None:
    for event, expected in golden.replay(tournament):
        for got in answers(event):
            assert got == expected.pairing, f"round {event.round}"


def compare_with_twin(seeds: range) -> int:
    """Compare room and twin on random events, and return the number of rounds."""
    rounds = 0
    for seed in seeds:
        for event, expected in random_events.play(twin.pair, seed):
            assert compiled.answer(room(event), event) == expected, f"seed {seed}, round {event.round}"
            rounds += 1
    return rounds


def test_equal_to_the_twin_on_random_events() -> None:
    assert compare_with_twin(range(400)) > 1500


@pytest.mark.slow
def test_equal_to_the_twin_on_thousands_of_random_events() -> None:
    assert compare_with_twin(range(400, 3400)) > 11_000


@pytest.mark.parametrize("seed", range(25))
def test_larger_events_keep_the_invariants_with_every_budget(seed: int) -> None:
    def pair(event: Event) -> Pairing:
        got = list(answers(event))
        assert got == got[:1] * len(got), f"round {event.round}"
        if got[0] is None:
            raise NoPairing
        return got[0]

    for event, pairing in random_events.play(pair, seed, fewest=20, most=90):
        if pairing is not None:
            check_round(event, *pairing, system="amalfi")


def test_worked_example_of_the_first_round() -> None:
    """14 players and 5 rounds: the increment is 5, and the end of the list meets from the outside in."""
    event = Event([2400 - i for i in range(14)], 5)
    boards, bye = compiled.pair(room(event), event)
    assert bye is None
    assert boards[:5] == [(1, 6), (7, 2), (3, 8), (9, 4), (5, 10)]
    assert [set(board) for board in boards[5:]] == [{11, 14}, {12, 13}]


def test_initial_colour_decides_board_1() -> None:
    event = Event([2400 - i for i in range(8)], 3, Options(initial_colour="B"))
    boards, _ = compiled.pair(room(event), event)
    assert boards == [(4, 1), (2, 5), (6, 3), (7, 8)]


def test_half_point_bye_does_not_bar_from_the_bye() -> None:
    event = Event([2400, 2300, 2200], 3)
    event.absent = {3: Code.HALF_BYE}
    event.record(([(1, 2)], None), "1")
    assert compiled.pair(room(event), event) == ([(3, 1)], 2)


def test_field_of_one_and_of_none() -> None:
    event = Event([2400, 2300, 2200], 3)
    event.absent = dict.fromkeys((1, 2), Code.ZERO_BYE)
    assert compiled.pair(room(event), event) == ([], 3)
    event.record(([], 3), "")
    event.absent = dict.fromkeys((1, 2), Code.ZERO_BYE)
    assert compiled.answer(room(event), event) is None
    event.absent = dict.fromkeys((1, 2, 3), Code.ZERO_BYE)
    assert compiled.pair(room(event), event) == ([], None)


def test_two_triangles_of_unmet_players_cannot_be_paired() -> None:
    event = Event([2400 - i for i in range(6)], 5)
    for boards in ([(1, 4), (2, 5), (3, 6)], [(5, 1), (6, 2), (4, 3)], [(1, 6), (2, 4), (3, 5)]):
        event.record((boards, None), "===")
    assert compiled.answer(room(event), event) is None


def test_trace_tells_every_refusal_and_the_rule_of_every_colour() -> None:
    event = Event([2400 - 10 * i for i in range(12)], 5)
    for text, results in (
        ("1-6 7-2 3-8 9-4 5-10 12-11", "101010"),
        ("5-1 2-11 6-3 4-7 8-12 10-9", "011110"),
        ("1-3 2-5 6-4 7-8 11-9 12-10", "110000"),
        ("4-1 8-2 9-5 3-10 11-6 12-7", "001100"),
    ):
        boards = [(int(w), int(b)) for w, b in (board.split("-") for board in text.split())]
        event.record((boards, None), results)
    state = compiled.state_of(event)
    state.tracing = True
    system = room(event)
    boards, _ = compiled.pair(system, event, state=state)
    events = [(article, i + 1, j + 1, REASONS[reason]) for article, i, j, reason in state.events()]
    assert [(i, j) for article, i, j, why in events if article == 4 and why == "chosen"] == [
        (1, 2), (4, 3), (9, 6), (8, 10), (5, 12), (7, 11)
    ]  # fmt: skip
    assert (4, 7, 10, REASONS[3]) not in events
    assert (4, 8, 5, REASONS[3]) in events
    assert [(i, j) for article, i, j, _ in events if article > 10] == boards
    assert {article for article, *_ in events} <= set(system.ARTICLES)
