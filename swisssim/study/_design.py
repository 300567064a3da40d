"""What a study is: a grid of comparisons, and the fixed chunks of tournaments in which it is computed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from swisssim.compare import Plan
from swisssim.errors import SwissError

#: Version of the layout of a study's folder and of its files; part of every fingerprint.
FORMAT = 1

# A chunk is the most that a killed run loses, and costs a file of sums of some megabytes per system: about 64 of them for
# a comparison, but none much longer than some ten seconds for the quick systems, whose cost grows with players and rounds.
_PIECES, _LEAST, _LARGEST, _WORK = 64, 100, 5000, 450_000_000


def usual_chunk(players: int, rounds: int, tournaments: int) -> int:
    """Return how many tournaments make a chunk where the study doesn't say; it depends on the study alone."""
    most = max(1, min(_LARGEST, _WORK // (players * players * rounds)))
    return min(most, tournaments, max(_LEAST, -(-tournaments // _PIECES)))


@dataclass(frozen=True, order=True)
class Task:
    """One chunk: tournaments ``first .. first + count - 1`` of a cell, under all its systems."""

    cell: int
    chunk: int
    first: int
    count: int

    def __str__(self) -> str:
        return f"chunk {self.chunk} of cell {self.cell} (tournaments {self.first} to {self.first + self.count - 1})"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One comparison of the grid.

    Attributes
    ----------
    number : int
        From 1, in the order of fields, rounds, models, seeds.
    field : str
        Name of the field in tables.
    plan : Plan
        Everything that decides the numbers.
    chunk : int
        Tournaments in one chunk.
    """

    number: int
    field: str
    plan: Plan
    chunk: int

    @cached_property
    def text(self) -> str:
        """The plan as JSON: what a worker is given."""
        return json.dumps(self.plan.to_dict(), sort_keys=True)

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """The chunks, in order."""
        total = self.plan.tournaments
        starts = range(0, total, self.chunk)
        return tuple(Task(self.number, k, first, min(self.chunk, total - first)) for k, first in enumerate(starts))

    @property
    def name(self) -> str:
        """Name of the cell's folder of tables."""
        return f"cell-{self.number:03d}"

    @property
    def coordinates(self) -> dict[str, Any]:
        """Where the cell stands in the grid, for tables."""
        return {
            "cell": self.number,
            "field": self.field,
            "players": self.plan.field.players,
            "rounds": self.plan.rounds,
            "model": _words(self.plan.model.to_dict()),
            "seed": self.plan.seed,
        }

    def work(self, task: Task) -> int:
        """Return a measure of the cost of a chunk, for the estimate of the time left."""
        return task.count * self.plan.rounds * self.plan.field.players * len(self.plan.systems)


def _words(model: Mapping[str, Any]) -> str:
    """Return a model in one word: its name, with its parameters if it has any."""
    parameters = ", ".join(f"{name}={value}" for name, value in model["parameters"].items())
    return f"{model['name']}({parameters})" if parameters else str(model["name"])


@dataclass(frozen=True, kw_only=True)
class Study:
    """A grid of comparisons; made by `swisssim.study.load` from a file.

    Attributes
    ----------
    name : str
        For logs and reports.
    cells : tuple of Cell
    """

    name: str
    cells: tuple[Cell, ...]

    KIND: ClassVar[str] = "swisssim study"  # by which a folder is known

    def __post_init__(self) -> None:
        if not self.cells:
            raise SwissError("a study needs at least one comparison")

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """All chunks, in order."""
        return tuple(task for cell in self.cells for task in cell.tasks)

    def cell(self, task: Task) -> Cell:
        """Return the cell of a chunk."""
        return self.cells[task.cell - 1]

    def part(self, shard: Shard | None) -> tuple[Task, ...]:
        """Return the chunks of a shard: every N-th one, so that all shards get a share of every cell."""
        return self.tasks if shard is None else self.tasks[shard.index - 1 :: shard.count]

    @cached_property
    def fingerprint(self) -> str:
        """Checksum of everything that decides a byte of the results."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the study as plain data, ready for JSON; `from_dict` makes it again."""
        from swisssim import __version__

        return {
            "kind": self.KIND,
            "format": FORMAT,
            "swisssim": __version__,
            "name": self.name,
            "cells": [{"field": cell.field, "chunk": cell.chunk, "plan": cell.plan.to_dict()} for cell in self.cells],
        }

    @classmethod
    def from_dict(cls, saved: Any) -> Study:
        """Return the study that `to_dict` described.

        Parameters
        ----------
        saved : mapping
            What `to_dict` returned, for instance read from a ``study.json``.

        Returns
        -------
        Study

        Raises
        ------
        SwissError
            If it is something else, or was made by another version, whose numbers may differ.
        """
        from swisssim import __version__

        if not isinstance(saved, Mapping) or saved.get("kind") != cls.KIND:
            raise SwissError(f"this is no study: it has no entry 'kind' that is {cls.KIND!r}")
        if saved.get("swisssim") != __version__ or saved.get("format") != FORMAT:
            raise SwissError(
                f"this study was begun with swisssim {saved.get('swisssim')} (format {saved.get('format')}), and this is "
                f"{__version__} (format {FORMAT}), which may count otherwise: go on with that version, or begin anew"
            )
        try:
            cells = tuple(
                Cell(
                    number=k,
                    field=str(entry["field"]),
                    plan=Plan.from_dict(entry["plan"]),
                    chunk=_whole(entry["chunk"]),
                )
                for k, entry in enumerate(saved["cells"], 1)
            )
            return cls(name=str(saved["name"]), cells=cells)
        except (KeyError, TypeError) as error:
            raise SwissError(f"this study can't be understood: {error!r}") from error


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise SwissError(f"chunk is {value!r}; it must be a whole number of tournaments from 1")
    return value


@dataclass(frozen=True)
class Shard:
    """Part `index` of `count` parts of a study, from 1."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise SwissError(f"shard {self.index}/{self.count} does not exist: shards count from 1 to {self.count}")

    @classmethod
    def of(cls, text: str) -> Shard:
        """Return the shard that ``i/N`` names.

        Parameters
        ----------
        text : str

        Returns
        -------
        Shard

        Raises
        ------
        SwissError
            If it is something else.
        """
        match = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", text)
        if match is None:
            raise SwissError(f"shard is {text!r}; it must be i/N, for instance 3/16")
        return cls(int(match[1]), int(match[2]))

    @property
    def name(self) -> str:
        """Name of the shard's folder."""
        return f"shard-{self.index:04d}-of-{self.count:04d}"

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"
