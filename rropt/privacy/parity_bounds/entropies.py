"""Products of a rational function that vanishes at 0 with log p, written with ``p log p`` in one piece.

Interval arithmetic sees ``0 * (-infinity)`` in ``p * log(p)`` near 0, where ``p log p`` is small and monotone. So
``R (C + D log p)`` with rational R, C, D and R(0) = 0 becomes ``R C + (R D / p) (p log p)``. In the same way at 1 with
``log(1-p)``, which a lower function leads to.
"""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq_poly

from rropt.privacy.parity_bounds.intervals import Interval, Jet
from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational

__all__ = ["entropy_jet", "with_entropy"]

_ZERO, _ONE = Rational.constant(Fraction(0)), Rational.constant(Fraction(1))
_P, _Q = (Rational(fmpq_poly(line), fmpq_poly([1])) for line in ([0, 1], [1, -1]))


def with_entropy(left: Leaf, right: Leaf) -> Leaf | None:
    """Return the product with ``u log u`` in one piece, u = p or 1-p; ``None`` when it is of another form."""
    if isinstance(right, Rational):
        left, right = right, left
    if not isinstance(left, Rational) or isinstance(right, Rational) or left.above == 0:
        return None
    for end, u, name in ((0, _P, "entropy"), (1, _Q, "mirrored entropy")):
        affine = _affine(right, u) if left.above(end) == 0 else None
        if affine is None or affine[1] == _ZERO:
            continue
        plain, factor = left.combined("*", affine[0]), left.combined("*", affine[1]).combined("/", u)
        entropy: Leaf = Composite(name, (u,))
        product = entropy if factor == _ONE else Composite("*", (factor, entropy))
        return product if plain == _ZERO else Composite("+", (plain, product))
    return None


def _affine(leaf: Leaf, u: Rational) -> tuple[Rational, Rational] | None:
    """Return (C, D) of ``C + D log u``."""
    if isinstance(leaf, Rational):
        return leaf, _ZERO
    if leaf.name == "log":
        return (_ZERO, _ONE) if leaf.parts[0] == u else None
    if leaf.name not in ("+", "-", "*", "/"):
        return None
    first, second = (_affine(part, u) for part in leaf.parts)
    if first is None or second is None:
        return None
    (a, b), (c, d) = first, second
    if leaf.name in ("+", "-"):
        return a.combined(leaf.name, c), b.combined(leaf.name, d)
    if leaf.name == "*" and b == _ZERO:
        return a.combined("*", c), a.combined("*", d)
    return (a.combined(leaf.name, c), b.combined(leaf.name, c)) if d == _ZERO else None


def entropy_jet(u: Jet) -> Jet:
    """Return intervals around ``u log u`` and its derivatives, u in [0, 1]; the least value is -1/e."""
    ends = [_at(u.value.low), _at(u.value.high)]
    rise = u.value.log() + Interval.of(1)
    if rise.high <= 0:
        low, high = ends[1].low, ends[0].high
    elif rise.low >= 0:
        low, high = ends[0].low, ends[1].high
    else:
        low, high = (-Interval.of(-1).exp()).low, max(ends[0].high, ends[1].high)
    return u.through(Interval(low, high), rise, u.value.positive_inverse())


def _at(end: object) -> Interval:
    point = Interval(end, end)
    return point if point.is_zero else point * point.log()
