"""Who takes part in which round: requested byes, forfeits, withdrawals, late arrivals, postponed games."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swisssim._random import Domain, uniforms
from swisssim.codes import NOT_HERE, Code
from swisssim.errors import SwissError


@dataclass(frozen=True, kw_only=True)
class Participation:
    """How often players stay away; everything is independent per player, and nobody does by default.

    Parameters
    ----------
    half_bye : float
        Probability per player and round of a requested half-point bye; at most one for each player, none in the last
        round.
    zero_bye : float
        Probability per player and round of an absence for no points.
    forfeit : float
        Probability per player and round of not appearing for the game that was paired; both may fail to.
    withdraw : float
        Probability of leaving for good, before each round from the second on, for a player who has arrived.
    late : float
        Probability of arriving only for round 2 or, as often, for round 3.
    postpone : float
        Probability per game of being postponed: its result is drawn at once and revealed later.
    delay : int
        Rounds after which the result of a postponed game is revealed, at the latest before the final ranking.

    Raises
    ------
    SwissError
        If a probability isn't from 0 to 1 or the delay isn't a whole number from 1.
    """

    half_bye: float = 0.0
    zero_bye: float = 0.0
    forfeit: float = 0.0
    withdraw: float = 0.0
    late: float = 0.0
    postpone: float = 0.0
    delay: int = 1

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self) if f.name != "delay"):
            value = getattr(self, name)
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or not 0.0 <= value <= 1.0:
                raise SwissError(f"{name} is {value!r}; it must be a probability from 0 to 1")
            object.__setattr__(self, name, float(value))
        if isinstance(self.delay, bool) or not isinstance(self.delay, int | np.integer) or self.delay < 1:
            raise SwissError(f"delay is {self.delay!r}; it must be a whole number of rounds from 1")
        object.__setattr__(self, "delay", int(self.delay))

    @property
    def everybody(self) -> bool:
        """Whether every player is there for every round and every game."""
        return not any((self.half_bye, self.zero_bye, self.forfeit, self.withdraw, self.late))

    def to_dict(self) -> dict[str, Any]:
        """Return all parameters by name, ready for JSON."""
        return asdict(self)


class Attendance:
    """Who is there in the rounds of a block of tournaments; asked round by round.

    Random numbers have the domain `Domain.PARTICIPATION` and the counter (tournament, player from 1, round, 0) with the
    words 0 half-point bye, 1 zero-point bye, 2 forfeit, 3 withdrawal; in "round" 0 word 0 tells whether the player is
    late, word 1 whether for round 2 or 3. Every round has numbers of its own, so that a tournament is the same in any
    block.

    Where several things happen to one player in one round, the first of this order counts: not yet arrived or
    withdrawn, half-point bye, zero-point bye, forfeit.

    Parameters
    ----------
    participation : Participation
        How often players stay away.
    seed : int
        Seed of the study.
    first, count : int
        Number of the block's first tournament, from 0, and how many there are.
    players, rounds : int
        Size of a tournament.
    """

    def __init__(
        self, participation: Participation, seed: int, first: int, count: int, players: int, rounds: int
    ) -> None:
        self.participation = participation
        self.seed, self.rounds = seed, rounds
        self.active = not participation.everybody
        """Whether anybody may be absent or fail to appear; if not there is nothing to ask."""
        self._tournaments = np.arange(first, first + count)[:, None]
        self._numbers = np.arange(1, players + 1)
        self._round = 0
        shape = (count, players)
        self._away, self._no_show = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        self._gone, self._had_half = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        self._arrival = np.ones(shape, np.int8)
        if participation.late:
            numbers = self._draw(0)
            late = numbers[..., 0] < participation.late
            self._arrival[late] = np.where(numbers[..., 1] < 0.5, 2, 3)[late]

    def away(self, round: int) -> NDArray[np.uint8]:
        """Return who isn't in the field of a round.

        Parameters
        ----------
        round : int
            The round, from 1; the same as before, or the next one.

        Returns
        -------
        ndarray of uint8
            ``(count, players)``: 0 in the field, `Code.HALF_BYE`, `Code.ZERO_BYE`, or `NOT_HERE`.
        """
        self._advance(round)
        return self._away

    def no_show(self, round: int) -> NDArray[np.uint8]:
        """Return who will not appear for his game of a round.

        Parameters
        ----------
        round : int
            The round, from 1; the same as before, or the next one.

        Returns
        -------
        ndarray of uint8
            ``(count, players)``: 1 for a player in the field who forfeits if he is paired.
        """
        self._advance(round)
        return self._no_show

    def _draw(self, round: int) -> NDArray[np.float64]:
        return uniforms(self.seed, Domain.PARTICIPATION, self._tournaments, self._numbers, round)

    def _advance(self, round: int) -> None:
        """Go on to a round: who has left, and who is away."""
        if round == self._round:
            return
        if round != self._round + 1 or round > self.rounds:
            raise ValueError(f"rounds come in order: {self._round + 1} of {self.rounds} is next, not {round}")
        self._round = round
        if not self.active:
            return
        rates, numbers = self.participation, self._draw(round)
        if round >= 2:
            self._gone |= (numbers[..., 3] < rates.withdraw) & (self._arrival < round)
        here = ~self._gone & (self._arrival <= round)
        half = here & (numbers[..., 0] < rates.half_bye) & ~self._had_half
        if round == self.rounds:
            half[...] = False
        self._had_half |= half
        zero = here & ~half & (numbers[..., 1] < rates.zero_bye)
        self._away = np.where(here, np.uint8(0), np.uint8(NOT_HERE))
        self._away[half] = Code.HALF_BYE
        self._away[zero] = Code.ZERO_BYE
        self._no_show = ((self._away == 0) & (numbers[..., 2] < rates.forfeit)).astype(np.uint8)
