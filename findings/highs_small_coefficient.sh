#!/bin/sh
# HiGHS in SciPy 1.17.1 and CVXPY 1.9.3: a coefficient of 1e-9 or less is dropped, and the slacks of the answer are those without it.
#
# The largest odds of a private mechanism, p(y|x)/p(y|x'), by the usual program for ratios (Charnes and Cooper): the denominator is fixed
# at 1, and exp(-epsilon) * odds <= 1. At epsilon = 22 the coefficient is 2.8e-10. Expected: odds of exp(22) = 3.6e9, or a warning.
# Seen: 1e12, the limit of the variable, with the status "optimal" and a slack of 1, where the true slack is -278. It is no matter
# of a tolerance: the row is left out. The same row, multiplied by exp(22), gives the right answer.
. "$(dirname "$0")/install.sh"
install cvxpy==1.9.3 highspy==1.16.0 scs==3.3.1 numpy==2.4.6 scipy==1.17.1
"$PYTHON" - <<'PYTHON'
import math

import cvxpy
from scipy.optimize import linprog

LIMIT = 1e12  # of the odds


def by_scipy(epsilon, scale=1.0, method="highs"):
    """Return the largest odds, and the slack of the private row as SciPy states it."""
    found = linprog([-1], A_ub=[[math.exp(-epsilon) * scale]], b_ub=[scale], bounds=[(0, LIMIT)], method=method)
    assert found.success and found.status == 0, found.message
    return found.x[0], found.ineqlin.residual[0]


odds, slack = by_scipy(20)  # a coefficient of 2.1e-9
print(f"epsilon 20: log odds {math.log(odds):.6f}")
assert abs(math.log(odds) - 20) < 1e-6  # 1e-6: tolerances of the solver
for method in ("highs", "highs-ds", "highs-ipm"):
    odds, slack = by_scipy(22, method=method)
    true_slack = 1 - math.exp(-22) * odds
    print(f"epsilon 22, {method}: log odds {math.log(odds):.6f}, slack {slack}, true slack {true_slack:.1f}")
    assert odds == LIMIT and slack == 1 and true_slack < -277, (odds, slack)
odds, slack = by_scipy(22, scale=math.exp(22))
print(f"epsilon 22, the row multiplied by exp(22): log odds {math.log(odds):.6f}")
assert abs(math.log(odds) - 22) < 1e-6

odds = cvxpy.Variable(nonneg=True)
for solver, expected in (("HIGHS", math.log(LIMIT)), ("SCS", 22)):
    problem = cvxpy.Problem(cvxpy.Maximize(odds), [math.exp(-22) * odds <= 1, odds <= LIMIT])
    problem.solve(solver=solver)
    print(f"CVXPY, {solver}: {problem.status}, log odds {math.log(odds.value):.6f}")
    assert problem.status == "optimal"
    assert abs(math.log(odds.value) - expected) < 1e-3  # 1e-3: SCS is a first-order solver
print("seen: the private row is left out, and the answer is called optimal")
PYTHON
