"""Many tables of a survey at once: all pairwise marginals, and simultaneous intervals for all cells.

*Pairs*, for any number of questions. Let N be the matrix of the counts of pairs of responses, computed as one product
of indicator matrices. Let B be the block diagonal matrix of the left inverses of the questions. Then all tables
together are ``B N B^T/m``, and the second moments of their entries are ``(B o B) N (B o B)^T/m``.

*Intervals*, by Bonferroni's correction: for c cells, each interval has the confidence ``1 - alpha/c``.

* ``normal``: estimate +- z standard errors, where ``Pr(|G| <= z) = 1 - alpha/c``.
* ``hoeffding``: the estimate is a sum of independent terms. The term of a respondent of group g lies in an interval of
  length ``w_g r_g/m_g``, where r_g is the range of the cell's row of A_g. The half width is
  ``sqrt(log(2 c/alpha)/2 sum_g w_g^2 r_g^2/m_g)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.respondents import Answers, groups_of
from rropt.answers.scores import product_ranges
from rropt.core.errors import InvalidParameterError, one_of, required
from rropt.core.exact import exact_confidence
from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled
from rropt.inference.contingency_tables import Floats, TableEstimate
from rropt.inference.distributions import two_sided_quantile
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.left_inverse import inverses_of

_SHOWN_PAIRS = 5  # of a short text
_ROWS_EXACT = 1 << 24  # integers below this are exact in float32


@dataclass(frozen=True, slots=True, eq=False)
class PairEstimates(Result, EqualByArrays):
    """The unbiased estimates of all pairs of questions at once, in floats.

    Attributes:
        starts: the row and the column of category x of question l have index ``starts[l] + x``; the last entry is the
            number of rows K.
        n: the number of respondents.
        estimate: shape (K, K), the estimated probability of both categories. The block of a single question is diagonal
            with the distribution of this question.
        standard_errors: the plug-in standard errors, shape (K, K).
    """

    starts: tuple[int, ...]
    n: int
    estimate: Floats
    standard_errors: Floats

    ANSWER = ("n", "estimate=_pairs")
    LABELS = labelled(
        n="respondents",
        starts="first row of each question, and the number of rows",
        estimate="chance of both categories",
        standard_errors="standard error of each, plug-in",
    )

    @property
    def _pairs(self) -> dict[str, tuple[float, ...]]:
        pairs = combinations(range(len(self.starts) - 1), 2)
        return {f"{i} and {j}": tuple(self.table(i, j).ravel().tolist()) for i, j in islice(pairs, _SHOWN_PAIRS)}

    def table(self, first: int, second: int) -> Floats:
        """Return the estimated joint distribution of two questions, shape (k_first, k_second)."""
        return self.estimate[self._block(first), self._block(second)]

    def errors(self, first: int, second: int) -> Floats:
        """Return the standard errors of ``table``."""
        return self.standard_errors[self._block(first), self._block(second)]

    def _block(self, question: int) -> slice:
        return slice(self.starts[question], self.starts[question + 1])


def estimate_pairs(answers: Answers | Sequence[Answers]) -> PairEstimates:
    """Return the unbiased estimates of all pairwise marginals, for any number of questions.

    The weights of the groups are m_g/m.

    Args:
        answers: the responses, or a list of groups of respondents with the same questions and devices of their own.
    """
    groups = groups_of(answers)
    n = sum(group.n for group in groups)
    sizes = [device.inputs for device in groups[0].mechanism.factors]
    starts = (0, *np.cumsum(sizes).tolist())
    mean, parts = np.zeros((starts[-1], starts[-1])), []
    same = _blocks_of_ones(sizes)
    for group in groups:
        inverse = _diagonal([np.array(rows, np.float64) for rows in inverses_of(group.mechanism.factors)])
        counts = pair_counts(group)
        first, second = inverse @ counts @ inverse.T / n, inverse**2 @ counts @ (inverse**2).T / n
        own = inverse @ np.diag(counts) / n
        first = np.where(same, np.diag(own), first)
        second = np.where(same, np.diag(inverse**2 @ np.diag(counts) / n), second)
        mean += first
        parts.append((group.n / n, first, second))
    variance = sum(second - 2 * mean * first + share * mean * mean for share, first, second in parts) / n
    return PairEstimates(starts, n, mean, np.sqrt(np.maximum(variance, 0.0)))


def pair_counts(answers: Answers) -> NDArray[np.float64]:
    """Return the number of respondents with each pair of responses, shape (M, M) with M the sum of the m_l.

    The row and the column of response i to question l have index ``m_0 + ... + m_{l-1} + i``. The counts are products
    of blocks of indicators in float32, which are exact in the chosen block sizes.
    """
    sizes = [device.outputs for device in answers.mechanism.factors]
    inner = np.zeros((sum(sizes) - len(sizes),) * 2)
    for indicators, weights in _indicators(answers, sizes):
        weighed: NDArray[Any] = indicators if weights is None else indicators * weights[:, None]
        inner += indicators.T @ weighed
    alone = np.diag(inner)[:, None]
    known = np.block([[np.full((1, 1), float(answers.n)), alone.T], [alone, inner]])
    return _with_response_0(_with_response_0(known, sizes).T, sizes).T


def _with_response_0(known: NDArray[np.float64], sizes: Sequence[int]) -> NDArray[np.float64]:
    """Return the rows of all responses from the row of the number of respondents and those of the responses 1, 2, ...

    The indicator of response 0 is 1 minus the other indicators of its question.
    """
    ends = np.cumsum([size - 1 for size in sizes])
    begins = np.concatenate([[0], ends[:-1]])
    sums = np.cumsum(np.concatenate([np.zeros_like(known[:1]), known[1:]]), axis=0)
    return np.insert(known[1:], begins, known[0] - (sums[ends] - sums[begins]), axis=0)


def _indicators(answers: Answers, sizes: Sequence[int]) -> Iterable[tuple[NDArray[Any], NDArray[Any] | None]]:
    """Yield blocks of indicators of the nonzero responses, with the counts of the rows (None: each counts once)."""
    if answers.rows is None:
        assert answers.counts is not None
        found = np.flatnonzero(answers.counts)
        weights: NDArray[Any] | None = answers.counts[found].astype(np.float64)
        rows: NDArray[Any] = np.empty((len(found), len(sizes)), np.int64)
        for question, size in enumerate(sizes):
            found, rows[:, question] = np.divmod(found, size)
    else:
        rows, weights = answers.rows, None
    kind = np.float32 if weights is None else np.float64
    width = sum(sizes) - len(sizes)
    step = max(1, min(_ROWS_EXACT - 1, (1 << 22) // max(1, width)))  # blocks of 16 MiB stay in the processor's cache
    for begin in range(0, len(rows), step):
        block = rows[begin : begin + step]
        if width == len(sizes) == sum(size == 2 for size in sizes):
            indicators = block.astype(kind)
        else:
            columns = [block[:, q] == i for q, size in enumerate(sizes) for i in range(1, size)]
            indicators = np.stack(columns, axis=1).astype(kind) if columns else np.zeros((len(block), 0), kind)
        yield indicators, None if weights is None else weights[begin : begin + step]


def _diagonal(blocks: Sequence[Floats]) -> Floats:
    from scipy.linalg import block_diag

    return np.asarray(block_diag(*blocks), np.float64)


def _blocks_of_ones(sizes: Sequence[int]) -> NDArray[np.bool_]:
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return np.asarray(owner[:, None] == owner[None, :])


GUARANTEES = {
    "normal": "Bonferroni: each cell at 1 - alpha/cells by the normal approximation with its plug-in standard error; "
    "no guarantee",
    "hoeffding": "Bonferroni: each cell by Hoeffding's inequality for means of bounded terms; guaranteed for "
    "every distribution of the categories and every number of respondents",
}


@dataclass(frozen=True, slots=True, eq=False)
class SimultaneousIntervals(Result, EqualByArrays):
    """Intervals that cover all cells of all tables simultaneously with the given confidence; not cut to [0, 1].

    The tables of a result contain the intervals of ``cut``.

    Attributes:
        kind: ``normal`` or ``hoeffding``.
        confidence: the joint confidence of all intervals.
        cells: the number of cells.
        ends: for each table the endpoints, an array of shape (cells, 2).
    """

    kind: str
    confidence: Fraction
    cells: int
    ends: tuple[Floats, ...]

    LABELS = labelled(
        kind="intervals", confidence="confidence", cells="of so many cells", ends="ends", guarantee="guarantee"
    )

    @property
    def guarantee(self) -> str:
        """The guarantee of the intervals."""
        return GUARANTEES[self.kind]

    def cut(self, table: int) -> Floats:
        """Return the intervals of a table cut to [0, 1], which contains every proportion: no coverage is lost.

        An interval outside [0, 1] becomes the nearer one of 0 and 1.
        """
        return np.clip(self.ends[table], 0.0, 1.0)


def simultaneous_intervals(
    tables: TableEstimate | Sequence[TableEstimate], confidence: object = "0.95", *, kind: str = "normal"
) -> SimultaneousIntervals:
    """Return simultaneous confidence intervals for all cells of some tables.

    Args:
        tables: one table, or several tables that are interpreted together.
        confidence: the confidence of all cells together.
        kind: ``normal`` (approximate), or ``hoeffding``, with guaranteed coverage; both with Bonferroni's correction.
    """
    listed = [tables] if isinstance(tables, TableEstimate) else required_list(tables, "`tables`", "a list of tables")
    for table in listed:
        required(table, TableEstimate, "a table", "estimate_cells(answers)")
    if not listed:
        raise InvalidParameterError("there are no tables: received an empty list; give one table at least")
    level = exact_confidence(confidence)
    one_of(kind, GUARANTEES, "the kind of interval")
    cells = sum(len(table.estimate) for table in listed)
    each = 1 - (1 - level) / cells
    if kind == "normal":
        z = float(two_sided_quantile(each)[1])
        margins = [z * table.standard_errors for table in listed]
    else:
        factor = np.log(2 * cells / float(1 - level)) / 2
        margins = [np.sqrt(factor * squared_ranges(table)) for table in listed]
    ends = [
        np.stack([table.floats() - margin, table.floats() + margin], axis=1)
        for table, margin in zip(listed, margins, strict=True)
    ]
    return SimultaneousIntervals(kind, level, cells, tuple(ends))


def squared_ranges(table: TableEstimate) -> Floats:
    """Return for each cell ``sum_g w_g^2 r_g^2/m_g``, where r_g is the range of the cell's row of A_g."""
    total = np.zeros(len(table.estimate))
    for group, weight in zip(table.groups, table.weights, strict=True):
        inverses = inverses_of(group.devices(table.questions))
        low, high = product_ranges(
            [np.array([float(end(row)) for row in rows]) for end in (min, max)] for rows in inverses
        )
        total += float(weight * weight / group.n) * (high - low) ** 2
    return total
