"""What a number in a report is: one value per tournament, with its name, unit, definition and the cases without a
value.

Tournaments are the sampling unit: a `Metric` holds one value (or one per round, rating quantile ...) for each
tournament, and its mean over tournaments is the ratio of two sums, ``sum(numerator) / sum(denominator)``. For a plain
mean the denominator is 1 where the tournament has a value and 0 where it has none; for a share of events that a
tournament may have none of (byes, say), it counts those events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swisssim.errors import SwissError, unknown

if TYPE_CHECKING:
    from swisssim.results import Results

Floats = NDArray[np.float64]

#: Rating quantiles from the top: pairing number k of n is in quantile floor(4 (k - 1) / n).
QUANTILES = ("top quarter", "2nd quarter", "3rd quarter", "bottom quarter")

#: Tournaments whose metrics are computed at a time.
PART = 4096


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One metric of a block of tournaments.

    Attributes
    ----------
    name : str
        The name in tables: the column of a result file and the key of a figure.
    title : str
        The name for readers: a table's row or an axis.
    values : ndarray of float64, shape (T, ...)
        One value per tournament and label; NaN where a tournament has none. With ``weights`` it is the numerator.
    weights : ndarray of float64 of the same shape, or None
        The denominator of a metric that is a ratio of sums over tournaments; None for a plain mean.
    dims : tuple of str
        Names of the further axes of `values`, for instance ``("round",)``.
    labels : tuple of tuple of str
        Labels along each of the dims.
    unit : str
        What the values count: ``"points"``, ``"games"``, ``"share"`` ...
    definition : str
        One sentence with the formula and its source.
    better : {"lower", "higher", ""}
        Which direction reviewers call better, if any.
    kind : {"mean", "share", "count", "ratio"}
        A mean per player or game, a share between 0 and 1, a number per tournament, or a ratio of sums.
    undefined : str
        When a tournament has no value, in words.
    bins : (float, float, int) or None
        Range and number of bins of the histogram over tournaments that summaries keep; None for no histogram.
    resample : bool
        Whether summaries compute bootstrap intervals too (not for very long lists of labels).
    """

    name: str
    title: str
    values: Floats
    weights: Floats | None = None
    dims: tuple[str, ...] = ()
    labels: tuple[tuple[str, ...], ...] = ()
    unit: str
    definition: str
    better: Literal["lower", "higher", ""] = ""
    kind: Literal["mean", "share", "count", "ratio"] = "mean"
    undefined: str = "a tournament that was stopped"
    bins: tuple[float, float, int] | None = None
    resample: bool = True

    def __post_init__(self) -> None:
        shape = tuple(len(labels) for labels in self.labels)
        if self.values.shape[1:] != shape or len(self.dims) != len(shape):
            raise SwissError(
                f"metric {self.name!r}: values of shape {self.values.shape} don't fit the labels {shape} of {self.dims}"
            )
        if self.weights is not None and self.weights.shape != self.values.shape:
            raise SwissError(f"metric {self.name!r}: weights {self.weights.shape} for values {self.values.shape}")

    @property
    def tournaments(self) -> int:
        """Number of tournaments."""
        return len(self.values)

    @property
    def numerator(self) -> Floats:
        """Values with 0 where a tournament has none, shape (T, ...)."""
        return np.where(np.isnan(self.values), 0.0, self.values)

    @property
    def denominator(self) -> Floats:
        """Weights, or 1 where a tournament has a value and 0 where it has none, shape (T, ...)."""
        defined = ~np.isnan(self.values)
        return defined.astype(np.float64) if self.weights is None else np.where(defined, self.weights, 0.0)

    @property
    def mean(self) -> Floats:
        """The ratio of sums over the tournaments, shape of the labels; NaN where no tournament has a value."""
        return ratio(self.numerator.sum(axis=0), self.denominator.sum(axis=0))

    def at(self, tournaments: NDArray[np.bool_] | slice) -> Metric:
        """Return the metric of some of its tournaments."""
        weights = None if self.weights is None else self.weights[tournaments]
        return replace(self, values=self.values[tournaments], weights=weights)

    def on(self, labels: Sequence[Sequence[str]]) -> Metric:
        """Return the metric on other lists of labels, without a value for those that it doesn't have.

        Parameters
        ----------
        labels : sequence of sequences of str
            One list for each of the dims.

        Returns
        -------
        Metric
        """
        wanted = tuple(tuple(names) for names in labels)
        if wanted == self.labels:
            return self
        shape = (self.tournaments, *(len(names) for names in wanted))
        values, weights = np.full(shape, np.nan), None if self.weights is None else np.zeros(shape)
        kept = [
            np.array([names.index(name) for name in old], dtype=np.intp)
            for old, names in zip(self.labels, wanted, strict=True)
        ]
        place = np.ix_(np.arange(self.tournaments), *kept)
        values[place] = self.values
        if weights is not None and self.weights is not None:
            weights[place] = self.weights
        return replace(self, values=values, weights=weights, labels=wanted)


def _union(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return all labels, each once; the longest list gives the order."""
    ordered = sorted(lists, key=len, reverse=True)
    return tuple(dict.fromkeys(label for labels in ordered for label in labels))


def concatenate(blocks: Sequence[Sequence[Metric]]) -> list[Metric]:
    """Return the metrics of several blocks of tournaments as one block, for instance of events of different sizes.

    A label that a block doesn't have (a ninth round where it had seven) has no value there, and neither has a metric
    that a block doesn't have.

    Parameters
    ----------
    blocks : sequence of lists of Metric
        The metrics of each block, of equal length within a block.

    Returns
    -------
    list of Metric
        In the order in which the names first appear; T is the sum of the blocks' tournaments.
    """
    names = dict.fromkeys(metric.name for block in blocks for metric in block)
    return [_join(name, blocks) for name in names]


def _join(name: str, blocks: Sequence[Sequence[Metric]]) -> Metric:
    named = [next((metric for metric in block if metric.name == name), None) for block in blocks]
    found = [metric for metric in named if metric is not None]
    labels = tuple(_union(lists) for lists in zip(*(metric.labels for metric in found), strict=True))
    parts = []
    for block, metric in zip(blocks, named, strict=True):
        if metric is None:
            nothing = np.full((block[0].tournaments if block else 0, *map(len, labels)), np.nan)
            zero = None if found[0].weights is None else np.zeros(nothing.shape)
            metric = replace(found[0], values=nothing, weights=zero, labels=labels)
        parts.append(metric.on(labels))
    weights = [part.weights for part in parts if part.weights is not None]
    return replace(
        parts[0],
        values=np.concatenate([part.values for part in parts]),
        weights=np.concatenate(weights) if weights else None,
    )


def in_parts(results: Results, function: Callable[[Results], list[Metric]]) -> list[Metric]:
    """Return the metrics of many tournaments, computed for some thousands at a time so that scratch arrays stay small.

    Parameters
    ----------
    results : Results
    function : callable
        Gives the metrics of a part of the results.

    Returns
    -------
    list of Metric
    """
    count = len(results.opponent)
    if count <= PART:
        return function(results)
    return concatenate([function(results.part(k, min(k + PART, count))) for k in range(0, count, PART)])


def pick(metrics: Iterable[Metric], name: str) -> Metric:
    """Return the metric of a name.

    Parameters
    ----------
    metrics : iterable of Metric
    name : str

    Returns
    -------
    Metric

    Raises
    ------
    SwissError
        If there is none; near names are suggested.
    """
    named = {metric.name: metric for metric in metrics}
    if name not in named:
        raise unknown("metric", name, named)
    return named[name]


# ---- what the question rooms share


def ratio(above: ArrayLike, below: ArrayLike) -> Floats:
    """Return ``above / below``, NaN where the denominator is 0."""
    x, y = np.broadcast_arrays(np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64))
    out: Floats = np.full(x.shape, np.nan)
    np.divide(x, y, out=out, where=y != 0)
    return out


def quantiles(players: int) -> NDArray[np.int32]:
    """Return the rating quantile 0..3 of each player, 0 for the top: floor(4 (k - 1) / n) for pairing number k of n."""
    return (4 * np.arange(players, dtype=np.int64) // max(players, 1)).astype(np.int32)


def round_labels(rounds: int) -> tuple[str, ...]:
    """Return the labels "1", "2", ... of an axis of rounds."""
    return tuple(str(r) for r in range(1, rounds + 1))


def complete(results: Results, values: ArrayLike) -> Floats:
    """Return the values as float64 with NaN for every tournament that was stopped."""
    out = np.array(values, dtype=np.float64)
    out[np.asarray(results.stopped, dtype=bool)] = np.nan
    return out


def completion(results: Results) -> list[Metric]:
    """Return what became of the tournaments: the share stopped for want of a legal pairing, and the rounds reached.

    Parameters
    ----------
    results : Results

    Returns
    -------
    list of Metric
        ``stopped`` and ``rounds_paired``; stopped tournaments count in these two.
    """
    return [
        Metric(
            name="stopped",
            title="stopped tournaments",
            values=np.asarray(results.stopped, dtype=np.float64),
            unit="share",
            definition="Share of the tournaments that were stopped because the rules allowed no complete pairing.",
            better="lower",
            kind="share",
            undefined="never",
        ),
        Metric(
            name="rounds_paired",
            title="rounds reached",
            values=np.asarray(results.rounds_paired, dtype=np.float64),
            unit="rounds",
            definition="Rounds that were paired, per tournament.",
            better="higher",
            undefined="never",
        ),
    ]
