"""Questions that depend on earlier answers reveal no more about two categories than randomized response."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point, Proof
from rropt_proofs.rropt import PAPER

Steps = dict[str, tuple[Fraction, ...]]


def _steps(no: str, yes: str, x: str) -> Steps:
    """Probabilities of the answers of one transcript without and with the trait, and who has it."""
    return {"no": _numbers(no), "yes": _numbers(yes), "x": _numbers(x)}


def _numbers(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def _draw(rng: random.Random) -> Steps:
    n = rng.randint(1, 6)

    def chances() -> tuple[Fraction, ...]:
        return tuple(Fraction(rng.randint(1, 20), 20) for _ in range(n))

    return {"no": chances(), "yes": chances(), "x": tuple(Fraction(rng.randint(0, 1)) for _ in range(n))}


def _kernel(gamma: Fraction, a: Fraction, b: Fraction) -> tuple[Fraction, Fraction]:
    """The probabilities of an answer, of probabilities a and b, after the answers no and yes of randomized response."""
    return (gamma * a - b) / (gamma - 1), (gamma * b - a) / (gamma - 1)


def theory(point: Point) -> dict[str, Any]:
    """What a kernel is, and the probability of a transcript that is made from randomized response."""
    gamma, steps = Fraction(point["gamma"]), point["steps"]
    told = []
    for a, b, x in zip(steps["no"], steps["yes"], steps["x"], strict=True):
        no, yes = _kernel(gamma, a, b)
        told.append((no * ((1 - x) * gamma + x) + yes * (1 - x + x * gamma)) / (gamma + 1))
    return {
        "after no": Bound("at-least", 0),
        "after yes": Bound("at-least", 0),
        "all answers after no": Fraction(1),
        "all answers after yes": Fraction(1),
        "transcript": prod(told, start=Fraction(1)),
    }


def computed(point: Point) -> dict[str, Any]:
    """The kernel at a step, and at the sum of all answers of the step, (1, 1); the transcript of the protocol."""
    gamma, steps = Fraction(point["gamma"]), point["steps"]
    no, yes = _kernel(gamma, Fraction(point["a"]), Fraction(point["b"]))
    all_no, all_yes = _kernel(gamma, Fraction(1), Fraction(1))
    chances = (b if x else a for a, b, x in zip(steps["no"], steps["yes"], steps["x"], strict=True))
    return {
        "after no": no,
        "after yes": yes,
        "all answers after no": all_no,
        "all answers after yes": all_yes,
        "transcript": prod(chances, start=Fraction(1)),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Every respondent without the trait."""
    return {**theory(point), "transcript": prod(point["steps"]["no"], start=Fraction(1))}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, any number of steps",
        argument="The probability of a transcript is a product over the steps. The factor of a step is the probability "
        "of its answer: that of the kernel after randomized response with the respondent's trait.",
        unchecked_steps=(
            "the kernels of the steps, each chosen after the answers before it, are together one garbling of all "
            "answers of randomized response",
            "no garbling does better, whatever is estimated and at any loss (Blackwell)",
        ),
    )


CLAIM = Claim(
    id="rropt.adaptivity",
    source=f"{PAPER}, protocols of several steps",
    place=(5, 1),
    printed=r"Let $n$ respondents with $x_1,\dots,x_n\in\{0,1\}$ report once each, one after the other, each by an "
    r"$\varepsilon$-private mechanism that may be chosen after all earlier answers. The transcript is a garbling of "
    r"$n$ independent answers of randomized response at $\varepsilon$: whatever is estimated, at any loss, no such "
    r"protocol does better than these.",
    precise="For gamma = e^epsilon > 1. A step has, given the answers before it, chances a and b of its answer "
    "without and with the trait, of ratios at most gamma. Whoever holds the answer no or yes of randomized response "
    "of this respondent gives it with chance (gamma a - b)/(gamma - 1) or (gamma b - a)/(gamma - 1): at least 0, and "
    "1 in all, as both are linear and all answers of a step have the sums (1, 1). Done step by step, every "
    "transcript of any length has the chance that the protocol gives it, for all x. With delta > 0 each step is a "
    "garbling of four answers in the same way (`rropt.garbling-of-four`).",
    variables={
        "gamma": Domain.odds(),
        "a": Domain.interval("chance of the answer of a step without the trait", 0, 1, also=("1/2", "1/20")),
        "b": Domain.interval("chance of the answer of a step with the trait", 0, 1, also=("1/2", "1/20")),
        "steps": Domain(
            "the answers of a transcript: their chances without and with the trait, and who has it",
            (
                _steps("1/3", "2/3", "0"),
                _steps("1/3", "2/3", "1"),
                _steps("1/2 1/4", "1/2 1/2", "1 0"),
                _steps("1/3 2/3 1/2", "2/3 1/3 1/3", "0 1 1"),
            ),
            _draw,
            entries={("no",): "0 <= x <= 1", ("yes",): "0 <= x <= 1", ("x",): "x*x == x"},
        ),
    },
    assumptions=(
        Condition("gamma > 1", "gamma > 1"),
        Condition("epsilon-privacy of a", "a <= gamma*b"),
        Condition("epsilon-privacy of b", "b <= gamma*a"),
        Condition(
            "epsilon-privacy of every step",
            lambda point: all(
                a <= point["gamma"] * b and b <= point["gamma"] * a
                for a, b in zip(point["steps"]["no"], point["steps"]["yes"], strict=True)
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="That randomized response dominates every mechanism of two inputs: Kairouz, Oh and Viswanath, Extremal "
    "mechanisms for local differential privacy (JMLR 17, 2016). For more categories, or tests of more than one "
    "parameter, interaction can help: Joseph, Mao, Neel and Roth, The role of interactivity in local differential "
    "privacy (FOCS 2019).",
)
