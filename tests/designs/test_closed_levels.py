"""Closed forms for every level: against the engine at single levels, with delta, on intervals; levels for a value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Bracket, Epsilon
from rropt.designs import Problem, every_level_of
from rropt.designs.parametric.closed_levels import ClosedLevels
from rropt.designs.parametric.level_formulas import LevelNumber
from rropt.designs.parametric.level_pieces import solve_pieces
from rropt.designs.parametric.quadratic_formulas import QuadraticQuotient
from rropt.designs.parametric.shortest_paths import best_sets
from rropt.designs.sweep_files import specification_of, sweep_to_file
from rropt.designs.sweeps import sweep
from rropt.privacy import PrivacyRegion

F = Fraction
NEAR = F(1, 10**25)  # the engine brackets an irrational optimum to 45 digits


def drawn(rng: random.Random, number: int) -> dict[str, Any]:
    """Return the arguments of a problem, of each kind in turn."""
    k, delta = rng.randint(2, 5), rng.choice([F(1, 100), F(1, 10), F(2, 5)])
    if number % 4 == 0:
        return {"prevalence": F(rng.randint(1, 19), 20), "delta": rng.choice([delta, F(0)])}
    if number % 4 == 1:
        weights = [rng.randint(0, 4) for _ in range(k - 1)]
        return {"categories": k, "objective": rropt.objectives.Trace([*weights, 1]), "delta": delta}
    if number % 4 == 2:
        counts = [1 + rng.randint(0, 5) for _ in range(k)]
        shares = [F(n, sum(counts)) for n in counts]
        return {"population": shares, "objective": "loss:zero-one", "delta": delta}
    objective = rng.choice(["a-optimal", "d-optimal", "e-optimal"])
    return {"categories": k, "objective": objective, "delta": rng.choice([delta, F(0)])}


def door(asked: dict[str, Any]) -> Any:
    """Return the design of some arguments."""
    return rropt.design.binary if "prevalence" in asked else rropt.design.kary


def levels_of(found: ClosedLevels) -> Iterator[Epsilon]:
    """Yield levels beside and at the breakpoints, and irrational ones."""
    yield from (Epsilon.of_gamma(F(11, 10)), Epsilon.of(1), Epsilon.of("1/2*log(5)"))
    for end in found.breakpoints:
        near = F(float(end)).limit_denominator(10**6)
        yield from (Epsilon.of_gamma(near + F(i, 10**5)) for i in (-1, 1) if near + F(i, 10**5) > 1)
        if isinstance(end, Fraction):
            yield Epsilon.of_gamma(end)


@few_rows(3)
@pytest.mark.parametrize("number", range(8))
def test_the_engine_finds_the_same_at_single_levels(number: int) -> None:
    """The values are equal, or their enclosures meet; the mechanism is private at the level, with this value."""
    asked = drawn(random.Random(number), number)
    found: Any = rropt.every_level(door(asked), **asked, fast=True)
    assert isinstance(found, ClosedLevels)
    for level in levels_of(found):
        own = found.at(level)
        single: Any = door(asked)(epsilon=level, fast=True, **asked)
        ends = own.value.bracket(35) if isinstance(own.value, LevelNumber) else own.value
        low, high = (ends, ends) if isinstance(ends, Fraction) else (ends.lower, ends.upper)
        assert max(low - single.upper, single.lower - high) <= NEAR, (asked, level)
        if isinstance(own.value, Fraction) and single.lower == single.upper:
            assert own.value == single.value
        region, problem = found.problem.region, found.problem
        outputs: Any = region.outputs or "any"
        private = PrivacyRegion(level, asked["delta"], inputs=region.inputs, outputs=outputs)
        assert private.contains(own.mechanism)
        assert float(problem.objective.value(own.mechanism, problem.population)) == pytest.approx(float(low), rel=1e-12)


@pytest.mark.slow
def test_the_breakpoint_of_a_binary_design_is_a_root_of_one_quadratic() -> None:
    """Below the level of the threshold of Holohan, Leith and Mason (2016), (23), the corner is best."""
    found: Any = every_level_of(Problem.binary("1/4", level=rropt.privacy.span("all", "1/10")))
    assert [str(end) for end in found.breakpoints] == ["1 + 1/5*sqrt(10)"]
    assert [piece.value for piece in found.pieces] == ["39/16", "3*(5*gamma + 2)*(5*gamma + 14)/(16*(5*gamma - 4)^2)"]
    u = 10**0.5 / 5
    assert 1 / 4 * (u + 2 / 10) ** 2 == pytest.approx(1 / 10 * (u + 1 + 1 / 10), rel=1e-12)
    mirrored: Any = every_level_of(Problem.binary("3/4", level=rropt.privacy.span("all", "1/10")))
    assert [piece.value for piece in mirrored.pieces] == [piece.value for piece in found.pieces]
    assert (found.at(0).mechanism.p00, mirrored.at(0).mechanism.p11) == (1, 1)
    whole: Any = every_level_of(Problem.binary("1/2", level=rropt.privacy.span("all", 1)))  # everything may be revealed
    assert [piece.value for piece in whole.pieces] == ["1/4"]
    assert [
        piece.value for piece in every_level_of(Problem.binary(0, level=rropt.privacy.span("all", "1/10"))).pieces
    ] == ["0"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ({"prevalence": "1/4", "delta": "1/10"}, "1"),
        ({"categories": 7, "objective": "a-optimal"}, "5"),
        ({"categories": 7, "objective": "e-optimal", "delta": "1/20"}, "1"),
        ({"categories": 40, "objective": "trace:10x1,30x1/9", "delta": "1/20"}, "5"),
        ({"population": "1/2,1/4,1/4", "objective": "loss:zero-one", "delta": "1/20"}, "1/3"),
    ],
)
def test_the_least_level_of_a_value_is_exact(asked: dict[str, Any], value: str) -> None:
    """Just below the level the value is worse, and from it on it is reached."""
    found: Any = rropt.every_level(door(asked), **asked, fast=True)
    sign = 1 if found.problem.objective.sense == "minimise" else -1
    gamma, wanted = found.level_for(value), F(value)
    below, above = (gamma, gamma) if isinstance(gamma, Fraction) else gamma.bracket(40)
    assert sign * found.at(Epsilon.of_gamma(below - F(1, 10**30))).value > sign * wanted
    assert sign * found.at(Epsilon.of_gamma(above)).value <= sign * wanted
    best = found.pieces[-1].formula.near(1e12)
    assert found.level_for(F(best) - sign) is None
    assert 1 <= float(found.level_for(wanted + sign * 10**6)) < float(gamma)


def test_the_least_level_of_a_determinant_is_enclosed() -> None:
    found: Any = rropt.every_level(rropt.design.kary, 5, objective="d-optimal")
    gamma = found.level_for(0)
    assert isinstance(gamma, Bracket)
    assert gamma.upper - gamma.lower < F(1, 10**30)
    assert found.at(Epsilon.of_gamma(gamma.lower)).value.lower < 0 < found.at(Epsilon.of_gamma(gamma.upper)).value.upper
    assert found.level_for(100) is None


def test_an_interval_has_the_pieces_of_all_levels() -> None:
    some: Any = rropt.every_level(rropt.design.kary, 9, epsilon="log(3/2)..log(3)", objective="a-optimal", fast=True)
    every: Any = rropt.every_level(rropt.design.kary, 9, objective="a-optimal", fast=True)
    assert [piece.size for piece in some.pieces] == [4, 3, 2]
    assert some.pieces[0].where == "3/2 <= gamma <= 1/2*sqrt(10)"
    assert (some.pieces[-1].end, some.at("log(2)").value) == (3, every.at("log(2)").value)
    assert type(some).from_json(some.to_json()) == some
    assert some.level_for(10**6) == F(3, 2)  # reached at the first level
    with pytest.raises(InvalidParameterError, match="outside of the interval"):
        some.at("log(4)")
    irrational: Any = rropt.every_level(rropt.design.binary, "1/4", epsilon="1/2..3", delta="1/10")
    assert [piece.where for piece in irrational.pieces] == ["exp(1/2) <= gamma <= exp(3)"]
    assert str(irrational.at(1)) == str(
        every_level_of(Problem.binary("1/4", level=rropt.privacy.span("all", "1/10"))).at(1)
    )  # type: ignore[attr-defined]
    assert irrational.level_for(100) == Epsilon.of("1/2").exact_gamma()


@pytest.mark.slow
def test_symbols_are_those_of_the_formulas() -> None:
    import sympy

    for asked in ({"prevalence": "1/4", "delta": "1/10"}, {"categories": 6, "objective": "d-optimal"}):
        found: Any = rropt.every_level(door(asked), **asked, fast=True)
        expression = found.to_sympy()
        gamma = next(iter(expression.free_symbols))
        for level in (F(6, 5), F(3), F(20)):
            value = found.at(Epsilon.of_gamma(level)).value
            near = float(value if isinstance(value, Fraction) else value.lower)
            assert float(expression.subs(gamma, sympy.Rational(level.numerator, level.denominator))) == pytest.approx(
                near
            )
            assert found.piece_at(Epsilon.of_gamma(level)).formula.near(float(level)) == pytest.approx(near)
        assert "cases" in found.to_latex()
        assert found.to_latex().startswith("\\[\n")


def test_texts_of_quadratics_are_read_by_sympy(rng: random.Random) -> None:
    import sympy

    gamma = sympy.Symbol("gamma")
    for _ in range(40):
        above, below = ([F(rng.randint(0, 6), rng.choice([1, 2, 3])) for _ in range(3)] for _ in range(2))
        above[0], below[0] = above[0] + 1, below[0] + 1
        formula = QuadraticQuotient((above[0], above[1], above[2]), (below[0], below[1], below[2]))
        read = sympy.sympify(str(formula).replace("^", "**"), locals={"gamma": gamma}).subs(gamma, sympy.Rational(7, 3))
        assert read == sympy.Rational(*formula(F(7, 3)).as_integer_ratio()), str(formula)


def test_a_row_of_a_sweep_has_every_piece(tmp_path: Path) -> None:
    rows = sweep(rropt.design.binary, epsilon=["all", "log(3)"], prevalence="1/4", delta="1/10", fast=True)
    assert rows[0]["value"].startswith("gamma <= 1 + 1/5*sqrt(10): 39/16; gamma >= ")
    assert rows[1]["value"] == pytest.approx(1479 / 1936)
    grid = {"population": "1/2,1/4,1/4", "objective": "loss:absolute", "gamma": ["all", "3"]}
    found = sweep_to_file(
        specification_of({"problem": "kary", "grid": grid}),
        str(tmp_path / "t.csv"),
        certificates=str(tmp_path / "c"),
        fast=True,
    )
    assert (found.rows, found.unsolved, found.unproved) == (2, 0, 0)
    text = (tmp_path / "t.csv").read_text()
    assert "gamma >= 2 + sqrt(5): 11/(4*(gamma + 2))" in text
    assert all(path.stem in text for path in (tmp_path / "c").iterdir())


def test_the_frame_of_a_curve_has_a_row_for_each_piece() -> None:
    found: Any = rropt.every_level(rropt.design.kary, objective="loss:absolute", population="1/2,1/4,1/4", fast=True)
    assert [row["answers"] for row in found.frame_rows()] == ["0, 1", "0, 1, 2"]
    closed: Any = rropt.every_level(rropt.design.kary, 5, epsilon="log(1)..log(3)", objective="a-optimal")
    assert [row["to_gamma"] for row in closed.frame_rows()] == [pytest.approx(6**0.5), 3]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: every_level_of(Problem.binary("1/4", level=rropt.privacy.span(), outputs=3)), "two outputs"),
        (lambda: Problem.binary("1/4", level=rropt.privacy.span(), symmetric=True), "does not belong to every level"),
        (
            lambda: rropt.every_level(rropt.design.kary, 30, objective="a-optimal", fast=True).at(1).mechanism,
            "at most 10",
        ),  # type: ignore[attr-defined]
        (lambda: every_level_of(Problem.binary("1/4", level=rropt.privacy.span())).at(0), "infinite"),  # type: ignore[attr-defined]
    ],
)
def test_what_has_no_closed_form_is_refused(make: Any, words: str) -> None:
    with pytest.raises((InvalidParameterError, UnsupportedProblemError), match=words):
        make()


@pytest.mark.parametrize("objective", ["a-optimal", "d-optimal", "e-optimal"])
def test_sizes_of_subsets_are_those_of_single_levels(objective: str) -> None:
    """Beside each breakpoint, by the formula of the engine for one level; D in logarithms, to 12 digits."""
    for k in (4, 5, 9, 12):
        found: Any = rropt.every_level(rropt.design.kary, k, delta="1/50", objective=objective, fast=True)
        assert len(found.pieces) == k // 2
        own = found.problem.objective
        for gamma in [F(float(end)).limit_denominator(1000) + step for end in found.breakpoints for step in (-1, 1)]:
            if gamma <= F(11, 10):
                continue
            piece = found.piece_at(Epsilon.of_gamma(gamma))
            assert piece.size == own.best_subsets(k, gamma)
            value = own.of_subsets(k, piece.size, gamma, F(1, 50))
            assert piece.formula.near(float(gamma)) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.slow
def test_a_weighted_trace_of_many_categories_is_that_of_single_levels() -> None:
    weights = "10x1/20,400x1/500,390x0,200x1/1000"
    for delta in (0, F(1, 20)):
        found: Any = rropt.every_level(rropt.design.kary, 1000, delta=delta, objective=rropt.objectives.Trace(weights))
        assert [piece.size for piece in found.pieces] == [10, 410, 610]
        for gamma in (F(3), found.breakpoints[0], found.breakpoints[0] + 1, found.breakpoints[-1], F(10**5)):
            single: Any = rropt.design.kary(
                1000, epsilon=f"log({gamma})", delta=delta, objective=rropt.objectives.Trace(weights), fast=True
            )
            assert found.at(Epsilon.of_gamma(gamma)).value == single.value
    largest: Any = every_level_of(Problem.kary(10**7, level=rropt.privacy.span(), objective="trace"))
    assert [piece.value for piece in largest.pieces] == ["10000000*gamma/(gamma + 9999999)"]
    assert type(found).from_json(found.to_json()) == found


def interval_costs(rng: random.Random, k: int, m: int) -> list[list[Fraction]]:
    """Return costs that fall and then rise along the outputs, with steps of 0."""
    columns = []
    for _ in range(k):
        best, share, least = rng.randrange(m), F(rng.randint(0, 9), 7), F(rng.randint(-3, 2))
        up, down = ([least], [least])
        for side, n in ((up, m - best - 1), (down, best)):
            for _ in range(n):
                side.append(side[-1] + rng.choice([0, 0, 1, 2, 5]))
        columns.append([share * x for x in [*down[:0:-1], *up]])
    return [list(row) for row in zip(*columns, strict=True)]


def test_shortest_paths_find_the_pieces_of_the_simplex_method(rng: random.Random, size: Any) -> None:
    """Both exact, by different theorems: values and breakpoints are equal."""
    for number in range(size(12, 200)):
        k = rng.randint(2, 6)
        costs = interval_costs(rng, k, rng.randint(2, 6))
        if number % 3 == 0:  # ties
            costs = [[F(abs(d - j) ** (1 + number % 2)) for j in range(k)] for d in range(k)]
        found, scale = best_sets(costs)
        own = [(F(A, scale), F(B, scale), X) for (A, B, X, _), _ in found]
        other = solve_pieces(costs)
        values = [(piece.value[0] + piece.value[1], piece.value[1], piece.value[2] + 1) for piece in other]
        for (A, B, X), (C, D, Y) in zip(own, values, strict=True):
            assert (A, B, X) == (C, D, Y) or (A, B, C) == (B * X, D, D * Y)  # a constant value has many sets
        ends = [piece.end and (piece.end[0] - 1, *piece.end[1:]) for piece in other]
        assert [end for _, end in found] == ends


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one"])
def test_a_loss_of_many_categories_is_that_of_single_levels(loss: str) -> None:
    rng = random.Random(3)
    counts = [rng.randint(0, 20) for _ in range(32)]
    shares = [F(n, sum(counts)) for n in counts]
    found: Any = rropt.every_level(rropt.design.kary, objective=rropt.objectives.Loss(loss), population=shares)
    assert isinstance(found, ClosedLevels)
    near = F(float(found.breakpoints[5])).limit_denominator(10**6) + F(1, 10**5)
    for gamma in (F(3, 2), near):
        level = Epsilon.of_gamma(gamma)
        single: Any = rropt.design.kary(
            epsilon=level, objective=rropt.objectives.Loss(loss), population=shares, fast=True
        )
        assert found.at(level).value == single.value
        mechanism = found.at(level).mechanism
        assert mechanism.epsilon.exact_gamma() <= gamma
        assert found.problem.objective.value(mechanism, shares) == single.value


def test_a_range_that_begins_at_an_irrational_breakpoint_has_no_piece_of_a_point() -> None:
    """At k = 5 the largest subset of A-optimality changes at sqrt(6)."""
    whole = rropt.every_level(rropt.design.kary, 5, epsilon="1/2*log(6)..2", objective="a-optimal")
    later = rropt.every_level(rropt.design.kary, 5, epsilon="log(5/2)..2", objective="a-optimal")
    assert [piece.value for piece in whole.pieces] == [piece.value for piece in later.pieces]


@pytest.mark.parametrize("value", ["100000", "1000000000"])
def test_a_determinant_that_no_level_reaches_is_answered_at_once(value: str) -> None:
    assert rropt.every_level(rropt.design.kary, 5, objective="d-optimal").level_for(value) is None
