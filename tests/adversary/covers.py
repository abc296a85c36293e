"""Certificates of parity bounds: what is true of one, by high-precision minimisation, and how to spoil it.

The oracle shares no code with the checker: it evaluates the trees of the file by mpmath at 400 bits.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

OFFSET = mp.mpf(10) ** -40  # how near to an end the oracle goes
CLOSE = mp.mpf(10) ** -22  # the oracle's error, beside a limit: smaller than every gap that is resolved
BITS = 400
METHODS = ("bernstein", "low", "high", "middle")


def number(text: str) -> mp.mpf:
    """Return a number of the file."""
    exact = Fraction(text)
    return mp.mpf(exact.numerator) / exact.denominator


def evaluate(tree: Any, p: mp.mpf) -> mp.mpf:
    """Return the value of an expression."""
    if isinstance(tree, str):
        return p if tree == "p" else number(tree)
    ((operation, parts),) = tree.items()
    if operation == "power":
        base, exponent = evaluate(parts[0], p), Fraction(parts[1])
        return base**exponent.numerator if exponent.denominator == 1 else base ** number(parts[1])
    if operation in ("negative", "sqrt", "exp", "log"):
        value = evaluate(parts, p)
        return {"negative": lambda x: -x, "sqrt": mp.sqrt, "exp": mp.exp, "log": mp.log}[operation](value)
    values = [evaluate(part, p) for part in parts]
    if operation == "quotient":
        return values[0] / values[1]
    return {"sum": mp.fsum, "product": mp.fprod, "minimum": min, "maximum": max}[operation](values)


def end_of(data: Any) -> mp.mpf:
    """Return the end of a piece, a root by bisection."""
    if isinstance(data, str):
        return number(data)
    low, high = map(number, data["between"])
    value = lambda x: mp.polyval([number(c) for c in reversed(data["root"])], x)  # noqa: E731
    rises = value(high) > 0
    for _ in range(BITS):
        middle = (low + high) / 2
        low, high = (low, middle) if (value(middle) > 0) == rises else (middle, high)
    return (low + high) / 2


def odds(side: str, h: mp.mpf, p: mp.mpf) -> mp.mpf:
    """Return N/D, infinite where D <= 0."""
    above, below = ((1 - p) * h, p * (1 - h)) if side == "up" else (p * (1 - h), (1 - p) * h)
    return above / below if below > 0 else mp.inf


def pieces(function: Any) -> list[tuple[mp.mpf, mp.mpf, bool, bool, Any]]:
    """Return start, end, whether each is owned, and the expression."""
    found, start, owned = [], mp.mpf(0), True
    for piece in function["pieces"]:
        end = end_of(piece["to"])
        found.append((start, end, owned, piece["closed"], piece["value"]))
        start, owned = end, not piece["closed"]
    return found


@dataclass(frozen=True)
class Truth:
    """The infimum, and whether it is attained."""

    value: mp.mpf
    attained: bool | None


def truth(problem: Any) -> Truth:
    """Return the infimum over all pieces of both functions, by scanning and golden section."""
    points, limits = [mp.inf], [mp.inf]
    for side in ("up", "down"):
        for start, end, owns_start, owns_end, tree in pieces(problem[side]) if problem[side] else ():

            def ratio(p: mp.mpf, side: str = side, tree: Any = tree) -> mp.mpf:
                return odds(side, evaluate(tree, p), p)

            for at, owned in ((start, owns_start), (end, owns_end)):
                if owned and 0 < at < 1:
                    points.append(ratio(at))
            if start == end:
                continue
            limits += [ratio(start + OFFSET), ratio(end - OFFSET)]
            grid = [start + (end - start) * i / 60 for i in range(1, 60)]
            values = [ratio(p) for p in grid]
            points += values
            for i in range(1, len(grid) - 1):
                if values[i] < mp.inf and values[i - 1] >= values[i] <= values[i + 1]:
                    points.append(golden(ratio, grid[i - 1], grid[i + 1]))
    point, limit = min(points), min(limits)
    apart = abs(point - limit) > CLOSE if mp.inf not in (point, limit) else True
    return Truth(min(point, limit), point < limit if apart else point <= limit + OFFSET)


def golden(f: Callable[[mp.mpf], mp.mpf], a: mp.mpf, b: mp.mpf) -> mp.mpf:
    """Return the least value of f on [a, b]."""
    g = (mp.sqrt(5) - 1) / 2
    x, y = b - g * (b - a), a + g * (b - a)
    fx, fy = f(x), f(y)
    best = min(fx, fy)
    for _ in range(160):
        if fx < fy:
            b, y, fy = y, x, fx
            x = b - g * (b - a)
            fx = f(x)
        else:
            a, x, fx = x, y, fy
            y = a + g * (b - a)
            fy = f(y)
        best = min(best, fx, fy)
    return best


def is_true(document: Any) -> bool:
    """Whether what a file claims is true of its problem, as far as the oracle sees."""
    claim = document["claim"]
    with mp.workprec(BITS):
        found = truth(document["problem"])
        if claim["lower"] == "infinite":
            return bool(found.value == mp.inf)
        lower, upper = number(claim["lower"]), number(claim["upper"])
        if not lower - CLOSE <= found.value <= upper + CLOSE or claim["attained"] not in (None, found.attained):
            return False
        return place_value(document["problem"], claim["at"]) <= upper + CLOSE


def place_value(problem: Any, at: Any) -> mp.mpf:
    """Return the least N/D at, or beside, a place in terms of the argument of min(h_u(p), 1-h_l(1-p))."""
    low, high = {"0+": (OFFSET, OFFSET), "1-": (1 - OFFSET, 1 - OFFSET)}.get(str(at), (None, None))
    if low is None:
        low, high = map(number, (at, at) if isinstance(at, str) else (at["from"], at["to"]))
    best = mp.inf
    for side in ("up", "down"):
        a, b = (low, high) if side == "up" else (1 - high, 1 - low)
        for start, end, *_, tree in pieces(problem[side]) if problem[side] else ():
            for p in {a, b, start, end}:
                if start <= p <= end and a <= p <= b and 0 < p < 1:
                    best = min(best, odds(side, evaluate(tree, p), p))
    return best


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over the paths of all leaves of a document."""
    children = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in children:
        yield from paths(value, (*path, key))
    if not isinstance(data, dict | list):
        yield path


def at_path(document: Any, path: tuple[Any, ...]) -> Any:
    """Return what stands at a path."""
    for key in path:
        document = document[key]
    return document


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy with another value at a path."""
    changed = copy.deepcopy(document)
    at_path(changed, path[:-1])[path[-1]] = value
    return changed


def mutants(document: Any, rng: random.Random, per_place: int) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Iterate over single changes of a certificate."""
    for path in paths(document):
        if path[0] == "format" or path[-1] == "kind":
            continue
        for value in itertools.islice(_others(path, at_path(document, path), rng), per_place):
            yield path, replaced(document, path, value)
    yield from structural(document, rng)


def _others(path: tuple[Any, ...], value: Any, rng: random.Random) -> Iterator[Any]:
    if value is None or isinstance(value, bool):
        yield from [other for other in (True, False, None) if other is not value]
    elif path[-1] == "method":
        yield from [method for method in METHODS if method != value]
    elif path[-1] == "at":
        yield from rng.sample(["0+", "1-", "1/2", "1/3", "4/5"], 3)
    elif path[-1] == "order":
        yield from [order for order in ("0", "1", "2", "3", "4") if order != value]
    elif path[-1] == "side":
        yield "down" if value == "up" else "up"
    if isinstance(value, str) and value.lstrip("-")[:1].isdigit() and value[-1].isdigit():
        old = Fraction(value)
        for change in (
            Fraction(rng.choice([1, -1]), 10 ** rng.choice([3, 6, 9, 15])),
            Fraction(rng.choice([1, -1])),
            Fraction(rng.randint(-99, 99), 100),
            old * Fraction(rng.choice([1, -1]), 10**12),
        ):
            if change:
                yield str(old + change)


def structural(document: Any, rng: random.Random) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Iterate over files with a cell or a piece left out, doubled, or exchanged with its neighbour."""
    lists = [("proof", side, i) for side in ("up", "down") for i in range(len(document["proof"][side] or ()))]
    lists += [("problem", side, "pieces") for side in ("up", "down") if document["problem"][side]]
    for path in lists:
        entries = at_path(document, path)
        if not entries:
            continue
        i = rng.randrange(len(entries))
        yield path, replaced(document, path, entries[:i] + entries[i + 1 :])
        yield path, replaced(document, path, [*entries[: i + 1], *entries[i:]])
        if len(entries) > 1:
            j = rng.randrange(len(entries) - 1)
            exchanged = [*entries[:j], entries[j + 1], entries[j], *entries[j + 2 :]]
            yield path, replaced(document, path, exchanged)
            yield path, replaced(document, path, [*entries[:j], *entries[j + 1 :]])
