"""The command line: tables, folders, replay, real fields, and what it says to wrong requests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import swisssim
from swisssim import cli, plots
from swisssim.cli._values import named, value_of
from swisssim.errors import SwissError
from swisssim.models import MODELS

DATA = Path(__file__).parent / "data"
QUICK = ["--resamples", "20"]
SMALL = [*QUICK, "--players", "9", "--rounds", "4", "--tournaments", "40", "--systems", "nordic,lottery"]
# subprocesses run elsewhere and import the package that is tested
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(swisssim.__file__).parents[1])}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, and draw a single figure: the others have tests of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plots, "FIGURES", plots.FIGURES[:1])


def run(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run([str(argument) for argument in arguments])
    said = capfd.readouterr()
    assert "Traceback" not in said.err
    return code, said.out, said.err


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != "run.log"
    }


# ---------------------------------------------------------------------- help and lists


def test_help_names_every_command(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "--help")
    assert code == 0
    for name in cli.cli.list_commands(None):  # type: ignore[arg-type]
        assert f"  {name} " in out
    assert "swisssim compare" in out
    for name in cli.cli.list_commands(None):  # type: ignore[arg-type]
        code, out, _ = run(capfd, name, "--help")
        assert code == 0
        assert out.startswith(f"Usage: swisssim {name}")


def test_help_loads_no_numerical_library() -> None:
    heavy = "{'numpy', 'pandas', 'matplotlib'} & set(sys.modules)"
    script = f"import sys; from swisssim.cli import run; run(['--help']); print(sorted({heavy}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "--version")
    assert code == 0
    assert swisssim.__version__ in out


def test_systems_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "systems")
    assert code == 0
    for name, kind in swisssim.SYSTEMS.items():
        assert name in out
        assert kind.summary in out
        assert kind.source in out
    code, out, _ = run(capfd, "systems", "--json")
    assert {row["name"]: row["options"] for row in json.loads(out)} == {
        n: k.OPTIONS for n, k in swisssim.SYSTEMS.items()
    }


def test_models_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "models")
    assert code == 0
    assert all(kind.description in out for kind in MODELS.values())
    code, out, _ = run(capfd, "models", "--json")
    assert [row["name"] for row in json.loads(out)] == list(MODELS)


# ---------------------------------------------------------------------- compare


def test_compare_prints_a_table_and_writes_a_folder(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "compare", *SMALL)
    assert code == 0
    assert err == ""
    assert out.startswith("40 tournaments of 9 players and 4 rounds")
    assert "Kendall tau-a" in out
    assert "±" in out
    folder = Path("swisssim-compare")
    assert f"report: {folder / 'report.html'}" in out
    assert {"report.html", "summary.csv", "by_round.csv", "config.json", "run.log", "summary.parquet"} <= {
        path.name for path in folder.iterdir()
    }
    assert not (folder / "games").exists()


def test_only_the_log_knows_time_and_place(capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "compare", *SMALL, "--out", "somewhere", "--threads", "2")
    log = (Path("somewhere") / "run.log").read_text()
    assert "threads   2" in log
    assert "started   20" in log
    assert all(b"somewhere" not in data for data in contents(Path("somewhere")).values())


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_configuration_reproduces_every_byte(capfd: pytest.CaptureFixture[str], threads: str) -> None:
    rates = ["--half-bye", "0.05", "--forfeit", "0.05", "--postpone", "0.1", "--keep-games", "--margin", "tau=0.01"]
    assert run(capfd, "compare", *SMALL, *rates, "--threads", "1")[0] == 0
    again = ["--config", Path("swisssim-compare") / "config.json", "--out", "again", "--threads", threads]
    assert run(capfd, "compare", *again)[0] == 0
    first = contents(Path("swisssim-compare"))
    assert contents(Path("again")) == first
    assert "games/nordic/games.parquet" in first


def test_a_configuration_stands_alone(capfd: pytest.CaptureFixture[str]) -> None:
    run(capfd, "compare", *SMALL)
    code, _, err = run(capfd, "compare", "--config", "swisssim-compare/config.json", "--rounds", "3", "--out", "x")
    assert code == 3
    assert "leave out --rounds" in err
    code, _, err = run(capfd, "compare", "--config", "none.json", "--out", "x")
    assert code == 5
    assert "none.json" in err
    Path("bad.json").write_text("{}")
    code, _, err = run(capfd, "compare", "--config", "bad.json", "--out", "x")
    assert code == 3
    assert "bad.json" in err
    assert not Path("x").exists()


def test_output_for_machines(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "compare", *SMALL, "--json")
    assert code == 0
    assert "report:" in err
    data = json.loads(out)
    assert data["config"] == json.loads(Path("swisssim-compare/config.json").read_text())
    row = next(r for r in data["summary"] if r["metric"] == "tau" and r["system"] == "lottery")
    assert row["low"] < row["mean"] < row["high"]
    assert row["difference"] is not None
    code, out, _ = run(capfd, "compare", *SMALL, "--tsv", "--force")
    assert code == 0
    Path("out.tsv").write_text(out)
    table = pd.read_csv("out.tsv", sep="\t")
    assert len(table) == len(data["summary"])


def test_folders_are_replaced_only_if_asked_and_ours(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, "compare", *SMALL)[0] == 0
    before = contents(Path("swisssim-compare"))
    code, _, err = run(capfd, "compare", *SMALL, "--seed", "2")
    assert code == 3
    assert "--force" in err
    assert contents(Path("swisssim-compare")) == before
    assert run(capfd, "compare", *SMALL, "--seed", "2", "--force")[0] == 0
    assert contents(Path("swisssim-compare")) != before
    Path("foreign").mkdir()
    code, _, err = run(capfd, "compare", *SMALL, "--out", "foreign", "--force")
    assert code == 3
    assert "never replaced" in err


def test_a_place_below_a_file(capfd: pytest.CaptureFixture[str]) -> None:
    Path("file").write_text("")
    code, _, err = run(capfd, "compare", *SMALL, "--out", "file/out")
    assert code == 5
    assert "file" in err


def test_the_stop_rule(capfd: pytest.CaptureFixture[str]) -> None:
    options = [*QUICK, "--players", "9", "--rounds", "4", "--systems", "nordic,lottery"]
    code, out, _ = run(capfd, "compare", *options, "--until-halfwidth", "imbalance=0.05")
    assert code == 0
    assert out.startswith("500 tournaments")
    assert "where the comparison stopped; 0.05 was wanted" in out
    code, out, _ = run(capfd, "compare", *SMALL, "--until-halfwidth", "tau=1e-9", "--of-differences", "--force")
    assert code == 0
    assert "differences in tau" in out


def test_variants_and_models_have_options(capfd: pytest.CaptureFixture[str]) -> None:
    systems = "regulated,regulated:colour_limits=no"
    options = [
        *QUICK,
        "--players",
        "9",
        "--rounds",
        "4",
        "--tournaments",
        "20",
        "--systems",
        systems,
        "--mean",
        "1800",
        "--sd",
        "200",
    ]
    code, out, _ = run(
        capfd, "compare", *options, "--model", "elo:draw=0.3:white_advantage=20", "--initial-colour", "black"
    )
    assert code == 0
    assert "regulated(colour_limits=False)" in out
    saved = json.loads(Path("swisssim-compare/config.json").read_text())
    assert saved["model"]["parameters"] == {"draw": 0.3, "white_advantage": 20.0}
    assert saved["field"]["kind"] == "normal"
    assert saved["initial_colour"] == "black"


# ---------------------------------------------------------------------- fields of real events


def test_the_field_of_an_event(capfd: pytest.CaptureFixture[str]) -> None:
    file = DATA / "cases" / "O23_five_players_one_requested_bye.trf"
    code, out, _ = run(capfd, "compare", *QUICK, "--field", file, "--tournaments", "10", "--systems", "nordic,amalfi")
    assert code == 0
    players = sum(line.startswith("001") for line in file.read_text().splitlines())
    assert f"of {players} players" in out
    assert f"Players of {file.name}; " in out
    assert "rounds as the file says" in out
    assert str(DATA) not in Path("swisssim-compare/config.json").read_text()


@pytest.mark.parametrize("announced", [None, 40])
def test_rounds_of_an_event_that_names_none(capfd: pytest.CaptureFixture[str], announced: int | None) -> None:
    lines = [f"XXR {announced}"] if announced else []
    lines += [f"001 {k:4}      {f'Player {k}':33} {r:4}" for k, r in enumerate((2000, 1900, 0, 1700, 1600, 0), 1)]
    Path("event.trf").write_text("\n".join(lines) + "\n")
    code, out, _ = run(capfd, "compare", *QUICK, "--field", "event.trf", "--tournaments", "5", "--systems", "amalfi")
    assert code == 0
    assert "5 rounds = min(7, players - 1)" in out
    assert ("the file names no number" in out) == (announced is None)
    assert "2 of 6 players have no rating and are taken as 1400" in out
    code, out, _ = run(
        capfd, "compare", *QUICK, "--field", "event.trf", "--tournaments", "5", "--systems", "amalfi", "--force", "--unrated", "1500",
        "--rounds", "3",
    )  # fmt: skip
    assert code == 0
    assert "6 players and 3 rounds" in out
    assert "taken as 1500" in out


@pytest.mark.parametrize("file", sorted((DATA / "cases").glob("*.trf")), ids=lambda path: path.stem)
def test_every_case_makes_a_field_or_a_clean_error(capfd: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, err = run(capfd, "compare", *QUICK, "--field", file, "--tournaments", "2", "--systems", "lottery")
    assert code in (0, 3)
    assert (f"Players of {file.name}" in out) if code == 0 else err


# ---------------------------------------------------------------------- wrong requests


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["comprae"], 3, "did you mean 'compare'"),
        (["compare", "--playerz", "3"], 3, "--playerz"),
        (["compare", "--players", "many"], 3, "many"),
        (["compare", "extra"], 3, "extra"),
        (["compare", "--systems", "nordik"], 3, "did you mean 'nordic'"),
        (["compare", "--systems", ","], 3, "names no system"),
        (["compare", "--systems", "nordic:limits"], 3, "OPTION=VALUE"),
        (["compare", "--systems", "nordic:limits=1"], 3, "limits"),
        (["compare", "--systems", "nordic", "--baseline", "amalfi"], 3, "unknown baseline"),
        (["compare", "--model", "milvang"], 3, "milvang2015"),
        (["compare", "--players", "1"], 3, "not 1"),
        (["compare", "--players", "-4"], 3, "not -4"),
        (["compare", "--players", "8", "--rounds", "8"], 3, "rounds is 8"),
        (["compare", "--tournaments", "0"], 3, "tournaments is 0"),
        (["compare", "--threads", "0"], 3, "threads is 0"),
        (["compare", "--seed", "-1"], 3, "seed is -1"),
        (["compare", "--low", "nan"], 3, "nan"),
        (["compare", "--low", "2000", "--high", "1000"], 3, "2000 > 1000"),
        (["compare", "--mean", "1800"], 3, "--sd"),
        (["compare", "--mean", "1800", "--sd", "5", "--low", "3"], 3, "exclude"),
        (["compare", "--unrated", "1500"], 3, "--field"),
        (["compare", "--field", "x.trf", "--players", "4"], 3, "leave out --players"),
        (["compare", "--field", "none.trf"], 5, "none.trf"),
        (["compare", "--half-bye", "2"], 3, "half_bye is 2"),
        (["compare", "--initial-colour", "green"], 3, "green"),
        (["compare", "--tie-breaks", "BHX"], 3, "BHX"),
        (["compare", "--until-halfwidth", "tau"], 3, "METRIC=NUMBER"),
        (["compare", "--until-halfwidth", "tua=0.1"], 3, "did you mean 'tau'"),
        (["compare", "--of-differences"], 3, "--until-halfwidth"),
        (["compare", "--margin", "tau=x"], 3, "METRIC=NUMBER"),
        (["compare", "--json", "--tsv"], 3, "exclude"),
        (["systems", "--csv"], 3, "--csv"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_requests(capfd: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str) -> None:
    found, _, err = run(capfd, *arguments)
    assert found == code
    assert said in err
    assert not Path("swisssim-compare").exists()


def test_words_mean_values() -> None:
    assert [value_of(text) for text in ("yes", "False", "none", "3", "0.5", "rule")] == [
        True,
        False,
        None,
        3,
        0.5,
        "rule",
    ]
    assert named("elo:draw=0.3:white_advantage=20") == ("elo", {"draw": 0.3, "white_advantage": 20})
    with pytest.raises(SwissError, match="OPTION=VALUE"):
        named("elo:draw")


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows end differently")
@pytest.mark.parametrize("arguments", [["systems"], ["models"], ["compare", "--help"], ["compare", *SMALL]])
def test_a_reader_who_has_seen_enough_is_no_error(tmp_path: Path, arguments: list[str]) -> None:
    """``swisssim ... | head -1``: nothing on standard error, exit code 0, and the folder is there."""
    end, pipe = os.pipe()
    os.close(end)
    command = [sys.executable, "-m", "swisssim", *arguments]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, stdout=pipe, stderr=subprocess.PIPE, check=False)
    os.close(pipe)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "swisssim-compare").exists() == ("--help" not in arguments and "compare" in arguments)


def test_control_c_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "swisssim", "compare", "--tournaments", "1000000", "--systems", "nordic,lottery"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=ENVIRONMENT
    ) as process:
        time.sleep(6)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "interrupted" in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
