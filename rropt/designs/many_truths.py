"""The largest weighted trace over more than 300 categories: formulas give the mechanism and the bound.

The theorem is in ``weighted_trace``. Categories of equal weight are stored as runs. A *chosen* category is an output
for every input. The optimal design chooses all categories of a run or none of them, because the value
``gamma W/(gamma + m - 1)`` is monotone in m along a run. If all categories are chosen, the mechanism is k-ary
randomized response. A positive delta then means a larger gamma: ``p = (gamma + delta (k - 1))/(gamma + k - 1)``. Long
probabilities are rounded down to multiples of 2^-62, so that clients compare integers of 62 bits. The expected 0/1 loss
is 1 minus the trace whose weights are the proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import both_texts
from rropt.designs.problem import Problem, UniformProblem
from rropt.designs.solution import ProvedDesign
from rropt.mechanisms import BlockMechanism, Mechanism, RestrictedResponse
from rropt.mechanisms.families import Direct
from rropt.objectives.trace import WeightRuns

if TYPE_CHECKING:
    from rropt.designs.closed_forms import ClosedForm
    from rropt.privacy.region import RationalLevels

_TRUTH_BITS = 62  # of the probability of a true response, about e^epsilon/k: 2^-20 for a million categories


@dataclass(frozen=True, slots=True)
class TraceFound(ProvedDesign):
    """An optimal design for the weighted trace, given by formulas, which are its proof.

    The mechanism is k-ary randomized response, or randomized response over the chosen categories.
    """

    @property
    def _reported(self) -> int:
        made = self.mechanism
        return made.chosen if isinstance(made, RestrictedResponse) else made.inputs

    def extra_fields(self) -> dict[str, Any]:
        """Return the number of chosen categories, and the probability that they are reported truthfully."""
        return {"reported": self._reported, "truth": self._truth}

    @property
    def _truth(self) -> Fraction:
        """The probability of a true response from a respondent in a chosen category."""
        made = self.mechanism
        if not isinstance(made, RestrictedResponse):
            return made[0, 0]
        return made.revealed + (1 - made.revealed) * made.told

    def lines(self) -> list[tuple[str, str]]:
        """Return the number of chosen categories and their truth probability, as label and value."""
        which = "all" if self._reported == self.mechanism.inputs else f"{self._reported} of {self.mechanism.inputs}"
        return [
            ("categories reported for every truth", which),
            ("true response of them, probability", both_texts(self._truth)),
        ]


def largest_of_runs(weights: WeightRuns, gamma: Fraction) -> tuple[Fraction, tuple[bool, ...]]:
    """Return ``V = max_m gamma W_m / (gamma + m - 1)``, and for each run whether its categories are chosen.

    >>> value, chosen = largest_of_runs(WeightRuns([(1, 1), (1, "1/10"), (1, "1/2")]), Fraction(3))
    >>> str(value), chosen
    ('9/8', (True, False, True))
    """
    order = sorted(range(len(weights.runs)), key=lambda i: -weights.runs[i][1])
    best, taken, count, total = Fraction(-1), 0, 0, Fraction(0)
    for place, i in enumerate(order, start=1):
        n, w = weights.runs[i]
        count, total = count + n, total + n * w
        value = gamma * total / (gamma + count - 1)
        if value > best or (value == best and gamma > 1):
            best, taken = value, place
    inside = set(order[:taken])
    return best, tuple(i in inside for i in range(len(order)))


def _weights_of(problem: Problem) -> WeightRuns | None:
    """Return the weights of a trace, or the proportions of a 0/1 loss, if they are stored in runs; else ``None``."""
    return problem.objective.weight_runs() if isinstance(problem, UniformProblem) else None


def _mechanism(weights: WeightRuns, gamma: Fraction, delta: Fraction) -> Mechanism:
    """Return the optimal mechanism at a rational level."""
    _, chosen = largest_of_runs(weights, gamma)
    k = len(weights)
    truth = _rounded_down((gamma + delta * (k - 1)) / (gamma + k - 1))
    if all(chosen) and Fraction(1, k) < truth < 1:
        return BlockMechanism(Direct(k), truth * (k - 1) / (1 - truth))
    runs = [(n, c) for (n, _), c in zip(weights.runs, chosen, strict=True)]
    others = sum(n for n, c in runs if c) - 1
    told = _rounded_down(gamma / (gamma + others))
    if told * others >= 1 - told > 0:  # gamma >= 1 after rounding
        gamma = told * others / (1 - told)
    return RestrictedResponse(runs, gamma, _rounded_down(delta))


def _rounded_down(chance: Fraction) -> Fraction:
    """Round a probability with a long denominator down to a multiple of 2^-62."""
    if chance.denominator <= 1 << _TRUTH_BITS:
        return chance
    return Fraction((chance.numerator << _TRUTH_BITS) // chance.denominator, 1 << _TRUTH_BITS)


def trace_by_formulas(problem: Problem, levels: RationalLevels) -> TraceFound:
    """Return the mechanism at the level below, and the bound for all mechanisms at the level above."""
    weights = _weights_of(problem)
    if weights is None:
        raise UnsupportedProblemError(f"the weights are not in runs: received {problem}; use a list of weights")
    mechanism = _mechanism(weights, levels.below.gamma, levels.below.delta)
    most, _ = largest_of_runs(weights, levels.above.gamma)
    total, slack = sum((n * w for n, w in weights.runs), Fraction(0)), levels.above.delta
    own, best = problem.objective.value(mechanism, ()), slack * total + (1 - slack) * most
    if problem.objective.sense == "minimise":  # the 0/1 loss is 1 minus the weighted trace
        return TraceFound(total - best, own, mechanism, None)
    return TraceFound(own, best, mechanism, None)


def is_trace_of_runs(problem: Problem) -> bool:
    """Return whether the objective is a trace with nonnegative weights in runs or a 0/1 loss, under one level."""
    weights, region = _weights_of(problem), problem.region
    if weights is None or min(w for _, w in weights.runs) < 0:
        return False
    return region.has_one_level and region.family == "all" and region.inputs == region.outputs


def form_of_runs(problem: Problem, mechanism: Mechanism) -> ClosedForm:  # a form of a way
    """Raise an error: the symbolic matrix would be too large.

    Raises:
        UnsupportedProblemError: always.
    """
    raise UnsupportedProblemError(
        f"the matrix in symbols is too large: received {problem}; ask for at most 300 categories, whose form is "
        "the same"
    )
