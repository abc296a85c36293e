"""Objectives of what one answer tells: mutual information, and distances of the answers of two populations.

Each is a sum over answers of a convex, homogeneous function of the row: best at rows in {1, gamma}^k up to scale, so
that the optimum over all mechanisms is a linear programme over these patterns. Kairouz, Oh and Viswanath, "Extremal
mechanisms for local differential privacy", JMLR 17 (2016), theorem 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log10
from typing import Any

from rropt.errors import InvalidParameterError
from rropt.exact.brackets import Bracket, ball, bracket
from rropt.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.objectives.objective import (
    AnyOutputObjective,
    DesignSpace,
    exact_population,
    register_objective,
    shares_of_inputs,
)

_DIGITS = 36  # of logarithms, beyond those that cancel
_HELD = 6  # of them may cancel too: what is left is far more than a bracket shows


def information_digits(gamma: Fraction) -> int:
    """Return the digits of logarithms at a level.

    As gamma falls to 1 all but ``(gamma - 1)^2`` of them cancels; as it grows they are taken gamma times.
    """
    return _DIGITS + max(0, ceil(-2 * log10(gamma - 1)), ceil(log10(gamma)) - _HELD)


@register_objective
@dataclass(frozen=True, slots=True)
class MutualInformation(AnyOutputObjective):
    """Maximise what an answer tells of the truth, in nats: ``sum_ij pi_j p_ij ln(p_ij / lambda_i)``."""

    kind = "mutual-information"
    sense = "maximise"
    title = "mutual information, nats"
    form = '{"kind": "mutual-information"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return a rational below the mutual information, by less than 1e-30 of it unless it is tiny.

        Raises:
            InvalidParameterError: no mechanism, or no population on its inputs.

        >>> round(float(MutualInformation().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"])), 12)
        0.130812035941
        """
        pi = shares_of_inputs(mechanism, population)
        return max(told(mechanism, pi).lower, Fraction(0))


def told(mechanism: Mechanism, pi: Sequence[Fraction]) -> Bracket:
    """Return an enclosure of the mutual information."""
    from flint import arb, ctx

    ratios = []
    for row in mechanism.matrix:
        mean = dot(pi, row)
        ratios += [(p * x, x / mean) for p, x in zip(pi, row, strict=True) if p * x]
    least = min((abs(ratio - 1) for _, ratio in ratios if ratio != 1), default=Fraction(1))
    with ctx.workprec(128 + 2 * max(0, least.denominator.bit_length() - least.numerator.bit_length())):
        total = arb(0)
        for weight, ratio in ratios:
            total += ball(weight) * ball(ratio).log()
        return bracket(total)


@dataclass(frozen=True, slots=True)
class _Apart(AnyOutputObjective):
    """How far apart the answers of the population and of another one are.

    Args:
        against: q, shape (k,): the other population.

    Raises:
        InvalidParameterError: no distribution.
    """

    sense = "maximise"
    options = ("against",)
    against: tuple[Fraction, ...]

    def __init__(self, against: Sequence[object]) -> None:
        object.__setattr__(
            self, "against", exact_population(against, len(against) if hasattr(against, "__len__") else 2)
        )

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> _Apart:
        """Return the objective of the option ``against``."""
        if "against" not in options:
            raise InvalidParameterError(f"`objective={cls.kind}` needs `against`: the shares of another population")
        return cls(options["against"])

    def require(self, region: DesignSpace) -> None:
        """Raise unless the region has one level, any number of answers, and as many inputs as the population."""
        AnyOutputObjective.require(self, region)
        self.require_length(region.inputs)

    def require_length(self, inputs: int) -> None:
        """Raise unless both populations have as many shares."""
        if len(self.against) != inputs:
            raise InvalidParameterError(
                f"against needs one share per category: received {len(self.against)} shares for {inputs} categories"
            )

    def chances(self, mechanism: Mechanism, population: Sequence[object]) -> list[tuple[Fraction, Fraction]]:
        """Return the chances of each answer under the population and under the other one."""
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        pairs = zip(mechanism.apply(pi), mechanism.apply(self.against), strict=True)
        return [(Fraction(a), Fraction(b)) for a, b in pairs]


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class TotalVariation(_Apart):
    """Maximise half the sum of ``abs(Pr(answer i) - Pr'(answer i))`` under two populations.

    The best that any test can do to tell the two apart from one answer, over guessing.
    """

    kind = "total-variation"
    title = "total variation"
    form = '{"kind": "total-variation", "against": [...]}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the total variation at a population of exact numbers.

        >>> print(TotalVariation(["1/4", "3/4"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"]))
        1/4
        """
        return sum((abs(a - b) for a, b in self.chances(mechanism, population)), Fraction(0)) / 2


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class ChiSquare(_Apart):
    """Maximise ``sum_i (Pr(answer i) - Pr'(answer i))^2 / Pr'(answer i)``, Pr' under the other population.

    n times it is the noncentrality of Pearson's test of the other population from n answers.
    """

    kind = "chi-square"
    title = "chi-square"
    form = '{"kind": "chi-square", "against": [...]}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return chi-square at a population of exact numbers.

        Raises:
            InvalidParameterError: an answer is impossible under the other population alone.

        >>> print(ChiSquare(["1/2", "1/2"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"]))
        1/16
        """
        pairs = [(a, b) for a, b in self.chances(mechanism, population) if a or b]
        if not all(b for _, b in pairs):
            raise InvalidParameterError(
                f"chi-square is infinite: received {mechanism!r}; every answer that the population can give must be "
                "possible under the other one"
            )
        return sum(((a - b) ** 2 / b for a, b in pairs), Fraction(0))
