"""Results as Parquet files: the compact arrays with one row per tournament, and the tidy tables for other programs."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from swisssim.errors import SwissError
from swisssim.files import replacing

if TYPE_CHECKING:
    from swisssim.results import Results

_FORMAT = 1
_KEY = b"swisssim"
_CHECKSUM = b"swisssim.crc32"  # of the header; Parquet itself checks the pages only
_ARRAYS = "arrays.parquet"
_TABLES = ("games", "byes", "players", "tournaments")
# (tournament, round, player) entries in a row group; a constant, since it decides the bytes of the file
_GROUP = 4_000_000
# what pyarrow and a header that isn't ours may raise
_DAMAGE = (pa.ArrowException, OSError, KeyError, TypeError, ValueError)


def save(results: Results, path: str | os.PathLike[str], *, force: bool) -> None:
    """Save a file or a folder; see `Results.save`."""
    target = Path(path)
    if target.exists() or target.is_symlink():
        if not force:
            raise SwissError(f"{target} exists already; force=True replaces results that were saved there")
        _header(_arrays_file(target))
    with replacing(target) as place:
        if target.suffix == ".parquet":
            _write(results, place, _arrays)
            return
        place.mkdir()
        _write(results, place / _ARRAYS, _arrays)
        for name in _TABLES:
            _write(results, place / f"{name}.parquet", partial(_table, name))


def _write(results: Results, path: Path, make: Callable[[Results], pa.Table]) -> None:
    """Write what `make` makes of the tournaments, group by group."""
    players = results.opponent.shape[2]
    header = {
        "format": _FORMAT,
        "system": results.system,
        "rounds": results.rounds,
        "players": players,
        "first": results.first,
        "worth": results.worth.tolist(),
        "shared": len(results.rating) == len(results.strength) == 1,
        "provenance": results.provenance,
    }
    size = max(1, _GROUP // (results.rounds * players))
    groups = (make(results.part(k, min(k + size, len(results)))) for k in range(0, len(results), size))
    table = next(groups)
    kept = {key: value for key, value in (table.schema.metadata or {}).items() if key == b"pandas"}
    words = json.dumps(header, sort_keys=True).encode()
    schema = table.schema.with_metadata({**kept, _KEY: words, _CHECKSUM: str(zlib.crc32(words)).encode()})
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
        writer.write_table(table.cast(schema))
        for group in groups:
            writer.write_table(group.cast(schema))


def _table(name: str, part: Results) -> pa.Table:
    """Return a tidy table."""
    return pa.Table.from_pandas(getattr(part, name), preserve_index=False)


def _arrays(part: Results) -> pa.Table:
    """Return the compact arrays with one row per tournament."""
    arrays: dict[str, pa.Array] = {"tournament": pa.array(part.numbers)}
    for name in part.SINGLE:
        arrays[name] = pa.array(getattr(part, name))
    for name in part.FIELD:
        arrays[name] = _lists(part.rows(name))
    for name in part.histories:
        arrays[name] = _lists(getattr(part, name).reshape(len(part), -1))
    return pa.table(arrays)


def _lists(rows: NDArray[Any]) -> pa.FixedSizeListArray:
    """Return one list for each row."""
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])


def load(kind: type[Results], path: str | os.PathLike[str]) -> Results:
    """Load a file or a folder; see `Results.load`."""
    file = _arrays_file(Path(path))
    header = _header(file)
    try:
        table = pq.read_table(file, page_checksum_verification=True)
        shape = (table.num_rows, header["rounds"], header["players"])
        names = [*kind.HISTORY, *(name for name in kind.TEAM if name in table.column_names)]
        arrays: dict[str, Any] = {name: _column(table, name, shape) for name in names}
        arrays |= {name: _column(table, name, shape[::2]) for name in kind.FIELD}
        arrays |= {name: _column(table, name, shape[:1]) for name in kind.SINGLE}
        if header["shared"]:
            arrays |= {name: arrays[name][:1] for name in kind.FIELD}
        known = {name: header[name] for name in ("system", "first", "provenance")}
        loaded = kind(**arrays, **known, worth=np.array(header["worth"], np.int16))
        loaded.check()
    except _DAMAGE as error:
        raise SwissError(f"{file} is damaged: {error}") from error
    return loaded


def _column(table: pa.Table, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return a column, of lists unless the shape has one axis, as an array of its own."""
    chunks = table.column(name).chunks
    values = [(chunk if len(shape) == 1 else chunk.flatten()).to_numpy(zero_copy_only=False) for chunk in chunks]
    return np.concatenate(values).reshape(shape)


def _arrays_file(path: Path) -> Path:
    """Return the file with the compact arrays: the path itself, or in the folder."""
    return path / _ARRAYS if path.is_dir() else path


def _header(file: Path) -> dict[str, Any]:
    """Return what the schema of a file of results says; raise if it is none."""
    if not file.exists():
        if file.name == _ARRAYS and file.parent.is_dir():
            raise SwissError(f"{file.parent} is no folder of results: it has no {_ARRAYS}")
        raise FileNotFoundError(f"there are no results at {file}")
    try:
        metadata = pq.read_schema(file).metadata or {}
        words = metadata[_KEY]
        if zlib.crc32(words) != int(metadata[_CHECKSUM]):
            raise ValueError("the checksum of the header is wrong")
        header = dict(json.loads(words))
        version = header["format"]
    except _DAMAGE as error:
        raise SwissError(f"{file} is no file of results, or a damaged one: {error!r}") from error
    if version != _FORMAT:
        raise SwissError(f"{file} has format {version}; this version reads format {_FORMAT}")
    return header
