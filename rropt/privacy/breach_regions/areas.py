"""The area of a breach region: the proportion of pairs (prior, posterior) that are forbidden or never attained.

The area is ``1 - integral of (h_u - h_l)`` over (0, 1). For a bound g on all Bayes factors it equals
``2 g log(g)/(g-1)^2 - 2/(g-1)``. It is rational if the limits are piecewise polynomials between rational endpoints.
Otherwise the integral is computed in ball arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import acb, arb, ctx

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bounded, as_text
from rropt.core.exact.display import agreed_decimal
from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.core.exact.reals import ExactReal, Scalar
from rropt.core.results import Result, labelled
from rropt.privacy.bound.cells import split
from rropt.privacy.bound.functions import Cell, Leaf, Rational, value_ball
from rropt.privacy.breach_regions.forbidden_pairs import BreachRegion, FunctionRegion, required_region
from rropt.privacy.breach_regions.strictness import precision
from rropt.privacy.criteria.expressions import Expression

_AREA_BITS = 96  # precision of balls, much finer than any plot needs
_AREA_EVALUATIONS = 20_000  # limit for one integral, so that a singular one terminates with a wider ball
_AREA_EDGE_BITS = 40  # 2^-40: the width omitted at an endpoint where the function is not analytic


@dataclass(frozen=True, slots=True)
class Area(Result, Bounded):
    """An area in the unit square.

    Attributes:
        lower, upper: rational bounds, equal if the area is rational.
        text: the exact value, or a decimal if it is enclosed.
    """

    lower: Fraction
    upper: Fraction
    text: str

    LABELS = labelled(text="area", lower="at least", upper="at most")

    def __float__(self) -> float:
        return float((self.lower + self.upper) / 2)

    def __str__(self) -> str:
        return self.text


def area(region: BreachRegion) -> Area:
    """Return the area of a breach region.

    Raises:
        UnsupportedProblemError: ball arithmetic cannot enclose the integral.

    >>> from rropt.privacy.breach_regions import breach_region
    >>> from rropt.privacy.criteria import bayes_factor, beta_factor, rho_to_rho
    >>> print(area(breach_region(beta_factor(2))), area(breach_region(rho_to_rho("3/10", "1/2"))))
    1/2 3/10
    >>> bound = area(breach_region(bayes_factor(2)))
    >>> print(bound, round(float(bound), 6))
    4*log(2) - 2 0.772589
    """
    required_region(region)
    if isinstance(region, FunctionRegion):
        known = precision(region)
        return _criterion_area(region) if not known.precise else _band_area(known.parity)
    odds = region.odds
    if odds.everything or odds.band is None:  # curves have no area
        return _exact(Fraction(int(not odds.everything)))
    return _band_area(odds.band)


def _band_area(g: Scalar | None) -> Area:
    if g is None:
        return _exact(Fraction(0))
    exact = ExactReal.of(g).rational
    if exact == 1:
        return _exact(Fraction(1))
    with ctx.workprec(_AREA_BITS):
        if exact is not None:
            x = ball(exact)
            times, less = 2 * exact / (exact - 1) ** 2, 2 / (exact - 1)
            factor = f"{as_text(times)}*" if times != 1 else ""
            text = f"{factor}log({as_text(exact)}) - {as_text(less)}"
        else:
            low, high = ExactReal.of(g).bracket(2 * _AREA_BITS // 3)
            x = ball(low).union(ball(high))
            text = f"2*g*log(g)/(g - 1)^2 - 2/(g - 1) at g = {g}"
        return _enclosed(2 * x * x.log() / (x - 1) ** 2 - 2 / (x - 1), text)


def _criterion_area(region: FunctionRegion) -> Area:
    exact, rest = Fraction(1), arb(0)
    rounded = False
    with ctx.workprec(_AREA_BITS):
        for tree, sign in ((region.up, -1), (region.down, 1)):
            for cell, leaf in _pieces(tree):
                value = _polynomial_integral(cell, leaf)
                if value is not None:
                    exact += sign * value
                else:
                    rest += sign * _integral(cell, leaf)
                    rounded = True
        if not rounded:
            return _exact(exact)
        return _enclosed(ball(exact) + rest, "")


def _pieces(tree: Expression) -> list[tuple[Cell, Leaf]]:
    return [(cell, leaf) for cell, leaf in split(tree) if not cell.is_point]


def _polynomial_integral(cell: Cell, leaf: Leaf) -> Fraction | None:
    low, high = cell.low.rational, cell.high.rational
    if not isinstance(leaf, Rational) or leaf.below.degree() > 0 or low is None or high is None:
        return None
    whole = (leaf.above / leaf.below[0]).integral()
    return as_fraction(whole(as_flint(high)) - whole(as_flint(low)))


def _integral(cell: Cell, leaf: Leaf) -> Any:
    """Return a ball around the integral of a function with values in [0, 1] over a cell."""
    low, high = (arb(end.ball(2 * _AREA_BITS)) for end in (cell.low, cell.high))
    edge = arb(2) ** -_AREA_EDGE_BITS
    for margin in (arb(0), edge):  # omits ends that are not analytic: each adds at most its width
        value = acb.integral(
            lambda z, analytic: value_ball(leaf, z, analytic=analytic),
            low + margin,
            high - margin,
            eval_limit=_AREA_EVALUATIONS,
        ).real
        if value.is_finite():
            return value + margin.union(-margin) + margin
    raise UnsupportedProblemError(
        f"the area was not enclosed: the integral from {cell.low} to {cell.high} is out of reach of ball arithmetic; "
        "use a smoother function"
    )


def _exact(value: Fraction) -> Area:
    return Area(value, value, as_text(value))


def _enclosed(ball: Any, text: str) -> Area:
    low, high = bracket(ball)
    return Area(low, high, text or f"about {agreed_decimal(low, high, 9)}")
