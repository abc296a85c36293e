"""Certified brackets of the least epsilon of a composition for a given delta.

Two certificates prove a bracket. One shows that delta at an upper epsilon is at most the requested delta. The other
shows that delta at a lower epsilon exceeds it. The function delta(epsilon) is strictly decreasing while it is positive,
so the least epsilon lies between the two.

The exact methods of composition give the two values of epsilon directly. If there are many different levels, the search
starts at the epsilon found in floating point. It makes a few certificates on a lattice (checker/composition.md), and
moves further away while they are too wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from rropt.accounting.certificates import certify_on_lattice
from rropt.accounting.items import Item
from rropt.checker.limits import MAX_COMPOSED_EXPONENT
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Delta, Epsilon

_FINE = 10**12  # 1/_FINE nats: the spacing of the decimals that are tried as values of epsilon
_RELATIVE = Fraction(1, 5000)  # desired width of a certificate, relative to delta
_NARROWEST = Fraction(1, 10**11)
_AIM = 0.6  # desired distance between delta and the midpoint of a certificate, relative to its width
_TRIES = 8
# relative to the width of the last certificate: the next certificate can be as narrow as this
_REACHED = Fraction(5, 4)
_NEAR = 0.02  # relative distance at which the search for a narrower bracket stops
_DIGITS = 60  # decimal digits of the brackets of an irrational delta


class LevelCertificates(NamedTuple):
    """Certificates at an upper and at a lower epsilon; None if no certificate was found."""

    upper: Certificate | None
    lower: Certificate | None

    @property
    def bracket(self) -> Bracket | None:
        """The bracket of epsilon, in nats, that the two certificates prove."""
        lower, upper = (_level(one) for one in (self.lower, self.upper))
        return None if lower is None or upper is None else Bracket(lower, upper)

    def ends(self, delta: Bracket | Delta) -> tuple[Fraction | None, Fraction | None]:
        """Return the bounds of the least epsilon for a delta, in nats, that the certificates prove."""
        asked = delta.bracket(_DIGITS) if isinstance(delta, Delta) else delta
        lower, upper = (
            _level(one) if one is not None and _is_proof(one, asked, sign) else None
            for one, sign in ((self.lower, -1), (self.upper, 1))
        )
        return lower, upper

    def proves(self, delta: Bracket | Delta) -> bool:
        """Return whether the certificates prove that the least epsilon for a delta lies between their levels."""
        return None not in self.ends(delta)


def _level(certificate: Certificate | None) -> Fraction | None:
    """Return the level of a certificate, in nats; ``None`` if it is no number."""
    level = None if certificate is None else certificate.problem["epsilon"].get("rational")
    return None if level is None else Fraction(level)


def width(certificate: Certificate) -> Fraction:
    """Return the width of the bracket of delta that a certificate proves."""
    return _end(certificate, "upper") - _end(certificate, "lower")


def certify_exactly(
    certify: Callable[[Epsilon], Certificate | None], nats: Bracket, delta: Bracket
) -> LevelCertificates:
    """Return certificates at the endpoints of a bracket of epsilon that is known exactly, or just outside it.

    Args:
        certify: returns a certificate of delta at a level, or None.
        nats: the bracket of epsilon, in nats.
        delta: the requested delta.
    """
    ends: list[Certificate | None] = [None, None]
    for i, (end, sign) in enumerate(((nats.upper, 1), (nats.lower, -1))):
        if sign < 0 and (not delta.lower or not end):
            break  # the least epsilon is 0: there is no lower bound to certify
        wider = (Fraction(round(end * n) + 2 * sign, n) for n in (_FINE, 10**9, 10**6))
        for at in (end, *wider):
            made = certify(Epsilon("rational", at)) if 0 <= at <= MAX_COMPOSED_EXPONENT else None
            if made is not None and _is_proof(made, delta, sign):
                ends[i] = made
                break
    return LevelCertificates(*ends)


def certify_near(
    items: Sequence[Item], nats: Bracket, delta: Bracket, tolerance: Fraction, rate: Callable[[float], float]
) -> LevelCertificates:
    """Return certificates of a bracket of epsilon for a positive delta, close to a floating-point value of epsilon.

    Args:
        items: the mechanisms and levels to compose.
        nats: a bracket of epsilon computed in floating point.
        delta: the requested delta.
        tolerance: the largest width of the brackets of delta; for a small delta, a smaller width is used.
        rate: returns an approximation of ``-d log delta/d epsilon`` at an epsilon.
    """
    aim = max(min(tolerance, delta.lower * _RELATIVE), _NARROWEST)
    ends: list[Certificate | None] = []
    for sign in (1, -1):
        at = float(nats.upper + nats.lower) / 2 + sign * _AIM * float(aim / delta.lower) / rate(float(nats.upper))
        found = _search(items, at, delta, aim, sign, rate)
        ends.append(found)
        if found is not None:
            aim = max(aim, width(found) * _REACHED)
    return LevelCertificates(*ends)


def _search(
    items: Sequence[Item], at: float, delta: Bracket, aim: Fraction, sign: int, rate: Callable[[float], float]
) -> Certificate | None:
    """Return a certificate on one side of a delta: each trial starts from the bounds that the last one proved."""
    failed: float | None = None
    best: Certificate | None = None
    for i in range(_TRIES):
        level = Fraction((math.ceil if sign > 0 else math.floor)(Fraction(at) * _FINE), _FINE)
        if not 0 <= level <= MAX_COMPOSED_EXPONENT:
            return None
        wanted = Epsilon("rational", level)
        made = certify_on_lattice(items, wanted)
        if made is None:
            return None
        aim = max(aim, width(made) * _REACHED)  # an attempt at a narrower bracket would fail, and failures take longest
        if _is_proof(made, delta, sign):
            best = made
            if failed is None or abs(at - failed) < _NEAR * at:
                break
            at = (at + failed) / 2
            continue
        failed = at
        if best is not None:
            at = (at + float(Fraction(best.problem["epsilon"]["rational"]))) / 2
            continue
        middle = float(_end(made, "lower") + _end(made, "upper")) / 2
        target = float(delta.lower if sign > 0 else delta.upper) - sign * _AIM * float(width(made))
        steps = math.log(middle / target) if middle > 0 and target > 0 else sign * 2.0**i
        at += max(sign * steps, 0.1 * 2**i * float(aim / delta.lower)) * sign / rate(at)
    return best


def _end(certificate: Certificate, name: str) -> Fraction:
    return Fraction(certificate.claim[name])


def _is_proof(certificate: Certificate, delta: Bracket, sign: int) -> bool:
    """Return whether a certificate proves that delta is at most the requested one (sign 1), or above it (sign -1)."""
    return _end(certificate, "upper") <= delta.lower if sign > 0 else _end(certificate, "lower") > delta.upper
