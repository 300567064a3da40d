"""Standings of one event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import tiebreaks
from swisssim.codes import Code
from swisssim.tournament._records import Player

if TYPE_CHECKING:
    from swisssim.tournament._event import Tournament


@dataclass(frozen=True)
class _Block:
    """One event as the tie-breaks want it: arrays of one tournament."""

    opponent: NDArray[np.int16]
    colour: NDArray[np.int8]
    result: NDArray[np.int8]
    arrived: NDArray[np.int8]
    worth: NDArray[np.int16]
    rating: NDArray[np.float64]
    rounds_paired: NDArray[np.int16]
    game_points: NDArray[np.int16] | None


def standings_table(
    event: Tournament, players: Mapping[int, Player], order: Sequence[int], tie_breaks: Sequence[str]
) -> pd.DataFrame:
    """Return the standings of an event; see `Tournament.standings`."""
    arrays = event.arrays()
    worth = np.zeros(16, np.int16)
    worth[: len(event.points.worth)] = event.points.worth
    done = event.round - 1
    block = _Block(
        arrays["opponent"],
        arrays["colour"],
        arrays["result"],
        np.zeros_like(arrays["arrived"]),
        worth,
        np.array([[players[number].rating for number in order]], np.float64),
        np.array([done], np.int16),
        event.game_points(),
    )
    result, colour = block.result[0, :done], block.colour[0, :done]
    game = (result >= Code.WIN) & (result <= Code.LOSS)
    table = pd.DataFrame(
        {
            "rank": tiebreaks.ranks(block, order=tie_breaks)[0],
            "player": list(order),
            "name": [players[number].name for number in order],
            "rating": block.rating[0],
            "points": tiebreaks.points(block)[0] / 10,
        }
    )
    if block.game_points is not None:
        table["game_points"] = tiebreaks.shown(block, "GP")[0]
    for name in tie_breaks:
        table[name] = tiebreaks.shown(block, name)[0]
    table["whites"] = (game & (colour > 0)).sum(axis=0)
    table["blacks"] = (game & (colour < 0)).sum(axis=0)
    table["byes"] = (result == Code.PAIRING_BYE).sum(axis=0)
    table["pending"] = (result == Code.POSTPONED).sum(axis=0)
    return table.sort_values(["rank", "player"], kind="stable", ignore_index=True)
