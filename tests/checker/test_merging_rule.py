"""Rule 24: three outputs, two inputs; and mutual information at one category, which rule 5 proves to be exactly 0."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from fuzz.merged import best, drawn, value
from javascript import judge

import rropt
from rropt.checker import check_text

F = Fraction


def solved(epsilon: object, delta: object, prevalence: object) -> dict[str, Any]:
    """Return the certificate of the best mechanism of three outputs."""
    problem = rropt.binary_problem(epsilon=epsilon, delta=delta, prevalence=prevalence, outputs=3)
    return rropt.solve(problem, routes="closed-form").certificate.to_dict()


def verdicts(document: dict[str, Any]) -> str:
    """Return the reason of a rejection by the checker, empty where it accepts; JavaScript agrees."""
    verdict, second = check_text(json.dumps(document)), judge(json.dumps(document))
    assert bool(verdict) == (second is None), (verdict, second)
    return verdict.reason


def test_the_optimum_is_proved_at_every_kind_of_level() -> None:
    closed = 0
    for epsilon in ("log(2)", "1", "1/2*log(3)", "0", "1/1000", "20"):
        for delta in ("1/4", "exp(-10)", "1", "0"):
            for prevalence in ("1/2", "1/50"):
                if (epsilon, delta) == ("0", "0"):
                    continue
                document = solved(epsilon, delta, prevalence)
                assert document["witness"]["rule"] == "merged-outputs"
                assert verdicts(document) == ""
                lower, upper = (F(document["claim"][end]) for end in ("lower", "upper"))
                assert 0 < lower <= upper < lower * (1 + F(1, 10**12))
                closed += 1
    assert closed == 46


def test_no_private_mechanism_is_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random garblings of the four outputs to three, and all maps of them, by another formula of the value."""
    tried = 0
    for _ in range(size(10, 300)):
        gamma, delta = F(rng.randint(11, 60), 10), F(rng.randint(1, 99), 100)
        prevalence = F(rng.randint(1, 99), 100)
        document = solved(f"log({gamma})", delta, prevalence)
        least, _ = best(gamma, delta, prevalence)
        assert F(document["claim"]["lower"]) == F(document["claim"]["upper"]) == least
        for _ in range(10):
            other = value(drawn(rng, gamma, delta), prevalence)
            assert other is None or other >= least
            tried += 1
    assert tried == 10 * size(10, 300)


@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("claim", "upper"), "5/7", "upper is below the value"),
        (("claim", "lower"), "7/8", "lower is above"),
        (
            ("claim", "mechanism", "matrix"),
            [["1", "0"], ["0", "1/2"], ["0", "1/2"]],
            "exceeds gamma by more than delta",
        ),
        (("claim", "mechanism", "matrix"), [["3/4", "1/4"], ["1/4", "3/4"]], "entries"),
        (("problem", "population"), ["1", "0"], "the information is infinite"),
        (("problem", "region", "outputs"), "any", "3 outputs"),
        (("problem", "region", "outputs"), "4", "3 outputs"),
        (("problem", "region", "family"), "warner", "family"),
        (("problem", "objective"), {"kind": "a-optimal"}, "kind"),
        (("witness", "gamma"), {"below": "2", "above": "3"}, "gamma is rational"),
        (("witness", "dual"), {}, "key"),
    ],
)
def test_conditions(path: tuple[str, ...], new: Any, reason: str) -> None:
    document = solved("log(2)", "1/4", "1/2")
    assert document["claim"]["lower"] == document["claim"]["upper"] == "6/7"
    changed = copy.deepcopy(document)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    assert reason in verdicts(changed)


def test_prevalence_0_needs_delta_0() -> None:
    assert verdicts(solved("log(2)", "0", "0")) == ""


@pytest.mark.parametrize("k", [2, 3, 5])
def test_mutual_information_at_one_category(k: int) -> None:
    """Exactly 0 is accepted as both endpoints; a dual that is negative at a pattern without shares is not."""
    shares = [F(j == k - 1) for j in range(k)]
    problem = rropt.kary_problem(epsilon=1, objective="mutual-information", population=shares)
    document = rropt.solve(problem, routes="exact").certificate.to_dict()
    assert document["claim"]["lower"] == document["claim"]["upper"] == "0"
    assert verdicts(document) == ""
    document["proof"]["alpha"][0], document["proof"]["alpha"][-1] = "-1", "1"
    assert verdicts(document)
    above = copy.deepcopy(document)
    above["proof"]["alpha"] = ["0"] * k
    above["claim"]["lower"] = "1/1000000000000000000000000000000000000000000"
    assert "lower" in verdicts(above)
