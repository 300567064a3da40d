"""Facts that belong to a step and stand in no trace: scores of a group, colours of a pair, the place where a search begins."""

from __future__ import annotations

from dataclasses import replace

from swisssim.explain._facts import Position
from swisssim.explain._steps import Step, shown


def with_facts(steps: list[Step], position: Position) -> list[Step]:
    """Return the steps with the facts that they rest on in their texts."""
    return [replace(step, text=_REMARKS.get(step.kind, _plain)(step, position)) for step in steps]


def _plain(step: Step, position: Position) -> str:
    return step.text


def _group(step: Step, position: Position) -> str:
    """A group with its scores."""
    scores = {number: position.score(number) for number in step.players if number}
    if not scores:
        return step.text
    if len(set(scores.values())) == 1:
        return f"{step.text} (score {next(iter(scores.values())):g})"
    return f"{step.text} (scores {', '.join(f'{score:g}' for score in scores.values())})"


def _colour(step: Step, position: Position) -> str:
    """A colour with what both had before."""
    before = [
        f"{shown(n)} had {colours}"
        for n in step.players
        if n and (colours := position.facts(n).colours.replace("-", ""))
    ]
    return f"{step.text}{'; ' * bool(step.text and before)}{', '.join(before)}"


def _pair(step: Step, position: Position) -> str:
    """In `amalfi` the search begins as many positions further down as rounds are left."""
    if position.system.name != "amalfi" or not step.chosen:
        return step.text
    place = position.seated[step.chosen[0]]
    target = min(place + position.rounds - position.round + 1, len(position.seated) - 1)
    # the player with the bye, if he stands before, moves the others up by one
    aim = next(number for number in position.ranked[target : target + 2] if position.seated.get(number) == target)
    return f"{step.text} (position {place + 1}; the search begins at position {target + 1}, player {aim})"


_REMARKS = {"group": _group, "undo": _plain, "colour": _colour, "pair": _pair}
