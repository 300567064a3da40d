"""swisssim: pair, simulate and compare Swiss-system tournaments."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from swisssim.compare import Comparison, compare
    from swisssim.errors import NoPairingError, SwissError
    from swisssim.events import check
    from swisssim.field import Field
    from swisssim.pairing import SYSTEMS, PairingSystem, system
    from swisssim.participation import Participation
    from swisssim.results import Results
    from swisssim.review import Review, review
    from swisssim.simulation import simulate
    from swisssim.tournament import Pairing, Tournament

__version__ = "0.1.0"

__all__ = [
    "SYSTEMS",
    "Comparison",
    "Field",
    "NoPairingError",
    "Pairing",
    "PairingSystem",
    "Participation",
    "Results",
    "Review",
    "SwissError",
    "Tournament",
    "check",
    "compare",
    "review",
    "simulate",
    "system",
]

# Where the names come from: imported at first use, so that the command line doesn't load numerical libraries for a help text.
_HOMES = {
    "SYSTEMS": "pairing",
    "Comparison": "compare",
    "Field": "field",
    "NoPairingError": "errors",
    "Pairing": "tournament",
    "PairingSystem": "pairing",
    "Participation": "participation",
    "Results": "results",
    "Review": "review",
    "SwissError": "errors",
    "Tournament": "tournament",
    "check": "events",
    "compare": "compare",
    "review": "review",
    "simulate": "simulation",
    "system": "pairing",
}

# Rooms that can be named without importing them first: ``swisssim.plots.colour_balance``.
_ROOMS = frozenset(
    [
        "byes",
        "colour",
        "events",
        "field",
        "floats",
        "metrics",
        "models",
        "participation",
        "plots",
        "points",
        "ranking",
        "report",
        "results",
        "simulation",
        "statistics",
        "study",
        "tiebreaks",
        "tournament",
        "trf",
    ]
)


class _Package(ModuleType):
    """The package. Importing the module `swisssim.compare` leaves ``swisssim.compare`` the function of that name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _HOMES.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})


sys.modules[__name__].__class__ = _Package
