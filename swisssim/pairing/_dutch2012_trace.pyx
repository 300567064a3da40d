"""Events of one bracket for explanations: as it stood, set aside, pairs, exchanges, criteria not met, floats."""

from swisssim._bits cimport next_bit
from swisssim._brackets.lineup cimport DOWN_1, DOWN_2, UP_1, UP_2, clash, is_legal
from swisssim._state cimport CHOSEN, COLOUR, HAD_BYE, MET, State, have_met, note
from swisssim.pairing._dutch2012_bracket cimport (
    A1, A2, A3, ACCEPTED, BRACKET, COMPLETE, COVERING, EXCHANGED, FLOATS, GETS_BYE, LEFT_UNPAIRED, LOWEST_RESIDENT, MOVED_DOWN,
    ORDER, PAIRED_AGAIN, QUALITY, RESIDENT, RULE, SET_ASIDE, Round, Task, clashes_firmly, same_score, waives,
)


cdef inline int player_of(Round* r, Task* k, int v) noexcept nogil:
    return r.f.player[k.place[v]]


# ---- before

cdef void tell_bracket(State s, Round* r, Task* k) noexcept nogil:
    cdef int p, v, shift = LOWEST_RESIDENT - RESIDENT if k.goal == COMPLETE else 0
    if k.goal == COVERING:
        note(s, RULE + 5, k.left, -1, PAIRED_AGAIN)
    p = next_bit(r.members, 0, k.end)
    while p >= 0:
        note(s, BRACKET, r.f.player[p], -1, (RESIDENT if p >= k.start else MOVED_DOWN) + shift)
        if k.goal == COMPLETE and r.f.m % 2 and not is_legal(&r.f, p, r.f.m):
            note(s, A2, r.f.player[p], -1, HAD_BYE)
        p = next_bit(r.members, p + 1, k.end)
    for v in range(k.size, k.size + k.aside):
        tell_aside(s, r, k, k.place[v])


cdef void tell_aside(State s, Round* r, Task* k, int p) noexcept nogil:
    """Why p can meet nobody in the bracket."""
    cdef int q = next_bit(r.members, 0, k.end)
    while q >= 0:
        if q != p and have_met(s, r.f.player[p], r.f.player[q]):
            note(s, A1, r.f.player[p], r.f.player[q], MET)
        elif q != p:
            note(s, A3, r.f.player[p], r.f.player[q], COLOUR)
        q = next_bit(r.members, q + 1, k.end)
    note(s, RULE + 3, r.f.player[p], -1, SET_ASIDE)


# ---- after

cdef void tell_pairing(State s, Round* r, Task* k) noexcept nogil:
    cdef int v, floaters = 0
    tell_exchanges(s, r, k)
    for v in range(k.size):
        if k.partner[v] > v:
            note(s, ORDER, player_of(r, k, v), player_of(r, k, k.partner[v]), CHOSEN)
            tell_pair(s, r, k.place[v], k.place[k.partner[v]])
    for v in range(k.size + k.aside):
        floaters += v >= k.size or k.partner[v] < 0
    for v in range(k.size + k.aside):
        if v >= k.size or k.partner[v] < 0:
            tell_unpaired(s, r, k, v, floaters)


cdef void tell_unpaired(State s, Round* r, Task* k, int v, int floaters) noexcept nogil:
    cdef int p = k.place[v], i = r.f.player[k.place[v]]
    if p < k.start:
        note(s, QUALITY + 2, i, -1, LEFT_UNPAIRED)
    if r.f.floats[p] & DOWN_1:
        note(s, QUALITY + 7, i, -1, ACCEPTED)
    if r.f.floats[p] & DOWN_2:
        note(s, QUALITY + 8, i, -1, ACCEPTED)
    if k.goal == COMPLETE:
        note(s, RULE + 6, i, -1, GETS_BYE)
    else:
        note(s, RULE + (3 if v >= k.size else (1 if floaters == 1 else 2)), i, -1, FLOATS)


cdef void tell_pair(State s, Round* r, int p, int q) noexcept nogil:
    """The criteria that a pair does not meet: no better pairing of the bracket was to be had."""
    cdef int i = r.f.player[p], j = r.f.player[q]
    if waives(r, p, q):
        note(s, QUALITY + 3, i, j, ACCEPTED)
    if clashes_firmly(r, p, q):
        note(s, QUALITY + (4 if s.round % 2 else 6), i, j, ACCEPTED)
    elif clash(&r.f, p, q):
        note(s, QUALITY + 5, i, j, ACCEPTED)
    if same_score(r, p, q):
        return
    if r.f.floats[p] & DOWN_1:
        note(s, QUALITY + 7, i, j, ACCEPTED)
    if r.f.floats[p] & DOWN_2:
        note(s, QUALITY + 8, i, j, ACCEPTED)
    if r.f.floats[q] & UP_1:
        note(s, QUALITY + 9, j, i, ACCEPTED)
    if r.f.floats[q] & UP_2:
        note(s, QUALITY + 10, j, i, ACCEPTED)


cdef inline bint in_mdp_pairing(Task* k, int v) noexcept nogil:
    return k.partner[v] >= 0 and (v < k.mdps) != (k.partner[v] < k.mdps)


cdef inline bint in_remainder(Task* k, int v) noexcept nogil:
    """Of the MDPs outside the subset only those of a lowest bracket belong to the remainder."""
    return not in_mdp_pairing(k, v) and (v >= k.mdps or k.goal == COMPLETE)


cdef void tell_exchanges(State s, Round* r, Task* k) noexcept nogil:
    """Name who left S1 of the remainder and who entered it, in pairs: S1 holds the higher ranked player of every pair."""
    cdef int v, position = 0, half = 0, entrant = -1
    for v in range(k.size):
        half += in_remainder(k, v) and k.partner[v] > v
    for v in range(k.size):
        if not in_remainder(k, v):
            continue
        if position < half and k.partner[v] <= v:
            entrant = next_entrant(k, entrant, half)
            note(s, ORDER, player_of(r, k, v), player_of(r, k, entrant), EXCHANGED)
        position += 1


cdef int next_entrant(Task* k, int after, int half) noexcept nogil:
    """Return the next vertex of the original S2 that is the higher player of a pair."""
    cdef int v, position = 0
    for v in range(k.size):
        if in_remainder(k, v):
            if position >= half and v > after and k.partner[v] > v:
                return v
            position += 1
    return -1
