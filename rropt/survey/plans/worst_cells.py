"""The least precise cell of marginals of several questions, of all populations: exactly, question by question.

The unbiased estimate of cell x of the marginal of some questions has, with ``M_l = (A_l o A_l) C_l``,

    n Var = sum_z W(x, z) pi_z - pi_x^2,    W(x, z) = prod_l M_l[x_l, z_l].

At the worst population cell x has a share t and one other cell z the rest: the greatest ``t D + (1 - t) O - t^2`` of t
in [0, 1], ``D = W(x, x)``, ``O = W(x, z)``. That is ``D - 1`` where D exceeds O by 2 or more, else ``O + (D - O)^2/4``,
or O where D is below. It grows with D and with O, which are products over questions of numbers >= 0: of all cells, and
of all sets of k questions, only those count that no other dominates in both, and these are found question by question.

A bit has ``M = [[1 + u, v], [u, 1 + v]]``, ``u = p00 (1 - p00)/d^2``, ``v = p11 (1 - p11)/d^2``, d = p00 + p11 - 1.
Of k equal bisymmetric bits ``D = (1 + u)^k``, ``O = u (1 + u)^(k - 1)``: the worst n Var is ``u + 1/4`` for k = 1,
and ``(1 + u)^k - 1`` as soon as ``(1 + u)^(k - 1) >= 2``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.question_inverses import inverses_of
from rropt.mechanisms.questions import chosen_questions
from rropt.mechanisms.vectors import size_text
from rropt.objectives.objective import exact_population
from rropt.survey.questions.tables import cell_variances, marginal_of

_MOST_POINTS = 4096  # that do not dominate each other; bits have two for each question
_MOST_CELLS = 1 << 18  # of all marginals at a population that is given: exact, a second or two

Population = str | Sequence[object] | None


class _Point(NamedTuple):
    """Two products over questions that are to be large, and which questions.

    ``apart``: whether z differs from x in one of them.
    """

    first: Fraction
    second: Fraction
    apart: bool
    questions: tuple[int, ...]


_NOTHING = _Point(Fraction(1), Fraction(1), False, ())  # no question, x = z
Join = Callable[[_Point, _Point], tuple[Fraction, Fraction]]


def worst_of_all(product: ProductMechanism, population: Population) -> Fraction:
    """Return n Var of the least precise cell of the joint distribution of all questions.

    Args:
        product: the devices.
        population: ``None`` for the worst one, ``"uniform"``, or the share of each combination of answers.
    """
    if population is None or isinstance(population, str):
        count = len(product.factors)
        points = _maximal_points(_options(product, population, count), count, every=False)[-1]
        return max(_value(point, population) for point in points)
    _require_some_cells(product.inputs)
    return max(cell_variances(product, exact_population(population, product.inputs)))


def worst_by_order(
    product: ProductMechanism, most: int, population: Population
) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Return n Var of the least precise cell of all marginals of 1, 2, ..., ``most`` questions, and its questions."""
    if population is None or isinstance(population, str):
        points = _maximal_points(_options(product, population, most), most)
        return [
            max(((_value(point, population), point.questions) for point in front), key=lambda pair: pair[0])
            for front in points[1:]
        ]
    cells, sizes = exact_population(population, product.inputs), [device.inputs for device in product.factors]
    _require_some_cells(sum(comb(len(sizes), k) * max(sizes) ** k for k in range(1, most + 1)))
    found = []
    for k in range(1, most + 1):
        tables = []
        for chosen in combinations(range(len(sizes)), k):
            devices = ProductMechanism([product.factors[question] for question in chosen])
            shares = marginal_of(cells, sizes, chosen)
            tables.append((max(cell_variances(devices, tuple(shares))), chosen))
        found.append(max(tables, key=lambda pair: pair[0]))
    return found


def _require_some_cells(cells: int) -> None:
    """Raise where the marginals at a population that is given have too many cells."""
    if cells > _MOST_CELLS:
        raise UnsupportedProblemError(
            f"the marginals have too many cells at a population that is given: received {size_text(cells)}; at most "
            f"{_MOST_CELLS} are looked at; leave the population out for the worst one, or write uniform"
        )


def population_words(population: Population) -> str:
    """Return at which population a variance is taken, in words."""
    return {None: "at the worst population", "uniform": "at the uniform population"}.get(
        population if population is None or isinstance(population, str) else "", "at the population given"
    )


def _options(product: ProductMechanism, population: str | None, most: int) -> list[list[_Point]]:
    """Return of each question what a cell x and another cell z contribute to a product: of equal ones, of ``most``."""
    if population not in (None, "uniform"):
        raise InvalidParameterError(
            f"the population is not understood: received {shown(population)}; allowed are uniform, or the share of "
            "each combination of answers"
        )
    places: dict[Mechanism, list[int]] = {}
    for question, device in enumerate(product.factors):
        places.setdefault(device, []).append(question)
    found = []
    inverses = dict(zip(product.factors, inverses_of(product.factors), strict=True))
    for device, questions in places.items():
        columns = list(zip(*device.matrix, strict=True))
        moments = [
            [sum((a * a * p for a, p in zip(row, column, strict=True)), Fraction(0)) for column in columns]
            for row in inverses[device]
        ]
        pairs = list(_pairs(moments, population))
        found += [(q, [_Point(*pair, (q,)) for pair in pairs]) for q in questions[:most]]
    return [points for _, points in sorted(found)]


def _pairs(moments: Sequence[Sequence[Fraction]], population: str | None) -> Iterator[tuple[Fraction, Fraction, bool]]:
    """Yield W(x, x) and W(x, z) of one question; at the uniform population the mean of W(x, .) and 1/pi_x."""
    k = len(moments)
    for x, row in enumerate(moments):
        if population is None:
            yield from ((row[x], row[z], z != x) for z in range(k))
        else:
            yield sum(row, Fraction(0)) / k, Fraction(k), True


def _value(point: _Point, population: str | None) -> Fraction:
    """Return n Var of the cell of a point: see this module."""
    if population is not None:
        return point.first - 1 / point.second**2
    step = point.first - point.second
    if not point.apart or step >= 2:  # z = x: a population of one cell
        return point.first - 1
    return point.second + step**2 / 4 if step > 0 else point.second


def _multiplied(a: _Point, b: _Point) -> tuple[Fraction, Fraction]:
    return a.first * b.first, a.second * b.second


def _maximal_points(
    options: Sequence[Sequence[_Point]],
    most: int,
    *,
    join: Join = _multiplied,
    every: bool = True,
    start: _Point = _NOTHING,
) -> list[list[_Point]]:
    """Return for 0, 1, ..., ``most`` questions the products that no other dominates; only for all if not ``every``."""
    fronts: list[list[_Point]] = [[start], *([] for _ in range(most))]
    for listed in options:
        for count in range(most, 0, -1):
            longer = [
                _Point(*join(point, option), point.apart or option.apart, point.questions + option.questions)
                for point in fronts[count - 1]
                for option in listed
            ]
            fronts[count] = _undominated([*fronts[count], *longer] if every else longer)
        if not every:
            fronts[0] = []
    return fronts


def _undominated(points: Iterable[_Point]) -> list[_Point]:
    """Return the points that no other exceeds in both numbers, of those that are apart and of the others."""
    kept: list[_Point] = []
    best: dict[bool, Fraction] = {}
    for point in sorted(points, key=lambda point: point[:2], reverse=True):
        if point.apart not in best or point.second > best[point.apart]:
            best[point.apart] = point.second
            kept.append(point)
    if len(kept) > _MOST_POINTS:
        raise UnsupportedProblemError(
            f"the worst cell of these questions is not found: received more than {_MOST_POINTS} products of which none "
            "dominates another; plan for fewer questions"
        )
    return kept


def squared_range(product: ProductMechanism, questions: int | Sequence[int] | None) -> Fraction:
    """Return the square of the largest range of a row of A, the product of the left inverses, for a marginal.

    The row of one question lies in [-b, a], a >= 1, b >= 0; of two in ``[-max(a b', b a'), max(a a', b b')]``.
    """

    def join(one: _Point, other: _Point) -> tuple[Fraction, Fraction]:
        same, crossed = one.first * other.first, one.first * other.second
        return max(same, one.second * other.second), max(crossed, one.second * other.first)

    count = len(product.factors)
    chosen = range(count) if isinstance(questions, int) else chosen_questions(count, questions)
    devices = [product.factors[question] for question in chosen]
    options = [[_Point(max(row), -min(row), True, ()) for row in rows] for rows in inverses_of(devices)]
    order = questions if isinstance(questions, int) else len(devices)
    start = _Point(Fraction(1), Fraction(0), True, ())
    points = _maximal_points(options, order, join=join, every=isinstance(questions, int), start=start)[-1]
    return max(point.first + point.second for point in points) ** 2
