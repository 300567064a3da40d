"""The contract between the core and the pairing rooms: one block of tournaments, one of them in hand."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

# Result codes, each from the player's own view. The same numbers stand in `swisssim.results.CODES`.
cdef enum:
    ABSENT = 0          # not arrived, withdrawn, or round not reached
    WIN = 1
    DRAW = 2
    LOSS = 3
    FORFEIT_WIN = 4
    FORFEIT_LOSS = 5
    PAIRING_BYE = 6     # pairing-allocated bye (in nordic: the game against X)
    FULL_BYE = 7
    HALF_BYE = 8
    ZERO_BYE = 9
    POSTPONED = 10      # paired, result to come
    CODES = 11

# What a player already had in earlier rounds (bits of State.had).
cdef enum:
    HAD_PAIRING_BYE = 1
    HAD_FORFEIT_WIN = 2
    HAD_FULL_BYE = 4
    HAD_HALF_BYE = 8
    HAD_TAKEN_PART = 16     # a game, a forfeit or a pairing-allocated bye: was in the field of some round

# What PairingSystem.pair returns.
cdef enum:
    PAIRED = 0
    NO_PAIRING = 1      # the rules allow no complete pairing
    CANCELLED = 2
    NO_MEMORY = 3

# One step of the search, for explanations; four numbers whose words the room knows.
ctypedef struct Event:
    int32_t article     # number of the rule in the room's ARTICLES
    int32_t player      # 0-based, -1 none
    int32_t candidate   # 0-based, -1 none
    int32_t reason      # number in swisssim._state.REASONS or in the room's own list (from 100)

cdef enum:
    CHOSEN = 0          # the candidate was taken
    MET = 1             # refused: the two have met (or must not meet in this round)
    COLOUR = 2          # refused: no assignment of colours is allowed
    REST = 3            # refused: the others could not be paired then
    CONFLICT = 4        # passed over: both are due the same colour
    HAD_BYE = 5         # refused: may not have the bye (again)

# One piece of the arena that serves scratch memory.
ctypedef struct Chunk:
    char* memory
    size_t size

cdef struct Mark:
    int chunk
    size_t used

cdef class State:
    # ---- shape of the block
    cdef readonly int tournaments, players, rounds
    cdef readonly int words             # 64-bit words per row of `met`: bits 0..players (bit `players` is free for X)
    cdef readonly uint64_t first        # number, in the study, of the block's tournament 0
    cdef readonly uint64_t seed         # of the study

    # ---- the tournament and the round in hand
    cdef int t                          # index in the block, 0-based
    cdef int round                      # 1-based
    cdef bint last_round
    cdef uint64_t tournament            # first + t: the first word of every Philox counter
    cdef int initial_colour             # drawn colour: +1 White, -1 Black

    # ---- players of the tournament in hand, index 0..players-1 = pairing number - 1
    cdef const double* rating
    cdef int32_t* points                # standings so far, tenths; a postponed game counts nothing
    cdef int32_t* score                 # pairing score of this round, tenths: points + draws for postponed games + virtual points;
                                        # made afresh before pair(); a room may adjust it in place (nordic 2)
    cdef uint8_t* away                  # 0: in the field of the round; else the code of his absence
    cdef uint8_t* had                   # bits of HAD_...
    cdef int16_t* whites                # games that count for colours (played or postponed)
    cdef int16_t* blacks
    cdef int8_t* streak                 # last colours of those games: +k = k Whites in a row, -k = k Blacks, 0 = no game
    cdef uint64_t* met                  # players rows of `words` words, symmetric: met, or forbidden in this round
    cdef int32_t* order                 # the pairing list of the round: `field` players, score descending, number ascending
    cdef int field                      # number of players in the field of the round

    # ---- history of the tournament in hand: [round - 1][player], rows of `players`
    cdef int16_t* opponent              # -1 none
    cdef int8_t* colour                 # as paired: +1 White, -1 Black, 0 none (see played_colour)
    cdef int8_t* result                 # result code
    cdef int16_t* past_score            # pairing score before that round, tenths
    cdef int pending                    # postponed games without a result, this tournament

    # ---- points in tenths for each code
    cdef int32_t[16] worth

    # ---- answer of pair(): boards in board order
    cdef int boards
    cdef int32_t* white
    cdef int32_t* black
    cdef int bye                        # -1 none

    # ---- search
    cdef public long node_budget        # nodes of the optimistic search before the guided one takes over; 0 = guided at once
    cdef public bint tracing
    cdef int* cancel                    # != 0: stop as soon as possible with CANCELLED

    # ---- private to _state
    cdef object _flag, _arrays
    cdef int32_t[:, ::1] _points
    cdef uint8_t[:, ::1] _away
    cdef uint8_t[:, ::1] _had
    cdef int16_t[:, ::1] _whites
    cdef int16_t[:, ::1] _blacks
    cdef int8_t[:, ::1] _streak
    cdef uint64_t[:, :, ::1] _met
    cdef int32_t[::1] _pending
    cdef uint8_t[::1] _forfeits
    cdef const double[:, ::1] _rating
    cdef const int8_t[::1] _initial
    cdef int16_t[:, :, ::1] _opponent
    cdef int8_t[:, :, ::1] _colour
    cdef int8_t[:, :, ::1] _result
    cdef int16_t[:, :, ::1] _board
    cdef int16_t[:, :, ::1] _score
    cdef int8_t[:, :, ::1] _arrived     # 0, or the round after which the result became known
    cdef int8_t[:, :, ::1] _hidden      # results of postponed games, drawn but not yet known
    cdef const int16_t[:, ::1] _virtual
    cdef uint64_t* _barred
    cdef bint _forbids
    cdef Chunk* _chunks
    cdef int _chunk_count
    cdef Mark _mark
    cdef Event* _events
    cdef long _event_count, _event_room
    cdef int32_t* _buckets
    cdef int _bucket_count
    cdef bint forfeits_count_as_met

    cdef void _add_pending(self) noexcept nogil
    cdef void _merge_forbidden(self) noexcept nogil
    cdef int sort(self) noexcept nogil

    cdef void select(self, int t, int round) noexcept nogil
    cdef int prepare(self) noexcept nogil
    cdef void apply(self, int round, int i) noexcept nogil
    cdef void store(self) noexcept nogil
    cdef void reveal(self, int before) noexcept nogil
    cdef void* scratch(self, size_t size) noexcept nogil
    cdef Mark mark(self) noexcept nogil
    cdef void release(self, Mark mark) noexcept nogil
    cdef void push_event(self, int article, int player, int candidate, int reason) noexcept nogil


cdef inline uint64_t* met_row(State s, int i) noexcept nogil:
    return s.met + <size_t>i * s.words


cdef inline bint have_met(State s, int i, int j) noexcept nogil:
    """Tell whether i and j may not meet: they have met, or are forbidden in this round."""
    return (s.met[<size_t>i * s.words + (j >> 6)] >> (j & 63)) & 1


cdef inline bint code_is_game(int code) noexcept nogil:
    """Tell whether a code counts as a game for colours and meetings (played, or postponed)."""
    return (WIN <= code <= LOSS) or code == POSTPONED


cdef inline int played_colour(State s, int round, int i) noexcept nogil:
    """Return the colour that counts for player i in an earlier round (1-based): +1, -1, or 0 for none."""
    cdef size_t k = <size_t>(round - 1) * s.players + i
    return s.colour[k] if code_is_game(s.result[k]) else 0


cdef inline void add_board(State s, int white, int black) noexcept nogil:
    s.white[s.boards] = white
    s.black[s.boards] = black
    s.boards += 1


cdef inline void note(State s, int article, int player, int candidate, int reason) noexcept nogil:
    """Write one event of the trace; costs one test when tracing is off."""
    if s.tracing:
        s.push_event(article, player, candidate, reason)


cdef class CancelFlag:
    cdef int raised
