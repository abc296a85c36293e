"""``ClosedLevels``: optima at every level that a theorem gives in closed form, for any number of categories.

*Weighted trace, weights w_1 >= w_2 >= ... >= 0* (``weighted_trace``; Chai and Nayak 2018, Theorem 4.4, for equal
weights). If the m categories of largest weight are the outputs, the value is ``gamma W_m/(gamma + m - 1)``, W_m the sum
of their weights. One more category is better iff ``w_(m+1) (gamma + m - 1) > W_m``, so from ``gamma = W_m/w_(m+1) - m +
1`` on. These ends ascend. The 0/1 loss is 1 minus the trace whose weights are the proportions. With delta > 0 the truth
is revealed with probability delta in addition: ``delta W + (1 - delta) gamma W_m/(gamma + m - 1)``, W the sum of all
weights, with the same ends (``weighted_trace``).

*A-, D- and E-optimality at k equal proportions* (subset selection). The information of the size d has the eigenvalue
``mu_d = k d (k - d) (gamma - 1)^2/((k - 1) (d gamma + k - d)^2)`` on contrasts. The size falls from d to d - 1 where
``mu_d = mu_(d-1)``, at ``gamma^2 = (k - d)(k - d + 1)/(d (d - 1))``. With delta > 0 the eigenvalue is
``(1 - delta) mu_d + delta k``, so that the sizes and the ends are the same (the formula way of the checker).

*Binary designs* (Holohan, Leith and Mason 2016, Theorems 2 to 4). Let pi <= 1/2, and u = gamma - 1. The corner
``p00 = 1, p11 = delta`` is best iff ``pi (u + 2 delta)^2 <= delta (u + 1 + delta)``, that is

    -pi u^2 + delta (1 - 4 pi) u + delta (1 + delta (1 - 4 pi)) >= 0.

This is nonnegative at u = 0 and concave, so there is one breakpoint at most; beyond it the diagonal point is best. For
pi > 1/2 exchange the two truths.

*Losses with interval sublevel sets*, 31 to 300 categories: sets of answers, by shortest paths (``shortest_paths``). Up
to 30 categories ``EveryLevel`` has a certificate instead.

All but the last kind have a certificate of the statement ``every-level-closed`` (``closed_certificates``): the pieces
of a result are those that the checker has accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import comb, log
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import proof_of_record
from rropt.core.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, as_text, rational
from rropt.core.results import Table, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import visible
from rropt.designs.asked_problems import MOST_SHARES
from rropt.designs.parametric.closed_certificates import (
    WHAT,
    StatedPiece,
    certify_closed,
    stated_pieces,
    stated_problem,
)
from rropt.designs.parametric.level_formulas import (
    MOST_CATEGORIES,
    Formula,
    LevelFormula,
    LevelNumber,
    Place,
    certified_ends,
    ends_by,
    epsilon_text,
    is_at_most,
    is_before,
    level_interval_text,
    point_of,
    proved_text,
    require_inside,
    runs_text,
)
from rropt.designs.parametric.quadratic_formulas import (
    LogInformation,
    QuadraticQuotient,
    at_point,
    combined,
    root_of,
    roots_of,
    times,
    triple,
)
from rropt.designs.parametric.shortest_paths import best_sets, has_interval_sublevels
from rropt.designs.problem import Problem
from rropt.designs.weighted_trace import trace_of_costs, trace_rows
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.plots.figures import Figure

_MOST_PIECES = 5000  # of a certificate; of subsets each size has a piece: up to 10 000 categories
_MOST_WRITTEN = 10  # categories up to which subset selection is written as a matrix: 252 outputs
_LOG_DIGITS = 40  # of a level at which a log determinant is reached
_TRACE = "weighted trace (proof: formula_way.md of the checker); Chai and Nayak (2018), Theorem 4.4, for equal weights"
_SUBSETS = "subset selection at equal proportions (proof: formula_way.md of the checker; value: Ye and Barg 2018)"
_PATHS = "rropt.interval-losses of the registry (argued): each category gives its best answer of a set"
_BINARY = "Holohan, Leith and Mason (2016), Theorems 2 to 4"


@dataclass(frozen=True, slots=True)
class ClosedPiece:
    """An interval of levels with one closed form.

    Attributes:
        start, end: the first and the last gamma, exact; ``end`` is None for infinity.
        value: the optimum as a formula in gamma.
        size: the number of outputs that are used (trace, sets of answers, 2 for binary designs), or the size of the
            subsets.
        design: the design in words.
        formula: the optimum as a function of gamma.
        place: the end as ``(p, q, D)``, for ``p + q sqrt(D)``; None at the end of the whole interval.
        is_corner: whether a binary design is a corner of the region: one truth has one answer.
        answers: the outputs that are used by a loss with interval sublevel sets; else empty.
    """

    start: Any
    end: Any
    size: int
    design: str
    formula: Any
    place: Place | None
    is_corner: bool = False
    answers: tuple[int, ...] = ()

    @property
    def value(self) -> str:
        """The formula as text."""
        return str(self.formula)

    @property
    def where(self) -> str:
        """The interval as text."""
        return level_interval_text(self.start, self.end)

    def to_dict(self) -> dict[str, Any]:
        """Return the piece for JSON."""
        end = "inf" if self.end is None else str(self.end)
        return {"from": str(self.start), "to": end, "value": self.value, "size": self.size, "design": self.design}


@dataclass(frozen=True, slots=True)
class ClosedDesign:
    """An optimal design at one level, taken from closed forms.

    Attributes:
        epsilon: the level.
        value: the optimum: a rational number if gamma is rational, else the exact expression in exp(epsilon); for
            D-optimality bounds of it at a rational gamma.
        piece: the piece that holds the level.
    """

    epsilon: Epsilon
    value: Fraction | Bracket | LevelNumber
    piece: ClosedPiece
    problem: Problem

    @property
    def mechanism(self) -> Mechanism:
        """The optimal mechanism at a rational gamma; at an irrational one, the same design at a gamma just below it.

        Raises:
            UnsupportedProblemError: its matrix is too large.
        """
        return _mechanism(self.problem, self.piece, self.epsilon.gamma_bracket(20).lower)

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class ClosedLevels(PosedTwice, SequenceOf):
    """The optimum at every level of an interval by a theorem.

    Attributes:
        problem: the problem, on an ``EveryLevelRegion``.
        certificate: the certificate of the statement ``every-level-closed``, accepted by the checker; None for losses
            with interval sublevel sets.
        pieces: the pieces, in order of the level.

    >>> from rropt.designs import Problem, every_level_of
    >>> from rropt.privacy import span
    >>> found = every_level_of(Problem.kary(5, level=span(), objective="a-optimal"))
    >>> for piece in found.pieces:
    ...     print(piece.where, piece.value, piece.design)
    gamma <= sqrt(6) 8*(2*gamma + 3)^2/(15*(gamma - 1)^2) subset selection with 2 of 5 categories
    gamma >= sqrt(6) 4*(gamma + 4)^2/(5*(gamma - 1)^2) subset selection with 1 of 5 categories
    >>> print(found.at("log(2)"), found.at(1), found.level_for(5))
    392/15 4*(exp(1) + 4)^2/(5*(exp(1) - 1)^2) 13/3
    """

    problem: Problem
    certificate: Certificate | None
    pieces: tuple[ClosedPiece, ...] = field(init=False, compare=False)

    ITEMS = "pieces"
    ANSWER = ("value=_values",)
    LABELS = labelled(theorem="theorem")

    def __post_init__(self) -> None:
        proved = self.certificate
        pieces = _of_paths(self.problem) if proved is None else _certified(self.problem, proved)
        object.__setattr__(self, "pieces", tuple(_clipped(self.problem, pieces)))

    @property
    def _values(self) -> dict[str, str]:
        return {piece.where: piece.value for piece in self.pieces}

    @property
    def region(self) -> Any:
        """The levels."""
        return self.problem.region

    @property
    def theorem(self) -> str:
        """The theorem that gives the formulas."""
        objective = self.problem.objective
        if objective.is_linear:
            return _TRACE if _runs(self.problem) is not None else _PATHS
        return _BINARY if objective.is_of_prevalence else _SUBSETS

    @property
    def breakpoints(self) -> tuple[Any, ...]:
        """The gammas at which another design becomes optimal."""
        return tuple(piece.end for piece in self.pieces[:-1])

    def piece_at(self, epsilon: object) -> ClosedPiece:
        """Return the piece that holds a level.

        Raises:
            InvalidParameterError: the level is outside of the interval.
        """
        level = require_inside(self.region, epsilon)
        return next(piece for piece in self.pieces if is_at_most(level, piece.place))

    def at(self, epsilon: object) -> ClosedDesign:
        """Return the optimal design at a level of the interval.

        Args:
            epsilon: the level in nats, in any form of ``Epsilon.of``.

        Raises:
            InvalidParameterError: the level is outside of the interval, or the value is infinite there.
        """
        level, piece = Epsilon.of(epsilon), self.piece_at(epsilon)
        return ClosedDesign(level, piece.formula.at(level), piece, self.problem)

    def level_for(self, value: object) -> Any:
        """Return the least gamma of the interval whose optimum is at least as good as a value.

        The answer is exact, ``p + q sqrt(D)``, unless it is an irrational first level; for D-optimality it is a
        ``Bracket`` of that gamma. None if no level of the interval reaches the value.

        Args:
            value: the value, a rational number.
        """
        wanted = rational(value, name="value")
        if self.problem.objective.has_logarithms:
            return self._level_of_determinant(wanted)
        return self._level_of(lambda formula: formula.beyond(wanted))

    def _level_of(self, beyond: Any) -> Any:
        """Return the least gamma at which the quadratic of its piece is not worse than 0."""
        sign = 1 if self.problem.objective.sense == "minimise" else -1
        low, high = self.region.low, self.region.high
        first = low.exact_gamma() if low.gamma is None else low.gamma
        for number, piece in enumerate(self.pieces):
            quadratic = combined(triple(), beyond(piece.formula), Fraction(sign))
            if not number and at_point(quadratic, first) <= 0:
                return first
            for root in roots_of(quadratic):
                from_start = is_at_most(low, root) if not number else not is_before(root, self.pieces[number - 1].place)
                if not from_start or is_before(piece.place, root):
                    continue
                if piece.place is None and not high.is_infinite and at_point(quadratic, high.exact_gamma()) > 0:
                    continue
                return point_of(root)
        return None

    def _level_of_determinant(self, wanted: Fraction) -> Any:
        """Return bounds of the least gamma with ``log(k) + (k - 1) log(mu) >= wanted``."""
        from rropt.core.exact.rational_bounds import ball, decimal_bracket

        k = self.region.inputs
        if wanted > k * log(k) + 1:  # direct answers have log det = k log k; 1 is far above what a float loses
            return None

        def eigenvalue(_: int) -> Any:
            return ((ball(wanted) - ball(Fraction(k)).log()) / (k - 1)).exp()

        ends = decimal_bracket(eigenvalue, _LOG_DIGITS)
        found = [self._level_of(lambda formula, mu=mu: formula.information.beyond(mu)) for mu in ends]
        if found[1] is None:
            return None
        low, high = (
            Bracket.of(point) if isinstance(point, Fraction) else point.bracket(_LOG_DIGITS) for point in found
        )
        return Bracket(low.lower, high.upper)

    @classmethod
    def from_proof(cls, problem: Problem, certificate: Certificate | None) -> ClosedLevels:
        """Return the result that a certificate proves; one without a certificate is computed again.

        Raises:
            FileFormatError: the certificate is missing, the checker rejects it, or it belongs to another problem.
        """
        if not is_closed(problem):
            raise FileFormatError("the record of closed forms is of another problem; solve the problem again")
        if (certificate is None) != _is_of_paths(problem):
            raise FileFormatError(
                f"the record of a {WHAT} has {'no' if certificate is None else 'a'} certificate, unlike such a result: "
                f"received {shown(str(problem))}; use the record as it was written"
            )
        if certificate is not None:
            proof_of_record(certificate, _stated_problem(problem), WHAT)
        return cls(problem, certificate)

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: exact numbers and formulas are strings."""
        pieces = [piece.to_dict() for piece in self.pieces]
        proof = None if self.certificate is None else self.certificate.to_dict()
        record = {"problem": self.problem.to_dict(), "pieces": pieces, "theorem": self.theorem, "certificate": proof}
        return self.with_twins(record)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each piece: its ends as floats, its formula, and the design."""
        return [
            {
                "from_gamma": float(piece.start),
                "to_gamma": None if piece.end is None else float(piece.end),
                "formula": piece.value,
                "design": piece.design,
            }
            for piece in self.pieces
        ]

    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each piece."""
        pieces = [(piece.where, f"{piece.value}: {piece.design}") for piece in self.pieces]
        verdict = "none" if self.certificate is None else str(self.certificate.check())
        facts = [("theorem", self.theorem), *self.twin_lines(), ("certificate", verdict)]
        return [("problem", str(self.problem)), *pieces, *facts]

    def as_tables(self) -> list[Table]:
        """Return the pieces as a table."""
        rows = [(piece.where, piece.value, piece.design) for piece in self.pieces]
        return [
            ("", ("gamma", "value", "design"), rows),
            ("", None, self.lines()[:1] + self.lines()[len(self.pieces) + 1 :]),
        ]

    def summary(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return the pieces as text, as the command prints them."""
        return str(self)

    def __str__(self) -> str:
        text = ["Optimal design for every level", f"  {self.problem}"]
        for piece in self.pieces:
            told = "" if piece.end is None else f"   (epsilon <= {epsilon_text(piece.end)})"
            text += [f"  {piece.where}{told}", f"    value   {piece.value}", f"    design  {piece.design}"]
        if self.certificate is None:
            text.append(f"  by a theorem, without a certificate: {self.theorem}")
        else:
            verdict = self.certificate.check()
            proved = f"accepted: proved for {proved_text(self.region)}" if verdict else str(verdict)
            text += [f"  certificate {proved}", f"  theorem: {self.theorem}"]
        if self.kept_twins is not None:
            text.append(f"posed twice: {self.kept_twins.line()}")
        return "\n".join(visible(line) for line in text)

    def cvxpy_twin(self) -> Twin:
        """Return the twin of closed forms of every level: the optimum at levels around the breakpoints.

        Raises:
            RouteDisagreementError: a value is not on the curve.
            UnsupportedProblemError: there are too many categories.
        """
        from rropt.result_twins import closed_levels_in_cvxpy

        return closed_levels_in_cvxpy(self)

    def sympy_twin(self) -> Twin:
        """Return the twin of closed forms of every level: the formula of each piece, derived at levels inside it.

        Raises:
            RouteDisagreementError: SymPy derives another formula.
            UnsupportedProblemError: there are too many categories.
        """
        from rropt.result_twins import closed_levels_twin

        return closed_levels_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the program at a level inside the first piece; ``gamma`` is a Parameter."""
        from rropt.result_twins import closed_levels_program

        return closed_levels_program(self)

    def to_sympy(self) -> Any:
        """Return the optimum as a ``Piecewise`` in ``gamma``; a plain expression if there is one formula."""
        from rropt.symbolic.designs.parametric.every_level import to_sympy

        return to_sympy(self)

    def to_latex(self) -> str:
        """Return the ``Piecewise`` as a displayed formula of LaTeX, and its derivation as an appendix.

        The packages are amsmath, amssymb and graphicx.
        """
        from rropt.symbolic.designs.parametric.every_level import to_latex

        return to_latex(self)

    @clear_calls
    def plot(self, *, size: str = "paper", ax: Any = None) -> Figure:
        """Return a picture of the optimum against epsilon for every level, with a line at each breakpoint.

        Args:
            size, ax: as for ``region``.
        """
        from rropt.plots.draw_every_level import every_level

        return every_level(self, size=size, ax=ax)


def is_closed(problem: Problem) -> bool:
    """Return whether a theorem gives the optimum at every level in closed form."""
    region, objective = problem.region, problem.objective
    if problem.populations is not None or not region.is_of_every_level:
        return False
    if objective.is_of_prevalence:
        return True
    if objective.is_linear:
        return _runs(problem) is not None or _path_costs(problem) is not None
    is_of_subsets = objective.is_total or objective.has_subset_dual
    return is_of_subsets and (problem.is_uniform or len(set(problem.population)) == 1) and not region.outputs


def solve_closed_levels(problem: Problem) -> ClosedLevels:
    """Return the closed forms of a problem on an interval of levels.

    Raises:
        UnsupportedProblemError: delta is irrational, the binary design has more than two outputs, or there are too many
            categories.
    """
    region: Any = problem.region
    if region.delta.rational is None:
        raise UnsupportedProblemError(
            f"`delta` is irrational: received {shown(str(region.delta))}; closed forms for every level need a rational "
            "number, or solve at single levels"
        )
    if problem.objective.is_of_prevalence and region.outputs != 2:
        raise UnsupportedProblemError(
            f"the optimum at every level is known for binary designs with two outputs: received "
            f"{region.outputs or 'any number'}; write outputs=2, or solve at single levels"
        )
    if _is_of_paths(problem):
        return ClosedLevels(problem, None)
    certificate = certify_closed(_stated_problem(problem), [_stated(problem, piece) for piece in _pieces(problem)])
    verdict = certificate.check()
    if not verdict:
        raise ArithmeticError(f"internal error: the certificate of {problem} is {verdict}; please report the problem")
    return ClosedLevels(problem, certificate)


# --- what the certificate states -------------------------------------------------------------------------------------


def _is_of_paths(problem: Problem) -> bool:
    """Return whether the pieces are shortest paths, which have no certificate."""
    return problem.objective.is_linear and _runs(problem) is None


def _stated_problem(problem: Problem) -> dict[str, Any]:
    """Return the problem as the certificate states it; the value of a loss is its offset minus that of a trace."""
    objective: dict[str, Any] = {"kind": problem.objective.kind}
    if problem.objective.is_of_prevalence:
        objective["prevalence"] = as_text(problem.prevalence)
    elif problem.objective.is_linear:
        objective = {"kind": "trace", "runs": [[str(n), as_text(w)] for n, w in _runs(problem) or ()]}
    else:
        objective["categories"] = str(problem.region.inputs)
    slack: Fraction = problem.region.delta.rational  # type: ignore[attr-defined]
    return stated_problem(objective, slack, *certified_ends(problem.region))


def _stated(problem: Problem, piece: ClosedPiece) -> StatedPiece:
    """Return a piece as the certificate states it."""
    formula: Any = piece.formula
    if isinstance(formula, LevelFormula):
        a, b, c = formula.a, formula.b, formula.c
        if problem.objective.sense == "minimise":
            offset = _offset(problem)
            a, b = offset * c - a, offset - b
        return StatedPiece(piece.place, triple(a, b), triple(c, Fraction(1)), str(piece.size))
    design = str(piece.size)
    if problem.objective.is_of_prevalence:
        design = ("p00" if _corner(problem)[0] == 1 else "p11") if piece.is_corner else "diagonal"
    quotient: QuadraticQuotient = getattr(formula, "information", formula)
    return StatedPiece(piece.place, quotient.above, quotient.below, design)


def _certified(problem: Problem, certificate: Certificate) -> Iterator[ClosedPiece]:
    """Yield the pieces that an accepted certificate states."""
    start: Any = Fraction(1)
    for stated in stated_pieces(certificate):
        end = None if stated.place is None else point_of(stated.place)
        quotient = QuadraticQuotient(stated.above, stated.below)
        if problem.objective.is_of_prevalence:
            words = _binary_words(stated.design, _delta(problem))
            yield ClosedPiece(start, end, 2, words, quotient, stated.place, stated.design != "diagonal")
        elif problem.objective.is_linear:
            size = int(stated.design)
            yield ClosedPiece(
                start, end, size, _trace_words(problem, size), _trace_value(problem, stated), stated.place
            )
        else:
            size, k = int(stated.design), problem.region.inputs
            formula: Formula = LogInformation(k, quotient) if problem.objective.has_logarithms else quotient
            words = _revealing(f"subset selection with {size} of {k} categories", _delta(problem))
            yield ClosedPiece(start, end, size, words, formula, stated.place)
        start = end


def _trace_value(problem: Problem, stated: StatedPiece) -> LevelFormula:
    """Return the value of a piece of a weighted trace; of a loss its offset minus the trace."""
    scale = stated.below[1]
    a, b, c = stated.above[0] / scale, stated.above[1] / scale, stated.below[0] / scale
    if problem.objective.sense == "minimise":
        offset = _offset(problem)
        return LevelFormula(offset * c - a, offset - b, c)
    return LevelFormula(a, b, c)


# --- formulas --------------------------------------------------------------------------------------------------------


def _runs(problem: Problem) -> list[tuple[int, Fraction]] | None:
    """Return the weights of a weighted trace as runs ``(number, weight)``; None if the objective is no such trace.

    At most 30 categories are a trace here only with delta > 0: without it the costs have a certificate.
    """
    if problem.is_uniform and (runs := problem.objective.weight_runs()) is not None:
        return list(runs.runs) if min(w for _, w in runs.runs) >= 0 else None
    region: Any = problem.region
    if (region.delta.rational == 0 and region.inputs <= MOST_CATEGORIES) or region.inputs != region.outputs:
        return None
    trace = trace_of_costs(problem)
    return None if trace is None else [(1, w) for w in trace[0]]


def _path_costs(problem: Problem) -> Any:
    """Return the costs of a loss with interval sublevel sets and too many categories for a certificate; else None."""
    region: Any = problem.region
    if region.delta.rational != 0 or not MOST_CATEGORIES < region.inputs <= MOST_SHARES or problem.is_uniform:
        return None
    costs = problem.objective.labelled_costs(problem.population)
    return costs if costs is not None and len(costs) <= MOST_SHARES and has_interval_sublevels(costs) else None


def _delta(problem: Problem) -> Fraction:
    found: Fraction = problem.region.delta.rational  # type: ignore[attr-defined]
    return found


def _pieces(problem: Problem) -> Iterator[ClosedPiece]:
    """Yield the pieces of all levels that the certificate is to state."""
    if problem.objective.is_of_prevalence:
        return _of_binary(problem)
    if not problem.objective.is_linear:
        return _of_subsets(problem)
    return _of_trace(problem, _runs(problem) or [])


def _clipped(problem: Problem, pieces: Iterable[ClosedPiece]) -> Iterator[ClosedPiece]:
    """Yield the pieces of the interval of levels of a problem."""
    region: Any = problem.region
    low, high = region.low, region.high
    start: Any = low.exact_gamma() if low.gamma is None else low.gamma
    for piece in pieces:
        if piece.place is not None and ends_by(piece.place, low):
            continue
        is_last = piece.place is None or (not high.is_infinite and is_at_most(high, piece.place))
        end = piece.end
        if is_last:
            end = None if high.is_infinite else high.exact_gamma() if high.gamma is None else high.gamma
        yield replace(piece, start=start, end=end, place=None if is_last else piece.place)
        if is_last:
            return
        start = end


def _of_trace(problem: Problem, runs: list[tuple[int, Fraction]]) -> Iterator[ClosedPiece]:
    delta = _delta(problem)
    weights: dict[Fraction, int] = {}
    for n, w in runs:
        weights[w] = weights.get(w, 0) + n
    order = sorted((w for w in weights if w), reverse=True) or [Fraction(0)]
    if len(order) > _MOST_PIECES:
        raise UnsupportedProblemError(
            f"a piece for each weight is listed for at most {_MOST_PIECES} weights: received {len(order)}; solve at "
            "single levels"
        )
    whole = sum((n * w for n, w in runs), Fraction(0))
    m, total = 0, Fraction(0)
    start: Any = Fraction(1)
    is_loss = problem.objective.sense == "minimise"
    offset = _offset(problem) if is_loss else Fraction(0)
    for number, w in enumerate(order):
        m, total = m + weights[w], total + weights[w] * w
        last = number == len(order) - 1
        end = None if last else total / order[number + 1] - m + 1
        sign = -1 if is_loss else 1
        formula = LevelFormula(
            (offset + sign * delta * whole) * (m - 1),
            offset + sign * (delta * whole + (1 - delta) * total),
            Fraction(m - 1),
        )
        place = None if end is None else (end, Fraction(0), 0)
        yield ClosedPiece(start, end, m, _trace_words(problem, m), formula, place)
        start = end


def _trace_words(problem: Problem, m: int) -> str:
    by = "proportion" if problem.is_uniform and problem.objective.sense == "minimise" else "weight"
    chosen, are = ("category", "is the output") if m == 1 else (f"{m} categories", "are the outputs")
    return _revealing(f"the {chosen} of largest {by} {are}, of {problem.region.inputs}", _delta(problem))


def _of_paths(problem: Problem) -> Iterator[ClosedPiece]:
    pieces, scale = best_sets(_path_costs(problem))
    sign = 1 if problem.objective.sense == "minimise" else -1
    start: Any = Fraction(1)
    for (A, B, X, outputs), end in pieces:
        place = None if end is None else (end[0] + 1, end[1], end[2])
        reached = None if place is None else point_of(place)
        formula = LevelFormula(Fraction(sign * (A - B), scale), Fraction(sign * B, scale), Fraction(X - 1))
        listed = f"{'answer' if X == 1 else 'answers'} {runs_text(list(outputs))}"
        design = f"{listed} always" if X == 1 else f"the best of the {X} {listed}, by {X}-ary randomized response"
        yield ClosedPiece(start, reached, X, design, formula, place, answers=outputs)
        start = reached


def _offset(problem: Problem) -> Fraction:
    """Return the expected loss of a weighted trace 0."""
    if problem.is_uniform:
        return Fraction(1)
    found = trace_of_costs(problem)
    assert found is not None
    return sum(found[1], Fraction(0))


def _revealing(design: str, delta: Fraction) -> str:
    return f"{design}; the truth with probability {as_text(delta)} in addition" if delta else design


def _of_subsets(problem: Problem) -> Iterator[ClosedPiece]:
    k = problem.region.inputs
    if k // 2 > _MOST_PIECES:
        raise UnsupportedProblemError(
            f"a piece for each size of subsets is listed for at most {2 * _MOST_PIECES} categories: received {k}; "
            "solve at single levels"
        )
    start: Any = Fraction(1)
    for d in range(k // 2, 0, -1):
        place = root_of(Fraction((k - d) * (k - d + 1), d * (d - 1))) if d > 1 else None
        end = None if place is None else point_of(place)
        design = _revealing(f"subset selection with {d} of {k} categories", _delta(problem))
        yield ClosedPiece(start, end, d, design, _subset_formula(problem, k, d), place)
        start = end


def _subset_formula(problem: Problem, k: int, d: int) -> Formula:
    """Return the value of subset selection, with the truth revealed with probability delta."""
    objective, delta = problem.objective, _delta(problem)
    line, base = (Fraction(k - d), Fraction(d)), (Fraction(-1), Fraction(1))
    inner, outer = times(line, line), times(base, base)
    selected = combined(triple(), outer, Fraction(k * d * (k - d), k - 1) * (1 - delta))
    mu = QuadraticQuotient(combined(selected, inner, delta * k), inner)
    if objective.sense == "maximise":  # log det M
        return LogInformation(k, mu)
    scale = Fraction(k - 1 if objective.is_total else 1)
    return QuadraticQuotient(combined(triple(), inner, scale), mu.above)


def _of_binary(problem: Problem) -> Iterator[ClosedPiece]:
    pi, delta = problem.prevalence, _delta(problem)
    is_rare = pi <= Fraction(1, 2)
    rare = min(pi, 1 - pi)
    start: Any = Fraction(1)
    if delta:
        c = delta * (1 - 4 * rare)
        roots = roots_of((delta + delta * c, c, -rare))  # of the quadratic in u
        p, q, root = max(roots, key=lambda place: float(point_of(place)), default=(Fraction(0), Fraction(0), 0))
        place = None if not rare else (p + 1, q, root)
        value = QuadraticQuotient(triple(rare * (1 - delta * rare)), triple(delta))
        if place is None or is_before((Fraction(1), Fraction(0), 0), place):
            end = None if place is None else point_of(place)
            yield ClosedPiece(start, end, 2, _binary_words("p00" if is_rare else "p11", delta), value, place, True)
            if end is None:
                return
            start = end
    shift = delta * (1 - 2 * pi)
    above = times((pi + shift, 1 - pi), (1 - pi - shift, pi))
    base = (2 * delta - 1, Fraction(1))
    yield ClosedPiece(
        start, None, 2, _binary_words("diagonal", delta), QuadraticQuotient(above, times(base, base)), None
    )


def _binary_words(design: str, delta: Fraction) -> str:
    if design == "diagonal":
        return f"p00 = p11 = {f'(gamma + {as_text(delta)})' if delta else 'gamma'}/(gamma + 1)"
    return f"{design} = 1, {'p11' if design == 'p00' else 'p00'} = {as_text(delta)}"


def _mechanism(problem: Problem, piece: ClosedPiece, gamma: Fraction) -> Mechanism:
    """Return the mechanism of a piece at a rational gamma."""
    k, delta = problem.region.inputs, _delta(problem)
    if problem.objective.is_of_prevalence:
        told = (gamma + delta) / (gamma + 1)
        p00, p11 = _corner(problem) if piece.is_corner else (told, told)
        return Mechanism.binary(p00, p11)
    if piece.answers:
        costs = _path_costs(problem)
        best = [min(piece.answers, key=lambda d: costs[d][j]) for j in range(k)]
        rare = 1 / (gamma + piece.size - 1)
        rows = [[Fraction(0)] * k for _ in costs]
        for d in piece.answers:
            rows[d] = [gamma * rare if best[j] == d else rare for j in range(k)]
        return Mechanism(rows)
    if problem.objective.is_linear:
        runs = _runs(problem)
        if k > MOST_SHARES or runs is None:
            raise _too_large(k, MOST_SHARES)
        weights = [w for n, w in runs for _ in range(n)]
        chosen = sorted(range(k), key=lambda j: -weights[j])[: piece.size]
        return Mechanism(trace_rows(frozenset(chosen), k, gamma, delta))
    if k > _MOST_WRITTEN:
        raise _too_large(k, _MOST_WRITTEN)
    d = piece.size
    theta = (1 - delta) * Fraction(k, comb(k, d)) / (d * gamma + k - d)
    rows = [[theta * (gamma if j in chosen else 1) for j in range(k)] for chosen in combinations(range(k), d)]
    if delta:
        rows += [[delta if i == j else Fraction(0) for j in range(k)] for i in range(k)]
    return Mechanism(rows)


def _corner(problem: Problem) -> tuple[Fraction, Fraction]:
    delta = _delta(problem)
    return (Fraction(1), delta) if problem.prevalence <= Fraction(1, 2) else (delta, Fraction(1))


def _too_large(k: int, most: int) -> UnsupportedProblemError:
    return UnsupportedProblemError(
        f"the matrix of this design is written for at most {most} categories: received {k}; solve at the single level"
    )
