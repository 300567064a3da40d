"""Blocks of counter-based random numbers for numpy arrays of counters."""

from enum import IntEnum

import numpy as np

from libc.stdint cimport uint64_t


Domain = IntEnum("Domain", {
    "FIELD": FIELD, "PARTICIPATION": PARTICIPATION, "GAME": GAME, "POSTPONEMENT": POSTPONEMENT,
    "INITIAL_COLOUR": INITIAL_COLOUR, "FINAL_LOTS": FINAL_LOTS, "LOTTERY": LOTTERY, "BOOTSTRAP": BOOTSTRAP,
}, module=__name__)


def _word(value, name):
    """Return whole numbers in [0, 2^64) as a uint64 array."""
    array = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers from 0 to 2^64 - 1, not {value!r}")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise ValueError(f"{name} must not be negative, but has {array.min()}")
    return array.astype(np.uint64)


def _counters(tournament, a, b, c):
    """Return the shape that the four counters have together, and each of them as a flat view of that size."""
    words = np.broadcast_arrays(_word(tournament, "tournament"), _word(a, "a"), _word(b, "b"), _word(c, "c"))
    return words[0].shape, [word.reshape(-1) for word in words]


def raw(seed, domain, tournament, a=0, b=0, c=0):
    """Return the four random words of each block.

    Philox4x64-10 with key (seed, domain) and counter (tournament, a, b, c).

    Parameters
    ----------
    seed, domain : int
        The key: the seed of a study and a `Domain`, each from 0 to 2^64 - 1.
    tournament, a, b, c : int or array of int
        The counter; arrays are broadcast against each other.

    Returns
    -------
    numpy.ndarray
        uint64, the shape of the counters and a last axis of 4.

    Raises
    ------
    TypeError, ValueError
        If a part of the key or the counter isn't a whole number from 0 to 2^64 - 1.
    """
    cdef uint64_t key0 = _word(seed, "seed").item()
    cdef uint64_t key1 = _word(int(domain), "domain").item()
    cdef Py_ssize_t i, size
    cdef const uint64_t[:] t_, a_, b_, c_
    cdef uint64_t[:, ::1] out
    shape, (t_, a_, b_, c_) = _counters(tournament, a, b, c)
    words = np.empty((*shape, 4), dtype=np.uint64)
    out = words.reshape(-1, 4)
    size = out.shape[0]
    with nogil:
        for i in range(size):
            philox(key0, key1, t_[i], a_[i], b_[i], c_[i], &out[i, 0])
    return words


def uniforms(seed, domain, tournament, a=0, b=0, c=0):
    """Return the four uniform numbers of each block: (word >> 11) / 2^53, in [0, 1).

    Parameters
    ----------
    seed, domain : int
        The key: the seed of a study and a `Domain`, each from 0 to 2^64 - 1.
    tournament, a, b, c : int or array of int
        The counter; arrays are broadcast against each other.

    Returns
    -------
    numpy.ndarray
        float64, the shape of the counters and a last axis of 4.

    Raises
    ------
    TypeError, ValueError
        If a part of the key or the counter isn't a whole number from 0 to 2^64 - 1.
    """
    cdef uint64_t key0 = _word(seed, "seed").item()
    cdef uint64_t key1 = _word(int(domain), "domain").item()
    cdef uint64_t[4] words
    cdef Py_ssize_t i, k, size
    cdef const uint64_t[:] t_, a_, b_, c_
    cdef double[:, ::1] out
    shape, (t_, a_, b_, c_) = _counters(tournament, a, b, c)
    numbers = np.empty((*shape, 4))
    out = numbers.reshape(-1, 4)
    size = out.shape[0]
    with nogil:
        for i in range(size):
            philox(key0, key1, t_[i], a_[i], b_[i], c_[i], words)
            for k in range(4):
                out[i, k] = uniform(words[k])
    return numbers
