"""Equations (3a) and (3b): the output probabilities of the generalised design; direct questioning."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Anchored, Claim, Domain, Point, Truth, Value
from rropt_proofs._matrices import binary
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import A, B, yes_probability

P00, P11 = sp.symbols("p00 p11")
UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "9/10"))


def numbers(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    """p00, p11 and pi."""
    return Fraction(point["p00"]), Fraction(point["p11"]), Fraction(point["pi"])


def theory(point: Point) -> dict[str, object]:
    """Both printed forms of both probabilities, and the case of direct questioning."""
    a, b, pi = numbers(point)
    return {
        "(3a)": (1 - pi) * a + pi * (1 - b),
        "(3a), second form": a - pi * (a + b - 1),
        "(3b)": pi * b + (1 - pi) * (1 - a),
        "(3b), second form": 1 - a + pi * (a + b - 1),
        "direct": a == b == 1,
    }


def computed(point: Point) -> dict[str, object]:
    """Total probability over the matrix of the mechanism; direct questioning answers the truth, whatever it is."""
    a, b, pi = numbers(point)
    matrix = binary(a, b)
    no, yes = (row[0] * (1 - pi) + row[1] * pi for row in matrix)
    direct = all(matrix[x][x] == 1 for x in (0, 1))
    return {"(3a)": no, "(3a), second form": no, "(3b)": yes, "(3b), second form": yes, "direct": direct}


def mutant(point: Point) -> dict[str, object]:
    """p00 + p11 in the place of p00 + p11 - 1."""
    a, b, pi = numbers(point)
    return {**theory(point), "(3b), second form": 1 - a + pi * (a + b)}


def proof() -> Anchored:
    yes = yes_probability.subs({A: P00, B: P11})
    return Anchored(
        Value("(1 - pi)*p00 + pi*(1 - p11)", 1 - yes, of="(3a)"),
        Value("p00 - pi*(p00 + p11 - 1)", 1 - yes, of="(3a), second form"),
        Value("pi*p11 + (1 - pi)*(1 - p00)", yes, of="(3b)"),
        Value("1 - p00 + pi*(p00 + p11 - 1)", yes, of="(3b), second form"),
        Truth(of="direct", theory="p00**2 >= 1 and p11**2 >= 1", computed="p00 + p11 >= 2"),
        argument="By total probability over the truth, Pr(X = 1) = pi p11 + (1 - pi)(1 - p00) and Pr(X = 0) is the "
        "rest. Direct questioning means X = x for either truth, that is p00 = p11 = 1, or p00 + p11 = 2.",
    )


CLAIM = Claim(
    id="holohan2016.eq-3",
    source=f"{PAPER}, equations (3a), (3b) and the remark after them",
    place=(2, 1),
    printed=r"$\mathbb P(X_i=0)=(1-\pi)p_{00}+\pi(1-p_{11})=p_{00}-\pi(p_{00}+p_{11}-1)$, (3a) $\mathbb P(X_i=1)=\pi "
    r"p_{11}+(1-\pi)(1-p_{00})=1-p_{00}+\pi(p_{00}+p_{11}-1)$. (3b) Remark: Direct questioning corresponds to "
    "the case where $p_{00}=p_{11}=1$.",
    precise="For a respondent drawn at random, of truth 1 with probability pi, the answer is 0 and 1 with the printed "
    "probabilities, in both forms; the answer is the truth, whatever the truth is, if and only if p00 = p11 = 1.",
    variables={"p00": UNIT, "p11": UNIT, "pi": UNIT},
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
