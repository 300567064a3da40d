"""Small studies for tests, and what their folders hold."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from swisssim.study import Study, load

ROOT = Path(__file__).parent.parent

#: Two cells of six chunks each.
SMALL = """
name = "two sizes"
systems = ["nordic", "lottery"]
rounds = 4
tournaments = 55
chunk = 10
resamples = 50
baseline = "lottery"

[participation]
forfeit = 0.02

[margins]
tau = 0.01

[[fields]]
name = "club"
players = [7, 8]
low = 1400
high = 2200
"""

#: One cell of twenty chunks.
LONG = """
systems = ["nordic", "lottery"]
rounds = 5
tournaments = 1600
chunk = 80
resamples = 100
fields = { players = 24, low = 1400, high = 2200 }
"""


def small(folder: Path, *, text: str = SMALL, **options: Any) -> Study:
    """Return a study from a file that is written into a folder."""
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return load(path, **options)


def contents(folder: Path) -> dict[str, str]:
    """Return the checksum of every file of a study's folder but the log, which alone may differ from run to run."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "log.jsonl":
            found[path.relative_to(folder).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def command(*arguments: str | Path) -> list[str]:
    """Return a command line of swisssim."""
    return [sys.executable, "-m", "swisssim", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Return the environment of a process that finds the package."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """Start swisssim in a process of its own."""
    return subprocess.Popen(
        command(*arguments), env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[str], *, seconds: float = 120) -> None:
    """Wait for a condition while a process runs."""
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, f"the process ended with {process.returncode}: {process.communicate()[1]}"
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.005)


def finished(folder: Path) -> int:
    """Return how many chunks the manifest of a folder names."""
    path = folder / "manifest.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def events(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return the lines of one kind in the log of a folder."""
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == kind]
