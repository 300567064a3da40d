"""First complete pairing in an order of trial: see `_search.pxd` for the contract.

Depth-first search gives the answer at once in nearly every round. When it needs more than its budget of nodes the guided search
starts anew: a candidate is accepted only if the positions left over still have a perfect matching, so nothing is ever undone.

Two facts keep the guided search cheap. A matching that already holds the candidate's pair needs no test, and otherwise one
augmenting path between the two mates left alone decides. And the first legal candidates, taken one after the other, belong to the
answer up to every point from which the rest can be paired; so only a short tail becomes a graph, longer only if it must.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, next_bit, set_bit, test_bit
from swisssim._matching.cardinality cimport (
    augment, bipartite_augment, bipartite_bytes, bipartite_matching, matching_bytes, maximum_matching,
)
from swisssim._state cimport (
    CANCELLED, CHOSEN, COLOUR, MET, NO_MEMORY, NO_PAIRING, PAIRED, REST, Mark, State, have_met, note,
)

cdef enum:
    GAVE_UP = -1        # the optimistic search has used up its nodes
    TAIL = 64           # positions of the first tail that the guided search tries
    GROWTH = 4          # the next tail is so many times longer
    PATIENCE = 1023     # nodes between two looks at the cancel flag (a mask of low bits)


# One search in hand. The tail is the graph of the positions that were open when it was built; its vertices are numbered from 0.
cdef struct Search:
    void* room
    legal_function legal
    next_function next
    int m
    int skip                # a position that takes no part, or -1
    int left                # open positions
    int made                # pairs made
    uint64_t* open
    int32_t* partner
    int32_t* sequence       # leaders in the order of their choice
    int32_t* cursor         # per leader of the sequence
    int article
    const int32_t* player
    int size                # of the tail
    int words
    int pairs               # in its matching
    int32_t* position       # of each vertex
    int32_t* vertex         # of each position
    uint64_t* rows
    uint64_t* alive
    int32_t* mate
    void* work


# ------------------------------------------------------------------------------------------------------------------ open positions

cdef bint start(State s, Search* h, void* room, int m, legal_function legal, next_function next) noexcept nogil:
    """Fill in a search of m open positions; return False if there is no memory."""
    memset(h, 0, sizeof(Search))
    h.room = room
    h.m = m
    h.legal = legal
    h.next = next
    h.skip = -1
    h.open = <uint64_t*>s.scratch(<size_t>(m // 64 + 1) * sizeof(uint64_t))
    h.partner = <int32_t*>s.scratch(<size_t>(m + 1) * sizeof(int32_t))
    h.sequence = <int32_t*>s.scratch(<size_t>(m // 2 + 1) * sizeof(int32_t))
    h.cursor = <int32_t*>s.scratch(<size_t>(m // 2 + 1) * sizeof(int32_t))
    if h.open == NULL or h.partner == NULL or h.sequence == NULL or h.cursor == NULL:
        return False
    reopen(h)
    return True


cdef void fill_bits(uint64_t* row, int n) noexcept nogil:
    """Set the bits 0..n-1 of a row that has room for n + 1 bits."""
    memset(row, 0xFF, <size_t>(n // 64) * sizeof(uint64_t))
    row[n // 64] = ((<uint64_t>1) << (n % 64)) - 1


cdef void reopen(Search* h) noexcept nogil:
    """Undo every pair."""
    fill_bits(h.open, h.m)
    h.left = h.m
    h.made = 0
    if h.skip >= 0:
        clear_bit(h.open, h.skip)
        h.left -= 1


cdef inline void take(Search* h, int leader, int candidate) noexcept nogil:
    clear_bit(h.open, leader)
    clear_bit(h.open, candidate)
    h.partner[leader] = candidate
    h.partner[candidate] = leader
    h.sequence[h.made] = leader
    h.made += 1
    h.left -= 2


cdef inline int untake(Search* h) noexcept nogil:
    """Undo the latest pair and return its leader."""
    cdef int leader
    h.made -= 1
    h.left += 2
    leader = h.sequence[h.made]
    set_bit(h.open, leader)
    set_bit(h.open, h.partner[leader])
    return leader


cdef int ascending(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """Candidates in ascending order, for the question whether there is a pairing at all."""
    cursor[0] = next_bit(open, (leader if cursor[0] < 0 else cursor[0]) + 1, m)
    return cursor[0]


cdef void tell(State s, Search* h, int leader, int candidate, int reason) noexcept nogil:
    """Write what became of a candidate to the trace; COLOUR stands for any pair that is not legal."""
    cdef int i = leader if h.player == NULL else h.player[leader]
    cdef int j = candidate if h.player == NULL else h.player[candidate]
    if reason == COLOUR and have_met(s, i, j):
        reason = MET
    note(s, h.article, i, j, reason)


# --------------------------------------------------------------------------------------------------------------- optimistic search

cdef int optimistic(State s, Search* h, long budget) noexcept nogil:
    """Depth-first search with chronological backtracking, or GAVE_UP after `budget` candidates."""
    cdef long nodes = 0
    cdef int j, leader = next_bit(h.open, 0, h.m)
    h.cursor[0] = -1
    while True:
        j = h.next(s, h.room, h.open, h.m, leader, &h.cursor[h.made])
        if j < 0:
            if h.made == 0:
                return NO_PAIRING
            leader = untake(h)
            continue
        nodes += 1
        if nodes > budget:
            return GAVE_UP
        if not nodes & PATIENCE and s.cancel[0]:
            return CANCELLED
        if not h.legal(s, h.room, leader, j):
            continue
        take(h, leader, j)
        if h.left == 0:
            return PAIRED
        leader = next_bit(h.open, leader + 1, h.m)
        h.cursor[h.made] = -1


# ------------------------------------------------------------------------------------------------------------------- guided search

cdef bint walk(State s, Search* h, int until, bint telling) noexcept nogil:
    """Let leaders take their first legal candidates until at most `until` positions are open; return False at a dead end."""
    cdef int j, leader = -1
    cdef int32_t cursor
    while h.left > until:
        leader = next_bit(h.open, leader + 1, h.m)
        cursor = -1
        while True:
            j = h.next(s, h.room, h.open, h.m, leader, &cursor)
            if j < 0:
                return False
            if h.legal(s, h.room, leader, j):
                break
            if telling:
                tell(s, h, leader, j, COLOUR)
        take(h, leader, j)
        if telling:
            tell(s, h, leader, j, CHOSEN)
    return True


cdef bint draw_tail(State s, Search* h) noexcept nogil:
    """Make the graph of the open positions, without a matching; return False if there is no memory."""
    cdef int a, b, n = h.left
    cdef int i = -1
    h.size = n
    h.words = n // 64 + 1
    h.position = <int32_t*>s.scratch(<size_t>(n + 1) * sizeof(int32_t))
    h.vertex = <int32_t*>s.scratch(<size_t>(h.m + 1) * sizeof(int32_t))
    h.mate = <int32_t*>s.scratch(<size_t>(n + 1) * sizeof(int32_t))
    h.alive = <uint64_t*>s.scratch(<size_t>h.words * sizeof(uint64_t))
    h.rows = <uint64_t*>s.scratch(<size_t>(n + 1) * h.words * sizeof(uint64_t))
    h.work = s.scratch(matching_bytes(n))
    if (h.position == NULL or h.vertex == NULL or h.mate == NULL or h.alive == NULL or h.rows == NULL or h.work == NULL):
        return False
    fill_bits(h.alive, n)
    memset(h.rows, 0, <size_t>n * h.words * sizeof(uint64_t))
    for a in range(n):
        i = next_bit(h.open, i + 1, h.m)
        h.position[a] = i
        h.vertex[i] = a
        h.mate[a] = -1
    for a in range(n):
        if s.cancel[0]:
            break
        for b in range(a + 1, n):
            if h.legal(s, h.room, h.position[a], h.position[b]):
                set_bit(h.rows + <size_t>a * h.words, b)
                set_bit(h.rows + <size_t>b * h.words, a)
    return True


cdef int match_tail(State s, Search* h) noexcept nogil:
    """Match the open positions as far as possible: PAIRED if nobody is left over."""
    if not draw_tail(s, h):
        return NO_MEMORY
    h.pairs = maximum_matching(h.size, h.words, h.rows, h.alive, h.mate, h.work, s.cancel)
    if h.pairs < 0 or s.cancel[0]:
        return CANCELLED
    return PAIRED if 2 * h.pairs == h.size else NO_PAIRING


cdef int settle(State s, Search* h) noexcept nogil:
    """Make first choices up to a tail that can be matched; NO_PAIRING if not even all positions can be."""
    cdef int status, until = TAIL
    cdef Mark mark = s.mark()
    while True:
        if until >= h.m // 2:
            until = h.m
        reopen(h)
        if walk(s, h, until, False):
            status = match_tail(s, h)
            if status == PAIRED and s.tracing and until < h.m:
                reopen(h)
                walk(s, h, until, True)
            if status != NO_PAIRING:
                return status
        if until == h.m:
            return NO_PAIRING
        s.release(mark)
        until *= GROWTH


cdef bint accept(Search* h, int a, int b) noexcept nogil:
    """Take the vertices a and b out if those left over can then be matched; if not, change nothing and return False."""
    cdef int x = h.mate[a]
    cdef int y = h.mate[b]
    clear_bit(h.alive, a)
    clear_bit(h.alive, b)
    if x == b:
        return True
    h.mate[a] = h.mate[b] = h.mate[x] = h.mate[y] = -1
    if augment(h.size, h.words, h.rows, h.alive, h.mate, x, h.work):
        return True
    h.mate[a] = x
    h.mate[x] = a
    h.mate[b] = y
    h.mate[y] = b
    set_bit(h.alive, a)
    set_bit(h.alive, b)
    return False


cdef int choose(State s, Search* h) noexcept nogil:
    """Let the leaders of a matched tail take their first candidates that leave the others matched."""
    cdef int j, a, leader = -1
    cdef int32_t cursor
    while h.left > 0:
        leader = next_bit(h.open, leader + 1, h.m)
        a = h.vertex[leader]
        cursor = -1
        while True:
            if s.cancel[0]:
                return CANCELLED
            j = h.next(s, h.room, h.open, h.m, leader, &cursor)
            if j < 0:
                return NO_PAIRING       # only if the room withholds a legal candidate
            if not test_bit(h.rows + <size_t>a * h.words, h.vertex[j]):
                tell(s, h, leader, j, COLOUR)
            elif accept(h, a, h.vertex[j]):
                break
            else:
                tell(s, h, leader, j, REST)
        take(h, leader, j)
        tell(s, h, leader, j, CHOSEN)
    return PAIRED


# ------------------------------------------------------------------------------------------------------------------- general graphs

cdef int first_pairing(State s, void* room, int m, legal_function legal, next_function next, int32_t* partner,
                       int32_t* sequence, int article, const int32_t* player) noexcept nogil:
    cdef Search h
    cdef Mark mark = s.mark()
    cdef int status = GAVE_UP
    if m == 0:
        return PAIRED
    if m % 2:
        return NO_PAIRING
    if not start(s, &h, room, m, legal, next):
        s.release(mark)
        return NO_MEMORY
    h.partner = partner
    if sequence != NULL:
        h.sequence = sequence
    h.article = article
    h.player = player
    # A traced search is guided from the start, so that every refusal in the trace is final.
    if s.node_budget > 0 and not s.tracing:
        status = optimistic(s, &h, s.node_budget)
    if status == GAVE_UP:
        status = settle(s, &h)
        if status == PAIRED:
            status = choose(s, &h)
    s.release(mark)
    return status


cdef int can_pair(State s, void* room, int m, legal_function legal) noexcept nogil:
    cdef Search h
    cdef Mark mark = s.mark()
    cdef int status
    if m % 2:
        return NO_PAIRING
    if not start(s, &h, room, m, legal, ascending):
        status = NO_MEMORY
    else:
        status = possible(s, &h)
    s.release(mark)
    return status


cdef int possible(State s, Search* h) noexcept nogil:
    """Tell whether the positions of a search that has just started can be paired; write no trace."""
    cdef bint tracing = s.tracing
    cdef int status = GAVE_UP
    if h.left == 0:
        return PAIRED
    if s.node_budget > 0:
        status = optimistic(s, h, s.node_budget)
    if status == GAVE_UP:
        s.tracing = False
        status = settle(s, h)
        s.tracing = tracing
    return status


cdef int first_bye(State s, void* room, int m, legal_function legal, const int32_t* candidates, int count, int* chosen,
                   int article, const int32_t* player) noexcept nogil:
    cdef Search h
    cdef Mark mark = s.mark()
    cdef int k, i, status
    chosen[0] = -1
    if m % 2 == 0 or count == 0:
        return NO_PAIRING
    if not start(s, &h, room, m, legal, ascending):
        s.release(mark)
        return NO_MEMORY
    h.skip = candidates[0]
    reopen(&h)
    status = possible(s, &h)
    if status == PAIRED:
        chosen[0] = 0
    elif status == NO_PAIRING:
        status = spare(s, &h, candidates, count, chosen)
    if s.tracing:
        for k in range(count if chosen[0] < 0 else chosen[0] + 1):
            i = candidates[k]
            note(s, article, i if player == NULL else player[i], -1, CHOSEN if k == chosen[0] else REST)
    s.release(mark)
    return status


cdef int spare(State s, Search* h, const int32_t* candidates, int count, int* chosen) noexcept nogil:
    """Find the first candidate, from the second on, whom a maximum matching of all can leave out; all others must be covered."""
    cdef int k, a, y
    cdef int status
    h.skip = -1
    reopen(h)
    status = match_tail(s, h)
    if status != NO_PAIRING or 2 * h.pairs != h.size - 1:
        return status
    for k in range(1, count):
        if s.cancel[0]:
            return CANCELLED
        a = candidates[k]
        y = h.mate[a]
        if y >= 0:
            clear_bit(h.alive, a)
            h.mate[a] = h.mate[y] = -1
            if not augment(h.size, h.words, h.rows, h.alive, h.mate, y, h.work):
                set_bit(h.alive, a)
                h.mate[a] = y
                h.mate[y] = a
                continue
        chosen[0] = k
        return PAIRED
    return NO_PAIRING


# ----------------------------------------------------------------------------------------------------------------- bipartite graphs

# Upper positions against lower positions. `low` is a word of `open` below which no lower position is open.
cdef struct Assignment:
    int m
    int words
    const uint64_t* rows
    int32_t* partner
    uint64_t* open
    int low


cdef inline int open_candidate(Assignment* h, int u, int v) noexcept nogil:
    """Return the first open lower position >= v that the upper position u may take, or -1."""
    cdef const uint64_t* row = h.rows + <size_t>u * h.words
    cdef int w
    cdef uint64_t x
    while h.low < h.words and h.open[h.low] == 0:
        h.low += 1
    if v < h.low * 64:
        v = h.low * 64
    w = v >> 6
    if w >= h.words:
        return -1
    x = row[w] & h.open[w] & ((~(<uint64_t>0)) << (v & 63))
    while x == 0:
        w += 1
        if w == h.words:
            return -1
        x = row[w] & h.open[w]
    return 64 * w + next_bit(&x, 0, 64)


cdef int optimistic_assignment(State s, Assignment* h) noexcept nogil:
    """Depth-first search with chronological backtracking, or GAVE_UP when the budget of nodes is used up."""
    cdef long nodes = 0
    cdef int u = 0, v = 0
    while u < h.m:
        v = open_candidate(h, u, v)
        if v < 0:
            if u == 0:
                return NO_PAIRING
            u -= 1
            v = h.partner[u]
            set_bit(h.open, v)
            if v >> 6 < h.low:
                h.low = v >> 6
            v += 1
            continue
        nodes += 1
        if nodes > s.node_budget:
            return GAVE_UP
        if not nodes & PATIENCE and s.cancel[0]:
            return CANCELLED
        clear_bit(h.open, v)
        h.partner[u] = v
        u += 1
        v = 0
    return PAIRED


cdef int guided_assignment(State s, Assignment* h) noexcept nogil:
    """Let every upper position take its first candidate that leaves the others matched."""
    cdef int m = h.m
    cdef int32_t* upper = <int32_t*>s.scratch(<size_t>m * sizeof(int32_t))
    cdef int32_t* lower = <int32_t*>s.scratch(<size_t>m * sizeof(int32_t))
    cdef uint64_t* alive = <uint64_t*>s.scratch(<size_t>h.words * sizeof(uint64_t))
    cdef void* work = s.scratch(bipartite_bytes(m, m))
    cdef int u, v, pairs
    if upper == NULL or lower == NULL or alive == NULL or work == NULL:
        return NO_MEMORY
    for u in range(m):
        upper[u] = lower[u] = -1
    fill_open(alive, m)
    fill_open(h.open, m)
    h.low = 0
    pairs = bipartite_matching(m, m, h.words, h.rows, NULL, NULL, upper, lower, work, s.cancel)
    if pairs < 0:
        return CANCELLED
    if pairs < m:
        return NO_PAIRING
    for u in range(m):
        clear_bit(alive, u)
        v = open_candidate(h, u, 0)
        while not accept_lower(h, alive, upper, lower, u, v, work):
            if s.cancel[0]:
                return CANCELLED
            v = open_candidate(h, u, v + 1)
        h.partner[u] = v
    return PAIRED


cdef bint accept_lower(Assignment* h, const uint64_t* alive, int32_t* upper, int32_t* lower, int u, int v, void* work) noexcept nogil:
    """Close v for the upper position u if the others can still be matched; if not, change nothing and return False."""
    cdef int x = lower[v]
    cdef int y = upper[u]
    clear_bit(h.open, v)
    if y == v:
        return True
    upper[u] = upper[x] = lower[v] = lower[y] = -1
    if bipartite_augment(h.m, h.m, h.words, h.rows, alive, h.open, upper, lower, x, work):
        return True
    upper[u] = y
    lower[y] = u
    upper[x] = v
    lower[v] = x
    set_bit(h.open, v)
    return False


cdef void fill_open(uint64_t* row, int n) noexcept nogil:
    """Set the bits 0..n-1 of a row of exactly (n + 63) // 64 words."""
    memset(row, 0xFF, <size_t>(n // 64) * sizeof(uint64_t))
    if n % 64:
        row[n // 64] = ((<uint64_t>1) << (n % 64)) - 1


cdef int first_assignment(State s, int m, const uint64_t* rows, int32_t* partner) noexcept nogil:
    cdef Assignment h
    cdef Mark mark = s.mark()
    cdef int status = GAVE_UP
    if m == 0:
        return PAIRED
    h.m = m
    h.words = (m + 63) // 64
    h.rows = rows
    h.partner = partner
    h.low = 0
    h.open = <uint64_t*>s.scratch(<size_t>h.words * sizeof(uint64_t))
    if h.open == NULL:
        status = NO_MEMORY
    elif s.node_budget > 0:
        fill_open(h.open, m)
        status = optimistic_assignment(s, &h)
    if status == GAVE_UP:
        status = guided_assignment(s, &h)
    s.release(mark)
    return status
