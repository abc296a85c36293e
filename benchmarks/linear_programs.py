"""Exact linear programs: the trace problem at growing size, and programs that are harder than they look.

    python benchmarks/linear_programs.py [--large]

The trace problem: maximise `sum w_i p_ii` subject to `t_i <= p_ij <= gamma t_i`, columns that sum to 1; 2k^2 + k rows,
k^2 + k variables. Required: exact with gap 0 at k = 60 under 2 s and at k = 100 under 10 s, for every gamma from
1 + 10^-9 to 10^9, with equal weights (where the optimum is k gamma / (gamma + k - 1), and is compared) and with
general ones. `build` writes the program down, `solve` is everything from there to the verified answer, `verify` the
exact proof once more, alone. `bits` is the longest integer in the primal and in the dual answer. `HiGHS` is the float
solver by itself on the rows as they stand, default settings; what it calls the optimum may be wrong (`error`). Beyond
k = 60 it takes up to half a minute and is run with `--large` only.

One process, one thread: HiGHS is told so, SuperLU and FLINT are sequential by default. Times are single runs.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import highspy
import numpy as np

from rropt.core.linear import (
    Infeasible,
    LinearProgram,
    Optimal,
    Outcome,
    ProgramBuilder,
    Row,
    solve,
    verify_infeasible,
    verify_optimal,
)

GAMMAS = {
    "1+1e-9": 1 + Fraction(1, 10**9),
    "1+1e-6": 1 + Fraction(1, 10**6),
    "1.001": Fraction(1001, 1000),
    "3/2": Fraction(3, 2),
    "3": Fraction(3),
    "100": Fraction(100),
    "1e4": Fraction(10**4),
    "1e9": Fraction(10**9),
}
LIMITS = {60: 2.0, 100: 10.0}


def nonzeros(program: LinearProgram) -> int:
    """Return the number of stored coefficients of the rows."""
    return sum(len(row.columns) for row in program.rows)


def trace(gamma: Fraction, weights: list[Fraction]) -> LinearProgram:
    k = len(weights)
    builder = ProgramBuilder("maximise")
    p = [[builder.variable(f"p[{i},{j}]", cost=weights[i] if i == j else 0) for j in range(k)] for i in range(k)]
    t = [builder.variable(f"t[{i}]") for i in range(k)]
    for i in range(k):
        for j in range(k):
            builder.row(f"low[{i},{j}]", {p[i][j]: 1, t[i]: -1}, ">=", 0)
            builder.row(f"high[{i},{j}]", {p[i][j]: Fraction(1), t[i]: -gamma}, "<=", 0)
    for j in range(k):
        builder.row(f"column[{j}]", {p[i][j]: 1 for i in range(k)}, "=", 1)
    return builder.build()


def staircase(k: int, gamma: Fraction) -> LinearProgram:
    """Total variation between two populations: 2^k columns with entries 1 and gamma, k equalities."""
    total = k * (k + 1) // 2
    difference = [Fraction(2 * i - k + 1, total) for i in range(k)]
    builder = ProgramBuilder("maximise")
    for pattern in range(2**k):
        height = sum((d * (gamma if pattern >> i & 1 else 1) for i, d in enumerate(difference)), Fraction(0))
        builder.variable(f"{pattern:0{k}b}", cost=abs(height) / 2)
    for i in range(k):
        terms = {pattern: gamma if pattern >> i & 1 else Fraction(1) for pattern in range(2**k)}
        builder.row(f"mass {i}", terms, "=", 1)
    return builder.build()


def timed(work: Callable[[], object]) -> tuple[object, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def proved(program: LinearProgram, outcome: Outcome) -> bool:
    if isinstance(outcome, Optimal):
        return verify_optimal(program, outcome.primal, outcome.dual) is None
    return verify_infeasible(program, outcome.farkas) is None


def in_floats(program: LinearProgram) -> float:
    """Solve with HiGHS alone, as a user of floats would; only for programs with plain rows."""
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("threads", 1)
    infinity = highspy.kHighsInf
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(program.variables), len(program.rows)
    model.sense_ = highspy.ObjSense.kMaximize if program.sense == "maximise" else highspy.ObjSense.kMinimize
    model.col_cost_ = np.array([float(variable.cost) for variable in program.variables])
    model.col_lower_ = np.array([0.0 if v.sign == "nonnegative" else -infinity for v in program.variables])
    model.col_upper_ = np.full(len(program.variables), infinity)
    model.row_lower_ = np.array([-infinity if row.relation == "<=" else float(row.rhs) for row in program.rows])
    model.row_upper_ = np.array([infinity if row.relation == ">=" else float(row.rhs) for row in program.rows])
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = np.cumsum([0, *(len(row.columns) for row in program.rows)]).astype(np.int32)
    matrix.index_ = np.array([j for row in program.rows for j in row.columns], dtype=np.int32)
    matrix.value_ = np.array([float(value) for row in program.rows for value in row.values])
    solver.passModel(model)
    solver.run()
    return float(solver.getInfo().objective_function_value)


def trace_table(sizes: list[int], most_floats: int) -> None:
    heads = ("k", "gamma", "weights", "nonzeros", "build", "solve", "verify", "route", "bits", "HiGHS", "error", "")
    print("{:>4} {:>7} {:>8} {:>9} {:>6} {:>6} {:>6}  {:<14}{:>9} {:>7} {:>9}  {}".format(*heads))
    for k in sizes:
        generator = random.Random(1)
        general = [Fraction(generator.randint(1, 99), 10) for _ in range(k)]
        for name, gamma in GAMMAS.items():
            for kind, weights in (("equal", [Fraction(1)] * k), ("general", general)):
                trace_line(k, name, gamma, kind, weights, k <= most_floats)


def trace_line(k: int, name: str, gamma: Fraction, kind: str, weights: list[Fraction], floats: bool) -> None:
    program, build = timed(lambda: trace(gamma, weights))
    assert isinstance(program, LinearProgram)
    outcome, seconds = timed(lambda: solve(program))
    assert isinstance(outcome, Optimal)
    true, verify = timed(lambda: proved(program, outcome))
    exact = kind == "general" or outcome.value == k * gamma / (gamma + k - 1)
    verdict = "proved" if true and exact and seconds < LIMITS.get(k, float("inf")) else "NOT AS REQUIRED"
    bits = "/".join(str(max(map(abs, x.numerators)).bit_length()) for x in (outcome.primal, outcome.dual))
    alone = "      -         -"
    if floats:
        approximate, float_seconds = timed(lambda: in_floats(program))
        assert isinstance(approximate, float)
        alone = f"{float_seconds:>7.2f} {abs(approximate / float(outcome.value) - 1):>9.1e}"
    print(
        f"{k:>4} {name:>7} {kind:>8} {nonzeros(program):>9} {build:>6.2f} {seconds:>6.2f} {verify:>6.2f}  "
        f"{outcome.route:<14}{bits:>9} {alone}  {verdict}",
        flush=True,
    )


def harder_programs() -> list[tuple[str, LinearProgram]]:
    """Return programs in which doubles see no difference, and some that are merely large."""
    k, gamma = 60, Fraction(3)
    ones, best, hair = [Fraction(1)] * k, k * gamma / (gamma + k - 1), Fraction(1, 10**30)
    plain = trace(gamma, ones)
    diagonal = tuple(i * k + i for i in range(k))
    above, below = (Row("demand", diagonal, tuple(ones), ">=", best + step) for step in (hair, -hair))
    rowless = replace(plain, rows=tuple(row for row in plain.rows if not row.label.startswith("column")))
    return [
        ("trace, k = 60, optimum + 1e-30 demanded", replace(plain, rows=(*plain.rows, above))),
        ("trace, k = 60, optimum - 1e-30 demanded", replace(plain, rows=(*plain.rows, below))),
        ("trace, k = 60, columns without a sum", rowless),
        ("trace, k = 60, gamma = 1 + 1e-12", trace(1 + Fraction(1, 10**12), ones)),
        ("trace, k = 30, gamma = 1 + 1e-30", trace(1 + hair, ones[:30])),
        ("staircase, 2^12 columns", staircase(12, gamma)),
        ("staircase, 2^14 columns", staircase(14, gamma)),
    ]


def harder_table() -> None:
    print(f"\n{'program':<42} {'rows':>6} {'columns':>8} {'nonzeros':>9} {'solve':>6}  answer")
    for name, program in harder_programs():
        outcome, seconds = timed(lambda program=program: solve(program))  # type: ignore[misc]
        assert isinstance(outcome, Optimal | Infeasible)
        words = f"optimal, {outcome.route}" if isinstance(outcome, Optimal) else type(outcome).__name__.lower()
        verdict = "proved" if proved(program, outcome) else "NOT PROVED"
        shape = f"{len(program.rows):>6} {len(program.variables):>8} {nonzeros(program):>9}"
        print(f"{name:<42} {shape} {seconds:>6.2f}  {words}: {verdict}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true", help="also k = 150, and the float solver at every size")
    large = parser.parse_args().large
    print(f"Python {platform.python_version()}, HiGHS {highspy.Highs().version()}, {platform.machine()}, one thread\n")
    trace_table([20, 60, 100, *([150] if large else [])], 150 if large else 60)
    harder_table()


if __name__ == "__main__":
    main()
