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


cdef inline int due_by_count(State s, int i) noexcept nogil:
    """Return the colour that i had less often, or with equal numbers the opposite of his last one; 0 if he has not played."""
    if s.whites[i] != s.blacks[i]:
        return 1 if s.whites[i] < s.blacks[i] else -1
    return -1 if s.streak[i] > 0 else (1 if s.streak[i] < 0 else 0)


cdef inline int latest_difference(State s, int i, int j) noexcept nogil:
    """Go back through the played colours of both; return i's colour at the first place where they differ, or 0.

    Rounds without a game that counts are passed over; if one list ends before a difference there is none.
    """
    cdef int a = last_played_round(s, i, s.round)
    cdef int b = last_played_round(s, j, s.round)
    while a > 0 and b > 0:
        if played_colour(s, a, i) != played_colour(s, b, j):
            return played_colour(s, a, i)
        a = last_played_round(s, i, a)
        b = last_played_round(s, j, b)
    return 0
