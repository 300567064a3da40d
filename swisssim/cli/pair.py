"""`swisssim pair`: the next round of a report file."""

from __future__ import annotations

import json

import click

from swisssim.advice import advice_on_rounds
from swisssim.cli._options import (
    chosen_system,
    lenient_option,
    read_report,
    say_notes,
    system_options,
    write_text,
)
from swisssim.errors import NoPairingError
from swisssim.events import pairing_data, pairing_text
from swisssim.tournament import Tournament


@click.command()
@click.argument("file", metavar="FILE.trf")
@system_options
@click.option("-o", "--out", metavar="FILE", help="Where to write the pairing; standard output by default.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of the engines' format.")
@click.option("--list", "listed", metavar="FILE", help='Also write an explanation of the round ("-": standard error).')
@click.option(
    "--round", "round_", type=int, metavar="R", help="Pair round R from the rounds before it; the next one by default."
)
@click.option("--rounds", type=int, metavar="N", help="Number of rounds announced, where the file does not say (142).")
@lenient_option
@click.option("-q", "--quiet", is_flag=True, help="Do not write notes to standard error.")
def command(
    file: str,
    name: str | None,
    settings: tuple[str, ...],
    out: str | None,
    as_json: bool,
    listed: str | None,
    round_: int | None,
    rounds: int | None,
    lenient: bool,
    quiet: bool,
) -> int:
    """Pair the next round of a tournament report file ("-": standard input).

    Writes the number of lines, then "white black" for each board, and the bye as "id 0".
    Leaves with 0 done, 1 no legal pairing, 3 bad request or contents, 5 file access.
    """
    system = chosen_system(name, settings)
    report = read_report(file, lenient=lenient)
    history = None if round_ is None else round_ - 1
    event = Tournament.from_trf(report, system=system, rounds=history, total=rounds)
    event.notes += advice_on_rounds(len(event.players), event.rounds, system=system.name)
    if not quiet:
        say_notes(event.notes)
    try:
        pairing = event.pair()
    except NoPairingError as error:
        if as_json:
            data = {"system": system.name, "round": event.round, "error": str(error), "exit": 1, "notes": event.notes}
            write_text(json.dumps(data, indent=1) + "\n", out)
        raise
    text = json.dumps(pairing_data(event, pairing), indent=1) + "\n" if as_json else pairing_text(pairing)
    write_text(text, out)
    if listed == "-":
        click.echo(event.explain().text, err=True)
    elif listed is not None:
        write_text(event.explain().text, listed)
    return 0
