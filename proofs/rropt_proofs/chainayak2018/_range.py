"""The range that Chai and Nayak (2018) state: levels, and the two criteria."""

from __future__ import annotations

from rropt.claims import Stated

RANGES = (
    Stated(
        "$\\gamma>1$",
        "gamma > 1",
        r"where $\gamma>1$ is determined by the privacy requirement.",
        ("gamma",),
    ),
    Stated("$\\beta>1$", "beta > 1", r"For a given $\beta>1$, an RR procedure admits a", ("beta",)),
    Stated(
        "$0<\\rho_1<\\rho_2<1$",
        "0 < rho1 and rho1 < rho2 and rho2 < 1",
        r"Let $0<\rho_1<\rho_2<1$ be two numbers.",
        ("rho1", "rho2"),
    ),
    Stated("$0<\\delta<1$", "0 < delta < 1", r"$\vec a_1=\delta(\vec a_1+\vec a_2)$, $0<\delta<1$.", ("delta",)),
)
