"""The boundary of the compiled core: wrong shapes, types, rounds and records are errors that name them, and never crashes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import swisssim
from swisssim import SwissError
from swisssim._core import draw_games, draw_matches, legal_pairs, pair_block, pair_one, record_block, reveal_all
from swisssim._state import DEFAULT_WORTH, CancelFlag, State
from swisssim.codes import Code
from swisssim.history import empty_history
from swisssim.points import Points

T, R, N = 2, 3, 6
GAMES = T * (N // 2)
AMALFI = swisssim.system("amalfi")


def block(**given: object) -> State:
    arrays = {**empty_history(T, R, N), "rating": np.ones((1, N)), "initial_colour": np.ones(1, np.int8)}
    return State(**{**arrays, **given})


class Round:
    """The first round of a block: every argument of the three calls, each of which can be replaced."""

    def __init__(self, state: State) -> None:
        self.pairing = {
            "s": state,
            "system": AMALFI,
            "round": 1,
            "stopped": np.zeros(T, np.uint8),
            **{name: np.empty(GAMES, np.int32) for name in ("tournament", "white", "black")},
        }
        games = {name: self.pairing[name] for name in ("s", "round", "tournament", "white", "black")}
        codes = {name: np.zeros(GAMES, np.int8) for name in ("white_code", "black_code")}
        games |= {"count": GAMES, "late": np.zeros(GAMES, np.uint8), **codes}
        draw = {"no_show": None, "postpone": 0.0}
        self.games = {**games, **draw, "win": np.full(GAMES, 0.4), "draw": np.full(GAMES, 0.2)}
        made = {name: np.zeros(GAMES, np.int16) for name in ("white_made", "black_made")}
        self.matches = {**games, **draw, **made, "win": np.full((4, GAMES), 0.4), "draw": np.full((4, GAMES), 0.2)}
        self.record = {**games, "delay": 1, "stopped": self.pairing["stopped"]}

    def play(self) -> None:
        assert pair_block(**self.pairing) == GAMES
        draw_games(**self.games)


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opponent": None}, "opponent has the shape ()"),
        ({"opponent": np.zeros((R, N), np.int16)}, f"opponent has the shape ({R}, {N})"),
        ({"opponent": np.zeros((1, 1, 32_768), np.int16)}, "players up to 32767"),
        ({"opponent": np.zeros((T, R, N), np.int32)}, "opponent is of int32 and of shape (2, 3, 6); an array of int16"),
        ({"opponent": read_only(np.zeros((T, R, N), np.int16))}, "opponent is read-only"),
        ({"colour": np.zeros((T, R, 5), np.int8)}, "colour is of int8 and of shape (2, 3, 5)"),
        ({"result": np.zeros((T, N, R), np.int8).swapaxes(1, 2)}, "result is not contiguous"),
        ({"board": None}, "board is a NoneType"),
        ({"score": [[[0] * N] * R] * T}, "score is a list"),
        ({"arrived": np.zeros((1, R, N), np.int8)}, "arrived is of int8 and of shape (1, 3, 6)"),
        ({"rating": np.ones((1, N), np.float32)}, "rating is of float32"),
        ({"rating": np.ones((1, N - 1))}, "shape (2, 6) or (1, 6) is needed"),
        ({"rating": None}, "rating is a NoneType"),
        ({"initial_colour": np.ones(0, np.int8)}, "initial_colour is of int8 and of shape (0,)"),
        ({"initial_colour": np.ones(3, np.int8)}, "shape (2,) or (1,) is needed"),
        ({"initial_colour": None}, "initial_colour is a NoneType"),
        ({"virtual": np.zeros((1, 2), np.int16)}, "virtual is of int16 and of shape (1, 2)"),
        ({"virtual": np.zeros((R, N))}, "virtual is of float64"),
        ({"worth": [10]}, "worth has 1 entries"),
        ({"worth": range(300)}, "worth has 300 entries"),
        ({"flag": 3}, "flag is 3; it must be a CancelFlag"),
    ],
)
def test_arrays_that_do_not_fit_a_block_are_named(given: dict, said: str) -> None:
    with pytest.raises(SwissError, match=re.escape(said)):
        block(**given)


def test_a_block_is_made_at_once_or_not_at_all() -> None:
    with pytest.raises(TypeError):
        State.__new__(State)


@pytest.mark.parametrize("given", [{"first": -1}, {"seed": -1}, {"seed": 1 << 64}])
def test_numbers_of_a_block_are_not_negative(given: dict) -> None:
    with pytest.raises(OverflowError):
        block(**given)


@pytest.mark.parametrize("rounds", [-1, R + 1, 100_000])
def test_no_more_rounds_are_loaded_than_there_are(rounds: int) -> None:
    with pytest.raises(SwissError, match=f"rounds is {rounds}; the block has {R}"):
        block().load(rounds)


@pytest.mark.parametrize(
    ("code", "opponent"),
    [
        (99, 0),
        (-9, 0),
        (len(Code), 0),
        *((code, other) for code in (1, 2, 3, 4, 5, 10) for other in (-1, 2, N, -30_000)),
    ],
)
def test_a_record_that_cannot_be_is_named(code: int, opponent: int) -> None:
    """Player 3 of tournament 1: a code that doesn't exist, a game against nobody, himself or a player who isn't there."""
    state = block()
    result, other = np.zeros((T, R, N), np.int8), np.full((T, R, N), -1, np.int16)
    result[1, 1, 2], other[1, 1, 2] = code, opponent
    state = block(result=result, opponent=other)
    state.load(1)
    said = f"tournament 1, round 2, player 3: result code {code} against opponent {opponent + 1} cannot be"
    with pytest.raises(SwissError, match=re.escape(said)):
        state.load(2)


@pytest.mark.parametrize("round", [0, -5, R + 1, 1_000_000])
def test_rounds_are_those_of_the_block(round: int) -> None:
    it = Round(block())
    it.play()
    said = f"round is {round}; the block has {T} tournaments with rounds 1 to {R}"
    for call, given in (
        (pair_one, {"s": block(), "system": AMALFI}),
        (pair_block, it.pairing),
        (draw_games, it.games),
        (draw_matches, it.matches),
        (record_block, it.record),
    ):
        with pytest.raises(SwissError, match=said):
            call(**{**given, "round": round})


@pytest.mark.parametrize("what", ["pairing", "games", "matches", "record"])
def test_nothing_stands_for_an_array(what: str) -> None:
    it = Round(block())
    it.play()
    call: Callable = {"pairing": pair_block, "games": draw_games, "matches": draw_matches, "record": record_block}[what]
    given = getattr(it, what)
    for name in given:
        if name != "no_show":
            with pytest.raises(TypeError):
                call(**{**given, name: None})


@pytest.mark.parametrize("what", ["pairing", "games", "matches", "record"])
def test_arrays_that_are_too_short_are_named(what: str) -> None:
    it = Round(block())
    it.play()
    call: Callable = {"pairing": pair_block, "games": draw_games, "matches": draw_matches, "record": record_block}[what]
    given = getattr(it, what)
    for name, array in given.items():
        if isinstance(array, np.ndarray):
            short = np.ascontiguousarray(array[..., :-1])
            with pytest.raises(SwissError, match=rf"^{name} has \d+ |^win has 5 matches"):
                call(**{**given, name: short})
            with pytest.raises(ValueError, match="dtype mismatch"):
                call(**{**given, name: array.astype(np.float32)})


@pytest.mark.parametrize("call", [draw_games, record_block])
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("tournament", T, f"in tournament {T}; the block has {T}"),
        ("tournament", -1, "in tournament -1"),
        ("white", N, f"game 2 is {N} - "),
        ("black", -1, "- -1 in tournament"),
    ],
)
def test_games_are_between_players_of_the_block(call: Callable, name: str, value: int, said: str) -> None:
    it = Round(block())
    it.play()
    given = it.games if call is draw_games else it.record
    given[name][2] = value
    with pytest.raises(SwissError, match=said):
        call(**given)


def test_what_is_recorded_are_results_of_games() -> None:
    it = Round(block())
    it.play()
    with pytest.raises(SwissError, match="delay is 0"):
        record_block(**{**it.record, "delay": 0})
    for code in (Code.ABSENT, Code.PAIRING_BYE, Code.POSTPONED, 99, -1):
        it.record["black_code"][1] = code
        with pytest.raises(SwissError, match=f"game 1 has the result codes . and {int(code)}; 1 to 5"):
            record_block(**it.record)


def test_a_result_for_somebody_who_was_not_paired_is_no_meeting() -> None:
    it = Round(block())
    it.record["tournament"][:], it.record["white"][:], it.record["black"][:] = 0, 0, 1
    it.record["white_code"][:], it.record["black_code"][:] = Code.WIN, Code.LOSS
    record_block(**it.record)
    assert not it.record["s"].met_matrix(0).any()


def test_postponed_games_need_room() -> None:
    it = Round(block())
    it.play()
    with pytest.raises(SwissError, match="expect_postponed"):
        draw_games(**{**it.games, "postpone": 0.5})
    it.record["late"][0] = 1
    with pytest.raises(SwissError, match="expect_postponed"):
        record_block(**it.record)
    it.pairing["s"].expect_postponed()
    record_block(**{**it.record, "delay": 2**31 - 1})
    assert (it.pairing["s"].points.sum(axis=1) == [20, 30]).all(), "three games a tournament, one result still hidden"
    reveal_all(it.pairing["s"])
    assert (it.pairing["s"].points.sum(axis=1) == [30, 30]).all()


def test_postponed_games_that_were_loaded_stay_postponed() -> None:
    history = empty_history(1, 2, 2)
    history["opponent"][0, 0] = [1, 0]
    history["result"][0, 0] = Code.POSTPONED
    state = State(**history, rating=np.ones((1, 2)), initial_colour=np.ones(1, np.int8))
    state.load(1)
    reveal_all(state)
    assert history["result"][0, 0].tolist() == [Code.POSTPONED] * 2


def test_there_is_no_system_or_block_of_none() -> None:
    for call, given in ((pair_one, (None, AMALFI, 1)), (pair_one, (block(), None, 1)), (reveal_all, (None,))):
        with pytest.raises(TypeError):
            call(*given)
    for pair in ((None, AMALFI), (block(), None)):
        with pytest.raises(TypeError):
            legal_pairs(*pair)


@pytest.mark.parametrize("pair", [(0, N), (-1, 2)])
def test_forbidden_pairs_are_players(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=re.escape(f"players are 1..{N}")):
        block().forbid([pair])


def test_an_empty_block_has_no_round_to_pair_alone() -> None:
    arrays = empty_history(0, 1, 2)
    state = State(**arrays, rating=np.ones((1, 2)), initial_colour=np.ones(1, np.int8), flag=CancelFlag())
    with pytest.raises(SwissError, match="the block has 0 tournaments"):
        pair_one(state, AMALFI, 1)


def test_codes_are_the_same_in_python_and_in_the_core() -> None:
    text = (Path(swisssim.__file__).parent / "_state.pxd").read_text(encoding="utf-8")
    found = dict(re.findall(r"^    ([A-Z_]+) = (\d+)", text.split("cdef enum:")[1], flags=re.MULTILINE))
    assert int(found.pop("CODES")) == len(Code)
    assert {name: int(number) for name, number in found.items()} == {code.name: code.value for code in Code}


def test_the_usual_points_are_the_same_in_python_and_in_the_core() -> None:
    assert tuple(DEFAULT_WORTH[: len(Code)]) == Points().worth
    assert not any(DEFAULT_WORTH[len(Code) :])
