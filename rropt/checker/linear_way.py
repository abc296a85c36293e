"""The linear way: multipliers prove that a line for each output is at most g_i on all possible rows (linear_way.md)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from .design_bound import DesignBound, Place, read_place
from .design_region import DesignRegion
from .documents import Rejected, WorkBudget, bits_of, items, whole
from .limits import MAX_ENTRIES
from .matrices import over_one_denominator, widest

_NONE = Fraction(0)


def require_by_multipliers(region: DesignRegion, bound: DesignBound, data: Any, phi: Any, budget: WorkBudget) -> None:
    """Reject unless ``v_ij <= alpha_j + L_ij + sum x_jl - sum gamma_t x_lj`` for each output i and each input j."""
    k, lines = region.inputs, phi.rows  # phi is a list of lines, one for each output
    multipliers = {
        i: list(own) for i, own in groupby(_read(region, bound, len(lines), data, budget), key=lambda each: each[0])
    }
    for i, line in enumerate(lines):
        alpha = bound.alphas[bound.row_of(i)]
        longest = widest((bound.unit,), alpha)
        budget.spend(4 * k, longest, max(map(bits_of, line)))
        left = [Fraction(a, bound.unit) - v for a, v in zip(alpha, line, strict=True)]
        own = multipliers.get(i, [])
        together = over_one_denominator([x for _, _, x in own], budget)
        more, less = [0] * k, [_NONE] * k
        for (_, (t, j, other), _), x in zip(own, together.numerators, strict=True):
            gamma = region.levels[t].gamma.above
            budget.spend(4, together.bits + bits_of(gamma), bits_of(less[other]))
            more[j] += x
            less[other] += gamma * x
        budget.spend(4 * k, max(map(bits_of, left)), together.bits + max(map(bits_of, less)))
        for j in range(k):
            if left[j] * together.denominator + more[j] < less[j]:
                raise Rejected(f"the multipliers do not prove the inequality of output {i} at input {j}")


def _read(
    region: DesignRegion, bound: DesignBound, outputs: int, data: Any, budget: WorkBudget
) -> Iterator[tuple[int, Place, Fraction]]:
    """Yield (output, (t, j, l), x), which ascend strictly; reject an x that is not positive or above its slope."""
    last = (-1, (0, 0, 0))
    for entry in items(data, "multipliers", most=MAX_ENTRIES):
        output, *texts, number = items(entry, "a multiplier", count=5)
        i = whole(output, "an output", outputs - 1, 0)
        place, x = read_place(region, texts, budget), budget.number(number, "a multiplier")
        if (i, place) <= last:
            raise Rejected("the multipliers do not ascend strictly by output, level and pair")
        if x <= 0:
            raise Rejected("a multiplier is not positive")
        if region.levels[place[0]].has_delta:
            allowed = bound.beta.get(place, _NONE)
            budget.spend(1, bits_of(x), bits_of(allowed))
            if x > allowed:
                raise Rejected("a multiplier is above the slope of its pair")
        yield i, place, x
        last = i, place
