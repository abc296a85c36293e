"""Objectives of the confidence ellipsoid of estimated shares: its volume (D-optimality) and its longest axis (E).

With M the Fisher information of ``objectives.variances``, ``V = M^-1 - pi pi^T`` is n times the covariance of the
efficient unbiased estimate of pi, k x k; no unbiased estimate has a smaller one in Loewner's order. ``V 1 = 0``, since
estimated shares sum to 1. As ``M pi = 1``, all cofactors of V are ``det(V + pi pi^T) = 1/det M``: the determinant of
the covariance of any k - 1 of the shares, whichever is left out. On the vectors orthogonal to 1 V is the inverse of M
restricted to them. Pukelsheim, Optimal design of experiments (1993), chapter 6, for the names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.exact import Bracket
from rropt.exact.brackets import ball, bracket, simplest_between
from rropt.exact.numbers import bits
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix
from rropt.objectives.objective import AnyOutputObjective, register_objective, shares_of_inputs
from rropt.objectives.variances import information_matrix, unidentified

_PRECISION = 256  # bits, doubled as long as an enclosure is wider than 2^-_NARROW of its number
_NARROW = 110
_SIMPLE = 60  # bits of a number that is not so short by chance in an interval of 2^-_NARROW


@register_objective
@dataclass(frozen=True, slots=True)
class DOptimality(AnyOutputObjective):
    """Maximise ``ln det M``: minus the logarithm of the determinant of n times the covariance of any k - 1 shares.

    Over all mechanisms, of any number of answers. The volume of the confidence ellipsoid of k - 1 shares is
    proportional to the root of the determinant: where ln det M is larger by x, as many respondents less are enough as
    ``exp(x/(k - 1))`` says. Another basis of the tangent space of the simplex than k - 1 shares adds a constant.
    """

    kind = "d-optimal"
    sense = "maximise"
    title = "ln det of the information"
    form = '{"kind": "d-optimal"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return a rational below ``ln det M``, by less than 1e-30, at a population of exact numbers.

        Raises:
            InvalidParameterError: no mechanism, or no population on its inputs.
            InfeasibleError: M is singular, or infinite.

        >>> round(float(DOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"])), 12)  # of n Var 1
        0.0
        """
        from flint import ctx

        determinant = _regular_information(mechanism, shares_of_inputs(mechanism, population)).det()
        exact = Fraction(int(determinant.p), int(determinant.q))
        with ctx.workprec(_PRECISION):
            return Fraction(0) if exact == 1 else bracket(ball(exact).log()).lower


@register_objective
@dataclass(frozen=True, slots=True)
class EOptimality(AnyOutputObjective):
    """Minimise the largest eigenvalue of ``M^-1 - pi pi^T``: n Var of the estimate of the worst contrast of norm 1.

    Over all mechanisms, of any number of answers, and over all contrasts c . pi with c . c = 1: the eigenvector is the
    worst of them, and orthogonal to 1.
    """

    kind = "e-optimal"
    sense = "minimise"
    title = "n Var of the worst unit contrast"
    form = '{"kind": "e-optimal"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the eigenvalue if it is a short rational, else a rational above it by less than 1e-30 of it.

        Raises:
            InvalidParameterError: no mechanism, or no population on its inputs.
            InfeasibleError: M is singular, or infinite.

        >>> print(EOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        2
        """
        return largest_variance(mechanism, shares_of_inputs(mechanism, population)).upper


def largest_variance(mechanism: Mechanism, pi: Sequence[Fraction]) -> Bracket:
    """Return the largest eigenvalue of ``M^-1 - pi pi^T``: exactly if it is a short rational."""
    inverse = _regular_information(mechanism, pi).inv()
    covariance = inverse - flint_matrix([[p] for p in pi]) * flint_matrix([pi])
    found = _largest_eigenvalue(covariance)
    simple = simplest_between(found.lower, found.upper)
    if bits(simple) <= _SIMPLE:
        k = len(pi)
        moved = covariance - flint_matrix([[simple * (i == j) for j in range(k)] for i in range(k)])
        if not moved.det():
            return Bracket.of(simple)
    return found


def _largest_eigenvalue(matrix: Any) -> Bracket:
    """Return a narrow bracket of the largest eigenvalue of a symmetric matrix, which is positive."""
    from flint import acb_mat, ctx

    precision = _PRECISION
    while True:
        with ctx.workprec(precision):
            try:
                balls = [bracket(value.real) for value in acb_mat(matrix).eig(multiple=True)]
            except ValueError:  # eigenvalues that are near are not told apart yet
                balls = []
        largest = Bracket(max(each.lower for each in balls), max(each.upper for each in balls)) if balls else None
        if largest and largest.lower > 0 and largest.gap <= largest.lower / 2**_NARROW:
            return largest
        precision *= 2


def _regular_information(mechanism: Mechanism, pi: Sequence[Fraction]) -> Any:
    """Return M.

    Raises:
        InfeasibleError: it is singular, or infinite.
    """
    information = information_matrix(mechanism, pi)
    if information is None or not information.det():
        raise unidentified(mechanism)
    return information
