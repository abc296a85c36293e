"""The objectives by their JSON form."""

from __future__ import annotations

from typing import Any

from rropt.errors import InvalidParameterError, shown
from rropt.objectives.linear import ExpectedLoss, Trace
from rropt.objectives.variance import EstimatorVariance

__all__ = ["LinearObjective", "Objective", "objective_from_dict"]

LinearObjective = Trace | ExpectedLoss
Objective = EstimatorVariance | Trace | ExpectedLoss


def objective_from_dict(data: Any) -> Objective:
    """Return the objective that a ``to_dict`` of this package wrote.

    >>> objective_from_dict({"kind": "trace", "weights": ["1", "1/2"]}).weights
    (Fraction(1, 1), Fraction(1, 2))
    """
    if data == {"kind": "variance"}:
        return EstimatorVariance()
    if isinstance(data, dict) and set(data) == {"kind", "weights"} and data["kind"] == "trace":
        return Trace(data["weights"])
    if isinstance(data, dict) and set(data) == {"kind", "matrix"} and data["kind"] == "loss":
        return ExpectedLoss(data["matrix"])
    raise InvalidParameterError(
        f'objective is unknown: received {shown(data)}; allowed are {{"kind": "variance"}}, {{"kind": "trace", '
        '"weights": [...]} and {"kind": "loss", "matrix": [[...]]}'
    )
