// Matrices of fractions, and the same as integers over one denominator.

import { charge } from "./budget.js";
import { dot, dotOver, Fraction, ONE, overOneDenominator, product, ZERO } from "./fractions.js";

export const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

export const identityMatrix = (k) => Array.from({ length: k }, (_, i) => Array.from({ length: k }, (__, j) => (i === j ? ONE : ZERO)));

/** Return a times b. */
export function matrixProduct(a, b) {
  const columns = transposed(b).map((column) => overOneDenominator(column));
  return a.map((row) => {
    const own = overOneDenominator(row);
    return columns.map((column) => dotOver(own, column));
  });
}

export const matrixTimesVector = (matrix, vector) => matrix.map((row) => dot(row, vector));

export const sameMatrix = (a, b) =>
  a.length === b.length && a.every((row, i) => row.length === b[i].length && row.every((x, j) => x.equals(b[i][j])));

/** Return the integers of a matrix over one denominator. */
export function overOne(matrix) {
  const { numbers, denominator } = overOneDenominator(matrix.flat());
  const width = matrix[0].length;
  return { rows: matrix.map((_, i) => numbers.slice(i * width, (i + 1) * width)), denominator };
}

/**
 * Return the pivots of a symmetric matrix as integers over `denominator`, or null unless it is positive semidefinite.
 *
 * Bareiss: the pivots of the elimination without division are minors of the integer matrix. A pivot 0 needs a row of
 * zeros, which is then left out.
 */
export function pivotsOf(matrix) {
  const { rows, denominator } = overOne(matrix);
  const a = rows.map((row) => [...row]);
  const k = a.length;
  const pivots = [];
  let before = 1n;
  for (let p = 0; p < k; p++) {
    const pivot = a[p][p];
    if (pivot < 0n || (pivot === 0n && a[p].slice(p + 1).some((x) => x !== 0n))) return null;
    pivots.push(pivot);
    if (pivot === 0n) continue;
    for (let i = p + 1; i < k; i++) {
      for (let j = p + 1; j < k; j++) {
        charge(2);
        a[i][j] = (product(a[i][j], pivot) - product(a[i][p], a[p][j])) / before;
      }
    }
    before = pivot;
  }
  return { pivots, denominator };
}

/** Return the determinant of a symmetric matrix, or null unless it is positive definite. */
export function positiveDeterminant(matrix) {
  const found = pivotsOf(matrix);
  if (found === null || found.pivots.includes(0n)) return null;
  return Fraction.of(found.pivots.at(-1), found.denominator ** BigInt(matrix.length));
}

export const squareOfNorm = (v) => dot(v, v);
