"""The infimum on one cell where h is no rational function: enclosed by branch and bound (``searches``)."""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.privacy.criteria.prior_functions import PriorFunction
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.boxes import finite_low, ratio
from rropt.privacy.parity_bounds.callables import CallableFunction
from rropt.privacy.parity_bounds.cells import Cell, branches
from rropt.privacy.parity_bounds.evaluation import Function, UndefinedError
from rropt.privacy.parity_bounds.exact_pieces import exact_places
from rropt.privacy.parity_bounds.intervals import Interval
from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational
from rropt.privacy.parity_bounds.places import Place
from rropt.privacy.parity_bounds.searches import Search, undefined
from rropt.tolerances import ENCLOSURE_MAX_BITS, ENCLOSURE_PRECISION

__all__ = ["enclosed_places", "values_at"]


def enclosed_places(side: str, leaf: Composite, cell: Cell) -> list[Place]:
    """Return the enclosed infimum of F on a cell, as one place; none where h = 1.

    Raises:
        InvalidParameterError: the function leaves its range, or is not defined.
        UnsupportedProblemError: it cannot be shown to be defined.
    """
    with ctx.workprec(ENCLOSURE_PRECISION):
        if cell.is_point:
            return _point_place(side, leaf, cell)
        parts = branches(leaf)
        separate = [Function(part, cell) for part in parts] if len(parts) > 1 else []
        search = Search(side, leaf, cell, Function(leaf, cell), separate, floor=_floor(side, leaf, cell))
        left = search.run()
        if left and search.best is None:
            raise UnsupportedProblemError(
                "the function leaves a bound that cannot be computed: no point was found where the odds ratio is below "
                f"2^{ENCLOSURE_MAX_BITS}; use a function that allows less"
            )
        return search.places(left) if left else []


def _floor(side: str, leaf: Leaf, cell: Cell) -> Fraction:
    """Return a lower bound of F for a maximum: F grows with h, so it is at least the F of every rational part."""
    if isinstance(leaf, Rational):
        try:
            found = exact_places(side, leaf, cell)
        except InvalidParameterError:  # out of range: the maximum need not be
            return Fraction(1)
        return max(min((place.lower for place in found), default=Fraction(1)), Fraction(1))
    if leaf.name != "max":
        return Fraction(1)
    return max(_floor(side, part, cell) for part in leaf.parts)


def values_at(leaf: Composite | PriorFunction, cell: Cell, at: Algebraic) -> tuple[Interval, Interval]:
    """Return intervals around h and F at one point of the cell."""
    with ctx.workprec(ENCLOSURE_PRECISION):
        x = Interval.around(at.ball(ENCLOSURE_PRECISION))
        function = CallableFunction(leaf) if isinstance(leaf, PriorFunction) else Function(leaf, cell)
        h = function.jet(x).value
        return h, ratio(x, h)


def _point_place(side: str, leaf: Composite, cell: Cell) -> list[Place]:
    x = Interval.around(cell.low.ball(ENCLOSURE_PRECISION))
    try:
        values = ratio(x, Function(leaf, cell).jet(x).value)
    except UndefinedError:
        raise undefined(Fraction(*float(cell.low).as_integer_ratio())) from None
    upper = values.bounds()[1]
    lower = finite_low(values)
    if upper is None or isinstance(lower, float):
        return []
    if upper < 1:
        raise InvalidParameterError(
            f"the function is out of range at p = {cell.low}: received an odds ratio below 1; allowed is p <= h(p) <= 1"
        )
    return [Place(side, "at", cell.low, True, lower, upper, None, cell, leaf)]
