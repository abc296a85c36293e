"""Optimal designs as SymPy expressions, for problems with a theorem.

* Smallest variance of a prevalence under (epsilon, delta): Holohan, Leith and Mason (2016), Theorems 2 to 4. The design
  is the point p00 = p11, or a corner if ``min(pi, 1 - pi)`` is below the threshold g of (23) (``two_inputs``).
* A sum over outputs of a function of rows in {1, gamma}^k: the staircase rows of the design, as expressions.
* At equal proportions, subset selection: the output is a subset of d of the k categories, gamma times as likely if it
  contains the true one. The information has one eigenvalue on all contrasts, so n Var of each unit contrast is
  ``v(d) = (k - 1) (d gamma + k - d)^2 / (k (gamma - 1)^2 d (k - d))``. The trace of the covariance is ``(k - 1) v``,
  and ``ln det M = ln k - (k - 1) ln v`` (Ye and Barg, Optimal schemes for discrete distribution estimation under
  locally differential privacy, IEEE Trans. Inf. Theory 64 (2018)).
* Weighted trace, and every loss that is equivalent to one: ``weighted_trace``, which contains the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS
from rropt.core.mappings import ReadOnlyMapping
from rropt.designs import formulas
from rropt.mechanisms.families.memberships import contrast_variance
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.objectives.staircase_forms import StaircaseForm, in_symbols

if TYPE_CHECKING:
    import sympy as sp

    from rropt.designs.problem import Problem
    from rropt.mechanisms import Mechanism

_MOST_ROWS = 300  # of a symbolic matrix

Trace = tuple[list[Fraction], list[Fraction]]  # weights w, offsets b: minimize the cost ``b_j - w_j [i = j]``


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A design and its value as symbolic expressions.

    Attributes:
        theorem: the theorem and its source, with the case that applies.
        mechanism: P (rows are outputs) in the symbols epsilon and delta.
        value: the objective at the mechanism, in these symbols and the prevalence pi.
        parameters: the exact values of the symbols in the problem.

    >>> from rropt import solve
    >>> from rropt.designs import binary_problem
    >>> form = solve(binary_problem(epsilon="log(3)", prevalence="1/4")).closed_form()
    >>> form.mechanism[0, 0], form.evaluated()[1]
    ((delta + exp(epsilon))/(exp(epsilon) + 1), 15/16)
    """

    theorem: str
    mechanism: sp.ImmutableMatrix
    value: sp.Expr
    parameters: Mapping[sp.Symbol, sp.Expr]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", ReadOnlyMapping(self.parameters))

    def evaluated(self) -> tuple[sp.ImmutableMatrix, sp.Expr]:
        """Return mechanism and value at the parameters of the problem, exactly."""
        values = dict(self.parameters)
        return self.mechanism.subs(values), self.value.subs(values)

    def __str__(self) -> str:
        return f"{self.theorem}\nmechanism {self.mechanism.tolist()}\nvalue {self.value}"


def symbols() -> tuple[sp.Symbol, sp.Symbol, sp.Symbol]:
    """Return the symbols epsilon, delta and pi that closed forms use."""
    import sympy

    return tuple(sympy.Symbol(name, nonnegative=True) for name in ("epsilon", "delta", "pi"))


def binary_form(problem: Problem, optimum: Mechanism) -> ClosedForm:
    """Return the closed form of an optimal binary design: the point p00 = p11, or the corner that is optimal."""
    import sympy

    region = problem.region.one_level()
    epsilon, delta, pi = symbols()
    gamma = sympy.exp(epsilon)
    diagonal = _over(formulas.diagonal_probability(gamma, delta))
    p00, p11, value, point = (
        (diagonal, diagonal, formulas.diagonal_variance(gamma, delta, pi), "the point p00 = p11")
        if optimum.p00 == optimum.p11
        else (1, delta, formulas.corner_p00_variance(delta, pi), "the corner p00 = 1")
        if optimum.p00 == 1
        else (delta, 1, formulas.corner_p11_variance(delta, pi), "the corner p11 = 1")
    )
    return ClosedForm(
        f"Holohan, Leith and Mason (2016), Theorems 2 to 4: {point}",
        sympy.ImmutableMatrix([[p00, 1 - p11], [1 - p00, p11]]),
        _over(value),
        {**levels_of(region), pi: sympy.Rational(problem.prevalence)},
    )


def four_rows(gamma: Any, delta: Any) -> list[tuple[Any, Any]]:
    """Return the rows of the four-output mechanism, over any field: certainly no, rather no, rather yes, surely yes."""
    zero = 0 * delta
    likely, unlikely = (1 - delta) * gamma / (1 + gamma), (1 - delta) / (1 + gamma)
    return [(delta, zero), (likely, unlikely), (unlikely, likely), (zero, delta)]


def four_answers_form(problem: Problem, mechanism: Mechanism) -> ClosedForm:  # a form of a way
    """Return the closed form of the four-output mechanism, which is optimal for two inputs, and its n Var."""
    import sympy

    epsilon, delta, pi = symbols()
    gamma = sympy.exp(epsilon)
    spread, lean = pi * (1 - pi), (gamma - 1) ** 2
    information = delta / spread + (1 - delta) * lean / (gamma + lean * spread)
    return ClosedForm(
        "rropt.any-output (argued): the truth with probability delta, else randomized response at epsilon",
        sympy.ImmutableMatrix(four_rows(gamma, delta)),
        problem.objective.prevalence_times / information,
        {**levels_of(problem.region.one_level()), pi: sympy.Rational(problem.prevalence)},
    )


def staircase_form(problem: Problem, mechanism: Mechanism) -> ClosedForm:
    """Return the closed form of a design with linearly independent rows ``theta_j S_j``, S_j in {1, gamma}^k.

    Let b_j in {0, 1}^k mark the entries of S_j that are gamma. Then ``sum_j theta_j S_j = 1`` iff
    ``theta = x/(gamma - 1 + sum x)`` for the x with ``sum_j x_j b_j = 1``. So the staircase rows determine the
    mechanism at every level at which they are optimal.

    Raises:
        UnsupportedProblemError: the rows are dependent, or the objective is a variance of more than a binary contrast
            at another mechanism than k-ary randomized response.
    """
    import sympy

    bits = [_bits(row) for row in mechanism.matrix]
    x = consistent_solution([[Fraction(b[i]) for b in bits] for i in range(len(bits[0]))], [Fraction(1)] * len(bits[0]))
    epsilon = symbols()[0]
    gamma, k = sympy.exp(epsilon), len(bits[0])
    value = None
    if x is not None and sympy.Matrix(bits).rank() == len(bits):
        theta = [in_symbols(each) / (gamma - 1 + in_symbols(sum(x, Fraction(0)))) for each in x]
        value = problem.objective.staircase_value(StaircaseForm(bits, theta, gamma, problem.population))
    if value is None:
        raise UnsupportedProblemError(
            f"no theorem gives the {problem.objective.kind} design in symbols: received {problem}; its mechanism "
            f"has {len(bits)} outputs; exact numbers are in .mechanism and .value"
        )
    rows = [[t * (gamma if bit else 1) for bit in b] for t, b in zip(theta, bits, strict=True)]
    theorem = "Kairouz, Oh and Viswanath (2016): k staircase rows of 1 and gamma are optimal, these at this level"
    if problem.objective.sense == "minimise":
        theorem = (
            "k-ary randomized response, best at this level" if k > 2 and len(bits) == k else "one proportion: binary"
        )
    level = levels_of(problem.region.one_level())[epsilon]
    return ClosedForm(theorem, sympy.ImmutableMatrix(rows), value, {epsilon: level})


def _bits(row: Sequence[Fraction]) -> list[int]:
    least = min(row)
    return [int(x > least) for x in row]


def equal_shares_form(problem: Problem, mechanism: Mechanism) -> ClosedForm:
    """Return the closed form of subset selection at equal proportions, and that of staircase rows in other cases.

    Of more than 300 outputs only the first row is written.
    """
    import sympy

    (m, k), gamma = mechanism.shape, sympy.exp(symbols()[0])
    shown = [_bits(mechanism.row(i)) for i in range(m if m <= _MOST_ROWS else 1)]
    d = sum(shown[0])
    if len(set(problem.population)) > 1 or m != comb(k, d) or any(sum(row) != d for row in shown):
        return staircase_form(problem, mechanism)
    theta = sympy.Rational(k, m) / (d * gamma + k - d)
    v = contrast_variance(sympy.Integer(k), d, gamma)
    first = "" if m <= _MOST_ROWS else "; of its rows the first is given, the others are its rearrangements"
    return ClosedForm(
        f"rropt.subset-selection (argued): at equal proportions the subsets of {d} of {k}, with equal weights{first}",
        sympy.ImmutableMatrix([[theta * (gamma if bit else 1) for bit in row] for row in shown]),
        problem.objective.subset_value(sympy.Integer(k), v),
        levels_of(problem.region.one_level()),
    )


def three_answers_form(problem: Problem, pair: tuple[int, int]) -> ClosedForm:
    """Return the closed form of the four-output mechanism with two of its outputs merged, and its n Var."""
    import sympy

    epsilon, delta, pi = symbols()
    rows = four_rows(sympy.exp(epsilon), delta)
    one = tuple(x + y for x, y in zip(rows[pair[0]], rows[pair[1]], strict=True))
    rows = [one if y == pair[0] else row for y, row in enumerate(rows) if y != pair[1]]
    terms = [sympy.cancel((b - a) ** 2 / (a * (1 - pi) + b * pi)) for a, b in rows]
    return ClosedForm(
        "rropt.garbling-of-four (argued): two of the four outputs merged; the information is convex in the garbling",
        sympy.ImmutableMatrix(rows),
        1 / sum(terms),
        {**levels_of(problem.region.one_level()), pi: sympy.Rational(problem.prevalence)},
    )


def trace_form(problem: Problem, mechanism: Mechanism) -> ClosedForm:  # a form of a way
    """Return the closed form of the largest weighted trace.

    The m categories of largest weight are reported truthfully more often than the others.

    Raises:
        UnsupportedProblemError: the problem is not a weighted trace.
    """
    import sympy

    trace = weighted_trace_of(problem)
    if trace is None:
        raise UnsupportedProblemError(
            f"no theorem gives this design in closed form: received {problem}; allowed are the least variance of a "
            "binary design, and weighted traces, under one privacy level"
        )
    region, (weights, offsets) = problem.region.one_level(), trace
    _, chosen = largest_trace([(1, w) for w in weights], region.bracket(FIRST_BRACKET_DIGITS).below.gamma)
    epsilon, delta, _ = symbols()
    m, k, gamma = len(chosen), len(weights), sympy.exp(epsilon)
    told = sum(sympy.Rational(weights[i]) for i in chosen)
    value = delta * sum(map(sympy.Rational, weights)) + told * gamma * (1 - delta) / (gamma + m - 1)
    sign = 1 if problem.objective.sense == "minimise" else -1
    return ClosedForm(
        f"Chai and Nayak (2018), Theorem 4.4, for any weights: {m} of {k} outputs are given at every truth",
        sympy.ImmutableMatrix(trace_rows(chosen, k, gamma, delta)),
        sign * (sum(map(sympy.Rational, offsets)) - value),
        levels_of(region),
    )


def levels_of(region: Any) -> dict[sp.Symbol, sp.Expr]:
    """Return the values of the symbols epsilon and delta at the level of a region."""
    import sympy

    at, slack, (epsilon, delta, _) = region.epsilon, region.delta, symbols()
    level = sympy.Rational(at.times) * (sympy.log(sympy.Rational(at.base)) if at.kind == "log" else 1)
    return {
        epsilon: level,
        delta: sympy.exp(sympy.Rational(slack.exponent)) if slack.rational is None else sympy.Rational(slack.rational),
    }


def _over(pair: tuple[Any, Any]) -> sp.Expr:
    import sympy

    return sympy.factor(pair[0]) / sympy.factor(pair[1])


def largest_trace(runs: Sequence[tuple[int, Fraction]], gamma: Fraction) -> tuple[Fraction, frozenset[int]]:
    """Return ``V = max_m gamma W_m / (gamma + m - 1)``, and the runs of the m largest weights that attain it.

    >>> value, chosen = largest_trace([(1, Fraction(1)), (1, Fraction(1, 10)), (1, Fraction(1, 2))], Fraction(3))
    >>> str(value), sorted(chosen), float(value)
    ('9/8', [0, 2], 1.125)
    """
    order = sorted(range(len(runs)), key=lambda i: -runs[i][1])
    best, size, count, total = Fraction(-1), 0, 0, Fraction(0)
    for place, i in enumerate(order, start=1):
        n, w = runs[i]
        count, total = count + n, total + n * w
        value = gamma * total / (gamma + count - 1)
        if value > best or (value == best and gamma > 1):
            best, size = value, place
    return best, frozenset(order[:size])


def trace_rows(chosen: frozenset[int], k: int, gamma: Any, delta: Any) -> list[list[Any]]:
    """Return P of the largest weighted trace over any field: only the chosen categories are outputs of every input."""
    m, zero = len(chosen), 0 * delta
    rare, uniform = (1 - delta) / (gamma + m - 1), (1 - delta) / m
    told = gamma * rare + delta

    def entry(i: int, j: int) -> Any:
        if j in chosen:
            return told if i == j else rare if i in chosen else zero
        return uniform if i in chosen else delta if i == j else zero

    return [[entry(i, j) for j in range(k)] for i in range(k)]


def weighted_trace_of(problem: Problem) -> Trace | None:
    """Return the weights and offsets if a problem is a weighted trace; else ``None``."""
    region, objective = problem.region, problem.objective
    if not (objective.is_linear and region.has_one_level and region.family == "all"):
        return None
    if region.inputs != region.outputs:
        return None
    sign = 1 if objective.sense == "minimise" else -1
    costs = [[sign * c for c in row] for row in objective.costs(problem.population)]
    weights, offsets = [], []
    for j in range(region.inputs):
        beside = {row[j] for i, row in enumerate(costs) if i != j}
        offset = beside.pop()
        if beside or costs[j][j] > offset:
            return None
        weights.append(offset - costs[j][j])
        offsets.append(offset)
    return weights, offsets
