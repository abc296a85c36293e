"""The range that Ziani's lectures state: flips with a probability of at most 1/2, private bits."""

from __future__ import annotations

from rropt.claims import Stated

RANGES = (
    Stated("$p\\in[0,1/2]$", "0 <= p <= 1/2", r"given a probability $p\in[0,1/2]$, we let", ("p",)),
    Stated("$b\\in\\{0,1\\}$", "b*(1 - b) == 0", r"Let $b\in\{0,1\}$ my private bit.", ("b",)),
)
