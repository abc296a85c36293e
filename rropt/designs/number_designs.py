"""Exact optimal reports of numbers: the minimax variance, and c-optimality for many categories.

The rows and their values come from floats (``engine/sign_patterns.py``). This module makes them exact:

* *The mechanism.* A linear program finds the weights of the rows for the values in floats: a vertex, with few outputs.
  Each column is rounded to multiples of 1/N. The rows are found at a level a little below, so that the result is
  private. Then the values of k outputs with independent rows are moved by the exact solution of a linear system, so
  that every mean is exact.
* *The bound.* The multipliers are rounded, and a is raised by the largest violation over the rows of all intervals
  (checker/values_way.md); the intervals end halfway between the roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from math import ceil, log10
from operator import itemgetter
from typing import Any, NamedTuple

from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.values_way import rows_of_values
from rropt.core import linear
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of
from rropt.core.exact import Bracket
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot, whole_numbers
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.exact.texts import fraction_of
from rropt.core.lazy import numpy as np
from rropt.designs.drawable_designs import WORD_BITS
from rropt.designs.engine.sign_patterns import PatternWeights, best_reports, roots_of
from rropt.designs.known_reports import known_reports
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design_of
from rropt.designs.routes import NoDesignError, ProvedDesign
from rropt.designs.writers.bracket_writer import state_bracket
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

MOST_VALUES = 101
_DIGITS = 14  # of the values z before they are made exact, relative to the largest one
_SAME = 1e-8  # values that are closer, relative to the largest, are one: this costs some 1e-16 of the variance
_NO_WEIGHT = 1e-10  # smaller weights are rounding errors of the linear program
_PLACES = 10**15  # multipliers are multiples of 1/_PLACES
_DEPENDENT = 1e-10  # least singular value, relative to the largest, with which floats find values of the exact means
_RARE = 1e-7  # probability of a question that tells the numbers apart: some 4e-7 of the variance
_SPREAD = 1e-3  # of the values of its answers, which the exact means take back
_SLACKS = (1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)  # of gamma - 1, given up for short numbers
_NEAR = Fraction(1, 10**5)  # relative distance in which the simplest value is looked for
_SHORT_DENOMINATOR = 1000  # a larger one is no short number
_MOST_SHORT = 4000  # entries of the rows of the exact program: a second
_APART = 1e-10  # roots that are closer, relative to the largest, are not separated
_LIFTS = 8  # of a: one or two are needed
_CLOSE = Fraction(1, 10**7)  # relative distance from the lower bound that no other try could shorten by much
_WORK = 1 << 40  # of the rows of the intervals: without a limit


Reports = tuple[list[list[Fraction]], tuple[Fraction, ...]]  # rows over the different numbers, and their values


class ValuesDual(NamedTuple):
    """The multipliers of the way of values: y, b with sum 0, a, and the cuts."""

    shares: tuple[Fraction, ...]
    vector: tuple[Fraction, ...]
    alpha: tuple[Fraction, ...]
    cuts: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class NumberDesign(ProvedDesign):
    """A mechanism whose outputs have values that estimate a number without bias; the dual is a ``ValuesDual``."""


class _Numbers(NamedTuple):
    """The different numbers of a problem, ascending, in floats from -1 to 1 and exactly; ``places`` of the inputs."""

    given: tuple[Fraction, ...]
    values: tuple[Fraction, ...]
    places: tuple[int, ...]
    shares: tuple[Fraction, ...] | None  # of the different numbers

    @classmethod
    def of(cls, given: Sequence[Fraction], shares: Sequence[Fraction] | None) -> _Numbers:
        values = tuple(sorted(set(given)))
        places = tuple(values.index(x) for x in given)
        own = None
        if shares is not None:
            own = tuple(
                sum((p for p, i in zip(shares, places, strict=True) if i == g), Fraction(0)) for g in range(len(values))
            )
        return cls(tuple(given), values, places, own)

    @property
    def middle(self) -> Fraction:
        return (self.values[0] + self.values[-1]) / 2

    @property
    def half(self) -> Fraction:
        return (self.values[-1] - self.values[0]) / 2

    @property
    def scaled(self) -> tuple[float, ...]:
        return tuple(float((x - self.middle) / self.half) for x in self.values)


def _numbers_of(problem: Problem) -> tuple[Fraction, ...]:
    """Return the numbers of the categories, or the contrast."""
    (x,) = problem.objective.contrast_rows(problem.region.inputs) or ((),)
    return x


def limit_of_values(problem: Problem) -> str | None:
    """Return why reports of these numbers are not designed, or None."""
    k = len(set(_numbers_of(problem)))
    if k > MOST_VALUES:
        return (
            f"the objective {problem.objective.kind} takes at most {MOST_VALUES} different numbers: received {k}; "
            "round the numbers, or merge neighbouring ones"
        )
    return None


def solved_by_values(problem: Problem, levels: RationalLevels) -> NumberDesign:
    """Return the minimax design, or the c-optimal one, with exact bounds.

    Raises:
        NoDesignError: the floats are not accurate enough; the parameters are extreme.
    """
    x = _numbers_of(problem)
    is_worst = problem.objective.is_worst_variance
    numbers = _Numbers.of(x, None if is_worst else problem.population)
    shares = None if numbers.shares is None else tuple(map(float, numbers.shares))
    beyond = float(f"{float(levels.below.gamma - 1):.12g}")
    reports = best_reports(numbers.scaled, 1 + beyond, shares)
    if reports is not None:
        short = None
        if levels.below.gamma == levels.above.gamma:
            short = _short_mechanism(numbers, reports, levels.below.gamma)
        proportions = None if is_worst else problem.population
        dual = _dual(numbers, reports, levels.above.gamma, proportions)
        lower = max(_bound(dual, x, is_worst=is_worst), Fraction(0))
        rows, z = _least_reports(numbers, reports, beyond, levels.below.gamma, short, problem, lower)
        mechanism = Mechanism([[row[g] for g in numbers.places] for row in rows])
        upper = variance_of(mechanism, z, x, proportions)
        if lower <= upper:
            named = mechanism.valued(x, z) if is_worst and len(set(x)) == len(x) else mechanism
            return NumberDesign(lower, upper, named, dual, primal={"estimators": [[list(z)]]})
    raise NoDesignError(
        "the cone program found no reports that can be made exact: received {}; its parameters are extreme: give "
        "an epsilon from 1/1000 to 10, or round the numbers",
        problem,
    )


def variance_of(
    mechanism: Mechanism, z: Sequence[Fraction], x: Sequence[Fraction], shares: Sequence[Fraction] | None
) -> Fraction:
    """Return the largest variance of the report z given the number, or n times its variance at proportions."""
    second = [dot(column, [value * value for value in z]) for column in zip(*mechanism.matrix, strict=True)]
    if shares is None:
        return max(total - number * number for total, number in zip(second, x, strict=True))
    return dot(shares, second) - dot(shares, x) ** 2


# the mechanism


def _least_reports(
    numbers: _Numbers,
    reports: PatternWeights,
    beyond: float,
    most: Fraction,
    short: Reports | None,
    problem: Problem,
    lower: Fraction,
) -> Reports:
    """Return the reports of least variance: of the literature, short ones, and those of the cone program.

    A vertex of the linear program may have rows that are nearly dependent. Then the exact means need huge values, and
    the vertex at another slack is better, or all rows of the cone program. The first that is near the lower bound ends
    the search. Without one, mechanisms of the literature are candidates too.
    """
    tries = (
        _mechanism(numbers, reports, 1 + beyond * (1 - slack), most, from_vertex=own)
        for own in (True, False)
        for slack in _SLACKS
    )
    found: list[tuple[Fraction, Reports]] = []
    for made in chain([short], tries):
        if made is not None:
            found.append((_variance(numbers, *made, problem), made))
            if made is not short and found[-1][0] - lower <= _CLOSE * found[-1][0]:
                break
    else:
        for known in known_reports(numbers.values, most):
            made = ([*map(list, known.matrix)], known.output_values)
            found.append((_variance(numbers, *made, problem), made))
    return min(found, key=itemgetter(0))[1]


def _variance(
    numbers: _Numbers, rows: Sequence[Sequence[Fraction]], z: Sequence[Fraction], problem: Problem
) -> Fraction:
    """Return the variance that the problem minimizes, of rows over the different numbers."""
    mechanism = Mechanism([[row[g] for g in numbers.places] for row in rows])
    shares = None if problem.objective.is_worst_variance else problem.population
    return variance_of(mechanism, z, _numbers_of(problem), shares)


def _short_mechanism(numbers: _Numbers, reports: PatternWeights, gamma: Fraction) -> Reports | None:
    """Return exact rows at a rational level whose values are the simplest numbers near those in floats.

    At a rational level the best values are often short, such as -3/2. The exact weights of the rows come from a linear
    program in which the values are fixed. ``None`` if the values are not short, or no weights exist.
    """
    k, n = len(numbers.values), len(reports.values)
    if n * k > _MOST_SHORT:
        return None
    near = [numbers.middle + numbers.half * Fraction(float(value)) for value in reports.values]
    far = _NEAR * max(map(abs, near))
    z = [simplest_between(value - far, value + far) for value in near]
    if max(value.denominator for value in z) > _SHORT_DENOMINATOR:
        return None
    rows = [[gamma if inside else Fraction(1) for inside in pattern] for pattern in reports.patterns]
    builder = linear.ProgramBuilder("minimise")
    is_worst = numbers.shares is None
    weighed = [Fraction(0)] * n
    for j, share in enumerate(numbers.shares or ()):
        weighed = [a + share * row[j] * value * value for a, row, value in zip(weighed, rows, z, strict=True)]
    weights = [builder.variable(f"w[{i}]", cost=weighed[i]) for i in range(n)]
    most = builder.variable("V", cost=1) if is_worst else None
    for j, x in enumerate(numbers.values):
        builder.row(f"column {j}", {w: rows[i][j] for i, w in enumerate(weights)}, "=", 1)
        builder.row(f"mean {j}", {w: rows[i][j] * z[i] for i, w in enumerate(weights)}, "=", x)
        if most is not None:
            squares = {w: rows[i][j] * z[i] ** 2 for i, w in enumerate(weights)}
            builder.row(f"variance {j}", {**squares, most: Fraction(-1)}, "<=", x * x)
    found = linear.optimum(builder.build())
    if found is None:
        return None
    merged: dict[Fraction, list[Fraction]] = {}
    for w, value, row in zip(found.primal[:n], z, rows, strict=True):
        if w:
            merged[value] = [a + w * p for a, p in zip(merged.get(value, [Fraction(0)] * k), row, strict=True)]
    values = sorted(merged)
    columns = zip(*(merged[value] for value in values), strict=True)
    if max(whole_numbers(column)[1] for column in columns).bit_length() > WORD_BITS:
        return None
    return [merged[value] for value in values], tuple(values)


def _mechanism(
    numbers: _Numbers, reports: PatternWeights, gamma: float, most: Fraction, *, from_vertex: bool
) -> Reports | None:
    """Return exact rows over the different numbers and the values of the outputs, ascending; None without success."""
    if len(numbers.values) == 2:
        p = most / (most + 1)
        low, high = numbers.values
        apart = (high - low) / (2 * p - 1)
        return [[p, 1 - p], [1 - p, p]], (low - (1 - p) * apart, high + (1 - p) * apart)
    found = _weights(numbers, reports, gamma, from_vertex=from_vertex)
    if found is None:
        return None
    kept, weights = found
    floats, near = _merged(np.where(np.array([reports.patterns[i] for i in kept]), gamma, 1.0), weights, reports, kept)
    singular = np.linalg.svd(floats, compute_uv=False)
    if singular[-1] < _DEPENDENT * singular[0]:
        floats, near = _with_thresholds(numbers, floats, near, gamma)
    unit = 1 << WORD_BITS
    columns = []
    for column in floats.T.tolist():
        whole = [round(Fraction(p) * unit) for p in column]
        whole[whole.index(max(whole))] += unit - sum(whole)
        columns.append(whole)
    rows = [[Fraction(p, unit) for p in row] for row in zip(*columns, strict=True)]
    if any(max(row) > most * min(row) for row in rows):
        return None
    z = _unbiased(numbers, rows, near)
    if z is None:
        return None
    order = sorted(range(len(z)), key=z.__getitem__)
    return [rows[i] for i in order], tuple(z[i] for i in order)


def _with_thresholds(numbers: _Numbers, rows: Any, near: list[float], gamma: float) -> tuple[Any, list[float]]:
    """Return rows whose columns are linearly independent: rarely, a question "is the number at most x[j]?" is asked.

    The best reports may tell fewer directions apart than there are numbers; then rounded rows have no values with the
    means x but huge ones. With probability _RARE the true answer to one of the k - 1 questions, all equally likely, is
    given with odds gamma. These answers tell all numbers apart, and cost some _RARE of the variance.
    """
    x = np.array(numbers.scaled)
    k = len(x)
    above = np.triu(np.ones((k, k), dtype=bool), 1)[:-1]  # row j: the numbers that are above x[j]
    share = _RARE / (k - 1) / (gamma + 1)
    asked = share * np.concatenate([np.where(above, gamma, 1.0), np.where(above, 1.0, gamma)])
    apart = np.diff(x) * (k - 1) / (gamma - 1)  # of the unbiased answers 0 and 1 to a question, times what it adds
    offset = np.linspace(0, _SPREAD, 2 * (k - 1))  # different outputs have different values
    values = float(x[0]) + np.concatenate([gamma * apart, -apart]) + offset
    return np.vstack([(1 - _RARE) * rows, asked]), [*near, *values.tolist()]


def _merged(rows: Any, weights: Any, reports: PatternWeights, kept: list[int]) -> tuple[Any, list[float]]:
    """Return the rows of the outputs and their values; outputs whose values hardly differ are one, with their mean."""
    order = sorted(range(len(kept)), key=lambda i: float(reports.values[kept[i]]))
    apart = _SAME * float(np.abs(reports.values).max())
    groups: list[list[int]] = []
    for i in order:
        if groups and reports.values[kept[i]] - reports.values[kept[groups[-1][-1]]] < apart:
            groups[-1].append(i)
        else:
            groups.append([i])
    own = [weights[group] for group in groups]
    values = [
        float(w @ reports.values[[kept[i] for i in group]] / w.sum()) for w, group in zip(own, groups, strict=True)
    ]
    return np.array([w @ rows[group] for w, group in zip(own, groups, strict=True)]), values


def _unbiased(numbers: _Numbers, rows: list[list[Fraction]], near: list[float]) -> list[Fraction] | None:
    """Return values near given ones, on the scale from -1 to 1, with the means x of all columns; on the scale of x."""
    from scipy.linalg import qr

    k = len(numbers.values)
    digits = _DIGITS - ceil(log10(max(map(abs, near))))
    z = [numbers.middle + numbers.half * Fraction(round(value * 10**digits), 10**digits) for value in near]
    floats = np.array([[float(p) for p in row] for row in rows])
    chosen = qr(floats.T, mode="r", pivoting=True)[1][:k].tolist()
    missing = [x - dot(column, z) for x, column in zip(numbers.values, zip(*rows, strict=True), strict=True)]
    matrix = flint_matrix([list(column) for column in zip(*(rows[i] for i in chosen), strict=True)])
    try:
        moves = fractions_of(matrix.solve(flint_matrix([[x] for x in missing])))
    except ZeroDivisionError:
        return None
    for i, (move,) in zip(chosen, moves, strict=True):
        z[i] += move
    return z if len(set(z)) == len(z) else None


def _weights(
    numbers: _Numbers, reports: PatternWeights, gamma: float, *, from_vertex: bool
) -> tuple[list[int], Any] | None:
    """Return the outputs of positive weight and their weights: of a vertex of the linear program for fixed values.

    Without ``from_vertex`` they are all outputs, with the weights of the cone program.
    """
    from scipy.optimize import linprog

    x, z, k, n = np.array(numbers.scaled), reports.values, len(numbers.values), len(reports.values)
    rows = np.where(np.array(reports.patterns), gamma, 1.0).T
    size = float(np.abs(z).max())
    equal, right = np.vstack([rows, rows * z / size]), np.concatenate([np.ones(k), x / size])
    second = rows * (z / size) ** 2
    # tighter than the 1e-7 of HiGHS, since the outputs of positive weight are read off
    options = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
    more = {"bounds": (0, None), "method": "highs-ds", "options": options}
    if not from_vertex:
        found = None
    elif numbers.shares is None:
        above = np.hstack([second, -np.ones((k, 1))])
        even = np.hstack([equal, np.zeros((2 * k, 1))])
        found = linprog([0.0] * n + [1.0], A_ub=above, b_ub=(x / size) ** 2, A_eq=even, b_eq=right, **more)
    else:
        found = linprog(np.array(list(map(float, numbers.shares))) @ second, A_eq=equal, b_eq=right, **more)
    w = found.x[:n] if found is not None and found.status == 0 else reports.weights
    kept = [i for i in range(n) if w[i] > _NO_WEIGHT]
    part, own = rows[:, kept], w[kept]
    for _ in range(2):  # the columns sum to 1 to rounding errors
        own = own + np.linalg.lstsq(part * own, 1 - part @ own, rcond=None)[0] * own
    return (kept, own) if len(own) >= k and own.min() > 0 else None


# the bound


def _dual(numbers: _Numbers, reports: PatternWeights, gamma: Fraction, shares: Sequence[Fraction] | None) -> ValuesDual:
    """Return exact multipliers that are valid at gamma, over the inputs of the problem."""
    if numbers.shares is None:
        y = [round(float(v) * _PLACES) for v in reports.y]
        y[max(range(len(y)), key=y.__getitem__)] += _PLACES - sum(y)
        own = [Fraction(v, _PLACES) for v in y]
    else:
        own = list(numbers.shares)
    size = float(np.abs(reports.b).max()) or 1.0
    b = [round(float(v) / size * _PLACES) for v in reports.b]
    b[max(range(len(b)), key=lambda j: abs(b[j]))] -= sum(b)
    vector = [Fraction(v, _PLACES) for v in b]
    alpha = [Fraction(round(float(v) / size**2 * _PLACES), _PLACES) for v in reports.a]
    cuts = _cuts(reports._replace(b=reports.b / size, a=reports.a / size**2))
    for _ in range(_LIFTS):
        need = _violation(own, vector, alpha, cuts, gamma)
        if need <= 0:
            break
        alpha = [v + Fraction(ceil(need * _PLACES * 16), 16 * _PLACES) for v in alpha]
    return _over_inputs(numbers, shares, own, vector, alpha, cuts)


def _cuts(reports: PatternWeights) -> tuple[Fraction, ...]:
    """Return short numbers between neighbouring roots."""
    roots = roots_of(reports.y, reports.b, reports.a).tolist()
    apart = _APART * max(map(abs, roots), default=1.0)
    return tuple(
        # in the middle of two roots, where no rounding error moves it beyond one of them
        simplest_between(*(Fraction(low + part * (high - low)) for part in (0.3, 0.7)))
        for low, high in pairwise(roots)
        if high - low > apart
    )


def _violation(
    y: Sequence[Fraction], b: Sequence[Fraction], a: Sequence[Fraction], cuts: Sequence[Fraction], gamma: Fraction
) -> Fraction:
    """Return the number by which all a_j must rise so that the inequality holds on the rows of all intervals."""
    entries, scale = whole_numbers([*y, *b, *a])
    k, most = len(y), Fraction(0)
    lines = [entries[at : at + k] for at in range(0, 3 * k, k)]
    high, low = gamma.numerator, gamma.denominator
    try:
        for row in rows_of_values(list(zip(*lines, strict=True)), cuts, WorkBudget(_WORK)):
            total, along, above = (
                sum(x * (high if own else low) for x, own in zip(line, row, strict=True)) for line in lines
            )
            if total and (along * along > total * above):
                count = sum(high if own else low for own in row)
                most = max(most, Fraction(along * along - total * above, total * count * scale))
            elif not total and above < 0:
                most = max(most, Fraction(-above, scale * sum(high if own else low for own in row)))
    except Rejected:  # too many roots coincide
        return Fraction(1)
    return most


def _over_inputs(
    numbers: _Numbers,
    shares: Sequence[Fraction] | None,
    y: Sequence[Fraction],
    b: Sequence[Fraction],
    a: Sequence[Fraction],
    cuts: tuple[Fraction, ...],
) -> ValuesDual:
    """Return the multipliers over the inputs: inputs with one number share those of the number."""
    parts = []
    for j, g in enumerate(numbers.places):
        if shares is not None and y[g]:
            parts.append(shares[j] / y[g])
        else:
            parts.append(Fraction(int(numbers.places.index(g) == j)))

    def over(line: Sequence[Fraction]) -> tuple[Fraction, ...]:
        return tuple(part * line[g] for part, g in zip(parts, numbers.places, strict=True))

    return ValuesDual(over(y), over(b), over(a), cuts)


def _bound(dual: ValuesDual, x: Sequence[Fraction], *, is_worst: bool) -> Fraction:
    """Return the lower bound that a dual proves."""
    found = dot(dual.vector, x) ** 2 / sum(dual.alpha)
    if not is_worst:
        return found
    return found - dot(dual.shares, [value * value for value in x]) + dot(dual.shares, x) ** 2


# certificates


def certify_values(problem: Problem, levels: RationalLevels, best: NumberDesign) -> Certificate:
    """Return the certificate of a design in the way of values."""
    dual: ValuesDual = best.dual
    proof = {"alpha": dual.alpha, "cuts": dual.cuts, "vectors": [[dual.vector]], **best.primal}
    if problem.objective.is_worst_variance:
        proof["point"] = {"shares": dual.shares}
    ends = Bracket(best.lower, best.upper)
    return state_bracket(problem.certified_dict(), levels, ends, best.mechanism, "values", proof)


def read_values(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design that a certificate proves, with the values of its outputs."""
    found = recorded_design_of(NumberDesign, problem, certificate)
    x = _numbers_of(problem)
    if not problem.objective.is_worst_variance or len(set(x)) < len(x):
        return found
    return NumberDesign(found.lower, found.upper, found.mechanism.valued(x, _stated_values(certificate)), None)


def proved_values(certificate: Certificate | None) -> tuple[tuple[Fraction, ...], ...]:
    """Return the numbers of the outputs with which a certificate in the way of values proves V; else an empty tuple."""
    if certificate is None or certificate.proof.get("way") != "values":
        return ()
    return (_stated_values(certificate),)


def _stated_values(certificate: Certificate) -> tuple[Fraction, ...]:
    ((z,),) = part_of(certificate, "proof", "estimators", "solution")
    return tuple(fraction_of(text) for text in z)
