"""Designs over groups of categories with equal proportions, certified by the way of groups (checker/groups_way.md)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.design_bracket import state_bracket
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.orbits import GroupMatrix, grouped_information
from rropt.objectives.a_optimality import TraceDual
from rropt.objectives.d_optimality import VolumeDual
from rropt.objectives.orbit_form import FactoredDual, OrbitDual, OrbitForm

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels


class OrbitDesign(Protocol):
    """A bracket, a mechanism of orbits whose value is one of its ends, and the dual that proves the other end."""

    @property
    def lower(self) -> Fraction:
        """The lower bound."""

    @property
    def upper(self) -> Fraction:
        """The upper bound."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism, private at the level below."""

    @property
    def dual(self) -> OrbitDual:
        """The dual at the level above."""


def written_out(dual: TraceDual) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Return W (k x k) and alpha with one entry per category instead of one per group."""
    own = dual.matrix
    place = [g for g, n in enumerate(own.groups) for _ in range(n)]
    rows = [[own.blocks[g][h] + own.diagonal[g] * (i == j) for j, h in enumerate(place)] for i, g in enumerate(place)]
    return rows, [dual.alpha[g] for g in place]


def exact_orbit_dual(mechanism: OrbitMechanism) -> TraceDual:
    """Return the dual of a mechanism with one group and one orbit at its level; it proves optimality if that holds."""
    (n,), gamma = mechanism.groups, mechanism.parity()
    share = Fraction(1, n)
    information = grouped_information(mechanism, [share] * n)
    inverse = information.inverse() if information else None
    if inverse is None or gamma is None:
        raise UnsupportedProblemError(f"the mechanism reveals nothing about the truth: received {mechanism}")
    dual = TraceDual(mechanism.groups, (share,), (Fraction(0),), GroupMatrix((n,), inverse.diagonal, inverse.blocks))
    return dual.raised(max(dual.needed(gamma, [c]) for c in range(n + 1)))


def certify_orbits(problem: Problem, levels: RationalLevels, design: OrbitDesign, form: OrbitForm) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: a problem with delta = 0.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual
            is feasible at the level above.
        design: the bracket, a mechanism of orbits, and an ``OrbitDual``.
        form: the objective as a function of orbits.

    Raises:
        UnsupportedProblemError: the mechanism does not identify the proportions.
    """
    mechanism = design.mechanism
    proof = _proof(design.dual)
    if form.digits is not None:
        proof["digits"] = form.digits
    else:
        inverse = form.information(mechanism).inverse() if isinstance(mechanism, OrbitMechanism) else None
        if inverse is None:
            raise UnsupportedProblemError(
                f"the way of groups takes mechanisms that identify the proportions: received {mechanism}"
            )
        proof["inverse"] = {"diagonal": inverse.diagonal, "blocks": inverse.blocks}
    return state_bracket(problem, levels, Bracket(design.lower, design.upper), mechanism, "groups", proof)


def _proof(dual: OrbitDual) -> dict[str, Any]:
    """Return the keys of the proof that a dual gives."""
    if isinstance(dual, TraceDual):
        return _centred(dual)
    if not isinstance(dual, FactoredDual):
        return {"alpha": dual.alpha, "slices": dual.weights}
    columns = list(zip(*dual.factor, strict=True))
    if isinstance(dual, VolumeDual):  # entry j of line j becomes 1
        weights = [column[j] ** 2 for j, column in enumerate(columns)]
        columns = [tuple(x / column[j] for x in column) for j, column in enumerate(columns)]
    else:
        weights = [Fraction(1)] * len(columns)
    return {"alpha": dual.alpha, "inside": dual.inside, "lines": columns, "weights": weights}


def _centred(dual: TraceDual) -> dict[str, Any]:
    """Return the proof with ``W - pi v^T``, v the sums of the columns of W; it proves no less.

    The new alpha follows from ``abs(r W - s v)^2 = abs(r W)^2 - 2 s r W v + s^2 abs(v)^2`` with s = r.pi. Column i of
    the matrix is ``a_h P e_i`` plus a vector that is constant on groups, with the projection P on the contrasts of the
    group h of i.
    """
    n, a, b, pi = dual.groups, dual.matrix.diagonal, dual.matrix.blocks, dual.shares
    sums = [x + dot(column, n) for x, column in zip(a, zip(*b, strict=True), strict=True)]
    counted = [m * v for m, v in zip(n, sums, strict=True)]
    square = dot(counted, sums)
    along = [x * v + dot(row, counted) for x, v, row in zip(a, sums, b, strict=True)]
    alpha = [x - 2 * y + square * p for x, y, p in zip(dual.alpha, along, pi, strict=True)]
    lines = [[b[g][h] - pi[g] * sums[h] + (a[h] / n[h] if g == h else 0) for g in range(len(n))] for h in range(len(n))]
    return {"alpha": alpha, "inside": a, "lines": lines}
