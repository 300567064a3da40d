"""An event from a tournament report file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swisssim._core import PairingSystem
from swisssim.codes import NOT_HERE, Code
from swisssim.errors import SwissError
from swisssim.points import Points
from swisssim.tournament._acceleration import baku, is_baku
from swisssim.tournament._records import Player, Round
from swisssim.trf import Report, RoundEntry

if TYPE_CHECKING:
    from swisssim.tournament._event import Tournament

_ABSENCES = {"FULL_BYE": "full", "HALF_BYE": "half", "ZERO_BYE": "zero"}
# Coded types (192) of the systems that have one; the first is the one that is written.
CODED_TYPES = {"dutch": ("FIDE_DUTCH_2026", "FIDE_DUTCH_2025", "FIDE_DUTCH")}


def fill_from_report(
    event: Tournament, report: Report, system: str | PairingSystem, *, rounds: int | None, total: int | None
) -> None:
    """Set up an event from a report; see `Tournament.from_trf`."""
    history = report.rounds_played if rounds is None else rounds
    where = report.path or report.name or "the report"
    if isinstance(history, bool) or not isinstance(history, int) or not 0 <= history <= report.rounds_played:
        raise SwissError(f"{where}: rounds is {rounds!r}; the file has 0 to {report.rounds_played}")
    numbers = _pairing_order(report, where)
    event._begin(
        [float(report.players[number].rating or 0) for number in numbers],
        _announced(report, total, where),
        system,
        "white",
        points_of(report),
        None,
    )
    event._source = report
    event._players = {
        number: Player(float(report.players[number].rating or 0), name=report.players[number].name)
        for number in sorted(numbers)
    }
    event._order = numbers
    event.notes = [str(remark) for remark in report.warnings]
    event.notes += _note_system(report, event.system)
    event.initial_colour = _initial_colour(event, report, numbers)
    event._history = [_round(event, report, number) for number in range(1, history + 1)]
    coming = history + 1
    event._planned = {round: _planned(report, round) for round in range(coming, event.rounds + 1)}
    event.notes += _note_coming_byes(report, coming)
    event._virtual = _virtual(event, report, numbers, where)
    event._forbidden = _forbidden(report, event.rounds)
    event.points.check_total(event.rounds, virtual=event._virtual.values())


def _announced(report: Report, total: int | None, where: str) -> int:
    """Return the number of rounds: what the caller says, or the file."""
    if total is not None:
        if isinstance(total, bool) or not isinstance(total, int) or total < max(1, report.rounds_played):
            raise SwissError(
                f"{where}: total is {total!r}; it must be a whole number from {max(1, report.rounds_played)}"
            )
        return total
    if report.rounds is None:
        raise SwissError(
            f"{where}: the total number of rounds is not given; add a record '142 n' (or 'XXR n'), or say it when reading"
        )
    return max(report.rounds, report.rounds_played)


def _pairing_order(report: Report, where: str) -> list[int]:
    """Return the players in pairing order: by starting number, or by columns 86-89 if the file has ``XXC rank``."""
    numbers = sorted(report.players)
    if not report.rank_order:
        return numbers
    ranks = {number: report.players[number].rank for number in numbers}
    known = [rank for rank in ranks.values() if rank is not None]
    if len(set(known)) < len(numbers):
        lacking = next((number for number in numbers if ranks[number] is None), None)
        problem = f"player {lacking} has none" if lacking is not None else "a rank is used twice"
        raise SwissError(f"{where}: 'XXC rank' orders the players by their rank (columns 86-89), but {problem}")
    return sorted(numbers, key=lambda number: ranks[number] or 0)


def _note_system(report: Report, system: PairingSystem) -> list[str]:
    """Say so if the file names another system than the one asked for; the one asked for pairs."""
    coded = report.system.removesuffix("_BAKU")
    known = CODED_TYPES.get(system.name, ())
    if not coded or coded in known or (coded == "CUSTOM_SWISS" and not known):
        return []
    return [f"192 says {report.system}; the event is paired by {system.name!r}, as asked"]


def _initial_colour(event: Tournament, report: Report, numbers: list[int]) -> str:
    """Return the colour drawn: what the file says, or what round 1 shows, or White."""
    if report.initial_colour is not None:
        return "black" if report.initial_colour == "B" else "white"
    colour, why = "white", "nothing in the file tells it"
    # Whoever comes first in round 1 was given the drawn colour, the next board the other one.
    white = True
    for number in numbers:
        entry = report.entry(number, 1)
        if entry.opponent and entry.colour in ("w", "b"):
            colour = "white" if (entry.colour == "w") == white else "black"
            why = f"it follows from the colour of player {number} in round 1"
            break
        if entry.opponent or entry.meaning == "PAIRING_BYE":
            white = not white
    if event.system.draws_colour:
        event.notes.append(f"no initial colour in the file (152); taken to be {colour}: {why}")
    return colour


def points_of(report: Report) -> Points:
    """Return the points of a file; a side that it leaves open is worth what FIDE says.

    Raises
    ------
    SwissError
        If results are worth something else with Black.
    """
    given = report.points
    if (given.black_win, given.black_draw, given.black_loss) != (None, None, None):
        raise SwissError(
            f"{report.path or report.name}: points that differ by colour (XXS with BW, BD or BL) are not supported"
        )
    return Points(
        win=given.win,
        draw=given.draw,
        loss=given.loss,
        forfeit_win=given.value("forfeit_win"),
        forfeit_loss=given.forfeit_loss,
        bye=given.value("pairing_bye"),
        full_bye=given.value("full_bye"),
        half_bye=given.value("half_bye"),
        zero_bye=given.absence,
    )


def _round(event: Tournament, report: Report, round: int) -> Round:
    """Return one round of the history.

    A file does not keep the order of the boards; they stand by the smaller number of the two.
    """
    boards = sorted(report.games(round), key=min)
    codes: list[tuple[int, int]] = [
        (Code[report.entry(white, round).meaning], Code[report.entry(black, round).meaning]) for white, black in boards
    ]
    past = Round(boards, codes, None, {})
    past.bye, others = _byes(report, round)
    for number in sorted(report.players):
        entry = report.entry(number, round)
        if number in others:
            past.away[number] = Code.FULL_BYE
        elif not entry.opponent and number != past.bye:
            past.away[number] = Code[entry.meaning] if entry.meaning != "ABSENT" else NOT_HERE
    if others:
        event.notes.append(
            f"round {round}: '0000 - +' of players {', '.join(map(str, others))} is read as a full-point bye, "
            "since only one player can have the pairing-allocated bye"
        )
    return past


def _byes(report: Report, round: int) -> tuple[int | None, list[int]]:
    """Return who has the pairing-allocated bye, and whose legacy byes are full-point byes since more than one player has one."""
    byes = [number for number in sorted(report.players) if report.entry(number, round).meaning == "PAIRING_BYE"]
    if len(byes) < 2:
        return byes[0] if byes else None, []
    named = [number for number in byes if report.entry(number, round).code == "U"]
    if len(named) > 1:
        raise SwissError(
            f"{report.path or report.name}: round {round}: players {named[0]} and {named[1]} both have the pairing-allocated bye (U); "
            "it is given once in a round, write F for a full-point bye"
        )
    return named[0] if named else None, [number for number in byes if number not in named]


def _planned(report: Report, round: int) -> dict[int, str]:
    """Return who is known to be absent from a round to be paired."""
    entries: dict[int, RoundEntry]
    if round <= report.rounds_played:
        entries = {number: report.entry(number, round) for number in report.players}
        bye, _ = _byes(report, round)
        entries = {n: e for n, e in entries.items() if not e.opponent and n != bye}
    else:
        entries = report.announced(round)
    return {
        number: _ABSENCES.get(entry.meaning, "full" if entry.meaning == "PAIRING_BYE" else "zero")
        for number, entry in entries.items()
    }


def _note_coming_byes(report: Report, coming: int) -> list[str]:
    """Say whether the points of the file have the coming bye inside; the remarks of the reader name those that have it."""
    announced = report.announced(coming) if coming == report.rounds_played + 1 else {}
    if not announced:
        return []
    totals = report.all_points(report.rounds_played)
    return [
        f"player {number}: points {totals[number] / 10:.1f} are without the bye ({entry.code}) announced for round {coming}"
        for number, entry in sorted(announced.items())
        if report.points.worth(entry) and report.players[number].points == totals[number]
    ]


def _virtual(event: Tournament, report: Report, numbers: list[int], where: str) -> dict[int, list[int]]:
    """Return the virtual points: what 250 and XXA say, or else Baku acceleration if 192 asks for it."""
    if not report.acceleration:
        return baku(event, report, numbers, where) if is_baku(report) else {}
    values = {number: [report.virtual_points(number, r) for r in range(1, event.rounds + 1)] for number in numbers}
    return {number: points for number, points in values.items() if any(points)}


def _forbidden(report: Report, rounds: int) -> list[tuple[int, int, int, int]]:
    """Return the forbidden pairs with their rounds; a pair in several lists stands several times."""
    found = []
    for item in report.forbidden:
        first, last = item.first_round or 1, item.last_round if item.last_round is not None else rounds
        players = [number for number in item.players if number in report.players]
        pairs = {(min(a, b), max(a, b)) for k, a in enumerate(players) for b in players[k + 1 :] if a != b}
        found += [(a, b, first, last) for a, b in sorted(pairs)]
    return found
