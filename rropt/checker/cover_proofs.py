"""Lower bounds of the odds ratio on one cell: the methods of rule 12 (FORMAT.md).

All is said for h = H(x), x = p on the side up and H = 1 - h_l, x = 1 - p on the side down: then both sides ask for
``g = (1-x) H - L x (1-H) >= 0``, and F = (1-x) H / (x (1-H)) is the odds ratio.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .cover_extrema import Extrema
from .cover_forms import Forms, NotRationalError, first_nonzero, negative, over_prior
from .cover_intervals import Arithmetic, Interval
from .cover_jets import Box, Jet, Jets
from .documents import Rejected
from .polynomials import Polynomial, Quotient

Odds = tuple[Polynomial, Polynomial, Polynomial]  # d, d N, d D

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Proof:
    """What is proved on a cell [a, b], with g >= 0: where g > 0, and how F runs.

    ``strict``: g > 0 inside; ``low``, ``high``: at a, at b. ``trend``: 1 if F rises strictly with p, -1 if it falls.
    """

    strict: bool
    low: bool
    high: bool
    trend: int = 0
    constant: bool = False


class Prover:
    """The methods, for one file: intervals of ``bits`` bits, one ring."""

    def __init__(self, bits: int) -> None:
        self.arithmetic = Arithmetic(bits)
        self.forms = Forms(self.arithmetic)
        self.jets = Jets(self.arithmetic, lambda tree, box: self.forms.is_nonnegative(tree, box.low, box.high))
        self.extrema = Extrema(self.jets, self.forms)
        self._known: dict[tuple[str, int], tuple[Any, Odds]] = {}

    def restart(self) -> None:
        """Forget the work done so far."""
        self.arithmetic.work = self.forms.ring.work = 0

    def prove(self, side: str, tree: Any, box: Box, method: str, bound: Fraction) -> Proof:
        """Return what a method proves of N - bound D on a cell; rejected if it fails."""
        long = sum(_bits(x) for x in (bound, box.low, box.high))
        self.arithmetic.charge(4 + (long // 1024) ** 2)
        if method in ("rising", "falling", "constant") and box.low == box.high:
            raise Rejected("a function on one point does not run")
        shorter = self.extrema.shorter(tree, box)
        try:
            return self._prove(side, shorter, box, method, bound)
        except Rejected:
            parts = shorter.get("minimum", shorter.get("maximum")) if isinstance(shorter, dict) else None
            if parts is None:
                raise
        return self._of_all(side, shorter, parts, box, method, bound)

    def _prove(self, side: str, tree: Any, box: Box, method: str, bound: Fraction) -> Proof:
        if method in ("bernstein", "constant"):
            return self._bernstein(side, tree, box, method, bound)
        if method == "value":
            return self._value(side, tree, box, bound)
        if method == "chord":
            return self._chord(side, tree, box, bound)
        if method not in ("rising", "falling"):
            raise Rejected(f"a cell has the unknown method {str(method)[:40]!r}")
        try:
            return self._bernstein(side, tree, box, method, bound)
        except NotRationalError:
            return self._monotone(side, tree, box, method, bound)

    def _of_all(self, side: str, tree: Any, parts: list[Any], box: Box, method: str, bound: Fraction) -> Proof:
        """Prove a function that is a minimum or maximum by its operands: g rises with H.

        Where H is the least of them (a minimum of h_u, a maximum of h_l) all must be proved, else one.
        """
        if ("minimum" in tree) == (side == "up"):
            proofs = [self._prove(side, part, box, method, bound) for part in parts]
            strict, low, high = (all(flags) for flags in zip(*((p.strict, p.low, p.high) for p in proofs), strict=True))
            trends = {proof.trend for proof in proofs}
            return Proof(strict, low, high, trends.pop() if len(trends) == 1 else 0)
        for part in parts:
            try:
                proof = self._prove(side, part, box, method, bound)
            except Rejected:
                continue
            return Proof(proof.strict, proof.low, proof.high)
        raise Rejected("no operand of a minimum or maximum is proved on a cell")

    # rational functions

    def _bernstein(self, side: str, tree: Any, box: Box, method: str, bound: Fraction) -> Proof:
        ring, forms = self.forms.ring, self.forms
        d, above, below = self._odds(side, tree)
        sign = self._require_denominator(d, box)
        if sign < 0:
            above, below = negative(above), negative(below)
        g = ring.add(above, ring.multiply(ring.constant(-bound), below))
        signs = forms.bernstein_signs(g, box.low, box.high)
        if method == "bernstein":
            if min(signs) < 0:
                raise Rejected("a Bernstein coefficient of N - L D is negative")
            return Proof(max(signs) > 0, signs[0] > 0, signs[-1] > 0)
        ends = forms.bernstein_signs(below, box.low, box.high)
        if min(ends) < 0 or max(ends) == 0:
            raise Rejected("D is not positive on a cell")
        slope = ring.add(
            ring.multiply(forms.derivative(above), below), negative(ring.multiply(above, forms.derivative(below)))
        )
        if method == "constant":
            if slope or min(signs) < 0:
                raise Rejected("N/D is not constant on a cell, or less than the bound")
            return Proof(max(signs) > 0, signs[0] > 0, signs[-1] > 0, constant=True)
        trend = 1 if method == "rising" else -1
        slopes = [trend * s for s in forms.bernstein_signs(slope, box.low, box.high)]
        if min(slopes) < 0 or max(slopes) == 0:
            raise Rejected(f"N/D is not {method} on a cell")
        if first_nonzero(signs[::trend]) <= 0:
            raise Rejected("N/D is less than the bound at an end of a cell")
        return Proof(True, trend < 0 or signs[0] > 0, trend > 0 or signs[-1] > 0, trend)

    def require_infinite(self, side: str, tree: Any, box: Box) -> None:
        """Require D <= 0 on a cell, so that N - L D >= 0 for every L."""
        d, above, below = self._odds(side, self.extrema.shorter(tree, box))
        sign = self._require_denominator(d, box)
        if max(sign * s for s in self.forms.bernstein_signs(below, box.low, box.high)) > 0:
            raise Rejected("D may be positive on a cell: the infimum is not shown to be infinite")
        if min(sign * s for s in self.forms.bernstein_signs(above, box.low, box.high)) < 0:
            raise Rejected("N may be negative on a cell")

    def _odds(self, side: str, tree: Any) -> Odds:
        """Return (d, d N, d D) of a rational function h = n/d, as polynomials in p."""
        key = (side, id(tree))
        if key not in self._known:
            found = odds(self.forms, side, self.forms.of(tree, self.forms.prior), self.forms.prior)
            self._known[key] = (tree, found)  # with the tree, so that its id stays its own
        return self._known[key][1]

    def _require_denominator(self, d: Polynomial, box: Box) -> int:
        """Return the sign of a denominator; it has no zero in the cell, except at 0 or 1."""
        signs = self.forms.bernstein_signs(d, box.low, box.high)
        sign = first_nonzero(signs)
        if min(sign * s for s in signs) < 0 or sign == 0:
            raise Rejected("a denominator may change its sign on a cell")
        if (signs[0] == 0 and box.low > 0) or (signs[-1] == 0 and box.high < 1):
            raise Rejected("a denominator is 0 at an end of a cell")
        return sign

    # intervals

    def canonical(self, side: str, tree: Any, box: Box, order: int) -> tuple[Box, Jet]:
        """Return the box of x and the jet of H over it."""
        jet = self.jets.of(tree, box, order)
        if side == "up":
            return box, jet
        a = self.arithmetic
        value = a.subtract(a.unit, jet[0])
        return Box(1 - box.high, 1 - box.low), (value, *jet[1:2], *((-high, -low) for low, high in jet[2:]))

    def _fraction(self, end: int) -> Fraction:
        if abs(end) >= self.arithmetic.infinity - 1:
            raise Rejected("an interval is unbounded")
        return Fraction(end, self.arithmetic.one)

    def _low(self, value: Interval) -> Fraction:
        """Return the lower end of H, cut at 1; rejected if H may be negative."""
        if value[0] < 0:
            raise Rejected("a function may be out of range on a cell")
        return Fraction(min(value[0], self.arithmetic.one), self.arithmetic.one)

    def _value(self, side: str, tree: Any, box: Box, bound: Fraction) -> Proof:
        """``g >= (1-b) H - L b (1-H)`` at the least H and at b = the largest x: g rises with H and falls with x."""
        x, (h, *_) = self.canonical(side, tree, box, int(box.low == 0 or box.high == 1))
        least = self._low(h)
        g = (1 - x.high) * least - bound * x.high * (1 - least)
        if g < 0:
            raise Rejected("the value of N - L D may be negative on a cell")
        strict = g > 0 or least == 1  # then g >= 1-x
        return Proof(strict, strict, strict)

    def _chord(self, side: str, tree: Any, box: Box, bound: Fraction) -> Proof:
        """At x = 0, H >= K x with K = inf H', or inf H/x; at x = 1, where H = 1, 1-H <= K (1-x) with K = sup H'."""
        a = self.arithmetic
        x, (h, slope) = self.canonical(side, tree, box, 1)
        least = self._low(h)
        if x.low == 0 and x.high < 1:
            steep = slope if side == "down" else a.meet(slope, self._over_prior(tree, box))
            g = (1 - x.high) * self._fraction(steep[0]) - bound * (1 - least)
        elif x.high == 1 and x.low > 0:
            self.require_end(side, tree, 1)
            steep = slope if side == "up" else a.meet(slope, self._over_prior(tree, box))
            g = least - bound * max(self._fraction(steep[1]), Fraction(0))
        else:
            raise Rejected("a chord belongs to a cell at 0 or at 1")
        if g < 0:
            raise Rejected("the chord of a cell is too flat")
        return Proof(g > 0, g > 0, g > 0)

    def _over_prior(self, tree: Any, box: Box) -> Interval:
        """Return an interval around h(p)/p on a cell at 0: unknown unless p divides the expression as it is written."""
        divided = over_prior(tree, self.arithmetic.charge)
        return self.arithmetic.unknown if divided is None else self.jets.of(divided, box, 1)[0]

    def _monotone(self, side: str, tree: Any, box: Box, method: str, bound: Fraction) -> Proof:
        """F runs one way on the cell, and is at least the bound at its lower end."""
        x = self.canonical(side, tree, box, 0)[0]
        if x.low == 0:
            trend = self._trend(self._slope_at_zero(side, tree, box))
        elif x.high == 1:
            trend = -self._trend(self._slope_at_one(side, tree, box))
        else:
            trend = self._trend(self._slope_inside(side, tree, box))
        rises = trend if side == "up" else -trend  # with p
        if rises != (1 if method == "rising" else -1):
            raise Rejected(f"N/D is not {method} on a cell")
        end = box.low if rises > 0 else box.high
        if end in (0, 1):
            self._require_limit(side, tree, int(end), bound)
            return Proof(True, True, True, rises)
        strict = self._value(side, tree, Box(end, end), bound).strict
        return Proof(True, strict or rises < 0, strict or rises > 0, rises)

    def _trend(self, sign: Interval) -> int:
        if sign[0] <= 0 <= sign[1]:
            raise Rejected("N/D may rise and fall on a cell")
        return 1 if sign[0] > 0 else -1

    def _slope_inside(self, side: str, tree: Any, box: Box) -> Interval:
        """Return ``G = H' x (1-x) - H (1-H)``: F' = F G/(x (1-x) H (1-H)); as it stands, or by the mean value theorem.

        ``G' = H'' x (1-x) + 2 H' (H - x)``.
        """
        a = self.arithmetic
        ends, (h, slope) = self.canonical(side, tree, box, 1)
        if h[0] <= 0 or h[1] >= a.one:
            raise Rejected("a function is not inside (0, 1) on a cell")
        plain = self._running(ends, h, slope)
        if plain[0] > 0 or plain[1] < 0:
            return plain
        middle = (box.low + box.high) / 2
        at, (h_middle, slope_middle) = self.canonical(side, tree, Box(middle, middle), 1)
        ends, (h, slope, bend) = self.canonical(side, tree, box, 2)
        x, m = a.of(ends.low, ends.high), a.of(at.low)
        away = a.subtract(x, m)
        rise = a.meet(
            a.subtract(h, x), a.add(a.subtract(h_middle, m), a.multiply(a.subtract(slope, a.unit), away))
        )  # H - x, small where F is near 1
        cross = a.multiply(slope, rise)
        steep = a.add(a.multiply(bend, a.multiply(x, a.subtract(a.unit, x))), a.add(cross, cross))
        return a.meet(plain, a.add(self._running(at, h_middle, slope_middle), a.multiply(steep, away)))

    def _running(self, ends: Box, h: Interval, slope: Interval) -> Interval:
        a = self.arithmetic
        x = a.of(ends.low, ends.high)
        spread = a.multiply(x, a.subtract(a.unit, x))
        return a.subtract(a.multiply(slope, spread), a.multiply(h, a.subtract(a.unit, h)))

    def _slope_at_zero(self, side: str, tree: Any, box: Box) -> Interval:
        """Return a positive multiple of F' where H(0) = 0: ``-K (1-H) + K' (1-H) (1-x) + H' K (1-x)``, K = H/x.

        K is the mean of H' over [0, x], K' that of t H''(t x), 0 <= t <= 1.
        """
        a = self.arithmetic
        ends, (h, slope, bend) = self.canonical(side, tree, box, 2)
        self.require_end(side, tree, 0)
        if slope[0] <= 0 or h[1] >= a.one:
            raise Rejected("a function does not rise from 0, or reaches 1")
        rest, left = a.subtract(a.unit, h), a.of(1 - ends.high, 1 - ends.low)
        curved = a.multiply(a.multiply(a.of(_HALF), bend), a.multiply(rest, left))
        return a.add(curved, a.multiply(slope, a.subtract(a.multiply(slope, left), rest)))

    def _slope_at_one(self, side: str, tree: Any, box: Box) -> Interval:
        """Return a positive multiple of -F' where H(1) = 1: ``H K - H' x K + H x H''/2``, K = (1-H)/(1-x)."""
        a = self.arithmetic
        ends, (h, slope, bend) = self.canonical(side, tree, box, 2)
        self.require_end(side, tree, 1)
        if slope[0] <= 0 or h[0] <= 0:
            raise Rejected("a function does not rise to 1, or reaches 0")
        x = a.of(ends.low, ends.high)
        curved = a.multiply(a.multiply(a.of(_HALF), bend), a.multiply(h, x))
        return a.add(a.multiply(slope, a.subtract(h, a.multiply(slope, x))), curved)

    def _require_limit(self, side: str, tree: Any, end: int, bound: Fraction) -> None:
        """Require the limit of F at p = end to be at least the bound: H'(0), or 1/H'(1)."""
        low, high = self.slope_at_end(side, tree, end)
        at_zero = (end == 0) == (side == "up")
        if not (low >= bound if at_zero else bound * high <= 1):
            raise Rejected("the limit of N/D at 0 or 1 may be less than the bound")

    def slope_at_end(self, side: str, tree: Any, end: int) -> tuple[Fraction, Fraction]:
        """Return bounds of H' at p = 0 or 1."""
        low, high = self.canonical(side, tree, Box(Fraction(end), Fraction(end)), 1)[1][1]
        return self._fraction(low), self._fraction(high)

    def require_end(self, side: str, tree: Any, x: int) -> None:
        """Require H(x) = x for x = 0 or 1: by its interval at the point, or as an identity of constants."""
        forms, p = self.forms, x if side == "up" else 1 - x
        value = self.jets.of(tree, Box(Fraction(p), Fraction(p)), 0)[0]
        if value == (p * self.arithmetic.one,) * 2:
            return
        shorter = self.extrema.shorter(tree, Box(Fraction(p), Fraction(p)))
        n, d = forms.of(shorter, forms.ring.constant(Fraction(p)))
        if forms.sign(d) == 0 or n != (d if p else {}):
            raise Rejected(f"a function is not certain to be {p} at {p}")


def _bits(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def odds(forms: Forms, side: str, form: Quotient, prior: Polynomial) -> Odds:
    """Return (d, d N, d D) of h = n/d: up N = (1-p) h, D = p (1-h); down N = p (1-h), D = (1-p) h."""
    ring, (n, d) = forms.ring, form
    rest = ring.add(forms.one, negative(prior))
    inside, outside = ring.multiply(rest, n), ring.multiply(prior, ring.add(d, negative(n)))
    return (d, inside, outside) if side == "up" else (d, outside, inside)
