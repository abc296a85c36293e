"""Every problem posed once more in CVXPY; the file names are those of the files that define the problems.

``to_cvxpy()`` of a problem or result returns a plain ``cvxpy.Problem`` with named variables and Parameters. The
programs share no formula, dual or rounding with the methods that solve and certify a problem: only the classes of the
problems are imported. ``MIRRORS`` lists the files whose names differ from what they mirror.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.convex.posing import Solved as Solved
    from rropt.convex.posing import compare as compare
    from rropt.convex.posing import solve as solve

MIRRORS = {
    "designs/splits": "designs/bits",
    "designs/orders/garblings": "orders/garblings",
    "designs/orders/admissibility": "orders/admissibility",
    "privacy/criteria/expressions": "privacy/expressions",
    "privacy/bound/largest_parity": "privacy/parity_bound",
    "privacy/bound/breaches": "privacy/breaches",
}
"""A file that defines a problem -> the file here (and in ``rropt.symbolic``) that poses it, where the names differ."""

__getattr__, __dir__, _names = lazy_names(__name__, __file__)
__all__ = [*_names, "MIRRORS"]
