"""Colour balance: how far whites and blacks differ, runs of one colour, due colours missed, and what a White is worth.

A colour counts where the game was played (or is postponed); byes and forfeits have none. Stopped tournaments have no
value. Rating quantiles are those of `swisssim.metrics.QUANTILES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import _metrics
from swisssim.metrics import QUANTILES, Floats, Metric, complete, quantiles, ratio, round_labels
from swisssim.statistics import table

if TYPE_CHECKING:
    from swisssim.results import Results

#: Final differences whites - blacks that are told apart.
DIFFERENCES = ("<= -4", "-3", "-2", "-1", "0", "1", "2", "3", ">= 4")

#: Longest runs of one colour that are told apart.
RUNS = ("0", "1", "2", "3", "4", ">= 5")


@dataclass(frozen=True)
class _Colours:
    """What the compiled loop finds: the meaning of the arrays is that of `_metrics.colours`."""

    difference: NDArray[np.int16]
    longest: NDArray[np.int16]
    imbalance: NDArray[np.int32]
    chances: NDArray[np.int32]
    misses: NDArray[np.int32]


def _follow(results: Results) -> _Colours:
    tournaments, rounds, players = results.opponent.shape
    difference, longest = (np.empty((tournaments, players), np.int16) for _ in range(2))
    imbalance, chances, misses = (np.empty((tournaments, rounds, len(QUANTILES)), np.int32) for _ in range(3))
    _metrics.colours(
        results.opponent,
        results.colour,
        results.result,
        results.rounds_paired,
        quantiles(players),
        difference,
        longest,
        imbalance,
        chances,
        misses,
    )
    return _Colours(difference, longest, imbalance, chances, misses)


def _classes(values: NDArray[np.int16], low: int, high: int) -> Floats:
    """Return the share of players per whole number low..high, the ends open, shape (T, high - low + 1)."""
    kept = np.clip(values, low, high)
    return np.stack([(kept == value).mean(axis=1) for value in range(low, high + 1)], axis=1)


def _by_quantile(values: Floats) -> Floats:
    """Return the mean over the players of each rating quantile, shape (T, 4); NaN for an empty quantile."""
    members = quantiles(values.shape[1])
    parts = [values[:, members == q] for q in range(len(QUANTILES))]
    return np.stack([part.mean(axis=1) if part.shape[1] else np.full(len(part), np.nan) for part in parts], axis=1)


_SIZE = "abs(w - b) of a player's games with White (w) and Black (b) at the end"


def _distribution(results: Results, found: _Colours) -> list[Metric]:
    size = np.abs(found.difference)
    return [
        Metric(
            name="colour_difference",
            title="final colour difference w - b",
            values=complete(results, _classes(found.difference, -4, 4)),
            dims=("difference",),
            labels=(DIFFERENCES,),
            unit="share",
            kind="share",
            definition="Share of the players whose games with White less those with Black come to this number at the end.",
        ),
        *(
            Metric(
                name=f"imbalance_{least}",
                title=f"players with |w - b| >= {least}",
                values=complete(results, (size >= least).mean(axis=1)),
                unit="share",
                better="lower",
                kind="share",
                definition=f"Share of the players with {_SIZE} of at least {least}.",
            )
            for least in (2, 3)
        ),
    ]


def _sizes(results: Results, found: _Colours) -> list[Metric]:
    size = np.abs(found.difference).astype(np.float64)
    return [
        Metric(
            name="imbalance",
            title="colour imbalance |w - b|",
            values=complete(results, size.mean(axis=1)),
            unit="games",
            better="lower",
            definition=f"Mean over the players of {_SIZE}.",
            bins=(0.0, 4.0, 80),
        ),
        Metric(
            name="imbalance_sum",
            title="sum of |w - b|",
            values=complete(results, size.sum(axis=1)),
            unit="games",
            better="lower",
            kind="count",
            definition=f"Sum over the players of {_SIZE}.",
        ),
        Metric(
            name="imbalance_by_quantile",
            title="colour imbalance by rating",
            values=complete(results, _by_quantile(size)),
            dims=("quantile",),
            labels=(QUANTILES,),
            unit="games",
            better="lower",
            definition=f"Mean over the players of a rating quantile of {_SIZE}.",
            undefined="fewer than four players, or a tournament that was stopped",
        ),
        Metric(
            name="imbalance_by_round",
            title="colour imbalance after each round",
            values=complete(results, found.imbalance.sum(axis=2) / max(size.shape[1], 1)),
            dims=("round",),
            labels=(round_labels(results.opponent.shape[1]),),
            unit="games",
            better="lower",
            definition="Mean over the players of abs(w - b) after the round.",
        ),
    ]


_RUN = "the longest run of one colour in a player's played games, unplayed rounds passed over"


def _runs(results: Results, found: _Colours) -> list[Metric]:
    longest = found.longest.astype(np.float64)
    return [
        Metric(
            name="longest_run",
            title="longest run of one colour",
            values=complete(results, longest.mean(axis=1)),
            unit="games",
            better="lower",
            definition=f"Mean over the players of {_RUN}.",
        ),
        Metric(
            name="longest_run_max",
            title="longest run of the tournament",
            values=complete(results, longest.max(axis=1, initial=0)),
            unit="games",
            better="lower",
            definition=f"Maximum over the players of {_RUN}.",
        ),
        Metric(
            name="run_length",
            title="longest run by length",
            values=complete(results, _classes(found.longest, 0, 5)),
            dims=("run",),
            labels=(RUNS,),
            unit="share",
            kind="share",
            definition=f"Share of the players for whom this is {_RUN}.",
        ),
    ]


def _long_runs(results: Results, found: _Colours) -> list[Metric]:
    long = (found.longest >= 3).astype(np.float64)
    return [
        Metric(
            name="runs_3",
            title="players with a run >= 3",
            values=complete(results, long.mean(axis=1)),
            unit="share",
            better="lower",
            kind="share",
            definition=f"Share of the players for whom {_RUN} is at least 3.",
        ),
        Metric(
            name="runs_3_by_quantile",
            title="players with a run >= 3 by rating",
            values=complete(results, _by_quantile(long)),
            dims=("quantile",),
            labels=(QUANTILES,),
            unit="share",
            better="lower",
            kind="share",
            definition=f"Share of the players of a rating quantile for whom {_RUN} is at least 3.",
            undefined="fewer than four players, or a tournament that was stopped",
        ),
    ]


def _due_colours(results: Results, found: _Colours) -> list[Metric]:
    due = "the colour that he has had less often, or the opposite of his last one if level; none before his first game"
    text = f"games of a player with a due colour ({due}) in which he got the other one"
    never = "nobody had a due colour (nobody has one in round 1), or a tournament that was stopped"

    def share(name: str, title: str, axes: tuple[int, ...], dims: tuple[str, ...], labels: tuple[str, ...]) -> Metric:
        return Metric(
            name=name,
            title=title,
            values=complete(results, found.misses.sum(axis=axes)),
            weights=found.chances.sum(axis=axes).astype(np.float64),
            dims=dims,
            labels=(labels,) if dims else (),
            unit="share",
            better="lower",
            kind="ratio",
            definition=f"Share among the games of players with a due colour of the {text}.",
            undefined=never,
        )

    return [
        Metric(
            name="due_misses",
            title="due colours missed",
            values=complete(results, found.misses.sum(axis=(1, 2))),
            unit="games",
            better="lower",
            kind="count",
            definition=f"Number of {text}, both sides of a board counted.",
        ),
        share("due_miss_share", "due colours missed (share)", (1, 2), (), ()),
        share(
            "due_miss_by_round",
            "due colours missed by round",
            (2,),
            ("round",),
            round_labels(results.opponent.shape[1]),
        ),
        share("due_miss_by_quantile", "due colours missed by rating", (1,), ("quantile",), QUANTILES),
    ]


def _points_per_white(results: Results, found: _Colours) -> list[Metric]:
    points = results.points / 10.0
    difference = found.difference.astype(np.float64)
    strength = np.broadcast_to(results.strength, points.shape)
    y, d, x = (values - values.mean(axis=1, keepdims=True) for values in (points, difference, strength))
    xx, dd, xd = (x * x).sum(axis=1), (d * d).sum(axis=1), (x * d).sum(axis=1)
    yx, yd = (y * x).sum(axis=1), (y * d).sum(axis=1)
    spread = xx > 1e-9 * np.maximum((strength * strength).sum(axis=1), 1e-300)
    below = np.where(spread, dd * xx - xd * xd, dd)
    above = np.where(spread, yd * xx - yx * xd, yd)
    defined = (dd > 0) & (below > 1e-9 * np.where(spread, dd * xx, dd))
    slope = ratio(above, np.where(defined, below, 0.0))
    return [
        Metric(
            name="points_per_white",
            title="points per extra White",
            values=complete(results, slope),
            unit="points",
            definition="Coefficient of w - b in the least-squares regression, within a tournament, of the final points on "
            "strength and w - b (on w - b alone if all strengths are equal).",
            undefined="w - b is the same for all players or a linear function of strength, or a tournament was stopped",
        )
    ]


def metrics(results: Results) -> list[Metric]:
    """Return every metric of colour balance.

    Parameters
    ----------
    results : Results
        T tournaments.

    Returns
    -------
    list of Metric
        Final difference w - b and its size, runs of one colour, due colours missed, points per extra White; overall, by
        round and by rating quantile.
    """
    found = _follow(results)
    groups = (_distribution, _sizes, _runs, _long_runs, _due_colours, _points_per_white)
    return [metric for group in groups for metric in group(results, found)]


def balance(results: Results) -> pd.DataFrame:
    """Return the table of final colour differences: distribution, mean size, shares of 2 and 3, by quantile and round.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    found = _follow(results)
    return table(_distribution(results, found) + _sizes(results, found))


def runs(results: Results) -> pd.DataFrame:
    """Return the table of the longest runs of one colour.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    found = _follow(results)
    return table(_runs(results, found) + _long_runs(results, found))


def due_colours(results: Results) -> pd.DataFrame:
    """Return the table of games in which a player did not get his due colour, overall, by round and by quantile.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_due_colours(results, _follow(results)))


def points_per_white(results: Results) -> pd.DataFrame:
    """Return the table with the points that one more game with White brought, strength held equal.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_points_per_white(results, _follow(results)))
