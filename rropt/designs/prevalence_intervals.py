"""The minimax value and the minimax regret of a binary design over an interval of prevalences, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket, both_texts
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.exact.reals import Quotient
from rropt.core.results import Table, field_annotations, record_of, written
from rropt.core.results.result_frames import row_with
from rropt.core.results.sequences import SequenceOf
from rropt.core.results.twins import PosedTwice
from rropt.designs.drawable_designs import LEAST_BITS, MOST_BITS, WORD_BITS, levels_around, word_bits
from rropt.designs.problem import Problem
from rropt.designs.robust_designs import (
    HEDGE,
    Ends,
    IntervalDesign,
    IntervalOptimum,
    Point,
    PrevalenceInterval,
    best_values,
    hedge,
    regret,
    vertices,
    worst_case,
)
from rropt.designs.routes import OptimalSegment
from rropt.designs.two_inputs import BRACKET_GAP, optimal_set_at
from rropt.designs.writers.binary import certify_binary_bracket
from rropt.mechanisms import Mechanism
from rropt.objectives import EstimatorVariance
from rropt.privacy import PrivacyRegion, RationalLevels

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

__all__ = ["IntervalDesign", "IntervalOptimum", "IntervalSolution", "PrevalenceInterval", "solve_over_interval"]

GOALS = ("variance", "regret")
"""The goals of the two certificates: of the minimax value, and of the minimax regret."""


@dataclass(frozen=True, slots=True)
class IntervalSolution(PosedTwice, SequenceOf):
    """The designs of a binary privacy region, compared over an interval of prevalences.

    Attributes:
        region: the privacy region.
        interval: the interval of prevalences.
        candidates: the vertices of the region with p00 + p11 > 1, in ascending order of (p00, p11). At every prevalence
            one of them is optimal.
        hedge: the design whose regret is the same at both endpoints, if it is not one of the candidates; else ``None``.
        minimax: the minimax value over the whole region; its designs are candidates.
        minimax_regret: the minimax regret over the whole region; its designs are candidates or the hedge.
        minimax_regret_candidate: the minimax regret among the candidates.
        optimal_set: all designs of variance 0, if the interval is the single prevalence 0 or 1 and delta > 0.
    """

    region: PrivacyRegion
    interval: PrevalenceInterval
    candidates: tuple[IntervalDesign, ...]
    hedge: IntervalDesign | None
    minimax: IntervalOptimum
    minimax_regret: IntervalOptimum
    minimax_regret_candidate: IntervalOptimum
    optimal_set: OptimalSegment | None
    bound_certificate: ClassVar[None] = None

    ITEMS = "designs"
    ANSWER = ("interval", "minimax", "minimax_regret")

    @classmethod
    def recompute(cls, region: PrivacyRegion, interval: PrevalenceInterval) -> IntervalSolution:
        """Solve again; used to read files."""
        return solve_over_interval(region, interval, fast=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt design binary --json``: the minimax-regret design and the comparison."""
        chosen, certificate = self.minimax_regret.design, self.minimax_regret.certificate
        values = {
            "value": chosen.worst_case,
            "value_of": "largest n Var of the mechanism over the interval",
            "lower": self.minimax.lower,
            "upper": chosen.worst_case,
            "mechanism": chosen.mechanism,
            "worst_case": chosen.worst_case,
            "regret": chosen.regret,
            "optima": tuple(design.mechanism for design in self.minimax_regret.designs),
            "routes": {"closed-form": chosen.regret},
        }
        parts = {name: _said(getattr(self, name)) for name in field_annotations(IntervalSolution)}
        return self.with_twins(record_of(values) | {"certificate": certificate and certificate.to_dict()} | parts)

    @property
    def designs(self) -> tuple[IntervalDesign, ...]:
        """The candidates and, if there is one, the hedge."""
        return (*self.candidates, *([self.hedge] if self.hedge else []))

    def _best(self) -> tuple[tuple[str, IntervalOptimum], ...]:
        return ("minimax value", self.minimax), ("minimax regret", self.minimax_regret)

    @property
    def mechanism(self) -> Mechanism:
        """The minimax-regret design."""
        return self.minimax_regret.design.mechanism

    @property
    def certificate(self) -> Certificate:
        """The certificate of the minimax regret."""
        return self.minimax_regret.proof()

    def bracketed(self) -> tuple[str, Bracket, Certificate]:
        """Return the name of the bounded quantity, its bounds, and the certificate."""
        return "minimax value", self.minimax.bracket, self.minimax.proof()

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each design: probabilities, worst n Var and regret with the prevalences that have them."""
        return [
            row_with(
                design=one.name,
                p00=one.mechanism.matrix[0][0],
                p11=one.mechanism.matrix[1][1],
                worst_n_var=one.worst_case,
                worst_at=one.worst_at,
                regret_low=one.regret.lower,
                regret_high=one.regret.upper,
                regret_at=one.regret_at,
            )
            for one in self.designs
        ]

    def as_tables(self) -> list[Table]:
        """Return a table of the designs with their worst case and regret, and a table of the best designs."""
        header = ("design", "p00, p11", "worst n Var, at", "regret, at")
        best = {d: [what for what, optimum in self._best() if d in optimum.designs] for d in self.designs}
        rows = [("\n".join([design.name, *names]), *design.cells()) for design, names in best.items()]
        lines = [
            *self._best_lines(),
            *self.twin_lines(),
            ("regret", f"of each prevalence against the best design of it in {self.region}"),
        ]
        return [
            (f"Binary designs for a prevalence in {self.interval}", header, rows),
            ("The best of them", None, lines),
        ]

    def matrices(self) -> Mapping[str, Mechanism]:
        """Return the minimax-regret design, under its heading."""
        name = self.minimax_regret.design.name
        return {f"minimax regret: {name} (rows are outputs, columns are categories)": self.mechanism}

    def lines(self) -> list[tuple[str, str]]:
        """Return the designs and the best of them, as label and value."""
        designs = (("design", str(design)) for design in self.designs)
        return [
            ("problem", f"prevalence {self.interval}, {self.region}"),
            *designs,
            *self._best_lines(),
            *self.twin_lines(),
        ]

    def _best_lines(self) -> list[tuple[str, str]]:
        return [(what, f"{optimum.design.name}, {both_texts(optimum.upper)}") for what, optimum in self._best()]

    def to_sympy(self) -> Posing:
        """Return the minimax problem over (r, s), with the value at the optimal vertex as its form."""
        from rropt.symbolic.designs.prevalence_intervals import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return the minimax value by the form, and check the worst case and regret of the designs.

        Raises:
            RouteDisagreementError: a value is outside its proved bounds.
        """
        from rropt.symbolic.designs.prevalence_intervals import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the second-order cone program of the minimax value.

        Raises:
            UnsupportedProblemError: delta > 0, where no convex program is known.
        """
        from rropt.convex.designs.prevalence_intervals import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the minimax value and the minimax regret, compared with their proved bounds."""
        from rropt.convex.designs.prevalence_intervals import cvxpy_twin

        return cvxpy_twin(self)


def _said(part: Any) -> Any:
    """Convert a part of the solution to JSON; exact numbers become strings."""
    return [_said(one) for one in part] if isinstance(part, tuple) else part and written(part)[0]


def solve_over_interval(region: PrivacyRegion, interval: object, *, fast: bool = False) -> IntervalSolution:
    """Return the worst case and regret of each candidate, the minimax design and the minimax-regret design.

    Let ``V(pi)`` be n Var of a design, and ``V*(pi)`` the minimum at pi over the region. The worst case is ``max V``,
    and the regret is ``max (V - V*)``, both over the interval. Both are minimized over *all* designs of the region. The
    minimax design is a vertex of the region. The minimax-regret design is a vertex or one further point, the hedge.
    ``robust_designs`` contains the proofs.

    At a rational level every number is exact. At an irrational level, the designs are private at a rational level just
    below. Both optima have an accepted certificate (checker/binary_bracket.md). The bracket of each regret and of each
    optimum is narrower than 1e-13 times min(1, minimax value). Ties are decided at the exact level.

    Args:
        region: a binary region, with epsilon > 0 or delta > 0.
        interval: the prevalences: ``"LOW..HIGH"``, a pair, or a ``PrevalenceInterval``.
        fast: whether to leave out the twins: the comparison with SymPy and CVXPY (``solution.twins``).

    Raises:
        InvalidParameterError: the value is not an interval in [0, 1].
        InfeasibleError: epsilon = delta = 0.
        UnsupportedProblemError: the region is not binary.

    Source: Holohan, Leith and Mason (2016), (6) and (12), for V and the region; the rest is proved here.

    >>> solution = solve_over_interval(PrivacyRegion("log(2)", "1/2"), "0..3/4")
    >>> best = solution.minimax_regret
    >>> print(best.design.name, best.upper, float(best.upper), solution.minimax_regret_candidate.upper)
    hedge 1/4 0.25 5/16
    >>> print(solution.minimax.design.name, solution.minimax.upper, float(solution.minimax.upper))
    diagonal 9/16 0.5625
    """
    span = PrevalenceInterval.of(interval)
    if not (region.inputs, region.outputs) == (2, 2):
        raise UnsupportedProblemError(
            f"a prevalence is defined for two categories: received {region.inputs} inputs and "
            f"{region.outputs or 'any number of'} outputs; allowed are 2 and 2"
        )
    Problem(region, EstimatorVariance(), (1 - span.low, span.low))  # rejects epsilon = delta = 0
    choice = _choice(region, span)
    digits, bits = FIRST_BRACKET_DIGITS, WORD_BITS
    while True:
        levels = levels_around(region, digits, bits) or region.bracket(digits)
        solution = _solution(region, span, choice, levels)
        best = (solution.minimax, solution.minimax_regret)
        beyond = max(word_bits(one.mechanism) for optimum in best for one in optimum.designs) - MOST_BITS
        if bits and beyond > 0:
            bits = bits - beyond if bits - beyond >= LEAST_BITS else 0
            continue
        widest = max(optimum.widest for optimum in best)
        if widest <= BRACKET_GAP * min(Fraction(1), solution.minimax.upper) or digits >= MAX_BRACKET_DIGITS:
            certified = _certified(solution, levels)
            return certified if fast else certified.compared_twice()
        digits, bits = (digits, 0) if bits else (2 * digits, 0)


def _certified(solution: IntervalSolution, levels: RationalLevels) -> IntervalSolution:
    """Return the solution with an accepted certificate for each of its two optima."""
    region, interval = solution.region, (solution.interval.low, solution.interval.high)

    def proved(goal: str, optimum: IntervalOptimum) -> IntervalOptimum:
        first = (optimum.design.mechanism,)
        certificate = Certificate.attempt(
            lambda: certify_binary_bracket(region, interval, levels, optimum.bracket, first, goal=goal)
        )
        return replace(optimum, certificate=certificate)

    minimax, minimax_regret = (
        proved(goal, optimum) for goal, optimum in zip(GOALS, (solution.minimax, solution.minimax_regret), strict=True)
    )
    return replace(solution, minimax=minimax, minimax_regret=minimax_regret)


class _Choice(NamedTuple):
    """The decisions at the exact level: the distinct points, the endpoint of each regret, and the best designs."""

    regret_at: dict[str, Fraction]
    minimax: list[str]
    minimax_regret: list[str]
    minimax_regret_candidate: list[str]


def _choice(region: PrivacyRegion, span: PrevalenceInterval) -> _Choice:
    gamma, delta = region.epsilon.gamma, region.delta.rational
    level: tuple[Any, Any] = (gamma, delta)
    if gamma is None or delta is None:
        level = Quotient(region.epsilon.exact_gamma()), Quotient(region.delta.exact())
    points = _candidates(region, level)
    ends = best_values(points, span)
    worst = {name: worst_case(point, span)[0] for name, point in points.items()}
    candidates = {name: regret(point, ends) for name, point in points.items()}
    regrets = candidates | {
        name: regret(point, ends) for name, point in _hedge(region, level, ends).items() if point not in points.values()
    }
    return _Choice(
        regret_at={name: at for name, (_, at) in regrets.items()},
        minimax=_least(worst),
        minimax_regret=_least({name: value for name, (value, _) in regrets.items()}),
        minimax_regret_candidate=_least({name: value for name, (value, _) in candidates.items()}),
    )


def _least(values: dict[str, Any]) -> list[str]:
    """Return the names with the smallest value, including ties."""
    least = min(values.values())
    return [name for name, value in values.items() if value == least]


def _candidates(region: PrivacyRegion, level: tuple[Any, Any]) -> dict[str, Point]:
    return vertices(*level, warner=region.family == "warner")


def _hedge(region: PrivacyRegion, level: tuple[Any, Any], ends: Ends) -> dict[str, Point]:
    """Return the hedge by its name; empty for Warner's family and for a single prevalence."""
    (low, _), (high, _) = ends
    return {} if region.family == "warner" or low == high else {HEDGE: hedge(*level, ends)}


def _solution(
    region: PrivacyRegion, span: PrevalenceInterval, choice: _Choice, levels: RationalLevels
) -> IntervalSolution:
    """Return the designs, private at the level below, with bounds proved from both rational levels.

    Regions grow with the level, so the optimum V* at the true level lies between its values at the two levels. Hence a
    design's regret lies between its regrets against V* at the level below and V* at the level above. No design of the
    region has a smaller regret than the best design at the level above, measured against V* at the level below.
    """
    below, above = ((level.gamma, level.delta) for level in (levels.below, levels.above))
    points, larger = _candidates(region, below), _candidates(region, above)
    best = best_values(points, span), best_values(larger, span)
    points |= _hedge(region, below, best[0])
    designs = {name: _design(name, points[name], span, best, at) for name, at in choice.regret_at.items()}
    candidates = sorted((design for name, design in designs.items() if name != HEDGE), key=_order)
    least, least_hedged = (
        min(regret(point, best[0])[0] for point in some.values())
        for some in (larger, larger | _hedge(region, above, best[0]))
    )

    def optimum(names: list[str], lower: Fraction, *, worst: bool = False) -> IntervalOptimum:
        tied = sorted((designs[name] for name in names), key=_order)
        upper = tied[0].worst_case if worst else tied[0].regret.upper
        return IntervalOptimum(max(lower, Fraction(0)), upper, tuple(tied))

    is_point = span.low == span.high and region.family != "warner"
    return IntervalSolution(
        region=region,
        interval=span,
        candidates=tuple(candidates),
        hedge=designs.get(HEDGE),
        minimax=optimum(choice.minimax, min(worst_case(point, span)[0] for point in larger.values()), worst=True),
        minimax_regret=optimum(choice.minimax_regret, least_hedged),
        minimax_regret_candidate=optimum(choice.minimax_regret_candidate, least),
        optimal_set=optimal_set_at(span.low, levels.below.delta) if is_point else None,
    )


def _design(
    name: str, point: Point, span: PrevalenceInterval, ends: tuple[Ends, Ends], regret_at: Fraction
) -> IntervalDesign:
    r, s = point
    worst, worst_at = worst_case(point, span)
    return IntervalDesign(
        name=name,
        mechanism=Mechanism.binary((1 + s) / (1 + r + s), (1 + r) / (1 + r + s)),
        worst_case=worst,
        worst_at=worst_at,
        regret=Bracket(*(regret(point, best)[0] for best in ends)),
        regret_at=regret_at,
    )


def _order(design: IntervalDesign) -> tuple[Fraction, Fraction]:
    return design.mechanism.p00, design.mechanism.p11
