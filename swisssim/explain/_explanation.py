"""Explanations: of a whole round, of a board, of a player; as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from swisssim.explain._facts import Opponent, PlayerFacts, Position
from swisssim.explain._remarks import with_facts
from swisssim.explain._steps import Step, listed, shown, steps_of

Board = tuple[int, int]


@dataclass(frozen=True)
class Explanation:
    """Why a round was paired as it was.

    Attributes
    ----------
    system : str
        Key of the system.
    source : str
        Its rule text.
    round, rounds : int
        The round, and how many there are.
    boards : list of (int, int)
        White and Black in board order; empty if there is no pairing.
    bye : int or None
        Who has the pairing-allocated bye.
    error : str
        Why there is no pairing, or empty.
    subject : str
        What is explained: ``round``, ``board K`` or ``player N``.
    groups : list of (float, list of int)
        Score groups of the field from the top.
    players : list of PlayerFacts
        What counted for the players of a board.
    steps : list of Step
        How the pairing came about, in order; for a board only what concerns its players.
    colour : Step or None
        Why the player with White has White.
    opponents : list of Opponent
        For a player: everybody else, and whether the rules allow the pair.
    alternatives, without_colours : int or None
        How many complete pairings the rules allow, and how many if colours barred nobody; None in a large field.
    notes : list of str
        What else should be known, such as another pairing in the file.
    """

    system: str
    source: str
    round: int
    rounds: int
    boards: list[Board]
    bye: int | None
    error: str = ""
    subject: str = "round"
    groups: list[tuple[float, list[int]]] = field(default_factory=list)
    players: list[PlayerFacts] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    colour: Step | None = None
    opponents: list[Opponent] = field(default_factory=list)
    alternatives: int | None = None
    without_colours: int | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The explanation in words."""
        return "\n".join(_Text(self).lines()) + "\n"

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "system": self.system,
            "source": self.source,
            "round": self.round,
            "rounds": self.rounds,
            "subject": self.subject,
            "pairs": [list(board) for board in self.boards],
            "bye": self.bye,
            "error": self.error,
            "groups": [{"score": score, "players": players} for score, players in self.groups],
            "players": [facts.to_dict() for facts in self.players],
            "steps": [step.to_dict() for step in self.steps],
            "colour": self.colour.to_dict() if self.colour else None,
            "opponents": [{"player": o.player, "possible": o.possible, "reason": o.reason} for o in self.opponents],
            "alternatives": self.alternatives,
            "without_colours": self.without_colours,
            "notes": self.notes,
        }


def explain(
    position: Position,
    boards: list[Board],
    bye: int | None,
    *,
    board: int | None = None,
    player: int | None = None,
    error: str = "",
    notes: Iterable[str] = (),
) -> Explanation:
    """Explain a round that was paired with a trace.

    Parameters
    ----------
    position : Position
        The round; its state has the trace.
    boards, bye
        The pairing.
    board : int, optional
        Explain this board, from 1.
    player : int, optional
        Explain the pairing of this player.
    error : str
        Why there is no pairing.
    notes : iterable of str
        What else should be known.

    Returns
    -------
    Explanation
        Of the whole round, unless a board or a player is named.
    """
    trace = position.state.events()
    steps = [_placed(step, boards) for step in steps_of(trace, position.system, position.number, position.why)]
    steps = with_facts([_made(step, boards) for step in steps], position)
    known: dict[str, Any] = {
        "system": position.system.name,
        "source": position.system.source,
        "round": position.round,
        "rounds": position.rounds,
        "boards": boards,
        "bye": bye,
        "error": error,
        "groups": position.groups,
        "notes": list(notes),
    }
    known["alternatives"] = position.count_pairings()
    known["without_colours"] = position.count_pairings(colours=False)
    if board is None and player is None:
        return Explanation(**known, steps=steps)
    subject = f"player {player}" if player is not None else f"board {board}"
    pair = _pair(boards, board, player)
    named = set(pair) if pair else {player or 0}
    colour = next((step for step in steps if step.kind == "colour" and set(step.players) == named and pair), None)
    return Explanation(
        **known,
        subject=subject,
        players=[position.facts(number) for number in (pair or (player or 0,))],
        steps=[step for step in steps if step.kind != "colour" and named & set(step.players)],
        colour=colour,
        opponents=position.opponents(player) if player is not None and position.place[player] in position.row else [],
    )


def _pair(boards: list[Board], board: int | None, player: int | None) -> Board | None:
    if player is not None:
        return next((pair for pair in boards if player in pair), None)
    return boards[board - 1] if board is not None else None


def _made(step: Step, boards: list[Board]) -> Step:
    """Return a step that tells of a pair on the boards, in whatever words, as one that chose it."""
    made = step.kind == "pair" and not step.chosen and not step.refused and len(step.players) == 2
    if not made or not {step.players, step.players[::-1]} & set(boards):
        return step
    return replace(step, chosen=step.players)


def _placed(step: Step, boards: list[Board]) -> Step:
    """Return a colour step with White first, whatever order the trace has."""
    if step.kind != "colour" or step.players in boards:
        return step
    return replace(step, players=step.players[::-1], chosen=step.chosen[::-1])


class _Text:
    """An explanation as lines."""

    def __init__(self, explanation: Explanation) -> None:
        self.e = explanation

    def lines(self) -> list[str]:
        e = self.e
        what = f", {e.subject}" if e.subject != "round" else ""
        lines = [f"Round {e.round} of {e.rounds}{what}, system {e.system} ({e.source})"]
        lines += [f"note: {note}" for note in e.notes]
        if e.error:
            lines += ["", f"There is no pairing: {e.error}"]
        lines += ["", *self._pairing(), "", *self._facts()]
        if e.steps:
            lines += ["", "How it came about", *_told(e.steps)]
        if e.colour is not None:
            white, black = e.colour.players
            lines += ["", f"Why {shown(white)} has White against {shown(black)}", *_told([e.colour])]
        if e.opponents:
            lines += ["", *self._opponents()]
        return [*lines, *self._alternatives()]

    def _pairing(self) -> list[str]:
        e = self.e
        rows = [f"{k:>4}  {white} - {black}" for k, (white, black) in enumerate(e.boards, start=1)]
        if e.subject != "round":
            named = {facts.player for facts in e.players}
            rows = [row for row, board in zip(rows, e.boards, strict=True) if named <= set(board)]
        if e.bye is not None and (e.subject == "round" or e.bye in {facts.player for facts in e.players}):
            rows.append(f" bye  {e.bye}")
        return rows or ["   (not paired)"]

    def _facts(self) -> list[str]:
        e = self.e
        if e.players:
            return [f"  {facts}" for facts in e.players]
        return ["Score groups", *(f"  {score:g}: {listed(players)}" for score, players in e.groups)]

    def _opponents(self) -> list[str]:
        e = self.e
        possible = [o.player for o in e.opponents if o.possible]
        lines = [f"Opponents that the rules allow: {listed(possible) if possible else 'none'}"]
        reasons: dict[str, list[int]] = {}
        for other in e.opponents:
            if not other.possible:
                reasons.setdefault(other.reason, []).append(other.player)
        return lines + [f"  not {listed(players)}: {reason}" for reason, players in reasons.items()]

    def _alternatives(self) -> list[str]:
        e = self.e
        if e.alternatives is None:
            return []
        text = f"Complete pairings that the rules allow: {e.alternatives}"
        if e.without_colours is not None and e.without_colours != e.alternatives:
            text += f" ({e.without_colours} if colours barred nobody)"
        return ["", text]


def _told(steps: list[Step]) -> list[str]:
    """Return steps under the headings of their articles."""
    lines = []
    before = None
    for step in steps:
        if step.article != before:
            lines.append(f"  [{step.article}]")
            before = step.article
        if step.kind == "colour":
            pair = f"{shown(step.players[0])} - {shown(step.players[1])}"
            lines.append(f"    {pair}: {step.text}" if step.text else f"    {pair}")
        else:
            lines.append(f"    {step.text}")
    return lines
