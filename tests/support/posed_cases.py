"""Results with twins, one of each kind, for the tests of the twins: design problems by name, and other results."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import rropt
from rropt.designs import binary_problem, kary_problem, solve
from rropt.designs.bits import design_bits
from rropt.designs.mean_designs import design_mean
from rropt.designs.orders import partial_order
from rropt.designs.orders.admissibility import admissible
from rropt.designs.pram import design_pram
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.objectives.possible_populations import Populations
from rropt.plans.group_plans import plan_strata
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.bound import judge
from rropt.privacy.criteria import canonical_information_privacy, information_privacy, rho_to_rho

F = Fraction
P3, AGAINST = ["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]
MATRIX = [["0.8", "0.1", "0.1"], ["0.1", "0.8", "0.1"], ["0.1", "0.1", "0.8"]]
SHARES = {n: ["1/4"] + [str(F(3, 4 * (n - 1)))] * (n - 1) for n in (6, 9, 10)}
PAYOFFS = [[1, 0, 0], [0, 2, 0], ["1/2", "1/2", "1/2"]]


def _kary(epsilon: str = "log(3)", **asked: Any) -> Any:
    return kary_problem(epsilon, **asked)


def _both(name: str, **asked: Any) -> dict[str, Any]:
    """A problem without and with delta."""
    return {name: _kary(**asked), f"{name}, delta": _kary(delta="1/10", **asked)}


PROBLEMS: dict[str, Any] = {
    "binary": binary_problem("log(3)", "1/4"),
    "binary, delta": binary_problem("log(2)", "2/5", delta="1/20"),
    "binary, corner": binary_problem("log(2)", "1/20", delta="1/4"),
    "binary, irrational": binary_problem("1", "1/4", delta="1/10"),
    "binary, any outputs": binary_problem("log(3)", "1/4", outputs="any"),
    "binary, any outputs, delta": binary_problem("log(3)", "1/4", delta="1/10", outputs="any"),
    "binary, three outputs": binary_problem("log(3)", "1/4", delta="1/10", outputs=3),
    **_both("trace", categories=4),
    "trace, weights": _kary(categories=3, weights=[3, 2, 1]),
    "trace, a negative weight": _kary(categories=3, weights=[3, 2, -1]),
    **{
        name: problem
        for kind in ("total-variation", "chi-square", "kullback-leibler", "hellinger", "jensen-shannon")
        for name, problem in _both(kind, objective=kind, population=P3, against=AGAINST).items()
    },
    "alpha-divergence": _kary(objective="alpha-divergence", order="3", population=P3, against=AGAINST),
    **_both("mutual information", objective="mutual-information", population=P3),
    **_both("A", objective="a-optimal", population=P3),
    **_both("D", objective="d-optimal", population=P3),
    **_both("E", objective="e-optimal", population=P3),
    "A, irrational": _kary("1", objective="a-optimal", population=P3),
    "c": _kary(objective="c-optimal", contrast=[1, -1, 0], population=P3, outputs="any"),
    "contrasts": _kary(objective="contrasts", contrast="1,-1,0;0,1,-1", population=P3),
    "polytope": _kary(objective="a-optimal", population=Populations.hull([P3, AGAINST])),
    **_both("loss", objective="loss", loss="absolute", population=P3),
    "payoff": _kary(objective="payoff", payoffs=PAYOFFS, population=P3),
    "loss, two levels": kary_problem(
        objective="loss", loss="absolute", population=P3, level=[("log(3)", "0"), ("log(2)", "1/10")]
    ),
    "loss, metric": _kary("log(2)", objective="loss", loss="absolute", population=P3, distance="abs"),
    "numbers": _kary(objective="conditional-variance", contrast=[1, 2, 5], categories=3),
    "A, six categories": _kary(objective="a-optimal", population=SHARES[6]),
    "A, nine categories": _kary(objective="a-optimal", population=SHARES[9]),
    "chi-square, ten categories": _kary(objective="chi-square", population=SHARES[10], against=["1/10"] * 10),
}


def _problem(**asked: Any) -> Callable[[], Any]:
    return lambda: solve(kary_problem(asked.pop("levels_", "all"), **asked), fast=True)


RESULTS: dict[str, Callable[[], Any]] = {
    "pram": lambda: design_pram(P3, epsilon="log(4)", fast=True),
    "pram-delta": lambda: design_pram(P3, epsilon=1, delta="1/20", fast=True),
    "repair": lambda: repair(MATRIX, "log(3)", fast=True),
    "repair-l1": lambda: repair(MATRIX, "log(3)", norm="l1", fast=True),
    "bits": lambda: design_bits(2, weights=[1, 2, 5], prevalences=["1/2", "1/4", "1/3"], fast=True),
    "bits-joint": lambda: design_bits(
        3, questions=4, prevalences=["1/2", "1/4", "1/3", "1/5"], objective="joint", fast=True
    ),
    "b-sqrt": lambda: parity_bound(canonical_information_privacy("sqrt(p)"), fast=True),
    "b-end": lambda: parity_bound(canonical_information_privacy("1-(1-p)^2*(1-p/3)+p*(1-p)^2*(2*p-1)/2"), fast=True),
    "b-inner": lambda: parity_bound(canonical_information_privacy("p + p*(1-p)*(1/2 + (p-1/3)^2)"), fast=True),
    "b-lower": lambda: parity_bound(information_privacy(lower="p^2", upper="1"), fast=True),
    "b-piecewise": lambda: parity_bound(
        canonical_information_privacy("piecewise(1/2, p < 1/5, 3/4, p < 1/2, 1)"), fast=True
    ),
    "breach": lambda: judge(named_mechanism("warner:5/6"), rho_to_rho("1/5", "1/2"), fast=True),
    "no-breach": lambda: judge(named_mechanism("warner:3/5"), rho_to_rho("1/5", "1/2"), fast=True),
    "compare": lambda: rropt.compare("warner:3/4", "warner:2/3", fast=True),
    "compare-wide": lambda: rropt.compare("forced:2/3,1/6,1/6", "generalised:3/4,2/3", fast=True),
    "direction": lambda: rropt.compare("warner:2/3", "warner:3/4", fast=True).forward,
    "order": lambda: partial_order([Mechanism.binary(p, p) for p in ("2/3", "3/4", "1/3", "9/10")]),
    "inadmissible": lambda: admissible(Mechanism([["1/2", "1/3"], ["1/2", "2/3"]]), "log(3)", fast=True),
    "admissible": lambda: admissible(named_mechanism("warner:3/4"), fast=True),
    "strata": lambda: plan_strata(named_mechanism("warner:3/4"), P3, ["1/10", "1/2", "1/3"], n=100, fast=True),
    "mean": lambda: design_mean(1, values=[1, 2, 4], fast=True),
    "mean-of-proportions": lambda: design_mean(1, values=[1, 2, 4], proportions=P3, fast=True),
    "interval": lambda: solve_over_interval(PrivacyRegion("log(3)"), "0..1/4", fast=True),
    "every-trace": _problem(categories=3, objective="trace", weights=[3, 2, 1]),
    "every-loss": _problem(objective="loss", loss="absolute", population=P3),
    "every-payoff": _problem(objective="payoff", payoffs=[[1, 0, 0], [0, 2, 0], ["1/2", "1/2", "1/2"]], population=P3),
    "every-tv": _problem(objective="total-variation", population=P3, against=["1/5", "1/5", "3/5"]),
    "closed-binary": lambda: solve(binary_problem("all", "1/4", delta="1/10"), fast=True),
    "closed-trace": _problem(categories=3, delta="1/10", weights=[3, 2, 1]),
    "closed-loss": _problem(objective="loss", loss="zero-one", population=P3, delta="1/20"),
    "closed-a": _problem(objective="a-optimal", categories=5),
    "closed-d": _problem(objective="d-optimal", categories=4, delta="1/10"),
    "closed-e": _problem(objective="e-optimal", categories=4, delta="1/10"),
    "family": lambda: rropt.family("screening", fast=True),
    "two-levels": lambda: solve(kary_problem(categories=3, level=[("log(3)", "0"), ("log(2)", "1/10")]), fast=True),
    "metric": lambda: solve(
        kary_problem(categories=3, distance="abs", epsilon="log(2)", objective="loss", loss="absolute"), fast=True
    ),
}
