"""A product beside k-ary randomized response and subset selection on all combinations: against matrices written out."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import pytest
from every_case import every_case

from rropt.core.errors import UnsupportedProblemError
from rropt.inference import utility
from rropt.mechanisms import Mechanism, OrbitMechanism, named_mechanism
from rropt.mechanisms.families.memberships import best_subset_size
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.plans import compare_precision, marginal_variance
from rropt.plans.combined_responses import Selection

F = Fraction


def written_out(k: int, d: int, gamma: Fraction) -> Mechanism:
    """Return subset selection as a matrix, from its definition."""
    weights = [[gamma if j in chosen else F(1) for j in range(k)] for chosen in combinations(range(k), d)]
    total = sum(row[0] for row in weights)
    return Mechanism([[weight / total for weight in row] for row in weights])


def set_variance(mechanism: Mechanism, members: int) -> Fraction:
    """Return the worst n Var of the share of a set of categories, of populations on one category in it and one not."""
    inverse = left_inverse(mechanism, reference_population(mechanism, None))
    weights = [sum(inverse[j][i] for j in range(members)) for i in range(mechanism.outputs)]
    one, zero = (sum(w * w * mechanism[i, j] for i, w in enumerate(weights)) for j in (0, mechanism.inputs - 1))
    shares = [F(0), F(1), min(max((one - zero) / 2, F(0)), F(1))]
    return max(t * one + (1 - t) * zero - t * t for t in shares)


@pytest.mark.slow
@every_case(("k", "d"), [(k, d) for k in (2, 3, 4, 8) for d in range(1, k)])
@every_case("gamma", [F(3), F(10, 9), F(1, 2), F(81)])
def test_against_matrices(k: int, d: int, gamma: Fraction) -> None:
    mechanism, selection = written_out(k, d, gamma), Selection(k, d, gamma)
    assert mechanism.parity() == OrbitMechanism.subset_selection(k, d, gamma).parity() == max(gamma, 1 / gamma)
    population = [F(1 + j, k * (k + 1) // 2) for j in range(k)]
    assert selection.trace(sum(p * p for p in population)) == utility(mechanism, population=population).trace()
    assert selection.trace(F(1, k)) == utility(mechanism).trace()
    closed = F((k - 1) ** 2) * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d))
    assert selection.trace(F(1, k)) == closed
    for members in range(1, k):
        assert selection.variance(members) == set_variance(mechanism, members)


def test_the_best_subset(rng: random.Random, size: Callable[[int, int], int]) -> None:
    for _ in range(size(200, 5000)):
        k, gamma = rng.randint(2, 40), rng.choice([F(rng.randint(101, 5000), 100), F(rng.randint(2, 9))])  # ties, too
        traces = [Selection(k, d, gamma).trace(F(0)) for d in range(1, k)]
        assert best_subset_size(k, gamma) == traces.index(min(traces)) + 1
    assert best_subset_size(1 << 400, F(3)) == 1 << 398  # nothing of size k is made


@pytest.mark.parametrize(
    "name", ["bits:3/4*3", "bits:generalised:3/4,9/10,2/3,forced:2/3,1/6,1/6", "bits:grr:3,1/2,3/4"]
)
def test_rows(name: str) -> None:
    mechanism = named_mechanism(name)
    k = mechanism.inputs
    rows = compare_precision(mechanism)
    assert [(row.design, row.at_equal) for row in rows] == [
        (name, None), ("grr", "full report"), ("subset", "full report"), ("grr", "question"), ("subset", "question")
    ]  # fmt: skip
    own, whole, _, question, _ = rows
    assert (own.trace, own.loss) == (utility(mechanism).trace(), utility(mechanism).loss())
    assert own.marginal_variance == marginal_variance(mechanism, 1)
    assert own.report_parity == whole.report_parity == whole.question_parity == mechanism.parity()
    assert own.question_parity == question.report_parity == question.question_parity == mechanism.parity(differing=1)
    sizes = {k // device.inputs for device in mechanism.factors}
    for row in rows[1:]:
        plain = written_out(k, row.size or 1, row.report_parity) if k < 10 else None
        if plain is not None:
            assert row.trace == utility(plain).trace()
            assert row.loss == utility(plain).loss()
            assert row.marginal_variance == max(set_variance(plain, members) for members in sizes)
        if row.design == "grr":
            p = row.report_parity / (row.report_parity + k - 1)
            q = p / row.report_parity
            assert row.trace == (1 - F(1, k)) / (p - q) ** 2  # lambda is uniform


def test_marginals_of_two_questions() -> None:
    rows = compare_precision(named_mechanism("bits:3/4*3"), marginals=2)
    assert rows[0].marginal_variance == F(133, 64)
    assert rows[1].marginal_variance == set_variance(written_out(8, 1, F(27)), 2)


def test_populations() -> None:
    """Of equal bisymmetric bits all traces fall by |pi|^2 alike."""
    population = [F(1, 2), F(1, 4), F(1, 4), F(0)]
    squares = sum(p * p for p in population)
    uniform, given = (compare_precision(named_mechanism("bits:3/4*2"), population=p) for p in (None, population))
    for one, other in zip(uniform, given, strict=True):
        assert one.trace - other.trace == squares - F(1, 4)
        assert other.loss == other.trace / (1 - squares)


def test_twenty_unlike_bits() -> None:
    """Nothing of size 2^20 is made: exact in milliseconds."""
    mechanism = named_mechanism("bits:" + ",".join(f"generalised:{70 + q}/100,{95 - q}/100" for q in range(20)))
    rows = compare_precision(mechanism)
    assert rows[0].marginal_variance == F(100, 169)
    subset = rows[-1]
    gamma, k = subset.report_parity, 1 << 20
    assert subset.size is not None
    assert abs(subset.size - k / (gamma + 1)) <= 1
    assert float(subset.trace) == pytest.approx(float(4 * gamma / (gamma - 1) ** 2) * k, rel=1e-5)


def test_on_the_command_line(cli: Callable, cli_json: Callable) -> None:
    found = cli_json("compare", "bits:3/4*4", "subset", "grr", "--marginals", "2")
    assert (found["combinations"], found["marginals"]) == (16, 2)
    by = {(row["design"], row["at_equal"]): row for row in found["designs"]}
    others = [(design, equal) for equal in ("full report", "question") for design in ("grr", "subset")]
    assert sorted(by, key=str) == sorted([("bits:3/4*4", None), *others], key=str)
    assert by["bits:3/4*4", None]["marginal_variance"] == "133/64"
    assert by["subset", "question"]["loss"] == "45"
    assert by["subset", "question"]["size"] == 4
    assert len(cli_json("compare", "bits:3/4*4", "grr")["designs"]) == 3
    status, out, _ = cli("compare", "bits:3/4*20", "grr", "subset")
    assert status == 0
    assert "1048576 combinations" in out


def test_random_questions_have_no_marginals_of_more_questions_than_are_asked() -> None:
    with pytest.raises(UnsupportedProblemError, match="no marginals of so many"):
        compare_precision(named_mechanism("bits:3/4*30"), designs=["ask"], marginals=25)
