"""Theorem 2: the optimal epsilon-differentially private binary design."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import PRIVATE

EXCESS, AWAY = "n Var of a design, less that of (m, m)", "the sum of the slacks of (11a) and (11b)"
SLACK, UNIT, MORE = "(11a) and (11b) at (m, m)", "1 - m", "2m - 1: p00 + p11 > 1 at (m, m)"
ZERO = Fraction(0)


def _best(point: Point, more: int = 1) -> Any:
    return point["gamma"] / (point["gamma"] + more)


def _slacks(point: Point) -> Any:
    """Return the sum of the slacks of (11a) and (11b)."""
    gamma, a, b = point["gamma"], point["a"], point["b"]
    return gamma * (1 - a) - b + gamma * (1 - b) - a


def _said(point: Point, m: Any) -> dict[str, Any]:
    """The sum of the slacks bounds n Var from below, and the distance from (m, m) from above; (m, m) is in R'."""
    gamma, a, b = point["gamma"], point["a"], point["b"]
    inside = Bound("at-least", ZERO)
    return {
        EXCESS: Bound("at-least", _slacks(point) / ((gamma - 1) ** 2 * (a + b - 1))),
        AWAY: Bound("at-least", (gamma - 1) * (abs(a - m) + abs(b - m))),
        SLACK: inside,
        UNIT: inside,
        MORE: Bound("greater", ZERO),
    }


def theory(point: Point) -> dict[str, Any]:
    """Every other design of the region is worse than (m, m), m = gamma/(gamma + 1), and (m, m) is in the region."""
    return _said(point, _best(point))


def _n_variance(a: Any, b: Any, pi: Any) -> Any:
    """Return n Var of a design, by equation (6): Pr(X = 1) Pr(X = 0)/(p00 + p11 - 1)^2."""
    yes = (1 - pi) * (1 - a) + pi * b
    return yes * (1 - yes) / (a + b - 1) ** 2


def computed(point: Point) -> dict[str, Any]:
    """Equation (6) at both designs; the slacks of the region at (m, m)."""
    gamma, m, pi = point["gamma"], _best(point), point["pi"]
    return {
        EXCESS: _n_variance(point["a"], point["b"], pi) - _n_variance(m, m, pi),
        AWAY: _slacks(point),
        SLACK: gamma * (1 - m) - m,
        UNIT: 1 - m,
        MORE: 2 * m - 1,
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma / (gamma + 2) in the place of gamma / (gamma + 1)."""
    return _said(point, _best(point, 2))


def proof() -> Anchored:
    """With u = (11a)'s slack and v = (11b)'s, k = gamma - 1 and D = p00 + p11 - 1 the excess is a sum of products."""
    return Anchored(
        Value(of=EXCESS),
        Value(of=AWAY),
        Value(of=SLACK),
        Value(of=UNIT),
        Value(of=MORE),
        argument="k^2 D^2 times the excess is u v + u D (gamma - pi k) + v D (1 + pi k), so the excess is at least "
        "(u + v)/(k^2 D). And u + v is at least k (|p00 - m| + |p11 - m|).",
    )


CLAIM = Claim(
    id="holohan2016.theorem-2",
    source=f"{PAPER}, Theorem 2",
    place=(5, 1),
    printed=r"Let $\pi\in(0,1)$, $p_{00}+p_{11}>1$ and $\epsilon>0$. The $\epsilon$-differentially private RR "
    "mechanism which minimises estimator error is given by the design matrix "
    r"$P_\epsilon=\left(\begin{array}{cc}\frac{e^\epsilon}{e^\epsilon+1}&\frac{1}{e^\epsilon+1}\\\frac{1}"
    r"{e^\epsilon+1}&\frac{e^\epsilon}{e^\epsilon+1}\end{array}\right)$.",
    precise="For gamma = exp(epsilon) > 1, 0 < pi < 1 and m = gamma/(gamma + 1) the design (m, m) satisfies (11) with "
    "delta = 0 and p00 + p11 > 1. For every design (p00, p11) that does, n Var is larger than at (m, m) by at least "
    "s/((gamma - 1)^2 (p00 + p11 - 1)), where s is the sum of the slacks of (11a) and (11b), and s is at least "
    "(gamma - 1)(|p00 - m| + |p11 - m|). So (m, m) is the only minimiser.",
    variables={
        **{name: PRIVATE[name] for name in ("gamma", "pi")},
        "a": Domain.interval("p00 of a design", 0, 1, also=("1/2", "2/3", "9/10")),
        "b": Domain.interval("p11 of a design", 0, 1, also=("1/2", "2/3", "3/4")),
    },
    assumptions=(
        Condition("epsilon > 0", "gamma > 1"),
        Condition("0 < pi < 1", "0 < pi < 1"),
        Condition("the design has p00 + p11 > 1", "a + b > 1"),
        Condition("the design satisfies (11) with delta = 0", "gamma*(1 - a) >= b and gamma*(1 - b) >= a"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
