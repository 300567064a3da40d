"""The events of a trace as steps: a group as it stood, a choice with those refused before it, a float, a colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from swisssim._core import PairingSystem
from swisssim._state import REASONS

Event = tuple[int, int, int, int]
Why = Callable[[int, int, int], str]

# The common reasons in the trace; rooms have their own from 100.
CHOSEN, MET, COLOUR, REST, CONFLICT, HAD_BYE = range(6)
_OWN_REASONS = 100

WORDS = {
    MET: "met",
    COLOUR: "colours",
    REST: "the others could not be paired then",
    CONFLICT: "both are due the same colour",
    HAD_BYE: "may not have the bye",
}


@dataclass(frozen=True)
class Refusal:
    """A candidate who was not taken, and why."""

    player: int
    reason: str

    def __str__(self) -> str:
        return f"{shown(self.player)} ({self.reason})"


@dataclass(frozen=True)
class Step:
    """One step on the way to a pairing.

    Attributes
    ----------
    kind : str
        ``group``, ``float``, ``pair``, ``criterion``, ``bye``, ``undo``, ``colour`` or ``step``.
    article : str
        The rule, with its number.
    text : str
        What happened, in one sentence.
    players : tuple of int
        Everybody named; 0 is player X.
    chosen : tuple of int
        The pair that was made, or the player who was chosen.
    refused : tuple of Refusal
        The candidates before, in the order of trial.
    """

    kind: str
    article: str
    text: str
    players: tuple[int, ...]
    chosen: tuple[int, ...] = ()
    refused: tuple[Refusal, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain data for JSON."""
        data: dict[str, Any] = {
            "kind": self.kind,
            "article": self.article,
            "text": self.text,
            "players": list(self.players),
        }
        if self.chosen:
            data["chosen"] = list(self.chosen)
        if self.refused:
            data["refused"] = [{"player": r.player, "reason": r.reason} for r in self.refused]
        return data


def shown(player: int) -> str:
    """Return a player's number; 0 is player X of `nordic`."""
    return str(player) if player else "X"


def listed(players: Sequence[int]) -> str:
    """Return numbers as a list."""
    return ", ".join(map(shown, players))


def steps_of(events: Sequence[Event], system: PairingSystem, number: Callable[[int], int], why: Why) -> list[Step]:
    """Return the steps that a trace tells.

    Parameters
    ----------
    events : sequence of (article, player, candidate, reason)
        As `State.events` returns them: players from 0, -1 for none.
    system : PairingSystem
        Whose ``ARTICLES``, ``REASONS`` and ``KINDS`` give the words.
    number : callable
        From a player of the trace to his number; 0 for X.
    why : callable
        Two players of the trace and a common reason to the words for it.

    Returns
    -------
    list of Step
    """
    teller = _Teller(system, number, why)
    found: list[Step] = []
    for _, run in groupby(events, key=teller.key):
        found += teller.tell(list(run))
    return found


class _Teller:
    """Turns runs of events into steps."""

    def __init__(self, system: PairingSystem, number: Callable[[int], int], why: Why) -> None:
        self.system = system
        self.number = number
        self.why = why
        self.words = {**REASONS, **system.REASONS}

    def key(self, event: Event) -> tuple[object, ...]:
        """Events with the same key belong to one step, or to a chain of choices of one player."""
        article, player, candidate, reason = event
        kind = self.kind(article)
        if kind == "colour":
            return (event,)
        if candidate < 0:
            alone = reason >= _OWN_REASONS and "{player}" in self.words[reason]
            return (article, player if alone else "all", reason >= _OWN_REASONS and reason)
        return (article, player, reason >= _OWN_REASONS and reason)

    def kind(self, article: int) -> str:
        return self.system.KINDS.get(article, "step")

    def tell(self, run: list[Event]) -> Iterator[Step]:
        """Yield the steps of a run of events with one key."""
        article, player, candidate, reason = run[0]
        kind, title = self.kind(article), self.system.ARTICLES.get(article, f"article {article}")
        if kind == "colour":
            pair = (self.number(player), self.number(candidate))
            said = "" if reason == CHOSEN else self.words[reason]
            yield Step(kind, title, said, pair, pair)
        elif reason >= _OWN_REASONS:
            yield self._listing(kind, title, run)
        elif candidate < 0:
            yield self._single(kind, title, run)
        else:
            yield from self._choices(kind, title, run)

    def _listing(self, kind: str, title: str, run: list[Event]) -> Step:
        """What holds for several players, such as who is in a group.

        Words with ``{player}`` or ``{others}`` are a sentence; others stand before the list of players.
        """
        _, player, candidate, reason = run[0]
        named = tuple(self.number(c if c >= 0 else p) for _, p, c, _ in run)
        leader, words = self.number(player), self.words[reason]
        everybody = named if candidate < 0 or kind == "group" else (leader, *named)
        if "{" in words:
            return Step(kind, title, words.format(player=shown(leader), others=listed(named)), everybody)
        if kind == "criterion" and candidate >= 0:
            return Step(kind, title, f"{shown(leader)} - {listed(named)}: {words}", everybody)
        return Step(kind, title, f"{words}: {listed(named)}", everybody if kind == "criterion" else named)

    def _single(self, kind: str, title: str, run: list[Event]) -> Step:
        """One player after the other is looked at, such as for the bye."""
        refused = tuple(Refusal(self.number(p), self.why(p, -1, r)) for _, p, _, r in run if r != CHOSEN)
        chosen = tuple(self.number(p) for _, p, _, r in run if r == CHOSEN)
        what = "the bye" if kind == "bye" else "this"
        parts = [f"not {listed_refusals(refused)}"] * bool(refused) + [f"{what} goes to {listed(chosen)}"] * bool(
            chosen
        )
        return Step(kind, title, "; ".join(parts), (*(r.player for r in refused), *chosen), chosen, refused)

    def _choices(self, kind: str, title: str, run: list[Event]) -> Iterator[Step]:
        """One player looks for an opponent: those refused, then the one taken."""
        leader = self.number(run[0][1])
        refused: list[Refusal] = []
        for _, player, candidate, reason in run:
            other = self.number(candidate)
            if reason != CHOSEN:
                refused.append(Refusal(other, self.why(player, candidate, reason)))
                continue
            yield self._choice(kind, title, leader, other, refused)
            refused = []
        if refused:
            yield self._choice(kind, title, leader, None, refused)

    @staticmethod
    def _choice(kind: str, title: str, leader: int, other: int | None, refused: list[Refusal]) -> Step:
        parts = [f"not {listed_refusals(refused)}"] if refused else []
        parts += [f"takes {shown(other)}"] if other is not None else []
        named = (leader, *(r.player for r in refused), *([other] if other is not None else []))
        chosen = (leader, other) if other is not None else ()
        return Step(kind, title, f"{shown(leader)}: {'; '.join(parts)}", named, chosen, tuple(refused))


def listed_refusals(refused: Sequence[Refusal]) -> str:
    """Return candidates with the reasons why they were refused."""
    return ", ".join(map(str, refused))
