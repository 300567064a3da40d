"""The first transposition of one split: S1 in order, each with the highest ranked partner in S2 that leaves the others theirs."""

from libc.stdint cimport int32_t, uint64_t

from swisssim._state cimport State

# Members are numbers below `size`; sets have `words` words.
cdef struct Split:
    int size
    int words
    const uint64_t* rows    # [size] rows: possible pairs (symmetric)
    int32_t* first          # S1 by rank ...
    int half                # ... and how many they are
    uint64_t* second        # set: S2, as many as S1 or one more
    const uint64_t* spare   # set: who may be left over; read only if S2 is larger

    # ---- private
    int lefts               # members of S1, and one more for being left over
    int32_t* number         # [size] position in S1
    int32_t* mate_left      # [half + 1] partner of S1[k]; of number `half`: who is left over
    int32_t* mate_right     # [size] position in S1, or `half`
    int32_t* via            # [half + 1] the member that S1[k] would take instead
    int32_t* queue          # [size]
    uint64_t* open_first    # set: members of S1 not fixed yet
    uint64_t* open_second   # set: members of S2 not fixed yet
    uint64_t* reached       # set: members of S2 that could be set free
    uint64_t* left_rows     # [half + 1] rows
    void* work


# Take memory for splits of `size` members from the State's arena; False: none.
cdef bint make_split(State s, Split* p, int size, int words) noexcept nogil

# Write the pairs of the first transposition to `mate`; False if there is no way to pair S1 with S2.
cdef bint first_transposition(State s, Split* p, int32_t* mate) noexcept nogil
