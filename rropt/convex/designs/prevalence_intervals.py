"""Binary designs over an interval of prevalences: the minimax value and the minimax regret, for delta = 0.

The minimax value is the program of ``saddle_designs`` for two categories; its vertices are the ends of the interval.
The regret at a prevalence is n Var minus its minimum; it is largest at an end of the interval, and ``n Var =
1/information`` is convex in the weights of the rows. With delta > 0, three outputs may be better than two, whose value
is not convex.
"""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import Solved, compare, explained, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import INSIDE, Twin, short


def to_cvxpy(solution: Any) -> cp.Problem:
    """Return the second-order cone program of the minimax value.

    Raises:
        UnsupportedProblemError: delta > 0, where no convex program is known.
    """
    ends, gamma = np.array(_ends(solution)), _gamma(solution)
    rows, middle = np.array([[1.0, 1 / gamma], [1 / gamma, 1.0]]), ends.mean()
    w, q = cp.Variable(2, nonneg=True, name="weights"), cp.Variable(2, nonneg=True, name="squares")
    b, d, t = cp.Variable(2, name="estimates"), cp.Variable(name="centre"), cp.Variable(name="worst")
    curved = [cp.SOC(q[i] + w[i], cp.hstack([2 * b[i], q[i] - w[i]])) for i in range(2)]
    chances = np.outer(1 - ends, rows[:, 0]) + np.outer(ends, rows[:, 1])
    unbiased = [rows.T @ w == 1, rows.T @ b == np.array([-middle, 1 - middle]), *_symmetric(solution, w)]
    program = cp.Problem(cp.Minimize(d**2 + t), [*unbiased, *curved, chances @ q - 2 * d * (ends - middle) <= t])
    return explained(program, _listed(rows))


def _listed(rows: Any) -> cp.Parameter:
    return cp.Parameter(rows.shape, name="rows", value=rows)


def _symmetric(solution: Any, w: Any) -> list[Any]:
    """Return the condition of Warner's family."""
    return [w[0] == w[1]] if solution.region.family == "warner" else []


def regret_program(solution: Any) -> cp.Problem:
    """Return the program of the minimax regret; it contains the optima at the ends, which two further programs find."""
    gamma = _gamma(solution)
    rows = np.array([[1.0, 1 / gamma], [1 / gamma, 1.0]])
    w = cp.Variable(2, nonneg=True, name="weights")
    limits = [rows.T @ w == 1, *_symmetric(solution, w)]
    steps = (rows[:, 1] - rows[:, 0]) ** 2
    size = float(steps.sum())
    variances = []
    for prevalence in _ends(solution):
        information = steps / size / (rows @ [1 - prevalence, prevalence])
        variances.append(cp.inv_pos(information @ w))
    best = [solve(cp.Problem(cp.Minimize(each), limits)).value for each in variances]
    excess = cp.maximum(*(each - least for each, least in zip(variances, best, strict=True)))
    return explained(cp.Problem(cp.Minimize(excess / size), limits), _listed(rows))


def _ends(solution: Any) -> tuple[float, float]:
    return float(solution.interval.low), float(solution.interval.high)


def _gamma(solution: Any) -> float:
    if solution.region.delta.rational != 0:
        raise UnsupportedProblemError("not convex (two outputs, delta > 0)")
    return float(solution.region.epsilon.exact_gamma())


def cvxpy_twin(solution: Any) -> Twin:
    """Return the minimax value and the minimax regret, compared with their proved bounds."""
    value, regret = solve(to_cvxpy(solution)), solve(regret_program(solution))
    minimax, least = solution.minimax, solution.minimax_regret
    scale, (low, high) = float(minimax.upper), _ends(solution)
    middle = min(max(0.5, low), high)
    direct = middle * (1 - middle)  # the worst case of truthful answers
    twins = [
        compare(value, minimax.lower, minimax.upper, "the minimax value", trivial=(direct,)),
        compare(
            Solved(max(regret.value, 0.0), regret.error, regret.solver),
            least.lower,
            least.upper,
            "the minimax regret",
            size=scale,
        ),
    ]
    # a smaller regret is the accuracy of the solver
    rounded = regret.value if regret.value > 1e-9 * scale else 0.0
    text = f"{value.value:.9g}, regret {rounded:.6g}"
    silent = next((twin for twin in twins if twin.agrees is None), None)
    if silent is not None:
        return Twin("CVXPY", True, text, None, silent.why, solver=silent.solver)
    distances = [float(twin.agrees.split()[-1]) for twin in twins if twin.agrees and twin.agrees != INSIDE]
    return Twin("CVXPY", True, text, f"within {short(max(distances))}" if distances else INSIDE, solver=value.solver)
