"""How many tournaments a study needs, when it may stop, and whether a difference matters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from swisssim.errors import SwissError
from swisssim.statistics.accumulator import Accumulator
from swisssim.statistics.estimates import Z95, Estimate

_Z90 = 1.6448536269514722  # two one-sided tests at 5 % each


def required_tournaments(sd: float, half_width: float) -> int:
    """Return how many tournaments give a 95 % interval of a wanted half-width: (1.96 sd / half-width)^2, rounded up.

    Parameters
    ----------
    sd : float
        Standard deviation of one tournament (of a paired difference for differences).
    half_width : float
        Positive.

    Returns
    -------
    int
        At least 2.

    Raises
    ------
    SwissError
        If the half-width is not positive or the deviation is negative or not a number.
    """
    if not half_width > 0:
        raise SwissError(f"a half-width must be positive, not {half_width}")
    if not (sd >= 0 and math.isfinite(sd)):
        raise SwissError(f"a standard deviation must be a number from 0, not {sd}")
    return max(2, math.ceil((Z95 * sd / half_width) ** 2))


def verdict(difference: Estimate, margin: float) -> Literal["different", "equivalent", "undecided"]:
    """Return what an estimated difference says about a margin that matters.

    Two one-sided tests at 5 %: equivalent if the 90 % interval lies within -margin..margin (D. J. Schuirmann, 1987);
    different if the 95 % interval lies outside; else undecided.

    Parameters
    ----------
    difference : Estimate
    margin : float
        The smallest difference that matters, in the unit of the metric; 0 or more.

    Returns
    -------
    {"different", "equivalent", "undecided"}

    Raises
    ------
    SwissError
        If the margin is negative.
    """
    if not margin >= 0:
        raise SwissError(f"an equivalence margin must be 0 or more, not {margin}")
    if difference.low > margin or difference.high < -margin:
        return "different"
    half = _Z90 * difference.error
    if difference.mean - half > -margin and difference.mean + half < margin:
        return "equivalent"
    return "undecided"


def half_width(summary: Accumulator, name: str, *, paired: bool = False) -> float:
    """Return the largest half-width of the 95 % normal intervals of a metric, over systems and labels.

    Parameters
    ----------
    summary : Accumulator
    name : str
    paired : bool, optional
        Of the differences to the baseline instead of the means.

    Returns
    -------
    float
        Infinite where an interval is not known yet; labels without any value are passed over.

    Raises
    ------
    SwissError
        If there is no such metric.
    """
    widths = [0.0]
    for system in summary.systems:
        if paired and system == summary.baseline:
            continue
        estimates = summary.differences(system, name) if paired else summary.estimates(system, name)
        found = [Z95 * estimate.error for estimate in estimates if estimate.tournaments]
        widths += [width if math.isfinite(width) else math.inf for width in found] or [math.inf]
    return max(widths)


@dataclass(frozen=True, kw_only=True)
class StopRule:
    """Go on until the intervals of a metric are narrow enough, looking only at fixed numbers of tournaments.

    Attributes
    ----------
    name : str
        The metric.
    half_width : float
        Wanted half-width of its 95 % normal intervals.
    paired : bool
        Of the differences to the baseline instead of the means.
    minimum : int
        Tournaments before the first look; later looks are at 1.5 times as many each, in steps of 100.
    maximum : int
        Tournaments at which the study ends in any case.
    """

    name: str
    half_width: float
    paired: bool = False
    minimum: int = 500
    maximum: int = 1_000_000

    def __post_init__(self) -> None:
        if not self.half_width > 0:
            raise SwissError(f"a half-width must be positive, not {self.half_width}")
        if not 2 <= self.minimum <= self.maximum:
            raise SwissError(f"a study needs 2 <= minimum <= maximum tournaments, not {self.minimum}, {self.maximum}")

    def looks(self) -> Iterator[int]:
        """Yield the numbers of tournaments at which to look, the last one is the maximum.

        They don't depend on blocks or threads, so a study stops at the same tournament on every machine.
        """
        at = self.minimum
        while at < self.maximum:
            yield at
            at = max(at + 1, math.ceil(at * 1.5 / 100) * 100)
        yield self.maximum

    def reached(self, summary: Accumulator) -> bool:
        """Tell whether the summary's intervals are narrow enough."""
        return half_width(summary, self.name, paired=self.paired) <= self.half_width
