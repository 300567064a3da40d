"""What is asked of the results: tie-breaks of 10,000 tournaments of 100 x 9, metrics and summaries of 64 x 7."""

from __future__ import annotations

from typing import Any

import pytest

import swisssim
from swisssim import byes, colour, floats, ranking, tiebreaks
from swisssim.statistics import Accumulator, summary_table

TOURNAMENTS = 10_000
QUESTIONS = {"colour": colour, "byes": byes, "floats": floats, "ranking": ranking}


def simulated(players: int, rounds: int) -> swisssim.Results:
    field = swisssim.Field.uniform(players=players, low=1400, high=2200)
    return swisssim.simulate("amalfi", field, rounds=rounds, tournaments=TOURNAMENTS, progress=False)


@pytest.fixture(scope="module")
def large() -> swisssim.Results:
    return simulated(100, 9)


@pytest.fixture(scope="module")
def usual() -> swisssim.Results:
    return simulated(65, 7)


@pytest.mark.parametrize("order", [tiebreaks.DEFAULT_ORDER, tuple(tiebreaks.TIEBREAKS)], ids=["usual", "all"])
def test_ranks(cpu: Any, large: swisssim.Results, order: tuple[str, ...]) -> None:
    cpu.extra_info.update(players=100, rounds=9, tournaments=TOURNAMENTS, tie_breaks=len(order))
    found = cpu.pedantic(tiebreaks.ranks, (large,), {"order": order}, rounds=3)
    assert found.shape == (TOURNAMENTS, 100)


@pytest.mark.parametrize("question", QUESTIONS)
def test_metrics(cpu: Any, usual: swisssim.Results, question: str) -> None:
    cpu.extra_info.update(players=65, rounds=7, tournaments=TOURNAMENTS)
    found = cpu.pedantic(QUESTIONS[question].metrics, (usual,), rounds=3)
    assert all(metric.tournaments == TOURNAMENTS for metric in found)


@pytest.mark.parametrize("resamples", [0, 2000])
def test_summary(cpu: Any, usual: swisssim.Results, resamples: int) -> None:
    metrics = [metric for question in QUESTIONS.values() for metric in question.metrics(usual)]
    cpu.extra_info.update(players=65, rounds=7, tournaments=TOURNAMENTS, resamples=resamples)

    def summarise() -> int:
        summary = Accumulator(["amalfi"], resamples=resamples)
        summary.update(0, {"amalfi": metrics})
        return len(summary_table(summary))

    assert cpu.pedantic(summarise, rounds=3) > 500
