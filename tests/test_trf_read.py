"""Reading report files: every record and its dialects, encodings, line ends, columns, and what is refused."""

from __future__ import annotations

import pickle
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from swisssim import trf
from tests.trf_data import CASES, GOLDEN, REFUSED, four, line, text


def messages(report: trf.Report) -> str:
    return "\n".join(str(remark) for remark in report.warnings)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_files_need_no_remark(path: Path) -> None:
    report = trf.read(path)
    assert report.warnings == []
    players, rounds = (int(part[1:]) for part in path.stem.split("_")[1:3])
    assert list(report.players) == list(range(1, players + 1))
    assert report.rounds is not None
    assert report.rounds_played == rounds <= report.rounds
    assert report.initial_colour in ("W", "B")
    assert report.system == "FIDE_DUTCH"
    assert report.announced() == {}
    assert all(report.points_of(number) == player.points for number, player in report.players.items())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_needs_cases(path: Path) -> None:
    if path.stem in REFUSED:
        with pytest.raises(trf.TrfError, match=r"line \d+, columns \d+-\d+: player \d+"):
            trf.read(path)
        return
    report = trf.read(path)
    assert report.rounds is not None
    assert report.initial_colour in ("W", "B")
    assert report.path == str(path)


def test_all_fields_of_a_player() -> None:
    one = line(
        7,
        "0000 - H",
        name="Noether, Emmy",
        sex="w",
        title="WGM",
        rating="2345",
        federation="GER",
        fide_id="12345678901",
        birth="1882/03/23",
        points="0.5",
        rank="3",
    )
    player = trf.reads(text(one, line(2))).players[7]
    assert player == trf.PlayerRecord(
        number=7,
        name="Noether, Emmy",
        sex="w",
        title="WGM",
        rating=2345,
        federation="GER",
        fide_id="12345678901",
        birth="1882/03/23",
        points=5,
        rank=3,
        rounds=[trf.RoundEntry(0, "-", "H")],
    )
    assert player.line == 1
    assert player.columns(3) == (112, 119)
    assert player.entry(1).meaning == "HALF_BYE"
    assert player.entry(9).blank


@pytest.mark.parametrize(
    ("one", "two", "meanings"),
    [
        ("2 w 1", "1 b 0", ("WIN", "LOSS")),
        ("2 b =", "1 w =", ("DRAW", "DRAW")),
        ("2 w w", "1 b l", ("WIN", "LOSS")),
        ("2 w D", "1 b D", ("DRAW", "DRAW")),
        ("2 w +", "1 b -", ("FORFEIT_WIN", "FORFEIT_LOSS")),
        ("2 - -", "1 - -", ("FORFEIT_LOSS", "FORFEIT_LOSS")),
        ("2 w 0", "1 b 0", ("LOSS", "LOSS")),
        ("2 w =", "1 b 0", ("DRAW", "LOSS")),
        ("2 w ?", "1 b ?", ("POSTPONED", "POSTPONED")),
        ("2 w", "1 b", ("POSTPONED", "POSTPONED")),
    ],
)
def test_results_of_games(one: str, two: str, meanings: tuple[str, str]) -> None:
    one, two = one.ljust(5), two.ljust(5)
    report = trf.reads(text(line(1, one), line(2, two)))
    assert tuple(report.entry(number, 1).meaning for number in (1, 2)) == meanings
    assert report.rounds_played == 1
    assert bool(report.warnings) == ("POSTPONED" in meanings or "-" in one.split()[1])


def test_games_of_a_round() -> None:
    rows = [
        line(1, "8 - +"), line(2, "7 b 1"), line(3, "6 w -"), line(4, "5 - -"),
        line(5, "4 b +"), line(6, "3 - +"), line(7, "2 w 0"), line(8, "1 - -"), line(9, "0000 - U"),
    ]  # fmt: skip
    report = trf.reads(text(*rows))
    assert report.games(1) == [(1, 8), (3, 6), (4, 5), (7, 2)]
    assert report.games(2) == []
    assert "nobody has White in the game of players 1 and 8; 1 is taken for White" in messages(report)


@pytest.mark.parametrize(
    ("block", "meaning"),
    [
        ("0000 - U", "PAIRING_BYE"),
        ("0000 - F", "FULL_BYE"),
        ("0000 - h", "HALF_BYE"),
        ("0000 - z", "ZERO_BYE"),
        ("     - Z", "ZERO_BYE"),
        ("0000 - +", "PAIRING_BYE"),
        ("0000 - =", "HALF_BYE"),
        ("0000 - -", "ZERO_BYE"),
        ("0000   -", "ZERO_BYE"),
        ("0000 -  ", "ABSENT"),
        ("", "ABSENT"),
    ],
)
def test_rounds_without_an_opponent(block: str, meaning: str) -> None:
    report = trf.reads(text(*four(), line(5, block)))
    entry = report.entry(5, 1)
    assert entry.meaning == meaning
    assert not entry.played
    assert report.warnings == []


def test_unrated_games_are_played_but_not_rated() -> None:
    entries = trf.reads(text(line(1, "2 w W", "2 b 1"), line(2, "1 b L", "1 w 0"))).players[1].rounds
    assert [entry.played for entry in entries] == [True, True]
    assert [entry.rated for entry in entries] == [False, True]


def test_upper_case_colours() -> None:
    assert trf.reads(text(line(1, "2 W 1"), line(2, "1 B 0"))).entry(1, 1).colour == "w"


ERRORS = {
    "colour of nobody": (["0000 w"], ["invalid round block", "line 1, columns 92-99", "player 1, round 1", "0000 w"]),
    "game result of nobody": (["0000 - 1"], ["columns 92-99", "result 1 without an opponent", "U, F, H or Z"]),
    "unknown result": (["3 w x", ""], ["result 'X'", "player 1, round 1", "expected 1 = 0 W D L"]),
    "bye with opponent": (["3 w H"], ["result 'H' with opponent 3", "a bye has no opponent"]),
    "absence with opponent": (["3 w Z"], ["an opponent together with result Z"]),
    "no colour": (["3 - 1"], ["a game without a colour", "column 97"]),
    "unknown colour": (["3 x 1"], ["colour 'x'", "expected w, b, - or a blank"]),
    "opponent is no number": (["3a w 1"], ["opponent '3a'", "expected a starting number"]),
    "five columns": (["3  w1"], ["invalid round block", "four columns opponent"]),
    "opponent missing": (["9 w 1"], ["player 1, round 1", "opponent 9 does not exist"]),
    "self": (["1 w 1"], ["player 1, round 1", "the opponent is the player"]),
    "second round": (["3 w 1", "2 w 1"], ["columns 102-109", "player 1, round 2", "player 2 (line 2) has no opponent"]),
    "other opponent": (["2 w 1"], ["player 1, round 1: opponent 2, but player 2 (line 2) has opponent 4"]),
    "both White": (["3 b 1"], ["players 1 and 3 (line 3) both have Black in round 1"]),
    "two wins": (["3 w 1"], ["result 1 does not go with result 1 of player 3 (line 3) in round 1"]),
    "win and draw": (["3 w ="], ["result = does not go with result 1 of player 3"]),
    "forfeit and game": (["3 w +"], ["result + does not go with result 1 of player 3"]),
    "half a game": (["3 w ?"], ["result ? does not go with result 1 of player 3"]),
}


@pytest.mark.parametrize("name", ERRORS)
def test_round_errors_say_where_and_what(name: str) -> None:
    blocks, parts = ERRORS[name]
    answer = "1 b 1" if name in ("two wins", "win and draw", "forfeit and game", "half a game") else "1 b 0"
    lines = [line(1, *blocks), *four(third=answer)[1:]]
    with pytest.raises(trf.TrfError) as caught:
        trf.reads(text(*lines), name="open.trf")
    assert str(caught.value).startswith("open.trf, line 1, columns ")
    for part in parts:
        assert part in str(caught.value)
    assert caught.value.player == 1
    assert caught.value.round == len(blocks) if name == "second round" else caught.value.round == 1
    assert caught.value.line == 1


def test_errors_survive_pickling() -> None:
    with pytest.raises(trf.TrfError) as caught:
        trf.reads(text(line(1, "0000 w")), name="a.trf")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.columns == (92, 99)


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        ([line(1), line(2), line(1)], ["line 3, columns 5-8", "starting number 1 is used twice, in lines 1 and 3"]),
        (["001    x      A"], ["starting number 'x'", "1..9999", "columns 4-8"]),
        (["001    0      A"], ["starting number '0'"]),
        (["0011"], ["starting number '1'"]),
        (["001"], ["starting number ''"]),
        ([line(1, rating="12x0")], ["rating out of range 0..9999", "'12x0'", "columns 49-52", "player 1"]),
        ([line(1, rating="-100")], ["rating out of range 0..9999", "'-100'"]),
        ([line(1, points="1.x")], ["columns 81-84", "points '1.x'", "11.5"]),
        ([line(1, points="1.25")], ["points '1.25'"]),
        ([line(1, rank="1").ljust(90) + "7   2 w 1"], ["column 91", "'7' stands where a blank is expected"]),
        (["012 Open", "", "### nobody"], ["no player", "001"]),
        ([line(1).ljust(91) + "  0000 - Z"[2:] * 2000], ["expected at most 999"]),
    ],
)
def test_other_errors(lines: list[str], parts: list[str]) -> None:
    with pytest.raises(trf.TrfError) as caught:
        trf.reads(text(*lines))
    for part in parts:
        assert part in str(caught.value)


def test_empty_file() -> None:
    with pytest.raises(trf.TrfError, match=r"^empty\.trf: no player"):
        trf.reads(b"", name="empty.trf")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        trf.read(tmp_path / "none.trf")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    lines = ["012 Open", *four(), "142 5"]
    report = trf.reads(text(*lines, end=end))
    assert report.newline == end
    assert report.rounds == 5
    assert report == trf.reads(text(*lines))
    assert report.players[3].line == 4


def test_mixed_line_ends_and_no_last_one() -> None:
    data = "012 Open\r\n" + line(1) + "\r" + line(2) + "\n142 5"
    report = trf.reads(data)
    assert (list(report.players), report.rounds) == ([1, 2], 5)
    assert trf.dumps(report) == data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    name = "Müller-Lüdenscheidt, Ñandú"
    data = text(line(1, name=name), line(2)).encode(encoding)
    report = trf.reads(data)
    assert report.players[1].name == name
    assert report.players[1].rating == 2000
    assert report.encoding == encoding
    assert ("latin-1" in messages(report)) == (encoding == "latin-1")
    trf.write(report, tmp_path / "copy.trf")
    assert (tmp_path / "copy.trf").read_bytes() == data


def test_encoding_by_name() -> None:
    data = text(line(1, name="Dvořák")).encode("cp1250")
    report = trf.reads(data, encoding="cp1250")
    assert report.players[1].name == "Dvořák"
    assert report.warnings == []
    with pytest.raises(trf.TrfError, match=r"a\.trf, line 1, column 18: not utf-8"):
        trf.reads(data, name="a.trf", encoding="utf-8")
    with pytest.raises(trf.TrfError, match="unknown encoding 'klingon'"):
        trf.reads(data, encoding="klingon")


def test_file_objects() -> None:
    data = text(*four())
    assert trf.read(BytesIO(data.encode())) == trf.read(StringIO(data)) == trf.reads(data)


@pytest.mark.parametrize("name", ["Müller", "Łukasz Żółć", "Ærøskøbing, Åse", "李小龙"])
def test_names_padded_in_bytes(name: str) -> None:
    wide = line(1, "2 w 1", name=name, points="1.0", rank="1", federation="POL")
    extra = len(name.encode()) - len(name)
    short = wide[: 47 - extra] + wide[47:]
    other = line(2, "1 b 0", points="0.0", rank="2")
    report = trf.reads(text(short, other))
    assert report.players[1] == trf.reads(text(wide, other)).players[1]
    assert report.players[1].shift == -extra
    assert f"{extra} columns further left" in messages(report)
    with pytest.raises(trf.TrfError, match=rf"columns {92 - extra}-{99 - extra}: player 1, round 1"):
        trf.reads(text(short[:-1] + "7", other))


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_lines_shifted_to_the_left(shift: int) -> None:
    one, two = line(1, "2 w 1", points="1.0", rank="1"), line(2, "1 b 0", points="0.0", rank="2")
    moved = one[: 47 - shift] + one[47:]
    assert trf.reads(text(moved, two)).players[1] == trf.reads(text(one, two)).players[1]


def test_long_name_that_was_not_cut() -> None:
    name = "Müller-Lüdenscheidt, Anna-Katharina-Sofia"
    one, two = line(1, "2 w 1", name=name, points="1.0", rank="1"), line(2, "1 b 0", points="0.0", rank="2")
    report = trf.reads(text(one, two))
    player = report.players[1]
    assert (player.name, player.rating, player.points, player.rank) == (name, 2000, 10, 1)
    assert player.rounds == [trf.RoundEntry(2, "w", "1")]
    assert "the name has 41 characters, 33 fit" in messages(report)


def test_long_name_written_over_the_next_fields() -> None:
    name = "Müller-Lüdenscheidt, Anna-Katharina-Sofia"
    row = line(1, "2 w 1", rating="", points="1.0", rank="1")
    report = trf.reads(text(row[:14] + name + row[14 + len(name) :], line(2, "1 b 0", points="0.0")))
    player = report.players[1]
    assert (player.name, player.rating, player.points, player.rank) == (name, None, 10, 1)
    assert player.rounds == [trf.RoundEntry(2, "w", "1")]
    assert "columns 15-55: player 1: the name has 41 characters, 33 fit; what it covers" in messages(report)


def test_title_and_name_one_column_off() -> None:
    report = trf.reads(text("001    1 w  wg Anna", "001    2 w   Berta", "001    3 wWGMmXenia"))
    assert [(player.title, player.name) for player in report.players.values()] == [
        ("wg", "Anna"),
        ("", "Berta"),
        ("WGM", "Xenia"),
    ]
    assert len(report.warnings) == 3


def test_what_no_field_takes_in_is_remarked() -> None:
    odd = line(1, name="A", federation="GERM")
    report = trf.reads(text(odd, line(2)))
    assert "column 57: player 1: 'M' stands where a blank is expected, and is not read" in messages(report)


def test_gaps_in_the_numbering_and_unsorted_lines() -> None:
    lines = [line(30, "4 w 1"), line(4, "30 b 0"), line(12, "0000 - U")]
    report = trf.reads(text(*lines))
    assert list(report.players) == [4, 12, 30]
    assert report == trf.reads(text(*sorted(lines)))


class TestRecords:
    """Records other than 001."""

    def test_rounds(self) -> None:
        assert trf.reads(text("142 9", *four())).rounds == 9
        assert trf.reads(text("XXR 9", *four())).rounds == 9
        both = trf.reads(text("142 9", "XXR 7", *four()))
        assert both.rounds == 9
        assert "XXR says 7 for the number of rounds, 142 in line 1 says 9; 9 is used" in messages(both)
        assert trf.reads(text("XXR 7", "142 9", *four())).rounds == 9
        assert trf.reads(text(*four())).rounds is None

    def test_fewer_rounds_than_paired(self) -> None:
        assert "the number of rounds is 1, but round 2 was paired" in messages(
            trf.reads(text("142 1", line(1, "2 w 1", "2 b 1"), line(2, "1 b 0", "1 w 0")))
        )

    def test_colour(self) -> None:
        assert trf.reads(text("152 B", *four())).initial_colour == "B"
        report = trf.reads(text("XXC rank black1", *four()))
        assert (report.initial_colour, report.rank_order) == ("B", True)
        assert trf.reads(text("XXC rank", "XXC white1", *four())).initial_colour == "W"
        assert "XXC word 'swiss' is not known" in messages(trf.reads(text("XXC swiss", *four())))

    @pytest.mark.parametrize(
        ("lines", "wanted"),
        [
            (["162  W 3.0    D 1.0"], trf.PointSystem(win=30, draw=10)),
            (["162 W  3.0 D  1.0 L 0.5"], trf.PointSystem(win=30, draw=10, loss=5)),
            (["162  A 0.5"], trf.PointSystem(absence=5, forfeit_loss=5)),
            (["162  Z 0.5    P 0.5    X 0.5"], trf.PointSystem(absence=5, forfeit_loss=5, pairing_bye=5, unknown=5)),
            (["XXS W=3 D=1 PAB=1.5 FL=.5"], trf.PointSystem(win=30, draw=10, pairing_bye=15, forfeit_loss=5)),
            (["XXS WW=3 BW=4"], trf.PointSystem(win=30, black_win=40)),
            (["XXS WW=3"], trf.PointSystem(win=30, black_win=10)),
            (["BBW  3.0", "BBD  1.0", "BBL  0.5"], trf.PointSystem(win=30, draw=10, loss=5)),
            (["BBZ 0.5", "BBF 0.0", "BBU 0.5"], trf.PointSystem(absence=5, pairing_bye=5)),
            (["BBW 2.0", "162  W 3.0"], trf.PointSystem(win=30)),
            (["162  W 3.0", "BBW 2.0"], trf.PointSystem(win=30)),
        ],
    )
    def test_points(self, lines: list[str], wanted: trf.PointSystem) -> None:
        assert trf.reads(text(*lines, *four())).points == wanted

    def test_worth(self) -> None:
        points = trf.PointSystem(win=30, draw=10, loss=5, absence=1, forfeit_loss=2, pairing_bye=15, black_win=40)
        entries = {"2 w 1": 30, "2 b 1": 40, "2 w =": 10, "2 w 0": 5, "2 b +": 30, "2 b -": 2}
        for block, worth in entries.items():
            opponent, colour, code = block.split()
            assert points.worth(trf.RoundEntry(int(opponent), colour, code)) == worth
        assert [points.worth(trf.RoundEntry(0, "-", code)) for code in "UFHZ"] == [15, 30, 10, 1]
        assert points.worth(trf.RoundEntry()) == 1

    def test_byes_to_come(self) -> None:
        report = trf.reads(text(*four(), line(5, "0000 - U"), "240 H 002    1    3", "240 F   3    2", "XXZ 4"))
        assert report.byes == [
            trf.ByeRequest("H", 2, (1, 3)),
            trf.ByeRequest("F", 3, (2,)),
            trf.ByeRequest("Z", None, (4,)),
        ]
        assert {number: entry.code for number, entry in report.announced().items()} == {1: "H", 3: "H", 4: "Z"}
        assert {number: entry.code for number, entry in report.announced(3).items()} == {2: "F"}

    def test_announcements_in_three_spellings_are_equal(self) -> None:
        column = trf.reads(text(*four()[:3], line(4, "2 w 0", "0000 - Z")))
        assert column.rounds_played == 1
        assert column.announced().keys() == {4}
        for extra in ("240 Z   2    4", "XXZ 4"):
            assert trf.reads(text(*four(), extra)).announced() == column.announced()

    def test_240_of_a_round_that_was_played(self) -> None:
        report = trf.reads(text("240 H   1    5", "240 Z   1    2", *four(), line(5, points="0.5")))
        assert report.entry(5, 1).meaning == "HALF_BYE"
        assert report.points_of(5) == 5
        assert "240 announces a bye (Z) in round 1 for player 2, who was paired" in messages(report)

    def test_acceleration(self) -> None:
        report = trf.reads(
            text("250       1.0   1   2    1    2", "250  2.0 0.5   3        2", "XXA    3  1.0       0.5", *four())
        )
        assert [[report.virtual_points(number, round) for round in (1, 2, 3, 4)] for number in (1, 2, 3, 4)] == [
            [10, 10, 0, 0],
            [10, 10, 5, 0],
            [10, 0, 5, 0],
            [0, 0, 0, 0],
        ]
        assert report.acceleration[1] == trf.Acceleration(5, 3, 3, 2, 2, match_points=20)

    def test_acceleration_out_of_its_columns(self) -> None:
        report = trf.reads(text("250 1.0 1 2 1 4", *four()))
        assert report.acceleration == [trf.Acceleration(10, 1, 2, 1, 4)]
        assert "250 is not in its columns" in messages(report)

    def test_virtual_points_given_twice(self) -> None:
        once = ["250       1.0   1   2    1    2", "250       0.5   3   3    1    2", "XXA    4  1.0"]
        assert trf.reads(text("142 5", *once, *four())).warnings == []
        report = trf.reads(text("142 5", *once, "250       0.5   2   2    2    4", *four()))
        assert report.virtual_points(2, 2) == 15
        assert "virtual points of player 2 in round 2 are given more than once, and are added up" in messages(report)

    def test_forbidden_pairs(self) -> None:
        report = trf.reads(text("260   2   3    1    3    4", "XXP 2 1", "260            3    2", *four()))
        assert report.forbidden_pairs(1) == {(1, 2), (2, 3)}
        assert report.forbidden_pairs(2) == {(1, 2), (1, 3), (1, 4), (3, 4), (2, 3)}
        assert report.forbidden_pairs(4) == {(1, 2), (2, 3)}

    def test_lists_with_strangers(self) -> None:
        report = trf.reads(text("XXZ 9", "XXP 1 8", "XXP 1 1", *four()))
        assert "byes to come name players without a 001 line: 9" in messages(report)
        assert "forbidden pairs name players without a 001 line: 8" in messages(report)
        assert "player 1 is named twice" in messages(report)

    def test_teams_and_kept_records(self) -> None:
        lines = [
            "013 Blue                                1    2",
            "310 whatever",
            "013 Odd" + " " * 40 + "x",
            "NOR   1",
        ]
        report = trf.reads(text(*lines, *four()))
        assert report.teams == [trf.Team("Blue", (1, 2))]
        assert [record.code for record in report.other] == ["310", "013", "NOR"]
        assert "is not a list of starting numbers" in messages(report)
        assert "record 'NOR' is taken for a national record" in messages(report)

    def test_unknown_records_are_kept_and_named_once(self) -> None:
        report = trf.reads(text("XXQ 1", *four(), "777 a", "777 b", "  001 x", "1425"))
        assert [record.text for record in report.other] == ["XXQ 1", "777 a", "777 b", "  001 x", "1425"]
        assert "line 1, columns 1-3: record 'XXQ' is not known" in messages(report)
        assert "line 6, columns 1-3: record '777' (2 lines) is not known" in messages(report)
        assert "record '  0'" in messages(report)
        assert "record '142'" in messages(report)

    def test_chesspairing_has_other_meanings(self) -> None:
        report = trf.reads(text("### chesspairing: v1", "XXS whatever", "XXA whatever", *four()))
        assert report.points == trf.PointSystem()
        assert report.acceleration == []
        assert "has another meaning in chesspairing files" in messages(report)

    @pytest.mark.parametrize(
        ("record", "message"),
        [
            ("142 many", "number of rounds 'many'; expected one number 1..999"),
            ("142", "number of rounds ''"),
            ("XXR 0", "number of rounds '0'"),
            ("152 green", "initial colour 'green'; expected W or B"),
            ("162  W x", "points 'W'; expected symbols with values"),
            ("XXS W=x", "points 'W=x'"),
            ("BBW x", "points 'x'"),
            ("240 Q 001 1", "expected F, H or Z in column 5"),
            ("240 H 001 1x", "starting number '1x'"),
            ("250 x", "acceleration 'x'; expected match points in columns 5-8"),
            ("XXA x", "expected the player in columns 5-8"),
            ("260   3   2    1    2", "forbidden pairs '3   2    1    2'; expected rounds in columns 5-7"),
            ("XXP 1 99999", "starting number '99999'; expected a number 1..9999"),
        ],
    )
    def test_unreadable_records(self, record: str, message: str) -> None:
        lines = text(*four(), record)
        with pytest.raises(trf.TrfError, match=r"line 5, columns? ") as caught:
            trf.reads(lines)
        assert message in str(caught.value)
        report = trf.reads(lines, strict=False)
        assert message in messages(report)
        assert "it is not used" in messages(report)
        assert trf.dumps(report) == lines


class TestPoints:
    """Columns 81-84 against the results."""

    def test_difference_is_reported(self) -> None:
        report = trf.reads(text(line(1, "2 w 1", points="2.0"), line(2, "1 b 0", points="0.0")))
        assert [str(remark) for remark in report.warnings] == [
            "line 1, columns 81-84: player 1: points 2.0, but the results of 1 round give 1.0; the results are used"
        ]

    @pytest.mark.parametrize(
        ("points", "words"),
        [
            ("1.0", None),
            ("1.5", "include the bye (H) announced for round 2"),
            ("2.0", "include 1.0 virtual points of round 2"),
            ("2.5", "include the bye (H) announced for round 2 and 1.0 virtual points of round 2"),
            ("3.5", "but the results of 1 round give 1.0"),
        ],
    )
    def test_spellings(self, points: str, words: str | None) -> None:
        lines = [line(1, "2 w 1", "0000 - H", points=points), line(2, "1 b 0"), "250       1.0   1   2    1    2"]
        report = trf.reads(text(*lines))
        assert (words in messages(report)) if words else report.warnings == []

    def test_unfinished_games_may_count_as_draws(self) -> None:
        assert "include a draw for each unfinished game" in messages(
            trf.reads(text(line(1, "2 w ?", points="0.5"), line(2, "1 b ?", points="0.0")))
        )

    def test_other_scoring(self) -> None:
        lines = [line(1, "2 w 1", points="3.0"), line(2, "1 b 0", points="0.0"), line(3, "0000 - U", points="1.5")]
        assert trf.reads(text("162  W 3.0    P 1.5", *lines)).warnings == []

    def test_two_pairing_byes_in_a_round(self) -> None:
        report = trf.reads(text(*four(), line(5, "0000 - U"), line(6, "0000 - U")))
        assert "round 1: players 5 and 6 both have the pairing-allocated bye" in messages(report)

    def test_round_without_pairing_in_between(self) -> None:
        report = trf.reads(text(line(1, "", "2 w 1"), line(2, "", "1 b 0")))
        assert report.rounds_played == 2
        assert "nobody was paired in round 1, but in round 2" in messages(report)
