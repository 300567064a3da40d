import numpy as np
from numpy.typing import NDArray

POINTS: int
BUCHHOLZ: int
CUT_1: int
CUT_2: int
MEDIAN: int
SONNEBORN_BERGER: int
PROGRESSIVE: int
WINS: int
WINS_PLAYED: int
BLACKS: int

def fill(
    opponent: NDArray[np.int16],
    colour: NDArray[np.int8],
    result: NDArray[np.int8],
    arrived: NDArray[np.int8] | None,
    worth: NDArray[np.int16],
    upto: NDArray[np.int32],
    kinds: NDArray[np.int32],
    out: NDArray[np.int64],
) -> None: ...
def rank(keys: NDArray[np.int64], out: NDArray[np.int32]) -> None: ...
def encounters(
    opponent: NDArray[np.int16],
    colour: NDArray[np.int8],
    result: NDArray[np.int8],
    arrived: NDArray[np.int8] | None,
    worth: NDArray[np.int16],
    upto: NDArray[np.int32],
    level: NDArray[np.int32],
    out: NDArray[np.int64],
) -> None: ...
