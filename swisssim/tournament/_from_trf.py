"""An event from a tournament report file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swisssim._core import PairingSystem
from swisssim.codes import NOT_HERE, Code
from swisssim.errors import SwissError
from swisssim.points import Points
from swisssim.tournament._records import Player, Round
from swisssim.trf import PointSystem, Report

if TYPE_CHECKING:
    from swisssim.tournament._event import Tournament

_ABSENCES = {"FULL_BYE": "full", "HALF_BYE": "half", "ZERO_BYE": "zero"}


def fill_from_report(event: Tournament, report: Report, system: str | PairingSystem, rounds: int | None) -> None:
    """Set up an event from a report; see `Tournament.from_trf`."""
    history = report.rounds_played if rounds is None else rounds
    if not 0 <= history <= report.rounds_played:
        raise SwissError(f"{report.name or report.path}: rounds is {rounds}; the file has 0 to {report.rounds_played}")
    announced = report.rounds
    if announced is None:
        raise SwissError(
            f"{report.path or report.name}: the total number of rounds is not given; add a line '142 n' or 'XXR n'"
        )
    numbers = sorted(report.players)
    event._begin(
        [float(report.players[number].rating or 0) for number in numbers],
        max(announced, report.rounds_played),
        system,
        "black" if report.initial_colour == "B" else "white",
        _points(report.points),
        [report.players[number].name for number in numbers],
    )
    event._players = {
        number: Player(float(report.players[number].rating or 0), name=report.players[number].name)
        for number in numbers
    }
    event._order = numbers
    event._history = [_round(report, number) for number in range(1, history + 1)]
    coming = history + 1
    event._planned = {coming: _planned(report, coming)}
    event._virtual = {
        number: [report.virtual_points(number, r) for r in range(1, event.rounds + 1)]
        for number in numbers
        if any(report.virtual_points(number, r) for r in range(1, event.rounds + 1))
    }
    event._forbidden = [(a, b, r, r) for r in range(1, event.rounds + 1) for a, b in sorted(report.forbidden_pairs(r))]


def _points(given: PointSystem) -> Points:
    """Return the points of the file; a side that it leaves open is worth what FIDE says."""
    if (given.black_win, given.black_draw, given.black_loss) != (None, None, None):
        raise SwissError("points that differ by colour (XXS with WB, DB or LB) are not supported")
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


def _round(report: Report, round: int) -> Round:
    """Return one round of the history; boards in the order of White's number, since a file does not keep the order."""
    boards = report.games(round)
    codes: list[tuple[int, int]] = [
        (Code[report.entry(white, round).meaning], Code[report.entry(black, round).meaning]) for white, black in boards
    ]
    past = Round(boards, codes, None, {})
    for number in sorted(report.players):
        entry = report.entry(number, round)
        meaning = entry.meaning
        if entry.opponent:
            continue
        if meaning == "PAIRING_BYE":
            if past.bye is not None:
                raise SwissError(f"round {round}: players {past.bye} and {number} both have the pairing-allocated bye")
            past.bye = number
        else:
            past.away[number] = Code[meaning] if meaning != "ABSENT" else NOT_HERE
    return past


def _planned(report: Report, round: int) -> dict[int, str]:
    """Return who is known to be absent from the round to be paired."""
    if round <= report.rounds_played:
        return {
            number: _ABSENCES.get(entry.meaning, "zero")
            for number in report.players
            if not (entry := report.entry(number, round)).opponent and entry.meaning != "PAIRING_BYE"
        }
    return {number: _ABSENCES.get(entry.meaning, "zero") for number, entry in report.announced(round).items()}
