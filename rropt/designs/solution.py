"""Results of routes, and the solution: a mechanism, the bracket of the optimum, and the accepted certificate.

A solution can be written to JSON and read again without solving, because its certificate proves its fields.

The constraints of a solved design have names, slacks and multipliers (``Solution.duals``):

*Linear programs* (trace, loss): the rows have the names of ``writers.linear_writer``, with the multipliers of the
certificate.
``t[i]`` is the smallest entry of row i, and ``e[i,j,l]`` the excess of ``p[i,j]`` over ``gamma p[i,l]``.

*Binary variance*: the constraints are the inequalities of the region. The optimum is a vertex, and the gradient of
n Var there is a combination of the rows of the tight inequalities: ``grad = sum_i y_i (a_i, b_i)`` with ``y >= 0``. If
inequality i is relaxed by h, the optimum decreases by ``y_i h`` to first order. The multipliers do not prove
optimality, because n Var is not convex; the certificate does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import proof_of_record
from rropt.core.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.core.exact import Bounded, Bracket, both_texts, decimal_text
from rropt.core.exact.display import is_in_full
from rropt.core.exact.flint_numbers import flint_matrix
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, Table, html_lines, labelled, record_of, unverified_lines
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import size_text
from rropt.designs.decoded_designs import DecodedLoss, SquaredLoss
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.routes import OptimalSegment, RouteResult
from rropt.designs.way_table import ComparedRoutes, way_of
from rropt.designs.writers.binary import certified_levels
from rropt.mechanisms import Mechanism, MembershipMechanism, RestrictedResponse, RevealedBlocks
from rropt.mechanisms.displays import mechanism_html, mechanism_text
from rropt.objectives.traced_numbers import UncertifiedError
from rropt.privacy.entry_inequalities import value_of
from rropt.privacy.region import RationalLevel, RationalLevels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rropt.core.results.twins import Twin
    from rropt.designs.design_programs import DesignProgram
    from rropt.designs.report_costs import ReportCost
    from rropt.designs.writers.linear_writer import Name
    from rropt.plots.figures import Figure
    from rropt.reports.design_pages import PlannedSurvey
    from rropt.reports.document_writers import Document
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.enclosures import Enclosure
    from rropt.symbolic.posing import Posing
    from rropt.symbolic.program_bounds import ProgramBounds
    from rropt.symbolic.row_bounds import RowBounds

_UNCERTIFIED = "not certified: the checker does not know the objective{}; the bracket rests on floating-point numbers"
_HEADLINE = "mechanism (rows are outputs, columns are categories)"


@dataclass(frozen=True, slots=True)
class Solution(PosedTwice, Bounded):
    """A certified optimal design.

    Two solutions are equal if they have the same problem, bracket and certificate; the routes may differ.

    Attributes:
        lower, upper: bounds of the optimum; equal if the level is rational.
        problem: the solved problem.
        found: the certified result.
        routes: the result of each route, by name.
        certificate: the certificate, which the checker accepted before the solution was returned, or which has the
            reason of its ``failure``. None if the bound is computed without a certificate.
        unverified: for a solution read from a file, the keys that the certificate does not prove: ``routes``.
        skipped: the routes omitted because of their cost, with the reason; run them with ``solve(problem,
            routes="all")``.
        bound_certificate: None; a solution on both sides of a level has one (``BothSides``).
        is_certified: False if there is no certificate, if it failed, or if the checker does not support the objective;
            in the last case the bracket rests on floats, and the checker rejects the certificate.
        categories: the names of the categories, which the mechanism has; empty without names.
        value: the objective at the mechanism (n Var for a variance): ``upper`` when minimizing, else ``lower``.
    """

    lower: Fraction
    upper: Fraction
    problem: Problem
    found: RouteResult = field(compare=False)
    routes: Mapping[str, RouteResult] = field(compare=False)
    certificate: Certificate | None
    unverified: tuple[str, ...] = field(default=(), compare=False)
    skipped: Mapping[str, str] = field(default_factory=dict, compare=False)
    is_certified: bool = True
    categories: tuple[str, ...] = field(default=(), compare=False)
    value: Fraction = field(init=False, compare=False)
    bound_certificate: ClassVar[None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "routes", ReadOnlyMapping(self.routes))
        object.__setattr__(self, "skipped", ReadOnlyMapping(self.skipped))
        is_minimised = self.problem.objective.sense == "minimise"
        object.__setattr__(self, "value", self.upper if is_minimised else self.lower)

    @property
    def mechanism(self) -> Mechanism:
        """The optimal design, the first of ``optima``: rational, and exactly in the region."""
        made = self.found.designs[0]
        return made.labelled(self.categories) if self.categories else made

    def labelled(self, categories: Sequence[str]) -> Solution:
        """Return the solution with names of the categories, which certificates and comparisons ignore."""
        named = replace(self, categories=tuple(categories))
        if self.kept_twins is not None:
            object.__setattr__(named, "_twins", self.kept_twins)
        return named

    @property
    def proof(self) -> Certificate:
        """The certificate of a solution that has one.

        Raises:
            UnsupportedProblemError: the bound is computed without a certificate.
        """
        if self.certificate is None:
            raise UnsupportedProblemError(f"the bound is computed without a certificate: received {self.problem}")
        return self.certificate

    def bracketed(self) -> tuple[str, Bracket, Certificate | None]:
        """Return the name of the bounded quantity, its bounds, and the certificate."""
        return "optimum", self.bracket, self.certificate

    @property
    def optima(self) -> tuple[Mechanism, ...]:
        """For binary variance, all extreme optimal designs up to relabelling of outputs; otherwise the one found."""
        return self.found.designs

    @property
    def optimal_set(self) -> OptimalSegment | None:
        """The set of optimal designs if there are infinitely many, else ``None``."""
        return self.found.optimal_set

    @property
    def status(self) -> str:
        """``optimal``, ``bracket`` (not closed), ``not certified``, or what is known of a bound without certificate."""
        if self.certificate is None:
            return self.found.uncertified
        return "not certified" if not self.is_certified else "optimal" if self.is_closed else "bracket"

    @property
    def is_closed(self) -> bool:
        """Whether the design counts as optimal; otherwise the bracket bounds its distance from the optimum."""
        return self.found.is_closed

    @property
    def duals(self) -> tuple[Constraint, ...]:
        """The constraints by name: whether each is active at the mechanism, and its multiplier.

        Raises:
            UnsupportedProblemError: the design is neither a vertex nor the optimum of a linear program.

        >>> from rropt import solve
        >>> from rropt.designs import Problem
        >>> for one in solve(Problem.binary("1/4", epsilon="log(3)")).duals:
        ...     if one.active:
        ...         print(one)
        yes-ratio: active, multiplier 5/4 = 1.25
        no-ratio: active, multiplier 3/4 = 0.75
        """
        return constraints_of(self)

    @property
    def not_closed(self) -> tuple[str, ...]:
        """The routes whose own bracket is not closed; they do not confirm the result."""
        return tuple(name for name, result in self.routes.items() if not result.is_closed)

    def remarks(self) -> tuple[str, ...]:
        """Return the warnings about the mechanism: unused outputs, or a distribution that is not identified."""
        return mechanism_warnings(self.mechanism) if self.problem.objective.is_linear else ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``rropt design --json`` prints; exact numbers are strings."""
        names = ("problem", "value", "lower", "upper", "mechanism", "optima", "optimal_set")
        routes = {name: result.bracket for name, result in self.routes.items()}
        more: dict[str, Any] = {"skipped": self.skipped} if self.skipped else {}
        more |= {"not_closed": list(self.not_closed)} if self.not_closed else {}
        more |= {} if self.is_certified else {"status": self.status}
        told = {name: getattr(self, name) for name in names}
        told |= {"mechanism": self.found.designs[0], "routes": routes, **more, **self.found.extra_fields()}
        record = record_of(told) | {"certificate": None if self.certificate is None else self.certificate.to_dict()}
        return self.with_twins(record)

    @classmethod
    def from_routes(cls, problem: Problem, found: ComparedRoutes) -> Solution:
        """Return the solution of a problem whose routes were compared."""
        best, results, skipped, certificate, is_certified = found
        ends = best.lower, best.upper
        return cls(*ends, problem, best, results, certificate, skipped=skipped, is_certified=is_certified)

    @classmethod
    def from_proof(
        cls,
        problem: Problem,
        certificate: Certificate | None,
        routes: Mapping[str, Bracket] | None = None,
        skipped: Mapping[str, str] | None = None,
    ) -> Solution:
        """Return the solution that a certificate proves, without solving; used to read files.

        A bound without a certificate is computed again.

        Raises:
            FileFormatError: the certificate is missing, the checker rejects it, it belongs to another problem, or a
                route contradicts it.
        """
        way = None
        with suppress(UnsupportedProblemError):  # a row of a third party may not be registered here
            way = way_of(problem)
        if certificate is None:
            if way is None or way.has_certificate:
                raise FileFormatError(
                    f"the record of a solution has no certificate: received null for {shown(str(problem))}; use the "
                    "record as it was written"
                )
            found = way.solve(problem, ["fast"]).best
        else:
            found = recorded_design(problem, certificate) if way is None else way.read(problem, certificate)
            proof_of_record(certificate, certificate.problem, "solution")
        for name, ends in (routes or {}).items():
            if max(ends.lower, found.lower) > min(ends.upper, found.upper):
                raise FileFormatError(
                    f"the record of a solution has a route that contradicts its certificate: received {shown(name)} "
                    f"with {shown(str(ends.to_json()))}; use the record as it was written"
                )
        given = {name: RouteResult(*ends) for name, ends in (routes or {}).items()}
        unproved = ("routes",) * (routes is not None) + ("skipped",) * (skipped is not None)
        known = certificate is not None
        return cls(found.lower, found.upper, problem, found, given, certificate, unproved, skipped or {}, known)

    def asked_ends(self) -> dict[str, Fraction]:
        """Return value, lower and upper bound of the objective that was asked for, for tables of many solutions."""
        if isinstance(self.problem.objective, SquaredLoss):
            decoded = DecodedLoss.of(self)
            return {"value": decoded.loss, "lower": decoded.least, "upper": decoded.loss}
        return {"value": self.value, "lower": self.lower, "upper": self.upper}

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        gap = "exact" if not self.gap else f"gap {decimal_text(self.gap, 2)}"
        objective, k = self.problem.objective, self.problem.region.inputs
        return [
            ("problem", str(self.problem)),
            *(
                DecodedLoss.lines_of(self)
                if isinstance(objective, SquaredLoss)
                else [(objective.title, f"{both_texts(self.value)} ({gap})")]
            ),
            *self.found.lines(),
            *(self.report_cost().lines(objective.title, is_smaller=objective.sense != "minimise") if k > 2 else ()),
            ("routes that agree", ", ".join(name for name in self.routes if name not in self.not_closed) or "none"),
            *([("routes not closed", ", ".join(self.not_closed))] if self.not_closed else []),
            *((f"route {name} skipped", why) for name, why in self.skipped.items()),
            *([("certificate states", self.found.stated)] if self.found.stated else []),
            *self.twin_lines(),
            *([] if self.is_certified else [("status", self._uncertified())]),
            *unverified_lines(self),
        ]

    def _uncertified(self) -> str:
        """Return the status of a result without an accepted certificate, with the reason."""
        if self.certificate is None:
            return self.status
        if self.certificate.failure:
            return f"not certified: {self.certificate.failure}"
        objective = self.problem.objective
        try:
            if objective.has_statement:
                objective.stated(self.problem.population)
        except UncertifiedError as error:
            return _UNCERTIFIED.format(f", because {error}")
        return _UNCERTIFIED.format("")

    def report_cost(self) -> ReportCost:
        """Return what a report of the design costs, and what ``outputs="2^B"`` would lose.

        >>> import rropt
        >>> cost = rropt.design.kary(128, epsilon=1, objective="a-optimal", routes="exact").report_cost()
        >>> cost.family, cost.bits, cost.shorter.bits, f"{float(cost.shorter.loss):.3%}"
        ('a matrix with 2 orbits of rows', 106, 12, '0.041%')
        """
        from rropt.designs.report_costs import report_cost

        return report_cost(self.problem, self.mechanism, self.value)

    def as_tables(self) -> list[Table]:
        """Return what was found; in full, also by which routes, and what the certificate states."""
        return [("", None, found_lines(self.lines()))]

    def matrices(self) -> Mapping[str, Mechanism]:
        """Return the mechanism, under its heading."""
        return {_HEADLINE: self.mechanism}

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.lines())
        head = "\n".join(f"{what.ljust(width)}  {value}" for what, value in self.lines())
        matrix = mechanism_text(self.mechanism, _HEADLINE)
        return f"{head}\n{matrix}\n{self.verdict()}"

    def verdict(self) -> str:
        """Return what the checker says of the certificate, as the last line of the printed solution."""
        if self.certificate is None:
            return "no certificate"
        return f"certificate {self.certificate.check() if self.is_certified else 'not certified'}"

    def _repr_html_(self) -> str:
        return f"{html_lines(self.lines())}{mechanism_html(self.mechanism)}<p>{self.verdict()}</p>"

    def __repr__(self) -> str:
        shape = " x ".join(map(size_text, self.mechanism.shape))
        return f"<Solution value={decimal_text(self.value)} mechanism={shape} {self.problem.objective.kind}>"

    def cvxpy_twin(self) -> Twin:
        """Return the twin of a solution as a convex program; the design that CVXPY finds is judged by the definition.

        Raises:
            RouteDisagreementError: the value contradicts the bracket, or the design violates a condition, or its value
                by the definition is another one.
            UnsupportedProblemError: no convex program has this optimum, or the solver did not reach its accuracy.
        """
        from rropt.twins import cvxpy_twin

        return cvxpy_twin(self)

    def derivation(self) -> Derivation:
        """Return the proof of a solution, or of a problem, as half a page of text with ``markdown()`` and ``latex()``.

        It has the problem, the active set that CVXPY finds, the KKT solution in symbols, the value, the proof by weak
        duality, and where it holds. Designs without a closed form have rational bounds with their proof. Of other
        designs it says what the definition shows, and that the bound is that of the certificate.

        Raises:
            RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
        """
        from rropt.twins import derivation

        return derivation(self)

    def enclosure(self) -> Enclosure | RowBounds | ProgramBounds:
        """Return exact bounds of the optimum of a problem, or of that of a solution, which the engine has no part in.

        ``lower`` and ``upper`` are rational; ``design`` is a private mechanism that attains one of them, and prices
        prove the other one. ``check()`` proves both again.

        Raises:
            UnsupportedProblemError: the problem has no bounds of its own; the message says why.
        """
        from rropt.twins import enclosure_of

        return enclosure_of(self)

    def sympy_twin(self) -> Twin:
        """Return the twin of a solution in symbols: its design by the definition, and the form that SymPy derives.

        Raises:
            RouteDisagreementError: a value contradicts the certified bracket, or SymPy proves no vertex, or the bracket
                is wide although it does (alarms).
            UnsupportedProblemError: the problem cannot be posed in symbols.
        """
        from rropt.twins import solution_twin

        return solution_twin(self)

    def to_cvxpy(self) -> Any:
        """Return a design problem, or that of a solution, as a ``cvxpy.Problem`` whose value is that of the objective.

        Its variables are ``P`` (the mechanism) or ``weights`` (of listed rows), and its Parameters ``gamma`` and
        ``delta``. ``program.meanings`` says in words what each variable and Parameter is. ``program.rows`` is a
        Parameter whose value are the listed rows at the level of the program: row r of the mechanism is ``weights[r] *
        program.rows.value[r]``, and rows of weight 0 are no outputs. With two outputs the variables r and s are the
        probabilities of a false answer divided by ``p00 + p11 - 1``, and the Parameter t is the ratio of two factors of
        n Var (``estimator_variance``).

        Raises:
            UnsupportedProblemError: no convex program has this optimum; the message says why.
        """
        from rropt.convex.designs.problem import program_of

        return program_of(self)

    @clear_calls
    def to_sympy(self, outputs: int | None = None) -> Posing:
        """Return a design problem, or that of a solution, as SymPy expressions, with its closed form if there is one.

        Traces, losses, payoffs and sums over the outputs have the form of the optimal vertex, and designs of the Fisher
        information that of the KKT system (``information_twins``). For A- and c-optimality, contrasts, divergences and
        the mutual information at delta = 0, with two or three categories whose proportions are not all equal, the form
        is one in ``gamma`` and the proportions ``pi_0, pi_1, ...`` of all categories but the last, with its region. Of
        a problem on an ``EveryLevelRegion`` the optimum is returned as a ``Piecewise`` in ``gamma``. The arguments are
        those of ``rropt.symbolic.designs.problem.posing_of``.
        """
        from rropt.twins import posing_of

        return posing_of(self, outputs)

    def to_latex(self) -> str:
        """Return the design as a result for a paper, for the packages amsmath, amssymb, booktabs and graphicx.

        The text has a sentence that states the problem and the optimum, the closed form with its conditions and its
        source if there is one, the mechanism, a table of the other numbers, and as an appendix the derivation.
        """
        from rropt.symbolic.designs.solution_latex import to_latex

        return to_latex(self)

    @clear_calls
    def plot(self, *, size: str = "paper", ax: Any = None) -> Figure:
        """Draw a design: of a yes-or-no question the region with the optimum, otherwise the matrix of the mechanism.

        Args:
            size: ``"paper"``, ``"wide"`` or ``"screen"``.
            ax: axes of matplotlib that the picture is also drawn on.

        Raises:
            UnsupportedProblemError: the matrix is too large to be drawn.
        """
        from rropt.plots.draw_designs import plot_solution

        return plot_solution(self, size=size, ax=ax)

    @clear_calls
    def report(
        self,
        more: Iterable[tuple[str, str]] = (),
        *,
        survey: PlannedSurvey | None = None,
        bound: Certificate | None = None,
    ) -> Document:
        """Return the page about a certified design.

        The first part fits one sheet of A4: the question, the device, the posterior probabilities after a response,
        respondents and margin of error, and a list of five terms. The second part contains the exact numbers and, in
        HTML, the collapsed derivation (if the twins are there) and the collapsed certificates with the SHA-256 of their
        files.

        Args:
            more: further rows (label, value) of the exact numbers.
            survey: the question, the respondents and the date.
            bound: the certificate of the other bound of the optimum, if there is a second certificate.
        """
        from rropt.reports.design_pages import design_page

        return design_page(self, more, survey=survey, bound=bound)


_HOW = ("routes that agree", "certificate states")


def found_lines(lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the lines on what was found; in full, all lines, with those on how it was found."""
    return [line for line in lines if is_in_full() or line[0] not in _HOW]


@dataclass(frozen=True, slots=True)
class Constraint(Result):
    """A constraint of a design problem, with its slack at the returned mechanism and its multiplier.

    Attributes:
        name: the constraint; entries are written ``p[answer,truth]``, both counted from 0.
        multiplier: the change of the objective per unit of the right-hand side; exact at a rational level.
        slack: the slack of the constraint, >= 0; at an irrational level, computed at the rational level below it.
    """

    name: str
    multiplier: Fraction
    slack: Fraction

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        name="constraint", active="active", multiplier="multiplier", slack="slack"
    )

    @property
    def active(self) -> bool:
        """Whether the constraint is tight: its slack is 0, or its multiplier is not 0 (tight at the exact level)."""
        return not self.slack or bool(self.multiplier)

    def __str__(self) -> str:
        return f"{self.name}: {'active' if self.active else 'not active'}, multiplier {both_texts(self.multiplier)}"


def constraints_of(solution: Solution) -> tuple[Constraint, ...]:
    """Return all constraints of a solution, in the order of the certificate's rows or of the region's inequalities.

    Raises:
        UnsupportedProblemError: the design is neither the optimum of a linear program nor a vertex.
    """
    problem = solution.problem
    if problem.objective.is_of_prevalence and problem.region.outputs == 2:
        return tuple(_binary(problem, solution.mechanism, _levels(solution).below))
    dual = getattr(solution.found, "dual", None)
    if not problem.objective.is_linear or problem.region.form is None or dual is None:
        raise UnsupportedProblemError(
            f"the constraints have no multipliers by name: received {problem}; allowed are designs of least variance "
            "of a prevalence, trace and loss; the certificate has the whole proof"
        )
    return tuple(_linear(problem, solution.mechanism, dict(dual), _levels(solution)))


def _levels(solution: Solution) -> RationalLevels:
    """Return the rational levels at which the mechanism was computed: a single level is that of the certificate."""
    levels = solution.problem.region.bracket(FIRST_BRACKET_DIGITS)
    return certified_levels(solution.proof, "solution") if levels.is_single else levels


def _linear(
    problem: Problem, mechanism: Mechanism, dual: dict[Name, Fraction], levels: RationalLevels
) -> Iterator[Constraint]:
    from rropt.designs.design_programs import DesignProgram, first_pairs, write_program

    pairs = tuple(sorted(pair for part in levels.listed for pair in part.pairs)) or first_pairs(problem)
    design = DesignProgram.of(problem, levels, "below", pairs)
    written = write_program(design)
    point = _point(design, mechanism)
    for name, row in zip(written.names, written.program.rows, strict=True):
        value = sum((a * point[x] for a, x in zip(row.values, row.columns, strict=True)), Fraction(0)) - row.rhs
        slack = abs(value) if row.relation == "=" else value if row.relation == ">=" else -value
        yield Constraint(_text_of(name, row.rhs), dual.get(name, Fraction(0)), slack)


def _point(design: DesignProgram, mechanism: Mechanism) -> list[Fraction]:
    """Return the values of the program's variables at a mechanism: the entries, then t or e."""
    matrix = mechanism.matrix
    point = [p for row in matrix for p in row]
    if design.form == "parity":
        point += [min(row) for row in matrix]
    if design.form == "excess":
        point += [max(Fraction(0), row[j] - design.gamma * row[x]) for row in matrix for j, x in design.pairs]
    return point + [
        max(value_of(terms, matrix) for terms in part)
        for own in design.inequalities
        for part in own.parts
        if len(part) > 1
    ]


_TEXTS = {
    "sum": "column {} sums to 1",
    "lower": "p[{0},{1}] >= t[{0}]",
    "upper": "p[{0},{1}] <= gamma t[{0}]",
    "excess": "p[{0},{1}] <= gamma p[{0},{2}] + e[{0},{1},{2}]",
    "total": "sum of e[.,{},{}] <= delta",
    "pair": "p[{0},{1}] <= gamma[{1},{2}] p[{0},{2}]",
    "least": "p[{},{}] >= {rhs}",
    "most": "p[{},{}] <= {rhs}",
    "largest": "function {2} of part {1} of inequality {0} <= s[{0},{1}]",
    "inequality": "inequality {} <= {rhs}",
}


def _text_of(name: Name, rhs: Fraction) -> str:
    """Return the constraint of a row as a text in terms of the entries."""
    return _TEXTS[name[0]].format(*name[1:], rhs=rhs)


def _binary(problem: Problem, mechanism: Mechanism, level: RationalLevel) -> Iterator[Constraint]:
    region, p00, p11 = problem.region.one_level(), mechanism.p00, mechanism.p11
    found = [vertex for vertex in region.vertices(level) if (vertex.p00, vertex.p11) == (p00, p11)]
    inequalities: dict[str, Any] = region.inequalities(level)
    tight = found[0].tight if found else ()
    slopes = [inequalities[label][:2] for label in tight]
    if region.family == "warner":  # the direction p00 = p11
        slopes = [(a + b, Fraction(0)) for a, b in slopes]
    values = _nonnegative_combination(_gradient(problem, p00, p11), slopes)
    multipliers = dict(zip(tight, values, strict=True))
    for label, (a, b, c) in inequalities.items():
        yield Constraint(label, multipliers.get(label, Fraction(0)), a * p00 + b * p11 + c)


def _gradient(problem: Problem, p00: Fraction, p11: Fraction) -> tuple[Fraction, Fraction]:
    """Return the gradient of ``n Var = l (1 - l)/d^2`` in (p00, p11); for Warner's family, the slope of p00 = p11."""
    pi, d = problem.prevalence, p00 + p11 - 1
    share = (1 - pi) * (1 - p00) + pi * p11
    own, common = (1 - 2 * share) / d**2, -2 * share * (1 - share) / d**3
    one, other = common - (1 - pi) * own, common + pi * own
    return (one + other, Fraction(0)) if problem.region.family == "warner" else (one, other)


def _nonnegative_combination(
    target: tuple[Fraction, Fraction], rows: Sequence[tuple[Fraction, Fraction]]
) -> list[Fraction]:
    """Return y >= 0 with ``sum y_i (a_i, b_i) = target`` and at most two nonzero entries; zeros if there is none."""
    u, v = target
    found: dict[int, Fraction] = {}
    for i, (a, b) in enumerate(rows):
        if a * v == b * u and a * u + b * v > 0:
            found = {i: (a * u + b * v) / (a * a + b * b)}
    for (i, (a, b)), (j, (c, d)) in combinations(enumerate(rows), 2):
        determinant = a * d - b * c
        if not found and determinant:
            y = {i: (u * d - v * c) / determinant, j: (a * v - b * u) / determinant}
            found = y if min(y.values()) >= 0 else {}
    return [found.get(i, Fraction(0)) for i in range(len(rows))]


MOST_RANKED = 20_000  # maximal number of entries of a mechanism whose rank is computed (a second or two)


def mechanism_warnings(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the warnings about a mechanism: outputs that never occur, and inputs that it does not distinguish.

    >>> mechanism_warnings(Mechanism([[1, 1, 0], [0, 0, 1], [0, 0, 0]]))[0]
    'response 2 is never given: leave it out of those that are offered to respondents'
    """
    if isinstance(mechanism, (MembershipMechanism, RevealedBlocks)):
        return ()
    if isinstance(mechanism, RestrictedResponse):
        return _warning_texts(mechanism.never_given(), not mechanism.identifies)
    never = [i for i in range(mechanism.outputs) if not any(mechanism.row(i))]
    m, k = mechanism.shape
    confused = m - len(never) < k or (m * k <= MOST_RANKED and flint_matrix(mechanism.matrix).rank() < k)
    return _warning_texts(never, confused)


def _warning_texts(never: Sequence[int], confused: bool) -> tuple[str, ...]:
    found = []
    if never:
        more = f" and {len(never) - 12} more" if len(never) > 12 else ""
        listed = ", ".join(map(str, never[:12]))
        which = f"response {listed} is" if len(never) == 1 else f"responses {listed}{more} are"
        pronoun = "it" if len(never) == 1 else "them"
        found.append(f"{which} never given: leave {pronoun} out of those that are offered to respondents")
    if confused:
        found.append(
            "the mechanism does not identify the distribution of the categories: the columns of its matrix are "
            "linearly dependent, so "
            "different distributions of the categories give the same distribution of outputs, and no unbiased estimate "
            "of all proportions exists; for estimates use the objective a-optimal"
        )
    return tuple(found)
