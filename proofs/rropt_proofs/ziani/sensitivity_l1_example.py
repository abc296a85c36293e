"""The two sensitivities after Definition 10: both gender counts, under both notions of neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rropt.claims import Anchored, Claim, Domain, Entry, Least, Point, Value
from rropt_proofs.ziani import PAPER

CHANGE, ADD_DELETE = "change one entry", "add or delete one"


def theory(_: Point) -> dict[str, int]:
    return {CHANGE: 2, ADD_DELETE: 1}


def _counts(x: Sequence[int]) -> tuple[int, int]:
    return sum(x), len(x) - sum(x)


def _neighbours(x: tuple[int, ...], relation: str) -> Iterator[tuple[int, ...]]:
    for i in range(len(x)):
        yield (*x[:i], 1 - x[i], *x[i + 1 :]) if relation == CHANGE else (*x[:i], *x[i + 1 :])
    if relation == ADD_DELETE:
        yield from ((*x, 0), (*x, 1))


def computed(point: Point) -> dict[str, int]:
    """The largest l1-distance over all databases and all their neighbours."""
    return {
        relation: max(
            sum(abs(f - g) for f, g in zip(_counts(x), _counts(y), strict=True))
            for x in product((0, 1), repeat=point["n"])
            for y in _neighbours(x, relation)
        )
        for relation in (CHANGE, ADD_DELETE)
    }


def mutant(point: Point) -> dict[str, int]:
    """2 under both notions."""
    return {**theory(point), ADD_DELETE: 2}


def proof() -> Anchored:
    """The changes of both counts, with all signs: their sum is the l1-distance."""
    changed = ("(b - a)", "((1 - b) - (1 - a))")
    deleted = ("a", "(1 - a)")
    return Anchored(
        Value(of=CHANGE, theory=2, computed=Least(_l1(*changed), tight={"a": 0, "b": 1})),
        Value(of=ADD_DELETE, theory=1, computed=Least(_l1(*deleted), tight={"a": 0})),
        at=lambda point: [
            {"a": Entry("entries", before), "b": Entry("entries", after)} for before, after in product((0, 1), repeat=2)
        ],
        argument="Let a and b in {0, 1} say whether the one individual is counted as female before and after. Changing "
        "it moves the counts by b - a and (1-b) - (1-a) = a - b: together by 2 |b - a| <= 2, attained for a different "
        "from b. Adding or deleting it moves them by a and 1 - a, together by exactly 1.",
    )


def _l1(first: str, second: str) -> str:
    """Return |first| + |second| <= g; the signs of the first relation are those of an attained distance."""
    opposite, same = [("+", "-"), ("-", "+")], [("+", "+"), ("-", "-")]
    signs = opposite + same if "b" in first else same + opposite
    return " and ".join(f"{u}{first} {v} {second} <= g" for u, v in signs)


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
    precise="For databases of n >= 1 individuals with one of two genders and f = (females, males), the l1-sensitivity "
    "is 2 when neighbours differ in one entry and 1 when one entry is added or deleted.",
    variables={
        "n": Domain.whole("number of individuals", 1, 6),
        "entries": Domain.values("an individual is female or not", (0, 1), entries={(): "0 <= x <= 1"}),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
