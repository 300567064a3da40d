"""Participation: frequencies, precedence, the same absences in any block."""

import math

import numpy as np
import pytest

from swisssim.codes import NOT_HERE, Code
from swisssim.errors import SwissError
from swisssim.participation import Attendance, Participation

EVERYTHING = Participation(half_bye=0.1, zero_bye=0.08, forfeit=0.05, withdraw=0.03, late=0.2, postpone=0.1, delay=2)


def rounds_of(participation, *, count=400, first=0, players=30, rounds=6, seed=1):
    """Return away and no_show for all rounds, (rounds, count, players)."""
    attendance = Attendance(participation, seed, first, count, players, rounds)
    away, no_show = [], []
    for r in range(1, rounds + 1):
        away.append(attendance.away(r).copy())
        no_show.append(attendance.no_show(r).copy())
    return np.array(away), np.array(no_show)


def assert_share(mask, p):
    """Assert that a share is p within five standard errors."""
    assert mask.mean() == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / mask.size))


def test_everybody_is_there_by_default():
    attendance = Attendance(Participation(postpone=0.5), 1, 0, 3, 4, 2)
    assert not attendance.active
    for r in (1, 2):
        assert not attendance.away(r).any()
        assert not attendance.no_show(r).any()


def test_a_tournament_is_the_same_in_any_block():
    away, no_show = rounds_of(EVERYTHING, count=20)
    for first, count in ((0, 1), (7, 1), (5, 10)):
        part = rounds_of(EVERYTHING, first=first, count=count)
        assert np.array_equal(part[0], away[:, first : first + count])
        assert np.array_equal(part[1], no_show[:, first : first + count])
    assert not np.array_equal(rounds_of(EVERYTHING, count=20, seed=2)[0], away)


def test_half_point_byes_come_once_and_never_last():
    away, _ = rounds_of(Participation(half_bye=0.3))
    half = away == Code.HALF_BYE
    assert set(np.unique(away)) == {0, Code.HALF_BYE}
    assert half.sum(axis=0).max() == 1
    assert not half[-1].any()
    assert_share(half[0], 0.3)
    assert_share(half[2], 0.3 * 0.7**2)


def test_zero_point_byes_and_forfeits_are_independent():
    away, no_show = rounds_of(Participation(zero_bye=0.1, forfeit=0.2))
    assert_share(away == Code.ZERO_BYE, 0.1)
    assert_share(no_show[away == 0], 0.2)
    assert not no_show[away > 0].any()
    assert no_show.dtype == away.dtype == np.uint8


def test_withdrawals_begin_before_round_two_and_last():
    away, _ = rounds_of(Participation(withdraw=0.1))
    gone = away == NOT_HERE
    assert not gone[0].any()
    assert (np.diff(gone.astype(int), axis=0) >= 0).all()
    for r in range(1, 6):
        assert_share(gone[r], 1 - 0.9**r)


def test_late_players_arrive_for_round_two_or_three():
    away, _ = rounds_of(Participation(late=0.4))
    assert_share(away[0] == NOT_HERE, 0.4)
    assert_share(away[1] == NOT_HERE, 0.2)
    assert not away[2:].any()


def test_nobody_withdraws_before_he_arrives():
    away, _ = rounds_of(Participation(late=1, withdraw=1))
    assert (away == NOT_HERE).sum(axis=0).min() == 5
    assert ((away[1] == 0) ^ (away[2] == 0)).all()
    assert (away[3:] == NOT_HERE).all()


def test_precedence():
    away, no_show = rounds_of(Participation(half_bye=1, zero_bye=1, forfeit=1, late=0.5), rounds=4)
    here = away != NOT_HERE
    assert (away[0][here[0]] == Code.HALF_BYE).all()
    assert (away[3] == Code.ZERO_BYE).all()
    assert not no_show.any()


def test_rounds_come_in_order():
    attendance = Attendance(EVERYTHING, 1, 0, 2, 4, 3)
    first = attendance.away(1)
    assert np.array_equal(attendance.away(1), first)
    with pytest.raises(ValueError, match="2 of 3 is next, not 3"):
        attendance.away(3)
    attendance.away(2)
    attendance.away(3)
    with pytest.raises(ValueError, match="not 4"):
        attendance.no_show(4)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"half_bye": 1.2}, "half_bye is 1.2; it must be a probability from 0 to 1"),
        ({"forfeit": -0.1}, "forfeit is -0.1"),
        ({"late": math.nan}, "late is nan"),
        ({"withdraw": "often"}, "withdraw is 'often'"),
        ({"zero_bye": True}, "zero_bye is True"),
        ({"delay": 0}, "delay is 0; it must be a whole number of rounds from 1"),
        ({"delay": 1.5}, "delay is 1.5"),
    ],
)
def test_impossible_participation(wrong, message):
    with pytest.raises(SwissError, match=message):
        Participation(**wrong)


def test_participation_comes_back_from_its_provenance():
    assert Participation(**EVERYTHING.to_dict()) == EVERYTHING
    assert Participation().everybody
    assert not EVERYTHING.everybody
