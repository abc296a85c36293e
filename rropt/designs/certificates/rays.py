"""Writes certificates of rule 25 (``rays``): a mechanism, and a dual whose inequality holds on every ray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, as_text
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.privacy.region import ManyLevels, RationalLevels

Rows = Sequence[Sequence[Fraction]]


class Slope(NamedTuple):
    """``value max(0, p_j - gamma p_l)``: what g has of one level and one ordered pair of inputs.

    Attributes:
        level: its place among those of the region.
        pair: (j, l).
        gamma, delta: of the level, from above.
        value: beta, at least 0.
    """

    level: int
    pair: tuple[int, int]
    gamma: Fraction
    delta: Fraction
    value: Fraction


class RayDual(NamedTuple):
    """``g(p) = alpha.p + sum beta max(0, p_j - gamma p_l)``, and W where the objective has one.

    Attributes:
        alpha: shape (k,).
        slopes: those with beta > 0, of levels with delta > 0.
        matrix: W, k rows, every column sums to 0; None for sums over outputs; of mixtures one for each population.
    """

    alpha: tuple[Fraction, ...]
    slopes: tuple[Slope, ...]
    matrix: Any

    def bound(self) -> Fraction:
        """Return ``sum alpha + sum beta delta``."""
        return sum(self.alpha, Fraction(0)) + sum((x.value * x.delta for x in self.slopes), Fraction(0))

    def at(self, row: Sequence[Fraction]) -> Fraction:
        """Return g of a row."""
        total = sum((a * p for a, p in zip(self.alpha, row, strict=True)), Fraction(0))
        for slope in self.slopes:
            j, other = slope.pair
            total += slope.value * max(row[j] - slope.gamma * row[other], Fraction(0))
        return total

    def written(self, levels: RationalLevels) -> dict[str, Any]:
        """Return the form of certificates: beta is one matrix for one level, a list for several (rule 25)."""
        k = len(self.alpha)
        matrices = [self._square(t, k) if part.above.delta else None for t, part in enumerate(levels.parts(k))]
        beta = matrices if isinstance(levels, ManyLevels) else None if levels.is_pairwise else matrices[0]
        matrix = None if self.matrix is None else nested_texts(self.matrix)
        return {"alpha": [as_text(x) for x in self.alpha], "beta": beta, "matrix": matrix}

    def _square(self, level: int, k: int) -> list[list[str]]:
        values = {slope.pair: slope.value for slope in self.slopes if slope.level == level}
        return text_rows([[values.get((j, i), Fraction(0)) for i in range(k)] for j in range(k)])


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
        problem: the problem of an objective of rule 25.
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
        "dual": dual.written(levels),
        "primal": {name: nested_texts(rows) for name, rows in primal.items()},
        "logarithms": [] if digits is None else {"digits": str(digits)},
    }
    return Certificate.write(problem.to_dict(), claim, witness)


def nested_texts(given: Any) -> Any:
    """Return numbers as texts, in lists nested as they are given."""
    return as_text(given) if isinstance(given, Fraction) else [nested_texts(each) for each in given]
