"""`nordic`: golden tournaments, worked examples, and the slow twin on random events and random groups."""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import swisssim
from swisssim._core import PairingSystem, pair_one
from swisssim._state import REASONS, CancelFlag, State
from tests import compiled, golden
from tests.adapters import arrays_from_event
from tests.invariants import check_round
from tests.reference import nordic as twin
from tests.reference import random_events
from tests.reference.event import Board, Code, Entry, Event, NoPairing, Options, Pairing

BUDGETS = (0, 1, 100_000)

GROUPS, SINGLE, HALVES, ONE_UP, TWO_UP, MERGING, LAST_RESORT, COLOURS = 22, 25, 26, 27, 28, 29, 30, 31
"""Numbers of the articles in the trace."""


def room(event: Event) -> PairingSystem:
    """Return the room with the options of an event."""
    return swisssim.system("nordic", forfeits_count_as_met=event.options.forfeits_count_as_met)


def answers(event: Event) -> Iterator[Pairing | None]:
    """Pair with every budget of the optimistic search, and with the trace on."""
    for budget in BUDGETS:
        state = compiled.state_of(event)
        state.node_budget = budget
        yield compiled.answer(room(event), event, state=state)
    yield explained(event)[0]


def explained(event: Event) -> tuple[Pairing | None, list[tuple[int, int, int, str]]]:
    """Return the pairing and its trace: article, player, candidate (numbers from 1, 0 for none), reason in words."""
    system = room(event)
    words = {**REASONS, **type(system).REASONS}
    state = compiled.state_of(event)
    state.tracing = True
    pairing = compiled.answer(system, event, state=state)
    return pairing, [(article, i + 1, j + 1, words[reason]) for article, i, j, reason in state.events()]


def event_of(players: int, rounds: int, **options: bool) -> Event:
    """Return an event before its first round, ratings 2400, 2390, ..."""
    return Event([2400 - 10 * i for i in range(players)], rounds, Options(**options))  # type: ignore[arg-type]


def boards(text: str) -> list[Board]:
    """Read boards written as on the rule page: "5-1 6-2"."""
    return [(int(white), int(black)) for white, black in (board.split("-") for board in text.split())]


def sit_out(event: Event, codes: Sequence[Code]) -> None:
    """Append a round without games."""
    event.past_scores.append([event.score(player) for player in event.players])
    event.history.append([Entry(code) for code in codes])


# ------------------------------------------------------------------------------------------------ golden and worked examples


@pytest.mark.parametrize("tournament", golden.tournaments("nordic"), ids=lambda tournament: tournament.name)
def test_golden_tournament(tournament: golden.GoldenTournament) -> None:
    for event, expected in golden.replay(tournament):
        for got in answers(event):
            assert got == expected.pairing, f"round {event.round}"


EIGHT = """5-1 6-2 7-3 8-4 | 1-3 2-4 5-7 6-8 | 2-1 3-5 4-6 8-7 | 1-4 3-2 5-8 7-6 | 6-1 2-5 8-3 4-7 |
1-7 2-8 3-4 5-6 | 8-1 7-2 6-3 4-5"""
SEVEN = """5-1 6-2 7-3 4-X | 1-3 2-4 5-7 6-X | 2-1 3-5 4-6 7-X | 1-4 3-2 5-X 6-7 | 1-6 2-5 3-X 7-4 |
1-7 2-X 4-3 5-6 | 1-X 7-2 6-3 4-5"""


@pytest.mark.parametrize(("players", "text"), [(8, EIGHT), (7, SEVEN)])
def test_worked_example_where_the_smaller_number_always_wins(players: int, text: str) -> None:
    event = event_of(players, 7)
    for round_text in text.split("|"):
        given = [board for board in round_text.split() if "X" not in board]
        byes = [int(board.removesuffix("-X")) for board in round_text.split() if "X" in board]
        pairs, bye = compiled.pair(room(event), event)
        # The page lists each round by number.
        assert sorted(pairs) == sorted(boards(" ".join(given))), f"round {event.round}"
        assert bye == (byes[0] if byes else None)
        event.record((pairs, bye), "".join("1" if white < black else "0" for white, black in pairs))


# ------------------------------------------------------------------------------------------------ against the slow twin


def compare_with_twin(seeds: range) -> int:
    """Compare room and twin on random events, and return the number of rounds."""
    rounds = 0
    for seed in seeds:
        for event, expected in random_events.play(twin.pair, seed):
            for got in answers(event):
                assert got == expected, f"seed {seed}, round {event.round}"
            rounds += 1
    return rounds


def test_equal_to_the_twin_on_random_events() -> None:
    assert compare_with_twin(range(400)) > 1500


@pytest.mark.slow
def test_equal_to_the_twin_on_thousands_of_random_events() -> None:
    assert compare_with_twin(range(400, 5000)) > 18_000


def groups(rng: random.Random) -> Event:
    """Return an event whose scores and meetings are drawn freely: byes give the scores, the meetings are forbidden pairs."""
    players = rng.randint(3, 11)
    event = event_of(players, 20)
    most = rng.choice((1, 2, 4))
    for _ in range(rng.randint(0, most)):
        codes = (Code.FULL_BYE, Code.ZERO_BYE, Code.PAIRING_BYE if rng.random() < 0.3 else Code.ZERO_BYE)
        sit_out(event, rng.choices(codes, k=players))
    share = rng.choice((0.2, 0.4, 0.6, 0.8))
    event.forbidden = {
        frozenset({a, b}) for a in event.players for b in range(1, a) if rng.random() < share
    }  # fmt: skip
    return event


def compare_groups_with_twin(seeds: range) -> set[int]:
    """Compare room and twin on random groups, and return the articles that the traces name."""
    articles: set[int] = set()
    for seed in seeds:
        event = groups(random.Random(seed))
        try:
            expected: Pairing | None = twin.pair(event)
        except NoPairing:
            expected = None
        for got in answers(event):
            assert got == expected, f"seed {seed}"
        articles |= {article for article, *_ in explained(event)[1]}
    return articles


def test_equal_to_the_twin_on_random_groups() -> None:
    articles = compare_groups_with_twin(range(1500))
    assert articles == {GROUPS, SINGLE, HALVES, ONE_UP, TWO_UP, MERGING, LAST_RESORT, COLOURS}


@pytest.mark.slow
def test_equal_to_the_twin_on_thousands_of_random_groups() -> None:
    compare_groups_with_twin(range(1500, 15_000))


# ------------------------------------------------------------------------------------------------ larger fields


@pytest.mark.parametrize("players", range(4, 41))
def test_as_many_rounds_as_can_be_played(players: int) -> None:
    """Until no pairing exists any more, every round keeps the invariants and does not depend on the way of searching."""
    rng = random.Random(players)
    event = event_of(players, players - 1 + players % 2)
    while event.round <= event.rounds:
        got = list(answers(event))
        assert got == got[:1] * len(got), f"round {event.round}"
        if got[0] is None:
            break
        check_round(event, *got[0], system="nordic")
        event.record(got[0], rng.choices("1=0", weights=(4, 1, 3), k=len(got[0][0])))
    assert event.round > 3 * event.rounds // 4


@pytest.mark.parametrize("seed", range(20))
def test_larger_random_events(seed: int) -> None:
    def pair(event: Event) -> Pairing:
        got = list(answers(event))
        assert got == got[:1] * len(got), f"round {event.round}"
        if got[0] is None:
            raise NoPairing
        return got[0]

    for event, pairing in random_events.play(pair, seed, fewest=20, most=90):
        if pairing is not None:
            check_round(event, *pairing, system="nordic")


# ------------------------------------------------------------------------------------------------ articles, by hand


def scored(points: Sequence[int], forbidden: str = "") -> Event:
    """Return an event of players who got their points by full-point byes, and met as listed ("1-2 ...")."""
    event = event_of(len(points), 10)
    for past in range(max(points)):
        sit_out(event, [Code.FULL_BYE if past < p else Code.ZERO_BYE for p in points])
    event.forbidden = {frozenset(board) for board in boards(forbidden)}
    return event


def pairs(event: Event) -> list[set[int]]:
    """Return the pairs in board order, without colours."""
    return [set(board) for board in compiled.pair(room(event), event)[0]]


def test_2_6_f_exchanges_the_weakest_upper_player_with_the_first_lower_one_who_helps() -> None:
    assert pairs(scored([0] * 4, "1-3 1-4")) == [{1, 2}, {3, 4}]
    # 1 can only meet 6, and 3 of the upper half has met 4 and 5: he is exchanged with 4.
    assert pairs(scored([0] * 6, "1-2 1-3 1-4 1-5 3-4 3-5")) == [{1, 6}, {2, 3}, {4, 5}]


def test_2_8_moves_up_the_first_two_who_help() -> None:
    assert pairs(scored([1, 1, 0, 0, 0, 0], "1-2")) == [{1, 3}, {2, 4}, {5, 6}]
    assert pairs(scored([1, 1, 0, 0, 0, 0], "1-2 1-3 2-3")) == [{1, 4}, {2, 5}, {3, 6}]


def test_2_5_a_single_player_goes_down_as_far_as_he_must() -> None:
    assert pairs(scored([2, 1, 1, 0], "1-2 1-3")) == [{1, 4}, {2, 3}]


def test_field_of_one_and_of_none() -> None:
    event = event_of(3, 3)
    event.absent = dict.fromkeys((1, 2), Code.ZERO_BYE)
    assert compiled.pair(room(event), event) == ([], 3)
    event.record(([], 3), "")
    event.absent = dict.fromkeys((1, 2), Code.ZERO_BYE)
    assert compiled.answer(room(event), event) is None
    event.absent = dict.fromkeys((1, 2, 3), Code.ZERO_BYE)
    assert compiled.pair(room(event), event) == ([], None)


def test_two_triangles_of_unmet_players_cannot_be_paired() -> None:
    event = event_of(6, 5)
    for text in ("1-4 2-5 3-6", "5-1 6-2 4-3", "1-6 2-4 3-5"):
        event.record((boards(text), None), "===")
    assert compiled.answer(room(event), event) is None


def test_forfeit_win_does_not_keep_from_meeting_x() -> None:
    event = event_of(3, 3)
    for expected, result in ((([(3, 1)], 2), "+"), (([(3, 2)], 1), "1")):
        assert compiled.pair(room(event), event) == expected
        event.record(expected, result)
    assert compiled.pair(room(event), event)[1] == 3


def test_round_against_x_counts_as_white() -> None:
    event = event_of(4, 3)
    sit_out(event, [Code.PAIRING_BYE, Code.FULL_BYE, Code.ZERO_BYE, Code.ZERO_BYE])
    # Round 2: the upper-half member would have White, but 1 has had it against X.
    assert compiled.pair(room(event), event)[0] == [(2, 1), (3, 4)]


def test_postponed_games_in_the_pairing_score() -> None:
    event = Event([1801, 1800, 1600, 1600], 3)
    event.record(([(3, 1), (4, 2)], None), "pp")
    arrays = arrays_from_event(event)
    state = State(*arrays.values(), np.asarray([event.ratings], float), np.ones(1, np.int8))
    state.load(1)
    pair_one(state, room(event), 2)
    # 1801 v 1600: win and draw; 1800 v 1600: two wins. Standings count nothing yet.
    assert arrays["score"][0, 1].tolist() == [10, 10, 5, 10]
    assert state.points[0].tolist() == [0, 0, 0, 0]


def test_cancel_flag_stops_the_guided_search() -> None:
    event = event_of(8, 7)
    flag = CancelFlag()
    state = State(
        *arrays_from_event(event).values(), np.asarray([event.ratings], float), np.ones(1, np.int8), flag=flag
    )
    state.node_budget = 0
    flag.cancel()
    with pytest.raises(KeyboardInterrupt, match="round 1"):
        pair_one(state, room(event), 1)


# ------------------------------------------------------------------------------------------------ trace


def test_trace_of_a_merge() -> None:
    """Round 5 of the worked example of eight players: 7 has met 8, so both are merged with 3 and 4, whose game is undone."""
    event = event_of(8, 7)
    for text in EIGHT.split("|")[:4]:
        event.record((boards(text), None), "".join("1" if white < black else "0" for white, black in boards(text)))
    pairing, trace = explained(event)
    assert pairing is not None
    assert [j for article, i, j, _ in trace if article == GROUPS and i == 1] == [1]
    assert [(i, j) for article, i, j, _ in trace if article == MERGING] == [(3, 3), (3, 4), (3, 7), (3, 8)]
    met = [j for article, i, j, why in trace if article == SINGLE and i == 1 and why != "chosen"]
    assert met == [2, 3, 4, 5]
    assert [(i, j) for article, i, j, _ in trace if article == COLOURS] == pairing[0]


def test_trace_of_an_exchange_and_of_players_moved_up() -> None:
    _, trace = explained(scored([0] * 4, "1-3 1-4"))
    assert (HALVES, 3, 0, "exchanged into the upper half") in trace
    assert (HALVES, 2, 0, "exchanged into the lower half") in trace
    _, trace = explained(scored([1, 1, 0, 0, 0, 0], "1-2 1-3 2-3"))
    assert (HALVES, 1, 0, "the group of {player} cannot be paired as it stands") in trace
    assert (TWO_UP, 1, 3, "with {player}, no pairing is possible with {others} moved up") in trace
    assert [(i, j) for article, i, j, why in trace if article == TWO_UP and why == "moved up"] == [(1, 4), (1, 5)]


def test_traces_of_random_events_hold_together() -> None:
    for seed in range(100):
        for event, _ in random_events.play(twin.pair, seed, most=10):
            pairing, trace = explained(event)
            x = len(event.ratings) + 1
            for _, i, j, why in trace:
                if why == REASONS[1] and x not in (i, j):
                    assert event.met(i, j)
            if pairing is not None:
                chosen = [{i, j} for _, i, j, why in trace if why == REASONS[0]]
                assert all({*board} in chosen for board in pairing[0])
                assert pairing[1] is None or {pairing[1], x} in chosen
                assert [(i, j) for article, i, j, _ in trace if article == COLOURS] == pairing[0]
