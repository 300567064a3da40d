"""Where chunks are computed: threads, processes, Dask, or any other executor; what is lost with a worker is tried again."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for

from swisssim._state import CancelFlag
from swisssim.errors import SwissError
from swisssim.study._chunk import Chunk, compute
from swisssim.study._design import Study, Task

# How often a chunk is tried if its worker dies.
_TRIES = 4
# How often the waiting thread looks for Ctrl-C, in seconds.
_WAIT = 0.1
# Chunks under way at once where the number of workers isn't known.
_MANY = 64
# How long to wait for the scheduler of a cluster, in seconds.
_PATIENCE = 30


class Engine:
    """An executor for chunks.

    Attributes
    ----------
    window : int
        How many chunks are handed out at once: enough for all workers, and no more, since finished ones take memory.
    words : str
        For the log.
    """

    window = _MANY
    words = "an executor"
    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def submit(self, text: str, task: Task) -> Future[Chunk]:
        """Hand out a chunk."""
        return self.executor.submit(compute, text, task.first, task.count)

    def renew(self) -> bool:
        """Make good what a dead worker has broken; tell whether all that was handed out is lost with it."""
        return False

    def close(self) -> None:
        """Stop what is still running and let go of the workers."""


class _Threads(Engine):
    def __init__(self, threads: int) -> None:
        super().__init__(ThreadPoolExecutor(threads))
        self.flag = CancelFlag()
        self.window = threads + 1
        self.words = f"{threads} threads"

    def submit(self, text: str, task: Task) -> Future[Chunk]:
        return self.executor.submit(compute, text, task.first, task.count, flag=self.flag)

    def close(self) -> None:
        self.flag.cancel()
        self.executor.shutdown(wait=True, cancel_futures=True)


class _Processes(Engine):
    executor: ProcessPoolExecutor

    def __init__(self, workers: int) -> None:
        super().__init__(self._pool(workers))
        self.workers = workers
        self.window = workers + 1
        self.words = f"{workers} processes"

    @staticmethod
    def _pool(workers: int) -> ProcessPoolExecutor:
        # Fresh processes: forking one that runs threads is not safe.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)

    def renew(self) -> bool:
        self.close()
        self.executor = self._pool(self.workers)
        return True

    def close(self) -> None:
        for process in list((self.executor._processes or {}).values()):
            process.terminate()
        self.executor.shutdown(wait=True, cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait_for([sentinel])
    os._exit(1)


class _Dask(Engine):
    def __init__(self, address: str) -> None:
        try:
            distributed = importlib.import_module("distributed")
        except ImportError as error:
            raise SwissError(f"--dask needs the package distributed: pip install swisssim[dask] ({error})") from error
        try:
            self.client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise SwissError(f"no Dask scheduler answers at {address!r}: {error}") from error
        super().__init__(self.client.get_executor(pure=False))
        self.lost = (BrokenExecutor, CancelledError, distributed.KilledWorker)
        workers = sum(self.client.nthreads().values())
        self.window = 2 * workers + 2 if workers else _MANY
        self.words = f"Dask at {address}, {workers} threads of workers"

    def close(self) -> None:
        self.executor.shutdown(wait=False)
        self.client.close()


@contextmanager
def engine(
    *, workers: int | None = None, threads: int | None = None, dask: str | None = None, executor: Executor | None = None
) -> Iterator[Engine]:
    """Give the engine that was asked for; threads on all processors if nothing was.

    Parameters
    ----------
    workers : int, optional
        Processes.
    threads : int, optional
        Threads of this process.
    dask : str, optional
        Address of a Dask scheduler, for instance ``tcp://node1:8786``.
    executor : concurrent.futures.Executor, optional
        Any other executor; it is not shut down.

    Yields
    ------
    Engine

    Raises
    ------
    SwissError
        If more than one was asked for, a number is wrong, or no scheduler answers.
    """
    asked = {"workers": workers, "threads": threads, "dask": dask, "executor": executor}
    named = [name for name, value in asked.items() if value is not None]
    if len(named) > 1:
        raise SwissError(f"{' and '.join(named)} exclude each other: a chunk is computed at one place")
    for name, number in (("workers", workers), ("threads", threads)):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
            raise SwissError(f"{name} is {number!r}; it must be a whole number from 1")
    made: Engine
    if executor is not None:
        made = Engine(executor)
    elif dask is not None:
        made = _Dask(dask)
    elif workers is not None:
        made = _Processes(workers)
    else:
        made = _Threads(threads if threads is not None else os.cpu_count() or 1)
    try:
        yield made
    finally:
        made.close()


def chunks(
    made: Engine,
    study: Study,
    tasks: Sequence[Task],
    *,
    tick: Callable[[], None],
    retried: Callable[[Task, BaseException], None],
) -> Iterator[tuple[Task, Chunk]]:
    """Yield chunks as they are finished.

    Parameters
    ----------
    made : Engine
    study : Study
    tasks : sequence of Task
        Handed out in this order.
    tick : callable
        Called some times a second.
    retried : callable
        Told of every chunk that is tried again because its worker died, and how that showed.

    Raises
    ------
    SwissError
        If a chunk's workers die again and again.
    """
    waiting: dict[Future[Chunk], Task] = {}
    queue = deque(tasks)
    tries: Counter[Task] = Counter()

    def again(task: Task, error: BaseException) -> None:
        tries[task] += 1
        if tries[task] >= _TRIES:
            raise SwissError(f"the worker of {task} died {_TRIES} times: {error!r}") from error
        retried(task, error)
        queue.appendleft(task)

    try:
        while queue or waiting:
            broken = False
            while queue and len(waiting) < made.window and not broken:
                task = queue.popleft()
                try:
                    waiting[made.submit(study.cell(task).text, task)] = task
                except made.lost as error:
                    again(task, error)
                    broken = True
            done, _ = wait(waiting, timeout=_WAIT, return_when=FIRST_COMPLETED)
            tick()
            for future in done:
                task = waiting.pop(future)
                try:
                    chunk = future.result()
                except made.lost as error:
                    again(task, error)
                    broken = True
                else:
                    yield task, chunk
            if broken and made.renew():
                queue.extendleft(waiting.values())
                waiting.clear()
    finally:
        for future in waiting:
            future.cancel()
