"""The random numbers: numpy's Philox to the bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swisssim._random import Domain, raw, uniforms

WORD = st.integers(0, 2**64 - 1)


def numpy_block(seed: int, domain: int, counter: tuple[int, int, int, int]) -> np.ndarray:
    """Draw the same block by numpy, whose 256-bit counter counts up before it draws."""
    before = sum(word << (64 * k) for k, word in enumerate(counter)) - 1
    before %= 2**256
    words = [(before >> (64 * k)) % 2**64 for k in range(4)]
    generator = np.random.Philox(key=np.array([seed, domain], np.uint64), counter=np.array(words, np.uint64))
    return generator.random_raw(4)


@given(WORD, WORD, st.tuples(WORD, WORD, WORD, WORD))
def test_a_block_is_numpys(seed, domain, counter):
    assert raw(seed, domain, *counter).tolist() == numpy_block(seed, domain, counter).tolist()


@pytest.mark.parametrize("counter", [(0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (2**64 - 1,) * 4])
def test_carries_of_the_counter(counter):
    assert raw(1, Domain.GAME, *counter).tolist() == numpy_block(1, 3, counter).tolist()


def test_uniforms_are_the_upper_53_bits():
    words = raw(7, Domain.FIELD, np.arange(100), 2, 3, 4)
    assert np.array_equal(uniforms(7, Domain.FIELD, np.arange(100), 2, 3, 4), (words >> np.uint64(11)) * 2.0**-53)


def test_arrays_are_broadcast():
    block = uniforms(1, Domain.PARTICIPATION, np.arange(5)[:, None], np.arange(1, 4), 2)
    assert block.shape == (5, 3, 4)
    for t in range(5):
        for a in range(3):
            assert np.array_equal(block[t, a], uniforms(1, Domain.PARTICIPATION, t, a + 1, 2))


def test_empty_counters_give_empty_blocks():
    assert uniforms(1, Domain.GAME, np.zeros(0, int)).shape == (0, 4)


def test_uniform_numbers_look_uniform():
    numbers = uniforms(1, Domain.GAME, np.arange(50_000))
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert np.abs(numbers.mean(axis=0) - 0.5).max() < 5 * np.sqrt(1 / 12 / 50_000)
    assert np.abs(np.corrcoef(numbers.T) - np.eye(4)).max() < 5 / np.sqrt(50_000)


def test_domains_are_numbered_in_order():
    names = ["FIELD", "PARTICIPATION", "GAME", "POSTPONEMENT", "INITIAL_COLOUR", "FINAL_LOTS", "LOTTERY", "BOOTSTRAP"]
    assert [(domain.name, domain.value) for domain in Domain] == list(zip(names, range(1, 9), strict=True))


@pytest.mark.parametrize("wrong", [1.5, "one", None, True, 2**64])
def test_counters_that_are_no_words(wrong):
    with pytest.raises(TypeError, match="a must be whole numbers"):
        raw(1, Domain.GAME, 0, wrong)


def test_negative_numbers_are_refused():
    with pytest.raises(ValueError, match="seed must not be negative"):
        raw(-1, Domain.GAME, 0)
    with pytest.raises(ValueError, match="tournament must not be negative, but has -3"):
        raw(1, Domain.GAME, np.array([4, -3]))
