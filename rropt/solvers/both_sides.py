"""Designs at a level that is no number that can be written, B(h) of a criterion: solved below it and above it.

Regions grow with gamma. With ``gamma <= B(h) <= gamma_above`` the optimum under the criterion lies between the optima
at these two levels; the mechanism handed out is the one at gamma, which meets the criterion.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import UnsupportedProblemError
from rropt.problem import Problem
from rropt.solvers.linear_designs.infeasible_designs import InfeasibleDesignError
from rropt.solvers.solution import Solution
from rropt.solvers.solve import solve


@dataclass(frozen=True, slots=True)
class BothSides:
    """A solution at or below a level, and what bounds the optimum at the level itself.

    Attributes:
        below: at the level that was used; its mechanism is handed out.
        above: at a level above, where the level was rounded and such a level is known; its bound is the other end.
        is_rounded: whether the level that was used is not the level itself.
    """

    below: Solution
    above: Solution | None = None
    is_rounded: bool = False

    @property
    def lower(self) -> Fraction | None:
        """The optimum is at least this; ``None``: not known."""
        return self._end("minimise", "lower")

    @property
    def upper(self) -> Fraction | None:
        """The optimum is at most this; ``None``: not known."""
        return self._end("maximise", "upper")

    def _end(self, sense: str, end: str) -> Fraction | None:
        """Return an end, which problems of this sense do not reach by a mechanism."""
        far = self.is_rounded and self.below.problem.objective.sense == sense
        value: Fraction | None = getattr(self.above if far else self.below, end, None)
        return value


def solve_both_sides(
    below: Problem, above: Problem | None = None, *, is_rounded: bool = False, routes: Iterable[str] | None = None
) -> BothSides:
    """Solve a problem at a level, and if that was rounded at the level above too.

    Args:
        below: the problem at the level, or at a level below it.
        above: at a level above it; ``None``: none is known, or none is needed.
        is_rounded: whether ``below`` is not the problem itself.
        routes: solve by these only.

    Raises:
        InfeasibleDesignError: bounds that no mechanism meets: the certificate is at the level above.
        UnsupportedProblemError: bounds that can be met above B(h) and not below it: not decided.
    """
    names = None if routes is None else [routes] if isinstance(routes, str) else list(routes)
    try:
        found = solve(below, names)
    except InfeasibleDesignError as error:
        if not is_rounded:
            raise
        if above is not None:
            solve(above)  # raises where the bounds cannot be met at B(h) either
        raise UnsupportedProblemError(
            "not decided: the bounds cannot be met at the rational gamma below B(h), and are not shown to be out of "
            f"reach at B(h): {error}; loosen the bounds, rewrite the function, or give --gamma"
        ) from None
    return BothSides(found, solve(above, names) if is_rounded and above is not None else None, is_rounded)
