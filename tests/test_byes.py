"""Bye fairness: hand-computed events, a literal count on random ones, bye gain against the model, Gini and distance."""

import numpy as np
import pytest

from swisssim import byes, models, tiebreaks
from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.metrics import pick
from swisssim.models import Context
from swisssim.statistics import Accumulator
from tests.blocks import DRAW, PAIRING_BYE, WIN, ZERO_BYE, empty, fill_scores, play, random_block

MODEL = models.model("milvang2015")


def five_players():
    """Return three rounds of five players: the byes go to 5, then to 4, then to 1.

    Round 1: 1 beats 2, 3 beats 4, 5 bye. Round 2: 1 beats 3, 2 and 5 draw, 4 bye. Round 3: 4 beats 5, 2 and 3 draw, 1
    bye.
    """
    results = empty(1, 3, 5)
    rounds = [((0, 1, WIN), (2, 3, WIN), 4), ((0, 2, WIN), (1, 4, DRAW), 3), ((3, 4, WIN), (1, 2, DRAW), 0)]
    for r, (one, other, bye) in enumerate(rounds):
        for white, black, code in (one, other):
            play(results, (0, r, 0), white, black, code)
        results.result[0, r, bye] = PAIRING_BYE
    return fill_scores(results)


def test_who_gets_the_byes_by_hand():
    metrics = byes.metrics(five_players(), model=MODEL)

    def mean(name):
        return pick(metrics, name).mean.tolist()

    # Quantiles of five players: 1 and 2 top, then 3, 4 and 5.
    assert mean("bye_share_by_quantile") == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])
    # Round 1: 5 is last. Round 2 (1, 3, 5 have 1; 2, 4 have 0): 4 is last. Round 3: 1 with 2 points is first, four
    # below.
    assert mean("bye_share_by_position")[:5] == pytest.approx([2 / 3, 0, 0, 0, 1 / 3])
    # Round 3: the lowest have 1/2 (player 2), 1 is 1.5 above.
    assert mean("bye_share_above_minimum") == pytest.approx([2 / 3, 0, 0, 1 / 3, 0, 0])
    assert mean("bye_to_lowest") == pytest.approx(2 / 3)
    assert mean("bye_share_by_number") == pytest.approx([1 / 3, 0, 0, 1 / 3, 1 / 3])
    assert mean("bye_by_number") == [1, 0, 0, 1, 1]
    assert mean("bye_by_number_and_round")[0] == [0, 0, 1]
    assert mean("byes") == 3
    assert mean("second_byes") == 0
    # Round 3: 4 and 5 had their byes before.
    assert mean("bye_meetings_by_round") == [0, 0, 1]
    assert mean("bye_meetings") == 1


def expected_points(results, one, other):
    """Return the expected points of a player against another, the mean of both colours."""
    strength = results.strength[0]
    win, draw = MODEL(strength[[one]], strength[[other]], Context())
    lose, drawn = MODEL(strength[[other]], strength[[one]], Context())
    return float((win + draw / 2 + (1 - lose - drawn) + drawn / 2)[0] / 2)


def test_bye_gain_by_hand():
    results = five_players()
    metrics = byes.metrics(results, model=MODEL)
    # Round 1, player 5: others 1, 2, 3, 4, the lower median is 3. Round 2, player 4: the other one with 0 is 2.
    # Round 3, player 1 alone with 2 points and nobody above: the next group down has 5 (1.5 points) only.
    gains = [1 - expected_points(results, *pair) for pair in ((4, 2), (3, 1), (0, 4))]
    assert pick(metrics, "bye_gain_by_round").mean.tolist() == pytest.approx(gains)
    assert pick(metrics, "bye_gain").mean == pytest.approx(np.mean(gains))
    by_quantile = pick(metrics, "bye_gain_by_quantile").mean
    assert by_quantile[[0, 2, 3]].tolist() == pytest.approx([gains[2], gains[1], gains[0]])
    assert np.isnan(by_quantile[1])


def test_alone_in_his_group_he_is_valued_against_the_next_group_up():
    results = empty(1, 2, 5)
    play(results, (0, 0, 0), 0, 1, DRAW)
    play(results, (0, 0, 1), 2, 3, DRAW)
    results.result[0, 0, 4] = ZERO_BYE
    play(results, (0, 1, 0), 0, 2, WIN)
    play(results, (0, 1, 1), 1, 3, WIN)
    results.result[0, 1, 4] = PAIRING_BYE
    metrics = byes.metrics(fill_scores(results), model=MODEL)
    # The four with half a point: the lower median of 1, 2, 3, 4 is 3.
    assert pick(metrics, "bye_gain").mean == pytest.approx(1 - expected_points(results, 4, 2))


def test_rank_change_by_hand():
    results = five_players()
    metrics = byes.metrics(results, model=MODEL)
    place = tiebreaks.final_order(results, lots=results.lots())[0]
    points = results.points[0] / 10
    changes = []
    for player, other in ((4, 2), (3, 1), (0, 4)):
        made = points[player] - 1 + expected_points(results, player, other)
        ahead = [j for j in range(5) if j != player and (points[j], -place[j]) > (made, -place[player])]
        changes.append(len(ahead) + 1 - place[player])
    assert pick(metrics, "bye_rank_change").mean == pytest.approx(np.mean(changes))
    assert max(changes) > 0


def test_random_events_counted_literally():
    results = random_block(4, tournaments=25, rounds=6, players=9)
    metrics = byes.metrics(results, model=MODEL)
    table = results.byes[results.byes.kind == "pairing"]
    below = []
    for row in table.itertuples():
        t, r = row.tournament, row.round - 1
        here = (results.opponent[t, r] >= 0) | (results.result[t, r] == Code.PAIRING_BYE)
        below.append(here.sum() - row.list_position)
    shares = [np.mean([min(b, 10) == k for b in below]) for k in range(11)]
    assert pick(metrics, "bye_share_by_position").mean.tolist() == pytest.approx(shares)
    assert pick(metrics, "bye_to_lowest").mean == pytest.approx((table.points_before == table.group_minimum).mean())
    counts = table.groupby(["tournament", "player"]).size()
    assert pick(metrics, "second_byes").values.sum() == (counts > 1).sum()
    assert pick(metrics, "byes").values.sum() == len(table)


def test_models_that_look_at_the_standings_are_asked_with_them():
    seen = []

    def watcher(white, black, context):
        seen.append((context.round, np.array(context.white_number), np.array(context.white_difference)))
        return np.full(white.shape, 0.5), np.zeros(white.shape)

    metrics = byes.metrics(five_players(), model=models.model(watcher))
    assert pick(metrics, "bye_gain").mean == pytest.approx(0.5)
    assert [number for number, *_ in seen] == [1, 1, 2, 2, 3, 3]
    # In round 3 player 1 has had two Whites; his peer, player 5, one Black.
    assert (seen[4][1].tolist(), seen[4][2].tolist()) == ([1], [2])
    assert (seen[5][1].tolist(), seen[5][2].tolist()) == ([5], [-1])


def test_no_byes_is_said_in_words():
    results = empty(3, 2, 4)
    table = byes.shares(results).set_index("metric")
    assert (table.note.str.startswith("not defined: no pairing-allocated bye")).all()
    assert byes.counts(results).set_index(["metric", "label"]).loc[("byes", ""), "mean"] == 0


def test_without_a_model_a_bye_has_no_value():
    table = byes.worth(five_players())
    assert (table.note == "not defined: no result model is known").all()


def test_the_model_of_the_provenance_is_used():
    results = five_players()
    results.provenance["model"] = MODEL.to_dict()
    assert byes.worth(results).loc[0, "mean"] == pytest.approx(byes.worth(results, model=MODEL).loc[0, "mean"])


def test_large_fields_are_shown_in_groups():
    group, labels = byes.groups(600, 256)
    assert labels[:2] == ("1-3", "4-6")
    assert len(labels) == 200
    assert group[[0, 2, 3, 599]].tolist() == [0, 0, 1, 199]
    assert byes.groups(7, 64)[1] == tuple("1234567")
    assert byes.groups(0, 64)[1] == ()
    results = empty(1, 1, 301)
    results.result[0, 0, 300] = PAIRING_BYE
    metrics = byes.metrics(results, model=MODEL)
    assert pick(metrics, "bye_by_number").values[0, -1] == 1  # 301 alone in the last group
    assert pick(metrics, "bye_by_number_and_round").values.shape == (1, 61, 1)


@pytest.mark.parametrize(
    ("values", "expected"), [([1, 1, 1, 1], 0), ([0, 0, 0, 1], 0.75), ([0, 1], 0.5), ([1, 2, 3], 2 / 9), ([3], 0)]
)
def test_gini(values, expected):
    values = np.array(values, float)
    differences = np.abs(values[:, None] - values).sum() / (2 * len(values) ** 2 * values.mean())
    assert byes.gini(values) == pytest.approx(expected)
    assert differences == pytest.approx(expected)


def test_total_variation():
    assert byes.total_variation(np.array([0.5, 0.5, 0]), np.array([0, 0.5, 0.5])) == 0.5


def test_concentration_from_a_summary():
    blocks = {name: byes.metrics(random_block(seed, tournaments=60), model=MODEL) for seed, name in enumerate("ab")}
    summary = Accumulator(["a", "b"], resamples=200)
    summary.update(0, blocks)
    found = byes.concentration(summary, "a", against="b")
    shares = [pick(blocks[name], "bye_share_by_number").mean for name in "ab"]
    assert found["gini"].mean == pytest.approx(byes.gini(shares[0]))
    assert found["total_variation"].mean == pytest.approx(byes.total_variation(*shares))
    assert 0 < found["gini"].error < 0.1
    with pytest.raises(SwissError, match="resamples"):
        byes.concentration(Accumulator(["a"], resamples=0), "a")


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 1, 2)])
def test_small_events(shape):
    results = empty(*shape)
    results.result[:, 0, 0] = PAIRING_BYE
    metrics = byes.metrics(results, model=MODEL)
    assert pick(metrics, "byes").values.tolist() == [1] * shape[0]
    assert np.isnan(pick(metrics, "bye_gain").mean)
