"""Make every number and figure of the page "What we found": ``python docs/found.py``.

All systems are compared on six fields, three sizes, each even and odd. ``docs/found/numbers.csv`` holds all numbers, the other files the
tables and figures as the page shows them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib import pyplot as plt

import swisssim
from swisssim import plots
from swisssim.compare import Comparison

FOLDER = Path(__file__).parent / "found"
SYSTEMS = ("dutch", "dutch2012", "regulated", "amalfi", "nordic", "lottery")
FIELDS = ((16, 5), (17, 5), (32, 7), (33, 7), (100, 9), (101, 9))
"""Players and rounds."""
TOURNAMENTS = 10_000

# Metric: decimals in its table, and whether it is shown in per cent.
ALL_FIELDS = {
    "imbalance": (4, False),
    "imbalance_2": (2, True),
    "runs_3": (2, True),
    "due_miss_share": (2, True),
    "float_share": (2, True),
    "float_sum": (2, False),
    "tau": (4, False),
    "top_1": (1, True),
    "rating_gap": (1, False),
    "best_two_meet": (1, True),
    "leaders_meet_last": (1, True),
    "stopped": (2, True),
}
ODD_FIELDS = {
    "bye_to_lowest": (1, True),
    "bye_gain": (4, False),
    "bye_rank_change": (2, False),
    "bye_gini": (3, False),
}
QUANTILES = ("bye_share_by_quantile", "imbalance_by_quantile")
FIGURES = {
    "colour_balance": plots.colour_balance,
    "colour_runs": plots.colour_runs,
    "bye_heat_map": plots.bye_heat_map,
    "tau_by_round": plots.tau_by_round,
}
FIGURES_OF = 33
COLUMNS = ["metric", "label", "system", "unit", "tournaments", "mean", "low", "high"]
DIFFERENCES = ["difference", "difference_low", "difference_high", "verdict"]


def compared(tournaments: int) -> Iterator[tuple[int, int, Comparison]]:
    """Yield players, rounds and the comparison of all systems for each field."""
    for players, rounds in FIELDS:
        field = swisssim.Field.uniform(players=players, low=1400, high=2200)
        yield players, rounds, swisssim.compare(SYSTEMS, field, rounds=rounds, tournaments=tournaments, seed=1)


def numbers(study: Comparison) -> pd.DataFrame:
    """Return the numbers of one field that the page needs, one row per metric, label and system."""
    scalars = study.scalars[study.scalars["metric"].isin([*ALL_FIELDS, *ODD_FIELDS])].assign(label="")
    found = pd.concat([scalars, study.select(QUANTILES)])
    return found[found["tournaments"] > 0].reindex(columns=[*COLUMNS, *DIFFERENCES])


def shown(row: pd.Series, decimals: int, percent: bool) -> str:
    """Return a number with half the width of its interval, such as ``1.59 ± 0.04``."""
    factor = 100 if percent else 1
    if pd.isna(row["mean"]):
        return "–"
    return f"{factor * row['mean']:.{decimals}f} ± {factor * (row['high'] - row['low']) / 2:.{decimals}f}"


def table(found: pd.DataFrame, metric: str, *, decimals: int, percent: bool, columns: str) -> pd.DataFrame:
    """Return the table of a metric: a row for each system, a column for each number of players or label.

    The first column is headed by what the others are.
    """
    rows = found[found["metric"] == metric].copy()
    rows["cell"] = [shown(row, decimals, percent) for _, row in rows.iterrows()]
    wide = rows.pivot(index="system", columns=columns, values="cell")
    order = list(dict.fromkeys(rows[columns]))
    return wide.loc[list(SYSTEMS), order].rename_axis(
        index={"players": "players", "label": "rating"}[columns], columns=None
    )


def write_tables(found: pd.DataFrame, folder: Path) -> None:
    """Write the tables of the page from all numbers."""
    found.to_csv(folder / "numbers.csv", index=False, float_format="%.6g")
    for metric, (decimals, percent) in {**ALL_FIELDS, **ODD_FIELDS}.items():
        some = found if metric in ALL_FIELDS else found[found["players"] % 2 == 1]
        table(some, metric, decimals=decimals, percent=percent, columns="players").to_csv(folder / f"{metric}.csv")
    for metric in QUANTILES:
        some = found[found["players"] == FIGURES_OF]
        percent = metric.startswith("bye")
        table(some, metric, decimals=1 if percent else 3, percent=percent, columns="label").to_csv(
            folder / f"{metric}.csv"
        )


def draw_figures(study: Comparison, folder: Path) -> None:
    """Write the figures of one comparison as SVG, without a date and with stable names inside."""
    mpl.rcParams["svg.hashsalt"] = "swisssim"
    for name, draw in FIGURES.items():
        draw(study)
        plt.savefig(folder / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
        plt.close("all")


def main() -> None:
    """Run the comparisons and write the folder."""
    parser = argparse.ArgumentParser(description="Make the numbers and figures of the page 'What we found'.")
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS, help="per field (default %(default)s)")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder (default %(default)s)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    found = []
    for players, rounds, study in compared(options.tournaments):
        found.append(numbers(study).assign(players=players, rounds=rounds))
        if players == FIGURES_OF:
            draw_figures(study, options.out)
    write_tables(pd.concat(found, ignore_index=True), options.out)


if __name__ == "__main__":
    main()
