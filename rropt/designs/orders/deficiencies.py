"""How far a mechanism is from being a garbling of another, where the rounding of their numbers may decide.

Matrices from programs are rounded: to 53 bits, or to the last printed digit. If A = C P holds before the rounding, it
seldom holds after it, so that the exact verdict is about the rounding. The *deficiency* of P for A (Le Cam 1964) is

    delta(P, A) = min over kernels C of max_j (1/2) sum_i abs(A - C P)_ij,

the least total variation that remains, for every true category, after the best post-processing. Let the rounding move
the columns of P and of A by at most e and f in total variation. A kernel does not increase total variation, so that
``delta(P, A) <= e + f`` if A was a garbling of P before the rounding (`rounding_of`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rropt.core.exact.display import decimal_outwards
from rropt.core.linear import ProgramBuilder, optimum
from rropt.core.results import Result
from rropt.designs.orders.garblings import DecisionTask
from rropt.mechanisms import Mechanism

_DOUBLE_DIGITS = 15  # a number of more decimals comes from a float
_DOUBLE_ERROR = Fraction(1, 2**53)  # relative error of a number that is rounded to 53 bits
_FEWEST_PLACES = 6  # a decimal with fewer places, such as 0.75, is meant as it is written
_MOST_VARIABLES = 2_000  # of the program: a second
_KEPT = 64  # results, since a comparison is described more than once


@dataclass(frozen=True, slots=True)
class NearGarbling(Result):
    """A deficiency that the rounding of the numbers can explain.

    Attributes:
        total_variation: delta(P, A), exact.
        rounding: e + f, the largest deficiency that the rounding can cause.
    """

    total_variation: Fraction
    rounding: Fraction

    def explain(self, source: str = "A", target: str = "B") -> str:
        """Describe the deficiency, and why the rounding may decide the exact verdict."""
        near, most = (decimal_outwards(x, up=True, digits=2) for x in (self.total_variation, self.rounding))
        return (
            f"Up to rounding: {source} dominates {target} up to a total variation of {near}: a post-processing of "
            f"{source} is that near to {target}, whatever the truth. If the two matrices were rounded (floats to one "
            f"part in 2^53, decimals to half a unit of the last place), that alone can cause up to {most}, so that the "
            "rounding may decide the exact verdict."
        )


def decimal_places(x: Fraction) -> int | None:
    """Return the number of decimals of a rational; ``None`` if it has no finite decimal expansion.

    >>> decimal_places(Fraction(3, 4)), decimal_places(Fraction(1, 3)), decimal_places(Fraction(2))
    (2, None, 0)
    """
    rest, powers = x.denominator, []
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest, power = rest // prime, power + 1
        powers.append(power)
    return max(powers) if rest == 1 else None


def rounding_of(mechanism: Mechanism) -> Fraction:
    """Return how far the rounding of its numbers may have moved a column of a mechanism, in total variation.

    Numbers with more than 15 decimals are taken as floats, each with a relative error of at most 2^-53. Otherwise
    decimals of at least 6 places are taken as rounded to the longest of them. Other numbers are exact. The entries of
    a column sum to 1, so that the last one moves by at most the sum of the other errors; the total variation, half the
    sum of all, is then at most the sum of the errors.

    >>> float(rounding_of(Mechanism([["0.333333", "0"], ["0.666667", "1"]]))), rounding_of(Mechanism.binary("3/4", "1"))
    (1e-06, Fraction(0, 1))
    """
    entries = [x for row in mechanism.matrix for x in row if 0 < x < 1]
    if any(x.denominator > 10**_DOUBLE_DIGITS for x in entries):
        return _DOUBLE_ERROR
    places = [found for x in entries if (found := decimal_places(x)) is not None]
    longest = max(places, default=0)
    if longest < _FEWEST_PLACES:
        return Fraction(0)
    most = max(sum(0 < x < 1 for x in column) for column in mechanism.columns())
    return most * Fraction(1, 2 * 10**longest)


@lru_cache(maxsize=_KEPT)
def near_garbling(source: Mechanism, target: Mechanism, task: DecisionTask) -> NearGarbling | None:
    """Return the deficiency of a source for a target that is no garbling of it, if the rounding can explain it.

    Args:
        source, target: P and A.
        task: a decision task at which A earns more; its gain is a lower bound of the deficiency, without a program.

    Returns:
        The deficiency, or ``None``: the rounding is too small, or the program too large.
    """
    rounding = rounding_of(source) + rounding_of(target)
    if not rounding or gain_bound(task) > rounding:
        return None
    if target.outputs * (source.outputs + source.inputs) > _MOST_VARIABLES:
        return None
    found = deficiency(source, target)
    return NearGarbling(found, rounding) if found <= rounding else None


def gain_bound(task: DecisionTask) -> Fraction:
    """Return a lower bound of the deficiency: the gain of a task, divided by the mean range of its payoffs.

    For every kernel, the gain is at most the mean over j of ``sum_i Y_ij (A - C P)_ij``; the terms of j sum to at most
    the range of ``Y_.j`` times the total variation of column j.
    """
    ranges = [max(column) - min(column) for column in zip(*task.payoff, strict=True)]
    total = sum(ranges, Fraction(0))
    return (task.earned - task.best) * len(ranges) / total if total else Fraction(0)


def deficiency(source: Mechanism, target: Mechanism) -> Fraction:
    """Return the deficiency delta(P, A) by an exact linear program.

    Args:
        source: P, m outputs, k inputs.
        target: A, r outputs, k inputs.

    Cost: a program with r (m + k) variables.
    Source: Le Cam, Sufficiency and approximate sufficiency (1964).

    >>> deficiency(Mechanism.binary("2/3", "2/3"), Mechanism.binary("3/4", "3/4"))
    Fraction(1, 12)
    """
    given, wanted = source.matrix, target.matrix
    m, r, k = source.outputs, target.outputs, source.inputs
    builder = ProgramBuilder("minimise")
    most = builder.variable("t", cost=1)
    kernel = [[builder.variable(f"C[{i},{o}]") for o in range(m)] for i in range(r)]
    above = [[builder.variable(f"above[{i},{j}]") for j in range(k)] for i in range(r)]
    for i in range(r):
        for j in range(k):
            terms = {kernel[i][o]: given[o][j] for o in range(m)}
            builder.row(f"A[{i},{j}]", {**terms, above[i][j]: Fraction(1)}, ">=", wanted[i][j])
    for j in range(k):
        builder.row(f"distance {j}", {**dict.fromkeys((row[j] for row in above), 1), most: -1}, "<=", 0)
    for o in range(m):
        builder.row(f"column {o}", dict.fromkeys((row[o] for row in kernel), 1), "=", 1)
    found = optimum(builder.build())
    assert found is not None  # a kernel that ignores its input is feasible, and t >= 0
    return found.value
