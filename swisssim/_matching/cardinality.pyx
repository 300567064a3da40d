"""Maximum matching by size on bitset graphs: Edmonds' blossoms in Gabow's labelling, and Kuhn's method for two sides.

One search grows one alternating tree from an exposed vertex. Every vertex that an even alternating path joins to the root is
*outer*; its label says how to walk that path back, so that a blossom is contracted without rewriting anything inside it
(H. N. Gabow, J. ACM 23, 1976). A search costs O(n^2 / 64) word operations plus the paths it follows. A tree that finds no
augmenting path never takes part in one later, so it is left out of all the searches that follow.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit

# What is still to be written of a path that is being unrolled.
cdef enum Task:
    FORWARD = 0     # the path from one vertex towards the root, up to another
    BACKWARD = 1    # the same, reversed
    VERTEX = 2      # a single vertex


# All that one search needs, laid out in the caller's memory.
cdef struct Search:
    int n
    int words               # of a set of vertices
    int stride              # words from row to row
    const uint64_t* rows
    int32_t* mate
    uint64_t* usable        # vertices that take part and lie in no exhausted tree
    uint64_t* exposed       # usable vertices without a mate
    uint64_t* unlabelled    # usable vertices not in the present tree
    uint64_t* outer
    uint64_t* own           # the members of the blossom `owner`
    int owner               # base of the blossom whose members stand in `own`, -1 none
    int root
    int32_t* near           # label of an outer vertex: the outer vertex above its mate, or this end of the edge that closed a blossom
    int32_t* far            # -1, or the other end of that edge
    int32_t* group          # union-find over blossoms; its representative is the blossom's base
    int32_t* ring           # circular list of the members of a blossom
    int32_t* mark           # last `stamp` that passed here
    int stamp
    int32_t* queue          # outer vertices, those before `head` are scanned
    int head
    int tail
    int32_t* path           # an augmenting path as it is written
    int length
    int32_t* tasks          # stack of (kind, vertex, end), three numbers each
    int depth


cdef inline int _set_words(int n) noexcept nogil:
    return (n + 63) >> 6


cdef inline void _fill(uint64_t* members, const uint64_t* alive, int n) noexcept nogil:
    """Write the set of the vertices that take part."""
    cdef int words = _set_words(n)
    if alive == NULL:
        memset(members, 0xFF, words * sizeof(uint64_t))
    else:
        memcpy(members, alive, words * sizeof(uint64_t))
    if n & 63:
        members[words - 1] &= ((<uint64_t>1) << (n & 63)) - 1


cdef inline int _first_common(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int w
    cdef uint64_t x
    for w in range(words):
        x = a[w] & b[w]
        if x:
            return (w << 6) + lowest(x)
    return -1


cdef inline int _first_common3(const uint64_t* a, const uint64_t* b, const uint64_t* c, int words) noexcept nogil:
    cdef int w
    cdef uint64_t x
    for w in range(words):
        x = a[w] & b[w] & c[w]
        if x:
            return (w << 6) + lowest(x)
    return -1


cdef int _keep_exposed(uint64_t* exposed, const uint64_t* members, const int32_t* mate, int n) noexcept nogil:
    """Write the members without a mate and return how many there are."""
    cdef int v, found = 0
    memcpy(exposed, members, _set_words(n) * sizeof(uint64_t))
    for v in range(n):
        if not test_bit(exposed, v):
            continue
        if mate[v] >= 0:
            clear_bit(exposed, v)
        else:
            found += 1
    return found


# ---- general graphs

cdef size_t matching_bytes(int n) noexcept nogil:
    return (<size_t>5 * _set_words(n)) * sizeof(uint64_t) + (<size_t>10 * n + 9) * sizeof(int32_t)


cdef void _lay_out(Search* s, int n, int stride, const uint64_t* rows, const uint64_t* alive, int32_t* mate,
                   void* work) noexcept nogil:
    cdef int words = _set_words(n)
    cdef uint64_t* sets = <uint64_t*>work
    cdef int32_t* numbers = <int32_t*>(sets + <size_t>5 * words)
    s.n, s.words, s.stride = n, words, stride
    s.rows, s.mate = rows, mate
    s.usable = sets
    s.exposed = sets + words
    s.unlabelled = sets + <size_t>2 * words
    s.outer = sets + <size_t>3 * words
    s.own = sets + <size_t>4 * words
    s.near = numbers
    s.far = numbers + n
    s.group = numbers + <size_t>2 * n
    s.ring = numbers + <size_t>3 * n
    s.mark = numbers + <size_t>4 * n
    s.queue = numbers + <size_t>5 * n
    s.path = numbers + <size_t>6 * n
    s.tasks = numbers + <size_t>7 * n
    s.stamp = 0
    memset(s.mark, 0, n * sizeof(int32_t))
    _fill(s.usable, alive, n)


cdef inline const uint64_t* _row(Search* s, int v) noexcept nogil:
    return s.rows + <size_t>v * s.stride


cdef inline int _base(Search* s, int v) noexcept nogil:
    """Return the base of the blossom around v, halving the way for the next time."""
    while s.group[v] != v:
        s.group[v] = s.group[s.group[v]]
        v = s.group[v]
    return v


cdef inline void _make_outer(Search* s, int v, int near, int far) noexcept nogil:
    s.near[v], s.far[v] = near, far
    s.group[v] = v
    s.ring[v] = v
    set_bit(s.outer, v)
    s.queue[s.tail] = v
    s.tail += 1


cdef inline int _above(Search* s, int base) noexcept nogil:
    """Return the base of the next blossom towards the root, -1 from the root itself."""
    return -1 if base == s.root else _base(s, s.near[base])


cdef int _common_base(Search* s, int a, int b) noexcept nogil:
    """Return the base where the ways of two blossoms to the root meet; both are climbed in turn, so no step is wasted."""
    s.stamp += 1
    while True:
        if a >= 0:
            if s.mark[a] == s.stamp:
                return a
            s.mark[a] = s.stamp
            a = _above(s, a)
        a, b = b, a


cdef inline void _absorb(Search* s, int base, int other) noexcept nogil:
    """Put the blossom `other` into that of `base`; its members join the set in hand."""
    cdef int v = other
    if not test_bit(s.own, other):
        while True:
            set_bit(s.own, v)
            v = s.ring[v]
            if v == other:
                break
    if other != base:
        s.group[other] = base
        s.ring[base], s.ring[other] = s.ring[other], s.ring[base]


cdef void _climb(Search* s, int base, int near, int far) noexcept nogil:
    """Contract the way from `near` up to `base`; the inner vertices on it become outer by the edge near-far."""
    cdef int b = _base(s, near), inner, above
    while b != base:
        inner = s.mate[b]
        above = _above(s, b)
        _make_outer(s, inner, near, far)
        _absorb(s, base, b)
        _absorb(s, base, inner)
        b = above


cdef void _contract(Search* s, int v, int u) noexcept nogil:
    """Contract the blossom that the edge between two outer vertices closes; `own` holds the members of v's blossom."""
    cdef int base = _common_base(s, _base(s, v), _base(s, u))
    _absorb(s, base, base)
    _climb(s, base, v, u)
    _climb(s, base, u, v)
    s.owner = base


cdef inline void _take_blossom(Search* s, int v) noexcept nogil:
    """Write the members of v's blossom to `own`."""
    cdef int base = _base(s, v), member = base
    if s.owner == base:
        return
    s.owner = base
    memset(s.own, 0, s.words * sizeof(uint64_t))
    while True:
        set_bit(s.own, member)
        member = s.ring[member]
        if member == base:
            return


cdef void _grow(Search* s, int v) noexcept nogil:
    """Label the neighbours of the outer vertex v that are not in the tree yet, and their mates."""
    cdef const uint64_t* row = _row(s, v)
    cdef int w, inner, mate
    cdef uint64_t x
    for w in range(s.words):
        while True:
            x = row[w] & s.unlabelled[w]
            if x == 0:
                break
            inner = (w << 6) + lowest(x)
            mate = s.mate[inner]
            clear_bit(s.unlabelled, inner)
            clear_bit(s.unlabelled, mate)
            _make_outer(s, mate, v, -1)


cdef void _close_blossoms(Search* s, int v) noexcept nogil:
    """Contract every blossom that an edge from v to another outer vertex closes."""
    cdef const uint64_t* row = _row(s, v)
    cdef int w
    cdef uint64_t x
    if _first_common(row, s.outer, s.words) < 0:
        return
    _take_blossom(s, v)
    for w in range(s.words):
        while True:
            x = row[w] & s.outer[w] & ~s.own[w]
            if x == 0:
                break
            _contract(s, v, (w << 6) + lowest(x))


cdef inline void _push(Search* s, int kind, int vertex, int end) noexcept nogil:
    cdef int32_t* task = s.tasks + <size_t>3 * s.depth
    task[0], task[1], task[2] = kind, vertex, end
    s.depth += 1


cdef inline void _write(Search* s, int v) noexcept nogil:
    s.path[s.length] = v
    s.length += 1


cdef void _unroll(Search* s, int v) noexcept nogil:
    """Write the even path from the outer vertex v to the root.

    A vertex labelled (w, -1) walks to its mate and on from w; one labelled (x, y) walks back along the path of x, which passes its
    mate, crosses the edge x-y and goes on from y. Open pieces write different vertices, so there are never more than n of them.
    """
    cdef int kind, end, near, far
    cdef int32_t* task
    s.depth = 0
    _push(s, FORWARD, v, s.root)
    while s.depth:
        s.depth -= 1
        task = s.tasks + <size_t>3 * s.depth
        kind, v, end = task[0], task[1], task[2]
        if kind == VERTEX or v == end:
            _write(s, v)
            continue
        near, far = s.near[v], s.far[v]
        if kind == FORWARD:
            _write(s, v)
            if far < 0:
                _write(s, s.mate[v])
                _push(s, FORWARD, near, end)
            else:
                _push(s, FORWARD, far, end)
                _push(s, BACKWARD, near, s.mate[v])
        else:
            _push(s, VERTEX, v, v)
            if far < 0:
                _push(s, VERTEX, s.mate[v], v)
                _push(s, BACKWARD, near, end)
            else:
                _push(s, FORWARD, near, s.mate[v])
                _push(s, BACKWARD, far, end)


cdef void _flip(Search* s, int v, int end) noexcept nogil:
    """Augment along the edge from the exposed vertex `end` to the outer vertex v, and on to the root."""
    cdef int i, a, b
    s.length = 0
    _write(s, end)
    _unroll(s, v)
    for i in range(0, s.length, 2):
        a, b = s.path[i], s.path[i + 1]
        s.mate[a], s.mate[b] = b, a
    clear_bit(s.exposed, s.root)
    clear_bit(s.exposed, end)


cdef bint _search(Search* s, int root) noexcept nogil:
    """Grow a tree from the exposed vertex `root` and augment if it meets another; tell whether it did."""
    cdef int v, end
    memcpy(s.unlabelled, s.usable, s.words * sizeof(uint64_t))
    memset(s.outer, 0, s.words * sizeof(uint64_t))
    clear_bit(s.unlabelled, root)
    s.root, s.owner, s.head, s.tail = root, -1, 0, 0
    _make_outer(s, root, -1, -1)
    while s.head < s.tail:
        v = s.queue[s.head]
        s.head += 1
        end = _first_common3(_row(s, v), s.unlabelled, s.exposed, s.words)
        if end >= 0:
            _flip(s, v, end)
            return True
        _grow(s, v)
        _close_blossoms(s, v)
    return False


cdef int _match_greedily(Search* s) noexcept nogil:
    """Give every exposed vertex its first exposed neighbour; return the number of vertices matched."""
    cdef int v, u, matched = 0
    for v in range(s.n):
        if not test_bit(s.exposed, v):
            continue
        u = _first_common(_row(s, v), s.exposed, s.words)
        if u >= 0:
            s.mate[v], s.mate[u] = u, v
            clear_bit(s.exposed, v)
            clear_bit(s.exposed, u)
            matched += 2
    return matched


cdef int _count_pairs(const uint64_t* members, const int32_t* mate, int n) noexcept nogil:
    cdef int v, matched = 0
    for v in range(n):
        matched += test_bit(members, v) and mate[v] >= 0
    return matched


cdef int maximum_matching(int n, int words, const uint64_t* rows, const uint64_t* alive, int32_t* mate, void* work,
                          const int* cancel) noexcept nogil:
    cdef Search s
    cdef int v, w, open_, matched
    _lay_out(&s, n, words, rows, alive, mate, work)
    matched = _count_pairs(s.usable, mate, n)
    open_ = _keep_exposed(s.exposed, s.usable, mate, n)
    w = _match_greedily(&s)
    matched += w
    open_ -= w
    for v in range(n):
        if open_ < 2:
            break
        if not test_bit(s.exposed, v):
            continue
        if cancel != NULL and cancel[0]:
            return -1
        if _search(&s, v):
            matched += 2
            open_ -= 2
        else:
            memcpy(s.usable, s.unlabelled, s.words * sizeof(uint64_t))
            clear_bit(s.exposed, v)
            open_ -= 1
    return matched // 2


cdef bint augment(int n, int words, const uint64_t* rows, const uint64_t* alive, int32_t* mate, int root,
                  void* work) noexcept nogil:
    cdef Search s
    _lay_out(&s, n, words, rows, alive, mate, work)
    if _keep_exposed(s.exposed, s.usable, mate, n) < 2:
        return False
    return _search(&s, root)


cdef void even_ends(int n, int words, const uint64_t* rows, const uint64_t* alive, int32_t* mate, int root, uint64_t* ends,
                    void* work) noexcept nogil:
    cdef Search s
    _lay_out(&s, n, words, rows, alive, mate, work)
    memset(s.exposed, 0, s.words * sizeof(uint64_t))
    _search(&s, root)
    memcpy(ends, s.outer, s.words * sizeof(uint64_t))


# ---- two sides

# What a search from one left vertex needs, laid out in the caller's memory; sets are sets of right vertices.
cdef struct Sides:
    int words
    int stride
    const uint64_t* rows
    int32_t* mate_left
    int32_t* mate_right
    uint64_t* usable        # right vertices that take part and lie in no exhausted tree
    uint64_t* exposed
    uint64_t* unseen        # usable ones not in the present tree
    int32_t* via            # the left vertex from which a right one was reached
    int32_t* queue          # left vertices


cdef size_t bipartite_bytes(int left, int right) noexcept nogil:
    return (<size_t>3 * _set_words(right)) * sizeof(uint64_t) + (<size_t>left + right) * sizeof(int32_t)


cdef int _lay_out_sides(Sides* s, int left, int right, int stride, const uint64_t* rows, const uint64_t* alive_right,
                        int32_t* mate_left, int32_t* mate_right, void* work) noexcept nogil:
    """Divide the memory and return the number of exposed right vertices."""
    cdef int words = _set_words(right)
    cdef uint64_t* sets = <uint64_t*>work
    s.words, s.stride, s.rows = words, stride, rows
    s.mate_left, s.mate_right = mate_left, mate_right
    s.usable = sets
    s.exposed = sets + words
    s.unseen = sets + <size_t>2 * words
    s.via = <int32_t*>(sets + <size_t>3 * words)
    s.queue = s.via + right
    if right == 0:
        return 0
    _fill(s.usable, alive_right, right)
    return _keep_exposed(s.exposed, s.usable, mate_right, right)


cdef void _flip_sides(Sides* s, int root, int u, int r) noexcept nogil:
    """Augment along the edge from the left vertex u to the exposed right vertex r, and back to the root."""
    cdef int before
    clear_bit(s.exposed, r)
    while True:
        before = s.mate_left[u]
        s.mate_left[u], s.mate_right[r] = r, u
        if u == root:
            return
        r = before
        u = s.via[r]


cdef bint _search_sides(Sides* s, int root) noexcept nogil:
    """Grow a tree from the exposed left vertex `root` and augment if it meets an exposed right vertex; tell whether it did."""
    cdef int head = 0, tail = 1, u, r, w
    cdef const uint64_t* row
    cdef uint64_t x
    memcpy(s.unseen, s.usable, s.words * sizeof(uint64_t))
    s.queue[0] = root
    while head < tail:
        u = s.queue[head]
        head += 1
        row = s.rows + <size_t>u * s.stride
        r = _first_common(row, s.exposed, s.words)
        if r >= 0:
            _flip_sides(s, root, u, r)
            return True
        for w in range(s.words):
            x = row[w] & s.unseen[w]
            s.unseen[w] ^= x
            while x:
                r = (w << 6) + lowest(x)
                x &= x - 1
                s.via[r] = u
                s.queue[tail] = s.mate_right[r]
                tail += 1
    return False


cdef int bipartite_matching(int left, int right, int words, const uint64_t* rows, const uint64_t* alive_left,
                            const uint64_t* alive_right, int32_t* mate_left, int32_t* mate_right, void* work,
                            const int* cancel) noexcept nogil:
    cdef Sides s
    cdef int u, pairs = 0
    cdef int open_ = _lay_out_sides(&s, left, right, words, rows, alive_right, mate_left, mate_right, work)
    for u in range(left):
        if alive_left != NULL and not test_bit(alive_left, u):
            continue
        if mate_left[u] >= 0:
            pairs += 1
            continue
        if open_ == 0:
            continue
        if cancel != NULL and cancel[0]:
            return -1
        if _search_sides(&s, u):
            pairs += 1
            open_ -= 1
        else:
            memcpy(s.usable, s.unseen, s.words * sizeof(uint64_t))
    return pairs


cdef bint bipartite_augment(int left, int right, int words, const uint64_t* rows, const uint64_t* alive_left,
                            const uint64_t* alive_right, int32_t* mate_left, int32_t* mate_right, int root,
                            void* work) noexcept nogil:
    cdef Sides s
    if alive_left != NULL and not test_bit(alive_left, root):
        return False
    if _lay_out_sides(&s, left, right, words, rows, alive_right, mate_left, mate_right, work) == 0:
        return False
    return _search_sides(&s, root)
