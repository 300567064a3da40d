"""The one invariant checker: what every pairing of every system has to keep, whatever the field and the history.

It knows no search, so it checks rounds of any size. Events of the neutral model come from the random generator, from
golden tournaments, or by `tests.adapters` from the arrays of a simulation and from a `Tournament`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tests.reference.event import (
    OTHER,
    Board,
    Code,
    Event,
    Options,
    legal_colours,
)

SYSTEMS = ("nordic", "amalfi", "regulated", "dutch2012", "dutch", "lottery")
COLOUR_LIMITED = ("amalfi", "regulated")
DUTCH = ("dutch2012", "dutch")
BOARDS_BY_SCORE = ("regulated", *DUTCH)


def check_round(
    event: Event,
    boards: Sequence[Board],
    bye: int | None,
    *,
    system: str,
    options: Options | None = None,
) -> None:
    """Assert that a pairing keeps the invariants of its system.

    Parameters
    ----------
    event
        The event before the round, with its absences.
    boards
        (white, black) in board order.
    bye
        The player with the pairing-allocated bye (`nordic`: the opponent of X), or None.
    system
        One of `SYSTEMS`.
    options
        Options of the system, if they are not those of the event.

    Raises
    ------
    AssertionError
        Names the system, the round, and everything that is wrong.
    """
    wrong = violations(event, boards, bye, system=system, options=options)
    assert not wrong, f"{system}, round {event.round}: " + "; ".join(wrong)


def violations(
    event: Event,
    boards: Sequence[Board],
    bye: int | None,
    *,
    system: str,
    options: Options | None = None,
) -> list[str]:
    """Return what is wrong with a pairing, in words; parameters as in `check_round`."""
    if system not in SYSTEMS:
        raise ValueError(f"unknown system {system!r}; there are {', '.join(SYSTEMS)}")
    if options is not None:
        event = replace(event, options=options)
    named = {player for board in boards for player in board} | ({bye} if bye is not None else set())
    unknown = sorted(named - set(event.players))
    if unknown:
        return [f"there is no player {p}" for p in unknown]
    return [
        *_everybody_once(event, boards, bye),
        *_no_rematch(event, boards),
        *_bye(event, bye, system),
        *_colours(event, boards, system),
        *_board_order(event, boards, system),
    ]


def _everybody_once(event: Event, boards: Sequence[Board], bye: int | None) -> Iterable[str]:
    times = Counter(player for board in boards for player in board)
    if bye is not None:
        times[bye] += 1
    for player in event.players:
        due = 0 if player in event.absent else 1
        if times[player] != due:
            yield f"player {player} is paired {times[player]} times instead of {due}"


def _no_rematch(event: Event, boards: Sequence[Board]) -> Iterable[str]:
    for white, black in boards:
        if frozenset({white, black}) in event.forbidden:
            yield f"{white}-{black} is a forbidden pair"
        elif event.met(white, black):
            yield f"{white} and {black} have met"


def _bye(event: Event, bye: int | None, system: str) -> Iterable[str]:
    odd = len(event.field) % 2 == 1
    if odd != (bye is not None):
        yield f"a field of {len(event.field)} with bye {bye}"
    if bye is not None and (had := bars_from_bye(event, bye, system)):
        yield f"player {bye} gets the bye after {', '.join(sorted(code.name for code in had))}"


def bars_from_bye(event: Event, player: int, system: str) -> set[Code]:
    """Return the codes in a player's history that keep him from the bye.

    `nordic`: only having met X; the others: a bye or a full point without playing; `dutch2012` half points too (A2).
    """
    barring = {Code.PAIRING_BYE}
    if system != "nordic":
        barring |= {Code.FORFEIT_WIN, Code.FULL_BYE}
    if system == "dutch2012":
        barring |= {Code.HALF_BYE}
    return {entry.code for entry in event.entries(player)} & barring


def _colours(event: Event, boards: Sequence[Board], system: str) -> Iterable[str]:
    if system == "nordic":
        yield from _fewer_whites_get_white(event, boards)
    if system in COLOUR_LIMITED and event.options.colour_limits:
        yield from _colour_limits(event, boards, system)
    if system in DUTCH:
        yield from _absolute_preferences(event, boards, system)


def _fewer_whites_get_white(event: Event, boards: Sequence[Board]) -> Iterable[str]:
    """`nordic` 3: White to the player with fewer whites, where the round against X counts as one."""

    def whites(player: int) -> int:
        return sum(e.code == Code.PAIRING_BYE or e.played_colour == "W" for e in event.entries(player))

    for white, black in boards:
        if whites(white) > whites(black):
            yield f"{white}-{black}: White had White {whites(white)} times, Black {whites(black)} times"


def _colour_limits(event: Event, boards: Sequence[Board], system: str) -> Iterable[str]:
    """Absolute colour rule; in the last round `amalfi` drops it, `regulated` keeps it where that is possible."""
    for white, black in boards:
        possible = not event.last_round or (system == "regulated" and legal_colours(event, black, white))
        if possible and not legal_colours(event, white, black):
            histories = f"{event.played_colours(white)}, {event.played_colours(black)}"
            yield f"{white}-{black} breaks the absolute colour rule (histories {histories})"


def absolute_preference(event: Event, player: int, system: str) -> str | None:
    """Return the colour that a player of a Dutch system is absolutely due, or None.

    Due absolutely: colour difference above 1, or twice the same colour last. The difference names the colour if it is
    above 1 (`dutch` 2.5) or not 0 (`dutch2012`, Definitions); otherwise it is the opposite of the last one.
    """
    played = event.played_colours(player)
    difference = played.count("W") - played.count("B")
    twice = played[-2:] in ("WW", "BB")
    if abs(difference) < 2 and not twice:
        return None
    if abs(difference) > (1 if system == "dutch" else 0):
        return "W" if difference < 0 else "B"
    return OTHER[played[-1]]


def top_scorer(event: Event, player: int) -> bool:
    """Tell whether, in the last round, he has more than half of the points that were possible so far."""
    possible = len(event.history) * max(event.worth[Code.WIN], event.worth[Code.DRAW])
    return event.last_round and 2 * event.score(player) > possible


def _absolute_preferences(event: Event, boards: Sequence[Board], system: str) -> Iterable[str]:
    """Absolute preferences never clash and are granted, unless one of the two is a top scorer."""
    for white, black in boards:
        if top_scorer(event, white) or top_scorer(event, black):
            continue
        for player, colour in ((white, "W"), (black, "B")):
            if absolute_preference(event, player, system) == OTHER[colour]:
                history = event.played_colours(player)
                yield f"{white}-{black}: {player} gets {colour} against an absolute preference ({history})"


def _board_order(event: Event, boards: Sequence[Board], system: str) -> Iterable[str]:
    if system in BOARDS_BY_SCORE:
        expected = in_score_order(event, boards)
    elif system == "amalfi":  # each board is made by the first player of the list who is still unpaired
        expected = sorted(boards, key=lambda board: min((-event.score(p), p) for p in board))
    else:
        return
    if list(boards) != expected:
        yield f"boards {list(boards)} are not in order {expected}"


def in_score_order(event: Event, boards: Iterable[Board]) -> list[Board]:
    """Sort boards by the score of the higher ranked player, the sum of both scores, his number; no virtual points."""
    score = event.score_without_virtual_points

    def key(board: Board) -> tuple[int, int, int]:
        higher = min(board, key=lambda p: (-score(p), p))
        return -score(higher), -sum(score(p) for p in board), higher

    return sorted(boards, key=key)
