"""Loss pairs: two distributions that dominate a mechanism's privacy loss, as atoms with the masses (P, Q).

The likelihood ratio P/Q of an atom is called its *odds*. The privacy profile is
``h(gamma) = max over ordered pairs of inputs of H_gamma``. It is extended to gamma < 1 by
``h(gamma) = 1 - gamma + gamma h(1/gamma)``. This function is convex, and one pair of distributions has it as its
profile: the *dominating pair*. Adaptive compositions are bounded by the product of the dominating pairs (Zhu, Dong and
Wang 2022, Theorem 10). For the set of all mechanisms at a level epsilon, the dominating pair is binary randomized
response, and the bound is attained (Kairouz, Oh and Viswanath 2015). A mass delta at infinite odds is stored
separately: with probability delta the output reveals the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rropt.mechanisms import Mechanism

_ZERO, _ONE = Fraction(0), Fraction(1)

Atoms = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True, slots=True)
class LossPair:
    """A dominating pair: atoms (P, Q) of positive masses with sums 1, and the mass ``delta`` at infinite odds.

    Attributes:
        atoms: in increasing order of the odds; they describe the output conditional on the input not being revealed.
        delta: the probability that the input is revealed.
    """

    atoms: Atoms
    delta: Fraction = _ZERO

    @classmethod
    def of_level(cls, gamma: Fraction, delta: Fraction = _ZERO) -> LossPair:
        """Return the pair of binary randomized response with parity gamma."""
        p, q = gamma / (1 + gamma), 1 / (1 + gamma)
        return cls(((q, p), (p, q)) if gamma > 1 else ((_ONE, _ONE),), delta)

    @classmethod
    def of_mechanism(cls, mechanism: Mechanism) -> tuple[LossPair, bool] | None:
        """Return the dominating pair of a mechanism, and whether one pair of inputs attains it; None if unknown.

        >>> pair, attained = LossPair.of_mechanism(Mechanism([["1/2", "1/4"], ["1/4", "1/2"], ["1/4", "1/4"]]))
        >>> [str(p) for p, _ in pair.atoms], attained
        (['1/4', '1/4', '1/2'], True)
        """
        profile = mechanism.profile()
        if profile.width:
            return None
        delta, pieces = profile.limit, profile.pieces
        if delta == 1:
            return cls(((_ONE, _ONE),), delta), True
        pair = cls(tuple((p / (1 - delta), q / (1 - delta)) for p, q in profile.dominating_atoms()), delta)
        used = [piece.inputs for piece in pieces if piece.slope or piece.intercept]
        is_one = len(set(map(frozenset, used))) == 1
        return pair, not used or (is_one and pair._is_that_of(mechanism, *used[0]))

    def _is_that_of(self, mechanism: Mechanism, one: int, other: int) -> bool:
        """Return whether the output distributions of two inputs, in the given order, have exactly these atoms."""
        both, kept = mechanism.masses_of_pair(one, other), 1 - self.delta
        return merged_atoms((p / kept, q / kept) for p, q in both if p and q) == self.atoms

    @property
    def parity(self) -> Fraction:
        """The largest likelihood ratio of an atom."""
        p, q = self.atoms[-1]
        return p / q

    @property
    def is_binary(self) -> bool:
        """Whether the atoms are those of binary randomized response."""
        return len(self.atoms) <= 2


def merged_atoms(masses: Iterable[tuple[Fraction, Fraction]]) -> Atoms | None:
    """Return the atoms (p, q) of two distributions by increasing odds p/q; None if an atom has q = 0 and p > 0.

    >>> merged_atoms([(Fraction(1, 2), Fraction(1, 3)), *[(Fraction(1, 4), Fraction(1, 3))] * 2])
    ((Fraction(1, 2), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 3)))
    """
    found: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for p, q in masses:
        if p:
            if not q:
                return None
            one, other = found.get(p / q, (_ZERO, _ZERO))
            found[p / q] = one + p, other + q
    return tuple(found[odds] for odds in sorted(found))
