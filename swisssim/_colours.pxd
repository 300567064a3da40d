"""Colour rules that several systems share: the absolute rule and the due colour (rules common to all systems)."""

from swisssim._state cimport State, played_colour


cdef inline bint may_take(State s, int i, int colour) noexcept nogil:
    """Absolute colour rule: no third identical colour in a row, and never |whites - blacks| > 2."""
    cdef int difference = s.whites[i] - s.blacks[i] + colour
    return -2 <= difference <= 2 and s.streak[i] * colour < 2


cdef inline bint colour_legal(State s, int i, int j) noexcept nogil:
    """Tell whether at least one assignment of colours obeys the absolute rule for both players."""
    return (may_take(s, i, 1) and may_take(s, j, -1)) or (may_take(s, i, -1) and may_take(s, j, 1))


cdef inline int last_played_round(State s, int i, int before) noexcept nogil:
    """Return the latest round < before in which i has a colour that counts, or 0."""
    cdef int k = before - 1
    while k > 0 and played_colour(s, k, i) == 0:
        k -= 1
    return k
