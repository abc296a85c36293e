"""The least worst-case width of bounds that allow for respondents who answer anything."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER


def theory(point: Point) -> dict[str, Any]:
    gamma, delta, spread, theta = (Fraction(point[name]) for name in ("gamma", "delta", "spread", "theta"))
    least = (spread + theta) * (gamma + 1) / (gamma - 1 + 2 * delta) + theta
    return {"width": Bound("at-least", least), "attained": least}


def computed(point: Point) -> dict[str, Any]:
    """The widths of a private design and of the symmetric one."""
    gamma, delta, spread, theta = (Fraction(point[name]) for name in ("gamma", "delta", "spread", "theta"))

    def width(p00: Fraction, p11: Fraction) -> Fraction:
        slope = p00 + p11 - 1
        return spread / slope + theta * (1 + 1 / slope)

    p = (gamma + delta) / (gamma + 1)
    return {"width": width(Fraction(point["p00"]), Fraction(point["p11"])), "attained": width(p, p)}


def mutant(point: Point) -> dict[str, Any]:
    """Without the respondents' answers."""
    said = theory(point)
    return {**said, "attained": said["attained"] - point["theta"] - point["spread"]}


def proof() -> Anchored:
    """(1 + gamma)(p00 + p11) <= 2 (gamma + delta), the sum of both inequalities."""
    least = "(spread + theta)*(gamma + 1)/(gamma - 1 + 2*delta) + theta"
    d, best = "(p00 + p11 - 1)", "(2*(gamma + delta)/(gamma + 1) - 1)"
    return Anchored(
        Value(of="width", theory=least, computed=f"spread/{d} + theta*(1 + 1/{d})"),
        Value(of="attained", theory=least, computed=f"spread/{best} + theta*(1 + 1/{best})"),
        steps=["gamma - 1 + 2*delta > 0", "gamma - 1 + 2*delta >= (gamma + 1)*(p00 + p11 - 1)"],
    )


CLAIM = Claim(
    id="rropt.no-width-lost",
    source=f"{PAPER}, respondents who do not follow the device",
    place=(2, 2),
    printed=r"Of all binary designs with $(\varepsilon,\delta)$-privacy and $p_{00}+p_{11}>1$, the interval of width "
    r"$L/d+\theta(1+1/d)$, $d=p_{00}+p_{11}-1$, is least for "
    r"$p_{00}=p_{11}=\frac{e^\varepsilon+\delta}{e^\varepsilon+1}$, whatever $L$ "
    r"and $\theta$. At $\delta=0$ this is the design of least variance: nothing is lost.",
    precise="For epsilon >= 0, 0 <= delta <= 1, not both 0, every L, theta >= 0 and every p00, p11 in [0, 1] with "
    "p11 <= e^epsilon (1 - p00) + delta, its mirror image, and p00 + p11 > 1. That the symmetric design has the least "
    "variance at delta = 0 is `holohan2016.theorem-2`.",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "spread": Domain.interval("width of the interval of the yes-share", 0, 1, also=("1/20",)),
        "theta": Domain.interval("share of others", 0, 1, also=("1/20",)),
        "p00": Domain.interval("0 <= p00 <= 1", 0, 1, also=("1/2", "3/4")),
        "p11": Domain.interval("0 <= p11 <= 1", 0, 1, also=("1/2", "3/4")),
    },
    assumptions=(
        Condition("a yes is more likely with the trait", "p00 + p11 > 1"),
        Condition("(epsilon, delta)-privacy of yes", "p11 <= gamma*(1 - p00) + delta"),
        Condition("(epsilon, delta)-privacy of no", "p00 <= gamma*(1 - p11) + delta"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
