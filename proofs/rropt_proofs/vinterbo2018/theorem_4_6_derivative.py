"""Theorem 4.6, its proof: the m-th derivative of f_L."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from rropt.claims import Anchored, Claim, Condition, Domain, Fold, Point, Reading, Value
from rropt_proofs.vinterbo2018 import PAPER


def theory(point: Point) -> Fraction:
    """m!/(1-s)^m (f_L(s) - 1)."""
    c, s, m = Fraction(point["c"]), Fraction(point["s"]), point["m"]
    return factorial(m) / (1 - s) ** m * ((c - s) / (1 - s) - 1)


def computed(point: Point) -> Fraction:
    """m! times the coefficient of h^m in f_L(s + h) = (c - s - h)/(1 - s - h), by long division."""
    c, s, m = Fraction(point["c"]), Fraction(point["s"]), point["m"]
    numerator = [c - s, Fraction(-1)]
    coefficients: list[Fraction] = []
    for j in range(m + 1):
        carried = coefficients[-1] if coefficients else Fraction(0)
        coefficients.append(((numerator[j] if j < 2 else 0) + carried) / (1 - s))
    return factorial(m) * coefficients[m]


def mutant(point: Point) -> Fraction:
    """(1-s)^{m+1} in the denominator."""
    return theory(point) / (1 - Fraction(point["s"]))


def proof() -> Anchored:
    """The first coefficient is q = (f_L(s) - 1)/(1 - s); each next one is divided by 1 - s once more."""
    f = "(c - s)/(1 - s)"
    division = Fold(
        over=lambda point, _: [{}] * (point["m"] - 1),
        start={"q": f"({f} - 1)/(1 - s)", "p": f"({f} - 1)/(1 - s)"},
        update={"q": "(0 + q)/(1 - s)", "p": "p/(1 - s)"},
        invariants="q == p",
    )
    return Anchored(
        Value(theory="k*p", computed="k*q"),
        at=lambda point: {"k": factorial(point["m"])},
        folds=[division],
        argument="f_L(s + h) (1 - s - h) = c - s - h. Comparing the coefficients of h^j, j >= 2, (1 - s) q_j = "
        "q_{j-1}.",
    )


def working(point: Point) -> str:
    """The function itself."""
    c, s = Fraction(point["c"]), Fraction(point["s"])
    value = (c - s) / (1 - s)
    return (
        f"m = 0: the derivative of order 0 is f_L(s) = {value}; the formula gives 0!/(1-s)^0 (f_L(s) - 1) = {value - 1}"
    )


BELOW_ONE = Condition("s < 1", "s < 1")
POSITIVE = Condition(r"$m\ge1$", "m >= 1")
CLAIM = Claim(
    id="vinterbo2018.theorem-4.6-derivative",
    source=f"{PAPER}, appendix A, proofs of Theorem 4.6 and Proposition 4.7",
    place=(6, 2),
    printed=r"The $m$'th derivative of $f_L(s)=\frac{c-s}{1-s}$ wrt. $0\le s<1$ is "
    r"$f_L^{(m)}(s)=\frac{m!}{(1-s)^m}\left(f_L(s)-1\right)$.",
    precise="For every c >= 1, 0 <= s < 1 and every m = 0, 1, 2, ... (the derivative of order 0 is the function). The "
    "m-th derivative is m! times the coefficient of h^m in the expansion of f_L(s + h).",
    variables={
        "c": Domain("c >= 1", tuple(map(Fraction, ("1", "5/2", "41/32"))), Domain.odds().draw, "x >= 1"),
        "s": Domain.interval("s = pi^T pi, 0 <= s < 1", 0, 1, also=("1/4", "1/2")),
        "m": Domain("m, the order", (0, 1, 2, 5), lambda rng: rng.randint(0, 8), "x >= 0"),
    },
    assumptions=(BELOW_ONE,),
    missing=(POSITIVE,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    working=working,
    readings=(
        Reading(
            "orders m > 0, as the next sentence has them",
            r"Since $c\ge1$, $f_L^{(m)}\ge0$ for all $m>0$.",
            {"assumptions": (BELOW_ONE, POSITIVE), "missing": ()},
        ),
        Reading(
            "every order, the function itself being of order 0",
            r"The $m$'th derivative of $f_L(s)=\frac{c-s}{1-s}$ wrt. $0\le s<1$",
        ),
    ),
    count=150,
    notes="The paper uses the formula for $m>0$ alone, and there it is right. The order 0 is listed "
    "because the sentence itself names no range.",
)
