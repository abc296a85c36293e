"""Appendix D: the derivative and the evaluations in the proof of Theorem 5.5."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Correction, Domain, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import ANYBODY, LEVEL, SECOND, positive_level, unit
from rropt_proofs.sun2023.theorem_5_5 import some

MEAN, VARIANCE, FIRST, SECOND_LINE, AT_LOW, AT_HIGH, VALUE = (
    "E Y, the first line",
    "Var Y",
    "the derivative in p_2, the first display",
    "the derivative in p_2, the second display",
    "f at (1 - p_2)/(e^epsilon + 1), the first display",
    "f at e^epsilon (1 - p_2)/(e^epsilon + 1), the first display",
    "f at both, the last line",
)


def _spread(p1: Any, p2: Any) -> Any:
    return 4 * p1 + p2 - 4 * p1**2 - p2**2 - 4 * p1 * p2


def _lines(point: Point, *, printed: bool) -> dict[str, Any]:
    odds, p2, size = point["odds"], point["p2"], point["size"]
    p1 = (1 - p2) * point["part"]
    below = 4 * p1 + 2 * p2 - 2
    half = (1 - p2) / 2
    low, high = (1 - p2) / (odds + 1), odds * (1 - p2) / (odds + 1)
    second = (p1 + half) * (p1 - half) / (size * (2 * p1 + p2 - 1) ** 4)
    quotient = (1 if printed else 4) * high + 2 * p2 - 2
    return {
        MEAN: p1 + (1 if printed else 2) * p2 + 3 * (1 - p1 - p2),
        VARIANCE: _spread(p1, p2),
        FIRST: ((1 - 4 * p1 - 2 * p2) * below**2 - 4 * _spread(p1, p2) * below) / (size * below**4),
        SECOND_LINE: second if printed else -second,
        AT_LOW: _spread(low, p2) / (size * (4 * low + 2 * p2 - 2) ** 2),
        AT_HIGH: _spread(high, p2) / (size * quotient**2),
        VALUE: ((odds + 1) ** 2 / ((odds - 1) ** 2 * (1 - p2)) - 1) / (4 * size),
    }


def theory(point: Point) -> dict[str, Any]:
    """As printed."""
    return _lines(point, printed=True)


def corrected(point: Point) -> dict[str, Any]:
    return _lines(point, printed=False)


def computed(point: Point) -> dict[str, Any]:
    """The moments of the cards; the slope of v/d^2 by the quotient rule in v = s - t^2, d = 2 t, with s = 1 - p_2."""
    odds, p2, size = point["odds"], point["p2"], point["size"]
    p1 = (1 - p2) * point["part"]
    p3 = 1 - p2 - p1
    first = p1 + 2 * p2 + 3 * p3
    t, s = p1 - p3, 1 - p2  # f = (s/t^2 - 1)/(4 N); with p_1 fixed a step of p_2 adds one to t and takes one from s
    slope = (-1 / t**2 - 2 * s / t**3) / (4 * size)
    low, high = (1 - p2) / (odds + 1), odds * (1 - p2) / (odds + 1)
    return {
        MEAN: first,
        VARIANCE: p1 + 4 * p2 + 9 * p3 - first**2,
        FIRST: slope,
        SECOND_LINE: slope,
        AT_LOW: unit(low, p2, high) / size,
        AT_HIGH: unit(high, p2, low) / size,
        VALUE: unit(low, p2, high) / size,
    }


def mutant(point: Point) -> dict[str, Any]:
    """Twice the derivative."""
    return {**corrected(point), FIRST: 2 * corrected(point)[FIRST]}


def proof() -> Anchored:
    keys = (MEAN, VARIANCE, FIRST, SECOND_LINE, AT_LOW, AT_HIGH, VALUE)
    return Anchored(*(Value(of=key) for key in keys))


def working(point: Point) -> str:
    """The lines that differ."""
    p2, size = Fraction(point["p2"]), point["size"]
    p1 = (1 - p2) * point["part"]
    said, true = theory(point), computed(point)
    lines = [
        f"{name}: printed {value_text(said[name])}, true {value_text(true[name])}"
        for name in said
        if said[name] != true[name]
    ]
    start = f"p_1 = {value_text(p1)}, p_2 = {value_text(p2)}, p_3 = {value_text(1 - p1 - p2)}, N = {size}"
    return "\n".join([f"{start}, e^epsilon = {value_text(point['odds'])}", *lines])


CLAIM = Claim(
    id="sun2023.appendix-d",
    source=f"{PAPER}, appendix D",
    place=(8, 4),
    printed=r"$\mathbf{E}Y=p_1+p_2+3\left(1-p_1-p_2\right)=3-2p_1-p_2$. [...] $=4p_1+p_2-4p_1^2-p_2^2-4p_1p_2$. [...] "
    r"$\frac{\partial f\left(p_1,p_2\right)}{\partial "
    r"p_2}=\frac{\left(1-4p_1-2p_2\right)\left(4p_1+2p_2-2\right)^2}{N\left(4p_1+2p_2-2\right)^4}-$ "
    r"$\frac{4\left(4p_1+p_2-4p_1^2-p_2^2-4p_1p_2\right)\left(4p_1+2p_2-2\right)}"
    r"{N\left(4p_1+2p_2-2\right)^4}$ "
    r"$=\frac{\left(p_1+\frac{1-p_2}2\right)\left(p_1-\frac{1-p_2}2\right)}{N\left(2p_1+p_2-1\right)^4}$ "
    r"$\ne0$. [...] $\left.f\left(p_1,p_2\right)\right|_{p_1=\frac{1-p_2}{e^\varepsilon+1}}$ "
    r"$=\frac{4\frac{1-p_2}{e^\varepsilon+1}+p_2-4\left(\frac{1-p_2}{e^\varepsilon+1}\right)"
    r"^2-p_2^2-4\frac{1-p_2}{e^\varepsilon+1}p_2}{N\left[4\frac{1-p_2}{e^\varepsilon+1}+2p_2-2\right]^2}$ "
    r"$=\frac1{4N}\left[\frac{\left(e^\varepsilon+1\right)^2}{\left(e^\varepsilon-1\right)"
    r"^2\left(1-p_2\right)}-1\right]$ [...] $f(p_1,p_2)|_{p_1=\frac{e^\varepsilon(1-p_2)}{e^\varepsilon+1}}$ "
    r"$={\frac{4\frac{e^\varepsilon(1-p_2)}{e^\varepsilon+1}+p_2-4(\frac{e^\varepsilon(1-p_2)}"
    r"{e^\varepsilon+1})^2}{N[\frac{e^\varepsilon}{e^\varepsilon+1}(1-p_2)+2p_2-2]^2}}-$ [...] "
    r"$=\frac1{4N}\left[\frac{\left(e^\varepsilon+1\right)^2}{\left(e^\varepsilon-1\right)"
    r"^2\left(1-p_2\right)}-1\right]$.",
    precise="For L = 3, every epsilon > 0, N, 0 <= p_2 < 1 and 0 <= p_1 <= 1 - p_2 with p_1 != p_3: each line as "
    "printed; f is Var Y/(N(4 - 2 E Y)^2) as a function of p_1 and p_2, p_3 = 1 - p_1 - p_2.",
    variables={
        "odds": LEVEL,
        "p2": SECOND,
        "part": Domain.interval("p_1/(p_1 + p_3)", 0, 1, also=("1/3", "1/2", "3/5")),
        "size": ANYBODY,
    },
    defined=(
        positive_level,
        some,
        Condition("p_1 != p_3: otherwise E Y = 2", "part != 1/2"),
        Condition("the printed denominator of the last evaluation is not 0", "odds*(1 - p2) != 2*(1 - p2)*(odds + 1)"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$\mathbf{E}Y=p_1+2p_2+3(1-p_1-p_2)$. The last expression of the derivative has the other sign: "
        r"$-\frac{(p_1+\frac{1-p_2}2)(p_1-\frac{1-p_2}2)}{N(2p_1+p_2-1)^4}$. The denominator of the second evaluation "
        r"is $N[4\frac{e^\varepsilon}{e^\varepsilon+1}(1-p_2)+2p_2-2]^2$. The other lines are right.",
        corrected,
    ),
    proof=proof,
    working=working,
    count=20,
    notes="None of the slips reaches the theorem. Its p_2 is fixed, so the derivative that matters is that in p_1; "
    "between the ends f falls on one side of p_1 = (1 - p_2)/2 and rises on the other.",
)
