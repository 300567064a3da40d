"""Tie-breaks and final order: arrays of results in, tie-breaks and ranks out.

The rules are those of FIDE C.07 (2024). What this module decides where they leave room:

* *Voluntary unplayed rounds* are half-point and zero-point byes, absence (not arrived, withdrawn) and forfeit losses;
  a pairing-allocated bye, a full-point bye and a forfeit win are involuntary (16.1, 16.2).
* The *adjusted score* that a player's opponents count is his score, with all voluntary unplayed rounds after his last
  other round counted as draws (16.3.2). A forfeit loss at the very end counts as a draw like the other voluntary
  rounds; C.07 names requested byes only there.
* A player's *own unplayed round* is a game against a virtual opponent who has the player's own final score (16.4),
  with the points that he got.
* *Cuts* take a voluntary unplayed round before any other contribution (16.5), then the lowest; the highest
  contribution that a median leaves out is the highest of all that are left.
* A *postponed game* without result is a played game that is worth what its code is worth: nothing, by default.
* In a *team event* points are match points; game points decide next, before the other tie-breaks, unless the order
  names them (``"GP"``) somewhere else.
* Players level on everything share the rank. Only `final_order` applies a lot.

Everything but the rating-based tie-breaks is computed in whole numbers (tenths of a point), so that level means level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from swisssim import _tiebreaks
from swisssim.codes import Code
from swisssim.errors import SwissError, unknown

#: Order of the tie-breaks after the points, where none is given.
DEFAULT_ORDER = ("BH-C1", "BH", "SB")

#: Value of a tie-break that a player does not have (no game played): below every other.
UNDEFINED = np.iinfo(np.int64).min

# Tournaments per call of the compiled loops: interrupts are seen between calls, and scratch arrays stay small.
CHUNK = 2048

_POINT = 10  # tenths
_GREATEST_DIFFERENCE = 800  # a performance of 0 or 100 per cent, in rating points (C.07 10.2, 10.3)


class Rounds(Protocol):
    """What the tie-breaks need of an event or a block of events; `swisssim.results.Results` has it.

    T tournaments, R rounds, n players; the meaning of every array is that of `swisssim.results.Results`.
    """

    @property
    def opponent(self) -> NDArray[np.int16]: ...
    @property
    def colour(self) -> NDArray[np.int8]: ...
    @property
    def result(self) -> NDArray[np.int8]: ...
    @property
    def arrived(self) -> NDArray[np.int8]: ...
    @property
    def worth(self) -> NDArray[np.int16]: ...
    @property
    def rating(self) -> NDArray[np.float64]: ...
    @property
    def rounds_paired(self) -> NDArray[np.int16]: ...
    @property
    def game_points(self) -> NDArray[np.int16] | None: ...


@dataclass(frozen=True)
class TieBreak:
    """One tie-break: its names, its rule and the function that computes it.

    Attributes
    ----------
    name : str
        The short name by which orders refer to it.
    title : str
        The full name.
    rule : str
        What it is, with its article in FIDE C.07.
    scale : int
        The integer values are `scale` times what a standings table shows.
    kind : int or None
        Number of the compiled loop that computes it, if there is one.
    function : callable
        ``function(rounds, upto)``: int64 values of shape (T, n), larger is better.
    """

    name: str
    title: str
    rule: str
    scale: int
    kind: int | None
    function: Callable[[Rounds, int | None], NDArray[np.int64]]

    def __call__(self, rounds: Rounds, *, upto: int | None = None) -> NDArray[np.int64]:
        """Return the values, int64 of shape (T, n); see `values`."""
        return self.function(rounds, upto)


def _last_rounds(rounds: Rounds, upto: int | None) -> NDArray[np.int32]:
    """Return the number of rounds that count in each tournament."""
    count = rounds.opponent.shape[1]
    if upto is not None and not 0 <= upto <= count:
        raise SwissError(f"upto must be a round from 0 to {count} (0: before the first), not {upto}")
    return np.minimum(rounds.rounds_paired, count if upto is None else upto).astype(np.int32)


def _chunks(rounds: Rounds) -> Iterator[slice]:
    for start in range(0, rounds.opponent.shape[0], CHUNK):
        yield slice(start, start + CHUNK)


def _arrays(
    rounds: Rounds, part: slice
) -> tuple[NDArray[np.int16], NDArray[np.int8], NDArray[np.int8], NDArray[np.int8] | None]:
    """Return opponent, colour, result and arrival of some tournaments; arrival None where nothing was postponed."""
    arrived = rounds.arrived[part]
    return (
        np.ascontiguousarray(rounds.opponent[part], np.int16),
        np.ascontiguousarray(rounds.colour[part], np.int8),
        np.ascontiguousarray(rounds.result[part], np.int8),
        np.ascontiguousarray(arrived, np.int8) if arrived.any() else None,
    )


def _compiled(rounds: Rounds, kinds: Sequence[int], upto: int | None) -> NDArray[np.int64]:
    """Return the tie-breaks of the compiled loops, shape (kinds, T, n)."""
    tournaments, _, players = rounds.opponent.shape
    last = _last_rounds(rounds, upto)
    worth = np.ascontiguousarray(rounds.worth, np.int16)
    out = np.empty((len(kinds), tournaments, players), np.int64)
    for part in _chunks(rounds):
        block = np.empty((len(kinds), len(last[part]), players), np.int64)
        _tiebreaks.fill(*_arrays(rounds, part), worth, last[part], np.array(kinds, np.int32), block)
        out[:, part] = block
    return out


def _encounters(rounds: Rounds, level: NDArray[np.int32], upto: int | None) -> NDArray[np.int64]:
    last = _last_rounds(rounds, upto)
    worth = np.ascontiguousarray(rounds.worth, np.int16)
    out = np.empty(level.shape, np.int64)
    for part in _chunks(rounds):
        _tiebreaks.encounters(*_arrays(rounds, part), worth, last[part], level[part], out[part])
    return out


def _shared_ranks(keys: Sequence[NDArray[np.int64]]) -> NDArray[np.int32]:
    out = np.empty(keys[0].shape, np.int32)
    for start in range(0, len(out), CHUNK):
        _tiebreaks.rank(np.stack([key[start : start + CHUNK] for key in keys]), out[start : start + CHUNK])
    return out


def _direct_encounter(rounds: Rounds, upto: int | None) -> NDArray[np.int64]:
    return _encounters(rounds, _shared_ranks([points(rounds, upto=upto).astype(np.int64)]), upto)


def _known(rounds: Rounds, part: slice, last: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which rounds of which players count and are known by then, (T, R, n) or broadcast to it."""
    count = rounds.opponent.shape[1]
    known: NDArray[np.bool_] = np.arange(1, count + 1)[None, :, None] <= last[part][:, None, None]
    arrived = rounds.arrived[part]
    return known & (arrived <= last[part][:, None, None]) if arrived.any() else known


def _game_points(rounds: Rounds, upto: int | None) -> NDArray[np.int64]:
    if rounds.game_points is None:
        return points(rounds, upto=upto).astype(np.int64)
    last = _last_rounds(rounds, upto)
    out = np.empty(rounds.opponent.shape[::2], np.int64)
    for part in _chunks(rounds):
        np.where(_known(rounds, part, last), rounds.game_points[part], 0).sum(axis=1, dtype=np.int64, out=out[part])
    return out


# ---- tie-breaks by ratings


def _games(rounds: Rounds, upto: int | None) -> Iterator[tuple[slice, NDArray[np.float64], NDArray[np.int64]]]:
    """Yield chunk by chunk the opponents' ratings in played games, (T, R, n) or NaN, and the tenths made in them."""
    last = _last_rounds(rounds, upto)
    for part in _chunks(rounds):
        opponent, _, result, _ = _arrays(rounds, part)
        played = _known(rounds, part, last) & (opponent >= 0) & (result >= Code.WIN) & (result <= Code.LOSS)
        rating = np.broadcast_to(rounds.rating[part] if len(rounds.rating) > 1 else rounds.rating, opponent.shape[::2])
        against = np.take_along_axis(rating[:, None, :], np.maximum(opponent, 0).astype(np.intp), axis=2)
        tenths = np.zeros(16, np.int64)
        tenths[[Code.WIN, Code.DRAW]] = _POINT, _POINT // 2  # whatever the event pays
        yield part, np.where(played, against, np.nan), np.where(played, tenths[result], 0).sum(axis=1)


def _nearest(values: NDArray[np.float64], defined: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return whole numbers, halves rounded up (C.07 10.1)."""
    return np.where(defined, np.floor(np.where(defined, values, 0.0) + 0.5).astype(np.int64), UNDEFINED)


def _mean_rating(against: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the mean of the opponents' ratings (0 without a game) and the number of games."""
    games = np.isfinite(against).sum(axis=1)
    return np.nansum(against, axis=1) / np.maximum(games, 1), games


def _average_rating(rounds: Rounds, upto: int | None) -> NDArray[np.int64]:
    out = np.empty(rounds.opponent.shape[::2], np.int64)
    for part, against, _ in _games(rounds, upto):
        mean, games = _mean_rating(against)
        out[part] = _nearest(mean, games > 0)
    return out


def rating_difference(share: ArrayLike) -> NDArray[np.float64]:
    """Return the rating difference at which a share of the points is expected.

    The inverse of the expected-score formula 1 / (1 + 10^(-d/400)): d = 400 log10(p / (1 - p)), at most 800 points
    either way.

    Parameters
    ----------
    share : array_like of float
        Shares p of the points, 0..1.

    Returns
    -------
    numpy.ndarray
        Differences d in rating points.
    """
    p = np.asarray(share, dtype=np.float64)
    inner = np.clip(p, 1e-9, 1 - 1e-9)
    return np.clip(400.0 * np.log10(inner / (1.0 - inner)), -_GREATEST_DIFFERENCE, _GREATEST_DIFFERENCE)


def _performance(rounds: Rounds, upto: int | None) -> NDArray[np.int64]:
    out = np.empty(rounds.opponent.shape[::2], np.int64)
    for part, against, tenths in _games(rounds, upto):
        mean, games = _mean_rating(against)
        share = tenths / np.maximum(_POINT * games, 1)
        out[part] = _nearest(np.floor(mean + 0.5) + rating_difference(share), games > 0)
    return out


def _perfect_performance(rounds: Rounds, upto: int | None) -> NDArray[np.int64]:
    out = np.empty(rounds.opponent.shape[::2], np.int64)
    for part, against, tenths in _games(rounds, upto):
        played = np.isfinite(against)
        least = np.where(played, against, np.inf).min(axis=1, initial=np.inf)
        most = np.where(played, against, -np.inf).max(axis=1, initial=-np.inf)
        defined = np.isfinite(least)
        least, most = np.where(defined, least, 0.0), np.where(defined, most, 0.0)
        low, high = np.floor(least) - _GREATEST_DIFFERENCE - 1, np.ceil(most) + _GREATEST_DIFFERENCE
        odds = np.where(
            played, 10.0 ** (against / 400.0), np.inf
        )  # the expected score is x / (x + odds), 0 without a game
        goal = tenths / _POINT - 1e-9
        while np.any(high - low > 1):  # invariant: `low` is too low, `high` is enough (or the greatest allowed)
            middle = np.floor((low + high) / 2)
            own = (10.0 ** (middle / 400.0))[:, None, :]
            enough = (own / (own + odds)).sum(axis=1) >= goal
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        out[part] = _nearest(np.where(tenths == 0, least - _GREATEST_DIFFERENCE, high), defined)
    return out


# ---- the registry


def _by_loop(kind: int) -> Callable[[Rounds, int | None], NDArray[np.int64]]:
    def compute(rounds: Rounds, upto: int | None) -> NDArray[np.int64]:
        found: NDArray[np.int64] = _compiled(rounds, [kind], upto)[0]
        return found

    return compute


_LOOPS = (
    ("BH", "Buchholz", _tiebreaks.BUCHHOLZ, "Sum of the adjusted scores of the opponents (C.07 8.1)."),
    ("BH-C1", "Buchholz cut 1", _tiebreaks.CUT_1, "Buchholz without the lowest contribution (C.07 14.1, 16.5)."),
    ("BH-C2", "Buchholz cut 2", _tiebreaks.CUT_2, "Buchholz without the two lowest contributions (C.07 14.2, 16.5)."),
    (
        "BH-M",
        "Buchholz median",
        _tiebreaks.MEDIAN,
        "Buchholz without the lowest and the highest contribution (C.07 14.3, 16.5).",
    ),
    (
        "SB",
        "Sonneborn-Berger",
        _tiebreaks.SONNEBORN_BERGER,
        "Sum of the opponents' adjusted scores times the points made against them (C.07 9.1).",
    ),
    ("PS", "Progressive score", _tiebreaks.PROGRESSIVE, "Sum of the scores after each round (C.07 7.5)."),
    (
        "WIN",
        "Wins",
        _tiebreaks.WINS,
        "Rounds that brought as many points as a win, played or not: forfeit wins and byes worth a win too (C.07 7.1).",
    ),
    ("WON", "Wins over the board", _tiebreaks.WINS_PLAYED, "Games won over the board (C.07 7.2)."),
    ("BPG", "Blacks played", _tiebreaks.BLACKS, "Games played with Black (C.07 7.3)."),
)

_FUNCTIONS = (
    (
        "GP",
        "Game points",
        _game_points,
        "Points of a team on all its boards, byes and forfeited matches included (C.07, MPvGP); of a player, his points.",
    ),
    (
        "DE",
        "Direct encounter",
        _direct_encounter,
        "Minus the number of level players whom the games among them put ahead (C.07 6): by points against each other, "
        "and if some have not met, only who is ahead whatever the missing games would bring. In an order of "
        "tie-breaks: among those level on all that stands before it.",
    ),
    (
        "ARO",
        "Average rating of opponents",
        _average_rating,
        "Mean rating of the opponents in played games, to the nearest whole number, halves up (C.07 10.1).",
    ),
    (
        "TPR",
        "Performance rating",
        _performance,
        "ARO plus the difference 400 log10(p / (1 - p)) at which the share p of points made in played games is "
        "expected; 800 at most (C.07 10.2, by the formula instead of the table).",
    ),
    (
        "PTP",
        "Perfect performance rating",
        _perfect_performance,
        "The lowest whole rating whose expected score against the opponents of the played games reaches the points "
        "made; the lowest opponent less 800 for no points, the highest plus 800 for all (C.07 10.3, by the formula).",
    ),
)


def _registry() -> dict[str, TieBreak]:
    scales = dict.fromkeys(("BH", "BH-C1", "BH-C2", "BH-M", "PS", "GP"), _POINT) | {"SB": _POINT * _POINT}
    loops = (
        TieBreak(name, title, rule, scales.get(name, 1), kind, _by_loop(kind)) for name, title, kind, rule in _LOOPS
    )
    others = (
        TieBreak(name, title, rule, scales.get(name, 1), None, function) for name, title, function, rule in _FUNCTIONS
    )
    return {found.name: found for found in (*loops, *others)}


#: Every tie-break by its short name.
TIEBREAKS: dict[str, TieBreak] = _registry()


def tie_break(name: str) -> TieBreak:
    """Return a tie-break by its short name, in capitals or not.

    Parameters
    ----------
    name : str
        A key of `TIEBREAKS`, for instance ``"BH-C1"``.

    Returns
    -------
    TieBreak

    Raises
    ------
    SwissError
        If there is none of that name; near names are suggested.
    """
    found = TIEBREAKS.get(str(name).upper())
    if found is None:
        raise unknown("tie-break", name, TIEBREAKS)
    return found


def check_order(order: Sequence[str]) -> tuple[str, ...]:
    """Return the names of an order of tie-breaks as `TIEBREAKS` spells them.

    Parameters
    ----------
    order : sequence of str
        Names of tie-breaks, the first one decides first; may be empty.

    Returns
    -------
    tuple of str

    Raises
    ------
    SwissError
        If a name is unknown or stands twice.
    """
    if isinstance(order, str):
        raise SwissError(f"the order of tie-breaks must be a list of names, not the text {order!r}")
    names = tuple(tie_break(name).name for name in order)
    for name in names:
        if names.count(name) > 1:
            raise SwissError(f"tie-break {name!r} stands twice in the order {', '.join(names)}")
    return names


# ---- what users call


def points(rounds: Rounds, *, upto: int | None = None) -> NDArray[np.int32]:
    """Return the points of every player.

    Parameters
    ----------
    rounds : Rounds
        T tournaments of R rounds and n players, for instance a `swisssim.results.Results`.
    upto : int, optional
        Count rounds 1..upto only, with the results known by then; default all that were paired.

    Returns
    -------
    numpy.ndarray
        int32 of shape (T, n), tenths of a point.
    """
    tenths: NDArray[np.int64] = _compiled(rounds, [_tiebreaks.POINTS], upto)[0]
    return tenths.astype(np.int32)


def values(rounds: Rounds, name: str, *, upto: int | None = None) -> NDArray[np.int64]:
    """Return one tie-break of every player, as exact whole numbers.

    Parameters
    ----------
    rounds : Rounds
        T tournaments of R rounds and n players, for instance a `swisssim.results.Results`.
    name : str
        A key of `TIEBREAKS`.
    upto : int, optional
        Count rounds 1..upto only, with the results known by then (a postponed game counts as such until its result
        arrived); default all that were paired.

    Returns
    -------
    numpy.ndarray
        int64 of shape (T, n), larger is better; divided by the tie-break's `scale` it is what a standings table
        shows. `UNDEFINED` where a tie-break by ratings finds no played game.

    Raises
    ------
    SwissError
        If the name is unknown or `upto` is no round of the event.
    """
    return tie_break(name)(rounds, upto=upto)


def shown(rounds: Rounds, name: str, *, upto: int | None = None) -> NDArray[np.float64]:
    """Return one tie-break of every player as a standings table shows it.

    Parameters
    ----------
    rounds : Rounds
        T tournaments of R rounds and n players, for instance a `swisssim.results.Results`.
    name : str
        A key of `TIEBREAKS`.
    upto : int, optional
        Count rounds 1..upto only; default all that were paired.

    Returns
    -------
    numpy.ndarray
        float64 of shape (T, n), in points, games or rating points; NaN where it isn't defined.

    Raises
    ------
    SwissError
        If the name is unknown or `upto` is no round of the event.
    """
    exact = values(rounds, name, upto=upto)
    return np.where(exact == UNDEFINED, np.nan, exact / tie_break(name).scale)


def _keys(rounds: Rounds, order: Sequence[str], upto: int | None) -> list[NDArray[np.int64]]:
    """Return the sorting keys of the points and the tie-breaks, larger first."""
    names = check_order(order)
    if rounds.game_points is not None and "GP" not in names:
        names = ("GP", *names)
    kinds = [_tiebreaks.POINTS] + [kind for name in names if (kind := TIEBREAKS[name].kind) is not None]
    computed = dict(zip(kinds, _compiled(rounds, kinds, upto), strict=True))
    keys = [computed[_tiebreaks.POINTS]]
    for name in names:
        kind = TIEBREAKS[name].kind
        if kind is not None:
            keys.append(computed[kind])
        elif name == "DE":
            keys.append(_encounters(rounds, _shared_ranks(keys), upto))
        else:
            keys.append(TIEBREAKS[name](rounds, upto=upto))
    return keys


def ranks(rounds: Rounds, *, order: Sequence[str] = DEFAULT_ORDER, upto: int | None = None) -> NDArray[np.int32]:
    """Return the ranks of the players by points and tie-breaks; players level on all of them share the rank.

    Parameters
    ----------
    rounds : Rounds
        T tournaments of R rounds and n players, for instance a `swisssim.results.Results`.
    order : sequence of str, optional
        Names of the tie-breaks after the points; default Buchholz cut 1, Buchholz, Sonneborn-Berger. Empty: points
        alone.
    upto : int, optional
        Rank after this round, with the results known by then; default after the last that was paired.

    Returns
    -------
    numpy.ndarray
        int32 of shape (T, n): 1 for the best; after k players who share a rank the next rank is k higher.

    Raises
    ------
    SwissError
        If a name is unknown or stands twice, or `upto` is no round of the event.
    """
    return _shared_ranks(_keys(rounds, order, upto))


def final_order(
    rounds: Rounds, *, lots: NDArray[np.float64], order: Sequence[str] = DEFAULT_ORDER, upto: int | None = None
) -> NDArray[np.int32]:
    """Return the places of the players in a strict order: points, tie-breaks, then the lot.

    Parameters
    ----------
    rounds : Rounds
        T tournaments of R rounds and n players, for instance a `swisssim.results.Results`.
    lots : numpy.ndarray
        Uniform numbers in [0, 1) of shape (T, n); the smaller one stands first among players level on everything
        (domain FINAL_LOTS, counter (tournament, pairing number, 0, 0)).
    order : sequence of str, optional
        Names of the tie-breaks after the points; default Buchholz cut 1, Buchholz, Sonneborn-Berger.
    upto : int, optional
        Order after this round; default after the last that was paired.

    Returns
    -------
    numpy.ndarray
        int32 of shape (T, n): places 1..n, each once per tournament.

    Raises
    ------
    SwissError
        If a name is unknown or stands twice, `upto` is no round of the event, or the lots have another shape.
    """
    keys = _keys(rounds, order, upto)
    if lots.shape != keys[0].shape:
        raise SwissError(f"lots must have the shape (tournaments, players) = {keys[0].shape}, not {lots.shape}")
    lot = -(lots * 2.0**53).astype(np.int64)
    return _shared_ranks([*keys, lot, np.broadcast_to(-np.arange(lots.shape[1], dtype=np.int64), lots.shape)])
