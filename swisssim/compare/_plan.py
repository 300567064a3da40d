"""What is compared: everything that decides a byte of the tables, and how one stretch of tournaments is measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from swisssim import byes, colour, floats, ranking
from swisssim._state import CancelFlag
from swisssim.errors import SwissError, unknown
from swisssim.field import Field
from swisssim.metrics import Floats, Metric, completion, ratio
from swisssim.models import Model
from swisssim.pairing import SYSTEMS, PairingSystem
from swisssim.pairing import system as make_system
from swisssim.participation import Participation
from swisssim.points import Points
from swisssim.results import Results
from swisssim.simulation import Simulation
from swisssim.statistics import Accumulator, StopRule
from swisssim.tiebreaks import DEFAULT_ORDER, check_order

#: The systems in the order in which reports show them; the first of them is the usual baseline.
ORDER = ("dutch", "dutch2012", "nordic", "amalfi", "regulated", "lottery")

#: What is compared where nothing is named: every system.
DEFAULT_SYSTEMS = (*(name for name in ORDER if name in SYSTEMS), *(name for name in SYSTEMS if name not in ORDER))

RESAMPLES = 2000
# Rows of single tournaments, all systems together, that a comparison keeps in memory.
_ROWS = 1_000_000


def label(system: PairingSystem) -> str:
    """Return the name of a system in tables: its key, with the options that are not the usual ones."""
    usual = make_system(system.name).options
    changed = [f"{name}={value}" for name, value in system.options.items() if usual.get(name) != value]
    return f"{system.name}({', '.join(changed)})" if changed else system.name


@dataclass(frozen=True)
class Part:
    """What is known of a stretch of tournaments: sums for the tables, one row per tournament, and games if kept."""

    summary: Accumulator
    rows: dict[str, Floats]
    results: dict[str, Results]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that decides a comparison; threads, blocks and executors do not.

    Attributes
    ----------
    systems : tuple of PairingSystem
    field, rounds, tournaments, model, seed, initial_colour, participation, points, team_bye
        As in `swisssim.simulate`.
    baseline : str
        The system to which the others are compared; by default ``dutch`` if it is there, else the first.
    tie_breaks : tuple of str
        Order of the tie-breaks after the points.
    margins : mapping of str to float
        The smallest difference that matters, by metric; 0 where none is named.
    until : StopRule or None
        When to stop before `tournaments`.
    resamples : int
        Bootstrap resamples.
    keep_games : bool
        Whether every game is kept.
    notes : tuple of str
        What a reader should know of the request itself.
    """

    systems: tuple[PairingSystem, ...]
    field: Field
    rounds: int
    tournaments: int
    model: Model
    seed: int = 1
    initial_colour: str = "lot"
    participation: Participation = dataclass_field(default_factory=Participation)
    points: Points | None = None
    team_bye: str = "rule"
    baseline: str = ""
    tie_breaks: tuple[str, ...] = DEFAULT_ORDER
    margins: Mapping[str, float] = dataclass_field(default_factory=dict)
    until: StopRule | None = None
    resamples: int = RESAMPLES
    keep_games: bool = False
    notes: tuple[str, ...] = ()

    KIND: ClassVar[str] = "swisssim compare"  # by which a configuration, and a folder with one, is known

    def __post_init__(self) -> None:
        if not self.systems:
            raise SwissError(f"a comparison needs at least one system of {', '.join(SYSTEMS)}")
        for number, name in enumerate(self.names):
            if name in self.names[:number]:
                raise SwissError(
                    f"system {name!r} stands twice; a system can be compared with itself only under other options"
                )
        if not self.baseline:
            object.__setattr__(self, "baseline", "dutch" if "dutch" in self.names else self.names[0])
        if self.baseline not in self.names:
            raise unknown("baseline", self.baseline, self.names)
        for name, least in (("tournaments", 1), ("resamples", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise SwissError(f"{name} is {value!r}; it must be a whole number from {least}")
        object.__setattr__(self, "tie_breaks", check_order(self.tie_breaks))
        self._check_margins()

    def _check_margins(self) -> None:
        assert self.simulations  # made here so that an impossible request fails at once
        for name, margin in self.margins.items():
            if (
                isinstance(margin, bool)
                or not isinstance(margin, int | float | np.number)
                or not 0 <= margin < math.inf
            ):
                raise SwissError(f"margin of {name} is {margin!r}; it must be a number from 0")
        named = [*self.margins, *([self.until.name] if self.until else [])]
        known = self.metric_names if named else ()
        for name in named:
            if name not in known:
                raise unknown("metric", name, known)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the systems in tables."""
        return tuple(label(system) for system in self.systems)

    @property
    def rows_kept(self) -> int:
        """The first so many tournaments have rows of their own in the results; the sums are over all of them."""
        return min(self.tournaments, max(1, _ROWS // len(self.systems)))

    @cached_property
    def simulations(self) -> dict[str, Simulation]:
        """What is simulated for each system: the same but for the system."""
        common: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("field", "rounds", "model", "seed", "initial_colour", "participation", "points", "team_bye")
        }
        return {
            name: Simulation(system=system, **common) for name, system in zip(self.names, self.systems, strict=True)
        }

    @cached_property
    def metric_names(self) -> tuple[str, ...]:
        """Names of every metric, found by measuring one tournament."""
        simulation = next(iter(self.simulations.values()))
        return tuple(metric.name for metric in self.measure(simulation.run(0, count=1)))

    def measure(self, results: Results) -> list[Metric]:
        """Return every metric of tournaments of this plan."""
        questions = (
            colour.metrics(results),
            byes.metrics(results, model=self.model),
            floats.metrics(results),
            ranking.metrics(results, order=self.tie_breaks),
            completion(results),
        )
        return [metric for found in questions for metric in found]

    def summary(self) -> Accumulator:
        """Return an accumulator without tournaments."""
        return Accumulator(self.names, baseline=self.baseline, seed=self.seed, resamples=self.resamples)

    def run(
        self, first: int, *, count: int, flag: CancelFlag | None = None, summary: Accumulator | None = None
    ) -> Part:
        """Run and measure tournaments ``first .. first + count - 1`` under every system.

        Parameters
        ----------
        first, count : int
            The tournaments, numbered from 0.
        flag : CancelFlag, optional
            Stops the run when raised.
        summary : Accumulator, optional
            Sums over other tournaments of the plan, to which these are added; default new ones.

        Returns
        -------
        Part
            Parts of other tournaments of the plan can be merged with it in any order, to the same bytes.
        """
        summary = self.summary() if summary is None else summary
        rows: dict[str, list[Floats]] = {name: [] for name in self.names}
        kept: dict[str, list[Results]] = {name: [] for name in self.names}
        size = next(iter(self.simulations.values())).block_size()
        for start in range(first, first + count, size):
            metrics, stopped = {}, {}
            for name, simulation in self.simulations.items():
                results = simulation.run(start, count=min(size, first + count - start), flag=flag)
                metrics[name], stopped[name] = self.measure(results), results.stopped
                rows[name].append(_rows(metrics[name]))
                if self.keep_games:
                    kept[name].append(results)
            summary.update(start, metrics, stopped=stopped)
        return Part(
            summary,
            {name: np.concatenate(blocks) for name, blocks in rows.items()},
            {name: Results.concatenate(blocks) for name, blocks in kept.items() if blocks},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data, ready for JSON; `from_dict` makes it again."""
        from swisssim import __version__

        any_system = next(iter(self.simulations.values()))
        return {
            "kind": self.KIND,
            "swisssim": __version__,
            "systems": [{"name": system.name, "options": dict(system.options)} for system in self.systems],
            "baseline": self.baseline,
            "field": self.field.to_dict(),
            "rounds": self.rounds,
            "tournaments": self.tournaments,
            "model": self.model.to_dict(),
            "seed": self.seed,
            "initial_colour": self.initial_colour,
            "participation": self.participation.to_dict(),
            "points": any_system.scoring.to_dict(),
            **({"team_bye": self.team_bye} if any_system.teams else {}),
            "tie_breaks": list(self.tie_breaks),
            "margins": dict(self.margins),
            "until": asdict(self.until) if self.until else None,
            "resamples": self.resamples,
            "keep_games": self.keep_games,
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Plan:
        """Return the plan that `to_dict` described.

        Parameters
        ----------
        saved : mapping
            What `to_dict` returned, for instance read from a ``config.json``.

        Returns
        -------
        Plan

        Raises
        ------
        SwissError
            If it is something else, or an entry is missing, unknown or impossible; the entry is named.
        """
        if not isinstance(saved, Mapping) or saved.get("kind") != cls.KIND:
            raise SwissError(f"this is no configuration of a comparison: it has no entry 'kind' that is {cls.KIND!r}")
        given = {name: value for name, value in saved.items() if name not in ("kind", "swisssim")}
        for name in given:
            if name not in cls.__dataclass_fields__:
                raise unknown("entry of the configuration", name, cls.__dataclass_fields__)
        for name in ("systems", "field", "rounds", "tournaments", "model"):
            if name not in given:
                raise SwissError(f"the configuration has no entry {name!r}")
        return cls(**{name: _made(name, value) for name, value in given.items()})


def _made(name: str, value: Any) -> Any:
    """Make an attribute of a plan from its plain data; whatever is wrong with it is an error that names the entry."""
    makers: dict[str, Any] = {
        "systems": lambda systems: tuple(make_system(s["name"], **s.get("options", {})) for s in systems),
        "field": Field.from_dict,
        "model": Model.from_dict,
        "participation": lambda rates: Participation(**rates),
        "points": Points.of,
        "tie_breaks": tuple,
        "margins": dict,
        "until": lambda rule: StopRule(**rule) if rule else None,
        "notes": tuple,
    }
    try:
        return makers[name](value) if name in makers else value
    except SwissError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise SwissError(f"entry {name!r} of the configuration can't be understood: {error}") from error


def row_names(metrics: Sequence[str], summary: Accumulator) -> list[str]:
    """Return the metrics that have one value per tournament: the columns of `Part.rows`."""
    return [name for name in metrics if not summary.about(name)["dims"]]


def _rows(metrics: Sequence[Metric]) -> Floats:
    """Return one row per tournament, one column per metric without labels."""
    return np.stack([ratio(m.numerator, m.denominator) for m in metrics if not m.dims], axis=1)
