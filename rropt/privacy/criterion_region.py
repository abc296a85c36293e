"""Criteria as levels and as regions: epsilon = log B(h), and all mechanisms with parity at most B(h).

By Theorem 3.1 of Chai and Nayak (2018), a mechanism satisfies a criterion iff its parity is at most B(h). So a
criterion can be given wherever a level epsilon is accepted, with gamma = exp(epsilon) = B(h). If B(h) is irrational,
gamma is rounded towards privacy.

Regions grow with gamma. A mechanism with parity at most a rational ``gamma <= B(h)`` satisfies the criterion, and no
mechanism with parity above a rational ``gamma_above >= B(h)`` does. So the optimum under the criterion is between the
optima at these two levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, required
from rropt.core.exact import Epsilon
from rropt.core.exact.algebraic_numbers import Algebraic, simplest_between
from rropt.core.exact.display import as_text, enclosure_text
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, decimal_bracket
from rropt.core.limits import MAX_PARAMETER_DIGITS
from rropt.core.results import Result
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import judge
from rropt.privacy.bound.covers import criterion_problem
from rropt.privacy.bound.largest_parity import ParityBound, criterion_pieces, parity_bound
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.named_criteria import required_criterion
from rropt.privacy.region import (
    PrivacyRegion,
    RationalLevel,
    RationalLevels,
    Readers,
    Region,
    fill,
    register_region,
    shape_text,
)

# Relative distance of a rational level from an algebraic B(h): at most (B(h) - gamma) / (B(h) - 1). It is seventeen
# orders of magnitude below the gap of a certified value (`solvers`), so it never limits the accuracy of that value.
_CRITERION_LEVEL_GAP = Fraction(1, 10**30)


@dataclass(frozen=True, slots=True)
class CriterionLevel(Result):
    """The level epsilon that is equivalent to a criterion, or a rational level slightly below it.

    Attributes:
        bound: B(h) of the criterion.
        epsilon: log B(h), or log gamma for a rational gamma just below B(h).
        is_rounded: whether gamma differs from B(h). Every mechanism of the level satisfies the criterion, but so does a
            mechanism with parity above gamma and at most B(h).
        gamma_above: a rational number ``>= B(h)``, equal to B(h) if that is rational and not too long; ``None`` if no
            finite upper bound of B(h) is known.
    """

    bound: ParityBound
    epsilon: Epsilon
    is_rounded: bool
    gamma_above: Fraction | None

    @property
    def epsilon_above(self) -> Epsilon | None:
        """The level of ``gamma_above``, at which every mechanism that satisfies the criterion is private."""
        return None if self.gamma_above is None else Epsilon.of_gamma(self.gamma_above)

    @classmethod
    def recompute(cls, parameters: Criterion) -> CriterionLevel:
        """Recompute the level from the criterion."""
        return criterion_level(parameters)

    def to_dict(self) -> dict[str, Any]:
        """Return the value of the key ``criterion``: the criterion, its B(h), and the rational gamma that is used."""
        used = {"gamma": str(self.epsilon.exact_gamma()), "rounded": self.is_rounded}
        above = None if self.gamma_above is None else as_text(self.gamma_above)
        return {**self.bound.asked(), **used, "gamma_above": above, "parameters": self.bound.criterion.to_dict()}

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary: the criterion and its B(h)."""
        return [("criterion", str(self.bound.criterion)), self.bound.line()]

    def remarks(self) -> tuple[str, ...]:
        """Return a remark if the level is not exactly B(h)."""
        if not self.is_rounded:
            return ()
        bound = self.bound
        if bound.kind == "exact" or self.epsilon.gamma is None:
            return (f"the level is a rational gamma just below B(h) = {bound.value}: rounded towards privacy",)
        enclosed = enclosure_text(bound.lower, bound.upper)
        return (f"B(h) is enclosed, not exact, {enclosed}: the level is the lower end, at which privacy holds",)

    def gamma_beyond(self, parity: Fraction) -> Fraction | None:
        """Return a rational gamma with ``parity < gamma <= B(h)``, or ``None`` if none is known.

        For an algebraic B(h) a gamma is returned for every parity below B(h). For an enclosed B(h) a gamma is returned
        for every parity below the lower endpoint.
        """
        gamma, value = self.epsilon.gamma, self.bound.exact_value
        if gamma is not None and parity < gamma:
            return gamma
        if value is None or Algebraic.of(parity) >= value:
            return None
        return simplest_between(Algebraic.of(parity), value)

    def epsilon_at(self, parity: Fraction | None) -> Epsilon:
        """Return a level of the criterion that a mechanism with this parity meets if B(h) is known to be above it."""
        beyond = None if parity is None else self.gamma_beyond(parity)
        return self.epsilon if beyond is None else Epsilon.of_gamma(beyond)


def criterion_level(criterion: Criterion, bound: ParityBound | None = None) -> CriterionLevel:
    """Return the privacy level that is equivalent to a criterion, or a rational level just below it.

    If B(h) is rational, ``epsilon = log(B(h))``. If it is algebraic, epsilon is ``log(gamma)`` with the rational gamma
    of smallest denominator such that ``(1 - 10^-30) (B(h) - 1) < gamma - 1 < B(h) - 1``. If it is enclosed, gamma is
    the lower bound. ``gamma_above`` is equally close above an algebraic B(h), or the upper bound.

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.
        bound: its B(h), if already known.

    Raises:
        InvalidParameterError: as for ``parity_bound``; or B(h) is infinite, so that the criterion imposes no
            constraint.

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
    known = parity_bound(required_criterion(criterion), fast=True) if bound is None else bound
    required(known, ParityBound, "the bound", "parity_bound(criterion)")
    if known.lower is None:
        raise InvalidParameterError(
            f"the criterion allows every mechanism, B(h) is infinite: received {criterion}; a level needs a function "
            "with h(p) < 1 at some 0 < p < 1, or `epsilon=E` or `gamma=G`"
        )
    if criterion.level is not None:
        return CriterionLevel(known, criterion.level, False, known.upper)
    if known.lower == known.upper and _is_short(known.lower):
        return CriterionLevel(known, Epsilon.of_gamma(known.lower), False, known.upper)
    value = known.exact_value
    below, above = known.lower, known.upper
    if value or not _is_short(below):
        below = _around(value or Algebraic.of(below))[0]
    if above is not None and (value or not _is_short(above)):
        above = _around(value or Algebraic.of(above))[1]
    return CriterionLevel(known, Epsilon.of_gamma(below), True, above)


def _around(value: Algebraic) -> tuple[Fraction, Fraction]:
    """Return short rationals below and above a number, within ``_CRITERION_LEVEL_GAP (value - 1)`` of it."""
    digits = FIRST_BRACKET_DIGITS
    while True:  # terminates: value > 1, and the enclosure shrinks to it
        low, high = decimal_bracket(value.ball, digits)  # a rational that is too long is rounded like others
        gap = _CRITERION_LEVEL_GAP / 2 * (low - 1)
        if gap > 0 and high - low <= gap:
            ends = (low - gap, low), (high, high + gap)
            below, above = (simplest_between(*map(Algebraic.of, pair)) for pair in ends)
            return below, above
        digits *= 2


def _is_short(value: Fraction) -> bool:
    """Return whether a number has few enough digits to be a parameter."""
    return bool(max(value.numerator, value.denominator) < 10**MAX_PARAMETER_DIGITS)


@register_region
@dataclass(init=False, frozen=True, slots=True)  # fields have defaults in its base class
class CriterionRegion(PrivacyRegion):
    """All mechanisms with k inputs and m outputs that satisfy a privacy criterion.

    These are the mechanisms with parity at most B(h) (Chai and Nayak 2018, Theorem 3.1). So the level is gamma = B(h),
    delta = 0, where B(h) is rational, algebraic, or enclosed between rational numbers.

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.
        inputs: k >= 2.
        outputs: m >= 2; 0 or ``"any"`` for an unrestricted output alphabet (the attribute is then 0).

    Raises:
        InvalidParameterError: the criterion or a size is invalid, or B(h) is infinite.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> region = CriterionRegion(rho_to_rho("1/5", "1/2"))
    >>> print(region.bracket(9).below.gamma, region.contains(Mechanism.binary("4/5", "4/5")))
    4 True
    """

    kind: ClassVar[str] = "criterion"
    KEYS: ClassVar[Readers] = {"criterion": Criterion.from_dict}
    criterion: Criterion
    gamma_above: Fraction | None

    def __init__(self, criterion: Criterion, *, inputs: int = 2, outputs: int | Literal["any"] = 2) -> None:
        level = criterion_level(required_criterion(criterion))
        PrivacyRegion.__init__(self, level.epsilon, inputs=inputs, outputs=outputs)
        fill(self, {}, criterion=criterion, gamma_above=level.gamma_above)

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels below and above B(h), equal if it is rational.

        ``digits`` is the number of significant digits if the criterion is a level with irrational gamma.

        Raises:
            UnsupportedProblemError: no finite upper bound of B(h) is known.
        """
        below, above = self.epsilon.gamma_bracket(digits)
        if self.gamma_above is None:
            raise UnsupportedProblemError(
                f"B(h) has no finite upper end: received {self.criterion}; rewrite the function, or give a level"
            )
        zero = Fraction(0)
        return RationalLevels.single(RationalLevel(below, zero), RationalLevel(max(above, self.gamma_above), zero))

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism satisfies the criterion; False if the enclosure of B(h) contains its parity."""
        return self.fits(mechanism) and judge(mechanism, self.criterion, fast=True).meets is True

    @property
    def unrestricted(self) -> Region:
        """The region itself."""
        return self

    def of_groups(self, count: int) -> CriterionRegion:
        """Return the region of the same criterion for groups of the inputs, with an unrestricted output alphabet."""
        return CriterionRegion(self.criterion, inputs=count, outputs="any")

    def at(self, epsilon: Epsilon) -> PrivacyRegion:
        """Return the region of the same shape at another level."""
        return PrivacyRegion(epsilon, inputs=self.inputs, outputs=self.outputs)

    def certified_dict(self) -> dict[str, Any]:
        """Return the form for certificates, with piecewise functions (checker/parity_bound)."""
        sizes = {key: text for key, text in self.to_dict().items() if key != "criterion"}
        return {**sizes, **criterion_problem(criterion_pieces(self.criterion))}

    def __str__(self) -> str:
        return f"{self.criterion}, {shape_text(self.inputs, self.outputs)}"
