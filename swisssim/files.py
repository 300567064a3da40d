"""Output that is either complete or not there: written beside its place and moved into it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a place beside `path` for a file or a folder, and move it to `path` when the block has ended well.

    Until then, and if the block fails, whatever stands at `path` stays as it is.

    Parameters
    ----------
    path : str or path-like
        Where the file or folder shall stand in the end; what is there is replaced.

    Yields
    ------
    pathlib.Path
        Where to write it; nothing is there yet.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        fresh, old = beside / target.name, beside / "old"
        yield fresh
        if target.is_dir() and not target.is_symlink():
            # a folder can't be replaced by renaming alone: the old one steps aside, and back if the new one can't come
            target.rename(old)
            try:
                fresh.rename(target)
            except BaseException:
                old.rename(target)
                raise
        else:
            fresh.replace(target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
