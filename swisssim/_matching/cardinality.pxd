"""Maximum matching by size on bitset graphs, general and bipartite; knows no chess.

A graph of n vertices is n rows of `words` 64-bit words (bit j of row i set: edge i-j), symmetric, no loops. `alive` is a bitset of
the vertices that take part (NULL: all). A matching is `mate[i]` = partner or -1. Nothing here allocates: the caller gives `work`
of at least `matching_bytes(n)` bytes (8-byte aligned).
"""

from libc.stdint cimport int32_t, uint64_t


cdef size_t matching_bytes(int n) noexcept nogil

# Grow the matching in `mate` (valid, maybe empty: all -1) to a maximum one; return its number of pairs.
# A raised `cancel` (may be NULL) stops early with -1.
cdef int maximum_matching(int n, int words, const uint64_t* rows, const uint64_t* alive, int32_t* mate, void* work,
                          const int* cancel) noexcept nogil

# Look for one augmenting path from the exposed vertex `root` and apply it; return whether there was one. If the matching was maximum
# but for root, it is maximum afterwards.
cdef bint augment(int n, int words, const uint64_t* rows, const uint64_t* alive, int32_t* mate, int root, void* work) noexcept nogil

# Write to `ends` the vertices at which alternating paths of even length from the exposed vertex `root` end, root included: whoever is
# added with an edge to one of them completes an augmenting path. The matching must be maximum; at least `matching_bytes(n)` of work.
cdef void even_ends(int n, int words, const uint64_t* rows, const uint64_t* alive, int32_t* mate, int root, uint64_t* ends,
                    void* work) noexcept nogil

# Bipartite: `left` rows over `right` bits. alive_left / alive_right may be NULL.
cdef size_t bipartite_bytes(int left, int right) noexcept nogil
cdef int bipartite_matching(int left, int right, int words, const uint64_t* rows, const uint64_t* alive_left,
                            const uint64_t* alive_right, int32_t* mate_left, int32_t* mate_right, void* work,
                            const int* cancel) noexcept nogil
cdef bint bipartite_augment(int left, int right, int words, const uint64_t* rows, const uint64_t* alive_left,
                            const uint64_t* alive_right, int32_t* mate_left, int32_t* mate_right, int root,
                            void* work) noexcept nogil
