"""Sample sizes for several questions: the n that marginals need, and the marginals that n respondents allow.

The largest n Var of a cell, over all distributions of the categories, is an exact number. The least n is therefore an
exact ceiling. The code finds the worst cell question by question, as follows.

1. Let A_l be the left inverse and C_l the matrix of question l. The unbiased estimate of cell x of the marginal of some
   questions has, with ``M_l = (A_l o A_l) C_l``,

       n Var = sum_z W(x, z) pi_z - pi_x^2,    W(x, z) = prod_l M_l[x_l, z_l].

2. At the worst distribution, cell x has proportion t and one other cell z has proportion 1 - t. Let ``D = W(x, x)`` and
   ``O = W(x, z)``. The worst n Var is the maximum of ``t D + (1 - t) O - t^2`` over t in [0, 1].
3. This maximum is ``D - 1`` if ``D - O >= 2``, it is ``O + (D - O)^2/4`` if ``0 <= D - O <= 2``, and it is O if
   ``D <= O``. It is nondecreasing in D and in O.
4. D and O are products over the questions of nonnegative numbers. It is therefore enough to consider pairs (D, O) that
   no other pair dominates in both numbers. This applies to all cells, and to all sets of k questions. The undominated
   pairs are found question by question.

A binary question has ``M = [[1 + u, v], [u, 1 + v]]`` with ``u = p00 (1 - p00)/d^2``, ``v = p11 (1 - p11)/d^2`` and
``d = p00 + p11 - 1``. For k equal symmetric binary questions (p00 = p11), ``D = (1 + u)^k`` and
``O = u (1 + u)^(k - 1)``. The worst n Var is ``u + 1/4`` for k = 1, and ``(1 + u)^k - 1`` if ``(1 + u)^(k - 1) >= 2``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

from rropt.answers.response_counts import answer_count
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational_where
from rropt.core.exact.numbers import square_root, whole_where
from rropt.core.results import Result, labelled, plain_lines
from rropt.core.visible import size_text
from rropt.inference.contingency_tables import cell_variances, marginal_of
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.columns import exact_population
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.question_selection import chosen_questions, product_of

Population = str | Sequence[object] | None


_MOST_POINTS = 4096  # the largest number of undominated pairs; binary questions have two for each question
_MOST_CELLS = 1 << 18  # of all marginals at a given distribution: exact, a second or two
_MOST_ORDER = 64  # questions of a marginal: its n Var is a product of as many factors


@dataclass(frozen=True, slots=True)
class AffordableOrder(Result):
    """The largest k for which every marginal of at most k questions is as precise as required.

    Attributes:
        order: k; 0 if not even every single question is precise enough.
        n: the number of respondents.
        variances: for marginals of 1, 2, ..., k + 1 questions, the exact n Var of the least precise cell.
        worst: the questions of the marginals that contain these cells.
        taken: text that names the distribution at which the variances are computed.
    """

    order: int
    n: int
    variances: tuple[Fraction, ...]
    worst: tuple[tuple[int, ...], ...]
    taken: str

    ANSWER = ("order", "n", "standard_errors")
    LABELS = labelled(
        order="largest k",
        n="respondents",
        standard_errors="standard errors of the worst cells, k = 1, 2, ...",
        variances="n Var of them",
        worst="of the questions",
        taken="taken",
    )

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The standard errors of the worst cells from n respondents, for 1, 2, ... questions."""
        return tuple(square_root(variance / self.n) for variance in self.variances)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table; semicolons separate the sets of questions."""
        sets = "; ".join(", ".join(map(str, each)) for each in self.worst)
        return [(what, sets if what == "of the questions" else text) for what, text in plain_lines(self)]


def marginal_variance(
    mechanism: Mechanism, questions: int | Sequence[int] | None = None, *, population: Population = None
) -> Fraction:
    """Return n times the exact variance of the least precise cell of a marginal.

    Args:
        mechanism: a product mechanism, or the device of one question.
        questions: the questions of the marginal, or a number k for the least precise marginal of k questions. ``None``
            stands for all questions.
        population: ``None`` for the worst case, ``"uniform"``, or the proportion of each combination of answers to the
            named questions (to all questions if k is given), little-endian.

    Raises:
        InvalidParameterError: the questions or the distribution do not fit the mechanism.
        InfeasibleError: a device does not identify its question.
        UnsupportedProblemError: there are too many cells, or too many undominated pairs.

    >>> from rropt.mechanisms import named_mechanism
    >>> [str(marginal_variance(named_mechanism("bits:3/4*3"), k)) for k in (1, 2, 3)]
    ['1', '133/64', '279/64']
    """
    return largest_cell_variance(product_of(mechanism), questions, population)[0]


def affordable_order(
    mechanism: Mechanism, n: object, variance: object, *, population: Population = None
) -> AffordableOrder:
    """Return the largest k for which all cells of all marginals of at most k questions have at most this variance.

    Args:
        mechanism: a product mechanism.
        n: the number of respondents.
        variance: the largest allowed variance of a cell, positive; for a standard error, give its square.
        population: the distribution over all questions, as for ``marginal_variance``.

    >>> from rropt.mechanisms import named_mechanism
    >>> afforded = affordable_order(named_mechanism("bits:3/4*20"), 100_000, "1/1000")
    >>> afforded.order, [str(x) for x in afforded.variances[:3]]
    (8, ['1', '133/64', '279/64'])
    """
    product, total = product_of(mechanism), answer_count(n, "n", least=1)
    most = rational_where(variance, lambda x: x > 0, "a number > 0", name="variance") * total
    questions, found, first = len(product.factors), [], 8
    while True:
        orders = min(first, questions, _MOST_ORDER)
        found = worst_by_order(product, range(1, orders + 1), population)
        order = next((k for k, (value, _) in enumerate(found) if value > most), orders)
        if order < orders or orders == questions:
            break
        if orders == _MOST_ORDER:
            raise UnsupportedProblemError(
                f"marginals of more than {_MOST_ORDER} questions are afforded: received {total} respondents for a "
                f"variance of {most / total}; ask for less, or for the questions that matter"
            )
        first *= 2
    variances, sets = zip(*found[: order + 1], strict=True)
    return AffordableOrder(order, total, variances, sets, population_words(population))


def largest_cell_variance(
    product: ProductMechanism,
    questions: int | Sequence[int] | None,
    population: Population,
    clustering: Fraction = Fraction(0),
) -> tuple[Fraction, str]:
    """Return n Var of the least precise cell, and text that names the cells and the distribution.

    With kappa = ``clustering``, n Var has the term ``kappa pi_x (1 - pi_x)`` too (``sample_conditions``).
    """
    count = len(product.factors)
    if isinstance(questions, int):
        questions = whole_where(questions, 1, min(count, _MOST_ORDER), name="the number of questions of a marginal")
        ((worst, _),) = worst_by_order(product, [questions], population, clustering)
        what = f"every marginal of {questions} of the {count} questions" if count > 1 else "the question"
        return worst, f"of every cell of {what} {population_words(population)}"
    chosen = chosen_questions(count, questions)
    if len(chosen) > _MOST_ORDER:
        raise UnsupportedProblemError(
            f"a marginal of {len(chosen)} questions is not planned: at most {_MOST_ORDER} questions are; name those "
            "that matter, or ask for all marginals of k questions"
        )
    devices = ProductMechanism([product.factors[question] for question in chosen])
    ((worst, _),) = worst_by_order(devices, [len(chosen)], population, clustering)
    named = ", ".join(map(str, chosen[:8])) + (", ..." if len(chosen) > 8 else "")
    one = f"question {named}" if count > 1 else "the question"
    what = one if len(chosen) == 1 else f"the joint distribution of the questions {named}"
    return worst, f"of every cell of {what} {population_words(population)}"


def marginal_cells(product: ProductMechanism, questions: int | Sequence[int] | None) -> int:
    """Return the number of cells of the marginal, or of all marginals of a number of questions."""
    sizes = [device.inputs for device in product.factors]
    if not isinstance(questions, int):
        return prod(sizes[question] for question in chosen_questions(len(sizes), questions))
    questions = whole_where(questions, 1, len(sizes), name="`questions`")
    if len(set(sizes)) > 1:
        raise InvalidParameterError(
            f"the marginals of {questions} questions have different numbers of cells: received questions with "
            f"{shown(sizes)} categories; name the questions of one marginal"
        )
    return int(sizes[0] ** questions) * comb(len(sizes), questions)


class _Point(NamedTuple):
    """A pair of products over questions that are both to be maximized: D and O, or the two ends of a range.

    Attributes:
        first, second: the two products.
        apart: whether the cells x and z differ in at least one of the questions.
        questions: the questions of the products.
    """

    first: Fraction
    second: Fraction
    apart: bool
    questions: tuple[int, ...]


_NOTHING = _Point(Fraction(1), Fraction(1), False, ())  # the empty product: no question, x = z
Join = Callable[[_Point, _Point], tuple[Fraction, Fraction]]


def worst_by_order(
    product: ProductMechanism, orders: Sequence[int], population: Population, clustering: Fraction = Fraction(0)
) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Return n Var of the worst cell of all marginals of so many questions, with the questions of each.

    Args:
        product: the devices.
        orders: consecutive numbers of questions of a marginal.
        population: ``None`` for the worst distribution, ``"uniform"``, or the proportion of each combination of
            answers.
        clustering: kappa of clusters of respondents.
    """
    sizes, most = [device.inputs for device in product.factors], orders[-1]
    if population is None or isinstance(population, str):
        every = orders[0] < len(sizes)  # otherwise only the joint distribution of all questions is asked for
        fronts = _maximal_points(_cell_factors(product, population, most), most, every=every)
        return [
            max(
                ((_cell_variance_of_point(point, population, clustering), point.questions) for point in front),
                key=lambda pair: pair[0],
            )
            for front in fronts[orders[0] :]
        ]
    largest, found = sorted(sizes, reverse=True), []
    if (count := sum(comb(len(sizes), k) * prod(largest[:k]) for k in orders)) > _MOST_CELLS:
        raise UnsupportedProblemError(
            f"the marginals have too many cells at a population that is given: received {size_text(count)}; at most "
            f"{_MOST_CELLS} are looked at; leave the proportions out for the worst ones, or write uniform"
        )
    cells = exact_population(population, product.inputs)
    for k in orders:
        tables = []
        for chosen in combinations(range(len(sizes)), k):
            devices = ProductMechanism([product.factors[question] for question in chosen])
            shares = marginal_of(cells, sizes, chosen)
            variances = zip(cell_variances(devices, tuple(shares)), shares, strict=True)
            tables.append((max(v + clustering * p * (1 - p) for v, p in variances), chosen))
        found.append(max(tables, key=lambda pair: pair[0]))
    return found


def population_words(population: Population) -> str:
    """Return text that names the distribution at which a variance is taken."""
    return {None: "at the worst distribution", "uniform": "at the uniform distribution"}.get(
        population if population is None or isinstance(population, str) else "", "at the given distribution"
    )


def _cell_factors(product: ProductMechanism, population: str | None, most: int) -> list[list[_Point]]:
    """Return for each question the factors that its cells x and z contribute to D and O.

    Equal questions beyond the first ``most`` are omitted.
    """
    if population not in (None, "uniform"):
        raise InvalidParameterError(
            f"`population` is not understood: received {shown(population)}; allowed are uniform, or "
            "the proportion of each combination of categories"
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
    """Yield W(x, x), W(x, z) and whether x != z, for all cells x and z of one question.

    At the uniform distribution, yield the mean of W(x, .), 1/pi_x and True.
    """
    k = len(moments)
    for x, row in enumerate(moments):
        if population is None:
            yield from ((row[x], row[z], z != x) for z in range(k))
        else:
            yield sum(row, Fraction(0)) / k, Fraction(k), True


def _cell_variance_of_point(point: _Point, population: str | None, clustering: Fraction) -> Fraction:
    """Return n Var of the cell that belongs to a pair: steps 2 and 3 of the module docstring.

    With kappa = ``clustering`` it is the maximum of ``t (D + kappa) + (1 - t) O - (1 + kappa) t^2``.
    """
    if population is not None:
        share = 1 / point.second
        return point.first - share**2 + clustering * share * (1 - share)
    step, scale = point.first + clustering - point.second, 1 + clustering
    if not point.apart or step >= 2 * scale:  # z = x, or t = 1: the worst distribution has a single cell
        return point.first - 1
    return point.second + step**2 / (4 * scale) if step > 0 else point.second


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
    """Return for 0, 1, ..., ``most`` questions the undominated pairs of products.

    If ``every`` is false, every product has a factor of every question, and only the last list is filled.
    """
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
    """Return the points that no other point exceeds in both numbers, separately for ``apart`` True and False."""
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

    The entries of a row of one question lie in [-b, a] with a >= 1 and b >= 0. The entries of the product of two such
    rows lie in ``[-max(a b', b a'), max(a a', b b')]``.
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
