"""Proves on a cell that the odds ratio ``F = (1-p) h / (p (1-h))`` of a criterion is at least, or at most, a bound.

Let ``g = h (1 + (b-1) p) - b p``. Then F >= b iff g >= 0, and F <= b iff g <= 0. Since g increases with h, a lower
bound of F needs all operands of a minimum, and one operand of a maximum. An upper bound needs one operand of a minimum,
and all operands of a maximum. (A mirrored piece has h = 1 - h_l(1-p); there a maximum acts as a minimum, and
conversely.)
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from ..documents import Rejected, fields, text_of
from ..intervals import Arithmetic
from ..polynomials import Quotient
from .constants import Constants, Strictness, require_nonnegative
from .expansions import Expansions
from .pieces import EXTREMA, Piece, evaluate, read_pieces, read_tree

_ONE = Fraction(1)


class ProvedCell(NamedTuple):
    """A closed interval of priors and its method: ``bernstein``, or an expansion at ``low``, ``high`` or ``middle``."""

    low: Fraction
    high: Fraction
    method: str = "bernstein"
    order: int = 0  # of an expansion; at a point, low = high, everything is exact for every method

    @property
    def seen_from(self) -> Fraction | None:
        """The endpoint at which an expansion gives no information; None for other methods."""
        return {"low": self.low, "high": self.high}.get(self.method)


class _Function:
    """The function h on a cell, in the algebra that the cell's method needs."""

    def __init__(self, constants: Constants, tree: Any, mirrored: bool, cell: ProvedCell) -> None:
        self.constants, self.cell = constants, cell
        self.is_expanded = cell.low < cell.high and cell.method != "bernstein"
        self.algebra: Any = Expansions(constants, *cell) if self.is_expanded else constants
        self.one = self.algebra.of(_ONE)
        self.prior = self.algebra.prior if cell.low < cell.high else self.algebra.of(cell.low)
        self.h = evaluate(tree, self.algebra, self.less(self.one, self.prior) if mirrored else self.prior)
        if mirrored:
            self.h = self.less(self.one, self.h)

    def less(self, f: Any, g: Any) -> Any:
        """Return f - g."""
        return self.algebra.add(f, self.algebra.negative(g))

    def excess(self, bound: Quotient) -> Any:
        """Return ``g = h (1 + (b-1) p) - b p``."""
        a = self.algebra
        b = a.constant(bound) if self.is_expanded else bound
        slope = a.multiply(self.less(b, self.one), self.prior)
        return self.less(a.multiply(self.h, a.add(self.one, slope)), a.multiply(b, self.prior))

    def require(self, f: Any) -> Strictness:
        """Require f >= 0 on the cell, except at the endpoint of the expansion; return where f > 0."""
        if self.cell.low < self.cell.high and not self.is_expanded:
            return require_nonnegative(self.constants, f, self.cell.low, self.cell.high)
        least = self.algebra.range(f)[0] if self.is_expanded else self.constants.sign(f)
        if least < 0:
            raise Rejected("the odds ratio may be beyond the bound on a cell")
        return Strictness(least > 0, least > 0, least > 0)


_Judged = Callable[[_Function], Strictness]


class ProvedCriterion:
    """The pieces of both functions of a criterion, and the proofs on their cells."""

    def __init__(self, problem: Any, arithmetic: Arithmetic) -> None:
        functions = fields(problem, ["up", "down"], "problem")
        if functions == [None, None]:
            raise Rejected("a criterion has at least one function")
        self.budget = arithmetic.budget
        self.constants = Constants(arithmetic)
        self.is_expanded = False
        self.sides: dict[str, list[Piece]] = {
            side: read_pieces(function, self.constants, mirrored=side == "down")
            for side, function in zip(("up", "down"), functions, strict=True)
            if function is not None
        }

    def number(self, tree: Any) -> Quotient:
        """Return the constant that an expression without p denotes."""
        value: Quotient = evaluate(read_tree(tree, self.budget), self.constants, None)
        return value

    def at_least(self, piece: Piece, cell: ProvedCell, bound: Quotient | None) -> bool:
        """Require F >= bound on a cell (``None``: h >= 1); return whether F > bound on the whole part of the piece
        there.
        """

        def judged(on: _Function) -> Strictness:
            return on.require(on.less(on.h, on.one) if bound is None else on.excess(bound))

        inside, at_low, at_high = self._judge(piece, cell, "minimum", judged)
        for end in (cell.low, cell.high):  # an expansion gives no information at its endpoint
            if end == cell.seen_from and cell.low < cell.high and piece.may_hold(end):
                strict = self._judge(piece, ProvedCell(end, end), "minimum", judged).inside
                at_low, at_high = (strict, at_high) if end == cell.low else (at_low, strict)
        return inside and (at_low or not piece.may_hold(cell.low)) and (at_high or not piece.may_hold(cell.high))

    def require_defined(self, piece: Piece, low: Fraction, high: Fraction) -> None:
        """Require that all operands of an extremum are defined on [low, high] in (0, 1), so the extremum is continuous
        there.
        """
        if isinstance(piece.tree, tuple) and piece.tree[0] in EXTREMA:
            self._judge(piece, ProvedCell(low, high, "middle", 1), None, lambda on: Strictness(True, True, True))

    def at_most(self, piece: Piece, cell: ProvedCell, bound: Quotient) -> tuple[Any, bool]:
        """Require that F is at most the bound at some place; return the place, and whether it belongs to the piece.

        A cell at 0 or 1 means the limit there, and a cell with low = high means a point. Any other cell contains an
        irrational endpoint of the piece, and F <= bound must be true on the whole cell. (g <= 0 implies h < 1, because
        g = 1-p > 0 where h = 1.)
        """

        def judged(on: _Function) -> Strictness:
            return on.require(on.algebra.negative(on.excess(bound)))

        def judged_limit(on: _Function) -> Strictness:
            if self.constants.compare(self._limit(on), bound) > 0:
                raise Rejected("the limit of the odds ratio is greater than the bound")
            return Strictness(False, False, False)

        low, high = cell.low, cell.high
        if low == 0 or high == 1:
            end = Fraction(int(high == 1))
            if high - low in (0, 1) or cell.seen_from not in (None, end) or end not in piece.outer:
                raise Rejected("the limit is none of the piece")
            self._judge(piece, cell, "maximum", judged_limit)
            return "0+" if low == 0 else "1-", False
        if low == high and not piece.may_hold(low):
            self._judge_limit(piece, cell, judged)
        else:
            self._judge(piece, cell, "maximum", judged)
        place = text_of(low) if low == high else {"from": text_of(low), "to": text_of(high)}
        return place, piece.owns(low, high)

    def limit(self, piece: Piece, cell: ProvedCell) -> Quotient:
        """Return the limit of F at the endpoint 0 or 1 of the cell's expansion; the piece must not be a minimum or
        maximum.
        """
        return self._limit(_Function(self.constants, piece.tree, piece.mirrored, cell))

    def _limit(self, on: _Function) -> Quotient:
        """Return z_0 if ``h = w (z_0 + w s)`` at 0, or 1/z_0 if ``1-h = w (z_0 + w s)`` at 1, with s bounded and z_0 >
        0.

        For a rational function n/d with n = 0 != d at the endpoint, z_0 is the value of n'/d there (of -n'/d at 1).
        """
        constants, end = self.constants, int(on.cell.high == 1)
        f = on.less(on.one, on.h) if end else on.h
        if on.is_expanded:
            low, high = on.algebra.series.cut(f.v, 1).rest
            known = f.v.z and not f.log[0] and constants.is_equal(f.a, constants.of(_ONE))
            if not (known and low.is_finite() and high.is_finite()):
                raise Rejected("a function is not known to vanish to first order at the end of a cell")
            slope = f.v.z[0]
        else:
            if constants.at_end(f[0], end, 0)[0]:
                raise Rejected("a function does not vanish at the end of a cell")
            below = constants.power(constants.at_end(f[1], end, 0), -_ONE)
            slope = constants.multiply(constants.at_end(f[0], end, 1), below)
            slope = constants.negative(slope) if end else slope
        if constants.sign(slope) <= 0:
            raise Rejected("a function has no positive slope at the end of a cell")
        return constants.power(slope, -_ONE) if end else slope

    def _judge(self, piece: Piece, cell: ProvedCell, every: str | None, judged: _Judged) -> Strictness:
        """Judge the expression itself. If that fails and it is an extremum, judge its operands: all of them if it is
        the extremum ``every`` (of h; ``None``: either), else at least one.
        """
        self.is_expanded = self.is_expanded or (cell.method != "bernstein" and cell.low < cell.high)
        try:
            return judged(_Function(self.constants, piece.tree, piece.mirrored, cell))
        except Rejected:
            operation, parts = piece.tree if isinstance(piece.tree, tuple) else ("", ())
            if operation not in EXTREMA:
                raise
        pieces = [piece._replace(tree=part) for part in parts]
        if every is None or (operation == every) != piece.mirrored:
            return Strictness(
                *map(all, zip(*(self._operand(each, cell, every, judged) for each in pieces), strict=True))
            )
        for each in pieces:
            try:
                return self._operand(each, cell, every, judged)
            except Rejected:
                self.budget.spend(1)  # the work that was spent is not given back
        raise Rejected(f"no operand of a {operation} is proved on a cell")

    def _judge_limit(self, piece: Piece, cell: ProvedCell, judged: _Judged, is_inside: bool = False) -> None:
        """Judge the limit of h at an end that the piece does not own: all operands of a maximum and of the extrema
        inside it, and one operand of another minimum.

        Next to the end h leaves out the operands that are not defined there, so the value of h at the end proves
        nothing. A minimum outside of a maximum leaves out none: the cells of the piece prove all of its operands.
        """
        operation, parts = piece.tree if isinstance(piece.tree, tuple) else ("", ())
        if operation not in EXTREMA:
            judged(_Function(self.constants, piece.tree, piece.mirrored, cell))
            return
        is_inside = is_inside or (operation == "maximum") != piece.mirrored
        for part in parts:
            try:
                self._judge_limit(piece._replace(tree=part), cell, judged, is_inside)
            except Rejected:
                self.budget.spend(1)  # the work that was spent is not given back
                if is_inside:
                    raise
            else:
                if not is_inside:
                    return
        if not is_inside:
            raise Rejected(f"no operand of a {operation} is proved at an end of its piece")

    def _operand(self, piece: Piece, cell: ProvedCell, every: str | None, judged: _Judged) -> Strictness:
        """Judge an operand; for F >= bound also try Bernstein coefficients, since the operand may be rational."""
        try:
            return self._judge(piece, cell, every, judged)
        except Rejected:
            if every != "minimum" or cell.method == "bernstein" or cell.low == cell.high:
                raise
            return self._judge(piece, cell._replace(method="bernstein", order=0), every, judged)
