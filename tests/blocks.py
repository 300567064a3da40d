"""Random blocks of tournaments with everything that can happen in a round, for the tests of tie-breaks and metrics."""

from __future__ import annotations

import numpy as np

from swisssim.codes import Code
from swisssim.results import Results

ABSENT, WIN, DRAW, LOSS, FORFEIT_WIN, FORFEIT_LOSS, PAIRING_BYE, FULL_BYE, HALF_BYE, ZERO_BYE, POSTPONED = map(
    int, Code
)
WORTH = np.array([0, 10, 5, 0, 10, 0, 10, 10, 5, 0, 0, 0, 0, 0, 0, 0], np.int16)


def empty(tournaments: int, rounds: int, players: int) -> Results:
    """Return a block in which nobody has played."""
    shape = (tournaments, rounds, players)
    rating = np.linspace(2200.0, 1400.0, players)[None, :]
    return Results(
        system="lottery",
        opponent=np.full(shape, -1, np.int16),
        colour=np.zeros(shape, np.int8),
        result=np.zeros(shape, np.int8),
        board=np.full(shape, -1, np.int16),
        score=np.zeros(shape, np.int16),
        arrived=np.zeros(shape, np.int8),
        rating=rating,
        strength=rating.copy(),
        initial_colour=np.zeros(tournaments, np.int8),
        rounds_paired=np.full(tournaments, rounds, np.int16),
        stopped=np.zeros(tournaments, bool),
        worth=WORTH,
        provenance={"seed": 1},
    )


def play(block: Results, game: tuple[int, int, int], white: int, black: int, code: int = WIN) -> None:
    """Write one game (tournament, round, 0-based) with White's result code."""
    t, r, _ = game
    mirror = {
        WIN: LOSS,
        LOSS: WIN,
        DRAW: DRAW,
        FORFEIT_WIN: FORFEIT_LOSS,
        FORFEIT_LOSS: FORFEIT_WIN,
        POSTPONED: POSTPONED,
    }
    block.opponent[t, r, white], block.opponent[t, r, black] = black, white
    block.colour[t, r, white], block.colour[t, r, black] = 1, -1
    block.result[t, r, white], block.result[t, r, black] = code, mirror[code]


def fill_scores(block: Results) -> Results:
    """Write the pairing scores before each round: the points so far."""
    made = block.worth[block.result].astype(np.int16)
    block.score[:, 1:] = np.cumsum(made, axis=1, dtype=np.int16)[:, :-1]
    return block


def random_block(
    seed: int,
    tournaments: int = 20,
    rounds: int = 5,
    players: int = 9,
    *,
    away: float = 0.2,
    forfeit: float = 0.15,
    postponed: float = 0.1,
    late: bool = True,
) -> Results:
    """Return tournaments of random pairings (rematches happen), byes, absences, forfeits and postponed games."""
    rng = np.random.default_rng(seed)
    block = empty(tournaments, rounds, players)
    block.rating = rng.uniform(1200, 2400, (tournaments, players)).round()
    block.rating = -np.sort(-block.rating, axis=1)
    block.strength = block.rating + rng.normal(0, 50, block.rating.shape)
    for t in range(tournaments):
        for r in range(rounds):
            order = rng.permutation(players)
            here = [i for i in order if rng.random() >= away]
            for i in set(range(players)) - set(here):
                block.result[t, r, i] = rng.choice([ABSENT, FULL_BYE, HALF_BYE, ZERO_BYE])
            if len(here) % 2:
                block.result[t, r, here.pop()] = PAIRING_BYE
            for white, black in zip(here[::2], here[1::2], strict=True):
                chance = rng.random()
                code = rng.choice([FORFEIT_WIN, FORFEIT_LOSS]) if chance < forfeit else rng.choice([WIN, DRAW, LOSS])
                play(block, (t, r, 0), white, black, int(code))
                if chance < forfeit / 4:
                    block.result[t, r, [white, black]] = FORFEIT_LOSS
                elif late and rng.random() < postponed:
                    block.arrived[t, r, [white, black]] = min(r + 1 + rng.integers(1, 3), rounds)
    return fill_scores(block)
