"""Time of the comparison with SymPy and CVXPY: beside a user's own CVXPY program, ``python benchmarks/twins.py``.

Processor times of this process or of whole processes, medians of pairs, as lines of the table of peers:

* ``design binary`` as a whole process, beside a process that imports CVXPY and solves a program of 15 lines;
* single designs, each with other proportions, so that nothing is kept, beside the program of a user;
* sweeps of 20 levels, beside one program with Parameters that CVXPY compiles once;
* many binary designs, in a loop and as a sweep, beside such a program.

Each work has a second line for ``fast=True``: what rropt takes without the comparison.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import count
from math import exp
from typing import Any

import cvxpy as cp
import numpy as np
from side_by_side import PAIRS, line, of_process, pairs, seconds

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
SINGLE = {("e-optimal", 6): 6, ("mi", 4): 6, ("d-optimal", 4): 6, ("loss:zero-one", 10): 6}
SWEPT = {("mi", 4): 10, ("loss:zero-one", 10): 10}
LEVELS = [Fraction(i + 3, 20) for i in range(20)]


def shares(k: int, place: int = 0) -> list[Fraction]:
    """Return proportions, which differ from place to place."""
    weights = [Fraction(10, 10 * (j + 1) + place * (j % 2)) for j in range(k)]
    return [w / sum(weights) for w in weights]


def solved_by_rropt(objective: str, pi: list[Fraction], level: object, *, fast: bool) -> float:
    problem = rropt.Problem.kary(epsilon=level, objective=objective, population=pi)
    return float(rropt.solve(problem, fast=fast).value)


def all_rows(k: int, gamma: float) -> np.ndarray:
    return 1.0 + (gamma - 1) * ((np.arange(1, 2**k - 1)[:, None] >> np.arange(k)) & 1)


def information_of_rows(rows: np.ndarray, pi: np.ndarray) -> np.ndarray:
    """Return the mutual information of each row, for weight 1."""
    return (rows * pi * np.log(rows / (rows @ pi)[:, None])).sum(1)


def loss_program(k: int, pi: np.ndarray, gamma: Any) -> cp.Problem:
    P, least = cp.Variable((k, k), nonneg=True), cp.Variable((k, 1), nonneg=True)
    loss = cp.sum(cp.multiply((1 - np.eye(k)) * pi, P))
    return cp.Problem(cp.Minimize(loss), [cp.sum(P, axis=0) == 1, least <= P, gamma * least >= P])


def solved_by_a_user(objective: str, shares: list[Fraction], epsilon: float) -> float:
    """Return the optimum of a program as a user would write it for one problem."""
    k, gamma, pi = len(shares), exp(epsilon), np.array([float(x) for x in shares])
    if objective == "loss:zero-one":
        program = loss_program(k, pi, gamma)
    else:
        rows = all_rows(k, gamma)
        w = cp.Variable(len(rows), nonneg=True)
        conditions = [rows.T @ w == 1]
        products = (rows[:, :, None] * rows[:, None, :] / (rows @ pi)[:, None, None]).reshape(len(rows), k * k)
        M = cp.reshape(products.T @ w, (k, k), order="C")
        if objective == "mi":
            goal = cp.Maximize(information_of_rows(rows, pi) @ w)
        elif objective == "d-optimal":
            goal = cp.Maximize(cp.log_det(M))
        else:
            t = cp.Variable()
            conditions.append(cp.bmat([[t * np.eye(k) + np.outer(pi, pi), np.eye(k)], [np.eye(k), M]]) >> 0)
            goal = cp.Minimize(t)
        program = cp.Problem(goal, conditions)
    program.solve(solver=cp.CLARABEL)
    return float(program.value)


def with_parameters(objective: str, shares: list[Fraction]) -> Callable[[float], float]:
    """Return the optimum as a function of epsilon, of a program that CVXPY compiles once."""
    k, pi = len(shares), np.array([float(x) for x in shares])
    if objective == "loss:zero-one":
        gamma = cp.Parameter(pos=True)
        program = loss_program(k, pi, gamma)

        def put(level: float) -> None:
            gamma.value = level
    else:
        count = 2**k - 2
        rows, phi, w = cp.Parameter((k, count)), cp.Parameter(count), cp.Variable(count, nonneg=True)
        program = cp.Problem(cp.Maximize(phi @ w), [rows @ w == 1])

        def put(level: float) -> None:
            listed = all_rows(k, level)
            rows.value, phi.value = listed.T, information_of_rows(listed, pi)

    def optimum(epsilon: float) -> float:
        put(exp(epsilon))
        program.solve(solver=cp.CLARABEL)
        return float(program.value)

    return optimum


def require_equal(ours: float, theirs: float) -> None:
    """Require that both sides solve the same problem."""
    if abs(ours - theirs) > 1e-6 * max(1.0, abs(ours)):  # Clarabel's default accuracy is 1e-8
        raise ValueError(f"the values differ: {ours} and {theirs}")


def single() -> None:
    """Print the lines of single designs: each one has other proportions."""
    for (objective, k), asked in SINGLE.items():
        require_equal(solved_by_rropt(objective, shares(k), 1, fast=False), solved_by_a_user(objective, shares(k), 1.0))
        for fast in (False, True):
            others = map(partial(shares, k), count(1))

            def ours(kind: str = objective, pi: Any = others, fast: bool = fast) -> float:
                return seconds(partial(solved_by_rropt, kind, next(pi), 1, fast=fast))

            def theirs(kind: str = objective, pi: Any = others) -> float:
                return seconds(partial(solved_by_a_user, kind, next(pi), 1.0))

            mine, peer = pairs(ours, theirs)
            line(f"{objective}, k = {k}{', fast' * fast}", 1e3 * mine, 1e3 * peer, asked, "ms")


def swept() -> None:
    """Print the lines of sweeps of 20 levels; the first sweep of each side is not counted, as in ``pairs``."""
    for (objective, k), asked in SWEPT.items():
        optimum = with_parameters(objective, shares(k))
        require_equal(solved_by_rropt(objective, shares(k), LEVELS[3], fast=True), optimum(float(LEVELS[3])))

        def theirs(optimum: Callable[[float], float] = optimum) -> float:
            return seconds(lambda: list(map(optimum, map(float, LEVELS))))

        for fast in (False, True):

            def ours(kind: str = objective, k: int = k, fast: bool = fast) -> float:
                return seconds(lambda: [solved_by_rropt(kind, shares(k), level, fast=fast) for level in LEVELS])

            mine, peer = pairs(ours, theirs, min(PAIRS, 3))
            work = f"sweep of {len(LEVELS)}, {objective}, k = {k}{', fast' * fast}, each"
            line(work, 1e3 * mine / len(LEVELS), 1e3 * peer / len(LEVELS), asked, "ms")


def loop_of_a_user(levels: int) -> None:
    gamma, pi = cp.Parameter(pos=True), 0.1
    w = cp.Variable(2, nonneg=True)
    info = cp.CallbackParam(
        callback=lambda: (gamma.value - 1) ** 2 / np.array([gamma.value * (1 - pi) + pi, 1 - pi + gamma.value * pi]),
        shape=(2,),
    )
    program = cp.Problem(cp.Maximize(info @ w), [gamma * w[0] + w[1] <= 1, w[0] + gamma * w[1] <= 1])
    for i in range(levels):
        gamma.value = float(np.exp((i + 1) / levels * 3))
        program.solve(solver=cp.CLARABEL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="designs in a loop")
    parser.add_argument("--only", choices=["single", "swept"], help="one group of lines")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.only in (None, "single"):
        single()
    if given.only in (None, "swept"):
        swept()
    if given.only:
        return
    command = [sys.executable, "-m", "rropt", "design", "binary", "--epsilon", "1", "--prevalence", "1/10"]
    user = [sys.executable, "-c", USER]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # writes bytecode
    for words in ([], ["--fast"]):
        mine, theirs = pairs(lambda words=words: of_process([*command, *words])[0], lambda: of_process(user)[0])
        line(" ".join(["design binary, a process", *words]), mine, theirs, 1)
    epsilons = [Fraction(3 * (i + 1), given.count) for i in range(given.count)]
    ways = {
        "loop": lambda: [rropt.design.binary("1/10", epsilon=epsilon) for epsilon in epsilons],
        "sweep": lambda: rropt.sweep(rropt.design.binary, epsilon=epsilons, prevalence="1/10"),
    }
    for name, own in ways.items():
        mine, theirs = pairs(lambda own=own: seconds(own), lambda: seconds(lambda: loop_of_a_user(given.count)), 1)
        line(
            f"{name} of {given.count} binary designs, each",
            1e3 * mine / given.count,
            1e3 * theirs / given.count,
            6,
            "ms",
        )


if __name__ == "__main__":
    main()
