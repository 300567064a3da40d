"""Lower bounds of C6-C21, and the search for the first candidate that meets them.

Bounds: everybody but the odd one is paired (C6), all MDPs with residents (C7, C18, C20); as few clashes as the numbers of preferences
allow (C12, C13); the odd one has no downfloat behind him (C14, C16), leaves the next bracket as good as its size allows (C8), or if he
must have the bye, has the fewest unplayed games (C9); nobody meets an MDP who has an upfloat behind him (C15, C17, C19, C21); no C10, C11.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport set_bit
from swisssim._brackets.lineup cimport DOWN_1, DOWN_2, MILD, UP_1, UP_2, is_legal
from swisssim._brackets.trial cimport GAVE_UP, NONE_MEETS, NO_ROOM, Trial, try_in_order
from swisssim._state cimport NO_MEMORY, NO_PAIRING, PAIRED, Mark, State
from swisssim.pairing._dutch cimport NOBODY, Round, below, can_pair_all, float_well, group_score
from swisssim.pairing._dutch_exact cimport C10, C11, violations


cdef bint _fill(State s, const Round* r, Trial* t) noexcept nogil:
    """Rows and colours of the members."""
    cdef int i, j, p, q
    cdef uint64_t* rows
    cdef int8_t* prefers = <int8_t*>s.scratch(r.size)
    cdef uint8_t* strength = <uint8_t*>s.scratch(r.size)
    t.words = (r.size + 63) >> 6
    rows = <uint64_t*>s.scratch(<size_t>r.size * t.words * sizeof(uint64_t))
    t.mate = <int32_t*>s.scratch(<size_t>r.size * sizeof(int32_t))
    if prefers == NULL or strength == NULL or rows == NULL or t.mate == NULL:
        return False
    memset(rows, 0, <size_t>r.size * t.words * sizeof(uint64_t))
    for i in range(r.size):
        p = r.members[i]
        prefers[i], strength[i] = r.f.prefers[p], r.f.strength[p]
        for j in range(max(i + 1, r.mdps), r.size):
            q = r.members[j]
            if not is_legal(&r.f, p, q) or (i < r.mdps and r.f.floats[q] & (UP_1 | UP_2)):
                continue
            if r.f.any_top and violations(r, p, q) & (C10 | C11):
                continue
            set_bit(rows + <size_t>i * t.words, j)
            set_bit(rows + <size_t>j * t.words, i)
    t.mdps, t.size, t.rows, t.prefers, t.strength = r.mdps, r.size, rows, prefers, strength
    return True


cdef void _set_budgets(const Round* r, Trial* t) noexcept nogil:
    """C12: the surplus of one colour meets itself; C13: as far as its mild members cannot be used up."""
    cdef int[3] preferring
    cdef int[3] mild
    cdef int i, side
    memset(preferring, 0, sizeof(preferring))
    memset(mild, 0, sizeof(mild))
    for i in range(r.size):
        side = t.prefers[i] + 1
        preferring[side] += 1
        mild[side] += t.strength[i] == MILD
    side = 2 if preferring[2] > preferring[0] else 0
    t.clashes = max(0, (preferring[side] - preferring[2 - side] - preferring[1]) // 2)
    t.firm_clashes = 0 if r.f.any_top else max(0, t.clashes - mild[side])


# ---- who may be left over

cdef int _fewest_unplayed(State s, const Round* r) noexcept nogil:
    """Return the most games that a member who may have the bye has played (C9)."""
    cdef int i, player, most = -1
    for i in range(r.size):
        if is_legal(&r.f, r.members[i], r.f.m):
            player = r.f.player[r.members[i]]
            most = max(most, s.whites[player] + s.blacks[player])
    return most


cdef bint _spare_for_bye(State s, void* room, int i) noexcept nogil:
    """The odd one must have the bye."""
    cdef Round* r = <Round*>room
    cdef int p = r.members[i], player = r.f.player[r.members[i]]
    return (is_legal(&r.f, p, r.f.m) and s.whites[player] + s.blacks[player] == _fewest_unplayed(s, r)
            and not r.f.floats[p] & (DOWN_1 | DOWN_2))


cdef bint _spare_below(State s, void* room, int i) noexcept nogil:
    """The odd one floats down."""
    cdef Round* r = <Round*>room
    cdef int k
    if r.f.floats[r.members[i]] & (DOWN_1 | DOWN_2):
        return False
    for k in range(r.size):
        r.pairs[k] = 0
    r.pairs[i] = -1
    return float_well(s, r) == PAIRED


cdef int choose_quickly(State s, Round* r) noexcept nogil:
    cdef Trial t
    cdef Mark mark = s.mark()
    cdef bint bye_here = r.odd and r.bye_score >= group_score(r)
    cdef int i, status, outcome
    if r.mdps > r.size - r.mdps or (bye_here and not r.size & 1):
        return GAVE_UP
    if bye_here or not r.size & 1:
        status = can_pair_all(s, r, NOBODY, below(r), r.odd and not bye_here)
        if status != PAIRED:
            return NONE_MEETS if status == NO_PAIRING else (NO_ROOM if status == NO_MEMORY else GAVE_UP)
    if not _fill(s, r, &t):
        return NO_ROOM
    _set_budgets(r, &t)
    t.spare, t.room = _spare_for_bye if bye_here else _spare_below, r
    t.nodes = s.node_budget
    outcome = try_in_order(s, &t)
    for i in range(r.size):
        r.pairs[i] = t.mate[i]
    s.release(mark)
    return outcome
