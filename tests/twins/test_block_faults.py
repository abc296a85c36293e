"""Faults in the twins of divergences of many categories: each of them is seen as a contradiction or an alarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from flint import fmpq

import rropt
from rropt.convex import blocks as numbers
from rropt.convex.designs import problem as programs
from rropt.convex.objectives import divergences as numeric_divergences
from rropt.core.errors import RouteDisagreementError
from rropt.designs import Problem
from rropt.symbolic import blocks

PI = [Fraction(x, 60) for x in (3, 9, 1, 7, 12, 5, 8, 4, 11)]
AGAINST = [Fraction(x, 60) for x in (10, 2, 9, 7, 3, 12, 6, 8, 3)]
KINDS = ["chi-square", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"]


def compare(kind: str) -> None:
    order = {"order": "3"} if kind == "alpha-divergence" else {}
    problem = Problem.kary(
        epsilon="log(6)", objective=rropt.objectives.OBJECTIVES[kind](AGAINST, **order), population=PI
    )
    solution = rropt.solve(problem, fast=True)
    symbols, numbers = solution.sympy_twin(), solution.cvxpy_twin()
    assert symbols.form
    assert numbers.agrees is not None


@few_rows(2)
@pytest.mark.parametrize("kind", KINDS)
def test_without_a_fault_there_is_a_form_and_no_alarm(kind: str) -> None:
    compare(kind)


Patch = pytest.MonkeyPatch


def _term_in_cvxpy(patch: Patch) -> None:
    own = numeric_divergences.TERMS["chi-square"]
    patch.setitem(numeric_divergences.TERMS, "chi-square", lambda a, b, n: own(a, b, n) * 1.0001)


def _roles_in_cvxpy(patch: Patch) -> None:
    own = numeric_divergences.TERMS["chi-square"]
    patch.setitem(numeric_divergences.TERMS, "chi-square", lambda a, b, n: own(b, a, n))


def _order_in_cvxpy(patch: Patch) -> None:
    own = numbers.intervals_of

    def unsorted(*args: Any) -> Any:
        found = own(*args)
        order = [*range(4, len(found.groups)), *range(4)]
        found.groups = [found.groups[i] for i in order]
        found.shares = found.shares[:, order]
        return found

    patch.setattr(numbers, "intervals_of", unsorted)


def _cover_in_cvxpy(patch: Patch) -> None:
    patch.setattr(numbers.Intervals, "_first_column", lambda self, _: np.where(self.firsts > 2, 1.0, 1 / self.level))


def _weight_in_cvxpy(patch: Patch) -> None:
    own = numbers._value
    patch.setattr(numbers, "_value", lambda values, cuts, gamma: own(values, cuts, gamma) * 1.00001)


def _path_in_cvxpy(patch: Patch) -> None:
    own = numbers.Intervals.path

    def other(self: Any) -> list[int]:
        found = own(self)
        return [0, found[1] - 1, *found[2:]]

    patch.setattr(numbers.Intervals, "path", other)


def _blocks_of_cvxpy(patch: Patch) -> None:
    own = programs.blocks_of

    def moved(problem: Any) -> Any:
        found = own(problem)
        (*rest, last), second, *others = found.blocks
        return replace(found, blocks=[tuple(rest), (last, *second), *others])

    patch.setattr(programs, "blocks_of", moved)


def _term_in_sympy(patch: Patch) -> None:
    patch.setitem(blocks._ONE, "chi-square", lambda a, b, _: (a - b) * (a - b) / a)


def _value_in_sympy(patch: Patch) -> None:
    own = blocks.RatioCuts.value
    patch.setattr(blocks.RatioCuts, "value", lambda self: own(self) * 2)


def _form_in_sympy(patch: Patch) -> None:
    own = blocks._WRITTEN["chi-square"]
    patch.setitem(blocks._WRITTEN, "chi-square", lambda a, b, n: own(b, a, n))


def _mechanism_in_sympy(patch: Patch) -> None:
    own = blocks.RatioCuts.mechanism

    def swapped(self: Any) -> Any:
        found = own(self).as_mutable()
        found.col_swap(0, 1)
        return found.as_immutable()

    patch.setattr(blocks.RatioCuts, "mechanism", swapped)


def _convexity_in_sympy(patch: Patch) -> None:
    own = blocks.RatioCuts.functions.func
    patch.setattr(
        blocks.RatioCuts,
        "functions",
        property(lambda self: [*own(self)[:2], *([-x for x in y] for y in own(self)[2:])]),
    )


def _shares_in_sympy(patch: Patch) -> None:
    own = blocks._fmpq
    patch.setattr(blocks, "_fmpq", lambda x: own(x) * (fmpq(1001, 1000) if x == AGAINST[3] else 1))


FAULTS: list[Callable[[Patch], None]] = [
    _term_in_cvxpy,
    _roles_in_cvxpy,
    _order_in_cvxpy,
    _cover_in_cvxpy,
    _weight_in_cvxpy,
    _path_in_cvxpy,
    _blocks_of_cvxpy,
    _term_in_sympy,
    _value_in_sympy,
    _form_in_sympy,
    _mechanism_in_sympy,
    _convexity_in_sympy,
    _shares_in_sympy,
]


@few_rows(5)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__.strip("_"))
def test_a_fault_is_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    with pytest.raises(RouteDisagreementError):
        compare("chi-square")
