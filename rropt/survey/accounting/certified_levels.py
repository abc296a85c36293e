"""Certified brackets of the least epsilon of a composition for a delta.

Two certificates make a bracket: one of delta at an upper epsilon, where it is at most the delta that was asked for, and
one at a lower epsilon, where it is above that. delta falls strictly as long as it is positive, so the least epsilon is
between them. Exact methods know where to look; of many different levels a few certificates in frequencies (rule 38) or
on a lattice (rule 27) are made near the epsilon that floats give, further away where the first ones are too wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from rropt.checker.limits import MAX_COMPOSED_EXPONENT
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Delta, Epsilon
from rropt.survey.accounting.certificates import certify_on_lattice
from rropt.survey.accounting.frequencies import certify_in_frequencies
from rropt.survey.accounting.items import Item

_FINE = 10**12  # parts of a nat, of a level between decimals that prove nothing
_RELATIVE = Fraction(1, 5000)  # of delta, the width that a certificate should have
_NARROWEST = Fraction(1, 10**11)
_AIM = 0.6  # of the width of a certificate: so far from delta its middle should be
_TRIES = 8
_REACHED = Fraction(5, 4)  # of the width of a certificate that was made: it is wide enough to be reached again
_NEAR = 0.02  # relative: a search for a smaller bracket ends there
_DIGITS = 60  # of brackets of an irrational delta


class LevelCertificates(NamedTuple):
    """Certificates at an upper and at a lower epsilon; None where none is found."""

    upper: Certificate | None
    lower: Certificate | None

    @property
    def bracket(self) -> Bracket | None:
        """The bracket of epsilon in nats that both prove."""
        if self.upper is None or self.lower is None:
            return None
        return Bracket(*(Fraction(one.problem["epsilon"]["rational"]) for one in (self.lower, self.upper)))

    def proves(self, delta: Bracket | Delta) -> bool:
        """Return whether delta is at most this one at the upper epsilon, and above it at the lower one."""
        ends = delta.bracket(_DIGITS) if isinstance(delta, Delta) else delta
        return bool(self.upper and self.lower and _is_proof(self.upper, ends, 1) and _is_proof(self.lower, ends, -1))


def width(certificate: Certificate) -> Fraction:
    """Return the width of the bracket of delta of a certificate."""
    return _end(certificate, "upper") - _end(certificate, "lower")


def certify_exactly(
    certify: Callable[[Epsilon], Certificate | None], nats: Bracket, delta: Bracket
) -> LevelCertificates:
    """Return certificates at the ends of a bracket of epsilon that is known exactly, or just beyond them.

    Args:
        certify: returns the certificate of delta at a level.
        nats: the bracket.
        delta: that was asked for.
    """
    ends: list[Certificate | None] = [None, None]
    for i, (end, sign) in enumerate(((nats.upper, 1), (nats.lower, -1))):
        if sign < 0 and (not delta.lower or not end):
            break  # no smaller epsilon is claimed to be too small
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
    """Return certificates of a bracket of epsilon for a positive delta near an epsilon that floats give.

    Args:
        items: the mechanisms and levels to compose.
        nats: where floats see the epsilon.
        delta: that was asked for.
        tolerance: width of delta that is wanted, at most; smaller where delta is small.
        rate: returns about ``-d log delta/d epsilon`` at an epsilon.
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
    """Return a certificate on one side of a delta: each try uses what the last one has proved."""
    failed: float | None = None
    is_wide = False  # than delta itself: then frequencies do not serve
    best: Certificate | None = None
    for i in range(_TRIES):
        level = Fraction((math.ceil if sign > 0 else math.floor)(Fraction(at) * _FINE), _FINE)
        if not 0 <= level <= MAX_COMPOSED_EXPONENT:
            return None
        wanted = Epsilon("rational", level)
        made = certify_on_lattice(items, wanted) if is_wide else narrowest(items, wanted, aim)
        if made is None:
            return None
        aim = max(aim, width(made) * _REACHED)  # a narrower one would be sought in vain, which takes longest
        if _is_proof(made, delta, sign):
            best = made
            if failed is None or abs(at - failed) < _NEAR * at:
                break
            at = (at + failed) / 2
            continue
        failed, is_wide = at, width(made) > delta.lower
        if best is not None:
            at = (at + float(Fraction(best.problem["epsilon"]["rational"]))) / 2
            continue
        middle = float(_end(made, "lower") + _end(made, "upper")) / 2
        target = float(delta.lower if sign > 0 else delta.upper) - sign * _AIM * float(width(made))
        steps = math.log(middle / target) if middle > 0 and target > 0 else sign * 2.0**i
        at += max(sign * steps, 0.1 * 2**i * float(aim / delta.lower)) * sign / rate(at)
    return best


def narrowest(items: Sequence[Item], level: Epsilon, aim: Fraction) -> Certificate | None:
    """Return the narrowest certificate of delta of many different levels at an epsilon.

    Args:
        items: the mechanisms and levels to compose.
        level: the epsilon.
        aim: the width that is wanted.
    """
    made = certify_in_frequencies(items, level, aim)
    if made is not None and width(made) <= aim:
        return made
    both = [one for one in (made, certify_on_lattice(items, level)) if one is not None]
    return min(both, key=width, default=None)


def _end(certificate: Certificate, name: str) -> Fraction:
    return Fraction(certificate.claim[name])


def _is_proof(certificate: Certificate, delta: Bracket, sign: int) -> bool:
    """Return whether delta is at most the one that was asked for (1), or above it (-1)."""
    return _end(certificate, "upper") <= delta.lower if sign > 0 else _end(certificate, "lower") > delta.upper
