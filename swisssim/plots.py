"""Figures of a comparison: each a function of the study that returns the Axes. Nothing else of swisssim draws.

A system has the same colour and the same marker in every figure and in every report; the palette can be told apart by
colour-blind readers and on paper. Lines across marks are 95 % intervals over tournaments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PatchCollection
from matplotlib.colors import ListedColormap, PowerNorm, to_rgba
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from swisssim.compare import ORDER
from swisssim.metrics import Floats
from swisssim.statistics import Accumulator

#: Colours of the systems, in ``swisssim.compare.ORDER`` first; after Okabe and Ito, darkened until they are legible as lines.
PALETTE = ("#0072b2", "#c24a00", "#008a64", "#a4478a", "#b38600", "#6b6f76", "#3f8fc4", "#7a4fc0")

#: Colour of heat maps.
HEAT = "#8b2f6b"

_MARKERS = ("o", "s", "^", "D", "v", "X", "P", "p")
_WIDTH = 0.82  # of a group of bars
_MOST_VIOLINS = 9  # rounds
_MOST_ROWS = 16  # of the heat map
_ALL = "all"
_PERCENT = FuncFormatter(lambda share, _: f"{100 * share:.4g} %".replace("-", "−"))


class Study(Protocol):
    """What can be drawn: a `swisssim.Comparison`, or whatever else has sums over tournaments by system."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def summary(self) -> Accumulator:
        """Sums over the tournaments."""

    @property
    def has_byes(self) -> bool:
        """Whether there was any pairing-allocated bye."""


@dataclass(frozen=True)
class Figure:
    """A figure of the report.

    Attributes
    ----------
    name, title, caption : str
        Key, heading and what one sees.
    draw : callable
        ``draw(study, ax=None)``.
    metric : str
        What is drawn; without a value of it there is no figure.
    file : str
        The CSV file with the numbers.
    height : float
        In inches.
    """

    name: str
    title: str
    caption: str
    draw: Callable[..., Axes]
    metric: str
    file: str
    height: float = 3.4


@dataclass(frozen=True)
class _Values:
    """Means and 95 % intervals of one metric of one system, one per label."""

    mean: Floats
    low: Floats
    high: Floats

    @property
    def errors(self) -> Floats:
        """Distances from the mean to the ends, 0 where there is no interval: as matplotlib wants them."""
        return np.nan_to_num(np.stack([self.mean - self.low, self.high - self.mean]))


def _values(study: Study, system: str, name: str) -> _Values:
    found = study.summary.estimates(system, name)
    return _Values(*(np.array([getattr(e, end) for e in found]) for end in ("mean", "low", "high")))


def style(study: Study, system: str) -> tuple[str, str]:
    """Return colour and marker of a system: those of its key, or the next free ones for further variants.

    Parameters
    ----------
    study : Study
    system : str
        Its name in the study.

    Returns
    -------
    colour, marker : str
    """
    place = {name: ORDER.index(name) for name in study.systems if name in ORDER}
    free = [k for k in range(len(PALETTE)) if k not in place.values()]
    others = [name for name in study.systems if name not in place]
    place |= {name: free[k % len(free)] if free else k % len(PALETTE) for k, name in enumerate(others)}
    return PALETTE[place[system]], _MARKERS[place[system]]


def missing(study: Study, name: str) -> str:
    """Return why a metric can't be drawn, in words; empty if it can.

    Parameters
    ----------
    study : Study
    name : str
        The metric.

    Returns
    -------
    str
    """
    about = study.summary.about(name)
    if name.startswith("bye") and not study.has_byes:
        return "There was no pairing-allocated bye in these tournaments."
    if not any(estimate.tournaments for system in study.systems for estimate in study.summary.estimates(system, name)):
        return f"Not defined: {about['undefined']}."
    return ""


def pretty(text: str) -> str:
    """Return a label as readers know it: real signs for "at most", "at least" and minus before a number."""
    return re.sub(r"-(?=\d|$)|(?<= )-(?= )", "−", text.replace("<=", "≤").replace(">=", "≥"))


def _axes(study: Study, ax: Axes | None, name: str) -> tuple[Axes, bool]:
    """Return the axes to draw on, and whether there is anything to draw; if not they say why."""
    axes = plt.subplots(figsize=(8.6, 3.4), layout="constrained")[1] if ax is None else ax
    reason = missing(study, name)
    if reason:
        axes.set_axis_off()
        axes.text(0.5, 0.5, reason, ha="center", va="center", transform=axes.transAxes)
    return axes, not reason


def _finish(ax: Axes, *, x: str, y: str, share: bool) -> Axes:
    """Name the axes, and put the legend above."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    if share:
        ax.yaxis.set_major_formatter(_PERCENT)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="y", alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
    handles, labels = ax.get_legend_handles_labels()
    if labels:
        columns = max(1, min(len(labels), 96 // max(len(label) + 5 for label in labels)))
        ax.legend(
            handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, frameon=False, borderaxespad=0.2
        )
    return ax


def _bars(
    study: Study, ax: Axes | None, name: str, *, x: str, y: str, shown: Sequence[str] | None = None,
    legend: Callable[[str], str] = str,
) -> Axes:  # fmt: skip
    """Draw a metric with one dim as groups of bars, one bar for each system; labels that nobody has are left out."""
    axes, drawable = _axes(study, ax, name)
    if not drawable:
        return axes
    about = study.summary.about(name)
    labels = list(about["labels"][0])
    values = {system: _values(study, system, name) for system in study.systems}
    wanted = [k for k, label in enumerate(labels) if shown is None or label in shown]
    some = [k for k in wanted if any(np.nan_to_num(found.mean[k]) > 0 for found in values.values())]
    kept = list(range(some[0], some[-1] + 1)) if some else wanted
    width = _WIDTH / len(study.systems)
    for s, (system, found) in enumerate(values.items()):
        place = np.arange(len(kept)) + (s + 0.5) * width - _WIDTH / 2
        colour, _ = style(study, system)
        axes.bar(place, np.nan_to_num(found.mean[kept]), width * 0.92, color=colour, label=legend(system))
        axes.errorbar(
            place,
            found.mean[kept],
            found.errors[:, kept],
            fmt="none",
            ecolor=_ink(),
            color=_ink(),
            elinewidth=0.9,
            capsize=1.5,
        )
    axes.set_xticks(range(len(kept)), [pretty(labels[k]) for k in kept])
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(bottom=0)
    return _finish(axes, x=x, y=y, share=about["unit"] == "share")


def _lines(study: Study, ax: Axes | None, name: str, *, y: str) -> Axes:
    """Draw a metric by round as one line for each system, with intervals."""
    axes, drawable = _axes(study, ax, name)
    if not drawable:
        return axes
    about = study.summary.about(name)
    rounds = np.array([int(label) for label in about["labels"][0]])
    shift = 0.06 * (len(rounds) > 1)
    for s, system in enumerate(study.systems):
        found, (colour, marker) = _values(study, system, name), style(study, system)
        place = rounds + shift * (s - (len(study.systems) - 1) / 2)
        axes.errorbar(
            place, found.mean, found.errors, color=colour, marker=marker, markersize=4.5, linewidth=1.4, elinewidth=0.9,
            capsize=1.5, label=system,
        )  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(0.5, len(rounds) + 0.5)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    return _finish(axes, x="round", y=y, share=about["unit"] == "share")


def _points(study: Study, ax: Axes | None, name: str, *, overall: str, x: str, y: str) -> Axes:
    """Draw a metric by rating quantile, and its value for all, as marks with intervals."""
    axes, drawable = _axes(study, ax, name)
    if not drawable:
        return axes
    about = study.summary.about(name)
    labels = [_ALL] * bool(overall) + list(about["labels"][0])
    width = _WIDTH / len(study.systems)
    for s, system in enumerate(study.systems):
        parts = [_values(study, system, metric) for metric in ([overall] if overall else []) + [name]]
        mean = np.concatenate([part.mean for part in parts])
        errors = np.concatenate([part.errors for part in parts], axis=1)
        colour, marker = style(study, system)
        place = np.arange(len(labels)) + (s + 0.5) * width - _WIDTH / 2
        axes.errorbar(
            place, mean, errors, color=colour, marker=marker, markersize=5, linestyle="none", elinewidth=1.2, capsize=2,
            label=system,
        )  # fmt: skip
    if axes.get_ylim()[0] > 0:
        axes.set_ylim(bottom=0)
    axes.set_xticks(range(len(labels)), labels)
    for edge in range(1, len(labels)):
        axes.axvline(edge - 0.5, color=plt.rcParams["grid.color"], alpha=0.25, linewidth=0.6)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.tick_params(axis="x", length=0)
    return _finish(axes, x=x, y=y, share=about["unit"] == "share")


# ---- colours


def colour_balance(study: Study, ax: Axes | None = None) -> Axes:
    """Draw the distribution of the final colour difference, whites less blacks, by system.

    Parameters
    ----------
    study : Study
    ax : Axes, optional
        Where to draw; default a new figure.

    Returns
    -------
    Axes
    """
    return _bars(study, ax, "colour_difference", x="games with White less games with Black", y="share of players")


def colour_runs(study: Study, ax: Axes | None = None) -> Axes:
    """Draw how long each player's longest run of one colour is, by system; see `colour_balance` for parameters."""
    return _bars(study, ax, "run_length", x="longest run of one colour", y="share of players")


def due_colour_misses(study: Study, ax: Axes | None = None) -> Axes:
    """Draw the share of due colours that were not given, by round; see `colour_balance` for parameters."""
    return _lines(study, ax, "due_miss_by_round", y="due colours missed")


def colour_by_quantile(study: Study, ax: Axes | None = None) -> Axes:
    """Draw the colour imbalance ``|w - b|`` by rating quantile; see `colour_balance` for parameters."""
    return _points(
        study, ax, "imbalance_by_quantile", overall="imbalance", x="players by rating", y="mean |whites − blacks|"
    )


# ---- byes


def bye_by_quantile(study: Study, ax: Axes | None = None) -> Axes:
    """Draw which rating quantile gets the pairing-allocated byes; see `colour_balance` for parameters."""
    return _points(study, ax, "bye_share_by_quantile", overall="", x="players by rating", y="share of the byes")


def bye_gain(study: Study, ax: Axes | None = None) -> Axes:
    """Draw what a bye brings above the model's expectation, by rating quantile; see `colour_balance` for parameters."""
    return _points(study, ax, "bye_gain_by_quantile", overall="bye_gain", x="players by rating", y="bye gain, points")


def bye_heat_map(study: Study, ax: Axes | None = None) -> Axes:
    """Draw who gets the bye: probability by rating rank and round, systems side by side.

    Parameters
    ----------
    study : Study
    ax : Axes, optional
        Where to draw; default a new figure.

    Returns
    -------
    Axes
    """
    name = "bye_by_number_and_round"
    axes, drawable = _axes(study, ax, name)
    if not drawable:
        return axes
    numbers, rounds = study.summary.about(name)["labels"]
    maps = [_values(study, system, name).mean.reshape(len(numbers), len(rounds)) for system in study.systems]
    size = -(-len(numbers) // _MOST_ROWS)
    starts = np.arange(0, len(numbers), size)
    maps = [np.add.reduceat(np.nan_to_num(cells), starts, axis=0) for cells in maps]
    height = np.diff([*starts, len(numbers)])
    norm = PowerNorm(0.5, 0.0, max(1e-9, *(float((cells / height[:, None]).max()) for cells in maps)))
    cells, colours, gap = [], [], 1
    for k, found in enumerate(maps):
        left = k * (len(rounds) + gap)
        for row, r in np.ndindex(found.shape):
            cells.append(Rectangle((left + r, row), 1, 1))
            colours.append(to_rgba(HEAT, float(norm(found[row, r] / height[row]))))
        axes.add_patch(Rectangle((left, 0), len(rounds), len(starts), fill=False, linewidth=0.6, edgecolor=_ink()))
        axes.text(left + len(rounds) / 2, -0.25, study.systems[k], ha="center", va="bottom")
    axes.add_collection(PatchCollection(cells, facecolors=colours, edgecolors="none", linewidths=0))
    axes.set_xlim(-0.1, len(maps) * (len(rounds) + gap) - gap + 0.1)
    axes.set_ylim(len(starts) + 0.1, -0.1)
    _label_heat_map(axes, len(maps), rounds, [_span(numbers, k, k + size) for k in range(0, len(numbers), size)], gap)
    steps = ListedColormap([to_rgba(HEAT, k / 15) for k in range(16)])
    axes.figure.colorbar(ScalarMappable(norm, steps), ax=axes, format=_PERCENT, pad=0.01, fraction=0.03)
    return axes


def _span(numbers: Sequence[str], start: int, end: int) -> str:
    """Return the label of several groups of pairing numbers: the first of the first, the last of the last."""
    first, last = numbers[start].split("-")[0], numbers[min(end, len(numbers)) - 1].split("-")[-1]
    return first if first == last else f"{first}–{last}"


def _label_heat_map(axes: Axes, maps: int, rounds: Sequence[str], rows: Sequence[str], gap: int) -> None:
    step = max(1, -(-len(rounds) * maps // 40))
    ticks = [(k * (len(rounds) + gap) + r + 0.5, rounds[r]) for k in range(maps) for r in range(0, len(rounds), step)]
    axes.set_xticks([place for place, _ in ticks], [label for _, label in ticks])
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("round")
    axes.set_ylabel("pairing number")


# ---- floats and ranking


def floats_by_round(study: Study, ax: Axes | None = None) -> Axes:
    """Draw the share of games between different scores, by round; see `colour_balance` for parameters."""
    return _lines(study, ax, "float_share_by_round", y="games between different scores")


def rating_gap(study: Study, ax: Axes | None = None) -> Axes:
    """Draw the mean rating difference per game, by round; see `colour_balance` for parameters."""
    return _lines(study, ax, "rating_gap_by_round", y="rating difference")


def meeting_round(study: Study, ax: Axes | None = None) -> Axes:
    """Draw in which round the two strongest meet; see `colour_balance` for parameters."""
    name = "meeting_round_share"
    labels = study.summary.about(name)["labels"][0]

    def legend(system: str) -> str:
        never = _values(study, system, name).mean[-1]
        return system if np.isnan(never) else f"{system} (never: {never:.1%})".replace("%", " %")

    return _bars(study, ax, name, x="round", y="share of tournaments", shown=labels[:-1], legend=legend)


def tau_by_round(study: Study, ax: Axes | None = None) -> Axes:
    """Draw Kendall's tau between standings and strengths after each round: how tournaments differ, and the mean.

    Parameters
    ----------
    study : Study
    ax : Axes, optional
        Where to draw; default a new figure.

    Returns
    -------
    Axes
        One violin for each round and system; of more than nine rounds some are left out.
    """
    name = "tau_by_round"
    axes, drawable = _axes(study, ax, name)
    if not drawable:
        return axes
    rounds = len(study.summary.about(name)["labels"][0])
    shown = np.unique(np.linspace(1, rounds, min(rounds, _MOST_VIOLINS)).round().astype(int))
    width = _WIDTH / len(study.systems)
    for s, system in enumerate(study.systems):
        edges, counts = study.summary.histogram(system, name)
        found, (colour, marker) = _values(study, system, name), style(study, system)
        place = np.arange(len(shown)) + (s + 0.5) * width - _WIDTH / 2
        for x, r in zip(place, shown, strict=True):
            _violin(axes, x, edges, counts[r - 1], width * 0.46, colour)
        axes.errorbar(
            place, found.mean[shown - 1], found.errors[:, shown - 1], color=colour, marker=marker, markersize=3.5,
            linestyle="none", elinewidth=1, label=system,
        )  # fmt: skip
    axes.set_xticks(range(len(shown)), [str(r) for r in shown])
    axes.set_xlim(-0.5, len(shown) - 0.5)
    axes.tick_params(axis="x", length=0)
    return _finish(axes, x="after round", y="Kendall tau", share=False)


def _violin(axes: Axes, x: float, edges: Floats, counts: Floats, half: float, colour: str) -> None:
    """Draw how often each value occurs as a symmetric outline; four neighbouring bins make one."""
    joined = counts.reshape(-1, 4).sum(axis=1)
    filled = np.flatnonzero(joined)
    if not len(filled):
        return
    kept = slice(max(filled[0] - 1, 0), filled[-1] + 2)
    middle = (edges[:-1:4] + edges[4::4])[kept] / 2
    density = joined[kept] / joined.max() * half
    axes.fill_betweenx(middle, x - density, x + density, facecolor=colour, alpha=0.35, linewidth=0)


def _ink() -> str:
    """Return the colour of the text, for lines that belong to no system."""
    return str(plt.rcParams["text.color"])


#: The figures of the report, in order.
FIGURES = (
    Figure(
        "colour_balance", "Final colour difference",
        "Games with White less games with Black at the end. In an even number of games 0 is the best, in an odd number 1 and −1.",
        colour_balance, "colour_difference", "distributions.csv",
    ),
    Figure(
        "colour_runs", "Colour runs",
        "Each player's longest run of games with the same colour.",
        colour_runs, "run_length", "distributions.csv",
    ),
    Figure(
        "due_colour_misses", "Due colours missed by round",
        "Share of the games in which a player who had one colour less often, or had the other one last, did not get it.",
        due_colour_misses, "due_miss_by_round", "by_round.csv",
    ),
    Figure(
        "colour_by_quantile", "Colour imbalance by rating",
        "Mean |whites − blacks| at the end, for all players and by rating quarter.",
        colour_by_quantile, "imbalance_by_quantile", "by_quantile.csv",
    ),
    Figure(
        "bye_heat_map", "Who gets the bye",
        "Probability that a player has the pairing-allocated bye, by pairing number (1 has the highest rating) and round. The "
        "scale is that of the square root, so that small probabilities show.",
        bye_heat_map, "bye_by_number_and_round", "by_number.csv", 4.2,
    ),
    Figure(
        "bye_by_quantile", "Byes by rating",
        "Share of the pairing-allocated byes that each rating quarter gets.",
        bye_by_quantile, "bye_share_by_quantile", "by_quantile.csv",
    ),
    Figure(
        "bye_gain", "What a bye is worth",
        "Points of the bye less what the model expects against the middle of the score group, for all byes and by rating "
        "quarter. At 0 a bye would be neither a gift nor a loss.",
        bye_gain, "bye_gain_by_quantile", "by_quantile.csv",
    ),
    Figure(
        "floats_by_round", "Floats by round",
        "Share of the games between players of different scores.",
        floats_by_round, "float_share_by_round", "by_round.csv",
    ),
    Figure(
        "tau_by_round", "Ranking quality by round",
        "Kendall's tau between the standings and the true strengths: 1 is the true order, 0 a random one. The outlines show how "
        "tournaments differ, the marks the mean with its interval.",
        tau_by_round, "tau_by_round", "by_round.csv", 4.2,
    ),
    Figure(
        "rating_gap", "Rating gap by round",
        "Mean absolute difference between the ratings of two opponents.",
        rating_gap, "rating_gap_by_round", "by_round.csv",
    ),
    Figure(
        "meeting_round", "When the two strongest meet",
        "Share of the tournaments in which the two strongest players have their first game in the round.",
        meeting_round, "meeting_round_share", "by_round.csv",
    ),
)  # fmt: skip
