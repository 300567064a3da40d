"""Depth-first search in generation order: MDP-pairings, and for each the remainder with its transpositions and exchanges.

Pairs whose colours cannot come out within the budgets are never tried: with the open part of S1 preferring White w1 and Black b1 times,
and that of S2 w2 and b2 times and nothing o2 times, at least w1 - b2 - o2 and b1 - w2 - o2 clashes are to come.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._brackets.lineup cimport ABSOLUTE, STRONG
from swisssim._matching.cardinality cimport bipartite_bytes, bipartite_matching
from swisssim._state cimport Mark, State

cdef enum:
    UNKNOWN = 2         # in Search.spares

# How many members of a set prefer White, Black, nothing.
cdef struct Tally:
    int white
    int black
    int none

cdef struct Search:
    Trial* t
    uint64_t* open          # members not paired by the MDP-pairing in hand
    int32_t* cursor         # [size] by depth: the partner tried last
    uint8_t* spares         # [size] may he be left over: 0, 1 or UNKNOWN
    int clashes             # budgets left
    int firm_clashes
    long nodes
    # ---- the remainder and the split in hand
    int32_t* rest           # [size] the remainder by rank
    int size
    int half
    int32_t* first          # [size] S1 by rank
    uint64_t* second        # set: S2
    Tally upper             # of S1 as far as it is open
    Tally lower             # of S2
    uint8_t* moved          # [size] by position in the remainder: exchanged


# ---- budgets

cdef inline int _cost(const Trial* t, int i, int j) noexcept nogil:
    """Return 0 for no clash, 1 for a clash, 2 for a clash that is firm."""
    if t.prefers[i] == 0 or t.prefers[i] != t.prefers[j]:
        return 0
    if t.strength[i] < STRONG or t.strength[j] < STRONG or (t.strength[i] == ABSOLUTE and t.strength[j] == ABSOLUTE):
        return 1
    return 2


cdef inline bint _afford(Search* a, int cost) noexcept nogil:
    """Pay for a pair if the budgets allow it."""
    if (cost and a.clashes == 0) or (cost == 2 and a.firm_clashes == 0):
        return False
    a.clashes -= cost > 0
    a.firm_clashes -= cost == 2
    return True


cdef inline void _refund(Search* a, int cost) noexcept nogil:
    a.clashes += cost > 0
    a.firm_clashes += cost == 2


cdef inline void _count(Tally* tally, int prefers, int by) noexcept nogil:
    if prefers > 0:
        tally.white += by
    elif prefers < 0:
        tally.black += by
    else:
        tally.none += by


cdef inline int _unavoidable(const Search* a) noexcept nogil:
    """Return how many clashes at least the open parts of S1 and S2 have."""
    return max(a.upper.white - a.lower.black - a.lower.none, a.upper.black - a.lower.white - a.lower.none, 0)


cdef inline int _next_common(const uint64_t* a, const uint64_t* b, int start, int words) noexcept nogil:
    """Return the first member from `start` on that is in both sets, or -1."""
    cdef int w = start >> 6
    cdef uint64_t x
    if w >= words:
        return -1
    x = a[w] & b[w] & (~(<uint64_t>0) << (start & 63))
    while x == 0:
        w += 1
        if w == words:
            return -1
        x = a[w] & b[w]
    return (w << 6) + lowest(x)


cdef inline const uint64_t* _row(const Trial* t, int i) noexcept nogil:
    return t.rows + <size_t>i * t.words


# ---- the pairing of the MDPs

cdef bint _begin(State s, Search* a, Trial* t) noexcept nogil:
    cdef int i
    cdef size_t members = t.size
    memset(a, 0, sizeof(Search))
    a.t, a.nodes = t, t.nodes
    a.clashes, a.firm_clashes = t.clashes, t.firm_clashes
    a.open = <uint64_t*>s.scratch(<size_t>t.words * sizeof(uint64_t))
    a.second = <uint64_t*>s.scratch(<size_t>t.words * sizeof(uint64_t))
    a.cursor = <int32_t*>s.scratch((members + 1) * sizeof(int32_t))
    a.rest = <int32_t*>s.scratch(members * sizeof(int32_t))
    a.first = <int32_t*>s.scratch(members * sizeof(int32_t))
    a.spares = <uint8_t*>s.scratch(members)
    a.moved = <uint8_t*>s.scratch(members)
    if (a.open == NULL or a.second == NULL or a.cursor == NULL or a.rest == NULL or a.first == NULL or a.spares == NULL
            or a.moved == NULL):
        return False
    memset(a.open, 0, <size_t>t.words * sizeof(uint64_t))
    memset(a.spares, UNKNOWN, members)
    for i in range(t.size):
        t.mate[i] = -1
        if i >= t.mdps:
            set_bit(a.open, i)
    return True


cdef inline void _undo(Search* a, int i) noexcept nogil:
    """Part MDP i from his partner."""
    cdef int j = a.t.mate[i]
    a.t.mate[i] = a.t.mate[j] = -1
    set_bit(a.open, j)
    _refund(a, _cost(a.t, i, j))


cdef inline bint _advance(Search* a, int i) noexcept nogil:
    """Give MDP i his next partner that the budgets allow."""
    cdef int j = a.cursor[i], cost
    while True:
        j = _next_common(_row(a.t, i), a.open, j + 1, a.t.words)
        if j < 0:
            return False
        a.nodes -= 1
        cost = _cost(a.t, i, j)
        if _afford(a, cost):
            a.cursor[i] = j
            a.t.mate[i], a.t.mate[j] = j, i
            clear_bit(a.open, j)
            return True


cdef int try_in_order(State s, Trial* t) noexcept nogil:
    cdef Search a
    cdef Mark mark = s.mark()
    cdef int depth = 0, outcome
    if not _begin(s, &a, t):
        return NO_ROOM
    a.cursor[0] = t.mdps - 1
    while True:
        if a.nodes < 0 or s.cancel[0]:
            outcome = GAVE_UP
            break
        if depth == t.mdps:
            outcome = _try_rest(s, &a)
            if outcome != NONE_MEETS:
                break
        elif _advance(&a, depth):
            depth += 1
            a.cursor[depth] = t.mdps - 1
            continue
        depth -= 1
        if depth < 0:
            outcome = NONE_MEETS
            break
        _undo(&a, depth)
    s.release(mark)
    return outcome


# ---- the remainder

cdef int _try_rest(State s, Search* a) noexcept nogil:
    """Original split, then exchanges in their order."""
    cdef int i, outcome
    cdef Tally all_
    memset(&all_, 0, sizeof(Tally))
    a.size = 0
    for i in range(a.t.mdps, a.t.size):
        if test_bit(a.open, i):
            a.rest[a.size] = i
            a.size += 1
            _count(&all_, a.t.prefers[i], 1)
    a.half = a.size // 2
    if (abs(all_.white - all_.black) - all_.none) // 2 > a.clashes:
        return NONE_MEETS
    memset(a.moved, 0, a.size)
    outcome = _try_split(s, a)
    if outcome == NONE_MEETS and a.half > 0:
        outcome = _try_exchanges(s, a)
    return outcome


cdef void _make_split(Search* a) noexcept nogil:
    """S1 and S2 with the exchanges that `moved` names."""
    cdef int k, count = 0, i
    memset(a.second, 0, <size_t>a.t.words * sizeof(uint64_t))
    memset(&a.upper, 0, sizeof(Tally))
    memset(&a.lower, 0, sizeof(Tally))
    for k in range(a.size):
        i = a.rest[k]
        if (k < a.half) != (a.moved[k] != 0):
            a.first[count] = i
            count += 1
            _count(&a.upper, a.t.prefers[i], 1)
        else:
            set_bit(a.second, i)
            _count(&a.lower, a.t.prefers[i], 1)


cdef inline bint _may_be_left(State s, Search* a, int i) noexcept nogil:
    if a.spares[i] == UNKNOWN:
        a.spares[i] = a.t.spare(s, a.t.room, i)
    return a.spares[i]


cdef inline void _part(Search* a, int i) noexcept nogil:
    """Take back the pair of the member i of S1."""
    cdef int j = a.t.mate[i]
    a.t.mate[i] = a.t.mate[j] = -1
    set_bit(a.second, j)
    _count(&a.upper, a.t.prefers[i], 1)
    _count(&a.lower, a.t.prefers[j], 1)
    _refund(a, _cost(a.t, i, j))


cdef inline bint _pair_next(Search* a, int k) noexcept nogil:
    """Give S1[k] his next partner that the budgets and the colours to come allow."""
    cdef int i = a.first[k], j = a.cursor[a.t.mdps + k], cost
    while True:
        j = _next_common(_row(a.t, i), a.second, j + 1, a.t.words)
        if j < 0:
            return False
        a.nodes -= 1
        cost = _cost(a.t, i, j)
        if not _afford(a, cost):
            continue
        a.t.mate[i], a.t.mate[j] = j, i
        clear_bit(a.second, j)
        _count(&a.upper, a.t.prefers[i], -1)
        _count(&a.lower, a.t.prefers[j], -1)
        if _unavoidable(a) <= a.clashes:
            a.cursor[a.t.mdps + k] = j
            return True
        _part(a, i)


cdef int _try_split(State s, Search* a) noexcept nogil:
    """All transpositions of one split in lexicographic order; after some vain steps ask a matching whether it can succeed at all."""
    cdef int k = 0, spare
    cdef long patience = a.nodes - 4 * a.half - 16
    _make_split(a)
    a.nodes -= 1 + a.size // 8          # nodes stand for time
    if _unavoidable(a) > a.clashes or not _everybody_has_somebody(a):
        return NONE_MEETS
    a.cursor[a.t.mdps] = -1
    while True:
        if k == a.half:
            spare = _next_common(a.second, a.second, 0, a.t.words)
            if spare < 0 or _may_be_left(s, a, spare):
                return FOUND
        elif _pair_next(a, k):
            k += 1
            a.cursor[a.t.mdps + k] = -1
            continue
        k -= 1
        if k < 0:
            return NONE_MEETS
        _part(a, a.first[k])
        if a.nodes < patience:
            patience = -1
            if not _can_succeed(s, a, k):
                return NONE_MEETS
        if a.nodes < 0 or s.cancel[0]:
            return GAVE_UP


cdef inline bint _everybody_has_somebody(Search* a) noexcept nogil:
    """Nobody of S1 is without a possible partner in S2."""
    cdef int k
    for k in range(a.half):
        if _next_common(_row(a.t, a.first[k]), a.second, 0, a.t.words) < 0:
            return False
    return True


cdef bint _can_succeed(State s, Search* a, int paired) noexcept nogil:
    """Tell whether there can be enough pairs without clash between S1 and S2; if not, take back the first `paired` pairs."""
    cdef Mark mark = s.mark()
    cdef int words = a.t.words, k, j, w, found = a.half
    cdef uint64_t* rows = <uint64_t*>s.scratch(<size_t>a.half * words * sizeof(uint64_t))
    cdef int32_t* mates = <int32_t*>s.scratch(<size_t>(a.half + a.t.size) * sizeof(int32_t))
    cdef void* work = s.scratch(bipartite_bytes(a.half, a.t.size))
    a.nodes -= 2 * a.size
    if rows == NULL or mates == NULL or work == NULL:
        return True
    for k in range(a.half + a.t.size):
        mates[k] = -1
    for k in range(paired):
        set_bit(a.second, a.t.mate[a.first[k]])
    for k in range(a.half):
        for w in range(words):
            rows[k * words + w] = _row(a.t, a.first[k])[w] & a.second[w]
        for j in range(a.t.mdps, a.t.size):
            if test_bit(rows + k * words, j) and _cost(a.t, a.first[k], j):
                clear_bit(rows + k * words, j)
    found = bipartite_matching(a.half, a.t.size, words, rows, NULL, NULL, mates, mates + a.half, work, s.cancel)
    for k in range(paired):
        clear_bit(a.second, a.t.mate[a.first[k]])
    s.release(mark)
    k = a.clashes
    for j in range(paired):
        k += _cost(a.t, a.first[j], a.t.mate[a.first[j]]) > 0
    if found < 0 or found + k >= a.half:
        return True
    for k in range(paired):
        _part(a, a.first[k])
    return False


# ---- exchanges

cdef int _try_exchanges(State s, Search* a) noexcept nogil:
    """Exchanges of one player, then of two; more are left to the matching."""
    cdef int outcome = _exchange_one(s, a)
    if outcome == NONE_MEETS and a.half >= 2:
        outcome = _exchange_two(s, a)
    return GAVE_UP if outcome == NONE_MEETS and a.half > 2 else outcome


cdef inline int _try_exchanged(State s, Search* a, int out, int in_) noexcept nogil:
    """Try one more pair of positions exchanged."""
    cdef int outcome
    a.moved[out] = a.moved[in_] = 1
    outcome = _try_split(s, a)
    a.moved[out] = a.moved[in_] = 0
    return GAVE_UP if outcome == NONE_MEETS and a.nodes < 0 else outcome


cdef int _exchange_one(State s, Search* a) noexcept nogil:
    """By the difference of the two positions; of equal ones the lowest ranked member of S1 first."""
    cdef int difference, out, outcome
    for difference in range(1, a.size):
        for out in range(a.half - 1, -1, -1):
            if out + difference < a.half:
                break
            if out + difference < a.size:
                outcome = _try_exchanged(s, a, out, out + difference)
                if outcome != NONE_MEETS:
                    return outcome
    return NONE_MEETS


cdef int _exchange_two(State s, Search* a) noexcept nogil:
    cdef int difference, out, second_out, outcome
    for difference in range(4, 2 * a.size):
        for out in range(a.half - 1, 0, -1):
            for second_out in range(out - 1, -1, -1):
                outcome = _exchange_for(s, a, out, second_out, out + second_out + difference)
                if outcome != NONE_MEETS:
                    return outcome
    return NONE_MEETS


cdef int _exchange_for(State s, Search* a, int out, int second_out, int total) noexcept nogil:
    """Exchange two members of S1 for two of S2 whose positions have a sum, the highest ranked first."""
    cdef int in_, second_in, outcome = NONE_MEETS
    a.nodes -= 1
    for in_ in range(max(a.half, total - a.size + 1), a.size):
        second_in = total - in_
        if second_in <= in_ or outcome != NONE_MEETS:
            break
        a.moved[second_out] = a.moved[second_in] = 1
        outcome = _try_exchanged(s, a, out, in_)
        a.moved[second_out] = a.moved[second_in] = 0
    return GAVE_UP if outcome == NONE_MEETS and a.nodes < 0 else outcome
