"""Designs over groups of categories with equal proportions, certified by rule 14."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.orbits import GroupMatrix, grouped_information
from rropt.objectives.a_optimality import TraceDual
from rropt.objectives.orbit_form import OrbitDual, OrbitForm

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
    proved = form.proved(mechanism) if isinstance(mechanism, OrbitMechanism) else None
    if proved is None:
        raise UnsupportedProblemError(
            f"the rule of orbits takes mechanisms that identify the proportions: received {mechanism}"
        )
    claim = {"kind": "design-bracket", **Bracket(design.lower, design.upper).written()}
    witness = {"rule": "orbits", **levels.to_dict(), "dual": design.dual.written(), "primal": proved[1]}
    if form.digits is not None:
        witness["logarithms"] = {"digits": str(form.digits)}
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": _texts(mechanism.to_dict())}, witness)


def _texts(data: Any) -> Any:
    """Convert the numbers of a JSON form to strings: certificates contain no JSON numbers."""
    if isinstance(data, dict):
        return {key: _texts(value) for key, value in data.items()}
    return [_texts(value) for value in data] if isinstance(data, list) else str(data)
