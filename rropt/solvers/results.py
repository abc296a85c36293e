"""What a route returns: rational bounds, the optimal designs it claims, and the set they span."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rropt.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.mechanisms.rendering import probability_texts

__all__ = ["OptimalSegment", "RouteResult"]


@dataclass(frozen=True, slots=True)
class OptimalSegment:
    """A half-open segment of optimal binary designs: every (p00, p11) after ``after``, up to and with ``through``.

    It arises at prevalence 0 or 1 with delta > 0, where all of its designs have variance 0; ``after`` itself has
    p00 + p11 = 1 and leaves nothing to estimate.
    """

    after: tuple[Fraction, Fraction]
    through: tuple[Fraction, Fraction]

    def to_dict(self) -> dict[str, list[str]]:
        """Return the form of certificates."""
        return {"after": [str(p) for p in self.after], "through": [str(p) for p in self.through]}

    def __str__(self) -> str:
        (a0, b0), (a1, b1) = self.after, self.through
        p00, p11 = probability_texts(Mechanism.binary(a1, b1))
        if a0 == a1:
            return f"p00 = {a1}, {b0} < p11 <= {p11}"
        return f"{a0} < p00 <= {p00}, p11 = {b1}"


@dataclass(frozen=True, slots=True)
class RouteResult:
    """The answer of one route: ``lower <= optimum <= upper``, rational.

    Attributes:
        lower, upper: the bracket; equal when the level is rational and the route exact.
        optima: the extreme optimal designs, feasible at the level below, in ascending order of (p00, p11); ``None``
            when the route does not decide ties (a numerical one).
        optimal_set: the larger set of optimal designs, where there is one.
        dual: of linear design problems: the multipliers that prove the other side of the bracket, by row
            (``certificates.design_programmes``); ``optima`` then holds the one optimal mechanism that was found.
    """

    lower: Fraction
    upper: Fraction
    optima: tuple[Mechanism, ...] | None
    optimal_set: OptimalSegment | None = None
    dual: Mapping[int, Fraction] | None = None

    def __post_init__(self) -> None:
        if self.dual is not None:
            object.__setattr__(self, "dual", ReadOnlyMapping(self.dual))

    def to_json(self) -> str | dict[str, str]:
        """Return the bracket as JSON: one string when it is exact, else ``{"lower": ..., "upper": ...}``."""
        if self.lower == self.upper:
            return str(self.lower)
        return {"lower": str(self.lower), "upper": str(self.upper)}
