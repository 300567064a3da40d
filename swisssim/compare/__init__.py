"""Several pairing systems on the same fields with the same luck: paired differences and intervals.

Every tournament is run under every system with the same players, strengths, participation and luck of the games, so
that a difference between two systems is measured within tournaments. Blocks are simulated and measured side by side;
only sums come back, so that memory doesn't grow with the number of games, and the sums are exact, so that threads and
blocks can't change a byte of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from swisssim._state import CancelFlag
from swisssim.compare._comparison import HEADLINES, Comparison
from swisssim.compare._files import TABLES, check_place, load_config, write_tables
from swisssim.compare._plan import DEFAULT_SYSTEMS, ORDER, RESAMPLES, Part, Plan, row_names
from swisssim.errors import SwissError
from swisssim.field import Field
from swisssim.metrics import Floats
from swisssim.models import Model
from swisssim.models import model as make_model
from swisssim.pairing import PairingSystem
from swisssim.pairing import system as make_system
from swisssim.participation import Participation
from swisssim.points import Points
from swisssim.results import Results
from swisssim.simulation import progress_bar, run_blocks
from swisssim.statistics import Accumulator, StopRule
from swisssim.tiebreaks import DEFAULT_ORDER

__all__ = [
    "DEFAULT_SYSTEMS",
    "HEADLINES",
    "ORDER",
    "TABLES",
    "Comparison",
    "Part",
    "Plan",
    "check_place",
    "compare",
    "load_config",
    "row_names",
    "run",
    "write_tables",
]

# Tournaments in one piece of work: at most so many, and at least so many pieces to share out if they are few.
_LARGEST, _PIECES = 500, 8
# Tournaments whose pieces wait in line at the same time.
_IN_LINE = 100_000


def compare(
    systems: Sequence[str | PairingSystem] = DEFAULT_SYSTEMS,
    field: Field | None = None,
    *,
    rounds: int = 7,
    tournaments: int = 2000,
    model: str | Model | Callable[..., Any] = "milvang2015",
    seed: int = 1,
    initial_colour: str = "lot",
    participation: Participation | None = None,
    points: Points | None = None,
    team_bye: str = "rule",
    baseline: str | None = None,
    tie_breaks: Sequence[str] = DEFAULT_ORDER,
    margins: Mapping[str, float] | None = None,
    until_halfwidth: StopRule | tuple[str, float] | None = None,
    resamples: int = RESAMPLES,
    keep_games: bool = False,
    threads: int | None = None,
    block: int | None = None,
    executor: Executor | None = None,
    progress: bool = True,
) -> Comparison:
    """Compare pairing systems on the same fields with the same luck.

    Parameters
    ----------
    systems : sequence of str or PairingSystem
        Names of systems, or systems made by `swisssim.system` with options; default all.
    field : Field
        The players, or teams; default 64 players with ratings uniform from 1400 to 2200.
    rounds, tournaments : int
        Rounds of a tournament, and how many tournaments.
    model, seed, initial_colour, participation, points, team_bye
        As in `swisssim.simulate`.
    baseline : str, optional
        The system to which the others are compared; default ``dutch`` if it is among them, else the first.
    tie_breaks : sequence of str
        Order of the tie-breaks after the points.
    margins : mapping of str to float, optional
        By metric, the smallest difference that matters; default 0.
    until_halfwidth : StopRule or (str, float), optional
        Stop as soon as the 95 % intervals of a metric are at most so wide to each side; `tournaments` is the most.
    resamples : int
        Bootstrap resamples; 0 for none.
    keep_games : bool
        Keep every game, in `Comparison.results`; takes about 9 bytes per player, round, system and tournament.
    threads, executor
        As in `swisssim.simulate`; they don't change the result.
    block : int, optional
        Tournaments in one piece of work; doesn't change the result.
    progress : bool
        Show a progress bar, on a terminal only.

    Returns
    -------
    Comparison

    Raises
    ------
    SwissError
        If the request can't be served; the message names the value.

    Examples
    --------
    >>> import swisssim
    >>> field = swisssim.Field.uniform(players=16, low=1400, high=2200)
    >>> found = swisssim.compare(["nordic", "lottery"], field, rounds=5, tournaments=40, progress=False)
    >>> found.baseline, len(found.tournaments)
    ('nordic', 80)
    """
    if isinstance(systems, str | PairingSystem):
        systems = [systems]
    rule = until_halfwidth
    if isinstance(rule, tuple):
        rule = StopRule(
            name=rule[0], half_width=rule[1], minimum=min(500, max(tournaments, 2)), maximum=max(tournaments, 2)
        )
    plan = Plan(
        systems=tuple(make_system(system) for system in systems),
        field=field if field is not None else Field.uniform(players=64, low=1400, high=2200),
        rounds=rounds,
        tournaments=tournaments,
        model=make_model(model),
        seed=seed,
        initial_colour=initial_colour,
        participation=participation or Participation(),
        points=points,
        team_bye=team_bye,
        baseline=baseline or "",
        tie_breaks=tuple(tie_breaks),
        margins=dict(margins or {}),
        until=rule,
        resamples=resamples,
        keep_games=keep_games,
    )
    return run(plan, threads=threads, block=block, executor=executor, progress=progress)


def run(
    plan: Plan,
    *,
    threads: int | None = None,
    block: int | None = None,
    executor: Executor | None = None,
    progress: bool = True,
) -> Comparison:
    """Run a plan.

    Parameters
    ----------
    plan : Plan
        What is compared.
    threads, block, executor, progress
        As in `compare`.

    Returns
    -------
    Comparison
    """
    size = block if block is not None else min(_LARGEST, -(-plan.tournaments // _PIECES))
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise SwissError(f"block is {size!r}; it must be a whole number from 1")
    pieces = _Pieces(plan)
    run_piece = plan.run if executor is not None else pieces.run
    rows: dict[int, dict[str, Floats]] = {}
    kept: dict[int, dict[str, Results]] = {}
    with progress_bar(plan.tournaments, show=progress) as bar:
        for start, end, look in _stages(plan):
            tasks = [(first, min(size, end - first)) for first in range(start, end, size)]
            for first, part in run_blocks(run_piece, tasks, threads=threads, executor=executor):
                if executor is not None:
                    pieces.add(part.summary)
                if first < plan.rows_kept:
                    rows[first] = part.rows
                if plan.keep_games:
                    kept[first] = part.results
                bar.update(len(next(iter(part.rows.values()))))
            if look is not None and look.reached(pieces.summary()):
                break
    return Comparison(
        plan,
        pieces.summary(),
        {name: np.concatenate([rows[k][name] for k in sorted(rows)])[: plan.rows_kept] for name in plan.names},
        {name: _joined(plan, name, [kept[k][name] for k in sorted(kept)]) for name in plan.names if kept},
    )


def _joined(plan: Plan, name: str, parts: list[Results]) -> Results:
    """Return the results of a system as one, with the provenance of them all."""
    results = Results.concatenate(parts)
    results.provenance = plan.simulations[name].provenance(len(results))
    return results


class _Pieces:
    """The sums of a plan while its pieces are run: threads take turns with a few accumulators, one for each at a time."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.idle: list[Accumulator] = []

    def run(self, first: int, *, count: int, flag: CancelFlag | None = None) -> Part:
        """Run tournaments and add them to sums that no other thread is at."""
        try:
            summary = self.idle.pop()
        except IndexError:
            summary = self.plan.summary()
        try:
            return self.plan.run(first, count=count, flag=flag, summary=summary)
        finally:
            self.idle.append(summary)

    def add(self, summary: Accumulator) -> None:
        """Add sums that were made elsewhere."""
        if not self.idle:
            self.idle.append(self.plan.summary())
        self.idle[0].merge(summary)

    def summary(self) -> Accumulator:
        """Return the sums over all tournaments so far; none may be running."""
        while len(self.idle) > 1:
            self.idle[0].merge(self.idle.pop())
        return self.idle[0]


def _stages(plan: Plan) -> Iterable[tuple[int, int, StopRule | None]]:
    """Yield stretches of tournaments, so short that no line gets too long, and the stop rule where it looks at the sums."""
    start = 0
    for look in plan.until.looks() if plan.until is not None else (plan.tournaments,):
        end = min(look, plan.tournaments)
        for first in range(start, end, _IN_LINE):
            last = min(first + _IN_LINE, end)
            yield first, last, plan.until if last == end else None
        start = end
