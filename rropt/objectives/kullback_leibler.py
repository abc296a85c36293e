"""Kullback-Leibler divergence of the answers of two populations, in nats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.objectives.divergences import Divergence
from rropt.objectives.objective import register_objective

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class KullbackLeibler(Divergence):
    """Maximise ``sum_i a_i ln(a_i/b_i)``: the relative entropy of the output distributions of two populations.

    n times it is the exponent of the error with which n responses distinguish the populations (Stein's lemma). For the
    divergence in the other direction exchange the two populations.

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(KullbackLeibler(["1/4", "3/4"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"])), 12)
    0.127706405941
    """

    kind = "kullback-leibler"
    title = "Kullback-Leibler divergence, nats"
    form = '{"kind": "kullback-leibler", "against": [...]}'
    needs_other = True

    def term(self, a: Any, b: Any) -> Any:
        """Return ``a ln(a/b)``; 0 ln 0 = 0."""
        return a * (a / b).log() if a != 0 else a

    def float_terms(self, a: Array, b: Array) -> Array:
        """Return the same of floats."""
        import numpy as np

        return np.asarray(a * np.log(a / b))
