"""The most likely joint distribution of several questions, with an exact statement of how near the maximum it is.

For groups g of respondents with devices C_g and histograms N_g, m answers together, the log-likelihood per response
``f(pi) = sum_g sum_y N_gy/m log (C_g pi)_y`` is concave, and with ``G = sum_g C_g^T (N_g/(m C_g pi))`` every population
x has ``f(x) - f(pi) <= G . (x - pi) <= max_x G_x - 1``: the *gap*, 0 exactly at the maximum (Kuhn and Tucker).

Floats propose (``joint_search``). The proposal is written with a power of two as denominator, and its gap is computed
from the rational numbers, each quotient ``N/lambda`` rounded up: the checker's rule `likelihood` says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import decimal_text
from rropt.core.results import Result, says
from rropt.mechanisms import ProductMechanism
from rropt.mechanisms.vectors import size_text
from rropt.survey.questions.joint_search import CLEARLY_FEW, Floats, Group, Survey, proposal
from rropt.survey.questions.responses import Answers, HoldsArrays
from rropt.survey.questions.tables import Cells, TableEstimate, estimate_cells, marginal_of

# Cells of a joint distribution whose most likely value is sought: a certificate with more of them would need more work
# than the checker does.
MAX_LIKELY_CELLS = 1 << 16

# Bits of the population's denominator, and of the quotients rounded up: floats have 53, so that what is lost by
# rounding is far below what floats reach; short enough for files of some hundred kilobytes at 4096 cells.
POPULATION_BITS = 64
QUOTIENT_BITS = 64

_TOLD = 1e-6  # difference of the two estimates from which it is told: below it no survey sees it


@dataclass(frozen=True, slots=True, eq=False)
class JointEstimate(Result, HoldsArrays):
    """The unbiased and the maximum likelihood estimate of the joint distribution of some questions.

    Attributes:
        table: the unbiased one, with its variances.
        population: the most likely one on the simplex, shape (cells,): its marginals are consistent.
        likelihood_gap: what the best population gains over it at most, log-likelihood per response.
    """

    table: TableEstimate
    population: tuple[Fraction, ...]
    likelihood_gap: Fraction

    SAYS = says(
        population="most likely share of each cell",
        likelihood_gap="log-likelihood per response that others gain at most",
        difference="largest difference from the unbiased estimate",
        table="",
    )

    @property
    def groups(self) -> tuple[Group, ...]:
        """Devices and histograms of the groups: what a certificate is about."""
        return likelihood_groups(self.table)

    def marginal(self, questions: Sequence[int]) -> Cells:
        """Return the marginal of the most likely distribution for some of the questions."""
        return marginal_of(self.population, self.table.sizes, [self.table.questions.index(q) for q in questions])

    def standard_errors(self) -> Floats:
        """Return standard errors of the most likely shares: see ``information_errors``."""
        return information_errors(Survey(self.groups), self.population)

    def difference(self) -> float:
        """Return the largest difference of the two estimates of a cell."""
        return float(np.abs(self.table.floats() - np.array(self.population, np.float64)).max())

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader must be told before using the numbers, as sentences."""
        remarks = list(self.table.remarks())
        if self.difference() > _TOLD:
            why = "answers of several devices, or more answers than categories, weigh otherwise in the two"
            if self.table.floats().min() < 0:
                why = "the unbiased one leaves the simplex"
            remarks.append(
                f"the unbiased and the most likely estimate differ by up to {decimal_text(self.difference(), 3)} in a "
                f"cell: {why}; report the first for averages over surveys, the second as a distribution"
            )
        if self.likelihood_gap:
            remarks.append(
                "no population has a log-likelihood per response that is higher than that of the most likely estimate "
                f"by more than {decimal_text(self.likelihood_gap, 3)} (proved exactly)"
            )
        return tuple(remarks)


def estimate_joint(
    answers: Answers | Sequence[Answers],
    questions: Sequence[int] | None = None,
    *,
    weights: str | Sequence[object] = "respondents",
) -> JointEstimate:
    """Return the unbiased and the maximum likelihood joint distribution of some questions.

    Args:
        answers, questions, weights: as for ``estimate_cells``; the weights matter for the unbiased estimate only.

    Raises:
        As ``estimate_cells``, and UnsupportedProblemError for more than 2^16 cells.

    >>> from rropt.survey.questions.responses import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> both = estimate_joint(answers_of_counts(named_mechanism("bits:3/4*2"), [50, 30, 18, 2]))
    >>> [str(x) for x in both.table.estimate], [round(float(x), 4) for x in both.population]
    (['77/100', '33/100', '9/100', '-19/100'], [0.86, 0.14, 0.0, 0.0])
    """
    table = estimate_cells(answers, questions, weights=weights)
    groups = likelihood_groups(table)
    product = groups[0][0]
    square = len(groups) == 1 and all(device.outputs == device.inputs for device in product.factors)
    if square and isinstance(table.estimate, tuple) and min(table.estimate) >= 0:
        return JointEstimate(table, table.estimate, Fraction(0))  # it fits the answers exactly
    population, gap = most_likely(groups)
    return JointEstimate(table, population, gap)


def likelihood_groups(table: TableEstimate) -> tuple[Group, ...]:
    """Return devices and histograms of the groups of a table."""
    return tuple(
        (ProductMechanism(group.devices(table.questions)), group.histogram(table.questions)) for group in table.groups
    )


def most_likely(groups: Sequence[Group]) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return a population of greatest likelihood on the simplex, and its gap per response (exact, rounded up).

    Args:
        groups: products and histograms of their answers, shape (m_g,), all with the same cells.

    Raises:
        UnsupportedProblemError: more than 2^16 cells.
    """
    cells = groups[0][0].inputs
    if cells > MAX_LIKELY_CELLS:
        raise UnsupportedProblemError(
            f"the most likely distribution has too many cells: received {size_text(cells)}; at most "
            f"{MAX_LIKELY_CELLS} are searched; ask for the unbiased estimate alone, or for marginals"
        )
    survey = Survey(groups)
    found: list[tuple[Fraction, tuple[Fraction, ...]]] = []
    for candidate in _candidates(survey):
        gap = likelihood_gap(groups, candidate)
        if gap is not None:
            found.append((gap, candidate))
    if not found:  # counts so unequal that decimals give an answer that was given no chance
        uniform = (Fraction(1, cells),) * cells
        found.append((likelihood_gap(groups, uniform) or Fraction(0), uniform))
    gap, population = min(found, key=lambda pair: pair[0])
    return population, gap


def likelihood_gap(
    groups: Sequence[tuple[ProductMechanism, Any]], population: Sequence[Fraction], bits: int = QUOTIENT_BITS
) -> Fraction | None:
    """Return ``max_x G_x - 1`` for a population, each quotient ``N/lambda`` rounded up to a multiple of ``2^-bits``.

    ``None`` where the population makes an answer that was given impossible. By the rule `likelihood` of the checker,
    in exact arithmetic from end to end.

    >>> from rropt.mechanisms import named_mechanism
    >>> round(float(likelihood_gap([(named_mechanism("bits:3/4"), [60, 40])], [Fraction(1), Fraction(0)])), 6)
    0.4
    """
    n, gains = 0, [Fraction(0)] * len(population)
    for product, counts in groups:
        chances = product.apply(population)
        weights = {}
        for i, (count, chance) in enumerate(zip(map(int, counts), chances, strict=True)):
            if not count:
                continue
            if not chance:
                return None
            weights[i] = Fraction(-(-(count << bits) * chance.denominator // chance.numerator), 1 << bits)
            n += count
        if weights:
            gains = [a + b for a, b in zip(gains, product.adjoint(weights), strict=True)]
    return max(max(gains) / n - 1, Fraction(0))


def information_errors(survey: Survey, population: Sequence[Fraction]) -> Floats:
    """Return standard errors of the most likely shares, cells at 0 taken as known to be 0; shape (cells,).

    With M = ``m sum C^T diag(f/lambda^2) C`` on the positive cells, the observed information, the covariance under
    ``sum pi = 1`` is ``M^-1 - M^-1 1 1^T M^-1/(1^T M^-1 1)``; directions of which the answers say nothing have no
    finite error.
    """
    x = np.array(population, np.float64)
    positive = np.flatnonzero(x)
    columns = survey.columns(positive)
    scaled = columns * np.sqrt(survey.n * survey.shares)[:, None] / survey.forward(x)[:, None]
    centred = scaled[:, 1:] - scaled[:, :1]  # the first share is 1 less the others
    errors = np.zeros(len(x))
    if len(positive) > 1:
        covariance = np.linalg.pinv(centred.T @ centred, hermitian=True)
        errors[positive[1:]] = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        errors[positive[0]] = np.sqrt(max(float(covariance.sum()), 0.0))
        silent = np.linalg.matrix_rank(centred) < len(positive) - 1
        if silent:
            errors[positive] = np.inf
    return errors


def _candidates(survey: Survey) -> list[tuple[Fraction, ...]]:
    """Return rational populations near the maximum: what floats found, and the same without its smallest shares."""
    x = proposal(survey)
    made = [_rational(x)]
    if (x[x > 0] < CLEARLY_FEW).any():
        made.append(_rational(np.where(x < CLEARLY_FEW, 0.0, x)))
    if x.max() > 1 - 1e-6:  # one cell may hold everybody
        made.append(tuple(Fraction(int(cell == x.argmax())) for cell in range(survey.cells)))
    return made


def _rational(x: Floats) -> tuple[Fraction, ...]:
    """Return shares with one power of two below, which sum to exactly 1; the largest takes what is left."""
    scale = 1 << POPULATION_BITS
    mantissas = [int(share * 2.0**53) << (POPULATION_BITS - 53) for share in (x / x.sum()).tolist()]
    mantissas[int(np.argmax(x))] += scale - sum(mantissas)
    return tuple([Fraction(mantissa, scale) for mantissa in mantissas])
