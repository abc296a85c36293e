"""Mechanisms with m outputs, or with bounds on entries, by local search from many starting points.

The search uses the form ``P = X D`` with one of three matrices D:

* the identity;
* the indicators of the groups of categories that have the same values in the target, for example in a contrast;
* the rows 1 and c of a contrast c, for few outputs. A mechanism with two outputs and a finite variance has this form.

All conditions are linear in X. Where X has two columns and entries have no bounds, the best X is known. Elsewhere each
result of the search is replaced by a rational mechanism on the same face of the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rropt.core.errors import InfeasibleError, InvalidMechanismError, UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.designs.branch_and_bound.cell_bounds import Task
from rropt.designs.problem import Problem
from rropt.designs.writers.branches import largest_ratio
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_MOST_ENTRIES = 144  # of a mechanism: the search for this many takes a quarter of a minute
_BEGINNINGS = 12  # starting points of the local search for each D
_ACTIVE = (1e-9, 1e-7, 1e-5, 1e-11)  # conditions with a smaller slack become equations; tried in turn
_OUTSIDE = 1e-5  # relative to gamma: a result that violates a condition by more is discarded
_LEAST = 1e-12  # lower limit for the probability of an output, for steps of the search outside the region
_RIDGE = 1e-14  # relative to the trace of the information: gives singular matrices a finite value
_FREE_BITS = 44  # binary places of the entries that these equations leave free
_SHRINK = tuple(Fraction(1, 10**power) for power in (12, 10, 8, 6))  # proportions of the blind mechanism, tried in turn

Rows = list[list[Fraction]]


class LinearForm(NamedTuple):
    """The form ``P = X D``, with conditions ``a . x >= b`` and ``a . x = b`` on the flattened rows x of X."""

    basis: Rows  # D, shape (r, k)
    above: list[tuple[list[Fraction], Fraction]]
    equal: list[tuple[list[Fraction], Fraction]]
    blind: list[Fraction]  # X of a mechanism that does not depend on the truth

    def mechanism(self, x: Sequence[Fraction]) -> Mechanism:
        """Return the mechanism X D."""
        r, columns = len(self.basis), list(zip(*self.basis, strict=True))
        rows = [x[i : i + r] for i in range(0, len(x), r)]
        return Mechanism([[dot(row, column) for column in columns] for row in rows])


def task_of(problem: Problem, levels: RationalLevels) -> Task:
    """Return the problem in floats, at the upper level."""
    pi = np.array([float(p) for p in problem.population])
    target = np.array([[float(x) for x in b] for b in problem.objective.targets(len(pi))]).T
    constant = float(((target.T @ pi) ** 2).sum())
    bounds = problem.region.bounds
    floats = None if bounds is None else tuple(np.array([[float(x) for x in row] for row in rows]) for rows in bounds)
    gamma = float(largest_ratio(problem, levels.above.gamma))
    return Task(gamma, pi, target, constant, problem.region.outputs, floats)  # type: ignore[arg-type]


def best_found(problem: Problem, levels: RationalLevels) -> Mechanism:
    """Return the best mechanism that is known, or that the local search finds.

    Raises:
        UnsupportedProblemError: if the search finds no mechanism with a finite variance, or the mechanism is too large.
    """
    found, forms = [], list(_forms(problem, levels))
    if not forms:
        raise UnsupportedProblemError(
            f"the mechanism is too large for the search: received {problem}; allowed are {_MOST_ENTRIES} entries; "
            "allow fewer outputs, or merge categories"
        )
    for form in forms:
        if len(form.basis) == 2 and problem.region.bounds is None:
            found += _allowed(problem, form, _of_two_edges(form, levels.below.gamma, problem.region.outputs))
            continue
        for x in _searched(problem, levels, form):
            found += _rational(problem, form, x)
    if not found:
        raise UnsupportedProblemError(
            f"no mechanism with a finite variance was found: received {problem}; allow more outputs, or relax a bound"
        )
    return min(found, key=lambda mechanism: (_value(problem, mechanism), mechanism.matrix))


def polished(problem: Problem, levels: RationalLevels, rows: Array) -> Mechanism | None:
    """Return the best rational mechanism near the rows that branch and bound found; None if there is none."""
    form = next(iter(_forms(problem, levels)))
    found = [each for x in _searched(problem, levels, form, [rows.ravel()]) for each in _rational(problem, form, x)]
    return min(found, key=lambda mechanism: (_value(problem, mechanism), mechanism.matrix), default=None)


def _forms(problem: Problem, levels: RationalLevels) -> Iterator[LinearForm]:
    k, m = problem.region.inputs, problem.region.outputs
    targets = problem.objective.targets(k)
    told = list(zip(*targets, strict=True))  # targets of each category: equal ones need not be distinguished
    apart = list(dict.fromkeys(told))
    if m >= k and m * k <= _MOST_ENTRIES:
        yield _form(problem, levels, [[Fraction(i == j) for j in range(k)] for i in range(k)])
    if len(apart) < k and len(apart) <= m:
        yield _form(problem, levels, [[Fraction(one == other) for one in told] for other in apart])
    elif m < k:
        yield _form(problem, levels, [[Fraction(1)] * k, *map(list, targets)])


def _form(problem: Problem, levels: RationalLevels, basis: Rows) -> LinearForm:
    m, k, r, gamma = problem.region.outputs, problem.region.inputs, len(basis), levels.below.gamma
    columns = [list(column) for column in zip(*basis, strict=True)]
    one = consistent_solution(columns, [Fraction(1)] * k) or ()
    zero = [Fraction(0)] * r

    def at(i: int, entries: Sequence[Fraction]) -> list[Fraction]:
        return [x for place in range(m) for x in (entries if place == i else zero)]

    above = []
    for i in range(m):
        for j in range(k):
            for other in range(k):
                if columns[j] != columns[other]:
                    above.append(
                        (at(i, [gamma * b - a for a, b in zip(columns[j], columns[other], strict=True)]), Fraction(0))
                    )
            for rows, sign in zip(problem.region.bounds or (), (1, -1), strict=False):
                if rows[i][j] != (0 if sign == 1 else 1):
                    above.append((at(i, [sign * a for a in columns[j]]), sign * rows[i][j]))
    equal = [([Fraction(place % r == j) for place in range(m * r)], one[j]) for j in range(r)]
    return LinearForm(basis, above, equal, [x / m for _ in range(m) for x in one])


def _of_two_edges(form: LinearForm, gamma: Fraction, m: int) -> list[Fraction]:
    """Return X of the best mechanism P = X D, if X has two columns and entries have no bounds.

    The columns of D lie on a line. The rows of P form a cone with two edges, where the entries at the two ends of the
    line have the ratio gamma or 1/gamma. Each row is a sum of a row on each edge, so a mechanism with two outputs, one
    for each edge, is at least as informative; the sums of its columns are 1 for one mechanism alone. Its second row is
    split into m - 1 equal ones.
    """
    columns = sorted(zip(*form.basis, strict=True))
    ends, share = [list(columns[0]), list(columns[-1])], gamma / (gamma + 1)
    first = consistent_solution(ends, [1 - share, share]) or ()
    second = consistent_solution(ends, [share, 1 - share]) or ()
    return [*first, *(x / (m - 1) for _ in range(m - 1) for x in second)]


def _searched(
    problem: Problem, levels: RationalLevels, form: LinearForm, begin: Sequence[Array] | None = None
) -> Iterator[Array]:
    """Iterate over the three best results of the local search, from given or random starting points."""
    from scipy.optimize import LinearConstraint, minimize

    task, r, m = task_of(problem, levels), len(form.basis), problem.region.outputs
    basis = np.array([[float(x) for x in row] for row in form.basis])
    target = np.linalg.lstsq(basis.T, task.target, rcond=None)[0]  # the contrasts in coordinates
    function = _objective(basis @ task.pi, target, m, r)
    above, equal = (
        (np.array([[float(x) for x in a] for a, _ in listed]), np.array([float(b) for _, b in listed]))
        for listed in (form.above, form.equal)
    )
    conditions = [LinearConstraint(*above, np.inf), LinearConstraint(*equal, equal[1])]
    ends = []
    for start in _drawn(problem, levels, form) if begin is None else begin:
        with np.errstate(all="ignore"):
            done = minimize(
                function,
                start,
                jac=True,
                constraints=conditions,
                method="SLSQP",
                options={"maxiter": 300, "ftol": 1e-15},  # to float precision: some tens of steps
            )
        if np.isfinite(done.fun) and np.isfinite(done.x).all():
            missed = max((above[1] - above[0] @ done.x).max(), np.abs(equal[0] @ done.x - equal[1]).max())
            if missed <= _OUTSIDE * task.gamma:
                ends.append((float(done.fun), done.x))
    ends.sort(key=lambda end: (end[0], tuple(end[1])))
    yield from (x for _, x in ends[:3])


def _objective(means: Array, target: Array, m: int, r: int) -> Callable[[Array], tuple[float, Array]]:
    """Return the logarithm of ``tr B^T M^-1 B`` and its gradient, as a function of X."""

    def function(flat: Array) -> tuple[float, Array]:
        x = flat.reshape(m, r)
        q = np.maximum(x @ means, _LEAST)
        information = (x / q[:, None]).T @ x
        information += _RIDGE * np.trace(information) * np.eye(r)
        root = np.linalg.solve(information, target)
        value = max(float((target * root).sum()), 1e-300)  # positive, for the logarithm
        moved = x @ root
        slope = 2 * (moved @ root.T) / q[:, None] - ((moved**2).sum(1) / q**2)[:, None] * means
        return float(np.log(value)), (-slope / value).ravel()

    return function


def _drawn(problem: Problem, levels: RationalLevels, form: LinearForm) -> Iterator[Array]:
    """Iterate over starting points: random mechanisms, mixed with the blind one until they are nearly private."""
    rng = np.random.default_rng(20)
    m, k = problem.region.outputs, problem.region.inputs
    basis, gamma = np.array([[float(x) for x in row] for row in form.basis]), float(levels.below.gamma)
    blind = np.array([float(x) for x in form.blind]).reshape(m, -1)
    for number in range(_BEGINNINGS):
        rows = rng.dirichlet(np.full(m, 0.5), size=k).T
        if number < 2 and m >= k:
            rows = np.roll(np.vstack([np.eye(k), np.zeros((m - k, k))]), number, axis=0)
            # inside, since a search that starts with zeros keeps them
            rows = (rows + 0.01) / (rows + 0.01).sum(0)
        x = rows @ np.linalg.pinv(basis)
        x += (blind.sum(0) - x.sum(0)) / m
        share = (gamma - 1) / (gamma + k - 1)
        yield (share * x + (1 - share) * blind).ravel()


def _rational(problem: Problem, form: LinearForm, x: Array) -> list[Mechanism]:
    """Return rational mechanisms of the region near a result of the search.

    The nearly active conditions become equations: the mechanisms lie on the face of the region where the result lies.
    """
    found, near = [], [Fraction(round(float(entry) * 2**_FREE_BITS), 2**_FREE_BITS) for entry in x]
    slacks = [(float(dot(a, near) - b), a, b) for a, b in form.above]
    for tolerance in _ACTIVE:
        held = [(a, b) for slack, a, b in sorted(slacks, key=lambda each: abs(each[0])) if abs(slack) < tolerance]
        exact = _moved(near, [*form.equal, *held])
        if exact is not None:
            found += _allowed(problem, form, exact)
    if not found:
        middle = _moved(near, form.equal) or near
        for share in _SHRINK:
            mixed = [(1 - share) * a + share * b for a, b in zip(middle, form.blind, strict=True)]
            found = found or _allowed(problem, form, mixed)
    return found


def _moved(near: list[Fraction], held: list[tuple[list[Fraction], Fraction]]) -> list[Fraction] | None:
    """Return a point near the given one that satisfies the equations; None if they contradict each other."""
    step = consistent_solution([a for a, _ in held], [b - dot(a, near) for a, b in held])
    return None if step is None else [x + y for x, y in zip(near, step, strict=True)]


def _allowed(problem: Problem, form: LinearForm, x: list[Fraction]) -> list[Mechanism]:
    if any(dot(a, x) < b for a, b in form.above) or any(dot(a, x) != b for a, b in form.equal):
        return []
    try:
        mechanism = form.mechanism(x)
        _value(problem, mechanism)
    except (InfeasibleError, InvalidMechanismError):
        return []
    return [mechanism] if problem.region.contains(mechanism) else []


def _value(problem: Problem, mechanism: Mechanism) -> Fraction:
    return problem.objective.value(mechanism, problem.population)
