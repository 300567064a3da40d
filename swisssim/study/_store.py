"""The folder of a study: its chunks, each written completely or not at all, and the manifest that vouches for them."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swisssim.errors import SwissError
from swisssim.statistics import Accumulator
from swisssim.study._chunk import GAMES, ROWS, SUMS, Chunk, fingerprint, paths, said, unpacked
from swisssim.study._design import Shard, Study, Task

STUDY = "study.json"
MANIFEST = "manifest.jsonl"
TABLES = "tables"
LOG = "log.jsonl"
ASIDE = "set-aside"
DATA = (SUMS, ROWS, *GAMES)


@dataclass(frozen=True)
class Problem:
    """A chunk or a file that isn't what it should be."""

    what: str
    file: str
    reason: str
    file_alone: bool = False  # not of any chunk

    def __str__(self) -> str:
        return f"{self.what}: {self.file} {self.reason}"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is complete, and on the disk, or not there.

    Parameters
    ----------
    path : pathlib.Path
    data : bytes

    Raises
    ------
    OSError
        If it can't be written; whatever stood there stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def checksum(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def is_study(folder: Path) -> bool:
    """Tell whether a folder holds a study."""
    return (folder / STUDY).is_file()


class Store:
    """The folder of a study or of a shard of it.

    ``study.json`` says what the study is, ``manifest.jsonl`` has a line for each finished chunk with the checksums of its
    files. A chunk counts only if its line and all its files are there and agree with each other and with the study.

    Attributes
    ----------
    folder : pathlib.Path
    study : Study
    shard : Shard or None
    done : dict of Task to dict
        The lines of the manifest by chunk.
    """

    def __init__(self, folder: Path, study: Study, shard: Shard | None) -> None:
        self.folder, self.study, self.shard = folder, study, shard
        self.done: dict[Task, dict[str, Any]] = {}

    @classmethod
    def create(cls, folder: Path, study: Study, shard: Shard | None) -> Store:
        """Begin a study in a folder that exists and holds none."""
        words = study.to_dict() | ({"shard": str(shard)} if shard else {})
        write_whole(folder / STUDY, f"{json.dumps(words, indent=1, ensure_ascii=False)}\n".encode())
        return cls(folder, study, shard)

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open the study in a folder; `verify` tells which of its chunks are good.

        Raises
        ------
        SwissError
            If there is none, or it is of another version.
        """
        file = folder / STUDY
        if not folder.is_dir():
            raise SwissError(f"{folder} is no folder; a study is begun with: swisssim study STUDY.toml --out {folder}")
        if not file.is_file():
            raise SwissError(f"{folder} holds no study: it has no {STUDY}")
        try:
            saved = json.loads(file.read_text(encoding="utf-8"))
            study = Study.from_dict(saved)
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            raise SwissError(f"{file} is no JSON file: {error}") from None
        except SwissError as error:
            raise SwissError(f"{file}: {error}") from error
        return cls(folder, study, Shard.of(str(saved["shard"])) if "shard" in saved else None)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The chunks that belong here."""
        return self.study.part(self.shard)

    @property
    def missing(self) -> list[Task]:
        """The chunks that are still to be computed."""
        return [task for task in self.tasks if task not in self.done]

    # ---- chunks in

    def add(self, task: Task, chunk: Chunk) -> None:
        """Write the files of a chunk, then its line in the manifest.

        Raises
        ------
        SwissError
            If the chunk is another one than the task asked for: its worker has another version.
        OSError
            If the disk is full, or something else is wrong with it; the chunk isn't there then.
        """
        cell = self.study.cell(task)
        wanted = paths(cell, task)
        if chunk.fingerprint != fingerprint(cell.text, task.first, task.count) or wanted.keys() != chunk.files.keys():
            raise SwissError(
                f"{task} comes from a worker ({chunk.worker}) that counts otherwise: it has another version"
            )
        line = self._line(task, chunk.fingerprint, {path: chunk.files[key] for key, path in wanted.items()})
        for key, path in wanted.items():
            write_whole(self.folder / path, chunk.files[key])
        with open(self.folder / MANIFEST, "ab") as file:
            file.write(f"{json.dumps(line, sort_keys=True)}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        self.done[task] = line

    @staticmethod
    def _line(task: Task, own: str, files: dict[str, bytes]) -> dict[str, Any]:
        return {
            "cell": task.cell,
            "chunk": task.chunk,
            "first": task.first,
            "count": task.count,
            "fingerprint": own,
            "files": {path: {"bytes": len(data), "sha256": checksum(data)} for path, data in files.items()},
        }

    # ---- what is there

    def verify(self, tick: Callable[[], None] = lambda: None) -> list[Problem]:
        """Read every file again and keep the chunks that are good; leftovers and strange files are put out of the way.

        Parameters
        ----------
        tick : callable
            Called after each chunk.

        Returns
        -------
        list of Problem
            What was damaged or foreign. Chunks that are simply not there are no problem.
        """
        self._sweep()
        problems = self.look(tick) + self._set_strangers_aside()
        self.write_manifest()
        return problems

    def look(self, tick: Callable[[], None] = lambda: None) -> list[Problem]:
        """Find the chunks that are good, as `verify`, but leave everything as it is."""
        lines, problems = self._manifest()
        self.done = {}
        for task in self.tasks:
            line = lines.pop((task.cell, task.chunk), None)
            if line is not None:
                problem = self._wrong(task, line)
                if problem is None:
                    self.done[task] = line
                else:
                    problems.append(problem)
            tick()
        problems += [
            Problem("foreign chunk", MANIFEST, f"names chunk {k} of cell {c}, which isn't here") for c, k in lines
        ]
        return problems

    def _manifest(self) -> tuple[dict[tuple[int, int], dict[str, Any]], list[Problem]]:
        """Return the lines of the manifest by cell and chunk, and what is wrong with the others."""
        found, problems = {}, []
        path = self.folder / MANIFEST
        text = path.read_bytes() if path.exists() else b""
        lines = text.split(b"\n")
        for number, words in enumerate(lines, 1):
            if not words:
                continue
            try:
                line = json.loads(words)
                found[int(line["cell"]), int(line["chunk"])] = line
            except (ValueError, KeyError, TypeError, RecursionError):
                if number < len(lines):  # the last one was being written when the run was killed
                    problems.append(Problem("damaged line", f"{MANIFEST}, line {number}", "can't be understood"))
        return found, problems

    def _wrong(self, task: Task, line: dict[str, Any]) -> Problem | None:
        """Return what is wrong with a chunk, if anything is."""
        cell = self.study.cell(task)
        own = fingerprint(cell.text, task.first, task.count)
        if line.get("fingerprint") != own:
            return Problem(f"foreign {task}", MANIFEST, "names a chunk of another study, or of another version")
        files = line.get("files")
        wanted = set(paths(cell, task).values())
        if not isinstance(files, dict) or files.keys() != wanted:
            return Problem(f"damaged {task}", MANIFEST, "doesn't name the files of this chunk")
        for path in sorted(wanted):
            reason = self._wrong_file(path, files[path], own)
            if reason:
                kind = "foreign" if reason.startswith("belongs") else "damaged"
                return Problem(f"{kind} {task}", path, reason)
        return None

    def _wrong_file(self, path: str, about: Any, own: str) -> str:
        try:
            data = (self.folder / path).read_bytes()
        except FileNotFoundError:
            return "is not there"
        if isinstance(about, dict) and checksum(data) == about.get("sha256"):
            return ""
        found = said(data).get("fingerprint", own)
        return "has a wrong checksum" if found == own else "belongs to another study or to other tournaments"

    def _sweep(self) -> None:
        """Remove what a killed run has left half-written."""
        for folder in (self.folder, *(self.folder / name for name in DATA)):
            for path in folder.glob(".*.tmp") if folder == self.folder else folder.rglob(".*.tmp"):
                path.unlink(missing_ok=True)
        for path in self.folder.glob(f".{TABLES}.*"):
            shutil.rmtree(path, ignore_errors=True)

    def _files(self) -> Iterator[str]:
        for name in DATA:
            for path in sorted((self.folder / name).rglob("*")):
                if path.is_file() or path.is_symlink():
                    yield path.relative_to(self.folder).as_posix()

    def _set_strangers_aside(self) -> list[Problem]:
        """Move files that are no part of a finished chunk, so that nobody reads them along with the others."""
        good = {path for line in self.done.values() for path in line["files"]}
        expected = {path for task in self.tasks for path in paths(self.study.cell(task), task).values()}
        problems = []
        for path in self._files():
            if path in expected and path not in good:
                (self.folder / path).unlink()  # of a chunk that wasn't finished, or was named above
            elif path not in good:
                aside = self.folder / ASIDE / path
                aside.parent.mkdir(parents=True, exist_ok=True)
                (self.folder / path).replace(aside)
                problems.append(
                    Problem("foreign file", path, f"is no part of this study; it was moved into {ASIDE}", True)
                )
        return problems

    def write_manifest(self) -> None:
        """Write the manifest afresh, in order."""
        lines = [json.dumps(self.done[task], sort_keys=True) for task in self.tasks if task in self.done]
        write_whole(self.folder / MANIFEST, "".join(f"{line}\n" for line in lines).encode())

    # ---- chunks out

    def files(self, task: Task) -> dict[tuple[str, str], bytes]:
        """Return the files of a finished chunk.

        Raises
        ------
        SwissError
            If one was damaged since it was written; the chunk is named.
        """
        return {key: self._checked(task, path) for key, path in paths(self.study.cell(task), task).items()}

    def sums(self, task: Task) -> Accumulator:
        """Return the sums of a finished chunk.

        Raises
        ------
        SwissError
            If the file was damaged since it was written; the chunk is named.
        """
        path = paths(self.study.cell(task), task)[SUMS, ""]
        data = self._checked(task, path)
        try:
            return unpacked(data)
        except SwissError as error:
            raise SwissError(f"{self.folder / path} ({task}): {error}") from error

    def _checked(self, task: Task, path: str) -> bytes:
        try:
            data = (self.folder / path).read_bytes()
        except FileNotFoundError:
            data = b""
        if checksum(data) != self.done[task]["files"][path]["sha256"]:
            raise SwissError(
                f"{self.folder / path} was damaged since it was written: {task}; --resume computes it again"
            )
        return data


def full_disk(error: OSError) -> bool:
    """Tell whether a disk is full, or the share of it that a user may have."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)
