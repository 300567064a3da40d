"""Exact sums: order, block size and number of threads cannot change them.

Values are whole numbers (fixed point). A sum is kept in four limbs of base 2^31, each an int64 to which the rows' parts
are added without carrying: below 2^30 rows none can overflow, and sums of whole numbers don't depend on their order.
"""

from libc.math cimport isnan, rint
from libc.stdint cimport int64_t, uint8_t, uint64_t

from swisssim._random cimport BOOTSTRAP, philox

cdef enum:
    BITS = 31
    LOW = 0x7FFFFFFF
    STEPS = 14

# Columns of the moments of a numerator n and a denominator d, and of the products with those of the baseline.
MOMENTS = ("count", "n", "d", "nn", "nd", "dd")
PRODUCTS = ("count", "nn", "nd", "dn", "dd")

# The largest bootstrap weight that a tournament can have.
LARGEST_WEIGHT = STEPS - 1


def fix(const double[:, ::1] values, const double[:, ::1] weights, int scale, int bits, int64_t[:, :] above, int64_t[:, :] below):
    """Write numerators in units of 2^-scale and denominators, and return the first bad entry as (row, column), or None.

    NaN has neither. Without weights a value has the denominator 1. Bad are values of 2^bits or more and weights that are
    not whole numbers from 0 to 2^bits.
    """
    cdef Py_ssize_t t, k, row = -1, column = -1
    cdef double x, w = 1.0, most = <double>(<int64_t>1 << bits), unit = <double>(<int64_t>1 << scale)
    with nogil:
        for t in range(values.shape[0]):
            for k in range(values.shape[1]):
                x = values[t, k]
                if isnan(x):
                    above[t, k] = 0
                    below[t, k] = 0
                    continue
                if weights is not None:
                    w = weights[t, k]
                if not (-most < x < most and 0.0 <= w < most and w == rint(w)):
                    row = t
                    column = k
                    break
                above[t, k] = <int64_t>rint(x * unit)
                below[t, k] = <int64_t>w
            if row >= 0:
                break
    return None if row < 0 else (row, column)


cdef inline void add_value(int64_t* limbs, int64_t x) noexcept nogil:
    limbs[0] += x & LOW
    limbs[1] += x >> BITS


cdef inline void add_product(int64_t* limbs, int64_t x, int64_t y) noexcept nogil:
    """Add x * y for -2^62 <= x, y <= 2^62."""
    cdef int64_t a = x >> BITS, b = x & LOW, c = y >> BITS, d = y & LOW
    cdef int64_t low = b * d, cross = a * d, other = b * c, high = a * c
    limbs[0] += low & LOW
    limbs[1] += (low >> BITS) + (cross & LOW) + (other & LOW)
    limbs[2] += (cross >> BITS) + (other >> BITS) + (high & LOW)
    limbs[3] += high >> BITS


def add_moments(const int64_t[:, ::1] n, const int64_t[:, ::1] d, const uint8_t[::1] rows, int64_t[:, :, ::1] out):
    """Add the moments of the marked rows to ``out[column, moment, limb]``; `count` counts rows with a denominator."""
    cdef Py_ssize_t t, k
    cdef int64_t x, y
    with nogil:
        for t in range(n.shape[0]):
            if not rows[t]:
                continue
            for k in range(n.shape[1]):
                x = n[t, k]
                y = d[t, k]
                if y == 0 and x == 0:
                    continue
                out[k, 0, 0] += y != 0
                add_value(&out[k, 1, 0], x)
                add_value(&out[k, 2, 0], y)
                add_product(&out[k, 3, 0], x, x)
                add_product(&out[k, 4, 0], x, y)
                add_product(&out[k, 5, 0], y, y)


def add_products(const int64_t[:, ::1] n, const int64_t[:, ::1] d, const int64_t[:, ::1] n0, const int64_t[:, ::1] d0,
                 const uint8_t[::1] rows, int64_t[:, :, ::1] out):
    """Add the products of the marked rows with the baseline's; `count` counts rows where either has a denominator."""
    cdef Py_ssize_t t, k
    with nogil:
        for t in range(n.shape[0]):
            if not rows[t]:
                continue
            for k in range(n.shape[1]):
                out[k, 0, 0] += d[t, k] != 0 or d0[t, k] != 0
                add_product(&out[k, 1, 0], n[t, k], n0[t, k])
                add_product(&out[k, 2, 0], n[t, k], d0[t, k])
                add_product(&out[k, 3, 0], d[t, k], n0[t, k])
                add_product(&out[k, 4, 0], d[t, k], d0[t, k])


cdef void thresholds(uint64_t* steps) noexcept nogil:
    """Write the distribution function of Poisson(1), times 2^32."""
    cdef int k
    cdef double term = 0.36787944117144233, total = 0.0
    for k in range(STEPS):
        total += term
        steps[k] = <uint64_t>(total * 4294967296.0)
        term /= k + 1
    steps[STEPS - 1] = 4294967296


cdef inline int poisson_of(uint64_t half, const uint64_t* steps) noexcept nogil:
    cdef int k = 0
    while half >= steps[k]:
        k += 1
    return k


def poisson_weights(uint64_t seed, uint64_t first, double[:, ::1] out):
    """Write the bootstrap weights of the tournaments first, first + 1, ...: Poisson(1), one per resample.

    Resamples come in groups of eight: the block with counter (tournament, group, 0, 0) of the domain BOOTSTRAP gives each
    of them 32 bits, the low half of a word first.
    """
    cdef Py_ssize_t t, b
    cdef uint64_t[4] words
    cdef uint64_t[STEPS] steps
    cdef uint64_t word
    thresholds(steps)
    with nogil:
        for t in range(out.shape[0]):
            for b in range(out.shape[1]):
                if b & 7 == 0:
                    philox(seed, BOOTSTRAP, first + t, b >> 3, 0, 0, words)
                word = words[(b & 7) >> 1] >> (32 * (b & 1))
                out[t, b] = poisson_of(word & <uint64_t>0xFFFFFFFF, steps)
