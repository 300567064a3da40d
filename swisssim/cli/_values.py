"""Words of the command line and what they stand for: values, names with parameters, systems, models; JSON output."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import click

from swisssim.errors import SwissError

if TYPE_CHECKING:
    import pandas as pd

    from swisssim.models import Model
    from swisssim.pairing import PairingSystem

_WORDS = {"true": True, "yes": True, "false": False, "no": False, "none": None}


def value_of(text: str) -> Any:
    """Return what a word of the command line means: a truth value, a number, or the word itself."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def named(text: str) -> tuple[str, dict[str, Any]]:
    """Read ``NAME`` or ``NAME:OPTION=VALUE:OPTION=VALUE``.

    Raises
    ------
    SwissError
        If an option has no value.
    """
    name, *rest = text.strip().split(":")
    options = {}
    for part in rest:
        option, sign, value = part.partition("=")
        if not sign or not option or not value:
            raise SwissError(f"{text!r}: {part!r} is no OPTION=VALUE")
        options[option.strip()] = value_of(value.strip())
    return name, options


def systems_of(text: str) -> list[PairingSystem]:
    """Return the systems in a list separated by commas."""
    from swisssim.pairing import system

    names = [part for part in text.split(",") if part.strip()]
    if not names:
        raise SwissError("--systems names no system")
    return [system(name, **options) for name, options in map(named, names)]


def model_of(text: str) -> Model:
    """Return a result model."""
    from swisssim.models import model

    name, parameters = named(text)
    return model(name, **parameters)


def pairs_of(option: str, texts: tuple[str, ...]) -> dict[str, float]:
    """Read every ``NAME=NUMBER`` of an option.

    Raises
    ------
    SwissError
        If one is something else.
    """
    found = {}
    for text in texts:
        name, sign, number = text.partition("=")
        value = value_of(number)
        if (
            not sign
            or not name
            or isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            raise SwissError(f"{option} is {text!r}; it must be METRIC=NUMBER, for instance tau=0.002")
        found[name.strip()] = float(value)
    return found


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table ready for JSON: what isn't a number is null."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def echo_json(data: Any) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False, default=_number))


def _number(value: Any) -> Any:
    """Turn numpy numbers into plain ones."""
    return value.item()
