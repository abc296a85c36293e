"""Groups with equal counts share their estimates: a table of them says what each group says alone."""

from __future__ import annotations

import csv
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support.table_calls import table_estimate

from rropt import Estimates, Responses
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
    found = table_estimate(data=str(path), by="g", **options).to_dict()["rows"]
    named = {each["group"]: each for each in found}
    answered = Counter(group for group, _, answer in rows if answer)
    assert {group: each["n"] for group, each in named.items()} == answered
    for group in answered:
        own = tmp_path / f"{group}.csv"
        write(own, [row for row in rows if row[0] == group])
        (alone,) = table_estimate(data=str(own), by="g", **options).to_dict()["rows"]
        for key in ("n", "estimate", "se", "device_se", "intervals"):
            assert named[group][key] == alone[key], (group, key)


def test_a_hundred_and_fifty_groups_have_one_test_and_no_pairs(rng: random.Random) -> None:
    """Too many pairs to list; that all are equal is tested, as from the counts."""
    answers = {name: [rng.randrange(2) for _ in range(rng.randint(5, 20))] for name in map(str, range(150))}
    values = np.array([x for own in answers.values() for x in own])
    names = np.array([name for name, own in answers.items() for _ in own], object)
    found = Responses(values, "warner:3/4").proportions(names)
    (compared,) = found.compared()
    assert (compared.differences, found.difference_rows()) == ((), [])
    samples = [BinomialSample(len(own), sum(own), Fraction(1, 4), Fraction(3, 4)) for own in answers.values()]
    assert compared.test == chi_squared([(one.n, one.estimate, Fraction(1), one) for one in samples])
    assert Estimates.from_json(found.to_json()).compared()[0].test == compared.test


def test_a_file_has_the_intervals_of_all_rows_together(rng: random.Random) -> None:
    """Bonferroni over all rows, of groups and categories; the exact test decides with the smallest adjusted p."""
    values = np.array([rng.randrange(3) for _ in range(120)])
    found = Responses(values, "grr:3,1/2").proportions(np.array(["a", "b"] * 60, object))
    record = found.to_dict(confidence="0.9")
    for one, row in zip(found, record["rows"], strict=True):
        assert row["simultaneous"] == {"exact": [*map(str, one.conf_int(confidence=1 - Fraction(1, 60)))]}
    read = Estimates.from_dict(record)
    for one, other in zip(read, found, strict=True):
        assert one.conf_int(confidence=1 - Fraction(1, 60)) == other.conf_int(confidence=1 - Fraction(1, 60))
        assert one.conf_int(confidence="0.9") == other.conf_int(confidence="0.9")
    assert read.to_dict(confidence="0.9") == record
    for compared in found.compared(test="exact"):
        assert compared.test is None
        assert compared.equality == min(one.adjusted for one in compared.differences)
    assert all(one.equality is None for one in found.compared())


def test_a_group_of_one_device_keeps_its_binomial_count() -> None:
    """Others used two; the scores of one device alone decide which interval a group has."""
    rows = {"a": [("A", 0)] * 6 + [("A", 1)] * 4, "b": [("B", 1)] * 5, "c": [("A", 0), ("B", 1)] * 5}
    values, deck, group = zip(*((y, d, g) for g, own in rows.items() for d, y in own), strict=True)
    decks = {"A": "warner:3/4", "B": "warner:2/3"}
    found = Responses(np.array(values), decks, assigned=np.array(deck, object)).proportions(np.array(group, object))
    assert [one.kinds[0] for one in found] == ["exact", "exact", "hoeffding"]
    for name, device, counts in (("a", "A", [6, 4]), ("b", "B", [0, 5])):
        (alone,) = Responses.from_counts(counts, decks[device]).proportions()
        for kind in alone.kinds:
            assert [*found[name].conf_int(kind=kind)] == [*alone.conf_int(kind=kind)]
    told = " ".join(found.remarks())
    assert "(b): the standard error 0 states nothing about the error; their differences" in told


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
