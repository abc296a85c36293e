"""The worst variance of an unbiased report of a number, given the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.objectives.objective import AnyOutputObjective, Rows, register_objective, shares_of_inputs


@register_objective
@dataclass(frozen=True, slots=True)
class ConditionalVariance(AnyOutputObjective):
    """Minimize ``max_j Var(z | x_j)`` over mechanisms with numbers z at the outputs, ``E[z | x_j] = x_j`` for all j.

    A respondent has one of the numbers x_1, ..., x_k and reports z. The report is unbiased, and adds at most this
    variance to the estimate of the mean, whatever the numbers of the respondents are. The proportions do not matter.
    The minimum is over all mechanisms with any number of outputs, and all their numbers z.

    Args:
        contrast: x, shape (k,), exact numbers, not all equal.

    Raises:
        InvalidParameterError: x is not a list of exact numbers, or all its numbers are equal.

    >>> from rropt.mechanisms import Mechanism
    >>> print(ConditionalVariance([0, 1]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    3/4
    """

    kind = "conditional-variance"
    sense = "minimise"
    title = "largest variance of the report, given the number"
    goal = "minimax variance of a report"
    form = '{"kind": "conditional-variance", "contrast": [...]}'
    parameters = ("contrast",)
    needs = "the number of each category, as in conditional-variance:1,2,3"
    is_worst_variance = True
    is_one_contrast = True
    contrast: tuple[Fraction, ...]

    def __init__(self, contrast: Sequence[object]) -> None:
        given = listed(contrast, flat=True)
        if given is None or len(given) < 2:
            raise InvalidParameterError(
                f"contrast is not a list of numbers: received {shown(contrast)}; give the number of each category"
            )
        exact = tuple(rational(x, name=f"contrast[{j}]") for j, x in enumerate(given))
        if len(set(exact)) < 2:
            raise InvalidParameterError(
                f"contrast is constant: received {shown(contrast)}; nobody need report a number that is known; give at "
                "least two different numbers"
            )
        object.__setattr__(self, "contrast", exact)

    def at(self, population: Sequence[Fraction]) -> str:
        """Return no words: the proportions do not matter."""
        return ""

    def contrast_rows(self, inputs: int) -> Rows:
        """Return the numbers as the only row."""
        return (self.contrast,)

    def marks(self, inputs: int) -> Sequence[tuple[Fraction, ...]]:
        """Return the numbers: categories with one number need not be distinguished."""
        return [(x,) for x in self.contrast]

    def parameter(self) -> Sequence[object]:
        """Return the numbers."""
        return self.contrast

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``max_j (sum_i z_i^2 p_ij - x_j^2)`` for the values z of the outputs.

        A mechanism without values needs as many outputs as inputs, so that z is unique.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or its values are not unbiased.
            UnsupportedProblemError: the mechanism has no values, and several are unbiased, or none.
        """
        shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        z = mechanism.output_values or self._unique(mechanism)
        columns = list(zip(*mechanism.matrix, strict=True))
        if any(dot(column, z) != x for column, x in zip(columns, self.contrast, strict=True)):
            raise InvalidParameterError(
                "the values of the outputs are no unbiased reports of the numbers: received a mechanism whose mean "
                "report differs from the number; give the mechanism that was designed for these numbers"
            )
        squares = [value * value for value in z]
        return max(dot(column, squares) - x * x for column, x in zip(columns, self.contrast, strict=True))

    def _unique(self, mechanism: Mechanism) -> tuple[Fraction, ...]:
        m, k = mechanism.shape
        matrix = flint_matrix(mechanism.design_matrix)
        if m != k or matrix.rank() < k:
            raise UnsupportedProblemError(
                f"the reports of the mechanism have no values: received {m} outputs for {k} categories; give values of "
                "the outputs, as `rropt design mean` writes them"
            )
        found = matrix.solve(flint_matrix([[x] for x in self.contrast]))
        return tuple(x for (x,) in fractions_of(found))
