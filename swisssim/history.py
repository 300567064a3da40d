"""The arrays that hold the history of a block of tournaments, one entry per tournament, round and player."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray


class History(TypedDict):
    """The history of T tournaments of R rounds with n players, each array ``(T, R, n)``.

    The meaning of each array is that of `swisssim.results.Results`.
    """

    opponent: NDArray[np.int16]
    colour: NDArray[np.int8]
    result: NDArray[np.int8]
    board: NDArray[np.int16]
    score: NDArray[np.int16]
    arrived: NDArray[np.int8]


def empty_history(tournaments: int, rounds: int, players: int) -> History:
    """Return the history of tournaments in which nothing has happened yet."""
    shape = (tournaments, rounds, players)
    return History(
        opponent=np.full(shape, -1, np.int16),
        colour=np.zeros(shape, np.int8),
        result=np.zeros(shape, np.int8),
        board=np.full(shape, -1, np.int16),
        score=np.zeros(shape, np.int16),
        arrived=np.zeros(shape, np.int8),
    )
