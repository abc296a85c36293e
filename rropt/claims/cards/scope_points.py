"""Exact points of a scope with equations, which values drawn for each variable by itself almost never meet.

The conditions that are linear for given values of the integer variables have a polytope. Its vertices are optima of
of the sides of the statement, where these are linear, and of random objectives, found by the exact solver of
``core.linear``; points between them have random rational weights. On a quadratic equation a line through a known point
meets it in one more rational point. All points are exact; the caller keeps those at which all conditions are true.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from rropt.claims.rational_functions import Coefficients, value_of
from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.linear import ProgramBuilder, optimum
from rropt.core.linear.programs import Relation

Linear = tuple[Relation, Coefficients]
"""A relation to 0, and the coefficients of its left-hand side, of degree 1."""

_OBJECTIVES = 24  # each costs about a millisecond
_FAR = 1000  # the end of a direction in which the scope has no bound
_MOST_WEIGHT = 9
_MIXED = 4  # vertices of a point in between


def polytope_points(
    rows: Sequence[Linear], objectives: Sequence[Coefficients], count: int, most: int, rng: random.Random
) -> Iterator[list[Fraction]]:
    """Iterate over vertices of a polytope and points between them; nothing if it is empty.

    Args:
        rows: the conditions.
        objectives: polynomials of degree 1 whose least values are sought first.
        count: the number of variables.
        most: the number of points between the vertices.
        rng: the source of other objectives and of the weights.
    """
    found: dict[tuple[Fraction, ...], None] = {}
    costs = [[said.get(_unit(place, count), Fraction(0)) for place in range(count)] for said in objectives]
    costs += [[Fraction(rng.randint(-20, 20)) for _ in range(count)] for _ in range(_OBJECTIVES)]
    for cost in costs:
        builder = ProgramBuilder("minimise")
        for place in range(count):
            builder.variable(str(place), cost=cost[place], sign="free")
            builder.row("", {place: 1}, "<=", _FAR)
            builder.row("", {place: 1}, ">=", -_FAR)
        for sign, said in rows:
            at_0 = said.get((0,) * count, Fraction(0))
            builder.row("", {key.index(1): value for key, value in said.items() if any(key)}, sign, -at_0)
        best = optimum(builder.build())
        if best is None:
            break
        found[tuple(best.primal)] = None
    vertices = [*map(list, found)]
    yield from vertices
    for _ in range(most if len(vertices) > 1 else 0):
        some = rng.sample(vertices, rng.randint(2, min(_MIXED, len(vertices))))
        weights = [rng.randint(1, _MOST_WEIGHT) for _ in some]
        total = sum(weights)
        yield [
            sum((w * x for w, x in zip(weights, each, strict=True)), Fraction(0)) / total
            for each in zip(*some, strict=True)
        ]


def quadric_points(
    equations: Sequence[Coefficients], known: Sequence[Sequence[Fraction]], most: int, rng: random.Random
) -> Iterator[list[Fraction]]:
    """Iterate over points of a quadratic equation, among linear ones: where lines through known points meet it again.

    Nothing is found if the equations are others, or no point is known.
    """
    import sympy as sp

    degrees = [max(map(sum, said)) for said in equations]
    if sorted(degrees)[-2:] not in ([2], [1, 2]) or not known:
        return
    said = equations[degrees.index(2)]
    count = len(known[0])
    slopes = [
        [other.get(_unit(place, count), Fraction(0)) for place in range(count)]
        for other, degree in zip(equations, degrees, strict=True)
        if degree == 1
    ]
    kernel = sp.Matrix(slopes).nullspace() if slopes else [sp.Matrix(_unit(place, count)) for place in range(count)]
    basis = [[Fraction(int(x.p), int(x.q)) for x in each] for each in kernel]
    for _ in range(most):
        weights = [rng.randint(-_MOST_WEIGHT, _MOST_WEIGHT) for _ in basis]
        line = [sum((w * each[i] for w, each in zip(weights, basis, strict=True)), Fraction(0)) for i in range(count)]
        point = rng.choice(known)
        ahead, behind = (value_of(said, [x + turn * v for x, v in zip(point, line, strict=True)]) for turn in (1, -1))
        if ahead + behind:  # twice the quadratic coefficient along the line, and ahead - behind twice the linear one
            step = (behind - ahead) / (ahead + behind)
            yield [x + step * v for x, v in zip(point, line, strict=True)]


def _unit(place: int, count: int) -> tuple[int, ...]:
    return tuple(int(other == place) for other in range(count))


def zero_of(said: Coefficients, place: int, point: Sequence[Fraction]) -> Fraction | None:
    """Return the value of one variable at which a polynomial is 0 when the others keep their values.

    It is None if the polynomial is not linear in the variable, or does not depend on it there.
    """
    if max((key[place] for key in said), default=0) != 1:
        return None
    slope, rest, known = as_flint(Fraction(0)), as_flint(Fraction(0)), [as_flint(x) for x in point]
    for key, value in said.items():
        term = as_flint(value)
        for other, power in enumerate(key):
            if power and other != place:
                term *= known[other] ** power
        if key[place]:
            slope += term
        else:
            rest += term
    return as_fraction(-rest / slope) if slope else None


def multiplied(polynomials: Sequence[Coefficients], given: Iterable[int]) -> list[int]:
    """Return variables, the given ones among them, for whose values all polynomials are linear in the others.

    The variable of most products comes first.
    """
    chosen = set(given)
    while True:
        left = [
            [place for place, power in enumerate(key) if power and place not in chosen]
            for said in polynomials
            for key in said
            if sum(power for place, power in enumerate(key) if place not in chosen) > 1
        ]
        if not left:
            return sorted(chosen)
        chosen.add(Counter(place for product in left for place in product).most_common(1)[0][0])


def linear_in(said: Coefficients, places: Sequence[int], values: Mapping[int, Fraction]) -> Coefficients:
    """Return a polynomial in some variables, in which it is linear, with values for the others."""
    made: dict[tuple[int, ...], Fraction] = {}
    for key, value in said.items():
        for place, power in enumerate(key):
            if power and place in values:
                value *= values[place] ** power
        left = tuple(key[place] for place in places)
        made[left] = made.get(left, Fraction(0)) + value
    return {key: value for key, value in made.items() if value}
