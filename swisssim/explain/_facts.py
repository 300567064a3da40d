"""What a pairing rests on: scores, colours, meetings, the pairs that the rules allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swisssim._core import PairingSystem, legal_pairs
from swisssim._matching.lists import maximum_matching
from swisssim._state import State
from swisssim.codes import Code
from swisssim.explain._steps import COLOUR, HAD_BYE, MET, REST, WORDS
from swisssim.history import History

_GAMES = (Code.WIN, Code.DRAW, Code.LOSS, Code.POSTPONED)
_BYES = {
    Code.PAIRING_BYE: "bye",
    Code.FULL_BYE: "full-point bye",
    Code.HALF_BYE: "half-point bye",
    Code.FORFEIT_WIN: "forfeit win",
}
_COLOURS = {1: "W", -1: "B", 0: "-"}
# Above these sizes counting pairings, or testing every opponent, takes longer than an arbiter should wait.
MOST_COUNTED = 16
MOST_TESTED = 64


@dataclass(frozen=True)
class PlayerFacts:
    """What counts for a player before the round.

    Attributes
    ----------
    player : int
        His number.
    name : str
        His name, perhaps empty.
    score : float
        His pairing score, with virtual points and what counts for postponed games.
    colours : str
        One letter for each round: ``W``, ``B``, or ``-`` where no game counts.
    met : tuple of int
        Whom he has met, in the order of the rounds.
    byes : tuple of str
        Points without play, such as ``round 2: bye``.
    """

    player: int
    name: str
    score: float
    colours: str
    met: tuple[int, ...]
    byes: tuple[str, ...]

    def __str__(self) -> str:
        name = f" {self.name}" if self.name else ""
        met = f"met {', '.join(map(str, self.met))}" if self.met else "met nobody"
        parts = [f"{self.score:g} points", f"colours {self.colours}" if self.colours else "", met, *self.byes]
        return f"{self.player}{name}: {', '.join(part for part in parts if part)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain data for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


@dataclass(frozen=True)
class Opponent:
    """Whether a player could be paired with somebody in this round, and if not, why."""

    player: int
    possible: bool
    reason: str = ""


class Position:
    """A round that was paired with a trace: who is in the field, and what everybody brings.

    Parameters
    ----------
    state : State
        The block of one tournament, after `pair_one`.
    history : History
        Its rounds before this one.
    system : PairingSystem
        The system.
    numbers : sequence of int
        The number of each player of the block.
    names : dict of int to str
        Names by number.
    round, rounds : int
        The round, and how many there are.
    paired : bool
        Whether a pairing was found; without one the pairing scores are the points.
    bye : int or None
        Who has the pairing-allocated bye.
    """

    def __init__(
        self,
        state: State,
        history: History,
        system: PairingSystem,
        *,
        numbers: Sequence[int],
        names: dict[int, str],
        round: int,
        rounds: int,
        paired: bool,
        bye: int | None,
    ) -> None:
        self.state, self.history, self.system = state, history, system
        self.numbers, self.names = numbers, names
        self.round, self.rounds = round, rounds
        self.bye = bye
        self.field, self.allowed, self.may_have_bye = legal_pairs(state, system)
        self.place = {number: k for k, number in enumerate(numbers)}
        self.row = {player: k for k, player in enumerate(self.field)}
        self.met = state.met_matrix()
        self.scores: NDArray[Any] = state.scores[0, round - 1] if paired else state.points[0]

    def number(self, player: int) -> int:
        """Return the number of a player of the block; 0 for player X."""
        return self.numbers[player] if player < len(self.numbers) else 0

    def score(self, number: int) -> float:
        """Return the pairing score of a player, in points."""
        return int(self.scores[self.place[number]]) / 10

    @cached_property
    def ranked(self) -> list[int]:
        """The numbers of the field in the order of the pairing list."""
        return [self.number(player) for player in self.field]

    @cached_property
    def seated(self) -> dict[int, int]:
        """The place of everybody in `ranked` but the player with the bye, from 0, in that order."""
        return {number: k for k, number in enumerate(n for n in self.ranked if n != self.bye)}

    @cached_property
    def groups(self) -> list[tuple[float, list[int]]]:
        """Score groups of the field from the top: pairing score and numbers in the order of the pairing list."""
        found: list[tuple[float, list[int]]] = []
        for player in self.field:
            score = self.score(self.number(player))
            if not found or found[-1][0] != score:
                found.append((score, []))
            found[-1][1].append(self.number(player))
        return found

    def facts(self, number: int) -> PlayerFacts:
        """Return what counts for a player."""
        k = self.place[number]
        past = range(self.round - 1)
        codes = [Code(int(self.history["result"][0, r, k])) for r in past]
        sides = [int(self.history["colour"][0, r, k]) for r in past]
        games = [code in _GAMES for code in codes]
        return PlayerFacts(
            number,
            self.names.get(number, ""),
            self.score(number),
            "".join(_COLOURS[side if game else 0] for side, game in zip(sides, games, strict=True)),
            tuple(self.number(int(self.history["opponent"][0, r, k])) for r in past if games[r]),
            tuple(f"round {r + 1}: {_BYES[code]}" for r, code in enumerate(codes) if code in _BYES),
        )

    # ------------------------------------------------------------------ why not

    def why(self, player: int, candidate: int, reason: int) -> str:
        """Return the words for a refusal of the trace, with the facts behind it."""
        if reason == MET and candidate >= 0:
            return self._why_met(player, candidate)
        if reason == COLOUR and candidate >= 0:
            return self._why_colours(player, candidate)
        if reason == HAD_BYE:
            return "; ".join(self.facts(self.number(player)).byes) or WORDS[HAD_BYE]
        return WORDS.get(reason, f"reason {reason}")

    def _why_met(self, i: int, j: int) -> str:
        if max(i, j) >= len(self.numbers):
            other = self.facts(self.number(min(i, j))).byes
            return f"has met X ({'; '.join(other)})" if other else "has met X"
        opponents = self.history["opponent"][0, : self.round - 1, i]
        rounds = [str(r + 1) for r in np.flatnonzero(opponents == j)]
        if not rounds:
            return "must not meet"
        return f"met in round {', '.join(rounds)}"

    def _why_colours(self, i: int, j: int) -> str:
        one, two = (self.facts(self.number(p)).colours for p in (i, j))
        return f"colours: {one or 'none'} and {two or 'none'}"

    # ------------------------------------------------------------------ what else

    @cached_property
    def _graph(self) -> NDArray[np.bool_]:
        """The pairs that the rules allow; in an odd field the bye is one more vertex."""
        if len(self.field) % 2 == 0:
            return self.allowed
        column = self.may_have_bye[:, None]
        return np.block([[self.allowed, column], [column.T, np.zeros((1, 1), bool)]])

    def count_pairings(self, *, colours: bool = True) -> int | None:
        """Return how many complete pairings the rules allow; None if the field is too large to count.

        Parameters
        ----------
        colours : bool
            False: count as if only meetings and byes barred a pair.
        """
        graph = self._graph
        if len(graph) > MOST_COUNTED:
            return None
        if not colours:
            graph = graph.copy()
            n = len(self.field)
            graph[:n, :n] = ~self.met[np.ix_(self.field, self.field)]
            np.fill_diagonal(graph, val=False)
        rows = [sum(1 << int(j) for j in np.flatnonzero(row)) for row in graph]
        return _count(rows, (1 << len(rows)) - 1, {0: 1})

    def opponents(self, number: int) -> list[Opponent]:
        """Return for everybody else in the field, in the order of the pairing list, whether the player could meet him."""
        me = self.row[self.place[number]]
        return [self._opponent(me, k, self.number(player)) for k, player in enumerate(self.field) if k != me]

    def _opponent(self, me: int, other: int, number: int) -> Opponent:
        i, j = self.field[me], self.field[other]
        if not self.allowed[me, other]:
            # what the system itself would say: a meeting bars before colours do
            barred = bool((self.history["opponent"][0, : self.round - 1, i] == j).any()) and bool(self.met[i, j])
            reason = self._why_met(i, j) if barred or self.met[i, j] else self._why_colours(i, j)
            return Opponent(number, possible=False, reason=reason)
        if len(self.field) <= MOST_TESTED and not self._rest_can_be_paired(me, other):
            return Opponent(number, possible=False, reason=WORDS[REST])
        return Opponent(number, possible=True)

    def _rest_can_be_paired(self, a: int, b: int) -> bool:
        keep = np.ones(len(self._graph), bool)
        keep[[a, b]] = False
        rest = self._graph[np.ix_(keep, keep)]
        edges = [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(rest)), strict=True)]
        return all(mate >= 0 for mate in maximum_matching(len(rest), edges))


def _count(rows: list[int], left: int, known: dict[int, int]) -> int:
    """Count the perfect matchings among the vertices of a bit set."""
    if left not in known:
        first = left & -left
        rest = left ^ first
        options = rows[first.bit_length() - 1] & rest
        total = 0
        while options:
            other = options & -options
            options ^= other
            total += _count(rows, rest ^ other, known)
        known[left] = total
    return known[left]
