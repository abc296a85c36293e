"""The claims in rows of Holohan, Leith and Mason (2016) on the estimator, its margins and the level sets of g."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt.claims.outcomes import value_text
from rropt.claims.positivity import Hypothesis, prove_identity, prove_positive
from rropt.core.certificates import Certificate
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.objectives import binary_variance
from rropt_proofs._laws import chance_of, number_of_ones
from rropt_proofs.holohan2016._paper import (
    PI,
    A,
    B,
    Design,
    at,
    determinant,
    optima,
    polynomial,
    rational_roots,
    yes_probability,
)

Certificates = tuple[tuple[str, Certificate], ...]

SAMPLE = Domain.whole("sample size", 1, 4)
YES = Domain.whole("answers 1", 0, 4)
SIZE = Domain("sample size n >= 1", (1, 2, 7), lambda rng: rng.randint(1, 9), "x >= 1")


def defined_estimate(p00: Fraction, p11: Fraction) -> bool:
    """p00 + p11 != 1"""
    return p00 + p11 != 1


def some_answers(n: int, N: int) -> bool:
    """0 <= N <= n"""
    return 0 <= N <= n


def within_range(p00: Fraction, p11: Fraction, n: int, N: int) -> bool:
    """N/n lies between 1 - p00 and p11"""
    low, high = sorted((1 - p00, p11))
    return bool(low <= Fraction(N, n) <= high)


def theorem_1(p00: Fraction, p11: Fraction, n: int, N: int, *, one: Any = 1) -> list[Row]:
    """All prevalences in [0, 1] of largest likelihood: the polynomial L(pi) at 0, 1 and the roots of L'."""
    gap = Fraction(p00 + p11 - 1)
    positive = polynomial(1 - p00, p00 + p11 - 1)  # Pr(X = 1), a polynomial in pi
    likelihood = positive**N * (1 - positive) ** (n - N)
    inside = [x for x in rational_roots(likelihood.derivative()) if 0 < x < 1]
    values = {x: at(likelihood, x) for x in (Fraction(0), Fraction(1), *inside)}
    largest = frozenset(x for x, value in values.items() if value == max(values.values()))
    return [("the maximisers", largest, "=", frozenset({(p00 - one) / gap + N / (gap * n)}))]


def theorem_1_working(p00: Fraction, p11: Fraction, n: int, N: int) -> str:
    """Formula (4), and the likelihood at the endpoints of [0, 1]."""
    ((_, largest, _, stated),) = theorem_1(p00, p11, n, N)
    (estimate,) = stated
    ends = [
        f"L({x}) = ({share})^{N} ({1 - share})^{n - N} = {share**N * (1 - share) ** (n - N)}"
        for x, share in ((0, 1 - p00), (1, p11))
    ]
    where = "in" if 0 <= estimate <= 1 else "outside"
    return (
        f"(4) is ({p00 - 1} + {N}/{n})/({p00 + p11 - 1}) = {estimate}, {where} [0, 1]\n"
        f"L(pi) = Pr(X = 1)^{N} Pr(X = 0)^{n - N} with Pr(X = 1) = 1 - p00 + (p00 + p11 - 1) pi has "
        f"{' and '.join(ends)}, and is largest at pi in {value_text(largest)}"
    )


def score_certificates() -> Certificates:
    """Return the derivative of log L, its signs, and when (4) is a proportion."""
    yes, size = sp.symbols("yes n")  # N answers 1 among n
    estimate = (A - 1) / determinant + yes / (determinant * size)
    score = yes / yes_probability * determinant - (size - yes) / (1 - yes_probability) * determinant
    derivative = size * determinant**2 * (estimate - PI) / (yes_probability * (1 - yes_probability))
    inside = [Hypothesis(PI, strict=True), Hypothesis(1 - PI, strict=True)]
    ranges = {
        ">": [Hypothesis(1 - A), Hypothesis(1 - B), Hypothesis(determinant, strict=True), *inside],
        "<": [Hypothesis(A), Hypothesis(B), Hypothesis(-determinant, strict=True), *inside],
    }
    signs = [
        (f"{name} > 0 for D {sign} 0", prove_positive(value, known, strict=True, degree=2))
        for sign, known in ranges.items()
        for name, value in (("lambda", yes_probability), ("1 - lambda", 1 - yes_probability))
    ]
    return (
        ("the derivative of log L", prove_identity(score, derivative)),
        *signs,
        ("when (4) >= 0", prove_identity(determinant * estimate, yes / size - (1 - A))),
        ("when (4) <= 1", prove_identity(determinant * (1 - estimate), B - yes / size)),
    )


def eq_7b(p00: Fraction, p11: Fraction, pi: Fraction, n: int, *, percent: int = 95) -> list[Row]:
    """The exact probability of a deviation of at most 4.5 standard deviations; squares compare without roots."""
    gap = p00 + p11 - 1
    bound = Fraction(9, 2) ** 2 * binary_variance(p00, p11, pi) / n
    law = number_of_ones([(1 - pi) * (1 - p00) + pi * p11] * n)
    chance = chance_of(law, lambda count: ((p00 - 1 + Fraction(count) / n) / gap - pi) ** 2 <= bound)
    return [("the probability", chance, ">=", Fraction(percent, 100))]


def eq_7c(mu: Fraction, sigma: Fraction, *, least: Any = Fraction(95, 100)) -> list[Row]:
    """A rational lower bound, within 1e-14, of the probability: an enclosure of the two normal tails by balls."""
    z = Fraction(196, 100)

    def below(x: Fraction) -> Any:
        return (1 + (ball((x - mu) / sigma) / arb(2).sqrt()).erf()) / 2

    chance = bracket(below(mu + z * sigma) - below(mu - z * sigma)).lower
    return [("the probability", chance, ">=", least)]


def normal_certificates() -> Certificates:
    """Return the integral of a partial sum of exp(-x^2/2), to an odd index, and its bound; p is the circle's number."""
    x, circle = sp.symbols("x p")
    terms = [(-1) ** k * x ** (2 * k) / (sp.Integer(2) ** k * sp.factorial(k)) for k in range(16)]
    integral = sp.Add(*(term * x / (2 * k + 1) for k, term in enumerate(terms)))
    core = 2 * integral.subs(x, sp.Rational(49, 25)) ** 2 - sp.Rational(19, 20) ** 2 * circle
    bound = [Hypothesis(sp.Rational(355, 113) - circle)]
    return (
        ("S is the antiderivative", prove_identity(sp.diff(integral, x), sp.Add(*terms))),
        ("2 S(z)^2 > (19/20)^2 p", prove_positive(core, bound, strict=True, degree=1)),
    )


def _level_point(level: Fraction, slope: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return gamma and delta on the level set g = level, on the ray delta = slope (gamma - 1); None if there is none.

    ``g = level`` is the conic ``delta (gamma + delta) = level (gamma - 1 + 2 delta)^2`` through (gamma, delta) =
    (1, 0), so every ray meets it once more: ``gamma - 1 = slope/(level - (1 - 4 level)(slope + slope^2))``.
    """
    divisor = level - (1 - 4 * level) * (slope + slope**2)
    if divisor <= 0 or slope**2 > divisor:
        return None  # no such point, or delta > 1
    return 1 + slope / divisor, slope**2 / divisor


def on_level_set(level: Fraction, slope: Fraction) -> bool:
    """the ray meets the level set where 0 < delta <= 1"""
    return _level_point(level, slope) is not None


def figure_1(level: Fraction, slope: Fraction, *, turned: bool = False, more: Any = 0) -> list[Row]:
    """g by its formula, the optima by the certified enumeration of vertices: at the level, below it and above it."""
    gamma, delta = _level_point(level, slope) or (Fraction(1), Fraction(0))
    one, m = Fraction(1), (gamma + delta) / (gamma + 1)
    corners: set[Design] = {(one, delta), (delta, one)} if level == Fraction(1, 2) else {(one, delta)}
    below, above = frozenset({(one, delta)}), frozenset({(m, m)})
    stated = [(10, "at pi = g", corners | above), (9, "at pi = 9 g/10", above if turned else below)]
    stated += [(11, "at pi = 11 g/10", below if turned else above)] if level < Fraction(1, 2) else []
    value = delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2
    rows: list[Row] = [("g", value, "=", level + more)]
    for tenths, name, designs in stated:
        there = {"gamma": gamma, "delta": delta, "pi": level * Fraction(tenths, 10)}
        rows.append((f"optima {name}", optima(there), "=", frozenset(designs)))
    return rows
