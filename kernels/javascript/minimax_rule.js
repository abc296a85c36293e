// Rule 21: the least worst-case risk of all estimators of a prevalence (minimax_rule.md).
//
// Numbers that are rounded are integers here: x stands for x / 2^bits.

import { charge, pieces } from "./budget.js";
import { commonMultiple, Fraction, ONE, product, sum, ZERO } from "./fractions.js";
import { deltaBracket, gammaBracket, isZeroDelta, readDelta, readLevel } from "./levels.js";
import { MAX_PARAMETER_DIGITS, MAX_QUOTIENT_BITS, MAX_RESPONDENTS, MAX_RISK_ENTRIES } from "./limits.js";

/** Check rule 21. */
export function checkMinimaxRisk(problem, claim, witness) {
  const { epsilon, delta: deltaPlace, respondents } = problem.fields(["kind", "epsilon", "delta", "respondents"]);
  problem.at("kind").oneOf(["minimax-risk"]);
  const level = readLevel(epsilon);
  const delta = readDelta(deltaPlace);
  const n = respondents.integer(1, MAX_RESPONDENTS);
  const { lower, upper, estimator } = claim.fields(["kind", "lower", "upper", "estimator"]);
  claim.at("kind").oneOf(["minimax-risk"]);
  const parts = witness.fields(["rule", "gamma", "delta", "bits", "points", "weights", "cells"]);
  const gamma = gammaBracket(parts.gamma, level);
  const deltas = deltaBracket(parts.delta, delta);
  const bits = parts.bits.integer(0, MAX_QUOTIENT_BITS);
  const most = isZeroDelta(delta) ? 0 : n;
  const t = readEstimator(estimator, n, most);
  const ends = readCells(parts.cells);
  const prior = readPrior(parts.points, parts.weights);
  const least = { gamma: gamma.below, delta: deltas.below };
  const end = upper.number();
  upper.require(end.sign() >= 0, "`upper` is negative");
  requireRisk(upper, end, coefficients(t, n, most, least, bits), ends, bits);
  const bound = bayesRisk(prior, n, most, { gamma: gamma.above, delta: deltas.above }, bits);
  lower.require(lower.number().atMost(bound), "`lower` is above the risk of the prior");
}

/** Return t[a][c][y]. */
function readEstimator(place, n, most) {
  const rows = place.itemsOf(((most + 1) * (most + 2)) / 2);
  const t = [];
  let at = 0;
  for (let a = 0; a <= most; a++) {
    t.push([]);
    for (let c = 0; c <= a; c++) t[a].push(rows[at++].numbers(n - a + 1, MAX_PARAMETER_DIGITS));
  }
  return t;
}

function readCells(place) {
  const ends = place.items(MAX_RISK_ENTRIES).map((x) => x.number(MAX_PARAMETER_DIGITS));
  const all = [ZERO, ...ends, ONE];
  place.require(all.every((x, i) => i === 0 || all[i - 1].less(x)), "the ends of cells do not ascend within (0, 1)");
  return all;
}

function readPrior(pointsPlace, weightsPlace) {
  const points = pointsPlace.items(MAX_RISK_ENTRIES).map((x) => x.number(MAX_PARAMETER_DIGITS));
  points.forEach((x, i) => {
    pointsPlace.at(i).require(x.sign() >= 0 && x.atMost(ONE), "a point of the prior is not in [0, 1]");
  });
  const weights = weightsPlace.itemsOf(points.length).map((x) => x.number(MAX_PARAMETER_DIGITS));
  weights.forEach((w, i) => weightsPlace.at(i).require(w.sign() >= 0, "a weight of the prior is negative"));
  weightsPlace.require(sum(weights).equals(ONE), "the weights of the prior do not sum to 1");
  return { points, weights };
}

const floorOver = (x, d) => (x >= 0n || x % d === 0n ? x / d : x / d - 1n);
const ceilingOver = (x, d) => -floorOver(-x, d);
const roundedUp = (x, bits) => ceilingOver(x.n << BigInt(bits), x.d);

/** Split a row at u: return its left row, and its right row. */
function split(row, u) {
  const left = [row[0]];
  const right = [row.at(-1)];
  const rest = u.d - u.n;
  const cost = 2 * pieces(u.d) * pieces(row[0] | 1n);
  let current = row;
  while (current.length > 1) {
    charge(cost * current.length);
    const next = [];
    for (let i = 0; i + 1 < current.length; i++) next.push(ceilingOver(rest * current[i] + u.n * current[i + 1], u.d));
    current = next;
    left.push(current[0]);
    right.push(current.at(-1));
  }
  return [left, right.reverse()];
}

function binomials(n) {
  const row = [1n];
  for (let i = 1; i <= n; i++) row.push((row[i - 1] * BigInt(n - i + 1)) / BigInt(i));
  charge((n + 1) * (1 + n / 512));
  return row;
}

/** Return the rounded Bernstein coefficients b_0, ..., b_(n+2) of the risk in pi. */
function coefficients(t, n, most, { gamma, delta }, bits) {
  const first = ONE.over(gamma.plus(ONE));
  const second = gamma.minus(ONE).over(gamma);
  const outer = binomials(n + 2);
  const two = [1n, 2n, 1n];
  const F = [];
  for (let a = 0; a <= most; a++) {
    const sums = new Array(n + 3).fill(0n);
    const [ofA, rest] = [binomials(a), binomials(n - a)];
    for (let c = 0; c <= a; c++) {
      for (let k = 0; k < 3; k++) {
        const row = t[a][c].map((x) => {
          const y = x.minus(ONE);
          return roundedUp([x.times(x), x.times(y), y.times(y)][k], bits);
        });
        const [f] = split(split(row, first)[1], second);
        f.forEach((value, y) => {
          sums[c + k + y] += product(ofA[c] * two[k] * rest[y], value);
        });
      }
    }
    F.push(sums.map((x, m) => ceilingOver(x, outer[m])));
  }
  return outer.map((_, m) => split(F.map((row) => row[m]), delta)[0].at(-1));
}

/** Require that the polynomial with the coefficients b is at most `end` on all cells. */
function requireRisk(place, end, b, ends, bits) {
  const most = floorOver(end.n << BigInt(bits), end.d);
  let row = b;
  for (let i = 0; i + 1 < ends.length; i++) {
    const [left, right] = split(row, ends[i + 1].minus(ends[i]).over(ONE.minus(ends[i])));
    const place_ = left.findIndex((x) => x > most);
    place.require(place_ < 0, `\`upper\` is below coefficient ${place_} of the risk on cell ${i}`);
    row = right;
  }
}

/** Return the law of `count` with chance l from w, rounded down. */
function law(count, l, w) {
  let row = [w];
  const rest = l.d - l.n;
  const cost = 2 * pieces(l.d) * pieces(w | 1n);
  for (let i = 0; i < count; i++) {
    charge(cost * (i + 1));
    const next = [];
    for (let y = 0; y <= row.length; y++) next.push((rest * (row[y] ?? 0n) + l.n * (row[y - 1] ?? 0n)) / l.d);
    row = next;
  }
  return row;
}

/** Return the rounded mean risk over the prior of the best estimator. */
function bayesRisk({ points, weights }, n, most, { gamma, delta }, bits) {
  const D = commonMultiple(points.map((x) => x.d));
  const cells = new Map(); // (a, c, y) -> sums of w_acy times 1, D pi, D^2 pi^2
  points.forEach((pi, at) => {
    const scaled = pi.n * (D / pi.d);
    const square = product(scaled, scaled);
    const w = floorOver(weights[at].n << BigInt(bits), weights[at].d);
    const chance = ONE.plus(gamma.minus(ONE).times(pi)).over(gamma.plus(ONE));
    law(most === 0 ? 0 : n, delta, w).forEach((wa, a) => {
      if (wa === 0n) return;
      law(a, pi, wa).forEach((wac, c) => {
        if (wac === 0n) return;
        law(n - a, chance, wac).forEach((wacy, y) => {
          if (wacy === 0n) return;
          charge(4);
          const key = (a * (n + 1) + c) * (n + 1) + y;
          const sums = cells.get(key) ?? [0n, 0n, 0n];
          cells.set(key, [sums[0] + wacy, sums[1] + product(wacy, scaled), sums[2] + product(wacy, square)]);
        });
      });
    });
  });
  let total = 0n;
  for (const [A, B, C] of cells.values()) total += C - ceilingOver(product(B, B), A);
  return Fraction.of(total, product(product(D, D), 1n << BigInt(bits)));
}
