"""Damaged report files through the command line: a result that keeps the rules, or a clean error, and never late."""

from __future__ import annotations

import contextlib
import io
import json
import random
import time
from pathlib import Path

import pytest

import swisssim
from swisssim import trf
from swisssim.cli import run
from tests.test_trf_fuzz import mutated
from tests.trf_data import CASES, GOLDEN

SYSTEMS = sorted(swisssim.SYSTEMS)
# Seconds of processor time for one file.
PATIENCE = 5.0


def called(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    start = time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(arguments))
    assert time.process_time() - start < PATIENCE
    return code, out.getvalue(), err.getvalue()


def check_pairing(data: bytes, answer: dict[str, object], *, strict: bool) -> None:
    """Assert that a pairing is one of the players of the file: everybody once, nobody twice against the same."""
    report = trf.reads(data, strict=strict)
    boards: list[list[int]] = answer["pairs"]  # type: ignore[assignment]
    named = [player for board in boards for player in board]
    named += [answer["bye"]] if answer["bye"] is not None else []  # type: ignore[list-item]
    named += [int(player) for player in answer["absent"]]  # type: ignore[attr-defined]
    assert sorted(named) == sorted(report.players)
    for white, black in boards:
        for round in range(1, report.rounds_played + 1):
            entry = report.entry(white, round)
            assert entry.opponent != black or not entry.played


def pair_damaged(path: Path, data: bytes, system: str, *, strict: bool) -> int:
    """Pair and check a damaged file; return the exit code of pairing."""
    path.write_bytes(data)
    lenient = [] if strict else ["--lenient"]
    code, out, err = called("pair", str(path), "-s", system, "--json", *lenient)
    assert code in (0, 1, 3), err
    assert "Traceback" not in err
    if code == 0:
        check_pairing(data, json.loads(out), strict=strict)
    elif code == 1:
        assert "no legal pairing exists" in err
    else:
        assert out == ""
        assert err.strip().splitlines()[-1].startswith("swisssim: ")
    code_of_check, _, err = called("check", str(path), "-s", system, "-q", *lenient)
    assert code_of_check in (0, 1, 3), err
    return code


def with_a_round_to_come(path: Path) -> bytes:
    """The file without its last round: most are finished, and there would be nothing to pair."""
    report = trf.read(path)
    for player in report.players.values():
        player.rounds = player.rounds[: max(0, report.rounds_played - 1)]
    return trf.dumps(report).encode()


def fuzz(folder: Path, *, count: int, seed: int) -> dict[int, int]:
    lot = random.Random(seed)
    sources = [path.read_bytes() for path in CASES]
    sources += [with_a_round_to_come(path) for path in GOLDEN if path.stat().st_size < 6000]
    codes = {0: 0, 1: 0, 3: 0}
    for _ in range(count):
        data = mutated(lot.choice(sources), lot)
        codes[pair_damaged(folder / "damaged.trf", data, lot.choice(SYSTEMS), strict=lot.random() < 0.5)] += 1
    return codes


def test_damaged_files(tmp_path: Path) -> None:
    codes = fuzz(tmp_path, count=400, seed=1)
    assert codes[0] > 80
    assert codes[3] > 80


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_damaged_files(tmp_path: Path, seed: int) -> None:
    codes = fuzz(tmp_path, count=3000, seed=seed)
    assert codes[0] > 600


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    "extra",
    [
        "142 99999999",
        "142 999",
        "162  W 99.9    D 9.9",
        "162  W 999.9   D 1.0",
        "250      9999.9   1   4    1    8",
        "XXA    1 999.9 999.9",
        "XXP " + " ".join(map(str, range(1, 9))),
        "XXZ " + " ".join(map(str, range(1, 9))),
        "240 H   1    1    2    3    4    5    6    7    8",
    ],
)
def test_absurd_settings(tmp_path: Path, system: str, extra: str) -> None:
    rows = [f"001 {number:4}      P{number:<32} 2000" for number in range(1, 9)]
    data = "\n".join([*rows, "142 5" if not extra.startswith("142") else "", "152 W", extra, ""]).encode()
    pair_damaged(tmp_path / "x.trf", data, system, strict=True)
