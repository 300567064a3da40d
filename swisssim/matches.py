"""Matches of teams: what a model of games says about the boards of a match, and about the match itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swisssim.models import Context, Model, Probabilities

Floats = NDArray[np.float64]


def board_probabilities(model: Model, first: Floats, second: Floats, context: Context) -> Probabilities:
    """Return how likely White wins and how likely the game is drawn, on every board of matches.

    The first team of a match has White on boards 1, 3, 5, ..., the second on the others.

    Parameters
    ----------
    model : Model
        A model of games; it is asked once, for all boards of all matches.
    first, second : ndarray of float64
        ``(matches, boards)``: strengths of the two teams' boards.
    context : Context
        Of the matches, with the first team as White. The model sees the team that has White on the board as White; scores
        are match points, and colours those of board 1.

    Returns
    -------
    win, draw : ndarray of float64
        ``(boards, matches)``: for the board's White.
    """
    boards, matches = first.shape[1], first.shape[0]
    white, black = first.T.copy(), second.T.copy()
    white[1::2], black[1::2] = second.T[1::2], first.T[1::2]
    if model.needs_context:
        context = _of_boards(context, boards, matches)
    win, draw = model(white.reshape(-1), black.reshape(-1), context)
    return win.reshape(boards, matches), draw.reshape(boards, matches)


def _of_boards(context: Context, boards: int, matches: int) -> Context:
    """Return the context of all boards of matches, board after board."""

    def on_boards(odd: Any, even: Any) -> NDArray[Any]:
        rows = np.empty((boards, matches), np.asarray(odd).dtype)
        rows[::2], rows[1::2] = odd, even
        return rows.reshape(-1)

    return replace(
        context,
        tournament=on_boards(context.tournament, context.tournament),
        white=on_boards(context.white, context.black),
        black=on_boards(context.black, context.white),
        index=on_boards(context.index, context.index),
        board=np.repeat(np.arange(1, boards + 1), matches),
    )


def match_probabilities(win: Floats, draw: Floats) -> Probabilities:
    """Return how likely the first team wins a match and how likely the match is drawn.

    The boards are independent; the distribution of the first team's half points is the convolution of those of its
    boards.

    Parameters
    ----------
    win, draw : ndarray of float64
        ``(boards, matches)``, as `board_probabilities` returns them.

    Returns
    -------
    win, draw : ndarray of float64
        ``(matches,)``.
    """
    boards, matches = win.shape
    chance = np.zeros((2 * boards + 1, matches))  # of so many half points
    chance[0] = 1.0
    for k in range(boards):
        two = win[k] if k % 2 == 0 else 1.0 - win[k] - draw[k]
        grown = chance * (1.0 - two - draw[k])
        grown[1:] += chance[:-1] * draw[k]
        grown[2:] += chance[:-2] * two
        chance = grown
    return chance[boards + 1 :].sum(axis=0), chance[boards]


def chances(model: Model, white: Floats, black: Floats, context: Context) -> Probabilities:
    """Return how likely White wins and how likely it ends in a draw, game or match.

    Parameters
    ----------
    model : Model
        A model of games.
    white, black : ndarray of float64
        ``(games,)``: strengths of players; or ``(matches, boards)``: strengths of the boards of teams, of which White has
        White on board 1.
    context : Context
        What else the model may know.

    Returns
    -------
    win, draw : ndarray of float64
        One entry for each game or match.
    """
    if white.ndim == 1:
        return model(white, black, context)
    return match_probabilities(*board_probabilities(model, white, black, context))
