"""Explanations: what a trace says in words, with facts that hold; of rounds, boards and players."""

from __future__ import annotations

import itertools
import json
import random
import time

import pytest

import swisssim
from swisssim import Tournament
from swisssim.cli import run
from swisssim.explain import Explanation
from tests.trf_data import DATA, case

SYSTEMS = sorted(swisssim.SYSTEMS)
SOURCE = DATA / "dutch" / "d009_n13_r3.trf"


def explain(system: str, *, round: int = 3, **what: int) -> Explanation:
    return Tournament.from_trf(SOURCE, system=system).explain(round=round, **what)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_board_has_a_colour_and_every_player_a_place(system: str) -> None:
    event = Tournament.from_trf(SOURCE, system=system)
    for round in (1, 2, 3):
        answer = event.pair_again(round)
        found = event.explain(round=round)
        assert found.boards == answer.boards
        assert found.bye == answer.bye
        assert sorted(p for _, group in found.groups for p in group) == list(range(1, 14))
        coloured = [step.players for step in found.steps if step.kind == "colour"]
        assert sorted(coloured) == sorted(answer.boards)
        named = {player for step in found.steps if step.kind != "colour" for player in step.players}
        assert named >= set(range(1, 14))


@pytest.mark.parametrize("system", SYSTEMS)
def test_refusals_are_true(system: str) -> None:
    event = Tournament.from_trf(SOURCE, system=system)
    met = {frozenset(board) for round in (1, 2) for board in event.pairing(round).boards}
    for step in event.explain(round=3).steps:
        for refusal in step.refused:
            if refusal.reason.startswith("met in round") and step.kind == "pair":
                assert frozenset((step.players[0], refusal.player)) in met


@pytest.mark.parametrize("system", SYSTEMS)
def test_players_and_boards(system: str) -> None:
    whole = explain(system)
    for k, (white, black) in enumerate(whole.boards, start=1):
        board = explain(system, board=k)
        assert board.subject == f"board {k}"
        assert [facts.player for facts in board.players] == [white, black]
        assert all({white, black} & set(step.players) for step in board.steps)
        assert board.colour is not None
        player = explain(system, player=black)
        assert player.players == board.players
        assert {o.player for o in player.opponents} == set(range(1, 14)) - {black}
        assert next(o for o in player.opponents if o.player == white).possible
    bye = explain(system, player=whole.bye or 0)
    assert [facts.player for facts in bye.players] == [whole.bye]


@pytest.mark.parametrize("system", SYSTEMS)
def test_text_and_json(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["explain", str(SOURCE), "-s", system, "--round", "3", "--player", "5", "-q"]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Round 3 of 3, player 5, system {system} (")
    assert "Opponents that the rules allow" in text
    assert "{" not in text
    assert run([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data == explain(system, player=5).to_dict()
    assert data["subject"] == "player 5"


def test_nordic_in_words() -> None:
    text = explain("nordic").text
    for words in (
        "note: the recorded round differs, it has 1 - 3, 5 - 6",
        "in the group: 2, 5 (score 1.5)",
        "the group of 2 cannot be paired as it stands",
        "moved up: 4, 6",
        "8 - 13: White because of fewer Whites; 8 had WB, 13 had W",
        "in the group: 12, X (score 0)",
    ):
        assert words in text


def test_amalfi_in_words() -> None:
    text = explain("amalfi").text
    assert "not 13 (round 1: bye), 11 (round 2: bye); the bye goes to 12" in text
    assert "2: not 5 (met in round 2); takes 4 (position 3; the search begins at position 4, player 5)" in text


def test_regulated_in_words() -> None:
    text = explain("regulated").text
    assert "residents, paired downward: 2, 5 (score 1.5)" in text
    assert "5 goes before 2: by score and number (A.4)" in text
    assert "residents of the median: 4, 6, 7, 8, 9, 11, 13 (score 1)" in text
    floats = [line.strip() for line in played("regulated", seed=13).explain().text.splitlines() if "float" in line]
    assert "7 cannot float: one more player would be left over then" in floats
    assert "3 goes before 2: he has not floated into the group (A.1)" in floats
    assert (
        "4 goes before 8: he is due the colour that more players are due (A.3)"
        in played("regulated", seed=13).explain().text
    )


def played(system: str, *, seed: int, players: int = 8, rounds: int = 3) -> Tournament:
    """An event with random results."""
    lot = random.Random(seed)
    event = Tournament([2000 - 10 * k for k in range(players)], players - 1, system=system)
    for _ in range(rounds):
        event.record({board: lot.choice([0.0, 0.5, 1.0]) for board in event.pair().boards})
    return event


def test_alternatives_are_counted_right() -> None:
    """Against a count of all perfect matchings one by one."""
    event = Tournament([2000 - 10 * k for k in range(8)], 6, system="amalfi")
    for _ in range(4):
        pairing = event.pair()
        event.record(dict.fromkeys(pairing.boards, 0.5))
        met = {frozenset(b) for r in range(1, event.round) for b in event.pairing(r).boards}
        unmet = sum(all(frozenset(pair) not in met for pair in pairs) for pairs in matchings(list(range(1, 9))))
        found = event.explain()
        assert found.without_colours == unmet
        assert found.alternatives is not None
        assert 0 < found.alternatives <= unmet
    assert len(list(matchings(list(range(8))))) == 105


def matchings(players: list[int]) -> itertools.chain[list[tuple[int, int]]]:
    if not players:
        return itertools.chain([[]])
    first, rest = players[0], players[1:]
    return itertools.chain.from_iterable(
        ([(first, other), *more] for more in matchings([p for p in rest if p != other])) for other in rest
    )


def test_no_count_in_a_large_field() -> None:
    event = Tournament([2000 - k for k in range(80)], 5, system="nordic")
    found = event.explain(player=1)
    assert found.alternatives is None
    assert len(found.opponents) == 79


def test_round_without_a_pairing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", str(case("O02_six_players_exhausted")), "-s", "nordic"]) == 1
    text = capsys.readouterr().out
    assert "There is no pairing: round 4: no legal pairing exists" in text
    assert "2: not 4 (met in round 3), 5 (met in round 1), 6 (met in round 2)" in text
    assert "Complete pairings that the rules allow: 0" in text


def test_absent_player_and_open_pairing() -> None:
    event = Tournament([2000 - 10 * k for k in range(6)], 3, system="nordic")
    event.pair(absent={2: "half", 5: "zero"})
    found = event.explain(player=2)
    assert found.notes == ["player 2 is not in the field: half"]
    assert "(not paired)" in found.text
    assert {p for board in found.boards for p in board} == {1, 3, 4, 6}
    assert {p for board in event.explain(absent={}).boards for p in board} == {1, 2, 3, 4, 5, 6}


def test_forbidden_pair_is_named() -> None:
    event = Tournament([2000 - 10 * k for k in range(4)], 3, system="amalfi", forbidden=[(1, 4)])
    assert "1: not 4 (must not meet); takes 3" in event.explain().text


def test_colours_that_bar_a_pair_are_named() -> None:
    text = played("amalfi", seed=9, players=7, rounds=4).explain().text
    assert "7: not 2 (colours: -BWW and B-WW); takes 1" in text
    assert "Complete pairings that the rules allow: 3 (5 if colours barred nobody)" in text


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"round": 5}, "round is 5; explained can be rounds 1 to 3"),
        ({"board": 99}, "round 3 has no board 99; it has 6"),
        ({"player": 14}, "there is no player 14"),
        ({"board": 1, "player": 1}, "explain one or the other"),
    ],
)
def test_what_cannot_be_explained(what: dict[str, int], message: str) -> None:
    with pytest.raises(swisssim.SwissError, match=message):
        Tournament.from_trf(SOURCE, system="nordic").explain(**what)


def test_explaining_a_large_round_takes_no_quadratic_time_in_python() -> None:
    event = Tournament([3000 - 0.1 * k for k in range(4000)], 5, system="amalfi")
    event.record(dict.fromkeys(event.pair().boards, 0.5))
    start = time.process_time()
    found = event.explain()
    assert time.process_time() - start < 5.0
    assert len(found.boards) == 2000
