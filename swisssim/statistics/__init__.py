"""Summaries over tournaments that can be accumulated block by block: means, intervals, paired differences, bootstrap.

Tournaments are the sampling unit. Every mean is a ratio of sums over tournaments (`swisssim.metrics`), its standard
error is the linearised one of a ratio (which for plain means is s / sqrt(n)), and 95 % intervals are by normal theory
and by the percentile bootstrap over tournaments. A difference to the baseline is paired: both systems on the same
fields and the same luck, over the tournaments that no system stopped.

Sums are exact: a value is rounded once to a multiple of 2^-40 and summed in whole numbers; the bootstrap weights are
Poisson(1) numbers that belong to the tournament. So the blocks in which tournaments arrive, their order, merging and
threads cannot change a single byte of a summary.

B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), ch. 13 (percentile intervals); N. Oza, S.
Russell, "Online bagging and boosting" (2001) (Poisson weights); W. G. Cochran, "Sampling Techniques" (1977), ch. 6
(ratios).
"""

from swisssim.statistics.accumulator import Accumulator
from swisssim.statistics.estimates import Z95, Estimate
from swisssim.statistics.planning import StopRule, half_width, required_tournaments, verdict
from swisssim.statistics.tables import LEFT_OUT, THIN, derived, metric_table, percentiles, summary_table, table

__all__ = [
    "LEFT_OUT",
    "THIN",
    "Z95",
    "Accumulator",
    "Estimate",
    "StopRule",
    "derived",
    "half_width",
    "metric_table",
    "percentiles",
    "required_tournaments",
    "summary_table",
    "table",
    "verdict",
]
