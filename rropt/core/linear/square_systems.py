"""Exact linear algebra of linear programs: square integer systems and maximal nonsingular blocks.

FLINT does it, except for large sparse systems: there a float LU factorization proposes the solution, and exact integer
residuals correct it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz_mat, nmod_mat

from rropt.core.errors import RroptError
from rropt.core.linear.floats import FloatArray, equilibrate, mantissas_and_exponents, reconstruct, scaled_floats
from rropt.core.linear.integer_matrix import IndexArray, IntegerArray, IntegerMatrix, integer_array
from rropt.core.linear.rational_vectors import RationalVector

# Up to this order, FLINT's dense solver (a millisecond) is faster than setting up the sparse float method.
_DENSE_ORDER = 48


# A prime of one machine word, modulo which maximal nonsingular blocks are found.
_PRIME = (1 << 61) - 1


class SingularMatrixError(RroptError, ArithmeticError):
    """The matrix of a square system is singular: the system has no solution, or several."""

    @classmethod
    def of(cls, shape: tuple[int, int]) -> SingularMatrixError:
        """Return the error for a matrix of the given shape."""
        return cls(
            f"the system has no unique solution: received a singular matrix of shape {shape}; allowed are square "
            "nonsingular matrices; see independent_block for a part that is"
        )


class Factors:
    """A square integer matrix, factorized for exact solutions with several right-hand sides.

    Small matrices are solved by FLINT. Large ones use a float LU with exact lifting; if that fails, FLINT. Both return
    the same exact vectors. FLINT's cost is O(n^3) word operations (fraction-free elimination, or the p-adic lifting of
    Dixon 1982), and more for long solutions; their length is at most that of the determinant.

    Raises:
        SingularMatrixError: the matrix is not square.
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        if matrix.shape[0] != matrix.shape[1]:
            raise SingularMatrixError.of(matrix.shape)
        self._matrix = matrix
        self._dense: Any = None
        self._floats: FloatFactors | None = None
        if matrix.shape[0] > _DENSE_ORDER:
            with suppress(NoConvergenceError):
                self._floats = FloatFactors(matrix)

    def solve(self, rhs: IntegerArray, *, transposed: bool = False) -> RationalVector:
        """Solve `A x = rhs` or `A^T x = rhs` exactly; raises SingularMatrixError."""
        if self._floats is not None:
            try:
                return self._floats.solve(rhs, transposed=transposed)
            except NoConvergenceError:
                self._floats = None
        if self._dense is None:
            entries = [value for row in self._matrix.dense() for value in row]
            self._dense = fmpz_mat(*self._matrix.shape, entries)
        matrix = self._dense.transpose() if transposed else self._dense
        try:
            solution = matrix.solve(fmpz_mat(len(rhs), 1, rhs.tolist()))
        except ZeroDivisionError:
            raise SingularMatrixError.of(self._matrix.shape) from None
        numerators, denominator = solution.numer_denom()
        return RationalVector(tuple(map(int, numerators.entries())), int(denominator))


def independent_block(matrix: IntegerMatrix) -> tuple[list[int], list[int]]:
    """Return rows and columns whose submatrix is square and nonsingular, and as large as the rank modulo a prime.

    A block that is nonsingular modulo a prime is nonsingular. It is the largest one unless the prime of 61 bits divides
    all its minors of the next order.
    """
    table = [value % _PRIME for row in matrix.dense() for value in row]
    columns = _echelon_columns(nmod_mat(*matrix.shape, table, _PRIME))
    turned = [table[i * matrix.shape[1] + j] for j in columns for i in range(matrix.shape[0])]
    return _echelon_columns(nmod_mat(len(columns), matrix.shape[0], turned, _PRIME)), columns


def _echelon_columns(matrix: Any) -> list[int]:
    """Return the pivot columns of the reduced echelon form."""
    reduced, rank = matrix.rref()
    found: list[int] = []
    for i in range(rank):
        start = found[-1] + 1 if found else 0
        found.append(next(j for j in range(start, matrix.ncols()) if reduced[i, j] != 0))
    return found


# Longest matrix entry, in bits, that the float method accepts: well inside the exponent range of a double.
_ENTRY_BITS = 800

# Bits of one correction: a double has 53, and the last few are rounding error.
_CORRECTION_BITS = 50

# Minimal number of new correct bits per correction; with fewer, the condition number is near 1/eps: the method stops.
_LEAST_GAIN_BITS = 4

# Correct bits before the first attempt at reconstruction: enough for denominators of 10 digits.
_FIRST_ATTEMPT_BITS = 96

# The precision grows by this factor between attempts: an attempt then costs about as much as the corrections before it.
_ATTEMPT_GROWTH = 1.5

# Solutions longer than this (in bits, numerator and denominator together) are left to FLINT.
_ANSWER_BITS = 2000


class NoConvergenceError(ArithmeticError):
    """The float factors are too inaccurate for corrections: the matrix is singular to working precision."""


class _System(NamedTuple):
    """A matrix, and a float solver for the same matrix scaled by powers of two."""

    matrix: IntegerMatrix
    float_solve: Callable[[FloatArray], FloatArray]
    row_shift: IndexArray
    column_shift: IndexArray


class FloatFactors:
    """A square sparse integer matrix with a float LU factorization, from which exact solutions are lifted.

    Write x = X / 2^s + (error) with integers X, and the exact integer residual r = 2^s b - A X. The float LU
    gives a correction D of about 50 bits for A d = r. The step is `X <- 2^g X + D`, `r <- 2^g r - A D`, `s <- s + g`,
    where g, the number of bits gained, follows from the size of D. The residual stays short, so each step costs one
    float solve and one sparse integer product. When enough bits are known, a common denominator is reconstructed.
    The solution is returned only if `A x = b` holds in exact integers.

    Cost: one sparse float LU, then O((solution bits / 40) * nonzeros). The method fails if the condition number of the
    matrix (after scaling by powers of two) exceeds about 1e14. It stops early on long solutions, where FLINT is faster.

    Raises:
        NoConvergenceError: the float factors are too inaccurate, or the solution is too long.

    Source: Ursic and Patarra (1983); Wan, An algorithm to solve integer linear systems exactly using
    numerical methods (2006).
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        from scipy.sparse import csc_matrix
        from scipy.sparse.linalg import splu

        mantissas, exponents = mantissas_and_exponents(matrix.values)
        if exponents.max(initial=0) > _ENTRY_BITS:
            raise NoConvergenceError
        rows, columns = matrix.row_of_entry, matrix.columns
        row_shift, column_shift = equilibrate(matrix.shape, rows, columns, mantissas, exponents)
        scaled = scaled_floats(mantissas, exponents, row_shift[rows] + column_shift[columns])
        try:
            factors = splu(csc_matrix((scaled, (rows, columns)), shape=matrix.shape))
        except RuntimeError:  # exactly singular in floats
            raise NoConvergenceError from None
        self._system = _System(matrix, factors.solve, row_shift, column_shift)
        self._transposed = _System(matrix.transpose(), lambda b: factors.solve(b, trans="T"), column_shift, row_shift)

    def solve(self, rhs: IntegerArray, *, transposed: bool = False) -> RationalVector:
        """Solve `A x = rhs` or `A^T x = rhs` exactly."""
        return _lift(self._transposed if transposed else self._system, rhs)


def _lift(system: _System, rhs: IntegerArray) -> RationalVector:
    matrix, _, _, column_shift = system
    known: IntegerArray = np.zeros(len(rhs), dtype=object)
    residual, bits, attempt = rhs, 0, _FIRST_ATTEMPT_BITS
    before: int | None = None  # length of the last correction, in bits of the current `known`
    while residual.any():
        correction, power, length = _correction(system, residual)
        if before is not None and before - length < _LEAST_GAIN_BITS:
            raise NoConvergenceError
        if bits >= attempt:
            # The next correction bounds the error of `known`, up to its own rounding error.
            found = reconstruct(known, bits, 2 << max(length, 0))
            if found is not None and _solves(matrix, found, rhs):
                return found
            if bits > _ANSWER_BITS:
                raise NoConvergenceError
            attempt = int(bits * _ATTEMPT_GROWTH)
        gain = max(_CORRECTION_BITS - length, 0)
        before = length + gain
        step = _integers(correction, column_shift + power + gain)
        known = (known << gain) + step
        residual = (residual << gain) - matrix.times(step)
        bits += gain
    return RationalVector(tuple(known.tolist()), 1 << bits)


def _correction(system: _System, residual: IntegerArray) -> tuple[FloatArray, int, int]:
    """Return z, p, l: the correction is `z_j 2^(column_shift_j + p)`, and its largest entry is near 2^l."""
    mantissas, exponents = mantissas_and_exponents(residual)
    size = np.where(mantissas != 0, exponents + system.row_shift, np.iinfo(np.int32).min)
    power = int(size.max())
    solution = system.float_solve(scaled_floats(mantissas, exponents, system.row_shift - power))
    if not np.isfinite(solution).all() or not solution.any():
        raise NoConvergenceError
    lengths = np.frexp(solution)[1] + system.column_shift
    return solution, power, int(lengths[solution != 0].max()) + power


def _integers(values: FloatArray, shift: IndexArray) -> IntegerArray:
    """Round `values * 2^shift` to integers, also beyond 64 bits."""
    scaled = scaled_floats(values, np.zeros(len(values), dtype=np.int64), shift)
    if np.abs(scaled).max(initial=0.0) < 2.0**62:
        small: IntegerArray = np.rint(scaled).astype(np.int64).astype(object)
        return small
    if not np.isfinite(scaled).all():
        raise NoConvergenceError
    return integer_array(int(value) for value in scaled.tolist())


def _solves(matrix: IntegerMatrix, candidate: RationalVector, rhs: IntegerArray) -> bool:
    return bool((matrix.times(integer_array(candidate.numerators)) == rhs * candidate.denominator).all())
