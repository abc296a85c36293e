// Regions of mechanisms (part B of FORMAT.md): pairs of inputs, brackets of criteria, and whether a mechanism lies in one.

import { charge } from "./budget.js";
import { infimumOf } from "./parity_bound.js";
import { Fraction, ONE, overOneDenominator, product } from "./fractions.js";
import { MAX_BRACKET_DIGITS, MAX_ENTRIES } from "./limits.js";
import { overOne } from "./matrices.js";
import { isAfter } from "./places.js";

/** Return the pairs of a level, in lexicographic order. */
export function readPairs(place, k) {
  if (place.value === "all") return allPairs(k);
  const found = [];
  for (const cell of place.items(MAX_ENTRIES, 1)) {
    const [j, l] = cell.itemsOf(2).map((x) => x.integer(0, k - 1));
    cell.require(j !== l, "a pair of one input");
    cell.require(found.length === 0 || isAfter([j, l], found.at(-1)), "the pairs are not in lexicographic order");
    found.push([j, l]);
  }
  return found;
}

/** Return all ordered pairs of two inputs. */
export function allPairs(k) {
  charge(k * k);
  const found = [];
  for (let j = 0; j < k; j++) for (let l = 0; l < k; l++) if (j !== l) found.push([j, l]);
  return found;
}

/** Return the bracket of B of a criterion. */
export function criterionBracket(up, down, gammaPlace) {
  const parts = gammaPlace.fields(["below", "above", "infimum"]);
  const [below, above] = [parts.below, parts.above].map((end) => end.number(MAX_BRACKET_DIGITS));
  const { lower, upper } = infimumOf(up, down, parts.infimum);
  gammaPlace.require(lower !== null, "the infimum of the criterion is infinite");
  gammaPlace.require(ONE.atMost(below) && below.atMost(lower), "`below` is not from 1 to `lower` of the infimum");
  gammaPlace.require(upper.atMost(above), "`above` is below `upper` of the infimum");
  return { below, above };
}

/** Return a mechanism {"matrix": rows}: nonnegative, columns that sum to 1, of m rows (null: any number) and k columns. */
export function readMechanism(place, m = null, k = null) {
  const { matrix } = place.fields(["matrix"]);
  const rows = matrix.matrix(m, k);
  requireStochastic(matrix, rows);
  return rows;
}

/** Require nonnegative entries and columns that sum to 1. */
export function requireStochastic(place, rows) {
  rows.forEach((row, i) => row.forEach((x, j) => place.at(i).at(j).require(x.sign() >= 0, "a probability is negative")));
  for (let j = 0; j < rows[0].length; j++) {
    const { numbers, denominator } = overOneDenominator(rows.map((row) => row[j]));
    charge(numbers.length);
    const total = numbers.reduce((a, b) => a + b, 0n);
    if (total !== denominator) place.reject(`the column of input ${j} does not sum to 1`);
  }
}

/** Require excesses of at most delta at gamma = n/d. */
export function requireExcess(matrix, rows, pairs, { n, d }, delta) {
  const { rows: p, denominator } = overOne(rows);
  const bound = new Fraction(product(delta.n, product(denominator, d)), delta.d);
  for (const [j, l] of pairs) {
    let total = 0n;
    for (const row of p) {
      const excess = product(row[j], d) - product(row[l], n);
      if (excess > 0n) total += excess;
    }
    const allowed = product(total, bound.d) <= bound.n;
    matrix.require(allowed, `the mechanism is not private at \`below\`: the excess of inputs ${j}, ${l} is above delta`);
  }
}

export function requireParity(matrix, rows, gamma) {
  rows.forEach((row, i) => {
    const { numbers } = overOneDenominator(row);
    charge(2 * numbers.length);
    let [low, high] = [numbers[0], numbers[0]];
    for (const x of numbers) {
      if (x < low) low = x;
      if (x > high) high = x;
    }
    const allowed = product(high, gamma.d) <= product(low, gamma.n);
    matrix.at(i).require(allowed, `the mechanism is not private at \`below\`: the ratio in row ${i} is above gamma`);
  });
}
