"""Blocks of tournaments: pair a round, draw its games, record them; statuses become exceptions here and nowhere else.

For each round of a block Python calls `pair_block`, evaluates the result model on the arrays of all games, then calls `draw_games` (in
a team event `draw_matches`) and `record_block`. Each of the three runs without the GIL.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from swisssim._byes cimport may_have_bye as common_bye_rule
from swisssim._random cimport GAME, POSTPONEMENT, philox, uniform
from swisssim._state cimport (
    CANCELLED, DRAW, FORFEIT_LOSS, FORFEIT_WIN, LOSS, NO_MEMORY, NO_PAIRING, PAIRED, POSTPONED, WIN, State, have_met,
)

import numpy as np

from swisssim.errors import NoPairingError, SwissError, unknown


cdef class PairingSystem:
    """A pairing system; each room in `swisssim.pairing` defines one subclass and overrides `pair`.

    A subclass has the class attributes ``summary`` (one line), ``source`` (the rule text), ``draws_colour`` (whether a colour is
    drawn before round 1), ``colour_limits`` (whether the absolute colour rule holds outside the last round), ``OPTIONS`` (own options
    with their defaults), ``ARTICLES`` and ``REASONS`` (words for the trace; the reasons are the room's own, numbered from 100;
    ``{player}`` and ``{others}`` stand for numbers), ``KINDS`` (what an article of the trace is about: ``group``, ``float``, ``pair``,
    ``criterion``, ``bye``, ``undo`` or ``colour``).
    """

    summary = ""
    source = ""
    draws_colour = False
    colour_limits = False
    OPTIONS = {}
    ARTICLES = {}
    REASONS = {}
    KINDS = {}

    def __init__(self, **options):
        known = {"forfeits_count_as_met": False, **type(self).OPTIONS}
        for name, value in options.items():
            if name not in known:
                raise unknown(f"option of system {self.name!r}", name, known)
            if isinstance(known[name], bool) and not isinstance(value, bool):
                raise SwissError(f"option {name} of system {self.name!r} is True or False, not {value!r}")
        self.options = {**known, **options}
        self.forfeits_count_as_met = self.options["forfeits_count_as_met"]

    @property
    def name(self):
        """The key of the system, for instance ``"nordic"``."""
        return type(self).__module__.rpartition(".")[2]

    def __repr__(self):
        known = {"forfeits_count_as_met": False, **type(self).OPTIONS}
        changed = "".join(f", {k}={v!r}" for k, v in self.options.items() if v != known[k])
        return f"system({self.name!r}{changed})"

    def __reduce__(self):
        return _rebuild, (type(self), self.options)

    def __eq__(self, other):
        return type(self) is type(other) and self.options == other.options

    def __hash__(self):
        return hash((type(self), tuple(sorted(self.options.items(), key=str))))

    cdef int pair(self, State s) noexcept nogil:
        return NO_PAIRING

    cdef bint may_meet(self, State s, int i, int j) noexcept nogil:
        """Tell whether two players may be paired in the round in hand; a room with colour limits overrides it."""
        return not have_met(s, i, j)

    cdef bint may_have_bye(self, State s, int i) noexcept nogil:
        """Tell whether a player may have the pairing-allocated bye."""
        return common_bye_rule(s, i)


def legal_pairs(State s not None, PairingSystem system not None):
    """Return which pairs and which byes the rules allow in the round in hand.

    Parameters
    ----------
    s : State
        A block whose tournament in hand has been prepared by `pair_one`.
    system : PairingSystem
        The system whose rules count.

    Returns
    -------
    field : list of int
        The players of the field, from 0, in the order of the pairing list.
    allowed : ndarray of bool
        ``(field, field)``, symmetric: may the two be paired?
    bye : ndarray of bool
        ``(field,)``: may he have the bye?
    """
    cdef int a, b
    cdef uint8_t[:, ::1] table
    field = [s.order[a] for a in range(s.field)]
    allowed = np.zeros((len(field), len(field)), np.bool_)
    table = allowed.view(np.uint8)
    with nogil:
        for a in range(s.field):
            for b in range(a):
                table[a, b] = table[b, a] = system.may_meet(s, s.order[a], s.order[b])
    bye = np.array([system.may_have_bye(s, player) for player in field], np.bool_)
    return field, allowed, bye


def _rebuild(kind, options):
    return kind(**options)


def check_status(int status, tournament, int round):
    """Raise the exception that belongs to a status; `PAIRED` passes."""
    if status == NO_PAIRING:
        raise NoPairingError(f"round {round}: no legal pairing exists")
    if status == CANCELLED:
        raise KeyboardInterrupt(f"cancelled at tournament {tournament}, round {round}")
    if status == NO_MEMORY:
        raise MemoryError(f"out of memory while pairing round {round} of tournament {tournament}")


cdef check_round(State s, int round):
    """Raise an error unless the block has such a round."""
    if not 1 <= round <= s.rounds or s.tournaments == 0:
        raise SwissError(f"round is {round}; the block has {s.tournaments} tournaments with rounds 1 to {s.rounds}")


cdef check_lengths(Py_ssize_t needed, dict lengths):
    """Raise an error if an array is shorter than needed."""
    for name, length in lengths.items():
        if length < needed:
            raise SwissError(f"{name} has {length} entries; {needed} are needed")


cdef check_games(State s, int count, const int32_t[::1] tournament, const int32_t[::1] white, const int32_t[::1] black):
    """Raise an error unless all games are between two players of a tournament of the block."""
    cdef int g, n = s.players
    check_lengths(count, {"tournament": tournament.shape[0], "white": white.shape[0], "black": black.shape[0]})
    for g in range(count):
        if not (0 <= tournament[g] < s.tournaments and 0 <= white[g] < n and 0 <= black[g] < n and white[g] != black[g]):
            raise SwissError(
                f"game {g} is {white[g]} - {black[g]} in tournament {tournament[g]}; "
                f"the block has {s.tournaments} tournaments of {n} players"
            )


cdef check_draw(State s, const uint8_t[:, ::1] no_show, double postpone):
    """Raise an error unless absences are those of the block, and there is room for postponed results if they may happen."""
    if no_show is not None and not (no_show.shape[0] == s.tournaments and no_show.shape[1] == s.players):
        raise SwissError(f"no_show has the shape ({no_show.shape[0]}, {no_show.shape[1]}); ({s.tournaments}, {s.players}) is needed")
    if postpone > 0.0 and s._hidden is None:
        raise SwissError("games may be postponed; call State.expect_postponed() before the first round")


def pair_one(State s not None, PairingSystem system not None, int round):
    """Pair one round of a block of one tournament whose history is loaded.

    Parameters
    ----------
    s : State
        A block of one tournament; `State.load` has been called for the rounds before.
    system : PairingSystem
        The room that pairs.
    round : int
        Round to pair, from 1.

    Returns
    -------
    boards : list of (int, int)
        White and Black of every board, players from 0, in board order.
    bye : int or None
        The player with the pairing-allocated bye.

    Raises
    ------
    NoPairingError
        If the rules allow no complete pairing.
    SwissError
        If the block has no such round.
    """
    cdef int status
    check_round(s, round)
    with nogil:
        s.select(0, round)
        status = s.prepare()
        if status == PAIRED:
            status = system.pair(s)
        if status == PAIRED:
            s.store()
    check_status(status, s.first, round)
    return [(s.white[b], s.black[b]) for b in range(s.boards)], (s.bye if s.bye >= 0 else None)


def pair_block(State s not None, PairingSystem system not None, int round, uint8_t[::1] stopped not None,
               int32_t[::1] tournament not None, int32_t[::1] white not None, int32_t[::1] black not None):
    """Pair one round of every tournament of a block that has not stopped.

    Parameters
    ----------
    s : State
        The block; `State.away` says who is absent.
    system : PairingSystem
        The room that pairs.
    round : int
        Round to pair, from 1.
    stopped : ndarray of uint8
        ``(tournaments,)``; set to 1 where no legal pairing exists.
    tournament, white, black : ndarray of int32
        Filled with the games: index in the block, players from 0; each of length tournaments x (players // 2).

    Returns
    -------
    int
        Number of games.

    Raises
    ------
    SwissError
        If the block has no such round, or an array is too short.
    """
    cdef int t = 0, b, count = 0, status = PAIRED
    check_round(s, round)
    check_lengths(s.tournaments, {"stopped": stopped.shape[0]})
    check_lengths(
        <Py_ssize_t> s.tournaments * (s.players // 2),
        {"tournament": tournament.shape[0], "white": white.shape[0], "black": black.shape[0]},
    )
    with nogil:
        for t in range(s.tournaments):
            if s.cancel[0]:
                status = CANCELLED
                break
            if stopped[t]:
                continue
            s.select(t, round)
            if s.pending:
                s.reveal(round)
            status = s.prepare()
            if status == PAIRED:
                status = system.pair(s)
            if status == NO_PAIRING:
                stopped[t] = 1
                status = PAIRED
                continue
            if status != PAIRED:
                break
            s.store()
            for b in range(s.boards):
                tournament[count] = t
                white[count] = s.white[b]
                black[count] = s.black[b]
                count += 1
    check_status(status, s.first + t, round)
    return count


cdef int paired_before(State s, int i, int j) noexcept nogil:
    """Count the earlier rounds in which i and j were paired: more than none only after a forfeit."""
    cdef int k, times = 0
    for k in range(s.round - 1):
        if s.opponent[<size_t> k * s.players + i] == j:
            times += 1
    return times


cdef inline uint64_t game_word(State s, int domain, int i, int j) noexcept nogil:
    """Return the random word of the game i - j (i < j): the same whoever has White and whatever system paired them."""
    cdef uint64_t[4] out
    cdef int times = paired_before(s, i, j) if s._forfeits[s.t] else 0
    philox(s.seed, domain, s.tournament, i + 1, j + 1, times, out)
    return out[0]


cdef inline int result_of(double u, bint smaller, double win, double draw) noexcept nogil:
    """Return White's result from the uniform of a game, which is read from the smaller number's side (`smaller`: that is White)."""
    cdef double lose = max(1.0 - win - draw, 0.0)
    if smaller:
        return WIN if u < win else (DRAW if u < win + draw else LOSS)
    return LOSS if u < lose else (DRAW if u < lose + draw else WIN)


cdef inline int draw_result(State s, int white, int black, double win, double draw) noexcept nogil:
    """Draw White's result."""
    return result_of(uniform(game_word(s, GAME, min(white, black), max(white, black))), white < black, win, draw)


cdef inline int mirrored(int code) noexcept nogil:
    """Return the opponent's code of a game that was played."""
    return WIN + LOSS - code


cdef inline bint forfeited(const uint8_t[:, ::1] no_show, int t, int white, int black, int8_t* white_code,
                           int8_t* black_code) noexcept nogil:
    """Write the codes of a game to which one or both don't appear; tell whether it is one."""
    if no_show is None or not (no_show[t, white] or no_show[t, black]):
        return False
    white_code[0] = FORFEIT_LOSS if no_show[t, white] else FORFEIT_WIN
    black_code[0] = FORFEIT_LOSS if no_show[t, black] else FORFEIT_WIN
    return True


cdef inline bint put_off(State s, int white, int black, double postpone) noexcept nogil:
    """Draw whether a game is postponed."""
    return postpone > 0.0 and uniform(game_word(s, POSTPONEMENT, min(white, black), max(white, black))) < postpone


def draw_games(State s not None, int round, int count, const int32_t[::1] tournament not None, const int32_t[::1] white not None,
               const int32_t[::1] black not None, const double[::1] win not None, const double[::1] draw not None,
               const uint8_t[:, ::1] no_show, double postpone, int8_t[::1] white_code not None, int8_t[::1] black_code not None,
               uint8_t[::1] late not None):
    """Draw the results of the games of a round.

    Parameters
    ----------
    s : State
        The block.
    round : int
        The round, from 1.
    count : int
        Number of games, as `pair_block` returned it.
    tournament, white, black : ndarray of int32
        The games.
    win, draw : ndarray of float64
        Probabilities that White wins and that the game is drawn, one for each game.
    no_show : ndarray of uint8 or None
        ``(tournaments, players)``; 1 for a player who forfeits his game of this round.
    postpone : float
        Probability that a game is postponed.
    white_code, black_code : ndarray of int8
        Filled with the result codes.
    late : ndarray of uint8
        Filled with 1 for postponed games.

    Raises
    ------
    SwissError
        If the block has no such round or game, or an array doesn't fit.
    """
    cdef int g, w, b
    check_round(s, round)
    check_games(s, count, tournament, white, black)
    check_draw(s, no_show, postpone)
    check_lengths(count, {
        "win": win.shape[0], "draw": draw.shape[0], "white_code": white_code.shape[0], "black_code": black_code.shape[0],
        "late": late.shape[0],
    })
    with nogil:
        for g in range(count):
            w, b = white[g], black[g]
            s.select(tournament[g], round)
            late[g] = 0
            if forfeited(no_show, tournament[g], w, b, &white_code[g], &black_code[g]):
                continue
            white_code[g] = draw_result(s, w, b, win[g], draw[g])
            black_code[g] = mirrored(white_code[g])
            late[g] = put_off(s, w, b, postpone)


cdef int match_tenths(State s, int white, int black, int boards, const double* win, const double* draw,
                      Py_ssize_t step) noexcept nogil:
    """Draw the games of a match and return the game points of its first team, in tenths; see `draw_matches`."""
    cdef uint64_t[4] words
    cdef int low = min(white, black), high = max(white, black)
    cdef uint64_t times = paired_before(s, low, high) if s._forfeits[s.t] else 0
    cdef int k, code, tenths = 0
    for k in range(boards):
        if k % 4 == 0:
            philox(s.seed, GAME, s.tournament, low + 1, high + 1, times + (<uint64_t> (k // 4) << 32), words)
        # on even boards (odd k) the second team has White
        code = result_of(uniform(words[k % 4]), (white < black) == (k % 2 == 0), win[k * step], draw[k * step])
        if code == DRAW:
            tenths += 5
        elif (code == WIN) == (k % 2 == 0):
            tenths += 10
    return tenths


def draw_matches(State s not None, int round, int count, const int32_t[::1] tournament not None, const int32_t[::1] white not None,
                 const int32_t[::1] black not None, const double[:, ::1] win not None, const double[:, ::1] draw not None,
                 const uint8_t[:, ::1] no_show, double postpone, int8_t[::1] white_code not None, int8_t[::1] black_code not None,
                 int16_t[::1] white_made not None, int16_t[::1] black_made not None, uint8_t[::1] late not None):
    """Draw the results of the matches of a round of a team event: more game points win.

    The team that is paired as White has White on boards 1, 3, 5, ... Each board's game is drawn with a uniform of its own, read from the
    side of the team with the smaller number: boards 1 to 4 have the four words of the block with counter (tournament, a, b, c) that
    belongs to the game of two players, boards 5 to 8 those with c + 2^32, and so on.

    Parameters
    ----------
    s, round, count, tournament, white, black, no_show, postpone, white_code, black_code, late
        As in `draw_games`; the players are teams, the games are matches.
    win, draw : ndarray of float64
        ``(boards, count)``: probabilities that the board's White wins and that its game is drawn.
    white_made, black_made : ndarray of int16
        Filled with the game points of the two teams in tenths; 0 in a match to which a team doesn't appear.

    Raises
    ------
    SwissError
        If the block has no such round or game, or an array doesn't fit.
    """
    cdef int g, w, b, made, boards = win.shape[0]
    check_round(s, round)
    check_games(s, count, tournament, white, black)
    check_draw(s, no_show, postpone)
    check_lengths(boards, {"draw": draw.shape[0]})
    check_lengths(count, {
        "win": win.shape[1], "draw": draw.shape[1], "white_code": white_code.shape[0], "black_code": black_code.shape[0],
        "white_made": white_made.shape[0], "black_made": black_made.shape[0], "late": late.shape[0],
    })
    if draw.shape[1] != win.shape[1]:
        raise SwissError(f"win has {win.shape[1]} matches, draw {draw.shape[1]}")
    with nogil:
        for g in range(count):
            w, b = white[g], black[g]
            s.select(tournament[g], round)
            late[g] = white_made[g] = black_made[g] = 0
            if forfeited(no_show, tournament[g], w, b, &white_code[g], &black_code[g]):
                continue
            made = match_tenths(s, w, b, boards, &win[0, g], &draw[0, g], win.shape[1])
            white_made[g], black_made[g] = <int16_t> made, <int16_t> (10 * boards - made)
            white_code[g] = WIN if made > 5 * boards else (DRAW if made == 5 * boards else LOSS)
            black_code[g] = mirrored(white_code[g])
            late[g] = put_off(s, w, b, postpone)


def record_block(State s not None, int round, int count, const int32_t[::1] tournament not None, const int32_t[::1] white not None,
                 const int32_t[::1] black not None, const int8_t[::1] white_code not None, const int8_t[::1] black_code not None,
                 const uint8_t[::1] late not None, int delay, const uint8_t[::1] stopped not None):
    """Write the results of a round into the history of the block and derive points, colours and meetings from it.

    Parameters
    ----------
    s : State
        The block.
    round : int
        The round, from 1.
    count, tournament, white, black, white_code, black_code
        The games and their results.
    late : ndarray of uint8
        1 for games whose result stays hidden until `delay` rounds later, at the latest until the last round is over.
    delay : int
        Rounds until a postponed result arrives.
    stopped : ndarray of uint8
        1 for tournaments that have ended early.

    Raises
    ------
    SwissError
        If the block has no such round or game, or an array doesn't fit.
    """
    cdef int g, i, t, known
    check_round(s, round)
    check_games(s, count, tournament, white, black)
    check_lengths(count, {"white_code": white_code.shape[0], "black_code": black_code.shape[0], "late": late.shape[0]})
    check_lengths(s.tournaments, {"stopped": stopped.shape[0]})
    if delay < 1:
        raise SwissError(f"delay is {delay}; it must be a whole number of rounds from 1")
    for g in range(count):
        if not (WIN <= white_code[g] <= FORFEIT_LOSS and WIN <= black_code[g] <= FORFEIT_LOSS):
            raise SwissError(f"game {g} has the result codes {white_code[g]} and {black_code[g]}; "
                             f"{WIN} to {FORFEIT_LOSS} are results of games")
        if late[g]:
            check_draw(s, None, 1.0)
    known = min(round + min(delay, s.rounds), s.rounds)
    with nogil:
        for g in range(count):
            s.select(tournament[g], round)
            write_result(s, white[g], white_code[g], late[g], known)
            write_result(s, black[g], black_code[g], late[g], known)
        for t in range(s.tournaments):
            if not stopped[t]:
                s.select(t, round)
                for i in range(s.players):
                    s.apply(round, i)


cdef inline void write_result(State s, int i, int code, bint late, int known) noexcept nogil:
    cdef size_t k = <size_t> (s.round - 1) * s.players + i
    if late:
        s.result[k] = POSTPONED
        s._hidden[s.t, s.round - 1, i] = <int8_t> code
        s._arrived[s.t, s.round - 1, i] = <int8_t> known
    else:
        s.result[k] = <int8_t> code


def reveal_all(State s not None):
    """Reveal every postponed result that is still hidden: the tournaments are over."""
    cdef int t
    with nogil:
        for t in range(s.tournaments):
            s.select(t, s.rounds)
            if s.pending:
                s.reveal(s.rounds + 1)
