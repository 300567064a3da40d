"""Whole tournaments: pairing, playing and recording, on one and on two threads."""

from __future__ import annotations

from typing import Any

import pytest

import swisssim

# Players: rounds, tournaments.
SIZES = {20: (9, 200), 100: (9, 50), 1000: (9, 2), 10_000: (5, 1)}
SYSTEMS = sorted(swisssim.SYSTEMS)


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_tournaments(cpu: Any, system: str, players: int) -> None:
    rounds, tournaments = SIZES[players]
    field = swisssim.Field.uniform(players=players, low=1400, high=2200)
    cpu.extra_info.update(system=system, players=players, rounds=rounds, tournaments=tournaments)

    def run() -> swisssim.Results:
        return swisssim.simulate(system, field, rounds=rounds, tournaments=tournaments, threads=1, progress=False)

    results = cpu.pedantic(run, rounds=5, warmup_rounds=1)
    assert results.rounds_paired.min() == rounds


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("system", SYSTEMS)
def test_threads(benchmark: Any, system: str, threads: int) -> None:
    """Wall time, on purpose: what a second thread brings."""
    field = swisssim.Field.uniform(players=100, low=1400, high=2200)
    benchmark.extra_info.update(system=system, players=100, rounds=9, tournaments=400, threads=threads)

    def run() -> swisssim.Results:
        return swisssim.simulate(system, field, rounds=9, tournaments=400, threads=threads, block=50, progress=False)

    assert len(benchmark.pedantic(run, rounds=3, warmup_rounds=1)) == 400
