"""The range that Holohan, Leith and Mason (2016) state: probabilities, prevalences and the segments of (22)."""

from __future__ import annotations

from rropt.claims import Stated

RANGES = (
    Stated(
        "$p_{00},p_{11}\\in[0,1]$",
        "0 <= p00 <= 1 and 0 <= p11 <= 1",
        r"where $p_{00},p_{11}\in[0,1]$.",
        ("p00", "p11"),
    ),
    Stated(
        "$0\\le\\pi\\le1$",
        "0 <= pi <= 1",
        r"Note that the results on optimal mechanisms still hold for $\pi\in[0,1]$,",
        ("pi",),
    ),
    Stated("$t\\in[0,1]$", "0 <= t <= 1", r"for $t\in[0,1]$, then the boundary where (11a) holds", ("t",)),
)
