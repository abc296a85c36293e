"""Certificates of linear design problems, in the linear way, and the rows of their linear programs.

``DesignRows`` numbers the rows; all solvers use it. A certificate has the multipliers of the privacy conditions between
two inputs (checker/linear_way.md), which a dual of the program determines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, Protocol

from rropt.core.certificates.record import Certificate
from rropt.core.certificates.records import part_of
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket
from rropt.core.exact.texts import fraction_of
from rropt.designs.certificates.design_bracket import (
    brackets_of,
    levels_of,
    nested_texts,
    state_document,
    stated_problem,
)
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

Form = Literal["parity", "excess", "pairwise"]


class _Written(Protocol):
    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in certificates."""
        ...


@dataclass(frozen=True)
class DesignRows:
    """The rows of the linear program of a design problem.

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
                f"region has no linear program: received {shown(inner['kind'])}; allowed are "
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

    @property
    def firsts(self) -> range:
        """For each output i the index of ``p_i0 + s >= q_i0``, if the objective has such rows."""
        return range(self._first_distance, self._first_distance + self.inputs * self.outputs, self.inputs)

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
        problem: a problem, or its dictionary. Its objective is ``trace``, ``loss`` or ``distance``; its region is
            ``differential-privacy`` (family all), ``pairwise-privacy``, or ``bounded`` over one of these.
        levels: rational levels around the problem's level, or around the level of each pair.
        lower: the value of the mechanism when maximizing, the value of the dual when minimizing.
        upper: the value of the dual when maximizing, the value of the mechanism when minimizing.
        mechanism: P of shape (m, k).
        dual: y, a mapping from row index (``DesignRows``) to multiplier; omitted rows have multiplier 0. When
            minimizing, ``y >= 0`` on rows ``>=``, ``y <= 0`` on rows ``<=``, and ``c - A^T y >= 0``. When maximizing,
            all three inequalities are reversed.

    Returns:
        A certificate of the statement ``design-bracket``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: an index is out of range, or the levels do not have the form of the problem.
        UnsupportedProblemError: the region has no linear program.

    Source: linear duality; e.g. Schrijver, Theory of linear and integer programming (1986), section 7.4.
    """
    document = _written(problem)
    proof = _linear_proof(document, levels, dual, _sign(document))
    return state_document(document, levels, Bracket(lower, upper), mechanism, "linear", proof)


def certify_infeasible_design(
    problem: _Written, levels: RationalLevels, multipliers: Mapping[int, Fraction]
) -> Certificate:
    """Return the certificate that no mechanism lies in the region of a problem.

    Args:
        problem: as for ``certify_design``; only bounds on entries can make it infeasible.
        levels: rational levels around the problem's level, or around the level of each pair.
        multipliers: y at ``levels.above``, a mapping from row index to multiplier: ``y >= 0`` on rows ``>=``,
            ``y <= 0`` on rows ``<=``, ``A^T y <= 0``, and ``b . y > 0``.

    Returns:
        A certificate of the statement ``infeasible``; call ``require_accepted`` to have it checked.

    Raises:
        InvalidParameterError: an index is out of range, or the levels do not have the form of the problem.
        UnsupportedProblemError: the region has no linear program.

    Source: Farkas (1902).
    """
    document = _written(problem)
    stated = stated_problem(document)
    proof = {"limits": None, **_linear_proof(document, levels, multipliers, 1)}
    region = {key: stated[key] for key in ("inputs", "outputs", "levels", "bounds")}
    brackets = brackets_of(document["region"], stated["levels"], levels)
    return Certificate.state("infeasible", region, {}, {"brackets": brackets, **nested_texts(proof)})


def recorded_dual(problem: _Written, certificate: Certificate) -> dict[int, Fraction]:
    """Return a dual of the linear program by row index, from the certificate of a trace or a loss."""
    document = _written(problem)
    rows, sign = DesignRows.of(document), _sign(document)
    alpha, slopes, multipliers = (
        part_of(certificate, "proof", key, "solution") for key in ("alpha", "slopes", "multipliers")
    )
    brackets = part_of(certificate, "proof", "brackets", "solution")
    dual: dict[int, Fraction] = {rows.row_of_column(j): -fraction_of(a) for j, a in enumerate(alpha)}

    def put(row: int, value: Fraction) -> None:
        dual[row] = dual.get(row, _NONE) + value

    for _, j, other, beta in slopes:
        put(rows.row_of_total(int(j), int(other)), -fraction_of(beta))
    for *place, number in multipliers:
        i, t, j, other = map(int, place)
        x = fraction_of(number)
        if rows.form == "parity":
            put(rows.row_upper(i, j), x)
            put(rows.row_lower(i, other), x * fraction_of(brackets[t]["gamma"]["above"]))
        else:
            put((rows.row_of_excess if rows.form == "excess" else rows.row_of_pair)(i, j, other), x)
    for i, line in enumerate(part_of(certificate, "proof", "limits", "solution") if rows.is_bounded else ()):
        for j, limit in enumerate(map(fraction_of, line)):
            put((rows.row_of_most if limit > 0 else rows.row_of_least)(i, j), -limit)
    return {row: sign * value for row, value in sorted(dual.items()) if value}


_NONE = Fraction(0)


def _written(problem: _Written | Mapping[str, Any]) -> Mapping[str, Any]:
    return problem if isinstance(problem, Mapping) else problem.to_dict()


def _sign(document: Mapping[str, Any]) -> int:
    """Return 1 for an objective that is minimized, -1 for one that is maximized."""
    return -1 if document["objective"]["kind"] == "trace" else 1


def _linear_proof(
    document: Mapping[str, Any], levels: RationalLevels, dual: Mapping[int, Fraction], sign: int
) -> dict[str, Any]:
    """Return the parts of a proof in the linear way from a dual; ``sign`` times it belongs to a minimization."""
    rows = DesignRows.of(document)
    if (rows.form == "pairwise") == levels.is_single:
        told = ("levels of pairs", "one level for all pairs")
        raise InvalidParameterError(
            f"levels do not fit the region: received {told[levels.is_single]}; write {told[not levels.is_single]}"
        )
    wrong = next((row for row in dual if not 0 <= row < rows.count), None)
    if wrong is not None:
        raise InvalidParameterError(
            f"a multiplier has no row: received the index {shown(wrong)}; allowed are 0 to {rows.count - 1}; ask "
            "DesignRows"
        )
    k, m = rows.inputs, rows.outputs

    def of(row: int) -> Fraction:
        return sign * dual.get(row, _NONE)

    pairs = [(j, other) for j in range(k) for other in range(k) if j != other] if rows.form == "excess" else []
    totals = [(j, other, -of(rows.row_of_total(j, other))) for j, other in pairs]
    proof: dict[str, Any] = {
        "alpha": [-of(rows.row_of_column(j)) for j in range(k)],
        "slopes": [["0", str(j), str(other), beta] for j, other, beta in totals if beta],
        "multipliers": [],
    }
    for i in range(m):
        if rows.form == "parity":
            low, high = ([of(row(i, j)) for j in range(k)] for row in (rows.row_lower, rows.row_upper))
            own = [(0, *pair, x) for pair, x in sorted(_matched(low, high, levels.above.gamma))]
        elif rows.form == "excess":
            own = [(0, j, other, of(rows.row_of_excess(i, j, other))) for j, other in pairs]
        else:
            own = [(t, j, other, of(rows.row_of_pair(i, j, other))) for t, j, other in _levels_of_pairs(document)]
        proof["multipliers"] += [[str(i), str(t), str(j), str(other), x] for t, j, other, x in own if x]
    if rows.is_bounded:
        least, most = rows.row_of_least, rows.row_of_most
        proof["limits"] = [[-of(least(i, j)) - of(most(i, j)) for j in range(k)] for i in range(m)]
    if rows.is_distance:
        proof["lines"] = [[of(row) + of(row + m * k) for row in range(first, first + k)] for first in rows.firsts]
    return proof


def _levels_of_pairs(document: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    """Return (t, j, l) for each pair of a region with levels by pair, in ascending order."""
    region = document["region"]
    levels = levels_of(region["region"] if region["kind"] == "bounded" else region)
    return [(t, int(j), int(other)) for t, level in enumerate(levels) for j, other in level["pairs"]]


def _matched(
    low: Sequence[Fraction], high: Sequence[Fraction], gamma: Fraction
) -> Iterator[tuple[tuple[int, int], Fraction]]:
    """Yield pairs (j, l) with multipliers x > 0 of ``p_j <= gamma p_l``.

    They take the place of those (``low``) of ``t <= p_l`` and those (``high``) of ``p_j <= gamma t``. They have
    ``sum_l x_jl <= high_j`` and ``gamma sum_j x_jl <= low_l``. As ``sum low >= gamma sum high``, the first is an
    equation, but for what an input shares with itself: ``p_j <= gamma p_j`` needs no multiplier.
    """
    shared = [min(above, below / gamma) for above, below in zip(high, low, strict=True)]
    left = [(other, below / gamma - own) for other, (below, own) in enumerate(zip(low, shared, strict=True))]
    open_ones = iter([each for each in left if each[1]])
    other, room = -1, _NONE
    for j, (above, own) in enumerate(zip(high, shared, strict=True)):
        rest = above - own
        while rest:
            if not room:
                other, room = next(open_ones)
            x = min(rest, room)
            yield (j, other), x
            rest, room = rest - x, room - x
