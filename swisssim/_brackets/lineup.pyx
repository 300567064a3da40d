"""Players by rank with their preferences, floats and legal opponents; who can all be paired; colours of a pair.

Articles of FIDE C.04.3 (2026): A.6-A.7 floats and colour preferences, C.1-C.3 legal pairs, E colours. The 2012 edition differs in what
`Edition` names.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, lowest, set_bit, test_bit
from swisssim._colours cimport latest_difference
from swisssim._matching.cardinality cimport matching_bytes, maximum_matching
from swisssim._state cimport (
    CANCELLED, DRAW, HAD_TAKEN_PART, LOSS, NO_MEMORY, NO_PAIRING, PAIRED, PAIRING_BYE, WIN, Mark, State, add_board,
    code_is_game, met_row,
)


# ---- one player

cdef inline int _repeated(State s, int player) noexcept nogil:
    """Return the colour of the last two games if it was the same, else 0."""
    return (s.streak[player] >= 2) - (s.streak[player] <= -2)


cdef void find_preference(State s, int player, bint repeated_first, int* prefers, int* strength) noexcept nogil:
    cdef int difference = s.whites[player] - s.blacks[player]
    cdef int imbalance = abs(difference)
    cdef int repeated = _repeated(s, player)
    if imbalance >= 2 or (imbalance == 1 and not (repeated and repeated_first)):
        prefers[0] = -1 if difference > 0 else 1
    else:
        prefers[0] = (s.streak[player] < 0) - (s.streak[player] > 0)
    if imbalance >= 2 or repeated:
        strength[0] = ABSOLUTE
    elif imbalance:
        strength[0] = STRONG
    else:
        strength[0] = MILD if prefers[0] else NONE


cdef int _float(State s, int player, int round, bint bye_floats) noexcept nogil:
    """Return +1 for a downfloat, -1 for an upfloat, 0 for neither in an earlier round."""
    cdef size_t row = <size_t>(round - 1) * s.players
    cdef int code = s.result[row + player]
    cdef int own, other
    if code_is_game(code):
        own, other = s.past_score[row + player], s.past_score[row + s.opponent[row + player]]
        return (own > other) - (own < other)
    if code == PAIRING_BYE and bye_floats:
        return 1
    return s.worth[code] > s.worth[LOSS]


cdef int _floats(State s, int player, bint bye_floats) noexcept nogil:
    cdef int bits = 0, way
    if s.round > 1:
        way = _float(s, player, s.round - 1, bye_floats)
        bits |= DOWN_1 if way > 0 else (UP_1 if way < 0 else 0)
    if s.round > 2:
        way = _float(s, player, s.round - 2, bye_floats)
        bits |= DOWN_2 if way > 0 else (UP_2 if way < 0 else 0)
    return bits


cdef bint is_topscorer(State s, int player) noexcept nogil:
    return s.last_round and 2 * s.score[player] > (s.round - 1) * max(s.worth[WIN], s.worth[DRAW])


# ---- the field

cdef bint _take_memory(State s, Lineup* f) noexcept nogil:
    f.start = <int32_t*>s.scratch(<size_t>(f.m + 1) * sizeof(int32_t))
    f.prefers = <int8_t*>s.scratch(f.m)
    f.strength = <uint8_t*>s.scratch(f.m)
    f.imbalance = <uint8_t*>s.scratch(f.m)
    f.repeated = <int8_t*>s.scratch(f.m)
    f.floats = <uint8_t*>s.scratch(f.m)
    f.top = <uint8_t*>s.scratch(f.m)
    f.legal = <uint64_t*>s.scratch(<size_t>(f.m + 1) * f.words * sizeof(uint64_t))
    return (f.start != NULL and f.prefers != NULL and f.strength != NULL and f.imbalance != NULL and f.repeated != NULL
            and f.floats != NULL and f.top != NULL and f.legal != NULL)


cdef bint make_lineup(State s, Lineup* f, Edition edition) noexcept nogil:
    cdef int p, player, prefers, strength
    f.m, f.words = s.field, s.field // 64 + 1
    f.player, f.score = s.order, s.score
    if not _take_memory(s, f):
        return False
    f.groups, f.any_top = 0, False
    for p in range(f.m):
        player = f.player[p]
        if p == 0 or f.score[player] != f.score[f.player[p - 1]]:
            f.start[f.groups] = p
            f.groups += 1
        find_preference(s, player, edition.repeated_first, &prefers, &strength)
        f.prefers[p], f.strength[p] = <int8_t>prefers, <uint8_t>strength
        f.imbalance[p] = <uint8_t>min(abs(s.whites[player] - s.blacks[player]), 255)
        f.repeated[p] = <int8_t>_repeated(s, player)
        f.floats[p] = <uint8_t>_floats(s, player, edition.bye_floats)
        f.top[p] = is_topscorer(s, player)
        f.any_top |= f.top[p]
    f.start[f.groups] = f.m
    return _find_legal(s, f)


cdef bint _find_legal(State s, Lineup* f) noexcept nogil:
    """Fill the rows: everybody but those met and, without topscorers, those with the same absolute preference."""
    cdef Mark mark = s.mark()
    cdef int32_t* place = <int32_t*>s.scratch(<size_t>s.players * sizeof(int32_t))
    cdef uint64_t* bound = <uint64_t*>s.scratch(<size_t>2 * f.words * sizeof(uint64_t))
    cdef uint64_t* row
    cdef const uint64_t* met
    cdef uint64_t x
    cdef int p, i, w
    if place == NULL or bound == NULL:
        return False
    memset(bound, 0, <size_t>2 * f.words * sizeof(uint64_t))
    for i in range(s.players):
        place[i] = -1
    for p in range(f.m):
        place[f.player[p]] = p
        if f.strength[p] == ABSOLUTE and not f.top[p]:
            set_bit(bound + (f.words if f.prefers[p] > 0 else 0), p)
    for p in range(f.m):
        row = legal_row(f, p)
        _fill_below(row, f.m, f.words)
        clear_bit(row, p)
        if f.strength[p] == ABSOLUTE and not f.top[p]:
            for w in range(f.words):
                row[w] &= ~bound[w + (f.words if f.prefers[p] > 0 else 0)]
        met = met_row(s, f.player[p])
        for w in range(s.words):
            x = met[w]
            while x:
                i = (w << 6) + lowest(x)
                x &= x - 1
                if i < s.players and place[i] >= 0:
                    clear_bit(row, place[i])
    memset(legal_row(f, f.m), 0, f.words * sizeof(uint64_t))
    s.release(mark)
    return True


cdef inline void _fill_below(uint64_t* row, int end, int words) noexcept nogil:
    """Make a row the set of all places below `end`."""
    cdef int w
    for w in range(words):
        row[w] = ~(<uint64_t>0) if (w + 1) << 6 <= end else 0
    if end & 63:
        row[end >> 6] = ((<uint64_t>1) << (end & 63)) - 1


cdef void admit_bye(Lineup* f, int p) noexcept nogil:
    set_bit(legal_row(f, p), f.m)
    set_bit(legal_row(f, f.m), p)


cdef int complete(State s, const Lineup* f, const uint64_t* alive, int32_t* mate) noexcept nogil:
    cdef Mark mark = s.mark()
    cdef void* work = s.scratch(matching_bytes(f.m + 1))
    cdef int p, members = 0, pairs
    if work == NULL:
        return NO_MEMORY
    for p in range(f.m + 1):
        members += test_bit(alive, p)
    pairs = maximum_matching(f.m + 1, f.words, f.legal, alive, mate, work, s.cancel)
    s.release(mark)
    if pairs < 0:
        return CANCELLED
    return PAIRED if 2 * pairs == members else NO_PAIRING


# ---- colours

cdef inline int _colour_of_first(State s, int a) noexcept nogil:
    """E.5: an odd number has the drawn colour; counted are those who are in this field or were in an earlier one."""
    cdef int i, number = 0
    for i in range(a + 1):
        number += s.away[i] == 0 or (s.had[i] & HAD_TAKEN_PART) != 0
    return s.initial_colour if number & 1 else -s.initial_colour


cdef int colour_of_higher(State s, const Lineup* f, int a, int b, int* rule) noexcept nogil:
    cdef int own = f.prefers[a], other = f.prefers[b], colour
    rule[0] = 1
    if own != other:
        return own if own else -other
    if own == 0:
        rule[0] = 5
        return _colour_of_first(s, f.player[a])
    rule[0] = 2
    if f.strength[a] != f.strength[b]:
        return own if f.strength[a] > f.strength[b] else -own
    if f.strength[a] == ABSOLUTE and f.imbalance[a] != f.imbalance[b]:
        return own if f.imbalance[a] > f.imbalance[b] else -own
    rule[0] = 3
    colour = latest_difference(s, f.player[a], f.player[b])
    if colour:
        return -colour
    rule[0] = 4
    return own


cdef int give_colours(State s, const Lineup* f, int a, int b) noexcept nogil:
    cdef int rule
    if colour_of_higher(s, f, a, b, &rule) > 0:
        add_board(s, f.player[a], f.player[b])
    else:
        add_board(s, f.player[b], f.player[a])
    return rule
