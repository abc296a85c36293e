"""Payoff of a decision problem: the expected payoff of the best decision after observing an output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.objectives.objective import AnyOutputObjective, Rows, exact_rows, register_objective, shares_of_inputs
from rropt.objectives.ray_form import RayForm, SumForm

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class Payoff(AnyOutputObjective):
    """Maximize ``sum_i max_d sum_j pi_j U_dj p_ij``: the expected payoff of the best decision after each output.

    The maximum is over all mechanisms with any number of outputs. Columns of U are the true categories, rows are the
    decisions. If U is the identity, the value is the probability that the best guess of the truth is correct.
    Blackwell, Comparison of experiments (1951): a mechanism is at least as good as another one for every U iff the
    other one is a postprocessing of it.

    Args:
        matrix: U, rows of k exact numbers of any sign, one for each decision; by default the identity: the payoff is 1
            for a correct guess of the truth, else 0.

    Raises:
        InvalidParameterError: U is not a matrix of numbers with at least one row and two columns.

    >>> print(Payoff([[1, 0], [0, 1]]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    3/4
    """

    kind = "payoff"
    sense = "maximise"
    title = "expected payoff"
    form = '{"kind": "payoff", "matrix": [[...]]}'
    parameters = ("matrix",)
    is_on_rays = True
    takes_zero_shares = True
    has_decisions = True
    matrix: Rows

    def __init__(self, matrix: Sequence[Sequence[object]] | None = None) -> None:
        object.__setattr__(self, "matrix", () if matrix is None else exact_rows(matrix, "payoff", "decision"))

    @classmethod
    def of_text(cls, text: str) -> Payoff:
        """Read the name alone: the payoff is 1 for a correct guess of the truth, else 0."""
        if text:
            raise InvalidParameterError(
                f"a text names no matrix: received {shown(text)}; write payoff for guessing the truth, or give "
                "rropt.objectives.Payoff(matrix)"
            )
        return cls()

    def sized(self, inputs: int) -> Payoff:
        """Return the objective with the identity as its matrix, if none is given."""
        return self if self.matrix else Payoff([[int(i == j) for j in range(inputs)] for i in range(inputs)])

    def parameter(self) -> Sequence[object]:
        """Return the payoffs of the first decision."""
        return self.matrix[0]

    def gains(self, population: Sequence[Fraction]) -> list[list[Fraction]]:
        """Return ``pi_j U_dj``, shape (decisions, k)."""
        return [[p * u for p, u in zip(population, row, strict=True)] for row in self.matrix]

    def labelled_costs(self, population: Sequence[Fraction]) -> Rows:
        """Return ``-pi_j U_dj``: outputs with the same best decision can be added up."""
        return tuple(tuple(-gain for gain in row) for row in self.gains(population))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the expected payoff at a distribution of exact proportions.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
        """
        gains = self.gains(shares_of_inputs(mechanism, population))
        self.require_length(mechanism.inputs)
        return sum((max(dot(gain, row) for gain in gains) for row in mechanism.matrix), Fraction(0))

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the payoff of the best decision after an output."""
        return _PayoffForm(self, population, gamma)


class _PayoffForm(SumForm):
    is_rational: ClassVar[bool] = True
    is_piecewise_linear: ClassVar[bool] = True

    def __init__(self, objective: Payoff, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        self.gains = objective.gains(self.pi)

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``max_d sum_j pi_j U_dj r_j``."""
        return max(dot(gain, row) for gain in self.gains)

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats."""
        return np.asarray((rows @ np.array([[float(x) for x in gain] for gain in self.gains]).T).max(1))
