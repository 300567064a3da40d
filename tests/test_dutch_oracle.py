"""`dutch` against gacrux, another implementation of FIDE C.04.3 in the edition of 2026: whole events, pairs and colours."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import swisssim
from tests import compiled
from tests.reference.dutch_random import play
from tests.reference.event import FORFEITS, GAMES, Code, Entry, Event, Pairing

pytest.importorskip("gacrux", reason="the second opinion on FIDE C.04.3 is an optional dependency (extra 'oracles')")

GAME_LETTERS = {
    Code.WIN: "1", Code.DRAW: "=", Code.LOSS: "0", Code.FORFEIT_WIN: "+", Code.FORFEIT_LOSS: "-",
}  # fmt: skip
BYE_LETTERS = {
    Code.PAIRING_BYE: "U", Code.FULL_BYE: "F", Code.HALF_BYE: "H", Code.ZERO_BYE: "Z", Code.ABSENT: "Z",
}  # fmt: skip
SYMBOLS = {"W": Code.WIN, "D": Code.DRAW, "L": Code.LOSS, "P": Code.PAIRING_BYE}


def test_whole_events_are_paired_alike(tmp_path: Path) -> None:
    assert count_equal_rounds(tmp_path, sizes=(4, 16), events=8) > 30


@pytest.mark.slow
def test_larger_events_are_paired_alike(tmp_path: Path) -> None:
    assert count_equal_rounds(tmp_path, sizes=(17, 32), events=6) > 30


def count_equal_rounds(folder: Path, *, sizes: tuple[int, int], events: int) -> int:
    """Play random events, let gacrux pair each of their rounds, and return how many rounds there were."""
    rounds = 0
    for number, (event, pairings, text) in zip(range(events), played(*sizes), strict=False):
        path = folder / f"{number}.trf"
        path.write_text(text, encoding="ascii")
        theirs = second_opinion(path)
        assert len(theirs) == len(pairings)
        for k, (boards, bye) in enumerate(pairings):
            ours = {*boards, *([(bye, 0)] if bye is not None else [])}
            assert theirs[k] == ours, f"{len(event.ratings)} players, round {k + 1}:\n{text}"
        rounds += len(pairings)
    return rounds


def played(fewest: int, most: int) -> Iterator[tuple[Event, list[Pairing], str]]:
    """Yield random events with their pairings and report files: byes, forfeits, acceleration, bans, other points.

    Left out is what the two do not share: postponed games, forfeits that count as met, and byes worth no more than a loss, whose
    downfloat the rules leave open.
    """
    room = swisssim.system("dutch")
    for seed in range(10**6):
        pairings: list[Pairing] = []
        known: list[str] = []
        for event, pairing in play(lambda event: compiled.pair(room, event), seed, fewest=fewest, most=most):
            if pairing is not None and len(event.field) > 1:
                pairings.append(pairing)
                known += round_lines(event)
        codes = {entry.code for entries in event.history for entry in entries}
        arrived = any(entry.arrived for entries in event.history for entry in entries)
        unlike = event.options.forfeits_count_as_met or event.worth[Code.PAIRING_BYE] <= event.worth.get(Code.LOSS, 0)
        if Code.POSTPONED not in codes and not arrived and not unlike and len(pairings) == len(event.history) > 2:
            yield event, pairings, report(event, known)


def round_lines(event: Event) -> list[str]:
    """Return the virtual points and the forbidden pairs of the round to be paired."""
    span = f"{event.round:3} {event.round:3}"
    points = event.virtual or ()
    lines = [f"250      {value / 10:4.1f} {span} {p:4} {p:4}" for p, value in enumerate(points, 1) if value]
    return lines + [f"260 {span} {a:4} {b:4}" for a, b in sorted(map(sorted, event.forbidden))]


def report(event: Event, known: list[str]) -> str:
    """Return the report file of an event that is over."""
    worth = {symbol: event.worth.get(code, 0) / 10 for symbol, code in SYMBOLS.items()}
    lines = [f"142 {event.rounds}", f"152 {event.options.initial_colour}", "192 FIDE_DUTCH"]
    lines.append("162  " + "    ".join(f"{symbol} {points:3.1f}" for symbol, points in worth.items()))
    for p, rating in enumerate(event.ratings, 1):
        head = f"001 {p:4}      {f'Player {p}':33} {rating:4.0f}".ljust(80)
        cells = "".join(f"  {cell(entry)}" for entry in event.entries(p))
        lines.append(f"{head}{event.points(p) / 10:4.1f} {p:4}{cells}")
    return "\n".join(lines + known) + "\n"


def cell(entry: Entry) -> str:
    """Return the eight columns of one round of one player."""
    if entry.code in GAMES | FORFEITS:
        return f"{entry.opponent:4} {entry.colour.lower()} {GAME_LETTERS[entry.code]}"
    return f"0000 - {BYE_LETTERS[entry.code]}"


def second_opinion(path: Path) -> list[set[tuple[int, int]]]:
    """Return what gacrux pairs in every round of a file: White and Black, or the player with the bye and 0."""
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-c", "-x", "weighted", "-i", str(path), "-o", "-"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    rounds = json.loads(answer.stdout)["pairingResult"]["roundpairing"]
    return [{(white, black) for white, black in item["pairs"]} for item in rounds]
