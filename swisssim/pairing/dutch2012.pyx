"""FIDE Dutch, 2012 edition (C.04.3.1), with the special rules of the arbiters' manual on the order of brackets, the lowest ones and byes.

Brackets are paired from the highest score group down, each without a look at the brackets below it; trouble further down is repaired by
the rules 4 (the penultimate bracket is undone, then merged) and 5 (the previous bracket is paired again).

Decided where the rule text is silent:

- Set-aside players moved down trigger rule 5 like others who are left unpaired.
- In every lowest bracket q2 is the sum of squared score differences, the bye one point below its lowest score.
- After a merge that fails, the players moved down go back to the bracket they came from; only the residents stay.
- The largest number of MDP-resident pairs in rule 4a counts complete pairings only, with a bye that its player may get.
- A half-point bye and a forfeit win bar the bye and are downfloats.
- The colour of a preference follows from the colour difference whenever there is one, even after two equal colours.
- Colour rule 5 counts the numbers of those who have been in the field of some round so far, this one included.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from swisssim._boards cimport sort_boards
from swisssim._brackets.lineup cimport (
    ABSOLUTE, Edition, admit_bye, find_preference, give_colours, make_lineup, score_at,
)
from swisssim._core cimport PairingSystem
from swisssim._state cimport (
    CHOSEN, HAD_FORFEIT_WIN, HAD_FULL_BYE, HAD_HALF_BYE, HAD_PAIRING_BYE, NO_MEMORY, NO_PAIRING, PAIRED, WIN, Mark, State, have_met, note,
)
from swisssim.pairing._dutch2012_bracket cimport (
    A1, A2, A3, ACCEPTED, BRACKET, COLOURS, COMPLETE, COVERING, EXCHANGED, FLOATS, GETS_BYE, JOINS_LOWEST, LEFT_UNPAIRED,
    LOWEST_MOVED_DOWN, LOWEST_RESIDENT, MERGED, MOVED_DOWN, NOT_PAIRED_AGAIN, OPENED, OPENING, ORDER, PAIRED_AGAIN, PLAIN, QUALITY,
    RESIDENT, RULE, SET_ASIDE, UNDONE, Round, Task, pair_bracket,
)


cdef class Dutch2012(PairingSystem):
    """The FIDE Dutch system in the edition of 2012."""

    summary = "FIDE Dutch, 2012 edition: score brackets paired top down; the penultimate bracket is undone or merged at need"
    source = "FIDE C.04.3.1 (Istanbul 2012, valid to 30 June 2017); special rules of the Russian arbiters' manual"
    draws_colour = True
    colour_limits = False
    OPTIONS = {}
    ARTICLES = {
        A1: "A1 nobody meets the same opponent twice",
        A2: "A2 no bye after a bye, or a point or half point without playing",
        A3: "A3 the same absolute colour preference",
        BRACKET: "the bracket as it stood",
        ORDER: "D the first of the best pairings in the order of transpositions and exchanges",
        RULE + 1: "rule 1, a single player left over floats down",
        RULE + 2: "rule 2, several players left over float down",
        RULE + 3: "rule 3, no opponent in the bracket without violating an absolute criterion",
        RULE + 4: "rule 4, the lowest bracket cannot be completed: the penultimate one is undone, then merged",
        RULE + 5: "rule 5, a player moved down is left unpaired: the previous bracket is paired again",
        RULE + 6: "rule 6, the bye",
        QUALITY + 2: "q2 players moved down who are left unpaired",
        QUALITY + 3: "q3 A3 waived for a top scorer",
        QUALITY + 4: "q4 the same strong or absolute preference (odd rounds)",
        QUALITY + 5: "q5 the same preferred colour",
        QUALITY + 6: "q6 the same strong or absolute preference (even rounds)",
        QUALITY + 7: "q7 downfloat as in the previous round",
        QUALITY + 8: "q8 downfloat as two rounds ago",
        QUALITY + 9: "q9 upfloat as in the previous round",
        QUALITY + 10: "q10 upfloat as two rounds ago",
        COLOURS + 1: "colours 1, preferences granted",
        COLOURS + 2: "colours 2, the stronger preference",
        COLOURS + 3: "colours 3, alternation with regard to the latest round with different colours",
        COLOURS + 4: "colours 4, the preference of the higher ranked player",
        COLOURS + 5: "colours 5, no preferences: the drawn colour by the number",
    }
    KINDS = {
        A1: "pair", A2: "bye", A3: "pair", BRACKET: "group", ORDER: "pair", **{RULE + k: "float" for k in (1, 2, 3)},
        **{RULE + k: "undo" for k in (4, 5)}, RULE + 6: "bye", **{QUALITY + k: "criterion" for k in range(2, 11)},
        **{COLOURS + k: "colour" for k in range(1, 6)},
    }
    REASONS = {
        RESIDENT: "resident",
        MOVED_DOWN: "moved down",
        LOWEST_RESIDENT: "resident of the lowest bracket",
        LOWEST_MOVED_DOWN: "moved down into the lowest bracket",
        SET_ASIDE: "set aside",
        FLOATS: "floats down",
        GETS_BYE: "gets the bye",
        EXCHANGED: "{player} is exchanged out of S1 for {others} out of S2",
        LEFT_UNPAIRED: "left unpaired",
        ACCEPTED: "accepted: no pairing of the bracket does better",
        PAIRED_AGAIN: "the previous bracket is paired again, so that all its floaters find opponents",
        NOT_PAIRED_AGAIN: "no other pairing of the previous bracket with floaters of the same scores helps: floats further",
        UNDONE: "in the penultimate bracket, which is undone",
        OPENED: "paired again, so that the lowest bracket can be completed",
        MERGED: "no pairing of the penultimate bracket helps: merged with the lowest bracket",
        JOINS_LOWEST: "the merged bracket cannot be completed: its residents stay, the others go back",
    }

    cdef bint may_meet(self, State s, int i, int j) noexcept nogil:
        """A1 and A3."""
        return not have_met(s, i, j) and (is_top_scorer(s, i) or is_top_scorer(s, j) or not same_absolute(s, i, j))

    cdef bint may_have_bye(self, State s, int i) noexcept nogil:
        """A2."""
        return not s.had[i] & (HAD_PAIRING_BYE | HAD_FORFEIT_WIN | HAD_FULL_BYE | HAD_HALF_BYE)

    cdef int pair(self, State s) noexcept nogil:
        cdef Round r
        cdef Mark mark = s.mark()
        cdef int status = NO_MEMORY
        if begin(s, &r, self):
            status = pair_down(s, &r)
            if status == PAIRED:
                status = pair_lowest(s, &r)
            if status == PAIRED:
                status = finish(s, &r)
        s.release(mark)
        return status


# ---- beginning and end

cdef bint is_top_scorer(State s, int i) noexcept nogil:
    return s.last_round and 2 * s.score[i] > (s.round - 1) * s.worth[WIN]


cdef bint same_absolute(State s, int i, int j) noexcept nogil:
    cdef int own, other, strength, his
    find_preference(s, i, False, &own, &strength)
    find_preference(s, j, False, &other, &his)
    return own == other and strength == ABSOLUTE and his == ABSOLUTE


cdef bint begin(State s, Round* r, Dutch2012 system) noexcept nogil:
    cdef Edition edition
    cdef int p
    edition.repeated_first, edition.bye_floats = False, True
    if not make_lineup(s, &r.f, edition):
        return False
    r.bye = -1
    r.mate = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    r.made = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    r.cover = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    r.alive = <uint64_t*>s.scratch(<size_t>r.f.words * sizeof(uint64_t))
    r.members = <uint64_t*>s.scratch(<size_t>r.f.words * sizeof(uint64_t))
    if r.mate == NULL or r.made == NULL or r.cover == NULL or r.alive == NULL or r.members == NULL:
        return False
    for p in range(r.f.m + 1):
        r.mate[p] = r.made[p] = r.cover[p] = -1
    for p in range(r.f.m):
        if system.may_have_bye(s, r.f.player[p]):
            admit_bye(&r.f, p)
    return True


cdef int finish(State s, Round* r) noexcept nogil:
    """Give colours and put the boards in order."""
    cdef int p, b
    cdef int rule
    for p in range(r.f.m):
        if r.mate[p] > p:
            rule = give_colours(s, &r.f, p, r.mate[p])
            b = s.boards - 1
            note(s, COLOURS + rule, s.white[b], s.black[b], CHOSEN)
    if r.bye >= 0:
        s.bye = r.f.player[r.bye]
    return PAIRED if sort_boards(s, s.score) else NO_MEMORY


# ---- from the top down: rules 1, 2, 3 and 5

cdef inline Task bracket(Round* r, int level, int goal) noexcept nogil:
    cdef Task k
    memset(&k, 0, sizeof(Task))
    k.goal, k.level = goal, level
    k.start, k.end = r.f.start[level], r.f.start[level + 1]
    return k


cdef int pair_down(State s, Round* r) noexcept nogil:
    cdef Task k
    cdef int g, status
    for g in range(r.f.groups - 1):
        k = bracket(r, g, PLAIN)
        status = pair_bracket(s, r, &k)
        if status == PAIRED and first_open(r, k.start) >= 0:
            status = pair_previous_again(s, r, g)
        if status != PAIRED:
            return status
    return PAIRED


cdef inline int first_open(Round* r, int end) noexcept nogil:
    cdef int p
    for p in range(end):
        if r.mate[p] < 0:
            return p
    return -1


cdef void undo(Round* r, int level) noexcept nogil:
    """Take back the pairs of a bracket."""
    cdef int p
    for p in range(r.f.start[level + 1]):
        if r.made[p] == level:
            r.mate[p] = r.made[p] = -1


cdef int pair_previous_again(State s, Round* r, int g) noexcept nogil:
    """Rule 5 for bracket g, an MDP of which is left unpaired."""
    cdef Mark mark = s.mark()
    cdef size_t size = <size_t>r.f.m * sizeof(int32_t)
    cdef int32_t* mate = <int32_t*>s.scratch(size)
    cdef int32_t* made = <int32_t*>s.scratch(size)
    cdef int32_t* scores = <int32_t*>s.scratch(size)
    cdef Task k = bracket(r, g - 1, COVERING)
    cdef int p, status
    if mate == NULL or made == NULL or scores == NULL:
        return NO_MEMORY
    memcpy(mate, r.mate, size)
    memcpy(made, r.made, size)
    k.left = r.f.player[first_open(r, r.f.start[g])]
    undo(r, g)
    for p in range(k.end):
        if r.mate[p] < 0:
            scores[k.olds] = score_at(&r.f, p)
            k.olds += 1
    undo(r, g - 1)
    k.old, k.beyond = scores, r.f.start[g + 1]
    status = pair_bracket(s, r, &k)
    if status == PAIRED:
        k = bracket(r, g, PLAIN)
        status = pair_bracket(s, r, &k)
    elif status == NO_PAIRING:
        note(s, RULE + 5, k.left, -1, NOT_PAIRED_AGAIN)
        memcpy(r.mate, mate, size)
        memcpy(r.made, made, size)
        status = PAIRED
    s.release(mark)
    return status


# ---- the lowest bracket: rules 4 and 6

cdef int pair_lowest(State s, Round* r) noexcept nogil:
    cdef int g = r.f.groups - 1         # the first score group of the lowest bracket
    cdef int status
    if g < 0:
        return PAIRED
    status = complete_lowest(s, r, g)                   # a
    while status == NO_PAIRING and g > 0:
        status = open_penultimate(s, r, g)              # b
        if status == PAIRED:
            status = complete_lowest(s, r, g)
        elif status == NO_PAIRING:
            status = complete_lowest(s, r, g)           # c: everybody of the penultimate bracket is an MDP now
            if status == NO_PAIRING:
                g -= 1
                tell_open(s, r, r.f.start[g], r.f.start[g + 1], JOINS_LOWEST)
    return status


cdef int complete_lowest(State s, Round* r, int g) noexcept nogil:
    cdef Task k = bracket(r, g, COMPLETE)
    k.end = r.f.m
    return pair_bracket(s, r, &k)


cdef int open_penultimate(State s, Round* r, int g) noexcept nogil:
    """Undo the bracket above score group g and pair it so that the lowest bracket can be completed, if that can be."""
    cdef Task k = bracket(r, g - 1, OPENING)
    cdef int status
    k.beyond = r.f.m
    undo(r, g - 1)
    tell_open(s, r, 0, k.end, UNDONE)
    status = pair_bracket(s, r, &k)
    if status == PAIRED:
        tell_open(s, r, 0, k.end, OPENED)
    elif status == NO_PAIRING:
        tell_open(s, r, 0, k.end, MERGED)
    return status


cdef void tell_open(State s, Round* r, int start, int end, int reason) noexcept nogil:
    """Write an event of rule 4 for every open place of a range."""
    cdef int p
    if s.tracing:
        for p in range(start, end):
            if r.mate[p] < 0:
                note(s, RULE + 4, r.f.player[p], -1, reason)
