"""The region of a privacy criterion: all mechanisms of parity at most B(h)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import Delta, Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.named import criterion_from_dict, required_criterion
from rropt.privacy.parity_bounds import criterion_level, judge
from rropt.privacy.parity_bounds.covers import criterion_problem
from rropt.privacy.parity_bounds.parity_bound import criterion_pieces
from rropt.privacy.privacy_region import OneLevelRegion, PrivacyRegion
from rropt.privacy.region import LevelBracket, RationalLevel, read_size, register_region


@register_region
@dataclass(init=False, frozen=True, slots=True)  # its fields are properties of the protocol
class CriterionRegion(OneLevelRegion):
    """All mechanisms with k inputs and m outputs that meet a privacy criterion.

    They are those of parity at most B(h) (Chai and Nayak 2018, Theorem 3.1), so the level is gamma = B(h), delta = 0:
    rational, algebraic, or only enclosed in rationals.

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.
        inputs: k >= 2.
        outputs: m >= 2, or 0 or ``"any"``: any number of them (the attribute is then 0).

    Raises:
        InvalidParameterError: no criterion or no size; or B(h) is infinite.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> region = CriterionRegion(rho_to_rho("1/5", "1/2"))
    >>> print(region.bracket(9).below.gamma, region.contains(Mechanism.binary("4/5", "4/5")))
    4 True
    """

    kind: ClassVar[str] = "criterion"
    criterion: Criterion
    inputs: int
    outputs: int
    epsilon: Epsilon
    gamma_above: Fraction | None

    def __init__(self, criterion: Criterion, *, inputs: int = 2, outputs: int | Literal["any"] = 2) -> None:
        level = criterion_level(required_criterion(criterion))
        sizes = PrivacyRegion(level.epsilon, inputs=inputs, outputs=outputs)  # refuses what is no size
        for name, value in (
            ("criterion", criterion),
            ("inputs", sizes.inputs),
            ("outputs", sizes.outputs),
            ("epsilon", level.epsilon),
            ("gamma_above", level.gamma_above),
        ):
            object.__setattr__(self, name, value)

    @property
    def delta(self) -> Delta:
        """0."""
        return Delta.of(0)

    def bracket(self, digits: int) -> LevelBracket:
        """Return rational levels below and above B(h), equal if it is rational; ``digits`` count where it is a level's.

        Raises:
            UnsupportedProblemError: no finite upper bound of B(h) is known.
        """
        below, above = self.epsilon.gamma_bracket(digits)
        if self.gamma_above is None:
            raise UnsupportedProblemError(
                f"B(h) has no finite upper end: received {self.criterion}; rewrite the function, or give a level"
            )
        zero = Fraction(0)
        return LevelBracket(RationalLevel(below, zero), RationalLevel(max(above, self.gamma_above), zero))

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism meets the criterion; False where its parity is within the enclosure of B(h)."""
        shape = self.outputs or mechanism.outputs, self.inputs
        return mechanism.shape == shape and judge(mechanism, self.criterion).meets is True

    def at(self, epsilon: Epsilon) -> PrivacyRegion:
        """Return the region of the same shape at a level."""
        return PrivacyRegion(epsilon, inputs=self.inputs, outputs=self.outputs)

    def to_dict(self) -> dict[str, Any]:
        """Return the form of problem files."""
        return {
            "kind": self.kind,
            "inputs": str(self.inputs),
            "outputs": str(self.outputs or "any"),
            "criterion": self.criterion.to_dict(),
        }

    def certified_dict(self) -> dict[str, Any]:
        """Return the form of certificates: the functions in pieces (FORMAT.md, rule 12)."""
        sizes = {"kind": self.kind, "inputs": str(self.inputs), "outputs": str(self.outputs or "any")}
        return {**sizes, **criterion_problem(criterion_pieces(self.criterion))}

    @classmethod
    def from_dict(cls, data: Any) -> CriterionRegion:
        """Return the region that ``to_dict`` wrote."""
        if not isinstance(data, dict) or set(data) != {"kind", "inputs", "outputs", "criterion"}:
            raise InvalidParameterError(
                f"region is not of the form of a problem: received {shown(data)}; allowed is an object with the keys "
                "kind, inputs, outputs and criterion, kind criterion"
            )
        inputs, outputs = read_size(data["inputs"], "inputs"), data["outputs"]
        m = outputs if outputs in ("any", "0") else read_size(outputs, "outputs")
        return cls(criterion_from_dict(data["criterion"]), inputs=inputs, outputs=m)

    def __str__(self) -> str:
        return f"{self.criterion}, {self.inputs} inputs, {self.outputs or 'any'} outputs"
