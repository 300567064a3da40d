"""`swisssim compare`: compare pairing systems on simulated tournaments, as tables and a report."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from swisssim.cli._values import echo_json, model_of, pairs_of, plain, systems_of
from swisssim.errors import SwissError

if TYPE_CHECKING:
    from swisssim.compare import Comparison, Plan
    from swisssim.field import Field

# What may stand beside --config: it decides where the output goes and how fast it comes, never what is in a table.
_BESIDE_CONFIG = {"config", "out", "force", "threads", "as_json", "as_tsv"}
_PLAYERS, _ROUNDS, _TOURNAMENTS = 64, 7, 2000
_MOST = 100_000  # tournaments of a stop rule that names no limit
_UNRATED = 1400.0
_LOW, _HIGH = 1400.0, 2200.0
_BOARD_SD = 100.0

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _rate(name: str, text: str) -> Callable[[_Function], _Function]:
    return click.option(f"--{name}", type=float, default=0.0, metavar="P", help=text)


@click.command(
    "compare",
    epilog="\b\nExamples:\n"
    "  swisssim compare\n"
    "  swisssim compare --players 33 --systems nordic,amalfi,lottery --out odd\n"
    "  swisssim compare --systems regulated,regulated:colour_limits=no --model elo:draw=0.3\n"
    "  swisssim compare --boards 4 --players 30\n"
    "  swisssim compare --field event.trf --until-halfwidth tau=0.002\n"
    "  swisssim compare --config swisssim-compare/config.json --out again",
)
@click.option(
    "--systems", metavar="NAMES", help="Systems separated by commas, options as NAME:OPTION=VALUE. Default: all."
)
@click.option(
    "--baseline",
    metavar="NAME",
    help="System to which the others are compared. Default: dutch if there, else the first.",
)
@click.option("--field", "trf", metavar="FILE", help="Players of a real event, from its tournament report file (TRF).")
@click.option(
    "--unrated", type=float, metavar="R", help=f"Rating of players without one in the file. Default {_UNRATED:g}."
)
@click.option("--players", type=int, metavar="N", help=f"Players of a drawn field. Default {_PLAYERS}.")
@click.option("--low", type=float, metavar="R", help=f"Ratings are uniform from here. Default {_LOW:g}.")
@click.option("--high", type=float, metavar="R", help=f"Ratings are uniform up to here. Default {_HIGH:g}.")
@click.option("--mean", type=float, metavar="R", help="Normal ratings: their mean (with --sd).")
@click.option("--sd", type=float, metavar="R", help="Normal ratings: their standard deviation.")
@click.option(
    "--boards", type=int, default=1, metavar="B", help="Boards of a match; more than 1: the players are teams."
)
@click.option(
    "--board-sd",
    type=float,
    metavar="R",
    help=f"Standard deviation of a team's boards about its level. Default {_BOARD_SD:g}.",
)
@click.option("--team-bye", default="rule", metavar="rule|literal", help="How the rule about a team's bye is read.")
@click.option("--form-sd", type=float, default=0.0, metavar="R", help="True strength = rating + Normal(0, R).")
@click.option("--same-field", is_flag=True, help="One field for all tournaments instead of a new one for each.")
@click.option("--rounds", type=int, metavar="R", help=f"Rounds. Default {_ROUNDS}, or what the file of the field says.")
@click.option("--tournaments", type=int, metavar="T", help=f"Tournaments. Default {_TOURNAMENTS}.")
@click.option(
    "--until-halfwidth",
    "until",
    metavar="METRIC=H",
    help="Stop as soon as the 95 % intervals of METRIC are at most +-H.",
)
@click.option(
    "--of-differences", is_flag=True, help="--until-halfwidth looks at the paired differences instead of the means."
)
@click.option(
    "--margin",
    "margins",
    multiple=True,
    metavar="METRIC=M",
    help="Smallest difference in METRIC that matters. May be repeated.",
)
@click.option(
    "--model",
    default="milvang2015",
    metavar="NAME",
    show_default=True,
    help="Result model, parameters as NAME:PARAMETER=VALUE.",
)
@click.option("--seed", type=int, default=1, metavar="S", show_default=True, help="Seed of everything random.")
@click.option(
    "--initial-colour", default="lot", metavar="lot|white|black", show_default=True, help="Colour drawn before round 1."
)
@click.option(
    "--tie-breaks", metavar="NAMES", help="Tie-breaks after the points, separated by commas. Default BH-C1,BH,SB."
)
@_rate("half-bye", "Probability per player and round of a requested half-point bye.")
@_rate("zero-bye", "Probability per player and round of an absence for no points.")
@_rate("forfeit", "Probability per player and round of not appearing.")
@_rate("withdraw", "Probability per player and round of leaving for good.")
@_rate("late", "Probability per player of arriving for round 2 or 3.")
@_rate("postpone", "Probability per game of being postponed.")
@click.option(
    "--delay", type=int, default=1, metavar="R", show_default=True, help="Rounds until a postponed result is known."
)
@click.option(
    "--resamples", type=int, default=2000, metavar="B", show_default=True, help="Bootstrap resamples; 0 for none."
)
@click.option("--keep-games", is_flag=True, help="Write every game too, as Parquet.")
@click.option(
    "--threads", type=int, metavar="N", help="Threads; they don't change the result. Default: all processors."
)
@click.option("--config", metavar="FILE", help="Repeat the comparison of a config.json, byte for byte.")
@click.option("--out", default="swisssim-compare", metavar="DIR", show_default=True, help="Folder to write.")
@click.option("--force", is_flag=True, help="Replace an earlier comparison in that folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("--tsv", "as_tsv", is_flag=True, help="Print the summary as tab-separated values instead of a table.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Compare pairing systems on thousands of simulated tournaments.

    All systems get the same players and the same luck. Prints a table and writes a folder with report.html, CSV and
    Parquet tables, and config.json, from which --config repeats the comparison.
    """
    from swisssim.compare import check_place, run

    if options["as_json"] and options["as_tsv"]:
        raise click.UsageError("--json and --tsv exclude each other", ctx)
    out = Path(options["out"])
    check_place(out, force=options["force"])
    plan = _plan(ctx, options)
    log = _Log(plan)
    found = run(plan, threads=options["threads"])
    _save(found, out, force=options["force"], log=log, threads=options["threads"])
    _show(found, out, as_json=options["as_json"], as_tsv=options["as_tsv"])


def _plan(ctx: click.Context, options: dict[str, Any]) -> Plan:
    """Return what the options ask for."""
    from swisssim.compare import DEFAULT_SYSTEMS, Plan, load_config
    from swisssim.pairing import system
    from swisssim.participation import Participation
    from swisssim.tiebreaks import DEFAULT_ORDER

    given = {name for name in options if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT}
    if options["config"] is not None:
        if given - _BESIDE_CONFIG:
            flags = sorted(p.opts[0] for p in ctx.command.params if p.name in given - _BESIDE_CONFIG)
            raise click.UsageError(f"--config says everything that is compared; leave out {', '.join(flags)}", ctx)
        return load_config(Path(options["config"]))
    field, rounds, notes = _field(ctx, options)
    named = options["systems"]
    rates = ("half_bye", "zero_bye", "forfeit", "withdraw", "late", "postpone", "delay")
    until, tournaments = _stop_rule(options)
    return Plan(
        systems=tuple(systems_of(named) if named is not None else map(system, DEFAULT_SYSTEMS)),
        field=field,
        rounds=rounds,
        tournaments=tournaments,
        model=model_of(options["model"]),
        seed=options["seed"],
        initial_colour=options["initial_colour"],
        participation=Participation(**{name: options[name] for name in rates}),
        team_bye=options["team_bye"],
        baseline=options["baseline"] or "",
        tie_breaks=tuple(options["tie_breaks"].split(",")) if options["tie_breaks"] else DEFAULT_ORDER,
        margins=pairs_of("--margin", options["margins"]),
        until=until,
        resamples=options["resamples"],
        keep_games=options["keep_games"],
        notes=tuple(notes),
    )


def _stop_rule(options: dict[str, Any]) -> tuple[Any, int]:
    """Return the stop rule, if one is asked for, and the number of tournaments, which is its limit then."""
    from swisssim.statistics import StopRule

    tournaments = options["tournaments"]
    if options["until"] is None:
        if options["of_differences"]:
            raise SwissError("--of-differences goes with --until-halfwidth")
        return None, _TOURNAMENTS if tournaments is None else tournaments
    [(name, width)] = pairs_of("--until-halfwidth", (options["until"],)).items()
    most = _MOST if tournaments is None else tournaments
    minimum = min(500, max(most, 2))
    return StopRule(
        name=name, half_width=width, paired=options["of_differences"], minimum=minimum, maximum=max(most, 2)
    ), most


def _field(ctx: click.Context, options: dict[str, Any]) -> tuple[Field, int, list[str]]:
    """Return the field, the number of rounds, and what there is to say about them."""
    from swisssim.field import Field

    if options["trf"] is not None:
        return _field_of_file(ctx, options)
    if options["unrated"] is not None:
        raise click.UsageError("--unrated goes with --field FILE", ctx)
    players = _PLAYERS if options["players"] is None else options["players"]
    rounds = _ROUNDS if options["rounds"] is None else options["rounds"]
    common: dict[str, Any] = {"players": players, "form_sd": options["form_sd"], "redraw": not options["same_field"]}
    normal, uniform = (any(options[name] is not None for name in names) for names in (("mean", "sd"), ("low", "high")))
    if normal and uniform:
        raise click.UsageError("--mean and --sd exclude --low and --high", ctx)
    if options["boards"] == 1 and options["board_sd"] is not None:
        raise click.UsageError("--board-sd goes with --boards", ctx)
    if normal:
        if options["boards"] != 1:
            raise click.UsageError("levels of teams are uniform: --boards goes with --low and --high", ctx)
        if options["mean"] is None or options["sd"] is None:
            raise click.UsageError("normal ratings need --mean and --sd", ctx)
        return Field.normal(mean=options["mean"], sd=options["sd"], **common), rounds, []
    low = _LOW if options["low"] is None else options["low"]
    high = _HIGH if options["high"] is None else options["high"]
    if options["boards"] != 1:
        deviation = _BOARD_SD if options["board_sd"] is None else options["board_sd"]
        teams = {"teams": common.pop("players"), "boards": options["boards"], "board_sd": deviation}
        return Field.teams(low=low, high=high, **teams, **common), rounds, []
    return Field.uniform(low=low, high=high, **common), rounds, []


def _field_of_file(ctx: click.Context, options: dict[str, Any]) -> tuple[Field, int, list[str]]:
    from swisssim import trf
    from swisssim.field import Field

    wrong = [name for name in ("players", "low", "high", "mean", "sd", "board_sd") if options[name] is not None]
    if options["boards"] != 1:
        wrong.append("boards")
    if wrong or options["same_field"]:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in wrong) or "--same-field"
        raise click.UsageError(f"--field FILE says who plays; leave out {names}", ctx)
    path = options["trf"]
    unrated = _UNRATED if options["unrated"] is None else options["unrated"]
    field = Field.from_trf(path, unrated=unrated, form_sd=options["form_sd"])
    name = Path(path).name
    if options["rounds"] is not None:
        return field, options["rounds"], [f"Players of {name}."]
    announced = trf.read(path, strict=False).rounds
    n = field.players
    most = n if n % 2 else n - 1
    if announced is not None and 1 <= announced <= most:
        return field, announced, [f"Players of {name}; {announced} rounds as the file says."]
    rounds = min(7, n - 1)
    why = (
        "the file names no number"
        if announced is None
        else f"{n} players can't play the {announced} that the file names"
    )
    return field, rounds, [f"Players of {name}; {rounds} rounds = min(7, players - 1), since {why}."]


class _Log:
    """What may differ from run to run, for a file of its own."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.start, self.cpu = plan, time.time(), time.process_time()

    def write(self, path: Path, threads: int | None) -> None:
        """Write the log."""
        import matplotlib
        import numpy
        import pandas
        import pyarrow
        import scipy

        libraries = ", ".join(f"{m.__name__} {m.__version__}" for m in (numpy, scipy, pandas, pyarrow, matplotlib))
        lines = [
            f"started   {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(self.start))}",
            f"seconds   {time.time() - self.start:.2f} ({time.process_time() - self.cpu:.2f} of CPU)",
            f"threads   {threads if threads is not None else os.cpu_count()}",
            f"host      {platform.node()}, {platform.platform()}",
            f"python    {platform.python_version()}; {libraries}",
            f"command   {' '.join(sys.argv)}",
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _save(found: Comparison, out: Path, *, force: bool, log: _Log, threads: int | None) -> None:
    from swisssim import report

    def extra(place: Path) -> None:
        report.write(found, place / "report.html")
        log.write(place / "run.log", threads)

    found.save(out, force=force, extra=extra)


def _show(found: Comparison, out: Path, *, as_json: bool, as_tsv: bool) -> None:
    """Print the summary."""
    if as_json:
        echo_json({"config": found.provenance, "notes": found.notes, "summary": plain(found.scalars)})
    elif as_tsv:
        click.echo(found.scalars.to_csv(sep="\t", index=False, lineterminator="\n"), nl=False)
    else:
        from swisssim.report import text

        click.echo(text(found))
    click.echo(f"{'' if as_json or as_tsv else chr(10)}report: {out / 'report.html'}", err=as_json or as_tsv)
