"""Pairs of laws of mechanisms, orders that the library proposes for them, and files of divergence-level."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import mpmath as mp
from flint import ctx

from adversary.boundary.oracle import Pair
from adversary.built import statement
from rropt.accounting.renyi_orders import Exponents
from rropt.accounting.renyi_orders import supremum as proposed

F = Fraction
Law = tuple[Fraction, ...]


def response(k: int | Fraction, g: Fraction) -> Pair:
    """Return two columns of k-ary randomized response, equally likely reports put together."""
    p, q, r = (F(x) / (g + k - 1) for x in (g, 1, k - 2))
    return (p, q, r), (q, p, r)


def rational(x: Any, digits: int = 40) -> Fraction:
    """Return a decimal near a number."""
    return F(int(mp.floor(x * mp.mpf(10) ** digits)), 10**digits)


def pairs_of(columns: Sequence[Law]) -> list[Pair]:
    """Return the pairs of laws of a matrix by the page: reports of equal odds together, each pair once."""
    found: list[list[tuple[Fraction, Fraction]]] = []
    for one, other in permutations(columns, 2):
        atoms: dict[Fraction, tuple[Fraction, Fraction]] = {}
        for p, q in zip(one, other, strict=True):
            if p:
                before = atoms.get(p / q, (F(0), F(0)))
                atoms[p / q] = before[0] + p, before[1] + q
        made = [atoms[odds] for odds in sorted(atoms)]
        if len(made) > 1 and made not in found:
            found.append(made)
    return [(tuple(p for p, _ in made), tuple(q for _, q in made)) for made in found]


def orders_of(pairs: Sequence[Pair], digits: int = 10) -> list[list[Fraction]]:
    """Return orders whose cells prove the supremum and 10^-digits, as the library proposes them."""
    with ctx.workprec(192 + 10 * digits):
        return proposed([Exponents(tuple(zip(*pair, strict=True))) for pair in pairs], digits).orders


def kary(k: Any, level: Any) -> dict[str, Any]:
    """Return k-ary response as a file has it."""
    return {"kind": "kary", "local": level, "categories": str(k)}


def matrix(columns: Sequence[Law]) -> dict[str, Any]:
    """Return a matrix as a file has it."""
    return {"matrix": [[str(x) for x in row] for row in zip(*columns, strict=True)]}


def file(subject: Any, claim: Any, rest: Any, ends: Any = None, digits: Any = 40, order: Any = None) -> dict[str, Any]:
    """Return a certificate: of the divergence at an order, or of zCDP with the orders ``rest``."""
    said = {"lower": str(claim[0]), "upper": str(claim[1])}
    brackets = [] if ends is None else [{"below": str(ends[0]), "above": str(ends[1])}]
    orders = [] if order is not None else [[str(a) for a in each] for each in rest]
    problem = {"mechanism": subject, "order": None if order is None else str(order)}
    return statement("divergence-level", problem, said, {"brackets": brackets, "orders": orders, "digits": str(digits)})


def random_columns(rng: random.Random) -> list[Law]:
    """Return columns of a mechanism: of two to four inputs, often degenerate."""
    outputs, most = rng.randint(2, 4), rng.choice((3, 9, 1000))

    def law() -> Law:
        weights = [rng.randint(1, most) ** rng.choice((1, 1, 3)) for _ in range(outputs)]
        return tuple(F(w, sum(weights)) for w in weights)

    columns = [law() for _ in range(rng.randint(2, 3))]
    kind = rng.choice(("", "", "", "one zero", "zero row", "equal", "all equal", "one input", "near", "symmetric"))
    if kind == "one zero":  # at one input only: infinite
        rest = 1 - columns[0][0]
        columns[0] = (F(0), *(x / rest for x in columns[0][1:]))
    elif kind == "zero row":
        columns = [(*column, F(0)) for column in columns]
    elif kind == "equal":
        columns.append(columns[0])
    elif kind == "all equal":
        columns = columns[:1] * 2
    elif kind == "one input":
        columns = columns[:1]
    elif kind == "near":
        step = columns[0][0] / 10 ** rng.choice((2, 4))
        columns[1] = (columns[0][0] - step, columns[0][1] + step, *columns[0][2:])
    elif kind == "symmetric":
        columns = [columns[0], tuple(reversed(columns[0]))]
    return columns
