"""Jensen-Shannon divergence between the output distributions of two distributions of the categories, in nats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.core.lazy import numpy as np
from rropt.objectives.divergences import NEARLY_EQUAL, Divergence, series
from rropt.objectives.objective import register_objective

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


_SERIES = [(n + 1) % 2 / (n * (n - 1)) for n in range(2, 10)]  # of ((1+z) ln(1+z) + (1-z) ln(1-z))/2, from z^2 on


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class JensenShannon(Divergence):
    """Maximize ``(D(a | m) + D(b | m))/2`` with m = (a + b)/2.

    This is the mutual information of the output and of the choice between the two distributions. It is at most ln 2.

    Attributes:
        against: the other distribution of the categories, shape (k,).

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

    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term`` in floats."""
        part = apart / (a + b)  # its rounding error is large relative to 1 - abs(part) if that is small
        logs = [np.where(abs(part) < 0.5, np.log1p(s * part), np.log(2 * (x / (a + b)))) for x, s in ((a, 1), (b, -1))]
        far = [np.where(x > 0, x * log / 2, 0.0) for x, log in zip((a, b), logs, strict=True)]
        near = (a + b) / 2 * series(_SERIES, part)
        return np.asarray(np.where(abs(part) < NEARLY_EQUAL, near, far[0] + far[1]))
