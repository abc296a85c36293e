"""A route, which is one method for an optimum; what routes find; and how the results of several routes are compared.

This module imports no row of the table of ways, no writer of certificates, and not the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Self

from rropt.core.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError, shown
from rropt.core.exact import Bounded, decimal_text, split_list
from rropt.core.exact.texts import fraction_of
from rropt.core.mappings import ReadOnlyMapping
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import probability_texts
from rropt.privacy.region import RationalLevels

CLOSED = Fraction(1, 10**6)
"""The largest relative gap at which a bracket counts as closed, and its design as optimal."""

_NOTHING = Fraction(1, 10**20)  # a smaller absolute gap also counts as closed: the optimum is then almost 0


class NoDesignError(UnsupportedProblemError):
    """A route found no design.

    ``Way.solve`` turns it into an ``UnsupportedProblemError`` that names the problem of the caller: a route may solve
    another one, for example of groups.

    Args:
        text: the message, with ``{}`` in place of the problem.
        problem: the problem.
    """

    def __str__(self) -> str:
        """Return the message."""
        text, *problem = self.args
        return str(text.format(*problem))


class UndecidedLevelError(UnsupportedProblemError):
    """Feasibility differs between the endpoints of the level's bracket; a finer bracket may decide it."""


@dataclass(frozen=True, slots=True)
class OptimalSegment:
    """A half-open segment of optimal binary designs (p00, p11): it excludes ``after`` and includes ``through``.

    At prevalence 0 or 1 with delta > 0, all designs of the segment have variance 0. The excluded endpoint has
    p00 + p11 = 1 and identifies nothing.
    """

    after: tuple[Fraction, Fraction]
    through: tuple[Fraction, Fraction]

    def to_dict(self) -> dict[str, list[str]]:
        """Return the dictionary used in certificates."""
        return {"after": [str(p) for p in self.after], "through": [str(p) for p in self.through]}

    @classmethod
    def from_dict(cls, data: Any) -> OptimalSegment:
        """Read a segment from the output of ``to_dict``."""
        after, through = ([fraction_of(p) for p in data[end]] for end in ("after", "through"))
        return cls((after[0], after[1]), (through[0], through[1]))

    def __str__(self) -> str:
        (a0, b0), (a1, b1) = self.after, self.through
        p00, p11 = probability_texts(Mechanism.binary(a1, b1))
        if a0 == a1:
            return f"p00 = {a1}, {b0} < p11 <= {p11}"
        return f"{a0} < p00 <= {p00}, p11 = {b1}"


@dataclass(frozen=True, slots=True)
class RouteResult(Bounded):
    """A rational bracket ``lower <= optimum <= upper``; exact if the route is exact and the level is rational.

    The base class is the result of a numerical route and contains no design; the subclasses contain designs.

    Attributes:
        lower, upper: the bounds.
        optimal_set: the set of optimal designs, if there are infinitely many and the set is known.
        stated: what the certificate states if it is not the problem itself; else empty.
        decided: the fields in which another result of the same type must be equal, besides a bracket that overlaps.
    """

    decided: ClassVar[tuple[str, ...]] = ()
    lower: Fraction
    upper: Fraction
    stated: str = field(default="", kw_only=True)
    optimal_set: OptimalSegment | None = field(default=None, kw_only=True)

    @property
    def designs(self) -> tuple[Mechanism, ...]:
        """The returned designs, private at the rational level below; empty for a numerical bracket."""
        return ()

    @property
    def is_closed(self) -> bool:
        """Whether the bracket is narrow enough to call the design optimal."""
        return self.gap <= max(CLOSED * max(abs(self.lower), abs(self.upper)), _NOTHING)

    @property
    def uncertified(self) -> str:
        """What is known of a bound without a certificate, where results of this type have none."""
        return ""

    def guess(self, problem: Problem) -> Sequence[Fraction]:
        """Return the distribution of the categories for planning the number of respondents."""
        return problem.objective.asked_population(problem.population)

    def extra_fields(self) -> dict[str, Any]:
        """Return the JSON entries about the optimal designs other than mechanisms."""
        return {}

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs about the optimal designs for a table."""
        return []


@dataclass(frozen=True, slots=True)
class DecidedDesigns(RouteResult):
    """All extreme optimal designs, with ties decided exactly.

    Attributes:
        designs: the binary designs, in ascending order of (p00, p11).
    """

    decided: ClassVar[tuple[str, ...]] = ("designs", "optimal_set")
    designs: tuple[Mechanism, ...] = field()

    def lines(self) -> list[tuple[str, str]]:
        """Return the extreme designs and, if there is one, the infinite set, as label and value."""
        texts = (probability_texts(mechanism) for mechanism in self.designs)
        rows = [("optimal designs", "; ".join(f"p00 = {p00}, p11 = {p11}" for p00, p11 in texts))]
        return [*rows, ("all optimal designs", str(self.optimal_set))] if self.optimal_set else rows


@dataclass(frozen=True, slots=True)
class ProvedDesign(RouteResult):
    """One optimal design, and the dual solution that proves the other bound of the bracket.

    Attributes:
        mechanism: an optimal mechanism; there may be others.
        dual: the multipliers by row (``writers.linear_writer``), or the other dual data of the certificate.
        primal: what the proof contains about the mechanism besides itself: estimators, brackets of a level.
        designs: the mechanism, in a tuple.
    """

    mechanism: Mechanism
    dual: Any
    primal: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    designs: tuple[Mechanism, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "designs", (self.mechanism,))
        if isinstance(self.dual, Mapping):
            object.__setattr__(self, "dual", ReadOnlyMapping(self.dual))

    @classmethod
    def between(
        cls, value: Fraction, bound: Fraction, mechanism: Mechanism, dual: Any, primal: Mapping[str, Any] | None = None
    ) -> Self:
        """Return a design whose mechanism attains ``value``, and whose dual proves ``bound``, on either side of it."""
        return cls(min(value, bound), max(value, bound), mechanism, dual, primal=primal or {})


@dataclass(frozen=True, slots=True)
class Route:
    """One method (route) that computes an optimum.

    Attributes:
        name: the name for ``solve(problem, routes=[...])``.
        solve: a function from a problem and rational levels around its level to a bracket of the optimum.
        accepts: a function that decides whether the route can solve a problem of its class; None if it solves all.
        cost: the estimated seconds on one core. The estimate is a formula in the sizes of the problem, so the same
            problem always uses the same routes. None if the route is fast: it is never skipped.
    """

    name: str
    solve: Callable[[Problem, RationalLevels], RouteResult]
    accepts: Callable[[Problem], bool] | None = None
    cost: Callable[[Problem], float] | None = None


def require_agreement(results: Mapping[str, RouteResult], what: object) -> None:
    """Check that the brackets of all routes overlap, and that they find the same designs where these are decided.

    Raises:
        RouteDisagreementError: two brackets are disjoint, or two results decide differently.
    """
    for (left, a), (right, b) in combinations(results.items(), 2):
        for name in a.decided if isinstance(b, type(a)) else ():
            if getattr(a, name) != getattr(b, name):
                raise RouteDisagreementError(
                    f"routes {left} and {right} disagree on the optimal designs of {what}: {getattr(a, name)} against "
                    f"{getattr(b, name)}"
                )
        if max(a.lower, b.lower) > min(a.upper, b.upper):
            raise RouteDisagreementError(
                f"routes {left} and {right} disagree on {what}: [{decimal_text(a.lower, 17)}, "
                f"{decimal_text(a.upper, 17)}] against [{decimal_text(b.lower, 17)}, {decimal_text(b.upper, 17)}]"
            )


def listed_routes(names: Any) -> list[Any]:
    """Return the names of routes that a caller gave, as a list; ``None`` stands for ``"auto"``."""
    if names is None:
        return ["auto"]
    if isinstance(names, str):
        return split_list(names)
    return [*names] if isinstance(names, Iterable) else [names]


def chosen_routes(names: Sequence[str], known: Sequence[str], fitting: Sequence[str], problem: object) -> list[str]:
    """Return the named routes, or all that accept the problem.

    Args:
        names: the names that the caller gave; ``"auto"`` and ``"all"`` select all that accept the problem.
        known: the names of all routes.
        fitting: the names of the routes that accept the problem.
        problem: the problem, or its text, for the error message of a route that does not accept it.

    Raises:
        InvalidParameterError: a name is unknown, or no route is named.
        UnsupportedProblemError: a named route does not accept the problem.
    """
    if names in (["auto"], ["all"]):
        return list(fitting)
    for name in names:
        if name not in known:
            raise InvalidParameterError(
                f"route is unknown: received {shown(name)}; allowed are {', '.join(known)}, auto, all"
            )
        if name not in fitting:
            raise UnsupportedProblemError(f"route {name} does not accept the problem: {problem}")
    if not names:
        raise InvalidParameterError(f"no route is named; allowed are {', '.join(known)}, or auto, all")
    return list(names)
