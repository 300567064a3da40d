"""Free threading: the compiled modules declare it, keep no state of their own, and many threads give what one gives."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import swisssim
from swisssim.models import model
from swisssim.simulation import Simulation
from tests.studies import ROOT

PACKAGE = ROOT / "swisssim"
COMPILED = sorted([*PACKAGE.rglob("*.pyx"), *PACKAGE.rglob("*.pxd")])

# A variable of a module, or a `global` statement in a function.
STATE = re.compile(r"^(?:cdef (?!class|struct|enum|extern|inline|packed|union)[\w\[\]:, *]+?(?:=|$)|\s+global )")
CONSTANT = re.compile(r"^cdef \w+ ([A-Z_]+) =")


def test_the_build_declares_it() -> None:
    assert '"freethreading_compatible": True' in (ROOT / "setup.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_compiled_modules_keep_no_state(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if constant := CONSTANT.match(line):
            assignments = re.findall(rf"\b{constant[1]}\b\s*[-+*|&^/%<>]*=(?!=)", text)
            assert len(assignments) == 1, f"line {number}: {constant[1]} is set more than once"
        else:
            assert not STATE.match(line), f"line {number}: {line}"


def test_state_is_recognised() -> None:
    assert all(
        map(STATE.match, ["cdef int counter", "cdef int[:] table = None", "    global cache", "cdef object cache = {}"])
    )
    for line in ("cdef class State:", "cdef inline int f(int x) noexcept nogil:", "cdef enum:", "cdef int f(State s):"):
        assert not STATE.match(line)


@pytest.mark.parametrize("system", sorted(swisssim.SYSTEMS))
def test_one_system_serves_many_threads(system: str) -> None:
    room = swisssim.system(system)
    fields = [swisssim.Field.uniform(players=n, low=1400, high=2200) for n in range(8, 24)]
    events = [Simulation(room, field, 5, model("milvang2015"), field.players) for field in fields]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda event: event.run(0, count=10), events * 3))
    alone = [event.run(0, count=10) for event in events]
    assert together == alone * 3
