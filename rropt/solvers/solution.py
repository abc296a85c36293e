"""The solution: a mechanism, the bracket of the optimum, what each route said, and the accepted certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from rropt.certificates import Certificate
from rropt.exact import as_text, both_texts, decimal_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.rendering import plain_text, probability_texts
from rropt.objectives import EstimatorVariance
from rropt.problem import Problem
from rropt.solvers.results import OptimalSegment, RouteResult

__all__ = ["Solution"]


@dataclass(frozen=True, slots=True)
class Solution:
    """A certified optimal design.

    Attributes:
        problem: what was solved.
        mechanism: the design handed out: rational, in the region exactly.
        value: the objective at that mechanism (n Var for a variance): ``upper`` when minimising, ``lower`` when
            maximising.
        lower, upper: the optimum lies between; equal when the level is rational.
        optima: binary variance: every extreme optimal design, up to relabelling of the outputs; else the one that was
            found. ``mechanism`` is the first.
        optimal_set: the larger set of optimal designs when there are infinitely many, else None.
        routes: what each route returned, by name.
        certificate: accepted by the checker before the solution is returned.
    """

    problem: Problem
    mechanism: Mechanism
    value: Fraction
    lower: Fraction
    upper: Fraction
    optima: tuple[Mechanism, ...]
    optimal_set: OptimalSegment | None
    routes: Mapping[str, RouteResult]
    certificate: Certificate

    @property
    def gap(self) -> Fraction:
        """``upper - lower``: 0 when the optimum is known exactly."""
        return self.upper - self.lower

    def to_dict(self) -> dict[str, Any]:
        """Return the contract of ``rropt design --json``: exact numbers are strings."""
        return {
            "value": as_text(self.value),
            "lower": as_text(self.lower),
            "upper": as_text(self.upper),
            "mechanism": self.mechanism.to_dict(),
            "optima": [mechanism.to_dict() for mechanism in self.optima],
            "optimal_set": self.optimal_set.to_dict() if self.optimal_set else None,
            "routes": {name: result.to_json() for name, result in self.routes.items()},
            "certificate": self.certificate.to_dict(),
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return (what, value) pairs for a table."""
        gap = "exact" if not self.gap else f"gap {decimal_text(self.gap, 2)}"
        rows = [
            ("problem", str(self.problem)),
            (self.problem.objective.title, f"{both_texts(self.value)} ({gap})"),
        ]
        if isinstance(self.problem.objective, EstimatorVariance):
            rows.append(("optimal designs", "; ".join(_design(mechanism) for mechanism in self.optima)))
        if self.optimal_set:
            rows.append(("all optimal designs", str(self.optimal_set)))
        rows.append(("routes that agree", ", ".join(self.routes)))
        return rows

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.lines())
        head = "\n".join(f"{what.ljust(width)}  {value}" for what, value in self.lines())
        matrix = plain_text("mechanism (rows are answers, columns truths)", self.mechanism.matrix)
        return f"{head}\n{matrix}\ncertificate {self.certificate.check()}"

    def _repr_html_(self) -> str:
        cells = "".join(f"<tr><th>{escape(what)}</th><td>{escape(value)}</td></tr>" for what, value in self.lines())
        return f"<table>{cells}</table>{self.mechanism._repr_html_()}<p>certificate {self.certificate.check()}</p>"

    def __repr__(self) -> str:
        return f"<Solution value={decimal_text(self.value)} mechanism={self.mechanism!r}>"


def _design(mechanism: Mechanism) -> str:
    p00, p11 = probability_texts(mechanism)
    return f"p00 = {p00}, p11 = {p11}"
