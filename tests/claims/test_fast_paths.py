"""The fast paths of the engine give what slow arithmetic gives: FLINT numbers, kept products, signs and factors."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest
import sympy as sp

from rropt.claims.positivity.handelman import Hypothesis, handelman_terms
from rropt.claims.rational_functions import divided, quotient
from rropt.claims.symbolic_runs.entry_numbers import EntryRing
from rropt.claims.symbolic_runs.entry_signs import Range, RemainingWork, Signs, TooMuchWorkError
from rropt.core.exact.flint_numbers import as_flint, as_fraction

X, Y, Z = SYMBOLS = sp.symbols("x y z")


def _polynomial(rng: random.Random, terms: int = 3, degree: int = 2) -> Any:
    """Draw a polynomial in x, y, z, often with few symbols, sometimes 0 or a constant."""
    return sp.Add(
        *(
            sp.Rational(rng.randint(-4, 4), rng.randint(1, 3)) * sp.Mul(*rng.choices(SYMBOLS, k=rng.randint(0, degree)))
            for _ in range(rng.randint(0, terms))
        )
    )


@pytest.mark.parametrize("value", [Fraction(0), Fraction(-3, 7), Fraction(10**40, 3), Fraction(-5)])
def test_a_fraction_returns_from_flint(value: Fraction) -> None:
    found = as_fraction(as_flint(value))
    assert (found, hash(found), repr(found)) == (value, hash(value), repr(value))
    assert found + Fraction(1, 2) == value + Fraction(1, 2)
    assert type(found.numerator) is type(found.denominator) is int


@pytest.mark.parametrize("seed", range(6))
def test_a_division_against_sympy(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(6):
        others = [part for _ in range(rng.randint(1, 3)) if (part := sp.expand(_polynomial(rng))) != 0]
        whole = sp.Add(*(part * _polynomial(rng) for part in others)) if number % 2 else _polynomial(rng, 4, 3)
        if others:
            wanted = sp.reduced(sp.expand(whole), others, *SYMBOLS, domain="QQ")
            assert divided(whole, others, SYMBOLS) == wanted
    with pytest.raises(sp.PolynomialError):
        divided(X / Y, [X], SYMBOLS)
    with pytest.raises(ZeroDivisionError):
        divided(X, [sp.Integer(0)], SYMBOLS)


@pytest.mark.parametrize("power", [-3, -2, -1, 0, 1, 2, 3])
def test_a_power_as_a_quotient(power: int) -> None:
    base = (X + 1) / (Y - 2)
    assert quotient(base**power + X) == tuple(map(sp.expand, sp.fraction(sp.together(base**power + X))))


def test_sums_do_not_depend_on_earlier_searches() -> None:
    """Products are kept for the next search: a larger or a smaller degree before changes no sum."""
    hypotheses = [Hypothesis(X), Hypothesis(1 - X, strict=True), Hypothesis(Y), Hypothesis(2 - Y)]
    targets = [sp.sympify(text) for text in ("x*y", "x*(2 - y) + y", "2 - x*y", "(1 - x)*(2 - y)*y", "1 + x")]
    symbols = [X, Y]

    def found(target: Any, degree: int) -> Any:
        coefficients = {key: Fraction(int(x.p), int(x.q)) for key, x in sp.Poly(target, *symbols).terms()}
        try:
            return handelman_terms(coefficients, hypotheses, symbols, degree=degree)
        except ArithmeticError:
            return None

    first = {(number, degree): found(target, degree) for number, target in enumerate(targets) for degree in (3, 1, 2)}
    again = {(number, degree): found(targets[number], degree) for number, degree in reversed(first)}
    assert first == again
    for (number, degree), terms in first.items():
        if terms is not None:  # the sum is the polynomial, with products of at most this degree
            written = sp.Add(
                *(
                    sp.Rational(t.coefficient.numerator, t.coefficient.denominator)
                    * sp.Mul(*(hypotheses[i].polynomial ** e for i, e in t.powers))
                    for t in terms
                )
            )
            assert sp.expand(written - targets[number]) == 0
            assert all(sum(e for _, e in t.powers) <= degree and t.coefficient > 0 for t in terms)
    assert any(terms is None for terms in first.values())
    assert sum(terms is not None for terms in first.values()) > len(targets)


def _signs(ring: EntryRing, rng: random.Random) -> Signs:
    """Draw ranges of all symbols: bounded, unbounded, open, closed, a single point away, and free."""
    ranges = []
    for _ in ring.generators:
        start = Fraction(rng.randint(-2, 2), 2)
        end = rng.choice([None, start + Fraction(rng.randint(1, 4), 2)])
        is_free = rng.random() < 0.2
        ranges.append(Range(None if is_free else start, end, rng.random() < 0.5, rng.random() < 0.5))
    return Signs(ring, ranges, budget=RemainingWork(0))


@pytest.mark.parametrize("seed", range(4))
def test_kept_signs_are_those_of_a_new_ring(seed: int) -> None:
    """Every sign and the work that it costs are the same with what earlier branches kept, and without."""
    rng = random.Random(seed)
    kept = EntryRing(sp.symbols("x y z"), 0)
    for _ in range(12):
        state = rng.getstate()
        new = EntryRing(sp.symbols("x y z"), 0)
        signs = []
        for ring in (kept, kept, new):
            rng.setstate(state)
            here, said = _signs(ring, rng), []
            for _ in range(5):
                polynomial = ring.constant(rng.randint(-1, 1))
                for size, _ in combinations_with_replacement(range(1, 4), 2):
                    factors = [rng.choice(ring.generators) for _ in range(size)]
                    term = ring.constant(rng.randint(-2, 2))
                    for factor in factors:
                        term = term * factor
                    polynomial = polynomial + term
                said.append((here.sign(polynomial), here.budget.work))
                if not polynomial.is_constant():
                    here.add(polynomial, rng.choice([">", ">=", "!=", "="]))
                    said.append((here.sign(polynomial), here.impossible, here.budget.work))
            signs.append(said)
        assert signs[0] == signs[1] == signs[2]


def test_kept_signs_still_cost_work() -> None:
    ring = EntryRing(sp.symbols("x y"), 0)
    x, y = ring.generators
    signs = Signs(ring, [Range(Fraction(0), Fraction(1))] * 2, budget=RemainingWork(0, work=1000))
    assert signs.sign(x * y + x) == ">="
    signs.budget.work %= 1000 - signs.budget.work  # less is left than the sign costs
    with pytest.raises(TooMuchWorkError):
        signs.sign(x * y + x)


def test_factors_are_those_of_flint() -> None:
    ring = EntryRing(sp.symbols("x y"), 0)
    x, y = ring.generators
    for polynomial in (x * y - x, (x - y) ** 2 * 3, x + y, ring.constant(7)):
        assert ring.factors(polynomial) == ring.factors(polynomial) == polynomial.factor()
