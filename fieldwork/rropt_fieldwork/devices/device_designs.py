"""The best use of available randomizing devices, compared with the certified optimum at the same level.

Cards 1 to L whose responses are added up have best proportions in closed form (``randomizing_devices``): one pair of
cards in the proportion 1 to gamma, which is Warner's device. The claim ``rropt.two-point-bound`` has the argument. With
the device's part v, which does not depend on the prevalence, the estimate has ``n Var = pi (1 - pi) + v``.

Source: Christofides (2003); Sun, Zhou and Yan (2023), section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import Epsilon, as_text, both_texts, decimal_text, rational_where
from rropt.core.exact.numbers import plain_integer, whole_where
from rropt.core.results import Result, Table, plain_dict, unverified_lines
from rropt.core.results.result_frames import row_with
from rropt.core.results.sequences import SequenceOf
from rropt.designs import Problem, Solution, solve
from rropt_fieldwork.devices import randomizing_devices as physical_devices
from rropt_fieldwork.devices.randomizing_devices import (
    AddedCards,
    PhysicalDevice,
    RandomizingDevice,
    added_cards,
    best_cards,
    best_device,
)

_LISTED = 60  # outcomes of one use in the summary; JSON lists all of them
_DIGITS = 60  # decimal digits of an irrational gamma, rounded down so that the cards are exactly private
_MOST_KINDS = 10_000


@dataclass(frozen=True, slots=True, repr=False)  # results print as ``Result`` says
class DevicesAsked:
    """The question of ``design_devices``.

    Attributes:
        level: the level of one response.
        prevalence: the guess.
        dice, deck, coins, birthday, cards: the available randomizing devices.
        other: the known proportion of yes for an unrelated question, if one may be asked.
    """

    level: Epsilon
    prevalence: Fraction
    dice: int | None
    deck: int | None
    coins: int | None
    birthday: bool
    cards: int | None
    other: Fraction | None

    @property
    def problem(self) -> Problem:
        """The design problem of all mechanisms."""
        return Problem.binary(self.prevalence, epsilon=self.level)

    def randomizers(self) -> list[RandomizingDevice]:
        """Return the uses of the devices, without cards that are added up."""
        found = [] if self.dice is None else [*physical_devices.dice(self.dice)]
        found += [] if self.deck is None else [physical_devices.deck(self.deck)]
        found += [] if self.coins is None else [*physical_devices.coins(self.coins)]
        return [*found, physical_devices.birthday()] if self.birthday else found


@dataclass(frozen=True, slots=True)
class DeviceDesigns(DevicesAsked, Result, SequenceOf):
    """The best uses of available randomizing devices, at a privacy level and a guessed prevalence.

    Attributes:
        ranked: the best use of each device, by increasing n Var.
        added: for cards 1 to L that are added up: the best proportions, and the best deck.
        optimum: the certified optimum of all mechanisms.
        too_coarse: remarks on devices that reveal nothing within the level.
        The other attributes are those of ``DevicesAsked``.
    """

    ranked: tuple[PhysicalDevice, ...]
    added: tuple[AddedCards, ...]
    optimum: Solution
    too_coarse: tuple[str, ...]

    ITEMS = "ranked"
    ANSWER = ("level", "prevalence", "value=best.value")

    @classmethod
    def from_proof(cls, asked: DevicesAsked, optimum: Mapping[str, Any]) -> DeviceDesigns:
        """Rebuild the designs from a record, and compare them with the optimum that its certificates prove.

        The uses of each device are recomputed in integer arithmetic, without a solver.

        Raises:
            FileFormatError: the checker rejects a certificate, or it belongs to another problem.
        """
        return _designs(asked, Solution.from_proof(asked.problem, Certificate.from_dict(optimum.get("certificate"))))

    @property
    def unverified(self) -> tuple[str, ...]:  # type: ignore[override]
        """The values that no certificate proves, if the designs were read from a file."""
        return self.optimum.unverified

    @property
    def best(self) -> PhysicalDevice | AddedCards:
        """The best use of a single device; without such a device, the last design with cards that are added up."""
        return self.ranked[0] if self.ranked else self.added[-1]

    @property
    def uses(self) -> tuple[PhysicalDevice | AddedCards, ...]:
        """The best uses of all devices, those with cards that are added up last."""
        return *self.ranked, *self.added

    @property
    def name(self) -> str:
        """The name of the device, or of the cards, with the best use."""
        return self.best.name

    def efficiency(self, value: Fraction) -> Fraction:
        """Return n Var of the optimum divided by another n Var."""
        return self.optimum.lower / value

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt device --json``."""
        record = plain_dict(self)
        devices = [{**one.to_dict(), "efficiency": as_text(self.efficiency(one.value))} for one in self.ranked]
        optimum = self.optimum.to_dict()
        names = ("value", "lower", "upper", "mechanism", "certificate")
        return {
            **{each.name: record[each.name] for each in fields(DevicesAsked)},
            "devices": [*devices, *(one.to_dict() for one in self.added)],
            "optimum": {name: optimum[name] for name in names},
        }

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each device, and one for the certified optimum: n Var, epsilon and efficiency."""
        rows = [
            row_with(
                device=one.name,
                outcomes=one.uses,
                n_var=one.value,
                epsilon=float(one.mechanism.epsilon),
                efficiency=self.efficiency(one.value),
            )
            for one in self.uses
        ]
        best = {"n_var": self.optimum.value, "epsilon": float(self.level), "efficiency": 1.0}
        return [*rows, row_with(device="certified optimum", outcomes="", **best)]

    def as_tables(self) -> list[Table]:
        """Return a table of the devices, and the lines of the summary."""
        header = ("device", "outcomes", "n Var", "epsilon", "efficiency")
        rows: list[tuple[str, ...]] = []
        for one in self.uses:
            share, epsilon = decimal_text(self.efficiency(one.value), 4), both_texts(one.mechanism.epsilon, 6)
            rows.append((one.name, one.uses, both_texts(one.value, 6), epsilon, share))
        rows.append(("certified optimum", "", both_texts(self.optimum.value, 6), both_texts(self.level, 6), "1"))
        title = f"Devices at prevalence {as_text(self.prevalence)}"
        return [(title, header, rows), ("The best of them", None, self.lines())]

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary: the instructions of the best uses, and the certificates."""
        rows: list[tuple[str, str]] = []
        for best in self.ranked[:1]:
            rows.append((best.name, best.instruction))
            rows += [(f"  {role}", labels_text(labels, _LISTED)) for role, labels in best.card if labels]
        rows += [(one.name, one.instruction) for one in self.added[-1:]]
        return [*rows, ("certificate of the optimum", str(self.optimum.proof.check())), *unverified_lines(self)]

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on devices that were left out."""
        return self.too_coarse


def labels_text(labels: Sequence[str], most: int) -> str:
    """Return the labels of outcomes; of more than ``most``, the first and the last one."""
    return ", ".join(labels) if len(labels) <= most else f"{labels[0]} to {labels[-1]}, {len(labels)} in order"


def design_devices(
    epsilon: object,
    prevalence: object,
    *,
    dice: int | None = None,
    deck: int | None = None,
    coins: int | None = None,
    birthday: bool = False,
    cards: int | None = None,
    other: object | None = None,
) -> DeviceDesigns:
    """Return the best use of each available randomizing device, by increasing n Var, with the certified optimum.

    Args:
        epsilon: the epsilon of one response, > 0.
        prevalence: a guess of the prevalence, in [0, 1].
        dice: the number of dice, 1 to 5. They are used as distinguishable dice, and by their sum.
        deck: the number of cards; with ``cards``, the best deck of them is computed as well.
        coins: the number of tosses, 1 to 12. They are used in order, and by the number of heads.
        birthday: whether to use the day of the month of a birthday, 1 to 30.
        cards: L, for cards 1 to L whose responses are added up.
        other: the known proportion of yes for an unrelated question that may be asked.

    Raises:
        InvalidParameterError: there is no randomizing device, or an argument is out of range.
        InfeasibleError: every randomizer is too coarse for the level.

    >>> found = design_devices("log(9)", "1/10", deck=20)
    >>> found.best.randomizer.name, round(float(found.efficiency(found.best.value)), 4)
    ('a deck of 20 cards', 1.0)
    """
    level = Epsilon.of(epsilon)
    pi = rational_where(prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="prevalence")
    share = None if other is None else rational_where(other, lambda t: 0 < t < 1, "0 < theta < 1", name="other")
    if (dice, deck, coins, cards) == (None,) * 4 and not birthday:
        raise InvalidParameterError(
            "there is nothing to randomize with: received no dice, deck, coins, birthday or cards; give at least one"
        )
    dice, deck, coins, cards = map(plain_integer, (dice, deck, coins, cards))
    asked = DevicesAsked(level, pi, dice, deck, coins, birthday, cards, share)
    return _designs(asked, solve(asked.problem, "all", fast=True))


def _designs(asked: DevicesAsked, optimum: Solution) -> DeviceDesigns:
    """Build the designs from the optimum."""
    level, pi, cards = asked.level, asked.prevalence, asked.cards
    found, coarse = [], []
    for randomizer in asked.randomizers():
        try:
            found.append(best_device(randomizer, level, pi, other=asked.other))
        except InfeasibleError as error:
            coarse.append(str(error))
    added = [] if cards is None else _designs_with_added_cards(cards, asked.deck, level, pi, coarse)
    if not found and not added:
        raise InfeasibleError(coarse[0])
    ranked = tuple(sorted(found, key=lambda device: device.value))
    own = {each.name: getattr(asked, each.name) for each in fields(asked)}
    return DeviceDesigns(**own, ranked=ranked, added=tuple(added), optimum=optimum, too_coarse=tuple(coarse))


def _designs_with_added_cards(
    kinds: int, deck: int | None, level: Epsilon, prevalence: Fraction, coarse: list[str]
) -> list[AddedCards]:
    name = f"cards 1 to {kinds}, added up: proportions"
    found = [added_cards(name, best_proportions(kinds, level), prevalence)]
    if deck is not None:
        try:
            cards = best_cards(deck, kinds, level)
        except InfeasibleError as error:  # other devices, and the proportions, may still meet the level
            coarse.append(str(error))
        else:
            found.append(added_cards(f"{sum(cards)} cards 1 to {kinds}, added up", cards, prevalence))
    return found


def best_proportions(kinds: int, epsilon: object) -> tuple[Fraction, ...]:
    """Return the optimal proportions of cards 1 to L at a privacy level; they satisfy the level exactly.

    Args:
        kinds: L >= 2.
        epsilon: the epsilon of one response, > 0.

    >>> print(*best_proportions(3, "log(9)"))
    1/10 0 9/10
    """
    whole_where(kinds, 2, _MOST_KINDS, name="the number of kinds of cards")
    gamma = Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower
    if gamma <= 1:
        raise InvalidParameterError(
            f"epsilon is too small: received {shown(epsilon)}; allowed is a level above 0: at 0 no cards reveal "
            "anything"
        )
    return (1 / (1 + gamma), *(Fraction(0),) * (kinds - 2), gamma / (1 + gamma))
