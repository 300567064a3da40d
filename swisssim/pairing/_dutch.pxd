"""The round in hand of the `dutch` room: what its flow, its exact choice and its fast paths share."""

from libc.stdint cimport int32_t, uint64_t

from swisssim._brackets.lineup cimport Lineup
from swisssim._state cimport State

# One bracket; *members* are its players by index: MDPs by rank, then residents by rank.
cdef struct Round:
    Lineup f
    bint odd                # an odd field: place m is the bye
    int bye_score           # C5: the score of the player with the bye
    int32_t* mate           # [m + 1] answer by place: the opponent, m for the bye, -1 not paired yet
    int32_t* kept           # [m + 1] a complete matching of everybody not paired yet
    int group               # the scoregroup of the bracket in hand
    int32_t* members        # [m] places of the bracket
    int mdps
    int size
    int32_t* pairs          # [m] answer of the bracket by member: index of the opponent, -1 for a downfloater
    # ---- short use
    uint64_t* alive         # a set of places
    int32_t* trial          # [m + 1] a matching


cdef inline int32_t score_of_place(const Round* r, int p) noexcept nogil:
    return r.f.score[r.f.player[p]]


cdef inline int32_t score_of_member(const Round* r, int i) noexcept nogil:
    return r.f.score[r.f.player[r.members[i]]]


cdef inline int32_t group_score(const Round* r) noexcept nogil:
    return r.f.score[r.f.player[r.f.start[r.group]]]


cdef inline int below(const Round* r) noexcept nogil:
    """Return the first place of the next scoregroup; m if there is none."""
    return r.f.start[r.group + 1]


# Can all members (`whole`) or only the downfloaters of `pairs`, or none of them, together with the places from `first` to m - 1 and,
# if `bye`, the bye, be paired? On success `trial` is such a matching. Statuses of `complete`.
cdef enum Part:
    NOBODY = 0
    FLOATERS = 1
    WHOLE = 2

cdef int can_pair_all(State s, Round* r, int part, int first, bint bye) noexcept nogil

# The downfloaters of `pairs` leave a completable rest, and with the next scoregroup they form a bracket that is paired as well as its
# size allows (the lower bound of C8). PAIRED, NO_PAIRING, ...
cdef int float_well(State s, Round* r) noexcept nogil
