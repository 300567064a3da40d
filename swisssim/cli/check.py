"""`swisssim check`: pair every round of report files again, and show the differences."""

from __future__ import annotations

import json
from functools import partial

import click

from swisssim.cli._options import chosen_system, lenient_option, say_notes, system_options
from swisssim.events import Checks, FileCheck, check_file, find_files
from swisssim.events._check import checked
from swisssim.events._parallel import workers_for
from swisssim.simulation import progress_bar

_EXITS = {"contents": 3, "access": 5}


@click.command()
@click.argument("places", metavar="FILE_OR_FOLDER...", nargs=-1, required=True)
@system_options
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object with all files.")
@click.option("--legal", "legality", is_flag=True, help="Only ask whether the rounds are legal.")
@click.option("--first", is_flag=True, help="Stop at the first file that differs.")
@click.option("--round", "round_", type=int, metavar="R", help="Check round R only.")
@click.option("--each", "each_round", is_flag=True, help="Name every round as it is checked, as pairing engines do.")
@click.option("--workers", type=int, metavar="N", help="Processes; by default as many as there are processors.")
@lenient_option
@click.option("-q", "--quiet", is_flag=True, help="Write only the summary.")
def command(
    places: tuple[str, ...],
    name: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    legality: bool,
    first: bool,
    round_: int | None,
    each_round: bool,
    workers: int | None,
    lenient: bool,
    quiet: bool,
) -> int:
    """Pair every round of every file again from its own preceding rounds, and show what differs.

    Folders are searched for report files. Under "lottery", which draws, only legality is checked.
    Leaves with 0 only if nothing differs; 1 if something does, 3 or 5 if a file cannot be checked.
    """
    system = chosen_system(name, settings)
    paths = find_files(places)
    task = partial(check_file, system=system, legality=legality, strict=not lenient, only=round_)
    result = Checks()
    with progress_bar(len(paths), show=not each_round, unit="file") as bar:
        for check in checked(paths, task, workers=workers_for(len(paths), workers)):
            result.files.append(check)
            if not as_json and not quiet:
                with bar.external_write_mode():
                    _show(check, each_round=each_round, only=round_, notes=len(paths) == 1)
            bar.update()
            if first and not check.ok:
                break
    if as_json:
        click.echo(json.dumps(_data(result, system.name), indent=1))
    elif not each_round:
        click.echo(str(result))
    if result.differences:
        return 1
    return max((_EXITS[check.error_kind] for check in result.files if check.error), default=0)


def _show(check: FileCheck, *, each_round: bool, only: int | None, notes: bool) -> None:
    """Write what a file has to say: its error, or its differences side by side."""
    if notes:
        say_notes(check.notes)
    if check.error:
        click.echo(f"swisssim: {check.error}", err=True)
        return
    checked = range(1, check.rounds + 1) if only is None else [only]
    different = {difference.round: difference for difference in check.differences}
    for round in checked if each_round else sorted(different):
        click.echo(f"{check.path}: Round #{round}")
        if round in different:
            click.echo(str(different[round]))


def _data(result: Checks, system: str) -> dict[str, object]:
    return {
        "system": system,
        "files": len(result.files),
        "rounds": result.rounds,
        "differences": result.differences,
        "errors": result.errors,
        "checks": [check.to_dict() for check in result.files],
    }
