"""Randomized response over some of the categories, the form of the designs with the largest weighted trace.

C is a set of m of the k categories.

* With probability delta the response is the truth.
* Otherwise a truth in C is reported with probability ``gamma/(gamma + m - 1)``, and each other category of C with
  probability ``1/(gamma + m - 1)``. For a truth outside C, each category of C is reported with probability ``1/m``.

This mechanism is (log gamma, delta)-private. All its quantities have formulas, so k may be large; C is stored as runs
of consecutive categories.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any

from rropt.core.errors import InvalidMechanismError, shown
from rropt.core.exact import as_text, both_texts, rational
from rropt.mechanisms.columns import whole_parameter
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.families.blocks import MAX_CATEGORIES
from rropt.mechanisms.kronecker import Vector, dense_vector
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.words import chance_text, truth_words

MAX_RUNS = 1 << 15
_MOST_SHOWN = 4096  # largest number of entries of a matrix that is printed
_FORM = '{"runs": [["2", "1"], ["3", "0"]], "gamma": "3", "delta": "0"}'


class RestrictedResponse(Mechanism, key="restricted-response"):
    """Randomized response with a restricted output alphabet: only the categories of C are reported for every truth.

    Args:
        runs: pairs (n, chosen): n consecutive categories, and whether they are in C.
        gamma: the odds of a truth in C against each other category of C, at least 1, rational.
        delta: the probability with which the response is the truth, in [0, 1].
        name: the printed name.

    Attributes:
        odds: the argument gamma; ``exp(epsilon)`` is the same if delta is 0 and C has two categories or more.
        revealed: delta, the probability with which the response is the truth.
        chosen: m, the number of categories in C.
        told: ``gamma/(gamma + m - 1)``, the probability that a truth in C is reported if it is not revealed.
        identifies: whether the distribution of the responses determines that of the categories.

    Raises:
        InvalidMechanismError: C is empty, there are fewer than two categories, gamma is below 1, or delta is not in
            [0, 1].

    >>> made = RestrictedResponse([(2, True), (3, False)], 3)
    >>> [str(p) for p in made.column(0)], [str(p) for p in made.column(4)], str(made.epsilon)
    (['3/4', '1/4', '0', '0', '0'], ['1/2', '1/2', '0', '0', '0'], 'log(3)')
    """

    PARTS = ("runs", "odds", "revealed")
    runs: tuple[tuple[int, bool], ...]
    odds: Fraction
    revealed: Fraction
    chosen: int
    told: Fraction
    identifies: bool

    def __new__(
        cls, runs: Sequence[tuple[int, bool]], gamma: object, delta: object = 0, *, name: str | None = None
    ) -> RestrictedResponse:
        """Build the mechanism from runs of categories, gamma and delta."""
        counted = [(whole_parameter(n, "categories of a run", 1, MAX_CATEGORIES), bool(chosen)) for n, chosen in runs]
        joined = tuple((sum(n for n, _ in run), chosen) for chosen, run in groupby(counted, itemgetter(1)))
        inputs, inside = sum(n for n, _ in joined), sum(n for n, chosen in joined if chosen)
        if not 2 <= inputs <= MAX_CATEGORIES or len(joined) > MAX_RUNS:
            raise InvalidMechanismError(
                f"the runs are out of range: received {len(joined)} runs of {inputs} categories; "
                f"allowed are {MAX_RUNS} runs of 2 to {MAX_CATEGORIES} categories"
            )
        if not inside:
            raise InvalidMechanismError(
                "no category is chosen: received runs without one; choose at least one category"
            )
        odds, slack = rational(gamma, name="gamma"), rational(delta, name="delta")
        if odds < 1 or not 0 <= slack <= 1:
            raise InvalidMechanismError(
                f"the level is out of range: received gamma = {odds}, delta = {slack}; allowed are gamma >= 1 and "
                "delta in [0, 1]"
            )
        return cls.made(
            name,
            runs=joined,
            odds=odds,
            revealed=slack,
            chosen=inside,
            told=odds / (odds + inside - 1),
            shape=(inputs, inputs),
            identifies=bool(slack) or (inside == inputs and odds > 1),
        )

    def never_given(self) -> Sequence[int]:
        """Return the categories that are never reported."""
        if self.revealed:
            return ()
        starts = accumulate((n for n, _ in self.runs), initial=0)
        outside = [range(start, start + n) for start, (n, chosen) in zip(starts, self.runs, strict=False) if not chosen]
        return [x for run in outside for x in run]

    def is_chosen(self, category: int) -> bool:
        """Return whether a category is in C."""
        for end, (_, chosen) in zip(accumulate(n for n, _ in self.runs), self.runs, strict=True):
            if category < end:
                return chosen
        raise InvalidMechanismError(f"there is no such category: received {shown(category)}; allowed are 0 to k - 1")

    def _entry(self, own: bool, of_response: bool, of_truth: bool) -> Fraction:
        """Return the probability of a response.

        Args:
            own: whether the response equals the truth.
            of_response, of_truth: whether the response and the truth are in C.
        """
        rest = 1 - self.revealed
        found = self.revealed if own else Fraction(0)
        if of_response:
            odds = self.odds if own else 1
            found += rest * odds / (self.odds + self.chosen - 1) if of_truth else rest / self.chosen
        return found

    def _entry_at(self, i: int, j: int) -> Fraction:
        return self._entry(i == j, self.is_chosen(i), self.is_chosen(j))

    def in_words(self) -> str:
        """Return the device in words."""
        own, other = (self._entry(is_own, True, True) for is_own in (True, False))
        told = truth_words(own, other, self.chosen) if self.chosen > 1 else f"true answer reported with {own}"
        if self.chosen == self.inputs:
            return told
        outside = f"outside of them reported with {chance_text(self.revealed)}, each of them with "
        outside += chance_text(self._entry(False, True, False))
        return f"a true answer among {self.chosen} of the {self.inputs} categories: {told}; {outside}"

    def row(self, i: int) -> Vector:
        """Return the k probabilities of response i."""
        if not 0 <= i < self.inputs:
            raise InvalidMechanismError(f"there is no such response: received {shown(i)}; allowed are 0 to k - 1")
        of_response = self.is_chosen(i)
        entries = [each for n, chosen in self.runs for each in [self._entry(False, of_response, chosen)] * n]
        entries[i] = self._entry(True, of_response, of_response)
        return tuple(entries)

    def parity(self) -> Fraction | None:
        """Return the largest ratio of two entries of a row, ``None`` if it is infinite."""
        if not self.revealed:
            return self.odds if self.chosen > 1 else Fraction(1)
        if self.chosen < self.inputs or self.revealed == 1:
            return None
        return self._entry(True, True, True) / self._entry(False, True, True)

    def _kinds_of_pairs(self) -> Iterator[Dichotomy]:
        """Yield the dichotomy of one pair of inputs of each kind: both, one or none of them in C."""
        places: dict[bool, list[int]] = {True: [], False: []}
        for start, (n, chosen) in zip(accumulate((n for n, _ in self.runs), initial=0), self.runs, strict=False):
            places[chosen] += range(start, start + min(n, 2))
        m = self.chosen
        for first in (True, False):
            for second in (True, False):
                fitting = [(j, i) for j in places[first][:2] for i in places[second][:2] if i != j]
                if not fitting:
                    continue
                both = [(self._entry(True, first, first), self._entry(False, first, second))]
                both.append((self._entry(False, second, first), self._entry(True, second, second)))
                others = m - first - second
                both.append((others * self._entry(False, True, first), others * self._entry(False, True, second)))
                yield Dichotomy.of_fractions(fitting[0], both)

    def apply(self, population: Sequence[object]) -> Vector:
        """Return the distribution of the responses; see ``Mechanism.apply``."""
        pi = dense_vector(population, self.inputs, "the population")
        flags = [chosen for n, chosen in self.runs for chosen in [chosen] * n]
        inside = sum((p for p, chosen in zip(pi, flags, strict=True) if chosen), Fraction(0))
        rest, other = 1 - self.revealed, 1 / (self.odds + self.chosen - 1)
        shared = rest * (other * inside + (sum(pi, Fraction(0)) - inside) / self.chosen)
        more = rest * other * (self.odds - 1)
        return tuple(
            p * self.revealed + (shared + more * p if chosen else 0) for p, chosen in zip(pi, flags, strict=True)
        )

    def form(self) -> dict[str, Any]:
        """Return ``{"restricted-response": {"runs": [["2", "1"], ...], "gamma": ..., "delta": ...}}``."""
        runs = [[str(n), "1" if chosen else "0"] for n, chosen in self.runs]
        level = {"gamma": as_text(self.odds), "delta": as_text(self.revealed)}
        return {"restricted-response": {"runs": runs, **level}}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        runs = data.get("runs") if isinstance(data, dict) and set(data) == {"runs", "gamma", "delta"} else None
        pairs = [run for run in runs if isinstance(run, list) and len(run) == 2] if isinstance(runs, list) else []
        if not isinstance(runs, list) or len(pairs) < len(runs) or not {str(t) for _, t in pairs} <= {"0", "1"}:
            raise InvalidMechanismError(f"a restricted response is not of the form {_FORM}: received {shown(data)}")
        return cls([(n, str(t) == "1") for n, t in pairs], data["gamma"], data["delta"])

    @property
    def is_small(self) -> bool:
        """Whether the matrix is printed: up to 4 096 entries."""
        return self.inputs**2 <= _MOST_SHOWN

    def _described(self) -> str:
        told, revealed = both_texts(self.told), both_texts(self.revealed)
        slack = f"; the truth is revealed with probability {revealed}, otherwise" if self.revealed else ";"
        return (
            f"restricted response: {self.chosen} of {self.inputs} categories are reported for every truth{slack} "
            f"a truth among them is reported with probability {told}"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.chosen} of {self.inputs} categories{self._named()}>"
