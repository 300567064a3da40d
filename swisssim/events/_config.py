"""Configuration files of the existing generators: ``Key=Value`` lines."""

from __future__ import annotations

from typing import Any

from swisssim._core import PairingSystem
from swisssim.errors import SwissError, unknown
from swisssim.events._generate import RATINGS, ROUNDS, Generator, mean_rounds, share_per_round
from swisssim.models import model as make_model
from swisssim.participation import Participation
from swisssim.points import Points

_WHOLE = ("PlayersNumber", "RoundsNumber", "DrawPercentage", "HighestRating", "LowestRating")
_RATES = ("ForfeitRate", "RetiredRate", "HalfPointByeRate")
_POINTS = {
    "PointsForWin": "win",
    "PointsForDraw": "draw",
    "PointsForLoss": "loss",
    "PointsForZPB": "zero_bye",
    "PointsForForfeitLoss": "forfeit_loss",
    "PointsForPAB": "bye",
}
# A misspelling that is around.
_ALIASES = {"HalfPointByteRate": "HalfPointByeRate"}
KEYS = (*_WHOLE, *_RATES, *_POINTS)


def parse_config(text: str, *, name: str = "configuration") -> dict[str, float]:
    """Return the values of a configuration file by key.

    Parameters
    ----------
    text : str
        Lines ``Key=Value``; empty ones and those that start with ``#`` say nothing.
    name : str
        Name of the file for errors.

    Raises
    ------
    SwissError
        That names line, key and value.
    """
    values: dict[str, float] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        where = f"{name}, line {number}"
        if not equals:
            raise SwissError(f"{where}: {line.strip()!r} is not Key=Value")
        key = _ALIASES.get(key, key)
        if key not in KEYS:
            raise SwissError(f"{where}: {unknown('key', key, KEYS)}")
        values[key] = _number(key, value, where)
    return values


def _number(key: str, text: str, where: str) -> float:
    try:
        number = int(text) if key in _WHOLE else float(text)
    except ValueError:
        kind = "a whole number" if key in _WHOLE else "a number"
        raise SwissError(f"{where}: {key} is {text!r}; it must be {kind}") from None
    least, most = (0, 100) if key == "DrawPercentage" else (1, float("inf")) if key in _RATES else (0, float("inf"))
    if not least <= number <= most:
        limits = f"from {least} to {most}" if key == "DrawPercentage" else f"at least {least}"
        raise SwissError(f"{where}: {key} is {text}; it must be {limits}")
    return number


def from_config(values: dict[str, float], *, system: str | PairingSystem, seed: int = 1) -> Generator:
    """Return the generator that a configuration describes.

    Rates are "one in so many": ``ForfeitRate`` games of which one is forfeited; ``RetiredRate`` and ``HalfPointByeRate`` players of whom
    one has a zero-point or half-point bye at all. ``DrawPercentage`` is the share of draws in the model `elo`; without it the
    default model counts. What is not named is drawn, or has its usual value.

    Parameters
    ----------
    values : dict of str to float
        As `parse_config` returns them.
    system : str or PairingSystem
        The system that pairs.
    seed : int
        Seed of everything random.
    """
    made: dict[str, Any] = {"system": system, "seed": seed}
    if "PlayersNumber" in values:
        made["players"] = int(values["PlayersNumber"])
    rounds = ROUNDS
    if "RoundsNumber" in values:
        rounds = (int(values["RoundsNumber"]),) * 2
        made["rounds"] = rounds[0]
    if "DrawPercentage" in values:
        made["model"] = make_model("elo", draw=values["DrawPercentage"] / 100)
    made["ratings"] = (int(values.get("LowestRating", RATINGS[0])), int(values.get("HighestRating", RATINGS[1])))
    usual = mean_rounds(rounds)
    share = {key: 1.0 / values[key] if key in values else 0.0 for key in _RATES}
    made["participation"] = Participation(
        forfeit=1.0 - (1.0 - share["ForfeitRate"]) ** 0.5,
        zero_bye=share_per_round(share["RetiredRate"], usual) if share["RetiredRate"] else 0.0,
        half_bye=share_per_round(share["HalfPointByeRate"], usual - 1) if share["HalfPointByeRate"] else 0.0,
    )
    points = {_POINTS[key]: value for key, value in values.items() if key in _POINTS}
    # A forfeit loss says what an absence is worth too, unless that is said apart.
    if "forfeit_loss" in points and "zero_bye" not in points:
        points["zero_bye"] = points["forfeit_loss"]
    made["points"] = Points.of(points) if points else Points()
    return Generator(**made)
