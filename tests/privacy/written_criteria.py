"""Two hundred criteria as a person might write them, as texts; support/criteria_oracle.py reads them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

F = Fraction


def odds(factor: str) -> str:
    """The limit at which posterior odds are ``factor`` times prior odds."""
    return f"1/(1 + (1-p)/(p*({factor})))"


def _families() -> list[str]:
    found: list[str] = []
    for a in (F(1, 2), F(1, 3), F(2, 3), F(4, 5), F(9, 10), F(99, 100)):
        found += [f"p^({a})", f"1 - (1-p)^({1 + a})", f"exp(log(p)*({a}))", f"1 - (1-p)*(1-p)^({a})"]
        found += [f"min(1, p^({a}) + 1/20)", f"max(p^({a}), 1/4)"]
    for c in (F(2), F(3), F(5, 2), F(7)):
        found += [
            f"(1 - exp(-({c})*p))/(1 - exp(-({c})))",
            f"log(1 + {c}*p)/log({1 + c})",
            f"min(1, {c}*p + 1/10)",
            f"min(1, {c}*sqrt(p)/2 + p/2)",
            odds(f"{c} + sqrt(p)"),
            odds(f"{c} + log(1+p)"),
            odds(f"{c} - p*log(p)"),
            odds(f"{c} + exp(-p)*(1-p)"),
            odds(f"{c} + (p - 1/3)^2"),
            odds(f"{c} + sqrt((p - 1/3)^2)"),
            odds(f"{c} + p*log(p) + sqrt(1-p)"),
            f"max(p^(3/4), {c}*p/(1 + {c - 1}*p))",
            f"min(1, max(p^(3/4), {c}*p/(1 + {c - 1}*p)))",
            f"min(sqrt(p), {c}*p, 1)",
            f"exp({c})*p/(1 + (exp({c}) - 1)*p)",
            f"sqrt({c})*p/(1 + (sqrt({c}) - 1)*p)",
            f"1 - (1-p)^sqrt({c})",
            f"p^(1/sqrt({c}))",
            f"piecewise(sqrt(p) + (1-p)/9*p, p < {1 / (c + 1)}, 1)",
            f"piecewise(p + p*(1-p)/({c}), p < 1/2, p + (1-p)*p^2)",
            f"p + p*(1-p)*exp(-{c}*p)",
            f"p + p*(1-p)/({c})",
            f"p + p*(1-p)*((1+p)/2)^({c})",
            f"p*(1 - log(p)/({c}))",
            f"1 - (1-p)*(1 - p/({c}))^2",
            f"1 - (1-p)*exp(-p/({c}))",
            f"min(1, p + exp(-({c})))",
            f"min(1, p*exp((1-p)/({c})))",
        ]
    found.append("piecewise(p + 1/10, p < 1/3, sqrt(p))")
    pairs = ["sqrt(p)", "1 - (1-p)^2", "log(1+p)/log(2)", "p*(1 - log(p)/2)", "min(1, p + 1/8)", "p + p*(1-p)/3"]
    for f, g in product(pairs, pairs[:4]):
        if f != g:
            found += [f"max({f}, {g})", f"min({f}, {g})", f"({f} + {g})/2"]
    found += [f"({f})/3 + ({g})*2/3" for f, g in product(pairs[:3], pairs[3:])]
    return found + [f"sqrt(({f})*({g}))" for f, g in product(pairs[:3], pairs[3:])]


WRITTEN = list(dict.fromkeys(_families()))
