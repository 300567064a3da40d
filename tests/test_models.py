"""Result models: published values, sums, symmetries, and what a careless function of a user meets."""

import json
import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swisssim.errors import SwissError
from swisssim.models import MODELS, Context, Milvang2015, Model, model

NUMBERS = Context(white=0, black=1)
SHIPPED = [
    model("milvang2015"),
    model("milvang2024"),
    model("elo"),
    model("elo", draw="rao-kupper"),
    model("elo", draw=0.4),
    model("certain"),
]
RATING = st.floats(-500, 3400)


def literal_milvang2015(white: float, black: float) -> tuple[float, float]:
    """Follow the published definition branch by branch."""
    mean, rd = (white + black) / 2, white - black
    q = max(0.0, (mean - 1200) / 1200)
    cl, cv, ll, ul = 40, 0.45 - 0.10 * q**2, -1492 + 0.391 * mean, 1691 - 0.428 * mean
    if rd <= ll:
        win = 0.0
    elif rd <= cl:
        win = cv * ((rd - ll) / (cl - ll)) ** 2
    elif rd <= ul:
        win = 1 - (1 - cv) * ((rd - ul) / (cl - ul)) ** 2
    else:
        win = 1.0
    cl, cv, ll, ul = -80, 0.46 - 0.13 * q**2, -1753 + 0.416 * mean, 1428 - 0.388 * mean
    if rd <= ll:
        lose = 1.0
    elif rd <= cl:
        lose = 1 - (1 - cv) * ((rd - ll) / (cl - ll)) ** 2
    elif rd <= ul:
        lose = cv * ((rd - ul) / (cl - ul)) ** 2
    else:
        lose = 0.0
    return win, 1 - win - lose


@pytest.mark.parametrize(
    ("name", "white", "black", "expected", "digits"),
    [
        ("milvang2015", 2467, 2344, (0.5113, 0.3511, 0.1375), 4),
        ("milvang2015", 1400, 1400, (0.412, 0.205, 0.384), 3),
        ("milvang2015", 2000, 2000, (0.363, 0.317, 0.319), 3),
        ("milvang2015", 2400, 2400, (0.304, 0.451, 0.245), 3),
        ("milvang2015", 2600, 2600, (0.267, 0.533, 0.200), 3),
        ("milvang2024", 2000, 2000, (0.355, 0.363, 0.282), 3),
        ("milvang2024", 2400, 2400, (0.301, 0.489, 0.210), 3),
    ],
)
def test_published_values(name, white, black, expected, digits):
    win, draw = model(name)(white, black)
    assert (win, draw, 1 - win - draw) == pytest.approx(expected, abs=0.51 * 10**-digits)


@given(RATING, RATING)
def test_milvang2015_is_the_published_definition(white, black):
    assert model("milvang2015")(white, black) == pytest.approx(literal_milvang2015(white, black), abs=1e-12)


@pytest.mark.parametrize("m", SHIPPED, ids=repr)
@given(st.lists(st.tuples(RATING, RATING), min_size=1, max_size=20))
def test_probabilities_are_probabilities(m, games):
    white, black = np.array(games).T
    win, draw = m(white, black, NUMBERS)
    assert win.shape == draw.shape == white.shape
    for part in (win, draw, 1 - win - draw):
        assert part.min() >= -1e-12
        assert part.max() <= 1 + 1e-12


@pytest.mark.parametrize("m", SHIPPED, ids=repr)
def test_the_stronger_the_better(m):
    win, draw = m(np.linspace(1000, 2500, 301), 1800, NUMBERS)
    assert np.diff(win + draw / 2).min() >= -1e-12


@pytest.mark.parametrize("draw", ["davidson", "rao-kupper", 0.25])
@given(RATING, RATING)
def test_elo_without_advantage_is_symmetric(draw, a, b):
    m = model("elo", draw=draw, white_advantage=0)
    win, drawn = m(a, b)
    other, same = m(b, a)
    assert same == pytest.approx(drawn, abs=1e-12)
    assert other == pytest.approx(1 - win - drawn, abs=1e-12)


@pytest.mark.parametrize("draw", ["davidson", "rao-kupper"])
def test_draw_share_between_equals(draw):
    assert model("elo", draw=draw, white_advantage=0)(2000, 2000)[1] == pytest.approx(1 / 3)
    assert model("elo", draw=draw, white_advantage=0, draw_share=0.6)(2000, 2000)[1] == pytest.approx(0.6)
    assert model("elo", draw=draw, white_advantage=-100, draw_share=0.6)(2100, 2000)[1] == pytest.approx(0.6)
    assert model("elo", draw=draw, draw_share=0)(2000, 1900)[0] == pytest.approx(1 / (1 + 10 ** (-135 / 400)))


def test_published_formulas_of_davidson_and_rao_kupper():
    a, b = 10 ** (2135 / 400), 10 ** (1900 / 400)
    nu, theta = 0.5, 1.5
    total = a + b + nu * math.sqrt(a * b)
    davidson = model("elo", draw_share=nu / (2 + nu))
    assert davidson(2100, 1900) == pytest.approx((a / total, nu * math.sqrt(a * b) / total))
    win, lose = a / (a + theta * b), b / (b + theta * a)
    kupper = model("elo", draw="rao-kupper", draw_share=(theta - 1) / (theta + 1))
    assert kupper(2100, 1900) == pytest.approx((win, 1 - win - lose))


def test_only_a_fixed_draw_share_keeps_the_logistic_expectation():
    expected = 1 / (1 + 10 ** (-235 / 400))
    scores = {draw: np.dot(model("elo", draw=draw)(2200, 2000), (1, 0.5)) for draw in ("davidson", "rao-kupper", 0.3)}
    assert scores[0.3] == pytest.approx(expected)
    assert scores["davidson"] < expected - 0.01
    assert scores["rao-kupper"] < expected - 0.01


def test_a_fixed_draw_share_gives_way_at_the_ends():
    win, draw = model("elo", draw=0.9, white_advantage=0)(np.array([3000, 2000, 1000]), 2000)
    expected = 1 / (1 + 10 ** (np.array([-1000, 0, 1000]) / 400))
    assert win + draw / 2 == pytest.approx(expected)
    assert draw == pytest.approx([2 * (1 - expected[0]), 0.9, 2 * expected[2]])
    assert win.min() >= 0


@pytest.mark.parametrize("m", SHIPPED[:5], ids=repr)
def test_extreme_differences_stay_finite(m):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        win, draw = m(np.array([1e6, -1e6, 3600.0]), np.array([0.0, 0.0, 3599.0]))
    assert win[:2] == pytest.approx([1, 0])
    assert draw[:2] == pytest.approx([0, 0])


def test_milvang2015_outside_its_range_is_clamped_and_warns_once():
    m = model("milvang2015")
    with pytest.warns(UserWarning, match="mean ratings up to 3457, but a game has 4000"):
        win, draw = m(np.array([3500.0, 3700, 3800, 4000, 2000]), np.array([3500.0, 3700, 3600, 4000, 2000]))
    m(4000, 4000)
    assert min(win.min(), draw.min(), (1 - win - draw).min()) >= 0
    assert (win[0], draw[0]) == pytest.approx(np.clip(literal_milvang2015(3500, 3500), 0, 1), abs=0.02)
    assert (win[4], draw[4]) == pytest.approx(literal_milvang2015(2000, 2000))


def test_milvang2015_is_silent_up_to_its_limit():
    limit = Milvang2015.LIMIT
    win, draw = Milvang2015()(np.linspace(-500, 500, 1001) / 2 + limit, -np.linspace(-500, 500, 1001) / 2 + limit)
    assert min(win.min(), draw.min(), (1 - win - draw).min()) >= -1e-12


def test_certain():
    context = Context(white=np.array([0, 1, 3, 2]), black=np.array([1, 0, 2, 3]))
    win, draw = model("certain")(np.array([2000.0, 1900, 1800, 1800]), np.array([1900.0, 2000, 1800, 1800]), context)
    assert win.tolist() == [1, 0, 0, 1]
    assert draw.tolist() == [0, 0, 0, 0]
    with pytest.raises(SwissError, match="pairing numbers"):
        model("certain")(2000, 2000)


def test_expected_score_is_the_mean_of_both_colours():
    m = model("milvang2015")
    assert m.expected_score(2000, 2000) == pytest.approx(0.5)
    as_white, as_black = m(2100, 2000), m(2000, 2100)
    mean = (as_white[0] + as_white[1] / 2 + 1 - as_black[0] - as_black[1] / 2) / 2
    assert m.expected_score(2100, 2000) == pytest.approx(mean)
    assert model("certain").expected_score(2000, 2000, Context(white=5, black=3)) == 0


def test_a_function_is_a_model():
    def white_wins_late(white, black, context):
        return np.full(white.shape, context.round / context.rounds), np.zeros(white.shape)

    m = model(white_wins_late)
    assert m.needs_context
    assert m.name.endswith("white_wins_late")
    assert m(np.zeros(3), np.zeros(3), Context(round=3, rounds=4))[0].tolist() == [0.75] * 3
    assert model(m) is m


def bad_nan(white, black, context):
    return white * math.nan, white * 0


def bad_negative(white, black, context):
    return white * 0, white * 0 - 0.1


def bad_sum(white, black, context):
    return white * 0 + 0.6, white * 0 + 0.5


def bad_shape(white, black, context):
    return 0.5, 0.5


def bad_single(white, black, context):
    return white * 0


def bad_words(white, black, context):
    return ["a"] * len(white), white * 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (bad_nan, r"P\(white wins\) is nan for strengths 2000.0 against 1900.0"),
        (bad_negative, r"P\(draw\) is -0.1"),
        (bad_sum, r"P\(white wins\) \+ P\(draw\) is 1.1"),
        (bad_shape, r"probabilities of wins have shape \(1,\), the games \(2,\)"),
        (bad_single, "must return two arrays"),
        (bad_words, "probabilities of wins are no numbers"),
    ],
)
def test_bad_answers_of_a_function_name_it(function, message):
    with pytest.raises(SwissError, match=f"{function.__name__}.*{message}"):
        model(function)(np.array([2000.0, 2000.0]), np.array([1900.0, 2000.0]))


@pytest.mark.parametrize("m", [*SHIPPED, model(bad_sum)], ids=repr)
@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_strengths_must_be_finite(m, wrong):
    with pytest.raises(SwissError, match=f"strength of Black in game 1 is {wrong}; it must be a finite number"):
        m(np.array([2000.0, 1990.0]), np.array([1900.0, wrong]), NUMBERS)


def test_strengths_that_are_no_numbers():
    with pytest.raises(SwissError, match="strengths of White must be numbers"):
        model("milvang2015")("strong", 2000)
    with pytest.raises(SwissError, match=r"White \(2,\) and of Black \(3,\)"):
        model("milvang2015")(np.zeros(2), np.zeros(3))


def test_no_games_no_probabilities():
    win, draw = model("milvang2015")(np.zeros(0), np.zeros(0))
    assert win.shape == draw.shape == (0,)


def test_unknown_names_are_answered_with_near_ones():
    with pytest.raises(SwissError, match="did you mean 'milvang2015'"):
        model("milvang-2015")
    with pytest.raises(SwissError, match="did you mean 'white_advantage'"):
        model("elo", whites_advantage=3)
    with pytest.raises(SwissError, match="unknown draw model of elo 'davison': did you mean 'davidson'"):
        model("elo", draw="davison")
    with pytest.raises(SwissError, match="a model is a name"):
        model(3)
    with pytest.raises(SwissError, match="go with the name"):
        model(bad_sum, draw=0.5)


@pytest.mark.parametrize(
    "parameters",
    [
        {"draw": 1.5},
        {"draw": math.nan},
        {"draw": True},
        {"draw": 0.3, "draw_share": 0.3},
        {"draw_share": 1.0},
        {"draw_share": "many"},
        {"white_advantage": math.inf},
    ],
)
def test_wrong_parameters(parameters):
    with pytest.raises(SwissError, match=next(reversed(parameters))):
        model("elo", **parameters)


@pytest.mark.parametrize("m", SHIPPED, ids=repr)
def test_a_model_comes_back_from_its_provenance(m):
    saved = json.loads(json.dumps(m.to_dict()))
    assert Model.from_dict(saved) == m
    assert pickle.loads(pickle.dumps(m)) == m
    assert hash(pickle.loads(pickle.dumps(m))) == hash(m)
    assert eval(repr(m), {"model": model}) == m


def test_a_function_does_not_come_back_from_its_provenance():
    with pytest.raises(SwissError, match="bad_sum was a function"):
        Model.from_dict(model(bad_sum).to_dict())


def test_context_reads_the_standings():
    class Standings:
        whites = np.array([[1, 2, 0], [2, 0, 1]], np.int16)
        blacks = np.array([[2, 1, 0], [1, 2, 0]], np.int16)
        scores = np.array([[[0, 0, 0], [10, 5, 0]], [[0, 0, 0], [15, 20, 5]]], np.int16)

    context = Context(
        round=2,
        rounds=3,
        tournament=np.array([40, 41]),
        white=np.array([1, 2]),
        black=np.array([0, 1]),
        index=np.array([0, 1]),
        state=Standings(),
    )
    assert context.white_number.tolist() == [2, 3]
    assert context.black_number.tolist() == [1, 2]
    assert context.white_score.tolist() == [0.5, 0.5]
    assert context.black_score.tolist() == [1.0, 2.0]
    assert context.white_difference.tolist() == [1, 1]
    assert context.black_difference.tolist() == [-1, -2]
    assert context.white_games.tolist() == [3, 1]
    assert context.black_games.tolist() == [3, 2]
    assert context.mirrored().white_games.tolist() == [3, 2]
    blank = Context(white=np.array([1, 2]), black=np.array([0, 1]))
    assert blank.white_score.tolist() == blank.black_games.tolist() == [0, 0]


def test_every_model_explains_itself():
    for name, kind in MODELS.items():
        assert kind.name == name
        assert kind.description
        assert kind.source
