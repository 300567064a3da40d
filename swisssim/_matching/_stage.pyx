"""One search of the primal-dual method for maximum-weight matching (J. Edmonds 1965), in O(n^2) number operations.

A tree of tight edges grows from one exposed vertex. Time passes: duals of outer vertices fall, those of inner ones rise, and four things
can happen next: an outer dual reaches 0 (the search ends there), an edge to a free vertex gets tight (the tree grows, or the search
ends in an augmentation), an edge between two outer nodes gets tight (a blossom is contracted), the dual of an inner blossom reaches 0
(it is taken apart). For each vertex outside the tree the earliest edge from the tree is kept, and for each outer node a row with its
earliest edge to every outer vertex elsewhere; rows are merged when blossoms are contracted, so no edge is looked at twice.

As there is one tree only, all outer duals have the same parity, the slack between two of them is even, and half of it is whole.
"""

from libc.stdint cimport int16_t, int64_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, lowest, set_bit
from swisssim._matching._wide cimport (
    wide_add, wide_clear, wide_copy, wide_equal, wide_halve, wide_less, wide_positive, wide_subtract,
)
from swisssim._matching.weighted cimport WEIGHTED_WORDS, Weighted

cdef enum Event:
    LIFT = 0        # an outer dual is 0: that vertex may be exposed
    REACH = 1       # an edge to a free vertex is tight
    CLOSE = 2       # an edge between two outer nodes is tight
    OPEN = 3        # the dual of an inner blossom is 0

# First word of a time that never comes.
cdef uint64_t NEVER = (<uint64_t>1) << 62


# ---- the structure of blossoms

cdef int child_around(const Weighted* g, int b, int v) noexcept nogil:
    while g.parent[v] != b:
        v = g.parent[v]
    return v


cdef inline void _push(Weighted* g, int* depth, int b, int v) noexcept nogil:
    g.stack[2 * depth[0]] = b
    g.stack[2 * depth[0] + 1] = v
    depth[0] += 1


cdef void _turn(Weighted* g, int b, int c, int* depth) noexcept nogil:
    """Match the children of b in pairs so that c is left over; children whose base changes by that go on the stack."""
    cdef int x = g.first[b], y, end = c, steps = 0
    while x != c:
        x = g.next[x]
        steps += 1
    x = g.first[b]
    if steps & 1:
        x, end = g.next[c], g.next[x]
    while x != end:
        y = g.next[x]
        g.mate[g.here[x]], g.mate[g.there[x]] = g.there[x], g.here[x]
        _push(g, depth, x, g.here[x])
        _push(g, depth, y, g.there[x])
        x = g.next[y]


cdef void rebase(Weighted* g, int b, int v) noexcept nogil:
    cdef int depth = 0, c
    _push(g, &depth, b, v)
    while depth:
        depth -= 1
        b, v = g.stack[2 * depth], g.stack[2 * depth + 1]
        if b < g.n or g.base[b] == v:
            continue
        c = child_around(g, b, v)
        _turn(g, b, c, &depth)
        g.base[b], g.first[b] = v, c
        _push(g, &depth, c, v)


cdef void dissolve(Weighted* g, int b) noexcept nogil:
    cdef int c = g.first[b], v, end
    while g.parent[c] == b:
        g.parent[c] = -1
        v, end = g.head[c], g.follow[g.tail[c]]
        while v != end:
            g.top[v] = c
            v = g.follow[v]
        c = g.next[c]
    g.head[b] = -1
    g.spare[g.spares] = b
    g.spares += 1


# ---- edges from the tree

cdef inline int16_t* _links(Weighted* g, int slot) noexcept nogil:
    return g.link + <size_t>slot * g.n


cdef inline uint64_t* _at(uint64_t* numbers, int i, int words) noexcept nogil:
    return numbers + <size_t>i * words


cdef inline bint _sooner(const Weighted* g, int v, int i, int j, int words) noexcept nogil:
    """Tell whether the edge i-v gets tight before j-v, all three vertices being outer."""
    cdef uint64_t[WEIGHTED_WORDS] a, b
    wide_subtract(a, _at(g.dual, i, words), edge(g, i, v), words)
    wide_subtract(b, _at(g.dual, j, words), edge(g, j, v), words)
    return wide_less(a, b, words)


cdef inline int64_t _roughly(const Weighted* g, int i, int v, int words) noexcept nogil:
    """Return the first word of dual + dual - doubled weight for the edge i-v without what is carried: wrong by 1 at most."""
    return <int64_t>(_at(g.dual, i, words)[0] + _at(g.dual, v, words)[0] - edge(g, i, v)[0])


cdef inline void _find_slack(uint64_t* out, const Weighted* g, int i, int v, int words) noexcept nogil:
    wide_add(out, _at(g.dual, i, words), _at(g.dual, v, words), words)
    wide_subtract(out, out, edge(g, i, v), words)


cdef inline void _offer_meeting(Weighted* g, int slot, int i, int v, int words) noexcept nogil:
    """Keep the edge i-v between outer vertices, i in the node of the slot, if no other edge of the node gets tight as early."""
    cdef uint64_t[WEIGHTED_WORDS] time
    cdef uint64_t* best = _at(g.meet, slot, words)
    cdef bint empty = g.meet_here[slot] < 0
    if words > 2 and not empty and _roughly(g, i, v, words) - 2 * <int64_t>best[0] > 3:
        return
    _find_slack(time, g, i, v, words)
    wide_halve(time, time, words)
    if empty or wide_less(time, best, words):
        wide_copy(best, time, words)
        g.meet_here[slot], g.meet_there[slot] = i, v


cdef inline void _offer_reach(Weighted* g, int i, int v, int words) noexcept nogil:
    """Keep the edge from the outer vertex i to v outside the tree (or inner), if no other gets tight as early."""
    cdef uint64_t[WEIGHTED_WORDS] time
    cdef uint64_t* best = _at(g.reach, v, words)
    if words > 2 and _roughly(g, i, v, words) - <int64_t>best[0] > 1:
        return
    _find_slack(time, g, i, v, words)
    if wide_less(time, best, words):
        wide_copy(best, time, words)
        g.near[v] = i


cdef inline void _scan_words(Weighted* g, int i, int words) noexcept nogil:
    """Look at all edges of the new outer vertex i."""
    cdef int top = g.top[i], slot = g.slot[top], w, v
    cdef int16_t* links = _links(g, slot)
    cdef const uint64_t* row = g.adjacent + <size_t>i * g.set_words
    cdef uint64_t x
    for w in range(g.set_words):
        x = row[w] & ~g.outer[w]
        while x:
            v = (w << 6) + lowest(x)
            x &= x - 1
            _offer_reach(g, i, v, words)
        x = row[w] & g.outer[w]
        while x:
            v = (w << 6) + lowest(x)
            x &= x - 1
            if g.top[v] == top:
                continue
            if links[v] < 0 or _sooner(g, v, i, links[v], words):
                links[v] = <int16_t>i
            _offer_meeting(g, slot, i, v, words)


cdef void _scan(Weighted* g, int i) noexcept nogil:
    if g.words == 1:
        _scan_words(g, i, 1)
    elif g.words == 2:
        _scan_words(g, i, 2)
    elif g.words == 3:
        _scan_words(g, i, 3)
    elif g.words == 4:
        _scan_words(g, i, 4)
    else:
        _scan_words(g, i, g.words)


cdef void _scan_node(Weighted* g, int b) noexcept nogil:
    cdef int v = g.head[b], end = g.follow[g.tail[b]]
    while v != end:
        _scan(g, v)
        v = g.follow[v]


cdef void _merge_slots(Weighted* g, int b, int slot) noexcept nogil:
    """Put the row of another slot into that of the new blossom b, and close that slot."""
    cdef int16_t* links = _links(g, g.slot[b])
    cdef int16_t* others = _links(g, slot)
    cdef int v, k = 0
    for v in range(g.n):
        if others[v] >= 0 and g.top[v] != b and (links[v] < 0 or _sooner(g, v, others[v], links[v], g.words)):
            links[v] = others[v]
    while g.slots[k] != slot:
        k += 1
    g.slot_count -= 1
    g.slots[k] = g.slots[g.slot_count]


cdef void _find_meeting(Weighted* g, int b) noexcept nogil:
    """Find the earliest edge from the new blossom b to an outer node afresh, from its row."""
    cdef int slot = g.slot[b], v
    cdef int16_t* links = _links(g, slot)
    g.meet_here[slot] = -1
    for v in range(g.n):
        if links[v] >= 0 and g.top[v] != b:
            _offer_meeting(g, slot, links[v], v, g.words)


# ---- labels

cdef inline void _make_outer(Weighted* g, int v) noexcept nogil:
    set_bit(g.outer, v)
    if g.lowest < 0 or wide_less(dual_of(g, v), dual_of(g, g.lowest), g.words):
        g.lowest = v


cdef void _open_slot(Weighted* g, int b) noexcept nogil:
    """Make b, whose vertices are outer, an outer node with an empty row."""
    cdef int slot = g.base[b]
    g.label[b] = OUTER
    g.slot[b] = slot
    memset(_links(g, slot), 0xFF, g.n * sizeof(int16_t))
    g.meet_here[slot] = -1
    g.slots[g.slot_count] = slot
    g.slot_count += 1
    if b >= g.n:
        wide_subtract(z_of(g, b), z_of(g, b), g.delta, g.words)


cdef void _label_outer(Weighted* g, int b) noexcept nogil:
    """Make the free top node b outer and look at its edges."""
    cdef int v = g.head[b], end = g.follow[g.tail[b]]
    while v != end:
        wide_add(dual_of(g, v), dual_of(g, v), g.delta, g.words)
        clear_bit(g.free_, v)
        _make_outer(g, v)
        v = g.follow[v]
    _open_slot(g, b)
    _scan_node(g, b)


cdef void _enlist_inner(Weighted* g, int b, int outside, int inside) noexcept nogil:
    g.label[b] = INNER
    g.from_[b], g.to[b] = outside, inside
    if b >= g.n:
        wide_add(z_of(g, b), z_of(g, b), g.delta, g.words)
        g.inner[g.inners] = b
        g.inners += 1


cdef void _label_inner(Weighted* g, int b, int outside, int inside) noexcept nogil:
    """Make the free top node b inner, reached by the edge outside-inside."""
    cdef int v = g.head[b], end = g.follow[g.tail[b]]
    while v != end:
        wide_subtract(dual_of(g, v), dual_of(g, v), g.delta, g.words)
        wide_subtract(_at(g.reach, v, g.words), _at(g.reach, v, g.words), g.delta, g.words)
        clear_bit(g.free_, v)
        v = g.follow[v]
    _enlist_inner(g, b, outside, inside)


cdef void _strike_inner(Weighted* g, int b) noexcept nogil:
    """Take b from the list of inner blossoms; its dual becomes what it is now."""
    cdef int k = 0
    while g.inner[k] != b:
        k += 1
    g.inners -= 1
    g.inner[k] = g.inner[g.inners]
    wide_subtract(z_of(g, b), z_of(g, b), g.delta, g.words)


cdef void _turn_outer(Weighted* g, int b) noexcept nogil:
    """Make the vertices of the inner node b outer ones."""
    cdef int v = g.head[b], end = g.follow[g.tail[b]]
    while v != end:
        wide_add(dual_of(g, v), dual_of(g, v), g.delta, g.words)
        wide_add(dual_of(g, v), dual_of(g, v), g.delta, g.words)
        _make_outer(g, v)
        v = g.follow[v]


# ---- contraction

cdef inline int _above(Weighted* g, int b) noexcept nogil:
    """Return the outer node next to the outer node b towards the root, -1 from the root's own."""
    cdef int m = g.mate[g.base[b]]
    return -1 if m < 0 else g.top[g.from_[g.top[m]]]


cdef int _meeting(Weighted* g, int a, int b) noexcept nogil:
    """Return the node where the ways of two outer nodes to the root meet."""
    g.stamp += 1
    while True:
        if a >= 0:
            if g.mark[a] == g.stamp:
                return a
            g.mark[a] = g.stamp
            a = _above(g, a)
        a, b = b, a


cdef inline void _chain(Weighted* g, int a, int here, int there, int b) noexcept nogil:
    """Let b follow a around a blossom, joined by the edge here-there."""
    g.next[a], g.here[a], g.there[a] = b, here, there


cdef void _make_cycle(Weighted* g, int i, int j, int end) noexcept nogil:
    """Chain the nodes from `end` down to that of i, over the edge i-j, and from j up to `end` again."""
    cdef int x = g.top[i], m, t, y
    _chain(g, x, i, j, g.top[j])
    while x != end:
        m = g.mate[g.base[x]]
        t = g.top[m]
        y = g.top[g.from_[t]]
        _chain(g, t, m, g.base[x], x)
        _chain(g, y, g.from_[t], g.to[t], t)
        x = y
    x = g.top[j]
    while x != end:
        m = g.mate[g.base[x]]
        t = g.top[m]
        y = g.top[g.from_[t]]
        _chain(g, x, g.base[x], m, t)
        _chain(g, t, g.to[t], g.from_[t], y)
        x = y


cdef int _enclose(Weighted* g, int first) noexcept nogil:
    """Make the cycle of top nodes that begins with `first` a new blossom without dual and return its number."""
    cdef int b, c = first, v
    g.spares -= 1
    b = g.spare[g.spares]
    g.parent[b] = -1
    g.first[b], g.base[b], g.head[b] = first, g.base[first], g.head[first]
    while g.parent[c] < 0:
        g.parent[c] = b
        g.tail[b] = g.tail[c]
        c = g.next[c]
        g.follow[g.tail[b]] = g.head[c]
    g.follow[g.tail[b]] = -1
    v = g.head[b]
    while v >= 0:
        g.top[v] = b
        v = g.follow[v]
    wide_clear(z_of(g, b), g.words)
    return b


cdef void _contract(Weighted* g, int i, int j) noexcept nogil:
    """Contract the blossom that the tight edge i-j between two outer nodes closes."""
    cdef int first = _meeting(g, g.top[i], g.top[j]), b, c
    _make_cycle(g, i, j, first)
    b = _enclose(g, first)
    g.label[b] = OUTER
    g.slot[b] = g.slot[first]
    wide_subtract(z_of(g, b), z_of(g, b), g.delta, g.words)
    c = first
    while True:
        if g.label[c] == INNER:
            _turn_outer(g, c)
            if c >= g.n:
                _strike_inner(g, c)
        else:
            if c >= g.n:
                wide_add(z_of(g, c), z_of(g, c), g.delta, g.words)
            if c != first:
                _merge_slots(g, b, g.slot[c])
        c = g.next[c]
        if c == first:
            break
    _find_meeting(g, b)
    while True:
        if g.label[c] == INNER:
            _scan_node(g, c)
        g.label[c] = FREE
        c = g.next[c]
        if c == first:
            return


# ---- the opposite

cdef void _release(Weighted* g, int b) noexcept nogil:
    """Let the former child b of an inner blossom be free."""
    cdef int v = g.head[b], end = g.follow[g.tail[b]]
    g.label[b] = FREE
    while v != end:
        wide_add(dual_of(g, v), dual_of(g, v), g.delta, g.words)
        wide_add(_at(g.reach, v, g.words), _at(g.reach, v, g.words), g.delta, g.words)
        set_bit(g.free_, v)
        v = g.follow[v]


cdef void _relabel_way(Weighted* g, int c, int end) noexcept nogil:
    """Walk on from c, already inner, along the cycle to `end`: every second child gets outer, the others inner."""
    cdef int s, t
    while c != end:
        s = g.next[c]
        t = g.next[s]
        _turn_outer(g, s)
        _open_slot(g, s)
        _enlist_inner(g, t, g.here[s], g.there[s])
        c = t


cdef void _relabel_way_back(Weighted* g, int c, int end) noexcept nogil:
    """The same for a way that leads against the cycle, walked from its far end c."""
    cdef int s, t
    while c != end:
        s = g.next[c]
        t = g.next[s]
        _enlist_inner(g, c, g.there[c], g.here[c])
        _turn_outer(g, s)
        _open_slot(g, s)
        c = t


cdef void _take_apart(Weighted* g, int b) noexcept nogil:
    """Put the children of the inner blossom b, whose dual is 0, in its place.

    From the child where the tree enters to the one with the base, the tree follows the cycle the way that has an even number of edges.
    The others are free.
    """
    cdef int outside = g.from_[b], inside = g.to[b], first = g.first[b], entry = child_around(g, b, inside)
    cdef int c = entry, steps = 0
    _strike_inner(g, b)
    dissolve(g, b)
    g.label[b] = FREE
    while c != first:
        c = g.next[c]
        steps += 1
    if steps & 1:
        _relabel_way_back(g, first, entry)
        c = g.next[entry]
    else:
        _relabel_way(g, entry, first)
        c = g.next[first]
    _enlist_inner(g, entry, outside, inside)
    while c != (first if steps & 1 else entry):
        _release(g, c)
        c = g.next[c]
    c = g.next[entry]
    while c != entry:
        if g.label[c] == OUTER:
            _scan_node(g, c)
        c = g.next[c]


# ---- the search

cdef inline int _next_event_words(Weighted* g, int* which, int words) noexcept nogil:
    """Find what happens next, and let the time pass until then."""
    cdef const uint64_t* best = _at(g.dual, g.lowest, words)
    cdef const uint64_t* time
    cdef int event = LIFT, w, v, k
    cdef uint64_t x
    which[0] = g.lowest
    for w in range(g.set_words):
        x = g.free_[w]
        while x:
            v = (w << 6) + lowest(x)
            x &= x - 1
            time = _at(g.reach, v, words)
            if wide_less(time, best, words) or (event == REACH and g.mate[v] < 0 and wide_equal(time, best, words)):
                best, event, which[0] = time, REACH, v
    for k in range(g.slot_count):
        time = _at(g.meet, g.slots[k], words)
        if g.meet_here[g.slots[k]] >= 0 and wide_less(time, best, words):
            best, event, which[0] = time, CLOSE, g.slots[k]
    for k in range(g.inners):
        time = _at(g.z, g.inner[k] - g.n, words)
        if wide_less(time, best, words):
            best, event, which[0] = time, OPEN, g.inner[k]
    wide_copy(g.delta, best, words)
    return event


cdef int _next_event(Weighted* g, int* which) noexcept nogil:
    if g.words == 1:
        return _next_event_words(g, which, 1)
    if g.words == 2:
        return _next_event_words(g, which, 2)
    return _next_event_words(g, which, g.words)


cdef void _flip(Weighted* g, int s, int partner) noexcept nogil:
    """Match the outer vertex s with `partner` (-1: expose it) and swap the edges of the way to the root."""
    cdef int b, m, t
    while True:
        b = g.top[s]
        m = g.mate[g.base[b]]
        rebase(g, b, s)
        g.mate[s] = partner
        if m < 0:
            return
        t = g.top[m]
        partner, s = g.to[t], g.from_[t]
        rebase(g, t, partner)
        g.mate[partner] = s


cdef bint _cross(Weighted* g, int v) noexcept nogil:
    """Follow the tight edge to the free vertex v: augment if its node is exposed and return True, else grow the tree."""
    cdef int b = g.top[v], base = g.base[b]
    if g.mate[base] >= 0:
        _label_inner(g, b, g.near[v], v)
        _label_outer(g, g.top[g.mate[base]])
        return False
    rebase(g, b, v)
    _flip(g, g.near[v], v)
    g.mate[v] = g.near[v]
    return True


cdef void _begin(Weighted* g) noexcept nogil:
    cdef int v
    wide_clear(g.delta, g.words)
    g.lowest, g.slot_count, g.inners = -1, 0, 0
    memset(g.outer, 0, g.set_words * sizeof(uint64_t))
    memset(g.free_, 0, g.set_words * sizeof(uint64_t))
    for v in range(g.n):
        set_bit(g.free_, v)
        _at(g.reach, v, g.words)[0] = NEVER


cdef void _settle_node(Weighted* g, int b) noexcept nogil:
    """Write down the duals of a top node as they are at the end of the search, and take the label away."""
    cdef int v = g.head[b], end = g.follow[g.tail[b]]
    if g.label[b] == OUTER:
        while v != end:
            wide_subtract(dual_of(g, v), dual_of(g, v), g.delta, g.words)
            v = g.follow[v]
        if b >= g.n:
            wide_add(z_of(g, b), z_of(g, b), g.delta, g.words)
    elif g.label[b] == INNER:
        while v != end:
            wide_add(dual_of(g, v), dual_of(g, v), g.delta, g.words)
            v = g.follow[v]
        if b >= g.n:
            wide_subtract(z_of(g, b), z_of(g, b), g.delta, g.words)
    g.label[b] = FREE


cdef void _finish(Weighted* g) noexcept nogil:
    """Write down all duals, and dissolve the top blossoms that have none."""
    cdef int b, c, depth = 0
    for b in range(g.nodes):
        if g.head[b] < 0 or g.parent[b] >= 0:
            continue
        _settle_node(g, b)
        if b >= g.n:
            _push(g, &depth, b, -1)
    while depth:
        depth -= 1
        b = g.stack[2 * depth]
        if wide_positive(z_of(g, b), g.words):
            continue
        c = g.first[b]
        dissolve(g, b)
        while True:
            if c >= g.n:
                _push(g, &depth, c, -1)
            c = g.next[c]
            if c == g.first[b]:
                break


cdef void search(Weighted* g, int root) noexcept nogil:
    cdef int event, which = -1
    _begin(g)
    _label_outer(g, g.top[root])
    while True:
        event = _next_event(g, &which)
        if event == LIFT:
            _flip(g, which, -1)
            break
        if event == REACH and _cross(g, which):
            break
        if event == CLOSE:
            _contract(g, g.meet_here[which], g.meet_there[which])
        elif event == OPEN:
            _take_apart(g, which)
    _finish(g)
