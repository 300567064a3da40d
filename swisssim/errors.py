"""Errors that a user can act on: what was wrong, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SwissError(ValueError):
    """A request or an input that cannot be served; the message says why and what would be right."""


class NoPairingError(SwissError):
    """The rules of the system allow no complete pairing of the round."""


def unknown(kind: str, name: object, known: Iterable[str]) -> SwissError:
    """Return the error for an unknown name, with the near names suggested.

    Parameters
    ----------
    kind : str
        What is named, for instance ``"system"``.
    name : object
        What the user wrote.
    known : iterable of str
        The names that exist.

    Returns
    -------
    SwissError
        To be raised by the caller.
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(repr(n) for n in near)}? " if near else ""
    return SwissError(f"unknown {kind} {name!r}: {hint}known: {', '.join(names) or 'none'}")
