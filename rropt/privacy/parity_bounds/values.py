"""Values of a function of the prior in ball arithmetic, at points and on short balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from rropt.exact.algebraic_numbers import Algebraic, polynomial_ball
from rropt.privacy.parity_bounds.leaves import Leaf, Rational, constant_value

__all__ = ["PRECISION", "ball_of", "odds_ball", "value_ball"]

PRECISION = 256  # bits: at 2^-120 from 0 or 1 the odds ratio still has 30 digits


def ball_of(x: Fraction | Algebraic) -> Any:
    """Return a ball around a number, at the working precision."""
    return arb(fmpq(x.numerator, x.denominator)) if isinstance(x, Fraction) else x.ball(PRECISION)


def value_ball(leaf: Leaf, p: Any) -> Any:
    """Return a ball around the function for all priors of a ball; not finite where it may be undefined."""
    if isinstance(leaf, Rational):
        return polynomial_ball(leaf.above, p) / polynomial_ball(leaf.below, p)
    a, *rest = (value_ball(part, p) for part in leaf.parts)
    if leaf.name in ("sqrt", "exp", "log"):
        return getattr(a, leaf.name)()
    (b,) = rest
    if leaf.name in ("min", "max"):
        return getattr(a, leaf.name)(b)
    if leaf.name == "^":
        exponent = constant_value(leaf.parts[1])
        whole = exponent is not None and exponent.denominator == 1
        return a ** (int(exponent) if whole and exponent is not None else b)
    return a + b if leaf.name == "+" else a - b if leaf.name == "-" else a * b if leaf.name == "*" else a / b


def odds_ball(h: Any, p: Any) -> Any:
    """Return a ball around ``F = (1-p) h / (p (1-h))``; infinite where h may be 1."""
    return (1 - p) * h / (p * (1 - h))
