"""Exact bounds of a design of the Fisher information without a closed form: a private design and a proof of a bound.

Both are rational numbers near the floats of a solver (``Guess``), and valid whatever the solver did. Let G be any
matrix of shape (k, q), y and z prices with z >= 0, and q a distribution with

    |G^T r|^2 <= (y.r + sum_njl z_njl (r_j - gamma_n r_l)+) (r.q)   for all rows r.                                (1)

The sum is over the levels n and their pairs (j, l); at one level there is no n. Let P be private with rows p_i and
information M. Dividing by ``p_i.q`` and adding up gives ``tr G^T M G <= sum_i (y.p_i + ...) <= paid = sum y +
sum_n delta_n sum_jl z_njl``. So, with C the targets, each of these holds for every private P:

* A, c, contrasts, with ``D = C - C q 1^T``: ``tr C Cov C^T = tr D M^- D^T >= 2 tr D G - paid``, since
  ``|M^(-1/2) D^T - M^(1/2) G|^2 >= 0``;
* numbers x, the largest variance of a report: at least its mean under q, ``2 tr D G - paid - Var_q(x)`` with C = x;
* worst case over a polytope with q in it: at least the bound of A, c, contrasts at q;
* E, columns of G of sum 0: ``lambda_max >= |G|^2/paid``. Indeed ``M Cov G = G - 1 (q^T G)`` and ``Cov M Cov = Cov``,
  so that ``|G|^4 = (tr G^T M Cov G)^2 <= tr G^T M G . tr G^T Cov G <= paid lambda_max |G|^2``;
* D, q = k: ``det M <= (paid/k)^k / det(G)^2``, the inequality of arithmetic and geometric means for ``G^T M G``.

*Rows that suffice.* The left side of (1) divided by ``r.q`` is convex and homogeneous in r. On a cell of the planes
``r_j = 0``, ``r_j = gamma_n r_l`` the right side divided by ``r.q`` is linear. So (1) for the edges of the cells
(``rows``) proves it for all r with ``r.q > 0``. For the others the price ``y.r + ...`` must be nonnegative, so that
the sum over the rows with ``p_i.q > 0`` is at most ``paid``. A violation is repaired: it is added to y. A level with
delta = 0 has no prices: its rows satisfy ``r_j <= gamma_n r_l``.

*Irrational levels.* The design is private at rational numbers below each gamma and delta, the bound holds above them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Bracket, rational
from rropt.core.exact.flint_numbers import as_fraction, flint_matrix, fractions_of
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.core.results.guesses import Guess
from rropt.symbolic.polytopes import vertices_of
from rropt.symbolic.rows import LevelRows, RationalLevel, edges, is_edge, level_entries, rational_levels, staircase_rows

Numbers = tuple[Fraction, ...]
Matrix = tuple[Numbers, ...]
Pair = tuple[int, ...]
Kind = Literal["covariance", "numbers", "polytope", "eigenvalue", "determinant"]

_KINDS: dict[str, Kind] = {
    "a-optimal": "covariance",
    "c-optimal": "covariance",
    "contrasts": "covariance",
    "conditional-variance": "numbers",
    "e-optimal": "eigenvalue",
    "d-optimal": "determinant",
}
_DIGITS = 14  # significant ones of a guess: those of its float
_MOST_ROWS = 20_000  # of the inequality (1)
MOST_CATEGORIES = {"one level": 14, "delta": 5, "several levels": 4}
WIDEST = Fraction(1, 10**5)
"""Relative width from which an enclosure is too wide: the solver failed, or prices and design contradict each other."""


@dataclass(frozen=True)
class Asked:
    """A design problem in numbers, read from its JSON.

    Attributes:
        kind: which bound of the module proves it.
        below, above: rational levels around those of the problem; the same if they are rational.
        targets: C, shape (q, k); the numbers x in one row; the identity for E and D.
        populations: the distribution of the categories, or the vertices of the polytope.
    """

    kind: Kind
    below: tuple[RationalLevel, ...]
    above: tuple[RationalLevel, ...]
    targets: Matrix
    populations: Matrix

    @property
    def k(self) -> int:
        """The number of categories."""
        return len(self.populations[0])

    @property
    def has_one_level(self) -> bool:
        """Whether one level for all pairs is the only condition."""
        return len(self.above) == 1 and len(self.above[0].pairs) == self.k * (self.k - 1)

    @cached_property
    def rows(self) -> Sequence[Numbers]:
        """The edges of the cells at the levels above, for which (1) is proved.

        Raises:
            UnsupportedProblemError: there are too many.
        """
        if self.has_one_level:
            (level,) = self.above
            named: Sequence[Any] = edges(self.k) if level.delta else staircase_rows(self.k)
        else:
            pairs = [level.pairs for level in self.above]
            gammas = [level.gamma for level in self.above]
            named = LevelRows(self.k, gammas, pairs, [not level.delta for level in self.above]).listed()
        return [entries(row, self.above) for row in named]

    @classmethod
    def read(cls, data: dict[str, Any]) -> Asked:
        """Read a problem.

        Raises:
            UnsupportedProblemError: it has no enclosure; the message says why.
        """
        region, objective = data["region"], data["objective"]
        kind = _KINDS.get(objective["kind"])
        if kind is None:
            raise UnsupportedProblemError(f"no enclosure is written for the objective {objective['kind']}")
        if region["kind"] not in ("differential-privacy", "privacy-levels"):
            raise UnsupportedProblemError("no enclosure is written for this region")
        if region.get("outputs", "any") != "any":
            raise UnsupportedProblemError("not convex with a given number of outputs: no dual proves a bound")
        k = int(region["inputs"])
        below, above = rational_levels(region, "lower"), rational_levels(region, "upper")
        is_listed = region["kind"] == "privacy-levels"
        if k > MOST_CATEGORIES["several levels" if is_listed else "delta" if above[0].delta else "one level"]:
            raise UnsupportedProblemError(f"the enclosure of k = {k} categories takes too long")
        given = data["population"]
        populations = _populations(given, k)
        if len(populations) > 1 or (isinstance(given, dict) and "uniform" not in given):
            kind = "polytope"
        return cls(kind, below, above, _targets(objective, k), populations)


def _populations(given: Any, k: int) -> Matrix:
    if isinstance(given, dict) and "uniform" in given:
        return ((Fraction(1, k),) * k,)
    return vertices_of(given, k) if isinstance(given, dict) else (tuple(rational(p) for p in given),)


def _targets(objective: dict[str, Any], k: int) -> Matrix:
    lines = objective.get("contrasts") or ([objective["contrast"]] if "contrast" in objective else None)
    if lines is None:
        return tuple(tuple(Fraction(int(i == j)) for j in range(k)) for i in range(k))
    return tuple(tuple(rational(x) for x in line) for line in lines)


@dataclass(frozen=True)
class Enclosure:
    """Bounds of the optimum that a private design and a witness prove.

    ``check`` computes everything again from the problem, the design and the witness.

    Attributes:
        asked: the problem.
        design: the rows of a private mechanism.
        estimates: T, the unbiased estimates at each row: ``T P = C``; for the worst case only.
        centre: y, the point of the tangent of ``-|C pi|^2``; for the worst case over a polytope only.
        mixture: q as a mixture of the vertices of the polytope, or of the categories; of one distribution (1,).
        directions: G, shape (k, q).
        prices: y.
        pair_prices: z by pair (j, l); under several levels by level and pair (n, j, l).
        lower, upper: the bounds of the optimum; of D-optimality rounded outwards to 40 digits.
    """

    asked: Asked
    design: Matrix
    estimates: Matrix
    centre: Numbers
    mixture: Numbers
    directions: Matrix
    prices: Numbers
    pair_prices: tuple[tuple[Pair, Fraction], ...]
    lower: Fraction
    upper: Fraction

    @property
    def prior(self) -> Numbers:
        """q, the distribution of the witness."""
        return tuple(_dot(self.mixture, column) for column in zip(*_corners(self.asked), strict=True))

    @property
    def width(self) -> Fraction:
        """The width of the bounds relative to their size; that of a logarithm is absolute."""
        size = Fraction(1) if self.asked.kind == "determinant" else max(abs(self.lower), abs(self.upper))
        return (self.upper - self.lower) / size if size else Fraction(0)

    def check(self) -> None:
        """Prove the bounds again, in fractions.

        Raises:
            RouteDisagreementError: the design is not private, the witness violates (1), or a bound is another one.
        """
        if excess(self.design, self.asked.below) > 0:
            raise RouteDisagreementError("the design of the enclosure violates a condition")
        asked, z = self.asked, dict(self.pair_prices)
        if len(self.mixture) != len(_corners(asked)) or sum(self.mixture) != 1 or min(self.mixture) < 0:
            raise RouteDisagreementError("the distribution of the enclosure is not in the polytope of the problem")
        if min(z.values(), default=Fraction(0)) < 0 or _violation(asked, self) > 0:
            raise RouteDisagreementError("the witness of the enclosure violates its inequality")
        attained = _attained(asked, self.design, self.prior, self.estimates, self.centre)
        proved = _proved(asked, self.prior, self.directions, self.prices, self.pair_prices)
        if (self.lower, self.upper) != ((attained, proved) if asked.kind == "determinant" else (proved, attained)):
            raise RouteDisagreementError("a bound of the enclosure is not the one that it proves")


def enclosure(data: dict[str, Any], guess: Guess) -> Enclosure:
    """Return exact bounds of the optimum of a problem.

    Args:
        data: the problem as JSON.
        guess: what a solver found.

    Raises:
        UnsupportedProblemError: the problem has no enclosure, or the guess is of no use.
    """
    asked = Asked.read(data)
    columns = len(asked.targets) if asked.kind in ("covariance", "numbers", "polytope") else None
    shapes = {len(line) for line in guess.directions}
    if len(guess.directions) != asked.k or len(guess.prices) != asked.k or (columns and shapes != {columns}):
        raise RouteDisagreementError("the prices of the solver have another shape than the problem")
    if asked.has_one_level and not all(is_edge(row, has_delta=asked.above[0].delta > 0) for row in guess.rows):
        raise RouteDisagreementError("the solver has weight on a row that is no edge of the cells")
    mixture = _mixture(asked, guess.mixture)
    design = private_design(asked, guess)
    directions = _rounded_matrix(guess.directions)
    if asked.kind == "eigenvalue":
        directions = _without_sums(directions)
    z = tuple((pair, max(Fraction(0), price)) for pair, price in _rounded_pairs(guess.pair_prices))
    estimates = _unbiased(asked, guess, design, mixture)
    draft = Enclosure(
        asked,
        design,
        estimates,
        _rounded(guess.centre),
        mixture,
        directions,
        _rounded(guess.prices),
        z,
        Fraction(0),
        Fraction(0),
    )
    prior, worst = draft.prior, max(_violation(asked, draft), Fraction(0))
    prices = tuple(y + worst * q for y, q in zip(draft.prices, prior, strict=True))
    proved, attained = (
        _proved(asked, prior, directions, prices, z),
        _attained(asked, design, prior, estimates, draft.centre),
    )
    lower, upper = (attained, proved) if asked.kind == "determinant" else (proved, attained)
    return Enclosure(asked, design, estimates, draft.centre, mixture, directions, prices, z, lower, upper)


# --- the design -------------------------------------------------------------------------------------------------------


def private_design(asked: Asked, guess: Guess) -> Matrix:
    """Return a mechanism near the guess that is private at the levels below, exactly.

    Rows that exceed a level with delta = 0 by rounding get a constant more. All rows are multiplied by a number just
    below 1, so that the sums of the columns leave room for one further row ``rest`` with ``rest_j <= gamma rest_l``,
    and for the excess of each pair.
    """
    gamma = min(level.gamma for level in asked.below)
    weights = _rounded(guess.weights)
    rows = [
        [max(w, Fraction(0)) * x for x in _lifted(entries(row, asked.below), asked.below)]
        for row, w in zip(guess.rows, weights, strict=True)
    ]
    if not rows:
        raise UnsupportedProblemError("the solver found no design")
    sums = [sum(column) for column in zip(*rows, strict=True)]
    if min(sums) <= 0:
        raise UnsupportedProblemError("the solver found no design")
    scale = 1 / max(sums)
    for level in asked.below:
        used = max(_excesses(rows, level), default=Fraction(0))
        if used * scale > level.delta:
            scale = level.delta / used
    least, most = (1 - scale * max(sums), 1 - scale * min(sums))  # of the rest
    if most > gamma * least:  # (1 - t) least' + t = ...: leave more room for every category
        # 1 - s min <= gamma (1 - s max)
        scale = min(scale, (gamma - 1) / (gamma * max(sums) - min(sums))) if gamma > 1 else Fraction(0)
    rest = [1 - scale * x for x in sums]
    made = [tuple(scale * x for x in row) for row in rows]
    return (*made, *([tuple(rest)] if any(rest) else []))


def _lifted(row: Numbers, levels: Sequence[RationalLevel]) -> Numbers:
    """Return a row plus the least constant by which it satisfies the conditions with delta = 0."""
    more = Fraction(0)
    for level in levels:
        for j, other in level.pairs if not level.delta else ():
            over = row[j] - level.gamma * row[other]
            if over > 0:
                if level.gamma == 1:
                    raise UnsupportedProblemError("a row of the solver is not equal where epsilon = 0")
                more = max(more, over / (level.gamma - 1))
    return tuple(x + more for x in row)


def _excesses(rows: Sequence[Sequence[Fraction]], level: RationalLevel) -> Iterable[Fraction]:
    for j, other in level.pairs:
        yield sum((max(Fraction(0), row[j] - level.gamma * row[other]) for row in rows), Fraction(0))


def excess(rows: Sequence[Sequence[Fraction]], levels: Sequence[RationalLevel]) -> Fraction:
    """Return by how much a matrix violates the conditions of a private mechanism: 0 if it satisfies them all."""
    negative = max(-min(row) for row in rows)
    sums = max(abs(sum(column) - 1) for column in zip(*rows, strict=True))
    over = max(max(_excesses(rows, level), default=Fraction(0)) - level.delta for level in levels)
    found: Fraction = max(negative, sums, over, Fraction(0))
    return found


def entries(row: Any, levels: Sequence[RationalLevel]) -> Numbers:
    """Return the entries of a row, whose exponents are one for each entry, or one for each entry and level."""
    names = [None if x is None else (x,) if isinstance(x, int) else x for x in row]
    return tuple(level_entries(tuple(names), [level.gamma for level in levels]))


def _attained(asked: Asked, design: Matrix, prior: Numbers, estimates: Matrix, centre: Numbers) -> Fraction:
    """Return the value of the design by the definition; of E an upper bound of it, of D a lower bound."""
    kind = asked.kind
    if kind in ("numbers", "polytope"):
        return _worst(asked, design, estimates, centre)
    information = _information(design, prior)
    if kind == "determinant":
        return _log(as_fraction(flint_matrix(information).det())).lower
    solved = _solved(information, tuple(zip(*asked.targets, strict=True)))
    if kind == "eigenvalue":
        return _largest_eigenvalue(solved, prior)
    return _trace(asked.targets, solved) - sum((_dot(line, prior) ** 2 for line in asked.targets), Fraction(0))


def _worst(asked: Asked, design: Matrix, estimates: Matrix, centre: Numbers) -> Fraction:
    """Return the largest variance of unbiased estimates: over the numbers, or of its tangent over a polytope."""
    columns = list(zip(*design, strict=True))
    for target, own in zip(asked.targets, zip(*estimates, strict=True), strict=True):
        if any(_dot(column, own) != x for column, x in zip(columns, target, strict=True)):
            raise RouteDisagreementError("the estimates of the enclosure are biased")
    second = [_dot(column, [_dot(line, line) for line in estimates]) for column in columns]  # E|T|^2 by category
    if asked.kind == "numbers":
        return max(one - x * x for one, x in zip(second, asked.targets[0], strict=True))
    along = [_dot(centre, column) for column in zip(*asked.targets, strict=True)]
    return max(_dot(pi, second) - 2 * _dot(pi, along) for pi in asked.populations) + _dot(centre, centre)


def _unbiased(asked: Asked, guess: Guess, design: Matrix, mixture: Numbers) -> Matrix:
    """Return exactly unbiased estimates near the guess: ``T_i + c.p_i/(p_i.q)`` where ``M c`` is the bias."""
    if asked.kind not in ("numbers", "polytope"):
        return ()
    prior = tuple(_dot(mixture, column) for column in zip(*_corners(asked), strict=True))
    near = [tuple(map(_near, line)) for line in guess.estimates]
    near += [(Fraction(0),) * len(asked.targets)] * (len(design) - len(near))
    columns = list(zip(*design, strict=True))
    bias = tuple(
        tuple(target[j] - _dot(column, own) for target, own in zip(asked.targets, zip(*near, strict=True), strict=True))
        for j, column in enumerate(columns)
    )
    change = list(zip(*_solved(_information(design, prior), bias), strict=True))
    means = [_dot(row, prior) for row in design]
    return tuple(
        tuple(t + _dot(c, row) / mean for t, c in zip(line, change, strict=True))
        for line, row, mean in zip(near, design, means, strict=True)
    )


def _information(design: Matrix, prior: Numbers) -> Matrix:
    k = len(prior)
    total = [[Fraction(0)] * k for _ in range(k)]
    for row in design:
        mean = _dot(row, prior)
        if not any(row):
            continue
        if not mean:
            raise UnsupportedProblemError("an output has probability 0 at these proportions")
        for i in range(k):
            part = row[i] / mean
            for j in range(i, k):
                total[i][j] += part * row[j]
    return tuple(tuple(total[min(i, j)][max(i, j)] for j in range(k)) for i in range(k))


def _solved(information: Matrix, targets: Matrix) -> Matrix:
    """Return a solution Z of ``M Z = C^T``."""
    k = len(information)
    both = flint_matrix([[*line, *more] for line, more in zip(information, targets, strict=True)])
    reduced, rank = both.rref()
    lines = fractions_of(reduced)
    found = [[Fraction(0)] * len(targets[0]) for _ in range(k)]
    for line in lines[:rank]:
        first = next(j for j, x in enumerate(line) if x)
        if first >= k:
            raise UnsupportedProblemError("the design does not identify what is estimated")
        found[first] = list(line[k:])
    return tuple(map(tuple, found))


def _largest_eigenvalue(inverse: Matrix, prior: Numbers) -> Fraction:
    """Return an upper bound of the largest eigenvalue of ``M^-1 - q q^T``; it is proved, not only computed."""
    from mpmath import mp, mpf

    k = len(prior)
    V = [[inverse[i][j] - prior[i] * prior[j] for j in range(k)] for i in range(k)]
    with mp.workdps(40):
        top = max(
            mp.eigsy(mp.matrix([[mpf(x.numerator) / x.denominator for x in line] for line in V]), eigvals_only=True)
        )
        guess = Fraction(str(mp.nstr(top, 30)))
    room = abs(guess) / 10**25 or Fraction(1, 10**25)
    for _ in range(20):
        bound = guess + room
        if _is_positive([[(bound if i == j else 0) - V[i][j] for j in range(k)] for i in range(k)]):
            return bound
        room *= 10
    raise ArithmeticError("no bound of the eigenvalues was proved")


def _is_positive(matrix: list[list[Any]]) -> bool:
    """Return whether a symmetric matrix is positive definite: all pivots are positive."""
    rows = [list(map(Fraction, line)) for line in matrix]
    for i in range(len(rows)):
        if rows[i][i] <= 0:
            return False
        for other in range(i + 1, len(rows)):
            factor = rows[other][i] / rows[i][i]
            if factor:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[i], strict=True)]
    return True


# --- the witness ------------------------------------------------------------------------------------------------------


def _proved(asked: Asked, prior: Numbers, directions: Matrix, prices: Numbers, pair_prices: Any) -> Fraction:
    """Return the bound of every private mechanism that prices with (1) prove."""
    paid = sum(prices, Fraction(0)) + sum((_level_of(asked, pair).delta * z for pair, z in pair_prices), Fraction(0))
    if asked.kind == "determinant":
        root = as_fraction(flint_matrix(directions).det())
        if not root or paid <= 0:
            raise UnsupportedProblemError("the prices of the information are singular")
        return _log((paid / asked.k) ** asked.k / root**2).upper
    if asked.kind == "eigenvalue":
        if paid <= 0:
            raise UnsupportedProblemError("the prices are no use")
        if any(sum(column) for column in zip(*directions, strict=True)):
            raise RouteDisagreementError("the prices of the enclosure are no contrasts")
        return sum((x * x for line in directions for x in line), Fraction(0)) / paid
    means = [_dot(line, prior) for line in asked.targets]
    centred = tuple(tuple(x - mean for x in line) for line, mean in zip(asked.targets, means, strict=True))
    gain = 2 * _trace(centred, directions) - paid
    return gain - (sum(p * x * x for p, x in zip(prior, centred[0], strict=True)) if asked.kind == "numbers" else 0)


def _level_of(asked: Asked, pair: Pair) -> RationalLevel:
    """Return the level of the condition of a pair (j, l), or of (n, j, l) under several levels."""
    n, *own = pair if len(pair) == 3 else (0, *pair)
    if n >= len(asked.above) or tuple(own) not in asked.above[n].pairs:
        raise RouteDisagreementError("the enclosure has a price of a pair without a condition")
    return asked.above[n]


def _violation(asked: Asked, own: Enclosure) -> Fraction:
    """Return the largest ``|G^T r|^2/(r.q) - y.r - ...`` over the rows, for rows with ``r.q = 1``."""
    G, scale = _whole(own.directions)
    columns = list(zip(*G, strict=True))
    q, q_scale = _whole([own.prior])
    y, y_scale = _whole([own.prices])
    z, z_scale = _whole([[price for _, price in own.pair_prices]]) if own.pair_prices else ([[]], 1)
    pairs = [(pair[-2:], _level_of(asked, pair).gamma) for pair, _ in own.pair_prices]
    worst = None
    for entries_of_row in asked.rows:
        (r,), _ = _whole([entries_of_row])
        mean = sum(a * b for a, b in zip(r, q[0], strict=True))
        square = sum(sum(a * b for a, b in zip(r, column, strict=True)) ** 2 for column in columns)
        paid = Fraction(sum(a * b for a, b in zip(r, y[0], strict=True)), y_scale)
        for ((j, other), gamma), price in zip(pairs, z[0], strict=True):
            over = r[j] - gamma * r[other]
            if price and over > 0:
                paid += Fraction(price, z_scale) * over
        if not mean:  # no information is in it, and it must not lower what the other rows may cost
            if square or paid < 0:
                raise UnsupportedProblemError("a row has probability 0 at these proportions")
            continue
        due = Fraction(square * q_scale, mean * scale**2)
        found = (due - paid) * q_scale / mean
        worst = found if worst is None or found > worst else worst
    assert worst is not None
    return worst


def _mixture(asked: Asked, guess: Sequence[float]) -> Numbers:
    """Return the weights of the corners of the witness's distribution, near the guess, with the sum 1."""
    parts = [max(Fraction(0), x) for x in _rounded(guess)]
    if len(parts) != len(_corners(asked)) or not sum(parts):
        raise UnsupportedProblemError("the solver found no least favourable distribution")
    return tuple(x / sum(parts) for x in parts)


def _corners(asked: Asked) -> Matrix:
    """Return the distributions whose mixtures may be that of the witness."""
    if asked.kind != "numbers":
        return asked.populations
    return tuple(tuple(Fraction(int(i == j)) for j in range(asked.k)) for i in range(asked.k))


def _without_sums(directions: Matrix) -> Matrix:
    """Return the matrix whose last row is changed, so that its columns have the sum 0."""
    last = tuple(-sum(column, Fraction(0)) for column in zip(*directions[:-1], strict=True))
    return (*directions[:-1], last)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _near(x: float) -> Fraction:
    return Fraction(x).limit_denominator(10**_DIGITS)


def _rounded(numbers: Sequence[float]) -> Numbers:
    """Return fractions near floats, with a common denominator and ``_DIGITS`` digits of the largest one."""
    return _rounded_matrix([numbers])[0]


def _rounded_matrix(matrix: Sequence[Sequence[float]]) -> Matrix:
    exact = [[Fraction(float(x)) for x in line] for line in matrix]
    largest = max((abs(x) for line in exact for x in line), default=Fraction(0))
    if not largest:
        return tuple(map(tuple, exact))
    digits = _DIGITS + 1 - len(str(int(largest))) if largest >= 1 else _DIGITS + len(str(int(1 / largest)))
    unit = Fraction(10) ** digits
    return tuple(tuple(Fraction(round(x * unit)) / unit for x in line) for line in exact)


def _rounded_pairs(pairs: Sequence[tuple[Pair, float]]) -> list[tuple[Pair, Fraction]]:
    return list(zip([pair for pair, _ in pairs], _rounded([price for _, price in pairs]), strict=True))


def _whole(matrix: Sequence[Sequence[Fraction]]) -> tuple[list[list[int]], int]:
    """Return a matrix times its common denominator, and the denominator."""
    scale = lcm(*(x.denominator for line in matrix for x in line))
    return [[int(x * scale) for x in line] for line in matrix], scale


def _dot(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def _trace(targets: Matrix, columns: Matrix) -> Fraction:
    """Return ``tr C Z``."""
    return sum(
        (_dot(line, column) for line, column in zip(targets, zip(*columns, strict=True), strict=True)), Fraction(0)
    )


def _log(x: Fraction) -> Bracket:
    if x <= 0:
        raise UnsupportedProblemError("the information of the design is singular")
    from flint import ctx

    with ctx.workprec(256):
        return bracket(ball(x).log()).rounded_outwards(40)
