"""How far a study is: a line on a terminal, one JSON object per line elsewhere, and always a log beside the results."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tqdm import tqdm

from swisssim.study._chunk import Chunk
from swisssim.study._design import Task
from swisssim.study._store import LOG, Store


class Progress:
    """Tells what happens to a study.

    Parameters
    ----------
    store : Store
        The study's folder; the log is written there.
    show : bool
        Whether anything goes to standard error too.
    """

    def __init__(self, store: Store, *, show: bool) -> None:
        self.store = store
        self.terminal = show and sys.stderr.isatty()
        self.lines = show and not self.terminal
        self.start = time.monotonic()
        self.computed = 0  # tournaments of this run
        self.worked = 0
        self.left = sum(self._work(task) for task in store.missing)
        self.bar = tqdm(
            total=sum(task.count for task in store.tasks),
            initial=sum(task.count for task in store.done),
            disable=not self.terminal,
            leave=False,
            bar_format="{percentage:3.0f} %|{bar}| {desc}",
            desc=self._words(),
        )

    def _work(self, task: Task) -> int:
        return self.store.study.cell(task).work(task)

    def chunk(self, task: Task, chunk: Chunk) -> None:
        """Tell that a chunk is on the disk."""
        self.computed += task.count
        self.worked += self._work(task)
        self.left -= self._work(task)
        self._write(
            "chunk",
            cell=task.cell,
            chunk=task.chunk,
            first=task.first,
            count=task.count,
            seconds=round(chunk.seconds, 3),
            worker=chunk.worker,
            **self.numbers(),
        )
        self.bar.set_description_str(self._words(), refresh=False)
        self.bar.update(task.count)

    def numbers(self) -> dict[str, Any]:
        """Return rate, time left and what is done."""
        elapsed = time.monotonic() - self.start
        left = self.left * elapsed / self.worked if self.worked else None
        return {
            "chunks_done": len(self.store.done),
            "chunks": len(self.store.tasks),
            "tournaments_per_second": round(self.computed / elapsed, 2) if elapsed > 0 else 0.0,
            "seconds_left": round(left, 1) if left is not None else None,
        }

    def _words(self) -> str:
        found = self.numbers()
        left = tqdm.format_interval(found["seconds_left"]) if found["seconds_left"] is not None else "?"
        return f"{found['chunks_done']}/{found['chunks']} chunks, {found['tournaments_per_second']:,.0f} tournaments/s, {left} left"

    def retry(self, task: Task, error: BaseException) -> None:
        """Tell that a chunk is computed once more because its worker died."""
        self.note("retry", f"a worker died; {task} is tried again", error=repr(error))

    def note(self, event: str, message: str, **more: Any) -> None:
        """Tell something in words."""
        self._write(event, message=message, **more)
        if self.terminal:
            with self.bar.external_write_mode(sys.stderr):
                print(f"swisssim: {message}", file=sys.stderr)

    def _write(self, event: str, **about: Any) -> None:
        words = json.dumps({"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **about})
        if self.lines:
            print(words, file=sys.stderr, flush=True)
        append(self.store.folder, words)

    def close(self) -> None:
        """Take the line from the terminal."""
        self.bar.close()


def append(folder: Path, words: str) -> None:
    """Add a line to the log of a folder; a log that can't be written, on a full disk, stops nothing."""
    try:
        with open(folder / LOG, "a", encoding="utf-8") as file:
            file.write(f"{words}\n")
    except OSError:
        return
