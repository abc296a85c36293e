"""The definition as a judge: by how much a matrix violates the privacy region, and what value it has.

The engine, SymPy and CVXPY each have a design. All of them are judged by the same sentences, which know no method: the
columns sum to 1, ``sum_i max(0, p_ij - gamma p_il) <= delta``, and the objective as a textbook defines it. The problem
is read from its JSON. Everything rational is computed in fractions; logarithms, roots and irrational levels are
brackets of about 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import lcm
from typing import Any, NamedTuple

from flint import arb, ctx, fmpq
from mpmath import mp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Bracket, Delta, Epsilon, rational
from rropt.core.exact.flint_numbers import as_fraction, flint_matrix, fractions_of
from rropt.core.exact.rational_bounds import bracket

_DIGITS, _BITS = 60, 256
_OF_EIGENVALUES = Fraction(1, 10**40)  # relative error of an eigenvalue that is computed in 60 digits

Row = Sequence[Fraction]
Matrix = Sequence[Row]


class Judged(NamedTuple):
    """A matrix by the definition of a problem.

    Attributes:
        violation: by how much it violates the conditions at most: 0 or less if it satisfies all of them.
        value: its value.
    """

    violation: Bracket
    value: Bracket


def judge(data: Mapping[str, Any], design: Sequence[Sequence[Any]], reports: Sequence[Any] | None = None) -> Judged:
    """Return the violation and the value of a matrix.

    Args:
        data: the problem as JSON.
        design: the matrix, rows are outputs; floats are taken as the fractions that they are.
        reports: the numbers that the outputs stand for, if the objective is about numbers.

    Raises:
        UnsupportedProblemError: the objective or the region is not defined here; the message says which.

    >>> from rropt.designs import Problem
    >>> problem = Problem.kary(2, epsilon="log(3)", objective="trace")
    >>> found = judge(problem.to_dict(), [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> print(found.violation.upper, found.value.lower)
    0 3/2
    """
    P = [[x if isinstance(x, Fraction) else Fraction(x) for x in row] for row in design]
    with ctx.workprec(_BITS):
        return Judged(violation(data["region"], P), value(data["objective"], P, _proportions(data, len(P[0])), reports))


def _proportions(data: Mapping[str, Any], k: int) -> list[Fraction]:
    given = data["population"]
    if isinstance(given, list):
        return [rational(x) for x in given]
    if "uniform" in given:
        return [Fraction(1, k)] * k
    raise UnsupportedProblemError("the worst case over several distributions is not judged here")


# --- privacy ---------------------------------------------------------------------------------------------------------


def violation(region: Mapping[str, Any], P: Matrix) -> Bracket:
    """Return the largest violation of a condition of a region."""
    whole, unit = _whole(P)
    columns = list(zip(*whole, strict=True))
    found = [Bracket.of(Fraction(max(-min(map(min, whole)), *(abs(sum(column) - unit) for column in columns)), unit))]
    if region["kind"] == "bounded":
        for row, least, most in zip(P, region["least"], region["most"], strict=True):
            found += [Bracket.of(rational(low) - x) for x, low in zip(row, least, strict=True)]
            found += [Bracket.of(x - rational(high)) for x, high in zip(row, most, strict=True)]
        for each in region["entry_inequalities"]:
            values = [[sum(rational(x) * P[int(i)][int(j)] for i, j, x in f) for f in part] for part in each["parts"]]
            found.append(Bracket.of(sum(map(max, values)) - rational(each["bound"])))
        region = region["region"]
    if region["kind"] == "every-mechanism":
        return Bracket.of(max(each.upper for each in found))
    if region["kind"] not in ("differential-privacy", "privacy-levels"):
        raise UnsupportedProblemError(f"the region {region['kind']} is not judged here")
    for level in region.get("levels") or [{"pairs": "all", **region}]:
        gamma, delta = Epsilon.from_dict(level["epsilon"]).gamma_bracket(_DIGITS), Delta.from_dict(level["delta"])
        slack = Bracket.of(delta.rational) if delta.rational is not None else delta.bracket(_DIGITS)
        k, given = len(P[0]), level.get("pairs", "all")
        a, b = gamma.lower.numerator, gamma.lower.denominator
        if given == "all" and all(b * max(row) <= a * min(row) for row in whole):
            found.append(Bracket(-slack.upper, -slack.lower))  # no pair has an excess
            continue
        for j, other in permutations(range(k), 2) if given == "all" else ((int(a), int(b)) for a, b in given):
            low = _excess(columns[j], columns[other], gamma.upper) / unit
            high = low if gamma.lower == gamma.upper else _excess(columns[j], columns[other], gamma.lower) / unit
            found.append(Bracket(low - slack.upper, high - slack.lower))
    if region.get("family") == "warner":
        found.append(Bracket.of(abs(P[0][0] - P[1][1])))
    return Bracket(max(each.lower for each in found), max(each.upper for each in found))


def require_private(region: Mapping[str, Any], P: Matrix) -> None:
    """Require that a matrix satisfies the conditions of a region, if the region is defined here.

    Raises:
        RouteDisagreementError: it violates one.
    """
    try:
        with ctx.workprec(_BITS):
            found = violation(region, P)
    except UnsupportedProblemError:
        return
    if found.lower > 0:
        raise RouteDisagreementError(
            f"by the definition the design of the bounds violates a condition by {float(found.lower):.3g}"
        )


def _excess(column: Sequence[int], other: Sequence[int], gamma: Fraction) -> Fraction:
    """Return ``sum_i max(0, p_ij - gamma p_il)`` of two columns of whole numbers."""
    a, b = gamma.numerator, gamma.denominator
    return Fraction(sum(over for p, q in zip(column, other, strict=True) if (over := b * p - a * q) > 0), b)


# --- objectives ------------------------------------------------------------------------------------------------------


def value(own: Mapping[str, Any], P: Matrix, pi: Row, reports: Sequence[Any] | None = None) -> Bracket:
    """Return the value of an objective at a matrix, whose columns need not sum to 1 exactly."""
    kind = own["kind"]
    if kind == "bayes":
        parts = [value(own["objective"], P, [rational(x) for x in shares]) for shares in own["populations"]]
        weights = [rational(w) for w in own["weights"]]
        return Bracket(*(sum(w * getattr(one, end) for w, one in zip(weights, parts, strict=True)) for end in _ENDS))
    if kind in _SUMS or kind in _EXACT_SUMS:
        return _summed(own, P, pi)
    if kind in _RATIONAL:
        return Bracket.of(_RATIONAL[kind](own, P, pi))
    if kind == "conditional-variance" and reports is not None:
        return Bracket.of(_of_reports(own, P, reports))
    if kind == "d-optimal":
        determinant = as_fraction(flint_matrix(_information(P, pi)).det())
        return bracket(arb(_fmpq(determinant)).log())
    if kind == "e-optimal":
        return _largest_eigenvalue(P, pi)
    raise UnsupportedProblemError(f"the objective {kind} is not judged here")


_ENDS = ("lower", "upper")


def _fmpq(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _dot(one: Sequence[Any], other: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(one, other, strict=True)), Fraction(0))


def _require_listed(own: Mapping[str, Any]) -> None:
    if not isinstance(own["matrix"], list):
        raise UnsupportedProblemError("a matrix of proportions in runs is not judged here")


def _matrix(own: Mapping[str, Any], pi: Row) -> list[list[Fraction]]:
    _require_listed(own)
    return [[_read(x) * p for x, p in zip(line, pi, strict=True)] for line in own["matrix"]]


def _trace(own: Mapping[str, Any], P: Matrix, pi: Row) -> Fraction:
    if not isinstance(own["weights"], list):
        raise UnsupportedProblemError("weights in runs are not judged here")
    return sum((rational(w) * P[i][i] for i, w in enumerate(own["weights"])), Fraction(0))


def _loss(own: Mapping[str, Any], P: Matrix, pi: Row) -> Fraction:
    """Return ``sum_ij pi_j L_ij p_ij``; the sums over i are of whole numbers in a common unit."""
    _require_listed(own)
    losses, by_loss = _whole([[_read(x) for x in line] for line in own["matrix"]])
    entries, by_entry = _whole(P)
    pairs = zip(zip(*losses, strict=True), zip(*entries, strict=True), strict=True)
    sums = [sum(x * y for x, y in zip(loss, column, strict=True)) for loss, column in pairs]
    return Fraction(_dot(pi, sums), by_loss * by_entry)


@lru_cache(maxsize=1024)
def _read(number: str) -> Fraction:
    """Return a number of the JSON: the entries of a matrix of losses are often the same."""
    return rational(number)


def _whole(rows: Matrix) -> tuple[list[list[int]], int]:
    """Return a matrix in whole numbers of a unit, and 1 in the same unit."""
    unit = lcm(*(x.denominator for row in rows for x in row))
    return [[x.numerator * (unit // x.denominator) for x in row] for row in rows], unit


def _payoff(own: Mapping[str, Any], P: Matrix, pi: Row) -> Fraction:
    gains = _matrix(own, pi)
    return sum((max(_dot(line, row) for line in gains) for row in P), Fraction(0))


def _variances(own: Mapping[str, Any], P: Matrix, pi: Row) -> Fraction:
    """Return n times the sum of the variances of the estimates C p: ``tr C M^- C^T - |C pi|^2``."""
    k = len(pi)
    lines = own.get("contrasts") or ([own["contrast"]] if "contrast" in own else None)
    identity = [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]
    C = [[rational(x) for x in line] for line in lines] if lines else identity
    Z = _solved(_information(P, pi), [list(column) for column in zip(*C, strict=True)])
    pairs = zip(C, zip(*Z, strict=True), strict=True)
    return sum((_dot(line, column) - _dot(line, pi) ** 2 for line, column in pairs), Fraction(0))


def _prevalence(own: Mapping[str, Any], P: Matrix, pi: Row) -> Fraction:
    if len(P) == 2 and P[1][1] != P[1][0]:  # affine in the mean of one output, also where the other never occurs
        mean: Fraction = _dot(P[1], pi)
        return mean * (1 - mean) / (P[1][1] - P[1][0]) ** 2
    information = sum(((row[1] - row[0]) ** 2 / _dot(row, pi) for row in P if _dot(row, pi)), Fraction(0))
    if not information:
        raise UnsupportedProblemError("the design has no information on the prevalence")
    return 1 / information


def _information(P: Matrix, pi: Row) -> list[list[Fraction]]:
    k = len(pi)
    means = [_dot(row, pi) for row in P]
    if any(any(row) and not mean for row, mean in zip(P, means, strict=True)):
        raise UnsupportedProblemError("an output has probability 0 at these proportions")
    pairs = [(row, mean) for row, mean in zip(P, means, strict=True) if mean]
    return [[sum((row[i] * row[j] / mean for row, mean in pairs), Fraction(0)) for j in range(k)] for i in range(k)]


def _solved(M: Matrix, right: Matrix) -> list[list[Fraction]]:
    """Return Z with ``M Z = right``; a singular M may have one too."""
    k, q = len(M), len(right[0])
    reduced, rank = flint_matrix([[*line, *more] for line, more in zip(M, right, strict=True)]).rref()
    found = [[Fraction(0)] * q for _ in range(k)]
    for line in fractions_of(reduced)[:rank]:
        first = next(j for j, x in enumerate(line) if x)
        if first >= k:
            raise UnsupportedProblemError("the design does not identify what is estimated")
        found[first] = list(line[k:])
    return found


def _largest_eigenvalue(P: Matrix, pi: Row) -> Bracket:
    k = len(pi)
    identity = [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]
    Z = _solved(_information(P, pi), identity)
    with mp.workdps(_DIGITS):
        covariance = [[z - p * q for z, q in zip(line, pi, strict=True)] for line, p in zip(Z, pi, strict=True)]
        V = mp.matrix([[mp.mpf(x.numerator) / x.denominator for x in line] for line in covariance])
        top = Fraction(str(mp.nstr(max(mp.eigsy(V, eigvals_only=True)), 50)))
    room = abs(top) * _OF_EIGENVALUES
    return Bracket(top - room, top + room)


def _of_reports(own: Mapping[str, Any], P: Matrix, reports: Sequence[Any]) -> Fraction:
    """Return the largest variance of a report whose mean is the number."""
    numbers, values = [rational(x) for x in own["contrast"]], [Fraction(x) for x in reports]
    columns = list(zip(*P, strict=True))
    if any(_dot(column, values) != number for column, number in zip(columns, numbers, strict=True)):
        raise UnsupportedProblemError("the reports are biased")
    squares = [x * x for x in values]
    variances = [_dot(column, squares) - number**2 for column, number in zip(columns, numbers, strict=True)]
    return Fraction(max(variances))


_RATIONAL: dict[str, Callable[..., Fraction]] = {
    "trace": _trace,
    "loss": _loss,
    "payoff": _payoff,
    "a-optimal": _variances,
    "c-optimal": _variances,
    "contrasts": _variances,
    "variance": _prevalence,
}


def _xlog(x: arb, y: arb) -> arb:
    return x * y.log() if x != 0 else arb(0)


def _power(a: arb, b: arb, own: Mapping[str, Any]) -> arb:
    r = rational(own["order"])
    power = (a.log() * _fmpq(r) + b.log() * _fmpq(1 - r)).exp() if a > 0 and b > 0 else arb(0)
    return (power - _fmpq(r) * a - _fmpq(1 - r) * b) / arb(_fmpq(r * (r - 1)))


_EXACT_SUMS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "total-variation": lambda a, b: abs(a - b) / 2,
    "chi-square": lambda a, b: (a - b) ** 2 / b,
}
_SUMS: dict[str, Callable[..., arb]] = {
    "hellinger": lambda a, b, _: (a + b) / 2 - (a * b).sqrt(),
    "kullback-leibler": lambda a, b, _: _xlog(a, a / b),
    "jensen-shannon": lambda a, b, _: (_xlog(a, 2 * a / (a + b)) + _xlog(b, 2 * b / (a + b))) / 2,
    "alpha-divergence": _power,
    "mutual-information": lambda a, b, _: _xlog(a, a / b),
}


def _summed(own: Mapping[str, Any], P: Matrix, pi: Row) -> Bracket:
    """Return the sum of a term over the outputs; of the mutual information over all pairs of output and category."""
    pairs: list[tuple[Fraction, Fraction]] = []
    for row in P:
        mean = _dot(row, pi)
        if own["kind"] == "mutual-information":  # the joint distribution, and the product of both margins
            pairs += [(x * p, mean * p) for x, p in zip(row, pi, strict=True)]
        else:
            pairs.append((mean, _dot(row, [rational(x) for x in own["against"]])))
    if own["kind"] in _EXACT_SUMS:
        return Bracket.of(sum((_EXACT_SUMS[own["kind"]](a, b) for a, b in pairs if a or b), Fraction(0)))
    total = arb(0)
    for a, b in pairs:
        if a or b:
            total += _SUMS[own["kind"]](arb(_fmpq(a)), arb(_fmpq(b)), own)
    return bracket(total)
