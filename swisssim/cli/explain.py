"""`swisssim explain`: why a round, a board or the pairing of a player is as it is."""

from __future__ import annotations

import json

import click

from swisssim.cli._options import chosen_system, lenient_option, read_report, say_notes, system_options, write_text
from swisssim.tournament import Tournament


@click.command()
@click.argument("file", metavar="FILE.trf")
@system_options
@click.option(
    "--round",
    "round_",
    type=int,
    metavar="R",
    help="The round; the coming one by default, or the last if all are played.",
)
@click.option("--board", type=int, metavar="K", help="Explain board K of the system's pairing.")
@click.option("--player", type=int, metavar="N", help="Explain the pairing of player N.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("-o", "--out", metavar="FILE", help="Where to write it; standard output by default.")
@click.option("--rounds", type=int, metavar="N", help="Number of rounds announced, where the file does not say (142).")
@lenient_option
@click.option("-q", "--quiet", is_flag=True, help="Do not write notes to standard error.")
def command(
    file: str,
    name: str | None,
    settings: tuple[str, ...],
    round_: int | None,
    board: int | None,
    player: int | None,
    as_json: bool,
    out: str | None,
    rounds: int | None,
    lenient: bool,
    quiet: bool,
) -> int:
    """Explain a pairing: groups as they stood, who floated and by which article, who was refused and why, why this colour.

    A round that was played is paired again from the rounds before it. Leaves with 1 if there is no legal pairing,
    which is explained too.
    """
    system = chosen_system(name, settings)
    event = Tournament.from_trf(read_report(file, lenient=lenient), system=system, total=rounds)
    if not quiet:
        say_notes(event.notes)
    explanation = event.explain(round=round_, board=board, player=player)
    write_text(json.dumps(explanation.to_dict(), indent=1) + "\n" if as_json else explanation.text, out)
    return 1 if explanation.error else 0
