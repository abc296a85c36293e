"""Shuffled reports of binary randomized response: delta over all neighbouring data sets (rule 28, shuffle_rule.md).

* Lower bound: one data set, and the event that at least ``cut`` reports are 1.
* Upper bound: blocks of data sets. The reports of every data set of a block are those of their common part and further
  reports. Further reports are noise and cannot increase delta.

Probabilities are integers that are rounded down (``tail_sums``). The missing probability widens the bracket.
"""

from fractions import Fraction
from typing import Any

from .brackets import gamma_bracket
from .documents import Budget, Rejected, bits_of, fields, items, of_kind, whole_between
from .limits import MAX_BLOCKS, MAX_LATTICE_BITS, MAX_SHUFFLED
from .tail_sums import Law, binomial_law, convolved


def check_shuffled(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind shuffled-delta about binary randomized response."""
    budget = Budget()
    count, local, epsilon = of_kind(problem, "shuffled-reports", ["respondents", "local", "epsilon"], "problem")
    lower, upper = of_kind(claim, "shuffled-delta", ["lower", "upper"], "claim")
    _, own, gamma, data, sizes, precision = fields(
        witness, ["rule", "local", "gamma", "data_set", "blocks", "bits"], "witness"
    )
    n = whole_between(count, "respondents", 1, MAX_SHUFFLED, budget)
    device, target = gamma_bracket(local, own, budget), gamma_bracket(epsilon, gamma, budget)
    zeros, cut = fields(data, ["zeros", "cut"], "the data set")
    j, s = whole_between(zeros, "zeros", 0, n - 1, budget), whole_between(cut, "the cut", 0, n, budget)
    blocks = [whole_between(size, "a block", 1, n, budget) for size in items(sizes, "the blocks", most=MAX_BLOCKS)]
    if sum(blocks) != n:
        raise Rejected("the blocks have not all data sets")
    bits = whole_between(precision, "bits", 1, MAX_LATTICE_BITS, budget)
    least, most = budget.number(lower, "lower"), budget.number(upper, "upper")
    law = _others(n - 1 - j, j, device.below, bits, budget)
    if least > max(_event(law, s, device.below, target.above, budget), Fraction(0)):
        raise Rejected("lower is above the chance that the data set proves")
    first = 0
    for size in blocks:
        law = _others(n - size - first, first, device.above, bits, budget)
        if most < _divergence(law, device.above, target.below, budget):
            raise Rejected("upper is below the delta of a block")
        first += size


def _others(ones: int, zeros: int, parity: Fraction, bits: int, budget: Budget) -> Law:
    """Return the distribution of the number of reports 1 for these numbers of respondents with the value 1 and 0."""
    g, h = parity.as_integer_ratio()
    if not zeros:
        return binomial_law(ones, g, h, bits, budget)
    if not ones:
        return binomial_law(zeros, h, g, bits, budget)
    return convolved(binomial_law(ones, g, h, bits, budget), binomial_law(zeros, h, g, bits, budget), budget)


def _event(law: Law, cut: int, parity: Fraction, gamma: Fraction, budget: Budget) -> Fraction:
    """Return a lower bound of P - gamma Q for the event that at least ``cut`` reports are 1."""
    (p, p_above), (before, before_above) = law.at_least(cut), law.at_least(cut - 1)
    budget.spend(8 + len(law.weights) // 4, law.bits + bits_of(parity), bits_of(parity) + bits_of(gamma))
    yes, no = parity / (1 + parity), 1 / (1 + parity)
    return no * p + yes * before - gamma * (yes * p_above + no * before_above)


def _divergence(law: Law, parity: Fraction, gamma: Fraction, budget: Budget) -> Fraction:
    """Return an upper bound of the sum of ``(P - gamma Q)^+`` over the number of reports 1."""
    (a, b), (g, h) = parity.as_integer_ratio(), gamma.as_integer_ratio()
    # times (a + b) h: P - gamma Q for a report 0 and for a report 1 of the changed respondent
    stays, moves = b * h - g * a, a * h - g * b
    bits = bits_of(parity) + bits_of(gamma)
    budget.spend(2 + len(law.weights), law.bits, bits)
    total = before = 0
    for weight in (*law.weights, 0):
        total += max(weight * stays + before * moves, 0)
        before = weight
    return Fraction(total, (a + b) * h << law.bits) + Fraction(law.missing, 1 << law.bits)
