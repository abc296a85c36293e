"""Squared Hellinger distance between the output distributions of two distributions of the categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.core.lazy import numpy as np
from rropt.objectives.divergences import Divergence
from rropt.objectives.objective import register_objective

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class Hellinger(Divergence):
    """Maximize ``sum_i (sqrt(a_i) - sqrt(b_i))^2 / 2 = 1 - sum_i sqrt(a_i b_i)``: 1 minus Bhattacharyya's coefficient.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(Hellinger(["1", "0"]).value(Mechanism.binary("4/5", "4/5"), ["0", "1"])), 12)
    0.2
    """

    kind = "hellinger"
    title = "squared Hellinger distance"
    form = '{"kind": "hellinger", "against": [...]}'

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a + b)/2 - sqrt(a b)``."""
        return (a + b) / 2 - (a * b).sqrt()

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats, in the form ``(sqrt(a) - sqrt(b))^2 / 2``."""
        return np.asarray(apart**2 / (np.sqrt(a) + np.sqrt(b)) ** 2 / 2)
