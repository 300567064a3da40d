"""Running a study in a folder, going on with it, joining its shards, and reading it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pandas as pd

from swisssim.compare import Comparison
from swisssim.errors import SwissError
from swisssim.study import _tables
from swisssim.study._chunk import Chunk
from swisssim.study._design import Shard, Study
from swisssim.study._engine import Engine, chunks, engine
from swisssim.study._lock import NAME as LOCK
from swisssim.study._lock import Lock
from swisssim.study._progress import Progress
from swisssim.study._store import LOG, MANIFEST, TABLES, Problem, Store, full_disk, is_study
from swisssim.study._tables import Report

_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow")
_PLACE = str | os.PathLike[str]


@dataclass(frozen=True)
class StudyFolder:
    """A study, or a shard of one, on the disk.

    Attributes
    ----------
    folder : pathlib.Path
    study : Study
    shard : Shard or None
    chunks : int
        How many chunks belong here.
    done : int
        How many of them are finished.
    """

    folder: Path
    study: Study
    shard: Shard | None
    chunks: int
    done: int

    @property
    def finished(self) -> bool:
        """Whether every chunk is there."""
        return self.done == self.chunks

    @property
    def cells(self) -> pd.DataFrame:
        """One row per comparison of the grid: cell, field, players, rounds, model, seed, tournaments."""
        return self._table("cells")

    @property
    def summary(self) -> pd.DataFrame:
        """Every metric that has one value per tournament, for each cell and system; columns as in a comparison's."""
        return self._table("summary")

    def _table(self, name: str) -> pd.DataFrame:
        path = self.folder / TABLES / f"{name}.csv"
        if not path.exists():
            raise SwissError(f"{self.folder} has no tables yet: {self.done} of {self.chunks} chunks are finished")
        return pd.read_csv(path)

    def comparison(self, cell: int = 1) -> Comparison:
        """Return one of the comparisons, for figures and reports.

        Parameters
        ----------
        cell : int
            Its number, from 1.

        Returns
        -------
        Comparison

        Raises
        ------
        SwissError
            If there is no such cell, or a chunk of it is missing or damaged.
        """
        if not 1 <= cell <= len(self.study.cells):
            raise SwissError(f"cell is {cell}; this study has the cells 1 to {len(self.study.cells)}")
        store = Store.open(self.folder)
        store.look()
        missing = [task for task in self.study.cells[cell - 1].tasks if task not in store.done]
        if missing:
            raise SwissError(f"{self.folder}: {missing[0]} is missing; --resume computes it")
        return _tables.comparison(store, self.study.cells[cell - 1])


def read(folder: _PLACE) -> StudyFolder:
    """Return the study in a folder; every file is checked.

    Parameters
    ----------
    folder : str or path-like

    Returns
    -------
    StudyFolder

    Raises
    ------
    SwissError
        If there is none.
    """
    store = Store.open(Path(folder))
    store.look()
    return _result(store)


def run(
    study: Study,
    out: _PLACE,
    *,
    shard: Shard | None = None,
    workers: int | None = None,
    threads: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    report: Report | None = None,
    progress: bool = True,
) -> StudyFolder:
    """Run a study into a new folder.

    Parameters
    ----------
    study : Study
    out : str or path-like
        The folder; a shard makes a folder of its own in it.
    shard : Shard, optional
        Compute only a part of the chunks; `merge` joins the parts.
    workers, threads, dask, executor
        Where the chunks are computed: in processes, in threads (default, on all processors), on a Dask cluster by the
        address of its scheduler, or by any `concurrent.futures.Executor`. It doesn't change a byte of the results.
    report : callable, optional
        Writes the report of a comparison to a path, for instance `swisssim.report.write`.
    progress : bool
        Show rate, time left and chunks done: a line on a terminal, JSON lines on standard error elsewhere.

    Returns
    -------
    StudyFolder

    Raises
    ------
    SwissError
        If the folder holds something else, or a study already, or is in use.
    OSError
        If it can't be written; the chunks that are finished are kept.
    """
    folder = Path(out) / shard.name if shard is not None else Path(out)
    _make_place(folder)
    with engine(workers=workers, threads=threads, dask=dask, executor=executor) as made, Lock(folder) as lock:
        if is_study(folder):
            raise SwissError(f"{folder} holds a study already; it is gone on with by: swisssim study --resume {folder}")
        store = Store.create(folder, study, shard)
        return _complete(store, lock, made, [], report=report, progress=progress)


def resume(
    folder: _PLACE,
    *,
    shard: Shard | None = None,
    workers: int | None = None,
    threads: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    report: Report | None = None,
    progress: bool = True,
) -> StudyFolder:
    """Go on with a study whose run ended early, to the result of one that wasn't interrupted, byte for byte.

    Every file is checked. Chunks that are damaged, or of another study, are named and computed again.

    Parameters
    ----------
    folder : str or path-like
        What `run` was given.
    shard : Shard, optional
        Which shard, if the folder holds several.
    workers, threads, dask, executor, report, progress
        As in `run`.

    Returns
    -------
    StudyFolder

    Raises
    ------
    SwissError
        If there is no study, or it is in use, or of another version.
    OSError
        If it can't be written; the chunks that are finished are kept.
    """
    place = _find(Path(folder), shard)
    store = Store.open(place)
    with engine(workers=workers, threads=threads, dask=dask, executor=executor) as made, Lock(place) as lock:
        problems = store.verify(lock.sign)
        return _complete(store, lock, made, problems, report=report, progress=progress)


def merge(
    folders: Iterable[_PLACE], out: _PLACE | None = None, *, report: Report | None = None, progress: bool = True
) -> StudyFolder:
    """Join the shards of a study.

    Parameters
    ----------
    folders : iterable of str or path-like
        Shards, or folders with shards in them.
    out : str or path-like, optional
        The folder of the whole study; by default the one folder that holds all the shards.
    report, progress
        As in `run`.

    Returns
    -------
    StudyFolder

    Raises
    ------
    SwissError
        If a folder holds no shard, the shards are of different studies, or chunks are missing: those that are there have
        been joined then, and the message says how to go on.
    """
    places = [Path(folder) for folder in folders]
    sources = [Store.open(place) for folder in places for place in _shards(folder)]
    if not sources:
        raise SwissError("there is nothing to join: name at least one folder with shards")
    study = sources[0].study
    for source in sources:
        if source.study.fingerprint != study.fingerprint:
            raise SwissError(f"{source.folder} is of another study than {sources[0].folder}: they can't be joined")
    if out is None and (len(places) != 1 or is_study(places[0])):
        raise SwissError("where shall the joined study stand? Name a folder with --out")
    target = Path(out) if out is not None else places[0]
    _make_place(target)
    with Lock(target) as lock:
        store = Store.open(target) if is_study(target) else Store.create(target, study, None)
        if store.study.fingerprint != study.fingerprint or store.shard is not None:
            raise SwissError(f"{target} holds another study, or a shard; the joined study needs a folder of its own")
        problems = store.verify(lock.sign)
        return _join(sources, store, lock, problems, report, progress)


def _join(
    sources: list[Store], store: Store, lock: Lock, problems: list[Problem], report: Report | None, progress: bool
) -> StudyFolder:
    """Copy the chunks of shards into a study and write its tables."""
    for source in sources:
        found = source.look(lock.sign)
        problems += [Problem(problem.what, str(source.folder / problem.file), problem.reason) for problem in found]
    shown = Progress(store, show=progress)
    try:
        _tell(shown, lock, problems, "left out")
        for source in sources:
            for task, line in source.done.items():
                if task not in store.done:
                    chunk = Chunk(line["fingerprint"], source.files(task), 0.0, str(source.folder))
                    store.add(task, chunk)
                    shown.chunk(task, chunk)
                lock.sign()
        if store.missing:
            raise SwissError(
                f"{len(store.missing)} of {len(store.tasks)} chunks are in none of the shards, first {store.missing[0]}: "
                f"finish the shards with --resume and merge again, or compute the rest by: "
                f"swisssim study --resume {store.folder}"
            )
        _finish(store, lock, shown, report)
    finally:
        shown.close()
    return _result(store)


def _complete(
    store: Store, lock: Lock, made: Engine, problems: list[Problem], *, report: Report | None, progress: bool
) -> StudyFolder:
    """Compute the chunks that are missing and write the tables."""
    shown = Progress(store, show=progress)
    try:
        _tell(shown, lock, problems, "computed again")
        if store.missing:
            versions = {name: version(name) for name in _LIBRARIES}
            shown.note("begin", f"{store.study.name}: {_state(store)}, on {made.words}", **shown.numbers(), **versions)
            for task, chunk in chunks(made, store.study, store.missing, tick=lock.sign, retried=shown.retry):
                store.add(task, chunk)
                shown.chunk(task, chunk)
        _finish(store, lock, shown, report)
    except KeyboardInterrupt:
        shown.note("interrupted", f"interrupted: {_kept(store)}")
        raise
    except OSError as error:
        if full_disk(error):
            raise OSError(
                error.errno, f"{error.strerror}; {_kept(store)}", error.filename or str(store.folder)
            ) from error
        raise
    finally:
        shown.close()
    return _result(store)


def _finish(store: Store, lock: Lock, shown: Progress, report: Report | None) -> None:
    """Put the manifest in order and, unless this is a shard, write the tables."""
    store.write_manifest()
    if store.shard is None:
        shown.note("tables", f"{store.study.name}: writing the tables")
        _tables.write(store, report=report, tick=lock.sign)
    shown.note("end", f"{store.study.name}: {_state(store)}", **shown.numbers())


def _tell(shown: Progress, lock: Lock, problems: list[Problem], what: str) -> None:
    """Tell what was found in the folder before the work begins."""
    if lock.stale:
        shown.note("stale lock", f"the lock of {lock.stale}, was left behind: that run is gone, and this one goes on")
    for problem in problems:
        shown.note("problem", f"{problem}{'' if problem.file_alone else f'; it is {what}'}")


def _state(store: Store) -> str:
    tournaments = sum(task.count for task in store.done)
    part = f" of shard {store.shard}" if store.shard else ""
    return f"{len(store.done)} of {len(store.tasks)} chunks{part} are finished, {tournaments:,} tournaments"


def _kept(store: Store) -> str:
    return (
        f"{len(store.done)} of {len(store.tasks)} chunks are kept; go on with: swisssim study --resume {store.folder}"
    )


def _result(store: Store) -> StudyFolder:
    return StudyFolder(store.folder, store.study, store.shard, len(store.tasks), len(store.done))


def _make_place(folder: Path) -> None:
    """Make a folder, or check that the one that stands there is empty or a study's."""
    if folder.exists() and not folder.is_dir():
        raise SwissError(f"{folder} exists and is no folder; name another place")
    if folder.is_dir() and not is_study(folder):
        ours = {LOCK, LOG, MANIFEST}
        strange = [path.name for path in folder.iterdir() if path.name not in ours and not _is_shard(path)]
        strange = [name for name in strange if not (name.startswith(".") and name.endswith(".tmp"))]
        if strange:
            raise SwissError(f"{folder} holds something else than a study ({sorted(strange)[0]}); name another place")
    folder.mkdir(parents=True, exist_ok=True)


def _is_shard(path: Path) -> bool:
    return path.name.startswith("shard-") and path.is_dir()


def _shards(folder: Path) -> list[Path]:
    """Return the folder itself if it holds a study, or the shards in it."""
    if is_study(folder) or not folder.is_dir():
        return [folder]
    found = sorted(path for path in folder.iterdir() if _is_shard(path) and is_study(path))
    if not found:
        raise SwissError(f"{folder} holds no shard of a study")
    return found


def _find(folder: Path, shard: Shard | None) -> Path:
    """Return the folder to go on with: the one that is named, or a shard in it."""
    if shard is not None and (folder / shard.name).is_dir():
        return folder / shard.name
    if is_study(folder) or not folder.is_dir():
        return folder
    found = _shards(folder)
    if shard is not None or len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise SwissError(f"{folder} holds the shards {names}; say which with --shard i/N")
    return found[0]
