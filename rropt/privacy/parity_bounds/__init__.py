"""B(h): how large the parity of a mechanism may be under a privacy criterion, exactly."""

from __future__ import annotations

from rropt.privacy.parity_bounds.breaches import Breach, Judgement, judge
from rropt.privacy.parity_bounds.infima import Place
from rropt.privacy.parity_bounds.parity_bound import ParityBound, parity_bound

__all__ = ["Breach", "Judgement", "ParityBound", "Place", "judge", "parity_bound"]
