"""The range that Vinterbo (2018) states: losses, and the classes of Proposition 4.7."""

from __future__ import annotations

from rropt.claims import Stated

RANGES = (
    Stated("$0\\le s<1$", "0 <= s < 1", r"wrt. $0\le s<1$", ("s",)),
    Stated("$c\\ge1$", "c >= 1", r"Since $c\ge1$,", ("c",)),
)
