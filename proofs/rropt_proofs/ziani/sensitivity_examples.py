"""The sensitivities after Definition 6: a count, a fraction, an average without bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import PAPER

A, B = sp.symbols("a b")
BITS = [Hypothesis(A), Hypothesis(1 - A), Hypothesis(B), Hypothesis(1 - B)]

COUNT, FRACTION, SALARY = "how many", "what fraction", "average salary"


def theory(point: Point) -> Any:
    return {COUNT: sp.Integer(1), FRACTION: sp.Rational(1, point["n"]), SALARY: sp.oo}[point["query"]]


def _mean(x: Sequence[int]) -> Fraction:
    return Fraction(sum(x), len(x))


def _sensitivity(f: Callable[[Sequence[int]], Fraction], n: int) -> Any:
    """The largest change over all databases of n entries 0 or 1 and all changes of a single entry."""
    largest = max(
        abs(f(x) - f((*x[:i], other, *x[i + 1 :])))
        for x in product((0, 1), repeat=n)
        for i in range(n)
        for other in (0, 1)
    )
    return sp.Rational(largest)


def computed(point: Point) -> Any:
    if point["query"] == COUNT:
        return _sensitivity(lambda x: Fraction(sum(x)), point["n"])
    if point["query"] == FRACTION:
        return _sensitivity(_mean, point["n"])
    cap = sp.Symbol("S", positive=True)  # salaries 0 and S alone already give this sensitivity
    return sp.limit(cap * _sensitivity(_mean, point["n"]), cap, sp.oo)


def mutant(point: Point) -> Any:
    """The fraction with 1/(n + 1)."""
    return sp.Rational(1, point["n"] + 1) if point["query"] == FRACTION else theory(point)


def proof() -> Proof:
    n, rest, bound = sp.symbols("n r c")
    return Proof(
        scope="all n >= 1",
        argument="Only the changed entry matters: let it go from a to b, the others summing to r. A count moves by "
        "b - a with a, b in {0, 1}: at most 1 either way, and by 1 for a = 0, b = 1. A fraction is the count over the "
        "fixed n. The average salary moves by more than any c > 0 when a = 0 becomes b = n (c + 1).",
        certificates=(
            ("a count rises by at most 1", prove_positive(1 - (B - A), BITS, degree=1)),
            ("a count falls by at most 1", prove_positive(1 - (A - B), BITS, degree=1)),
            ("a fraction moves by (b - a)/n", prove_identity((rest + B) / n - (rest + A) / n, (B - A) / n)),
            (
                "an average moves by c + 1",
                prove_identity((rest + n * (bound + 1)) / n - (rest + 0) / n, bound + 1),
            ),
        ),
    )


def mutant_proof() -> object:
    return prove_positive(sp.Rational(1, 2) - (B - A), BITS, degree=2)


CLAIM = Claim(
    id="ziani.sensitivity-examples",
    source=f"{PAPER}, after Definition 6",
    printed=r"How many people in the database are male? $\Delta f=1$. What fraction of people in the database are "
    r"female? $\Delta f=\frac1n$. What is the average salary of individuals in the database? $\Delta f=+\infty$.",
    precise="Neighbours as the text has them: a single entry of a database of n >= 1 individuals changes. The largest "
    "change is 1 for a count, 1/n for a fraction, and unbounded for the average of values without an upper bound.",
    variables={
        "query": Domain.values("the query", COUNT, FRACTION, SALARY),
        "n": Domain.whole("number of individuals", 1, 6),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes=r"The last is a supremum, not a maximum. When a neighbour adds or deletes an individual the count keeps "
    r"sensitivity $1$; for the fraction $n$ is then no constant, and a deletion from $n\ge2$ moves it by up to "
    r"$\frac1n$.",
)
