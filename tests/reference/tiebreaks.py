"""Literal twin of `swisssim.tiebreaks`: one tournament, plain Python, fractions, no arrays."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

ABSENT, WIN, DRAW, LOSS, FORFEIT_WIN, FORFEIT_LOSS, PAIRING_BYE, FULL_BYE, HALF_BYE, ZERO_BYE, POSTPONED = range(11)
VOLUNTARY = {ABSENT, FORFEIT_LOSS, HALF_BYE, ZERO_BYE}


class Event:
    """One tournament as it stood after round `upto`."""

    def __init__(self, block, t: int, upto: int | None = None) -> None:
        self.upto = block.opponent.shape[1] if upto is None else upto
        self.players = range(block.opponent.shape[2])
        self.worth = {code: Fraction(int(block.worth[code]), 10) for code in range(11)}
        self.opponent = block.opponent[t].tolist()
        self.colour = block.colour[t].tolist()
        self.rating = block.rating[t if len(block.rating) > 1 else 0].tolist()
        known = block.arrived[t] <= self.upto
        self.result = [
            [int(code) if known[r, i] else POSTPONED for i, code in enumerate(row)]
            for r, row in enumerate(block.result[t])
        ]

    def rounds(self, i: int) -> list[tuple[int, int]]:
        """Return (code, opponent) of each round that counts, the opponent -1 in a round without a game."""
        found = []
        for r in range(self.upto):
            code = self.result[r][i]
            played = code in (WIN, DRAW, LOSS, POSTPONED) and self.opponent[r][i] >= 0
            found.append((code, self.opponent[r][i] if played else -1))
        return found

    def points(self, i: int) -> Fraction:
        return sum((self.worth[code] for code, _ in self.rounds(i)), Fraction(0))

    def adjusted(self, i: int) -> Fraction:
        rounds = self.rounds(i)
        others = [r for r, (code, _) in enumerate(rounds) if code not in VOLUNTARY]
        last = max(others, default=-1)
        return sum((self.worth[code if r <= last else DRAW] for r, (code, _) in enumerate(rounds)), Fraction(0))

    def contributions(self, i: int) -> list[tuple[bool, Fraction, Fraction]]:
        """Return, round by round: was it voluntarily unplayed, the score that counts, the points made."""
        return [
            (j < 0 and code in VOLUNTARY, self.adjusted(j) if j >= 0 else self.points(i), self.worth[code])
            for code, j in self.rounds(i)
        ]

    def buchholz(self, i: int, low: int = 0, high: int = 0) -> Fraction:
        left = sorted((not voluntary, score) for voluntary, score, _ in self.contributions(i))[low:]
        scores = sorted(score for _, score in left)
        return sum(scores[: max(len(scores) - high, 0)], Fraction(0))

    def sonneborn_berger(self, i: int) -> Fraction:
        return sum((score * made for _, score, made in self.contributions(i)), Fraction(0))

    def progressive(self, i: int) -> Fraction:
        made = [self.worth[code] for code, _ in self.rounds(i)]
        return sum((sum(made[: k + 1], Fraction(0)) for k in range(len(made))), Fraction(0))

    def wins(self, i: int) -> int:
        return sum(self.worth[code] == self.worth[WIN] for code, _ in self.rounds(i))

    def wins_played(self, i: int) -> int:
        return sum(code == WIN for code, _ in self.rounds(i))

    def blacks(self, i: int) -> int:
        return sum(self.result[r][i] in (WIN, DRAW, LOSS) and self.colour[r][i] < 0 for r in range(self.upto))

    def games(self, i: int) -> list[tuple[int, Fraction]]:
        """Return opponent and share of the point of each game over the board."""
        share = {WIN: Fraction(1), DRAW: Fraction(1, 2), LOSS: Fraction(0)}
        return [(j, share[code]) for code, j in self.rounds(i) if j >= 0 and code in share]

    def value(self, name: str, i: int) -> Fraction | int:
        plain = {
            "BH": lambda: self.buchholz(i), "BH-C1": lambda: self.buchholz(i, 1), "BH-C2": lambda: self.buchholz(i, 2),
            "BH-M": lambda: self.buchholz(i, 1, 1), "SB": lambda: self.sonneborn_berger(i),
            "PS": lambda: self.progressive(i),
            "WIN": lambda: self.wins(i), "WON": lambda: self.wins_played(i), "BPG": lambda: self.blacks(i),
        }  # fmt: skip
        return plain[name]()

    def against(self, i: int, group: list[int]) -> tuple[Fraction, int]:
        """Return the points of i against a group (repeated games averaged) and how many of it he has met."""
        made: dict[int, list[Fraction]] = {}
        for r in range(self.upto):
            if self.result[r][i] in (WIN, DRAW, LOSS) and self.opponent[r][i] in group:
                made.setdefault(self.opponent[r][i], []).append(self.worth[self.result[r][i]])
        return sum((sum(games, Fraction(0)) / len(games) for games in made.values()), Fraction(0)), len(made)

    def encounter(self, group: list[int]) -> list[list[int]]:
        """Return a group of level players parted into subgroups by direct encounter, the best first."""
        if len(group) == 1:
            return [group]
        made = {i: self.against(i, group) for i in group}
        if all(met == len(group) - 1 for _, met in made.values()):
            ordered = sorted(group, key=lambda i: -made[i][0])
            parts = [list(part) for _, part in groupby(ordered, key=lambda i: made[i][0])]
            return parts if len(parts) == 1 else [piece for part in parts for piece in self.encounter(part)]
        best = {i: points + (len(group) - 1 - met) * self.worth[WIN] for i, (points, met) in made.items()}
        leader = max(group, key=lambda i: made[i][0])
        rest = [i for i in group if i != leader]
        if all(made[leader][0] > best[i] for i in rest):
            heads, tail = [[leader]], rest
            while len(tail) > 1:
                leader = max(tail, key=lambda i: made[i][0])
                rest = [i for i in tail if i != leader]
                if not all(made[leader][0] > best[i] for i in rest):
                    break
                heads.append([leader])
                tail = rest
            return heads + self.encounter(tail)
        return [group]

    def ranking(self, order: tuple[str, ...]) -> list[int]:
        """Return the rank of each player, shared by those who are level."""
        groups = [list(self.players)]
        for name in ("points", *order):
            parted = []
            for group in groups:
                if name == "DE":
                    parted += self.encounter(group)
                    continue
                value = self.points if name == "points" else lambda i, name=name: self.value(name, i)
                ordered = sorted(group, key=lambda i, value=value: -value(i))
                parted += [list(part) for _, part in groupby(ordered, key=value)]
            groups = parted
        rank, ranks = 1, [0] * len(self.players)
        for group in groups:
            for i in group:
                ranks[i] = rank
            rank += len(group)
        return ranks
