"""When an estimate is an affine function of the share of one set of answers: the reduction to a binomial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import determinant

__all__ = ["Reduction", "binary_reduction", "reduction_of"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """``c . pi = offset + slope lambda_S`` for every population pi, lambda_S = Pr(the answer lies in S).

    Y, the number of answers in S, is binomial (n, lambda_S), so intervals for lambda_S carry over exactly.

    Attributes:
        offset, slope: of the affine map; slope 0 when ``c . pi`` is the same for every population.
        answers: S, the indices of the answers.
        low, high: the range of ``c . pi`` over all populations, ``min c`` and ``max c``.
    """

    offset: Fraction
    slope: Fraction
    answers: tuple[int, ...]
    low: Fraction
    high: Fraction

    def at(self, share: Fraction) -> Fraction:
        """Return ``c . pi`` at a value of lambda_S."""
        return self.offset + self.slope * share

    def share(self, value: Fraction) -> Fraction:
        """Return lambda_S at a value of ``c . pi``."""
        return (value - self.offset) / self.slope


def reduction_of(mechanism: Mechanism, weights: Sequence[Fraction], contrast: Sequence[Fraction]) -> Reduction | None:
    """Return the reduction of an estimator ``w . N/n`` of ``c . pi``, or ``None`` when w takes more than two values.

    If w is a on S and b elsewhere, ``w . lambda = b + (a - b) lambda_S``, and ``w . lambda = c . pi`` because the
    estimator is unbiased. The weights of answers that the mechanism never gives do not matter.
    """
    given = [i for i, row in enumerate(mechanism.matrix) if any(row)]
    values = set({id(weights[i]): weights[i] for i in given}.values())  # a thousand weights are often two objects
    if len(values) > 2:
        return None
    high, low = max(values), min(values)
    inside = tuple(i for i in given if weights[i] is high or weights[i] == high) if high != low else ()
    return Reduction(low, high - low, inside, min(contrast), max(contrast))


def binary_reduction(mechanism: Mechanism) -> Reduction:
    """Return the reduction of the prevalence of a binary design to the share of answers 1.

    ``pi = (lambda - (1 - p00)) / (p00 + p11 - 1)``: Holohan, Leith and Mason (2016), equation (4).

    Raises:
        InfeasibleError: p00 + p11 = 1.
    """
    d = determinant(mechanism)
    return Reduction((mechanism.p00 - 1) / d, 1 / d, (1,), Fraction(0), Fraction(1))
