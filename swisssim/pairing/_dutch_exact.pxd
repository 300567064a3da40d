"""The exact choice of a bracket by weighted matching, whatever the position (`dutch`)."""

from libc.stdint cimport int32_t, uint64_t

from swisssim._brackets.digits cimport Digit
from swisssim._brackets.order cimport Bracket
from swisssim._state cimport State
from swisssim.pairing._dutch cimport Round

# Bits: what a pair violates.
cdef enum Violation:
    C10 = 1
    C11 = 2
    C12 = 4
    C13 = 8

cdef enum Size:
    SLIM = 0
    NEAR = 1
    FULL = 2

# Whose digit it is.
cdef struct Named:
    Digit digit
    int criterion

# One graph and what its digits stand for. Vertices: members, then places of lower scoregroups, then the bye.
cdef struct Graph:
    const Round* r
    int scope
    int near                # vertices up to this one are members or of the next scoregroup
    int n
    bint bye                # the last vertex is the bye
    bint empty              # slim only: everybody is paired, so nothing depends on downfloaters
    bint c9
    int32_t* place          # [n]
    int32_t* level          # [size] the MDP's score level from 0, highest first; `levels` for residents
    int levels
    int violated            # violations that some pairs have and some have not
    Named* names            # the digits in use, most significant first
    int named
    Digit all               # every vertex that has to be matched
    Digit c6
    Digit c8
    Digit c9_games
    Digit c10
    Digit c11
    Digit c12
    Digit c13
    Digit c14
    Digit c15
    Digit c16
    Digit c17
    Digit* c7               # by level
    Digit* c8_level         # by level, residents included
    Digit* c18
    Digit* c19
    Digit* c20
    Digit* c21
    Bracket b


# What the pair of places a (ranked above) and b violates: bits of Violation.
cdef int violations(const Round* r, int a, int b) noexcept nogil

# What is known of the downfloaters before the choice: nobody need float (`empty`), or there is one and he has the bye (`c9`).
cdef int look_ahead(State s, Round* r, bint* empty, bint* c9) noexcept nogil

# Lay out a graph with all its weights, not solved. PAIRED or NO_MEMORY; mark before, release afterwards.
cdef int open_graph(State s, Graph* g, Round* r, int scope, bint empty, bint c9) noexcept nogil

# The number of the first criterion in which two sums of weights differ: 4 for completeness, 6-21; 0 if there is none.
cdef int first_difference(const Graph* g, const uint64_t* a, const uint64_t* b) noexcept nogil

# Fill r.pairs. PAIRED, CANCELLED or NO_MEMORY.
cdef int choose_exactly(State s, Round* r) noexcept nogil
