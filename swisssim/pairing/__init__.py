"""The pairing systems: one room each; the registry finds them.

A new system is one new file ``<name>.pyx`` in this folder with one subclass of `swisssim._core.PairingSystem`.
"""

from __future__ import annotations

import importlib
import pkgutil

from swisssim._core import PairingSystem
from swisssim.errors import SwissError, unknown

__all__ = ["SYSTEMS", "PairingSystem", "system"]


def _find() -> dict[str, type[PairingSystem]]:
    """Import every room of this folder and return its system by name."""
    found: dict[str, type[PairingSystem]] = {}
    for info in pkgutil.iter_modules(__path__):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{__name__}.{info.name}")
        kinds = [
            kind
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, PairingSystem) and kind.__module__ == module.__name__
        ]
        if len(kinds) != 1:
            raise ImportError(f"{module.__name__} must define exactly one PairingSystem, found {len(kinds)}")
        found[info.name] = kinds[0]
    return dict(sorted(found.items()))


SYSTEMS: dict[str, type[PairingSystem]] = _find()
"""Every pairing system by its name."""


# What users of other programs ask for, and what it is.
_ELSEWHERE = {
    "burstein": "the FIDE Burstein system",
    "dubov": "the FIDE Dubov system",
    "lim": "the FIDE Lim system (its rules of 1987 are behind 'regulated')",
    "dutch2017": "the FIDE Dutch system in the edition of 2017 ('dutch' is the current one, 'dutch2012' that of 2012)",
    "mcmahon": "McMahon pairing",
    "keizer": "the Keizer system",
    "king-of-the-hill": "king-of-the-hill pairing of the last rounds",
    "factored": "factored pairing",
    "round-robin": "a round robin",
}
_REPEATS = ("repeats", "rematches", "allow_repeats", "allow_rematches")


def _refuse_what_is_not_built(name: object, options: dict[str, object]) -> None:
    """Raise an error that says so for systems and policies that users may expect from other programs."""
    key = name.lower().replace("_", "-").replace(" ", "-") if isinstance(name, str) else ""
    if key in _ELSEWHERE:
        raise SwissError(f"system {name!r}: {_ELSEWHERE[key]} is not built; there are {', '.join(SYSTEMS)}")
    for option in options:
        if option in _REPEATS:
            raise SwissError(
                f"option {option}: no system here lets two players meet twice; such policies are not built"
            )


def system(name: str | PairingSystem, **options: object) -> PairingSystem:
    """Return a pairing system by name.

    Parameters
    ----------
    name : str or PairingSystem
        A key of `SYSTEMS`; a system that is already made is returned as it is.
    **options
        Options of the system, for instance ``forfeits_count_as_met=True``.

    Returns
    -------
    PairingSystem
        Ready to use; it keeps nothing but its options and can serve any number of threads.

    Raises
    ------
    SwissError
        If there is no such system or option; near names are suggested.

    Examples
    --------
    >>> import swisssim
    >>> swisssim.system("nordic", forfeits_count_as_met=True)
    system('nordic', forfeits_count_as_met=True)
    """
    if isinstance(name, PairingSystem):
        if options:
            raise SwissError(f"{name!r} is made already; options {sorted(options)} go with its name")
        return name
    _refuse_what_is_not_built(name, options)
    if name not in SYSTEMS:
        raise unknown("system", name, SYSTEMS)
    return SYSTEMS[name](**options)
