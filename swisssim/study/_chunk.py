"""One chunk: computed by a worker into the bytes of its files, and read again with every byte checked."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from swisssim._state import CancelFlag
from swisssim.compare import Part, Plan, row_names
from swisssim.errors import SwissError
from swisssim.statistics import Accumulator
from swisssim.study._design import FORMAT, Cell, Task

#: The folder of the sums, and those of the tables for other programs, partitioned by cell and system.
SUMS = "chunks"
ROWS = "tournaments"
GAMES = ("games", "byes", "players")

_KEY = b"swisssim"
_DTYPES = {"<i8", "|u1"}  # all that sums are made of
# Tournaments of all systems together whose games are in memory at once, and make row groups; it decides the bytes.
_AT_ONCE = 1536


@dataclass(frozen=True)
class Chunk:
    """The files of a chunk, as a worker made them."""

    fingerprint: str
    files: dict[tuple[str, str], bytes]  # by folder and system
    seconds: float
    worker: str


def fingerprint(text: str, first: int, count: int) -> str:
    """Return the checksum of everything that decides a chunk: the plan with its version, and which tournaments."""
    words = json.dumps([FORMAT, text, first, count])
    return hashlib.sha256(words.encode()).hexdigest()


def paths(cell: Cell, task: Task) -> dict[tuple[str, str], str]:
    """Return where each file of a chunk stands in the folder of the study.

    The names of folders are made of numbers and of the names of systems, escaped; nothing that a file says can lead out.
    """
    file = f"{task.chunk:05d}.parquet"
    tables = (ROWS, *GAMES) if cell.plan.keep_games else (ROWS,)
    found = {(SUMS, ""): f"{SUMS}/cell={cell.number}/{file}"}
    for system in cell.plan.names:
        for table in tables:
            found[table, system] = f"{table}/cell={cell.number}/system={quote(system, safe='')}/{file}"
    return found


@lru_cache(maxsize=16)
def _plan(text: str) -> Plan:
    return Plan.from_dict(json.loads(text))


def compute(text: str, first: int, count: int, *, flag: CancelFlag | None = None) -> Chunk:
    """Run and measure a chunk and return the bytes of its files; runs anywhere, in a process or on another machine.

    Parameters
    ----------
    text : str
        The plan of the cell as JSON.
    first, count : int
        The tournaments.
    flag : CancelFlag, optional
        Stops the run when raised.

    Returns
    -------
    Chunk
        The same bytes on every worker with the same package versions.
    """
    start = time.perf_counter()
    plan = _plan(text)
    # of the worker's own version, so that a worker with another one can't pass off its numbers
    own = fingerprint(json.dumps(plan.to_dict(), sort_keys=True), first, count)
    sheets: dict[tuple[str, str], _Sheet] = {}
    summary = plan.summary()
    size = max(1, _AT_ONCE // len(plan.systems))
    for begin in range(first, first + count, size):
        part = plan.run(begin, count=min(size, first + count - begin), flag=flag, summary=summary)
        for (table, system), frame in _frames(plan, part, begin).items():
            sheet = sheets.setdefault((table, system), _Sheet(_about(own, table, system, first, count)))
            sheet.add(frame)
    files = {key: sheet.close() for key, sheet in sheets.items()}
    files[SUMS, ""] = _packed(summary, _about(own, SUMS, "", first, count))
    return Chunk(own, files, time.perf_counter() - start, platform.node())


def _about(own: str, table: str, system: str, first: int, count: int) -> bytes:
    """Return what a file says about itself."""
    said = {"fingerprint": own, "table": table, "system": system, "first": first, "count": count}
    return json.dumps(said, sort_keys=True).encode()


def _frames(plan: Plan, part: Part, first: int) -> dict[tuple[str, str], pd.DataFrame]:
    """Return the tables of a stretch of tournaments, system by system."""
    names = row_names(part.summary.names, part.summary)
    frames = {}
    for system, rows in part.rows.items():
        frame = pd.DataFrame(rows, columns=names)
        frame.insert(0, "tournament", np.arange(first, first + len(rows), dtype=np.int32))
        frames[ROWS, system] = frame
    for system, results in part.results.items():
        frames["games", system] = results.games
        frames["byes", system] = results.byes
        frames["players", system] = results.player_table(order=plan.tie_breaks)
    return frames


class _Sheet:
    """A Parquet file in memory, written group by group."""

    def __init__(self, about: bytes) -> None:
        self.about = about
        self.sink = pa.BufferOutputStream()
        self.writer: pq.ParquetWriter | None = None

    def add(self, frame: pd.DataFrame) -> None:
        """Add rows."""
        table = pa.Table.from_pandas(frame, preserve_index=False)
        if self.writer is None:
            schema = table.schema.with_metadata({**(table.schema.metadata or {}), _KEY: self.about})
            self.writer = pq.ParquetWriter(self.sink, schema, compression="zstd", write_page_checksum=True)
        self.writer.write_table(table.cast(self.writer.schema))

    def close(self) -> bytes:
        """Return the file."""
        if self.writer is not None:
            self.writer.close()
        return bytes(self.sink.getvalue())


_PACKED = pa.schema(
    {"name": pa.string(), "dtype": pa.string(), "shape": pa.list_(pa.int64()), "data": pa.large_binary()}
)


def _packed(summary: Accumulator, about: bytes) -> bytes:
    """Return sums as a Parquet file with one row, a row group of its own, for each array: one at a time is in memory."""
    sink = pa.BufferOutputStream()
    writer = pq.ParquetWriter(
        sink,
        _PACKED.with_metadata({_KEY: about}),
        compression="zstd",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    arrays = summary.to_arrays()
    with writer:
        for name in list(arrays):
            array = arrays.pop(name)
            array = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            limits = pa.py_buffer(np.array([0, array.nbytes], np.int64))
            data = pa.Array.from_buffers(pa.large_binary(), 1, [None, limits, pa.py_buffer(array)])
            row = [
                pa.array([name]),
                pa.array([array.dtype.str]),
                pa.array([list(array.shape)], _PACKED.field("shape").type),
            ]
            writer.write_table(pa.Table.from_arrays([*row, data], schema=_PACKED))
    return bytes(sink.getvalue())


class _Unpacked(Mapping[str, NDArray[Any]]):
    """The arrays in a file of sums, each read when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.file = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        groups = range(self.file.num_row_groups)
        self.places = {self.file.read_row_group(k, columns=["name"])["name"][0].as_py(): k for k in groups}

    def __getitem__(self, name: str) -> NDArray[Any]:
        row = self.file.read_row_group(self.places[name])
        dtype = row["dtype"][0].as_py()
        if dtype not in _DTYPES:
            raise ValueError(f"an array of type {dtype!r}")
        return np.frombuffer(row["data"][0].as_buffer(), dtype).reshape(row["shape"][0].as_py())

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def unpacked(data: bytes) -> Accumulator:
    """Return the sums in a file.

    Parameters
    ----------
    data : bytes
        What `compute` made for the folder of the sums.

    Returns
    -------
    Accumulator

    Raises
    ------
    SwissError
        If it is something else. Only whole numbers and JSON are read; nothing is executed.
    """
    try:
        return Accumulator.from_arrays(_Unpacked(data))
    except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
        raise SwissError(f"no file of sums: {error}") from error


def said(data: bytes) -> Mapping[str, Any]:
    """Return what a file says about itself: fingerprint, table, system, first, count; nothing if it can't be read."""
    try:
        metadata = pq.read_schema(pa.BufferReader(data)).metadata or {}
        about = json.loads(metadata[_KEY])
    except (pa.ArrowException, OSError, KeyError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}
