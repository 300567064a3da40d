"""Slow, literal twin of `dutch2012`: the FIDE Dutch rules of 2012 with the special rules of the arbiters' manual.

Every candidate of a bracket is generated in order and weighed; the first of the best is taken.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from tests.reference.dutch_order import order
from tests.reference.dutch_position import Position
from tests.reference.event import GAMES, OTHER, Board, Code, Event, NoPairing, Pairing

Pair = Board
ONE_POINT = 10
WITHOUT_PLAYING = frozenset({Code.FORFEIT_WIN, Code.PAIRING_BYE, Code.FULL_BYE, Code.HALF_BYE})
NONE, MILD, STRONG, ABSOLUTE = range(4)
Quality = tuple[object, ...]


class Players:
    """What the rules derive from a position: preferences, floats, legal pairs."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.score = {player: position.score(player) for player in position.field}
        self.last_round = position.event.last_round
        self.colours = {player: position.colours(player) for player in position.field}
        self.preference = {player: self._preference(player) for player in position.field}
        self.floats = {
            (player, back): self._float(player, position.done + 1 - back)
            for player in position.field
            for back in (1, 2)
        }
        self.may_get_bye = {player for player in position.field if not position.codes(player) & WITHOUT_PLAYING}
        self._legal = {(a, b): self._judge(a, b) for a in position.field for b in position.field if a != b}

    def difference(self, player: int) -> int:
        """Return the colour difference, whites minus blacks."""
        return self.colours[player].count("W") - self.colours[player].count("B")

    def _preference(self, player: int) -> tuple[int, str]:
        played = self.colours[player]
        if not played:
            return NONE, ""
        difference = self.difference(player)
        colour = "W" if difference < 0 else "B" if difference > 0 else OTHER[played[-1]]
        if abs(difference) > 1 or played[-2:] in ("WW", "BB"):
            return ABSOLUTE, colour
        return (STRONG if difference else MILD), colour

    def _float(self, player: int, round: int) -> str:
        entry = self.position.entry(player, round)
        if entry.code in GAMES and entry.opponent is not None:
            own, other = self.position.score(player, round), self.position.score(entry.opponent, round)
            return "D" if own > other else "U" if own < other else "-"
        return "D" if entry.code in WITHOUT_PLAYING else "-"

    def _top_scorer(self, player: int) -> bool:
        return self.last_round and 2 * self.score[player] > self.position.worth(Code.WIN) * self.position.done

    def same_absolute(self, a: int, b: int) -> bool:
        """Tell whether both have the same absolute preference, so that only the waiver of A3 lets them meet."""
        return self.preference[a] == self.preference[b] and self.preference[a][0] == ABSOLUTE

    def _judge(self, a: int, b: int) -> bool:
        waived = self._top_scorer(a) or self._top_scorer(b)
        return self.position.may_meet(a, b) and (waived or not self.same_absolute(a, b))

    def legal(self, a: int, b: int) -> bool:
        """Tell whether A1 and A3 allow a pair."""
        return self._legal[a, b]

    def ranked(self, players: Iterable[int]) -> list[int]:
        """Return players in the order score, number."""
        return self.position.ranked(players)


@dataclass(frozen=True)
class Bracket:
    """One bracket before its pairing: players moved down into it, residents, and whether it is the lowest."""

    moved_down: tuple[int, ...]
    residents: tuple[int, ...]
    lowest: bool = False

    @property
    def everybody(self) -> tuple[int, ...]:
        """All players of the bracket."""
        return self.moved_down + self.residents


@dataclass(frozen=True)
class Candidate:
    """A set of pairs of a bracket and those whom it leaves unpaired."""

    pairs: tuple[Pair, ...]
    unpaired: tuple[int, ...]


class Engine:
    """Pairs one round."""

    def __init__(self, event: Event) -> None:
        position = Position(event)
        self.players = Players(position)
        self.odd_round = position.done % 2 == 0

    # ---- candidates in generation order

    def set_aside(self, bracket: Bracket) -> tuple[int, ...]:
        """Return the players without any legal opponent in the bracket."""
        return tuple(
            a for a in bracket.everybody if not any(a != b and self.players.legal(a, b) for b in bracket.everybody)
        )

    def candidates(self, bracket: Bracket, pairs: int) -> Iterator[Candidate]:
        """Yield the candidates of a bracket with a number of pairs, in generation order.

        In a lowest bracket only complete pairings are candidates; if it is heterogeneous, the MDPs outside the subset
        belong to the remainder, and only the largest subsets with a complete pairing count (rule 4a).
        """
        aside = self.set_aside(bracket)
        moved_down = [p for p in self.players.ranked(bracket.moved_down) if p not in aside]
        residents = [p for p in self.players.ranked(bracket.residents) if p not in aside]
        if 2 * len(moved_down) >= len(moved_down) + len(residents) or not moved_down:
            made = self.homogeneous(self.players.ranked(moved_down + residents), pairs)
            yield from self.admitted(bracket, made)
            return
        for size in range(min(len(moved_down), len(residents), pairs), -1, -1):
            found = False
            for subset in combinations(moved_down, size):
                made = self.heterogeneous(moved_down, residents, subset, pairs, bracket.lowest)
                for candidate in self.admitted(bracket, made):
                    found = True
                    yield candidate
            if bracket.lowest and found:
                return

    def admitted(self, bracket: Bracket, made: Iterable[tuple[Pair, ...]]) -> Iterator[Candidate]:
        """Yield the candidates with some sets of pairs; of a lowest bracket only the complete ones."""
        for pairs in made:
            paired = {player for pair in pairs for player in pair}
            unpaired = tuple(p for p in self.players.ranked(bracket.everybody) if p not in paired)
            if not bracket.lowest or all(p in self.players.may_get_bye for p in unpaired):
                yield Candidate(pairs, unpaired)

    def homogeneous(self, players: Sequence[int], pairs: int) -> Iterator[tuple[Pair, ...]]:
        """Yield the sets of legal pairs of a homogeneous bracket or remainder, players by rank."""
        if 2 * pairs > len(players):
            return
        legal = self.players.legal
        for made in order(len(players), pairs, lambda begun: legal(*(players[at - 1] for at in begun[-1]))):
            yield tuple((players[a - 1], players[b - 1]) for a, b in made)

    def heterogeneous(
        self, moved_down: Sequence[int], residents: Sequence[int], subset: Sequence[int], pairs: int, lowest: bool
    ) -> Iterator[tuple[Pair, ...]]:
        """Yield the candidates in which exactly a subset of the MDPs meets residents."""
        for partners in permutations(residents, len(subset)):
            upper = tuple(zip(subset, partners, strict=True))
            if all(self.players.legal(a, b) for a, b in upper):
                rest = [p for p in residents if p not in partners]
                if lowest:
                    rest = self.players.ranked(rest + [p for p in moved_down if p not in subset])
                for lower in self.homogeneous(rest, pairs - len(subset)):
                    yield upper + lower

    # ---- quality

    def quality(self, bracket: Bracket, candidate: Candidate) -> Quality:
        """Return (q1, ..., q10) of a candidate; smaller is better."""
        players, score = self.players, self.players.score
        clashes = [(a, b) for a, b in candidate.pairs if self.same_colour(a, b)]
        firm = sum(min(players.preference[a][0], players.preference[b][0]) >= STRONG for a, b in clashes)
        unequal = [(max(pair, key=score.__getitem__), min(pair, key=score.__getitem__)) for pair in candidate.pairs]
        unequal = [(a, b) for a, b in unequal if score[a] != score[b]]
        down = [*candidate.unpaired, *(a for a, _ in unequal)]
        up = [b for _, b in unequal]
        return (
            len(candidate.unpaired),
            self.squares(bracket, candidate) if bracket.lowest else self.unpaired_scores(bracket, candidate),
            sum(players.same_absolute(a, b) for a, b in candidate.pairs),
            firm if self.odd_round else 0,
            len(clashes),
            0 if self.odd_round else firm,
            *(sum(players.floats[p, back] == "D" for p in down) for back in (1, 2)),
            *(sum(players.floats[p, back] == "U" for p in up) for back in (1, 2)),
        )

    def same_colour(self, a: int, b: int) -> bool:
        """Tell whether both players of a pair prefer the same colour."""
        one, other = self.players.preference[a][1], self.players.preference[b][1]
        return one == other != ""

    def squares(self, bracket: Bracket, candidate: Candidate) -> int:
        """Return q2 of a lowest bracket: squared score differences, the bye one point below the lowest score."""
        score = self.players.score
        bye = min(score[p] for p in bracket.everybody) - ONE_POINT
        return sum((score[a] - score[b]) ** 2 for a, b in candidate.pairs) + sum(
            (score[p] - bye) ** 2 for p in candidate.unpaired
        )

    def unpaired_scores(self, bracket: Bracket, candidate: Candidate) -> tuple[int, ...]:
        """Return q2 of any other bracket: the scores of the MDPs left unpaired, highest first."""
        left = (self.players.score[p] for p in candidate.unpaired if p in bracket.moved_down)
        return tuple(sorted(left, reverse=True))

    def best(
        self, bracket: Bracket, accept: Callable[[Candidate], bool] = lambda candidate: True, at_least: int = 0
    ) -> Candidate | None:
        """Return the first of the best acceptable candidates of a bracket with the most pairs possible, or None."""
        for pairs in range(len(bracket.everybody) // 2, at_least - 1, -1):
            best, best_quality = None, None
            for candidate in self.candidates(bracket, pairs):
                quality = self.quality(bracket, candidate)
                if (best_quality is None or quality < best_quality) and accept(candidate):
                    best, best_quality = candidate, quality
                    if self.perfect(bracket, candidate, quality):
                        break
            if best is not None:
                return best
        return None

    def perfect(self, bracket: Bracket, candidate: Candidate, quality: Quality) -> bool:
        """Tell whether no candidate with as many pairs can be better; a bye costs at least one point squared."""
        least = len(candidate.unpaired) * ONE_POINT**2 if bracket.lowest else ()
        return quality[1] == least and not any(quality[2:])

    # ---- special rules

    def complete(self, moved_down: Sequence[int], residents: Sequence[int]) -> Candidate | None:
        """Return the best complete pairing of a lowest bracket (rule 4a), or None."""
        bracket = Bracket(tuple(moved_down), tuple(residents), lowest=True)
        return self.best(bracket, at_least=len(bracket.everybody) // 2)

    def can_be_complete(self, players: Sequence[int]) -> bool:
        """Tell whether legal pairs and, if the number is odd, an allowed bye can cover some players."""
        if not players:
            return True
        first, rest = players[0], list(players[1:])
        if len(players) % 2 and first in self.players.may_get_bye and self.can_be_complete(rest):
            return True
        return any(
            self.players.legal(first, other) and self.can_be_complete([p for p in rest if p != other]) for other in rest
        )

    def all_can_be_paired(self, moved_down: Sequence[int], residents: Sequence[int]) -> bool:
        """Tell whether every MDP can have an opponent of his own among the residents."""
        return any(
            all(self.players.legal(a, b) for a, b in zip(moved_down, partners, strict=True))
            for partners in permutations(residents, len(moved_down))
        )

    def again_above(self, above: Bracket, old: Candidate, bracket: Bracket) -> Candidate | None:
        """Return the other pairing of the previous bracket that rule 5 takes, or None."""
        scores = self.floater_scores(old)

        def accept(candidate: Candidate) -> bool:
            same = self.floater_scores(candidate) == scores
            return same and self.all_can_be_paired(candidate.unpaired, bracket.residents)

        return self.best(above, accept)

    def floater_scores(self, candidate: Candidate) -> list[int]:
        """Return the sorted scores of those whom a candidate leaves unpaired."""
        return sorted(self.players.score[p] for p in candidate.unpaired)

    def pair_upper(self, groups: Sequence[Sequence[int]]) -> tuple[list[Bracket], list[Candidate]]:
        """Pair every bracket but the lowest, from the top (rules 1, 2, 3 and 5)."""
        brackets: list[Bracket] = []
        chosen: list[Candidate] = []
        for residents in groups[:-1]:
            bracket = Bracket(chosen[-1].unpaired if chosen else (), tuple(residents))
            candidate = self.best(bracket)
            assert candidate is not None
            if set(candidate.unpaired) & set(bracket.moved_down):
                other = self.again_above(brackets[-1], chosen[-1], bracket)
                if other is not None:
                    chosen[-1] = other
                    bracket = Bracket(other.unpaired, bracket.residents)
                    candidate = self.best(bracket)
                    assert candidate is not None
            brackets.append(bracket)
            chosen.append(candidate)
        return brackets, chosen

    def pair(self) -> tuple[list[Pair], int | None]:
        """Return all pairs, the higher ranked player first, and the bye (rule 4)."""
        scores = sorted(set(self.players.score.values()), reverse=True)
        groups = [[p for p in self.players.ranked(self.players.score) if self.players.score[p] == s] for s in scores]
        if not groups:
            return [], None
        brackets, chosen = self.pair_upper(groups)
        lowest = list(groups[-1])
        last = self.complete(chosen[-1].unpaired if chosen else (), lowest)
        while last is None:
            if not brackets:
                raise NoPairing
            undone = brackets.pop()
            chosen.pop()
            other = self.undo_penultimate(undone, lowest)
            if other is not None:
                chosen.append(other)
                last = self.complete(other.unpaired, lowest)
            else:
                last = self.complete(undone.everybody, lowest)
                lowest = self.players.ranked([*undone.residents, *lowest])
        pairs = [pair for candidate in [*chosen, last] for pair in candidate.pairs]
        return pairs, last.unpaired[0] if last.unpaired else None

    def undo_penultimate(self, undone: Bracket, lowest: Sequence[int]) -> Candidate | None:
        """Return the pairing of the penultimate bracket that rule 4b takes, or None."""
        return self.best(undone, lambda c: self.can_be_complete([*c.unpaired, *lowest]), at_least=1)

    # ---- colours

    def white_and_black(self, a: int, b: int) -> Pair:
        """Return a pair as (White, Black)."""
        higher, lower = self.players.ranked((a, b))
        colour = self.higher_colour(higher, lower)
        return (higher, lower) if colour == "W" else (lower, higher)

    def higher_colour(self, higher: int, lower: int) -> str:
        """Return the colour of the higher ranked player of a pair."""
        players, position = self.players, self.players.position
        (strength, own), (other_strength, other) = players.preference[higher], players.preference[lower]
        if not own and not other:
            odd = position.numbers[higher] % 2 == 1
            return position.initial_colour if odd else OTHER[position.initial_colour]
        if own != other:
            return own or OTHER[other]
        if strength == other_strength == ABSOLUTE:
            strength, other_strength = abs(players.difference(higher)), abs(players.difference(lower))
        if strength != other_strength:
            return own if strength > other_strength else OTHER[own]
        for mine, theirs in zip(reversed(players.colours[higher]), reversed(players.colours[lower]), strict=False):
            if mine != theirs:
                return theirs
        return own


def pair(event: Event) -> Pairing:
    """Pair the coming round by the rules of `dutch2012`.

    Raises
    ------
    NoPairing
        If no complete pairing of the field exists.
    """
    engine = Engine(event)
    pairs, bye = engine.pair()
    score = engine.players.score

    def board(pair: Pair) -> tuple[int, int, int]:
        higher, lower = engine.players.ranked(pair)
        return -score[higher], -(score[higher] + score[lower]), higher

    return [engine.white_and_black(a, b) for a, b in sorted(pairs, key=board)], bye
