"""Ranking quality: how well the order after a round, and at the end, agrees with the true strengths.

The order is strict: points, the named tie-breaks (Buchholz cut 1, Buchholz, Sonneborn-Berger unless told otherwise),
then a seeded lot. Nothing here is defined where all strengths are equal, or for a tournament that was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from swisssim import _metrics
from swisssim.errors import SwissError
from swisssim.metrics import Floats, Metric, complete, in_parts, ratio, round_labels
from swisssim.statistics import table
from swisssim.tiebreaks import DEFAULT_ORDER, final_order, ranks

if TYPE_CHECKING:
    from swisssim.results import Results

#: Sizes k of the top groups that are compared.
TOPS = (1, 3, 8)

_TAU_BINS = (-1.0, 1.0, 200)
_UNDEFINED = "all strengths are equal, or a tournament was stopped"


# ---- measures of one order, vectorised over tournaments


@dataclass(frozen=True)
class _Truth:
    """What the strengths say; one row if all tournaments share the field."""

    rank: Floats  # 1 for the strongest, mean of the ranks where level, (F, n)
    shared: NDArray[np.int32]  # the same, the best of the ranks where level
    order: NDArray[np.intp]  # players, strongest first, level ones by pairing number
    level: NDArray[np.bool_]  # all strengths equal, (F,)


def _truth(strength: Floats) -> _Truth:
    if strength.shape[1] == 0:
        return _Truth(strength, strength.astype(np.int32), strength.astype(np.intp), np.ones(len(strength), bool))
    return _Truth(
        rank=rankdata(-strength, axis=1),
        shared=np.ascontiguousarray(rankdata(-strength, method="min", axis=1), dtype=np.int32),
        order=np.argsort(-strength, axis=1, kind="stable"),
        level=strength.min(axis=1) == strength.max(axis=1),
    )


def _kendall(truth: _Truth, place: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """Return Kendall's tau-a and tau-b of each tournament; NaN where a denominator is 0."""
    counts = np.empty((len(place), 3), np.int64)
    _metrics.kendall(truth.shared, np.ascontiguousarray(place), counts)
    agree, tied, level = counts.T.astype(np.float64)
    pairs = place.shape[1] * (place.shape[1] - 1) / 2.0
    below = np.sqrt((pairs - tied) * (pairs - level))
    return ratio(agree, pairs), ratio(agree, below)


@dataclass(frozen=True)
class _Order:
    """The order after a round, next to the truth."""

    truth: _Truth
    place: NDArray[np.int32]  # strict, (T, n)
    by_points: NDArray[np.int32]  # ranks by points alone, shared where level

    @cached_property
    def taus(self) -> tuple[Floats, Floats]:
        """Kendall's tau-a and tau-b of the order."""
        return _kendall(self.truth, self.place)

    @cached_property
    def taus_of_points(self) -> tuple[Floats, Floats]:
        """Kendall's tau-a and tau-b of the points alone."""
        return _kendall(self.truth, self.by_points)


def _spearman(order: _Order) -> Floats:
    middle = (order.place.shape[1] + 1) / 2.0
    x, y = order.truth.rank - middle, order.place - middle
    above = (x * y).sum(axis=1)
    below = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return ratio(above, below)


def _ndcg(order: _Order) -> Floats:
    players = order.place.shape[1]
    discount = 1.0 / np.log2(np.arange(1, players + 1) + 1.0)
    relevance = players - order.truth.rank
    ideal = (-np.sort(-relevance, axis=1) * discount).sum(axis=1)
    found = (relevance * discount[order.place - 1]).sum(axis=1)
    return ratio(found, ideal)


def _of_player(values: NDArray[np.int32], player: NDArray[np.intp]) -> NDArray[np.int32]:
    """Return one value per tournament: that of the player whose index is given (for each tournament, or for all)."""
    found: NDArray[np.int32] = np.take_along_axis(values, np.broadcast_to(player[:, None], (len(values), 1)), axis=1)
    return found[:, 0]


def _top(order: _Order, k: int) -> Floats:
    tournaments, players = order.place.shape
    if k > players:
        return np.full(tournaments, np.nan)
    best = np.broadcast_to(order.truth.order[:, :k], (tournaments, k))
    overlap: Floats = (np.take_along_axis(order.place, best, axis=1) <= k).mean(axis=1)
    return overlap


def _first(order: _Order) -> Floats:
    return _of_player(order.place, order.truth.order[:, 0]).astype(np.float64)


# ---- metrics


@dataclass(frozen=True)
class _Measure:
    """One measure of an order: what it is, and the function that gives it."""

    name: str
    title: str
    unit: str
    definition: str
    function: Callable[[_Order], Floats]
    better: str = "higher"
    bins: tuple[float, float, int] | None = None


_MEASURES = (
    _Measure(
        "tau",
        "Kendall tau-a",
        "",
        "Kendall's tau-a between the order and the strengths: (concordant - discordant pairs) / (n (n - 1) / 2).",
        lambda order: order.taus[0],
        bins=_TAU_BINS,
    ),
    _Measure(
        "tau_b",
        "Kendall tau-b",
        "",
        "Kendall's tau-b between the order and the strengths: (concordant - discordant pairs) / sqrt of the product of the "
        "numbers of pairs that are not level in the one and in the other (Kendall 1945).",
        lambda order: order.taus[1],
    ),
    _Measure(
        "tau_normalised",
        "pairs in the right order",
        "share",
        "(1 + tau-a) / 2: the share of the pairs that the order has right, level pairs half.",
        lambda order: (1.0 + order.taus[0]) / 2.0,
    ),
    _Measure(
        "tau_points",
        "Kendall tau-a of the points alone",
        "",
        "Kendall's tau-a between the points, without tie-breaks and lots, and the strengths.",
        lambda order: order.taus_of_points[0],
    ),
    _Measure(
        "tau_b_points",
        "Kendall tau-b of the points alone",
        "",
        "Kendall's tau-b between the points, without tie-breaks and lots, and the strengths.",
        lambda order: order.taus_of_points[1],
    ),
    _Measure(
        "spearman",
        "Spearman correlation",
        "",
        "Spearman's rank correlation between the order and the strengths (mean ranks where strengths are level).",
        _spearman,
    ),
    *(
        _Measure(
            f"top_{k}",
            "the strongest wins" if k == 1 else f"overlap of the top {k}",
            "share",
            f"Share of the {k} strongest among the first {k} of the order (level strengths by pairing number).",
            partial(_top, k=k),
        )
        for k in TOPS
    ),
    _Measure(
        "place_of_best",
        "place of the strongest",
        "places",
        "Place of the strongest player in the order (level strengths: the smallest pairing number).",
        _first,
        better="lower",
    ),
    _Measure(
        "ndcg",
        "NDCG",
        "",
        "Normalised discounted cumulative gain: sum of (n - strength rank) / log2(place + 1), divided by the largest "
        "possible (Järvelin, Kekäläinen 2002).",
        _ndcg,
    ),
)


def _quality(results: Results, orders: Sequence[_Order]) -> list[Metric]:
    rounds = round_labels(results.opponent.shape[1])
    found = []
    for measure in _MEASURES:
        by_round = np.stack([measure.function(order) for order in orders], axis=1)
        by_round[np.broadcast_to(orders[0].truth.level, len(by_round))] = np.nan
        undefined = _UNDEFINED
        if measure.name.startswith("top_"):
            undefined = f"fewer players than {measure.name[4:]}, {_UNDEFINED}"
        values = complete(results, by_round)
        for name, part, dims in ((measure.name, values[:, -1], ()), (f"{measure.name}_by_round", values, ("round",))):
            found.append(
                Metric(
                    name=name,
                    title=f"{measure.title} after each round" if dims else measure.title,
                    values=part,
                    dims=dims,
                    labels=(rounds,) if dims else (),
                    unit=measure.unit,
                    definition=measure.definition,
                    better="lower" if measure.better == "lower" else "higher",
                    kind="share" if measure.unit == "share" else "mean",
                    undefined=undefined,
                    bins=measure.bins,
                )
            )
    return found


def _gaps(results: Results) -> list[Metric]:
    tournaments, rounds, _ = results.opponent.shape
    total, boards = np.empty((tournaments, rounds)), np.empty((tournaments, rounds), np.int32)
    _metrics.rating_gaps(results.opponent, results.rounds_paired, results.rating, total, boards)
    definition = "Mean over the games that were paired of the absolute difference between the two ratings"
    return [
        Metric(
            name="rating_gap",
            title="rating difference per game",
            values=complete(results, total.sum(axis=1)),
            weights=boards.sum(axis=1).astype(np.float64),
            unit="rating points",
            kind="ratio",
            definition=f"{definition}.",
        ),
        Metric(
            name="rating_gap_by_round",
            title="rating difference per game by round",
            values=complete(results, total),
            weights=boards.astype(np.float64),
            dims=("round",),
            labels=(round_labels(rounds),),
            unit="rating points",
            kind="ratio",
            definition=f"{definition} of the round.",
        ),
    ]


def _first_meeting(results: Results, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.int16]:
    """Return the round in which two players of each tournament first had a game, 0 for none."""
    found = np.empty(len(results.opponent), np.int16)
    one, other = (np.ascontiguousarray(player[:, None], dtype=np.int32) for player in (first, second))
    _metrics.meetings(results.opponent, results.result, results.rounds_paired, one, other, found)
    return found


def _meetings(results: Results, truth: _Truth) -> list[Metric]:
    tournaments, rounds, players = results.opponent.shape
    met = np.full(tournaments, np.nan)
    if players >= 2:
        met = _first_meeting(results, truth.order[:, 0], truth.order[:, 1]).astype(np.float64)
        met[np.broadcast_to(truth.level, tournaments)] = np.nan
    shares = np.stack([met == r for r in (*range(1, rounds + 1), 0)], axis=1).astype(np.float64)
    shares[np.isnan(met)] = np.nan
    two = "the two strongest players (level strengths by pairing number)"
    return [
        Metric(
            name="best_two_meet",
            title="the two strongest meet",
            values=complete(results, np.where(np.isnan(met), np.nan, met > 0)),
            unit="share",
            kind="share",
            definition=f"Share of the tournaments in which {two} have a game (a forfeit is none).",
            undefined=f"fewer than two players, {_UNDEFINED}",
        ),
        Metric(
            name="meeting_round",
            title="round in which the two strongest meet",
            values=complete(results, np.where(met > 0, met, np.nan)),
            unit="rounds",
            definition=f"Round in which {two} have their first game, where they have one.",
            undefined=f"they never met, fewer than two players, {_UNDEFINED}",
        ),
        Metric(
            name="meeting_round_share",
            title="the two strongest meet, by round",
            values=complete(results, shares),
            dims=("round",),
            labels=((*round_labels(rounds), "never"),),
            unit="share",
            kind="share",
            definition=f"Share of the tournaments in which {two} have their first game in this round.",
            undefined=f"fewer than two players, {_UNDEFINED}",
        ),
    ]


def _leaders(results: Results, before_last: NDArray[np.int32] | None) -> list[Metric]:
    last = np.full(len(results.opponent), np.nan)
    if before_last is not None and results.opponent.shape[2] >= 2:
        leaders = np.argsort(before_last, axis=1)[:, :2]
        opponent = _of_player(results.opponent[:, -1].astype(np.int32), leaders[:, 0])
        last = (opponent == leaders[:, 1]).astype(np.float64)
    return [
        Metric(
            name="leaders_meet_last",
            title="the two leaders meet in the last round",
            values=complete(results, last),
            unit="share",
            kind="share",
            definition="Share of the tournaments in which the first two of the order before the last round are paired in it.",
            undefined="a single round, fewer than two players, or a tournament that was stopped",
        ),
    ]


def _orders(results: Results, order: Sequence[str]) -> list[_Order]:
    """Return the order after each round."""
    if not results.opponent.shape[1]:
        raise SwissError("ranking quality needs at least one round; these results have none")
    drawn, truth = results.lots(), _truth(results.strength)
    return [
        _Order(
            truth,
            final_order(results, lots=drawn, order=order, upto=after),
            ranks(results, order=(), upto=after),
        )
        for after in range(1, results.opponent.shape[1] + 1)
    ]


def _metrics_of(results: Results, order: Sequence[str]) -> list[Metric]:
    orders = _orders(results, order)
    before_last = orders[-2].place if len(orders) > 1 else None
    return (
        _quality(results, orders)
        + _gaps(results)
        + _meetings(results, orders[0].truth)
        + _leaders(results, before_last)
    )


def metrics(results: Results, *, order: Sequence[str] = DEFAULT_ORDER) -> list[Metric]:
    """Return every metric of ranking quality.

    Parameters
    ----------
    results : Results
        T tournaments.
    order : sequence of str, optional
        Names of the tie-breaks after the points; default Buchholz cut 1, Buchholz, Sonneborn-Berger.

    Returns
    -------
    list of Metric
        Kendall's tau (a, b, normalised; of the points alone), Spearman, overlap of the top 1, 3 and 8, place of the
        strongest and NDCG, at the end and after each round; rating differences per game; meetings of the best.

    Raises
    ------
    SwissError
        If a tie-break is unknown or there is no round.
    """
    return in_parts(results, lambda part: _metrics_of(part, order))


def quality(results: Results, *, order: Sequence[str] = DEFAULT_ORDER) -> pd.DataFrame:
    """Return the table of agreement between the order and the strengths, at the end and after each round.

    Parameters
    ----------
    results : Results
    order : sequence of str, optional
        Names of the tie-breaks after the points.

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(in_parts(results, lambda part: _quality(part, _orders(part, order))))


def rating_gaps(results: Results) -> pd.DataFrame:
    """Return the table of rating differences per game, overall and by round.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_gaps(results))


def meetings(results: Results, *, order: Sequence[str] = DEFAULT_ORDER) -> pd.DataFrame:
    """Return the table of the meetings of the two strongest, and of the two leaders in the last round.

    Parameters
    ----------
    results : Results
    order : sequence of str, optional
        Names of the tie-breaks after the points.

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    rounds = results.opponent.shape[1]
    before = final_order(results, lots=results.lots(), order=order, upto=rounds - 1) if rounds > 1 else None
    return table(_meetings(results, _truth(results.strength)) + _leaders(results, before))
