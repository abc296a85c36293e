"""Linear design problems with k inputs through CVXPY: one linear program, solved by an interior-point method.

Trace and loss are linear in P, and the region is a polytope. So the design is a linear program: minimize ``c x``
subject to ``A x >= b``, ``E x = 1``, x >= 0, with the rows of FORMAT.md, rule 3. Clarabel solves it by an
interior-point method, whereas the exact route uses the simplex method.

The rational bracket relies neither on the accuracy of the solver nor on the rows. ``rounding`` computes a mechanism
that is private at the lower level by the definition, and multipliers that prove a bound at the upper level. The checker
verifies this bound with rows that it derives from the problem. The bracket is about 1e-8 wide. If the solver fails, it
is wide but valid.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.linear_programs import DesignProgram, first_pairs, write_program
from rropt.designs.problem import Problem
from rropt.designs.rounding import round_dual, rounded_result
from rropt.designs.solution import RouteResult
from rropt.privacy.region import RationalLevels


def solve_design_convex(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return a rational bracket of the optimum, with the mechanism and the dual that prove it.

    Args:
        problem: of objective ``trace`` or ``loss``.
        levels: the lower and the upper rational level of the problem.

    >>> from rropt.objectives import Trace
    >>> from rropt.privacy import PrivacyRegion
    >>> problem = Problem(PrivacyRegion("log(3)", inputs=4, outputs=4), Trace([1] * 4), ["1/4"] * 4)
    >>> result = solve_design_convex(problem, problem.region.bracket(24))
    >>> result.lower <= 2 <= result.upper, round(float(result.upper), 6)
    (True, 2.0)
    """
    pairs = first_pairs(problem)
    above = DesignProgram.of(problem, levels, "above", pairs)
    primal, dual = _solved(above)
    rounded = rounded_result(problem, levels, pairs, primal, dual)
    if rounded is not None:
        return rounded
    # P cannot be rounded to a private mechanism: the other endpoint is the worst cost of any mechanism
    _, bound = round_dual(above, dual)
    worst = sum((max(column) for column in zip(*above.costs, strict=True)), Fraction(0))
    lower, upper = (bound, worst) if above.sign > 0 else (-worst, -bound)
    return RouteResult(lower=lower, upper=upper)


def _solved(design: DesignProgram) -> tuple[list[list[float]], dict[int, float]]:
    """Return P and the multipliers by row index of the certificate; uniform P and {} if the solver fails."""
    from scipy.sparse import csr_array

    cp = load_cvxpy()
    written = write_program(design)
    rows, variables = written.program.rows, written.program.variables
    matrix = csr_array(
        (
            [float(value) for row in rows for value in row.values],
            [column for row in rows for column in row.columns],
            np.cumsum([0, *(len(row.columns) for row in rows)]),
        ),
        shape=(len(rows), len(variables)),
    )
    sign = np.array([{">=": 1.0, "<=": -1.0, "=": 0.0}[row.relation] for row in rows])
    costs = np.array([float(variable.cost) for variable in variables])
    scale = float(np.abs(costs).max()) or 1.0

    x = cp.Variable(len(variables), nonneg=True)
    slack = matrix @ x - np.array([float(row.rhs) for row in rows])
    one_sided = sign != 0
    conditions = [cp.multiply(sign[one_sided], slack[one_sided]) >= 0, slack[~one_sided] == 0]
    program = cp.Problem(cp.Minimize(costs / scale @ x), conditions)
    m, k = design.shape
    is_answered = is_solved(program)
    found = x.value, conditions[0].dual_value
    if not is_answered or any(value is None or not np.isfinite(value).all() for value in found):
        return [[1 / m] * k] * m, {}
    places, y = np.array(written.places)[one_sided], scale * sign[one_sided] * found[1]
    return found[0][: m * k].reshape(m, k).tolist(), dict(zip(places.tolist(), y.tolist(), strict=True))
