"""The way of cells: designs under Renyi divergences, true and false, by the theorem of two equally frequent categories.

With equal shares the best A-optimal and most informative design is Warner's, with the p at which the divergence is the
level: both columns are exchangeable, and both criteria are convex. The dual is found by tangency, with 40 digits: g
touches phi at the odds of p. A bound beyond the value of this design is false, whatever a witness says.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import mpmath as mp

from .concentrated import mpf, orders_of, pairs_of, rational
from .harness import Piece
from .orders import texts

F = Fraction
ORACLE = "Warner's design at the level, by root finding with 40 digits"


class Level(NamedTuple):
    """A region of two inputs: an order with the rational exp(epsilon), or rho."""

    order: Fraction | None
    gamma: Fraction | None
    rho: Fraction | None

    @property
    def own(self) -> Fraction:
        """The order of the dual: under zCDP the limit at 1 decides for two outputs."""
        return F(1) if self.order is None else self.order

    @property
    def stated(self) -> dict[str, Any]:
        """The level of the file."""
        if self.order is None:
            return {"rho": str(self.rho)}
        return {"order": str(self.order), "epsilon": {"log": str(self.gamma)}}

    @property
    def allowed(self) -> Any:
        """The largest sum of h."""
        if self.rho is not None:
            return mpf(self.rho)
        assert self.gamma is not None
        return mp.log(mpf(self.gamma)) if self.own == 1 else mpf(self.gamma) ** mpf(self.own - 1)


def used(p: Any, a: Fraction) -> Any:
    """Return the sum of h over the outputs of Warner's design."""
    q = 1 - p
    return (p - q) * mp.log(p / q) if a == 1 else p ** mpf(a) * q ** mpf(1 - a) + q ** mpf(a) * p ** mpf(1 - a)


def value(kind: str, p: Any) -> Any:
    """Return n tr Cov, or the mutual information, of Warner's design at equal shares."""
    q = 1 - p
    if kind == "a-optimal":
        return (p * p + q * q) / (2 * p - 1) ** 2 - mp.mpf(1) / 2
    return mp.log(2) + p * mp.log(p) + q * mp.log(q)


@lru_cache(maxsize=512)
def solved(kind: str, level: Level) -> tuple[Any, Any, Any]:
    """Return p, and c and lambda of ``g(x, y) = c (x + y) + lambda (h(x, y) + h(y, x))``."""
    with mp.workdps(40):
        a = level.own
        low, high = mp.mpf(1) / 2, 1 - mp.mpf(10) ** -30
        for _ in range(130):
            middle = (low + high) / 2
            low, high = (middle, high) if used(middle, a) < level.allowed else (low, middle)
        p = low
        t = p / (1 - p)

        def phi(x: Any) -> Any:
            if kind == "a-optimal":
                return 4 * (x - 1) ** 2 / (x + 1)
            return (x * mp.log(x)) / 2 - (x + 1) / 2 * mp.log((x + 1) / 2)

        def height(x: Any) -> Any:
            return (x - 1) * mp.log(x) if a == 1 else x ** mpf(a) + x ** mpf(1 - a)

        slope, rise = mp.diff(phi, t), mp.diff(height, t)
        weight = (phi(t) - slope * (t + 1)) / (height(t) - rise * (t + 1))
        return p, slope - weight * rise, weight


def file(
    kind: str, level: Level, p: Fraction, alpha: Fraction, weight: Fraction, ends: tuple[Fraction, Fraction]
) -> dict[str, Any]:
    """Return a certificate about Warner's design with p."""
    rows = [[p, 1 - p], [1 - p, p]]
    size = 2 * p - 1 or F(1)
    estimator = [[p / size, (p - 1) / size], [(p - 1) / size, p / size]]
    is_variance = kind == "a-optimal"
    if level.order is None:
        listed = orders_of(pairs_of([(p, 1 - p), (1 - p, p)]), 14)
        bracket: dict[str, Any] = {"orders": [[str(a) for a in each] for each in listed]}
    else:
        bracket = {"gamma": {"below": str(level.gamma), "above": str(level.gamma)}}
    proof = {
        "way": "cells",
        "brackets": [bracket],
        "alpha": [str(alpha)] * 2,
        "curves": [{"order": str(level.own), "multipliers": texts([[F(0), weight], [weight, F(0)]])}],
        "digits": "25",
    }
    if is_variance:
        proof |= {"vectors": [[["1", "-1"], ["-1", "1"]]], "estimators": [texts(estimator)]}
    problem = {"inputs": "2", "outputs": "any", "levels": [level.stated], "bounds": None}
    problem |= {"objective": {"kind": kind}, "population": ["1/2", "1/2"]}
    claim = {"lower": str(ends[0]), "upper": str(ends[1]), "mechanism": {"matrix": texts(rows)}}
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": proof}


def changed(made: dict[str, Any], place: str, new: Any) -> dict[str, Any]:
    """Return the file with another value at a place, keys separated by dots."""
    keys = place.split(".")

    def at(data: Any, rest: list[str]) -> Any:
        if not rest:
            return new
        if isinstance(data, list):
            return [at(x, rest[1:]) if str(i) == rest[0] else x for i, x in enumerate(data)]
        return {key: at(x, rest[1:]) if key == rest[0] else x for key, x in data.items()}

    return at(made, keys)  # type: ignore[no-any-return]


def honest(kind: str, level: Level, digits: int, room: Fraction) -> tuple[dict[str, Any], Fraction, Fraction, Fraction]:
    """Return a true file whose alpha has room, its p, alpha and lambda."""
    with mp.workdps(40):
        best, c, x = solved(kind, level)
        p = rational(best, digits)
        weight = rational(x, 25)
        alpha = rational(c, 25) + room * rational(abs(c) + x * level.allowed, 25)
        bound = 2 * alpha + 2 * weight * rational(level.allowed * (1 + mp.mpf(10) ** -30), 38)
        if kind == "a-optimal":
            q = 1 - p
            ends = 4 / (bound + F(1, 10**18)), (p * p + q * q) / (2 * p - 1) ** 2 - F(1, 2)
        else:
            ends = rational(value(kind, mpf(p)), 25) - F(1, 10**20), bound + F(1, 10**18)
        return file(kind, level, p, alpha, weight, ends), p, alpha, weight


def _levels(rng: random.Random) -> Level:
    if rng.random() < 0.3:
        return Level(None, None, F(rng.randint(1, 20), rng.choice((20, 50))))
    order = rng.choice((F(1), F(2), F(3), F(3, 2), F(rng.randint(11, 60), 10)))
    return Level(order, F(rng.randint(11, 40), 10), None)


def designs(rng: random.Random) -> Iterator[Piece]:
    """Iterate over designs of Warner's form, true and false."""
    while True:
        kind, level = rng.choice(("a-optimal", "mutual-information")), _levels(rng)
        made, p, alpha, weight = honest(kind, level, rng.choice((2, 3, 6)), F(1, rng.choice((20, 200, 2000))))
        if p <= F(1, 2):
            continue
        yield Piece(made, "the design and its dual", True, ORACLE)
        step = F(1, rng.choice((3, 30, 300)))
        with mp.workdps(40):
            best = solved(kind, level)[0]
            optimum = rational(value(kind, best))
        is_variance = kind == "a-optimal"
        beyond = optimum * (1 + step) if is_variance else optimum * (1 - step)
        side, other = ("lower", "upper") if is_variance else ("upper", "lower")
        wrong = changed(made, f"claim.{side}", str(beyond))
        ordered = changed(wrong, f"claim.{other}", str(2 * beyond if is_variance else beyond / 2))
        yield Piece(ordered, "a bound beyond the optimum", False, ORACLE)
        with mp.workdps(40):
            sums = rational(2 * mpf(weight) * level.allowed, 38)
        less = ((4 / beyond if is_variance else beyond) - sums) / 2 - F(1, 10**9)
        low = changed(ordered, "proof.alpha", [str(less)] * 2)
        yield Piece(low, "a dual below phi", False, ORACLE)
        far = rational(best, 12) + (1 - rational(best, 12)) * step
        q = 1 - far
        with mp.workdps(40):
            own = (far**2 + q**2) / (2 * far - 1) ** 2 - F(1, 2) if is_variance else rational(value(kind, mpf(far)), 30)
        ends = (own / 2, own) if is_variance else (own, 2 * own)
        yield Piece(file(kind, level, far, alpha, weight, ends), "a mechanism beyond the level", False, ORACLE)
        if is_variance:
            yield Piece(
                changed(made, "claim.upper", str(optimum * (1 - step / 1000))), "upper below the optimum", False, ORACLE
            )
        if level.order is not None and level.order <= 2:
            other, *_ = honest(kind, level._replace(order=level.order + 1), 3, F(1, 2000))
            larger = changed(other, "problem.levels.0.order", str(level.order))
            yield Piece(larger, "the dual of a larger order", False, ORACLE)
        yield from _counted(rng, made, level, weight)


_WRONG = {
    "proof.curves.0.multipliers.0.1": "a multiplier below 0",
    "proof.curves.0.multipliers.1.1": "a multiplier of a category and itself",
    "proof.curves.0.order": "an order of the dual that it may not have",
    "claim.mechanism.matrix.0.0": "a column that does not sum to 1",
    "proof.digits": "digits beyond their range",
    "problem.levels.0.rho": "a negative rho",
    "proof.brackets.0": "a bracket without an epsilon",
    "proof.brackets.0.orders": "a list of orders missing",
    "proof.brackets.0.orders.0": "orders that do not increase",
    "problem.levels.0.order": "an order below 1",
    "proof.brackets.0.gamma.below": "a bracket that begins above the level",
}


def _counted(rng: random.Random, made: dict[str, Any], level: Level, weight: Fraction) -> Iterator[Piece]:
    """Iterate over files that break a condition on a number or a shape."""
    wrongs: list[tuple[str, Any]] = [
        ("proof.curves.0.multipliers.0.1", str(-weight)),
        ("proof.curves.0.multipliers.1.1", str(weight)),
        ("proof.curves.0.order", "1/2"),
        ("claim.mechanism.matrix.0.0", "2/3"),
    ]
    wrongs += [("proof.digits", wrong) for wrong in ("0", "-1", "301", "1/2")]
    if level.order is None:
        wrongs += [
            ("problem.levels.0.rho", str(-F(1, 4))),
            ("proof.brackets.0", {"gamma": {"below": "1", "above": "1"}}),
        ]
        wrongs += [
            ("proof.brackets.0.orders", []),
            ("proof.brackets.0.orders.0", ["2", "2"]),
            ("proof.brackets.0.orders.0", ["1/2"]),
        ]
    else:
        wrongs += [("problem.levels.0.order", "1/2"), ("proof.curves.0.order", str(level.own + 1))]
        wrongs += [("proof.brackets.0.gamma.below", str((level.gamma or F(2)) + F(1, 100)))]
    for place, wrong in rng.sample(wrongs, 4):
        yield Piece(changed(made, place, wrong), _WRONG[place], False, "counting")
    zeros = changed(made, "claim.mechanism.matrix", [["1", "0"], ["0", "1"]])
    yield Piece(zeros, "an infinite divergence", False, "counting")
