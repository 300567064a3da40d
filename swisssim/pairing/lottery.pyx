"""`lottery`: random legal pairing, the null model that the other systems are measured against.

Scores, ratings and colours play no part. With an odd field the bye is drawn among the players who may have it (no pairing-allocated
bye, forfeit win or full-point bye before) and without whom the others can be paired. Then the players stand in random order, and
one after the other, if he has no opponent yet, draws one among those whom he has not met and without whom the rest can still be
paired. White is drawn on every board. The boards are in the order of the draws.

This is close to the uniform distribution over all legal pairings but not equal to it: if everybody plays every round, the total variation
distance is at most 1/12 with six players and at most 2/15 with eight, whatever was played before, and 0 in the first round.

Every number comes from the study's counter-based generator in the domain "lottery" with the counter (tournament, round, step, c), so that
a tournament can be replayed alone. Step 0 is the bye: the k-th exchange of the candidates, from 0, takes word k % 4 of block c = k // 4.
Step p is the place p, from 1, in the random order of the players: of block c = 0 word 0 places him, word 1 is his first draw of an
opponent, word 2 his colour; if opponents are refused, word k % 4 of block c = 1 + k // 4 is his draw after the (k + 1)-th refusal.
"""

from libc.stdint cimport int32_t, uint64_t

from swisssim._bits cimport count, lowest, next_bit
from swisssim._byes cimport may_have_bye
from swisssim._core cimport PairingSystem
from swisssim._random cimport LOTTERY, philox, uniform
from swisssim._search cimport first_bye, first_pairing
from swisssim._state cimport CHOSEN, HAD_BYE, NO_MEMORY, PAIRED, Mark, State, add_board, have_met, note

from swisssim.errors import SwissError

# Numbers in the trace.
cdef enum:
    BYE = 1
    OPPONENT = 2
    WHITE = 3


# The draw of a round. The pool is the random order in which one leader draws his opponents; it is made when his first one is refused.
cdef struct Draw:
    uint64_t seed
    int m
    int32_t* player         # by place in the random order
    uint64_t* opponent      # first draw of an opponent, by place
    uint64_t* colour        # draw of the colour, by place
    int32_t* pool
    int pool_size
    int pool_leader         # whose pool it is, or -1


cdef class Lottery(PairingSystem):
    """Random legal pairing: everybody draws an opponent among those whom he may still meet.

    Parameters
    ----------
    seed : int, optional
        Seed of the draw, 0 to 2**64 - 1; the seed of the study if None.
    """

    cdef bint seeded
    cdef uint64_t seed

    summary = "Lottery: random opponents without rematch and random colours, the null model"
    source = "swisssim (null model, no rule text)"
    draws_colour = False
    colour_limits = False
    OPTIONS = {"seed": None}
    ARTICLES = {
        BYE: "Bye: drawn among the players who may have it and without whom the others can be paired",
        OPPONENT: "Opponent: drawn among the players not met before and without whom the rest can be paired",
        WHITE: "Colour: White is drawn",
    }
    KINDS = {BYE: "bye", OPPONENT: "pair", WHITE: "colour"}

    def __init__(self, **options):
        super().__init__(**options)
        seed = self.options["seed"]
        if seed is None:
            return
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
            raise SwissError(f"option seed of system 'lottery' is None or a whole number from 0 to 2**64 - 1, not {seed!r}")
        self.seeded, self.seed = True, seed

    cdef int pair(self, State s) noexcept nogil:
        cdef Mark mark = s.mark()
        cdef Draw draw
        cdef size_t n = s.field + 1
        cdef int32_t* partner = <int32_t*>s.scratch(n * sizeof(int32_t))
        cdef int32_t* sequence = <int32_t*>s.scratch(n * sizeof(int32_t))
        cdef int status = NO_MEMORY
        draw.seed = self.seed if self.seeded else s.seed
        draw.player = <int32_t*>s.scratch(n * sizeof(int32_t))
        draw.pool = <int32_t*>s.scratch(n * sizeof(int32_t))
        draw.opponent = <uint64_t*>s.scratch(n * sizeof(uint64_t))
        draw.colour = <uint64_t*>s.scratch(n * sizeof(uint64_t))
        if (partner != NULL and sequence != NULL and draw.player != NULL and draw.pool != NULL and draw.opponent != NULL
                and draw.colour != NULL):
            enter(s, &draw)
            status = PAIRED
            if draw.m % 2:
                status = draw_bye(s, &draw)
            if status == PAIRED:
                shuffle(s, &draw)
                status = first_pairing(s, &draw, draw.m, not_met, next_draw, partner, sequence, OPPONENT, draw.player)
            if status == PAIRED:
                seat(s, &draw, partner, sequence)
        s.release(mark)
        return status


cdef void enter(State s, Draw* draw) noexcept nogil:
    """List the field by number."""
    cdef int i
    draw.m = 0
    draw.pool_leader = -1
    for i in range(s.players):
        if not s.away[i]:
            draw.player[draw.m] = i
            draw.m += 1


cdef inline int below(uint64_t word, int n) noexcept nogil:
    """Return the random number 0..n-1 that a word stands for."""
    return <int>(uniform(word) * n)


cdef inline void exchange(int32_t* items, int k, int n, uint64_t word) noexcept nogil:
    """Bring a random one of the items k..n-1 to place k."""
    cdef int other = k + below(word, n - k)
    items[k], items[other] = items[other], items[k]


cdef int draw_bye(State s, Draw* draw) noexcept nogil:
    """Draw the player with the bye and take him out of the list."""
    cdef uint64_t[4] word
    cdef int32_t* candidates = draw.pool
    cdef int i, status, n = 0, chosen = -1
    for i in range(draw.m):
        if may_have_bye(s, draw.player[i]):
            candidates[n] = i
            n += 1
        else:
            note(s, BYE, draw.player[i], -1, HAD_BYE)
    for i in range(n):
        if i % 4 == 0:
            philox(draw.seed, LOTTERY, s.tournament, s.round, 0, i // 4, word)
        exchange(candidates, i, n, word[i % 4])
    status = first_bye(s, draw, draw.m, not_met, candidates, n, &chosen, BYE, draw.player)
    if status == PAIRED:
        s.bye = draw.player[candidates[chosen]]
        draw.m -= 1
        for i in range(candidates[chosen], draw.m):
            draw.player[i] = draw.player[i + 1]
    return status


cdef void shuffle(State s, Draw* draw) noexcept nogil:
    """Put the players in random order."""
    cdef uint64_t[4] word
    cdef int p
    for p in range(draw.m):
        philox(draw.seed, LOTTERY, s.tournament, s.round, p + 1, 0, word)
        exchange(draw.player, p, draw.m, word[0])
        draw.opponent[p] = word[1]
        draw.colour[p] = word[2]


cdef bint not_met(State s, void* room, int i, int j) noexcept nogil:
    cdef const int32_t* player = (<Draw*>room).player
    return not have_met(s, player[i], player[j])


cdef int next_draw(State s, void* room, const uint64_t* open, int m, int leader, int32_t* cursor) noexcept nogil:
    """Draw the leader's next opponent without replacement; the cursor is the number of his draw, from 0."""
    cdef Draw* draw = <Draw*>room
    cdef int n
    cursor[0] += 1
    if cursor[0] == 0:
        if draw.pool_leader == leader:
            draw.pool_leader = -1       # was made for other open places
        n = others_open(open, m, leader)
        return nth_open(open, leader, below(draw.opponent[leader], n)) if n else -1
    if draw.pool_leader != leader:
        fill_pool(s, draw, open, m, leader, cursor[0])
    if cursor[0] >= draw.pool_size:
        return -1
    draw_again(s, draw, leader, cursor[0])
    return draw.pool[cursor[0]]


cdef int others_open(const uint64_t* open, int m, int leader) noexcept nogil:
    """Count the open places after the leader, who is the first."""
    cdef int w, n = -1
    for w in range(leader // 64, (m + 63) // 64):
        n += count(open[w])
    return n


cdef int nth_open(const uint64_t* open, int leader, int k) noexcept nogil:
    """Return the open place number k, from 0, after the leader, who is the first."""
    cdef int w = leader // 64, n
    cdef uint64_t x = open[w]
    k += 1
    n = count(x)
    while k >= n:
        k -= n
        w += 1
        x = open[w]
        n = count(x)
    while k:
        x &= x - 1
        k -= 1
    return 64 * w + lowest(x)


cdef void fill_pool(State s, Draw* draw, const uint64_t* open, int m, int leader, int draws) noexcept nogil:
    """Make the leader's pool as it was after so many draws."""
    cdef int k, j = next_bit(open, leader + 1, m)
    draw.pool_size = 0
    while j >= 0:
        draw.pool[draw.pool_size] = j
        draw.pool_size += 1
        j = next_bit(open, j + 1, m)
    draw.pool_leader = leader
    exchange(draw.pool, 0, draw.pool_size, draw.opponent[leader])
    for k in range(1, draws):
        draw_again(s, draw, leader, k)


cdef void draw_again(State s, Draw* draw, int leader, int k) noexcept nogil:
    """Bring the leader's draw number k (k >= 1) to place k of his pool."""
    cdef uint64_t[4] word
    philox(draw.seed, LOTTERY, s.tournament, s.round, leader + 1, 1 + (k - 1) // 4, word)
    exchange(draw.pool, k, draw.pool_size, word[(k - 1) % 4])


cdef void seat(State s, Draw* draw, const int32_t* partner, const int32_t* sequence) noexcept nogil:
    """Draw the colours: the one who drew his opponent has Black if the top bit of his word is set."""
    cdef int k, i, j
    for k in range(draw.m // 2):
        i, j = draw.player[sequence[k]], draw.player[partner[sequence[k]]]
        if draw.colour[sequence[k]] >> 63:
            i, j = j, i
        add_board(s, i, j)
        note(s, WHITE, i, j, CHOSEN)
