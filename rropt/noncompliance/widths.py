"""Design a binary device under non-compliance: minimize the worst-case width, and compare with the least variance.

Let ``d = p00 + p11 - 1 > 0``. Before the cut to [0, 1], a binary design with n responses gives an interval of width

    ``W = L/d + theta (1 + 1/d)``   if non-compliers are adversarial, or
    ``W = L/d + theta``             if a proportion of exactly theta has one fixed behaviour.

Here L is the width of the exact confidence interval for the proportion of yes, at the count that maximizes it. L does
not depend on the design. The best design therefore maximizes d, for every n and theta. Its parameters are
``p00 = p11 = (gamma + delta)/(1 + gamma)``. Proof: privacy requires ``p11 <= gamma (1 - p00) + delta``, and the same
with p00 and p11 exchanged. The sum of both inequalities is ``(1 + gamma)(p00 + p11) <= 2 (gamma + delta)``.

For delta = 0 this is Warner's device, which also has the least variance, so the least-variance design loses no width
(``rropt.no-width-lost``). Without sampling error (L = 0) and with one fixed behaviour, W does not depend on the design.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from rropt.answers.response_counts import answer_count
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Delta, Epsilon, decimal_text, exact_confidence, rational_where
from rropt.core.results import Result, labelled
from rropt.designs.problem import Problem
from rropt.designs.solving import solve
from rropt.inference.distributions import lower_probability
from rropt.inference.interval_kinds import clopper_pearson
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import probability_texts
from rropt.noncompliance.behaviour_models import behaviours
from rropt.noncompliance.recomputed_results import RecomputedResult

_SEARCHED = 10**6  # up to this n all counts are searched for the widest interval; beyond, the count n/2 is used


@dataclass(frozen=True, slots=True)
class WidthDesign(RecomputedResult, Result):
    """The design with the smallest worst-case width, compared with the design with the smallest variance.

    Attributes:
        mechanism: the design, rational and exactly private.
        width: W of this design.
        sampling: L/d, the part of W that more respondents reduce.
        lower: a lower bound of W over all private designs; equal to ``width`` at a rational level.
        least_variance: the design of least variance at the guessed prevalence.
        its_width: W of that design.
        certificate: the certificate of the design of least variance; the claim ``rropt.no-width-lost`` proves that no
            private design has a larger d.
        epsilon, delta: the privacy level.
        theta: the proportion of non-compliers.
        n: the number of respondents.
        prevalence: the guessed prevalence for the design of least variance.
        free: True if non-compliers may give any response; False if a proportion of exactly theta always gives one
            response or responds at random.
        confidence: the confidence of the interval for the proportion of yes.
    """

    mechanism: Mechanism
    width: Fraction
    sampling: Fraction
    lower: Fraction
    least_variance: Mechanism
    its_width: Fraction
    certificate: Certificate
    epsilon: Epsilon
    delta: Delta
    theta: Fraction
    n: int
    prevalence: Fraction
    free: bool
    confidence: Fraction

    LABELS = labelled(loss="")

    @classmethod
    def recompute(
        cls,
        epsilon: Epsilon,
        delta: Delta,
        theta: Fraction,
        n: int,
        prevalence: Fraction,
        free: bool,
        confidence: Fraction,
    ) -> WidthDesign:
        """Compute the design again from the fields of its record that state the problem."""
        problem = Problem.binary(prevalence, epsilon=epsilon, delta=delta)
        least_variance = solve(problem, "all", fast=True)
        # 30 digits: both bounds of the level are the same float
        bracket, spread = problem.region.bracket(30), widest_interval(n, confidence)
        # the largest p00 = p11 at the rational levels just below and just above the privacy level
        p, most = (
            min((level.gamma + level.delta) / (1 + level.gamma), Fraction(1))
            for level in (bracket.below, bracket.above)
        )

        def width(d: Fraction) -> Fraction:
            return spread / d + theta * (1 + (1 / d if free else 0))

        d, other = 2 * p - 1, least_variance.mechanism
        return cls(
            mechanism=Mechanism.binary(p, p),
            width=width(d),
            sampling=spread / d,
            lower=width(2 * most - 1),
            least_variance=other,
            its_width=width(abs(other.p00 + other.p11 - 1)),
            certificate=least_variance.proof,
            epsilon=epsilon,
            delta=delta,
            theta=theta,
            n=n,
            prevalence=prevalence,
            free=free,
            confidence=confidence,
        )

    @property
    def loss(self) -> Fraction:
        """The relative loss of the design of least variance: its width divided by the least width, minus 1."""
        return self.its_width / self.width - 1

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        best, other = self.mechanism, self.least_variance
        more = max(self.loss, Fraction(0))  # at an irrational level both designs are rounded, and the other may gain
        cut = "" if self.width <= 1 else ", before the bounds are cut to [0, 1]"
        return [
            ("minimax width", f"{decimal_text(self.width)} (sampling {decimal_text(self.sampling)}){cut}"),
            ("its design", "p00 = {}, p11 = {}".format(*probability_texts(best))),
            ("design of least variance", "p00 = {}, p11 = {}".format(*probability_texts(other))),
            ("its width", f"{decimal_text(self.its_width)} ({decimal_text(100 * more, 3)} % more)"),
        ]


def design_noncompliance(
    *,
    epsilon: object,
    theta: object,
    n: object,
    prevalence: object,
    delta: object = 0,
    model: str = "adversarial",
    confidence: object = "0.95",
) -> WidthDesign:
    """Return the binary design with the smallest worst-case width under non-compliance.

    Args:
        epsilon, delta: the privacy level, as for ``Problem.binary``.
        theta: the proportion of non-compliers, in [0, 1].
        n: the number of respondents.
        prevalence: the guessed prevalence for the design of least variance.
        model: ``adversarial``, or one fixed behaviour (``always-no``, ``always-yes`` or ``random``) of a proportion of
            exactly theta.
        confidence: the confidence of the interval for the proportion of yes.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: epsilon = delta = 0; then no design is informative.

    >>> found = design_noncompliance(epsilon="log(9)", theta="0.05", n=1000, prevalence="0.1")
    >>> str(found.mechanism.p00), str(found.loss)
    ('9/10', '0')
    """
    share = rational_where(theta, lambda x: 0 <= x <= 1, "0 <= theta <= 1", name="the proportion of non-compliers")
    found = behaviours(model)
    if [str(one) for one in found] not in [["adversarial"], ["always-no"], ["always-yes"], ["random"]]:
        raise InvalidParameterError(
            f"the width is known for one simple behaviour: received {model}; allowed are adversarial, always-no, "
            "always-yes and random"
        )
    problem = Problem.binary(prevalence, epsilon=epsilon, delta=delta)
    region, level, number = problem.region.one_level(), exact_confidence(confidence), answer_count(n, "n", least=1)
    return WidthDesign.recompute(region.epsilon, region.delta, share, number, problem.prevalence, found[0].free, level)


def widest_interval(n: int, confidence: Fraction) -> Fraction:
    """Return the greatest width over all counts of the exact confidence interval for a proportion.

    For n up to 10^6, floating point locates the count with the widest interval. For larger n the count is n // 2. The
    width at that count is computed exactly.
    """
    y = n // 2
    if n <= _SEARCHED:
        lower = lower_probability(n, np.arange(n + 1), float((1 - confidence) / 2))
        y = int(np.argmax((1 - lower[::-1]) - lower))
    low, high = clopper_pearson(y, n, confidence)
    return high - low
