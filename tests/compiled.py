"""The compiled rooms on events of the neutral model: the bridge between the slow twins and the fast code."""

import numpy as np

from swisssim._core import PairingSystem, pair_one
from swisssim._state import NOT_HERE, State
from swisssim.errors import NoPairingError
from tests.reference.event import Code, Event, Pairing

COLOURS = {"W": 1, "B": -1, "-": 0}


def state_of(event: Event, *, seed: int = 0, tournament: int = 0) -> State:
    """Return a block of one tournament that holds the history of an event, ready to pair its next round.

    Parameters
    ----------
    event
        The event; postponed games stay postponed.
    seed, tournament
        Seed of the study, and number of the tournament in it.
    """
    shape = (1, max(event.rounds, 1), len(event.ratings))
    opponent = np.full(shape, -1, np.int16)
    colour, result, arrived = (np.zeros(shape, np.int8) for _ in range(3))
    board, score = np.full(shape, -1, np.int16), np.zeros(shape, np.int16)
    for k, entries in enumerate(event.history):
        for i, entry in enumerate(entries):
            opponent[0, k, i] = -1 if entry.opponent is None else entry.opponent - 1
            colour[0, k, i] = COLOURS[entry.colour]
            result[0, k, i] = entry.code
    state = State(
        opponent,
        colour,
        result,
        board,
        score,
        arrived,
        np.asarray([event.ratings], np.float64),
        np.asarray([COLOURS[event.options.initial_colour]], np.int8),
        first=tournament,
        seed=seed,
        forfeits_count_as_met=event.options.forfeits_count_as_met,
    )
    state.load(len(event.history))
    state.forbid([(a - 1, b - 1) for a, b in map(sorted, event.forbidden)])
    for player, code in event.absent.items():
        state.away[0, player - 1] = NOT_HERE if code == Code.ABSENT else code
    return state


def pair(system: PairingSystem, event: Event, *, state: State | None = None) -> Pairing | None:
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
    tuple or None
        Boards (white, black) in board order and the player with the bye or None, numbers from 1; None if no pairing exists.
    """
    try:
        boards, bye = pair_one(state or state_of(event), system, event.round)
    except NoPairingError:
        return None
    return [(white + 1, black + 1) for white, black in boards], None if bye is None else bye + 1
