"""Events from and to report files: notes, acceleration, absences, byes to come; the round trip."""

from __future__ import annotations

import pytest

import swisssim
from swisssim import Tournament, trf
from tests.trf_data import case, four, line, text


def event(name: str, *, system: str = "nordic", **settings: object) -> Tournament:
    return Tournament.from_trf(case(name), system=system, **settings)


def test_missing_number_of_rounds_says_which_record_to_add() -> None:
    report = trf.reads("\n".join(four()))
    with pytest.raises(swisssim.SwissError, match="add a record '142 n'"):
        Tournament.from_trf(report, system="nordic")
    assert Tournament.from_trf(report, system="nordic", total=3).rounds == 3
    with pytest.raises(swisssim.SwissError, match="total is 0; it must be a whole number from 1"):
        Tournament.from_trf(report, system="nordic", total=0)


def test_lenient_reading() -> None:
    with pytest.raises(trf.TrfError):
        event("O11_opponent_plus_Z")
    notes = event("O11_opponent_plus_Z", strict=False).notes
    assert any("read as a forfeit loss" in note for note in notes)


def test_baku_by_code_is_baku_by_250_records() -> None:
    by_code, explicit = event("O27b_baku_10_players_by_code"), event("O27_baku_10_players_explicit")
    values = {number: [*points, 0, 0, 0, 0] for number, points in by_code._virtual.items()}
    assert values == explicit._virtual
    assert any(
        "players up to number 6 have 1 virtual point in rounds 1-3 and 0.5 in rounds 4-5" in n for n in by_code.notes
    )


@pytest.mark.parametrize(("players", "group"), [(9, 6), (10, 6), (11, 6), (12, 6), (13, 8), (2, 2), (4, 2), (6, 4)])
def test_baku_group(players: int, group: int) -> None:
    rows = [line(number) for number in range(1, players + 1)]
    found = Tournament.from_trf(trf.reads(text(*rows, "142 3", "192 FIDE_DUTCH_2026_BAKU")), system="nordic")
    assert sorted(found._virtual) == list(range(1, group + 1))
    assert found._virtual[1] == [10, 5]


def test_baku_group_with_absent_players_and_late_entrants() -> None:
    rows = [line(number) for number in range(1, 10)]
    rows[1] = line(2, "0000 - Z")
    found = Tournament.from_trf(trf.reads(text(*rows, "142 9", "192 X_BAKU")), system="nordic")
    # eight are there in round 1, so four of them belong to the group, and number 2 stands above the last of these
    assert sorted(found._virtual) == [1, 2, 3, 4, 5]


def test_baku_needs_usual_points() -> None:
    rows = [line(number) for number in range(1, 5)]
    with pytest.raises(swisssim.SwissError, match="needs 1 point for a win"):
        Tournament.from_trf(trf.reads(text(*rows, "142 3", "162  W 3.0    D 1.0", "192 X_BAKU")), system="nordic")


def test_rank_order() -> None:
    rows = [line(number, rank=rank) for number, rank in ((1, 3), (2, 1), (3, 4), (4, 2))]
    found = Tournament.from_trf(trf.reads(text(*rows, "142 3", "XXC rank")), system="nordic")
    assert found._order == [2, 4, 1, 3]
    assert found.pair().boards == [(1, 2), (3, 4)]
    rows[0] = line(1)
    with pytest.raises(swisssim.SwissError, match="player 1 has none"):
        Tournament.from_trf(trf.reads(text(*rows, "142 3", "XXC rank")), system="nordic")


def test_initial_colour_from_round_1() -> None:
    rows = [line(1, "3 b 1"), line(2, "4 w 1"), line(3, "1 w 0"), line(4, "2 b 0")]
    found = Tournament.from_trf(trf.reads(text(*rows, "142 3")), system="amalfi")
    assert found.initial_colour == "black"
    assert "it follows from the colour of player 1 in round 1" in found.notes[-1]
    empty = Tournament.from_trf(trf.reads(text(*(line(n) for n in range(1, 5)), "142 3")), system="amalfi")
    assert empty.initial_colour == "white"
    assert "nothing in the file tells it" in empty.notes[-1]


def test_another_system_in_the_file_is_noted() -> None:
    rows = [line(n) for n in range(1, 5)]
    found = Tournament.from_trf(trf.reads(text(*rows, "142 3", "192 FIDE_DUTCH_2017")), system="nordic")
    assert found.notes == ["192 says FIDE_DUTCH_2017; the event is paired by 'nordic', as asked"]


def test_legacy_byes_of_several_players() -> None:
    rows = [line(1, "2 w 1"), line(2, "1 b 0"), line(3, "0000 - +"), line(4, "0000 - +")]
    found = Tournament.from_trf(trf.reads(text(*rows, "142 3")), system="nordic")
    assert found.pairing(1).bye is None
    assert found.pairing(1).absent == {3: "full", 4: "full"}
    assert any("read as a full-point bye" in note for note in found.notes)
    rows[2:] = [line(3, "0000 - U"), line(4, "0000 - U")]
    with pytest.raises(swisssim.SwissError, match="players 3 and 4 both have the pairing-allocated bye"):
        Tournament.from_trf(trf.reads(text(*rows, "142 3")), system="nordic")


def test_legacy_byes_of_several_players_keep_them_out_of_the_round_that_is_paired_again() -> None:
    rows = [line(1, "0000 - +"), line(2, "0000 - +"), line(3, "   4 w 1"), line(4, "   3 b 0"), line(5, "0000 - U")]
    pairing = Tournament.from_trf(trf.reads(text(*rows, "142 3")), system="nordic", rounds=0).pair()
    assert pairing.absent == {1: "full", 2: "full"}
    assert {player for board in pairing.boards for player in board} | {pairing.bye} == {3, 4, 5}


def test_byes_to_come_in_later_rounds() -> None:
    rows = [line(n) for n in range(1, 7)]
    found = Tournament.from_trf(trf.reads(text(*rows, "142 4", "240 H   2    3", "240 Z   2    4")), system="nordic")
    found.add_round({(1, 4): 1.0, (2, 5): 1.0, (3, 6): 1.0})
    found.withdraw(3)
    assert found.pair().absent == {3: "withdrawn", 4: "zero"}
    assert found.pair(absent={5: "full"}).absent == {3: "withdrawn", 4: "zero", 5: "full"}


def played(system: str = "amalfi") -> Tournament:
    """An event with everything: byes of all kinds, forfeits, a postponed game, withdrawal, virtual points, bans."""
    found = Tournament(
        [2100, 2000, 1900, 1800, 1700, 1600, 1500],
        5,
        system=system,
        initial_colour="black",
        points={"win": 3, "draw": 1, "bye": 2},
        virtual_points={1: [1, 1], 2: [1, 1, 0.5]},
        forbidden=[(1, 2), (3, 4, 2, 3)],
        names=[f"Player {k}" for k in range(1, 8)],
    )
    pairing = found.pair(absent={6: "half"})
    found.record(dict(zip(pairing.boards, [1.0, "+-", "postponed"], strict=True)))
    found.withdraw(2)
    pairing = found.pair(absent={5: "zero"})
    found.record(dict(zip(pairing.boards, ["--", (0.5, 0)], strict=False)))
    return found


def test_round_trip() -> None:
    first = played()
    written = trf.dumps(first.to_trf())
    again = Tournament.from_trf(trf.reads(written), system="amalfi")
    assert trf.dumps(again.to_trf()) == written
    assert again.points == first.points
    assert again.initial_colour == "black"
    assert again.pair().boards == first.pair().boards
    assert again.pair().bye == first.pair().bye
    assert [again.pairing(r).boards for r in (1, 2)] == [sorted(first.pairing(r).boards, key=min) for r in (1, 2)]


def test_report_says_what_it_is() -> None:
    report = played().to_trf()
    assert report.system == "CUSTOM_SWISS"
    assert report.headers["092"] == ["Individual: Swiss-System (swisssim amalfi)"]
    assert (report.rounds, report.initial_colour) == (5, "B")
    assert sorted(player.rank or 0 for player in report.players.values())[0] == 1
    assert report.acceleration == [
        trf.Acceleration(10, 1, 2, 1, 2),
        trf.Acceleration(5, 3, 3, 2, 2),
    ]
    assert [(item.players, item.first_round, item.last_round) for item in report.forbidden] == [
        ((1, 2), 1, 5),
        ((3, 4), 2, 3),
    ]


def test_o20_withdrawal_is_written_into_the_rounds_to_come() -> None:
    found = event("O12_sorted")
    before = found.to_trf()
    found.withdraw(4)
    report = trf.reads(trf.dumps(found.to_trf()))
    assert [report.entry(4, round).meaning for round in (1, 2, 3, 4)] == ["LOSS", "ZERO_BYE", "ZERO_BYE", "ZERO_BYE"]
    assert report.points_of(4) == before.points_of(4)
    again = Tournament.from_trf(report, system="nordic").pair()
    assert {player for board in again.boards for player in board} | {again.bye} - {None} == {1, 2, 3, 5}


def test_late_entrant_takes_a_number_in_pairing_order() -> None:
    found = Tournament([2000, 1900, 1800, 1700], 3, system="nordic", names=["A", "B", "C", "D"])
    found.record(dict.fromkeys(found.pair().boards, 0.5))
    found.add_player(1950, name="late")
    report = found.to_trf()
    assert [player.name for player in report.players.values()] == ["A", "late", "B", "C", "D"]
    again = Tournament.from_trf(trf.reads(trf.dumps(report)), system="nordic").pair()
    number = {1: 1, 2: 3, 3: 4, 4: 5, 5: 2}
    assert again.boards == [(number[a], number[b]) for a, b in found.pair().boards]


def test_file_that_is_read_and_written_keeps_what_it_says() -> None:
    rows = [line(1, "2 w W"), line(2, "1 b L"), line(3, "0000 - +"), line(4, "0000 - =")]
    source = text("012 Cup", "XYZ strange", *rows, "142 3", "152 W")
    written = trf.dumps(Tournament.from_trf(trf.reads(source), system="amalfi").to_trf())
    for part in ("012 Cup", "XYZ strange", "2 w W", "0000 - +", "0000 - ="):
        assert part in written


def test_rating_that_does_not_fit() -> None:
    with pytest.raises(swisssim.SwissError, match="player 1: rating 12000 does not fit"):
        Tournament([12000, 1900], 1, system="nordic").to_trf()


def test_pair_again_and_legality() -> None:
    found = event("O40_only_one_matching")
    assert found.round == 5
    assert found.illegal(1) == []
    boards = found.pairing(2).boards
    found.pair_again(2)
    assert found.pairing(2).boards == boards
    bad = Tournament([2000, 1900, 1800, 1700], 3, system="nordic")
    for _ in range(2):
        bad.add_round({(1, 2): 1.0}, bye=3, absent={4: "zero"})
    assert bad.illegal(1) == []
    assert bad.illegal(2) == ["1 - 2: they have met", "player 3 may not have the bye (again)"]


def test_scores_that_would_not_fit() -> None:
    rows = [line(n) for n in range(1, 5)]
    with pytest.raises(swisssim.SwissError, match=r"scores could reach 3999 points in 3 rounds"):
        Tournament.from_trf(trf.reads(text(*rows, "142 3", *["XXA    1 99.9"] * 40)), system="nordic")
    with pytest.raises(swisssim.SwissError, match=r"scores could reach 9999 points in 101 rounds"):
        Tournament([2000 - k for k in range(200)], 101, system="nordic", points={"win": 99})
