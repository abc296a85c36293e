"""Remarks on estimates that follow from their numbers, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.core.errors import shown
from rropt.core.exact.display import decimal_places, rounded
from rropt.core.visible import with_noun
from rropt.estimates.estimate_bases import CountsBasis
from rropt.estimates.estimated import NOISE, Estimate
from rropt.estimates.membership_basis import MembershipBasis
from rropt.inference.differences import is_outside
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE
from rropt.inference.interval_kinds import empty_remark, equal_remark, few, is_empty


def share_remarks(estimates: Sequence[Estimate], confidence: Fraction = DEFAULT_CONFIDENCE) -> tuple[str, ...]:
    """Return the remarks on proportions.

    Args:
        estimates: the proportions.
        confidence: the confidence of their intervals.
    """
    several = len({one.question for one in estimates}) > 1
    without: list[str] = []
    outside: list[str] = []
    emptied: list[str] = []
    equal: list[str] = []
    is_left = False
    known: dict[object, tuple[bool, bool, bool, bool]] = {}
    for one in estimates:
        basis = one.basis
        assert basis is not None
        key = id(basis), basis.shared(one.place)
        if key not in known:
            known[key] = _remarked(one, confidence)
            is_left = is_left or (known[key][-1] and basis.is_left(one.place))
        if not any(known[key]):
            continue
        name = f"{one.question}: {one.name}" if several and one.question and one.question not in one.name else one.name
        for names, is_met in zip((without, outside, emptied, equal), known[key], strict=True):
            names += [name] * is_met
    told = []
    if without:
        told.append(f"no degrees of freedom, hence no intervals: {few(without)}")
    if outside:
        told.append(f"estimates outside [0, 1]: {few(outside)}: they are unbiased only if left as they are")
    doubted, by_chance = _doubted(estimates, emptied, confidence)
    told += empty_remark(doubted)
    if by_chance:
        told.append(
            f"the single interval of {few(by_chance)} contains no possible prevalence, as chance may have it for some "
            f"of {len(estimates)} categories; the intervals of all categories at once contain one"
        )
    told += equal_remark(equal, are_left=is_left)
    return tuple(told)


def _doubted(estimates: Sequence[Estimate], emptied: list[str], confidence: Fraction) -> tuple[list[str], list[str]]:
    """Return the estimates whose interval is empty even at the confidence of all together, and the others.

    Of many categories of one question an interval may contain no possible prevalence by chance.
    """
    if len(estimates) < 3 or not isinstance(estimates[0].basis, CountsBasis | MembershipBasis) or not emptied:
        return emptied, []
    at_once = 1 - (1 - confidence) / len(estimates)
    own = {one.name: one.conf_int(confidence=at_once) for one in estimates if one.name in emptied}
    doubted = [name for name in emptied if (ends := own.get(name)) is None or ends.emptied]
    return doubted, [name for name in emptied if name not in doubted]


def _remarked(one: Estimate, confidence: Fraction) -> tuple[bool, bool, bool, bool]:
    """Return whether a proportion has no interval, is outside [0, 1], has an empty interval, and equal responses."""
    ends = one.conf_int(confidence=confidence)
    is_emptied = ends is not None and is_empty(float(ends.lower), float(ends.upper), one.estimate)
    if one.weight is None:
        is_equal = one.se == 0
    else:  # the interval of a census with direct responses is a point
        is_equal = one.se is not None and one.se <= NOISE and ends is not None and ends.lower < ends.upper
    return ends is None, is_outside(one.estimate), is_emptied, is_equal


def missing_remark(missing: int, *, is_domain: bool = False) -> tuple[str, ...]:
    """Return the remark on missing answers; none without them.

    Args:
        missing: their number.
        is_domain: whether those who answered are a domain of a complex sample.
    """
    if not missing:
        return ()
    return (
        f"{with_noun(missing, 'missing answer was', 'missing answers were')} left out"
        f"{', and those who answered are treated as a domain' * is_domain}; the estimates are biased if whether people "
        "respond depends on their true answer",
    )


def mean_remarks(estimates: Sequence[Estimate], overall: Sequence[Estimate]) -> tuple[str, ...]:
    """Return the remark on groups whose reports are all equal: their standard error is no measure of the error.

    Args:
        estimates, overall: the estimates of the groups, and of all groups together.
    """
    equal = [  # weighted means of equal numbers differ in last digits
        one for one in (*estimates, *overall) if one.se is not None and one.se <= 1e-9 * (one.device_se or 0.0)
    ]
    if not equal:
        return ()
    where = f" in {shown(', '.join(one.group or 'all' for one in equal))}" if overall else ""
    own, is_simple = equal[0].device_se, equal[0].weight is None
    device = f", of which the device alone has about {rounded(own, decimal_places(own))}" if own else ""
    told = (
        f"the reports are all equal{where}: the standard error 0 and its t-interval state nothing about the error of "
        f"the mean{device}; check the reports" + ", and use the guaranteed interval" * is_simple
    )
    if len(estimates) > 1:
        told += (
            "; differences of groups are not tested"
            if is_simple
            else ("; the differences of these groups from others are not tested")
        )
    return (told,)
