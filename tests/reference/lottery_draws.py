"""`lottery` draw by draw, with numpy's own generator: which word of which block decides what.

`tests.reference.lottery` gives the exact law of the system; this is the one pairing that a seed and a round give.
"""

from collections.abc import Iterator

import numpy as np

from tests.reference.event import Board, Event, NoPairing, Pairing
from tests.reference.matching import perfect

LOTTERY = 7
"""The domain of the draws."""


def block(seed: int, tournament: int, round_number: int, step: int, c: int) -> list[int]:
    """Return the four words of one block; numpy counts up before it draws, so its counter is one smaller."""
    counter = (tournament | round_number << 64 | step << 128 | c << 192) - 1
    generator = np.random.Philox(counter=counter % 2**256, key=seed | LOTTERY << 64)
    return [int(word) for word in generator.random_raw(4)]


def below(word: int, n: int) -> int:
    """Return the number 0..n-1 that a word stands for."""
    return int((word >> 11) * 2.0**-53 * n)


def exchange(items: list[int], k: int, word: int) -> None:
    """Bring a random one of the items from k on to place k."""
    other = k + below(word, len(items) - k)
    items[k], items[other] = items[other], items[k]


def pair(event: Event, *, seed: int, tournament: int) -> Pairing:
    """Pair the next round of an event as the tournament of this number of a study would be paired."""

    def fits(a: int, b: int) -> bool:
        return not event.met(a, b)

    def words(step: int, c: int) -> list[int]:
        return block(seed, tournament, event.round, step, c)

    def draws(p: int, others: list[int]) -> Iterator[int]:
        """Draw from the others without replacement."""
        for k in range(len(others)):
            exchange(others, k, words(p + 1, 0)[1] if k == 0 else words(p + 1, 1 + (k - 1) // 4)[(k - 1) % 4])
            yield others[k]

    players, bye = event.field, None
    if len(players) % 2:
        candidates = [p for p in players if not event.had_point_without_play(p)]
        for k in range(len(candidates)):
            exchange(candidates, k, words(0, k // 4)[k % 4])
        byes = [b for b in candidates if perfect([p for p in players if p != b], fits)]
        if not byes:
            raise NoPairing(f"round {event.round}: nobody can have the bye")
        bye = byes[0]
        players.remove(bye)
    for p in range(len(players)):
        exchange(players, p, words(p + 1, 0)[0])
    boards: list[Board] = []
    unpaired = list(players)
    while unpaired:
        drawer = unpaired[0]
        place = players.index(drawer)
        for partner in draws(place, unpaired[1:]):
            rest = [p for p in unpaired if p not in (drawer, partner)]
            if fits(drawer, partner) and perfect(rest, fits):
                break
        else:
            raise NoPairing(f"round {event.round}: the players cannot be paired")
        boards.append((partner, drawer) if words(place + 1, 0)[2] >> 63 else (drawer, partner))
        unpaired = rest
    return boards, bye
