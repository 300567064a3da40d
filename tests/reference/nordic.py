"""`nordic` (Nordisk Schweizer), word by word and slowly: article numbers are those of the rule page's source."""

from itertools import combinations

from tests.reference.event import Board, Code, Event, NoPairing, Pairing
from tests.reference.matching import perfect

Pair = tuple[int, int]
"""(upper-half member, lower-half member)"""

GREAT_DIFFERENCE = 200
"""An unfinished game of players further apart than this counts as a win and a draw (2.1)."""


def pairing_score(event: Event, player: int) -> int:
    """2.1: an unfinished game counts as a win, but as a draw for a player rated more than 200 lower.

    Virtual points, which the source does not know, count as they do in every pairing score.
    """
    total = event.points(player) + (event.virtual[player - 1] if event.virtual else 0)
    for entry in event.entries(player):
        if entry.code == Code.POSTPONED and entry.opponent is not None:
            lower_by = event.ratings[entry.opponent - 1] - event.ratings[player - 1]
            total += event.worth[Code.DRAW if lower_by > GREAT_DIFFERENCE else Code.WIN]
    return total


def colours(event: Event, player: int) -> str:
    """4: the colour history, where a round against X counts as White."""
    return "".join("W" if entry.code == Code.PAIRING_BYE else entry.played_colour for entry in event.entries(player))


def pair(event: Event) -> Pairing:
    """Pair the next round.

    Returns
    -------
    tuple
        Boards (white, black) in board order, and the opponent of X or None.

    Raises
    ------
    NoPairing
        If the players who have not met cannot be paired up.
    """
    return Round(event).pair()


class Round:
    """The pairing of one round: the groups as they stand, and the pairs made so far, group by group."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.x = len(event.ratings) + 1
        players = event.field
        if len(players) % 2:
            players = [*players, self.x]  # 4: X joins an odd field, last in the order, score 0
        self.all = players
        self.score = {p: 0 if p == self.x else pairing_score(event, p) for p in players}
        # 2.2: groups by pairing score, ordered inside by number, from the top down
        self.unpaired = [
            [p for p in players if self.score[p] == score] for score in sorted(set(self.score.values()), reverse=True)
        ]
        self.made: list[list[Pair]] = []

    def met(self, a: int, b: int) -> bool:
        """Tell whether the two have met; X has met everybody who had the bye (4)."""
        if self.x in (a, b):
            return any(entry.code == Code.PAIRING_BYE for entry in self.event.entries(min(a, b)))
        return self.event.met(a, b)

    def unmet(self, a: int, b: int) -> bool:
        """Tell whether the two have not met yet."""
        return not self.met(a, b)

    def pair(self) -> Pairing:
        """Pair the groups from the top down and give the colours."""
        while any(self.unpaired):
            pairs = self.pair_next_group()
            while pairs is None:  # 2.8, parenthesis: no lower group is left
                pairs = self.merge_with_higher_group()
            self.made.append(pairs)
        boards = []
        bye = None
        for upper, lower in (pair for pairs in self.made for pair in pairs):
            if self.x in (upper, lower):
                bye = min(upper, lower)
            else:
                boards.append(self.with_colours(upper, lower))
        return boards, bye

    def pair_next_group(self) -> list[Pair] | None:
        """Pair the highest group that has unpaired players; None if the groups below it don't help."""
        self.unpaired = [group for group in self.unpaired if group]
        group = self.unpaired.pop(0)
        if len(group) == 1:
            return self.pair_single_player(group[0])
        if len(group) % 2:
            return self.pair_odd_group(group)
        pairs = self.procedure_e(group, [])
        return self.move_up_two(group, []) if pairs is None else pairs

    def pair_single_player(self, player: int) -> list[Pair] | None:
        """2.5: he meets the strongest player of the next lower group whom he has not met, else of the group after."""
        for group in self.unpaired:
            for other in group:
                if self.unmet(player, other):
                    group.remove(other)
                    return [(player, other)]
        return None

    def pair_odd_group(self, group: list[int]) -> list[Pair] | None:
        """2.7: the strongest player of the next lower group who makes procedure E possible is moved up."""
        lower = self.unpaired[0]
        for other in lower:
            pairs = self.procedure_e(group, [other])
            if pairs is not None:
                lower.remove(other)
                return pairs
        strongest = lower.pop(0)
        return self.move_up_two(group, [strongest])

    def move_up_two(self, own: list[int], moved: list[int]) -> list[Pair] | None:
        """2.8: move up two players of the next lower group, as often as needed."""
        while any(self.unpaired):
            self.unpaired = [group for group in self.unpaired if group]
            candidates = self.candidates_for_two()
            for two in candidates:
                pairs = self.procedure_e(*self.with_moved_up(own, moved, two))
                if pairs is not None:
                    break
            else:
                two = candidates[0]  # the two strongest, unconditionally
                pairs = None
            own, moved = self.with_moved_up(own, moved, two)
            self.unpaired = [[p for p in group if p not in two] for group in self.unpaired]
            if pairs is not None:
                return pairs
        return None

    def candidates_for_two(self) -> list[Pair]:
        """2.8: pairs of players to move up, in lexicographic order; a lone player brings one of the group after."""
        lower = self.unpaired[0]
        if len(lower) == 1:
            return [(lower[0], other) for other in self.unpaired[1]]
        return list(combinations(lower, 2))

    def with_moved_up(self, own: list[int], moved: list[int], new: Pair) -> tuple[list[int], list[int]]:
        """2.8, comment (*): only those of the lowest score among the moved up count as moved up."""
        everybody = [*moved, *new]
        lowest = min(self.score[p] for p in everybody)
        ordinary = [p for p in everybody if self.score[p] > lowest]
        return sorted(own + ordinary), sorted(p for p in everybody if self.score[p] == lowest)

    def merge_with_higher_group(self) -> list[Pair] | None:
        """2.8, parenthesis: undo the pairs of the next higher group; all players concerned are one group.

        Where the page is silent: a group all of whose players were moved up made no pairs and is passed over; a top
        group that took in everybody by 2.7-2.8 is not ordered anew by number for another try, the last resort follows.
        """
        if not self.made:
            return self.last_resort()
        self.made.pop()
        self.unpaired = []
        paired_above = {p for pairs in self.made for pair in pairs for p in pair}
        return self.procedure_e([p for p in self.all if p not in paired_above], [])

    def last_resort(self) -> list[Pair]:
        """Everything merged and still impossible: the first player takes the first partner who leaves the rest."""
        left = self.all
        pairs = []
        while left:
            first, others = left[0], left[1:]
            for other in others:
                rest = [p for p in others if p != other]
                if self.unmet(first, other) and perfect(rest, self.unmet):
                    break
            else:
                raise NoPairing(f"round {self.event.round}: not everybody can meet a new opponent")
            pairs.append((first, other))
            left = rest
        return pairs

    def procedure_e(self, own: list[int], moved: list[int]) -> list[Pair] | None:
        """2.6: halves, first complete assignment, exchanges; None if impossible. Both lists are in order of number."""
        order = own + moved
        half = len(order) // 2
        upper, lower = order[:half], order[half:]  # a-b
        pairs = self.first_assignment(upper, lower)  # c-e
        if pairs is not None:
            return pairs
        for k in range(1, half + 1):  # f-g: the k weakest of the upper half against k of the lower half
            for subset in combinations(lower, k):
                new_upper = [p for p in order if p in upper[: half - k] or p in subset]
                new_lower = [p for p in order if p not in new_upper]
                pairs = self.first_assignment(new_upper, new_lower)
                if pairs is not None:
                    return pairs
        return None

    def first_assignment(self, upper: list[int], lower: list[int]) -> list[Pair] | None:
        """2.6 c-e: each upper player takes the first free lower player whom he has not met; dead ends are undone."""
        if not upper:
            return []
        first = upper[0]
        for other in lower:
            if self.unmet(first, other):
                rest = self.first_assignment(upper[1:], [p for p in lower if p != other])
                if rest is not None:
                    return [(first, other), *rest]
        return None

    def with_colours(self, upper: int, lower: int) -> Board:
        """3: White to the player with fewer whites; equal: the upper-half member in even rounds."""
        whites = {p: colours(self.event, p).count("W") for p in (upper, lower)}
        if whites[upper] == whites[lower]:
            return (upper, lower) if self.event.round % 2 == 0 else (lower, upper)
        return (upper, lower) if whites[upper] < whites[lower] else (lower, upper)
