"""The best mechanism of k inputs for what is a sum over answers: a linear programme over the patterns, exactly.

The value of a mechanism is ``sum_i f(p_i)`` over its rows with f convex and homogeneous, so that rows theta_j S_j, S_j
in {1, gamma}^k, are as good as any (FORMAT.md, rule 5; Kairouz, Oh and Viswanath, JMLR 17 (2016), theorem 4):

    maximise  sum_j theta_j f(S_j)   subject to   theta >= 0,   sum_j theta_j S_j = 1.

Its dual: minimise ``sum alpha`` subject to ``f(S) <= alpha . S`` for all patterns. A basis is k patterns. The simplex
method in floats starts at k-ary randomized response; the multipliers of its last basis are worked out exactly, and a
pattern that violates their inequality by however little enters, until there is none: then the basis is optimal.

*Floats.* With ``s_j = S_j . pi`` and b the bits of S, the constraints are ``sum_j theta_j s_j = 1`` and ``sum_j theta_j
(b_j0 - b_ji) = 0``: free of gamma but for s, which may be near 1 or large. The right side is moved by a little, so that
no basis is degenerate; the moved part is gone in the exact mechanism.

*Total variation* has a closed form: f is the absolute value of a linear function, two answers are best, and the optimum
is ``(gamma - 1)/(gamma + 1)`` times the total variation of the two populations (theorem 6 there).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.brackets import logarithm
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.pattern_dual import SumDual
from rropt.designs.convex.free_outputs import by_cvxpy, seconds, states
from rropt.designs.engine.theorems import by_theorem
from rropt.designs.problem import Problem
from rropt.designs.solution import PatternDesign
from rropt.designs.solving import PatternDesigns, Route, is_of_one_population, no_patterns
from rropt.mechanisms import Mechanism
from rropt.objectives import ChiSquare, MutualInformation, TotalVariation
from rropt.objectives.mutual_information import information_digits
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MOST_INPUTS = 12  # 2^k patterns
_PIVOTS = 10_000  # some k 2^(k/2) are made
_SMALL = 1e-6  # of gamma - 1: below it a mutual information is of the second order
_TIGHT, _NEAR = 1e-12, 1e-9  # of floats: reduced costs that are 0, and those that exact numbers must decide
_MOVED = 1e-8  # of the right side


class _Programme(NamedTuple):
    """The patterns at one level, in floats and exactly."""

    gamma: Fraction
    population: tuple[Fraction, ...]
    bits: list[tuple[int, ...]]
    columns: Array  # shape (n, k): s, and the differences of bits
    costs: Array  # f(S), scaled so that the largest is 1
    objective: ChiSquare | MutualInformation | TotalVariation

    def row(self, j: int) -> list[Fraction]:
        """Return S_j."""
        return [self.gamma if bit else Fraction(1) for bit in self.bits[j]]

    def cost(self, j: int) -> Fraction:
        """Return f(S_j), exact, or rounded up far below what is certified."""
        s, objective = self.row(j), self.objective
        if isinstance(objective, MutualInformation):
            return self._information(s)
        apart = dot(s, [p - q for p, q in zip(self.population, objective.against, strict=True)])
        return apart**2 / dot(s, objective.against) if isinstance(objective, ChiSquare) else abs(apart) / 2

    def _information(self, s: Sequence[Fraction]) -> Fraction:
        """Return ``gamma ln gamma pi(T) - s ln s``; 0 of the constant patterns."""
        mean = dot(s, self.population)
        if mean in (1, self.gamma):
            return Fraction(0)
        bits = 4 * information_digits(self.gamma) + self.gamma.numerator.bit_length()
        q = (mean - 1) / (self.gamma - 1)
        value = self.gamma * q * logarithm(self.gamma, bits) - mean * logarithm(mean, bits)
        unit = 2**bits
        return Fraction(round(value * unit), unit)

    @property
    def slack(self) -> Fraction:
        """What alpha . S exceeds f(S) by, so that enclosed logarithms prove it; 0 without logarithms."""
        if not isinstance(self.objective, MutualInformation) or 1 in self.population:
            return Fraction(0)  # at one category all terms are 0, exactly
        logarithms = self.gamma * (self.gamma.numerator // self.gamma.denominator).bit_length()  # gamma log gamma
        return logarithms / Fraction(10) ** (information_digits(self.gamma) - 4)


def _programme(problem: Problem, gamma: Fraction) -> _Programme:
    import numpy as np

    k, objective = problem.region.inputs, problem.objective
    assert isinstance(objective, (ChiSquare, MutualInformation, TotalVariation))
    bits = list(product((0, 1), repeat=k))
    table, step = np.array(bits, dtype=float), float(gamma - 1)
    q = table @ np.array(problem.population, dtype=float)
    if isinstance(objective, MutualInformation):
        large, s = float(gamma) * np.log1p(step), 1 + step * q
        costs = large * q - s * np.log1p(step * q)
        if step < _SMALL:  # of the second order: the first cancels
            costs = step**2 * q * (1 - q) / 2
    else:
        other = table @ np.array(objective.against, dtype=float)
        apart = step * (
            table @ np.array([float(p - r) for p, r in zip(problem.population, objective.against, strict=True)])
        )
        costs = apart**2 / (1 + step * other) if isinstance(objective, ChiSquare) else np.abs(apart) / 2
    columns = np.column_stack([1 + step * q, table[:, :1] - table[:, 1:]])
    return _Programme(gamma, problem.population, bits, columns, costs / (costs.max() or 1.0), objective)


def _pivoted(programme: _Programme, basis: list[int], entering: int | None = None) -> list[int]:
    """Return the basis at which the simplex method in floats ends, from this one, a given pattern entering first."""
    import numpy as np

    columns, costs = programme.columns, programme.costs
    right = np.eye(columns.shape[1])[0] + _MOVED * (np.sqrt(np.arange(2, columns.shape[1] + 2)) % 1)
    lengths = np.abs(columns).sum(1)
    for _ in range(_PIVOTS):
        matrix = columns[basis].T
        theta = np.linalg.solve(matrix, right)
        multipliers = np.linalg.solve(matrix.T, costs[basis])
        reduced = (costs - columns @ multipliers) / lengths
        j = int(np.argmax(reduced)) if entering is None else entering
        if entering is None and reduced[j] <= _TIGHT:
            break
        entering = None
        direction = np.linalg.solve(matrix, columns[j])
        rising = direction > _TIGHT
        if not rising.any():
            break
        steps = np.where(rising, np.maximum(theta, 0) / np.where(rising, direction, 1), np.inf)
        basis = [*basis]
        basis[int(np.argmin(steps))] = j
    return basis


def _multipliers(programme: _Programme, basis: list[int]) -> tuple[list[Fraction], list[int]]:
    """Return the exact alpha of a basis, and the patterns that it violates, the worst first."""
    import numpy as np

    from rropt.core.linear.square_systems import solve_square  # SciPy: only when it is used

    rows, costs = [programme.row(j) for j in basis], [programme.cost(j) for j in basis]
    alpha = list(solve_square(rows, costs))
    floats = np.linalg.solve(programme.columns[basis], programme.costs[basis])
    reduced = programme.costs - programme.columns @ floats
    size = np.abs(programme.costs) + np.abs(programme.columns) @ np.abs(floats)
    near = [int(j) for j in np.flatnonzero(reduced > -_NEAR * size) if int(j) not in set(basis)]
    worse = [(programme.cost(j) - dot(alpha, programme.row(j)), j) for j in near]
    return alpha, [j for excess, j in sorted(worse, reverse=True) if excess > programme.slack / 4]


def _by_simplex(problem: Problem, levels: RationalLevels) -> PatternDesign:
    ends, k = levels.one_level(), problem.region.inputs
    programme = _programme(problem, ends.above.gamma)
    one = {bits: j for j, bits in enumerate(programme.bits)}
    basis = [one[tuple(int(i == j) for j in range(k))] for i in range(k)]
    basis = _pivoted(programme, basis)
    alpha, worse = _multipliers(programme, basis)
    for _ in range(_PIVOTS):
        if not worse:
            break
        basis = _pivoted(programme, basis, worse[0])
        alpha, worse = _multipliers(programme, basis)
    return _proved(problem, levels, programme, basis, alpha)


def _proved(
    problem: Problem, levels: RationalLevels, programme: _Programme, basis: list[int], alpha: list[Fraction]
) -> PatternDesign:
    """Return the mechanism of a basis at the level below, and its multipliers."""
    gamma = levels.one_level().below.gamma
    mechanism = _mechanism([programme.bits[j] for j in basis], gamma)
    if mechanism is None:
        raise UnsupportedProblemError(f"the simplex method lost the way: received {problem}; this is an internal error")
    slack = programme.slack
    alpha = [a + slack * p for a, p in zip(alpha, problem.population, strict=True)]
    return PatternDesign(_value(problem, mechanism, slack), sum(alpha, Fraction(0)), mechanism, SumDual(tuple(alpha)))


def _mechanism(basis: Sequence[Sequence[int]], gamma: Fraction) -> Mechanism | None:
    """Return the mechanism of k independent rows; None if a weight would be negative."""
    from rropt.core.linear.square_systems import solve_square  # SciPy: only when it is used

    rows = [[gamma if bit else Fraction(1) for bit in bits] for bits in basis]
    theta = list(solve_square(list(zip(*rows, strict=True)), [Fraction(1)] * len(rows)))
    return (
        None if min(theta) < 0 else Mechanism([[x * p for p in row] for x, row in zip(theta, rows, strict=True) if x])
    )


def _value(problem: Problem, mechanism: Mechanism, slack: Fraction) -> Fraction:
    """Return the objective less the slack; of mutual information not below 0."""
    value = problem.objective.value(mechanism, problem.population) - slack
    return max(value, Fraction(0)) if isinstance(problem.objective, MutualInformation) else value


def _is_enumerable(problem: Problem) -> bool:
    return problem.region.inputs <= MOST_INPUTS


def _has_theorem(problem: Problem) -> bool:
    return isinstance(problem.objective, TotalVariation)


@dataclass(frozen=True)
class PatternProgrammes(PatternDesigns[PatternDesign]):
    """Designs of the largest mutual information, total variation or chi-square, over all mechanisms under one level.

    The engine solves these problems too, as exact vertices. This class stays because it is the faster way up to six
    categories (1.3 to 3 times, 1 to 5 ms a design): its programme is set up, and its certificate checked, in less time.
    """

    name = "pattern programmes"
    routes = (
        Route("closed-form", by_theorem, _has_theorem),
        Route("convex", by_cvxpy, states, seconds, decides=False),
        Route("exact", _by_simplex, _is_enumerable),
    )
    found = PatternDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether the objective is one of the three, under one level, delta = 0, of few enough categories."""
        few = _is_enumerable(problem) or _has_theorem(problem)
        return self.is_own(problem) and no_patterns(problem) is None and few

    def refusal(self, problem: Problem) -> str | None:
        """Return that delta > 0, or that there are too many categories."""
        if not self.is_own(problem) or self.accepts(problem):
            return None
        return no_patterns(problem) or (
            f"the objective {problem.objective.kind} is solved over staircase rows: received {problem.region.inputs} "
            f"categories; allowed are at most {MOST_INPUTS} categories; merge categories"
        )

    def is_own(self, problem: Problem) -> bool:
        """Return whether the objective is one of the three, of any number of answers."""
        own = is_of_one_population(problem) and not problem.region.outputs
        return own and isinstance(problem.objective, (ChiSquare, MutualInformation, TotalVariation))
