"""Thousands of tournaments of one system: blocks in lockstep, threads over code that holds no GIL, progress, provenance."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from swisssim._core import PairingSystem, draw_games, draw_matches, pair_block, record_block, reveal_all
from swisssim._random import Domain, uniforms
from swisssim._state import CancelFlag, State
from swisssim.errors import SwissError
from swisssim.field import Field, TeamField
from swisssim.history import empty_history
from swisssim.matches import board_probabilities
from swisssim.models import Context, Model
from swisssim.models import model as make_model
from swisssim.pairing import system as make_system
from swisssim.participation import Attendance, Participation
from swisssim.points import Points, TeamScoring
from swisssim.results import Results

# Memory of one block's state, and the most tournaments in it.
_BLOCK_BYTES = 64 << 20
_LARGEST_BLOCK = 512
# The most players and rounds that the compact arrays can hold (int16 and int8).
_MOST_PLAYERS = 32_000
_MOST_ROUNDS = 250
# The last round after which a postponed result can be noted (int8).
_LAST_ARRIVAL = 127
# How often the waiting thread looks for Ctrl-C, in seconds.
_WAIT = 0.1


@dataclass(frozen=True)
class Simulation:
    """What is simulated, apart from how many tournaments: everything that decides a result.

    Any tournament can be run alone, in any order, on any number of workers, with the same outcome.

    Attributes
    ----------
    system, field, rounds, model, seed, initial_colour, participation, points, team_bye
        As in `swisssim.simulate`; system and model are made.
    """

    system: PairingSystem
    field: Field
    rounds: int
    model: Model
    seed: int = 1
    initial_colour: str = "lot"
    participation: Participation = dataclass_field(default_factory=Participation)
    points: Points | None = None
    team_bye: str = "rule"

    def __post_init__(self) -> None:
        for name, kind in (("field", Field), ("participation", Participation)):
            if not isinstance(getattr(self, name), kind):
                raise SwissError(f"{name} is {getattr(self, name)!r}; it must be a {kind.__name__}")
        n = self.field.players
        if n > _MOST_PLAYERS:
            raise SwissError(f"players is {n}; at most {_MOST_PLAYERS} can be simulated")
        most = min(n if n % 2 else n - 1, _MOST_ROUNDS)
        # plain numbers: those of numpy overflow, and JSON doesn't know them
        object.__setattr__(self, "rounds", _whole("rounds", self.rounds, 1))
        object.__setattr__(self, "seed", _whole("seed", self.seed, 0))
        if self.rounds > most:
            raise SwissError(f"rounds is {self.rounds}; {n} players can play 1 to {most} rounds without a rematch")
        if self.rounds > _LAST_ARRIVAL and self.participation.postpone > 0:
            raise SwissError(
                f"rounds is {self.rounds}; postponed games are possible in events of up to {_LAST_ARRIVAL} rounds"
            )
        if self.seed >= 1 << 64:
            raise SwissError(f"seed is {self.seed}; it must be below 2^64")
        if self.initial_colour not in ("lot", "white", "black"):
            raise SwissError(f"initial_colour is 'lot', 'white' or 'black', not {self.initial_colour!r}")
        self.scoring.check_total(self.rounds)  # raises too if boards and team_bye don't go together

    @property
    def teams(self) -> TeamScoring | None:
        """The scoring of a team event; None if the field is one of players."""
        return TeamScoring.of(self.field.boards, teams=self.field.players, rounds=self.rounds, team_bye=self.team_bye)

    @property
    def scoring(self) -> Points:
        """What results are worth: `points` if given, else 1 - 1/2 - 0, in a team event 2 - 1 - 0 with the rule for byes."""
        return self.teams.points(self.points) if self.teams else Points.of(self.points)

    def block_size(self) -> int:
        """Return how many tournaments make a block of about 64 MB, at least 1, at most 512."""
        n = self.field.players
        bitset = n * ((n + 64) // 64) * 8
        history = self.rounds * n * 9
        teams = 0 if self.field.boards == 1 else n * (2 * self.rounds + 128 * self.field.boards)
        return max(1, min(_LARGEST_BLOCK, _BLOCK_BYTES // (bitset + history + teams + 64 * n)))

    def run(self, first: int, *, count: int, flag: CancelFlag | None = None) -> Results:
        """Run tournaments ``first .. first + count - 1`` of the study in one block.

        Parameters
        ----------
        first, count : int
            The tournaments, numbered from 0.
        flag : CancelFlag, optional
            Stops the run when raised.

        Returns
        -------
        Results
            Of these tournaments.
        """
        kind = _Block if self.field.boards == 1 else _TeamBlock
        return kind(self, first, count, flag).play()

    def provenance(self, tournaments: int) -> dict[str, Any]:
        """Return everything that is needed to run the same tournaments again, as plain data."""
        from swisssim import __version__

        return {
            "swisssim": __version__,
            "system": self.system.name,
            "options": dict(self.system.options),
            "field": self.field.to_dict(),
            "rounds": self.rounds,
            "tournaments": tournaments,
            "model": self.model.to_dict(),
            "seed": self.seed,
            "initial_colour": self.initial_colour,
            "participation": self.participation.to_dict(),
            "points": self.scoring.to_dict(),
            **({"team_bye": self.team_bye} if self.field.boards > 1 else {}),
        }

    @classmethod
    def from_provenance(cls, given: dict[str, Any]) -> Simulation:
        """Return the simulation that a provenance describes."""
        return cls(
            system=make_system(given["system"], **given["options"]),
            field=Field.from_dict(given["field"]),
            rounds=given["rounds"],
            model=Model.from_dict(given["model"]),
            seed=given["seed"],
            initial_colour=given["initial_colour"],
            participation=Participation(**given["participation"]),
            points=Points.of(given["points"]),
            team_bye=given.get("team_bye", "rule"),
        )


class _Block:
    """The arrays of one block while it is played."""

    def __init__(self, simulation: Simulation, first: int, count: int, flag: CancelFlag | None) -> None:
        self.simulation = simulation
        self.first, self.count = first, count
        self.rating, self.strength = simulation.field.draw(simulation.seed, first, count)
        n = simulation.field.players
        self.history = empty_history(count, simulation.rounds, n)
        self.initial_colour = _initial_colours(simulation, first, count)
        self.worth = simulation.scoring.worth
        self.state = State(
            **self.history,
            rating=self.rating,
            initial_colour=self.initial_colour,
            worth=self.worth,
            first=first,
            seed=simulation.seed,
            forfeits_count_as_met=simulation.system.forfeits_count_as_met,
            flag=flag,
        )
        if simulation.participation.postpone > 0:
            self.state.expect_postponed()
        self.attendance = Attendance(simulation.participation, simulation.seed, first, count, n, simulation.rounds)
        most = count * (n // 2)
        self.tournament, self.white, self.black = (np.empty(most, np.int32) for _ in range(3))
        self.white_code, self.black_code = np.empty(most, np.int8), np.empty(most, np.int8)
        self.late = np.empty(most, np.uint8)
        self.stopped = np.zeros(count, np.uint8)
        self.rounds_paired = np.zeros(count, np.int16)
        self.game_points: NDArray[np.int16] | None = None

    def play(self) -> Results:
        """Play all rounds and return the results."""
        for round in range(1, self.simulation.rounds + 1):
            self._play_round(round)
        reveal_all(self.state)
        return Results(
            system=self.simulation.system.name,
            **self.history,
            rating=self.rating,
            strength=self.strength,
            initial_colour=self.initial_colour,
            rounds_paired=self.rounds_paired,
            stopped=self.stopped.astype(bool),
            worth=np.array(self.worth, np.int16),
            first=self.first,
            provenance=self.simulation.provenance(self.count),
            game_points=self.game_points,
        )

    def _play_round(self, round: int) -> None:
        simulation, state = self.simulation, self.state
        no_show = None
        if self.attendance.active:
            state.away[...] = self.attendance.away(round)
            no_show = self.attendance.no_show(round)
        games = pair_block(state, simulation.system, round, self.stopped, self.tournament, self.white, self.black)
        self.rounds_paired += self.stopped == 0
        self._draw_results(round, games, no_show)
        record_block(
            state, round, games, self.tournament, self.white, self.black, self.white_code, self.black_code, self.late,
            min(simulation.participation.delay, simulation.rounds), self.stopped,
        )  # fmt: skip

    def _draw_results(self, round: int, games: int, no_show: NDArray[np.uint8] | None) -> None:
        """Evaluate the result model once on all games of the block, and draw their results."""
        t, white, black = self.tournament[:games], self.white[:games], self.black[:games]
        row = t * self.simulation.field.players if self.strength.shape[0] > 1 else 0
        strength = self.strength.reshape(-1)
        win, draw = self.simulation.model(strength[row + white], strength[row + black], self._context(round, games))
        draw_games(
            self.state, round, games, self.tournament, self.white, self.black, win, draw, no_show,
            self.simulation.participation.postpone, self.white_code, self.black_code, self.late,
        )  # fmt: skip

    def _context(self, round: int, games: int) -> Context:
        t = self.tournament[:games]
        return Context(
            round=round,
            rounds=self.simulation.rounds,
            tournament=t + self.first,
            white=self.white[:games],
            black=self.black[:games],
            index=t,
            state=self.state,
        )


class _TeamBlock(_Block):
    """A block of team events: every board of a match is a game of its own, and game points are kept."""

    def __init__(self, simulation: Simulation, first: int, count: int, flag: CancelFlag | None) -> None:
        super().__init__(simulation, first, count, flag)
        assert isinstance(simulation.field, TeamField)
        assert simulation.teams is not None
        self.board_strength = simulation.field.draw_boards(simulation.seed, first, count)
        self.white_made, self.black_made = (np.empty(len(self.white), np.int16) for _ in range(2))
        self.unplayed = np.array(simulation.teams.unplayed, np.int16)
        self.game_points = self.made = np.zeros(self.history["score"].shape, np.int16)

    def _draw_results(self, round: int, games: int, no_show: NDArray[np.uint8] | None) -> None:
        t, white, black = self.tournament[:games], self.white[:games], self.black[:games]
        row = t if self.board_strength.shape[0] > 1 else 0
        first, second = self.board_strength[row, white], self.board_strength[row, black]
        win, draw = board_probabilities(self.simulation.model, first, second, self._context(round, games))
        draw_matches(
            self.state, round, games, self.tournament, self.white, self.black, win, draw, no_show,
            self.simulation.participation.postpone, self.white_code, self.black_code,
            self.white_made, self.black_made, self.late,
        )  # fmt: skip
        made = self.made[:, round - 1]
        made[...] = self.unplayed[self.history["result"][:, round - 1]]  # byes; matches have no code yet
        for team, code, points in (
            (white, self.white_code[:games], self.white_made[:games]),
            (black, self.black_code[:games], self.black_made[:games]),
        ):
            made[t, team] = points + self.unplayed[code]


def _initial_colours(simulation: Simulation, first: int, count: int) -> NDArray[np.int8]:
    """Draw the initial colour of each tournament, or take the one that is given."""
    if simulation.initial_colour != "lot":
        return np.full(count, 1 if simulation.initial_colour == "white" else -1, np.int8)
    tournament = np.arange(first, first + count, dtype=np.uint64)
    u = uniforms(simulation.seed, Domain.INITIAL_COLOUR, tournament, 0, 0, 0)[..., 0]
    return np.where(u < 0.5, 1, -1).astype(np.int8)


def simulate(
    system: str | PairingSystem,
    field: Field,
    *,
    rounds: int,
    tournaments: int,
    model: str | Model | Callable[..., Any] = "milvang2015",
    seed: int = 1,
    initial_colour: str = "lot",
    participation: Participation | None = None,
    points: Points | None = None,
    team_bye: str = "rule",
    threads: int | None = None,
    block: int | None = None,
    executor: Executor | None = None,
    progress: bool = True,
) -> Results:
    """Simulate tournaments of one pairing system.

    Parameters
    ----------
    system : str or PairingSystem
        Name of a system, or one made by `swisssim.system` with options.
    field : Field
        The players, for instance ``Field.uniform(players=100, low=1400, high=2200)``; or teams of several boards, such as
        ``Field.teams(teams=30, boards=4, low=1400, high=2200)``: then every board of a match is played, more game points
        win the match, and the system pairs by match points and the colours of board 1.
    rounds : int
        Rounds of a tournament.
    tournaments : int
        How many tournaments.
    model : str, Model or callable
        The result model; see `swisssim.models`.
    seed : int
        Seed of everything random; the same seed gives the same results for any number of threads and any block size.
    initial_colour : {"lot", "white", "black"}
        The colour drawn before round 1.
    participation : Participation, optional
        Byes, forfeits, withdrawals, late arrivals, postponed games; none by default.
    points : Points, optional
        Points other than 1 - 1/2 - 0 (teams: match points other than 2 - 1 - 0; their bye then is worth what is said here).
    team_bye : {"rule", "literal"}
        How the rule about a team's bye is read; see `swisssim.points.TeamScoring`.
    threads : int, optional
        Threads; all processors by default.
    block : int, optional
        Tournaments in one block; about 64 MB of state by default.
    executor : concurrent.futures.Executor, optional
        Runs the blocks, instead of threads.
    progress : bool
        Show a progress bar, on a terminal only.

    Returns
    -------
    Results
        Compact arrays, tidy tables and provenance.

    Raises
    ------
    SwissError
        If the request cannot be served; the message names the value.

    Examples
    --------
    >>> import swisssim
    >>> field = swisssim.Field.uniform(players=20, low=1400, high=2200)
    >>> results = swisssim.simulate("amalfi", field, rounds=5, tournaments=10, progress=False)
    >>> results.points.shape
    (10, 20)
    """
    simulation = Simulation(
        make_system(system),
        field,
        rounds,
        make_model(model),
        seed,
        initial_colour,
        participation or Participation(),
        points,
        team_bye,
    )
    tournaments = _whole("tournaments", tournaments, 1)
    size = _whole("block", block, 1) if block is not None else simulation.block_size()
    parts: dict[int, Results] = {}
    tasks = [(first, min(size, tournaments - first)) for first in range(0, tournaments, size)]
    with progress_bar(tournaments, show=progress) as bar:
        for first, part in run_blocks(simulation.run, tasks, threads=threads, executor=executor):
            parts[first] = part
            bar.update(len(part))
    results = Results.concatenate([parts[first] for first, _ in tasks])
    results.provenance = simulation.provenance(tournaments)
    return results


def run_blocks(
    run: Callable[..., Any],
    tasks: list[tuple[int, int]],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Iterator[tuple[int, Any]]:
    """Run blocks side by side and yield ``(first, result)`` as they finish; Ctrl-C stops them all.

    Parameters
    ----------
    run : callable
        ``run(first, count=count)``; for threads also ``flag=``.
    tasks : list of (int, int)
        First tournament and number of tournaments of each block.
    threads : int, optional
        Threads; all processors by default.
    executor : Executor, optional
        Runs the blocks instead of threads; it is not shut down.
    """
    if executor is not None:
        yield from _collect({executor.submit(run, first, count=count): first for first, count in tasks}, None)
        return
    workers = threads if threads is not None else os.cpu_count() or 1
    workers = _whole("threads", workers, 1)
    flag = CancelFlag()
    pool = ThreadPoolExecutor(max_workers=workers)
    try:
        yield from _collect({pool.submit(run, first, count=count, flag=flag): first for first, count in tasks}, flag)
    finally:
        flag.cancel()
        # Not waited for: on Ctrl-C a thread may be inside somebody's slow model; it stops when that returns.
        pool.shutdown(wait=False, cancel_futures=True)


def _collect(starts: dict[Future[Any], int], flag: CancelFlag | None) -> Iterator[tuple[int, Any]]:
    """Yield results as they come, and forget them; on an error or Ctrl-C cancel the rest."""
    waiting = set(starts)
    try:
        while waiting:
            done, waiting = wait(waiting, timeout=_WAIT, return_when=FIRST_COMPLETED)
            for future in done:
                yield starts.pop(future), future.result()
    finally:
        if flag is not None and waiting:
            flag.cancel()
        for future in waiting:
            future.cancel()


def progress_bar(total: int, *, show: bool, unit: str = "tournament") -> tqdm[Any]:
    """Return a progress bar on standard error, silent unless that is a terminal."""
    return tqdm(total=total, unit=f" {unit}s", disable=not (show and sys.stderr.isatty()), leave=False, smoothing=0.05)


def _whole(name: str, value: object, least: int) -> int:
    """Return a whole number as a plain one; raise an error for anything else, and for less than `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise SwissError(f"{name} is {value!r}; it must be a whole number from {least}")
    return int(value)
