"""The `dutch` room: golden tournaments, worked examples, the slow twin, and the exact choice against the fast paths."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

import swisssim
from swisssim import trf
from swisssim._state import REASONS
from tests import compiled
from tests.reference import dutch as twin
from tests.reference.dutch_order import Pairs, literal_order
from tests.reference.dutch_position import read_trf, trf_event
from tests.reference.dutch_random import artificial_event, play
from tests.reference.event import Event, NoPairing, Options, Pairing

FOLDER = Path(__file__).parent / "data" / "dutch"
FILES = sorted(FOLDER.rglob("*.trf"))
with (FOLDER / "INDEX.csv").open(encoding="utf-8", newline="") as _index:
    UNPAIRABLE = [row["file"] for row in csv.DictReader(_index) if "next=unpairable" in row["options"]]


def room(event: Event) -> swisssim.PairingSystem:
    return swisssim.system("dutch", forfeits_count_as_met=event.options.forfeits_count_as_met)


def answer(event: Event, **settings: object) -> Pairing | None:
    """Pair with the compiled room under some settings of its state; None if no pairing exists."""
    state = compiled.state_of(event)
    for name, value in settings.items():
        setattr(state, name, value)
    return compiled.answer(room(event), event, state=state)


def answer_or_raise(event: Event) -> Pairing:
    return compiled.pair(room(event), event)


# ---- golden tournaments


def in_order(boards: list[tuple[int, int]], points: dict[int, float]) -> list[tuple[int, int]]:
    """Sort boards by section 10 of the rules: points of the higher player, of the lower, number of the higher."""

    def key(board: tuple[int, int]) -> tuple[float, float, int]:
        high, low = sorted(board, key=lambda player: (-points[player], player))
        return -points[high], -points[low], high

    return sorted(boards, key=key)


def points_before(report: trf.Report, round: int) -> dict[int, float]:
    event = swisssim.Tournament.from_trf(report, system="dutch", rounds=round - 1)
    table = event.standings(order=())
    return dict(zip(table["player"], table["points"], strict=True))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    report = trf.read(path)
    for round in range(1, report.rounds_played + 1):
        pairing = swisssim.Tournament.from_trf(report, system="dutch", rounds=round - 1).pair()
        entries = {player: report.entry(player, round) for player in report.players}
        expected = [(player, entry.opponent) for player, entry in entries.items() if entry.colour == "w"]
        byes = [player for player, entry in entries.items() if entry.meaning == "PAIRING_BYE"]
        assert pairing.boards == in_order(expected, points_before(report, round)), f"round {round}"
        assert pairing.bye == (byes[0] if byes else None), f"round {round}"


SMALLER = [path for path in FILES if int(path.stem.partition("_n")[2].partition("_")[0]) <= 100]


@pytest.mark.parametrize("path", SMALLER, ids=lambda path: path.stem)
def test_golden_by_the_exact_choice_alone(path: Path) -> None:
    report = read_trf(path)
    for round in range(1, report.rounds_present + 1):
        event = trf_event(report, round)
        assert answer(event, node_budget=0) == answer(event), f"round {round}"


@pytest.mark.parametrize("name", UNPAIRABLE)
def test_golden_unpairable(name: str) -> None:
    report = trf.read(FOLDER / name)
    event = swisssim.Tournament.from_trf(report, system="dutch", rounds=report.rounds_played)
    event.rounds += 1
    with pytest.raises(swisssim.NoPairingError, match=f"round {report.rounds_played + 1}: no legal pairing exists: .*"):
        event.pair()


# ---- the slow twin


def check_seed(seed: int, *, most: int) -> int:
    """Play one event paired by the twin and take one artificial position; the room has to give the same everywhere."""
    rounds = 1
    for event, pairing in play(twin.pair, seed, most=most):
        assert answer(event) == pairing, f"seed {seed}, round {event.round}"
        assert answer(event, node_budget=0) == pairing, f"seed {seed}, round {event.round}"
        rounds += 1
    event = artificial_event(seed, most=most)
    try:
        expected: Pairing | None = twin.pair(event)
    except NoPairing:
        expected = None
    assert answer(event) == answer(event, node_budget=0) == expected, f"artificial, seed {seed}"
    return rounds


@pytest.mark.parametrize("seed", range(0, 600, 30))
def test_equals_the_twin(seed: int) -> None:
    assert sum(check_seed(s, most=9) for s in range(seed, seed + 30)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 5000, 250))
def test_equals_the_twin_on_thousands_of_events(seed: int) -> None:
    assert sum(check_seed(s, most=11) for s in range(seed, seed + 250)) > 500


# ---- the exact choice against the fast paths


def check_budgets(seed: int, *, fewest: int, most: int) -> int:
    rounds = 0
    for event, pairing in play(answer_or_raise, seed, fewest=fewest, most=most):
        for budget in (0, 1, 30, 3000):
            assert answer(event, node_budget=budget) == pairing, f"seed {seed}, round {event.round}, budget {budget}"
        rounds += 1
    event = artificial_event(seed, fewest=fewest, most=most)
    found = {str(answer(event, node_budget=budget)) for budget in (0, 1, 30, 3000)}
    assert len(found) == 1, f"artificial, seed {seed}: {found}"
    return rounds + 1


@pytest.mark.parametrize("seed", range(0, 160, 20))
def test_fast_paths_change_nothing(seed: int) -> None:
    assert sum(check_budgets(s, fewest=6, most=30) for s in range(seed, seed + 20)) > 60


@pytest.mark.parametrize("seed", range(5))
def test_fast_paths_change_nothing_in_large_fields(seed: int) -> None:
    assert check_budgets(seed, fewest=60, most=120) > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10_000, 13_000, 200))
def test_fast_paths_change_nothing_in_thousands_of_events(seed: int) -> None:
    assert sum(check_budgets(s, fewest=6, most=40) for s in range(seed, seed + 200)) > 500
    assert check_budgets(seed, fewest=80, most=250) > 2


# ---- worked examples


def example(name: str, round: int) -> Event:
    """Return the event before a worked example of the rules, section 16."""
    return trf_event(read_trf(next(FOLDER.glob(f"{name}_*.trf"))), round)


def words(pairing: Pairing | None) -> str:
    """Write boards in their order, White first, and the bye last."""
    assert pairing is not None
    boards, bye = pairing
    return " ".join(f"{white}-{black}" for white, black in boards) + (f" {bye}" if bye else "")


EXAMPLES = {
    ("e01", 2): "4-1 2-3 5-8 7-6", ("e01", 3): "1-2 3-5 6-4 8-7", ("e02", 2): "1-2 5-3 4", ("e03", 2): "4-3 2",
    ("e04", 3): "1-5 3-2 4-6", ("e05", 2): "5-1 2-3 4", ("e06", 4): "6-1 4-2 5-3", ("e08", 4): "1-4 5-3 2",
    ("e09", 3): "3-1 5-4 2-6", ("e10", 3): "3-2 7-1 4-5 6", ("e11", 4): "1-5 6-7 4-3 2", ("e14", 3): "4-1 3-2",
    ("e15", 5): "4-1 3-8 6-7 5-2", ("e18", 1): "6-2 3-7 8-4 5-10", ("e19", 1): "1-4 5-2 3-6 7-9 10-8",
}  # fmt: skip


@pytest.mark.parametrize(("name", "round"), EXAMPLES)
def test_worked_examples(name: str, round: int) -> None:
    assert words(answer(example(name, round))) == EXAMPLES[name, round]


@pytest.mark.parametrize(
    ("players", "colour", "expected"),
    [(8, "W", "1-5 6-2 3-7 8-4"), (8, "B", "5-1 2-6 7-3 4-8"), (11, "W", "1-6 7-2 3-8 9-4 5-10 11")],
)
def test_round_1(players: int, colour: str, expected: str) -> None:
    assert words(answer(Event([2000] * players, 5, Options(colour)))) == expected


# ---- generation order


def first_permitted(candidates: list[Pairs], players: int, seed: int) -> None:
    """Permit only the pairs of a few candidates: the first one that is permitted as a whole is the answer."""
    rng = random.Random(seed)
    chosen = rng.sample(candidates, min(len(candidates), rng.randint(1, 4)))
    permitted = {pair for pairs in chosen for pair in pairs}
    event = Event([2000] * players, 5)
    event.forbidden = {frozenset(pair) for pair in combinations(range(1, players + 1), 2) if pair not in permitted}
    expected = next(pairs for pairs in candidates if permitted.issuperset(pairs))
    for budget in (0, 10**4):
        found = answer(event, node_budget=budget)
        assert found is not None
        assert {tuple(sorted(board)) for board in found[0]} == set(expected), f"seed {seed}, budget {budget}"


@pytest.mark.parametrize("players", range(4, 10))
def test_order_of_a_homogeneous_bracket(players: int) -> None:
    candidates = list(literal_order(players, players // 2))
    for seed in range(100):
        first_permitted(candidates, players, seed)


# ---- options


@pytest.mark.parametrize(("bye_floats", "floater"), [(False, 5), (True, 4)])
def test_a_bye_worth_a_loss_is_a_downfloat_only_on_demand(bye_floats: bool, floater: int) -> None:
    """Of 3, 4 and 5 with one point each somebody meets 6, who was absent; 5 had the bye (C14)."""
    system = swisssim.system("dutch", bye_floats=bye_floats)
    points = {"win": 3, "draw": 2, "loss": 1, "bye": 1, "zero_bye": 0}
    event = swisssim.Tournament([2000 - k for k in range(6)], 4, system=system, points=points)
    assert event.pair(absent={6: "zero"}).bye == 5
    event.record({(1, 3): 1.0, (4, 2): 0.0})
    boards = {frozenset(board) for board in event.pair().boards}
    assert boards == {frozenset((1, 2)), frozenset((3, 9 - floater)), frozenset((floater, 6))}


# ---- the trace


def told(event: Event) -> Iterator[tuple[str, int, int, str]]:
    """Pair with tracing and yield the article, the two players from 1 (0: none) and the words of every event."""
    state = compiled.state_of(event)
    state.tracing = True
    compiled.pair(room(event), event, state=state)
    kind = swisssim.SYSTEMS["dutch"]
    reasons = {**REASONS, **kind.REASONS}
    for article, player, candidate, reason in state.events():
        words = reasons[reason].format(player="", others="").partition(":")[0].strip(" -")
        yield kind.ARTICLES[article].partition(" ")[0], player + 1, candidate + 1, words


# example, round, and what the rules say decides there: (article, player, passed over) or (article, downfloater)
DECISIONS = [
    ("e01", 2, ("C12", 1, 3)), ("e02", 2, ("C4", 2)), ("e02", 2, ("C4", 5)), ("e03", 2, ("C9", 3, 2)), ("e03", 2, ("C9", 2)),
    ("e04", 3, ("C8", 1, 3)), ("e05", 2, ("C14", 1, 2)), ("e06", 4, ("C15", 2, 3)), ("e09", 3, ("C18", 2)),
    ("e10", 3, ("C19", 1, 4)), ("e11", 4, ("C12", 2)), ("e11", 4, ("C12", 3)), ("e11", 4, ("C20", 2)),
    ("e14", 3, ("C13", 1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "round", "decision"), DECISIONS)
def test_the_trace_names_the_criterion_that_decides(name: str, round: int, decision: tuple[str | int, ...]) -> None:
    events = list(told(example(name, round)))
    if len(decision) == 3:
        assert (*decision, "passed over") in events
    else:
        assert any((*decision, 0, words) in events for words in ("floats down", "is left over")), events


@pytest.mark.parametrize("seed", range(40))
def test_the_trace_tells_every_pair_and_bracket(seed: int) -> None:
    for event, pairing in play(answer_or_raise, seed, most=20):
        if pairing is None:
            continue
        events = list(told(event))
        made = {frozenset((a, b)) for _, a, b, reason in events if reason.startswith("meets")}
        assert made == {frozenset(board) for board in pairing[0]}
        assert {p for article, p, _, reason in events if article == "B" and reason == "resident"} == set(event.field)
        assert [(a, b) for article, a, b, _ in events if article.startswith("E.")] != [] or not pairing[0]
        byes = [p for _, p, _, reason in events if reason == "has the bye"]
        assert byes == ([] if pairing[1] is None else [pairing[1]])


# ---- a second opinion


def played_event(seed: int, *, players: int, rounds: int) -> swisssim.Tournament:
    """Play a whole event with some half-point byes and forfeits."""
    rng = random.Random(seed)
    colour = rng.choice(["white", "black"])
    event = swisssim.Tournament([2000 - k for k in range(players)], rounds, system="dutch", initial_colour=colour)
    for _ in range(rounds):
        absent = {player: "half" for player in event.players if rng.random() < 0.05}
        boards = event.pair(absent=absent).boards
        scores: list[float | str] = [1.0, 1.0, 0.5, 0.0, "+-"]
        event.record({board: rng.choice(scores) for board in boards})
    return event


@pytest.mark.parametrize("seed", range(4))
def test_gacrux_agrees(seed: int, tmp_path: Path) -> None:
    pytest.importorskip(
        "gacrux", reason="the second opinion on FIDE C.04.3 is an optional dependency (extra 'oracles')"
    )
    event = played_event(seed, players=14 + 9 * seed, rounds=7)
    path, checked = tmp_path / "event.trf", tmp_path / "checked.json"
    trf.write(event.to_trf(), path)
    command = [sys.executable, "-m", "gacrux.pairingchecker", "-i", str(path), "-o", str(checked), "-c", "-m", "dutch"]
    subprocess.run(command, capture_output=True, check=True, timeout=120)
    rounds = json.loads(checked.read_text(encoding="utf-8"))["pairingResult"]["roundpairing"]
    assert len(rounds) == 7
    for number, theirs in enumerate(rounds, 1):
        pairing = event.pairing(number)
        byes = [] if pairing.bye is None else [(pairing.bye, 0)]
        assert {tuple(pair) for pair in theirs["pairs"]} == {*pairing.boards, *byes}, f"round {number}"
