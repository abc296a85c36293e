"""The kinds of interval: for the share of one answer, before the mechanism carries them to the population."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.intervals.clopper_pearson import clopper_pearson
from rropt.estimation.intervals.score import chebyshev, normal, wilson

__all__ = ["INTERVAL_KINDS", "Ends", "IntervalKind", "interval_kind"]

Ends = Callable[[int, int, Fraction], tuple[Fraction, Fraction]]


@dataclass(frozen=True, slots=True)
class IntervalKind:
    """A kind of interval.

    Attributes:
        name: its name.
        title: the names it goes by.
        guarantee: what is proved about its coverage, in words.
        guaranteed: whether the coverage is at least nominal for every n and every population.
        ends: from (y, n, confidence) to the ends for the share lambda, rounded outwards.
    """

    name: str
    title: str
    guarantee: str
    guaranteed: bool
    ends: Ends


INTERVAL_KINDS: dict[str, IntervalKind] = {
    kind.name: kind
    for kind in (
        IntervalKind(
            "normal",
            "Normal (Wald, plug-in)",
            "no guarantee at any n: coverage tends to the nominal one as n grows, and falls far below it when few "
            "answers of one kind are expected",
            False,
            normal,
        ),
        IntervalKind(
            "wilson",
            "Wilson (score), carried through the mechanism",
            "no guarantee at any n: the normal approximation with the true variance; coverage is near the nominal one "
            "on average over the prevalence, and can fall below it at single points",
            False,
            wilson,
        ),
        IntervalKind(
            "chebyshev",
            "Chebyshev with the true variance",
            "coverage at least nominal for every n and every population (Chebyshev's inequality)",
            True,
            chebyshev,
        ),
        IntervalKind(
            "exact",
            "Exact (Clopper-Pearson), carried through the mechanism",
            "coverage at least nominal for every n and every population (the binomial distribution itself)",
            True,
            clopper_pearson,
        ),
    )
}


def interval_kind(name: object) -> IntervalKind:
    """Return the kind of a name.

    Raises:
        InvalidParameterError: an unknown name.
    """
    kind = INTERVAL_KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise InvalidParameterError(
            f"interval is unknown: received {shown(name)}; allowed are {', '.join(INTERVAL_KINDS)}"
        )
    return kind
