"""Matching tests by plain recursion: can everybody be paired, and how many pairs are possible at most?"""

from collections.abc import Callable, Iterable

Fits = Callable[[int, int], bool]


def largest_matching(players: Iterable[int], fits: Fits) -> int:
    """Return the largest number of pairs (a, b), each with fits(a, b), in which nobody stands twice."""
    remembered: dict[tuple[int, ...], int] = {(): 0}

    def largest(left: tuple[int, ...]) -> int:
        if left not in remembered:
            first, others = left[0], left[1:]
            best = largest(others)
            for other in others:
                if best == len(left) // 2:
                    break
                if fits(first, other):
                    best = max(best, 1 + largest(tuple(p for p in others if p != other)))
            remembered[left] = best
        return remembered[left]

    return largest(tuple(players))


def perfect(players: Iterable[int], fits: Fits) -> bool:
    """Tell whether all players can be paired with each other at once."""
    remembered: dict[tuple[int, ...], bool] = {(): True}

    def possible(left: tuple[int, ...]) -> bool:
        if left not in remembered:
            first, others = left[0], left[1:]
            remembered[left] = any(
                fits(first, other) and possible(tuple(p for p in others if p != other)) for other in others
            )
        return remembered[left]

    return possible(tuple(players))
