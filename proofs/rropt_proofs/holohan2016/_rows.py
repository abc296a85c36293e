"""The claims in rows of Holohan, Leith and Mason (2016): each returns (name, true value, sign, stated value)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.claims import Enclosure
from rropt.claims.claim import Row
from rropt_proofs.holohan2016._examples import (
    CORNER,
    DIAGONAL,
    MIRRORED,
    at_zero,
    corner_variance,
    diagonal_variance,
    g,
    optimal_designs,
)

_CORNERS = ("(1, 0)", "(1, delta)", "(m, m)", "(delta, 1)", "(0, 1)")
_INNER = ((1, 2), (1, 3), (2, 3))  # pairs of corners that are one design at delta = 1


def _least(gamma: Fraction, delta: Fraction, pi: Fraction, tie: bool, more: Any) -> list[Row]:
    """n Var over R' as a form in the weights of a mixture of its corners, which has no negative coefficient.

    With u, v the chances of both answers and D = p00 + p11 - 1, each times the sum of the weights, n Var is u v/D^2,
    and c u v - e D^2 >= 0 says that it is at least e/c: its value at (1, delta) if g >= pi, else that at (m, m).
    """
    m, s = (gamma + delta) / (gamma + 1), gamma + 2 * delta - 1
    whole, half = delta == 1, pi == Fraction(1, 2)
    corner = delta * (gamma + delta) >= pi * s**2
    diagonal = delta * (gamma + delta) <= pi * s**2
    small = whole or pi * s < 1  # the signs of the form follow from it
    c, e = (delta, pi * (1 - pi * delta)) if corner else (s**2, (1 - delta + pi * s) * (gamma + delta - pi * s))
    corners: tuple[tuple[Any, Any], ...] = ((1, 0), (1, delta), (m, m), (delta, 1), (0, 1))

    def form(*mixed: int) -> Any:
        weight, a, b = len(mixed), sum(corners[i][0] for i in mixed), sum(corners[i][1] for i in mixed)
        u, d = (1 - pi) * (weight - a) + pi * b, a + b - weight
        return c * u * (weight - u) - e * d**2

    edges: list[tuple[Any, Any, Any]] = [
        (1, 0, 1),
        (gamma, 1, gamma + delta),
        (1, gamma, gamma + delta),
        (0, 1, 1),
        (1, 1, 1),
    ]
    ends = [corners[(i + turn) % 5] for i in range(5) for turn in (0, 1)]
    left = [x * a + y * b - z for (x, y, z), (a, b) in zip([edge for edge in edges for _ in (0, 1)], ends, strict=True)]
    alone = [form(i) for i in range(5)]
    pairs = {(i, j): form(i, j) - alone[i] - alone[j] for i, j in combinations(range(5), 2)}
    shared = any(alone[i] == 0 and alone[j] == 0 and pairs[i, j] == 0 for i, j in _INNER)
    least = (alone[1] == 0, alone[2] == 0, alone[1] == 0 and alone[3] == alone[1])
    best = (corner, diagonal, corner and tie and half)
    return [
        ("what the inequality of an edge of R' leaves at its two corners", max(map(abs, left)), "=", more),
        *((f"D = 0 at {_CORNERS[i]}: c u v - e D^2", alone[i], "=", more) for i in (0, 4)),
        *((f"{_CORNERS[i]}: c u v - e D^2", alone[i], ">=", more) for i in (1, 2)),
        ("(delta, 1): c u v - e D^2, against that of (1, delta)", alone[3], ">=", alone[1] + more),
        ("pi s < 1 where g >= pi and delta < 1", small or not corner, "=", not more),
        *(
            (f"{_CORNERS[i]} with {_CORNERS[j]}", value, ">=" if (i, j) in _INNER else ">", more)
            for (i, j), value in pairs.items()
        ),
        ("n Var is least at a mixture of two", shared, "=", whole != bool(more)),
        *(
            (f"n Var is least at {_CORNERS[i]}", found, "=", (one or whole) != bool(more))
            for i, found, one in zip((1, 2, 3), least, best, strict=True)
        ),
    ]


def theorem_3(gamma: Fraction, delta: Fraction, pi: Fraction, *, tie: bool = False, more: int = 0) -> list[Row]:
    """The designs of least n Var: two corners at most, as printed; or three."""
    return _least(gamma, delta, pi, tie, more)


def corollary_2(gamma: Fraction, delta: Fraction, pi: Fraction, *, tie: bool = False, more: int = 0) -> list[Row]:
    """The same with p00 and p11 exchanged, and 1 - pi in the place of pi, which changes neither n Var nor R'."""
    return _least(gamma, delta, 1 - pi, tie, more)


def least_working(gamma: Fraction, delta: Fraction, pi: Fraction) -> str:
    """The function g, and n Var at the three candidates."""
    m = (gamma + delta) / (gamma + 1)
    lines = [
        f"g = delta (gamma + delta)/(gamma + 2 delta - 1)^2 = {delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2}"
    ]
    for a, b in ((Fraction(1), delta), (delta, Fraction(1)), (m, m)):
        y = (1 - pi) * (1 - a) + pi * b
        lines.append(
            f"at (p00, p11) = ({a}, {b}), y = (1 - pi)(1 - p00) + pi p11 = {y} and n Var = "
            f"y (1 - y)/(p00 + p11 - 1)^2 = ({y})({1 - y})/({a + b - 1})^2 = {y * (1 - y) / (a + b - 1) ** 2}"
        )
    return "\n".join(lines)


def _figure(name: str, value: Any, printed: Any, more: int) -> Row:
    """Return the row of a figure: a value that rounds to a decimal, or an exact one."""
    if isinstance(printed, str):
        return name, value, "~", str(Decimal(printed) + more)
    return name, value.low if isinstance(value, Enclosure) else value, "=", printed + more


def _case(epsilon: str, delta: Any, pi: Any, designs: set[str], figures: tuple[Any, ...], more: int) -> list[Row]:
    """g against pi, the optimal designs, and n Var at the two candidates, of a case with pi < 1/2."""
    delta, pi = Fraction(delta), Fraction(pi)
    level = g(epsilon, delta)
    side = "<" if level.high < pi else ">" if level.low > pi else "="
    stated = "=" if len(designs) > 1 else "<" if DIAGONAL in designs else ">"
    return [
        _figure("g", level, figures[0], more),
        ("g against pi", side, "=", "other" if more else stated),
        ("the optimal designs", optimal_designs(epsilon, delta, pi), "=", frozenset({"none"} if more else designs)),
        _figure("n Var at (r(1), s(1))", diagonal_variance(epsilon, delta, pi), figures[1], more),
        _figure("n Var at (r(t0), s(t0))", corner_variance(delta, pi), figures[2], more),
    ]


def example_1_1(*, more: int = 0) -> list[Row]:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    return _case("1/2", "1/10", "1/4", {DIAGONAL}, ("0.243", "2.372", "2.438"), more)


def example_1_2(*, more: int = 0) -> list[Row]:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    return _case("1", "2/5", "1/10", {CORNER}, ("0.197", "0.385", "0.24"), more)


def example_1_3(*, right: bool = False, more: int = 0) -> list[Row]:
    """Formulas (6) and (23) at the endpoints of a rational bracket of gamma; the designs by the certified solver."""
    epsilon, delta, pi = "1/2", Fraction(1, 3), Fraction(9, 10)
    level, best, other = g(epsilon, delta), corner_variance(delta, pi, mirrored=True), corner_variance(delta, pi)
    figures = ("0.290", "-0.505", "1.890") if right else ("0.143", "1.911", "1.911")
    return [
        _figure("g", level, "0.382", more),
        ("g > 1 - pi", level.low > 1 - pi, "=", not more),
        ("the optimal designs", optimal_designs(epsilon, delta, pi), "=", frozenset({CORNER if more else MIRRORED})),
        _figure("n Var at (s(1), r(1))", diagonal_variance(epsilon, delta, pi), "0.854", more),
        _figure("n Var at (s(t0), r(t0)) = (delta, 1)", best, figures[0], more),
        _figure("formula (6) at (r(0), s(0)) = (1 + delta/gamma, 0)", at_zero(epsilon, delta, pi), figures[1], more),
        _figure("n Var at (r(t0), s(t0)) = (1, delta), meant by (r(0), s(0))", other, figures[2], more),
        ("Lemma 4: n Var at (r(t0), s(t0)) is the greater", other > best, "=", not more),
    ]


def example_1_4(*, more: int = 0) -> list[Row]:
    """Formulas (6) and (23) at gamma = 2, which is rational; the designs by the certified solver."""
    return _case("log(2)", "1/4", "1/4", {DIAGONAL, CORNER}, (Fraction(1, 4), Fraction(15, 16), Fraction(15, 16)), more)
