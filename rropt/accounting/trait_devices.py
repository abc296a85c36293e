"""Devices that ask N respondents about one trait: the common base class, and the device with independent responses.

A device has exact distributions of the histogram and of the sum of the responses, for every number t of respondents
with the trait. It also defines views of the responses (``joint``). For cards sampled without replacement, see
``decks``. Let S be the sum, and let m_x be the mean of one response at trait x. The proportion with the trait is
estimated by ``(S/N - m_0) / (m_1 - m_0)``; for Christofides' cards this is ``(S/N - EY) / (L + 1 - 2 EY)``.

``DrawnView`` describes what the counts or the sum reveal about one respondent, over all populations at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, cast

from rropt.accounting.neighbouring_sums import LEVEL_DIGITS, NeighbouringSums
from rropt.accounting.sum_laws import ResponsePolynomials, fractions_over
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import Bracket, Epsilon, ExactReal, as_text, rational
from rropt.core.exact.numbers import whole_numbers, whole_where
from rropt.core.visible import size_text, with_noun
from rropt.mechanisms.columns import listed, required_list
from rropt.mechanisms.hockey_stick import NO_EXCESS, Excess, gamma_of, larger_excess, odds_exceed
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.joint import (
    MAX_OUTCOMES,
    Answers,
    AnyView,
    DistinguishingEvent,
    JointMechanism,
    Law,
    View,
    too_many,
    view_function,
)
from rropt.mechanisms.mechanism import Mechanism

MAX_RESPONDENTS = 10**9
# states of one distribution: the histogram of 100 responses of 3 kinds or 30 of 5 kinds, the sum of 1000 of 5 kinds
MAX_STATES = 60_000
_MAX_LAW_BITS = 4 * 10**9  # bits of all weights of one distribution before terms are summed: some seconds


class TraitDevice(JointMechanism):
    """A device whose responses depend on the respondents' traits; all respondents are exchangeable.

    Attributes:
        first: the number of the first response; the other responses have the numbers that follow.
    """

    __slots__ = ()
    first = 1

    def one_answer(self) -> Mechanism:
        """Return the mechanism of one response, shape (L, 2)."""
        raise NotImplementedError

    def view_law(self, name: str, holders: int) -> dict[Any, Fraction]:
        """Return the distribution of ``counts`` or ``sum``, given the number of respondents with the trait."""
        return self._view_law(one_of(name, ("counts", "sum"), "the view"), self.holders(holders))

    def _view_law(self, name: str, holders: int) -> dict[Any, Fraction]:
        raise NotImplementedError

    def moments(self, trait: int) -> tuple[Fraction, Fraction]:
        """Return mean and variance of the number of one response, given the trait (0 or 1)."""
        chances = self.one_answer().column(whole_where(trait, 0, 1, name="the trait"))
        mean = sum((z * p for z, p in enumerate(chances, self.first)), Fraction(0))
        return mean, sum((z * z * p for z, p in enumerate(chances, self.first)), -mean * mean)

    def slope(self) -> Fraction:
        """Return the effect of the trait on the mean of a response: for Christofides' cards ``L + 1 - 2 EY``.

        Raises:
            InfeasibleError: the trait does not change the mean, so the estimate is undefined.
        """
        low, high = (self.moments(trait)[0] for trait in (0, 1))
        if low == high:
            raise InfeasibleError(
                f"the trait does not change the mean of a response: it is {as_text(low)} with it and without it (of "
                "cards 1 to L, (L + 1)/2), so the sum estimates nothing; take other proportions"
            )
        return high - low

    def estimate_of(self, total: int) -> Fraction:
        """Return the unbiased estimate of the proportion with the trait from the sum of all N responses."""
        return (rational(total, name="the sum") / self.respondents - self.moments(0)[0]) / self.slope()

    def sum_law(self, holders: int) -> dict[int, Fraction]:
        """Return the exact distribution of the sum of all responses, given the number of respondents with the trait."""
        return self.view_law("sum", holders)

    def estimator_law(self, holders: int) -> dict[Fraction, Fraction]:
        """Return the exact distribution of the estimate; its mean is ``holders / N``."""
        return {self.estimate_of(z): p for z, p in self.sum_law(holders).items()}

    def histogram_law(self, holders: int) -> dict[Any, Fraction]:
        """Return the exact distribution of the histogram of all responses, as tuples of (response, count)."""
        return self.view_law("counts", holders)

    def holders(self, value: int) -> int:
        """Return the number of respondents with the trait after checking its range."""
        return whole_where(value, 0, self.respondents, name="the number of respondents with the trait")

    def _one_view(self, name: str) -> View:
        marginals = self.one_answer()
        laws: dict[Any, Law] = {x: {z: p for z, p in enumerate(marginals.column(x), self.first) if p} for x in (0, 1)}
        return View(name, laws, ((0, 1),))


@dataclass(frozen=True, slots=True)
class DrawnAnswers(TraitDevice):
    """N independent respondents with one mechanism: cards with replacement, a spinner, or dice.

    Attributes:
        mechanism: the mechanism of each response, with two inputs, shape (L, 2).
        respondents: N.
        first: the number of the first response: 1 for Christofides' cards, 0 for no and yes.

    Source: Sun, Zhou and Yan (2023), the modified Warner, Simmons and Christofides mechanisms.

    >>> from rropt.mechanisms import named_mechanism
    >>> spinner = DrawnAnswers(named_mechanism("warner:3/4"), 3)
    >>> spinner.sum_law(1)[0], spinner.estimator_law(1)[Fraction(-1, 2)]
    (Fraction(9, 64), Fraction(9, 64))
    >>> [str(spinner.view(name).epsilon) for name in ("one", "all", "counts", "sum")]
    ['log(3)', 'log(3)', 'log(3)', 'log(3)']
    """

    mechanism: Mechanism
    respondents: int = field()
    first: int = 0

    def __post_init__(self) -> None:
        mechanism = required_mechanism(self.mechanism)
        if mechanism.inputs != 2 or mechanism.outputs < 2:
            raise InvalidParameterError(
                f"the mechanism is not about one trait: received {with_noun(size_text(mechanism.inputs), 'input')} and "
                f"{with_noun(size_text(mechanism.outputs), 'answer')}; allowed are 2 inputs and at least 2 answers"
            )
        object.__setattr__(self, "mechanism", mechanism)
        object.__setattr__(self, "respondents", required_respondents(self.respondents))

    def one_answer(self) -> Mechanism:
        """Return the mechanism of each response."""
        return self.mechanism

    def weights(self) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """Return the columns without and with the trait as integers, and their common denominator."""
        both = [*self.mechanism.column(0), *self.mechanism.column(1)]
        whole, below = whole_numbers(both)
        return whole[: len(whole) // 2], whole[len(whole) // 2 :], below

    def law(self, traits: Sequence[int]) -> dict[Answers, Fraction]:
        """Return the probability of every vector of responses, the product of the individual probabilities."""
        require_traits(traits, self.respondents)
        size = self.mechanism.outputs ** min(self.respondents, 64)
        if size > MAX_OUTCOMES:
            raise too_many("all", self.respondents, size)
        columns = [list(enumerate(self.mechanism.column(x), self.first)) for x in traits]
        deals = (zip(*deal, strict=True) for deal in product(*columns))
        return {answers: p for answers, chances in deals if (p := prod(chances, start=Fraction(1)))}

    def _view_law(self, name: str, holders: int) -> dict[Any, Fraction]:
        kind, (a, b, below) = self.polynomials(name), self.weights()
        found = kind.of(a) ** (self.respondents - holders) * kind.of(b) ** holders
        return fractions_over(kind.read(found, self.respondents), below**self.respondents)

    def polynomials(self, name: str) -> ResponsePolynomials:
        """Return the polynomials of a view, after checking that it has few enough states.

        Raises:
            UnsupportedProblemError: the view has too many states.
        """
        kind = ResponsePolynomials(name, self.mechanism.outputs, self.first)
        states = kind.states(self.respondents)
        require_states(name, self.respondents, states, self.weights()[2].bit_length() * self.respondents)
        return kind

    def view(self, name: str, *, others: int | None = None, belief: object | None = None) -> AnyView:
        """Return a view of the responses.

        The response of one person is independent of the others. With names, all responses together are therefore as
        private as one, and both ``one`` and ``all`` are the distribution of the respondent's own response. ``counts``
        and ``sum`` depend on the arguments. With ``others=t`` they compare the neighbours t and t + 1. With ``belief``
        they average over the others. Otherwise they cover every population at once (``DrawnView``).
        """
        view_function(name)
        known, q = self.knowledge(others, belief)
        if name in ("one", "all"):
            return self._one_view(name)
        if known is not None:
            return View(name, {t: self.view_law(name, t) for t in (known, known + 1)}, ((known, known + 1),))
        if q is None:
            return DrawnView(name, self)
        kind, (a, b, below) = self.polynomials(name), self.weights()
        u, v = q.as_integer_ratio()
        rest = kind.of([(v - u) * x + u * y for x, y in zip(a, b, strict=True)]) ** (self.respondents - 1)
        unit = below * (v * below) ** (self.respondents - 1)
        laws = {
            x: fractions_over(kind.read(rest * kind.of(own), self.respondents), unit) for x, own in ((0, a), (1, b))
        }
        return View(name, laws, ((0, 1),))

    def __repr__(self) -> str:
        return f"DrawnAnswers({self.mechanism.name or self.mechanism!r}, {self.respondents}, first={self.first})"


def required_respondents(value: object) -> int:
    """Return the number of respondents after checking its range."""
    return whole_where(value, 1, MAX_RESPONDENTS, name="the number of respondents")


def require_states(name: str, n: int, states: int, bits: int) -> None:
    """Raise ``UnsupportedProblemError`` if a distribution has too many states, or too many digits in total."""
    if states > MAX_STATES or states * bits > _MAX_LAW_BITS:
        raise UnsupportedProblemError(
            f"the exact law of the {name} of {n} respondents is too large: received {size_text(states)} states of up "
            f"to {size_text(bits)} bits; at most {MAX_STATES} states and {_MAX_LAW_BITS} bits together are listed; "
            "take fewer respondents (another view is another adversary)"
        )


def require_traits(traits: Sequence[int], n: int) -> None:
    """Raise ``InvalidParameterError`` unless each respondent has a trait 0 or 1."""
    allowed = f"0 or 1 for each of {n}"
    items = required_list(traits, "`traits`", allowed)
    if len(items) != n or not all(listed(x) is None and x in (0, 1) for x in items):
        raise InvalidParameterError(
            f"the traits are not those of the respondents: received {shown(traits)}; allowed is {allowed}"
        )


_DIGITS = 40  # decimal digits of an irrational gamma; closer likelihood ratios are compared exactly
_MAX_STEPS = 2 * 10**6  # states of all distributions together that are listed for an exact result: some seconds
_MAX_WORDS = 10**8  # words of 64 bits in all of them
_MAX_POWER_BITS = 4 * 10**6  # bits of the probability that all respondents give the same response
_NEAR = Fraction(1, 10**25)  # relative width at which the search for the worst population stops


@dataclass(frozen=True)
class DrawnView:
    """The counts or the sum of independent responses, for all populations: neighbours t and t + 1 for each t < N.

    The distributions for t and t + 1 are ``W A`` and ``W B`` with ``W = A^(N - 1 - t) B^t``. If all responses are
    equal, they reveal as much as one response. Hence epsilon of the counts is that of one response. The same is true of
    the sum if the first or the last response attains epsilon. In all other cases, and for delta, the class lists the
    distributions. If there are too many of them, it uses bounds:

    * Further responses are noise, so delta at t is at most delta with fewer others.
    * epsilon is at most that of one response.
    * If ``W A <= gamma W B`` holds for all coefficients, then ``A(s) <= gamma B(s)`` for all s > 0. Hence gamma is at
      least every ratio A(s)/B(s).
    """

    name: str
    device: DrawnAnswers

    def parity_bracket(self) -> tuple[Fraction | None, Fraction | None]:
        """Return bounds of the parity, equal if it is known exactly; ``None`` means infinite."""
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

    @property
    def epsilon(self) -> Epsilon:
        """The exact epsilon about one respondent's trait.

        Raises:
            UnsupportedProblemError: only bounds are known (``parity_bracket``).
        """
        lower, upper = self.parity_bracket()
        if lower != upper:
            raise UnsupportedProblemError(
                f"epsilon of the {self.name} of {self.device.respondents} responses is only enclosed: received too "
                "many laws to list; use parity_bracket"
            )
        return Epsilon.of_parity(upper)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.device)

    def worst(self) -> DistinguishingEvent | None:
        """Return the neighbours and the outcome with the largest likelihood ratio; ``None`` if it is 1."""
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
                return DistinguishingEvent(*populations, seen, (more**n, more ** (n - 1) * less))
        if not self._is_listed:
            raise UnsupportedProblemError(
                f"the most revealing {self.name} of {n} responses is not known: received too many laws to list; take "
                "fewer respondents"
            )
        t, z, p, q = max(
            ((t, z, p, q) for t, masses in self._steps() for z, (p, q) in masses.items()),
            key=lambda one: _size(_odds(*one[2:])),
        )
        chances = [Fraction(x, below**n) for x in sorted((p, q), reverse=True)]
        return DistinguishingEvent(t + (q > p), t + (q < p), n * first + z, (chances[0], chances[1]))

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the exact least delta about one respondent's trait at a level.

        Raises:
            UnsupportedProblemError: there are too many distributions to list; for the sum, use ``delta_bracket``.
        """
        if not self._is_listed:
            states, n = self._kind.states(self.device.respondents), self.device.respondents
            is_enclosed = self.name == "sum" or (self.name == "counts" and len(self._columns) == 2)
            raise UnsupportedProblemError(
                f"delta of the {self.name} of {n} responses is not listed: received {n} laws of {states} states; at "
                f"most {_MAX_STEPS} states are; {'use delta_bracket' if is_enclosed else 'take fewer respondents'}"
            )
        gamma = gamma_of(epsilon)
        if isinstance(gamma, Fraction):
            return self._listed_delta(gamma)
        best, unit = NO_EXCESS, self.device.weights()[2] ** self.device.respondents
        for t, masses in self._steps():
            for both in (masses.values(), [(q, p) for p, q in masses.values()]):
                found = _excess((t, t + 1), both, unit, gamma)
                best = found if larger_excess(found, best, gamma) else best
        return best.at(gamma)

    def _listed_delta(self, gamma: Fraction) -> Fraction:
        """Return delta at a rational gamma: the positive part of ``W (A - gamma B)``, or of ``W (B - gamma A)``."""
        best, unit = 0, self.device.weights()[2] ** self.device.respondents
        for _, rest, a, b in self._rests():
            best = max(best, *_positive_parts(rest, a, b, gamma))
        return Fraction(best, unit * gamma.denominator)

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return rationals ``lower <= delta(epsilon) <= upper``; for the sum with any N, at finite levels."""
        if self._is_listed and (gamma := gamma_of(epsilon)) is not None:
            levels = Epsilon.of(epsilon).gamma_bracket(_DIGITS)
            upper = self._listed_delta(levels.lower)
            return Bracket(upper if isinstance(gamma, Fraction) else self._listed_delta(levels.upper), upper)
        if self.name == "counts" and len(self._columns) == 2 and not self._is_listed:
            # with two responses, the sum determines the counts
            return DrawnView("sum", self.device).delta_bracket(epsilon)
        if self._is_listed or self.name != "sum":
            # at an infinite level, delta is the probability of an event and thus rational
            return Bracket.of(cast(Fraction, self.delta(epsilon)))
        levels, others = Epsilon.of(epsilon).gamma_bracket(LEVEL_DIGITS), self.device.respondents - 1
        found = NeighbouringSums.of(*self.device.weights(), others, levels.lower).delta(levels, _NEAR)
        return Bracket(found.lower, min(found.upper, Fraction(1)))

    @cached_property
    def _columns(self) -> list[tuple[int, int]]:
        a, b, _ = self.device.weights()
        return list(zip(a, b, strict=True))

    @property
    def _alike(self) -> list[int]:
        """The indices of the responses such that the view shows it if all respondents give this response."""
        seen = [i for i, pair in enumerate(self._columns) if any(pair)]
        return seen if self.name == "counts" else [seen[0], seen[-1]]

    @cached_property
    def _kind(self) -> ResponsePolynomials:
        return ResponsePolynomials(self.name, len(self._columns), self.device.first)

    @cached_property
    def _is_listed(self) -> bool:
        n = self.device.respondents
        states = self._kind.states(n) * n
        return states <= _MAX_STEPS and states * n * self.device.weights()[2].bit_length() <= 64 * _MAX_WORDS

    def _steps(self) -> Iterator[tuple[int, dict[Any, tuple[int, int]]]]:
        """Iterate over t and the masses of all outcomes of the view, for the neighbours t and t + 1."""
        for t, rest, a, b in self._rests():
            first, second = (self._kind.raw(rest * own) for own in (a, b))
            yield t, {z: (first.get(z, 0), second.get(z, 0)) for z in {**first, **second}}

    def _rests(self) -> Iterator[tuple[int, Any, Any, Any]]:
        """Iterate over t and the polynomials W, A and B."""
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


def _excess(pair: tuple[int, int], masses: Iterable[tuple[int, int]], unit: int, gamma: ExactReal | None) -> Excess:
    """Return the excess of the first distribution over the second, for masses (p, q) in units of 1/unit."""
    if gamma is None:
        chosen = [(p, q) for p, q in masses if odds_exceed(p, q, None)]
    else:  # the enclosure decides almost always, which is faster than sorting all masses by their odds
        low, high = gamma.bracket(_DIGITS)
        near = [(p, q) for p, q in masses if p * low.denominator > q * low.numerator]
        chosen = [(p, q) for p, q in near if p * high.denominator > q * high.numerator or odds_exceed(p, q, gamma)]
    intercept, slope = (Fraction(sum(side), unit) for side in zip((0, 0), *chosen, strict=True))
    return Excess(pair, (), intercept, slope)


def _odds(p: int | Fraction, q: int | Fraction) -> Fraction | None:
    """Return the larger ratio of two masses; ``None`` if it is infinite."""
    low, high = sorted((p, q))
    return (Fraction(high) / Fraction(low) if low else None) if high else Fraction(1)


def _size(odds: Fraction | None) -> tuple[bool, Fraction]:
    return odds is None, odds or Fraction(0)
