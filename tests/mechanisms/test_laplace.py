"""The Laplace mechanism: laws, tails, accuracies and deltas against integrals, lists and sums made here."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest
from every_case import every_case

from rropt.core.errors import FileFormatError, UnsupportedProblemError
from rropt.mechanisms import DiscreteLaplace, Laplace, Sensitivity
from rropt.mechanisms.central.laplace import NORMS
from rropt.mechanisms.central.noise_reports import LaplaceReport, laplace

EPSILONS = ("1/2", "log(3)", "1/2*log(3)", "2")
IS_BELOW = {
    "linf": lambda z, t: max(map(abs, z)) < t,
    "l1": lambda z, t: sum(map(abs, z)) < t,
    "l2": lambda z, t: sum(c * c for c in z) < t * t,
}


def inside(value, bracket, digits=25) -> bool:
    """Whether a number known to some digits lies in an enclosure, which is no wider than 30 digits."""
    slack = abs(value) * mpmath.mpf(10) ** -digits
    low, high = (mpmath.mpf(end.numerator) / end.denominator for end in bracket)
    assert high - low <= high * mpmath.mpf(10) ** -30
    return low - slack <= value <= high + slack


def parts_of(epsilon: str) -> tuple[Fraction, str]:
    """Return r and ``*log(q)`` of a level."""
    times, _, log = epsilon.rpartition("log")
    return Fraction(times.rstrip("*") or 1) if log.startswith("(") else Fraction(epsilon), f"*log{log}" * ("(" in log)


def level(epsilon: str) -> mpmath.mpf:
    times, log = parts_of(epsilon)
    return mpmath.mpf(times.numerator) / times.denominator * (mpmath.log(int(log[5:-1])) if log else 1)


def part_of(part: Fraction, epsilon: str) -> str:
    """Return a share of a level as text."""
    times, log = parts_of(epsilon)
    return f"{part * times}{log}"


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(40):
        yield


@pytest.mark.parametrize(
    ("sensitivity", "moves"),
    [
        (Sensitivity.count(), {"substitution": 1, "add-remove": 1}),
        (Sensitivity.total(-1, 3), {"substitution": 4, "add-remove": 3}),
        (Sensitivity.total(2, 5), {"substitution": 3, "add-remove": 5}),
        (Sensitivity.histogram(3), {"substitution": 2, "add-remove": 1}),
    ],
    ids=["count", "sum -1..3", "sum 2..5", "histogram"],
)
def test_sensitivities_are_the_largest_changes(sensitivity: Sensitivity, moves: dict[str, int]) -> None:
    """All data of up to three people, all neighbours."""
    values, query = {
        "a count": ((0, 1), lambda x: (sum(x),)),
        "a sum of values in [-1, 3]": ((-1, 0, 3), lambda x: (sum(x),)),
        "a sum of values in [2, 5]": ((2, 4, 5), lambda x: (sum(x),)),
        "a histogram of 3 cells": ((0, 1, 2), lambda x: tuple(x.count(c) for c in (0, 1, 2))),
    }[sensitivity.what]

    def apart(x, y) -> int:
        return sum(abs(a - b) for a, b in zip(query(x), query(y), strict=True))

    data = list(product(values, repeat=2))
    assert max(apart((*x, a), (*x, b)) for x in data for a in values for b in values) == moves["substitution"]
    assert max(apart(x, (*x, b)) for x in data for b in values) == moves["add-remove"]
    name, *bounds = sensitivity.what.partition(" of ")[0].split()[-1:], *((2, 5) if "[2" in sensitivity.what else ())
    made = {
        "count": Sensitivity.count,
        "sum": lambda how: Sensitivity.total(*(bounds or (-1, 3)), how),
        "histogram": lambda how: Sensitivity.histogram(3, how),
    }[name[0]]
    for how, move in moves.items():
        assert made(how).l1 == move


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_moments_and_privacy_of_the_discrete_law(epsilon: str) -> None:
    noise = DiscreteLaplace(Sensitivity.total(0, 3), epsilon)
    law = [mpmath.mpf(noise.probability(z).lower.numerator) / noise.probability(z).lower.denominator for z in range(9)]
    a = mpmath.exp(-level(epsilon) / 3)
    assert mpmath.almosteq(law[0], (1 - a) / (1 + a), 1e-30)
    assert all(mpmath.almosteq(q / p, a, 1e-30) for p, q in pairwise(law))
    total = mpmath.nsum(lambda z: 2 * z**2 * law[0] * a**z, [1, mpmath.inf])
    assert inside(total, noise.variance(), 20)
    assert noise.probability("1/2").upper == 0
    near, gamma = np.arange(-300, 300), float(mpmath.exp(level(epsilon) / 2))
    for sensitivity, moves in ((Sensitivity.total(0, 3), (3, 0)), (Sensitivity.histogram(5), (1, 1))):
        fall = float(mpmath.exp(-level(epsilon) / sum(moves)))
        before, *after = ((1 - fall) / (1 + fall) * fall ** abs(near - move) for move in (0, *moves))
        apart = np.multiply.outer(before, before) - gamma * np.multiply.outer(*after)
        delta = DiscreteLaplace(sensitivity, epsilon).delta(part_of(Fraction(1, 2), epsilon))
        assert float(delta.lower) == pytest.approx(apart[apart > 0].sum(), rel=1e-9)


@pytest.mark.slow
@every_case("epsilon", EPSILONS)
@every_case("move", [1, 2, 5])
@every_case("part", [0, Fraction(1, 3), Fraction(9, 10)])
def test_delta_is_the_sum_of_the_positive_parts(epsilon: str, move: int, part: Fraction) -> None:
    """Of the two laws of neighbours, listed; of the continuous law by a quadrature between its kinks."""
    scale, smaller = level(epsilon), part_of(part, epsilon)
    less = level(smaller)
    a, gamma = mpmath.exp(-scale / move), mpmath.exp(less)
    noise = DiscreteLaplace(Sensitivity.total(0, move), epsilon)
    law = lambda z: (1 - a) / (1 + a) * a ** abs(z)  # noqa: E731
    far = int(60 * move / scale)
    listed = sum(max(0, law(z) - gamma * law(z - move)) for z in range(-far, far))
    assert inside(listed, noise.delta(smaller), 15)
    b = move / scale
    smooth = lambda z: mpmath.exp(-abs(z) / b) / (2 * b)  # noqa: E731
    kink = move * (1 - less / scale) / 2
    exact = mpmath.quad(lambda z: smooth(z) - gamma * smooth(z - move), [-60 * b, 0, kink])
    assert inside(exact, Laplace(Sensitivity.given(move), epsilon).delta(smaller), 12)


@pytest.mark.slow
@every_case("epsilon", ["1", "log(3)"])
@every_case("part", [0, Fraction(1, 2), Fraction(9, 10)])
def test_delta_of_a_histogram_whose_person_moves(epsilon: str, part: Fraction) -> None:
    """Two coordinates move by 1 each: listed; less than one coordinate that moves by 2 tells."""
    smaller = part_of(part, epsilon)
    scale, less, sensitivity = level(epsilon), level(smaller), Sensitivity.histogram(5)
    a, gamma = mpmath.exp(-scale / 2), mpmath.exp(less)
    with mpmath.workdps(20):
        law = [(1 - a) / (1 + a) * a ** abs(z) for z in range(-60, 62)]
        pairs = [(p * q, r * s) for p, r in pairwise(law) for q, s in zip(law[1:], law, strict=False)]
        listed = sum(max(0, p - gamma * q) for p, q in pairs)
    assert inside(listed, DiscreteLaplace(sensitivity, epsilon).delta(smaller), 10)
    b = 2 / scale
    smooth = lambda z: mpmath.exp(-abs(z) / b) / (2 * b)  # noqa: E731

    def inner(y):  # the first coordinate's event at a loss of the second: a half line
        loss = (abs(y + 1) - abs(y)) / b
        cut = (1 - (less - loss) * b) / 2
        cut = mpmath.inf if less - loss < -1 / b else min(cut, 60 * b)
        if less - loss >= 1 / b:
            return mpmath.mpf(0)
        below = lambda c: 1 - mpmath.exp(-c / b) / 2 if c >= 0 else mpmath.exp(c / b) / 2  # noqa: E731
        return smooth(y) * below(cut) - gamma * smooth(y + 1) * below(cut - 1)

    with mpmath.workdps(16):
        exact = mpmath.quad(inner, [-60 * b, -1, less * b / 2 - 1, 0, 60 * b])
    got = Laplace(sensitivity, epsilon).delta(smaller)
    assert abs(exact - float(got.lower)) < 1e-8
    assert got.upper < Laplace(Sensitivity.given(2), epsilon).delta(smaller).lower


@every_case("epsilon", EPSILONS)
@every_case("d", [1, 2, 3])
@every_case("norm", NORMS)
def test_discrete_tails_are_sums_of_the_law(epsilon: str, d: int, norm: str) -> None:
    noise = DiscreteLaplace(Sensitivity.given(1, d), epsilon)
    a, near = mpmath.exp(-level(epsilon)), range(-4, 5)
    for t in (1, 2, Fraction(5, 2), 4):
        points = [z for z in product(near, repeat=d) if IS_BELOW[norm](z, t)]
        below = sum(((1 - a) / (1 + a)) ** d * a ** sum(map(abs, z)) for z in points)
        assert inside(1 - below, noise.tail(t, norm), 25), t


@every_case("d", [1, 2, 3, 5])
@every_case("x", ["1/10", 1, 3, 20])
def test_continuous_tails(d: int, x: object) -> None:
    """linf and l1 by their integrals, l2 by nested ones (two and three coordinates)."""
    noise, t = Laplace(Sensitivity.given(2, d), "1/2"), 4 * Fraction(x)  # scale 4
    far = mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator
    assert inside(1 - (1 - mpmath.exp(-far)) ** d, noise.tail(t))
    assert inside(mpmath.gammainc(d, far) / mpmath.gamma(d), noise.tail(t, "l1"))
    if d == 1:
        assert noise.tail(t, "l2") == noise.tail(t)
    else:
        low, high = noise.tail(t, "linf").upper, noise.tail(t, "l1").lower
        assert low < noise.tail(t, "l2").lower < noise.tail(t, "l2").upper < high
    if d == 2:
        with mpmath.workdps(20):
            assert inside(outside_a_disc(far, 9), noise.tail(t, "l2"), 14)
    if d == 3 and far < 4:

        def slab(s):
            near = far * mpmath.cos(s)
            return near * mpmath.exp(-far * mpmath.sin(s)) * outside_a_disc(near, 2)

        with mpmath.workdps(10):
            outside = mpmath.exp(-far) + mpmath.quad(slab, [0, mpmath.pi / 2])
        assert abs(outside - float(noise.tail(t, "l2").lower)) < 1e-8


def outside_a_disc(radius, pieces: int):
    """Return the chance that two coordinates are ``radius sin s`` and more than ``radius cos s``, over all s."""

    def arc(s):
        return radius * mpmath.cos(s) * mpmath.exp(-radius * (mpmath.sin(s) + mpmath.cos(s)))

    return mpmath.exp(-radius) + mpmath.quad(arc, mpmath.linspace(0, mpmath.pi / 2, pieces))


@every_case("d", [1, 2, 5])
@every_case("norm", NORMS)
@every_case("epsilon", ["1/10", "log(3)"])
def test_accuracies_are_the_least(d: int, norm: str, epsilon: str) -> None:
    beta = Fraction(1, 20)
    smooth = Laplace(Sensitivity.given(1, d), epsilon)
    t = smooth.accuracy(beta, norm)
    step = smooth.scale().upper / 10**6
    assert smooth.tail(t, norm).upper <= beta < smooth.tail(t - step, norm).lower
    noise = DiscreteLaplace(Sensitivity.given("1/2", d), epsilon, "1/2")
    k = noise.accuracy(beta, norm)
    assert noise.tail(k + Fraction(1, 2), norm).upper <= beta < noise.tail(k, norm).lower


def test_a_scale_far_from_one() -> None:
    for delta in ("1/10000000", "10000000"):
        noise = Laplace(Sensitivity.given(delta), "3")
        assert abs(float(noise.accuracy("1/20") / noise.scale().upper) - 2.9957323) < 2e-6
    assert DiscreteLaplace(Sensitivity.count(), Fraction(1, 10**30)).accuracy("1/20") > 10**30  # beyond machine words


def test_far_thresholds() -> None:
    """Refused at once beyond a million scales, by scales and not by the base of a level; known before."""
    near = Laplace(Sensitivity.count(), "log(1.0000001)").tail(10**7)
    assert 0.36 < near.lower < 0.37
    assert Laplace(Sensitivity.count(), 1).tail(10**5).upper < Fraction(1, 10**43429)
    for noise in (Laplace(Sensitivity.count(), 1), DiscreteLaplace(Sensitivity.count(), "log(2)")):
        with pytest.raises(UnsupportedProblemError, match="too far"):
            noise.tail(Fraction(10**399))


def test_reports_of_two_questions_are_no_report() -> None:
    """Such a file was read, and its summary ended in a ValueError."""
    data = laplace(1, at="1/2").to_dict()
    data["continuous"] |= {"at": None, "delta": None}
    with pytest.raises(FileFormatError, match="different questions"):
        LaplaceReport.from_dict(data)


@pytest.mark.parametrize(("neighbours", "exact"), [("substitution", "0.2418366756"), ("add-remove", "0.3934693403")])
def test_delta_of_a_histogram_below_its_level(neighbours: str, exact: str) -> None:
    """At epsilon = 2 and level 1: 1 - (1 + 1/4) exp(-1/2) if two cells move, 1 - exp(-1/2) if one does."""
    got = Laplace(Sensitivity.histogram(3, neighbours), "2").delta("1")
    assert abs(got.lower - Fraction(exact)) < Fraction(1, 10**9)
