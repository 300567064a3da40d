"""Matches of a team event as users write them: board scores, or words for a whole match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

import numpy as np

from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.points import TeamScoring
from swisssim.tournament._records import SIDES, WORDS, Board, Outcome, is_score

GamePoints: TypeAlias = tuple[int, int]

_TENTHS = {Code.WIN: 10, Code.DRAW: 5, Code.LOSS: 0}


def match_of(score: object, round: int, match: Board, *, teams: TeamScoring) -> tuple[Outcome, GamePoints]:
    """Return the result codes of the two teams of a match, and their game points in tenths.

    Parameters
    ----------
    score : sequence of float, or str
        The first team's score on each board, or ``"+-"``, ``"-+"``, ``"--"``, ``"postponed"`` for the whole match.
    round : int
        The round, for messages.
    match : (int, int)
        The teams, the one with White on board 1 first.
    teams : TeamScoring
        The scoring of the event.

    Raises
    ------
    SwissError
        If that is no result of a match; the message names the match and the board.
    """
    where, boards = f"round {round}, match {match[0]} - {match[1]}", teams.boards
    if isinstance(score, str):
        if score not in WORDS:
            raise SwissError(f"{where}: result {score!r} is unknown; give the {boards} board scores, or {_words()}")
        first, second = WORDS[score]
        return (first, second), (teams.unplayed[first], teams.unplayed[second])
    if not isinstance(score, Sequence | np.ndarray):
        raise SwissError(
            f"{where}: result {score!r}; give the first team's score on each of the {boards} boards, such as "
            f"{[1, 0.5, 0, 1][:boards] + [0.5] * (boards - 4)}, or {_words()}"
        )
    if len(score) != boards:
        raise SwissError(f"{where}: {len(score)} board scores, {list(score)}; a match has {boards} boards")
    made = sum(_TENTHS[_side(value, f"{where}, board {k}")] for k, value in enumerate(score, start=1))
    left = 10 * boards - made
    if made == left:
        return (Code.DRAW, Code.DRAW), (made, left)
    return ((Code.WIN, Code.LOSS) if made > left else (Code.LOSS, Code.WIN)), (made, left)


def _side(value: object, where: str) -> Code:
    """Return the code of the first team's score on a board."""
    if not is_score(value):
        raise SwissError(
            f"{where}: the first team's score is {value!r}; use 1, 0.5 or 0, and the second team has the rest "
            "(a board won or lost without a game counts 1 or 0 too; scores that don't sum to 1 are not supported)"
        )
    return SIDES[float(cast(float, value))]


def _words() -> str:
    return ", ".join(map(repr, WORDS)) + " for a whole match"
