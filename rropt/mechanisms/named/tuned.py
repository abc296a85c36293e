"""The named designs for a yes/no question, each with its best parameters within the privacy budget of one response.

The budget (gamma, delta) is rational, and so is every parameter. No response exceeds the budget. For two columns p, q,
(epsilon, delta)-privacy requires ``sum_i max(0, p_i - gamma q_i) <= delta``, and the same with p and q exchanged.

* Warner and crosswise: ``p = (gamma + delta)/(gamma + 1)``.
* Unrelated question with known prevalence: the truth with the largest probability that ``truth_probability`` allows.
* Forced response, and Kuk with one draw: these contain every design (p00, p11), so the given optimum is used.
* Kuk with r draws, delta = 0: one draw satisfies ``(theta1/theta0)^r <= gamma``. The best design for one draw at
  ``gamma^(1/r)`` is best here: ``theta1 = 1 - theta0``.
* Kuk with r draws, delta > 0: the best of these decks and of the pairs in which one deck has a single color,
  ``(1 - theta1)^r >= 1 - delta``.
* Mangat (1994): private for every epsilon if delta >= p, and for none if delta < p.
* Christofides with cards 1, 2, 3 and a proportion m of cards 2: ``p1 = (1 - m - delta)/(gamma + 1)``. m = 0 is best and
  gives Warner's design.
* The same cards sampled without replacement: integer counts with ``c1 >= (N - c2 - delta N)/(gamma + 1)``. A single
  response satisfies the budget, but several responses together do not.

Proportions without a closed form are multiples of 2^-64, rounded towards privacy.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

from rropt.core.exact import Epsilon
from rropt.core.exact.numbers import whole_where
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, ball, decimal_bracket
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.at_levels import truth_probability
from rropt.mechanisms.named.builders import binomial
from rropt.mechanisms.named.design import DESIGNS

MOST_DRAWS = 20
_UNIT = 1 << 64
_ONE = Fraction(1)


def tuned_designs(
    gamma: Fraction,
    delta: Fraction,
    optimum: Mechanism,
    prevalence: Fraction,
    *,
    other: Fraction,
    middle: Fraction,
    draws: int,
) -> dict[str, Mechanism | None]:
    """Return the tuned design for each device that each respondent uses independently.

    Args:
        gamma, delta: the budget, gamma > 1 or delta > 0.
        optimum: the best design (p00, p11) within the budget, with ``p00 + p11 > 1``.
        prevalence: the prevalence at which Kuk's decks are optimized.
        other: the known prevalence of the unrelated attribute, in (0, 1).
        middle: m, the proportion of cards 2, in [0, 1).
        draws: r of Kuk's design.

    Returns:
        A mechanism for each name; ``None`` for a design that cannot meet the budget.

    Raises:
        InvalidParameterError: draws is not an integer from 1 to 20.
    """
    draws = whole_where(draws, 1, MOST_DRAWS, name="the number of draws")
    p00, p11 = optimum.p00, optimum.p11
    keep = (gamma + delta) / (gamma + 1)
    low = max((1 - middle - delta) / (gamma + 1), Fraction(0))
    return {
        "warner": DESIGNS["warner"](keep),
        "unrelated": DESIGNS["unrelated"](truth_probability(gamma, delta, other), other),
        "forced": DESIGNS["forced"](p00 + p11 - 1, 1 - p00, 1 - p11),
        "crosswise": DESIGNS["crosswise"](keep),
        "kuk": DESIGNS["kuk"](p11, 1 - p00, 1) if draws == 1 else _kuk(gamma, delta, prevalence, draws),
        "mangat": DESIGNS["mangat"](delta) if delta else None,
        "christofides": DESIGNS["christofides"](low, middle, 1 - middle - low),
    }


def tuned_deck(cards: int, gamma: Fraction, delta: Fraction, middle: Fraction) -> tuple[int, int, int] | None:
    """Return a deck of N cards 1, 2, 3 with ``floor(m N)`` cards 2 and as few cards 1 as the budget allows.

    ``None`` if there are at least as many cards 1 as cards 3, because then the sum of the responses has no information.

    >>> tuned_deck(100, Fraction(3), Fraction(0), Fraction(1, 100))
    (25, 1, 74)
    """
    between = cards * middle.numerator // middle.denominator
    rest = cards - between
    low = max(ceil((rest - delta * cards) / (gamma + 1)), 0)
    return (low, between, rest - low) if 2 * low < rest else None


def laplace_scale(epsilon: Epsilon, delta: Fraction) -> Fraction:
    """Return the scale ``1/(epsilon - 2 log(1 - delta))`` of Laplace noise on a count, rounded up to 24 digits.

    Noise with scale b, compared with its shift by 1, has ``delta = 1 - exp((epsilon - 1/b)/2)``.

    >>> laplace_scale(Epsilon.of("1/2"), Fraction(0)), float(laplace_scale(Epsilon.of("log(2)"), Fraction(0)))
    (Fraction(2, 1), 1.4426950408889634)
    """
    if delta == 1:
        return Fraction(0)
    if epsilon.kind == "rational" and not delta:
        return 1 / epsilon.times

    def enclosure(_: int) -> Any:
        own = ball(epsilon.times) * (ball(epsilon.base).log() if epsilon.kind == "log" else 1)
        return 1 / (own - 2 * ball(1 - delta).log())

    return decimal_bracket(enclosure, FIRST_BRACKET_DIGITS).upper


def geometric_ratio(gamma: Fraction, delta: Fraction) -> Fraction:
    """Return the ratio ``a = (1 - delta)/(gamma + delta)`` of noise ``Pr(k) = (1 - a)/(1 + a) a^abs(k)`` on a count.

    Compared with its shift by 1, the noise has ``delta = (1 - gamma a)/(1 + a)``, attained by the counts on one side.
    """
    return (1 - delta) / (gamma + delta)


def _kuk(gamma: Fraction, delta: Fraction, pi: Fraction, draws: int) -> Mechanism:
    """Return Kuk's design with the best decks for several draws."""

    def excess(theta: Fraction) -> Fraction:
        chances = binomial(draws, theta)
        return sum((max(p - gamma * q, Fraction(0)) for p, q in zip(chances, chances[::-1], strict=True)), Fraction(0))

    if not delta:
        theta = _largest(lambda t: t**draws <= gamma * (1 - t) ** draws)
        return DESIGNS["kuk"](theta, 1 - theta, draws)
    theta = _largest(lambda t: excess(t) <= delta, _UNIT // 2)
    one = _largest(lambda t: (1 - t) ** draws >= 1 - delta)
    decks = [(theta, 1 - theta), (one, Fraction(0)), (_ONE, 1 - one)]

    def spread(deck: tuple[Fraction, Fraction]) -> Fraction:
        a, b = deck
        return (pi * a * (1 - a) + (1 - pi) * b * (1 - b)) / (a - b) ** 2

    return DESIGNS["kuk"](*min((deck for deck in decks if deck[0] > deck[1]), key=spread), draws)


def _largest(holds: Callable[[Fraction], bool], low: int = 0) -> Fraction:
    """Return the largest multiple of 2^-64 up to 1 that satisfies a decreasing condition, which ``low`` satisfies."""
    high = _UNIT + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(Fraction(middle, _UNIT)) else (low, middle)
    return Fraction(low, _UNIT)
