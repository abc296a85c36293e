"""The largest weighted trace of an epsilon-private mechanism: only the categories of largest weight are answers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._traces import best, case, computed_trace, draw, is_private, said

MORE = "gain of one more category"


def _sizes(point: Point) -> tuple[Fraction, int, Fraction, Fraction]:
    """gamma, m, the sum of the m largest weights, and the next one."""
    weights, gamma = point["case"]["w"], point["case"]["odds"]
    _, m, total = best(weights, gamma)
    return gamma, m, total, weights[m] if m < len(weights) else Fraction(0)


def theory(point: Point) -> dict[str, Any]:
    """V, and the sign of w_(m+1) (gamma + m - 1) - W_m."""
    gamma, m, total, after = _sizes(point)
    gain = gamma * (after * (gamma + m - 1) - total) / ((gamma + m - 1) * (gamma + m))
    return {**said(point, Fraction(0)), MORE: gain}


def computed(point: Point) -> dict[str, Any]:
    """Of the mechanism of the point, and of the best one, entry by entry; the bound with m + 1 less that with m."""
    gamma, m, total, after = _sizes(point)
    more = gamma * (total + after) / (gamma + m) - gamma * total / (gamma + m - 1)
    return {**computed_trace(point, Fraction(0)), MORE: more}


def mutant(point: Point) -> dict[str, Any]:
    """A hundredth less."""
    less = best(point["case"]["w"], point["case"]["odds"])[0] * Fraction(99, 100)
    return {**theory(point), "trace": Bound("at-most", less)}


CLAIM = Claim(
    id="rropt.weighted-trace",
    source=f"{PAPER}, the largest weighted trace",
    place=(6, 1),
    printed=r"For weights $w_1\ge\dots\ge w_k\ge0$ with $W_m=w_1+\dots+w_m$, the largest $\sum_iw_ip_{ii}$ over all "
    r"$\varepsilon$-private mechanisms of $k$ inputs and answers is $V=\max_m\frac{\gamma W_m}{\gamma+m-1}$, "
    r"$\gamma=e^\varepsilon$: $m$ categories are answers, with one more where $\gamma\ge\frac{W_m}{w_{m+1}}-m+1$.",
    precise="For gamma > 1, any k >= 2 and every k x k mechanism whose entries of a row have ratios of at most "
    "gamma; only p_ii <= gamma p_il is used. alpha_i = max(0, (gamma w_i - V)/(gamma - 1)) is positive for the m "
    "largest weights at most, as gamma w_m >= V >= gamma w_(m+1), and sums to V; w_i - alpha_i is a sum of parts "
    "alpha_l (w_i - alpha_i)/(V - alpha_i) over the other l, each at most alpha_l/gamma. Attained: the truth, if it "
    "is one of the m, with chance gamma/(gamma + m - 1) and the others of them with 1/(gamma + m - 1); any other "
    "truth by one of the m at random.",
    variables={
        "case": Domain(
            "weights in descending order, a mechanism, and gamma",
            (
                case("1 1", "3/4 1/4;1/4 3/4", "2"),
                case("2 1 1", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "2"),
                case("5 1 0", "1 1 1;0 0 0;0 0 0", "3/2"),
                case("2 1", "1/2 1/2;1/2 1/2", "2"),
            ),
            draw,
            entries={("w",): "x >= 0", ("P",): "0 <= x <= 1"},
            whole_groups=lambda found: [[("P", i, j) for i in range(len(found["w"]))] for j in range(len(found["w"]))],
        ),
    },
    assumptions=(Condition("epsilon-privacy", lambda point: is_private(point, Fraction(0))),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="Equal weights: `chainayak2018.theorem-4.4a`, and k-ary randomized response of Kairouz, Oh and Viswanath, "
    "Extremal mechanisms for local differential privacy (JMLR 17, 2016). The weighted form was not found in the "
    "literature.",
)
