"""The slow Dutch twins against the golden tournaments and the worked examples of their rules."""

import re
from itertools import combinations, permutations
from pathlib import Path

import pytest

from tests import golden
from tests.reference import dutch, dutch2012
from tests.reference.bare_events import bare_event, rule_5_event
from tests.reference.dutch_order import Pairs, exchanges, literal_order, order
from tests.reference.dutch_position import Position, read_trf, trf_answer, trf_event
from tests.reference.dutch_random import artificial_event, play
from tests.reference.event import Code, Event, NoPairing, Options, PairFunction, Pairing

DATA = Path(__file__).parent / "data"


def words(pairs: Pairs) -> str:
    """Write a candidate as the rules do: `1-3 2-4`."""
    return " ".join(f"{a}-{b}" for a, b in pairs)


def exchange_words(n: int, k: int, size: int) -> list[str]:
    """Write the exchanges of a size as the rules do: `5,4-6,7`."""
    return [
        f"{','.join(map(str, reversed(out)))}-{','.join(map(str, into))}"
        for out, into in exchanges(n, k)
        if len(out) == size
    ]


# ---- generation order


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 8) for k in range(n // 2 + 1)])
def test_pruned_order_is_the_literal_order(n: int, k: int) -> None:
    assert list(order(n, k)) == list(literal_order(n, k))


def test_order_skips_what_the_caller_refuses() -> None:
    kept = list(order(6, 3, lambda begun: begun[-1] != (1, 4)))
    assert kept == [pairs for pairs in literal_order(6, 3) if (1, 4) not in pairs]


def rows(table: str) -> list[str]:
    """Return the candidates of a table of the rules, 7.3."""
    return [row.strip() for row in table.split("|")]


FOUR = "1-3 2-4|1-4 2-3|1-2 3-4"
FIVE = """1-3 2-4|1-3 2-5|1-4 2-3|1-4 2-5|1-5 2-3|1-5 2-4|1-2 3-4|1-2 3-5|1-4 3-5|1-5 3-4|1-2 4-5|1-3 4-5|
2-4 3-5|2-5 3-4|2-3 4-5"""
SIX = """1-4 2-5 3-6|1-4 2-6 3-5|1-5 2-4 3-6|1-5 2-6 3-4|1-6 2-4 3-5|1-6 2-5 3-4|1-3 2-5 4-6|1-3 2-6 4-5|
1-5 2-3 4-6|1-6 2-3 4-5|1-3 2-4 5-6|1-4 2-3 5-6|1-2 3-5 4-6|1-2 3-6 4-5|1-2 3-4 5-6"""
SEVEN_FROM_1 = "1-4 2-5 3-6|1-4 2-5 3-7|1-4 2-6 3-5|1-4 2-6 3-7|1-4 2-7 3-5|1-4 2-7 3-6|1-5 2-4 3-6"
SEVEN_FROM_25 = "1-3 2-5 4-6|1-3 2-5 4-7|1-3 2-6 4-5|1-3 2-6 4-7"
EIGHT_EXCHANGES = "|4/5|4/6|3/5|4/7|3/6|2/5|3/7|2/6|2/7|3,4/5,6|3,4/5,7|2,4/5,6|2,4/5,7"
TWO_AND_FOUR = """1-3 2-4 5-6|1-3 2-5 4-6|1-3 2-6 4-5|1-4 2-3 5-6|1-4 2-5 3-6|1-4 2-6 3-5|1-5 2-3 4-6|1-5 2-4 3-6|
1-5 2-6 3-4|1-6 2-3 4-5|1-6 2-4 3-5|1-6 2-5 3-4"""
TWO_AND_FIVE = "1-3 2-4 5-6|1-3 2-4 5-7|1-3 2-4 6-7|1-3 2-5 4-6|1-3 2-5 4-7|1-3 2-5 6-7|1-3 2-6 4-5"
THREE_AND_TWO = "1-4 2-5|1-5 2-4|1-4 3-5|1-5 3-4|2-4 3-5|2-5 3-4"


@pytest.mark.parametrize(("n", "k", "table"), [(4, 2, FOUR), (5, 2, FIVE), (6, 3, SIX)])
def test_complete_small_orders(n: int, k: int, table: str) -> None:
    assert list(map(words, literal_order(n, k))) == rows(table)


def test_order_of_seven_players() -> None:
    made = list(map(words, literal_order(7, 3)))
    assert made[:7] == rows(SEVEN_FROM_1)
    assert made[24:28] == rows(SEVEN_FROM_25)


def test_exchanges_of_eight_players() -> None:
    made = list(literal_order(8, 4))
    assert len(made) == 105
    changes = []
    for pairs in made:
        s1, original = {a for a, _ in pairs}, {1, 2, 3, 4}
        out, into = (",".join(map(str, sorted(group))) for group in (original - s1, s1 - original))
        changes.append(f"{out}/{into}" if out else "")
    assert list(dict.fromkeys(changes)) == rows(EIGHT_EXCHANGES)


def bracket_order(scores: list[int], moved_down: int, eligible: range) -> list[str]:
    """Return the candidates that the twin of `dutch` generates for a bracket whose players nothing sets apart.

    Only the players in `eligible` may get the bye; MDPs stand first.
    """
    numbers = tuple(range(1, len(scores) + 1))
    engine = dutch.Engine(bare_event(scores, [], away=Code.PAIRING_BYE, may_get_bye=tuple(eligible)))
    bracket = dutch.Bracket(numbers[:moved_down], numbers[moved_down:])
    search = dutch.Search(engine, bracket, frozenset(engine.best_floaters(bracket).sets))
    return [words(pairs) for pairs in search.candidates()]


def test_order_with_players_moved_down() -> None:
    assert bracket_order([20, 15, 10, 10, 10, 10], 2, range(0)) == rows(TWO_AND_FOUR)
    assert bracket_order([20, 15, 10, 10, 10, 10, 10], 2, range(3, 8))[:7] == rows(TWO_AND_FIVE)


def test_order_with_a_player_in_the_limbo() -> None:
    assert bracket_order([20, 20, 20, 10, 10], 3, range(1, 4)) == rows(THREE_AND_TWO)


# ---- dutch2012


@pytest.mark.parametrize("tournament", golden.tournaments("dutch2012"), ids=lambda tournament: tournament.name)
def test_dutch2012_golden(tournament: golden.GoldenTournament) -> None:
    for event, expected in golden.replay(tournament):
        check_players(event, expected)
        if expected.pairing is None:
            with pytest.raises(NoPairing):
                dutch2012.pair(event)
        else:
            assert dutch2012.pair(event) == expected.pairing, f"round {event.round}"


def check_players(event: Event, expected: golden.GoldenRound) -> None:
    """Compare floats, and who may not get the bye, with what the file says."""
    players = dutch2012.Players(Position(event))
    assert expected.floats is not None
    assert expected.no_bye is not None
    for player in event.field:
        history = "--" + expected.floats[player - 1]
        assert [players.floats[player, back] for back in (1, 2)] == [history[-1], history[-2]]
    assert set(event.field) - players.may_get_bye == set(event.field) & expected.no_bye


def test_dutch2012_exchange_order() -> None:
    assert exchange_words(11, 5, 1)[:7] == ["5-6", "5-7", "4-6", "5-8", "4-7", "3-6", "5-9"]
    assert exchange_words(11, 5, 2)[:8] == [
        "5,4-6,7", "5,4-6,8", "5,3-6,7", "5,4-6,9", "5,4-7,8", "5,3-6,8", "5,2-6,7", "4,3-6,7",
    ]  # fmt: skip
    assert len(exchange_words(11, 5, 2)) == 150


A, B, C, D, E, F, G = range(1, 8)


def test_dutch2012_lowest_bracket_as_homogeneous() -> None:
    event = bare_event([30, 25, 25, 20, 15, 10], [(F, x) for x in (B, C, D, E)])
    engine = dutch2012.Engine(event)
    best = engine.complete((A, B, C), (D, E, F))
    assert best is not None
    assert set(best.pairs) == {(A, F), (B, C), (D, E)}
    bracket = dutch2012.Bracket((A, B, C), (D, E, F), lowest=True)
    other = dutch2012.Candidate(((A, F), (B, D), (C, E)), ())
    assert (engine.quality(bracket, best)[1], engine.quality(bracket, other)[1]) == (425, 525)


def test_dutch2012_lowest_bracket_as_heterogeneous() -> None:
    event = bare_event(
        [30, 25, 25, 20, 15, 10, 5], [(F, x) for x in (B, C, D, E, G)], away=Code.HALF_BYE, may_get_bye=(G,)
    )
    best = dutch2012.Engine(event).complete((A, B, C), (D, E, F, G))
    assert best == dutch2012.Candidate(((A, F), (B, D), (C, E)), (G,))


def test_dutch2012_rule_5_and_rule_4b() -> None:
    assert dutch2012.pair(rule_5_event()) == ([(3, 1), (8, 6), (7, 4), (5, 2)], None)


def test_dutch2012_rule_5_step_by_step() -> None:
    engine = dutch2012.Engine(rule_5_event())
    second = dutch2012.Bracket((3, 6), (1,))
    assert engine.best(second) == dutch2012.Candidate(((6, 1),), (3,))
    _, chosen = engine.pair_upper([(3, 6), (1,), (4, 7), (2,), (5, 8)])
    assert [candidate.pairs for candidate in chosen] == [(), ((3, 1),), ((6, 7),), ((4, 2),)]
    assert chosen[-1].unpaired == ()
    assert engine.complete((), (5, 8)) is None
    assert engine.complete((4, 2), (5, 8)) is None


def test_dutch2012_small_fields() -> None:
    assert dutch2012.pair(bare_event([], [])) == ([], None)
    assert dutch2012.pair(bare_event([0], [])) == ([], 1)
    with pytest.raises(NoPairing):
        dutch2012.pair(bare_event([0], [], away=Code.HALF_BYE))


# ---- dutch

TRF_FILES = sorted((DATA / "dutch").rglob("*.trf"))
SIZES = {path: int(re.search(r"_n(\d+)_", path.name)[1]) for path in TRF_FILES}  # type: ignore[index]
UNPAIRABLE = [
    line.partition(",")[0]
    for line in (DATA / "dutch" / "INDEX.csv").read_text(encoding="utf-8").splitlines()
    if "next=unpairable" in line
]


def check_file(path: Path) -> None:
    """Pair every round of a golden file again and compare."""
    trf = read_trf(path)
    for round in range(1, trf.rounds_present + 1):
        boards, bye = dutch.pair(trf_event(trf, round))
        assert (set(boards), bye) == trf_answer(trf, round), f"round {round}"


@pytest.mark.parametrize("path", [path for path in TRF_FILES if SIZES[path] < 16], ids=lambda path: path.stem)
def test_dutch_golden(path: Path) -> None:
    check_file(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in TRF_FILES if 16 <= SIZES[path] <= 30], ids=lambda path: path.stem)
def test_dutch_golden_larger(path: Path) -> None:
    check_file(path)


@pytest.mark.parametrize("name", UNPAIRABLE)
def test_dutch_golden_unpairable(name: str) -> None:
    trf = read_trf(DATA / "dutch" / name)
    with pytest.raises(NoPairing):
        dutch.pair(trf_event(trf, trf.rounds_present + 1, everybody=True))


BOARDS = {
    ("e01", 2): "4-1 2-3 5-8 7-6", ("e01", 3): "1-2 3-5 6-4 8-7", ("e02", 2): "1-2 5-3 4", ("e03", 2): "4-3 2",
    ("e04", 3): "1-5 3-2 4-6", ("e05", 2): "5-1 2-3 4", ("e06", 4): "6-1 4-2 5-3", ("e08", 4): "1-4 5-3 2",
    ("e09", 3): "3-1 5-4 2-6", ("e10", 3): "3-2 7-1 4-5 6", ("e11", 4): "1-5 6-7 4-3 2", ("e14", 3): "4-1 3-2",
    ("e15", 5): "4-1 3-8 6-7 5-2", ("e18", 1): "6-2 3-7 8-4 5-10", ("e19", 1): "1-4 5-2 3-6 7-9 10-8",
}  # fmt: skip


def example(name: str, round: int) -> Event:
    """Return the event before a worked example of the rules, section 16."""
    return trf_event(read_trf(next((DATA / "dutch").glob(f"{name}_*.trf"))), round)


def boards_and_bye(pairing: Pairing) -> str:
    """Write boards in their order, White first, and the bye last."""
    boards, bye = pairing
    return words(tuple(boards)) + (f" {bye}" if bye else "")


@pytest.mark.parametrize(("name", "round"), BOARDS)
def test_worked_examples(name: str, round: int) -> None:
    assert boards_and_bye(dutch.pair(example(name, round))) == BOARDS[name, round]


@pytest.mark.parametrize(
    ("players", "colour", "expected"),
    [(8, "W", "1-5 6-2 3-7 8-4"), (8, "B", "5-1 2-6 7-3 4-8"), (11, "W", "1-6 7-2 3-8 9-4 5-10 11")],
)
def test_round_1(players: int, colour: str, expected: str) -> None:
    event = Event([2000] * players, 5, Options(colour))
    assert boards_and_bye(dutch.pair(event)) == expected


# example, round, score of the residents, pairs, and what the rules say of that candidate's quality
CRITERIA = [
    ("e01", 2, 10, "1-3 2-4", {12: 2, 13: 2}), ("e01", 2, 10, "1-4 2-3", {12: 0, 13: 0}),
    ("e03", 2, 0, "3-2", {9: 1}), ("e03", 2, 0, "3-4", {9: 0}),
    ("e04", 3, 15, "1-3", {8: (1, (15,)), 14: 0}), ("e04", 3, 15, "1-5", {8: (1, (5,)), 14: 1}),
    ("e05", 2, 10, "1-2", {14: 1}), ("e05", 2, 10, "1-5", {14: 0}),
    ("e06", 4, 15, "2-3", {15: 1, 16: 0, 17: 0}), ("e06", 4, 15, "2-4", {15: 0, 16: 1, 17: 1}),
    ("e08", 4, 15, "1-4", {16: 0, 20: (dutch.LIMBO + 25,)}),
    ("e09", 3, 5, "2-4", {18: (dutch.LIMBO + 10,)}), ("e09", 3, 5, "5-4", {18: (5,)}),
    ("e10", 3, 5, "1-4 5-7", {19: (10,)}), ("e10", 3, 5, "1-7 5-4", {19: (5,)}),
    ("e11", 4, 15, "2-7", {12: 1}), ("e11", 4, 15, "3-7", {12: 1}), ("e11", 4, 15, "6-7", {12: 0}),
    ("e14", 3, 5, "1-2 3-4", {12: 1, 13: 1}), ("e14", 3, 5, "1-4 3-2", {12: 1, 13: 0}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "round", "residents", "pairs", "expected"), CRITERIA)
def test_worked_criteria(name: str, round: int, residents: int, pairs: str, expected: dict[int, object]) -> None:
    engine = dutch.Engine(example(name, round))
    bracket = next(b for b, _ in engine.brackets() if engine.players.score[b.residents[0]] == residents)
    quality = engine.quality(bracket, [(int(a), int(b)) for a, b in (pair.split("-") for pair in pairs.split())])
    assert {number: quality[number - 6] for number in expected} == expected


def test_lowest_score_for_the_bye() -> None:
    engine = dutch.Engine(example("e02", 2))
    assert engine.bye_score == 0
    assert not engine.players.eligible[5]
    first, _ = next(engine.brackets())
    assert engine.best_floaters(first) == dutch.Floaters(2, (10, 10), (frozenset({2, 5}),))


def test_third_identical_colour_of_a_topscorer() -> None:
    engine = dutch.Engine(example("e15", 5))
    assert [p for p in range(1, 9) if engine.players.topscorer[p]] == [1, 3]
    assert engine.players.legal(3, 4)
    assert engine.third_in_a_row(3, 4)


def all_candidates(engine: dutch.Engine, bracket: dutch.Bracket) -> list[tuple[tuple[int, int], ...]]:
    """Return every candidate of a bracket in generation order, for each number of MDP pairs and of other pairs."""
    found = []
    for size in range(len(bracket.moved_down) + 1):
        for s1 in combinations(bracket.moved_down, size):
            for partners in permutations(bracket.residents, size):
                left = [p for p in bracket.residents if p not in partners]
                for k in range(len(left) // 2 + 1):
                    rest = (tuple((left[a - 1], left[b - 1]) for a, b in made) for made in literal_order(len(left), k))
                    found += [(*zip(s1, partners, strict=True), *pairs) for pairs in rest]
    return [
        pairs
        for pairs in found
        if all(engine.players.legal(a, b) for a, b in pairs)
        and engine.completable(bracket.rest | engine.downfloaters(bracket, pairs))
    ]


def check_shortcuts(event: Event) -> None:
    """Compare every bracket of the twin with the least of all its candidates."""
    engine = dutch.Engine(event)
    for bracket, pairs in engine.brackets():
        candidates = all_candidates(engine, bracket)
        assert min(candidates, key=lambda made: engine.quality(bracket, made)) == pairs


@pytest.mark.parametrize("seed", range(60))
def test_shortcuts_change_nothing(seed: int) -> None:
    for event, pairing in play(dutch.pair, seed, most=7):
        if pairing is not None:
            check_shortcuts(event)


@pytest.mark.parametrize("seed", range(100))
def test_shortcuts_change_nothing_in_artificial_events(seed: int) -> None:
    event = artificial_event(seed, most=7)
    try:
        dutch.Engine(event)
    except NoPairing:
        return
    check_shortcuts(event)


# ---- random events

TWINS = pytest.mark.parametrize("pair", [dutch.pair, dutch2012.pair], ids=["dutch", "dutch2012"])


def check_pairing(event: Event, pairing: Pairing) -> None:
    """Check what every pairing must be: everybody once, no second meeting, no second point without play."""
    boards, bye = pairing
    byes = [] if bye is None else [bye]
    assert sorted([player for board in boards for player in board] + byes) == event.field
    assert not any(event.met(white, black) for white, black in boards)
    assert not any(event.had_point_without_play(player) for player in byes)


@TWINS
@pytest.mark.parametrize("seed", range(30))
def test_random_events_are_well_paired(pair: PairFunction, seed: int) -> None:
    for event, pairing in play(pair, seed):
        if pairing is not None:
            check_pairing(event, pairing)


@TWINS
@pytest.mark.parametrize("seed", range(100))
def test_artificial_events_are_well_paired(pair: PairFunction, seed: int) -> None:
    event = artificial_event(seed)
    try:
        pairing = pair(event)
    except NoPairing:
        return
    check_pairing(event, pairing)


@pytest.mark.parametrize("seed", range(200))
def test_dutch2012_fails_only_where_nothing_covers_the_field(seed: int) -> None:
    event = artificial_event(seed)
    engine = dutch2012.Engine(event)
    if engine.can_be_complete(event.field):
        engine.pair()
    else:
        with pytest.raises(NoPairing):
            engine.pair()


def pairings(seed: int) -> list[Pairing | None]:
    """Return the pairings of a random event."""
    return [pairing for _, pairing in play(dutch.pair, seed)]


def test_random_events_repeat() -> None:
    assert pairings(7) == pairings(7) != pairings(8)


def test_random_events_show_every_feature() -> None:
    seen: set[object] = set()
    for seed in range(60):
        for event, pairing in play(dutch.pair, seed):
            seen |= {entry.code for player in event.players for entry in event.entries(player)}
            seen |= {"acceleration"} if event.virtual else set()
            seen |= {"forbidden"} if event.forbidden else set()
            seen |= {"scoring"} if event.worth[Code.WIN] != 10 else set()
            seen |= {"no pairing"} if pairing is None else set()
            seen.add(len(event.players))
    assert seen == set(Code) | {"acceleration", "forbidden", "scoring", "no pairing"} | set(range(3, 13))
