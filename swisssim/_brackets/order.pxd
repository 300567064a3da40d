"""The best pairing of a bracket, and among the best the first in generation order, by maximum-weight matching.

One graph per bracket. Vertices 0..mdps-1 are the moved-down players (MDPs) by rank, mdps..size-1 the residents by rank, size..n-1
whatever else takes part (lower players, the bye); the room gives every edge a weight made of its criteria as digits (`digits.pxd`). An
edge between an MDP and a resident belongs to the *MDP-pairing*, any other edge inside the bracket to the *remainder*, which is split
and exchanged like a homogeneous bracket. The order of candidates is:

1. the set of MDPs paired with residents, lexicographically; 2. their partners, lexicographically; 3. the remainder: number of exchanged
players, difference of the exchanged BSNs, who leaves S1 (last first), who enters it (first first), partners lexicographically.

Every candidate must have the same numbers of pairs of both kinds: criteria more significant than the order fix them.

    begin_bracket(&b, n, mdps, size, limbo)
    d = add_digit(&b.digits, most) ...          # all criteria
    open_bracket(s, &b)                         # the digits of the order are added; the graph has no edges
    wide_clear(w, b.digits.words); put_digit(w, d, 1) ...; weighted_set(&b.g, i, j, w) ...
    best_pairing(s, &b)                         # b.g.mate: one of the best; weighted_total(&b.g, ...) reads the digits
    first_pairing_in_order(s, &b)               # b.mate: the first of the best
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from swisssim._brackets.digits cimport Digit, Digits
from swisssim._matching.weighted cimport Weighted
from swisssim._state cimport State

cdef struct Bracket:
    int n
    int mdps
    int size
    bint limbo          # MDPs outside the MDP-pairing stay out of the remainder too (else they belong to it)
    Digits digits
    Weighted g
    int32_t* mate       # [n] the answer of first_pairing_in_order

    # ---- private
    Digit exchanges     # pairs whose higher player is in the original S1
    Digit places        # sum of (size - BSN) of the higher players
    Digit choice        # the decision in hand
    uint64_t* bonus     # one weight
    int32_t* rest       # [size] the remainder by rank
    int rest_size
    int half            # pairs of the remainder: the size of S1
    uint8_t* higher     # [size] by position in the remainder: higher ranked player of a pair
    int32_t* bsn        # [n] position in the remainder, -1 elsewhere


cdef void begin_bracket(Bracket* b, int n, int mdps, int size, bint limbo) noexcept nogil

# False: no memory. Everything comes from the State's arena: mark before, release afterwards.
cdef bint open_bracket(State s, Bracket* b) noexcept nogil

# PAIRED or CANCELLED.
cdef int best_pairing(State s, Bracket* b) noexcept nogil

# After best_pairing: decide in generation order. PAIRED, CANCELLED or NO_MEMORY. The graph is used up.
cdef int first_pairing_in_order(State s, Bracket* b) noexcept nogil
