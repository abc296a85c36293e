"""The exact trade-off function (f-DP), Gaussian DP, and conversions with proved lower and upper bounds.

For two inputs, the trade-off function ``f(alpha)`` is the least type II error of a test between their output
distributions with type I error at most alpha. For a finite mechanism it is convex and piecewise linear. Sorting the
outputs by likelihood ratio gives its vertices. The trade-off function of the mechanism is the lower convex hull of the
trade-off functions of all ordered pairs of inputs, so it is its own inverse. Each piece ``1 - beta - alpha gamma`` of
the privacy profile is a vertex (alpha, beta), where the slope passes -gamma <= -1.

*Gaussian DP.* A mechanism is mu-GDP if ``f >= G_mu``, where ``G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu)``. G_mu is
convex, so it lies below f if and only if it does so at the vertices of f. Hence the least mu is
``max over vertices of Phi^-1(1 - alpha) - Phi^-1(f(alpha))``. It is infinite if a vertex has alpha = 0 and f < 1, or f
= 0 and alpha < 1.

*Conversion of rho-zCDP to (epsilon, delta).* The upper bound is Proposition 12 of Canonne, Kamath and Steinke (2020):
for every a > 1, ``epsilon <= rho a + (log(1/delta) + (a - 1) log(1 - 1/a) - log a)/(a - 1)``. The lower bound comes
from the Gaussian mechanism with mu^2/2 = rho, for which
``delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.accounting.curves import crossing
from rropt.core.errors import UnsupportedProblemError, shown
from rropt.core.exact import Bracket, rational_where
from rropt.core.exact.rational_bounds import ball, bracket, normal_cdf
from rropt.core.results import Result, labelled
from rropt.core.results.result_frames import row_with
from rropt.core.results.sequences import SequenceOf
from rropt.mechanisms.imports import required_mechanism

_BITS = 256
_WIDTH = Fraction(1, 10**20)
_NEGLIGIBLE = Fraction(1, 10**1000)


@dataclass(frozen=True, slots=True)
class TradeOff(Result, SequenceOf):
    """A trade-off function: its vertices (type I error, least type II error), from (0, f(0)) to (1, 0).

    Attributes:
        vertices: pairs of errors in [0, 1], by increasing type I error; the function is linear between them.
    """

    vertices: tuple[tuple[Fraction, Fraction], ...]

    ITEMS = "vertices"
    ANSWER = ("vertices",)
    LABELS = labelled(vertices="vertices of the trade-off function")

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each vertex: the type I error, and the least type II error."""
        return [row_with(type_1_error=alpha, type_2_error=beta) for alpha, beta in self.vertices]

    def at(self, alpha: object) -> Fraction:
        """Return the least type II error of a test with the given type I error, exactly."""
        level = rational_where(alpha, lambda x: 0 <= x <= 1, "0 <= alpha <= 1", name="alpha")
        for (a, f), (b, g) in zip(self.vertices, self.vertices[1:], strict=False):
            if a <= level <= b:
                return f + (g - f) * (level - a) / (b - a)
        return self.vertices[-1][1]

    def gaussian(self) -> Bracket | None:
        """Return a bracket of the least mu of Gaussian DP; None if it is infinite.

        >>> print(round(float(trade_off("warner:3/4").gaussian().upper), 6))
        1.34898
        """
        best = Bracket.of(Fraction(0))
        for alpha, beta in self.vertices:
            if alpha + beta >= 1:
                continue
            if not alpha or not beta:
                return None
            one, other = _quantile(1 - alpha), _quantile(beta)
            best = Bracket(max(best.lower, one.lower - other.upper), max(best.upper, one.upper - other.lower))
        return best


def trade_off(mechanism: object) -> TradeOff:
    """Return the trade-off function of a mechanism, exactly.

    Args:
        mechanism: a mechanism, or its text form.

    Raises:
        UnsupportedProblemError: the privacy profile is known between bounds only.

    >>> print([tuple(map(str, vertex)) for vertex in trade_off("warner:3/4").vertices])
    [('0', '1'), ('1/4', '1/4'), ('1', '0')]
    """
    given = required_mechanism(mechanism)
    profile = given.profile()
    if profile.width:
        raise UnsupportedProblemError(
            f"the privacy profile of {shown(given.name or 'mechanism')} is known between bounds only: it has no exact "
            "trade-off function; use a matrix with fewer inputs"
        )
    points = {(-piece.slope, 1 - piece.intercept) for piece in profile.pieces}
    return TradeOff(tuple(sorted({*points, *((beta, alpha) for alpha, beta in points), (Fraction(1), Fraction(0))})))


def gaussian_delta(mu: object, epsilon: object) -> Bracket:
    """Return a bracket of delta of the Gaussian mechanism at an epsilon; below 10^-1000 the bracket is [0, 10^-1000].

    Args:
        mu: sensitivity divided by standard deviation, exact, positive.
        epsilon: the level in nats, exact, nonnegative.

    >>> print(round(float(gaussian_delta(1, 1).upper), 6))
    0.126937
    """
    m = rational_where(mu, lambda x: x > 0, "mu > 0", name="mu")
    e = rational_where(epsilon, lambda x: x >= 0, "epsilon >= 0", name="epsilon")
    from flint import ctx

    with ctx.workprec(_BITS + 2 * (m.numerator * e.numerator).bit_length()):  # mu/2 and epsilon/mu may cancel
        found = _gaussian(ball(m), ball(e))
        if found < ball(_NEGLIGIBLE):  # its fraction may have millions of digits
            return Bracket(Fraction(0), _NEGLIGIBLE)
        ends = bracket(found)
    return Bracket(max(ends.lower, Fraction(0)), min(ends.upper, Fraction(1)))


def epsilon_of_zcdp(rho: object, delta: object) -> Bracket:
    """Return a bracket of the least epsilon for which every rho-zCDP mechanism is (epsilon, delta)-private.

    Every rho-zCDP mechanism is (``upper``, delta)-private. ``lower`` is the least epsilon of the Gaussian mechanism.

    Args:
        rho: the parameter of zero-concentrated differential privacy, exact, positive.
        delta: exact, in (0, 1).

    >>> found = epsilon_of_zcdp("1/2", "1/100000")
    >>> print(round(float(found.lower), 4), round(float(found.upper), 4))
    4.3772 4.7284
    """
    r = rational_where(rho, lambda x: x > 0, "rho > 0", name="rho")
    d = rational_where(delta, lambda x: 0 < x < 1, "0 < delta < 1", name="delta")
    from flint import ctx
    from scipy.optimize import minimize_scalar

    with ctx.workprec(_BITS):
        mu = (2 * ball(r)).sqrt()

        def bound(a: Fraction) -> Any:
            x = ball(a)
            return ball(r) * x + (-ball(d).log() + (x - 1) * (1 - 1 / x).log() - x.log()) / (x - 1)

        def scaled(y: float) -> float:
            return float((bound(Fraction(1 + math.exp(y))) / (1 + ball(r))).mid())  # finite for each rho

        # every order gives a bound; a search in floats on log(a - 1), for orders from 1 + 2e-9 to 7e10, finds the best
        # one; near a minimum an error of 1e-9 changes the bound by about its square
        order = minimize_scalar(scaled, bounds=(-20.0, 25.0), options={"xatol": 1e-9}).x
        upper = max(bracket(bound(Fraction(1 + math.exp(order)))).upper, Fraction(0))

        def exceeds(x: Fraction) -> bool:
            return bool(_gaussian(mu, ball(x)) > ball(d))

        most = Fraction(math.ceil(upper))
        return Bracket(crossing(exceeds, (Fraction(0), most), most, 0, _WIDTH)[0], upper)


def _gaussian(mu: Any, epsilon: Any) -> Any:
    from flint import arb

    x, t = mu / 2 - epsilon / mu, mu / 2 + epsilon / mu
    tail = normal_cdf(-t)
    if tail.rel_accuracy_bits() > _BITS // 4:
        return normal_cdf(x) - epsilon.exp() * tail
    # exp(epsilon) Phi(-t) = phi(x) Phi(-t)/phi(t), where t/(1 + t^2) < Phi(-t)/phi(t) < 1/t
    return normal_cdf(x) - (-x * x / 2).exp() / (2 * arb.pi()).sqrt() * (t / (1 + t * t)).union(1 / t)


def _quantile(p: Fraction) -> Bracket:
    """Return a bracket of Phi^-1(p), 0 < p < 1."""
    from flint import arb, ctx

    if p == Fraction(1, 2):
        return Bracket.of(Fraction(0))
    with ctx.workprec(_BITS + p.denominator.bit_length()):
        return bracket(arb(2).sqrt() * ball(2 * p - 1).erfinv())
