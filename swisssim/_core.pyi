"""Blocks of tournaments: pair a round, draw its games, record them."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from swisssim._state import State

class PairingSystem:
    summary: ClassVar[str]
    source: ClassVar[str]
    draws_colour: ClassVar[bool]
    colour_limits: ClassVar[bool]
    OPTIONS: ClassVar[dict[str, Any]]
    ARTICLES: ClassVar[dict[int, str]]
    REASONS: ClassVar[dict[int, str]]
    KINDS: ClassVar[dict[int, str]]
    options: dict[str, Any]
    forfeits_count_as_met: bool
    def __init__(self, **options: Any) -> None: ...
    @property
    def name(self) -> str: ...

def legal_pairs(s: State, system: PairingSystem) -> tuple[list[int], NDArray[np.bool_], NDArray[np.bool_]]: ...
def check_status(status: int, tournament: int, round: int) -> None: ...
def pair_one(s: State, system: PairingSystem, round: int) -> tuple[list[tuple[int, int]], int | None]: ...
def pair_block(
    s: State,
    system: PairingSystem,
    round: int,
    stopped: NDArray[np.uint8],
    tournament: NDArray[np.int32],
    white: NDArray[np.int32],
    black: NDArray[np.int32],
) -> int: ...
def draw_games(
    s: State,
    round: int,
    count: int,
    tournament: NDArray[np.int32],
    white: NDArray[np.int32],
    black: NDArray[np.int32],
    win: NDArray[np.float64],
    draw: NDArray[np.float64],
    no_show: NDArray[np.uint8] | None,
    postpone: float,
    white_code: NDArray[np.int8],
    black_code: NDArray[np.int8],
    late: NDArray[np.uint8],
) -> None: ...
def draw_matches(
    s: State,
    round: int,
    count: int,
    tournament: NDArray[np.int32],
    white: NDArray[np.int32],
    black: NDArray[np.int32],
    win: NDArray[np.float64],
    draw: NDArray[np.float64],
    no_show: NDArray[np.uint8] | None,
    postpone: float,
    white_code: NDArray[np.int8],
    black_code: NDArray[np.int8],
    white_made: NDArray[np.int16],
    black_made: NDArray[np.int16],
    late: NDArray[np.uint8],
) -> None: ...
def record_block(
    s: State,
    round: int,
    count: int,
    tournament: NDArray[np.int32],
    white: NDArray[np.int32],
    black: NDArray[np.int32],
    white_code: NDArray[np.int8],
    black_code: NDArray[np.int8],
    late: NDArray[np.uint8],
    delay: int,
    stopped: NDArray[np.uint8],
) -> None: ...
def reveal_all(s: State) -> None: ...
