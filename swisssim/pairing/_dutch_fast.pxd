"""Fast paths of `dutch`: the first candidate in order that meets every lower bound."""

from swisssim._state cimport State
from swisssim.pairing._dutch cimport Round

# Fill r.pairs if such a candidate is found: an Outcome of `swisssim._brackets.trial`.
cdef int choose_quickly(State s, Round* r) noexcept nogil
