"""The way of a formula: false claims about designs for equally frequent categories, refuted by matrices written out.

The value of a mechanism is worked out from its matrix: the covariance of the estimator that counts memberships, and the
mutual information by definition. The bound is the best number of gammas in a row, tried for all numbers by the
definition of f on the page design_bracket.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import mpmath as mp

from adversary.blocks import sets_of, written_out

from .harness import Piece, statement
from .levels import bracket_of, random_level

F = Fraction
DECIDING = {
    "blocks": (
        "upper is below",
        "lower is above",
        "not private",
        "more outputs",
        "same size",
        "not a prime",
        "does not divide",
        "T is empty",
        "more categories than points",
        "autocorrelation",
        "base block",
        "another number of",
        "have not 0 < m < p < 1",
        "is not an integer",
        "tells two categories",
        "gamma",
    )
}
MOST = 40  # outputs


def families(rng: random.Random) -> dict[str, str]:
    """Return a small family."""
    family = rng.choice(("direct", "subsets", "affine", "affine-classes", "projective", "cyclic"))
    k = rng.randint(2, 6)
    if family == "direct":
        more: dict[str, Any] = {}
    elif family == "subsets":
        more = {"size": rng.randint(1, k - 1)}
    elif family == "affine":
        q, t = rng.choice(((2, 2), (2, 3), (3, 1), (3, 2), (5, 1), (7, 1)))
        k = rng.randint(2, min(6, q**t))
        more = {"q": q, "size": rng.randint(1, q - 1), "dimension": t}
    elif family == "affine-classes":
        q = rng.choice((3, 5, 7))
        e = rng.choice([e for e in range(1, q) if (q - 1) % e == 0])
        j, zero = rng.randint(0, e), rng.randint(0, 1)
        if not 0 < j * (q - 1) // e + zero < q:
            j, zero = 0, 1
        k = rng.randint(2, min(q, 6))
        more = {"q": q, "index": e, "cosets": j, "zero": zero}
    elif family == "projective":
        q, t = rng.choice(((2, 2), (2, 3), (3, 2), (5, 2)))
        k = rng.randint(2, min(6, (q**t - 1) // (q - 1)))
        more = {"q": q, "dimension": t, "complement": rng.randint(0, 1)}
        if k == 3 and (q, t) == (2, 2):
            more["complement"] = rng.randint(0, 1)
    else:
        v, base, most = rng.choice(
            ((7, (0, 1, 3), 6), (3, (0, 1), 3), (13, (0, 1, 3, 9), 6), (13, (0, 1, 3), 4), (6, (4,), 6))
        )
        k = rng.randint(2, most)
        more = {"modulus": v, "base": f"{sum(1 << x for x in base):0{-(-v // 4)}x}"}
    return {"family": family, "categories": str(k), **{key: str(value) for key, value in more.items()}}


def is_balanced(made: dict[str, Any]) -> bool:
    """Return whether all rows of the matrix sum to equal chances, and the sets have one size."""
    return "blocks" in made and len({len(each) for each in sets_of(made["blocks"])}) == 1


def variance(made: dict[str, Any]) -> Fraction:
    """Return n times the total variance of the estimator that counts memberships, from the rows."""
    rows = written_out(made)
    k = len(rows[0])
    total = F(0)
    for x in range(k):
        low = [min(row) for row in rows]
        inside = [row[x] > least if max(row) > least else False for row, least in zip(rows, low, strict=True)]
        if "bit-vectors" in made:
            inside = [i >> (k - 1 - x) & 1 == 1 for i in range(len(rows))]
        elif any(max(row) == min(row) for row in rows):  # a set of all or none: known by name
            found = {frozenset(each): None for each in map(frozenset, sets_of(made["blocks"]))}
            inside = [x in each for each in found]
        hit, miss = (sum(row[y] for row, yes in zip(rows, inside, strict=True) if yes) for y in (x, (x + 1) % k))
        rate = miss + (hit - miss) / k
        total += rate * (1 - rate) / (hit - miss) ** 2
    return total


def bound(k: int, gamma: Fraction) -> Fraction:
    """Return the least total variance over rows of every number of gammas."""
    worst = F(0)
    for d in range(1, k):
        row = [gamma] * d + [F(1)] * (k - d)
        mean = sum(row, F(0)) / k
        worst = max(worst, sum((x - mean) ** 2 for x in row) / mean / sum(row, F(0)))
    return F((k - 1) ** 2) / (k * worst)


def information(rows: Any) -> Fraction:
    """Return the mutual information at equal shares, by its definition, to 60 digits."""
    with mp.workdps(70):
        k, total = len(rows[0]), mp.mpf(0)
        for row in rows:
            mean = sum(row, F(0)) / k
            for p in row:
                if p:
                    ratio = p / mean
                    total += (
                        mp.mpf(p.numerator) / p.denominator / k * mp.log(mp.mpf(ratio.numerator) / ratio.denominator)
                    )
        return F(int(mp.floor(total * mp.mpf(10) ** 55)), 10**55)


def best_information(k: int, gamma: Fraction) -> Fraction:
    """Return the largest over all numbers of gammas."""
    found = []
    for d in range(1, k):
        form = {"family": "subsets", "categories": str(k), "size": str(d), "gamma": str(gamma)}
        found.append(information(written_out({"blocks": form})))
    return max(found)


def value_of(kind: str, made: dict[str, Any]) -> Fraction:
    """Return the value of the mechanism."""
    k = int(next(iter(made.values()))["categories"])
    if kind == "mutual-information":
        return information(written_out(made))
    total = variance(made)
    if kind == "d-optimal":
        return _determinant(k, total)
    return total / (k - 1) if kind == "e-optimal" else total


def bound_of(kind: str, k: int, gamma: Fraction) -> Fraction:
    """Return the bound of all mechanisms."""
    if kind == "mutual-information":
        return best_information(k, gamma)
    total = bound(k, gamma)
    if kind == "d-optimal":
        return _determinant(k, total)
    return total / (k - 1) if kind == "e-optimal" else total


def _determinant(k: int, total: Fraction) -> Fraction:
    with mp.workdps(70):
        v = total / (k - 1)
        x = mp.log(k) - (k - 1) * mp.log(mp.mpf(v.numerator) / v.denominator)
        return F(int(mp.floor(x * mp.mpf(10) ** 55)), 10**55)


def file(
    level: Any, ends: Any, kind: str, made: Any, bounds: Any, outputs: str = "any", inputs: str = ""
) -> dict[str, Any]:
    """Return the certificate."""
    k = inputs or next(iter(made.values()))["categories"]
    levels = [{"epsilon": level, "delta": "0", "pairs": "all"}]
    problem = {"inputs": k, "outputs": outputs, "levels": levels, "bounds": None, "objective": {"kind": kind}}
    lower, upper = map(str, bounds)
    claim = {"lower": lower, "upper": upper, "mechanism": made}
    brackets = [{"gamma": {"below": str(ends[0]), "above": str(ends[1])}, "delta": {"below": "0", "above": "0"}}]
    proof = {"way": "formula", "brackets": brackets}
    return statement("design-bracket", problem | {"population": {"uniform": k}}, claim, proof)


def blocks(rng: random.Random) -> Iterator[Piece]:
    """Yield files about random levels and families."""
    room = F(1, 10**40)
    while True:
        level = random_level(rng)
        if level.kind == "zero" or level.number > 60:
            continue
        step = F(1, 10 ** rng.choice((4, 12, 30)))
        ends = (level.exact,) * 2 if level.exact is not None else (level.near(-step), level.near(step))
        if ends[0] <= 1 or ends[1] > 90:
            continue
        below, above = F(ends[0]), F(ends[1])
        own = below if rng.random() < 0.7 else 1 + (below - 1) * F(rng.randint(1, 9), 10)
        if rng.random() < 0.1:
            k, m = rng.randint(2, 4), F(1, rng.randint(3, 9))
            p = own * m / (1 - m + own * m)
            made: dict[str, Any] = {"bit-vectors": {"categories": str(k), "p": str(p), "m": str(m)}}
        else:
            made = {"blocks": {**families(rng), "gamma": str(own)}}
            k = int(made["blocks"]["categories"])
        rows = written_out(made)
        if len({tuple(row) for row in rows}) == 1:
            continue
        balanced = is_balanced(made)
        kind = rng.choice(("a-optimal", "a-optimal", "e-optimal", "d-optimal", "mutual-information"))
        if kind != "a-optimal" and not balanced:
            yield Piece(
                file(level.text, ends, kind, made, (-(10**9), 10**9)), "sets of several sizes", False, "counting"
            )
            kind = "a-optimal"
        ours, best = value_of(kind, made), bound_of(kind, k, above)
        maximised = kind in ("d-optimal", "mutual-information")
        low, high = (ours - room, best + room) if maximised else (best, ours)
        yield Piece(file(level.text, ends, kind, made, (low, high)), "what is proved", True, "matrices written out")
        wide = (low - F(1, 10), high + F(1, 10))
        yield Piece(file(level.text, ends, kind, made, wide), "wider", True, "matrices written out")
        small = F(1, 10 ** rng.choice((1, 4, 20)))
        true_bound = bound_of(kind, k, level.near(F(1, 10**45) if maximised else F(-1, 10**45)))
        if maximised:
            yield Piece(
                file(level.text, ends, kind, made, (ours + small, high + 1)),
                "above the value",
                False,
                "matrices written out",
            )
            yield Piece(
                file(level.text, ends, kind, made, (ours - 1, bound_of(kind, k, level.near(F(-1, 10**45))) - small)),
                "below the optimum",
                False,
                "the best of all sizes",
            )
        else:
            yield Piece(
                file(level.text, ends, kind, made, (best, ours * (1 - small))),
                "below the value",
                False,
                "matrices written out",
            )
            yield Piece(
                file(level.text, ends, kind, made, (true_bound * (1 + small), ours * 2)),
                "above the optimum",
                False,
                "the best of all sizes",
            )
        yield from _other_levels(level, ends, kind, made, rng)
        yield from _no_designs(level, ends, kind, made, rng)


def _other_levels(level: Any, ends: Any, kind: str, made: Any, rng: random.Random) -> Iterator[Piece]:
    """Yield files whose mechanism is beyond the level, or whose bracket does not hold gamma."""
    wide = (-(10**9), 10**9)
    if "blocks" in made:
        over = deepcopy(made)
        over["blocks"]["gamma"] = str(level.near(F(1, 10**30)) * (1 + F(1, 10 ** rng.choice((1, 3, 12)))))
        yield Piece(file(level.text, ends, "a-optimal", over, wide), "a larger gamma", False, "fractions")
        for gamma in ("1", "1/2", "-3", "0"):
            over["blocks"]["gamma"] = gamma
            yield Piece(file(level.text, ends, "a-optimal", over, wide), "gamma not above 1", False, "its form")
    method, low, high = bracket_of(level, rng)
    if method not in ("honest", "one point"):
        yield Piece(file(level.text, (low, high), kind, made, wide), f"gamma {method}", False, level.oracle)


def _no_designs(level: Any, ends: Any, kind: str, made: Any, rng: random.Random) -> Iterator[Piece]:
    """Yield files whose parameters make no design, or another one."""
    wide, k = (-(10**9), 10**9), int(next(iter(made.values()))["categories"])
    yield Piece(
        file(level.text, ends, "a-optimal", made, wide, inputs=str(k + 1)), "other categories", False, "counting"
    )
    if "bit-vectors" in made:
        for p, m in (("1/2", "1/2"), ("1/3", "1/2"), ("1", "1/2"), ("1/2", "0")):
            form = {"bit-vectors": {"categories": str(k), "p": p, "m": m}}
            yield Piece(file(level.text, ends, "a-optimal", form, wide), "no bits", False, "its form")
        yield Piece(
            file(level.text, ends, "a-optimal", made, wide, outputs=str(2**k - 1)), "too few outputs", False, "counting"
        )
        return
    family, sets = made["blocks"]["family"], sets_of(made["blocks"])
    count = {"affine-classes": lambda b: int(b["q"]) * int(b["index"])}.get(family, lambda _: len(sets))(made["blocks"])
    if count > 2:
        fewer = file(level.text, ends, "a-optimal", made, wide, outputs=str(count - 1))
        yield Piece(fewer, "too few outputs", False, "counting")
    changes: dict[str, list[dict[str, str]]] = {
        "subsets": [{"size": "0"}, {"size": str(k)}],
        "affine": [
            {"q": "9"},
            {"size": "0"},
            {"size": made["blocks"].get("q", "")},
            {"q": "2", "dimension": "1", "size": "1"},
        ],
        "affine-classes": [
            {"q": "9"},
            {"index": "0"},
            {"cosets": "0", "zero": "0"},
            {"index": str(int(made["blocks"].get("q", "2")))},
        ],
        "projective": [{"q": "4"}, {"complement": "2"}, {"dimension": "1"}],
    }
    for change in changes.get(family, []):
        other = {"blocks": {**made["blocks"], **change}}
        if change.get("q") == "2" and k <= 2:
            continue
        yield Piece(file(level.text, ends, "a-optimal", other, wide), "no design", False, "its form")
    if family == "cyclic":
        yield from _no_difference_sets(level, ends, made, k, wide, rng)


def _no_difference_sets(level: Any, ends: Any, made: Any, k: int, wide: Any, rng: random.Random) -> Iterator[Piece]:
    """Yield base blocks with one residue more or less, where that leaves no design."""
    v, bits = int(made["blocks"]["modulus"]), int(made["blocks"]["base"], 16)
    moved = bits ^ 1 << rng.randrange(v)
    inside = {x for x in range(v) if moved >> x & 1}
    found = {sum((x + h) % v in inside for x in inside) for h in range(1, k)}
    for base, sure in ((moved, len(found) > 1 or not 0 < len(inside) < v), (0, True), ((1 << v) - 1, True)):
        if sure:
            other = {"blocks": {**made["blocks"], "base": f"{base:0{-(-v // 4)}x}"}}
            yield Piece(file(level.text, ends, "a-optimal", other, wide), "no difference set", False, "counting")


FUZZERS = {"blocks": blocks}
