"""Board order of the systems that follow FIDE C.04.2: score of the higher ranked player, sum of both scores, his number."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport qsort

from swisssim._state cimport State


cdef inline int compare_keys(const void* a, const void* b) noexcept nogil:
    cdef uint64_t x = (<const uint64_t*> a)[0]
    cdef uint64_t y = (<const uint64_t*> b)[0]
    return (x > y) - (x < y)


cdef inline bint ranks_above(State s, const int32_t* score, int i, int j) noexcept nogil:
    """Higher ranked: more points, then the smaller number."""
    return score[i] > score[j] or (score[i] == score[j] and i < j)


cdef inline bint sort_boards(State s, const int32_t* score) noexcept nogil:
    """Put the boards of the answer in order by `score`; return False if there is no memory."""
    cdef uint64_t* keys = <uint64_t*> s.scratch((s.boards + 1) * sizeof(uint64_t))
    cdef int32_t* opponent = <int32_t*> s.scratch(s.players * sizeof(int32_t))
    cdef int b, high, low
    if keys == NULL or opponent == NULL:
        return False
    for b in range(s.boards):
        high, low = s.white[b], s.black[b]
        opponent[high] = low + 1                    # positive: he has White
        opponent[low] = -(high + 1)
        if ranks_above(s, score, low, high):
            high, low = low, high
        # 20 bits for the score, 21 for the sum, 20 for the number; smaller keys come first.
        keys[b] = ((<uint64_t> (0xFFFFF - score[high]) << 41)
                   | (<uint64_t> (0x1FFFFF - score[high] - score[low]) << 20)
                   | <uint64_t> high)
    qsort(keys, s.boards, sizeof(uint64_t), compare_keys)
    for b in range(s.boards):
        high = <int> (keys[b] & 0xFFFFF)
        if opponent[high] > 0:
            s.white[b], s.black[b] = high, opponent[high] - 1
        else:
            s.white[b], s.black[b] = -opponent[high] - 1, high
    return True
