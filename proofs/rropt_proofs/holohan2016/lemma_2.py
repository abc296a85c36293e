"""Lemma 2: minimisers lie where (11a) or (11b) is tight; both partial derivatives of the variance."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PI,
    PRIVATE,
    A,
    B,
    determinant,
    n_variance,
    on_tight_boundary,
    optima,
    some_slack,
)
from rropt_proofs.holohan2016.eq_3 import numbers

FORM = 2 * A * B - A - B + 1  # of Lemma 1
PRINTED = {
    "by p11": -(2 * A * (1 - A) * (1 - PI) + PI * FORM) / determinant**3,
    "by p00": -(FORM * (1 - PI) + 2 * B * PI * (1 - B)) / determinant**3,
}


def _statement(point: Point, factor: Fraction) -> dict[str, object]:
    a, b, pi = numbers(point)
    form, cube = 2 * a * b - a - b + 1, (a + b - 1) ** 3
    return {
        "a minimiser is on R''": True,
        "all are, for 0 < pi < 1": True,
        "by p11": -(factor * a * (1 - a) * (1 - pi) + pi * form) / cube,
        "by p00": -(form * (1 - pi) + factor * b * pi * (1 - b)) / cube,
        "(15)": Bound("less", 0) if pi > 0 or a < 1 else Fraction(0),
        "(16)": Bound("less", 0) if pi < 1 or b < 1 else Fraction(0),
    }


def theory(point: Point) -> dict[str, object]:
    return _statement(point, Fraction(2))


def computed(point: Point) -> dict[str, object]:
    """The optima by enumeration; the derivatives of n Var by the quotient rule, and their signs."""
    a, b, pi = numbers(point)
    gap, positive = a + b - 1, (1 - pi) * (1 - a) + pi * b

    def derivative(slope: Fraction) -> Fraction:
        product = positive * (1 - positive)
        return (slope * (1 - 2 * positive) * gap**2 - product * 2 * gap) / gap**4

    best = optima(point) if point["gamma"] - 1 + point["delta"] > 0 else frozenset()  # R' is empty
    tight = [on_tight_boundary(design, point["gamma"], point["delta"]) for design in best]
    by_p11, by_p00 = derivative(pi), derivative(pi - 1)
    return {
        "a minimiser is on R''": any(tight),
        "all are, for 0 < pi < 1": not 0 < pi < 1 or all(tight),
        "by p11": by_p11,
        "by p00": by_p00,
        "(15)": by_p11,
        "(16)": by_p00,
    }


def mutant(point: Point) -> dict[str, object]:
    """199/100 in the place of 2 in both derivatives."""
    return _statement(point, Fraction(199, 100))


def proof() -> Anchored:
    a, b = sp.symbols("p00 p11")
    here = {A: a, B: b}
    slopes = {name: sp.diff(n_variance, by).subs(here) for name, by in (("by p11", B), ("by p00", A))}
    signs = []
    for name, slope, share, last in (("(15)", slopes["by p11"], PI, a), ("(16)", slopes["by p00"], 1 - PI, b)):
        signs += [
            Value(of=name, theory=0, computed=slope, where=share > 0),
            Value(of=name, theory=0, computed=slope, where=(sp.Eq(share, 0), last < 1)),
            Value(of=name, theory=0, computed=slope, where=(sp.Eq(share, 0), sp.Eq(last, 1))),
        ]
    form = 2 * a * b - a - b + 1
    return Anchored(
        *(Value(of=name, theory=PRINTED[name].subs(here), computed=slope) for name, slope in slopes.items()),
        *signs,
        steps=["p00 > 0", "p11 > 0", form > 0],
        unanchored=(
            "a minimiser over R'' exists: it is a minimum of a continuous function on a compact set (for delta > 0, "
            "p00 + p11 - 1 >= delta/gamma on R''; for delta = 0, t = 1 is best on both pieces), which is no relation",
            "a function with negative derivative falls: raising p00, then p11, until (11a) or (11b) is tight, leads "
            "to a design of R'' that is not worse, and for 0 < pi < 1 is better: a path is no relation",
        ),
        argument="With f = 2 p00 p11 - p00 - p11 + 1 > 0 on p00 + p11 > 1 both derivatives are <= 0. Let a design of "
        "R' have both inequalities (11) slack. If p00 < 1 it can be raised a little; if p00 = 1, then (11a) slack "
        "means p11 < delta <= 1, and p11 can be raised. So for 0 < pi < 1 it is no minimiser.",
    )


def working(point: Point) -> str:
    """Why no design is left."""
    gamma, delta = value_text(point["gamma"]), value_text(point["delta"])
    return (
        f"epsilon = ln({gamma}) and delta = {delta}: (11a) and (11b) say p11 <= ({gamma})(1 - p00) + {delta} and "
        f"p00 <= ({gamma})(1 - p11) + {delta}\nboth say p00 + p11 <= 1, and R' asks for p00 + p11 > 1: R' is "
        "empty, and so is the set of minimisers"
    )


CLAIM = Claim(
    id="holohan2016.lemma-2",
    source=f"{PAPER}, Lemma 2 with (15) and (16)",
    place=(4, 2),
    printed=r"Let $p_{00}+p_{11}>1$. Then there exists $(p_{00}^*,p_{11}^*)\in\operatorname{arg\,min}_{\mathcal "
    r"R'}\operatorname{Var}(\hat\Pi|\pi)$ such that $(p_{00}^*,p_{11}^*)\in\mathcal R''$. Furthermore, when "
    r"$0<\pi<1$, $\operatorname{arg\,min}_{\mathcal R'}\operatorname{Var}(\hat\Pi|\pi)\subseteq\mathcal R''$. "
    r"[...] $\frac{\partial\operatorname{Var}(\hat\Pi|\pi)}{\partial "
    r"p_{11}}=-\frac{2p_{00}(1-p_{00})(1-\pi)+\pi(2p_{00}p_{11}-p_{00}-p_{11}+1)}{(p_{00}+p_{11}-1)^3n}$. "
    r"[...] Hence $\frac{\partial\operatorname{Var}(\hat\Pi|\pi)}{\partial p_{11}}=0$ only when $\pi=0$ and "
    r"$p_{00}=1$. Equivalently, $\frac{\partial\operatorname{Var}(\hat\Pi|\pi)}{\partial p_{11}}<0\text{ when "
    r"}\pi>0\text{ or }p_{00}<1$. (15) [...] $\frac{\partial\operatorname{Var}(\hat\Pi|\pi)}{\partial "
    r"p_{00}}=-\frac{(2p_{00}p_{11}-p_{00}-p_{11}+1)(1-\pi)+2p_{11}\pi(1-p_{11})}{(p_{00}+p_{11}-1)^3n}$. "
    r"[...] $\frac{\partial\operatorname{Var}(\hat\Pi|\pi)}{\partial p_{00}}=0$ only when $\pi=1$ and "
    r"$p_{11}=1$. Equivalently, $\frac{\partial\operatorname{Var}(\hat\Pi|\pi)}{\partial p_{00}}<0\text{ when "
    r"}\pi<1\text{ or }p_{11}<1$. (16)",
    precise="At every level some minimiser of n Var over R' makes (11a) or (11b) tight, and "
    "for 0 < pi < 1 each does. At every design with p00 + p11 > 1 the derivatives of n Var have the printed values "
    "and signs.",
    variables={
        **PRIVATE,
        "p00": Domain.interval("0 <= p00 <= 1", 0, 1, also=("1/2", "3/4")),
        "p11": Domain.interval("0 <= p11 <= 1", 0, 1, also=("1/2", "3/4")),
    },
    assumptions=(Condition("p00 + p11 > 1", "p00 + p11 > 1"),),
    missing=(some_slack,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    working=working,
    notes="At epsilon = delta = 0 the region R' is empty, so that no minimiser exists. The paper treats "
    "that level in a remark of its own, after Theorem 2. At delta = 1 the set R'' is the one point (1, "
    "1), where both inequalities are tight. At pi = 0 every design with p00 = 1 has variance 0, so there "
    "are minimisers outside R'' when delta > 0.",
)
