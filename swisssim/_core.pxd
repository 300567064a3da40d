"""The base class of pairing systems; blocks of tournaments are paired, played and recorded in `_core.pyx`."""

from swisssim._state cimport State


cdef class PairingSystem:
    cdef readonly dict options              # every option with its value
    cdef readonly bint forfeits_count_as_met

    cdef int pair(self, State s) noexcept nogil
    cdef bint may_meet(self, State s, int i, int j) noexcept nogil
    cdef bint may_have_bye(self, State s, int i) noexcept nogil
