"""Faults in the twins of traces, losses, payoffs and sums: each of them is seen as a contradiction or an alarm."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows

import rropt
from rropt import twins
from rropt.convex import active as numbers
from rropt.convex.objectives import divergences as numeric_divergences
from rropt.core.errors import RouteDisagreementError
from rropt.core.results.active_sets import Active
from rropt.designs import Problem
from rropt.symbolic import active, definitions, rows
from rropt.symbolic.sums import Sum

F = Fraction
PI, AGAINST = ["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"]
LOSS = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
PROBLEMS = {
    "trace": {"objective": rropt.objectives.Trace([3, 1, 2]), "categories": 3},
    "loss": {"objective": rropt.objectives.Loss(LOSS), "population": PI},
    "payoff": {"objective": rropt.objectives.Payoff([[3, 0, 1], [0, 2, 0]]), "population": PI},
    "total-variation": {"objective": rropt.objectives.TotalVariation(AGAINST), "population": PI},
    "chi-square": {"objective": rropt.objectives.ChiSquare(AGAINST), "population": PI},
    "hellinger": {"objective": rropt.objectives.Hellinger(AGAINST), "population": PI},
    "kullback-leibler": {"objective": rropt.objectives.KullbackLeibler(AGAINST), "population": PI},
    "jensen-shannon": {"objective": rropt.objectives.JensenShannon(AGAINST), "population": PI},
    "alpha-divergence": {"objective": rropt.objectives.AlphaDivergence(AGAINST, "3"), "population": PI},
    "mutual-information": {"objective": "mutual-information", "population": PI},
}
MODULES = {"trace": "trace", "loss": "expected_loss", "payoff": "payoff", "mutual-information": "mutual_information"}


def solved(name: str, epsilon: str = "log(3)", delta: str = "0") -> Any:
    return rropt.solve(Problem.kary(epsilon=epsilon, delta=delta, **PROBLEMS[name]), fast=True)


def compare(solution: Any) -> None:
    twins._vertex.cache_clear()
    solution.sympy_twin()
    solution.cvxpy_twin()


@pytest.fixture(autouse=True)
def _without_memory() -> Any:
    yield
    twins._vertex.cache_clear()


@few_rows(1)
@pytest.mark.parametrize("delta", ["0", "1/10"])
@few_rows(6)
@pytest.mark.parametrize("name", PROBLEMS)
def test_without_a_fault_there_is_a_form_and_no_alarm(name: str, delta: str) -> None:
    twin = solved(name, delta=delta).sympy_twin()
    assert twin.form is not None
    assert twin.agrees in ("equal", "inside")


@few_rows(3)
@pytest.mark.parametrize("name", PROBLEMS)
def test_another_phi_in_symbols_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The term of one category is a thousandth larger."""
    module = import_module(f"rropt.symbolic.objectives.{MODULES.get(name, 'divergences')}")
    if hasattr(module, "coefficients"):
        own = module.coefficients

        def coefficients(*given: Any) -> Any:
            return [[x * sp.Rational(1001, 1000) if not j else x for j, x in enumerate(line)] for line in own(*given)]

        monkeypatch.setattr(module, "coefficients", coefficients)
    else:
        term = module.phi

        def phi(field: Any, own: Any, row: Any, pi: Any) -> Sum:
            return term(field, own, row, pi).times(field(sp.Rational(1001, 1000)))

        monkeypatch.setattr(module, "phi", phi)
    with pytest.raises(RouteDisagreementError):
        compare(solved(name))


@pytest.mark.parametrize("name", ["chi-square", "jensen-shannon", "hellinger"])
def test_another_phi_in_cvxpy_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = numeric_divergences.TERMS[name]
    monkeypatch.setitem(numeric_divergences.TERMS, name, lambda a, b, n: own(b, a, n) * 1.01)
    with pytest.raises(RouteDisagreementError):
        compare(solved(name))


def _less_excess(monkeypatch: pytest.MonkeyPatch) -> None:
    own = active.Asked.excess
    monkeypatch.setattr(active.Asked, "excess", lambda self, *given: own(self, *given) * self.field(sp.Rational(9, 10)))


def _fewer_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(active, "edges", lambda k: rows.staircase_rows(k))


def _another_row(monkeypatch: pytest.MonkeyPatch) -> None:
    own = numbers.active_set

    def changed(*given: Any) -> Active:
        found = own(*given)
        first = found.rows[0]
        return Active((first._replace(exponents=(0, 1, 1)[: len(first.exponents)]), *found.rows[1:]), found.tight)

    monkeypatch.setattr(numbers, "active_set", changed)


def _no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    own = numbers.active_set
    monkeypatch.setattr(numbers, "active_set", lambda *given: Active(own(*given).rows, ()))


def _minimised(monkeypatch: pytest.MonkeyPatch) -> None:
    own = active._is_minimised
    monkeypatch.setattr(active, "_is_minimised", lambda *given: not own(*given))


def _worst_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    own = numbers._is_minimised
    monkeypatch.setattr(numbers, "_is_minimised", lambda *given: not own(*given))


def _another_level(monkeypatch: pytest.MonkeyPatch) -> None:
    own = active.levels_of

    def changed(*given: Any) -> Any:
        return [
            one._replace(values={s: x * sp.Rational(1001, 1000) for s, x in one.values.items()}) for one in own(*given)
        ]

    monkeypatch.setattr(active, "levels_of", changed)


FAULTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str]] = {
    "excess": (_less_excess, "1/10"),
    "edges": (_fewer_edges, "1/10"),
    "row": (_another_row, "0"),
    "pairs": (_no_pairs, "1/10"),
    "sense in SymPy": (_minimised, "0"),
    "sense in CVXPY": (_worst_vertex, "0"),
    "level": (_another_level, "0"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, delta = FAULTS[fault]
    solution = solved("loss", delta=delta)
    plant(monkeypatch)
    with pytest.raises(RouteDisagreementError):
        compare(solution)


def test_a_vertex_that_is_not_optimal_is_refused() -> None:
    """With one row changed, SymPy proves the vertex only if it has the same value."""
    problem = Problem.kary(epsilon="log(3)", **PROBLEMS["loss"])
    data, found = problem.to_dict(), numbers.active_set(problem.to_dict())
    asked = active.Asked(data)
    refused = 0
    for place in range(len(found.rows)):
        for label in asked.labels:
            for exponents in asked.rows:
                row = found.rows[place]._replace(label=label, exponents=exponents)
                changed = Active((*found.rows[:place], row, *found.rows[place + 1 :]))
                try:
                    value = active.basis_of(data, changed).value
                except RouteDisagreementError:
                    refused += 1
                else:
                    assert active.At(asked.field).sign(value - active.basis_of(data, found).value) == 0
    assert refused > 20


@pytest.mark.slow
def test_intervals_decide_as_symbols_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """At an irrational level intervals decide about a vertex; symbols are solved where intervals do not."""
    problem = Problem.kary(epsilon="1", objective=rropt.objectives.KullbackLeibler(AGAINST), population="1/2,1/3,1/6")
    data, found = problem.to_dict(), numbers.active_set(problem.to_dict())
    asked, in_symbols, changed = active.Asked(data), list[bool](), list[Active]()
    solved = active.Field.all_solved
    monkeypatch.setattr(active.Field, "all_solved", lambda *given: in_symbols.append(True) or solved(*given))
    refused = []
    for place in range(len(found.rows)):
        for exponents in asked.rows:
            row = found.rows[place]._replace(exponents=exponents)
            changed.append(Active((*found.rows[:place], row, *found.rows[place + 1 :])))
            refused.append(_is_refused(data, changed[-1]))
    early = len(in_symbols)
    monkeypatch.setattr(active, "_require_brackets", active.require_prices)
    assert [_is_refused(data, each) for each in changed] == refused
    assert len(in_symbols) > 2 * early  # and the second pass solves them all
    assert any(refused)
    assert not all(refused)


def _is_refused(data: dict[str, Any], each: Active) -> bool:
    try:
        active.basis_of(data, each)
    except RouteDisagreementError:
        return True
    return False


@pytest.mark.parametrize("name", ["trace", "loss", "payoff", "chi-square", "total-variation"])
def test_the_judge_sees_violations_and_values(name: str) -> None:
    solution = solved(name)
    data, P = solution.problem.to_dict(), [list(row) for row in solution.mechanism.matrix]
    own = definitions.judge(data, P)
    assert own.violation.upper <= 0
    assert own.value.lower == own.value.upper == solution.value
    for step in (F(1, 10**30), F(1, 1000)):
        P[0][0] += step
        P[1][0] -= step
        assert definitions.judge(data, P).violation.lower > 0
        P[0][0] -= step
        P[1][0] += step


@pytest.mark.parametrize("objective", ["a-optimal", "d-optimal", "e-optimal", "mutual-information", "hellinger"])
def test_the_judge_agrees_with_the_engine(objective: str) -> None:
    """Irrational values are in the certified bracket, at rational and irrational levels."""
    asked = rropt.objectives.Hellinger(AGAINST) if objective == "hellinger" else objective
    for epsilon, delta in (("log(3)", "0"), ("1", "1/20")):
        solution = rropt.solve(Problem.kary(epsilon=epsilon, delta=delta, objective=asked, population=PI), fast=True)
        own = definitions.judge(solution.problem.to_dict(), solution.mechanism.matrix)
        assert own.violation.lower <= 0
        room = abs(solution.value) / 10**12
        assert own.value.lower - room <= solution.value <= own.value.upper + room


def _distribution(rng: random.Random, k: int) -> list[str]:
    parts = [rng.randint(1, 9) for _ in range(k)]
    return [f"{x}/{sum(parts)}" for x in parts]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 60))])
def test_random_problems_raise_no_alarm(seed: int) -> None:
    rng = random.Random(seed)
    for name in PROBLEMS:
        k, delta = rng.choice([2, 3, 3, 4]), rng.choice(["0", "1/10", "1/50"])
        own: dict[str, Any]
        if name == "trace":
            own = {"categories": k, "objective": rropt.objectives.Trace([rng.randint(0, 5) for _ in range(k)])}
        elif name in ("loss", "payoff"):
            matrix = [[rng.randint(-3, 5) for _ in range(k)] for _ in range(k)]
            own = {"population": _distribution(rng, k), "objective": rropt.objectives.OBJECTIVES[name](matrix)}
        else:
            own = {"population": _distribution(rng, k), "objective": name}
            if name != "mutual-information":
                against = _distribution(rng, k)
                while list(map(F, against)) == list(map(F, own["population"])):  # which is refused
                    against = _distribution(rng, k)
                more = [rng.choice(["1/3", "3", "2", "-1"])] if name == "alpha-divergence" else []
                own["objective"] = rropt.objectives.OBJECTIVES[name](against, *more)
        epsilon = rng.choice(["log(3)", "log(11/10)", "log(20)", "1"])
        if k == 4 and delta != "0":
            epsilon = "log(3)"
        solution = rropt.solve(Problem.kary(epsilon=epsilon, delta=delta, **own), fast=True)
        assert solution.sympy_twin().form is not None
        assert solution.cvxpy_twin().agrees is not None


@few_rows(1)
@pytest.mark.parametrize("delta", ["0", "1/10"])
@few_rows(2)
@pytest.mark.parametrize("name", ["trace", "loss", "kullback-leibler"])
def test_a_derivation_holds_the_value_and_the_prices(name: str, delta: str) -> None:
    solution = solved(name, delta=delta)
    text = solution.derivation()
    vertex = twins.vertex_of(solution)
    written = text.markdown()
    form = twins.form_of(solution.problem)  # in gamma; that of to_sympy may hold the proportions besides
    assert not isinstance(form, str)
    assert sp.simplify(form.at() - solution.to_sympy().form.at()) == 0
    value = form.value
    terms = sp.Add.make_args(value) if value.has(sp.log) else [value]  # a long sum is written in lines
    assert all(sp.latex(term).lstrip("- ") in written for term in terms)
    given = sum(bool(weight) for weight in vertex.weights)  # the other rows complete a degenerate system
    assert f"weight on {given} rows" in written
    assert ("tight pairs" in written) == (delta != "0")
    assert r"\paragraph{Proof.}" in text.latex()
    assert written.count("$") % 2 == 0
