"""Bridges between the neutral event model and the package: arrays in both directions, and `Tournament` objects.

Arrays are those of `swisssim.results.Results`, one tournament at a time: rows are rounds, columns are players from 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tests.invariants import check_round
from tests.reference.event import Board, Code, Entry, Event, Options, Pairing

Table = Any
"""Two dimensions, [round][player]: an array or nested lists."""

LETTERS = {1: "W", -1: "B", 0: "-"}
COLOURS = {letter: number for number, letter in LETTERS.items()}


def rounds_from_arrays(
    opponent: Table,
    colour: Table,
    result: Table,
    ratings: Sequence[float],
    *,
    board: Table,
    arrived: Table | None = None,
    rounds: int | None = None,
    options: Options | None = None,
    worth: Mapping[Code, int] | None = None,
    virtual: Table | None = None,
    forbidden: Mapping[int, set[frozenset[int]]] | None = None,
) -> Iterator[tuple[Event, Pairing]]:
    """Yield every round of one tournament: the event as it was known then, and the pairing.

    Parameters
    ----------
    opponent, colour, result, board, arrived
        Arrays of one tournament (rounds, players) as `Results` defines them; only rounds that were reached.
    ratings
        Of players 1..n.
    rounds
        Number of rounds announced; as many as there are rows if None.
    options
        Options of the pairing system.
    worth
        Tenths of a point for each code, if not the usual ones.
    virtual
        Virtual points in tenths (rounds, players).
    forbidden
        Round (from 1) to the pairs (numbers from 1) that must not meet in it.
    """
    announced = len(result) if rounds is None else rounds
    for number in range(1, len(result) + 1):
        event = Event([float(rating) for rating in ratings], announced, options or Options())
        event.history = [
            [_entry(opponent, colour, result, board, arrived, (past, p), number) for p in range(len(ratings))]
            for past in range(number - 1)
        ]
        event.virtual = None if virtual is None else [int(points) for points in virtual[number - 1]]
        event.forbidden = (forbidden or {}).get(number, set())
        if worth is not None:
            event.worth = worth
        codes = [Code(int(code)) for code in result[number - 1]]
        event.absent = {
            p: code
            for p, code in enumerate(codes, start=1)
            if code in (Code.ABSENT, Code.FULL_BYE, Code.HALF_BYE, Code.ZERO_BYE)
        }
        yield event, _pairing(opponent[number - 1], colour[number - 1], board[number - 1], codes)


def _entry(
    opponent: Table, colour: Table, result: Table, board: Table, arrived: Table | None, at: tuple[int, int], number: int
) -> Entry:
    """Return one entry as it was known when round `number` was paired."""
    past, player = at
    other, place = int(opponent[past][player]), int(board[past][player])
    known_after = 0 if arrived is None else int(arrived[past][player])
    code = Code.POSTPONED if known_after >= number else Code(int(result[past][player]))
    return Entry(
        code,
        None if other < 0 else other + 1,
        LETTERS[int(colour[past][player])],
        0 if code == Code.POSTPONED else known_after,
        None if place < 0 else place + 1,
    )


def _pairing(opponent: Sequence[int], colour: Sequence[int], board: Sequence[int], codes: Sequence[Code]) -> Pairing:
    """Return the boards in board order and the bye of one round."""
    boards: dict[int, Board] = {}
    for player, (other, side, number) in enumerate(zip(opponent, colour, board, strict=True), start=1):
        if side > 0:
            assert int(number) not in boards, f"board {number} stands twice"
            boards[int(number)] = (player, int(other) + 1)
    assert sorted(boards) == list(range(len(boards))), f"boards are numbered {sorted(boards)}"
    byes = [player for player, code in enumerate(codes, start=1) if code == Code.PAIRING_BYE]
    assert len(byes) <= 1, f"byes for players {byes}"
    return [boards[number] for number in sorted(boards)], byes[0] if byes else None


def check_arrays(
    opponent: Table,
    colour: Table,
    result: Table,
    ratings: Sequence[float],
    *,
    system: str,
    **more: Any,
) -> int:
    """Check the invariants in every round of one tournament, and return how many rounds there were.

    Further keywords are those of `rounds_from_arrays`.
    """
    checked = 0
    for event, (boards, bye) in rounds_from_arrays(opponent, colour, result, ratings, **more):
        _check_mirrored(opponent[checked], colour[checked])
        check_round(event, boards, bye, system=system)
        checked += 1
    return checked


def _check_mirrored(opponent: Sequence[int], colour: Sequence[int]) -> None:
    """Assert that both players of a game name each other, with opposite colours."""
    for player, other in enumerate(opponent):
        if other >= 0:
            assert opponent[other] == player, f"{player + 1} names {other + 1}, who names {opponent[other] + 1}"
            assert colour[other] == -colour[player] != 0, f"colours of {player + 1} and {other + 1}"
        else:
            assert colour[player] == 0, f"player {player + 1} has a colour without an opponent"


def check_results(results: Any, tournament: int, *, options: Options | None = None) -> int:
    """Check every round of one tournament of a `Results` object (from 0), and return how many were paired."""
    paired = int(results.rounds_paired[tournament])
    rating = results.rating[tournament if len(results.rating) > 1 else 0]
    arrays = {
        name: getattr(results, name)[tournament, :paired]
        for name in ("opponent", "colour", "result", "board", "arrived")
    }
    return check_arrays(
        **arrays,
        ratings=rating,
        system=results.system,
        rounds=results.result.shape[1],
        options=options,
        worth=worth_of(results.worth),
    )


def check_tournament(tournament: Any, *, system: str, options: Options | None = None, **more: Any) -> int:
    """Check every recorded round of a `Tournament`, and return how many there were.

    `virtual` and `forbidden` are keywords of `rounds_from_arrays`, in the order of the arrays: by rating.
    """
    recorded = tournament.round - 1
    arrays = tournament.arrays()
    names = ("opponent", "colour", "result", "board", "arrived")
    return check_arrays(
        **{name: arrays[name][0, :recorded] for name in names},
        ratings=sorted(tournament.ratings, reverse=True),
        system=system,
        rounds=tournament.rounds,
        options=options,
        worth=worth_of(tournament.points.worth),
        **more,
    )


def worth_of(tenths: Sequence[int]) -> dict[Code, int]:
    """Return the tenths of a point for each code."""
    return {code: int(tenths[code]) for code in Code}


def arrays_from_event(event: Event) -> dict[str, np.ndarray]:
    """Return the history as arrays (1, rounds announced, players) with the dtypes of `Results`.

    Keys: opponent, colour, result, board, score, arrived. A game whose result is still to come is `POSTPONED`.
    """
    shape = (1, event.rounds, len(event.ratings))
    arrays: dict[str, np.ndarray] = {
        "opponent": np.full(shape, -1, np.int16),
        "colour": np.zeros(shape, np.int8),
        "result": np.zeros(shape, np.int8),
        "board": np.full(shape, -1, np.int16),
        "score": np.zeros(shape, np.int16),
        "arrived": np.zeros(shape, np.int8),
    }
    for r, entries in enumerate(event.history):
        arrays["score"][0, r] = event.past_scores[r]
        for p, entry in enumerate(entries):
            arrays["opponent"][0, r, p] = -1 if entry.opponent is None else entry.opponent - 1
            arrays["colour"][0, r, p] = COLOURS[entry.colour]
            arrays["board"][0, r, p] = -1 if entry.board is None else entry.board - 1
            arrays["result"][0, r, p] = entry.code
            arrays["arrived"][0, r, p] = entry.arrived
    return arrays
