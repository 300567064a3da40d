"""The field of a round as both Dutch systems see it: players by rank with their preferences, floats and legal opponents.

A *place* is an index into the pairing list of the round: 0 is the highest ranked player. All functions here speak of places.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from swisssim._state cimport State

# Classes of a colour preference.
cdef enum Class:
    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3

# Bits of Lineup.floats: what happened one round ago and two rounds ago.
cdef enum Float:
    DOWN_1 = 1
    DOWN_2 = 2
    UP_1 = 4
    UP_2 = 8

# What the two editions see differently.
cdef struct Edition:
    bint repeated_first     # two equal colours at the end decide the preferred colour before a colour difference of one does
    bint bye_floats         # a pairing-allocated bye is a downfloat even if it is worth no more than a loss

cdef struct Lineup:
    int m                   # players of the field
    int words               # 64-bit words of a set of places; there is room for one more than m (place m: the bye)
    const int32_t* player   # [m] number of the player, from 0
    const int32_t* score    # by *player*: pairing score of the round in tenths
    int groups              # scoregroups, highest first: places start[g] .. start[g + 1] - 1
    int32_t* start          # [groups + 1]
    int8_t* prefers         # [m] preferred colour +1 White, -1 Black, 0 none
    uint8_t* strength       # [m] class of the preference
    uint8_t* imbalance      # [m] |whites - blacks|
    int8_t* repeated        # [m] the colour of the last two games if it was the same, else 0
    uint8_t* floats         # [m] bits of Float
    uint8_t* top            # [m] 1 for a topscorer (last round only)
    bint any_top
    uint64_t* legal         # [m + 1] rows of `words`: may the two meet (not met, not forbidden, no clash of absolute preferences
                            # unless one is a topscorer). Row m is for the room: who may have the bye, see `admit_bye`


# Make the line-up of the round in hand (s.prepare has been called) from the State's arena; False: no memory.
cdef bint make_lineup(State s, Lineup* f, Edition edition) noexcept nogil

# Let place p have the bye: sets bit m of row p and bit p of row m.
cdef void admit_bye(Lineup* f, int p) noexcept nogil

# Can the places of `alive` (a set; place m takes part as the bye if it is in it) all be paired? `mate` [m + 1] is a matching of
# legal pairs to begin with (-1: none) and holds the complete one on success. PAIRED, NO_PAIRING, CANCELLED or NO_MEMORY.
cdef int complete(State s, const Lineup* f, const uint64_t* alive, int32_t* mate) noexcept nogil

# What is said of one pair by its players' colours alone; for use without a line-up.
cdef void find_preference(State s, int player, bint repeated_first, int* prefers, int* strength) noexcept nogil

# More than half of the points that were possible so far, when the last round is paired.
cdef bint is_topscorer(State s, int player) noexcept nogil

# Add the board of two places to the answer of the round, a ranked above b; returns the number of the rule that decided: 1 both or
# the only preference granted, 2 the stronger one, 3 alternation, 4 the higher ranked player's, 5 by the number and the drawn colour.
cdef int give_colours(State s, const Lineup* f, int a, int b) noexcept nogil

# The colour of a alone, and the rule.
cdef int colour_of_higher(State s, const Lineup* f, int a, int b, int* rule) noexcept nogil


cdef inline int32_t score_at(const Lineup* f, int p) noexcept nogil:
    return f.score[f.player[p]]


cdef inline uint64_t* legal_row(const Lineup* f, int p) noexcept nogil:
    return f.legal + <size_t>p * f.words


cdef inline bint is_legal(const Lineup* f, int p, int q) noexcept nogil:
    return (legal_row(f, p)[q >> 6] >> (q & 63)) & 1


cdef inline bint clash(const Lineup* f, int p, int q) noexcept nogil:
    """Both prefer the same colour."""
    return f.prefers[p] != 0 and f.prefers[p] == f.prefers[q]


cdef inline bint firm(const Lineup* f, int p) noexcept nogil:
    """The preference is strong or absolute."""
    return f.strength[p] >= STRONG
