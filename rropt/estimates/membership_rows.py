"""Estimates from counts of memberships, and of the categories that a test selects among them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from rropt.core.exact import exact_confidence
from rropt.core.exact.numbers import square_root
from rropt.estimates.concluded_estimates import UNNAMED
from rropt.estimates.estimate_remarks import share_remarks
from rropt.estimates.estimated import Estimate, Estimates
from rropt.estimates.late_texts import LateTexts
from rropt.estimates.membership_basis import membership_basis, required_memberships
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families import MembershipMechanism, as_memberships


def membership_rows(
    sets: MembershipMechanism, memberships: Sequence[int], n: int, names: Sequence[str], p_values: Sequence[float] = ()
) -> list[Estimate]:
    """Return the proportions of some categories.

    Args:
        sets: the mechanism, whose responses are sets of categories.
        memberships: the number of responses that contain each category.
        n: the number of responses.
        names: the names of the categories.
        p_values: the p-values of a test of each; empty without one.
    """
    basis = membership_basis(sets, memberships, n)
    means, errors, rows = basis.means, dict[int, float](), []
    devices = [max(x, 0.0) ** 0.5 for x in means.device[0].tolist()]
    for x, (c, name) in enumerate(zip(memberships, names, strict=True)):
        if c not in errors:
            errors[c] = square_root(means.variance[0, x])
        more: dict[str, Any] = {"device_se": devices[x], "basis": basis, "place": x}
        more["p_value"] = p_values[x] if p_values else None
        rows.append(Estimate(name, means.value[0, x], errors[c], n, UNNAMED, name, **more))
    return rows


def estimates_of_memberships(
    mechanism: Mechanism, memberships: Sequence[int], n: int, *, confidence: object = DEFAULT_CONFIDENCE
) -> Estimates:
    """Return the proportions of all categories from counts of memberships.

    Args:
        mechanism: the mechanism, whose responses are sets of categories.
        memberships: the number of responses that contain each category, shape (k,).
        n: the number of responses.
        confidence: the confidence of the intervals.

    Returns:
        The estimates. Each interval holds by itself; ``conf_int(simultaneous=True)`` has those that hold together.

    Raises:
        InvalidParameterError: there are no responses, or their counts do not fit the mechanism.

    >>> from rropt.mechanisms.families import AllSubsets, BlockMechanism
    >>> found = estimates_of_memberships(BlockMechanism(AllSubsets(3, 2), 3), [1, 2, 1], 2)
    >>> [str(one.estimate) for one in found]
    ['-1/4', '3/2', '-1/4']
    """
    sets, level = required_memberships(mechanism, memberships, n), exact_confidence(confidence)
    names = mechanism.categories or tuple(map(str, range(mechanism.inputs)))
    rows = membership_rows(sets, memberships, n, names)
    more: dict[str, Any] = {
        "confidence": level,
        "mechanisms": (mechanism,),
        "remarks_": LateTexts(partial(share_remarks, rows, level)),
    }
    return Estimates("proportions", tuple(rows), (UNNAMED,), (), **more)


def selected_memberships(
    mechanism: Mechanism,
    memberships: Sequence[int],
    n: int,
    names: Sequence[str],
    p_values: Sequence[float],
    remarks: Sequence[str],
    confidence: Fraction,
) -> Estimates:
    """Return the proportions of the categories that a test selected, with their p-values.

    Args:
        mechanism: the mechanism, whose responses are sets of categories.
        memberships, names, p_values: of each selected category.
        n: the number of responses.
        remarks: what was tested.
        confidence: the confidence of the intervals.
    """
    sets = as_memberships(mechanism)
    assert sets is not None  # only such categories are tested
    rows = membership_rows(sets, memberships, n, names, p_values)
    more: dict[str, Any] = {"confidence": confidence, "mechanisms": (mechanism,), "remarks_": tuple(remarks)}
    return Estimates("proportions", tuple(rows), (UNNAMED,), (), **more)
