"""Search for rational points at which the hypotheses of a certificate are true, so it is not vacuous.

The search assigns values to the names one after the other, small rationals first. An equality (``h >= 0`` and
``-h >= 0``) that is linear in its last unassigned name determines the value of this name. A hypothesis is tested as
soon as all its names have values. A point that is found is exact. If none is found, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from rropt.claims.rational_functions import Coefficients, coefficients, value_of
from rropt.claims.relations import has_sign

_MOST_TRIALS = 4000  # values that are tried, which takes some milliseconds
_MOST_KNOWN = 40  # known points that are tried first
# the simplest values come first: probabilities, then larger numbers
_VALUES = [Fraction(x) for x in ["1/2", "2", "1/3", "0", "1", "3", "1/4", "2/3", "3/4", "1/5", "1/10", "3/2", "4", "5"]]
_VALUES += [Fraction(x) for x in ["9/10", "10", "7", "1/100", "99/100", "100", "-1/2", "-1", "-2", "-10"]]

_Point = dict[int, Fraction]


def domain_point(
    hypotheses: Sequence[Any],
    symbols: Sequence[Any],
    *,
    divisors: Sequence[Any] = (),
    known: Iterable[Mapping[str, Any]] = (),
) -> list[Fraction] | None:
    """Return values of the symbols at which all hypotheses are true, or ``None`` if none are found.

    Args:
        hypotheses: objects with a SymPy ``polynomial`` in the symbols, >= 0 or, if ``strict``, > 0.
        symbols: the names, in the order of the returned values.
        divisors: polynomials that must not be 0 at the point.
        known: values by name of points at which the hypotheses should be true; they are tried before the search.
    """
    conditions = [(coefficients(each.polynomial, symbols), ">" if each.strict else ">=") for each in hypotheses]
    said = [c for c, _ in conditions]
    equalities = [c for c in said if {key: -value for key, value in c.items()} in said]
    conditions += [(coefficients(divisor, symbols), "!=") for divisor in divisors]
    point: _Point = {}
    for values in islice(known, _MOST_KNOWN):
        listed = [values.get(str(symbol)) for symbol in symbols]
        point = {i: Fraction(x) for i, x in enumerate(listed) if isinstance(x, (int, Fraction))}
        if len(point) == len(symbols) and all(has_sign(value_of(c, point), sign) for c, sign in conditions):
            return [point[i] for i in range(len(symbols))]
    point = {}
    trials = iter(range(_MOST_TRIALS))
    found = _extend(point, len(symbols), conditions, equalities, trials)
    return [point[i] for i in range(len(symbols))] if found else None


def _extend(
    point: _Point,
    count: int,
    conditions: Sequence[tuple[Coefficients, str]],
    equalities: Sequence[Coefficients],
    trials: Iterator[int],
) -> bool:
    """Assign values to the names without a value by backtracking; return whether this succeeds."""
    if any(not has_sign(value_of(c, point), sign) for c, sign in conditions if _names(c) <= set(point)):
        return False
    free = [i for i in range(count) if i not in point]
    if not free:
        return True
    solved = ((i, _solution(c, i, point)) for c in equalities for i in _names(c) - set(point))
    given = next(((i, value) for i, value in solved if value is not None), None)
    name, values = (given[0], [given[1]]) if given else (free[0], _VALUES)
    for value in values:
        if next(trials, None) is None:
            return False
        point[name] = value
        if _extend(point, count, conditions, equalities, trials):
            return True
        del point[name]
    return False


def _names(polynomial: Coefficients) -> set[int]:
    return {i for key in polynomial for i, e in enumerate(key) if e}


def _solution(polynomial: Coefficients, name: int, point: Mapping[int, Fraction]) -> Fraction | None:
    """Solve ``polynomial = 0`` for a name in which it is linear, if all its other names have values; else None."""
    if _names(polynomial) - set(point) != {name} or max(key[name] for key in polynomial) > 1:
        return None
    at_0, at_1 = (value_of(polynomial, {**point, name: Fraction(x)}) for x in (0, 1))
    return at_0 / (at_0 - at_1) if at_0 != at_1 else None
