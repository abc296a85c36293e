"""What a route returns: rational bounds, and what it has found out about the optimal designs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rropt.exact import Bracket
from rropt.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import probability_texts


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
class RouteResult(Bracket):
    """A bracket of the optimum, ``lower <= optimum <= upper``, rational; equal at a rational level on an exact route.

    Alone it names no design (a numerical route); its subclasses do.
    """

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The designs it hands out, feasible at the level below; none of a bracket alone."""
        return ()

    @property
    def optimal_set(self) -> OptimalSegment | None:
        """The larger set of optimal designs, where there is one and it is known."""
        return None

    def bounded_by(self, other: RouteResult, sense: str) -> RouteResult:
        """Return the result with the end of the bracket that its design does not reach taken from another level."""
        return replace(self, **_bound(other, sense))

    def lines(self) -> list[tuple[str, str]]:
        """Return what it says of the optimal designs as (what, value) pairs for a table."""
        return []


@dataclass(frozen=True, slots=True)
class DecidedDesigns(RouteResult):
    """All extreme optimal designs: ties are decided.

    Attributes:
        optima: binary, in ascending order of (p00, p11).
        optimal_set: the larger set of optimal designs, where there is one.
    """

    optima: tuple[Mechanism, ...]
    optimal_set: OptimalSegment | None = None

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The extreme optimal designs."""
        return self.optima

    def lines(self) -> list[tuple[str, str]]:
        """Return the extreme designs and the larger set."""
        texts = (probability_texts(mechanism) for mechanism in self.optima)
        rows = [("optimal designs", "; ".join(f"p00 = {p00}, p11 = {p11}" for p00, p11 in texts))]
        return [*rows, ("all optimal designs", str(self.optimal_set))] if self.optimal_set else rows


@dataclass(frozen=True, slots=True)
class ProvedDesign(RouteResult):
    """One optimal design, and the dual that proves the other side of the bracket.

    Attributes:
        mechanism: there may be other optimal ones.
        dual: the multipliers by row (``certificates.design_programmes``).
    """

    mechanism: Mechanism
    dual: Mapping[int, Fraction]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dual", ReadOnlyMapping(self.dual))

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The design."""
        return (self.mechanism,)

    def bounded_by(self, other: RouteResult, sense: str) -> RouteResult:
        """Return the result with the dual of another level, and the end of the bracket that it proves."""
        return replace(self, **_bound(other, sense), dual=other.dual if isinstance(other, ProvedDesign) else self.dual)


def _bound(result: RouteResult, sense: str) -> dict[str, Any]:
    """Return the end of a bracket that no mechanism reaches."""
    return {"lower": result.lower} if sense == "minimise" else {"upper": result.upper}
