"""The position before a round, as both slow Dutch twins read it, and readers for the golden files.

Nothing here touches the product: the twins are an oracle only as long as they share no code with what they judge.
Players carry their file numbers 1..n, scores are tenths of a point, colours are `"W"`, `"B"` or `""`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any


class Code(IntEnum):
    """What one round was for one player, from his own view."""

    ABSENT = 0
    WIN = 1
    DRAW = 2
    LOSS = 3
    FORFEIT_WIN = 4
    FORFEIT_LOSS = 5
    PAIRING_BYE = 6
    FULL_BYE = 7
    HALF_BYE = 8
    ZERO_BYE = 9
    POSTPONED = 10


# Points in tenths for each code; a postponed game is a draw for the pairing.
WORTH = (0, 10, 5, 0, 10, 0, 10, 10, 5, 0, 5)

GAMES = frozenset({Code.WIN, Code.DRAW, Code.LOSS, Code.POSTPONED})
FORFEITS = frozenset({Code.FORFEIT_WIN, Code.FORFEIT_LOSS})
TAKEN_PART = GAMES | FORFEITS | {Code.PAIRING_BYE}
OTHER = {"W": "B", "B": "W"}


class NoPairing(Exception):
    """No complete pairing of the field exists."""


@dataclass(frozen=True)
class Record:
    """One player's line for one earlier round."""

    code: Code
    opponent: int = 0
    colour: str = ""
    points: int = 0

    @property
    def played(self) -> bool:
        """Tell whether the round counts as a game over the board (a postponed one does)."""
        return self.code in GAMES


@dataclass(frozen=True)
class Pairing:
    """The answer: boards as (White, Black) in board order, and the player with the bye, or None."""

    boards: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True)
class Position:
    """Everything that the pairing of the coming round may know.

    Attributes
    ----------
    histories
        For each player, in file order, one record per earlier round.
    field
        The file numbers to be paired now.
    rounds
        Announced number of rounds.
    initial_colour
        The drawn colour, "W" or "B".
    worth
        Points in tenths for each `Code`.
    virtual
        For each player the virtual points of round 1, 2, ... in tenths; what is missing is 0.
    forbidden
        Pairs that must not meet in the coming round.
    forfeits_count_as_met
        Whether a forfeited game is a meeting.
    past_scores
        Pairing scores as they stood before round 1, 2, ..., where postponed games make them differ from today's sums.
    """

    histories: tuple[tuple[Record, ...], ...]
    field: frozenset[int]
    rounds: int
    initial_colour: str = "W"
    worth: tuple[int, ...] = WORTH
    virtual: tuple[tuple[int, ...], ...] = ()
    forbidden: frozenset[frozenset[int]] = frozenset()
    forfeits_count_as_met: bool = False
    past_scores: tuple[tuple[int, ...], ...] = ()

    @property
    def done(self) -> int:
        """Number of rounds already done."""
        return len(self.histories[0]) if self.histories else 0

    def history(self, player: int) -> tuple[Record, ...]:
        """Return the records of a player, round 1 first."""
        return self.histories[player - 1]

    def record(self, player: int, round: int) -> Record:
        """Return the record of a player in a round, absent before round 1."""
        return self.history(player)[round - 1] if round >= 1 else Record(Code.ABSENT)

    def virtual_points(self, player: int, round: int) -> int:
        """Return the virtual points that are valid when a round is paired."""
        row = self.virtual[player - 1] if self.virtual else ()
        return row[round - 1] if round <= len(row) else 0

    def points(self, player: int, rounds: int | None = None) -> int:
        """Return the points of a player from the first rounds (all of them unless told otherwise)."""
        return sum(record.points for record in self.history(player)[:rounds])

    def score(self, player: int, round: int | None = None) -> int:
        """Return the pairing score of a player before a round (the coming one unless told otherwise)."""
        coming = self.done + 1
        round = coming if round is None else round
        if round < coming and self.past_scores:
            return self.past_scores[round - 1][player - 1]
        return self.points(player, round - 1) + self.virtual_points(player, round)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Running numbers of those who are, or have been, in the field of a round (`dutch` 2.1)."""
        known = [
            player
            for player in range(1, len(self.histories) + 1)
            if player in self.field or any(record.code in TAKEN_PART for record in self.history(player))
        ]
        return {player: number for number, player in enumerate(known, 1)}

    def ranked(self, players: Iterable[int]) -> list[int]:
        """Return players by rank: higher pairing score first, then the smaller number."""
        return sorted(players, key=lambda player: (-self.score(player), player))

    def colours(self, player: int) -> str:
        """Return the colours of the games that count, in order, as a word of W and B."""
        return "".join(record.colour for record in self.history(player) if record.played)

    def met(self, a: int, b: int) -> bool:
        """Tell whether two players have met."""
        counting = GAMES | FORFEITS if self.forfeits_count_as_met else GAMES
        return any(record.opponent == b and record.code in counting for record in self.history(a))

    def may_meet(self, a: int, b: int) -> bool:
        """Tell whether two players have neither met nor are forbidden to meet in the coming round."""
        return not self.met(a, b) and frozenset((a, b)) not in self.forbidden


# ---- TRF files of the `dutch` system


@dataclass
class Trf:
    """What the golden TRF files say, column by column.

    Attributes
    ----------
    entries
        File number to the entries (opponent, colour letter, result letter) of round 1, 2, ...
    forbidden
        (first round, last round, players) of each 260 line.
    """

    entries: dict[int, list[tuple[int, str, str]]] = field(default_factory=dict)
    rounds: int = 0
    initial_colour: str = "W"
    worth: dict[str, int] = field(default_factory=dict)
    virtual: dict[int, dict[int, int]] = field(default_factory=dict)
    forbidden: list[tuple[int, int, list[int]]] = field(default_factory=list)

    @property
    def rounds_present(self) -> int:
        """Number of rounds that have a column."""
        return max(len(row) for row in self.entries.values())


def tenths(text: str) -> int:
    """Return a number of points, such as `0.5`, in tenths."""
    return round(float(text) * 10)


def read_trf(path: Path) -> Trf:
    """Read a golden TRF file (001, 142, 152, 162, 250, 260; anything else is not needed)."""
    trf = Trf()
    points: dict[str, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind = line[:3]
        if kind == "001":
            cells = [line[at : at + 8].ljust(8) for at in range(91, len(line.rstrip()), 10)]
            trf.entries[int(line[4:8])] = [(int(c[:4].strip() or 0), c[5], c[7].strip() or "Z") for c in cells]
        elif kind == "142":
            trf.rounds = int(line[3:])
        elif kind == "152":
            trf.initial_colour = line[3:].strip()
        elif kind == "162":
            words = line[3:].split()
            points.update(zip(words[::2], map(tenths, words[1::2]), strict=True))
        elif kind == "250":
            for player in range(int(line[22:26]), int(line[27:31]) + 1):
                for number in range(int(line[14:17]), int(line[18:21]) + 1):
                    trf.virtual.setdefault(player, {})[number] = tenths(line[9:13])
        elif kind == "260":
            trf.forbidden.append((int(line[4:7]), int(line[8:11]), [int(word) for word in line[11:].split()]))
    trf.worth = scoring(points)
    return trf


def scoring(points: Mapping[str, int]) -> dict[str, int]:
    """Return the worth in tenths of W D L Z F P, filling what a 162 line leaves out."""
    worth = {"W": 10, "D": 5, "L": 0, "Z": 0, "F": 0} | {"Z" if key == "A" else key: n for key, n in points.items()}
    worth.setdefault("P", worth["W"])
    return worth


RESULT_LETTERS = {
    "1": (Code.WIN, "W"), "W": (Code.WIN, "W"), "=": (Code.DRAW, "D"), "D": (Code.DRAW, "D"),
    "0": (Code.LOSS, "L"), "L": (Code.LOSS, "L"), "+": (Code.FORFEIT_WIN, "W"), "-": (Code.FORFEIT_LOSS, "F"),
}  # fmt: skip
BYE_LETTERS = {
    "U": (Code.PAIRING_BYE, "P"), "+": (Code.PAIRING_BYE, "P"), "F": (Code.FULL_BYE, "W"),
    "H": (Code.HALF_BYE, "D"), "=": (Code.HALF_BYE, "D"), "Z": (Code.ZERO_BYE, "Z"), "-": (Code.ZERO_BYE, "Z"),
}  # fmt: skip


CODE_SYMBOLS = "ZWDLWFPWDZD"


def trf_record(entry: tuple[int, str, str], worth: Mapping[str, int]) -> Record:
    """Turn one entry of a TRF into a record."""
    opponent, colour, letter = entry
    code, symbol = (RESULT_LETTERS if opponent else BYE_LETTERS)[letter]
    return Record(code, opponent, {"w": "W", "b": "B"}.get(colour, ""), worth[symbol])


def trf_position(trf: Trf, round: int, everybody: bool = False) -> Position:
    """Return the position before a round of a TRF.

    In the field are those whose entry in that round has an opponent or is a pairing-allocated bye; with `everybody`
    all players are (for the round after the last one present).
    """
    records = {
        player: tuple(trf_record(entry, trf.worth) for entry in row[: round - 1]) for player, row in trf.entries.items()
    }
    present = {
        player for player, row in trf.entries.items() if everybody or row[round - 1][0] or row[round - 1][2] in "U+"
    }
    count = max(records)
    forbidden = {
        frozenset((a, b))
        for first, last, players in trf.forbidden
        if first <= round <= last
        for a in players
        for b in players
        if a != b
    }
    return Position(
        histories=tuple(records[player] for player in range(1, count + 1)),
        field=frozenset(present),
        rounds=trf.rounds,
        initial_colour=trf.initial_colour,
        worth=tuple(trf.worth[symbol] for symbol in CODE_SYMBOLS),
        virtual=tuple(
            tuple(trf.virtual.get(player, {}).get(number, 0) for number in range(1, trf.rounds + 2))
            for player in range(1, count + 1)
        ),
        forbidden=frozenset(forbidden),
    )


def trf_answer(trf: Trf, round: int) -> tuple[set[tuple[int, int]], int | None]:
    """Return the (White, Black) pairs and the bye that a TRF lists for a round."""
    entries = {player: row[round - 1] for player, row in trf.entries.items()}
    pairs = {(player, entry[0]) for player, entry in entries.items() if entry[0] and entry[1] == "w"}
    byes = [player for player, entry in entries.items() if not entry[0] and entry[2] in "U+"]
    return pairs, byes[0] if byes else None


# ---- golden tournaments in JSON lines

ABSENCES = {"H": Code.HALF_BYE, "Z": Code.ZERO_BYE, "N": Code.ABSENT, "W": Code.ABSENT}
JSON_RESULTS = {
    "1": (Code.WIN, Code.LOSS), "=": (Code.DRAW, Code.DRAW), "0": (Code.LOSS, Code.WIN),
    "+": (Code.FORFEIT_WIN, Code.FORFEIT_LOSS), "-": (Code.FORFEIT_LOSS, Code.FORFEIT_WIN),
    "x": (Code.FORFEIT_LOSS, Code.FORFEIT_LOSS), "p": (Code.POSTPONED, Code.POSTPONED),
}  # fmt: skip


def read_golden(path: Path) -> list[dict[str, Any]]:
    """Read a file of golden tournaments, one JSON object per line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def golden_rounds(tournament: Mapping[str, Any]) -> Iterator[tuple[Position, Mapping[str, Any]]]:
    """Walk through a golden tournament: the position before each round, and the round as the file has it."""
    count = tournament["players"]
    position = Position(
        histories=((),) * count,
        field=frozenset(),
        rounds=tournament["rounds"],
        initial_colour=tournament["options"]["initial_colour"],
        forfeits_count_as_met=tournament["options"]["forfeits_count_as_met"],
    )
    boards: list[Sequence[Sequence[int]]] = []
    for entry in tournament["round"]:
        for number, board, result in entry["arrived"]:
            position = with_result(position, number, boards[number - 1][board - 1], result)
        away = {int(player): ABSENCES[reason] for player, reason in entry["absent"].items()}
        position = replace(position, field=frozenset(range(1, count + 1)) - away.keys())
        yield position, entry
        if entry["pairs"] is None:
            return
        boards.append(entry["pairs"])
        position = after_round(position, entry["pairs"], entry["bye"], entry["results"], away)


def with_result(position: Position, round: int, board: Sequence[int], result: str) -> Position:
    """Put the result of a postponed game into the history."""
    histories = [list(history) for history in position.histories]
    for player, code in zip(board, JSON_RESULTS[result], strict=True):
        old = histories[player - 1][round - 1]
        histories[player - 1][round - 1] = replace(old, code=code, points=position.worth[code])
    return replace(position, histories=tuple(map(tuple, histories)))


def after_round(
    position: Position, boards: Sequence[Sequence[int]], bye: int | None, results: Sequence[str], away: Mapping[int, Code]
) -> Position:
    """Return the position with one more round in the history; the field is left as it was."""
    worth = position.worth
    new = {player: Record(code, points=worth[code]) for player, code in away.items()}
    if bye is not None:
        new[bye] = Record(Code.PAIRING_BYE, points=worth[Code.PAIRING_BYE])
    for (white, black), letter in zip(boards, results, strict=True):
        codes = JSON_RESULTS[letter]
        new[white] = Record(codes[0], black, "W", worth[codes[0]])
        new[black] = Record(codes[1], white, "B", worth[codes[1]])
    scores = tuple(position.score(player) for player in range(1, len(position.histories) + 1))
    return replace(
        position,
        histories=tuple((*history, new[player]) for player, history in enumerate(position.histories, 1)),
        past_scores=(*position.past_scores, scores),
    )
