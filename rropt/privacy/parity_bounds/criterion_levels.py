"""The privacy level of a criterion: epsilon = log B(h), rounded towards privacy where B(h) is no rational number.

By Theorem 3.1 of Chai and Nayak (2018) the mechanisms that meet a criterion are those of parity at most B(h), so
everything that takes a level epsilon takes a criterion, with gamma = exp(epsilon) = B(h). Regions grow with gamma: a
mechanism of parity at most a rational ``gamma <= B(h)`` meets the criterion, and none of parity above a rational
``gamma_above >= B(h)`` does. So the optimum under the criterion lies between the optima at these two levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import InvalidParameterError
from rropt.exact import Bracket, Epsilon
from rropt.exact.algebraic_numbers import Algebraic, simplest_between
from rropt.exact.brackets import FIRST_BRACKET_DIGITS
from rropt.limits import MAX_PARAMETER_DIGITS
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.named import required_criterion
from rropt.privacy.parity_bounds.parity_bound import ParityBound, parity_bound

# A level that stands for an algebraic B(h): (B(h) - gamma) / (B(h) - 1) at most. Seventeen orders finer than the gap of
# a bracket (`solvers`), so that it is never what a certified value is short of.
_CRITERION_LEVEL_GAP = Fraction(1, 10**30)


@dataclass(frozen=True, slots=True)
class CriterionLevel:
    """The level epsilon at which exactly the mechanisms that meet a criterion are private, or a little below it.

    Attributes:
        bound: B(h) of the criterion.
        epsilon: log B(h), or log gamma for a rational gamma just below B(h).
        is_rounded: whether gamma is not B(h) itself: every mechanism of the level meets the criterion, but one of
            parity above gamma and at most B(h) meets it too.
        gamma_above: a rational ``>= B(h)``, B(h) itself when that is rational and not too long; ``None`` when the
            enclosure of B(h) has no finite upper end.
    """

    bound: ParityBound
    epsilon: Epsilon
    is_rounded: bool
    gamma_above: Fraction | None

    @property
    def epsilon_above(self) -> Epsilon | None:
        """The level of ``gamma_above``: every mechanism that meets the criterion is private at it."""
        return None if self.gamma_above is None else Epsilon.of_gamma(self.gamma_above)

    def gamma_beyond(self, parity: Fraction) -> Fraction | None:
        """Return a rational gamma with ``parity < gamma <= B(h)``, or ``None`` when none is known.

        At an algebraic B(h) there is one for every parity below it; where B(h) is enclosed for every parity below the
        lower end.
        """
        gamma, value = self.epsilon.gamma, self.bound.exact_value
        if gamma is not None and parity < gamma:
            return gamma
        if value is None or Algebraic.of(parity) >= value:
            return None
        return simplest_between(Algebraic.of(parity), value)


def criterion_level(criterion: Criterion, bound: ParityBound | None = None) -> CriterionLevel:
    """Return the privacy level of a criterion.

    ``epsilon = log(B(h))`` where B(h) is rational; at an algebraic B(h) ``log(gamma)``, the rational gamma of least
    denominator with ``(1 - 10^-30) (B(h) - 1) < gamma - 1 < B(h) - 1``; where B(h) is enclosed its lower end. On the
    other side ``gamma_above`` is as near to an algebraic B(h), or the upper end.

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.
        bound: its B(h), when it is known already.

    Raises:
        InvalidParameterError: as ``parity_bound``; or B(h) is infinite, so that the criterion asks for nothing.

    >>> from rropt.privacy.criteria import canonical_information_privacy, rho_to_rho
    >>> level = criterion_level(rho_to_rho("1/5", "1/2"))
    >>> print(level.epsilon, float(level.epsilon), level.is_rounded)
    log(4) 1.3862943611198906 False
    >>> level = criterion_level(canonical_information_privacy("min(1, 2*p + 1/10)"))
    >>> print(level.bound.value, float(level.epsilon.gamma), level.is_rounded)
    211/81 + 20/81*sqrt(22) 3.7630656197094887 True
    >>> print(float(level.gamma_above), 0 < float(level.gamma_above - level.epsilon.gamma) < 1e-29)
    3.7630656197094887 True

    Source: Chai and Nayak (2018), Theorem 3.1.
    """
    known = parity_bound(required_criterion(criterion)) if bound is None else bound
    if known.lower is None:
        raise InvalidParameterError(
            f"the criterion allows every mechanism, B(h) is infinite: received {criterion}; a level needs a function "
            "with h(p) < 1 at some 0 < p < 1, or --epsilon E or --gamma G"
        )
    if criterion.level is not None:
        return CriterionLevel(known, criterion.level, False, known.upper)
    if known.lower == known.upper and _is_short(known.lower):
        return CriterionLevel(known, Epsilon.of_gamma(known.lower), False, known.upper)
    value = known.exact_value
    below = _below(value or Algebraic.of(known.lower)) if value or not _is_short(known.lower) else known.lower
    above = known.upper
    if above is not None and (value or not _is_short(above)):
        above = _above(value or Algebraic.of(above))
    return CriterionLevel(known, Epsilon.of_gamma(below), True, above)


def _below(value: Algebraic) -> Fraction:
    """Return a short rational ``gamma < value``, within ``_CRITERION_LEVEL_GAP (value - 1)`` of it."""
    low, _, gap = _narrow_bracket(value)
    return simplest_between(Algebraic.of(low - gap), Algebraic.of(low))


def _above(value: Algebraic) -> Fraction:
    """Return a short rational ``gamma > value``, within ``_CRITERION_LEVEL_GAP (value - 1)`` of it."""
    _, high, gap = _narrow_bracket(value)
    return simplest_between(Algebraic.of(high), Algebraic.of(high + gap))


def _narrow_bracket(value: Algebraic) -> tuple[Fraction, Fraction, Fraction]:
    """Return ``low <= value <= high`` and the largest gap allowed beyond: half of the gap of a level, times low - 1."""
    digits = FIRST_BRACKET_DIGITS
    while True:  # ends: value > 1, and the bracket shrinks to it
        low, high = _bracket(value, digits)
        gap = _CRITERION_LEVEL_GAP / 2 * (low - 1)
        if gap > 0 and high - low <= gap:
            return low, high, gap
        digits *= 2


def _bracket(value: Algebraic, digits: int) -> Bracket:
    exact = value.rational
    if exact is None:
        return value.bracket(digits)
    scale = 10**digits  # a rational that is too long is rounded like an irrational one
    low = exact.numerator * scale // exact.denominator
    return Bracket(Fraction(low, scale), Fraction(low + 1, scale))


def _is_short(value: Fraction) -> bool:
    """Return whether a number may be a parameter: its digits are few enough."""
    return bool(max(value.numerator, value.denominator) < 10**MAX_PARAMETER_DIGITS)
