"""Minimax risk of a prevalence: the smallest worst-case mean squared error of any estimator, computed exactly.

Each of n respondents, drawn independently with Pr(X = 1) = pi, gives one response at an (epsilon, delta) level. The
counts of one mechanism suffice for all mechanisms and all estimators:

1. Every such response is a randomization of the response of the *four-output mechanism*
   (``designs/two_inputs.py``). With probability delta that response is certain and reveals X. Otherwise it is a
   randomized response at gamma = exp(epsilon). At delta = 0 no response is certain.
2. The same holds for each response of a sequentially interactive protocol, given the earlier responses.
3. An estimator from randomized data has no smaller mean squared error than its conditional expectation given the data.

The counts are

* a, the number of certain responses, binomial with probability delta;
* c, the number of 1s among these, binomial with probability pi;
* y, the number of 1s among the others, binomial with probability ``lambda = (1 + (gamma-1) pi)/(gamma+1)``.

Estimators may be biased. The minimax value is

    value = min over t(a, c, y) of max over pi in [0, 1] of R_t(pi) = E (t - pi)^2

Without randomization (delta = 1, or gamma infinite) the value is ``1/(4 (1 + sqrt n)^2)`` (Hodges and Lehmann 1950).

The estimator is close to the posterior mean under the least favourable prior (``minimax_search``). An exact test
(``minimax_proof``) proves ``upper`` by Bernstein coefficients of R on cells, and ``lower`` by the Bayes risk of the
prior.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from rropt.core.errors import CertificateError, FileFormatError, InvalidParameterError, required, shown
from rropt.core.exact import Bracket, Delta, Epsilon
from rropt.core.exact.numbers import nearest_float
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun
from rropt.designs.minimax_proof import is_at_least, is_at_most
from rropt.designs.two_inputs import four_rows
from rropt.mechanisms import Mechanism
from rropt.privacy import PrivacyRegion, RationalLevel

if TYPE_CHECKING:
    from rropt.designs.minimax_search import DiscretePrior, Floats, ResponseCounts

MOST_RESPONDENTS = 300  # with more respondents, the search takes minutes
MOST_WITH_DELTA = 40  # 12 341 counts
_DIGITS = 40  # of an irrational gamma or delta
_UNIT = 2**50  # numbers of the estimator and of the prior are multiples of 1/_UNIT
_END_DIGITS = 16  # decimals of the claimed bounds
_SLACKS = (1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)  # relative: the bounds are widened by these until they are proved
_LEAST_DELTA = 1e-300  # smallest positive delta in floats


@dataclass(frozen=True, slots=True)
class MinimaxRisk(Result):
    """The minimax mean squared error of a prevalence, over all mechanisms at a privacy level and all estimators.

    Attributes:
        epsilon, delta: the privacy level of each response.
        n: the number of respondents.
        lower: a proved lower bound, tested exactly: no estimator from any mechanism has a smaller worst case.
        upper: a proved upper bound, tested exactly: the mean squared error of the estimator at every prevalence.
        estimator: the estimates from responses through ``mechanism``. The first row is for 0, 1, ..., n responses yes.
            If delta > 0, that row is for no certain responses, and the other rows are for (certain responses, certain
            yes) = (1, 0), (1, 1), (2, 0), ...; see ``estimate``.
        points: the points of a nearly least favourable prior of the prevalence.
        weights: the prior probabilities of these points.
    """

    epsilon: Epsilon
    delta: Delta
    n: int
    lower: Fraction
    upper: Fraction
    estimator: tuple[tuple[Fraction, ...], ...]
    points: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]

    ANSWER = ("lower", "upper", "epsilon", "n")
    LABELS = labelled(
        epsilon="epsilon of one response",
        delta="delta",
        n="respondents",
        lower="lower bound of the minimax mean squared error",
        upper="worst case of this estimator, at most",
        gap="relative gap",
        unbiased="worst case of the best unbiased estimator",
        times="ratio of the two worst cases",
        mechanism="mechanism",
        proof="bounds",
        usage="estimate",
        estimator="estimator",
    )

    def estimate(self, yes: int, *, certain: tuple[int, int] = (0, 0)) -> Fraction:
        """Return the estimate of the prevalence for given counts.

        Args:
            yes: the number of responses "yes", without certain ones.
            certain: the numbers of responses "certainly no" and "certainly yes"; only if delta > 0.

        >>> print(minimax_risk("log(3)", 1).estimate(1))
        3/4
        """
        counts = (yes, *certain)
        others = self.n - sum(certain)
        row = sum(certain) * (sum(certain) + 1) // 2 + certain[1]
        if any(type(x) is not int or x < 0 for x in counts) or yes > others or row >= len(self.estimator):
            raise InvalidParameterError(
                f"these are not counts of {self.n} responses: received yes = {shown(yes)}, certain = "
                f"{shown(certain)}; allowed are counts >= 0 with sum at most {self.n}, certain ones only if delta > 0"
            )
        return self.estimator[row][yes]

    @property
    def proof(self) -> str:
        """How the bounds are proved, in words."""
        return "computed exactly, no certificate"

    @property
    def usage(self) -> str:
        """How to look up an estimate in ``estimator``, in words."""
        if len(self.estimator) == 1:
            return "estimator[0][number of answers yes]"
        return (
            "estimator[a (a + 1)/2 + c][y] of a certain answers, c of these yes, and y yes among the others; "
            "answers are certainly no, no, yes, certainly yes"
        )

    @property
    def gap(self) -> float:
        """The relative gap ``upper/lower - 1``."""
        return float(self.upper / self.lower - 1)

    @property
    def level(self) -> RationalLevel:
        """The rational level of the mechanism and the estimator: the given level, or one just below it."""
        return PrivacyRegion(self.epsilon, self.delta).bracket(_DIGITS).below

    @property
    def mechanism(self) -> Mechanism:
        """Randomized response; if delta > 0, the mechanism with outputs certainly no, no, yes, certainly yes."""
        rows = four_rows(self.level.gamma, self.level.delta)
        return Mechanism(rows if self.level.delta else rows[1:3])

    @property
    def unbiased(self) -> Fraction:
        """The smallest worst-case variance of an unbiased estimator from the same responses.

        It is ``1/(4 n (delta + (1 - delta) (gamma-1)^2/(gamma+1)^2))``: the Cramer-Rao bound at pi = 1/2, which a mean
        of scores attains.
        """
        gamma, delta = self.level.gamma, self.level.delta
        return 1 / (4 * self.n * (delta + (1 - delta) * ((gamma - 1) / (gamma + 1)) ** 2))

    @property
    def times(self) -> float | None:
        """The worst case of the best unbiased estimator divided by ``upper``; ``None`` if it exceeds 1.8e308."""
        return nearest_float(self.unbiased / self.upper)

    def checked(self) -> None:
        """Test the bounds of a saved result again, exactly.

        Raises:
            FileFormatError: the estimator or the prior has another shape, or the bounds are not proved.
        """
        certain = self.n if self.delta.rational != 0 else 0
        shape = [self.n - a + 1 for a in range(certain + 1) for _ in range(a + 1)]
        fits = [len(row) for row in self.estimator] == shape and len(self.points) == len(self.weights) > 0
        if not fits or not _is_proved(self):
            raise FileFormatError(
                f"the record of a minimax risk is not proved: received the bounds {float(self.lower):.9g} and "
                f"{float(self.upper):.9g}; use the record as it was written, or solve the problem again"
            )


def minimax_risk(
    epsilon: object, n: int, *, delta: object = 0, progress: Callable[[str], None] | None = None
) -> MinimaxRisk:
    """Return the proved minimum of the worst-case mean squared error of a prevalence, with its estimator.

    Args:
        epsilon: the epsilon of one response, > 0, in any form that ``Epsilon.of`` accepts.
        n: the number of respondents, from 1 to 300; up to 40 if delta > 0.
        delta: the delta of one response, in any form that ``Delta.of`` accepts.
        progress: a function called at the start of each step (the search, the proof).

    Raises:
        InvalidParameterError: epsilon is 0 or infinite, or n is out of range.
        CertificateError: no bracket with relative gap 1e-5 could be proved.

    >>> found = minimax_risk("log(5)", 5)
    >>> round(float(found.upper), 7), found.gap < 1e-8, round(found.times, 2)
    (0.0524994, True, 2.14)
    """
    from rropt.designs.minimax_search import estimator, least_favourable

    region = PrivacyRegion(epsilon, delta)
    most = MOST_RESPONDENTS if region.delta.rational == 0 else MOST_WITH_DELTA
    if type(n) is not int or not 1 <= n <= most:
        raise InvalidParameterError(
            f"the number of respondents is out of range: received {shown(n)}; allowed is an integer from 1 "
            f"to {MOST_RESPONDENTS}, with delta above 0 to {MOST_WITH_DELTA}"
        )
    if region.epsilon.is_infinite or region.epsilon == Epsilon.of(0):
        raise InvalidParameterError(
            f"epsilon is not above 0 and finite: received {region.epsilon}; allowed is 0 < epsilon <= 100; at epsilon "
            "= delta = 0 no response reveals anything and the minimax risk is 1/4, that of the estimate 1/2; without "
            "privacy it is 1/(4 (1 + sqrt n)^2)"
        )
    survey = _survey(region, n)
    if progress is not None:
        required(progress, Callable, "`progress`", "a function of one text")  # type: ignore[arg-type]
    tell = progress or (lambda text: None)
    tell(f"searching the least favourable prior for {with_noun(n, 'respondent')}")
    prior = least_favourable(survey)
    tell(f"proving the bracket, with a prior of {with_noun(len(prior.points), 'point')}")
    return _proved(region, survey, prior, estimator(survey, prior))


def _survey(region: PrivacyRegion, n: int) -> ResponseCounts:
    """Return the survey in floats."""
    from rropt.designs.minimax_search import ResponseCounts

    below = region.bracket(_DIGITS).below
    tiny = _LEAST_DELTA if below.delta else 0.0  # a delta rounded to 0 would change the number of counts
    return ResponseCounts(float(below.gamma), max(float(below.delta), tiny), n)


def _is_proved(found: MinimaxRisk) -> bool:
    """Return whether both bounds pass the exact test."""
    levels = PrivacyRegion(found.epsilon, found.delta).bracket(_DIGITS)
    return is_at_least(found.lower, found.points, found.weights, levels.above, found.n) and is_at_most(
        found.upper, found.estimator, levels.below
    )


def _proved(region: PrivacyRegion, survey: ResponseCounts, prior: DiscretePrior, t: Floats) -> MinimaxRisk:
    """Return the result for approximate numbers, with the tightest bounds that pass the exact test."""
    from rropt.designs.minimax_search import peaks, risk

    value = float(prior.weights @ risk(survey, t, prior.points))
    worst = float(risk(survey, t, peaks(survey, t)).max())
    numbers, points, weights = (tuple(Fraction(round(x * _UNIT), _UNIT) for x in part) for part in (t, *prior))
    found = iter(numbers)
    rows = tuple(tuple(islice(found, others + 1)) for a, others in survey.shapes for _ in range(a + 1))
    heaviest = weights.index(max(weights))
    rest = sum(weights) - weights[heaviest]
    weights = (*weights[:heaviest], 1 - rest, *weights[heaviest + 1 :])
    for slack in _SLACKS:
        ends = Bracket(Fraction(value) * Fraction(1 - slack), Fraction(worst) * Fraction(1 + slack))
        ends = ends.rounded_outwards(_END_DIGITS)
        made = MinimaxRisk(region.epsilon, region.delta, survey.n, ends.lower, ends.upper, rows, points, weights)
        if _is_proved(made):
            return made
    raise CertificateError(
        f"no bracket was proved: received n = {survey.n}, {region}; allowed are fewer respondents or a smaller "
        "epsilon; change one of these"
    )
