"""Loops of the tie-breaks: whole tournaments in, integer tie-breaks and ranks out (the rules stand in `swisssim.tiebreaks`)."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.stdlib cimport free, malloc

from swisssim._state cimport (
    ABSENT, DRAW, FORFEIT_LOSS, HALF_BYE, LOSS, POSTPONED, WIN, ZERO_BYE, code_is_game,
)

# What `fill` can compute; `swisssim.tiebreaks` refers to them by these names.
cdef enum:
    POINTS_ = 0
    BUCHHOLZ_ = 1
    CUT_1_ = 2
    CUT_2_ = 3
    MEDIAN_ = 4
    SONNEBORN_BERGER_ = 5
    PROGRESSIVE_ = 6
    WINS_ = 7
    WINS_PLAYED_ = 8
    BLACKS_ = 9

POINTS, BUCHHOLZ, CUT_1, CUT_2, MEDIAN = POINTS_, BUCHHOLZ_, CUT_1_, CUT_2_, MEDIAN_
SONNEBORN_BERGER, PROGRESSIVE = SONNEBORN_BERGER_, PROGRESSIVE_
WINS, WINS_PLAYED, BLACKS = WINS_, WINS_PLAYED_, BLACKS_

# Averages of up to ten games against the same opponent stay whole numbers in this unit.
cdef enum:
    SHARES = 2520

# One tournament up to a round: the histories are rows of `players`, as in `swisssim.results.Results`.
cdef struct History:
    int players, rounds
    const int16_t* opponent
    const int8_t* colour
    const int8_t* result
    const int8_t* arrived           # NULL: every result is known
    const int16_t* worth


cdef inline int code_of(const History* h, int r, int i) noexcept nogil:
    """Return the result code as it was known after the last round of the history (r is 0-based)."""
    cdef Py_ssize_t k = <Py_ssize_t>r * h.players + i
    if h.arrived != NULL and h.arrived[k] > h.rounds:
        return POSTPONED
    return h.result[k]


cdef inline bint is_voluntary(int code) noexcept nogil:
    """Tell whether the player stayed away from the round of his own will."""
    return code == ABSENT or code == FORFEIT_LOSS or code == HALF_BYE or code == ZERO_BYE


cdef inline bint is_played(const History* h, int code, int r, int i) noexcept nogil:
    return code_is_game(code) and h.opponent[<Py_ssize_t>r * h.players + i] >= 0


cdef void own_scores(const History* h, int64_t* own, int64_t* adjusted) noexcept nogil:
    """Write each player's points, and the score that his opponents count for him."""
    cdef int i, r, code
    cdef int64_t points
    for i in range(h.players):
        points = 0
        for r in range(h.rounds):
            points += h.worth[code_of(h, r, i)]
        own[i] = points
        for r in range(h.rounds - 1, -1, -1):
            code = code_of(h, r, i)
            if not is_voluntary(code):
                break
            points += h.worth[<int>DRAW] - h.worth[code]
        adjusted[i] = points


cdef int64_t buchholz(const History* h, const int64_t* own, const int64_t* adjusted, int i, int cut, bint median) noexcept nogil:
    """Return the Buchholz score less its `cut` (0..2) lowest contributions, and less the highest one that is left for the median."""
    cdef int r, code, voluntary = 0, left = h.rounds
    cdef int64_t value, total = 0, lowest = 0, second = 0, highest = 0
    cdef int others = 0
    for r in range(h.rounds):
        code = code_of(h, r, i)
        if is_played(h, code, r, i):
            value = adjusted[h.opponent[<Py_ssize_t>r * h.players + i]]
        else:
            value = own[i]
            if is_voluntary(code):
                voluntary += 1
                total += value
                continue
        total += value
        if others == 0 or value < lowest:
            second = lowest
            lowest = value
        elif others == 1 or value < second:
            second = value
        if others == 0 or value > highest:
            highest = value
        others += 1
    while cut > 0 and left > 0:
        cut -= 1
        left -= 1
        if voluntary > 0:
            voluntary -= 1
            total -= own[i]
        else:
            others -= 1
            total -= lowest
            lowest = second
    if median and left > 0:
        if others == 0 or (voluntary > 0 and own[i] > highest):
            highest = own[i]
        total -= highest
    return total


cdef int64_t sonneborn_berger(const History* h, const int64_t* own, const int64_t* adjusted, int i) noexcept nogil:
    cdef int r, code
    cdef int64_t total = 0
    for r in range(h.rounds):
        code = code_of(h, r, i)
        if is_played(h, code, r, i):
            total += adjusted[h.opponent[<Py_ssize_t>r * h.players + i]] * h.worth[code]
        else:
            total += own[i] * h.worth[code]
    return total


cdef int64_t counted(const History* h, int kind, int i) noexcept nogil:
    """Return the tie-breaks that look at the player's own rounds only."""
    cdef int r, code
    cdef int64_t total = 0, points = 0
    for r in range(h.rounds):
        code = code_of(h, r, i)
        if kind == PROGRESSIVE_:
            points += h.worth[code]
            total += points
        elif kind == WINS_:
            total += h.worth[code] == h.worth[<int>WIN]
        elif kind == WINS_PLAYED_:
            total += code == WIN
        else:
            total += WIN <= code <= LOSS and h.colour[<Py_ssize_t>r * h.players + i] < 0
    return total


cdef void one_tie_break(const History* h, const int64_t* own, const int64_t* adjusted, int kind, int64_t* out) noexcept nogil:
    cdef int i
    for i in range(h.players):
        if kind == POINTS_:
            out[i] = own[i]
        elif BUCHHOLZ_ <= kind <= CUT_2_:
            out[i] = buchholz(h, own, adjusted, i, kind - BUCHHOLZ_, False)
        elif kind == MEDIAN_:
            out[i] = buchholz(h, own, adjusted, i, 1, True)
        elif kind == SONNEBORN_BERGER_:
            out[i] = sonneborn_berger(h, own, adjusted, i)
        else:
            out[i] = counted(h, kind, i)


cdef History history(const int16_t[:, :, ::1] opponent, const int8_t[:, :, ::1] colour, const int8_t[:, :, ::1] result,
                     const int8_t[:, :, ::1] arrived, const int16_t[::1] worth, Py_ssize_t t, int rounds) noexcept nogil:
    cdef History h
    h.players = <int>opponent.shape[2]
    h.rounds = rounds
    h.opponent = &opponent[t, 0, 0]
    h.colour = &colour[t, 0, 0]
    h.result = &result[t, 0, 0]
    h.arrived = &arrived[t, 0, 0] if arrived is not None else NULL
    h.worth = &worth[0]
    return h


def fill(const int16_t[:, :, ::1] opponent, const int8_t[:, :, ::1] colour, const int8_t[:, :, ::1] result,
         const int8_t[:, :, ::1] arrived, const int16_t[::1] worth, const int32_t[::1] upto, const int32_t[::1] kinds,
         int64_t[:, :, ::1] out):
    """Write the tie-breaks `kinds` of every tournament, after round ``upto[t]``, to ``out[kind, tournament, player]``."""
    cdef Py_ssize_t t, k, n = opponent.shape[2]
    cdef int64_t* own
    cdef History h
    if n == 0 or opponent.shape[1] == 0:
        out[...] = 0
        return
    own = <int64_t*>malloc(2 * n * sizeof(int64_t))
    if own == NULL:
        raise MemoryError("no memory for the scores of one tournament")
    with nogil:
        for t in range(opponent.shape[0]):
            h = history(opponent, colour, result, arrived, worth, t, upto[t])
            own_scores(&h, own, own + n)
            for k in range(kinds.shape[0]):
                one_tie_break(&h, own, own + n, kinds[k], &out[k, t, 0])
    free(own)


# ---- order

cdef inline int compare(const int64_t* keys, Py_ssize_t stride, int count, int i, int j) noexcept nogil:
    """Return -1 if player i stands before j (larger keys first), 1 if after, 0 if level."""
    cdef int k
    cdef int64_t a, b
    for k in range(count):
        a = keys[k * stride + i]
        b = keys[k * stride + j]
        if a != b:
            return -1 if a > b else 1
    return 0


cdef int* sort_players(const int64_t* keys, Py_ssize_t stride, int count, int* order, int* spare, int n) noexcept nogil:
    """Sort 0..n-1 by the keys, larger first, level players by number (merge sort); return the buffer that holds the answer."""
    cdef int width = 1, start, middle, end, a, b, k
    cdef int* swap
    for k in range(n):
        order[k] = k
    while width < n:
        start = 0
        while start < n:
            middle = min(start + width, n)
            end = min(start + 2 * width, n)
            a = start
            b = middle
            for k in range(start, end):
                if a < middle and (b >= end or compare(keys, stride, count, order[a], order[b]) <= 0):
                    spare[k] = order[a]
                    a += 1
                else:
                    spare[k] = order[b]
                    b += 1
            start = end
        swap = order
        order = spare
        spare = swap
        width *= 2
    return order


def rank(const int64_t[:, :, ::1] keys, int32_t[:, ::1] out):
    """Write the ranks 1.. of the players by ``keys[key, tournament, player]``, larger first; level players share the rank."""
    cdef Py_ssize_t t
    cdef int count = <int>keys.shape[0], n = <int>keys.shape[2], k
    cdef Py_ssize_t stride = keys.shape[1] * keys.shape[2]
    cdef int* order
    cdef int* found
    if n == 0 or keys.shape[1] == 0:
        return
    order = <int*>malloc(2 * n * sizeof(int))
    if order == NULL:
        raise MemoryError("no memory to sort one tournament")
    with nogil:
        for t in range(keys.shape[1]):
            found = sort_players(&keys[0, t, 0], stride, count, order, order + n, n)
            for k in range(n):
                if k and compare(&keys[0, t, 0], stride, count, found[k - 1], found[k]) == 0:
                    out[t, found[k]] = out[t, found[k - 1]]
                else:
                    out[t, found[k]] = k + 1
    free(order)


# ---- direct encounter

cdef struct Encounter:
    int32_t* place          # of each player: start of the level group he stands in (changed in place)
    int* group              # players by place
    int* spare
    int64_t* made           # points against the level players, averages of each, times SHARES
    int64_t* most           # the same if all missing games were won
    int64_t* total          # points against one opponent (zero between players)
    int32_t* games          # games against one opponent (zero between players)


cdef bint score_group(const History* h, Encounter* e, int start, int end) noexcept nogil:
    """Write what the level players group[start:end] made against each other; return whether all have met."""
    cdef int k, r, i, j, code, met
    cdef int64_t share = <int64_t>h.worth[<int>WIN] * SHARES
    cdef bint complete = True
    for k in range(start, end):
        i = e.group[k]
        met = 0
        e.made[i] = 0
        for r in range(h.rounds):
            code = code_of(h, r, i)
            j = h.opponent[<Py_ssize_t>r * h.players + i]
            if WIN <= code <= LOSS and j >= 0 and e.place[j] == e.place[i]:
                met += e.games[j] == 0
                e.games[j] += 1
                e.total[j] += h.worth[code]
        for r in range(h.rounds):
            j = h.opponent[<Py_ssize_t>r * h.players + i]
            if j >= 0 and e.games[j]:
                e.made[i] += e.total[j] * SHARES // e.games[j]
                e.games[j] = 0
                e.total[j] = 0
        e.most[i] = e.made[i] + (end - start - 1 - met) * share
        complete = complete and met == end - start - 1
    return complete


cdef void sort_group(Encounter* e, int start, int end) noexcept nogil:
    """Sort group[start:end] by the points made, more first; the order is stable."""
    cdef int k
    cdef int* found
    cdef int64_t* keys = e.total        # all zero between players: serves as scratch here
    for k in range(start, end):
        keys[k - start] = e.made[e.group[k]]
    found = sort_players(keys, 0, 1, e.spare, e.spare + (end - start), end - start)
    for k in range(end - start):
        keys[k] = e.group[start + found[k]]
    for k in range(end - start):
        e.group[start + k] = <int>keys[k]
        keys[k] = 0


cdef int split_group(Encounter* e, int start, int end, bint complete) noexcept nogil:
    """Part the sorted group[start:end] and write the new places; return how many parts it fell into."""
    cdef int k, parts = 1, here = start
    cdef int64_t best
    cdef int32_t base = e.place[e.group[start]]
    cdef bint* ahead = <bint*>e.spare
    if complete:
        for k in range(start + 1, end):
            if e.made[e.group[k]] != e.made[e.group[k - 1]]:
                here = k
                parts += 1
            e.place[e.group[k]] = base + here - start
        return parts
    # Not all have met: a player is ahead for sure if nobody behind him could still reach what he made.
    best = e.most[e.group[end - 1]]
    for k in range(end - 1, start, -1):
        best = max(best, e.most[e.group[k]])
        ahead[k - start] = e.made[e.group[k - 1]] > best
    for k in range(start + 1, end):
        if here == k - 1 and ahead[k - start]:
            here = k
            parts += 1
        e.place[e.group[k]] = base + here - start
    return parts


cdef void settle(const History* h, Encounter* e, int start, int end) noexcept nogil:
    """Part a level group by its games among themselves, and each part again by its own, until nothing changes."""
    cdef int first = start, last
    cdef bint complete
    while first < end:
        last = first + 1
        while last < end and e.place[e.group[last]] == e.place[e.group[first]]:
            last += 1
        if last - first > 1:
            complete = score_group(h, e, first, last)
            sort_group(e, first, last)
            if split_group(e, first, last, complete) > 1:
                continue                # look at the first part again, by the games within it
        first = last


cdef void direct_encounter(const History* h, Encounter* e, int32_t* level, int64_t* out) noexcept nogil:
    cdef int i, k, n = h.players
    for i in range(n):
        e.place[i] = level[i]
        out[i] = -<int64_t>level[i]
        e.total[i] = 0
        e.games[i] = 0
    cdef int* found = sort_players(out, 0, 1, e.group, e.spare, n)
    if found != e.group:
        for k in range(n):
            e.group[k] = found[k]
    settle(h, e, 0, n)
    for i in range(n):
        out[i] = level[i] - e.place[i]


def encounters(const int16_t[:, :, ::1] opponent, const int8_t[:, :, ::1] colour, const int8_t[:, :, ::1] result,
               const int8_t[:, :, ::1] arrived, const int16_t[::1] worth, const int32_t[::1] upto, int32_t[:, ::1] level,
               int64_t[:, ::1] out):
    """Write, for players level in ``level[tournament, player]``, minus the number of them that direct encounter puts ahead."""
    cdef Py_ssize_t t, n = opponent.shape[2]
    cdef History h
    cdef Encounter e
    cdef char* memory
    if n == 0 or opponent.shape[1] == 0:
        out[...] = 0
        return
    memory = <char*>malloc(n * (3 * sizeof(int64_t) + 3 * sizeof(int) + 2 * sizeof(int32_t)))
    if memory == NULL:
        raise MemoryError("no memory for direct encounters of one tournament")
    e.made = <int64_t*>memory
    e.most = e.made + n
    e.total = e.most + n
    e.group = <int*>(e.total + n)
    e.spare = e.group + n               # 2 n
    e.place = <int32_t*>(e.spare + 2 * n)
    e.games = e.place + n
    with nogil:
        for t in range(opponent.shape[0]):
            h = history(opponent, colour, result, arrived, worth, t, upto[t])
            direct_encounter(&h, &e, &level[t, 0], &out[t, 0])
    free(memory)
