"""The minimum n Var of a prevalence with three outputs under (epsilon, delta)-privacy: merged outputs (rule 24).

Every private mechanism with two inputs is a garbling of the mechanism with the rows

    (delta, 0)    (c gamma, c)    (c, c gamma)    (0, delta),    c = (1 - delta)/(1 + gamma).

The information I = sum_i (p_i1 - p_i0)^2 / (p_i . pi) is convex in the garbling. With three outputs it is largest when
two of these four outputs are merged, which gives six cases. The minimum n Var is 1/I.
"""

from fractions import Fraction
from itertools import combinations
from typing import Any

from .brackets import uniform_level
from .documents import Budget, Rejected, bits_of, fields, of_kind
from .matrices import columns, read_mechanism, read_population
from .regions import require_excess

EXPLAINED = {
    "merged-outputs": "Every private mechanism with two inputs is a garbling of one with four outputs. With three "
    "outputs, the information is largest where two of these four are merged. The checker computed all six cases.",
}

_Row = tuple[Fraction, Fraction]


def check_merged_outputs(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind design-bracket on n Var with two inputs and three outputs."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    lower, upper, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma, delta = fields(witness, ["rule", "gamma", "delta"], "witness")
    level = uniform_level(data, gamma, delta, budget)
    of_kind(objective, "variance", [], "objective")
    if level.sizes != ("2", "3") or level.family != "all":
        raise Rejected("the rule of merged outputs needs 2 inputs, 3 outputs and family all")
    pi = read_population(shares, 2, budget)
    matrix = read_mechanism(made, "the mechanism", budget, (3, 2))
    require_excess(columns(matrix, "the mechanism", budget), level, budget)
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    rows = _four(level.gamma.above, level.delta.above, budget)
    best = max(_information(_merged(rows, *pair, budget), pi, budget) for pair in combinations(range(4), 2))
    own = _information([(row[0], row[1]) for row in matrix], pi, budget)
    budget.spend(2, max(map(bits_of, ends)), max(bits_of(best), bits_of(own)))
    if ends[1] * own < 1:
        raise Rejected("upper is below the value of the mechanism")
    if ends[0] * best > 1:
        raise Rejected("lower is above the least value of six merged mechanisms")


def _four(gamma: Fraction, delta: Fraction, budget: Budget) -> list[_Row]:
    """Return the rows of the mechanism of which every private mechanism is a garbling."""
    budget.spend(6, bits_of(gamma) + bits_of(delta), bits_of(gamma) + bits_of(delta))
    zero, c = Fraction(0), (1 - delta) / (1 + gamma)
    return [(delta, zero), (c * gamma, c), (c, c * gamma), (zero, delta)]


def _merged(rows: list[_Row], i: int, j: int, budget: Budget) -> list[_Row]:
    """Return the rows after merging rows i and j into their sum."""
    longest = max(bits_of(entry) for row in rows for entry in row)
    budget.spend(2, longest, longest)
    one = rows[i][0] + rows[j][0], rows[i][1] + rows[j][1]
    return [one, *(row for place, row in enumerate(rows) if place not in (i, j))]


def _information(rows: list[_Row], pi: list[Fraction], budget: Budget) -> Fraction:
    """Return the sum of ``(p_1 - p_0)^2 / (p . pi)`` over the nonzero rows."""
    total = Fraction(0)
    for no, yes in rows:
        mean = no * pi[0] + yes * pi[1]
        if not mean and (no or yes):
            raise Rejected("an output has chance 0 though an input has it: the information is infinite")
        if mean:
            term = (yes - no) ** 2 / mean
            budget.spend(8, bits_of(term) + bits_of(total), bits_of(term) + bits_of(total))
            total += term
    return total
