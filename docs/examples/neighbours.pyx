"""`neighbours`: everybody meets the nearest player of the list whom he has not met."""

from libc.stdint cimport int32_t, uint64_t

from swisssim._bits cimport next_bit
from swisssim._byes cimport may_have_bye
from swisssim._core cimport PairingSystem
from swisssim._search cimport first_bye, first_pairing
from swisssim._state cimport NO_MEMORY, NO_PAIRING, PAIRED, Mark, State, add_board, have_met

# Numbers in the trace.
cdef enum:
    BYE = 1
    OPPONENT = 2


cdef class Neighbours(PairingSystem):
    """Neighbours of the list meet; White to the one with fewer whites."""

    summary = "Neighbours: the next player of the list whom he has not met; White to fewer whites"
    source = "Example of the documentation"
    draws_colour = False
    colour_limits = False
    OPTIONS = {}
    ARTICLES = {BYE: "the last of the list who may have the bye", OPPONENT: "the next of the list"}

    cdef int pair(self, State s) noexcept nogil:
        cdef Mark mark = s.mark()
        cdef int32_t* partner = <int32_t*>s.scratch(<size_t>(s.field + 1) * sizeof(int32_t))
        cdef int32_t* sequence = <int32_t*>s.scratch(<size_t>(s.field + 1) * sizeof(int32_t))
        cdef int m = s.field - s.field % 2
        cdef int k, status = NO_MEMORY
        if partner != NULL and sequence != NULL:
            status = give_bye(s, sequence) if s.field % 2 else PAIRED
            if status == PAIRED:
                status = first_pairing(s, <void*>s.order, m, unmet, next_down, partner, sequence, OPPONENT, s.order)
            if status == PAIRED:
                for k in range(m // 2):
                    seat(s, s.order[sequence[k]], s.order[partner[sequence[k]]])
        s.release(mark)
        return status


cdef bint unmet(State s, void* room, int a, int b) noexcept nogil:
    """May the players at two positions of the list be paired?"""
    cdef const int32_t* player = <const int32_t*>room
    return not have_met(s, player[a], player[b])


cdef int next_down(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """The candidates of a position are those further down, nearest first; all above it are paired."""
    cursor[0] = next_bit(open, max(cursor[0], leader) + 1, m)
    return cursor[0]


cdef int give_bye(State s, int32_t* candidates) noexcept nogil:
    """The bye goes to the last of the list who may have it and without whom the others can be paired."""
    cdef int k, place, chosen = -1, count = 0
    cdef int status
    for k in range(s.field - 1, -1, -1):
        if may_have_bye(s, s.order[k]):
            candidates[count] = k
            count += 1
    if count == 0:
        return NO_PAIRING
    status = first_bye(s, <void*>s.order, s.field, unmet, candidates, count, &chosen, BYE, s.order)
    if status == PAIRED:
        place = candidates[chosen]
        s.bye = s.order[place]
        for k in range(place, s.field - 1):
            s.order[k] = s.order[k + 1]
    return status


cdef void seat(State s, int a, int b) noexcept nogil:
    """White to the player with fewer whites; equal: to the lower of the list."""
    if s.whites[a] < s.whites[b]:
        add_board(s, a, b)
    else:
        add_board(s, b, a)
