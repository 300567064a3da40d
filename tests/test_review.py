"""Reviews of real events: numbers as played, pooled and per event, and the counterfactual."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import swisssim
from swisssim import colour, review, trf
from swisssim.cli import run
from swisssim.review import AS_PLAYED, Review
from tests.trf_data import DATA, case, line, text

FILES = [
    DATA / "dutch" / name for name in ("d007_n11_r11.trf", "d009_n13_r3.trf", "d012_n16_r5.trf", "d014_n18_r13.trf")
]


@pytest.fixture(scope="module")
def found() -> Review:
    return review(FILES, systems=["nordic", "lottery"], tournaments=40, progress=False)


def test_events_and_columns(found: Review) -> None:
    assert [(event.players, event.rounds) for event in found.events] == [(11, 11), (13, 3), (16, 5), (18, 13)]
    assert found.systems == (AS_PLAYED, "nordic", "lottery")
    assert found.summary.tournaments == 4
    assert found.has_byes
    assert any("Only 4 events" in note for note in found.notes)


def by_hand(path: Path) -> dict[str, float]:
    """Colour differences, floats and byes of an event, counted from the file."""
    report = trf.read(path)
    rounds = range(1, report.rounds_played + 1)
    difference, floats, games, gaps, byes = [], 0, 0, [], 0
    for number, player in report.players.items():
        entries = [report.entry(number, r) for r in rounds]
        byes += sum(entry.meaning == "PAIRING_BYE" for entry in entries)
        played = [entry.colour for entry in entries if entry.played]
        difference.append(abs(played.count("w") - played.count("b")))
        for r in rounds:
            other = report.entry(number, r).opponent
            if number < other:
                games += 1
                floats += report.points_of(number, r - 1) != report.points_of(other, r - 1)
                gaps.append(abs((player.rating or 0) - (report.players[other].rating or 0)))
    return {
        "imbalance": float(np.mean(difference)),
        "imbalance_2": float(np.mean([d >= 2 for d in difference])),
        "float_games": float(floats),
        "float_share": floats / games,
        "byes": float(byes),
        "rating_gap": float(np.mean(gaps)),
    }


@pytest.mark.parametrize("k", range(len(FILES)))
def test_numbers_of_an_event_are_those_counted_by_hand(found: Review, k: int) -> None:
    row = found.per_event[found.per_event["system"] == AS_PLAYED].iloc[k]
    for name, value in by_hand(FILES[k]).items():
        assert row[name] == pytest.approx(value), name


def test_pooled_mean_is_the_mean_over_events(found: Review) -> None:
    for system in found.systems:
        values = found.per_event.loc[found.per_event["system"] == system, "imbalance"]
        estimate = found.summary.estimates(system, "imbalance")[0]
        assert estimate.mean == pytest.approx(values.mean())
        assert estimate.low == pytest.approx(values.mean() - 1.959964 * values.std(ddof=1) / 2, abs=1e-5)


def test_share_of_byes_is_pooled_over_byes(found: Review) -> None:
    rows = found.per_event[found.per_event["system"] == AS_PLAYED]
    pooled = found.summary.estimates(AS_PLAYED, "bye_to_lowest")[0].mean
    assert pooled == pytest.approx((rows["bye_to_lowest"].fillna(0) * rows["byes"]).sum() / rows["byes"].sum())


def test_counterfactual_is_that_of_the_same_field(found: Review) -> None:
    rows = found.per_event[found.per_event["system"] == "lottery"]
    report = trf.read(FILES[2])
    field = swisssim.Field.from_dict(
        {"kind": "ratings", "players": 16, "ratings": [float(p.rating or 0) for p in report.players.values()]}
    )
    shape = swisssim.events.like(report, system="lottery")
    runs = swisssim.simulate(
        "lottery", field, rounds=5, tournaments=40, participation=shape.participation, progress=False
    )
    expected = next(metric for metric in colour.metrics(runs) if metric.name == "imbalance").mean
    assert rows.iloc[2]["imbalance"] == pytest.approx(float(expected))
    lottery, nordic = (found.summary.estimates(name, "imbalance")[0].mean for name in ("lottery", "nordic"))
    assert lottery > nordic


def test_workers_and_repetition_change_nothing(found: Review) -> None:
    again = review(FILES, systems=["nordic", "lottery"], tournaments=40, workers=2, progress=False)
    pd.testing.assert_frame_equal(again.table, found.table)
    pd.testing.assert_frame_equal(again.per_event, found.per_event)


class _Page(HTMLParser):
    """Counts elements, and finds what would need a network."""

    def __init__(self) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        self.outside += [value for name, value in attrs if name in ("src", "href") and value and "//" in value]


def test_command_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "review"
    arguments = [
        "review",
        *map(str, FILES),
        "--as",
        "nordic",
        "--tournaments",
        "10",
        "--out",
        str(out),
        "--workers",
        "1",
    ]
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    assert "4 events with 58 players and 32 rounds in all." in shown
    assert "colour imbalance" in shown
    assert {path.name for path in out.iterdir()} == {
        "report.html",
        "summary.csv",
        "events.csv",
        "notes.csv",
        "config.json",
    }
    assert len(pd.read_csv(out / "events.csv")) == 8
    page = _Page()
    page.feed((out / "report.html").read_text(encoding="utf-8"))
    assert page.count["svg"] == 8
    assert not page.outside
    assert json.loads((out / "config.json").read_text())["files"][0]["name"] == "d007_n11_r11.trf"
    assert run(arguments) == 3
    assert "holds an earlier review" in capsys.readouterr().err
    assert run([*arguments, "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["config"]["tournaments"] == 10
    assert run([*arguments[:-4], "--out", str(tmp_path)]) == 3


def test_names_are_escaped(tmp_path: Path) -> None:
    source = trf.read(FILES[1])
    source.headers["012"] = ["<script>alert(1)</script>"]
    trf.write(source, tmp_path / "x.trf")
    assert run(["review", str(tmp_path / "x.trf"), "--out", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_files_that_cannot_be_reviewed_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = [str(case("O10_0000_w_without_result")), str(case("O18_zpb_not_paired"))]
    assert run(["review", *bad, str(FILES[1]), "--out", str(tmp_path / "a")]) == 3
    shown = capsys.readouterr().out
    assert shown.count("Not reviewed") == 2
    assert "no round was played" in shown
    assert run(["review", *bad, "--out", str(tmp_path / "b")]) == 3
    assert not (tmp_path / "b").exists()
    assert run(["review", str(tmp_path / "nothing.trf"), "--out", str(tmp_path / "b")]) == 5


def test_unrated_players_postponed_games_and_forfeits(tmp_path: Path) -> None:
    rows = [line(1, "3 w ?", rating="0"), line(2, "4 w +"), line(3, "1 b ?"), line(4, "2 b -"), line(5, "0000 - U")]
    path = tmp_path / "x.trf"
    path.write_text(text(*rows, "142 3", "152 W"))
    made = review(path, systems=["amalfi"], tournaments=5, progress=False)
    assert any("1 of 5 players have no rating and are taken as 1400" in note for note in made.events[0].notes)
    row = made.per_event.iloc[0]
    assert (row["byes"], row["float_games"]) == (1, 0)
    assert row["imbalance"] == pytest.approx(2 / 5)


def test_impossible_requests() -> None:
    for settings, message in (
        ({"tournaments": 0}, "tournaments is 0"),
        ({"systems": ["nordic", "nordic"]}, "stands twice"),
        ({"systems": ["nordik"]}, "did you mean 'nordic'"),
        ({"unrated": 0.0}, "unrated is 0"),
    ):
        with pytest.raises(swisssim.SwissError, match=message):
            review(FILES[:1], progress=False, **settings)
