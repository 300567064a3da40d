"""A pairing that meets every lower bound is the best; found first in generation order it is the answer.

Bounds: everybody but an odd one is paired (q1), all MDPs of a heterogeneous bracket with residents (q2; in a lowest bracket M1), no waiver
(q3), as few clashes as the numbers of preferences allow (q4, q5, q6), no float repeated (q7-q10) but the downfloats of MDPs, who float
whatever happens. Those set aside stay unpaired in every pairing and change no bound.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport set_bit
from swisssim._brackets.lineup cimport DOWN_1, DOWN_2, MILD, STRONG, UP_1, UP_2, is_legal
from swisssim._brackets.trial cimport FOUND, NO_ROOM, Trial, try_in_order
from swisssim._state cimport CANCELLED, NO_MEMORY, NO_PAIRING, PAIRED, State
from swisssim.pairing._dutch2012_bracket cimport COMPLETE, PLAIN, Round, Task, same_score, waives

cdef struct Room:
    Round* r
    Task* k


cdef int try_bounds(State s, Round* r, Task* k) noexcept nogil:
    cdef Room room
    cdef Trial t
    cdef int outcome
    if s.node_budget <= 0 or not bounds_are_known(r, k):
        return NO_PAIRING
    room.r, room.k = r, k
    t.mdps, t.size, t.words = k.mdps, k.size, (k.size + 63) >> 6
    t.spare, t.room, t.nodes, t.mate = may_be_left, &room, s.node_budget, k.partner
    if not fill(s, r, k, &t):
        return NO_MEMORY
    outcome = try_in_order(s, &t)
    if outcome == FOUND:
        return PAIRED
    if outcome == NO_ROOM:
        return NO_MEMORY
    return CANCELLED if s.cancel[0] else NO_PAIRING


cdef bint bounds_are_known(Round* r, Task* k) noexcept nogil:
    """Tell whether every pairing of everybody but an odd one has the same q1 and q2."""
    if k.goal == PLAIN:
        return True
    if k.goal != COMPLETE:
        return False
    if k.aside and (k.aside > 1 or k.size % 2 or not is_legal(&r.f, k.place[k.size], r.f.m)):
        return False                                        # one set aside can only be the one who gets the bye
    return same_score(r, k.start, k.end - 1) and (k.mdps or k.above == 0)


cdef bint may_be_left(State s, void* room, int i) noexcept nogil:
    """A resident who has not floated down lately, and may get the bye if it is one."""
    cdef Round* r = (<Room*>room).r
    cdef Task* k = (<Room*>room).k
    cdef int p = k.place[i]
    if i < k.above or r.f.floats[p] & (DOWN_1 | DOWN_2):
        return False
    return k.goal != COMPLETE or is_legal(&r.f, p, r.f.m)


cdef bint fill(State s, Round* r, Task* k, Trial* t) noexcept nogil:
    """Rows of the pairs that cost nothing, colours, and the budgets of clashes."""
    cdef size_t size = k.size
    cdef uint64_t* rows = <uint64_t*>s.scratch(size * t.words * sizeof(uint64_t))
    cdef int8_t* prefers = <int8_t*>s.scratch(size)
    cdef uint8_t* strength = <uint8_t*>s.scratch(size)
    cdef int u, v
    if rows == NULL or prefers == NULL or strength == NULL:
        return False
    memset(rows, 0, size * t.words * sizeof(uint64_t))
    for u in range(k.size):
        prefers[u], strength[u] = r.f.prefers[k.place[u]], r.f.strength[k.place[u]]
        for v in range(max(u + 1, k.mdps), k.size):
            if costs_nothing(r, k, k.place[u], k.place[v]):
                set_bit(rows + <size_t>u * t.words, v)
                set_bit(rows + <size_t>v * t.words, u)
    t.rows, t.prefers, t.strength = rows, prefers, strength
    t.clashes = max(unavoidable(r, k, 1, MILD), unavoidable(r, k, -1, MILD))
    t.firm_clashes = max(unavoidable(r, k, 1, STRONG), unavoidable(r, k, -1, STRONG))
    return True


cdef inline bint costs_nothing(Round* r, Task* k, int p, int q) noexcept nogil:
    """A legal pair, p ranked above q, without a waiver and without a float repeated that could be avoided."""
    if not is_legal(&r.f, p, q) or waives(r, p, q):
        return False
    if same_score(r, p, q):
        return True
    return not (r.f.floats[q] & (UP_1 | UP_2) or (k.mdps == 0 and r.f.floats[p] & (DOWN_1 | DOWN_2)))


cdef int unavoidable(Round* r, Task* k, int colour, int least) noexcept nogil:
    """Return how many pairs at least have two players who prefer a colour with some strength, when all but an odd one are paired."""
    cdef int v, excess = -k.size
    for v in range(k.size):
        if r.f.prefers[k.place[v]] == colour and r.f.strength[k.place[v]] >= least:
            excess += 2
    return excess // 2 if excess > 0 else 0
