"""Procedure E of the Swedish half-splitting (`nordic` 2.6): see `_halves.pxd` for the contract.

Let h be half of the group. 2.6 c-e ask for the first complete assignment of the upper to the lower half; 2.6 f-g exchange the k weakest
of the upper half with k players of the lower half, for the smallest k and then the first k-subset that have an assignment.

The depth-first search of c-e ends nearly every case. What is left is decided by matchings. Call the h - k players who stay in the
upper half T, the k who leave it W, and the old lower half L. Some k-subset of L has an assignment exactly if the graph of
unmet pairs without the edges T-T and W-W has a perfect matching: such a matching has as many T-W pairs as L-L pairs, and the partners
of W in L with one player of each L-L pair are k players who can join T. Whoever is decided to be in the subset behaves like T, whoever is
decided not to be in it like W, so the first subset takes one test for each lower player at most.

From k to k + 1 one player goes from T to W. That changes the number of players left over by a maximum matching by 2 at most: the matching
is mended, not made anew, and every k that cannot yet come down to none left over is skipped.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._matching.cardinality cimport augment, matching_bytes, maximum_matching
from swisssim._search cimport first_assignment
from swisssim._state cimport CANCELLED, NO_MEMORY, NO_PAIRING, PAIRED, Mark, State

cdef enum:
    GAVE_UP = -1            # the optimistic search has used up its steps
    STEPS_PER_PLAYER = 16   # steps of the optimistic search for each upper player: matchings are cheaper than longer searches


# The unmet pairs of one group. Vertices are places in the group's order: 0..h-1 upper half, h..m-1 lower half.
cdef struct Graph:
    int m
    int h
    int words
    uint64_t* full          # every unmet pair
    uint64_t* rows          # without T-T and W-W
    uint64_t* kept          # T and, later, the exchanged lower players
    uint64_t* leaving       # W and, later, the lower players who stay
    uint64_t* removed       # one row
    int32_t* mate
    void* work


cdef bint prepare_halves(State s, Halves* halves, int m) noexcept nogil:
    cdef int h = m // 2
    halves.link = <int32_t*>s.scratch(<size_t>(h + 1) * sizeof(int32_t))
    halves.choice = <int32_t*>s.scratch(<size_t>(h + 1) * sizeof(int32_t))
    halves.before = <int32_t*>s.scratch(<size_t>(h + 1) * sizeof(int32_t))
    return halves.link != NULL and halves.choice != NULL and halves.before != NULL


cdef int pair_halves(State s, Halves* halves, const int32_t* group, int m, int32_t* upper, int32_t* lower) noexcept nogil:
    cdef int status = GAVE_UP
    cdef Mark mark
    halves.deficiency = 2
    if s.node_budget > 0:
        status = optimistic(s, halves, group, m // 2, upper, lower)
    if status == PAIRED or (status == NO_PAIRING and m == 2):
        return status
    mark = s.mark()
    status = guided(s, halves, group, m, upper, lower)
    s.release(mark)
    return status


# ------------------------------------------------------------------------------------------------------------- optimistic, 2.6 c-e

cdef int optimistic(State s, Halves* halves, const int32_t* group, int h, int32_t* upper, int32_t* lower) noexcept nogil:
    """Depth-first search without exchanges: PAIRED, NO_PAIRING, or GAVE_UP when the steps are used up."""
    cdef int32_t* link = halves.link
    cdef const int32_t* below = group + h - 1       # link number j is lower player below[j]
    cdef long steps = min(s.node_budget, <long>h * STEPS_PER_PLAYER)
    cdef int u = 0, j, before = 0
    for j in range(h):
        link[j] = j + 1
    link[h] = 0
    while u < h:
        j = link[before]
        while j and not unmet(s, group[u], below[j]):
            before = j
            j = link[j]
            steps -= 1
        if j:
            link[before] = link[j]
            halves.choice[u] = j
            halves.before[u] = before
            u += 1
            before = 0
        elif u == 0:
            return NO_PAIRING
        else:
            u -= 1
            before = halves.choice[u]
            link[halves.before[u]] = before
        steps -= 1
        if steps < 0 and u < h:
            return GAVE_UP
    for u in range(h):
        upper[u] = group[u]
        lower[u] = below[halves.choice[u]]
    return PAIRED


# ---------------------------------------------------------------------------------------------------------- guided by matchings, 2.6 f-g

cdef int guided(State s, Halves* halves, const int32_t* group, int m, int32_t* upper, int32_t* lower) noexcept nogil:
    """Find the smallest number of exchanges, the first subset and its first assignment, without ever undoing a choice."""
    cdef Graph g
    cdef int k = 0, pairs, status
    if not draw_graph(s, &g, group, m):
        return NO_MEMORY
    pairs = maximum_matching(m, g.words, g.full, NULL, g.mate, g.work, s.cancel)
    if pairs < 0:
        return CANCELLED
    halves.deficiency = m - 2 * pairs
    if halves.deficiency > 0:
        return NO_PAIRING
    split(&g)
    status = count_exchanges(s, &g, &k)
    if status == PAIRED and k > 0:
        status = choose_exchanged(s, &g, k)
    if status == PAIRED:
        status = assign(s, &g, group, upper, lower)
    return status


cdef bint draw_graph(State s, Graph* g, const int32_t* group, int m) noexcept nogil:
    """Make the graph of the unmet pairs of a group, with an empty matching; return False if there is no memory."""
    cdef int i, j
    cdef size_t bytes
    g.m = m
    g.h = m // 2
    g.words = (m + 63) // 64
    bytes = <size_t>g.words * sizeof(uint64_t)
    g.full = <uint64_t*>s.scratch(m * bytes)
    g.rows = <uint64_t*>s.scratch(m * bytes)
    g.kept = <uint64_t*>s.scratch(bytes)
    g.leaving = <uint64_t*>s.scratch(bytes)
    g.removed = <uint64_t*>s.scratch(bytes)
    g.mate = <int32_t*>s.scratch(<size_t>m * sizeof(int32_t))
    g.work = s.scratch(matching_bytes(m))
    if (g.full == NULL or g.rows == NULL or g.kept == NULL or g.leaving == NULL or g.removed == NULL or g.mate == NULL
            or g.work == NULL):
        return False
    memset(g.full, 0, m * bytes)
    for i in range(m):
        g.mate[i] = -1
        for j in range(i):
            if unmet(s, group[i], group[j]):
                set_bit(g.full + <size_t>i * g.words, j)
                set_bit(g.full + <size_t>j * g.words, i)
    return True


cdef inline uint64_t* edges(Graph* g, int i) noexcept nogil:
    return g.rows + <size_t>i * g.words


cdef inline void part(Graph* g, int i) noexcept nogil:
    """Take the pair of i out of the matching."""
    g.mate[g.mate[i]] = -1
    g.mate[i] = -1


cdef void split(Graph* g) noexcept nogil:
    """Start with k = 0: the upper half is T, W is empty."""
    cdef int i, w
    cdef size_t bytes = <size_t>g.words * sizeof(uint64_t)
    memcpy(g.rows, g.full, g.m * bytes)
    memset(g.kept, 0, bytes)
    memset(g.leaving, 0, bytes)
    for i in range(g.h):
        set_bit(g.kept, i)
    for i in range(g.h):
        for w in range(g.words):
            edges(g, i)[w] &= ~g.kept[w]
        if 0 <= g.mate[i] < g.h:
            part(g, i)


cdef void let_go(Graph* g, int i) noexcept nogil:
    """Move the vertex i from T to W."""
    cdef const uint64_t* every = g.full + <size_t>i * g.words
    cdef int j, w
    clear_bit(g.kept, i)
    for w in range(g.words):
        edges(g, i)[w] = every[w] & ~g.leaving[w]
    for j in range(i):
        if test_bit(every, j):
            set_bit(edges(g, j), i)
    for j in range(i + 1, g.h):
        clear_bit(edges(g, j), i)
    if g.mate[i] >= 0 and test_bit(g.leaving, g.mate[i]):
        part(g, i)
    set_bit(g.leaving, i)


cdef int count_exchanges(State s, Graph* g, int* k) noexcept nogil:
    """Find the smallest k for which some k-subset has an assignment; leave the graph, perfectly matched, there."""
    cdef int pairs, missing, step
    while True:
        pairs = maximum_matching(g.m, g.words, g.rows, NULL, g.mate, g.work, s.cancel)
        if pairs < 0 or s.cancel[0]:
            return CANCELLED
        missing = g.m - 2 * pairs
        if missing == 0:
            return PAIRED
        for step in range(missing // 2):
            if k[0] == g.h:
                return NO_PAIRING
            k[0] += 1
            let_go(g, g.h - k[0])


cdef void cut(Graph* g, int i, const uint64_t* others) noexcept nogil:
    """Remove the edges between i and a set of vertices; they are kept in `removed`."""
    cdef int w
    cdef uint64_t x
    for w in range(g.words):
        x = edges(g, i)[w] & others[w]
        edges(g, i)[w] &= ~x
        g.removed[w] = x
        while x:
            clear_bit(edges(g, 64 * w + lowest(x)), i)
            x &= x - 1


cdef void mend(Graph* g, int i) noexcept nogil:
    """Put back the edges of i that `cut` has just removed."""
    cdef int w
    cdef uint64_t x
    for w in range(g.words):
        x = g.removed[w]
        edges(g, i)[w] |= x
        while x:
            set_bit(edges(g, 64 * w + lowest(x)), i)
            x &= x - 1


cdef int choose_exchanged(State s, Graph* g, int k) noexcept nogil:
    """Decide the first k-subset of the lower half that has an assignment; its members join `kept`."""
    cdef int i = g.h, partner
    while k > 0:
        if s.cancel[0]:
            return CANCELLED
        partner = g.mate[i]
        cut(g, i, g.kept)
        if test_bit(g.kept, partner):
            part(g, i)
        if g.mate[i] >= 0 or augment(g.m, g.words, g.rows, NULL, g.mate, i, g.work):
            set_bit(g.kept, i)
            k -= 1
        else:
            # He stays, and the matching fits: his partner is in T, and only edges to W are lost.
            g.mate[i] = partner
            g.mate[partner] = i
            mend(g, i)
            cut(g, i, g.leaving)
            set_bit(g.leaving, i)
        i += 1
    return PAIRED


cdef int assign(State s, Graph* g, const int32_t* group, int32_t* upper, int32_t* lower) noexcept nogil:
    """2.6 c-e on the halves as they stand: both in the order of the group."""
    cdef int words = (g.h + 63) // 64
    cdef int32_t* top = <int32_t*>s.scratch(<size_t>g.h * sizeof(int32_t))
    cdef int32_t* bottom = <int32_t*>s.scratch(<size_t>g.h * sizeof(int32_t))
    cdef int32_t* partner = <int32_t*>s.scratch(<size_t>g.h * sizeof(int32_t))
    cdef uint64_t* rows = <uint64_t*>s.scratch(<size_t>g.h * words * sizeof(uint64_t))
    cdef int i, j, tops = 0, bottoms = 0, status
    if top == NULL or bottom == NULL or partner == NULL or rows == NULL:
        return NO_MEMORY
    for i in range(g.m):
        if test_bit(g.kept, i):
            top[tops] = i
            tops += 1
        else:
            bottom[bottoms] = i
            bottoms += 1
    memset(rows, 0, <size_t>g.h * words * sizeof(uint64_t))
    for i in range(g.h):
        for j in range(g.h):
            if test_bit(g.full + <size_t>top[i] * g.words, bottom[j]):
                set_bit(rows + <size_t>i * words, j)
    status = first_assignment(s, g.h, rows, partner)
    if status == PAIRED:
        for i in range(g.h):
            upper[i] = group[top[i]]
            lower[i] = group[bottom[partner[i]]]
    return status
