// The way of rays: phi_i <= g_i on finitely many rows implies it on all possible rows (rays_way.md).

import { charge, pieces } from "./budget.js";
import { dot, dotWhole, Fraction, ONE, overOneDenominator, product, sum, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";
import { MAX_PATTERN_INPUTS } from "./limits.js";
import { overOne } from "./matrices.js";
import { requireForm, visitPatterns } from "./patterns.js";
import { formTest } from "./ray_forms.js";
import { staircaseRatio } from "./branches_way.js";
import { raysOf } from "./rays.js";
import { allPairs } from "./regions.js";

/**
 * Require phi_i <= g_i on every ray. phi is one of
 *   {lines, own}: line i belongs to output i if `own`, else all of them to every output;
 *   {vectors, d, shares}: sum_j d_j (p.w_j)^2 / (p.shares);
 *   {mean, parts}: the mean of such functions over a mixture;
 *   {form, weights, populations}: the mean of an objective's terms, which are enclosed.
 */
export function requireOnRays(place, region, bound, phi) {
  const { k, levels } = region;
  const gamma = staircaseRatio(region);
  if (gamma && phi.lines) return requireLines(place, gamma, bound, phi);
  const tests = testsOf(place, bound, phi);
  if (!gamma) {
    const walls = levels
      .filter((one) => !one.hasDelta)
      .flatMap(({ pairs, gamma }) => (pairs ?? allPairs(k)).map(([j, l]) => [j, l, gamma.above]));
    const bends = bound.slopes.map(({ j, l, gamma }) => [j, l, gamma]);
    for (const ray of raysOf(walls, bends, k)) for (const test of tests) test(ray);
    return undefined;
  }
  place.require(k <= MAX_PATTERN_INPUTS, `the way of rays takes at most ${MAX_PATTERN_INPUTS} inputs`);
  if (phi.vectors) {
    // a pattern is positive: (alpha.r)(r.shares) >= 0 says that alpha.r >= 0
    const Q = formOf(phi);
    for (const alpha of bound.alphas) requireForm(place, gamma, Q, alpha, phi.shares);
    return undefined;
  }
  const ray = new Array(k).fill(gamma.d);
  const flip = (j, step) => {
    ray[j] += step;
  };
  return visitPatterns(gamma, k, flip, () => tests.forEach((test) => test(ray)));
}

/** Return sum_j d_j w_j w_j^T. */
function formOf({ vectors, d }) {
  return vectors[0].map((_, a) => vectors[0].map((__, b) => sum(vectors.map((w, j) => d[j].times(w[a]).times(w[b])))));
}

/** Return the functions that test a ray of integers, one for each output with its own line or alpha. */
function testsOf(place, { alphas, slopes }, phi) {
  const over = slopes.map(({ beta, gamma }) => new Fraction(beta.n, product(beta.d, gamma.d)));
  const { numbers, denominator: G } = overOneDenominator([...alphas.flat(), ...over]);
  const k = alphas[0].length;
  const bends = slopes.map(({ j, l, gamma: { n, d } }, t) => [j, l, numbers[alphas.length * k + t], n, d]);
  const g = alphas.map((_, i) => (ray) => {
    let total = dotWhole(numbers.slice(i * k, (i + 1) * k), ray);
    for (const [j, l, beta, n, d] of bends) {
      const excess = product(d, ray[j]) - product(n, ray[l]);
      if (excess > 0n) total += product(beta, excess);
    }
    return total; // over G
  });
  const fail = (ray) => place.reject(`the inequality fails at the ray ${rayText(ray)}`);
  if (phi.lines) return pairsOf(phi, g).map(([line, own]) => lineTest(line, own, G, fail));
  if (phi.vectors) return g.map((own) => squaresTest(phi, own, G, fail));
  if (phi.mean) return g.map((own) => meanTest(phi, own, G, fail));
  const [pi, ...others] = phi.populations;
  const isInformation = phi.form.kind === "mutual-information" && others.length === 0;
  return g.map((own) => (isInformation ? informationTest(own, G, pi, fail) : formTest(phi, own, G, fail)));
}

/** Return the lines with g (or alpha) of their outputs. */
function pairsOf({ lines, own }, listed) {
  if (own) return lines.map((line, i) => [line, listed[i] ?? listed[0]]);
  return lines.flatMap((line) => listed.map((one) => [line, one]));
}

function lineTest(line, g, G, fail) {
  const { numbers, denominator } = overOneDenominator(line);
  return (ray) => {
    if (product(dotWhole(numbers, ray), G) > product(g(ray), denominator)) fail(ray);
  };
}

/** Return the test of sum_j d_j (r.w_j)^2 <= g(r) (r.shares) and g(r) >= 0. */
function squaresTest({ vectors, d, shares }, g, G, fail) {
  const own = overOne(vectors);
  const weights = overOneDenominator(d);
  const s = overOneDenominator(shares);
  const left = product(G, s.denominator);
  const right = product(product(own.denominator, own.denominator), weights.denominator);
  return (ray) => {
    const bound = g(ray);
    let squares = 0n;
    own.rows.forEach((w, j) => {
      const x = dotWhole(w, ray);
      squares += product(weights.numbers[j], product(x, x));
    });
    const holds = bound >= 0n && product(squares, left) <= product(product(bound, dotWhole(s.numbers, ray)), right);
    if (!holds) fail(ray);
  };
}

/** Require line.r <= alpha.r on {1, gamma}^k: the least value of x.r is the sum of the smaller of x_j and gamma x_j. */
function requireLines(place, gamma, { alphas }, phi) {
  for (const [line, alpha] of pairsOf(phi, alphas)) {
    const x = alpha.map((a, j) => a.minus(line[j]));
    const least = sum(x.map((y) => (y.sign() < 0 ? y.times(gamma) : y)));
    place.require(least.sign() >= 0, "the inequality of an output fails on a ray of entries 1 and gamma");
  }
}

/** Return the function `sum_b w_b abs(r W_b)^2/(r.pi_b)` of a row, or one quotient of squares; 0/0 is 0, it is null where it is infinite. */
export function sumOfSquares({ vectors, d, shares, mean, parts: listed }) {
  const parts = vectors
    ? [[ONE, vectors, d, shares]]
    : listed.map((one, b) => [mean.weights[b], one, null, mean.populations[b]]);
  return (r) => {
    let total = ZERO;
    for (const [weight, own, scales, divisor] of parts) {
      const squares = sum(own.map((w, j) => dot(r, w).power(2).times(scales ? scales[j] : ONE)));
      const s = dot(r, divisor);
      if (s.isZero() && !squares.isZero()) return null;
      if (!s.isZero()) total = total.plus(weight.times(squares).over(s));
    }
    return total;
  };
}

/** Return the test of such a sum: it is at most g(r). */
function meanTest(phi, g, G, fail) {
  const value = sumOfSquares(phi);
  return (ray) => {
    const total = value(ray.map((x) => new Fraction(x)));
    if (total === null || !total.atMost(Fraction.of(g(ray), G))) fail(ray);
  };
}

/** Return the test of sum_j pi_j r_j ln(r_j / s) <= g(r), s = r.pi: the same as with ln r_j and ln s apart. */
function informationTest(g, G, pi, fail) {
  const logarithms = new Map();
  const logOf = (x) => {
    const key = x.toString();
    if (logarithms.size > 4096) logarithms.clear();
    if (!logarithms.has(key)) logarithms.set(key, Interval.of(x).log());
    return logarithms.get(key);
  };
  return (ray) => {
    const r = ray.map((x) => new Fraction(x));
    const s = dot(pi, r);
    let total = Interval.of(ZERO);
    const terms = new Map(); // inputs with equal entries together
    r.forEach((x, j) => {
      charge(4 * pieces(x.n));
      const factor = pi[j].times(x);
      if (!factor.isZero()) terms.set(x.n, (terms.get(x.n) ?? ZERO).plus(factor));
    });
    for (const [x, factor] of terms) {
      const ratio = new Fraction(x).over(s);
      if (!ratio.equals(ONE)) total = total.plus(Interval.of(factor).times(logOf(ratio)));
    }
    if (!total.highIsAtMost(Fraction.of(g(ray), G))) fail(ray);
  };
}

/** Return a ray as a short text. */
const rayText = (ray) => {
  const text = ray.join(" ");
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
};
