"""Metrics as values: means, labels, joining blocks of different sizes, completion."""

import numpy as np
import pytest

from swisssim import byes, colour, metrics, ranking
from swisssim.errors import SwissError
from swisssim.metrics import Metric, completion, concatenate, pick, quantiles
from tests.blocks import empty, random_block


def metric(values, **changes):
    given = {"name": "m", "title": "m", "unit": "", "definition": "", "values": np.asarray(values, float)}
    return Metric(**given | changes)


def test_plain_means_pass_over_missing_values():
    found = metric([1, np.nan, 4])
    assert found.mean == 2.5
    assert found.denominator.tolist() == [1, 0, 1]


def test_ratios_are_ratios_of_sums():
    found = metric([1, 3], weights=np.array([1.0, 9.0]))
    assert found.mean == 0.4
    assert np.isnan(metric([0.0], weights=np.array([0.0])).mean)


def test_labels_must_fit():
    with pytest.raises(SwissError, match=r"'m'.*don't fit"):
        metric([[1, 2]], dims=("round",), labels=(("1",),))
    with pytest.raises(SwissError, match="weights"):
        metric([1, 2], weights=np.ones(3))


def test_events_of_different_sizes_are_joined():
    short = metric([[1, 2]], dims=("round",), labels=(("1", "2"),))
    long = metric([[3, 4, 5]], dims=("round",), labels=(("1", "2", "3"),))
    (joined,) = concatenate([[short], [long]])
    assert joined.labels == (("1", "2", "3"),)
    assert joined.mean.tolist() == [2, 3, 5]
    weighted = [metric([2.0], name="w", weights=np.array([4.0]))]
    both = concatenate([[short], [long, *weighted]])
    assert pick(both, "w").mean == 0.5
    assert pick(both, "w").tournaments == 2


def test_metrics_of_real_blocks_are_joined():
    blocks = [colour.metrics(random_block(1, tournaments=3, rounds=r, players=n)) for r, n in ((4, 6), (6, 11))]
    joined = concatenate(blocks)
    assert [found.name for found in joined] == [found.name for found in blocks[0]]
    assert pick(joined, "imbalance_by_round").values.shape == (6, 6)
    assert np.isnan(pick(joined, "imbalance_by_round").values[:3, 4:]).all()
    assert pick(joined, "imbalance").mean == pytest.approx(np.mean([pick(b, "imbalance").mean for b in blocks]))


def test_parts_do_not_show(monkeypatch):
    results = random_block(2, tournaments=11)
    whole = ranking.metrics(results) + byes.metrics(results)
    monkeypatch.setattr(metrics, "PART", 4)
    for one, other in zip(whole, ranking.metrics(results) + byes.metrics(results), strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True)
        assert one.weights is None or np.array_equal(one.weights, other.weights)


def test_a_part_of_the_tournaments():
    found = metric([1, 2, 3], weights=np.array([1.0, 2.0, 3.0]))
    assert found.at(slice(1, 3)).mean == 1
    assert found.at(np.array([True, False, False])).tournaments == 1


def test_unknown_metric():
    with pytest.raises(SwissError, match="unknown metric 'imbalanced': did you mean 'imbalance'"):
        pick(colour.metrics(random_block(1, tournaments=1)), "imbalanced")


def test_completion_counts_stopped_tournaments():
    results = empty(4, 5, 4)
    results.stopped[1] = True
    results.rounds_paired[1] = 3
    assert [found.mean for found in completion(results)] == [0.25, 4.5]


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 33])
def test_quantiles(players):
    assert quantiles(players).tolist() == [4 * (k - 1) // players for k in range(1, players + 1)]
