"""The maximum likelihood estimate of the joint distribution of several questions, with a proved bound on its error.

The respondents form groups g with devices C_g and histograms N_g, and m is the total number of responses. The
log-likelihood per response ``f(pi) = sum_g sum_y N_gy/m log (C_g pi)_y`` is concave. Let
``G = sum_g C_g^T (N_g/(m C_g pi))``. Every distribution x satisfies ``f(x) - f(pi) <= G . (x - pi) <= max_x G_x - 1``.
The bound ``max_x G_x - 1`` is called the *gap*. It is 0 if and only if pi is a maximum (Kuhn and Tucker).

Floating point proposes a distribution. The proposal is rounded to a common denominator that is a power of two. Its gap
is computed in exact arithmetic, with each quotient ``N/lambda`` rounded up. The checker's statement `likelihood-gap`
computes the same gap.

*The proposal in floating point.* The function ``sum pi - f(pi)`` is convex, and its minimum over pi >= 0 lies on the
simplex. Its gradient is ``1 - G``. The steps are:

* Some steps of the EM algorithm, starting at the uniform distribution.
* Projected Newton steps, down to gaps of 1e-12 (Bertsekas, Projected Newton methods for optimization problems with
  simple constraints, 1982; Kim, Carbonetto, Stephens and Anitescu, A fast algorithm for maximum likelihood estimation
  of mixture proportions, 2020, for a matrix that is written out). Conjugate gradients solve the Newton equations with
  products of the devices. Memory and time per step are therefore not quadratic in the number of cells, and only NumPy
  is imported.
* If the equations are nearly singular (very noisy devices), an interior point method on a sequence of faces of the
  simplex.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import decimal_text
from rropt.core.results import Result, labelled
from rropt.mechanisms import ProductMechanism
from rropt.mechanisms.kronecker import block_product, merged_factors, size_text
from rropt.survey.estimates.likelihood import propose
from rropt.survey.questions.responses import Answers, EqualByArrays
from rropt.survey.questions.tables import Cells, TableEstimate, estimate_cells, marginal_of

Floats = NDArray[np.float64]
Group = tuple[ProductMechanism, NDArray[np.int64]]  # the devices, and the counts of the combinations of outputs

_DENSE = 1 << 22  # the largest number of entries of a dense matrix for several groups: 32 MiB
_FIRST_STEPS = 30  # steps of the EM algorithm
_NEWTON_STEPS = 100  # 10 to 50 are usual
_FLOAT_GAP = 2e-12  # the gap at which floats stop; sums of some thousand terms near 1 are not more precise
_SHORTEST = 1e-8  # the shortest fraction of a Newton step; below it the decrease is less than the rounding error
_FALL = 1e-4  # a step is halved if the value decreases by less than this fraction of the predicted decrease (Armijo)
_ROUNDING = 1e-14  # relative rounding error of the value, a sum of some thousand logarithms
_SMALL = 1e-3  # relative to 1/cells: a smaller proportion, if also below the distance to the maximum, counts as 0
_MOST_FREE = 4  # the inverse is used as a preconditioner if more than a quarter of the cells is free
_LEAST_SCALE = 1e-12  # the least scale of a cell; the equations are scaled by the proportions, which can be 0
_NEAR = 1e-5  # below this gap the set of cells at 0 hardly changes, and the equations are solved accurately
_SOLVING = 100, 1500  # the largest number of conjugate gradient steps above and below the gap _NEAR
_LOOSE = 0.1  # relative accuracy of the solution of equations, or the square root of the gap if that is smaller
_ENOUGH = 1e-10  # the interior point method runs only if the gap in floats is above this
_FACES = 12  # the largest number of faces of the simplex; 2 to 5 are usual
_FACE = 400  # the least number of cells of a face; a step then takes some hundredths of a second for 4096 outputs
CLEARLY_FEW = 1e-13  # a proportion below this may be replaced by 0, since no survey can distinguish it from 0


class Survey:
    """The devices and histograms of all groups, as linear maps between the cells and the observed responses."""

    def __init__(self, groups: Sequence[tuple[ProductMechanism, NDArray[np.int64]]]) -> None:
        self.groups = groups
        self.cells = groups[0][0].inputs
        self.n = sum(int(counts.sum()) for _, counts in groups)
        self.given = [np.flatnonzero(counts) for _, counts in groups]
        self.shares: Floats = np.concatenate(
            [counts[given] / self.n for (_, counts), given in zip(groups, self.given, strict=True)]
        )
        self._blocks = [merged_factors([device.to_numpy() for device in product.factors]) for product, _ in groups]
        self._turned = [[np.ascontiguousarray(block.T) for block in blocks] for blocks in self._blocks]
        self._ends = np.cumsum([len(given) for given in self.given])[:-1]
        self._inverses = self._inverted() if len(groups) == 1 else None
        self._matrix: Floats | None = None
        if len(groups) > 1 and len(self.shares) * self.cells <= _DENSE:
            self._matrix = self.columns(np.arange(self.cells))

    def forward(self, x: Floats) -> Floats:
        """Return the probabilities of the observed responses, one group after the other."""
        if self._matrix is not None:
            return np.asarray(self._matrix @ x)
        parts = [block_product(blocks, x)[given] for blocks, given in zip(self._blocks, self.given, strict=True)]
        return np.concatenate(parts)

    def adjoint(self, weights: Floats) -> Floats:
        """Apply the transpose of ``forward``: return for each cell the weighted sum of its response probabilities."""
        if self._matrix is not None:
            return np.asarray(weights @ self._matrix)
        total = np.zeros(self.cells)
        for (product, _), turned, given, part in zip(
            self.groups, self._turned, self.given, np.split(weights, self._ends), strict=True
        ):
            whole = np.zeros(product.outputs)
            whole[given] = part
            total += block_product(turned, whole)
        return total

    def columns(self, cells: NDArray[np.intp]) -> Floats:
        """Return the probabilities of the observed responses given some cells, shape (responses, cells)."""
        if self._matrix is not None:
            return np.asarray(self._matrix[:, cells])
        parts = []
        for blocks, given in zip(self._blocks, self.given, strict=True):
            part, rows, columns = np.ones((len(given), len(cells))), given, cells
            for block in blocks:
                rows, row = np.divmod(rows, block.shape[0])
                columns, column = np.divmod(columns, block.shape[1])
                part *= block[row][:, column]
            parts.append(part)
        return np.concatenate(parts)

    def _inverted(self) -> tuple[list[Floats], list[Floats]] | None:
        """Return the inverses of the devices and their transposes; None unless all outputs occur and all are square."""
        if len(self.shares) < self.groups[0][0].outputs or any(len(b) != b.shape[1] for b in self._blocks[0]):
            return None
        try:
            inverses: list[Floats] = [np.asarray(np.linalg.inv(b), np.float64) for b in self._blocks[0]]
        except np.linalg.LinAlgError:
            return None
        return inverses, [np.ascontiguousarray(block.T) for block in inverses]

    def solved(self, chances: Floats, right: Floats) -> Floats | None:
        """Solve ``C^T diag(1/lambda) C d = right`` on all cells; None if the devices have no inverse."""
        if self._inverses is None:
            return None
        inverses, turned = self._inverses
        return block_product(inverses, chances * block_product(turned, right))


def proposal(survey: Survey) -> Floats:
    """Return a distribution near the maximum, shape (cells,), in floats."""
    x, gap = _newton(survey, _first(survey))
    if gap > _ENOUGH:
        other, its_gap = _newton(survey, _by_faces(survey, x))
        x = other if its_gap < gap else x
    return x


def _first(survey: Survey) -> Floats:
    """Return the distribution after the first steps of the EM algorithm, which lies in the interior of the simplex."""
    x = np.full(survey.cells, 1.0 / survey.cells)
    for _ in range(_FIRST_STEPS):
        x = x * survey.adjoint(survey.shares / survey.forward(x))
        x /= x.sum()
    return x


def _by_faces(survey: Survey, x: Floats) -> Floats:
    """Return a better proposal if Newton's equations are nearly singular (very noisy devices).

    The interior point method for one question runs on a face of the simplex, given by the cells with positive
    proportions and those with the largest gains G_x. The gains at its solution determine the cells of the next face.
    """
    for _ in range(_FACES):
        gains = survey.adjoint(survey.shares / survey.forward(x))
        if gains.max() - 1 < _ENOUGH:
            break
        order = np.argsort(np.where(x > 0, np.inf, gains))[::-1]
        cells = np.sort(order[: max(_FACE, 2 * int((x > 0).sum()))])[: _FACE * 4]
        inside = propose(survey.columns(cells), survey.shares)
        x = np.zeros(survey.cells)
        x[cells] = np.where(inside > CLEARLY_FEW, inside, 0.0)
        x /= x.sum()
    return x


def _newton(survey: Survey, x: Floats) -> tuple[Floats, float]:
    """Return the best iterate of the projected Newton method, and its gap in floats.

    A step solves ``H d = G - 1`` with ``H = C^T diag(f/lambda^2) C`` on the free cells. Free are the cells clearly
    above 0, and those whose gain exceeds 1. All other cells become 0. The step length t on the path ``max(x + t d, 0)``
    is halved until the value decreases.
    """
    shares = survey.shares
    best, least = x, np.inf
    chances = survey.forward(x)
    if not chances.min() > 0:
        return best, least
    value = -float(shares @ np.log(chances))
    for _ in range(_NEWTON_STEPS):
        gains = survey.adjoint(shares / chances)
        gap = float(gains.max()) - 1.0
        if gap < least:
            best, least = x, gap
        if gap < _FLOAT_GAP:
            break
        distance = max(gap, float(x @ np.abs(gains - 1.0)))
        small = min(_SMALL, distance) / survey.cells
        cells = np.flatnonzero((x > small) | (gains > 1.0))
        step = -x
        scale = np.maximum(x[cells], max(small, _LEAST_SCALE))
        step[cells] = _step(survey, chances, (gains - 1.0)[cells], cells, scale, gap)
        length = 1.0
        while length > _SHORTEST:
            following = np.maximum(x + length * step, 0.0)
            following /= following.sum()
            trial = survey.forward(following)
            if trial.min() > 0:
                reached = -float(shares @ np.log(trial))
                promised = min(float((1.0 - gains) @ (following - x)), 0.0)
                if reached <= value + _FALL * promised + _ROUNDING * abs(value):
                    break
            length /= 2
        else:
            break
        x, chances, value = following, trial, reached
    return best, least


def _step(survey: Survey, chances: Floats, right: Floats, cells: NDArray[np.intp], scale: Floats, gap: float) -> Floats:
    """Solve Newton's equations on some cells by conjugate gradients, with a precision that depends on the gap.

    If the observed proportions are close to their probabilities, H is close to ``C^T diag(1/lambda) C``. The inverse of
    this matrix is known if that of C is known, and its block on the cells is then the preconditioner. Otherwise the
    equations are scaled by the proportions.
    """
    weights, whole = survey.shares / chances**2, np.zeros(survey.cells)

    def times(vector: Floats) -> Floats:
        whole[cells] = vector
        return survey.adjoint(weights * survey.forward(whole))[cells]

    def nearly_solved(vector: Floats) -> Floats:
        if _MOST_FREE * len(cells) > survey.cells:
            whole[cells] = vector
            found = survey.solved(chances, whole)
            if found is not None:
                return found[cells]
        return scale * vector

    most = _SOLVING[gap < _NEAR]
    return _conjugate_gradients(times, nearly_solved, right, min(_LOOSE, math.sqrt(gap)), most)


def _conjugate_gradients(
    times: Callable[[Floats], Floats], nearly_solved: Callable[[Floats], Floats], right: Floats, part: float, most: int
) -> Floats:
    """Solve a positive definite system by conjugate gradients with a preconditioner.

    Stop if the relative residual is at most ``part``, or after ``most`` steps.
    """
    x, rest = np.zeros_like(right), right
    direction = nearly_solved(rest)
    size = float(rest @ direction)
    enough = part * part * size
    for _ in range(most):
        image = times(direction)
        curvature = float(direction @ image)
        if size <= enough or curvature <= 0:
            break
        x = x + size / curvature * direction
        rest = rest - size / curvature * image
        better = nearly_solved(rest)
        following = float(rest @ better)
        direction = better + following / size * direction
        size = following
    return x


# The largest number of cells of a joint distribution for the maximum likelihood estimate. A certificate with more cells
# would exceed the work limit of the checker.
MAX_LIKELY_CELLS = 1 << 16

# Bits of the denominator of the distribution, and of the quotients that are rounded up. Floats have 53 bits, so the
# rounding is far below the precision of floats. Files for 4096 cells have some hundred kilobytes.
POPULATION_BITS = 64
QUOTIENT_BITS = 64

_TOLD = 1e-6  # a difference of the two estimates above this leads to a remark; no survey can detect a smaller one


@dataclass(frozen=True, slots=True, eq=False)
class JointEstimate(Result, EqualByArrays):
    """The unbiased and the maximum likelihood estimate of the joint distribution of some questions.

    Attributes:
        table: the unbiased estimate, with its variances.
        population: the maximum likelihood estimate on the simplex, shape (cells,); its marginals are consistent.
        likelihood_gap: an upper bound on the log-likelihood per response that any other distribution can gain.
    """

    table: TableEstimate
    population: tuple[Fraction, ...]
    likelihood_gap: Fraction

    LABELS = labelled(
        population="most likely proportion of each cell",
        likelihood_gap="log-likelihood per response that others gain at most",
        difference="largest difference from the unbiased estimate",
        table="",
    )

    @property
    def groups(self) -> tuple[Group, ...]:
        """The devices and histograms of the groups, which are the data of a certificate."""
        return likelihood_groups(self.table)

    def marginal(self, questions: Sequence[int]) -> Cells:
        """Return the marginal of the maximum likelihood estimate for some of the questions."""
        return marginal_of(self.population, self.table.sizes, [self.table.questions.index(q) for q in questions])

    def standard_errors(self) -> Floats:
        """Return standard errors of the maximum likelihood estimate: see ``information_errors``."""
        return information_errors(Survey(self.groups), self.population)

    def difference(self) -> float:
        """Return the largest absolute difference between the two estimates of a cell."""
        return float(np.abs(self.table.floats() - np.array(self.population, np.float64)).max())

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        remarks = list(self.table.remarks())
        if self.difference() > _TOLD:
            why = "with several devices, or more outputs than categories, the two weight the responses differently"
            if self.table.floats().min() < 0:
                why = "the unbiased one leaves the simplex"
            remarks.append(
                f"the unbiased and the most likely estimate differ by up to {decimal_text(self.difference(), 3)} in a "
                f"cell: {why}; report the first for averages over surveys, the second as a distribution"
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
) -> JointEstimate:
    """Return the unbiased and the maximum likelihood estimate of the joint distribution of some questions.

    Args:
        answers, questions, weights: as for ``estimate_cells``; the weights affect the unbiased estimate only.

    Raises:
        The exceptions of ``estimate_cells``, and UnsupportedProblemError for more than 2^16 cells.

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
        return JointEstimate(table, table.estimate, Fraction(0))  # it reproduces the observed proportions exactly
    population, gap = most_likely(groups)
    return JointEstimate(table, population, gap)


def likelihood_groups(table: TableEstimate) -> tuple[Group, ...]:
    """Return the devices and histograms of the groups of a table."""
    return tuple(
        (ProductMechanism(group.devices(table.questions)), group.histogram(table.questions)) for group in table.groups
    )


def most_likely(groups: Sequence[Group]) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return a maximum likelihood distribution on the simplex, and its gap per response (exact, rounded up).

    Args:
        groups: product mechanisms and histograms of their outputs, shape (m_g,), all with the same cells.

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
    if not found:  # very unequal counts: after rounding, an observed response has probability 0
        uniform = (Fraction(1, cells),) * cells
        found.append((likelihood_gap(groups, uniform) or Fraction(0), uniform))
    gap, population = min(found, key=lambda pair: pair[0])
    return population, gap


def likelihood_gap(
    groups: Sequence[tuple[ProductMechanism, Any]], population: Sequence[Fraction], bits: int = QUOTIENT_BITS
) -> Fraction | None:
    """Return the gap ``max_x G_x - 1`` of a distribution, with each quotient ``N/lambda`` rounded up.

    The quotients are multiples of ``2^-bits``. The computation is exact, as in the checker's
    statement `likelihood-gap`.
    The result is ``None`` if an observed response has probability 0 under the distribution.

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


def _candidates(survey: Survey) -> list[tuple[Fraction, ...]]:
    """Return rational distributions near the maximum: the proposal in floats, also with its smallest proportions
    replaced by 0."""
    x = proposal(survey)
    made = [_rational(x)]
    if (x[x > 0] < CLEARLY_FEW).any():
        made.append(_rational(np.where(x < CLEARLY_FEW, 0.0, x)))
    if x.max() > 1 - 1e-6:  # a single cell may contain everybody
        made.append(tuple(Fraction(int(cell == x.argmax())) for cell in range(survey.cells)))
    return made


def _rational(x: Floats) -> tuple[Fraction, ...]:
    """Return proportions with a power of two as common denominator that sum to 1; the largest absorbs the rounding."""
    scale = 1 << POPULATION_BITS
    mantissas = [int(share * 2.0**53) << (POPULATION_BITS - 53) for share in (x / x.sum()).tolist()]
    mantissas[int(np.argmax(x))] += scale - sum(mantissas)
    return tuple([Fraction(mantissa, scale) for mantissa in mantissas])
