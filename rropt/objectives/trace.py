"""Weighted trace: the chance of a true answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.objectives.objective import LinearObjective, Rows, register_objective


@register_objective
@dataclass(frozen=True, slots=True)
class Trace(LinearObjective):
    """Maximise ``sum_i w_i p_ii``: the weighted probability of a true output (outputs are the inputs).

    Chai and Nayak (2018), section 4.2, with all weights 1; with ``w = pi`` it is the probability that an answer is
    true, one minus the 0/1 loss.

    Args:
        weights: ``w`` of shape (k,), exact numbers, any sign.

    Raises:
        InvalidParameterError: fewer than two weights, or one that is not a number.

    >>> str(Trace([1, 1]).value(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), ()))
    '4/3'
    """

    kind = "trace"
    sense = "maximise"
    title = "trace, sum of w_i p_ii"
    form = '{"kind": "trace", "weights": [...]}'
    options = ("weights",)
    weights: tuple[Fraction, ...]

    def __init__(self, weights: Sequence[object]) -> None:
        given = listed(weights, flat=True)
        if given is None or len(given) < 2:
            raise InvalidParameterError(
                f"weights is not a list of numbers: received {shown(weights)}; give one weight per category"
            )
        exact = tuple(rational(w, name=f"weights[{i}]") for i, w in enumerate(given))
        object.__setattr__(self, "weights", exact)

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> Trace:
        """Return the trace of k categories, with weights 1 unless ``weights`` are given."""
        return cls(options.get("weights") or [1] * inputs)

    def costs(self, population: Sequence[Fraction]) -> Rows:
        """Return c of shape (k, k) with objective ``sum_ij c_ij p_ij``."""
        k = len(self.weights)
        return tuple(tuple(w if i == j else Fraction(0) for j in range(k)) for i, w in enumerate(self.weights))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the weighted trace of a square mechanism; the population does not matter.

        Raises:
            InvalidParameterError: no mechanism with as many inputs and outputs as weights.
        """
        self.require_fit(mechanism)
        return sum((w * mechanism[i, i] for i, w in enumerate(self.weights)), Fraction(0))

    def misfit(self, inputs: int, outputs: int) -> str | None:
        """Return why the objective is not defined on mechanisms of a shape, or None."""
        if outputs != inputs:
            return f"the trace needs as many outputs as inputs: received {inputs} inputs and {outputs} outputs"
        if len(self.weights) != inputs:
            return (
                f"the trace needs one weight per category: received {len(self.weights)} for {inputs} categories; give "
                f"{inputs} numbers"
            )
        return None
