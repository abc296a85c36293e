"""A criterion from a Python function of a ball: whatever no expression in p writes down."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.errors import InvalidParameterError, shown
from rropt.exact import rational
from rropt.privacy.criteria.criterion import Criterion
from rropt.privacy.criteria.prior_functions import EndBehaviour, PriorFunction

__all__ = ["callable_information_privacy", "end_behaviour"]

_HALF = Fraction(1, 2)


def end_behaviour(lower: object, within: object, *, limit: object | None = None) -> EndBehaviour:
    """Return what the caller states of ``F(p) = ((1-p)/p) (h(p)/(1-h(p)))`` near an end of (0, 1).

    Balls around h and p that vanish together say nothing of their quotient, so this is taken on trust.

    Args:
        lower: F(p) is at least this wherever p is closer to the end than ``within``; exact, >= 1.
        within: a distance, exact, in (0, 1/2).
        limit: what F tends to at the end, if it is known; exact, >= ``lower``. Where F rises from the end, or falls
            towards it, ``lower`` is the limit.

    Raises:
        InvalidParameterError: not numbers, or out of range.
    """
    least, width = rational(lower, name="the lower bound near the end"), rational(within, name="the distance")
    tends = None if limit is None else rational(limit, name="the limit at the end")
    if least < 1 or not 0 < width < _HALF or (tends is not None and tends < least):
        raise InvalidParameterError(
            f"the behaviour at an end is out of range: received lower = {shown(lower)}, within = {shown(within)}, "
            f"limit = {shown(limit)}; allowed is lower >= 1, 0 < within < 1/2 and limit >= lower"
        )
    return EndBehaviour(least, width, tends)


def callable_information_privacy(
    upper: Callable[[Any], Any],
    *,
    at_zero: EndBehaviour | None = None,
    at_one: EndBehaviour | None = None,
    text: str = "",
) -> Criterion:
    """Return h-CSIP, every posterior is at most h(prior), for h a Python function in ball arithmetic.

    B(h) is then *enclosed*, never exact: for a ball x the function must return a ball around all h(p), p in x. What
    the caller guarantees, and no computation can: this inclusion, and what is stated of the ends. Both are compared
    with the values at about a thousand points. A Python comparison of balls breaks the inclusion: ``p < 0.2`` is False
    for a ball around 0.2, so that ``if`` chooses one branch for all of it. Do not write ``if`` or ``<`` on balls: use
    ``piecewise(...)`` in an expression, or return the ``union`` of both branches where neither is certain. Where the
    same code also takes a python-flint ``arb_series`` (+ - * /, powers, sqrt, exp, log, but not min, max or
    comparisons), h' and h'' come from it, and the enclosure is as narrow as that of an expression; elsewhere about
    10^-4 wide, and whether the infimum is attained is then not decided.

    Args:
        upper: h, a function of one python-flint ``arb``, in (0, 1), that returns an ``arb``.
        at_zero, at_one: ``end_behaviour(lower, within)``, where balls do not see it; they do where h(0) > 0,
            where h = 1 near 1, and mostly where h takes a series.
        text: the criterion in one line, for people.

    Raises:
        InvalidParameterError: not a function, or an end that is no ``end_behaviour``.

    >>> from rropt.privacy.parity_bounds import parity_bound
    >>> bound = parity_bound(callable_information_privacy(
    ...     lambda p: (1 - (-3 * p).exp()) / (1 - (-3 + 0 * p).exp())))
    >>> print(bound.kind, float(bound.lower), float(bound.upper))
    enclosed 3.157187089473768 3.157187089473768

    Source: Chai and Nayak (2018), Definition 3.1.
    """
    if not callable(upper):
        raise InvalidParameterError(
            f"h is not a function: received {shown(upper)}; give a Python function of one python-flint arb"
        )
    for end in (at_zero, at_one):
        if end is not None and not isinstance(end, EndBehaviour):
            raise InvalidParameterError(
                f"the behaviour at an end is of another form: received {shown(end)}; give end_behaviour(lower, within)"
            )
    line = " ".join(text.split()) or f"posterior <= {getattr(upper, '__name__', 'h')}(prior)"
    return Criterion("callable", line, None, function=PriorFunction(upper, at_zero, at_one))
