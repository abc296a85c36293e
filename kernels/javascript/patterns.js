// Inequalities on all patterns S in {1, gamma}^k, one after the other in the order of a Gray code, in integers.

import { charge, pieces } from "./budget.js";
import { overOneDenominator, product } from "./fractions.js";
import { overOne } from "./matrices.js";

/**
 * Visit all patterns: `flip(j, step)` is called before each but the first, where entry j of the pattern, times the
 * denominator of gamma, changes by `step`; then `test(bits)` is called.
 */
export function visitPatterns(gamma, k, flip, test) {
  const step = gamma.n - gamma.d;
  let bits = 0;
  test(bits);
  for (let i = 1; i < 2 ** k; i++) {
    const j = 31 - Math.clz32(i & -i);
    bits ^= 1 << j;
    flip(j, (bits >> j) & 1 ? step : -step);
    test(bits);
  }
}

/** Return a sum of entries times the pattern, kept up to date: integers, times the denominator of gamma. */
function running(list, gamma) {
  const { numbers, denominator } = overOneDenominator(list);
  return { numbers, denominator, value: numbers.reduce((a, b) => a + b, 0n) * gamma.d };
}

/** Require S W S^T <= (alpha.S)(weights.S) for all patterns; W is symmetric. */
export function requireForm(place, gamma, W, alpha, weights) {
  const k = alpha.length;
  const { rows, denominator } = overOne(W);
  const v = rows.map((row) => row.reduce((x, y) => x + y, 0n) * gamma.d);
  let form = v.reduce((x, y) => x + y, 0n) * gamma.d;
  const a = running(alpha, gamma);
  const s = running(weights, gamma);
  const left = product(a.denominator, s.denominator);
  const cost = costOf([...rows.flat(), gamma.n, gamma.d]) * k + costOf([...a.numbers, ...s.numbers, left, denominator]);
  const flip = (j, step) => {
    charge(cost);
    form += 2n * step * v[j] + step * step * rows[j][j];
    for (let i = 0; i < k; i++) v[i] += step * rows[i][j];
    a.value += step * a.numbers[j];
    s.value += step * s.numbers[j];
  };
  visitPatterns(gamma, k, flip, (bits) => {
    charge(cost);
    if (form * left > a.value * s.value * denominator) place.reject(`the inequality fails at pattern ${patternText(bits, k)}`);
  });
}

/** Return what a sum and a product of integers of this size cost. */
const costOf = (numbers) => 2 * numbers.reduce((most, x) => Math.max(most, pieces(x)), 1) ** 2;

/** Return a pattern as text: g at the inputs with gamma, else 1. */
const patternText = (bits, k) => Array.from({ length: k }, (_, j) => ((bits >> j) & 1 ? "g" : "1")).join("");
