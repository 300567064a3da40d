"""Studies survive: killed runs, full disks, Ctrl-C, damaged and foreign files, two runs in one folder."""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
import signal
import subprocess
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from swisssim import cli, study
from swisssim.errors import SwissError
from swisssim.study import _store
from swisssim.study._lock import NAME as LOCK
from swisssim.study._lock import Lock
from tests.studies import LONG, SMALL, command, contents, environment, events, finished, small, start, wait_until


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that nobody has interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    study.run(small(folder, keep_games=True), folder / "out", threads=2, progress=False)
    return folder / "out"


@pytest.fixture(scope="module")
def long_whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a longer study that nobody has interrupted."""
    folder = tmp_path_factory.mktemp("long")
    study.run(small(folder, text=LONG), folder / "out", threads=2, progress=False)
    return folder / "out"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    return shutil.copytree(whole, tmp_path / "copy")


def messages(folder: Path, kind: str = "problem") -> str:
    return "\n".join(event["message"] for event in events(folder, kind))


# ---- killed


@pytest.mark.parametrize("where", [["--threads", "2"], ["--workers", "2"]], ids=["threads", "processes"])
def test_a_killed_run_is_completed_to_the_same_bytes(long_whole: Path, tmp_path: Path, where: list[str]) -> None:
    asked = small(tmp_path, text=LONG)
    out = tmp_path / "out"
    process = start("study", tmp_path / "study.toml", "--out", out, "--no-reports", *where)
    wait_until(lambda: finished(out) >= 2, process)
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    kept = finished(out)
    assert 2 <= kept < len(asked.tasks)
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive, "workers outlive a run that was killed"
    before = {name for name in contents(out) if name.startswith("chunks/") and name.endswith(".parquet")}
    resumed = study.resume(out, threads=2, progress=False)
    assert resumed.finished
    assert "that run is gone" in messages(out, "stale lock")
    assert len(events(out, "chunk")) <= len(asked.tasks) + 1  # those that were kept were not computed again
    assert before <= contents(out).keys()
    assert contents(out) == contents(long_whole)


def test_a_worker_that_is_killed_is_replaced(long_whole: Path, tmp_path: Path) -> None:
    small(tmp_path, text=LONG)
    out = tmp_path / "out"
    process = start("study", tmp_path / "study.toml", "--out", out, "--no-reports", "--workers", "2")
    wait_until(lambda: finished(out) >= 2, process)
    spawned = [child for child in psutil.Process(process.pid).children() if "spawn_main" in " ".join(child.cmdline())]
    spawned[0].kill()
    said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert "a worker died; chunk" in messages(out, "retry")
    assert contents(out) == contents(long_whole)


class OtherVersion(Executor):
    """Computes everything with another version of swisssim."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        found = replace(function(*arguments, **options), fingerprint="0" * 64)
        future: Future[Any] = Future()
        future.set_result(found)
        return future


class Unlucky(Executor):
    """Loses every worker."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("gone"))
        return future


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SwissError, match=r"chunk \d of cell \d .* comes from a worker .* that counts otherwise"):
        study.run(small(tmp_path), tmp_path / "out", executor=OtherVersion(), progress=False)
    assert finished(tmp_path / "out") == 0


def test_workers_that_die_again_and_again_end_the_run(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(SwissError, match=r"the worker of chunk \d+ of cell \d .* died 4 times"):
        study.run(small(tmp_path, keep_games=True), tmp_path / "out", executor=Unlucky(), progress=False)
    study.resume(tmp_path / "out", threads=2, progress=False)
    assert contents(tmp_path / "out") == contents(whole)


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    small(tmp_path, text=LONG)
    out = tmp_path / "out"
    process = start("study", tmp_path / "study.toml", "--out", out, "--threads", "2")
    wait_until(lambda: finished(out) >= 1, process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"go on with: swisssim study --resume {out}" in messages(out, "interrupted")
    assert "Traceback" not in said
    assert not (out / LOCK).exists()
    assert not list(out.rglob("*.tmp"))


@pytest.mark.parametrize("cut", [0, 1, 5, 6, 11, 12])
def test_every_place_to_be_killed_at(copy: Path, whole: Path, cut: int) -> None:
    """The manifest after `cut` chunks, its next line torn, files written beyond it, and a half-written file."""
    lines = (copy / "manifest.jsonl").read_bytes().splitlines(keepends=True)
    torn = lines[cut][:40] if cut < len(lines) else b""
    (copy / "manifest.jsonl").write_bytes(b"".join(lines[:cut]) + torn)
    beside = copy / "chunks" / "cell=1" / ".00003.parquet.1234.tmp"
    beside.write_bytes(b"half")
    (copy / ".tables.abc").mkdir()
    (copy / ".tables.abc" / "summary.csv").write_text("half")
    shutil.rmtree(copy / "tables")
    study.resume(copy, threads=2, progress=False)
    assert contents(copy) == contents(whole)
    assert not messages(copy)
    assert len(events(copy, "chunk")) == 12 + 12 - cut


def test_a_finished_study_is_checked_and_stays(copy: Path, whole: Path) -> None:
    study.resume(copy, threads=1, progress=False)
    assert contents(copy) == contents(whole)
    assert len(events(copy, "chunk")) == 12


# ---- damaged and foreign


def chunk_file(folder: Path, cell: int = 1, chunk: int = 2) -> Path:
    return folder / "chunks" / f"cell={cell}" / f"{chunk:05d}.parquet"


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "gone", "games"])
def test_a_damaged_chunk_is_named_and_computed_again(copy: Path, whole: Path, damage: str) -> None:
    file = chunk_file(copy)
    if damage == "games":
        file = copy / "games" / "cell=1" / "system=nordic" / "00002.parquet"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    spoilt = {"cut": bytes(data[:100]), "empty": b""}
    file.unlink() if damage == "gone" else file.write_bytes(spoilt.get(damage, bytes(data)))
    study.resume(copy, threads=2, progress=False)
    assert contents(copy) == contents(whole)
    assert "damaged chunk 2 of cell 1 (tournaments 20 to 29)" in messages(copy)
    assert file.relative_to(copy).as_posix() in messages(copy)
    assert messages(copy).endswith("it is computed again")
    assert len(events(copy, "chunk")) == 13


def test_a_foreign_chunk_is_named_and_computed_again(copy: Path, whole: Path, tmp_path: Path) -> None:
    other = small(tmp_path, text=f"seeds = 2\n{SMALL}", keep_games=True)
    study.run(other, tmp_path / "other", threads=2, progress=False)
    shutil.copy(chunk_file(tmp_path / "other"), chunk_file(copy))
    study.resume(copy, threads=2, progress=False)
    assert contents(copy) == contents(whole)
    assert "foreign chunk 2 of cell 1" in messages(copy)
    assert "belongs to another study or to other tournaments" in messages(copy)


def test_a_foreign_chunk_with_its_line_is_named_too(copy: Path, whole: Path, tmp_path: Path) -> None:
    other = small(tmp_path, text=f"seeds = 2\n{SMALL}", keep_games=True)
    study.run(other, tmp_path / "other", threads=2, progress=False)
    for folder in ("chunks", "tournaments", "games", "byes", "players", "manifest.jsonl"):
        if (copy / folder).is_dir():
            shutil.rmtree(copy / folder)
            shutil.copytree(tmp_path / "other" / folder, copy / folder)
        else:
            shutil.copy(tmp_path / "other" / folder, copy / folder)
    study.resume(copy, threads=2, progress=False)
    assert contents(copy) == contents(whole)
    assert messages(copy).count("names a chunk of another study") == 12


def test_a_chunk_at_the_wrong_place_is_foreign(copy: Path, whole: Path) -> None:
    shutil.copy(chunk_file(copy, chunk=1), chunk_file(copy, chunk=3))
    study.resume(copy, threads=2, progress=False)
    assert contents(copy) == contents(whole)
    assert "foreign chunk 3 of cell 1" in messages(copy)


def test_files_of_nobody_are_set_aside(copy: Path, whole: Path) -> None:
    stranger = copy / "games" / "cell=1" / "system=nordic" / "99999.parquet"
    shutil.copy(stranger.with_name("00001.parquet"), stranger)
    study.resume(copy, threads=2, progress=False)
    assert not stranger.exists()
    assert "foreign file: games/cell=1/system=nordic/99999.parquet" in messages(copy)
    found = {name: value for name, value in contents(copy).items() if not name.startswith("set-aside/")}
    assert found == contents(whole)
    assert (copy / "set-aside" / stranger.relative_to(copy)).exists()


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense\n",
        b'{"cell": 1}\n',
        b'{"cell": 99, "chunk": 0}\n',
        b'{"cell": 1, "chunk": 0, "fingerprint": "x", "files": {"../../etc/passwd": {"sha256": "0"}}}\n',
        b"[1, 2]\n",
    ],
)
def test_wrong_lines_in_the_manifest_are_named(copy: Path, whole: Path, line: bytes) -> None:
    path = copy / "manifest.jsonl"
    path.write_bytes(path.read_bytes() + line)
    study.resume(copy, threads=2, progress=False)
    assert contents(copy) == contents(whole)
    assert "manifest.jsonl" in messages(copy)


def test_a_chunk_that_is_damaged_while_the_tables_are_made(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chunk_file(copy).write_bytes(b"damaged")
    found = study.read(copy)
    assert found.done == 11
    with pytest.raises(SwissError, match=r"chunk 2 of cell 1 .* is missing; --resume computes it"):
        found.comparison(1)
    monkeypatch.setattr(_store.Store, "_wrong", lambda *_: None)
    with pytest.raises(SwissError, match="was damaged since it was written: chunk 2 of cell 1"):
        found.comparison(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"swisssim": "0.0.9"}, "begun with swisssim 0.0.9"),
        ({"format": 99}, "format 99"),
        ({"kind": "swisssim compare"}, "this is no study"),
        ({"cells": [{}]}, "can't be understood"),
        ({"cells": [{"field": "a", "chunk": 0, "plan": {}}]}, "no configuration of a comparison"),
        ({"shard": "5/2"}, "shard 5/2 does not exist"),
    ],
)
def test_a_study_that_can_not_be_gone_on_with(copy: Path, change: dict[str, Any], message: str) -> None:
    saved = json.loads((copy / "study.json").read_text())
    (copy / "study.json").write_text(json.dumps(saved | change))
    with pytest.raises(SwissError, match=message) as caught:
        study.resume(copy, threads=1, progress=False)
    assert "study.json" in str(caught.value) or "shard" in str(caught.value)


def test_damaged_words_of_the_study(copy: Path) -> None:
    (copy / "study.json").write_bytes(b"{\xff")
    with pytest.raises(SwissError, match="is no JSON file"):
        study.resume(copy, progress=False)


# ---- full disk


def test_a_full_disk_loses_only_what_was_under_way(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    room = [40]
    fsync = os.fsync

    def fill(file: int) -> None:
        room[0] -= 1
        if room[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(file)

    small(tmp_path, keep_games=True)
    out = tmp_path / "out"
    monkeypatch.setattr(os, "fsync", fill)
    words = ["study", str(tmp_path / "study.toml"), "--out", str(out), "--threads", "1", "--keep-games", "--no-reports"]
    assert cli.run(words) == 5
    said = capsys.readouterr().err
    assert "No space left on device; 3 of 12 chunks are kept; go on with: swisssim study --resume" in said
    assert not list(out.rglob("*.tmp"))
    assert finished(out) == 3
    monkeypatch.setattr(os, "fsync", fsync)
    study.resume(out, threads=2, progress=False)
    assert contents(out) == contents(whole)


def test_tables_stay_when_new_ones_can_not_be_written(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(copy / "tables")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("swisssim.study._tables.write_tables", full)
    with pytest.raises(OSError, match="12 of 12 chunks are kept"):
        study.resume(copy, threads=1, progress=False)
    assert contents(copy / "tables") == before
    assert not [path for path in copy.iterdir() if path.name.startswith(".")]


# ---- two runs


def test_a_second_run_is_refused(copy: Path) -> None:
    with Lock(copy):
        said = json.loads((copy / LOCK).read_text())
        assert said["host"] == platform.node()
        assert said["process"] == os.getpid()
        wanted = f"in use by process {os.getpid()} on {platform.node()}, started 20"
        with pytest.raises(SwissError, match=wanted):
            study.resume(copy, threads=1, progress=False)
        refused = subprocess.run(
            command("study", "--resume", copy), env=environment(), capture_output=True, text=True, check=False
        )
        assert refused.returncode == 3
        assert wanted in refused.stderr
        with pytest.raises(SwissError, match=wanted):
            study.run(study.read(copy).study, copy, threads=1, progress=False)
    assert not (copy / LOCK).exists()
    with pytest.raises(SwissError, match="holds a study already; it is gone on with by"):
        study.run(study.read(copy).study, copy, threads=1, progress=False)


def test_a_stale_lock_is_recognised_and_told(copy: Path) -> None:
    holder = {"host": platform.node(), "process": 99, "started": "2026-01-02T03:04:05+00:00"}
    (copy / LOCK).write_text(json.dumps(holder))
    study.resume(copy, threads=1, progress=False)
    said = messages(copy, "stale lock")
    assert f"the lock of process 99 on {platform.node()}, started 2026-01-02T03:04:05+00:00, was left behind" in said


def test_a_lock_of_another_machine_counts_while_it_gives_signs(copy: Path) -> None:
    (copy / LOCK).write_text(json.dumps({"host": "node17", "process": 99, "started": "2026-01-02T03:04:05+00:00"}))
    with pytest.raises(SwissError, match=r"in use by process 99 on node17.* after 120 seconds without a sign"):
        study.resume(copy, threads=1, progress=False)
    long_ago = os.stat(copy / LOCK).st_mtime - 130
    os.utime(copy / LOCK, (long_ago, long_ago))
    study.resume(copy, threads=1, progress=False)
    assert "process 99 on node17" in messages(copy, "stale lock")


def test_a_lock_without_words_is_taken(copy: Path) -> None:
    (copy / LOCK).write_bytes(b"\xff")
    study.resume(copy, threads=1, progress=False)
    assert not (copy / LOCK).exists()


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    asked = small(tmp_path)
    place = tmp_path / "place"
    place.mkdir()
    (place / "thesis.tex").write_text("precious")
    with pytest.raises(SwissError, match=r"holds something else than a study \(thesis.tex\)"):
        study.run(asked, place, progress=False)
    assert [path.name for path in place.iterdir()] == ["thesis.tex"]
    with pytest.raises(SwissError, match="exists and is no folder"):
        study.run(asked, place / "thesis.tex", progress=False)
    with pytest.raises(SwissError, match="holds no shard of a study"):
        study.resume(place, progress=False)
    with pytest.raises(SwissError, match="threads is 0"):
        study.run(asked, tmp_path / "new", threads=0, progress=False)
    study.run(asked, tmp_path / "new", threads=2, progress=False)


def test_one_of_several_shards_is_gone_on_with(tmp_path: Path) -> None:
    asked = small(tmp_path)
    for k in (1, 2):
        study.run(asked, tmp_path / "out", shard=study.Shard(k, 2), threads=2, progress=False)
    with pytest.raises(SwissError, match="holds the shards shard-0001-of-0002, shard-0002-of-0002; say which"):
        study.resume(tmp_path / "out", progress=False)
    chosen = study.resume(tmp_path / "out", shard=study.Shard(2, 2), threads=1, progress=False)
    assert chosen.folder.name == "shard-0002-of-0002"
    assert chosen.shard == study.Shard(2, 2)
