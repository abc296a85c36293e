"""The region of the mechanisms of a given shape that meet an (epsilon, delta) level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from rropt.errors import InvalidParameterError, shown
from rropt.exact import Delta, Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy.one_level_region import OneLevelRegion
from rropt.privacy.region import read_size, register_region

FAMILIES = ("all", "warner")


@register_region
@dataclass(frozen=True, slots=True)
class PrivacyRegion(OneLevelRegion):
    """All (epsilon, delta)-locally differentially private mechanisms with k inputs and m outputs.

    ``Pr(Z in A | X = j) <= exp(epsilon) Pr(Z in A | X = l) + delta`` for all inputs j, l and all sets A of outputs
    (Holohan, Leith and Mason 2016, (9) to (12) for k = m = 2).

    Args:
        epsilon: level in nats, any form of ``Epsilon.of``, or a ``rropt.level`` with its delta.
        delta: slack in [0, 1], any form of ``Delta.of``; 0 when left out.
        inputs: k >= 2.
        outputs: m >= 2, or 0 or ``"any"``: any number of them (the attribute is then 0).
        family: ``"all"``, or ``"warner"``: only Warner's designs p00 = p11 (binary).

    Raises:
        InvalidParameterError: a parameter of the wrong form or out of range.
    """

    kind: ClassVar[str] = "differential-privacy"
    epsilon: Epsilon
    delta: Delta
    inputs: int
    outputs: int
    family: str

    def __init__(
        self,
        epsilon: object,
        delta: object = 0,
        *,
        inputs: int = 2,
        outputs: int | Literal["any"] = 2,
        family: str = "all",
    ) -> None:
        own = getattr(epsilon, "delta", None)
        if isinstance(own, Delta):  # a level has its own (``given_levels``, which makes regions)
            if Delta.of(delta) != Delta.of(0):
                raise InvalidParameterError(f"delta is given twice: received {shown(delta)} beside {epsilon}; give one")
            epsilon, delta = getattr(epsilon, "epsilon", None), own
        level = Epsilon.of(epsilon)
        if level.is_infinite:
            raise InvalidParameterError("epsilon is infinite: a region needs a finite level; give epsilon <= 100")
        outputs = 0 if outputs == "any" else outputs
        for size, what in ((inputs, "inputs"), (outputs, "outputs")):
            if what == "outputs" and type(size) is int and size == 0:
                continue
            if not isinstance(size, int) or isinstance(size, bool) or size < 2:
                raise InvalidParameterError(f"{what} is not a size: received {shown(size)}; allowed is an integer >= 2")
        if family not in FAMILIES:
            raise InvalidParameterError(
                f"family is unknown: received {shown(family)}; allowed are {', '.join(FAMILIES)}"
            )
        if family == "warner" and (inputs, outputs) != (2, 2):
            raise InvalidParameterError("family 'warner' is binary: it needs 2 inputs and 2 outputs")
        for name, value in (
            ("epsilon", level),
            ("delta", Delta.of(delta)),
            ("inputs", inputs),
            ("outputs", outputs),
            ("family", family),
        ):
            object.__setattr__(self, name, value)

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""
        if self.outputs:
            return OneLevelRegion.contains(self, mechanism)
        m = max(mechanism.outputs, 2)
        return PrivacyRegion(self.epsilon, self.delta, inputs=self.inputs, outputs=m).contains(mechanism)

    def to_dict(self) -> dict[str, Any]:
        """Return the form of problems and certificates."""
        return {
            "kind": self.kind,
            "inputs": str(self.inputs),
            "outputs": str(self.outputs or "any"),
            "epsilon": self.epsilon.to_dict(),
            "delta": self.delta.to_dict(),
            "family": self.family,
        }

    @classmethod
    def from_dict(cls, data: Any) -> PrivacyRegion:
        """Return the region that ``to_dict`` wrote."""
        keys = {"kind", "inputs", "outputs", "epsilon", "delta", "family"}
        if not isinstance(data, dict) or set(data) != keys or data["kind"] != cls.kind:
            raise InvalidParameterError(
                f"region is not of the form of a problem: received {shown(data)}; allowed is an object with the keys "
                f"{', '.join(sorted(keys))}, kind differential-privacy"
            )
        return cls(
            Epsilon.from_dict(data["epsilon"]),
            Delta.from_dict(data["delta"]),
            inputs=read_size(data["inputs"], "inputs"),
            outputs=data["outputs"] if data["outputs"] in ("any", "0") else read_size(data["outputs"], "outputs"),
            family=data["family"],
        )

    def __str__(self) -> str:
        family = "" if self.family == "all" else f", {self.family}"
        shape = f"{self.inputs} inputs, {self.outputs or 'any'} outputs"
        return f"epsilon = {self.epsilon}, delta = {self.delta}, {shape}{family}"
