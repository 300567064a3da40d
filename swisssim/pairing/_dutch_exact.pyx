"""Criteria C6-C21 as digits of one weight per pair, and the smallest graph that proves the choice right.

Three graphs, from small to large. *Slim*: the bracket alone (and the bye, if it must come from here), without C8. *Near*: with the next
scoregroup and C8. *Full*: everybody not paired yet. Each smaller graph has every candidate of the larger one and perhaps more, so its
first-best candidate is the answer if it leaves a completable rest and attains what the smaller graph supposes of C8.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport highest, set_bit
from swisssim._brackets.digits cimport Digit, add_digit, put_digit
from swisssim._brackets.lineup cimport (
    ABSOLUTE, DOWN_1, DOWN_2, STRONG, UP_1, UP_2, Lineup, clash, complete, is_legal,
)
from swisssim._brackets.order cimport begin_bracket, best_pairing, first_pairing_in_order, open_bracket
from swisssim._matching._wide cimport wide_clear
from swisssim._matching.weighted cimport WEIGHTED_WORDS, weighted_set
from swisssim._state cimport NO_MEMORY, NO_PAIRING, PAIRED, Mark, State
from swisssim.pairing._dutch cimport NOBODY, WHOLE, Round, below, can_pair_all, float_well, group_score, score_of_member


# ---- one pair

cdef inline bint _loses_twice(const Lineup* f, int a, int b) noexcept nogil:
    """C11: of two clashing absolute preferences, the one that gives way would have a third equal colour in a row."""
    cdef int x
    if f.imbalance[a] != f.imbalance[b]:
        x = a if f.imbalance[a] < f.imbalance[b] else b
        return f.repeated[x] != 0 and f.repeated[x] != f.prefers[x]
    return f.repeated[a] != 0 and f.repeated[a] == f.repeated[b]


cdef int violations(const Round* r, int a, int b) noexcept nogil:
    cdef const Lineup* f = &r.f
    cdef int found = C12
    cdef bint absolute
    if not clash(f, a, b):
        return 0
    absolute = f.strength[a] == ABSOLUTE and f.strength[b] == ABSOLUTE
    if f.imbalance[a] >= 2 and f.imbalance[b] >= 2:
        found |= C10
    if absolute and _loses_twice(f, a, b):
        found |= C11
    if not absolute and f.strength[a] >= STRONG and f.strength[b] >= STRONG:
        found |= C13
    return found


# ---- the graph's digits

cdef int _find_levels(Graph* g) noexcept nogil:
    cdef int i
    g.levels = 0
    for i in range(g.r.mdps):
        if i and score_of_member(g.r, i) != score_of_member(g.r, i - 1):
            g.levels += 1
        g.level[i] = g.levels
    if g.r.mdps:
        g.levels += 1
    for i in range(g.r.mdps, g.r.size):
        g.level[i] = g.levels
    return g.levels


cdef inline uint8_t _floats_of(const Graph* g, int i) noexcept nogil:
    return g.r.f.floats[g.r.members[i]]


cdef inline bint _may_pair(const Graph* g, int i, int j) noexcept nogil:
    """Tell whether vertices i < j have an edge; two MDPs never have."""
    return j >= g.r.mdps and is_legal(&g.r.f, g.place[i], g.place[j])


cdef void _find_violated(Graph* g) noexcept nogil:
    """Digits that all pairs have in common are left out."""
    cdef int i, j, some = 0, every = C10 | C11 | C12 | C13, found
    for j in range(g.r.mdps, g.r.size):
        for i in range(j):
            if _may_pair(g, i, j):
                found = violations(g.r, g.place[i], g.place[j])
                some |= found
                every &= found
    g.violated = some & ~every


cdef int _count_members(const Graph* g, int level) noexcept nogil:
    cdef int i, found = 0
    for i in range(g.r.size):
        found += g.level[i] == level
    return found


cdef bint _mixed(const Graph* g, int level, int bit) noexcept nogil:
    """Tell whether some but not all members of a level have a float."""
    cdef int i, with_ = 0, members = 0
    for i in range(g.r.size):
        if g.level[i] == level:
            members += 1
            with_ += (_floats_of(g, i) & bit) != 0
    return 0 < with_ < members


cdef Digit _add(Graph* g, int criterion, bint needed, int most) noexcept nogil:
    """Add a digit of a criterion if it is needed, and note whose it is."""
    cdef Digit digit = add_digit(&g.b.digits, most if needed else 0)
    if digit.word >= 0:
        g.names[g.named].digit, g.names[g.named].criterion = digit, criterion
        g.named += 1
    return digit


cdef void _add_digits(Graph* g, int rounds) noexcept nogil:
    """All criteria, most significant first; a digit whose sum is the same for all best candidates is left out."""
    cdef bint next_ = g.near > g.r.size, several = g.levels >= 2, floats = not g.empty
    cdef int k, residents = g.levels
    g.all = _add(g, 4, g.bye or g.scope == FULL, g.n)
    g.c6 = _add(g, 6, True, g.n)
    for k in range(g.levels):
        g.c7[k] = _add(g, 7, floats, _count_members(g, k))
    g.c8 = _add(g, 8, next_, g.n)
    for k in range(g.levels + 1):
        g.c8_level[k] = _add(g, 8, next_, _count_members(g, k))
    g.c9_games = _add(g, 9, g.c9, rounds)
    g.c10 = _add(g, 10, g.violated & C10, g.n)
    g.c11 = _add(g, 11, g.violated & C11, g.n)
    g.c12 = _add(g, 12, g.violated & C12, g.n)
    g.c13 = _add(g, 13, g.violated & C13, g.n)
    g.c14 = _add(g, 14, floats and _mixed(g, residents, DOWN_1), g.n)
    g.c15 = _add(g, 15, g.levels and _mixed(g, residents, UP_1), g.n)
    g.c16 = _add(g, 16, floats and _mixed(g, residents, DOWN_2), g.n)
    g.c17 = _add(g, 17, g.levels and _mixed(g, residents, UP_2), g.n)
    for k in range(g.levels):
        g.c18[k] = _add(g, 18, floats and _mixed(g, k, DOWN_1), _count_members(g, k))
    for k in range(g.levels):
        g.c19[k] = _add(g, 19, several and _mixed(g, residents, UP_1), _count_members(g, k))
    for k in range(g.levels):
        g.c20[k] = _add(g, 20, floats and _mixed(g, k, DOWN_2), _count_members(g, k))
    for k in range(g.levels):
        g.c21[k] = _add(g, 21, several and _mixed(g, residents, UP_2), _count_members(g, k))


cdef bint _lay_out(State s, Graph* g, Round* r, int scope, bint c9) noexcept nogil:
    """Decide on the vertices, and take the memory for what belongs to them."""
    cdef int v
    cdef Digit* digits
    g.r, g.scope, g.c9 = r, scope, c9
    g.near = r.size
    g.named = 0
    if scope != SLIM and r.group + 1 < r.f.groups:
        g.near += r.f.start[r.group + 2] - below(r)
    g.n = r.size + r.f.m - below(r) if scope == FULL else g.near
    g.bye = r.odd and (scope == FULL or r.bye_score >= group_score(r))
    g.n += g.bye
    g.place = <int32_t*>s.scratch(<size_t>g.n * sizeof(int32_t))
    g.level = <int32_t*>s.scratch(<size_t>r.size * sizeof(int32_t))
    digits = <Digit*>s.scratch(<size_t>6 * (r.mdps + 1) * sizeof(Digit))
    g.names = <Named*>s.scratch((<size_t>6 * (r.mdps + 1) + 16) * sizeof(Named))
    if g.place == NULL or g.level == NULL or digits == NULL or g.names == NULL:
        return False
    g.c7, g.c8_level = digits, digits + (r.mdps + 1)
    g.c18, g.c19 = digits + 2 * (r.mdps + 1), digits + 3 * (r.mdps + 1)
    g.c20, g.c21 = digits + 4 * (r.mdps + 1), digits + 5 * (r.mdps + 1)
    for v in range(g.n):
        g.place[v] = r.members[v] if v < r.size else below(r) + v - r.size
    if g.bye:
        g.place[g.n - 1] = r.f.m
    return True


# ---- weights

cdef void _weigh_pair(const Graph* g, int i, int j, uint64_t* w) noexcept nogil:
    """A pair inside the bracket, i ranked above j."""
    cdef int found = violations(g.r, g.place[i], g.place[j]), level = g.level[i]
    cdef uint8_t above = _floats_of(g, i), low = _floats_of(g, j)
    cdef bint moved = i < g.r.mdps
    put_digit(w, g.c6, 1)
    put_digit(w, g.c10, not found & C10)
    put_digit(w, g.c11, not found & C11)
    put_digit(w, g.c12, not found & C12)
    put_digit(w, g.c13, not found & C13)
    put_digit(w, g.c14, ((low & DOWN_1) != 0) + (not moved and (above & DOWN_1) != 0))
    put_digit(w, g.c15, not (moved and low & UP_1))
    put_digit(w, g.c16, ((low & DOWN_2) != 0) + (not moved and (above & DOWN_2) != 0))
    put_digit(w, g.c17, not (moved and low & UP_2))
    if moved:
        put_digit(w, g.c7[level], 1)
        put_digit(w, g.c18[level], (above & DOWN_1) != 0)
        put_digit(w, g.c19[level], not low & UP_1)
        put_digit(w, g.c20[level], (above & DOWN_2) != 0)
        put_digit(w, g.c21[level], not low & UP_2)


cdef void _weigh(State s, const Graph* g, int i, int j, uint64_t* w) noexcept nogil:
    """Any edge of the graph, i < j."""
    cdef int player
    wide_clear(w, g.b.digits.words)
    if g.scope == FULL or (g.bye and j == g.n - 1):
        put_digit(w, g.all, 1)
    if j < g.r.size:
        _weigh_pair(g, i, j, w)
    elif j < g.near:
        put_digit(w, g.c8, 1)
        if i < g.r.size:
            put_digit(w, g.c8_level[g.level[i]], 1)
    elif g.c9 and g.bye and j == g.n - 1 and i < g.r.size:
        player = g.r.f.player[g.r.members[i]]
        put_digit(w, g.c9_games, s.whites[player] + s.blacks[player])


cdef bint _is_edge(const Graph* g, int i, int j) noexcept nogil:
    if g.scope != FULL and g.bye and j == g.n - 1 and i >= g.r.size:
        return False
    return _may_pair(g, i, j)


cdef void _join(State s, Graph* g) noexcept nogil:
    cdef uint64_t[WEIGHTED_WORDS] w
    cdef int i, j
    for j in range(g.r.mdps, g.n):
        for i in range(j):
            if _is_edge(g, i, j):
                _weigh(s, g, i, j, w)
                weighted_set(&g.b.g, i, j, w)


# ---- the choice

cdef int open_graph(State s, Graph* g, Round* r, int scope, bint empty, bint c9) noexcept nogil:
    if not _lay_out(s, g, r, scope, c9):
        return NO_MEMORY
    g.empty = empty
    begin_bracket(&g.b, g.n, r.mdps, r.size, True)
    _find_levels(g)
    _find_violated(g)
    _add_digits(g, s.rounds)
    if not open_bracket(s, &g.b):
        return NO_MEMORY
    _join(s, g)
    return PAIRED


cdef int _solve(State s, Graph* g, Round* r, int scope, bint empty, bint c9) noexcept nogil:
    """Choose in one graph and write the pairs."""
    cdef int i, status = open_graph(s, g, r, scope, empty, c9)
    if status == PAIRED:
        status = best_pairing(s, &g.b)
    if status == PAIRED:
        status = first_pairing_in_order(s, &g.b)
    if status == PAIRED:
        for i in range(r.size):
            r.pairs[i] = g.b.mate[i]
    return status


cdef int _near_holds(State s, const Graph* g, Round* r) noexcept nogil:
    """Tell (as a status) whether whom the near graph leaves over below the bracket can be paired with all the others."""
    cdef int v
    memset(r.alive, 0, <size_t>r.f.words * sizeof(uint64_t))
    for v in range(g.near):
        if (v >= r.size or r.pairs[v] < 0) and not 0 <= g.b.g.mate[v] < g.near:
            set_bit(r.alive, g.place[v])
    for v in range(r.f.start[r.group + 2], r.f.m):
        set_bit(r.alive, v)
    if r.odd:
        set_bit(r.alive, r.f.m)
    for v in range(r.f.m + 1):
        r.trial[v] = -1
    return complete(s, &r.f, r.alive, r.trial)


cdef int look_ahead(State s, Round* r, bint* empty, bint* c9) noexcept nogil:
    cdef bint bye_here = r.odd and r.bye_score >= group_score(r)
    cdef int status = can_pair_all(s, r, NOBODY, below(r), r.odd and not bye_here)
    empty[0] = c9[0] = False
    if status == PAIRED and (bye_here or not r.size & 1):
        status = can_pair_all(s, r, WHOLE, r.f.m, bye_here)
        if bye_here:
            c9[0] = status == PAIRED
        else:
            empty[0] = status == PAIRED
    return PAIRED if status == NO_PAIRING else status


cdef int choose_exactly(State s, Round* r) noexcept nogil:
    cdef Graph g
    cdef Mark mark = s.mark()
    cdef bint c9, empty
    cdef int status = look_ahead(s, r, &empty, &c9)
    if status == PAIRED:
        status = _solve(s, &g, r, SLIM, empty, c9)
        s.release(mark)
    if status != PAIRED or empty or c9 or r.group + 1 == r.f.groups:
        return status
    status = float_well(s, r)
    if status == NO_PAIRING and r.group + 2 < r.f.groups:
        status = _solve(s, &g, r, NEAR, False, False)
        if status == PAIRED:
            status = _near_holds(s, &g, r)
        s.release(mark)
    if status == NO_PAIRING:
        status = _solve(s, &g, r, FULL, False, False)
        s.release(mark)
    return status


# ---- comparison

cdef int first_difference(const Graph* g, const uint64_t* a, const uint64_t* b) noexcept nogil:
    cdef int w = 0, k, shift
    while w < g.b.digits.words and a[w] == b[w]:
        w += 1
    if w == g.b.digits.words:
        return 0
    shift = highest(a[w] ^ b[w])
    for k in range(g.named):
        if w < g.names[k].digit.word or (w == g.names[k].digit.word and shift >= g.names[k].digit.shift):
            return g.names[k].criterion
    return 0
