"""Generation order of a homogeneous bracket or remainder, shared by both editions (`dutch` 7.1, `dutch2012`).

Positions are bracket sequence numbers 1..n. A candidate with k pairs is a tuple of (higher, lower) positions in the
order of the higher ones; who is in no pair stays unpaired.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations

Pairs = tuple[tuple[int, int], ...]


Exchange = tuple[tuple[int, ...], tuple[int, ...]]


@cache
def exchanges_of_size(n: int, k: int, size: int) -> tuple[Exchange, ...]:
    """Return the exchanges of so many players, (A leaves S1, B leaves S2), in their order."""
    found = [(a, b) for a in combinations(range(1, k + 1), size) for b in combinations(range(k + 1, n + 1), size)]
    # Negated from the largest down: where two sets A differ first, the larger number comes first.
    return tuple(sorted(found, key=lambda e: (sum(e[1]) - sum(e[0]), [-x for x in reversed(e[0])], e[1])))


def exchanges(n: int, k: int) -> Iterator[Exchange]:
    """Yield all exchanges in their order, no exchange first."""
    for size in range(min(k, n - k) + 1):
        yield from exchanges_of_size(n, k, size)


def split(n: int, k: int, exchange: Exchange) -> tuple[list[int], list[int]]:
    """Return S1 and S2 after an exchange, both sorted again."""
    out, into = exchange
    s1 = sorted(set(range(1, k + 1)) - set(out) | set(into))
    return s1, [x for x in range(1, n + 1) if x not in s1]


def literal_order(n: int, k: int) -> Iterator[Pairs]:
    """Yield every set of k pairs among n players once, in the words of the rule: exchanges, then transpositions."""
    seen: set[frozenset[frozenset[int]]] = set()
    for exchange in exchanges(n, k):
        s1, s2 = split(n, k, exchange)
        for partners in permutations(s2, k):
            pairs = tuple(zip(s1, partners, strict=True))
            key = frozenset(map(frozenset, pairs))
            if key not in seen:
                seen.add(key)
                yield pairs


@cache
def useful_splits(n: int, k: int, size: int) -> tuple[tuple[list[int], list[int]], ...]:
    """Return the splits after the exchanges of a size in which all of S1 can have opponents of S2 below them.

    The others only repeat earlier candidates: a set of pairs appears first where S1 holds the higher player of each.
    """
    splits = (split(n, k, exchange) for exchange in exchanges_of_size(n, k, size))
    return tuple((s1, s2) for s1, s2 in splits if all(sum(b > a for b in s2) >= k - at for at, a in enumerate(s1)))


def order(n: int, k: int, keep: Callable[[Pairs], bool] = lambda pairs: True) -> Iterator[Pairs]:
    """Yield the candidates of `literal_order` whose every beginning `keep` accepts.

    `keep` is called with the first pairs of a candidate, the newest last; once it refuses, nothing that begins so is
    generated.
    """
    for size in range(min(k, n - k) + 1):
        for s1, s2 in useful_splits(n, k, size):
            yield from _transpositions(s1, s2, (), keep)


def _transpositions(s1: list[int], s2: list[int], pairs: Pairs, keep: Callable[[Pairs], bool]) -> Iterator[Pairs]:
    if len(pairs) == len(s1):
        yield pairs
        return
    higher = s1[len(pairs)]
    for lower in s2:
        longer = (*pairs, (higher, lower))
        if lower > higher and keep(longer):
            yield from _transpositions(s1, [x for x in s2 if x != lower], longer, keep)
