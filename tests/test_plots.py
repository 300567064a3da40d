"""Figures: each draws on the axes that it is given, in the system's own colour, with intervals; or says why it can't."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer

import swisssim
from swisssim import Comparison, Field, compare, plots

mpl.use("agg")


def small(players: int = 9, rounds: int = 5, systems: tuple[str, ...] = ("nordic", "amalfi", "lottery")) -> Comparison:
    field = Field.uniform(players=players, low=1400, high=2200)
    return compare(systems, field, rounds=rounds, tournaments=40, resamples=0, threads=1, progress=False)


@pytest.fixture(scope="module")
def study() -> Comparison:
    return small()


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.parametrize("figure", plots.FIGURES, ids=lambda figure: figure.name)
def test_figures_draw_where_they_are_told(study: Comparison, figure: plots.Figure) -> None:
    ax = plt.figure().subplots()
    assert figure.draw(study, ax=ax) is ax
    assert figure.draw(study, ax) is ax
    assert figure.draw(study) is not ax
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert figure.draw is getattr(plots, figure.name)


@pytest.mark.parametrize("figure", plots.FIGURES, ids=lambda figure: figure.name)
def test_legends_name_every_system_in_its_colour(study: Comparison, figure: plots.Figure) -> None:
    ax = figure.draw(study)
    legend = ax.get_legend()
    if legend is None:
        texts = [text.get_text() for text in ax.texts]
        assert texts == list(study.systems)
        return
    assert [text.get_text().split(" (")[0] for text in legend.get_texts()] == list(study.systems)
    for system, handle in zip(study.systems, ax.get_legend_handles_labels()[0], strict=True):
        drawn = handle[0].get_facecolor() if isinstance(handle, BarContainer) else handle[0].get_color()
        assert to_hex(drawn) == plots.style(study, system)[0]


def test_a_system_keeps_its_colour_in_every_study(study: Comparison) -> None:
    other = small(systems=("lottery", "nordic"))
    for system in other.systems:
        assert plots.style(other, system) == plots.style(study, system)
    assert len({plots.style(study, system) for system in study.systems}) == 3


def test_variants_have_colours_of_their_own() -> None:
    systems = ["nordic", swisssim.system("nordic", forfeits_count_as_met=True), swisssim.system("lottery", seed=3)]
    field = Field.uniform(players=5, low=1400, high=2200)
    study = compare(systems, field, rounds=2, tournaments=3, resamples=0, threads=1, progress=False)
    assert len({plots.style(study, system) for system in study.systems}) == 3


def test_bars_are_the_means(study: Comparison) -> None:
    ax = plots.colour_balance(study)
    heights = [bar.get_height() for bar in ax.containers[0]]
    table = study.table[(study.table["metric"] == "colour_difference") & (study.table["system"] == "nordic")]
    shown = table[table["mean"] > 0]["mean"]
    assert sum(heights) == pytest.approx(1.0)
    assert set(np.round(shown, 12)) <= set(np.round(heights, 12))


def test_intervals_are_drawn(study: Comparison) -> None:
    ax = plots.rating_gap(study)
    row = study.metric("rating_gap_by_round").iloc[0]
    segments = ax.containers[0].lines[2][0].get_segments()
    assert sorted(y for _, y in segments[0]) == pytest.approx([row["low"], row["high"]])


def test_the_heat_map_is_darkest_where_byes_fall(study: Comparison) -> None:
    ax = plots.bye_heat_map(study)
    cells = ax.collections[0].get_facecolor().reshape(3, 9, 5, 4)
    shares = np.array([e.mean for e in study.summary.estimates("nordic", "bye_by_number_and_round")]).reshape(9, 5)
    assert np.unravel_index(cells[0, :, :, 3].argmax(), (9, 5)) == np.unravel_index(shares.argmax(), (9, 5))
    assert cells[0, :, :, 3][shares == 0].max() == 0
    assert [label.get_text() for label in ax.get_yticklabels()] == [str(k) for k in range(1, 10)]


def test_the_heat_map_joins_pairing_numbers_of_large_fields() -> None:
    ax = plots.bye_heat_map(small(players=41, rounds=3))
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert len(labels) <= 16
    assert (labels[0], labels[-1]) == ("1–3", "40–41")


def test_what_is_missing_is_said() -> None:
    even = small(players=8)
    for draw in (plots.bye_heat_map, plots.bye_gain, plots.bye_by_quantile):
        assert draw(even).texts[0].get_text() == "There was no pairing-allocated bye in these tournaments."
    one = small(rounds=1)
    assert "nobody had a due colour" in plots.due_colour_misses(one).texts[0].get_text()
    assert plots.tau_by_round(one).get_legend() is not None


def test_many_rounds_make_few_violins() -> None:
    ax = plots.tau_by_round(small(players=13, rounds=12))
    ticks = [label.get_text() for label in ax.get_xticklabels()]
    assert len(ticks) <= 9
    assert (ticks[0], ticks[-1]) == ("1", "12")


def test_labels_are_pretty() -> None:
    assert plots.pretty("<= -4") == "≤ −4"
    assert plots.pretty("|w - b| >= 2") == "|w − b| ≥ 2"
    assert plots.pretty("Kendall tau-a") == "Kendall tau-a"
