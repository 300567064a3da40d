"""Bit tricks on 64-bit words, with the compiler's own instructions."""

from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static inline int swisssim_lowest(uint64_t x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i;
    }
    static inline int swisssim_highest(uint64_t x) {
        unsigned long i; _BitScanReverse64(&i, x); return (int)i;
    }
    static inline int swisssim_count(uint64_t x) { return (int)__popcnt64(x); }
    #else
    static inline int swisssim_lowest(uint64_t x) { return __builtin_ctzll(x); }
    static inline int swisssim_highest(uint64_t x) { return 63 - __builtin_clzll(x); }
    static inline int swisssim_count(uint64_t x) { return __builtin_popcountll(x); }
    #endif
    """
    int lowest "swisssim_lowest"(uint64_t word) noexcept nogil     # index of the lowest set bit; word != 0
    int highest "swisssim_highest"(uint64_t word) noexcept nogil   # index of the highest set bit; word != 0
    int count "swisssim_count"(uint64_t word) noexcept nogil       # number of set bits


cdef inline bint test_bit(const uint64_t* row, int i) noexcept nogil:
    return (row[i >> 6] >> (i & 63)) & 1


cdef inline void set_bit(uint64_t* row, int i) noexcept nogil:
    row[i >> 6] |= (<uint64_t>1) << (i & 63)


cdef inline void clear_bit(uint64_t* row, int i) noexcept nogil:
    row[i >> 6] &= ~((<uint64_t>1) << (i & 63))


cdef inline int next_bit(const uint64_t* row, int start, int end) noexcept nogil:
    """Return the first set bit in ``start <= i < end``, or -1."""
    cdef int w
    cdef uint64_t x
    if start >= end:
        return -1
    w = start >> 6
    x = row[w] & ((~(<uint64_t>0)) << (start & 63))
    while True:
        if x:
            start = (w << 6) + lowest(x)
            return start if start < end else -1
        w += 1
        if (w << 6) >= end:
            return -1
        x = row[w]


cdef inline int previous_bit(const uint64_t* row, int start, int end) noexcept nogil:
    """Return the last set bit in ``end < i <= start``, or -1."""
    cdef int w
    cdef uint64_t x
    if start <= end:
        return -1
    w = start >> 6
    x = row[w] & ((~(<uint64_t>0)) >> (63 - (start & 63)))
    while True:
        if x:
            start = (w << 6) + highest(x)
            return start if start > end else -1
        w -= 1
        if w < 0 or ((w << 6) + 63) <= end:
            return -1
        x = row[w]
