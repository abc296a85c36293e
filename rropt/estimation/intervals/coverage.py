"""Coverage of an interval method, summed exactly over all answers that a survey may bring."""

from __future__ import annotations

from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.counts import answer_count
from rropt.estimation.distributions import exact_confidence, weights_of_counts
from rropt.estimation.intervals.confidence_interval import DEFAULT_CONFIDENCE, binary_reduction, reduced_interval
from rropt.estimation.intervals.kinds import interval_kind
from rropt.exact import rational
from rropt.mechanisms import Mechanism


def coverage(
    mechanism: Mechanism, n: object, prevalence: object, kind: str, confidence: object = DEFAULT_CONFIDENCE
) -> Fraction:
    """Return the probability that an interval from n answers holds the true prevalence, exactly.

    ``sum over y of C(n, y) lambda^y (1 - lambda)^(n - y) [pi in I(y)]`` with ``lambda = (1 - pi)(1 - p00) + pi p11``:
    summed in integers, not simulated. Cost: n + 1 intervals.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        n: number of answers.
        prevalence: the true Pr(X = 1), exact, in [0, 1].
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        confidence: the nominal confidence, exact, in (0, 1).

    Returns:
        The coverage as a rational.

    Raises:
        InvalidParameterError: a parameter outside its domain.
        InfeasibleError: p00 + p11 = 1.

    >>> from rropt.mechanisms import Mechanism
    >>> exact = coverage(Mechanism.binary(1, 1), 2, "1/2", "normal")  # only "one of two" covers: Wald fails badly
    >>> exact, float(exact)
    (Fraction(1, 2), 0.5)
    """
    total = answer_count(n, "n", least=1)
    truth = rational(prevalence, name="prevalence")
    if not 0 <= truth <= 1:
        raise InvalidParameterError(
            f"prevalence is out of range: received {shown(prevalence)}; allowed is 0 <= pi <= 1"
        )
    level = exact_confidence(confidence)
    chosen, reduction = interval_kind(kind), binary_reduction(mechanism)
    share = reduction.share(truth)
    covered = sum(
        weight
        for y, weight in enumerate(weights_of_counts(total, share))
        if weight and truth in reduced_interval(chosen, reduction, y, total, level)
    )
    return Fraction(covered, share.denominator**total)
