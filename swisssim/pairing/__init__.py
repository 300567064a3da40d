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
    if name not in SYSTEMS:
        raise unknown("system", name, SYSTEMS)
    return SYSTEMS[name](**options)
