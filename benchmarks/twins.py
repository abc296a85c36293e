"""Time of the comparison with CVXPY: beside a user's own CVXPY program, in one run.

``python benchmarks/twins.py`` prints processor times (user and system) and their ratios:

* ``design binary`` as a whole process, beside a process that imports CVXPY and solves a program of 15 lines;
* 0/1 losses, beside the program of a user in the same process;
* many binary designs, in a loop and as a sweep, beside a loop over a program with Parameters.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from statistics import median
from time import process_time
from typing import Any

import rropt

USER = """
import cvxpy as cp, numpy as np
epsilon, pi = 1.0, 0.1
g = np.exp(epsilon)
R = np.array([[1, 1], [g, 1], [1, g], [g, g]])
w = cp.Variable(4, nonneg=True)
info = np.array([(r[1] - r[0]) ** 2 / (r @ [1 - pi, pi]) for r in R])
problem = cp.Problem(cp.Maximize(info @ w), [R.T @ w == 1])
problem.solve(solver=cp.CLARABEL)
print(1 / problem.value)
"""


def process(*command: str) -> float:
    """Return the processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def timed(function: Callable[[], Any]) -> float:
    before = process_time()
    function()
    return process_time() - before


def paired(name: str, one: Callable[[], float], other: Callable[[], float], times: int) -> None:
    """Print the median times of two functions, measured in turn, and their ratio."""
    both = [(one(), other()) for _ in range(times)]
    a, b = (median(each[i] for each in both) for i in (0, 1))
    print(f"{name:60} {1e3 * a:9.1f} ms {1e3 * b:9.1f} ms   ratio {a / b:.2f}", flush=True)


def shares(k: int) -> list[Fraction]:
    weights = [Fraction(1, j + 1) for j in range(k)]
    return [w / sum(weights) for w in weights]


def loss_of_a_user(k: int) -> None:
    import cvxpy as cp
    import numpy as np

    pi, g = np.array([float(p) for p in shares(k)]), np.exp(1)
    P, least = cp.Variable((k, k), nonneg=True), cp.Variable((k, 1), nonneg=True)
    loss = cp.sum(cp.multiply((1 - np.eye(k)) * pi, P))
    cp.Problem(cp.Minimize(loss), [cp.sum(P, axis=0) == 1, least <= P, g * least >= P]).solve(solver=cp.CLARABEL)


def loop_of_a_user(count: int) -> None:
    import cvxpy as cp
    import numpy as np

    gamma, pi = cp.Parameter(pos=True), 0.1
    w = cp.Variable(2, nonneg=True)
    info = cp.CallbackParam(
        callback=lambda: (gamma.value - 1) ** 2 / np.array([gamma.value * (1 - pi) + pi, 1 - pi + gamma.value * pi]),
        shape=(2,),
    )
    program = cp.Problem(cp.Maximize(info @ w), [gamma * w[0] + w[1] <= 1, w[0] + gamma * w[1] <= 1])
    for i in range(count):
        gamma.value = float(np.exp((i + 1) / count * 3))
        program.solve(solver=cp.CLARABEL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="designs in a loop")
    parser.add_argument("--times", type=int, default=5, help="repetitions")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    command = ("-m", "rropt.cli.main", "design", "binary", "--epsilon", "1", "--prevalence", "1/10")
    user = ("-c", USER)
    process(*command), process(*user)
    paired(
        "design binary, beside CVXPY (a whole process)", lambda: process(*command), lambda: process(*user), given.times
    )
    paired("design binary --fast", lambda: process(*command, "--fast"), lambda: process(*user), given.times)
    for k in (10, 20, 30):
        problem = rropt.Problem.kary(epsilon=1, objective="loss:zero-one", population=shares(k))
        loss_of_a_user(k), rropt.solve(problem)
        from rropt.convex.designs.problem import _KEPT

        def fresh(problem: Any = problem) -> None:
            _KEPT.clear()
            rropt.solve(problem)

        paired(f"0/1 loss, k = {k}", lambda: timed(fresh), lambda k=k: timed(lambda: loss_of_a_user(k)), given.times)
    epsilons = [Fraction(3 * (i + 1), given.count) for i in range(given.count)]

    def loop() -> None:
        for epsilon in epsilons:
            rropt.design.binary("1/10", epsilon=epsilon)

    def sweep() -> None:
        rropt.sweep(rropt.design.binary, epsilon=epsilons, prevalence="1/10")

    for name, own in (("a loop", loop), ("a sweep", sweep)):
        paired(
            f"{given.count} binary designs, {name}",
            lambda own=own: timed(own),
            lambda: timed(lambda: loop_of_a_user(given.count)),
            1,
        )


if __name__ == "__main__":
    main()
