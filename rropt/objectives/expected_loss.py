"""Expected loss when the output is used as a guess of the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import rational_where
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.objectives.objective import LinearObjective, Rows, exact_rows, register_objective
from rropt.objectives.trace import Trace, WeightRuns

_MOST_LISTED = 300  # categories of a named loss, whose k^2 numbers are listed


@dataclass(frozen=True, slots=True)
class ZeroOneShares:
    """The 0/1 loss for many categories, with the proportions given as runs; its mean is ``sum_j pi_j (1 - p_jj)``.

    Args:
        shares: pi.

    Raises:
        InvalidParameterError: the proportions are not a distribution.

    >>> len(ZeroOneShares(WeightRuns([(10**6, "1/1000000")])))
    1000000
    """

    shares: WeightRuns

    def __post_init__(self) -> None:
        total = sum((n * w for n, w in self.shares.runs), Fraction(0))
        if total != 1 or min(w for _, w in self.shares.runs) < 0:
            raise InvalidParameterError(
                f"the proportions of the categories are not a distribution: received the sum {total}; allowed are "
                "numbers >= 0 with the sum 1; write them as fractions, for example 10x1/20,999990x1/1999980"
            )

    def __len__(self) -> int:
        return len(self.shares)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"zero-one": {"runs": [["n", "share"], ...]}}``."""
        return {"zero-one": self.shares.to_dict()}


@register_objective
@dataclass(frozen=True, slots=True)
class Loss(LinearObjective):
    """Minimize ``sum_ij pi_j L_ij p_ij``: the expected loss, where L_ij is the loss of output i if j is true.

    Args:
        matrix: ``"zero-one"``, ``"absolute"`` or ``"squared"``, for as many categories as the problem has; or L, m rows
            of k exact numbers (rows are outputs), any sign. For many categories, the 0/1 loss as a
            ``ZeroOneShares`` object or its JSON; it contains the proportions, and ``population`` is not used.

    Raises:
        InvalidParameterError: L is not a rectangular matrix of numbers with at least two rows and columns.

    >>> Loss.zero_one(2).value(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), (Fraction(1, 2), Fraction(1, 2)))
    Fraction(1, 3)
    """

    kind = "loss"
    sense = "minimise"
    title = "expected loss"
    form = '{"kind": "loss", "matrix": [[...]]}'
    parameters = ("loss",)
    needs = "the name of a loss, as in loss:zero-one, loss:absolute or loss:squared"
    matrix: Rows | ZeroOneShares | str

    def __init__(self, matrix: Sequence[Sequence[object]] | ZeroOneShares | dict[str, Any] | str = "zero-one") -> None:
        if isinstance(matrix, str):
            object.__setattr__(self, "matrix", one_of(matrix.strip(), LOSSES, "the loss"))
            return
        if isinstance(matrix, dict) and set(matrix) == {"zero-one"}:
            matrix = ZeroOneShares(WeightRuns.from_dict(matrix["zero-one"]))
        if isinstance(matrix, ZeroOneShares):
            object.__setattr__(self, "matrix", matrix)
            return
        rows = exact_rows(matrix, "loss", "output")
        if len(rows) < 2:
            raise InvalidParameterError(
                f"loss is not a matrix: received {shown(matrix)}; give m >= 2 rows (outputs) of k >= 2 numbers (inputs)"
            )
        object.__setattr__(self, "matrix", rows)

    @classmethod
    def zero_one(cls, inputs: int) -> Loss:
        """Return the 0/1 loss: 1 for every output other than the truth; for 2 to 300 categories."""
        return cls._of_errors(inputs, bool)

    @classmethod
    def absolute(cls, inputs: int) -> Loss:
        """Return the loss ``abs(i - j)`` for 2 to 300 ordered categories."""
        return cls._of_errors(inputs, abs)

    @classmethod
    def squared(cls, inputs: int) -> Loss:
        """Return the loss ``(i - j)^2`` for 2 to 300 ordered categories."""
        return cls._of_errors(inputs, lambda error: error**2)

    @classmethod
    def _of_errors(cls, inputs: object, loss: Callable[[int], int]) -> Loss:
        allowed = f"an integer with 2 <= inputs <= {_MOST_LISTED}"
        k = rational_where(inputs, lambda k: k.denominator == 1 and 2 <= k <= _MOST_LISTED, allowed, name="inputs")
        places = range(int(k))
        return cls([[int(loss(i - j)) for j in places] for i in places])

    @classmethod
    def of_text(cls, text: str) -> Loss:
        """Read the name of a loss."""
        if not text:
            raise cls.without_parameter(text)
        return cls(text)

    def sized(self, inputs: int) -> Loss:
        """Return the loss with the matrix of its name for k categories."""
        return LOSSES[self.matrix](inputs) if isinstance(self.matrix, str) else self

    @property
    def name(self) -> str | None:
        """The name of the loss, while the number of categories is not known."""
        return self.matrix if isinstance(self.matrix, str) else None

    def outputs(self, inputs: int) -> int:
        """Return the number of rows of the loss."""
        return len(self.matrix)

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the words that describe the proportions, which a 0/1 loss may contain in runs."""
        return LinearObjective.at(self, self.weight_runs() or population)

    @property
    def described(self) -> str:
        """The expected loss, with its name if it is a named one."""
        if isinstance(self.matrix, ZeroOneShares):
            return "expected 0/1 loss"
        k = len(self.matrix)
        name = next((name for name, made in LOSSES.items() if k <= _MOST_LISTED and made(k) == self), None)
        return f"expected {_NAMES.get(name, name)} loss" if name else self.title

    def weight_runs(self) -> WeightRuns | None:
        """Return the proportions of a 0/1 loss if they are stored in runs."""
        return self.matrix.shares if isinstance(self.matrix, ZeroOneShares) else None

    def costs(self, population: Sequence[Fraction]) -> Rows:
        """Return the coefficients ``c_ij = pi_j L_ij`` of the objective ``sum_ij c_ij p_ij``, shape (m, k)."""
        if isinstance(self.matrix, ZeroOneShares):
            raise UnsupportedProblemError(
                f"the costs of the 0/1 loss are not listed: received "
                f"{with_noun(len(self.matrix), 'category', 'categories')} in runs"
            )
        if isinstance(self.matrix, str):
            return self.sized(len(population)).costs(population)
        return tuple(tuple(pi * x for pi, x in zip(population, row, strict=True)) for row in self.matrix)

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the expected loss of a mechanism at a distribution of exact proportions.

        Raises:
            InvalidParameterError: the mechanism does not have the shape of the loss, or the proportions are invalid.
        """
        if isinstance(self.matrix, str):
            return self.sized(mechanism.inputs).value(mechanism, population)
        self.require_fit(mechanism)
        if isinstance(self.matrix, ZeroOneShares):
            return 1 - Trace(self.matrix.shares).value(mechanism, ())
        shares = exact_population(population, mechanism.inputs)
        return sum(
            (
                pi * x * p
                for row, ps in zip(self.matrix, mechanism.matrix, strict=True)
                for pi, x, p in zip(shares, row, ps, strict=True)
                if x
            ),
            Fraction(0),
        )

    def misfit(self, inputs: int, outputs: int) -> str | None:
        """Return why the objective is not defined on mechanisms of a shape, or None."""
        k = len(self.matrix) if isinstance(self.matrix, ZeroOneShares) else len(self.matrix[0])
        shape = len(self.matrix), k
        if shape == (outputs, inputs):
            return None
        return (
            f"the loss has {shape[0]} rows of {shape[1]} entries; mechanisms with {outputs} outputs and {inputs} "
            f"inputs need {outputs} rows of {inputs}"
        )


_NAMES = {"zero-one": "0/1"}

# The named losses.
LOSSES = {"zero-one": Loss.zero_one, "absolute": Loss.absolute, "squared": Loss.squared}
