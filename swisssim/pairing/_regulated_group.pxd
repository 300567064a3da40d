"""One group of the `regulated` system: who may meet whom in which order of trial (B, C), and who floats on (A)."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from swisssim._boards cimport ranks_above
from swisssim._colours cimport colour_legal
from swisssim._state cimport State, have_met

cdef enum:
    DOWN = 1
    UP = -1
    MEDIAN = 0

# Articles of the trace.
cdef enum:
    BYE = 1
    GROUP = 2
    FLOAT = 3
    PAIR = 4
    BLOCKED = 5
    COLOURS = 6

# The room's own reasons in the trace.
cdef enum:
    FROM_ABOVE = 101
    FROM_BELOW = 102
    CHOSEN_TO_FLOAT = 103
    NEEDED = 104            # cannot float: then one more would be left over
    BROKEN_UP = 105
    RULE = 110              # + number of the colour rule
    RESIDENT = 120          # + mode of the group
    AHEAD = 130             # + number of the rule of A that put the floater before the next candidate


# Everything that one round needs; lives in scratch memory.
cdef struct Round:
    bint restricted         # pairs must be colour-legal
    bint limits             # the absolute colour rule exists
    int size                # players to be paired, the bye taken out
    int32_t* rank           # in pairing order
    int8_t* due             # of each player
    int8_t* side            # of the group that made a player's pair
    # the group in hand: positions = floaters in order B, then residents
    int mode
    int positions
    int floaters
    int above               # floaters from above, of them
    int32_t* player
    int32_t* partner
    int32_t* sequence
    # floaters on their way down and up, each in the order B; for a group in hand those of its side have reached it
    int32_t* falling
    int falls
    int32_t* rising
    int rises
    # those chosen to float on from the group in hand, in the order B of the next group
    int32_t* chosen
    int chosen_count
    # the next group: a slice of `rank`
    int next_start, next_end
    bint next_is_median
    int8_t* taken           # its residents that the floaters ahead take
    # pairs made, in order
    int made
    int32_t* first
    int32_t* second


cdef inline bint may_pair(State s, Round* h, int i, int j) noexcept nogil:
    return not have_met(s, i, j) and (not h.restricted or colour_legal(s, i, j))


cdef inline bint conflict(Round* h, int i, int j) noexcept nogil:
    return h.due[i] != 0 and h.due[i] == h.due[j]


cdef inline bint goes_before(State s, int mode, int i, int j) noexcept nogil:
    """Order B: downward the best-ranked first, upward the reverse."""
    return ranks_above(s, s.score, i, j) if mode != UP else ranks_above(s, s.score, j, i)


cdef bint compatible(State s, void* room, int a, int b) noexcept nogil
cdef int next_candidate(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil
cdef void insert(State s, int mode, int32_t* floaters, int count, int i) noexcept nogil
cdef void drop(Round* h, int p) noexcept nogil
cdef int choose_floats(State s, Round* h) noexcept nogil
cdef void draw_graph(State s, Round* h, const int32_t* player, int n, int words, uint64_t* rows) noexcept nogil
cdef void float_keys(State s, Round* h, const uint64_t* alive, int64_t* key) noexcept nogil
