import numpy as np
from numpy.typing import NDArray

MOMENTS: tuple[str, ...]
PRODUCTS: tuple[str, ...]
LARGEST_WEIGHT: int

def fix(
    values: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    scale: int,
    bits: int,
    above: NDArray[np.int64],
    below: NDArray[np.int64],
) -> tuple[int, int] | None: ...
def add_moments(
    n: NDArray[np.int64], d: NDArray[np.int64], rows: NDArray[np.uint8], out: NDArray[np.int64]
) -> None: ...
def add_products(
    n: NDArray[np.int64],
    d: NDArray[np.int64],
    n0: NDArray[np.int64],
    d0: NDArray[np.int64],
    rows: NDArray[np.uint8],
    out: NDArray[np.int64],
) -> None: ...
def poisson_weights(seed: int, first: int, out: NDArray[np.float64]) -> None: ...
