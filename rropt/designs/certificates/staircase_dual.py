"""Duals and certificates of rule 5: of closed forms, of two inputs with delta > 0, and inside rules 15 and 22.

The engine writes rule 25. Its duals become those of this rule by ``variance_dual``.
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
from rropt.objectives.objective import Rows
from rropt.objectives.variance_sums import VarianceSum

if TYPE_CHECKING:
    from rropt.designs.certificates.rays import RayDual
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]


class WrittenDual(Protocol):
    """A dual of rule 5."""

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""


class StaircaseDesign(Protocol):
    """What is certified."""

    @property
    def lower(self) -> Fraction:
        """One end of the bracket."""

    @property
    def upper(self) -> Fraction:
        """The other end."""

    @property
    def mechanism(self) -> Mechanism:
        """Private at the level below; its value is one end."""

    @property
    def dual(self) -> WrittenDual:
        """The proof of the other bound, at the level above."""


class VarianceDual(NamedTuple):
    """W, alpha with ``abs(S W)^2 <= (alpha . S)(S . pi)`` for all staircase rows.

    Then ``tr B^T M^- B >= (tr B^T W)^2 / sum alpha``. B has the targets of the objective in its columns, and W as
    many: k of A-optimality, one of a contrast.
    """

    matrix: Rows
    alpha: tuple[Fraction, ...]
    excess: tuple[Fraction, ...] | None = None  # what the excesses cost, of two inputs with delta > 0

    def bound(self, objective: VarianceSum, population: Numbers) -> Fraction:
        """Return the lower bound of the objective."""
        return objective.proved(self.matrix, sum(self.alpha, Fraction(0)), population)

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        more = {} if self.excess is None else {"excess": [as_text(x) for x in self.excess]}
        return {"alpha": [as_text(x) for x in self.alpha], **written_columns(self.matrix), **more}


class SumDual(NamedTuple):
    """alpha with ``f(S) <= alpha . S`` for all staircase rows, f convex and homogeneous: its sum is a bound for all."""

    alpha: tuple[Fraction, ...]

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"alpha": [as_text(x) for x in self.alpha]}


class FormDual(NamedTuple):
    """W symmetric, alpha with ``S^T W S <= (alpha . S)(S . pi)`` for all staircase rows: ``tr W M <= sum alpha``.

    W positive definite: ``det M <= (sum alpha / k)^k / det W``. W positive semidefinite, W 1 = 0: the least eigenvalue
    of M on the vectors orthogonal to 1 is at most ``sum alpha / tr W``.
    """

    alpha: tuple[Fraction, ...]
    matrix: tuple[tuple[Fraction, ...], ...]

    def written(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        return {"alpha": [as_text(x) for x in self.alpha], "matrix": text_rows(self.matrix)}


def variance_dual(dual: RayDual, objective: VarianceSum, pi: Numbers) -> VarianceDual:
    """Return the dual of rule 5 of one of rule 25, whose columns of W sum to 0: it proves the same bound.

    With b the means and ``t = tr(B^T W)/sum alpha`` it is ``pi b^T + t W``, and alpha follows by ``abs(s b + t r W)^2 =
    s^2 abs(b)^2 + 2 s t r W b + t^2 abs(r W)^2``, s = r.pi.
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
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``, one its value.

    Args:
        problem: the problem of an objective of rule 5.
        levels: rational levels around the problem's: the mechanism is private at the one below, the dual holds above.
        design: the bracket, the mechanism, and the dual.
    """
    claim = {"kind": "design-bracket", **Bracket(design.lower, design.upper).written()}
    objective, mechanism = problem.objective, design.mechanism
    witness: dict[str, Any] = {"rule": "pattern", **levels.to_dict(), "dual": design.dual.written()}
    witness["patterns"] = None if objective.kind == "total-variation" else {"kind": "enumeration"}
    witness["primal"], witness["logarithms"] = {}, []
    if objective.kind in ("mutual-information", "d-optimal", "e-optimal"):
        digits = str(information_digits(levels.one_level().above.gamma))
        if objective.kind != "e-optimal":
            witness["logarithms"] = {"digits": digits}
        if objective.kind != "mutual-information":
            witness["primal"] = {"rounded": digits if design.lower < design.upper else None}
    elif (solution := objective.solution(mechanism, problem.population)) is not None:
        witness["primal"] = written_columns(solution, ("solution", "inverse"))
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": mechanism.to_dict()}, witness)


def written_columns(rows: Rows, names: tuple[str, str] = ("vector", "matrix")) -> dict[str, Any]:
    """Return rows in the form of certificates: numbers under the first name if it is one column, else a matrix."""
    one, several = names
    return {one: [as_text(x) for (x,) in rows]} if len(rows[0]) == 1 else {several: text_rows(rows)}
