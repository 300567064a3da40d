"""One event from Python: pairing, results, history, coming and going, standings, and every wrong request."""

from __future__ import annotations

import math
import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swisssim
from swisssim import NoPairingError, SwissError, Tournament
from tests.adapters import check_tournament

SYSTEMS = sorted(swisssim.SYSTEMS)
# The systems whose answer does not depend on chance.
RULED = [name for name in SYSTEMS if name != "lottery"]


def event(system: str = "amalfi", players: int = 8, rounds: int = 5, **more: object) -> Tournament:
    return Tournament([2200 - 20 * k for k in range(players)], rounds, system=system, **more)


def play(t: Tournament, score: float = 0.5, **pairing: object) -> swisssim.Pairing:
    p = t.pair(**pairing)
    t.record(dict.fromkeys(p.boards, score))
    return p


# ------------------------------------------------------------------------------------------------ the usual course


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("players", [7, 10, 30])
def test_a_whole_event(system: str, players: int) -> None:
    rng = random.Random(players)
    t = event(system, players, 5)
    for _ in range(5):
        p = t.pair()
        assert p.round == t.round
        assert (p.bye is not None) == (players % 2 == 1)
        t.record({board: rng.choice([0, 0.5, 1]) for board in p.boards})
    assert check_tournament(t, system=system) == 5
    table = t.standings()
    assert table["points"].sum() == 5 * (players // 2) + (5 if players % 2 else 0)
    assert list(table["points"]) == sorted(table["points"], reverse=True)
    assert set(table["player"]) == set(range(1, players + 1))
    with pytest.raises(SwissError, match="all 5 rounds are paired"):
        t.pair()


def test_the_amalfi_event_of_the_rule_text() -> None:
    """A real event, five rounds, every board in its order."""
    t = event("amalfi", 12, 5, initial_colour="white")
    rounds = [
        "1-6 1, 7-2 0, 3-8 1, 9-4 0, 5-10 1, 12-11 0",
        "5-1 0, 2-11 1, 6-3 1, 4-7 1, 8-12 1, 10-9 0",
        "1-3 1, 2-5 1, 6-4 0, 7-8 0, 11-9 0, 12-10 0",
        "4-1 0, 8-2 0, 9-5 1, 3-10 1, 11-6 0, 12-7 0",
        "1-2 1, 3-4 1, 6-9 1, 10-8 1, 5-12 1, 7-11 1",
    ]
    for text in rounds:
        games = [tuple(map(int, re.findall(r"\d+", game))) for game in text.split(",")]
        assert t.pair().boards == [(white, black) for white, black, _ in games]
        t.record({(white, black): float(score) for white, black, score in games})


def test_a_pairing_prints_as_a_list() -> None:
    assert str(event("nordic", 5, 3).pair()) == "Round 1\n   1      4 - 1\n   2      5 - 2\n bye      3"


def test_an_unsorted_list_is_an_error_unless_sorting_is_asked_for() -> None:
    with pytest.raises(SwissError, match=r"player 3 has 2100, player 2 2000.*sort=True"):
        Tournament([2200, 2000, 2100], 3, system="nordic")
    t = Tournament([2200, 2000, 2100], 3, system="nordic", sort=True, names=["a", "b", "c"])
    assert t.ratings == [2200, 2100, 2000]
    assert list(t.standings().sort_values("player")["name"]) == ["a", "c", "b"]


# ------------------------------------------------------------------------------------------------ absence, coming, going


def test_requested_byes_score_what_they_say() -> None:
    t = event()
    p = t.pair(absent={1: "half", 2: "full", 3: "zero"})
    assert p.absent == {1: "half", 2: "full", 3: "zero"}
    assert p.bye == 8, "five are left: the last of the list gets the bye"
    t.record(dict.fromkeys(p.boards, 1.0))
    points = t.standings().set_index("player")["points"]
    assert (points[1], points[2], points[3], points[8]) == (0.5, 1.0, 0.0, 1.0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_withdraws_is_never_paired_again(system: str) -> None:
    t = event(system)
    play(t)
    t.withdraw(5)
    for _ in range(2):
        p = play(t)
        assert 5 not in {player for board in p.boards for player in board} | {p.bye}
        assert p.absent == {5: "withdrawn"}
    with pytest.raises(SwissError, match="player 5 has withdrawn already"):
        t.withdraw(5)
    with pytest.raises(SwissError, match="player 5 is withdrawn"):
        t.pair(absent={5: "half"})


def test_withdrawing_while_a_round_is_open_counts_from_the_next() -> None:
    t = event()
    p = t.pair()
    t.withdraw(1)
    assert t.pair() is p
    t.record(dict.fromkeys(p.boards, 1.0))
    assert t.pair().absent == {1: "withdrawn"}


@pytest.mark.parametrize("system", RULED)
def test_a_late_player_takes_his_place_by_rating(system: str) -> None:
    """His number is new, but the rules see him where his rating puts him: as if he had been absent from the start."""
    late = Tournament([2200, 2100, 1900, 1800, 1700], 4, system=system)
    known = Tournament([2200, 2100, 2000, 1900, 1800, 1700], 4, system=system)
    number = {1: 1, 2: 2, 3: 6, 4: 3, 5: 4, 6: 5}
    one, two = late.pair(), known.pair(absent={3: "zero"})
    assert one.boards == [(number[w], number[b]) for w, b in two.boards]
    late.record(dict.fromkeys(one.boards, 1.0))
    known.record(dict.fromkeys(two.boards, 1.0))
    assert late.add_player(2000) == 6
    for _ in range(2):
        one, two = late.pair(), known.pair()
        assert one.boards == [(number[w], number[b]) for w, b in two.boards]
        late.record(dict.fromkeys(one.boards, 0.5))
        known.record(dict.fromkeys(two.boards, 0.5))


def test_a_player_added_while_a_round_is_open_waits_for_the_next() -> None:
    t = event("nordic", 4, 3)
    p = t.pair()
    assert t.add_player(1000.0, name="late") == 5
    assert t.pair().boards == p.boards
    t.record(dict.fromkeys(p.boards, 0.5))
    q = t.pair()
    assert {5} <= {player for board in q.boards for player in board} | {q.bye}


# ------------------------------------------------------------------------------------------------ results


def test_forfeits_give_points_but_neither_colour_nor_meeting() -> None:
    t = event("amalfi", 4, 3)
    first = t.pair().boards
    t.record({first[0]: "+-", first[1]: "--"})
    table = t.standings().set_index("player")
    assert table["points"].sum() == 1.0
    assert table["whites"].sum() == table["blacks"].sum() == 0
    again = event("amalfi", 4, 3)
    again.pair()
    again.record({first[0]: "-+", first[1]: 1.0})
    met = event("amalfi", 4, 3, forbidden=None)
    met.system = swisssim.system("amalfi", forfeits_count_as_met=True)
    met.pair()
    met.record({first[0]: "-+", first[1]: 1.0})
    assert frozenset(first[0]) not in {frozenset(b) for b in met.pair().boards}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_postponed_game_counts_as_met_and_nothing_in_the_standings(system: str) -> None:
    t = event(system, 8, 4)
    p = t.pair()
    t.record({**dict.fromkeys(p.boards, 1.0), p.boards[0]: "postponed"})
    white, black = p.boards[0]
    table = t.standings().set_index("player")
    assert table.loc[[white, black], "points"].tolist() == [0.0, 0.0]
    assert table.loc[[white, black], "pending"].tolist() == [1, 1]
    assert frozenset(p.boards[0]) not in {frozenset(b) for b in t.pair().boards}
    t.resolve(round=1, white=white, black=black, score=0.0)
    assert t.standings().set_index("player").loc[[white, black], "points"].tolist() == [0.0, 1.0]
    with pytest.raises(SwissError, match="has a result already"):
        t.resolve(round=1, white=white, black=black, score=1.0)


@pytest.mark.parametrize(
    ("ratings", "scores"), [((1800, 1600), (10, 10)), ((1801, 1600), (10, 5)), ((1500, 1200), (10, 5))]
)
def test_nordic_counts_a_postponed_game_as_won(ratings: tuple[int, int], scores: tuple[int, int]) -> None:
    """Rule 2: a win for both, but half a point for the weaker if more than 200 points lie between them."""
    from swisssim._core import pair_one

    t = Tournament([*ratings], 1, system="nordic")
    t.rounds = 2
    p = t.pair()
    t.record(dict.fromkeys(p.boards, "postponed"))
    t.add_player(1000)
    t.add_player(900)
    state = t._state(2, {})
    pair_one(state, t.system, 2)
    assert state.scores[0, 1, :2].tolist() == list(scores)


def test_a_postponed_game_may_turn_out_a_forfeit() -> None:
    t = event("amalfi", 4, 3)
    p = t.pair()
    t.record(dict.fromkeys(p.boards, "postponed"))
    t.resolve(round=1, white=p.boards[0][0], black=p.boards[0][1], score="+-")
    table = t.standings().set_index("player")
    assert table.loc[p.boards[0][0], "points"] == 1.0
    assert table.loc[p.boards[0][0], "whites"] == 0


def test_other_points_than_the_usual() -> None:
    t = event("nordic", 5, 3, points={"win": 3, "draw": 1})
    p = t.pair()
    t.record({p.boards[0]: 1.0, p.boards[1]: 0.5})
    points = sorted(t.standings()["points"])
    assert points == [0.0, 1.0, 1.0, 3.0, 3.0], "the bye is worth a win"


def test_unusual_results() -> None:
    t = event("nordic", 4, 3)
    p = t.pair()
    t.record({p.boards[0]: (0.5, 0.0), p.boards[1]: (0.0, 0.0)})
    assert sorted(t.standings()["points"]) == [0.0, 0.0, 0.0, 0.5]


# ------------------------------------------------------------------------------------------------ history


@pytest.mark.parametrize("system", RULED)
def test_history_paired_elsewhere_pairs_the_same(system: str) -> None:
    own, copy = event(system, 9, 5), event(system, 9, 5)
    rng = random.Random(3)
    for _ in range(4):
        p = own.pair(absent={4: "half"} if own.round == 2 else None)
        assert copy.pair(absent={4: "half"} if copy.round == 2 else None) == p
        results = {board: rng.choice([0.0, 0.5, 1.0]) for board in p.boards}
        own.record(results)
        copy.add_round(results, bye=p.bye, absent={4: "half"} if p.round == 2 else None)
    assert own.pair() == copy.pair()
    assert own.standings().equals(copy.standings())


def test_a_round_of_history_must_name_everybody_once() -> None:
    t = event("nordic", 5, 3)
    with pytest.raises(SwissError, match=r"round 1: players \[5\] are in no game"):
        t.add_round({(1, 2): 1.0, (3, 4): 0.0})
    with pytest.raises(SwissError, match="player 4 is named more than once"):
        t.add_round({(1, 2): 1.0, (3, 4): 0.0}, bye=4, absent={5: "zero"})
    with pytest.raises(SwissError, match="no player 9"):
        t.add_round({(1, 2): 1.0, (3, 9): 0.0})
    assert t.round == 1
    t.add_round({(1, 2): 1.0, (3, 4): 0.0}, bye=5)
    assert t.round == 2


# ------------------------------------------------------------------------------------------------ wrong requests


@pytest.mark.parametrize(
    ("ratings", "rounds", "more", "said"),
    [
        ([], 1, {}, "0 players"),
        ([2000], 1, {}, "1 players"),
        ([2000, 1900], 2, {}, "rounds is 2; 2 players can play 1 to 1 rounds"),
        ([2000, 1900, 1800], 4, {}, "3 players can play 1 to 3 rounds"),
        ([2000, 1900], 0, {}, "rounds is 0"),
        ([2000, 1900], -1, {}, "rounds is -1"),
        ([2000, 1900], 1.5, {}, "rounds is 1.5"),
        ([2000, 1900], True, {}, "rounds is True"),
        ([2000, math.nan], 1, {}, "rating of player 2 is nan"),
        ([2000, -5], 1, {}, "rating of player 2 is -5"),
        ([2000, "x"], 1, {}, "rating of player 2 is 'x'"),
        ([2000, 1900], 1, {"initial_colour": "red"}, "'red'"),
        ([2000, 1900], 1, {"names": ["a"]}, "1 names for 2 players"),
        ([2000, 1900], 1, {"points": {"win": 0}}, "win to draw"),
        ([2000, 1900], 1, {"points": {"won": 1}}, "'win'"),
        ([2000, 1900], 1, {"points": {"win": 1.23}}, "points of win is 1.23"),
        ([2000, 1900], 1, {"forbidden": [(1, 1)]}, "twice"),
        ([2000, 1900], 1, {"forbidden": [(1, 7)]}, "no player 7"),
        ([2000, 1900], 1, {"virtual_points": {3: [1]}}, "no player 3"),
    ],
)
def test_impossible_events_are_named(ratings: list, rounds: int, more: dict, said: str) -> None:
    with pytest.raises(SwissError, match=re.escape(said)):
        Tournament(ratings, rounds, system="nordic", **more)


def test_unknown_names_suggest_what_was_meant() -> None:
    with pytest.raises(SwissError, match="did you mean 'amalfi'"):
        Tournament([2000, 1900], 1, system="amalfy")
    with pytest.raises(SwissError, match="did you mean 'colour_limits'"):
        swisssim.system("regulated", color_limits=False)


def test_wrong_results_are_named_and_nothing_is_recorded() -> None:
    t = event("nordic", 4, 3)
    with pytest.raises(SwissError, match="no round has been paired"):
        t.record({})
    first, second = t.pair().boards
    wrong = [
        ({first: 1.0}, "results are missing for"),
        ({first: 1.0, second: 2.0}, "White's score is 2.0"),
        ({first: 1.0, second: math.nan}, "White's score is nan"),
        ({first: 1.0, second: True}, "White's score is True"),
        ({first: 1.0, second: "1-0"}, "'1-0' is unknown"),
        ({first: 1.0, second: (1, 1)}, "sum to 1"),
        ({first: 1.0, second: 1.0, (1, 2): 0.5}, "(1, 2) was not paired"),
        ({first: 1.0, second[::-1]: 1.0}, f"was paired as {second}"),
    ]
    for results, said in wrong:
        with pytest.raises(SwissError, match=re.escape(said)):
            t.record(results)
        assert t.round == 1
    t.record({first: 1.0, second: 0.0})
    with pytest.raises(SwissError, match="round 1 is recorded already"):
        t.record({first: 1.0, second: 0.0})


def test_wrong_absences_are_named() -> None:
    t = event("nordic", 4, 3)
    with pytest.raises(SwissError, match="no player 5"):
        t.pair(absent={5: "half"})
    with pytest.raises(SwissError, match="'quarter'"):
        t.pair(absent={1: "quarter"})
    with pytest.raises(SwissError, match="no player"):
        t.pair(absent={"1": "half"})


def test_wrong_late_results_are_named() -> None:
    t = event("nordic", 4, 3)
    p = play(t)
    with pytest.raises(SwissError, match="round 2 is not recorded"):
        t.resolve(round=2, white=1, black=2, score=1.0)
    with pytest.raises(SwissError, match="has no game 1 - 1"):
        t.resolve(round=1, white=1, black=1, score=1.0)
    with pytest.raises(SwissError, match="has a result already"):
        t.resolve(round=1, white=p.boards[0][0], black=p.boards[0][1], score=1.0)


# ------------------------------------------------------------------------------------------------ no pairing


def blocked(system: str) -> Tournament:
    t = Tournament([2000, 1900, 1800, 1700, 1600, 1500], 5, system=system)
    for shift in range(3):
        t.add_round({(k + 1, (k + shift) % 3 + 4): 0.5 for k in range(3)})
    return t


def test_no_pairing_says_why_quickly_and_changes_nothing() -> None:
    t = blocked("nordic")
    before = t.standings()
    start = time.perf_counter()
    with pytest.raises(NoPairingError, match=r"round 4: .*\{1, 2, 3\}; \{4, 5, 6\}"):
        t.pair()
    assert time.perf_counter() - start < 1.0
    assert t.standings().equals(before)
    t.withdraw(1)
    t.withdraw(4)
    assert len(t.pair().boards) == 2


def test_the_reason_names_a_player_without_opponents() -> None:
    t = event("nordic", 4, 3, forbidden=[(1, 2), (1, 3), (1, 4)])
    with pytest.raises(NoPairingError, match="player 1 can meet nobody"):
        t.pair()


def test_the_reason_names_who_is_in_short_supply() -> None:
    """Five players who may meet nobody but two others."""
    forbidden = [(a, b) for a in range(3, 8) for b in range(a + 1, 8)]
    t = event("nordic", 8, 3, forbidden=[*forbidden, *((8, b) for b in range(3, 8))])
    with pytest.raises(NoPairingError, match=r"6 groups of odd size .* from players 1, 2, who are too few"):
        t.pair()


@settings(max_examples=60, deadline=None)
@given(
    ratings=st.lists(st.floats(0, 3500), min_size=2, max_size=14),
    system=st.sampled_from(SYSTEMS),
    seed=st.integers(0, 2**32),
)
def test_any_ratings_play_an_event(ratings: list[float], system: str, seed: int) -> None:
    rng = random.Random(seed)
    t = Tournament(ratings, len(ratings) - 1, system=system, sort=True)
    for _ in range(len(ratings) - 1):
        try:
            p = t.pair()
        except NoPairingError:
            break
        t.record({board: rng.choice([0, 0.5, 1, "+-", "-+", "--", "postponed"]) for board in p.boards})
    assert len(t.standings()) == len(ratings)
