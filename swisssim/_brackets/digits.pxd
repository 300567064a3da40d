"""Weights as mixed-radix numbers: the digits of one weight laid out over 64-bit words, most significant first.

`add_digit` reserves the next less significant digit; the room says how large its *sum over all pairs of a matching* can get (by the
number of vertices, never by the size of a scoregroup). All digits are laid out before the first weight is made.
"""

from libc.stdint cimport uint64_t

from swisssim._bits cimport highest

cdef struct Digit:
    int word        # -1: a digit that is always 0
    int shift

cdef struct Digits:
    int words       # words in use
    int free_       # unused bits of the last of them


cdef inline void no_digits(Digits* d) noexcept nogil:
    d.words, d.free_ = 1, 57            # the matching needs the seven most significant bits


cdef inline Digit add_digit(Digits* d, uint64_t most) noexcept nogil:
    """Reserve a digit whose sum is at most `most`; at most 2^56."""
    cdef Digit digit
    cdef int bits = highest(most) + 1 if most else 0
    if bits == 0:
        digit.word, digit.shift = -1, 0
        return digit
    if bits > d.free_:
        d.words += 1
        d.free_ = 64
    d.free_ -= bits
    digit.word, digit.shift = d.words - 1, d.free_
    return digit


cdef inline void put_digit(uint64_t* weight, Digit digit, uint64_t value) noexcept nogil:
    """Add a value to a digit of a weight."""
    if digit.word >= 0:
        weight[digit.word] += value << digit.shift


cdef inline uint64_t get_digit(const uint64_t* total, Digit digit, uint64_t most) noexcept nogil:
    """Read a digit of a sum; `most` as given to `add_digit`."""
    if digit.word < 0:
        return 0
    return (total[digit.word] >> digit.shift) & (((<uint64_t>2) << highest(most)) - 1)
