"""One real event: its numbers as played, and the mean numbers of simulated tournaments of the same players."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from swisssim import byes, colour, floats, ranking, trf
from swisssim._core import PairingSystem
from swisssim.errors import SwissError
from swisssim.events import attendance_of
from swisssim.field import Field
from swisssim.metrics import Metric, ratio
from swisssim.models import Model
from swisssim.pairing import SYSTEMS
from swisssim.results import Results
from swisssim.simulation import Simulation
from swisssim.tournament import Tournament, points_of
from swisssim.trf import Report

AS_PLAYED = "as played"
"""Name of what really happened, beside the systems."""

# What depends on pairing numbers cannot be pooled over events of different sizes, and what asks for true strengths has no answer.
_LEFT_OUT_DIMS = frozenset(["number"])
# Weights of simulated events are means over tournaments; in sums they count in parts of one of these sizes.
_WEIGHT_UNITS = (64, 16, 4, 1)
_LARGEST = 1 << 21
_OF_RANKING = ("rating_gap", "rating_gap_by_round")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What decides a review, apart from the files; see `swisssim.review`."""

    systems: tuple[PairingSystem, ...]
    tournaments: int
    model: Model
    seed: int
    unrated: float
    strict: bool

    def __post_init__(self) -> None:
        if isinstance(self.tournaments, bool) or not isinstance(self.tournaments, int) or self.tournaments < 1:
            raise SwissError(f"tournaments is {self.tournaments!r}; it must be a whole number from 1")
        if not 0 < self.unrated < 10_000:
            raise SwissError(f"unrated is {self.unrated!r}; it must be a rating")
        keys = [system.name for system in self.systems]
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise SwissError(f"system {twice!r} stands twice")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns: as played, then the systems."""
        return (AS_PLAYED, *(system.name for system in self.systems))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data for JSON."""
        return {
            "systems": [{"name": system.name, "options": dict(system.options)} for system in self.systems],
            "tournaments": self.tournaments,
            "model": self.model.to_dict(),
            "seed": self.seed,
            "unrated": self.unrated,
            "strict": self.strict,
        }


@dataclass
class EventReview:
    """One event.

    Attributes
    ----------
    path, name, digest : str
        The file, the tournament's name, and the SHA-256 of the contents.
    players, rounds : int
        Its size; rounds that were played.
    notes : list of str
        What deserves a look.
    error, error_kind : str
        Why it cannot be reviewed, or empty; ``contents`` or ``access``.
    metrics : dict of str to list of Metric
        For each column metrics of one event.
    """

    path: str
    name: str = ""
    digest: str = ""
    players: int = 0
    rounds: int = 0
    notes: list[str] = field(default_factory=list)
    error: str = ""
    error_kind: str = ""
    metrics: dict[str, list[Metric]] = field(default_factory=dict)


def review_file(path: str, *, settings: Settings) -> EventReview:
    """Measure one event; what is wrong with its file stands in the answer."""
    found = EventReview(path)
    try:
        data = Path(path).read_bytes()
        found.digest = hashlib.sha256(data).hexdigest()
        _measure(found, trf.reads(data, name=path, strict=settings.strict), settings)
    except SwissError as error:
        found.error, found.error_kind = str(error), "contents"
    except OSError as error:
        found.error, found.error_kind = f"{error.filename}: {error.strerror}", "access"
    return found


def _measure(found: EventReview, report: Report, settings: Settings) -> None:
    if not report.rounds_played:
        raise SwissError(f"{found.path}: no round was played; there is nothing to review")
    results = results_of(report, unrated=settings.unrated)
    found.name = report.name or os.path.basename(found.path)
    found.players, found.rounds = results.opponent.shape[2], results.rounds
    found.notes = [str(remark) for remark in report.warnings]
    lacking = sum(not player.rating for player in report.players.values())
    if lacking:
        found.notes.append(f"{lacking} of {found.players} players have no rating and are taken as {settings.unrated:g}")
    found.metrics[AS_PLAYED] = measured(results, settings.model)
    for system in settings.systems:
        simulation = counterfactual(report, system=system, results=results, settings=settings)
        runs = simulation.run(0, count=settings.tournaments)
        if runs.stopped.any():
            share = runs.stopped.mean()
            found.notes.append(
                f"{system.name} could not complete {share:.1%} of the simulated tournaments; they are left out"
            )
        found.metrics[system.name] = [_averaged(metric) for metric in measured(runs, settings.model)]


def results_of(report: Report, *, unrated: float) -> Results:
    """Return a real event as results of one tournament, players in pairing order.

    Parameters
    ----------
    report : Report
        The event.
    unrated : float
        Rating of players without one.
    """
    # Any system will do: nothing is paired.
    event = Tournament.from_trf(report, system=next(iter(SYSTEMS)), total=report.rounds_played)
    arrays = event.arrays()
    for number, values in event._virtual.items():
        k = event._order.index(number)
        arrays["score"][0, : len(values), k] += np.array(values[: event.rounds], np.int16)
    rating = np.array([[float(report.players[number].rating or unrated) for number in event._order]])
    return Results(
        system=AS_PLAYED,
        **arrays,
        rating=rating,
        strength=rating,
        initial_colour=np.array([1 if event.initial_colour == "white" else -1], np.int8),
        rounds_paired=np.array([event.rounds], np.int16),
        stopped=np.zeros(1, bool),
        worth=np.array(event.points.worth, np.int16),
        provenance={"seed": 0},
    )


def measured(results: Results, model: Model) -> list[Metric]:
    """Return the metrics of a review: colours, byes, floats, rating differences."""
    found = [
        *colour.metrics(results),
        *byes.metrics(results, model=model),
        *floats.metrics(results),
        *(metric for metric in ranking.metrics(results) if metric.name in _OF_RANKING),
    ]
    return [metric for metric in found if not _LEFT_OUT_DIMS & set(metric.dims)]


def counterfactual(report: Report, *, system: PairingSystem, results: Results, settings: Settings) -> Simulation:
    """Return the simulation of an event under a system: its players, rounds, points and rates of absence."""
    players = results.opponent.shape[2]
    ratings = results.rating[0].tolist()
    most = players if players % 2 else players - 1
    if results.rounds > most:
        raise SwissError(f"{report.path}: {players} players cannot play {results.rounds} rounds without a rematch")
    return Simulation(
        system,
        Field.from_dict({"kind": "ratings", "players": players, "ratings": ratings}),
        results.rounds,
        settings.model,
        settings.seed,
        "lot",
        attendance_of(report),
        points_of(report),
    )


def _averaged(metric: Metric) -> Metric:
    """Return a metric of one event: the mean over its simulated tournaments."""
    if metric.weights is None:
        return replace(metric, values=metric.mean[None])
    weights = metric.denominator.mean(axis=0)
    return replace(metric, values=np.where(weights > 0, metric.mean * weights, np.nan)[None], weights=weights[None])


def whole_weights(metric: Metric) -> Metric:
    """Return a metric whose weights are means over tournaments with whole weights; the ratios stay exact.

    Sums over events take whole weights, and values below 2^22.
    """
    if metric.weights is None:
        return metric
    largest = max(float(np.abs(metric.numerator).max(initial=0.0)), 1.0)
    unit = next((unit for unit in _WEIGHT_UNITS if unit * largest < _LARGEST), 1)
    weights = np.rint(unit * metric.denominator)
    ratios = ratio(metric.numerator, metric.denominator)
    return replace(metric, values=np.where(weights > 0, ratios * weights, np.nan), weights=weights)
