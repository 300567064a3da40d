"""The needs of users that concern reading and writing report files, one test for each, named after it."""

from __future__ import annotations

import re

import pytest

from swisssim import trf
from tests.trf_data import case, expected, four, line, text


def read(name: str, *, strict: bool = True) -> trf.Report:
    return trf.read(case(name), strict=strict)


def codes(report: trf.Report, number: int) -> list[str]:
    return [entry.meaning for entry in report.players[number].rounds]


def test_o04_second_bye_to_the_same_player_because_the_first_was_coded_f() -> None:
    assert codes(read("O04a_second_bye_U"), 5) == ["PAIRING_BYE", "LOSS"]
    assert codes(read("O04b_second_bye_F"), 5) == ["FULL_BYE", "LOSS"]


def test_o05_forfeits_are_not_played() -> None:
    report = read("O05_forfeits_no_colour")
    played = {number: [entry.played for entry in player.rounds] for number, player in report.players.items()}
    assert played == {1: [False, False], 2: [False, False], 3: [False, False], 4: [False, False]}
    assert codes(report, 2) == ["FORFEIT_WIN", "FORFEIT_LOSS"]
    assert report.rounds_played == 2
    assert all(entry.played for player in read("O05b_same_but_played").players.values() for entry in player.rounds)


def test_o06_round_1_absentees() -> None:
    report = read("O06_round1_absentees_colours")
    assert report.initial_colour == "B"
    assert report.rounds_played == 0
    assert {number: entry.meaning for number, entry in report.announced().items()} == {1: "ZERO_BYE", 9: "ZERO_BYE"}


def test_o07_absences_by_xxz_by_column_and_by_240_are_the_same() -> None:
    found = [
        trf.reads(text(*lines)).announced()
        for lines in (
            [*four(), line(5, "0000 - U"), "XXZ 2 4"],
            [*four(), line(5, "0000 - U"), "240 Z   2    2    4"],
            [
                line(1, "3 w 1"),
                line(2, "4 b 1", "0000 - Z"),
                line(3, "1 b 0"),
                line(4, "2 w 0", "0000 - z"),
                line(5, "0000 - U"),
            ],
        )
    ]
    assert found[0] == found[1] == found[2]
    assert found[0].keys() == {2, 4}
    assert "record 'XXY' is not known" in str(trf.reads(text(*four(), "XXY 1")).warnings[0])


def test_o09_half_point_bye_to_come_inside_the_points_or_not() -> None:
    without, within = read("O09a_hpb_not_in_points"), read("O09b_hpb_in_points")
    assert without.announced() == within.announced() == {1: trf.RoundEntry(0, "-", "H")}
    assert [without.points_of(number) for number in range(1, 6)] == [within.points_of(number) for number in range(1, 6)]
    assert without.warnings == []
    assert [str(remark) for remark in within.warnings] == [
        "line 3, columns 81-84: player 1: points 1.5 include the bye (H) announced for round 2 (the results of 1 round give 1.0)"
    ]


@pytest.mark.parametrize("strict", [True, False])
def test_o10_0000_w_without_result(strict: bool) -> None:
    with pytest.raises(trf.TrfError) as caught:
        read("O10_0000_w_without_result", strict=strict)
    message = str(caught.value)
    assert message.startswith(str(case("O10_0000_w_without_result")))
    for part in expected("O10_0000_w_without_result")["expected"]["error"].split(", "):
        assert part in message
    assert "player 1, round 1" in message
    assert (caught.value.line, caught.value.columns, caught.value.player, caught.value.round) == (3, (92, 99), 1, 1)


def test_o11_opponent_plus_z() -> None:
    with pytest.raises(trf.TrfError, match=r"line 6, columns 92-99: player 4, round 1: .*'   2 w Z'.*result Z"):
        read("O11_opponent_plus_Z")
    report = read("O11_opponent_plus_Z", strict=False)
    assert [report.entry(number, 1).meaning for number in (2, 4)] == ["FORFEIT_WIN", "FORFEIT_LOSS"]
    remarks = [str(remark) for remark in report.warnings]
    assert re.search("line 6, columns 92-99: player 4, round 1: .*read as a forfeit loss", remarks[1])
    assert "player 2, round 1" in remarks[0]


def test_o12_player_lines_not_sorted() -> None:
    assert read("O12_unsorted") == read("O12_sorted")


def test_o13_superfluous_empty_block() -> None:
    report = read("O13_superfluous_round")
    assert report.rounds_played == 1
    assert {number: entry.meaning for number, entry in report.announced().items()} == {4: "ZERO_BYE"}
    blanks = trf.reads(text(*(row.ljust(121) for row in four())))
    assert blanks.rounds_played == 1
    assert blanks.announced() == {}


def test_o14_header_codes_used_for_other_purposes() -> None:
    header = ["022 https://example.org/x", "042 Dec 10, 2020", "102 https://example.org", "062 many", "132 whenever"]
    lines = text(*header) + case("O12_sorted").read_text()
    report = trf.reads(lines)
    assert report.players == read("O12_sorted").players
    assert report.headers["042"] == ["Dec 10, 2020"]
    assert trf.dumps(report) == lines
    remarks = [str(remark) for remark in report.warnings]
    assert len(remarks) == 4
    assert "line 2, columns 5-16: date of start (042) 'Dec 10, 2020' is not of the form YYYY/MM/DD" in remarks


def test_o15_rank_column_blank() -> None:
    rows = case("O12_sorted").read_text().splitlines()
    report = trf.reads(text(*(row[:85] + "    " + row[89:] if row.startswith("001") else row for row in rows)))
    assert [player.rank for player in report.players.values()] == [None] * 5
    assert [player.points for player in report.players.values()] == [10, 10, 0, 0, 10]
    assert report.warnings == []


def test_o16_field_maps() -> None:
    name = "Müller-Lüdenscheidt, Anna-Katharina-Sofia"
    assert len(name) == 41
    start = f"001    1 w  wg {name}"
    rows = [
        "092 type",
        "102 chief",
        "112 deputy",
        "122 time",
        start,
        line(2, "0000 - h", title="GM", sex="f", rating="0"),
        line(3, "0000 - f", title="g", sex="u", rating=""),
        line(4, "5 - -", "0000 - z"),
        line(5, "4 - +", "0000 - u"),
        line(6, "7 w w", "8 w d"),
        line(7, "6 b l"),
        line(8, "", "6 b d"),
    ]
    report = trf.reads(text(*rows))
    assert {code: report.headers[code] for code in ("092", "102", "112", "122")} == {
        "092": ["type"],
        "102": ["chief"],
        "112": ["deputy"],
        "122": ["time"],
    }
    one, two, three = (report.players[number] for number in (1, 2, 3))
    assert (one.name, one.sex, one.title, one.rating) == (name, "w", "wg", None)
    assert (two.sex, two.title, two.rating, two.rounds[0].code) == ("f", "GM", 0, "H")
    assert (three.sex, three.title, three.rating, three.rounds[0].code) == ("u", "g", None, "F")
    assert [entry.code for number in (4, 5, 6, 7) for entry in report.players[number].rounds] == list("-Z+UWDL")
    assert report.entry(4, 1).colour == "-"
    assert trf.dumps(report) == text(*rows)
    with pytest.warns(trf.TrfWarning, match="cut to 33"):
        anew = trf.reads(trf.dumps(report, verbatim=False))
    one.name = name[:33]
    assert anew == report


def test_o17_rating_above_9999() -> None:
    with pytest.raises(trf.TrfError) as caught:
        read("O17_rating_over_9999")
    assert expected("O17_rating_over_9999")["expected"]["error"] in str(caught.value)
    assert "line 3, columns 49-53: player 1" in str(caught.value)
    left = line(1, rating="").ljust(89)
    with pytest.raises(trf.TrfError, match=r"columns 48-52: player 1: rating out of range 0\.\.9999: '12345'"):
        trf.reads(text(left[:47] + "12345" + left[52:]))


def test_o18_announced_zero_point_bye() -> None:
    assert read("O18_zpb_not_paired").announced() == {3: trf.RoundEntry(0, "-", "Z")}


def test_o19_late_entrant() -> None:
    told, blank = read("O19_late_entrant"), read("O19b_late_entrant_blank")
    for report in (told, blank):
        assert report.rounds_played == 2
        assert report.announced() == {}
        assert report.points_of(5) == 0
        assert {report.entry(5, round).meaning for round in (1, 2)} <= {"ZERO_BYE", "ABSENT"}
    # One result in round 3 stays in the column of round 3, however short the line was.
    blank.players[4].rounds.append(trf.RoundEntry(5, "b", "0"))
    blank.players[5].rounds += [trf.RoundEntry(), trf.RoundEntry(), trf.RoundEntry(4, "w", "1")]
    assert trf.dumps(blank).splitlines()[-1][91:] == " " * 20 + "   4 w 1"
    assert trf.reads(trf.dumps(blank)).players == blank.players


def test_o20_withdrawal_stays_in_its_round() -> None:
    report = read("O25_drop_after_result")
    assert codes(report, 4) == ["LOSS", "ZERO_BYE"]
    assert trf.reads(trf.dumps(report, verbatim=False)) == report
    assert report.points_of(4) == 0
    wrong = case("O25_drop_after_result").read_text().replace("   2 w 0  0000 - Z", "0000 - Z")
    with pytest.raises(
        trf.TrfError, match=r"player 2, round 1: opponent 4, but player 4 \(line 6\) has no opponent in round 1"
    ):
        trf.reads(wrong)


def test_o23_requested_byes() -> None:
    assert read("O23_five_players_one_requested_bye").announced().keys() == {3}
    assert read("O23b_five_players_four_byes").announced().keys() == {1, 2, 3, 4}


def test_o25_drop_after_a_round() -> None:
    report = read("O25_drop_after_result")
    assert report.rounds_played == 1
    assert report.announced().keys() == {4}


def test_o26_forbidden_pairs_with_a_range_of_rounds() -> None:
    always, later = read("O26a_siblings_xxp"), read("O26b_siblings_260_later_rounds")
    assert [always.forbidden_pairs(round) for round in (1, 2, 3)] == [{(1, 3)}] * 3
    assert [later.forbidden_pairs(round) for round in (1, 2, 3, 4)] == [set(), {(1, 3)}, {(1, 3)}, set()]


def test_o27_acceleration() -> None:
    explicit = read("O27_baku_10_players_explicit")
    assert [explicit.virtual_points(6, round) for round in (1, 3, 4, 5, 6)] == [10, 10, 5, 5, 0]
    assert [explicit.virtual_points(7, round) for round in (1, 4)] == [0, 0]
    assert read("O27b_baku_10_players_by_code").system == "FIDE_DUTCH_2025_BAKU"


def test_o39_unknown_result_is_flagged_and_no_draw_or_loss() -> None:
    report = trf.reads(text(line(1, "2 w ?"), line(2, "1 b ?")))
    assert report.entry(1, 1).meaning == "POSTPONED"
    assert len(report.warnings) == 2
    assert "player 1, round 1: no result against player 2 yet" in str(report.warnings[0])
