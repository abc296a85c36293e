"""Faults in further places of the engine: rounding, pieces, orders, questions, strata, intervals, breaches, numbers.

As in ``test_engine_faults``, the engine makes each result with the fault in place, and the twins are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from few_rows import few_rows
from planted import NOT_SEEN, REFUSED, SEEN, Case, Fault, alarms, outcome_in_engine, returned, text, times, value
from posed_cases import RESULTS

from rropt.core.results.twins import PosedTwice
from rropt.designs import Problem, solve
from rropt.designs.mean_designs import design_mean
from rropt.designs.orders import partial_order
from rropt.designs.orders.admissibility import admissible
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.mechanisms import Mechanism
from rropt.objectives.possible_populations import Populations
from rropt.privacy import PrivacyRegion

F = Fraction
P3, AGAINST = ["1/2", "1/3", "1/6"], ["1/5", "1/5", "3/5"]
E, PLANS, B = "rropt.designs.", "rropt.plans.group_plans", "rropt.privacy.bound."
LEVELS, ORDERS = E + "parametric.", E + "orders."


def _kary(**asked: Any) -> Callable[[], Any]:
    return lambda: solve(Problem.kary(**{"epsilon": "log(3)", **asked}), fast=True)


def _interval(*level: Any, interval: str) -> Callable[[], Any]:
    return lambda: solve_over_interval(PrivacyRegion(*level), interval, fast=True)


def _range() -> Any:
    return design_mean(1, range="0..1", points=5, fast=True)


def _polytope() -> Any:
    hull = Populations.hull([P3, ["2/5", "1/3", "4/15"]])
    return solve(Problem.kary(epsilon="log(3)", objective="a-optimal", population=hull), fast=True)


def _three_garblings() -> Any:
    return partial_order([Mechanism.binary(p, p) for p in ("9/10", "3/4", "2/3")])


_LOSS = _kary(epsilon=1, objective="loss:absolute", population=["1/4"] * 4)
_A = _kary(epsilon=1, objective="a-optimal", population=["2/5", "3/10", "1/5", "1/10"])
FAULTS: dict[str, Case] = {
    # rounding
    "bound of a rounded design": Case(
        Fault(E + "rounding:result_of", text(("lower=bound, upper=cost", "lower=cost, upper=cost"))), _LOSS
    ),
    "rounded designs are always allowed": Case(Fault(E + "rounding:_is_allowed", value(True)), _LOSS),
    "delta in a rounded bound": Case(
        Fault(E + "rounding:_bound", text(("design.delta if", "2 * design.delta if"))),
        _kary(epsilon=1, objective="loss:absolute", population=P3, delta="1/20"),
    ),
    "rounded rays are always private": Case(Fault(E + "engine.ray_rounding:meets", value(True)), _A),
    "weights of rounded rays": Case(
        Fault(E + "engine.ray_rounding:corrected_weights", lambda own: lambda theta, equations: theta), _A
    ),
    # every level
    "members of a row at every level": Case(
        Fault(LEVELS + "every_level:_matrix", text(('digit == "1"', 'digit == "0"'))), RESULTS["every-loss"]
    ),
    "sign at every level": Case(
        Fault(LEVELS + "every_level:_pieces_of", text(('"minimise" else -1', '"minimise" else 1'))),
        RESULTS["every-payoff"],
    ),
    "breakpoints at every level": Case(
        Fault(LEVELS + "every_level:_pieces_of", text(("place = p, q, int(root)", "place = p + 1, q, int(root)"))),
        RESULTS["every-loss"],
    ),
    "value of a piece": Case(
        Fault(LEVELS + "level_pieces:_piece", text(("(A - B, B, X - 1)", "(A, B, X - 1)"))), RESULTS["every-loss"]
    ),
    "breakpoints of traces": Case(
        Fault(LEVELS + "closed_levels:_of_trace", text(("- m + 1", "- m"))), RESULTS["closed-trace"]
    ),
    "breakpoints of subsets": Case(
        Fault(LEVELS + "closed_levels:_of_subsets", text(("(k - d + 1)", "(k - d)"))), RESULTS["closed-a"]
    ),
    "offset of a loss": Case(Fault(LEVELS + "closed_levels:_offset", value(F(2))), RESULTS["closed-loss"]),
    "corner of binary designs": Case(
        Fault(LEVELS + "closed_levels:_of_binary", text(("(1 - delta * rare)", "(1 - rare)"))), RESULTS["closed-binary"]
    ),
    # admissibility
    "kernel of a dominating mechanism": Case(
        Fault(ORDERS + "dominating_mechanisms:dominate", text(("(1 - rest) * parts", "parts"))),
        lambda: admissible(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), "log(3)", fast=True),
    ),
    "rows below the level": Case(
        Fault(ORDERS + "dominating_mechanisms:row_reasons", text(("parity != level.gamma", "parity > level.gamma"))),
        lambda: admissible(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), "log(3)", fast=True),
    ),
    # post-randomization
    "value of post-randomization": Case(
        Fault(E + "pram:_optimum", text(("-outcome.value", "-outcome.value * Fraction(1001, 1000)"))), RESULTS["pram"]
    ),
    "costs of post-randomization": Case(
        Fault(E + "design_programs:_signed_costs", returned(lambda rows: ((rows[0][0] * 2, *rows[0][1:]), *rows[1:]))),
        RESULTS["pram"],
    ),
    # several questions
    "prevalences of questions": Case(
        Fault(E + "splits:Marginals.value", text(("pi * (1 - pi)", "pi"))), RESULTS["bits"]
    ),
    "squares of a joint distribution": Case(
        Fault(E + "splits:JointTrace.squares", text(("(1 - p) ** 2", "1 - p"))), RESULTS["bits-joint"]
    ),
    "budget rounded up": Case(
        Fault(E + "splits:_rounded", text(("=ROUND_FLOOR", "='ROUND_CEILING'"), ("<= gamma:", "<= 2 * gamma:"))),
        RESULTS["bits"],
    ),
    "bound of a split": Case(
        Fault(E + "bits:proved", text(("value - objective.scale(parities) * decrease", "value"))), RESULTS["bits"]
    ),
    "multiplier of a joint split": Case(
        Fault(E + "splits:JointTrace.slope", text(("2 * x * (x + 1)", "x * (x + 1)"))), RESULTS["bits-joint"]
    ),
    # strata
    "a respondent of strata": Case(
        Fault(PLANS + ":_allocated", text(("range(n - sum(sizes))", "range(n - sum(sizes) - 1)"))), RESULTS["strata"]
    ),
    "squares of the shares of strata": Case(
        Fault(PLANS + ":plan_strata", text(("[w * w * spread * effect", "[w * spread * effect"))), RESULTS["strata"]
    ),
    "variance of strata": Case(Fault(PLANS + ":_variance", times(F(999, 1000))), RESULTS["strata"]),
    # intervals and polytopes
    "end of the larger regret": Case(
        Fault(E + "robust_designs:regret", text(("if right > left", "if right < left"))),
        _interval("log(2)", "1/2", interval="0..3/4"),
    ),
    "worst candidate of an interval": Case(
        Fault(E + "prevalence_intervals:_least", text(("min(values.values())", "max(values.values())"))),
        _interval("log(3)", "1/5", interval="1/50..1/2"),
    ),
    "corner of the region": Case(
        Fault(E + "robust_designs:vertices", text(("corner = (1 - delta)", "corner = 1"))),
        _interval("log(2)", "1/2", interval="0..3/4"),
    ),
    "worst vertex of a polytope": Case(
        Fault(
            E + "saddle_designs:_design_at",
            text(("max(dot(tangent, vertex) for", "min(dot(tangent, vertex) for")),
        ),
        _polytope,
    ),
    "tangent of a polytope": Case(
        Fault(E + "saddle_designs:tangent_of", text(("x - 2 * fall", "x - fall"))), _polytope
    ),
    # breaches
    "prior of a breach": Case(
        Fault(
            B + "breaches:_breach", text(("p if j == likely else p.complement", "p.complement if j == likely else p"))
        ),
        RESULTS["breach"],
    ),
    "report of a breach": Case(
        Fault(B + "breaches:_breach", text(("return Breach(i, (likely,)", "return Breach(1 - i, (likely,)"))),
        RESULTS["breach"],
    ),
    "every parity is allowed": Case(
        Fault(B + "largest_parity:ParityBound.allows", lambda own: lambda self, parity: True), RESULTS["breach"]
    ),
    "no parity is allowed": Case(
        Fault(B + "largest_parity:ParityBound.allows", lambda own: lambda self, parity: False), RESULTS["no-breach"]
    ),
    # numbers
    "variance of a report": Case(Fault(E + "mean_designs:conditional_variances", text(("- x * x for", "for"))), _range),
    "rounding of a number": Case(
        Fault(E + "mean_designs:rounded_variance", text((" + t * (1 - t) * h)", ")"))), _range
    ),
    "variance of the numbers": Case(
        Fault(E + "mean_designs:_variance", text((" - dot(shares, numbers) ** 2", ""))), RESULTS["mean-of-proportions"]
    ),
    "closed form of a range": Case(
        Fault(E + "mean_designs:range_optimum", text(("a / tanh(1 / a) - 1", "a / tanh(1 / a)"))),
        lambda: design_mean("1/2", range="0..1", points=5, fast=True),
    ),
    "estimator of a report": Case(
        Fault(
            E + "mean_designs:_valued",
            returned(lambda found: found.valued(found.input_values, found.output_values[::-1])),
        ),
        _range,
    ),
    # bounds of criteria
    "mirror of a lower function": Case(
        Fault(B + "functions:reflected_in_prior", lambda own: lambda leaf: leaf), RESULTS["b-lower"]
    ),
    "limits of the odds ratio": Case(
        Fault(
            B + "infima:_candidates",
            text(('(cell.low, cell.has_low, "from-above"), ', ""), ('"from-below"))', '"from-below"),)')),
        ),
        RESULTS["b-end"],
    ),
    "odds ratio": Case(
        Fault(B + "infima:odds_ratio", text(('.combined("/", PRIOR', '.combined("*", PRIOR'))), RESULTS["b-piecewise"]
    ),
    # Blackwell's order
    "earnings of a task": Case(
        Fault(ORDERS + "garblings:ReducedPair.earnings", returned(lambda found: found[::-1])), RESULTS["direction"]
    ),
    "covers that follow from others": Case(
        Fault(
            ORDERS + "partial_orders:_covers",
            text((" and not any(strict[i][x] and strict[x][j] for x in range(n))", "")),
        ),
        _three_garblings,
    ),
    "transitivity": Case(
        Fault(ORDERS + "partial_orders:_Known.learn", text(("self.no[i, j] = True", "self.no[j, i] = True"))),
        _three_garblings,
    ),
    "kernel of a pair": Case(
        Fault(ORDERS + "garblings:ReducedPair.kernel", returned(lambda kernel: Mechanism(kernel.matrix[::-1]))),
        RESULTS["compare"],
    ),
    # intervals of prevalences
    "regret at the lower end alone": Case(
        Fault(E + "robust_designs:regret", text(("(right, high) if right > left else (left, low)", "(left, low)"))),
        _interval("log(3)", "1/20", interval="1/10..3/4"),
    ),
    "place of the regret": Case(
        Fault(
            E + "robust_designs:regret", text(("(right, high) if", "(right, low) if"), ("(left, low)", "(left, high)"))
        ),
        _interval("log(3)", "1/20", interval="1/10..3/4"),
    ),
    "place of the worst case": Case(
        Fault(E + "robust_designs:worst_case", text(("variance(point, at), at", "variance(point, at), interval.high"))),
        _interval("log(3)", interval="1/10..4/5"),
    ),
    # several levels
    "ratios of a metric": Case(
        Fault(E + "design_programs:DesignProgram.of", text(("(pair, own.gamma)", "(pair, own.gamma + 1)"))),
        RESULTS["metric"],
    ),
    "gains of decisions": Case(
        Fault(E + "reduced_designs:_gains", returned(lambda gains: type(gains)((gains[0], *gains[:-1])))),
        RESULTS["two-levels"],
    ),
}
NO_ALARM = {
    "bound of a rounded design": (REFUSED, "the checker rejects the certificate, and the result says so"),
    "value of a piece": (REFUSED, "the checker rejects the certificate, without which there is no result"),
    "breakpoints of traces": (REFUSED, "the checker rejects the certificate, without which there is no result"),
    "breakpoints of subsets": (REFUSED, "the checker rejects the certificate, without which there is no result"),
    "corner of binary designs": (REFUSED, "the checker rejects the certificate, without which there is no result"),
    "kernel of a dominating mechanism": (REFUSED, "its columns do not sum to 1: it is no mechanism"),
    "rounding of a number": (REFUSED, "the closed form of the range is outside the bracket"),
    "closed form of a range": (REFUSED, "it is outside the bracket of the grid"),
    "mirror of a lower function": (REFUSED, "the function that is not mirrored is below p"),
    "earnings of a task": (REFUSED, "the task earns less than it needs: it is tested when it is made"),
    "weights of rounded rays": (NOT_SEEN, "another design is returned, which the certificate proves as good"),
    "a respondent of strata": (NOT_SEEN, "the plan is optimal for its own number; the wanted one is not in the result"),
    "squares of the shares of strata": (NOT_SEEN, "the spreads are data of the plan: it has no prevalences of strata"),
}
"""Faults without an alarm: what happens, and why."""
WITHOUT_TWINS = {
    "rropt.designs.asked_designs:RandomQuestionsDesign": "a formula of the device, of which nothing is minimized",
    "rropt.noncompliance.widths:WidthDesign": "a search over sample sizes with exact tails",
    "rropt_fieldwork.devices.device_designs:DeviceDesigns": "a table of devices at their own parameters",
}
"""Results without twins, in which no fault can be seen by one, and why they have none."""


@few_rows(9)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_engine_is_seen(name: str) -> None:
    assert outcome_in_engine(*FAULTS[name]) == NO_ALARM.get(name, (SEEN, ""))[0]


@few_rows(1)
@pytest.mark.parametrize("name", FAULTS)
def test_the_same_result_without_the_fault_is_silent(name: str) -> None:
    assert not alarms(FAULTS[name].make())


@pytest.mark.parametrize("place", WITHOUT_TWINS)
def test_results_without_twins_are_listed(place: str) -> None:
    module, _, name = place.partition(":")
    assert not issubclass(getattr(import_module(module), name), PosedTwice)
