"""Exact draws from fair bits: uniform integers, a shuffled deck of cards, and discrete Laplace noise.

Noise is drawn with integers, comparisons, and the operating system's random bits only. Let ``a = c^(n/m)`` with
integers n and m, where ``c = 1/e`` (a rational epsilon) or ``c = 1/q`` (epsilon = ``r*log(q)``).

* U is uniform in 0..m-1 and is accepted with probability ``c^(U/m)``. V is geometric, ``Pr(V >= k) = c^k``. Then
  ``X = U + m V`` has ``Pr(X >= k) = c^(k/m)``, and ``G = X // n`` has ``Pr(G >= k) = a^k``.
* A fair sign is drawn; "minus 0" is rejected. So ``Pr(Z = z)`` is proportional to ``a^|z|``.
* A coin with probability ``exp(-x)``, 0 <= x <= 1: let K >= 1 be the first index at which a coin with probability
  ``x/K`` fails. K is odd with probability ``1 - x + x^2/2! - ... = exp(-x)`` (Forsythe, von Neumann).
* A coin with probability ``q^(-u/m)``: a uniform W, read as far as needed, satisfies ``W^m q^u < 1``.

There are no floats, no logarithms, and no rounding, so the distribution is exactly that of the formulas. The running
time and the number of bits read depend on the noise, so an observer who can measure them learns something about the
noise.

Source: Canonne, Kamath and Steinke (2020), *The discrete Gaussian for differential privacy*, algorithms 1 and 2.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, required
from rropt.core.exact import rational
from rropt.mechanisms.central.laplace import DiscreteLaplace
from rropt.mechanisms.central.noise_tails import root_form
from rropt.mechanisms.sampling.inversion import ByteSource

_BLOCK = 64  # bytes that are fetched at once
_WORD = 64  # bits of W that are read at once
_LEAST_FALL = Fraction(1, 10**4)  # smallest 1 - c: the geometric V takes 1/(1 - c) coins on average
_MOST_ROOT = 2000  # largest m in q^(-u/m): W is raised to this power


class RandomBits:
    """Independent fair bits, by default from the operating system, and uniform draws made from them.

    Args:
        source: a function that returns the requested number of uniform random bytes.

    >>> RandomBits(lambda count: bytes([0b10110010] * count)).bits(3)
    5
    """

    __slots__ = ("_held", "_left", "_source")

    def __init__(self, source: ByteSource = os.urandom) -> None:
        self._source, self._held, self._left = source, 0, 0

    def bits(self, count: int) -> int:
        """Return an integer made of ``count`` fair bits."""
        while self._left < count:
            self._held = self._held << 8 * _BLOCK | int.from_bytes(self._source(_BLOCK), "big")
            self._left += 8 * _BLOCK
        self._left -= count
        found = self._held >> self._left
        self._held &= (1 << self._left) - 1
        return found

    def below(self, n: int) -> int:
        """Return a uniform integer in 0, ..., n - 1 by rejection, with fewer than 2 attempts on average."""
        count = (n - 1).bit_length()
        while True:
            found = self.bits(count)
            if found < n:
                return found

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """Return the items in uniformly random order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


class DiscreteNoise:
    """A sampler of a discrete Laplace mechanism.

    Args:
        mechanism: the mechanism whose noise is sampled.
        bits: the source of randomness (default: the operating system).

    Raises:
        UnsupportedProblemError: epsilon = ``r*log(q)`` with q close to 1, or r with too large a denominator.

    >>> from rropt.mechanisms import Sensitivity
    >>> noise = DiscreteNoise(DiscreteLaplace(Sensitivity.count(), "1/2"))
    >>> type(noise.draw()), len(noise.release([831]))
    (<class 'int'>, 1)
    """

    __slots__ = ("_bits", "_coin", "_fall", "_mechanism", "_n", "_root")

    def __init__(self, mechanism: DiscreteLaplace, bits: RandomBits | None = None) -> None:
        required(mechanism, DiscreteLaplace, "the mechanism", "DiscreteLaplace(sensitivity, epsilon)")
        self._mechanism, self._bits = mechanism, bits or RandomBits()
        epsilon = mechanism.epsilon
        if epsilon.kind == "rational":
            self._n, self._root = (epsilon.times * mechanism.rate).as_integer_ratio()
            self._coin: Callable[[int], bool] = self._exponential
            self._fall: Callable[[], bool] = lambda: self._exponential(self._root)
            return
        base, power = root_form(epsilon, mechanism.rate)
        (s, t), (self._n, self._root) = base.as_integer_ratio(), power.as_integer_ratio()
        if 1 - Fraction(t, s) < _LEAST_FALL or self._root > _MOST_ROOT:
            raise UnsupportedProblemError(
                f"noise at epsilon = {epsilon} takes too long to draw: received a = ({t}/{s})^({self._n}/{self._root}) "
                f"for each step; allowed are bases up to {1 - _LEAST_FALL} and roots up to {_MOST_ROOT}; take a "
                "rational epsilon just below"
            )
        self._coin = lambda u: self._power(u, s, t)
        self._fall = lambda: self._bits.below(s) < t

    def draw(self) -> int:
        """Sample the noise of one coordinate in steps: ``Pr(z) = (1 - a)/(1 + a) a^|z|``."""
        while True:
            size = self._geometric() // self._n
            if not self._bits.bits(1):
                return size
            if size:
                return -size

    def release(self, values: Sequence[object]) -> tuple[Fraction, ...]:
        """Return the true values, each with independent noise added. No error message repeats a value.

        Args:
            values: one value for each coordinate, multiples of the step.

        Raises:
            InvalidParameterError: the number of values is wrong, or a value is not a multiple of the step. The message
                names its position but does not repeat it.
        """
        d, step = self._mechanism.dimension, self._mechanism.step
        if len(values) != d:
            raise InvalidParameterError(
                f"the values are not those of the query: received {len(values)}; allowed are {d}, one of each "
                "coordinate"
            )
        return tuple(_whole_steps(value, step, i) + step * self.draw() for i, value in enumerate(values, 1))

    def _geometric(self) -> int:
        """Sample X with ``Pr(X >= k) = c^(k/m)``."""
        m = self._root
        while True:
            rest = self._bits.below(m)
            if self._coin(rest):
                break
        while self._fall():
            rest += m
        return rest

    def _exponential(self, u: int) -> bool:
        """Return True with probability ``exp(-u/m)``, 0 <= u <= m."""
        common = gcd(u, self._root)
        above, below, k = u // common, self._root // common, 1
        while self._bits.below(below * k) < above:
            k += 1
        return k % 2 == 1

    def _power(self, u: int, s: int, t: int) -> bool:
        """Return True with probability ``(t/s)^(u/m)``."""
        if u == 0:
            return True
        m, seen, length = self._root, 0, 0
        much, most = s**u, t**u
        while True:
            seen, length = seen << _WORD | self._bits.bits(_WORD), length + _WORD
            if (seen + 1) ** m * much <= most << length * m:
                return True
            if seen**m * much >= most << length * m:
                return False


def _whole_steps(value: object, step: Fraction, position: int) -> Fraction:
    try:
        exact: Fraction | None = rational(value)
    except InvalidParameterError:  # its message shows the value
        exact = None
    if exact is None or (exact / step).denominator > 1:
        raise InvalidParameterError(
            f"value {position} of the query is not a multiple of the step {step}: received one that is not shown; "
            "allowed are such multiples; round the data to the grid first"
        ) from None
    return exact
