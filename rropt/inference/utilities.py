"""Precision of the estimates from a product of devices: traces, covariances and the loss at a distribution.

Let A be the product of the left inverses. For the unbiased estimate of the joint distribution, n Cov is
``A diag(C pi) A^T - pi pi^T`` (Vinterbo 2018, section 3.2). Everything factorizes over the questions. For question l
with device C_l let

    m_l(a, b; z) = sum_r A_l[a, r] A_l[b, r] C_l[r, z],     s_l(z) = sum_a m_l(a, a; z) = E(|A_l e_r|^2 | truth z).

* A trace is ``E prod s_l(X_l) - |pi|^2``, where X has the distribution pi.
* A covariance of two cells a and b is ``E prod m_l(a_l, b_l; X_l) - pi_a pi_b``.
* If neither cell of a covariance specifies question l, its factor is 1, because the columns of A sum to 1.
* If only one of the cells specifies question l, the factor is 1 if X_l is the specified category and 0 otherwise,
  because A C = 1.

The code never builds a matrix of size ``2^n x 2^n``. A joint distribution on N cells costs O(N) sums, and independent
questions cost O(n). For symmetric yes/no devices s_l does not depend on z, and the trace is Lemma 4.5.

All variances are per respondent (n Var).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.respondents import require_cells
from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import rational_where
from rropt.core.exact.numbers import dot
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun
from rropt.inference.contingency_tables import EXACT_CELLS, marginal_of
from rropt.inference.count_estimates import unit
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.kronecker import Vector, dense_vector, kronecker_product, kronecker_product_floats
from rropt.mechanisms.question_selection import chosen_questions, product_of
from rropt.objectives.greenwood import mean_weights, question_inverse, spreads

Number = Fraction | float
Cell = Mapping[int, int] | int

_SUM_ERROR = 1e-9  # tolerance for the sum of a distribution in floats


@dataclass(frozen=True, slots=True, eq=False)
class Utility(Result, EqualByArrays):
    """The precision of the unbiased estimate of the joint distribution; ``utility`` computes it.

    Attributes:
        mechanism: the product of the questions' devices.
        population: the distribution of the categories. For a joint distribution, the proportions of the cells, exact or
            floats; for independent questions, the proportions of the categories of each question.
        is_joint: whether ``population`` is a joint distribution.
    """

    mechanism: ProductMechanism
    population: Any
    is_joint: bool

    LABELS = labelled(
        mechanism="mechanism",
        is_joint="proportions of all cells",
        population="population",
        squares="sum of squared proportions",
    )

    @classmethod
    def recompute(
        cls, mechanism: ProductMechanism, population: tuple[Vector, ...] | Vector | NDArray[np.float64], is_joint: bool
    ) -> Utility:
        """Rebuild the object from its fields, with the distribution checked."""
        if is_joint:
            return utility(mechanism, population=population, exact=isinstance(population, tuple))  # type: ignore[arg-type]  # cells
        devices = mechanism.factors
        if len(population) != len(devices):
            raise InvalidParameterError(
                f"the population does not fit: received {with_noun(len(population), 'question')}; allowed are "
                f"{len(devices)}"
            )
        shares = (_joint(own, device.inputs, 1, True) for own, device in zip(population, devices, strict=True))
        return cls(mechanism, tuple(shares), False)

    def trace(self, questions: Sequence[int] | None = None) -> Number:
        """Return n times the trace of the covariance of the estimate of a marginal; ``None``: the joint one."""
        chosen = self._chosen(questions)
        return self._mean(dict(zip(chosen, spreads(self.mechanism, chosen), strict=True))) - self.squares(chosen)

    def loss(self, questions: Sequence[int] | None = None) -> Number:
        """Return L, the trace divided by that of direct questioning.

        L is the factor by which the number of respondents must increase to reach the precision of direct questions.

        Source: Vinterbo (2018), Proposition 3.1; for symmetric yes/no devices Theorem 4.6.

        Raises:
            InfeasibleError: the distribution is concentrated on one cell. Direct questions then have no error, and L is
                infinite.
        """
        below = 1 - self.squares(questions)
        if not below:
            raise InfeasibleError(
                "the loss is not defined for a population that is in one cell: its estimate from direct answers has no "
                "error to compare with; give a population of two cells or more"
            )
        return self.trace(questions) / below

    def squares(self, questions: Sequence[int] | None = None) -> Number:
        """Return ``|pi|^2``, the sum of the squared proportions, of a marginal or of the joint distribution."""
        chosen = self._chosen(questions)
        if not self.is_joint:
            return prod((sum((p * p for p in self.population[q]), Fraction(0)) for q in chosen), start=Fraction(1))
        cells = self.population
        if len(chosen) < len(self._sizes):
            cells = marginal_of(cells, self._sizes, chosen)
        return float(cells @ cells) if isinstance(cells, np.ndarray) else sum((p * p for p in cells), Fraction(0))

    def covariance(self, first: Cell, second: Cell) -> Number:
        """Return n times the covariance of the estimates of two cells, of the joint distribution or of marginals.

        Args:
            first, second: ``{question: category, ...}`` for the proportion of respondents in these categories,
                regardless of the other questions; or the index of a cell of the joint distribution.

        >>> from rropt.mechanisms import named_mechanism
        >>> two = utility(named_mechanism("bits:3/4,5/6"), population=["1/2", "1/4", "1/4", 0])
        >>> print(two.covariance({0: 1}, {0: 1}), two.covariance({0: 1}, {1: 1}), two.covariance(0, 3))
        15/16 -1/16 15/64
        """
        left, right = self._cell(first), self._cell(second)
        factors = {q: _products(self.mechanism.factors[q], left.get(q), right.get(q)) for q in sorted({*left, *right})}
        return self._mean(factors) - self._share(left) * self._share(right)

    def variance(self, cell: Cell) -> Number:
        """Return n times the variance of the estimate of a cell: its covariance with itself."""
        return self.covariance(cell, cell)

    def marginal_variances(self, category: int = 1) -> tuple[Number, ...]:
        """Return n times the variance of the estimated proportion of a category, for each question."""
        return tuple(self.variance({q: category}) for q in range(len(self._sizes)))

    @property
    def _sizes(self) -> list[int]:
        return [f.inputs for f in self.mechanism.factors]

    def _chosen(self, questions: Sequence[int] | None) -> tuple[int, ...]:
        return chosen_questions(len(self._sizes), questions)

    def _cell(self, cell: Cell) -> dict[int, int]:
        if not isinstance(cell, Mapping):
            return dict(enumerate(self.mechanism.digits(cell)))
        sizes = self._sizes
        for q, category in cell.items():
            if type(q) is not int or not 0 <= q < len(sizes) or type(category) is not int:
                raise _no_cell(cell, sizes)
            if not 0 <= category < sizes[q]:
                raise _no_cell(cell, sizes)
        return dict(cell)

    def _share(self, cell: Mapping[int, int]) -> Number:
        return self._mean({q: unit(category, self._sizes[q]) for q, category in cell.items()})

    def _mean(self, factors: Mapping[int, Vector]) -> Number:
        """Return the mean of ``prod f_q(X_q)``, where X has the distribution pi; missing factors are 1."""
        if not self.is_joint:
            means = (dot(self.population[q], f) for q, f in factors.items())
            return prod(means, start=Fraction(1))
        rows = [[factors.get(q, (Fraction(1),) * size)] for q, size in enumerate(self._sizes)]
        if isinstance(self.population, np.ndarray):
            return float(kronecker_product_floats([np.array(row, np.float64) for row in rows], self.population)[0])
        return kronecker_product(rows, self.population)[0]


def utility(
    mechanism: Mechanism,
    *,
    population: Sequence[object] | None = None,
    prevalences: Sequence[object] | None = None,
    exact: bool | None = None,
) -> Utility:
    """Return the precision of the estimates of a mechanism at a distribution of the categories.

    Args:
        mechanism: a product of devices of any sizes; any other mechanism counts as the device of one question.
        population: the proportions of all cells, little-endian: for n yes/no questions, cell x has index
            ``sum_l x_l 2^l``.
        prevalences: Pr(answer to question l is yes) for independent yes/no questions. If neither argument is given, the
            distribution is uniform. For symmetric yes/no devices this is the worst case, because their trace is a
            constant minus ``|pi|^2``.
        exact: for a joint distribution, True for fractions and False for floats; ``None`` selects fractions up to 2^12
            cells.

    Raises:
        InvalidParameterError: both arguments are given, or one of them does not fit the mechanism.
        InfeasibleError: a device does not identify its question (raised by the first trace or covariance).
        UnsupportedProblemError: the joint distribution has too many cells.

    >>> from rropt.mechanisms import named_mechanism
    >>> four = utility(named_mechanism("bits:3/4*2"), population=["1/20", "3/20", "3/10", "1/2"])
    >>> print(four.trace(), float(four.loss()))
    1177/200 9.26771653543307
    """
    product = product_of(mechanism)
    sizes = [f.inputs for f in product.factors]
    if population is not None and prevalences is not None:
        raise InvalidParameterError(
            "the population is given twice: received population and prevalences; give the proportions of all cells, "
            "or the "
            "prevalences of independent questions"
        )
    if population is not None:
        return Utility(product, _joint(population, prod(sizes), len(sizes), exact), True)
    if prevalences is None:
        return Utility(product, tuple((Fraction(1, k),) * k for k in sizes), False)
    count = None if isinstance(prevalences, (str, bytes)) else getattr(prevalences, "__len__", lambda: None)()
    if count != len(sizes) or any(k != 2 for k in sizes):
        raise InvalidParameterError(
            f"the prevalences do not fit the questions: received {shown(prevalences)}; allowed are {len(sizes)} "
            "numbers in [0, 1], for questions with two categories"
        )
    shares = [
        rational_where(x, lambda p: 0 <= p <= 1, "0 <= prevalence <= 1", name=f"prevalence {q}")
        for q, x in enumerate(prevalences)
    ]
    return Utility(product, tuple((1 - p, p) for p in shares), False)


def _products(device: Mechanism, first: int | None, second: int | None) -> Vector:
    """Return m(a, b; z) for each truth z; if only one category is given, its indicator."""
    given = [category for category in (first, second) if category is not None]
    if len(given) == 1:
        return unit(given[0], device.inputs)
    one, other = (question_inverse(device)[category] for category in given)
    return mean_weights(device, [a * b for a, b in zip(one, other, strict=True)])


def _joint(population: Sequence[object], cells: int, questions: int, exact: bool | None) -> Any:
    """Check the proportions of all cells and return them as exact numbers or as an array."""
    require_cells(cells, questions)
    if exact or (exact is None and cells <= EXACT_CELLS):
        shares: Any = tuple(dense_vector(population, cells, "the population"))
        total, least = sum(shares), min(shares)
    else:
        try:
            shares = np.asarray(population, np.float64)
        except (TypeError, ValueError):
            shares = np.zeros(0)
        if shares.shape != (cells,):
            shares = np.array(
                dense_vector(population, cells, "the population"), np.float64
            )  # raises if the input is invalid
        total, least = float(shares.sum()), float(shares.min())
        total = 1 if abs(total - 1) <= _SUM_ERROR else total
    if total != 1 or not least >= 0:
        raise InvalidParameterError(
            f"the population is not a distribution: received proportions with the sum {shown(total)} and the smallest "
            f"proportion {shown(least)}; allowed are proportions >= 0 with the sum 1; write fractions such as 1/3"
        )
    return shares


def _no_cell(cell: object, sizes: Sequence[int]) -> InvalidParameterError:
    return InvalidParameterError(
        f"there is no such cell: received {shown(cell)}; allowed is {{question: category, ...}} with questions 0 to "
        f"{len(sizes) - 1} and categories of these, or the index of a cell of the joint distribution"
    )
