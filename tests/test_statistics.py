"""Summaries: textbook formulas as the oracle, exactness over blocks and order, storage, planning."""

import doctest
import json

import numpy as np
import pytest
from scipy import stats

from swisssim import byes, colour, floats, models, ranking
from swisssim._random import Domain, raw
from swisssim.errors import SwissError
from swisssim.metrics import Metric, completion
from swisssim.statistics import (
    Accumulator,
    Estimate,
    StopRule,
    accumulator,
    derived,
    half_width,
    metric_table,
    required_tournaments,
    summary_table,
    table,
    verdict,
)
from swisssim.statistics._sums import poisson_weights
from tests.blocks import random_block

MODEL = models.model("milvang2015")


def metric(values, **changes):
    given = {"name": "m", "title": "m", "unit": "", "definition": "", "values": np.asarray(values, float)}
    return Metric(**given | changes)


def all_metrics(results):
    questions = colour.metrics(results) + byes.metrics(results, model=MODEL) + floats.metrics(results)
    return completion(results) + questions + ranking.metrics(results)


def summed(blocks, *, resamples=50, stopped=None):
    """Return the summary of one block of two systems."""
    summary = Accumulator(["a", "b"], resamples=resamples)
    summary.update(0, blocks, stopped=stopped)
    return summary


def test_means_have_the_textbook_interval():
    values = np.random.default_rng(1).normal(3, 2, 500)
    (found,) = summed({"a": [metric(values)], "b": [metric(values)]}).estimates("a", "m")
    assert found.tournaments == 500
    assert found.mean == pytest.approx(values.mean(), abs=1e-12)
    assert found.deviation == pytest.approx(values.std(ddof=1), rel=1e-9)
    low, high = stats.norm.interval(0.95, values.mean(), values.std(ddof=1) / np.sqrt(500))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)


def test_missing_values_count_in_neither_sum():
    values = np.array([1.0, np.nan, 2.0, 6.0])
    (found,) = summed({"a": [metric(values)], "b": [metric(values)]}).estimates("a", "m")
    assert found.tournaments == 3
    assert found.mean == 3
    assert found.deviation == pytest.approx(np.std([1, 2, 6], ddof=1))


def test_a_paired_difference_has_the_interval_of_the_differences():
    rng = np.random.default_rng(2)
    base = rng.normal(0, 1, 400)
    other = base + rng.normal(0.1, 0.2, 400)
    (found,) = summed({"a": [metric(base)], "b": [metric(other)]}).differences("b", "m")
    gap = other - base
    assert found.mean == pytest.approx(gap.mean(), abs=1e-11)
    assert found.error == pytest.approx(gap.std(ddof=1) / 20, rel=1e-8)
    assert summed({"a": [metric(base)], "b": [metric(other)]}).differences("a", "m")[0].tournaments == 0


def test_ratios_have_the_linearised_interval():
    rng = np.random.default_rng(3)
    weights = rng.integers(0, 5, 300).astype(float)
    counts = rng.binomial(weights.astype(int), 0.3).astype(float)
    others = rng.binomial(weights.astype(int), 0.4).astype(float)
    blocks = {"a": [metric(counts, weights=weights)], "b": [metric(others, weights=weights)]}
    summary = summed(blocks)
    (found,) = summary.estimates("a", "m")
    ratio = counts.sum() / weights.sum()
    assert found.mean == pytest.approx(ratio)
    shares = (counts - ratio * weights) / weights.sum()
    used = (weights > 0).sum()
    assert found.tournaments == used
    assert found.error == pytest.approx(np.sqrt((shares**2).sum() * used / (used - 1)))
    (gap,) = summary.differences("b", "m")
    other = (others - others.sum() / weights.sum() * weights) / weights.sum()
    assert gap.error == pytest.approx(np.sqrt(((other - shares) ** 2).sum() * used / (used - 1)))


def test_intervals_cover_the_truth():
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(400):
        found = table([metric(rng.exponential(1, 60))])
        hits += found.low[0] <= 1 <= found.high[0]
    assert 0.90 <= hits / 400 <= 0.97


def test_constant_values_have_no_spread():
    (found,) = summed({name: [metric(np.full(50, 1 / 3))] for name in "ab"}).estimates("a", "m")
    assert found.error == 0
    assert found.mean == pytest.approx(1 / 3, abs=1e-12)


def test_poisson_weights_come_from_the_bootstrap_domain():
    weights = np.empty((3, 19))
    poisson_weights(7, 10, weights)
    steps = stats.poisson.cdf(np.arange(14), 1)
    for t in range(3):
        words = [int(word) for group in range(3) for word in raw(7, Domain.BOOTSTRAP, 10 + t, group, 0, 0)]
        halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)][:19]
        assert weights[t].tolist() == [int(np.searchsorted(steps, half / 2**32, side="right")) for half in halves]


def test_poisson_weights_have_mean_and_variance_one():
    weights = np.empty((500, 2000))
    poisson_weights(1, 0, weights)
    assert weights.mean() == pytest.approx(1, abs=0.005)
    assert weights.var() == pytest.approx(1, abs=0.01)


def test_resamples_are_weighted_means():
    values = np.random.default_rng(5).normal(0, 100, 90)
    values[[3, 50]] = np.nan
    summary = summed({"a": [metric(values)], "b": [metric(values)]}, resamples=40)
    weights = np.empty((90, 40))
    poisson_weights(1, 0, weights)
    used = ~np.isnan(values)
    expected = (weights[used] * values[used, None]).sum(axis=0) / weights[used].sum(axis=0)
    assert summary.resampled("a", "m") == pytest.approx(expected, abs=1e-9)


def test_bootstrap_intervals_agree_with_normal_ones_for_many_tournaments():
    values = np.random.default_rng(6).normal(5, 3, 2000)
    summary = summed({"a": [metric(values)], "b": [metric(values + 1)]}, resamples=1000)
    rows = summary_table(summary).set_index("system")
    assert rows.loc["a", "boot_low"] == pytest.approx(rows.loc["a", "low"], abs=0.03)
    assert rows.loc["a", "boot_high"] == pytest.approx(rows.loc["a", "high"], abs=0.03)
    assert rows.loc["b", "difference_boot_low"] == pytest.approx(1, abs=1e-9)
    assert rows.loc["b", "differs"]


@pytest.fixture(scope="module")
def study():
    """Return the metrics of two systems over 90 tournaments, some of which one of them stopped."""
    results = {name: random_block(seed, tournaments=90) for seed, name in enumerate("ab")}
    results["a"].stopped[[5, 44]] = True
    return {name: all_metrics(found) for name, found in results.items()}, {n: r.stopped for n, r in results.items()}


def cut(study, first, end):
    metrics, stopped = study
    here = slice(first, end)
    return {name: [m.at(here) for m in found] for name, found in metrics.items()}, {
        n: s[here] for n, s in stopped.items()
    }


def fed(study, pieces, **options):
    summary = Accumulator(["a", "b"], resamples=100, **options)
    for first, end in pieces:
        metrics, stopped = cut(study, first, end)
        summary.update(first, metrics, stopped=stopped)
    return summary


def stored(summary):
    return {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in summary.to_arrays().items()}


PIECES = [(0, 1), (1, 40), (40, 47), (47, 90)]


@pytest.mark.parametrize("pieces", [PIECES, PIECES[::-1], [(k, k + 10) for k in range(0, 90, 10)]])
def test_blocks_and_their_order_change_no_byte(study, pieces):
    whole = fed(study, [(0, 90)])
    parts = fed(study, pieces)
    assert stored(parts) == stored(whole)
    assert summary_table(parts).to_csv() == summary_table(whole).to_csv()


def test_merging_changes_no_byte(study):
    whole = fed(study, [(0, 90)])
    left, right = fed(study, PIECES[:2]), fed(study, PIECES[2:])
    right.merge(left)
    assert stored(right) == stored(whole)
    empty = Accumulator(["a", "b"], resamples=100)
    empty.merge(right)
    empty.merge(Accumulator(["a", "b"], resamples=100))
    assert stored(empty) == stored(whole)
    assert empty.tournaments == 90


def test_storing_changes_no_byte(study, tmp_path):
    whole = fed(study, PIECES[:3])
    np.savez(tmp_path / "summary.npz", **whole.to_arrays())
    with np.load(tmp_path / "summary.npz", allow_pickle=False) as arrays:
        again = Accumulator.from_arrays(arrays)
    again.update(47, *cut(study, 47, 90)[:1], stopped=cut(study, 47, 90)[1])
    assert stored(again) == stored(fed(study, [(0, 90)]))
    assert stored(Accumulator.from_arrays(Accumulator(["a"]).to_arrays())) == stored(Accumulator(["a"]))


def test_stopped_tournaments_leave_the_paired_comparison(study):
    summary = fed(study, PIECES)
    assert summary.kept == 88
    metrics, stopped = study
    rows = summary_table(summary, ["imbalance", "stopped"]).set_index(["metric", "system"])
    assert rows.loc[("imbalance", "a"), "tournaments"] == 88
    assert rows.loc[("imbalance", "b"), "tournaments"] == 90
    assert rows.loc[("imbalance", "b"), "paired"] == 88
    assert "without the 2.2% of the tournaments" in rows.loc[("imbalance", "b"), "note"]
    assert "no value in 2 of 90 tournaments" in rows.loc[("imbalance", "a"), "note"]
    assert rows.loc[("stopped", "a"), "mean"] == pytest.approx(2 / 90)
    kept = ~(stopped["a"] | stopped["b"])
    values = [next(m for m in metrics[name] if m.name == "imbalance").values[kept] for name in "ba"]
    assert rows.loc[("imbalance", "b"), "difference"] == pytest.approx((values[0] - values[1]).mean())


def test_bootstrap_with_stopped_tournaments(study):
    summary = fed(study, PIECES)
    metrics, _ = study
    values = next(m for m in metrics["a"] if m.name == "imbalance").values
    weights = np.empty((90, 100))
    poisson_weights(1, 0, weights)
    used = ~np.isnan(values)
    expected = (weights[used] * values[used, None]).sum(axis=0) / weights[used].sum(axis=0)
    assert summary.resampled("a", "imbalance") == pytest.approx(expected, abs=1e-9)
    assert summary.resampled("a", "imbalance", kept=True) == pytest.approx(expected, abs=1e-9)


def test_histograms_count_the_tournaments(study):
    summary = fed(study, PIECES)
    edges, counts = summary.histogram("a", "tau")
    values = next(m for m in study[0]["a"] if m.name == "tau").values
    assert counts.tolist() == np.histogram(values[~np.isnan(values)], edges)[0].tolist()
    assert summary.histogram("b", "tau_by_round")[1].shape == (5, 200)
    with pytest.raises(SwissError, match="no histogram"):
        summary.histogram("a", "byes")


def test_a_metric_that_a_system_does_not_have():
    summary = summed({"a": [metric([1, 2])], "b": [metric([1, 2]), metric([3, 4], name="other")]})
    rows = summary_table(summary).set_index(["metric", "system"])
    assert rows.loc[("other", "a"), "note"].startswith("not defined")
    assert rows.loc[("other", "b"), "mean"] == 3.5
    assert rows.loc[("other", "b"), "paired"] == 0


def test_notes_on_thin_data():
    rows = table([metric([1.0])])
    assert rows.note[0] == "one tournament: no interval"
    assert np.isnan(rows.low[0])
    assert table([metric(np.arange(29))]).note[0] == "fewer than 30 tournaments"
    assert table([metric(np.arange(30))]).note[0] == ""


def test_tables_of_one_metric_have_a_column_per_dim(study):
    found = metric_table(fed(study, PIECES), "repeated_floats")
    assert list(found.columns[:5]) == ["system", "metric", "title", "ago", "way"]
    assert len(found) == 8
    assert found.way.tolist() == ["down", "up"] * 4


def test_updates_that_do_not_fit_are_refused(study):
    summary = fed(study, [(0, 10)])
    metrics, stopped = cut(study, 5, 15)
    with pytest.raises(SwissError, match=r"tournaments 5\.\.9 were added before"):
        summary.update(5, metrics, stopped=stopped)
    with pytest.raises(SwissError, match="systems a, b"):
        summary.update(10, {"a": metrics["a"]})
    with pytest.raises(SwissError, match="'m' is not"):
        summary.update(10, {"a": [metric([1.0])], "b": [metric([1.0])]})
    with pytest.raises(SwissError, match="different numbers"):
        summary.update(10, {"a": [metric([1.0])], "b": [metric([1.0, 2.0])]})
    with pytest.raises(SwissError, match=r"value 5000000\.0 in tournament 1"):
        table([metric([1.0, 5e6])])
    with pytest.raises(SwissError, match="weights whole numbers"):
        table([metric([1.0], weights=np.array([0.5]))])
    with pytest.raises(SwissError, match="differ in seed"):
        summary.merge(fed(study, [(10, 20)], seed=2))
    with pytest.raises(SwissError, match="added before"):
        summary.merge(fed(study, [(0, 3)]))
    with pytest.raises(SwissError, match="unknown baseline"):
        Accumulator(["a"], baseline="c")
    with pytest.raises(SwissError, match="unknown system"):
        summary.estimates("c", "tau")
    with pytest.raises(SwissError, match="at least one metric"):
        table([])


@pytest.mark.parametrize("damage", ["header", "moments", "kept"])
def test_damaged_arrays_are_refused(study, damage):
    arrays = fed(study, [(0, 10)]).to_arrays()
    del arrays[damage]
    with pytest.raises(SwissError, match="not a stored summary"):
        Accumulator.from_arrays(arrays)
    arrays = {"header": np.frombuffer(json.dumps({"systems": 3}).encode(), np.uint8)}
    with pytest.raises(SwissError, match="not a stored summary"):
        Accumulator.from_arrays(arrays)


@pytest.mark.parametrize(("width", "tournaments"), [(0.005, 580), (0.002, 3600), (0.001, 14500)])
def test_required_tournaments_for_tau(width, tournaments):
    assert required_tournaments(0.0613, width) == pytest.approx(tournaments, rel=0.01)


def test_required_tournaments_refuses_nonsense():
    for sd, width in ((1, 0), (1, -1), (-1, 1), (np.nan, 1)):
        with pytest.raises(SwissError):
            required_tournaments(sd, width)


def test_verdicts():
    assert verdict(Estimate(100, 0.5, 0.1), 0.1) == "different"
    assert verdict(Estimate(100, -0.5, 0.1), 0.1) == "different"
    assert verdict(Estimate(100, 0.0, 0.05), 0.1) == "equivalent"
    assert verdict(Estimate(100, 0.05, 0.05), 0.1) == "undecided"
    assert verdict(Estimate(0, np.nan, np.nan), 0.1) == "undecided"
    with pytest.raises(SwissError, match="margin"):
        verdict(Estimate(1, 0.0, 0.1), -1)


def test_the_stop_rule_looks_at_fixed_numbers():
    rule = StopRule(name="m", half_width=0.1, minimum=100, maximum=1000)
    assert list(rule.looks()) == [100, 200, 300, 500, 800, 1000]
    rng = np.random.default_rng(8)
    values = rng.normal(0, 1, 1000)
    few, many = (summed({"a": [metric(v)], "b": [metric(v + 1)]}) for v in (values[:300], values))
    assert not rule.reached(few)
    assert rule.reached(many)
    assert half_width(many, "m") == pytest.approx(1.96 * values.std(ddof=1) / np.sqrt(1000), rel=1e-4)
    assert half_width(many, "m", paired=True) == 0
    assert half_width(summed({"a": [metric([np.nan])], "b": [metric([np.nan])]}), "m") == np.inf
    for wrong in ({"half_width": 0}, {"half_width": 1, "minimum": 1}, {"half_width": 1, "maximum": 10}):
        with pytest.raises(SwissError):
            StopRule(name="m", **wrong)


def test_the_example_of_the_docstring_runs():
    found = doctest.testmod(accumulator)
    assert found.attempted > 0
    assert found.failed == 0


def test_derived_numbers_take_their_error_from_the_resamples():
    found = derived(np.array([1.0, 2.0, 3.0, np.nan]), 2.5)
    assert (found.tournaments, found.mean, found.error) == (3, 2.5, 1.0)
