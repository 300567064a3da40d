"""Writing report files: round trips to the byte, changes in their place, reports from scratch."""

from __future__ import annotations

from io import BytesIO, StringIO
from pathlib import Path

import pytest

from swisssim import trf
from tests.trf_data import CASES, GOLDEN, REFUSED, four, line, text


@pytest.mark.parametrize("path", GOLDEN + CASES, ids=lambda path: path.stem)
def test_round_trip_to_the_byte(path: Path, tmp_path: Path) -> None:
    if path.stem in REFUSED - {"O11_opponent_plus_Z"}:
        return
    report = trf.read(path, strict=path.stem not in REFUSED)
    if path.stem not in REFUSED:
        trf.write(report, tmp_path / "copy.trf")
        assert (tmp_path / "copy.trf").read_bytes() == path.read_bytes()
    anew = trf.dumps(report, verbatim=False)
    assert trf.reads(anew) == report
    if path.stem not in REFUSED:
        # These files are in the columns of the standard, so the player lines come out the same when they are written anew.
        assert [row for row in anew.splitlines() if row.startswith("001")] == [
            next(row for row in path.read_text().splitlines() if row.startswith(f"001 {number:4}"))
            for number in report.players
        ]


EVERYTHING = text(
    "### made by hand",
    "012 Open of Örebro",
    "022 Örebro",
    "032 SWE",
    "042 2026/01/02",
    "052 2026/01/05",
    "062 5",
    "072 4",
    "082 0",
    "092 Swiss",
    "102 Somebody",
    "112 First Deputy",
    "112 Second Deputy",
    "122 90 min",
    "132" + " " * 88 + "26/01/02  26/01/03",
    "",
    "XXC rank",
    line(5, "0000 - U", name="Noether, Emmy", sex="w", title="g", rating="", points="1.0"),
    line(1, "3 w 1", "0000 - h", title="GM", federation="SWE", fide_id="1700000", birth="1990/00/00", rank="1"),
    line(2, "4 b l"),
    line(3, "1 b 0"),
    line(4, "2 w w"),
    "013 Blue                                1    2",
    "142 5",
    "152 W",
    "162  W 3.0    D 1.0    P 1.5",
    "172 rating",
    "182 swisssim",
    "192 FIDE_DUTCH_2026",
    "202 BH/C1",
    "212 SB",
    "222 5400+30",
    "240 H   3    2    3",
    "250       1.0   1   2    1    3",
    "260   1   2    1    2",
    "299 something",
    "310 a team",
    "NOR   1 1500",
    "352 W",
    "XXA    4  0.5  0.5",
    "XXP 3 4",
    "XXZ 4",
    "   ",
    "999 unknown",
    "### the end",
)


def test_everything_in_one_file() -> None:
    report = trf.reads(EVERYTHING)
    assert trf.dumps(report) == EVERYTHING
    anew = trf.dumps(report, verbatim=False)
    again = trf.reads(anew)
    assert again == report
    assert trf.dumps(again, verbatim=False) == anew
    assert sorted(row[:3] for row in anew.splitlines()) == sorted(
        row[:3] for row in EVERYTHING.split("\n") if row.strip()
    )
    assert report.headers["112"] == ["First Deputy", "Second Deputy"]
    assert report.name == "Open of Örebro"
    assert report.players[1].rounds[1] == trf.RoundEntry(0, "-", "H")
    assert report.players[5].title == "g"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_new_result_changes_its_lines_only(end: str) -> None:
    lines = ["012 Open", *four(), "### kept", "142 5", "777 kept"]
    report = trf.reads(text(*lines, end=end))
    for number, entry in ((1, "4 w 1"), (4, "1 b 0")):
        opponent, colour, code = entry.split()
        report.players[number].rounds.append(trf.RoundEntry(int(opponent), colour, code))
    lines[1] = line(1, "3 w 1", "4 w 1")
    lines[4] = line(4, "2 w 0", "1 b 0")
    assert trf.dumps(report) == text(*lines, end=end)


def test_changes_stand_where_the_old_lines_stood() -> None:
    report = trf.reads(EVERYTHING)
    report.rounds = 7
    report.initial_colour = "B"
    report.points = trf.PointSystem()
    report.headers["022"] = ["Stockholm"]
    report.byes.append(trf.ByeRequest("F", 3, (5,)))
    report.forbidden.pop(0)
    report.system = ""
    report.comments.append("### one more")
    wanted = (
        EVERYTHING.replace("142 5", "142 7")
        .replace("152 W", "152 B")
        .replace("XXC rank", "XXC rank black1")
        .replace("162  W 3.0    D 1.0    P 1.5\n", "")
        .replace("022 Örebro", "022 Stockholm")
        .replace("XXZ 4\n", "XXZ 4\n240 F   3    5\n")
        .replace("260   1   2    1    2\n", "")
        .replace("192 FIDE_DUTCH_2026\n", "")
        .replace("### the end\n", "### the end\n### one more\n")
    )
    assert trf.dumps(report) == wanted
    assert trf.reads(wanted) == report


def test_players_come_and_go() -> None:
    report = trf.reads(text("XXR 3", line(1), line(2), "XXC white1"))
    del report.players[1]
    report.players[3] = trf.PlayerRecord(3, name="Late", rating=1500)
    report.rounds = 4
    assert trf.dumps(report) == text("XXR 4", line(2), line(3, name="Late", rating="1500"), "XXC white1")


def test_new_lines_follow_a_last_line_without_an_end() -> None:
    report = trf.reads(text(*four()).rstrip("\n"))
    assert trf.dumps(report) == text(*four()).rstrip("\n")
    report.rounds = 5
    assert trf.dumps(report) == text(*four(), "142 5")


def test_shifted_lines_are_written_in_the_standard_columns() -> None:
    wide = line(1, "2 w 1", name="Müller", points="1.0", rank="1")
    report = trf.reads(text(wide[:46] + wide[47:], line(2, "1 b 0")))
    assert trf.dumps(report, verbatim=False) == text(wide, line(2, "1 b 0"))


def test_names_are_cut_with_a_warning() -> None:
    name = "Müller-Lüdenscheidt, Anna-Katharina-Sofia"
    report = trf.new_report([trf.PlayerRecord(1, name=name, rating=2000), trf.PlayerRecord(2, name="B")])
    with pytest.warns(trf.TrfWarning, match="player 1: name .* has 41 characters and is cut to 33"):
        data = trf.dumps(report)
    assert trf.reads(data).players[1].name == name[:33]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"number": 10000}, "player 10000: number '10000' can't be written; expected at most 4 characters"),
        ({"rating": 10000}, "rating '10000' can't be written"),
        ({"rating": -1}, "rating -1 can't be written; expected no negative number"),
        ({"federation": "Germany"}, "federation 'Germany' can't be written; expected at most 3 characters"),
        ({"points": 10000}, "points '1000.0' can't be written"),
        ({"name": "A\nB"}, "expected one line"),
        ({"rounds": [trf.RoundEntry(2, "w", "X")]}, "player 1: round 1: entry"),
        ({"rounds": [trf.RoundEntry(2, "W", "1")]}, "a colour w b or -"),
    ],
)
def test_what_cannot_be_written(changes: dict[str, object], message: str, tmp_path: Path) -> None:
    player = trf.PlayerRecord(1, name="A")
    for field, value in changes.items():
        setattr(player, field, value)
    report = trf.Report(players={player.number: player})
    with pytest.raises(trf.TrfError) as caught:
        trf.write(report, tmp_path / "none.trf")
    assert message.replace("player 1: round 1: ", "player 1, round 1: ") in str(caught.value)
    assert not (tmp_path / "none.trf").exists()


def test_number_and_key_must_agree() -> None:
    with pytest.raises(trf.TrfError, match="player 2: listed under 1"):
        trf.dumps(trf.Report(players={1: trf.PlayerRecord(2)}))


def test_characters_outside_the_encoding(tmp_path: Path) -> None:
    report = trf.reads(text(line(1, name="Müller")).encode("latin-1"))
    report.players[2] = trf.PlayerRecord(2, name="Dvořák")
    with pytest.raises(trf.TrfError, match=r"line 2, column 18: 'ř' does not exist in latin-1"):
        trf.write(report, tmp_path / "a.trf")
    trf.write(report, tmp_path / "a.trf", encoding="utf-8")
    assert trf.read(tmp_path / "a.trf").players[2].name == "Dvořák"
    with pytest.raises(trf.TrfError, match="unknown encoding"):
        trf.write(report, tmp_path / "a.trf", encoding="klingon")


def test_file_objects() -> None:
    report = trf.reads(text(*four()))
    binary, characters = BytesIO(), StringIO()
    trf.write(report, binary)
    trf.write(report, characters)
    assert binary.getvalue().decode() == characters.getvalue() == text(*four())


def players_from_scratch() -> list[trf.PlayerRecord]:
    entry = trf.RoundEntry
    return [
        trf.PlayerRecord(1, name="A", rating=2100, rounds=[entry(3, "w", "1"), entry(0, "-", "H")]),
        trf.PlayerRecord(3, name="C", rating=2000, rounds=[entry(1, "b", "0")]),
        trf.PlayerRecord(2, name="B", rating=0, rounds=[entry(0, "-", "U")]),
    ]


def test_from_scratch() -> None:
    report = trf.new_report(
        players_from_scratch(),
        name="Made",
        rounds=5,
        initial_colour="W",
        points=trf.PointSystem(win=30, draw=10),
        system="FIDE_DUTCH_2026",
        headers={"092": "Swiss", "042": "2026/03/01"},
    )
    report.byes.append(trf.ByeRequest("H", 3, (2, 3)))
    report.acceleration.append(trf.Acceleration(10, 1, 2, 1, 2))
    report.forbidden.append(trf.ForbiddenPairs((1, 2), 1, 3))
    report.comments.append("### seed 42")
    data = trf.dumps(report)
    assert data == text(
        "### seed 42",
        "012 Made",
        "042 2026/03/01",
        "062 3",
        "072 2",
        "092 Swiss",
        line(1, "3 w 1", "0000 - H", name="A", rating="2100", points="3.0"),
        line(2, "0000 - U", name="B", rating="0", points="3.0"),
        line(3, "1 b 0", name="C", rating="2000", points="0.0"),
        "142 5",
        "152 W",
        "162  W 3.0    D 1.0",
        "192 FIDE_DUTCH_2026",
        "240 H   3    2    3",
        "250       1.0   1   2    1    2",
        "260   1   3    1    2",
    )
    again = trf.reads(data)
    assert again == report
    assert again.warnings == []


def test_extensions_on_request() -> None:
    report = trf.new_report(
        players_from_scratch(), rounds=5, initial_colour="B", points=trf.PointSystem(win=30, draw=10, absence=5)
    )
    data = trf.dumps(report, extensions=True)
    added = [row for row in data.splitlines() if row[:2] in ("XX", "BB") and not row.startswith("XXS ZPB")]
    assert {"XXR 5", "XXC black1", "BBW  3.0", "BBD  1.0", "BBL  0.0", "BBZ  0.5", "BBF  0.0", "BBU  3.0"} <= set(added)
    again = trf.reads(data)
    assert (again.rounds, again.initial_colour) == (5, "B")
    assert all(again.points_of(number) == report.points_of(number) for number in report.players)
    assert again.warnings == []
    assert trf.dumps(again, extensions=True) == data


@pytest.mark.parametrize(
    "points",
    [
        trf.PointSystem(win=30, draw=10),
        trf.PointSystem(absence=5, forfeit_loss=5),
        trf.PointSystem(absence=5),
        trf.PointSystem(forfeit_loss=5),
        trf.PointSystem(black_win=20, forfeit_win=15),
        trf.PointSystem(pairing_bye=0, half_bye=0, full_bye=5, unknown=5),
    ],
)
def test_every_point_system_can_be_written(points: trf.PointSystem) -> None:
    report = trf.new_report(players_from_scratch(), points=points)
    assert trf.reads(trf.dumps(report)).points == points


def test_mistakes_from_scratch() -> None:
    with pytest.raises(trf.TrfError, match="player 1: the starting number is used twice"):
        trf.new_report([trf.PlayerRecord(1), trf.PlayerRecord(1)])
    with pytest.raises(trf.TrfError, match="initial colour 'red'; expected 'W' or 'B'"):
        trf.new_report([], initial_colour="red")
    with pytest.raises(trf.TrfError, match="header '999' is not known"):
        trf.new_report([], headers={"999": "x"})
