"""The report: one page that needs nothing else, the same to the byte, readable by people and by browsers."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

import swisssim
from swisssim import Comparison, Field, compare, plots, report
from swisssim.compare import Plan, run
from swisssim.models import model
from swisssim.statistics import Estimate

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "use", "rect"}
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def small(players: int = 9, tournaments: int = 40) -> Comparison:
    field = Field.uniform(players=players, low=1400, high=2200)
    systems = ("nordic", "amalfi", "lottery")
    return compare(systems, field, rounds=5, tournaments=tournaments, resamples=40, threads=1, progress=False)


@pytest.fixture(scope="module")
def study() -> Comparison:
    return small()


@pytest.fixture(scope="module")
def page(study: Comparison) -> str:
    return report.html(study)


class Reader(HTMLParser):
    """Collects what a page is made of, and whether elements are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


# ---------------------------------------------------------------------- the page


def test_the_page_is_the_same_to_the_byte(page: str) -> None:
    assert report.html(small()) == page


def test_the_page_needs_nothing_else(page: str) -> None:
    reader = read(page)
    for tag, attributes in reader.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed")
        assert "src" not in attributes
        for name in ("href", "xlink:href"):
            target = attributes.get(name) or ""
            assert not re.match(r"\w+:|//", target), target
    assert "@import" not in page
    assert set(re.findall(r"url\((.)", page)) <= {"#"}


def test_every_link_leads_somewhere(page: str, study: Comparison, tmp_path: Path) -> None:
    study.save(tmp_path / "out")
    reader = read(page)
    names = {attributes["id"] for _, attributes in reader.elements if attributes.get("id")}
    links = {attributes.get("href") or attributes.get("xlink:href") for _, attributes in reader.elements} - {None}
    assert links
    for link in links:
        assert link is not None
        assert link[1:] in names if link.startswith("#") else (tmp_path / "out" / link).is_file(), link


def test_identifiers_are_unique(page: str) -> None:
    counts = Counter(attributes["id"] for _, attributes in read(page).elements if attributes.get("id"))
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_figure_is_there_with_words_for_it(page: str) -> None:
    reader = read(page)
    shown = [attributes for tag, attributes in reader.elements if tag == "svg"]
    assert len(shown) == len(plots.FIGURES)
    for attributes, figure in zip(shown, plots.FIGURES, strict=True):
        assert attributes["role"] == "img"
        assert figure.title in (attributes["aria-label"] or "")


def test_figures_take_the_colours_of_the_page(page: str) -> None:
    for figure in re.findall(r"<svg .*?</svg>", page, flags=re.DOTALL):
        left = set(re.findall(r"#[0-9a-f]{6}\b", figure))
        assert left == set(), left
        assert "currentColor" in figure


def test_every_number_has_its_interval(study: Comparison) -> None:
    for _, answers in report.groups(study):
        for row in answers:
            for cell in row.cells:
                exact = row.metric in ("stopped", "rounds_paired", "second_byes")
                assert cell.half or cell.note or exact, (row.metric, cell)


def test_notes_of_thin_data_are_shown() -> None:
    page = report.html(small(players=8, tournaments=2))
    text = "".join(read(page).text)
    assert "Only 2 tournaments" in text
    assert text.count("There was no pairing-allocated bye in these tournaments.") == 3
    assert not re.search(r"\b(nan|None|inf)\b", text)


def test_names_are_escaped() -> None:
    plan = Plan(
        systems=(swisssim.system("nordic"),),
        field=Field.uniform(players=5, low=1400, high=2200),
        rounds=2,
        tournaments=3,
        resamples=0,
        model=model("milvang2015"),
        notes=("<script>alert('x')</script> & co",),
    )
    page = report.html(run(plan, threads=1, progress=False))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert [tag for tag, _ in read(page).elements].count("script") == 1


def test_one_system_has_no_marks() -> None:
    alone = compare(
        ["nordic"], Field.uniform(players=5, low=1, high=2), rounds=2, tournaments=3, resamples=0, progress=False
    )
    assert "Marks:" not in report.text(alone)
    assert "baseline" not in "".join(read(report.html(alone)).text).split("How it was made")[0]


# ---------------------------------------------------------------------- numbers and text


@pytest.mark.parametrize(
    ("half", "places"),
    [(0.0123, 3), (0.5, 2), (1.0, 1), (9.9, 1), (12.0, 0), (300.0, 0), (0.0, 0), (math.nan, 3), (1e-9, 6)],
)
def test_decimals_follow_the_interval(half: float, places: int) -> None:
    assert report.decimals(half) == places


def test_numbers_are_for_readers() -> None:
    assert report.number(-0.25, 1) == "−0.2"
    assert report.number(0.3, 2, signed=True) == "+0.30"
    assert report.number(-0.001, 2, signed=True) == "0.00"
    assert report.number(12345.6, 0) == "12 346"
    assert report.number(math.nan, 2) == "–"


def test_the_text_has_a_line_for_every_headline(study: Comparison) -> None:
    lines = report.text(study).splitlines()
    assert lines[0].startswith("40 tournaments of 9 players and 5 rounds")
    tau = next(line for line in lines if line.startswith("  Kendall tau-a  "))
    estimate: Estimate = study.summary.estimates("nordic", "tau")[0]
    assert report.number(estimate.mean, report.decimals(estimate.high - estimate.mean)) in tau
    assert tau.count("±") == 3
    starts = {line.index(name) for line in lines for name in ("nordic ",) if line.startswith("   ")}
    assert len(starts) == 1


# ---------------------------------------------------------------------- in a browser

PROBE = """
<script>
const found = { errors: [], figures: [], dark: matchMedia("(prefers-color-scheme: dark)").matches };
found.figures = [...document.querySelectorAll("figure svg")].map((svg) => {
  const box = svg.getBoundingClientRect();
  return { width: box.width, height: box.height, ink: getComputedStyle(svg.querySelector("text")).fill };
});
found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const head = document.querySelector("table.summary thead th:nth-child(2) button");
const keys = () => [...document.querySelectorAll("table.summary tbody")].map((body) =>
  [...body.rows].filter((row) => row.cells.length > 1).map((row) => Number.parseFloat(row.cells[1].dataset.key)));
head.click();
found.ascending = keys();
head.click();
found.descending = keys();
const probe = document.createElement("pre");
probe.id = "probe";
probe.textContent = JSON.stringify(found);
document.body.append(probe);
</script>
</body>"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium to open the page in")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_without_a_network(page: str, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(page.replace("</body>", PROBE), encoding="utf-8")
    done = subprocess.run(
        [
            str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={tmp_path / 'profile'}", f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
            "--enable-logging=stderr", "--window-size=1280,1000", "--dump-dom", file.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert [line for line in done.stderr.splitlines() if ":CONSOLE" in line] == []
    match = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, flags=re.DOTALL)
    assert match is not None
    found = json.loads(match.group(1).replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
    assert len(found["figures"]) == len(plots.FIGURES)
    for figure in found["figures"]:
        assert figure["width"] > 500
        assert figure["height"] > 150
    assert found["dark"] == (scheme == "dark")
    light = int(re.findall(r"\d+", found["figures"][0]["ink"])[0]) > 128
    assert light == (scheme == "dark"), "the text of figures must stand out from the page"
    assert found["wide"] <= 0
    for rows, turned in zip(found["ascending"], found["descending"], strict=True):
        assert rows == sorted(rows)
        assert turned == sorted(rows, reverse=True)
