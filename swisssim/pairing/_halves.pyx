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

Players who are moved up (2.7, 2.8) stand at the end of the lower half. Whoever they are, they are added to the same graphs, one for each
k: one player helps if an alternating path leads from the one left over to him, and of two the second helps if such a path leads
to him once the first has been matched. So all candidates for a given k take one search, all pairs one for each first candidate.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._matching.cardinality cimport augment, even_ends, matching_bytes, maximum_matching
from swisssim._search cimport first_assignment
from swisssim._state cimport CANCELLED, NO_MEMORY, NO_PAIRING, PAIRED, Mark, State

cdef enum:
    GAVE_UP = -1            # the optimistic search has used up its steps
    STEPS_PER_PLAYER = 16   # steps of the optimistic search for each upper player: matchings are cheaper than longer searches


# The unmet pairs of one group. Vertices are places in the group's order, 0..h-1 being the upper half, then candidates for moving up.
cdef struct Graph:
    int m                   # players of the group
    int n                   # and with candidates
    int h                   # half of the group as it is to be paired
    int k                   # players exchanged
    int words
    uint64_t* full          # every unmet pair, but for those of two candidates
    uint64_t* rows          # without T-T and W-W
    uint64_t* kept          # T and, later, the exchanged lower players
    uint64_t* leaving       # W and, later, the lower players who stay
    uint64_t* alive         # the group, and the candidates in hand
    uint64_t* spare         # one row, at times the removed edges or the ends of paths
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
    cdef int status
    if not draw_graph(s, &g, group, m, NULL, 0):
        return NO_MEMORY
    status = match(s, &g)
    if status < 0:
        return CANCELLED
    halves.deficiency = status
    if status > 0:
        return NO_PAIRING
    split(&g)
    status = next_exchange(s, &g, 0)
    if status == PAIRED and g.k > 0:
        status = choose_exchanged(s, &g, g.k)
    if status == PAIRED:
        status = assign(s, &g, group, upper, lower)
    return status


cdef bint draw_graph(State s, Graph* g, const int32_t* group, int m, const int32_t* candidates, int count) noexcept nogil:
    """Make the graph of the unmet pairs of a group and candidates, with an empty matching; return False if there is no memory."""
    cdef int i, j, other
    cdef size_t bytes
    g.m = m
    g.n = m + count
    g.h = m // 2
    g.k = 0
    g.words = (g.n + 63) // 64
    bytes = <size_t>g.words * sizeof(uint64_t)
    g.full = <uint64_t*>s.scratch(g.n * bytes)
    g.rows = <uint64_t*>s.scratch(g.n * bytes)
    g.kept = <uint64_t*>s.scratch(bytes)
    g.leaving = <uint64_t*>s.scratch(bytes)
    g.alive = <uint64_t*>s.scratch(bytes)
    g.spare = <uint64_t*>s.scratch(bytes)
    g.mate = <int32_t*>s.scratch(<size_t>g.n * sizeof(int32_t))
    g.work = s.scratch(matching_bytes(g.n))
    if (g.full == NULL or g.rows == NULL or g.kept == NULL or g.leaving == NULL or g.alive == NULL or g.spare == NULL
            or g.mate == NULL or g.work == NULL):
        return False
    memset(g.full, 0, g.n * bytes)
    memset(g.alive, 0, bytes)
    for i in range(g.n):
        g.mate[i] = -1
        other = group[i] if i < m else candidates[i - m]
        for j in range(min(i, m)):
            if unmet(s, other, group[j]):
                set_bit(g.full + <size_t>i * g.words, j)
                set_bit(g.full + <size_t>j * g.words, i)
    for i in range(m):
        set_bit(g.alive, i)
    memcpy(g.rows, g.full, g.n * bytes)
    return True


cdef int match(State s, Graph* g) noexcept nogil:
    """Make the matching of the group a maximum one; return how many players it leaves over, or -1 if cancelled."""
    cdef int pairs = maximum_matching(g.n, g.words, g.rows, g.alive, g.mate, g.work, s.cancel)
    return -1 if pairs < 0 or s.cancel[0] else g.m - 2 * pairs


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
    memset(g.kept, 0, bytes)
    memset(g.leaving, 0, bytes)
    for i in range(g.h):
        set_bit(g.kept, i)
    for i in range(g.h):
        for w in range(g.words):
            edges(g, i)[w] &= ~g.kept[w]
        if 0 <= g.mate[i] < g.h:
            part(g, i)


cdef void let_go(Graph* g) noexcept nogil:
    """Go from k to k + 1: the weakest vertex of T joins W."""
    cdef int i = g.h - 1 - g.k
    cdef const uint64_t* every = g.full + <size_t>i * g.words
    cdef int j, w
    g.k += 1
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


cdef int next_exchange(State s, Graph* g, int spared) noexcept nogil:
    """Go on, from the present k, to the first k where at most `spared` players of the group are left over."""
    cdef int missing, steps
    while True:
        missing = match(s, g)
        if missing < 0:
            return CANCELLED
        if missing <= spared:
            return PAIRED
        steps = (missing - spared + 1) // 2
        if g.k + steps > g.h:
            return NO_PAIRING
        while steps > 0:
            let_go(g)
            steps -= 1


cdef void cut(Graph* g, int i, const uint64_t* others) noexcept nogil:
    """Remove the edges between i and a set of vertices; they are kept in `spare`."""
    cdef int w
    cdef uint64_t x
    for w in range(g.words):
        x = edges(g, i)[w] & others[w]
        edges(g, i)[w] &= ~x
        g.spare[w] = x
        while x:
            clear_bit(edges(g, 64 * w + lowest(x)), i)
            x &= x - 1


cdef void mend(Graph* g, int i) noexcept nogil:
    """Put back the edges of i that `cut` has just removed."""
    cdef int w
    cdef uint64_t x
    for w in range(g.words):
        x = g.spare[w]
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
        if g.mate[i] >= 0 or augment(g.n, g.words, g.rows, g.alive, g.mate, i, g.work):
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


# --------------------------------------------------------------------------------------------------------- who makes procedure E possible

cdef int first_helpers(State s, const int32_t* group, int m, const int32_t* candidates, int count, int added,
                       int* chosen) noexcept nogil:
    cdef Mark mark = s.mark()
    cdef Graph g
    cdef int32_t* mate
    cdef int status
    chosen[0] = chosen[1] = count
    if not draw_graph(s, &g, group, m, candidates, count):
        status = NO_MEMORY
    else:
        mate = <int32_t*>s.scratch(<size_t>g.n * sizeof(int32_t))
        status = NO_MEMORY if mate == NULL else find_helpers(s, &g, candidates, added, mate, chosen)
    s.release(mark)
    if status == NO_PAIRING and chosen[0] < count:
        return PAIRED
    return status


cdef int find_helpers(State s, Graph* g, const int32_t* candidates, int added, int32_t* mate, int* chosen) noexcept nogil:
    """Go through every k and lower `chosen` to the first helpers; ends with NO_PAIRING when there is no further k, or CANCELLED."""
    cdef int status = match(s, g)
    if status < 0 or status > added:
        return CANCELLED if status < 0 else NO_PAIRING
    g.h = (g.m + added) // 2
    split(g)
    status = next_exchange(s, g, added)
    while status == PAIRED:
        if added == 1:
            lower_single(g, chosen)
        elif not lower_pair(s, g, candidates, mate, chosen):
            return CANCELLED
        if g.k == g.h or chosen[added - 1] == added - 1:
            return NO_PAIRING
        let_go(g)
        status = next_exchange(s, g, added)
    return status


cdef inline int left_over(Graph* g) noexcept nogil:
    """Return the first player of the group without a mate, or m."""
    cdef int i = 0
    while i < g.m and g.mate[i] >= 0:
        i += 1
    return i


cdef inline bint reaches(Graph* g, int c) noexcept nogil:
    """Tell whether candidate c has an edge to one of the ends of paths in `spare`."""
    cdef const uint64_t* row = g.full + <size_t>(g.m + c) * g.words
    cdef int w
    for w in range(g.words):
        if row[w] & g.spare[w]:
            return True
    return False


cdef void lower_single(Graph* g, int* chosen) noexcept nogil:
    """Look for a candidate before chosen[0] who completes the matching; one player is left over."""
    cdef int c
    even_ends(g.n, g.words, g.rows, g.alive, g.mate, left_over(g), g.spare, g.work)
    for c in range(chosen[0]):
        if reaches(g, c):
            chosen[0] = c
            return


cdef bint lower_pair(State s, Graph* g, const int32_t* candidates, int32_t* mate, int* chosen) noexcept nogil:
    """Look for two candidates before the chosen ones who complete the matching; none or two are left over. False if cancelled."""
    cdef int first, vertex, other, end
    cdef int count = g.n - g.m
    cdef bint whole = left_over(g) == g.m
    memcpy(mate, g.mate, <size_t>g.n * sizeof(int32_t))
    for first in range(min(chosen[0] + 1, count - 1)):
        if s.cancel[0]:
            return False
        vertex = g.m + first
        set_bit(g.alive, vertex)
        if whole or augment(g.n, g.words, g.rows, g.alive, g.mate, vertex, g.work):
            even_ends(g.n, g.words, g.rows, g.alive, g.mate, vertex if whole else left_over(g), g.spare, g.work)
            end = chosen[1] if first == chosen[0] else count
            for other in range(first + 1, end):
                if reaches(g, other) or (test_bit(g.spare, vertex) and unmet(s, candidates[first], candidates[other])):
                    chosen[0] = first
                    chosen[1] = other
                    break
            memcpy(g.mate, mate, <size_t>g.n * sizeof(int32_t))
        clear_bit(g.alive, vertex)
        if chosen[0] == first:
            break
    return True
