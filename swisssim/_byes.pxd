"""The pairing-allocated bye: the rule that systems share (rules common to all systems)."""

from swisssim._state cimport HAD_FORFEIT_WIN, HAD_FULL_BYE, HAD_PAIRING_BYE, State


cdef inline bint may_have_bye(State s, int i) noexcept nogil:
    """At most one bye per player, and none for a player who already got a point without playing."""
    return not s.had[i] & (HAD_PAIRING_BYE | HAD_FORFEIT_WIN | HAD_FULL_BYE)
