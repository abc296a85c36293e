// Matrices of fractions, and the same as integers over one denominator.

import { charge } from "./budget.js";
import { dot, Fraction, ONE, overOneDenominator, product, sum, ZERO } from "./fractions.js";

export const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

export const identityMatrix = (k) => Array.from({ length: k }, (_, i) => unitVector(k, i));

export const unitVector = (k, i) => Array.from({ length: k }, (_, j) => (i === j ? ONE : ZERO));

/** Return a times b. */
export function matrixProduct(a, b) {
  const columns = transposed(b).map((column) => overOneDenominator(column));
  return a.map((row) => {
    const own = overOneDenominator(row);
    return columns.map((column) => dotOver(own, column));
  });
}

/** Return the product of two vectors that are over one denominator each. */
export function dotOver(a, b) {
  let total = 0n;
  for (let i = 0; i < a.numbers.length; i++) {
    if (a.numbers[i] !== 0n && b.numbers[i] !== 0n) total += product(a.numbers[i], b.numbers[i]);
  }
  return Fraction.of(total, product(a.denominator, b.denominator));
}

export const matrixTimesVector = (matrix, vector) => matrix.map((row) => dot(row, vector));

export const trace = (matrix) => sum(matrix.map((row, i) => row[i]));

export const sameMatrix = (a, b) =>
  a.length === b.length && a.every((row, i) => row.length === b[i].length && row.every((x, j) => x.equals(b[i][j])));

/** Return the integers of a matrix over one denominator. */
export function overOne(matrix) {
  const { numbers, denominator } = overOneDenominator(matrix.flat());
  const width = matrix[0].length;
  return { rows: matrix.map((_, i) => numbers.slice(i * width, (i + 1) * width)), denominator };
}

/**
 * Return the leading principal minors of a symmetric matrix, as far as they are positive.
 *
 * Bareiss: the pivots of the elimination without division of the integer matrix are its leading minors.
 * `null` if one of them is not positive.
 */
export function positiveMinors(matrix) {
  const { rows, denominator } = overOne(matrix);
  const a = rows.map((row) => [...row]);
  const k = a.length;
  const minors = [];
  let before = 1n;
  for (let p = 0; p < k; p++) {
    if (a[p][p] <= 0n) return null;
    minors.push(Fraction.of(a[p][p], denominator ** BigInt(p + 1)));
    for (let i = p + 1; i < k; i++) {
      for (let j = p + 1; j < k; j++) {
        charge(2);
        a[i][j] = (product(a[i][j], a[p][p]) - product(a[i][p], a[p][j])) / before;
      }
    }
    before = a[p][p];
  }
  return minors;
}

/** Return whether a symmetric matrix is positive semidefinite (elimination; a pivot 0 needs a row of zeros). */
export function isSemidefinite(matrix) {
  const { rows } = overOne(matrix);
  const a = rows.map((row) => [...row]);
  const k = a.length;
  let before = 1n;
  for (let p = 0; p < k; p++) {
    if (a[p][p] < 0n) return false;
    if (a[p][p] === 0n) {
      for (let j = p + 1; j < k; j++) if (a[p][j] !== 0n) return false;
      continue;
    }
    for (let i = p + 1; i < k; i++) {
      for (let j = p + 1; j < k; j++) {
        charge(2);
        a[i][j] = (product(a[i][j], a[p][p]) - product(a[i][p], a[p][j])) / before;
      }
    }
    before = a[p][p];
  }
  return true;
}
