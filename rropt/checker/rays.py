"""The rays of a privacy region: the directions of rows that are enough for every bound (FORMAT.md, rule 25).

A list holds every extreme ray of every cell into which the hyperplanes ``p_j = 0`` and ``p_j = gamma_jl p_l`` cut the
cone of rows. It may hold more vectors of the cone than that: an inequality on them asks more, never less. Rays are
taken up to a factor, and are lists of integers.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby, product
from math import lcm

from .documents import Budget, Rejected, bits_of
from .limits import MAX_PATTERN_INPUTS, MAX_RAY_INPUTS, MAX_RAYS

Ray = list[int]
Pairs = dict[tuple[int, int], Fraction]  # (j, l): gamma_jl


def uniform_rays(k: int, gamma: Fraction, budget: Budget, *, has_delta: bool) -> Iterator[Ray]:
    """Iterate over the rays of one level: {1, gamma}^k, and with delta also zeros and higher powers."""
    most = MAX_RAY_INPUTS if has_delta else MAX_PATTERN_INPUTS
    if k > most:
        raise Rejected(f"the rays of {k} inputs are not listed: at most {most} inputs are")
    if not has_delta and gamma <= 1:
        raise Rejected("gamma is not above 1 where delta is 0")
    top = k - 1 if has_delta else 1
    powers = [gamma.numerator**x * gamma.denominator ** (top - x) for x in range(top + 1)]
    budget.spend_in_bulk(2 * k * (top + 1 + has_delta) ** k, 0, 0)
    for exponents in product(range(-1 if has_delta else 0, top + 1), repeat=k):  # -1: the entry is 0
        if not has_delta or _is_ordered_partition(exponents):
            yield [0 if x < 0 else powers[x] for x in exponents]


def _is_ordered_partition(exponents: tuple[int, ...]) -> bool:
    """Return whether the exponents take each value 0, ..., h, with h >= 1 or a single input."""
    values = {x for x in exponents if x >= 0}
    if values != set(range(len(values))):
        return False
    return len(values) > 1 or exponents.count(0) == 1


def paired_rays(k: int, pairs: Pairs, budget: Budget) -> list[Ray]:
    """Return the rays of levels for pairs with delta = 0, grown from the unit vectors along tight pairs."""
    longest = max(map(bits_of, pairs.values()), default=0)
    found: list[list[Fraction]] = []
    edge = [[Fraction(int(i == j)) for i in range(k)] for j in range(k)]
    for step in range(k):  # the vectors of step + 1 positive entries
        found += [r for r in edge if all(r[j] <= gamma * r[i] for (j, i), gamma in pairs.items())]
        grown = []
        for r in edge:
            for (j, i), gamma in pairs.items():
                if bool(r[j]) == bool(r[i]):
                    continue
                bits = (step + 1) * longest
                budget.spend(4 + len(pairs), bits, longest)
                new = list(r)
                new[j], new[i] = (gamma * r[i], r[i]) if r[i] else (r[j], r[j] / gamma)
                if all(new[a] <= g * new[b] for (a, b), g in pairs.items() if new[a] and new[b]):
                    first = next(x for x in new if x)
                    grown.append([x / first for x in new])
        edge = [r for r, _ in groupby(sorted(grown))]
        if len(edge) + len(found) > MAX_RAYS:
            raise Rejected(f"the region has more than {MAX_RAYS} rays")
    rays = []
    for r in found:
        scale = lcm(*(x.denominator for x in r))
        budget.spend(2 * k, k * longest, k * longest)
        rays.append([x.numerator * (scale // x.denominator) for x in r])
    return rays
