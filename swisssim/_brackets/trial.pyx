"""The first candidate in generation order that costs nothing beyond the bounds, by matchings on bitsets.

Where the colours clash as rarely as their numbers allow, it is known who can meet whom: with more than half preferring one colour, each of
the others meets one of them; otherwise nobody meets his like. The same holds for strong preferences. So what is sought is a perfect
matching in a fixed graph, and the first one in generation order is found without a wrong step: greedily if that goes, otherwise
every choice is made so that the rest can still be paired. Only the exchanges of the remainder are tried one by one.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._brackets.lineup cimport ABSOLUTE, STRONG
from swisssim._brackets.split cimport Split, first_transposition, make_split
from swisssim._matching.cardinality cimport augment, matching_bytes, maximum_matching
from swisssim._state cimport Mark, State

cdef enum:
    UNKNOWN = 2         # in Search.spares
    KINDS = 12          # kinds of members: by preferred colour and class of the preference

cdef struct Search:
    Trial* t
    int words               # words of a set of members; there is room for one more vertex, number `size`: being left over
    uint64_t* rows          # [size + 1] rows: possible pairs, and who may be left over
    uint64_t* open          # set: not paired by the MDP-pairing
    int32_t* general        # [size + 1] a perfect matching of everybody
    uint8_t* spares         # [size] may he be left over: 0, 1 or UNKNOWN
    long nodes
    void* work
    # ---- the remainder
    int32_t* rest           # [size] by rank
    int rest_size
    uint8_t* moved          # [size] by position in the remainder: exchanged
    Split split


cdef int try_in_order(State s, Trial* t) noexcept nogil:
    cdef Search a
    cdef Mark mark = s.mark()
    cdef int outcome = NO_ROOM
    if _begin(s, &a, t):
        outcome = FOUND if _pair_greedily(s, &a) else NONE_MEETS
        while outcome != FOUND:
            outcome = _pair_guided(s, &a)
            if outcome != FOUND or _accept_spare(s, &a):
                break
            outcome = NONE_MEETS            # the one left over is struck off: once more
    s.release(mark)
    return outcome


# ---- the graph

cdef inline uint64_t* _row(const Search* a, int i) noexcept nogil:
    return a.rows + <size_t>i * a.words


cdef inline int _first_common(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int w
    for w in range(words):
        if a[w] & b[w]:
            return (w << 6) + lowest(a[w] & b[w])
    return -1


cdef bint _begin(State s, Search* a, Trial* t) noexcept nogil:
    cdef size_t members = t.size + 1
    memset(a, 0, sizeof(Search))
    a.t, a.nodes, a.words = t, t.nodes, t.size // 64 + 1
    a.rows = <uint64_t*>s.scratch(members * a.words * sizeof(uint64_t))
    a.open = <uint64_t*>s.scratch(<size_t>a.words * sizeof(uint64_t))
    a.general = <int32_t*>s.scratch(members * sizeof(int32_t))
    a.rest = <int32_t*>s.scratch(members * sizeof(int32_t))
    a.spares = <uint8_t*>s.scratch(members)
    a.moved = <uint8_t*>s.scratch(members)
    a.work = s.scratch(matching_bytes(t.size + 1))
    if (a.rows == NULL or a.open == NULL or a.general == NULL or a.rest == NULL or a.spares == NULL or a.moved == NULL
            or a.work == NULL or not make_split(s, &a.split, t.size, a.words)):
        return False
    memset(a.spares, UNKNOWN, members)
    a.split.rows, a.split.spare = a.rows, _row(a, t.size)
    return _fill_rows(s, a)


cdef inline int _kind(const Trial* t, int i) noexcept nogil:
    return 4 * (t.prefers[i] + 1) + t.strength[i]


cdef inline bint _fit(const Trial* t, int k, int q, int colour) noexcept nogil:
    """Tell whether members of two kinds can meet in a candidate within the bounds; `colour` is preferred more often."""
    cdef bint clash = k // 4 == q // 4 and k // 4 != 1
    cdef bint firm = k % 4 >= STRONG and q % 4 >= STRONG and not (k % 4 == ABSOLUTE and q % 4 == ABSOLUTE)
    if (clash and t.clashes == 0) or (clash and firm and t.firm_clashes == 0):
        return False
    return _is_like(t, k, colour) or _is_like(t, q, colour)


cdef inline bint _is_like(const Trial* t, int k, int colour) noexcept nogil:
    """Tell whether a kind belongs to those who clash among themselves, if anybody does; one of them is left over then."""
    return (t.clashes == 0 or k // 4 == colour + 1) and (t.firm_clashes == 0 or k % 4 >= STRONG)


cdef bint _fill_rows(State s, Search* a) noexcept nogil:
    """Rows of the pairs that candidates within the bounds have, and of those who may be left over."""
    cdef size_t set_bytes = <size_t>a.words * sizeof(uint64_t)
    cdef uint64_t* partners = <uint64_t*>s.scratch(2 * KINDS * set_bytes)
    cdef uint64_t* kinds = partners + KINDS * a.words
    cdef Trial* t = a.t
    cdef int i, k, q, w, colour = 0
    if partners == NULL:
        return False
    memset(partners, 0, 2 * KINDS * set_bytes)
    for i in range(t.size):
        colour += t.prefers[i]
        set_bit(kinds + _kind(t, i) * a.words, i)
    colour = 1 if colour > 0 else -1
    for k in range(KINDS):
        for q in range(KINDS):
            if _fit(t, k, q, colour):
                for w in range(a.words):
                    partners[k * a.words + w] |= kinds[q * a.words + w]
    memset(a.rows, 0, (t.size + 1) * set_bytes)
    for i in range(t.size):
        for w in range(t.words):
            _row(a, i)[w] = t.rows[<size_t>i * t.words + w] & partners[_kind(t, i) * a.words + w]
        if t.size & 1 and i >= t.mdps and _is_like(t, _kind(t, i), colour):
            set_bit(_row(a, i), t.size)
            set_bit(_row(a, t.size), i)
    return True


# ---- who is left over

cdef void _strike_spare(Search* a, int i) noexcept nogil:
    clear_bit(_row(a, i), a.t.size)
    clear_bit(_row(a, a.t.size), i)


cdef bint _accept_spare(State s, Search* a) noexcept nogil:
    """Tell whether the one left over, if any, may be; otherwise he never will."""
    cdef int i = 0
    if not a.t.size & 1:
        return True
    while a.t.mate[i] >= 0:
        i += 1
    if a.spares[i] == UNKNOWN:
        a.spares[i] = test_bit(_row(a, i), a.t.size) and a.t.spare(s, a.t.room, i)
    if not a.spares[i]:
        _strike_spare(a, i)
    return a.spares[i]


# ---- greedily

cdef inline void _pair(Search* a, int i, int j) noexcept nogil:
    a.t.mate[i], a.t.mate[j] = j, i


cdef void _open_residents(Search* a) noexcept nogil:
    cdef int i
    memset(a.open, 0, <size_t>a.words * sizeof(uint64_t))
    for i in range(a.t.mdps, a.t.size):
        set_bit(a.open, i)
    for i in range(a.t.size):
        a.t.mate[i] = -1


cdef bint _pair_greedily(State s, Search* a) noexcept nogil:
    """Give everybody in order the first partner who is still there; if it comes out, this is the answer."""
    cdef int i, j, k
    _open_residents(a)
    for i in range(a.t.mdps):
        j = _first_common(_row(a, i), a.open, a.words)
        if j < 0:
            return False
        _pair(a, i, j)
        clear_bit(a.open, j)
    _collect_rest(a)
    _split_rest(a)
    for k in range(a.split.half):
        i = a.split.first[k]
        j = _first_common(_row(a, i), a.split.second, a.words)
        if j < 0:
            return False
        _pair(a, i, j)
        clear_bit(a.split.second, j)
    return _accept_spare(s, a)


cdef void _collect_rest(Search* a) noexcept nogil:
    cdef int i
    a.rest_size = 0
    for i in range(a.t.mdps, a.t.size):
        if test_bit(a.open, i):
            a.rest[a.rest_size] = i
            a.moved[a.rest_size] = 0
            a.rest_size += 1
    a.split.half = a.rest_size // 2


cdef void _split_rest(Search* a) noexcept nogil:
    """S1 and S2 of the remainder with the exchanges that `moved` names."""
    cdef int k, count = 0
    memset(a.split.second, 0, <size_t>a.words * sizeof(uint64_t))
    for k in range(a.rest_size):
        if (k < a.split.half) != (a.moved[k] != 0):
            a.split.first[count] = a.rest[k]
            count += 1
        else:
            set_bit(a.split.second, a.rest[k])


# ---- guided

cdef int _pair_guided(State s, Search* a) noexcept nogil:
    """The first candidate as if everybody not struck off might be left over."""
    cdef int i, vertices = a.t.size + (a.t.size & 1), outcome
    for i in range(a.t.size + 1):
        a.general[i] = -1
    i = maximum_matching(vertices, a.words, a.rows, NULL, a.general, a.work, s.cancel)
    if i < 0:
        return GAVE_UP
    if 2 * i < vertices:
        return NONE_MEETS
    _open_residents(a)
    if not _guide_mdps(s, a, vertices):
        return GAVE_UP
    _collect_rest(a)
    outcome = _try_split(s, a)
    return _try_exchanges(s, a) if outcome == NONE_MEETS else outcome


cdef bint _guide_mdps(State s, Search* a, int vertices) noexcept nogil:
    """Give each MDP the first partner that leaves a perfect matching of the rest; False when cancelled."""
    cdef Mark mark = s.mark()
    cdef uint64_t* alive = <uint64_t*>s.scratch(<size_t>a.words * sizeof(uint64_t))
    cdef int i, j = 0
    if alive == NULL:
        return False
    memset(alive, 0, <size_t>a.words * sizeof(uint64_t))
    for i in range(vertices):
        set_bit(alive, i)
    for i in range(a.t.mdps):
        clear_bit(alive, i)
        for j in range(a.t.mdps, a.t.size):
            if test_bit(_row(a, i), j) and test_bit(a.open, j) and _can_take(a, alive, vertices, i, j):
                break
        _pair(a, i, j)
        clear_bit(a.open, j)
        clear_bit(alive, j)
        if s.cancel[0]:
            break
    s.release(mark)
    return not s.cancel[0]


cdef bint _can_take(Search* a, uint64_t* alive, int vertices, int i, int j) noexcept nogil:
    """Tell whether i can have j (and let it): their partners, and all others in `alive`, are paired anew."""
    cdef int left = a.general[i], other = a.general[j]
    if left == j:
        return True
    clear_bit(alive, j)
    a.general[i], a.general[j] = j, i
    a.general[left] = a.general[other] = -1
    if augment(vertices, a.words, a.rows, alive, a.general, other, a.work):
        return True
    set_bit(alive, j)
    a.general[i], a.general[j] = left, other
    a.general[left], a.general[other] = i, j
    return False


cdef inline int _try_split(State s, Search* a) noexcept nogil:
    """The first transposition of the split in hand."""
    a.nodes -= 1 + (a.rest_size * a.words >> 3)         # nodes stand for time
    _split_rest(a)
    if first_transposition(s, &a.split, a.t.mate):
        return FOUND
    return GAVE_UP if s.cancel[0] else NONE_MEETS


# ---- exchanges

cdef int _try_exchanges(State s, Search* a) noexcept nogil:
    """Exchanges of one player, then of two; more are left to the weighted matching."""
    cdef int outcome = _exchange_one(s, a)
    if outcome == NONE_MEETS and a.split.half >= 2:
        outcome = _exchange_two(s, a)
    return GAVE_UP if outcome == NONE_MEETS else outcome


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
    for difference in range(1, a.rest_size):
        for out in range(a.split.half - 1, -1, -1):
            if out + difference < a.split.half:
                break
            if out + difference < a.rest_size:
                outcome = _try_exchanged(s, a, out, out + difference)
                if outcome != NONE_MEETS:
                    return outcome
    return NONE_MEETS


cdef int _exchange_two(State s, Search* a) noexcept nogil:
    cdef int difference, out, second_out, outcome
    for difference in range(4, 2 * a.rest_size):
        for out in range(a.split.half - 1, 0, -1):
            for second_out in range(out - 1, -1, -1):
                outcome = _exchange_for(s, a, out, second_out, out + second_out + difference)
                if outcome != NONE_MEETS:
                    return outcome
    return NONE_MEETS


cdef int _exchange_for(State s, Search* a, int out, int second_out, int total) noexcept nogil:
    """Exchange two members of S1 for two of S2 whose positions have a sum, the highest ranked first."""
    cdef int in_, second_in, outcome = NONE_MEETS
    a.nodes -= 1
    for in_ in range(max(a.split.half, total - a.rest_size + 1), a.rest_size):
        second_in = total - in_
        if second_in <= in_ or outcome != NONE_MEETS:
            break
        a.moved[second_out] = a.moved[second_in] = 1
        outcome = _try_exchanged(s, a, out, in_)
        a.moved[second_out] = a.moved[second_in] = 0
    return GAVE_UP if outcome == NONE_MEETS and a.nodes < 0 else outcome
