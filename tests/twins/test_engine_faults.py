"""Faults in the engine, one at a time: the twins of the wrong result see each of them, or a list says why not.

Most are changes of one place in a formula, as a slip of the pen makes them. The engine solves the problem with the
fault in place. Where its own certificate refuses the result, there is nothing that the twins could see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from few_rows import few_rows
from planted import (
    REFUSED,
    SEEN,
    WITHOUT_EFFECT,
    Case,
    Fault,
    alarms,
    outcome_in_engine,
    planted,
    returned,
    seen,
    text,
    times,
)

from rropt import design, objectives, privacy
from rropt.core.exact import Bracket
from rropt.designs import Problem, every_level_of, solve
from rropt.designs.bits import design_bits
from rropt.designs.orders.admissibility import admissible
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism
from rropt.plans.group_plans import plan_strata
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.criteria import canonical_information_privacy
from rropt.privacy.exact_audits import audit_privacy

F = Fraction
P3, AGAINST = ["1/2", "1/3", "1/6"], ["1/5", "1/5", "3/5"]
MATRIX = [["0.8", "0.1", "0.1"], ["0.1", "0.8", "0.1"], ["0.1", "0.1", "0.8"]]
E, OBJECTIVES, B = "rropt.designs.", "rropt.objectives.", "rropt.privacy.bound."


def _kary(routes: Any = "auto", **asked: Any) -> Callable[[], Any]:
    return lambda: solve(Problem.kary(**{"epsilon": "log(3)", **asked}), routes=routes, fast=True)


def _binary(epsilon: Any, prevalence: Any, *, routes: Any = "auto", **more: Any) -> Callable[[], Any]:
    return lambda: solve(Problem.binary(prevalence, epsilon=epsilon, **more), routes=routes, fast=True)


def _strata() -> Any:
    device = Mechanism.binary(F(3, 4), F(3, 4))
    return plan_strata(device, P3, ["1/10", "1/2", "1/3"], n=100, fast=True)


def _bound(h: str) -> Callable[[], Any]:
    return lambda: parity_bound(canonical_information_privacy(h), fast=True)


def _interval(*level: Any, interval: str) -> Callable[[], Any]:
    return lambda: solve_over_interval(PrivacyRegion(*level), interval, fast=True)


_DIAGONAL = text(("(2*delta + gamma - 1)**2", "(delta + gamma - 1)**2"))
FAULTS: dict[str, Case] = {
    "closed form of the diagonal, alone": Case(
        Fault(E + "closed_forms:diagonal_variance", _DIAGONAL),
        _binary("log(2)", "2/5", delta="1/20", routes="closed-form"),
    ),
    "closed form of the diagonal, all routes": Case(
        Fault(E + "closed_forms:diagonal_variance", _DIAGONAL),
        _binary("log(2)", "2/5", delta="1/20", routes=["closed-form", "exact"]),
    ),
    "threshold of binary designs": Case(
        Fault(E + "closed_forms:threshold", text(("return delta*", "return 9*delta*"))),
        _binary("log(2)", "1/3", delta="1/4", routes="closed-form"),
    ),
    "weighted trace": Case(
        Fault(E + "weighted_trace:largest_trace", text(("(gamma + count - 1)", "(gamma + count)"))),
        _kary(categories=3, objective=objectives.Trace([15, 10, 6]), routes="closed-form"),
    ),
    "upper privacy rows of the last input": Case(
        Fault(
            E + "design_programs:_parity",
            text(("product(range(m), range(k))", "product(range(m), range(k - (word == 'upper')))")),
        ),
        _kary(objective="loss:absolute", population=P3),
    ),
    "invariance of the last output": Case(
        Fault(
            E + "pram:pram_program", text(("for i in range(k))\n    return", "for i in range(k - 1) if i)\n    return"))
        ),
        lambda: design.pram(P3, epsilon="log(3)", fast=True),
    ),
    "only increases are charged": Case(
        Fault(E + "repairs:nearest_program", text(("in _SIDES\n", "in _SIDES[:1]\n"))),
        lambda: repair(MATRIX, "log(3)", norm="l1", fast=True),
    ),
    "denominator of chi-square": Case(
        Fault(OBJECTIVES + "divergences:ChiSquare.term", text(("** 2 / b", "** 2 / a"))),
        _kary(objective=objectives.ChiSquare(AGAINST), population=P3),
    ),
    "design with four outputs": Case(
        Fault(
            E + "two_inputs:four_rows",
            text(
                (
                    "(1 - delta) * gamma / (1 + gamma), (1 - delta) / (1 + gamma)",
                    "(1 - delta) * gamma**2 / (1 + gamma**2), (1 - delta) / (1 + gamma**2)",
                )
            ),
        ),
        _binary("log(3)", "1/4", delta="1/10", outputs="any", routes="closed-form"),
    ),
    "mean of squares in place of a variance": Case(
        Fault(
            OBJECTIVES + "ray_form:VarianceForm.variance",
            text(("-sum((dot(target, self.pi) ** 2 for target in self.targets), Fraction(0))", "Fraction(0)")),
        ),
        _kary(objective="a-optimal", population=P3),
    ),
    "worst case at the ends only": Case(
        Fault(
            E + "robust_designs:worst_case",
            text(
                (
                    "at = min(max((s + 1 - r) / 2, interval.low), interval.high)",
                    "at = max((interval.low, interval.high), key=lambda x: variance(point, x))",
                )
            ),
        ),
        _interval("log(3)", interval="1/10..4/5"),
    ),
    "half of kappa in the hedge": Case(
        Fault(E + "robust_designs:hedge", text(("    offset = kappa", "    kappa = kappa / 2\n    offset = kappa"))),
        _interval("log(2)", "1/2", interval="0..3/4"),
    ),
    "multiplier of a split": Case(
        Fault(
            E + "splits:multiplier_split", text(("(objective, positive, [", "(objective, [w * w for w in positive], ["))
        ),
        lambda: design_bits(2, weights=[1, 2, 5], fast=True),
    ),
    "largest candidate of B(h)": Case(
        Fault(B + "largest_parity:_least", text(("== min(values)", "== max(values)"))),
        _bound("piecewise(1/2, p < 1/5, 3/4, p < 1/2, 1)"),
    ),
    "roots of the slope": Case(
        Fault(
            B + "infima:_candidates",
            text(("in polynomial_roots(slope, cell.low, cell.high):", "in []:")),
        ),
        _bound("min(1, p + 1/10)"),
    ),
    "size of subsets": Case(
        Fault("rropt.mechanisms.families.memberships:best_subset_size", returned(lambda best: best + 1)),
        _kary(objective="d-optimal", categories=6, routes="closed-form"),
    ),
    "threshold at every level": Case(
        Fault(E + "parametric.closed_levels:_of_binary", text(("c, -rare))", "c, -2 * rare))"))),
        lambda: every_level_of(Problem.binary("1/4", level=privacy.span("all", "1/10")), fast=True),
    ),
    "sum of equal variances at every level": Case(
        Fault(E + "parametric.closed_levels:_subset_formula", text(("k - 1 if", "k if"))),
        lambda: every_level_of(Problem.kary(5, level=privacy.span(), objective="a-optimal"), fast=True),
    ),
    "steps of strata": Case(
        Fault(
            "rropt.plans.group_plans:_allocated",
            text(
                ("-a / (size * (size + 1))", "-a / size**3"),
                ("-spreads[h] / (sizes[h] * (sizes[h] + 1))", "-spreads[h] / sizes[h]**3"),
            ),
        ),
        _strata,
    ),
    "real sizes of strata": Case(
        Fault("rropt.plans.group_plans:_allocated", text(("np.sqrt([float", "np.array([float"))), _strata
    ),
    "square of the number": Case(
        Fault(E + "number_designs:variance_of", text(("total - number * number for", "total for"))),
        _kary(objective=objectives.ConditionalVariance([1, 2, 3]), categories=3),
    ),
    "weights of a dominating mechanism": Case(
        Fault(
            E + "orders.dominating_mechanisms:staircase_mechanism",
            text(("if 0 in", "if inputs - 1 in"), ("if j in", "if inputs - 1 - j in")),
        ),
        lambda: admissible(Mechanism([["1/2", "1/3"], ["1/2", "2/3"]]), "log(3)", fast=True),
    ),
    "three values in a row": Case(
        Fault(E + "orders.dominating_mechanisms:row_reasons", text(("values > 2", "values > 3"))),
        lambda: admissible(
            Mechanism([["1/2", "1/3", "1/6"], ["1/4", "1/3", "1/12"], ["1/4", "1/3", "3/4"]]), None, fast=True
        ),
    ),
    "posterior of a breach": Case(
        Fault(B + "breaches:_posterior", text(("fmpq_poly([1, eta - 1])", "fmpq_poly([1, eta - 2])"))),
        lambda: audit_privacy("warner:5/6", level=privacy.posterior("1/5", "1/2"), fast=True),
    ),
    "eigenvalue": Case(
        Fault(
            OBJECTIVES + "e_optimality:_largest_eigenvalue",
            returned(lambda found: Bracket(found.lower * F(1001, 1000), found.upper * F(1001, 1000))),
        ),
        _kary(objective="e-optimal", population=P3, epsilon="1"),  # at a rational gamma a linear program solves it
    ),
}


REFUSED_BY_THE_ENGINE = {
    "closed form of the diagonal, all routes": "the exact route has another value, so that no result is returned",
    "invariance of the last output": "the design is tested in its region, which contains the condition",
    "threshold at every level": "the checker rejects the certificate (its twin: test_faults_of_closed_levels)",
    "sum of equal variances at every level": "the checker rejects the certificate, without which there is no result",
}
"""Faults that no twin can see, because the engine's own check raises an error, with what refuses them."""


@few_rows(9)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_engine_is_seen(name: str) -> None:
    assert outcome_in_engine(*FAULTS[name]) == (REFUSED if name in REFUSED_BY_THE_ENGINE else SEEN)


@few_rows(2)
@pytest.mark.parametrize("name", FAULTS)
def test_the_same_result_without_the_fault_is_silent(name: str) -> None:
    found = FAULTS[name].make()
    assert not alarms(found)
    assert found.sympy_twin().agrees


@pytest.mark.slow
def test_a_fault_that_changes_nothing_is_not_called_seen() -> None:
    """A change without effect and a twin that fails are told apart from an alarm."""
    make = _kary(objective="a-optimal", population=P3)
    assert outcome_in_engine(Fault(E + "closed_forms:threshold", times(1)), make) == WITHOUT_EFFECT
    found = make()

    def fail(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    with planted(Fault("rropt.information_twins:compared_with", lambda _: fail)), pytest.raises(ZeroDivisionError):
        alarms(found)
    assert not alarms(found)
    wrong = replace(found, lower=found.lower * 2, upper=found.upper * 2)
    assert seen(wrong)
