"""Real events from the command line: the engines' own syntax, exit codes, clean output, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swisssim import trf
from swisssim.cli import _dropin, run
from tests.trf_data import case

ROOT = Path(__file__).parent.parent
SIMPLE = str(case("O12_sorted"))


@pytest.mark.parametrize(
    ("arguments", "translated"),
    [
        ("--dutch in.trf -p", "pair in.trf --system dutch"),
        ("-r --nordic in.trf -p out", "pair in.trf --system nordic -o out"),
        ("--amalfi - -p -", "pair - --system amalfi -o -"),
        ("--dutch in.trf -p out -l list", "pair in.trf --system dutch -o out --list list"),
        ("--dutch in.trf -p out -l", "pair in.trf --system dutch -o out --list -"),
        ("--dutch in.trf -c", "check in.trf --system dutch --each"),
        ("--dutch in.trf -c 3", "check in.trf --system dutch --each --round 3"),
        ("--dutch -g -o out", "generate --system dutch -o out --force"),
        ("--dutch -g cfg -o out -s 7", "generate --system dutch --config cfg -o out --force --seed 7"),
        ("--dutch -g 42 -o out", "generate --system dutch --seed 42 -o out --force"),
        ("--dutch model.trf -g -o out", "generate --system dutch --like model.trf -o out --force"),
        ("-r", "--version"),
    ],
)
def test_command_line_of_the_engines(arguments: str, translated: str) -> None:
    assert _dropin.recognised(arguments.split())
    assert _dropin.translated(arguments.split()) == translated.split()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--dutch", "no action"),
        ("--dutch -p", "no file"),
        ("--dutch in.trf -p -c", "-p and -c together"),
        ("--dutch in.trf -x", "unexpected '-x'"),
        ("--dutch in.trf -p a -p b", "-p stands twice"),
        ("--dutch -g", "-g needs -o OUT"),
        ("--burstein in.trf -p", "the FIDE Burstein system is not built"),
    ],
)
def test_wrong_use_of_the_engines_command_line(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments.split()) == 3
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", ["pair in.trf", "--version", "--help", "", "--nothing in.trf -p"])
def test_everything_else_is_left_to_the_subcommands(arguments: str) -> None:
    assert not _dropin.recognised(arguments.split())


def test_drop_in_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generated, paired, listed, config = (tmp_path / name for name in ("g.trf", "p.txt", "l.txt", "cfg"))
    config.write_text("PlayersNumber=9\nRoundsNumber=4\n")
    assert run(["--regulated", "-g", str(config), "-o", str(generated), "-s", "5"]) == 0
    assert run(["--regulated", str(generated), "-c"]) == 0
    assert capsys.readouterr().out == "".join(f"{generated}: Round #{r}\n" for r in range(1, 5))
    assert run(["--regulated", str(generated), "-c", "2"]) == 0
    assert capsys.readouterr().out == f"{generated}: Round #2\n"
    assert run(["--regulated", str(generated), "-c", "5"]) == 3
    report = trf.read(generated)
    for player in report.players.values():
        player.rounds.pop()
    trf.write(report, generated)
    capsys.readouterr()
    assert run(["--regulated", str(generated), "-p", str(paired), "-l", str(listed)]) == 0
    assert capsys.readouterr().out == ""
    lines = paired.read_text().splitlines()
    assert lines[0] == "5"
    assert lines[-1].endswith(" 0")
    assert "How it came about" in listed.read_text()


def test_exit_codes_of_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code, message in (
        ([SIMPLE, "-s", "nordic"], 0, ""),
        ([str(case("O02_six_players_exhausted")), "-s", "nordic"], 1, "no legal pairing exists"),
        ([str(case("O10_0000_w_without_result")), "-s", "nordic"], 3, "columns 92-99"),
        ([SIMPLE], 3, "no system; say which with --system"),
        ([SIMPLE, "-s", "nordic", "--frob"], 3, "--frob"),
        ([SIMPLE, "-s", "nordic", "--set", "x"], 3, "'x' is not NAME=VALUE"),
        ([SIMPLE, "-s", "nordic", "--set", "forfeits_count=1"], 3, "did you mean 'forfeits_count_as_met'"),
        ([SIMPLE, "-s", "nordic", "--round", "3"], 3, "the file has 0 to 1"),
        ([SIMPLE, "-s", "nordic", "--rounds", "0"], 3, "total is 0"),
        ([str(tmp_path / "nothing.trf"), "-s", "nordic"], 5, "No such file"),
        ([str(tmp_path), "-s", "nordic"], 5, "directory"),
        ([SIMPLE, "-s", "nordic", "-o", str(tmp_path / "no" / "where")], 5, "No such file"),
    ):
        assert run(["pair", *arguments]) == code, arguments
        captured = capsys.readouterr()
        assert message in captured.err
        assert (captured.out == "") == (code != 0)


def test_json_says_why_there_is_no_pairing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pair", str(case("O02_six_players_exhausted")), "-s", "nordic", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["exit"], data["round"]) == (1, 4)
    assert "groups of odd size" in data["error"]


def test_an_earlier_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pair", str(case("O40_only_one_matching")), "-s", "amalfi", "--round", "1"]) == 0
    assert capsys.readouterr().out.startswith("3\n")


@pytest.mark.skipif(os.name == "nt", reason="signals of a terminal")
def test_ctrl_c_ends_a_check_at_once(tmp_path: Path) -> None:
    assert (
        run(["generate", "-s", "nordic", "--players", "60", "--rounds", "9", "--count", "300", "-o", f"{tmp_path}/"])
        == 0
    )
    command = [sys.executable, "-m", "swisssim", "check", str(tmp_path), "-s", "nordic", "--workers", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, start_new_session=True, text=True
    )
    time.sleep(3.0)
    os.killpg(process.pid, signal.SIGINT)
    start = time.monotonic()
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - start < 5
    if process.returncode != 0:  # else the machine was fast enough to finish
        assert process.returncode == 130
        assert "Traceback" not in err + out
