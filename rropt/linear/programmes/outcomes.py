"""What solving a linear programme may come to: an optimum, a contradiction, or an unbounded ray."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["Basis", "Infeasible", "Optimal", "Outcome", "Unbounded"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A basis: the basic columns and the active rows, equally many, whose block of the matrix is nonsingular.

    The other variables are 0 and the active rows hold with equality; this fixes the point. It serves as a start
    for a programme of the same shape.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Optimal:
    """An optimal vertex x with a dual y that proves it; see `verify_optimal` for the conventions.

    Attributes:
        value: `c . x = b . y`.
        primal: x, shape `(n,)`.
        dual: y, shape `(m,)`.
        basis: the optimal basis.
        route: how it was found: `"given basis"`, `"float basis"`, `"refined"` or `"exact simplex"`.
    """

    value: Fraction
    primal: RationalVector
    dual: RationalVector
    basis: Basis
    route: str


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No point satisfies the rows: y combines them into `0 >= positive`; see `verify_infeasible`.

    Attributes:
        farkas: y, shape `(m,)`.
    """

    farkas: RationalVector


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The objective improves for ever along `point + t ray`, t >= 0; see `verify_unbounded`.

    Attributes:
        point: a feasible x, shape `(n,)`.
        ray: d, shape `(n,)`.
    """

    point: RationalVector
    ray: RationalVector


Outcome: TypeAlias = Optimal | Infeasible | Unbounded
