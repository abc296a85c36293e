"""Calls with misspelt keywords, which mypy refuses: `make lint` fails if it does not, as the comment is then needless.

Nobody calls the function; the calls are read only.
"""

from __future__ import annotations

import rropt
import rropt_fieldwork
from rropt.noncompliance.reported_bounds import noncompliance_bounds
from rropt_fieldwork import regress_table


def misspelt(problem: rropt.Problem) -> None:
    """Call public functions with a keyword that they do not have."""
    rropt.plan.margin("warner:3/4", margn="1/10")  # type: ignore[call-arg]
    rropt.plan.margin("warner:3/4", "1/10", intervall="exact")  # type: ignore[call-arg]
    regress_table("a.csv", "q ~ x", "warner:3/4", modl="logit")  # type: ignore[call-arg]
    rropt_fieldwork.estimate_table("a.csv", "q", "warner:3/4", wieghts="w")  # type: ignore[call-arg]
    rropt.estimate([1, 2], "warner:3/4", popultion=9)  # type: ignore[call-arg]
    rropt.design.binary("1/2", epsilon="1", symetric=True)  # type: ignore[call-overload]
    rropt.design.kary(3, epsilon="1", objective="trace", objectiv="trace")  # type: ignore[call-arg]
    rropt.audit_privacy("warner:3/4", smples=3)  # type: ignore[call-arg]
    rropt.solve(problem, rotes="auto")  # type: ignore[call-arg]
    rropt.compare("warner:3/4", "warner:2/3", fst=True)  # type: ignore[call-arg]
    rropt.randomize(0, "warner:3/4", sed=3)  # type: ignore[call-arg]
    rropt.shuffle("warner:3/4", 100, dleta="1e-6")  # type: ignore[call-arg]
    noncompliance_bounds(("warner:3/4", [1, 1]), thta="1/10")  # type: ignore[call-arg]
    rropt_fieldwork.read("a.csv").sampled(wieghts="w")  # type: ignore[call-arg]
    rropt_fieldwork.read("a.csv", wher="x = 1")  # type: ignore[call-arg]
    rropt_fieldwork.audit_counts([[1, 2]], epslon=1)  # type: ignore[call-arg]
    rropt_fieldwork.count("a.csv", "q", "warner:3/4", blanc="no")  # type: ignore[call-arg]
