"""Renyi divergence and zCDP, enclosed to any number of digits.

``D_a(P, Q) = log(sum P^a Q^(1-a))/(a - 1)``, a > 1; D_1 is the Kullback-Leibler divergence. A mechanism is rho-zCDP
when ``D_a <= rho a`` for all a > 1 and all pairs of inputs: rho = sup D_a/a.

**Theorem (k-ary randomized response).** rho is the limit at a = 1, ``KL = eps (e^eps - 1)/(e^eps + k - 1)``, if and
only if

    r <= R(eps/2),    r = (k - 2)/(2 e^(eps/2)),    R(t) = (sinh t cosh t - t)/(t cosh t - sinh t),

so always for k <= 6, and for k >= 7 from one level on. *Proof.* With u = a - 1/2, s = u^2, t = eps u the exponent (a
- 1) D_a is ``log(2 e^(eps/2) cosh t + k - 2)`` less a constant, even in u, zero at s = 1/4. Since a (a - 1) = s -
1/4, D_a/a is the secant slope of ``G(s) = log(cosh(eps sqrt s) + r)`` from 1/4 to s. ``G'(s) = (eps^2/2) sinh t/(t
(cosh t + r))``, and dG'/dt has the sign of r - R(t). Both series of R have only odd powers from t^3, with
coefficients whose quotient for t^(2j+1) is 4^j/(2j), which rises from 2: R rises from R(0) = 2 to infinity (Biernacki
and Krzyz). So G is convex while R(t) < r and then concave. If R(eps/2) >= r the slope falls from its limit on; else
it rises first and has one maximum. In eps the left side falls and the right side rises: one root for k >= 7, none for
k <= 6. QED

Beyond the limit, a t_1 with ``r <= R(t_1)`` and ``N(t_1) = G'(s_1)(s_1 - 1/4) - (G(s_1) - G(1/4)) >= 0`` gives
``(G(s_1) - G(1/4))/(s_1 - 1/4) <= rho <= G'(s_1)``: the maximum lies at or after s_1, where G' falls.

*Any finite pair.* psi(a) = (a - 1) D_a is convex, psi(1) = 0, D_a rises. On [a, b] ``D_a/b <= D/alpha <= D_b/a``;
D/alpha is monotone where ``psi'(x) x - D_x (2 x - 1)`` has one sign, which psi' and D, both rising, at the endpoints
enclose. Near 1, ``D/alpha <= (KL + x S/2)/(1 + x)`` with x = alpha - 1 and S = Var(L) + x range^3/(6 sqrt 3) >=
psi''. Beyond D_inf/best nothing is left.

All numbers are balls (Arb), at a precision that grows until the digits are proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, rational
from rropt.core.exact.brackets import ball, bracket
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import given_mechanism
from rropt.survey.accounting.items import is_level

MAX_DIGITS = 1000
MAX_CATEGORIES = 10**12
_MOST_CELLS = 200_000
_MOST_LISTED = 1000  # inputs of a matrix that is looked at entry by entry
_MAX_ORDER = 10**6
Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


def renyi_divergence(mechanism: object, order: object, *, digits: int = 20) -> Bracket | None:
    """Return the largest Renyi divergence of an order over ordered pairs of inputs, enclosed; None if it is infinite.

    Args:
        mechanism: a mechanism, or its text form.
        order: a, rational, 1 <= a <= 10^6 (1: Kullback-Leibler).
        digits: the bracket is narrower than 10^-digits.

    >>> found = renyi_divergence("warner:3/4", 2)
    >>> print(round(float(found.lower), 6), found.gap < 1e-20)
    0.847298 True
    """
    a = rational(order, name="order")
    if not 1 <= a <= _MAX_ORDER:
        raise InvalidParameterError(f"the order is out of range: received {shown(order)}; allowed is 1 to {_MAX_ORDER}")
    best = Bracket.of(Fraction(0))
    for pair in _pairs(_given(mechanism)):
        if any(p and not q for p, q in zip(*pair, strict=True)):
            return None
        found = _proved(lambda one=pair: _divergence(one, a), _digits(digits))
        best = Bracket(max(best.lower, found.lower), max(best.upper, found.upper))
    return best


def zcdp(mechanism: object, *, categories: int | None = None, digits: int = 12) -> Bracket | None:
    """Return a bracket of the least rho for which a mechanism is rho-zCDP; None if it is infinite.

    Args:
        mechanism: a level in nats, of k-ary randomized response; or a mechanism, or its text form.
        categories: k, only with a level (default 2).
        digits: the bracket is narrower than 10^-digits.

    >>> found = zcdp(1, categories=10, digits=20)
    >>> print(round(float(found.upper), 15), found.gap < 1e-20)
    0.148132973355075 True
    """
    digits = _digits(digits)
    if isinstance(mechanism, Mechanism) or (isinstance(mechanism, str) and not is_level(mechanism)):
        if categories is not None:
            raise InvalidParameterError("categories stand beside a level only: a mechanism has its own; leave them out")
        given = _given(mechanism)
        response = _response(given)
        return _of_mechanism(given, digits) if response is None else _of_response(*response, digits)
    level = Epsilon.of(mechanism)
    k = 2 if categories is None else categories
    if isinstance(k, bool) or not isinstance(k, int) or not 2 <= k <= MAX_CATEGORIES:
        raise InvalidParameterError(
            f"the number of categories is out of range: received {shown(categories)}; allowed is 2 to {MAX_CATEGORIES}"
        )
    if level == Epsilon.of(0):
        return Bracket.of(Fraction(0))
    return _of_response(level, k, digits)


def zcdp_threshold(categories: int, *, digits: int = 12) -> Bracket:
    """Return a bracket of the level from which on zCDP of k-ary randomized response is the divergence at order 1.

    0 for k <= 6; else the root of ``(k - 2)/(2 e^(eps/2)) = R(eps/2)``.

    Args:
        categories: k.
        digits: of the bracket.

    >>> print(round(float(zcdp_threshold(10).upper), 7), zcdp_threshold(6).upper)
    1.3014533 0
    """
    if categories <= 6:
        return Bracket.of(Fraction(0))
    low, high = Fraction(0), Fraction(100)
    while high - low > Fraction(1, 10 ** _digits(digits)):
        middle = (low + high) / 2
        low, high = (low, middle) if _is_limit(Epsilon("rational", middle), categories) else (middle, high)
    return Bracket(low, high)


def _given(mechanism: object) -> Mechanism:
    return mechanism if isinstance(mechanism, Mechanism) else given_mechanism(str(mechanism))


def _response(mechanism: Mechanism) -> tuple[Epsilon, int] | None:
    """Return level and k of k-ary randomized response; None for anything else."""
    k = mechanism.inputs
    if mechanism.shape != (k, k) or k > _MOST_LISTED:
        return None
    p, q = mechanism[0, 0], mechanism[1, 0]
    if not 0 < q < p or any(mechanism[i, j] != (p if i == j else q) for i in range(k) for j in range(k)):
        return None
    return Epsilon.of_parity(p / q), k


def _digits(digits: object) -> int:
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MAX_DIGITS:
        raise InvalidParameterError(f"digits are out of range: received {shown(digits)}; allowed is 1 to {MAX_DIGITS}")
    return digits


def _pairs(mechanism: Mechanism) -> list[Pair]:
    columns = list(dict.fromkeys(mechanism.design_matrix))
    found: dict[tuple[tuple[Fraction, Fraction], ...], Pair] = {}
    for one, other in permutations(columns, 2):  # pairs with the same chances in another order have one divergence
        found.setdefault(tuple(sorted(zip(one, other, strict=True))), (tuple(one), tuple(other)))
    return list(found.values())


def _proved(value: Any, digits: int) -> Bracket:
    """Return the endpoints of a ball that is narrow enough, at growing precision."""
    from flint import ctx

    bits = 64 + 4 * digits
    while True:
        with ctx.workprec(bits):
            found = value()
            if found.is_finite() and found.rad() * 2 * 10**digits < 1:
                return bracket(found)
        bits *= 2


def _divergence(pair: Pair, order: Fraction) -> Any:
    """Return a ball around D_a of a pair."""
    from flint import arb

    total = arb(0)
    terms = [(ball(p), ball(q)) for p, q in zip(*pair, strict=True) if p]
    if order == 1:
        for p, q in terms:
            total += p * (p / q).log()
        return total
    a = ball(order)
    for p, q in terms:
        total += p * ((a - 1) * (p / q).log()).exp()
    return total.log() / (a - 1)


def _level_ball(level: Epsilon) -> Any:
    return ball(level.times) if level.kind == "rational" else ball(level.times) * ball(level.base).log()


def _ratio(t: Any) -> Any:
    """Return R(t)."""
    sinh, cosh = t.sinh(), t.cosh()
    return (sinh * cosh - t) / (t * cosh - sinh)


def _is_limit(level: Epsilon, k: int) -> bool:
    """Return whether ``r <= R(eps/2)``, decided by balls; equality has no rational level."""
    from flint import ctx

    if k <= 6:
        return True
    bits = 128
    while bits <= 1 << 16:
        with ctx.workprec(bits):
            half = _level_ball(level) / 2
            apart = _ratio(half) - (k - 2) / (2 * half.exp())
            if apart > 0:
                return True
            if apart < 0:
                return False
        bits *= 2
    raise UnsupportedProblemError("the threshold of zCDP is not decided: change epsilon a little")


def _of_response(level: Epsilon, k: int, digits: int) -> Bracket:
    if _is_limit(level, k):

        def limit() -> Any:
            e = _level_ball(level)
            return e * (e.exp() - 1) / (e.exp() + k - 1)

        return _proved(limit, digits)
    from flint import ctx

    bits = 128 + 8 * digits
    while True:
        with ctx.workprec(bits):
            e = _level_ball(level)
            r = (k - 2) / (2 * (e / 2).exp())
            low = bracket(e / 2).upper
            high = 2 * low + 1
            while not (_ratio(ball(high)) >= r and _difference(_slopes(high, e, r)) < 0):
                high *= 2
            for _ in range(bits // 2):
                middle = Fraction(round((low + high) / 2 * 2**bits), 2**bits)
                slope, secant = _slopes(middle, e, r)
                if _ratio(ball(middle)) >= r and not slope - secant >= 0:
                    high = middle
                else:
                    low = middle
            slope, secant = _slopes(low, e, r)
            if _ratio(ball(low)) >= r and slope - secant >= 0:
                found = Bracket(bracket(secant).lower, bracket(slope).upper)
                if found.gap * 10**digits < 1:
                    return found
        bits *= 2


def _slopes(t: Fraction, e: Any, r: Any) -> tuple[Any, Any]:
    """Return G' at t, and the secant slope of G from 1/4."""
    x = ball(t)
    beyond = (x / e) ** 2 - ball(Fraction(1, 4))
    slope = e**2 / 2 * x.sinh() / (x * (x.cosh() + r))
    return slope, ((x.cosh() + r).log() - ((e / 2).cosh() + r).log()) / beyond


def _difference(pair: tuple[Any, Any]) -> Any:
    return pair[0] - pair[1]


def _of_mechanism(mechanism: Mechanism, digits: int) -> Bracket | None:
    found = []
    for pair in _pairs(mechanism):
        if any(p and not q for p, q in zip(*pair, strict=True)):
            return None
        found.append(_of_pair(pair, digits))
    return Bracket(
        max((one.lower for one in found), default=Fraction(0)), max((one.upper for one in found), default=Fraction(0))
    )


def _of_pair(pair: Pair, digits: int) -> Bracket:
    """Return a bracket of sup D_a/a of a pair, by bisection of the orders."""
    from flint import arb, ctx

    atoms = [(p, q) for p, q in zip(*pair, strict=True) if p]
    if all(p == q for p, q in atoms):
        return Bracket.of(Fraction(0))
    tolerance = Fraction(1, 2 * 10**digits)
    with ctx.workprec(96 + 8 * digits):
        losses = [(ball(p) / ball(q)).log() for p, q in atoms]
        masses = [ball(p) for p, _ in atoms]
        pairs = list(zip(masses, losses, strict=True))

        def psi(x: Fraction) -> tuple[Any, Any]:
            """psi and psi' at an order."""
            shift = ball(x - 1)
            weights = [m * (shift * loss).exp() for m, loss in pairs]
            total = sum(weights, arb(0))
            return total.log(), sum((w * loss for w, (_, loss) in zip(weights, pairs, strict=True)), arb(0)) / total

        kl = sum((m * loss for m, loss in pairs), arb(0))
        variance = sum((m * loss * loss for m, loss in pairs), arb(0)) - kl * kl
        extent = bracket(_largest(losses)).upper - bracket(_smallest(losses)).lower
        best = bracket(kl).lower
        most = bracket(kl).upper
        end = 1 + max(_largest_end(losses) / best, Fraction(1))
        # beside 1: S/2 <= KL, or (KL + x S/2)/(1 + x) below the best and the tolerance
        x = Fraction(1, 4)
        while True:
            second = bracket(variance).upper + x * extent**3 / 10  # 6 sqrt 3 > 10
            near = max(most, (most + x * second / 2) / (1 + x)) if second > 2 * bracket(kl).lower else most
            if near <= most + tolerance:
                break
            x /= 2
        upper = near
        waiting = [(1 + x, end)]
        values = {y: psi(y) for y in (1 + x, end)}
        done = 0
        while waiting:
            a, b = waiting.pop()
            done += 1
            if done > _MOST_CELLS:
                raise UnsupportedProblemError("zCDP takes too many intervals of orders: ask for fewer digits")
            (low, low_slope), (high, high_slope) = values[a], values[b]
            at_a, at_b = (bracket(value / ball((y - 1) * y)) for value, y in ((low, a), (high, b)))
            best = max(best, at_a.lower, at_b.lower)
            rises = low_slope * ball(a) - high / ball(b - 1) * ball(2 * b - 1) >= 0
            falls = high_slope * ball(b) - low / ball(a - 1) * ball(2 * a - 1) <= 0
            if rises or falls:
                upper = max(upper, at_b.upper if rises else at_a.upper)
                continue
            bound = bracket(high / ball((b - 1) * a)).upper
            if bound <= best + tolerance:
                upper = max(upper, bound)
                continue
            middle = Fraction(round((a + b) / 2 * 2**64), 2**64)
            values[middle] = psi(middle)
            waiting += [(middle, b), (a, middle)]
        return Bracket(best, max(upper, best))


def _largest(values: Sequence[Any]) -> Any:
    return max(values, key=lambda one: bracket(one).upper)


def _smallest(values: Sequence[Any]) -> Any:
    return min(values, key=lambda one: bracket(one).lower)


def _largest_end(losses: Sequence[Any]) -> Fraction:
    return bracket(_largest(losses)).upper
