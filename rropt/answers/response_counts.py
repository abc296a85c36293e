"""Validate counts of responses, and search for the least integer with a monotone property."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import is_of_flint
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ANSWERS, MAX_MATRIX_ENTRIES
from rropt.core.visible import size_text, with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed

_LONGEST_COUNT = 40  # digits of a number that is converted to an integer


def answer_count(value: object, name: str, *, least: int = 0) -> int:
    """Check a count: an integer from ``least`` to 10^15, of any exact type; return it as an ``int``.

    Raises:
        InvalidParameterError: the value is not an integer (the float 5.0 is rejected too), or it is out of range.
    """
    if type(value) is int and least <= value <= MAX_ANSWERS:
        return value
    number: Any = value
    if type(number).__name__ == "ndarray" and getattr(number, "shape", None) == ():  # a NumPy array with one number
        number = number[()]
    is_sympy = getattr(number, "is_Float", None) is False  # an exact one
    if isinstance(number, Decimal | Fraction) or is_sympy or is_of_flint(number):
        with suppress(InvalidParameterError):
            exact = rational(number, digits=_LONGEST_COUNT)
            number = exact.numerator if exact.denominator == 1 else number
    if not isinstance(number, bool) and isinstance(number, Integral) and least <= int(number) <= MAX_ANSWERS:
        return int(number)
    raise InvalidParameterError(
        f"{name} is not a count: received {shown(value)}; allowed is an integer from {least} to {MAX_ANSWERS}"
    )


def answer_counts(mechanism: Mechanism, counts: Sequence[object]) -> tuple[int, ...]:
    """Check the counts ``(N_0, ..., N_{m-1})`` of the responses of a mechanism; return them as integers.

    Raises:
        InvalidParameterError: the counts are not m nonnegative integers.
        Also as ``require_possible``.
    """
    m = mechanism.outputs
    given = listed(counts, flat=True)
    if given is None:
        raise InvalidParameterError(
            f"counts are not a list: received {shown(counts)}; give the frequency of each of the {size_text(m)} outputs"
        )
    if len(given) != m:
        likely = len(given) > m and all(isinstance(each, Integral) and int(each) in range(m) for each in given)
        told = "give one count per row of the matrix, zeros included"
        if m * mechanism.inputs > MAX_MATRIX_ENTRIES:
            told = "`rropt count` counts a file of reports, and `rropt estimate` reads its counts"
        told += (
            "; these look like the responses themselves: count them, or in Python give them to Responses"
            if likely
            else ""
        )
        raise InvalidParameterError(
            f"counts do not fit the mechanism: received {with_noun(len(given), 'count')} for "
            f"{with_noun(size_text(m), 'output')}; {told}"
        )
    return require_possible(mechanism, tuple(answer_count(value, f"counts[{i}]") for i, value in enumerate(given)))


def require_possible(mechanism: Mechanism, counts: tuple[int, ...]) -> tuple[int, ...]:
    """Check that m counts, nonnegative integers, can be those of a mechanism, and return them.

    Raises:
        InvalidParameterError: their sum is out of range, or a response occurs that the mechanism never gives.
    """
    if not 0 < sum(counts) <= MAX_ANSWERS:
        raise InvalidParameterError(
            f"the number of responses is out of range: received the sum {sum(counts)}; allowed is 1 to {MAX_ANSWERS}"
        )
    for i, (count, row) in enumerate(zip(counts, mechanism.matrix, strict=True)):
        if count and not any(row):
            raise InvalidParameterError(
                f"output {i} is impossible under the mechanism: received {count} of them, and row {i} of the matrix "
                "is zero; check the mechanism and the order of the counts"
            )
    return counts


def given_counts(mechanism: Mechanism, counts: Any, responses: Any, yes: object, n: object) -> Any:
    """Return the counts from exactly one of three inputs: counts, responses, or ``yes`` with ``n``.

    Raises:
        InvalidParameterError: not exactly one of the three is given, or the responses are not outputs of the mechanism.
    """
    ways = [counts is not None, responses is not None, yes is not None or n is not None]
    if sum(ways) != 1 or (yes is None) != (n is None):
        raise InvalidParameterError(
            f"the responses are not given exactly once: received {sum(ways)} of counts, responses, and yes with n; "
            "give `yes=Y` with `n=N`, or `counts`, or in Python responses"
        )
    if counts is not None:
        return counts
    return binary_counts(mechanism, yes, n) if responses is None else response_counts(mechanism, responses)


def response_counts(mechanism: Mechanism, responses: Any) -> list[int]:
    """Count how often each output occurs in the responses, which are integers 0..m-1, shape (n,)."""
    m = mechanism.outputs
    within = f"allowed are the outputs 0..{m - 1} as integers, in one list"
    try:
        given = np.asarray(responses)
    except (ValueError, TypeError, OverflowError):
        raise InvalidParameterError(
            f"responses do not fit the mechanism: received {shown(responses)}; {within}"
        ) from None
    if given.dtype == bool or not given.size:
        given = given.astype(np.int64)
    if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
        what = f"the shape {given.shape}" if given.ndim != 1 else f"values of the type {given.dtype}"
        raise InvalidParameterError(f"responses do not fit the mechanism: received {what}; {within}")
    if given.size and not (given.min() >= 0 and given.max() < m):
        wrong = int(given.min() if given.min() < 0 else given.max())
        raise InvalidParameterError(f"responses do not fit the mechanism: received {wrong}; {within}")
    return [int(x) for x in np.bincount(given, minlength=m)]


def binary_counts(mechanism: Mechanism, yes: object, n: object) -> tuple[int, int]:
    """Return ``(n - yes, yes)``, the counts of responses 0 and 1 of a mechanism with two outputs."""
    if mechanism.outputs != 2:
        raise InvalidParameterError(
            "yes and n do not describe the responses: received a mechanism with "
            f"{with_noun(size_text(mechanism.outputs), 'output')}; give all of them (`counts=C0,..,Cm`)"
        )
    total = answer_count(n, "n", least=1)
    positive = answer_count(yes, "yes")
    if positive > total:
        raise InvalidParameterError(
            f"yes exceeds n: received {positive} yes among {total} responses; allowed is 0 <= yes <= n"
        )
    return total - positive, positive


def least_integer(works: Callable[[int], bool], guess: int, least: int, most: int) -> int:
    """Return the least integer in [least, most] for which a monotone property is true.

    The function uses exponential search from a guess, and then bisection. It assumes ``works(most)`` without evaluating
    it.

    Args:
        works: the property; once it is true, it is true for all larger integers.
        guess: the start of the search.
        least, most: the endpoints.
    """
    low, high, stride = least - 1, min(max(guess, least), most), 1  # invariant: works(low) is false, or low < least
    while high < most and not works(high):
        low, high, stride = high, min(high + stride, most), 2 * stride
    stride = 1
    while high - low > 1:
        middle = max(high - stride, least) if low < least else (low + high) // 2
        if works(middle):
            high, stride = middle, 2 * stride
        else:
            low = middle
    return high
