"""k-ary randomized response (GRR, direct encoding; the gamma-diagonal matrix)."""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms.designs.design import Design, Parameter, probability, require

_MAX_CATEGORIES = 1000  # k^2 entries are held explicitly


def _grr(categories: Fraction, truth: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    require(
        categories.denominator == 1 and 2 <= categories <= _MAX_CATEGORIES,
        f"k is not a number of categories: received {categories}; allowed is an integer 2 <= k <= {_MAX_CATEGORIES}",
    )
    probability(truth, "p")
    k = int(categories)
    other = (1 - truth) / (k - 1)
    return tuple(tuple(truth if i == j else other for j in range(k)) for i in range(k))


GRR = Design(
    name="grr",
    title="k-ary randomized response (GRR, direct encoding, gamma-diagonal)",
    parameters=(
        Parameter("k", "number of categories", "an integer 2 <= k <= 1000"),
        Parameter("p", "probability of the true category"),
    ),
    device="The true category is reported with probability p, else one of the k - 1 others, each equally likely.",
    epsilon="abs(log(p (k-1)/(1-p)))",
    source="Warner 1965 (k = 2); Agrawal, Haritsa and Prakash 2009; Chai and Nayak 2018, Theorem 4.4",
    example="4,1/2",
    build=_grr,
    required=2,
)
