"""Baku acceleration: virtual points for the upper half of the field in the first half of the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from swisssim.errors import SwissError
from swisssim.trf import Report

if TYPE_CHECKING:
    from swisssim.tournament._event import Tournament

_SUFFIX = "_BAKU"


def is_baku(report: Report) -> bool:
    """Tell whether the coded type of a report (192) asks for Baku acceleration."""
    return report.system.upper().endswith(_SUFFIX)


def baku(event: Tournament, report: Report, numbers: list[int], where: str) -> dict[int, list[int]]:
    """Return the virtual points of Baku acceleration (FIDE C.04.5.1).

    The group GA is the first half of those who are paired in round 1, rounded up to an even number: 2 ceil(N / 4). Half of the
    rounds, rounded up, are accelerated; in the first half of these, rounded up, GA has one virtual point, in the others half a
    point. Who enters later and stands above the last player of GA belongs to GA.

    Parameters
    ----------
    event : Tournament
        The event that is read; its points must be 1, 1/2, 0.
    report : Report
        The file.
    numbers : list of int
        All players in pairing order.
    where : str
        Name of the file for the error.

    Returns
    -------
    dict of int to list of int
        Tenths of a point for rounds 1, 2, ...
    """
    points = event.points
    if (points.win, points.draw, points.loss) != (10, 5, 0):
        raise SwissError(
            f"{where}: {report.system} (192) needs 1 point for a win, 0.5 for a draw and 0 for a loss, not "
            f"{points.win / 10}, {points.draw / 10}, {points.loss / 10}; give the virtual points in 250 records instead"
        )
    first = [number for number in numbers if not _away_at_first(report, number)]
    size = min(2 * -(-len(first) // 4), len(first))
    accelerated = -(-event.rounds // 2)
    full = -(-accelerated // 2)
    values = [10] * full + [5] * (accelerated - full)
    if not size:
        return {}
    last = first[size - 1]
    event.notes.append(
        f"{report.system} (192): players up to number {last} have 1 virtual point in rounds 1-{full}"
        + (f" and 0.5 in rounds {full + 1}-{accelerated}" if accelerated > full else "")
    )
    return {number: list(values) for number in numbers[: numbers.index(last) + 1]}


def _away_at_first(report: Report, number: int) -> bool:
    """Tell whether a player was, or is known to be, absent from round 1."""
    entry = report.entry(number, 1)
    if report.rounds_played:
        return not entry.opponent and entry.meaning != "PAIRING_BYE"
    return number in report.announced(1)
