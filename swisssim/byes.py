"""Bye fairness: who gets the pairing-allocated byes, and what they are worth.

Only pairing-allocated byes count here, not the requested ones. The field of a round is everybody who was paired or had
the bye; its pairing list is in the order of pairing score, then pairing number. Stopped tournaments have no value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import _metrics
from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.matches import chances
from swisssim.metrics import QUANTILES, Floats, Metric, complete, in_parts, quantiles, ratio, round_labels
from swisssim.models import Context, Model
from swisssim.statistics import Accumulator, Estimate, derived, table
from swisssim.tiebreaks import final_order

if TYPE_CHECKING:
    from swisssim.results import Results

#: Places in the pairing list, from its end.
POSITIONS = ("last", "2nd last", "3rd last", *(f"{k}th last" for k in range(4, 11)), "higher")

#: Points above the lowest score of the field, in half points (the last class is open).
ABOVE = ("0", "0.5", "1", "1.5", "2", ">= 2.5")

_NUMBERS = 256  # longest list of pairing numbers; larger fields are shown in groups of consecutive numbers
_MAP = 64  # the same for the map of numbers and rounds
_NO_BYE = "no pairing-allocated bye, or a tournament that was stopped"


@dataclass(frozen=True)
class _Byes:
    """Every pairing-allocated bye: arrays of equal length, in the order of rounds, tournaments and players."""

    tournament: NDArray[np.intp]  # row in the block
    round: NDArray[np.intp]  # 0-based
    player: NDArray[np.intp]
    below: NDArray[np.intp]  # players after him in the pairing list
    above: NDArray[np.intp]  # tenths above the lowest score of the field
    peer: NDArray[np.intp]  # the player against whom the bye is valued, -1 none


def _peers(here: NDArray[np.bool_], score: NDArray[np.int16], player: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the lower-median other player of each bye's score group: index k // 2 of the k others in the pairing list.

    Alone in his group he is valued against the next group up, and if there is none, against the next one down.
    """
    rows = np.arange(len(player))
    others = here.copy()
    others[rows, player] = False
    own = score[rows, player].astype(np.int32)[:, None]
    far = np.iinfo(np.int32).max
    gap = np.where(others, score - own, far)
    up = np.where(gap >= 0, gap, far).min(axis=1, initial=far)
    down = np.where(others, gap, -far).max(axis=1, initial=-far)
    group = others & (gap == np.where(up < far, up, down)[:, None])
    middle = group.sum(axis=1) // 2 + 1
    found = np.argmax(group & (np.cumsum(group, axis=1) == middle[:, None]), axis=1) if group.size else player
    return np.where(group.any(axis=1), found, -1)


def _find(results: Results) -> _Byes:
    number = np.arange(results.opponent.shape[2])
    parts: list[tuple[NDArray[np.intp], ...]] = [(np.empty(0, np.intp),) * 6]
    for r in range(results.opponent.shape[1]):
        t, i = np.nonzero(results.result[:, r] == Code.PAIRING_BYE)
        here = (results.opponent[t, r] >= 0) | (results.result[t, r] == Code.PAIRING_BYE)
        score = results.score[t, r]
        own = score[np.arange(len(t)), i][:, None]
        below = (here & ((score < own) | ((score == own) & (number > i[:, None])))).sum(axis=1)
        least = np.where(here, score, np.iinfo(np.int16).max).min(axis=1, initial=np.iinfo(np.int16).max)
        parts.append((t, np.full(len(t), r), i, below, own[:, 0].astype(np.intp) - least, _peers(here, score, i)))
    return _Byes(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _tally(results: Results, byes: _Byes, label: NDArray[np.intp], labels: int, values: Floats | None = None) -> Floats:
    """Return sums of values (default: 1) over the byes per tournament and label, shape (T, labels)."""
    count = len(results.opponent)
    sums = np.bincount(byes.tournament * labels + label, weights=values, minlength=count * labels)
    return sums.astype(np.float64).reshape(count, labels)


def groups(players: int, most: int) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the group of each pairing number, and the labels, so that there are at most so many groups.

    Parameters
    ----------
    players, most : int

    Returns
    -------
    group : ndarray of int, shape (players,)
    labels : tuple of str
        "1", "2", ... or "1-3", "4-6", ...
    """
    size = max(1, -(-players // most))
    starts = range(1, players + 1, size)
    names = tuple(str(k) if size == 1 else f"{k}-{min(k + size - 1, players)}" for k in starts)
    return np.arange(players, dtype=np.intp) // size, names


# ---- who gets the byes


def _share(
    results: Results,
    byes: _Byes,
    label: NDArray[np.intp],
    *,
    about: tuple[str, str, str],
    dim: str,
    labels: tuple[str, ...],
) -> Metric:
    """Return the shares of the byes by label; `about` is name, title and the end of the definition."""
    sums = _tally(results, byes, label, len(labels))
    return Metric(
        name=about[0],
        title=about[1],
        values=complete(results, sums),
        weights=np.repeat(sums.sum(axis=1, keepdims=True), len(labels), axis=1),
        dims=(dim,),
        labels=(labels,),
        unit="share",
        kind="ratio",
        definition=f"Share of the pairing-allocated byes that went to {about[2]}.",
        undefined=_NO_BYE,
    )


def _to_lowest(results: Results, byes: _Byes) -> Metric:
    lowest = _tally(results, byes, (byes.above == 0).astype(np.intp), 2)
    return Metric(
        name="bye_to_lowest",
        title="byes given to the lowest score",
        values=complete(results, lowest[:, 1]),
        weights=lowest.sum(axis=1),
        unit="share",
        kind="ratio",
        definition="Share of the pairing-allocated byes that went to a player with the lowest score of the round's field.",
        undefined=_NO_BYE,
    )


def _who(results: Results, byes: _Byes) -> list[Metric]:
    players = results.opponent.shape[2]
    group, numbers = groups(players, _NUMBERS)
    last = len(POSITIONS) - 1
    return [
        _share(
            results,
            byes,
            quantiles(players)[byes.player].astype(np.intp),
            about=("bye_share_by_quantile", "byes by rating", "players of the rating quantile"),
            dim="quantile",
            labels=QUANTILES,
        ),
        _share(
            results,
            byes,
            np.minimum(byes.below, last),
            about=(
                "bye_share_by_position",
                "byes by place in the pairing list",
                "the player at this place of the list",
            ),
            dim="position",
            labels=POSITIONS,
        ),
        _share(
            results,
            byes,
            np.minimum(byes.above // 5, len(ABOVE) - 1),
            about=(
                "bye_share_above_minimum",
                "byes by points above the lowest score",
                "a player so many points above the lowest score of the round's field (rounded down to half points)",
            ),
            dim="points above",
            labels=ABOVE,
        ),
        _to_lowest(results, byes),
        _share(
            results,
            byes,
            group[byes.player],
            about=("bye_share_by_number", "byes by pairing number", "the players with these pairing numbers"),
            dim="number",
            labels=numbers,
        ),
    ]


def _counts(results: Results, byes: _Byes) -> list[Metric]:
    tournaments, _, players = results.opponent.shape
    had = np.zeros((tournaments, players), np.int16)
    np.add.at(had, (byes.tournament, byes.player), 1)
    return [
        Metric(
            name="byes",
            title="pairing-allocated byes",
            values=complete(results, had.sum(axis=1)),
            unit="byes",
            kind="count",
            definition="Number of pairing-allocated byes per tournament.",
        ),
        Metric(
            name="second_byes",
            title="players with a second bye",
            values=complete(results, (had >= 2).sum(axis=1)),
            unit="players",
            kind="count",
            better="lower",
            definition="Number of players with more than one pairing-allocated bye, per tournament; must be 0.",
        ),
        *_by_number(results, byes, had),
        *_meetings(results),
    ]


def _by_number(results: Results, byes: _Byes, had: NDArray[np.int16]) -> list[Metric]:
    tournaments, rounds, players = results.opponent.shape
    group, numbers = groups(players, _NUMBERS)
    size = np.bincount(group, minlength=len(numbers))
    start = np.searchsorted(group, np.arange(len(numbers)))
    at_least_one = np.add.reduceat(had > 0, start, axis=1, dtype=np.int64) / size if players else had.astype(float)
    coarse, names = groups(players, _MAP)
    cells = _tally(results, byes, coarse[byes.player] * rounds + byes.round, len(names) * rounds)
    by_round = cells.reshape(tournaments, len(names), rounds) / np.bincount(coarse, minlength=len(names))[:, None]
    return [
        Metric(
            name="bye_by_number",
            title="players with a bye by pairing number",
            values=complete(results, at_least_one),
            dims=("number",),
            labels=(numbers,),
            unit="share",
            kind="share",
            definition="Probability that the player with this pairing number has at least one pairing-allocated bye.",
        ),
        Metric(
            name="bye_by_number_and_round",
            title="byes by pairing number and round",
            values=complete(results, by_round),
            dims=("number", "round"),
            labels=(names, round_labels(rounds)),
            unit="share",
            kind="share",
            definition="Probability that the player with this pairing number has the bye in this round.",
            resample=False,
        ),
    ]


def _meetings(results: Results) -> list[Metric]:
    tournaments, rounds, _ = results.opponent.shape
    games, boards = np.empty((2, tournaments, rounds), np.int32)
    _metrics.bye_meetings(results.opponent, results.result, results.rounds_paired, int(Code.PAIRING_BYE), games, boards)
    definition = "Number of games between two players who both had a pairing-allocated bye in earlier rounds"
    return [
        Metric(
            name="bye_meetings",
            title="games between earlier bye holders",
            values=complete(results, games.sum(axis=1)),
            unit="games",
            kind="count",
            definition=f"{definition}, per tournament.",
        ),
        Metric(
            name="bye_meetings_by_round",
            title="games between earlier bye holders by round",
            values=complete(results, games),
            dims=("round",),
            labels=(round_labels(rounds),),
            unit="games",
            kind="count",
            definition=f"{definition}, in the round.",
        ),
    ]


# ---- what a bye is worth


@dataclass(frozen=True)
class _Before:
    """The standings before a round, as models read them."""

    whites: NDArray[np.int16]
    blacks: NDArray[np.int16]
    scores: NDArray[np.int16]


def _before(results: Results, r: int) -> _Before:
    code = results.result[:, :r]
    game = ((code >= Code.WIN) & (code <= Code.LOSS)) | (code == Code.POSTPONED)
    whites, blacks = (((results.colour[:, :r] == side) & game).sum(axis=1, dtype=np.int16) for side in (1, -1))
    return _Before(whites, blacks, results.score)


def _expectations(results: Results, byes: _Byes, model: Model) -> Floats:
    """Return the tenths that each bye's player could expect against his peer, the mean of both colours; NaN without one."""
    out = np.full(len(byes.player), np.nan)
    known = results.strength if results.game_points is None else results.board_strength()
    strength = np.broadcast_to(known, (len(results), *known.shape[1:]))
    win, draw, loss = (float(results.worth[code]) for code in (Code.WIN, Code.DRAW, Code.LOSS))
    for r in np.unique(byes.round):
        chosen = np.flatnonzero((byes.round == r) & (byes.peer >= 0))
        if not len(chosen):
            continue
        t, i, j = byes.tournament[chosen], byes.player[chosen], byes.peer[chosen]
        context = Context(
            round=int(r) + 1,
            rounds=results.opponent.shape[1],
            tournament=results.first + t,
            white=i,
            black=j,
            index=t,
            state=_before(results, int(r)) if model.needs_context else None,
        )
        won, drawn = chances(model, strength[t, i], strength[t, j], context)
        lost, drawn_as_black = chances(model, strength[t, j], strength[t, i], context.mirrored())
        as_white = won * win + drawn * draw + (1 - won - drawn) * loss
        as_black = (1 - lost - drawn_as_black) * win + drawn_as_black * draw + lost * loss
        out[chosen] = (as_white + as_black) / 2
    return out


def _places_lost(results: Results, byes: _Byes, expected: Floats) -> Floats:
    """Return how many places each bye's player would be lower if the bye had been worth its expectation, all else fixed."""
    place = final_order(results, lots=results.lots())
    points = results.points
    out = np.full(len(expected), np.nan)
    for start in range(0, len(expected), 4096):
        part = slice(start, start + 4096)
        t, i = byes.tournament[part], byes.player[part]
        own, here = place[t, i][:, None], place[t]
        made = (points[t, i] - results.worth[Code.PAIRING_BYE] + expected[part])[:, None]
        ahead = (points[t] > made) | ((points[t] == made) & (here < own))
        ahead[np.arange(len(t)), i] = False
        out[part] = np.where(np.isnan(expected[part]), np.nan, ahead.sum(axis=1) + 1 - own[:, 0])
    return out


def _worth(results: Results, byes: _Byes, model: Model | None) -> list[Metric]:
    rounds, players = results.opponent.shape[1:]
    undefined = _NO_BYE if model else "no result model is known"
    expected = _expectations(results, byes, model) if model else np.full(len(byes.player), np.nan)
    gain = (results.worth[Code.PAIRING_BYE] - expected) / 10.0
    change = _places_lost(results, byes, expected) if model else expected
    valued = (~np.isnan(gain)).astype(np.float64)
    text = (
        "points of the bye less the points that the model expects (mean of both colours) against the lower-median other "
        "player of the score group, or of the next group up if he is alone in it"
    )

    def mean(
        name: str, title: str, values: Floats, label: NDArray[np.intp], dims: tuple[str, ...], labels: tuple[str, ...]
    ) -> Metric:
        above = _tally(results, byes, label, max(len(labels), 1), np.nan_to_num(values))
        below = _tally(results, byes, label, max(len(labels), 1), valued)
        return Metric(
            name=name,
            title=title,
            values=complete(results, above if dims else above[:, 0]),
            weights=below if dims else below[:, 0],
            dims=dims,
            labels=(labels,) if dims else (),
            unit="places" if name == "bye_rank_change" else "points",
            kind="ratio",
            definition=(
                "Mean over the byes of the places that the player would be lower in the final order if the bye had been "
                "worth the points the model expects, all else fixed."
                if name == "bye_rank_change"
                else f"Mean over the byes of the {text}."
            ),
            undefined=undefined,
        )

    nowhere = np.zeros(len(gain), np.intp)
    return [
        mean("bye_gain", "bye gain", gain, nowhere, (), ()),
        mean("bye_gain_by_round", "bye gain by round", gain, byes.round, ("round",), round_labels(rounds)),
        mean(
            "bye_gain_by_quantile",
            "bye gain by rating",
            gain,
            quantiles(players)[byes.player].astype(np.intp),
            ("quantile",),
            QUANTILES,
        ),
        mean("bye_rank_change", "places gained by the bye", change, nowhere, (), ()),
    ]


def _model_of(results: Results, model: Model | None) -> Model | None:
    """Return the model that is given, or else the one of the provenance, if there is one."""
    if model is None and "model" in results.provenance:
        return Model.from_dict(results.provenance["model"])
    return model


def _metrics_of(results: Results, model: Model | None) -> list[Metric]:
    byes = _find(results)
    return _counts(results, byes) + _who(results, byes) + _worth(results, byes, model)


# ---- what users call


def metrics(results: Results, *, model: Model | None = None) -> list[Metric]:
    """Return every metric of bye fairness.

    Parameters
    ----------
    results : Results
        T tournaments.
    model : Model, optional
        The result model by which byes are valued; default that of the provenance. Without one the value of a bye is not
        defined.

    Returns
    -------
    list of Metric
        Shares of the byes by rating quantile, place in the pairing list, points above the lowest score and pairing
        number; numbers of byes and of second byes; games between bye holders; bye gain and the places it brings.
    """
    valued_by = _model_of(results, model)
    return in_parts(results, lambda part: _metrics_of(part, valued_by))


def shares(results: Results) -> pd.DataFrame:
    """Return the table of who gets the byes: by rating quantile, pairing list, points above the lowest score, number.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_who(results, _find(results)))


def counts(results: Results) -> pd.DataFrame:
    """Return the table of how often there is a bye, who has one at all or a second one, and games between bye holders.

    Parameters
    ----------
    results : Results

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_counts(results, _find(results)))


def worth(results: Results, *, model: Model | None = None) -> pd.DataFrame:
    """Return the table of what byes are worth: points above the model's expectation, and places in the final order.

    Parameters
    ----------
    results : Results
    model : Model, optional
        Default that of the provenance.

    Returns
    -------
    pandas.DataFrame
        The columns of `swisssim.statistics.table`.
    """
    return table(_worth(results, _find(results), _model_of(results, model)))


def gini(probabilities: Floats) -> Floats:
    """Return the Gini coefficient over the last axis: 0 if all are equal, near 1 if one has all.

    With the n values in rising order, ``2 sum(k x_k) / (n sum(x)) - (n + 1) / n``: half the mean absolute difference
    of two values, divided by the mean (C. Gini 1912).

    Parameters
    ----------
    probabilities : ndarray of float64, shape (..., n)
        Not negative.

    Returns
    -------
    ndarray of float64, shape (...)
        NaN where all are 0.
    """
    rising = np.sort(probabilities, axis=-1)
    n = rising.shape[-1]
    total = rising.sum(axis=-1)
    found: Floats = ratio(2.0 * (rising * np.arange(1, n + 1)).sum(axis=-1), n * total) - (n + 1.0) / n
    return found


def total_variation(one: Floats, other: Floats) -> Floats:
    """Return the total variation distance over the last axis, half the sum of the absolute differences: 0..1.

    Parameters
    ----------
    one, other : ndarray of float64, shape (..., n)
        Two distributions.

    Returns
    -------
    ndarray of float64, shape (...)
    """
    distance: Floats = np.abs(one - other).sum(axis=-1) / 2.0
    return distance


def concentration(
    summary: Accumulator, system: str, *, against: str | None = None
) -> dict[Literal["gini", "total_variation"], Estimate]:
    """Return how unequally byes fall on the pairing numbers: Gini coefficient, and distance to another system.

    Both are computed from the shares of the byes by pairing number. The standard errors are the standard deviations of
    their bootstrap resamples. Chance differences between the shares add to both, so they fall towards their limit as
    the number of tournaments grows.

    Parameters
    ----------
    summary : Accumulator
        With the metrics of this module and bootstrap resamples.
    system : str
    against : str, optional
        The system of the distance, usually ``"lottery"``; default no distance.

    Returns
    -------
    dict of str to Estimate
        ``"gini"`` and, if `against` is given, ``"total_variation"``.

    Raises
    ------
    SwissError
        If there is no such system, or the summary holds no shares of byes or no resamples.
    """
    if not summary.resamples:
        raise SwissError("the concentration of byes needs bootstrap resamples; this summary has none")
    name = "bye_share_by_number"

    def shares_of(which: str) -> tuple[Floats, Floats]:
        means = np.array([estimate.mean for estimate in summary.estimates(which, name)])
        return summary.resampled(which, name), means

    drawn, means = shares_of(system)
    found: dict[Literal["gini", "total_variation"], Estimate] = {"gini": derived(gini(drawn), float(gini(means)))}
    if against is not None:
        others, other = shares_of(against)
        distance = float(total_variation(means, other))
        found["total_variation"] = derived(total_variation(drawn, others), distance)
    return found
