"""Maximum-weight matching: the graph, its changes, and the order of the searches. The search itself stands in `_stage`.

Every exposed vertex of positive dual is the root of one search; afterwards it is matched, or a vertex of dual 0 is exposed. With none
left the duals prove that the matching is best. Only what a change breaks is repaired: a changed vertex leaves its blossoms (each hands
its dual to its vertices, so no slack gets smaller), its dual is found anew, and at most two vertices are exposed by that.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._matching._stage cimport FREE, child_around, dissolve, dual_of, edge, rebase, search, z_of
from swisssim._matching._wide cimport (
    wide_add, wide_clear, wide_copy, wide_double, wide_equal, wide_halve, wide_less, wide_negative, wide_positive, wide_subtract,
)


# ---- memory

cdef inline void* _cut(size_t* place, size_t size) noexcept nogil:
    """Take the next piece of memory from an address, a multiple of 8 bytes."""
    cdef size_t piece = place[0]
    place[0] += (size + 7) & ~<size_t>7
    return <void*>piece


cdef inline uint64_t* _cut_words(size_t* place, size_t count) noexcept nogil:
    return <uint64_t*>_cut(place, count * sizeof(uint64_t))


cdef inline int32_t* _cut_indices(size_t* place, size_t count) noexcept nogil:
    return <int32_t*>_cut(place, count * sizeof(int32_t))


cdef size_t _lay_out(Weighted* g, int n, int words, void* memory) noexcept nogil:
    """Divide the memory and return how much of it is used."""
    cdef int nodes = n + n // 2, set_words = (n + 63) >> 6
    cdef size_t blossoms = nodes - n, numbers = <size_t>n * words
    cdef size_t end = <size_t>memory
    g.n, g.words, g.nodes, g.set_words = n, words, nodes, set_words
    g.doubled = _cut_words(&end, numbers * n)
    g.adjacent = _cut_words(&end, <size_t>n * set_words)
    g.dual = _cut_words(&end, numbers)
    g.z = _cut_words(&end, blossoms * words)
    g.reach = _cut_words(&end, numbers)
    g.meet = _cut_words(&end, numbers)
    g.delta = _cut_words(&end, words)
    g.scratch = _cut_words(&end, <size_t>2 * words)
    g.outer = _cut_words(&end, set_words)
    g.free_ = _cut_words(&end, set_words)
    _lay_out_nodes(g, &end)
    return end - <size_t>memory


cdef void _lay_out_nodes(Weighted* g, size_t* end) noexcept nogil:
    cdef int n = g.n, nodes = g.nodes
    g.mate = _cut_indices(end, n)
    g.follow = _cut_indices(end, n)
    g.top = _cut_indices(end, n)
    g.near = _cut_indices(end, n)
    g.slots = _cut_indices(end, n)
    g.meet_here = _cut_indices(end, n)
    g.meet_there = _cut_indices(end, n)
    g.parent = _cut_indices(end, nodes)
    g.base = _cut_indices(end, nodes)
    g.first = _cut_indices(end, nodes)
    g.next = _cut_indices(end, nodes)
    g.here = _cut_indices(end, nodes)
    g.there = _cut_indices(end, nodes)
    g.head = _cut_indices(end, nodes)
    g.tail = _cut_indices(end, nodes)
    g.mark = _cut_indices(end, nodes)
    g.from_ = _cut_indices(end, nodes)
    g.to = _cut_indices(end, nodes)
    g.slot = _cut_indices(end, nodes)
    g.stack = _cut_indices(end, <size_t>2 * nodes)
    g.spare = _cut_indices(end, nodes - n)
    g.inner = _cut_indices(end, nodes - n)
    g.link = <int16_t*>_cut(end, <size_t>n * n * sizeof(int16_t))
    g.loose = <int8_t*>_cut(end, n)
    g.label = <int8_t*>_cut(end, nodes)


cdef size_t weighted_bytes(int n, int words) noexcept nogil:
    cdef Weighted g
    if n < 0 or n > WEIGHTED_VERTICES or words < 1 or words > WEIGHTED_WORDS:
        return 0
    return _lay_out(&g, n, words, NULL)


cdef void weighted_init(Weighted* g, int n, int words, void* memory) noexcept nogil:
    cdef int v
    _lay_out(g, n, words, memory)
    g.fresh = True
    g.stamp = 0
    g.spares = 0
    memset(g.adjacent, 0, <size_t>n * g.set_words * sizeof(uint64_t))
    memset(g.mark, 0, g.nodes * sizeof(int32_t))
    memset(g.label, FREE, g.nodes)
    memset(g.loose, 1, n)
    for v in range(n):
        g.mate[v] = g.parent[v] = g.follow[v] = -1
        g.top[v] = g.base[v] = g.head[v] = g.tail[v] = v
    for v in range(g.nodes - 1, n - 1, -1):
        g.head[v] = -1
        g.spare[g.spares] = v
        g.spares += 1


# ---- edges

cdef inline bint _joined(const Weighted* g, int i, int j) noexcept nogil:
    return test_bit(g.adjacent + <size_t>i * g.set_words, j)


cdef int _common_blossom(Weighted* g, int i, int j) noexcept nogil:
    """Return the smallest blossom around both vertices, or -1."""
    cdef int b
    if g.top[i] != g.top[j]:
        return -1
    g.stamp += 1
    b = g.parent[i]
    while b >= 0:
        g.mark[b] = g.stamp
        b = g.parent[b]
    b = g.parent[j]
    while b >= 0 and g.mark[b] != g.stamp:
        b = g.parent[b]
    return b


cdef inline bint _chained(const Weighted* g, int a, int i, int b, int j) noexcept nogil:
    """Tell whether the edge i-j leads from the child a to the next child b of a blossom."""
    return g.next[a] == b and g.here[a] == i and g.there[a] == j


cdef bint _stays_best(Weighted* g, int i, int j, const uint64_t* doubled) noexcept nogil:
    """Tell whether the matching and its duals stay best when twice the weight of the edge i-j is changed to `doubled` (NULL: none)."""
    cdef int b, x, y
    if g.mate[i] == j:
        return False
    b = _common_blossom(g, i, j)
    if b >= 0:
        x, y = child_around(g, b, i), child_around(g, b, j)
        if _chained(g, x, i, y, j) or _chained(g, y, j, x, i):
            return False
    if doubled == NULL:
        return True
    wide_add(g.scratch, dual_of(g, i), dual_of(g, j), g.words)
    while b >= 0:
        wide_add(g.scratch, g.scratch, z_of(g, b), g.words)
        wide_add(g.scratch, g.scratch, z_of(g, b), g.words)
        b = g.parent[b]
    wide_subtract(g.scratch, g.scratch, doubled, g.words)
    return not wide_negative(g.scratch)


cdef inline void _expose(Weighted* g, int i) noexcept nogil:
    """Unmatch i."""
    if g.mate[i] >= 0:
        g.mate[g.mate[i]] = -1
        g.mate[i] = -1


cdef void _loosen(Weighted* g, int i) noexcept nogil:
    """Take i out of all blossoms, so that its edges may change; unless there are any it keeps its mate for the time being."""
    cdef int b = g.top[i], m, v, end
    g.loose[i] = True
    if b == i:
        return
    m = g.mate[g.base[b]]
    rebase(g, b, i)
    g.mate[i] = -1
    if m >= 0:
        g.mate[m] = -1
    while b != i:
        v, end = g.head[b], g.follow[g.tail[b]]
        while v != end:
            wide_add(dual_of(g, v), dual_of(g, v), z_of(g, b), g.words)
            v = g.follow[v]
        dissolve(g, b)
        b = g.top[i]


cdef void _put(Weighted* g, int i, int j, const uint64_t* doubled) noexcept nogil:
    """Store twice the weight of the edge i-j, and loosen i if the matching may not be the best then."""
    if not (g.loose[i] or g.loose[j]) and not _stays_best(g, i, j, doubled):
        _loosen(g, i)
    wide_copy(edge(g, i, j), doubled, g.words)
    wide_copy(edge(g, j, i), doubled, g.words)


cdef void weighted_set(Weighted* g, int i, int j, const uint64_t* weight) noexcept nogil:
    cdef uint64_t* doubled = g.scratch + g.words
    wide_double(doubled, weight, g.words)
    if _joined(g, i, j) and wide_equal(doubled, edge(g, i, j), g.words):
        return
    _put(g, i, j, doubled)
    set_bit(g.adjacent + <size_t>i * g.set_words, j)
    set_bit(g.adjacent + <size_t>j * g.set_words, i)


cdef void weighted_add(Weighted* g, int i, int j, const uint64_t* bonus) noexcept nogil:
    cdef uint64_t* doubled = g.scratch + g.words
    if not _joined(g, i, j):
        return
    wide_double(doubled, bonus, g.words)
    wide_add(doubled, doubled, edge(g, i, j), g.words)
    if not wide_equal(doubled, edge(g, i, j), g.words):
        _put(g, i, j, doubled)


cdef void weighted_clear(Weighted* g, int i, int j) noexcept nogil:
    if not _joined(g, i, j):
        return
    if not (g.loose[i] or g.loose[j]) and not _stays_best(g, i, j, NULL):
        _loosen(g, i)
    if g.mate[i] == j:
        _expose(g, i)
    clear_bit(g.adjacent + <size_t>i * g.set_words, j)
    clear_bit(g.adjacent + <size_t>j * g.set_words, i)


cdef bint weighted_get(const Weighted* g, int i, int j, uint64_t* weight) noexcept nogil:
    if not _joined(g, i, j):
        return False
    if weight != NULL:
        wide_halve(weight, edge(g, i, j), g.words)
    return True


cdef void weighted_remove(Weighted* g, int i) noexcept nogil:
    cdef uint64_t* row = g.adjacent + <size_t>i * g.set_words
    cdef int w
    if not g.loose[i]:
        _loosen(g, i)
    _expose(g, i)
    for w in range(g.set_words):
        while row[w]:
            clear_bit(g.adjacent + <size_t>((w << 6) + lowest(row[w])) * g.set_words, i)
            row[w] &= row[w] - 1


# ---- solving

cdef void _start(Weighted* g) noexcept nogil:
    """First duals: the heaviest edge of each vertex, 0 at least."""
    cdef int i, w, j
    cdef uint64_t x
    cdef uint64_t* dual
    for i in range(g.n):
        dual = dual_of(g, i)
        wide_clear(dual, g.words)
        for w in range(g.set_words):
            x = g.adjacent[<size_t>i * g.set_words + w]
            while x:
                j = (w << 6) + lowest(x)
                x &= x - 1
                if wide_less(dual, edge(g, i, j), g.words):
                    wide_copy(dual, edge(g, i, j), g.words)
        wide_halve(dual, dual, g.words)
    memset(g.loose, 0, g.n)
    g.fresh = False


cdef int _find_dual(Weighted* g, int i) noexcept nogil:
    """Give i, which lies in no blossom, the least dual that its edges to settled vertices allow.

    Return a vertex to which an edge is tight then, an exposed one if there is any; -1 if no edge is.
    """
    cdef uint64_t* dual = dual_of(g, i)
    cdef uint64_t* need = g.scratch
    cdef int tight = -1, w, j
    cdef uint64_t x
    wide_clear(dual, g.words)
    for w in range(g.set_words):
        x = g.adjacent[<size_t>i * g.set_words + w]
        while x:
            j = (w << 6) + lowest(x)
            x &= x - 1
            if g.loose[j]:
                continue
            wide_subtract(need, edge(g, i, j), dual_of(g, j), g.words)
            if wide_less(dual, need, g.words):
                wide_copy(dual, need, g.words)
                tight = j
            elif (tight < 0 or g.mate[tight] >= 0) and wide_equal(dual, need, g.words):
                tight = j
    return tight


cdef void _settle(Weighted* g, int i) noexcept nogil:
    """Find the dual of i anew; keep its mate if their edge is tight, or match it by a tight edge to an exposed vertex."""
    cdef int m = g.mate[i], tight = _find_dual(g, i)
    g.loose[i] = False
    if m >= 0 and not g.loose[m]:
        wide_add(g.scratch, dual_of(g, i), dual_of(g, m), g.words)
        if not wide_equal(g.scratch, edge(g, i, m), g.words):
            _expose(g, i)
    if g.mate[i] < 0 and tight >= 0 and g.mate[tight] < 0:
        g.mate[i], g.mate[tight] = tight, i


cdef int weighted_solve(Weighted* g, const int* cancel) noexcept nogil:
    cdef int v, matched = 0
    if g.fresh:
        _start(g)
        for v in range(g.n):
            if g.mate[v] < 0:
                _settle(g, v)
    else:
        for v in range(g.n):
            if g.loose[v]:
                _settle(g, v)
    for v in range(g.n):
        if g.mate[v] < 0 and wide_positive(dual_of(g, v), g.words):
            if cancel != NULL and cancel[0]:
                return -1
            search(g, v)
    for v in range(g.n):
        matched += g.mate[v] >= 0
    return matched // 2


cdef void weighted_total(const Weighted* g, uint64_t* total) noexcept nogil:
    cdef int v
    wide_clear(total, g.words)
    for v in range(g.n):
        if g.mate[v] > v:
            wide_add(total, total, edge(g, v, g.mate[v]), g.words)
    wide_halve(total, total, g.words)
