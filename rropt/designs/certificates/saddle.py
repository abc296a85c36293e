"""Certificates of designs over a polytope of distributions of the categories (rule 15)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket, as_text
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.staircase_dual import StaircaseDesign
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.objectives.special_cases import Rows

if TYPE_CHECKING:
    from rropt.designs.problem import WorstCaseProblem
    from rropt.objectives.populations import Populations
    from rropt.privacy.region import RationalLevels

Numbers = Sequence[Fraction]


class SaddleFound(StaircaseDesign, Protocol):
    """A design to certify: the dual proves ``lower`` at ``population``; ``upper`` is the maximum of ``tangent``."""

    @property
    def population(self) -> tuple[Fraction, ...]:
        """The least favourable distribution of the categories."""

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The weights of the vertices whose convex combination is ``population``."""

    @property
    def estimator(self) -> tuple[tuple[Fraction, ...], ...]:
        """The estimator: T with T P = I, or one row t with t P = c."""

    @property
    def tangent(self) -> tuple[Fraction, ...]:
        """A linear function of pi that is at least the variance of the estimate, with equality at ``population``."""


def tangent_of(mechanism: Mechanism, estimator: Rows, targets: Rows, pi: Numbers) -> tuple[Fraction, ...]:
    """Return t with ``t . q >= f(P, T, q)`` for all distributions q, with equality at pi."""
    squares, means = [dot(column, column) for column in zip(*estimator, strict=True)], [dot(b, pi) for b in targets]
    values = [dot(squares, column) for column in zip(*mechanism.matrix, strict=True)]
    falls = (dot(means, column) for column in zip(*targets, strict=True))
    return tuple(x - 2 * fall + dot(means, means) for x, fall in zip(values, falls, strict=True))


def certify_saddle(problem: WorstCaseProblem, levels: RationalLevels, found: SaddleFound) -> Certificate:
    """Return the certificate that ``lower <= minimax value <= upper``, where ``upper`` bounds the mechanism's value."""
    populations = problem.populations
    claim = {"kind": "design-bracket", **Bracket(found.lower, found.upper).written()}
    witness: dict[str, Any] = {"rule": "saddle", **levels.to_dict(), "dual": found.dual.written()}
    witness["population"] = [as_text(p) for p in found.population]
    witness["weights"] = None if populations.rows else [as_text(x) for x in found.weights]
    witness["estimator"] = text_rows(found.estimator)
    witness["multipliers"] = None
    if populations.rows:
        witness["multipliers"] = [as_text(y) for y in _multipliers(populations, found.tangent, found.upper)]
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": found.mechanism.to_dict()}, witness)


def _multipliers(populations: Populations, tangent: Numbers, largest: Fraction) -> list[Fraction]:
    """Return row multipliers y and y_0 with ``t_j <= sum_i y_i a_ij + y_0`` and value ``y_0 + sum_i y_i b_i``."""
    from rropt.core.linear import Optimal, ProgramBuilder, solve

    builder = ProgramBuilder("maximise")
    shares = [builder.variable(f"proportion {j}", cost=t) for j, t in enumerate(tangent)]
    for i, row in enumerate(populations.rows):
        terms = {share: a for share, a in zip(shares, row.coefficients, strict=True) if a}
        builder.row(f"row {i}", terms, row.relation, row.bound)
    builder.row("sum", dict.fromkeys(shares, 1), "=", 1)
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal) or outcome.value != largest:
        raise UnsupportedProblemError(
            f"the vertices are not those of the rows: {populations}; this is an internal error"
        )
    return list(outcome.dual)
