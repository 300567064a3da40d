"""Tables of summaries: one row per system, metric and label, with intervals, paired differences and a note where one is due."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from swisssim.errors import SwissError
from swisssim.metrics import Floats, Metric
from swisssim.statistics.accumulator import Accumulator
from swisssim.statistics.estimates import Estimate

#: Below this number of tournaments a result is called thin.
THIN = 30

#: Above this share of tournaments left out a paired difference is marked.
LEFT_OUT = 0.01

_SINGLE = ("metric", "title", "by", "label", "unit", "tournaments", "mean", "sd", "low", "high", "note")


def percentiles(resampled: Floats) -> tuple[Floats, Floats]:
    """Return the 2.5 % and 97.5 % percentiles over the first axis; NaN where no resample has a value.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples, ...)

    Returns
    -------
    low, high : ndarray of float64, shape (...)
    """
    flat = resampled.reshape(len(resampled), -1)
    ends = np.full((2, flat.shape[1]), np.nan)
    whole = ~np.isnan(flat).any(axis=0)
    if whole.any():
        ends[:, whole] = np.quantile(flat[:, whole], (0.025, 0.975), axis=0)
    for column in np.flatnonzero(~whole):
        values = flat[~np.isnan(flat[:, column]), column]
        if len(values):
            ends[:, column] = np.quantile(values, (0.025, 0.975))
    low, high = ends.reshape(2, *resampled.shape[1:])
    return low, high


def labels_of(about: dict[str, Any]) -> list[str]:
    """Return the labels of a metric in the order of its estimates, joined where there are several dims."""
    return [" / ".join(labels) for labels in itertools.product(*about["labels"])]


def _note(estimate: Estimate, accumulated: int, about: dict[str, Any], *, weighted: bool) -> str:
    if estimate.tournaments == 0:
        return f"not defined: {about['undefined']}"
    notes = []
    if estimate.tournaments == 1:
        notes.append("one tournament: no interval")
    elif estimate.tournaments < THIN:
        notes.append(f"fewer than {THIN} tournaments")
    without = accumulated - estimate.tournaments
    if without and not weighted:
        notes.append(f"no value in {without} of {accumulated} tournaments ({about['undefined']})")
    return "; ".join(notes)


def _bootstrap(summary: Accumulator, system: str, name: str, *, paired: bool) -> tuple[Floats, Floats] | None:
    """Return the ends of the bootstrap intervals of a mean or of a paired difference, flat, if resamples are kept."""
    if not summary.resamples or not summary.about(name)["resample"]:
        return None
    means = summary.resampled(system, name, kept=paired)
    if paired:
        means = means - summary.resampled(str(summary.baseline), name, kept=True)
    low, high = percentiles(means)
    return low.reshape(-1), high.reshape(-1)


def _rows(summary: Accumulator, system: str, name: str) -> Iterable[dict[str, Any]]:
    about = summary.about(name)
    own, boot = summary.estimates(system, name), _bootstrap(summary, system, name, paired=False)
    compared = system != summary.baseline
    paired = _bootstrap(summary, system, name, paired=True) if compared else None
    differences = summary.differences(system, name)
    left_out = 1 - summary.kept / max(summary.tournaments, 1)
    nothing = np.full(len(own), np.nan)
    for k, (label, mean, difference) in enumerate(zip(labels_of(about), own, differences, strict=True)):
        note = _note(mean, summary.tournaments, about, weighted=summary.is_ratio(name))
        if compared and left_out > LEFT_OUT:
            marked = f"difference without the {left_out:.1%} of the tournaments that a system stopped"
            note = f"{note}; {marked}" if note else marked
        boot_low, boot_high = boot or (nothing, nothing)
        paired_low, paired_high = paired or (nothing, nothing)
        yield {
            "system": system,
            "metric": name,
            "title": about["title"],
            "by": " / ".join(about["dims"]),
            "label": label,
            "unit": about["unit"],
            "tournaments": mean.tournaments,
            "mean": mean.mean,
            "sd": mean.deviation,
            "low": mean.low,
            "high": mean.high,
            "boot_low": boot_low[k],
            "boot_high": boot_high[k],
            "difference": difference.mean,
            "difference_low": difference.low,
            "difference_high": difference.high,
            "difference_boot_low": paired_low[k],
            "difference_boot_high": paired_high[k],
            "paired": difference.tournaments,
            "differs": bool(difference.low > 0 or difference.high < 0),
            "note": note,
        }


def summary_table(summary: Accumulator, names: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the table of a summary: one row per system, metric and label.

    Parameters
    ----------
    summary : Accumulator
    names : sequence of str, optional
        Names of metrics; default all.

    Returns
    -------
    pandas.DataFrame
        ``system, metric, title, by, label, unit``; ``tournaments`` with a value, ``mean``, ``sd`` of one tournament,
        ``low, high`` (95 %, normal), ``boot_low, boot_high`` (95 %, bootstrap percentiles); ``difference`` to the
        baseline with its intervals, the number of ``paired`` tournaments, and whether the normal interval excludes 0
        (``differs``); a ``note`` in words where a value is missing, thin, or rests on fewer tournaments.

    Raises
    ------
    SwissError
        If a name is unknown.
    """
    chosen = summary.names if names is None else tuple(names)
    rows = [row for name in chosen for system in summary.systems for row in _rows(summary, system, name)]
    return pd.DataFrame(rows)


def table(metrics: Sequence[Metric]) -> pd.DataFrame:
    """Return the table of metrics of one block of tournaments: one row per metric and label.

    Parameters
    ----------
    metrics : sequence of Metric

    Returns
    -------
    pandas.DataFrame
        ``metric, title, by, label, unit``; ``tournaments`` with a value, ``mean``, ``sd`` of one tournament, ``low,
        high`` (95 %, normal), and a ``note`` in words where one is due.

    Raises
    ------
    SwissError
        If there is no metric.
    """
    if not metrics:
        raise SwissError("a table needs at least one metric")
    summary = Accumulator(["all"], resamples=0)
    summary.update(0, {"all": metrics})
    return summary_table(summary)[list(_SINGLE)]


def metric_table(summary: Accumulator, name: str) -> pd.DataFrame:
    """Return the table of one metric with a column for each of its dims instead of a joined label.

    Parameters
    ----------
    summary : Accumulator
    name : str

    Returns
    -------
    pandas.DataFrame
        As `summary_table`, the columns ``by`` and ``label`` replaced by the dims.

    Raises
    ------
    SwissError
        If there is no such metric.
    """
    about = summary.about(name)
    found = summary_table(summary, [name])
    values = list(itertools.product(*about["labels"])) * len(summary.systems)
    for k, dim in enumerate(about["dims"]):
        found.insert(3 + k, dim, [labels[k] for labels in values])
    return found.drop(columns=["by", "label"])


def derived(resampled: Floats, value: float) -> Estimate:
    """Return the estimate of a number that is computed from means, with the standard deviation of its resamples as
    error.

    For numbers that are not means over tournaments themselves, such as a Gini coefficient or a distance between two
    distributions. Compute the value from the means and the resamples from `Accumulator.resampled` by the same function.

    Parameters
    ----------
    resampled : ndarray of float64, shape (resamples,)
        The number in every resample.
    value : float
        The number itself.

    Returns
    -------
    Estimate
        Its `tournaments` is the number of resamples with a value.
    """
    values = resampled[~np.isnan(resampled)]
    error = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    return Estimate(len(values), value, error)
