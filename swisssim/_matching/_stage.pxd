"""The blossoms of a weighted graph, and the search that matches one exposed vertex (or lets it be exposed) at the least price."""

from libc.stdint cimport uint64_t

from swisssim._matching.weighted cimport Weighted

cdef enum Label:
    FREE = 0
    OUTER = 1       # an even alternating path of tight edges leads here from the root
    INNER = 2       # an odd one

# Twice the weight of the edge i-j.
cdef inline uint64_t* edge(const Weighted* g, int i, int j) noexcept nogil:
    return g.doubled + (<size_t>i * g.n + j) * g.words


cdef inline uint64_t* dual_of(const Weighted* g, int v) noexcept nogil:
    return g.dual + <size_t>v * g.words


# The dual of a blossom.
cdef inline uint64_t* z_of(const Weighted* g, int b) noexcept nogil:
    return g.z + <size_t>(b - g.n) * g.words


# The child of blossom b around vertex v.
cdef int child_around(const Weighted* g, int b, int v) noexcept nogil

# Make v the base of the top node (or blossom) b around it, by matching its cycle anew; the mate of v itself is left to the caller.
cdef void rebase(Weighted* g, int b, int v) noexcept nogil

# Make the children of a top blossom top nodes.
cdef void dissolve(Weighted* g, int b) noexcept nogil

# Search from an exposed vertex with positive dual until it is matched, or a vertex of dual 0 is exposed in its place.
cdef void search(Weighted* g, int root) noexcept nogil
