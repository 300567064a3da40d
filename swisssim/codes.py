"""The codes of results, each from the player's own view, as the core and all compact arrays use them."""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """What a round was for a player."""

    ABSENT = 0
    """Not arrived, withdrawn, or a round that was not reached."""
    WIN = 1
    DRAW = 2
    LOSS = 3
    FORFEIT_WIN = 4
    FORFEIT_LOSS = 5
    PAIRING_BYE = 6
    """Pairing-allocated bye (in `nordic`: the game against X)."""
    FULL_BYE = 7
    HALF_BYE = 8
    ZERO_BYE = 9
    POSTPONED = 10
    """Paired, result to come."""


NOT_HERE = 128
"""Who is absent from a round without any bye (not yet arrived, withdrawn); becomes `Code.ABSENT` in the history."""
