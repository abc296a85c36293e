"""The convex route of designs with any number of outputs: an independent computation with CVXPY.

It shares no rays, rounding or duals with the engine.

*Candidate columns* r are possible rows of a mechanism. If delta is 0, they are all vectors of {1, gamma}^k. Otherwise
they are the directions in which k - 1 independent hyperplanes among ``p_j = 0`` and ``p_j = gamma p_l`` meet; all sets
of k - 1 hyperplanes are tried.

*The program* is that of ``column_weights``. The uses h_jl(r) are the excesses ``max(0, r_j - gamma r_l)``, and their
bounds are delta.

*The bracket.* One endpoint is the exact value of a private mechanism near the weights of CVXPY. For the other one, let
``F(v) <= constant + phi.v`` be the tangent at these weights. A linear program minimizes
``constant + sum alpha + delta sum beta`` subject to ``phi(r) <= alpha.r + beta.h(r)``. Then alpha is moved along pi
until the inequality is satisfied on all columns, with a margin for the rounding of floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice, permutations, product
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.exact.numbers import dot
from rropt.designs.convex.column_weights import (
    CLOSED,
    Columns,
    Tangent,
    balanced,
    better,
    bound,
    bracket,
    lifted,
    multipliers,
    shrunk,
    values_near,
    weighed,
    weighed_by_squares,
)
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult
from rropt.mechanisms import Mechanism
from rropt.objectives.ray_form import RayForm
from rropt.privacy.region import RationalLevel, RationalLevels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Exponents = tuple[int, ...]

MOST_INPUTS = 10  # with delta = 0: 1024 columns
MOST_INPUTS_WITH_DELTA = 6  # 376 992 sets of hyperplanes; seven inputs have 12 million

_BATCH = 20_000  # sets of hyperplanes that are processed together
_SHRINKS = [Fraction(1, 10**p) for p in (11, 9, 8, 7, 6, 4, 2)]  # relative shrinkage of the weights, tried in turn
_NEGLIGIBLE = (1e-7, 1e-9, 1e-11)  # smaller weights, relative to the largest one, are dropped; tried in turn
_MOST_ROWS = 400  # of a mechanism that is computed in fractions
_FEW_ROWS = 50  # more rows than that are replaced by a few for a sum over outputs; 37 are enough for six categories
_ROUNDING = 2.0**-50  # relative error of two entries of a row, which phi multiplies
_FINE = Fraction(1, 10**9)  # if the weights are shrunk by at most this, no other threshold is tried


class _Candidates(NamedTuple):
    """Candidate columns of a level: the exponents of gamma in the entries (-1 is an entry 0), and the columns."""

    exponents: Sequence[Exponents]
    columns: Columns


def by_cvxpy(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return a bracket of the optimum from the weights and multipliers that CVXPY computes."""
    ends, pi = levels.one_level(), problem.population
    form = problem.objective.on_rays(pi, ends.above.gamma)
    candidates = _listed(pi, ends.above, has_delta=problem.region.form == "excess")
    stated, tried = weighed(form, candidates.columns)
    found = _best(problem, form, candidates, tried, ends.below, is_square=stated.squares is not None)
    if stated.squares is None or found.gap <= CLOSED * max(abs(found.lower), abs(found.upper)):
        return found
    more = weighed_by_squares(candidates.columns, *stated.squares)
    return _best(problem, form, candidates, [*tried, *more], ends.below, is_square=True)


def _best(
    problem: Problem,
    form: RayForm,
    candidates: _Candidates,
    tried: Sequence[Tangent],
    below: RationalLevel,
    *,
    is_square: bool,
) -> RouteResult:
    """Return the bracket between the best value that the weights reach and the best bound of their tangents."""
    import numpy as np

    columns = candidates.columns
    weights = [
        _of_few(columns, each.weights, each.phi(columns.rows)) if form.is_sum else each.weights for each in tried
    ]
    weights = weights or [np.zeros(len(columns.rows))]
    values = [_reached(problem, candidates, w, below) for w in weights]
    ends = []
    for each in tried:
        phi = each.phi(columns.rows)
        found = multipliers(columns, phi)
        if found is not None:
            end = form.from_statement(bound(lifted(columns, phi, *found), each.constant, is_square=is_square))
            ends.append(end + _room(form, below) * abs(end))
    return bracket(problem, better(problem, values), ends)


def _room(form: RayForm, level: RationalLevel) -> float:
    """Return the relative error of phi in floats: under a small level, the rows differ from 1 in few digits."""
    is_small = form.is_sum and 1 < level.gamma < 2 and not level.delta
    return _ROUNDING / float(level.gamma - 1) if is_small else 0.0


def states(problem: Problem) -> bool:
    """Return whether the route applies: it can list the candidate columns, and the objective has a CVXPY form."""
    region = problem.region
    most = MOST_INPUTS_WITH_DELTA if region.form == "excess" else MOST_INPUTS
    fits = region.has_one_level and region.form in ("parity", "excess") and region.inputs <= most
    return fits and problem.objective.is_stated


def seconds(problem: Problem) -> float:
    """Return the estimated running time of the route in seconds, from measured times."""
    k = problem.region.inputs
    if problem.region.form == "excess":
        return {2: 0.1, 3: 0.2, 4: 0.4, 5: 2.0}.get(k, 25.0)
    return 0.05 * 2.0 ** (k - 4)


def meeting_directions(k: int) -> tuple[Exponents, ...]:
    """Return the nonnegative directions in which k - 1 independent hyperplanes meet, as exponents of gamma.

    The equations ``r_j = gamma r_l`` of a direction form a tree, so the exponents are the same for every gamma > 1. The
    search uses gamma = 2. The smallest exponent of a nonzero entry is 0, and -1 denotes an entry 0.

    >>> len(meeting_directions(2)), len(meeting_directions(3))
    (4, 21)
    """
    return tuple(sorted(_found_directions(k)))


@lru_cache(maxsize=4)
def _found_directions(k: int) -> frozenset[Exponents]:
    import numpy as np

    units = np.eye(k)
    planes = np.array([*units, *(units[j] - 2 * units[i] for j, i in permutations(range(k), 2))])
    found: set[Exponents] = set()
    sets = combinations(range(len(planes)), k - 1)
    while chosen := list(islice(sets, _BATCH)):
        found |= set(_common_lines(planes[np.array(chosen)]))
    return frozenset(found)


def _common_lines(systems: Array) -> Iterator[Exponents]:
    """Iterate over the nonnegative directions in which the hyperplanes of a set meet, as exponents of 2.

    Sets of hyperplanes whose intersection is not a line are ignored. The direction is the generalized cross product of
    the normals: its entries are signed minors of order k - 1, which are integers.
    """
    import numpy as np

    k = systems.shape[2]
    minors = np.stack(
        [(-1) ** j * np.linalg.det(np.delete(systems, j, axis=2)) if k > 1 else systems[:, 0] for j in range(k)], axis=1
    )
    lines = np.rint(minors)
    lines = lines[(lines != 0).any(1) & ((lines >= 0).all(1) | (lines <= 0).all(1))]
    lines = np.unique(np.abs(lines), axis=0)
    with np.errstate(all="ignore"):
        powers = np.where(lines > 0, np.rint(np.log2(np.where(lines > 0, lines, 1))), np.inf)
    least = powers.min(1, keepdims=True)
    exponents = np.where(lines > 0, powers - least, -1).astype(int)
    yield from map(tuple, np.unique(exponents, axis=0).tolist())


def _listed(pi: Sequence[Fraction], level: RationalLevel, *, has_delta: bool) -> _Candidates:
    import numpy as np

    k, gamma = len(pi), float(level.gamma)
    exponents = meeting_directions(k) if has_delta else tuple(product((0, 1), repeat=k))
    table = np.array(exponents)
    rows = np.where(table < 0, 0.0, gamma ** (table - table.max(1, keepdims=True)))
    shares = np.array([float(p) for p in pi])
    rows = rows / (rows @ shares)[:, None]
    pairs = list(permutations(range(k), 2)) if has_delta else []
    beyond = [np.where(table[:, j] - table[:, i] == 1, 0, rows[:, j] - gamma * rows[:, i]) for j, i in pairs]
    alone = [(table[:, j] >= 0) & (table[:, i] < 0) for j, i in pairs]
    excesses = [np.where(a, rows[:, j], np.maximum(b, 0)) for (j, _), a, b in zip(pairs, alone, beyond, strict=True)]
    allowed = np.full(len(pairs), float(level.delta))
    return _Candidates(exponents, Columns(rows, np.array(excesses).reshape(len(pairs), len(rows)), allowed))


def _reached(problem: Problem, candidates: _Candidates, weights: Array, level: RationalLevel) -> Fraction:
    """Return the value of a private mechanism near the weights, or of a simple one if it is better."""
    pi, k, gamma, delta = problem.population, len(problem.population), level.gamma, level.delta
    columns = candidates.columns
    truth = [[delta * (i == j) for j in range(k)] for i in range(k)] if delta else []  # reports of the truth
    likely = [[(1 - delta) * (gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)]
    simple = Mechanism([*truth, *likely])
    values = [problem.objective.value(simple, pi)]
    for negligible in _NEGLIGIBLE:
        kept = [int(n) for n in (weights > negligible * max(weights.max(), 1e-300)).nonzero()[0]]
        if not kept or len(kept) > _MOST_ROWS:
            break
        rows = [_exact_column(candidates.exponents[n], gamma, pi) for n in kept]
        made = balanced(rows, weights[kept], columns.uses[:, kept], columns.allowed)
        found = shrunk(made, _SHRINKS, problem.region.contains)
        if found is None:
            continue
        mechanism, shrink = found
        values += values_near(problem, mechanism, simple)
        if shrink <= _FINE:
            break
    return better(problem, values)


def _of_few(columns: Columns, weights: Array, phi: Array) -> Array:
    """Return weights of few columns with the same sums of columns, excesses and phi.

    An interior-point method returns positive weights of all columns that some optimal design uses. They can be
    thousands, for example for total variation. By Caratheodory's theorem, few of them are enough.
    """
    import numpy as np
    from scipy.optimize import nnls

    kept = (weights > 0).nonzero()[0]
    if len(kept) <= _FEW_ROWS:
        return weights
    table = np.vstack([columns.rows[kept].T, columns.uses[:, kept], phi[kept]])
    table = table / np.maximum(np.abs(table).max(1, keepdims=True), 1e-300)
    try:
        fewer = nnls(table, table @ weights[kept])[0]
    except RuntimeError:  # too many iterations
        return weights
    found = np.zeros_like(weights)
    found[kept] = fewer
    return found


def _exact_column(exponents: Exponents, gamma: Fraction, pi: Sequence[Fraction]) -> list[Fraction]:
    row = [Fraction(0) if x < 0 else gamma**x for x in exponents]
    s = dot(row, pi)
    return [x / s for x in row]
