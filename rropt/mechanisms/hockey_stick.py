"""The excess of one input over another at a level: ``sum_i max(0, p_i - gamma q_i)``, as a line in gamma, all exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Union

from rropt.core.exact import Epsilon, ExactReal

Gamma = Union[Fraction, ExactReal, None]  # noqa: UP007  # None: infinite


def gamma_of(epsilon: object) -> Gamma:
    """Return exp(epsilon) for a privacy level in any exact form; ``None`` for infinite epsilon."""
    level = Epsilon.of(epsilon)
    if level.is_infinite:
        return None
    return level.exact_gamma() if level.gamma is None else level.gamma


@dataclass(frozen=True, slots=True)
class Excess:
    """The excess of input j over input l at a level, ``sum_{i in outputs} (p_ij - gamma p_il)``.

    Attributes:
        pair: (j, l).
        outputs: the outputs whose ratio ``p_ij / p_il`` exceeds gamma. Empty if the excess is 0, and for mechanisms
            that are not given as a matrix, which may have too many outputs to list.
        intercept: the sum of p_ij over these outputs.
        slope: the sum of p_il over these outputs.
    """

    pair: tuple[int, int]
    outputs: tuple[int, ...]
    intercept: Fraction
    slope: Fraction

    def at(self, gamma: Gamma) -> Fraction | ExactReal:
        """Return the value of the excess, a ``Fraction`` if it is rational."""
        if gamma is None or not self.slope:
            return self.intercept
        if isinstance(gamma, Fraction):
            return self.intercept - gamma * self.slope
        exact = ExactReal.of(self.intercept) - gamma * self.slope
        return exact if exact.rational is None else exact.rational


NO_EXCESS = Excess((0, 0), (), Fraction(0), Fraction(0))


def odds_exceed(p: Fraction | int, q: Fraction | int, gamma: Gamma) -> bool:
    """Return whether the odds p/q exceed gamma, exactly; for q = 0, whether p > 0."""
    if gamma is None or not q:
        return bool(p) and not q
    if isinstance(gamma, Fraction):
        return gamma.numerator * q < p * gamma.denominator
    return gamma * Fraction(q) < p


def larger_excess(found: Excess, best: Excess, gamma: Gamma) -> bool:
    """Return whether ``found`` has a larger value at gamma than ``best``, exactly."""
    if gamma is None or found.slope == best.slope:
        return found.intercept > best.intercept
    return gamma * (found.slope - best.slope) < found.intercept - best.intercept
