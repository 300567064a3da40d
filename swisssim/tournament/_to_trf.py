"""An event as a tournament report."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING

from swisssim.codes import NOT_HERE, Code
from swisssim.errors import SwissError
from swisssim.points import Points
from swisssim.tournament._from_trf import CODED_TYPES
from swisssim.tournament._records import REASONS
from swisssim.trf import (
    Acceleration,
    ByeRequest,
    ForbiddenPairs,
    PlayerRecord,
    PointSystem,
    Report,
    RoundEntry,
    new_report,
)

if TYPE_CHECKING:
    from swisssim.tournament._event import Tournament

LETTERS = {
    Code.WIN: "1",
    Code.DRAW: "=",
    Code.LOSS: "0",
    Code.FORFEIT_WIN: "+",
    Code.FORFEIT_LOSS: "-",
    Code.POSTPONED: "?",
    Code.PAIRING_BYE: "U",
    Code.FULL_BYE: "F",
    Code.HALF_BYE: "H",
    Code.ZERO_BYE: "Z",
    Code.ABSENT: "Z",
}
"""How report files write a result code; a game also has an opponent and a colour."""

_KINDS = {"half": "H", "full": "F", "zero": "Z"}
_HIGHEST_RATING = 9999


def report_of(event: Tournament) -> Report:
    """Return an event as a report; see `Tournament.to_trf`."""
    number = {old: old for old in event.players}
    if sorted(event._order) != event._order and not (event._source is not None and event._source.rank_order):
        number = {old: new for new, old in enumerate(event._order, start=1)}
    changed = any(old != new for old, new in number.items())
    known = event._source is not None and not changed and event._source.players.keys() == set(event.players)
    report = copy.deepcopy(event._source) if known and event._source is not None else _fresh(event, number)
    report.rounds = event.rounds
    report.initial_colour = "W" if event.initial_colour == "white" else "B"
    _write_rounds(event, report, number)
    _write_absences(event, report, number)
    totals = report.all_points(len(event._history))
    ranks = event.standings().set_index("player")["rank"] if event._history and not report.rank_order else None
    for old, new in number.items():
        report.players[new].points = totals[new]
        if ranks is not None:
            report.players[new].rank = int(ranks[old])
    return report


def coded_type(system: str) -> str:
    """Return the coded type (192) of a system; ``CUSTOM_SWISS`` if it has none."""
    return CODED_TYPES.get(system, ("CUSTOM_SWISS",))[0]


def type_header(system: str) -> dict[str, str]:
    """Return the header (092) that names a system."""
    return {"092": f"Individual: Swiss-System (swisssim {system})"}


def point_system(points: Points) -> PointSystem:
    """Return points as a report has them."""
    return PointSystem(
        win=points.win,
        draw=points.draw,
        loss=points.loss,
        absence=points.zero_bye,
        forfeit_loss=points.forfeit_loss,
        pairing_bye=points.bye if points.bye != points.win else None,
        full_bye=points.full_bye if points.full_bye != points.win else None,
        half_bye=points.half_bye if points.half_bye != points.draw else None,
        forfeit_win=points.forfeit_win if points.forfeit_win != points.win else None,
    )


def _fresh(event: Tournament, number: dict[int, int]) -> Report:
    """Return a report of the players and settings, without rounds; details of players come from the file they were read from."""
    players = []
    for old, new in number.items():
        player = event._players[old]
        rating = round(player.rating)
        if rating > _HIGHEST_RATING:
            raise SwissError(
                f"player {old}: rating {player.rating:g} does not fit into a report file; it takes 0..{_HIGHEST_RATING}"
            )
        source = event._source.players.get(old) if event._source is not None else None
        record = copy.deepcopy(source) if source is not None else PlayerRecord(new, name=player.name)
        record.number, record.rating, record.rounds, record.rank = new, rating, [], None
        players.append(record)
    source_headers = event._source.headers if event._source is not None else {}
    headers = {code: lines[0] for code, lines in source_headers.items() if code not in ("062", "072")}
    name = headers.pop("012", "")
    report = new_report(
        players,
        name=name,
        rounds=event.rounds,
        points=point_system(event.points),
        system=coded_type(event.system.name),
        headers={**headers, **type_header(event.system.name)},
    )
    report.acceleration.extend(
        acceleration({number[p]: values for p, values in event._virtual.items()}, report.players)
    )
    report.forbidden.extend(
        ForbiddenPairs((number[a], number[b]), first, last) for a, b, first, last in event._forbidden
    )
    return report


def acceleration(virtual: dict[int, list[int]], numbers: Iterable[int]) -> list[Acceleration]:
    """Return virtual points as 250 records: for each stretch of rounds with the same values, a record for each run of players.

    Parameters
    ----------
    virtual : dict of int to list of int
        Tenths of a point for rounds 1, 2, ... by number.
    numbers : iterable of int
        All players.
    """
    ordered = sorted(numbers)
    rounds = max((len(values) for values in virtual.values()), default=0)
    table = [[virtual[n][r] if n in virtual and r < len(virtual[n]) else 0 for n in ordered] for r in range(rounds)]
    records = []
    for first, last in _stretches(table):
        for start, end in _stretches(table[first]):
            if table[first][start]:
                records.append(Acceleration(table[first][start], first + 1, last + 1, ordered[start], ordered[end]))
    return records


def _stretches(items: list[list[int]] | list[int]) -> list[tuple[int, int]]:
    """Return the first and the last index of every run of equal items."""
    found: list[tuple[int, int]] = []
    for k, item in enumerate(items):
        if k and item == items[k - 1]:
            found[-1] = (found[-1][0], k)
        else:
            found.append((k, k))
    return found


def _write_rounds(event: Tournament, report: Report, number: dict[int, int]) -> None:
    """Write the recorded rounds; an entry of the file that means the same stays as it is spelt."""
    for record in report.players.values():
        record.rounds = record.rounds[: len(event._history)]
    for round, past in enumerate(event._history, start=1):
        entries = {}
        for (white, black), (one, two) in zip(past.boards, past.codes, strict=True):
            entries[white] = RoundEntry(number[black], "w", LETTERS[Code(one)])
            entries[black] = RoundEntry(number[white], "b", LETTERS[Code(two)])
        for player, code in past.away.items():
            entries[player] = RoundEntry(0, "-", LETTERS[Code(code) if code != NOT_HERE else Code.ABSENT])
        if past.bye is not None:
            entries[past.bye] = RoundEntry(0, "-", "U")
        for player, entry in entries.items():
            _put(report.players[number[player]], round, entry)


def _put(player: PlayerRecord, round: int, entry: RoundEntry) -> None:
    if round > len(player.rounds):
        player.rounds += [RoundEntry()] * (round - len(player.rounds) - 1)
        player.rounds.append(entry)
        return
    before = player.rounds[round - 1]
    same = (before.opponent, before.meaning) == (entry.opponent, entry.meaning) and before.colour in (
        entry.colour,
        "",
        "-",
    )
    absent = not before.opponent and before.meaning == "ABSENT" and entry.meaning == "ZERO_BYE"
    if not same and not absent:
        player.rounds[round - 1] = entry


def _write_absences(event: Tournament, report: Report, number: dict[int, int]) -> None:
    """Write who is absent from rounds to come: the next one in its column, later ones as 240 records."""
    coming = event.round
    report.byes = [bye for bye in report.byes if bye.round is not None and bye.round < coming]
    for round in range(coming, event.rounds + 1):
        reasons = {**event._expected(round), **(event._open.absent if event._open and round == coming else {})}
        gone = {player for player in event._away(round, {}) if round >= event._players[player].arrives}
        letters = {
            player: _KINDS.get(reason, "Z") for player, reason in reasons.items() if reason in REASONS or player in gone
        }
        letters.update(dict.fromkeys(gone, "Z"))
        if round == coming:
            for player, letter in letters.items():
                _put(report.players[number[player]], round, RoundEntry(0, "-", letter))
        else:
            for kind in sorted(set(letters.values())):
                players = tuple(sorted(number[player] for player, letter in letters.items() if letter == kind))
                report.byes.append(ByeRequest(kind, round, players))
