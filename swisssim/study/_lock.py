"""One run at a time in a folder: a lock that names its holder and recognises one whose holder is gone."""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from swisssim.errors import SwissError

NAME = "study.lock"

# A holder on another machine, where its process can't be seen, is taken for gone if it gave no sign for so long.
_SILENCE = 120.0
_SIGN = 10.0


class Lock:
    """The lock of a folder, held from entering the block to its end.

    The file names host, process and start time. The operating system's own lock on it tells whether a process of this
    machine lives; the holder also touches the file every ten seconds, which tells about processes of other machines.

    Parameters
    ----------
    folder : pathlib.Path
        It exists.

    Attributes
    ----------
    stale : str
        Who held the lock and is gone, in words; empty if there was nobody.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.stale = ""
        self._file = -1
        self._signed = 0.0

    def __enter__(self) -> Lock:
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                holder = self._holder()
                locked = _locked(file)
                if locked is False:
                    raise self._refusal(holder)
                if not self._still_there(file):
                    os.close(file)
                    continue  # its holder took it away just now
                visible = locked and holder.get("host") == platform.node()
                if holder and not visible and self._age(file) < _SILENCE:
                    raise self._refusal(holder)
            except BaseException:
                os.close(file)
                raise
            break
        self._file = file
        self.stale = _words(holder) if holder else ""
        self._write()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform == "win32":  # there an open file can't be removed
            os.close(self._file)
            self.path.unlink(missing_ok=True)
        else:
            self.path.unlink(missing_ok=True)
            os.close(self._file)

    def sign(self) -> None:
        """Show that the holder lives; may be called as often as one likes."""
        now = time.monotonic()
        if now - self._signed >= _SIGN:
            self._signed = now
            os.utime(self._file if os.utime in os.supports_fd else self.path)

    def _write(self) -> None:
        about = {
            "host": platform.node(),
            "process": os.getpid(),
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "command": " ".join(sys.argv),
        }
        os.ftruncate(self._file, 0)
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, f"{json.dumps(about, indent=1)}\n".encode())
        os.fsync(self._file)
        self._signed = time.monotonic()

    def _holder(self) -> dict[str, Any]:
        """Return what the file says; nothing if it says nothing that can be understood."""
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _still_there(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), os.stat(self.path))
        except FileNotFoundError:
            return False

    def _age(self, file: int) -> float:
        """Return for how long the file wasn't touched, by the clock of the file system."""
        probe = self.path.with_name(f".{NAME}.{platform.node()}.{os.getpid()}.tmp")
        probe.touch()
        try:
            return probe.stat().st_mtime - os.fstat(file).st_mtime
        finally:
            probe.unlink(missing_ok=True)

    def _refusal(self, holder: dict[str, Any]) -> SwissError:
        return SwissError(
            f"{self.path.parent} is in use by {_words(holder)}: two runs can't write into one folder. "
            f"Wait for it, or stop it; a lock whose process is gone is recognised"
            + ("" if holder.get("host") == platform.node() else f" after {_SILENCE:g} seconds without a sign of it")
        )


def _words(holder: dict[str, Any]) -> str:
    if not holder:
        return "another run"
    return f"process {holder.get('process')} on {holder.get('host')}, started {holder.get('started')}"


if sys.platform == "win32":
    import msvcrt

    def _locked(file: int) -> bool | None:
        """Try to lock a file, beyond its contents, so that others can read it."""
        os.lseek(file, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locked(file: int) -> bool | None:
        """Try to lock a file until it is closed, at the latest by the end of the process; None if it can't be locked."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP):
                return None  # some file systems of clusters know no locks
            raise
        return True
