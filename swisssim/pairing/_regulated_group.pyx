"""One group of the `regulated` system: who may meet whom in which order of trial (B, C), and who floats on (A)."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, next_bit, previous_bit, set_bit, test_bit
from swisssim._bits cimport count as count_bits
from swisssim._matching.cardinality cimport augment, matching_bytes, maximum_matching
from swisssim._state cimport CANCELLED, NO_MEMORY, PAIRED, Mark, State, note


# Keys of A.1-4: the bits that A.1, A.2 and A.3 set for those who come later, from the highest; and the key of who cannot float at all.
cdef int FLOATED = 60
cdef int64_t OUT = (<int64_t> 1) << 62

# ------------------------------------------------------------------------------------------------------------------ pairs of positions

cdef bint compatible(State s, void* room, int a, int b) noexcept nogil:
    """May the players at two positions of the group in hand be paired?"""
    cdef Round* h = <Round*> room
    return may_pair(s, h, h.player[a], h.player[b])


cdef int next_candidate(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """Order of trial: B for a floater, C for a resident."""
    cdef Round* h = <Round*> room
    if leader < h.floaters:
        return candidate_of_floater(h, open, m, leader, cursor)
    return candidate_of_resident(h, open, m, leader, cursor)


cdef int candidate_of_floater(Round* h, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """B: residents in order without conflict, then with; in the median after them the other floaters, best-ranked first."""
    cdef int phase = 0
    cdef int p = h.floaters - 1
    cdef int last = 3 if h.mode == MEDIAN else 1
    if cursor[0] >= 0:
        phase, p = cursor[0] // m, cursor[0] % m
    while phase <= last:
        p = next_bit(open, p + 1, m) if phase < 2 else next_floater(h, open, p)
        if p < 0:
            phase += 1
            p = h.floaters - 1 if phase < 2 else -1
        elif p != leader and conflict(h, h.player[leader], h.player[p]) == (phase % 2):
            cursor[0] = phase * m + p
            return p
    return -1


cdef int next_floater(Round* h, const uint64_t* open, int p) noexcept nogil:
    """Return the open floater ranked next below the one at p (-1: the best): those from above, then those from below reversed."""
    if p < h.above:
        p = next_bit(open, p + 1, h.above)
        return p if p >= 0 else previous_bit(open, h.floaters - 1, h.above - 1)
    return previous_bit(open, p - 1, h.above - 1)


cdef int candidate_of_resident(Round* h, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """C: of those left, the lower half downwards, then the rest of the upper half from its end; first without conflict."""
    cdef int phase = 0
    cdef int p = -1
    cdef int half = -1
    if cursor[0] >= 0:
        phase, p = cursor[0] // m, cursor[0] % m
    while phase < 4:
        if p < 0:
            half = first_of_lower_half(open, m) if half < 0 else half
            p = half - 1 if phase % 2 == 0 else half
        p = next_bit(open, p + 1, m) if phase % 2 == 0 else previous_bit(open, p - 1, leader)
        if p < 0:
            phase += 1
        elif conflict(h, h.player[leader], h.player[p]) == (phase >= 2):
            cursor[0] = phase * m + p
            return p
    return -1


cdef int first_of_lower_half(const uint64_t* open, int m) noexcept nogil:
    """Return the open position number k + 1 of 2k."""
    cdef int w = 0, left = 0, words = (m + 63) // 64
    cdef uint64_t x
    for w in range(words):
        left += count_bits(open[w])
    left //= 2
    for w in range(words):
        if count_bits(open[w]) > left:
            break
        left -= count_bits(open[w])
    x = open[w]
    for _ in range(left):
        x &= x - 1
    return next_bit(&x, 0, 64) + 64 * w


# ------------------------------------------------------------------------------------------------------------------ A: who floats on

cdef void drop(Round* h, int p) noexcept nogil:
    """Take a position out of the group in hand."""
    cdef int k
    for k in range(p, h.positions - 1):
        h.player[k] = h.player[k + 1]
    h.positions -= 1
    h.above -= p < h.above
    h.floaters -= p < h.floaters


cdef int choose_floats(State s, Round* h) noexcept nogil:
    """5.3.15.4: choose |U| - 2m players one at a time, each the first by A.1-4 whose removal leaves one fewer uncovered."""
    cdef int k, p, q, left, n = h.positions, words = n // 64 + 1
    cdef Mark mark = s.mark()
    cdef uint64_t* rows = <uint64_t*> s.scratch(<size_t> n * words * sizeof(uint64_t))
    cdef uint64_t* alive = <uint64_t*> s.scratch(words * sizeof(uint64_t))
    cdef int32_t* mate = <int32_t*> s.scratch(n * sizeof(int32_t))
    cdef int64_t* key = <int64_t*> s.scratch(n * sizeof(int64_t))
    cdef void* work = s.scratch(matching_bytes(n))
    if rows == NULL or alive == NULL or mate == NULL or key == NULL or work == NULL:
        return NO_MEMORY
    draw_graph(s, h, h.player, n, words, rows)
    memset(alive, 0, words * sizeof(uint64_t))
    for k in range(n):
        set_bit(alive, k)
        mate[k] = -1
    left = maximum_matching(n, words, rows, alive, mate, work, s.cancel)
    if left < 0:
        return CANCELLED
    left = n - 2 * left
    for _ in range(left):
        if s.cancel[0]:
            return CANCELLED
        float_keys(s, h, alive, key)
        while True:
            p = next_bit(alive, 0, n)
            for q in range(n):
                if test_bit(alive, q) and key[q] < key[p]:
                    p = q
            if can_float(n, words, rows, alive, mate, p, work):
                break
            note(s, FLOAT, h.player[p], -1, NEEDED)
            key[p] = OUT
        note(s, FLOAT, h.player[p], -1, CHOSEN_TO_FLOAT)
        if s.tracing:
            tell_next(s, h, alive, key, p)
        insert(s, h.mode, h.chosen, h.chosen_count, h.player[p])
        h.chosen_count += 1
    for k in range(n - 1, -1, -1):
        if not test_bit(alive, k):
            drop(h, k)
    s.release(mark)
    return PAIRED


cdef void tell_next(State s, Round* h, const uint64_t* alive, const int64_t* key, int p) noexcept nogil:
    """Trace: who would have floated instead of p, and the rule of A.1-4 that put p before him."""
    cdef int k, q = -1, rule = 4
    for k in range(h.positions):
        if k != p and test_bit(alive, k) and key[k] < OUT and (q < 0 or key[k] < key[q]):
            q = k
    if q < 0:
        return
    for k in range(3):
        if (key[p] ^ key[q]) >> (FLOATED - k) & 1:
            rule = k + 1
            break
    note(s, FLOAT, h.player[p], h.player[q], AHEAD + rule)


cdef void draw_graph(State s, Round* h, const int32_t* player, int n, int words, uint64_t* rows) noexcept nogil:
    """Fill the rows of the graph of compatible pairs."""
    cdef int a, b
    memset(rows, 0, <size_t> n * words * sizeof(uint64_t))
    for a in range(n):
        if s.cancel[0]:
            return
        for b in range(a):
            if may_pair(s, h, player[a], player[b]):
                set_bit(rows + <size_t> a * words, b)
                set_bit(rows + <size_t> b * words, a)


cdef bint can_float(int n, int words, const uint64_t* rows, uint64_t* alive, int32_t* mate, int p,
                    void* work) noexcept nogil:
    """Take p out if the maximum matching keeps its size without him; otherwise change nothing."""
    cdef int q = mate[p]
    clear_bit(alive, p)
    mate[p] = -1
    if q < 0:
        return True
    mate[q] = -1
    if augment(n, words, rows, alive, mate, q, work):
        return True
    mate[p], mate[q] = q, p
    set_bit(alive, p)
    return False


cdef void float_keys(State s, Round* h, const uint64_t* alive, int64_t* key) noexcept nogil:
    """Fill in the order of A.1-4 for everybody still in the group (NULL: all); the smallest key floats first."""
    cdef int k, i, surplus = 0
    cdef int64_t distance, number
    ahead_take(s, h)
    for k in range(h.positions):
        if alive == NULL or test_bit(alive, k):
            surplus += h.due[h.player[k]]
    for k in range(h.positions):
        if alive != NULL and not test_bit(alive, k):
            continue
        i = h.player[k]
        distance = 0
        if k < h.floaters:
            distance = s.score[i] if h.mode == DOWN else 0x7FFFFF - s.score[i]
        number = s.players - i if h.mode == DOWN else i
        key[k] = distance << 24 | number
        if k < h.floaters:
            key[k] |= (<int64_t> 1) << FLOATED
        if not has_suitable_partner(s, h, i):
            key[k] |= (<int64_t> 1) << (FLOATED - 1)
        if surplus * h.due[i] <= 0 and surplus != 0:
            key[k] |= (<int64_t> 1) << (FLOATED - 2)


cdef void ahead_take(State s, Round* h) noexcept nogil:
    """A.2: let the floaters ahead, in the order B, each take a resident out of the next group."""
    cdef int k
    for k in range(h.next_start, h.next_end):
        h.taken[h.rank[k]] = 0
    if h.mode == UP and h.next_is_median:
        for k in range(h.falls):
            take_resident(s, h, h.falling[k])
    for k in range(h.chosen_count):
        take_resident(s, h, h.chosen[k])


cdef void take_resident(State s, Round* h, int i) noexcept nogil:
    """Mark the resident of the next group whom B would give to i: compatible, without conflict if possible."""
    cdef int k, j, second = -1
    cdef bint upward = h.mode == UP and not h.next_is_median
    for k in range(h.next_end - h.next_start):
        j = h.rank[h.next_end - 1 - k] if upward else h.rank[h.next_start + k]
        if h.taken[j] or not may_pair(s, h, i, j):
            continue
        if not conflict(h, i, j):
            h.taken[j] = 1
            return
        if second < 0:
            second = j
    if second >= 0:
        h.taken[second] = 1


cdef bint has_suitable_partner(State s, Round* h, int i) noexcept nogil:
    cdef int k
    for k in range(h.next_start, h.next_end):
        if not h.taken[h.rank[k]] and may_pair(s, h, i, h.rank[k]):
            return True
    return False


cdef void insert(State s, int mode, int32_t* floaters, int count, int i) noexcept nogil:
    """Put a player into a list that is in the order B."""
    while count > 0 and goes_before(s, mode, i, floaters[count - 1]):
        floaters[count] = floaters[count - 1]
        count -= 1
    floaters[count] = i
