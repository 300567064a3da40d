"""Fields: distributions, order, sharing, the same players in any block, and requests that make no field."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swisssim._random import Domain, uniforms
from swisssim.errors import SwissError
from swisssim.field import KINDS, Field

EVERY = [
    Field.uniform(players=20, low=1400, high=2200),
    Field.uniform(players=20, low=1400, high=2200, rating="rounded", form_sd=80),
    Field.normal(players=20, mean=1800, sd=200, redraw=False),
    Field.from_ratings(range(1500, 1700, 10)),
    Field.from_ratings(range(1500, 1700, 10), form_sd=50),
    Field.from_histogram([1000, 1500, 2000, 2500], [1, 0, 3], players=20),
    Field.teams(teams=20, boards=4, low=1400, high=2200, form_sd=30),
]


@pytest.mark.parametrize("field", EVERY, ids=repr)
def test_a_tournament_is_the_same_in_any_block(field):
    rating, strength = field.draw(5, 0, 7)
    assert rating.shape == strength.shape == ((1, 20) if field.shared else (7, 20))
    for t in range(7):
        alone, strong = field.draw(5, t, 1)
        assert np.array_equal(alone[0], rating[0 if field.shared else t])
        assert np.array_equal(strong[0], strength[0 if field.shared else t])
    other = field.draw(6, 0, 7)[1]
    assert np.array_equal(other, strength) == (field == EVERY[3])


@pytest.mark.parametrize("field", EVERY, ids=repr)
def test_pairing_numbers_are_by_rating(field):
    rating, strength = field.draw(1, 0, 50)
    assert (np.diff(rating, axis=1) <= 0).all()
    assert np.isfinite(strength).all()
    assert rating.flags.c_contiguous
    assert strength.flags.c_contiguous


@pytest.mark.parametrize("field", EVERY, ids=repr)
def test_a_field_comes_back_from_its_provenance(field):
    assert Field.from_dict(json.loads(json.dumps(field.to_dict()))) == field
    assert field.describe().startswith("20 teams of 4 boards" if field.boards > 1 else "20 players")
    assert field.notes == []


def test_shared_and_redrawn_fields():
    redrawn = Field.uniform(players=10, low=0, high=1)
    shared = Field.uniform(players=10, low=0, high=1, redraw=False)
    assert np.array_equal(shared.draw(1, 40, 3)[0], redrawn.draw(1, 0, 1)[0])
    assert not np.array_equal(redrawn.draw(1, 0, 1)[0], redrawn.draw(1, 1, 1)[0])
    assert Field.from_ratings([1, 2], redraw=True).shared


def test_draws_are_those_of_the_counters():
    numbers = uniforms(9, Domain.FIELD, 3, np.arange(1, 13))
    rating, strength = Field.uniform(players=12, low=1400, high=2200, form_sd=0).draw(9, 3, 1)
    drawn = 1400 + 800 * numbers[:, 0]
    assert rating[0].tolist() == sorted(drawn, reverse=True)
    assert np.array_equal(strength, rating)


def test_form_is_added_to_the_rating():
    field = Field.uniform(players=100, low=1400, high=2200, form_sd=80)
    rating, strength = field.draw(1, 0, 200)
    form = strength - rating
    assert abs(form.mean()) < 5 * 80 / math.sqrt(form.size)
    assert form.std() == pytest.approx(80, rel=0.03)
    assert abs(np.corrcoef(form.ravel(), rating.ravel())[0, 1]) < 0.03
    plain = Field.uniform(players=100, low=1400, high=2200)
    assert np.array_equal(plain.draw(1, 0, 200)[0], rating)


def test_rounded_ratings_keep_the_strengths():
    rating, strength = Field.uniform(players=64, low=1400, high=1440, rating="rounded").draw(1, 0, 20)
    assert np.array_equal(rating, np.rint(strength))
    ties = np.diff(rating, axis=1) == 0
    assert ties.any()
    # equal ratings stand in the order in which they were drawn, so that strengths are not sorted among them
    assert (np.diff(strength, axis=1)[ties] > 0).any()


@pytest.mark.parametrize(
    ("field", "mean", "sd"),
    [
        (Field.uniform(players=50, low=1400, high=2200), 1800, 800 / math.sqrt(12)),
        (Field.normal(players=50, mean=1700, sd=150), 1700, 150),
        (Field.from_histogram([1000, 1500, 2000], [1, 1], players=50), 1500, 1000 / math.sqrt(12)),
    ],
)
def test_moments(field, mean, sd):
    rating, _ = field.draw(1, 0, 400)
    assert rating.mean() == pytest.approx(mean, abs=5 * sd / math.sqrt(rating.size))
    assert rating.std() == pytest.approx(sd, rel=0.02)


def test_histogram_shares():
    rating, _ = Field.from_histogram([1000, 1200, 1600, 1700, 2000], [0, 3, 0, 1], players=100).draw(1, 0, 100)
    assert ((rating >= 1200) & (rating <= 1600) | (rating >= 1700) & (rating <= 2000)).all()
    assert (rating < 1650).mean() == pytest.approx(0.75, abs=0.02)
    low = rating[rating < 1650]
    assert low.mean() == pytest.approx(1400, abs=5)


def test_given_ratings_are_sorted():
    rating, strength = Field.from_ratings([1500, 2000, 1800]).draw(1, 0, 5)
    assert rating.tolist() == strength.tolist() == [[2000, 1800, 1500]]


def test_teams():
    field = Field.teams(teams=12, boards=4, low=1400, high=2200, board_sd=120)
    rating, strength = field.draw(1, 3, 5)
    boards = field.draw_boards(1, 3, 5)
    assert boards.shape == (5, 12, 4)
    assert field.boards == 4
    assert (np.diff(boards, axis=2) <= 0).all()
    assert np.allclose(boards.mean(axis=2), rating)
    assert np.array_equal(rating, strength)
    assert Field.uniform(players=4, low=0, high=1).boards == 1


def test_teams_with_form():
    field = Field.teams(teams=30, boards=4, low=1400, high=2200, form_sd=60)
    rating, strength = field.draw(1, 0, 100)
    assert np.allclose(field.draw_boards(1, 0, 100).mean(axis=2), strength)
    assert (strength - rating).std() == pytest.approx(30, rel=0.05)


TRF = """\
012 Test
001    7      Weak                              1500
001    2      Strong                            2100
001    3      New                                  0
001   11      Newer
"""


def test_players_of_a_report_file(tmp_path):
    path = tmp_path / "open.trf"
    path.write_text(TRF)
    field = Field.from_trf(path, unrated=1300)
    rating, strength = field.draw(1, 0, 3)
    assert rating.tolist() == strength.tolist() == [[2100, 1300, 1500, 1300]]
    assert field.notes == ["2 of 4 players have no rating and are taken as 1300"]
    assert Field.from_dict(field.to_dict()) == field
    assert "open.trf" not in json.dumps(field.to_dict())
    assert Field.from_trf(path).draw(1, 0, 1)[0][0, 1] == 1400
    assert Field.from_trf(path, form_sd=40).draw(1, 0, 3)[0].tolist() == [[2100, 1400, 1500, 1400]] * 3


def test_a_report_file_of_one_player(tmp_path):
    path = tmp_path / "one.trf"
    path.write_text("001    7      Alone                             1500\n")
    with pytest.raises(SwissError, match="players of a ratings field must be a whole number from 2"):
        Field.from_trf(path)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Field.uniform(players=1, low=1, high=2),
            "players of a uniform field must be a whole number from 2 to",
        ),
        (lambda: Field.uniform(players=0, low=1, high=2), "not 0"),
        (lambda: Field.uniform(players=-3, low=1, high=2), "not -3"),
        (lambda: Field.uniform(players=2.5, low=1, high=2), "not 2.5"),
        (lambda: Field.uniform(players=True, low=1, high=2), "not True"),
        (lambda: Field.uniform(players=40_000, low=1, high=2), "to 32767, not 40000"),
        (lambda: Field.uniform(players=9, low=2200, high=1400), "low of a uniform field must not be above high"),
        (lambda: Field.uniform(players=9, low=math.nan, high=2), "low of a uniform field must be a finite number"),
        (lambda: Field.uniform(players=9, low=1, high="x"), "high of a uniform field must be a finite number, not 'x'"),
        (lambda: Field.uniform(players=9, low=1, high=2, form_sd=-1), "form_sd of a uniform field must be at least 0"),
        (lambda: Field.uniform(players=9, low=1, high=2, rating="round"), "did you mean 'rounded'"),
        (lambda: Field.uniform(players=9, low=1, high=2, redraw=1), "redraw of a field must be True or False"),
        (lambda: Field.uniform(players=9, low=1, high=2, form=1), "did you mean 'form_sd'"),
        (lambda: Field.uniform(players=9, low=1, high=2, boards=4), "boards of a uniform field must be 1"),
        (lambda: Field.normal(players=9, mean=1, sd=-2), "sd of a normal field must be at least 0, not -2"),
        (lambda: Field.from_ratings([2000]), "players of a ratings field must be a whole number from 2"),
        (lambda: Field.from_ratings([2000, math.nan]), "rating of player 2 must be a finite number, not nan"),
        (lambda: Field.from_ratings([2000, None]), "rating of player 2 must be a finite number, not None"),
        (
            lambda: Field.from_histogram([1, 2], [1, 1], players=9),
            "one edge more than counts, not 2 edges and 2 counts",
        ),
        (lambda: Field.from_histogram([1, 1, 3], [1, 1], players=9), "edges of a histogram must ascend"),
        (lambda: Field.from_histogram([1, 2, 3], [1, -1], players=9), "counts of a histogram must not be negative"),
        (lambda: Field.from_histogram([1, 2, 3], [0, 0], players=9), "not all of them 0"),
        (lambda: Field.from_histogram([1, 2, math.inf], [1, 1], players=9), "entry 3 of edges"),
        (
            lambda: Field.teams(teams=9, boards=0, low=1, high=2),
            "boards of a teams field must be a whole number from 1",
        ),
        (lambda: Field.from_dict({"kind": "uniforms"}), "unknown kind of field 'uniforms': did you mean 'uniform'"),
        (lambda: Field.from_dict({}), "unknown kind of field None"),
        (lambda: Field.from_dict({"kind": "normal", "players": 4}), "a normal field needs mean, sd"),
        (lambda: Field.from_dict({"kind": "ratings", "players": 3, "ratings": [1, 2]}), "needs as many ratings, not 2"),
    ],
)
def test_impossible_fields(make, message):
    with pytest.raises(SwissError, match=message):
        make()


@given(st.integers(2, 60), st.floats(-3000, 3000), st.floats(0, 3000), st.integers(0, 2**63), st.integers(0, 2**40))
def test_uniform_fields_stay_within_their_limits(players, low, width, seed, first):
    rating, _ = Field.uniform(players=players, low=low, high=low + width).draw(seed, first, 2)
    assert rating.min() >= low
    assert rating.max() <= low + width


def test_every_kind_is_listed():
    assert sorted(KINDS) == ["histogram", "normal", "ratings", "teams", "uniform"]
