"""Philox4x64-10, inline: four random words from a key (seed, domain) and a counter (tournament, a, b, c).

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC '11.
A block equals `numpy.random.Philox` with the 256-bit counter one smaller (numpy counts up before it draws).
Players in counters are pairing numbers from 1, rounds count from 1, tournaments from 0.
"""

from libc.stdint cimport int64_t, uint64_t

# The second word of the key: each use of chance has numbers of its own. `swisssim._random.Domain` shows them to Python.
cdef enum DomainNumber:
    FIELD = 1
    PARTICIPATION = 2
    GAME = 3                # a < b: the players, c: how often the two were paired before
    POSTPONEMENT = 4
    INITIAL_COLOUR = 5
    FINAL_LOTS = 6
    LOTTERY = 7             # a: round, b: step
    BOOTSTRAP = 8

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__SIZEOF_INT128__)
    static inline uint64_t swisssim_product(uint64_t x, uint64_t y, uint64_t* high) {
        unsigned __int128 product = (unsigned __int128)x * y;
        *high = (uint64_t)(product >> 64);
        return (uint64_t)product;
    }
    #elif defined(_MSC_VER) && defined(_M_X64)
    #include <intrin.h>
    static inline uint64_t swisssim_product(uint64_t x, uint64_t y, uint64_t* high) { return _umul128(x, y, high); }
    #elif defined(_MSC_VER) && defined(_M_ARM64)
    #include <intrin.h>
    static inline uint64_t swisssim_product(uint64_t x, uint64_t y, uint64_t* high) {
        *high = __umulh(x, y);
        return x * y;
    }
    #else
    static inline uint64_t swisssim_product(uint64_t x, uint64_t y, uint64_t* high) {
        uint64_t x0 = x & 0xffffffffu, x1 = x >> 32, y0 = y & 0xffffffffu, y1 = y >> 32;
        uint64_t low = x0 * y0, cross = x1 * y0 + (low >> 32), other = x0 * y1 + (cross & 0xffffffffu);
        *high = x1 * y1 + (cross >> 32) + (other >> 32);
        return x * y;
    }
    #endif
    """
    # the low word of x * y; *high gets the high one
    uint64_t product "swisssim_product"(uint64_t x, uint64_t y, uint64_t* high) noexcept nogil


cdef inline void philox(uint64_t seed, uint64_t domain, uint64_t tournament, uint64_t a, uint64_t b, uint64_t c,
                        uint64_t* out) noexcept nogil:
    """Write the four words of one block to `out`."""
    cdef uint64_t low0, high0, low2, high2
    cdef int _round
    for _round in range(10):
        low0 = product(<uint64_t>0xD2E7470EE14C6C93ULL, tournament, &high0)
        low2 = product(<uint64_t>0xCA5A826395121157ULL, b, &high2)
        tournament = high2 ^ a ^ seed
        a = low2
        b = high0 ^ c ^ domain
        c = low0
        seed += <uint64_t>0x9E3779B97F4A7C15ULL
        domain += <uint64_t>0xBB67AE8584CAA73BULL
    out[0] = tournament
    out[1] = a
    out[2] = b
    out[3] = c


cdef inline double uniform(uint64_t word) noexcept nogil:
    """Return the number in [0, 1) of 53 bits that a word stands for."""
    return <double><int64_t>(word >> 11) * (1.0 / 9007199254740992.0)      # signed: one instruction on x86-64
