"""What solving a linear programme may come to: an optimum, a contradiction, an unbounded ray, or too late."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rropt.errors import InvalidParameterError, RroptError, shown
from rropt.linear.integer_matrix import RationalVector


@dataclass(frozen=True, slots=True)
class Basis:
    """A basis: the basic columns and the active rows, equally many, whose block of the matrix is nonsingular.

    The other variables are 0 and the active rows hold with equality; this fixes the point. It serves as a start
    for a programme of the same shape.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Optimal:
    """An optimal vertex x with a dual y that proves it; see `verify_optimal` for the conventions.

    Attributes:
        value: `c . x = b . y`.
        primal: x, shape `(n,)`.
        dual: y, shape `(m,)`.
        basis: a basis that fixes x.
        route: how it was found: `"given basis"`, `"float basis"`, `"refined"` or `"exact simplex"`.
    """

    value: Fraction
    primal: RationalVector
    dual: RationalVector
    basis: Basis
    route: str


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No point satisfies the rows: y combines them into `0 >= positive`; see `verify_infeasible`.

    Attributes:
        farkas: y, shape `(m,)`.
    """

    farkas: RationalVector


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The objective improves for ever along `point + t ray`, t >= 0; see `verify_unbounded`.

    Attributes:
        point: a feasible x, shape `(n,)`.
        ray: d, shape `(n,)`.
    """

    point: RationalVector
    ray: RationalVector


Outcome: TypeAlias = Optimal | Infeasible | Unbounded


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
