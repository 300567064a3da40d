"""The history of one event as the arrays that the core and the tie-breaks read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from swisssim.codes import NOT_HERE, Code
from swisssim.history import History, empty_history
from swisssim.tournament._records import Round


def history_arrays(
    history: Sequence[Round], order: Sequence[int], *, rounds: int, worth: Sequence[int], known: int | None = None
) -> History:
    """Return the history as arrays of one tournament.

    Parameters
    ----------
    history : sequence of Round
        The rounds that count.
    order : sequence of int
        The players' numbers in pairing order: the columns of the arrays.
    rounds : int
        Number of rounds announced.
    worth : sequence of int
        Points in tenths for each code.
    known : int, optional
        Results that became known after a later round than this are to come; all are known by default.

    Returns
    -------
    History
        Each array ``(1, rounds, players)``.
    """
    arrays = empty_history(1, rounds, len(order))
    place = {number: k for k, number in enumerate(order)}
    arrived = np.zeros((rounds, len(order)), np.int16)
    for r, past in enumerate(history):
        _fill_round(arrays, r, past, place)
        for board, after in past.arrived.items():
            arrived[r, [place[player] for player in past.boards[board]]] = after
    if known is not None:
        arrays["result"][0][arrived > known] = Code.POSTPONED
        arrived[arrived > known] = 0
    for r in range(len(history)):
        arrays["score"][0, r] = _score_before(arrays["result"][0, :r], arrived[:r], np.array(worth, np.int16))
    # the compact arrays have a byte for it; nobody asks them about later rounds
    arrays["arrived"][0] = np.minimum(arrived, np.iinfo(np.int8).max)
    return arrays


def game_point_array(
    history: Sequence[Round], order: Sequence[int], *, rounds: int, unplayed: Sequence[int]
) -> NDArray[np.int16]:
    """Return the game points of each team in each round in tenths, ``(1, rounds, teams)``.

    Parameters
    ----------
    history, order, rounds
        As in `history_arrays`.
    unplayed : sequence of int
        Game points in tenths for each code of a round without a match.
    """
    made = np.zeros((1, rounds, len(order)), np.int16)
    place = {number: k for k, number in enumerate(order)}
    for r, past in enumerate(history):
        for board, points in zip(past.boards, past.game_points, strict=True):
            made[0, r, [place[team] for team in board]] = points
        for number, code in past.away.items():
            made[0, r, place[number]] = unplayed[code] if code != NOT_HERE else 0
        if past.bye is not None:
            made[0, r, place[past.bye]] = unplayed[Code.PAIRING_BYE]
    return made


def _fill_round(arrays: History, r: int, past: Round, place: Mapping[int, int]) -> None:
    for board, ((white, black), codes) in enumerate(zip(past.boards, past.codes, strict=True)):
        for me, other, colour, code in ((white, black, 1, codes[0]), (black, white, -1, codes[1])):
            k = place[me]
            arrays["opponent"][0, r, k] = place[other]
            arrays["colour"][0, r, k] = colour
            arrays["result"][0, r, k] = code
            arrays["board"][0, r, k] = board
    for number, code in past.away.items():
        arrays["result"][0, r, place[number]] = code if code != NOT_HERE else 0
    if past.bye is not None:
        arrays["result"][0, r, place[past.bye]] = Code.PAIRING_BYE


def _score_before(result: NDArray[np.int8], arrived: NDArray[np.int16], worth: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return everybody's pairing score after some rounds, ``(rounds, players)``: what was not known then counted as a draw."""
    unknown = (result == Code.POSTPONED) | (arrived > len(result))
    points: NDArray[np.int64] = np.where(unknown, worth[Code.DRAW], worth[result]).sum(axis=0)
    return points.astype(np.int16)
