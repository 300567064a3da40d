"""What an organiser should hear before an event, though nothing forbids it."""

from __future__ import annotations

# Fields below this size often play nearly everybody against everybody, and mean it.
_SMALL = 12


def advice_on_rounds(players: int, rounds: int, *, system: str = "") -> list[str]:
    """Return remarks on the number of rounds for a field.

    Draughts rules recommend from n/3 to n/2 rounds for n players. More than n/2 is remarked for every system, since pairings
    become forced then, unless the field is so small that everybody knows; fewer than n/3, usual in chess, only for
    `regulated`, the system of those rules.

    Parameters
    ----------
    players, rounds : int
        Size of the event.
    system : str
        Key of the pairing system, if there is just one.

    Returns
    -------
    list of str
        One sentence, or none.
    """
    few = 3 * rounds < players and system == "regulated"
    many = 2 * rounds > players and players >= _SMALL
    if not few and not many:
        return []
    least, most = -(-players // 3), players // 2
    return [
        f"{rounds} rounds for {players} players are outside n/3..n/2 ({least}..{most}), the range that draughts rules recommend"
    ]
