// The way of rays: phi_i <= g_i on finitely many rows implies it on all possible rows (rays_way.md).

import { dotWhole, Fraction, ONE, overOneDenominator, product, sum } from "./fractions.js";
import { doubtfulRows } from "./information.js";
import { MAX_PATTERN_INPUTS } from "./limits.js";
import { overOne } from "./matrices.js";
import { requireForm, visitPatterns } from "./patterns.js";
import { formOf, valueOf } from "./ray_forms.js";
import { staircaseRatio } from "./branches_way.js";
import { raysOf } from "./rays.js";
import { requireConvex } from "./rational_sums.js";
import { allPairs } from "./regions.js";

/**
 * Require phi_i <= g_i on every ray. phi is one of
 *   {lines, own}: line i belongs to output i if `own`, else all of them to every output;
 *   {vectors, d, shares}: sum_j d_j (p.w_j)^2 / (p.shares);
 *   {mean, parts}: the mean of such functions over a mixture;
 *   {form, weights, populations}: the mean of an objective's terms, which are enclosed;
 *   {value, convexity, objective}: a rational function of the row, and the proof that it is convex.
 */
export function requireOnRays(place, region, bound, phi) {
  const { k, levels } = region;
  const gamma = staircaseRatio(region);
  if (gamma && phi.lines) return requireLines(place, gamma, bound, phi);
  const isPattern = Boolean(gamma);
  place.require(!isPattern || k <= MAX_PATTERN_INPUTS, `the way of rays takes at most ${MAX_PATTERN_INPUTS} inputs`);
  if (isPattern && phi.vectors) {
    // a pattern is positive: (alpha.r)(r.shares) >= 0 says that alpha.r >= 0
    const Q = formOf(phi);
    for (const alpha of bound.alphas) requireForm(place, gamma, Q, alpha, phi.shares);
    return undefined;
  }
  if (isPattern && isInformation(phi) && k > FEW_INPUTS) {
    for (const alpha of bound.alphas) {
      const tests = testsOf(place, { ...bound, alphas: [alpha] }, phi);
      doubtfulRows(alpha, gamma, phi.populations[0])((ray) => tests.forEach((test) => test(ray)));
    }
    return undefined;
  }
  const visit = isPattern ? patternsOf(gamma, k) : listOf(levels, bound, k);
  if (phi.convexity) requireConvex(phi.convexity, phi.objective, visit);
  const tests = testsOf(place, bound, phi);
  return visit((ray) => tests.forEach((test) => test(ray)));
}

const FEW_INPUTS = 3; // up to this number all rows are tested directly: tangents would not spare any

/** Return whether phi is the information at one distribution. */
const isInformation = ({ form, weights }) =>
  form?.kind === "mutual-information" && weights.length === 1 && weights[0].equals(ONE);

/** Return a function that calls another one with each ray of entries 1 and gamma. */
function patternsOf(gamma, k) {
  return (test) => {
    const ray = new Array(k).fill(gamma.d);
    const flip = (j, step) => {
      ray[j] += step;
    };
    visitPatterns(gamma, k, flip, () => test(ray));
  };
}

/** Return a function that calls another one with each ray of the levels. */
function listOf(levels, bound, k) {
  const walls = levels
    .filter((one) => !one.hasDelta)
    .flatMap(({ pairs, gamma }) => (pairs ?? allPairs(k)).map(([j, l]) => [j, l, gamma.above]));
  const bends = bound.slopes.map(({ j, l, gamma }) => [j, l, gamma]);
  const rays = raysOf(walls, bends, k);
  return (test) => rays.forEach(test);
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
  if (phi.value) return g.map((own) => exactTest(phi.value, own, G, fail));
  return g.map((own) => valueTest(valueOf(phi), own, G, fail));
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

/** Return the test of phi(r) <= g(r)/G. */
function valueTest(value, g, G, fail) {
  return (ray) => {
    if (!value(ray.map((x) => new Fraction(x))).highIsAtMost(Fraction.of(g(ray), G))) fail(ray);
  };
}

/** Return the test of phi(r) <= g(r)/G for fractions. */
function exactTest(value, g, G, fail) {
  return (ray) => {
    if (!value(ray.map((x) => new Fraction(x))).atMost(Fraction.of(g(ray), G))) fail(ray);
  };
}

/** Return a ray as a short text. */
const rayText = (ray) => {
  const text = ray.join(" ");
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
};
