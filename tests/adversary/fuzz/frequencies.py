"""Rule 38: false claims about compositions in frequencies, refuted by the enumeration of every answer in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

import mpmath as mp

from .compositions import DECIDING as OF_RULE_26
from .compositions import ORACLE, _ends, _file, slack
from .harness import Piece
from .levels import Level, bracket_of, random_level

F = Fraction

DECIDING = {
    "composition-fourier": (
        *OF_RULE_26["composition"],
        "the variance of the noise",
        "the spacing of frequencies",
        "nodes and stride are not whole",
        "half a period",
    )
}
_SPARE = F(1, 10**9)  # for the digits of a checker
_DIGITS = 50


class Plan(NamedTuple):
    """Variance of the noise, spacing, nodes, stride and intervals, as the page names them."""

    h: Fraction
    s: Fraction
    nodes: int
    stride: int = 1
    intervals: int = 0

    def witness(self) -> dict[str, Any]:
        """Return the two keys of the witness."""
        h, s, *counts = map(str, self)
        names = ("spacing", "nodes", "stride", "intervals")
        return {"variance": h, "frequencies": dict(zip(names, (s, *counts), strict=True))}


def real(x: Fraction) -> Any:
    """Return a rational with many digits."""
    return mp.mpf(x.numerator) / x.denominator


def distance(parities: Sequence[tuple[Fraction, int]], gamma: Fraction, plan: Plan) -> Any:
    """Return half a period less |M|."""
    with mp.workdps(_DIGITS):
        mean = sum((n * mp.log(real(g)) * real((g - 1) / (g + 1)) for g, n in parities), real(plan.h) / 2)
        return mp.pi / real(plan.s) - abs(mean - mp.log(real(gamma)))


def frequency_bounds(
    parities: Sequence[tuple[Fraction, int]], gamma: Fraction, plan: Plan, *, cosines: bool = True
) -> tuple[Fraction, Fraction]:
    """Return v and u of the page, of parities with their counts; without cosines each b_j is 2.

    That is what checkers take at most, since they round up to powers of 2.
    """
    with mp.workdps(_DIGITS):
        h, s, pi = real(plan.h), real(plan.s), mp.pi
        answers = [(mp.log(real(g)), real((g - 1) / (g + 1)), n) for g, n in parities if g > 1]
        y = mp.log(real(gamma))
        spread = sum((n * eps**2 for eps, _, n in answers), h)
        tail = 2 * mp.exp(-(distance(parities, gamma, plan) ** 2) / (2 * spread))
        noisy = test = mp.mpf(0)
        for k in range(plan.nodes):
            t = (k + mp.mpf(1) / 2) * s
            phi = mp.exp(-h * t * t / 2) * mp.fprod(
                mp.mpc(mp.cos(eps * t), tau * mp.sin(eps * t)) ** n for eps, tau, n in answers
            )
            near, far = (mp.expj(-t * (y + sign * h / 2)) for sign in (-1, 1))
            noisy += (phi * near / (1j * t * (1 + 1j * t))).real
            test += (phi * (far / (1j * t) - near / (1 + 1j * t))).real
        rest = mp.exp(-pi / s) + tail
        for j in range(plan.intervals):
            a = (plan.nodes + j * plan.stride) * s
            b, half = mp.mpf(1 if cosines else 2), plan.stride * s / 2
            for eps, tau, n in answers if cosines else ():
                far = max(abs(mp.sin(eps * (a + half))) - eps * half, 0)
                b *= (1 - (1 - tau**2) * far**2) ** (mp.mpf(n) / 2)
            rest += b * 2 * half * (1 / a**2 + h) * mp.exp(-h * a * a / 2) / pi
        end = (plan.nodes + plan.intervals * plan.stride) * s
        rest += mp.exp(-h * end * end / 2) / (pi * end)
        v = max(mp.mpf(1) / 2 + s / pi * test - rest - tail, mp.mpf(0))
        u = min(mp.mpf(1) / 2 + s / pi * noisy + rest, mp.mpf(1))
        return tuple(F(int(mp.floor(x * mp.mpf(10) ** 40)), 10**40) for x in (v, u))  # type: ignore[return-value]


def fourier_delta(items: Sequence[tuple[Fraction, Fraction, int]], gamma: Fraction, plan: Plan, side: int) -> Fraction:
    """Return the bound of delta from below (0) or above (1), of items (parity, delta, count), each b_j being 2."""
    counts = [(g, n) for g, _, n in items]
    kept = prod(((1 - delta) ** n for _, delta, n in items), start=F(1))
    return 1 - kept * (1 - frequency_bounds(counts, gamma, plan, cosines=False)[side])


def _in_frequencies(made: dict[str, Any], plan: Plan) -> dict[str, Any]:
    return {**made, "witness": {**made["witness"], "rule": "composition-fourier", **plan.witness()}}


def _plan(rng: random.Random) -> Plan:
    h, s = rng.choice((F(1), F(1, 10), F(1, 50))), rng.choice((F(1, 4), F(1, 5), F(1, 3)))
    stride, intervals = rng.choice(((1, 0), (1, 0), (1, 8), (7, 5), (3, 20)))
    return Plan(h, s, rng.choice((1, 20, 60, 120)), stride, intervals)


def frequencies(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        items = []
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            level = random_level(rng)
            delta = rng.choice((F(0), F(0), F(1), F(1, 10)))
            items.append((level, delta, rng.randint(1, 2 if items else 4), _ends(level, rng)))
        while sum(n for *_, n, _ in items) > 4 or any(own[1] > 20 for *_, own in items):
            items.pop()
        target, plan = random_level(rng), _plan(rng)
        ends = _ends(target, rng)
        sides = [[(own[side], delta, n) for _, delta, n, own in items] for side in (0, 1)]
        rooms = [distance([(g, n) for g, _, n in sides[side]], ends[1 - side], plan) for side in (0, 1)]
        if min(rooms) < 1:
            continue
        lower, upper = (fourier_delta(sides[side], ends[1 - side], plan, side) for side in (0, 1))
        exact = [slack([(g, d) for g, d, n in sides[s] for _ in range(n)], ends[1 - s]) for s in (0, 1)]

        def file(
            claim: tuple[F, F], plan: Plan = plan, items: Any = items, target: Any = target, ends: Any = ends
        ) -> Any:
            return _in_frequencies(_file(items, target, ends, claim), plan)

        yield Piece(file((lower - _SPARE, upper + _SPARE)), "the bounds", True, ORACLE)
        yield Piece(file((F(0), upper + _SPARE)), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        if exact[1] < 1:
            above = exact[1] + (1 - exact[1]) * step
            yield Piece(file((above, F(1))), "lower above the delta", False, ORACLE)
        if exact[0] > 0:
            yield Piece(file((F(-1), exact[0] * (1 - step))), "upper below the delta", False, ORACLE)
        nothing = (F(0), F(1))
        for wrong in (F(0), -step, 1 + step):
            yield Piece(file(nothing, plan._replace(h=wrong)), "a variance beyond its range", False, "counting")
            yield Piece(file(nothing, plan._replace(s=wrong)), "a spacing beyond its range", False, "counting")
        for name in ("nodes", "stride", "intervals"):
            for count in (-1, F(1, 2), 2**20 + 1, *((0,) if name != "intervals" else ())):
                changed = plan._replace(**{name: count})
                yield Piece(file(nothing, changed), f"{name} beyond their range", False, "counting")
        most = F(100)
        far = [distance([(g, n) for g, _, n in side], most, plan._replace(s=F(1))) for side in sides]
        if max(far) < -0.01:
            hundred = Level("log", {"log": "100"}, mp.mpf(100), most)
            made = file(nothing, plan._replace(s=F(1)), items, hundred, (most, most))
            yield Piece(made, "a mean beyond half a period", False, "mpmath, with fifty digits")
        if items:
            one = rng.randrange(len(items))
            level, delta, n, own = items[one]
            method, low, high = bracket_of(level, rng)
            if method not in ("honest", "one point") and (level.exact is None or (low, high) != own):
                changed_items = [*items[:one], (level, delta, n, (low, high)), *items[one + 1 :]]
                yield Piece(file(nothing, items=changed_items), f"profile, {method}", False, level.oracle)


FUZZERS = {"composition-fourier": frequencies}
