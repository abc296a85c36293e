"""What is said of a box is true of points in it: values, slopes, kernels at the ends, bounds of F, and trends."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction

import mpmath as mp
import pytest
from flint import ctx

from rropt.privacy.criteria import canonical_information_privacy
from rropt.privacy.parity_bounds import parity_bound
from rropt.privacy.parity_bounds.cells import Cell, Composite, Rational, branches, split
from rropt.privacy.parity_bounds.evaluation import Function, UndefinedError
from rropt.privacy.parity_bounds.expansions import at_end, constant_interval
from rropt.privacy.parity_bounds.intervals import Interval
from rropt.privacy.parity_bounds.leaves import constant_value
from rropt.privacy.parity_bounds.searches import Search
from rropt.tolerances import ENCLOSURE_PRECISION

Oracle = Callable[[mp.mpf], mp.mpf]
q = mp.mpf
E_ = mp.exp

# h as text and by hand; what vanishes together at an end, in every combination that the expansions know
FUNCTIONS: list[tuple[str, Oracle]] = [
    ("(1-exp(-3*p))/(1-exp(-3))", lambda p: (1 - E_(-3 * p)) / (1 - E_(-3))),
    ("log(1+4*p)/log(5)", lambda p: mp.log(1 + 4 * p) / mp.log(5)),
    ("1-(1-p)^(13/10)", lambda p: 1 - (1 - p) ** q("1.3")),
    ("p^(3/10)", lambda p: p ** q("0.3")),
    ("sqrt(p*(2/5+3/5*p))", lambda p: mp.sqrt(p * (q(2) / 5 + q(3) / 5 * p))),
    ("p*(1-log(p)/3)", lambda p: p * (1 - mp.log(p) / 3)),
    ("1-(1-p)*(1-log(1-p)/3)*(1-p)", lambda p: 1 - (1 - p) ** 2 * (1 - mp.log(1 - p) / 3)),
    ("p+p*(1-p)*exp(-4*(p-1/3)^2)", lambda p: p + p * (1 - p) * E_(-4 * (p - q(1) / 3) ** 2)),
    ("min(1,p+exp(-6))", lambda p: min(q(1), p + E_(-6))),
]
PAIRS: list[tuple[str, Callable[[mp.mpf, mp.mpf], mp.mpf]]] = [
    ("max({f},{g})", max),
    ("min({f},{g})", min),
    ("({f}+{g})/2", lambda a, b: (a + b) / 2),
    ("1-(1-({f}))*(1-({g}))", lambda a, b: 1 - (1 - a) * (1 - b)),
    ("sqrt(({f})*({g}))", lambda a, b: mp.sqrt(a * b)),
    ("1-max(1-({f}),1-({g}))", min),
    ("(({f})+({g}))/(1+({f})*({g}))", lambda a, b: (a + b) / (1 + a * b)),
]


def composed(rng: random.Random) -> tuple[str, Oracle]:
    (s, f), (t, g) = rng.choice(FUNCTIONS), rng.choice(FUNCTIONS)
    text, combine = rng.choice(PAIRS)
    return text.format(f=s, g=t), lambda p: combine(f(p), g(p))


def number(value: Fraction) -> mp.mpf:
    return q(value.numerator) / value.denominator


def inside(interval: Interval, value: mp.mpf, slack: mp.mpf) -> bool:
    low, high = interval.bounds()
    return (low is None or number(low) <= value + slack) and (high is None or value - slack <= number(high))


def boxes(rng: random.Random, cell: Cell) -> list[tuple[Fraction, Fraction]]:
    """Boxes of many sizes at the ends of a cell and inside it."""
    low, high = (end.rational for end in (cell.low, cell.high))
    found = [(low, low + (high - low) / 2**k) for k in (2, 5, 12, 30)]
    found += [(high - (high - low) / 2**k, high) for k in (2, 5, 12, 30)]
    for k in (3, 6, 10, 20):
        place = Fraction(rng.randrange(1, 2**k - 1), 2**k)
        found.append((low + place * (high - low), low + (place + Fraction(1, 2**k)) * (high - low)))
        found.append((low + (high - low) / 2 ** (k + 1), low + (high - low) / 2**k))
        found.append((high - (high - low) / 2**k, high - (high - low) / 2 ** (k + 1)))
    return found


def cells_of(text: str) -> list[tuple[Cell, Composite]]:
    criterion = canonical_information_privacy(text)
    found = []
    for cell, leaf in split(criterion.up):
        rational = cell.low.rational is not None and cell.high.rational is not None
        if isinstance(leaf, Composite) and not cell.is_point and rational:
            found.append((cell, leaf))
    return found


def test_intervals_hold_what_they_should(rng: random.Random, size) -> None:
    values = kernels = 0
    with ctx.workprec(ENCLOSURE_PRECISION), mp.workdps(60):
        for _ in range(size(30, 1500)):
            text, h = composed(rng)
            for cell, leaf in cells_of(text):
                function = Function(leaf, cell)
                for low, high in boxes(rng, cell):
                    x = Interval(Interval.of(low).low, Interval.of(high).high)
                    try:
                        jet = function.jet(x)
                    except UndefinedError:
                        continue
                    points = sorted(number(low) + (number(high) - number(low)) * q(rng.random()) for _ in range(4))
                    slack = q(10) ** -30
                    for p in points:
                        assert inside(jet.value, h(p), slack), (text, low, high)
                        values += 1
                    a, b = points[0], points[-1]
                    if b - a > q(10) ** -15:
                        assert inside(jet.slope, (h(b) - h(a)) / (b - a), q(10) ** -25), (text, low, high)
                    for end, belongs in ((0, low == 0), (1, high == 1)):
                        expansion = function.expansion(x, end) if belongs else None
                        if expansion is None:
                            continue
                        constant = constant_value(expansion.constant)
                        for p in points if constant is not None else ():
                            kernel = (h(p) - number(constant)) / (p - end)
                            assert inside(expansion.kernel, kernel, q(10) ** -30), (text, low, high)
                            kernels += 1
    assert values > size(30, 1500) * 40
    assert kernels > size(30, 1500) * 5


def test_bounds_and_trends_of_boxes(rng: random.Random, size) -> None:
    bounds, trends = 0, {"rising": 0, "falling": 0}
    with ctx.workprec(ENCLOSURE_PRECISION), mp.workdps(60):
        for _ in range(size(30, 1500)):
            text, h = composed(rng)
            for cell, leaf in cells_of(text):
                parts = [Function(part, cell) for part in branches(leaf)]
                search = Search("up", leaf, cell, Function(leaf, cell), parts if len(parts) > 1 else ())
                for low, high in boxes(rng, cell):
                    box = search._box(low, high)
                    points = sorted(number(low) + (number(high) - number(low)) * q(rng.random()) for _ in range(4))
                    odds = [(1 - p) * h(p) / (p * (1 - h(p))) if h(p) < 1 else mp.inf for p in points]
                    lower = box.bound.lower
                    least = number(lower) if isinstance(lower, Fraction) else mp.inf
                    for value in odds:
                        assert value >= least * (1 - q(10) ** -20) or (least == mp.inf == value), (text, low, high)
                        bounds += 1
                    if box.bound.trend and len(parts) == 1:
                        up = all(x <= y * (1 + q(10) ** -25) for x, y in itertools.pairwise(odds))
                        down = all(y <= x * (1 + q(10) ** -25) for x, y in itertools.pairwise(odds))
                        assert up if box.bound.trend == "rising" else down, (text, low, high)
                        trends[box.bound.trend] += 1
    assert bounds > size(30, 1500) * 40
    assert min(trends.values()) > size(30, 1500) // 5


@pytest.mark.parametrize(
    ("text", "end", "value"),
    [
        ("(1-exp(-3*p))/(1-exp(-3))", 0, 0),
        ("(1-exp(-3*p))/(1-exp(-3))", 1, 1),
        ("log(1+4*p)/log(1+4)", 1, 1),
        ("p^(3/10)", 0, 0),
        ("p^(3/10)", 1, 1),
        ("sqrt(1-p)", 1, 0),
        ("exp(p)-exp(p)", 0, 0),
        ("max(sqrt(p), exp(-p)-1)", 0, 0),
        ("min(sqrt(p), exp(-3))", 0, 0),
        ("sqrt(p)^sqrt(4)", 1, 1),
        ("exp(p*log(1+p))", 0, 1),
        ("p*log(p)", 0, 0),
        ("p*log(p)", 1, 0),
        ("log(p)", 0, None),
        ("(1-p)*log(1-p)", 1, 0),
        ("(1-p)*(1+log(1-p))", 0, 1),
        ("sqrt(p)/p", 0, None),
        ("(exp(p)-1)/sqrt(p)", 0, None),
        ("log(p - p)", 0, None),
    ],
)
def test_constants_at_the_ends(text: str, end: int, value: int | None) -> None:
    if "p - p" in text:
        leaf: Composite | Rational = Composite("log", (Rational.constant(Fraction(0)),))
    else:
        leaf = split(canonical_information_privacy(text).up)[0][1]
    constant = at_end(leaf, end)
    assert (None if constant is None else constant_value(constant)) == value


def test_constants_that_are_not_rational() -> None:
    leaf = split(canonical_information_privacy("exp(p) + sqrt(1+p)*log(2+p)^(3/2) - min(exp(1+p), 9*p)").up)[0][1]
    constant = at_end(leaf, 0)
    assert constant is not None
    assert constant_value(constant) is None
    with mp.workdps(40):
        assert inside(constant_interval(constant), 1 + mp.log(2) ** q("1.5"), q(10) ** -15)


@pytest.mark.parametrize(
    ("text", "value", "at"),
    [
        ("max(1-exp(-p),p*(1-log(p)/3))", Fraction(3, 2), "1-"),
        ("min(p^(3/10), min(1,3*p))", 3, "0+"),
        ("min(min(1, p + exp(-9)), (1-exp(-8*p))/(1-exp(-8)))", None, None),
        ("min(1, p + exp(-20))", None, None),
        ("max(sqrt(p), (1-exp(-9*p))/(1-exp(-9)))", None, None),
        ("min(sqrt(p), p + p*(1-p))", 2, "0+"),
        ("max(p + p*(1-p)/2, log(1+p)/log(2))", None, None),
    ],
)
def test_what_used_to_be_wide_is_narrow(text: str, value: Fraction | int | None, at: str | None) -> None:
    """Functions that vanish together at an end, and odds ratios that are all near 1."""
    bound = parity_bound(canonical_information_privacy(text))
    assert bound.upper - bound.lower <= Fraction(1, 10**12) * (bound.upper - Fraction(9, 10))
    if value is not None:
        assert bound.lower <= value <= bound.upper
        assert bound.at == at
