"""What the trace of `dutch` says about a bracket and why."""

from swisssim._state cimport State
from swisssim.pairing._dutch cimport Round

# Numbers in the trace: articles 1-21 are the criteria C1-C21.
cdef enum Article:
    BRACKET = 30
    ORDER = 31
    COLOURS = 40        # 41-45: the rules of E

# Own reasons.
cdef enum Reason:
    RESIDENT = 100
    MOVED_DOWN = 101
    FLOATS = 102
    LATER = 103
    WORSE = 104
    WITH_MDP = 105
    AS_SPLIT = 106
    TRANSPOSED = 107
    EXCHANGED = 108
    HAS_WHITE = 109
    HAS_BYE = 110
    LOWER_SCORE = 111
    FLOATS_BY_ORDER = 112
    NO_OPPONENT = 113
    LEFT_OVER = 114
    NOT_EXAMINED = 115

# Tell about the bracket in hand, whose r.pairs are chosen: players, refused partners, pairs, downfloaters.
cdef int tell_bracket(State s, Round* r) noexcept nogil
