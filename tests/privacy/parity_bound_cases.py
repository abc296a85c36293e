"""Criteria for tests of B(h): fifty of all kinds, and random ones, as texts that criteria_oracle.py reads."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple


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


TABLE = """
min(1, 3*p) | - | 1/3 | no | 0
min(1, 3/2*p) | p/4 | 2/3 | no | 0
min(1, 3*p) | p/2 | 1/3 | no | 1
piecewise(1/2, p < 1/5, 1) | - | 1/5 | no | 0.2
piecewise(1/2, p <= 1/5, 1) | - | 1/5 | yes | 0.2
piecewise(1/2, p < 1/5, 3/4, p < 1/2, 1) | - | 1/5; 1/2 | no | 0.5
piecewise(1/2, p < 1/5, 3/4, 1/2 >= p, 1) | - | 1/5; 1/2 | yes | 0.5
(1 + p)/2 | - | - | no | 1
p | - | - | yes | -
2*p/(1 + p) | - | - | yes | -
min(1, p + 1/10) | - | 9/10 | yes | 0.45
min(1, 2*p + 1/10) | - | 9/20 | yes | -
max(1/4, min(1, p + 1/7)) | - | 3/28; 6/7 | yes | -
min(1, max(2*p, p + 1/5)) | - | 1/5; 1/2; 4/5 | yes | 0.2
1 - (1-p)^3 | - | - | no | 0
1 - (1-p)^2 | - | - | no | 0
p + p*(1-p)/3 | - | - | - | -
p + p*(1-p)*(p^5 - p + 2/3)/2 | - | - | yes | -
p + p*(1-p)*((p-2/5)^2 + 1/10) | - | - | - | -
p + (1-p)*p^2*(1-p)/2 + p*(1-p)/5 | - | - | - | -
(p + 1/3)/(4/3) | - | - | no | 1
p*(3-p)/(1+p) | - | - | - | -
1 | p^2 | - | no | 0
1 | p^3 | - | no | 0
1 | max(0, p - 1/10) | 9/10 | yes | 0.45
min(1, p + 1/5) | max(0, p - 1/10) | 4/5; 9/10 | yes | 0.45
1 | p/(3 - 2*p) | - | yes | -
1 | piecewise(1/3, p > 1/2, 0) | 1/2 | no | 0.5
1 | piecewise(1/3, p >= 1/2, 0) | 1/2 | yes | 0.5
piecewise(1/2, p^2 < 1/5, 1) | - | sqrt(1/5) | no | -
piecewise(1, p^2 < 1/2, 3/4, p^2 <= 1/2, 1) | - | sqrt(1/2) | yes | -
piecewise(p + 1/10, 1/4 <= p <= 1/3, 1) | - | 1/4; 1/3 | yes | -
piecewise(p + 1/10, 1/4 < p < 1/3, 1) | - | 1/4; 1/3 | no | -
min(1, p^2 + 1/2) | - | sqrt(1/2) | yes | -
min(1, (p+1)^3/4) | - | 4^(1/3) - 1 | yes | -
sqrt(p) | - | - | no | 1
p^0.9 | - | - | no | 1
p^(2/3) | - | - | no | 1
1 - (1-p)^(3/2) | - | - | no | 0
sqrt(p*(2-p)) | - | - | yes | -
(1 - exp(-3*p))/(1 - exp(-3)) | - | - | no | 0
log(1+p)/log(2) | - | - | no | 1
p*(1 - log(p)) | - | - | yes | -
min(1, sqrt(p) + 1/10) | - | 81/100 | yes | -
min(1, exp(1/2)*p) | - | exp(-1/2) | no | 0
min(1, exp(p)/2) | - | log(2) | yes | -
p + p*(1-p)*exp(-p)/2 | - | - | no | 1
2^p - 1 + p*(1-p) | - | - | no | 0
1 - (1-p)*exp(-p) | - | - | no | 0
min(1, p + exp(-3)) | - | 1 - exp(-3) | yes | -
piecewise(sqrt(p), p^2 < 1/2, 1) | - | sqrt(1/2) | no | -
piecewise(sqrt(p)/2 + 1/2, p < 1/2, 1) | - | 1/2 | no | 0.5
max(sqrt(p), 3/10) | - | 9/100 | no | 1
1 | 1 - sqrt(1-p) | - | no | 1
1 | p*exp(p-1)/2 | - | - | -
"""


def _case(line: str) -> Case:
    upper, lower, breaks, attained, at = (None if part == "-" else part for part in line.split(" | "))
    known = {"yes": True, "no": False}.get(attained or "")
    return Case(str(upper), lower, breaks.split("; ") if breaks else [], known, float(at) if at else None)


CASES = [_case(line) for line in TABLE.strip().splitlines()]


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
