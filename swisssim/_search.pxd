"""First complete pairing in an order of trial: optimistic depth-first search, then guided by maximum matching.

Two shapes. `first_pairing`: m positions (m even), the first open position chooses its partner among the open ones in the
order that the room describes. `first_assignment`: m upper against m lower positions, lower candidates in ascending order.
Both give the lexicographically first complete solution and never take exponential time: the depth-first search gives up after
`State.node_budget` nodes, and the guided search accepts a candidate only if the rest still has a perfect matching.
"""

from libc.stdint cimport int32_t, uint64_t

from swisssim._state cimport State

# May positions i and j be paired? Symmetric.
ctypedef bint (*legal_function)(State s, void* room, int i, int j) noexcept nogil

# Next candidate of `leader` in order of trial: an open position other than leader, legal or not (the search asks `legal`), or -1.
# `cursor` is -1 at the first call for a leader; the room keeps what it wants there between calls for the same leader and `open`.
# `open` is a bitset of the unpaired positions (leader included) of `m` bits.
ctypedef int (*next_function)(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil

# Return a Status: PAIRED (partner[i] filled for all positions; `sequence`, if not NULL, gets the leaders in the order in which they
# chose), NO_PAIRING, CANCELLED or NO_MEMORY. Scratch memory comes from the State's arena and is released before the return.
# `article` is the number written to the trace for every refusal and choice; `player` maps positions to players for the trace (NULL:
# positions are players). A pair that is not legal is written as MET or, if the two have not met, as COLOUR.
cdef int first_pairing(State s, void* room, int m, legal_function legal, next_function next, int32_t* partner,
                       int32_t* sequence, int article, const int32_t* player) noexcept nogil

# Rows of `rows`: for each upper position a bitset over the lower positions (legal pairs), (m + 63) // 64 words each.
# partner[u] = lower position. Same statuses.
cdef int first_assignment(State s, int m, const uint64_t* rows, int32_t* partner) noexcept nogil

# Can positions be paired perfectly at all? Graph given by `legal`; returns PAIRED, NO_PAIRING, CANCELLED or NO_MEMORY.
cdef int can_pair(State s, void* room, int m, legal_function legal) noexcept nogil

# Odd m: the first of `count` candidates (positions) without whom all the others can be paired; its place in `candidates` goes to
# `chosen` (-1: none, NO_PAIRING). Refusals (REST) and the choice go to the trace under `article`, with candidate -1.
cdef int first_bye(State s, void* room, int m, legal_function legal, const int32_t* candidates, int count, int* chosen,
                   int article, const int32_t* player) noexcept nogil
