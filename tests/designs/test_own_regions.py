"""Regions of one's own: optima against a simplex in fractions over all inequalities, twins, files and refusals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import exp
from typing import Any

import pytest
from exact_simplex import least
from later import later

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError, RouteDisagreementError, UnsupportedProblemError
from rropt.designs.solution import constraints_of
from rropt.objectives import Loss, Trace
from rropt.privacy import BoundedRegion, EntryInequality, linear, maximal_leakage, pointwise_leakage
from rropt.privacy.region_files import load_bounds

F = Fraction
linprog = later("scipy.optimize", "linprog")


def optimum(
    costs: list[list[Fraction]], gamma: Fraction | None, delta: Fraction, rows: list[EntryInequality]
) -> Fraction | None:
    """Return the least ``sum c_ij p_ij``: every choice of a function of each part is an inequality of its own."""
    m, k = len(costs), len(costs[0])
    pairs = list(permutations(range(k), 2)) if gamma is not None else []
    size = m * k + (m * len(pairs) if delta else 0)

    def line(terms: dict[int, Fraction]) -> list[Fraction]:
        return [terms.get(n, F(0)) for n in range(size)]

    equations = [(line({i * k + j: F(1) for i in range(m)}), F(1)) for j in range(k)]
    below = []
    for n, (j, other) in enumerate(pairs):
        total = {}
        for i in range(m):
            terms = {i * k + j: F(1), i * k + other: -(gamma or F(1))}
            if delta:
                total[m * k + n * m + i] = F(1)
                terms[m * k + n * m + i] = F(-1)
            below.append((line(terms), F(0)))
        if delta:
            below.append((line(total), delta))
    for own in rows:
        for chosen in product(*own.parts):
            terms = {}
            for (i, j), x in (pair for each in chosen for pair in each):
                terms[i * k + j] = terms.get(i * k + j, F(0)) + x
            below.append((line(terms), own.bound))
    flat = [x for row in costs for x in row] + [F(0)] * (size - m * k)
    return least(flat, equations, below)


def drawn(rng: random.Random, m: int, k: int) -> EntryInequality:
    """Return a random inequality with small coefficients."""

    def function() -> Any:
        places = rng.sample(list(product(range(m), range(k))), rng.randint(1, 3))
        return tuple((place, F(rng.choice([-2, -1, 1, 1, 2]), rng.choice([1, 2]))) for place in sorted(places))

    parts = tuple(tuple(function() for _ in range(rng.choice([1, 1, 2, 3]))) for _ in range(rng.choice([1, 1, 2])))
    return EntryInequality(parts, F(rng.randint(-1, 4), rng.choice([2, 3])))


@pytest.mark.slow
def test_random_regions_have_the_optimum_of_the_simplex(size: Callable[[int, int], int]) -> None:
    rng, seen = random.Random(11), Counter[str]()
    for _ in range(size(25, 400)):
        k, m = rng.choice([2, 2, 3]), rng.choice([2, 2, 3])
        gamma = rng.choice([None, F(2), F(3), F(5, 4)])
        delta = rng.choice([F(0), F(0), F(1, 10)]) if gamma is not None else F(0)
        rows = [drawn(rng, m, k) for _ in range(rng.randint(1, 3))]
        losses = [[F(rng.randint(0, 4)) for _ in range(k)] for _ in range(m)]
        shares = [F(1, k)] * k
        wanted = optimum([[x / k for x in row] for row in losses], gamma, delta, rows)
        given: dict[str, Any] = (
            {"level": linear(rows)}
            if gamma is None
            else {"epsilon": f"log({gamma})", "delta": delta, "bounds": linear(*rows)}
        )
        try:
            found = rropt.design.kary(objective=Loss(losses), population=shares, fast=True, **given)
        except InfeasibleError as error:
            accepted = rropt.check(error.certificate)
            seen["infeasible"] += wanted is None and bool(accepted)
            seen["wrong"] += wanted is not None or not accepted
            continue
        assert found.value == found.lower == found.upper == wanted
        assert rropt.check(found.certificate)
        assert found.problem.region.contains(found.mechanism)
        seen["optimal"] += 1
    assert not seen["wrong"]
    assert min(seen["optimal"], seen["infeasible"]) >= 3, seen


@pytest.mark.parametrize(("k", "q"), [(2, F(3, 2)), (3, F(3, 2)), (4, F(5, 2))])
def test_maximal_leakage_alone_bounds_the_trace(k: int, q: Fraction) -> None:
    """The trace is at most ``sum_i max_j p_ij``, and a mixture of the truth and one output attains it."""
    found = rropt.design.kary(k, level=maximal_leakage(f"log({q})"), objective="trace", fast=True)
    assert found.value == q
    assert rropt.check(found.certificate)


def test_pointwise_leakage_of_a_guess() -> None:
    """The chance of a right guess is ``sum_i max_j pi_j p_ij``; at equal shares at most q/k."""
    for k, q in ((2, F(3, 2)), (3, F(2)), (4, F(5, 4))):
        level = pointwise_leakage(f"log({q})", [F(1, k)] * k)
        found = rropt.design.kary(k, level=level, objective="loss:zero-one", fast=True)
        assert found.value == 1 - q / k


@pytest.mark.slow
def test_twins_of_a_region() -> None:
    level = linear("max(p[0,0], p[0,1], p[0,2]) + max(p[1,0], p[1,1], p[1,2]) <= 1", "p[2,2] = 2*p[2,0] + 1/10")
    found = rropt.design.kary(3, epsilon="log(4)", bounds=level, objective="trace")
    assert str(found.twins).startswith(f"SymPy {found.value}, equal; CVXPY")
    assert found.to_sympy().check(found.mechanism).value == found.value
    program = found.to_cvxpy()
    program.solve(solver="CLARABEL")
    assert abs(program.value - float(found.value)) < 1e-6
    failed = found.to_sympy().check(rropt.Mechanism.grr(3, epsilon="log(4)")).failed
    assert [str(each)[:3] for each in failed] == ["Max", "-2*"]
    assert "inequality" in found.derivation().markdown()


def test_a_twin_sees_a_value_that_is_moved() -> None:
    from rropt.convex.designs.problem import compared

    found = rropt.design.kary(3, level=maximal_leakage("log(3/2)"), objective="trace", fast=True)
    compared(found.problem, found.lower, found.upper)
    moved = found.value + F(1, 10**4)
    with pytest.raises(RouteDisagreementError):
        compared(found.problem, moved, moved)


def test_an_irrational_level_keeps_the_inequalities_exactly() -> None:
    level = linear("max(p[0,0], p[0,1], p[0,2]) <= 1/2", "p[1,1] >= p[1,0] + 1/100")
    found = rropt.design.kary(3, epsilon=1, bounds=level, objective="trace", fast=True)
    assert found.problem.region.contains(found.mechanism)
    assert rropt.check(found.certificate)
    assert found.gap < F(1, 10**15)


def test_regions_go_through_json_and_records(tmp_path: Any) -> None:
    problem = rropt.Problem.kary(
        3, epsilon="log(3)", bounds={"diagonal": "1/3", "inequalities": ["p[0,1] <= p[0,2]"]}, objective="trace"
    )
    assert rropt.Problem.from_json(problem.to_json()) == problem
    assert problem.region.least[1][1] == F(1, 3)
    assert [str(x) for x in problem.region.entry_inequalities] == ["p[0,1] - p[0,2] <= 0"]
    found = rropt.design.kary(3, level=maximal_leakage("log(2)"), objective="trace", fast=True)
    again = rropt.Problem.from_json(found.problem.to_json())
    assert again == found.problem
    assert hash(again) == hash(found.problem)
    path = tmp_path / "solution.json"
    path.write_text(found.to_json())
    assert rropt.load(path) == found
    (row,) = [each for each in constraints_of(found) if each.name == "inequality 0 <= 2"]
    assert (row.multiplier, row.slack) == (1, 0)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "p[0,0]",
            "p[0,0] < 1",
            "p[0,0] <= 1 <= 2",
            "p[0,0]*p[1,1] <= 1",
            "p[0] <= 1",
            "q[0,0] <= 1",
            "p[0,0]/0 <= 1",
        ),
        *("p[0,0]**2 <= 1", "max() <= 1", "max(p[0,0], p[0,1]) >= 1/2", "p[0,0] = max(p[0,1], p[1,1])", "p[3,0] <= 1"),
        *("abs(p[0,0], 1) <= 1", "p[0,-1] <= 1", "__import__('os') <= 1", "p[0,0] <= 1e999999999"),
        "(" * 500 + "p[0,0]" + ")" * 500 + " <= 1",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError):
        rropt.Problem.kary(2, level=linear(text), objective="trace")


@pytest.mark.parametrize(
    "asked",
    [
        {"level": linear("p[0,0] <= 1/2"), "objective": "variance"},
        {"level": maximal_leakage("log(2)"), "objective": "payoff"},
        {"level": maximal_leakage("log(2)"), "objective": "a-optimal", "outputs": 3},
        {"epsilon": 1, "bounds": maximal_leakage("log(2)"), "objective": "mutual-information"},
        {"epsilon": 1, "bounds": maximal_leakage("log(2)"), "objective": "payoff"},
        {"epsilon": 1, "bounds": maximal_leakage("log(2)"), "objective": "c-optimal:1,-1,0", "outputs": 2},
    ],
)
def test_objectives_that_are_not_linear_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises((InvalidParameterError, UnsupportedProblemError)) as caught:
        rropt.design.kary(3, **asked)
    assert "\n" not in str(caught.value)


def test_arguments_of_leakage() -> None:
    for wrong in ("1", 1, "1/2*log(3)", "-log(2)"):
        with pytest.raises(InvalidParameterError):
            maximal_leakage(wrong)
    with pytest.raises(InvalidParameterError):
        pointwise_leakage("log(2)", "1/2,1/4")
    with pytest.raises(InvalidParameterError):
        rropt.Problem.kary(2, level=pointwise_leakage("log(2)", "1/2,1/4,1/4"), objective="trace")
    with pytest.raises(InvalidParameterError):
        linear()
    assert str(maximal_leakage("2*log(3)")) == "maximal leakage log(9)"


def test_a_constant_counts_once() -> None:
    """A constant that only some functions of a largest value have is its multiple of a column."""
    region = rropt.Problem.kary(2, level=linear("max(p[0,0], 1/2) + p[0,1] <= 3/4"), objective=Trace([1, 1])).region
    assert isinstance(region, BoundedRegion)
    (own,) = region.entry_inequalities
    for p, q in product([F(0), F(1, 3), F(1, 2), F(3, 4), F(1)], repeat=2):
        matrix = [[p, q], [1 - p, 1 - q]]
        assert own.value(matrix) <= own.bound if max(p, F(1, 2)) + q <= F(3, 4) else own.value(matrix) > own.bound


def test_levels_of_inequalities_go_together() -> None:
    one, other = maximal_leakage("log(3/2)"), linear("p[0,0] <= 1/2")
    joined = rropt.Problem.kary(3, epsilon="log(3)", bounds=linear(one, "p[0,0] <= 1/2"), objective="trace")
    assert len(joined.region.entry_inequalities) == 2
    assert (
        rropt.Problem.kary(3, level=one, bounds=other, objective="trace").region.entry_inequalities
        == joined.region.entry_inequalities
    )
    bounded = rropt.Problem.kary(3, level=one, bounds="1/10..1", objective="trace").region
    assert bounded.bounds is not None
    assert bounded.bounds[0][0][0] == F(1, 10)
    assert bounded.entry_inequalities == one.inequalities(3, 3)


def test_pram_refuses_inequalities() -> None:
    with pytest.raises(InvalidParameterError, match="PRAM"):
        rropt.design.pram([10, 20, 30], epsilon="log(3)", bounds={"inequalities": ["p[0,1] <= 1/10"]})


def test_the_examples_of_the_page() -> None:
    """docs/howto/own-regions.md: its three optima by the simplex, and the one at epsilon = 1 by HiGHS."""
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    absolute = [[pi[j] * abs(i - j) for j in range(3)] for i in range(3)]
    leakage = list(maximal_leakage("log(3/2)").inequalities(3, 3))
    assert optimum(absolute, None, F(0), leakage) == F(5, 12)
    guess = [[pi[j] * (i != j) for j in range(3)] for i in range(3)]
    assert optimum(guess, None, F(0), list(pointwise_leakage("log(3/2)", pi).inequalities(3, 3))) == F(3, 8)
    texts = ["p[2,0] = p[2,1]", "p[2,0] <= 1/10",
             "abs(p[0,0] - p[0,1]) + abs(p[1,0] - p[1,1]) + abs(p[2,0] - p[2,1]) <= 2/5"]  # fmt: skip
    trace = [[F(-(i == j)) for j in range(3)] for i in range(3)]
    assert optimum(trace, F(4), F(0), list(linear(*texts).inequalities(3, 3))) == F(-3, 2)
    rows, right = [], []
    for chosen in product(range(3), repeat=3):  # the largest entry of each output
        rows.append([float(chosen[n // 3] == n % 3) for n in range(9)])
        right.append(1.5)
    for i, (j, other) in product(range(3), permutations(range(3), 2)):
        rows.append([float(n == 3 * i + j) - exp(1) * (n == 3 * i + other) for n in range(9)])
        right.append(0.0)
    columns = [[float(n % 3 == j) for n in range(9)] for j in range(3)]
    found = linprog([float(x) for row in absolute for x in row], A_ub=rows, b_ub=right, A_eq=columns, b_eq=[1.0] * 3)
    own = rropt.design.kary(
        3, epsilon=1, bounds=maximal_leakage("log(3/2)"), objective="loss:absolute", population=pi, fast=True
    )
    assert abs(found.fun - float(own.value)) < 1e-9


def test_a_file_of_a_problem_needs_each_key_of_its_region() -> None:
    """A region whose inequalities are cut off is refused, and is not read as a weaker one."""
    problem = rropt.Problem.kary(3, epsilon="log(4)", bounds=linear("p[2,0] <= 1/10"), objective="trace")
    record = problem.to_dict()
    assert rropt.Problem.from_dict(record) == problem
    for key in record["region"]:
        cut = {name: value for name, value in record["region"].items() if name != key}
        with pytest.raises(InvalidParameterError):
            rropt.Problem.from_dict({**record, "region": cut})
    for wrong in (
        "p[2,0] <= 1/10",
        {},
        [{"parts": [], "bound": "1"}],
        [{"parts": [[[["0.7", "0", "1"]]]], "bound": "1"}],
    ):
        with pytest.raises(InvalidParameterError):
            rropt.Problem.from_dict({**record, "region": {**record["region"], "entry_inequalities": wrong}})
    for place in (0.7, True):
        with pytest.raises(InvalidParameterError, match="not of its form"):
            EntryInequality.from_dict({"parts": [[[[place, 0, "1"]]]], "bound": "1"})


def test_an_inequality_is_exact_and_has_functions() -> None:
    for parts, bound in (((), F(1)), (((),), F(1)), (((((0, 0), 0.5),),), F(1)), ((((((0, 0), F(1)),),),), 1.0)):
        with pytest.raises(InvalidParameterError, match="not of its form"):
            EntryInequality(parts, bound)  # type: ignore[arg-type]


def test_a_conflict_names_the_bounds_that_it_needs() -> None:
    """The inequality alone is feasible; the message names the bound that it conflicts with."""
    inequality = "p[0,0] >= 9/10"
    assert rropt.design.kary(3, epsilon=1, bounds=linear(inequality), objective="trace", fast=True).is_certified
    with pytest.raises(InfeasibleError, match=r"and the bounds: at most 1/10 for output 0 at input 1"):
        rropt.design.kary(
            3,
            epsilon=1,
            objective="trace",
            bounds={"inequalities": [inequality], "entries": [{"output": "0", "input": "1", "most": "1/10"}]},
        )


def test_higher_levels_are_no_advice_where_inequalities_forbid_them() -> None:
    """With both diagonals at least 3/4 their sum is above 7/5 at any level; without the inequality they need more."""
    pairs = rropt.privacy.pairs([[None, "log(2)"], ["log(3/2)", None]])
    least = {"diagonal": "3/4"}
    with pytest.raises(InfeasibleError, match="times as high"):
        rropt.design.kary(2, level=pairs, bounds=least, objective="trace")
    with pytest.raises(InfeasibleError) as caught:
        rropt.design.kary(
            2, level=pairs, bounds={**least, "inequalities": ["p[0,0] + p[1,1] <= 7/5"]}, objective="trace"
        )
    assert "times as high" not in str(caught.value)


def test_bounds_of_two_sources_hold_together() -> None:
    region = BoundedRegion.sparse(
        rropt.Problem.kary(2, epsilon="log(9)", objective="trace").region,
        least={(0, 0): "4/5"},
        most={(1, 1): "9/10"},
        entry_inequalities=linear("p[0,1] <= 1/3").inequalities(2, 2),
    )
    both = load_bounds("1/10..17/20", region)
    assert (both.least[0][0], both.least[0][1]) == (F(4, 5), F(1, 10))
    assert (both.most[1][1], both.most[0][0]) == (F(17, 20), F(17, 20))
    assert both.entry_inequalities == region.entry_inequalities
