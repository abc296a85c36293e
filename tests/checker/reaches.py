"""The least and the greatest value of each claim, private or not (part D of FORMAT.md); made from the page alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from adversary.boundary import oracle
from mpmath import iv

Reach = tuple[Any, Any]
number = Fraction


def numbers(texts: Sequence[str]) -> list[Fraction]:
    """Return numbers."""
    return [Fraction(text) for text in texts]


def dot(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
    """Return the inner product."""
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def top(x: Any) -> Any:
    """Return a number, the upper end of an interval, or None of what is infinite."""
    if isinstance(x, Fraction):
        return x
    if x == oracle.INFINITE:
        return None
    sign, mantissa, power, _ = x._mpi_[1]
    return (-1) ** sign * int(mantissa) * Fraction(2) ** power


def logarithm(x: Fraction) -> Fraction:
    """Return the upper end of ln x."""
    return top(iv.log(iv.mpf(x.numerator) / x.denominator))


def reach(problem: Any, kind: str) -> Reach:
    """Return the least and the greatest value of the claim of a kind; None where there is no bound."""
    others = {
        "parity-bound": (0, None),
        "mechanism-levels": (0, 1),
        "composition": (0, 1),
        "shuffled": (0, 1),
        "divergence-level": (0, None),
    }
    if kind in others or kind == "optimal-value":
        return others.get(kind, (None, None))
    objective = problem["objective"]
    what = objective["kind"]
    if what in ("marginals", "joint"):
        if what == "joint":
            return 1 - number(objective["squares"]), None
        terms = zip(numbers(objective["weights"]), numbers(objective["prevalences"]), strict=True)
        return sum(w * p * (1 - p) for w, p in terms), None
    given = problem["population"]
    if what == "variance":
        ends = [given] if isinstance(given, list) else given["vertices"]
        return max(number(one[0]) * number(one[1]) for one in ends), None
    if what == "conditional-variance":
        return 0, None
    if what in ("trace", "loss", "distance"):
        return linear(objective, what)
    if isinstance(given, dict) and set(given) == {"uniform"}:
        k = int(given["uniform"])
        if what in ("a-optimal", "e-optimal"):
            return (1 - Fraction(1, k)) / (k - 1 if what == "e-optimal" else 1), None
        return (None, k * logarithm(Fraction(k))) if what == "d-optimal" else (0, logarithm(Fraction(k)))
    if isinstance(given, dict):
        return 0, None
    pi = numbers(given)
    missing = sum(p * (1 - p) for p in pi)
    if what in ("a-optimal", "e-optimal"):
        return missing / (len(pi) - 1 if what == "e-optimal" else 1), None
    if what == "c-optimal":
        c = numbers(objective["contrast"])
        return dot(pi, [x * x for x in c]) - dot(pi, c) ** 2, None
    if what == "d-optimal":
        return None, sum(logarithm(1 / p) for p in pi) if all(pi) else None
    if what == "contrasts":
        rows = [numbers(c) for c in objective["contrasts"]]
        return sum(dot(pi, [x * x for x in c]) - dot(pi, c) ** 2 for c in rows), None
    if what == "bayes":
        inner = objective["objective"]
        parts = [
            (number(w), reach({"objective": inner, "population": each}, kind))
            for w, each in zip(objective["weights"], objective["populations"], strict=True)
        ]
        ends = ([(w, ends[i]) for w, ends in parts] for i in (0, 1))
        return tuple(sum(w * x for w, x in end) if all(x is not None for _, x in end) else None for end in ends)
    # no mechanism tells more than the truth does
    greatest = oracle.value(objective, [[Fraction(i == j) for j in range(len(pi))] for i in range(len(pi))], pi)
    least = max(dot(pi, numbers(row)) for row in objective["matrix"]) if what == "payoff" else 0
    return least, top(greatest)


def linear(objective: Any, what: str) -> Reach:
    """Return the reach of a linear objective."""
    if what == "trace":
        listed = objective["weights"]
        runs = listed["runs"] if isinstance(listed, dict) else [("1", w) for w in listed]
        w, k = [Fraction(0), *(number(w) for _, w in runs)], sum(number(n) for n, _ in runs)
        return k * min(w), k * max(w)
    if objective["matrix"] == "zero-one":
        return 0, 1
    entries = [x for row in objective["matrix"] for x in numbers(row)]
    if what == "loss":
        return min(entries), max(entries)
    furthest = max(max(abs(q), abs(1 - q)) for q in entries)
    return 0, furthest * (len(entries) if objective["norm"] == "total" else 1)
