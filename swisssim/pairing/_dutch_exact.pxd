"""The exact choice of a bracket by weighted matching, whatever the position (`dutch`)."""

from swisssim._state cimport State
from swisssim.pairing._dutch cimport Round

# Fill r.pairs. PAIRED, CANCELLED or NO_MEMORY.
cdef int choose_exactly(State s, Round* r) noexcept nogil

# Bits: what a pair of members, given by places a (ranked above) and b, violates.
cdef enum Violation:
    C10 = 1
    C11 = 2
    C12 = 4
    C13 = 8

cdef int violations(const Round* r, int a, int b) noexcept nogil
