"""Joint mechanisms: the answers of N respondents together, which need not be independent, and who sees what of them.

A joint mechanism is no matrix: with the traits ``x`` in ``{0, 1}^N`` it has a law of ``(Z_1, ..., Z_N)``. What somebody
sees of the answers is a *view*, a function of them, and each view has its own privacy. Two populations are neighbours
when they differ in the trait of one respondent; N is public. The views:

* ``one``: the answer of respondent 0 alone;
* ``all``: every answer with its respondent's name;
* ``counts``: all answers without names, how often each was given;
* ``sum``: the sum of the answers alone (or any estimate made of it).

Later views and devices register themselves: a view is an entry of ``VIEWS``, a device a subclass with its law.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import Epsilon, ExactReal
from rropt.mechanisms.arrangements import arrangement_at, count_of
from rropt.mechanisms.dichotomies import Dichotomy, worst_of
from rropt.mechanisms.excesses import gamma_of
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.vectors import size_text

Answers = tuple[int, ...]
Law = Mapping[Any, Fraction]

_MAX_RESPONDENTS = 1000  # there are up to 1000! deals, a number of 2 568 digits
_MAX_OUTCOMES = 200_000  # populations times answers, or states, that are listed: some seconds

# What is seen of the answers (Z_1, ..., Z_N).
VIEWS: dict[str, Callable[[Answers], Any]] = {
    "one": lambda answers: answers[0],
    "all": lambda answers: answers,
    "counts": lambda answers: tuple(sorted(Counter(answers).items())),
    "sum": sum,
}


@dataclass(frozen=True, slots=True)
class Breach:
    """Two neighbouring populations and what is seen that tells them apart most.

    Attributes:
        likely, rare: the populations, as the view's law names them.
        seen: what is seen.
        chances: its exact probability under each.
    """

    likely: Any
    rare: Any
    seen: Any
    chances: tuple[Fraction, Fraction]


@dataclass(frozen=True)
class View:
    """The law of what is seen, for every population that matters, and which of these are neighbours.

    Attributes:
        name: of the view.
        laws: by population, the probability of everything that may be seen.
        neighbours: pairs of populations that differ in one respondent's trait; each pair once.
    """

    name: str
    laws: Mapping[Any, Law]
    neighbours: tuple[tuple[Any, Any], ...]

    def __hash__(self) -> int:
        return hash((self.name, self.neighbours))

    def mechanism(self) -> Mechanism:
        """Return the explicit mechanism whose inputs are the populations and whose outputs are what may be seen."""
        seen = sorted({z for law in self.laws.values() for z in law})
        rows = [[law.get(z, Fraction(0)) for law in self.laws.values()] for z in seen]
        return Mechanism(rows, name=self.name)

    def worst(self) -> Breach | None:
        """Return neighbours and what is seen whose odds are largest; ``None`` when the laws of neighbours are equal."""
        best: Breach | None = None
        for first, second in self.neighbours:
            for likely, rare in ((first, second), (second, first)):
                other = self.laws[rare]
                for z, p in self.laws[likely].items():
                    q = other.get(z, Fraction(0))
                    if p > q and (best is None or p * best.chances[1] > q * best.chances[0]):
                        best = Breach(likely, rare, z, (p, q))
        return best

    def parity(self) -> Fraction | None:
        """Return the largest odds between neighbours, ``None`` when infinite."""
        worst = self.worst()
        if worst is None:
            return Fraction(1)
        p, q = worst.chances
        return p / q if q else None

    def epsilon(self) -> Epsilon:
        """Return the exact epsilon about one respondent's trait, possibly infinite."""
        return Epsilon.of_parity(self.parity())

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
    """The answers of N respondents together. A device brings ``respondents`` and ``law``; more where it knows better.

    Views are computed from the law by listing populations and answers, so for a few respondents; a device overrides
    ``view`` where the structure gives it for more.
    """

    @property
    def respondents(self) -> int:
        """N."""
        raise NotImplementedError(f"the device {type(self).__name__} does not say how many respondents it has")

    def law(self, traits: Sequence[int]) -> dict[Answers, Fraction]:
        """Return the probability of every vector of answers, for the traits x in {0, 1}^N of the respondents."""
        raise NotImplementedError(f"the device {type(self).__name__} does not give its law")

    def view(self, name: str) -> View:
        """Return a view: the law of what is seen, for every population.

        Raises:
            InvalidParameterError: no such view.
            UnsupportedProblemError: too many populations and answers to list.
        """
        return self._listed_view(name)

    def _listed_view(self, name: str) -> View:
        sees = _sees(name)
        n = self.respondents
        if 4**n > _MAX_OUTCOMES:
            raise _too_many(name, n, 4**n)
        laws = {}
        for traits in product((0, 1), repeat=n):
            law: dict[Any, Fraction] = {}
            for answers, p in self.law(traits).items():
                z = sees(answers)
                law[z] = law.get(z, Fraction(0)) + p
            laws[traits] = law
        flips = ((x, (*x[:i], 1, *x[i + 1 :])) for x in laws for i in range(n) if not x[i])
        return View(name, laws, tuple(flips))


class DealtDeck(JointMechanism):
    """Christofides' device with a deck of N cards that is dealt to the N respondents, without replacement.

    Each gets one card c of 1, ..., L and answers c without the trait and ``L + 1 - c`` with it. Every card is dealt, so
    that the answers are dependent: whoever sees them with names knows the deck, and can often tell traits for certain.

    Args:
        deck: how many cards there are of 1, 2, ..., L; together N, at most 1000.

    Source: Sun, Zhou and Yan (2023), the improved Christofides mechanism; Christofides (2003) draws with replacement.

    >>> deck = DealtDeck([1, 2, 3])
    >>> [str(deck.view(name).epsilon()) for name in ("one", "all", "counts", "sum")]
    ['log(3)', 'inf', 'inf', 'inf']
    >>> deck.view("one").delta("log(2)"), float(deck.view("one").delta("log(2)"))
    (Fraction(1, 6), 0.16666666666666666)
    """

    __slots__ = ("_deck",)

    def __init__(self, deck: Sequence[int]) -> None:
        fits = isinstance(deck, (list, tuple)) and all(type(c) is int and c >= 0 for c in deck)
        if not fits or not 0 < sum(deck) <= _MAX_RESPONDENTS:
            raise InvalidParameterError(
                f"no deck can be dealt: received {shown(deck)}; allowed are numbers of cards >= 0 for each of 1 to L, "
                f"with 1 to {_MAX_RESPONDENTS} cards together"
            )
        self._deck = tuple(deck)

    @property
    def deck(self) -> tuple[int, ...]:
        """How many cards there are of 1, ..., L."""
        return self._deck

    @property
    def respondents(self) -> int:
        """N, as many as cards."""
        return sum(self._deck)

    def one_answer(self) -> Mechanism:
        """Return the mechanism of one answer seen alone, shape (L, 2): the marginal law for each trait."""
        n = self.respondents
        return Mechanism([[Fraction(c, n), Fraction(d, n)] for c, d in zip(self._deck, self._deck[::-1], strict=True)])

    def law(self, traits: Sequence[int]) -> dict[Answers, Fraction]:
        """Return the probability of every vector of answers: all deals are equally likely."""
        if len(traits) != self.respondents or not set(traits) <= {0, 1}:
            raise InvalidParameterError(
                f"the traits are not those of the respondents: received {shown(traits)}; allowed is 0 or 1 for each of "
                f"{self.respondents}"
            )
        number = count_of(self._deck)
        if number > _MAX_OUTCOMES:
            raise _too_many("all", self.respondents, number)
        turned = len(self._deck) + 1
        chance = Fraction(1, number)
        deals = ([c + 1 for c in arrangement_at(i, self._deck)] for i in range(number))
        return {tuple(turned - c if x else c for c, x in zip(deal, traits, strict=True)): chance for deal in deals}

    def view(self, name: str) -> View:
        """Return a view; all but ``all`` for any number of respondents whose states can be listed.

        The law of ``counts`` and ``sum`` depends on the number t of respondents with the trait alone: they hold a
        sample of t cards without replacement.
        """
        if name == "one":
            marginals = self.one_answer()
            laws: dict[Any, Law] = {x: {c + 1: p for c, p in enumerate(marginals.column(x)) if p} for x in (0, 1)}
            return View(name, laws, ((0, 1),))
        if name not in ("counts", "sum"):
            return self._listed_view(name)
        states = prod(c + 1 for c in self._deck)
        if states > _MAX_OUTCOMES:
            raise _too_many(name, self.respondents, states)
        n, deals = self.respondents, count_of(self._deck)
        totals: list[dict[Any, Fraction]] = [{} for _ in range(n + 1)]
        sees = self._counts if name == "counts" else self._sum
        for held in product(*(range(c + 1) for c in self._deck)):  # the cards of those with the trait
            t = sum(held)
            ways = count_of(held) * count_of([c - h for c, h in zip(self._deck, held, strict=True)])
            z = sees(held)
            totals[t][z] = totals[t].get(z, Fraction(0)) + Fraction(ways, deals)
        return View(name, dict(enumerate(totals)), tuple((t, t + 1) for t in range(n)))

    def _counts(self, held: Sequence[int]) -> Any:
        """Return the answers' counts as ``VIEWS`` writes them, when these cards are held by those with the trait."""
        counts = [c - h + g for c, h, g in zip(self._deck, held, held[::-1], strict=True)]
        return tuple((c, count) for c, count in enumerate(counts, 1) if count)

    def _sum(self, held: Sequence[int]) -> int:
        return sum(c * count for c, count in self._counts(held))

    def __eq__(self, other: object) -> bool:
        return self._deck == other._deck if isinstance(other, DealtDeck) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._deck)

    def __repr__(self) -> str:
        return f"DealtDeck({list(self._deck)})"


def _sees(name: str) -> Callable[[Answers], Any]:
    if name not in VIEWS:
        raise InvalidParameterError(f"no such view: received {shown(name)}; allowed are {', '.join(VIEWS)}")
    return VIEWS[name]


def _too_many(name: str, n: int, count: int) -> UnsupportedProblemError:
    return UnsupportedProblemError(
        f"the view {name} of {n} respondents has too many cases to list: received {size_text(count)}; at most "
        f"{_MAX_OUTCOMES} are; take fewer respondents, or another view"
    )
