"""Options that several subcommands share, and what they stand for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from swisssim import trf
from swisssim.cli._values import value_of
from swisssim.errors import SwissError
from swisssim.pairing import SYSTEMS, PairingSystem, system
from swisssim.trf import Report

F = TypeVar("F", bound=Callable[..., Any])

LENIENT_HELP = "Mend what can be mended in the file, with a note, instead of refusing it."


def system_options(function: F) -> F:
    """Add ``--system`` and ``--set``."""
    function = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the system, such as forfeits_count_as_met=true.",
    )(function)
    return click.option("--system", "-s", "name", metavar="SYSTEM", help=f"Pairing system: {', '.join(SYSTEMS)}.")(
        function
    )


def lenient_option(function: F) -> F:
    """Add ``--lenient``."""
    return click.option("--lenient", is_flag=True, help=LENIENT_HELP)(function)


def chosen_system(name: str | None, settings: Iterable[str]) -> PairingSystem:
    """Return the system that the options ask for."""
    if name is None:
        raise SwissError(f"no system; say which with --system: {', '.join(SYSTEMS)}")
    options: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise SwissError(f"--set {setting!r} is not NAME=VALUE")
        options[key.strip().replace("-", "_")] = value_of(value.strip())
    return system(name, **options)


def read_report(path: str, *, lenient: bool) -> Report:
    """Read a report from a path, or from standard input if that is ``-``."""
    if path == "-":
        return trf.reads(sys.stdin.buffer.read(), name="standard input", strict=not lenient)
    return trf.read(path, strict=not lenient)


def write_text(text: str, path: str | None) -> None:
    """Write text into a file, or to standard output if there is none or it is ``-``."""
    if path is None or path == "-":
        click.echo(text, nl=False)
        return
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def say_notes(notes: Iterable[str]) -> None:
    """Write notes to standard error, one a line."""
    for note in notes:
        click.echo(f"swisssim: note: {note}", err=True)
