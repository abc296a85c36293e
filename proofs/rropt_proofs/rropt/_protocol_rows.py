"""The claims in rows on protocols, single answers and many answers: (name, true value, sign, stated value)."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod
from typing import Any

from flint import arb, ctx, fmpq

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt_proofs._laws import law_of, variance_of
from rropt_proofs._matrices import Numbers

Steps = dict[str, Numbers]
Case = dict[str, Any]

_BITS = 256
_ORDERS = tuple(Fraction(2) ** j for j in range(-20, 8))  # less 1


def _numbers(text: str) -> Numbers:
    return tuple(map(Fraction, text.split()))


def _steps(no: str, yes: str, x: str) -> Steps:
    """Probabilities of the answers of one transcript without and with the trait, and who has it."""
    return {"no": _numbers(no), "yes": _numbers(yes), "x": _numbers(x)}


def _draw_steps(rng: random.Random) -> Steps:
    n = rng.randint(1, 6)
    no, yes = (tuple(Fraction(rng.randint(1, 20), 20) for _ in range(n)) for _ in range(2))
    return {"no": no, "yes": yes, "x": tuple(Fraction(rng.randint(0, 1)) for _ in range(n))}


TRANSCRIPTS = Domain(
    "the answers of a transcript: their chances without and with the trait, and who has it",
    (
        _steps("1/3", "2/3", "0"),
        _steps("1/3", "2/3", "1"),
        _steps("1/2 1/4", "1/2 1/2", "1 0"),
        _steps("1/3 2/3 1/2", "2/3 1/3 1/3", "0 1 1"),
    ),
    _draw_steps,
    entries={("no",): "0 <= x <= 1", ("yes",): "0 <= x <= 1", ("x",): "x*x == x"},
)


def private_steps(gamma: Fraction, steps: Steps) -> bool:
    """epsilon-privacy of every step"""
    return all(a <= gamma * b and b <= gamma * a for a, b in zip(steps["no"], steps["yes"], strict=True))


def _kernel(gamma: Fraction, a: Any, b: Any) -> tuple[Any, Any]:
    """The probabilities of an answer, of probabilities a and b, after the answers no and yes of randomized response."""
    return (gamma * a - b) / (gamma - 1), (gamma * b - a) / (gamma - 1)


def adaptivity(
    gamma: Fraction, a: Fraction, b: Fraction, steps: Steps, *, nobody: bool = False, least: Any = 0, whole: Any = 1
) -> list[Row]:
    """The kernel at a step, and at the sum of all answers of the step, (1, 1); the transcript of the protocol."""
    made, chances = [], []
    for own, other, x in zip(steps["no"], steps["yes"], steps["x"], strict=True):
        no, yes = _kernel(gamma, own, other)
        made.append((no * ((1 - x) * gamma + x) + yes * (1 - x + x * gamma)) / (gamma + 1))
        chances.append(other if x else own)
    one, after, every = Fraction(1), _kernel(gamma, a, b), _kernel(gamma, Fraction(1), Fraction(1))
    return [
        ("after no", after[0], ">=", least),
        ("after yes", after[1], ">=", least),
        ("all answers after no", every[0], "=", one * whole),
        ("all answers after yes", every[1], "=", one * whole),
        ("transcript", prod(chances, start=one), "=", prod(steps["no"] if nobody else made, start=one)),
    ]


def _case(own: str, other: str, odds: str, free: str = "0") -> Case:
    """Probabilities of the answers under the person's own x and under the other one, and unbiased weights of them."""
    a, b = _numbers(own), _numbers(other)
    return {"own": a, "other": b, "odds": Fraction(odds), "g": _weights(a, b, Fraction(free))}


def _weights(a: Numbers, b: Numbers, free: Fraction) -> Numbers:
    """Weights with mean 0 under a and 1 under b: the best ones, and a part of another direction."""
    ratio = [y / x - 1 for x, y in zip(a, b, strict=True)]
    chi = sum((x * r * r for x, r in zip(a, ratio, strict=True)), Fraction(0))
    extra = [Fraction(i * i) for i in range(len(a))]
    mean = sum((x * e for x, e in zip(a, extra, strict=True)), Fraction(0))
    slope = sum((x * r * e for x, r, e in zip(a, ratio, extra, strict=True)), Fraction(0)) / chi
    return tuple(r / chi + free * (e - mean - slope * r) for r, e in zip(ratio, extra, strict=True))


def _draw_case(rng: random.Random) -> Case:
    size = rng.randint(2, 4)
    a, b = ([Fraction(rng.randint(1, 9)) for _ in range(size)] for _ in range(2))
    own, other = (tuple(x / sum(row) for x in row) for row in (a, b))
    if own == other:
        return _case("1/3 2/3", "2/3 1/3", "2")
    ratios = [x / y for x, y in zip(own, other, strict=True)]
    odds = max(*ratios, *(1 / r for r in ratios))
    return {"own": own, "other": other, "odds": odds, "g": _weights(own, other, Fraction(rng.randint(-2, 2)))}


WEIGHED = Domain(
    "chances of the answers by the person's x and by the other x, e^epsilon, and the weights",
    (
        _case("1/3 2/3", "2/3 1/3", "2"),
        _case("1/4 3/4", "3/4 1/4", "3"),
        _case("1/10 1/10 4/5", "1/20 3/20 4/5", "2"),
        _case("1/2 1/3 1/6", "1/6 1/3 1/2", "3"),
        _case("1/2 1/3 1/6", "1/6 1/3 1/2", "3", "1"),
    ),
    _draw_case,
    entries={("own",): "0 < x <= 1", ("other",): "0 < x <= 1"},
    whole_groups=lambda case: [[(name, y) for y in range(len(case[name]))] for name in ("own", "other")],
)


def private_case(case: Case) -> bool:
    """the ratios are at most e^epsilon"""
    odds = case["odds"]
    return all(x <= odds * y and y <= odds * x for x, y in zip(case["own"], case["other"], strict=True))


def two_point_bound(case: Case, *, tenths: int = 10) -> list[Row]:
    """The variance of a person's weight, by the law of the answer: N Var is the mean of these over all persons."""
    law, odds = law_of(enumerate(case["own"])), case["odds"]
    variance = variance_of(law, lambda y: case["g"][y])
    return [("the variance", variance, ">=", odds / (odds - 1) ** 2 * Fraction(tenths, 10))]


CATEGORIES = Domain.values("number of categories", 2, 3, 5, 6, 7, 8, 10, 20, 100, 1000)


def _decided(difference: Any) -> bool:
    """Return the sign of a ball that does not hold 0, as whether it is positive."""
    if difference > 0:
        return True
    if difference < 0:
        return False
    raise ArithmeticError("the sign of a ball is not decided")


def _ball(value: Fraction) -> Any:
    return arb(fmpq(value.numerator, value.denominator))


def zcdp_response(k: int, gamma: Fraction, *, factor: int = 1) -> list[Row]:
    """Whether no order of a list has a divergence above that at order 1 times the order: by the two columns.

    The statement: whether ``(k - 2)/(2 e^(eps/2)) <= R(eps/2)``.
    """
    with ctx.workprec(_BITS):
        g = _ball(gamma)
        p, q, loss, t = g / (g + k - 1), 1 / (g + k - 1), g.log(), g.log() / 2
        ratio = (t.sinh() * t.cosh() - t) / (t * t.cosh() - t.sinh())
        stated = k == 2 or _decided(factor * ratio - (k - 2) / (2 * t.exp()))
        divergences = [
            (p * (x * loss).exp() + q * (-x * loss).exp() + (k - 2) * q).log() / x / (1 + x)
            for x in map(_ball, _ORDERS)
        ]
        least = not any(_decided(each - (p - q) * loss) for each in divergences)
    return [("the divergence at order 1 is the least rho", least, "=", stated)]
