"""``to_cvxpy().solve()`` of a result of every class is the value of the result: its sign and its scale, too.

The solver has CVXPY's own tolerances, as a user has them. Blackwell's order and admissibility have values that no
result contains; linear programs of SciPy, written here, find them.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from later import later
from posed_cases import PROBLEMS, RESULTS

import rropt
from rropt.core.exact import Epsilon

np, linprog = later("numpy"), later("scipy.optimize", "linprog")
NEAR = 2e-6  # relative: CVXPY's solvers have tolerances of 1e-8, and values are sums of many terms
NOT_CONVEX = {"binary, three outputs"}


@cache
def solved_problem(name: str) -> Any:
    return rropt.solve(PROBLEMS[name], fast=True)


@cache
def made(name: str) -> Any:
    return RESULTS[name]()


@few_rows(4)
@pytest.mark.parametrize("name", [name for name in PROBLEMS if name not in NOT_CONVEX])
def test_the_program_of_a_design_has_the_value_of_the_design(name: str) -> None:
    solution = solved_problem(name)
    assert solution.to_cvxpy().solve(solver="CLARABEL") == pytest.approx(float(solution.value), rel=NEAR)


def deficiency(source: Any, target: Any) -> float:
    """The least ``sum abs(A - C P)`` over kernels C: minimize sum t, ``-t <= A - C P <= t``, columns of C sum to 1."""
    P, A = (np.array(one.to_numpy(), float) for one in (source, target))
    (m, k), r = P.shape, len(A)
    size, entries = r * m, r * k
    image = np.kron(np.eye(r), P.T)  # row i of C to row i of C P
    eye = np.eye(entries)
    above = np.block([[image, -eye], [-image, -eye]])
    bounds = np.concatenate([A.ravel(), -A.ravel()])
    sums = np.hstack([np.tile(np.eye(m), r), np.zeros((m, entries))])
    costs = np.concatenate([np.zeros(size), np.ones(entries)])
    found = linprog(costs, A_ub=above, b_ub=bounds, A_eq=sums, b_eq=np.ones(m))
    assert found.status == 0
    return float(found.fun)


def finest(mechanism: Any, gamma: float) -> float:
    """The largest gain ``sum |r|^2/(1.r)`` of splitting the rows of a mechanism into rays of entries 1 and gamma."""
    P = np.array(mechanism.to_numpy(), float)
    rays = np.array([ray for ray in product((1.0, gamma), repeat=P.shape[1]) if max(ray) > 1] + [(1.0,) * P.shape[1]])
    size = (rays**2).sum(1) / rays.sum(1)
    total = sum(linprog(-size, A_eq=rays.T, b_eq=row).fun for row in P)
    return float(-total - ((P**2).sum(1) / P.sum(1)).sum())


def expected(found: Any, program: Any) -> float:
    """The value of a result, from what the result says."""
    kind = type(found).__name__
    if kind == "PramDesign":
        return float(found.unchanged)
    if kind == "Repair":
        return float(found.loss)
    if kind in ("BitsDesign", "ParityBound"):
        return float(found.lower)
    if kind == "MeanDesign":  # of a range: the value of the grid, below that of the rounded design
        return float(found.lower)
    if kind == "StrataPlan":
        return float(found.variance)
    if kind == "IntervalSolution":
        return float(found.minimax.upper)
    if kind == "Judgement":
        if found.breach is not None:
            return float(found.breach.posterior.rational)
        p, parity = program.param_dict["prior"].value, float(found.parity)
        return parity * p / (1 + (parity - 1) * p)
    if kind in ("EveryLevel", "ClosedLevels"):
        return float(found.at(Epsilon.of_gamma(Fraction(float(program.param_dict["gamma"].value)))).value)
    if kind == "Family":  # of the classes condition, of one category, and other, of k
        return float(found.at(gamma=3, k=int(program.param_dict["sizes"].value[1])).value)
    if kind == "Comparison":
        return deficiency(found.forward.source, found.forward.target)
    if kind == "Sufficiency":
        return deficiency(found.source, found.target)
    if kind == "PartialOrder":
        return sum(deficiency(one.source, one.target) for one in found.answers.values())
    if kind == "Admissibility":
        return finest(found.merged.mechanism, float(found.level.exact_gamma()))
    return float(found.value)


@few_rows(6)
@pytest.mark.parametrize("name", RESULTS)
def test_the_program_of_a_result_has_its_value(name: str) -> None:
    found = made(name)
    program = found.to_cvxpy()
    assert set(program.meanings) == {*program.var_dict, *program.param_dict}
    solver = "HIGHS" if program.is_mixed_integer() else "CLARABEL"
    assert program.solve(solver=solver) == pytest.approx(expected(found, program), rel=NEAR, abs=NEAR)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "gamma", "values"),
    [
        ("none-of-these", "4", {"k": "7", "p": "1/3"}),
        ("none-of-these", "3/2", {"k": "2", "p": "9/10"}),
        ("none-of-these", "50", {"k": "5", "p": "1/5"}),
        ("reject", "2", {"k": "30", "a": "7/10"}),
        ("taxonomy", "9", {"k": "3", "a": "1/4"}),
    ],
)
def test_the_program_of_a_member_of_a_family_has_its_value(name: str, gamma: str, values: dict[str, str]) -> None:
    found = rropt.family(name, fast=True)
    program = found.to_cvxpy(float(Fraction(gamma)), **{key: float(Fraction(x)) for key, x in values.items()})
    assert program.solve(solver="CLARABEL") == pytest.approx(float(found.at(gamma, **values).value), rel=NEAR)


def test_every_class_of_results_has_a_row() -> None:
    """Found by the text of the engine, so that a class that nothing has imported yet counts, too.

    Of rows with the same first word one is made.
    """
    classes = {}
    for file in Path(rropt.__file__).parent.rglob("*.py"):
        found = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef)]
        classes |= {node.name: node for node in found}

    def is_posed(name: str) -> bool:
        node = classes.get(name)
        own = {getattr(each, "name", "") for each in node.body} if node else set()
        return "to_cvxpy" in own or (node is not None and any(is_posed(ast.unparse(base)) for base in node.bases))

    kinds = set(filter(is_posed, classes)) - {"Problem", "PosedTwice", "PosedAsGarblings"}
    rows = {name.split("-")[0]: name for name in reversed(RESULTS)}
    assert kinds == {type(made(name)).__name__ for name in rows.values()}


def test_directions_of_a_comparison_are_programs() -> None:
    found = RESULTS["compare-wide"]()
    for answer in (found.forward, found.backward):
        own = deficiency(answer.source, answer.target)
        assert answer.to_cvxpy().solve(solver="CLARABEL") == pytest.approx(own, abs=NEAR)
    assert max(own, deficiency(found.forward.source, found.forward.target)) > 1e-3
