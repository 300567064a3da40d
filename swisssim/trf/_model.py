"""What a report file says, typed: players with their rounds, points, byes to come, acceleration, forbidden pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Literal, NamedTuple

from ._errors import Remark

GAMES = {
    "1": "WIN",
    "=": "DRAW",
    "0": "LOSS",
    "W": "WIN",
    "D": "DRAW",
    "L": "LOSS",
    "+": "FORFEIT_WIN",
    "-": "FORFEIT_LOSS",
    "?": "POSTPONED",
    "": "POSTPONED",
}
BYES = {
    "U": "PAIRING_BYE",
    "F": "FULL_BYE",
    "H": "HALF_BYE",
    "Z": "ZERO_BYE",
    "": "ABSENT",
    # Legacy spellings, tolerated since 2012.
    "+": "PAIRING_BYE",
    "=": "HALF_BYE",
    "-": "ZERO_BYE",
}


class RoundEntry(NamedTuple):
    """One round of one player, as the file has it.

    Attributes
    ----------
    opponent : int
        Starting number of the opponent, 0 if there is none.
    colour : str
        ``"w"``, ``"b"``, ``"-"`` or ``""`` (blank).
    code : str
        Result in upper case, ``""`` if blank. With an opponent ``1 = 0`` (games), ``W D L`` (unrated games), ``+ -``
        (forfeits), ``?`` or blank (not finished); without ``U F H Z`` (byes), blank (absent), legacy ``+ = -``.
    """

    opponent: int = 0
    colour: str = ""
    code: str = ""

    @property
    def meaning(self) -> str:
        """WIN DRAW LOSS FORFEIT_WIN FORFEIT_LOSS POSTPONED, or PAIRING_BYE FULL_BYE HALF_BYE ZERO_BYE ABSENT."""
        return (GAMES if self.opponent else BYES)[self.code]

    @property
    def played(self) -> bool:
        """True for a game that took place at the board."""
        return self.opponent > 0 and self.code in _PLAYED

    @property
    def rated(self) -> bool:
        """True for a game that counts for ratings: played, and not one of ``W D L``."""
        return self.opponent > 0 and self.code in _RATED

    @property
    def blank(self) -> bool:
        """True if the file says nothing at all about the round."""
        return self == BLANK


_RATED = frozenset("1=0")
_PLAYED = _RATED | frozenset("WDL")
BLANK = RoundEntry()


@dataclass
class PlayerRecord:
    """A player: record 001.

    Attributes
    ----------
    number : int
        Starting number, 1..9999.
    name : str
        Name, 33 characters fit into the file.
    sex, title, federation, fide_id, birth : str
        Columns 10, 11-13, 54-56, 58-68 and 70-79 as they stand, without blanks around.
    rating : int or None
        0..9999; 0 means unrated, None that the column is blank.
    points : int or None
        Columns 81-84 in tenths of a point, None if blank.
    rank : int or None
        Columns 86-89, None if blank.
    rounds : list of RoundEntry
        Rounds 1, 2, ...; rounds after the end of the list are blank.
    line : int or None
        Line of the file it came from.
    shift : int
        By how many columns everything after the name stands further right (negative: left) than the standard says.
    """

    number: int
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    points: int | None = None
    rank: int | None = None
    rounds: list[RoundEntry] = field(default_factory=list)
    line: int | None = field(default=None, compare=False)
    shift: int = field(default=0, compare=False, repr=False)

    def entry(self, round: int) -> RoundEntry:
        """Entry of a round (from 1) in the player's own line; a blank one after the end of the line."""
        return self.rounds[round - 1] if 1 <= round <= len(self.rounds) else BLANK

    def columns(self, round: int) -> tuple[int, int]:
        """First and last column of a round (from 1) in the line it came from."""
        first = 92 + self.shift + 10 * (round - 1)
        return first, first + 7


@dataclass(frozen=True)
class PointSystem:
    """Points of a result in tenths (records 162, XXS, BB*).

    Attributes
    ----------
    win, draw, loss : int
        Games at the board.
    absence, forfeit_loss : int
        Zero-point bye or absence; game lost by forfeit.
    pairing_bye, full_bye, half_bye, forfeit_win : int or None
        None: worth a win, a win, a draw, a win.
    black_win, black_draw, black_loss : int or None
        Games with Black if they are worth something else (JaVaFo's XXS only).
    unknown : int or None
        Unfinished games (symbol X); None: nothing was said.
    """

    win: int = 10
    draw: int = 5
    loss: int = 0
    absence: int = 0
    forfeit_loss: int = 0
    pairing_bye: int | None = None
    full_bye: int | None = None
    half_bye: int | None = None
    forfeit_win: int | None = None
    black_win: int | None = None
    black_draw: int | None = None
    black_loss: int | None = None
    unknown: int | None = None

    def value(self, name: str) -> int:
        """Points of an attribute in tenths, with what stands in for it if nothing was said."""
        value: int | None = getattr(self, name)
        if value is not None:
            return value
        return self.value(_INSTEAD[name]) if name in _INSTEAD else 0

    def worth(self, entry: RoundEntry) -> int:
        """Points of an entry in tenths; an unfinished game counts ``unknown``, or nothing."""
        name = _NAMES[entry.meaning]
        return self.value(f"black_{name}" if entry.colour == "b" and entry.played else name)


_NAMES = {
    "WIN": "win",
    "DRAW": "draw",
    "LOSS": "loss",
    "FORFEIT_WIN": "forfeit_win",
    "FORFEIT_LOSS": "forfeit_loss",
    "POSTPONED": "unknown",
    "PAIRING_BYE": "pairing_bye",
    "FULL_BYE": "full_bye",
    "HALF_BYE": "half_bye",
    "ZERO_BYE": "absence",
    "ABSENT": "absence",
}
_INSTEAD = {
    "pairing_bye": "win",
    "full_bye": "win",
    "half_bye": "draw",
    "forfeit_win": "win",
    "black_win": "win",
    "black_draw": "draw",
    "black_loss": "loss",
}


@dataclass(frozen=True)
class ByeRequest:
    """Byes to come: record 240, or XXZ (absent in the coming round).

    Attributes
    ----------
    kind : str
        ``"F"``, ``"H"`` or ``"Z"``.
    round : int or None
        Round from 1; None: the coming round, whichever it is (XXZ).
    players : tuple of int
        Starting numbers.
    """

    kind: str
    round: int | None
    players: tuple[int, ...]


@dataclass(frozen=True)
class Acceleration:
    """Virtual points for a range of rounds and players: record 250.

    Attributes
    ----------
    points : int or None
        Game points in tenths (columns 10-13); None if blank.
    first_round, last_round, first_player, last_player : int
        Both ends are inside.
    match_points : int or None
        Match points in tenths (columns 5-8), blank (None) in individual events.
    """

    points: int | None
    first_round: int
    last_round: int
    first_player: int
    last_player: int
    match_points: int | None = None

    def value(self, number: int, round: int) -> int:
        """Virtual points of a player in a round, in tenths; match points if there are no game points."""
        if self.first_round <= round <= self.last_round and self.first_player <= number <= self.last_player:
            return self.points if self.points is not None else self.match_points or 0
        return 0


@dataclass(frozen=True)
class PlayerAcceleration:
    """Virtual points of one player, round by round: record XXA.

    Attributes
    ----------
    player : int
        Starting number.
    points : tuple of int
        Tenths of a point for rounds 1, 2, ...
    """

    player: int
    points: tuple[int, ...]

    def value(self, number: int, round: int) -> int:
        """Virtual points of a player in a round, in tenths."""
        return self.points[round - 1] if number == self.player and 1 <= round <= len(self.points) else 0


@dataclass(frozen=True)
class ForbiddenPairs:
    """Players of whom no two may meet: record 260, or XXP (all rounds).

    Attributes
    ----------
    players : tuple of int
        Starting numbers.
    first_round, last_round : int or None
        Both ends are inside; None: no limit on this side.
    """

    players: tuple[int, ...]
    first_round: int | None = None
    last_round: int | None = None

    def covers(self, round: int) -> bool:
        """True if the pairs are forbidden in a round (from 1)."""
        return (self.first_round or 0) <= round and (self.last_round is None or round <= self.last_round)


@dataclass(frozen=True)
class Team:
    """A team and its players: record 013."""

    name: str
    players: tuple[int, ...]


@dataclass(frozen=True)
class RawRecord:
    """A line that is kept as it stands: team records, national ratings, and everything unknown."""

    code: str
    text: str


@dataclass
class SourceLine:
    """A line of the file a report came from, and what it said then: while that holds, it is written unchanged."""

    text: str
    end: str
    group: str
    item: object


@dataclass
class Report:
    """A tournament report file.

    Attributes
    ----------
    players : dict of int to PlayerRecord
        By starting number, in ascending order when read; gaps are legal.
    headers : dict of str to list of str
        Free text by code: ``headers["012"][0]`` is the tournament's name (012-132, 172, 182, 202, 212, 222, 352, 362).
    rounds : int or None
        Announced number of rounds (142, XXR).
    initial_colour : str or None
        ``"W"`` or ``"B"`` (152, XXC white1/black1).
    rank_order : bool
        XXC rank: JaVaFo orders by columns 86-89 instead of the starting number.
    points : PointSystem
        What results are worth (162, XXS, BB*).
    system : str
        Coded type (192), such as ``FIDE_DUTCH_2026``.
    byes : list of ByeRequest
        Byes to come (240, XXZ).
    acceleration : list of Acceleration or PlayerAcceleration
        Virtual points (250, XXA).
    forbidden : list of ForbiddenPairs
        Pairs that must not meet (260, XXP).
    teams : list of Team
        Teams (013).
    other : list of RawRecord
        Lines kept as they stand: 299-330, 801, 802, national ratings, unknown ones.
    comments : list of str
        Comment lines, with their ``###``.
    warnings : list of Remark
        What deserves a look.
    path, encoding, newline : str
        Name of the file (None if it has none), its encoding and its usual line end.
    """

    players: dict[int, PlayerRecord] = field(default_factory=dict)
    headers: dict[str, list[str]] = field(default_factory=dict)
    rounds: int | None = None
    initial_colour: Literal["W", "B"] | None = None
    rank_order: bool = False
    points: PointSystem = field(default_factory=PointSystem)
    system: str = ""
    byes: list[ByeRequest] = field(default_factory=list)
    acceleration: list[Acceleration | PlayerAcceleration] = field(default_factory=list)
    forbidden: list[ForbiddenPairs] = field(default_factory=list)
    teams: list[Team] = field(default_factory=list)
    other: list[RawRecord] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    warnings: list[Remark] = field(default_factory=list, compare=False)
    path: str | None = field(default=None, compare=False)
    encoding: str = field(default="utf-8", compare=False)
    newline: str = field(default="\n", compare=False)
    source: list[SourceLine] = field(default_factory=list, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The tournament's name (012), empty if there is none."""
        return self.headers.get("012", [""])[0]

    @property
    def rounds_played(self) -> int:
        """Last round in which anybody was paired; a pairing-allocated bye written ``U`` counts.

        Entries after it are announcements for rounds to come, whatever the longest line is.
        """
        return max((round for player in self.players.values() for round in _paired(player)), default=0)

    def games(self, round: int) -> list[tuple[int, int]]:
        """Pairs of a round (from 1), White first, ordered by White's number.

        In a forfeited game the file may give a colour to one player only, or to none: then the smaller number is White.
        """
        found = []
        for number, player in self.players.items():
            entry = player.entry(round)
            if entry.opponent:
                answer = self.players[entry.opponent].entry(round)
                none = entry.colour not in ("w", "b") and answer.colour not in ("w", "b")
                if entry.colour == "w" or answer.colour == "b" or (none and number < entry.opponent):
                    found.append((number, entry.opponent))
        return sorted(found)

    def requested(self, round: int) -> dict[int, RoundEntry]:
        """Byes by starting number that 240 lines announce for a round (from 1); the first line counts."""
        found: dict[int, RoundEntry] = {}
        for bye in self.byes:
            if bye.round == round:
                for number in bye.players:
                    found.setdefault(number, RoundEntry(0, "-", bye.kind))
        return found

    def entry(self, number: int, round: int) -> RoundEntry:
        """What the file says about a player in a round (from 1): the player's line, or else a 240 line."""
        entry = self.players[number].entry(round)
        return self.requested(round).get(number, BLANK) if entry.blank else entry

    def announced(self, round: int | None = None) -> dict[int, RoundEntry]:
        """Players known not to be available for pairing in a round, with the bye they get.

        Parameters
        ----------
        round : int, optional
            Round from 1; default: the one after `rounds_played`.

        Returns
        -------
        dict of int to RoundEntry
            From entries in the column of the round, 240 lines for it and, for the coming round, XXZ lines.
        """
        coming = self.rounds_played + 1
        round = coming if round is None else round
        lines = self.requested(round)
        if round == coming:
            absent = (number for bye in self.byes if bye.round is None for number in bye.players)
            lines = {**{number: RoundEntry(0, "-", "Z") for number in absent}, **lines}
        found = {}
        for number, player in self.players.items():
            entry = player.entry(round)
            if entry.blank:
                entry = lines.get(number, BLANK)
            if not entry.blank and not entry.opponent:
                found[number] = entry
        return found

    def all_points(self, rounds: int | None = None) -> dict[int, int]:
        """Points of all players from the results of the first rounds, in tenths; default: of all rounds played."""
        rounds = self.rounds_played if rounds is None else rounds
        totals = dict.fromkeys(self.players, 0)
        for round in range(1, rounds + 1):
            lines = self.requested(round)
            for number, player in self.players.items():
                entry = player.entry(round)
                totals[number] += self.points.worth(lines.get(number, BLANK) if entry.blank else entry)
        return totals

    def points_of(self, number: int, rounds: int | None = None) -> int:
        """Points of a player from the results of the first rounds, in tenths; default: of all rounds played."""
        rounds = self.rounds_played if rounds is None else rounds
        return sum(self.points.worth(self.entry(number, round)) for round in range(1, rounds + 1))

    def virtual_points(self, number: int, round: int) -> int:
        """Virtual points of a player valid when a round (from 1) is paired, in tenths."""
        return sum(item.value(number, round) for item in self.acceleration)

    def forbidden_pairs(self, round: int) -> set[tuple[int, int]]:
        """Pairs (smaller number first) that must not meet in a round (from 1)."""
        return {
            (one, two) if one < two else (two, one)
            for item in self.forbidden
            if item.covers(round)
            for index, one in enumerate(item.players)
            for two in item.players[index + 1 :]
        }


def _paired(player: PlayerRecord) -> Iterator[int]:
    """The last round in which the player was paired, if any."""
    for round in range(len(player.rounds), 0, -1):
        entry = player.rounds[round - 1]
        if entry.opponent or entry.code == "U":
            yield round
            return


def snapshot(player: PlayerRecord) -> tuple[object, ...]:
    """All values of a player at this moment, to see later whether something changed."""
    values = (getattr(player, item.name) for item in fields(player) if item.compare and item.name != "rounds")
    return (*values, tuple(player.rounds))


def scalar_values(report: Report) -> dict[str, object]:
    """Values of the groups of lines that say one thing together, in however many lines."""
    return {
        "rounds": report.rounds,
        "colour": report.initial_colour,
        "configuration": (report.rank_order, report.initial_colour),
        "points": report.points,
        "system": report.system,
    }
