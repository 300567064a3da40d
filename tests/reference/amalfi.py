"""`amalfi`, word by word and slowly: opponent = own position in the standings + rounds still to play."""

from fractions import Fraction

from tests.reference.event import OTHER, Board, Event, NoPairing, Pairing, colour_legal, legal_colours

BLACKER = {"B": 2, "-": 1, "W": 0}
"""Colours 2: in the latest round that differs, Black goes before none, and none before White."""


def pair(event: Event) -> Pairing:
    """Pair the next round.

    Returns
    -------
    tuple
        Boards (white, black) in board order, and the player with the bye or None.

    Raises
    ------
    NoPairing
        If no compatible pairing exists, whoever gets the bye.
    """
    order = sorted(event.field, key=lambda p: (-event.score(p), p))  # pairing 1
    if len(order) % 2 == 0:
        pairs = first_pairing(event, order)
        if pairs is not None:
            return with_colours(event, pairs), None
        raise NoPairing(f"round {event.round}: the players cannot be paired")
    for bye in reversed(order):  # pairing 2
        if event.had_point_without_play(bye):
            continue
        pairs = first_pairing(event, [p for p in order if p != bye])
        if pairs is not None:
            return with_colours(event, pairs), bye
    raise NoPairing(f"round {event.round}: nobody who may have the bye leaves the others pairable")


def compatible(event: Event, a: int, b: int) -> bool:
    """Not met, and colour-legal; in the last round only not met."""
    return not event.met(a, b) and (event.last_round or colour_legal(event, a, b))


def first_pairing(event: Event, order: list[int]) -> list[Board] | None:
    """Pairing 3-5: depth-first search over the positions 1..m, which stay fixed for the whole round."""
    increment = event.rounds - event.round + 1
    size = len(order)

    def search(unpaired: list[int]) -> list[Board] | None:
        if not unpaired:
            return []
        i = unpaired[0]
        target = min(i + increment, size)
        candidates = [*range(target, i, -1), *range(target + 1, size + 1)]  # pairing 4
        for j in candidates:
            if j in unpaired and compatible(event, order[i - 1], order[j - 1]):
                rest = search([position for position in unpaired if position not in (i, j)])
                if rest is not None:
                    return [(order[i - 1], order[j - 1]), *rest]
        return None  # pairing 5: the previous board is broken

    return search(list(range(1, size + 1)))


def with_colours(event: Event, pairs: list[Board]) -> list[Board]:
    """Colours 1-5, board by board in the order in which the pairs were made."""
    boards: list[Board] = []
    for a, b in pairs:
        board = by_preference(event, min(a, b), max(a, b), boards)
        # colours 5: the absolute colour rule prevails, except in the last round
        if not event.last_round and not legal_colours(event, *board) and legal_colours(event, board[1], board[0]):
            board = (board[1], board[0])
        boards.append(board)
    return boards


def by_preference(event: Event, small: int, large: int, boards: list[Board]) -> Board:
    """Colours 1-4 for the next board, given the boards before it."""
    black_share = {p: share_of_blacks(event, p) for p in (small, large)}
    if black_share[small] != black_share[large]:  # colours 1
        return (small, large) if black_share[small] > black_share[large] else (large, small)
    for mine, yours in zip(reversed(event.colours(small)), reversed(event.colours(large)), strict=True):  # colours 2
        if mine != yours:
            return (small, large) if BLACKER[mine] > BLACKER[yours] else (large, small)
    played = event.played_colours(small)
    if played:  # colours 3
        colour = OTHER[played[-1]]
    elif not boards:  # colours 4: "the previous board" is board k-1, whatever its players have played
        colour = event.options.initial_colour
    else:
        colour = "B" if boards[-1][0] == min(boards[-1]) else "W"
    return (small, large) if colour == "W" else (large, small)


def share_of_blacks(event: Event, player: int) -> Fraction:
    """Colours 1: share of blacks among the games that count; nothing played counts as 0 %."""
    played = event.played_colours(player)
    return Fraction(played.count("B"), len(played)) if played else Fraction(0)
