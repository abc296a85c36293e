"""Weighted trace: the probability of a truthful output."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, repeat
from typing import Any, overload

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, rational, rational_where
from rropt.core.exact.numbers import split_list
from rropt.mechanisms import BlockMechanism, Mechanism, RestrictedResponse
from rropt.mechanisms.columns import listed
from rropt.mechanisms.families import Direct
from rropt.objectives.objective import LinearObjective, Rows, register_objective

_FEW = 300  # weights that are listed one by one
_RUN = re.compile(r"([1-9][0-9]{0,7})x(.+)")
MOST_LISTED = 10_000
"""Largest number of weights for which the matrix of coefficients is written out."""


class WeightRuns(Sequence[Fraction]):
    """The weights of many categories as runs: n consecutive categories have the weight w.

    Args:
        runs: pairs (n, w), n >= 1.

    Raises:
        InvalidParameterError: a run has another form, or there are fewer than two categories.

    >>> weights = WeightRuns([(1000, "3/4"), (999_000, 0)])
    >>> len(weights), weights[999], weights[1000]
    (1000000, Fraction(3, 4), Fraction(0, 1))
    """

    __slots__ = ("_ends", "runs")

    def __init__(self, runs: Sequence[tuple[object, object]]) -> None:
        joined: list[tuple[int, Fraction]] = []
        for n, w in runs:
            count = int(rational_where(n, lambda n: n.denominator == 1 and 1 <= n <= 10**7, "1 <= n <= 10^7", name="n"))
            weight = rational(w, name="a weight")
            if joined and joined[-1][1] == weight:
                count += joined.pop()[0]
            joined.append((count, weight))
        if sum(n for n, _ in joined) < 2:
            raise InvalidParameterError("weights has fewer than two categories: give one weight per category")
        self.runs = tuple(joined)
        self._ends = list(accumulate(n for n, _ in joined))

    @classmethod
    def of_items(cls, items: Iterable[object]) -> WeightRuns:
        """Read numbers, of which the text ``1000x3/4`` means a thousand numbers of 3/4."""
        pairs = [(_RUN.fullmatch(item.strip()) if isinstance(item, str) else None, item) for item in items]
        return cls([(match[1], match[2]) if match else (1, item) for match, item in pairs])

    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, place: int) -> Fraction: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Fraction]: ...

    def __getitem__(self, place: int | slice) -> Fraction | Sequence[Fraction]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        return self.runs[bisect_right(self._ends, at)][1]

    def __iter__(self) -> Iterator[Fraction]:
        return chain.from_iterable(repeat(w, n) for n, w in self.runs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeightRuns) and self.runs == other.runs

    def __hash__(self) -> int:
        return hash(self.runs)

    def __repr__(self) -> str:
        return f"WeightRuns({len(self.runs)} runs of {len(self)} categories)"

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"runs": [["n", "w"], ...]}``, the form of problems and certificates."""
        return {"runs": [[str(n), as_text(w)] for n, w in self.runs]}

    @classmethod
    def from_dict(cls, data: Any) -> WeightRuns:
        """Build the weights from the output of ``to_dict``."""
        runs = data.get("runs") if isinstance(data, dict) and set(data) == {"runs"} else None
        if not isinstance(runs, list) or any(not isinstance(run, list) or len(run) != 2 for run in runs):
            raise InvalidParameterError(
                f'weights are not of the form {{"runs": [["3", "1/2"], ["2", "1"]]}}: received {shown(data)}'
            )
        return cls([(n, w) for n, w in runs])


def has_runs(items: Iterable[object]) -> bool:
    """Return whether a number is repeated, as in ``1000x3/4``."""
    return any(isinstance(item, str) and _RUN.fullmatch(item.strip()) for item in items)


@register_objective
@dataclass(frozen=True, slots=True)
class Trace(LinearObjective):
    """Maximize ``sum_i w_i p_ii``: the weighted probability of a true output (outputs are the inputs).

    With all weights 1 see Chai and Nayak (2018), section 4.2. With ``w = pi`` the value is the probability that the
    response is true, one minus the expected 0/1 loss.

    Args:
        weights: ``w`` of shape (k,), exact numbers of any sign, by default all 1; ``"1000x3/4"`` stands for a thousand
            weights of 3/4; or ``WeightRuns``, or their JSON.

    Raises:
        InvalidParameterError: there are fewer than two weights, or one is not a number.

    >>> str(Trace([1, 1]).value(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), ()))
    '4/3'
    """

    kind = "trace"
    sense = "maximise"
    title = "trace, sum of w_i p_ii"
    form = '{"kind": "trace", "weights": [...]}'
    parameters = ("weights",)
    weights: Sequence[Fraction]

    def __init__(self, weights: Sequence[object] | str | WeightRuns | dict[str, Any] | None = None) -> None:
        if weights is None:
            object.__setattr__(self, "weights", ())
            return
        weights = split_list(weights) if isinstance(weights, str) else weights
        if isinstance(weights, list | tuple) and has_runs(weights):
            runs = WeightRuns.of_items(weights)
            weights = runs if len(runs) > _FEW else list(runs)
        if isinstance(weights, (WeightRuns, dict)):
            runs = weights if isinstance(weights, WeightRuns) else WeightRuns.from_dict(weights)
            object.__setattr__(self, "weights", runs)
            return
        given = listed(weights, flat=True)
        if given is None or len(given) < 2:
            raise InvalidParameterError(
                f"weights is not a list of numbers: received {shown(weights)}; give one weight per category"
            )
        exact = tuple(rational(w, name=f"weights[{i}]") for i, w in enumerate(given))
        object.__setattr__(self, "weights", exact)

    def sized(self, inputs: int) -> Trace:
        """Return the trace with k weights of 1, if none are given."""
        return self if len(self.weights) else Trace([1] * inputs)

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the empty string: the trace does not depend on pi."""
        return ""

    def weight_runs(self) -> WeightRuns | None:
        """Return the weights if they are stored in runs."""
        return self.weights if isinstance(self.weights, WeightRuns) else None

    def costs(self, population: Sequence[Fraction]) -> Rows:
        """Return the coefficients c of the objective ``sum_ij c_ij p_ij``, shape (k, k)."""
        k = len(self.weights)
        if k > MOST_LISTED:
            raise UnsupportedProblemError(
                f"the costs of the trace are too many to be listed: received {k} categories; allowed are {MOST_LISTED}"
            )
        return tuple(tuple(w if i == j else Fraction(0) for j in range(k)) for i, w in enumerate(self.weights))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the weighted trace of a square mechanism; ``population`` is ignored.

        Raises:
            InvalidParameterError: the mechanism does not have as many inputs and outputs as there are weights.
        """
        self.require_fit(mechanism)
        if isinstance(self.weights, WeightRuns):
            alike = _equal_runs(mechanism, self.weights)
            return sum((n * w * mechanism[at, at] for at, n, w in alike), Fraction(0))
        return sum((w * mechanism[i, i] for i, w in enumerate(self.weights)), Fraction(0))

    def misfit(self, inputs: int, outputs: int) -> str | None:
        """Return why the objective is not defined on mechanisms of a shape, or None."""
        if outputs != inputs:
            return f"the trace needs as many outputs as inputs: received {inputs} inputs and {outputs} outputs"
        if len(self.weights) != inputs:
            return (
                f"the trace needs one weight per category: received {len(self.weights)} for {inputs} categories; give "
                f"{inputs} numbers"
            )
        return None


def _equal_runs(mechanism: Mechanism, weights: WeightRuns) -> Iterator[tuple[int, int, Fraction]]:
    """Yield runs of categories with equal weight and equal probability of the truth: first category, length, weight."""
    runs = mechanism.runs if isinstance(mechanism, RestrictedResponse) else [(mechanism.inputs, True)]
    is_direct = isinstance(mechanism, BlockMechanism) and isinstance(mechanism.blocks, Direct)
    alike = is_direct or isinstance(mechanism, RestrictedResponse)
    ends = {*accumulate(n for n, _ in runs), *accumulate(n for n, _ in weights.runs)}
    start = 0
    for end in sorted(ends) if alike else range(1, mechanism.inputs + 1):
        yield start, end - start, weights[start]
        start = end
