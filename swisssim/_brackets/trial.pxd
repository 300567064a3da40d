"""Optimistic search for the first pairing of a bracket, in generation order, that meets proven lower bounds.

A candidate that meets a lower bound of every criterion is one of the best; found first in generation order it is the answer. The room
works out the bounds, forbids the pairs that cannot occur in such a candidate, and says who may be left over. Everybody but the odd
one is paired, all MDPs with residents.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from swisssim._state cimport State

cdef enum Outcome:
    FOUND = 0
    NONE_MEETS = 1      # proven: no candidate meets the bounds
    GAVE_UP = 2         # out of nodes, or cancelled: nothing is known
    NO_ROOM = 3         # no memory

# May member i (an index into the bracket) be the one left over? Asked once for each i at most.
ctypedef bint (*spare_function)(State s, void* room, int i) noexcept nogil

cdef struct Trial:
    # ---- set by the room
    int mdps                # members 0..mdps-1 are MDPs by rank; no more than there are residents
    int size                # members mdps..size-1 residents by rank
    int words               # 64-bit words of a set of members
    const uint64_t* rows    # [size] rows: with whom each member may be paired (symmetric)
    const int8_t* prefers   # [size] preferred colour
    const uint8_t* strength  # [size] class of the preference
    int clashes             # how many pairs clash at least: half the surplus of the players who prefer one colour over all others
    int firm_clashes        # how many clashes of two strong or of a strong and an absolute preference there are: half the surplus
                            # of those who prefer one colour firmly over all others; or 0 if two absolute ones may clash
    spare_function spare    # odd size only
    void* room
    long nodes              # budget
    # ---- answer
    int32_t* mate           # [size]; -1: left over


cdef int try_in_order(State s, Trial* t) noexcept nogil
