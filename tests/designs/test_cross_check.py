"""The cross-check in CVXPY: it agrees with certified brackets, sees a wrong engine, and says where it cannot go."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from math import exp
from typing import Any

import numpy as np
import pytest

import rropt
from rropt.core.errors import RouteDisagreementError
from rropt.designs import cross_check as module
from rropt.designs.cross_check import OutOfReachError, cross_check
from rropt.designs.problem import Problem, binary_problem, kary_problem
from rropt.objectives import AOptimality, ChiSquare, MutualInformation, TotalVariation
from rropt.objectives.a_c_contrasts import Contrasts
from rropt.objectives.bayes_mixture import BayesMixture
from rropt.objectives.payoff import Payoff
from rropt.objectives.user_defined import ConvexSum
from rropt.privacy import GaussianRegion, PrivacyRegion, RenyiRegion, ZcdpRegion

F = Fraction

SHARES = ["1/2", "1/3", "1/6"]
OTHER = ["1/5", "1/5", "3/5"]
MORE: dict[str, dict[str, Any]] = {
    "a-optimal": {},
    "c-optimal": {"contrast": [1, -1, 0]},
    "d-optimal": {},
    "e-optimal": {},
    "mutual-information": {},
    "chi-square": {"against": OTHER},
    "hellinger": {"against": OTHER},
    "kullback-leibler": {"against": OTHER},
    "jensen-shannon": {"against": OTHER},
    "alpha-divergence": {"against": OTHER, "order": "3/2"},
    "total-variation": {"against": OTHER},
    "payoff": {"payoffs": [[3, 0, 1], [0, 2, 1], [1, 1, 1]]},
    "loss": {"loss": "absolute"},
}
LEVELS: dict[str, dict[str, Any]] = {
    "one level": {"epsilon": "1"},
    "a rational level": {"epsilon": "log(3)"},
    "delta": {"epsilon": "1", "delta": "1/20"},
    "by distance": {"epsilon": "1", "distance": "abs"},
    "two levels": {"level": [("2", "0"), ("1/2", "1/10")]},
}


def problem(kind: str, level: str = "one level") -> Problem:
    return kary_problem(objective=kind, population=SHARES, **MORE[kind], **LEVELS[level])


def exact(posed: Problem) -> rropt.designs.Solution:
    return rropt.solve(posed, routes="exact")


@pytest.mark.drawn(4)
@pytest.mark.parametrize("level", LEVELS)
def test_it_agrees_with_certified_brackets(level: str) -> None:
    for kind in MORE:
        found = exact(problem(kind, level))
        check = cross_check(found.problem, found.lower, found.upper)
        assert check.lower <= check.upper
        assert max(check.lower, found.lower) <= min(check.upper, found.upper)
        assert "differs by" in check.compared or "inside" in check.compared


def test_random_problems_agree(rng: random.Random, size: Callable[[int, int], int]) -> None:
    checked = 0
    for _ in range(size(12, 400)):
        k, kind = rng.randint(2, size(4, 5)), rng.choice(["a", "d", "e", "mi", "trace", "c"])
        counts = [rng.randint(1, 9) for _ in range(k)]
        posed = kary_problem(
            epsilon=rng.choice(["1/10", "log(2)", "3"]),
            delta=rng.choice(["0", "1/1000", "1/5"]),
            objective={"mi": "mutual-information", "trace": "trace"}.get(kind, kind.upper()),
            contrast=[3, *(rng.randint(-2, 2) for _ in range(k - 1))] if kind == "c" else None,
            **({"categories": k} if kind == "trace" else {"population": [F(n, sum(counts)) for n in counts]}),
        )
        found = exact(posed)
        with suppress(OutOfReachError):  # 2 of 400 are solved inaccurately: D, five categories, delta = 1/1000
            checked += bool(cross_check(posed, found.lower, found.upper).compared)
    assert checked >= size(12, 398)


@pytest.mark.parametrize(
    ("epsilon", "delta", "pi", "family"),
    [
        ("1", "0", "1/10", "all"),
        ("log(3)", "0", "1/4", "warner"),
        ("1", "1/100", "1/10", "all"),
        ("1/1000", "0", "1/10", "all"),
        ("1/1000000", "0", "1/2", "all"),
        ("20", "0", "1/10", "all"),
        ("1", "exp(-5)", "9/10", "all"),
        ("1", "1", "1/3", "all"),
        ("0", "1/10", "1/3", "all"),
        ("1", "0", "0", "all"),
        ("1", "1/10", "0", "all"),
        ("1", "1/10", "1", "all"),
    ],
)
def test_two_inputs_and_outputs(epsilon: str, delta: str, pi: str, family: str) -> None:
    found = rropt.solve(binary_problem(epsilon, pi, delta=delta, family=family), routes=["closed-form", "exact"])
    assert cross_check(found.problem, found.lower, found.upper).compared


def test_it_agrees_with_published_values() -> None:
    """Warner's design at epsilon = log 3, and the example of Holohan, Leith and Mason (2016) whose designs tie."""
    assert module._optimum(binary_problem("log(3)", "1/2")).value == pytest.approx(1, rel=1e-6)
    assert module._optimum(binary_problem("log(2)", "1/4", delta="1/4")).value == pytest.approx(15 / 16, rel=1e-6)


class Squares(ConvexSum):
    """A sum of squares over the chance, as a third party would write it."""

    __slots__ = ()
    kind = "test-squares"
    title = "sum of squares"
    form = "{}"

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind}

    def of_row(self, row: Any, population: Any) -> Any:
        chance = sum(p * x for p, x in zip(population, row, strict=True))
        return sum(x * x for x in row) / chance if chance else 0 * row[0]


PAIRS = (["1/2", "1/2"], [["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]])
APART = (["1/2", "1/2"], [["1/4", "3/4", 0], [1, 0, 0]])  # rows of probability 0, which are part of the sums


@pytest.mark.parametrize(
    "objective",
    [
        BayesMixture(AOptimality(), *PAIRS),
        BayesMixture(Contrasts([[1, -1, 0], [0, 1, 2]]), *PAIRS),
        BayesMixture(MutualInformation(), *PAIRS),
        BayesMixture(ChiSquare(["1/3"] * 3), *PAIRS),
        BayesMixture(TotalVariation(["1/5", "4/5", 0]), *APART),
        BayesMixture(Payoff([[1, 0, 0], [0, 1, 0], ["-1", 1, 1]]), *APART),
        Contrasts([[1, -1, 0], [0, 1, 2]]),
        Squares(),
    ],
    ids=[
        "mixture A",
        "mixture contrasts",
        "mixture information",
        "mixture chi-square",
        "mixture total variation",
        "mixture payoff",
        "contrasts",
        "third party",
    ],
)
def test_mixtures_contrasts_and_sums_of_third_parties(objective: Any) -> None:
    for delta in ("0", "1/10"):
        found = exact(Problem(PrivacyRegion("1", delta, inputs=3, outputs="any"), objective, SHARES))
        assert cross_check(found.problem, found.lower, found.upper).compared


def test_bounds_ranges_and_orbits() -> None:
    for posed in (
        kary_problem(epsilon=1, categories=3, objective="trace", at_least="1/10"),
        kary_problem(epsilon=1, delta="1/10", categories=3, objective="trace", at_most="3/5"),
        kary_problem(epsilon=1, population="1/4..1/2,1/4..1/2,0..1/2", objective="A"),
        kary_problem(epsilon=1, population="1/4..1/2,1/4..1/2,0..1/2", objective="c-optimal", contrast=[1, -1, 0]),
        kary_problem(epsilon=1, categories=6, objective="A"),
        kary_problem(epsilon=1, population=["1/12"] * 3 + ["1/4"] * 3, objective="D"),
    ):
        found = rropt.solve(posed)
        assert found.routes["convex"].compared, found.skipped


CURVED = [RenyiRegion(2, 1, inputs=2), RenyiRegion(1, "1/2", inputs=2), ZcdpRegion("1/4", inputs=2)]


@pytest.mark.drawn(6)
@pytest.mark.parametrize("region", [*CURVED, GaussianRegion(1, inputs=2, levels=12)], ids=str)
@pytest.mark.parametrize("objective", [MutualInformation(), Payoff([[1, 0], [0, 1]])], ids=lambda one: one.kind)
def test_curved_regions(region: Any, objective: Any) -> None:
    found = rropt.solve(Problem(region, objective, ["1/2", "1/2"]))
    assert ("relaxation" in found.routes["convex"].compared) == (region.kind != "renyi-privacy")


@pytest.mark.parametrize(
    ("posed", "reason"),
    [
        (kary_problem(epsilon=1, categories=3, objective="A", outputs=3), "not convex"),
        (binary_problem("1", "1/10", delta="1/10", outputs=3), "not convex"),
        (kary_problem(epsilon=1, categories=9, objective="A"), "too many rows"),
        (kary_problem(epsilon=1, categories=5, objective="A", distance="abs"), "too many rows"),
        (kary_problem(epsilon=1, categories=400, objective="A"), "too many rows"),
        (kary_problem(epsilon="1/10000000000", categories=3, objective="A"), "too small for floating-point"),
        (kary_problem(epsilon=1, delta="1/10", categories=40), "too many entries"),
        (kary_problem(epsilon=1, delta="1/10", population="1/2,1/2,0", objective="A"), "probability 0"),
    ],
    ids=lambda given: "" if isinstance(given, Problem) else given,
)
def test_where_it_cannot_go_the_result_says_so(posed: Problem, reason: str) -> None:
    with pytest.raises(OutOfReachError, match=reason):
        cross_check(posed, F(0), F(1))


@pytest.mark.parametrize("epsilon", ["1/1000000000", "100", "1/100000"])
@pytest.mark.parametrize("objective", ["A", "E", "mutual-information", "trace"])
def test_extreme_levels_give_a_sentence_or_a_comparison(epsilon: str, objective: str) -> None:
    shares = {"categories": 3} if objective == "trace" else {"population": ["1/2", "499999/1000000", "1/1000000"]}
    found = rropt.solve(kary_problem(epsilon=epsilon, objective=objective, **shares))
    assert ("convex" in found.routes) != ("convex" in found.skipped)
    binary = rropt.solve(binary_problem(epsilon, "1/1000000"))
    assert ("convex" in binary.routes) != ("convex" in binary.skipped)


@pytest.mark.parametrize("delta", ["1e-40", "1e-12"])
@pytest.mark.parametrize("objective", [{"objective": "trace"}, {"objective": "loss", "loss": "zero-one"}])
def test_a_large_level_with_delta_is_not_compared(delta: str, objective: dict[str, Any]) -> None:
    """The trace of 6 was compared with 2.0001, and an internal error took the correct design along."""
    found = rropt.solve(kary_problem(45, delta=delta, categories=3, **objective))
    assert found.status == "optimal"
    assert "differ too much" in found.skipped["convex"]


def test_the_reason_is_printed_and_recorded() -> None:
    found = rropt.solve(kary_problem(epsilon=1, categories=2, objective="A", outputs=3))
    assert "not convex" in found.skipped["convex"]
    assert "not compared: the problem is not convex" in str(found)
    assert rropt.designs.Solution.from_json(found.to_json()).skipped == found.skipped


@pytest.mark.parametrize("kind", MORE)
@pytest.mark.parametrize("level", ["one level", "delta"])
def test_a_mutant_of_the_engine_is_found(kind: str, level: str) -> None:
    """Its value is wrong on either side, by a little more than twice the tolerance."""
    found = exact(problem(kind, level))
    size = max(abs(found.upper), F(kind == "d-optimal"))
    for change in (size / 40_000, -size / 40_000):
        with pytest.raises(RouteDisagreementError, match="CVXPY"):
            cross_check(found.problem, found.lower + change, found.upper + change)
    wider = cross_check(found.problem, found.lower - size / 40_000, found.upper + size / 40_000)
    assert "inside the bracket" in wider.compared


def test_a_wrong_engine_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimum at another level, as an engine that read the wrong level would state it."""
    other = kary_problem(objective="A", population=SHARES, epsilon="101/100")
    wrong = exact(other)
    with pytest.raises(RouteDisagreementError):
        cross_check(problem("a-optimal"), wrong.lower, wrong.upper)


@pytest.mark.parametrize("level", LEVELS)
def test_more_rows_change_nothing(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 random rows of the region join the listed ones, and no value improves: the edges of the cells suffice."""
    listed, draw = module._rows, np.random.default_rng(34)
    added = []

    def more(k: int, conditions: Any) -> Any:
        edges = listed(k, conditions)
        strict = [(gamma, pair) for gamma, delta, pairs in conditions if not delta for pair in pairs]
        rows = np.exp(draw.uniform(-3, 0, (200, k)))
        if not strict:
            rows *= draw.random((200, k)) < 0.8
        for _ in range(k):  # move each row into the region
            for gamma, (j, other) in strict:
                rows[:, j] = np.minimum(rows[:, j], gamma * rows[:, other])
        rows = rows[rows.max(1) > 0]
        added.append(len(rows))
        return np.vstack([edges, rows / rows.max(1)[:, None]])

    for kind in ("a-optimal", "d-optimal", "e-optimal", "mutual-information", "chi-square", "hellinger"):
        posed = problem(kind, level)
        before = module._optimum(posed)
        accuracy = 3e-6 * max(abs(before.value), before.least)  # of the solver, relative as in a comparison
        with monkeypatch.context() as patched:
            patched.setattr(module, "_rows", more)
            assert abs(module._optimum(posed).value - before.value) <= accuracy + 1e-9
    assert min(added) > 150


def test_the_rows_are_those_of_ordered_partitions() -> None:
    """With delta > 0: chains of heights without a gap, and zeros below: 9308 rows of six categories."""
    for k, many in ((2, 4), (3, 21), (4, 138)):
        rows = module._rows(k, [module.Condition(3.0, 0.1, list(permutations(range(k), 2)))])
        assert len(rows) == many
        assert len(module._rows(k, [module.Condition(3.0, 0.0, list(permutations(range(k), 2)))])) == 2**k - 1


def test_the_level_is_read_from_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the brackets of levels nor the forms of the engine are asked."""

    def fail(*_: Any, **__: Any) -> Any:
        raise AssertionError("the engine was asked")

    posed = [problem("a-optimal"), problem("a-optimal", "two levels"), problem("chi-square", "delta")]
    found = [exact(each) for each in posed]
    for name in ("PrivacyRegion", "LevelsRegion"):
        monkeypatch.setattr(f"rropt.privacy.{name}.bracket", fail)
    monkeypatch.setattr(AOptimality, "on_rays", fail)
    monkeypatch.setattr(ChiSquare, "on_rays", fail)
    assert all(cross_check(each.problem, each.lower, each.upper).compared for each in found)
    assert module._gamma({"log": "2", "times": "1/2"}) == pytest.approx(2**0.5)
    assert module._floats(["1/2", {"exp": "-10"}]) == pytest.approx([0.5, exp(-10)])


def test_an_inaccurate_solution_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.cp.Problem, "status", property(lambda self: "optimal_inaccurate"))
    with pytest.raises(OutOfReachError, match="did not reach its accuracy"):
        cross_check(problem("a-optimal"), F(0), F(100))
    found = rropt.solve(problem("a-optimal"))
    assert "accuracy" in found.skipped["convex"]
    assert list(found.routes) == ["exact"]


def test_it_runs_by_default_after_the_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("rropt.designs.solving.cross_check", lambda *given: asked.append("checked") or _wrong())
    with pytest.raises(RouteDisagreementError):
        rropt.solve(problem("a-optimal"))
    assert asked == ["checked"]
    assert list(rropt.solve(problem("a-optimal"), routes="exact").routes) == ["exact"]
    assert asked == ["checked"]


def _wrong() -> Any:
    raise RouteDisagreementError("CVXPY and the certified bracket disagree")


def test_the_record_names_the_comparison() -> None:
    found = rropt.solve(problem("a-optimal"))
    data = json.loads(found.to_json())
    assert set(data["routes"]["convex"]) == {"lower", "upper"}
    assert F(data["routes"]["convex"]["lower"]) <= found.upper
    assert "CVXPY" in str(found)
    assert rropt.designs.Solution.from_json(found.to_json()) == found


@pytest.mark.drawn(4)
def test_rows_far_beyond_a_level_print_no_warning() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        rropt.solve(kary_problem(objective="a-optimal", categories=2, zcdp=100))
    assert not [str(each.message) for each in seen]
