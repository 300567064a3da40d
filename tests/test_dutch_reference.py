"""The slow Dutch twins against the golden tournaments and the worked examples of their rules."""

from pathlib import Path

import pytest

from tests.reference import dutch2012
from tests.reference.dutch_order import Pairs, exchanges, literal_order, order
from tests.reference.dutch_position import (
    Code,
    NoPairing,
    Pairing,
    Position,
    Record,
    golden_rounds,
    read_golden,
)

DATA = Path(__file__).parent / "data"
GOLDEN_2012 = read_golden(DATA / "golden" / "dutch2012.jsonl")


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


# ---- dutch2012


@pytest.mark.parametrize("number", range(len(GOLDEN_2012)))
def test_dutch2012_golden(number: int) -> None:
    for position, entry in golden_rounds(GOLDEN_2012[number]):
        scores = [position.score(player) / 10 for player in range(1, len(position.histories) + 1)]
        assert scores == entry["score"]
        if entry["pairs"] is None:
            with pytest.raises(NoPairing):
                dutch2012.pair(position)
        else:
            boards = tuple((white, black) for white, black in entry["pairs"])
            assert dutch2012.pair(position) == Pairing(boards, entry["bye"]), f"round {entry['round']}"


def test_dutch2012_golden_states_of_players() -> None:
    for tournament in GOLDEN_2012:
        for position, entry in golden_rounds(tournament):
            players = dutch2012.Players(position)
            for player in position.field:
                assert players.colours[player] == entry["colours"][player - 1].replace("-", "")
                floats = entry["floats"][player - 1]
                assert [players.floats[player, back] for back in (1, 2)] == list(("--" + floats)[:-3:-1])
            assert position.field - players.may_get_bye == position.field & set(entry["no_bye"])


def test_dutch2012_exchange_order() -> None:
    assert exchange_words(11, 5, 1)[:7] == ["5-6", "5-7", "4-6", "5-8", "4-7", "3-6", "5-9"]
    assert exchange_words(11, 5, 2)[:8] == [
        "5,4-6,7", "5,4-6,8", "5,3-6,7", "5,4-6,9", "5,4-7,8", "5,3-6,8", "5,2-6,7", "4,3-6,7",
    ]  # fmt: skip
    assert len(exchange_words(11, 5, 2)) == 150


def bare_position(
    scores: list[int], met: list[tuple[int, int]], away: Code = Code.ABSENT, may_get_bye: tuple[int, ...] = ()
) -> Position:
    """Return a position in which nobody has played, with given scores (tenths) and forbidden pairs.

    Everybody's only round has the code `away`, except for those who may get the bye.
    """
    return Position(
        histories=tuple(
            (Record(Code.ABSENT if player in may_get_bye else away),) for player in range(1, len(scores) + 1)
        ),
        field=frozenset(range(1, len(scores) + 1)),
        rounds=9,
        virtual=tuple((0, score) for score in scores),
        forbidden=frozenset(map(frozenset, met)),
    )


A, B, C, D, E, F, G = range(1, 8)


def test_dutch2012_lowest_bracket_as_homogeneous() -> None:
    position = bare_position([30, 25, 25, 20, 15, 10], [(F, x) for x in (B, C, D, E)])
    engine = dutch2012.Engine(position)
    best = engine.complete((A, B, C), (D, E, F))
    assert best is not None
    assert set(best.pairs) == {(A, F), (B, C), (D, E)}
    bracket = dutch2012.Bracket((A, B, C), (D, E, F), lowest=True)
    other = dutch2012.Candidate(((A, F), (B, D), (C, E)), ())
    assert (engine.quality(bracket, best)[1], engine.quality(bracket, other)[1]) == (425, 525)


def test_dutch2012_lowest_bracket_as_heterogeneous() -> None:
    position = bare_position(
        [30, 25, 25, 20, 15, 10, 5], [(F, x) for x in (B, C, D, E, G)], away=Code.HALF_BYE, may_get_bye=(G,)
    )
    best = dutch2012.Engine(position).complete((A, B, C), (D, E, F, G))
    assert best == dutch2012.Candidate(((A, F), (B, D), (C, E)), (G,))


def met_position(players: dict[int, tuple[int, str, tuple[int, ...]]]) -> Position:
    """Return the position before the last round: number to score, colours and opponents, nobody with a float."""
    done = len(players[1][1])
    return Position(
        histories=tuple(
            tuple(Record(Code.DRAW, o, c) for c, o in zip(colours, opponents, strict=True))
            for _, (_, colours, opponents) in sorted(players.items())
        ),
        field=frozenset(players),
        rounds=done + 1,
        virtual=tuple((0,) * done + (players[player][0],) for player in sorted(players)),
        past_scores=((0,) * len(players),) * done,
    )


def test_dutch2012_rule_5_and_rule_4b() -> None:
    position = met_position(
        {
            3: (30, "WBWB", (4, 5, 6, 7)), 6: (30, "WBWW", (2, 3, 4, 5)), 1: (25, "WBWB", (2, 4, 5, 7)),
            4: (20, "BWBW", (1, 3, 6, 8)), 7: (20, "BWBB", (1, 2, 3, 8)), 2: (15, "BWBW", (1, 6, 7, 8)),
            5: (10, "BWBW", (1, 3, 6, 8)), 8: (10, "WBWB", (2, 4, 5, 7)),
        }
    )  # fmt: skip
    assert dutch2012.pair(position) == Pairing(((3, 1), (8, 6), (7, 4), (5, 2)))


def test_dutch2012_rule_5_step_by_step() -> None:
    position = met_position(
        {
            3: (30, "WBWB", (4, 5, 6, 7)), 6: (30, "WBWW", (2, 3, 4, 5)), 1: (25, "WBWB", (2, 4, 5, 7)),
            4: (20, "BWBW", (1, 3, 6, 8)), 7: (20, "BWBB", (1, 2, 3, 8)), 2: (15, "BWBW", (1, 6, 7, 8)),
            5: (10, "BWBW", (1, 3, 6, 8)), 8: (10, "WBWB", (2, 4, 5, 7)),
        }
    )  # fmt: skip
    engine = dutch2012.Engine(position)
    second = dutch2012.Bracket((3, 6), (1,))
    assert engine.best(second) == dutch2012.Candidate(((6, 1),), (3,))
    _, chosen = engine.pair_upper([(3, 6), (1,), (4, 7), (2,), (5, 8)])
    assert [candidate.pairs for candidate in chosen] == [(), ((3, 1),), ((6, 7),), ((4, 2),)]
    assert chosen[-1].unpaired == ()
    assert engine.complete((), (5, 8)) is None
    assert engine.complete((4, 2), (5, 8)) is None


def test_dutch2012_small_fields() -> None:
    assert dutch2012.pair(bare_position([], [])) == Pairing(())
    assert dutch2012.pair(bare_position([0], [])) == Pairing((), 1)
    with pytest.raises(NoPairing):
        dutch2012.pair(bare_position([0], [], away=Code.HALF_BYE))
