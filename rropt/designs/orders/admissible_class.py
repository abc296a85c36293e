"""C_gamma^0, the class of all admissible mechanisms at gamma: its extreme members and random members.

Let e_S = 1 + (gamma - 1) 1_S be the staircase rows (``dominating_mechanisms.py``). A member is a set of weights
w_S >= 0 with

    sum_S w_S e_S = 1    iff    w_S = u lambda_S,    sum_S lambda_S 1_S = 1,    u = 1 / (gamma - 1 + sum_S lambda_S).

The lambda are the *balanced collections* of cooperative game theory: fractional partitions of the inputs into sets that
are neither empty nor full. They do not depend on gamma, and they form a polytope. Its vertices are the *minimal*
balanced collections, which contain no smaller one. Their indicators are linearly independent, so their lambda is
unique. Hence every member of C_gamma^0 is a mixture of finitely many extreme members, which are the same for all gamma.
Their number is 1, 5, 41 and 1291 for k = 2, 3, 4, 5 inputs (Peleg 1965), and 200 213 for k = 6.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from numbers import Integral
from typing import TYPE_CHECKING

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational
from rropt.core.lazy import numpy as np
from rropt.designs.orders.dominating_mechanisms import Subset, staircase_mechanism
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The enumeration tries C(2^k - 2, k) bases: 142 506 for k = 5 (a second), 67 945 521 for k = 6.
_MAX_ENUMERATED_INPUTS = 5
_MAX_MIXED_MEMBERS = 4  # maximal number of extreme members, or cyclic families, in a random member
_MAX_MEMBER_WEIGHT = 12  # maximal integer weight of one of them: keeps the fractions short

Balanced = tuple[tuple[Subset, Fraction], ...]  # sets S with their lambda_S > 0


def balanced_collections(inputs: int) -> tuple[Balanced, ...]:
    """Return the minimal balanced collections of proper nonempty subsets of {0, ..., k-1}, each with its weights.

    They satisfy ``sum_S lambda_S 1_S = 1`` with lambda > 0 and linearly independent indicators 1_S. They are the
    supports of the nonnegative basic solutions, which Cramer's rule over all bases yields in integers.

    Args:
        inputs: k, from 2 to 5.

    Raises:
        InvalidParameterError: k is not an integer, or k < 2.
        UnsupportedProblemError: k > 5.

    >>> [len(balanced_collections(k)) for k in (2, 3, 4)]
    [1, 5, 41]
    >>> [(subset, str(weight), float(weight)) for subset, weight in balanced_collections(3)[-1]]
    [((0, 1), '1/2', 0.5), ((0, 2), '1/2', 0.5), ((1, 2), '1/2', 0.5)]
    """
    _require_inputs(inputs)
    if inputs > _MAX_ENUMERATED_INPUTS:
        raise UnsupportedProblemError(
            f"too many inputs to enumerate: received {inputs}; allowed is at most {_MAX_ENUMERATED_INPUTS}; "
            "take random_member for examples"
        )
    return _balanced(int(inputs))


@lru_cache(maxsize=_MAX_ENUMERATED_INPUTS)
def _balanced(inputs: int) -> tuple[Balanced, ...]:
    found = {tuple(subset for subset, _ in collection): collection for collection in _basic_solutions(inputs)}
    return tuple(found[key] for key in sorted(found, key=lambda key: (len(key), [len(s) for s in key], key)))


def _basic_solutions(k: int) -> Iterator[Balanced]:
    """Yield the nonnegative solutions of all bases without their zeros; degenerate solutions occur several times."""
    subsets = [subset for size in range(1, k) for subset in combinations(range(k), size)]
    indicators = np.array([[int(j in subset) for j in range(k)] for subset in subsets], dtype=np.int64)
    bases = np.array(list(combinations(range(len(subsets)), k)))
    rows = indicators[bases]  # shape (bases, k sets, k inputs)
    determinants = _determinants(rows)
    bases, rows, determinants = (a[determinants != 0] for a in (bases, rows, determinants))
    numerators = np.empty_like(bases)
    for i in range(k):  # Cramer's rule: replace the i-th set by the set of all inputs
        replaced = rows.copy()
        replaced[:, i, :] = 1
        numerators[:, i] = _determinants(replaced) * np.sign(determinants)
    for i in np.flatnonzero((numerators >= 0).all(axis=1)).tolist():
        size = abs(int(determinants[i]))
        pairs = zip(bases[i].tolist(), numerators[i].tolist(), strict=True)
        yield tuple((subsets[s], Fraction(numerator, size)) for s, numerator in pairs if numerator)


def _determinants(stack: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the determinants of a stack of small integer matrices, exactly, by expansion along the first row."""
    size = stack.shape[1]
    if size == 1:
        return stack[:, 0, 0]
    minors = (
        (-1) ** j * stack[:, 0, j] * _determinants(stack[:, 1:, [i for i in range(size) if i != j]])
        for j in range(size)
    )
    return sum(minors, start=stack[:, 0, 0] * 0)


def extreme_members(inputs: int, gamma: object) -> tuple[Mechanism, ...]:
    """Return the extreme members of C_gamma^0; every admissible mechanism is a mixture of some of them.

    Args:
        gamma: the odds bound, a rational above 1.
        gamma: odds bound, a rational above 1.

    Raises:
        InvalidParameterError: k is not an integer, k < 2, or gamma is not a rational above 1.
        UnsupportedProblemError: k > 5.

    >>> (warner,) = extreme_members(2, 3)
    >>> print(*warner.matrix[0], float(warner[0, 0]))
    3/4 1/4 0.75
    """
    odds = _gamma(gamma)
    return tuple(staircase_mechanism(inputs, odds, dict(collection)) for collection in balanced_collections(inputs))


def random_member(inputs: int, gamma: object, rng: random.Random) -> Mechanism:
    """Return a random member of C_gamma^0, for tests: a mixture of up to four balanced collections.

    For k <= 5 the collections are minimal, so every member can be approximated. For larger k, each collection consists
    of the k cyclic shifts of a random set, in a random order of the inputs.

    Args:
        inputs: k >= 2.
        gamma: the odds bound, a rational above 1.
        rng: a random number generator of the standard library.

    Raises:
        InvalidParameterError: k is not an integer, k < 2, or gamma is not a rational above 1.
    """
    _require_inputs(inputs)
    odds = _gamma(gamma)
    weights: dict[Subset, Fraction] = {}
    for _ in range(rng.randint(1, _MAX_MIXED_MEMBERS)):
        share = rng.randint(1, _MAX_MEMBER_WEIGHT)
        collection = (
            rng.choice(balanced_collections(inputs)) if inputs <= _MAX_ENUMERATED_INPUTS else _cyclic(inputs, rng)
        )
        for subset, weight in collection:
            weights[subset] = weights.get(subset, Fraction(0)) + share * weight
    return staircase_mechanism(inputs, odds, weights)


def _cyclic(k: int, rng: random.Random) -> list[tuple[Subset, Fraction]]:
    """Return the cyclic shifts of a random set; every input lies in the same number of them."""
    order = rng.sample(range(k), k)
    chosen = rng.sample(range(k), rng.randint(1, k - 1))
    return [(tuple(sorted(order[(j + shift) % k] for j in chosen)), Fraction(1)) for shift in range(k)]


def _require_inputs(inputs: object) -> None:
    if isinstance(inputs, bool) or not isinstance(inputs, Integral):
        raise InvalidParameterError(
            f"the number of inputs is not an integer: received {shown(inputs)}; allowed is an integer of at least 2"
        )
    if inputs < 2:
        raise InvalidParameterError(f"the number of inputs is too small: received {inputs}; allowed is at least 2")


def _gamma(gamma: object) -> Fraction:
    odds = rational(gamma, name="gamma")
    if odds <= 1:
        raise InvalidParameterError(f"gamma is out of range: received {shown(gamma)}; allowed is a rational gamma > 1")
    return odds
