"""Single rounds: large fields in the middle of an event, and the search's worst cases, n - 1 rounds for n players."""

from __future__ import annotations

from typing import Any

import pytest

import swisssim
from bench.positions import before_round, pair_again, simulation

SYSTEMS = sorted(swisssim.SYSTEMS)


@pytest.mark.parametrize("players", [20, 100, 1000, 10_000])
@pytest.mark.parametrize("system", SYSTEMS)
def test_round_5_of_11(cpu: Any, system: str, players: int) -> None:
    state, room = before_round(system, players, 5, 11), swisssim.system(system)
    cpu.extra_info.update(system=system, players=players, round=5)
    assert cpu.pedantic(pair_again, (state, room, 5), rounds=5, warmup_rounds=1) == players // 2


@pytest.mark.parametrize("players", range(6, 41, 2))
@pytest.mark.parametrize("system", SYSTEMS)
def test_as_many_rounds_as_there_are_opponents(cpu: Any, system: str, players: int) -> None:
    event = simulation(system, players, players - 1)
    cpu.extra_info.update(system=system, players=players, rounds=players - 1)
    results = cpu.pedantic(event.run, (0,), {"count": 1}, rounds=3, warmup_rounds=1)
    assert results.rounds_paired[0] >= players // 2


@pytest.mark.parametrize(("players", "rounds"), [(100, 99), (200, 50), (200, 199)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_long_events(cpu: Any, system: str, players: int, rounds: int) -> None:
    event = simulation(system, players, rounds)
    cpu.extra_info.update(system=system, players=players, rounds=rounds)
    results = cpu.pedantic(event.run, (0,), {"count": 1}, rounds=1)
    assert results.rounds_paired[0] >= 20
