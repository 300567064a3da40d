"""A finished review: its tables, its notes, and the folder in which it is saved."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from swisssim.errors import SwissError
from swisssim.files import replacing
from swisssim.metrics import Metric
from swisssim.review._event import AS_PLAYED, EventReview, Settings
from swisssim.statistics import THIN, Accumulator, summary_table, verdict

KIND = "swisssim review"
CONFIG = "config.json"

HEADLINES: dict[str, tuple[str, ...]] = {
    "Colours": ("imbalance", "imbalance_2", "imbalance_3", "runs_3", "due_miss_share", "points_per_white"),
    "Byes": ("byes", "bye_to_lowest", "bye_gain", "bye_rank_change", "bye_meetings", "second_byes"),
    "Floats": ("float_games", "float_share", "float_sum", "float_max"),
    "Ratings": ("rating_gap",),
}
"""The metrics of the short summary, by question."""

TABLES = {
    "summary.csv": "every metric, pooled over the events: one value, by round, by rating tier and by class",
    "events.csv": "one row per event and column with every metric that has one value",
    "notes.csv": "what deserves a look in each file",
}
"""The CSV files: name, what is in it."""


@dataclass(frozen=True, eq=False)
class Review:
    """Real events, as played and as other systems would have had them; made by `swisssim.review`.

    Attributes
    ----------
    settings : Settings
        What was asked.
    events : list of EventReview
        Those that were reviewed.
    errors : list of EventReview
        Those that could not be.
    summary : Accumulator
        Sums over the events.
    metrics : dict of str to list of Metric
        For each column the metrics with one value per event.
    """

    settings: Settings
    events: list[EventReview]
    errors: list[EventReview]
    summary: Accumulator
    metrics: dict[str, list[Metric]]

    @property
    def systems(self) -> tuple[str, ...]:
        """The columns: as played, then the systems."""
        return self.settings.names

    @property
    def baseline(self) -> str:
        """The column to which the others are compared."""
        return AS_PLAYED

    @cached_property
    def has_byes(self) -> bool:
        """Whether there was any pairing-allocated bye."""
        return any(estimate.mean > 0 for name in self.systems for estimate in self.summary.estimates(name, "byes"))

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], str]:
        """For each system and metric without labels, what the paired difference to what was played says."""
        found = {}
        for system in self.systems:
            for name in self.summary.names:
                if self.summary.about(name)["dims"]:
                    continue
                word = ""
                if system != AS_PLAYED:
                    difference = self.summary.differences(system, name)[0]
                    word = verdict(difference, 0.0) if difference.tournaments else ""
                    if word == "different":
                        word = "higher" if difference.mean > 0 else "lower"
                found[system, name] = word
        return found

    @cached_property
    def table(self) -> pd.DataFrame:
        """Every number, pooled: see `swisssim.statistics.summary_table`; ``tournaments`` counts events."""
        return summary_table(self.summary)

    @cached_property
    def per_event(self) -> pd.DataFrame:
        """One row per event and column: event, file, players, rounds, system, and every metric that has one value."""
        rows = []
        for k, event in enumerate(self.events):
            for system in self.systems:
                row: dict[str, Any] = {
                    "event": event.name,
                    "file": os.path.basename(event.path),
                    "players": event.players,
                    "rounds": event.rounds,
                    "system": system,
                }
                for metric in self.metrics[system]:
                    if not metric.dims:
                        row[metric.name] = metric.at(slice(k, k + 1)).mean.item()
                rows.append(row)
        return pd.DataFrame(rows)

    @cached_property
    def notes(self) -> list[str]:
        """What a reader must know before he trusts a number, in words."""
        found = []
        count = len(self.events)
        if count < THIN:
            found.append(
                f"Only {count} event{'s' * (count != 1)}: fewer than {THIN}, so that intervals are not to be trusted."
            )
        found += [f"Not reviewed: {event.error}" for event in self.errors]
        unfinished = sum("the number of rounds" in note for event in self.events for note in event.notes)
        if unfinished:
            found.append(f"{unfinished} file{'s' * (unfinished != 1)} with another number of rounds than announced.")
        if not self.has_byes:
            found.append("There was no pairing-allocated bye in these events.")
        if len(self.systems) > 1:
            found.append(
                f"Systems: mean over {self.settings.tournaments} simulated tournaments for each event, with its players, rounds and "
                f"rates of absence; results by the model {self.settings.model.name} from the ratings."
            )
        return found

    @property
    def provenance(self) -> dict[str, Any]:
        """Everything that is needed to make the same tables again, ready for JSON; files by name and digest."""
        from swisssim import __version__

        return {
            "kind": KIND,
            "swisssim": __version__,
            **self.settings.to_dict(),
            "files": [{"name": os.path.basename(event.path), "sha256": event.digest} for event in self.events],
        }

    def save(
        self, path: str | os.PathLike[str], *, force: bool = False, extra: Callable[[Path], None] | None = None
    ) -> None:
        """Save tables and provenance as a folder, which appears when it is complete.

        Parameters
        ----------
        path : str or path-like
            The folder.
        force : bool
            Whether an earlier review may be replaced; anything else never is.
        extra : callable, optional
            Writes further files into the folder, whose path it is given, before it appears.

        Raises
        ------
        SwissError
            If something stands at `path` that may not be replaced.
        """
        target = Path(path)
        check_place(target, force=force)
        with replacing(target) as place:
            place.mkdir()
            self.table.to_csv(place / "summary.csv", index=False, lineterminator="\n")
            self.per_event.to_csv(place / "events.csv", index=False, lineterminator="\n")
            self._notes_table().to_csv(place / "notes.csv", index=False, lineterminator="\n")
            text = json.dumps(self.provenance, indent=2, ensure_ascii=False)
            (place / CONFIG).write_text(f"{text}\n", encoding="utf-8", newline="\n")
            if extra is not None:
                extra(place)

    def _notes_table(self) -> pd.DataFrame:
        rows = [(os.path.basename(event.path), note) for event in self.events for note in event.notes]
        rows += [(os.path.basename(event.path), event.error) for event in self.errors]
        return pd.DataFrame(rows, columns=["file", "note"])


def check_place(path: Path, *, force: bool) -> None:
    """Raise if a review cannot be saved at a path because of what stands there."""
    if not path.exists() and not path.is_symlink():
        return
    try:
        ours = json.loads((path / CONFIG).read_text(encoding="utf-8")).get("kind") == KIND
    except (OSError, ValueError, AttributeError):
        ours = False
    if not ours or path.is_symlink():
        raise SwissError(
            f"{path} exists and is no folder of a review, so that it is never replaced; name another place"
        )
    if not force:
        raise SwissError(f"{path} holds an earlier review; force (--force) replaces it")
