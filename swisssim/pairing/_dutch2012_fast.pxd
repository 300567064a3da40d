"""Lower bounds of q1-q10 in the 2012 Dutch, and the search for the first pairing that meets them."""

from swisssim._state cimport State
from swisssim.pairing._dutch2012_bracket cimport Round, Task

# PAIRED: `k.partner` is the best pairing and the first of its kind. NO_PAIRING: nothing is known. CANCELLED or NO_MEMORY.
cdef int try_bounds(State s, Round* r, Task* k) noexcept nogil
