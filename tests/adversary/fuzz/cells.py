"""Random false statements about cells of `parity-bound`, held against the judgement of a checker.

A statement "F >= b on the cell" is false if F < b at one point of the cell, and that is what the oracle finds: F at
hundreds of places, many of them close to the ends and to the middle. "F <= b" likewise; a limit by points ever closer.
One statement of ``degenerate_covers.EVERY`` is degenerate (``degenerate_covers.py``), with exact truth.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath as mp
import numpy as np

from . import degenerate_covers
from .criteria import BITS, float_odds, odds, random_function
from .degenerate_covers import EVERY, beside

METHODS = ("bernstein", "low", "high", "middle", "point", "most", "limit")


class Statement(NamedTuple):
    """What is asked of a checker: F >= bound (``most``: <=) on a cell; at a limit, the end is 0 or 1."""

    method: str
    tree: Any
    mirrored: bool
    low: Fraction
    high: Fraction
    order: int
    bound: Fraction
    is_true: bool
    is_degenerate: bool = False


def statements(rng: random.Random) -> Iterator[Statement]:
    """Iterate over statements, and degenerate ones between them."""
    degenerate = degenerates(beside(rng))
    for number, statement in enumerate(plain_statements(rng), 1):
        yield statement
        if number % (EVERY - 1) == 0:
            yield next(degenerate)


def degenerates(rng: random.Random) -> Iterator[Statement]:
    """Iterate over degenerate statements: functions, cells and bounds whose truth is known exactly."""
    while True:
        method, mirrored = rng.choice(METHODS), rng.random() < 0.3
        name, tree = degenerate_covers.draw(rng, mirrored)
        low, high = degenerate_covers.cell(rng, method)
        seen = degenerate_covers.KNOWN[name].mirror if mirrored else name
        if method == "limit":
            extreme = degenerate_covers.odds(seen, Fraction(int(high == 1)))
        else:
            extreme = (degenerate_covers.most if method == "most" else degenerate_covers.least)(seen, low, high)
        bound = degenerate_covers.bound(rng, extreme)
        is_upper = method in ("most", "limit")
        is_true = not is_upper if extreme is None else extreme <= bound if is_upper else extreme >= bound
        yield Statement(method, tree, mirrored, low, high, rng.randint(0, 4), bound, is_true, is_degenerate=True)


def plain_statements(rng: random.Random) -> Iterator[Statement]:
    """Iterate over statements, three quarters of them false by 1e-1 to 1e-14, the others true by as little."""
    while True:
        tree, mirrored = random_function(rng), rng.random() < 0.3
        for _ in range(6):
            yield from _about(tree, mirrored, rng)


def _about(tree: Any, mirrored: bool, rng: random.Random) -> Iterator[Statement]:
    method = rng.choices(METHODS, weights=(4, 1, 1, 1, 1, 1, 4))[0]  # of some most are stopped early
    low, high = _cell(method, rng)
    places = _places(low, high, method, rng)
    values = float_odds(tree, mirrored, places)
    finite = np.isfinite(values) & (values > 1e-9) & (values < 1e9)
    if method != "limit":
        if not finite.any():
            return
        best = (
            np.argmax(np.where(finite, values, -1)) if method == "most" else np.argmin(np.where(finite, values, 1e99))
        )
        at = min(max(Fraction(float(places[best])), low), high)  # a float beside an end may lie outside of the cell
    with mp.workprec(BITS):
        if method == "limit":
            at = mp.mpf(10) ** -60 if low == 0 else 1 - mp.mpf(10) ** -60
        else:
            at = mp.mpf(at.numerator) / at.denominator
        try:
            extreme = odds(tree, mirrored, at)
        except (ValueError, OverflowError, ZeroDivisionError):
            return
        if not mp.isfinite(extreme) or not 1e-9 < extreme < 1e9:
            return
        for sign in (1, -1)[: 2 if rng.random() < 0.35 else 1]:
            is_least = method not in ("most", "limit")  # false if the bound is too high, else if too low
            change = (sign if is_least else -sign) * mp.mpf(10) ** -rng.randint(1, 14)
            bound = _fraction(extreme * (1 + change))
            yield Statement(method, tree, mirrored, low, high, rng.randint(0, 4), bound, is_true=sign < 0)


def _fraction(x: mp.mpf) -> Fraction:
    return Fraction(int(mp.nint(x * 2**200)), 2**200)


def _cell(method: str, rng: random.Random) -> tuple[Fraction, Fraction]:
    size = Fraction(1, rng.choice([1, 2, 3, 8, 64, 1000, 10**6]))
    start = Fraction(rng.randint(1, 99), 100)
    inside = start, min(start + (1 - start) * size, Fraction(99999, 100000))
    if method == "point":
        return start, start
    if method in ("low", "limit") and rng.random() < 0.7:
        return Fraction(0), size if size < 1 else Fraction(1, 2)
    if method in ("high", "limit") and (method == "limit" or rng.random() < 0.7):
        return 1 - (size if size < 1 else Fraction(1, 2)), Fraction(1)
    if method == "bernstein" and rng.random() < 0.5:
        return rng.choice([(Fraction(0), size), (1 - size, Fraction(1)), (Fraction(0), Fraction(1))])
    return inside


def _places(low: Fraction, high: Fraction, method: str, rng: random.Random) -> np.ndarray:
    a, b = float(low), float(high)
    powers = 2.0 ** -np.arange(2, 50, 3)
    shares = np.concatenate([np.linspace(0.02, 0.98, 49), powers, 1 - powers, [rng.random() for _ in range(10)]])
    return np.clip(a + (b - a) * shares, max(a, 1e-300), min(b, 1 - 1e-16))


def run(judge: Any, rng: random.Random, count: int, failures: int = 20) -> tuple[Counter[str], list[Statement]]:
    """Ask a checker of statements until so many false ones reached its last inequality; return counts and failures.

    Degenerate ones are asked as well, and counted apart.
    ``judge(statement)`` returns ``"accepted"``, ``"refuted"`` (rejected by the last inequality) or ``"early"``.
    """
    counts: Counter[str] = Counter()
    wrong: list[Statement] = []
    for statement in statements(rng):
        answer = judge(statement)
        kind = "true" if statement.is_true else "false"
        counts[f"{'degenerate ' * statement.is_degenerate}{statement.method} {kind} {answer}"] += 1
        if answer == "accepted" and not statement.is_true:
            wrong.append(statement)
        met = sum(n for key, n in counts.items() if key.endswith("false refuted") and not key.startswith("degenerate"))
        if met >= count or len(wrong) >= failures:
            break
    return counts, wrong
