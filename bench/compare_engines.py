"""Pairing engines side by side in one run: CPU time of the pairings of whole tournaments, against the number of players.

    python bench/compare_engines.py --engine path/to/bbpPairings

measures this toolkit's systems, py4swiss if it is installed, and any engine that understands ``--dutch FILE -p OUT``. All
of the FIDE Dutch family pair the same tournaments, round by round, each round from the history before it. Engines are run
as commands, and their time holds the start of the process and the reading of the file; ``swisssim as a command`` is there
for the like. Writes a table (CSV and Markdown) and a figure into ``bench/results``.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

import swisssim
from bench.positions import simulation
from swisssim import trf
from swisssim._core import pair_one
from swisssim._state import State
from swisssim.events._generate import reports_of
from swisssim.simulation import Simulation

Boards = set[frozenset[int]]

SIZES = (16, 32, 64, 128, 256, 512, 1024)
ROUNDS = 9
RESULTS = Path(__file__).parent / "results"


@dataclass
class Event:
    """One tournament that has been played: its history, and a file for each round that is to be paired."""

    played: swisssim.Results
    simulation: Simulation
    folder: Path

    @cached_property
    def files(self) -> list[Path]:
        """A report file before each round."""
        [report] = reports_of(self.played, self.simulation)
        found = []
        for done in range(self.played.rounds - 1, -1, -1):
            for player in report.players.values():
                del player.rounds[done:]
            for number, points in report.all_points().items():
                report.players[number].points = points
            path = self.folder / f"round-{done + 1}.trf"
            trf.write(report, path, extensions=True)
            found.append(path)
        return found[::-1]

    @cached_property
    def pairs(self) -> list[Boards]:
        """The pairs of each round."""
        opponent = self.played.opponent[0] + 1
        return [{frozenset((k + 1, int(o))) for k, o in enumerate(row)} for row in opponent]

    def positions(self) -> Iterator[tuple[State, int]]:
        """Give the position before each round."""
        history = {name: getattr(self.played, name) for name in swisssim.Results.HISTORY}
        for round in range(1, self.played.rounds + 1):
            cut = {name: array.copy() for name, array in history.items()}
            for name, empty in (("opponent", -1), ("board", -1), ("colour", 0), ("result", 0)):
                cut[name][:, round - 1 :] = empty
            played = self.played
            yield (
                State(**cut, rating=played.rating, initial_colour=played.initial_colour, worth=played.worth.tolist()),
                round,
            )


@dataclass
class Contestant:
    """Something that pairs."""

    name: str
    system: str = "dutch"  # whose tournaments it pairs
    times: dict[int, list[float]] = field(default_factory=dict)
    equal: dict[int, list[int]] = field(default_factory=dict)

    def pair(self, event: Event) -> tuple[float, list[Boards]]:
        """Pair every round of an event; return the seconds of CPU and the pairs."""
        raise NotImplementedError

    def measure(self, players: int, event: Event) -> None:
        """Pair an event and note time and rounds that are equal to it."""
        seconds, pairs = self.pair(event)
        self.times.setdefault(players, []).append(seconds)
        self.equal.setdefault(players, []).append(sum(a == b for a, b in zip(pairs, event.pairs, strict=True)))


class Room(Contestant):
    """A system of this toolkit, in this process."""

    def pair(self, event: Event) -> tuple[float, list[Boards]]:
        room = swisssim.system(self.system)
        total, found = 0.0, []
        for state, round in event.positions():
            start = time.process_time()
            state.load(round - 1)
            boards, _ = pair_one(state, room, round)
            total += time.process_time() - start
            found.append({frozenset((white + 1, black + 1)) for white, black in boards})
        return total, found


class Py4swiss(Contestant):
    """The FIDE Dutch system of py4swiss (the edition before 2026), in this process; reading the file isn't counted."""

    def pair(self, event: Event) -> tuple[float, list[Boards]]:
        from py4swiss.engines import DutchEngine
        from py4swiss.trf import TrfParser

        total, found = 0.0, []
        for path in event.files:
            parsed = TrfParser.parse(path)
            start = time.process_time()
            pairs = DutchEngine.generate_pairings(parsed)
            total += time.process_time() - start
            found.append({frozenset((pair.white, pair.black)) for pair in pairs if pair.white and pair.black})
        return total, found


@dataclass
class Command(Contestant):
    """An engine that is run as a command: ``WORDS --dutch FILE -p OUT``."""

    words: Sequence[str] = ()
    limit: int = 600

    def pair(self, event: Event) -> tuple[float, list[Boards]]:
        total, found = 0.0, []
        for path in event.files:
            out = path.with_suffix(".pairs")
            process = subprocess.Popen(
                [*self.words, "--dutch", str(path), "-p", str(out)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                preexec_fn=self._set_limit,
            )
            with process:
                said = process.stderr.read().decode(errors="replace") if process.stderr else ""
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise RuntimeError(f"{self.name} ended with {process.returncode} at {path.name}: {said.strip()}")
            total += used.ru_utime + used.ru_stime
            lines = [line.split() for line in out.read_text().splitlines()[1:] if line.strip()]
            found.append({frozenset((int(white), int(black))) for white, black in lines if int(black)})
        return total, found

    def _set_limit(self) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))


def contestants(systems: Sequence[str], engines: Sequence[Path], limit: int) -> list[Contestant]:
    """Return everything that can be measured here."""
    found: list[Contestant] = [Room(name, name) for name in systems]
    if "dutch" in systems:
        found.append(Command("swisssim as a command", words=(sys.executable, "-m", "swisssim"), limit=limit))
    if importlib.util.find_spec("py4swiss"):
        found.append(Py4swiss("py4swiss"))
    found += [Command(path.name, words=(str(path.resolve()),), limit=limit) for path in engines]
    return found


def measure(found: list[Contestant], sizes: Sequence[int], *, rounds: int, tournaments: int, longest: float) -> None:
    """Measure all contestants, one after the other on the same tournaments; one that gets too slow stays behind."""
    running = list(found)
    for players in sizes:
        for contestant in list(running):
            for k in range(tournaments):
                played = simulation(contestant.system, players, rounds)
                with tempfile.TemporaryDirectory() as folder:
                    event = Event(played.run(k, count=1), played, Path(folder))
                    try:
                        contestant.measure(players, event)
                    except RuntimeError as error:
                        print(f"{contestant.name}, {players} players: {error}", file=sys.stderr)
                        contestant.times.pop(players, None)
                        break
            times = contestant.times.get(players)
            if times is None or statistics.median(times) > longest:
                running.remove(contestant)
            if times is not None:
                print(
                    f"{players:6} players  {contestant.name:24} {statistics.median(times) * 1e3:12.3f} ms", flush=True
                )


def _share_equal(contestant: Contestant, players: int, rounds: int) -> float | None:
    """Return in how many rounds the pairs were those of ``dutch``; systems of other rules pair tournaments of their own."""
    if contestant.system != "dutch":
        return None
    return sum(contestant.equal[players]) / (rounds * len(contestant.times[players]))


def table(found: list[Contestant], rounds: int) -> pd.DataFrame:
    """Return one row per contestant and number of players: milliseconds of CPU for all pairings of a tournament."""
    rows = [
        {
            "engine": contestant.name,
            "players": players,
            "rounds": rounds,
            "tournaments": len(times),
            "median_ms": round(statistics.median(times) * 1e3, 4),
            "lowest_ms": round(min(times) * 1e3, 4),
            "highest_ms": round(max(times) * 1e3, 4),
            "equal_rounds": _share_equal(contestant, players, rounds),
        }
        for contestant in found
        for players, times in contestant.times.items()
    ]
    return pd.DataFrame(rows)


def markdown(frame: pd.DataFrame, rounds: int) -> str:
    """Return the medians as a Markdown table: engines by numbers of players."""
    sizes = sorted(frame["players"].unique())
    lines = [
        f"Milliseconds of CPU for the pairings of one tournament of {rounds} rounds, median over {frame['tournaments'].max()} "
        f"tournaments; {platform.machine()}, Python {platform.python_version()}. `equal`: share of the rounds in which the pairs are "
        "those of `dutch`.",
        "",
        f"| engine | {' | '.join(f'{n} players' for n in sizes)} | equal |",
        f"|---|{'---:|' * (len(sizes) + 1)}",
    ]
    for name, rows in frame.groupby("engine", sort=False):
        medians = dict(zip(rows["players"], rows["median_ms"], strict=True))
        cells = [f"{medians[n]:,.2f}" if n in medians else "" for n in sizes]
        equal = rows["equal_rounds"].dropna()
        lines.append(f"| {name} | {' | '.join(cells)} | {f'{equal.mean():.1%}' if len(equal) else ''} |")
    return "\n".join(lines) + "\n"


def figure(frame: pd.DataFrame, path: Path, rounds: int) -> None:
    """Draw cost against number of players, both on logarithmic scales."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    drawn, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    for (name, rows), marker in zip(frame.groupby("engine", sort=False), "osDv^<>Pphd*X" * 3, strict=False):
        axes.plot(rows["players"], rows["median_ms"], marker=marker, label=name)
    axes.set(xscale="log", yscale="log", xlabel="players", ylabel=f"ms of CPU for the pairings of {rounds} rounds")
    axes.set_xticks(sorted(frame["players"].unique()), [str(n) for n in sorted(frame["players"].unique())])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    drawn.savefig(path, metadata={"Date": None})
    plt.close(drawn)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the results."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--engine", type=Path, action="append", default=[], metavar="PATH", help="an engine; repeatable")
    words.add_argument("--players", default=",".join(map(str, SIZES)), metavar="N,N", help="numbers of players")
    words.add_argument("--systems", default=",".join(sorted(swisssim.SYSTEMS)), metavar="NAMES", help="of this toolkit")
    words.add_argument("--rounds", type=int, default=ROUNDS)
    words.add_argument("--tournaments", type=int, default=5, help="the median is over so many")
    words.add_argument(
        "--longest", type=float, default=20.0, help="seconds of a tournament above which larger ones are left out"
    )
    words.add_argument("--limit", type=int, default=600, help="seconds of CPU after which an engine is stopped")
    words.add_argument("--out", type=Path, default=RESULTS)
    asked = words.parse_args(arguments)
    found = contestants(asked.systems.split(","), asked.engine, asked.limit)
    sizes = sorted(int(size) for size in asked.players.split(","))
    measure(found, sizes, rounds=asked.rounds, tournaments=asked.tournaments, longest=asked.longest)
    frame = table(found, asked.rounds)
    asked.out.mkdir(parents=True, exist_ok=True)
    frame.to_csv(asked.out / "engines.csv", index=False, lineterminator="\n")
    (asked.out / "engines.md").write_text(markdown(frame, asked.rounds), encoding="utf-8")
    figure(frame, asked.out / "engines.svg", asked.rounds)


if __name__ == "__main__":
    main()
