// Regions of design problems (part B of FORMAT.md): reading them, their brackets, and whether a mechanism lies in one.

import { charge } from "./budget.js";
import { infimumOf, readCriterion } from "./parity_bound.js";
import { Fraction, ONE, overOneDenominator, product, ZERO } from "./fractions.js";
import { bracketProver, deltaBracket, isZeroDelta, readDelta, readLevel } from "./levels.js";
import { MAX_ENTRIES } from "./limits.js";
import { overOne } from "./matrices.js";

const INNER = ["differential-privacy", "pairwise-privacy", "criterion"];

/**
 * Return a region: its kind, k inputs, m outputs (null: any number), family, and what its kind has.
 *
 * A `bounded` region is the inner one with `least` and `most`; all other regions have null there.
 */
export function readRegion(place) {
  if (place.named("kind") === "bounded") {
    const { region, least, most } = place.fields(["kind", "region", "least", "most"]);
    const inner = readInner(region);
    if (inner.m === null) region.reject("bounds on entries need a number of outputs");
    return { ...inner, least: least.matrix(inner.m, inner.k), most: most.matrix(inner.m, inner.k), place };
  }
  return readInner(place);
}

function readInner(place) {
  const kind = place.named("kind");
  if (!INNER.includes(kind)) place.at("kind").reject("a region that this checker does not know");
  const keys = {
    "differential-privacy": ["epsilon", "delta", "family"],
    "pairwise-privacy": ["levels"],
    criterion: ["up", "down"],
  };
  const parts = place.fields(["kind", "inputs", "outputs", ...keys[kind]]);
  const k = parts.inputs.integer(2, MAX_ENTRIES);
  const m = parts.outputs.value === "any" ? null : parts.outputs.integer(2, MAX_ENTRIES);
  const region = { kind, k, m, family: "all", delta: { number: ZERO }, least: null, most: null, place, parts };
  if (kind === "differential-privacy") {
    region.level = readLevel(parts.epsilon);
    region.delta = readDelta(parts.delta);
    region.family = parts.family.oneOf(["all", "warner"]);
    const binary = k === 2 && m === 2;
    parts.family.require(region.family === "all" || binary, "the family `warner` needs 2 inputs and 2 outputs");
  }
  if (kind === "pairwise-privacy") {
    region.levels = parts.levels.itemsOf(k).map((row, j) =>
      row.itemsOf(k).map((cell, l) => {
        if (cell.isNull()) return null;
        cell.require(j !== l, "a level stands on the diagonal");
        return { place: cell, level: readLevel(cell) };
      }),
    );
  }
  if (kind === "criterion") readCriterion(parts.up, parts.down);
  return region;
}

/** Return the pairs of a level, in lexicographic order. */
export function readPairs(place, k) {
  if (place.value === "all") return allPairs(k);
  const found = [];
  for (const cell of place.items(MAX_ENTRIES, 1)) {
    const [j, l] = cell.itemsOf(2).map((x) => x.integer(0, k - 1));
    cell.require(j !== l, "a pair of one input");
    const last = found.at(-1);
    cell.require(!last || last[0] < j || (last[0] === j && last[1] < l), "the pairs are not in lexicographic order");
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

/** Return whether the region has one level for all pairs. */
export const isUniform = (region) => region.kind !== "pairwise-privacy";

/** Return whether delta of the region is the number 0. */
export const hasNoDelta = (region) => isZeroDelta(region.delta);

/**
 * Return the brackets of a region from the places of a witness: gamma and delta, each {below, above}.
 *
 * For `pairwise-privacy` gamma is a matrix of brackets, null where there is no level.
 */
export function readBrackets(region, gammaPlace, deltaPlace) {
  const zero = { below: ZERO, above: ZERO };
  if (region.kind === "differential-privacy") {
    const gamma = bracketProver()(gammaPlace, region.parts.epsilon, region.level);
    return { gamma, delta: deltaBracket(deltaPlace, region.delta) };
  }
  const delta = deltaBracket(deltaPlace, { number: ZERO });
  if (region.kind === "pairwise-privacy") {
    const prove = bracketProver();
    const gamma = gammaPlace.itemsOf(region.k).map((row, j) =>
      row.itemsOf(region.k).map((cell, l) => {
        const own = region.levels[j][l];
        return own === null ? cell.null() : prove(cell, own.place, own.level);
      }),
    );
    return { gamma, delta: zero };
  }
  return { gamma: criterionBracket(region.parts.up, region.parts.down, gammaPlace), delta };
}

/** Return the bracket of B of a criterion. */
export function criterionBracket(up, down, gammaPlace) {
  const parts = gammaPlace.fields(["below", "above", "infimum"]);
  const [below, above] = [parts.below.number(), parts.above.number()];
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

/** Require that a mechanism lies in the region at `below`. */
export function requireInRegion(place, rows, region, brackets) {
  const matrix = place.at("matrix");
  if (region.least) {
    rows.forEach((row, i) => row.forEach((x, j) => {
      const cell = matrix.at(i).at(j);
      cell.require(region.least[i][j].atMost(x), "an entry is below its least value");
      cell.require(x.atMost(region.most[i][j]), "an entry is above its largest value");
    }));
  }
  if (region.family === "warner") matrix.require(rows[0][0].equals(rows[1][1]), "the family `warner` needs p00 = p11");
  const { gamma, delta } = brackets;
  if (!isUniform(region)) return requirePairwise(matrix, rows, brackets);
  if (delta.below.isZero()) return requireParity(matrix, rows, gamma.below);
  return requireExcess(matrix, rows, allPairs(region.k), gamma.below, delta.below);
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

function requirePairwise(matrix, rows, brackets) {
  rows.forEach((row, i) => {
    const { numbers } = overOneDenominator(row);
    brackets.gamma.forEach((bounds, j) => bounds.forEach((bound, l) => {
      if (bound === null) return;
      const allowed = product(numbers[j], bound.below.d) <= product(numbers[l], bound.below.n);
      matrix.at(i).require(allowed, `the mechanism is not private at \`below\`: row ${i}, inputs ${j} and ${l}`);
    }));
  });
}
