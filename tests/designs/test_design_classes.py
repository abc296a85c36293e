"""Which row of the table of ways solves a problem; a row of a third party for whatever is refused."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from few_rows import few_rows
from support.regions import by_distance

import rropt
from rropt.core.certificates import Certificate
from rropt.core.errors import RroptError, UnsupportedProblemError
from rropt.designs import Route, RouteResult, Way, register_way
from rropt.designs.problem import Problem
from rropt.designs.way_table import REGISTERED, facts_of, way_of
from rropt.designs.ways import WAYS
from rropt.privacy import BoundedRegion, CriterionRegion
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.region import RationalLevels

F = Fraction
MIXED = [F(2 * j, 21 * 22) for j in range(1, 22)]
KINDS = (
    *("trace", "mutual-information", "a-optimal", "d-optimal", "e-optimal", "c-optimal"),
    *("total-variation", "chi-square", "loss"),
)


def asked(kind: Any, k: int, **options: Any) -> Problem:
    """Return a problem with the options that its objective needs."""
    own: dict[str, Any] = {
        "c-optimal": rropt.objectives.Contrast(list(range(k))),
        "total-variation": rropt.objectives.TotalVariation([F(1, k)] * k),
        "chi-square": rropt.objectives.ChiSquare([F(1, k)] * k),
        "loss": "loss:absolute",
    }
    objective = own.get(kind, kind) if isinstance(kind, str) else kind
    return rropt.Problem.kary(objective=objective, **{"epsilon": 1, "categories": k, **options})


def over_a_polytope(kind: str, k: int, **options: Any) -> Problem:
    objective = rropt.objectives.Contrast([1, -1] + [0] * (k - 2)) if kind == "c-optimal" else kind
    ends = [[F(1, k)] * k, [F(2, k), F(0), *[F(1, k)] * (k - 2)]]
    vertices = {"vertices": [[str(p) for p in end] for end in ends]}
    return rropt.Problem.kary(
        epsilon=1, objective=objective, population=rropt.objectives.Populations.of(vertices), **options
    )


def refused() -> Iterator[tuple[Problem, str]]:
    """Iterate over problems that no class solves, each with the limit that the message names."""
    yield asked("a-optimal", 21, categories=None, population=MIXED), "received 21 groups of 21 categories"
    shares = [F(2 * (i // 3) + 1, 3 * 13**2) for i in range(39)]
    yield asked("e-optimal", 39, categories=None, population=shares), "received 13 groups of 39 categories"
    seven = ["1/2", *["1/12"] * 6]
    yield asked("a-optimal", 7, delta="1/10", categories=None, population=seven), "allowed are at most 6 categories"
    yield asked("d-optimal", 7, delta="1/10", categories=None, population=seven), "allowed are at most 6 categories"
    yield asked("d-optimal", 3, delta="1/10", categories=None, population=["1/2", "1/2", "0"]), "a proportion of 0"
    yield asked("d-optimal", 21, categories=None, population=MIXED), "allowed are at most 18 categories"
    yield asked("e-optimal", 21, categories=None, population=MIXED), "allowed are at most 18 categories"
    yield asked("mutual-information", 21, categories=None, population=MIXED), "allowed are at most 18 categories"
    yield asked("chi-square", 7, delta="1/100"), "allowed are at most 6 categories"
    yield asked("c-optimal", 102), "takes at most 101 different numbers: received 102"
    yield asked("a-optimal", 4, outputs=3), "3 outputs do not identify 4 proportions"
    yield asked("a-optimal", 13, outputs=13), "received 13 categories; allowed are at most 12"
    yield asked("c-optimal", 14, outputs=14), "received 14 different numbers in the contrast; allowed are at most 12"
    yield (
        rropt.Problem.binary(0, epsilon=1, delta="1/10", outputs="any"),
        "n Var is 0 at prevalence 0",
    )
    yield rropt.Problem.binary(1, epsilon=1, delta="1/10", outputs=3), "n Var is 0 at prevalence 1"
    yield over_a_polytope("a-optimal", 9), "received 9 categories; allowed are at most 8"
    region = CriterionRegion(rho_to_rho("1/5", "1/2"), inputs=21, outputs="any")
    yield (
        Problem(region, asked("d-optimal", 21).objective, MIXED),
        "allowed are at most 18 categories",
    )


def stopped(problem: Problem, levels: RationalLevels, best: RouteResult) -> Certificate:
    """Stop here."""
    raise ArithmeticError("this way was asked for its certificate")


def asked_way(problem: Problem) -> Way[RouteResult]:
    """Return a row for one problem, that solves nothing."""
    own = (Route("own", lambda problem, levels: RouteResult(F(0), F(0))),)
    return Way("asked", own, stopped, RouteResult, fits=lambda other: other == problem)


@pytest.fixture
def registered() -> Iterator[None]:
    """Forget afterwards what was registered."""
    before = list(REGISTERED)
    yield
    REGISTERED[:] = before


@pytest.mark.parametrize(("problem", "limit"), list(refused()), ids=lambda x: str(x)[:60])
@pytest.mark.usefixtures("registered")
def test_a_third_party_is_asked_for_what_is_refused(problem: Problem, limit: str) -> None:
    with pytest.raises(UnsupportedProblemError, match=limit) as caught:
        rropt.solve(problem)
    assert "\n" not in str(caught.value)
    own = asked_way(problem)
    register_way(own)
    assert way_of(problem) == own
    found = rropt.solve(problem)  # whatever its certificate raises, a result is not lost
    assert found.status == "not certified"
    assert found.certificate.failure == "it could not be made (ArithmeticError)"


def drawn(rng: random.Random) -> Problem | None:
    """Return a problem of any kind, or None where none can be written."""
    kind, k = rng.choice((*KINDS, "variance")), rng.choice((2, 2, 3, 4, 7, 11, 14, 40))
    delta = rng.choice((0, 0, "1/10", 1, "exp(-3)"))
    epsilon = rng.choice((0, 1, "log(2)", "1/2*log(3)", 50))
    try:
        if kind == "variance":
            prevalence = rng.choice((0, "1/4", 1))
            return rropt.Problem.binary(prevalence, epsilon=epsilon, delta=delta, outputs=rng.choice((2, 3, "any")))
        options: dict[str, Any] = {"epsilon": epsilon, "delta": delta}
        if rng.random() < 0.5:
            options["outputs"] = rng.choice(("any", 2, k))
        if rng.random() < 0.2 and kind in ("a-optimal", "c-optimal"):
            return over_a_polytope(kind, k)
        problem = asked(kind, k, **options)
        region: Any = problem.region
        if rng.random() < 0.2:
            region = by_distance(k, 1, outputs=region.outputs or "any")
        elif rng.random() < 0.2 and region.outputs:
            region = BoundedRegion.sparse(region, least={(0, 0): "1/3"})
        elif rng.random() < 0.3:
            region = CriterionRegion(rho_to_rho("1/5", "1/2"), inputs=k, outputs=region.outputs or "any")
        return Problem(region, problem.objective, problem.population)
    except RroptError:
        return None


@pytest.mark.slow
def test_accepts_answers_for_every_problem(size: Callable[[int, int], int]) -> None:
    """It is True or False, and a reason only where it is False; of equal rank at most one class accepts a problem."""
    rng, accepted, refusals = random.Random(3), set(), 0
    for _ in range(size(1000, 20_000)):
        problem = drawn(rng)
        if problem is None:
            continue
        facts, taken = facts_of(problem), []
        for way in WAYS:
            takes = way.takes(problem, facts)
            assert type(takes) is bool
            reason = (way.reason and way.reason(problem)) if takes else ""
            assert reason is None or isinstance(reason, str)
            taken += [way.name] if reason is None else []
        # "rays" lists what a closed form, groups or a merged problem also solve; of any others at most one row does
        assert len(set(taken) - {"rays", "merged categories"}) <= 1, (problem, taken)
        accepted |= set(taken[:1])
        refusals += not taken
        with nullcontext() if taken else pytest.raises(UnsupportedProblemError):
            assert way_of(problem).name == taken[0]
    # their problems, of many categories, are none of these
    formulas = {way.name for way in WAYS if way.population == "equal"}
    for others in (
        rropt.Problem.kary(2, level=rropt.privacy.renyi("2", "1/2"), objective="a-optimal"),
        rropt.Problem.kary(2, level=rropt.privacy.gdp(1), objective="a-optimal"),
        asked(rropt.objectives.Contrast([1, -1] + [0] * 19), 21),
        rropt.Problem.kary(2, level=rropt.privacy.levels((1, "1/10"), (2, "1/100")), objective="trace"),
        rropt.Problem.kary(7, epsilon=1, delta="1/10", objective="payoff"),
    ):
        accepted.add(way_of(others).name)
    assert accepted | formulas == {way.name for way in WAYS}
    assert refusals > 30


@pytest.mark.usefixtures("registered")
def test_the_library_is_asked_before_a_third_party() -> None:
    problem = rropt.Problem.binary("1/4", epsilon=1)
    usual = way_of(problem)
    register_way(asked_way(problem))
    assert way_of(problem) is usual
    assert REGISTERED[-1].name == "asked"


def test_costly_cross_checks_are_left_out_and_named() -> None:
    """By an estimate: the same problem is always solved by the same routes."""
    large = rropt.Problem.kary(30, epsilon="log(2)", delta="1/10", objective="trace")
    designs = way_of(large)
    chosen, skipped = designs.chosen(large, ["auto"])
    assert [route.name for route in chosen] == ["closed-form"]
    assert list(skipped) == ["exact"]
    small = rropt.Problem.kary(8, epsilon="log(2)", delta="1/10", objective="trace")
    assert designs.chosen(small, ["auto"])[1] == {}
    loss = asked("loss", 30, delta="1/10")
    assert designs.chosen(loss, ["auto"])[1] == {}  # there the exact route is the answer


def test_routes_are_named_in_any_iterable() -> None:
    """A generator is read once: it was used up before its names were compared."""
    problem = rropt.Problem.binary("1/4", epsilon=1)
    assert list(rropt.solve(problem, (name for name in ["exact", "closed-form"])).routes) == ["exact", "closed-form"]


def test_skipped_routes_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = rropt.Problem.kary(4, epsilon="log(2)", delta="1/10", objective="trace")
    designs = way_of(problem)
    routes = tuple(
        Route(each.name, each.solve, each.accepts, lambda problem: 60.0) if each.name == "exact" else each
        for each in designs.routes
    )
    monkeypatch.setattr("rropt.designs.ways.WAYS", [replace(designs, routes=routes)])
    found = rropt.solve(problem)
    assert list(found.routes) == ["closed-form"]
    assert "60 s" in found.skipped["exact"]
    assert "route exact skipped" in str(found)
    assert list(found.to_dict()["skipped"]) == ["exact"]
    read = rropt.designs.Solution.from_json(found.to_json())
    assert read == found
    assert read.unverified == ("routes", "skipped")
    for routes in ("all", ["all"]):
        whole = rropt.solve(problem, routes=routes)
        assert list(whole.routes) == ["closed-form", "exact"]
        assert "skipped" not in whole.to_dict()
    assert list(rropt.solve(problem, fast=True).routes) == ["closed-form"]  # the one that takes less time here
    assert list(rropt.solve(problem, routes=None).routes) == ["closed-form"]


@pytest.mark.slow
def test_the_fast_path_is_one_route() -> None:
    for problem in (
        rropt.Problem.binary("1/4", epsilon=1),
        rropt.Problem.kary(200, epsilon=1, objective="trace"),
        asked("a-optimal", 200),
        asked("a-optimal", 2, outputs=3),
    ):
        assert len(rropt.solve(problem, fast=True).routes) == 1


def test_brackets_are_as_narrow_as_the_page_says(size: Callable[[int, int], int]) -> None:
    """Of n Var relative, and absolute with two outputs; of trace and loss 1e-12 times the largest weight or loss."""
    rng, points, narrow = random.Random(5), 0, F(1, 10**12)
    for _ in range(size(12, 300)):
        epsilon = rng.choice(("1/1000", "1/10", "1", "3", "20", "1/2*log(2)"))
        delta = rng.choice((0, "1/100", "exp(-10)"))
        prevalence = F(rng.randint(1, 99), 100)
        for outputs in (2, 3, "any"):
            found = rropt.solve(
                rropt.Problem.binary(prevalence, epsilon=epsilon, delta=delta, outputs=outputs),
                "closed-form",
                fast=True,
            )
            width = narrow * min(F(1), found.upper) if outputs == 2 else F(1, 10**10) * found.upper
            assert found.gap < width, (epsilon, delta, prevalence, outputs)
        weights = [rng.choice((1, 10**6, F(1, 7))) for _ in range(rng.randint(2, 5))]
        found = rropt.solve(
            asked(rropt.objectives.Trace(weights), len(weights), epsilon=epsilon, delta=delta), "exact", fast=True
        )
        assert found.gap < narrow * max(weights)
        points += 4
    assert points == 4 * size(12, 300)


@few_rows(1)
@pytest.mark.parametrize("place", range(3))
def test_mutual_information_at_one_category_is_exactly_0(place: int) -> None:
    for epsilon in (1, "log(2)", "1/1000"):
        for k in (2, 3, 4):
            shares = [F(i == place % k) for i in range(k)]
            found = rropt.solve(asked("mutual-information", k, categories=None, population=shares, epsilon=epsilon))
            assert (found.lower, found.upper, found.value) == (0, 0, 0)
            assert found.to_dict()["value"] == "0"
    tiny = [F(1, 10**40), 1 - F(1, 10**40)]
    found = rropt.solve(asked("mutual-information", 2, categories=None, population=tiny), "exact")
    assert 0 <= found.lower <= found.upper < F(1, 10**30)
