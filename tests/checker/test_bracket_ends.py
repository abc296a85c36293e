"""Brackets whose end has the wrong sign: an even power hides it, and every bound proved with it would be false."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import rropt
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.privacy import PrivacyRegion

LEVELS = [{"log": "3", "times": "1/2"}, {"log": "3", "times": "1/4"}, {"log": "3", "times": "3/2"}]


def _stated(statement: str, level: dict[str, str], gamma: dict[str, str], **parts: Any) -> dict[str, Any]:
    """Return a file of a region of two inputs in the linear way; of a trace, or of bounds that no matrix violates."""
    bounds = {"least": [["0", "0"]] * 2, "most": [["1", "1"]] * 2}
    problem = {"inputs": "2", "outputs": "2", "levels": [{"epsilon": level, "delta": "0", "pairs": "all"}]}
    problem |= {"bounds": bounds if statement == "infeasible" else None}
    proof = {"brackets": [{"gamma": gamma, "delta": {"below": "0", "above": "0"}}], "slopes": [], **parts["proof"]}
    more = {"problem": problem | parts.get("problem", {}), "claim": parts.get("claim", {}), "proof": proof}
    return {"format": "2", "statement": statement, **more}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("above", ["-2", "-6", "-1", "0", "1/2"])
def test_forgeries_with_a_negative_end_are_rejected(level: dict[str, str], above: str) -> None:
    """There is a mechanism, its best trace is above 1, and delta is at most 1: all three claims are false."""
    gamma = {"below": "1", "above": above}
    pairs = [[str(i), "0", str(j), str(1 - j), "1"] for i in range(2) for j in range(2)]
    nothing = {"alpha": ["-1", "-1"], "limits": [["0", "0"]] * 2, "multipliers": pairs}
    infeasible = _stated("infeasible", level, gamma, proof=nothing)
    bracket = _stated(
        "design-bracket",
        level,
        gamma,
        problem={"objective": {"kind": "trace", "weights": ["1", "1"]}, "population": None},
        claim={"lower": "1", "upper": "1", "mechanism": {"matrix": [["1/2", "1/2"], ["1/2", "1/2"]]}},
        proof={"way": "linear", "alpha": ["1/2", "1/2"], "multipliers": pairs},
    )
    profile = {
        "format": "2",
        "statement": "mechanism-levels",
        "problem": {"mechanism": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, "level": level},
        "claim": {"lower": "3", "upper": "1/2"},
        "proof": {"brackets": [gamma]},
    }
    for document in (infeasible, bracket, profile):
        verdict = rropt.check(document)
        assert not verdict
        assert "bracket" in verdict.reason


@pytest.mark.parametrize("epsilon", ["1/2*log(3)", "1/4*log(7)", "3/2*log(2)"])
def test_a_sign_turned_in_an_honest_certificate_is_rejected(epsilon: str) -> None:
    problem = rropt.designs.binary_problem(epsilon=epsilon, delta="1/10", prevalence="1/4")
    interval = solve_over_interval(PrivacyRegion(epsilon), "1/10..1/3")
    repaired = repair([[0.9, 0.1], [0.1, 0.9]], epsilon)
    certificates = [
        rropt.solve(problem).certificate,
        interval.minimax.certificate,
        interval.minimax_regret.certificate,
        repaired.certificate,
    ]
    tried = 0
    for certificate in certificates:
        assert certificate is not None
        document = certificate.to_dict()
        assert rropt.check(document).accepted
        for end in ("below", "above"):
            for text in (f"-{_gamma(document)[end]}", "-2", "0"):
                lie = deepcopy(document)
                _gamma(lie)[end] = text
                verdict = rropt.check(lie)
                assert not verdict
                assert "unforeseen" not in verdict.reason
                tried += 1
    assert tried == 24


def _gamma(document: Any) -> dict[str, str]:
    """Return the bracket of gamma in a file."""
    return document["proof"]["brackets"][0]["gamma"]


def test_a_defect_of_a_rule_is_a_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should a rule ever raise what it must not, the file is not accepted and nobody sees a traceback."""
    from rropt.checker import verdicts

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(verdicts._STATEMENTS, "garbling", broken)
    document = {"format": "2", "statement": "garbling", "problem": {}, "claim": {}, "proof": {}}
    verdict = rropt.check(document)
    assert not verdict
    assert "unforeseen error: ZeroDivisionError" in verdict.reason
