"""Writes certificates of rule 25 (``rays``): a mechanism, and a dual whose inequality holds on every ray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.certificates.certificate import Certificate
from rropt.exact import Bracket, as_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.privacy.region import RationalLevels
from rropt.problem import Problem

Rows = Sequence[Sequence[Fraction]]


class RayDual(NamedTuple):
    """``g(p) = alpha.p + sum_jl beta_jl max(0, p_j - gamma p_l)``, and W where the objective has one.

    Attributes:
        alpha: shape (k,).
        beta: shape (k, k), at least 0, 0 on the diagonal; None where delta is 0.
        matrix: W, k rows, every column sums to 0; None for sums over outputs.
    """

    alpha: tuple[Fraction, ...]
    beta: tuple[tuple[Fraction, ...], ...] | None
    matrix: tuple[tuple[Fraction, ...], ...] | None

    def bound(self, delta: Fraction) -> Fraction:
        """Return ``sum alpha + delta sum beta``."""
        return sum(self.alpha, Fraction(0)) + delta * sum((x for row in self.beta or () for x in row), Fraction(0))

    def at(self, row: Sequence[Fraction], gamma: Fraction) -> Fraction:
        """Return g of a row."""
        total = sum((a * p for a, p in zip(self.alpha, row, strict=True)), Fraction(0))
        for p, slopes in zip(row, self.beta or (), strict=False):
            total += sum(
                (b * max(p - gamma * q, Fraction(0)) for b, q in zip(slopes, row, strict=True) if b), Fraction(0)
            )
        return total

    def written(self) -> dict[str, Any]:
        """Return the form of certificates."""
        square = None if self.beta is None else text_rows(self.beta)
        matrix = None if self.matrix is None else text_rows(self.matrix)
        return {"alpha": [as_text(x) for x in self.alpha], "beta": square, "matrix": matrix}


def certify_rays(
    problem: Problem,
    levels: RationalLevels,
    ends: Bracket,
    mechanism: Mechanism,
    dual: RayDual,
    primal: Mapping[str, Rows],
    digits: int | None,
) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: of an objective of rule 25.
        levels: rational levels around the problem's: the mechanism is private below, the dual holds above.
        ends: the bracket.
        mechanism: it proves its side of the bracket, with ``primal``.
        dual: it proves the other side.
        primal: the matrices ``estimator`` and ``factor`` where the objective has them.
        digits: of logarithms, None where there are none.
    """
    claim = {"kind": "design-bracket", **ends.written(), "mechanism": mechanism.to_dict()}
    witness = {
        "rule": "rays",
        **levels.to_dict(),
        "dual": dual.written(),
        "primal": {name: text_rows(rows) for name, rows in primal.items()},
        "logarithms": [] if digits is None else {"digits": str(digits)},
    }
    return Certificate.write(problem.to_dict(), claim, witness)
