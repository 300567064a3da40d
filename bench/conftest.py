"""Benchmarks measure CPU time, so that a busy machine disturbs them less."""

from __future__ import annotations

import time
from typing import Any

import pytest


def pytest_benchmark_update_machine_info(machine_info: dict[str, Any]) -> None:
    """Leave the machine's name out of saved results."""
    machine_info.pop("node", None)


@pytest.fixture
def cpu(benchmark: Any) -> Any:
    """The benchmark fixture with the processor's clock: seconds of CPU of this process, all threads together."""
    benchmark._timer = time.process_time
    return benchmark
