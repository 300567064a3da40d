"""Exact maximum-weight matching in general graphs with weights of many words, and its quick repair after a change; knows no chess.

A weight is one whole number of `words` 64-bit words, **most significant word first**, two's complement; so a caller can append
words of less significant digits to the ones he has. The seven most significant bits of a weight must equal its sign (the first
word lies in -2^57 .. 2^57 - 1): the method needs the room. A vertex may stay unmatched at weight 0; for a perfect or largest
matching give every edge a most significant digit 1. Missing edges are never used. The answer is exact; nothing here allocates.

    weighted_init(&g, n, words, memory)             # memory: weighted_bytes(n, words), 8-byte aligned
    weighted_set(&g, i, j, weight) ...              # all edges
    weighted_solve(&g, cancel)                      # O(n^3); g.mate holds the matching
    weighted_set / weighted_add / weighted_clear / weighted_remove ...
    weighted_solve(&g, cancel)                      # O(n^2) for each vertex whose change matters

Between solves any edges may change. A change that leaves the matching optimal beyond doubt (an unmatched edge is cleared, lowered, or
raised by less than its slack) costs almost nothing. Otherwise the *first* vertex named in the call is loosened, and further
changes at a loose vertex cost nothing: name the vertex whose edges change first, all of them in one go. The solve repairs loose
vertices only; if the old partner of a loose vertex is still best for it, even that is O(n).
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t

cdef enum:
    WEIGHTED_WORDS = 64     # most words that a weight may have
    WEIGHTED_VERTICES = 32767

# Callers read n, words and mate; all the rest is private.
#
# Vertices are nodes 0..n-1, blossoms nodes n..nodes-1. A node that lies in no blossom is *top*. Duals are held so that the slack of an
# edge is dual[i] + dual[j] + 2 * (z of the blossoms around both) - 2 * weight >= 0, and all of them stay whole numbers.
cdef struct Weighted:
    int n
    int words
    int32_t* mate           # [n] partner or -1; the answer after weighted_solve

    int nodes
    int set_words           # words of a set of vertices
    bint fresh              # not solved yet
    uint64_t* doubled       # [n][n] twice the weight of an edge
    uint64_t* adjacent      # [n] sets: the edges there are
    uint64_t* dual          # [n] at least 0
    uint64_t* z             # [nodes - n] duals of blossoms, at least 0
    int8_t* loose           # [n] edges changed: the dual has yet to be found

    # ---- the blossoms
    int32_t* parent         # [nodes] the blossom around a node, -1 for a top node
    int32_t* base           # [nodes] the vertex not matched inside
    int32_t* first          # [nodes] the child with the base
    int32_t* next           # [nodes] next child around the cycle of the parent ...
    int32_t* here           # [nodes] ... by the edge from this vertex of the node itself ...
    int32_t* there          # [nodes] ... to this vertex of the next
    int32_t* head           # [nodes] first and last vertex of a node in the chain `follow`
    int32_t* tail
    int32_t* follow         # [n]
    int32_t* top            # [n] the top node around a vertex
    int32_t* spare          # [nodes - n] numbers of unused blossoms
    int spares
    int32_t* mark           # [nodes] last `stamp` that passed here
    int stamp
    int32_t* stack          # [2 * nodes]

    # ---- one search
    # During a search the duals change with the time `delta` that has passed. What the arrays hold stays constant between events: an
    # outer vertex has the dual `dual - delta`, an inner one `dual + delta`; blossoms likewise with the signs reversed.
    uint64_t* delta         # [1]
    uint64_t* scratch       # [2]
    int8_t* label           # [nodes] of top nodes: FREE, OUTER or INNER
    int32_t* from_          # [nodes] edge by which an inner node was reached: its outer end ...
    int32_t* to             # [nodes] ... and the end inside
    uint64_t* outer         # set of vertices
    uint64_t* free_         # set of vertices
    int lowest              # the outer vertex of least dual
    uint64_t* reach         # [n] time at which an edge from an outer vertex to this vertex (free or inner) gets tight
    int32_t* near           # [n] that outer vertex, -1 none
    int32_t* inner          # [nodes - n] the inner top blossoms
    int inners
    int32_t* slots          # [n] the slots in use: one for each outer top node, numbered by a vertex in it
    int slot_count
    int32_t* slot           # [nodes]
    int16_t* link           # [slot][n] vertex of the node whose edge to an outer vertex elsewhere gets tight first, -1 none
    uint64_t* meet          # [slot] time at which the first of those edges gets tight
    int32_t* meet_here      # [slot] and that edge; -1 none
    int32_t* meet_there     # [slot]


# Bytes of memory for a graph; 0 if there are too many vertices or words. About n * n * (8 * words + 2.2).
cdef size_t weighted_bytes(int n, int words) noexcept nogil

# A graph of n vertices without edges, in the caller's memory (need not be cleared); valid as long as the memory is.
cdef void weighted_init(Weighted* g, int n, int words, void* memory) noexcept nogil

# Give the edge i-j (i != j) a weight, whether it was there or not.
cdef void weighted_set(Weighted* g, int i, int j, const uint64_t* weight) noexcept nogil

# Add a number (may be negative) to the weight of the edge i-j; a missing edge stays missing.
cdef void weighted_add(Weighted* g, int i, int j, const uint64_t* bonus) noexcept nogil

# Delete the edge i-j, if it is there.
cdef void weighted_clear(Weighted* g, int i, int j) noexcept nogil

# Is there an edge i-j? Its weight is written to `weight` unless that is NULL.
cdef bint weighted_get(const Weighted* g, int i, int j, uint64_t* weight) noexcept nogil

# Delete all edges of i. Removing both vertices of a matched pair usually leaves nothing to repair.
cdef void weighted_remove(Weighted* g, int i) noexcept nogil

# Find a matching of maximum weight; return its number of pairs, or -1 when `cancel` (may be NULL) was raised: then a later call goes on.
cdef int weighted_solve(Weighted* g, const int* cancel) noexcept nogil

# Write the weight of the matching (`words` words; the sum must fit).
cdef void weighted_total(const Weighted* g, uint64_t* total) noexcept nogil
