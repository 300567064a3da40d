"""`regulated` (Russian draughts rules 5.3.15), word by word and slowly: median last, floaters equalise colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.reference.event import OTHER, Board, Code, Event, NoPairing, Pairing, colour_legal, legal_colours, may_take
from tests.reference.matching import largest_matching, perfect

Pair = tuple[int, int]

DOWNWARD, UPWARD = "downward", "upward"


@dataclass
class Group:
    """A score group: its residents by number, and the floaters that reached it from above and from below."""

    side: str
    """"above", "median" or "below"."""
    residents: list[int]
    from_above: list[int]
    from_below: list[int]

    @property
    def floaters(self) -> list[int]:
        """Everybody who floated into the group."""
        return self.from_above + self.from_below

    @property
    def direction(self) -> str:
        """Upward below the median, downward in it and above it."""
        return UPWARD if self.side == "below" else DOWNWARD


def pair(event: Event) -> Pairing:
    """Pair the next round.

    Returns
    -------
    tuple
        Boards (white, black) in board order, and the player with the bye or None.

    Raises
    ------
    NoPairing
        If no set of compatible pairs covers the field, whoever gets the bye.
    """
    bye = choose_bye(event) if len(event.field) % 2 else None
    made = Round(event, [p for p in event.field if p != bye]).pair()
    return in_board_order(event, with_colours(event, made)), bye


def compatible(event: Event, a: int, b: int) -> bool:
    """Not met and, except in the last round and for micro-matches, colour-legal."""
    if event.met(a, b):
        return False
    return event.last_round or not event.options.colour_limits or colour_legal(event, a, b)


def due(event: Event, player: int) -> str | None:
    """Return the due colour, None for a player who has not played.

    Whoever may take neither colour (only after rounds that broke the rule) is due a colour as if there were no rule.
    """
    if event.options.colour_limits:
        allowed = [colour for colour in "WB" if may_take(event, player, colour)]
        if len(allowed) == 1:
            return allowed[0]
    played = event.played_colours(player)
    whites, blacks = played.count("W"), played.count("B")
    if whites != blacks:
        return "W" if whites < blacks else "B"
    return OTHER[played[-1]] if played else None


def conflict(event: Event, a: int, b: int) -> bool:
    """Tell whether both are due the same colour."""
    return due(event, a) is not None and due(event, a) == due(event, b)


def choose_bye(event: Event) -> int:
    """Round 1: the largest number in the lowest group who may have it and without whom the others can be paired."""
    for player in sorted(event.field, key=lambda p: (event.score(p), -p)):
        others = [p for p in event.field if p != player]
        if not event.had_point_without_play(player) and perfect(others, lambda a, b: compatible(event, a, b)):
            return player
    raise NoPairing(f"round {event.round}: nobody who may have the bye leaves the others pairable")


class Round:
    """The pairing of one round: the groups in order of pairing, and the pairs made so far on both sides."""

    def __init__(self, event: Event, players: Sequence[int]) -> None:
        self.event = event
        self.score = {p: event.score(p) for p in players}
        median_score = event.worth[Code.WIN] * (event.round - 1) // 2  # a win in half of the rounds already played

        def group(side: str, score: int) -> Group:
            return Group(side, [p for p in players if self.score[p] == score], [], [])

        scores = sorted(set(self.score.values()))
        self.above = [group("above", s) for s in reversed(scores) if s > median_score]
        self.below = [group("below", s) for s in scores if s < median_score]
        self.median = group("median", median_score)
        self.made: dict[str, list[Pair]] = {"above": [], "below": [], "median": []}

    def fits(self, a: int, b: int) -> bool:
        """Tell whether the two are compatible."""
        return compatible(self.event, a, b)

    def pair(self) -> list[tuple[str, Pair]]:
        """Round 2-3: from the top down, then from the bottom up, then the median; each pair with its side."""
        for groups in (self.above, self.below):
            for group, following in zip(groups, [*groups, self.median][1:], strict=True):
                self.float_on(group, following)
                self.made[group.side] += self.pair_group(group)
        self.unblock_median()
        self.made["median"] += self.pair_group(self.median)
        return [(side, pair) for side, pairs in self.made.items() for pair in pairs]

    # ---- A. Who must float on

    def float_on(self, group: Group, following: Group) -> None:
        """A: while not everybody can be paired, one more player floats to the next group."""
        while not perfect(group.floaters + group.residents, self.fits):
            floater = self.next_floater(group, following)
            for players in (group.residents, group.from_above, group.from_below):
                if floater in players:
                    players.remove(floater)
            (following.from_below if group.side == "below" else following.from_above).append(floater)

    def next_floater(self, group: Group, following: Group) -> int:
        """A: the first of the eligible, by the four rules in order of priority."""
        everybody = group.floaters + group.residents
        pairs = largest_matching(everybody, self.fits)
        eligible = [p for p in everybody if largest_matching([q for q in everybody if q != p], self.fits) == pairs]
        surplus = self.surplus_colour(everybody)
        downward = group.direction == DOWNWARD

        def priority(p: int) -> tuple[bool, bool, bool, int, int]:
            return (
                p in group.floaters,  # A 1
                not self.has_suitable_partner(p, group, following),  # A 2
                surplus is not None and due(self.event, p) != surplus,  # A 3
                self.score[p] if downward else -self.score[p],  # A 4; residents all have the same score
                -p if downward else p,
            )

        return min(eligible, key=priority)

    def surplus_colour(self, players: Sequence[int]) -> str | None:
        """A 3: the colour that more players are due; None if both are due equally often."""
        colours = [due(self.event, p) for p in players]
        whites, blacks = colours.count("W"), colours.count("B")
        if whites == blacks:
            return None
        return "W" if whites > blacks else "B"

    def has_suitable_partner(self, player: int, group: Group, following: Group) -> bool:
        """A 2: the floaters ahead of him take their residents out of the next group; is one left for him?"""
        left = list(following.residents)
        for ahead in self.in_order(following):
            taken = self.choose(ahead, left, following.direction)
            if taken is not None:
                left.remove(taken)
        return any(self.fits(player, resident) for resident in left)

    # ---- B and C. Pairing a group

    def in_order(self, group: Group) -> list[int]:
        """B: floaters from above, best-ranked first; then floaters from below, worst-ranked first."""
        return sorted(group.from_above, key=self.rank) + sorted(group.from_below, key=self.rank, reverse=True)

    def rank(self, player: int) -> tuple[int, int]:
        """Best-ranked = higher score, then smaller number."""
        return -self.score[player], player

    def choose(
        self, player: int, others: Sequence[int], direction: str, rest_of: Sequence[int] | None = None
    ) -> int | None:
        """B: the best-ranked (upward the worst-ranked) of the others: compatible, without conflict if possible.

        With `rest_of` he must also leave the rest of these players perfectly matchable.
        """
        return self.first_candidate(player, sorted(others, key=self.rank, reverse=direction == UPWARD), rest_of)

    def first_candidate(self, player: int, candidates: Sequence[int], rest_of: Sequence[int] | None) -> int | None:
        """B, C: the first candidate who is compatible and leaves the rest; without conflict if there is one such."""
        possible = [
            other
            for other in candidates
            if self.fits(player, other)
            and (rest_of is None or perfect([p for p in rest_of if p not in (player, other)], self.fits))
        ]
        for other in possible:
            if not conflict(self.event, player, other):
                return other
        return possible[0] if possible else None

    def pair_group(self, group: Group) -> list[Pair]:
        """B, then C: everybody in the group gets a partner; the pairs in the order in which they are made."""
        pairs: list[Pair] = []
        residents = list(group.residents)
        floaters = self.in_order(group)
        while floaters:  # B
            floater = floaters.pop(0)
            left = [floater, *floaters, *residents]
            other = self.choose(floater, residents, group.direction, left)
            if other is not None:
                residents.remove(other)
            else:  # only in the median: another floater, from either side
                other = self.choose(floater, floaters, group.direction, left)
                assert group.side == "median", "floaters who arrive together are never compatible"
                assert other is not None, "the group was perfectly matchable"
                floaters.remove(other)
            pairs.append((floater, other))
        while residents:  # C
            pairs.append(self.pair_resident(residents, group.direction))
            residents = [p for p in residents if p not in pairs[-1]]
        return pairs

    def pair_resident(self, residents: list[int], direction: str) -> Pair:
        """C: the first of the upper half (upward: the last of the lower half) and his first possible candidate."""
        order = sorted(residents)
        half = len(order) // 2
        upper, lower = order[:half], order[half:]
        if direction == DOWNWARD:
            player, candidates = upper[0], lower + upper[:0:-1]
        else:
            player, candidates = lower[-1], upper[::-1] + lower[:-1]
        other = self.first_candidate(player, candidates, order)
        assert other is not None, "the residents were perfectly matchable"
        return player, other

    # ---- D. Blocked median

    def unblock_median(self) -> None:
        """D: break up pairs, the most recently made first, until everybody in the median can be paired."""
        median = self.median
        while not perfect(median.floaters + median.residents, self.fits):
            more_above = len(median.from_above) > len(median.from_below)
            sides = ("below", "above") if more_above else ("above", "below")
            side = next((side for side in sides if self.made[side]), None)
            if side is None:
                raise NoPairing(f"round {self.event.round}: the players cannot be paired")
            (median.from_above if side == "above" else median.from_below).extend(self.made[side].pop())


def with_colours(event: Event, made: list[tuple[str, Pair]]) -> list[Board]:
    """Give the colours, to pairs that know the side on which they were made."""
    if event.round == 1:  # colours 1
        boards = []
        for k, (small, large) in enumerate(sorted((min(pair), max(pair)) for _, pair in made), start=1):
            boards.append((small, large) if drawn_colour(event, k) == "W" else (large, small))
        return boards
    return [coloured(event, side, min(pair), max(pair)) for side, pair in made]


def drawn_colour(event: Event, number: int) -> str:
    """Colours 1 and 6: the drawn colour for an odd number, the other for an even one."""
    drawn = event.options.initial_colour
    return drawn if number % 2 else OTHER[drawn]


def coloured(event: Event, side: str, small: int, large: int) -> Board:
    """Colours 2-6 for one pair."""
    if event.options.colour_limits:  # colours 2, in the last round too
        legal = [board for board in ((small, large), (large, small)) if legal_colours(event, *board)]
        if len(legal) == 1:
            return legal[0]
    due_small, due_large = due(event, small), due(event, large)
    if due_small is None and due_large is None:  # colours 6
        colour = drawn_colour(event, small)
    elif due_small is None or due_small != due_large:  # colours 3
        colour = due_small or OTHER[due_large or ""]
    else:
        colour = both_due(event, side, small, large, due_small)
    return (small, large) if colour == "W" else (large, small)


def both_due(event: Event, side: str, small: int, large: int, colour: str) -> str:
    """Colours 4-5: the colour of the smaller number when both are due the same colour."""
    mine, yours = event.played_colours(small), event.played_colours(large)
    difference = {played: abs(played.count("W") - played.count("B")) for played in (mine, yours)}
    if difference[mine] != difference[yours]:  # colours 4
        return colour if difference[mine] > difference[yours] else OTHER[colour]
    # a list that ends first makes the histories identical, so the shorter one decides how far one looks back
    for my_colour, your_colour in zip(reversed(mine), reversed(yours), strict=False):
        if my_colour != your_colour:
            return OTHER[my_colour]
    return OTHER[colour] if side == "below" else colour  # colours 5


def in_board_order(event: Event, boards: list[Board]) -> list[Board]:
    """Board order: score of the higher ranked player, then the sum of both scores, then his number."""

    def key(board: Board) -> tuple[int, int, int]:
        higher = min(board, key=lambda p: (-event.score(p), p))
        return -event.score(higher), -sum(event.score(p) for p in board), higher

    return sorted(boards, key=key)
