"""Slow, literal twin of `dutch`: the FIDE Dutch system, edition 2025/2026 (rules page, sections 2-12).

Every candidate of a bracket is generated in order and weighed by its quality vector; the first of the best is taken.
Two shortcuts that cannot change the answer keep it usable: who floats down decides C6-C9 alone, so the sets of
downfloaters are judged first; and a candidate is given up as soon as its first pairs are no better than the best one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import networkx  # type: ignore[import-untyped]

from tests.reference.dutch_order import Pairs, order
from tests.reference.dutch_position import Position
from tests.reference.event import GAMES, OTHER, Board, Code, Event, NoPairing, Pairing

Pair = Board
NONE, MILD, STRONG, ABSOLUTE = range(4)
LIMBO = 10**6  # larger than any score difference
SMALL = 14  # up to so many players plain recursion decides faster than a matching
Quality = tuple[object, ...]


class Players:
    """What the rules derive from a position (section 2)."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.field = tuple(position.ranked(position.field))
        self.score = {p: position.score(p) for p in self.field}
        self.colours = {p: position.colours(p) for p in self.field}
        self.imbalance = {p: abs(self.difference(p)) for p in self.field}
        self.repeated = {p: self._repeated(p) for p in self.field}
        self.preferred = {p: self._preferred(p) for p in self.field}
        self.strength = {p: self._strength(p) for p in self.field}
        self.floats = {(p, back): self._float(p, position.done + 1 - back) for p in self.field for back in (1, 2)}
        self.eligible = {p: self._eligible(p) for p in self.field}
        self.unplayed = {p: position.done - len(self.colours[p]) for p in self.field}
        self.topscorer = {p: self._topscorer(p) for p in self.field}
        self._legal = {(a, b): self._judge(a, b) for a in self.field for b in self.field if a != b}

    def difference(self, player: int) -> int:
        """Return the colour difference, whites minus blacks."""
        return self.colours[player].count("W") - self.colours[player].count("B")

    def _repeated(self, player: int) -> str:
        played = self.colours[player]
        return played[-1] if played[-2:] in ("WW", "BB") else ""

    def _preferred(self, player: int) -> str:
        played = self.colours[player]
        less_played = "B" if self.difference(player) > 0 else "W"
        if self.imbalance[player] >= 2:
            return less_played
        if self.repeated[player]:
            return OTHER[self.repeated[player]]
        if self.imbalance[player] == 1:
            return less_played
        return OTHER[played[-1]] if played else ""

    def _strength(self, player: int) -> int:
        if self.imbalance[player] >= 2 or self.repeated[player]:
            return ABSOLUTE
        if self.imbalance[player] == 1:
            return STRONG
        return MILD if self.colours[player] else NONE

    def _float(self, player: int, round: int) -> str:
        if round < 1:
            return ""
        entry = self.position.entry(player, round)
        if entry.code not in GAMES or entry.opponent is None:
            return "D" if self.position.worth(entry.code) > self.position.worth(Code.LOSS) else ""
        own, other = self.position.score(player, round), self.position.score(entry.opponent, round)
        return "D" if own > other else "U" if own < other else ""

    def _eligible(self, player: int) -> bool:
        return not any(
            code == Code.PAIRING_BYE
            or (code not in GAMES and self.position.worth(code) >= self.position.worth(Code.WIN))
            for code in self.position.codes(player)
        )

    def _topscorer(self, player: int) -> bool:
        done = self.position.done
        best = done * max(self.position.worth(Code.WIN), self.position.worth(Code.DRAW))
        return done >= self.position.event.rounds - 1 and 2 * self.score[player] > best

    def clash(self, a: int, b: int) -> bool:
        """Tell whether both prefer the same colour."""
        return self.preferred[a] == self.preferred[b] != ""

    def _judge(self, a: int, b: int) -> bool:
        both_absolute = self.strength[a] == self.strength[b] == ABSOLUTE
        barred = both_absolute and self.clash(a, b) and not self.topscorer[a] and not self.topscorer[b]
        return self.position.may_meet(a, b) and not barred

    def legal(self, a: int, b: int) -> bool:
        """Tell whether two players may be paired (C1, C3)."""
        return self._legal[a, b]


@dataclass(frozen=True)
class Bracket:
    """One bracket before its pairing, its players by rank, and what lies below it."""

    moved_down: tuple[int, ...]
    residents: tuple[int, ...]
    below: tuple[tuple[int, ...], ...] = ()

    @property
    def everybody(self) -> tuple[int, ...]:
        """All players of the bracket."""
        return self.moved_down + self.residents

    @property
    def rest(self) -> frozenset[int]:
        """All players of lower scoregroups."""
        return frozenset(p for group in self.below for p in group)


@dataclass(frozen=True)
class Floaters:
    """Sets of downfloaters that a bracket may have with the best C6 and C7, and these two components."""

    count: int
    scores: tuple[int, ...]
    sets: tuple[frozenset[int], ...]


class Engine:
    """Pairs one round (section 8)."""

    def __init__(self, event: Event) -> None:
        position = self.position = Position(event)
        self.players = Players(position)
        self.odd = len(position.field) % 2 == 1
        self.bye_score: int | None = None
        self._pairable = cache(self._find_pairable)
        self._completable = cache(self._find_completable)
        self._next_floaters = cache(self._find_next_floaters)
        self._find_bye_score()

    # ---- can these still be paired (section 3)

    def _find_pairable(self, group: frozenset[int], apart: frozenset[int]) -> bool:
        """Tell whether legal pairs can cover a group, no pair inside `apart`."""
        if len(group) % 2:
            return False
        if not group:
            return True
        allowed = self.players.legal
        if len(group) > SMALL:
            graph = networkx.Graph()
            graph.add_edges_from(
                (a, b) for a, b in combinations(group, 2) if allowed(a, b) and not (a in apart and b in apart)
            )
            return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(group)
        first = min(group)
        return any(
            self._pairable(group - {first, other}, apart)
            for other in group - {first}
            if allowed(first, other) and not (first in apart and other in apart)
        )

    def _find_bye_score(self) -> None:
        """Find C5, the smallest score that the lone player of a complete pairing can have; raise if there is none."""
        field = frozenset(self.players.field)
        if self.odd:
            alone = [p for p in field if self.players.eligible[p] and self._pairable(field - {p}, frozenset())]
            if not alone:
                raise NoPairing
            self.bye_score = min(self.players.score[p] for p in alone)
        elif not self._pairable(field, frozenset()):
            raise NoPairing

    def _find_completable(self, group: frozenset[int]) -> bool:
        if len(group) % 2 == 0:
            return self._pairable(group, frozenset())
        return any(
            self.players.eligible[p]
            and self.players.score[p] == self.bye_score
            and self._pairable(group - {p}, frozenset())
            for p in group
        )

    def completable(self, group: Iterable[int]) -> bool:
        """Tell whether a group has a complete pairing with the score of the bye that C5 asks for."""
        return self._completable(frozenset(group))

    # ---- downfloaters: C6 to C9

    def score_list(self, group: Iterable[int]) -> tuple[int, ...]:
        """Return the scores of some players, highest first."""
        return tuple(sorted((self.players.score[p] for p in group), reverse=True))

    def best_floaters(self, bracket: Bracket) -> Floaters:
        """Return all sets of downfloaters of the candidates that are best in C6 and C7."""
        everybody, apart = frozenset(bracket.everybody), frozenset(bracket.moved_down)
        for count in range(len(everybody) % 2, len(everybody) + 1, 2):
            sets = [
                frozenset(down)
                for down in combinations(bracket.everybody, count)
                if self._pairable(everybody - frozenset(down), apart) and self.completable(bracket.rest.union(down))
            ]
            if sets:
                scores = min(map(self.score_list, sets))
                return Floaters(count, scores, tuple(down for down in sets if self.score_list(down) == scores))
        raise AssertionError("a bracket without candidate, although everybody left is completable")

    def _find_next_floaters(self, down: frozenset[int], below: tuple[tuple[int, ...], ...]) -> Quality:
        if not below:
            return 0, ()
        best = self.best_floaters(Bracket(tuple(self.position.ranked(down)), below[0], below[1:]))
        return best.count, best.scores

    def floater_quality(self, bracket: Bracket, down: frozenset[int]) -> Quality:
        """Return C6, C7, C8, C9 of a candidate with these downfloaters."""
        gets_bye = self.bye_score is not None and self.bye_score >= self.players.score[bracket.residents[0]]
        return (
            len(down),
            self.score_list(down),
            self._next_floaters(down, bracket.below),
            self.players.unplayed[min(down)] if gets_bye and len(down) == 1 else 0,
        )

    # ---- pairs: C10 to C21

    def quality(self, bracket: Bracket, pairs: Sequence[Pair]) -> Quality:
        """Return the quality vector C6, C7, ..., C21 of a candidate (section 6)."""
        down = self.downfloaters(bracket, pairs)
        return self.floater_quality(bracket, down) + self.pair_quality(bracket, pairs, down)

    def downfloaters(self, bracket: Bracket, pairs: Sequence[Pair]) -> frozenset[int]:
        """Return those whom some pairs leave unpaired."""
        return frozenset(bracket.everybody).difference(*pairs)

    def pair_quality(self, bracket: Bracket, pairs: Sequence[Pair], down: frozenset[int]) -> Quality:
        """Return C10 to C21.

        For the first pairs of a candidate and no downfloaters this is a lower bound of the candidate: more pairs and
        more downfloaters make no component smaller.
        """
        players = self.players
        clashing = [(a, b) for a, b in pairs if players.clash(a, b)]
        upper = [(a, b) if a in bracket.moved_down else (b, a) for a, b in pairs if {a, b} & set(bracket.moved_down)]
        group = players.score[bracket.residents[0]]
        resident_down = down.intersection(bracket.residents)
        limbo = down.intersection(bracket.moved_down)

        def down_again(back: int) -> int:
            return sum(players.floats[p, back] == "D" for p in resident_down)

        def up_again(back: int) -> int:
            return sum(players.floats[i, back] == "U" for _, i in upper)

        def differences_down(back: int) -> tuple[int, ...]:
            paired = [players.score[m] - group for m, _ in upper if players.floats[m, back] == "D"]
            left = [LIMBO + players.score[m] for m in limbo if players.floats[m, back] == "D"]
            return tuple(sorted(paired + left, reverse=True))

        def differences_up(back: int) -> tuple[int, ...]:
            return tuple(
                sorted((players.score[m] - group for m, i in upper if players.floats[i, back] == "U"), reverse=True)
            )

        return (
            sum(players.imbalance[a] >= 2 and players.imbalance[b] >= 2 for a, b in clashing),
            sum(self.third_in_a_row(a, b) for a, b in clashing),
            len(clashing),
            sum(self.strong_clash(a, b) for a, b in clashing),
            down_again(1), up_again(1), down_again(2), up_again(2),
            differences_down(1), differences_up(1), differences_down(2), differences_up(2),
        )  # fmt: skip

    def third_in_a_row(self, a: int, b: int) -> bool:
        """Tell whether C11 counts a clashing pair: who gives way had the other colour in the last two games."""
        players = self.players
        if not players.strength[a] == players.strength[b] == ABSOLUTE:
            return False
        if players.imbalance[a] == players.imbalance[b]:
            return players.repeated[a] == players.repeated[b] != ""
        x = min(a, b, key=players.imbalance.__getitem__)
        return players.repeated[x] == OTHER[players.preferred[x]]

    def strong_clash(self, a: int, b: int) -> bool:
        """Tell whether C13 counts a clashing pair: both strong or absolute, but not both absolute."""
        strengths = {self.players.strength[a], self.players.strength[b]}
        return strengths <= {STRONG, ABSOLUTE} and strengths != {ABSOLUTE}

    # ---- candidates in generation order (section 7)

    def best(self, bracket: Bracket) -> tuple[Pair, ...]:
        """Return the pairs of the first candidate with the smallest quality vector."""
        floaters = self.best_floaters(bracket)
        judged = [(self.floater_quality(bracket, down), down) for down in floaters.sets]
        least = min(quality for quality, _ in judged)
        return Search(self, bracket, frozenset(down for quality, down in judged if quality == least)).first_best()

    def brackets(self) -> Iterator[tuple[Bracket, tuple[Pair, ...]]]:
        """Yield every bracket with its pairs, from the top (section 8)."""
        scores = sorted(set(self.players.score.values()), reverse=True)
        groups = tuple(tuple(p for p in self.players.field if self.players.score[p] == score) for score in scores)
        down: list[int] = []
        for at, residents in enumerate(groups):
            bracket = Bracket(tuple(down), residents, groups[at + 1 :])
            pairs = self.best(bracket)
            yield bracket, pairs
            down = self.position.ranked(self.downfloaters(bracket, pairs))

    def pair(self) -> tuple[list[Pair], int | None]:
        """Return all pairs and the player with the bye."""
        pairs = [pair for _, pairs in self.brackets() for pair in pairs]
        alone = frozenset(self.players.field).difference(*pairs)
        return pairs, min(alone, default=None)

    # ---- colours (section 9)

    def white_and_black(self, a: int, b: int) -> Pair:
        """Return a pair as (White, Black)."""
        higher, lower = self.position.ranked((a, b))
        return (higher, lower) if self.higher_colour(higher, lower) == "W" else (lower, higher)

    def higher_colour(self, higher: int, lower: int) -> str:
        """Return the colour of the higher ranked player of a pair."""
        players = self.players
        own, other = players.preferred[higher], players.preferred[lower]
        if not own and not other:
            odd = self.position.numbers[higher] % 2 == 1
            return self.position.initial_colour if odd else OTHER[self.position.initial_colour]
        if own != other:
            return own or OTHER[other]
        weights = [(players.strength[p], players.imbalance[p]) for p in (higher, lower)]
        if weights[0][0] != ABSOLUTE or weights[1][0] != ABSOLUTE:
            weights = [(strength, 0) for strength, _ in weights]
        if weights[0] != weights[1]:
            return own if weights[0] > weights[1] else OTHER[own]
        for mine, theirs in zip(reversed(players.colours[higher]), reversed(players.colours[lower]), strict=False):
            if mine != theirs:
                return theirs
        return own


class Search:
    """The candidates of one bracket in generation order, those given up that cannot be the answer.

    Attributes
    ----------
    quality
        C10 to C21 of the best candidate seen, None as long as none was seen.
    """

    def __init__(self, engine: Engine, bracket: Bracket, floater_sets: frozenset[frozenset[int]]) -> None:
        self.engine, self.bracket, self.floater_sets = engine, bracket, floater_sets
        self.quality: Quality | None = None

    def first_best(self) -> tuple[Pair, ...]:
        """Return the pairs of the first of the best candidates."""
        best: tuple[Pair, ...] | None = None
        for pairs in self.candidates():
            down = self.engine.downfloaters(self.bracket, pairs)
            if down in self.floater_sets:
                quality = self.engine.pair_quality(self.bracket, pairs, down)
                if self.quality is None or quality < self.quality:
                    best, self.quality = pairs, quality
                    if not any(quality):
                        break  # no candidate can be better
        assert best is not None
        return best

    def hopeful(self, pairs: Sequence[Pair]) -> bool:
        """Tell whether a candidate that begins so is legal in its last pair and may still be the answer."""
        if not self.engine.players.legal(*pairs[-1]):
            return False
        return self.quality is None or self.engine.pair_quality(self.bracket, pairs, frozenset()) < self.quality

    def candidates(self) -> Iterator[tuple[Pair, ...]]:
        """Yield the hopeful candidates in the order of 7.2; without MDPs that is the order of 7.1."""
        down = next(iter(self.floater_sets))
        limbo_scores = self.engine.score_list(down.intersection(self.bracket.moved_down))
        paired_count = len(self.bracket.moved_down) - len(limbo_scores)
        k = (len(self.bracket.everybody) - len(down)) // 2 - paired_count
        for s1 in combinations(self.bracket.moved_down, paired_count):
            limbo = set(self.bracket.moved_down).difference(s1)
            if self.engine.score_list(limbo) == limbo_scores:
                yield from self.moved_down_pairings(s1, (), k)

    def moved_down_pairings(self, s1: Sequence[int], pairs: tuple[Pair, ...], k: int) -> Iterator[tuple[Pair, ...]]:
        """Yield the candidates whose MDP pairs begin with `pairs`, opponents by BSN."""
        left = [p for p in self.bracket.residents if all(p not in pair for pair in pairs)]
        if len(pairs) == len(s1):
            yield from self.remainders(left, pairs, k)
            return
        for opponent in left:
            longer = (*pairs, (s1[len(pairs)], opponent))
            if self.hopeful(longer):
                yield from self.moved_down_pairings(s1, longer, k)

    def remainders(self, players: Sequence[int], pairs: tuple[Pair, ...], k: int) -> Iterator[tuple[Pair, ...]]:
        """Yield the candidates with these MDP pairs and k pairs of the remainder."""

        def named(begun: Pairs) -> tuple[Pair, ...]:
            return pairs + tuple((players[a - 1], players[b - 1]) for a, b in begun)

        for made in order(len(players), k, lambda begun: self.hopeful(named(begun))):
            yield named(made)


def pair(event: Event) -> Pairing:
    """Pair the coming round by the rules of `dutch`, boards in the order of section 10.

    Raises
    ------
    NoPairing
        If no complete pairing of the field exists.
    """
    engine = Engine(event)
    pairs, bye = engine.pair()
    points = engine.position.score_without_virtual_points

    def board(pair: Pair) -> tuple[int, int, int]:
        higher, lower = sorted(pair, key=lambda p: (-points(p), p))
        return -points(higher), -points(lower), higher

    return [engine.white_and_black(a, b) for a, b in sorted(pairs, key=board)], bye
