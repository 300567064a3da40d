"""Odd and wrong requests to an event: numpy and pandas values, wrong types, results that come late, very large events."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import swisssim
from swisssim import SwissError, Tournament

SYSTEMS = sorted(swisssim.SYSTEMS)


def event(system: str = "amalfi", players: int = 8, rounds: int = 5, **more: object) -> Tournament:
    return Tournament([2200 - 0.1 * k for k in range(players)], rounds, system=system, **more)


def contents(t: Tournament) -> str:
    return repr({name: value for name, value in vars(t).items() if name != "system"})


def refused(t: Tournament, request: Callable[[Tournament], object], said: str) -> None:
    """Assert that a request is refused with these words and leaves the event as it was."""
    before = contents(t)
    with pytest.raises(SwissError, match=said):
        request(t)
    assert contents(t) == before


# ------------------------------------------------------------------------------------------------ types of values


@pytest.mark.parametrize(
    "ratings",
    [
        np.array([2000, 1900, 1800, 1700], np.int16),
        pd.Series([2000.0, 1900, 1800, 1700], index=list("abcd")),
        (rating for rating in (2000, 1900, 1800, 1700)),
    ],
    ids=["numpy", "pandas", "generator"],
)
def test_ratings_may_be_any_list_of_numbers(ratings: object) -> None:
    assert Tournament(ratings, np.int64(3), system="nordic").ratings == [2000, 1900, 1800, 1700]


def test_numbers_of_numpy_are_numbers() -> None:
    t = event()
    p = t.pair(absent={np.int64(7): "half", np.int8(3): "zero"})
    assert p.absent == {3: "zero", 7: "half"}
    scores = [np.float32(0.5), np.int64(1), np.float64(0.0)]
    t.record({(np.int64(w), np.int32(b)): s for (w, b), s in zip(p.boards, scores, strict=True)})
    t.withdraw(np.int64(5))
    points = t.standings().set_index("player")["points"]
    assert [points[w] for w, _ in p.boards] == [0.5, 1.0, 0.0]
    assert t.pair().absent == {5: "withdrawn"}


def test_the_order_of_the_results_does_not_matter() -> None:
    one, two = event(), event()
    results = dict(zip(one.pair().boards, [1, 0, 0.5, "+-"], strict=True))
    one.record(results)
    two.pair()
    two.record(dict(reversed(results.items())))
    assert one.pairing(1) == two.pairing(1)
    assert one.pair() == two.pair()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"ratings": None}, "ratings is None"),
        ({"ratings": "2000"}, "ratings is '2000'"),
        ({"ratings": {1: 2000, 2: 1900}}, "it must be a list"),
        ({"ratings": ["2000", "1900"]}, "rating of player 1 is '2000', not a number"),
        ({"ratings": [True, 1]}, "rating of player 1 is True"),
        ({"ratings": np.ones((3, 2))}, "rating of player 1 is array"),
        ({"ratings": [2000, float("inf")]}, "rating of player 2 is inf"),
        ({"rounds": None}, "rounds is None"),
        ({"rounds": 1.0}, "rounds is 1.0"),
        ({"system": None}, "unknown system None"),
        ({"initial_colour": None}, "initial_colour is 'white' or 'black', not None"),
        ({"virtual_points": {1: ["x"]}}, "virtual points of player 1 in round 1 is 'x'"),
        ({"virtual_points": {1: 1}}, "virtual_points of player 1 is 1; it must be a list"),
        ({"virtual_points": {1: [1, 1]}}, "2 values; the event has 1 rounds"),
        ({"virtual_points": {1: [float("nan")]}}, "nan; points are multiples of 0.1"),
        ({"virtual_points": [1]}, "virtual_points is a list; it must be a mapping"),
        ({"forbidden": (1, 2)}, r"forbidden: 1 is not \(a, b\)"),
        ({"forbidden": [(1, 2, "a", "b")]}, "rounds 'a'..'b'"),
        ({"forbidden": [(1, 2, 2, 1)]}, "rounds 2..1"),
        ({"points": {"win": "x"}}, "points of win is 'x'"),
        ({"points": {"win": None}}, "points of win is None"),
        ({"points": {"win": float("inf")}}, "points of win is inf"),
        ({"points": [3, 1, 0]}, r"points are \[3, 1, 0\]; they must be a mapping"),
        ({"boards": "4"}, "boards is '4'"),
    ],
)
def test_values_of_the_wrong_type_are_named(more: dict, said: str) -> None:
    with pytest.raises(SwissError, match=said):
        Tournament(**{"ratings": [2000, 1900], "rounds": 1, "system": "nordic", **more})


def test_points_that_the_scores_cannot_hold_are_refused() -> None:
    with pytest.raises(SwissError, match="scores could reach 3300 points in 33 rounds"):
        event(players=40, rounds=33, points={"win": 100})
    field = swisssim.Field.uniform(players=40, low=1400, high=2200)
    with pytest.raises(SwissError, match="scores could reach 3300 points in 33 rounds"):
        swisssim.simulate("nordic", field, rounds=33, tournaments=1, points=swisssim.points.Points.of({"win": 100}))


@pytest.mark.parametrize("absent", [[7], {7}, "7", pd.Series({7: "half"}), 7])
def test_absences_are_a_mapping(absent: object) -> None:
    refused(event(), lambda t: t.pair(absent=absent), "absent is a .*; it must be a mapping such as")


@pytest.mark.parametrize("reason", [None, ["half"], 1, "Half"])
def test_reasons_are_words(reason: object) -> None:
    refused(
        event(), lambda t: t.pair(absent={7: reason}), "player 7: absence .* is unknown; it is one of half, full, zero"
    )


@pytest.mark.parametrize(
    "score",
    [None, {}, {1: 2}, np.True_, np.array(1.0), b"+-", 0.25, "½", pd.NA, 1j, (1,), (1, 0, 0), ({}, 1), (None, 0)],
)
def test_scores_that_are_none_are_refused(score: object) -> None:
    t = event()
    first, *others = t.pair().boards
    refused(t, lambda t: t.record({first: score, **dict.fromkeys(others, 1)}), f"game {first[0]} - {first[1]}: ")


@pytest.mark.parametrize("results", [None, [(1, 2)], "x", pd.Series({(1, 2): 1.0})])
def test_results_are_a_mapping(results: object) -> None:
    t = event()
    refused(t, lambda t: t.add_round(results), "results is a .*; it must be a mapping such as")
    t.pair()
    refused(t, lambda t: t.record(results), "results is a .*; it must be a mapping such as")


@pytest.mark.parametrize("key", ["1-2", 1, None, (1, 2, 3), frozenset((1, 8))])
def test_boards_that_were_not_paired_are_refused(key: object) -> None:
    t = event()
    boards = t.pair().boards
    refused(t, lambda t: t.record({**dict.fromkeys(boards, 1), key: 1}), "was not paired|White stands first")


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ({(1, 2, 3): 1.0, (4, 5): 1, (6, 7): 0.5}, r"\(1, 2, 3\) is no board"),
        ({(1,): 1.0, (2, 3): 1, (4, 5): 1, (6, 7): 0.5}, r"\(1,\) is no board"),
        ({1: 1.0}, "1 is no board"),
        ({"12": 1.0}, "'12' is no board"),
        ({(1, 1): 1.0}, "player 1 is named more than once"),
        ({(1, 2): "x", (3, 4): 1, (5, 6): 1}, "result 'x' is unknown"),
    ],
)
def test_a_round_of_history_has_boards_of_two(results: dict, said: str) -> None:
    refused(event(), lambda t: t.add_round(results, bye=8, absent={7: "zero"} if (6, 7) not in results else None), said)


@pytest.mark.parametrize("number", ["1", 1.0, None, True, 0, 2])
def test_rounds_are_whole_numbers(number: object) -> None:
    t = event()
    board, *others = t.pair().boards
    t.record({board: "postponed", **dict.fromkeys(others, 1)})
    refused(t, lambda t: t.pairing(number), f"round {number!r} is not recorded")
    refused(t, lambda t: t.resolve(number, board[0], black=board[1], score=1), f"round {number!r} is not recorded")


# ------------------------------------------------------------------------------------------------ results that come late


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_result_that_arrives_during_a_round_leaves_its_pairing(system: str) -> None:
    t = event(system)
    first, *others = t.pair().boards
    t.record({first: "postponed", **dict.fromkeys(others, 0.5)})
    p = t.pair()
    t.resolve(round=1, white=first[0], black=first[1], score=1)
    assert t.pair() is p
    assert t.standings().set_index("player").loc[first[0], "points"] == 1.0
    t.record(dict.fromkeys(p.boards, 0.5))
    assert t.pair_again(2) == p, "round 2 was paired without the result"
    scores = t.arrays()["score"][0]
    assert scores[1, first[0] - 1] == 5
    early = copy.deepcopy(t)
    assert t.pair() == early.pair()


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "lottery"])
def test_every_round_can_be_paired_again_whenever_results_came(system: str) -> None:
    """The first game of each round arrives a round later, before or after that one is paired."""
    rng = random.Random(5)
    t = event(system, 11, 7)
    pairings = [t.pair()]
    for r in range(2, 9):
        board, *others = pairings[-1].boards
        t.record({board: "postponed", **{b: rng.choice([1, 0.5, 0]) for b in others}})
        if r == 8:
            break
        if r % 2:
            pairings.append(t.pair())
        t.resolve(r - 1, board[0], black=board[1], score=rng.choice([1, 0, "+-"]))
        if r % 2 == 0:
            pairings.append(t.pair())
    assert [t.pair_again(r) for r in range(1, 8)] == pairings


def test_a_result_may_arrive_after_more_rounds_than_a_byte_counts() -> None:
    t = event("nordic", 140, 139)
    board, *others = t.pair().boards
    t.record({board: "postponed", **dict.fromkeys(others, 0.5)})
    for _ in range(129):
        p = t.pair()
        t.record(dict.fromkeys(p.boards, 0.5))
    t.resolve(1, board[0], black=board[1], score=1)
    p = t.pair()
    t.record(dict.fromkeys(p.boards, 0.5))
    scores = t.arrays()["score"][0, :, board[0] - 1].tolist()
    assert scores[128:131] == [640, 645, 655]
    assert t.pair_again(131) == p


def test_results_that_never_arrive_stay_pending() -> None:
    t = event("regulated", 6, 3)
    for _ in range(3):
        t.record(dict.fromkeys(t.pair().boards, "postponed"))
    table = t.standings()
    assert table["points"].tolist() == [0.0] * 6
    assert table["pending"].tolist() == [3] * 6


# ------------------------------------------------------------------------------------------------ size


def test_ten_thousand_players() -> None:
    """Nothing grows with the square of the number of players."""
    start = time.process_time()
    t = event("amalfi", 10_000, 3)
    p = t.pair(absent={5: "half"})
    t.record(dict.fromkeys(p.boards, 1))
    t.add_round({(2 * k + 1, 2 * k + 2): 0.5 for k in range(5000)})
    assert len(t.standings()) == 10_000
    assert time.process_time() - start < 2.0
