"""The composition of many responses by the characteristic function of their privacy loss (rule 38, fourier_rule.md).

An additional Gaussian mechanism of small variance makes delta larger; this gives the upper bound. A test that is
smoothed by the same noise bounds delta from below. Both bounds are sums of the characteristic function of the loss over
the frequencies ``t_k = (k + 1/2) spacing``. The first frequencies are summed in integers over ``2^_BITS``. On the
intervals after them the function is bounded by a product of cosines. Beyond these intervals it is bounded by the factor
of the noise. Every rounding widens the bracket.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from .brackets import Bracket
from .composition_rule import Composed, read_composition, require_delta
from .documents import Budget, Rejected, bits_of, fields
from .intervals import Arithmetic, Interval
from .limits import MAX_FREQUENCIES, MAX_PARAMETER_DIGITS

EXPLAINED = {
    "composition-fourier": "Delta of the worst composition was bounded through the characteristic function of the "
    "privacy loss, with a small Gaussian noise above and a smooth test below.",
}

_BITS = 160  # bits of cosines, sines and their products: the rounding errors are far below every claim
_DIGITS = 56  # digits of logarithms and exponentials: 10^-54 is below 2^-178
_GUARD = 32  # extra bits while an angle is doubled: at most twelve doublings, so the error grows to at most 2^18 units
_ONE = 1 << _BITS
_PI = Fraction(31415926535897932384626433832795028841971693993751, 10**49)  # exceeds pi by less than 10^-49
_PI_BELOW = _PI - Fraction(1, 10**49)
_PHASES = 256  # cells of half a turn
_SCALE = 1 << 16  # unit of slopes, probabilities and logarithms in the tables
_STEPS = 32  # the slack and the weight of a response are rounded to this many steps
_SERIES = 8  # terms of the series of -log(1 - u)
_ENOUGH = 48  # bits: the characteristic function need not be bounded by less than 2^-48
# slightly below 1/(2 log 2): converts -log of the squared modulus to -log2 of the modulus
_NATS_TO_BITS = (72134, 10**5)
_WIDTH = 128  # bits of the sum of bounds
_TINY = Decimal("1E-99")

_Complex = tuple[int, int]


class Plan(NamedTuple):
    """The parameters that the witness chooses.

    ``variance`` is the variance of the Gaussian noise, and ``spacing`` is the distance between frequencies. The first
    ``nodes`` frequencies are summed. They are followed by ``intervals`` intervals of ``stride`` frequencies each.
    """

    variance: Fraction
    spacing: Fraction
    nodes: int
    stride: int
    intervals: int


def check_fourier(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind composed-delta by characteristic functions."""
    budget = Budget()
    _, levels, gamma, variance, frequencies = fields(
        witness, ["rule", "levels", "gamma", "variance", "frequencies"], "witness"
    )
    composed = read_composition(problem, claim, levels, gamma, budget)
    plan = _plan(variance, frequencies, budget)
    require_delta(composed, *fourier_bounds(composed, plan, budget), budget)


def _plan(variance: Any, frequencies: Any, budget: Budget) -> Plan:
    spacing, *counts = fields(frequencies, ["spacing", "nodes", "stride", "intervals"], "the frequencies")
    noise = budget.number(variance, "the variance", MAX_PARAMETER_DIGITS)
    if not 0 < noise <= 1:
        raise Rejected("the variance of the noise is not in (0, 1]")
    apart = budget.number(spacing, "the spacing", MAX_PARAMETER_DIGITS)
    if not 0 < apart <= 1:
        raise Rejected("the spacing of frequencies is not in (0, 1]")
    read = [budget.number(count, "a count of frequencies", MAX_PARAMETER_DIGITS) for count in counts]
    if any(number.denominator != 1 or not 0 <= number <= MAX_FREQUENCIES for number in read) or not read[0] * read[1]:
        raise Rejected(
            f"nodes and stride are not whole numbers from 1 to {MAX_FREQUENCIES}, or intervals is none from 0 on"
        )
    return Plan(noise, apart, *map(int, read))


def fourier_bounds(composed: Composed, plan: Plan, budget: Budget) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of d, the delta given that no response reveals its input."""
    below = [(bracket.below, count) for bracket, count in composed.parts if bracket.below > 1]
    above = [(bracket.above, count) for bracket, count in composed.parts if bracket.above > 1]
    gamma, left = composed.gamma, remainder(composed.parts, plan, budget)
    low = _Loss(below, gamma.above, plan, budget).bounds(left)
    high = low
    if below != above or gamma.below < gamma.above:
        high = _Loss(above, gamma.below, plan, budget).bounds(left)
    return low[0], high[1]


def remainder(parts: list[tuple[Bracket, int]], plan: Plan, budget: Budget) -> Fraction:
    """Return a bound of the terms after the first ``nodes``, valid for all parities within the brackets."""
    variance, spacing, nodes, stride, intervals = plan
    at, squared = Arithmetic(_DIGITS, budget), variance * spacing * spacing
    a, b = squared.as_integer_ratio()
    tables = _Tables(budget)
    rows = []
    reach, end = Fraction(stride, 2) * spacing, nodes + stride * intervals
    for (low, high), count in parts:
        budget.spend(16, bits_of(low) + bits_of(high), bits_of(high))
        least, most = Fraction(at.log(at.of(low))[0]), Fraction(at.log(at.of(high))[1])
        table = tables.of(most * reach + (most - least) * end * spacing, 4 * high / (high + 1) ** 2)
        first = _phase(least * spacing * (nodes + Fraction(stride, 2)))
        rows.append((first, _phase(least * spacing * stride), count, table))
    rows.sort(key=lambda row: -sum(row[3]) * row[2])
    enough = _ENOUGH * _NATS_TO_BITS[1] * _SCALE // _NATS_TO_BITS[0] + 1
    total, place = 0, nodes
    for j in range(intervals):
        found = a * place * place * _SCALE // b
        seen = 0
        if found < enough:
            for start, step, count, table in rows:
                found += count * table[(start + j * step & 0xFFFFFFFF) >> 24]
                seen += 1
                if found >= enough:
                    break
        budget.spend(4 + seen // 16, bits_of(squared))
        bits = min(found * _NATS_TO_BITS[0] // (_NATS_TO_BITS[1] * _SCALE), _WIDTH)
        total += (stride * (b + a * place * place) << (_WIDTH - bits)) // (b * place * place) + 1
        place += stride
    rest = _fallen(at, at.of(squared * end * end / 2))
    return (Fraction(total, 1 << _WIDTH) + rest / end) / (_PI_BELOW * spacing)


def _fallen(at: Arithmetic, exponent: Interval) -> Fraction:
    """Return an upper bound of exp(-x), at least 10^-99; smaller bounds would be long and prove nothing more."""
    return Fraction(max(at.exp(at.negative(exponent))[1], _TINY))


class _Loss:
    """The privacy loss of responses with given parities, plus noise, relative to log(gamma)."""

    def __init__(self, parts: list[tuple[Fraction, int]], gamma: Fraction, plan: Plan, budget: Budget) -> None:
        self.plan, self.budget = plan, budget
        self.at = Arithmetic(_DIGITS, budget)
        self.counts = [count for _, count in parts]
        self.parities = [parity for parity, _ in parts]
        self.levels = [self.at.log(self.at.of(parity)) for parity in self.parities]
        self.target = self.at.log(self.at.of(gamma))

    def bounds(self, left: Fraction) -> tuple[Fraction, Fraction]:
        """Return v and u of fourier_rule.md, clipped to [0, 1]; ``left`` bounds the terms after the first ones."""
        test, noisy = self._sums()
        answers, nodes = sum(self.counts), self.plan.nodes
        # each of n + K + 1 factors has an error of at most 13 (k + 1) units at the frequency k, whose weight is at most
        # 4/pi
        rounding = Fraction(64 * (answers + nodes + 1) * (nodes + 1) ** 2, _ONE)
        wrapped, tail = self._period()
        left += wrapped + tail + rounding
        return (
            min(max(Fraction(1, 2) + test - left - tail, Fraction(0)), Fraction(1)),
            min(max(Fraction(1, 2) + noisy + left, Fraction(0)), Fraction(1)),
        )

    def _sums(self) -> tuple[Fraction, Fraction]:
        """Return the sums over the first frequencies: for the smoothed test, and for the responses with noise."""
        spacing, variance, nodes = self.plan.spacing, self.plan.variance, self.plan.nodes
        turns, shares = [], []
        for parity, level in zip(self.parities, self.levels, strict=True):
            self.budget.spend(2, bits_of(parity), bits_of(parity))
            shares.append(_integer((parity - 1) / (parity + 1)))
            turns.append(_Turning(Fraction(level[0]) * spacing, self.budget))
        centre = Fraction(self.target[0])
        later = _Turning((centre + variance / 2) * spacing, self.budget)
        sooner = _Turning((centre - variance / 2) * spacing, self.budget)
        squared = variance * spacing * spacing
        fade, factor = self._exponential(-squared / 8), self._exponential(-squared)
        ratio = factor
        n, d = spacing.numerator, 2 * spacing.denominator  # t_k = (2 k + 1) n/d
        test = noisy = 0
        squarings = sum(count.bit_length() - 1 for count in self.counts)
        self.budget.spend(nodes * (12 + 2 * len(turns) + 2 * squarings), bits_of(spacing))
        for k in range(nodes):
            value = (fade, 0)
            for turn, share, count in zip(turns, shares, self.counts, strict=True):
                x, y = turn.here
                value = _times(value, _to_power((x, y * share >> _BITS), count))
                turn.advance()
            t = (2 * k + 1) * n
            x, y = _times(value, (sooner.here[0], -sooner.here[1]))
            far = _times(value, (later.here[0], -later.here[1]))[1]
            square = d * d + t * t
            noisy += (y * d - x * t) * d * d // (t * square)
            test += far * d // t - (x * d + y * t) * d // square
            later.advance()
            sooner.advance()
            fade, ratio = fade * ratio >> _BITS, ratio * factor >> _BITS
        scale = spacing / _PI / _ONE  # the error of _PI is below the rounding error that ``bounds`` allows
        return test * scale, noisy * scale

    def _exponential(self, x: Fraction) -> int:
        return _integer(Fraction(self.at.exp(self.at.of(x))[0]))

    def _period(self) -> tuple[Fraction, Fraction]:
        """Return two bounds on the error due to periodicity: near the target, and for losses beyond half a period."""
        at, variance = self.at, self.plan.variance
        half = at.of(_PI_BELOW / self.plan.spacing)
        centre, proxy = at.of(variance / 2), at.of(variance)
        centre = at.add(centre, at.negative(self.target))
        for parity, level, count in zip(self.parities, self.levels, self.counts, strict=True):
            several = at.multiply(at.of(Fraction(count)), level)
            centre = at.add(centre, at.multiply(several, at.of((parity - 1) / (parity + 1))))
            proxy = at.add(proxy, at.multiply(several, level))
        off: Interval = max(abs(centre[0]), abs(centre[1])), max(abs(centre[0]), abs(centre[1]))
        room = at.add(half, at.negative(off))
        if room[0] <= 0:
            raise Rejected("half a period of the sums does not hold the mean of the loss")
        exponent = at.multiply(at.multiply(room, room), at.inverse(at.add(proxy, proxy)))
        return _fallen(at, half), 2 * _fallen(at, exponent)


class _Turning:
    """The sequence ``exp(i angle (k + 1/2))`` for k = 0, 1, ..., in units of ``2^-_BITS``."""

    def __init__(self, angle: Fraction, budget: Budget) -> None:
        budget.spend(24, bits_of(angle), bits_of(angle))
        half = _circle(angle / 2)
        self.here, self._step = half, _times(half, half)

    def advance(self) -> None:
        """Go to the next k."""
        self.here = _times(self.here, self._step)


class _Tables:
    """Lower bounds of ``-log(1 - weight max(0, |sin x| - slack)^2)`` on the cells of half a turn, times _SCALE."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        budget.spend(2 * _PHASES)
        step = _circle(_PI / _PHASES)
        here, sines = (_ONE, 0), []
        for _ in range(_PHASES // 2 + 1):
            sines.append(max((here[1] >> (_BITS - 16)) - 1, 0))
            here = _times(here, step)
        rising = [min(one, other) for one, other in pairwise(sines)]
        self._sines = [*rising, *reversed(rising)]
        self._made: list[list[list[int] | None]] = [[None] * (_STEPS + 1) for _ in range(_STEPS + 1)]

    def of(self, slack: Fraction, weight: Fraction) -> list[int]:
        """Return the table for the slack rounded up and the weight rounded down."""
        row = min(-(-slack.numerator * _STEPS // slack.denominator), _STEPS)
        column = weight.numerator * _STEPS // weight.denominator
        found = self._made[row][column]
        if found is None:
            self._budget.spend(_PHASES * 2)
            # the phases of all intervals have errors below 1/1024 of half a turn
            less = row * _SCALE // _STEPS + _SCALE // 256
            found = [_logarithm(column * max(sine - less, 0) ** 2 // (_STEPS * _SCALE)) for sine in self._sines]
            self._made[row][column] = found
        return found


def _logarithm(u: int) -> int:
    """Return a lower bound of ``-log(1 - u)`` from its series; u and the result are in units of 1/_SCALE."""
    total = power = u
    for m in range(2, _SERIES + 1):
        power = power * u // _SCALE
        total += power // m
    return total


def _integer(x: Fraction) -> int:
    return (x.numerator << _BITS) // x.denominator


def _phase(angle: Fraction) -> int:
    """Return an angle in half turns, modulo one, in units of 2^-32."""
    part = angle / _PI
    return ((part.numerator << 32) // part.denominator) & 0xFFFFFFFF


def _times(a: _Complex, b: _Complex) -> _Complex:
    (p, q), (r, s) = a, b
    return (p * r - q * s) >> _BITS, (p * s + q * r) >> _BITS


def _to_power(a: _Complex, count: int) -> _Complex:
    found = a
    for bit in bin(count)[3:]:
        found = _times(found, found)
        if bit == "1":
            found = _times(found, a)
    return found


def _circle(angle: Fraction) -> _Complex:
    """Return cosine and sine in units of ``2^-_BITS``, with an error of about one unit.

    The power series are evaluated at a small fraction of the angle. Repeated angle doubling then gives the result.
    """
    bits = _BITS + _GUARD
    x = (angle.numerator << bits) // angle.denominator
    doublings = max(abs(x).bit_length() - bits + 2, 0)
    x >>= doublings
    cosine, sine, term, m = 1 << bits, 0, 1 << bits, 0
    while abs(term) > 1:
        m += 1
        term = (term * x >> bits) // m
        if m % 2:
            sine += term if m % 4 == 1 else -term
        else:
            cosine += term if m % 4 == 0 else -term
    for _ in range(doublings):
        cosine, sine = (cosine * cosine - sine * sine) >> bits, (cosine * sine) >> (bits - 1)
    return cosine >> _GUARD, sine >> _GUARD
