"""What every number of rropt can do: compare, format, convert, and compute with Python's and NumPy's numbers.

``RealNumber`` is the base class of privacy levels, deltas, exact reals and brackets. A subclass says how it compares
(``compared``) and which operations it has exactly; everything else is computed in floats.
"""

from __future__ import annotations

import math
import numbers
import operator
import re
from abc import abstractmethod
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rropt.core.lazy import numpy as np

_IS_TEXT = re.compile(r"(.?[<>=^])?\d*s?", re.DOTALL)  # a format without precision and type is one of the text


def plain_number(value: Any) -> Fraction | float | None:
    """Return a number of Python or NumPy exactly: a ``Fraction``, or a float that is infinite or NaN.

    A number of rropt that is rational counts, too; ``None`` for everything else, as for SymPy, which computes itself.

    >>> plain_number(0.5), plain_number(math.inf), plain_number("1/2"), plain_number(Decimal("0.1"))
    (Fraction(1, 2), inf, None, Fraction(1, 10))
    """
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, RealNumber):
        exact: Fraction | None = value.rational
        return exact
    if type(value).__module__ == "numpy" and isinstance(value, (np.integer, np.floating)):
        value = int(value) if isinstance(value, np.integer) else value
    elif not isinstance(value, (float, Decimal)):
        return None
    return Fraction(*value.as_integer_ratio()) if math.isfinite(value) else float(value)


def _float_of(value: Any) -> Any:
    """Return a number for computing in floats; ``None`` if it is none of Python's, NumPy's or rropt's."""
    if isinstance(value, (float, complex)):
        return value
    return float(value) if isinstance(value, RealNumber) or plain_number(value) is not None else None


def _in_floats(operation: Callable[[Any, Any], Any], left: object, right: object) -> Any:
    one, other = _float_of(left), _float_of(right)
    return NotImplemented if one is None or other is None else operation(one, other)


class RealNumber(numbers.Real):
    """A real number that is known exactly, or between bounds.

    Comparisons are exact. Operations that a subclass does not have exactly give a ``float``. NumPy, pandas and
    Matplotlib take it for a float, ``format`` with a precision writes its decimals, and SymPy and mpmath have it
    exactly.
    """

    __slots__ = ()
    __array_priority__ = -1.0  # between NumPy's scalars, which leave the operation to this class, and its arrays
    rational: Any  # the number itself as a Fraction if it is rational, else None

    @abstractmethod
    def compared(self, other: Any) -> Any:
        """Return the exact sign of ``self - other``; ``None`` if it has none, ``NotImplemented`` for no number."""

    def __eq__(self, other: object) -> bool:
        sign = self.compared(other)
        return NotImplemented if sign is NotImplemented else bool(sign == 0)

    def __lt__(self, other: Any) -> bool:
        sign = self.compared(other)
        return NotImplemented if sign is NotImplemented else sign is not None and bool(sign < 0)

    def __le__(self, other: Any) -> bool:
        sign = self.compared(other)
        return NotImplemented if sign is NotImplemented else sign is not None and bool(sign <= 0)

    def __gt__(self, other: Any) -> bool:
        sign = self.compared(other)
        return NotImplemented if sign is NotImplemented else sign is not None and bool(sign > 0)

    def __ge__(self, other: Any) -> bool:
        sign = self.compared(other)
        return NotImplemented if sign is NotImplemented else sign is not None and bool(sign >= 0)

    @abstractmethod
    def __hash__(self) -> int: ...  # type: ignore[override]  # which Python's abstract numbers leave out

    def __format__(self, spec: str) -> str:
        """Format the text (``>12``, as ``Fraction`` does from Python 3.12 on), or the decimals (``.3f``)."""
        return format(str(self), spec) if _IS_TEXT.fullmatch(spec) else format(float(self), spec)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the number as an array without dimensions: a float, or itself with ``dtype=object``."""
        if copy is False:
            raise ValueError("an exact number has no array to share: use numpy.asarray(number)")
        if dtype is None or np.dtype(dtype).kind != "O":
            return np.array(float(self), dtype or float)
        found = np.empty((), object)
        found[()] = self
        return found

    def __int__(self) -> int:
        return math.trunc(self)

    def __trunc__(self) -> int:
        return math.floor(self) if self >= 0 else math.ceil(self)

    def __floor__(self) -> int:
        near = math.floor(float(self))  # which may be rounded to an integer
        return near - (self < near) + (self >= near + 1)

    def __ceil__(self) -> int:
        near = math.ceil(float(self))
        return near - (self <= near - 1) + (self > near)

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(float(self)) if ndigits is None else round(float(self), ndigits)

    def __add__(self, other: Any) -> Any:
        return _in_floats(operator.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return _in_floats(operator.sub, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _in_floats(operator.sub, other, self)

    def __mul__(self, other: Any) -> Any:
        return _in_floats(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        return _in_floats(operator.truediv, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _in_floats(operator.truediv, other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _in_floats(operator.floordiv, self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _in_floats(operator.floordiv, other, self)

    def __mod__(self, other: Any) -> Any:
        return _in_floats(operator.mod, self, other)

    def __rmod__(self, other: Any) -> Any:
        return _in_floats(operator.mod, other, self)

    def __pow__(self, other: Any) -> Any:
        return _in_floats(operator.pow, self, other)

    def __rpow__(self, other: Any) -> Any:
        return _in_floats(operator.pow, other, self)

    def __neg__(self) -> Any:
        return -float(self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self
