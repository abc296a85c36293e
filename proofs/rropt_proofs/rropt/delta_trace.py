"""The largest weighted trace under (epsilon, delta)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._traces import case, computed_trace, draw, is_private, said


def _delta(point: Point) -> Fraction:
    return Fraction(point["delta"])


def theory(point: Point) -> dict[str, Any]:
    """delta sum w + (1 - delta) V, V that at delta = 0."""
    return said(point, _delta(point))


def computed(point: Point) -> dict[str, Any]:
    """Of the mechanism of the point, and of the best one for delta = 0 with the truth revealed with probability
    delta."""
    return computed_trace(point, _delta(point))


def mutant(point: Point) -> dict[str, Any]:
    """delta V in the place of delta sum w."""
    least = said(point, Fraction(0))["attained"]
    return {"trace": Bound("at-most", least), "attained": least}


CLAIM = Claim(
    id="rropt.delta-trace",
    source=f"{PAPER}, the largest weighted trace",
    place=(6, 2),
    printed=r"The largest $\sum_iw_ip_{ii}$ over all mechanisms of $k$ inputs and answers that keep "
    r"$(\varepsilon,\delta)$ is $\delta\sum_iw_i+(1-\delta)V$ for all weights $w\ge0$, with $V$ the largest at "
    r"$\delta=0$: the truth is revealed with chance $\delta$.",
    precise="For gamma > 1, 0 <= delta <= 1, any k >= 2, weights w_1 >= ... >= w_k >= 0 and every mechanism P in "
    "which each column exceeds gamma times each other one by at most delta in all; only p_ii <= gamma p_il + delta "
    "is used. V and the multipliers alpha are those of `rropt.weighted-trace`. delta I + (1 - delta) P0 keeps "
    "(epsilon, delta) where P0 keeps epsilon, because the excess is convex: at most 1 for I, none for P0.",
    variables={
        "case": Domain(
            "weights in descending order, a mechanism, and gamma",
            (
                case("1 1", "3/4 1/4;1/4 3/4", "2"),
                case("2 1 1", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "2"),
                case("5 1 0", "1 1 1;0 0 0;0 0 0", "3/2"),
                case("1 1", "1 0;0 1", "2"),
            ),
            draw,
            entries={("w",): "x >= 0", ("P",): "0 <= x <= 1"},
            whole_groups=lambda found: [[("P", i, j) for i in range(len(found["w"]))] for j in range(len(found["w"]))],
        ),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4", "1/2")),
    },
    assumptions=(Condition("(epsilon, delta)-privacy", lambda point: is_private(point, _delta(point))),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="(epsilon, delta) and two inputs: Kairouz, Oh and Viswanath, The composition theorem for differential "
    "privacy (IEEE Trans. Inf. Theory 63, 2017). For utilities that are no trace a mixture of this kind need not be "
    "best.",
)
