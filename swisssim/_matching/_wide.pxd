"""Whole numbers of several 64-bit words, most significant word first, two's complement.

All functions are inline and take the number of words, so a caller that passes a constant gets straight code. `out` may be one of
the operands.
"""

from libc.stdint cimport int64_t, uint64_t


cdef inline void wide_copy(uint64_t* out, const uint64_t* a, int words) noexcept nogil:
    cdef int k
    for k in range(words):
        out[k] = a[k]


cdef inline void wide_clear(uint64_t* out, int words) noexcept nogil:
    cdef int k
    for k in range(words):
        out[k] = 0


cdef inline void wide_add(uint64_t* out, const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int k
    cdef uint64_t carry = 0, x, y
    for k in range(words - 1, 0, -1):
        x = a[k] + carry
        carry = x < carry
        y = x + b[k]
        carry += y < x
        out[k] = y
    out[0] = a[0] + b[0] + carry


cdef inline void wide_subtract(uint64_t* out, const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int k
    cdef uint64_t borrow = 0, x, y
    for k in range(words - 1, 0, -1):
        x = a[k] - borrow
        borrow = x > a[k]
        y = x - b[k]
        borrow += y > x
        out[k] = y
    out[0] = a[0] - b[0] - borrow


cdef inline void wide_double(uint64_t* out, const uint64_t* a, int words) noexcept nogil:
    cdef int k
    for k in range(words - 1):
        out[k] = (a[k] << 1) | (a[k + 1] >> 63)
    out[words - 1] = a[words - 1] << 1


cdef inline void wide_halve(uint64_t* out, const uint64_t* a, int words) noexcept nogil:
    """Divide by two; exact for even numbers."""
    cdef int k
    for k in range(words - 1, 0, -1):
        out[k] = (a[k] >> 1) | (a[k - 1] << 63)
    out[0] = <uint64_t>((<int64_t>a[0]) >> 1)


cdef inline bint wide_less(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int k
    if a[0] != b[0]:
        return <int64_t>a[0] < <int64_t>b[0]
    for k in range(1, words):
        if a[k] != b[k]:
            return a[k] < b[k]
    return False


cdef inline bint wide_equal(const uint64_t* a, const uint64_t* b, int words) noexcept nogil:
    cdef int k
    for k in range(words):
        if a[k] != b[k]:
            return False
    return True


cdef inline bint wide_negative(const uint64_t* a) noexcept nogil:
    return <int64_t>a[0] < 0


cdef inline bint wide_positive(const uint64_t* a, int words) noexcept nogil:
    cdef int k
    if <int64_t>a[0] < 0:
        return False
    for k in range(words):
        if a[k]:
            return True
    return False
