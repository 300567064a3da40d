"""The regulated Swiss of the Russian draughts rules: median last, colour-equalising floaters (draughts rules 5.3.15, FIDE Swiss of 1987).

Decided where the rule text is silent, beyond the rules page of this system:

- If the absolute colour rule forbids a player both colours (possible only in history that another system paired), his due colour follows
  from his counts.
- In the median every floater, from either side, looks for the best-ranked resident: the median is paired in downward mode.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport set_bit
from swisssim._boards cimport ranks_above, sort_boards
from swisssim._byes cimport may_have_bye
from swisssim._colours cimport colour_legal, due_by_count, latest_difference, may_take
from swisssim._core cimport PairingSystem
from swisssim._matching.cardinality cimport matching_bytes, maximum_matching
from swisssim._search cimport first_bye, first_pairing
from swisssim._state cimport CANCELLED, HAD_BYE, NO_MEMORY, NO_PAIRING, PAIRED, WIN, Mark, State, add_board, have_met, note
from swisssim.pairing._regulated_group cimport (
    AHEAD, BLOCKED, BROKEN_UP, BYE, CHOSEN_TO_FLOAT, COLOURS, DOWN, FLOAT, FROM_ABOVE, FROM_BELOW, GROUP, MEDIAN,
    NEEDED, PAIR, RESIDENT, RULE, UP, Round, choose_floats, compatible, draw_graph, drop, float_keys, insert,
    next_candidate,
)

cdef class Regulated(PairingSystem):
    """The regulated Swiss system: groups from both ends towards the median, which is paired last."""

    summary = "Regulated Swiss of the Russian draughts rules: both ends first, median group last, floaters equalise colours"
    source = "Russian draughts rules 5.3.15; FIDE Swiss rules of 1987 (Lim) where these are silent"
    draws_colour = True
    colour_limits = True
    OPTIONS = {"colour_limits": True}
    ARTICLES = {
        BYE: "5.3.15.2, the bye",
        GROUP: "5.3.15.3, the group as it stood",
        FLOAT: "5.3.15.4, who floats on",
        PAIR: "5.3.15.3 and 4, floaters first, then upper half against lower half",
        BLOCKED: "blocked median: an earlier pair is broken up",
        COLOURS: "colours",
    }
    KINDS = {BYE: "bye", GROUP: "group", FLOAT: "float", PAIR: "pair", BLOCKED: "undo", COLOURS: "colour"}
    REASONS = {
        RESIDENT + DOWN: "residents, paired downward",
        RESIDENT + UP: "residents, paired upward",
        RESIDENT + MEDIAN: "residents of the median",
        FROM_ABOVE: "floaters from above",
        FROM_BELOW: "floaters from below",
        CHOSEN_TO_FLOAT: "{player} floats on",
        NEEDED: "{player} cannot float: one more player would be left over then",
        BROKEN_UP: "the pair of {player} and {others} is broken up; both join the median",
        AHEAD + 1: "{player} goes before {others}: he has not floated into the group (A.1)",
        AHEAD + 2: "{player} goes before {others}: he has a partner in the next group (A.2)",
        AHEAD + 3: "{player} goes before {others}: he is due the colour that more players are due (A.3)",
        AHEAD + 4: "{player} goes before {others}: by score and number (A.4)",
        RULE + 1: "rule 1: round 1, the drawn colour on the first board, then in turn",
        RULE + 2: "rule 2: the only legal assignment",
        RULE + 3: "rule 3: due colours granted",
        RULE + 4: "rule 4: larger colour difference, then the latest round with different colours",
        RULE + 5: "rule 5: identical histories, the number decides",
        RULE + 6: "rule 6: no due colours, the number decides",
    }

    cdef bint limits

    def __init__(self, **options):
        super().__init__(**options)
        self.limits = self.options["colour_limits"]

    cdef bint may_meet(self, State s, int i, int j) noexcept nogil:
        return not have_met(s, i, j) and (s.last_round or not self.limits or colour_legal(s, i, j))

    cdef int pair(self, State s) noexcept nogil:
        cdef Round* h = begin(s, self.limits)
        cdef int status
        if h == NULL:
            return NO_MEMORY
        status = give_bye(s, h)
        if status == PAIRED:
            status = pair_groups(s, h)
        if status == PAIRED:
            status = finish(s, h)
        return status


# ------------------------------------------------------------------------------------------------------------------ beginning and end

cdef Round* begin(State s, bint limits) noexcept nogil:
    """Set up a round: memory, pairing order, due colours."""
    cdef int i, k, n = s.players + 1
    cdef Round* h = <Round*> s.scratch(sizeof(Round))
    if h == NULL:
        return NULL
    memset(h, 0, sizeof(Round))
    h.limits = limits
    h.restricted = limits and not s.last_round
    h.size = s.field
    h.rank = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.player = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.partner = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.sequence = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.falling = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.rising = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.chosen = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.first = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.second = <int32_t*> s.scratch(n * sizeof(int32_t))
    h.due = <int8_t*> s.scratch(n)
    h.side = <int8_t*> s.scratch(n)
    h.taken = <int8_t*> s.scratch(n)
    if (h.rank == NULL or h.player == NULL or h.partner == NULL or h.sequence == NULL or h.falling == NULL or h.rising == NULL
            or h.chosen == NULL or h.first == NULL or h.second == NULL or h.due == NULL or h.side == NULL or h.taken == NULL):
        return NULL
    for k in range(s.field):
        i = s.order[k]
        h.rank[k] = i
        h.due[i] = due_colour(s, h, i)
        h.taken[i] = 0
    return h


cdef int due_colour(State s, Round* h, int i) noexcept nogil:
    """The colour that the absolute rule leaves, else the one had less often, else the opposite of the last."""
    cdef bint white, black
    if h.limits:
        white, black = may_take(s, i, 1), may_take(s, i, -1)
        if white != black:
            return 1 if white else -1
    return due_by_count(s, i)


cdef int give_bye(State s, Round* h) noexcept nogil:
    """5.3.15.2: the largest number in the lowest group who may have it and without whom all others can be paired."""
    cdef int k, status, count = 0, chosen = -1
    cdef Mark mark = s.mark()
    cdef int32_t* candidates
    cdef int32_t* player = h.player
    if s.field % 2 == 0:
        return PAIRED
    candidates = <int32_t*> s.scratch(s.field * sizeof(int32_t))
    if candidates == NULL:
        return NO_MEMORY
    for k in range(s.field - 1, -1, -1):
        if may_have_bye(s, s.order[k]):
            candidates[count] = k
            count += 1
        else:
            note(s, BYE, s.order[k], -1, HAD_BYE)
    h.player = s.order
    status = first_bye(s, h, s.field, compatible, candidates, count, &chosen, BYE, s.order)
    h.player = player
    if status == PAIRED:
        s.bye = s.order[candidates[chosen]]
        h.size = 0
        for k in range(s.field):
            if s.order[k] != s.bye:
                h.rank[h.size] = s.order[k]
                h.size += 1
    s.release(mark)
    return status


cdef int finish(State s, Round* h) noexcept nogil:
    """Give colours and put the boards in order."""
    cdef int k, i, j, white
    for k in range(h.made):
        i, j = h.first[k], h.second[k]
        if ranks_above(s, s.score, j, i):
            i, j = j, i
        h.first[k], h.second[k] = i, j
    if s.round == 1:
        first_round_colours(s, h)
    else:
        for k in range(h.made):
            i, j = h.first[k], h.second[k]
            white = who_gets_white(s, h, i, j)
            add_board(s, white, j if white == i else i)
    return PAIRED if sort_boards(s, s.score) else NO_MEMORY


# ------------------------------------------------------------------------------------------------------------------ colours

cdef void first_round_colours(State s, Round* h) noexcept nogil:
    """Rule 1: by the order of the smaller numbers the drawn colour and the other in turn."""
    cdef int i, j, k = 0
    cdef int colour = s.initial_colour
    for k in range(h.made):
        h.partner[h.first[k]] = h.second[k]
        h.partner[h.second[k]] = h.first[k]
    for i in range(s.players):
        if s.away[i] or i == s.bye:
            continue
        j = h.partner[i]
        if j < i:
            continue
        note(s, COLOURS, i, j, RULE + 1)
        add_board(s, i if colour > 0 else j, j if colour > 0 else i)
        colour = -colour


cdef int who_gets_white(State s, Round* h, int i, int j) noexcept nogil:
    """Rules 2 to 6 for a pair whose higher ranked player is i: return who has White."""
    cdef bint here = may_take(s, i, 1) and may_take(s, j, -1)
    cdef bint there = may_take(s, i, -1) and may_take(s, j, 1)
    cdef int rule = 2
    cdef int colour                         # what i gets
    if h.limits and here != there:
        colour = 1 if here else -1
    elif h.due[i] != h.due[j]:
        rule = 3
        colour = h.due[i] if h.due[i] else -h.due[j]
    elif h.due[i] == 0:
        rule = 6
        colour = s.initial_colour if (min(i, j) + 1) % 2 else -s.initial_colour
        if j < i:
            colour = -colour
    else:
        colour = same_due_colour(s, h, i, j, &rule)
    note(s, COLOURS, i, j, RULE + rule)
    return i if colour > 0 else j


cdef int same_due_colour(State s, Round* h, int i, int j, int* rule) noexcept nogil:
    """Rules 4 and 5: both are due the same colour; return what i gets."""
    cdef int mine = s.whites[i] - s.blacks[i]
    cdef int his = s.whites[j] - s.blacks[j]
    cdef int had
    cdef bint smaller_is_served = h.side[i] != UP
    rule[0] = 4
    if mine * mine != his * his:
        return h.due[i] if mine * mine > his * his else -h.due[i]
    had = latest_difference(s, i, j)
    if had:
        return -had
    rule[0] = 5
    return h.due[i] if (i < j) == smaller_is_served else -h.due[i]


# ------------------------------------------------------------------------------------------------------------------ groups

cdef inline int group_end(State s, Round* h, int start) noexcept nogil:
    cdef int end = start + 1
    while end < h.size and s.score[h.rank[end]] == s.score[h.rank[start]]:
        end += 1
    return end


cdef inline int group_start(State s, Round* h, int end) noexcept nogil:
    cdef int start = end - 1
    while start > 0 and s.score[h.rank[start - 1]] == s.score[h.rank[end - 1]]:
        start -= 1
    return start


cdef int pair_groups(State s, Round* h) noexcept nogil:
    """5.3.15.3: groups above the median from the top, groups below from the bottom, then the median."""
    cdef int status = PAIRED
    cdef int half = s.worth[WIN] * (s.round - 1)            # twice the median score
    cdef int low, high = 0, start = 0, end
    while high < h.size and 2 * s.score[h.rank[high]] > half:
        high += 1
    low = high
    while low < h.size and 2 * s.score[h.rank[low]] == half:
        low += 1
    while status == PAIRED and start < high:
        end = group_end(s, h, start)
        h.next_is_median = end == high
        h.next_start = end
        h.next_end = low if h.next_is_median else group_end(s, h, end)
        status = pair_group(s, h, DOWN, start, end)
        start = end
    end = h.size
    while status == PAIRED and end > low:
        start = group_start(s, h, end)
        h.next_is_median = start == low
        h.next_end = start
        h.next_start = high if h.next_is_median else group_start(s, h, start)
        status = pair_group(s, h, UP, start, end)
        end = start
    return pair_median(s, h, high, low) if status == PAIRED else status


cdef void lay_out(State s, Round* h, int mode, int start, int end) noexcept nogil:
    """Fill the positions of a group: floaters in the order B, then residents in the order of C."""
    cdef int k, n = 0
    h.mode = mode
    if mode != UP:
        for k in range(h.falls):
            h.player[n] = h.falling[k]
            note(s, GROUP, h.falling[k], -1, FROM_ABOVE)
            n += 1
    h.above = n
    if mode != DOWN:
        for k in range(h.rises):
            h.player[n] = h.rising[k]
            note(s, GROUP, h.rising[k], -1, FROM_BELOW)
            n += 1
    h.floaters = n
    for k in range(end - start):
        h.player[n] = h.rank[end - 1 - k] if mode == UP else h.rank[start + k]
        note(s, GROUP, h.player[n], -1, RESIDENT + mode)
        n += 1
    h.positions = n


cdef int search(State s, Round* h) noexcept nogil:
    """B and C: pair all positions of the group in hand."""
    return first_pairing(s, h, h.positions, compatible, next_candidate, h.partner, h.sequence, PAIR, h.player)


cdef void commit(State s, Round* h) noexcept nogil:
    """Keep the pairs of the group in hand in the order in which they were made."""
    cdef int k, i, j
    for k in range(h.positions // 2):
        i, j = h.player[h.sequence[k]], h.player[h.partner[h.sequence[k]]]
        h.first[h.made], h.second[h.made] = i, j
        h.side[i] = h.side[j] = <int8_t> h.mode
        h.made += 1


cdef int pair_group(State s, Round* h, int mode, int start, int end) noexcept nogil:
    """Pair one group on its way to the median; `falling` or `rising` then holds who floats on."""
    cdef int status = NO_PAIRING
    cdef int k
    lay_out(s, h, mode, start, end)
    h.chosen_count = 0
    if h.positions % 2 == 0:
        status = search(s, h)
    elif not s.tracing:
        status = try_one_float(s, h)
    if status == NO_PAIRING:
        status = choose_floats(s, h)
        if status == PAIRED:
            status = search(s, h)
    if status != PAIRED:
        return status
    commit(s, h)
    for k in range(h.chosen_count):
        if mode == DOWN:
            h.falling[k] = h.chosen[k]
        else:
            h.rising[k] = h.chosen[k]
    if mode == DOWN:
        h.falls = h.chosen_count
    else:
        h.rises = h.chosen_count
    return PAIRED


cdef int try_one_float(State s, Round* h) noexcept nogil:
    """Odd group: nearly always the first by A.1-4 is eligible and floats alone; otherwise NO_PAIRING and nothing changed."""
    cdef int k, p = 0, status
    cdef int i, above = h.above, floaters = h.floaters
    cdef Mark mark = s.mark()
    cdef int64_t* key = <int64_t*> s.scratch(h.positions * sizeof(int64_t))
    if key == NULL:
        return NO_MEMORY
    float_keys(s, h, NULL, key)
    for k in range(h.positions):
        if key[k] < key[p]:
            p = k
    s.release(mark)
    i = h.player[p]
    drop(h, p)
    status = search(s, h)
    if status == PAIRED:
        h.chosen[0] = i
        h.chosen_count = 1
    elif status == NO_PAIRING:
        for k in range(h.positions, p, -1):
            h.player[k] = h.player[k - 1]
        h.player[p] = i
        h.positions += 1
        h.above, h.floaters = above, floaters
    return status


# ------------------------------------------------------------------------------------------------------------------ D: the median

cdef int pair_median(State s, Round* h, int start, int end) noexcept nogil:
    """The median with all floaters; if it is blocked, earlier pairs join it until it can be paired."""
    cdef int status
    lay_out(s, h, MEDIAN, start, end)
    status = search(s, h)
    if status == NO_PAIRING:
        status = break_up(s, h)
        if status == PAIRED:
            lay_out(s, h, MEDIAN, start, end)
            status = search(s, h)
    if status == PAIRED:
        commit(s, h)
    return status


cdef int break_up(State s, Round* h) noexcept nogil:
    """D: undo pairs of the side with fewer floaters, the latest first, until the median has a perfect matching."""
    cdef int k, pairs, n = h.size, words = n // 64 + 1, count = h.positions
    cdef Mark mark = s.mark()
    cdef uint64_t* rows = <uint64_t*> s.scratch(<size_t> n * words * sizeof(uint64_t))
    cdef uint64_t* alive = <uint64_t*> s.scratch(words * sizeof(uint64_t))
    cdef int32_t* mate = <int32_t*> s.scratch(n * sizeof(int32_t))
    cdef int32_t* place = <int32_t*> s.scratch(s.players * sizeof(int32_t))
    cdef void* work = s.scratch(matching_bytes(n))
    if rows == NULL or alive == NULL or mate == NULL or place == NULL or work == NULL:
        return NO_MEMORY
    draw_graph(s, h, h.rank, n, words, rows)
    memset(alive, 0, words * sizeof(uint64_t))
    for k in range(n):
        place[h.rank[k]] = k
        mate[k] = -1
    for k in range(h.positions):
        set_bit(alive, place[h.player[k]])
    while True:
        pairs = maximum_matching(n, words, rows, alive, mate, work, s.cancel)
        if pairs < 0 or s.cancel[0]:
            return CANCELLED
        if 2 * pairs == count:
            break
        k = pair_to_break(h)
        if k < 0:
            return NO_PAIRING
        set_bit(alive, place[h.first[k]])
        set_bit(alive, place[h.second[k]])
        mate[place[h.first[k]]] = place[h.second[k]]
        mate[place[h.second[k]]] = place[h.first[k]]
        undo(s, h, k)
        count += 2
    s.release(mark)
    return PAIRED


cdef int pair_to_break(Round* h) noexcept nogil:
    """Return the latest pair of the side whose turn it is, of the other side if that has none left, or -1."""
    cdef int wanted = UP if h.falls > h.rises else DOWN
    cdef int k, other = -1
    for k in range(h.made - 1, -1, -1):
        if h.side[h.first[k]] == wanted:
            return k
        if other < 0:
            other = k
    return other


cdef void undo(State s, Round* h, int k) noexcept nogil:
    """Break up a pair: its players join the median as floaters of their side."""
    cdef int i = h.first[k], j = h.second[k], mode = h.side[h.first[k]]
    note(s, BLOCKED, i, j, BROKEN_UP)
    if mode == DOWN:
        insert(s, DOWN, h.falling, h.falls, i)
        insert(s, DOWN, h.falling, h.falls + 1, j)
        h.falls += 2
    else:
        insert(s, UP, h.rising, h.rises, i)
        insert(s, UP, h.rising, h.rises + 1, j)
        h.rises += 2
    h.made -= 1
    while k < h.made:
        h.first[k], h.second[k] = h.first[k + 1], h.second[k + 1]
        k += 1
