"""Dask as the distributed engine: a real scheduler with worker processes on this machine, one of them killed on the way."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

import swisssim
from swisssim import study
from swisssim.errors import SwissError
from tests.studies import LONG, contents, environment, events, finished, small, start, wait_until


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        # "port 0": any that is free
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{kind}-{len(self.processes)}.log").open("wb")
        words = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options, "--no-dashboard"]
        with log:
            process = subprocess.Popen(words, env=environment(), cwd=self.folder, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker process of one thread."""
        options = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny")
        return self._start("worker", "--scheduler-file", str(self.file), *options)

    @property
    def address(self) -> str:
        """The address of the scheduler, when it is there."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with contextlib.suppress(OSError, ValueError):
                return str(json.loads(self.file.read_text())["address"])
            time.sleep(0.05)
        raise TimeoutError("the scheduler doesn't come up")

    def close(self) -> None:
        """End all processes."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        for _ in range(2):
            made.worker()
        with Client(made.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same study, run by one thread."""
    folder = tmp_path_factory.mktemp("whole")
    study.run(small(folder, text=LONG), folder / "out", threads=1, progress=False)
    return folder / "out"


def test_the_cluster_gives_the_same_bytes_though_a_worker_is_killed(
    cluster: Cluster, whole: Path, tmp_path: Path
) -> None:
    doomed = cluster.worker()
    with Client(cluster.address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)
    small(tmp_path, text=LONG)
    out = tmp_path / "out"
    process = start("study", tmp_path / "study.toml", "--out", out, "--no-reports", "--dask", cluster.address)
    wait_until(lambda: finished(out) >= 2, process)
    doomed.kill()
    kept = finished(out)
    said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert kept < 20
    assert contents(out) == contents(whole)
    assert "3 threads of workers" in events(out, "begin")[0]["message"]


def test_simulate_and_compare_on_the_cluster(cluster: Cluster) -> None:
    field = swisssim.Field.uniform(players=9, low=1400, high=2200)
    with Client(cluster.address, timeout=60, set_as_default=False) as client:
        executor = client.get_executor(pure=False)
        results = swisssim.simulate("nordic", field, rounds=4, tournaments=20, block=6, executor=executor)
        found = swisssim.compare(["nordic", "lottery"], field, tournaments=20, block=6, executor=executor)
        executor.shutdown()
    assert results == swisssim.simulate("nordic", field, rounds=4, tournaments=20, threads=1)
    expected = swisssim.compare(["nordic", "lottery"], field, tournaments=20, threads=1)
    assert found.table.equals(expected.table)


def test_a_killed_run_on_the_cluster_is_completed_without_it(cluster: Cluster, whole: Path, tmp_path: Path) -> None:
    small(tmp_path, text=LONG)
    out = tmp_path / "out"
    process = start("study", tmp_path / "study.toml", "--out", out, "--no-reports", "--dask", cluster.address)
    wait_until(lambda: finished(out) >= 1, process)
    process.kill()
    process.communicate()
    assert finished(out) < 20
    study.resume(out, threads=2, progress=False)
    assert contents(out) == contents(whole)


def test_no_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swisssim.study._engine._PATIENCE", 0.5)
    with pytest.raises(SwissError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        study.run(small(tmp_path), tmp_path / "out", dask="tcp://127.0.0.1:9", progress=False)
    assert not os.listdir(tmp_path / "out")


def test_dask_that_is_not_installed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SwissError, match=r"pip install swisssim\[dask\]"):
        study.run(small(tmp_path), tmp_path / "out", dask="tcp://127.0.0.1:9", progress=False)
