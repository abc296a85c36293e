"""Linear designs with k inputs, and regions without a mechanism: optima by hand and by programs, mutations."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from adversary import kary_designs as designs
from adversary.asking import ask
from adversary.kary_designs import Document
from adversary.programmes import mutated, places
from adversary.writing import at, put
from every_case import every_case

from rropt.core.certificates import Certificate
from rropt.core.linear import Infeasible, solve
from rropt.designs.certificates.linear_designs import Name, certify_design
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

F = Fraction
EPSILONS = ["log(2)", "log(7/3)", "1", "1/50", "7/2*log(2)", "20", "0"]


def accepted(certificate: Certificate) -> Document:
    """Return the document of a certificate that must be accepted."""
    verdict = ask(certificate.text).verdict
    assert verdict, verdict.reason
    return certificate.to_dict()


def level(problem: Document) -> RationalLevels:
    bracket = designs.levels(problem, 24)
    assert bracket.is_single
    return bracket


# Optima by hand.


@every_case("epsilon", EPSILONS)
def test_the_largest_trace_for_every_k(epsilon: str) -> None:
    for k in range(2, 13):
        claim = accepted(designs.largest_trace(k, epsilon))["claim"]
        assert F(claim["lower"]) <= F(claim["upper"])
        assert (F(claim["upper"]) - F(claim["lower"])) * 10**12 < 1


@every_case("delta", ["1/10", "1", "exp(-3)", "1/1000000"])
@every_case("epsilon", EPSILONS)
def test_the_largest_trace_with_delta(epsilon: str, delta: str) -> None:
    for k in range(2, 7):
        accepted(designs.largest_trace(k, epsilon, delta))


@every_case("epsilon", EPSILONS)
def test_the_least_loss_around_one_input(epsilon: str) -> None:
    """Only pairs with input 0 have a level: is it 0 or not, 0 half of the time: ``1/(gamma + 1)``."""
    for k in range(2, 9):
        levels = [[epsilon if (j == 0) != (other == 0) else None for other in range(k)] for j in range(k)]
        matrix = [[0] + [1] * (k - 1), [1] + [0] * (k - 1)]
        problem = designs.loss(designs.pairwise(2, levels), matrix, [F(1, 2)] + [F(1, 2 * k - 2)] * (k - 1))
        bracket = designs.levels(problem, 24)
        below, above = bracket.listed[0].below.gamma, bracket.listed[0].above.gamma
        a = 1 / (2 * above + 2)
        others: list[Name] = [("sum", j) for j in range(1, k)]
        others += [row for j in range(1, k) for row in (("pair", 0, 0, j), ("pair", 1, j, 0))]
        dual = {("sum", 0): a} | dict.fromkeys(others, a / (k - 1))
        line = [below / (below + 1)] + [1 / (below + 1)] * (k - 1)
        mechanism = Mechanism([line, [1 - x for x in line]])
        values = {"lower": 2 * a, "upper": 1 / (below + 1)}
        accepted(certify_design(problem, bracket, **values, mechanism=mechanism, dual=dual))


def test_the_largest_trace_with_a_bound() -> None:
    """At gamma = 2, p00 <= 1/2: p01 >= p00/2, so the trace is at most 1 + p00/2 = 5/4."""
    region = designs.bounded(designs.uniform(2, 2, "log(2)"), [[0, 0], [0, 0]], [["1/2", 1], [1, 1]])
    problem = designs.trace(region, [1, 1])
    half, one = F(1, 2), F(1)
    dual = {
        ("sum", 1): one,
        ("lower", 0, 1): -one,
        ("upper", 0, 0): -half,
        ("most", 0, 0): half,
    }
    mechanism = Mechanism([["1/2", "1/4"], ["1/2", "3/4"]])
    value = F(5, 4)
    accepted(certify_design(problem, level(problem), lower=value, upper=value, mechanism=mechanism, dual=dual))


# Optima by exact programs written down independently.


def test_every_problem_is_certified_one_way_or_the_other(size: Callable[[int, int], int]) -> None:
    seen: Counter[tuple[str, str, str, str]] = Counter()
    rng = random.Random(6)
    for _ in range(size(75, 1_500)):
        problem = designs.problem(rng, 4)
        certificate = designs.certificate(problem)
        accepted(certificate)
        seen[
            problem["objective"]["kind"],
            problem["region"]["kind"],
            designs.inner(problem)["kind"],
            str(certificate.statement),
        ] += 1
    assert len(seen) == 12
    assert min(seen.values()) >= 2


def test_no_proof_shows_that_a_region_with_a_mechanism_has_none(
    size: Callable[[int, int], int], rng: random.Random
) -> None:
    """Every number of a true file is changed; in a region that is accepted an exact program finds no mechanism."""
    tried = kept = 0
    while tried < size(150, 5_000):
        problem = designs.problem(rng, 3)
        document = designs.certificate(problem).to_dict()
        if document["statement"] != "infeasible" or designs.inner(problem)["kind"] != "differential-privacy":
            continue
        for path in places(document):
            if path[0] not in ("problem", "proof") or path[1] in ("inputs", "outputs"):
                continue
            mutant = put(document, path, mutated(at(document, path), rng))
            tried += 1
            if ask(json.dumps(mutant)).verdict:
                kept += 1
                assert is_empty(problem, mutant["problem"]), (path, mutant)
    assert kept > tried // 100


def is_empty(problem: Document, stated: Document) -> bool:
    """Return whether no mechanism is in a stated region, by a program just above its level."""
    (own,) = stated["levels"]
    inner = designs.inner(problem) | {"epsilon": own["epsilon"], "delta": own["delta"]}
    region = {"kind": "bounded", "region": inner, **stated["bounds"]}
    asked = problem | {"region": region, "objective": problem["objective"]}
    gamma, delta = designs.at_end(designs.levels(asked, 60), "above")
    return isinstance(solve(designs.programme(asked, gamma, delta)), Infeasible)


@pytest.mark.parametrize("k", [5, 6])
def test_larger_programmes(k: int, rng: random.Random) -> None:
    weights = [F(rng.randint(1, 9), 7) for _ in range(k)]
    distance = [[abs(i - j) for j in range(k)] for i in range(k)]
    shares = [F(2 * j + 1, k * k) for j in range(k)]
    diagonal = [[F(1, 3) if i == j else 0 for j in range(k)] for i in range(k)]
    for problem in (
        designs.trace(designs.uniform(k, k, "1"), weights),
        designs.trace(designs.uniform(k, k, "log(3)", "1/20"), weights),
        designs.loss(designs.by_distance(k, k, "1/2"), distance, shares),
        designs.trace(designs.bounded(designs.uniform(k, k, "log(5)"), diagonal, [[1] * k] * k), weights),
    ):
        accepted(designs.certificate(problem))
