"""The largest Fisher information of a prevalence over all (epsilon, delta) mechanisms, of any number of outputs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER

_NAMES = ("gamma", "delta", "pi", "a", "b", "u")


def _multipliers(gamma: Fraction, pi: Fraction) -> tuple[Fraction, Fraction]:
    """What a probability of an answer costs without and with the trait; an excess costs what is left to 1/(1 - pi),
    1/pi."""
    each = _response(gamma, pi)
    return each * pi, each * (1 - pi)


def _response(gamma: Fraction, pi: Fraction) -> Fraction:
    return (gamma - 1) ** 2 / (gamma + (gamma - 1) ** 2 * pi * (1 - pi))


def theory(point: Point) -> dict[str, Any]:
    """(b - a)^2 is at most the cost of an answer times its probability; excesses cost at least nothing; what is
    spent."""
    gamma, delta, pi, a, b, u = (Fraction(point[name]) for name in _NAMES)
    alpha, beta = _multipliers(gamma, pi)
    no, yes = gamma * b + u, gamma * a + u
    best = delta / (pi * (1 - pi)) + (1 - delta) * _response(gamma, pi)
    return {
        "answer within the ratios": Bound("at-most", (alpha * a + beta * b) * ((1 - pi) * a + pi * b)),
        "answer of no": Bound(
            "at-most", (alpha * no + beta * b + (1 / (1 - pi) - alpha) * u) * ((1 - pi) * no + pi * b)
        ),
        "answer of yes": Bound("at-most", (alpha * a + beta * yes + (1 / pi - beta) * u) * ((1 - pi) * a + pi * yes)),
        "cost of an excess of no": Bound("at-least", 0),
        "cost of an excess of yes": Bound("at-least", 0),
        "cost in all": best,
        "attained": best,
    }


def computed(point: Point) -> dict[str, Any]:
    """The squares (b - a)^2 of answers, the costs, and the information of the four answers."""
    gamma, delta, pi, a, b, u = (Fraction(point[name]) for name in _NAMES)
    alpha, beta = _multipliers(gamma, pi)
    mu, nu = 1 / (1 - pi) - alpha, 1 / pi - beta
    zero, one = Fraction(0), Fraction(1)
    told = _information(one, zero, pi) + _information(zero, one, pi)
    likely = _information(gamma, one, pi) + _information(one, gamma, pi)
    return {
        "answer within the ratios": (b - a) ** 2,
        "answer of no": (b - gamma * b - u) ** 2,
        "answer of yes": (gamma * a + u - a) ** 2,
        "cost of an excess of no": mu,
        "cost of an excess of yes": nu,
        "cost in all": alpha + beta + delta * (mu + nu),
        "attained": delta * told + (1 - delta) / (1 + gamma) * likely,
    }


def _information(a: Fraction, b: Fraction, pi: Fraction) -> Fraction:
    """Of an answer: homogeneous in its probabilities."""
    return (b - a) ** 2 / ((1 - pi) * a + pi * b)


def mutant(point: Point) -> dict[str, Any]:
    """Randomized response alone."""
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    return {**theory(point), "attained": (1 - delta) * _response(gamma, pi)}


def proof() -> Anchored:
    """Costs are tight at (1, 0), (gamma, 1), (1, gamma) and (0, 1); what is over is a product of two distances."""
    return Anchored(
        *(Value(of=name) for name in _PARTS),
        unanchored=(
            "the sums over the answers: what is proved is what one answer costs at most, and the cost of the sums",
        ),
    )


_PARTS = (
    "answer within the ratios",
    "answer of no",
    "answer of yes",
    "cost of an excess of no",
    "cost of an excess of yes",
    "cost in all",
    "attained",
)

CLAIM = Claim(
    id="rropt.any-output",
    source=f"{PAPER}, any number of answers",
    place=(3, 2),
    printed=r"Of all mechanisms on two inputs that keep $(\varepsilon,\delta)$, with any number of answers, the one "
    r"of four answers has the largest Fisher information of the prevalence $\pi$ at every $\pi$: "
    r"$\frac{\delta}{\pi(1-\pi)}+\frac{(1-\delta)(\gamma-1)^2}{\gamma+(\gamma-1)^2\pi(1-\pi)}$, "
    r"$\gamma=e^\varepsilon$. One over it is the least $n\operatorname{Var}$ of an efficient estimator.",
    precise="For gamma >= 1, 0 <= delta <= 1, 0 < pi < 1. The chances of an answer are within the ratios, or (gamma "
    "b + u, b) or (a, gamma a + u) with an excess u; its information, (b - a)^2 over its chance, is at most what its "
    "chances and its excess cost. The chances sum to 1 and each excess to at most delta over all answers, so that "
    "the information of a mechanism is at most the cost in all, which the four answers have. That it is best for "
    "every estimate, at every loss, is `rropt.garbling-of-four`.",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "pi": Domain.interval("prevalence", 0, 1, also=("1/2", "1/100")),
        "a": Domain.interval("chance of the answer without the trait", 0, 1, also=("1/2", "1/20")),
        "b": Domain.interval("chance of the answer with the trait", 0, 1, also=("1/2", "1/20")),
        "u": Domain.interval("excess", 0, 1, also=("1/100", "1/8")),
    },
    assumptions=(
        Condition("0 < pi", "pi > 0"),
        Condition("pi < 1", "pi < 1"),
        Condition("a is within the ratios", "a <= gamma*b"),
        Condition("b is within the ratios", "b <= gamma*a"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
