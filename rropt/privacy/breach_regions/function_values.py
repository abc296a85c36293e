"""Values of a function of the prior at a rational number, and inequalities between two functions on all of (0, 1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import ctx

from rropt.exact.algebraic_numbers import Algebraic
from rropt.privacy.criteria.expressions import PRIOR, Expression, Number, Operation, substitute
from rropt.privacy.parity_bounds.cells import split
from rropt.privacy.parity_bounds.functions import Rational, ball_of, sign_cells, value_ball

# Bits at which a value is compared with a rational before the answer is given up: two different numbers that people
# write down come apart far earlier, and equal ones never do.
_VALUE_PRECISIONS = (64, 256, 1024)
# Priors at which an inequality between functions that are not rational is tried: one that fails mostly fails widely.
_SAMPLED_PRIORS = tuple(Fraction(i, 64) for i in range(1, 64))


def exact_value(tree: Expression, prior: Fraction) -> Fraction | None:
    """Return the value at a rational prior in [0, 1], or ``None`` where it is no rational operation's result.

    Raises:
        InvalidParameterError: division by zero there, or no value.
    """
    ((_, leaf),) = split(substitute(tree, Number(prior)))
    return leaf.value(Algebraic.of(Fraction(1, 2))).rational if isinstance(leaf, Rational) else None


def _value_ball(tree: Expression, prior: Fraction) -> Any:
    """Return a ball around the value at a rational prior, at the working precision."""
    ((_, leaf),) = split(substitute(tree, Number(prior)))
    return value_ball(leaf, ball_of(Fraction(1, 2)))


def value_sign(tree: Expression, prior: Fraction, threshold: Fraction) -> int | None:
    """Return the sign of ``h(prior) - threshold``; ``None`` where balls of any allowed precision do not decide it."""
    exact = exact_value(tree, prior)
    if exact is not None:
        return (exact > threshold) - (exact < threshold)
    for precision in _VALUE_PRECISIONS:
        with ctx.workprec(precision):
            difference = _value_ball(tree, prior) - ball_of(threshold)
            if difference > 0 or difference < 0:
                return 1 if difference > 0 else -1
    return None


def at_most(left: Expression, right: Expression) -> bool | None:
    """Return whether ``left(p) <= right(p)`` for all 0 < p < 1.

    Decided exactly where both are piecewise rational; elsewhere ``False`` is proved by a point, and ``None`` means not
    decided.
    """
    if left == right:
        return True
    difference = Operation("-", right, left)
    answer: bool | None = True
    for cell, leaf in split(difference):
        if not isinstance(leaf, Rational):
            answer = None
        elif any(sign < 0 for _, sign in sign_cells(leaf, cell)):
            return False
    if answer is None and any(value_sign(difference, p, Fraction(0)) == -1 for p in _SAMPLED_PRIORS):
        return False
    return answer


def reflected(tree: Expression) -> Expression:
    """Return ``1 - f(1 - p)``: the other boundary of a canonical criterion."""
    one = Number(Fraction(1))
    return Operation("-", one, substitute(tree, Operation("-", one, PRIOR)))
