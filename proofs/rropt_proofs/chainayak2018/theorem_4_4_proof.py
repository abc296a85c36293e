"""Theorem 4.4, its proof: the formula for a_j."""

from __future__ import annotations

from fractions import Fraction

from sympy import Symbol

from rropt.claims import Anchored, Claim, Condition, Correction, Domain, Point, Value
from rropt_proofs._matrices import Row, solution
from rropt_proofs.chainayak2018 import PAPER

GAMMA, K = Symbol("gamma"), Symbol("k")


def _diagonal(point: Point) -> Row:
    """The a_1, ..., a_k that solve a_j + (1/gamma) sum_{i != j} a_i = 1 for all j."""
    gamma, k = Fraction(point["gamma"]), point["k"]
    equations = tuple(tuple(Fraction(1) if i == j else 1 / gamma for i in range(k)) for j in range(k))
    return solution(equations, (Fraction(1),) * k)


def theory(point: Point) -> Fraction:
    gamma = Fraction(point["gamma"])
    return gamma / (1 - gamma) * (1 - sum(_diagonal(point)))


def corrected(point: Point) -> Fraction:
    gamma = Fraction(point["gamma"])
    return (gamma - sum(_diagonal(point))) / (gamma - 1)


def computed(point: Point) -> Fraction:
    """a_1, from the linear system."""
    return _diagonal(point)[0]


def mutant(point: Point) -> Fraction:
    """gamma + 1 in the place of gamma - 1."""
    gamma = Fraction(point["gamma"])
    return (gamma - sum(_diagonal(point))) / (gamma + 1)


def working(point: Point) -> str:
    """The sum of the diagonal, the printed value, and the right one."""
    gamma, k, a = Fraction(point["gamma"]), point["k"], _diagonal(point)
    total = sum(a)
    return (
        f"a_1 + (1/gamma)(a_2 + ... + a_{k}) = 1 and its likes have the solution a_j = {a[0]}: "
        f"{a[0]} + {total - a[0]}/({gamma}) = 1\nthe sum of the a_i is {total}\nprinted: gamma/(1 - gamma) "
        f"(1 - {total}) = ({gamma / (1 - gamma)})({1 - total}) = {theory(point)}\nright: "
        f"(gamma - {total})/(gamma - 1) = ({gamma - total})/({gamma - 1}) = {corrected(point)}"
    )


def proof() -> Anchored:
    """All a_j are gamma/(gamma + k - 1), and their sum is k times that."""
    a = GAMMA / (GAMMA + K - 1)
    return Anchored(Value(theory=(GAMMA - K * a) / (GAMMA - 1), computed=a))


CLAIM = Claim(
    id="chainayak2018.theorem-4.4-proof",
    source=f"{PAPER}, proof of Theorem 4.4 (b)",
    place=(4, 15),
    printed=r"Now, as each column of $P$ adds to 1, i.e., $a_j+\frac1\gamma\sum_{i\ne j}a_i=1$ we obtain: "
    r"$a_j\left(1-\frac1\gamma\right)+\frac1\gamma\sum_{i=1}^ka_i=1$ or "
    r"$a_j=\frac{\gamma}{1-\gamma}\left[1-\sum_{i=1}^ka_i\right]$ for all $j=1,\dots,k$.",
    precise="For gamma > 1 the solution of a_j + (1/gamma) sum_{i != j} a_i = 1 (j = 1, ..., k) satisfies the last "
    "formula.",
    variables={"gamma": Domain.odds("gamma > 1"), "k": Domain.whole("number of categories", 2, 6)},
    assumptions=(Condition("gamma > 1", "gamma > 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$a_j=\frac{\gamma}{\gamma-1}\left[1-\frac1\gamma\sum_{i=1}^k a_i\right]=\frac{\gamma-\sum_i a_i}{\gamma-1}$.",
        corrected,
    ),
    proof=proof,
    working=working,
    count=60,
    notes="Harmless for the theorem: all that is used is that the right side does not depend on j, so that all a_j are "
    "equal. At the solution the printed right side is k - 1 times a_j; it is right for k = 2 only.",
)
