"""The way of a formula: traces over up to a million categories, long files within their budget, false pieces."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from every_case import every_case

import rropt
from rropt.checker import check_text
from rropt.checker.limits import MAX_RUNS
from rropt.checker.verdicts import state_text
from rropt.designs.problem import Problem

F = Fraction


def file(level: Any, slack: Any, ends: Any, runs: Any, made: Any, bounds: Any, loss: bool = False) -> dict[str, Any]:
    """Return the certificate; of the 0/1 loss the bounds are taken from the sum of the weights."""
    k = str(sum(int(n) for n, _ in runs))
    objective: Any = {"kind": "trace", "weights": {"runs": runs}}
    if loss:
        objective = {"kind": "loss", "matrix": "zero-one"}
        total = sum((int(n) * F(w) for n, w in runs), F(0))
        bounds = total - bounds[1], total - bounds[0]
    levels = [{"epsilon": level, "delta": slack, "pairs": "all"}]
    problem = {"inputs": k, "outputs": k, "levels": levels, "bounds": None, "objective": objective}
    problem["population"] = {"runs": runs} if loss else None
    claim = {"lower": str(bounds[0]), "upper": str(bounds[1]), "mechanism": made}
    gamma, delta = ({"below": str(a), "above": str(b)} for a, b in ends)
    proof = {"way": "formula", "brackets": [{"gamma": gamma, "delta": delta}]}
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": proof}


def certificate(weights: str | None = None, **asked: Any) -> Any:
    """Return the certificate of a trace."""
    objective = "trace" if weights is None else f"trace:{weights}"
    return rropt.solve(Problem.kary(objective=objective, **asked)).certificate


@pytest.mark.slow
@every_case("delta", ["0", "1/1000000", "exp(-9)", "1"])
@every_case("weights", [None, "10x1/20,999990x1/1999980", "3x0,999997x1/7"])
def test_a_million_categories(delta: str, weights: str | None) -> None:
    made = certificate(categories=10**6, epsilon=1, delta=delta, weights=weights)
    assert len(made.text) < 2500
    document = json.loads(made.text)
    lower, upper = (F(document["claim"][end]) for end in ("lower", "upper"))
    assert 0 <= upper - lower <= upper / 10**10
    for end, moved in (("lower", upper + F(1, 10**30)), ("upper", lower - F(1, 10**30))):
        forged = {**document, "claim": {**document["claim"], end: str(moved)}}
        assert not check_text(json.dumps(forged))


def long_file(runs: int) -> str:
    """Return a file with so many runs, no two of one weight, that are chosen in turn."""
    weights = [["2", str(F(runs + i * 7919 % runs, 977))] for i in range(runs)]
    chosen = [["2", str(i % 2)] for i in range(runs)]
    form = {"restricted-response": {"runs": chosen, "gamma": "3", "delta": "0"}}
    return json.dumps(file({"log": "3"}, "0", ((3, 3), (0, 0)), weights, form, (0, 10**12)))


@pytest.mark.slow
def test_a_long_file_is_judged_within_the_budget() -> None:
    assert check_text(long_file(MAX_RUNS))
    assert "entries" in check_text(long_file(MAX_RUNS + 1)).reason


@pytest.mark.slow
def test_a_weight_of_a_certificate_is_not_exchanged_with_another() -> None:
    document = json.loads(certificate(categories=1000, epsilon="log(3)", weights="10x5,990x1/100").text)
    document["problem"]["objective"]["weights"]["runs"] = [["990", "1/100"], ["10", "5"]]
    assert check_text(json.dumps(document)).reason == "lower is above the end that the formula proves"


DIRECT = {"blocks": {"family": "direct", "categories": "3", "gamma": "3"}}


def test_the_shares_of_a_loss_are_its_population() -> None:
    """They are printed, and they sum to 1."""
    runs = [["2", "1/4"], ["1", "1/2"]]
    document = file({"log": "3"}, "0", ((3, 3), (0, 0)), runs, DIRECT, (0, 1), loss=True)
    verdict, lines = state_text(json.dumps(document))
    assert verdict
    assert "[[2, 1/4], [1, 1/2]]" in lines[0]
    assert "equally frequent" not in lines[0]
    for share in ("1/5", "1/3", "0"):
        runs[0][1] = share
        assert check_text(json.dumps(document)).reason == "the shares of the population do not sum to 1"
