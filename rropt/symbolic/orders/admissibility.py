"""Admissibility in symbols: every row as a mixture of staircase rows, its *layers*.

Let ``x_1 < ... < x_d`` be the distinct values of a row r, with ``x_d <= gamma x_1``. Then

    r = c_0 1 + sum_(t >= 2) c_t S_t,    S_t = 1 + (gamma - 1) [r >= x_t],
    c_t = (x_t - x_(t-1))/(gamma - 1),   c_0 = (gamma x_1 - x_d)/(gamma - 1),

with all c >= 0. A row is an extreme ray, and P is admissible, iff one layer suffices: c_0 = 0, which is condition C1 of
Chai and Nayak (2018), and d = 2, which is condition C2.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin
from rropt.symbolic.orders.garblings import MOST_ENTRIES, in_symbols
from rropt.symbolic.posing import Form, Posing
from rropt.symbolic.symbols import exact, gamma, gamma_of, sign_of


class Layers(NamedTuple):
    """The layers of a row with the given distinct values: c_0, and c_t for t = 2, ..., d."""

    constant: Any
    steps: tuple[Any, ...]


def layers(values: Any) -> Layers:
    """Return the layers of a row with these ascending values, expressions or numbers.

    >>> x = sp.symbols("x1:4", positive=True)
    >>> found = layers(x)
    >>> sp.simplify(found.constant + sum(c * gamma for c in found.steps) - x[2])
    0
    """
    steps = tuple((high - low) / (gamma - 1) for low, high in pairwise(values))
    return Layers((gamma * values[0] - values[-1]) / (gamma - 1), steps)


def to_sympy(answer: Any) -> Posing:
    """Return the layers of the row with most distinct values: the weights c, with the row as their mixture.

    Raises:
        UnsupportedProblemError: the mechanism has too many entries.
    """
    rows = in_symbols(answer.merged.mechanism).tolist()
    values = max((sorted(set(row)) for row in rows), key=len)
    c = sp.symbols(f"c0:{len(values)}", nonnegative=True)
    x = sp.symbols(f"x1:{len(values) + 1}", positive=True)
    mixtures = [
        sp.Eq(x[i], c[0] + sum((gamma if i >= t else 1) * c[t] for t in range(1, len(values))), evaluate=False)
        for i in range(len(values))
    ]
    found = layers(x)
    shape = (1, len(values))
    form = Form(
        found.constant,
        "the layers of the row; it is an extreme ray iff c_0 = 0 (C1) and there is one step (C2)",
        sp.And(sp.Gt(gamma, 1), sp.Le(x[-1], gamma * x[0])),
        sp.ImmutableMatrix(*shape, [found.constant, *found.steps]),
        {gamma: gamma_of(answer.level), **dict(zip(x, values, strict=True))},
    )
    signs = [sp.Ge(one, 0, evaluate=False) for one in c]
    return Posing(c, c[0], [*signs, *mixtures], parameters=form.parameters, form=form)


def sympy_twin(answer: Any) -> Twin:
    """Return whether every row has one layer, and check the dominating mechanism: ``P = C A`` with rows of one layer.

    Raises:
        RouteDisagreementError: the layers give another answer or other reasons, or the dominating mechanism is wrong.
    """
    own = in_symbols(answer.merged.mechanism)
    is_admissible = all(_is_ray(row, gamma_of(answer.level)) for row in own.tolist())
    if is_admissible is not answer.admissible:
        raise RouteDisagreementError(
            f"SymPy finds layers by which the mechanism is {'' if is_admissible else 'in'}admissible"
        )
    _require_reasons(answer, own)
    better = answer.domination
    if better is not None:
        if better.kernel.inputs * better.kernel.outputs > MOST_ENTRIES:
            raise UnsupportedProblemError("too many entries to write out")
        A, C = in_symbols(better.mechanism), in_symbols(better.kernel)
        level = gamma_of(answer.level)
        sums = [sum(A[:, j]) for j in range(A.shape[1])] + [sum(C[:, o]) for o in range(C.shape[1])]
        if (
            own != C * A
            or min(C) < 0
            or set(sums) != {1}
            or sign_of(exact(better.gamma) - level) > 0
            or not all(_is_ray(row, exact(better.gamma)) for row in A.tolist())
        ):
            raise RouteDisagreementError("SymPy finds that the dominating mechanism is wrong")
    return Twin("SymPy", True, "admissible" if is_admissible else "not admissible", EQUAL)


def _is_ray(row: list[Any], level: Any) -> bool:
    return not _failed(row, level)


def _failed(row: list[Any], level: Any) -> set[str]:
    """Return the conditions that a row violates: C1 if c_0 is not 0, and C2 if it has several steps."""
    values = sorted(set(row))
    is_tight = sign_of(layers(values).constant.xreplace({gamma: level})) == 0
    return {word for word, is_violated in (("C1", not is_tight), ("C2", len(values) > 2)) if is_violated}


def _require_reasons(answer: Any, own: sp.Matrix) -> None:
    """Require that the answer names exactly the conditions that the merged rows violate.

    Raises:
        RouteDisagreementError: it names others.
    """
    level = gamma_of(answer.level)
    groups = zip(answer.merged.groups, own.tolist(), strict=True)
    found = {(tuple(rows), word) for rows, row in groups for word in _failed(row, level)}
    if found != {(tuple(reason.rows), reason.condition) for reason in answer.reasons}:
        raise RouteDisagreementError("SymPy finds other conditions that rows violate than those that are named")
