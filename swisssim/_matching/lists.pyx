"""The matchings of this room on plain Python lists of edges, for tests and tools."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from swisssim._bits cimport set_bit
from swisssim._matching cimport cardinality
from swisssim._matching.weighted cimport (
    WEIGHTED_VERTICES, WEIGHTED_WORDS, Weighted, weighted_add, weighted_bytes, weighted_clear, weighted_get, weighted_init,
    weighted_remove, weighted_set, weighted_solve, weighted_total,
)


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


cdef class WeightedMatching:
    """A graph with weighted edges whose matching of maximum weight is kept up to date.

    A vertex may stay unmatched, at weight 0. After a solve any edges may change, and the next solve repairs the matching.

    Parameters
    ----------
    n : int
        Number of vertices; they are 0..n-1.
    words : int, default 1
        64-bit words of a weight: it must lie in -2^(64 * words - 7) .. 2^(64 * words - 7) - 1.

    Raises
    ------
    ValueError
        If `n` or `words` is out of range; in the methods, if a vertex or a weight is.
    MemoryError
        If there is no memory for n * n weights.
    """

    cdef Weighted graph
    cdef void* memory
    cdef uint64_t[WEIGHTED_WORDS] number

    def __cinit__(self, int n, int words=1):
        if not 0 <= n <= WEIGHTED_VERTICES:
            raise ValueError(f"n is {n}; a weighted graph has 0..{WEIGHTED_VERTICES} vertices")
        if not 1 <= words <= WEIGHTED_WORDS:
            raise ValueError(f"words is {words}; a weight has 1..{WEIGHTED_WORDS} words")
        self.memory = calloc(weighted_bytes(n, words), 1)
        if self.memory == NULL:
            raise MemoryError(f"no memory for a graph of {n} vertices and weights of {words} words")
        weighted_init(&self.graph, n, words, self.memory)

    def __dealloc__(self):
        free(self.memory)

    cdef int _check_edge(self, int i, int j) except -1:
        _check_vertex("edge end", i, self.graph.n)
        _check_vertex("edge end", j, self.graph.n)
        if i == j:
            raise ValueError(f"edge ({i}, {j}) joins a vertex to itself; an edge joins two different vertices")
        return 0

    cdef int _read(self, weight) except -1:
        """Put a weight into `number`."""
        cdef int words = self.graph.words, k
        bound = 2 ** <object>(64 * words - 7)
        if not -bound <= weight < bound:
            raise ValueError(f"weight {weight} does not fit {words} words; it must lie in -2^{64 * words - 7} .. 2^{64 * words - 7} - 1")
        for k in range(words):
            self.number[k] = (weight >> (64 * (words - 1 - k))) & 0xFFFFFFFFFFFFFFFF
        return 0

    cdef object _number(self):
        """Return `number` as a Python int."""
        cdef int words = self.graph.words, k
        value = 0
        for k in range(words):
            value = (value << 64) | self.number[k]
        return value - 2 ** <object>(64 * words) if value >> (64 * words - 1) else value

    def set_edge(self, int i, int j, weight):
        """Give the edge i-j a weight, whether it was there or not."""
        self._check_edge(i, j)
        self._read(weight)
        weighted_set(&self.graph, i, j, self.number)

    def add(self, int i, int j, bonus):
        """Add a number to the weight of the edge i-j; a missing edge stays missing."""
        self._check_edge(i, j)
        self._read((self.weight(i, j) or 0) + bonus)
        self._read(bonus)
        weighted_add(&self.graph, i, j, self.number)

    def clear_edge(self, int i, int j):
        """Delete the edge i-j, if it is there."""
        self._check_edge(i, j)
        weighted_clear(&self.graph, i, j)

    def remove(self, int i):
        """Delete all edges of the vertex i."""
        _check_vertex("vertex", i, self.graph.n)
        weighted_remove(&self.graph, i)

    def weight(self, int i, int j):
        """Return the weight of the edge i-j, or None if it is missing."""
        self._check_edge(i, j)
        return self._number() if weighted_get(&self.graph, i, j, self.number) else None

    def solve(self):
        """Return the mate of each vertex in a matching of maximum weight, -1 where there is none."""
        cdef int i
        with nogil:
            weighted_solve(&self.graph, NULL)
        return [self.graph.mate[i] for i in range(self.graph.n)]

    def total(self):
        """Return the weight of the matching that the last solve found."""
        weighted_total(&self.graph, self.number)
        return self._number()
