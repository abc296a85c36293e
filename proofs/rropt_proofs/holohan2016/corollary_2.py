"""Corollary 2: the (epsilon, delta) optimum for pi >= 1/2."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Correction, Domain, Point
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import Design
from rropt_proofs.holohan2016._segments import (
    best_designs,
    candidates_working,
    corner_at,
    diagonal_at,
    g_at,
    tie_points,
)

HALF = Fraction(1, 2)


def _mirrored(design: Design) -> Design:
    return design[1], design[0]


def theory(point: Point) -> frozenset[Design]:
    g, other = g_at(point), 1 - Fraction(point["pi"])
    designs = {_mirrored(corner_at(point))} if g >= other else set()
    return frozenset(designs | ({_mirrored(diagonal_at(point))} if g <= other else set()))


def computed(point: Point) -> frozenset[Design]:
    """The least n Var over the vertices of R', found by intersecting its edges, and by the certified solver."""
    return best_designs(point)


def corrected(point: Point) -> frozenset[Design]:
    """With the mirror image (1, delta) in addition to (delta, 1) at pi = 1/2."""
    tie = point["pi"] == HALF and g_at(point) >= HALF
    return theory(point) | (frozenset({corner_at(point)}) if tie else frozenset())


def mutant(point: Point) -> frozenset[Design]:
    """The corners exchanged: the corrected set of Theorem 3."""
    return frozenset(_mirrored(design) for design in corrected(point))


CLAIM = Claim(
    id="holohan2016.corollary-2",
    source=f"{PAPER}, Corollary 2",
    place=(6, 10),
    printed=r"Let $\delta>0$ and $\frac12\le\pi<1$. Then, for $r_\delta$ and $s_\delta$ given by (22) and $g$ given by "
    r"(23), $\operatorname{arg\,min}_{(p_{00},p_{11})\in\mathcal "
    r"R'}\operatorname{Var}(\hat\Pi(p_{00},p_{11})|\pi)=\begin{cases}\{(s_\delta(t_0),r_\delta(t_0))\}"
    r",&\text{if }g(\epsilon,\delta)>1-\pi,\\\{(s_\delta(1),r_\delta(1))\},&\text{if "
    r"}g(\epsilon,\delta)<1-\pi,\\\{(s_\delta(t_0),r_\delta(t_0)),(s_\delta(1),r_\delta(1))\},&\text{if "
    r"}g(\epsilon,\delta)=1-\pi,\end{cases}$ where $t_0=t_0(\epsilon,\delta)$.",
    precise="For epsilon >= 0, 0 < delta <= 1 and 1/2 <= pi < 1, with m = (gamma + delta)/(gamma + 1): the set of "
    "designs of least n Var in R' is exactly {(delta, 1)} if g > 1 - pi, {(m, m)} if g < 1 - pi, {(delta, 1), (m, m)} "
    "if g = 1 - pi. At delta = 1 the two are the same design (1, 1).",
    variables={
        "gamma": Domain.odds(also=("7/5",)),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/5", "1/4")),
        "pi": Domain.interval("1/2 <= pi <= 1", HALF, 1, also=("3/4", "99/100")),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("1/2 <= pi < 1", "1/2 <= pi < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="unique",
    correction=Correction(
        r"As printed when $\pi>\frac12$. When $\pi=\frac12$, $(1,\delta)$ ties "
        r"with $(\delta,1)$: the set is $\{(1,\delta),(\delta,1)\}$ if $g>\frac12$, the one design "
        r"$(s_\delta(1),r_\delta(1))$ if $g<\frac12$, and all three if $g=\frac12$.",
        corrected,
    ),
    count=40,
    further=tie_points(),
    working=candidates_working,
    notes="At pi = 1/2 Theorem 3 and Corollary 2 both apply; where g >= 1/2 they name different sets, and neither is "
    "the whole. Not proved for all parameters: that no other design of R' is as good. The argument is that of "
    "`theorem-3` with p00 and p11 exchanged and 1 - pi in the place of pi, which changes n Var and R' not.",
)
