"""One bracket of the 2012 Dutch: who is in it, and its best pairing under what the special rules ask of it.

Places are indices into the pairing list of the round (`_brackets.lineup`); *open* is who has not been paired yet.
"""

from libc.stdint cimport int32_t, uint64_t

from swisssim._brackets.lineup cimport ABSOLUTE, Lineup, clash, firm, score_at
from swisssim._state cimport State

# Numbers of the rules in ARTICLES.
cdef enum Article:
    A1 = 1
    A2 = 2
    A3 = 3
    BRACKET = 4
    ORDER = 5
    RULE = 10           # special rule k is RULE + k
    QUALITY = 20        # qk is QUALITY + k
    COLOURS = 40        # colour rule k is COLOURS + k

# Reasons of the room's own.
cdef enum Reason:
    RESIDENT = 100
    MOVED_DOWN = 101
    LOWEST_RESIDENT = 102
    LOWEST_MOVED_DOWN = 103
    SET_ASIDE = 104
    FLOATS = 105
    GETS_BYE = 106
    EXCHANGED = 107
    LEFT_UNPAIRED = 108
    ACCEPTED = 109
    PAIRED_AGAIN = 110
    NOT_PAIRED_AGAIN = 111
    UNDONE = 112
    OPENED = 113
    MERGED = 114
    JOINS_LOWEST = 115

# What a pairing of a bracket has to satisfy besides being the best.
cdef enum Goal:
    PLAIN = 0           # nothing: a bracket on the way down
    COVERING = 1        # rule 5: floaters of the same scores as before, for each of whom the next bracket has an opponent of his own
    OPENING = 2         # rule 4b: floaters with whom the lowest bracket has a complete pairing; at least one pair
    COMPLETE = 3        # rule 4a: the lowest bracket, everybody paired but the one who gets the bye

cdef struct Round:
    Lineup f
    int bye             # place, -1 none
    int32_t* mate       # [m] place of the opponent, -1 open
    int32_t* made       # [m] number of the bracket in which the pair was made
    int32_t* cover      # [m + 1] some matching of legal pairs, kept from one test of completeness to the next
    uint64_t* alive     # [f.words] places that such a test is about
    uint64_t* members   # [f.words] places of the bracket in hand

cdef struct Task:
    # ---- set by the caller
    int goal
    int level           # number of the bracket, from 0
    int start           # residents: places start..end-1; the open places before them are its MDPs
    int end
    int beyond          # COVERING, OPENING: places end..beyond-1 are the next bracket's residents
    const int32_t* old  # COVERING: scores of the floaters that the bracket had, highest first
    int olds
    int left            # COVERING: player whose being left unpaired is the reason
    # ---- filled by `pair_bracket`
    int above           # vertices 0..above-1 are MDPs by rank ...
    int size            # ... above..size-1 residents by rank ...
    int aside           # ... then those set aside, those beyond, and the bye
    int n
    int mdps            # `above` in a heterogeneous bracket, 0 in one that is (treated as) homogeneous
    int32_t* place      # [n] place of a vertex; f.m for the bye
    int32_t* partner    # [n] answer: the opponent's vertex, -1 left unpaired


# Pair a bracket and keep its pairs in the round: PAIRED, NO_PAIRING (the goal cannot be reached; nothing is changed), CANCELLED or
# NO_MEMORY.
cdef int pair_bracket(State s, Round* r, Task* k) noexcept nogil


cdef inline bint waives(Round* r, int p, int q) noexcept nogil:
    """A3 is waived: both have the same absolute preference."""
    return r.f.strength[p] == ABSOLUTE and r.f.strength[q] == ABSOLUTE and clash(&r.f, p, q)


cdef inline bint clashes_firmly(Round* r, int p, int q) noexcept nogil:
    return clash(&r.f, p, q) and firm(&r.f, p) and firm(&r.f, q)


cdef inline bint same_score(Round* r, int p, int q) noexcept nogil:
    return score_at(&r.f, p) == score_at(&r.f, q)
