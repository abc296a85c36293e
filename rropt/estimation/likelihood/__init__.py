"""Maximum likelihood on the simplex, with an exact statement of how near the maximum it is."""

from __future__ import annotations

from rropt.estimation.likelihood.gap import likelihood_gap
from rropt.estimation.likelihood.maximum import most_likely_population

__all__ = ["likelihood_gap", "most_likely_population"]
