"""Files are data: nothing in them is executed, no pickle is loaded, no path in them leads out, and pages escape names."""

from __future__ import annotations

import ast
import json
import pickle
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import swisssim
from swisssim import cli, study
from swisssim.compare import load_config
from swisssim.errors import SwissError
from swisssim.study._chunk import unpacked
from tests.studies import SMALL, contents, small

PACKAGE = Path(__file__).parent.parent / "swisssim"
SCRIPT = "<script>alert(1)</script>"
NASTY = f"x</script>{SCRIPT}<img src=y onerror=alert(2)>'\"&"


class Bomb:
    """An object whose pickle, when it is loaded, makes a file."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.target,)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "executed"


@pytest.fixture
def bomb(target: Path) -> bytes:
    data = pickle.dumps(Bomb(target))
    pickle.loads(data)
    assert target.exists()
    target.unlink()
    return data


# ---- the source


def called(node: ast.Call) -> str:
    """Return the name that a call calls, with the object before it if there is one."""
    function = node.func
    if isinstance(function, ast.Attribute):
        before = function.value.id + "." if isinstance(function.value, ast.Name) else "."
        return before + function.attr
    return function.id if isinstance(function, ast.Name) else ""


FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "code", "runpy", "subprocess"}
FORBIDDEN_CALLS = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "os.system",
    "os.popen",
    "np.load",
    "pd.read_pickle",
    "pd.eval",
}


def test_nothing_in_the_package_can_execute_data() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.name}, line {getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Import):
                assert not {alias.name.split(".")[0] for alias in node.names} & FORBIDDEN_MODULES, where
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in FORBIDDEN_MODULES, where
            elif isinstance(node, ast.Call):
                assert called(node) not in FORBIDDEN_CALLS, where
                assert not any(keyword.arg == "allow_pickle" for keyword in node.keywords), where
    for path in PACKAGE.rglob("*.pyx"):
        assert not re.search(r"\b(pickle|marshal|eval|exec)\b\s*[(.]", path.read_text(encoding="utf-8")), path.name


# ---- Parquet


def test_a_pickle_in_parquet_is_not_loaded(tmp_path: Path, target: Path, bomb: bytes) -> None:
    field = swisssim.Field.uniform(players=6, low=1400, high=2200)
    path = tmp_path / "results.parquet"
    swisssim.simulate("nordic", field, rounds=3, tournaments=2, progress=False).save(path)
    table = pq.read_table(path)
    spoilt = pa.field(
        "tournament",
        pa.int64(),
        metadata={b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": bomb},
    )
    schema = table.schema.set(table.schema.get_field_index("tournament"), spoilt)
    with pq.ParquetWriter(path, schema.with_metadata(table.schema.metadata)) as writer:
        writer.write_table(table.cast(schema))
    swisssim.Results.load(path)
    assert not target.exists()


@pytest.mark.parametrize("dtype", ["|O", "|O8", "object", "<U8", "V8", "<m8[s]"])
def test_sums_hold_whole_numbers_only(target: Path, bomb: bytes, dtype: str) -> None:
    table = pa.table(
        {"name": ["header"], "dtype": [dtype], "shape": [[len(bomb)]], "data": pa.array([bomb], pa.large_binary())}
    )
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    with pytest.raises(SwissError, match="no file of sums"):
        unpacked(bytes(sink.getvalue()))
    assert not target.exists()


@pytest.mark.parametrize("shape", [[-1], [3], [1 << 60], [2, -1]])
def test_sums_of_impossible_shapes_are_refused(shape: list[int]) -> None:
    data = pa.array([np.zeros(5, "<i8").tobytes()], pa.large_binary())
    table = pa.table({"name": ["moments"], "dtype": ["<i8"], "shape": [shape], "data": data})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    with pytest.raises(SwissError):
        unpacked(bytes(sink.getvalue()))


def test_pickled_files_are_refused_everywhere(tmp_path: Path, target: Path, bomb: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(bomb)
    for read in (swisssim.Results.load, swisssim.trf.read, study.load, load_config):
        with pytest.raises(SwissError):
            read(path)  # type: ignore[operator]
    with pytest.raises(SwissError):
        unpacked(bomb)
    assert not target.exists()


# ---- paths


def test_names_in_a_study_lead_nowhere(tmp_path: Path) -> None:
    out = "../../../../tmp/evil"
    text = SMALL.replace('"two sizes"', f'"{out}"').replace('"club"', '"/etc/../evil"')
    place = tmp_path / "place"
    place.mkdir()
    study.run(small(place, text=text), place / "out", threads=2, progress=False)
    assert {path.name for path in tmp_path.iterdir()} == {"place"}
    assert {path.name for path in place.iterdir()} == {"out", "study.toml"}
    allowed = re.compile(
        r"(study\.json|manifest\.jsonl|(chunks|tournaments)/cell=\d+/(system=\w+/)?\d{5}\.parquet"
        r"|tables/(cell-\d{3}/)?\w+\.(csv|parquet|json))"
    )
    assert [name for name in contents(place / "out") if not allowed.fullmatch(name)] == []


def test_paths_in_a_manifest_lead_nowhere(tmp_path: Path) -> None:
    study.run(small(tmp_path), tmp_path / "out", threads=2, progress=False)
    precious = tmp_path / "precious.parquet"
    precious.write_text("precious")
    manifest = tmp_path / "out" / "manifest.jsonl"
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    about = next(iter(lines[0]["files"].values()))
    lines[0]["files"] = {"../precious.parquet": about, "/etc/passwd": about}
    manifest.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    study.resume(tmp_path / "out", threads=2, progress=False)
    assert precious.read_text() == "precious"


@pytest.mark.parametrize(
    "change",
    [
        {"systems": [{"name": "../evil"}]},
        {"systems": [{"name": "os.system", "options": {}}]},
        {"model": {"name": "os.system", "parameters": {}}},
        {"model": {"name": "builtins.eval", "parameters": {"source": "1"}}},
        {"field": {"kind": "__class__", "players": 4}},
        {"field": {"kind": "uniform", "players": 4, "low": "__import__('os')", "high": 3}},
        {"__class__": "x"},
        {"tie_breaks": ["__init__"]},
    ],
)
def test_names_in_a_configuration_call_nothing(tmp_path: Path, change: dict[str, object]) -> None:
    field = swisssim.Field.uniform(players=6, low=1400, high=2200)
    saved = swisssim.compare(["nordic"], field, rounds=3, tournaments=2, progress=False).provenance
    path = tmp_path / "config.json"
    path.write_text(json.dumps(saved | change))
    with pytest.raises(SwissError, match=re.escape(str(path))):
        load_config(path)


# ---- pages


class Page(HTMLParser):
    """Collects the tags of a page and the attributes that would run something."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.handlers += [value for _, value in attrs if value and value.strip().lower().startswith("javascript:")]


def check_page(path: Path, scripts: int) -> None:
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.handlers == []
    assert page.scripts == scripts, "a name has become a script"
    assert SCRIPT not in text


def report_file(folder: Path, *, name: str, title: str) -> Path:
    """Write the report file of an event whose names are nasty."""
    event = swisssim.Tournament([2100, 2000, 1900, 1800, 1700, 1600], 3, system="nordic")
    for _ in range(3):
        event.record(dict.fromkeys(event.pair().boards, 0.5))
    report = event.to_trf()
    report.headers["012"] = [title]
    for player in report.players.values():
        player.name = title[:33]
    path = folder / name
    swisssim.trf.write(report, path)
    return path


@pytest.fixture(scope="module")
def plain_scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """How many scripts the pages have by themselves."""
    folder = tmp_path_factory.mktemp("plain")
    file = report_file(folder, name="plain.trf", title="plain")
    found = {}
    for kind, words in pages(file, folder).items():
        assert cli.run(words) == 0
        page = Page()
        page.feed((folder / kind / "report.html").read_text(encoding="utf-8"))
        assert page.handlers == []
        found[kind] = page.scripts
    return found


def pages(file: Path, folder: Path) -> dict[str, list[str]]:
    """Return the commands that make a page of a report file."""
    compare = ["compare", "--field", str(file), "--systems", "nordic,lottery", "--tournaments", "30"]
    review = ["review", str(file), "--as", "nordic", "--tournaments", "20", "--workers", "1"]
    return {
        kind: [*words, "--out", str(folder / kind)] for kind, words in {"compare": compare, "review": review}.items()
    }


def test_pages_escape_names(tmp_path: Path, plain_scripts: dict[str, int], capsys: pytest.CaptureFixture[str]) -> None:
    nasty = NASTY.replace("/", "\N{DIVISION SLASH}")
    file = report_file(tmp_path, name=f"{nasty}.trf", title=NASTY)
    for kind, words in pages(file, tmp_path).items():
        assert cli.run(words) == 0, capsys.readouterr().err
        check_page(tmp_path / kind / "report.html", plain_scripts[kind])


def test_reports_of_studies_escape_names(tmp_path: Path, plain_scripts: dict[str, int]) -> None:
    text = SMALL.replace('"two sizes"', json.dumps(NASTY)).replace('"club"', json.dumps(NASTY))
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert cli.run(["study", str(tmp_path / "study.toml"), "--out", str(tmp_path / "out")]) == 0
    for k in (1, 2):
        check_page(tmp_path / "out" / "tables" / f"cell-00{k}" / "report.html", plain_scripts["compare"])
