"""The certified optimum of a level and a prevalence, as the pictures mark it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.exact import as_text
from rropt.mechanisms import Mechanism
from rropt.privacy import PrivacyRegion
from rropt.problem import binary_problem
from rropt.solvers import Solution, solve

__all__ = ["ROUTES", "Optimum", "solve_exactly"]

ROUTES = ("closed-form", "exact")  # exact ones, and fast: a picture solves several problems


@dataclass(frozen=True, slots=True)
class Optimum:
    """The optimum at a prevalence.

    Attributes:
        solution: certified.
        names: which of the points B = (1, delta), C (p00 = p11) and D = (delta, 1) are optimal, in this order.
    """

    solution: Solution
    names: tuple[str, ...]

    @classmethod
    def at(cls, region: PrivacyRegion, prevalence: object) -> Optimum:
        """Return the certified optimum over a binary region."""
        solution = solve_exactly(region.epsilon, region.delta, prevalence)
        return cls(solution, tuple(sorted({name for design in solution.optima for name in _names(design)})))

    @property
    def prevalence(self) -> Fraction:
        """Pr(X = 1)."""
        return self.solution.problem.prevalence

    def record(self) -> dict[str, Any]:
        """Return the form of JSON."""
        segment = self.solution.optimal_set
        return {
            "prevalence": as_text(self.prevalence),
            "value": as_text(self.solution.value),
            "lower": as_text(self.solution.lower),
            "upper": as_text(self.solution.upper),
            "points": list(self.names),
            "optima": [mechanism.to_dict() for mechanism in self.solution.optima],
            "optimal_set": segment.to_dict() if segment else None,
            "certificate": self.solution.certificate.to_dict(),
        }


def solve_exactly(epsilon: object, delta: object, prevalence: object) -> Solution:
    """Return the certified optimum of the binary design by the exact routes."""
    return solve(binary_problem(epsilon=epsilon, delta=delta, prevalence=prevalence), ROUTES)


def _names(design: Mechanism) -> list[str]:
    """Return which of B, C, D an optimal design is; at delta = 1 it is all three."""
    tests = {"B": design.p00 == 1, "C": design.p00 == design.p11, "D": design.p11 == 1}
    return [name for name, holds in tests.items() if holds]
