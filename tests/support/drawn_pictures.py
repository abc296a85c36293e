"""One picture of each kind, or more where its parts differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from table_calls import estimate_table

from rropt import compose, estimate, plots, shuffle
from rropt.accounting import panel
from rropt.mechanisms import Mechanism
from rropt.privacy import rho_to_rho
from rropt_fieldwork.costs import cost_pictures

DIE = Mechanism("forced:2/3,1/6,1/6")
THREE = [Mechanism(text) for text in ("warner:3/4", "forced:2/3,1/6,1/6", "unrelated:1/2,1/4")]
GROUPS = {"q": np.array([0, 1, 1] * 20), "g": np.array(["north", "north", "south"] * 20)}
FIGURES: dict[str, Callable[[], Any]] = {
    "region": lambda: plots.region("log(2)", "1/4", prevalence="1/4", mechanism=DIE),
    "region at 0": lambda: plots.region("0", "1/4", size="wide"),
    "region at 1": lambda: plots.region("1", "1", prevalence="1", mechanism="generalised:1/100,1/4"),
    "variance": lambda: plots.variance("log(2)", "1/4", prevalence="1/4", mechanism=DIE),
    "thin variance": lambda: plots.variance("1/9", "0", prevalence="1/5", mechanism="warner:52/100"),
    "g": lambda: plots.g(["1/4", "1/100", "123457/1000000"], marks=[("log(2)", "1/4"), ("1", "2/5")]),
    "efficiency": lambda: plots.efficiency(prevalence="1/10", delta="1/10", epsilon_range=("0", "3"), size="screen"),
    "comparison": lambda: cost_pictures.comparison(prevalence="1/10"),
    "order": lambda: plots.order([*THREE, Mechanism("warner:2/3")]),
    "breaches": lambda: plots.breaches([rho_to_rho("1/10", "1/2")], mechanisms=["warner:3/4", DIE]),
    "curve": lambda: plots.draw(compose("1/2*20", delta="1/1000", points=5)),
    "exact curve": lambda: plots.draw(compose("log(3)*3", epsilon="1", points=5)),
    "shuffled": lambda: plots.draw(shuffle("2", 60, delta="1/10000", points=3)),
    "reports": lambda: plots.draw(panel("rappor:1/2,1/2,3/4", 12)),
    "margin": lambda: plots.precision(THREE, prevalence="1/10", goal="0.05"),
    "power": lambda: plots.precision(THREE, "power", prevalence="1/10", n_range=(20, 900)),
    "respondents": lambda: plots.respondents(margin="0.05", prevalence="1/10", unrelated=["1/4"]),
    "noncompliance": lambda: plots.noncompliance(("warner:3/4", [300, 700]), conclusion="at least 1/2"),
    "heat": lambda: plots.heat_map(Mechanism("grr:4,1/2").labelled(["never", "once", "few", "often"])),
    "wide heat": lambda: plots.heat_map(Mechanism("grr:12,1/2")),
    "estimates": lambda: plots.estimated(estimate([10, 20, 1, 60], "grr:4,1/2")),
    "estimate": lambda: plots.estimated(estimate([18, 2], "warner:3/4")),
    "groups": lambda: plots.draw(estimate_table(GROUPS, "q", "warner:3/4", by="g")),
}
