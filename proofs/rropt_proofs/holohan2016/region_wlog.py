"""p00 + p11 > 1 without loss of generality, the chains (i) and (ii), and the reduced region R'."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Claim, Domain, Point, Truth, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PRIVATE,
    A,
    B,
    in_reduced_region,
    is_private,
    n_variance,
    no_slack,
    yes_slack,
)

REAL = Domain.interval("a real number in [-1/2, 3/2]", "-1/2", "3/2", also=(0, "1/4", "1/2", "3/4", 1))


def _numbers(point: Point) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    a, b, gamma, delta = (Fraction(point[name]) for name in ("p00", "p11", "gamma", "delta"))
    return a, b, gamma, delta


def _second_form(a: Fraction, b: Fraction, gamma: Fraction, delta: Fraction) -> bool:
    return a <= 1 and b <= 1 < a + b and a <= gamma * (1 - b) + delta and b <= gamma * (1 - a) + delta


def theory(point: Point) -> dict[str, Any]:
    """Membership by the second printed form of R', the chains there, and the swap of a design below the line."""
    a, b, gamma, delta = _numbers(point)
    inside = _second_form(a, b, gamma, delta)
    return {
        "in R'": inside,
        "chains (i), (ii)": inside,
        "swapped": _second_form(1 - a, 1 - b, gamma, delta),
        "n Var": _n_variance(1 - a, 1 - b, Fraction(point["pi"])),
    }


def _n_variance(a: Fraction, b: Fraction, pi: Fraction) -> Fraction:
    """Return n Var by (6), also beyond the unit square; 0 where it is undefined."""
    yes = (1 - pi) * (1 - a) + pi * b
    return Fraction(0) if a + b == 1 else yes * (1 - yes) / (a + b - 1) ** 2


def computed(point: Point) -> dict[str, Any]:
    """Membership by the definition of R, that is by (9), above and below the line; the chains as they are printed."""
    a, b, gamma, delta = _numbers(point)
    chains = (
        1 - b < a <= gamma * (1 - b) + delta < gamma * a + delta
        and 1 - a < b <= gamma * (1 - a) + delta < gamma * b + delta
    )
    design = min(a, b) >= 0 and max(a, b) <= 1
    return {
        "in R'": in_reduced_region((a, b), gamma, delta),
        "chains (i), (ii)": max(a, b) <= 1 and chains,
        "swapped": design and a + b < 1 and is_private((a, b), gamma, delta),
        "n Var": _n_variance(a, b, Fraction(point["pi"])),
    }


def mutant(point: Point) -> dict[str, Any]:
    """R' without (11b)."""
    a, b, gamma, delta = _numbers(point)
    return {**theory(point), "in R'": a <= 1 and b <= 1 < a + b and b <= gamma * (1 - a) + delta}


def proof() -> Anchored:
    """On p00 + p11 > 1 the third and the fourth inequality follow; the swap exchanges the inequalities in pairs."""
    a, b = sp.symbols("p00 p11")
    here, swap = {A: a, B: b}, {A: 1 - a, B: 1 - b}
    slacks = [slack.subs(to, simultaneous=True) >= 0 for to in (here, swap) for slack in (yes_slack, no_slack)]
    design = (*slacks, a >= 0, b >= 0, a <= 1, b <= 1, DELTA >= 0, GAMMA + DELTA >= 1)  # private, by (9)
    second = (a <= 1, b <= 1, a + b > 1, *slacks[:2])
    chains = (a + b > 1, *slacks[:2], GAMMA * a + DELTA > GAMMA * (1 - b) + DELTA)
    chains += (b > 1 - a, GAMMA * b + DELTA > GAMMA * (1 - a) + DELTA)
    swapped, variance = (n_variance.subs(to, simultaneous=True) for to in (swap, here))
    return Anchored(
        Truth(of="in R'", theory=second, computed=(*design, a + b > 1), degree=2),
        Truth(of="chains (i), (ii)", theory=second, computed=(a <= 1, b <= 1, *chains), degree=2),
        Truth(of="swapped", theory=(a >= 0, b >= 0, a + b < 1, *slacks[2:]), computed=(*design, a + b < 1), degree=2),
        Value(swapped, variance, of="n Var", where="p00 + p11 != 1"),
        Value(0, 0, of="n Var", where="p00 + p11 == 1"),
    )


CLAIM = Claim(
    id="holohan2016.region-wlog",
    source=f"{PAPER}, the reduction after Definition 2",
    place=(3, 3),
    printed="We can therefore assume $p_{00}+p_{11}>1$ without loss of generality. When $p_{00}+p_{11}>1$, we note "
    r"that (i) $1-p_{11}<p_{00}\le e^\epsilon(1-p_{11})+\delta<e^\epsilon p_{00}+\delta$ and (ii) "
    r"$1-p_{00}<p_{11}\le e^\epsilon(1-p_{00})+\delta<e^\epsilon p_{11}+\delta$. Hence, the region of "
    r"feasibility simplifies to $\mathcal R'$ as follows: $\mathcal R'=\left\{(p_{00},p_{11})\in\mathcal "
    r"R:p_{00}+p_{11}>1\right\}=\left\{(p_{00},p_{11})\in\mathbb "
    r"R:\begin{array}{l}p_{00},p_{11}\le1,\\p_{00}+p_{11}>1,\\p_{00}\le "
    r"e^\epsilon(1-p_{11})+\delta,\\p_{11}\le e^\epsilon(1-p_{00})+\delta.\end{array}\right\}$.",
    precise="For a pair of reals (p00, p11): it satisfies the second form of R' exactly when it is a private mechanism "
    "with p00 + p11 > 1; then both chains hold. A mechanism with p00 + p11 < 1 is private exactly when (1 - p00, "
    "1 - p11) is in R', and both have the same n Var. (The paper writes the pairs as elements of R; R x R is meant.)",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "p00": REAL,
        "p11": REAL,
        "pi": Domain.interval("prevalence", 0, 1, also=("1/3",)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
)
