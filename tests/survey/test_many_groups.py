"""Groups with equal counts share their estimates: a table of them says what each group says alone."""

from __future__ import annotations

import csv
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import rropt
from rropt.inference.exact_tests import BinomialSample, chi_squared

DEVICES = {"a": "warner:3/4", "b": "crosswise:1/4", "c": "warner:3/4"}  # two names of one device


@pytest.mark.slow
def test_each_group_is_that_of_a_table_of_its_own(tmp_path: Path, rng: random.Random) -> None:
    """Few respondents make counts equal in several of the groups, of which some miss a device, and some an answer."""
    rows = [
        [f"g{rng.randrange(12)}", rng.choice("abc" if rng.random() < 0.7 else "b"), rng.choice(["0", "1", "1", ""])]
        for _ in range(60)
    ]
    path = tmp_path / "all.csv"
    write(path, rows)
    options = {"column": "y", "devices": "d", "device_names": DEVICES}
    found = rropt.estimate(data=str(path), by="g", **options).to_dict()["shares"][0]["groups"]
    named = {each["group"]: each for each in found}
    answered = Counter(group for group, _, answer in rows if answer)
    assert {group: each["n"] for group, each in named.items()} == answered
    for group in answered:
        own = tmp_path / f"{group}.csv"
        write(own, [row for row in rows if row[0] == group])
        (alone,) = rropt.estimate(data=str(own), by="g", **options).to_dict()["shares"][0]["groups"]
        for key in ("n", "estimate", "standard_error", "intervals", "sample"):
            assert named[group][key] == alone[key], (group, key)


def write(path: Path, rows: list[list[str]]) -> None:
    """Write a file of groups, devices and answers."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["g", "d", "y"], *rows])


def test_the_test_of_equality_counts_groups_that_share_numbers(rng: random.Random) -> None:
    """The statistic is that of groups which share no object, to the last digit."""
    low, high = Fraction(1, 4), Fraction(3, 4)
    kinds = []
    for _ in range(4):
        n = rng.randint(3, 40)
        sample = BinomialSample(n, rng.randint(1, n - 1), low, high)
        kinds.append((n, sample.estimate, Fraction(1, n), sample))
    shared = [rng.choice(kinds) for _ in range(30)]
    apart = [(n, p + 0, v + 0, BinomialSample(s.n, s.hits, s.low, s.high)) for n, p, v, s in shared]
    first, second = chi_squared(shared), chi_squared(apart)
    assert first is not None
    assert second is not None
    assert first == second
