"""The work that the twins of one result may take by default: about two seconds, in counts.

A count is a number of rows, unknowns or candidates, which is known before the work is done. No time is measured, so
that the twins of a result are the same on every computer. ``result.twins`` keeps to ``LIMITS``. What is asked for is
computed whatever it takes: ``to_sympy().form``, ``sympy_twin()``, ``derivation()``, ``enclosure()``. The size of the
programs that CVXPY solves by default has limits of its own (``convex.columns``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from rropt.core.errors import UnsupportedProblemError

LIMITS: Mapping[str, int] = {
    "relations": 700,
    "brackets": 3000,
    "unknowns": 60,
    "rows": 1000,
    "entries": 36,
    "excesses": 70,
    "edges": 150,
    "fractions": 200,
}
"""The largest counts by default; each takes about a second on a processor of 2020.

* ``relations``: between entries, into which SymPy puts the design where the judge has evaluated it in fractions, and a
  form or bounds are compared besides: eight categories with 13 outputs have 728.
* ``brackets``: reduced costs that contain 0 in interval arithmetic and are computed in symbols, times the unknowns of
  the vertex: five categories with delta have up to 6000.
* ``unknowns``: weights, prices of tight pairs and symbols of all KKT systems that are solved in symbols for one design,
  (rows + tight pairs) x symbols: three categories with delta have 24, five without it up to 20 for each active set.
* ``rows``: edges under several levels, on which bounds of the information are proved; twice as many if a level is
  irrational, since its fractions are long. Four categories with two levels have 920.
* ``entries``: of a mechanism whose linear program is solved in symbols; ``excesses``: the same with the excesses of the
  pairs where delta > 0. Of more the program is solved in fractions at the level. Seven categories have 49 entries, and
  four with two levels 112 excesses, which take three to ten seconds in symbols.
* ``edges``: of equal proportions with delta, up to permutations, with their sign at every level. Seven categories have
  127 and take two to three seconds; nine have 511 and take twenty.
* ``fractions``: entries and excesses of a vertex of several levels or of a metric that is solved in fractions. Fourteen
  categories of a line have 196 and take two to three seconds; twenty have 400 and take fifty.
"""

ON_REQUEST = "sympy_twin() does it"
"""How to ask for what is left out by default."""

_is_limited: ContextVar[bool] = ContextVar("_is_limited", default=False)


class LeftOutError(UnsupportedProblemError):
    """Work that the twins leave out by default; the message says how to ask for it."""


@contextmanager
def by_default() -> Iterator[None]:
    """Keep to the limits within the context."""
    token = _is_limited.set(True)
    try:
        yield
    finally:
        _is_limited.reset(token)


def is_limited() -> bool:
    """Return whether the limits apply."""
    return _is_limited.get()


def is_too_much(name: str, count: int) -> bool:
    """Return whether a count is larger than its limit, and the limits apply."""
    return _is_limited.get() and count > LIMITS[name]


def require(name: str, count: int) -> None:
    """Require that a count is within its limit, if the limits apply.

    Raises:
        LeftOutError: it is not.

    >>> require("relations", 9999)
    >>> with by_default():
    ...     require("relations", 9999)
    Traceback (most recent call last):
    ...
    rropt.core.results.twin_work.LeftOutError: left out by default (9999 relations, at most 700): sympy_twin() does it
    """
    if is_too_much(name, count):
        raise LeftOutError(left_out(name, count))


def left_out(name: str, count: int) -> str:
    """Return what is said of work that is left out by default."""
    return f"left out by default ({count} {name}, at most {LIMITS[name]}): {ON_REQUEST}"
