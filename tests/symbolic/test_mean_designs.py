"""The closed forms of a range of numbers, derived with SymPy, against a cone program of CVXPY and the formulas."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from rropt.designs.mean_designs import design_mean, range_lower_bound, range_optimum


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1/10", "7/10", "1", "13/10"])
def test_the_derived_forms_are_the_formulas(epsilon: str) -> None:
    """And a range of another length has the square of its half as a factor."""
    found = design_mean(epsilon, range=(0, 10), points=5, fast=True)
    (value, _) = range_optimum(exp(Fraction(epsilon)))  # type: ignore[misc]
    form = found.range_form()
    assert float(form.at()) == pytest.approx(25 * value, rel=1e-12)
    assert form.domain.rel_op == ("<=" if epsilon in ("1/10", "7/10") else ">=")


def test_the_ends_of_the_forms_are_the_roots_of_their_conditions() -> None:
    """To the six decimals that a design prints, by SymPy's root search on the conditions of the symbolic room."""
    import sympy as sp

    from rropt.symbolic.designs.mean_designs import FIRST, SECOND
    from rropt.symbolic.symbols import gamma

    roots = [sp.nsolve(each.lhs - each.rhs, gamma, start, prec=30) for each, start in ((FIRST, 2), (SECOND, 4))]
    first, second = (f"{float(sp.log(root)):.6f}" for root in roots)
    told = [range_optimum(exp(epsilon))[1] for epsilon in (0.5, 1)]  # type: ignore[index]
    assert told[0].endswith(f"up to epsilon = {first}")
    assert told[1].endswith(f"from epsilon = {first} to {second}")


@pytest.mark.slow
def test_beyond_the_second_regime_there_is_no_form() -> None:
    from rropt.symbolic.designs.mean_designs import second_form
    from rropt.symbolic.symbols import gamma

    assert design_mean(2, range=(-1, 1), points=5, fast=True).range_form() is None
    assert design_mean(1, values=[1, 2], fast=True).range_form() is None
    assert float(second_form().subs(gamma, exp(2))) == pytest.approx(range_lower_bound(exp(2)), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_a_cone_program_of_the_grid_brackets_the_forms(epsilon: float) -> None:
    """Over thresholds and their mirror images at first, then all rows: an optimum of the 5 numbers, and h^2/4 above it.

    The cone program has one weight and one mean value for each of the 2^5 rows, and no grid of reports.
    """
    from itertools import product

    import cvxpy as cp

    k = 5
    x, gamma = np.linspace(-1, 1, k), exp(epsilon)
    rows = np.array(list(product((1.0, gamma), repeat=k))).T
    u, m, s = (cp.Variable(rows.shape[1]) for _ in range(3))
    worst = cp.Variable()
    cones = [cp.SOC(u + s, cp.vstack([2 * m, u - s]), axis=0), u >= 0]
    cp.Problem(cp.Minimize(worst), [rows @ u == 1, rows @ m == x, rows @ s - x**2 <= worst, *cones]).solve(
        solver=cp.CLARABEL
    )
    found = design_mean(str(epsilon), range=(-1, 1), points=k, fast=True)
    assert float(found.lower) == pytest.approx(float(worst.value), rel=1e-6)
    assert worst.value - 1e-6 <= float(found.range_form().at()) <= worst.value + 1 / 16 + 1e-6
