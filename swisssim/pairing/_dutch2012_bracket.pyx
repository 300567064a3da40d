"""Best pairing of one bracket of the 2012 Dutch: one at all lower bounds if there is any, else by maximum-weight matching.

Why the matching gives the best vector (q1..q10): with the number of pairs fixed by q1 (or by completeness), every criterion is a sum
over pairs. Scores of MDPs left unpaired are compared highest first, so pairing as many as possible of the highest score, then of the
next, is the same (q2). Downfloats repeated (q7, q8) are those of all players less those of players who do not float down, which
is a sum over pairs; MDPs of a heterogeneous bracket float down whatever happens.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport next_bit, set_bit, test_bit
from swisssim._brackets.digits cimport Digit, add_digit, put_digit
from swisssim._brackets.lineup cimport (
    DOWN_1, DOWN_2, UP_1, UP_2, clash, complete, is_legal, legal_row, score_at,
)
from swisssim._brackets.order cimport Bracket, begin_bracket, best_pairing, first_pairing_in_order, open_bracket
from swisssim._matching._wide cimport wide_clear
from swisssim._matching.weighted cimport weighted_set
from swisssim._state cimport NO_MEMORY, NO_PAIRING, PAIRED, Mark, State
from swisssim.pairing._dutch2012_fast cimport try_bounds
from swisssim.pairing._dutch2012_trace cimport tell_bracket, tell_pairing

cdef enum:
    ONE_POINT = 10


cdef int pair_bracket(State s, Round* r, Task* k) noexcept nogil:
    cdef Mark mark = s.mark()
    cdef int status
    if not lay_out(s, r, k):
        return NO_MEMORY
    if s.tracing and k.goal != COVERING and k.goal != OPENING:
        tell_bracket(s, r, k)
    status = try_bounds(s, r, k)
    if status == NO_PAIRING:
        status = solve(s, r, k)
    if status == PAIRED:
        keep(r, k)
        if s.tracing:
            if k.goal == COVERING or k.goal == OPENING:
                tell_bracket(s, r, k)
            tell_pairing(s, r, k)
    s.release(mark)
    return status


# ---- who is in the bracket

cdef bint lay_out(State s, Round* r, Task* k) noexcept nogil:
    """Number the vertices, set aside who has no legal opponent in the bracket, and find its kind."""
    cdef int p, v, members = 0
    cdef int32_t* apart
    k.place = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    k.partner = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    apart = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    if k.place == NULL or k.partner == NULL or apart == NULL:
        return False
    memset(r.members, 0, r.f.words * sizeof(uint64_t))
    for p in range(k.end):
        if r.mate[p] < 0:
            set_bit(r.members, p)
            members += 1
    k.above = k.size = k.aside = 0
    for p in range(k.end):
        if r.mate[p] >= 0:
            continue
        if meets_nobody(r, p):
            apart[k.aside] = p
            k.aside += 1
        else:
            k.place[k.size] = p
            k.size += 1
            k.above += p < k.start
    k.n = k.size
    for v in range(k.aside):
        add_vertex(k, apart[v])
    if k.goal == COVERING or k.goal == OPENING:
        for p in range(k.end, k.beyond):
            add_vertex(k, p)
    if k.goal >= OPENING and k.n % 2:
        add_vertex(k, r.f.m)
    k.mdps = k.above if 2 * k.above < k.size else 0
    return True


cdef inline void add_vertex(Task* k, int p) noexcept nogil:
    k.place[k.n] = p
    k.n += 1


cdef inline bint meets_nobody(Round* r, int p) noexcept nogil:
    cdef const uint64_t* row = legal_row(&r.f, p)
    cdef int w
    for w in range(r.f.words):
        if row[w] & r.members[w]:
            return False
    return True


cdef void keep(Round* r, Task* k) noexcept nogil:
    """Write the pairs to the round; the one whom a lowest bracket leaves over gets the bye."""
    cdef int v, p
    for v in range(k.size + k.aside):
        p = k.place[v]
        if v < k.size and k.partner[v] >= 0:
            r.mate[p] = k.place[k.partner[v]]
            r.made[p] = k.level
        elif k.goal == COMPLETE:
            r.bye = p


# ---- the best pairing

cdef struct Scale:
    # Digits of the weight, most significant first; `whole` makes the goal reached, `across` is M1 of rule 4a.
    Digit whole
    Digit across
    Digit pairs
    Digit* level        # q2 on the way down: one for each score of MDPs ...
    int32_t* level_of   # ... and which one a vertex has, -1 none
    Digit squares       # q2 of a lowest bracket
    Digit waiver
    Digit firm_odd
    Digit clash
    Digit firm_even
    Digit[4] floats     # q7 to q10
    int64_t widest      # largest square of a score difference, the bye's included
    int32_t below       # the bye's score


cdef int solve(State s, Round* r, Task* k) noexcept nogil:
    """The first in generation order of the best pairings that reach the goal."""
    cdef Bracket b
    cdef Scale c
    cdef int v, status
    if k.goal >= OPENING:
        status = can_be_complete(s, r, k)
        if status != PAIRED:
            return status
    begin_bracket(&b, k.n, k.mdps, k.size, k.goal != COMPLETE)
    if not lay_scale(s, r, k, &b, &c) or not open_bracket(s, &b):
        return NO_MEMORY
    if not draw_edges(s, r, k, &b, &c):
        return NO_MEMORY
    status = best_pairing(s, &b)
    if status == PAIRED and not reaches_goal(r, k, &b):
        return NO_PAIRING
    if status == PAIRED:
        status = first_pairing_in_order(s, &b)
    for v in range(k.n):
        k.partner[v] = b.mate[v]
    return status


cdef int can_be_complete(State s, Round* r, Task* k) noexcept nogil:
    """Ask first whether all vertices can be matched at all, which costs little."""
    cdef int v, p
    memset(r.alive, 0, r.f.words * sizeof(uint64_t))
    for v in range(k.n):
        set_bit(r.alive, k.place[v])
    for p in range(r.f.m + 1):
        if not test_bit(r.alive, p) and r.cover[p] >= 0:
            r.cover[r.cover[p]] = -1
            r.cover[p] = -1
    return complete(s, &r.f, r.alive, r.cover)


cdef bint lay_scale(State s, Round* r, Task* k, Bracket* b, Scale* c) noexcept nogil:
    cdef uint64_t most = k.n
    cdef uint64_t any_down_1 = 0, any_down_2 = 0, any_up_1 = 0, any_up_2 = 0
    cdef int v, floats
    for v in range(k.size):
        floats = r.f.floats[k.place[v]]
        any_down_1 |= floats & DOWN_1
        any_down_2 |= floats & DOWN_2
        any_up_1 |= floats & UP_1
        any_up_2 |= floats & UP_2
    c.whole = add_digit(&b.digits, 2 * most if k.goal != PLAIN else 0)
    c.across = add_digit(&b.digits, most if k.goal == COMPLETE and k.mdps else 0)
    c.pairs = add_digit(&b.digits, most if k.goal != COMPLETE else 0)
    if not lay_levels(s, r, k, b, c):
        return False
    c.below = score_at(&r.f, k.end - 1) - ONE_POINT
    c.widest = 0
    for v in range(k.size + k.aside):
        c.widest = max(c.widest, square(score_at(&r.f, k.place[v]) - c.below))
    c.squares = add_digit(&b.digits, c.widest * most if k.goal == COMPLETE else 0)
    c.waiver = add_digit(&b.digits, most if r.f.any_top else 0)
    c.firm_odd = add_digit(&b.digits, most if s.round % 2 else 0)
    c.clash = add_digit(&b.digits, most)
    c.firm_even = add_digit(&b.digits, 0 if s.round % 2 else most)
    c.floats[0] = add_digit(&b.digits, most if any_down_1 else 0)
    c.floats[1] = add_digit(&b.digits, most if any_down_2 else 0)
    c.floats[2] = add_digit(&b.digits, most if any_up_1 else 0)
    c.floats[3] = add_digit(&b.digits, most if any_up_2 else 0)
    return True


cdef inline int64_t square(int64_t x) noexcept nogil:
    return x * x


cdef bint lay_levels(State s, Round* r, Task* k, Bracket* b, Scale* c) noexcept nogil:
    """One digit for each score among the MDPs, highest first; no more of them can be paired than there are."""
    cdef int v, first = 0, levels = 0
    c.level = <Digit*>s.scratch(<size_t>(k.above + 1) * sizeof(Digit))
    c.level_of = <int32_t*>s.scratch(<size_t>(k.size + 1) * sizeof(int32_t))
    if c.level == NULL or c.level_of == NULL:
        return False
    for v in range(k.size):
        c.level_of[v] = levels if v < k.above and k.goal != COMPLETE else -1
        if v < k.above and (v + 1 == k.above or not same_score(r, k.place[v], k.place[v + 1])):
            c.level[levels] = add_digit(&b.digits, v + 1 - first if k.goal != COMPLETE else 0)
            levels += 1
            first = v + 1
    return True


cdef bint draw_edges(State s, Round* r, Task* k, Bracket* b, Scale* c) noexcept nogil:
    cdef uint64_t* weight = <uint64_t*>s.scratch(<size_t>b.digits.words * sizeof(uint64_t))
    cdef int u, v
    if weight == NULL:
        return False
    for u in range(k.n):
        for v in range(u + 1, k.n):
            if not is_legal(&r.f, k.place[u], k.place[v]):
                continue
            wide_clear(weight, b.digits.words)
            if v < k.size:
                if k.goal != COMPLETE and v < k.mdps:
                    continue                                # on the way down MDPs meet residents only
                weigh_pair(s, r, k, c, weight, u, v)
            elif k.goal == COVERING and u >= k.size + k.aside:
                continue                                    # the next bracket is there to receive, not to be paired
            else:
                put_digit(weight, c.whole, 1 if k.goal == COVERING else 2)
                if k.goal == COMPLETE:
                    put_digit(weight, c.squares, c.widest - square(score_at(&r.f, k.place[u]) - c.below))
            weighted_set(&b.g, u, v, weight)
    return True


cdef void weigh_pair(State s, Round* r, Task* k, Scale* c, uint64_t* weight, int u, int v) noexcept nogil:
    """The weight of a pair inside the bracket, vertex u ranked above v."""
    cdef int p = k.place[u], q = k.place[v]
    cdef int own = r.f.floats[p], other = r.f.floats[q]
    cdef bint equal = same_score(r, p, q)
    put_digit(weight, c.whole, 2)
    put_digit(weight, c.across, u < k.mdps <= v)
    put_digit(weight, c.pairs, 1)
    if c.level_of[u] >= 0:
        put_digit(weight, c.level[c.level_of[u]], 1)
    if c.level_of[v] >= 0:
        put_digit(weight, c.level[c.level_of[v]], 1)
    put_digit(weight, c.squares, c.widest - square(score_at(&r.f, p) - score_at(&r.f, q)))
    put_digit(weight, c.waiver, not waives(r, p, q))
    put_digit(weight, c.firm_odd, not clashes_firmly(r, p, q))
    put_digit(weight, c.clash, not clash(&r.f, p, q))
    put_digit(weight, c.firm_even, not clashes_firmly(r, p, q))
    put_digit(weight, c.floats[0], (equal and own & DOWN_1 != 0) + (other & DOWN_1 != 0))
    put_digit(weight, c.floats[1], (equal and own & DOWN_2 != 0) + (other & DOWN_2 != 0))
    put_digit(weight, c.floats[2], equal or not other & UP_1)
    put_digit(weight, c.floats[3], equal or not other & UP_2)


cdef bint reaches_goal(Round* r, Task* k, Bracket* b) noexcept nogil:
    """All the best pairings agree in what is asked here, so one of them tells."""
    cdef int v, pairs = 0
    if k.goal == PLAIN:
        return True
    for v in range(k.size + k.aside if k.goal == COVERING else k.n):
        if b.g.mate[v] < 0:
            return False
    for v in range(k.size):
        pairs += v < b.g.mate[v] < k.size
    return pairs > 0 if k.goal == OPENING else (k.goal == COMPLETE or same_floaters(r, k, b))


cdef bint same_floaters(Round* r, Task* k, Bracket* b) noexcept nogil:
    """Rule 5: those left unpaired have the scores of the old floaters."""
    cdef int v, p, count = 0
    memset(r.alive, 0, r.f.words * sizeof(uint64_t))
    for v in range(k.size + k.aside):
        if v >= k.size or b.g.mate[v] >= k.size:
            set_bit(r.alive, k.place[v])
    p = next_bit(r.alive, 0, k.end)
    while p >= 0:
        if count == k.olds or score_at(&r.f, p) != k.old[count]:
            return False
        count += 1
        p = next_bit(r.alive, p + 1, k.end)
    return count == k.olds
