"""Results of routes, and the solution: a mechanism, the bracket of the optimum, and the accepted certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from rropt.certificates import Certificate
from rropt.exact import Bracket, both_texts, decimal_text
from rropt.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import probability_texts
from rropt.mechanisms.vectors import size_text
from rropt.problem import Problem
from rropt.results import Result, html_lines, record_of
from rropt.solvers.closed_forms import ClosedForm, binary_form, pattern_form, trace_form
from rropt.solvers.constraints import Constraint, constraints_of, lacks_of

CLOSED = Fraction(1, 10**6)
"""The relative gap up to which a bracket is called closed, and its design optimal."""

_NOTHING = Fraction(1, 10**20)  # a gap below is closed too: there is nothing to be told, or nearly so
_HEADLINE = "mechanism (rows are answers, columns truths)"


@dataclass(frozen=True, slots=True)
class Solution(Result, Bracket):
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

    @property
    def is_closed(self) -> bool:
        """Whether the design is called optimal; else it is the best that was found, and the bracket says how good."""
        return self.found.is_closed

    @property
    def duals(self) -> tuple[Constraint, ...]:
        """The constraints by name: which are active at the mechanism, and their multipliers.

        Raises:
            UnsupportedProblemError: the design is no vertex and no optimum of a linear programme.

        >>> from rropt import binary_problem, solve
        >>> for one in solve(binary_problem(epsilon="log(3)", prevalence="1/4")).duals:
        ...     if one.active:
        ...         print(one)
        yes-ratio: active, multiplier 5/4 = 1.25
        no-ratio: active, multiplier 3/4 = 0.75
        """
        return constraints_of(self)

    def closed_form(self) -> ClosedForm:
        """Return the design and its value as SymPy expressions in epsilon and delta, by the theorem behind it.

        Raises:
            UnsupportedProblemError: no theorem gives this design.
        """
        return self.found.closed_form(self.problem)

    def remarks(self) -> tuple[str, ...]:
        """Return what must be said before the mechanism goes out: answers never given, a population not identified."""
        return lacks_of(self.mechanism) if self.problem.objective.is_linear else ()

    def to_dict(self) -> dict[str, Any]:
        """Return the contract of ``rropt design --json``: exact numbers are strings."""
        names = ("problem", "value", "lower", "upper", "mechanism", "optima", "optimal_set")
        routes = {name: Bracket(*result) for name, result in self.routes.items()}
        told = {**{name: getattr(self, name) for name in names}, "routes": routes, **self.found.beside()}
        return record_of(told) | {"certificate": self.certificate.to_dict()}

    @classmethod
    def again(cls, problem: Problem, routes: Mapping[str, Bracket]) -> Solution:
        """Return the solution of the problem by these routes."""
        from rropt.solvers import solve  # which imports this module

        return solve(problem, list(routes))

    def lines(self) -> list[tuple[str, str]]:
        """Return (what, value) pairs for a table."""
        gap = "exact" if not self.gap else f"gap {decimal_text(self.gap, 2)}"
        return [
            ("problem", str(self.problem)),
            (self.problem.objective.title, f"{both_texts(self.value)} ({gap})"),
            *self.found.lines(),
            ("routes that agree", ", ".join(self.routes)),
        ]

    def matrices(self) -> Mapping[str, Mechanism]:
        """Return the mechanism."""
        return {_HEADLINE: self.mechanism}

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.lines())
        head = "\n".join(f"{what.ljust(width)}  {value}" for what, value in self.lines())
        matrix = self.mechanism.displayed(_HEADLINE)
        return f"{head}\n{matrix}\ncertificate {self.certificate.check()}"

    def _repr_html_(self) -> str:
        return f"{html_lines(self.lines())}{self.mechanism._repr_html_()}<p>certificate {self.certificate.check()}</p>"

    def __repr__(self) -> str:
        shape = " x ".join(map(size_text, self.mechanism.shape))
        return f"<Solution value={decimal_text(self.value)} mechanism={shape} {self.problem.objective.kind}>"


@dataclass(frozen=True, slots=True)
class OptimalSegment:
    """A half-open segment of optimal binary designs: every (p00, p11) after ``after``, up to and with ``through``.

    It arises at prevalence 0 or 1 with delta > 0, where all of its designs have variance 0; ``after`` itself has
    p00 + p11 = 1 and leaves nothing to estimate.
    """

    after: tuple[Fraction, Fraction]
    through: tuple[Fraction, Fraction]

    def to_dict(self) -> dict[str, list[str]]:
        """Return the form of certificates."""
        return {"after": [str(p) for p in self.after], "through": [str(p) for p in self.through]}

    def __str__(self) -> str:
        (a0, b0), (a1, b1) = self.after, self.through
        p00, p11 = probability_texts(Mechanism.binary(a1, b1))
        if a0 == a1:
            return f"p00 = {a1}, {b0} < p11 <= {p11}"
        return f"{a0} < p00 <= {p00}, p11 = {b1}"


@dataclass(frozen=True, slots=True)
class RouteResult(Bracket):
    """A bracket of the optimum, ``lower <= optimum <= upper``, rational; equal at a rational level on an exact route.

    Alone it names no design (a numerical route); its subclasses do.

    Attributes:
        proof: its attributes that prove the end of the bracket which no design reaches.
    """

    proof: ClassVar[tuple[str, ...]] = ()

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The designs it hands out, feasible at the level below; none of a bracket alone."""
        return ()

    @property
    def optimal_set(self) -> OptimalSegment | None:
        """The larger set of optimal designs, where there is one and it is known."""
        return None

    @property
    def is_closed(self) -> bool:
        """Whether the bracket is so narrow that the design is called optimal."""
        return self.gap <= max(CLOSED * max(abs(self.lower), abs(self.upper)), _NOTHING)

    def closed_form(self, problem: Problem) -> ClosedForm:
        """Return the design in symbols, where a theorem gives it."""
        return trace_form(problem)

    def bounded_by(self, other: RouteResult, sense: str) -> RouteResult:
        """Return the result with the end of the bracket that its design does not reach taken from another level."""
        taken = ["lower" if sense == "minimise" else "upper", *(self.proof if isinstance(other, type(self)) else ())]
        return replace(self, **{name: getattr(other, name) for name in taken})

    def guess(self, problem: Problem) -> tuple[Fraction, ...]:
        """Return the population at which respondents are planned."""
        return problem.population

    def beside(self) -> dict[str, Any]:
        """Return what JSON says of the optimal designs besides mechanisms."""
        return {}

    def lines(self) -> list[tuple[str, str]]:
        """Return what it says of the optimal designs as (what, value) pairs for a table."""
        return []


@dataclass(frozen=True, slots=True)
class DecidedDesigns(RouteResult):
    """All extreme optimal designs: ties are decided.

    Attributes:
        optima: binary, in ascending order of (p00, p11).
        optimal_set: the larger set of optimal designs, where there is one.
    """

    optima: tuple[Mechanism, ...]
    optimal_set: OptimalSegment | None = None

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The extreme optimal designs."""
        return self.optima

    def closed_form(self, problem: Problem) -> ClosedForm:
        """Return the first of the extreme designs in symbols."""
        return binary_form(problem, self.optima[0])

    def lines(self) -> list[tuple[str, str]]:
        """Return the extreme designs and the larger set."""
        texts = (probability_texts(mechanism) for mechanism in self.optima)
        rows = [("optimal designs", "; ".join(f"p00 = {p00}, p11 = {p11}" for p00, p11 in texts))]
        return [*rows, ("all optimal designs", str(self.optimal_set))] if self.optimal_set else rows


@dataclass(frozen=True, slots=True)
class ProvedDesign(RouteResult):
    """One optimal design, and the dual that proves the other side of the bracket.

    Attributes:
        mechanism: there may be other optimal ones.
        dual: the multipliers by row (``certificates.design_programmes``), or what else the certificate takes.
    """

    proof: ClassVar[tuple[str, ...]] = ("dual",)
    mechanism: Mechanism
    dual: Any

    def __post_init__(self) -> None:
        if isinstance(self.dual, Mapping):
            object.__setattr__(self, "dual", ReadOnlyMapping(self.dual))

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The design."""
        return (self.mechanism,)


@dataclass(frozen=True, slots=True)
class PatternDesign(ProvedDesign):
    """A design whose rows are multiples of patterns of 1 and gamma, of any number of answers."""

    def closed_form(self, problem: Problem) -> ClosedForm:
        """Return mechanism and value in symbols, where its patterns alone fix them."""
        return pattern_form(problem, self.mechanism)
