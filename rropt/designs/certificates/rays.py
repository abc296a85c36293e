"""Write certificates of rule 25 (``rays``): a mechanism, and a dual whose inequality holds on every extreme ray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket, as_text
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.mechanisms.mechanism import text_rows
from rropt.privacy.region import RationalLevels

Rows = Sequence[Sequence[Fraction]]


class Slope(NamedTuple):
    """The term ``value max(0, p_j - gamma p_l)`` of g, for one level and one ordered pair of inputs.

    Attributes:
        level: the index of the level among the levels of the region.
        pair: (j, l).
        gamma, delta: upper rational bounds of the level.
        value: beta >= 0.
    """

    level: int
    pair: tuple[int, int]
    gamma: Fraction
    delta: Fraction
    value: Fraction


class RayDual(NamedTuple):
    """The dual ``g(p) = alpha.p + sum beta max(0, p_j - gamma p_l)``, with a matrix W if the objective has one.

    Attributes:
        alpha: shape (k,).
        slopes: the terms with beta > 0, for levels with delta > 0.
        matrix: W with k rows, where every column sums to 0; ``None`` for sums over outputs; for mixtures, one W for
            each distribution.
    """

    alpha: tuple[Fraction, ...]
    slopes: tuple[Slope, ...]
    matrix: Any

    def bound(self) -> Fraction:
        """Return the bound ``sum alpha + sum beta delta``."""
        return sum(self.alpha, Fraction(0)) + sum((x.value * x.delta for x in self.slopes), Fraction(0))

    def at(self, row: Sequence[Fraction]) -> Fraction:
        """Return g at a row of a mechanism."""
        return sum((a * p for a, p in zip(self.alpha, row, strict=True)), Fraction(0)) + self.bends_at(row)

    def bends_at(self, row: Sequence[Fraction]) -> Fraction:
        """Return the sum of the terms with beta > 0 at a row."""
        total = Fraction(0)
        for slope in self.slopes:
            j, other = slope.pair
            total += slope.value * max(row[j] - slope.gamma * row[other], Fraction(0))
        return total

    def written(self, levels: RationalLevels) -> dict[str, Any]:
        """Return the dual in the form of certificates; beta is one matrix for one level, a list for several levels."""
        k = len(self.alpha)
        matrices = [self._square(t, k) if part.above.delta else None for t, part in enumerate(levels.parts(k))]
        matrix = None if self.matrix is None else nested_texts(self.matrix)
        return {"alpha": [as_text(x) for x in self.alpha], "beta": levels.listed(matrices), "matrix": matrix}

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
        problem: a problem whose objective rule 25 supports.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual is
            feasible at the level above.
        ends: the bracket.
        mechanism: the mechanism; together with ``primal`` it proves one bound.
        dual: the dual, which proves the other bound.
        primal: the matrices ``estimator`` and ``factor``, if the objective needs them.
        digits: the number of digits of logarithms; ``None`` if there are no logarithms.
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
    """Convert numbers to strings, in lists nested like the argument."""
    return as_text(given) if isinstance(given, Fraction) else [nested_texts(each) for each in given]
