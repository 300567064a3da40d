"""Why a round has no legal pairing, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from swisssim._core import PairingSystem, legal_pairs
from swisssim._matching.lists import maximum_matching
from swisssim._state import State

# Above this number of vertices the decomposition would take longer than an arbiter should wait.
_LARGEST_DECOMPOSED = 120


def why_no_pairing(state: State, system: PairingSystem, numbers: Sequence[int]) -> str:
    """Say why the field of the round in hand has no complete pairing.

    The reason is a set of players whose removal leaves more odd groups than it has members (W. T. Tutte, 1947); the simplest
    such set is named: a player without opponents, groups that can only play among themselves, or the set itself.

    Parameters
    ----------
    state : State
        A block of one tournament whose pairing has failed.
    system : PairingSystem
        The system that failed.
    numbers : sequence of int
        The number to show for each player of the block.

    Returns
    -------
    str
        One sentence.
    """
    field, allowed, bye = legal_pairs(state, system)
    shown = [numbers[player] for player in field]
    if len(field) % 2:
        if not bye.any():
            return f"the field is odd ({len(field)} players) and nobody in it may have the bye"
        allowed = np.block([[allowed, bye[:, None]], [bye[None, :], np.zeros((1, 1), bool)]])
        shown = [*shown, 0]
    lonely = [number for number, row in zip(shown, allowed, strict=True) if number and not row.any()]
    if lonely:
        return f"{_players(lonely)} can meet nobody who is left"
    groups = [group for group in _components(allowed) if len(group) % 2]
    if groups:
        words = "; ".join("{" + ", ".join(_names([shown[k] for k in group])) + "}" for group in groups[:4])
        return f"groups of odd size have opponents only inside: {words}"
    if len(shown) > _LARGEST_DECOMPOSED:
        return f"at most {2 * _matching_size(allowed)} of {len(shown)} places can be filled by legal pairs"
    return _barrier(allowed, shown)


def illegal_boards(
    state: State, system: PairingSystem, numbers: Sequence[int], *, boards: Sequence[tuple[int, int]], bye: int | None
) -> list[str]:
    """Say what the absolute rules of a system forbid in a pairing.

    Parameters
    ----------
    state : State
        A block of one tournament with the round in hand.
    system : PairingSystem
        The system whose rules count.
    numbers : sequence of int
        The number to show for each player of the block.
    boards : sequence of (int, int)
        White and Black, by number.
    bye : int or None
        Who has the pairing-allocated bye.

    Returns
    -------
    list of str
        One sentence for each fault.
    """
    field, allowed, may_have_bye = legal_pairs(state, system)
    place = {numbers[player]: k for k, player in enumerate(field)}
    met = state.met_matrix()
    wrong = []
    for white, black in boards:
        a, b = place[white], place[black]
        if not allowed[a, b]:
            why = "they have met" if met[field[a], field[b]] else "the rules for colours, or a ban, keep them apart"
            wrong.append(f"{white} - {black}: {why}")
    if bye is not None and len(field) % 2 == 0:
        wrong.append(f"player {bye} has a bye in an even field of {len(field)}")
    elif bye is not None and not may_have_bye[place[bye]]:
        wrong.append(f"player {bye} may not have the bye (again)")
    return wrong


def _barrier(allowed: NDArray[np.bool_], shown: Sequence[int]) -> str:
    """Name a set whose removal leaves more odd groups than it has members (Gallai and Edmonds)."""
    n = len(shown)
    most = _matching_size(allowed)
    spare = np.zeros(n, bool)
    for v in range(n):
        keep = np.arange(n) != v
        spare[v] = _matching_size(allowed[np.ix_(keep, keep)]) == most
    barrier = allowed[spare].any(axis=0) & ~spare
    rest = np.flatnonzero(~barrier)
    groups = [g for g in _components(allowed[np.ix_(rest, rest)]) if len(g) % 2 and spare[rest[g[0]]]]
    members = [[shown[rest[k]] for k in group] for group in groups]
    words = "; ".join("{" + ", ".join(_names(group)) + "}" for group in members[:6]) + (
        "; ..." if len(members) > 6 else ""
    )
    named = _players([shown[int(k)] for k in np.flatnonzero(barrier)])
    return f"{len(members)} groups of odd size ({words}) each need an opponent from {named}, who are too few"


def _matching_size(allowed: NDArray[np.bool_]) -> int:
    edges = [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(allowed)), strict=True)]
    return sum(mate >= 0 for mate in maximum_matching(len(allowed), edges)) // 2


def _components(allowed: NDArray[np.bool_]) -> list[list[int]]:
    count, label = connected_components(csr_array(allowed.astype(np.int8)), directed=False)
    return [[int(k) for k in np.flatnonzero(label == c)] for c in range(count)]


def _names(numbers: Sequence[int]) -> list[str]:
    return [str(number) if number else "the bye" for number in numbers]


def _players(numbers: Sequence[int]) -> str:
    names = _names(numbers)
    if names == ["the bye"]:
        return "the bye"
    return ("player " if len(names) == 1 else "players ") + ", ".join(names)
