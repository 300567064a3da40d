"""A block of tournaments in lockstep: history, derived data and the trace."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

REASONS: dict[int, str]
DEFAULT_WORTH: tuple[int, ...]
MOST_PLAYERS: int

class CancelFlag:
    def cancel(self) -> None: ...
    @property
    def cancelled(self) -> bool: ...

class State:
    tournaments: int
    players: int
    rounds: int
    words: int
    first: int
    seed: int
    node_budget: int
    tracing: bool
    def __init__(
        self,
        opponent: NDArray[np.int16],
        colour: NDArray[np.int8],
        result: NDArray[np.int8],
        board: NDArray[np.int16],
        score: NDArray[np.int16],
        arrived: NDArray[np.int8],
        rating: NDArray[np.float64],
        initial_colour: NDArray[np.int8],
        *,
        worth: Sequence[int] = ...,
        virtual: NDArray[np.int16] | None = None,
        first: int = 0,
        seed: int = 0,
        forfeits_count_as_met: bool = False,
        flag: CancelFlag | None = None,
    ) -> None: ...
    @property
    def points(self) -> NDArray[np.int32]: ...
    @property
    def away(self) -> NDArray[np.uint8]: ...
    @property
    def whites(self) -> NDArray[np.int16]: ...
    @property
    def blacks(self) -> NDArray[np.int16]: ...
    @property
    def scores(self) -> NDArray[np.int16]: ...
    def met_matrix(self, t: int = 0) -> NDArray[np.bool_]: ...
    def forbid(self, pairs: Iterable[tuple[int, int]] | None) -> None: ...
    def expect_postponed(self) -> None: ...
    def load(self, rounds: int) -> None: ...
    def events(self) -> list[tuple[int, int, int, int]]: ...
