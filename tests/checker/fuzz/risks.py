"""Rule 21: false claims about the least risk of all estimators, refuted by risks at points and by other estimators.

The oracle has no Bernstein polynomials and no rounding: the risk is summed over the multinomial law of the four
answers in fractions, at points; the Bayes risk is that of the posterior mean.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

import mpmath as mp

from .harness import Piece, document
from .levels import Level, bracket_of, random_delta, random_level

F = Fraction
Pair = tuple[Fraction, Fraction]  # gamma and delta
_GRID = [F(i, 16) for i in range(17)]

DECIDING = {
    "minimax-risk": (
        "upper is below",
        "lower is above",
        "no prior",
        "do not ascend",
        "the estimator has",
        "weights has",
        "a row of the estimator has",
        "gamma",
        "delta",
    )
}


@dataclass(frozen=True)
class Risk:
    """A certificate of rule 21 in numbers: ``t`` by the counts in the order of ``counts``."""

    level: Level
    slack: Level
    low: Pair
    high: Pair
    n: int
    t: tuple[Fraction, ...]
    points: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]
    cells: tuple[Fraction, ...]
    bits: int
    lower: Fraction
    upper: Fraction

    def file(self, **others: Any) -> dict[str, Any]:
        """Return the certificate; ``others`` are parts of the problem."""
        lists = {name: [str(x) for x in getattr(self, name)] for name in ("points", "weights", "cells")}
        claim = {"kind": "minimax-risk", "lower": str(self.lower), "upper": str(self.upper)}
        listed = zip(counts(self.n, self.high), self.t, strict=True)
        rows = [[str(x) for _, x in row] for _, row in itertools.groupby(listed, key=lambda item: item[0][:2])]
        level = {"epsilon": self.level.text, "delta": self.slack.text}
        brackets = zip(("gamma", "delta"), self.low, self.high, strict=True)
        return document(
            {"kind": "minimax-risk", **level, "respondents": str(self.n), **others},
            {**claim, "estimator": rows},
            {
                "rule": "minimax-risk",
                **{name: {"below": str(low), "above": str(high)} for name, low, high in brackets},
                "bits": str(self.bits),
                **lists,
            },
        )


def counts(n: int, level: Pair) -> list[tuple[int, int, int]]:
    """Return (certain answers, these that are 1, others that are 1), as the rows of an estimator have them."""
    most = n if level[1] else 0
    return [(a, c, y) for a in range(most + 1) for c in range(a + 1) for y in range(n - a + 1)]


def answers(pi: Fraction, level: Pair) -> tuple[Fraction, ...]:
    """Return the chances of certainly 0, certainly 1, 1, 0."""
    gamma, delta = level
    shown = (pi * gamma + 1 - pi) / (gamma + 1)
    return delta * (1 - pi), delta * pi, (1 - delta) * shown, (1 - delta) * (1 - shown)


def law(pi: Fraction, level: Pair, n: int) -> list[Fraction]:
    """Return the chances of the counts: multinomial."""
    chances = answers(pi, level)
    found = []
    for a, c, y in counts(n, level):
        times = (a - c, c, y, n - a - y)
        ways = factorial(n) // prod(map(factorial, times))
        found.append(ways * prod((p**k for p, k in zip(chances, times, strict=True)), start=F(1)))
    return found


def risk_at(t: Sequence[Fraction], pi: Fraction, level: Pair, n: int) -> Fraction:
    """Return the mean squared error at a prevalence."""
    return sum((p * (x - pi) ** 2 for p, x in zip(law(pi, level, n), t, strict=True)), F(0))


def posterior(points: Sequence[Fraction], weights: Sequence[Fraction], level: Pair, n: int) -> list[Fraction]:
    """Return the means of the prevalence given the counts; 1/2 where they have no chance."""
    laws = [law(pi, level, n) for pi in points]
    total = [sum((w * p for w, p in zip(weights, column, strict=True)), F(0)) for column in zip(*laws, strict=True)]
    parts = [
        sum((w * pi * p for w, pi, p in zip(weights, points, column, strict=True)), F(0))
        for column in zip(*laws, strict=True)
    ]
    return [b / a if a else F(1, 2) for a, b in zip(total, parts, strict=True)]


def bayes(points: Sequence[Fraction], weights: Sequence[Fraction], level: Pair, n: int) -> Fraction:
    """Return the least mean risk under a prior."""
    t = posterior(points, weights, level, n)
    return sum((w * risk_at(t, pi, level, n) for w, pi in zip(weights, points, strict=True)), F(0))


def ceiling(t: Sequence[Fraction], level: Pair, n: int, cells: int) -> Fraction:
    """Return more than the largest risk: between points of a grid it bends by at most ``R'' <= B``."""
    far = max(max(abs(x), abs(x - 1)) for x in t)
    bend = 4 * n * (n - 1) * far**2 + 8 * n * far + 2  # slopes of a mean of differences: abs(law''), abs(law')
    values = [risk_at(t, F(i, cells), level, n) for i in range(cells + 1)]
    return max(values) + bend / F(8 * cells**2)


def _bracket(number: Level, rng: random.Random, least: Fraction, most: Fraction | None) -> tuple[Fraction, Fraction]:
    if number.exact is not None:
        return number.exact, number.exact
    step = F(1, 10 ** rng.choice((1, 3, 20)))
    high = number.near(step)
    return max(least, number.near(-step)), high if most is None else min(high, most)


def draw(rng: random.Random) -> Risk:
    """Return a problem with a prior, its estimator rounded, and ends that are proved."""
    level, slack = random_level(rng), Level("rational", "0", mp.mpf(0), F(0))
    if rng.random() < 0.5:
        slack = random_delta(rng)
    gammas, deltas = _bracket(level, rng, F(1), None), _bracket(slack, rng, F(0), F(1))
    low, high = zip(gammas, deltas, strict=True)
    n = rng.choice((1, 1, 2, 2, 3, 4)) if not high[1] else rng.choice((1, 1, 2, 3))
    points = sorted({F(0), F(1), *(F(rng.randint(1, 7), 8) for _ in range(rng.choice((0, 0, 1, 2))))})
    raw = [rng.randint(2, 9) for _ in points]
    weights = tuple(F(x, sum(raw)) for x in raw)
    t = tuple(F(round(x * 4096), 4096) for x in posterior(points, weights, high, n))
    bits = rng.choice((24, 40, 64))
    count = rng.choice((0, 1, 3, 7))
    cells = tuple(sorted({F(rng.randint(1, 31), 32) for _ in range(count)}))
    lower = bayes(points, weights, high, n)
    return Risk(level, slack, low, high, n, t, tuple(points), weights, cells, bits, lower, F(0))


def lost(made: Risk) -> Fraction:
    """Return at most what all roundings down may take from the Bayes risk."""
    return F((3 * len(made.points) + 1) * (made.n + 1) ** 4, 2**made.bits)


def largest(made: Risk) -> Fraction:
    """Return the largest Bernstein coefficient on the cells, by polar forms, and what rounding may add."""
    ends = [F(0), *made.cells, F(1)]
    most = F(0)
    for begin, end in itertools.pairwise(ends):
        most = max(most, *(_polar(made, begin, end, k) for k in range(made.n + 3)))
    return most + F((len(ends) + 4) * (made.n + 4), 2**made.bits)


def _polar(made: Risk, begin: Fraction, end: Fraction, k: int) -> Fraction:
    """Return coefficient k: the mean over which two of the n + 2 places, k of them at ``end``, are not answers."""
    n, total = made.n, F(0)
    moves = ((1, 0, 0), (1, 1, 0), (0, 0, 1), (0, 0, 0))
    for in_pair in range(3):  # places at ``end`` among the two
        ways = comb(k, in_pair) * comb(n + 2 - k, 2 - in_pair)
        if ways:
            pair = [begin] * (2 - in_pair) + [end] * in_pair
            chances = {(0, 0, 0): F(1)}
            for place in [end] * (k - in_pair) + [begin] * (n - k + in_pair):
                after: dict[tuple[int, ...], Fraction] = {}
                for (told, p), (at, chance) in itertools.product(
                    zip(moves, answers(place, made.low), strict=True), chances.items()
                ):
                    if p:
                        key = tuple(map(sum, zip(at, told, strict=True)))
                        after[key] = after.get(key, F(0)) + p * chance
                chances = after
            listed = dict(zip(counts(n, made.high), made.t, strict=True))
            mean = sum((p * (listed[at] - pair[0]) * (listed[at] - pair[1]) for at, p in chances.items()), F(0))
            total += ways * mean
    return total / comb(n + 2, 2)


def risks(rng: random.Random) -> Iterator[Piece]:
    """Yield files about random surveys."""
    while True:
        start = draw(rng)
        made = replace(start, lower=start.lower - lost(start), upper=largest(start))
        n, low, high = made.n, made.low, made.high
        yield Piece(made.file(), "what is proved", True, "fractions")
        wider = replace(made, lower=made.lower - F(1, 9), upper=made.upper * F(9, 8))
        yield Piece(wider.file(), "wider", True, "fractions")
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        worst = max(risk_at(made.t, pi, low, n) for pi in _GRID)
        if worst:
            yield Piece(replace(made, lower=F(0), upper=worst * (1 - step)).file(), "a risk above", False, "fractions")
        good = posterior((F(0), F(1, 2), F(1)), (F(1, 3),) * 3, high, n)
        least = min(ceiling(good, high, n, 24), F(1, 4))
        over = replace(made, lower=least * (1 + step), upper=made.upper + 1)
        yield Piece(over.file(), "a better estimator", False, "fractions")
        if start.lower:
            more = replace(made, lower=start.lower * (1 + step))
            yield Piece(more.file(), "above the Bayes risk", False, "fractions")
        few = replace(start, bits=rng.choice((0, 1, 2, 3, 5, 8)), upper=F(9))
        if worst:
            wrong = replace(few, lower=F(-9), upper=worst * (1 - step))
            yield Piece(wrong.file(), "few bits, a risk above", False, "fractions")
        if start.lower:
            wrong = replace(few, lower=start.lower * (1 + step))
            yield Piece(wrong.file(), "few bits, above the Bayes risk", False, "fractions")
        for method, t in _others(made, rng):
            highest = max(risk_at(t, pi, low, n) for pi in _GRID)
            if highest > made.upper:
                yield Piece(replace(made, t=t).file(), method, False, "fractions")
                wrong = replace(made, t=t, lower=F(-9), upper=highest * (1 - step))
                yield Piece(wrong.file(), f"{method}, nearly its risk", False, "fractions")
        yield from _no_priors(replace(made, lower=F(-9)), rng)
        yield from _no_forms(replace(made, lower=F(-9)), rng)


def _others(made: Risk, rng: random.Random) -> Iterator[tuple[str, tuple[Fraction, ...]]]:
    """Yield estimators with one number moved, and with the answers the other way round."""
    moved = list(made.t)
    moved[rng.randrange(len(moved))] += rng.choice((-1, 1)) * F(rng.randint(1, 9), 3)
    yield "another estimator", tuple(moved)
    listed = dict(zip(counts(made.n, made.high), made.t, strict=True))
    yield "certain answers turned", tuple(listed[a, a - c, y] for a, c, y in listed)
    yield "other answers turned", tuple(listed[a, c, made.n - a - y] for a, c, y in listed)


def _no_priors(made: Risk, rng: random.Random) -> Iterator[Piece]:
    """Yield files whose points and weights are no prior."""
    less = (made.weights[0] - F(1, 10 ** rng.choice((1, 9))), *made.weights[1:])
    yield Piece(replace(made, weights=less).file(), "weights less", False, "counting")
    signed = (made.weights[0] + 1, made.weights[1] - 1, *made.weights[2:])
    yield Piece(replace(made, weights=signed).file(), "a weight below 0", False, "its sign")
    beyond, short = 1 + F(1, 10 ** rng.choice((0, 9))), -F(1, 10 ** rng.choice((0, 9)))
    yield Piece(replace(made, points=(*made.points[:-1], beyond)).file(), "a point above 1", False, "its form")
    yield Piece(replace(made, points=(short, *made.points[1:])).file(), "a point below 0", False, "its sign")
    yield Piece(replace(made, weights=(*made.weights, F(0))).file(), "a weight too many", False, "counting")


def _no_forms(made: Risk, rng: random.Random) -> Iterator[Piece]:
    """Yield files of other surveys, of invalid cells, and of other levels."""
    wide = replace(made, upper=made.upper + 10**9)
    for count in (made.n + 1, made.n - 1):
        if count:
            yield Piece(wide.file(respondents=str(count)), "other respondents", False, "counting")
    at = F(rng.randint(1, 7), 8)
    for method, cells in (("cells twice", (at, at)), ("cells descend", (at, at / 2)), ("a cell at 0", (F(0), at))):
        yield Piece(replace(wide, cells=cells).file(), method, False, "its form")
    yield Piece(replace(wide, cells=(at, 1 + at)).file(), "a cell beyond 1", False, "its form")
    for place, number in enumerate((made.level, made.slack)):
        method, low, high = bracket_of(number, rng, F(1) if place else None)
        ends = zip((low, high), (made.low, made.high), strict=True)
        changed = [tuple(x if i == place else old for i, old in enumerate(pair)) for x, pair in ends]
        if method not in ("honest", "one point") and (low, high) != (made.low[place], made.high[place]):
            name = ("gamma", "delta")[place]
            if not place or bool(high) == bool(made.high[1]):  # the rows are those of delta = 0, or of the others
                moved = replace(wide, low=changed[0], high=changed[1])
                yield Piece(moved.file(), f"{name} {method}", False, number.oracle)


FUZZERS = {"minimax-risk": risks}
