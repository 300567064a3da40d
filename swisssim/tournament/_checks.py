"""Requests to an event, held against what an event can be; every error names the value and says what would be right."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from swisssim.errors import SwissError
from swisssim.points import tenths
from swisssim.tournament._records import Board, ForbiddenPair, Score


def checked_rating(value: float, what: str) -> float:
    try:
        number = math.nan if isinstance(value, str | bytes | bool | np.bool_) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number) and not isinstance(value, float | np.floating):
        raise SwissError(f"{what} is {value!r}, not a number")
    if not math.isfinite(number) or number < 0:
        raise SwissError(f"{what} is {value!r}; it must be a number from 0 (unrated) up")
    return number


def checked_ratings(ratings: Iterable[float]) -> list[float]:
    if isinstance(ratings, Mapping | str | bytes) or not isinstance(ratings, Iterable):
        raise SwissError(f"ratings is {ratings!r}; it must be a list with the rating of player 1, of player 2, ...")
    return [checked_rating(value, f"rating of player {k}") for k, value in enumerate(ratings, start=1)]


def check_descending(ratings: Sequence[float]) -> None:
    if len(ratings) < 2:
        raise SwissError(f"{len(ratings)} players: a tournament needs at least 2")
    for k in range(1, len(ratings)):
        if ratings[k] > ratings[k - 1]:
            raise SwissError(
                f"ratings are not descending: player {k + 1} has {ratings[k]:g}, player {k} {ratings[k - 1]:g}; "
                "sort them, or pass sort=True"
            )


def is_whole(value: object) -> bool:
    """Tell whether this is a whole number, of Python or numpy, and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_rounds(rounds: int, players: int) -> None:
    if not is_whole(rounds):
        raise SwissError(f"rounds is {rounds!r}; it must be a whole number from 1")
    most = players if players % 2 else players - 1
    if not 1 <= rounds <= most:
        raise SwissError(f"rounds is {rounds}; {players} players can play 1 to {most} rounds without a rematch")


def check_player(player: object, players: Collection[int], where: str) -> None:
    if not is_whole(player):
        raise SwissError(f"{where}: {player!r} is no player; players are whole numbers")
    if player not in players:
        numbers = sorted(players)
        known = f"{numbers[0]}..{numbers[-1]}" if numbers[-1] - numbers[0] < len(numbers) else str(numbers)
        raise SwissError(f"{where}: there is no player {player}; players are {known}")


def checked_absences(absent: Mapping[int, str] | None) -> Mapping[int, str]:
    """Return the absences of a round, none if none are given."""
    return checked_mapping({} if absent is None else absent, "absent", "{7: 'half', 9: 'zero'}")


def checked_mapping(given: Mapping[Any, Any], what: str, example: str) -> Mapping[Any, Any]:
    """Return a mapping as it is; raise an error for anything else."""
    if not isinstance(given, Mapping):
        raise SwissError(f"{what} is a {type(given).__name__}; it must be a mapping such as {example}")
    return given


def checked_virtual(
    given: Mapping[int, Sequence[float]] | None, *, players: Collection[int], rounds: int
) -> dict[int, list[int]]:
    """Return virtual points in tenths."""
    checked = {}
    for player, values in checked_mapping({} if given is None else given, "virtual_points", "{1: [1, 1, 0.5]}").items():
        check_player(player, players, "virtual_points")
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise SwissError(
                f"virtual_points of player {player} is {values!r}; it must be a list of the points for round 1, 2, ..."
            )
        found = [
            tenths(value, f"virtual points of player {player} in round {r}") for r, value in enumerate(values, start=1)
        ]
        if len(found) > rounds:
            raise SwissError(
                f"virtual_points of player {player} are {len(found)} values; the event has {rounds} rounds"
            )
        checked[int(player)] = found
    return checked


def checked_forbidden(pair: ForbiddenPair, *, players: Collection[int], rounds: int) -> tuple[int, int, int, int]:
    """Return a forbidden pair with the first and the last round in which it is forbidden."""
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) not in (2, 4):
        raise SwissError(f"forbidden: {pair!r} is not (a, b) or (a, b, first_round, last_round)")
    for player in pair[:2]:
        check_player(player, players, "forbidden")
    if pair[0] == pair[1]:
        raise SwissError(f"forbidden: {pair!r} names the same player twice")
    first, last = pair[2:] if len(pair) == 4 else (1, rounds)
    if not (is_whole(first) and is_whole(last) and 1 <= first <= last):
        raise SwissError(
            f"forbidden: {pair!r} has rounds {first!r}..{last!r}; they are whole numbers, the first from 1 to the last"
        )
    return pair[0], pair[1], first, last


def check_boards(results: Mapping[Board, Score], boards: list[Board], number: int) -> None:
    """Raise an error unless the results are those of the boards of a round, each of them."""
    known = set(boards)
    for given in checked_mapping(results, f"round {number}: results", "{(1, 6): 1.0, (7, 2): 0.5}"):
        if given not in known:
            board = tuple(given) if isinstance(given, Iterable) else (given,)
            if board[::-1] in known:
                raise SwissError(f"round {number}: {board} was paired as {board[::-1]}: White stands first")
            raise SwissError(f"round {number}: {given!r} was not paired; the boards are {boards}")
    missing = [board for board in boards if board not in results]
    if missing:
        raise SwissError(f"round {number}: results are missing for {missing}; give 'postponed' where one is to come")


def check_named(boards: Iterable[Board], others: Iterable[int], *, players: Collection[int], number: int) -> None:
    """Raise an error unless a round names every player once: on a board (White, Black), or among the others."""
    named = list(others)
    for board in boards:
        if not isinstance(board, tuple) or len(board) != 2:
            raise SwissError(f"round {number}: {board!r} is no board; a board is (white, black)")
        named += board
    for player in named:
        check_player(player, players, f"round {number}")
    twice = sorted(player for player, times in Counter(named).items() if times > 1)
    if twice:
        raise SwissError(
            f"round {number}: player {twice[0]} is named more than once; a round is one game for each, "
            "and matches of three are not supported"
        )
    missing = sorted(set(players) - set(named))
    if missing:
        raise SwissError(
            f"round {number}: players {missing} are in no game; name them in absent= (half, full, zero) or as bye="
        )
