"""`swisssim study`: grids of comparisons in chunks that survive interruptions, and the joining of their shards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from swisssim.study import Shard, StudyFolder


class _Study(click.Group):
    """A group whose usual subcommand needn't be named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the options of the usual subcommand."""
        with click.Context(_run, parent=ctx, info_name="run") as inner:
            _run.format_options(inner, formatter)
        self.format_commands(ctx, formatter)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return ["[STUDY.toml] [OPTIONS]"]


@click.group(
    "study",
    cls=_Study,
    no_args_is_help=True,
    epilog="\b\nExamples:\n"
    "  swisssim study colours.toml --out colours --workers 8\n"
    "  swisssim study --resume colours\n"
    "  swisssim study colours.toml --out colours --shard 3/16\n"
    "  swisssim study merge colours\n"
    "  swisssim study colours.toml --out colours --dask tcp://node1:8786",
)
def command() -> None:
    """Run a grid of comparisons (fields, rounds, models, seeds) that is written in a TOML file.

    Chunks of tournaments are computed side by side and written as they are finished. A run that was killed loses the
    chunks under way; --resume completes it to the same bytes. Ends with DIR/tables: a summary over the grid, and
    for each cell the tables and the report of a comparison.
    """


def _executor_options(function: Any) -> Any:
    for option in (
        click.option("--dask", metavar="ADDRESS", help="Compute on a Dask cluster, by the address of its scheduler."),
        click.option("--threads", type=int, metavar="N", help="Threads of this process. Default: all processors."),
        click.option("--workers", type=int, metavar="N", help="Processes."),
    ):
        function = option(function)
    return function


@command.command("run", hidden=True)
@click.argument("file", metavar="STUDY.toml", required=False)
@click.option("--out", metavar="DIR", help="Folder to write; it must be new.")
@click.option("--resume", "again", metavar="DIR", help="Go on with the study in a folder.")
@click.option("--shard", "part", metavar="i/N", help="Compute part i of N, into a folder of its own within DIR.")
@_executor_options
@click.option(
    "--keep-games", is_flag=True, help="Write every game, bye and player too, partitioned by cell and system."
)
@click.option("--no-reports", is_flag=True, help="Write tables only.")
@click.option("--list", "listing", is_flag=True, help="Show the cells of the grid and run nothing.")
def _run(
    file: str | None,
    out: str | None,
    again: str | None,
    part: str | None,
    workers: int | None,
    threads: int | None,
    dask: str | None,
    keep_games: bool,
    no_reports: bool,
    listing: bool,
) -> None:
    """Run a study, or go on with one."""
    from swisssim import report, study

    shard = study.Shard.of(part) if part is not None else None
    how: dict[str, Any] = {"shard": shard, "workers": workers, "threads": threads, "dask": dask}
    how["report"] = None if no_reports else report.write
    if again is not None:
        if file is not None or out is not None or keep_games:
            raise click.UsageError(
                "--resume takes everything from the folder; leave out STUDY.toml, --out and --keep-games"
            )
        _show(study.resume(again, **how))
        return
    if file is None:
        raise click.UsageError("name a study (STUDY.toml), or a folder to go on with (--resume DIR)")
    asked = study.load(file, keep_games=keep_games)
    if listing:
        _list(asked, shard)
        return
    if out is None:
        raise click.UsageError("--out DIR is missing: where shall the study stand?")
    _show(study.run(asked, out, **how))


@command.command("merge")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@click.option("--out", metavar="DIR", help="Folder of the whole study. Default: DIR, if it holds all the shards.")
@click.option("--no-reports", is_flag=True, help="Write tables only.")
def _merge(folders: tuple[str, ...], out: str | None, no_reports: bool) -> None:
    """Join the shards of a study: folders of shards, or folders with shards in them."""
    from swisssim import report, study

    _show(study.merge(folders, out, report=None if no_reports else report.write))


def _list(asked: Any, shard: Shard | None) -> None:
    """Print the cells of the grid and what they come to."""
    for cell in asked.cells:
        words = ", ".join(f"{name} {value}" for name, value in cell.coordinates.items())
        click.echo(
            f"{words}: {cell.plan.tournaments} tournaments in chunks of {cell.chunk}, {', '.join(cell.plan.names)}"
        )
    tasks = asked.part(shard)
    click.echo(f"{asked.name}: {len(tasks)} chunks{f' in shard {shard}' if shard else ''}")


def _show(found: StudyFolder) -> None:
    """Print what is finished and where."""
    tournaments = sum(cell.plan.tournaments for cell in found.study.cells)
    if found.shard is not None:
        click.echo(
            f"shard {found.shard}: {found.done} chunks in {found.folder}; join the shards with: swisssim study merge"
        )
        return
    click.echo(f"{found.study.name}: {len(found.study.cells)} cells, {tournaments:,} tournaments, {found.done} chunks")
    click.echo(f"tables: {found.folder / 'tables' / 'summary.csv'}")
