"""What a result is worth, in tenths: points for each result code; match points and game points of teams."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from swisssim.codes import Code
from swisssim.errors import SwissError, unknown

MOST_BOARDS = 100
"""The most boards of a match."""

TEAM_BYES = ("rule", "literal")
"""Readings of the rule about a team's bye; see `TeamScoring`."""

_LARGEST_SCORE = 32_767  # tenths, int16

_NAMES = ("win", "draw", "loss", "forfeit_win", "forfeit_loss", "bye", "full_bye", "half_bye", "zero_bye")


def tenths(value: float, what: str) -> int:
    """Return points as a whole number of tenths.

    Parameters
    ----------
    value : float
        Points, a multiple of 0.1 from 0 to 100.
    what : str
        What they are, for the message.

    Raises
    ------
    SwissError
        If it is something else; the message names it.
    """
    number = float(value) * 10 if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    scaled = round(number) if math.isfinite(number) else -1
    if not 0 <= scaled <= 1000 or abs(scaled - number) > 1e-6:
        raise SwissError(f"{what} is {value!r}; points are multiples of 0.1 from 0 to 100")
    return scaled


@dataclass(frozen=True)
class Points:
    """Points in tenths for every kind of result; the usual 1 - 1/2 - 0 by default.

    Parameters
    ----------
    win, draw, loss : int
        For games.
    forfeit_win, forfeit_loss : int
        For forfeits.
    bye : int
        For the pairing-allocated bye.
    full_bye, half_bye, zero_bye : int
        For requested byes and absences.
    """

    win: int = 10
    draw: int = 5
    loss: int = 0
    forfeit_win: int = 10
    forfeit_loss: int = 0
    bye: int = 10
    full_bye: int = 10
    half_bye: int = 5
    zero_bye: int = 0

    @classmethod
    def of(cls, given: Mapping[str, float] | Points | None) -> Points:
        """Return points from a mapping such as ``{"win": 3, "draw": 1}``, in points.

        What is not named follows: ``forfeit_win``, ``bye`` and ``full_bye`` are worth a win, ``half_bye`` a draw,
        ``forfeit_loss`` a loss, ``zero_bye`` nothing.

        Raises
        ------
        SwissError
            If a kind of result is unknown, its points are no multiple of 0.1, or a loss is worth more than a draw or a draw
            more than a win.
        """
        if given is None:
            return cls()
        if isinstance(given, Points):
            return given
        if not isinstance(given, Mapping):
            raise SwissError(f"points are {given!r}; they must be a mapping such as {{'win': 3, 'draw': 1}}")
        for name in given:
            if name not in _NAMES:
                raise unknown("kind of result in points", name, _NAMES)
        known = {name: tenths(value, f"points of {name}") for name, value in given.items()}
        win, draw, loss = known.get("win", 10), known.get("draw", 5), known.get("loss", 0)
        if not win >= draw >= loss:
            raise SwissError(f"points must not grow from win to draw to loss: {win / 10}, {draw / 10}, {loss / 10}")
        follow = {"forfeit_win": win, "bye": win, "full_bye": win, "half_bye": draw, "forfeit_loss": loss}
        return cls(**{"win": win, "draw": draw, "loss": loss, **follow, **known})

    @property
    def worth(self) -> tuple[int, ...]:
        """Tenths for each result code, as the core wants them."""
        return (
            self.zero_bye,
            self.win,
            self.draw,
            self.loss,
            self.forfeit_win,
            self.forfeit_loss,
            self.bye,
            self.full_bye,
            self.half_bye,
            self.zero_bye,
            0,
        )

    def check_total(self, rounds: int, *, virtual: Iterable[Sequence[int]] = ()) -> None:
        """Raise an error if scores could grow beyond what the arrays of a history hold.

        Parameters
        ----------
        rounds : int
            Rounds of the event.
        virtual : iterable of sequences of int
            Virtual points in tenths of each player who has some.

        Raises
        ------
        SwissError
            That names the highest score.
        """
        most = max(self.worth) * rounds + max((value for values in virtual for value in values), default=0)
        if most > _LARGEST_SCORE:
            raise SwissError(
                f"scores could reach {most / 10:g} points in {rounds} rounds, virtual points included; "
                f"at most {_LARGEST_SCORE / 10:g} can be handled"
            )

    def to_dict(self) -> dict[str, float]:
        """Return the points by kind of result, in points."""
        return {name: getattr(self, name) / 10 for name in _NAMES}


@dataclass(frozen=True, kw_only=True)
class TeamScoring:
    """What decides the points of teams: match points, which are the score that pairs, and game points.

    A match is won by the team that makes more game points: 2 match points, a draw 1, unless other points are given.

    A team with the pairing-allocated bye gets 1 match point and half of the boards in game points; if there are fewer
    teams than twice the number of rounds, 2 match points. (With other points: those of a draw and of a win.) The rule
    text, which is that of `dutch2012`, says "2 game points instead of one" for such small fields, and that makes sense
    only as match points; ``team_bye="literal"`` follows its letter: always 1 match point, and there 2 game points.

    A match won by forfeit and a full-point bye bring as many game points as there are boards, a half-point bye half of
    them, a forfeit loss and a zero-point bye none.

    Parameters
    ----------
    boards : int
        Boards of a match, from 2.
    teams : int
        Number of teams at the start of the event; those who come later don't count for the rule about byes.
    rounds : int
        Number of rounds announced.
    team_bye : {"rule", "literal"}
        How the rule about a team's bye is read.
    """

    boards: int
    teams: int
    rounds: int
    team_bye: str = "rule"

    @classmethod
    def of(cls, boards: int, *, teams: int, rounds: int, team_bye: str = "rule") -> TeamScoring | None:
        """Return the scoring of an event; None if a match has one board, which is an event of individuals.

        Raises
        ------
        SwissError
            If there can't be so many boards, or the reading of the rule is unknown or given without teams.
        """
        if isinstance(boards, bool) or not isinstance(boards, int | np.integer) or not 1 <= boards <= MOST_BOARDS:
            raise SwissError(f"boards is {boards!r}; it must be a whole number from 1 (individuals) to {MOST_BOARDS}")
        if team_bye not in TEAM_BYES:
            raise unknown("team_bye", team_bye, TEAM_BYES)
        if boards > 1:
            return cls(boards=int(boards), teams=teams, rounds=rounds, team_bye=team_bye)
        if team_bye != "rule":
            raise SwissError(
                f"team_bye is {team_bye!r}, but there are no teams; give the boards of a match, such as boards=4"
            )
        return None

    @property
    def small(self) -> bool:
        """Whether there are fewer teams than twice the number of rounds, so that a bye counts more."""
        return self.teams < 2 * self.rounds

    def points(self, given: Mapping[str, float] | Points | None = None) -> Points:
        """Return the match points for every kind of result.

        Parameters
        ----------
        given : mapping or Points, optional
            As in `Points.of`, instead of 2 - 1 - 0; a bye that is given stands above the rule.
        """
        if isinstance(given, Points):
            return given
        points = Points.of({"win": 2, "draw": 1} if given is None else given)
        if given is not None and "bye" in given:
            return points
        return replace(points, bye=points.win if self.small and self.team_bye == "rule" else points.draw)

    @property
    def unplayed(self) -> tuple[int, ...]:
        """Game points in tenths for each result code of a round without games; 0 for codes of games, whose boards decide."""
        half, whole = 5 * self.boards, 10 * self.boards
        bye = 20 if self.small and self.team_bye == "literal" else half
        made = {Code.FORFEIT_WIN: whole, Code.FULL_BYE: whole, Code.HALF_BYE: half, Code.PAIRING_BYE: bye}
        return tuple(made.get(code, 0) for code in Code)
