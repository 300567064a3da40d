"""Floats: a hand-computed event and a literal count on random ones."""

import numpy as np
import pytest

from swisssim import floats
from swisssim.metrics import pick
from tests.blocks import WIN, empty, fill_scores, play, random_block


def four_rounds():
    """Return four players: 1 beats 2 and 3 beats 4, then three rounds of 1 against 4 and 3 against 2, all won by White."""
    results = empty(1, 4, 4)
    play(results, (0, 0, 0), 0, 1, WIN)
    play(results, (0, 0, 1), 2, 3, WIN)
    for r in (1, 2, 3):
        play(results, (0, r, 0), 0, 3, WIN)
        play(results, (0, r, 1), 2, 1, WIN)
    return fill_scores(results)


def test_by_hand():
    metrics = floats.metrics(four_rounds())

    def value(name):
        return pick(metrics, name).values[0]

    # Before rounds 2, 3, 4: 1 and 3 have 1, 2, 3 points and meet players with 0.
    assert value("float_games") == 6
    assert pick(metrics, "float_share").mean == 6 / 8
    assert pick(metrics, "float_share_by_round").mean.tolist() == [0, 1, 1, 1]
    assert value("float_sum") == 2 * (1 + 2 + 3)
    assert value("float_sum_by_round").tolist() == [0, 2, 4, 6]
    assert value("float_max") == 3
    # Two players float down three times running: twice after the previous round, once after two rounds ago.
    assert value("repeated_floats").tolist() == [[4, 4], [2, 2]]
    assert pick(metrics, "repeated_float_share").mean.tolist() == [[4 / 6, 4 / 6], [2 / 6, 2 / 6]]
    assert pick(metrics, "floats_by_quantile").mean.tolist() == [[0.75, 0], [0, 0.75], [0.75, 0], [0, 0.75]]
    by_round = pick(metrics, "floats_by_quantile_and_round").mean
    assert by_round[0].tolist() == [[0, 0], [1, 0], [1, 0], [1, 0]]


@pytest.mark.parametrize("seed", [1, 2])
def test_random_events_counted_literally(seed):
    results = random_block(seed, tournaments=15, rounds=7, players=9)
    metrics = floats.metrics(results)
    games = results.games
    for t in range(15):
        rows = games[games.tournament == t]
        gap = (rows.white_points - rows.black_points).abs()
        assert pick(metrics, "float_games").values[t] == (gap > 0).sum()
        assert pick(metrics, "float_sum").values[t] == pytest.approx(gap.sum())
        assert pick(metrics, "float_max").values[t] == gap.max()
        assert pick(metrics, "repeated_floats").values[t].tolist() == repeated(results, t)


def repeated(results, t):
    """Return repeated floats [[down, up] one round ago, two rounds ago] of one tournament."""
    found = np.zeros((2, 2))
    for i in range(results.opponent.shape[2]):
        ways = []
        for r in range(results.rounds):
            j = results.opponent[t, r, i]
            ways.append(0 if j < 0 else int(np.sign(int(results.score[t, r, i]) - int(results.score[t, r, j]))))
        for r, way in enumerate(ways):
            for ago in (1, 2):
                if way and r >= ago and ways[r - ago] == way:
                    found[ago - 1, 0 if way > 0 else 1] += 1
    return found.tolist()


def test_tables_and_stopped_tournaments():
    results = random_block(3, tournaments=6)
    results.stopped[2] = True
    for question in (floats.games, floats.repeated, floats.by_quantile):
        assert question(results).tournaments.max() == 5
    assert all(np.isnan(metric.values[2]).all() for metric in floats.metrics(results))


def test_a_single_round_has_no_floats():
    results = empty(2, 1, 4)
    play(results, (0, 0, 0), 0, 1)
    table = floats.repeated(results).set_index(["metric", "label"])
    assert table.loc[("repeated_float_share", "previous round / down"), "note"].startswith(
        "not defined: nobody floated"
    )
