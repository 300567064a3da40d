"""The matchings of this room on plain Python lists of edges, for tests and tools."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from swisssim._bits cimport set_bit
from swisssim._matching cimport cardinality


def _check_vertex(name, value, count):
    if not 0 <= value < count:
        raise ValueError(f"{name} {value} is not a vertex; vertices are 0..{count - 1}")


def _check_count(name, value):
    if value < 0:
        raise ValueError(f"{name} is {value}; a number of vertices is 0 or more")


def maximum_matching(int n, edges):
    """Return a matching of the largest size in a general graph.

    Parameters
    ----------
    n : int
        Number of vertices; they are 0..n-1.
    edges : iterable of (int, int)
        Pairs of different vertices; the order within a pair and repetitions do not matter.

    Returns
    -------
    list of int
        The mate of each vertex, -1 where there is none.

    Raises
    ------
    ValueError
        If `n` is negative, or an edge names a vertex that does not exist or joins a vertex to itself.
    MemoryError
        If there is no memory for n * n bits.
    """
    cdef int words = (n + 63) >> 6, i, j
    cdef uint64_t* rows = NULL
    cdef int32_t* mate = NULL
    cdef void* work = NULL
    _check_count("n", n)
    try:
        rows = <uint64_t*>calloc(<size_t>n * words + 1, sizeof(uint64_t))
        mate = <int32_t*>calloc(n + 1, sizeof(int32_t))
        work = calloc(cardinality.matching_bytes(n), 1)
        if rows == NULL or mate == NULL or work == NULL:
            raise MemoryError(f"no memory for a graph of {n} vertices")
        for i, j in edges:
            _check_vertex("edge end", i, n)
            _check_vertex("edge end", j, n)
            if i == j:
                raise ValueError(f"edge ({i}, {j}) joins a vertex to itself; an edge joins two different vertices")
            set_bit(rows + <size_t>i * words, j)
            set_bit(rows + <size_t>j * words, i)
        for i in range(n):
            mate[i] = -1
        with nogil:
            cardinality.maximum_matching(n, words, rows, NULL, mate, work, NULL)
        return [mate[i] for i in range(n)]
    finally:
        free(rows)
        free(mate)
        free(work)


def bipartite_matching(int left, int right, edges):
    """Return a matching of the largest size between two sides.

    Parameters
    ----------
    left, right : int
        Number of vertices on each side; both are numbered from 0.
    edges : iterable of (int, int)
        Pairs (left vertex, right vertex); repetitions do not matter.

    Returns
    -------
    list of int
        The right mate of each left vertex, -1 where there is none.

    Raises
    ------
    ValueError
        If a number of vertices is negative, or an edge names a vertex that does not exist.
    MemoryError
        If there is no memory for left * right bits.
    """
    cdef int words = (right + 63) >> 6, i, j
    cdef uint64_t* rows = NULL
    cdef int32_t* mate = NULL
    cdef void* work = NULL
    _check_count("left", left)
    _check_count("right", right)
    try:
        rows = <uint64_t*>calloc(<size_t>left * words + 1, sizeof(uint64_t))
        mate = <int32_t*>calloc(<size_t>left + right + 1, sizeof(int32_t))
        work = calloc(cardinality.bipartite_bytes(left, right) + 1, 1)
        if rows == NULL or mate == NULL or work == NULL:
            raise MemoryError(f"no memory for a graph of {left} and {right} vertices")
        for i, j in edges:
            _check_vertex("left edge end", i, left)
            _check_vertex("right edge end", j, right)
            set_bit(rows + <size_t>i * words, j)
        for i in range(left + right):
            mate[i] = -1
        with nogil:
            cardinality.bipartite_matching(left, right, words, rows, NULL, NULL, mate, mate + left, work, NULL)
        return [mate[i] for i in range(left)]
    finally:
        free(rows)
        free(mate)
        free(work)
