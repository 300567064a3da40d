"""`dutch`: the FIDE Dutch system, edition of 2026."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from swisssim._bits cimport clear_bit, set_bit, test_bit
from swisssim._boards cimport sort_boards
from swisssim._brackets.lineup cimport (
    ABSOLUTE, Edition, admit_bye, complete, find_preference, give_colours, is_legal, is_topscorer, legal_row, make_lineup,
)
from swisssim._brackets.trial cimport FOUND
from swisssim._core cimport PairingSystem
from swisssim._matching.cardinality cimport even_ends, matching_bytes
from swisssim._state cimport (
    CANCELLED, FORFEIT_WIN, FULL_BYE, HAD_BYE, HAD_FORFEIT_WIN, HAD_FULL_BYE, HAD_HALF_BYE, HAD_PAIRING_BYE, HALF_BYE, NO_MEMORY, PAIRED,
    WIN, Mark, State, have_met, note,
)
from swisssim.pairing._dutch cimport FLOATERS, Round, below, can_pair_all
from swisssim.pairing._dutch_exact cimport choose_exactly
from swisssim.pairing._dutch_fast cimport choose_quickly
from swisssim.pairing._dutch_trace cimport (
    AS_SPLIT, BRACKET, COLOURS, EXCHANGED, FLOATS, FLOATS_BY_ORDER, HAS_BYE, HAS_WHITE, LATER, LEFT_OVER, LOWER_SCORE, MOVED_DOWN,
    NO_OPPONENT, NOT_EXAMINED, ORDER, RESIDENT, TRANSPOSED, WITH_MDP, WORSE, tell_bracket,
)


cdef class Dutch(PairingSystem):
    """FIDE Dutch system, edition in force since 1 February 2026 (FIDE Handbook C.04.3).

    Scoregroups are paired from the top down as brackets; of all pairings of a bracket that leave a completable rest (C4, C5) the best by
    the criteria C6-C21 is taken, and among equals the first in the order of transpositions and exchanges. Every choice is
    exact: a weighted matching decides unless a candidate that meets all lower bounds is found first. C1-C3 are never relaxed; if no
    complete pairing exists the round has none.

    Decisions where the rules are silent:

    - Players who have never been in the field of a round are passed over when the players are numbered; so the numbers, which decide
      colours by E.5, may shift when somebody arrives late.
    - A pairing-allocated bye worth no more than a loss is no downfloat; the option ``bye_floats=True`` makes it one.
    - C13 does not count clashes of two absolute preferences, which only topscorers can have.
    - For C18 and C20 an MDP that is not paired in the bracket counts as more than any score difference.
    - Topscorers are found with virtual points; boards are put in order without them.
    """

    summary = "FIDE Dutch, edition of 2026: score brackets from the top down, by the criteria C1-C21"
    source = "FIDE Handbook C.04.3, FIDE (Dutch) System, in force since 1 February 2026"
    draws_colour = True
    colour_limits = False
    OPTIONS = {"bye_floats": False}
    ARTICLES = {
        1: "C1 two players meet at most once, and not at all if forbidden",
        2: "C2 no second bye, and no bye after a win without play",
        3: "C3 two players with the same absolute preference do not meet, unless one is a topscorer",
        4: "C4 the others must be able to complete the pairing",
        5: "C5 lowest possible score of the player with the bye",
        6: "C6 as many pairs as possible",
        7: "C7 downfloaters with scores as low as possible",
        8: "C8 the next bracket as good by C6 and C7 as possible",
        9: "C9 the bye to whoever has the fewest unplayed games",
        10: "C10 as few colour differences beyond two as possible",
        11: "C11 as few players with a third equal colour in a row as possible",
        12: "C12 as few players without their preferred colour as possible",
        13: "C13 as few players without their strong preference as possible",
        14: "C14 as few residents with a second downfloat in a row as possible",
        15: "C15 as few opponents of moved-down players with a second upfloat in a row as possible",
        16: "C16 as few residents with a downfloat as two rounds before as possible",
        17: "C17 as few opponents of moved-down players with an upfloat as two rounds before as possible",
        18: "C18 score differences of moved-down players who floated down in the last round",
        19: "C19 score differences of opponents who floated up in the last round",
        20: "C20 score differences of moved-down players who floated down two rounds before",
        21: "C21 score differences of opponents who floated up two rounds before",
        BRACKET: "B the bracket as it stood",
        ORDER: "D order of candidates: transpositions, then exchanges",
        COLOURS + 1: "E.1 both preferences granted",
        COLOURS + 2: "E.2 the stronger preference granted",
        COLOURS + 3: "E.3 colours alternate against the last round in which the two had different ones",
        COLOURS + 4: "E.4 the preference of the higher ranked player granted",
        COLOURS + 5: "E.5 nobody has a preference: the drawn colour for an odd number",
    }
    KINDS = {
        1: "pair", 2: "bye", 3: "pair", **{k: "criterion" for k in range(4, 22)}, BRACKET: "group", ORDER: "pair",
        **{COLOURS + k: "colour" for k in range(1, 6)},
    }
    REASONS = {
        RESIDENT: "resident",
        MOVED_DOWN: "moved down",
        FLOATS: "{player} floats down: any pairing with {player} in the bracket is worse by this criterion",
        FLOATS_BY_ORDER: "{player} floats down: the pairings with {player} in the bracket come later in the order",
        NO_OPPONENT: "{player} floats down: nobody in the bracket may be met",
        LEFT_OVER: "{player} is left over: any pairing with {player} in the bracket is worse by this criterion",
        NOT_EXAMINED: "{player} floats down",
        LATER: "{player} - {others} passed over: comes later in the order",
        WORSE: "{player} - {others} passed over: the bracket would be worse by this criterion",
        WITH_MDP: "{player} meets {others}: moved-down player and resident",
        AS_SPLIT: "{player} meets {others} as the two halves stand",
        TRANSPOSED: "{player} meets {others} after a transposition",
        EXCHANGED: "{player} meets {others} after an exchange",
        HAS_WHITE: "White",
        HAS_BYE: "{player} has the bye",
        LOWER_SCORE: "{player} has no bye: nobody with this score can be left over",
    }

    cdef bint bye_floats

    def __init__(self, **options):
        super().__init__(**options)
        self.bye_floats = self.options["bye_floats"]

    cdef int pair(self, State s) noexcept nogil:
        cdef Round r
        cdef Edition edition
        cdef Mark mark = s.mark()
        cdef int status = PAIRED
        if s.field == 0:
            return PAIRED
        edition.repeated_first, edition.bye_floats = True, self.bye_floats
        status = start(s, &r, edition)
        if status == PAIRED:
            status = find_bye_score(s, &r)
        if status == PAIRED:
            status = pair_brackets(s, &r)
        if status == PAIRED:
            status = answer(s, &r)
        s.release(mark)
        return status

    cdef bint may_meet(self, State s, int i, int j) noexcept nogil:
        """C1, C3 and forbidden pairs."""
        cdef int a, b, strong_a, strong_b
        if have_met(s, i, j):
            return False
        find_preference(s, i, True, &a, &strong_a)
        find_preference(s, j, True, &b, &strong_b)
        return a != b or strong_a < ABSOLUTE or strong_b < ABSOLUTE or is_topscorer(s, i) or is_topscorer(s, j)

    cdef bint may_have_bye(self, State s, int i) noexcept nogil:
        """C2."""
        return may_have_bye(s, i)


cdef inline bint may_have_bye(State s, int i) noexcept nogil:
    """C2: no bye before, and no round without a game that was worth a win."""
    cdef int had = s.had[i], win = s.worth[WIN]
    return not (had & HAD_PAIRING_BYE
                or (had & HAD_FORFEIT_WIN and s.worth[FORFEIT_WIN] >= win)
                or (had & HAD_FULL_BYE and s.worth[FULL_BYE] >= win)
                or (had & HAD_HALF_BYE and s.worth[HALF_BYE] >= win))


cdef int start(State s, Round* r, Edition edition) noexcept nogil:
    cdef int p
    memset(r, 0, sizeof(Round))
    if not make_lineup(s, &r.f, edition):
        return NO_MEMORY
    r.odd = r.f.m & 1
    r.mate = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    r.kept = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    r.trial = <int32_t*>s.scratch(<size_t>(r.f.m + 1) * sizeof(int32_t))
    r.members = <int32_t*>s.scratch(<size_t>r.f.m * sizeof(int32_t))
    r.pairs = <int32_t*>s.scratch(<size_t>r.f.m * sizeof(int32_t))
    r.alive = <uint64_t*>s.scratch(<size_t>r.f.words * sizeof(uint64_t))
    if (r.mate == NULL or r.kept == NULL or r.trial == NULL or r.members == NULL or r.pairs == NULL or r.alive == NULL):
        return NO_MEMORY
    for p in range(r.f.m + 1):
        r.mate[p] = r.kept[p] = -1
    if r.odd:
        for p in range(r.f.m):
            if may_have_bye(s, r.f.player[p]):
                admit_bye(&r.f, p)
    return PAIRED


cdef int find_bye_score(State s, Round* r) noexcept nogil:
    """C4 and C5: is there a complete pairing at all, and what is the smallest score of the player with the bye?"""
    cdef Mark mark = s.mark()
    cdef uint64_t* ends = <uint64_t*>s.scratch(<size_t>r.f.words * sizeof(uint64_t))
    cdef void* work = s.scratch(matching_bytes(r.f.m + 1))
    cdef int p, status, bye = r.f.m
    if ends == NULL or work == NULL:
        return NO_MEMORY
    memset(r.alive, 0, <size_t>r.f.words * sizeof(uint64_t))
    for p in range(r.f.m + r.odd):
        set_bit(r.alive, p)
    status = complete(s, &r.f, r.alive, r.kept)
    if status == PAIRED and r.odd:
        clear_bit(r.alive, bye)
        for p in range(bye + 1):
            r.trial[p] = r.kept[p]
        r.trial[r.kept[bye]] = -1
        even_ends(bye + 1, r.f.words, r.f.legal, r.alive, r.trial, r.kept[bye], ends, work)
        p = bye - 1
        while not (test_bit(ends, p) and is_legal(&r.f, p, bye)):
            p -= 1
        r.bye_score = r.f.score[r.f.player[p]]
        status = narrow_bye(s, r)
    s.release(mark)
    return status


cdef int narrow_bye(State s, Round* r) noexcept nogil:
    """From now on only players with the score of C5 may have the bye; mend the kept matching."""
    cdef int p, bye = r.f.m
    for p in range(bye):
        if is_legal(&r.f, p, bye) and r.f.score[r.f.player[p]] != r.bye_score:
            clear_bit(legal_row(&r.f, p), bye)
            clear_bit(legal_row(&r.f, bye), p)
    p = r.kept[bye]
    if not is_legal(&r.f, p, bye):
        r.kept[p] = r.kept[bye] = -1
    set_bit(r.alive, bye)
    return complete(s, &r.f, r.alive, r.kept)


cdef int pair_brackets(State s, Round* r) noexcept nogil:
    """Bracket after bracket from the top: quickly if it goes, exactly otherwise."""
    cdef int status
    r.size = 0
    for r.group in range(r.f.groups):
        if s.cancel[0]:
            return CANCELLED
        enter_bracket(r)
        status = PAIRED
        if s.node_budget <= 0 or choose_quickly(s, r) != FOUND:
            status = choose_exactly(s, r)
        if status == PAIRED and s.tracing:
            status = tell_bracket(s, r)
        if status == PAIRED:
            status = leave_bracket(s, r)
        if status != PAIRED:
            return status
    return PAIRED


cdef void enter_bracket(Round* r) noexcept nogil:
    """The downfloaters of the last bracket, by rank, and the residents of the scoregroup."""
    cdef int i, p
    r.mdps = 0
    for i in range(r.size):
        if r.pairs[i] < 0:
            r.members[r.mdps] = r.members[i]
            r.mdps += 1
    r.size = r.mdps
    for p in range(r.f.start[r.group], below(r)):
        r.members[r.size] = p
        r.size += 1


cdef int leave_bracket(State s, Round* r) noexcept nogil:
    """Fix the pairs; the kept matching becomes one of the rest."""
    cdef int i, p, status
    for i in range(r.size):
        if r.pairs[i] >= 0:
            r.mate[r.members[i]] = r.members[r.pairs[i]]
    status = can_pair_all(s, r, FLOATERS, below(r), r.odd)
    for p in range(r.f.m + 1):
        r.kept[p] = r.trial[p]
    return status


cdef int answer(State s, Round* r) noexcept nogil:
    """E: colours; boards by score without virtual points."""
    cdef int p, rule
    cdef int32_t* plain = <int32_t*>s.scratch(<size_t>s.players * sizeof(int32_t))
    if plain == NULL:
        return NO_MEMORY
    for p in range(r.f.m):
        if r.mate[p] > p:
            rule = give_colours(s, &r.f, p, r.mate[p])
            note(s, COLOURS + rule, s.white[s.boards - 1], s.black[s.boards - 1], HAS_WHITE)
        elif r.mate[p] < 0:
            s.bye = r.f.player[p]
    if s.bye >= 0 and s.tracing:
        tell_bye(s, r)
    for p in range(s.players):
        plain[p] = s.score[p]
        if s._virtual is not None:
            plain[p] -= s._virtual[s.round - 1, p]
    return PAIRED if sort_boards(s, plain) else NO_MEMORY


cdef void tell_bye(State s, const Round* r) noexcept nogil:
    """Who has the bye, and who with no higher score could not."""
    cdef int p, player
    for p in range(r.f.m - 1, -1, -1):
        player = r.f.player[p]
        if s.score[player] > r.bye_score:
            break
        if not may_have_bye(s, player):
            note(s, 2, player, -1, HAD_BYE)
        elif s.score[player] < r.bye_score:
            note(s, 5, player, -1, LOWER_SCORE)
    note(s, 5, s.bye, -1, HAS_BYE)
