"""Certificates of designs with k inputs: the numbering of rows, what is written, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs.writers.linear_writer import (
    certify_infeasible_design,
    certify_linear_design,
    program_form,
    recorded_dual,
)
from rropt.mechanisms import Mechanism
from rropt.privacy.region import LevelPart, RationalLevel, RationalLevels

F = Fraction


def stated(region: dict[str, Any]) -> dict[str, Any]:
    return {"region": region, "objective": TRACE, "population": ["1/2", "1/2"]}


def uniform(delta: Any = "0", **changes: str) -> dict[str, Any]:
    region = {"kind": "differential-privacy", "inputs": "2", "outputs": "2", "epsilon": {"log": "2"}}
    return region | {"delta": delta, "family": "all"} | changes


TRACE = {"kind": "trace", "weights": ["1", "1"]}
TWO = RationalLevels.single(RationalLevel(F(2), F(0)), RationalLevel(F(2), F(0)))
LEVEL = {"epsilon": {"log": "2"}, "delta": "0", "pairs": [["0", "1"]]}
PAIRWISE = {"kind": "privacy-levels", "inputs": "2", "outputs": "2", "levels": [LEVEL]}
ONE_PAIR = RationalLevels((LevelPart(TWO.below, TWO.above, ((0, 1),)),))
RANDOMIZED = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
DUAL = {("sum", 0): F(2, 3), ("sum", 1): F(2, 3), ("lower", 0, 1): F(-2, 3), ("lower", 1, 0): F(-2, 3)}
DUAL |= {("upper", 0, 0): F(-1, 3), ("upper", 1, 1): F(-1, 3)}


def test_the_rows_of_a_problem() -> None:
    assert program_form(stated(uniform())) == "parity"
    assert program_form(stated(uniform({"exp": "-3"}))) == "excess"
    bounds = {"kind": "bounded", "region": PAIRWISE, "least": [], "most": []}
    assert program_form(stated(bounds)) == "pairwise"
    assert ONE_PAIR.is_exact


def test_a_certificate_leaves_out_zeros_and_orders_rows() -> None:
    dual = dict(reversed(DUAL.items())) | {("lower", 0, 0): F(0)}
    values = {"lower": F(4, 3), "upper": F(4, 3)}
    certificate = certify_linear_design(stated(uniform()), TWO, **values, mechanism=RANDOMIZED, dual=dual)
    proof = certificate.require_accepted().proof
    assert proof["multipliers"] == [["0", "0", "0", "1", "1/3"], ["1", "0", "1", "0", "1/3"]]
    assert recorded_dual(stated(uniform()), certificate) == DUAL
    assert proof["brackets"] == [{"gamma": {"below": "2", "above": "2"}, "delta": {"below": "0", "above": "0"}}]


def test_a_level_for_a_pair_only() -> None:
    """``p_00 <= 2 p_01`` alone: the trace is at most 1 + p_00 - p_01 <= 3/2 with p_00 = 1."""
    problem = stated(PAIRWISE)
    dual = {("sum", 0): F(1, 2), ("sum", 1): F(1), ("pair", 0, 0, 1): F(-1, 2)}
    mechanism = Mechanism([["1", "1/2"], ["0", "1/2"]])
    certificate = certify_linear_design(problem, ONE_PAIR, lower=F(3, 2), upper=F(3, 2), mechanism=mechanism, dual=dual)
    assert certificate.require_accepted().problem["levels"][0]["pairs"] == [["0", "1"]]
    assert recorded_dual(problem, certificate) == dual


def test_the_writer_does_not_judge_but_the_checker_does() -> None:
    values = {"lower": F(3, 2), "upper": F(3, 2)}
    wrong = certify_linear_design(stated(uniform()), TWO, **values, mechanism=RANDOMIZED, dual=DUAL)
    assert "lower is not proved" in wrong.check().reason
    none = certify_infeasible_design(stated(uniform()), TWO, {})
    assert "without bounds, every mechanism that ignores its input" in none.check().reason


@pytest.mark.parametrize(
    ("region", "words"),
    [
        (uniform(family="warner"), "family all"),
        (uniform(outputs="any"), "outputs is left open"),
        ({"kind": "capped", "inputs": "2", "outputs": "2"}, "received .capped."),
    ],
)
def test_a_region_without_a_program_is_refused(region: dict[str, Any], words: str) -> None:
    with pytest.raises(UnsupportedProblemError, match=words):
        program_form(stated(region))


def test_what_does_not_fit_is_refused() -> None:
    for wrong in (("sum", 2), ("lower", -1, 0), ("pair", 0, 0, 1), ("total", 0, 1), ("least", 0, 0)):
        with pytest.raises(InvalidParameterError, match=f"received .*{wrong[0]}"):
            certify_infeasible_design(stated(uniform()), TWO, {wrong: F(1)})
    with pytest.raises(InvalidParameterError, match="received one level"):
        certify_infeasible_design(stated(PAIRWISE), TWO, {})
    with pytest.raises(InvalidParameterError, match="received levels of pairs"):
        certify_infeasible_design(stated(uniform()), ONE_PAIR, {})
