"""Criteria for tests of B(h): fifty of all kinds, and random ones, as texts that criteria_oracle.py reads."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

from stored_cases import cases_of


class Case(NamedTuple):
    """A criterion and what is known of its B(h).

    Attributes:
        upper, lower: the texts of its functions; ``None`` stands for the dual of the upper one.
        breaks: the places where h = [h_l * h_u] changes its form.
        attained: whether B(h) is attained; ``None``: the minimisation says it.
        at: where; ``None``: the minimisation says it.
    """

    upper: str
    lower: str | None
    breaks: list[str]
    attained: bool | None
    at: float | None


def _case(line: str) -> Case:
    upper, lower, breaks, attained, at = (None if part == "-" else part for part in line.split(" | "))
    known = {"yes": True, "no": False}.get(attained or "")
    return Case(str(upper), lower, breaks.split("; ") if breaks else [], known, float(at) if at else None)


CASES = [_case(line) for line in cases_of(__file__)["table"].splitlines()]


def random_criterion(rng: random.Random) -> tuple[str, Fraction]:
    """A random piecewise rational h with p <= h <= 1, with its cut."""
    a, b, cut = (Fraction(rng.randint(1, 9), 10) for _ in range(3))
    kind = rng.randrange(4)
    if kind < 2:  # a step, then a line to (1, 1)
        return f"piecewise({cut} + (1 - {cut})*{a}, p {'<' if kind else '<='} {cut}, p + (1-p)*{b})", cut
    if kind == 2:
        return f"p + p*(1-p)*(({a})*p^2 + ({b})*(1-p))", cut
    return f"min(1, max(p + {a}/5, p*(1 + {b})))", cut


def atom(rng: random.Random) -> str:
    """A random h with p <= h <= 1."""
    a, b = rng.randint(1, 9), rng.randint(2, 9)
    return rng.choice(
        [
            f"p^({a}/10)",
            f"(1-exp(-{a}*p))/(1-exp(-{a}))",
            f"log(1+{a}*p)/log(1+{a})",
            f"1-(1-p)^(1+{a}/10)",
            f"min(1,p+{a}/10*exp(-{b}))",
            f"p+p*(1-p)*exp(-{b}*(p-{a}/10)^2)",
            f"p*(1-log(p)*{a}/10)",
            f"sqrt(p*({a}/10+{10 - a}/10*p))",
            f"min(1,{b}*p)",
        ]
    )


def composed(rng: random.Random, depth: int) -> str:
    """Compositions that keep p <= h <= 1."""
    if depth == 0:
        return atom(rng)
    s, t = composed(rng, depth - 1), atom(rng)
    cut = rng.randint(1, 9)
    return rng.choice(
        [
            f"max({s},{t})",
            f"min({s},{t})",
            f"({s}+{t})/2",
            f"1-(1-({s}))*(1-({t}))",
            f"piecewise({s},p<{cut}/10,{t})",
        ]
    )
