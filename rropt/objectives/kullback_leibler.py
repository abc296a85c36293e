"""Kullback-Leibler divergence between the output distributions of two distributions of the categories, in nats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.core.lazy import numpy as np
from rropt.objectives.divergences import NEARLY_EQUAL, Divergence, series
from rropt.objectives.objective import register_objective

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


_SERIES = [(-1) ** n / (n * (n - 1)) for n in range(2, 10)]  # of (1 + h) ln(1 + h) - h, from h^2 on


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class KullbackLeibler(Divergence):
    """Maximize ``sum_i a_i ln(a_i/b_i)``, the relative entropy of two output distributions.

    n times this value is the error exponent of a test that distinguishes the two distributions from n responses
    (Stein's lemma). For the divergence in the other direction, exchange the two distributions.

    Attributes:
        against: the other distribution of the categories, shape (k,).

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(KullbackLeibler(["1/4", "3/4"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"])), 12)
    0.127706405941
    """

    kind = "kullback-leibler"
    title = "Kullback-Leibler divergence, nats"
    form = '{"kind": "kullback-leibler", "against": [...]}'
    needs_other = True
    slope = 1

    def term(self, a: Any, b: Any) -> Any:
        """Return ``a ln(a/b)``; 0 ln 0 = 0."""
        return a * (a / b).log() if a != 0 else a

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``a ln(a/b) - a + b`` in floats."""
        step = apart / b
        far = np.where(a > 0, a * np.log(a / b), 0.0) - apart
        return np.asarray(np.where(abs(step) < NEARLY_EQUAL, b * series(_SERIES, step), far))
