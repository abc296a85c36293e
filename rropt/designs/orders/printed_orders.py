"""Blackwell's order of two printed tables: of every pair of matrices that round to them.

A table with d digits stands for the matrices of a box (``privacy.printed_tables``). Let P and A be the matrices in the
middle of two boxes. Their deficiency ``delta(P, A)`` (``deficiencies``) is the least total variation that remains after
the best post-processing of P. The answers for "P dominates A" are these:

*No, for each pair.* A kernel does not increase total variation, so ``delta`` changes by at most e + f where the columns
of P and A move by e and f. If ``delta(P, A) > e + f``, no matrix of the second box is a garbling of one of the first.

*Yes, for each pair.* Let ``L P = I``. For ``P + D`` and ``A + B`` of the boxes, with ``abs(D) <= d`` and
``abs(B) <= b``, the matrix

    C + (B - C D) (I + L D)^-1 L

maps P + D to A + B if ``C P = A``, and its columns sum to 1. Let ``F = abs(L) d``. If ``N = (I - F)^-1`` exists and is
nonnegative, the second term is at most ``(b + C d) N abs(L)`` in each entry, by Neumann's series. So C is the proof if
``C >= (b + C d) N abs(L)``: a linear program in C, solved exactly.

*Undecided* otherwise: one pair of the boxes may be ordered, and another one not. The deficiency is then at most what
the rounding alone can cause, or no C with that margin exists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from rropt.core.argument_checks import clear_calls
from rropt.core.errors import InvalidMechanismError, UnsupportedProblemError
from rropt.core.exact.display import decimal_outwards
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.linear import Infeasible, ProgramBuilder, solve
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun
from rropt.designs.orders.deficiencies import deficiency
from rropt.mechanisms.columns import Matrix
from rropt.privacy.printed_tables import RoundedMatrices, printed_table

YES, NO, UNDECIDED = "yes", "no", "undecided"
_MOST_VARIABLES = 2_000  # of the program of a deficiency: a second


@dataclass(frozen=True, slots=True)
class PrintedDomination(Result):
    """Whether the matrices that round to one table dominate those that round to another one.

    Attributes:
        answer: ``"yes"``: each of the first ones dominates each of the second ones; ``"no"``: none does; or
            ``"undecided"``.
        total_variation: the deficiency of the two matrices in the middle of the boxes, exact.
        rounding: the largest change of the deficiency within the boxes.
    """

    answer: str
    total_variation: Fraction
    rounding: Fraction

    def words(self, source: str, target: str) -> str:
        """Return the answer as a sentence about two tables."""
        near = decimal_outwards(self.total_variation, up=self.answer != NO, digits=3)
        most = decimal_outwards(self.rounding, up=True, digits=3)
        if self.answer == YES:
            return f"yes: each matrix that rounds to {source} dominates each matrix that rounds to {target}"
        if self.answer == NO:
            return (
                f"no: no matrix that rounds to {source} dominates one that rounds to {target}; after the best "
                f"post-processing a total variation of at least {near} remains in the middle, and the rounding changes "
                f"it by at most {most}"
            )
        if self.total_variation > 0:
            return (
                f"undecided: {source} dominates {target} up to a total variation of {near}, and the rounding alone can "
                f"cause {most}"
            )
        return (
            f"undecided: in the middle {source} dominates {target} exactly, and no proof was found for all matrices "
            "that round to the tables"
        )


@dataclass(frozen=True, slots=True)
class PrintedComparison(Result):
    """The order of two printed tables.

    Attributes:
        first, second: the entries as printed, shapes (m, k) and (r, k); rows are outputs.
        digits: the number of digits after the point.
        forward: whether the first table dominates the second one.
        backward: whether the second table dominates the first one.
    """

    first: Matrix
    second: Matrix
    digits: int
    forward: PrintedDomination
    backward: PrintedDomination

    ANSWER: ClassVar[tuple[str, ...]] = ("forward_answer", "backward_answer")
    LABELS: ClassVar[Mapping[str, str]] = labelled(
        forward_answer="A dominates B", backward_answer="B dominates A", digits="digits that are printed"
    )

    @property
    def forward_answer(self) -> str:
        """Whether A dominates B: yes, no or undecided."""
        return self.forward.answer

    @property
    def backward_answer(self) -> str:
        """Whether B dominates A: yes, no or undecided."""
        return self.backward.answer

    @classmethod
    def recompute(cls, first: Matrix, second: Matrix, digits: int) -> PrintedComparison:
        """Compare the tables of a record again."""
        boxes = RoundedMatrices(first, digits), RoundedMatrices(second, digits)
        return cls(first, second, digits, _domination(*boxes), _domination(*reversed(boxes)))

    def lines(self) -> list[tuple[str, str]]:
        """Return both answers, and how they were obtained."""
        return [
            ("A dominates B", self.forward.words("A", "B")),
            ("B dominates A", self.backward.words("B", "A")),
            ("proof", "exact linear programs, no certificate"),
        ]


@clear_calls
def printed_comparison(first: Any, second: Any, printed: int, *, transposed: bool = False) -> PrintedComparison:
    """Compare two printed tables in Blackwell's order, as ``rropt compare A B --printed D`` does.

    Args:
        first, second: the tables A and B: rows of decimals, one column for each of the same k categories. Columns need
            not sum to 1.
        printed: the digits after the point, from 1 to 12.
        transposed: whether the rows of the tables are inputs.

    Raises:
        InvalidMechanismError: no matrix with columns that sum to 1 rounds to a table, or the numbers of categories
            differ.
        UnsupportedProblemError: the tables are too large.

    >>> better = printed_comparison([[.75, .25], [.25, .75]], [[.67, .33], [.33, .67]], 2)
    >>> better.forward.answer, better.backward.answer
    ('yes', 'no')
    """
    digits, table = printed_table(first, printed, transposed=transposed)
    _, other = printed_table(second, printed, transposed=transposed)
    k, own = len(table[0]), len(other[0])
    if k != own:
        raise InvalidMechanismError(
            f"the tables have different categories: received {with_noun(k, 'column')} and {with_noun(own, 'column')}; "
            "allowed are tables of the same categories"
        )
    larger, smaller = max(len(table), len(other)), min(len(table), len(other))
    if larger * (larger + k) > _MOST_VARIABLES and smaller * (larger + k) > _MOST_VARIABLES:
        raise UnsupportedProblemError(
            f"the tables are too large for an exact comparison: received {len(table)} x {k} and {len(other)} x {k}; "
            "compare the mechanisms that they stand for"
        )
    return PrintedComparison.recompute(table, other, digits)


def _domination(source: RoundedMatrices, target: RoundedMatrices) -> PrintedDomination:
    middle, other = source.middle(), target.middle()
    left = deficiency(middle, other)
    rounding = source.radius() + target.radius()
    if left > rounding:
        return PrintedDomination(NO, left, rounding)
    return PrintedDomination(YES if not left and _has_margin(source, target) else UNDECIDED, left, rounding)


def _has_margin(source: RoundedMatrices, target: RoundedMatrices) -> bool:
    """Return whether a kernel C between the middles has the margin that proves the order for each pair."""
    given, wanted = source.middle().matrix, target.middle().matrix
    most = _largest_correction(given, source.moves())
    if most is None:
        return False
    d, b = source.moves(), target.moves()
    by_target, by_source = _product(b, most), _product(d, most)
    builder = ProgramBuilder("minimise")
    kernel = [[builder.variable(f"C[{i},{o}]") for o in range(source.m)] for i in range(target.m)]
    for i, row in enumerate(kernel):
        for j in range(source.k):
            builder.row(f"A[{i},{j}]", {row[o]: given[o][j] for o in range(source.m)}, "=", wanted[i][j])
        for o in range(source.m):
            terms = {row[n]: Fraction(int(n == o)) - by_source[n][o] for n in range(source.m)}
            builder.row(f"margin {i} {o}", terms, ">=", by_target[i][o])
    for o in range(source.m):
        builder.row(f"column {o}", dict.fromkeys((row[o] for row in kernel), 1), "=", 1)
    return not isinstance(solve(builder.build()), Infeasible)


def _largest_correction(given: Sequence[Sequence[Fraction]], moves: Sequence[Sequence[Fraction]]) -> Any:
    """Return ``N abs(L)``, shape (k, m); None if the columns of P are dependent, or Neumann's series has no bound."""
    p = flint_matrix(given)
    gram = p.transpose() * p
    if not gram.det():
        return None
    inverse = [[abs(x) for x in row] for row in fractions_of(gram.inv() * p.transpose())]
    k = len(inverse)
    moved = _product(inverse, moves)
    rest = flint_matrix([[Fraction(int(i == j)) - moved[i][j] for j in range(k)] for i in range(k)])
    if not rest.det():
        return None
    series = fractions_of(rest.inv())
    if any(x < 0 for row in series for x in row):  # of a nonnegative F: its spectral radius is not below 1
        return None
    return _product(series, inverse)


def _product(one: Sequence[Sequence[Fraction]], other: Sequence[Sequence[Fraction]]) -> Any:
    return fractions_of(flint_matrix(one) * flint_matrix(other))
