"""Bounds of delta for products whose odds take too many values to be listed (laws on a lattice: ``loss_lattices``).

*Which pair of inputs.* For the upper bound, every factor is replaced by the join of its pairs: the smallest dichotomy
that is above all of them, the pair with their profile. For the lower bound, one pair of inputs is chosen
for each factor by coordinate ascent. If every factor has a single maximal pair, the two choices coincide.

*Infinite odds.* Outputs that are impossible under the other input count with their whole mass; the laws have the rest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from rropt.core.exact import Bracket
from rropt.core.exact.rational_bounds import logarithm
from rropt.core.exact.reals import ExactReal
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.loss_lattices import FloatPair, lattice_bounds
from rropt.mechanisms.profiles import profile_of_pairs

_POINTS = 1 << 16  # of the lattice
_COARSE = 1 << 12  # of the coarse lattice on which pairs are chosen
_SWEEP = 256  # largest number of pairs that the coordinate ascent tries
_DIGITS = 30  # of the enclosure of an irrational gamma
_BITS = 128  # precision of the logarithm of gamma


def excess_enclosure(factors: Sequence[Sequence[Dichotomy]], gamma: Fraction | ExactReal) -> tuple[Fraction, Fraction]:
    """Return rationals ``lower <= delta <= upper`` at ``gamma >= 1`` for a product of factors.

    Args:
        factors: for each factor its maximal dichotomies.
        gamma: exact.
    """
    low, high = gamma.bracket(_DIGITS) if isinstance(gamma, ExactReal) else (gamma, gamma)
    epsilon = Bracket(logarithm(low, _BITS), logarithm(high, _BITS))
    chosen = _pairs_of_large_excess(factors, epsilon)
    lower, upper = _enclosure(chosen, epsilon, _POINTS)
    if any(len(options) > 1 for options in factors):
        upper = _enclosure([_join(options) for options in factors], epsilon, _POINTS).upper
    return lower, upper


def _pairs_of_large_excess(factors: Sequence[Sequence[Dichotomy]], epsilon: Bracket) -> list[Dichotomy]:
    """Return one pair of inputs for each factor such that the product has a large excess (a heuristic choice)."""
    # exp of more than 709 is no float; the choice is a heuristic one
    share = Fraction(math.exp(min(float(epsilon.upper) / len(factors), 700.0)))
    chosen = [max(options, key=lambda one: one.excess(share).at(share)) for options in factors]
    if sum(len(options) for options in factors if len(options) > 1) > _SWEEP:
        return chosen
    best = _enclosure(chosen, epsilon, _COARSE).lower
    for i, options in enumerate(factors):
        for one in options:
            if one is not chosen[i]:
                other = [*chosen[:i], one, *chosen[i + 1 :]]
                value = _enclosure(other, epsilon, _COARSE).lower
                if value > best:
                    best, chosen = value, other
    return chosen


def _join(options: Sequence[Dichotomy]) -> Dichotomy:
    """Return the smallest dichotomy above all maximal pairs of a factor."""
    profile, zero = profile_of_pairs(options), Fraction(0)
    ends = [(profile.limit, zero), (zero, profile.limit)]
    return Dichotomy.of_fractions(options[0].pair, [*profile.dominating_atoms(), *ends])


def _enclosure(factors: Sequence[Dichotomy], epsilon: Bracket, points: int) -> Bracket:
    """Return bounds of the excess of one pair of inputs at a level in nats."""
    finite = (1 - Fraction(sum(p for p, q in one.masses if not q), one.below) for one in factors)
    infinite = 1 - math.prod(finite, start=Fraction(1))
    if infinite == 1:
        return Bracket.of(infinite)
    pairs = [
        (FloatPair.of((Fraction(p, below), Fraction(q, below)) for p, q in masses if p and q), count)
        for (masses, below), count in Counter((one.masses, one.below) for one in factors).items()
    ]
    lower, upper = lattice_bounds(pairs, points).bracket(epsilon)
    return Bracket(infinite + lower, min(infinite + upper, Fraction(1)))
