"""Signs of polynomials from facts, held against points: what is said to follow holds wherever the facts hold."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import fmpq

from rropt.claims.symbolic_runs.entry_numbers import EntryRing
from rropt.claims.symbolic_runs.entry_signs import Range, RemainingWork, Signs, _put

SIGNS: dict[str, Callable[[Fraction], bool]] = {
    ">": lambda x: x > 0,
    ">=": lambda x: x >= 0,
    "=": lambda x: x == 0,
    "!=": lambda x: x != 0,
    "<=": lambda x: x <= 0,
    "<": lambda x: x < 0,
}
Terms = dict[tuple[int, ...], int]


def value(terms: Terms, point: list[Fraction]) -> Fraction:
    """The polynomial in plain fractions: no code of the library."""
    total = Fraction(0)
    for powers, c in terms.items():
        product = Fraction(c)
        for x, power in zip(point, powers, strict=True):
            product *= x**power
        total += product
    return total


FACTORS: list[Terms] = [  # x, y, x - 1, x - y, 2 y + 1
    {(1, 0): 1},
    {(0, 1): 1},
    {(1, 0): 1, (0, 0): -1},
    {(1, 0): 1, (0, 1): -1},
    {(0, 1): 2, (0, 0): 1},
]


def product(factors: list[Terms]) -> Terms:
    found: Terms = {(0, 0): 1}
    for factor in factors:
        terms = Counter[tuple[int, ...]]()
        for (a, b), c in found.items():
            for (d, e), f in factor.items():
                terms[a + d, b + e] += c * f
        found = dict(terms)
    return found


def drawn(rng: random.Random) -> Terms:
    """A polynomial of two symbols; zero, a constant, a square or a product of powers up to 3 one time in three."""
    kind = rng.randrange(18)
    if kind > 14:
        few = rng.sample(FACTORS, 2)
        return product([{(0, 0): rng.choice((1, -1))}, *(each for each in few for _ in range(rng.randint(1, 3)))])
    if kind < 2:
        return {(0, 0): rng.choice((0, 1, -1))}
    if kind == 2:
        a, b = rng.randint(-2, 2), rng.randint(-2, 2)
        return {(2, 0): a * a, (1, 1): 2 * a * b, (0, 2): b * b}
    powers = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)]
    return {each: rng.choice((-2, -1, 0, 0, 1, 2)) for each in powers}


def ends(rng: random.Random) -> list[tuple[int, int, str]]:
    """Facts ``slope x + constant sign 0``: closed and open ends, and values that x does not have, of 0 and 1 or 1/2."""
    turned = [(turn * q, -turn * p) for p, q in ((0, 1), (1, rng.randint(1, 2))) for turn in (1, -1)]
    return rng.sample([(*fact, sign) for fact in turned for sign in (">=", ">", "!=")], rng.randint(0, 3))


POINTS = [Fraction(a, 6) for a in (*range(-7, 13), 24)]


@pytest.mark.slow
@pytest.mark.parametrize("proofs", [0, 2], ids=["at once", "with sums"])
def test_what_follows_holds_at_every_point(proofs: int, rng: random.Random, size: Callable[[int, int], int]) -> None:
    counts = Counter[str]()
    for _ in range(size(150, 12_000) if not proofs else size(30, 300)):
        ring = EntryRing(sp.symbols("x y"), 0)
        x, y = ring.generators
        signs = Signs(ring, [Range(), Range()], budget=RemainingWork(proofs))
        own = [ends(rng), ends(rng)]
        written = [(drawn(rng), rng.choice(list(SIGNS))) for _ in range(rng.randint(0, 3))]
        goal = drawn(rng)
        polynomial, *facts = (
            sum((c * x**a * y**b for (a, b), c in terms.items()), ring.constant(0))
            for terms in (goal, *(terms for terms, _ in written))
        )
        given = [(x * a + ring.constant(b), sign) for x, one in zip((x, y), own, strict=True) for a, b, sign in one]
        given += [(fact, sign) for fact, (_, sign) in zip(facts, written, strict=True)]
        for fact, sign in rng.sample(given, len(given)):
            signs.add(fact, sign)
        axes = ([p for p in POINTS if all(SIGNS[sign](a * p + b) for a, b, sign in one)] for one in own)
        places = map(list, itertools.product(*axes))
        admitted = [place for place in places if all(SIGNS[sign](value(terms, place)) for terms, sign in written)]
        if signs.impossible:
            counts["impossible"] += 1
            assert not admitted, (own, written)
            continue
        said = signs.sign(polynomial)
        if said == "false":
            assert not admitted, (own, written)
        elif said:
            counts[f"sign {said}"] += 1
            assert all(SIGNS[said](value(goal, point)) for point in admitted), (own, written, goal, said)
        for wanted in (rng.choice((">", ">=")), "="):
            if signs.copy().proves(polynomial, wanted, "goal"):
                counts[f"proved {wanted}"] += 1
                assert all(SIGNS[wanted](value(goal, point)) for point in admitted), (own, written, goal, wanted)
    assert counts["impossible"] >= 1
    assert min(counts["proved >="], counts["proved ="]) >= 1
    print(dict(counts))


def _two(ranges: list[Range]) -> tuple[Signs, Any, Any]:
    ring = EntryRing(sp.symbols("x y"), 0)
    return Signs(ring, ranges, budget=RemainingWork(0)), *ring.generators


def test_a_lower_bound_alone_makes_a_range_of_a_free_symbol() -> None:
    """From x > 1 follows 1/x < x; from x < 1 and from x != 1 follows nothing of the sign of x."""
    for turn, sign, found in ((1, ">", ">"), (1, ">=", ">"), (-1, ">", ""), (-1, ">=", ""), (1, "!=", "")):
        signs, x, y = _two([Range(), Range()])
        signs.add((x - signs.ring.one) * turn, sign)
        assert signs.sign(x) == found
        assert signs.sign(y) == ""
        assert not signs.impossible
    signs.add(y * 2 + 3 * signs.ring.one, ">")
    assert signs.sign(y) == ""  # y > -3/2
    assert signs.sign(y + 2 * signs.ring.one) == ">"


def test_a_negative_factor_turns_the_sign_in_every_odd_power() -> None:
    """From y < 0 and y^n (x - y) > 0 follows x < y for odd n, and x > y for even n."""
    for power, found in ((1, "<"), (2, ">"), (3, "<"), (4, ">")):
        signs, x, y = _two([Range(), Range()])
        signs.add(y, "<")
        signs.add(y**power * (x - y), ">")
        assert signs.sign(x - y) == found, power
        signs, x, y = _two([Range(), Range()])
        signs.add(y, "!=")
        signs.add(y**power * (x - y), ">")
        assert signs.sign(x - y) == ("" if power % 2 else ">"), power


@pytest.mark.parametrize("turn", [1, -1])
def test_a_factor_whose_sign_is_proved_turns_a_product(turn: int) -> None:
    """For 0 < x < 1 and y > x, y - x^2 is positive: not at once, but by a sum."""
    signs, x, y = _two([Range(), Range()])
    signs.budget, signs.ring.points = RemainingWork(9), [[fmpq(1, 2), fmpq(1)]]
    for fact, sign in ((x, ">="), (signs.ring.one - x, ">="), (y, ">"), (y - x, ">")):
        signs.add(fact, sign)
    for power in (1, 2, 3):
        goal = y * (turn * (y - x**2)) ** power
        assert signs.copy().proves(goal, ">", "goal") == (turn > 0 or power == 2), power


def test_0_is_positive_only_where_facts_contradict_each_other() -> None:
    """No symbol occurs in the polynomial 0, also none of an unused maximum; x > y > z > x is refuted by a sum."""
    ring = EntryRing(sp.symbols("x y z"), 1)
    x, y, z, _ = ring.generators
    signs, zero = Signs(ring, [Range()] * 4, budget=RemainingWork(8)), ring.constant(0)
    for fact in (x - y, y - z):
        signs.add(fact, ">")
    assert signs.proves(zero, ">=", "goal")
    assert not signs.proves(zero, ">", "goal")
    signs.add(z - x, ">")
    assert not signs.impossible
    assert signs.proves(zero, ">", "goal")


@pytest.mark.parametrize("sign", ["<", "<="])
def test_a_fact_is_kept_as_one_that_is_positive(sign: str) -> None:
    """The prover reads every fact as ``>=``: x <= 1/2 must not become x >= 1/2."""
    ring = EntryRing([sp.Symbol("x")], 0)
    (x,) = ring.generators
    signs = Signs(ring, [Range()], budget=RemainingWork(4))
    half = ring.constant(Fraction(1, 2))
    signs.add(x - half, sign)
    assert all(said in (">", ">=") for _, said in signs.known)
    assert signs.proves(ring.one - x, ">=", "x is at most 1")
    assert not signs.copy().proves(x - half * half, ">=", "x is at least 1/4")


def test_the_oracle_notices_a_turned_fact(monkeypatch: pytest.MonkeyPatch, rng: random.Random) -> None:
    """The error that was once there: facts with ``<=`` taken for ``>=``."""
    kept: Any = Signs.add
    monkeypatch.setattr(Signs, "add", lambda self, f, sign: kept(self, f, {"<=": ">=", "<": ">"}.get(sign, sign)))
    with pytest.raises(AssertionError):
        test_what_follows_holds_at_every_point(0, rng, lambda ci, stress: ci)


def test_a_quotient_in_the_place_of_a_symbol_keeps_the_sign(rng: random.Random) -> None:
    """Also where its denominator is negative, and in odd powers of the symbol."""
    ring = EntryRing(sp.symbols("x y"), 0)
    x, y = ring.generators
    for power in (1, 2, 3):
        polynomial = x**power - y + ring.one
        found = _put(polynomial, 0, y + ring.one, y - 2 * ring.one, ring)
        for _ in range(20):
            at = Fraction(2 * rng.randint(-40, 40) + 1, 14)  # not 2
            said = (at + 1) ** power / (at - 2) ** power - at + 1
            there = found(0, fmpq(at.numerator, at.denominator))
            assert (there > 0, there < 0) == (said > 0, said < 0)
