"""What an event is made of: pairings, players, rounds, and the meaning of results as users write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TypeAlias

import numpy as np

from swisssim.codes import NOT_HERE, Code
from swisssim.errors import SwissError

Score: TypeAlias = float | str | Sequence[float]
Board: TypeAlias = tuple[int, int]
Outcome: TypeAlias = tuple[int, int]
ForbiddenPair: TypeAlias = tuple[int, int] | tuple[int, int, int, int]

REASONS = {"half": Code.HALF_BYE, "full": Code.FULL_BYE, "zero": Code.ZERO_BYE}
_GAMES = {1.0: (Code.WIN, Code.LOSS), 0.5: (Code.DRAW, Code.DRAW), 0.0: (Code.LOSS, Code.WIN)}
WORDS = {
    "+-": (Code.FORFEIT_WIN, Code.FORFEIT_LOSS),
    "-+": (Code.FORFEIT_LOSS, Code.FORFEIT_WIN),
    "--": (Code.FORFEIT_LOSS, Code.FORFEIT_LOSS),
    "postponed": (Code.POSTPONED, Code.POSTPONED),
}
SIDES = {1.0: Code.WIN, 0.5: Code.DRAW, 0.0: Code.LOSS}


@dataclass(frozen=True)
class Pairing:
    """The pairing of one round.

    Attributes
    ----------
    round : int
        Number of the round, from 1.
    boards : list of (int, int)
        White and Black of every board, in board order. In a team event each is a match, of the team that has White on
        boards 1, 3, 5, ... and the one that has White on the others.
    bye : int or None
        The player with the pairing-allocated bye.
    absent : dict of int to str
        Who is not paired and why: ``half``, ``full``, ``zero`` (requested byes), ``withdrawn``, ``not arrived``.
    """

    round: int
    boards: list[tuple[int, int]]
    bye: int | None = None
    absent: dict[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"Round {self.round}"]
        lines += [f"{k:>4}  {white:>5} - {black}" for k, (white, black) in enumerate(self.boards, start=1)]
        if self.bye is not None:
            lines.append(f" bye  {self.bye:>5}")
        return "\n".join(lines)


@dataclass
class Player:
    """One player of an event: rating, name, first round, and the round from which he is gone."""

    rating: float
    arrives: int = 1
    leaves: int | None = None
    name: str = ""


@dataclass
class Round:
    """One round that is over: boards with the codes of White and Black, bye, absences; game points of teams in tenths."""

    boards: list[Board]
    codes: list[Outcome]
    bye: int | None
    away: dict[int, int]
    # For each board: the round after which a postponed result became known.
    arrived: dict[int, int] = field(default_factory=dict)
    # For each board of a team event: what White and Black made; empty in an event of individuals.
    game_points: list[tuple[int, int]] = field(default_factory=list)


def is_score(value: object) -> bool:
    """Tell whether this is the score of one side of a game: 1, 0.5 or 0, of any numeric type but truth values."""
    return isinstance(value, Real) and not isinstance(value, bool) and value in SIDES


def codes_of(score: Score, round: int, board: Board) -> Outcome:
    """Return the result codes of White and Black."""
    where = f"round {round}, game {board[0]} - {board[1]}"
    if isinstance(score, str):
        if score not in WORDS:
            raise SwissError(f"{where}: result {score!r} is unknown; use 1, 0.5, 0, {', '.join(map(repr, WORDS))}")
        return WORDS[score]
    if isinstance(score, tuple):
        if len(score) != 2 or not all(map(is_score, score)) or sum(score) > 1:
            raise SwissError(f"{where}: scores {score!r}; both are 1, 0.5 or 0 and sum to 1 at the most")
        return SIDES[score[0]], SIDES[score[1]]
    if isinstance(score, Sequence | np.ndarray):
        raise SwissError(
            f"{where}: {score!r} are the scores of the boards of a match, but this is no team event; make it with boards="
        )
    if not is_score(score):
        raise SwissError(f"{where}: White's score is {score!r}; use 1, 0.5, 0, {', '.join(map(repr, WORDS))}")
    return _GAMES[score]


def code_of_absence(reason: str) -> int:
    """Return the code of an absence: a requested bye, or not here at all."""
    return REASONS.get(reason, NOT_HERE)
