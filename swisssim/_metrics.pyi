import numpy as np
from numpy.typing import NDArray

def colours(
    opponent: NDArray[np.int16],
    colour: NDArray[np.int8],
    result: NDArray[np.int8],
    rounds_paired: NDArray[np.int16],
    quantile: NDArray[np.int32],
    difference: NDArray[np.int16],
    longest: NDArray[np.int16],
    imbalance: NDArray[np.int32],
    chances: NDArray[np.int32],
    misses: NDArray[np.int32],
) -> None: ...
def floats(
    opponent: NDArray[np.int16],
    score: NDArray[np.int16],
    rounds_paired: NDArray[np.int16],
    quantile: NDArray[np.int32],
    gaps: NDArray[np.int32],
    counts: NDArray[np.int32],
    repeated: NDArray[np.int32],
) -> None: ...
def rating_gaps(
    opponent: NDArray[np.int16],
    rounds_paired: NDArray[np.int16],
    rating: NDArray[np.float64],
    total: NDArray[np.float64],
    boards: NDArray[np.int32],
) -> None: ...
def meetings(
    opponent: NDArray[np.int16],
    result: NDArray[np.int8],
    rounds_paired: NDArray[np.int16],
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    round: NDArray[np.int16],
) -> None: ...
def bye_meetings(
    opponent: NDArray[np.int16],
    result: NDArray[np.int8],
    rounds_paired: NDArray[np.int16],
    bye: int,
    games: NDArray[np.int32],
    boards: NDArray[np.int32],
) -> None: ...
def kendall(x: NDArray[np.int32], y: NDArray[np.int32], out: NDArray[np.int64]) -> None: ...
