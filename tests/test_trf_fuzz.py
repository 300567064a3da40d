"""Damaged report files: whatever happens to a file, reading it ends in a report or in a `TrfError`, and quickly."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swisssim import trf
from tests.trf_data import CASES, GOLDEN

FILES = [path for path in GOLDEN + CASES if path.stat().st_size < 6000]
PIECES = [
    b"001",
    b"0000 - U",
    b"0000 w",
    b" w 1",
    b" ",
    b"  ",
    b"\n",
    b"\r",
    b"\r\n",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xc3\xbc",
]
PIECES += [
    b"142 3",
    b"\n162  W",
    b"\n250 ",
    b"\n260   1",
    b"\n240 H",
    b"\nXXS W=",
    b"\nXXA",
    b"\nXXC",
    b"\t",
    b"9999",
    b"-1",
    b"\x1a",
    b"\x85",
]


def change_byte(data: bytearray, lot: random.Random) -> None:
    data[lot.randrange(len(data))] = lot.choice([lot.randrange(256), *b"0123456789 -wb=+1UHZ"])


def insert_piece(data: bytearray, lot: random.Random) -> None:
    at = lot.randrange(len(data) + 1)
    data[at:at] = lot.choice(PIECES)


def delete_bytes(data: bytearray, lot: random.Random) -> None:
    at = lot.randrange(len(data))
    del data[at : at + lot.choice([1, 1, 2, 3, 10])]


def copy_part(data: bytearray, lot: random.Random) -> None:
    start, at = lot.randrange(len(data)), lot.randrange(len(data) + 1)
    data[at:at] = data[start : start + lot.choice([1, 8, 10, 100])]


def move_lines(data: bytearray, lot: random.Random) -> None:
    lines = bytes(data).split(b"\n")
    one, two = lot.randrange(len(lines)), lot.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    if lot.random() < 0.5:
        lines.insert(two, lines[one])
    data[:] = b"\n".join(lines)


def change_column(data: bytearray, lot: random.Random) -> None:
    lines = bytes(data).split(b"\n")
    column, new = lot.randrange(130), lot.choice(PIECES[2:8])
    data[:] = b"\n".join(row[:column] + new + row[column + lot.randrange(2) :] for row in lines)


MUTATIONS: list[Callable[[bytearray, random.Random], None]] = [
    change_byte,
    change_byte,
    insert_piece,
    delete_bytes,
    copy_part,
    move_lines,
    change_column,
]


def mutated(data: bytes, lot: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(lot.choice([1, 1, 1, 2, 3, 10])):
        if damaged:
            lot.choice(MUTATIONS)(damaged, lot)
    return bytes(damaged)


def read_damaged(data: bytes, *, strict: bool) -> bool:
    """Read, write and read again; True if it was readable."""
    start = time.process_time()
    report, refusal = None, ""
    try:
        report = trf.reads(data, name="damaged.trf", strict=strict)
    except trf.TrfError as error:
        refusal = str(error)
    assert time.process_time() - start < 2
    if report is None:
        assert refusal.startswith("damaged.trf")
        return False
    assert trf.dumps(report).encode(report.encoding) == data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", trf.TrfWarning)
        try:
            anew = trf.dumps(report, verbatim=False)
        except trf.TrfError:
            return True
    again = trf.reads(anew, strict=strict)
    assert [player.rounds for player in again.players.values()] == [player.rounds for player in report.players.values()]
    assert (again.rounds, again.points, again.byes) == (report.rounds, report.points, report.byes)
    return True


def fuzz(files: list[Path], *, count: int, seed: int) -> int:
    lot = random.Random(seed)
    sources = [path.read_bytes() for path in files]
    return sum(read_damaged(mutated(lot.choice(sources), lot), strict=lot.random() < 0.7) for _ in range(count))


def test_mutations() -> None:
    readable = fuzz(FILES, count=600, seed=1)
    assert 50 < readable < 550


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_mutations(seed: int) -> None:
    assert fuzz(FILES, count=4000, seed=seed) > 400


@pytest.mark.slow
def test_mutations_of_large_files() -> None:
    assert fuzz([path for path in GOLDEN if path.stat().st_size >= 6000], count=2000, seed=12) > 100


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    read_damaged(data, strict=False)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["001    1", "142", "162", "240", "250", "260", "XXA", "XXC", "XXS", "013"]),
            st.text(max_size=60),
        )
    )
)
def test_any_text_behind_a_code(rows: list[tuple[str, str]]) -> None:
    read_damaged("\n".join(f"{code} {rest}" for code, rest in rows).encode("utf-8", "replace"), strict=False)


def test_absurd_files_are_quick() -> None:
    player = b"001    1      A" + b" " * 76
    for data in (
        player + b"0000 - Z  " * 999 + b"\n",
        player + b"x" * 300_000,
        b"162 " + b"W 1.0 " * 50_000 + b"\n" + player,
        b"XXP " + b" ".join(b"%d" % number for number in range(1, 10_000)) + b"\n" + player,
        player + b"\n" + b"XXQ\n" * 50_000,
        b"\n" * 200_000 + player,
        b"001    1      " + b"a b " * 20_000,
        b"250       1.0   1 999    1 9999\n" * 2_000 + player,
    ):
        read_damaged(data, strict=False)
