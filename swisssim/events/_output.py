"""Pairings as the engines write them, and as plain data."""

from __future__ import annotations

from typing import Any

from swisssim.tournament import Pairing, Tournament


def pairing_text(pairing: Pairing) -> str:
    """Return a pairing in the form that pairing engines share.

    The first line is the number of lines to come; then White and Black of each board, in board order; the pairing-allocated bye
    last, as ``id 0``.

    Examples
    --------
    >>> from swisssim.tournament import Pairing
    >>> print(pairing_text(Pairing(1, [(1, 3), (4, 2)], 5)), end="")
    3
    1 3
    4 2
    5 0
    """
    lines = [f"{white} {black}" for white, black in pairing.boards]
    if pairing.bye is not None:
        lines.append(f"{pairing.bye} 0")
    return "".join(f"{line}\n" for line in [str(len(lines)), *lines])


def pairing_data(event: Tournament, pairing: Pairing) -> dict[str, Any]:
    """Return a pairing as plain data for JSON: system, round, pairs in board order, bye, absences, notes."""
    return {
        "system": event.system.name,
        "round": pairing.round,
        "pairs": [list(board) for board in pairing.boards],
        "bye": pairing.bye,
        "absent": {str(player): reason for player, reason in sorted(pairing.absent.items())},
        "notes": event.notes,
    }
