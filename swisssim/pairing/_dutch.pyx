"""Who can still be paired, and who may float down without harm to the next bracket (`dutch`, C4, C5, C8)."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from swisssim._bits cimport set_bit, test_bit
from swisssim._brackets.lineup cimport complete, legal_row
from swisssim._matching.cardinality cimport even_ends, matching_bytes, maximum_matching
from swisssim._state cimport CANCELLED, NO_MEMORY, NO_PAIRING, PAIRED, Mark, State


cdef void _begin_set(Round* r, int part) noexcept nogil:
    """Let `alive` be a part of the bracket."""
    cdef int i
    memset(r.alive, 0, <size_t>r.f.words * sizeof(uint64_t))
    for i in range(r.size):
        if part == WHOLE or (part == FLOATERS and r.pairs[i] < 0):
            set_bit(r.alive, r.members[i])


cdef inline void _add_places(Round* r, int first, int end) noexcept nogil:
    cdef int p
    for p in range(first, end):
        set_bit(r.alive, p)


cdef void _recall(Round* r) noexcept nogil:
    """Begin `trial` with the pairs of the kept matching that lie inside `alive`."""
    cdef int p, q
    for p in range(r.f.m + 1):
        q = r.kept[p]
        r.trial[p] = q if q >= 0 and test_bit(r.alive, p) and test_bit(r.alive, q) else -1


cdef int can_pair_all(State s, Round* r, int part, int first, bint bye) noexcept nogil:
    _begin_set(r, part)
    _add_places(r, first, r.f.m + bye)
    _recall(r)
    return complete(s, &r.f, r.alive, r.trial)


cdef int _find_spare(State s, Round* r, uint64_t* ends, void* work) noexcept nogil:
    """Write which members of `alive` a matching of all the others may leave over (one at a time); NO_PAIRING if none."""
    cdef int p, exposed = -1, count = 0
    _recall(r)
    if maximum_matching(r.f.m + 1, r.f.words, r.f.legal, r.alive, r.trial, work, s.cancel) < 0:
        return CANCELLED
    for p in range(r.f.m + 1):
        if test_bit(r.alive, p) and r.trial[p] < 0:
            exposed = p
            count += 1
    if count != 1:
        return NO_PAIRING
    even_ends(r.f.m + 1, r.f.words, r.f.legal, r.alive, r.trial, exposed, ends, work)
    return PAIRED


cdef int _float_one(State s, Round* r, int end) noexcept nogil:
    """One player of the next scoregroup (up to `end`) floats down in turn; all others of that bracket and below are paired."""
    cdef Mark mark = s.mark()
    cdef uint64_t* near = <uint64_t*>s.scratch(<size_t>2 * r.f.words * sizeof(uint64_t))
    cdef uint64_t* far = near + r.f.words
    cdef void* work = s.scratch(matching_bytes(r.f.m + 1))
    cdef int p, w, status
    if near == NULL or work == NULL:
        return NO_MEMORY
    status = _find_spare(s, r, near, work)
    if status == PAIRED:
        _begin_set(r, NOBODY)
        _add_places(r, end, r.f.m + r.odd)
        status = _find_spare(s, r, far, work)
    if status == PAIRED:
        status = NO_PAIRING
        for p in range(below(r), end):
            if test_bit(near, p):
                for w in range(r.f.words):
                    if legal_row(&r.f, p)[w] & far[w]:
                        status = PAIRED
    s.release(mark)
    return status


cdef int float_well(State s, Round* r) noexcept nogil:
    cdef int end, i, floaters = 0, status
    if r.group + 1 == r.f.groups:
        return can_pair_all(s, r, FLOATERS, r.f.m, r.odd)
    if r.odd and r.bye_score >= group_score(r):
        return NO_PAIRING
    end = r.f.start[r.group + 2]
    for i in range(r.size):
        floaters += r.pairs[i] < 0
    _begin_set(r, FLOATERS)
    _add_places(r, below(r), end)
    if (floaters + end - below(r)) & 1:
        return _float_one(s, r, end)
    _recall(r)
    status = complete(s, &r.f, r.alive, r.trial)
    return can_pair_all(s, r, NOBODY, end, r.odd) if status == PAIRED else status
