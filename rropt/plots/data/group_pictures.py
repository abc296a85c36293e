"""Data of pictures of groups: one number in each group, with its intervals; also for complex surveys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, shown
from rropt.estimates.concluded_estimates import PROVED
from rropt.estimates.estimated import SIMPLE, Estimate, Estimates

MOST_GROUPS = 60  # rows of a picture in print


@dataclass(frozen=True, slots=True)
class GroupsPicture:
    """One proportion, the mean of a number, or a contrast in all groups.

    Attributes:
        name: the name of the proportion, or of the number.
        by: the columns of the groups; empty for all respondents together.
        confidence: the confidence of the intervals.
        estimator: what the estimates are, in words.
        groups, n, estimates: the names of the groups, their numbers of respondents, and their estimates.
        intervals: the kinds of interval, each with its endpoints by group; ``None`` for a group without one.
        quantity: what is estimated: ``"proportion"``, ``"mean"`` or ``"contrast"``.
    """

    name: str
    by: tuple[str, ...]
    confidence: Fraction
    estimator: str
    groups: tuple[str, ...]
    n: tuple[int, ...]
    estimates: tuple[float, ...]
    intervals: Mapping[str, Sequence[tuple[float, float] | None]]
    quantity: str = "proportion"


def groups_picture(found: Estimates, share: str | None = None) -> GroupsPicture:
    """Return one proportion, the mean of a number, or a contrast in all groups.

    Args:
        found: estimates by group, a mean or a contrast, or the predicted prevalence by group of a regression.
        share: the name of the proportion; by default the first one. Not for a mean or a contrast.

    Raises:
        InvalidParameterError: there are no estimates by group, no such proportion, or more than 60 groups.
    """
    if not isinstance(found, Estimates):
        raise InvalidParameterError(
            f"there are no estimates by group: received {type(found).__name__}; allowed are estimates by group, with "
            "weights, and of a mean or a contrast (the JSON that rropt estimate prints of them), and prevalence of a "
            "regression"
        )
    return _of_estimates(found, share)


_QUANTITIES = {"mean": "mean", "contrast": "contrast", "proportions": "proportion", "predicted": "proportion"}
_BY_KIND = {"t": "t-interval (approximate)", "beta": "recommended (beta)"}


def number_names(found: Estimates) -> list[str]:
    """Return the names of the proportions of a result: the question, with the category if it has several."""
    return list(_by_number(found))


def _by_number(found: Estimates) -> dict[str, list[Estimate]]:
    numbers: dict[tuple[str | None, str | None], list[Estimate]] = {}
    if found.kind == "predicted":
        return {found.rows[0].category or "": list(found.rows)}
    for one in found.rows:
        numbers.setdefault((one.question, one.category), []).append(one)
    sizes = Counter(question for question, _ in numbers)
    return {
        question or "" if sizes[question] == 1 else f"{question}: {category}": rows
        for (question, category), rows in numbers.items()
    }


def _of_estimates(found: Estimates, share: str | None) -> GroupsPicture:
    """Return one proportion, the mean or the contrast in each group; without groups that of all respondents."""
    if found.kind not in _QUANTITIES:
        raise InvalidParameterError(
            f"the picture shows proportions, means and contrasts: received {found.kind}; print them as a table"
        )
    if found.kind == "predicted" and not any(one.category for one in found.rows):
        raise InvalidParameterError(
            "the picture shows proportions: received the mean of an outcome that is a number in each group; print it "
            "as a table"
        )
    if share is not None and found.kind not in ("proportions", "predicted"):
        raise InvalidParameterError(
            f"a {_QUANTITIES[found.kind]} has no proportions: received {shown(share)}; allowed is no share"
        )
    numbers = _by_number(found)
    name = next((each for each in numbers if share is None or (isinstance(share, str) and share == each)), None)
    if name is None:
        raise _no_share(share, list(numbers))
    rows = numbers[name]
    _require_few(len(rows))
    names, n = tuple(one.group or "all" for one in rows), tuple(one.n for one in rows)
    points = tuple(float(one.estimate) for one in rows)
    intervals: dict[str, list[tuple[float, float] | None]] = {}
    for place, one in enumerate(rows):
        ends = one.conf_int(confidence=found.confidence)
        if ends is not None:
            is_proved = ends.kind in PROVED and found.kind == "proportions"
            kind = f"guaranteed ({ends.kind})" if is_proved else _BY_KIND.get(ends.kind, f"{ends.kind} interval")
            intervals.setdefault(kind, [None] * len(names))[place] = float(ends.lower), float(ends.upper)
            if is_proved and len(found.rows) > 1:
                low, high = found.together(one) or (0.0, 1.0)
                intervals.setdefault("guaranteed, all at once", [None] * len(names))[place] = float(low), float(high)
    estimator = "unbiased estimate" if found.sample == SIMPLE else "weighted estimate"
    estimator = "predicted prevalence" if found.kind == "predicted" else estimator
    return GroupsPicture(
        name, found.by, found.confidence, estimator, names, n, points, intervals, _QUANTITIES[found.kind]
    )


def _no_share(share: object, names: Sequence[str]) -> InvalidParameterError:
    return InvalidParameterError(
        f"there is no such proportion: received {shown(share)}; allowed are {shown(', '.join(names))}; a file is "
        "written by plot().save(FILE)"
    )


def _require_few(groups: int) -> None:
    if groups > MOST_GROUPS:
        raise InvalidParameterError(
            f"the groups are too many for a picture: received {groups}; allowed are {MOST_GROUPS}"
        )
