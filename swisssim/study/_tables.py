"""The tables of a study: those of a comparison for each cell, and one summary over the grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from swisssim.compare import Comparison, row_names, write_tables
from swisssim.files import replacing
from swisssim.metrics import Floats
from swisssim.study._chunk import ROWS, paths
from swisssim.study._design import Cell
from swisssim.study._store import TABLES, Store

Report = Callable[[Comparison, Path], None]


class _Rows(Mapping[str, Floats]):
    """One row per tournament of a cell, read from the files only when somebody asks for them."""

    def __init__(self, store: Store, cell: Cell, names: list[str]) -> None:
        self.store, self.cell, self.names = store, cell, names

    def __getitem__(self, system: str) -> Floats:
        if system not in self.cell.plan.names:
            raise KeyError(system)
        files = [self.store.folder / paths(self.cell, task)[ROWS, system] for task in self.cell.tasks]
        tables = (pq.read_table(file, columns=self.names, partitioning=None) for file in files)
        parts = [
            np.column_stack([table[name].to_numpy().astype(np.float64) for name in self.names]) for table in tables
        ]
        return np.concatenate(parts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.cell.plan.names)

    def __len__(self) -> int:
        return len(self.cell.plan.names)


def comparison(store: Store, cell: Cell, tick: Callable[[], None] = lambda: None) -> Comparison:
    """Return the comparison in a cell, from the sums of its chunks.

    Parameters
    ----------
    store : Store
        With all chunks of the cell.
    cell : Cell
    tick : callable
        Called after each chunk.

    Returns
    -------
    Comparison
        As `swisssim.compare` returns it; its rows are read from the files when they are asked for.
    """
    summary = cell.plan.summary()
    for task in cell.tasks:
        summary.merge(store.sums(task))
        tick()
    return Comparison(cell.plan, summary, _Rows(store, cell, row_names(summary.names, summary)))


def write(store: Store, *, report: Report | None, tick: Callable[[], None]) -> Path:
    """Write the tables of a finished study; an earlier folder of them stays until they are complete.

    Parameters
    ----------
    store : Store
        With all chunks.
    report : callable, optional
        Writes the report of a comparison to a path.
    tick : callable
        Called now and then.

    Returns
    -------
    pathlib.Path
        The folder.
    """
    target = store.folder / TABLES
    summaries, definitions = [], pd.DataFrame()
    with replacing(target) as place:
        place.mkdir()
        for cell in store.study.cells:
            found = comparison(store, cell, tick)
            folder = place / cell.name
            folder.mkdir()
            write_tables(found, folder)
            if report is not None:
                report(found, folder / "report.html")
            frame = found.scalars
            for k, (name, value) in enumerate(cell.coordinates.items()):
                frame.insert(k, name, value)
            summaries.append(frame)
            definitions = pd.concat([definitions, found.definitions]).drop_duplicates()
            tick()
        cells = pd.DataFrame([{**cell.coordinates, "tournaments": cell.plan.tournaments} for cell in store.study.cells])
        frames = {"summary": pd.concat(summaries, ignore_index=True), "cells": cells, "definitions": definitions}
        for name, frame in frames.items():
            frame.to_csv(place / f"{name}.csv", index=False, lineterminator="\n")
    return target
