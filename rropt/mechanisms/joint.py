"""Joint mechanisms: the responses of N respondents together, which may be dependent, and the views of adversaries.

A joint mechanism has a distribution of the responses ``(Z_1, ..., Z_N)`` for each vector of traits x in {0, 1}^N. A
*view* is a function of the responses that an adversary sees. Each view has its own privacy. Two populations are
neighbours if they differ in the trait of one respondent; N is public. The views are:

* ``one``: only the response of respondent 0;
* ``all``: every response with the respondent's name;
* ``counts``: all responses without names, that is, the number of times each was given;
* ``sum``: only the sum of the responses (or an estimate computed from it).

An adversary may also have knowledge. With ``others=t``, the adversary knows that t of the other respondents have the
trait. With ``belief=q``, the adversary believes that each of the others has the trait independently with probability q.
The view is then about respondent 0 only.

To add a view, add an entry to ``VIEWS``. To add a device, define a subclass with its distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Protocol

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import Bracket, Epsilon, ExactReal, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.core.visible import size_text
from rropt.mechanisms.dichotomies import Dichotomy, worst_of
from rropt.mechanisms.hockey_stick import gamma_of
from rropt.mechanisms.mechanism import Mechanism

Answers = tuple[int, ...]
Law = Mapping[Any, Fraction]

MAX_OUTCOMES = 200_000  # limit for populations times responses, or for states: some seconds
_MOST_LISTED = 16  # largest number of respondents for which all populations are listed
_BRACKET_DIGITS = 24  # decimal digits of an irrational delta

# The part of the responses (Z_1, ..., Z_N) that each view shows.
VIEWS: dict[str, Callable[[Answers], Any]] = {
    "one": lambda answers: answers[0],
    "all": lambda answers: answers,
    "counts": lambda answers: tuple(sorted(Counter(answers).items())),
    "sum": sum,
}


class AnyView(Protocol):
    """A view of the responses and its privacy, computed from listed distributions or from formulas of the device."""

    @property
    def name(self) -> str:
        """The name of the view."""

    def parity_bracket(self) -> tuple[Fraction | None, Fraction | None]:
        """Return bounds of the parity, equal if it is known exactly; ``None`` means infinite."""

    @property
    def epsilon(self) -> Epsilon:
        """The exact epsilon about one respondent's trait, possibly infinite."""

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the exact delta at a level."""

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return bounds of delta at a level."""

    def worst(self) -> DistinguishingEvent | None:
        """Return the neighbours and the outcome with the largest likelihood ratio; ``None`` if it is 1."""


@dataclass(frozen=True, slots=True)
class DistinguishingEvent:
    """Two neighbouring populations and the event that distinguishes them best.

    Attributes:
        likely, rare: the populations, by their names in the view.
        seen: the event, an outcome of the view.
        chances: the exact probability of the event under each population.
    """

    likely: Any
    rare: Any
    seen: Any
    chances: tuple[Fraction, Fraction]


@dataclass(frozen=True)
class View:
    """The distributions of what an observer sees, for all relevant populations, and the pairs of neighbours.

    Attributes:
        name: the name of the view.
        laws: for each population, the probability of each outcome of the view.
        neighbours: pairs of populations that differ in one respondent's trait; each pair once.
    """

    name: str
    laws: Mapping[Any, Law]
    neighbours: tuple[tuple[Any, Any], ...]

    def __hash__(self) -> int:
        return hash((self.name, self.neighbours))

    def mechanism(self) -> Mechanism:
        """Return the explicit mechanism from the populations (inputs) to the outcomes of the view (outputs)."""
        seen = sorted({z for law in self.laws.values() for z in law})
        rows = [[law.get(z, Fraction(0)) for law in self.laws.values()] for z in seen]
        return Mechanism(rows, name=self.name)

    def worst(self) -> DistinguishingEvent | None:
        """Return the neighbours and the outcome with the largest likelihood ratio; ``None`` if it is 1."""
        best: DistinguishingEvent | None = None
        for first, second in self.neighbours:
            for likely, rare in ((first, second), (second, first)):
                other = self.laws[rare]
                for z, p in self.laws[likely].items():
                    q = other.get(z, Fraction(0))
                    if p > q and (best is None or p * best.chances[1] > q * best.chances[0]):
                        best = DistinguishingEvent(likely, rare, z, (p, q))
        return best

    def parity(self) -> Fraction | None:
        """Return the largest likelihood ratio between neighbours; ``None`` if it is infinite."""
        worst = self.worst()
        if worst is None:
            return Fraction(1)
        p, q = worst.chances
        return p / q if q else None

    @property
    def epsilon(self) -> Epsilon:
        """The exact epsilon about one respondent's trait, possibly infinite."""
        return Epsilon.of_parity(self.parity())

    def parity_bracket(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the parity as a pair of equal bounds; ``None`` means infinite."""
        parity = self.parity()
        return parity, parity

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return rationals ``lower <= delta(epsilon) <= upper``, equal if delta is rational."""
        return ExactReal.of(self.delta(epsilon)).bracket(_BRACKET_DIGITS)

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the least delta for which the view is (epsilon, delta)-private about one respondent's trait."""
        gamma = gamma_of(epsilon)
        pairs = (pair for one, other in self.neighbours for pair in ((one, other), (other, one)))
        return worst_of((self._dichotomy(*pair) for pair in pairs), gamma).at(gamma)

    def _dichotomy(self, one: Any, other: Any) -> Dichotomy:
        first, second = self.laws[one], self.laws[other]
        zero = Fraction(0)
        return Dichotomy.of_fractions((0, 0), [(first.get(z, zero), second.get(z, zero)) for z in {**first, **second}])


class JointMechanism:
    """The joint responses of N respondents; every device defines at least ``respondents`` and ``law``.

    By default, views are computed by listing all populations and responses, which is possible only for few respondents.
    A device overrides ``view`` if its structure allows more respondents.
    """

    @property
    def respondents(self) -> int:
        """The number N of respondents."""
        raise NotImplementedError(f"the device {type(self).__name__} does not say how many respondents it has")

    def law(self, traits: Sequence[int]) -> dict[Answers, Fraction]:
        """Return the probability of every vector of responses, for the traits x in {0, 1}^N of the respondents."""
        raise NotImplementedError(f"the device {type(self).__name__} does not give its law")

    def view(self, name: str, *, others: int | None = None, belief: object | None = None) -> AnyView:
        """Return a view: the distribution of what the observer sees, for every population.

        Args:
            name: the name of the view.
            others: the number of other respondents with the trait, if the observer knows it.
            belief: q, the observer's probability that each other respondent has the trait, independently.

        Raises:
            InvalidParameterError: the view is unknown, or ``others`` or ``belief`` is outside its domain.
            UnsupportedProblemError: there are too many populations and responses to list.
        """
        return self.listed_view(name, others=others, belief=belief)

    def listed_view(self, name: str, *, others: int | None = None, belief: object | None = None) -> View:
        """Return a view by its definition, listing every population and every vector of responses."""
        sees = view_function(name)
        known, q = self.knowledge(others, belief)
        n = self.respondents
        if n > _MOST_LISTED or 4**n > MAX_OUTCOMES:
            raise too_many(name, n, 4 ** min(n, _MOST_LISTED))
        laws = {}
        for traits in product((0, 1), repeat=n):
            law: dict[Any, Fraction] = {}
            for answers, p in self.law(traits).items():
                z = sees(answers)
                law[z] = law.get(z, Fraction(0)) + p
            laws[traits] = law
        if q is not None:
            return View(name, {x: _mixed(laws, x, q) for x in (0, 1)}, ((0, 1),))
        flips = ((x, (*x[:i], 1, *x[i + 1 :])) for x in laws for i in range(n) if not x[i] and known in (None, sum(x)))
        return View(name, laws, tuple(flips))

    def knowledge(self, others: int | None, belief: object | None) -> tuple[int | None, Fraction | None]:
        """Return the adversary's exact knowledge about the other respondents.

        Raises:
            InvalidParameterError: both are given, or one is outside its domain.
        """
        if others is not None and belief is not None:
            raise InvalidParameterError(
                f"what is known of the others is given twice: received {shown(others)} of them and the belief "
                f"{shown(belief)}; leave one out"
            )
        if others is not None:
            others = whole_where(others, 0, self.respondents - 1, name="the number of others with the trait")
        if belief is None:
            return others, None
        return None, rational_where(belief, lambda q: 0 <= q <= 1, "0 <= q <= 1", name="belief")


def _mixed(laws: Mapping[Any, Law], trait: int, q: Fraction) -> Law:
    """Return the distribution of a view if respondent 0 has this trait, and the others have it with probability q."""
    mixed: dict[Any, Fraction] = {}
    for x, law in laws.items():
        weight = q ** sum(x[1:]) * (1 - q) ** (len(x) - 1 - sum(x[1:]))
        if x[0] == trait and weight:
            for z, p in law.items():
                mixed[z] = mixed.get(z, Fraction(0)) + weight * p
    return mixed


def view_function(name: str) -> Callable[[Answers], Any]:
    """Return the function that computes a view from the responses.

    Raises:
        InvalidParameterError: there is no such view.
    """
    return VIEWS[one_of(name, VIEWS, "the view")]


def too_many(name: str, n: int, count: int) -> UnsupportedProblemError:
    """Return the error of a view with too many cases."""
    return UnsupportedProblemError(
        f"the view {name} of {n} respondents has too many cases to list: received {size_text(count)}; at most "
        f"{MAX_OUTCOMES} are; take fewer respondents (another view is another adversary)"
    )
