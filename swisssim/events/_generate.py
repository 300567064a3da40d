"""Random tournaments as report files: any system, any result model, all kinds of absence; the same seed gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from swisssim import tiebreaks, trf
from swisssim._core import PairingSystem
from swisssim._random import Domain, uniforms
from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.field import Field
from swisssim.models import Model
from swisssim.models import model as make_model
from swisssim.pairing import system as make_system
from swisssim.participation import Participation
from swisssim.points import Points
from swisssim.results import Results
from swisssim.simulation import Simulation
from swisssim.tournament import LETTERS, coded_type, point_system, points_of, type_header
from swisssim.trf import PlayerRecord, Report, RoundEntry

Range = tuple[int, int]

# What the existing engines draw when nothing is said.
PLAYERS: Range = (15, 215)
ROUNDS: Range = (5, 15)
RATINGS: Range = (1400, 2600)

_MOST = {"players": 9999, "rounds": 250}
_HIGHEST_RATING = 9999


@dataclass(frozen=True, kw_only=True)
class Generator:
    """What random tournaments are like; tournament k of a seed is always the same.

    Parameters
    ----------
    system : str or PairingSystem
        The system that pairs.
    players, rounds : int or (int, int)
        Size of the tournaments; from a range it is drawn for each, and rounds are at most what the players can play.
    ratings : (int, int) or sequence of int
        Lowest and highest rating, or the ratings of all players.
    model : str or Model
        The result model.
    participation : Participation
        Byes, forfeits, withdrawals, late arrivals. Games cannot be postponed: a file does not keep when a result arrived.
    points : Points
        What results are worth.
    initial_colour : {"lot", "white", "black"}
        The colour drawn before round 1.
    seed : int
        Seed of everything random.

    Raises
    ------
    SwissError
        If a value is impossible; the message names it.
    """

    system: str | PairingSystem
    players: int | Range = PLAYERS
    rounds: int | Range = ROUNDS
    ratings: tuple[int, ...] = RATINGS
    model: str | Model | Callable[..., Any] = "milvang2015"
    participation: Participation = field(default_factory=Participation)
    points: Points = field(default_factory=Points)
    initial_colour: str = "lot"
    seed: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "system", make_system(self.system))
        object.__setattr__(self, "model", make_model(self.model))
        for name, least in (("players", 2), ("rounds", 1)):
            value = getattr(self, name)
            low, high = value if isinstance(value, tuple) else (value, value)
            whole = all(isinstance(v, int) and not isinstance(v, bool) for v in (low, high))
            if not whole or not least <= low <= high <= _MOST[name]:
                raise SwissError(
                    f"{name} is {value!r}; it must be a number, or a range low-high, from {least} to {_MOST[name]}"
                )
            object.__setattr__(self, name, (low, high))
        if any(isinstance(r, bool) or not isinstance(r, int) or not 0 <= r <= _HIGHEST_RATING for r in self.ratings):
            raise SwissError(f"ratings are {self.ratings!r}; they must be whole numbers from 0 to {_HIGHEST_RATING}")
        if len(self.ratings) == 2 and self.ratings[0] > self.ratings[1]:
            raise SwissError(f"the lowest rating is {self.ratings[0]}, above the highest, {self.ratings[1]}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < 1 << 64:
            raise SwissError(f"seed is {self.seed!r}; it must be a whole number from 0, below 2^64")
        if self.participation.postpone:
            raise SwissError("postponed games cannot be generated: a report file does not keep when a result arrived")
        self.simulation(0)  # whatever else is wrong is said at once

    def size(self, number: int) -> tuple[int, int]:
        """Return players and rounds of a tournament: player 0 of the domain "field", words 0 and 1."""
        u = uniforms(self.seed, Domain.FIELD, number, 0)[..., :2].reshape(-1)
        low, high = self.players  # type: ignore[misc]
        players = low + int(u[0] * (high - low + 1))
        low, high = self.rounds  # type: ignore[misc]
        most = players if players % 2 else players - 1
        return players, min(low, most) + int(u[1] * (min(high, most) - min(low, most) + 1)) if low < high else low

    def simulation(self, number: int) -> Simulation:
        """Return the simulation whose tournament `number` is wanted."""
        players, rounds = self.size(number)
        if len(self.ratings) == 2:
            low, high = self.ratings
            drawn = Field.uniform(players=players, low=low, high=high, rating="rounded")
        else:
            drawn = Field.from_ratings(self.ratings)
        return Simulation(
            self.system,  # type: ignore[arg-type]
            drawn,
            rounds,
            self.model,  # type: ignore[arg-type]
            self.seed,
            self.initial_colour,
            self.participation,
            self.points,
        )

    @cached_property
    def varied(self) -> bool:
        """Whether the tournaments differ in size."""
        return self.players[0] < self.players[1] or self.rounds[0] < self.rounds[1]  # type: ignore[index]

    def reports(self, first: int = 0, *, count: int = 1) -> Iterator[Report]:
        """Yield the reports of tournaments ``first .. first + count - 1`` of the seed.

        A tournament in which a round has no legal pairing ends there; a comment in the report says so.
        """
        size = 1 if self.varied else min(self.simulation(first).block_size(), 64)
        for start in range(first, first + count, size):
            simulation = self.simulation(start)
            yield from reports_of(simulation.run(start, count=min(size, first + count - start)), simulation)

    def file_name(self, number: int) -> str:
        """Return the name of the file of a tournament; it has the seed in it."""
        return f"{self.system.name}-s{self.seed}-{number + 1:05}.trf"  # type: ignore[union-attr]


def reports_of(results: Results, simulation: Simulation) -> Iterator[Report]:
    """Yield the reports of all tournaments of a block of results.

    Parameters
    ----------
    results : Results
        Without postponed games.
    simulation : Simulation
        What made them: named in every report.

    Yields
    ------
    Report
    """
    ranks = tiebreaks.ranks(results)
    settings = _settings(simulation)
    for t in range(len(results)):
        yield _report(results, t, ranks[t].tolist(), settings)


def _settings(simulation: Simulation) -> dict[str, Any]:
    """Return what makes the tournaments again, apart from their numbers."""
    known = simulation.provenance(1)
    del known["tournaments"]
    return known


def _report(results: Results, t: int, ranks: list[int], settings: dict[str, Any]) -> Report:
    rating = results.rows("rating")[t]
    points = results.points[t]
    players = [
        PlayerRecord(
            k + 1, name=f"Player {k + 1:04}", rating=round(float(rating[k])), points=int(points[k]), rank=int(ranks[k])
        )
        for k in range(len(rating))
    ]
    for r in range(int(results.rounds_paired[t])):
        _add_round(players, results.opponent[t, r], results.colour[t, r], results.result[t, r])
    number, name, seed = results.first + t + 1, results.system, settings["seed"]
    report = trf.new_report(
        players,
        name=f"swisssim {name}, seed {seed}, tournament {number}",
        rounds=results.rounds,
        initial_colour="W" if results.initial_colour[t] >= 0 else "B",
        points=point_system(Points.of(settings["points"])),
        system=coded_type(name),
        headers={**type_header(name), "182": f"swisssim {settings['swisssim']}"},
    )
    report.comments.append(f"### swisssim generate {json.dumps({**settings, 'tournament': number})}")
    if results.stopped[t]:
        report.comments.append(f"### no legal pairing existed in round {int(results.rounds_paired[t]) + 1}")
    return report


def _add_round(players: list[PlayerRecord], opponent: Any, colour: Any, result: Any) -> None:
    for player, other, side, code in zip(players, opponent.tolist(), colour.tolist(), result.tolist(), strict=True):
        letter = LETTERS[Code(code)]
        player.rounds.append(
            RoundEntry(other + 1, "w" if side > 0 else "b", letter) if other >= 0 else RoundEntry(0, "-", letter)
        )


def like(report: Report, *, system: str | PairingSystem, seed: int = 1) -> Generator:
    """Return the generator of tournaments in the shape of a real event: its ratings, rounds, share of draws, forfeits and byes.

    Parameters
    ----------
    report : Report
        The event.
    system : str or PairingSystem
        The system that pairs.
    seed : int
        Seed of everything random.

    Returns
    -------
    Generator

    Raises
    ------
    SwissError
        If nothing was played.
    """
    games = [entry.meaning for entry in _entries(report) if entry.played]
    if not games:
        raise SwissError(f"{report.path or 'the report'}: no game was played; there is nothing to copy the shape of")
    ratings = tuple(sorted((player.rating or 0 for player in report.players.values()), reverse=True))
    return Generator(
        system=system,
        players=len(ratings),
        rounds=report.rounds_played,
        ratings=ratings if len(ratings) > 2 else (min(ratings), max(ratings)),
        model=make_model("elo", draw=games.count("DRAW") / len(games)),
        participation=attendance_of(report),
        points=points_of(report),
        seed=seed,
    )


def attendance_of(report: Report) -> Participation:
    """Return how often players of an event stayed away: rates per player and round of forfeits and byes of both kinds.

    Withdrawals and late arrivals count as absences for no points, round by round.
    """
    meanings = [entry.meaning for entry in _entries(report)]
    forfeits = meanings.count("FORFEIT_LOSS")
    paired = sum(meanings.count(name) for name in ("WIN", "DRAW", "LOSS", "POSTPONED", "FORFEIT_WIN")) + forfeits
    return Participation(
        forfeit=forfeits / max(paired, 1),
        half_bye=meanings.count("HALF_BYE") / max(len(meanings), 1),
        zero_bye=(meanings.count("ZERO_BYE") + meanings.count("ABSENT")) / max(len(meanings), 1),
    )


def _entries(report: Report) -> list[RoundEntry]:
    """Return the entries of all players in the rounds that were played."""
    return [report.entry(number, r) for number in report.players for r in range(1, report.rounds_played + 1)]


def with_options(generator: Generator, **changes: Any) -> Generator:
    """Return a generator with some things changed; None leaves a thing as it is."""
    known = {name: value for name, value in changes.items() if value is not None}
    return replace(generator, **known)


def block(generator: Generator, span: Range) -> list[tuple[str, bytes]]:
    """Return names and contents of the files of a span of tournaments: first number and count."""
    first, count = span
    return [
        (generator.file_name(first + k), trf.dumps(report).encode("utf-8"))
        for k, report in enumerate(generator.reports(first, count=count))
    ]


def spans(count: int, *, first: int = 0, size: int = 16) -> list[Range]:
    """Return spans that cover `count` tournaments."""
    return [(start, min(size, first + count - start)) for start in range(first, first + count, size)]


def share_per_round(share: float, rounds: int) -> float:
    """Return the probability per round with which a share of all players has something at least once in so many rounds."""
    return 1.0 - float((1.0 - min(share, 1.0 - 1e-9)) ** (1.0 / max(rounds, 1)))


def mean_rounds(rounds: Range) -> int:
    """Return the usual number of rounds of a range."""
    return int(np.ceil(sum(rounds) / 2))
