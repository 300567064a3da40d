"""`swisssim models`: list the result models with their parameters."""

from __future__ import annotations

import click

from swisssim.cli._values import echo_json


@click.command("models")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def command(*, as_json: bool) -> None:
    """List the result models."""
    from swisssim.models import MODELS

    if as_json:
        echo_json(
            [
                {"name": name, "summary": kind.description, "source": kind.source, "parameters": kind().parameters}
                for name, kind in MODELS.items()
            ]
        )
        return
    for name, kind in MODELS.items():
        click.echo(f"{name:<13}{kind.description}\n{'':<13}source: {kind.source}")
        for parameter, value in kind().parameters.items():
            click.echo(f"{'':<13}parameter {parameter}, usually {value}")
