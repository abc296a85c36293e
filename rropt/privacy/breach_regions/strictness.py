"""Comparisons of breach regions: which one is stricter, and whether a region is precise.

All statements are for 0 < p < 1. At p = 0 and p = 1 the posterior equals the prior for every mechanism.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.exact.reals import ExactReal, Scalar
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.named.builders import grr
from rropt.privacy.bound.cells import split
from rropt.privacy.bound.functions import Rational
from rropt.privacy.bound.infima import PARITY_BOUND_DIGITS, odds_ratio
from rropt.privacy.breach_regions.forbidden_pairs import (
    BreachRegion,
    FunctionRegion,
    OddsRegion,
    at_most,
    required_region,
)
from rropt.privacy.criteria.expressions import ONE, Number, reflected
from rropt.privacy.criteria.named_criteria import odds_bound

_ZERO = Number(Fraction(0))
_INPUTS = 3  # the smallest number for which every gamma is the parity of a mechanism with a band as its region


@dataclass(frozen=True, slots=True)
class Precision(Result):
    """Whether a region is the breach region of some mechanism.

    Attributes:
        precise: whether it is; ``None``: not decided, because a limit is not a piecewise rational function.
        parity: the parity of the mechanisms with this region, if precise; ``None`` if infinite.
        mechanism: one of these mechanisms, with three inputs; ``None`` if its entries would be irrational.
        reason: the reason, in one line.
    """

    precise: bool | None
    parity: Scalar | None
    mechanism: Mechanism | None
    reason: str

    LABELS = labelled(
        precise="the breach region of a mechanism", parity="of parity", mechanism="such as", reason="because"
    )


def is_part(left: BreachRegion, right: BreachRegion) -> bool | None:
    """Return whether the left region is a subset of the right one; ``None``: not decided.

    ``is_part(breach_region(criterion), breach_region(mechanism))`` is true if and only if the mechanism satisfies the
    criterion.

    Args:
        left, right: the two breach regions.

    >>> from rropt.privacy.breach_regions import breach_region
    >>> from rropt.privacy.criteria import beta_factor, rho_to_rho
    >>> beta, rho = breach_region(beta_factor(2)), breach_region(rho_to_rho("3/10", "1/2"))
    >>> is_part(rho, beta), is_part(rho, beta.canonical()), is_part(beta, breach_region(Mechanism.binary("2/3", "2/3")))
    (False, False, True)
    """
    required_region(left)
    required_region(right)
    if isinstance(left, FunctionRegion):
        if isinstance(right, FunctionRegion):
            return _both(at_most(right.up, left.up), at_most(left.down, right.down))
        return _within(right.odds.largest(), left, inner=True)
    if isinstance(right, OddsRegion):
        return left.odds.includes(right.odds)
    if left.odds.everything:
        return True
    # at p, a criterion allows an interval around p, so it has to be contained in the band around 1
    return False if left.odds.band is None else _within(left.odds.band, right, inner=False)


def compare_regions(left: BreachRegion, right: BreachRegion) -> str | None:
    """Return ``"equal"``, ``"smaller"`` (left is less strict), ``"larger"`` or ``"overlapping"``; ``None``: unknown.

    Args:
        left, right: the two breach regions.

    >>> from rropt.privacy.breach_regions import breach_region
    >>> from rropt.privacy.criteria import bayes_factor, beta_factor
    >>> compare_regions(breach_region(beta_factor(2)), breach_region(bayes_factor(2)))
    'smaller'
    """
    forth, back = is_part(left, right), is_part(right, left)
    if forth is None or back is None:
        return None
    return {(True, True): "equal", (True, False): "smaller", (False, True): "larger"}.get((forth, back), "overlapping")


def precision(region: BreachRegion) -> Precision:
    """Decide whether a region is precise, that is, equal to W_P for some mechanism with three or more inputs.

    This is true iff its limits are ``h_g(p) = g p / (1 + (g - 1) p)`` and ``h_(1/g)`` for some g >= 1 (Chai and Nayak
    2018, after (3.5)). For infinite parity, a case that the paper omits, the condition is that the region
    contains no pair with 0 < p < 1.

    >>> from rropt.privacy.breach_regions import breach_region
    >>> from rropt.privacy.criteria import bayes_factor, beta_factor
    >>> precision(breach_region(bayes_factor(2))).parity, precision(breach_region(beta_factor(2))).precise
    (Fraction(2, 1), False)
    """
    if isinstance(region, OddsRegion):
        odds = region.odds
        if odds.everything or (odds.band is not None and not odds.isolated and not odds.certain):
            return _precise(None if odds.everything else odds.band)
        return Precision(False, None, None, "it consists of curves: only two inputs, or certainty, lead to it")
    ratios = []
    for tree in (region.up, reflected(region.down)):
        for _, leaf in split(tree):
            if not isinstance(leaf, Rational):
                return Precision(None, None, None, "a limit is no piecewise rational function")
            ratio = odds_ratio(leaf)
            if ratio is not None and (ratio.above.degree() > 0 or ratio.below.degree() > 0):
                return Precision(False, None, None, "the odds ratio on its boundary is not constant")
            ratios.append(None if ratio is None else ratio.value(Algebraic.of(Fraction(1, 2))).rational)
    if len(set(ratios)) > 1:
        return Precision(False, None, None, "the odds ratio differs from one part of its boundary to another")
    return _precise(ratios[0])


def _precise(parity: Scalar | None) -> Precision:
    if parity is None:
        half = Fraction(1, 2)
        mechanism = Mechanism([[half, half, 0], [half, half, 1]])
        return Precision(True, None, mechanism, "nothing is forbidden: a response that rules an input out leads to it")
    exact = ExactReal.of(parity).rational
    if exact is None:
        return Precision(True, parity, None, f"a bound {parity} on all Bayes factors")
    mechanism = Mechanism(grr(_INPUTS, exact / (exact + _INPUTS - 1)))
    return Precision(True, exact, mechanism, f"a bound {exact} on all Bayes factors")


def _within(largest: Scalar | float, region: FunctionRegion, *, inner: bool) -> bool | None:
    """Return whether the Bayes factors up to ``largest`` are inside (or contain) the set that a criterion allows."""
    if isinstance(largest, float):
        return _band(None, region, inner=inner)
    exact = ExactReal.of(largest)
    low, high = exact.bracket(PARITY_BOUND_DIGITS)
    if low == high:
        return _band(low, region, inner=inner)
    # the wider band inside proves "inside", the narrower band outside disproves it; "contain" is the converse
    sure, against = (high, low) if inner else (low, high)
    if _band(sure, region, inner=inner):
        return True
    return False if _band(against, region, inner=inner) is False else None


def _band(g: Fraction | None, region: FunctionRegion, *, inner: bool) -> bool | None:
    up, down = (ONE, _ZERO) if g is None else (odds_bound(g), odds_bound(1 / g))
    if inner:
        return _both(at_most(up, region.up), at_most(region.down, down))
    return _both(at_most(region.up, up), at_most(down, region.down))


def _both(first: bool | None, second: bool | None) -> bool | None:
    if first is False or second is False:
        return False
    return None if first is None or second is None else True
