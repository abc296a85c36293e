"""Objectives of a third party: optimised by the engine, not certified, refused with the point where they are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rropt import Problem, check, solve
from rropt.core.errors import InvalidParameterError
from rropt.objectives import AOptimality, ChiSquare, ConvexSum, DOptimality, InformationObjective
from rropt.privacy import PrivacyRegion

F = Fraction
PI = (F(6, 11), F(3, 11), F(2, 11))
Q = (F(1, 3),) * 3


@dataclass(frozen=True, slots=True)
class OwnChiSquare(ConvexSum):
    """Chi-square against equal shares, as somebody else may write it."""

    kind = "own-chi-square"
    title = "chi-square of my own"
    form = '{"kind": "own-chi-square"}'

    def of_row(self, row: Sequence[Any], population: Sequence[Fraction]) -> float:
        a = sum(float(x) * float(p) for x, p in zip(row, population, strict=True))
        b = sum(float(x) / len(row) for x in row)
        return (a - b) ** 2 / b


@dataclass(frozen=True, slots=True)
class Curved(OwnChiSquare):
    """Homogeneous, and concave."""

    kind = "concave"

    def of_row(self, row: Sequence[Any], population: Sequence[Fraction]) -> float:
        return float(np.prod([float(x) for x in row])) ** (1 / len(row))


@dataclass(frozen=True, slots=True)
class Squared(OwnChiSquare):
    """Convex, and not homogeneous."""

    kind = "squared"

    def of_row(self, row: Sequence[Any], population: Sequence[Fraction]) -> float:
        return sum(float(x) ** 2 for x in row)


@dataclass(frozen=True, slots=True)
class OwnDeterminant(InformationObjective):
    """ln det M, with the default curvature."""

    kind = "own-determinant"
    title = "ln det of my own"
    form = '{"kind": "own-determinant"}'

    def of_information(self, information: Any) -> float:
        sign, value = np.linalg.slogdet(information)
        return float(value) if sign > 0 else float("nan")

    def gradient(self, information: Any) -> Any:
        return np.linalg.inv(information)


@dataclass(frozen=True, slots=True)
class OwnTrace(InformationObjective):
    """tr M^-1, made small."""

    kind = "own-trace"
    sense = "minimise"
    title = "trace of my own"
    form = '{"kind": "own-trace"}'

    def of_information(self, information: Any) -> float:
        return float(np.trace(np.linalg.inv(information)))

    def gradient(self, information: Any) -> Any:
        inverse = np.linalg.inv(information)
        return -inverse @ inverse


@dataclass(frozen=True, slots=True)
class Backwards(OwnDeterminant):
    """Concave, and better with less information."""

    kind = "backwards"

    def of_information(self, information: Any) -> float:
        return -float(np.trace(information))

    def gradient(self, information: Any) -> Any:
        return -np.eye(len(information))


def problem(objective: Any, delta: object = 0) -> Problem:
    return Problem(PrivacyRegion("log(3)", delta, inputs=3, outputs="any"), objective, PI)


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0, "1/20"])
def test_an_objective_of_its_own_file_has_the_optimum_of_its_twin(delta: object) -> None:
    for own, twin, constant in (
        (OwnChiSquare(), ChiSquare(Q), F(0)),
        (OwnDeterminant(), DOptimality(), F(0)),
        (OwnTrace(), AOptimality(), sum(p * p for p in PI)),
    ):
        found, known = solve(problem(own, delta)), solve(problem(twin, delta), fast=True)
        assert abs(found.value - constant - known.value) <= F(1, 10**8) * abs(known.value)
        assert found.gap <= F(1, 10**8) * abs(found.value), own.kind
        assert (found.is_certified, found.status, known.status) == (False, "not certified", "optimal")
        assert "not certified" in str(found)
        assert found.to_dict()["status"] == "not certified"
        assert not check(found.certificate)


@pytest.mark.parametrize(
    ("objective", "reason"),
    [(Curved(), "not convex"), (Squared(), "not homogeneous"), (Backwards(), "not monotone under garbling")],
)
def test_what_the_theory_does_not_hold_for_is_refused_with_the_point(objective: Any, reason: str) -> None:
    with pytest.raises(InvalidParameterError, match=reason) as refused:
        solve(problem(objective))
    assert "(0." in str(refused.value) or "M = (" in str(refused.value)
