"""Ranking quality: scipy as the oracle, hand-computed orders, meetings, events without a ranking."""

import numpy as np
import pytest
from scipy import stats

from swisssim import ranking, tiebreaks
from swisssim._metrics import kendall
from swisssim.errors import SwissError
from swisssim.metrics import pick
from tests.blocks import DRAW, FORFEIT_WIN, LOSS, WIN, empty, play, random_block


@pytest.mark.parametrize("levels", [2, 5, 1000])
@pytest.mark.parametrize("players", [2, 3, 17, 64])
def test_kendall_equals_scipy(levels, players):
    rng = np.random.default_rng(levels * players)
    x, y = (stats.rankdata(rng.integers(0, levels, (40, players)), "min", axis=1).astype(np.int32) for _ in range(2))
    counts = np.empty((40, 3), np.int64)
    kendall(x, y, counts)
    for t in range(40):
        pairs = [(i, j) for i in range(players) for j in range(i)]
        signs = [np.sign(x[t, i] - x[t, j]) * np.sign(y[t, i] - y[t, j]) for i, j in pairs]
        assert counts[t, 0] == sum(signs)
        below = np.sqrt(float((len(pairs) - counts[t, 1]) * (len(pairs) - counts[t, 2])))
        expected = stats.kendalltau(x[t], y[t]).statistic
        assert (counts[t, 0] / below if below else np.nan) == pytest.approx(expected, nan_ok=True)


def places_of(results, after):
    return tiebreaks.final_order(results, lots=results.lots(), upto=after)


@pytest.mark.parametrize("tied", [False, True])
def test_measures_equal_scipy_after_every_round(tied):
    results = random_block(3, tournaments=12, rounds=5, players=10)
    if tied:
        results.strength = np.round(results.strength / 200) * 200
    metrics = ranking.metrics(results)
    for after in (1, 3, 5):
        place = places_of(results, after)
        alone = tiebreaks.ranks(results, order=(), upto=after)
        for t in range(12):
            strength = results.strength[t]

            def found(name, t=t, after=after):
                return pick(metrics, f"{name}_by_round").values[t, after - 1]

            pairs = 45
            agree = sum(
                np.sign(strength[i] - strength[j]) * np.sign(place[t, j] - place[t, i])
                for i in range(10)
                for j in range(i)
            )
            assert found("tau") == pytest.approx(agree / pairs)
            assert found("tau_normalised") == pytest.approx((1 + agree / pairs) / 2)
            assert found("tau_b") == pytest.approx(stats.kendalltau(-strength, place[t]).statistic)
            assert found("tau_b_points") == pytest.approx(stats.kendalltau(-strength, alone[t]).statistic, nan_ok=True)
            assert found("spearman") == pytest.approx(stats.spearmanr(-strength, place[t]).statistic)
    assert np.array_equal(pick(metrics, "tau").values, pick(metrics, "tau_by_round").values[:, -1])


def test_top_groups_and_ndcg_by_hand():
    results = empty(1, 1, 4)
    play(results, (0, 0, 0), 0, 2, LOSS)
    play(results, (0, 0, 1), 1, 3, WIN)
    results.strength = np.array([[2000.0, 1900.0, 1800.0, 1700.0]])
    results.provenance["seed"] = 3
    place = places_of(results, 1)[0]
    metrics = ranking.metrics(results)
    assert sorted(place[[1, 2]].tolist()) == [1, 2]
    assert sorted(place[[0, 3]].tolist()) == [3, 4]
    gain = [3, 2, 1, 0]
    dcg = sum(gain[i] / np.log2(place[i] + 1) for i in range(4))
    ideal = 3 / 1 + 2 / np.log2(3) + 1 / 2
    assert pick(metrics, "ndcg").values[0] == pytest.approx(dcg / ideal)
    assert pick(metrics, "top_1").values[0] == (place[0] == 1)
    assert pick(metrics, "top_3").values[0] == pytest.approx(sum(place[i] <= 3 for i in (0, 1, 2)) / 3)
    assert pick(metrics, "place_of_best").values[0] == place[0]
    assert np.isnan(pick(metrics, "top_8").values[0])
    table = ranking.quality(results).set_index(["metric", "label"])
    assert table.loc[("top_8", ""), "note"].startswith("not defined: fewer players than 8")
    assert table.loc[("tau", ""), "note"] == "one tournament: no interval"


def test_a_perfect_and_a_reversed_order():
    results = empty(2, 3, 4)
    orders = [range(4), range(3, -1, -1)]
    for t, order in enumerate(orders):
        a, b, c, d = order
        for r, games in enumerate([((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]):
            for white, black in games:
                play(results, (t, r, 0), white, black, WIN)
    metrics = ranking.metrics(results)
    for name, expected in (
        ("tau", [1, -1]), ("tau_b", [1, -1]), ("spearman", [1, -1]), ("tau_points", [1, -1]), ("top_1", [1, 0]),
        ("place_of_best", [1, 4]), ("tau_normalised", [1, 0]),
    ):  # fmt: skip
        assert pick(metrics, name).values.tolist() == pytest.approx(expected)
    assert pick(metrics, "ndcg").values[0] == pytest.approx(1)


def test_equal_strengths_have_no_ranking():
    results = random_block(1, tournaments=4)
    results.strength = np.full((1, 9), 1500.0)
    for metric in ranking.metrics(results):
        if not metric.name.startswith(("rating_gap", "leaders_meet_last")):
            assert np.isnan(metric.values).all(), metric.name
    assert ranking.quality(results).note.str.startswith("not defined: ").all()
    assert "all strengths are equal" in ranking.quality(results).note[0]


def test_meetings_by_hand():
    results = empty(3, 3, 4)
    # Tournament 0: the two strongest are paired in round 2 but forfeit, and play in round 3. 1: round 1. 2: never.
    games = [[(0, 2), (0, 1), (0, 1)], [(1, 0), (0, 2), (0, 3)], [(0, 2), (0, 3), (0, 2)]]
    for t, rounds in enumerate(games):
        for r, (white, black) in enumerate(rounds):
            play(results, (t, r, 0), white, black, FORFEIT_WIN if (t, r) == (0, 1) else WIN)
    metrics = ranking.metrics(results)
    assert pick(metrics, "best_two_meet").values.tolist() == [1, 1, 0]
    assert pick(metrics, "meeting_round").values.tolist()[:2] == [3, 1]
    assert np.isnan(pick(metrics, "meeting_round").values[2])
    assert pick(metrics, "meeting_round_share").mean.tolist() == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])
    assert pick(metrics, "meeting_round_share").labels == (("1", "2", "3", "never"),)


def test_leaders_before_the_last_round():
    results = empty(2, 2, 4)
    for t in range(2):
        play(results, (t, 0, 0), 0, 1, WIN)
        play(results, (t, 0, 1), 2, 3, WIN)
    play(results, (0, 1, 0), 2, 0, DRAW)
    play(results, (1, 1, 0), 2, 1, DRAW)
    metric = pick(ranking.metrics(results), "leaders_meet_last")
    assert metric.values.tolist() == [1, 0]
    alone = empty(1, 1, 4)
    table = ranking.meetings(alone).set_index("metric")
    assert table.loc["leaders_meet_last", "note"].startswith("not defined: a single round")


def test_rating_gaps_by_hand():
    results = empty(1, 2, 4)
    results.rating = np.array([[2000.0, 1900.0, 1700.0, 1400.0]])
    play(results, (0, 0, 0), 0, 1)
    play(results, (0, 0, 1), 3, 2)
    play(results, (0, 1, 0), 3, 0)
    metrics = ranking.metrics(results)
    assert pick(metrics, "rating_gap").mean == pytest.approx((100 + 300 + 600) / 3)
    assert pick(metrics, "rating_gap_by_round").mean.tolist() == [200, 600]
    assert len(ranking.rating_gaps(results)) == 3


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 1, 2), (1, 2, 3)])
def test_small_events(shape):
    for metric in ranking.metrics(empty(*shape)):
        assert metric.values.shape[0] == shape[0]


def test_no_round_no_ranking():
    with pytest.raises(SwissError, match="at least one round"):
        ranking.metrics(empty(1, 0, 4))


def test_the_order_of_tie_breaks_can_be_chosen():
    results = random_block(2, tournaments=30)
    usual, other = (pick(ranking.metrics(results, order=order), "tau").values for order in (("BH-C1", "BH"), ("PS",)))
    assert not np.array_equal(usual, other)
