"""Explanations of the rounds of one event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from swisssim.errors import NoPairingError, SwissError
from swisssim.explain import Explanation, Position, explain
from swisssim.tournament._checks import checked_absences
from swisssim.tournament._records import Board, code_of_absence

if TYPE_CHECKING:
    from swisssim.tournament._event import Tournament


def explain_event(
    event: Tournament,
    *,
    round: int | None,
    board: int | None,
    player: int | None,
    absent: Mapping[int, str] | None,
) -> Explanation:
    """Explain a round of an event; see `Tournament.explain`."""
    if board is not None and player is not None:
        raise SwissError(f"board {board} and player {player}: explain one or the other")
    if player is not None:
        event._check_player(player, "explain")
    number = round if round is not None else min(event.round, event.rounds)
    away = _away(event, number, absent)
    state = event._state(number, away)
    state.tracing = True
    boards: list[Board] = []
    bye, error = None, ""
    try:
        boards, bye = event._solve(state, number)
    except NoPairingError as failed:
        error = str(failed)
    if board is not None and not (isinstance(board, int) and 1 <= board <= len(boards)):
        raise SwissError(f"round {number} has no board {board!r}; it has {len(boards)}")
    position = Position(
        state,
        event.arrays(number - 1),
        event.system,
        numbers=event._order,
        names={p: known.name for p, known in event._players.items()},
        round=number,
        rounds=event.rounds,
        paired=not error,
        bye=bye,
    )
    notes = _differences(event, number, boards, bye)
    if player is not None and player in away:
        notes.append(f"player {player} is not in the field: {event._reason(player, number, away[player])}")
    return explain(position, boards, bye, board=board, player=player, error=error, notes=notes)


def _away(event: Tournament, round: int, absent: Mapping[int, str] | None) -> dict[int, int]:
    """Return who is absent from a round: as recorded, as the open pairing has it, or as announced."""
    if isinstance(round, bool) or not isinstance(round, int) or not 1 <= round <= min(event.round, event.rounds):
        last = min(event.round, event.rounds)
        raise SwissError(f"round is {round!r}; explained can be rounds 1 to {last}: those recorded, and the coming one")
    if round < event.round:
        if absent:
            raise SwissError(f"round {round} is recorded; absent= goes with the coming round, {event.round}")
        return event._history[round - 1].away
    if event._open is not None and absent is None:
        return {p: code_of_absence(reason) for p, reason in event._open.absent.items()}
    return event._away(round, {**event._expected(round), **checked_absences(absent)})


def _differences(event: Tournament, round: int, boards: list[Board], bye: int | None) -> list[str]:
    """Say where the recorded round is another than the system's."""
    if round >= event.round or not boards:
        return []
    past = event._history[round - 1]
    other = [f"{white} - {black}" for white, black in past.boards if (white, black) not in boards]
    if past.bye != bye and past.bye is not None:
        other.append(f"{past.bye} bye")
    return [f"the recorded round differs, it has {', '.join(other)}"] if other else []
