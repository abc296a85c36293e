"""The programme around a vertex, magnified into floats: what the float solver sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rropt.linear.routes.float_matrix import FloatMatrix
from rropt.linear.routes.integer_form import BoolArray, IntegerForm
from rropt.linear.routes.vertex import Vertex
from rropt.linear.systems.integer_matrix import IndexArray, IntegerArray, append_units, entries_of_rows
from rropt.linear.systems.powers_of_two import FloatArray, scaled_floats, split
from rropt.tolerances import INFINITE_BITS, TARGET_BITS

__all__ = ["FloatProgramme", "Magnification", "ScaledForm"]


@dataclass(frozen=True, slots=True)
class Magnification:
    """Exponents of two by which the primal and the dual side of a programme are magnified."""

    primal: int
    dual: int


@dataclass(frozen=True, slots=True, eq=False)
class FloatProgramme:
    """Minimise `cost . v`, `row_lower <= M v <= row_upper`, `lower <= v <= upper`, in doubles.

    Attributes:
        row_variables: the variable that each row expresses.
        column_variables: the variable of each column; the last `len(priced)` ones are also expressed by rows.
        priced: the rows of those, in order.
    """

    row_variables: IndexArray
    column_variables: IndexArray
    priced: IndexArray
    starts: IndexArray
    columns: IndexArray
    values: FloatArray
    row_lower: FloatArray
    row_upper: FloatArray
    lower: FloatArray
    upper: FloatArray
    cost: FloatArray


class ScaledForm:
    """An integer programme in the scaled dictionary that was chosen for it."""

    def __init__(self, form: IntegerForm, matrix: FloatMatrix) -> None:
        self.form = form
        self._matrix = matrix
        # exponent by which a variable is multiplied, whether it is a row or a column; 0 for those left out
        self._unit = np.zeros(sum(form.matrix.shape), dtype=np.int64)
        self._unit[self._matrix.row_variables] = self._matrix.row_shift
        self._unit[self._matrix.column_variables] = -self._matrix.column_shift

    def magnification(self, vertex: Vertex, last: Magnification | None) -> Magnification:
        """Choose the exponents that give the largest violation the size 2^TARGET_BITS.

        Without a violation the last exponents stay; at the start the largest value, and price, stand in.
        """
        everything = np.ones(len(vertex.values), dtype=np.bool_)
        values = everything if last is None else vertex.bad_values
        prices = everything if last is None else vertex.bad_prices
        primal = _longest(vertex.values, values, self._unit)
        dual = _longest(vertex.prices, prices, -self._unit)
        last = last or Magnification(0, 0)
        return Magnification(
            last.primal if primal is None else TARGET_BITS - primal + _length(vertex.primal.denominator),
            last.dual if dual is None else TARGET_BITS - dual + _length(vertex.dual.denominator),
        )

    def around(self, vertex: Vertex, magnification: Magnification) -> FloatProgramme:
        """Return the programme in the magnified changes `v - v*` of all variables, with the prices for a cost.

        `c . x = constant + (sum of price times variable)`, so the variable of a row with a price other than 0 gets
        a column of its own.

        Source: Gleixner, Steffy, Wolter, Iterative refinement for linear programming (2016).
        """
        form, matrix = self.form, self._matrix
        value_shift = magnification.primal - _length(vertex.primal.denominator) + self._unit
        price_shift = magnification.dual - _length(vertex.dual.denominator) - self._unit
        down = np.where(form.is_free, -np.inf, -_floats(vertex.values, value_shift))
        up = np.where(form.is_fixed, down, np.inf)
        cost = _floats(vertex.prices, price_shift)
        shown = np.flatnonzero(matrix.bounded | (cost[matrix.row_variables] != 0))
        rows, columns = matrix.row_variables[shown], matrix.column_variables
        priced = np.flatnonzero(cost[rows])
        starts, entries = entries_of_rows(matrix.starts, shown)
        starts, places, values = append_units(
            starts, matrix.columns[entries], matrix.values[entries], len(columns), priced, np.full(len(priced), -1.0)
        )
        row_lower, row_upper = down[rows], up[rows]
        row_lower[priced] = row_upper[priced] = 0.0
        columns = np.concatenate([columns, rows[priced]])
        return FloatProgramme(
            rows,
            columns,
            priced,
            starts,
            places,
            values,
            row_lower,
            row_upper,
            down[columns],
            up[columns],
            cost[columns],
        )


def _floats(values: IntegerArray, shift: IndexArray) -> FloatArray:
    """Return `values * 2^shift`, infinite beyond what the float solver is meant to see."""
    mantissas, exponents = split(values)
    floats = scaled_floats(mantissas, exponents, shift)
    return np.where(np.abs(floats) > 2.0**INFINITE_BITS, np.copysign(np.inf, floats), floats)


def _longest(values: IntegerArray, mask: BoolArray, shift: IndexArray) -> int | None:
    """Return the largest exponent of `value * 2^shift` among the nonzero values of the mask, None without any."""
    chosen = np.flatnonzero(mask & np.asarray(values != 0, dtype=np.bool_))
    return int((split(values[chosen])[1] + shift[chosen]).max()) if chosen.size else None


def _length(denominator: int) -> int:
    return denominator.bit_length() - 1
