"""The statement budget-split: false claims, refuted by a better split or by fractions.

Values are taken from the matrices by the definition of a covariance, the joint one from the whole 2^n x 2^n product. A
better split is a rational one near the best, which is bisected; the bound of the rule is written down again in plain
fractions, in p in the place of the parity.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import cosh, exp, prod, sinh
from typing import Any

import mpmath as mp

from .harness import Piece, statement
from .levels import Level, bracket_of, random_level

F = Fraction
ZERO = F(0)

DECIDING = {
    "budget-split": (
        "multiply to more",
        "upper is below",
        "lower is above",
        "a bit has p",
        "a column of a bit",
        "a weight is negative, or",
        "a prevalence is not",
        "squares is not",
        "another number of bits",
        "says nothing",
        "gamma",
    )
}


@dataclass(frozen=True)
class Split:
    """A certificate in numbers: ``weights`` None means the joint distribution, with ``squares``."""

    level: Level
    gamma: tuple[Fraction, Fraction]
    bits: tuple[Fraction, ...]  # p of each
    weights: tuple[Fraction, ...] | None
    prevalences: tuple[Fraction, ...]
    squares: Fraction
    lower: Fraction = ZERO
    upper: Fraction = ZERO

    def file(self, matrices: Any = None, questions: int | None = None) -> dict[str, Any]:
        """Return the certificate."""
        if self.weights is None:
            count = str(len(self.bits) if questions is None else questions)
            objective: dict[str, Any] = {"kind": "joint", "questions": count, "squares": str(self.squares)}
        else:
            objective = {
                "kind": "marginals",
                "weights": [str(w) for w in self.weights],
                "prevalences": [str(p) for p in self.prevalences],
            }
        listed = [[[str(p), str(1 - p)], [str(1 - p), str(p)]] for p in self.bits] if matrices is None else matrices
        claim = {"lower": str(self.lower), "upper": str(self.upper)}
        claim["mechanism"] = {"product": listed}  # type: ignore[assignment]
        gamma = dict(zip(("below", "above"), map(str, self.gamma), strict=True))
        problem = {"epsilon": self.level.text, "objective": objective}
        return statement("budget-split", problem, claim, {"brackets": [gamma]})


def value(split: Split, bits: Sequence[Fraction]) -> Fraction:
    """Return the objective by the definition of a covariance."""
    if split.weights is None:
        return _joint(bits) - split.squares
    total = F(0)
    for p, w, pi in zip(bits, split.weights, split.prevalences, strict=True):
        if w:
            shown = pi * p + (1 - pi) * (1 - p)  # Pr(answer 1)
            scores = ((p - 1) / (2 * p - 1), p / (2 * p - 1))  # of answers 0 and 1: unbiased for truth 1
            total += w * (shown * scores[1] ** 2 + (1 - shown) * scores[0] ** 2 - pi**2)
    return total


def _joint(bits: Sequence[Fraction]) -> Fraction:
    """Return the mean squared length of the estimate from one answer: over all answers, of truth 0."""
    total = F(0)
    for flips in product((0, 1), repeat=len(bits)):
        chance = prod((1 - p if flip else p for p, flip in zip(bits, flips, strict=True)), start=F(1))
        squares = F(0)
        for cell in product((0, 1), repeat=len(bits)):
            score = F(1)
            for p, flip, other in zip(bits, flips, cell, strict=True):
                score *= (p if flip == other else p - 1) / (2 * p - 1)
            squares += score**2
        total += chance * squares
    return total


def bound(split: Split) -> Fraction:
    """Return the lower end that the rule proves, in p: x = p/q, x - 1 = (p-q)/q, q = 1 - p."""
    slopes = []
    for place, p in enumerate(split.bits):
        q, d = 1 - p, 2 * p - 1
        if split.weights is None:
            slopes.append(2 * p * q / ((p * p + q * q) * d))
        else:
            slopes.append(split.weights[place] * p * q / d**3 if d else F(0))
    most = max(slopes)
    odds = prod((p / (1 - p) for p in split.bits), start=F(1))
    loss = most * (split.gamma[1] / odds - 1)
    for s, p in zip(slopes, split.bits, strict=True):
        loss += (most - s) * (2 * p - 1) / (1 - p)
    here = value(split, split.bits)
    return here - loss * (here + split.squares if split.weights is None else 1)


def best_sizes(weights: Sequence[Fraction] | None, count: int, budget: float) -> list[float]:
    """Return the logarithms of the best parities, by bisection of the multiplier and of every size."""
    if weights is None:
        return [budget / count] * count

    def size(share: float, multiplier: float) -> float:
        low, high = 0.0, 2 * budget + 1  # w cosh(u/2)/(4 sinh(u/2)^3) falls in u
        for _ in range(45):
            u = (low + high) / 2
            low, high = (u, high) if share * cosh(u / 2) / (4 * sinh(u / 2) ** 3) > multiplier else (low, u)
        return low

    low, high = -50.0, 50.0
    for _ in range(45):
        middle = (low + high) / 2
        spent = sum(size(float(share), exp(middle)) for share in weights if share)
        low, high = (middle, high) if spent > budget else (low, middle)
    return [size(float(share), exp(high)) if share else 0.0 for share in weights]


def bits_of(sizes: Sequence[float], digits: int, shrink: float) -> tuple[Fraction, ...]:
    """Return rational p, rounded down to so many digits, of these logarithms of parities made smaller by a share."""
    scale = 10**digits
    return tuple(max(F(1, 2), F(int(F(1 / (1 + exp(-u * (1 - shrink)))) * scale), scale)) for u in sizes)


def problem(rng: random.Random) -> tuple[Split, list[float]]:
    """Return a random problem, without bits, and its best split."""
    level = random_level(rng)
    while level.kind == "zero":
        level = random_level(rng)
    count = rng.choice((1, 2, 2, 3, 4))
    weights = tuple(F(rng.choice((0, 1, 1, 5, rng.randint(1, 90))), rng.choice((1, 7))) for _ in range(count))
    joint = rng.random() < 0.4 or not any(weights)
    prevalences = tuple(F(rng.randint(0, 12), 12) for _ in range(count))
    squares = F(1, 2**count) + F(rng.randint(0, 5), 7) * (1 - F(1, 2**count))
    ends = (level.exact, level.exact)
    if level.exact is None:
        step = F(1, 10 ** rng.choice((4, 12, 30)))
        ends = (max(F(1), level.near(-step)), level.near(step))
    split = Split(level, ends, (), None if joint else weights, prevalences, squares)  # type: ignore[arg-type]
    return split, best_sizes(split.weights, count, float(mp.log(level.number)))


def splits(rng: random.Random) -> Iterator[Piece]:
    """Yield files about random budgets."""
    while True:
        start, sizes = problem(rng)
        bits = bits_of(sizes, rng.choice((3, 6, 15, 30)), 10.0 ** -rng.choice((1, 3, 9)))
        odds = prod((p / (1 - p) for p in bits), start=F(1))
        weights = (F(1),) * len(bits) if start.weights is None else start.weights
        if odds > start.gamma[0] or any(w and p == F(1, 2) for w, p in zip(weights, bits, strict=True)):
            continue
        split = replace(start, bits=bits)
        split = replace(split, lower=bound(split), upper=value(split, bits))
        yield Piece(split.file(), "what is proved", True, "fractions")
        wider = replace(split, lower=split.lower - F(1, 10), upper=split.upper * F(11, 10))
        yield Piece(wider.file(), "wider", True, "fractions")
        step = F(1, 10 ** rng.choice((1, 4, 20)))
        yield Piece(replace(split, upper=split.upper * (1 - step)).file(), "below the value", False, "fractions")
        better = bits_of(sizes, 16, 1e-10)
        least = value(split, better)
        if prod((p / (1 - p) for p in better), start=F(1)) <= split.level.near(F(0)):
            above = replace(split, lower=least * (1 + F(1, 10**12)), upper=max(split.upper, least * 2))
            yield Piece(above.file(), "a better split", False, "a better split")
        yield from _other_levels(split, rng)
        yield from _no_problems(split, rng)


def _other_levels(split: Split, rng: random.Random) -> Iterator[Piece]:
    """Yield files whose bits are not at the level, or whose gamma is not that of the level."""
    place = rng.randrange(len(split.bits))
    p = split.bits[place]
    odds = prod((x / (1 - x) for x in split.bits), start=F(1))
    need = split.gamma[0] / odds * (1 + F(1, 10 ** rng.choice((1, 3, 12))))
    if need > split.level.near(F(1, 10**30)) / odds:
        more = need * p / (1 - p)
        bits = (*split.bits[:place], more / (1 + more), *split.bits[place + 1 :])
        over = replace(split, bits=bits)
        over = replace(over, lower=min(bound(over), F(0)), upper=value(over, bits))
        yield Piece(over.file(), "a larger parity", False, "fractions")
    turned = replace(split, bits=tuple(1 - x for x in split.bits))  # the same devices, answers exchanged
    if any(x != F(1, 2) for x in split.bits):
        yield Piece(replace(turned, lower=F(-(10**9))).file(), "answers exchanged", False, "its form")
        wide = replace(split, bits=(*turned.bits[:place], F(1, 10**6), *turned.bits[place + 1 :]), lower=F(-(10**9)))
        yield Piece(replace(wide, upper=F(10**9)).file(), "a parity below 1", False, "fractions")
    method, low, high = bracket_of(split.level, rng)
    if method not in ("honest", "one point"):
        moved = replace(split, gamma=(low, high))
        yield Piece(replace(moved, lower=F(-(10**9))).file(), f"gamma {method}", False, split.level.oracle)


def _no_problems(split: Split, rng: random.Random) -> Iterator[Piece]:
    """Yield files of changed problems, and of what is no problem or no bit."""
    factor = 1 + F(1, 10 ** rng.choice((0, 3, 15)))
    if split.weights is None:
        less = split.squares - F(1, 10**9)
        if less >= F(1, 2 ** len(split.bits)):
            yield Piece(replace(split, squares=less).file(), "other squares", False, "fractions")
        for squares in (F(1, 2 ** len(split.bits)) * (1 - F(1, 10**9)), 1 + F(1, 10**9)):
            wide = replace(split, squares=squares, lower=F(-(10**9)), upper=split.upper + 2)
            yield Piece(wide.file(), "no squares", False, "no distribution")
        yield Piece(split.file(questions=len(split.bits) + 1), "other questions", False, "counting")
        empty = replace(split, bits=(), squares=F(1), lower=F(0))
        yield Piece(empty.file(), "no questions", False, "counting")
    else:
        heavier = replace(split, weights=tuple(w * factor for w in split.weights))
        yield Piece(heavier.file(), "heavier weights", False, "fractions")
        place = rng.choice([at for at, w in enumerate(split.weights) if w])
        near = [abs(pi - F(1, 2)) for pi in split.prevalences]
        if near[place]:
            pi = (*split.prevalences[:place], F(1, 2), *split.prevalences[place + 1 :])
            yield Piece(replace(split, prevalences=pi).file(), "other prevalences", False, "fractions")
        pi = (*split.prevalences[:place], rng.choice((F(-1, 7), F(8, 7))), *split.prevalences[place + 1 :])
        yield Piece(replace(split, prevalences=pi, lower=F(-(10**9))).file(), "no prevalence", False, "its sign")
        signed = (*split.weights[:place], -split.weights[place], *split.weights[place + 1 :])
        wide = replace(split, weights=signed, lower=F(-(10**9)))
        yield Piece(wide.file(), "a negative weight", False, "its sign")
        nothing = replace(split, weights=(F(0),) * len(signed), lower=F(0))
        yield Piece(nothing.file(), "no weights", False, "counting")
    place = rng.randrange(len(split.bits))
    rows = [[[str(p), str(1 - p)], [str(1 - p), str(p)]] for p in split.bits]
    p, low = split.bits[place], replace(split, lower=F(-(10**9)))
    if split.weights is None or split.weights[place]:
        coin = replace(low, bits=(*split.bits[:place], F(1, 2), *split.bits[place + 1 :]), upper=F(10**9))
        yield Piece(coin.file(), "a coin", False, "its form")
    uneven = [[str(p), str((1 - p) / 2)], [str(1 - p), str((1 + p) / 2)]]
    for method, rows_there in (("uneven", uneven), ("no columns", [[str(p), str(1 - p)], [str(1 - p), str(p / 2)]])):
        yield Piece(low.file([*rows[:place], rows_there, *rows[place + 1 :]]), method, False, "its form")


FUZZERS = {"budget-split": splits}
