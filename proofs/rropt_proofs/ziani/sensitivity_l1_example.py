"""The two sensitivities after Definition 10: both gender counts, under both notions of neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import sympy as sp

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import PAPER

A, B = sp.symbols("a b")
BITS = [Hypothesis(A), Hypothesis(1 - A), Hypothesis(B), Hypothesis(1 - B)]
CHANGE, ADD_DELETE = "change one entry", "add or delete one"


def theory(point: Point) -> int:
    return 2 if point["neighbours"] == CHANGE else 1


def _counts(x: Sequence[int]) -> tuple[int, int]:
    return sum(x), len(x) - sum(x)


def _neighbours(x: tuple[int, ...], relation: str) -> Iterator[tuple[int, ...]]:
    for i in range(len(x)):
        yield (*x[:i], 1 - x[i], *x[i + 1 :]) if relation == CHANGE else (*x[:i], *x[i + 1 :])
    if relation == ADD_DELETE:
        yield from ((*x, 0), (*x, 1))


def computed(point: Point) -> int:
    return max(
        sum(abs(f - g) for f, g in zip(_counts(x), _counts(y), strict=True))
        for x in product((0, 1), repeat=point["n"])
        for y in _neighbours(x, point["neighbours"])
    )


def mutant(point: Point) -> int:
    """2 under both notions."""
    return 2


def proof() -> Proof:
    return Proof(
        scope="all n >= 1",
        argument="Let a and b in {0, 1} say whether the one individual is counted as female before and after. Changing "
        "it moves the counts by b - a and (1-b) - (1-a) = a - b: together by 2 |b - a| <= 2, attained for a different "
        "from b. Adding or deleting it moves them by a and 1 - a, together by exactly 1.",
        certificates=(
            ("both counts move by the same amount", prove_identity((1 - B) - (1 - A), -(B - A))),
            ("2 (b - a) <= 2", prove_positive(2 - 2 * (B - A), BITS, degree=1)),
            ("2 (a - b) <= 2", prove_positive(2 - 2 * (A - B), BITS, degree=1)),
            ("adding or deleting moves them by 1 in all", prove_identity(A + (1 - A), sp.Integer(1))),
        ),
    )


def mutant_proof() -> object:
    return prove_positive(1 - 2 * (B - A), BITS, degree=2)


CLAIM = Claim(
    id="ziani.sensitivity-l1-example",
    source=f"{PAPER}, after Definition 10",
    printed=r"For (how many are female, how many are male), genders being binary: swap the gender of a single "
    r"individual; the sensitivity is $1+1=2$. With the addition-deletion definition the sensitivity is $\Delta f=1$.",
    precise="For databases of n >= 1 individuals with one of two genders and f = (females, males), the l1-sensitivity "
    "is 2 when neighbours differ in one entry and 1 when one entry is added or deleted.",
    variables={
        "neighbours": Domain.values("the notion of neighbours", CHANGE, ADD_DELETE),
        "n": Domain.whole("number of individuals", 1, 6),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
