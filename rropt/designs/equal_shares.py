"""Subset selection, the optimal mechanism for k equally likely categories if all proportions matter alike.

The output is a subset of d of the k categories. A subset that contains the true category is gamma times as likely as a
subset that does not. The information matrix M has the eigenvalue k at the uniform vector, and one common eigenvalue on
all contrasts. So n Var of every unit contrast is

    v(d) = (k - 1) (d gamma + k - d)^2 / (k (gamma - 1)^2 d (k - d)).

The trace of the covariance is ``(k - 1) v``, and ``ln det M = ln k - (k - 1) ln v``. The optimal d is the smallest one
with ``gamma^2 d (d + 1) >= (k - d)(k - d - 1)`` (the registry's ``rropt.subset-selection``; Ye and Barg, Optimal
schemes for discrete distribution estimation under locally differential privacy, IEEE Trans. Inf. Theory 64 (2018)).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from rropt.designs.closed_forms import ClosedForm, levels_of, staircase_form, symbols
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.objectives.staircase_forms import contrast_variance

_MOST_ROWS = 300  # of a symbolic matrix


def randomized_response(k: int, gamma: Fraction) -> Mechanism:
    """Return k-ary randomized response (subsets of one category): always feasible, and optimal for large epsilon."""
    return Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])


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
