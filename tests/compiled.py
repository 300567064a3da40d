"""The compiled rooms on events of the neutral model: the bridge between the slow twins and the fast code."""

import numpy as np

from swisssim._core import PairingSystem, pair_one
from swisssim._state import State
from swisssim.codes import NOT_HERE
from swisssim.errors import NoPairingError
from tests.adapters import COLOURS, arrays_from_event
from tests.reference.event import Code, Event, NoPairing, Pairing


def state_of(event: Event, *, seed: int = 0, tournament: int = 0) -> State:
    """Return a block of one tournament that holds the history of an event, ready to pair its next round.

    Parameters
    ----------
    event
        The event; its absences and forbidden pairs are those of the round to come.
    seed, tournament
        Seed of the study, and number of the tournament in it.
    """
    virtual = None
    if event.virtual is not None:
        virtual = np.zeros((event.rounds, len(event.ratings)), np.int16)
        virtual[event.round - 1] = event.virtual
    arrays = arrays_from_event(event)
    state = State(
        arrays["opponent"],
        arrays["colour"],
        arrays["result"],
        arrays["board"],
        arrays["score"],
        arrays["arrived"],
        rating=np.asarray([event.ratings], np.float64),
        initial_colour=np.asarray([COLOURS[event.options.initial_colour]], np.int8),
        worth=[event.worth.get(Code(k), 0) if k in set(Code) else 0 for k in range(16)],
        virtual=virtual,
        first=tournament,
        seed=seed,
        forfeits_count_as_met=event.options.forfeits_count_as_met,
    )
    state.load(len(event.history))
    state.forbid([(a - 1, b - 1) for a, b in map(sorted, event.forbidden)])
    for player, code in event.absent.items():
        state.away[0, player - 1] = NOT_HERE if code == Code.ABSENT else code
    return state


def pair(system: PairingSystem, event: Event, *, state: State | None = None) -> Pairing:
    """Pair the next round of an event with a compiled room.

    Parameters
    ----------
    system
        The room.
    event
        The event.
    state
        Its block, made by `state_of`; made here if None.

    Returns
    -------
    tuple
        Boards (white, black) in board order and the player with the bye or None, numbers from 1.

    Raises
    ------
    NoPairing
        As the twins do, if no pairing exists.
    """
    try:
        boards, bye = pair_one(state_of(event) if state is None else state, system, event.round)
    except NoPairingError as error:
        raise NoPairing(str(error)) from error
    return [(white + 1, black + 1) for white, black in boards], None if bye is None else bye + 1


def answer(system: PairingSystem, event: Event, *, state: State | None = None) -> Pairing | None:
    """Pair as `pair` does, with None for "no pairing exists"."""
    try:
        return pair(system, event, state=state)
    except NoPairing:
        return None
