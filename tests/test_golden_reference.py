"""The slow twins against the golden tournaments and the worked examples of the rule pages."""

from collections.abc import Sequence

import pytest

from tests import golden
from tests.reference import amalfi, nordic, regulated
from tests.reference.event import Board, Code, Event, NoPairing, Options, PairFunction, Pairing

TWINS: dict[str, PairFunction] = {"nordic": nordic.pair, "amalfi": amalfi.pair, "regulated": regulated.pair}

TOURNAMENTS = [tournament for system in TWINS for tournament in golden.tournaments(system)]


def answer(pair: PairFunction, event: Event) -> Pairing | None:
    """Pair, with None for "no pairing exists"."""
    try:
        return pair(event)
    except NoPairing:
        return None


def boards(text: str) -> list[Board]:
    """Read boards written as on the rule pages: "5-1 6-2"."""
    return [(int(white), int(black)) for white, black in (board.split("-") for board in text.split())]


def smaller_number_wins(pairs: Sequence[Board]) -> str:
    """Return the result letters of a round in which the smaller number always wins."""
    return "".join("1" if white < black else "0" for white, black in pairs)


def event_of(players: int, rounds: int, **options: str | bool) -> Event:
    """Return an event without ties in rating, before its first round."""
    return Event([2400 - 10 * i for i in range(players)], rounds, Options(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("tournament", TOURNAMENTS, ids=lambda tournament: tournament.name)
def test_twin_reproduces_golden_tournament(tournament: golden.GoldenTournament) -> None:
    pair = TWINS[tournament.system]
    rounds = 0
    for event, expected in golden.replay(tournament):
        assert answer(pair, event) == expected.pairing, f"round {event.round}"
        rounds += 1
    assert rounds == len(tournament.round)


@pytest.mark.parametrize("system", golden.SYSTEMS)
def test_every_golden_history_is_what_the_event_model_computes(system: str) -> None:
    tournaments = golden.tournaments(system)
    assert len(tournaments) == 60
    for tournament in tournaments:
        assert sum(1 for _ in golden.replay(tournament)) == len(tournament.round)


NORDIC_EIGHT = """5-1 6-2 7-3 8-4 | 1-3 2-4 5-7 6-8 | 2-1 3-5 4-6 8-7 | 1-4 3-2 5-8 7-6 | 6-1 2-5 8-3 4-7 |
1-7 2-8 3-4 5-6 | 8-1 7-2 6-3 4-5"""
NORDIC_SEVEN = """5-1 6-2 7-3 4-X | 1-3 2-4 5-7 6-X | 2-1 3-5 4-6 7-X | 1-4 3-2 5-X 6-7 | 1-6 2-5 3-X 7-4 |
1-7 2-X 4-3 5-6 | 1-X 7-2 6-3 4-5"""


@pytest.mark.parametrize(("players", "text"), [(8, NORDIC_EIGHT), (7, NORDIC_SEVEN)])
def test_nordic_worked_example(players: int, text: str) -> None:
    event = event_of(players, 7)
    for round_text in text.split("|"):
        given = [board for board in round_text.split() if "X" not in board]
        byes = [int(board.removesuffix("-X")) for board in round_text.split() if "X" in board]
        pairs, bye = nordic.pair(event)
        assert pairs == boards(" ".join(given)), f"round {event.round}"
        assert bye == (byes[0] if byes else None)
        event.record((pairs, bye), smaller_number_wins(pairs))


@pytest.mark.parametrize(
    ("ratings", "scores"), [((1800, 1600), (10, 10)), ((1801, 1600), (10, 5)), ((1500, 1200), (10, 5))]
)
def test_nordic_postponed_game_in_the_pairing_score(ratings: tuple[int, int], scores: tuple[int, int]) -> None:
    event = Event(ratings, 3)
    event.record(nordic.pair(event), "p")
    assert tuple(nordic.pairing_score(event, p) for p in (1, 2)) == scores
    assert [event.points(p) for p in (1, 2)] == [0, 0]
    assert event.met(1, 2)
    assert event.colours(2) == "W"


AMALFI_TWELVE = [
    ("1-6 7-2 3-8 9-4 5-10 12-11", "101010"),
    ("5-1 2-11 6-3 4-7 8-12 10-9", "011110"),
    ("1-3 2-5 6-4 7-8 11-9 12-10", "110000"),
    ("4-1 8-2 9-5 3-10 11-6 12-7", "001100"),
    ("1-2 3-4 6-9 10-8 5-12 7-11", ""),
]


def test_amalfi_worked_example_of_twelve_players() -> None:
    event = event_of(12, 5, initial_colour="W")
    for text, results in AMALFI_TWELVE:
        assert amalfi.pair(event) == (boards(text), None), f"round {event.round}"
        if results:
            event.record((boards(text), None), results)


def test_amalfi_end_of_the_list_in_the_first_round_of_fourteen() -> None:
    pairs, bye = amalfi.pair(event_of(14, 5))
    assert bye is None
    assert {frozenset(pair) for pair in pairs[-2:]} == {frozenset({11, 14}), frozenset({12, 13})}


REGULATED_TWELVE = [
    # three rounds that lead to the state of the worked example: scores, colours and opponents met
    ("1-4 3-2 5-6 10-7 8-9 12-11", "=01010"),
    ("7-1 2-8 6-3 4-10 11-5 9-12", "101=01"),
    ("1-11 10-2 3-9 8-4 5-7 12-6", "1=1010"),
]


def regulated_event_before_round_four() -> Event:
    """The worked example of the page: 12 players, 7 rounds, three of them played."""
    event = event_of(12, 7)
    for text, results in REGULATED_TWELVE:
        event.record((boards(text), None), results)
    return event


def test_regulated_worked_example() -> None:
    event = regulated_event_before_round_four()
    assert [event.score(p) for p in event.players] == [15, 15, 10, 20, 30, 20, 20, 20, 10, 10, 10, 0]
    assert [event.colours(p) for p in (1, 2, 3, 4, 5, 12)] == ["WBW", "BWB", "WBW", "BWB", "WBW", "WBW"]
    assert regulated.pair(event) == (boards("4-5 6-8 2-7 3-1 11-9 10-12"), None)


def test_regulated_floaters_of_the_worked_example() -> None:
    event = regulated_event_before_round_four()
    state = regulated.Round(event, event.field)
    state.pair()
    assert [group.floaters for group in state.above] == [[], [5]]
    assert [group.floaters for group in state.below] == [[], [12]]
    assert (state.median.from_above, state.median.from_below) == ([7], [3])


@pytest.mark.parametrize("system", TWINS)
def test_small_fields(system: str) -> None:
    pair = TWINS[system]
    event = event_of(3, 3)
    event.absent = dict.fromkeys((1, 2, 3), Code.ZERO_BYE)
    assert pair(event) == ([], None)
    event.absent = dict.fromkeys((1, 2), Code.ZERO_BYE)
    assert pair(event) == ([], 3)
    event.record(([], 3), "")
    event.absent = dict.fromkeys((1, 2), Code.ZERO_BYE)
    assert answer(pair, event) is None


@pytest.mark.parametrize("system", TWINS)
def test_two_triangles_of_unmet_players_cannot_be_paired(system: str) -> None:
    event = event_of(6, 5, forfeits_count_as_met=True)
    for round_boards in ([(1, 4), (2, 5), (3, 6)], [(5, 1), (6, 2), (4, 3)], [(1, 6), (2, 4), (3, 5)]):
        event.record((round_boards, None), "===")
    assert answer(TWINS[system], event) is None
