"""Many files side by side in processes: results in order, bounded memory, Ctrl-C at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import TypeVar

from swisssim.errors import SwissError

Item = TypeVar("Item")
Result = TypeVar("Result")

# A process takes about a second to start; below this number of items for each it does not pay.
_LEAST_ITEMS = 100
_CHUNK = 16
_CHUNKS_AHEAD = 3


def workers_for(items: int, workers: int | None) -> int:
    """Return how many processes to use; 1 is this one."""
    if workers is None:
        return max(1, min(os.cpu_count() or 1, items // _LEAST_ITEMS))
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise SwissError(f"workers is {workers!r}; it must be a whole number from 1")
    return min(workers, max(1, items))


def spread(function: Callable[[Item], Result], items: Iterable[Item], *, workers: int) -> Iterator[Result]:
    """Yield the results of a function for all items, in their order.

    Parameters
    ----------
    function : callable
        Of one item; it can be pickled if there is more than one worker.
    items : iterable
        Taken as they are needed, a few chunks ahead.
    workers : int
        Processes; with 1 everything happens in this one.
    """
    if workers == 1:
        yield from map(function, items)
        return
    # Fresh processes: forking one that runs threads is not safe.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_ignore_interrupts)
    waiting: deque[Future[list[Result]]] = deque()
    source = iter(items)
    chunks = iter(lambda: list(islice(source, _CHUNK)), [])
    try:
        for chunk in islice(chunks, _CHUNKS_AHEAD * workers):
            waiting.append(pool.submit(_run, function, chunk))
        while waiting:
            results = waiting.popleft().result()
            for chunk in islice(chunks, 1):
                waiting.append(pool.submit(_run, function, chunk))
            yield from results
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(function: Callable[[Item], Result], chunk: list[Item]) -> list[Result]:
    return [function(item) for item in chunk]
