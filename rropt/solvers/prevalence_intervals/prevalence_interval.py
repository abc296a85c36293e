"""A guessed prevalence given as an interval, ``LOW..HIGH``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.exact import as_text, rational

_FORMS = "LOW..HIGH with 0 <= LOW <= HIGH <= 1, such as 0.1..0.4 or 1/10..2/5"


@dataclass(frozen=True, slots=True)
class PrevalenceInterval:
    """All prevalences ``low <= pi <= high``, 0 <= low <= high <= 1, exact.

    Use ``PrevalenceInterval.of(value)``.

    >>> interval = PrevalenceInterval.of("0.1..2/5")
    >>> str(interval), float(interval.high)
    ('1/10..2/5', 0.4)
    """

    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, value: object) -> PrevalenceInterval:
        """Return the interval that ``value`` writes: ``"LOW..HIGH"``, a pair (low, high), or an interval.

        Raises:
            InvalidParameterError: another form, an end outside [0, 1], or low > high.
        """
        if isinstance(value, cls):
            return value
        ends = value.split("..") if isinstance(value, str) else value
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:
            raise InvalidParameterError(f"prevalence is no interval: received {shown(value)}; allowed is {_FORMS}")
        low, high = (rational(end, name=f"prevalence {name}") for end, name in zip(ends, ("LOW", "HIGH"), strict=True))
        if not 0 <= low <= high <= 1:
            raise InvalidParameterError(f"prevalence is out of range: received {shown(value)}; allowed is {_FORMS}")
        return cls(low, high)

    def __str__(self) -> str:
        return f"{as_text(self.low)}..{as_text(self.high)}"
