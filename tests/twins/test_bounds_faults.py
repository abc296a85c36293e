"""Faults in the bounds, the rows, the judge and the levels of the twins: each is an alarm of a correct result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from few_rows import few_rows
from planted import NOT_SEEN, SEEN, Fault, alarms, outcome_in_twins, text

from rropt import objectives, privacy
from rropt.core.errors import RouteDisagreementError
from rropt.designs import Problem, solve

P3, P4, AGAINST = ["1/2", "3/10", "1/5"], ["2/5", "3/10", "1/5", "1/10"], ["1/5", "1/5", "3/5"]
S, C = "rropt.symbolic.", "rropt.convex."
TWO = privacy.levels(("1/2", "1/5"), (1, "1/50"))
THREE = privacy.levels(("1/2", "1/5"), (1, "1/50"), ("3/2", "1/100"))


def _kary(**asked: Any) -> Any:
    return Problem.kary(**asked) if "level" in asked else Problem.kary(**{"epsilon": "log(3)", **asked})


PROBLEMS = {
    "A": _kary(objective="a-optimal", population=P3),
    "A, delta": _kary(objective="a-optimal", population=P3, delta="1/10"),
    "A, free": _kary(epsilon=1, objective="a-optimal", population=P4),
    "E, free": _kary(epsilon="log(2)", objective="e-optimal", population=P4),
    "numbers": _kary(objective=objectives.ConditionalVariance([1, 2, 5]), categories=3),
    "loss": _kary(objective="loss:absolute", population=P3),
    "loss, twelve": _kary(epsilon=1, objective="loss:absolute", population=["1/12"] * 12),
    "loss, three levels": _kary(level=THREE, objective="loss:squared", population=P4),
    "payoff": _kary(objective=objectives.Payoff([[3, 0, 1], [0, 2, 0]]), population=P3),
    "chi-square, two levels": _kary(level=TWO, objective=objectives.ChiSquare(AGAINST), population=P3),
    "Kullback-Leibler": _kary(objective=objectives.KullbackLeibler(AGAINST), population=P3),
    "Hellinger": _kary(objective=objectives.Hellinger(AGAINST), population=P3),
    "alpha": _kary(objective=objectives.AlphaDivergence(AGAINST, "3"), population=P3),
    "two outputs": Problem.binary("1/4", epsilon="log(3)", delta="1/10"),
}


class Planted(NamedTuple):
    """A fault in a twin, and a problem whose result shows it."""

    fault: Fault
    problem: str


def _above(own: Callable[..., Any]) -> Callable[..., Any]:
    return lambda region, _: own(region, "upper")


FAULTS = {
    "squares of the mean in a bound": Planted(
        Fault(
            S + "enclosures:_attained",
            text((" - sum((_dot(line, prior) ** 2 for line in asked.targets), Fraction(0))", "")),
        ),
        "A, free",
    ),
    "gain of a witness": Planted(
        Fault(S + "enclosures:_proved", text(("gain = 2 * _trace", "gain = _trace"))), "A, free"
    ),
    "square of a number": Planted(Fault(S + "enclosures:_worst", text((" - x * x for", " for"))), "numbers"),
    "mean in an eigenvalue": Planted(
        Fault(S + "enclosures:_largest_eigenvalue", text((" - prior[i] * prior[j]", ""))), "E, free"
    ),
    "bound of a vertex": Planted(
        Fault(S + "row_bounds:_ends", text(("proved = paid", "proved = paid * Fraction(101, 100)"))), "loss, twelve"
    ),
    "bound of a program": Planted(
        Fault(S + "program_bounds:_proved", text(("_QQ.zero) - paid", "_QQ.zero) - 2 * paid"))), "loss, three levels"
    ),
    "design above the level": Planted(Fault(S + "rows:rational_levels", _above), "A, free"),
    "vertex above the levels": Planted(Fault(S + "rows:rational_levels", _above), "chi-square, two levels"),
    "mechanism above the levels": Planted(Fault(S + "rows:rational_levels", _above), "loss, three levels"),
    "vertex above the level": Planted(
        Fault(S + "row_bounds:level_below", text(("(_OF_LEVEL).lower", "(_OF_LEVEL).upper"))), "loss, twelve"
    ),
    "edges are missing": Planted(Fault(S + "rows:edges", text(("(x - 1, x + 1)", "(x + 1,)"))), "A, delta"),
    "chance of a row": Planted(
        Fault(S + "information:Solved.slack_of", text(("paid * mean - _form", "paid - _form"))), "A"
    ),
    "powers of primes": Planted(
        Fault(S + "sums:_primes", text(("denominator), -1)", "denominator), -2)"))), "Kullback-Leibler"
    ),
    "powers of a product": Planted(
        Fault(S + "sums:product", text(("Fraction(0)) + times * power", "Fraction(0)) + times * power * 3 / 2"))),
        "Hellinger",
    ),
    "proportions of a judged loss": Planted(
        Fault(S + "definitions:_loss", text(("_dot(pi, sums)", "sum(sums)"))), "loss"
    ),
    "proportions of a judged payoff": Planted(
        Fault(S + "definitions:_matrix", text(("[_read(x) * p for", "[_read(x) for"))), "payoff"
    ),
    "decision of a judged payoff": Planted(Fault(S + "definitions:_payoff", text(("max(_dot", "min(_dot"))), "payoff"),
    "order of a judged divergence": Planted(
        Fault(S + "definitions:_power", text(("r = rational(", "r = 1 - rational("))), "alpha"
    ),
    "square of a judged variance": Planted(
        Fault(S + "definitions:_prevalence", text((") ** 2\n    information", ")\n    information"))), "two outputs"
    ),
    "gamma of the judge": Planted(
        Fault(S + "definitions:_excess", text(("a, b = gamma.numerator", "a, b = gamma.numerator - 1"))), "A, delta"
    ),
    "root of the chance in CVXPY": Planted(
        Fault(C + "objectives.information_matrix:lines_of", text(("np.sqrt(chances)[:, None]", "chances[:, None]"))),
        "A",
    ),
    "edges tied upwards in CVXPY": Planted(
        Fault(C + "regions:with_zeros", text(("(y + 1, y - 1)", "(y + 1,)"))), "A, delta"
    ),
    "fewer pairs in the judge": Planted(
        Fault(
            S + "definitions:violation",
            text(("permutations(range(k), 2) if", "list(permutations(range(k), 2))[:1] if")),
        ),
        "A, delta",
    ),
    "a shift of the numbers in CVXPY": Planted(
        Fault(C + "objectives.conditional_variance:goal", text(("(given.max() + given.min()) / 2", "given.min()"))),
        "numbers",
    ),
}
NO_ALARM = {
    "fewer pairs in the judge": "a judge that tests less accepts every private design: it takes a second fault",
    "a shift of the numbers in CVXPY": "the variance of a number does not depend on its origin: nothing changes",
}


@few_rows(4)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_bounds_the_rows_or_the_judge_is_seen(name: str) -> None:
    fault, problem = FAULTS[name]
    found = solve(PROBLEMS[problem], fast=True)
    assert not alarms(found)
    assert outcome_in_twins(fault, found) == (NOT_SEEN if name in NO_ALARM else SEEN)


def test_rows_of_the_solver_that_are_no_edges_are_an_alarm_of_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = _kary(epsilon=1, objective="a-optimal", population=P3, delta="1/10")
    problem.enclosure().check()
    monkeypatch.setattr("rropt.symbolic.enclosures.is_edge", lambda row, has_delta: None not in row)
    with pytest.raises(RouteDisagreementError, match="no edge of the cells"):
        problem.enclosure()
