"""Fields: the players of an event with published ratings and true strengths, from distributions, lists or files."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from swisssim import trf
from swisssim._random import Domain, uniforms
from swisssim.errors import SwissError, unknown
from swisssim.points import MOST_BOARDS

Floats = NDArray[np.float64]

MOST_PLAYERS = 32767  # players are stored as int16


class Options(TypedDict, total=False):
    """What every kind of field understands.

    Attributes
    ----------
    form_sd : float
        Standard deviation of a normal number that is added to what was drawn to get the true strength: the error of the
        seeding. Default 0.
    rating : {"exact", "rounded"}
        Whether the published rating is what was drawn, or that rounded to a whole number. Default "exact".
    redraw : bool
        Whether each tournament has a field of its own (default), or all have that of tournament 0.
    """

    form_sd: float
    rating: str
    redraw: bool


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of players; made by `uniform`, `normal`, `from_ratings`, `from_trf`, `from_histogram` or `teams`.

    Pairing numbers are by rating, highest first, equal ratings in the order in which they were drawn or given. Random
    numbers have the domain `Domain.FIELD` and the counter (tournament, player drawn from 1, board, 0), where the
    tournament is 0 if all share the field, and the board is 0 but in a team. Word 0 of a player or team is what is
    drawn, word 1 his form; in a team word 0 of board 1, 2, ... is the board's distance from the team's level, word 1
    its form. Normal numbers are made by the inverse of the distribution function.
    """

    players: int
    boards: int = 1
    form_sd: float = 0.0
    rating: str = "exact"
    redraw: bool = True

    kind: ClassVar[str] = ""
    REQUIRED: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name, most in (("players", MOST_PLAYERS), ("boards", MOST_BOARDS if self.kind == "teams" else 1)):
            value, least = getattr(self, name), 2 if name == "players" else 1
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
                allowed = f"a whole number from {least} to {most}" if most > 1 else "1"
                raise SwissError(f"{name} of a {self.kind} field must be {allowed}, not {value!r}")
            object.__setattr__(self, name, int(value))
        if self.rating not in ("exact", "rounded"):
            raise unknown("rating of a field", self.rating, ("exact", "rounded"))
        if not isinstance(self.redraw, bool):
            raise SwissError(f"redraw of a field must be True or False, not {self.redraw!r}")
        self._number("form_sd", lowest=0.0)

    def _number(self, name: str, *, lowest: float = -math.inf) -> None:
        """Make an attribute a float; raise unless it is a finite number from `lowest` on."""
        value = _finite(f"{name} of a {self.kind} field", getattr(self, name))
        if value < lowest:
            raise SwissError(f"{name} of a {self.kind} field must be at least {lowest:g}, not {value:g}")
        object.__setattr__(self, name, value)

    @staticmethod
    def uniform(*, players: int, low: float, high: float, **options: Unpack[Options]) -> Field:
        """Return a field whose ratings are uniform from `low` to `high`.

        Parameters
        ----------
        players : int
            Number of players.
        low, high : float
            Limits of the ratings.
        **options
            See `Options`.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If a value is impossible or an option unknown.

        Examples
        --------
        >>> Field.uniform(players=32, low=1400, high=2200, rating="rounded").describe()
        '32 players, uniform from 1400 to 2200, rounded ratings, a new field for each tournament'
        """
        return _make("uniform", {"players": players, "low": low, "high": high, **options})

    @staticmethod
    def normal(*, players: int, mean: float, sd: float, **options: Unpack[Options]) -> Field:
        """Return a field whose ratings are normal.

        Parameters
        ----------
        players : int
            Number of players.
        mean, sd : float
            Mean and standard deviation of the ratings.
        **options
            See `Options`.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If a value is impossible or an option unknown.
        """
        return _make("normal", {"players": players, "mean": mean, "sd": sd, **options})

    @staticmethod
    def from_ratings(ratings: Sequence[float], **options: Unpack[Options]) -> Field:
        """Return the field of given ratings, sorted by rating.

        Parameters
        ----------
        ratings : sequence of float
            One rating for each player.
        **options
            See `Options`; with ``form_sd`` the strengths are drawn.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If a rating isn't a finite number, there are fewer than two, or an option is unknown.
        """
        listed = tuple(_finite(f"rating of player {k}", rating) for k, rating in enumerate(ratings, 1))
        listed = tuple(sorted(listed, reverse=True))
        return _make("ratings", {"players": len(listed), "ratings": listed, **options})

    @staticmethod
    def from_trf(path: str | os.PathLike[str], *, unrated: float = 1400.0, **options: Unpack[Options]) -> Field:
        """Return the field of a tournament report: its players in the order of their starting numbers.

        Parameters
        ----------
        path : str or path-like
            A TRF file.
        unrated : float
            Rating of the players that have none in the file; `notes` says how many.
        **options
            See `Options`.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If the file can't be understood, has fewer than two players, or an option is unknown.
        """
        players = trf.read(path, strict=False).players  # only the players matter, not their rounds
        listed = [players[number].rating or 0.0 for number in sorted(players)]
        values = {
            "players": len(listed),
            "ratings": tuple(_finite("rating of unrated players", unrated) if r == 0 else float(r) for r in listed),
            "unrated": tuple(k for k, rating in enumerate(listed, 1) if rating == 0),
        }
        return _make("ratings", {**values, **options})

    @staticmethod
    def from_histogram(
        edges: Sequence[float], counts: Sequence[float], *, players: int, **options: Unpack[Options]
    ) -> Field:
        """Return a field drawn from a histogram, for instance the shape of a rating list.

        Parameters
        ----------
        edges : sequence of float
            Limits of the bins, ascending: one more than there are counts.
        counts : sequence of float
            Weights of the bins; within a bin ratings are uniform.
        players : int
            Number of players.
        **options
            See `Options`.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If edges and counts don't make a histogram, or an option is unknown.
        """
        values = {"players": players, "edges": tuple(edges), "counts": tuple(counts)}
        return _make("histogram", {**values, **options})

    @staticmethod
    def teams(
        *, teams: int, boards: int, low: float, high: float, board_sd: float = 100.0, **options: Unpack[Options]
    ) -> Field:
        """Return a field of teams.

        A team's level is uniform; each of its boards is that plus a normal number, the strongest first. The rating and
        the strength of the team are the means over its boards.

        Parameters
        ----------
        teams, boards : int
            Number of teams, and of boards in each.
        low, high : float
            Limits of the teams' levels.
        board_sd : float
            Standard deviation of the boards about the level of their team.
        **options
            See `Options`.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If a value is impossible or an option unknown.
        """
        values = {"players": teams, "boards": boards, "low": low, "high": high, "board_sd": board_sd}
        return _make("teams", {**values, **options})

    @property
    def headcount(self) -> str:
        """How many there are, in words."""
        return f"{self.players} players"

    @property
    def shared(self) -> bool:
        """Whether all tournaments have the same field."""
        return not self.redraw

    @property
    def notes(self) -> list[str]:
        """What a reader of the results should know about the field besides its description."""
        return []

    def draw(self, seed: int, first: int = 0, count: int = 1) -> tuple[Floats, Floats]:
        """Draw the fields of consecutive tournaments.

        Parameters
        ----------
        seed : int
            Seed of the study.
        first, count : int
            Number of the first tournament, from 0, and how many.

        Returns
        -------
        rating, strength : ndarray of float64
            ``(count, players)``, or ``(1, players)`` if all tournaments share the field; in the order of pairing
            numbers.
        """
        drawn, strength = self._drawn(seed, self._tournaments(first, count))
        rating = np.rint(drawn) if self.rating == "rounded" else drawn
        order = self._order(rating)
        sorted_rating = np.take_along_axis(rating, order, axis=1)
        return sorted_rating, sorted_rating if strength is rating else np.take_along_axis(strength, order, axis=1)

    def _tournaments(self, first: int, count: int) -> NDArray[np.int64]:
        return np.zeros(1, np.int64) if self.shared else np.arange(first, first + count)

    def _order(self, rating: Floats) -> NDArray[np.intp]:
        """Return who gets pairing number 1, 2, ...: by rating, equal ratings as drawn."""
        return np.argsort(-rating, axis=1, kind="stable")

    def _drawn(self, seed: int, tournaments: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return what was drawn and the strengths, ``(tournaments, players)`` in the order of drawing."""
        numbers = uniforms(seed, Domain.FIELD, tournaments[:, None], np.arange(1, self.players + 1))
        drawn = self._level(numbers[..., 0])
        return drawn, self._with_form(drawn, numbers[..., 1])

    def _with_form(self, drawn: Floats, numbers: Floats) -> Floats:
        return drawn + self.form_sd * _normal(numbers) if self.form_sd else drawn

    def _level(self, numbers: Floats) -> Floats:
        """Turn uniform numbers into ratings."""
        raise NotImplementedError

    def _shape(self) -> str:
        """Describe the distribution of the ratings."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return the field in words, for reports."""
        parts = [self.headcount, self._shape()]
        if self.rating == "rounded":
            parts.append("rounded ratings")
        if self.form_sd:
            parts.append(f"true strength = rating + Normal(0, {self.form_sd:g})")
        parts.append("the same field for all tournaments" if self.shared else "a new field for each tournament")
        return ", ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that makes the field, ready for JSON; `from_dict` makes it again."""
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        return {"kind": self.kind, **plain}

    @staticmethod
    def from_dict(saved: Mapping[str, Any]) -> Field:
        """Return the field that `to_dict` described.

        Parameters
        ----------
        saved : mapping
            What `to_dict` returned.

        Returns
        -------
        Field

        Raises
        ------
        SwissError
            If the kind is unknown or a value missing, unknown or impossible.
        """
        values = dict(saved)
        return _make(values.pop("kind", None), values)


def _finite(what: str, value: object) -> float:
    """Return a finite number as float."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise SwissError(f"{what} must be a finite number, not {value!r}")
    return float(value)


def _normal(numbers: Floats) -> Floats:
    """Turn uniform numbers in [0, 1) into standard normal ones; 0 itself would be infinitely far out."""
    drawn: Floats = ndtri(np.maximum(numbers, 2.0**-54))
    return drawn


def _make(kind: object, values: Mapping[str, Any]) -> Field:
    """Return a field of a kind; values that are missing or unknown are named."""
    if kind not in KINDS:
        raise unknown("kind of field", kind, KINDS)
    made: Any = KINDS[str(kind)]
    known = {f.name: f for f in fields(made)}
    for name in values:
        if name not in known:
            raise unknown(f"option of a {kind} field", name, known)
    required = ("players", *made.REQUIRED)
    missing = [name for name in required if name not in values]
    if missing:
        raise SwissError(f"a {kind} field needs {', '.join(missing)}")
    field: Field = made(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})
    return field


@dataclass(frozen=True, kw_only=True)
class _Limits(Field):
    """What has a lower and an upper limit."""

    low: float = 0.0
    high: float = 0.0

    REQUIRED: ClassVar[tuple[str, ...]] = ("low", "high")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._number("low")
        self._number("high")
        if self.low > self.high:
            raise SwissError(f"low of a {self.kind} field must not be above high, but {self.low:g} > {self.high:g}")

    def _level(self, numbers: Floats) -> Floats:
        return self.low + numbers * (self.high - self.low)


@dataclass(frozen=True, kw_only=True)
class UniformField(_Limits):
    """Ratings are uniform."""

    kind: ClassVar[str] = "uniform"

    def _shape(self) -> str:
        return f"uniform from {self.low:g} to {self.high:g}"


@dataclass(frozen=True, kw_only=True)
class NormalField(Field):
    """Ratings are normal."""

    mean: float = 0.0
    sd: float = 0.0

    kind: ClassVar[str] = "normal"
    REQUIRED: ClassVar[tuple[str, ...]] = ("mean", "sd")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._number("mean")
        self._number("sd", lowest=0.0)

    def _level(self, numbers: Floats) -> Floats:
        return self.mean + self.sd * _normal(numbers)

    def _shape(self) -> str:
        return f"normal with mean {self.mean:g} and standard deviation {self.sd:g}"


@dataclass(frozen=True, kw_only=True)
class RatingsField(Field):
    """Given ratings, in the order of pairing numbers; nothing is drawn but the form."""

    ratings: tuple[float, ...] = ()
    unrated: tuple[int, ...] = ()  # pairing numbers of those whose rating was assumed

    kind: ClassVar[str] = "ratings"
    REQUIRED: ClassVar[tuple[str, ...]] = ("ratings",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.ratings) != self.players:
            raise SwissError(
                f"a ratings field of {self.players} players needs as many ratings, not {len(self.ratings)}"
            )
        for k, rating in enumerate(self.ratings, 1):
            _finite(f"rating of player {k}", rating)

    @property
    def shared(self) -> bool:
        """Whether all tournaments have the same field: so it is unless the form is drawn anew."""
        return not self.redraw or not self.form_sd

    @property
    def notes(self) -> list[str]:
        """Who has no rating of his own."""
        if not self.unrated:
            return []
        assumed = self.ratings[self.unrated[0] - 1]
        return [f"{len(self.unrated)} of {self.players} players have no rating and are taken as {assumed:g}"]

    def _level(self, numbers: Floats) -> Floats:
        return np.repeat(np.asarray(self.ratings)[None, :], len(numbers), axis=0)

    def _order(self, rating: Floats) -> NDArray[np.intp]:
        return np.repeat(np.arange(self.players)[None, :], len(rating), axis=0)

    def _shape(self) -> str:
        return f"given ratings from {min(self.ratings):g} to {max(self.ratings):g}"


@dataclass(frozen=True, kw_only=True)
class HistogramField(Field):
    """Ratings are drawn from a histogram."""

    edges: tuple[float, ...] = ()
    counts: tuple[float, ...] = ()

    kind: ClassVar[str] = "histogram"
    REQUIRED: ClassVar[tuple[str, ...]] = ("edges", "counts")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("edges", "counts"):
            numbers = (_finite(f"entry {k} of {name}", value) for k, value in enumerate(getattr(self, name), 1))
            object.__setattr__(self, name, tuple(numbers))
        if len(self.edges) != len(self.counts) + 1:
            raise SwissError(
                f"a histogram has one edge more than counts, not {len(self.edges)} edges and {len(self.counts)} counts"
            )
        if any(left >= right for left, right in pairwise(self.edges)):
            raise SwissError("the edges of a histogram must ascend")
        if min(self.counts, default=0.0) < 0.0 or sum(self.counts) <= 0.0:
            raise SwissError("the counts of a histogram must not be negative, and not all of them 0")

    def _level(self, numbers: Floats) -> Floats:
        counts, edges = np.asarray(self.counts), np.asarray(self.edges)
        filled = np.flatnonzero(counts)
        reached = np.concatenate(([0.0], np.cumsum(counts[filled]) / counts.sum()))
        reached[-1] = 1.0
        at = np.searchsorted(reached, numbers, side="right") - 1
        within = (numbers - reached[at]) / np.diff(reached)[at]
        return edges[filled][at] + within * np.diff(edges)[filled][at]

    def _shape(self) -> str:
        return f"drawn from a histogram of {len(self.counts)} bins from {self.edges[0]:g} to {self.edges[-1]:g}"


@dataclass(frozen=True, kw_only=True)
class TeamField(_Limits):
    """Teams of several boards; the competitor is the team."""

    board_sd: float = 100.0

    kind: ClassVar[str] = "teams"
    REQUIRED: ClassVar[tuple[str, ...]] = ("boards", "low", "high")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._number("board_sd", lowest=0.0)

    @property
    def headcount(self) -> str:
        """How many teams there are, and how many boards a match has."""
        return f"{self.players} teams of {self.boards} board{'s' if self.boards > 1 else ''}"

    def _lineups(self, seed: int, tournaments: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return what was drawn for the boards, strongest first, and their strengths: ``(tournaments, teams, boards)``."""
        numbers = uniforms(
            seed,
            Domain.FIELD,
            tournaments[:, None, None],
            np.arange(1, self.players + 1)[:, None],
            np.arange(self.boards + 1),
        )
        drawn = self._level(numbers[:, :, :1, 0]) + self.board_sd * _normal(numbers[:, :, 1:, 0])
        order = np.argsort(-drawn, axis=2, kind="stable")
        strength = self._with_form(drawn, numbers[:, :, 1:, 1])
        return np.take_along_axis(drawn, order, axis=2), np.take_along_axis(strength, order, axis=2)

    def _drawn(self, seed: int, tournaments: NDArray[np.int64]) -> tuple[Floats, Floats]:
        drawn, strength = self._lineups(seed, tournaments)
        return drawn.mean(axis=2), strength.mean(axis=2)

    def draw_boards(self, seed: int, first: int = 0, count: int = 1) -> Floats:
        """Draw the strengths of the boards of the teams that `draw` returns.

        Parameters
        ----------
        seed : int
            Seed of the study.
        first, count : int
            Number of the first tournament, from 0, and how many.

        Returns
        -------
        ndarray of float64
            ``(count, teams, boards)``, or ``(1, teams, boards)`` if all tournaments share the field; teams in the order
            of pairing numbers, board 1 first.
        """
        drawn, strength = self._lineups(seed, self._tournaments(first, count))
        rating = drawn.mean(axis=2)
        order = self._order(np.rint(rating) if self.rating == "rounded" else rating)
        return np.take_along_axis(strength, order[:, :, None], axis=1)

    def _shape(self) -> str:
        return (
            f"their levels uniform from {self.low:g} to {self.high:g}, "
            f"boards about them with standard deviation {self.board_sd:g}"
        )


KINDS: dict[str, type[Field]] = {
    kind.kind: kind for kind in (UniformField, NormalField, RatingsField, HistogramField, TeamField)
}
"""Every kind of field by its name in `Field.to_dict`."""
