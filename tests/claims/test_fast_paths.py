"""The fast paths of the engine give what slow arithmetic gives: FLINT numbers, kept products, signs and factors."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows

from rropt.claims.cards.scope_points import zero_of
from rropt.claims.language import Tree, evaluate, names_of, nodes
from rropt.claims.positivity.handelman import Hypothesis, handelman_terms
from rropt.claims.rational_functions import divided, quotient, value_of
from rropt.claims.symbolic_runs.entry_numbers import EntryRing
from rropt.claims.symbolic_runs.entry_signs import Range, RemainingWork, Signs, TooMuchWorkError
from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.exact.numbers import whole_numbers

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


@few_rows(2)
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


def _number(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-3, 3), rng.randint(1, 3))


def _tree(rng: random.Random, depth: int, *, condition: bool = False) -> Tree:
    """Draw an expression, or a condition, of the language of cards; divisors and powers may be those of 0."""
    if condition:
        kind = rng.choice(["<", "<=", ">", ">=", "=", "!=", "and", "or", "not"] if depth else ["<", "="])
        parts = {"not": 1, "and": 3, "or": 3}.get(kind, 2)
        return (kind, *(_tree(rng, depth - 1, condition=kind in ("and", "or", "not")) for _ in range(parts)))
    if depth <= 0:
        return rng.choice([("number", _number(rng)), ("name", rng.choice("xyz"))])
    kind = rng.choice("+-*/^") if rng.random() < 0.6 else rng.choice(["max", "min", "if"])
    if kind == "^":
        return (kind, _tree(rng, depth - 1), rng.randint(-2, 3))
    test = (_tree(rng, depth - 1, condition=True),) if kind == "if" else ()
    return (kind, *test, _tree(rng, depth - 1), _tree(rng, depth - 1))


def _slow(tree: Tree, values: dict[str, Fraction]) -> Any:
    """Evaluate a tree by Python's fractions, part by part."""
    kind, *parts = tree
    if kind in ("number", "name"):
        return parts[0] if kind == "number" else values[parts[0]]
    if kind == "^":
        return _slow(parts[0], values) ** parts[1]
    if kind == "if":
        return _slow(parts[1] if _slow(parts[0], values) else parts[2], values)
    found = [_slow(part, values) for part in parts]
    a, b = found[0], found[-1]
    if kind == "/":
        return a / b
    simple = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "max": lambda: max(a, b)}
    simple |= {"min": lambda: min(a, b), "<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b}
    simple |= {">=": lambda: a >= b, "=": lambda: a == b, "!=": lambda: a != b, "not": lambda: not a}
    return (simple | {"and": lambda: all(found), "or": lambda: any(found)})[kind]()


@pytest.mark.parametrize("seed", range(8))
def test_a_tree_is_evaluated_as_fractions_are(seed: int) -> None:
    """Also of trees that are dropped at once, so that another one may get their place in memory."""
    rng, undefined = random.Random(seed), 0
    for _ in range(60):
        tree = _tree(rng, rng.randint(0, 3), condition=rng.random() < 0.3)
        values = {name: _number(rng) for name in "xyz"}
        assert names_of(tree) == {node[1] for node in nodes(tree) if node[0] == "name"}
        try:
            wanted = _slow(tree, values)
        except ZeroDivisionError:
            undefined += 1
            with pytest.raises(ZeroDivisionError):
                evaluate(tree, values)
            continue
        found = evaluate(tree, values)
        assert (type(found), found) == (type(wanted), wanted)
    assert undefined


@pytest.mark.parametrize("seed", range(4))
def test_values_and_zeros_of_polynomials(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        said = {tuple(rng.randint(0, 2) for _ in range(3)): _number(rng) for _ in range(rng.randint(0, 4))}
        point = [_number(rng) for _ in range(3)]
        terms = [c * point[0] ** i * point[1] ** j * point[2] ** k for (i, j, k), c in said.items()]
        assert value_of(said, point) == sum(terms, Fraction(0))
        root = zero_of(said, 1, point)
        if root is not None:
            assert value_of(said, [point[0], root, point[2]]) == 0


def test_whole_numbers_of_fractions_and_integers() -> None:
    rng = random.Random(5)
    for _ in range(50):
        values = [rng.choice([_number(rng), Fraction(rng.randint(-9, 9)), rng.randint(-9, 9)]) for _ in range(4)]
        above, below = whole_numbers(iter(values))
        assert [Fraction(x, below) for x in above] == values
        assert all(below % Fraction(x).denominator == 0 for x in values)
    assert whole_numbers([]) == ((), 1)
