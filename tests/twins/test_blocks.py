"""Blocks of likelihood ratios in both twins: against the definition over all rows, and by what the proof says.

The multipliers are put in at all 2^k rows, with a formula of the divergences of this file.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from flint import ctx

import rropt
from rropt import twins
from rropt.convex import columns
from rropt.convex.designs import problem as programs
from rropt.convex.regions import limits_of
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import EQUAL, INSIDE
from rropt.designs import Problem
from rropt.symbolic import blocks
from rropt.symbolic.balls import enclosed
from rropt.symbolic.objectives.divergences import part
from rropt.symbolic.sums import Balls
from rropt.symbolic.symbols import gamma

KINDS = ["chi-square", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"]


def shares(rng: random.Random, k: int, most: int = 50) -> list[Fraction]:
    numbers = [rng.randint(most > 9, most) for _ in range(k)]
    numbers[rng.randrange(k)] += 1
    return [Fraction(x, sum(numbers)) for x in numbers]


def asked(kind: str, seed: int, k: int, epsilon: str = "log(3)", most: int = 50) -> Any:
    rng = random.Random(seed)
    order = {"order": rng.choice(["1/2", "3", "-1"])} if kind == "alpha-divergence" else {}
    population, against = shares(rng, k, most), shares(rng, k, most)
    return Problem.kary(
        epsilon=epsilon,
        objective=rropt.objectives.OBJECTIVES[kind](against, **order),
        population=population,
    )


def term(kind: str, a: Any, b: Any, order: Any) -> Any:
    """Return the term of the definition of a divergence, in floats."""
    if kind == "chi-square":
        return a * a / b - 2 * a + b
    if kind == "kullback-leibler":
        return a * (np.log(a) - np.log(b))
    if kind == "hellinger":
        return (a - 2 * np.sqrt(a * b) + b) / 2
    if kind == "jensen-shannon":
        middle = np.log((a + b) / 2)
        return (a * (np.log(a) - middle) + b * (np.log(b) - middle)) / 2
    return (a**order / b ** (order - 1) - order * a - (1 - order) * b) / (order * (order - 1))


@few_rows(1)
@pytest.mark.parametrize("epsilon", ["log(3)", "1", "log(101/100)", "log(200)"])
@few_rows(2)
@pytest.mark.parametrize("kind", KINDS)
def test_both_twins_agree_with_the_certified_value(kind: str, epsilon: str) -> None:
    for seed, (k, most) in enumerate([(9, 3), (10, 50), (13, 2), (40, 1000)]):
        solution = rropt.solve(asked(kind, seed, k, epsilon, most), fast=True)
        symbols, numbers = solution.sympy_twin(), solution.cvxpy_twin()
        assert symbols.form, symbols.why
        assert numbers.agrees is not None
        assert symbols.agrees in (EQUAL, INSIDE)


@few_rows(2)
@pytest.mark.parametrize("kind", KINDS)
def test_the_multipliers_prove_the_value_on_all_rows(kind: str) -> None:
    problem = asked(kind, 3, 11, "log(7)")
    found = twins.blocks_of(problem)
    with ctx.workprec(256):
        own = found.at(enclosed(found.level, {}))
        value = float(own.value.mid())
        c, d, *kappa = (float((own.unknown(n) / own.u).mid()) for n in range(len(found.functions)))
    pi, q = (np.array([float(x) for x in line]) for line in (problem.population, problem.objective.against))
    order = float(Fraction(problem.to_dict()["objective"].get("order", "0")))
    y = c * pi + d * q
    for group, x in zip(found.bends, kappa, strict=True):
        i = found.groups[group][0]
        assert x > 0
        y += x * np.maximum(0, pi * q[i] - pi[i] * q)
    assert y.sum() == pytest.approx(value, rel=1e-12)
    rows = 1 + 6.0 * (np.arange(2**11)[:, None] >> np.arange(11) & 1)
    slack = rows @ y - term(kind, rows @ pi, rows @ q, order)
    assert slack.min() > -1e-12
    assert (abs(slack) < 1e-10).sum() == len(found.blocks)  # they alone are tight


@few_rows(2)
@pytest.mark.parametrize("kind", KINDS)
def test_the_intervals_are_as_good_as_all_rows(kind: str) -> None:
    """The program over intervals rests on a theorem; generated rows of all 2^k do not."""
    problem = asked(kind, 4, 10, "log(5)")
    posed, found = programs.posed_of(problem)
    data = problem.to_dict()
    limits = limits_of(data["region"], 10)
    pi = np.array([float(x) for x in problem.population])

    def over(rows: Any) -> Any:
        return programs.Posed(False, programs._goal(problem, data["objective"], rows, pi), rows.conditions(pi), limits)

    _, own = columns.of_sum(limits, pi, over)
    assert found is not None
    assert abs(own.value - found.value) < 10 * (own.error + found.error) + 1e-9 * found.value
    assert len(posed.rows) <= 55


def test_the_program_has_the_value_and_the_mechanism_at_every_level() -> None:
    """``to_cvxpy`` solves the intervals; gamma is a Parameter, and the rows follow it."""
    problem = asked("chi-square", 5, 12)
    program = problem.to_cvxpy()
    for level in (3, 20):
        other = Problem.kary(
            epsilon=f"log({level})",
            objective=rropt.objectives.ChiSquare(problem.objective.against),
            population=problem.population,
        )
        solution = rropt.solve(other, fast=True)
        program.param_dict["gamma"].value = level
        program.solve()
        assert program.value == pytest.approx(float(solution.value), rel=1e-6)
        P = program.var_dict["weights"].value[:, None] * program.rows.value
        assert P.sum(0) == pytest.approx(np.ones(12), abs=1e-6)
    assert set(program.meanings) >= {"weights", "gamma"}


@pytest.mark.slow
def test_a_form_holds_inside_its_interval() -> None:
    """The value of the form is the optimum at other levels of its interval; at others it is at most that."""
    problem = asked("kullback-leibler", 6, 9)
    form = problem.to_sympy().form
    low, high = sorted(float(one.rhs) for one in form.domain.args)
    assert low < 3 < high
    for level in (low * 1.01, (3 + high) / 2, high * 0.99, high * 4):
        number = Fraction(level).limit_denominator(1000)
        other = Problem.kary(
            epsilon=f"log({number})",
            objective=rropt.objectives.KullbackLeibler(problem.objective.against),
            population=problem.population,
        )
        best = rropt.solve(other, fast=True)
        value = float(form.value.subs(gamma, f"{number}"))
        if low < number < high:
            assert value == pytest.approx(float(best.value), rel=1e-12)
        else:
            assert value <= float(best.value) * (1 + 1e-12)


def test_mirrored_distributions_have_ties() -> None:
    """Two partitions of the same value: intervals without slack that are no blocks, whose equality is proved."""
    pi = [Fraction(x, 66) for x in (1, 2, 3, 4, 5, 7, 9, 11, 12, 12)]
    problem = Problem.kary(epsilon="log(3)", objective=rropt.objectives.Hellinger(pi[::-1]), population=pi)
    solution = rropt.solve(problem, fast=True)
    assert solution.sympy_twin().form


def test_without_convex_multipliers_there_is_no_form() -> None:
    """The example of ``checker/blocks_way.md``, with categories split; the twins still have its value."""
    pi = ["0", "1/8", "3/16", "1/4", "7/32", "7/64", "7/128", "7/256", "7/256"]
    q = ["4/13", "4/13", "3/13", "2/13", "0", "0", "0", "0", "0"]
    problem = Problem.kary(epsilon="log(10)", objective=rropt.objectives.ChiSquare(q), population=pi)
    solution = rropt.solve(problem, fast=True)
    assert solution.value == Fraction("1.550390625")
    twin = solution.sympy_twin()
    assert twin.agrees == "equal"
    assert twin.form is None
    assert "convex in the likelihood ratio" in twin.why
    assert solution.cvxpy_twin().agrees is not None
    with pytest.raises(UnsupportedProblemError):
        twins.blocks_of(problem)
    assert "convex in the likelihood ratio" in solution.derivation().markdown()


def test_equal_ratios_are_one_group() -> None:
    """A category split in two proportional parts changes nothing."""
    pi, q = shares(random.Random(8), 9), shares(random.Random(9), 9)
    one = Problem.kary(epsilon="log(4)", objective=rropt.objectives.KullbackLeibler(q), population=pi)
    split = [[*line[:-1], line[-1] / 3, 2 * line[-1] / 3] for line in (pi, q)]
    two = Problem.kary(epsilon="log(4)", objective=rropt.objectives.KullbackLeibler(split[1]), population=split[0])
    first, second = (twins.blocks_of(each) for each in (one, two))
    assert len(first.groups) == len(second.groups)
    assert first.value() == second.value()


@pytest.mark.parametrize("kind", KINDS)
def test_the_terms_for_intervals_are_those_in_symbols(kind: str) -> None:
    own = {"kind": kind, "order": "3/2"}
    with ctx.workprec(100):
        for a, b in ((Fraction(5, 3), Fraction(9, 7)), (Fraction(4), Fraction(1))):
            x, y = (enclosed(blocks._rational(blocks._fmpq(each)), {}) for each in (a, b))
            ball = blocks._ONE[kind](x, y, blocks._fmpq("3/2"))
            assert ball.overlaps(next(iter(part(Balls(), own, x, y).parts.values())))
            expression = blocks._WRITTEN[kind](
                blocks._rational(blocks._fmpq(a)),
                blocks._rational(blocks._fmpq(b)),
                blocks._rational(blocks._fmpq("3/2")),
            )
            assert ball.overlaps(enclosed(expression, {}))


@pytest.mark.slow
@pytest.mark.parametrize("k", [100, 300])
def test_many_categories(k: int) -> None:
    solution = rropt.solve(asked("kullback-leibler", 10, k, most=1000), fast=True)
    assert solution.sympy_twin().form
    assert solution.cvxpy_twin().agrees is not None
    assert "blocks" in solution.derivation().markdown()
