"""A twin that loses a vertex of a polytope of distributions contradicts the certified bracket."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from caches import forget

import rropt
from rropt.convex import polytopes as numbers
from rropt.convex.designs import problem as programs
from rropt.core.errors import RouteDisagreementError
from rropt.designs import Problem
from rropt.symbolic import polytopes as symbols
from rropt.symbolic.designs import saddle_designs


def solved() -> Any:
    problem = Problem.kary(epsilon="log(2)", objective="a-optimal", population="1/10..1/4,1/10..1/5,0..1")
    return rropt.solve(problem, fast=True)


def test_without_a_fault_both_agree() -> None:
    solution = solved()
    assert solution.sympy_twin().agrees is not None
    assert solution.cvxpy_twin().agrees is not None


@pytest.mark.parametrize("is_symbolic", [False, True])
def test_a_lost_vertex_is_seen(is_symbolic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is the least favourable distribution."""
    solution, seen = solved(), 0
    package: Any = symbols if is_symbolic else numbers
    own, place = package.vertices_of, saddle_designs if is_symbolic else numbers
    count = len(own(solution.problem.to_dict()["population"], 3))
    for lost in range(count):

        def without(given: Any, k: int, lost: int = lost) -> Any:
            found = own(given, k)
            return (*found[:lost], *found[lost + 1 :]) if is_symbolic else np.delete(found, lost, 0)

        forget()
        programs._KEPT.clear()
        monkeypatch.setattr(place, "vertices_of", without)
        try:
            (solution.sympy_twin if is_symbolic else solution.cvxpy_twin)()
        except RouteDisagreementError:
            seen += 1
    programs._KEPT.clear()
    assert seen == 1
