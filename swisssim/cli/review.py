"""`swisssim review`: statistics of real events, and what other systems would have made of them."""

from __future__ import annotations

from pathlib import Path

import click

from swisssim.cli._options import lenient_option, say_notes
from swisssim.cli._values import echo_json, model_of, plain, systems_of

_EXITS = {"contents": 3, "access": 5}


@click.command()
@click.argument("places", metavar="FILE_OR_FOLDER...", nargs=-1, required=True)
@click.option("--as", "systems", metavar="NAMES", help="Systems for the counterfactual, separated by commas.")
@click.option(
    "--tournaments", type=int, default=200, show_default=True, help="Simulated tournaments per event and system."
)
@click.option(
    "--model", default="milvang2015", show_default=True, metavar="NAME", help="Result model of the simulation."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the simulation.")
@click.option(
    "--unrated", type=float, default=1400.0, show_default=True, metavar="R", help="Rating of players without one."
)
@click.option("--out", default="swisssim-review", metavar="DIR", show_default=True, help="Folder to write.")
@click.option("--force", is_flag=True, help="Replace an earlier review in that folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--workers", type=int, metavar="N", help="Processes; they don't change the result. Default: all processors."
)
@lenient_option
def command(
    places: tuple[str, ...],
    systems: str | None,
    tournaments: int,
    model: str,
    seed: int,
    unrated: float,
    out: str,
    force: bool,
    as_json: bool,
    workers: int | None,
    lenient: bool,
) -> int:
    """Review real events: colour balance, byes and floats, per event and pooled, also by rating.

    With --as the same players, rounds and rates of absence are simulated under other systems. Prints a table and
    writes a folder with report.html and CSV tables. Leaves with 3 or 5 if a file could not be reviewed.
    """
    from swisssim.review import _page, review
    from swisssim.review._review import check_place

    check_place(Path(out), force=force)
    found = review(
        places,
        systems=systems_of(systems) if systems else (),
        tournaments=tournaments,
        model=model_of(model),
        seed=seed,
        unrated=unrated,
        strict=not lenient,
        workers=workers,
    )
    found.save(out, force=force, extra=lambda place: _page.write(found, place / "report.html"))
    if len(found.events) == 1:
        say_notes(found.events[0].notes)
    if as_json:
        echo_json(
            {
                "config": found.provenance,
                "notes": found.notes,
                "summary": plain(found.table),
                "events": plain(found.per_event),
            }
        )
    else:
        click.echo(_page.text(found))
    click.echo(f"{'' if as_json else chr(10)}report: {Path(out) / 'report.html'}", err=as_json)
    return max((_EXITS[event.error_kind] for event in found.errors), default=0)
