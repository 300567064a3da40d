"""Results of simulated tournaments: compact arrays, tidy tables made from them on demand, and Parquet files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from swisssim import tiebreaks
from swisssim._random import Domain, uniforms
from swisssim.codes import Code
from swisssim.errors import SwissError
from swisssim.field import Field, TeamField
from swisssim.results import _parquet, _tables

CODES = tuple(Code)
"""The codes of `Results.result`."""


@dataclass(kw_only=True, eq=False)
class Results:
    """Tournaments of one system: T tournaments of R rounds with n players.

    Players, opponents and boards count from 0 here, from 1 in the tables; tournament t of the arrays is number
    ``first + t`` of the study. Scores and points are whole tenths.

    Attributes
    ----------
    system : str
        Key of the pairing system.
    opponent : ndarray of int16
        ``(T, R, n)``; -1 none.
    colour : ndarray of int8
        ``(T, R, n)``, as paired: 1 White, -1 Black, 0 none. It counts only where `result` is a game that was played or
        is to come.
    result : ndarray of int8
        ``(T, R, n)``, a `Code` from the player's own view.
    board : ndarray of int16
        ``(T, R, n)``; -1 none.
    score : ndarray of int16
        ``(T, R, n)``, pairing score before the round.
    arrived : ndarray of int8
        ``(T, R, n)``; 0, or the round after which the result of a postponed game became known.
    rating, strength : ndarray of float64
        ``(T, n)``, or ``(1, n)`` if all tournaments share the field.
    initial_colour : ndarray of int8
        ``(T,)``: 1 White, -1 Black, 0 if none was drawn.
    rounds_paired : ndarray of int16
        ``(T,)``; in the rounds after that opponent is -1, result and score 0.
    stopped : ndarray of bool
        ``(T,)``: whether a round had no legal pairing.
    worth : ndarray of int16
        ``(16,)``: points for each `Code`.
    first : int
        Number of the first tournament in the study.
    provenance : dict
        Everything that is needed to make the same results again, ready for JSON.
    game_points : ndarray of int16, optional
        ``(T, R, n)``: game points that each team made in the round, in a team event; None in an event of individuals.
        Players are teams then, results and points those of their matches, colours those of board 1.
    """

    system: str
    opponent: NDArray[np.int16]
    colour: NDArray[np.int8]
    result: NDArray[np.int8]
    board: NDArray[np.int16]
    score: NDArray[np.int16]
    arrived: NDArray[np.int8]
    rating: NDArray[np.float64]
    strength: NDArray[np.float64]
    initial_colour: NDArray[np.int8]
    rounds_paired: NDArray[np.int16]
    stopped: NDArray[np.bool_]
    worth: NDArray[np.int16]
    first: int = 0
    provenance: dict[str, Any] = field(default_factory=dict)
    game_points: NDArray[np.int16] | None = None

    HISTORY: ClassVar[dict[str, type]] = {
        "opponent": np.int16,
        "colour": np.int8,
        "result": np.int8,
        "board": np.int16,
        "score": np.int16,
        "arrived": np.int8,
    }
    TEAM: ClassVar[dict[str, type]] = {"game_points": np.int16}
    _PLAYED: ClassVar[NDArray[np.bool_]] = np.isin(CODES, (Code.WIN, Code.DRAW, Code.LOSS))
    FIELD: ClassVar[dict[str, type]] = {"rating": np.float64, "strength": np.float64}
    SINGLE: ClassVar[dict[str, type]] = {"initial_colour": np.int8, "rounds_paired": np.int16, "stopped": np.bool_}

    def __post_init__(self) -> None:
        worth = np.asarray(self.worth, np.int16)
        if worth.ndim != 1 or not len(CODES) <= len(worth) <= 16:
            raise SwissError(f"worth must have an entry for each of the {len(CODES)} codes, not shape {worth.shape}")
        self.worth = np.concatenate([worth, np.zeros(16 - len(worth), np.int16)])
        if self.opponent.ndim != 3:
            raise SwissError(f"opponent must have the shape (tournaments, rounds, players), not {self.opponent.shape}")
        count, _, players = self.opponent.shape
        for name, dtype in {**self.HISTORY, **self.TEAM, **self.FIELD, **self.SINGLE}.items():
            array = getattr(self, name)
            if array is None and name in self.TEAM:
                continue
            if array.dtype != dtype:
                raise SwissError(f"{name} must be {np.dtype(dtype)}, not {array.dtype}")
            shape = {**dict.fromkeys(self.FIELD, (count, players)), **dict.fromkeys(self.SINGLE, (count,))}.get(
                name, self.opponent.shape
            )
            if array.shape != shape and not (name in self.FIELD and array.shape == (1, players)):
                raise SwissError(f"{name} must have the shape {shape}, not {array.shape}")
        self._check_places()

    def __len__(self) -> int:
        """Return the number of tournaments."""
        return len(self.stopped)

    def __eq__(self, other: object) -> bool:
        """Tell whether everything is equal, to the bit."""
        if not isinstance(other, Results):
            return NotImplemented
        return all(
            np.array_equal(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else a == b
            for a, b in ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def rounds(self) -> int:
        """Number of rounds of a tournament."""
        rounds: int = self.opponent.shape[1]
        return rounds

    @property
    def histories(self) -> tuple[str, ...]:
        """Names of the arrays of shape ``(T, R, n)``: `HISTORY`, and in a team event `TEAM`."""
        return (*self.HISTORY, *self.TEAM) if self.game_points is not None else tuple(self.HISTORY)

    @cached_property
    def points(self) -> NDArray[np.int32]:
        """Points at the end in tenths, int32 ``(T, n)``."""
        total = np.zeros((len(self), self.opponent.shape[2]), np.int32)
        for r in range(self.rounds):
            total += self.worth[self.result[:, r]]
        return total

    def lots(self) -> NDArray[np.float64]:
        """Return the lots for `swisssim.tiebreaks.final_order`: ``(T, n)`` in [0, 1), from the seed in the provenance.

        Raises
        ------
        SwissError
            If the provenance has no seed.
        """
        if "seed" not in self.provenance:
            raise SwissError("lots need a seed, and the provenance of these results has none")
        numbers = np.arange(1, self.opponent.shape[2] + 1)
        return uniforms(self.provenance["seed"], Domain.FINAL_LOTS, self.numbers[:, None], numbers)[..., 0]

    def board_strength(self) -> NDArray[np.float64]:
        """Return the strengths of the boards of the teams: ``(T, n, boards)``, or ``(1, n, boards)`` if the field is shared.

        They are drawn again from field and seed in the provenance.

        Raises
        ------
        SwissError
            If the provenance has no field of teams.
        """
        described = Field.from_dict(self.provenance["field"]) if "field" in self.provenance else None
        if not isinstance(described, TeamField):
            raise SwissError("strengths of boards need a field of teams, and the provenance of these results has none")
        return described.draw_boards(self.provenance["seed"], self.first, len(self))

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Numbers of the tournaments in the study, ``(T,)``."""
        return np.arange(self.first, self.first + len(self))

    def part(self, start: int, stop: int) -> Results:
        """Return the tournaments ``start .. stop - 1`` of the arrays, without copying."""
        cut: dict[str, Any] = {name: getattr(self, name)[start:stop] for name in (*self.histories, *self.SINGLE)}
        for name in self.FIELD:
            array = getattr(self, name)
            cut[name] = array[start:stop] if len(array) == len(self) else array
        return replace(self, first=self.first + start, **cut)

    @classmethod
    def concatenate(cls, parts: Sequence[Results]) -> Results:
        """Join results of consecutive tournaments of one study.

        Parameters
        ----------
        parts : sequence of Results
            In the order of their tournaments.

        Returns
        -------
        Results
            With the provenance of the first part.

        Raises
        ------
        SwissError
            If there is no part, the parts are of different studies, or tournaments are missing between them.
        """
        if not parts:
            raise SwissError("there are no results to join")
        start, expected = parts[0], parts[0].first
        for part in parts:
            same = part.opponent.shape[1:] == start.opponent.shape[1:] and np.array_equal(part.worth, start.worth)
            if part.system != start.system or part.histories != start.histories or not same:
                raise SwissError(f"results from tournament {part.first} on are of another study than those before")
            if part.first != expected:
                raise SwissError(f"results of tournament {expected} must come next, not those of {part.first}")
            expected += len(part)
        if len(parts) == 1:
            return start
        names = (*start.histories, *cls.SINGLE)
        joined: dict[str, Any] = {name: np.concatenate([getattr(p, name) for p in parts]) for name in names}
        # blocks of one tournament have one row of ratings whether the field is shared or not
        shared = all(len(p.rating) == len(p.strength) == 1 for p in parts) and all(
            np.array_equal(getattr(p, name), getattr(start, name)) for p in parts for name in cls.FIELD
        )
        for name in cls.FIELD:
            rows = [start] if shared else parts
            joined[name] = np.concatenate([getattr(p, name) if shared else p.rows(name) for p in rows])
        return replace(start, **joined)

    def rows(self, name: str) -> NDArray[np.float64]:
        """Return ``"rating"`` or ``"strength"`` with one row per tournament, ``(T, n)``, even of a shared field."""
        array: NDArray[np.float64] = getattr(self, name)
        return np.broadcast_to(array, (len(self), array.shape[1]))

    @property
    def games(self) -> pd.DataFrame:
        """One row per game, in the order of tournaments, rounds and boards; made afresh at every call.

        Columns: tournament, round, board, white, black; result from White's side (``1 = 0``, forfeits ``+ -`` and ``x``
        where both failed to appear, ``?`` if still to come); white_score, black_score as counted at the end; kind
        (``played``, ``forfeit``); postponed; arrived, the round after which a postponed result became known;
        white_points, black_points, the pairing scores before the round; white_float, black_float, -1 against a lower
        score (down), 1 against a higher one (up). In a team event a game is a match; white is the team with White on
        board 1, and white_game_points, black_game_points follow the scores.
        """
        return _tables.games(self)

    @property
    def byes(self) -> pd.DataFrame:
        """One row per bye, in the order of tournaments, rounds and players; made afresh at every call.

        Columns: tournament, round, player, kind (``pairing``, ``half``, ``full``, ``zero``), points, points_before (the
        pairing score before the round), list_position (place in the pairing list of the round, from 1; missing for
        requested byes, who aren't in it), group_minimum (lowest pairing score in the field of the round; missing if the
        field was empty). Players who have withdrawn or not arrived have no bye. In a team event game_points follow the
        points.
        """
        return _tables.byes(self)

    @property
    def players(self) -> pd.DataFrame:
        """One row per player with the usual tie-breaks; see `player_table`."""
        return _tables.players(self, tiebreaks.DEFAULT_ORDER)

    def player_table(self, *, order: Sequence[str] = tiebreaks.DEFAULT_ORDER) -> pd.DataFrame:
        """Return one row per player, in the order of tournaments and pairing numbers.

        Columns: tournament, player, rating, strength, points, one for each tie-break, rank (shared by players level on
        points and all tie-breaks), whites and blacks (games that count for colours), pairing_byes, downfloats and
        upfloats (rounds paired against a lower or higher pairing score, forfeits included). In a team event
        game_points follow the points, in the table and in the order.

        Parameters
        ----------
        order : sequence of str
            Names of the tie-breaks after the points.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        SwissError
            If a tie-break is unknown or stands twice.
        """
        return _tables.players(self, order)

    @property
    def tournaments(self) -> pd.DataFrame:
        """One row per tournament: tournament, rounds_paired, stopped (a round had no legal pairing), initial_colour."""
        return _tables.tournaments(self)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Save as Parquet; equal results of equal package versions give equal bytes.

        The file, or folder, appears when it is complete; one that is replaced stays as it is until then. Everything is
        in the compact arrays, one row per tournament; the tables of a folder are for other programs. The schema of each
        file holds the provenance.

        Parameters
        ----------
        path : str or path-like
            A name that ends in ``.parquet`` is a single file with the compact arrays; any other name is a folder with
            them (``arrays.parquet``) and the tidy tables ``games``, ``byes``, ``players`` and ``tournaments``.
        force : bool
            Whether results that stand there may be replaced; anything else never is.

        Raises
        ------
        SwissError
            If something stands at `path` that may not be replaced.
        """
        _parquet.save(self, path, force=force)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """Load what `save` saved.

        Parameters
        ----------
        path : str or path-like
            The file or the folder.

        Returns
        -------
        Results

        Raises
        ------
        SwissError
            If it isn't a file or folder of results, or is damaged.
        FileNotFoundError
            If there is nothing.
        """
        return _parquet.load(cls, path)

    def check(self) -> None:
        """Check that the arrays make sense together: opponents and colours mirror each other, codes exist.

        Raises
        ------
        SwissError
            That names the tournament, the round and the player.
        """
        self._check_places()
        n = self.opponent.shape[2]
        players = np.arange(n, dtype=np.int16)
        for r in range(self.rounds):
            opponent, colour, board = self.opponent[:, r], self.colour[:, r], self.board[:, r]
            paired = opponent >= 0
            other = np.clip(opponent, 0, n - 1).astype(np.intp)
            self._refuse(paired & (np.take_along_axis(opponent, other, axis=1) != players), r, "a one-sided pairing")
            self._refuse(
                paired & (np.take_along_axis(board, other, axis=1) != board), r, "another board than his opponent"
            )
            mirrored = (np.take_along_axis(colour, other, axis=1) == -colour) & (np.abs(colour) == 1)
            self._refuse(np.where(paired, ~mirrored, colour != 0), r, "a wrong colour")
            if self.game_points is not None:
                made, code = self.game_points[:, r].astype(np.int32), self.result[:, r]
                lead = np.sign(made - np.take_along_axis(made, other, axis=1))
                self._refuse((made < 0) | (self._PLAYED[code] & (lead != Code.DRAW - code)), r, "wrong game points")
        for name in self.FIELD:
            if not np.isfinite(getattr(self, name)).all():
                raise SwissError(f"a {name} isn't a finite number")

    def _check_places(self) -> None:
        """Check what compiled loops take as places in memory."""
        for name, least, most, what in (
            ("opponent", -1, self.opponent.shape[2] - 1, "an opponent who doesn't exist"),
            ("result", 0, len(CODES) - 1, "a result that doesn't exist"),
        ):
            array = getattr(self, name)
            if array.size and not least <= array.min() <= array.max() <= most:
                for r in range(self.rounds):
                    self._refuse((array[:, r] < least) | (array[:, r] > most), r, what)

    def _refuse(self, bad: NDArray[np.bool_], r: int, what: str) -> None:
        if bad.any():
            t, i = np.argwhere(bad)[0]
            raise SwissError(f"tournament {self.first + t}, round {r + 1}: player {i + 1} has {what}")
