"""A perfect matching of S1 into S2, and from it the lexicographically first: one breadth-first search for each member of S1.

Who is left over counts as the partner of one more member of S1, the last.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._matching.cardinality cimport bipartite_bytes, bipartite_matching
from swisssim._state cimport State


cdef bint make_split(State s, Split* p, int size, int words) noexcept nogil:
    cdef size_t numbers = <size_t>(size + 1) * sizeof(int32_t), set_bytes = <size_t>words * sizeof(uint64_t)
    p.size, p.words = size, words
    p.first = <int32_t*>s.scratch(numbers)
    p.number = <int32_t*>s.scratch(numbers)
    p.mate_left = <int32_t*>s.scratch(numbers)
    p.mate_right = <int32_t*>s.scratch(numbers)
    p.via = <int32_t*>s.scratch(numbers)
    p.queue = <int32_t*>s.scratch(numbers)
    p.second = <uint64_t*>s.scratch(set_bytes)
    p.open_first = <uint64_t*>s.scratch(set_bytes)
    p.open_second = <uint64_t*>s.scratch(set_bytes)
    p.reached = <uint64_t*>s.scratch(set_bytes)
    p.left_rows = <uint64_t*>s.scratch((size // 2 + 1) * set_bytes)
    p.work = s.scratch(bipartite_bytes(size // 2 + 1, 64 * words))
    return (p.first != NULL and p.number != NULL and p.mate_left != NULL and p.mate_right != NULL and p.via != NULL
            and p.queue != NULL and p.second != NULL and p.open_first != NULL and p.open_second != NULL and p.reached != NULL
            and p.left_rows != NULL and p.work != NULL)


cdef inline const uint64_t* _row(const Split* p, int i) noexcept nogil:
    return p.rows + <size_t>i * p.words


cdef inline int _first_common(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int w
    for w in range(words):
        if a[w] & b[w]:
            return (w << 6) + lowest(a[w] & b[w])
    return -1


cdef bint _match(State s, Split* p) noexcept nogil:
    """Pair everybody somehow."""
    cdef int k, w, seconds = 0
    cdef uint64_t* row
    for w in range(64 * p.words):
        if w < p.size:
            p.mate_right[w] = -1
            seconds += test_bit(p.second, w)
    p.lefts = p.half + (seconds > p.half)
    for k in range(p.lefts):
        p.mate_left[k] = -1
        row = p.left_rows + <size_t>k * p.words
        for w in range(p.words):
            row[w] = p.second[w] & (_row(p, p.first[k])[w] if k < p.half else p.spare[w])
    return bipartite_matching(p.lefts, p.size, p.words, p.left_rows, NULL, NULL, p.mate_left, p.mate_right, p.work,
                              s.cancel) == p.lefts


cdef inline void _reach(Split* p, int k, int through, int* tail) noexcept nogil:
    """Note that the left k could take the member `through`; then its own partner is free."""
    cdef int partner = p.mate_left[k]
    p.via[k] = through
    set_bit(p.reached, partner)
    p.queue[tail[0]] = partner
    tail[0] += 1


cdef void _find_reached(Split* p, int start) noexcept nogil:
    """Find who could be set free if `start` is: his possible partners in S1 take him, and so on."""
    cdef int head = 0, tail = 1, r, w
    cdef uint64_t x
    cdef bint spare_open = p.lefts > p.half
    memset(p.reached, 0, <size_t>p.words * sizeof(uint64_t))
    set_bit(p.reached, start)
    p.queue[0] = start
    while head < tail:
        r = p.queue[head]
        head += 1
        for w in range(p.words):
            x = _row(p, r)[w] & p.open_first[w]
            p.open_first[w] ^= x
            while x:
                _reach(p, p.number[(w << 6) + lowest(x)], r, &tail)
                x &= x - 1
        if spare_open and test_bit(p.spare, r):
            spare_open = False
            _reach(p, p.half, r, &tail)


cdef void _shift(Split* p, int k, int target) noexcept nogil:
    """Give `target` to the left k; whoever had him takes the member noted by the search, and so on to the old partner of k."""
    cdef int free_ = p.mate_left[k], taken = target, other, next_
    other = p.mate_right[target]
    p.mate_left[k], p.mate_right[target] = target, k
    while taken != free_:
        next_ = p.via[other]
        p.mate_left[other] = next_
        taken = next_
        next_ = p.mate_right[taken]
        p.mate_right[taken] = other
        other = next_


cdef bint first_transposition(State s, Split* p, int32_t* mate) noexcept nogil:
    cdef int k, i, target
    if not _match(s, p):
        return False
    memcpy(p.open_second, p.second, <size_t>p.words * sizeof(uint64_t))
    for k in range(p.half):
        p.number[p.first[k]] = k
    for k in range(p.half):
        i = p.first[k]
        target = _first_common(_row(p, i), p.open_second, p.words)
        if target != p.mate_left[k]:
            _open_from(p, k + 1)
            _find_reached(p, p.mate_left[k])
            target = _first_common(_row(p, i), p.reached, p.words)
            if target != p.mate_left[k]:
                _shift(p, k, target)
        clear_bit(p.open_second, target)
        mate[i], mate[target] = target, i
    return True


cdef inline void _open_from(Split* p, int k) noexcept nogil:
    """Let `open_first` be the members of S1 from position k on."""
    memset(p.open_first, 0, <size_t>p.words * sizeof(uint64_t))
    for k in range(k, p.half):
        set_bit(p.open_first, p.first[k])
