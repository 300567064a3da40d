"""Positions to pair: events of a size, played up to a round by the system itself."""

from __future__ import annotations

import swisssim
from swisssim._core import pair_one
from swisssim._state import State
from swisssim.models import model
from swisssim.simulation import Simulation


def simulation(system: str, players: int, rounds: int) -> Simulation:
    """Return a simulation of a usual field: ratings uniform between 1400 and 2200, the default result model."""
    field = swisssim.Field.uniform(players=players, low=1400, high=2200)
    return Simulation(swisssim.system(system), field, rounds, model("milvang2015"))


def before_round(system: str, players: int, round: int, rounds: int) -> State:
    """Return a block of one tournament, played up to a round, which is ready to be paired."""
    played = simulation(system, players, rounds).run(0, count=1)
    history = {name: getattr(played, name).copy() for name in swisssim.Results.HISTORY}
    for name, empty in (("opponent", -1), ("board", -1), ("colour", 0), ("result", 0)):
        history[name][:, round - 1 :] = empty
    state = State(**history, rating=played.rating, initial_colour=played.initial_colour, worth=played.worth.tolist())
    state.load(round - 1)
    return state


def pair_again(state: State, system: swisssim.PairingSystem, round: int) -> int:
    """Pair a round and return the number of boards."""
    return len(pair_one(state, system, round)[0])
