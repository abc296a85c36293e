"""The way of values and conditional variances: the library's own files with one thing changed, by both checkers."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from adversary.asking import ask
from few_rows import few_rows
from javascript import judge
from vectors import vectors

import rropt
from rropt.checker.documents import WorkBudget
from rropt.checker.values_way import rows_of_values, sign_between
from rropt.objectives import ConditionalVariance, Contrast
from rropt.privacy import PrivacyRegion


@cache
def found(name: str) -> Any:
    """Return a certificate as the library writes it, or the example of the page."""
    if name == "example":
        return next(each["certificate"] for each in vectors("design-bracket") if each["name"] == "values-example")
    numbers, objective = {
        "five": ([1, 2, 3, 4, 5], ConditionalVariance),
        "equal numbers": ([3, 0, 3, 1], ConditionalVariance),
        "many": ([*range(19)], Contrast),
    }[name]
    k = len(numbers)
    problem = rropt.Problem(PrivacyRegion("log(3)", inputs=k, outputs="any"), objective(numbers), [Fraction(1, k)] * k)
    return rropt.solve(problem, fast=True).certificate.to_dict()


NAMES = ["example", "five", "equal numbers", "many"]


def refused(document: Any, *words: str) -> None:
    """Hold that both checkers reject a file, one of them with these words."""
    verdict = ask(json.dumps(document))
    assert not verdict
    assert not words or any(word in verdict.reason for word in words), verdict.reason
    assert judge(json.dumps(document)) is not None


@pytest.mark.parametrize("name", NAMES)
def test_both_checkers_accept_what_the_library_writes(name: str) -> None:
    assert found(name)["proof"]["way"] == "values"
    assert ask(json.dumps(found(name)))
    assert judge(json.dumps(found(name))) is None


def less_than_optimal(k: int, y: list[Any], b: list[Any], a: list[Any], gamma: Fraction) -> bool:
    """Return whether the inequality fails on one of all rows of entries 1 and gamma: the definition."""
    for row in product((Fraction(1), gamma), repeat=k):
        along, above, total = (sum(x * r for x, r in zip(line, row, strict=True)) for line in (b, a, y))
        if above < 0 or along**2 > above * total:
            return True
    return False


@pytest.mark.slow
def test_the_rows_of_the_intervals_decide_all_rows() -> None:
    """Random multipliers and random cuts, also y = 0 and equal roots: against the 2^k rows themselves."""
    rng = random.Random(85)
    decided = {True: 0, False: 0}
    for _ in range(300):
        k, gamma = rng.randint(2, 7), Fraction(rng.randint(11, 60), 10)
        y, b = ([rng.randint(low, 6) for _ in range(k)] for low in (0, -6))
        y[0] += 1  # a distribution up to a factor
        a = [rng.randint(-4, 30) for _ in range(k)]
        cuts = sorted({Fraction(rng.randint(-40, 40), rng.randint(1, 6)) for _ in range(rng.randint(0, 6))})
        fails = False
        for signs in rows_of_values(list(zip(y, b, a, strict=True)), cuts, WorkBudget()):
            row = [gamma if high else Fraction(1) for high in signs]
            along, above, total = (sum(x * r for x, r in zip(line, row, strict=True)) for line in (b, a, y))
            fails = fails or along**2 > above * total
        assert fails == less_than_optimal(k, y, b, a, gamma)
        decided[fails] += 1
    assert min(decided.values()) > 30, decided


def test_signs_on_an_interval_are_true() -> None:
    """Small quadratics with y >= 0 on intervals with one and two ends, and without: against their values inside."""
    ends = [None, (-3, 2), (-1, 1), (0, 1), (1, 3), (2, 1), None]
    places = []
    for left, right in combinations(ends, 2):
        low, high = (Fraction(*end) if end else far for end, far in ((left, Fraction(-9)), (right, Fraction(9))))
        inside = [(low + (high - low) * step / 12).as_integer_ratio() for step in range(13)]
        places.append((left, right, inside))
    decided = Counter[int]()
    for y, b, a in product(range(3), range(-2, 3), range(-3, 5)):
        for left, right, inside in places:
            sign = sign_between((y, b, a), left, right)
            assert all(sign * (y * n * n - 2 * b * n * d + a * d * d) >= 0 for n, d in inside), (y, b, a, left, right)
            decided[sign] += 1
    assert min(decided.values()) > 100, decided


@few_rows(1)
@pytest.mark.parametrize("name", NAMES)
def test_what_proves_more_than_is_true_is_refused(name: str, size: Callable[[int, int], int]) -> None:
    """Numbers of the bound change at random, and ``lower`` is all that they would prove, which is false.

    The ends of the file are at most 1e-8 apart, so that a larger claim is false whatever the proof is.
    """
    rng, tried = random.Random(name), 0
    x = [Fraction(c) for c in found(name)["problem"]["objective"]["contrast"]]
    while tried < size(40, 500):
        made = deepcopy(found(name))
        proof = made["proof"]
        j, factor = (
            rng.randrange(len(x)),
            1 + rng.choice((-1, 1)) * Fraction(rng.randint(1, 99), 10 ** rng.randint(2, 5)),
        )
        if rng.random() < 0.6:
            proof["alpha"][j] = str(Fraction(proof["alpha"][j]) * factor)
        else:
            other = rng.choice([i for i in range(len(x)) if i != j])
            own = proof["vectors"][0][0]
            moved = Fraction(own[j]) * (factor - 1)
            own[j], own[other] = str(Fraction(own[j]) + moved), str(Fraction(own[other]) - moved)
        if rng.random() < 0.3 and proof["cuts"]:
            del proof["cuts"][rng.randrange(len(proof["cuts"]))]
        bound = sum(map(Fraction, proof["alpha"]))
        if bound <= 0:
            continue
        y = [Fraction(p) for p in proof["point"]["shares"]] if "point" in proof else None
        lower = sum(Fraction(w) * c for w, c in zip(proof["vectors"][0][0], x, strict=True)) ** 2 / bound
        if y is not None:
            lower += sum(p * c for p, c in zip(y, x, strict=True)) ** 2 - sum(
                p * c * c for p, c in zip(y, x, strict=True)
            )
        upper = Fraction(made["claim"]["upper"])
        if lower <= upper * (1 + Fraction(1, 10**9)):
            continue
        made["claim"] |= {"lower": str(lower), "upper": str(lower + 1)}
        refused(made)
        tried += 1


@few_rows(2)
@pytest.mark.parametrize("name", NAMES)
def test_each_value_and_each_entry_matters(name: str) -> None:
    """An estimator that is biased by 1e-9 is refused, and so is an upper end below the variances."""
    for i in range(len(found(name)["proof"]["estimators"][0][0])):
        made = deepcopy(found(name))
        values = made["proof"]["estimators"][0][0]
        values[i] = str(Fraction(values[i]) + Fraction(1, 10**9))
        refused(made, "not unbiased")
    made = deepcopy(found(name))
    made["claim"]["lower"], made["claim"]["upper"] = "0", str(Fraction(made["claim"]["upper"]) - Fraction(1, 10**20))
    assert not ask(json.dumps(made)) or name != "example"


def test_undecided_signs_are_bounded() -> None:
    """Thirteen inputs without a cut: all signs are undecided, where the way tries twelve."""
    k = 13
    made = deepcopy(found("many"))
    rows = [[str(Fraction(3 if i == j else 1, k + 2)) for j in range(k)] for i in range(k)]
    estimator = [str(Fraction(k + 1, 2)), *[str(Fraction(-1, 2))] * (k - 1)]
    made["problem"] |= {"inputs": str(k), "population": [str(Fraction(1, k))] * k}
    made["problem"]["objective"]["contrast"] = ["1", *["0"] * (k - 1)]
    made["claim"] = {"lower": "1/1000", "upper": "1000", "mechanism": {"matrix": rows}}
    made["proof"] |= {"alpha": ["1"] * k, "vectors": [[["1", "-1", *["0"] * (k - 2)]]], "estimators": [[estimator]]}
    made["proof"] |= {"cuts": [], "vectors": [[[str(j - 6) for j in range(k)]]], "alpha": ["-1"] * k}
    made["proof"]["alpha"][0] = "100"
    made["proof"]["vectors"] = [[["-12", *["1"] * 12]]]
    refused(made, "undecided")


@pytest.mark.slow
def test_bounds_on_divergences_take_a_conditional_variance() -> None:
    """Two inputs under a Renyi divergence: the proof of c-optimality at a point proves the largest variance too."""
    problem = rropt.Problem.kary(
        level=rropt.privacy.renyi("2", "1/2"), objective=rropt.objectives.Contrast([0, 1]), population=["1/2", "1/2"]
    )
    made = rropt.solve(problem, fast=True).certificate.to_dict()
    made["problem"]["objective"]["kind"], made["problem"]["population"] = "conditional-variance", None
    made["proof"]["point"] = {"shares": ["1/2", "1/2"]}
    p = [[Fraction(x) for x in row] for row in made["claim"]["mechanism"]["matrix"]]
    z = [Fraction(x) for x in made["proof"]["estimators"][0][0]]
    worst = max(sum(row[j] * v * v for row, v in zip(p, z, strict=True)) - j for j in (0, 1))
    made["claim"]["lower"] = str(Fraction(made["claim"]["lower"]) - Fraction(1, 4))
    made["claim"]["upper"] = str(worst)
    assert ask(json.dumps(made)), ask(json.dumps(made)).reason
    assert judge(json.dumps(made)) is None
    made["claim"]["lower"] = str(worst + Fraction(1, 10**6))
    made["claim"]["upper"] = str(worst + 1)
    refused(made)
