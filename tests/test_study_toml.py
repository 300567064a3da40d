"""Reading studies: every mistake is named with its file, line and key; the grid is what the lists say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swisssim import cli, study
from swisssim.errors import SwissError
from swisssim.study._design import usual_chunk
from tests.studies import SMALL

REPORT = """\
001    1      Player One                        2100
001    2      Player Two                        2000
001    3      Player Three
001    4      Player Four                       1900
"""


def load(folder: Path, text: str) -> study.Study:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return study.load(path)


def test_an_empty_study_is_the_default_comparison(tmp_path: Path) -> None:
    [cell] = load(tmp_path, "").cells
    assert cell.plan.tournaments == 2000
    assert cell.plan.rounds == 7
    assert cell.plan.field.players == 64
    assert set(cell.plan.names) == set(study.KEYS["systems"][1])
    assert load(tmp_path, "").name == "study"


def test_lists_make_a_grid(tmp_path: Path) -> None:
    text = """
        systems = ["nordic", { name = "regulated", colour_limits = false }]
        rounds = [3, 4]
        models = ["milvang2015", { name = "elo", draw = 0.3 }, "certain"]
        seeds = [1, 2]
        [[fields]]
        players = [8, 9]
        low = 1400
        high = 2200
        [[fields]]
        name = "peers"
        kind = "normal"
        players = 10
        mean = 1800
        sd = 100
    """
    found = load(tmp_path, text)
    assert len(found.cells) == 3 * 2 * 3 * 2
    assert [cell.number for cell in found.cells] == list(range(1, 37))
    assert found.cells[0].plan.names == ("nordic", "regulated(colour_limits=False)")
    assert found.cells[-1].coordinates == {
        "cell": 36,
        "field": "peers",
        "players": 10,
        "rounds": 4,
        "model": "certain",
        "seed": 2,
    }
    assert {cell.coordinates["model"] for cell in found.cells} == {
        "milvang2015",
        "elo(draw=0.3, white_advantage=35.0)",
        "certain",
    }


def test_everything_else_reaches_the_plan(tmp_path: Path) -> None:
    text = """
        baseline = "lottery"
        initial_colour = "white"
        tie_breaks = ["BH", "SB"]
        resamples = 0
        keep_games = true
        chunk = 7
        tournaments = 20
        participation = { late = 0.1, delay = 2 }
        points = { win = 3, draw = 1 }
        margins = { tau = 0.01 }
    """
    [cell] = load(tmp_path, text).cells
    plan = cell.plan
    assert (plan.baseline, plan.initial_colour, plan.tie_breaks, plan.resamples) == (
        "lottery",
        "white",
        ("BH", "SB"),
        0,
    )
    assert (plan.keep_games, plan.participation.late, plan.participation.delay) == (True, 0.1, 2)
    assert (plan.points.win, plan.margins) == (30, {"tau": 0.01})
    assert [(task.first, task.count) for task in cell.tasks] == [(0, 7), (7, 7), (14, 6)]


def test_fields_of_every_kind(tmp_path: Path) -> None:
    (tmp_path / "event.trf").write_text(REPORT)
    text = """
        rounds = 3
        [[fields]]
        kind = "trf"
        file = "event.trf"
        unrated = 1500
        [[fields]]
        kind = "ratings"
        ratings = [1900, 2000, 1800]
        form_sd = 50
        [[fields]]
        kind = "histogram"
        players = 12
        edges = [1000, 1500, 2000]
        counts = [1, 3]
        [[fields]]
        kind = "teams"
        teams = 6
        boards = 4
        low = 1500
        high = 2000
    """
    found = load(tmp_path, text)
    assert [cell.plan.field.kind for cell in found.cells] == ["ratings", "ratings", "histogram", "teams"]
    assert [cell.plan.field.players for cell in found.cells] == [4, 3, 12, 6]
    assert found.cells[0].field == "event"
    assert found.cells[0].plan.field.to_dict()["ratings"] == [2100.0, 2000.0, 1500.0, 1900.0]
    again = study.Study.from_dict(found.to_dict())
    assert again.fingerprint == found.fingerprint
    assert again.cells[0].text == found.cells[0].text


def test_chunks_depend_on_the_study_alone() -> None:
    assert usual_chunk(100, 9, 1_000_000) == 5000
    assert usual_chunk(64, 7, 2000) == 100
    assert usual_chunk(64, 7, 64_000) == 1000
    assert usual_chunk(1000, 13, 10_000) == 34
    assert usual_chunk(30_000, 200, 10) == 1


def test_shards_share_every_chunk_once(tmp_path: Path) -> None:
    found = load(tmp_path, SMALL)
    parts = [found.part(study.Shard(k, 5)) for k in range(1, 6)]
    assert sorted(task for part in parts for task in part) == sorted(found.tasks)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


FIELDS = "[[fields]]\nplayers = 8\nlow = 1\nhigh = 2\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('name = "x"\nsystms = ["nordic"]\n', 2, "systms: unknown key of a study 'systms': did you mean 'systems'?"),
        (
            'systems = [\n  "nordic",\n  "amalfy",\n]',
            3,
            "systems, entry 2: unknown system 'amalfy': did you mean 'amalfi'?",
        ),
        ('systems = "nordic"', 1, "systems: must be a list, not a text ('nordic')"),
        ("systems = []", 1, "systems: must not be an empty list"),
        ('systems = ["nordic", 3]', 1, "systems, entry 2: must be a text or a table, not a whole number (3)"),
        ('systems = ["nordic", "nordic"]', 1, "systems: system 'nordic' stands twice"),
        ('systems = [{ nam = "nordic" }]', 1, "systems, entry 1: must have a name"),
        ('systems = [{ name = "nordic", forfeit_count_as_met = true }]', 1, "did you mean 'forfeits_count_as_met'?"),
        ('systems = [{ name = "nordic", forfeits_count_as_met = 2 }]', 1, "systems, entry 1, forfeits_count_as_met:"),
        ('\nrounds = "7"', 2, "rounds: must be a whole number or a list, not a text ('7')"),
        ('rounds = [5,\n 6,\n "7"]', 3, "rounds, entry 3: must be a whole number, not a text ('7')"),
        ("rounds = true", 1, "rounds: must be a whole number or a list, not true or false (True)"),
        (f"rounds = [3, 70]\n{FIELDS}", 1, "rounds: rounds is 70; 8 players can play 1 to 7 rounds"),
        ("seeds = -1", 1, "seeds: seed is -1; it must be a whole number from 0"),
        ("tournaments = 0", 1, "tournaments: tournaments is 0; it must be a whole number from 1"),
        ("tournaments = 1e3", 1, "tournaments: must be a whole number, not a number (1000.0)"),
        ("chunk = 0", 1, "chunk: must be a whole number of tournaments from 1, not 0"),
        ("resamples = -1", 1, "resamples: resamples is -1"),
        ('baseline = "dutsch"', 1, "baseline: unknown baseline 'dutsch': did you mean 'dutch'"),
        ('initial_colour = "red"', 1, "initial_colour: initial_colour is 'lot', 'white' or 'black', not 'red'"),
        ('tie_breaks = ["BHH"]', 1, "tie_breaks: unknown tie-break 'BHH': did you mean 'BH'"),
        ("\n[margins]\n\ntua = 1", 2, "margins: unknown metric 'tua': did you mean 'tau'"),
        ('models = "milvang"', 1, "models: unknown model 'milvang': did you mean 'milvang20"),
        ('models = [{ name = "elo", draw = "davidsn" }]', 1, "models, entry 1, draw: unknown draw model of elo"),
        (
            'models = [{ name = "elo", drawn = 1 }]',
            1,
            "entry 1, drawn: unknown parameter of model 'elo' 'drawn': did you mean 'draw'",
        ),
        ("[participation]\n\nforfeit = 2", 3, "participation, forfeit: forfeit is 2; it must be a probability"),
        (
            "[participation]\nforfiet = 0.1",
            2,
            "participation, forfiet: unknown key of participation 'forfiet': did you mean",
        ),
        ('[points]\nwin = "3"', 2, "points, win: must be a whole number or a number, not a text ('3')"),
        ("points = { win = 0.5, draw = 1 }", 1, "points, win: points must not grow from win to draw to loss"),
        (
            f"{FIELDS}[[fields]]\nplayers = 8\nlow = 1\nhihg = 2",
            8,
            "fields, entry 2, hihg: unknown key of a uniform field",
        ),
        (
            f'{FIELDS}[[fields]]\nplayers = 8\nlow = 1\n\nhigh = "x"',
            9,
            "fields, entry 2, high: high of a uniform field",
        ),
        ("[[fields]]\nplayers = 8", 1, "fields, entry 1: a uniform field needs low, high"),
        ("[[fields]]\nplayers = []\nlow = 1\nhigh = 2", 2, "fields, entry 1, players: must not be an empty list"),
        ('[[fields]]\nplayers = [8, "9"]\nlow = 1\nhigh = 2', 2, "players: must be a whole number, not a text ('9')"),
        ('[[fields]]\nkind = "unform"', 2, "unknown kind of field 'unform': did you mean 'uniform'"),
        ('[[fields]]\nkind = ["uniform"]', 2, "fields, entry 1, kind: must be a text, not a list"),
        (
            '[[fields]]\nkind = "ratings"\nratings = 5',
            3,
            "fields, entry 1, ratings: must be a list, not a whole number",
        ),
        ('[[fields]]\nkind = "trf"', 1, "fields, entry 1: a trf field needs file"),
        ('[[fields]]\nkind = "trf"\nfile = 3', 3, "fields, entry 1, file: must be a text"),
        ("fields = [3]", 1, "fields, entry 1: must be a table, not a whole number (3)"),
    ],
)
def test_mistakes_are_named_with_line_and_key(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(SwissError) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'study.toml'}, line {line}: ")
    assert message in str(caught.value)


def test_what_is_no_toml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SwissError, match=r"is no TOML: .*line 2"):
        load(tmp_path, "rounds = 7\nseeds = = 3")
    with pytest.raises(SwissError, match="is no TOML"):
        load(tmp_path, "rounds = 7\nrounds = 8")
    with pytest.raises(SwissError, match="is no TOML"):
        load(tmp_path, f"x = {'[' * 5000}")
    path = tmp_path / "latin.toml"
    path.write_bytes('name = "Größe"'.encode("latin-1"))
    with pytest.raises(SwissError, match="is no text in UTF-8"):
        study.load(path)
    path.write_bytes(b"#" * (17 << 20))
    with pytest.raises(SwissError, match="a study is a short text"):
        study.load(path)
    assert cli.run(["study", str(tmp_path / "nowhere.toml"), "--out", str(tmp_path / "out")]) == 5
    assert "nowhere.toml: No such file or directory" in capsys.readouterr().err


def test_a_missing_report_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "study.toml").write_text('[[fields]]\nkind = "trf"\nfile = "missing.trf"')
    assert cli.run(["study", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out")]) == 5
    assert "missing.trf: No such file or directory" in capsys.readouterr().err


WORDS = st.sampled_from([*study.KEYS, "kind", "players", "low", "nordic", "x"])
VALUES = st.recursive(
    st.none().map(lambda _: "3")
    | st.integers(-5, 40).map(str)
    | st.floats(0, 1).map(str)
    | WORDS.map(lambda w: f'"{w}"'),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda v: f"[{', '.join(v)}]")
        | st.dictionaries(WORDS, inner, max_size=3).map(
            lambda v: f"{{{', '.join(f'{a} = {b}' for a, b in v.items())}}}"
        )
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.dictionaries(WORDS, VALUES, max_size=4))
def test_any_toml_is_read_or_refused_in_words(tmp_path: Path, values: dict[str, str]) -> None:
    text = "".join(f"{name} = {value}\n" for name, value in values.items())
    told = ""
    try:
        assert load(tmp_path, text).cells
    except SwissError as error:
        told = str(error)
    assert told == "" or told.startswith(str(tmp_path / "study.toml"))
