"""Positions made by hand, for the Dutch twins and rooms: given scores and pairs that must not meet, or given colours and opponents."""

from tests.reference.event import Board, Code, Entry, Event


def bare_event(
    scores: list[int], barred: list[Board], away: Code = Code.ABSENT, may_get_bye: tuple[int, ...] = ()
) -> Event:
    """Return an event in which nobody has played, with given scores (tenths) and pairs that must not meet.

    Everybody's only round has the code `away`, except for those who may get the bye.
    """
    event = Event([2000] * len(scores), rounds=9)
    event.past_scores = [[0] * len(scores)]
    event.history = [[Entry(Code.ABSENT if player in may_get_bye else away) for player in event.players]]
    event.virtual = [score - event.points(player) for player, score in enumerate(scores, 1)]
    event.forbidden = set(map(frozenset, barred))
    return event


def rule_5_event() -> Event:
    """Return the event of the page's last example: scores, colours and opponents, nobody with a float."""
    players = {
        1: (25, "WBWB", (2, 4, 5, 7)), 2: (15, "BWBW", (1, 6, 7, 8)), 3: (30, "WBWB", (4, 5, 6, 7)),
        4: (20, "BWBW", (1, 3, 6, 8)), 5: (10, "BWBW", (1, 3, 6, 8)), 6: (30, "WBWW", (2, 3, 4, 5)),
        7: (20, "BWBB", (1, 2, 3, 8)), 8: (10, "WBWB", (2, 4, 5, 7)),
    }  # fmt: skip
    event = Event([2000] * 8, rounds=5)
    event.past_scores = [[0] * 8 for _ in range(4)]
    event.history = [
        [Entry(Code.DRAW, opponents[k], colours[k]) for _, colours, opponents in players.values()] for k in range(4)
    ]
    event.virtual = [score - event.points(player) for player, (score, _, _) in players.items()]
    return event
