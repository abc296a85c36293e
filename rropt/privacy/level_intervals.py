"""The levels of an interval, all at once: the region of a problem whose optimum is asked as a function of gamma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.levels import EVERY_LEVEL, LevelSpan, is_span
from rropt.mechanisms import Mechanism
from rropt.privacy.region import PrivacyRegion, RationalLevels, Readers, Region, fill, register_region, shape_text


@register_region
@dataclass(frozen=True, slots=True)
class EveryLevelRegion(Region):
    """All mechanisms of a shape, under each level of an interval: the optimum is asked as a function of gamma.

    Args:
        low: the first level, in any form of ``Epsilon.of``; or all levels in one text, such as ``"all"`` or
            ``"1/2..3"``.
        high: the last level; ``"inf"`` for every level from ``low`` on.
        delta: the slack in [0, 1], the same at each level; optima with delta > 0 are closed forms.
        inputs: the number of categories, k >= 2.
        outputs: the number of outputs, or ``"any"``.

    Raises:
        InvalidParameterError: the levels do not ascend, or a size is out of range.

    >>> print(EveryLevelRegion("all", inputs=3, outputs=3))
    every epsilon >= 0, k = 3 categories, m = 3 outputs
    """

    kind: ClassVar[str] = "every-level"
    has_rays = True  # at each level
    is_of_every_level = True
    KEYS: ClassVar[Readers] = {
        "low": Epsilon.from_dict,
        "high": lambda data: _read_end(data),
        "delta": Delta.from_dict,
    }
    low: Epsilon
    high: Epsilon
    delta: Delta
    inputs: int
    outputs: int

    def __init__(
        self,
        low: object = EVERY_LEVEL,
        high: object = "inf",
        delta: object = 0,
        *,
        inputs: int = 2,
        outputs: int | str = 2,
    ) -> None:
        if is_span(low):
            span = low if isinstance(low, LevelSpan) else LevelSpan.of(str(low))
        else:
            span = LevelSpan(Epsilon.of(low), _read_end(high))
        fill(self, {"inputs": inputs, "outputs": outputs}, low=span.low, high=span.high, delta=Delta.of(delta))

    def bracket(self, digits: int) -> RationalLevels:
        """Raise: there is no single level."""
        raise UnsupportedProblemError(
            f"a problem at every level has no single level: received {self}; solve it, and ask `.at(epsilon)`"
        )

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether a mechanism is private at the first level, and so at each of them."""
        return self.fits(mechanism) and PrivacyRegion(
            self.low, self.delta, inputs=self.inputs, outputs=self.outputs or "any"
        ).contains(mechanism)

    def __str__(self) -> str:
        slack = "" if self.delta == Delta.of(0) else f", delta = {self.delta}"
        return f"{LevelSpan(self.low, self.high)}{slack}, {shape_text(self.inputs, self.outputs)}"


def _read_end(value: object) -> Epsilon:
    if isinstance(value, Epsilon):
        return value
    if value in ("inf", None) or value == {"infinite": "inf"}:
        return Epsilon("infinite")
    return Epsilon.from_dict(value) if isinstance(value, dict) else Epsilon.of(value)
