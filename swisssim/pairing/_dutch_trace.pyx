"""Explanations of a bracket: every alternative that stands earlier in the order is tried by weighted matching.

Only with tracing on. An alternative (a higher ranked partner, or that a downfloater be paired) is forced on the graph of everybody not yet
paired; the first criterion in which the best pairing with it is worse decides against it. In very large fields only what
can be seen of a pair itself is told.
"""

from libc.stdint cimport uint8_t, uint64_t

from swisssim._brackets.lineup cimport is_legal
from swisssim._brackets.order cimport best_pairing
from swisssim._matching._wide cimport wide_add, wide_clear
from swisssim._matching.weighted cimport WEIGHTED_WORDS, weighted_clear, weighted_get, weighted_remove, weighted_set, weighted_total
from swisssim._state cimport COLOUR, MET, NO_MEMORY, PAIRED, Mark, State, have_met, note
from swisssim.pairing._dutch cimport Round
from swisssim.pairing._dutch_exact cimport FULL, Graph, first_difference, look_ahead, open_graph

cdef enum:
    LARGEST = 400           # vertices of a graph that is built for explanations only
    TESTS = 300             # alternatives tried in one bracket

# The explanation of one bracket.
cdef struct Story:
    Round* r
    Graph g
    bint solved             # the graph is there
    int tests               # left
    uint64_t* edges         # [2][n][words] edges taken away for a test
    uint8_t* edge_there     # [2][n]
    uint8_t* upper          # [size] in S1, or an MDP that is paired


cdef inline int _player(const Round* r, int i) noexcept nogil:
    return r.f.player[r.members[i]]


cdef int tell_bracket(State s, Round* r) noexcept nogil:
    cdef Story t
    cdef Mark mark = s.mark()
    cdef int i, status
    for i in range(r.size):
        note(s, BRACKET, _player(r, i), -1, MOVED_DOWN if i < r.mdps else RESIDENT)
    status = _begin(s, &t, r)
    if status == PAIRED:
        for i in range(r.size):
            if r.pairs[i] < 0 and status == PAIRED:
                status = _tell_floater(s, &t, i)
        for i in range(r.size):
            if r.pairs[i] > i and status == PAIRED:
                status = _tell_pair(s, &t, i)
    s.release(mark)
    return status


cdef int _begin(State s, Story* t, Round* r) noexcept nogil:
    """Solve the graph of everybody, if it is not too large."""
    cdef bint empty, c9
    cdef int i, status = PAIRED
    cdef size_t n
    t.r, t.tests = r, TESTS
    t.upper = <uint8_t*>s.scratch(r.size)
    if t.upper == NULL:
        return NO_MEMORY
    for i in range(r.size):
        t.upper[i] = r.pairs[i] > i
    t.solved = r.size + r.f.m - r.f.start[r.group + 1] < LARGEST
    if t.solved:
        status = look_ahead(s, r, &empty, &c9)
        if status == PAIRED:
            status = open_graph(s, &t.g, r, FULL, False, c9)
        if status == PAIRED:
            n = t.g.n
            t.edges = <uint64_t*>s.scratch(2 * n * t.g.b.digits.words * sizeof(uint64_t))
            t.edge_there = <uint8_t*>s.scratch(2 * n)
            if t.edges == NULL or t.edge_there == NULL:
                return NO_MEMORY
            status = best_pairing(s, &t.g.b)
    return status


# ---- tests

cdef void _take_away(Story* t, int which, int v) noexcept nogil:
    """Remove all edges of a vertex, to be put back later."""
    cdef int j, n = t.g.n, words = t.g.b.digits.words
    cdef uint64_t* edges = t.edges + <size_t>which * n * words
    for j in range(n):
        t.edge_there[which * n + j] = j != v and weighted_get(&t.g.b.g, v, j, edges + <size_t>j * words)
    weighted_remove(&t.g.b.g, v)


cdef void _put_back(Story* t, int which, int v) noexcept nogil:
    cdef int j, n = t.g.n, words = t.g.b.digits.words
    for j in range(n):
        if t.edge_there[which * n + j]:
            weighted_set(&t.g.b.g, v, j, t.edges + (<size_t>which * n + j) * words)


cdef int _test_pair(State s, Story* t, int i, int j, int* criterion) noexcept nogil:
    """Find the first criterion that gets worse if members i and j are paired; 0 if none does."""
    cdef uint64_t[WEIGHTED_WORDS] best
    cdef uint64_t[WEIGHTED_WORDS] other
    cdef uint64_t[WEIGHTED_WORDS] own
    cdef int status
    weighted_total(&t.g.b.g, best)
    wide_clear(own, t.g.b.digits.words)
    weighted_get(&t.g.b.g, i, j, own)
    _take_away(t, 0, i)
    _take_away(t, 1, j)
    status = best_pairing(s, &t.g.b)
    weighted_total(&t.g.b.g, other)
    wide_add(other, other, own, t.g.b.digits.words)
    criterion[0] = first_difference(&t.g, best, other)
    _put_back(t, 1, j)
    _put_back(t, 0, i)
    return best_pairing(s, &t.g.b) if status == PAIRED else status


cdef int _test_floater(State s, Story* t, int i, int* criterion) noexcept nogil:
    """Find the first criterion that gets worse if member i is paired inside the bracket; 0 if none does."""
    cdef uint64_t[WEIGHTED_WORDS] best
    cdef uint64_t[WEIGHTED_WORDS] other
    cdef int status, j
    weighted_total(&t.g.b.g, best)
    _take_away(t, 0, i)
    _put_back(t, 0, i)
    for j in range(t.r.size, t.g.n):
        weighted_clear(&t.g.b.g, i, j)
    status = best_pairing(s, &t.g.b)
    weighted_total(&t.g.b.g, other)
    criterion[0] = first_difference(&t.g, best, other)
    _put_back(t, 0, i)
    return best_pairing(s, &t.g.b) if status == PAIRED else status


# ---- what is told

cdef bint _has_opponent(const Round* r, int i) noexcept nogil:
    """Tell whether member i has a legal opponent in the bracket; two MDPs are none."""
    cdef int j
    for j in range(r.mdps if i < r.mdps else 0, r.size):
        if j != i and is_legal(&r.f, r.members[i], r.members[j]):
            return True
    return False


cdef int _tell_floater(State s, Story* t, int i) noexcept nogil:
    cdef int criterion = 0, status, player = _player(t.r, i)
    if not _has_opponent(t.r, i):
        note(s, 6, player, -1, NO_OPPONENT)
        return PAIRED
    if not t.solved or t.tests == 0:
        note(s, BRACKET, player, -1, NOT_EXAMINED)
        return PAIRED
    t.tests -= 1
    status = _test_floater(s, t, i, &criterion)
    if criterion == 0:
        note(s, ORDER, player, -1, FLOATS_BY_ORDER)
    else:
        note(s, criterion, player, -1, FLOATS if t.r.group + 1 < t.r.f.groups else LEFT_OVER)
    return status


cdef int _tell_pair(State s, Story* t, int i) noexcept nogil:
    """Why nobody ranked above the partner of i who was still free in S2, and how the pair came about; then fix it."""
    cdef Round* r = t.r
    cdef int j, criterion, status, partner = r.pairs[i]
    for j in range(r.mdps if i < r.mdps else i + 1, partner):
        if (i >= r.mdps and t.upper[j]) or 0 <= r.pairs[j] < i:
            continue
        if not is_legal(&r.f, r.members[i], r.members[j]):
            if have_met(s, _player(r, i), _player(r, j)):
                note(s, 1, _player(r, i), _player(r, j), MET)
            else:
                note(s, 3, _player(r, i), _player(r, j), COLOUR)
        elif t.solved and t.tests > 0:
            t.tests -= 1
            status = _test_pair(s, t, i, j, &criterion)
            if status != PAIRED:
                return status
            note(s, criterion if criterion else ORDER, _player(r, i), _player(r, j), WORSE if criterion else LATER)
    note(s, ORDER, _player(r, i), _player(r, partner), _origin(t, i, partner))
    if not t.solved:
        return PAIRED
    weighted_remove(&t.g.b.g, i)
    weighted_remove(&t.g.b.g, partner)
    return best_pairing(s, &t.g.b)


cdef int _origin(const Story* t, int i, int partner) noexcept nogil:
    """Tell how a pair comes about in the order of the rules."""
    cdef const Round* r = t.r
    cdef int k, half = 0, at = 0, at_partner = 0, place = 0
    if i < r.mdps:
        return WITH_MDP
    for k in range(r.mdps, r.size):
        if 0 <= r.pairs[k] < r.mdps:
            continue
        half += r.pairs[k] > k
        at = place if k == i else at
        at_partner = place if k == partner else at_partner
        place += 1
    if at >= half or at_partner < half:
        return EXCHANGED
    return AS_SPLIT if at_partner == at + half else TRANSPOSED
