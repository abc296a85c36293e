"""Views of answers drawn independently: what counts or sum tell about one respondent, of all populations at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappush, heapreplace
from typing import TYPE_CHECKING, Any, cast

from rropt.errors import UnsupportedProblemError
from rropt.exact import Bracket, Epsilon, ExactReal
from rropt.mechanisms.answer_laws import CutPowers, Drawn, EnclosedLaw
from rropt.mechanisms.excesses import Excess, Gamma, exceeds, gamma_of, more
from rropt.mechanisms.joint import Breach
from rropt.mechanisms.sum_deltas import closest_delta

if TYPE_CHECKING:
    from rropt.mechanisms.drawn import DrawnAnswers

_DIGITS = 40  # of an irrational gamma, before odds so near are compared exactly
_MAX_STEPS = 2 * 10**6  # states of all laws together that are listed for an exact answer: some seconds
_MAX_WORDS = 10**8  # of 64 bits in them
_MAX_POWER_BITS = 4 * 10**6  # of the probability that all answer alike
_SPLITS = 30  # of the numbers of respondents with the trait, where delta is only enclosed: some seconds
_NEAR = Fraction(1, 10**12)  # ends of a delta that count as one: no survey tells them apart


@dataclass(frozen=True)
class DrawnView:
    """The counts or the sum of answers drawn independently, of all populations: neighbours t, t + 1 for each t < N.

    These are ``W A`` and ``W B`` with ``W = A^(N - 1 - t) B^t``. When all answer alike they tell as much as one answer
    does: epsilon of the counts is that of one answer, and that of the sum where it comes from the first or last answer.
    Elsewhere, and for delta, laws are listed. Where they are too many there are bounds: a further answer is noise, so
    delta at t is at most that with fewer others, and epsilon at most that of one answer; and as
    ``W(s) A(s) <= gamma W(s) B(s)`` follows from the same of the coefficients, gamma is at least every ``A(s)/B(s)``.
    """

    name: str
    device: DrawnAnswers

    def parity_bracket(self) -> tuple[Fraction | None, Fraction | None]:
        """Return ends of the parity, equal where it is known exactly; ``None`` is infinite."""
        one, ends = self.device.one_answer().parity(), [_odds(*self._columns[i]) for i in self._alike]
        if one in ends:
            return one, one
        if self._is_listed:
            worst = max((_odds(p, q) for _, masses in self._steps() for p, q in masses.values()), key=_size)
            return worst, worst
        points = [Fraction(i, 20 - i) for i in range(1, 20)]
        at = [
            [sum((pair[x] * s**i for i, pair in enumerate(self._columns)), Fraction(0)) for x in (0, 1)] for s in points
        ]
        return max([*ends, *(_odds(*pair) for pair in at)], key=_size), one

    def epsilon(self) -> Epsilon:
        """Return the exact epsilon about one respondent's trait.

        Raises:
            UnsupportedProblemError: it is only enclosed (``parity_bracket``).
        """
        lower, upper = self.parity_bracket()
        if lower != upper:
            raise UnsupportedProblemError(
                f"epsilon of the {self.name} of {self.device.respondents} answers is only enclosed: received too many "
                "laws to list; take parity_bracket, or fewer respondents"
            )
        return Epsilon.of_parity(upper)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.device)

    def worst(self) -> Breach | None:
        """Return neighbours and what is seen of the largest odds; ``None`` when nothing tells them apart."""
        n, first, one = self.device.respondents, self.device.first, self.device.one_answer().parity()
        if one == 1:
            return None
        below = self.device.weights()[2]
        for i in self._alike:
            a, b = self._columns[i]
            if _odds(a, b) == one and n * below.bit_length() <= _MAX_POWER_BITS:
                seen = n * (first + i) if self.name == "sum" else ((first + i, n),)
                more, less = Fraction(max(a, b), below), Fraction(min(a, b), below)
                populations = (0, 1) if a > b else (n, n - 1)
                return Breach(*populations, seen, (more**n, more ** (n - 1) * less))
        if not self._is_listed:
            raise UnsupportedProblemError(
                f"what tells most of the {self.name} of {n} answers is not known: received too many laws to list; take "
                "fewer respondents"
            )
        t, z, p, q = max(
            ((t, z, p, q) for t, masses in self._steps() for z, (p, q) in masses.items()),
            key=lambda one: _size(_odds(*one[2:])),
        )
        chances = [Fraction(x, below**n) for x in sorted((p, q), reverse=True)]
        return Breach(t + (q > p), t + (q < p), n * first + z, (chances[0], chances[1]))

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the exact least delta about one respondent's trait at a level.

        Raises:
            UnsupportedProblemError: too many laws to list; ``delta_bracket`` encloses that of the sum.
        """
        if not self._is_listed:
            states, n = self._kind.states(self.device.respondents), self.device.respondents
            raise UnsupportedProblemError(
                f"delta of the {self.name} of {n} answers is not listed: received {n} laws of {states} states; at most "
                f"{_MAX_STEPS} states are; take fewer respondents, or the sum, whose delta is enclosed"
            )
        gamma = gamma_of(epsilon)
        if isinstance(gamma, Fraction):
            return self._listed_delta(gamma)
        best, unit = Excess((0, 0), (), Fraction(0), Fraction(0)), self.device.weights()[2] ** self.device.respondents
        for t, masses in self._steps():
            for found in both_excesses((t, t + 1), list(masses.values()), unit, gamma):
                best = found if more(found, best, gamma) else best
        return best.at(gamma)

    def _listed_delta(self, gamma: Fraction) -> Fraction:
        """Return delta at a rational gamma: the positive part of ``W (A - gamma B)``, and back."""
        best, unit = 0, self.device.weights()[2] ** self.device.respondents
        for _, rest, a, b in self._rests():
            best = max(best, *_positive_parts(rest, a, b, gamma))
        return Fraction(best, unit * gamma.denominator)

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return rationals ``lower <= delta(epsilon) <= upper``; of the sum for any N, at finite levels."""
        if self._is_listed and (gamma := gamma_of(epsilon)) is not None:
            levels = Epsilon.of(epsilon).gamma_bracket(_DIGITS)
            upper = self._listed_delta(levels.lower)
            return Bracket(upper if isinstance(gamma, Fraction) else self._listed_delta(levels.upper), upper)
        if self.name == "counts" and len(self._columns) == 2 and not self._is_listed:
            return DrawnView("sum", self.device).delta_bracket(epsilon)  # of two answers the counts are the sum
        if self._is_listed or self.name != "sum":
            return Bracket.of(cast(Fraction, self.delta(epsilon)))  # at an infinite level a mass, rational
        levels, n, powers = Epsilon.of(epsilon).gamma_bracket(_DIGITS), self.device.respondents - 1, self._powers
        close = closest_delta(*self.device.weights(), n, levels)
        if close is not None:
            return close
        least = max(self._cut_delta(powers.law(n - t, t), levels).lower for t in (0, n // 2, n))
        parts = [(-self._cut_delta(powers.law(0, 0), levels).upper, 0, n)]
        for _ in range(_SPLITS):
            upper, low, high = parts[0]
            if low == high or -upper <= least + _NEAR:
                break
            middle = (low + high) // 2
            least = max(least, self._cut_delta(powers.law(n - middle, middle), levels).lower)
            halves = [(low, middle), (middle + 1, high)]
            heapreplace(parts, (-self._cut_delta(powers.law(n - high, middle + 1), levels).upper, *halves[1]))
            heappush(parts, (-self._cut_delta(powers.law(n - middle, low), levels).upper, *halves[0]))
        return Bracket(max(least, Fraction(0)), min(-parts[0][0], Fraction(1)))

    def _cut_delta(self, rest: EnclosedLaw, levels: Bracket) -> Bracket:
        """Return a bracket of delta of an answer without and with the trait added to an enclosed law."""
        from flint import fmpz_poly

        law, (a, b) = (
            fmpz_poly(list(rest.weights)),
            (self._kind.of(column) for column in zip(*self._columns, strict=True)),
        )
        unit = rest.below * self.device.weights()[2]
        ends = [
            Fraction(max(_positive_parts(law, a, b, gamma)), unit * gamma.denominator)
            for gamma in (levels.upper, levels.lower)
        ]
        return Bracket(ends[0] - levels.upper * rest.slack, ends[1] + rest.slack)

    @cached_property
    def _columns(self) -> list[tuple[int, int]]:
        a, b, _ = self.device.weights()
        return list(zip(a, b, strict=True))

    @cached_property
    def _powers(self) -> CutPowers:
        a, b, below = self.device.weights()
        return CutPowers(below, a, b)

    @property
    def _alike(self) -> list[int]:
        """The answers that all may give alike, of which what is seen can come in no other way."""
        seen = [i for i, pair in enumerate(self._columns) if any(pair)]
        return seen if self.name == "counts" else [seen[0], seen[-1]]

    @cached_property
    def _kind(self) -> Drawn:
        return Drawn(self.name, len(self._columns), self.device.first)

    @cached_property
    def _is_listed(self) -> bool:
        n = self.device.respondents
        states = self._kind.states(n) * n
        return states <= _MAX_STEPS and states * n * self.device.weights()[2].bit_length() <= 64 * _MAX_WORDS

    def _steps(self) -> Iterator[tuple[int, dict[Any, tuple[int, int]]]]:
        """Iterate over t and the masses of everything that is seen, for the neighbours t and t + 1."""
        for t, rest, a, b in self._rests():
            first, second = (self._kind.raw(rest * own) for own in (a, b))
            yield t, {z: (first.get(z, 0), second.get(z, 0)) for z in {**first, **second}}

    def _rests(self) -> Iterator[tuple[int, Any, Any, Any]]:
        """Iterate over t with W, A and B."""
        n = self.device.respondents
        a, b = (self._kind.of(column) for column in zip(*self._columns, strict=True))
        rest = a ** (n - 1)
        for t in range(n):
            yield t, rest, a, b
            rest = rest // a * b


def _positive_parts(rest: Any, a: Any, b: Any, gamma: Fraction) -> list[int]:
    """Return the sums of the positive coefficients of ``W (h A - g B)`` and of ``W (h B - g A)``, gamma = g/h."""
    g, h = gamma.as_integer_ratio()
    return [sum(c for c in map(int, (rest * own).coeffs()) if c > 0) for own in (h * a - g * b, h * b - g * a)]


def both_excesses(pair: tuple[int, int], masses: Sequence[tuple[int, int]], unit: int, gamma: Gamma) -> list[Excess]:
    """Return the excess of the first over the second and back, of masses in units of 1 / unit."""
    found = []
    for one, other in ((0, 1), (1, 0)):
        chosen = _exceeding([(both[one], both[other]) for both in masses], gamma)
        sums = [Fraction(sum(side), unit) for side in zip(*chosen, strict=True)] or [Fraction(0)] * 2
        found.append(Excess((pair[one], pair[other]), (), sums[0], sums[1]))
    return found


def _exceeding(masses: Sequence[tuple[int, int]], gamma: Gamma) -> list[tuple[int, int]]:
    """Return the masses (p, q) with p > gamma q."""
    if gamma is None:
        return [(p, q) for p, q in masses if p and not q]
    low, high = (gamma, gamma) if isinstance(gamma, Fraction) else gamma.bracket(_DIGITS)
    chosen = [(p, q) for p, q in masses if p * low.denominator > q * low.numerator]
    if low == high:
        return chosen
    return [(p, q) for p, q in chosen if p * high.denominator > q * high.numerator or exceeds(p, q, gamma)]


def _odds(p: int | Fraction, q: int | Fraction) -> Fraction | None:
    """Return the larger odds of two masses, ``None`` when infinite."""
    low, high = sorted((p, q))
    return (Fraction(high) / Fraction(low) if low else None) if high else Fraction(1)


def _size(odds: Fraction | None) -> tuple[bool, Fraction]:
    return odds is None, odds or Fraction(0)
