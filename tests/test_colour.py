"""Colour balance: hand-computed events, a literal count on random ones, the regression against numpy."""

import numpy as np
import pytest

from swisssim import colour
from swisssim.codes import Code
from swisssim.metrics import QUANTILES, pick
from tests.blocks import DRAW, FORFEIT_WIN, POSTPONED, WIN, empty, play, random_block


def value(results, name):
    """Return the values of one metric for the first tournament."""
    return pick(colour.metrics(results), name).values[0]


def six_rounds():
    """Return four players: 1 always White against 2, 3 and 4 alternate; round 4 of the first pair is a forfeit."""
    results = empty(1, 6, 4)
    for r in range(6):
        play(results, (0, r, 0), 0, 1, FORFEIT_WIN if r == 3 else WIN)
        play(results, (0, r, 1), *((2, 3) if r % 2 == 0 else (3, 2)), DRAW)
    return results


def test_final_differences_by_hand():
    results = six_rounds()
    # w - b: +5 and -5 (the forfeit has no colour), 0 and 0.
    assert value(results, "imbalance") == 2.5
    assert value(results, "imbalance_sum") == 10
    assert value(results, "imbalance_2") == value(results, "imbalance_3") == 0.5
    assert value(results, "colour_difference").tolist() == [0.25, 0, 0, 0, 0.5, 0, 0, 0, 0.25]
    assert value(results, "imbalance_by_quantile").tolist() == [5, 5, 0, 0]
    assert value(results, "imbalance_by_round").tolist() == [1, 1, 2, 1.5, 2.5, 2.5]


def test_runs_by_hand():
    results = six_rounds()
    # Five Whites in a row: the forfeited round in between is passed over.
    assert value(results, "longest_run") == 3
    assert value(results, "longest_run_max") == 5
    assert value(results, "run_length").tolist() == [0, 0.5, 0, 0, 0, 0.5]
    assert value(results, "runs_3") == 0.5
    assert value(results, "runs_3_by_quantile").tolist() == [1, 1, 0, 0]


def test_due_colours_by_hand():
    results = six_rounds()
    metrics = colour.metrics(results)
    by_round = pick(metrics, "due_miss_by_round")
    # Rounds 2, 3, 5 and 6: 1 and 2 are due the other colour and don't get it, 3 and 4 get theirs. Round 4: 3 and 4
    # alone.
    assert by_round.values[0].tolist() == [0, 2, 2, 0, 2, 2]
    assert by_round.weights is not None
    assert by_round.weights[0].tolist() == [0, 4, 4, 2, 4, 4]
    assert pick(metrics, "due_misses").values[0] == 8
    assert pick(metrics, "due_miss_share").mean == pytest.approx(8 / 18)
    assert pick(metrics, "due_miss_by_quantile").mean.tolist() == [1, 1, 0, 0]
    table = colour.due_colours(results).set_index(["metric", "label"])
    assert table.loc[("due_miss_by_round", "1"), "note"].startswith("not defined: nobody had a due colour")


def test_a_level_player_is_due_the_opposite_of_his_last_colour():
    results = empty(1, 3, 2)
    for r, (white, black) in enumerate([(0, 1), (1, 0), (1, 0)]):
        play(results, (0, r, 0), white, black, POSTPONED if r == 0 else WIN)
    # Level after two games; both had last what they get now.
    assert pick(colour.metrics(results), "due_miss_by_round").values[0].tolist() == [0, 0, 2]


def literal(results, t, i):
    """Return the final difference, the longest run, chances and misses of one player, round by round."""
    colours = []
    chances = misses = 0
    for r in range(results.rounds):
        code = results.result[t, r, i]
        if code in (Code.WIN, Code.DRAW, Code.LOSS, Code.POSTPONED):
            here = int(results.colour[t, r, i])
            difference = sum(colours)
            due = -np.sign(difference) if difference else (-colours[-1] if colours else 0)
            chances += due != 0
            misses += due == -here
            colours.append(here)
    longest = max((len(run) for run in "".join("W" if c > 0 else "B" for c in colours).replace("WB", "W B")
                   .replace("BW", "B W").split()), default=0)  # fmt: skip
    return sum(colours), longest, chances, misses


@pytest.mark.parametrize("seed", [1, 2])
def test_random_events_counted_literally(seed):
    results = random_block(seed, tournaments=15, rounds=8, players=7)
    metrics = colour.metrics(results)
    for t in range(15):
        counted = [literal(results, t, i) for i in range(7)]
        assert pick(metrics, "imbalance_sum").values[t] == sum(abs(d) for d, *_ in counted)
        assert pick(metrics, "longest_run").values[t] == pytest.approx(np.mean([run for _, run, *_ in counted]))
        assert pick(metrics, "due_misses").values[t] == sum(missed for *_, missed in counted)
        share = pick(metrics, "due_miss_share").weights
        assert share is not None
        assert share[t] == sum(chances for *_, chances, _ in counted)


def test_points_per_white_is_the_least_squares_coefficient():
    results = random_block(5, tournaments=8, rounds=7, players=20)
    found = pick(colour.metrics(results), "points_per_white").values
    for t in range(8):
        difference = [literal(results, t, i)[0] for i in range(20)]
        design = np.column_stack([np.ones(20), results.strength[t], difference])
        slope = np.linalg.lstsq(design, results.points[t] / 10, rcond=None)[0][2]
        assert found[t] == pytest.approx(slope, rel=1e-9)


def test_points_per_white_without_differences_or_strengths():
    results = six_rounds()
    results.strength = np.full((1, 4), 1500.0)
    slope = np.polyfit([5, -5, 0, 0], [6, 0, 3, 3], 1)[0]
    assert value(results, "points_per_white") == pytest.approx(slope)
    nobody = empty(1, 2, 4)
    assert np.isnan(value(nobody, "points_per_white"))


def test_stopped_tournaments_have_no_value():
    results = random_block(7, tournaments=3)
    results.stopped[1] = True
    for metric in colour.metrics(results):
        assert np.isnan(metric.values[1]).all()
    table = colour.balance(results).set_index(["metric", "label"])
    assert table.loc[("imbalance", ""), "tournaments"] == 2


@pytest.mark.parametrize("shape", [(2, 1, 2), (1, 3, 1), (1, 1, 3)])
def test_small_events(shape):
    results = empty(*shape)
    for metric in colour.metrics(results):
        assert metric.values.shape[0] == shape[0]
    assert pick(colour.metrics(results), "imbalance_by_quantile").labels == (QUANTILES,)


def test_tables_of_all_questions_have_intervals():
    results = random_block(9, tournaments=12)
    for question in (colour.balance, colour.runs, colour.due_colours, colour.points_per_white):
        table = question(results)
        assert {"metric", "label", "mean", "low", "high", "note"} <= set(table)
