"""Data of breach regions in the unit square of (prior, posterior): Chai and Nayak (2018), Figures 1 to 4.

Curves are given in decimals: the limits of criteria with their jumps, and curves of constant Bayes factor.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import as_text, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanisms
from rropt.plots.data.marked_designs import CURVE_POINTS, drawn_items
from rropt.plots.drawing import MAX_CURVES
from rropt.privacy.bound import ParityBound, parity_bound
from rropt.privacy.bound.cells import split
from rropt.privacy.bound.functions import Cell, Leaf, Rational, ball_of, value_ball
from rropt.privacy.breach_regions import Area, BreachRegion, area, breach_region, compare_regions
from rropt.privacy.criteria import Criterion, beta_factor, information_privacy, rho_to_rho
from rropt.privacy.criteria.expressions import Expression

PIECE_POINTS = 25  # of a piece of a limit between two breaks, however short: a bend still shows
_BOUND = "a bound of the Bayes factors"
MAX_BREACH_REGIONS = 4  # in one square: more fills on top of each other cannot be distinguished
ONE_LINE = 1e-4  # of the unit square: limits nearer than that on a whole cell are one line, to the eye

Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


def odds_curve(factor: float) -> Curve:
    """Return equally spaced points (p, p*) on the curve of one Bayes factor: ``p* = g p / (1 + (g - 1) p)``."""
    t = np.linspace(0.0, 1.0, CURVE_POINTS)
    if factor in (0.0, inf):  # certainty: p* is 0 or 1 at every prior
        return t, np.full(CURVE_POINTS, float(factor > 0))
    root = np.sqrt(factor)  # symmetric about the other diagonal: dense where the curve is steep
    return t / (t + root * (1 - t)), root * t / (root * t + (1 - t))


def boundary(tree: Expression) -> Curve:
    """Return (p, p*) along a limit, cell by cell, with its jumps."""
    pieces = [_sampled(cell, leaf) for cell, leaf in split(tree) if not cell.is_point]
    return np.concatenate([x for x, _ in pieces]), np.concatenate([y for _, y in pieces])


def _sampled(cell: Cell, leaf: Leaf) -> Curve:
    low, high = float(cell.low), float(cell.high)
    p = np.linspace(low, high, points_between(low, high))
    if isinstance(leaf, Rational):
        above, below = (np.array([float(c.p) / float(c.q) for c in f.coeffs()]) for f in (leaf.above, leaf.below))
        with np.errstate(all="ignore"):
            values = np.polynomial.polynomial.polyval(p, above if len(above) else np.zeros(1))
            values = values / np.polynomial.polynomial.polyval(p, below)
    else:
        values = np.array([float(value_ball(leaf, ball_of(Fraction(x))).mid()) for x in p])
    fine = np.isfinite(values)  # at the ends 0/0 may stand where the limit is finite
    return p[fine], np.clip(values[fine], 0.0, 1.0)


def points_between(low: float, high: float) -> int:
    """Return the number of points for a piece of a limit."""
    return max(PIECE_POINTS, round((high - low) * CURVE_POINTS))


@dataclass(frozen=True, slots=True)
class ShownRegion:
    """A region with its entry in the legend.

    Attributes:
        name: the name of the criterion or mechanism.
        region: the exact region.
        area: the area of the region.
        bound: B(h), for the region of a criterion.
        mechanism: the mechanism, for the region of a mechanism.
        limits: (p, p*) along the upper and the lower limit; ``None`` if the region has curves instead.
        factors: isolated Bayes factors, of two inputs and of certainty, each with its curve.
    """

    name: str
    region: BreachRegion = field(compare=False)  # exact: not written
    area: Area
    bound: ParityBound | None
    mechanism: Mechanism | None
    limits: tuple[Curve, Curve] | None
    factors: tuple[tuple[str, Curve], ...]

    @classmethod
    def of(cls, asked: Criterion | Mechanism) -> ShownRegion:
        """Return the region of a criterion or of a mechanism."""
        mechanism, criterion = (asked, None) if isinstance(asked, Mechanism) else (None, asked)
        bound = None if criterion is None else parity_bound(criterion, fast=True)  # refuses functions out of range
        region = breach_region(asked)
        limits = None
        if region.functions is not None:
            limits = boundary(region.functions[0]), boundary(region.functions[1])
        elif region.band is not None:
            limits = odds_curve(float(region.band)), odds_curve(1 / float(region.band))
        factors = tuple(("∞" if x == inf else as_text(Fraction(x)), odds_curve(float(x))) for x in region.lone_factors)
        name = region.text if criterion is None else criterion.text
        return cls(name, region, area(region), bound, mechanism, limits, factors)


@dataclass(frozen=True, slots=True)
class RegionPart:
    """The part that the canonical form of a criterion adds to its region, above or below.

    Attributes:
        letter: A above, B below.
        outer, inner: (p, p*) along the limit of the criterion and along the canonical one, at the same p.
    """

    letter: str
    outer: Curve
    inner: Curve

    @property
    def is_empty(self) -> bool:
        """Whether this part is empty."""
        return bool((abs(self.outer[1] - self.inner[1]) == 0).all())


@dataclass(frozen=True, slots=True)
class BreachPicture:
    """The data of a picture of breach regions.

    Attributes:
        regions: the regions, in the given order.
        parts: A and B of the canonical form of the only region, if requested.
        gammas: bounds on all Bayes factors whose upper limits h_gamma are drawn.
        figure: the number of the reproduced figure of Chai and Nayak (2018), if any.
    """

    regions: tuple[ShownRegion, ...]
    parts: tuple[RegionPart, ...]
    gammas: tuple[Fraction, ...]
    figure: int | None = None

    def relation(self) -> str | None:
        """Return how the first of two regions relates to the second, as ``compare_regions`` does."""
        return compare_regions(*(shown.region for shown in self.regions)) if len(self.regions) == 2 else None

    def verdicts(self) -> list[tuple[str, str, bool]]:
        """Return triples (mechanism, criterion, met): a criterion is met if W_P contains its forbidden pairs."""
        provided = [shown for shown in self.regions if shown.mechanism is not None]
        demanded = [shown for shown in self.regions if shown.mechanism is None]
        return [
            (one.name, other.name, compare_regions(other.region, one.region) in ("equal", "smaller"))
            for one in provided
            for other in demanded
        ]


def breach_picture(
    criteria: Iterable[Criterion] = (),
    *,
    mechanisms: Iterable[Mechanism | str] = (),
    canonical: bool = False,
    gammas: Iterable[object] = (),
    figure: int | None = None,
) -> BreachPicture:
    """Return the data of a picture of breach regions.

    Args:
        criteria: criteria whose regions W[h_l, h_u] are drawn.
        mechanisms: mechanisms, or their texts, whose regions W_P are drawn.
        canonical: whether to mark the parts that the canonical form adds to the region of the only criterion (their
            Figure 3).
        gammas: bounds g > 1 on all Bayes factors whose h_g is drawn (their Figure 4), rational.
        figure: the number of the reproduced figure.

    Raises:
        InvalidParameterError: there is nothing or too much to draw, or a function or a bound is out of range.
    """
    demanded = drawn_items(criteria, "`criteria`", "a list of criteria, such as [beta_factor(2)]")
    provided = required_mechanisms(drawn_items(mechanisms, "`mechanisms`", 'a list such as ["warner:3/4"]'))
    factors = drawn_items(gammas, "`gammas`", "a list of numbers above 1")
    bounds = tuple(sorted({rational_where(g, lambda g: g > 1, "a number above 1", name=_BOUND) for g in factors}))
    count = len(demanded) + len(provided)
    if not (count or bounds) or count > MAX_BREACH_REGIONS or len(bounds) > MAX_CURVES:
        raise InvalidParameterError(
            f"a picture of breach regions has another number of regions: received {count} regions and {len(bounds)} "
            f"bounds; allowed are 1 of either at least, {MAX_BREACH_REGIONS} regions and {MAX_CURVES} bounds at most"
        )
    if canonical and (len(demanded), len(provided)) != (1, 0):
        raise InvalidParameterError(
            f"the canonical form is that of one criterion: received {len(demanded)} criteria and {len(provided)} "
            "mechanisms; give one criterion"
        )
    regions = [*map(ShownRegion.of, demanded), *map(ShownRegion.of, provided)]
    parts = _parts(regions[0].region) if canonical else ()
    return BreachPicture(tuple(regions), parts, bounds, figure)


def published_figure(number: int) -> BreachPicture:
    """Return Figure 1, 2, 3 or 4 of Chai and Nayak (2018). The paper gives no parameters, so we chose them.

    1: a rho1-to-rho2 and a beta-factor region; neither contains the other, and the second has the larger area. 2: a
    general region. 3: the same region with the parts A and B of its canonical form. 4: h_gamma for several gamma.
    """
    number = whole_where(number, 1, 4, name="the number of the figure")
    general = information_privacy(lower="p^4", upper="1 - (1-p)/3 - (1-p)^2/6")
    if number == 1:
        return breach_picture([rho_to_rho("3/10", "1/2"), beta_factor(2)], figure=1)
    if number in (2, 3):
        return breach_picture([general], canonical=number == 3, figure=number)
    return breach_picture(gammas=(2, 5, 10, 20), figure=4)


def _parts(region: BreachRegion) -> tuple[RegionPart, ...]:
    limits, canonical = region.functions, region.canonical().functions
    if limits is None or canonical is None:  # irrational epsilon: the region is canonical
        return ()
    return tuple(_part(*sides) for sides in zip("AB", limits, canonical, strict=True))


def _part(letter: str, limit: Expression, canonical: Expression) -> RegionPart:
    """Return a part with both limits at the same values of p, which include the breaks of both."""
    pieces: list[tuple[NDArray[np.float64], ...]] = []
    cells = (cell for tree in (limit, canonical) for cell, _ in split(tree))
    for low, high in pairwise(sorted({float(end) for cell in cells for end in (cell.low, cell.high)})):
        p = np.linspace(low, high, points_between(low, high))[1:-1]
        outer, inner = (np.interp(p, *boundary(tree)) for tree in (limit, canonical))
        pieces.append((p, outer, outer if abs(inner - outer).max() < ONE_LINE else inner))
    p, outer, inner = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return RegionPart(letter, (p, outer), (p, inner))
