"""A block of tournaments in lockstep: history, derived data, scratch memory and the trace.

The arrays of a block are numpy arrays that Python allocated; `State` points into them for the tournament in hand. Everything derived
(points, colours, who has met whom) follows from the history by one function, `State.apply`, whether it was played here or loaded.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from operator import index

import numpy as np

from swisssim._bits cimport set_bit

from swisssim.errors import SwissError

# Words for the reasons in the trace.
REASONS = {
    CHOSEN: "chosen",
    MET: "the two have met or must not meet",
    COLOUR: "no assignment of colours is allowed",
    REST: "the others could not be paired then",
    CONFLICT: "both are due the same colour",
    HAD_BYE: "may not have the bye",
}

# Points in tenths for each code: win 1, draw 1/2, byes as their names say.
DEFAULT_WORTH = (0, 10, 5, 0, 10, 0, 10, 10, 5, 0, 0, 0, 0, 0, 0, 0)

# Players are int16 in the history.
MOST_PLAYERS = 32_767

cdef size_t SMALLEST_CHUNK = 1 << 16

# Nodes of the optimistic search by default: enough for nearly every round, and wasted on the others in a few microseconds.
cdef long NODES = 800
cdef long NODES_PER_PLAYER = 8


cdef class CancelFlag:
    """A flag that stops work running without the GIL; shared by the blocks of one simulation."""

    def __cinit__(self):
        self.raised = 0

    def cancel(self):
        """Ask every block that holds this flag to stop."""
        self.raised = 1

    @property
    def cancelled(self):
        """Whether `cancel` was called."""
        return self.raised != 0


def _checked_shape(opponent):
    """Return the shape of a block: tournaments, rounds, players."""
    shape = np.shape(opponent)
    if len(shape) != 3 or shape[2] > MOST_PLAYERS:
        raise SwissError(f"opponent has the shape {shape}; (tournaments, rounds, players up to {MOST_PLAYERS}) is needed")
    return shape


def _checked_array(name, array, dtype, *shapes, written=True):
    """Return an array as it is; raise an error unless the core can use its memory.

    Parameters
    ----------
    name : str
        What the array is, for the message.
    array : object
        What was given.
    dtype : type
        What its entries must be.
    *shapes : tuple of int
        The shapes that it may have.
    written : bool
        Whether the core writes to it.

    Raises
    ------
    SwissError
        That says what was given and what is needed.
    """
    needed = f"an array of {np.dtype(dtype)} of shape {' or '.join(map(str, shapes))} is needed"
    if not isinstance(array, np.ndarray):
        raise SwissError(f"{name} is a {type(array).__name__}; {needed}")
    if array.dtype != dtype or array.shape not in shapes:
        raise SwissError(f"{name} is of {array.dtype} and of shape {array.shape}; {needed}")
    if not array.flags.c_contiguous or (written and not array.flags.writeable):
        raise SwissError(f"{name} is {'read-only' if array.flags.c_contiguous else 'not contiguous in memory'}; {needed}")
    return array


cdef class State:
    """A block of tournaments with the same number of players and rounds.

    Parameters
    ----------
    opponent, colour, result, board, score, arrived : ndarray
        The history arrays of the block, ``(tournaments, rounds, players)``, as in `swisssim.results.Results`; filled round by round.
    rating : ndarray of float64
        ``(tournaments, players)`` or ``(1, players)``, the published ratings.
    initial_colour : ndarray of int8
        ``(tournaments,)`` or ``(1,)``; +1 White, -1 Black.
    worth : sequence of int, optional
        Points in tenths for each code.
    virtual : ndarray of int16, optional
        ``(rounds, players)`` virtual points in tenths (acceleration).
    first, seed : int
        Number of the block's first tournament in the study, and the seed of the study.
    forfeits_count_as_met : bool
        Whether a forfeited game bars a later meeting.
    flag : CancelFlag, optional
        Stops the work when raised.

    Raises
    ------
    SwissError
        If an array has another type or shape, or cannot be written to.
    """

    def __cinit__(self, opponent, colour, result, board, score, arrived, rating, initial_colour, *,
                  worth=DEFAULT_WORTH, virtual=None, first=0, seed=0, forfeits_count_as_met=False, flag=None):
        shape = _checked_shape(opponent)
        self.tournaments, self.rounds, self.players = shape
        self._opponent = _checked_array("opponent", opponent, np.int16, shape)
        self._colour = _checked_array("colour", colour, np.int8, shape)
        self._result = _checked_array("result", result, np.int8, shape)
        self._board = _checked_array("board", board, np.int16, shape)
        self._score = _checked_array("score", score, np.int16, shape)
        self._arrived = _checked_array("arrived", arrived, np.int8, shape)
        self._rating = _checked_array("rating", rating, np.float64, (shape[0], shape[2]), (1, shape[2]), written=False)
        self._initial = _checked_array("initial_colour", initial_colour, np.int8, shape[:1], (1,), written=False)
        # assigned in any case: a view that never was is neither None nor an array
        self._virtual = None if virtual is None else _checked_array("virtual", virtual, np.int16, shape[1:], written=False)
        self._hidden = None
        self.first, self.seed = index(first), index(seed)
        self.forfeits_count_as_met = forfeits_count_as_met
        if not CODES <= len(worth) <= 16:
            raise SwissError(f"worth has {len(worth)} entries; it must have one for each of the {CODES} codes, at most 16")
        for k, tenths in enumerate(worth):
            self.worth[k] = tenths
        if flag is not None and not isinstance(flag, CancelFlag):
            raise SwissError(f"flag is {flag!r}; it must be a CancelFlag")
        self._flag = flag if flag is not None else CancelFlag()
        self.cancel = &(<CancelFlag> self._flag).raised
        self.node_budget = NODES + NODES_PER_PLAYER * self.players
        self._allocate()

    def _allocate(self):
        cdef int t = self.tournaments, n = self.players
        self.words = (n + 64) // 64
        self._points = np.zeros((t, n), np.int32)
        self._away = np.zeros((t, n), np.uint8)
        self._had = np.zeros((t, n), np.uint8)
        self._whites = np.zeros((t, n), np.int16)
        self._blacks = np.zeros((t, n), np.int16)
        self._streak = np.zeros((t, n), np.int8)
        self._met = np.zeros((t, n, self.words), np.uint64)
        self._pending = np.zeros(t, np.int32)
        self._forfeits = np.zeros(t, np.uint8)
        self.white = <int32_t*> malloc((n + 2) * sizeof(int32_t))
        self.black = <int32_t*> malloc((n + 2) * sizeof(int32_t))
        self.order = <int32_t*> malloc((n + 2) * sizeof(int32_t))
        self.score = <int32_t*> malloc((n + 2) * sizeof(int32_t))
        if self.white == NULL or self.black == NULL or self.order == NULL or self.score == NULL:
            raise MemoryError

    def __dealloc__(self):
        cdef int k
        for k in range(self._chunk_count):
            free(self._chunks[k].memory)
        free(self._chunks)
        free(self._events)
        free(self._barred)
        free(self._buckets)
        free(self.white)
        free(self.black)
        free(self.order)
        free(self.score)

    # ------------------------------------------------------------------ what Python sees of the block

    @property
    def points(self):
        """Standings so far in tenths, ``(tournaments, players)``; postponed games count nothing."""
        return np.asarray(self._points)

    @property
    def away(self):
        """Who is absent from the coming round, ``(tournaments, players)``: 0 in the field, else a code or `NOT_HERE`."""
        return np.asarray(self._away)

    @property
    def whites(self):
        """Games with White that count for colours, ``(tournaments, players)``."""
        return np.asarray(self._whites)

    @property
    def blacks(self):
        """Games with Black that count for colours, ``(tournaments, players)``."""
        return np.asarray(self._blacks)

    @property
    def scores(self):
        """Pairing scores before each round in tenths, ``(tournaments, rounds, players)``; filled as rounds are paired."""
        return np.asarray(self._score)

    def met_matrix(self, int t=0):
        """Return who has met whom in one tournament of the block as a boolean matrix."""
        rows = np.asarray(self._met)[t].view(np.uint8)
        bits = np.unpackbits(rows, axis=1, bitorder="little")
        return bits[:, :self.players].astype(bool)

    def forbid(self, pairs):
        """Bar pairs of players (0-based) from meeting in the next round that is prepared; replaces earlier ones."""
        cdef int i, j
        cdef size_t size = <size_t> self.players * self.words * sizeof(uint64_t)
        self._forbids = False
        if not pairs:
            return
        if self._barred == NULL:
            # The second half holds, in use, the union with who has met.
            self._barred = <uint64_t*> malloc(2 * size)
            if self._barred == NULL:
                raise MemoryError
        memset(self._barred, 0, size)
        for i, j in pairs:
            if not (0 <= i < self.players and 0 <= j < self.players):
                raise ValueError(f"forbidden pair ({i + 1}, {j + 1}): players are 1..{self.players}")
            set_bit(self._barred + <size_t> i * self.words, j)
            set_bit(self._barred + <size_t> j * self.words, i)
        self._forbids = True

    def expect_postponed(self):
        """Make room for results that are drawn at once and revealed later."""
        self._hidden = np.zeros((self.tournaments, self.rounds, self.players), np.int8)

    def load(self, int rounds):
        """Make everything derived afresh from the first `rounds` rounds of the history arrays.

        Parameters
        ----------
        rounds : int
            Rounds that are over, from 0.

        Raises
        ------
        SwissError
            If there are not so many rounds, or the history of a player cannot be.
        """
        cdef int t, r, i
        cdef bint sound = True
        if not 0 <= rounds <= self.rounds:
            raise SwissError(f"rounds is {rounds}; the block has {self.rounds}")
        self._points[...] = 0
        self._had[...] = 0
        self._whites[...] = 0
        self._blacks[...] = 0
        self._streak[...] = 0
        self._met[...] = 0
        self._pending[...] = 0
        self._forfeits[...] = 0
        with nogil:
            for t in range(self.tournaments):
                for r in range(1, rounds + 1):
                    self.select(t, r)
                    for i in range(self.players):
                        sound = is_sound(self, r, i)
                        if not sound:
                            break
                        self.apply(r, i)
                    if not sound:
                        break
                if not sound:
                    break
        if not sound:
            raise SwissError(
                f"tournament {self.first + t}, round {r}, player {i + 1}: result code {self._result[t, r - 1, i]} against opponent "
                f"{self._opponent[t, r - 1, i] + 1} cannot be"
            )

    def events(self):
        """Return the trace of the last pairing as a list of (article, player, candidate, reason)."""
        return [(self._events[k].article, self._events[k].player, self._events[k].candidate, self._events[k].reason)
                for k in range(self._event_count)]

    # ------------------------------------------------------------------ one tournament in hand

    cdef void select(self, int t, int round) noexcept nogil:
        """Take a tournament and a round in hand: set every row pointer."""
        cdef size_t first = <size_t> t * self.players
        cdef size_t history = first * self.rounds
        self.t, self.round = t, round
        self.last_round = round >= self.rounds
        self.tournament = self.first + <uint64_t> t
        self.initial_colour = self._initial[t if self._initial.shape[0] > 1 else 0]
        self.rating = &self._rating[t if self._rating.shape[0] > 1 else 0, 0]
        self.points = &self._points[0, 0] + first
        self.away = &self._away[0, 0] + first
        self.had = &self._had[0, 0] + first
        self.whites = &self._whites[0, 0] + first
        self.blacks = &self._blacks[0, 0] + first
        self.streak = &self._streak[0, 0] + first
        self.met = &self._met[0, 0, 0] + first * self.words
        self.opponent = &self._opponent[0, 0, 0] + history
        self.colour = &self._colour[0, 0, 0] + history
        self.result = &self._result[0, 0, 0] + history
        self.past_score = &self._score[0, 0, 0] + history
        self.pending = self._pending[t]

    cdef int prepare(self) noexcept nogil:
        """Make the pairing scores and the pairing list of the round in hand; clear answer, trace and scratch memory."""
        cdef int i, status
        memcpy(self.score, self.points, self.players * sizeof(int32_t))
        if self.pending:
            self._add_pending()
        if self._virtual is not None:
            for i in range(self.players):
                self.score[i] += self._virtual[self.round - 1, i]
        if self._forbids:
            self._merge_forbidden()
        self.boards = 0
        self.bye = -1
        self._event_count = 0
        self._mark.chunk = 0
        self._mark.used = 0
        status = self.sort()
        return status

    cdef void _add_pending(self) noexcept nogil:
        cdef size_t k, total = <size_t> (self.round - 1) * self.players
        for k in range(total):
            if self.result[k] == POSTPONED:
                self.score[k % self.players] += self.worth[DRAW]

    cdef void _merge_forbidden(self) noexcept nogil:
        cdef size_t k, total = <size_t> self.players * self.words
        cdef uint64_t* merged = self._barred + total
        for k in range(total):
            merged[k] = self.met[k] | self._barred[k]
        self.met = merged

    cdef int sort(self) noexcept nogil:
        """Counting sort of the field: score descending, number ascending."""
        cdef int i, span, place, size
        cdef int32_t low = 0, high = 0
        self.field = 0
        for i in range(self.players):
            if self.away[i]:
                continue
            if self.field == 0 or self.score[i] < low:
                low = self.score[i]
            if self.field == 0 or self.score[i] > high:
                high = self.score[i]
            self.field += 1
        span = high - low + 2
        if span > self._bucket_count:
            free(self._buckets)
            self._buckets = <int32_t*> malloc(span * sizeof(int32_t))
            self._bucket_count = span if self._buckets != NULL else 0
            if self._buckets == NULL:
                return NO_MEMORY
        memset(self._buckets, 0, span * sizeof(int32_t))
        for i in range(self.players):
            if not self.away[i]:
                self._buckets[high - self.score[i]] += 1
        place = 0
        for i in range(span):
            size = self._buckets[i]
            self._buckets[i] = place
            place += size
        for i in range(self.players):
            if not self.away[i]:
                self.order[self._buckets[high - self.score[i]]] = i
                self._buckets[high - self.score[i]] += 1
        return PAIRED

    cdef void store(self) noexcept nogil:
        """Write the answer of the pairing room into the history of the round in hand."""
        cdef int i, b
        cdef size_t row = <size_t> (self.round - 1) * self.players
        cdef int16_t* opponent = self.opponent + row
        cdef int8_t* colour = self.colour + row
        cdef int8_t* result = self.result + row
        cdef int16_t* board = &self._board[self.t, self.round - 1, 0]
        cdef int16_t* score = self.past_score + row
        for i in range(self.players):
            opponent[i] = -1
            board[i] = -1
            colour[i] = 0
            result[i] = <int8_t> self.away[i] if self.away[i] < CODES else ABSENT
            score[i] = <int16_t> self.score[i]
        for b in range(self.boards):
            opponent[self.white[b]] = <int16_t> self.black[b]
            opponent[self.black[b]] = <int16_t> self.white[b]
            colour[self.white[b]] = 1
            colour[self.black[b]] = -1
            board[self.white[b]] = board[self.black[b]] = <int16_t> b
        if self.bye >= 0:
            result[self.bye] = PAIRING_BYE

    cdef void apply(self, int round, int i) noexcept nogil:
        """Add the record of player i in a round to everything derived: points, colours, meetings, what he has had."""
        cdef size_t k = <size_t> (round - 1) * self.players + i
        cdef int code = self.result[k]
        cdef int colour
        self.points[i] += self.worth[code]
        if code_is_game(code):
            colour = self.colour[k]
            if colour > 0:
                self.whites[i] += 1
                self.streak[i] = min(self.streak[i] + 1, 100) if self.streak[i] > 0 else 1
            else:
                self.blacks[i] += 1
                self.streak[i] = max(self.streak[i] - 1, -100) if self.streak[i] < 0 else -1
            write_meeting(self, i, self.opponent[k])
            self.had[i] |= HAD_TAKEN_PART
            if code == POSTPONED and colour > 0:
                self._pending[self.t] += 1
        elif code == FORFEIT_WIN or code == FORFEIT_LOSS:
            if self.forfeits_count_as_met:
                write_meeting(self, i, self.opponent[k])
            self.had[i] |= HAD_TAKEN_PART | (HAD_FORFEIT_WIN if code == FORFEIT_WIN else 0)
            self._forfeits[self.t] = 1
        elif code == PAIRING_BYE:
            self.had[i] |= HAD_TAKEN_PART | HAD_PAIRING_BYE
        elif code == FULL_BYE:
            self.had[i] |= HAD_FULL_BYE
        elif code == HALF_BYE:
            self.had[i] |= HAD_HALF_BYE

    # ------------------------------------------------------------------ scratch memory and trace

    cdef Mark mark(self) noexcept nogil:
        """Remember how much scratch memory is in use."""
        return self._mark

    cdef void release(self, Mark mark) noexcept nogil:
        """Give back the scratch memory taken since the mark."""
        self._mark = mark

    cdef void* scratch(self, size_t size) noexcept nogil:
        """Return `size` bytes of memory, aligned to 16, not cleared, valid until released or the next pairing; NULL if there is none."""
        cdef Chunk* grown
        cdef size_t room
        cdef void* here
        size = (size + 15) & ~(<size_t> 15)
        while self._mark.chunk < self._chunk_count:
            if self._mark.used + size <= self._chunks[self._mark.chunk].size:
                here = self._chunks[self._mark.chunk].memory + self._mark.used
                self._mark.used += size
                return here
            self._mark.chunk += 1
            self._mark.used = 0
        room = SMALLEST_CHUNK if self._chunk_count == 0 else 2 * self._chunks[self._chunk_count - 1].size
        if room < size:
            room = size
        grown = <Chunk*> realloc(self._chunks, (self._chunk_count + 1) * sizeof(Chunk))
        if grown == NULL:
            return NULL
        self._chunks = grown
        grown[self._chunk_count].memory = <char*> malloc(room)
        if grown[self._chunk_count].memory == NULL:
            return NULL
        grown[self._chunk_count].size = room
        self._chunk_count += 1
        self._mark.used = size
        return grown[self._chunk_count - 1].memory

    cdef void reveal(self, int before) noexcept nogil:
        """Turn postponed games of the tournament in hand whose results arrived before a round into what they are."""
        cdef size_t k, total = <size_t> self.rounds * self.players
        cdef int8_t* hidden
        cdef int8_t* arrived = &self._arrived[self.t, 0, 0]
        if self._hidden is None:
            return
        hidden = &self._hidden[self.t, 0, 0]
        for k in range(total):
            if self.result[k] == POSTPONED and arrived[k] < before:
                self.result[k] = hidden[k]
                self.points[k % self.players] += self.worth[hidden[k]]
                if self.colour[k] > 0:
                    self._pending[self.t] -= 1
        self.pending = self._pending[self.t]

    cdef void push_event(self, int article, int player, int candidate, int reason) noexcept nogil:
        """Append an event to the trace; see `note`."""
        cdef long room
        cdef Event* grown
        if self._event_count == self._event_room:
            room = 2 * self._event_room + 256
            grown = <Event*> realloc(self._events, room * sizeof(Event))
            if grown == NULL:
                self.tracing = False
                return
            self._events, self._event_room = grown, room
        self._events[self._event_count].article = article
        self._events[self._event_count].player = player
        self._events[self._event_count].candidate = candidate
        self._events[self._event_count].reason = reason
        self._event_count += 1


cdef inline void write_meeting(State s, int i, int j) noexcept nogil:
    # A result for somebody who was not paired can be recorded, in a block, only by mistake; it must not write beside the bitset.
    if 0 <= j < s.players:
        set_bit(met_row(s, i), j)


cdef inline bint is_sound(State s, int round, int i) noexcept nogil:
    """Tell whether a record of the history can be: a code that exists, and an opponent where the code needs one."""
    cdef size_t k = <size_t> (round - 1) * s.players + i
    cdef int code = s.result[k], other = s.opponent[k]
    if code_is_game(code) or code == FORFEIT_WIN or code == FORFEIT_LOSS:
        return 0 <= other < s.players and other != i
    return ABSENT <= code < CODES
