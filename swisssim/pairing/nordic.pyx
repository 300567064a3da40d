"""`nordic`: Nordisk Schweizer, Swedish half-splitting with player X.

Score groups are paired from the top down, upper half against lower half (procedure E, `_halves.pyx`). Players are moved up into a group
that needs them; a group that stays impossible is merged with the next higher one. A choice made in a higher group is never undone in
any other way, so a round costs little and nothing here searches without bound.

Decisions where the source is silent, apart from those named on the articles below:

- X joins an odd field of the round, whatever the field was in earlier rounds, and remembers whom he has met.
- Whoever met X counts one White for it, also if X met him in a round that another system paired.
- 2.8, second player from the group after the next: if none makes procedure E possible, the strongest of that group is moved up anyway.
- A group that has taken in everybody below and has no higher group to be merged with is paired as the last resort says.
- In the trace X is the number behind the last player, and the pairs of groups that were merged later stand before the merging.
- Boards stand in the order in which the pairs are made; the pair with X is no board.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, next_bit, set_bit
from swisssim._core cimport PairingSystem
from swisssim._search cimport can_pair, first_pairing
from swisssim._state cimport (
    CHOSEN, DRAW, HAD_PAIRING_BYE, MET, NO_MEMORY, NO_PAIRING, PAIRED, PAIRING_BYE, POSTPONED, REST, WIN, Mark, State, add_board, note,
)
from swisssim.pairing._halves cimport Halves, first_helpers, pair_halves, prepare_halves, unmet

cdef enum:
    GREAT_DIFFERENCE = 200      # rating points, preamble of the source

# Numbers of the articles in the trace.
cdef enum Article:
    GROUPS = 22
    SINGLE = 25
    HALVES = 26
    ONE_UP = 27
    TWO_UP = 28
    MERGING = 29
    LAST_RESORT = 30
    COLOURS = 31

# Own reasons in the trace.
cdef enum:
    IN_GROUP = 100
    IN_UPPER_HALF = 101
    IN_LOWER_HALF = 102
    EXCHANGED_UP = 103
    EXCHANGED_DOWN = 104
    IMPOSSIBLE = 105
    MOVED_UP = 106
    UNHELPFUL = 107
    MOVED_ANYWAY = 108
    MERGED = 109
    FEWER_WHITES = 110
    EVEN_ROUND = 111
    ODD_ROUND = 112
    NOBODY_HELPS = 113


# The round in hand. Places are indices of `line`.
cdef struct Round:
    int m               # players of the round, X included
    int32_t* line       # the pairing list; X, number `players`, is last
    uint8_t* taken      # by place: moved up or met by a single player, out of his own group
    int at              # first place below the group in hand
    int32_t* group      # the group in hand: own players by number, then those moved up by number
    int size
    int own             # how many of them are own players
    int32_t* candidates     # the next lower group, and the places of its players
    int32_t* places
    int32_t* upper      # the pairs made, in board order
    int32_t* lower
    int pairs
    int32_t* first      # first pair of each group that has been paired
    int groups
    Halves halves


cdef class Nordic(PairingSystem):
    """Nordisk Schweizer (Swedish chess federation): upper half against lower half of each score group.

    Groups of equal pairing score are paired from the top down. The upper half of a group meets the lower half in order (2.6); an odd
    group takes in the strongest player of the next lower group (2.7), one that cannot be paired takes in two (2.8), and the
    last one is merged upwards. In an odd field X takes part: his opponent scores a point and counts as having had White. White goes to the
    player with fewer Whites (3); there is no limit on colour differences or on equal colours in a row.
    """

    summary = "Nordisk Schweizer: upper half of each score group against its lower half, player X, no colour limits"
    source = "Swedish chess federation, rules of the Nordic Swiss (Nordisk Schweizer), articles 1-4"
    draws_colour = False
    colour_limits = False
    OPTIONS = {}
    ARTICLES = {
        GROUPS: "2.1-2.2 score groups, paired from the top down",
        SINGLE: "2.5 a group of one player meets the strongest player below whom he has not met",
        HALVES: "2.6 the upper half meets the lower half, with as few exchanges as possible",
        ONE_UP: "2.7 an odd group: the strongest player of the next lower group who makes a pairing possible is moved up",
        TWO_UP: "2.8 two players of the next lower group are moved up",
        MERGING: "2.8 no group is left below: merged with the next higher group, whose pairs are undone",
        LAST_RESORT: "2.8 all groups merged: in the order of numbers, the first opponent who leaves the others a pairing",
        COLOURS: "3 White to the player with fewer Whites; equal: upper-half member White in even rounds, Black in odd rounds",
    }
    KINDS = {
        GROUPS: "group", SINGLE: "pair", HALVES: "pair", ONE_UP: "float", TWO_UP: "float", MERGING: "undo", LAST_RESORT: "pair",
        COLOURS: "colour",
    }
    REASONS = {
        IN_GROUP: "in the group",
        IN_UPPER_HALF: "in the upper half",
        IN_LOWER_HALF: "in the lower half",
        EXCHANGED_UP: "exchanged into the upper half",
        EXCHANGED_DOWN: "exchanged into the lower half",
        IMPOSSIBLE: "the group of {player} cannot be paired as it stands",
        MOVED_UP: "moved up",
        UNHELPFUL: "with {player}, no pairing is possible with {others} moved up",
        NOBODY_HELPS: "nobody of the next lower group makes a pairing of the group of {player} possible",
        MOVED_ANYWAY: "moved up although nobody of the group makes a pairing possible",
        MERGED: "in the merged group",
        FEWER_WHITES: "White because of fewer Whites",
        EVEN_ROUND: "as many Whites, even round: White as the upper-half member",
        ODD_ROUND: "as many Whites, odd round: White as the lower-half member",
    }

    cdef bint may_have_bye(self, State s, int i) noexcept nogil:
        """Nobody meets X twice; no other point without playing keeps a player from meeting him."""
        return not s.had[i] & HAD_PAIRING_BYE

    cdef int pair(self, State s) noexcept nogil:
        cdef Round r
        cdef Mark mark = s.mark()
        cdef int status = PAIRED
        if s.pending:
            status = count_unfinished(s)
        if status == PAIRED and s.field > 0:
            status = start(s, &r)
            if status == PAIRED:
                status = pair_groups(s, &r)
            if status == PAIRED:
                give_colours(s, &r)
        s.release(mark)
        return status


# ------------------------------------------------------------------------------------------------------------ the field and its order

cdef int count_unfinished(State s) noexcept nogil:
    """2.1: an unfinished game is a win for both; for a player rated more than 200 lower it stays a draw. Sort the list again."""
    cdef int row, i, other
    cdef size_t entry
    for row in range(s.round - 1):
        for i in range(s.players):
            entry = <size_t>row * s.players + i
            if s.result[entry] == POSTPONED:
                other = s.opponent[entry]
                if s.rating[other] - s.rating[i] <= GREAT_DIFFERENCE:
                    s.score[i] += s.worth[WIN] - s.worth[DRAW]
    return s.sort()


cdef inline int score_of(State s, int i) noexcept nogil:
    return s.score[i] if i < s.players else 0


cdef int start(State s, Round* r) noexcept nogil:
    """Lay out the round in hand; X joins an odd field, last in the order (4)."""
    memset(r, 0, sizeof(Round))
    r.m = s.field + (s.field & 1)
    r.line = s.order
    if s.field & 1:
        r.line[s.field] = s.players
    r.taken = <uint8_t*>s.scratch(r.m)
    r.group = <int32_t*>s.scratch(<size_t>r.m * sizeof(int32_t))
    r.candidates = <int32_t*>s.scratch(<size_t>r.m * sizeof(int32_t))
    r.places = <int32_t*>s.scratch(<size_t>r.m * sizeof(int32_t))
    r.upper = <int32_t*>s.scratch(<size_t>(r.m // 2) * sizeof(int32_t))
    r.lower = <int32_t*>s.scratch(<size_t>(r.m // 2) * sizeof(int32_t))
    r.first = <int32_t*>s.scratch(<size_t>(r.m // 2) * sizeof(int32_t))
    if (r.taken == NULL or r.group == NULL or r.candidates == NULL or r.places == NULL or r.upper == NULL or r.lower == NULL
            or r.first == NULL or not prepare_halves(s, &r.halves, r.m)):
        return NO_MEMORY
    memset(r.taken, 0, r.m)
    return PAIRED


# ------------------------------------------------------------------------------------------------------------- groups from the top down

cdef int pair_groups(State s, Round* r) noexcept nogil:
    """Pair group after group (2.2); when one fails and nobody is left below, merge."""
    cdef int status = PAIRED
    while status == PAIRED and collect_group(s, r):
        status = pair_single(s, r) if r.size == 1 else pair_group(s, r)
        if status == NO_PAIRING:
            return merge(s, r)
    return status


cdef inline int next_place(Round* r, int place) noexcept nogil:
    """Return the first place from `place` on whose player is unpaired, or m."""
    while place < r.m and r.taken[place]:
        place += 1
    return place


cdef inline int next_member(State s, Round* r, int place) noexcept nogil:
    """Return the next unpaired place of the same score group, or m."""
    cdef int after = next_place(r, place + 1)
    return after if after < r.m and score_of(s, r.line[after]) == score_of(s, r.line[place]) else r.m


cdef bint collect_group(State s, Round* r) noexcept nogil:
    """Take the highest group with unpaired players in hand; return False if everybody is paired."""
    cdef int place = next_place(r, r.at)
    cdef int k
    r.size = 0
    while place < r.m:
        r.group[r.size] = r.line[place]
        r.size += 1
        r.at = place + 1
        place = next_member(s, r, place)
    r.own = r.size
    if s.tracing:
        for k in range(r.size):
            note(s, GROUPS, r.group[0], r.group[k], IN_GROUP)
    return r.size > 0


cdef int pair_single(State s, Round* r) noexcept nogil:
    """2.5: the strongest player of the next lower group whom he has not met, then those of the group after."""
    cdef int player = r.group[0]
    cdef int place = next_place(r, r.at)
    while place < r.m:
        if unmet(s, player, r.line[place]):
            note(s, SINGLE, player, r.line[place], CHOSEN)
            r.taken[place] = 1
            r.upper[r.pairs] = player
            r.lower[r.pairs] = r.line[place]
            close_group(r, 1)
            return PAIRED
        note(s, SINGLE, player, r.line[place], MET)
        place = next_place(r, place + 1)
    return NO_PAIRING


cdef inline void close_group(Round* r, int pairs) noexcept nogil:
    """Keep the pairs just written as those of one group."""
    r.first[r.groups] = r.pairs
    r.groups += 1
    r.pairs += pairs


cdef int pair_group(State s, Round* r) noexcept nogil:
    """2.6 for an even group, 2.7 for an odd one, then 2.8 as often as needed."""
    cdef int status
    if r.size & 1:
        status = move_up_first(s, r, 1, ONE_UP)
    else:
        status = try_halves(s, r)
    while status == NO_PAIRING and next_place(r, r.at) < r.m:
        status = move_up_first(s, r, 2, TWO_UP)
    return status


cdef int try_halves(State s, Round* r) noexcept nogil:
    """2.6 on the group in hand."""
    cdef int status = pair_halves(s, &r.halves, r.group, r.size, r.upper + r.pairs, r.lower + r.pairs)
    if status == NO_PAIRING:
        note(s, HALVES, r.group[0], -1, IMPOSSIBLE)
    elif status == PAIRED:
        close_halves(s, r)
    return status


cdef inline void close_halves(State s, Round* r) noexcept nogil:
    """Keep the pairs of the group in hand."""
    if s.tracing:
        explain_halves(s, r)
    close_group(r, r.size // 2)


# ----------------------------------------------------------------------------------------------------------------- moving up, 2.7 and 2.8

cdef inline void insert(int32_t* group, int low, int end, int player) noexcept nogil:
    """Insert a player by number into group[low:end]."""
    while end > low and group[end - 1] > player:
        group[end] = group[end - 1]
        end -= 1
    group[end] = player


cdef void settle(State s, Round* r, int score) noexcept nogil:
    """2.8, comment (*): before players of a lower score are moved up, those moved up earlier become ordinary members."""
    if r.own < r.size and score_of(s, r.group[r.own]) > score:
        while r.own < r.size:
            insert(r.group, 0, r.own, r.group[r.own])
            r.own += 1


cdef int list_candidates(State s, Round* r) noexcept nogil:
    """Write the players of the next lower group, and their places; return how many there are."""
    cdef int count = 0
    cdef int place = next_place(r, r.at)
    settle(s, r, score_of(s, r.line[place]))
    while place < r.m:
        r.places[count] = place
        r.candidates[count] = r.line[place]
        count += 1
        place = next_member(s, r, place)
    return count


cdef void move_up(State s, Round* r, int candidate, int article, int reason) noexcept nogil:
    """Put a candidate into the group in hand. He stands last: whoever was moved up before him from his group is stronger."""
    note(s, article, r.group[0], r.candidates[candidate], reason)
    r.taken[r.places[candidate]] = 1
    r.group[r.size] = r.candidates[candidate]
    r.size += 1


cdef int move_up_first(State s, Round* r, int added, int article) noexcept nogil:
    """2.7 (one) and 2.8 (two): move up the first players of the next lower group who make procedure E possible, and pair.

    If none do, the strongest are moved up anyway, and the answer is NO_PAIRING. A lone player of the next lower group is moved up in any
    case, and the second comes from the group after it; there is one, for the players of the round are even in number.
    """
    cdef int count = list_candidates(s, r)
    cdef int[2] chosen
    cdef int k, status
    if count < added:
        move_up(s, r, 0, article, MOVED_ANYWAY)
        added = 1
        count = list_candidates(s, r)
    chosen[0], chosen[1] = 0, 1
    status = try_with(s, r, added, chosen)
    if status == NO_PAIRING and count > added and r.halves.deficiency <= 2 * added:
        status = first_helpers(s, r.group, r.size, r.candidates, count, added, chosen)
        if status == PAIRED:
            status = try_with(s, r, added, chosen)
    if status == NO_PAIRING:
        chosen[0], chosen[1] = 0, 1
    elif status != PAIRED:
        return status
    if s.tracing:
        explain_refused(s, r, added, article, chosen if status == PAIRED else NULL)
    for k in range(added):
        move_up(s, r, chosen[k], article, MOVED_UP if status == PAIRED else MOVED_ANYWAY)
    if status == PAIRED:
        close_halves(s, r)
    return status


cdef int try_with(State s, Round* r, int added, const int* chosen) noexcept nogil:
    """Procedure E on the group in hand with the chosen candidates behind it, who stay where they are."""
    cdef int k
    for k in range(added):
        r.group[r.size + k] = r.candidates[chosen[k]]
    return pair_halves(s, &r.halves, r.group, r.size + added, r.upper + r.pairs, r.lower + r.pairs)


# ---------------------------------------------------------------------------------------------------------------- merging, last resort

cdef int merge(State s, Round* r) noexcept nogil:
    """2.8, parenthesis: merge all unpaired players with one higher group after another until procedure E is possible."""
    cdef uint64_t* members = <uint64_t*>s.scratch(<size_t>(s.players // 64 + 1) * sizeof(uint64_t))
    cdef int k, place, status
    if members == NULL:
        return NO_MEMORY
    memset(members, 0, <size_t>(s.players // 64 + 1) * sizeof(uint64_t))
    for k in range(r.m):
        set_bit(members, r.line[k])
    list_members(s, r, members)
    status = can_pair(s, r, r.m, may_meet)
    if status != PAIRED:
        return status
    for k in range(r.pairs):
        clear_bit(members, r.upper[k])
        clear_bit(members, r.lower[k])
    while r.groups > 0:
        r.groups -= 1
        while r.pairs > r.first[r.groups]:
            r.pairs -= 1
            set_bit(members, r.upper[r.pairs])
            set_bit(members, r.lower[r.pairs])
        list_members(s, r, members)
        if s.tracing:
            for place in range(r.size):
                note(s, MERGING, r.group[0], r.group[place], MERGED)
        status = try_halves(s, r)
        if status != NO_PAIRING:
            return status
    return last_resort(s, r)


cdef void list_members(State s, Round* r, const uint64_t* members) noexcept nogil:
    """Take the members in hand as one group in the order of their numbers."""
    cdef int i = next_bit(members, 0, s.players + 1)
    r.size = 0
    while i >= 0:
        r.group[r.size] = i
        r.size += 1
        i = next_bit(members, i + 1, s.players + 1)
    r.own = r.size


cdef bint may_meet(State s, void* room, int i, int j) noexcept nogil:
    cdef const int32_t* group = (<Round*>room).group
    return unmet(s, group[i], group[j])


cdef int next_number(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """Order of trial of the last resort: by number. The leader is the first open player, so all others stand behind him."""
    cursor[0] = next_bit(open, (leader if cursor[0] < 0 else cursor[0]) + 1, m)
    return cursor[0]


cdef int last_resort(State s, Round* r) noexcept nogil:
    """2.8, everything merged: the first player takes the first opponent with whom the rest can still be paired, and so on."""
    cdef int32_t* partner = <int32_t*>s.scratch(<size_t>r.m * sizeof(int32_t))
    cdef int32_t* leaders = <int32_t*>s.scratch(<size_t>(r.m // 2) * sizeof(int32_t))
    cdef int k, status
    if partner == NULL or leaders == NULL:
        return NO_MEMORY
    status = first_pairing(s, r, r.m, may_meet, next_number, partner, leaders, LAST_RESORT, r.group)
    if status == PAIRED:
        for k in range(r.m // 2):
            r.upper[k] = r.group[leaders[k]]
            r.lower[k] = r.group[partner[leaders[k]]]
        r.pairs = r.m // 2
    return status


# ------------------------------------------------------------------------------------------------------------------ colours and trace

cdef int whites_of(State s, int i) noexcept nogil:
    """Whites of a player for article 3: the games that count, and the rounds against X."""
    cdef int row, whites = s.whites[i]
    if s.had[i] & HAD_PAIRING_BYE:
        for row in range(s.round - 1):
            whites += s.result[<size_t>row * s.players + i] == PAIRING_BYE
    return whites


cdef void give_colours(State s, Round* r) noexcept nogil:
    """3, and 4 for the pair with X, which is no board."""
    cdef int k, upper, lower, more
    cdef int even = s.round % 2 == 0
    for k in range(r.pairs):
        upper, lower = r.upper[k], r.lower[k]
        if upper == s.players or lower == s.players:
            s.bye = lower if upper == s.players else upper
            continue
        more = whites_of(s, upper) - whites_of(s, lower)
        if more < 0 or (more == 0 and even):
            add_board(s, upper, lower)
        else:
            add_board(s, lower, upper)
        note(s, COLOURS, s.white[s.boards - 1], s.black[s.boards - 1],
             FEWER_WHITES if more else (EVEN_ROUND if even else ODD_ROUND))


cdef bint contains(const int32_t* players, int count, int player) noexcept nogil:
    cdef int k
    for k in range(count):
        if players[k] == player:
            return True
    return False


cdef void explain_halves(State s, Round* r) noexcept nogil:
    """Trace: the halves as they stand, then for each upper player the lower players refused and the one taken."""
    cdef int h = r.size // 2
    cdef const int32_t* upper = r.upper + r.pairs
    cdef const int32_t* lower = r.lower + r.pairs
    cdef int k, j
    cdef bint above
    for k in range(r.size):
        above = contains(upper, h, r.group[k])
        if above == (k < h):
            note(s, HALVES, r.group[k], -1, IN_UPPER_HALF if above else IN_LOWER_HALF)
        else:
            note(s, HALVES, r.group[k], -1, EXCHANGED_UP if above else EXCHANGED_DOWN)
    for k in range(h):
        for j in range(r.size):
            if r.group[j] == lower[k]:
                break
            if not contains(upper, h, r.group[j]) and not contains(lower, k, r.group[j]):
                note(s, HALVES, upper[k], r.group[j], REST if unmet(s, upper[k], r.group[j]) else MET)
        note(s, HALVES, upper[k], lower[k], CHOSEN)


cdef void explain_refused(State s, Round* r, int added, int article, const int* chosen) noexcept nogil:
    """Trace: the candidates before the chosen ones (NULL: nobody) make no pairing possible; of two, the chosen first with those between."""
    cdef int c
    if chosen == NULL:
        note(s, article, r.group[0], -1, NOBODY_HELPS)
        return
    for c in range(chosen[0]):
        note(s, article, r.group[0], r.candidates[c], UNHELPFUL)
    if added == 2:
        for c in range(chosen[0] + 1, chosen[1]):
            note(s, article, r.candidates[chosen[0]], r.candidates[c], UNHELPFUL)
