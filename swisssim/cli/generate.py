"""`swisssim generate`: random tournaments as report files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from swisssim.cli._options import chosen_system, system_options
from swisssim.errors import SwissError
from swisssim.events import Generator, from_config, like, parse_config
from swisssim.events._generate import block, spans, with_options
from swisssim.events._parallel import spread, workers_for
from swisssim.models import Model
from swisssim.models import model as make_model
from swisssim.pairing import PairingSystem
from swisssim.participation import Participation
from swisssim.simulation import progress_bar
from swisssim.trf import read

F = TypeVar("F", bound=Callable[..., Any])

_RATES = ("forfeit", "half_bye", "zero_bye", "withdraw", "late")


def _rate(name: str, what: str) -> Callable[[F], F]:
    return click.option(f"--{name}", type=float, metavar="P", help=f"Probability {what}.")


@click.command()
@system_options
@click.option("--players", metavar="N|A-B", help="Players; 15-215 by default.")
@click.option("--rounds", metavar="N|A-B", help="Rounds; 5-15 by default.")
@click.option("--low", type=int, help="Lowest rating; 1400 by default.")
@click.option("--high", type=int, help="Highest rating; 2600 by default.")
@click.option("--model", metavar="MODEL", help="Result model; milvang2015 by default.")
@click.option("--draws", type=float, metavar="PERCENT", help='Share of draws: the model "elo" with it.')
@_rate("forfeit", "per player and round of not appearing")
@_rate("half-bye", "per player and round of a half-point bye")
@_rate("zero-bye", "per player and round of a zero-point bye")
@_rate("withdraw", "per player and round of leaving")
@_rate("late", "per player of arriving for round 2 or 3")
@click.option("--colour", type=click.Choice(["lot", "white", "black"]), help="Initial colour; by lot by default.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of everything random.")
@click.option("--first", type=int, default=1, show_default=True, help="Number of the first tournament of the seed.")
@click.option("--count", type=int, default=1, show_default=True, help="How many tournaments.")
@click.option("--config", metavar="FILE", help="Configuration file of an existing generator (Key=Value lines).")
@click.option("--like", "shape", metavar="FILE.trf", help="An event whose shape is copied.")
@click.option(
    "-o", "--out", required=True, metavar="OUT", help='A folder, or a file for one tournament ("-": standard output).'
)
@click.option("--force", is_flag=True, help="Replace files that are there.")
@click.option("--workers", type=int, metavar="N", help="Processes; by default as many as there are processors.")
def command(
    name: str | None,
    settings: tuple[str, ...],
    seed: int,
    first: int,
    count: int,
    config: str | None,
    shape: str | None,
    out: str,
    force: bool,
    workers: int | None,
    **given: Any,
) -> int:
    """Generate random tournaments under any system and result model, reproducibly.

    Files in a folder are named after system, seed and number; the seed and all settings stand in every file.
    """
    if first < 1 or count < 1:
        raise SwissError(f"first is {first}, count is {count}; both must be whole numbers from 1")
    generator = _generator(chosen_system(name, settings), seed, config, shape, given)
    if out == "-" or (count == 1 and not Path(out).is_dir() and not out.endswith("/")):
        _write_single(generator, first - 1, count, out, force=force)
        return 0
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    tasks = spans(count, first=first - 1)
    with progress_bar(count, show=True) as bar:
        for files in spread(partial(block, generator), tasks, workers=workers_for(count, workers)):
            for file_name, data in files:
                _write(folder / file_name, data, force=force)
            bar.update(len(files))
    return 0


def _generator(
    system: PairingSystem, seed: int, config: str | None, shape: str | None, given: dict[str, Any]
) -> Generator:
    """Put together what the command line, a configuration or another event say; the command line goes before."""
    if config and shape:
        raise SwissError("--config and --like exclude each other")
    if config:
        text = Path(config).read_text(encoding="utf-8", errors="replace")
        base = from_config(parse_config(text, name=config), system=system, seed=seed)
    elif shape:
        base = like(read(shape, strict=False), system=system, seed=seed)
    else:
        base = Generator(system=system, seed=seed)
    rates = {rate: given[rate] for rate in _RATES if given[rate] is not None}
    low, high = given["low"], given["high"]
    ratings = None
    if low is not None or high is not None:
        ratings = (low if low is not None else base.ratings[0], high if high is not None else base.ratings[-1])
    return with_options(
        base,
        players=_range("players", given["players"]),
        rounds=_range("rounds", given["rounds"]),
        ratings=ratings,
        model=_model(given["model"], given["draws"]),
        participation=Participation(**{**base.participation.to_dict(), **rates}) if rates else None,
        initial_colour=given["colour"],
    )


def _model(name: str | None, draws: float | None) -> Model | None:
    if draws is None:
        return make_model(name) if name else None
    if name not in (None, "elo"):
        raise SwissError(f'--draws goes with the model "elo", not with {name!r}')
    return make_model("elo", draw=draws / 100)


def _range(what: str, text: str | None) -> int | tuple[int, int] | None:
    if text is None:
        return None
    low, dash, high = text.partition("-")
    try:
        return (int(low), int(high)) if dash else int(low)
    except ValueError:
        raise SwissError(f"--{what} {text!r} is neither a number nor a range such as 20-60") from None


def _write_single(generator: Generator, first: int, count: int, out: str, *, force: bool) -> None:
    contents = _contents(generator, first, count)
    if out == "-":
        for data in contents:
            sys.stdout.buffer.write(data)
        return
    _write(Path(out), next(contents), force=force)


def _contents(generator: Generator, first: int, count: int) -> Iterator[bytes]:
    for span in spans(count, first=first):
        for _, data in block(generator, span):
            yield data


def _write(path: Path, data: bytes, *, force: bool) -> None:
    if not force and path.exists() and path.read_bytes() != data:
        raise SwissError(f"{path} exists and is another tournament; --force replaces it")
    path.write_bytes(data)
