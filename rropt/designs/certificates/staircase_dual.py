"""Dual solutions and certificates of rule 5, for closed forms, for two inputs with delta > 0, and within rules 15, 22.

The package ``engine`` writes certificates of rule 25; ``variance_dual`` converts its duals to those of rule 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.objectives.mutual_information import information_digits
from rropt.objectives.special_cases import Rows
from rropt.objectives.variance_sums import VarianceSum

if TYPE_CHECKING:
    from rropt.designs.certificates.rays import RayDual
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]


class WrittenDual(Protocol):
    """A dual solution of rule 5."""

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""


class StaircaseDesign(Protocol):
    """The interface of a design that rule 5 certifies."""

    @property
    def lower(self) -> Fraction:
        """The lower bound."""

    @property
    def upper(self) -> Fraction:
        """The upper bound."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism, private at the level below; its value is one of the bounds."""

    @property
    def dual(self) -> WrittenDual:
        """The dual solution at the level above, which proves the other bound."""


class VarianceDual(NamedTuple):
    """The dual solution (W, alpha) with ``abs(S W)^2 <= (alpha . S)(S . pi)`` for all staircase rows S.

    It proves ``tr B^T M^- B >= (tr B^T W)^2 / sum alpha``. The columns of B are the targets of the objective, and W has
    the same number of columns: k for A-optimality, one for a contrast.
    """

    matrix: Rows
    alpha: tuple[Fraction, ...]
    excess: tuple[Fraction, ...] | None = None  # multipliers of the excesses, for two inputs with delta > 0

    def bound(self, objective: VarianceSum, population: Numbers) -> Fraction:
        """Return the lower bound of the objective that the dual proves."""
        return objective.proved(self.matrix, sum(self.alpha, Fraction(0)), population)

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        more = {} if self.excess is None else {"excess": [as_text(x) for x in self.excess]}
        return {"alpha": [as_text(x) for x in self.alpha], **written_columns(self.matrix), **more}


class SumDual(NamedTuple):
    """A dual alpha with ``f(S) <= alpha . S`` for all staircase rows.

    f is convex and homogeneous, so ``sum alpha`` bounds the objective of every mechanism.
    """

    alpha: tuple[Fraction, ...]

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"alpha": [as_text(x) for x in self.alpha]}


def variance_dual(dual: RayDual, objective: VarianceSum, pi: Numbers) -> VarianceDual:
    """Convert a dual of rule 25, whose columns of W sum to 0, to a dual of rule 5 that proves the same bound.

    Let b be the means, and let ``t = tr(B^T W)/sum alpha``. The new matrix is ``pi b^T + t W``. The new alpha follows
    from ``abs(s b + t r W)^2 = s^2 abs(b)^2 + 2 s t r W b + t^2 abs(r W)^2`` with s = r.pi.
    """
    targets, means = objective.targets(len(pi)), objective.means(pi)
    along = sum(
        (dot(b, column) for b, column in zip(targets, zip(*dual.matrix, strict=True), strict=True)), Fraction(0)
    )
    t, square = along / dual.bound(), dot(means, means)
    matrix = tuple(
        tuple(p * mean + t * x for x, mean in zip(row, means, strict=True))
        for p, row in zip(pi, dual.matrix, strict=True)
    )
    alpha = (
        square * p + 2 * t * dot(row, means) + t**2 * a for p, row, a in zip(pi, dual.matrix, dual.alpha, strict=True)
    )
    return VarianceDual(matrix, tuple(alpha))


def certify_staircases(problem: Problem, levels: RationalLevels, design: StaircaseDesign) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: a problem whose objective rule 5 supports.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual is
            feasible at the level above.
        design: the bracket, the mechanism (whose value is one of the bounds), and the dual.
    """
    claim = {"kind": "design-bracket", **Bracket(design.lower, design.upper).written()}
    objective, mechanism = problem.objective, design.mechanism
    witness: dict[str, Any] = {"rule": "pattern", **levels.to_dict(), "dual": design.dual.written()}
    witness["patterns"] = {"kind": "enumeration"} if objective.lists_staircases else None
    witness["primal"], witness["logarithms"] = {}, []
    if objective.has_logarithms:
        witness["logarithms"] = {"digits": _digits(levels)}
    if objective.is_enclosed:
        witness["primal"] = {"rounded": _digits(levels) if design.lower < design.upper else None}
    elif (solution := objective.solution(mechanism, problem.population)) is not None:
        witness["primal"] = written_columns(solution, ("solution", "inverse"))
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": mechanism.to_dict()}, witness)


def _digits(levels: RationalLevels) -> str:
    return str(information_digits(levels.one_level().above.gamma))


def written_columns(rows: Rows, names: tuple[str, str] = ("vector", "matrix")) -> dict[str, Any]:
    """Return a matrix in the form of certificates: a single column under the first name, a matrix under the second."""
    one, several = names
    return {one: [as_text(x) for (x,) in rows]} if len(rows[0]) == 1 else {several: text_rows(rows)}
