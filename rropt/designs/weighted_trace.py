"""The largest weighted trace under one privacy level in closed form; this includes every loss that is a weighted trace.

**Theorem.** Let w >= 0 have k entries, W_m be the sum of the m largest, gamma = exp(epsilon) >= 1, delta in [0, 1].
The largest ``sum_i w_i p_ii`` over the (epsilon, delta)-private mechanisms with k inputs and k outputs is

    V(epsilon, delta) = delta sum_i w_i + (1 - delta) V,    V = max_m gamma W_m / (gamma + m - 1).

For equal weights and delta = 0 the value is ``gamma k / (gamma + k - 1)``. If gamma > 1, only k-ary randomized response
attains it (Chai and Nayak 2018, Theorem 4.4). For m = k = 2 with weights pi, it is the optimal binary design for the
0/1 loss.

*Proof that the value is attained.* Let m be a maximizer, and M the m categories of largest weight. Define P0 as
follows:

1. An input in M is reported truthfully with probability ``gamma/(gamma + m - 1)``, and as each other member of M with
   probability ``1/(gamma + m - 1)``.
2. For an input outside M, the output is uniform on M.

Since ``1/(gamma + m - 1) <= 1/m <= gamma/(gamma + m - 1)``, P0 is epsilon-private; its weighted trace is V. The mixture
``delta I + (1 - delta) P0`` reveals the truth with probability delta. It is (epsilon, delta)-private, because the
excess over gamma is convex in P, at most 1 for I, and 0 for P0.

*Proof of the upper bound.*

1. Let A = V and ``alpha_i = max(0, (gamma w_i - A)/(gamma - 1))``. For gamma = 1, let A = w_max and put all of alpha on
   one category of largest weight.
2. ``sum alpha = A``. On M this is ``(gamma - 1) A = gamma W_m - m A``. For a maximizer m, ``gamma w_i >= A`` holds
   exactly for i in M (up to ties), because ``f(m) = gamma W_m/(gamma + m - 1)`` is the mediant of f(m - 1) and
   ``gamma w_m/1``.
3. ``alpha_i <= w_i``, because A >= w_i; and ``gamma (w_i - alpha_i) <= A - alpha_i`` for every i.
4. Split ``w_i - alpha_i = sum_(l != i) x_il`` with ``x_il = alpha_l (w_i - alpha_i)/(A - alpha_i) <= alpha_l/gamma``.
5. With ``e_i,jl = max(0, p_ij - gamma p_il)``:

    sum_i w_i p_ii = sum_i alpha_i p_ii + sum_il x_il p_ii
                  <= sum_i alpha_i p_ii + sum_il x_il (gamma p_il + e_i,il)
                  <= sum_l alpha_l sum_i p_il + sum_il x_il delta = A + delta (sum w - A).

These multipliers are the dual solution in the certificate, for every delta. With delta = 0 the program has
``t_i = min_j p_ij`` instead of the excesses. Its multipliers are ``alpha_j`` for ``p_ij >= t_i`` (j != i) and
``w_i - alpha_i`` for ``gamma t_i >= p_ii``.

*Losses.* If ``c_ij = pi_j L_ij = b_j - w_j [i = j]`` with w >= 0, the expected loss is ``sum b - sum w_j p_jj``. For
example, the 0/1 loss is the weighted trace with ``w = pi``.

Sources: Chai and Nayak (2018), Theorem 4.4; Kairouz, Oh and Viswanath (2016) for k-ary randomized response. The optimum
is not unique in general, because inputs outside M may be treated in other ways.

*More than 300 categories.* Formulas give the mechanism and the bound. Categories of equal weight are stored as runs. A
*chosen* category is an output for every input. The optimal design chooses all categories of a run or none of them,
because the value ``gamma W/(gamma + m - 1)`` is monotone in m along a run. If all categories are chosen, the mechanism
is k-ary randomized response. A positive delta then means a larger gamma:
``p = (gamma + delta (k - 1))/(gamma + k - 1)``. Long probabilities are rounded down to multiples of 2^-62, so that
clients compare integers of 62 bits. The expected 0/1 loss is 1 minus the trace whose weights are the proportions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import both_texts
from rropt.designs.design_programs import DesignProgram
from rropt.designs.problem import Problem
from rropt.designs.rounding import bits_of, result_of, short_dual
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.linear_writer import Name
from rropt.mechanisms import BlockMechanism, Mechanism, RestrictedResponse
from rropt.mechanisms.families import Direct
from rropt.objectives.trace import WeightRuns
from rropt.privacy.region import RationalLevels

# A longer dual is rounded: weights with different denominators of 30 digits give numbers of 6000 digits at k = 200, and
# these cost the checker more than its budget.
MOST_DUAL_BITS = 2_000_000

Trace = tuple[list[Fraction], list[Fraction]]  # weights w, offsets b: minimize the cost ``b_j - w_j [i = j]``


def largest_trace(runs: Sequence[tuple[int, Fraction]], gamma: Fraction) -> tuple[Fraction, frozenset[int]]:
    """Return ``V = max_m gamma W_m / (gamma + m - 1)``, and the runs of the m largest weights that attain it.

    >>> value, chosen = largest_trace([(1, Fraction(1)), (1, Fraction(1, 10)), (1, Fraction(1, 2))], Fraction(3))
    >>> str(value), sorted(chosen), float(value)
    ('9/8', [0, 2], 1.125)
    """
    order = sorted(range(len(runs)), key=lambda i: -runs[i][1])
    best, size, count, total = Fraction(-1), 0, 0, Fraction(0)
    for place, i in enumerate(order, start=1):
        n, w = runs[i]
        count, total = count + n, total + n * w
        value = gamma * total / (gamma + count - 1)
        if value > best or (value == best and gamma > 1):
            best, size = value, place
    return best, frozenset(order[:size])


def trace_rows(chosen: frozenset[int], k: int, gamma: Any, delta: Any) -> list[list[Any]]:
    """Return P of the largest weighted trace over any field: only the chosen categories are outputs of every input."""
    m, zero = len(chosen), 0 * delta
    rare, uniform = (1 - delta) / (gamma + m - 1), (1 - delta) / m
    told = gamma * rare + delta

    def entry(i: int, j: int) -> Any:
        if j in chosen:
            return told if i == j else rare if i in chosen else zero
        return uniform if i in chosen else delta if i == j else zero

    return [[entry(i, j) for j in range(k)] for i in range(k)]


@lru_cache(maxsize=4)  # asked by the route, and before it
def weighted_trace_of(problem: Problem) -> Trace | None:
    """Return the weights and offsets if a problem is a weighted trace; else ``None``."""
    region, objective = problem.region, problem.objective
    if not (objective.is_linear and region.has_one_level and region.family == "all"):
        return None
    return None if region.inputs != region.outputs else trace_of_costs(problem)


def trace_of_costs(problem: Problem) -> Trace | None:
    """Return the weights and offsets if the costs of a linear problem are those of a weighted trace; else ``None``."""
    region, objective = problem.region, problem.objective
    sign = 1 if objective.sense == "minimise" else -1
    costs = [[sign * c for c in row] for row in objective.costs(problem.population)]
    weights, offsets = [], []
    for j in range(region.inputs):
        beside = {row[j] for i, row in enumerate(costs) if i != j}
        offset = beside.pop()
        if beside or costs[j][j] > offset:
            return None
        weights.append(offset - costs[j][j])
        offsets.append(offset)
    return weights, offsets


def is_weighted_trace(problem: Problem) -> bool:
    """Return whether the problem is a weighted trace, with weights >= 0, under one privacy level."""
    return weighted_trace_of(problem) is not None


def solve_weighted_trace(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimum in closed form: the mechanism at the level below, the dual at the level above.

    Args:
        problem: a problem that ``is_weighted_trace`` accepts.
        levels: rational levels around the problem's level.

    Raises:
        UnsupportedProblemError: the problem is not a weighted trace.

    >>> from rropt.objectives import Trace
    >>> from rropt.privacy import PrivacyRegion
    >>> problem = Problem(PrivacyRegion("log(2)", "1/10", inputs=3, outputs=3), Trace([1, 1, 1]), ["1/3"] * 3)
    >>> result = solve_weighted_trace(problem, problem.region.bracket(24))
    >>> print(result.lower, float(result.lower), result.lower == result.upper)
    33/20 1.65 True
    """
    trace = weighted_trace_of(problem)
    if trace is None:
        raise UnsupportedProblemError(
            f"the problem is not a weighted trace: received {problem}; allowed are trace with weights >= 0, and losses "
            "that are equivalent to one, under one privacy level; use the route exact"
        )
    weights, below = trace[0], levels.below
    above = DesignProgram.of(problem, levels, "above", ())
    _, chosen = largest_trace([(1, w) for w in weights], below.gamma)
    mechanism = Mechanism(trace_rows(chosen, len(weights), below.gamma, below.delta))
    dual: Mapping[Name, Fraction] = _dual(above, trace)
    if above.form == "parity" and bits_of(dual) > MOST_DUAL_BITS:
        dual = short_dual(above, dual)
    return result_of(above, mechanism, dual)


def _dual(design: DesignProgram, trace: Trace) -> dict[Name, Fraction]:
    """Return the multipliers of the proof, for the program as a minimization."""
    (weights, offsets), gamma, form = trace, design.gamma, design.form
    total, chosen = largest_trace([(1, w) for w in weights], gamma)
    k, zero = len(weights), Fraction(0)
    if gamma == 1:
        alpha = [total if i in chosen else zero for i in range(k)]
    else:
        alpha = [(gamma * w - total) / (gamma - 1) if i in chosen else zero for i, w in enumerate(weights)]
    dual: dict[Name, Fraction] = {("sum", j): offsets[j] - alpha[j] for j in range(k)}
    for i, w in enumerate(weights):
        rest = w - alpha[i]
        if not rest:
            continue
        if form == "parity":
            dual["upper", i, i] = rest
        for other in range(k):
            if other == i or not alpha[other]:
                continue
            if form == "parity":
                dual["lower", i, other] = alpha[other]
            else:
                share = alpha[other] * rest / (total - alpha[i])
                dual["excess", i, i, other] = share
                dual["total", i, other] = -share
    return {row: y for row, y in dual.items() if y}


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
            return made.row(0)[0]
        return made.revealed + (1 - made.revealed) * made.told

    def lines(self) -> list[tuple[str, str]]:
        """Return the number of chosen categories and their truth probability, as label and value."""
        which = "all" if self._reported == self.mechanism.inputs else f"{self._reported} of {self.mechanism.inputs}"
        return [
            ("categories reported for every truth", which),
            ("true response of them, probability", both_texts(self._truth)),
        ]


def _weights_of(problem: Problem) -> WeightRuns | None:
    """Return the weights of a trace, or the proportions of a 0/1 loss, if they are stored in runs; else ``None``."""
    return problem.objective.weight_runs() if problem.is_uniform else None


def _mechanism(weights: WeightRuns, gamma: Fraction, delta: Fraction) -> Mechanism:
    """Return the optimal mechanism at a rational level."""
    _, chosen = largest_trace(weights.runs, gamma)
    k = len(weights)
    truth = _rounded_down((gamma + delta * (k - 1)) / (gamma + k - 1))
    if len(chosen) == len(weights.runs) and Fraction(1, k) < truth < 1:
        return BlockMechanism(Direct(k), truth * (k - 1) / (1 - truth))
    runs = [(n, i in chosen) for i, (n, _) in enumerate(weights.runs)]
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
    most, _ = largest_trace(weights.runs, levels.above.gamma)
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
