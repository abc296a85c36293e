"""Certified brackets of the least epsilon of a composition for a given delta.

Two certificates prove a bracket. One shows that delta at an upper epsilon is at most the requested delta. The other
shows that delta at a lower epsilon exceeds it. The function delta(epsilon) is strictly decreasing while it is positive,
so the least epsilon lies between the two.

One lattice (checker/composition.md) bounds delta at every level. The search starts at the computed epsilon, and returns
the nearest levels at which these bounds suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from rropt.accounting.composition_proofs import PLENTY, LatticeProof, best_lattice
from rropt.accounting.items import Item
from rropt.checker.documents import WorkBudget
from rropt.checker.limits import MAX_COMPOSED_EXPONENT
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Delta, Epsilon

_FINE = 10**12  # 1/_FINE nats: the spacing of the decimals that are tried as values of epsilon
_NEAR = Fraction(1, 50)  # relative distance at which the search for a narrower bracket stops
_DIGITS = 60  # decimal digits of the brackets of an irrational delta


class LevelCertificates(NamedTuple):
    """Certificates at an upper and at a lower epsilon; None if no certificate was found."""

    upper: Certificate | None
    lower: Certificate | None

    def ends(self, delta: Bracket | Delta) -> tuple[Fraction | None, Fraction | None]:
        """Return the bounds of the least epsilon for a delta, in nats, that the certificates prove."""
        asked = delta.bracket(_DIGITS) if isinstance(delta, Delta) else delta
        lower, upper = (
            _level(one) if one is not None and _is_proof(one, asked, sign) else None
            for one, sign in ((self.lower, -1), (self.upper, 1))
        )
        return lower, upper


def _level(certificate: Certificate | None) -> Fraction | None:
    """Return the level of a certificate, in nats; ``None`` if it is no number."""
    level = None if certificate is None else certificate.problem["epsilon"].get("rational")
    return None if level is None else Fraction(level)


def certify_near(
    items: Sequence[Item], nats: Bracket, delta: Bracket, fitted: LatticeProof | None = None
) -> LevelCertificates:
    """Return certificates of a bracket of epsilon for a delta: the narrowest one that one lattice proves.

    Args:
        items: the mechanisms and levels to compose.
        nats: the computed bracket of epsilon.
        delta: the requested delta.
        fitted: the lattice that contains all losses, if it is known already.
    """
    if nats.lower > MAX_COMPOSED_EXPONENT:  # no certificate states such a level
        return LevelCertificates(None, None)
    most = Epsilon("rational", min(nats.upper, Fraction(MAX_COMPOSED_EXPONENT)))
    lattice = best_lattice(items, most, fitted=fitted)
    if lattice is None:
        return LevelCertificates(None, None)

    def holds(at: Fraction, sign: int) -> bool:
        asked = Epsilon("rational", at), WorkBudget(PLENTY)
        return lattice.upper(*asked) <= delta.lower if sign > 0 else lattice.lower(*asked) > delta.upper

    def proof(start: Fraction, sign: int) -> Certificate | None:
        for begin in (start, start + Fraction(2 * sign, _FINE)):  # at the second one, a certificate may be rounded
            at = _nearest(holds, begin, sign)
            made = None if at is None else lattice.certificate(Epsilon("rational", at))
            if made is not None and _is_proof(made, delta, sign):
                return made
        return None

    # if the least epsilon is 0, there is no lower bound to prove
    return LevelCertificates(proof(nats.upper, 1), proof(nats.lower, -1) if delta.lower and nats.lower else None)


def _nearest(holds: Callable[[Fraction, int], bool], start: Fraction, sign: int) -> Fraction | None:
    """Return a level on one side of a start at which a condition holds, near the nearest one; None if none is found."""
    if not 0 <= start <= MAX_COMPOSED_EXPONENT:
        return None
    failed, at, step, last = start, start, Fraction(1, _FINE), Fraction(MAX_COMPOSED_EXPONENT if sign > 0 else 0)
    while not holds(at, sign):
        if at == last:
            return None
        farther = Fraction(round((start + sign * 2 * step) * _FINE), _FINE)
        failed, at, step = at, min(farther, last) if sign > 0 else max(farther, last), 4 * step
    while abs(at - failed) > _NEAR * abs(at - start) and abs(at - failed) > Fraction(1, _FINE):
        middle = Fraction(round((at + failed) / 2 * _FINE), _FINE)
        at, failed = (middle, failed) if holds(middle, sign) else (at, middle)
    return at


def _is_proof(certificate: Certificate, delta: Bracket, sign: int) -> bool:
    """Return whether a certificate proves that delta is at most the requested one (sign 1), or above it (sign -1)."""
    end = Fraction(certificate.claim["upper" if sign > 0 else "lower"])
    return end <= delta.lower if sign > 0 else end > delta.upper
