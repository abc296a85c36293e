"""Certificates of optimal mechanisms with two inputs and three outputs (FORMAT.md, rule 24)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.exact import Bracket
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from rropt.designs.problem import Problem
    from rropt.privacy.region import RationalLevels


class MergedFound(Protocol):
    """A mechanism with three outputs, private at the level below, and the bracket of the smallest n Var."""

    @property
    def lower(self) -> Fraction:
        """A lower bound: at most the smallest n Var of the six merged mechanisms at the level above."""

    @property
    def upper(self) -> Fraction:
        """An upper bound: at least n Var of the mechanism."""

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism with three outputs."""


def certify_merged(problem: Problem, levels: RationalLevels, found: MergedFound) -> Certificate:
    """Return the certificate that no private mechanism with three outputs has an n Var below ``lower``.

    Args:
        problem: a variance problem with two inputs and three outputs.
        levels: rational levels around the problem's level.
        found: the bracket and the mechanism.
    """
    claim: dict[str, Any] = {"kind": "design-bracket", **Bracket(found.lower, found.upper).written()}
    witness = {"rule": "merged-outputs", **levels.to_dict()}
    return Certificate.write(problem.to_dict(), {**claim, "mechanism": found.mechanism.to_dict()}, witness)
