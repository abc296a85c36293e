"""Named designs for k categories: k-ary randomized response, subset selection, and unary encoding."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.families.blocks import MAX_CATEGORIES
from rropt.mechanisms.families.memberships import direct, subset_selection
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.design import Design, Parameter, require
from rropt.mechanisms.orbits import OrbitMechanism

_MOST_EXPLICIT = 1000  # largest k with an explicit matrix; a larger mechanism is given by formulas


def _grr(categories: Fraction, truth: Fraction) -> Matrix | Mechanism:
    """Return k-ary randomized response (GRR, direct encoding; the gamma-diagonal matrix)."""
    k = int(categories)
    if k > _MOST_EXPLICIT:
        require(
            1 < k * truth < k,
            f"p is out of range beyond {_MOST_EXPLICIT} categories: received {truth}; allowed is 1/k < p < 1",
        )
        return direct(k, truth * (k - 1) / (1 - truth))
    other = (1 - truth) / (k - 1)
    return tuple(tuple(truth if i == j else other for j in range(k)) for i in range(k))


GRR = Design(
    name="grr",
    title="k-ary randomized response (GRR, direct encoding, gamma-diagonal)",
    parameters=(
        Parameter("k", "number of categories", f"an integer 2 <= {{}} <= {MAX_CATEGORIES}", (2, MAX_CATEGORIES)),
        Parameter("p", "probability of the true category"),
    ),
    device="The true category is reported with probability p, else one of the k - 1 others, each equally likely.",
    epsilon="abs(log(p (k-1)/(1-p)))",
    source="Warner 1965 (k = 2); Agrawal, Haritsa and Prakash 2009; Chai and Nayak 2018, Theorem 4.4",
    example="4,1/2",
    build=_grr,
    required=2,
)


def best_subset_size(k: int, gamma: Fraction) -> int:
    """Return the optimal subset size of subset selection (rule 14).

    This is the least d with ``gamma^2 d (d + 1) >= (k - d)(k - d - 1)``. Let ``d* = k/(gamma + 1)``. The condition is
    true from ``d*`` on and false at ``d* - 1``.

    >>> [best_subset_size(10, Fraction(g)) for g in (1, 2, 4, 100)], best_subset_size(128, Fraction(3))
    ([5, 3, 2, 1], 32)
    """
    d = max(int(k / (gamma + 1)), 1)
    return d if gamma**2 * d * (d + 1) >= (k - d) * (k - d - 1) else d + 1


_MOST_SUBSETS = 10_000  # entries of the matrix of all subsets
_MOST_IN_ORBITS = 300  # largest number of categories for which the orbit form, with its likelihood methods, is used


def _subset(categories: Fraction, size: Fraction, truth: Fraction) -> Matrix | Mechanism:
    """Return subset selection: a matrix whose rows are the subsets in lexicographic order, or given by formulas."""
    k, d = int(categories), int(size)
    require(d < k, f"d is not below k: received d = {d}, k = {k}; allowed is 1 <= d < k")
    if k > _MOST_IN_ORBITS or k * comb(k, d) > _MOST_SUBSETS:
        require(
            d < k * truth < k,
            f"p is out of range for so many subsets: received {truth}; allowed is d/k < p < 1",
        )
        gamma = truth * (k - d) / ((1 - truth) * d)
        return OrbitMechanism.subset_selection(k, d, gamma) if k <= _MOST_IN_ORBITS else subset_selection(k, d, gamma)
    inside, outside = truth / comb(k - 1, d - 1), (1 - truth) / comb(k - 1, d)
    return tuple(tuple(inside if j in each else outside for j in range(k)) for each in combinations(range(k), d))


SUBSET = Design(
    name="subset",
    title="Subset selection (d-subset mechanism, Ye and Barg, Wang et al.)",
    parameters=(
        Parameter("k", "number of categories", f"an integer 2 <= {{}} <= {MAX_CATEGORIES}", (2, MAX_CATEGORIES)),
        Parameter("d", "size of the subsets", f"an integer 1 <= {{}} < k <= {MAX_CATEGORIES}", (1, MAX_CATEGORIES)),
        Parameter("p", "probability that the subset contains the true category"),
    ),
    device="A subset of d of the k categories is reported: with probability p a uniformly random one that contains the "
    "true category, else a uniformly random one without it.",
    epsilon="abs(log(p (k-d)/((1-p) d)))",
    source="Ye and Barg 2018; Wang et al. 2016",
    example="4,2,3/4",
    build=_subset,
    required=3,
)


_MOST_ENCODED = 14  # largest k: the 2^k rows of k entries are stored explicitly


def unary_rows(k: int, one: Fraction, zero: Fraction) -> Matrix:
    """Return the 2^k rows of unary encoding without zero rows; row i is the vector with ``i = sum of bit_x 2^x``.

    A true bit is reported as 1 with probability ``one`` (p), a false one with probability ``zero`` (q).
    """
    rows = []
    for reversed_bits in product((0, 1), repeat=k):
        bits = reversed_bits[::-1]
        chance = [(one, zero) if bit else (1 - one, 1 - zero) for bit in bits]
        row = tuple(
            prod((kept if x == truth else other for x, (kept, other) in enumerate(chance)), start=Fraction(1))
            for truth in range(k)
        )
        if any(row):
            rows.append(row)
    return tuple(rows)


def _unary(categories: Fraction, one: Fraction, zero: Fraction) -> Matrix:
    """Return unary encoding (basic RAPPOR, SUE, OUE): the one-hot vector, each bit randomized independently."""
    return unary_rows(int(categories), one, zero)


UNARY = Design(
    name="unary",
    title="Unary encoding (RAPPOR's bits, SUE with q = 1 - p, OUE with p = 1/2)",
    parameters=(
        Parameter("k", "number of categories", f"an integer 2 <= {{}} <= {_MOST_ENCODED}", (2, _MOST_ENCODED)),
        Parameter("p", "probability that the bit of the true category is reported as 1"),
        Parameter("q", "probability that the bit of another category is reported as 1"),
    ),
    device="Each of the k bits 'is it category x?' is reported independently: a true one as 1 with probability p, a "
    "false one with probability q.",
    epsilon="abs(log(p (1-q)/((1-p) q)))",
    source="Erlingsson, Pihur and Korolova 2014; Wang, Blocki, Li and Jha 2017",
    example="3,1/2,1/4",
    build=_unary,
    required=3,
)
