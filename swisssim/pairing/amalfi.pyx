"""`amalfi`: the Amalfi system of the Italian chess federation, 2008.

It pairs by position in the standings and not by score group: the opponent is found as many positions further down as rounds are
left, so that games are even from round 1 and the leaders meet late. Articles are those of the rule text (pairing 3, colours 4):

Pairing 1-5: the list is ordered by score and number; with an odd field the last player who may have the bye gets it; the positions
are fixed; the first unpaired position tries the one that is `rounds left` further down, then those nearer to itself, then those
further away; at a dead end the previous board is broken.

Colours 1-5: share of blacks, colour history from the latest round, opposite of the last colour, drawn colour in turn; the absolute
colour rule prevails, except in the last round.

Where the text is silent: "the previous board" of colours 4 is the board made just before, whatever rule gave its colours. A bye is
any point without playing (pairing-allocated or full-point bye, forfeit win); half-point byes do not count. A field of one player
gets the bye if he may have it.
"""

from libc.stdint cimport int32_t, uint64_t

from swisssim._bits cimport next_bit, previous_bit
from swisssim._byes cimport may_have_bye
from swisssim._colours cimport colour_legal, may_take
from swisssim._core cimport PairingSystem
from swisssim._search cimport first_bye, first_pairing
from swisssim._state cimport (
    CHOSEN, HAD_BYE, NO_MEMORY, NO_PAIRING, PAIRED, Mark, State, add_board, have_met, note, played_colour,
)

# Numbers in the trace.
cdef enum:
    BYE = 2
    OPPONENT = 4
    SHARE_OF_BLACKS = 11
    HISTORY = 12
    LAST_COLOUR = 13
    DRAWN_COLOUR = 14
    ABSOLUTE_RULE = 15


# The list of the round: players by position, and how many positions further down the opponent should be.
cdef struct Standings:
    int32_t* player
    int increment


cdef class Amalfi(PairingSystem):
    """Amalfi: the opponent stands as many positions further down as rounds are left (Italian federation, 2008)."""

    summary = "Amalfi: opponent = own position in the standings + rounds left, leaders meet late"
    source = "Sistema Amalfi, Federazione Scacchistica Italiana, 2008 (pairing 3, colours 4)"
    draws_colour = True
    colour_limits = True
    ARTICLES = {
        BYE: "Pairing 2: the bye goes to the last player of the list who may have it and without whom the others can be paired",
        OPPONENT: "Pairing 4: the first unpaired position tries the one that is rounds-left further down, then nearer, then further ones",
        SHARE_OF_BLACKS: "Colours 1: White to the higher share of blacks",
        HISTORY: "Colours 2: White to the one who had the blacker colour in the latest round that differs",
        LAST_COLOUR: "Colours 3: equal histories, the smaller number gets the opposite of his last colour",
        DRAWN_COLOUR: "Colours 4: nobody has played, drawn colour on board 1 and then in turn",
        ABSOLUTE_RULE: "Colours 5: reversed, since the absolute colour rule prevails",
    }
    KINDS = {
        BYE: "bye", OPPONENT: "pair", SHARE_OF_BLACKS: "colour", HISTORY: "colour", LAST_COLOUR: "colour", DRAWN_COLOUR: "colour",
        ABSOLUTE_RULE: "colour",
    }

    cdef bint may_meet(self, State s, int i, int j) noexcept nogil:
        return may_pair(s, i, j)

    cdef int pair(self, State s) noexcept nogil:
        cdef Mark mark = s.mark()
        cdef Standings standings
        cdef int32_t* partner = <int32_t*>s.scratch(<size_t>(s.field + 1) * sizeof(int32_t))
        cdef int32_t* sequence = <int32_t*>s.scratch(<size_t>(s.field + 1) * sizeof(int32_t))
        cdef int k, status = NO_MEMORY
        standings.player = s.order
        standings.increment = s.rounds - s.round + 1
        if partner != NULL and sequence != NULL:
            status = PAIRED
            if s.field % 2:
                status = give_bye(s, &standings)
            if status == PAIRED:
                k = s.field - s.field % 2
                status = first_pairing(s, &standings, k, compatible, next_candidate, partner, sequence, OPPONENT, standings.player)
            if status == PAIRED:
                for k in range(s.field // 2):
                    seat(s, standings.player[sequence[k]], standings.player[partner[sequence[k]]])
        s.release(mark)
        return status


cdef inline bint may_pair(State s, int i, int j) noexcept nogil:
    """Compatible: not met and colour-legal; in the last round only not met."""
    return not have_met(s, i, j) and (s.last_round or colour_legal(s, i, j))


cdef bint compatible(State s, void* room, int a, int b) noexcept nogil:
    """May the players at two positions be paired?"""
    cdef const int32_t* player = (<Standings*>room).player
    return may_pair(s, player[a], player[b])


cdef int next_candidate(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """Pairing 4: from the target up to the leader, then from the target down to the end; the cursor is the candidate before."""
    cdef int target = min(leader + (<Standings*>room).increment, m - 1)
    cdef int before = cursor[0]
    cdef int found = -1
    if before <= target:
        found = previous_bit(open, target if before < 0 else before - 1, leader)
        if found < 0:
            before = target
    if found < 0:
        found = next_bit(open, before + 1, m)
    cursor[0] = found
    return found


cdef int give_bye(State s, Standings* standings) noexcept nogil:
    """Pairing 2: find the player with the bye and take him out of the list."""
    cdef int32_t* candidates = <int32_t*>s.scratch(<size_t>s.field * sizeof(int32_t))
    cdef int32_t* others = <int32_t*>s.scratch(<size_t>s.field * sizeof(int32_t))
    cdef int i, status, count = 0, chosen = -1
    if candidates == NULL or others == NULL:
        return NO_MEMORY
    for i in range(s.field - 1, -1, -1):
        if may_have_bye(s, s.order[i]):
            candidates[count] = i
            count += 1
        else:
            note(s, BYE, s.order[i], -1, HAD_BYE)
    if count == 0:
        return NO_PAIRING
    status = first_bye(s, standings, s.field, compatible, candidates, count, &chosen, BYE, standings.player)
    if status == PAIRED:
        s.bye = s.order[candidates[chosen]]
        count = 0
        for i in range(s.field):
            if s.order[i] != s.bye:
                others[count] = s.order[i]
                count += 1
        standings.player = others
    return status


cdef void seat(State s, int a, int b) noexcept nogil:
    """Colours 1-5 for the next board."""
    cdef int small = min(a, b), large = max(a, b)
    cdef int article = 0
    cdef int colour = preference(s, small, large, &article)
    cdef int white = small if colour > 0 else large
    cdef int black = small + large - white
    if not s.last_round and not (may_take(s, white, 1) and may_take(s, black, -1)):
        # The pair is colour-legal, so the reverse is legal.
        white, black = black, white
        article = ABSOLUTE_RULE
    add_board(s, white, black)
    note(s, article, white, black, CHOSEN)


cdef int preference(State s, int small, int large, int* article) noexcept nogil:
    """Colours 1-4: the colour of the smaller number."""
    cdef int share = s.blacks[small] * max(s.whites[large] + s.blacks[large], 1)
    cdef int other = s.blacks[large] * max(s.whites[small] + s.blacks[small], 1)
    cdef int k, mine, yours, last = 0
    article[0] = SHARE_OF_BLACKS
    if share != other:
        return 1 if share > other else -1
    article[0] = HISTORY
    for k in range(s.round - 1, 0, -1):
        mine, yours = played_colour(s, k, small), played_colour(s, k, large)
        if mine != yours:
            return 1 if mine < yours else -1
        if last == 0:
            last = mine
    article[0] = LAST_COLOUR
    if last:
        return -last
    article[0] = DRAWN_COLOUR
    if s.boards == 0:
        return s.initial_colour
    return -1 if s.white[s.boards - 1] < s.black[s.boards - 1] else 1
