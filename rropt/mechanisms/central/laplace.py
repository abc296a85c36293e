"""The Laplace mechanism, continuous and discrete: noise that a trusted collector adds to a count, sum or histogram.

A query f with l1 sensitivity Delta is released as ``f(x) + Z`` with independent coordinates of Z.

* *Continuous*: density ``exp(-|z|/b)/(2b)`` with ``b = Delta/epsilon``.
* *Discrete* (two-sided geometric), for multiples of a step g: ``Pr(Z = g z) = (1 - a)/(1 + a) a^|z|`` with
  ``a = exp(-g epsilon/Delta)``. It can be sampled exactly (``rropt.mechanisms.sampling.DiscreteNoise``). The continuous
  distribution can only be approximated by floats (docs/explanation/threat-models.md).

*Privacy.* Both are epsilon-private. delta at a smaller epsilon' is exact, for the following reason. Let one person move
one coordinate by Delta, and let ``F_t`` be the probability of an event after a move by t. The logarithms of ``F_t`` and
of ``1 - F_t`` change by at most ``t/b``, and half-lines attain this rate. So half-lines are the worst events, among all
queries of sensitivity Delta in any dimension. With ``u = (epsilon - epsilon')/2``

    delta = 1 - exp(-u)                                                          continuous,
    delta = max over k of 1 - (a^(k + 1) + exp(epsilon') a^(D - k))/(1 + a)      discrete, D = Delta/g.

A person who moves from one cell of a histogram to another moves two coordinates by 1 each. This reveals less: delta is
``1 - (1 + u/2) exp(-u)`` (continuous) and ``(1 - exp(epsilon' - epsilon))/(1 + a)^2`` (discrete).

*Accuracy.* With ``x = t/b`` and d coordinates, ``Pr(norm of Z >= t)`` is

    linf    1 - (1 - exp(-x))^d                         1 - (1 - 2 a^k/(1 + a))^d                      k = ceil(t/g)
    l1      exp(-x) sum_{j < d} x^j/j!                  1 - p^d sum_{m < k} N(d, m) a^m                p = (1-a)/(1+a)
    l2      1 - sum_M (-1)^M c_M x^(d + M), enclosed    1 - p^d sum_{s < (t/g)^2} [y^s] (sum_z a^|z| y^(z^2))^d

where the second column is for the continuous and the third for the discrete distribution.

* N(d, m) is the number of integer points with l1 norm m: ``(m + 1) N(d, m + 1) = 2d N(d, m) + (m - 1) N(d, m - 1)``.
* ``c_M = [y^M] (sum_j Gamma((j + 1)/2)/j! y^j)^d / (2^d Gamma((d + M)/2 + 1))``. This follows by expanding
  ``exp(-sum x_i)`` and integrating over the part of the ball where all x_i > 0 (Dirichlet).
* The remainder after M terms is at most the volume times ``(sqrt(d) x)^(M + 1)/(M + 1)! exp(sqrt(d) x)``.

Source: Dwork, McSherry, Nissim and Smith (2006); Ziani, lecture 4, theorems 8, 9, 12; Ghosh, Roughgarden and
Sundararajan (2009) for the discrete distribution.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from flint import arb, ctx

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of
from rropt.core.exact import Bracket, Epsilon, as_text, rational_where
from rropt.core.exact.numbers import log10
from rropt.core.exact.rational_bounds import ball
from rropt.mechanisms.central.noise_tails import (
    MOST_EXACT_BITS,
    ball_of,
    enclosed,
    euclidean_tail,
    exact_power,
    is_less,
    least_integer,
    points,
    some_of,
    square_sums,
    sum_tail,
)
from rropt.mechanisms.central.sensitivities import Sensitivity, a_chance, finite, positive_level

NORMS = ("linf", "l1", "l2")

_MOST_MOVES = 10**6  # largest change of a discrete query by one person, in steps
_MOST_TERMS = 20_000  # of a series or of the distribution of a norm: a few seconds
_FEWEST_TERMS = 150
_MOST_COUNT_BITS = 10**7  # approximate total length of the numbers of integer points of all norms
_FURTHEST = 10**6  # scales: the probability of larger noise is below 10^-400000
_ACCURATE_DIGITS = 6  # accuracies of the continuous distribution are rounded up to this many digits of b


class _Noise(ABC):
    """What both distributions share: ``tail`` and ``delta`` read their arguments and settle the simple cases."""

    __slots__ = ()

    sensitivity: Sensitivity
    epsilon: Epsilon
    step = Fraction(1)

    @property
    def dimension(self) -> int:
        """d, the number of released coordinates."""
        return self.sensitivity.dimension

    @property
    def rate(self) -> Fraction:
        """``g/Delta``: the density decreases by the factor ``exp(-epsilon rate)`` for each step g."""
        return self.step / self.sensitivity.l1

    def delta(self, epsilon: object) -> Bracket:
        """Return the smallest delta for (epsilon, delta)-privacy. It is 0 from the mechanism's epsilon on."""
        given = Epsilon.of(epsilon)
        return self._delta(given) if is_less(given, self.epsilon) else Bracket.of(Fraction(0))

    def tail(self, threshold: object, norm: str = "linf") -> Bracket:
        """Return ``Pr(norm of the noise >= t)``, exactly or enclosed to 33 digits.

        It is exact if it is rational, except in l2. The probability of discrete noise is exact if a is rational.

        Args:
            threshold: t.
            norm: ``linf``, ``l1`` or ``l2``; all agree for one coordinate.

        Raises:
            UnsupportedProblemError: t is too large, or the series or distribution of an l1 or l2 norm is too long.
        """
        t = finite(threshold, "the threshold") / self.step
        norm = one_of(norm, NORMS, "norm") if self.dimension > 1 else "linf"
        if t <= 0:
            return Bracket.of(Fraction(1))
        if t * self.rate * Fraction(float(self.epsilon)) > _FURTHEST:
            raise UnsupportedProblemError(
                f"the threshold is too far: received more than {_FURTHEST} scales of the noise, where the probability "
                "is below 10^-400000; give a smaller one"
            )
        return self._tail(t, norm, self.dimension)

    @abstractmethod
    def _delta(self, given: Epsilon) -> Bracket:
        """Return delta at a smaller epsilon than that of the mechanism."""

    @abstractmethod
    def _tail(self, t: Fraction, norm: str, d: int) -> Bracket:
        """Return the probability of a norm of at least t > 0 steps."""


@dataclass(frozen=True, slots=True)
class Laplace(_Noise):
    """The formulas of the continuous Laplace mechanism. It is never sampled; use ``DiscreteLaplace`` for that.

    Args:
        sensitivity: the sensitivity of the query.
        epsilon: 0 < epsilon <= 100, in any form.

    >>> noise = Laplace(Sensitivity.count(), "1/2")
    >>> noise.variance().lower, round(float(noise.tail(6).lower), 6), noise.accuracy("1/20")
    (Fraction(8, 1), 0.049787, Fraction(1198293, 200000))
    """

    sensitivity: Sensitivity
    epsilon: Epsilon = field()

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", positive_level(self.epsilon))

    def scale(self) -> Bracket:
        """Return ``b = Delta/epsilon``."""
        return self._by_rate(lambda fall: 1 / fall)

    def variance(self) -> Bracket:
        """Return the variance ``2 b^2`` of one coordinate."""
        return self._by_rate(lambda fall: 2 / fall**2)

    def _by_rate(self, formula: Callable[[Any], Any]) -> Bracket:
        if self.epsilon.kind == "rational":
            return Bracket.of(formula(self.epsilon.times * self.rate))
        return enclosed(lambda: formula(self._far(Fraction(1))))

    def _delta(self, given: Epsilon) -> Bracket:
        two = len(self.sensitivity.moves) == 2

        def least() -> Any:
            u = (ball_of(self.epsilon) - ball_of(given)) / 2
            return 1 - (1 + u / 2) * (-u).exp() if two else -(-u).expm1()

        return enclosed(least)

    def _tail(self, t: Fraction, norm: str, d: int) -> Bracket:
        if norm == "linf":
            return some_of(exact_power(self.epsilon, t * self.rate), lambda: (-self._far(t)).exp(), d)
        if norm == "l1":
            return enclosed(lambda: self._far(t).gamma_upper(arb(d), regularized=1))
        far, terms = float(t * self.rate) * float(self.epsilon), _FEWEST_TERMS
        while terms < ceil(6 * far * d**0.5) + _FEWEST_TERMS:
            terms *= 2  # few distinct lengths, so a search for an accuracy computes few series
        if terms > _MOST_TERMS // 4:
            raise UnsupportedProblemError(
                f"the l2 tail needs too long a series: received t = {far:.4g} scales in {d} dimensions, {terms} terms; "
                f"at most {_MOST_TERMS // 4} are summed; the tails in l1 and linf are above and below it"
            )
        return enclosed(lambda: euclidean_tail(self._far(t), d, terms), 2 * terms)

    def _far(self, t: Fraction) -> Any:
        return ball(t * self.rate) * ball_of(self.epsilon)

    def accuracy(self, beta: object, norm: str = "linf") -> Fraction:
        """Return t with a proved bound ``Pr(norm of the noise >= t) <= beta``.

        It exceeds the smallest such t by less than b/10^6.

        Args:
            beta: 0 < beta < 1.
            norm: as for ``tail``.
        """
        chance, scale = a_chance(beta), self.scale().upper
        unit = Fraction(10) ** (floor(log10(scale)) - _ACCURATE_DIGITS)
        return unit * least_integer(lambda k: self.tail(k * unit, norm).upper <= chance, ceil(scale / unit))


@dataclass(frozen=True, slots=True)
class DiscreteLaplace(_Noise):
    """The discrete Laplace (geometric) mechanism for multiples of a step (sampler: ``rropt.mechanisms.sampling``).

    Args:
        sensitivity: the sensitivity of the query, whose changes are multiples of the step.
        epsilon: 0 < epsilon <= 100, in any form.
        step: g; all values of the query are multiples of g (1 for counts).

    >>> noise = DiscreteLaplace(Sensitivity.count(), "log(3)")
    >>> noise.probability(0).lower, noise.variance().lower, noise.tail(2).lower, noise.accuracy("1/20")
    (Fraction(1, 2), Fraction(3, 2), Fraction(1, 6), Fraction(3, 1))
    >>> noise.delta("log(2)").lower
    Fraction(1, 4)
    """

    sensitivity: Sensitivity
    epsilon: Epsilon = field()
    step: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        step = rational_where(self.step, lambda g: g > 0, "a step > 0", name="step")
        object.__setattr__(self, "step", step)
        object.__setattr__(self, "epsilon", positive_level(self.epsilon))
        moves = [move / step for move in self.sensitivity.moves]
        if len(moves) == 2 and step < 1:  # delta is known for two coordinates that move by one step each
            raise InvalidParameterError(
                f"the step does not fit a histogram: received {as_text(step)}; allowed is 1, since its cells are "
                "counts; leave the step out"
            )
        if any(move.denominator > 1 or move > _MOST_MOVES for move in moves):
            raise InvalidParameterError(
                f"the query is not a multiple of the step: received moves of {', '.join(map(as_text, moves))} steps of "
                f"{as_text(step)}; allowed are whole numbers up to {_MOST_MOVES}; round the data to a grid and give "
                "its step"
            )

    def _by_a(self, formula: Callable[[Any], Any]) -> Bracket:
        exact = exact_power(self.epsilon, self.rate)
        return enclosed(lambda: formula(self._a())) if exact is None else Bracket.of(Fraction(formula(exact)))

    def _a(self) -> Any:
        return (-ball_of(self.epsilon) * ball(self.rate)).exp()

    def probability(self, value: object) -> Bracket:
        """Return the probability that the noise of one coordinate equals a value; 0 unless it is a multiple of g."""
        steps = abs(finite(value, "the noise")) / self.step
        if steps.denominator > 1:
            return Bracket.of(Fraction(0))
        return self._by_a(lambda a: (1 - a) / (1 + a) * a ** int(steps))

    def variance(self) -> Bracket:
        """Return the variance ``2 a g^2/(1 - a)^2`` of one coordinate."""
        found = self._by_a(lambda a: 2 * a / (1 - a) ** 2)
        return Bracket(*(end * self.step**2 for end in found))

    def _delta(self, given: Epsilon) -> Bracket:
        far, two = int(self.sensitivity.l1 / self.step), len(self.sensitivity.moves) == 2
        near = int(far * (1 - float(given) / float(self.epsilon)) / 2)

        def least(a: Any, gamma: Any) -> Any:
            if two:
                return (1 - gamma * a**2) / (1 + a) ** 2
            cuts = range(max(0, near - 2), min(far, near + 3))
            # of overlapping balls any may be returned, as each is a lower bound
            return max(1 - (a ** (k + 1) + gamma * a ** (far - k)) / (1 + a) for k in cuts)

        a, gamma = exact_power(self.epsilon, self.rate), given.gamma
        if a is not None and gamma is not None:
            return Bracket.of(least(a, gamma))
        return enclosed(lambda: least(self._a(), ball_of(given).exp()))

    def _tail(self, t: Fraction, norm: str, d: int) -> Bracket:
        k = ceil(t)
        if norm == "linf":
            exact = exact_power(self.epsilon, self.rate)
            fits = exact is not None and k * exact.denominator.bit_length() * d <= MOST_EXACT_BITS
            share = 2 * exact**k / (1 + exact) if exact is not None and fits else None
            return some_of(share, lambda: 2 * self._a() ** k / (1 + self._a()), d)
        states = k if norm == "l1" else ceil(t * t)
        narrow, wide = sorted((d, states))
        if states > _MOST_TERMS or states * narrow * (wide // narrow).bit_length() > _MOST_COUNT_BITS:
            raise UnsupportedProblemError(
                f"the law of the {norm} norm is too long: received {states} values below the threshold; at most "
                f"{_MOST_TERMS} are summed; the tail in linf is exact at any distance"
            )
        if norm == "l2":
            size = 1 << (states - 1).bit_length()
            return enclosed(lambda: 1 - square_sums(self.epsilon, self.rate, d, size, ctx.prec)[states - 1])
        near = points(d, states)
        exact = exact_power(self.epsilon, self.rate)
        if exact is not None and (states + d) * exact.denominator.bit_length() <= MOST_EXACT_BITS // 8:
            return Bracket.of(sum_tail(exact, d, near))
        return enclosed(lambda: sum_tail(self._a(), d, near))

    def accuracy(self, beta: object, norm: str = "linf") -> Fraction:
        """Return the smallest t with ``Pr(norm of the noise >= t + g) <= beta``, a multiple of the step g.

        Args:
            beta: 0 < beta < 1.
            norm: as for ``tail``.
        """
        chance = a_chance(beta)
        return self.step * least_integer(lambda k: self.tail((k + 1) * self.step, norm).upper <= chance, 1)
