"""Designs that clients can draw: short numbers, the largest level that they write, and exports."""

from __future__ import annotations

import json
import math
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.core.exact import Epsilon, both_texts
from rropt.core.exact.rational_bounds import largest_below
from rropt.designs import Problem
from rropt.designs.drawable_designs import MOST_BITS, drawable, equal_columns, levels_around, word_bits
from rropt.mechanisms import Mechanism
from rropt.privacy import PrivacyRegion

F = Fraction


@few_rows(1)
@pytest.mark.parametrize(
    "command",
    [
        "design binary --epsilon 1 --prevalence 1/10",
        "design binary --epsilon 1 --prevalence 1/10 --delta exp(-10)",
        "design binary --epsilon 1 --prevalence 1/10 --outputs any --delta 1/1000000",
        "design binary --epsilon 1 --prevalence 1/10 --outputs 3",
        "design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective a-optimal",
        "design kary --proportions 1/2,1/3,1/6 --gamma 3 --objective d-optimal",
        "design kary -k 4 --epsilon 1 --objective trace --bounds 0..9/10",
        "design kary --proportions 8x1/16,4x1/8 --epsilon 1 --objective a-optimal",
        "design kary -k 50 --epsilon 1 --objective a-optimal",
        "design kary --proportions 2/3,1/3 --level renyi:2,1/2 --objective a-optimal",
    ],
)
@few_rows(1)
@pytest.mark.parametrize("language", ["python", "c", "javascript"])
def test_every_kind_is_exported(cli, tmp_path: Path, command: str, language: str) -> None:
    file = tmp_path / "m.json"
    assert cli(*command.split(), "--output", str(file))[0] == 0
    client = tmp_path / "client"
    status, _, err = cli("export", str(file), language, "--output", str(client))
    assert status == 0, err
    assert client.stat().st_size > 1000


def _brute_force(x: F, most: int, times: int, below: int) -> F:
    found = F(0)
    for b in range(1, most // times + 1):
        a = x.numerator * b // x.denominator
        found = max(found, F(min(a, (most - times * b) // below) if below else a, b))
    return found


def test_largest_fraction_below_equals_brute_force(rng) -> None:
    for _ in range(300):
        x = F(rng.randint(0, 10**6), rng.randint(1, 10 ** rng.randint(1, 6)))
        times, below = rng.choice([1, 1, 2, 4]), rng.choice([0, 1])
        most = rng.randint(times, 300)
        assert largest_below(x, most, times, below) == _brute_force(x, most, times, below)


def test_levels_that_short_numbers_cannot_write_stay_long() -> None:
    """At epsilon = 1e-30, 62 bits leave gamma = 1; an exact level keeps its exact optimum."""
    tiny = rropt.solve(rropt.Problem.binary("1/10", epsilon="1e-30"))
    assert 0 < tiny.gap < tiny.value / 10**12
    exact = rropt.solve(rropt.Problem.binary("1/10", epsilon="log(3)"))
    assert exact.gap == 0


def test_the_level_is_the_largest_with_a_short_denominator() -> None:
    solution = rropt.solve(rropt.Problem.binary("1/10", epsilon="1"))
    parity = solution.mechanism.parity()
    e = Epsilon.of("1").gamma_bracket(60).lower
    assert parity == largest_below(e, 1 << 62, 1, 1)
    assert e - parity < F(1, 10**36)


def test_rounding_keeps_zeros_and_ends() -> None:
    """Every row has a zero: an output that reveals nothing takes the probability of the mixture."""
    third = F(1, 3)
    rows = [[third, F(0)], [F(0), third], [2 * third, F(0)], [F(0), 2 * third]]
    made = drawable(rows, lambda mechanism: mechanism.delta("log(2)") <= 1)
    assert made is not None
    assert made.matrix[0][1] == 0
    less = F(1, 10**25)
    near = [[F(3, 4) + less, F(1, 4) - less], [F(1, 4) - less, F(3, 4) + less]]  # not private at gamma = 3
    private = drawable(near, lambda mechanism: mechanism.parity() <= 3)
    assert private is not None
    assert abs(private[0, 0] - near[0][0]) < F(1, 10**15)
    assert word_bits(private) <= MOST_BITS


@pytest.mark.parametrize("bits", [24, 30, 31, 33])
def test_a_delta_that_leaves_no_bits_for_gamma_has_no_short_level(bits: int) -> None:
    """1/1000000000 takes 30 bits; the level with gamma = 1 that is left loses everything."""
    assert levels_around(PrivacyRegion("1", "1/1000000000", inputs=6, outputs=6), 24, bits) is None


@pytest.mark.parametrize("prevalence", ["1/10", "1/2"])
@pytest.mark.parametrize("epsilon", [44, 60, 99])
def test_a_client_draws_at_a_level_beyond_63_bits(epsilon: int, prevalence: str) -> None:
    """n Var is pi (1 - pi) + x/(x - 1)^2, x = exp(epsilon); the bracket contains it and the loss of the short level."""
    found, pi = rropt.solve(rropt.Problem.binary(prevalence, epsilon=epsilon)), F(prevalence)
    assert word_bits(found.mechanism) <= MOST_BITS
    (p00, p01), (p10, p11) = found.mechanism.matrix
    assert max(p00 / p01, p11 / p10) < F(math.exp(epsilon)) * F(999_999, 1_000_000)
    assert found.lower <= pi * (1 - pi) + F(1, 2**62) + F(1, 2**100)
    assert found.lower - pi * (1 - pi) == pytest.approx(math.exp(-epsilon), rel=1e-9)
    assert found.upper - found.lower < F(1, 10**18)


def test_the_questions_of_a_product_are_drawn_by_one_client(cli, tmp_path: Path) -> None:
    file = str(tmp_path / "m.json")
    status, _, err = cli(*shlex.split("design questions --number 2 --epsilon 3 --routes closed-form --output"), file)
    assert status == 0, err
    assert all(word_bits(part) <= MOST_BITS for part in rropt.mechanisms.load_mechanism(file).factors)
    assert cli("export", file, "python", "--output", str(tmp_path / "c.py"))[0] == 0


def test_a_level_just_below_a_round_number_is_printed_short(cli) -> None:
    _, out, _ = cli(*shlex.split("design binary --epsilon 1 --prevalence 1/10 --json"))
    epsilon = Mechanism.from_dict(json.loads(out)["mechanism"]).epsilon
    assert 1 - 1e-12 < float(epsilon) <= 1
    assert both_texts(epsilon) == "~1"


def test_equal_columns_are_uniform_over_the_rows_without_zeros() -> None:
    half, none = Fraction(1, 2), Fraction(0)
    for rows, column in (
        ([[half, none], [none, half], [half, half]], [none, none, Fraction(1)]),
        ([[half, half], [none, Fraction(1, 4)], [half, Fraction(1, 4)]], [half, none, half]),
        ([[Fraction(1), none], [none, none], [none, Fraction(1)]], [none, none, Fraction(1)]),  # no such row
    ):
        assert equal_columns(rows) == [[x, x] for x in column]


@pytest.mark.parametrize(
    ("region", "zeros", "bound"),
    [
        ({"level": rropt.privacy.pairs([[None, "1", None], ["1", None, "1"], [None, "1", None]])}, 1, None),
        ({"level": rropt.privacy.metric("line", "1/5")}, 0, None),
        ({"epsilon": 1, "bounds": (0, "9/10")}, 1, Fraction(9, 10)),
    ],
)
def test_outputs_that_are_never_given_keep_probability_0(region: Any, zeros: int, bound: Fraction | None) -> None:
    """At an irrational level rounding moves no entry from 0, and none from a bound that the optimum attains."""
    shares = ["9/10", "1/20", "1/20"] if bound else ["9/20", "1/10", "9/20"]
    problem = Problem.kary(objective="loss:zero-one", population=shares, **region)
    solution = rropt.solve(problem, fast=True)
    rows = solution.mechanism.matrix
    assert sum(not any(row) for row in rows) >= zeros
    assert all(x == 0 or x > Fraction(1, 10**9) for row in rows for x in row)
    assert bound is None or any(bound in row for row in rows)
    assert solution.is_closed


def test_one_level_of_all_pairs_is_the_level_itself() -> None:
    """The same problem, so the same region, certificate and closed form."""
    shares = ["7/10", "1/5", "1/10"]
    for delta in (0, "1/10"):
        one = Problem.kary(epsilon="3/2", delta=delta, objective="loss:zero-one", population=shares)
        listed = Problem.kary(level=rropt.privacy.levels(("3/2", delta)), objective="loss:zero-one", population=shares)
        assert listed == one
