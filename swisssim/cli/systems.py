"""`swisssim systems`: list the pairing systems with their options."""

from __future__ import annotations

import click

from swisssim.cli._values import echo_json


@click.command("systems")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def command(*, as_json: bool) -> None:
    """List the pairing systems."""
    from swisssim.pairing import SYSTEMS

    if as_json:
        echo_json(
            [
                {"name": name, "summary": kind.summary, "source": kind.source, "options": kind.OPTIONS}
                for name, kind in SYSTEMS.items()
            ]
        )
        return
    for name, kind in SYSTEMS.items():
        click.echo(f"{name:<11}{kind.summary}\n{'':<11}rules: {kind.source}")
        for option, value in kind.OPTIONS.items():
            click.echo(f"{'':<11}option {option}, usually {value}")
