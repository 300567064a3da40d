"""A finished comparison: its tables, its notes, and the folder in which they are saved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from swisssim import byes
from swisssim.advice import advice_on_rounds
from swisssim.compare import _files
from swisssim.compare._plan import Plan, row_names
from swisssim.metrics import Floats
from swisssim.results import Results
from swisssim.statistics import (
    LEFT_OUT,
    THIN,
    Z95,
    Accumulator,
    Estimate,
    half_width,
    metric_table,
    summary_table,
    verdict,
)

#: The metrics of the short summary, by question.
HEADLINES: dict[str, tuple[str, ...]] = {
    "Colours": ("imbalance", "imbalance_2", "imbalance_3", "runs_3", "due_miss_share", "points_per_white"),
    "Byes": ("bye_to_lowest", "bye_gain", "bye_rank_change", "bye_meetings", "second_byes"),
    "Floats": ("float_games", "float_sum", "float_max"),
    "Ranking": (
        "tau",
        "tau_points",
        "spearman",
        "top_1",
        "top_8",
        "place_of_best",
        "rating_gap",
        "best_two_meet",
        "leaders_meet_last",
    ),
    "Completion": ("stopped", "rounds_paired"),
}

_CONCENTRATION = {
    "gini": (
        "bye_gini",
        "inequality of the byes (Gini)",
        "Gini coefficient of the shares of the byes over the pairing numbers: 0 if all have equally many.",
    ),
    "total_variation": (
        "bye_distance",
        "distance of the byes from the lottery's",
        "Total variation distance between the shares of the byes by pairing number and those under the lottery.",
    ),
}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several systems on the same fields with the same luck: tables with intervals, notes, provenance.

    Made by `swisssim.compare`; the figures of `swisssim.plots` and the page of `swisssim.report` are drawn from it.

    Attributes
    ----------
    plan : Plan
        What was asked.
    summary : Accumulator
        Exact sums over all tournaments, from which everything else is computed.
    rows : mapping of str to ndarray
        Per system one row per tournament, one column per metric without labels.
    results : dict of str to Results
        Every game, if they were kept.
    """

    plan: Plan
    summary: Accumulator
    rows: Mapping[str, Floats]
    results: dict[str, Results] = dataclass_field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return self.plan.names

    @property
    def baseline(self) -> str:
        """The system to which the others are compared."""
        return self.plan.baseline

    @property
    def provenance(self) -> dict[str, Any]:
        """Everything that is needed to make the same tables again, ready for JSON."""
        return self.plan.to_dict()

    @cached_property
    def has_byes(self) -> bool:
        """Whether any system gave a pairing-allocated bye."""
        return any(estimate.mean > 0 for name in self.systems for estimate in self.summary.estimates(name, "byes"))

    @cached_property
    def table(self) -> pd.DataFrame:
        """Every number: one row per metric, system and label.

        Columns as in `swisssim.statistics.summary_table`, and ``verdict``: what the paired difference to the baseline
        says. ``better`` or ``worse`` (``higher`` or ``lower`` where no direction is the better one) if its 95 % interval
        lies outside the margin that matters, ``equivalent`` if its 90 % interval lies inside, ``equal`` if there is no
        difference at all, ``undecided`` otherwise.
        """
        table = summary_table(self.summary)
        better = {name: self.summary.about(name)["better"] for name in self.summary.names}
        columns = (table[c] for c in ("system", "metric", "paired", "difference", "difference_low", "difference_high"))
        words = [
            ""
            if system == self.baseline
            else _verdict(
                Estimate(paired, mean, (high - low) / (2 * Z95)), float(self.plan.margins.get(name, 0.0)), better[name]
            )
            for system, name, paired, mean, low, high in zip(*columns, strict=True)
        ]
        return table.drop(columns="differs").assign(verdict=words)

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], str]:
        """What the paired difference to the baseline says, by system and metric without labels; see `table`."""
        table = self.table[self.table["by"] == ""]
        return {(s, m): word for s, m, word in zip(table["system"], table["metric"], table["verdict"], strict=True)}

    def select(self, names: list[str] | tuple[str, ...]) -> pd.DataFrame:
        """Return the rows of `table` of some metrics, in that order."""
        order = {name: place for place, name in enumerate(names)}
        rows = self.table[self.table["metric"].isin(names)]
        return rows.sort_values("metric", key=lambda column: column.map(order), kind="stable", ignore_index=True)

    @cached_property
    def scalars(self) -> pd.DataFrame:
        """The rows of `table` without labels, and how unequally the byes fall on the pairing numbers."""
        table = self.table[self.table["by"] == ""]
        extra = self._concentration()
        joined = pd.concat([table, extra], ignore_index=True) if len(extra) else table
        return joined.drop(columns=["by", "label"]).reset_index(drop=True)

    def by(self, *dims: str) -> pd.DataFrame:
        """Return the rows of `table` of the metrics that have just these dims, for instance ``by("round")``."""
        return self.table[self.table["by"] == " / ".join(dims)].reset_index(drop=True)

    def metric(self, name: str) -> pd.DataFrame:
        """Return the rows of one metric, with a column for each of its dims."""
        return metric_table(self.summary, name)

    def _concentration(self) -> pd.DataFrame:
        if not self.has_byes or not self.summary.resamples:
            return pd.DataFrame()
        null = next(
            (name for name, system in zip(self.systems, self.plan.systems, strict=True) if system.name == "lottery"),
            None,
        )
        found = {name: byes.concentration(self.summary, name, against=null) for name in self.systems}
        rows = []
        for kind, (metric, title, _) in _CONCENTRATION.items():
            for system in self.systems:
                estimate = found[system].get(kind)  # type: ignore[call-overload]
                if estimate is None or (kind == "total_variation" and system == null):
                    continue
                rows.append(
                    {
                        "system": system,
                        "metric": metric,
                        "title": title,
                        "by": "",
                        "label": "",
                        "unit": "",
                        "tournaments": self.summary.tournaments,
                        "mean": estimate.mean,
                        "low": estimate.low,
                        "high": estimate.high,
                        "verdict": "",
                        "note": "error from the bootstrap; chance alone makes it larger in few tournaments",
                    }
                )
        return pd.DataFrame(rows)

    @cached_property
    def definitions(self) -> pd.DataFrame:
        """What each metric is: metric, title, unit, kind, better, dims, definition, undefined."""
        rows = []
        for name in self.summary.names:
            about = self.summary.about(name)
            kept = {key: about[key] for key in ("title", "unit", "kind", "better")}
            rows.append(
                {
                    "metric": name,
                    **kept,
                    "by": " / ".join(about["dims"]),
                    "definition": about["definition"],
                    "no_value": about["undefined"],
                }
            )
        for name, title, definition in _CONCENTRATION.values():
            rows.append(
                {
                    "metric": name,
                    "title": title,
                    "unit": "",
                    "kind": "",
                    "better": "",
                    "by": "",
                    "definition": definition,
                }
            )
        return pd.DataFrame(rows).fillna("")

    @cached_property
    def histograms(self) -> pd.DataFrame:
        """How the tournaments' values are distributed, for the metrics that keep it: metric, system, label, low, high, count."""
        frames = []
        for name in self.summary.names:
            about = self.summary.about(name)
            if about["bins"] is None:
                continue
            for system in self.systems:
                edges, counts = self.summary.histogram(system, name)
                for label, row in zip(
                    about["labels"][0] if about["labels"] else [""], counts.reshape(-1, len(edges) - 1), strict=True
                ):
                    filled = np.flatnonzero(row)
                    columns = {
                        "metric": name,
                        "system": system,
                        "label": label,
                        "low": edges[filled],
                        "high": edges[filled + 1],
                    }
                    frames.append(pd.DataFrame({**columns, "count": row[filled]}))
        return pd.concat(frames, ignore_index=True)

    @cached_property
    def tournaments(self) -> pd.DataFrame:
        """One row per system and tournament with every metric that has one value there."""
        names = row_names(self.summary.names, self.summary)
        frames = []
        for system, rows in self.rows.items():
            frame = pd.DataFrame(rows, columns=names)
            frame.insert(0, "tournament", np.arange(len(rows), dtype=np.int32))
            frame.insert(0, "system", system)
            frames.append(frame)
        return pd.concat(frames, ignore_index=True).astype({"system": pd.CategoricalDtype(list(self.systems))})

    @cached_property
    def notes(self) -> list[str]:
        """What a reader must know before he trusts a number, in words."""
        found = [*self.plan.notes, *self.plan.field.notes]
        found += advice_on_rounds(self.plan.field.players, self.plan.rounds)
        count = self.summary.tournaments
        if count < THIN:
            found.append(f"Only {count} tournaments: fewer than {THIN}, so that intervals are not to be trusted.")
        if count > self.plan.rows_kept:
            found.append(
                f"Rows of single tournaments are kept of the first {self.plan.rows_kept} only; sums are over all."
            )
        found += self._notes_on_stops() + self._notes_on_undefined() + self._notes_on_the_stop_rule()
        return found

    def _notes_on_stops(self) -> list[str]:
        found, count = [], self.summary.tournaments
        for system in self.systems:
            stopped = self.summary.estimates(system, "stopped")[0].mean
            if stopped > 0:
                reached = self.summary.estimates(system, "rounds_paired")[0].mean
                found.append(
                    f"{system} could not complete {round(stopped * count)} of {count} tournaments ({stopped:.2%}): a round had no "
                    f"legal pairing. It paired {reached:.3f} of {self.plan.rounds} rounds on average; a stopped tournament has no "
                    "value in the other rows."
                )
        left_out = 1 - self.summary.kept / max(count, 1)
        if left_out > LEFT_OUT:
            found.append(
                f"Differences to {self.baseline} leave out {left_out:.1%} of the tournaments, which a system stopped."
            )
        return found

    def _notes_on_undefined(self) -> list[str]:
        reasons: dict[str, list[str]] = {}
        if not self.has_byes:
            reasons["there was no pairing-allocated bye"] = ["shares and worth of byes"]
        for name in row_names(self.summary.names, self.summary):
            if not self.has_byes and name.startswith("bye_"):
                continue
            about = self.summary.about(name)
            without = [s for s in self.systems if self.summary.estimates(s, name)[0].tournaments == 0]
            if without:
                whose = "" if len(without) == len(self.systems) else f" of {', '.join(without)}"
                reasons.setdefault(about["undefined"], []).append(f"{about['title']}{whose}")
        return [f"Not defined ({reason}): {', '.join(titles)}." for reason, titles in reasons.items()]

    def _notes_on_the_stop_rule(self) -> list[str]:
        rule = self.plan.until
        if rule is None:
            return []
        count, width = self.summary.tournaments, half_width(self.summary, rule.name, paired=rule.paired)
        said = f"The half-width of {'differences in ' if rule.paired else ''}{rule.name} is {width:.3g} after {count} tournaments"
        if rule.reached(self.summary):
            return [f"{said}, where the comparison stopped; {rule.half_width:g} was wanted."]
        return [f"{said}, the most that were allowed; {rule.half_width:g} was wanted."]

    def save(self, path: str | Path, *, force: bool = False, extra: Callable[[Path], None] | None = None) -> None:
        """Save tables, provenance and (if kept) games as a folder, which appears when it is complete.

        Parameters
        ----------
        path : str or path-like
            The folder.
        force : bool
            Whether a folder that was saved there before may be replaced; anything else never is.
        extra : callable, optional
            Writes further files into the folder, whose path it is given, before it appears.

        Raises
        ------
        SwissError
            If something stands at `path` that may not be replaced.
        """
        _files.save(self, Path(path), force=force, extra=extra)


def _verdict(difference: Estimate, margin: float, better: str) -> str:
    """Return the word for a paired difference; see `Comparison.table`."""
    if difference.tournaments == 0 or math.isnan(difference.mean):
        return ""
    if difference.mean == 0 and difference.error == 0:
        return "equal"
    word = verdict(difference, margin)
    if word != "different":
        return word
    if not better:
        return "higher" if difference.mean > 0 else "lower"
    return "better" if (difference.mean > 0) == (better == "higher") else "worse"
