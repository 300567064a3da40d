"""Floats: games between players of different scores, how far apart they are, who floats and how soon again.

The scores are the pairing scores before the round. A float needs an opponent: a bye is none. A player floats down when
his opponent has the lower score, up when he has the higher one. Forfeited games count, as they were paired. Stopped
tournaments have no value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import _metrics
from swisssim.metrics import QUANTILES, Metric, complete, quantiles, round_labels
from swisssim.statistics import table

if TYPE_CHECKING:
    from swisssim.results import Results

#: Labels of the two ways to float.
WAYS = ("down", "up")


@dataclass(frozen=True)
class _Floats:
    """What the compiled loop finds: the meaning of the arrays is that of `_metrics.floats`."""

    gaps: NDArray[np.int32]
    counts: NDArray[np.int32]
    repeated: NDArray[np.int32]


def _follow(results: Results) -> _Floats:
    tournaments, rounds, players = results.opponent.shape
    gaps = np.empty((tournaments, rounds, 4), np.int32)
    counts = np.empty((tournaments, len(QUANTILES), rounds, 3), np.int32)
    repeated = np.empty((tournaments, 2, 2), np.int32)
    _metrics.floats(results.opponent, results.score, results.rounds_paired, quantiles(players), gaps, counts, repeated)
    return _Floats(gaps, counts, repeated)


def _games(results: Results, found: _Floats) -> list[Metric]:
    boards, floats = found.gaps[..., 0], found.gaps[..., 1]
    text = "games between players of different pairing scores"
    return [
        Metric(
            name="float_games",
            title="games between different scores",
            values=complete(results, floats.sum(axis=1)),
            unit="games",
            kind="count",
            better="lower",
            definition=f"Number of {text}, per tournament.",
        ),
        Metric(
            name="float_share",
            title="games between different scores (share)",
            values=complete(results, floats.sum(axis=1)),
            weights=boards.sum(axis=1).astype(np.float64),
            unit="share",
            kind="ratio",
            better="lower",
            definition=f"Share of the {text} among all games.",
        ),
        Metric(
            name="float_share_by_round",
            title="games between different scores by round",
            values=complete(results, floats),
            weights=boards.astype(np.float64),
            dims=("round",),
            labels=(round_labels(results.opponent.shape[1]),),
            unit="share",
            kind="ratio",
            better="lower",
            definition=f"Share of the {text} among the games of the round.",
        ),
    ]


def _differences(results: Results, found: _Floats) -> list[Metric]:
    total, most = found.gaps[..., 2], found.gaps[..., 3]
    return [
        Metric(
            name="float_sum",
            title="sum of score differences",
            values=complete(results, total.sum(axis=1) / 10.0),
            unit="points",
            kind="count",
            better="lower",
            definition="Sum over the games of the difference between the opponents' pairing scores, per tournament.",
        ),
        Metric(
            name="float_sum_by_round",
            title="sum of score differences by round",
            values=complete(results, total / 10.0),
            dims=("round",),
            labels=(round_labels(results.opponent.shape[1]),),
            unit="points",
            kind="count",
            better="lower",
            definition="Sum over the games of the round of the difference between the opponents' pairing scores.",
        ),
        Metric(
            name="float_max",
            title="largest score difference",
            values=complete(results, most.max(axis=1, initial=0) / 10.0),
            unit="points",
            better="lower",
            definition="Largest difference between the pairing scores of two opponents, per tournament.",
        ),
    ]


def _repeated(results: Results, found: _Floats) -> list[Metric]:
    ago = ("previous round", "two rounds ago")
    floated = found.counts[..., 1:].sum(axis=(1, 2))
    text = "floats of a player who floated the same way in the"
    return [
        Metric(
            name="repeated_floats",
            title="repeated floats",
            values=complete(results, found.repeated),
            dims=("ago", "way"),
            labels=(ago, WAYS),
            unit="floats",
            kind="count",
            better="lower",
            definition=f"Number of {text} previous round, or two rounds ago; each way and each distance for itself.",
        ),
        Metric(
            name="repeated_float_share",
            title="repeated floats (share)",
            values=complete(results, found.repeated),
            weights=np.repeat(floated[:, None, :], 2, axis=1).astype(np.float64),
            dims=("ago", "way"),
            labels=(ago, WAYS),
            unit="share",
            kind="ratio",
            better="lower",
            definition=f"Share among all floats of that way of the {text} previous round, or two rounds ago.",
            undefined="nobody floated, or a tournament that was stopped",
        ),
    ]


def _by_quantile(results: Results, found: _Floats) -> list[Metric]:
    counts = found.counts.sum(axis=2)
    return [
        Metric(
            name="floats_by_quantile",
            title="floats by rating",
            values=complete(results, counts[..., 1:]),
            weights=np.repeat(counts[..., :1], 2, axis=2).astype(np.float64),
            dims=("quantile", "way"),
            labels=(QUANTILES, WAYS),
            unit="share",
            kind="ratio",
            definition="Share among the games of the players of a rating quantile of those in which they floated that way.",
            undefined="fewer than four players, or a tournament that was stopped",
        ),
        Metric(
            name="floats_by_quantile_and_round",
            title="floats by rating and round",
            values=complete(results, found.counts[..., 1:]),
            weights=np.repeat(found.counts[..., :1], 2, axis=3).astype(np.float64),
            dims=("quantile", "round", "way"),
            labels=(QUANTILES, round_labels(results.opponent.shape[1]), WAYS),
            unit="share",
            kind="ratio",
            definition="Share among the games of the players of a rating quantile in the round of those in which they "
            "floated that way.",
            undefined="fewer than four players, or a tournament that was stopped",
            resample=False,
        ),
    ]


def metrics(results: Results) -> list[Metric]:
    """Return every metric of floats.

    Parameters
    ----------
    results : Results
        T tournaments.

    Returns
    -------
    list of Metric
        Games between different scores (number, share, by round), score differences, repeated floats, floats by
        quantile.
    """
    found = _follow(results)
    return [metric for group in (_games, _differences, _repeated, _by_quantile) for metric in group(results, found)]


def games(results: Results) -> pd.DataFrame:
    """Return the table of games between different scores and of the score differences.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    found = _follow(results)
    return table(_games(results, found) + _differences(results, found))


def repeated(results: Results) -> pd.DataFrame:
    """Return the table of floats that repeat a float of the previous round or of two rounds ago.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_repeated(results, _follow(results)))


def by_quantile(results: Results) -> pd.DataFrame:
    """Return the table of floats down and up by rating quantile, overall and by round.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_by_quantile(results, _follow(results)))
