"""Measures the benchmark grid and writes the table of ``bench/README.md``.

    python bench/measure.py            # everything, some minutes
    python bench/measure.py --quick    # small sizes, to see that it works

Times are CPU time of this process, medians of five runs, unless a column says otherwise.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import swisssim
from bench.positions import before_round, pair_again, simulation
from swisssim import simulation as simulation_module
from swisssim.simulation import run_blocks

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SYSTEMS = sorted(swisssim.SYSTEMS)

# Players: rounds, tournaments in one run.
TOURNAMENTS = {20: (9, 400), 100: (9, 100), 1000: (9, 2), 10_000: (5, 1)}
ROUND_SIZES = (20, 100, 1000, 10_000)
# Players, rounds: events in which opponents run out.
LONG = ((40, 39), (100, 99), (200, 50), (200, 199))
# A run that takes longer than this is not repeated.
_ONCE = 20.0


def cpu(function: Callable[[], Any], repeat: int = 5) -> float:
    """Return the median CPU time of a function in seconds; one that takes long is run once only."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
        if times[-1] > _ONCE:
            break
    return statistics.median(times)


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def shown(seconds: float) -> str:
    """Return milliseconds with three significant digits."""
    milliseconds = seconds * 1e3
    digits = 2 - int(np.floor(np.log10(milliseconds))) if milliseconds > 0 else 0
    return f"{milliseconds:,.{max(0, digits)}f}"


@contextmanager
def timed_pairing() -> Iterator[list[float]]:
    """Collect the CPU time of every round that is paired for a block of tournaments."""
    times: list[float] = []
    pair = simulation_module.pair_block

    def timed(*arguments: Any) -> int:
        start = time.process_time()
        games = pair(*arguments)
        times.append(time.process_time() - start)
        return games

    simulation_module.pair_block = timed
    try:
        yield times
    finally:
        simulation_module.pair_block = pair


def tournaments(sizes: dict[int, tuple[int, int]]) -> str:
    """Whole tournaments: field, pairing, play, record, result arrays."""
    rows = []
    for system in SYSTEMS:
        cells = []
        for players, (rounds, count) in sizes.items():
            field = swisssim.Field.uniform(players=players, low=1400, high=2200)

            def run(
                system: str = system, field: swisssim.Field = field, rounds: int = rounds, count: int = count
            ) -> None:
                swisssim.simulate(system, field, rounds=rounds, tournaments=count, threads=1, progress=False)

            cells.append(shown(cpu(run) / count))
            print(f"tournaments {system} {players}: {cells[-1]} ms", flush=True)
        rows.append([system, *cells])
    return grid(["ms per tournament", *(f"{n} x {r}" for n, (r, _) in sizes.items())], rows)


def rounds(sizes: Sequence[int]) -> str:
    """One round in the middle of an event."""
    rows = []
    for system in SYSTEMS:
        cells = []
        for players in sizes:
            state, room = before_round(system, players, 5, 11), swisssim.system(system)
            cells.append(shown(cpu(lambda state=state, room=room: pair_again(state, room, 5))))  # type: ignore[misc]
        print(f"rounds {system}: {cells} ms", flush=True)
        rows.append([system, *cells])
    return grid(["ms for round 5 of 11", *(f"{n} players" for n in sizes)], rows)


def split() -> str:
    """Where the time of 100 x 9 goes, and what blocks cost."""
    rows = []
    for system in SYSTEMS:
        event = simulation(system, 100, 9)
        event.run(0, count=10)
        size = min(event.block_size(), 400)
        with timed_pairing() as times:
            whole = cpu(lambda event=event, size=size: event.run(0, count=size))  # type: ignore[misc]
        pairing = sum(times) / (len(times) / 9)
        small = cpu(lambda event=event, size=size: [event.run(k, count=50) for k in range(0, size, 50)])  # type: ignore[misc]
        rest = whole - pairing
        row = [shown(pairing / size), shown(rest / size), f"{pairing / rest:.2f}", f"{small / whole - 1:+.1%}"]
        rows.append([system, *row])
        print(f"split {system}: {row}", flush=True)
    head = ["100 x 9", "pairing, ms", "play and record, ms", "ratio", "blocks of 50 instead of 400"]
    return grid(head, rows)


def worst(events: Sequence[tuple[int, int]]) -> str:
    """The slowest single round of events in which opponents run out."""
    rows = []
    for system in SYSTEMS:
        cells = []
        for players, count in events:
            with timed_pairing() as times:
                simulation(system, players, count).run(0, count=1)
            cells.append(shown(max(times)))
            print(f"worst {system} {players} x {count}: {cells[-1]} ms", flush=True)
        rows.append([system, *cells])
    return grid(["slowest round, ms", *(f"{n} x {r}" for n, r in events)], rows)


def threads(count: int) -> str:
    """What a second thread brings, by the clock on the wall, and what sharing out blocks costs."""
    rows = []
    for system in SYSTEMS:
        event = simulation(system, 100, 9)
        tasks = [(first, 50) for first in range(0, count, 50)]
        clock = []
        for number in (1, 2):
            start = time.perf_counter()
            for _ in run_blocks(event.run, tasks, threads=number):
                pass
            clock.append(time.perf_counter() - start)
        alone = cpu(lambda event=event, tasks=tasks: [event.run(f, count=c) for f, c in tasks], 3)  # type: ignore[misc]
        field = event.field
        together = cpu(
            lambda system=system, field=field: swisssim.simulate(  # type: ignore[misc]
                system, field, rounds=9, tournaments=count, block=50, threads=1, progress=False
            ),
            3,
        )
        rows.append([system, f"{clock[0] / clock[1]:.2f}", f"{together / alone - 1:+.1%}"])
        print(f"threads {rows[-1]}", flush=True)
    return grid(["100 x 9", "2 threads : 1, wall", "sharing out and joining blocks, CPU"], rows)


def write(text: str) -> None:
    """Put the tables between the markers of the README."""
    old = README.read_text(encoding="utf-8")
    before, _, rest = old.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything and write it down."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--quick", action="store_true", help="small sizes; prints and leaves the README alone")
    quick = words.parse_args(arguments).quick
    machine = f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, swisssim {swisssim.__version__}"
    parts = [
        f"CPU time, medians of 5; {machine}.",
        "**Whole tournaments**, players x rounds, everything included but imports:",
        tournaments({20: (5, 20)} if quick else TOURNAMENTS),
        "**One round**, pairing alone:",
        rounds((20, 100) if quick else ROUND_SIZES),
        "**Where the time goes**:",
        split(),
        "**Worst cases**: events in which opponents run out, rounds up to one less than players:",
        worst(((20, 19),) if quick else LONG),
        "**Threads and blocks**:",
        threads(100 if quick else 2000),
    ]
    text = "\n\n".join(parts)
    if quick:
        print(text)
    else:
        write(text)


if __name__ == "__main__":
    main()
