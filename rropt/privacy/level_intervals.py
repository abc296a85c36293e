"""The levels of an interval, all at once: the region of a problem whose optimum is asked as a function of gamma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy.region import PrivacyRegion, RationalLevels, Readers, Region, fill, register_region, shape_text

ALL = "all"
"""What stands for every level from 0 on."""

_FORMS = '"all", or LOW..HIGH such as "1/2..3" or "log(2)..log(9)"'


@dataclass(frozen=True, slots=True)
class LevelSpan:
    """The levels from ``low`` to ``high``; ``high`` may be infinite.

    Attributes:
        low, high: the first and the last level.

    >>> print(LevelSpan.of("1/2..3"), LevelSpan.of("all"), LevelSpan.of_gamma("2..10"))
    1/2 <= epsilon <= 3 every epsilon >= 0 log(2) <= epsilon <= log(10)
    """

    low: Epsilon
    high: Epsilon

    def __post_init__(self) -> None:
        if self.low.is_infinite or (not self.high.is_infinite and not self.low.exact_gamma() < self.high.exact_gamma()):
            raise InvalidParameterError(
                f"the levels do not ascend: received {self.low} to {self.high}; give the lower one first"
            )

    @classmethod
    def of(cls, text: str) -> LevelSpan:
        """Read ``all`` or ``LOW..HIGH`` in nats; HIGH may be ``inf``."""
        return cls._read(text, Epsilon.of, "epsilon")

    @classmethod
    def of_gamma(cls, text: str) -> LevelSpan:
        """Read ``all`` or ``LOW..HIGH`` as bounds of the odds ratio."""
        return cls._read(text, Epsilon.of_gamma, "gamma")

    @classmethod
    def _read(cls, text: str, read: Any, name: str) -> LevelSpan:
        if text.strip().lower() == ALL:
            return cls(Epsilon("rational"), Epsilon("infinite"))
        parts = text.split("..")
        if len(parts) != 2 or not all(part.strip() for part in parts):
            raise InvalidParameterError(
                f"`{name}` is no interval of levels: received {shown(text)}; allowed is {_FORMS}"
            )
        low, high = (part.strip() for part in parts)
        first, last = read(low), Epsilon("infinite") if high == "inf" else read(high)
        if not last.is_infinite and not first.exact_gamma() < last.exact_gamma():
            raise InvalidParameterError(
                f"the levels of `{name}` do not ascend: received {shown(text)}; give the lower one first"
            )
        return cls(first, last)

    def __str__(self) -> str:
        if self.high.is_infinite:
            return f"every epsilon >= {self.low}"
        return f"{self.low} <= epsilon <= {self.high}"


def is_span(value: object) -> bool:
    """Return whether a value asks for an interval of levels: ``LevelSpan``, or the text ``all`` or ``LOW..HIGH``."""
    if isinstance(value, LevelSpan):
        return True
    return isinstance(value, str) and (value.strip().lower() == ALL or ".." in value)


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
        self, low: object = ALL, high: object = "inf", delta: object = 0, *, inputs: int = 2, outputs: int | str = 2
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
