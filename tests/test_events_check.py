"""Checking and generating files of events: every system repeats itself, differences are found where they are."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import pytest

import swisssim
from swisssim import events, trf
from swisssim.cli import run
from swisssim.participation import Participation
from tests.trf_data import CASES, GOLDEN, case, line, text

SYSTEMS = sorted(swisssim.SYSTEMS)
EVERYTHING = ["--forfeit", ".06", "--half-bye", ".04", "--zero-bye", ".04", "--withdraw", ".02", "--late", ".08"]


def generate(folder: Path, system: str, *more: str) -> list[Path]:
    assert run(["generate", "-s", system, "-o", f"{folder}/", *more]) == 0
    return sorted(folder.iterdir())


@pytest.mark.parametrize("system", SYSTEMS)
def test_generated_files_pass_the_check(system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate(tmp_path, system, "--players", "5-24", "--rounds", "3-9", "--count", "50", *EVERYTHING)
    assert run(["check", str(tmp_path), "-s", system, "--workers", "1"]) == 0
    assert "50 files, " in capsys.readouterr().out


@pytest.mark.parametrize("system", SYSTEMS)
def test_generated_files_with_other_points_pass_the_check(system: str, tmp_path: Path) -> None:
    config = tmp_path / "cfg"
    config.write_text(
        "PlayersNumber=11\nRoundsNumber=6\nForfeitRate=8\nHalfPointByteRate=3\nRetiredRate=4\nDrawPercentage=40\n"
        "PointsForWin=3\nPointsForDraw=1\nPointsForPAB=2\nPointsForForfeitLoss=0.5\n"
    )
    files = generate(tmp_path / "out", system, "--config", str(config), "--count", "8")
    assert events.check(files, system=system).ok
    report = trf.read(files[0])
    assert (report.rounds, len(report.players)) == (6, 11)
    assert (report.points.win, report.points.draw, report.points.value("pairing_bye")) == (30, 10, 20)
    assert (report.points.forfeit_loss, report.points.absence) == (5, 5)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_five_thousand_generated_files_pass_the_check(system: str, tmp_path: Path) -> None:
    generate(tmp_path, system, "--players", "4-60", "--rounds", "3-11", "--count", "5000", "--seed", "7", *EVERYTHING)
    result = events.check(tmp_path, system=system, workers=None)
    assert len(result.files) == 5000
    assert result.ok, [check.path for check in result.files if not check.ok][:5]


def digest(folder: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.iterdir()))).hexdigest()


@pytest.mark.parametrize("system", ["nordic", "lottery"])
def test_o28_same_seed_same_files_for_any_number_of_workers(system: str, tmp_path: Path) -> None:
    digests = []
    for name, more in (("a", ["--workers", "1"]), ("b", ["--workers", "2"]), ("c", ["--seed", "43"])):
        seed = ["--seed", "42"] if "--seed" not in more else []
        files = generate(tmp_path / name, system, "--players", "20", "--rounds", "9", "--count", "20", *seed, *more)
        assert len(files) == 20
        assert f"seed {'43' if name == 'c' else '42'}" in trf.read(files[0]).name
        digests.append(digest(tmp_path / name))
    assert digests[0] == digests[1] != digests[2]
    part = generate(
        tmp_path / "d", system, "--players", "20", "--rounds", "9", "--seed", "42", "--first", "7", "--count", "3"
    )
    for path in part:
        assert path.read_bytes() == (tmp_path / "a" / path.name).read_bytes()


def swap_opponents(path: Path, round: int) -> None:
    """Exchange the opponents of two Whites of a round, colours kept."""
    report = trf.read(path)
    (a, b), (c, d) = report.games(round)[:2]
    for player, other in ((a, d), (d, a), (c, b), (b, c)):
        entry = report.players[player].rounds[round - 1]
        report.players[player].rounds[round - 1] = entry._replace(opponent=other, code="=")
    trf.write(report, path)


def test_o29_generate_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = generate(tmp_path, "regulated", "--players", "20", "--rounds", "9", "--count", "30")
    assert run(["check", str(tmp_path), "-s", "regulated"]) == 0
    assert capsys.readouterr().out == "30 files, 270 rounds: 0 differences\n"
    swap_opponents(files[4], 9)
    assert run(["check", str(tmp_path), "-s", "regulated"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{files[4]}: Round #9\n         system |          file\n")
    assert out.endswith("30 files, 270 rounds: 1 difference\n")
    assert run(["check", str(tmp_path), "-s", "regulated", "--first", "-q"]) == 1
    assert capsys.readouterr().out == "5 files, 45 rounds: 1 difference\n"


def test_golden_files_of_dutch(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(GOLDEN[0].parent), "-s", "dutch"]) == 0
    assert capsys.readouterr().out == "178 files, 1142 rounds: 0 differences\n"


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GOLDEN[0].read_bytes())))
    assert run(["check", "-", "-s", "dutch"]) == 0
    assert capsys.readouterr().out == "1 file, 5 rounds: 0 differences\n"


def test_check_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    places = [str(case("O40_only_one_matching")), str(case("O10_0000_w_without_result"))]
    assert run(["check", *places, "-s", "nordic", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["files"], data["errors"], data["system"]) == (2, 1, "nordic")
    assert data["checks"][0]["rounds"] == 4
    assert data["checks"][0]["differences"][0]["round"] == 1
    assert "columns 92-99" in data["checks"][1]["error"]


def test_exit_codes_of_check(tmp_path: Path) -> None:
    assert run(["check", str(case("O10_0000_w_without_result")), "-s", "nordic"]) == 3
    assert run(["check", str(tmp_path / "nothing.trf"), "-s", "nordic"]) == 5
    assert run(["check", str(tmp_path), "-s", "nordic"]) == 3
    assert run(["check", str(case("O12_sorted")), "-s", "nordik"]) == 3
    assert run(["check", str(case("O12_sorted"))]) == 3
    # a file that nobody can read as text of this kind
    (tmp_path / "x.trf").write_bytes(b"\x00\xff")
    assert run(["check", str(tmp_path), "-s", "nordic"]) == 3


def test_lottery_is_checked_for_legality_only(tmp_path: Path) -> None:
    assert events.check_file(case("O40_only_one_matching"), system="lottery").ok
    rows = [
        line(1, "2 w 1", "2 w 1"),
        line(2, "1 b 0", "1 b 0"),
        line(3, "4 w 1", "0000 - U"),
        line(4, "3 b 0", "0000 - Z"),
    ]
    path = tmp_path / "x.trf"
    path.write_text(text(*rows, "142 3", "152 W"))
    result = events.check_file(path, system="lottery")
    assert [(d.round, d.illegal) for d in result.differences] == [(2, ("1 - 2: they have met",))]
    assert not events.check_file(path, system="nordic", legality=True).ok


def test_colours_of_a_forfeit_that_the_file_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "x.trf"
    rows = [line(1, "3 - +"), line(2, "4 b 1"), line(3, "1 - -"), line(4, "2 w 0")]
    path.write_text(text(*rows, "142 3"))
    assert events.check_file(path, system="nordic").ok
    rows = [line(1, "3 w +"), line(2, "4 b 1"), line(3, "1 b -"), line(4, "2 w 0")]
    path.write_text(text(*rows, "142 3"))
    assert not events.check_file(path, system="nordic").ok


def test_round_without_legal_pairing_is_a_difference(tmp_path: Path) -> None:
    """Six players of whom 1-3 have met 4-6; then a round with a rematch was played all the same."""
    report = trf.read(case("O02_six_players_exhausted"))
    for a, b in ((1, 4), (2, 5), (3, 6)):
        report.players[a].rounds.append(trf.RoundEntry(b, "w", "="))
        report.players[b].rounds.append(trf.RoundEntry(a, "b", "="))
    path = tmp_path / "x.trf"
    trf.write(report, path)
    last = events.check_file(path, system="lottery").differences[-1]
    assert (last.round, len(last.illegal)) == (4, 3)
    last = events.check_file(path, system="nordic").differences[-1]
    assert "no legal pairing" in last.reason
    assert "no pairing: round 4" in str(last)


def test_workers_give_the_same_checks() -> None:
    alone = events.check(CASES, system="amalfi")
    side_by_side = events.check(CASES, system="amalfi", workers=2)
    assert [c.to_dict() for c in alone.files] == [c.to_dict() for c in side_by_side.files]
    with pytest.raises(swisssim.SwissError, match="workers is 0"):
        events.check(CASES, system="amalfi", workers=0)


# ------------------------------------------------------------------------------------------------------------ generator


def test_generator_refuses_what_is_impossible() -> None:
    for settings, message in (
        ({"players": 1}, "players is 1"),
        ({"players": (30, 20)}, "players is"),
        ({"players": 6, "rounds": 6}, "6 players can play 1 to 5 rounds"),
        ({"ratings": (2000, 1000)}, "the lowest rating is 2000"),
        ({"ratings": (0, 12000)}, "from 0 to 9999"),
        ({"participation": Participation(postpone=0.1)}, "postponed games"),
        ({"system": "nordik"}, "did you mean 'nordic'"),
        ({"seed": -1}, "seed is -1"),
    ):
        with pytest.raises(swisssim.SwissError, match=message):
            events.Generator(**{"system": "nordic", "players": 8, "rounds": 3, **settings})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("PlayersNumber", "line 1: 'PlayersNumber' is not Key=Value"),
        ("\nPlayerNumber=20", "line 2: unknown key 'PlayerNumber': did you mean 'PlayersNumber'"),
        ("PlayersNumber=x", "PlayersNumber is 'x'; it must be a whole number"),
        ("DrawPercentage=101", "from 0 to 100"),
        ("ForfeitRate=0.5", "at least 1"),
        ("PointsForWin=abc", "PointsForWin is 'abc'; it must be a number"),
    ],
)
def test_configuration_errors(config: str, message: str) -> None:
    with pytest.raises(swisssim.SwissError, match=message):
        events.parse_config(config, name="cfg")


def test_configuration_rates_are_one_in_so_many() -> None:
    values = events.parse_config("# a comment\nForfeitRate=20\nRetiredRate=10\nHalfPointByeRate=5\nRoundsNumber=8\n")
    made = events.from_config(values, system="nordic")
    rates = made.participation
    assert 1 - (1 - rates.forfeit) ** 2 == pytest.approx(1 / 20)
    assert 1 - (1 - rates.zero_bye) ** 8 == pytest.approx(1 / 10)
    assert 1 - (1 - rates.half_bye) ** 7 == pytest.approx(1 / 5)


def test_like_another_event(tmp_path: Path) -> None:
    source = generate(tmp_path / "a", "amalfi", "--players", "30", "--rounds", "7", "--low", "2000", "--high", "2100")[
        0
    ]
    copied = generate(tmp_path / "b", "nordic", "--like", str(source), "--count", "3")
    ratings = [[p.rating for p in trf.read(path).players.values()] for path in (source, *copied)]
    assert ratings[0] == ratings[1] == ratings[3]
    assert trf.read(copied[0]).rounds == 7


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "x.trf"
    arguments = ["generate", "-s", "nordic", "--players", "8", "--rounds", "3", "-o", str(path)]
    assert run(arguments) == 0
    assert run(arguments) == 0
    assert run([*arguments, "--seed", "2"]) == 3
    assert run([*arguments, "--seed", "2", "--force"]) == 0


def test_generate_to_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["generate", "-s", "nordic", "--players", "8", "--rounds", "3", "-o", "-"]) == 0
    assert trf.reads(capsysbinary.readouterr().out).rounds == 3


def test_stopped_tournaments_say_so(tmp_path: Path) -> None:
    files = generate(tmp_path, "amalfi", "--players", "6", "--rounds", "5", "--count", "40")
    reports = [trf.read(path) for path in files]
    stopped = [report for report in reports if any("no legal pairing existed" in c for c in report.comments)]
    assert 0 < len(stopped) < 40
    assert all(report.rounds_played < 5 for report in stopped)
