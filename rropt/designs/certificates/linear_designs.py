"""Certificates of design problems with k inputs (FORMAT.md, rules 3 and 4), and the row numbers of their programs.

The checker rebuilds the linear program from the region, so a certificate contains only the multipliers and their row
numbers. ``DesignRows`` defines the row numbers; all solvers use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, as_text
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

Form = Literal["parity", "excess", "pairwise"]


class _Written(Protocol):
    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        ...


@dataclass(frozen=True)
class DesignRows:
    """The rows of the linear program of a design problem, in the order of FORMAT.md, rule 3.

    Rows, m outputs i, k inputs j, l; every variable (p_ij and t_i or e_i,jl) is nonnegative:

    * ``row_of_column(j)``: ``sum_i p_ij = 1``;
    * form ``parity`` (one level, delta 0): ``row_lower(i, j)``: ``p_ij - t_i >= 0``; ``row_upper(i, j)``:
      ``gamma t_i - p_ij >= 0``;
    * form ``excess`` (one level, delta not 0), j != l: ``row_of_excess(i, j, l)``: ``e_i,jl - p_ij + gamma p_il >= 0``;
      ``row_of_total(j, l)``: ``sum_i e_i,jl <= delta``;
    * form ``pairwise``: ``row_of_pair(i, j, l)``: ``gamma_jl p_il - p_ij >= 0`` for every pair with a level;
    * bounded regions: ``row_of_least(i, j)``: ``p_ij >= least_ij``; ``row_of_most(i, j)``: ``p_ij <= most_ij``;
    * objective distance to Q: ``p_ij + s >= q_ij``, then ``p_ij - s <= q_ij`` (s_ij instead of s if the norm is
      ``total``), row by row, as in ``repairs``.

    Args:
        inputs: k >= 2.
        outputs: m >= 2.
        form: ``"parity"``, ``"excess"`` or ``"pairwise"``.
        pairs: for the form ``pairwise``, the pairs (j, l) with a level, in lexicographic order; otherwise empty.
        is_bounded: whether the entries have bounds.
        is_distance: whether the objective is a distance.

    >>> rows = DesignRows(2, 2, "parity")
    >>> rows.row_of_column(1), rows.row_lower(0, 1), rows.row_upper(1, 1), rows.count
    (1, 3, 9, 10)
    """

    inputs: int
    outputs: int
    form: Form
    pairs: tuple[tuple[int, int], ...] = ()
    is_bounded: bool = False
    is_distance: bool = False

    @classmethod
    def of(cls, problem: _Written | Mapping[str, Any]) -> DesignRows:
        """Return the rows of a problem, given as an object or as its dictionary (FORMAT.md, section B).

        Raises:
            UnsupportedProblemError: the region is not ``differential-privacy`` (family all), ``pairwise-privacy`` or
                ``bounded`` over one of these, or the number of outputs is left open.
        """
        document = problem if isinstance(problem, Mapping) else problem.to_dict()
        region = document["region"]
        is_bounded = region["kind"] == "bounded"
        inner = region["region"] if is_bounded else region
        if inner["outputs"] == "any":
            raise UnsupportedProblemError(
                "outputs is left open: received any; a linear program needs a number of outputs, e.g. that of inputs"
            )
        sizes = int(inner["inputs"]), int(inner["outputs"])
        is_distance = document["objective"]["kind"] == "distance"
        if inner["kind"] == "criterion":
            return cls(*sizes, "parity", (), is_bounded, is_distance)
        if inner["kind"] == "pairwise-privacy":
            pairs = tuple(
                (j, other) for j, line in enumerate(inner["levels"]) for other, x in enumerate(line) if x is not None
            )
            return cls(*sizes, "pairwise", pairs, is_bounded, is_distance)
        if inner["kind"] != "differential-privacy" or inner["family"] != "all":
            raise UnsupportedProblemError(
                f"region has no linear program of rule 3: received {shown(inner['kind'])}; allowed are "
                "differential-privacy with family all, pairwise-privacy, and bounded over one of these"
            )
        return cls(*sizes, "parity" if inner["delta"] == "0" else "excess", (), is_bounded, is_distance)

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._first_distance + (2 * self.inputs * self.outputs if self.is_distance else 0)

    def row_of_column(self, j: int) -> int:
        """Return the index of ``sum_i p_ij = 1``."""
        return j

    def row_lower(self, i: int, j: int) -> int:
        """Return the index of ``p_ij - t_i >= 0``."""
        self._require("parity")
        return self.inputs + i * self.inputs + j

    def row_upper(self, i: int, j: int) -> int:
        """Return the index of ``gamma t_i - p_ij >= 0``."""
        return self.row_lower(i, j) + self.inputs * self.outputs

    def row_of_excess(self, i: int, j: int, other: int) -> int:
        """Return the index of ``e_i,jl - p_ij + gamma p_il >= 0``, l = ``other``."""
        self._require("excess")
        return self.inputs + i * self.inputs * (self.inputs - 1) + self._rank(j, other)

    def row_of_total(self, j: int, other: int) -> int:
        """Return the index of ``sum_i e_i,jl <= delta``, l = ``other``."""
        self._require("excess")
        return self.inputs + self.outputs * self.inputs * (self.inputs - 1) + self._rank(j, other)

    def row_of_pair(self, i: int, j: int, other: int) -> int:
        """Return the index of ``gamma_jl p_il - p_ij >= 0``, l = ``other``; ``KeyError`` if the pair has no level."""
        self._require("pairwise")
        return self.inputs + i * len(self.pairs) + self._places[j, other]

    def row_of_least(self, i: int, j: int) -> int:
        """Return the index of ``p_ij >= least_ij``."""
        if not self.is_bounded:
            raise InvalidParameterError("the region has no bounds: only a bounded region has rows least and most")
        return self._first_bound + i * self.inputs + j

    def row_of_most(self, i: int, j: int) -> int:
        """Return the index of ``p_ij <= most_ij``."""
        return self.row_of_least(i, j) + self.inputs * self.outputs

    @cached_property
    def _first_distance(self) -> int:
        """The index of the first row of a distance, if the objective has such rows."""
        return self._first_bound + (2 * self.inputs * self.outputs if self.is_bounded else 0)

    @cached_property
    def _first_bound(self) -> int:
        """The index of the first bound on an entry, if the region has bounds."""
        k, m = self.inputs, self.outputs
        if self.form == "pairwise":
            return k + m * len(self.pairs)
        return k + (2 * m * k if self.form == "parity" else (m + 1) * k * (k - 1))

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        return {pair: place for place, pair in enumerate(self.pairs)}

    def _rank(self, j: int, other: int) -> int:
        """Return the position of (j, l), j != l, in lexicographic order."""
        return j * (self.inputs - 1) + other - (other > j)

    def _require(self, form: Form) -> None:
        if self.form != form:
            raise InvalidParameterError(f"the program has no such row: its form is {self.form}; the row is of {form}")


def certify_design(
    problem: _Written | Mapping[str, Any],
    levels: RationalLevels,
    *,
    lower: Fraction,
    upper: Fraction,
    mechanism: Mechanism,
    dual: Mapping[int, Fraction],
) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Regions grow with gamma and delta. The mechanism lies in the region at ``levels.below``, and the dual bounds the
    objective over the region at ``levels.above``.

    Args:
        problem: a problem, or its dictionary (FORMAT.md, section B). Its objective is ``trace``, ``loss`` or
            ``distance``; its region is ``differential-privacy`` (family all), ``pairwise-privacy``, or ``bounded`` over
            one of these.
        levels: rational levels around the problem's level, or around the level of each pair.
        lower: the value of the mechanism when maximizing, the value of the dual when minimizing.
        upper: the value of the dual when maximizing, the value of the mechanism when minimizing.
        mechanism: P of shape (m, k).
        dual: y, a mapping from row index (``DesignRows``) to multiplier; omitted rows have multiplier 0. When
            minimizing, ``y >= 0`` on rows ``>=``, ``y <= 0`` on rows ``<=``, and ``c - A^T y >= 0``. When maximizing,
            all three inequalities are reversed.

    Returns:
        A certificate of rule ``linear-programme``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: an index is out of range, or the levels do not have the form of the problem.
        UnsupportedProblemError: the region has no linear program.

    Source: linear duality; e.g. Schrijver, Theory of linear and integer programming (1986), section 7.4.
    """
    document = problem if isinstance(problem, Mapping) else problem.to_dict()
    claim = {
        "kind": "design-bracket",
        **Bracket(lower, upper).written(),
        "mechanism": mechanism.to_dict(),
    }
    witness = {"rule": "linear-programme", **levels.to_dict(), "dual": _sparse(document, levels, dual)}
    return Certificate.write(document, claim, witness)


def certify_infeasible_design(
    problem: _Written, levels: RationalLevels, multipliers: Mapping[int, Fraction]
) -> Certificate:
    """Return the certificate that no mechanism lies in the region of a problem.

    Args:
        problem: as for ``certify_design`` (only bounds on entries can make it infeasible), or a binary problem
            with the objective ``variance``, whose rows are the eight of checker/linear_rules.md, rule 4, in (u, x).
        levels: rational levels around the problem's level, or around the level of each pair.
        multipliers: y at ``levels.above``, a mapping from row index to multiplier: ``y >= 0`` on rows ``>=``,
            ``y <= 0`` on rows ``<=``, ``A^T y <= 0`` (for u and x: ``= 0``), and ``b . y > 0``.

    Returns:
        A certificate of rule ``farkas``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: an index is out of range, or the levels do not have the form of the problem.
        UnsupportedProblemError: the region has no linear program.

    Source: Farkas (1902).
    """
    document = problem.to_dict()
    witness = {"rule": "farkas", **levels.to_dict(), "multipliers": _sparse(document, levels, multipliers)}
    return Certificate.write(document, {"kind": "infeasible"}, witness)


def _sparse(problem: Mapping[str, Any], levels: RationalLevels, multipliers: Mapping[int, Fraction]) -> list[list[str]]:
    """Return the pairs [index, value] of the nonzero multipliers, in ascending order of the index."""
    if problem["objective"]["kind"] == "variance":
        count = 9 if problem["region"]["family"] == "warner" else 8
    else:
        rows = DesignRows.of(problem)
        count = rows.count
        if (rows.form == "pairwise") != levels.is_pairwise:
            raise InvalidParameterError(
                f"levels do not fit the region: received {type(levels).__name__}; allowed are a PairwiseBracket for a "
                "level per pair and a LevelBracket for one level"
            )
    wrong = next((row for row in multipliers if not 0 <= row < count), None)
    if wrong is not None:
        raise InvalidParameterError(
            f"a multiplier has no row: received the index {shown(wrong)}; allowed are 0 to {count - 1}; ask DesignRows"
        )
    return [[str(row), as_text(multipliers[row])] for row in sorted(multipliers) if multipliers[row]]
