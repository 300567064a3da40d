"""Decisions in generation order, each by a bonus on the edges of one vertex and a repaired matching.

The criteria and the decisions already taken stay best throughout, so the last matching is always a witness, and a decision that the
witness already takes as the order would have it needs no matching. Why this is the order of the rules (C.04.3 D.1-D.3): among the
exchanges that produce the same pairs, the first is the one whose S1 holds the higher ranked player of every pair.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from swisssim._brackets.digits cimport add_digit, no_digits, put_digit
from swisssim._matching._wide cimport wide_clear
from swisssim._matching.weighted cimport (
    weighted_add, weighted_bytes, weighted_clear, weighted_get, weighted_init, weighted_remove, weighted_solve,
)
from swisssim._state cimport CANCELLED, PAIRED, State


cdef void begin_bracket(Bracket* b, int n, int mdps, int size, bint limbo) noexcept nogil:
    b.n, b.mdps, b.size, b.limbo = n, mdps, size, limbo
    no_digits(&b.digits)


cdef bint open_bracket(State s, Bracket* b) noexcept nogil:
    cdef uint64_t size = b.size
    cdef size_t bytes_
    cdef void* memory
    b.exchanges = add_digit(&b.digits, size)
    b.places = add_digit(&b.digits, size * (size + 1) // 2)
    b.choice = add_digit(&b.digits, 2 * size + 2)
    bytes_ = weighted_bytes(b.n, b.digits.words)
    if bytes_ == 0:
        return False
    memory = s.scratch(bytes_)
    b.mate = <int32_t*>s.scratch(<size_t>b.n * sizeof(int32_t))
    b.bsn = <int32_t*>s.scratch(<size_t>b.n * sizeof(int32_t))
    b.rest = <int32_t*>s.scratch(<size_t>b.size * sizeof(int32_t))
    b.higher = <uint8_t*>s.scratch(b.size)
    b.bonus = <uint64_t*>s.scratch(<size_t>b.digits.words * sizeof(uint64_t))
    if memory == NULL or b.mate == NULL or b.bsn == NULL or b.rest == NULL or b.higher == NULL or b.bonus == NULL:
        return False
    weighted_init(&b.g, b.n, b.digits.words, memory)
    return True


cdef int best_pairing(State s, Bracket* b) noexcept nogil:
    return CANCELLED if weighted_solve(&b.g, s.cancel) < 0 else PAIRED


cdef int first_pairing_in_order(State s, Bracket* b) noexcept nogil:
    cdef int i, status
    for i in range(b.n):
        b.mate[i] = -1
    status = _choose_mdps(s, b)
    for i in range(b.mdps):
        if status == PAIRED and _in_mdp_pairing(b, i, b.g.mate[i]):
            status = _choose_partner(s, b, i, b.mdps)
    if status == PAIRED:
        _collect_rest(b)
        if b.half > 0:
            status = _choose_remainder(s, b)
    return status


# ---- helpers

cdef inline bint _in_mdp_pairing(const Bracket* b, int i, int j) noexcept nogil:
    return i < b.mdps <= j < b.size


cdef inline void _give_bonus(Bracket* b, int i, int j, int value) noexcept nogil:
    """Add to the digit of the decision in hand."""
    wide_clear(b.bonus, b.digits.words)
    put_digit(b.bonus, b.choice, abs(value))
    if value < 0:
        _negate(b)
    weighted_add(&b.g, i, j, b.bonus)


cdef inline void _negate(Bracket* b) noexcept nogil:
    cdef int w
    cdef uint64_t carry = 1
    for w in range(b.digits.words - 1, -1, -1):
        b.bonus[w] = ~b.bonus[w] + carry
        carry = carry and b.bonus[w] == 0


cdef inline bint _joined(const Bracket* b, int i, int j) noexcept nogil:
    return weighted_get(&b.g, i, j, NULL)


# ---- 1: the set of MDPs

cdef int _choose_mdps(State s, Bracket* b) noexcept nogil:
    """Among the sets that the criteria leave open take the first; unless all or none are paired there may be several."""
    cdef int i, j, wanted = 0, found = 0
    for i in range(b.mdps):
        wanted += _in_mdp_pairing(b, i, b.g.mate[i])
    if wanted == b.mdps:
        return PAIRED
    for i in range(b.mdps):
        if found < wanted and not _in_mdp_pairing(b, i, b.g.mate[i]):
            for j in range(b.mdps, b.size):
                _give_bonus(b, i, j, 1)
            if best_pairing(s, b) != PAIRED:
                return CANCELLED
        if found < wanted and _in_mdp_pairing(b, i, b.g.mate[i]):
            found += 1
            _keep_in_pairing(b, i)
        else:
            for j in range(b.mdps, b.size):
                weighted_clear(&b.g, i, j)
        if best_pairing(s, b) != PAIRED:
            return CANCELLED
    return PAIRED


cdef void _keep_in_pairing(Bracket* b, int i) noexcept nogil:
    """The MDP i is in the MDP-pairing, whatever the later ones do: a digit above their decisions holds him there."""
    cdef int j
    wide_clear(b.bonus, b.digits.words)
    put_digit(b.bonus, b.exchanges, 1)
    for j in range(b.n):
        if j == i:
            continue
        if _in_mdp_pairing(b, i, j):
            weighted_add(&b.g, i, j, b.bonus)
        else:
            weighted_clear(&b.g, i, j)


# ---- 2 and 8: the partner of one player

cdef int _choose_partner(State s, Bracket* b, int i, int first) noexcept nogil:
    """Give i the highest ranked partner from `first` on that the criteria allow, and take both out of the graph."""
    cdef int j, mate = b.g.mate[i]
    cdef bint better = False
    for j in range(first, mate):
        better |= _joined(b, i, j)
    if better:
        for j in range(mate + 1, b.size):
            weighted_clear(&b.g, i, j)
        for j in range(first, mate):
            _give_bonus(b, i, j, mate - j)
        if best_pairing(s, b) != PAIRED:
            return CANCELLED
        mate = b.g.mate[i]
    b.mate[i], b.mate[mate] = mate, i
    weighted_remove(&b.g, i)
    weighted_remove(&b.g, mate)
    return best_pairing(s, b)


# ---- 3 to 8: the remainder

cdef void _collect_rest(Bracket* b) noexcept nogil:
    """Number the players of the remainder by rank and count its pairs."""
    cdef int i, pairs = 0
    b.rest_size = 0
    for i in range(b.n):
        b.bsn[i] = -1
    for i in range(b.mdps if b.limbo else 0, b.size):
        if b.mate[i] < 0:
            b.bsn[i] = b.rest_size
            b.rest[b.rest_size] = i
            b.rest_size += 1
            pairs += i < b.g.mate[i] < b.size
    b.half = pairs


cdef inline bint _is_higher(const Bracket* b, int i) noexcept nogil:
    """Tell whether i is the higher ranked player of a pair of the remainder."""
    return b.bsn[i] >= 0 and i < b.g.mate[i] < b.size


cdef inline bint _in_first_half(const Bracket* b, int i) noexcept nogil:
    return b.bsn[i] < b.half


cdef int _choose_remainder(State s, Bracket* b) noexcept nogil:
    cdef int k, exchanged
    exchanged = _count_exchanged(b)
    if exchanged:
        _weigh_exchanges(b)
        if best_pairing(s, b) != PAIRED:
            return CANCELLED
        exchanged = _count_exchanged(b)
    if exchanged:
        if _choose_leavers(s, b, exchanged) != PAIRED or _choose_entrants(s, b, exchanged) != PAIRED:
            return CANCELLED
    _fix_roles(b)
    if best_pairing(s, b) != PAIRED:
        return CANCELLED
    for k in range(b.rest_size):
        if b.higher[k] and _choose_partner(s, b, b.rest[k], b.rest[k] + 1) != PAIRED:
            return CANCELLED
    return PAIRED


cdef int _count_exchanged(const Bracket* b) noexcept nogil:
    """Count the members of the original S1 that are not the higher player of a pair."""
    cdef int k, exchanged = 0
    for k in range(b.half):
        exchanged += not _is_higher(b, b.rest[k])
    return exchanged


cdef void _weigh_exchanges(Bracket* b) noexcept nogil:
    """Fewest exchanged players, then the smallest difference of their BSNs: the higher players should stand high."""
    cdef int k, q, i
    for k in range(b.rest_size):
        i = b.rest[k]
        wide_clear(b.bonus, b.digits.words)
        put_digit(b.bonus, b.exchanges, _in_first_half(b, i))
        put_digit(b.bonus, b.places, b.rest_size - k)
        for q in range(k + 1, b.rest_size):
            weighted_add(&b.g, i, b.rest[q], b.bonus)


cdef int _choose_leavers(State s, Bracket* b, int wanted) noexcept nogil:
    """Of the original S1 the lowest ranked should leave it."""
    cdef int k, q, i
    for k in range(b.half - 1, -1, -1):
        if wanted == 0:
            return PAIRED
        i = b.rest[k]
        if _is_higher(b, i):
            for q in range(k + 1, b.rest_size):
                _give_bonus(b, i, b.rest[q], -1)
            if best_pairing(s, b) != PAIRED:
                return CANCELLED
        if not _is_higher(b, i):
            wanted -= 1
            for q in range(k + 1, b.rest_size):
                weighted_clear(&b.g, i, b.rest[q])
            if best_pairing(s, b) != PAIRED:
                return CANCELLED
    return PAIRED


cdef int _choose_entrants(State s, Bracket* b, int wanted) noexcept nogil:
    """Of the original S2 the highest ranked should enter S1."""
    cdef int k, q, i
    for k in range(b.half, b.rest_size):
        if wanted == 0:
            return PAIRED
        i = b.rest[k]
        if not _is_higher(b, i):
            for q in range(k + 1, b.rest_size):
                _give_bonus(b, i, b.rest[q], 1)
            if best_pairing(s, b) != PAIRED:
                return CANCELLED
        if _is_higher(b, i):
            wanted -= 1
            _keep_higher(b, k)
            if best_pairing(s, b) != PAIRED:
                return CANCELLED
    return PAIRED


cdef void _keep_higher(Bracket* b, int k) noexcept nogil:
    """The player with position k of the remainder is to remain a higher player: worth as much as an exchange saved."""
    cdef int q, i = b.rest[k]
    for q in range(k):
        weighted_clear(&b.g, i, b.rest[q])
    wide_clear(b.bonus, b.digits.words)
    put_digit(b.bonus, b.exchanges, 1)
    for q in range(k + 1, b.rest_size):
        weighted_add(&b.g, i, b.rest[q], b.bonus)


cdef void _fix_roles(Bracket* b) noexcept nogil:
    """Leave only pairs of a player in the new S1 with a lower ranked one outside it."""
    cdef int k, q, i
    for k in range(b.rest_size):
        b.higher[k] = _is_higher(b, b.rest[k])
    for k in range(b.rest_size):
        i = b.rest[k]
        for q in range(k + 1, b.rest_size):
            if not b.higher[k] or b.higher[q]:
                weighted_clear(&b.g, i, b.rest[q])
