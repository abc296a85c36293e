"""A time by which an answer is wanted."""

from __future__ import annotations

import math
import time

from rropt.errors import InvalidParameterError, RroptError, shown

__all__ = ["Deadline", "TimeLimitError"]


class TimeLimitError(RroptError, TimeoutError):
    """The time allowed for a linear programme is over before its answer was proved."""


class Deadline:
    """The end of an allowance of seconds; None means no end.

    Raises:
        InvalidParameterError: the allowance is not positive.
    """

    def __init__(self, seconds: float | None = None) -> None:
        if seconds is not None and not seconds > 0:
            raise InvalidParameterError(
                f"the time limit is not usable: received {shown(seconds)}; allowed are positive "
                "seconds, or None for no limit; give a larger one"
            )
        self._seconds = seconds
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left, infinite without a limit."""
        return max(self._end - time.monotonic(), 0.0)

    def check(self) -> None:
        """Raise TimeLimitError when the time is over."""
        if time.monotonic() > self._end:
            raise TimeLimitError(
                f"the linear programme was not solved in time: received a limit of {self._seconds} seconds; allowed is "
                "any positive number, or None; give a larger one"
            )
