from enum import IntEnum
from typing import SupportsInt

import numpy as np
from numpy.typing import ArrayLike, NDArray

class Domain(IntEnum):
    FIELD = 1
    PARTICIPATION = 2
    GAME = 3
    POSTPONEMENT = 4
    INITIAL_COLOUR = 5
    FINAL_LOTS = 6
    LOTTERY = 7
    BOOTSTRAP = 8

def raw(
    seed: int, domain: SupportsInt, tournament: ArrayLike, a: ArrayLike = 0, b: ArrayLike = 0, c: ArrayLike = 0
) -> NDArray[np.uint64]: ...
def uniforms(
    seed: int, domain: SupportsInt, tournament: ArrayLike, a: ArrayLike = 0, b: ArrayLike = 0, c: ArrayLike = 0
) -> NDArray[np.float64]: ...
