"""Result models: how likely White wins and how likely a game is drawn, given the strengths of the two.

A model is an elementwise function ``f(white_strength, black_strength, context) -> (P(white wins), P(draw))`` of
float64 arrays; only games that are really played are asked for. `model` makes one by name or from any callable of that
form, `MODELS` lists what there is.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from swisssim.errors import SwissError, unknown

Floats = NDArray[np.float64]
Probabilities = tuple[Floats, Floats]


class Standings(Protocol):
    """What a context reads from the block of tournaments in play; arrays are ``(tournaments, players)``."""

    @property
    def whites(self) -> NDArray[np.int16]: ...

    @property
    def blacks(self) -> NDArray[np.int16]: ...

    @property
    def scores(self) -> NDArray[np.int16]: ...  # (tournaments, rounds, players)


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a model may know about the games besides the strengths; an array has one entry per game.

    The properties that look at the standings are read when they are asked for: keep what they return, not the context.

    Attributes
    ----------
    round, rounds : int
        The round of the games, from 1, and the number of rounds of the tournament.
    tournament : int or ndarray of int
        Number of the tournament in the study, from 0.
    white, black : int or ndarray of int
        Places of the two in the arrays of the block, from 0: pairing number - 1.
    index : int or ndarray of int
        Place of the tournament in the block, from 0.
    state : Standings, optional
        The standings of the block; without them everybody has nothing yet.
    board : int or ndarray of int
        Board of the match, from 1, where the two are teams; 1 otherwise.
    """

    round: int = 1
    rounds: int = 1
    tournament: Any = 0
    white: Any = 0
    black: Any = 1
    index: Any = 0
    state: Standings | None = None
    board: Any = 1

    def mirrored(self) -> Context:
        """Return the context of the same games with colours swapped."""
        return replace(self, white=self.black, black=self.white)

    @property
    def white_number(self) -> Any:
        """Pairing number of White, from 1."""
        return self.white + 1

    @property
    def black_number(self) -> Any:
        """Pairing number of Black, from 1."""
        return self.black + 1

    @property
    def white_score(self) -> Any:
        """Pairing score of White before the round, in points."""
        return self._score(self.white)

    @property
    def black_score(self) -> Any:
        """Pairing score of Black before the round, in points."""
        return self._score(self.black)

    @property
    def white_difference(self) -> Any:
        """White's games with White minus those with Black so far."""
        return self._colours(self.white, -1)

    @property
    def black_difference(self) -> Any:
        """Black's games with White minus those with Black so far."""
        return self._colours(self.black, -1)

    @property
    def white_games(self) -> Any:
        """Games of White so far, postponed ones included."""
        return self._colours(self.white, 1)

    @property
    def black_games(self) -> Any:
        """Games of Black so far, postponed ones included."""
        return self._colours(self.black, 1)

    def _score(self, player: Any) -> Any:
        if self.state is None:
            return 0.0 * (player + self.index)
        return self.state.scores[self.index, self.round - 1, player] / 10.0

    def _colours(self, player: Any, sign: int) -> Any:
        if self.state is None:
            return 0 * (player + self.index)
        return self.state.whites[self.index, player] + sign * self.state.blacks[self.index, player]


class Model:
    """A result model; subclasses define ``_probabilities``.

    Attributes
    ----------
    name : str
        Key in `MODELS`, or the qualified name of a callable.
    parameters : dict
        Every parameter with its value, for the provenance of results.
    description, source : str
        One line about the model, and where it was published.
    needs_context : bool
        Whether the model looks at the `Context`; the others may be called without.
    """

    name: str = ""
    description: str = ""
    source: str = ""
    needs_context: bool = False
    _warned = False

    def __init__(self) -> None:
        self.parameters: dict[str, Any] = {}

    def __call__(self, white: ArrayLike, black: ArrayLike, context: Context | None = None) -> Probabilities:
        """Return the probabilities that White wins and that the game is drawn.

        Parameters
        ----------
        white, black : float or array of float
            Strengths of the players, broadcast against each other.
        context : Context, optional
            What else the model may know.

        Returns
        -------
        win, draw : ndarray of float64
            The probabilities; Black wins with the rest.

        Raises
        ------
        SwissError
            If a strength isn't a finite number, or a callable returns something that isn't a pair of probabilities.
        """
        w = np.atleast_1d(_strengths("White", white))
        b = np.atleast_1d(_strengths("Black", black))
        if w.shape != b.shape:
            try:
                w, b = np.broadcast_arrays(w, b)
            except ValueError:
                raise SwissError(f"strengths of White {w.shape} and of Black {b.shape} don't fit together") from None
        if w.size == 0:
            return np.empty(w.shape), np.empty(w.shape)
        if not math.isfinite(w.sum() + b.sum()):
            _check_strengths("White", w)
            _check_strengths("Black", b)
        win, draw = self._probabilities(w, b, context)
        if np.ndim(white) == np.ndim(black) == 0:
            return win[0], draw[0]
        return win, draw

    def expected_score(self, player: ArrayLike, opponent: ArrayLike, context: Context | None = None) -> Floats:
        """Return the expected score of a player against an opponent, the mean of both colours.

        Parameters
        ----------
        player, opponent : float or array of float
            Strengths, broadcast against each other.
        context : Context, optional
            The context with the player as White.

        Returns
        -------
        ndarray of float64
            Expected points, from 0 to 1.
        """
        win, draw = self(player, opponent, context)
        lose, draw_as_black = self(opponent, player, context.mirrored() if context is not None else None)
        return 0.5 * (win + 0.5 * draw + 1.0 - lose - 0.5 * draw_as_black)

    def to_dict(self) -> dict[str, Any]:
        """Return name and parameters, ready for JSON; `from_dict` makes the same model again."""
        return {"name": self.name, "parameters": dict(self.parameters)}

    @staticmethod
    def from_dict(saved: Mapping[str, Any]) -> Model:
        """Return the model that `to_dict` described; the functions of users can't be made again."""
        name = saved["name"]
        if name not in MODELS and "." in name:
            raise SwissError(f"model {name} was a function; its results can only be made again by giving the function")
        return model(name, **saved["parameters"])

    def __repr__(self) -> str:
        return f"model({', '.join([repr(self.name), *(f'{k}={v!r}' for k, v in self.parameters.items())])})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Model) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.parameters.items())))

    def _probabilities(self, white: Floats, black: Floats, context: Context | None) -> Probabilities:
        raise NotImplementedError


def _strengths(side: str, value: ArrayLike) -> Floats:
    """Return strengths as a contiguous float64 array."""
    try:
        return np.asarray(value, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise SwissError(f"strengths of {side} must be numbers, not {value!r}") from None


def _check_strengths(side: str, strengths: Floats) -> None:
    """Raise for the first strength that isn't a finite number."""
    bad = np.flatnonzero(~np.isfinite(strengths))
    if bad.size:
        raise SwissError(f"strength of {side} in game {bad[0]} is {strengths.flat[bad[0]]}; it must be a finite number")


@dataclass(frozen=True)
class _Curve:
    """One side of `milvang2015` as linear functions: two parabolas that meet in the middle.

    With x the rating difference in the player's favour from the middle of the curve, S the sum of the two ratings and q
    as in the model: ``v = max(0, 1 - max(x / (a + b S), -x / (c + d S)))^2`` and
    ``2 P = 1 + (2 CV - 1) v + sign(x) (1 - v)`` with ``2 CV - 1 = e + f q^2``.
    """

    up: tuple[float, float]  # a, b: from the middle to the limit above which the player always wins
    down: tuple[float, float]  # -c, -d: to the limit below which he never does
    middle: tuple[float, float]  # e, f

    def add(self, out: Floats, x: Floats, total: Floats, q2: Floats, v: Floats) -> None:
        """Write 2 P - 1 to `out`; `v` is scratch."""
        np.multiply(total, self.up[1], out=v)
        v += self.up[0]
        np.divide(x, v, out=v)
        np.multiply(total, self.down[1], out=out)
        out += self.down[0]
        np.divide(x, out, out=out)
        np.maximum(v, out, out=v)
        np.subtract(1.0, v, out=v)
        np.maximum(v, 0.0, out=v)
        v *= v
        np.multiply(q2, self.middle[1], out=out)
        out += self.middle[0]
        out *= v
        np.subtract(1.0, v, out=v)
        np.copysign(v, x, out=v)
        out += v


class Milvang2015(Model):
    """Two parabolas per side, fitted to games of rated players; the default.

    With Rm the mean of the ratings, Rd = white - black and q = max(0, (Rm - 1200) / 1200):

    - White: CL = 40, CV = 0.45 - 0.10 q^2, LL = -1492 + 0.391 Rm, UL = 1691 - 0.428 Rm. P(white wins) is 0 for
      Rd <= LL, CV ((Rd - LL) / (CL - LL))^2 up to CL, 1 - (1 - CV) ((Rd - UL) / (CL - UL))^2 up to UL, and 1 above.
    - Black: CL = -80, CV = 0.46 - 0.13 q^2, LL = -1753 + 0.416 Rm, UL = 1428 - 0.388 Rm. P(black wins) is 1 for
      Rd <= LL, 1 - (1 - CV) ((Rd - LL) / (CL - LL))^2 up to CL, CV ((Rd - UL) / (CL - UL))^2 up to UL, and 0 above.
    - The rest is the draw.

    Above a mean of 3457 Black's CV is negative: the three are then clamped to [0, 1] and divided by their sum, with one
    warning. Near 3857 the limits cross, so that from 3800 on the curves stay as they are there.
    Only sums, products and quotients occur, so that every machine computes the same bits.
    """

    name = "milvang2015"
    description = "two parabolas per side, draws grow with the level (default)"
    source = (
        "O. Milvang, Probability for the outcome of a chess game based on rating, "
        "FIDE Systems of Pairings and Programs Commission"
    )
    LIMIT: ClassVar[float] = 1200.0 * (1.0 + math.sqrt(0.46 / 0.13))
    HIGHEST: ClassVar[float] = 3800.0
    _white = _Curve((1651.0, -0.214), (-1532.0, 0.1955), (-0.10, -0.20))
    _black = _Curve((1673.0, -0.208), (-1508.0, 0.194), (-0.08, -0.26))

    def _probabilities(self, white: Floats, black: Floats, context: Context | None) -> Probabilities:
        # scratch in one piece: many middle-sized arrays would go back to the system at every call and be fetched again
        total, q2, x, scratch = np.empty((4, *white.shape))
        win, draw = np.empty((2, *white.shape))
        np.add(white, black, out=total)
        over = total.max() > 2.0 * self.LIMIT
        if over:
            self._warn(total)
            np.minimum(total, 2.0 * self.HIGHEST, out=total)
        np.maximum(total, 2400.0, out=q2)
        q2 -= 2400.0
        q2 *= 1.0 / 2400.0
        q2 *= q2
        np.subtract(white, black, out=x)
        x -= 40.0
        self._white.add(win, x, total, q2, scratch)
        x += 120.0
        np.negative(x, out=x)
        lose = draw
        self._black.add(lose, x, total, q2, scratch)
        for side in (win, lose):
            side *= 0.5
            side += 0.5
        if over:
            return _clamped(win, lose)
        lose += win
        return win, np.subtract(1.0, lose, out=draw)

    def _warn(self, total: Floats) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"milvang2015 is made for mean ratings up to {self.LIMIT:.0f}, but a game has {total.max() / 2:.0f}; "
                "its probabilities are clamped to [0, 1] and divided by their sum there",
                stacklevel=5,
            )


def _clamped(win: Floats, lose: Floats) -> Probabilities:
    """Return win and draw with all three outcomes clamped to [0, 1] and divided by their sum."""
    draw = np.clip(1.0 - win - lose, 0.0, 1.0)
    np.clip(win, 0.0, 1.0, out=win)
    total = win + draw + np.clip(lose, 0.0, 1.0)
    return win / total, draw / total


def _logistic(difference: Floats, scale: float) -> Floats:
    """Return 1 / (1 + 10^(-difference / scale))."""
    curve: Floats = expit(difference * (math.log(10.0) / scale))
    return curve


class Milvang2024(Model):
    """A logistic curve for White's and another for Black's wins, whose distance grows with the level.

    With Rm the mean of the ratings: P(white wins) = 1 / (1 + 10^((black - white + W) / 370)) with
    W = 0.0986 (Rm - 2000) + 96, and P(black wins) = 1 / (1 + 10^((white - black - B) / 370)) with
    B = -0.157 (Rm - 2000) - 150. The rest is the draw; where the two sum to more than 1 (low ratings) both are divided
    by their sum.
    """

    name = "milvang2024"
    description = "a logistic curve per side, draws grow with the level"
    source = "O. Milvang, revision of 2024 of his model of the outcome of a chess game based on rating"

    def _probabilities(self, white: Floats, black: Floats, context: Context | None) -> Probabilities:
        level = 0.5 * (white + black) - 2000.0
        difference = white - black
        win = _logistic(difference - (0.0986 * level + 96.0), 370.0)
        lose = _logistic(-difference - (0.157 * level + 150.0), 370.0)
        total = np.maximum(win + lose, 1.0)
        win /= total
        lose /= total
        return win, np.maximum(1.0 - win - lose, 0.0)


class Elo(Model):
    """Strengths 10^(R/400) with an advantage added to White's rating, and one of three ways to draw.

    With pi the strengths, White's advantage included:

    - ``draw="davidson"``: win : draw : loss = pi_w : nu sqrt(pi_w pi_b) : pi_b (Davidson 1970);
    - ``draw="rao-kupper"``: P(win) = pi_w / (pi_w + theta pi_b), P(loss) = pi_b / (pi_b + theta pi_w), the rest is the
      draw (Rao and Kupper 1967);
    - ``draw=D``, a number: the logistic expectation E = pi_w / (pi_w + pi_b) is kept, and min(D, 2 E, 2 - 2 E) of the
      games are drawn.

    The expected score of the first two is *not* the logistic one of the rating system (the draws pull it towards one
    half); only the third keeps it.

    Parameters
    ----------
    draw : {"davidson", "rao-kupper"} or float
        How games are drawn.
    white_advantage : float
        Added to White's strength, in rating points.
    draw_share : float, optional
        Share s of draws between equals without the advantage, for the two published models: nu = 2 s / (1 - s),
        theta = (1 + s) / (1 - s). The default 1/3 is nu = 1 and theta = 2.
    """

    name = "elo"
    description = "Bradley-Terry strengths with draws after Davidson, Rao and Kupper, or a fixed share"
    source = (
        "R. R. Davidson, J. Amer. Statist. Assoc. 65 (1970) 317-328; "
        "P. V. Rao and L. L. Kupper, J. Amer. Statist. Assoc. 62 (1967) 194-204"
    )
    KINDS: ClassVar[tuple[str, ...]] = ("davidson", "rao-kupper")

    def __init__(
        self, *, draw: str | float = "davidson", white_advantage: float = 35.0, draw_share: float | None = None
    ) -> None:
        if isinstance(draw, str):
            if draw not in self.KINDS:
                raise unknown("draw model of elo", draw, self.KINDS)
            share = _number("elo", "draw_share", 1.0 / 3.0 if draw_share is None else draw_share)
            if not 0.0 <= share < 1.0:
                raise SwissError(f"draw_share of model 'elo' must be at least 0 and below 1, not {share}")
            self.parameters = {"draw": draw, "white_advantage": 0.0, "draw_share": share}
        else:
            if draw_share is not None:
                raise SwissError(f"draw_share of model 'elo' goes with {' or '.join(self.KINDS)}, not with draw={draw}")
            self.parameters = {"draw": _number("elo", "draw", draw), "white_advantage": 0.0}
            if not 0.0 <= self.parameters["draw"] <= 1.0:
                raise SwissError(f"draw of model 'elo' must be from 0 to 1, not {draw}")
        self.parameters["white_advantage"] = _number("elo", "white_advantage", white_advantage)

    def _probabilities(self, white: Floats, black: Floats, context: Context | None) -> Probabilities:
        difference = white - black
        difference += self.parameters["white_advantage"]
        draw, share = self.parameters["draw"], self.parameters.get("draw_share", 0.0)
        if draw == "davidson":
            # the powers stay finite; at this distance nothing but 0 and 1 is left
            np.clip(difference, -80_000.0, 80_000.0, out=difference)
            root = np.power(10.0, difference * (1.0 / 800.0))
            nu = 2.0 * share / (1.0 - share)
            total = root + 1.0 / root + nu
            return root / total, nu / total
        if draw == "rao-kupper":
            handicap = 400.0 * math.log10((1.0 + share) / (1.0 - share))
            win = _logistic(difference - handicap, 400.0)
            return win, np.maximum(1.0 - win - _logistic(-difference - handicap, 400.0), 0.0)
        expected = _logistic(difference, 400.0)
        drawn = np.minimum(draw, 2.0 * np.minimum(expected, 1.0 - expected))
        return expected - 0.5 * drawn, drawn


class Certain(Model):
    """The stronger wins; between equals the smaller pairing number. For tests and worst cases."""

    name = "certain"
    description = "the stronger always wins, between equals the smaller number"
    source = "no chance at all: for tests and worst cases"
    needs_context = True

    def _probabilities(self, white: Floats, black: Floats, context: Context | None) -> Probabilities:
        win = white > black
        equal = white == black
        if equal.any():
            if context is None:
                raise SwissError("model 'certain' needs the pairing numbers (a Context) for equal strengths")
            win |= equal & (np.asarray(context.white) < np.asarray(context.black))
        return win.astype(np.float64), np.zeros(white.shape)


class CallableModel(Model):
    """A model made from a function ``f(white_strength, black_strength, context) -> (P(white wins), P(draw))``."""

    description = "a function of the user"
    source = "a function of the user"
    needs_context = True

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function
        kind = function if hasattr(function, "__qualname__") else type(function)
        self.name = f"{kind.__module__}.{kind.__qualname__}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallableModel) and self.function == other.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return f"model({self.name})"

    def _probabilities(self, white: Floats, black: Floats, context: Context | None) -> Probabilities:
        answer = self.function(white, black, Context() if context is None else context)
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            kind = type(answer).__name__
            raise SwissError(f"model {self.name} must return two arrays (P(white wins), P(draw)), not {kind}")
        win, draw = (self._checked(what, part, white) for what, part in zip(("wins", "draws"), answer, strict=True))
        self._refuse(win + draw > 1.0 + 1e-9, "P(white wins) + P(draw)", win + draw, white, black)
        self._refuse(~(win >= 0.0), "P(white wins)", win, white, black)
        self._refuse(~(draw >= 0.0), "P(draw)", draw, white, black)
        return win, draw

    def _checked(self, what: str, part: object, white: Floats) -> Floats:
        try:
            array = np.ascontiguousarray(part, dtype=np.float64)
        except (TypeError, ValueError):
            raise SwissError(f"model {self.name}: the probabilities of {what} are no numbers") from None
        if array.shape != white.shape:
            raise SwissError(
                f"model {self.name}: the probabilities of {what} have shape {np.shape(array)}, the games {white.shape}"
            )
        return array

    def _refuse(self, bad: NDArray[np.bool_], what: str, values: Floats, white: Floats, black: Floats) -> None:
        """Raise for the first game whose probability is bad."""
        if bad.any():
            g = int(np.flatnonzero(bad)[0])
            raise SwissError(
                f"model {self.name}: {what} is {values.flat[g]} for strengths {white.flat[g]} against {black.flat[g]}; "
                "it must be from 0 to 1"
            )


def _number(name: str, parameter: str, value: object) -> float:
    """Return a parameter as a finite float."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise SwissError(f"{parameter} of model {name!r} must be a finite number, not {value!r}")
    return float(value)


MODELS: dict[str, type[Model]] = {kind.name: kind for kind in (Milvang2015, Milvang2024, Elo, Certain)}
"""Every model by its name."""


def model(name: str | Model | Callable[..., Any], **parameters: Any) -> Model:
    """Return a result model by name or from a function.

    Parameters
    ----------
    name : str, Model or callable
        A key of `MODELS`; or a function ``f(white_strength, black_strength, context) -> (P(white wins), P(draw))`` of
        float64 arrays and a `Context`; or a model that is already made.
    **parameters
        Parameters of the model, for instance ``draw="rao-kupper"`` for ``elo``.

    Returns
    -------
    Model
        Callable like such a function, with name, parameters, description and source.

    Raises
    ------
    SwissError
        If there is no such model or parameter; near names are suggested.

    Examples
    --------
    >>> win, draw = model("milvang2015")(2467, 2344)
    >>> print(f"{win:.4f} {draw:.4f}")
    0.5113 0.3511
    >>> model("elo", draw=0.3)
    model('elo', draw=0.3, white_advantage=35.0)
    """
    if isinstance(name, str):
        if name not in MODELS:
            raise unknown("model", name, MODELS)
        kind = MODELS[name]
        known = inspect.signature(kind).parameters
        for parameter in parameters:
            if parameter not in known:
                raise unknown(f"parameter of model {name!r}", parameter, known)
        return kind(**parameters)
    if parameters:
        raise SwissError(f"parameters {sorted(parameters)} go with the name of a model, not with {name!r}")
    if isinstance(name, Model):
        return name
    if not callable(name):
        known = ", ".join(MODELS)
        raise SwissError(f"a model is a name ({known}) or a function of (white, black, context), not {name!r}")
    return CallableModel(name)
