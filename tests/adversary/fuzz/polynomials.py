"""Rules 9 and 10: false identities and inequalities, each refuted by the value of its trees at a point."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from .harness import Piece, statement

F = Fraction
Values = dict[str, Fraction]
_HANDELMAN = ("the Handelman sum is not the polynomial", "no term of the Handelman", "coefficient of a Handelman")
DECIDING = {
    "identity": ("the two sides",),
    "handelman": (*_HANDELMAN, "a hypothesis does not hold"),
    "bernstein": (
        *_HANDELMAN,
        "Bernstein coefficient",
        "leaves are missing",
        "after its last leaf",
        "no simplex has",
        "a hypothesis does not hold",
    ),
}


def value(tree: Any, at: Values) -> Fraction:
    """Return the value of a tree; raises ``ZeroDivisionError`` where it has none."""
    if isinstance(tree, str):
        return at[tree] if tree in at else F(tree)
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return -value(parts, at)
    if operation == "power":
        return value(parts[0], at) ** int(parts[1])
    found = [value(part, at) for part in parts]
    if operation == "quotient":
        return found[0] / found[1]
    total = found[0]
    for each in found[1:]:
        total = total + each if operation == "sum" else total * each
    return total


def number(rng: random.Random) -> str:
    """Return a short number."""
    return str(F(rng.randint(-6, 6), rng.choice((1, 1, 2, 3, 7))))


def small(rng: random.Random) -> Fraction:
    """Return a number of any size and sign."""
    return rng.choice((1, -1)) * F(1, rng.choice((1, 2, 10**3, 10**9, 10**30)))


def tree(rng: random.Random, names: list[str], depth: int, quotients: bool = False) -> Any:
    """Return a random tree."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(names) if rng.random() < 0.7 else number(rng)
    operation = rng.choice(("sum", "sum", "product", "negative", "power", "quotient" if quotients else "product"))
    part = lambda: tree(rng, names, depth - 1, quotients)  # noqa: E731
    if operation == "negative":
        return {"negative": part()}
    if operation == "power":
        return {"power": [part(), str(rng.randint(0, 3))]}
    return {operation: [part() for _ in range(2 if operation == "quotient" else rng.randint(2, 3))]}


def rewritten(made: Any, rng: random.Random, names: list[str]) -> Any:
    """Return an equal tree: factors moved about, terms added and taken away, products multiplied out."""
    if isinstance(made, str):
        other = rng.choice(names)
        return rng.choice((made, made, {"sum": [other, made, {"negative": other}]}, {"negative": {"negative": made}}))
    ((operation, parts),) = made.items()
    if operation == "negative":
        return {"product": ["-1", rewritten(parts, rng, names)]}
    if operation == "power":
        base, n = rewritten(parts[0], rng, names), int(parts[1])
        return {"power": [base, str(n)]} if n < 2 or rng.random() < 0.5 else {"product": [base] * n}
    inside = [rewritten(part, rng, names) for part in parts]
    if operation == "quotient":
        return {"quotient": [{"product": [part, "2"]} for part in inside]}
    return {operation: inside[::-1]}


def bent(made: Any, rng: random.Random, names: list[str]) -> Any:
    """Return a tree that differs in one place."""
    if isinstance(made, str) or rng.random() < 0.2:
        step = rng.choice((str(small(rng)), {"product": [str(small(rng)), rng.choice(names)]}))
        return rng.choice(({"sum": [made, step]}, {"product": [made, {"sum": ["1", step]}]}))
    ((operation, parts),) = made.items()
    if operation == "negative":
        return {operation: bent(parts, rng, names)}
    if operation == "power":
        return {
            operation: [parts[0], str(int(parts[1]) + 1)]
            if rng.random() < 0.5
            else [bent(parts[0], rng, names), parts[1]]
        }
    i = rng.randrange(len(parts))
    return {operation: [bent(part, rng, names) if j == i else part for j, part in enumerate(parts)]}


def refuted(left: Any, right: Any, at: Values) -> bool:
    """Whether two trees have values at a point, and different ones."""
    try:
        return value(left, at) != value(right, at)
    except ZeroDivisionError:
        return False


def identities(rng: random.Random) -> Iterator[Piece]:
    """Sides that differ at a point where all relations hold: a side bent, a cofactor bent, a relation used too much."""
    while True:
        names = ["x", "y", "z"][: rng.randint(1, 3)]
        at = {name: F(number(rng)) for name in names}
        left = tree(rng, names, 3, rng.random() < 0.4)
        method = "polynomials" if "quotient" not in str(left) else "quotients"
        right, relations, cofactors = rewritten(left, rng, names), [], []
        for _ in range(rng.choice((0, 0, 1, 2))):
            relation = tree(rng, names, 2)
            relations.append({"sum": [relation, str(-value(relation, at))]})  # 0 at the point
            cofactors.append(tree(rng, names, 1))
        if relations and method == "polynomials":
            right = {
                "sum": [right, *({"negative": {"product": list(p)}} for p in zip(relations, cofactors, strict=True))]
            }
            method = "relations"
        else:
            cofactors = ["0"] * len(relations)
        if _has_value(left, at):
            yield _identity(names, relations, left, right, cofactors, f"honest {method}", True, at)
        for side in ("bent", "a cofactor left out", "another tree"):
            other = {"bent": bent(right, rng, names), "another tree": tree(rng, names, 3)}.get(
                side, bent(left, rng, names)
            )
            used = ["0"] * len(cofactors) if side == "a cofactor left out" else cofactors
            if refuted(left, other, at):
                yield _identity(names, relations, left, other, used, f"{method}, {side}", False, at)


def _has_value(made: Any, at: Values) -> bool:
    try:
        value(made, at)
    except ZeroDivisionError:
        return False
    return True


def _identity(
    names: list[str],
    relations: list[Any],
    left: Any,
    right: Any,
    cofactors: list[Any],
    method: str,
    true: bool,
    at: Values,
) -> Piece:
    problem = two_sides(names, [(relation, "=") for relation in relations], left, right)
    point = [str(at[name]) for name in names] if not true and len(method) % 2 else None
    proof = {"way": "identity", "cofactors": cofactors, "point": point}
    return Piece(statement("polynomial", problem, {"relation": "="}, proof), method, true, "the value at a point")


# Positivity.


def _scaled(c: Fraction, made: Any) -> Any:
    return {"product": [str(c), made]}


def _powers(trees: list[Any], powers: list[tuple[int, int]]) -> Any:
    return {"product": ["1", "1", *({"power": [trees[i], str(e)]} for i, e in powers)]}


def _terms(rng: random.Random, hypotheses: int) -> list[tuple[Fraction, list[tuple[int, int]]]]:
    """Return terms of a Handelman sum in the order of the page."""
    vectors = {tuple(rng.choice((0, 0, 1, 2)) for _ in range(hypotheses)) for _ in range(rng.randint(1, 3))}
    listed = []
    for vector in sorted(vectors):
        coefficient = F(rng.randint(1, 9), rng.choice((1, 2, 7)))
        listed.append((coefficient, [(i, e) for i, e in enumerate(vector) if e]))
    return listed


def _written(terms: list[tuple[Fraction, list[tuple[int, int]]]]) -> list[Any]:
    return [{"coefficient": str(c), "powers": [[str(i), str(e)] for i, e in powers]} for c, powers in terms]


def _sum(trees: list[Any], terms: list[tuple[Fraction, list[tuple[int, int]]]]) -> Any:
    return {"sum": ["0", "0", *(_scaled(c, _powers(trees, powers)) for c, powers in terms)]}


GRID = [F(0), F(1), F(1, 2), F(1, 3), F(2), F(-1), F(1, 10**6)]


def _allowed(hypotheses: list[tuple[Any, str]], names: list[str]) -> list[Values]:
    """Return the points of a grid at which all hypotheses hold."""
    found = []
    for entries in product(GRID, repeat=len(names)):
        at = dict(zip(names, entries, strict=True))
        if all(v > 0 if relation == ">" else v >= 0 for v, relation in ((value(t, at), r) for t, r in hypotheses)):
            found.append(at)
    return found


def _fails(polynomial: Any, strict: bool, points: list[Values]) -> bool:
    return any(v < 0 or (strict and not v) for v in (value(polynomial, at) for at in points))


def handelmans(rng: random.Random) -> Iterator[Piece]:
    """Sums that are not the polynomial, have a negative term or vanish somewhere; a point refutes the claim."""
    while True:
        names = ["a", "b"][: rng.randint(1, 2)]
        choices = [*names, *({"sum": ["1", {"negative": name}]} for name in names), tree(rng, names, 1)]
        hypotheses = [
            (made, rng.choice((">=", ">=", ">"))) for made in rng.sample(choices, rng.randint(1, len(choices)))
        ]
        trees = [made for made, _ in hypotheses]
        points = _allowed(hypotheses, names)
        if not points:
            continue
        terms = _terms(rng, len(hypotheses))
        total = _sum(trees, terms)
        proves = any(all(hypotheses[i][1] == ">" for i, _ in powers) for _, powers in terms)
        signed = [*terms]
        i = rng.randrange(len(terms))
        signed[i] = (-terms[i][0], terms[i][1])
        step = str(abs(small(rng)))
        tries = [
            ("honest", total, terms, False),
            ("positive", total, terms, True),
            ("less", {"sum": [total, {"negative": step}]}, terms, False),
            ("bent", bent(total, rng, names), terms, rng.random() < 0.5),
            ("a negative term", _sum(trees, signed), signed, False),
            ("a negative term left out", _sum(trees, signed), terms, False),
        ]
        for method, polynomial, listed, strict in tries:
            true = method == "honest" or (method == "positive" and proves)
            if true or _fails(polynomial, strict, points):
                point = [str(x) for x in rng.choice(points).values()] if rng.random() < 0.5 else None
                proof = {"way": "handelman", "terms": _written(listed), "point": point}
                problem = two_sides(names, hypotheses, polynomial)
                yield Piece(_claimed(problem, strict, proof), method, true, "the value at a point")


def two_sides(
    names: list[str], hypotheses: Any, left: Any, right: Any = "0", variables: Any = (), domain: Any = ()
) -> dict[str, Any]:
    """Return the problem of two sides; a hypothesis is a tree and its relation to 0."""
    return {
        "parameters": names,
        "hypotheses": [{"polynomial": made, "relation": relation} for made, relation in hypotheses],
        "variables": list(variables),
        "domain": list(domain),
        "left": left,
        "right": right,
    }


def _claimed(problem: Any, strict: bool, proof: Any) -> Any:
    return statement("polynomial", problem, {"relation": ">" if strict else ">="}, proof)


# Bernstein: polynomials on intervals, half-lines and triangles.


def _domain(rng: random.Random) -> tuple[list[str], list[Any]]:
    if rng.random() < 0.3:
        return ["t", "s"], [["1", "0", "0"], ["1", "1", "0"], rng.choice((["1", "0", "1"], ["0", "0", "1"]))]
    low, high = sorted((F(number(rng)), F(number(rng)) + F(1, 2)))
    return ["t"], [["1", str(low)], rng.choice((["1", str(high)], ["0", "1"]))]


def _points(vertices: list[Any], at: Values, variables: list[str], rng: random.Random) -> list[Values]:
    """Return points of a simplex: its vertices, and others."""
    n = len(vertices)
    corners = [[F(value(x, at)) for x in v] for v in vertices]
    shares = [[F(int(i == j)) for j in range(n)] for i in range(n)]
    shares += [[F(rng.randint(0, 6)) for _ in range(n)] for _ in range(4)]
    found = []
    for share in shares:
        w, *x = (sum(c * v[j] for c, v in zip(share, corners, strict=True)) for j in range(n))
        if w > 0:
            found.append({**at, **dict(zip(variables, (each / w for each in x), strict=True))})
    return found


def _nodes(rng: random.Random, size: int, depth: int, leaf: Any = None) -> list[Any]:
    """Return a random tree of splits in preorder."""
    if depth == 0 or rng.random() < 0.3:
        return [{"leaf": leaf}]
    i, j = sorted(rng.sample(range(size), 2))
    split = {"edge": [str(i), str(j)], "mix": rng.choice((["1", "1"], ["1/3", "2"], ["5", "1/7"]))}
    return [split, *_nodes(rng, size, depth - 1, leaf), *_nodes(rng, size, depth - 1, leaf)]


def bernsteins(rng: random.Random) -> Iterator[Piece]:
    """Polynomials that are negative, or zero, at a point of the simplex; trees of splits, whole or not; parameters."""
    while True:
        if rng.random() < 0.3:
            yield from _with_parameters(rng)
            continue
        variables, vertices = _domain(rng)
        n, nodes = len(vertices), _nodes(rng, len(vertices), rng.randint(0, 3))
        points = _points(vertices, {}, variables, rng)
        root = rng.choice(points)
        square = {"power": [{"sum": [variables[0], str(-root[variables[0]])]}, "2"]}
        if len(variables) == 2:
            square = {"sum": [square, {"power": [{"sum": ["s", str(-root["s"])]}, "2"]}]}
        step = abs(small(rng))
        tries = [
            ("touching", square, True, nodes),
            ("below", {"sum": [square, str(-step)]}, False, nodes),
            ("random", tree(rng, variables, 3), rng.random() < 0.5, nodes),
            ("without a node", {"sum": [square, str(-step)]}, False, nodes[:-1]),
        ]
        for method, polynomial, strict, listed in tries:
            if _fails(polynomial, strict, points):
                proof = {"way": "bernstein", "cells": [listed], "point": None}
                problem = two_sides([], [], polynomial, variables=variables, domain=[vertices])
                yield Piece(
                    _claimed(problem, strict, proof), f"{method}, {n - 1} variables", False, "the value at a point"
                )
        shapes = {"power": [variables[-1], "2"]}
        problem = two_sides([], [], {"sum": [shapes, "1"]}, variables=variables, domain=[vertices])
        if min(value(x, {}) for v in vertices for x in v) >= 0:
            proof = {"way": "bernstein", "cells": [nodes], "point": None}
            yield Piece(_claimed(problem, False, proof), "honest", True, "no negative coefficient")


def _with_parameters(rng: random.Random) -> Iterator[Piece]:
    """a t + b (1 - t) + c t (1 - t) on [0, 1], say, with Handelman sums for a and b."""
    names, hypotheses = (
        ["a", "b"],
        [("a", ">="), (rng.choice(("b", {"sum": ["b", {"negative": "a"}]})), rng.choice((">=", ">")))],
    )
    trees = [made for made, _ in hypotheses]
    terms = [_terms(rng, 2) for _ in range(3)]
    sums = [_sum(trees, each) for each in terms]
    t, rest = "t", {"sum": ["1", {"negative": "t"}]}
    basis = [{"power": [t, "2"]}, {"product": [t, rest]}, {"power": [rest, "2"]}]
    i = rng.randrange(3)
    step = str(-abs(small(rng)))
    off = [{"sum": [s, step]} if j == i else s for j, s in enumerate(sums)]
    whole = {"sum": [{"product": [s, b]} for s, b in zip(sums, basis, strict=True)]}
    less = {"sum": [{"product": [s, b]} for s, b in zip(off, basis, strict=True)]}
    points = [{**at, "t": x} for at in _allowed(hypotheses, names) for x in (F(0), F(1), F(1, 2), F(1, 7))]
    vertices = [["1", "1"], ["1", "0"]]  # coefficients of c_0^2, c_0 c_1, c_1^2
    cells = [[{"leaf": [_written(each) for each in terms]}]]
    proof = {"way": "bernstein", "cells": cells, "point": None}
    for method, polynomial, strict in (
        ("parameters, honest", whole, False),
        ("parameters, less", less, False),
        ("parameters, positive", whole, True),
    ):
        false = method != "parameters, honest" and _fails(polynomial, strict, points)
        if false or method == "parameters, honest":
            problem = two_sides(names, hypotheses, polynomial, variables=["t"], domain=[vertices])
            yield Piece(_claimed(problem, strict, proof), method, not false, "the value at a point")


FUZZERS = {"identity": identities, "handelman": handelmans, "bernstein": bernsteins}
