"""Results with twins, one of each kind, for the tests of the twins: design problems by name, and other results."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import rropt
from rropt.designs import Problem, every_level_of, solve
from rropt.designs.bits import design_bits
from rropt.designs.mean_designs import design_mean
from rropt.designs.orders import partial_order
from rropt.designs.orders.admissibility import admissible
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
    return Problem.kary(**asked) if "level" in asked else Problem.kary(epsilon=epsilon, **asked)


def _both(name: str, **asked: Any) -> dict[str, Any]:
    """A problem without and with delta."""
    return {name: _kary(**asked), f"{name}, delta": _kary(delta="1/10", **asked)}


PROBLEMS: dict[str, Any] = {
    "binary": Problem.binary("1/4", epsilon="log(3)"),
    "binary, delta": Problem.binary("2/5", epsilon="log(2)", delta="1/20"),
    "binary, corner": Problem.binary("1/20", epsilon="log(2)", delta="1/4"),
    "binary, irrational": Problem.binary("1/4", epsilon="1", delta="1/10"),
    "binary, any outputs": Problem.binary("1/4", epsilon="log(3)", outputs="any"),
    "binary, any outputs, delta": Problem.binary("1/4", epsilon="log(3)", delta="1/10", outputs="any"),
    "binary, three outputs": Problem.binary("1/4", epsilon="log(3)", delta="1/10", outputs=3),
    **_both("trace", categories=4, objective="trace"),
    "trace, weights": _kary(objective=rropt.objectives.Trace([3, 2, 1]), categories=3),
    "trace, a negative weight": _kary(objective=rropt.objectives.Trace([3, 2, -1]), categories=3),
    **{
        name: problem
        for kind in ("total-variation", "chi-square", "kullback-leibler", "hellinger", "jensen-shannon")
        for name, problem in _both(kind, objective=rropt.objectives.OBJECTIVES[kind](AGAINST), population=P3).items()
    },
    "alpha-divergence": _kary(objective=rropt.objectives.AlphaDivergence(AGAINST, "3"), population=P3),
    **_both("mutual information", objective="mutual-information", population=P3),
    **_both("A", objective="a-optimal", population=P3),
    **_both("D", objective="d-optimal", population=P3),
    **_both("E", objective="e-optimal", population=P3),
    "A, irrational": _kary("1", objective="a-optimal", population=P3),
    "c": _kary(objective=rropt.objectives.Contrast([1, -1, 0]), population=P3, outputs="any"),
    "contrasts": _kary(objective="contrasts:1,-1,0;0,1,-1", population=P3),
    "polytope": _kary(objective="a-optimal", population=Populations.hull([P3, AGAINST])),
    **_both("loss", objective="loss:absolute", population=P3),
    "payoff": _kary(objective=rropt.objectives.Payoff(PAYOFFS), population=P3),
    "loss, two levels": Problem.kary(
        level=rropt.privacy.levels(("log(3)", "0"), ("log(2)", "1/10")), objective="loss:absolute", population=P3
    ),
    "loss, metric": _kary(objective="loss:absolute", population=P3, level=rropt.privacy.metric("line", "log(2)")),
    "numbers": _kary(objective=rropt.objectives.ConditionalVariance([1, 2, 5]), categories=3),
    "A, six categories": _kary(objective="a-optimal", population=SHARES[6]),
    "A, nine categories": _kary(objective="a-optimal", population=SHARES[9]),
    "chi-square, ten categories": _kary(objective=rropt.objectives.ChiSquare(["1/10"] * 10), population=SHARES[10]),
}


def _problem(**asked: Any) -> Callable[[], Any]:
    return lambda: rropt.every_level(rropt.design.kary, fast=True, **asked)


RESULTS: dict[str, Callable[[], Any]] = {
    "pram": lambda: rropt.design.pram(P3, epsilon="log(4)", fast=True),
    "pram-delta": lambda: rropt.design.pram(P3, epsilon=1, delta="1/20", fast=True),
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
    "every-trace": _problem(categories=3, objective=rropt.objectives.Trace([3, 2, 1])),
    "every-loss": _problem(objective="loss:absolute", population=P3),
    "every-payoff": _problem(
        objective=rropt.objectives.Payoff([[1, 0, 0], [0, 2, 0], ["1/2", "1/2", "1/2"]]), population=P3
    ),
    "every-tv": _problem(objective=rropt.objectives.TotalVariation(["1/5", "1/5", "3/5"]), population=P3),
    "closed-binary": lambda: every_level_of(Problem.binary("1/4", level=rropt.privacy.span("all", "1/10")), fast=True),
    "closed-trace": _problem(categories=3, delta="1/10", objective=rropt.objectives.Trace([3, 2, 1])),
    "closed-loss": _problem(objective="loss:zero-one", population=P3, delta="1/20"),
    "closed-a": _problem(objective="a-optimal", categories=5),
    "closed-d": _problem(objective="d-optimal", categories=4, delta="1/10"),
    "closed-e": _problem(objective="e-optimal", categories=4, delta="1/10"),
    "family": lambda: rropt.family("screening", fast=True),
    "two-levels": lambda: solve(
        Problem.kary(3, level=rropt.privacy.levels(("log(3)", "0"), ("log(2)", "1/10")), objective="trace"), fast=True
    ),
    "metric": lambda: solve(
        Problem.kary(3, level=rropt.privacy.metric("line", "log(2)"), objective="loss:absolute"), fast=True
    ),
}


def mixed(mechanism: Mechanism, part: Fraction) -> Mechanism:
    """Return a mechanism that is moved towards the one with its first two rows exchanged."""
    other = [mechanism.matrix[1], mechanism.matrix[0], *mechanism.matrix[2:]]
    pairs = zip(mechanism.matrix, other, strict=True)
    return Mechanism([[(1 - part) * x + part * y for x, y in zip(*rows, strict=True)] for rows in pairs])
