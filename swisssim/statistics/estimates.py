"""Estimates from exact sums: a mean over tournaments, or the paired difference of two, with its standard error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

#: Half-width of a 95 % normal interval in standard errors.
Z95 = 1.959963984540054


class Estimate(NamedTuple):
    """A mean over tournaments: number of tournaments with a value, mean, standard error (NaN for a single one)."""

    tournaments: int
    mean: float
    error: float

    @property
    def low(self) -> float:
        """Lower end of the 95 % normal interval."""
        return self.mean - Z95 * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % normal interval."""
        return self.mean + Z95 * self.error

    @property
    def deviation(self) -> float:
        """Standard deviation of one tournament (for a ratio: linearised)."""
        return self.error * math.sqrt(self.tournaments)


#: What is known of a metric without a value.
NOTHING = Estimate(0, math.nan, math.nan)


def _error(count: int, squares: int, unit: int) -> float:
    """Return the standard error from the sum of squares of the tournaments' shares of the mean's error, squares / unit."""
    if count < 2:
        return math.nan
    return math.sqrt(squares * count / (unit * (count - 1)))


def mean_of(moments: Sequence[int], scale: int) -> Estimate:
    """Return the ratio of sums N / D and its linearised standard error.

    With e = (n - N/D d) / D for each of the m tournaments with d > 0, the variance is m / (m - 1) sum(e^2): s^2 / m
    for a plain mean (d = 1). Cochran, "Sampling Techniques" (1977), 6.4.

    Parameters
    ----------
    moments : sequence of int
        Number of tournaments with d > 0; sums of n, d, n^2, n d and d^2, n in units of 2^-scale.
    scale : int

    Returns
    -------
    Estimate
    """
    count, n, d, nn, nd, dd = moments
    if d == 0:
        return NOTHING
    squares = nn * d * d - 2 * n * d * nd + n * n * dd
    return Estimate(count, n / (d << scale), _error(count, squares, d**4 << 2 * scale))


def difference_of(own: Sequence[int], base: Sequence[int], products: Sequence[int], scale: int) -> Estimate:
    """Return the difference of two ratios of sums over the same tournaments and its linearised standard error.

    As `mean_of`, with e the difference of the two systems' e: for plain means it is the paired standard error.

    Parameters
    ----------
    own, base : sequence of int
        The moments of the two, as in `mean_of`.
    products : sequence of int
        Number of tournaments in which either has d > 0; sums of n n', n d', d n' and d d' with the baseline's n', d'.
    scale : int

    Returns
    -------
    Estimate
    """
    _, n, d, nn, nd, dd = own
    _, n0, d0, nn0, nd0, dd0 = base
    count, a, b, c, e = products
    if d == 0 or d0 == 0:
        return NOTHING
    mine = nn * d * d - 2 * n * d * nd + n * n * dd
    theirs = nn0 * d0 * d0 - 2 * n0 * d0 * nd0 + n0 * n0 * dd0
    both = d * d0 * a - d * n0 * b - n * d0 * c + n * n0 * e
    squares = mine * d0**4 + theirs * d**4 - 2 * both * d * d * d0 * d0
    return Estimate(count, (n * d0 - n0 * d) / (d * d0 << scale), _error(count, squares, (d * d0) ** 4 << 2 * scale))
