"""Everyday devices for a yes/no question: dice, a deck, coins, a birthday; the best use of each.

Each outcome of the randomizing device has a role. It asks for the truth or for a lie, forces yes or no, or asks another
question with the known proportion theta of yes.

*Equally likely outcomes.* Let W be their number. A truth and a lie together have the same effect as a forced yes and a
forced no, so no use needs both. Let a outcomes ask for the truth, c force yes, and e ask the other question. Then
``Pr(yes | 0) = f/W`` and ``Pr(yes | 1) = (a + f)/W`` with ``f = c + theta e``. A device with a larger a and the same f
is at least as good, because the other device is a garbling of it: its point lies between the diagonal and the line from
(0, 0) to (f, a + f). The code therefore takes the largest a that privacy allows, for every (c, e). For theta = u/v,
only e < v is needed, because v other questions are equivalent to u forced yes and v - u forced no. A use with lies is
one with truths for 1 - theta, with yes and no exchanged. So lies matter only beside another question with theta != 1/2.

*Other outcomes*, such as sums: a pair of masses of yes (low without and high with the trait) is attainable if an
assignment of the outcomes attains it. The attainable pairs are the bits ``low (W + 1) + high`` of one integer, which
each outcome shifts by its roles. By the same garbling, the largest private high is the best one for each low. More lies
are used only where they are strictly better. In both cases the search covers all assignments, so the least exact
variance that it finds is the minimum.

*Cards 1 to L* whose responses are added up (Christofides). Let ``s = card - (L + 1)/2`` and
``tau = (gamma - 1)/(gamma + 1)``. The device's part of n Var is ``VarY/d^2 = (E s^2/(E s)^2 - 1)/4``. It is at least
``(1/tau^2 - 1)/4``, because ``abs(E s) <= tau E abs(s)`` and ``(E abs(s))^2 <= E s^2``. Equality holds if only the
cards k and L + 1 - k occur, in the proportion 1 to gamma, so Warner's device is optimal for every L. With whole cards,
suppose that a pair k, L + 1 - k has n cards in total. Its two counts then differ by at most
``n - 2 ceil(n/(1 + gamma))``. A dynamic program over the pairs finds the least ``E s^2`` for each ``E s``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, comb
from typing import Any

from rropt.accounting import DrawnAnswers
from rropt.core.errors import InfeasibleError, UnsupportedProblemError
from rropt.core.exact import Epsilon, as_text, both_texts, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.inference import survey_variance
from rropt.mechanisms import Mechanism

_DIGITS = 60  # decimal digits of an irrational gamma, rounded down so that every device is exactly private
_MOST_OUTCOMES = 10_000  # outcomes of a randomizing device; five dice have 7776
_MOST_SUMMED = 3  # number of dice whose sum is used; for coins, twice as many
_MOST_SHARES = 100  # largest denominator of theta
_MOST_SUMS = 250  # total mass up to which all assignments are tried; three dice have 216

DO = {
    "truth": "answer truthfully",
    "lie": "say the opposite",
    "yes": "say yes",
    "no": "say no",
    "other": "answer the other question",
}
ROLES = tuple(DO)
_MOST_TABLE = 10**7  # steps of the dynamic program for decks


@dataclass(frozen=True, slots=True)
class RandomizingDevice:
    """A randomizing device: what the respondent throws or draws.

    Attributes:
        name: the name of the device, such as ``two dice``.
        action: the instruction to use it, in words.
        outcomes: a label and a mass for each outcome. The probability of an outcome is its mass divided by the total
            mass.
    """

    name: str
    action: str
    outcomes: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """W, the sum of all masses."""
        return sum(mass for _, mass in self.outcomes)


@dataclass(frozen=True, slots=True)
class PhysicalDevice:
    """The best use of a randomizing device.

    Attributes:
        randomizer: the randomizing device.
        card: for each role, the labels of the outcomes with this role.
        mechanism: the mechanism, with rows no and yes, and columns without and with the trait.
        value: n Var of the estimate of the prevalence.
    """

    randomizer: RandomizingDevice
    card: tuple[tuple[str, tuple[str, ...]], ...]
    mechanism: Mechanism
    value: Fraction

    @property
    def name(self) -> str:
        """The name of the device."""
        return self.randomizer.name

    @property
    def uses(self) -> str:
        """The total mass of each role, as a text."""
        return ", ".join(f"{mass} {role}" for role, mass in self.masses().items() if mass)

    def masses(self) -> dict[str, int]:
        """Return the total mass of each role."""
        mass = dict(self.randomizer.outcomes)
        return {role: sum(mass[label] for label in labels) for role, labels in self.card}

    @property
    def instruction(self) -> str:
        """The instruction for the respondent, at most 25 words besides the card."""
        roles = [DO[role] for role, labels in self.card if labels]
        return f"{self.randomizer.action} in secret. Do what the card says: {', '.join(roles)}."

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, with exact numbers as texts."""
        return {
            "name": self.name,
            "outcomes": self.randomizer.total,
            "masses": self.masses(),
            "value": as_text(self.value),
            "epsilon": str(self.mechanism.epsilon),
            "mechanism": self.mechanism.to_dict(),
            "instruction": self.instruction,
            "card": {role: list(labels) for role, labels in self.card},
        }


@dataclass(frozen=True, slots=True)
class AddedCards:
    """Cards 1 to L whose responses are added up.

    Attributes:
        name: a description of the cards.
        cards: the numbers of the cards 1, ..., L in a deck, or their proportions.
        mechanism: the mechanism of one response.
        value: n Var of the estimate of the prevalence.
    """

    name: str
    cards: tuple[Fraction, ...]
    mechanism: Mechanism
    value: Fraction

    @property
    def uses(self) -> str:
        """The cards and their numbers or proportions, as a text."""
        return ", ".join(f"{both_texts(x, 6)} x {card}" for card, x in enumerate(self.cards, 1) if x)

    @property
    def instruction(self) -> str:
        """The instruction for the respondent."""
        return (
            f"Draw a card in secret. With the trait tell {self.mechanism.outputs + 1} minus its number, without it its "
            "number. Put the card back."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, with exact numbers as texts."""
        return {
            "name": self.name,
            "cards": [as_text(x) for x in self.cards],
            "uses": self.uses,
            "value": as_text(self.value),
            "epsilon": str(self.mechanism.epsilon),
            "mechanism": self.mechanism.to_dict(),
            "instruction": self.instruction,
        }


def added_cards(name: str, cards: Sequence[Fraction | int], prevalence: Fraction) -> AddedCards:
    """Return the cards with these numbers or proportions, and compute n Var."""
    shares = [Fraction(x, sum(cards)) for x in cards]
    mechanism = Mechanism(list(zip(shares, shares[::-1], strict=True)))
    value = survey_variance(DrawnAnswers(mechanism, 1, 1), prevalence).total
    return AddedCards(name, tuple(map(Fraction, cards)), mechanism, value)


def dice(number: int) -> Iterator[RandomizingDevice]:
    """Iterate over the uses of dice: as distinguishable dice, and by their sum."""
    number = whole_where(number, 1, 5, name="the number of dice")
    names = "-".join(["first", "second", "third", "fourth", "fifth"][:number])
    labels = ["-".join(map(str, throw)) for throw in product(range(1, 7), repeat=number)]
    said = "a die" if number == 1 else f"{number} dice"
    yield RandomizingDevice(said, f"Roll {said}" + f" ({names})" * (number > 1), tuple((label, 1) for label in labels))
    if 1 < number <= _MOST_SUMMED:
        sums = [sum(throw) for throw in product(range(1, 7), repeat=number)]
        masses = tuple((str(s), sums.count(s)) for s in range(number, 6 * number + 1))
        yield RandomizingDevice(f"the sum of {said}", f"Roll {said} and add them", masses)


def deck(cards: int) -> RandomizingDevice:
    """Return a deck of numbered cards; 52 cards are an ordinary deck."""
    cards = whole_where(cards, 2, _MOST_OUTCOMES, name="the number of cards")
    labels = [str(i) for i in range(1, cards + 1)]
    if cards == 52:
        ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
        labels = [f"{rank} of {suit}" for suit in ("clubs", "diamonds", "hearts", "spades") for rank in ranks]
    return RandomizingDevice(f"a deck of {cards} cards", "Draw a card", tuple((label, 1) for label in labels))


def coins(number: int) -> Iterator[RandomizingDevice]:
    """Iterate over the uses of coin tosses: in order, and by the number of heads."""
    number = whole_where(number, 1, 12, name="the number of coins")
    labels = ["".join(toss) for toss in product("HT", repeat=number)]
    said = "a coin once" if number == 1 else f"a coin {number} times"
    tosses = "a coin toss" if number == 1 else f"{number} coin tosses"
    yield RandomizingDevice(tosses, f"Toss {said}, noting the order", tuple((label, 1) for label in labels))
    if 1 < number <= 2 * _MOST_SUMMED:
        heads = tuple((f"{h} heads", comb(number, h)) for h in range(number + 1))
        yield RandomizingDevice(f"the heads of {number} tosses", f"Toss {said} and count heads", heads)


def birthday() -> RandomizingDevice:
    """Return the device "day of the month of a birthday", with the days 1 to 30 assumed to be equally likely.

    Respondents who think of the 31st choose another birthday.
    """
    return RandomizingDevice(
        "a birthday's day", "Take a birthday's day (1 to 30)", tuple((str(d), 1) for d in range(1, 31))
    )


def best_device(
    randomizer: RandomizingDevice, epsilon: object, prevalence: object, *, other: object | None = None
) -> PhysicalDevice:
    """Return the best use of a randomizing device: the least n Var at the prevalence within the privacy budget.

    Args:
        randomizer: the randomizing device.
        epsilon: the budget, > 0.
        prevalence: pi, in [0, 1].
        other: theta, the known proportion of yes for another question, if one may be asked. It requires equally likely
            outcomes.

    Raises:
        InfeasibleError: no use of the device within the budget is informative.

    >>> found = best_device(deck(52), "log(9)", "1/10")
    >>> found.masses(), round(float(found.value), 4), found.mechanism.epsilon == Epsilon.of("log(9)")
    ({'truth': 40, 'lie': 0, 'yes': 5, 'no': 7, 'other': 0}, 0.2419, True)
    """
    pi = rational_where(prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="prevalence")
    gamma, total = Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower, randomizer.total
    best: tuple[Fraction, Fraction, Fraction, Any] | None = None
    for low, high, uses in _uses(randomizer, gamma, other):
        told = (low + pi * (high - low)) / total
        value = told * (1 - told) * total * total / (high - low) ** 2
        if best is None or value < best[0]:
            best = value, low / total, high / total, uses
    if best is None:
        larger = ", or allow a larger epsilon" if total > 2 or other is not None else ""  # two parts: truth or nothing
        raise InfeasibleError(
            f"{randomizer.name} is too coarse: received {total} equal parts for epsilon = {Epsilon.of(epsilon)}; take "
            f"a finer randomizer{larger}"
        )
    value, low, high, uses = best
    mechanism = Mechanism([[1 - low, 1 - high], [low, high]])
    return PhysicalDevice(randomizer, _card(randomizer, uses), mechanism, value)


def _uses(
    randomizer: RandomizingDevice, gamma: Fraction, other: object | None
) -> Iterator[tuple[Fraction, Fraction, Any]]:
    """Iterate over private uses that include the best one: masses of yes without and with the trait, and the roles."""
    total = randomizer.total
    if any(mass != 1 for _, mass in randomizer.outcomes):
        return (yield from _uses_of_masses(randomizer, gamma))
    theta = Fraction(0)
    if other is not None:
        theta = rational_where(other, lambda t: 0 < t < 1, "0 < theta < 1", name="other")
    if total > _MOST_OUTCOMES or theta.denominator > _MOST_SHARES:
        raise UnsupportedProblemError(
            f"too many uses to try: received {total} outcomes and the proportion {as_text(theta)}; at most "
            f"{_MOST_OUTCOMES} outcomes and a denominator of {_MOST_SHARES} are"
        )
    for says_yes, lies in ((theta, False), (1 - theta, True))[: 1 + (theta not in (0, Fraction(1, 2)))]:
        for e in range(min(theta.denominator, total)):
            for c in range(total - e):
                low = c + says_yes * e
                a = min(int(_most_truth(low, total, gamma)), total - c - e)
                if a > 0 and lies:  # low counts no
                    yield total - low, total - low - a, [0, a, total - a - c - e, c, e]
                elif a > 0:
                    yield low, low + a, [a, 0, c, total - a - c - e, e]


def _most_truth(low: Fraction, total: int, gamma: Fraction) -> Fraction:
    """Return the largest a with ``low + a <= gamma low`` and ``W - low <= gamma (W - low - a)``."""
    return min((gamma - 1) * low, (total - low) * (1 - 1 / gamma))


def _uses_of_masses(randomizer: RandomizingDevice, gamma: Fraction) -> Iterator[tuple[Fraction, Fraction, Any]]:
    """Iterate over the largest private mass of yes with the trait for each mass without it, with ever more lies."""
    total, row = randomizer.total, randomizer.total + 1
    if total > _MOST_SUMS:
        raise UnsupportedProblemError(
            f"too many sums to try: received {randomizer.name} with {total} equal parts; at most {_MOST_SUMS} are; "
            "tell the outcomes apart"
        )
    steps = [(mass, mass * row, mass * (row + 1), 0) for _, mass in randomizer.outcomes]  # truth, lie, yes, no
    attained = [[1]]  # after each outcome, the pairs that are attainable with 0, 1, ... lies
    for truth, lie, yes, _ in steps:
        pairs = zip([*attained[-1], 0], [0, *attained[-1]], strict=True)
        attained.append([same | same << truth | same << yes | fewer << lie for same, fewer in pairs])
    for lies, bits in enumerate(attained[-1]):
        for low in range(row):
            most = low + int(_most_truth(Fraction(low), total, gamma))
            high = (bits >> low * row & (1 << most + 1) - 1).bit_length() - 1
            if high > low:
                yield Fraction(low), Fraction(high), (attained, steps, lies, low * row + high)


def _walked_back(attained: Sequence[Sequence[int]], steps: Sequence[Sequence[int]], lies: int, bit: int) -> list[int]:
    """Return a role for each outcome such that together they attain a pair with a number of lies."""
    found: list[int] = []
    for before, moves in zip(attained[-2::-1], steps[::-1], strict=True):
        options = ((role, dict(enumerate(before)).get(lies - (role == 1), 0)) for role in (0, 2, 3, 1))
        role = next(role for role, bits in options if bit >= moves[role] and bits >> bit - moves[role] & 1)
        bit, lies = bit - moves[role], lies - (role == 1)
        found.insert(0, role)
    return found


def _card(randomizer: RandomizingDevice, uses: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    labels, masses = zip(*randomizer.outcomes, strict=True)
    roles = (
        _walked_back(*uses) if set(masses) != {1} else [role for role, count in enumerate(uses) for _ in range(count)]
    )
    parts = [tuple(label for label, own in zip(labels, roles, strict=True) if own == i) for i in range(len(ROLES))]
    return tuple(zip(ROLES, parts, strict=True))


def best_cards(cards: int, kinds: int, epsilon: object) -> tuple[int, ...]:
    """Return the deck of N cards 1 to L for which the sum of the responses has the least variance at epsilon.

    Args:
        cards: N.
        kinds: L >= 2.
        epsilon: the epsilon of one response, > 0.

    Raises:
        InfeasibleError: no deck within the budget is informative.
        UnsupportedProblemError: there are too many decks.

    >>> best_cards(52, 2, "log(9)"), best_cards(52, 3, "log(9)")
    ((6, 46), (5, 2, 45))
    """
    cards = whole_where(cards, 2, _MOST_OUTCOMES, name="the number of cards")
    kinds = whole_where(kinds, 2, _MOST_SUMS, name="the number of kinds of cards")
    gamma = Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower
    if cards * cards * cards * kinds * kinds > 4 * _MOST_TABLE:
        raise UnsupportedProblemError(
            f"too many decks to compare: received {cards} cards of {kinds} kinds; at most {4 * _MOST_TABLE} steps "
            "(N^3 L^2) are made; take fewer"
        )
    # keys: cards left, twice the sum of s; values: least four times the sum of s^2, and the cards of each pair
    table: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(cards, 0): (0, ())}
    for k in range(kinds // 2):
        twice = kinds - 1 - 2 * k
        longer: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        for (left, moved), (spread, taken) in table.items():
            for n in range(left + 1):
                more = n - 2 * ceil(n / (1 + gamma))
                if more < 0:  # a single card has no opposite
                    continue
                at = left - n, moved + twice * more
                worse = spread + twice * twice * n
                if at not in longer or worse < longer[at][0]:
                    longer[at] = worse, (*taken, n)
        table = longer
    found = [
        (Fraction(spread * cards, moved * moved), taken, left)
        for (left, moved), (spread, taken) in table.items()
        if moved > 0 and (kinds % 2 or not left)
    ]
    if not found:
        raise InfeasibleError(
            f"no deck of {cards} cards is within the budget and reveals anything: received epsilon = "
            f"{Epsilon.of(epsilon)}; take more cards, or allow a larger epsilon"
        )
    _, taken, left = min(found)
    low = [ceil(n / (1 + gamma)) for n in taken]
    return (*low, *([left] if kinds % 2 else []), *(n - c for n, c in zip(taken[::-1], low[::-1], strict=True)))
