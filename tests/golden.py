"""Golden tournaments: loading them, and replaying them into the neutral event model round by round."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.reference import nordic
from tests.reference.event import Code, Event, Options, Pairing

FOLDER = Path(__file__).parent / "data" / "golden"
SYSTEMS = ("nordic", "amalfi", "regulated", "dutch2012")

ABSENCES = {"H": Code.HALF_BYE, "Z": Code.ZERO_BYE, "N": Code.ABSENT, "W": Code.ABSENT}


@dataclass(frozen=True)
class Arrival:
    """The result of a postponed game that came in: its round and board (from 1), and the result letter."""

    round: int
    board: int
    result: str


@dataclass(frozen=True)
class GoldenRound:
    """One round: what was known before it, what has to be answered, and what happened then."""

    round: int
    absent: dict[int, str]
    arrived: tuple[Arrival, ...]
    score: tuple[int, ...]
    """Pairing score in tenths of players 1..n."""
    colours: tuple[str, ...]
    no_bye: frozenset[int] | None
    """None for `nordic`, where only X matters."""
    floats: tuple[str, ...] | None
    """Float history, `dutch2012` only."""
    pairs: tuple[tuple[int, int], ...] | None
    """(white, black) in board order; None if no pairing exists."""
    bye: int | None
    results: str | None

    @property
    def pairing(self) -> Pairing | None:
        """The expected answer: boards in board order and bye, or None if no pairing exists."""
        return None if self.pairs is None else (list(self.pairs), self.bye)


@dataclass(frozen=True)
class GoldenTournament:
    """One golden tournament, and where it stands in its file."""

    name: str
    system: str
    ratings: tuple[int, ...]
    rounds: int
    options: Options
    option_names: frozenset[str]
    """The options that the file states; a system has no others."""
    round: tuple[GoldenRound, ...]

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.ratings)


def _round(data: dict) -> GoldenRound:  # type: ignore[type-arg]
    return GoldenRound(
        round=data["round"],
        absent={int(player): reason for player, reason in data["absent"].items()},
        arrived=tuple(Arrival(*arrival) for arrival in data["arrived"]),
        score=tuple(round(10 * score) for score in data["score"]),
        colours=tuple(data["colours"]),
        no_bye=frozenset(data["no_bye"]) if "no_bye" in data else None,
        floats=tuple(data["floats"]) if "floats" in data else None,
        pairs=None if data["pairs"] is None else tuple((white, black) for white, black in data["pairs"]),
        bye=data["bye"],
        results=data["results"],
    )


@cache
def tournaments(system: str) -> tuple[GoldenTournament, ...]:
    """Load the golden tournaments of a system.

    Parameters
    ----------
    system
        One of `SYSTEMS`.

    Returns
    -------
    tuple of GoldenTournament
        In the order of the file.
    """
    lines = (FOLDER / f"{system}.jsonl").read_text(encoding="utf-8").splitlines()
    loaded = []
    for number, line in enumerate(lines, start=1):
        data = json.loads(line)
        if data["players"] != len(data["ratings"]):
            raise ValueError(
                f"{system}.jsonl, line {number}: {data['players']} players, {len(data['ratings'])} ratings"
            )
        loaded.append(
            GoldenTournament(
                name=f"{system}-{number:02d}",
                system=data["system"],
                ratings=tuple(data["ratings"]),
                rounds=data["rounds"],
                options=Options(**data["options"]),
                option_names=frozenset(data["options"]),
                round=tuple(_round(item) for item in data["round"]),
            )
        )
    return tuple(loaded)


def replay(tournament: GoldenTournament) -> Iterator[tuple[Event, GoldenRound]]:
    """Yield the event as it stands before each golden round, continued from the golden pairing and results.

    The same event object goes on from round to round: use it before asking for the next round. What the file says
    about scores, colours and byes is compared with what the event model makes of the history.
    """
    event = Event(tournament.ratings, tournament.rounds, tournament.options)
    for golden in tournament.round:
        for arrival in golden.arrived:
            pairs = tournament.round[arrival.round - 1].pairs or ()
            event.arrive(arrival.round, pairs[arrival.board - 1][0], arrival.result)
        event.absent = {player: ABSENCES[reason] for player, reason in golden.absent.items()}
        check_history(tournament, event, golden)
        yield event, golden
        if golden.pairing is not None and golden.results is not None:
            event.record(golden.pairing, golden.results)


def check_history(tournament: GoldenTournament, event: Event, golden: GoldenRound) -> None:
    """Assert that the event model computes the scores, colours and byes that the file states."""
    where = f"{tournament.name}, round {golden.round}"
    assert event.round == golden.round, where
    if tournament.system == "nordic":
        score = tuple(nordic.pairing_score(event, p) for p in event.players)
        colours = tuple(nordic.colours(event, p) for p in event.players)
    else:
        score = tuple(event.score(p) for p in event.players)
        colours = tuple(event.colours(p) for p in event.players)
    assert score == golden.score, where
    assert colours == golden.colours, where
    if golden.no_bye is not None:
        no_bye = frozenset(p for p in event.players if may_not_have_bye(tournament.system, event, p))
        assert no_bye == golden.no_bye, where


def may_not_have_bye(system: str, event: Event, player: int) -> bool:
    """Tell whether the player may not get the bye; in `dutch2012` a half-point bye counts too (A2)."""
    half = system == "dutch2012" and any(entry.code == Code.HALF_BYE for entry in event.entries(player))
    return half or event.had_point_without_play(player)
