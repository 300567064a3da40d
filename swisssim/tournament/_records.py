"""What an event is made of: pairings, players, rounds, and the meaning of results as users write them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.points import Points, tenths

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
_LARGEST_SCORE = 32_767  # tenths
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


def checked_rating(value: float, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SwissError(f"{what} is {value!r}, not a number") from None
    if not math.isfinite(number) or number < 0:
        raise SwissError(f"{what} is {value!r}; it must be a number from 0 (unrated) up")
    return number


def check_descending(ratings: Sequence[float]) -> None:
    if len(ratings) < 2:
        raise SwissError(f"{len(ratings)} players: a tournament needs at least 2")
    for k in range(1, len(ratings)):
        if ratings[k] > ratings[k - 1]:
            raise SwissError(
                f"ratings are not descending: player {k + 1} has {ratings[k]:g}, player {k} {ratings[k - 1]:g}; "
                "sort them, or pass sort=True"
            )


def check_rounds(rounds: int, players: int) -> None:
    if isinstance(rounds, bool) or not isinstance(rounds, int | np.integer):
        raise SwissError(f"rounds is {rounds!r}; it must be a whole number from 1")
    most = players if players % 2 else players - 1
    if not 1 <= rounds <= most:
        raise SwissError(f"rounds is {rounds}; {players} players can play 1 to {most} rounds without a rematch")


def checked_virtual_points(
    given: Mapping[int, Sequence[float]], check_player: Callable[[object, str], None]
) -> dict[int, list[int]]:
    """Return virtual points in tenths, or raise an error that names what is wrong."""
    found = {}
    for player, values in given.items():
        check_player(player, "virtual_points")
        found[int(player)] = [tenths(value, f"virtual points of player {player}") for value in values]
    return found


def checked_ban(
    pair: ForbiddenPair, rounds: int, check_player: Callable[[object, str], None]
) -> tuple[int, int, int, int]:
    """Return a forbidden pair with its first and last round, or raise an error that names what is wrong."""
    if len(pair) not in (2, 4):
        raise SwissError(f"forbidden: {pair!r} is not (a, b) or (a, b, first round, last round)")
    for player in pair[:2]:
        check_player(player, "forbidden")
    if pair[0] == pair[1]:
        raise SwissError(f"forbidden: {pair!r} names the same player twice")
    first, last = pair[2:] if len(pair) == 4 else (1, rounds)
    if not 1 <= first <= last:
        raise SwissError(f"forbidden: {pair!r} has rounds {first}..{last}; the first comes before the last, from 1")
    return pair[0], pair[1], first, last


def check_span(points: Points, rounds: int, virtual: Mapping[int, Sequence[int]]) -> None:
    """Raise an error if scores could grow beyond what the arrays of a history hold."""
    most = max(points.worth) * rounds + max((value for values in virtual.values() for value in values), default=0)
    if most > _LARGEST_SCORE:
        raise SwissError(
            f"scores could reach {most / 10:g} points in {rounds} rounds, virtual points included; "
            f"at most {_LARGEST_SCORE / 10:g} can be handled"
        )


def codes_of(score: Score, round: int, board: Board) -> Outcome:
    """Return the result codes of White and Black."""
    where = f"round {round}, game {board[0]} - {board[1]}"
    if isinstance(score, str):
        if score not in WORDS:
            raise SwissError(f"{where}: result {score!r} is unknown; use 1, 0.5, 0, {', '.join(map(repr, WORDS))}")
        return WORDS[score]
    if isinstance(score, tuple):
        if len(score) != 2 or any(isinstance(s, bool) or s not in SIDES for s in score) or sum(score) > 1:
            raise SwissError(f"{where}: scores {score!r}; both are 1, 0.5 or 0 and sum to 1 at the most")
        return SIDES[score[0]], SIDES[score[1]]
    if isinstance(score, Sequence | np.ndarray):
        raise SwissError(
            f"{where}: {score!r} are the scores of the boards of a match, but this is no team event; make it with boards="
        )
    if isinstance(score, bool) or score not in _GAMES:
        raise SwissError(f"{where}: White's score is {score!r}; use 1, 0.5, 0, {', '.join(map(repr, WORDS))}")
    return _GAMES[score]


def check_boards(results: Mapping[Board, Score], boards: list[Board], number: int) -> None:
    """Raise an error unless the results are those of the boards of a round, each of them."""
    for given in results:
        if given not in boards:
            board = tuple(given) if isinstance(given, Iterable) else (given,)
            if board[::-1] in boards:
                raise SwissError(f"round {number}: {board} was paired as {board[::-1]}: White stands first")
            raise SwissError(f"round {number}: {given!r} was not paired; the boards are {boards}")
    missing = [board for board in boards if board not in results]
    if missing:
        raise SwissError(f"round {number}: results are missing for {missing}; give 'postponed' where one is to come")
