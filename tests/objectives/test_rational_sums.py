"""Sums of a rational function: what is traced, what is proved convex, and that no false claim of one is accepted."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy as sp
from few_rows import few_rows
from javascript import outcome
from later import later

import rropt
from rropt import check, design
from rropt.core.errors import InvalidParameterError
from rropt.objectives import ConvexSum, RationalSum, objective_from_dict
from rropt.objectives.stated_sums import StatedSum, stated_sum
from rropt.objectives.traced_numbers import UncertifiedError

linprog = later("scipy.optimize", "linprog")

F = Fraction
PI = [F(1, 2), F(1, 3), F(1, 6)]
FORMS = {"a": PI, "b": PI[::-1], "c": [F(1, 4), F(1, 4), F(1, 2)]}

PROVED = (
    "(a - b)^2/c",
    "a^2/b + b^2/a - a",
    "a^3/b^2",
    "(a - b)^4/c^3",
    "(a - b)^2/(a + b)",
    "r1^3/(r2*r3)",
    "(r1^2 + r2^2)/r3",
    "(r1^2 + r2^2)^2/(r1 + r2)^3",
    "(r1^3 + r2^3 + r3^3)/(r1 + r2 + r3)^2",
    "-1/(1/r1 + 1/r2 + 1/r3)",
    "(p1*r1)^2/(p1*r1 + p2*r2) - r3",
    "r1 - 2*r2",
)
NOT_CONVEX = ("r1*r2/c", "-r1^2/r2", "(a - b)^3/c^2", "a^2/b - b^2/a")
NOT_PROVED = ("(r1^6/30 - r1^4*r2^2/3 + 2*r1^2*r2^4)/r2^5",)


def stated(text: str, sense: str = "maximise") -> StatedSum:
    return stated_sum(RationalSum(text, sense, FORMS).of_row, PI, sense)


def rows(gamma: float) -> np.ndarray:
    return np.array(list(product((1.0, gamma), repeat=3)))


def least_or_largest(objective: RationalSum, gamma: float) -> float:
    """Return the optimum of the linear program over all rows of entries 1 and gamma."""
    listed = rows(gamma)
    values = np.array([float(objective.of_row(list(row), [float(p) for p in PI])) for row in listed])
    sign = -1.0 if objective.sense == "maximise" else 1.0
    found = linprog(sign * values, A_eq=listed.T, b_eq=np.ones(3), method="highs")
    return float(sign * found.fun)


@few_rows(4)
@pytest.mark.parametrize("text", PROVED)
def test_a_convex_function_is_certified_in_both_checkers(text: str) -> None:
    objective = RationalSum(text, forms=FORMS)
    found = design.kary(epsilon="log(3)", objective=objective, population=PI, fast=True)
    assert found.status == "optimal", dict(found.lines())
    assert check(found.certificate)
    assert outcome(found.certificate.text) == "accepted"
    assert float(found.value) == pytest.approx(least_or_largest(objective, 3.0), rel=1e-8, abs=1e-8)


@few_rows(4)
@pytest.mark.parametrize("text", PROVED)
def test_what_is_stated_is_the_function(text: str) -> None:
    """At random rows the quotients of the certificate have the value of the expression."""
    objective, rng = RationalSum(text, forms=FORMS), random.Random(1)
    for _ in range(5):
        row = [F(rng.randint(1, 30), 7) for _ in PI]
        assert value_of(stated(text).to_dict(), row) == objective.of_row(row, PI)


@pytest.mark.parametrize("text", NOT_CONVEX)
def test_a_function_that_is_not_convex_is_refused_with_a_point(text: str) -> None:
    with pytest.raises(UncertifiedError, match="convex"):
        stated(text)
    with pytest.raises(InvalidParameterError, match=r"convex.*\(0"):
        design.kary(epsilon="log(3)", objective=RationalSum(text, forms=FORMS), population=PI)


@pytest.mark.parametrize("text", NOT_PROVED)
def test_what_is_not_proved_is_said(text: str) -> None:
    found = design.kary(epsilon="log(3)", objective=RationalSum(text, forms=FORMS), population=PI, fast=True)
    assert found.status == "not certified"
    assert "no proof was found that a quotient of its sum is convex" in dict(found.lines())["status"]


def test_a_minimum_needs_a_concave_function() -> None:
    assert stated("1/(1/a + 1/b)", "minimise").sense == "minimise"
    with pytest.raises(UncertifiedError, match="concave"):
        stated("a^2/b", "minimise")


@few_rows(1)
@pytest.mark.parametrize("epsilon", ["log(3)", "1/2"])
@pytest.mark.parametrize("delta", ["0", "1/20"])
def test_a_minimum_agrees_with_the_twins(epsilon: str, delta: str) -> None:
    """The least expected squared error of a guess of the score 0, 1, 2."""
    risk = RationalSum("p2*r2 + 4*p3*r3 - (p2*r2 + 2*p3*r3)^2/(p1*r1 + p2*r2 + p3*r3)", "minimise")
    found = design.kary(epsilon=epsilon, delta=delta, objective=risk, population=PI)
    assert found.status == "optimal"
    assert found.twins.sympy.agrees
    assert found.twins.cvxpy.agrees
    assert outcome(found.certificate.text) == "accepted"


def test_the_record_is_read_again_without_solving() -> None:
    found = design.kary(epsilon="log(3)", objective=RationalSum("(a - b)^2/c", forms=FORMS), population=PI)
    assert type(found).from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_sympy_expression_and_the_dictionary() -> None:
    r = sp.symbols("r1:4")
    objective = RationalSum(r[0] ** 2 / sum(r))
    assert objective == objective_from_dict(json.loads(json.dumps(objective.to_dict())))
    assert design.kary(epsilon="log(3)", objective=objective, population=PI).status == "optimal"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("r1**r2", "not allowed"),
        ("__import__('os')", "not allowed"),
        ("r1.real", "not allowed"),
        ("x/r1", "unknown name"),
        ("r1 +", "not an expression"),
        ("r1**99999", "not allowed"),
        ("(" * 500 + "r1" + ")" * 500, "not an expression"),
        ("", "not an expression"),
        ("[r1]", "not allowed"),
        ("r1 if r2 else r3", "not allowed"),
    ],
)
def test_other_texts_are_refused(text: str, what: str) -> None:
    with pytest.raises(InvalidParameterError, match=what):
        RationalSum(text)


@dataclass(frozen=True, slots=True)
class Function(ConvexSum):
    """A function that is given as such."""

    function: Any
    kind = "function"
    title = "a function"
    form = '{"kind": "function"}'

    def of_row(self, row: Any, population: Any) -> Any:
        return self.function(row, population)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": repr(self.function)}


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda r, p: float(r[0]), "float"),
        (lambda r, p: 0.5 * r[0] ** 2 / r[1], "type"),
        (lambda r, p: abs(r[0] - r[1]), "float"),
        (lambda r, p: max(r), "comparison"),
        (lambda r, p: r[0] ** F(1, 2), "type"),
        (lambda r, p: np.sqrt(r[0] * r[1]), "type"),
        (lambda r, p: r[0] ** 2, "homogeneous"),
        (lambda r, p: r[0] ** 2 / r[1] + 1, "homogeneous"),
        (lambda r, p: r[0] - r[0], "is 0"),
        (lambda r, p: random.random() * r[0] ** 2 / r[1], "type"),
        (lambda r, p: random.randint(1, 10**9) * r[0] ** 2 / r[1], "recorded"),
        (lambda r, p: 1.5, "not exact"),
    ],
)
def test_a_function_that_is_no_rational_function_is_not_stated(function: Any, what: str) -> None:
    with pytest.raises(UncertifiedError, match=what):
        stated_sum(function, PI, "maximise")


def test_a_guard_against_a_sum_of_zero_is_no_decision() -> None:
    """A test of a positive sum has one answer at all positive rows."""

    def guarded(row: Any, population: Any) -> Any:
        total = sum(p * x for p, x in zip(population, row, strict=True))
        return row[0] ** 2 / total if total > 0 else 0

    assert len(stated_sum(guarded, PI, "maximise").terms) == 1
    assert design.kary(epsilon="log(3)", objective=Function(guarded), population=PI, fast=True).status == "optimal"


def test_a_denominator_that_is_zero_at_a_row_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="not defined"):
        design.kary(epsilon="log(3)", delta="1/10", objective=RationalSum("r1^2/r2"), population=PI)


# forgeries: every accepted change of a file is a true claim, by the program over many rows in floats


def value_of(objective: Any, row: Any) -> Any:
    """Return the value of a stated objective at a row, by its definition."""
    total = 0
    for term in objective["terms"]:
        y = [sum(F(c) * x for c, x in zip(form, row, strict=True)) for form in term["forms"]]
        parts = []
        for part in (term["numerator"], term["denominator"]):
            sums = 0
            for c, *powers in part:
                one = F(c)
                for x, e in zip(y, powers, strict=True):
                    one = one * x ** int(e)
                sums = sums + one
            parts.append(sums)
        total = total + parts[0] / parts[1]
    return total


def is_true(document: Any) -> bool:
    """Return whether no mixture of many rows of the cone beats the bound of a claim, and the mechanism attains."""
    problem, claim = document["problem"], document["claim"]
    (level,) = problem["levels"]
    gamma, k = F(level["epsilon"]["log"]), int(problem["inputs"])
    sign = 1 if problem["objective"]["sense"] == "maximise" else -1
    steps = [1 + (gamma - 1) * F(i, 4) for i in range(5)]
    listed = [list(row) for row in product(steps, repeat=k)]
    values = [sign * float(value_of(problem["objective"], row)) for row in listed]
    found = linprog([-v for v in values], A_eq=np.array(listed, dtype=float).T, b_eq=np.ones(k), method="highs")
    own = sum(sign * value_of(problem["objective"], [F(x) for x in row]) for row in claim["mechanism"]["matrix"])
    low, high = sorted((sign * F(claim["lower"]), sign * F(claim["upper"])))
    return low <= own and float(high) >= -found.fun - 1e-7 * (1 + abs(found.fun))


CHANGES: tuple[Callable[[random.Random, F], F], ...] = (
    lambda rng, x: -x,
    lambda rng, x: x + F(rng.randint(-3, 3), rng.randint(1, 4)),
    lambda rng, x: x * rng.randint(0, 4),
    lambda rng, x: F(rng.randint(-4, 4)),
)


def changed(document: Any, rng: random.Random) -> Any:
    """Return a copy with one to three numbers changed, and the ends of the claim moved half of the time."""
    made = json.loads(json.dumps(document))
    for _ in range(rng.randint(1, 3)):
        places: list[tuple[Any, Any]] = []

        def collect(value: Any, places: list[tuple[Any, Any]] = places) -> None:
            for key, part in value.items() if isinstance(value, dict) else enumerate(value):
                if isinstance(part, (dict, list)):
                    collect(part)
                elif isinstance(part, bool) or (isinstance(part, str) and part.lstrip("-").replace("/", "").isdigit()):
                    places.append((value, key))

        collect({"o": made["problem"]["objective"], "c": made["proof"]["convexity"], "a": made["proof"]["alpha"]})
        holder, key = rng.choice(places)
        holder[key] = (
            not holder[key] if isinstance(holder[key], bool) else str(rng.choice(CHANGES)(rng, F(holder[key])))
        )
    if rng.random() < 0.5:
        made["claim"]["lower"], made["claim"]["upper"] = "-100", "100"
        made["proof"]["alpha"] = [str(F(x) + rng.randint(0, 40)) for x in made["proof"]["alpha"]]
        end = "upper" if made["problem"]["objective"]["sense"] == "maximise" else "lower"
        total = sum(map(F, made["proof"]["alpha"]))
        made["claim"][end] = str(total if end == "upper" else -total)
    return made


@pytest.mark.slow
def test_no_changed_file_with_a_false_claim_is_accepted(size: Callable[[int, int], int]) -> None:
    rng, accepted = random.Random(5), 0
    files = []
    for text in PROVED:
        found = design.kary(epsilon="log(3)", objective=RationalSum(text, forms=FORMS), population=PI, routes="exact")
        files.append(found.certificate.to_dict())
    for number in range(size(200, 40_000)):
        made = changed(files[number % len(files)], rng)
        if check(json.dumps(made)):
            accepted += 1
            assert is_true(made), json.dumps(made)
    assert accepted > size(2, 500)


def test_a_false_proof_of_convexity_is_rejected() -> None:
    """The file of a product, which is not convex, with alpha that is right on the rays alone."""
    found = design.kary(epsilon="log(3)", objective=RationalSum("r1^2/(r1 + r2)"), population=["1/2", "1/2"])
    made = found.certificate.to_dict()
    term = made["problem"]["objective"]["terms"][0]
    made["problem"]["objective"]["terms"] = [
        {
            "forms": [["1", "0"], ["0", "1"], ["1", "1"]],
            "numerator": [["1", "1", "1", "0"]],
            "denominator": [["1", "0", "0", "1"]],
        }
    ]
    entry = {
        "forms": [["1", "0"], ["0", "1"], ["1", "1"]],
        "matrix": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
    }
    made["proof"]["alpha"] = ["3/16", "3/16"]  # r1 r2/(r1 + r2) = 3/4 at (1, 3), and 1/2 at (1, 1), which is a ray too
    made["claim"] |= {"lower": "0", "upper": "3/8"}
    for scaled in ([False, False], [True, True]):
        made["proof"]["convexity"] = [{**entry, "scaled": scaled, "power": "0"}]
        verdict = check(json.dumps(made))
        assert not verdict
        assert "semidefinite" in verdict.reason
        assert outcome(json.dumps(made)) == "rejected"
    assert term["forms"] != entry["forms"]
    assert rropt.check(found.certificate)
