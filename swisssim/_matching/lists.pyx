"""The matchings of this room on plain Python lists of edges, for tests and tools."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from swisssim._bits cimport set_bit, test_bit
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


def _check_edge(i, j, count):
    _check_vertex("edge end", i, count)
    _check_vertex("edge end", j, count)
    if i == j:
        raise ValueError(f"edge ({i}, {j}) joins a vertex to itself; an edge joins two different vertices")


cdef int _read_mates(int32_t* out, mate, int count) except -1:
    """Write the mates to begin with (None: nobody has any)."""
    cdef int i
    if mate is not None and len(mate) != count:
        raise ValueError(f"mate has {len(mate)} entries; it must have one for each of the {count} vertices")
    for i in range(count):
        out[i] = -1 if mate is None else mate[i]
    return 0


cdef class _Bits:
    """Rows of bits, room for mates and for the search, freed with the object."""

    cdef int words
    cdef uint64_t* rows
    cdef uint64_t* alive
    cdef int32_t* mate
    cdef void* work

    cdef int _allocate(self, int rows, int columns, int mates, size_t work) except -1:
        self.words = (columns + 63) >> 6
        self.rows = <uint64_t*>calloc(<size_t>rows * self.words + 1, sizeof(uint64_t))
        self.alive = <uint64_t*>calloc(((<size_t>rows + columns) >> 6) + 2, sizeof(uint64_t))
        self.mate = <int32_t*>calloc(mates + 1, sizeof(int32_t))
        self.work = calloc(work + 1, 1)
        if self.rows == NULL or self.alive == NULL or self.mate == NULL or self.work == NULL:
            raise MemoryError(f"no memory for a graph of {rows} rows and {columns} columns of bits")
        return 0

    def __dealloc__(self):
        free(self.rows)
        free(self.alive)
        free(self.mate)
        free(self.work)

    cdef void _join(self, int i, int j):
        set_bit(self.rows + <size_t>i * self.words, j)

    cdef int _write_set(self, uint64_t* members, name, vertices, int count) except -1:
        """Write the set of the vertices that take part (None: all)."""
        cdef int v
        for v in range((count + 63) >> 6):
            members[v] = 0
        for v in (range(count) if vertices is None else vertices):
            _check_vertex(name, v, count)
            set_bit(members, v)
        return 0


cdef class Graph(_Bits):
    """A general graph for matchings by size.

    Parameters
    ----------
    n : int
        Number of vertices; they are 0..n-1.
    edges : iterable of (int, int)
        Pairs of different vertices; the order within a pair and repetitions do not matter.

    Raises
    ------
    ValueError
        If `n` is negative, or an edge names a vertex that does not exist or joins a vertex to itself; in the methods, if the matching
        to begin with is none.
    MemoryError
        If there is no memory for n * n bits.
    """

    cdef int n

    def __cinit__(self, int n, edges):
        cdef int i, j
        _check_count("n", n)
        self.n = n
        self._allocate(n, n, n, cardinality.matching_bytes(n))
        for i, j in edges:
            _check_edge(i, j, n)
            self._join(i, j)
            self._join(j, i)

    cdef int _begin(self, mate, alive) except -1:
        cdef int i
        self._write_set(self.alive, "alive vertex", alive, self.n)
        _read_mates(self.mate, mate, self.n)
        for i in range(self.n):
            if self.mate[i] >= 0 and not (self.mate[i] < self.n and self.mate[self.mate[i]] == i and test_bit(self.alive, i)
                                          and test_bit(self.rows + <size_t>i * self.words, self.mate[i])):
                raise ValueError(f"vertex {i} cannot begin with mate {self.mate[i]}; mates are joined by an edge, mutual and alive")
        return 0

    cdef int _check_root(self, int root) except -1:
        _check_vertex("root", root, self.n)
        if self.mate[root] >= 0 or not test_bit(self.alive, root):
            raise ValueError(f"root {root} is matched or not alive; a path begins at an exposed vertex")
        return 0

    def maximum_matching(self, *, mate=None, alive=None):
        """Return the mates of a largest matching among the vertices `alive` (None: all), grown from `mate` (None: no pairs)."""
        self._begin(mate, alive)
        with nogil:
            cardinality.maximum_matching(self.n, self.words, self.rows, self.alive, self.mate, self.work, NULL)
        return [self.mate[i] for i in range(self.n)]

    def augment(self, mate, int root, *, alive=None):
        """Return the mates after one augmenting path from the exposed vertex `root`, or None if there is no such path."""
        self._begin(mate, alive)
        self._check_root(root)
        if not cardinality.augment(self.n, self.words, self.rows, self.alive, self.mate, root, self.work):
            return None
        return [self.mate[i] for i in range(self.n)]

    def even_ends(self, mate, int root, *, alive=None):
        """Return the vertices at which alternating paths of even length from the exposed vertex `root` end, for a largest matching."""
        cdef int i
        largest = self.maximum_matching(mate=mate, alive=alive)
        if sum(j >= 0 for j in largest) != sum(j >= 0 for j in mate):
            raise ValueError("mate is not a largest matching; even ends are asked for one that cannot grow")
        self._begin(mate, alive)
        self._check_root(root)
        ends = _Bits()
        (<_Bits>ends)._allocate(1, self.n, 0, 0)
        cardinality.even_ends(self.n, self.words, self.rows, self.alive, self.mate, root, (<_Bits>ends).rows, self.work)
        return [i for i in range(self.n) if test_bit((<_Bits>ends).rows, i)]


cdef class BipartiteGraph(_Bits):
    """A graph of two sides for matchings by size.

    Parameters
    ----------
    left, right : int
        Number of vertices on each side; both are numbered from 0.
    edges : iterable of (int, int)
        Pairs (left vertex, right vertex); repetitions do not matter.

    Raises
    ------
    ValueError
        If a number of vertices is negative, or an edge names a vertex that does not exist; in the methods, if the matching to begin
        with is none.
    MemoryError
        If there is no memory for left * right bits.
    """

    cdef int left, right
    cdef uint64_t* alive_right

    def __cinit__(self, int left, int right, edges):
        cdef int i, j
        _check_count("left", left)
        _check_count("right", right)
        self.left, self.right = left, right
        self._allocate(left, right, left + right, cardinality.bipartite_bytes(left, right))
        self.alive_right = self.alive + ((left + 63) >> 6)
        for i, j in edges:
            _check_vertex("left edge end", i, left)
            _check_vertex("right edge end", j, right)
            self._join(i, j)

    cdef int _begin(self, mate, alive_left, alive_right) except -1:
        cdef int i, j
        cdef int32_t* back = self.mate + self.left
        self._write_set(self.alive, "alive left vertex", alive_left, self.left)
        self._write_set(self.alive_right, "alive right vertex", alive_right, self.right)
        _read_mates(self.mate, mate, self.left)
        for j in range(self.right):
            back[j] = -1
        for i in range(self.left):
            j = self.mate[i]
            if j < 0:
                continue
            if not (j < self.right and back[j] < 0 and test_bit(self.rows + <size_t>i * self.words, j)
                    and test_bit(self.alive, i) and test_bit(self.alive_right, j)):
                raise ValueError(f"left vertex {i} cannot begin with mate {j}; mates are joined by an edge, alive and not shared")
            back[j] = i
        return 0

    def maximum_matching(self, *, mate=None, alive_left=None, alive_right=None):
        """Return the right mates of a largest matching among the vertices alive (None: all), grown from `mate` (None: no pairs)."""
        self._begin(mate, alive_left, alive_right)
        with nogil:
            cardinality.bipartite_matching(self.left, self.right, self.words, self.rows, self.alive, self.alive_right, self.mate,
                                           self.mate + self.left, self.work, NULL)
        return [self.mate[i] for i in range(self.left)]

    def augment(self, mate, int root, *, alive_left=None, alive_right=None):
        """Return the right mates after one augmenting path from the exposed left vertex `root`, or None if there is no such path."""
        self._begin(mate, alive_left, alive_right)
        _check_vertex("root", root, self.left)
        if self.mate[root] >= 0:
            raise ValueError(f"root {root} is matched; a path begins at an exposed vertex")
        if not cardinality.bipartite_augment(self.left, self.right, self.words, self.rows, self.alive, self.alive_right, self.mate,
                                             self.mate + self.left, root, self.work):
            return None
        return [self.mate[i] for i in range(self.left)]


def maximum_matching(int n, edges):
    """Return the mate of each vertex (-1: none) in a matching of the largest size; see `Graph`."""
    return Graph(n, edges).maximum_matching()


def bipartite_matching(int left, int right, edges):
    """Return the right mate of each left vertex (-1: none) in a matching of the largest size; see `BipartiteGraph`."""
    return BipartiteGraph(left, right, edges).maximum_matching()


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
        _check_edge(i, j, self.graph.n)
        self._read(weight)
        weighted_set(&self.graph, i, j, self.number)

    def add(self, int i, int j, bonus):
        """Add a number to the weight of the edge i-j; a missing edge stays missing."""
        _check_edge(i, j, self.graph.n)
        self._read((self.weight(i, j) or 0) + bonus)
        self._read(bonus)
        weighted_add(&self.graph, i, j, self.number)

    def clear_edge(self, int i, int j):
        """Delete the edge i-j, if it is there."""
        _check_edge(i, j, self.graph.n)
        weighted_clear(&self.graph, i, j)

    def remove(self, int i):
        """Delete all edges of the vertex i."""
        _check_vertex("vertex", i, self.graph.n)
        weighted_remove(&self.graph, i)

    def weight(self, int i, int j):
        """Return the weight of the edge i-j, or None if it is missing."""
        _check_edge(i, j, self.graph.n)
        return self._number() if weighted_get(&self.graph, i, j, self.number) else None

    def solve(self, *, cancel=False):
        """Return the mate of each vertex (-1: none) in a matching of maximum weight; None if cancelled before it was found."""
        cdef int i, flag = cancel, pairs
        with nogil:
            pairs = weighted_solve(&self.graph, &flag)
        return None if pairs < 0 else [self.graph.mate[i] for i in range(self.graph.n)]

    def total(self):
        """Return the weight of the matching that the last solve found."""
        weighted_total(&self.graph, self.number)
        return self._number()
