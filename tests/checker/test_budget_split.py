"""The statement budget-split: what it says, what it refuses for its size, and the bound in plain fractions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from adversary.splits import Split, bound, value
from every_case import every_case

F = Fraction
HALF = (F(1, 2),) * 9


def _level(gamma: int) -> Any:
    return {"log": str(gamma)}


def _split(gamma: int, bits: str, weights: str, lower: str, upper: str) -> Split:
    p, w = (tuple(map(F, numbers.split())) for numbers in (bits, weights))
    return Split(_level(gamma), (F(gamma), F(gamma)), p, w, HALF[: len(p)], F(1, 2 ** len(p)), F(lower), F(upper))


@every_case(
    ("lower", "sentence"),
    [
        ("2", "no devices of 2 questions at this level have a value below upper"),
        ("1999999/1000000", "a value more than 1e-6 below upper"),
        ("0", "a value more than 1e1 below upper"),
        ("1", "a value more than 1 below upper"),
        (str(-(10**100) + 2), "a value more than 1e100 below upper"),
        (f"{2 * 10**50 - 1}/{10**50}", "a value more than 1e-30 below upper"),
    ],
)
def test_it_says_what_was_verified(lower: str, sentence: str) -> None:
    assert sentence in str(ask(json.dumps(_split(9, "3/4 3/4", "1 1", lower, "2").file())))


def test_what_is_too_much_or_no_bit_is_refused() -> None:
    data, bit, long = _split(9, "3/4 3/4", "1 1", "2", "2").file(), [["3/4", "1/4"], ["1/4", "3/4"]], 10**4000 + 1
    more, less = f"{long}/{2 * long - 1}", f"{long - 1}/{2 * long - 1}"
    for listed, reason in (
        ([[["1", "0"], ["0", "1"]], bit], "p outside"),
        ([bit] * 1025, "product has 1025 entries"),
        ([bit] * 1024, "multiply to more"),
        ([[[more, less], [less, more]]] * 64, "more work"),
    ):
        data["claim"]["mechanism"]["product"] = listed
        data["problem"]["objective"] |= {"weights": ["1"] * len(listed), "prevalences": ["0"] * len(listed)}
        assert reason in str(ask(json.dumps(data)))


@pytest.mark.slow
def test_the_bound_is_that_of_fractions(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """The rule accepts the bound in plain fractions, and nothing above it."""
    for _ in range(size(60, 600)):
        count = rng.randint(1, 4)
        bits = tuple(F(rng.randint(51, 99), 100) for _ in range(count))
        weights = rng.choice((None, tuple(F(rng.randint(1, 50), rng.randint(1, 9)) for _ in range(count))))
        split = Split(_level(2), (F(100**count), F(100**count)), bits, weights, HALF[:count], F(1, 2**count))
        split = replace(split, level=_level(100**count), upper=value(split, bits), lower=bound(split))
        assert ask(json.dumps(split.file()))
        for step in (F(1, 10), F(1, 10**40)):
            assert "lower is above" in str(ask(json.dumps(replace(split, lower=split.lower + step).file())))
