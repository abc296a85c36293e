"""The joint distribution of several questions: the unbiased and the maximum likelihood estimate, with a proved gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.respondents import Answers
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import as_text, decimal_text
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled
from rropt.core.visible import size_text
from rropt.inference.contingency_tables import Cells, TableEstimate, estimate_cells, marginal_of
from rropt.inference.likelihood import QUOTIENT_BITS, CellLikelihood, Floats, most_likely
from rropt.mechanisms import Mechanism, ProductMechanism

if TYPE_CHECKING:
    from rropt.core.certificates.record import Certificate

# The largest number of cells of a joint distribution for the maximum likelihood estimate. A certificate with more cells
# would exceed the work limit of the checker.
MAX_LIKELY_CELLS = 1 << 16

_TOLD = 1e-6  # a difference of the two estimates above this leads to a remark; no survey can detect a smaller one


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood(Result, EqualByArrays):
    """The unbiased and the maximum likelihood estimate of the joint distribution of some questions.

    Attributes:
        table: the unbiased estimate, with its variances.
        population: the maximum likelihood estimate on the simplex, shape (cells,); its marginals are consistent.
        likelihood_gap: an upper bound on the log-likelihood per response that any other distribution can gain.
    """

    table: TableEstimate
    population: tuple[Fraction, ...]
    likelihood_gap: Fraction

    ANSWER = ("population", "likelihood_gap")
    LABELS = labelled(
        population="most likely proportion of each cell",
        likelihood_gap="log-likelihood per response that others gain at most",
        difference="largest difference from the unbiased estimate",
    )

    @property
    def groups(self) -> tuple[tuple[ProductMechanism, Any], ...]:
        """The devices and histograms of the groups, which are the data of a certificate."""
        return likelihood_groups(self.table)

    @property
    def certificate(self) -> Certificate:
        """The proof that no distribution has a log-likelihood per response that is higher by more than the gap."""
        return certify_estimate(self.groups, self.population, self.likelihood_gap)

    def marginal(self, questions: Sequence[int]) -> Cells:
        """Return the marginal of the maximum likelihood estimate for some of the questions."""
        return marginal_of(self.population, self.table.sizes, [self.table.questions.index(q) for q in questions])

    def standard_errors(self) -> Floats:
        """Return standard errors of the maximum likelihood estimate: see ``information_errors``."""
        return information_errors(CellLikelihood(self.groups), self.population)

    def difference(self) -> float:
        """Return the largest absolute difference between the two estimates of a cell."""
        return float(np.abs(self.table.floats() - np.array(self.population, np.float64)).max())

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        return (*self.table.remarks(), *self.likelihood_remarks())

    def likelihood_remarks(self) -> tuple[str, ...]:
        """Return the remarks on the maximum likelihood estimate, as sentences."""
        remarks = []
        if self.difference() > _TOLD:
            why = "with several devices, or more outputs than categories, the two weight the responses differently"
            if self.table.floats().min() < 0:
                why = "the unbiased one leaves the simplex"
            cell = "a cell of the joint distribution" if len(self.table.questions) > 1 else "a cell"
            remarks.append(
                f"the unbiased and the most likely estimate differ by up to {decimal_text(self.difference(), 3)} in "
                f"{cell}: {why}; report the first for averages over surveys, the second as a distribution"
            )
        if self.likelihood_gap:
            remarks.append(
                "no distribution has a log-likelihood per response that is higher than that of the most likely "
                "estimate "
                f"by more than {decimal_text(self.likelihood_gap, 3)} (proved exactly)"
            )
        return tuple(remarks)


def estimate_joint(
    answers: Answers | Sequence[Answers],
    questions: Sequence[int] | None = None,
    *,
    weights: str | Sequence[object] = "respondents",
) -> Likelihood:
    """Return the unbiased and the maximum likelihood estimate of the joint distribution of some questions.

    Args:
        answers, questions, weights: as for ``estimate_cells``; the weights affect the unbiased estimate only.

    Raises:
        The exceptions of ``estimate_cells``, and UnsupportedProblemError for more than 2^16 cells.

    >>> from rropt.answers.respondents import answers_of_counts
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
        return Likelihood(table, table.estimate, Fraction(0))  # it reproduces the observed proportions exactly
    if product.inputs > MAX_LIKELY_CELLS:
        raise UnsupportedProblemError(
            f"the most likely distribution has too many cells: received {size_text(product.inputs)}; at most "
            f"{MAX_LIKELY_CELLS} are searched; ask for the unbiased estimate alone, or for marginals"
        )
    population, gap = most_likely(groups)
    return Likelihood(table, population, gap)


def likelihood_groups(table: TableEstimate) -> tuple[tuple[ProductMechanism, Any], ...]:
    """Return the devices and histograms of the groups of a table."""
    return tuple(
        (ProductMechanism(group.devices(table.questions)), group.histogram(table.questions)) for group in table.groups
    )


def certify_estimate(
    groups: Sequence[tuple[Mechanism, Any]],
    population: Sequence[Fraction],
    gap: Fraction,
    bits: int | None = QUOTIENT_BITS,
) -> Certificate:
    """Certify that the log-likelihood per response of a distribution is within ``gap`` of the maximum.

    The rule is ``likelihood-gap`` (checker/likelihood_gap.md).

    Args:
        groups: the mechanisms, explicit matrices or products, and the counts of their responses.
        population: the estimated distribution, shape (k,), with sum exactly 1.
        gap: a bound of the difference, at least ``gap_of`` with the same bits.
        bits: quotients are rounded up to multiples of ``2^-bits``; ``None`` means exact arithmetic, for small problems.
    """
    from rropt.core.certificates.record import Certificate  # loads the checker

    listed = [
        {"mechanism": _factors(mechanism), "counts": [str(int(x)) for x in counts]} for mechanism, counts in groups
    ]
    return Certificate.state(
        "likelihood-gap",
        {"groups": listed},
        {"point": [as_text(x) for x in population], "gap": as_text(gap)},
        {"bits": None if bits is None else str(bits)},
    )


def _factors(mechanism: Mechanism) -> dict[str, Any]:
    return (mechanism if isinstance(mechanism, ProductMechanism) else Mechanism(mechanism)).form()


def information_errors(survey: CellLikelihood, population: Sequence[Fraction]) -> Floats:
    """Return standard errors of the maximum likelihood proportions, shape (cells,).

    Cells with the estimate 0 are treated as known to be 0.
    Let ``M = m sum C^T diag(f/lambda^2) C`` on the positive cells be the observed information. The covariance under the
    constraint ``sum pi = 1`` is ``M^-1 - M^-1 1 1^T M^-1/(1^T M^-1 1)``. If M is singular, the responses do not
    determine some direction, and the errors are infinite.
    """
    x = np.array(population, np.float64)
    positive = np.flatnonzero(x)
    columns = survey.columns(positive)
    scaled = columns * np.sqrt(survey.n * survey.shares)[:, None] / survey.forward(x)[:, None]
    centred = scaled[:, 1:] - scaled[:, :1]  # the first proportion is 1 minus the others
    errors = np.zeros(len(x))
    if len(positive) > 1:
        covariance = np.linalg.pinv(centred.T @ centred, hermitian=True)
        errors[positive[1:]] = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        errors[positive[0]] = np.sqrt(max(float(covariance.sum()), 0.0))
        silent = np.linalg.matrix_rank(centred) < len(positive) - 1
        if silent:
            errors[positive] = np.inf
    return errors
