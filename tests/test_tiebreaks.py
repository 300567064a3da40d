"""Tie-breaks: hand-computed tables, the literal twin on random events, ranks, lots, errors."""

import subprocess
import sys

import numpy as np
import pytest

from swisssim import tiebreaks
from swisssim.errors import SwissError
from swisssim.tiebreaks import TIEBREAKS, UNDEFINED, final_order, points, ranks, values
from tests.blocks import (
    ABSENT,
    DRAW,
    FORFEIT_LOSS,
    FORFEIT_WIN,
    FULL_BYE,
    HALF_BYE,
    LOSS,
    PAIRING_BYE,
    POSTPONED,
    WIN,
    ZERO_BYE,
    empty,
    play,
    random_block,
)  # fmt: skip
from tests.reference.tiebreaks import Event

EXACT = ["BH", "BH-C1", "BH-C2", "BH-M", "SB", "PS", "WIN", "WON", "BPG"]


def four_players():
    """Return a small event, computed by hand below.

    Round 1: 1-0 between A and B, D gets 1 point over C by forfeit. Round 2: A draws C, B beats D. Round 3: A and B
    stay away (zero and half point), C beats D. Points: A 1.5, B 1.5, C 1.5, D 1.
    """
    block = empty(1, 3, 4)
    a, b, c, d = range(4)
    play(block, (0, 0, 0), a, b, WIN)
    play(block, (0, 0, 1), d, c, FORFEIT_WIN)
    play(block, (0, 1, 0), c, a, DRAW)
    play(block, (0, 1, 1), b, d, WIN)
    block.result[0, 2, a], block.result[0, 2, b] = ZERO_BYE, HALF_BYE
    play(block, (0, 2, 0), c, d, WIN)
    return block


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        # A's adjusted score is 2 (the zero-point bye at the end is a draw), B's 1.5 (it already was), C's 1.5, D's 1.
        ("BH", [1.5 + 1.5 + 1.5, 2 + 1 + 1.5, 1.5 + 2 + 1, 1 + 1.5 + 1.5]),
        # Cut: A's and B's own voluntary round (1.5 each) first; C's forfeit loss (1.5) although D's score is lower; D
        # cuts his own 1.
        ("BH-C1", [3, 3, 3, 3]),
        ("BH-C2", [1.5, 2, 2, 1.5]),
        ("BH-M", [1.5, 1, 1, 1.5]),
        ("SB", [1.5 + 0.75 + 0, 0 + 1 + 0.75, 0 + 1 + 1, 1]),
        ("PS", [1 + 1.5 + 1.5, 0 + 1 + 1.5, 0 + 0.5 + 1.5, 3]),
        ("WIN", [1, 1, 1, 1]),
        ("WON", [1, 1, 1, 0]),
        ("BPG", [1, 1, 0, 2]),
    ],
)
def test_by_hand(name, shown):
    block = four_players()
    assert (values(block, name)[0] / TIEBREAKS[name].scale).tolist() == shown


def test_points_and_ranks_by_hand():
    block = four_players()
    assert points(block)[0].tolist() == [15, 15, 15, 10]
    assert ranks(block, order=[])[0].tolist() == [1, 1, 1, 4]
    # Buchholz parts C (level with A and B on cut 1) from nobody: 4.5 each; Sonneborn-Berger A 2.25, C 2, B 1.75.
    assert ranks(block)[0].tolist() == [1, 3, 2, 4]
    # After round 1 the forfeit counts as a game against oneself: D has a Buchholz of 1, A of 0; B of 1, C of 0.
    assert ranks(block, upto=1)[0].tolist() == [2, 3, 4, 1]
    assert ranks(block, upto=0)[0].tolist() == [1, 1, 1, 1]


def test_involuntary_rounds_keep_their_points_and_are_not_cut_first():
    block = empty(1, 2, 3)
    play(block, (0, 0, 0), 0, 1, WIN)
    block.result[0, 0, 2] = PAIRING_BYE
    play(block, (0, 1, 0), 2, 0, LOSS)
    block.result[0, 1, 1] = FULL_BYE
    # Points 2, 1, 1. Player 2's full-point bye counts as his own score 1, and is not cut before anything else: the
    # lowest goes.
    assert (values(block, "BH")[0] / 10).tolist() == [2, 3, 3]
    assert (values(block, "BH-C1")[0] / 10).tolist() == [1, 2, 2]
    assert values(block, "WIN")[0].tolist() == [2, 1, 1]
    assert values(block, "WON")[0].tolist() == [2, 0, 0]


def test_absences_at_the_end_are_draws_for_the_opponents_only():
    block = empty(1, 4, 2)
    play(block, (0, 0, 0), 0, 1, WIN)
    block.result[0, 1:, 0] = [ABSENT, FORFEIT_LOSS, ZERO_BYE]
    block.result[0, 1:, 1] = [PAIRING_BYE, ABSENT, ABSENT]
    assert (values(block, "BH")[0] / 10).tolist() == [2 + 3 * 1, 2.5 + 3 * 1]
    assert (values(block, "SB")[0] / 100).tolist() == [2, 1]


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("upto", [None, 2, 4])
def test_equals_the_literal_twin(name, upto):
    block = random_block(11, tournaments=12)
    found = values(block, name, upto=upto)
    for t in range(12):
        event = Event(block, t, upto)
        assert [event.value(name, i) * TIEBREAKS[name].scale for i in event.players] == found[t].tolist()


@pytest.mark.parametrize(
    "order", [(), ("BH-C1", "BH", "SB"), ("DE",), ("DE", "BH"), ("WIN", "DE"), ("PS", "BPG", "DE", "BH-M")]
)
@pytest.mark.parametrize("players", [4, 9])
def test_ranks_equal_the_literal_twin(order, players):
    block = random_block(5, tournaments=25, rounds=6, players=players, away=0.1)
    for upto in (3, 6):
        found = ranks(block, order=order, upto=upto)
        assert [Event(block, t, upto).ranking(order) for t in range(25)] == found.tolist()


def cycle(*winners: tuple[int, int]):
    """Return one event of four players, one game per round, with these winners and losers."""
    block = empty(1, len(winners), 4)
    for r, (white, black) in enumerate(winners):
        play(block, (0, r, 0), white, black, WIN)
    return block


def test_direct_encounter_of_two():
    block = cycle((1, 0), (0, 2), (3, 2))
    assert points(block)[0].tolist() == [10, 10, 0, 10]
    assert values(block, "DE")[0].tolist() == [0, 0, 0, 0]  # 1, 2 and 4 are level, and 4 has met neither
    pair = cycle((1, 0), (0, 2), (0, 3), (1, 3), (3, 2), (3, 2), (3, 2))
    assert points(pair)[0].tolist() == [20, 20, 0, 30]
    assert values(pair, "DE")[0].tolist() == [-1, 0, 0, 0]


def test_direct_encounter_of_players_who_have_not_all_met():
    # 1, 2 and 3 made a point each; 1 beat 2, 2 and 3 have not met, 1 and 3 have not met.
    block = cycle((0, 1), (1, 3), (2, 3))
    assert values(block, "DE")[0].tolist() == [0, 0, 0, 0]
    # 1 beat 2 and 3: whatever 2 against 3 would bring, he is ahead; the two others stay level.
    block = cycle((0, 1), (0, 2), (1, 3), (1, 3), (2, 3), (2, 3))
    assert points(block)[0].tolist() == [20, 20, 20, 0]
    assert values(block, "DE")[0].tolist() == [0, -1, -1, 0]
    # A forfeited game between the two is not a game.
    forfeited = cycle((0, 1), (0, 2), (1, 3), (2, 3), (2, 3), (2, 1))
    forfeited.result[0, 5, [2, 1]] = [FORFEIT_WIN, FORFEIT_LOSS]
    assert values(forfeited, "DE", upto=5)[0, 0] == 0


def test_direct_encounter_looks_again_within_the_parts():
    # All of 1..3 met twice over: 1 and 2 two points each in the group, 3 below; then 1 beat 2.
    block = empty(1, 9, 4)
    for r, (white, black) in enumerate([(0, 1), (2, 0), (1, 2), (1, 2), (0, 2), (0, 3), (3, 1), (2, 3), (2, 3)]):
        play(block, (0, r, 0), white, black, WIN)
    assert points(block)[0].tolist() == [30, 20, 30, 10]
    assert ranks(block, order=["DE"]).tolist() == [Event(block, 0).ranking(("DE",))]


def test_postponed_results_count_when_they_arrive():
    block = empty(1, 2, 2)
    play(block, (0, 0, 0), 0, 1, WIN)
    block.arrived[0, 0] = 2
    assert points(block, upto=1)[0].tolist() == [0, 0]
    assert points(block)[0].tolist() == [10, 0]
    block.result[0, 0] = POSTPONED
    assert points(block)[0].tolist() == [0, 0]
    assert values(block, "BPG")[0].tolist() == [0, 0]


def test_rating_tie_breaks_by_hand():
    block = empty(1, 4, 5)
    block.rating = np.array([[2000.0, 1900.0, 1801.0, 1700.0, 0.0]])
    play(block, (0, 0, 0), 0, 1, WIN)
    play(block, (0, 1, 0), 0, 2, DRAW)
    play(block, (0, 2, 0), 3, 0, FORFEIT_WIN)
    play(block, (0, 3, 0), 3, 0, WIN)
    # 1900, 1801 and 1700 over the board: mean 1800 1/3; 1.5 of 3.
    assert values(block, "ARO")[0].tolist() == [1800, 2000, 2000, 2000, UNDEFINED]
    assert values(block, "TPR")[0].tolist() == [1800, 1200, 2000, 2800, UNDEFINED]
    assert values(block, "PTP")[0].tolist() == [1801, 1200, 2000, 2800, UNDEFINED]
    assert ranks(block, order=["TPR"])[0].tolist() == [2, 4, 3, 1, 5]


@pytest.mark.parametrize("share", [0.1, 0.37, 0.5, 0.76, 0.9])
def test_rating_difference_inverts_the_expected_score(share):
    difference = tiebreaks.rating_difference(share)
    assert 1 / (1 + 10 ** (-difference / 400)) == pytest.approx(share, abs=1e-12)


def test_perfect_performance_is_the_lowest_rating_that_expects_the_points():
    block = random_block(2, tournaments=20)
    found = values(block, "PTP")
    checked = 0
    for t in range(20):
        event = Event(block, t)
        for i in event.players:
            games = event.games(i)
            made = float(sum(share for _, share in games))
            if not 0 < made < len(games):
                continue
            against = np.array([event.rating[j] for j, _ in games])
            expected = [np.sum(1 / (1 + 10 ** ((against - found[t, i] - shift) / 400))) for shift in (-1, 0)]
            assert expected[0] < made <= expected[1] + 1e-9
            checked += 1
    assert checked > 50


def test_lots_part_the_level_players_only():
    block = random_block(3, tournaments=30)
    lots = np.random.default_rng(1).random((30, 9))
    shared, strict = ranks(block), final_order(block, lots=lots)
    assert np.array_equal(np.sort(strict, axis=1), np.broadcast_to(np.arange(1, 10), (30, 9)))
    for t in range(30):
        expected = sorted(range(9), key=lambda i: (shared[t, i], lots[t, i]))
        assert np.argsort(strict[t]).tolist() == expected
    assert np.array_equal(final_order(empty(1, 1, 4), lots=np.zeros((1, 4)))[0], [1, 2, 3, 4])


def test_stopped_tournaments_count_the_rounds_that_were_paired():
    block = random_block(4, tournaments=6)
    whole = ranks(block, upto=3)
    block.opponent[2, 3:] = -1
    block.result[2, 3:] = ABSENT
    block.rounds_paired[2] = 3
    assert np.array_equal(ranks(block)[2], whole[2])


def test_chunks_do_not_show(monkeypatch):
    block = random_block(6, tournaments=25)
    whole = ranks(block, order=list(TIEBREAKS))
    monkeypatch.setattr(tiebreaks, "CHUNK", 4)
    assert np.array_equal(ranks(block, order=list(TIEBREAKS)), whole)


def test_one_field_for_all_tournaments():
    block = random_block(7, tournaments=5)
    block.rating = block.rating[:1]
    alone = values(block, "ARO")
    block.rating = np.repeat(block.rating, 5, axis=0)
    assert np.array_equal(values(block, "ARO"), alone)


@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 0, 4), (2, 3, 0), (1, 1, 1)])
def test_empty_blocks(shape):
    block = empty(*shape)
    for name in TIEBREAKS:
        assert values(block, name).shape == (shape[0], shape[2])
    assert ranks(block, order=list(TIEBREAKS)).shape == (shape[0], shape[2])


def test_errors_name_what_was_wrong():
    block = empty(1, 2, 4)
    with pytest.raises(SwissError, match=r"unknown tie-break 'BH-C3': did you mean"):
        values(block, "BH-C3")
    with pytest.raises(SwissError, match="'BH' stands twice"):
        ranks(block, order=["BH", "bh"])
    with pytest.raises(SwissError, match="list of names"):
        ranks(block, order="BH")
    with pytest.raises(SwissError, match="0 to 2"):
        ranks(block, upto=3)
    with pytest.raises(SwissError, match="shape"):
        final_order(block, lots=np.zeros((1, 3)))


def test_every_tie_break_says_what_it_is():
    for name, found in TIEBREAKS.items():
        assert found.name == name
        assert found.title
        assert "C.07" in found.rule


# ---- a second opinion

SYMBOLS = {
    WIN: "1", DRAW: "=", LOSS: "0", FORFEIT_WIN: "+", FORFEIT_LOSS: "-", PAIRING_BYE: "U", FULL_BYE: "F", HALF_BYE: "H",
    ZERO_BYE: "Z", ABSENT: "Z",
}  # fmt: skip


def report_file(block, t):
    """Return one tournament as a tournament report file."""
    lines = ["012 Event", "042 2025/01/01", "092 Individual: Swiss-System", f"XXR {block.rounds}"]
    for i in range(block.opponent.shape[2]):
        rounds = ""
        for r in range(block.rounds):
            opponent, symbol = int(block.opponent[t, r, i]), SYMBOLS[int(block.result[t, r, i])]
            colour = "w" if block.colour[t, r, i] > 0 else "b"
            rounds += f"  {opponent + 1:4d} {colour} {symbol}" if opponent >= 0 else f"  0000 - {symbol}"
        name, rating, points = f"Player {i + 1}", int(block.rating[t, i]), block.points[t, i] / 10
        lines.append(f"001 {i + 1:4d} m    {name:33} {rating:4d}{'':28}{points:4.1f} {i + 1:4d}{rounds}")
    return "\n".join(lines) + "\n"


def ends_with_a_forfeit_loss(block, t):
    """Tell whether somebody's voluntary rounds at the end hold a forfeit loss, which only this package counts as a draw."""
    for i in range(block.opponent.shape[2]):
        for r in reversed(range(block.rounds)):
            if block.result[t, r, i] == FORFEIT_LOSS:
                return True
            if block.result[t, r, i] not in (ABSENT, HALF_BYE, ZERO_BYE):
                break
    return False


def test_gacrux_agrees(tmp_path):
    pytest.importorskip("gacrux", reason="the second opinion on FIDE C.07 is an optional dependency (extra 'oracles')")
    block = random_block(1, tournaments=12, rounds=6, away=0.12, forfeit=0.1, late=False)
    theirs = {"BH-C1": "BH/C1", "BH-C2": "BH/C2", "BH-M": "BH/M1"}
    names = [*EXACT, "ARO"]
    chosen = [t for t in range(12) if not ends_with_a_forfeit_loss(block, t)][:4]
    assert len(chosen) == 4
    for t in chosen:
        path = tmp_path / "event.trf"
        path.write_text(report_file(block, t), encoding="ascii")
        command = [sys.executable, "-m", "gacrux.tiebreakchecker", "-i", str(path), "-o", "-", "-d", "T", "-t", "PTS"]
        command += [*(theirs.get(name, name) for name in names), "DE"]
        answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        rows = sorted(
            [line.split("\t") for line in answer.splitlines()[1:] if "\t" in line], key=lambda row: int(row[0])
        )
        for k, name in enumerate(names):
            assert [float(row[3 + k]) for row in rows] == tiebreaks.shown(block, name)[t].tolist(), (t, name)
        assert [int(row[1]) for row in rows] == ranks(block, order=[*names, "DE"])[t].tolist()
