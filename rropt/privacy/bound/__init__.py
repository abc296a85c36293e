"""B(h): the exact largest parity of mechanisms that satisfy a privacy criterion."""

from __future__ import annotations

from rropt.privacy.bound.breaches import Breach, Judgement, judge
from rropt.privacy.bound.infima import Place
from rropt.privacy.bound.largest_parity import ParityBound, parity_bound

__all__ = ["Breach", "Judgement", "ParityBound", "Place", "judge", "parity_bound"]
