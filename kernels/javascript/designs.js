// Values of design objectives at a mechanism, and the mechanism's side of rules 5 and 22 and of design brackets.

import { dot, Fraction, overOneDenominator, product, sum, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";
import { identityMatrix, matrixProduct, matrixTimesVector, overOne, sameMatrix, trace } from "./matrices.js";

/** Require that no row other than 0 has probability 0. */
export function requirePositiveRows(place, rows, population) {
  rows.forEach((row, i) => {
    const fits = row.every((x) => x.isZero()) || !dot(row, population).isZero();
    place.at("matrix").at(i).require(fits, "a row that is not 0 has probability 0");
  });
}

/** Return M = sum_i p_i p_i^T / (p_i . pi) over the rows with p_i . pi other than 0. */
export function informationMatrix(rows, population) {
  const { rows: p, denominator } = overOne(rows);
  const pi = overOneDenominator(population);
  const used = p.filter((row) => row.some((x) => x !== 0n));
  const weights = used.map((row) => {
    const weight = row.reduce((total, x, j) => total + product(x, pi.numbers[j]), 0n);
    return Fraction.of(pi.denominator, product(denominator, weight));
  });
  const w = overOneDenominator(weights);
  const k = population.length;
  return Array.from({ length: k }, (_, j) => Array.from({ length: k }, (_, l) => {
    let total = 0n;
    used.forEach((row, i) => {
      if (row[j] !== 0n && row[l] !== 0n) total += product(product(row[j], row[l]), w.numbers[i]);
    });
    return Fraction.of(total, w.denominator);
  }));
}

/** Require {"inverse"} to hold the inverse of M; return its trace. */
export function requireInverse(primal, M) {
  const { inverse } = primal.fields(["inverse"]);
  const k = M.length;
  const N = inverse.matrix(k, k);
  inverse.require(sameMatrix(matrixProduct(M, N), identityMatrix(k)), "the inverse is not that of M");
  return trace(N);
}

/** Require {"solution"} to hold z with M z = c; return c . z. */
export function requireSolution(primal, M, contrast) {
  const { solution } = primal.fields(["solution"]);
  const z = solution.numbers(M.length);
  const product_ = matrixTimesVector(M, z);
  solution.require(product_.every((x, j) => x.equals(contrast[j])), "the solution does not solve M z = c");
  return dot(contrast, z);
}

/** Return the interval of the mutual information: the sum of pi_j p_ij ln(p_ij / lambda_i) over the terms not 0. */
export function mutualInformation(rows, population) {
  let total = Interval.of(ZERO);
  for (const row of rows) {
    const weight = dot(row, population);
    row.forEach((p, j) => {
      const factor = population[j].times(p);
      if (factor.isZero() || p.equals(weight)) return;
      total = total.plus(Interval.of(factor).times(Interval.of(p.over(weight)).log()));
    });
  }
  return total;
}

/** Return sum_i (p_i.(pi - q))^2 / (p_i.q) over the rows with p_i.q > 0. */
export function chiSquareValue(rows, population, against) {
  const difference = population.map((x, j) => x.minus(against[j]));
  return sum(rows.map((row) => {
    const weight = dot(row, against);
    return weight.isZero() ? ZERO : dot(row, difference).power(2).over(weight);
  }));
}

/** Return sum_i abs(p_i . v). */
export const absoluteSum = (rows, v) => sum(rows.map((row) => dot(row, v).abs()));

export const squareOfNorm = (v) => dot(v, v);

