"""The report of a comparison: one self-contained HTML page, and the short summary as text."""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape as html_escape
from pathlib import Path
from typing import Any, Protocol

import matplotlib as mpl
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from swisssim import plots
from swisssim.compare import HEADLINES, TABLES, Comparison
from swisssim.statistics import Estimate

#: What a verdict looks like, and what it says.
MARKS = {
    "better": ("✓", "better than the baseline"),
    "worse": ("✗", "worse than the baseline"),
    "higher": ("▲", "higher than the baseline"),
    "lower": ("▼", "lower than the baseline"),
    "equivalent": ("≈", "no difference that matters"),
    "equal": ("=", "no difference at all"),
    "undecided": ("", "undecided: the interval holds 0, or reaches into the margin"),
    "": ("", ""),
}

_MOST_DECIMALS = 6


@dataclass(frozen=True)
class Cell:
    """One number of the summary: what is shown, its sorting key, and what the difference to the baseline says."""

    value: str
    half: str
    key: float
    verdict: str = ""
    difference: str = ""
    note: str = ""

    @property
    def mark(self) -> str:
        """The sign of the verdict."""
        return MARKS[self.verdict][0]


@dataclass(frozen=True)
class Row:
    """One metric of the summary: a cell for each system."""

    metric: str
    title: str
    unit: str
    definition: str
    better: str
    cells: tuple[Cell, ...]


def decimals(half_width: float) -> int:
    """Return how many decimals a number deserves: two significant digits of its interval's half-width.

    Parameters
    ----------
    half_width : float

    Returns
    -------
    int
        From 0 to 6; 3 where the half-width is unknown, 0 where it is nothing.
    """
    if not math.isfinite(half_width):
        return 3
    if half_width <= 0:
        return 0
    return min(_MOST_DECIMALS, max(0, 1 - math.floor(math.log10(half_width))))


def number(value: float, places: int, *, signed: bool = False) -> str:
    """Return a number for readers: with so many decimals, a real minus sign, and thousands apart."""
    if math.isnan(value):
        return "–"
    text = f"{value:{'+' if signed else ''},.{places}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("+-")
    return text.replace("-", "−").replace(",", " ")


def interval(low: float, high: float, places: int) -> str:
    """Return an interval for readers; nothing where there is none."""
    return "" if math.isnan(low) else f"{number(low, places)} to {number(high, places)}"


def _places(value: float, half: float) -> int:
    """Return the decimals of a mean; one that is exactly known keeps those that it has."""
    if half == 0 and value != round(value):
        return 3
    return decimals(half)


class Summarised(plots.Study, Protocol):
    """What a summary can be made of: also what the paired differences to the baseline say."""

    @property
    def verdicts(self) -> dict[tuple[str, str], str]:
        """A key of `MARKS` for each system and metric without labels."""


def _cell(estimate: Estimate, difference: Estimate, verdict: str, *, share: bool, undefined: str) -> Cell:
    if estimate.tournaments == 0:
        return Cell("–", "", math.nan, note=f"not defined: {undefined}")
    scale, sign = (100.0, " %") if share else (1.0, "")
    mean, half = estimate.mean * scale, (estimate.high - estimate.mean) * scale
    places = _places(mean, half)
    shown = ""
    if verdict:
        by, high = difference.mean * scale, difference.high * scale
        digits = _places(by, high - by)
        around = f" ±{number(high - by, digits)}" if high > by else ""
        shown = f"{number(by, digits, signed=True)}{sign}{around}"
    return Cell(
        value=f"{number(mean, places)}{sign}",
        half="" if math.isnan(half) or half == 0 else f"±{number(half, places)}",
        key=estimate.mean,
        verdict=verdict,
        difference=shown,
        note="one tournament: no interval" if math.isnan(half) else "the same in every tournament" if half == 0 else "",
    )


def rows(study: Summarised, names: tuple[str, ...]) -> list[Row]:
    """Return the rows of the summary for metrics without labels; metrics that no system has are left out.

    Parameters
    ----------
    study : Summarised
    names : tuple of str

    Returns
    -------
    list of Row
    """
    found = []
    for name in names:
        about = study.summary.about(name)
        own = [study.summary.estimates(system, name)[0] for system in study.systems]
        if not any(estimate.tournaments for estimate in own) or (
            name in ("second_byes", "bye_meetings") and not study.has_byes
        ):
            continue
        cells = [
            _cell(
                estimate,
                study.summary.differences(system, name)[0],
                study.verdicts[system, name],
                share=about["unit"] == "share",
                undefined=about["undefined"],
            )
            for system, estimate in zip(study.systems, own, strict=True)
        ]
        found.append(Row(name, about["title"], about["unit"], about["definition"], about["better"], tuple(cells)))
    return found


def groups(study: Comparison) -> list[tuple[str, list[Row]]]:
    """Return the short summary: the headline metrics by question; questions without an answer are left out."""
    found = [(question, rows(study, names)) for question, names in HEADLINES.items()]
    return [(question, answers) for question, answers in found if answers]


def about(study: Comparison) -> str:
    """Return in one sentence what was compared."""
    plan = study.plan
    count = number(study.summary.tournaments, 0)
    return (
        f"{count} tournaments of {plan.field.headcount} and {plan.rounds} rounds, result model {plan.model.name}, seed "
        f"{plan.seed}; every system had the same players and the same luck."
    )


def text(study: Comparison) -> str:
    """Return the short summary as text: a line per metric, a column per system, 95 % intervals and marks.

    Parameters
    ----------
    study : Comparison

    Returns
    -------
    str
    """
    lines = [about(study), *(f"Note: {note}" for note in study.notes), "", *table_lines(groups(study), study.systems)]
    if len(study.systems) > 1:
        lines += [
            "",
            f"±: 95 % intervals. Marks: paired difference to {study.baseline} whose 95 % interval lies outside the margin:",
        ]
        lines.append(
            "  ✓ better  ✗ worse  ▲ ▼ higher, lower where neither is better  ≈ equivalent  = equal; no mark: undecided"
        )
    return "\n".join(lines)


def table_lines(table: Sequence[tuple[str, Sequence[Row]]], systems: Sequence[str]) -> list[str]:
    """Return the lines of a summary as text: questions, then a line per metric with a column per system."""
    shown = {
        row.metric: [f"{cell.value} {cell.half} {cell.mark}".rstrip() for cell in row.cells]
        for _, answers in table
        for row in answers
    }
    widths = [
        max(len(name), *(len(cells[k]) for cells in shown.values())) if shown else len(name)
        for k, name in enumerate(systems)
    ]
    first = max([len(row.title) for _, answers in table for row in answers], default=0) + 4
    lines = [" " * first + "  ".join(name.ljust(width) for name, width in zip(systems, widths, strict=True)).rstrip()]
    for question, answers in table:
        lines.append(question)
        for row in answers:
            cells = "  ".join(cell.ljust(width) for cell, width in zip(shown[row.metric], widths, strict=True))
            lines.append(f"  {row.title}".ljust(first) + cells.rstrip())
    return lines


# The palette on a dark page, in the order of `plots.PALETTE`, and the heat map's colour there.
_DARK = ("#56a8e0", "#ff8a50", "#35c79a", "#dd8cc4", "#dcb945", "#a9afb8", "#9fd0f2", "#b596f0")
_DARK_HEAT = "#e27fbd"
# Text and lines are drawn in this colour, which is none of the palette, and become the colour of the page's text.
_INK = "#010203"
_DRAWN = {
    "svg.fonttype": "none",
    "svg.hashsalt": "swisssim",
    "font.family": "sans-serif",
    "font.size": 10.0,
    **{f"{part}.color": _INK for part in ("text", "xtick", "ytick", "grid")},
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "legend.labelcolor": _INK,
}


def svg(study: plots.Study, figure: plots.Figure) -> str:
    """Return a figure as SVG to stand in a page: its colours are those of the page, light or dark.

    Parameters
    ----------
    study : plots.Study
    figure : plots.Figure

    Returns
    -------
    str
        The same for the same comparison, to the byte.
    """
    settings: dict[Any, Any] = {**mpl.rcParamsDefault, **_DRAWN}
    with mpl.rc_context(settings):
        drawing = Figure(figsize=(8.6, figure.height), layout="constrained")
        figure.draw(study, drawing.subplots())
        drawing.patch.set_visible(False)  # the page shows through
        for axes in drawing.axes:
            axes.patch.set_visible(False)
        buffer = io.StringIO()
        drawing.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # what names an element must be unique in the page
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{figure.name}-", text)
    text = text.replace(_INK, "currentColor")
    for k, colour in enumerate((*plots.PALETTE, plots.HEAT)):
        text = text.replace(colour, f"var(--s{k})" if k < len(plots.PALETTE) else "var(--heat)")
    label = html_escape(f"{figure.title}. {figure.caption}", quote=True)
    return re.sub(
        r"<svg [^>]*?viewBox=\"([^\"]*)\"[^>]*>", rf'<svg viewBox="\1" role="img" aria-label="{label}">', text, count=1
    )


def _figures(study: Comparison) -> list[dict[str, Any]]:
    """Return the figures with their texts; one that has nothing to show says why instead."""
    found = []
    for figure in plots.FIGURES:
        reason = plots.missing(study, figure.metric)
        found.append(
            {
                "name": figure.name,
                "title": figure.title,
                "caption": figure.caption,
                "file": figure.file,
                "missing": reason,
                "svg": "" if reason else Markup(svg(study, figure)),
            }
        )
    return found


def _colours(palette: Sequence[str], heat: str) -> str:
    """Return the colours of the figures as CSS variables."""
    return " ".join([*(f"--s{k}: {colour};" for k, colour in enumerate(palette)), f"--heat: {heat};"])


def palette() -> dict[str, str]:
    """Return the colours of the figures on a light and on a dark page, as CSS variables for the templates."""
    return {"light": _colours(plots.PALETTE, plots.HEAT), "dark": _colours(_DARK, _DARK_HEAT)}


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return what fills the templates of pages."""
    return Environment(
        loader=PackageLoader("swisssim"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _settings(study: Comparison) -> list[tuple[str, str]]:
    """Return how the comparison was made, as names and values."""
    plan = study.plan
    away = {name: value for name, value in plan.participation.to_dict().items() if name != "delay" and value}
    model = ", ".join(f"{name} = {value}" for name, value in plan.model.parameters.items())
    rates = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in away.items())
    margins = ", ".join(f"{name} {value:g}" for name, value in plan.margins.items())
    return [
        ("Field", plan.field.describe()),
        ("Rounds", str(plan.rounds)),
        ("Tournaments", number(study.summary.tournaments, 0)),
        (
            "Result model",
            f"{plan.model.name}{f' ({model})' if model else ''}: {plan.model.description}. {plan.model.source}.",
        ),
        ("Participation", rates or "everybody plays every round"),
        ("Initial colour", {"lot": "drawn by lot"}.get(plan.initial_colour, plan.initial_colour)),
        ("Final order", f"points, {', '.join(plan.tie_breaks)}, lot"),
        ("Baseline", plan.baseline),
        ("Margins that matter", margins or "none: any difference counts"),
        (
            "Intervals",
            f"95 %, normal theory over tournaments; bootstrap over tournaments with {plan.resamples} resamples in the tables",
        ),
        ("Seed", str(plan.seed)),
        ("Version", f"swisssim {study.provenance['swisssim']}"),
    ]


def html(study: Comparison) -> str:
    """Return the report as one HTML page that needs nothing else.

    Parameters
    ----------
    study : Comparison

    Returns
    -------
    str
        The same for the same comparison, to the byte: it names no time, host or path.
    """
    context: dict[str, Any] = {
        "title": f"Swiss pairing systems compared: {', '.join(study.systems)}",
        "about": about(study),
        "study": study,
        "groups": groups(study),
        "marks": MARKS,
        "settings": _settings(study),
        "systems": list(zip(study.systems, study.plan.systems, strict=True)),
        "table": study.scalars.to_dict("records"),
        "definitions": study.definitions.to_dict("records"),
        "files": TABLES,
        "config": json.dumps(study.provenance, indent=2, ensure_ascii=False),
        "number": number,
        "interval": interval,
        "decimals": decimals,
        **palette(),
        "pretty": plots.pretty,
        "figures": _figures(study),
    }
    return environment().get_template("report.html").render(context)


def write(study: Comparison, path: str | os.PathLike[str]) -> None:
    """Write the report.

    Parameters
    ----------
    study : Comparison
    path : str or path-like
        The HTML file.
    """
    Path(path).write_text(html(study), encoding="utf-8", newline="\n")
