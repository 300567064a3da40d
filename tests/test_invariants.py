"""The invariant checker: it accepts every golden round and every twin, and sees each kind of fault."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests import golden
from tests.adapters import arrays_from_event, check_arrays, rounds_from_arrays
from tests.invariants import check_round, violations
from tests.reference import amalfi, nordic, random_events, regulated
from tests.reference.event import Board, Code, Event, Options, PairFunction

TWINS: dict[str, PairFunction] = {"nordic": nordic.pair, "amalfi": amalfi.pair, "regulated": regulated.pair}
EVENTS = 150


def event_after(*rounds: tuple[list[Board], int | None, str], players: int = 4, of: int = 7) -> Event:
    """Return an event with these rounds: boards, bye, result letters."""
    event = Event([2400 - 10 * i for i in range(players)], of)
    for boards, bye, results in rounds:
        event.record((boards, bye), results)
    return event


@pytest.mark.parametrize("system", golden.SYSTEMS)
def test_golden_rounds_keep_the_invariants(system: str) -> None:
    checked = 0
    for tournament in golden.tournaments(system):
        for event, expected in golden.replay(tournament):
            if expected.pairing is not None:
                check_round(event, *expected.pairing, system=system)
                checked += 1
    assert checked > 200


@pytest.mark.parametrize("system", TWINS)
def test_twins_keep_the_invariants_on_random_events(system: str) -> None:
    rounds = stopped = 0
    for seed in range(EVENTS):
        for event, pairing in random_events.play(TWINS[system], seed):
            if pairing is None:
                stopped += 1
            else:
                check_round(event, *pairing, system=system)
            rounds += 1
    assert rounds > 3 * EVENTS
    assert stopped < EVENTS / 2


def test_random_events_are_reproducible_and_differ() -> None:
    def history(seed: int) -> list[tuple[object, ...]]:
        return [
            (pairing, dict(event.absent), [event.colours(p) for p in event.players])
            for event, pairing in random_events.play(nordic.pair, seed)
        ]

    assert history(3) == history(3)
    assert history(3) != history(4)


def test_random_events_bring_everything_an_event_can_bring() -> None:
    codes: set[Code] = set()
    absences: set[Code] = set()
    arrived = 0
    for seed in range(EVENTS):
        event = None
        for event, _ in random_events.play(amalfi.pair, seed):
            absences |= set(event.absent.values())
        assert event is not None
        entries = [entry for entries in event.history for entry in entries]
        codes |= {entry.code for entry in entries}
        arrived += sum(entry.arrived > 0 for entry in entries)
    assert codes == set(Code)
    assert absences == {Code.ABSENT, Code.HALF_BYE, Code.FULL_BYE, Code.ZERO_BYE}
    assert arrived > 0


def test_everybody_is_paired_once() -> None:
    event = event_after()
    assert violations(event, [(1, 2)], None, system="lottery") == [
        "player 3 is paired 0 times instead of 1",
        "player 4 is paired 0 times instead of 1",
    ]
    assert violations(event, [(1, 2), (1, 3), (4, 3)], None, system="lottery") != []
    assert violations(event, [(1, 2), (3, 5)], None, system="lottery") == ["there is no player 5"]
    event.absent = {4: Code.HALF_BYE, 3: Code.ABSENT}
    assert violations(event, [(1, 2), (3, 4)], None, system="lottery") != []
    check_round(event, [(1, 2)], None, system="lottery")


def test_rematch_forfeit_and_forbidden_pair() -> None:
    event = event_after(([(1, 2), (3, 4)], None, "+="))
    assert violations(event, [(1, 2), (4, 3)], None, system="lottery") == ["4 and 3 have met"]
    strict = Options(forfeits_count_as_met=True)
    assert len(violations(event, [(1, 2), (4, 3)], None, system="lottery", options=strict)) == 2
    check_round(event, [(1, 3), (2, 4)], None, system="lottery")
    event.forbidden = {frozenset({1, 3})}
    assert violations(event, [(1, 3), (2, 4)], None, system="lottery") == ["1-3 is a forbidden pair"]


def test_postponed_game_has_been_met() -> None:
    event = event_after(([(1, 2), (3, 4)], None, "pp"))
    assert len(violations(event, [(2, 1), (4, 3)], None, system="lottery")) == 2


def test_bye_needs_an_odd_field_and_a_player_who_may_have_it() -> None:
    event = event_after(([(1, 2)], 3, "="), players=3)
    assert violations(event, [(1, 2)], 3, system="lottery") != []
    assert violations(event, [(1, 3)], 2, system="lottery") == []
    assert violations(event, [(1, 3)], None, system="lottery") != []
    even = event_after()
    assert violations(even, [(1, 2), (3, 4)], 4, system="lottery") != []


@pytest.mark.parametrize(
    ("code", "barred"),
    [
        (Code.PAIRING_BYE, {"nordic", "amalfi", "regulated", "dutch2012", "dutch", "lottery"}),
        (Code.FULL_BYE, {"amalfi", "regulated", "dutch2012", "dutch", "lottery"}),
        (Code.FORFEIT_WIN, {"amalfi", "regulated", "dutch2012", "dutch", "lottery"}),
        (Code.FORFEIT_LOSS, set()),
        (Code.HALF_BYE, {"dutch2012"}),
        (Code.ZERO_BYE, set()),
        (Code.ABSENT, set()),
    ],
)
def test_who_may_not_have_the_bye(code: Code, barred: set[str]) -> None:
    event = event_after(([(1, 2)], 3, "="), players=3)
    event.history[0][2].code = code
    for system in ("nordic", "amalfi", "regulated", "dutch2012", "dutch", "lottery"):
        found = violations(event, [(2, 1)], 3, system=system)
        assert any("gets the bye after" in fault for fault in found) == (system in barred), system


THREE_WHITES = [([(1, 4), (2, 3)], None, "=="), ([(1, 3), (2, 4)], None, "==")]
"""After these rounds 1 and 2 have had White twice, 3 and 4 Black twice."""


@pytest.mark.parametrize("system", ["amalfi", "regulated", "dutch2012", "dutch"])
def test_third_identical_colour_in_a_row(system: str) -> None:
    event = event_after(*THREE_WHITES)
    assert violations(event, [(1, 2), (3, 4)], None, system=system) != []


@pytest.mark.parametrize("system", ["nordic", "lottery"])
def test_third_identical_colour_where_no_limit_exists(system: str) -> None:
    assert violations(event_after(*THREE_WHITES), [(1, 2), (3, 4)], None, system=system) == []


def test_colour_limits_in_the_last_round_and_switched_off() -> None:
    last = event_after(*THREE_WHITES, of=3)
    assert violations(last, [(1, 2), (3, 4)], None, system="amalfi") == []
    assert violations(last, [(1, 2), (3, 4)], None, system="regulated") == []
    off = replace(event_after(*THREE_WHITES), options=Options(colour_limits=False))
    assert violations(off, [(1, 2), (3, 4)], None, system="regulated") == []


def test_regulated_keeps_the_limits_in_the_last_round_where_it_can() -> None:
    event = event_after(
        ([(1, 6), (2, 5), (4, 3)], None, "==="), ([(1, 5), (6, 2), (3, 4)], None, "==="), players=6, of=3
    )
    assert violations(event, [(1, 2), (3, 5), (4, 6)], None, system="regulated") != []
    assert violations(event, [(2, 1), (5, 3), (4, 6)], None, system="regulated") == []


def test_top_scorers_of_the_last_round_may_get_the_wrong_colour() -> None:
    event = event_after(([(1, 4), (2, 3)], None, "11"), ([(1, 3), (2, 4)], None, "1="), of=3)
    for system in ("dutch", "dutch2012"):
        found = violations(event, [(1, 2), (3, 4)], None, system=system)
        assert not any("1-2" in fault for fault in found), "1 and 2 have more than half of the points"
        assert any("3-4" in fault for fault in found)


def test_nordic_gives_white_to_the_player_with_fewer_whites() -> None:
    event = event_after(([(1, 2)], 3, "="), players=3)
    assert violations(event, [(3, 2)], 1, system="nordic") != []
    assert violations(event, [(2, 3)], 1, system="nordic") == []


@pytest.mark.parametrize("system", ["regulated", "dutch2012", "dutch", "amalfi"])
def test_board_order(system: str) -> None:
    event = event_after(([(1, 3), (2, 4)], None, "0="))
    assert any("not in order" in fault for fault in violations(event, [(4, 1), (3, 2)], None, system=system))
    assert violations(event, [(3, 2), (4, 1)], None, system=system) == []


def test_unknown_system_is_named() -> None:
    with pytest.raises(ValueError, match="unknown system 'monrad'"):
        violations(event_after(), [], None, system="monrad")


@pytest.mark.parametrize("system", TWINS)
def test_arrays_and_back(system: str) -> None:
    facts: list[Callable[[Event], object]] = [
        lambda event: event.absent,
        lambda event: [event.score(p) for p in event.players],
        lambda event: [event.colours(p) for p in event.players],
        lambda event: event.history,
        lambda event: event.last_round,
    ]
    for seed in range(40):
        known, pairings, event = [], [], None
        for event, pairing in random_events.play(TWINS[system], seed):
            if pairing is not None:
                known.append([repr(fact(event)) for fact in facts])
                pairings.append(pairing)
        assert event is not None
        arrays: dict[str, Any] = {name: array[0, : len(pairings)] for name, array in arrays_from_event(event).items()}
        assert arrays["score"].tolist() == event.past_scores
        del arrays["score"]
        rebuilt = list(rounds_from_arrays(**arrays, ratings=event.ratings, rounds=event.rounds, options=event.options))
        assert [pairing for _, pairing in rebuilt] == pairings
        assert [[repr(fact(then)) for fact in facts] for then, _ in rebuilt] == known
        more: dict[str, Any] = {"rounds": event.rounds, "options": event.options}
        assert check_arrays(**arrays, ratings=event.ratings, system=system, **more) == len(pairings)
