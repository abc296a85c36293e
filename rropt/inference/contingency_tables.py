"""Unbiased estimates of the joint distribution of several questions and of its marginals, with their variances.

Respondents with one device for each question respond by ``C = C_{n-1} (x) ... (x) C_0``. Let A be the product of the
left inverses and y the histogram of m responses. Then ``A y/m`` is unbiased for any devices: they can differ, be
asymmetric, have any number of categories, or have more outputs than categories. The covariance of the estimate is
``(A diag(C pi) A^T - pi pi^T)/m`` (Vinterbo 2018, section 3.2). The diagonal of ``A diag(l) A^T`` is ``(A o A) l``,
where ``A o A`` is the Hadamard square, which is again a Kronecker product. Estimate and variances therefore cost
O(n 2^n) operations for n yes/no questions. Because the columns of A sum to 1, the marginal of the estimate is the
estimate of the marginal.

If respondents use different devices, the estimates of the groups are combined with weights. Let A_g be the left inverse
of the device of group g, and y_g the histogram of its m_g responses. Then ``sum_g w_g A_g y_g/m_g`` is unbiased for
weights that sum to 1 and do not depend on the responses:

* ``"respondents"`` (the default): ``w_g = m_g/m``. All tables have the same weights, so marginals of estimates are
  estimates of marginals.
* ``"precision"``: w_g is proportional to ``m_g/v_g``. Here v_g is the sum of the variances of the cells of a table per
  respondent at the uniform distribution. These weights minimize the sum of variances there. Each table has its own
  weights.
* Exact numbers that sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any, TypeAlias

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.respondents import Answers, exact_shares, groups_of, require_cells, summed_over
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import whole_where
from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix, exact_population, listed, required_list
from rropt.mechanisms.kronecker import kronecker_product, kronecker_product_floats
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.question_selection import chosen_questions, product_of

Floats: TypeAlias = "NDArray[np.float64]"
Cells: TypeAlias = "tuple[Fraction, ...] | NDArray[np.float64]"

# A table is exact by default if cells times groups is at most this, which takes some hundredths of a second.
EXACT_CELLS = 1 << 12
_MOST_TABLES = 100_000  # the most tables of one call; for all pairs of questions at once, use `estimate_pairs`


@dataclass(frozen=True, slots=True, eq=False)
class TableEstimate(Result, EqualByArrays):
    """The unbiased estimate of the joint distribution of some questions.

    Attributes:
        groups: the respondents, by device.
        questions: the questions of the table; the first varies fastest.
        weights: w_g for each group; their sum is 1.
        estimate: the estimate of each cell, shape (cells,); the sum is 1. It is unbiased only if values outside [0, 1]
            are left unchanged. The entries are fractions, or floats for large tables.
        variances: the plug-in variances ``sum_g w_g^2/m_g (A_g o A_g l_g - 2 p A_g l_g + p^2)``, where p is the
            estimate and l_g = y_g/m_g. For one device this is ``(A o A l - p^2)/m``.
    """

    groups: tuple[Answers, ...]
    questions: tuple[int, ...]
    weights: tuple[Fraction, ...]
    estimate: Cells
    variances: Cells

    LABELS = labelled(
        n="respondents",
        questions="questions, the first varies fastest",
        sizes="categories of each",
        estimate="unbiased estimate of each cell",
        standard_errors="standard error of each, plug-in",
    )

    def checked(self) -> None:
        """Raise if the number of cells in a file does not agree with its questions."""
        if {len(self.estimate), len(self.variances)} != {prod(self.sizes)} or len(self.weights) != len(self.groups):
            raise InvalidParameterError(
                f"the table does not fit its questions: received {with_noun(len(self.estimate), 'cell')}, "
                f"{len(self.variances)} "
                f"variances and {len(self.weights)} weights; allowed are {prod(self.sizes)} cells, a weight for a group"
            )

    @property
    def n(self) -> int:
        """The number of respondents."""
        return sum(group.n for group in self.groups)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of categories of each question."""
        return tuple(device.inputs for device in self.groups[0].devices(self.questions))

    @property
    def standard_errors(self) -> Floats:
        """The plug-in standard error of each cell, shape (cells,)."""
        variances: Floats = np.maximum(np.array(self.variances, np.float64), 0.0)  # rounding can make a 0 negative
        return np.sqrt(variances)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell: its category of each question, estimate and standard error."""
        rows, errors = [], self.standard_errors.tolist()
        for cell, (value, error) in enumerate(zip(self.floats().tolist(), errors, strict=True)):
            place, left = {}, cell
            for question, size in zip(self.questions, self.sizes, strict=True):
                left, place[f"question_{question}"] = divmod(left, size)
            rows.append({**place, "n": self.n, "estimate": value, "standard_error": error})
        return rows

    def floats(self) -> Floats:
        """Return the estimate as floats."""
        return np.array(self.estimate, np.float64)

    def marginal(self, questions: Sequence[int]) -> Cells:
        """Return the marginal for some of the questions, which with the default weights is their own estimate."""
        return marginal_of(self.estimate, self.sizes, [self.questions.index(question) for question in questions])

    def covariance(self, first: int, second: int) -> Fraction | float:
        """Return the plug-in covariance of the estimates of two cells; it is exact if the estimate is exact."""
        total = self.covariances((first, second))[0, 1]
        return total if isinstance(total, Fraction) else float(total)

    def covariances(self, cells: Sequence[int]) -> NDArray[Any]:
        """Return the plug-in covariance of the estimates of some cells; it is exact if the estimate is exact.

        Args:
            cells: the numbers of the cells.

        Returns:
            The matrix ``sum_g w_g^2/m_g R_g diag(l_g) R_g^T``, where R_g has the rows of A_g minus the estimates.
        """
        total: Any = 0
        exact = isinstance(self.estimate, tuple)
        for group, weight in zip(self.groups, self.weights, strict=True):
            histogram = group.histogram(self.questions)
            inverses = inverses_of(group.devices(self.questions))
            met = np.flatnonzero(histogram)  # other outputs add nothing
            if exact:
                shares: Any = np.array([Fraction(int(count), group.n) for count in histogram[met]], object)
            else:
                shares = histogram[met] / group.n
            rows = np.stack(
                [_row(inverses, cell, self.sizes, exact=exact)[met] - self.estimate[cell] for cell in cells]
            )
            factor: Any = weight * weight / group.n
            total = total + (factor if exact else float(factor)) * ((rows * shares) @ rows.T)
        return np.asarray(total)

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        remarks, of = [], f" of the joint distribution of {len(self.questions)} questions" * (len(self.questions) > 1)
        if outside := int((self.floats() < 0).sum()):
            have = "has" if outside == 1 else "have"
            remarks.append(
                f"{outside} of {len(self.estimate)} cells{of} {have} a negative unbiased estimate: it is unbiased only "
                "if it is left as it is; the constrained estimate lies inside"
            )
        remarks += excluded_remark(self.groups)
        return tuple(remarks)


def excluded_remark(groups: Sequence[Answers]) -> tuple[str, ...]:
    """Return the remark on respondents who were left out; none if nobody was.

    Args:
        groups: the respondents, by device.
    """
    excluded = sum(group.excluded for group in groups)
    if not excluded:
        return ()
    return (
        f"{with_noun(excluded, 'respondent')} without an answer to every question "
        f"{'was' if excluded == 1 else 'were'} left out: the estimates are biased if whether people answer depends on "
        "their answers",
    )


def estimate_cells(
    answers: Answers | Sequence[Answers],
    questions: Sequence[int] | None = None,
    *,
    weights: str | Sequence[object] = "respondents",
    exact: bool | None = None,
) -> TableEstimate:
    """Return the unbiased estimate of the joint distribution of some questions.

    Args:
        answers: the responses of respondents with one device, or a list of such groups.
        questions: the questions of the table, in the order of the result; the first varies fastest. ``None``: all.
        weights: the weights of the groups: ``respondents`` (m_g/m), ``precision`` (the smallest sum of variances at the
            uniform distribution), or numbers that sum to 1.
        exact: True for fractions, False for floats; ``None`` selects fractions for small tables.

    Raises:
        InvalidParameterError: the questions, groups or weights are invalid.
        InfeasibleError: a device does not identify its question (for example p00 + p11 = 1).
        UnsupportedProblemError: there are too many cells; the message reports the memory that they would need.

    Source: Vinterbo (2018), section 4.2; here for different devices that need not be symmetric.

    >>> from rropt.answers.respondents import answers_of_rows
    >>> from rropt.mechanisms import named_mechanism
    >>> two = answers_of_rows(named_mechanism("bits:3/4,5/6"), [[0, 0], [1, 0], [1, 1], [0, 0]])
    >>> table = estimate_cells(two)
    >>> [str(x) for x in table.estimate], [round(float(x), 6) for x in table.standard_errors]
    (['13/16', '1/16', '-5/16', '7/16'], [0.547544, 0.525706, 0.136216, 0.427337])
    """
    groups = groups_of(answers)
    chosen = chosen_questions(groups[0].questions, questions)
    cells = prod(device.inputs for device in groups[0].devices(chosen))
    if exact is None:
        exact = cells * len(groups) <= EXACT_CELLS
    shares = weights_of(groups, chosen, weights)
    estimate, variances = _table(groups, chosen, shares, exact=exact)
    return TableEstimate(groups, chosen, shares, estimate, variances)


def estimate_marginals(
    answers: Answers | Sequence[Answers],
    questions: int | Sequence[Sequence[int]],
    *,
    weights: str | Sequence[object] = "respondents",
    exact: bool | None = None,
) -> tuple[TableEstimate, ...]:
    """Return the unbiased estimates of all k-way marginals, or of given marginals.

    Args:
        answers, weights, exact: as for ``estimate_cells``.
        questions: k, or a list of marginals, each a list of questions.

    Raises:
        UnsupportedProblemError: more than 10^5 tables.
    """
    groups = groups_of(answers)
    if isinstance(questions, int) and not isinstance(questions, bool):
        n = groups[0].questions
        whole_where(questions, 1, n, name="the number of questions of a marginal")
        if comb(n, questions) > _MOST_TABLES:
            raise UnsupportedProblemError(
                f"the marginals are too many: received {comb(n, questions)} sets of {questions} of {n} questions; at "
                f"most {_MOST_TABLES} are estimated at once; name those that matter"
            )
        wanted: Sequence[Sequence[int]] = list(combinations(range(n), questions))
    else:
        wanted = required_list(questions, "`questions`", "a number of questions, or a list of lists of questions")
    if not wanted:
        raise InvalidParameterError(
            "there are no marginals: received an empty list; give one list of questions at least"
        )
    return tuple([estimate_cells(groups, chosen, weights=weights, exact=exact) for chosen in wanted])


def cell_variances(mechanism: Mechanism, population: Sequence[object]) -> tuple[Fraction, ...]:
    """Return n times the variance of the unbiased estimate of each cell: ``(A o A) P pi - pi o pi``, exactly.

    The sum is the trace of the covariance. For n equal symmetric yes/no questions it is
    ``((a^2 + (1-a)^2)/(2a-1)^2)^n - pi . pi`` (Vinterbo 2018, Lemma 4.5).

    Args:
        mechanism: P, a product of devices or the device of one question.
        population: pi, the probability of each cell.

    >>> from rropt.mechanisms import named_mechanism
    >>> variances = cell_variances(named_mechanism("bits:3/4*2"), ["1/2", "1/4", "1/4", 0])
    >>> sum(variances), (Fraction(5, 8) * 4) ** 2 - Fraction(3, 8)
    (Fraction(47, 8), Fraction(47, 8))
    """
    product = product_of(mechanism)
    exact = exact_population(population, product.inputs)
    moments = kronecker_product(_squares(inverses_of(product.factors)), product.apply(exact))
    return tuple(moment - share * share for moment, share in zip(moments, exact, strict=True))


def marginal_of(cells: Cells, sizes: Sequence[int], places: Sequence[int]) -> Cells:
    """Return the marginal of a table for the questions ``places``, in this order."""
    summed = summed_over(np.array(cells, object if isinstance(cells, tuple) else np.float64), sizes, places)
    return tuple(summed.tolist()) if isinstance(cells, tuple) else summed


def _table(
    groups: Sequence[Answers], questions: Sequence[int], weights: Sequence[Fraction], *, exact: bool
) -> tuple[Cells, Cells]:
    """Return the estimate and the variances ``sum f (A o A l - 2 p A l + p^2)``, which need three vectors."""
    if not exact:
        require_cells(prod(device.inputs for device in groups[0].devices(questions)), len(questions))
    if len(groups) == 1 and not exact:  # in place: new arrays cost more than the products
        p, variances = _moments(groups[0], questions, exact=False)
        variances -= p * p
        variances /= groups[0].n
        return p, variances
    mean: Any = 0
    first_order: Any = 0
    second_order: Any = 0
    total: Any = 0
    for group, weight in zip(groups, weights, strict=True):
        first, second = _moments(group, questions, exact=exact)
        w, factor = (x if exact else float(x) for x in (weight, weight * weight / group.n))
        mean, total = mean + w * first, total + factor
        first_order, second_order = first_order + factor * first, second_order + factor * second
    found = second_order - 2 * mean * first_order + total * mean * mean
    return (tuple(mean), tuple(found)) if exact else (mean, found)


def _moments(group: Answers, questions: Sequence[int], *, exact: bool) -> Any:
    """Return ``A l`` and ``(A o A) l``."""
    inverses, histogram = inverses_of(group.devices(questions)), group.histogram(questions)
    if exact:
        exactly = exact_shares(histogram, group.n)
        return (np.array(kronecker_product(own, exactly), object) for own in (inverses, _squares(inverses)))
    floats, shares = [np.array(rows, np.float64) for rows in inverses], histogram / group.n
    return (kronecker_product_floats(own, shares) for own in (floats, [rows * rows for rows in floats]))


def _squares(matrices: Sequence[Matrix]) -> list[Matrix]:
    return [tuple(tuple(x * x for x in row) for row in rows) for rows in matrices]


def _row(inverses: Sequence[Matrix], cell: int, sizes: Sequence[int], *, exact: bool) -> NDArray[Any]:
    """Return row ``cell`` of the Kronecker product of inverses."""
    whole: NDArray[Any] = np.array([Fraction(1)] if exact else [1.0])
    for rows, size in zip(inverses, sizes, strict=True):
        cell, digit = divmod(cell, size)
        row = np.array(rows[digit], object if exact else np.float64)
        whole = np.multiply.outer(row, whole).ravel()
    return whole


def weights_of(
    groups: Sequence[Answers], questions: Sequence[int], weights: str | Sequence[object]
) -> tuple[Fraction, ...]:
    """Return the weights of the groups in a table: see the module docstring."""
    if not isinstance(weights, str):
        return _exact_weights(weights, len(groups))
    if weights not in ("respondents", "precision"):
        raise InvalidParameterError(
            f"the weights have no such name: received {shown(weights)}; allowed are respondents, precision, or one "
            "number for each group"
        )
    sizes = [Fraction(group.n) for group in groups]
    if weights == "precision":
        noise = [_uniform_variance(group.devices(questions)) for group in groups]
        if all(noise):
            sizes = [size / v for size, v in zip(sizes, noise, strict=True)]
    return tuple(size / sum(sizes) for size in sizes)


def _exact_weights(weights: Sequence[object], groups: int) -> tuple[Fraction, ...]:
    """Return the weights of the groups as exact numbers that sum to 1."""
    exact = tuple(rational(weight, name=f"weights[{g}]") for g, weight in enumerate(listed(weights, flat=True) or ()))
    if len(exact) != groups or sum(exact) != 1:
        raise InvalidParameterError(
            f"the weights do not fit the groups: received {shown(list(map(str, exact)))}; allowed are {groups} numbers "
            "that sum to exactly 1"
        )
    return exact


def _uniform_variance(devices: Sequence[Mechanism]) -> Fraction:
    """Return the sum of the variances of all cells per respondent at the uniform distribution."""
    total, cells = Fraction(1), 1
    for device, rows in zip(devices, inverses_of(devices), strict=True):
        chances = [sum(row, Fraction(0)) / device.inputs for row in device.matrix]
        total *= sum((a * a * p for row in rows for a, p in zip(row, chances, strict=True)), Fraction(0))
        cells *= device.inputs
    return total - Fraction(1, cells)
