"""The accumulator: exact sums over tournaments, added block by block, merged, stored, and read as estimates."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from swisssim.errors import SwissError, unknown
from swisssim.metrics import Floats, Metric, ratio
from swisssim.statistics import _sums
from swisssim.statistics.estimates import NOTHING, Estimate, difference_of, mean_of

_SCALE = 40  # values are multiples of 2^-40 ...
_RANGE = 22  # ... below 2^22
_SPLIT = 21  # the bootstrap multiplies the upper and the lower bits apart, so that float64 products are exact
_ROWS = 1024  # tournaments per such product, at most
_DESCRIBED = (
    "name",
    "title",
    "dims",
    "labels",
    "unit",
    "definition",
    "better",
    "kind",
    "undefined",
    "bins",
    "resample",
)


@dataclass(frozen=True)
class _Described:
    """A metric without its values, and where its columns stand."""

    about: dict[str, Any]
    weighted: bool
    start: int
    stop: int

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(labels) for labels in self.about["labels"])


def _describe(metric: Metric) -> dict[str, Any]:
    return {name: getattr(metric, name) for name in _DESCRIBED} | {"weighted": metric.weights is not None}


def _whole(limbs: NDArray[np.int64]) -> int:
    return sum(int(limb) << (31 * k) for k, limb in enumerate(limbs))


class _Resamples:
    """Weighted sums of one system over one set of tournaments, per resample: numerators (upper, lower bits),
    denominators.

    Where a metric is a plain mean, the third part counts what is missing (most have a value in every tournament).
    """

    def __init__(self, resamples: int, columns: int) -> None:
        self.shape = (resamples, columns)
        self.parts: list[NDArray[np.int64] | None] = [None, None, None]

    def add(self, part: int, columns: NDArray[np.intp], sums: NDArray[np.int64]) -> None:
        """Add the sums of some columns, shape (resamples, columns)."""
        old = self.parts[part]
        if old is None:
            old = self.parts[part] = np.zeros(self.shape, np.int64)
        if len(columns) == self.shape[1]:
            old += sums
        else:
            old[:, columns] += sums

    def part(self, part: int, columns: slice) -> NDArray[np.int64] | int:
        """Return some columns of a part, 0 if there is nothing in it."""
        found = self.parts[part]
        return 0 if found is None else found[:, columns]

    def merge(self, other: _Resamples) -> None:
        for part, sums in enumerate(other.parts):
            if sums is not None:
                self.add(part, np.arange(self.shape[1]), sums)

    def to_arrays(self, key: str) -> dict[str, NDArray[Any]]:
        """Return the columns that are not zero throughout, and their numbers."""
        found: dict[str, NDArray[Any]] = {}
        for part, sums in enumerate(self.parts):
            columns = np.flatnonzero(sums.any(axis=0)) if sums is not None else np.empty(0, np.intp)
            if sums is not None and len(columns):
                found[f"{key}.{part}.columns"] = columns.astype(np.int64)
                found[f"{key}.{part}.sums"] = np.ascontiguousarray(sums[:, columns])
        return found

    def from_arrays(self, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        for part in range(3):
            if f"{key}.{part}.columns" in arrays:
                sums = np.zeros(self.shape, np.int64)
                sums[:, arrays[f"{key}.{part}.columns"]] = arrays[f"{key}.{part}.sums"]
                self.parts[part] = sums


class Accumulator:
    """Sums over tournaments of the metrics of one or several systems, from which every table is made.

    Parameters
    ----------
    systems : sequence of str
        Names of the systems.
    baseline : str, optional
        The system to which the others are compared; default the first.
    seed : int, optional
        Seed of the study; key of the bootstrap weights.
    resamples : int, optional
        Number of bootstrap resamples; 0 for none.

    Attributes
    ----------
    systems, baseline, seed, resamples
        As given.
    ranges : list of (int, int)
        The tournaments that were accumulated, as (first, end) without gaps or overlaps.
    kept : int
        Tournaments that no system stopped: those of the paired differences.

    Examples
    --------
    >>> from swisssim import Field, colour, simulate
    >>> from swisssim.statistics import Accumulator, summary_table
    >>> field = Field.uniform(players=8, low=1400, high=2200)
    >>> summary = Accumulator(["nordic", "lottery"], resamples=100)
    >>> for first in (0, 20):
    ...     blocks = {
    ...         system: simulate(system, field, rounds=3, tournaments=40, progress=False).part(first, first + 20)
    ...         for system in summary.systems
    ...     }
    ...     summary.update(first, {system: colour.metrics(block) for system, block in blocks.items()})
    >>> summary_table(summary, ["imbalance"]).tournaments.tolist()
    [40, 40]
    """

    def __init__(
        self, systems: Sequence[str], *, baseline: str | None = None, seed: int = 1, resamples: int = 2000
    ) -> None:
        self.systems = tuple(systems)
        self.baseline = self.systems[0] if baseline is None and self.systems else baseline
        if self.baseline not in self.systems:
            raise unknown("baseline", baseline, self.systems)
        self.seed = int(seed)
        self.resamples = int(resamples)
        self.ranges: list[tuple[int, int]] = []
        self.kept = 0
        self._described: list[_Described] = []

    @property
    def tournaments(self) -> int:
        """Number of tournaments that were accumulated."""
        return sum(end - first for first, end in self.ranges)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the metrics, in order."""
        return tuple(found.about["name"] for found in self._described)

    def about(self, name: str) -> dict[str, Any]:
        """Return title, dims, labels, unit, definition and so on of a metric: the fields of `Metric` but the values."""
        return dict(self._find(name).about)

    def is_ratio(self, name: str) -> bool:
        """Tell whether a metric is a ratio of sums (with weights) and not a plain mean."""
        return self._find(name).weighted

    def _find(self, name: str) -> _Described:
        for found in self._described:
            if found.about["name"] == name:
                return found
        raise unknown("metric", name, self.names)

    # ---- in

    def update(
        self,
        first: int,
        metrics: Mapping[str, Sequence[Metric]],
        *,
        stopped: Mapping[str, NDArray[np.bool_]] | None = None,
    ) -> None:
        """Add a block of tournaments.

        Parameters
        ----------
        first : int
            Number, in the study, of the block's first tournament.
        metrics : mapping of str to sequence of Metric
            The metrics of each system, of the same names and labels in every block; one that a system does not have
            counts as without value there.
        stopped : mapping of str to ndarray of bool, optional
            Which tournaments each system stopped; default none.

        Raises
        ------
        SwissError
            If a system is missing, a tournament was added before, or the metrics are not those of the first block.
        """
        missing = set(self.systems) ^ set(metrics)
        if missing:
            raise SwissError(f"a block needs the metrics of the systems {', '.join(self.systems)}; look at {missing}")
        sizes = {metric.tournaments for found in metrics.values() for metric in found}
        if len(sizes) != 1:
            raise SwissError(f"the metrics of a block are of different numbers of tournaments: {sorted(sizes)}")
        count = sizes.pop()
        self._lay_out([_describe(metric) for found in metrics.values() for metric in found])
        blocks = [self._columns(metrics[system], count) for system in self.systems]
        self._add_range(first, first + count)
        kept = np.ones(count, dtype=bool)
        for mask in (stopped or {}).values():
            kept &= ~np.asarray(mask, dtype=bool)
        self.kept += int(kept.sum())
        self._add_sums(blocks, kept)
        self._add_histograms(metrics)
        if self.resamples:
            self._resample(first, blocks, kept)

    def _add_range(self, first: int, end: int) -> None:
        for start, stop in self.ranges:
            if first < stop and start < end:
                raise SwissError(f"tournaments {max(first, start)}..{min(end, stop) - 1} were added before")
        joined: list[tuple[int, int]] = []
        for start, stop in sorted([*self.ranges, (first, end)]):
            if joined and joined[-1][1] == start:
                joined[-1] = (joined[-1][0], stop)
            elif stop > start:
                joined.append((start, stop))
        self.ranges = joined

    def _lay_out(self, descriptions: list[dict[str, Any]]) -> None:
        """Give every metric its columns, or check that the metrics are those of the first block."""
        unique = {about["name"]: about for about in reversed(descriptions)}
        ordered = [unique.pop(about["name"]) for about in descriptions if about["name"] in unique]
        if self._described:
            known = {found.about["name"]: (found.about["labels"], found.weighted) for found in self._described}
            for about in ordered:
                if known.get(about["name"]) != (about["labels"], about["weighted"]):
                    raise SwissError(f"metric {about['name']!r} is not, or not with these labels, in the first block")
            return
        start = 0
        for about in ordered:
            size = math.prod(len(labels) for labels in about["labels"])
            weighted = about.pop("weighted")
            self._described.append(_Described(about, weighted, start, start + size))
            start += size
        self._allocate(start)

    def _allocate(self, columns: int) -> None:
        sets, systems = 2, len(self.systems)
        self._moments = np.zeros((sets, systems, columns, len(_sums.MOMENTS), 4), np.int64)
        self._products = np.zeros((systems, columns, len(_sums.PRODUCTS), 4), np.int64)
        drawn = [found for found in self._described if found.about["resample"]]
        self._drawn = np.concatenate([np.arange(found.start, found.stop) for found in drawn] or [np.empty(0, int)])
        self._weighted = np.zeros(columns, dtype=bool)
        for found in self._described:
            self._weighted[found.start : found.stop] = found.weighted
        self._weight = np.zeros((sets, self.resamples), np.int64)
        self._boot = [[_Resamples(self.resamples, len(self._drawn)) for _ in self.systems] for _ in range(sets)]
        self._counts = {
            found.about["name"]: np.zeros((systems, found.stop - found.start, found.about["bins"][2]), np.int64)
            for found in self._described
            if found.about["bins"] is not None
        }

    def _columns(self, metrics: Sequence[Metric], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return numerators and denominators of one system in fixed point, shape (tournaments, columns)."""
        columns = self._described[-1].stop if self._described else 0
        above, below = np.zeros((2, count, columns), np.int64)
        named = {metric.name: metric for metric in metrics}
        for found in self._described:
            metric = named.get(found.about["name"])
            if metric is None:
                continue
            place = slice(found.start, found.stop)
            values, weights = (
                None if array is None else np.ascontiguousarray(array, np.float64).reshape(count, -1)
                for array in (metric.values, metric.weights)
            )
            assert values is not None
            bad = _sums.fix(values, weights, _SCALE, _RANGE, above[:, place], below[:, place])
            if bad is not None:
                weight = "" if weights is None else f" with the weight {weights[bad]}"
                raise SwissError(
                    f"metric {metric.name!r}: value {values[bad]}{weight} in tournament {bad[0]} of the block; values must be "
                    f"below 2^{_RANGE}, weights whole numbers from 0"
                )
        return above, below

    def _add_sums(self, blocks: list[tuple[NDArray[np.int64], NDArray[np.int64]]], kept: NDArray[np.bool_]) -> None:
        rows = [np.ascontiguousarray(mask, dtype=np.uint8) for mask in (kept, ~kept)]
        base = self.systems.index(str(self.baseline))
        for s, block in enumerate(blocks):
            for k in range(2):
                if rows[k].any():
                    _sums.add_moments(*block, rows[k], self._moments[k, s])
            if s != base:
                _sums.add_products(*block, *blocks[base], rows[0], self._products[s])

    def _add_histograms(self, metrics: Mapping[str, Sequence[Metric]]) -> None:
        for s, system in enumerate(self.systems):
            for metric in metrics[system]:
                if metric.bins is None:
                    continue
                low, high, bins = metric.bins
                flat = ratio(metric.numerator, metric.denominator).reshape(metric.tournaments, -1)
                for column, values in enumerate(flat.T):
                    inside = values[np.isfinite(values)]
                    place = np.clip(np.floor((inside - low) / (high - low) * bins), 0, bins - 1).astype(np.int64)
                    self._counts[metric.name][s, column] += np.bincount(place, minlength=bins)

    def _resample(
        self, first: int, blocks: list[tuple[NDArray[np.int64], NDArray[np.int64]]], kept: NDArray[np.bool_]
    ) -> None:
        weighted = self._weighted[self._drawn]
        parts = []
        for above, below in blocks:
            values, missing = above[:, self._drawn], below[:, self._drawn]
            missing = np.where(weighted, missing, 1 - missing)
            parts.append((values >> _SPLIT, values & ((1 << _SPLIT) - 1), missing))
        for start in range(0, len(kept), _ROWS):
            here = slice(start, min(start + _ROWS, len(kept)))
            drawn = np.empty((here.stop - here.start, self.resamples))
            _sums.poisson_weights(self.seed, first + start, drawn)
            for k, rows in enumerate((kept[here], ~kept[here])):
                if not rows.any():
                    continue
                weights = np.ascontiguousarray(drawn[rows].T)
                self._weight[k] += weights.sum(axis=1).astype(np.int64)
                for s, system_parts in enumerate(parts):
                    for part, values in enumerate(system_parts):
                        self._add_product(self._boot[k][s], part, weights, values[here][rows])

    @staticmethod
    def _add_product(sums: _Resamples, part: int, weights: Floats, values: NDArray[np.int64]) -> None:
        """Add weights times values, in float64 without rounding, for the columns that have anything to add."""
        columns = np.flatnonzero(values.any(axis=0))
        if not len(columns):
            return
        rows = len(values)
        largest = int(np.abs(values).max()) * _sums.LARGEST_WEIGHT * rows
        if largest >= 1 << 53 and rows > 1:
            for half in (slice(0, rows // 2), slice(rows // 2, rows)):
                Accumulator._add_product(sums, part, weights[:, half], values[half])
            return
        sums.add(part, columns, (weights @ values[:, columns].astype(np.float64)).astype(np.int64))

    def merge(self, other: Accumulator) -> None:
        """Add the sums of another accumulator over other tournaments of the same study.

        Parameters
        ----------
        other : Accumulator
            Of the same systems, baseline, seed, resamples and metrics. It is left as it is.

        Raises
        ------
        SwissError
            If it is of another study, or has tournaments in common with this one.
        """
        for name in ("systems", "baseline", "seed", "resamples"):
            if getattr(self, name) != getattr(other, name):
                raise SwissError(f"these summaries differ in {name}: {getattr(self, name)!r}, {getattr(other, name)!r}")
        if not other._described:
            return
        self._lay_out([found.about | {"weighted": found.weighted} for found in other._described])
        if self.names != other.names:
            raise SwissError("these summaries hold different metrics")
        for first, end in other.ranges:
            self._add_range(first, end)
        self.kept += other.kept
        self._moments += other._moments
        self._products += other._products
        self._weight += other._weight
        for name, counts in other._counts.items():
            self._counts[name] += counts
        for mine, theirs in zip(self._boot, other._boot, strict=True):
            for sums, more in zip(mine, theirs, strict=True):
                sums.merge(more)

    # ---- stored

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything as named arrays, for instance for ``numpy.savez``; the same sums give the same arrays.

        Returns
        -------
        dict of str to ndarray
            Whole numbers only; ``header`` is a JSON text as bytes.
        """
        header = {
            "systems": self.systems,
            "baseline": self.baseline,
            "seed": self.seed,
            "resamples": self.resamples,
            "metrics": [found.about | {"weighted": found.weighted} for found in self._described],
        }
        text = json.dumps(header, sort_keys=True).encode()
        arrays: dict[str, NDArray[Any]] = {
            "header": np.frombuffer(text, dtype=np.uint8),
            "ranges": np.array(self.ranges, dtype=np.int64).reshape(-1, 2),
            "kept": np.array([self.kept], dtype=np.int64),
        }
        if not self._described:
            return arrays
        arrays |= {"moments": self._moments, "products": self._products, "weight": self._weight}
        arrays |= {f"histogram.{name}": counts for name, counts in self._counts.items()}
        for k, found in enumerate(self._boot):
            for s, sums in enumerate(found):
                arrays |= sums.to_arrays(f"resamples.{k}.{s}")
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Accumulator:
        """Return the accumulator that `to_arrays` stored.

        Parameters
        ----------
        arrays : mapping of str to ndarray

        Returns
        -------
        Accumulator

        Raises
        ------
        SwissError
            If the arrays are not those of an accumulator.
        """
        try:
            header = json.loads(bytes(arrays["header"]))
            made = cls(
                header["systems"], baseline=header["baseline"], seed=header["seed"], resamples=header["resamples"]
            )
            made.ranges = [(int(first), int(end)) for first, end in arrays["ranges"]]
            made.kept = int(arrays["kept"][0])
            if header["metrics"]:
                made._lay_out([_as_described(about) for about in header["metrics"]])
                made._restore(arrays)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise SwissError(f"these arrays are not a stored summary: {error}") from error
        return made

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name in ("moments", "products", "weight"):
            getattr(self, f"_{name}")[...] = arrays[name]
        for name, counts in self._counts.items():
            counts[...] = arrays[f"histogram.{name}"]
        for k, found in enumerate(self._boot):
            for s, sums in enumerate(found):
                sums.from_arrays(f"resamples.{k}.{s}", arrays)

    # ---- out

    def _system(self, system: str) -> int:
        if system not in self.systems:
            raise unknown("system", system, self.systems)
        return self.systems.index(system)

    def estimates(self, system: str, name: str) -> list[Estimate]:
        """Return the mean of a metric for each of its labels, over all tournaments in which it has a value.

        Parameters
        ----------
        system, name : str

        Returns
        -------
        list of Estimate
            One per label (in the order of the flattened labels), or a single one.

        Raises
        ------
        SwissError
            If there is no such system or metric.
        """
        found, s = self._find(name), self._system(system)
        sums = self._moments[:, s].sum(axis=0)
        return [mean_of([_whole(limbs) for limbs in sums[c]], _SCALE) for c in range(found.start, found.stop)]

    def differences(self, system: str, name: str) -> list[Estimate]:
        """Return the paired difference to the baseline for each label: the system's mean less the baseline's.

        Parameters
        ----------
        system, name : str

        Returns
        -------
        list of Estimate
            One per label, over the tournaments that no system stopped; its number of tournaments counts those in which
            either has a value. Nothing for the baseline itself.

        Raises
        ------
        SwissError
            If there is no such system or metric.
        """
        found, s = self._find(name), self._system(system)
        base = self._system(str(self.baseline))
        if s == base:
            return [NOTHING] * (found.stop - found.start)
        return [
            difference_of(
                [_whole(limbs) for limbs in self._moments[0, s, c]],
                [_whole(limbs) for limbs in self._moments[0, base, c]],
                [_whole(limbs) for limbs in self._products[s, c]],
                _SCALE,
            )
            for c in range(found.start, found.stop)
        ]

    def resampled(self, system: str, name: str, *, kept: bool = False) -> Floats:
        """Return the mean of a metric in each bootstrap resample.

        Parameters
        ----------
        system, name : str
        kept : bool, optional
            Only over the tournaments that no system stopped; default all.

        Returns
        -------
        ndarray of float64, shape (resamples, ...)
            The further axes are the labels; NaN where a resample has no tournament with a value. The same resample of
            two systems is of the same tournaments.

        Raises
        ------
        SwissError
            If there is no such system or metric, or its resamples are not kept.
        """
        found, s = self._find(name), self._system(system)
        if not found.about["resample"] or not self.resamples:
            raise SwissError(f"no bootstrap resamples are kept of {name!r}")
        first = int(np.searchsorted(self._drawn, found.start))
        place, sets = slice(first, first + found.stop - found.start), (0,) if kept else (0, 1)
        nothing = np.zeros((self.resamples, found.stop - found.start), np.int64)
        upper, lower, missing = (sum((self._boot[k][s].part(part, place) for k in sets), nothing) for part in range(3))
        below = missing if found.weighted else self._weight[list(sets)].sum(axis=0)[:, None] - missing
        above = (upper * 2.0**_SPLIT + lower) * 2.0**-_SCALE
        return ratio(above, below).reshape(self.resamples, *found.shape)

    def histogram(self, system: str, name: str) -> tuple[Floats, NDArray[np.int64]]:
        """Return how the tournaments' values are distributed.

        Parameters
        ----------
        system, name : str
            A metric with `bins`.

        Returns
        -------
        edges : ndarray of float64, shape (bins + 1,)
        counts : ndarray of int64, shape (..., bins)
            Tournaments per label and bin; values outside the edges are in the first or the last bin.

        Raises
        ------
        SwissError
            If there is no such system or metric, or it keeps no histogram.
        """
        found, s = self._find(name), self._system(system)
        if found.about["bins"] is None:
            raise SwissError(f"no histogram is kept of {name!r}; of {', '.join(self._counts) or 'no metric'}")
        low, high, bins = found.about["bins"]
        return np.linspace(low, high, bins + 1), self._counts[name][s].reshape(*found.shape, bins)


def _as_described(about: dict[str, Any]) -> dict[str, Any]:
    """Return a description with the tuples that JSON turned into lists."""
    bins = about["bins"]
    return about | {
        "dims": tuple(about["dims"]),
        "labels": tuple(tuple(labels) for labels in about["labels"]),
        "bins": None if bins is None else (float(bins[0]), float(bins[1]), int(bins[2])),
    }
