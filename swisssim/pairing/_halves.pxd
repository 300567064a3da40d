"""Procedure E of the Swedish half-splitting: pair one group, its upper half against its lower half, with as few exchanges as possible."""

from libc.stdint cimport int32_t, uint64_t

from swisssim._state cimport HAD_PAIRING_BYE, State, have_met


# Scratch of the optimistic search and what is known after a failure; one for each round in hand.
cdef struct Halves:
    int32_t* link           # open lower players as a chain: link[0] is the first, link[j + 1] the one after lower player j
    int32_t* choice         # per upper player: the link number of his opponent
    int32_t* before         # per upper player: the link that led to him
    int deficiency          # at least so many players are left over by any pairs at all, with or without regard to halves


cdef inline bint unmet(State s, int i, int j) noexcept nogil:
    """Tell whether i and j may meet; number `players` is X, whom everybody meets once at most."""
    if i == s.players:
        return not s.had[j] & HAD_PAIRING_BYE
    if j == s.players:
        return not s.had[i] & HAD_PAIRING_BYE
    return not have_met(s, i, j)


# Take scratch memory for groups of up to m players; return False if there is none.
cdef bint prepare_halves(State s, Halves* halves, int m) noexcept nogil

# Pair a group of m players (m even), given in its order: own players by number, then players moved up by number. Fills upper[i] and
# lower[i], i < m / 2: the upper half as it stands after exchanges, in order, and the opponents. Returns a Status; on NO_PAIRING
# `halves.deficiency` is filled and the two arrays hold nothing.
cdef int pair_halves(State s, Halves* halves, const int32_t* group, int m, int32_t* upper, int32_t* lower) noexcept nogil

# Find the first candidates, `added` of them (1 or 2) in lexicographic order, with whom, put at the end of the group's order, procedure E
# is possible. m + added is even, and m at least 2 or added 1. Returns PAIRED with chosen[0] < chosen[1], or NO_PAIRING if there are none.
cdef int first_helpers(State s, const int32_t* group, int m, const int32_t* candidates, int count, int added,
                       int* chosen) noexcept nogil
