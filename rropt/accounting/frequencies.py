"""Certificates of compositions of many different levels: choose the witness of the checker's rule 38.

Rule 38 computes bounds of delta from the characteristic function of the privacy loss, to which it adds a small Gaussian
noise of variance h. The width of its bracket is about ``h f``, where f is the density of the loss at the level. This
module chooses four parameters in floating point: h, the spacing of the frequencies, the number of frequencies in the
sum, and the length of the intervals beyond them. The checker proves the bracket for any choice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rropt.accounting.certificates import LATTICE_DIGITS, composed_answers, composition_problem
from rropt.accounting.curves import natural_log, rounded_outwards
from rropt.accounting.items import Item
from rropt.checker.composition_rule import Composed, read_composition
from rropt.checker.documents import Budget, Rejected
from rropt.checker.fourier_rule import Plan, fourier_bounds
from rropt.checker.limits import MAX_WORK
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Epsilon, as_text
from rropt.core.lazy import numpy as np

_NOISE = 0.7  # fraction of the width for the noise; the rest is for frequencies that are not summed
_SHARE = 40  # one other source of error may use 1/_SHARE of the width
_LEFT = 0.11  # fraction of the width for the frequencies that are not summed; they enter both bounds
_TURN = 0.28  # radians by which an angle may change within half an interval
_MANY = 200  # number of responses that make the characteristic function small
_WIDER = 1.7  # factor by which the width grows if the work does not suffice
_THINNEST = 1e-6  # least density of the loss, relative to the largest density
_BLUNT = 0.03  # average error of the checker's tables of angles, in radians
_CHOSEN, _CHUNK = 256, 1 << 12  # levels in the sample, and intervals in one step of the estimate
_LONGEST = 1 << 18  # limit for frequencies and intervals together
_TRIES = 12
_COMPARING = 4000  # work units for comparing long fractions with the claim
_SIGNIFICANT = 6  # digits of the chosen parameters


class _Shape(NamedTuple):
    """The loss in floats: sorted levels with counts, mean, standard deviation, and sum of count times level squared."""

    levels: list[tuple[float, int]]
    mean: float
    deviation: float
    proxy: float


def certify_in_frequencies(
    items: Sequence[Item], epsilon: Epsilon, width: Fraction, work: int = MAX_WORK, *, may_be_wider: bool = True
) -> Certificate | None:
    """Return an accepted certificate for a narrow bracket of delta by rule 38; None if the checker accepts none.

    Args:
        items: the mechanisms and levels to compose.
        epsilon: the level at which delta is claimed.
        width: the requested width of the bracket.
        work: units of the checker's budget that the certificate may use.
        may_be_wider: whether to return a wider bracket if ``work`` does not suffice for the requested width.

    >>> from rropt.accounting.items import read_items
    >>> items = read_items([f"{i}/2000" for i in range(80, 200)])
    >>> found = certify_in_frequencies(items, Epsilon.of(1), Fraction(1, 10**6))
    >>> lower, upper = (Fraction(found.claim[end]) for end in ("lower", "upper"))
    >>> print(found.witness["rule"], lower < upper < lower + Fraction(1, 10**6))
    composition-fourier True
    """
    problem = composition_problem(items, epsilon)
    if problem is None:
        return None
    composed, levels, gamma = composed_answers(items, epsilon)
    shape = _shape(composed)
    if not shape.levels or not composed.kept:
        return None
    written = [one.written("below", "above") for one in levels]
    target = gamma.written("below", "above")
    budget = Budget(work)
    try:  # the budget that is left after the brackets of the levels have been proved
        read_composition(problem, {"kind": "composed-delta", "lower": "0", "upper": "1"}, written, target, budget)
    except Rejected:
        return None
    distance = float(natural_log(composed.gamma.below).upper)
    found = _found(composed, shape, distance, width, budget.left - _COMPARING, may_be_wider)
    if found is None or not (may_be_wider or found[1].upper - found[1].lower <= width):
        return None
    plan, ends = found
    frequencies = {"spacing": as_text(plan.spacing)}
    frequencies |= {name: str(getattr(plan, name)) for name in ("nodes", "stride", "intervals")}
    witness = {
        "rule": "composition-fourier",
        "levels": written,
        "gamma": target,
        "variance": as_text(plan.variance),
        "frequencies": frequencies,
    }
    return Certificate.accepted(problem, {"kind": "composed-delta", **ends.written()}, witness)


def _shape(composed: Composed) -> _Shape:
    levels = []
    for bracket, count in composed.parts:
        if bracket.above > 1:
            levels.append((float(natural_log(bracket.above).upper), count))
    levels.sort()
    mean = sum(n * eps * math.tanh(eps / 2) for eps, n in levels)
    spread = math.sqrt(sum(n * (eps / math.cosh(eps / 2)) ** 2 for eps, n in levels))
    return _Shape(levels, mean, spread, sum(n * eps * eps for eps, n in levels))


def _found(
    composed: Composed, shape: _Shape, level: float, width: Fraction, work: int, may_be_wider: bool
) -> tuple[Plan, Bracket] | None:
    """Return a plan and the bracket of delta it proves: as narrow as requested, or as the work budget allows."""
    goal = float(width) / float(composed.kept)
    off = (level - shape.mean) / shape.deviation
    density = max(math.exp(-off * off / 2), _THINNEST) / (shape.deviation * math.sqrt(2 * math.pi))
    most = min((shape.deviation / 4) ** 2, 1.0)
    best: tuple[Plan, Bracket] | None = None
    for _ in range(_TRIES):
        plan = _plan(shape, level, min(_NOISE * goal / density, most), goal)
        ends = None if plan is None else _bracket(composed, plan, work)
        if plan is None or ends is None:
            if best is not None or goal > 1 or not may_be_wider:
                break
            goal *= _WIDER
            continue
        gap = ends.upper - ends.lower
        if best is None or gap < best[1].upper - best[1].lower:
            best = plan, ends
        missed = float(gap) / (goal * float(composed.kept))
        if gap <= width or missed <= 1:
            break
        density *= min(missed, 4.0) * _WIDER  # the loss is not normal there
    return best


def _bracket(composed: Composed, plan: Plan, work: int) -> Bracket | None:
    try:
        low, high = fourier_bounds(composed, plan, Budget(work))
    except Rejected:
        return None
    kept = composed.kept
    found = rounded_outwards(Bracket(1 - kept * (1 - low), 1 - kept * (1 - high)), LATTICE_DIGITS)
    return Bracket(max(found.lower, Fraction(0)), min(found.upper, Fraction(1)))


def _plan(shape: _Shape, level: float, variance: float, goal: float) -> Plan | None:
    """Return a plan in which the frequencies outside the sum cost a small part of the goal; None if there is none."""
    small = goal / _SHARE
    reach = abs(shape.mean + variance / 2 - level) + math.sqrt(2 * (shape.proxy + variance) * math.log(2 / small))
    spacing = float(_short(min(math.pi / max(reach, math.log(1 / small)), 1.0)))
    last = 1.0
    while math.exp(-variance * last * last / 2) / (math.pi * last) > small:
        last *= 1.05
    first = min(math.sqrt(2 * math.log(1 / small)) / shape.deviation, last)
    fast = next(
        (eps for (eps, _), n in zip(shape.levels, _responses_to_level(shape.levels), strict=True) if n >= _MANY),
        shape.levels[-1][0],
    )

    def made(first: float, stride: int) -> Plan:
        nodes = math.ceil(first / spacing) + 1
        intervals = max(math.ceil((last / spacing - nodes) / stride), 0)
        return Plan(_short(variance), _short(spacing), nodes, stride, intervals)

    stride = max(int(2 * _TURN / (fast * spacing)), 1)
    plan = made(first, stride)
    lost = _width_of_tails(shape, plan)
    while lost > _LEFT * goal:
        further, finer = made(first * 1.6, stride), made(first, max(stride * 3 // 5, 1))
        left, plan = min(((_width_of_tails(shape, one), one) for one in (further, finer)), key=lambda pair: pair[0])
        if left > 0.9 * lost or plan.nodes + plan.intervals > _LONGEST:
            return None
        lost, first, stride = left, plan.nodes * spacing, plan.stride
    return plan


def _width_of_tails(shape: _Shape, plan: Plan) -> float:
    """Estimate, from a sample of the levels, how much the frequencies outside the sum add to the width."""
    chosen = shape.levels  # a random sample of many levels: a regular one has a spurious period
    if len(chosen) > _CHOSEN:
        chosen = random.Random(0).sample(chosen, _CHOSEN)
    levels, counts = (np.array(each, dtype=float) for each in zip(*chosen, strict=True))
    h, s = float(plan.variance), float(plan.spacing)
    weights = 1 / np.cosh(levels / 2) ** 2
    end = (plan.nodes + plan.stride * plan.intervals) * s
    total = math.exp(-h * end * end / 2) / (math.pi * end)
    width = plan.stride * s
    slack = levels * width / 2 + _BLUNT
    for start in range(0, plan.intervals, _CHUNK):
        a = (plan.nodes + plan.stride * np.arange(start, min(start + _CHUNK, plan.intervals))) * s
        sines = np.maximum(np.abs(np.sin(np.outer(a + width / 2, levels))) - slack, 0.0)
        bounds = np.exp(np.log1p(-np.minimum(weights * sines**2, 0.99)) @ (counts / 2) - h * a * a / 2)
        total += float(np.sum((bounds + 2.0**-48) * width * (1 / a**2 + h))) / math.pi
    return total


def _responses_to_level(levels: list[tuple[float, int]]) -> list[int]:
    """Return the number of responses up to each level."""
    total, found = 0, []
    for _, count in levels:
        total += count
        found.append(total)
    return found


def _short(x: float) -> Fraction:
    """Round a number down to a few significant digits."""
    scale = 10 ** (_SIGNIFICANT - math.floor(math.log10(x)))
    return min(Fraction(math.floor(x * scale), scale), Fraction(1))
