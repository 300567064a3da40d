"""Real events reviewed: colour balance, byes and floats of what was played, and what other systems would have made of it.

Events are the sampling unit. For every event the column ``as played`` has its own numbers; the column of a system has the mean over
simulated tournaments of the same players, rounds and rates of absence. Differences are paired by event.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from swisssim.errors import SwissError
from swisssim.events import find_files
from swisssim.events._parallel import spread
from swisssim.metrics import concatenate
from swisssim.models import Model
from swisssim.models import model as make_model
from swisssim.pairing import PairingSystem
from swisssim.pairing import system as make_system
from swisssim.review._event import AS_PLAYED, EventReview, Settings, review_file, whole_weights
from swisssim.review._review import HEADLINES, Review
from swisssim.simulation import progress_bar
from swisssim.statistics import Accumulator

__all__ = ["AS_PLAYED", "HEADLINES", "EventReview", "Review", "Settings", "review"]


def review(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    systems: Sequence[str | PairingSystem] = (),
    tournaments: int = 200,
    model: str | Model | Callable[..., Any] = "milvang2015",
    seed: int = 1,
    unrated: float = 1400.0,
    strict: bool = True,
    workers: int | None = 1,
    progress: bool = True,
) -> Review:
    """Review real events.

    Parameters
    ----------
    files : path or iterable of paths
        Report files, and folders with such files.
    systems : sequence of str or PairingSystem
        Systems for the counterfactual; none by default.
    tournaments : int
        Simulated tournaments for each event and system.
    model : str, Model or callable
        The result model of the simulation, by which byes are valued too.
    seed : int
        Seed of the simulation.
    unrated : float
        Rating of players without one.
    strict : bool
        As in `swisssim.trf.read`.
    workers : int, optional
        Processes; None: as many as there are processors. They do not change the result.
    progress : bool
        Show a progress bar, on a terminal only.

    Returns
    -------
    Review
        Files that cannot be reviewed are in `Review.errors`.

    Raises
    ------
    SwissError
        If no file can be reviewed, or a value is impossible.
    OSError
        If a place does not exist.

    Examples
    --------
    >>> import swisssim
    >>> found = swisssim.review("season/", systems=["nordic"])          # doctest: +SKIP
    >>> found.save("review")                                            # doctest: +SKIP
    """
    places = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    settings = Settings(
        systems=tuple(make_system(system) for system in systems),
        tournaments=tournaments,
        model=make_model(model),
        seed=seed,
        unrated=unrated,
        strict=strict,
    )
    paths = find_files(places)
    found: list[EventReview] = []
    count = workers if workers is not None else min(os.cpu_count() or 1, max(1, len(paths) // 4))
    with progress_bar(len(paths), show=progress, unit="event") as bar:
        for event in spread(partial(review_file, settings=settings), paths, workers=count):
            found.append(event)
            bar.update()
    return pool(found, settings)


def pool(events: Sequence[EventReview], settings: Settings) -> Review:
    """Return the review of events that were measured: sums over all of them.

    Raises
    ------
    SwissError
        If none could be reviewed; the message says why of the first.
    """
    good = [event for event in events if not event.error]
    errors = [event for event in events if event.error]
    if not good:
        raise SwissError(errors[0].error if errors else "there is no file to review")
    names = settings.names
    blocks = concatenate([event.metrics[name] for event in good for name in names])
    summary = Accumulator(names, baseline=AS_PLAYED, seed=settings.seed)
    # The blocks stand event by event, and within an event column by column.
    picked = {name: [metric.at(slice(k, None, len(names))) for metric in blocks] for k, name in enumerate(names)}
    picked |= {name: [whole_weights(metric) for metric in picked[name]] for name in names if name != AS_PLAYED}
    summary.update(0, picked)
    return Review(settings, good, errors, summary, picked)
