"""Jensen-Shannon divergence between the output distributions of two distributions of the categories, in nats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.objectives.divergences import Divergence
from rropt.objectives.objective import register_objective

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class JensenShannon(Divergence):
    """Maximize ``(D(a | m) + D(b | m))/2`` with m = (a + b)/2.

    This is the mutual information of the output and of the choice between the two distributions. It is at most ln 2.

    >>> from rropt.mechanisms import Mechanism
    >>> round(float(JensenShannon(["1", "0"]).value(Mechanism.binary("1", "1"), ["0", "1"])), 12)  # ln 2
    0.69314718056
    """

    kind = "jensen-shannon"
    title = "Jensen-Shannon divergence, nats"
    form = '{"kind": "jensen-shannon", "against": [...]}'

    def term(self, a: Any, b: Any) -> Any:
        """Return ``(a ln(2a/(a + b)) + b ln(2b/(a + b)))/2``; 0 ln 0 = 0."""
        total = a * 0
        for x in (a, b):
            if x != 0:
                total += x * (2 * x / (a + b)).log() / 2
        return total

    def float_terms(self, a: Array, b: Array) -> Array:
        """Return ``term`` in floats."""
        import numpy as np

        terms = [np.where(x > 0, x * np.log1p((x - y) / (a + b)) / 2, 0.0) for x, y in ((a, b), (b, a))]
        return np.asarray(terms[0] + terms[1])
