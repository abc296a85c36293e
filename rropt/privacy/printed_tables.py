"""The privacy of a printed table: of every matrix that rounds to it, and the posteriors at a prior.

A table that is printed with d digits stands for every matrix whose entries lie within half a unit of the last digit of
the printed ones, are at least 0, and sum to 1 in each column. Its columns are chosen independently of each other. So
the range of one entry is

    ``low_ij = max(a_ij, 1 - sum_(h != i) b_hj),  high_ij = min(b_ij, 1 - sum_(h != i) a_hj)``

with the ends a and b of the half units: each end is attained, since the other entries of its column, which move
between their own a and b, sum to what is left. Entries of *different* columns attain their ends at once. Therefore:

*The largest parity* is ``max_(i, j != l) high_ij/low_il``, infinite if such a low_il is 0 and high_ij is not.

*The least parity* is at least ``max_(i, j != l) low_ij/high_il``. This is not always attained: in a table of k-ary
response the other entries of a column sum to what its diagonal leaves, and they cannot all be at their upper ends. A
parity g is attained iff there are t_i with ``t_i <= p_ij <= g t_i`` for a matrix P of the box, a linear program. The
program is solved exactly at both ends of a bracket: at the upper end its solution is a matrix that attains the parity,
and at the lower end it has none.

*The largest delta* at gamma is the maximum over pairs j, l and sets S of outputs of ``high_j(S) - gamma low_l(S)``,
where ``high_j(S) = min(b_j(S), 1 - a_j(rest))`` is the largest probability of S in column j, and low_l(S) the least
one. *The least delta* is a linear program.

*Posteriors.* If a category has the prior q and the rest of the prior is on other categories, its largest posterior
after output i is ``q p_ij/(q p_ij + (1-q) p_il)``, with the category l that gives i the least probability. The largest
one over categories is that of any property with the prior q, since a property and its complement are then mixtures of
categories (Evfimievski, Gehrke and Srikant 2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import inf
from typing import Any, ClassVar

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon, as_text, both_texts, rational_where
from rropt.core.exact.display import decimal_text
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix, listed_rows, rows_of_numbers, text_rows
from rropt.mechanisms.decimals import decimal_of

MOST_DIGITS = 12
_MOST_OUTPUTS = 14  # for delta: all sets of outputs are compared
_MOST_ENTRIES = 2500
_MOST_EXCESSES = 4000
_WIDTH = Fraction(1, 10**12)  # relative width of the bracket of the least parity, where it is no ratio of two ends
_WITNESS_DIGITS = (6, 9, 12, 15, 20)  # more digits of a witness than the table has, tried in turn
_STEPS = 60  # halvings of floats: more than their digits
_LEVEL_DIGITS = 30  # of gamma for an irrational level
YES, NO, OPEN = "yes", "no", "the rounding decides"


@dataclass(frozen=True, slots=True)
class PrintedPrivacy(Result):
    """The privacy of every matrix that rounds to a printed table.

    Attributes:
        table: the entries as printed, shape (m, k); rows are outputs.
        digits: the number of digits after the point.
        least_parity: a lower bound of the parity of all these matrices.
        small_parity: the parity of ``most_private``, by at most 1e-12 of its size above the lower bound; None:
            infinite, for all these matrices.
        most_parity: the largest parity of such a matrix; None: infinite.
        most_private, least_private: matrices that round to the table and have these parities.
        level: the level that was asked about.
        delta: the delta that is allowed there.
        least_delta, most_delta: bounds of the smallest delta at the level over these matrices: each has at least
            ``least_delta`` and at most ``most_delta``, and both are attained up to 1e-12.
        meets: ``"yes"``: each of the matrices meets the level; ``"no"``: none does; ``"the rounding decides"``.
    """

    table: Matrix
    digits: int
    least_parity: Fraction
    small_parity: Fraction | None
    most_parity: Fraction | None
    most_private: Mechanism
    least_private: Mechanism
    level: Epsilon | None = None
    delta: Delta | None = None
    least_delta: Fraction | None = None
    most_delta: Fraction | None = None
    meets: str | None = None

    ANSWER = ("meets", "least_epsilon", "most_epsilon")
    LABELS: ClassVar[Mapping[str, str]] = labelled(
        meets="meets the level",
        least_epsilon="epsilon of these matrices, least",
        most_epsilon="epsilon of these matrices, largest",
        least_parity="least parity (gamma), lower bound",
        small_parity="least parity (gamma), of a matrix",
        most_parity="largest parity (gamma)",
        level="level asked about",
        delta="delta allowed there",
        least_delta="least delta there",
        most_delta="largest delta there",
        digits="digits that are printed",
        table="the table as printed",
        most_private="a matrix of the least parity that rounds to the table",
        least_private="a matrix of the largest parity that rounds to the table",
    )

    def lines(self) -> list[tuple[str, str]]:
        """Return the answer, both ends of epsilon and delta, and a matrix for each end."""
        rows = [] if self.meets is None else [("meets the level", f"{self.meets}: {self._asked()}")]
        least, most = (self._epsilon_text(each) for each in (self.least_epsilon, self.most_epsilon))
        rows.append(("epsilon of the matrices that round to it", f"{least} to {most}"))
        if self.least_delta is not None and self.most_delta is not None:
            ends = f"{decimal_text(self.least_delta, 9)} to {decimal_text(self.most_delta, 9)}"
            rows.append(("delta of them at this epsilon", ends))
        if self.small_parity is not None and self.least_parity != self.small_parity:
            rows.append(("parity of each of them, at least", both_texts(self.least_parity)))
        for words, made in (("most", self.most_private), ("least", self.least_private)):
            rows.append((f"a {words} private one", "\n".join("  ".join(row) for row in self._rows_of(made))))
        return rows

    def _rows_of(self, made: Mechanism) -> list[list[str]]:
        """Return the entries as they are: as decimals if they have few digits, else as fractions."""
        digits = self.digits + _WITNESS_DIGITS[-1]
        if any(10**digits % x.denominator for row in made.matrix for x in row):
            return text_rows(made.matrix)
        return [[decimal_of(x, digits).rstrip("0").removesuffix(".") for x in row] for row in made.matrix]

    def _asked(self) -> str:
        return f"epsilon = {self.level}, delta = {self.delta}, for every matrix that rounds to the table"

    @staticmethod
    def _epsilon_text(epsilon: Epsilon) -> str:
        return "infinite" if epsilon.is_infinite else decimal_text(epsilon.nats(15).lower, 9)

    @property
    def least_epsilon(self) -> Epsilon:
        """The level of the most private of these matrices."""
        return Epsilon.of_parity(self.small_parity)

    @property
    def most_epsilon(self) -> Epsilon:
        """The level of the least private of these matrices."""
        return Epsilon.of_parity(self.most_parity)


@dataclass(frozen=True, slots=True)
class Posterior(Result):
    """The posterior of one category at a prior.

    Attributes:
        category: j.
        least, most: its least and largest posterior over all outputs, and over the distributions of the other
            categories; of a printed table, over all matrices that round to it.
        least_output, most_output: the outputs that give them.
    """

    category: int
    least: Fraction
    most: Fraction
    least_output: int
    most_output: int


@dataclass(frozen=True, slots=True)
class Posteriors(Result):
    """The posteriors of the categories at a prior; the extreme ones are those of any property with this prior.

    Attributes:
        prior: the prior of the category, or of the property.
        categories: a posterior for each category.
    """

    prior: Fraction
    categories: tuple[Posterior, ...]

    ANSWER = ("prior", "least", "most")

    @property
    def most(self) -> Fraction:
        """The largest posterior of any property with this prior."""
        return max(each.most for each in self.categories)

    @property
    def least(self) -> Fraction:
        """The least posterior of any property with this prior."""
        return min(each.least for each in self.categories)

    def lines(self) -> list[tuple[str, str]]:
        """Return the extreme posteriors, and those of each category with the outputs that give them."""

        def told(x: Fraction) -> str:
            return decimal_text(x, 9)

        best = max(self.categories, key=lambda each: each.most)
        worst = min(self.categories, key=lambda each: each.least)
        rows = [
            ("prior", as_text(self.prior)),
            (
                "largest posterior of any property",
                f"{told(best.most)} (category {best.category}, output {best.most_output})",
            ),
            (
                "least posterior of any property",
                f"{told(worst.least)} (category {worst.category}, output {worst.least_output})",
            ),
        ]
        rows += [
            (
                f"posterior of category {each.category}",
                f"{told(each.least)} (output {each.least_output}) to {told(each.most)} (output {each.most_output})",
            )
            for each in self.categories
        ]
        return rows


class RoundedMatrices:
    """The matrices that round to a table: the ends of half units, and the range of each entry.

    Args:
        rows: the printed entries, rows are outputs.
        digits: the digits after the point; None: the entries are exact.

    Raises:
        InvalidMechanismError: no matrix with columns that sum to 1 rounds to the table.
        InvalidParameterError: an entry has more digits than are said.
    """

    def __init__(self, rows: Matrix, digits: int | None) -> None:
        half = Fraction(0) if digits is None else Fraction(1, 2 * 10**digits)
        if digits is not None:
            for i, row in enumerate(rows):
                for j, x in enumerate(row):
                    if (x * 10**digits).denominator != 1:
                        raise InvalidParameterError(
                            f"entry ({i}, {j}) has more digits than are printed: received {decimal_text(x, 15)} with "
                            f"printed = {digits}; say how many digits follow the point"
                        )
                    if x < 0:
                        raise InvalidMechanismError(
                            f"entry ({i}, {j}) is negative: received {decimal_text(x)}; probabilities are >= 0"
                        )
        self.m, self.k, self.half, self.digits = len(rows), len(rows[0]), half, digits or 0
        self.ends = [[(max(x - half, Fraction(0)), x + half) for x in row] for row in rows]
        sums = [tuple(sum(row[j][end] for row in self.ends) for end in (0, 1)) for j in range(self.k)]
        for j, (least, most) in enumerate(sums):
            if not least <= 1 <= most:
                raise InvalidMechanismError(
                    f"column {j} is no rounding of a distribution: with {digits} digits the entries sum to between "
                    f"{decimal_text(least, 9)} and {decimal_text(most, 9)}, and not to 1; say how many digits are "
                    "printed, or read the table with `transposed`"
                )
        self.low = [[max(a, 1 - (sums[j][1] - b)) for j, (a, b) in enumerate(row)] for row in self.ends]
        self.high = [[min(b, 1 - (sums[j][0] - a)) for j, (a, b) in enumerate(row)] for row in self.ends]

    def column(self, j: int, fixed: Mapping[int, Fraction]) -> list[Fraction]:
        """Return a column with some given entries within their ranges; the others start low and are raised in turn."""
        made = [fixed.get(i, row[j][0]) for i, row in enumerate(self.ends)]
        left = 1 - sum(made)
        for i, row in enumerate(self.ends):
            step = Fraction(0) if i in fixed else min(left, row[j][1] - made[i])
            made[i], left = made[i] + step, left - step
        return made

    def matrix(self, fixed: Mapping[tuple[int, int], Fraction]) -> Mechanism:
        """Return a mechanism of the box with given entries, at most one of each column."""
        columns = [self.column(j, {i: x for (i, at), x in fixed.items() if at == j}) for j in range(self.k)]
        return Mechanism([list(row) for row in zip(*columns, strict=True)])

    def middle(self) -> Mechanism:
        """Return the matrix whose entries divide their ranges in the ratio that the column leaves."""
        columns = []
        for j in range(self.k):
            ends = [row[j] for row in self.ends]
            least, most = sum(a for a, _ in ends), sum(b for _, b in ends)
            part = (1 - least) / (most - least) if least < most else Fraction(0)
            columns.append([a + part * (b - a) for a, b in ends])
        return Mechanism([list(row) for row in zip(*columns, strict=True)])

    def moves(self) -> list[list[Fraction]]:
        """Return how far each entry of a matrix of the box can be from that of the middle, shape (m, k)."""
        at = self.middle().matrix
        return [
            [max(high - x, x - low) for low, high, x in zip(*rows, strict=True)]
            for rows in zip(self.low, self.high, at, strict=True)
        ]

    def radius(self) -> Fraction:
        """Return how far a column of a matrix of the box can be from that of the middle, in total variation.

        It is at most the sum of all moves up, and that of all moves down.
        """
        at, found = self.middle().matrix, Fraction(0)
        for j in range(self.k):
            up = sum((high[j] - x[j] for high, x in zip(self.high, at, strict=True)), Fraction(0))
            down = sum((x[j] - low[j] for low, x in zip(self.low, at, strict=True)), Fraction(0))
            found = max(found, min(up, down))
        return found

    def pairs(self) -> Iterator[tuple[int, int, int]]:
        """Iterate over outputs i and ordered pairs of inputs j, l."""
        return ((i, j, other) for i in range(self.m) for j, other in permutations(range(self.k), 2))

    # --- parity

    def most_parity(self) -> tuple[Fraction | None, Mechanism]:
        """Return the largest parity, None if it is infinite, and a matrix that has it."""
        best: tuple[Fraction | None, tuple[int, int, int]] = (Fraction(1), (0, 0, self.k - 1))
        for i, j, other in self.pairs():
            above, below = self.high[i][j], self.low[i][other]
            if not below and above:
                best = (None, (i, j, other))
                break
            if below and best[0] is not None and above > best[0] * below:
                best = (above / below, (i, j, other))
        parity, (i, j, other) = best
        if parity == 1:
            return parity, self.matrix({})
        return parity, self.matrix({(i, j): self.high[i][j], (i, other): self.low[i][other]})

    def least_parity(self) -> tuple[Fraction, Mechanism | None]:
        """Return a lower bound of the parity of every matrix of the box, and a matrix of at most 1 + 1e-12 times it.

        The matrix is None if the parity is infinite in all of them.
        """
        floor = Fraction(1)
        for i, j, other in self.pairs():
            if self.low[i][j] and not self.high[i][other]:
                return floor, None
            if self.high[i][other]:
                floor = max(floor, self.low[i][j] / self.high[i][other])
        if (found := self._at_parity(floor)) is not None:
            return floor, found
        below, above = self._near(floor)
        while (found := self._at_parity(above)) is None:
            above *= 1 + _WIDTH
        while self._at_parity(below) is not None:
            below *= 1 - _WIDTH
        return max(below, floor), self._with_few_digits(found, max(below, floor) * (1 + _WIDTH))

    def _with_few_digits(self, found: Mechanism, most: Fraction) -> Mechanism:
        """Return a matrix of the box near another one, of parity at most ``most``, with as few digits as this allows.

        Entries are rounded down to a unit, and those that were no multiples are raised by one unit in turn until the
        column sums to 1. The ends of the box are multiples, so no entry leaves it.
        """
        for more in _WITNESS_DIGITS:
            scale = Fraction(10 ** (self.digits + more))
            columns = []
            for column in zip(*found.matrix, strict=True):
                units = [int(x * scale) for x in column]
                left = int(scale) - sum(units)
                for i, x in enumerate(column):
                    if left and units[i] != x * scale:
                        units[i], left = units[i] + 1, left - 1
                columns.append([each / scale for each in units])
            near = Mechanism([list(row) for row in zip(*columns, strict=True)])
            if (parity := near.parity()) is not None and parity <= most:
                return near
        return found

    def _near(self, floor: Fraction) -> tuple[Fraction, Fraction]:
        """Return numbers around the least parity by bisection in floats; nothing rests on them."""
        low, high = float(floor), 2.0 * float(floor)
        while high < inf and not self._seems_feasible(high):
            low, high = high, 2 * high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            low, high = (low, middle) if self._seems_feasible(middle) else (middle, high)
        digits = 10**14
        return Fraction(int(low * digits), digits) * (1 - _WIDTH / 3), Fraction(high) * (1 + _WIDTH / 3)

    def _seems_feasible(self, gamma: float) -> bool:
        """Return whether floats find t with ``sum_i max(low_ij, t_i) <= 1 <= sum_i min(high_ij, gamma t_i)``."""
        from scipy.optimize import linprog

        m, k = self.m, self.k
        low, high = (np.array([[float(x[end]) for x in row] for row in self.ends]) for end in (0, 1))
        size = m * k
        equal = np.zeros((k, size + m))
        rows = np.zeros((2 * size, size + m))
        for i, j in product(range(m), range(k)):
            at = i * k + j
            equal[j, at] = 1
            rows[at, at], rows[at, size + i] = 1, -gamma
            rows[size + at, at], rows[size + at, size + i] = -1, 1
        # the slack s: feasible iff the least one is 0
        found = linprog(
            np.r_[np.zeros(size + m), 1],
            A_ub=np.c_[rows, -np.ones(2 * size)],
            b_ub=np.zeros(2 * size),
            A_eq=np.c_[equal, np.zeros(k)],
            b_eq=np.ones(k),
            bounds=[*zip(low.ravel(), high.ravel(), strict=True), *[(0, 1)] * m, (None, None)],
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        return bool(found.status == 0 and found.fun <= 0)

    def _at_parity(self, gamma: Fraction) -> Mechanism | None:
        """Return a matrix of the box whose parity is at most gamma, or None if there is none, exactly."""
        from rropt.core.linear import Infeasible, ProgramBuilder, solve

        builder = ProgramBuilder("minimise")
        moves = [[builder.variable(f"p{i},{j}") for j in range(self.k)] for i in range(self.m)]
        least = [builder.variable(f"t{i}") for i in range(self.m)]
        for j in range(self.k):
            left = 1 - sum((row[j][0] for row in self.ends), Fraction(0))
            builder.row(f"sum {j}", {row[j]: 1 for row in moves}, "=", left)
        for (i, t), j in product(enumerate(least), range(self.k)):
            a, b = self.ends[i][j]
            builder.row("high", {moves[i][j]: 1}, "<=", b - a)
            builder.row("above", [(moves[i][j], 1), (t, -gamma)], "<=", -a)
            builder.row("below", {moves[i][j]: -1, t: 1}, "<=", a)
        found = solve(builder.build())
        if isinstance(found, Infeasible):
            return None
        return self._moved(moves, found.primal)

    def _moved(self, moves: Sequence[Sequence[int]], point: Sequence[Fraction]) -> Mechanism:
        return Mechanism([[self.ends[i][j][0] + point[at] for j, at in enumerate(row)] for i, row in enumerate(moves)])

    # --- delta

    def most_delta(self, gamma: Fraction) -> Fraction:
        """Return the largest ``sum_i max(0, p_ij - gamma p_il)`` over pairs and matrices of the box."""
        if self.m > _MOST_OUTPUTS:
            raise UnsupportedProblemError(
                f"delta of a printed table compares all sets of outputs: received {self.m} outputs; at most "
                f"{_MOST_OUTPUTS} are compared; ask for epsilon alone"
            )
        best = Fraction(0)
        for chosen in product((False, True), repeat=self.m):
            largest, least = self._of_set(chosen)
            best = max(best, *(largest[j] - gamma * least[other] for j, other in permutations(range(self.k), 2)))
        return best

    def _of_set(self, chosen: Sequence[bool]) -> tuple[list[Fraction], list[Fraction]]:
        """Return the largest and the least probability of a set of outputs in each column."""
        zero = Fraction(0)
        largest, least = [], []
        for j in range(self.k):
            inside = [row[j] for row, own in zip(self.ends, chosen, strict=True) if own]
            outside = [row[j] for row, own in zip(self.ends, chosen, strict=True) if not own]
            largest.append(min(sum((b for _, b in inside), zero), 1 - sum((a for a, _ in outside), zero)))
            least.append(max(sum((a for a, _ in inside), zero), 1 - sum((b for _, b in outside), zero)))
        return largest, least

    def least_delta(self, gamma: Fraction) -> Fraction:
        """Return the least delta at gamma over the matrices of the box, by a linear program that is solved exactly."""
        from rropt.core.linear import Infeasible, ProgramBuilder, solve

        excesses = self.m * self.k * (self.k - 1)
        if excesses > _MOST_EXCESSES:
            raise UnsupportedProblemError(
                f"delta of a printed table is a linear program: received {excesses} excesses; at most {_MOST_EXCESSES} "
                "are allowed; ask for epsilon alone"
            )
        builder = ProgramBuilder("minimise")
        moves = [[builder.variable(f"p{i},{j}") for j in range(self.k)] for i in range(self.m)]
        most = builder.variable("delta", cost=1)
        for j in range(self.k):
            left = 1 - sum((row[j][0] for row in self.ends), Fraction(0))
            builder.row(f"sum {j}", {row[j]: 1 for row in moves}, "=", left)
        for i, j in product(range(self.m), range(self.k)):
            a, b = self.ends[i][j]
            builder.row("high", {moves[i][j]: 1}, "<=", b - a)
        for j, other in permutations(range(self.k), 2):
            parts = []
            for i in range(self.m):
                excess = builder.variable(f"e{i},{j},{other}")
                parts.append(excess)
                floor = gamma * self.ends[i][other][0] - self.ends[i][j][0]
                builder.row("excess", [(moves[i][j], 1), (moves[i][other], -gamma), (excess, -1)], "<=", floor)
            builder.row("total", {most: -1, **dict.fromkeys(parts, 1)}, "<=", 0)
        found = solve(builder.build())
        assert not isinstance(found, Infeasible)  # the box is not empty, and delta is free
        return found.primal[most]


def _digits(printed: object) -> int:
    allowed = f"1 <= printed <= {MOST_DIGITS}, the digits after the point"
    return int(rational_where(printed, lambda d: d.denominator == 1 and 1 <= d <= MOST_DIGITS, allowed, name="printed"))


def _table(matrix: Any, *, transposed: bool) -> Matrix:
    rows = rows_of_numbers(listed_rows(matrix))
    if len(rows) * len(rows[0]) > _MOST_ENTRIES:
        raise UnsupportedProblemError(
            f"the table is too large: received {with_noun(len(rows) * len(rows[0]), 'entry', 'entries')}; at most "
            f"{_MOST_ENTRIES} are allowed"
        )
    return tuple(zip(*rows, strict=True)) if transposed else tuple(map(tuple, rows))


def printed_table(matrix: Any, printed: object, *, transposed: bool = False) -> tuple[int, Matrix]:
    """Return the digits of a printed table, and its entries with outputs as rows.

    Raises:
        InvalidParameterError: the digits are not 1 to 12.
        UnsupportedProblemError: the table is too large.
    """
    return _digits(printed), _table(matrix, transposed=transposed)


def printed_privacy(
    matrix: Any, printed: int, *, epsilon: object | None = None, delta: object = 0, transposed: bool = False
) -> PrintedPrivacy:
    """Return the privacy of every matrix that rounds to a printed table, between bounds that are attained.

    Args:
        matrix: the table: m rows of k decimals; rows are outputs. Its columns need not sum to 1.
        printed: the digits after the point, from 1 to 12.
        epsilon: the level to test; by default none.
        delta: the delta that is allowed at the level.
        transposed: whether the rows of the table are inputs.

    Raises:
        InvalidMechanismError: no matrix with columns that sum to 1 rounds to the table.
        InvalidParameterError: an entry has more digits than are printed.
        UnsupportedProblemError: the table is too large.

    >>> found = printed_privacy([[.881, .119], [.119, .881]], 3, epsilon=2)
    >>> found.meets, f"{float(found.least_epsilon):.4f}", f"{float(found.most_epsilon):.4f}"
    ('the rounding decides', '1.9972', '2.0067')
    """
    digits, table = printed_table(matrix, printed, transposed=transposed)
    box = RoundedMatrices(table, digits)
    most, worst = box.most_parity()
    least, best = box.least_parity()
    small = None if best is None else best.parity()
    found = (table, digits, least, small, most, worst if best is None else best, worst)
    if epsilon is None:
        return PrintedPrivacy(*found)
    level, asked = Epsilon.of(epsilon), Delta.of(delta)
    gamma = level.exact_gamma()
    if asked.rational == 0:
        meets = YES if most is not None and not gamma < most else NO if best is None or gamma < least else OPEN
        return PrintedPrivacy(*found, level, asked, None, None, meets)
    sides = level.gamma_bracket(_LEVEL_DIGITS)
    most_delta, least_delta = box.most_delta(sides.lower), box.least_delta(sides.upper)
    allowed = asked.exact()
    meets = YES if not allowed < most_delta else NO if allowed < least_delta else OPEN
    return PrintedPrivacy(*found, level, asked, least_delta, most_delta, meets)


def posteriors(matrix: Any, prior: object, *, printed: int | None = None, transposed: bool = False) -> Posteriors:
    """Return the least and largest posterior of each category, and of any property, at a prior.

    Args:
        matrix: a mechanism, or a matrix of numbers; rows are outputs.
        prior: q, the prior of the category or property, 0 < q < 1.
        printed: the digits after the point of a printed table; by default the matrix is exact.
        transposed: whether the rows of the matrix are inputs.

    Raises:
        InvalidMechanismError: the columns are no distributions, or no rounding of distributions.

    >>> found = posteriors("warner:3/4", "1/2")
    >>> str(found.least), str(found.most), found.categories[1].most_output
    ('1/4', '3/4', 1)
    """
    q = rational_where(prior, lambda x: 0 < x < 1, "0 < prior < 1", name="prior")
    if printed is None:
        from rropt.mechanisms.imports import required_mechanism

        made = Mechanism(matrix, transposed=True) if transposed else required_mechanism(matrix)
        box = RoundedMatrices(made.matrix, None)
    else:
        box = RoundedMatrices(_table(matrix, transposed=transposed), _digits(printed))

    def at(own: Fraction, other: Fraction) -> Fraction | None:
        whole = q * own + (1 - q) * other
        return q * own / whole if whole else None  # an output that neither category gives

    categories = []
    for j in range(box.k):
        others = [other for other in range(box.k) if other != j]
        most, least = (Fraction(-1), 0), (Fraction(2), 0)
        for i in range(box.m):
            high = at(box.high[i][j], min(box.low[i][other] for other in others))
            low = at(box.low[i][j], max(box.high[i][other] for other in others))
            most = max(most, (high, -i)) if high is not None else most
            least = min(least, (low, i)) if low is not None else least
        categories.append(Posterior(j, least[0], most[0], least[1], -most[1]))
    return Posteriors(q, tuple(categories))
