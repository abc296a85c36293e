"""Theorem 3: the (epsilon, delta) optimum for pi <= 1/2."""

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


def theory(point: Point) -> frozenset[Design]:
    g, pi = g_at(point), Fraction(point["pi"])
    designs = {corner_at(point)} if g >= pi else set()
    return frozenset(designs | ({diagonal_at(point)} if g <= pi else set()))


def computed(point: Point) -> frozenset[Design]:
    """The least n Var over the vertices of R', found by intersecting its edges, and by the certified solver."""
    return best_designs(point)


def corrected(point: Point) -> frozenset[Design]:
    """With the mirror image (delta, 1) in addition to (1, delta) at pi = 1/2."""
    p00, p11 = corner_at(point)
    tie = point["pi"] == HALF and g_at(point) >= HALF
    return theory(point) | (frozenset({(p11, p00)}) if tie else frozenset())


def mutant(point: Point) -> frozenset[Design]:
    """The corrected statement without the tie at g = pi."""
    if g_at(point) > point["pi"]:
        return corrected(point)
    return frozenset({diagonal_at(point)})


CLAIM = Claim(
    id="holohan2016.theorem-3",
    source=f"{PAPER}, Theorem 3",
    place=(6, 8),
    printed=r"Let $\delta>0$ and $0<\pi\le\frac12$, and define $g:\mathbb R\times\mathbb R\to\mathbb R$ by "
    r"$g(\epsilon,\delta)=\frac{\delta(e^\epsilon+\delta)}{(e^\epsilon+2\delta-1)^2}$. (23) Then, for "
    r"$r_\delta$ and $s_\delta$ given by (22), $\operatorname{arg\,min}_{(p_{00},p_{11})\in\mathcal "
    r"R'}\operatorname{Var}(\hat\Pi(p_{00},p_{11})|\pi)=\begin{cases}\{(r_\delta(t_0),s_\delta(t_0))\}"
    r",&\text{if }g(\epsilon,\delta)>\pi,\\\{(r_\delta(1),s_\delta(1))\},&\text{if "
    r"}g(\epsilon,\delta)<\pi,\\\{(r_\delta(t_0),s_\delta(t_0)),(r_\delta(1),s_\delta(1))\},&\text{if "
    r"}g(\epsilon,\delta)=\pi.\end{cases}$ where $t_0=t_0(\epsilon,\delta)$.",
    precise="For epsilon >= 0, 0 < delta <= 1 and 0 < pi <= 1/2, with m = (gamma + delta)/(gamma + 1): the set of "
    "designs of least n Var in R' is exactly {(1, delta)} if g > pi, {(m, m)} if g < pi, {(1, delta), (m, m)} if "
    "g = pi. At delta = 1 the two are the same design (1, 1).",
    variables={
        "gamma": Domain.odds(also=("7/5",)),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/5", "1/4")),
        "pi": Domain.interval("0 <= pi <= 1/2", 0, HALF, also=("1/100", "1/4")),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("0 < pi <= 1/2", "0 < pi <= 1/2"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="unique",
    correction=Correction(
        r"As printed when $\pi<\frac12$. When $\pi=\frac12$, the mirror image "
        r"$(\delta,1)=(s_\delta(t_0),r_\delta(t_0))$ ties with $(1,\delta)$: the set is $\{(1,\delta),(\delta,1)\}$ "
        r"if $g>\frac12$, the one design $(r_\delta(1),s_\delta(1))$ if $g<\frac12$, and all three if $g=\frac12$.",
        corrected,
    ),
    count=40,
    further=tie_points(),
    working=candidates_working,
    notes="For fixed gamma, g is largest at delta = gamma (gamma - 1)/2, so g >= 1/2 occurs if and only if "
    "gamma^2 <= 2; for example epsilon = log(5/4), delta = 1/4: g = 2/3. All three designs tie at epsilon = log(7/5), "
    "delta = 1/5 or 2/5, pi = 1/2. Not proved for all parameters: that n Var exceeds the least value elsewhere in R'. "
    "In the coordinates (w, w p00, w p11) R' is the cone of (1, 0), (1, delta), (m, m), (delta, 1), (0, 1). Let u and "
    "v be the chances of the answers 1 and 0, D = p00 + p11 - 1, s = gamma + 2 delta - 1. In the weights of the cone "
    "delta u v - pi (1 - pi delta) D^2 (for g >= pi) and s^2 u v - (1 - delta + pi s)(gamma + delta - pi s) D^2 (for "
    "g <= pi) have no negative coefficient.",
)
