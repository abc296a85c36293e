"""Exact bounds of a linear program over the entries of a mechanism at an irrational level, in fractions.

A mechanism that is private at a level is private at every larger one. So with rational numbers just below and just
above gamma and delta,

    optimum above <= optimum <= optimum below    (of a minimum).

*Attained.* The vertex of the tight conditions is computed below. If it violates a condition there by a little, as a
degenerate vertex may, it is mixed with a mechanism whose outputs do not depend on the category. The value is one bound.

*Proved.* Any prices y, nonnegative for inequalities ``a_i.x <= b_i``, prove the other one above: with ``r = c + sum y_i
a_i`` and unknowns between 0 and 1, ``c.x >= -sum y_i b_i + sum min(0, r)``. They are those of the vertex above, where
negative ones are set to 0. Tight conditions that are not optimal give wide bounds, and are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.symbolic.fields import Field, ProofRefusedError
from rropt.symbolic.programs import EntryProgram, Label, Level, Line, Terms, solved
from rropt.symbolic.rows import rational_levels
from rropt.symbolic.symbols import exact

_LEAST_SIZE = Fraction(1, 10**20)
_WIDEST = Fraction(1, 10**15)  # relative width: bounds of an optimal vertex are 10^-28 apart
_ROUNDING = Fraction(1, 10**20)  # of a level, times the size of a vertex
_OF_UNIT_SIZE = ("p", "e", "t")  # entries, excesses and changes of an optimum lie between 0 and 1
_QQ = Field({})


@dataclass(frozen=True, eq=False)
class ProgramBounds:
    """Bounds of the optimum that a private mechanism and prices prove.

    Attributes:
        program: the linear program.
        point: all unknowns of the mechanism, at rational levels just below.
        prices: the prices of the conditions at rational levels just above, by label.
        lower, upper: the bounds of the optimum.
    """

    program: EntryProgram
    point: Mapping[Any, Any]
    prices: Mapping[Label, Any]
    lower: Fraction
    upper: Fraction

    @property
    def width(self) -> Fraction:
        """The width of the bounds relative to their size, or to ``_LEAST_SIZE``: the optimum may be 0."""
        return (self.upper - self.lower) / max(abs(self.lower), abs(self.upper), _LEAST_SIZE)

    @property
    def design(self) -> tuple[tuple[Fraction, ...], ...]:
        """The private mechanism that attains one of the bounds: rows are outputs."""
        return tuple(tuple(_fraction(self.point[name]) for name in row) for row in self.program.names)

    def check(self) -> None:
        """Prove the bounds again.

        Raises:
            RouteDisagreementError: the mechanism violates a condition, a price is negative, or a bound is another one.
        """
        objective, lines = at_rational_levels(self.program, "lower")
        if any(_excess(line, self.point) > 0 or (line.is_equation and _excess(line, self.point)) for line in lines):
            raise RouteDisagreementError("the mechanism of the bounds violates a condition")
        proved = _proved(*at_rational_levels(self.program, "upper"), self.prices)
        ends = _ordered(self.program.sign, proved, _value(objective, self.point))
        if (self.lower, self.upper) != ends or self.lower > self.upper:
            raise RouteDisagreementError("a bound is not the one that the mechanism and the prices prove")


def bounds_of(program: EntryProgram, tight: Collection[Label]) -> ProgramBounds:
    """Return the bounds that the tight conditions of a vertex prove.

    Raises:
        ProofRefusedError: they determine no vertex, or it is not optimal.
        UnsupportedProblemError: the vertex needs a mixture, and conditions of one's own allow no constant mechanism.
    """
    objective, lines = at_rational_levels(program, "lower")
    point = _private(program, lines, solved(_QQ, objective, lines, tight)[0])
    above = at_rational_levels(program, "upper")
    found = solved(_QQ, *above, tight)[1]
    is_equation = {line.label: line.is_equation for line in above[1]}
    prices = {label: y if is_equation[label] else max(y, _QQ.zero) for label, y in found.items() if y}
    ends = _ordered(program.sign, _proved(*above, prices), _value(objective, point))
    own = ProgramBounds(program, point, prices, *ends)
    if not 0 <= own.width <= _WIDEST:
        raise ProofRefusedError("SymPy: the bounds of the vertex and of its prices are apart: it is not optimal")
    return own


def at_rational_levels(program: EntryProgram, end: Literal["lower", "upper"]) -> tuple[Terms, list[Line]]:
    """Return the objective and the conditions at rational levels just below or above those of the program."""
    inside = program.region.get("region", program.region)  # bounds of entries are written around a region
    listed = () if inside["kind"] == "every-mechanism" else rational_levels(inside, end)
    levels = [Level(exact(gamma), exact(delta) if delta else None, {}, pairs) for gamma, delta, pairs in listed]
    return program.at(_QQ, levels)


def _private(program: EntryProgram, lines: Sequence[Line], point: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return a point that satisfies all conditions: the vertex, mixed with a constant mechanism if it must be.

    Raises:
        ProofRefusedError: the vertex violates a condition by more than the rounding of the level.
        UnsupportedProblemError: the constant mechanism does not satisfy the conditions with room.
    """
    over = [line for line in lines if _excess(line, point) > 0]
    if not over:
        return point
    m, k = program.shape
    constant = dict.fromkeys(point, _QQ.zero) | {("p", i, j): _QQ.one / m for i in range(m) for j in range(k)}
    constant |= {name: _QQ.one for name in point if name[0] == "t"}  # a change is at most 1
    part = _QQ.zero
    for line in over:
        own, room = _excess(line, point), -_excess(line, constant)
        if _fraction(own) > _ROUNDING:
            raise ProofRefusedError(f"SymPy: the vertex violates {line.label}")
        if room <= 0:
            raise UnsupportedProblemError("no bounds: no mechanism is known that satisfies all conditions with room")
        part = max(part, own / (own + room))
    mixed = {name: x + part * (constant[name] - x) for name, x in point.items()}
    if any(_excess(line, mixed) > 0 or (line.is_equation and _excess(line, mixed)) for line in lines):
        raise UnsupportedProblemError("no bounds: no mechanism is known that satisfies all conditions with room")
    return mixed


def _excess(line: Line, point: Mapping[Any, Any]) -> Any:
    """Return ``a.x - b``."""
    return _value(line.terms, point) - line.bound


def _value(terms: Terms, point: Mapping[Any, Any]) -> Any:
    return sum((c * point[name] for name, c in terms.items()), _QQ.zero)


def _proved(objective: Terms, lines: Sequence[Line], prices: Mapping[Label, Any]) -> Any:
    """Return the lower bound of a minimum that prices prove.

    Raises:
        RouteDisagreementError: the price of an inequality is negative, or an unknown without bounds has a part.
    """
    rest, paid = dict(objective), _QQ.zero
    for line in lines:
        y = prices.get(line.label)
        if not y:
            continue
        if y < 0 and not line.is_equation:
            raise RouteDisagreementError(f"the price of {line.label} is negative")
        paid += y * line.bound
        for name, c in line.terms.items():
            rest[name] = rest.get(name, _QQ.zero) + y * c
    if any(r for name, r in rest.items() if name[0] not in _OF_UNIT_SIZE):
        raise ProofRefusedError("SymPy: the prices leave a term of an unknown without bounds")
    return sum((min(r, _QQ.zero) for r in rest.values()), _QQ.zero) - paid


def _ordered(sign: int, lower: Any, upper: Any) -> tuple[Fraction, Fraction]:
    """Return the bounds of the optimum from those of the minimum."""
    ends = _fraction(lower) * sign, _fraction(upper) * sign
    return (ends[0], ends[1]) if sign > 0 else (ends[1], ends[0])


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.numerator), int(x.denominator))
