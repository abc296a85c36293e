"""The statement divergence-level: false claims, refuted by a search over the orders with 60 digits."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any

import mpmath as mp
from flint import ctx

from rropt.accounting.orders import Exponents
from rropt.accounting.orders import supremum as proposed

from .compositions import _ends
from .harness import Piece, statement
from .levels import bracket_of, random_level

F = Fraction
Law = tuple[Fraction, ...]
Pair = tuple[Law, Law]
ORACLE = "a search over the orders, with 60 digits"
DEFINITION = "the definition, with 60 digits"

DECIDING = {
    "divergence-level": (
        "the order is below 1",
        "categories is not",
        "digits is not",
        "the divergence is infinite",
        "gamma",
        "a bound is not",
        "does not sum|has a negative entry",
        "lower is above the divergence",
        "upper is below",
        "upper is not proved in a cell",
        "the orders do not increase",
        "orders has .* entries",
    ),
}


def mpf(x: Fraction) -> Any:
    """Return a fraction as a number of mpmath."""
    return mp.mpf(Fraction(x).numerator) / Fraction(x).denominator


def response(k: int | Fraction, g: Fraction) -> Pair:
    """Return two columns of k-ary randomized response, equally likely reports put together."""
    p, q, r = (F(x) / (g + k - 1) for x in (g, 1, k - 2))
    return (p, q, r), (q, p, r)


def divergence(pair: Pair, a: Any) -> Any:
    """Return D_a by its definition; infinite where a report excludes the second law."""
    if any(p and not q for p, q in zip(*pair, strict=True)):
        return mp.inf
    atoms = [(mpf(p), mpf(q)) for p, q in zip(*pair, strict=True) if p]
    if a == 1:
        return mp.fsum(p * mp.log(p / q) for p, q in atoms)
    return mp.log(mp.fsum(p**a * q ** (1 - a) for p, q in atoms)) / (a - 1)


@lru_cache(maxsize=1024)
def supremum(pair: Pair) -> tuple[Any, Any]:
    """Return the order at which D_a/a is largest, and its value: by a grid of orders and golden sections."""
    with mp.workdps(60):
        if any(p and not q for p, q in zip(*pair, strict=True)):
            return mp.mpf(1), mp.inf
        if pair[0] == pair[1]:
            return mp.mpf(1), mp.mpf(0)

        def quotient(a: Any) -> Any:
            return divergence(pair, a) / a

        grid = [mp.mpf(1), *(1 + mp.mpf(10) ** (mp.mpf(j) / 8) for j in range(-40, 41))]
        values = [quotient(a) for a in grid]
        at = max(range(len(grid)), key=lambda i: values[i])
        if at == 0:
            return grid[0], values[0]
        low, high = grid[at - 1], grid[min(at + 1, len(grid) - 1)]
        golden = (mp.sqrt(5) - 1) / 2
        for _ in range(130):
            one, other = high - golden * (high - low), low + golden * (high - low)
            low, high = (one, high) if quotient(one) < quotient(other) else (low, other)
        best = (low + high) / 2
        return best, max(quotient(best), values[0])


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
        return proposed([Exponents.of_atoms(list(zip(*pair, strict=True))) for pair in pairs], digits).orders


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


def _subjects(rng: random.Random) -> Iterator[tuple[Any, Any, list[Pair], list[Pair]]]:
    """Iterate over mechanisms as files have them, brackets, and pairs of laws below and above."""
    while True:
        if rng.random() < 0.5:
            k, level = rng.choice((2, 3, F(224, 45), 6, 7, 8, 10, 20, 100, 10**6)), random_level(rng)
            ends = _ends(level, rng)
            below, above = (pairs_of(response(k, g)) for g in ends)
            yield kary(k, level.text), ends, below, above
        else:
            columns = random_columns(rng)
            subject = matrix(columns)
            if any(p and not q for pair in permutations(columns, 2) for p, q in zip(*pair, strict=True)):
                yield subject, None, [(columns[0], columns[0])], []  # infinite: no pair above
            else:
                yield subject, None, pairs_of(columns), pairs_of(columns)


def _wrong_subjects(rng: random.Random) -> Iterator[tuple[str, str, Any, Any]]:
    """Iterate over methods, oracles, mechanisms and brackets that no file may have."""
    level = random_level(rng)
    ends = _ends(level, rng)
    for wrong in (1, 0, -3, 10**12 + 1, F(3, 2)):
        yield "categories beyond their range", "counting", kary(wrong, level.text), ends
    for columns in ([(F(1, 2), F(1, 3)), (F(1, 2), F(1, 2))], [(F(3, 2), F(-1, 2)), (F(1, 2), F(1, 2))]):
        yield "no distribution", "counting", matrix(columns), None
    method, low, high = bracket_of(level, rng)
    if method not in ("honest", "one point") and (level.exact is None or (low, high) != ends):
        yield f"profile, {method}", level.oracle, kary(3, level.text), (low, high)


def _infinite(subject: Any, order: F | None, finite: bool) -> Iterator[Piece]:
    both, wide = ("infinite", "infinite"), (0, 10**6)
    if finite:
        yield Piece(file(subject, both, [], None, 40, order), "infinite without a zero", False, "counting")
        return
    yield Piece(file(subject, both, [], None, 40, order), "infinite", True, "counting")
    yield Piece(file(subject, wide, [], None, 40, order), "finite beside a zero", False, "counting")
    yield Piece(file(subject, (0, "infinite"), [], None, 40, order), "finite beside a zero", False, "counting")


def divergences(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims about one order, true and false."""
    for subject, ends, below, above in _subjects(rng):
        if ends is None:
            is_finite = not (below and not above)
            yield from _infinite(subject, F(2), is_finite)
            if not is_finite:
                continue
        order = rng.choice((F(1), F(2), F(3, 2), F(10), 1 + F(1, 10**6), F(rng.randint(11, 400), 10)))
        with mp.workdps(60):
            least, most = (
                max((divergence(pair, mpf(order)) for pair in side), default=mp.mpf(0)) for side in (below, above)
            )
            low, high = rational(least), rational(most)
        spare, step = F(1, 10**20), F(1, 10 ** rng.choice((1, 3, 9)))
        bounds = (low - spare, high + spare)
        yield Piece(file(subject, bounds, [], ends, 40, order), "the bounds", True, DEFINITION)
        above_all = (high + spare) * (1 + step)
        yield Piece(
            file(subject, (above_all, 2 * above_all), [], ends, 40, order),
            "lower above the divergence",
            False,
            DEFINITION,
        )
        small = low * (1 - step) if low > spare else -step
        yield Piece(
            file(subject, (min(0, small), small), [], ends, 40, order), "upper below the divergence", False, DEFINITION
        )
        for wrong in (F(1, 2), F(0), -order, 1 - step):
            yield Piece(file(subject, (0, 10**6), [], ends, 40, wrong), "an order below 1", False, "counting")
        for wrong in (0, -1, 301, F(1, 2)):
            yield Piece(file(subject, bounds, [], ends, wrong, order), "digits beyond their range", False, "counting")
        for method, oracle, wrong, bracket in _wrong_subjects(rng):
            yield Piece(file(wrong, (0, 10**6), [], bracket, 40, order), method, False, oracle)


def concentrated(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims about zCDP, true and false."""
    for subject, ends, below, above in _subjects(rng):
        if ends is None:
            is_finite = not (below and not above)
            yield from _infinite(subject, None, is_finite)
            if not is_finite:
                continue
        orders = orders_of(above)
        with mp.workdps(60):
            least, most = (max((supremum(pair)[1] for pair in side), default=mp.mpf(0)) for side in (below, above))
            low, high = rational(least), rational(most)
        spare = F(1, 10**9)
        bounds = (low - spare - (high - low), high + spare)
        yield Piece(file(subject, bounds, orders, ends), "the bounds", True, ORACLE)
        yield Piece(file(subject, (0, high + spare), orders, ends), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        larger = (high + spare) * (1 + step)
        yield Piece(file(subject, (larger, 2 * larger), orders, ends), "lower above rho", False, ORACLE)
        small = low * (1 - step) if low > spare else -step
        some = [sorted({*each, *(1 + F(rng.randint(1, 600), 10) for _ in range(3))}) for each in orders]
        yield Piece(
            file(subject, (min(0, small), small), rng.choice((orders, some)), ends), "upper below rho", False, ORACLE
        )
        wide = F(0), F(10**6)
        if orders:
            yield Piece(file(subject, wide, orders[1:], ends), "a list of orders missing", False, "counting")
            some = [each or [F(2)] for each in orders]
            for wrong in (
                [[F(1), *some[0]], *some[1:]],
                [[*some[0], some[0][-1]], *some[1:]],
                [[*some[0], F(1, 2)], *some[1:]],
            ):
                yield Piece(file(subject, wide, wrong, ends), "orders that do not increase", False, "counting")
            ratio = max(p / q for pair in above for p, q in zip(*pair, strict=True))
            with mp.workdps(60):
                short = rational(mp.log(mpf(ratio))) / (high + spare) * (1 - step)
            if short > 2:
                cut = [[a for a in each if a < short] for each in orders]
                yield Piece(file(subject, (0, high + spare), cut, ends), "orders that end too soon", False, "fractions")
        yield Piece(file(subject, wide, [*orders, [F(2)]], ends), "a list of orders too many", False, "counting")
        for wrong in (0, -1, 301, F(1, 2)):
            yield Piece(file(subject, wide, orders, ends, wrong), "digits beyond their range", False, "counting")
        for method, oracle, wrong, bracket in _wrong_subjects(rng):
            yield Piece(file(wrong, wide, orders, bracket), method, False, oracle)


def levels(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims about one order and about zCDP in turn."""
    for pieces in zip(divergences(rng), concentrated(rng), strict=False):
        yield from pieces


FUZZERS = {"divergence-level": levels}
