"""Test whether a mechanism meets a level of any kind: several pairs (epsilon, delta), Renyi, zCDP, Gaussian, metric.

``audit_privacy`` computes the privacy of a mechanism, and tests one epsilon or a criterion. This module tests the other
levels: it decides exactly whether the mechanism is in the region of the level.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import ExactReal, both_texts
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.hockey_stick import Excess, gamma_of
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.matrix_privacy import worst_excess
from rropt.privacy.level_arguments import Level, given_level
from rropt.privacy.level_base import Outputs
from rropt.privacy.level_regions import LevelsRegion, PairsLevel
from rropt.privacy.linear_levels import LinearLevel
from rropt.privacy.region import PrivacyRegion, Region, region_from_dict

_MOST_LISTED = 12  # conditions, and outputs of a set, that a summary lists


@dataclass(frozen=True, slots=True)
class TestedCondition:
    """One condition of a level: at its epsilon, the excess of each of its pairs of categories is at most delta.

    Attributes:
        level: epsilon, the allowed delta, and the pairs.
        excess: the largest excess over these pairs, with the pair and the outputs that attain it.
        meets: whether this excess is at most the allowed delta, decided exactly.
    """

    __test__ = False  # pytest would collect the name

    level: PairsLevel
    excess: Excess
    meets: bool

    @classmethod
    def of(cls, level: PairsLevel, mechanism: Mechanism) -> TestedCondition:
        """Test the condition."""
        gamma = gamma_of(level.epsilon)
        excess = worst_excess(mechanism.matrix, gamma, level.pairs)
        return cls(level, excess, (ExactReal.of(excess.at(gamma)) - level.delta.exact()).sign() <= 0)

    def line(self) -> tuple[str, str]:
        """Return the condition, whether it is met, and the pair with the largest excess."""
        delta = self.excess.at(gamma_of(self.level.epsilon))
        told = f"{'yes' if self.meets else 'no'}: delta = {both_texts(delta)}"
        if self.excess.outputs:
            shown_outputs = ", ".join(map(str, self.excess.outputs[:_MOST_LISTED]))
            more = ", ..." * (len(self.excess.outputs) > _MOST_LISTED)
            j, other = self.excess.pair
            told += f", input {j} against input {other}, outputs {{{shown_outputs}{more}}}"
        return f"level {self.level}", told


@dataclass(frozen=True, slots=True)
class LevelPrivacy(Result):
    """Whether a mechanism meets a level.

    Attributes:
        mechanism: P.
        region: the mechanisms that meet the level.
        meets: whether P is one of them, decided exactly, or by interval arithmetic for Renyi, zCDP and Gaussian levels.
    """

    mechanism: Mechanism
    region: Region
    meets: bool = field(init=False, compare=False)

    ANSWER = ("meets",)
    LABELS: ClassVar[Mapping[str, str]] = labelled(meets="meets the level", region="level", mechanism="mechanism")

    def __post_init__(self) -> None:
        object.__setattr__(self, "meets", self.region.contains(self.mechanism))

    @property
    def conditions(self) -> tuple[TestedCondition, ...]:
        """The conditions of a level of pairs (epsilon, delta); none for the others."""
        region = self.region
        if isinstance(region, PrivacyRegion):
            return (TestedCondition.of(PairsLevel(region.epsilon, region.delta), self.mechanism),)
        levels = region.levels if isinstance(region, LevelsRegion) else ()
        return tuple(TestedCondition.of(level, self.mechanism) for level in levels)

    def lines(self) -> list[tuple[str, str]]:
        """Return the answer, and each condition with the pair of categories that has the largest excess."""
        lines = [one.line() for one in self.conditions]
        more = [("further levels", str(len(lines) - _MOST_LISTED))] if len(lines) > _MOST_LISTED else []
        return [("meets the level", f"{'yes' if self.meets else 'no'}: {self.region}"), *lines[:_MOST_LISTED], *more]

    def to_dict(self) -> dict[str, Any]:
        """Return the record: the mechanism, the region of the level, and whether it is met."""
        return {"mechanism": self.mechanism.to_dict(), "region": self.region.to_dict(), "meets": self.meets}

    @classmethod
    def recompute(cls, mechanism: Mechanism, region: Any) -> LevelPrivacy:
        """Test the mechanism of a record again, for the region of its level."""
        return cls(mechanism, region_from_dict(region))


def level_privacy(mechanism: object, level: Level | str) -> LevelPrivacy:
    """Decide whether a mechanism meets a level, as ``rropt privacy --level`` does.

    Args:
        mechanism: a mechanism, a matrix of m outputs and k inputs, a name or a file.
        level: a level of ``rropt.privacy``, such as ``renyi(2, "1/2")`` or ``levels((1, "1/10"), (2, 0))``, or its text
            form. For a criterion, call ``audit_privacy``.

    Returns:
        The answer, with each condition of the level.

    Raises:
        InvalidParameterError: the level is a criterion, or does not apply to this number of categories.
        UnsupportedProblemError: the computed digits do not decide whether a divergence is at most its bound.

    >>> found = level_privacy("warner:3/4", "renyi:2,1/2")
    >>> found.meets, level_privacy("warner:3/4", "renyi:2,1").meets
    (False, True)
    """
    made = required_mechanism(mechanism)
    if made.inputs < 2:
        raise InvalidParameterError(
            f"a level compares two categories or more: received {shown(str(made))}; give a mechanism with more columns"
        )
    given = given_level(None, 0, level)
    if given.criterion is not None:
        raise InvalidParameterError(
            f"a criterion is met or has a breach: received {given}; call rropt.audit_privacy(mechanism, level=...)"
        )
    outputs: Outputs = made.outputs if isinstance(given, LinearLevel) else "any"  # whose inequalities name the outputs
    return LevelPrivacy(made, given.region(inputs=made.inputs, outputs=outputs))
