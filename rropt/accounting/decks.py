"""A deck of cards sampled without replacement, one card for each respondent: the improved Christofides mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import Any

from rropt.accounting.sum_laws import (
    deck_histogram_law,
    deck_move_law,
    fractions_over,
    moved_histograms,
    pairs_of,
    response_count_law,
)
from rropt.accounting.trait_devices import (
    MAX_RESPONDENTS,
    TraitDevice,
    require_states,
    require_traits,
    required_respondents,
)
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import as_text
from rropt.core.exact.numbers import whole_numbers
from rropt.mechanisms.arrangements import arrangement_at, count_of
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.joint import MAX_OUTCOMES, Answers, AnyView, Law, View, too_many, view_function
from rropt.mechanisms.mechanism import Mechanism

_MOST_DEALT = 10**4  # largest deck whose deals are counted; the count has up to 35 660 digits
_Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealtDeck(TraitDevice):
    """Christofides' device with a deck of N cards for N respondents, sampled without replacement.

    Each respondent receives one card c of 1, ..., L and reports c without the trait and ``L + 1 - c`` with it. All
    cards are dealt, so the responses are dependent. Anyone who sees them with names knows the deck, and can often infer
    traits with certainty.

    Attributes:
        deck: the numbers of cards 1, 2, ..., L, with L >= 2 and at most 10^9 cards in total.

    Source: Sun, Zhou and Yan (2023), the improved Christofides mechanism; Christofides (2003) draws with replacement.

    >>> deck = DealtDeck([1, 2, 3])
    >>> [str(deck.view(name).epsilon) for name in ("one", "all", "counts", "sum")]
    ['log(3)', 'inf', 'inf', 'inf']
    >>> deck.view("one").delta("log(2)"), deck.view("sum").delta("log(2)")
    (Fraction(1, 6), Fraction(2, 3))
    >>> [str(deck.view("all", belief=q).epsilon) for q in ("1/2", "1/3", 0)]
    ['log(3)', 'log(6)', 'inf']
    """

    deck: Sequence[int]

    def __post_init__(self) -> None:
        deck = self.deck
        fits = isinstance(deck, (list, tuple)) and all(type(c) is int and c >= 0 for c in deck)
        if not fits or len(deck) < 2 or not 0 < sum(deck) <= MAX_RESPONDENTS:
            raise InvalidParameterError(
                f"no deck can be dealt: received {shown(deck)}; allowed are numbers of cards >= 0 for each of 1 to L, "
                f"L >= 2, with 1 to {MAX_RESPONDENTS} cards together"
            )
        object.__setattr__(self, "deck", tuple(deck))

    @classmethod
    def of(cls, proportions: Mechanism | str, respondents: int) -> DealtDeck:
        """Build the deck of N cards with the proportions of ``christofides:p1,..,pL``.

        Raises:
            InvalidParameterError: the proportions do not give whole numbers of cards, or the mechanism is not a card
                design.
        """
        made, n = required_mechanism(proportions, "`proportions`"), required_respondents(respondents)
        shares = made.column(0)
        if made.inputs != 2 or made.column(1) != shares[::-1]:
            raise InvalidParameterError(
                f"a deck without replacement needs Christofides' device: received {made.name or 'a matrix'}; "
                "write christofides:p1,..,pL, or leave this device to draws with replacement"
            )
        cards = [share * n for share in shares]
        if any(c.denominator > 1 for c in cards):
            unit = whole_numbers(shares)[1]
            raise InvalidParameterError(
                f"the proportions do not make whole cards: received {', '.join(map(as_text, cards))} cards of {n}; "
                f"allowed are multiples of {unit} respondents, such as {max(n // unit, 1) * unit}; or take other "
                "proportions"
            )
        return cls([int(c) for c in cards])

    @property
    def respondents(self) -> int:
        """The number N of respondents, which is the number of cards."""
        return sum(self.deck)

    def one_answer(self) -> Mechanism:
        """Return the mechanism of one response, shape (L, 2): its marginal distribution for each trait."""
        n = self.respondents
        return Mechanism([[Fraction(c, n), Fraction(d, n)] for c, d in zip(self.deck, self.deck[::-1], strict=True)])

    def law(self, traits: Sequence[int]) -> dict[Answers, Fraction]:
        """Return the probability of every vector of responses, given that all deals are equally likely."""
        require_traits(traits, self.respondents)
        number = count_of(self.deck) if self.respondents <= _MOST_DEALT else MAX_OUTCOMES + 1
        if number > MAX_OUTCOMES:
            raise too_many("all", self.respondents, number)
        turned = len(self.deck) + 1
        chance = Fraction(1, number)
        deals = ([c + 1 for c in arrangement_at(i, self.deck)] for i in range(number))
        return {tuple(turned - c if x else c for c, x in zip(deal, traits, strict=True)): chance for deal in deals}

    def _view_law(self, name: str, holders: int) -> dict[Any, Fraction]:
        n, below = self.respondents, comb(self.respondents, holders) if self.respondents <= _MOST_DEALT else 0
        if name == "counts":
            require_states(name, n, prod(c + d + 1 for _, c, d in pairs_of(self.deck)), n * n)
            return fractions_over({_histogram(h): p for h, p in deck_histogram_law(self.deck, holders).items()}, below)
        moves = sum((c + d) * (len(self.deck) - 1 - 2 * k) for k, c, d in pairs_of(self.deck))
        require_states(name, n, moves + 1, n * n)
        start = sum(c * count for c, count in enumerate(self.deck, 1))
        return fractions_over({start + move: p for move, p in deck_move_law(self.deck, holders).items()}, below)

    def view(self, name: str, *, others: int | None = None, belief: object | None = None) -> AnyView:
        """Return a view, restricted to the neighbouring populations that attain its epsilon and delta.

        Suppose the adversary sees all responses and knows the other traits. The other cards are then known, and hence
        the card of the respondent. Every card except the middle one reveals the trait. At every epsilon, delta is thus
        at least ``1 - c_middle/N``. The sum reveals as much if nobody else has the trait: it differs from the sum of
        the deck if and only if the respondent has the trait (and not the middle card). No view reveals more than all
        responses with names. Therefore the neighbours with 0 and 1 respondents with the trait attain epsilon and delta
        of every view.

        For ``all``, an outcome is the respondent's response and the histogram of the others' cards, which are their
        responses.
        """
        view_function(name)
        known, q = self.knowledge(others, belief)
        if name == "one":
            return self._one_view(name)
        if known is not None and name != "all":
            return View(name, {t: self.view_law(name, t) for t in (known, known + 1)}, ((known, known + 1),))
        return View(name, {x: self._seen(name, x, q) for x in (0, 1)}, ((0, 1),))

    def believed_parity(self, belief: object) -> Fraction | None:
        """Return the parity of ``all`` for a belief q: ``max_k c_k/c_(L+1-k) max(q/(1-q), (1-q)/q)``.

        ``None`` means infinite. The result does not depend on N. Let h be the number of others who also give the
        response k; only holders of the card k or of its opposite can do so. Without the trait, the others hold one more
        opposite card, with the factor ``A = q z + 1 - q``. With the trait, they hold one more card k, with the factor
        ``B = (1 - q) z + q``. The distributions of h are the coefficients of ``W A`` and ``W B``, with a common W.
        Their ratios lie between the ratios of the coefficients of A and B, and attain both at the endpoints.
        """
        _, q = self.knowledge(None, belief)
        if q is None:
            raise InvalidParameterError("a belief is needed: received None; allowed is 0 <= q <= 1")
        pairs = [sorted((c, d)) for _, c, d in pairs_of(self.deck)]
        if not pairs:
            return Fraction(1)
        if q in (0, 1) or not all(low for low, _ in pairs):
            return None
        return max(Fraction(high, low) for low, high in pairs) * max(q / (1 - q), (1 - q) / q)

    def _seen(self, name: str, trait: int, q: Fraction | None) -> Law:
        """Return the distribution of a view if each other respondent has the trait independently with probability q.

        ``None`` means that nobody else has it, and everything is seen. For a belief, only the others whose card is the
        respondent's response or its opposite matter: the other pairs of cards have equal likelihoods. For ``all``, an
        outcome is then the respondent's response and the number of others who gave the same one.
        """
        law: dict[Any, Fraction] = {}
        for card, count in enumerate(self.deck, 1):
            left = tuple(c - (k == card) for k, c in enumerate(self.deck, 1))
            answer = len(left) + 1 - card if trait else card
            weights, unit = self._told(name, answer, left, q) if count else ({}, 1)
            for seen, weight in weights.items():
                law[seen] = law.get(seen, Fraction(0)) + Fraction(count * weight, self.respondents * unit)
        return law

    def _told(self, name: str, answer: int, left: _Counts, q: Fraction | None) -> tuple[dict[Any, int], int]:
        """Return the weights of what a view shows, and their sum, given the response and the cards of the others."""
        if q is not None:
            read = {"all": self._law_of_own, "sum": self._law_of_sum, "counts": self._law_of_counts}[name]
            return read(answer, left, q)
        counts = _histogram([c + (k == answer) for k, c in enumerate(left, 1)])
        seen: Any = {"all": (answer, _histogram(left)), "sum": sum(k * c for k, c in counts), "counts": counts}[name]
        return {seen: 1}, 1

    def _law_of_own(self, answer: int, left: _Counts, q: Fraction) -> tuple[dict[Any, int], int]:
        same, opposite = left[answer - 1], left[-answer]
        if 2 * answer == len(left) + 1:  # the middle card is its own opposite, so its holders report it in any case
            return {(answer, same): 1}, 1
        require_states("all", self.respondents, same + opposite + 1, q.denominator.bit_length() * (same + opposite))
        weights = response_count_law(same, opposite, q)
        return {(answer, a): w for a, w in enumerate(weights) if w}, q.denominator ** (same + opposite)

    def _law_of_sum(self, answer: int, left: _Counts, q: Fraction) -> tuple[dict[Any, int], int]:
        from flint import fmpz_poly

        u, v = q.as_integer_ratio()
        top, n = len(left), self.respondents - 1
        require_states("sum", self.respondents, n * (top - 1) + 1, v.bit_length() * n)
        total = fmpz_poly([1])
        for k, count in enumerate(left):  # exponents count the excess over the least possible sum, n
            one = [0] * top
            one[k] += v - u
            one[-1 - k] += u
            total *= fmpz_poly(one) ** count
        return {answer + n + e: int(w) for e, w in enumerate(total.coeffs()) if w}, v**n

    def _law_of_counts(self, answer: int, left: _Counts, q: Fraction) -> tuple[dict[Any, int], int]:
        pairs = pairs_of(left)
        require_states("counts", self.respondents, prod(c + d + 1 for _, c, d in pairs), self.respondents)
        start = [c + (k == answer) for k, c in enumerate(left, 1)]
        kept = ((k, same, enumerate(response_count_law(same, opposite, q))) for k, same, opposite in pairs)
        found = moved_histograms(start, 1, ((k, {a - same: weight for a, weight in law}) for k, same, law in kept))
        return {_histogram(h): w for h, w in found.items()}, q.denominator ** sum(c + d for _, c, d in pairs)

    def __repr__(self) -> str:
        return f"DealtDeck({list(self.deck)})"


def _histogram(counts: Sequence[int]) -> Any:
    """Return a histogram of the responses 1, ..., L in the format of ``VIEWS``."""
    return tuple((c, count) for c, count in enumerate(counts, 1) if count)
