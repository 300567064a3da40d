"""The page of a review, and its short summary as text."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from markupsafe import Markup

from swisssim import plots, report
from swisssim.review._review import HEADLINES, TABLES, Review

_FIGURES = (
    "colour_balance",
    "colour_runs",
    "due_colour_misses",
    "colour_by_quantile",
    "bye_by_quantile",
    "bye_gain",
    "floats_by_round",
    "rating_gap",
)


def groups(review: Review) -> list[tuple[str, list[report.Row]]]:
    """Return the short summary: the headline metrics by question; questions without an answer are left out."""
    found = [(question, report.rows(review, names)) for question, names in HEADLINES.items()]
    return [(question, answers) for question, answers in found if answers]


def about(review: Review) -> str:
    """Return in one sentence what was reviewed."""
    count, players = len(review.events), sum(event.players for event in review.events)
    rounds = sum(event.rounds for event in review.events)
    return f"{count} event{'s' * (count != 1)} with {players} players and {rounds} rounds in all."


def text(review: Review) -> str:
    """Return the short summary as text: a line per metric, a column for what was played and for each system."""
    head = [about(review), *(f"Note: {note}" for note in review.notes)]
    return "\n".join([*head, "", *report.table_lines(groups(review), review.systems)])


def html(review: Review) -> str:
    """Return the page of a review, which needs nothing else."""
    context: dict[str, Any] = {
        "title": "Real events reviewed"
        + (f": as played and under {', '.join(review.systems[1:])}" if review.systems[1:] else ""),
        "about": about(review),
        "review": review,
        "groups": groups(review),
        "marks": report.MARKS,
        "figures": _figures(review),
        "tiers": review.table[review.table["by"] == "quantile"].to_dict("records"),
        "events": review.per_event.to_dict("records"),
        "shown": [name for names in HEADLINES.values() for name in names if name in review.per_event],
        "definitions": [review.summary.about(name) for name in review.summary.names],
        "files": TABLES,
        "config": json.dumps(review.provenance, indent=2, ensure_ascii=False),
        "number": report.number,
        "interval": report.interval,
        "decimals": report.decimals,
        "pretty": plots.pretty,
        **report.palette(),
    }
    return report.environment().get_template("review.html").render(context)


def write(review: Review, path: str | os.PathLike[str]) -> None:
    """Write the page of a review."""
    Path(path).write_text(html(review), encoding="utf-8", newline="\n")


def _figures(review: Review) -> list[dict[str, Any]]:
    known = {figure.name: figure for figure in plots.FIGURES}
    found = []
    for figure in (known[name] for name in _FIGURES):
        missing = plots.missing(review, figure.metric)
        drawn = "" if missing else Markup(report.svg(review, figure))
        found.append(
            {"name": figure.name, "title": figure.title, "caption": figure.caption, "missing": missing, "svg": drawn}
        )
    return found
