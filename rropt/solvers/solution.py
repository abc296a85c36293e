"""The solution: a mechanism, the bracket of the optimum, what each route said, and the accepted certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from rropt.certificates import Certificate
from rropt.exact import Bracket, as_text, both_texts, decimal_text
from rropt.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import plain_text
from rropt.problem import Problem
from rropt.solvers.results import OptimalSegment, RouteResult


@dataclass(frozen=True, slots=True)
class Solution(Bracket):
    """A certified optimal design.

    Attributes:
        lower, upper: the optimum lies between; equal when the level is rational.
        problem: what was solved.
        found: what the deciding route says of the optimal designs.
        routes: what each route returned, by name.
        certificate: accepted by the checker before the solution is returned.
    """

    problem: Problem
    found: RouteResult
    routes: Mapping[str, RouteResult]
    certificate: Certificate

    def __post_init__(self) -> None:
        object.__setattr__(self, "routes", ReadOnlyMapping(self.routes))

    @property
    def mechanism(self) -> Mechanism:
        """The design handed out, the first of ``optima``: rational, in the region exactly."""
        return self.found.designs[0]

    @property
    def value(self) -> Fraction:
        """The objective at that mechanism (n Var for a variance): ``upper`` when minimising, else ``lower``."""
        return self.upper if self.problem.objective.sense == "minimise" else self.lower

    @property
    def optima(self) -> tuple[Mechanism, ...]:
        """Binary variance: every extreme optimal design, up to relabelling of outputs; else the one that was found."""
        return self.found.designs

    @property
    def optimal_set(self) -> OptimalSegment | None:
        """The larger set of optimal designs when there are infinitely many, else None."""
        return self.found.optimal_set

    def to_dict(self) -> dict[str, Any]:
        """Return the contract of ``rropt design --json``: exact numbers are strings."""
        return {
            "value": as_text(self.value),
            **self.written(),
            "mechanism": self.mechanism.to_dict(),
            "optima": [mechanism.to_dict() for mechanism in self.optima],
            "optimal_set": self.optimal_set.to_dict() if self.optimal_set else None,
            "routes": {name: result.to_json() for name, result in self.routes.items()},
            "certificate": self.certificate.to_dict(),
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return (what, value) pairs for a table."""
        gap = "exact" if not self.gap else f"gap {decimal_text(self.gap, 2)}"
        return [
            ("problem", str(self.problem)),
            (self.problem.objective.title, f"{both_texts(self.value)} ({gap})"),
            *self.found.lines(),
            ("routes that agree", ", ".join(self.routes)),
        ]

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
