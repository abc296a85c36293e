"""The statement ``garbling``: whether a mechanism is a randomization of another one (garbling.md).

    garbling      target = C source with C nonnegative, columns summing to 1
    no garbling   sum_o max_i Y_i . source_o  <  sum_i Y_i . target_i     for some matrix Y

The inequality excludes a garbling. Indeed target = C source would give sum_i Y_i . target_i = sum_o sum_i C_io (Y_i .
source_o), which is at most the left side.

Everything is decided in integers. Each column of source and target has a common denominator: S = source D and T =
target D with D diagonal. Then target = C source iff T = C S. With Z = Y D^-1 the inequality is sum_o max_i Z_i . S_o <
sum_i Z_i . T_i.
"""

from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, bits_of, fields
from .matrices import (
    Integers,
    Rows,
    matrix_over_one_denominator,
    multiply,
    over_one_denominator,
    read_matrix,
    read_mechanism,
    require_distribution,
    widest,
)


class ScaledPair(NamedTuple):
    """Two mechanisms with the same inputs, as integers ``entry * scales[column]``."""

    source: Integers
    target: Integers
    scales: list[int]


def check_garbling(problem: Any, claim: Any, proof: Any) -> str:
    """Check that a garbling exists, by its kernel, or that none exists, by a decision problem."""
    budget = WorkBudget()
    parts = zip(fields(problem, ["source", "target"], "problem"), ("source", "target"), strict=True)
    source, target = (read_mechanism(part, name, budget) for part, name in parts)
    (exists,) = fields(claim, ["exists"], "claim")
    if exists is True:
        (kernel,) = fields(proof, ["kernel"], "proof")
        require_garbling(source, target, kernel, budget)
    elif exists is False:
        (payoff,) = fields(proof, ["payoff"], "proof")
        require_no_garbling(source, target, payoff, budget)
    else:
        raise Rejected("exists is not true or false")
    return ""


def require_garbling(source: Rows, target: Rows, data: Any, budget: WorkBudget) -> None:
    """Reject unless the data are a kernel C with ``C source = target``, all three stochastic."""
    pair = _pair(source, target, budget)
    entries = read_matrix(data, "kernel", budget, (len(target), len(source)))
    kernel, scale = matrix_over_one_denominator(entries, budget)
    for column in zip(*kernel, strict=True):
        require_distribution(column, scale, "a column of the kernel")
    for made, wanted in zip(multiply(kernel, pair.source, budget), pair.target, strict=True):
        budget.spend_in_bulk(len(wanted), scale.bit_length(), max(wanted).bit_length())
        if any(x != y * scale for x, y in zip(made, wanted, strict=True)):
            raise Rejected("kernel times source is not the target")


def require_no_garbling(source: Rows, target: Rows, data: Any, budget: WorkBudget) -> None:
    """Reject unless the data are a matrix Y with ``sum_o max_i Y_i . source_o < sum_i Y_i . target_i``."""
    pair = _pair(source, target, budget)
    payoff = read_matrix(data, "payoff", budget, (len(target), len(pair.scales)))
    longest = max(max(map(bits_of, row)) for row in payoff)
    budget.spend(len(payoff) * len(pair.scales), max(map(int.bit_length, pair.scales)), longest)
    scaled = [[y / d for y, d in zip(row, pair.scales, strict=True)] for row in payoff]
    pay, _ = matrix_over_one_denominator(scaled, budget)
    best = sum(map(max, multiply(pair.source, list(zip(*pay, strict=True)), budget)))
    longest = widest(*pay, *pair.target)
    budget.spend_in_bulk(len(payoff) * len(pair.scales), longest, longest)
    earned = sum(sum(map(int.__mul__, row, gains)) for row, gains in zip(pay, pair.target, strict=True))
    if best >= earned:
        raise Rejected("acting on the source earns as much as acting on the target")


def _pair(source: Rows, target: Rows, budget: WorkBudget) -> ScaledPair:
    """Return two mechanisms in integers; each column of both has a common denominator."""
    if len(source[0]) != len(target[0]):
        raise Rejected("source and target have different numbers of inputs")
    both = [over_one_denominator(column, budget) for column in zip(*source, *target, strict=True)]
    for column in both:
        require_distribution(column.numerators[: len(source)], column.denominator, "a column of source")
        require_distribution(column.numerators[len(source) :], column.denominator, "a column of target")
    rows = list(zip(*(column.numerators for column in both), strict=True))
    return ScaledPair(rows[: len(source)], rows[len(source) :], [column.denominator for column in both])
