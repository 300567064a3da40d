"""Comparisons: common luck, exact sums whatever the threads, what the tables say, notes, stop rule, folders."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import swisssim
from swisssim import Comparison, Field, Participation, SwissError, compare, floats, simulate
from swisssim.compare import DEFAULT_SYSTEMS, HEADLINES, TABLES, Plan, load_config
from swisssim.metrics import pick
from swisssim.models import model
from swisssim.statistics import StopRule

FIELD = Field.uniform(players=9, low=1400, high=2200)
EVERYTHING = Participation(half_bye=0.05, zero_bye=0.03, forfeit=0.04, withdraw=0.02, late=0.05, postpone=0.1, delay=2)


def small(systems: Any = ("nordic", "amalfi", "lottery"), field: Field = FIELD, **more: Any) -> Comparison:
    return compare(
        systems, field, **{"rounds": 5, "tournaments": 60, "resamples": 50, "progress": False, "threads": 1, **more}
    )


@pytest.fixture(scope="module")
def study() -> Comparison:
    return small()


def frames(comparison: Comparison) -> list[str]:
    tables = (comparison.table, comparison.scalars, comparison.tournaments, comparison.histograms)
    return [frame.to_csv() for frame in tables]


def value(study: Comparison, system: str, metric: str, column: str = "mean") -> Any:
    rows = study.scalars
    return rows[(rows["system"] == system) & (rows["metric"] == metric)][column].item()


# ---------------------------------------------------------------------- the same luck, the same bytes


@pytest.mark.parametrize("more", [{"threads": 2, "block": 7}, {"threads": 3, "block": 1}, {"block": 1000}])
def test_threads_and_blocks_change_no_byte(more: dict[str, int]) -> None:
    settings = {"participation": EVERYTHING, "tournaments": 21}
    assert frames(small(**settings, **more)) == frames(small(**settings))


def test_an_executor_changes_no_byte(study: Comparison) -> None:
    with ThreadPoolExecutor(max_workers=2) as pool:
        assert frames(small(executor=pool)) == frames(study)


@pytest.mark.slow
def test_an_executor_of_processes_changes_no_byte(study: Comparison) -> None:
    with ProcessPoolExecutor(max_workers=2) as pool:
        assert frames(small(executor=pool)) == frames(study)


def test_a_system_alone_has_the_same_numbers(study: Comparison) -> None:
    alone = small(["amalfi"])
    columns = ["metric", "mean", "low", "high", "boot_low", "boot_high"]
    together = study.table[study.table["system"] == "amalfi"][columns].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone.table[columns], together, check_exact=True)


def test_the_numbers_are_those_of_simulate(study: Comparison) -> None:
    results = simulate("amalfi", FIELD, rounds=5, tournaments=60, progress=False, threads=1)
    games = pick(floats.metrics(results), "float_games").values
    row = study.scalars[(study.scalars["system"] == "amalfi") & (study.scalars["metric"] == "float_games")].iloc[0]
    assert row["mean"] == pytest.approx(games.mean(), abs=1e-12)
    assert row["high"] - row["mean"] == pytest.approx(1.959963984540054 * games.std(ddof=1) / np.sqrt(60), rel=1e-9)
    assert row["tournaments"] == 60


def test_differences_are_paired(study: Comparison) -> None:
    rows = study.tournaments.pivot(index="tournament", columns="system", values="imbalance")
    by = rows["amalfi"] - rows["nordic"]
    row = study.scalars[(study.scalars["system"] == "amalfi") & (study.scalars["metric"] == "imbalance")].iloc[0]
    assert row["difference"] == pytest.approx(by.mean(), abs=1e-12)
    half = 1.959963984540054 * by.std(ddof=1) / np.sqrt(60)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((by.mean() - half, by.mean() + half))


def test_a_system_does_not_differ_from_itself() -> None:
    # nobody forfeits, so that the option changes nothing
    variant = swisssim.system("nordic", forfeits_count_as_met=True)
    same = small(["nordic", variant])
    assert same.systems == ("nordic", "nordic(forfeits_count_as_met=True)")
    words = same.table[same.table["system"] != "nordic"]
    assert set(words["verdict"]) <= {"equal", ""}
    assert (words["difference"].dropna() == 0).all()


# ---------------------------------------------------------------------- tables and verdicts


def test_headlines_are_metrics(study: Comparison) -> None:
    assert {name for names in HEADLINES.values() for name in names} <= set(study.plan.metric_names)


def test_defaults() -> None:
    assert set(DEFAULT_SYSTEMS) == set(swisssim.SYSTEMS)
    assert compare(field=FIELD, rounds=3, tournaments=2, progress=False).systems == DEFAULT_SYSTEMS
    assert small(["lottery", "dutch"], tournaments=2).baseline == "dutch"
    assert small(["lottery", "nordic"], tournaments=2).baseline == "lottery"
    assert small(["lottery", "nordic"], tournaments=2, baseline="nordic").baseline == "nordic"


def test_verdicts_follow_the_better_direction(study: Comparison) -> None:
    assert value(study, "lottery", "imbalance", "verdict") == "worse"
    assert small(["lottery", "nordic"], tournaments=60).verdicts["nordic", "imbalance"] == "better"
    # a rating difference is neither good nor bad
    assert value(study, "amalfi", "rating_gap", "verdict") in ("higher", "lower", "undecided")
    assert value(study, "nordic", "imbalance", "verdict") == ""


def test_margins_make_differences_matter_or_not() -> None:
    wide = small(margins={"imbalance": 5.0, "tau": 0.0})
    assert value(wide, "lottery", "imbalance", "verdict") == "equivalent"
    narrow = small(margins={"imbalance": 0.01})
    assert value(narrow, "lottery", "imbalance", "verdict") == "worse"


def test_metrics_by_dims(study: Comparison) -> None:
    rounds = study.by("round")
    assert set(rounds["label"]) == {"1", "2", "3", "4", "5", "never"}
    one = study.metric("due_miss_by_round")
    assert list(one["round"][:5]) == ["1", "2", "3", "4", "5"]
    assert list(study.select(["tau", "imbalance"])["metric"]) == ["tau"] * 3 + ["imbalance"] * 3


def test_concentration_of_byes(study: Comparison) -> None:
    assert value(study, "nordic", "bye_gini") > value(study, "lottery", "bye_gini")
    distance = study.scalars[study.scalars["metric"] == "bye_distance"]
    assert list(distance["system"]) == ["nordic", "amalfi"]
    assert distance["mean"].between(0, 1).all()


def test_games_are_kept_if_asked_for(study: Comparison) -> None:
    kept = small(keep_games=True, block=25)
    assert kept.results["amalfi"] == simulate("amalfi", FIELD, rounds=5, tournaments=60, progress=False, threads=1)
    assert frames(kept) == frames(study)
    assert study.results == {}


# ---------------------------------------------------------------------- thin and missing data


def test_few_tournaments_are_noted() -> None:
    thin = small(tournaments=3)
    assert any("Only 3 tournaments" in note for note in thin.notes)
    one = small(tournaments=1)
    assert set(one.scalars[one.scalars["metric"] == "imbalance"]["note"]) == {"one tournament: no interval"}


def test_no_byes_are_noted() -> None:
    even = small(field=Field.uniform(players=8, low=1400, high=2200))
    assert not even.has_byes
    assert any("no pairing-allocated bye" in note for note in even.notes)
    assert np.isnan(value(even, "nordic", "bye_gain"))
    assert value(even, "nordic", "bye_gain", "note").startswith("not defined")


def test_equal_strengths_are_noted() -> None:
    equal = small(field=Field.from_ratings([1800.0] * 9))
    assert any("all strengths are equal" in note and "tau" in note for note in equal.notes)


def test_stopped_tournaments_are_noted() -> None:
    # in the last of six players' five rounds nordic and lottery can find no legal pairing where amalfi looks ahead
    study = small(["nordic", "amalfi"], field=Field.uniform(players=6, low=1400, high=2200), tournaments=200)
    stopped = {name: value(study, name, "stopped") for name in study.systems}
    noted = {
        name for name in study.systems if any(note.startswith(f"{name} could not complete") for note in study.notes)
    }
    assert noted == {name for name, share in stopped.items() if share > 0}
    assert noted, stopped
    left_out = 1 - study.summary.kept / 200
    marked = study.table[(study.table["system"] == "amalfi") & (study.table["metric"] == "imbalance")]["note"].item()
    assert left_out > 0.01
    assert "difference without" in marked


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 1), (3, 2), (5, 1), (5, 2)])
def test_tiny_events(players: int, rounds: int) -> None:
    study = small(field=Field.uniform(players=players, low=1400, high=2200), rounds=rounds, tournaments=5)
    rows = study.table
    assert (rows["note"][rows["mean"].isna()] != "").all()


# ---------------------------------------------------------------------- stop rule


def test_the_stop_rule_stops_at_a_look() -> None:
    rule = StopRule(name="imbalance", half_width=0.05, minimum=40, maximum=1000)
    study = small(until_halfwidth=rule, tournaments=1000, threads=2, block=9)
    assert study.summary.tournaments in set(rule.looks())
    assert study.summary.tournaments < 1000
    assert any("where the comparison stopped" in note for note in study.notes)
    assert frames(study) == frames(small(until_halfwidth=rule, tournaments=1000))


def test_the_stop_rule_ends_at_the_limit() -> None:
    study = small(until_halfwidth=("tau", 1e-6), tournaments=30)
    assert study.summary.tournaments == 30
    assert any("the most that were allowed" in note for note in study.notes)


def test_rows_and_lines_are_bounded(study: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["swisssim.compare._plan"], "_ROWS", 100)
    monkeypatch.setattr(sys.modules["swisssim.compare"], "_IN_LINE", 17)
    bounded = small(block=5)
    assert frames(bounded)[:2] == frames(study)[:2]
    first = study.tournaments[study.tournaments["tournament"] < 33].reset_index(drop=True)
    pd.testing.assert_frame_equal(bounded.tournaments, first, check_exact=True)
    assert any("the first 33 only" in note for note in bounded.notes)


# ---------------------------------------------------------------------- wrong requests


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"systems": []}, "at least one system"),
        ({"systems": ["nordik"]}, "did you mean 'nordic'"),
        ({"systems": ["nordic", "nordic"]}, "stands twice"),
        ({"baseline": "dutch2012"}, "unknown baseline"),
        ({"resamples": -1}, "resamples is -1"),
        ({"tournaments": 0}, "tournaments is 0"),
        ({"tournaments": 1.5}, "tournaments is 1.5"),
        ({"rounds": 10}, "rounds is 10"),
        ({"threads": 0}, "threads is 0"),
        ({"block": 0}, "block is 0"),
        ({"margins": {"tauu": 1.0}}, "did you mean 'tau'"),
        ({"margins": {"tau": -1.0}}, "margin of tau is -1.0"),
        ({"margins": {"tau": float("nan")}}, "margin of tau is nan"),
        ({"until_halfwidth": ("tauu", 0.1)}, "unknown metric 'tauu'"),
        ({"until_halfwidth": ("tau", 0.0)}, "half-width must be positive"),
        ({"tie_breaks": ["BH", "BHX"]}, "BHX"),
        ({"model": "elo2"}, "unknown model"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_wrong_requests_are_named(more: dict[str, Any], said: str) -> None:
    with pytest.raises(SwissError, match=said.replace("(", r"\(")):
        small(**more)


# ---------------------------------------------------------------------- configuration


def plan(**more: Any) -> Plan:
    systems = (swisssim.system("regulated", colour_limits=False), swisssim.system("lottery"))
    settings: dict[str, Any] = {
        "systems": systems,
        "field": Field.from_ratings([2000, 1900, 1800, 1700, 1600], form_sd=50.0),
        "rounds": 3,
        "tournaments": 40,
        "model": model("elo", draw=0.3),
        "seed": 7,
        "initial_colour": "white",
        "participation": EVERYTHING,
        "tie_breaks": ("BH", "SB"),
        "margins": {"tau": 0.01},
        "until": StopRule(name="tau", half_width=0.01, minimum=20, maximum=40),
        "notes": ("a note",),
    }
    return Plan(**{**settings, **more})


def test_a_plan_survives_its_configuration() -> None:
    asked = plan()
    saved = json.loads(json.dumps(asked.to_dict()))
    again = Plan.from_dict(saved)
    assert again.to_dict() == asked.to_dict()
    assert again.names == ("regulated(colour_limits=False)", "lottery")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "something"}, "no configuration of a comparison"),
        ({"roundz": 3}, "unknown entry of the configuration 'roundz': did you mean 'rounds'"),
        ({"rounds": None}, "rounds is None"),
        ({"rounds": "7"}, "rounds is '7'"),
        ({"systems": "nordic"}, "entry 'systems'"),
        ({"systems": [{"name": "nordic", "options": {"x": 1}}]}, "x"),
        ({"field": 5}, "entry 'field'"),
        ({"field": {"kind": "uniform", "players": 9}}, "needs low, high"),
        ({"model": {}}, "entry 'model'"),
        ({"participation": {"late": 2}}, "late is 2"),
        ({"participation": {"later": 0}}, "entry 'participation'"),
        ({"until": [1]}, "entry 'until'"),
        ({"margins": 3}, "entry 'margins'"),
    ],
)
def test_wrong_configurations_are_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({**plan().to_dict(), **change}), encoding="utf-8")
    with pytest.raises(SwissError, match=said) as caught:
        load_config(file)
    assert str(file) in str(caught.value)


def test_what_is_no_configuration(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    for text, said in (
        ("{", "no JSON file"),
        ("[]", "no configuration"),
        ('{"kind": "swisssim compare"}', "no entry 'systems'"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(SwissError, match=said):
            load_config(file)
    with pytest.raises(FileNotFoundError):
        load_config(tmp_path / "none.json")


# ---------------------------------------------------------------------- folders


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_folder_holds_everything(tmp_path: Path) -> None:
    kept = small(keep_games=True, tournaments=20)
    kept.save(tmp_path / "out")
    files = contents(tmp_path / "out")
    assert {*TABLES, "summary.parquet", "tournaments.parquet", "config.json"} <= set(files)
    assert "games/amalfi/games.parquet" in files
    summary = pd.read_csv(tmp_path / "out" / "summary.csv")
    assert summary["mean"].to_numpy() == pytest.approx(kept.scalars["mean"].to_numpy(), nan_ok=True, rel=1e-15)
    assert len(pd.read_parquet(tmp_path / "out" / "tournaments.parquet")) == 60
    header = pq.read_schema(tmp_path / "out" / "summary.parquet").metadata[b"swisssim"]
    assert json.loads(header) == kept.provenance
    again = swisssim.Results.load(tmp_path / "out" / "games" / "nordic")
    assert again == kept.results["nordic"]


def test_a_replayed_configuration_gives_the_same_bytes(tmp_path: Path, study: Comparison) -> None:
    from swisssim.compare import run

    study.save(tmp_path / "one")
    run(load_config(tmp_path / "one" / "config.json"), threads=2, block=11, progress=False).save(tmp_path / "two")
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


def test_only_our_folders_are_replaced_and_only_if_asked(tmp_path: Path, study: Comparison) -> None:
    place = tmp_path / "out"
    study.save(place)
    with pytest.raises(SwissError, match="holds an earlier comparison; force"):
        study.save(place)
    (place / "extra.txt").write_text("old")
    study.save(place, force=True)
    assert not (place / "extra.txt").exists()
    foreign = tmp_path / "thesis"
    foreign.mkdir()
    (foreign / "config.json").write_text('{"kind": "else"}')
    file = tmp_path / "file"
    file.write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(place)
    for path in (foreign, file, link):
        with pytest.raises(SwissError, match="never replaced"):
            study.save(path, force=True)
    assert file.read_text() == "mine"
    assert contents(foreign) == {"config.json": b'{"kind": "else"}'}


def test_a_failure_leaves_the_old_folder(tmp_path: Path, study: Comparison) -> None:
    place = tmp_path / "out"
    study.save(place)
    before = contents(place)

    def full_disk(path: Path) -> None:
        (path / "half.txt").write_text("half")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        study.save(place, force=True, extra=full_disk)
    assert contents(place) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_killed_run_leaves_the_old_folder(tmp_path: Path, study: Comparison) -> None:
    place = tmp_path / "out"
    study.save(place)
    before = contents(place)
    script = (
        "import sys, time, swisssim\n"
        "from pathlib import Path\n"
        "def wait(path):\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
        "field = swisssim.Field.uniform(players=6, low=1, high=2)\n"
        "swisssim.compare(['nordic'], field, rounds=2, tournaments=2, progress=False).save(sys.argv[1], force=True, extra=wait)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(place)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
    assert contents(place) == before


def test_control_c_stops_at_once() -> None:
    script = (
        "import _thread, threading, time, swisssim\n"
        "def press():\n"
        "    time.sleep(1.0)\n"
        "    print(time.monotonic(), flush=True)\n"
        "    _thread.interrupt_main()\n"
        "field = swisssim.Field.uniform(players=64, low=1400, high=2200)\n"
        "threading.Thread(target=press).start()\n"
        "try:\n"
        "    swisssim.compare(['nordic', 'lottery'], field, rounds=7, tournaments=1_000_000, progress=False, threads=2)\n"
        "except KeyboardInterrupt:\n"
        "    print(time.monotonic())\n"
    )
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    pressed, stopped = map(float, done.stdout.split())
    assert stopped - pressed < 10, time.monotonic() - start
