"""The two sensitivities after Definition 10: both gender counts, under both notions of neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rropt.claims import Claim, Domain, Point
from rropt_proofs.ziani import PAPER

CHANGE, ADD_DELETE = "change one entry", "add or delete one"
LEAST_CHANGE, LEAST_ADD_DELETE = "change one entry, the least distance", "add or delete one, the least distance"


def theory(_: Point) -> dict[str, int]:
    """The sensitivities: both bounds are attained."""
    return {CHANGE: 2, LEAST_CHANGE: 2, ADD_DELETE: 1, LEAST_ADD_DELETE: 1}


def _counts(x: Sequence[Any]) -> tuple[Any, Any]:
    return sum(x), len(x) - sum(x)


def _neighbours(x: tuple[Any, ...], relation: str) -> Iterator[tuple[Any, ...]]:
    for i in range(len(x)):
        yield (*x[:i], 1 - x[i], *x[i + 1 :]) if relation == CHANGE else (*x[:i], *x[i + 1 :])
    if relation == ADD_DELETE:
        yield from ((*x, 0), (*x, 1))


def computed(point: Point) -> dict[str, Any]:
    """The largest and the least l1-distance of the counts of a database and of each of its neighbours."""
    x = point["database"]
    found: dict[str, Any] = {}
    for relation, least in ((CHANGE, LEAST_CHANGE), (ADD_DELETE, LEAST_ADD_DELETE)):
        distances = [
            sum(abs(f - g) for f, g in zip(_counts(x), _counts(y), strict=True)) for y in _neighbours(x, relation)
        ]
        found |= {relation: max(distances), least: min(distances)}
    return found


def mutant(point: Point) -> dict[str, int]:
    """2 under both notions."""
    return {**theory(point), ADD_DELETE: 2}


CLAIM = Claim(
    id="ziani.sensitivity-l1-example",
    source=f"{PAPER}, after Definition 10",
    place=(2, 6),
    printed="suppose we change one entry/swap the gender of a single individual in the database. Then, assuming "
    "binary genders (a strong assumption), the number of male students in the database changes by 1, and the "
    "number of female students in the database changes by 1. The sensitivity is therefore $1+1=2$. However, "
    "suppose we use the addition-deletion definition of differential privacy here. Adding a male or female "
    "student only changes either the count of male students or the count of female students by 1, but not "
    r"both simultaneously. In this case, the sensitivity of the function is $\Delta f=1$.",
    precise="For databases of n >= 1 individuals with one of two genders and f = (females, males), the l1-distance of "
    "f at every database and each of its neighbours is 2 when they differ in one entry and 1 when one entry is added "
    "or deleted. So these are the l1-sensitivities.",
    variables={
        "database": Domain.values(
            "1 for each individual who is female, 0 for each other",
            *(tuple(map(Fraction, x)) for n in range(1, 5) for x in product((0, 1), repeat=n)),
            entries={(): "x*(1 - x) == 0 and 0 <= x <= 1"},
        ),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
)
