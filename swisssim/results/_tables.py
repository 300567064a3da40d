"""Tidy tables made from the compact arrays; `swisssim.results.Results` says what their columns are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import tiebreaks
from swisssim.codes import Code

if TYPE_CHECKING:
    from swisssim.results import Results

_BYES = {Code.PAIRING_BYE: "pairing", Code.HALF_BYE: "half", Code.FULL_BYE: "full", Code.ZERO_BYE: "zero"}
_RESULTS = {Code.WIN: "1", Code.DRAW: "=", Code.LOSS: "0", Code.FORFEIT_WIN: "+", Code.FORFEIT_LOSS: "-"}
_BOTH_FORFEITED, _TO_COME = "x", "?"
_NOBODY = np.iinfo(np.int16).max
# byes looked up in the pairing lists at once
_CHUNK = 10_000


def games(results: Results) -> pd.DataFrame:
    """Return one row per game."""
    t, r, white = np.nonzero((results.opponent >= 0) & (results.colour == 1))
    place = (t * results.rounds + r) * results.opponent.shape[2] + results.board[t, r, white]
    order = np.argsort(place, kind="stable")
    t, r, white = t[order], r[order], white[order]
    black = results.opponent[t, r, white]
    code, other = results.result[t, r, white], results.result[t, r, black]
    score, other_score = results.score[t, r, white], results.score[t, r, black]
    arrived = results.arrived[t, r, white]
    up = np.sign(other_score - score).astype(np.int8)
    forfeit = ((code == Code.FORFEIT_WIN) | (code == Code.FORFEIT_LOSS)).astype(np.int8)
    made: dict[str, Any] = {}
    if results.game_points is not None:
        for name, player in (("white_game_points", white), ("black_game_points", black)):
            made[name] = results.game_points[t, r, player] / 10
    return pd.DataFrame(
        {
            "tournament": (results.first + t).astype(np.int32),
            "round": (r + 1).astype(np.int16),
            "board": results.board[t, r, white] + np.int16(1),
            "white": (white + 1).astype(np.int16),
            "black": black + np.int16(1),
            "result": _symbols(code, other),
            "white_score": results.worth[code] / 10,
            "black_score": results.worth[other] / 10,
            **made,
            "kind": _categories(forfeit, ["played", "forfeit"]),
            "postponed": (arrived > 0) | (code == Code.POSTPONED),
            "arrived": pd.arrays.IntegerArray(arrived, arrived == 0),
            "white_points": score / 10,
            "black_points": other_score / 10,
            "white_float": up,
            "black_float": -up,
        }
    )


def byes(results: Results) -> pd.DataFrame:
    """Return one row per bye."""
    t, r, player = np.nonzero(np.isin(results.result, list(_BYES)))
    code = results.result[t, r, player]
    kind = np.zeros(len(Code), np.int8)
    kind[list(_BYES)] = range(len(_BYES))
    position, minimum = _places(results, t, r, player)
    made = {} if results.game_points is None else {"game_points": results.game_points[t, r, player] / 10}
    return pd.DataFrame(
        {
            "tournament": (results.first + t).astype(np.int32),
            "round": (r + 1).astype(np.int16),
            "player": (player + 1).astype(np.int16),
            "kind": _categories(kind[code], list(_BYES.values())),
            "points": results.worth[code] / 10,
            **made,
            "points_before": results.score[t, r, player] / 10,
            "list_position": pd.arrays.IntegerArray(position, code != Code.PAIRING_BYE),
            "group_minimum": np.where(minimum < _NOBODY, minimum / 10, np.nan),
        }
    )


def players(results: Results, order: Sequence[str]) -> pd.DataFrame:
    """Return one row per player, with the tie-breaks of an order."""
    names = tiebreaks.check_order(order)
    count, _, n = results.opponent.shape
    columns: dict[str, Any] = {
        "tournament": np.repeat(results.numbers.astype(np.int32), n),
        "player": np.tile(np.arange(1, n + 1, dtype=np.int16), count),
        "rating": results.rows("rating").reshape(-1),
        "strength": results.rows("strength").reshape(-1),
        "points": results.points.reshape(-1) / 10,
    }
    if results.game_points is not None:
        columns["game_points"] = tiebreaks.shown(results, "GP").reshape(-1)
    for name in names:
        columns[name] = tiebreaks.shown(results, name).reshape(-1)
    columns["rank"] = tiebreaks.ranks(results, order=names).reshape(-1)
    columns |= {name: total.reshape(-1) for name, total in _totals(results).items()}
    return pd.DataFrame(columns)


def tournaments(results: Results) -> pd.DataFrame:
    """Return one row per tournament."""
    category = np.array([-1, 0, 1], np.int8)  # of no colour, White, and (the last, at -1) Black
    return pd.DataFrame(
        {
            "tournament": results.numbers.astype(np.int32),
            "rounds_paired": results.rounds_paired,
            "stopped": results.stopped,
            "initial_colour": _categories(category[results.initial_colour], ["white", "black"]),
        }
    )


def _categories(codes: NDArray[np.int8], names: list[str]) -> pd.Categorical[Any]:
    """Return names by their places; -1 is a missing value."""
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(names))


def _symbols(code: NDArray[np.int8], other: NDArray[np.int8]) -> pd.Categorical[Any]:
    """Return results as in a crosstable, from White's code and Black's."""
    symbols = [*_RESULTS.values(), _BOTH_FORFEITED, _TO_COME]
    place = np.full(len(Code), symbols.index(_TO_COME), np.int8)
    place[list(_RESULTS)] = range(len(_RESULTS))
    both = (code == Code.FORFEIT_LOSS) & (other == Code.FORFEIT_LOSS)
    return _categories(np.where(both, np.int8(symbols.index(_BOTH_FORFEITED)), place[code]), symbols)


def _places(
    results: Results, t: NDArray[np.intp], r: NDArray[np.intp], player: NDArray[np.intp]
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return where players stand in the pairing lists of their rounds, from 1, and the lowest scores there."""
    position, minimum = np.empty(len(t), np.int16), np.empty(len(t), np.int16)
    for start in range(0, len(t), _CHUNK):
        at = slice(start, start + _CHUNK)
        score, own = results.score[t[at], r[at]], results.score[t[at], r[at], player[at]][:, None]
        listed = (results.opponent[t[at], r[at]] >= 0) | (results.result[t[at], r[at]] == Code.PAIRING_BYE)
        before = (score > own) | ((score == own) & (np.arange(score.shape[1]) < player[at][:, None]))
        position[at] = (listed & before).sum(axis=1) + 1
        minimum[at] = np.where(listed, score, _NOBODY).min(axis=1)
    return position, minimum


def _totals(results: Results) -> dict[str, NDArray[np.int16]]:
    """Count, for each player, colours, byes and floats over the rounds."""
    names = ("whites", "blacks", "pairing_byes", "downfloats", "upfloats")
    totals = {name: np.zeros((len(results), results.opponent.shape[2]), np.int16) for name in names}
    for r in range(results.rounds):
        opponent, result, score = results.opponent[:, r], results.result[:, r], results.score[:, r]
        game = ((result >= Code.WIN) & (result <= Code.LOSS)) | (result == Code.POSTPONED)
        colour = np.where(game, results.colour[:, r], 0)
        other = np.take_along_axis(score, np.maximum(opponent, 0).astype(np.intp), axis=1)
        totals["whites"] += colour == 1
        totals["blacks"] += colour == -1
        totals["pairing_byes"] += result == Code.PAIRING_BYE
        totals["downfloats"] += (opponent >= 0) & (other < score)
        totals["upfloats"] += (opponent >= 0) & (other > score)
    return totals
