"""Write certificates for compositions and for shuffled reports (checker/composition.md and checker/shuffled.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from rropt.accounting.curves import natural_log
from rropt.accounting.items import Item
from rropt.checker.brackets import LevelBracket
from rropt.checker.composition import Composed, FittedLattice, Lattice
from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.limits import MAX_COMPOSED_COUNT, MAX_COMPOSED_ITEMS, MAX_WORK
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError
from rropt.core.exact import Bracket, Epsilon, as_text

_LATTICE_DIGITS = 30  # the same for certificates on a lattice, and for their bounds
_FITTED_DIGITS = 42  # of the brackets of a lattice that contains all losses: their errors add up over the responses
_BITS = 56  # precision of the distributions on a lattice: the rounding loss stays below 10^-9
_POINTS = 1 << 12  # of the first lattice; the work is proportional to the number of points
# points up to which a lattice that contains all losses has distributions of so many bits
_FITTED = ((1 << 15, 160), (1 << 18, 64))
_SPLIT_BITS, _SPLIT_POINTS = 160, 1 << 15  # the same for few responses, each of which is split between two points
_FEW = 1 << 12  # joint responses
# points of a nat where joint responses are few: splitting is exact but in the step that holds gamma
_SHORT = (1 << 6, 1 << 9, 1 << 12)
_NARROW = Fraction(1, 10**25)
_EXACT = Fraction(1, 10**36)  # width of a bracket of delta that is taken for a claim of _LATTICE_DIGITS digits
_FEWEST = 64  # lattice points; coarser lattices give useless bounds
PLENTY = 1 << 60  # work that no bounds reach
_SPARE = 0.9  # fraction of the work budget that a certificate uses at most


def require_proof(certificate: Certificate | None, record: str, other: str, *, fits: bool = True) -> None:
    """Raise ``FileFormatError`` if the certificate in a file is rejected, or belongs to another question.

    Args:
        certificate: the certificate, if there is one.
        record, other: what the file is a record of, and what else the certificate could be of.
        fits: whether the certificate is of the record's question.
    """
    if certificate is not None and not (certificate.check() and fits):
        raise FileFormatError(
            f"the record of {record} is not proved: its certificate is {certificate.check()}, or of {other}; use the "
            "record as it was written"
        )


def composition_problem(items: Sequence[Item], epsilon: Epsilon) -> dict[str, Any] | None:
    """Return a composition in the certificate format; None if the statement does not cover one of the items."""
    listed: list[dict[str, Any]] = []
    for item in items:
        delta = item.delta.rational
        if item.atoms is not None or delta is None or item.is_bound:
            return None
        if item.count:
            level = Epsilon.of(0) if item.epsilon.is_infinite else item.epsilon
            listed.append({"epsilon": level.to_dict(), "delta": as_text(delta), "count": str(item.count)})
    if len(listed) > MAX_COMPOSED_ITEMS or any(int(each["count"]) > MAX_COMPOSED_COUNT for each in listed):
        return None
    return {"items": listed, "epsilon": epsilon.to_dict()}


def _composed(items: Sequence[Item], epsilon: Epsilon, digits: int) -> tuple[Composed, list[Bracket]]:
    """Return a composition in the checker's format, with the bracket of exp(level) of each item."""
    listed = [item for item in items if item.count]
    levels = [(Epsilon.of(0) if item.epsilon.is_infinite else item.epsilon).gamma_bracket(digits) for item in listed]
    gamma = epsilon.gamma_bracket(digits)
    counts: dict[Bracket, int] = {}
    kept = Fraction(1)
    for item, level in zip(listed, levels, strict=True):
        counts[level] = counts.get(level, 0) + item.count
        kept *= (1 - (item.delta.rational or Fraction(0))) ** item.count
    parts = [(LevelBracket(level.lower, level.upper), count) for level, count in counts.items()]
    return Composed(parts, kept, LevelBracket(gamma.lower, gamma.upper)), levels


def certify_on_lattice(
    items: Sequence[Item],
    epsilon: Epsilon,
    work: int = MAX_WORK,
    fitted: LatticeProof | None = None,
    known: Bracket | None = None,
) -> Certificate | None:
    """Return an accepted certificate for a bracket of delta on a lattice; None if the checker accepts none.

    Args:
        items: the mechanisms and levels to compose.
        epsilon: the level at which delta is claimed.
        work: units of the checker's budget that the certificate may use.
        fitted: the lattice that contains all losses, if it is known already.
        known: a bracket of delta. If it is narrow, its endpoints are claimed without computing the lattice here.
    """
    if fitted is None and known is not None and known.upper - known.lower < _EXACT:
        ratio = _fitted_ratio(items)
        if ratio is not None and ratio[1] == _FITTED[0][1]:
            levels = [*_composed(items, epsilon, _FITTED_DIGITS)[1], epsilon.gamma_bracket(_FITTED_DIGITS)]
            made = _certificate(items, epsilon, known, levels, *ratio)
            if made is not None:
                return made
    proof = best_lattice(items, epsilon, work, fitted)
    return None if proof is None else proof.certificate(epsilon)


def _certificate(
    items: Sequence[Item], epsilon: Epsilon, found: Bracket, levels: Sequence[Bracket], ratio: Fraction, bits: int
) -> Certificate | None:
    """Return the accepted certificate of a bracket of delta; None if the checker accepts none."""
    problem = composition_problem(items, epsilon)
    if problem is None:
        return None
    ends = found.rounded_outwards(_LATTICE_DIGITS)
    claim = Bracket(max(ends.lower, Fraction(0)), min(ends.upper, Fraction(1)))
    proof = {
        "brackets": [one.written("below", "above") for one in levels],
        "ratio": as_text(ratio),
        "bits": str(bits),
    }
    return Certificate.accepted("composition", problem, claim.written(), proof)


class LatticeProof:
    """One lattice of a composition: bounds of delta at every level, and certificates of these bounds.

    Args:
        items: the mechanisms and levels to compose.
        most: the level up to which the probabilities have enough bits.
        ratio, bits: the ratio of the lattice, and the precision of its probabilities.
        budget: the work budget.
        digits: decimal digits of the brackets of levels.
    """

    def __init__(
        self,
        items: Sequence[Item],
        most: Epsilon,
        ratio: Fraction,
        bits: int,
        budget: WorkBudget,
        digits: int = _LATTICE_DIGITS,
    ) -> None:
        composed, self._levels = _composed(items, most, digits)
        self._items, self._most, self._ratio, self._bits, self._kept = items, most, ratio, bits, composed.kept
        self._digits = digits
        fitted = FittedLattice.of(composed, ratio, bits, budget)
        self._lattice: Lattice | FittedLattice = fitted or Lattice(composed, ratio, bits, budget)
        self.fitted = fitted

    def lower(self, epsilon: Epsilon, budget: WorkBudget) -> Fraction:
        """Return the lower bound of delta at a level."""
        return 1 - self._kept * (1 - self._lattice.lower(epsilon.gamma_bracket(self._digits).upper, budget))

    def upper(self, epsilon: Epsilon, budget: WorkBudget) -> Fraction:
        """Return the upper bound of delta at a level."""
        return 1 - self._kept * (1 - self._lattice.upper(epsilon.gamma_bracket(self._digits).lower, budget))

    def bounds(self, epsilon: Epsilon, budget: WorkBudget) -> Bracket:
        """Return the bounds of delta at a level."""
        return Bracket(self.lower(epsilon, budget), self.upper(epsilon, budget))

    def certificate(self, epsilon: Epsilon) -> Certificate | None:
        """Return the accepted certificate of the bounds at a level; None if the checker accepts none."""
        found = self.bounds(epsilon, WorkBudget(PLENTY))
        levels = [*self._levels, epsilon.gamma_bracket(self._digits)]
        made = _certificate(self._items, epsilon, found, levels, self._ratio, self._bits)
        if made is not None or epsilon == self._most:
            return made
        # the checker computes the probabilities of this level with fewer bits
        again = LatticeProof(self._items, epsilon, self._ratio, self._bits, WorkBudget(PLENTY), self._digits)
        return again.certificate(epsilon)


def fitted_lattice(items: Sequence[Item], work: int = MAX_WORK) -> LatticeProof | None:
    """Return a lattice that contains all losses, for every level; None if there is none, or it needs too much work.

    The time is proportional to the points of the lattice times the number of different levels, and to the largest
    number of equal ones: exponents 1.9 and 2.1 (40, 80 and 160 decimal levels), and 0.9 and 1.5 (1000, 4000 and 16 000
    equal ones) were measured.
    """
    found = _fitted_ratio(items)
    # no certificate states such a count, and the exact power of 1 - delta would be too long
    if found is None or any(item.count > MAX_COMPOSED_COUNT for item in items):
        return None
    with suppress(Rejected):
        made = LatticeProof(items, Epsilon.of(0), *found, WorkBudget(int(_SPARE * work)), _FITTED_DIGITS)
        if made.fitted is not None:
            law, powers = made.fitted.law, made.fitted.powers
            powers.upto(max(law.start + len(law.weights), 1) - 1)  # within this budget: every level needs some of them
            return made
    return None


def best_lattice(
    items: Sequence[Item], epsilon: Epsilon, work: int = MAX_WORK, fitted: LatticeProof | None = None
) -> LatticeProof | None:
    """Return the lattice with the narrowest bounds that the checker proves with ``work``; None if there is none.

    If all levels are multiples of one number (for example, all equal), every loss is a lattice point and the bracket of
    delta is about 10^-30 wide, or 10^-13 if the lattice has many points. So it is if the responses are few, and no
    joint response lies in the step of the lattice that holds gamma. Otherwise the lattice is as fine as ``work``
    allows, and the bracket may be wider than the one in floats.

    Args:
        items: the mechanisms and levels to compose.
        epsilon: the level up to which delta is bounded.
        work: units of the checker's budget that a certificate may use.
        fitted: the lattice that contains all losses, if it is known already.
    """
    if composition_problem(items, epsilon) is None:
        return None
    fitted = fitted or fitted_lattice(items, work)
    if fitted is not None:
        return fitted
    composed, _ = _composed(items, epsilon, _LATTICE_DIGITS)
    nats = sum(2 * float(natural_log(bracket.above).upper) * count for bracket, count in composed.parts)
    outcomes = math.prod(count + 1 for _, count in composed.parts)
    for steps in _SHORT if outcomes <= _FEW else ():
        if nats * steps <= _SPLIT_POINTS:
            with suppress(Rejected):
                spent = WorkBudget(int(_SPARE * work))
                proof = LatticeProof(items, epsilon, 1 + Fraction(1, steps), _SPLIT_BITS, spent)
                found = proof.bounds(epsilon, spent)
                if found.upper - found.lower < _NARROW:
                    return proof
    points = float(_POINTS)
    while True:
        ratio, spent = 1 + Fraction(1, max(round(points / nats), 1)), WorkBudget(work)
        try:
            proof = LatticeProof(items, epsilon, ratio, _BITS, spent)
            proof.bounds(epsilon, spent)
        except Rejected:
            if points < _FEWEST:
                return None
            points /= 2
            continue
        share = (work - spent.left) / work
        if share >= _SPARE / 2 or points != _POINTS:
            return proof
        points *= _SPARE / share


def _fitted_ratio(items: Sequence[Item]) -> tuple[Fraction, int] | None:
    """Return the ratio and the bits of a lattice that contains the losses of all items; None if it needs too many
    points.
    """
    own = [item for item in items if item.count and not item.epsilon.is_infinite and item.epsilon != Epsilon.of(0)]
    if len({item.epsilon.kind == "rational" or item.epsilon.base for item in own}) != 1:
        return None
    times = [item.epsilon.times for item in own]
    scale = math.lcm(*(x.denominator for x in times))
    common = Fraction(math.gcd(*(int(x * scale) for x in times)), scale)
    points = sum(item.count * item.epsilon.times / common for item in own)
    bits = next((bits for most, bits in _FITTED if points <= most), None)
    if bits is None:
        return None
    step = own[0].epsilon.scaled(2 * common / own[0].epsilon.times)
    return step.gamma_bracket(_FITTED_DIGITS).lower, bits


def certify_shuffled(
    n: int,
    device: Mapping[str, Any],
    levels: Sequence[Bracket],
    epsilon: Epsilon,
    claim: Bracket,
    parts: Mapping[str, Any],
) -> Certificate | None:
    """Return an accepted certificate for a bracket of delta after shuffling; None if the checker accepts none.

    Args:
        n: number of respondents.
        device: the device in the certificate format.
        levels: brackets of the level of the device, if it has one, and of the level after shuffling.
        epsilon: the level after shuffling.
        claim: the bracket. It must be wider than the rounding error of the distributions.
        parts: the other parts of the proof: blocks and a data set, or cuts; and the precision of the distributions.
    """
    problem = {"respondents": str(n), "device": device, "epsilon": epsilon.to_dict()}
    proof = {"brackets": [level.written("below", "above") for level in levels], **parts}
    return Certificate.accepted("shuffled", problem, claim.written(), proof)
