"""Squared loss with any number of outputs: each output is decoded to the posterior mean of the category numbers.

With the prior q of the numbers x = 1, ..., k and the mean m, the least expected squared loss over mechanisms and
decoders is ``Var_q(x) - max sum_i (p_i . w)^2/(p_i . q)`` with ``w = q (x - m)``. The sum is the chi-square of the
responses under ``pi = q (1 + t (x - m))`` against q, divided by t^2, for any t with pi >= 0. So the design of the
largest chi-square has the least loss ``Var_q(x) - chi2/t^2`` (label differential privacy with free output values:
Badanidiyuru et al. 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import as_text, both_texts, decimal_text
from rropt.core.exact.numbers import dot
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.objectives.divergences import ChiSquare


def is_decoded(loss: object, outputs: object) -> bool:
    """Return whether a design with the objective ``loss`` asks for the squared loss with any number of outputs."""
    return isinstance(loss, str) and loss == "squared" and outputs == "any"


class SquaredLoss(ChiSquare):
    """The chi-square of ``decoding_problem``, which summaries describe as the problem that was asked.

    In files and certificates it is the chi-square objective; the two are equal.
    """

    __slots__ = ()
    goal = "smallest expected squared loss, each output decoded to the posterior mean"

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the words that describe the proportions q of the categories, not those of the reformulation."""
        return super().at(self.against)

    def asked_population(self, population: Sequence[Fraction]) -> Sequence[Fraction]:
        """Return q, the proportions of the categories."""
        return self.against

    def __eq__(self, other: object) -> bool:
        return self.against == other.against if isinstance(other, ChiSquare) else NotImplemented

    def __hash__(self) -> int:
        return super().__hash__()


def decoding_problem(prior: Sequence[object]) -> tuple[SquaredLoss, list[Fraction]]:
    """Return the chi-square objective whose optimum decodes best, and the first distribution of the categories.

    Args:
        prior: q, the proportions of the categories 1, ..., k.

    Raises:
        InvalidParameterError: all categories but one have the proportion 0.
    """
    q = exact_population(prior, len(prior))
    mean = _mean(q)
    if sum(map(bool, q)) < 2:
        raise InvalidParameterError(
            "there is nothing to decode: received one category with a proportion above 0; allowed are two or more"
        )
    step = Fraction(1, 2 * ceil(max(abs(x - mean) for x in range(1, len(q) + 1))))
    return SquaredLoss(q), [share * (1 + step * (x - mean)) for x, share in enumerate(q, 1)]


@dataclass(frozen=True, slots=True)
class DecodedLoss(Result):
    """The expected squared loss of a mechanism whose outputs are decoded to posterior means.

    Attributes:
        mechanism: the mechanism.
        prior: q, the proportions of the categories, whose numbers are 1, ..., k.
        least: a lower bound of the loss over all mechanisms at the level and all decoders; the loss itself if the
            optimum is exact.
    """

    mechanism: Mechanism
    prior: tuple[Fraction, ...]
    least: Fraction

    LABELS = labelled(
        loss="expected squared loss, categories numbered from 1",
        least="at least, for every mechanism and decoder",
        without="without a response: the variance",
        posterior_means="",
        mechanism="",
        prior="",
    )

    @classmethod
    def of(cls, solution: Any) -> DecodedLoss:
        """Return the loss of the solution of a problem of ``decoding_problem``."""
        problem = solution.problem
        q, pi = problem.objective.against, problem.population
        mean = _mean(q)
        x = next(x for x, share in enumerate(q, 1) if share and x != mean)
        step = (pi[x - 1] / q[x - 1] - 1) / (x - mean)
        return cls(solution.mechanism, tuple(q), _variance(q) - solution.upper / step**2)

    def checked(self) -> None:
        """Raise if the prior is no distribution over the categories, or the bound is above the loss."""
        exact_population(self.prior, self.mechanism.inputs)
        if self.least > self.loss:
            raise InvalidParameterError(
                f"the bound is above the loss: received {self.least} and {self.loss}; use the record as it was written"
            )

    @property
    def posterior_means(self) -> tuple[Fraction | None, ...]:
        """The posterior mean of the category number given each output; ``None`` for an output that never occurs."""
        weighed = [share * x for x, share in enumerate(self.prior, 1)]
        chances = [dot(row, self.prior) for row in self.mechanism.matrix]
        rows = zip(self.mechanism.matrix, chances, strict=True)
        return tuple(dot(row, weighed) / chance if chance else None for row, chance in rows)

    @property
    def loss(self) -> Fraction:
        """The expected squared difference between the category number and the posterior mean."""
        squares = sum((share * x * x for x, share in enumerate(self.prior, 1)), Fraction(0))
        chances = [dot(row, self.prior) for row in self.mechanism.matrix]
        found = zip(chances, self.posterior_means, strict=True)
        return squares - sum((chance * mean * mean for chance, mean in found if mean is not None), Fraction(0))

    @property
    def without(self) -> Fraction:
        """The loss of guessing the mean: the variance of the category numbers."""
        return _variance(self.prior)

    @classmethod
    def lines_of(cls, solution: Any) -> list[tuple[str, str]]:
        """Return the lines of the solution of a problem of ``decoding_problem``: the loss, then how it was solved."""
        problem, gap = solution.problem, solution.gap
        solved = f"{both_texts(solution.value)} ({f'gap {decimal_text(gap, 2)}' if gap else 'exact'})"
        return [
            *cls.of(solution).lines(),
            (
                "solved as",
                f"the largest {problem.objective.title}, {solved}, of the responses at the proportions "
                f"{', '.join(map(as_text, problem.population))} against those above: the same designs are optimal",
            ),
        ]

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the loss, and the posterior mean of each output."""
        means = ("never occurs" if mean is None else both_texts(mean, 9) for mean in self.posterior_means)
        found = [(f"posterior mean at output {i}", text) for i, text in enumerate(means)]
        return [*Result.lines(self), *found]


def _mean(q: Sequence[Fraction]) -> Fraction:
    return sum((share * x for x, share in enumerate(q, 1)), Fraction(0))


def _variance(q: Sequence[Fraction]) -> Fraction:
    mean = _mean(q)
    return sum((share * (x - mean) ** 2 for x, share in enumerate(q, 1)), Fraction(0))
