"""The least variance of an unbiased estimator from independent answers that keep epsilon."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point, Proof
from rropt_proofs._laws import law_of, variance_of
from rropt_proofs.rropt import PAPER

Case = dict[str, Any]


def _case(own: str, other: str, odds: str, free: str = "0") -> Case:
    """Probabilities of the answers under the person's own x and under the other one, and unbiased weights of them."""
    a, b = (tuple(map(Fraction, text.split())) for text in (own, other))
    return {"own": a, "other": b, "odds": Fraction(odds), "g": _weights(a, b, Fraction(free))}


def _weights(a: tuple[Fraction, ...], b: tuple[Fraction, ...], free: Fraction) -> tuple[Fraction, ...]:
    """Weights with mean 0 under a and 1 under b: the best ones, and a part of another direction."""
    ratio = [y / x - 1 for x, y in zip(a, b, strict=True)]
    chi = sum((x * r * r for x, r in zip(a, ratio, strict=True)), Fraction(0))
    extra = [Fraction(i * i) for i in range(len(a))]
    mean = sum((x * e for x, e in zip(a, extra, strict=True)), Fraction(0))
    slope = sum((x * r * e for x, r, e in zip(a, ratio, extra, strict=True)), Fraction(0)) / chi
    return tuple(r / chi + free * (e - mean - slope * r) for r, e in zip(ratio, extra, strict=True))


def _draw(rng: random.Random) -> Case:
    size = rng.randint(2, 4)
    a, b = ([Fraction(rng.randint(1, 9)) for _ in range(size)] for _ in range(2))
    own, other = (tuple(x / sum(row) for x in row) for row in (a, b))
    if own == other:
        return _case("1/3 2/3", "2/3 1/3", "2")
    ratios = [x / y for x, y in zip(own, other, strict=True)]
    odds = max(*ratios, *(1 / r for r in ratios))
    return {"own": own, "other": other, "odds": odds, "g": _weights(own, other, Fraction(rng.randint(-2, 2)))}


def _least(odds: Fraction) -> Fraction:
    return odds / (odds - 1) ** 2


def theory(point: Point) -> Bound:
    """e^epsilon/(e^epsilon - 1)^2."""
    return Bound("at-least", _least(point["case"]["odds"]))


def computed(point: Point) -> Fraction:
    """The variance of a person's weight, by the distribution of the answer: N Var is the mean of these over all
    persons."""
    case = point["case"]
    law = law_of(enumerate(case["own"]))
    return variance_of(law, lambda y: case["g"][y])


def mutant(point: Point) -> Bound:
    """A tenth more."""
    return Bound("at-least", _least(point["case"]["odds"]) * Fraction(11, 10))


def proof() -> Proof:
    return Proof(
        scope="all epsilon > 0, any number of responses",
        argument="The weight g of one person's answer has, times N, the mean 0 under the person's own x and 1 under "
        "the other one, or the same with the sign changed. Let a and b be the probabilities of an answer under both, "
        "e = exp(epsilon), lambda = e/(e - 1)^2 and h = g/lambda. The variance under the own x is lambda^2 times the "
        "sum of a h^2, and a h^2 - 2 (b - a) h + b/lambda = ((a h - b + a)^2 + (e a - b)(e b - a)/e)/a >= 0. The sum "
        "of (b - a) h is 1/lambda and that of b is 1, so the sum of a h^2 is at least 1/lambda.",
        unchecked_steps=(
            "the sum over the answers: any number of them",
            "an unbiased estimator may be replaced by the sum of its means given single answers: that is unbiased too, "
            "and its variance is not larger, as the rest is uncorrelated with it (Hoeffding)",
        ),
    )


CLAIM = Claim(
    id="rropt.two-point-bound",
    source=f"{PAPER}, the least variance of independent answers",
    place=(1, 1),
    printed=r"No unbiased estimator of the share $\pi$ among $N$ fixed persons, from independent answers each of which "
    r"keeps $\varepsilon$, has $N\operatorname{Var}$ below $\frac{e^\varepsilon}{(e^\varepsilon-1)^2}$.",
    precise="For every epsilon > 0, every Q with finitely many answers whose two columns have ratios of at most "
    "e^epsilon, and every weight g of the answers whose mean differs by 1 between x_i = 0 and 1: the variance of the "
    "weight of one person's answer is at least the bound. N Var of an estimator is at least the mean of N of these.",
    variables={
        "case": Domain(
            "chances of the answers by the person's x and by the other x, e^epsilon, and the weights",
            (
                _case("1/3 2/3", "2/3 1/3", "2"),
                _case("1/4 3/4", "3/4 1/4", "3"),
                _case("1/10 1/10 4/5", "1/20 3/20 4/5", "2"),
                _case("1/2 1/3 1/6", "1/6 1/3 1/2", "3"),
                _case("1/2 1/3 1/6", "1/6 1/3 1/2", "3", "1"),
            ),
            _draw,
            entries={("own",): "0 < x <= 1", ("other",): "0 < x <= 1"},
            whole_groups=lambda case: [[(name, y) for y in range(len(case[name]))] for name in ("own", "other")],
        )
    },
    assumptions=(
        Condition(
            "the ratios are at most e^epsilon",
            lambda point: all(
                x <= point["case"]["odds"] * y and y <= point["case"]["odds"] * x
                for x, y in zip(point["case"]["own"], point["case"]["other"], strict=True)
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="Attained by modified Warner, which so is best among all mechanisms with independent answers on a fully "
    "surveyed population. A mechanism that has less at the same epsilon has answers that depend on each other, and "
    "epsilon of another view (`sun2023.theorem-5.6`).",
)
