"""Studies: the tables of `compare`, in chunks; any workers, shards and order end in the same bytes."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars
import pytest

import swisssim
from swisssim import cli, study
from swisssim.compare import run as compare
from swisssim.errors import SwissError
from tests.studies import SMALL, contents, events, small

GAMES = "keep_games = true\n" + SMALL


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that one thread has run without interruption."""
    folder = tmp_path_factory.mktemp("whole")
    study.run(small(folder), folder / "out", threads=1, progress=False)
    return folder / "out"


@pytest.fixture(scope="module")
def with_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study with every game."""
    folder = tmp_path_factory.mktemp("games")
    study.run(small(folder, text=GAMES), folder / "out", threads=2, progress=False)
    return folder / "out"


def test_every_cell_has_the_tables_of_the_comparison(whole: Path, tmp_path: Path) -> None:
    for cell in study.read(whole).study.cells:
        comparison = compare(cell.plan, threads=2, block=7, progress=False)
        comparison.save(tmp_path / cell.name)
        own, theirs = contents(whole / "tables" / cell.name), contents(tmp_path / cell.name)
        assert own == {name: value for name, value in theirs.items() if name in own}
        assert theirs.keys() - own.keys() == {"tournaments.parquet"}
        rows = pd.read_parquet(whole / "tournaments" / f"cell={cell.number}")
        rows = rows.sort_values(["system", "tournament"], ignore_index=True).drop(columns="system")
        expected = comparison.tournaments.assign(system=comparison.tournaments["system"].astype(str))
        expected = expected.sort_values(["system", "tournament"], ignore_index=True).drop(columns="system")
        pd.testing.assert_frame_equal(rows, expected)


def test_configuration_of_a_cell_repeats_it(whole: Path, tmp_path: Path) -> None:
    config = whole / "tables" / "cell-002" / "config.json"
    assert cli.run(["compare", "--config", str(config), "--out", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "summary.csv").read_bytes() == (config.parent / "summary.csv").read_bytes()


def test_summary_over_the_grid(whole: Path) -> None:
    found = study.read(whole)
    assert found.finished
    assert found.chunks == 12
    assert list(found.cells["players"]) == [7, 8]
    summary = found.summary
    assert list(summary.columns[:6]) == ["cell", "field", "players", "rounds", "model", "seed"]
    assert set(summary["field"]) == {"club 7", "club 8"}
    tau = summary[(summary["metric"] == "tau") & (summary["system"] == "nordic")]
    means = [found.comparison(cell).summary.estimates("nordic", "tau")[0].mean for cell in (1, 2)]
    assert tau["mean"].tolist() == means
    assert tau["tournaments"].tolist() == [55, 55]


def test_comparison_of_a_cell_has_its_rows(whole: Path) -> None:
    found = study.read(whole).comparison(2)
    expected = compare(found.plan, threads=1, progress=False)
    for system in found.systems:
        np.testing.assert_array_equal(found.rows[system], expected.rows[system])
    with pytest.raises(SwissError, match="cell is 3; this study has the cells 1 to 2"):
        study.read(whole).comparison(3)


def test_threads_and_executors_give_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    asked = small(tmp_path)
    study.run(asked, tmp_path / "threads", threads=3, progress=False)
    with ThreadPoolExecutor(2) as pool:
        study.run(asked, tmp_path / "executor", executor=pool, progress=False)
    assert contents(tmp_path / "threads") == contents(whole)
    assert contents(tmp_path / "executor") == contents(whole)


def test_processes_give_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    study.run(small(tmp_path), tmp_path / "out", workers=2, progress=False)
    assert contents(tmp_path / "out") == contents(whole)


def test_simulate_and_compare_take_an_executor() -> None:
    field = swisssim.Field.uniform(players=9, low=1400, high=2200)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = swisssim.simulate("nordic", field, rounds=4, tournaments=20, block=6, executor=pool)
        found = swisssim.compare(["nordic", "lottery"], field, rounds=4, tournaments=20, block=6, executor=pool)
    assert results == swisssim.simulate("nordic", field, rounds=4, tournaments=20, threads=1)
    expected = swisssim.compare(["nordic", "lottery"], field, rounds=4, tournaments=20, threads=1)
    pd.testing.assert_frame_equal(found.table, expected.table, check_exact=True)


@pytest.mark.parametrize("together", [True, False])
def test_shards_join_to_the_whole(whole: Path, tmp_path: Path, together: bool) -> None:
    asked = small(tmp_path)
    places = [tmp_path / ("shards" if together else f"machine {k}") for k in (1, 2, 3)]
    for k, place in enumerate(places, 1):
        part = study.run(asked, place, shard=study.Shard(k, 3), threads=2, progress=False)
        assert part.finished
        assert part.folder == place / f"shard-000{k}-of-0003"
        with pytest.raises(SwissError, match="has no tables yet"):
            part.summary  # noqa: B018
    joined = study.merge(places[:1] if together else places, tmp_path / "out", progress=False)
    assert joined.finished
    assert contents(tmp_path / "out") == contents(whole)


def test_joining_in_the_folder_of_the_shards(whole: Path, tmp_path: Path) -> None:
    asked = small(tmp_path)
    for k in (1, 2):
        study.run(asked, tmp_path / "out", shard=study.Shard(k, 2), threads=2, progress=False)
    study.merge([tmp_path / "out"], progress=False)
    found = {name: value for name, value in contents(tmp_path / "out").items() if not name.startswith("shard-")}
    assert found == contents(whole)


def test_missing_shards_are_named_and_can_be_computed(whole: Path, tmp_path: Path) -> None:
    study.run(small(tmp_path), tmp_path / "shards", shard=study.Shard(1, 2), threads=2, progress=False)
    with pytest.raises(SwissError, match=r"6 of 12 chunks are in none of the shards, first chunk 1 of cell 1"):
        study.merge([tmp_path / "shards"], tmp_path / "out", progress=False)
    study.resume(tmp_path / "out", threads=2, progress=False)
    assert contents(tmp_path / "out") == contents(whole)


def test_shards_of_different_studies_are_not_joined(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        asked = small(tmp_path, text=f"seeds = {seed}\n{SMALL}")
        study.run(asked, tmp_path / name, shard=study.Shard(1, 6), threads=2, progress=False)
    with pytest.raises(SwissError, match="is of another study than"):
        study.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "out", progress=False)
    with pytest.raises(SwissError, match="Name a folder with --out"):
        study.merge([tmp_path / "a", tmp_path / "a"], progress=False)


def test_a_damaged_shard_is_named_and_left_out(tmp_path: Path) -> None:
    part = study.run(small(tmp_path), tmp_path / "shards", shard=study.Shard(1, 6), threads=2, progress=False)
    file = sorted((part.folder / "chunks").rglob("*.parquet"))[0]
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(SwissError, match="11 of 12 chunks are in none of the shards"):
        study.merge([tmp_path / "shards"], tmp_path / "out", progress=False)
    [problem] = events(tmp_path / "out", "problem")
    assert "damaged chunk 0 of cell 1" in problem["message"]
    assert file.name in problem["message"]


# ---- games


def test_games_are_those_of_simulate(with_games: Path) -> None:
    plan = study.read(with_games).study.cells[0].plan
    results = plan.simulations["nordic"].run(0, count=plan.tournaments)
    for table in ("games", "byes", "players"):
        found = pd.read_parquet(with_games / table / "cell=1" / "system=nordic")
        expected = getattr(results, table)
        pd.testing.assert_frame_equal(found, expected)


def test_partitions_are_read_by_pandas(with_games: Path) -> None:
    games = pd.read_parquet(with_games / "games")
    assert set(games["system"].astype(str)) == {"nordic", "lottery"}
    assert sorted(games["cell"].astype(int).unique()) == [1, 2]
    counts = games.groupby(["cell", "system"], observed=True)["tournament"].nunique()
    assert counts.tolist() == [55] * 4
    nordic = pd.read_parquet(with_games / "games", filters=[("system", "==", "nordic"), ("cell", "==", 2)])
    assert len(nordic) == 55 * 4 * 4


def test_partitions_are_read_by_polars_and_duckdb(with_games: Path) -> None:
    games = polars.read_parquet(with_games / "games" / "**" / "*.parquet", hive_partitioning=True)
    expected = pd.read_parquet(with_games / "games")
    assert set(games["system"].unique()) == {"nordic", "lottery"}
    assert len(games) == len(expected)
    query = (
        f"select cell, system, count(*) from read_parquet('{with_games}/games/**/*.parquet', hive_partitioning=true)"
    )
    rows = duckdb.sql(f"{query} group by all order by all").fetchall()
    assert sum(count for *_, count in rows) == len(expected)
    assert {system for _, system, _ in rows} == {"nordic", "lottery"}


def test_systems_with_options_are_told_apart_by_readers(tmp_path: Path) -> None:
    text = SMALL.replace('"nordic"', '{ name = "nordic", forfeits_count_as_met = true }')
    study.run(small(tmp_path, text=text, keep_games=True), tmp_path / "out", threads=2, progress=False)
    found = pd.read_parquet(tmp_path / "out" / "games")
    assert set(found["system"].astype(str)) == {"nordic(forfeits_count_as_met=True)", "lottery"}
    assert not [path for path in (tmp_path / "out").rglob("*") if "(" in path.name]


def test_keeping_games_changes_no_number(whole: Path, with_games: Path) -> None:
    for name in ("summary.csv", "cells.csv", "cell-001/by_round.csv", "cell-002/histograms.csv"):
        assert (whole / "tables" / name).read_bytes() == (with_games / "tables" / name).read_bytes()


# ---- the command


def test_command_runs_a_study_and_reports(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    assert cli.run(["study", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out"), "--threads", "2"]) == 0
    printed = capsys.readouterr()
    assert "two sizes: 2 cells, 110 tournaments, 12 chunks" in printed.out
    lines = [json.loads(line) for line in printed.err.splitlines()]
    assert [line["event"] for line in lines] == ["begin", *["chunk"] * 12, "tables", "end"]
    assert {"cell", "chunk", "chunks_done", "chunks", "tournaments_per_second", "seconds_left"} <= lines[5].keys()
    assert lines[-3]["chunks_done"] == 12
    assert lines[-3]["seconds_left"] == 0
    found = contents(tmp_path / "out")
    reports = {f"tables/cell-00{k}/report.html" for k in (1, 2)}
    assert {name: value for name, value in found.items() if name not in reports} == contents(whole)
    assert reports <= found.keys()


def test_command_joins_shards(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    out = str(tmp_path / "out")
    for shard in ("1/2", "2/2"):
        assert cli.run(["study", str(tmp_path / "study.toml"), "--out", out, "--shard", shard, "--threads", "2"]) == 0
    assert cli.run(["study", "merge", out, "--out", str(tmp_path / "joined"), "--no-reports"]) == 0
    assert "shard 2/2: 6 chunks" in capsys.readouterr().out
    assert contents(tmp_path / "joined") == contents(whole)


def test_command_lists_the_grid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    assert cli.run(["study", str(tmp_path / "study.toml"), "--list"]) == 0
    printed = capsys.readouterr().out
    assert "cell 2, field club 8, players 8, rounds 4, model milvang2015, seed 1" in printed
    assert "two sizes: 12 chunks" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a study"),
        (["study.toml"], "--out DIR is missing"),
        (["study.toml", "--out", "x", "--shard", "3/2"], "shard 3/2 does not exist"),
        (["study.toml", "--out", "x", "--shard", "three"], "it must be i/N"),
        (["study.toml", "--out", "x", "--threads", "0"], "threads is 0"),
        (["study.toml", "--out", "y", "--threads", "2", "--workers", "2"], "workers and threads exclude each other"),
        (["--resume", "nowhere"], "nowhere is no folder"),
        (["study.toml", "--resume", "x"], "--resume takes everything from the folder"),
        (["merge", "nowhere"], "nowhere is no folder"),
    ],
)
def test_wrong_requests(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.run(["study", *(arguments or ["--no-reports"])]) == 3
    printed = " ".join(capsys.readouterr().err.split())
    assert message in printed
    assert "Traceback" not in printed
