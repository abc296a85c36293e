"""``ClosedLevels``: optima at every level that a theorem gives in closed form, for any number of categories.

*Weighted trace, weights w_1 >= w_2 >= ... >= 0* (Chai and Nayak 2018, Theorem 4.4, for any weights). If the m
categories of largest weight are the outputs, the value is ``gamma W_m/(gamma + m - 1)``, W_m the sum of their weights.
One more category is better iff ``w_(m+1) (gamma + m - 1) > W_m``, so from ``gamma = W_m/w_(m+1) - m + 1`` on. These
ends ascend. The 0/1 loss is 1 minus the trace whose weights are the proportions.

*A-, D- and E-optimality at k equal proportions* (subset selection). The information of the size d has the eigenvalue
``mu_d = k d (k - d) (gamma - 1)^2/((k - 1) (d gamma + k - d)^2)`` on contrasts. The size falls from d to d - 1 where
``mu_d = mu_(d-1)``, at ``gamma^2 = (k - d)(k - d + 1)/(d (d - 1))``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar

from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.core.results import Result, Table, labelled
from rropt.designs.parametric.level_formulas import LevelFormula, Place, is_at_most, level_interval_text, point_of
from rropt.designs.problem import Problem

_MOST_SIZES = 5000  # of subsets, each with a piece: up to 10 000 categories
_TRACE = "Chai and Nayak (2018), Theorem 4.4, for any weights"
_SUBSETS = "subset selection is optimal at equal proportions (Ye and Barg 2018); sizes compared by their eigenvalues"


@dataclass(frozen=True, slots=True)
class ClosedPiece:
    """An interval of levels with one closed form.

    Attributes:
        start, end: the first and the last gamma, exact; ``end`` is None for infinity.
        value: the optimum as a formula in gamma.
        size: how many categories are outputs (trace), or the size of the subsets.
        design: the design in words.
    """

    start: Any
    end: Any
    value: str
    size: int
    design: str
    place: Place | None
    formula: LevelFormula | None = None

    @property
    def where(self) -> str:
        """The interval as text."""
        return level_interval_text(self.start, self.end)

    def to_dict(self) -> dict[str, Any]:
        """Return the piece for JSON."""
        end = "inf" if self.end is None else str(self.end)
        return {"from": str(self.start), "to": end, "value": self.value, "size": self.size, "design": self.design}


@dataclass(frozen=True, slots=True)
class ClosedLevels(Result):
    """The optimum at every level by a theorem, without a certificate.

    Attributes:
        problem: the problem, on an ``EveryLevelRegion`` with every level.
        pieces: the pieces, in order of the level.

    >>> from rropt.designs import kary_problem, solve
    >>> found = solve(kary_problem("all", categories=5, objective="a-optimal"))
    >>> for piece in found.pieces:
    ...     print(piece.where, piece.value, piece.design)
    gamma <= sqrt(6) 8*(2*gamma + 3)^2/(15*(gamma - 1)^2) subset selection with 2 of 5 categories
    gamma >= sqrt(6) 4*(gamma + 4)^2/(5*(gamma - 1)^2) subset selection with 1 of 5 categories
    """

    problem: Problem
    pieces: tuple[ClosedPiece, ...] = field(init=False, compare=False)
    certificate: ClassVar[None] = None

    LABELS = labelled(theorem="theorem")

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", tuple(_pieces(self.problem)))

    @property
    def theorem(self) -> str:
        """The theorem that gives the formulas."""
        return _TRACE if self.problem.objective.is_linear else _SUBSETS

    @property
    def breakpoints(self) -> tuple[Any, ...]:
        """The gammas at which another design becomes optimal."""
        return tuple(piece.end for piece in self.pieces[:-1])

    def piece_at(self, epsilon: object) -> ClosedPiece:
        """Return the piece that holds a level."""
        level = Epsilon.of(epsilon)
        return next(piece for piece in self.pieces if is_at_most(level, piece.place))

    @classmethod
    def recompute(cls, problem: Problem) -> ClosedLevels:
        """Return the result of a problem; used to read files."""
        if not is_closed(problem):
            raise FileFormatError("the record of closed forms is of another problem; solve the problem again")
        return cls(problem)

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: exact numbers and formulas are strings."""
        pieces = [piece.to_dict() for piece in self.pieces]
        return {"problem": self.problem.to_dict(), "pieces": pieces, "theorem": self.theorem}

    def lines(self) -> list[tuple[str, str]]:
        """Return a line for each piece."""
        pieces = [(piece.where, f"{piece.value}: {piece.design}") for piece in self.pieces]
        return [("problem", str(self.problem)), *pieces, ("theorem", self.theorem), ("certificate", "none")]

    def as_tables(self) -> list[Table]:
        """Return the pieces as a table."""
        rows = [(piece.where, piece.value, piece.design) for piece in self.pieces]
        return [("", ("gamma", "value", "design"), rows), ("", None, [("theorem", self.theorem)])]

    def summary(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return the pieces as text, as the command prints them."""
        return str(self)

    def __str__(self) -> str:
        text = ["Optimal design for every level", f"  {self.problem}"]
        for piece in self.pieces:
            text += [f"  {piece.where}", f"    value   {piece.value}", f"    design  {piece.design}"]
        return "\n".join([*text, f"  by a theorem, without a certificate: {self.theorem}"])


def is_closed(problem: Problem) -> bool:
    """Return whether a theorem gives the optimum at every level in closed form, and no certificate is written."""
    objective = problem.objective
    if problem.populations is not None or not problem.region.is_of_every_level:
        return False
    if objective.weight_runs() is not None and problem.is_uniform:
        return True
    is_of_subsets = objective.is_total or objective.has_subset_dual
    return is_of_subsets and (problem.is_uniform or len(set(problem.population)) == 1) and not problem.region.outputs


def solve_closed_levels(problem: Problem) -> ClosedLevels:
    """Return the closed forms of a problem on all levels.

    Raises:
        UnsupportedProblemError: the problem has an interval of levels, or too many categories.
    """
    region: Any = problem.region
    if region.low.gamma != 1 or not region.high.is_infinite:
        raise UnsupportedProblemError(
            "closed forms are given for every level: received an interval; write epsilon=all, and read the pieces"
        )
    return ClosedLevels(problem)


def _pieces(problem: Problem) -> Iterator[ClosedPiece]:
    runs = problem.objective.weight_runs()
    return _of_trace(problem, runs) if runs is not None else _of_subsets(problem)


def _of_trace(problem: Problem, runs: Any) -> Iterator[ClosedPiece]:
    k = problem.region.inputs
    weights: dict[Fraction, int] = {}
    for n, w in runs.runs:
        weights[w] = weights.get(w, 0) + n
    if min(weights) < 0:
        raise InvalidParameterError("a weight is negative: allowed are weights >= 0; solve at single levels")
    order = sorted((w for w in weights if w), reverse=True) or [Fraction(0)]
    m, total, start = 0, Fraction(0), Fraction(1)
    is_loss = problem.objective.sense == "minimise"
    for number, w in enumerate(order):
        m, total = m + weights[w], total + weights[w] * w
        last = number == len(order) - 1
        end = None if last else total / order[number + 1] - m + 1
        formula = (
            LevelFormula(Fraction(m - 1), 1 - total, Fraction(m - 1))
            if is_loss
            else LevelFormula(Fraction(0), total, Fraction(m - 1))
        )
        design = f"the {m} categories of largest {'proportion' if is_loss else 'weight'} are the outputs, of {k}"
        place = None if end is None else (end, Fraction(0), 0)
        yield ClosedPiece(start, end, str(formula), m, design, place, formula)
        if end is None:
            return
        start = end


def _of_subsets(problem: Problem) -> Iterator[ClosedPiece]:
    k = problem.region.inputs
    if k // 2 > _MOST_SIZES:
        raise UnsupportedProblemError(
            f"a piece for each size of subsets is listed for at most {2 * _MOST_SIZES} categories: received {k}; solve "
            "at single levels"
        )
    start: Any = Fraction(1)
    for d in range(k // 2, 0, -1):
        place: Place | None = None
        if d > 1:
            square = Fraction((k - d) * (k - d + 1), d * (d - 1))
            place = _root(square)
        end = None if place is None else point_of(place)
        value = _value_text(problem, k, d)
        yield ClosedPiece(start, end, value, d, f"subset selection with {d} of {k} categories", place)
        start = end


def _root(square: Fraction) -> Place:
    """Return the square root of a rational number as ``q sqrt(D)``."""
    product = square.numerator * square.denominator
    factor, q = 2, Fraction(1, square.denominator)
    while factor * factor <= product and factor < 1000:
        while product % (factor * factor) == 0:
            product, q = product // (factor * factor), q * factor
        factor += 1
    whole = isqrt(product)
    return (q * whole, Fraction(0), 0) if whole * whole == product else (Fraction(0), q, product)


def _value_text(problem: Problem, k: int, d: int) -> str:
    """Return the value of subset selection as a formula in gamma."""
    objective = problem.objective
    line = "gamma" if d == 1 else f"{d}*gamma"
    inner = f"({line} + {k - d})^2"
    if objective.sense == "maximise":  # log det M
        factor = Fraction(k * d * (k - d), k - 1)
        return f"log({k}) + {k - 1}*log({factor}*(gamma - 1)^2/{inner})"
    times = Fraction((k - 1) ** (2 if objective.is_total else 1), k * d * (k - d))
    above = inner if times.numerator == 1 else f"{times.numerator}*{inner}"
    below = "(gamma - 1)^2"
    return f"{above}/{below}" if times.denominator == 1 else f"{above}/({times.denominator}*{below})"
