"""The optimum for every level: against the engine at single levels, an enumeration, breakpoints, records, refusals."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from adversary.boundary import oracle
from few_rows import few_rows

import rropt
from rropt.checker.quadratics import Point, compare
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.designs import Problem, solve
from rropt.designs.parametric.every_level import EveryLevel
from rropt.designs.parametric.level_formulas import LevelFormula, is_at_most, point_of
from rropt.designs.parametric.level_pieces import solve_pieces
from rropt.objectives import Loss, Payoff, TotalVariation, Trace
from rropt.privacy import EveryLevelRegion, PrivacyRegion

F = Fraction
ABSOLUTE = ["0,1,2", "1,0,1", "2,1,0"]


def shares(rng: random.Random, k: int, kind: str) -> list[Fraction]:
    """Return proportions: plain, equal, with ties, or with a zero."""
    weights = [rng.randint(1, 9) for _ in range(k)]
    if kind == "ties":
        weights = [rng.choice((1, 2)) for _ in range(k)]
    if kind == "zero":
        weights[rng.randrange(k)] = 0
    if kind == "equal" or not any(weights):
        weights = [1] * k
    return [F(w, sum(weights)) for w in weights]


def drawn_problem(rng: random.Random, number: int, k: int) -> Problem:
    """Return a problem for every level, of each kind in turn."""
    pi = shares(rng, k, ("plain", "ties", "equal", "zero")[number % 4])
    kind = ("random", "absolute", "squared", "tall", "copies", "payoff", "tv", "trace", "zeros")[number % 9]
    m = k + rng.randint(1, 2) if kind == "tall" else k
    rows = [[F(rng.randint(0, 9), rng.choice((1, 1, 2))) for _ in range(k)] for _ in range(m)]
    objective: Any = Loss(rows)
    if kind in ("absolute", "squared"):
        objective = getattr(Loss, kind)(k)
    if kind == "copies":
        rows[1] = list(rows[0])
        objective = Loss([[row[-1], *row[1:]] for row in rows])
    if kind == "zeros":
        objective = Loss([[x if rng.random() < 0.5 else F(0) for x in row] for row in rows])
    if kind == "payoff":
        objective, m = Payoff(rows[: rng.randint(2, k)]), 0
    if kind == "tv":
        objective, m = TotalVariation(shares(rng, k, "plain")), 0
    if kind == "trace":
        objective = Trace([rng.randint(0, 4) for _ in range(k - 1)] + [1])
    return Problem(EveryLevelRegion("all", inputs=k, outputs=m or "any"), objective, pi)


def at_level(problem: Problem, gamma: Fraction) -> Any:
    """Return the solution of the engine at one level."""
    region = PrivacyRegion(
        Epsilon.of_gamma(gamma), inputs=problem.region.inputs, outputs=problem.region.outputs or "any"
    )
    return solve(Problem(region, problem.objective, problem.population), fast=True)


def levels_of(found: EveryLevel) -> list[Fraction]:
    """Return levels inside each piece, and beside and at the breakpoints."""
    levels = [F(1000001, 1000000), F(10**4)]
    for piece in found.pieces:
        low, high = float(piece.start), 2 * float(piece.start) + 1 if piece.end is None else float(piece.end)
        levels.append(F((low + high) / 2).limit_denominator(50))
    for end in found.breakpoints:
        near = F(float(end)).limit_denominator(10**6)
        levels += [near + F(1, 10**6), near - F(1, 10**6), *([end] if isinstance(end, Fraction) else [])]
    return [level for level in levels if level > 1]


@few_rows(4)
@pytest.mark.parametrize("number", range(9))
def test_the_engine_finds_the_same_at_single_levels(number: int, size: Callable[[int, int], int]) -> None:
    """In fractions: the values are equal, and the mechanism of the formulas is private with this value."""
    rng = random.Random(number)
    for k in range(2, size(4, 9)):
        found = rropt.every_level(drawn_problem(rng, number + 4 * k, k), fast=True)
        levels = levels_of(found)
        for gamma in rng.sample(levels, min(len(levels), size(3, 20))):
            own = found.at(Epsilon.of_gamma(gamma))
            assert own.value == at_level(found.problem, gamma).value, (found.problem, gamma)
            assert own.mechanism.epsilon.exact_gamma() <= gamma
            if found.problem.region.outputs:
                assert found.problem.objective.value(own.mechanism, found.problem.population) == own.value


def test_the_curve_is_that_of_all_covers(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Every cover with every choice of outputs is at least as large at each level, and one is equal: an enumeration."""
    for _ in range(size(8, 150)):
        k = rng.randint(2, 3)
        costs = [[F(rng.randint(-3, 9)) for _ in range(k)] for _ in range(rng.randint(1, 3))]
        pieces, lines = solve_pieces(costs), oracle._lines(costs)
        assert all(F(x) >= 1 for *_, x in lines)
        for u in (F(1, 10**6), F(1, 3), F(1), F(17, 5), F(200)):
            piece = next(p for p in pieces if p.end is None or is_at_most(Epsilon.of_gamma(1 + u), p.end))
            a, b, c = piece.value
            assert (a + b * (1 + u)) / (c + 1 + u) == min((A + B * u) / (X + u) for A, B, X in lines)


def test_the_printed_example() -> None:
    found = rropt.every_level(rropt.design.kary, objective="loss:absolute", population="1/2,1/4,1/4", fast=True)
    text = found.summary(width=100)
    assert (
        text.splitlines()[:14]
        == """\
Optimal design for every level
  smallest expected absolute loss: k = 3 categories, proportions 1/2, 1/4, 1/4
  gamma <= 2 + sqrt(5)   (epsilon <= 1.44364)
    value      (gamma + 5)/(4*(gamma + 1))
    mechanism
      answer 0   gamma/(gamma + 1)       1/(gamma + 1)       1/(gamma + 1)
      answer 1       1/(gamma + 1)   gamma/(gamma + 1)   gamma/(gamma + 1)
  gamma >= 2 + sqrt(5)
    value      11/(4*(gamma + 2))
    mechanism
      answer 0   gamma/(gamma + 2)       1/(gamma + 2)       1/(gamma + 2)
      answer 1       1/(gamma + 2)   gamma/(gamma + 2)       1/(gamma + 2)
      answer 2       1/(gamma + 2)       1/(gamma + 2)   gamma/(gamma + 2)
  At a breakpoint both designs are optimal, and so is every mixture of them.""".splitlines()
    )
    assert "certificate accepted: proved for every gamma >= 1" in text
    assert str(found.at(1).value) == "(exp(1) + 5)/(4*(exp(1) + 1))"
    assert (found.at("log(3)").value, found.level_for("1/10"), found.level_for(0)) == (F(1, 2), F(51, 2), None)
    assert EveryLevel.from_json(found.to_json()) == found


@pytest.mark.slow
def test_both_twins_lie_on_the_curve() -> None:
    """At a level of each piece in CVXPY, in floats; the designs in their definition in SymPy."""
    found = rropt.every_level(rropt.design.kary, objective="loss:squared", population="2/5,3/10,1/5,1/10")
    assert found.twins.sympy.agrees == "equal"
    assert found.twins.cvxpy.agrees.startswith(("within", "inside"))


@pytest.mark.parametrize(
    ("loss", "pi", "ends"),
    [
        ("absolute", "1/2,1/4,1/4", ["2 + sqrt(5)"]),
        ("zero-one", "1/2,1/4,3/20,1/10", ["2", "4", "7"]),
        ("absolute", "2/5,3/10,1/5,1/10", ["3/2", "4/3 + 1/3*sqrt(19)", "9 + sqrt(94)"]),
        ("squared", "2/5,3/10,1/5,1/10", ["3", "15/8 + 1/8*sqrt(209)", "24 + sqrt(629)"]),
    ],
)
def test_breakpoints_are_those_of_the_parametric_program_in_sympy(loss: str, pi: str, ends: list[str]) -> None:
    found = rropt.every_level(rropt.design.kary, objective=rropt.objectives.Loss(loss), population=pi, fast=True)
    assert [str(end) for end in found.breakpoints] == ends


def test_an_irrational_level_lies_in_the_bracket_of_the_engine() -> None:
    found = rropt.every_level(rropt.design.kary, objective="loss:absolute", population="2/5,3/10,1/5,1/10", fast=True)
    for epsilon in ("1/3", "1", "5/2", "1/2*log(7)", "4"):
        bracket = rropt.design.kary(
            epsilon=epsilon, objective="loss:absolute", population="2/5,3/10,1/5,1/10", fast=True
        )
        value = found.at(epsilon).value
        low, high = (value, value) if isinstance(value, Fraction) else value.bracket(40)
        assert bracket.lower <= low <= high <= bracket.upper
        assert bracket.problem.region.contains(found.at(epsilon).mechanism)


def test_an_interval_has_the_pieces_of_all_levels() -> None:
    every = rropt.every_level(rropt.design.kary, objective="loss:absolute", population="1/2,1/4,1/4", fast=True)
    some = rropt.every_level(
        rropt.design.kary, epsilon="1/2..3", objective="loss:absolute", population="1/2,1/4,1/4", fast=True
    )
    assert [piece.value for piece in some.pieces] == [piece.value for piece in every.pieces]
    assert (str(some.pieces[0].start), str(some.pieces[-1].end)) == ("exp(1/2)", "exp(3)")
    assert EveryLevel.from_json(some.to_json()) == some
    assert str(some.level_for("9/10")) == "exp(1/2)"  # reached at the first level
    first = rropt.every_level(
        rropt.design.kary, epsilon="log(2)..log(4)", objective="loss:absolute", population="1/2,1/4,1/4", fast=True
    )
    assert [piece.where for piece in first.pieces] == ["2 <= gamma <= 4"]
    with pytest.raises(InvalidParameterError, match="outside of the interval"):
        first.at("log(5)")


def test_at_a_root_the_piece_is_decided_exactly() -> None:
    root = (F(0), F(1), 5)
    assert is_at_most(Epsilon.of("1/2*log(5)"), root)
    assert not is_at_most(Epsilon.of("1/2*log(5000001/1000000)"), root)
    assert is_at_most(Epsilon.of_gamma(F(2)), root)
    assert compare(Point.of_fractions(F(0), F(1), 5), Point.of(2, 0, 0, 1)) > 0
    assert str(point_of((F(2), F(1), 5))) == "2 + sqrt(5)"


@pytest.mark.parametrize(
    ("abc", "text"),
    [
        ((F(5, 4), F(1, 4), 1), "(gamma + 5)/(4*(gamma + 1))"),
        ((F(-1), F(2), F(1, 2)), "2*(2*gamma - 1)/(2*gamma + 1)"),
        ((F(0), F(1), F(1)), "gamma/(gamma + 1)"),
        ((F(-2), F(0), F(1)), "-2/(gamma + 1)"),
        ((F(3), F(3), F(1)), "3"),
        ((F(-5, 4), F(-1, 4), F(1)), "-(gamma + 5)/(4*(gamma + 1))"),
    ],
)
def test_formulas_are_written_as_sympy_reads_them(abc: tuple[Any, Any, Any], text: str) -> None:
    import sympy

    formula = LevelFormula(*map(F, abc))
    assert str(formula) == text
    gamma = sympy.Symbol("gamma")
    assert sympy.sympify(text, locals={"gamma": gamma}).subs(gamma, sympy.Rational(7, 3)) == sympy.Rational(
        *formula(F(7, 3)).as_integer_ratio()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"epsilon": "3..1", "categories": 3, "objective": "trace"}, "do not ascend"),
        ({"epsilon": "all", "values": "1,2,3"}, "designs of a yes-or-no question"),
        ({"epsilon": "1..", "categories": 3, "objective": "trace"}, "no interval of levels"),
        ({"epsilon": "all", "categories": 3, "objective": "trace", "delta": "exp(-10)"}, "is irrational"),
        ({"epsilon": "all", "population": "1/2,1/4,1/4", "objective": "a-optimal"}, "not linear"),
        (
            {"epsilon": "all", "population": "1/2,1/4,1/4", "objective": "loss:absolute", "delta": "1/9"},
            "leave delta out",
        ),
        ({"epsilon": "all", "categories": 3, "objective": "mutual-information"}, "not linear"),
        (
            {
                "epsilon": "all",
                "population": ["1/40"] * 40,
                "objective": rropt.objectives.Loss([[j * d % 7 for j in range(40)] for d in range(40)]),
            },
            "at most 30",
        ),
    ],
)
def test_what_is_no_such_problem_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises((InvalidParameterError, UnsupportedProblemError), match=words):
        rropt.every_level(rropt.design.mean if "values" in options else rropt.design.kary, **options)


def test_the_problem_is_saved_and_has_no_single_level() -> None:
    problem = Problem.kary(level=rropt.privacy.span(), objective="loss:absolute", population="1/2,1/4,1/4")
    assert Problem.from_json(problem.to_json()) == problem
    assert isinstance(rropt.every_level(problem, fast=True), EveryLevel)
    with pytest.raises(InvalidParameterError, match=r"call rropt\.every_level"):
        problem.solve(fast=True)
    with pytest.raises(UnsupportedProblemError, match="no single level"):
        problem.region.bracket(10)
