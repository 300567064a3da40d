"""The folder of a comparison: CSV and Parquet tables and the configuration that makes them again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from swisssim.compare._plan import Plan
from swisssim.errors import SwissError
from swisssim.files import replacing

if TYPE_CHECKING:
    from swisssim.compare._comparison import Comparison

CONFIG = "config.json"

#: The CSV files: name, what is in it.
TABLES = {
    "summary.csv": "every metric that has one value per tournament",
    "by_round.csv": "metrics by round",
    "by_quantile.csv": "metrics by rating quantile",
    "distributions.csv": "colour differences, runs, places in the pairing list and so on, by class",
    "by_number.csv": "byes by pairing number, and by number and round",
    "histograms.csv": "how the tournaments' values are distributed",
    "definitions.csv": "what each metric is",
}


def is_ours(path: Path) -> bool:
    """Tell whether a path is a folder that `save` made."""
    try:
        return bool(json.loads((path / CONFIG).read_text(encoding="utf-8"))["kind"] == Plan.KIND)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def check_place(path: Path, *, force: bool) -> None:
    """Raise if a comparison can't be saved at a path because of what stands there.

    Parameters
    ----------
    path : pathlib.Path
    force : bool
        Whether a folder that was saved there before may be replaced.

    Raises
    ------
    SwissError
        If there is something else, or a comparison that may not be replaced.
    """
    if not path.exists() and not path.is_symlink():
        return
    if not is_ours(path) or path.is_symlink():
        raise SwissError(
            f"{path} exists and is no folder of a comparison, so that it is never replaced; name another place"
        )
    if not force:
        raise SwissError(f"{path} holds an earlier comparison; force (--force) replaces it")


def tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return the table of each CSV file."""
    table = comparison.table
    by = table["by"]
    quantile, number = by.str.startswith("quantile"), by.str.startswith("number")
    frames = {
        "summary.csv": comparison.scalars,
        "by_round.csv": table[by == "round"],
        "by_quantile.csv": table[quantile],
        "distributions.csv": table[(by != "") & (by != "round") & ~quantile & ~number],
        "by_number.csv": table[number],
        "histograms.csv": comparison.histograms,
        "definitions.csv": comparison.definitions,
    }
    assert frames.keys() == TABLES.keys()
    return frames


def save(comparison: Comparison, path: Path, *, force: bool, extra: Callable[[Path], None] | None) -> None:
    """Save a folder; see `Comparison.save`."""
    check_place(path, force=force)
    provenance = comparison.provenance
    with replacing(path) as place:
        place.mkdir()
        write_tables(comparison, place)
        _parquet(comparison.tournaments, place / "tournaments.parquet", provenance)
        for name, results in comparison.results.items():
            results.save(place / "games" / name)
        if extra is not None:
            extra(place)
        check_place(path, force=force)


def write_tables(comparison: Comparison, place: Path) -> None:
    """Write into a folder what doesn't grow with the number of tournaments: the CSV files, their numbers as Parquet, and
    the configuration.

    Parameters
    ----------
    comparison : Comparison
    place : pathlib.Path
        A folder that exists.
    """
    provenance = comparison.provenance
    for name, frame in tables(comparison).items():
        frame.to_csv(place / name, index=False, lineterminator="\n")
    _parquet(comparison.table, place / "summary.parquet", provenance)
    text = json.dumps(provenance, indent=2, ensure_ascii=False)
    (place / CONFIG).write_text(f"{text}\n", encoding="utf-8", newline="\n")


def _parquet(frame: pd.DataFrame, path: Path, provenance: dict[str, Any]) -> None:
    """Write a table with the provenance in its schema."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    metadata = {**(table.schema.metadata or {}), b"swisssim": json.dumps(provenance, sort_keys=True).encode()}
    pq.write_table(table.replace_schema_metadata(metadata), path, compression="zstd", write_page_checksum=True)


def load_config(path: Path) -> Plan:
    """Return the plan in a ``config.json``.

    Raises
    ------
    SwissError
        If the file holds something else.
    OSError
        If it can't be read.
    """
    try:
        saved = json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise SwissError(f"{path} is no JSON file: {error}") from None
    try:
        return Plan.from_dict(saved)
    except SwissError as error:
        raise SwissError(f"{path}: {error}") from error
