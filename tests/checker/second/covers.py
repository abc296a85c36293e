"""Rule 12 (the infimum B of a criterion): cells, points, claims."""

from fractions import Fraction

from . import constants as c12
from .constants import Constants, bernstein, of
from .expansions import Cell, Expansions
from .functions import EXTREMA, evaluate, expression, pieces_of
from .intervals import UndefinedError, is_infinite
from .reading import RefusedError, array, integer, keys, number, want

METHODS = ("bernstein", "low", "high", "middle")
DIGITS = 300


class Pairs(Constants):
    """Expressions as pairs n/d."""

    of = staticmethod(of)

    def quotient(self, f, g):
        return f * self.inverse(g)


class Judge:
    """The conditions on g on a cell; each says None if it fails, else where g > 0: inside, at low, at high."""

    def __init__(self, digits):
        self.pairs = Pairs(digits)

    def h(self, tree, piece, algebra, prior):
        one = algebra.of(Fraction(1))
        value = evaluate(tree, algebra, one + -prior if piece.mirrored else prior)
        return one + -value if piece.mirrored else value

    def g(self, tree, piece, algebra, prior, bound):
        """Return g, or h - 1 where the bound is None."""
        h, one = self.h(tree, piece, algebra, prior), algebra.of(Fraction(1))
        return h + -one if bound is None else h * (one + (bound + -one) * prior) + -(bound * prior)

    def alone(self, tree, piece, bound, cell, sign):
        """Conditions 2, 3 and 4 on an expression itself, of sign times g."""
        low, high, method, order = cell
        try:
            if low == high:
                value = sign * self.pairs.sign(self.g(tree, piece, self.pairs, of(low), bound))
                return (value > 0,) * 3 if value >= 0 else None
            if method == "bernstein":
                return self.coefficients(self.g(tree, piece, self.pairs, c12.P, bound), low, high, sign)
            if (low, high) == (0, 1) or (method == "middle" and (low == 0 or high == 1)):
                return None
            at = Cell(self.pairs, low, high, method, order)
            level = None if bound is None else at.constant(bound)
            g = self.g(tree, piece, Expansions(at), at.prior(False), level)
            least = (g if sign > 0 else -g).range()[0]
        except UndefinedError:
            return None
        return (least > 0,) * 3 if least >= 0 else None

    def coefficients(self, g, low, high, sign):
        below = [self.pairs.sign_of(each) for each in bernstein(g.d, low, high)]
        turn = next((each for each in below if each), 0)
        if not turn or any(each * turn < 0 for each in below):
            return None
        if (below[0] == 0 and low > 0) or (below[-1] == 0 and high < 1):
            return None
        above = [turn * sign * self.pairs.sign_of(each) for each in bernstein(g.n, low, high)]
        return None if min(above) < 0 else (any(above), above[0] > 0, above[-1] > 0)

    def proved(self, tree, piece, bound, cell, sign=1, alone=None, operand=False):
        """Condition 1, on any condition on an expression itself."""
        judged = (alone or self.alone)(tree, piece, bound, cell, sign)
        if judged is None and isinstance(tree, tuple) and tree[0] in EXTREMA:
            every = ((tree[0] == "minimum") != piece.mirrored) == (sign > 0)
            found = []
            for each in tree[1]:
                found.append(self.proved(each, piece, bound, cell, sign, alone, True))
                if (found[-1] is None) == every:
                    break
            if found[-1] is not None:
                judged = tuple(map(all, zip(*found, strict=True))) if every else found[-1]
        low, high, method, _ = cell
        if judged is None and operand and sign > 0 and method != "bernstein" and low < high:
            judged = self.proved(tree, piece, bound, (low, high, "bernstein", 0), 1, alone, True)
        return judged

    def at_least(self, piece, bound, cell):
        """Whether F is above the bound at all that the piece may hold; refused if it may be below."""
        low, high, method, _ = cell
        judged = self.proved(piece.tree, piece, bound, cell)
        want(judged is not None, "a cell")
        inside, at_low, at_high = judged
        end = {"low": low, "high": high}.get(method)
        if end is not None and low < high and piece.may_hold(end):
            there = self.proved(piece.tree, piece, bound, (end, end, method, 0))
            want(there is not None, "an end of a cell")
            at_low, at_high = (there[0], at_high) if end == low else (at_low, there[0])
        return inside and (at_low or not piece.may_hold(low)) and (at_high or not piece.may_hold(high))

    def limit(self, tree, piece, top, cell, _sign):
        """Whether F tends to top at most, at the end 0 or 1 of a cell."""
        low, high, method, order = cell
        at_one = high == 1
        try:
            if method == "bernstein":
                z = self.slope(self.h(tree, piece, self.pairs, c12.P), at_one)
            else:
                at = Cell(self.pairs, low, high, method, order)
                algebra = Expansions(at)
                h = self.h(tree, piece, algebra, at.prior(False))
                f = algebra.of(Fraction(1)) + -h if at_one else h
                if f.a.known() != 1 or not f.logs.is_zero or not f.z or any(map(is_infinite, f.s)):
                    return None
                z = f.z[0]
            if z is None or self.pairs.sign(z) <= 0:
                return None
            rest = top * z - of(1) if at_one else top - z
            return (True,) * 3 if self.pairs.sign(rest) >= 0 else None
        except UndefinedError:
            return None

    def slope(self, h, at_one):
        """Return n'/d of h at 0, of 1 - h in 1 - p at 1; None if n is not 0 there, or d is."""
        f = of(1) - h if at_one else h
        value, first, below = (at_end(*each) for each in ((f.n, at_one, 0), (f.n, at_one, 1), (f.d, at_one, 0)))
        if value or not self.pairs.sign_of(below):
            return None
        return c12.Pair(c12.minus(first) if at_one else first, below)

    def is_defined(self, tree, piece, low, high):
        try:
            if low == high:
                self.h(tree, piece, self.pairs, of(low))
            else:
                at = Cell(self.pairs, low, high, "middle", 1)
                self.h(tree, piece, Expansions(at), at.prior(False))
        except UndefinedError:
            return False
        return True

    def is_continuous(self, tree, piece, low, high):
        """Whether an extremum, or all its operands, are shown to be defined."""
        if self.is_defined(tree, piece, low, high):
            return True
        extremum = isinstance(tree, tuple) and tree[0] in EXTREMA
        return extremum and all(self.is_continuous(each, piece, low, high) for each in tree[1])


def at_end(polynomial, at_one, order):
    """Return the value (order 0) or derivative (1) in p of a polynomial at p = 0 or 1."""
    total = {}
    for key, c in polynomial.items():
        if key[0] >= order and (at_one or key[0] == order):
            total = c12.plus(total, {(0, *key[1:]): c * key[0] ** order})
    return total


def method_of(method, order):
    want(method in METHODS and isinstance(method, str), "a method")
    k = integer(order)
    want(k == 0 if method == "bernstein" else 1 <= k <= 4, "an order")
    return method, k


def covered(judge, piece, cells, low, top):
    """Return what the cells of a piece say: (cell, is near, is above top)."""
    found, at = [], piece.start[0]
    is_point = piece.start == piece.end and piece.start[0] == piece.start[1]
    for each in array(cells):
        to, near, method, order = keys(each, ["to", "near", "method", "order"])
        to = number(to)
        want(isinstance(near, bool) and not (near and low is None), "near")
        want(at < to <= piece.end[1] or (is_point and at == to and not found), "cells ascend")
        cell = (at, to, *method_of(method, order))
        found.append((cell, near, judge.at_least(piece, low if near else top, cell)))
        at = to
    want(found and at == piece.end[1], "cells end with their piece")
    return [(piece, *each) for each in found]


def placed(judge, pieces, value, top):
    """Return the place that the claim has to name, and whether the piece owns it."""
    side, piece, start, to, method, order = keys(value, ["side", "piece", "from", "to", "method", "order"])
    want(side in ("up", "down") and isinstance(side, str) and pieces[side] is not None, "the side of the point")
    at = integer(piece)
    want(0 <= at < len(pieces[side]), "the piece of the point")
    piece = pieces[side][at]
    low, high = number(start), number(to)
    want(0 <= low <= high <= 1, "the point")
    cell = (low, high, *method_of(method, order))
    if 0 < low <= high < 1:
        want(judge.proved(piece.tree, piece, top, cell, -1) is not None, "the point is above top")
        if low == high:
            want(piece.start[1] <= low <= piece.end[0], "the point is not in its piece")
            return start, piece.may_hold(low)
        around = [
            owned
            for (a, b), owned in ((piece.start, piece.owns_start), (piece.end, piece.owns_end))
            if low <= a < b <= high
        ]
        want(around, "the point is around no irrational end")
        return {"from": start, "to": to}, any(around)
    want(low < high and (low, high) != (0, 1), "the point is 0 or 1")
    want(method in ("bernstein", "low" if low == 0 else "high"), "the method of a limit")
    want(
        (piece.start if low == 0 else piece.end) == ((low, low) if low == 0 else (high, high)), "no limit of the piece"
    )
    want(judge.proved(piece.tree, piece, top, cell, -1, judge.limit) is not None, "the limit")
    return "0+" if low == 0 else "1-", False


def closed(piece, low, high):
    (a, b), (c, d) = piece.start, piece.end
    from_start, to_end = low < b or low == a, high > c or high == d
    return low > 0 and high < 1 and (piece.owns_start or not from_start) and (piece.owns_end or not to_end)


def infimum(problem, claim, witness):
    """Return lower and upper, None of an infinite B."""
    _, *functions = keys(problem, ["kind", "up", "down"])
    _, lower, upper, attained, at = keys(claim, ["kind", "lower", "upper", "attained", "at"])
    names = ["rule", "version", "digits", "exact", "up", "down", "point"]
    _, version, digits, exact, *covers, point = keys(witness, names)
    digits = integer(digits)
    want(version == "2" and 1 <= digits <= DIGITS, "the version, or digits")
    want(functions != [None, None] and (attained is None or isinstance(attained, bool)), "a function, attained")
    judge = Judge(digits)
    pieces = {
        side: None if function is None else pieces_of(function, side == "down")
        for side, function in zip(("up", "down"), functions, strict=True)
    }
    try:
        low = top = None
        if lower == "infinite":
            want(upper == "infinite" and attained is at is point is exact is None, "an infinite B")
        else:
            low, top = of(number(lower)), of(number(upper))
            want(0 <= number(lower) <= number(upper), "the bounds")
            if exact is not None:
                value = evaluate(expression(exact, ()), judge.pairs, None)
                want(judge.pairs.sign(value - low) >= 0 and judge.pairs.sign(top - value) >= 0, "exact")
                top = value
        cells = []
        for side, cover in zip(pieces, covers, strict=True):
            want((cover is None) == (pieces[side] is None), "a cover for each function")
            for piece, listed in zip(pieces[side] or [], array(cover or [], len(pieces[side] or [])), strict=True):
                cells += covered(judge, piece, listed, low, top)
        if top is None:
            return None, None
        place, owned = placed(judge, pieces, point, top)
        want(at == place, "the place of the point")
        if attained:
            want(owned, "the point is not owned")
            for piece, cell, near, _ in cells:
                want(not near or closed(piece, *cell[:2]), "a cell is not closed")
                extremum = isinstance(piece.tree, tuple) and piece.tree[0] in EXTREMA
                want(
                    not near or not extremum or judge.is_continuous(piece.tree, piece, *cell[:2]),
                    "an operand is not defined",
                )
        want(attained is not False or all(above and not near for *_, near, above in cells), "it may be attained")
    except UndefinedError as error:
        raise RefusedError(str(error)) from error
    return number(lower), number(upper)


def cover(problem, claim, witness):
    infimum(problem, claim, witness)
