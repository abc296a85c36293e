// Rule 25: one inequality on finitely many rays bounds all private mechanisms (rays_rule.md).

import { charge, pieces, unknownKind } from "./budget.js";
import { absoluteSum, chiSquareValue, mutualInformation, squareOfNorm } from "./designs.js";
import { dot, Fraction, HALF, ONE, overOneDenominator, product, sum, whole, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";
import { isZeroDelta } from "./levels.js";
import { MAX_PATTERN_INPUTS } from "./limits.js";
import { identityMatrix, matrixProduct, matrixTimesVector, overOne, sameMatrix, trace, transposed } from "./matrices.js";
import { linearValue } from "./objectives.js";
import { readLogarithms } from "./pattern_rule.js";
import { requireSquares, visitPatterns } from "./patterns.js";
import { readDesignProblem } from "./problems.js";
import { FORM_KINDS, formReaches, formTest, isForm, isMeanOfVariances, needsDigits } from "./ray_forms.js";
import { raysOf } from "./rays.js";
import { allPairs, hasNoDelta, isUniform, readBrackets, readMechanism, requireInRegion } from "./regions.js";

const VARIANCES = ["a-optimal", "c-optimal", "contrasts", "variance", "e-optimal", "d-optimal"];
const OTHERS = [...FORM_KINDS, "chi-square", "mutual-information", "total-variation", "trace", "loss"];

/** Check rule 25. */
export function checkRays(problem, claim, witness) {
  const { region, objective, population: pi } = readDesignProblem(problem, [...VARIANCES, ...OTHERS], { several: true });
  region.place.require(!region.least && region.family === "all", "the rule needs the family all, without bounds on entries");
  const { kind } = objective;
  const positive = pi.every((x) => x.sign() > 0);
  problem.require(kind !== "d-optimal" || positive, "the rule needs positive shares for d-optimal");
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const parts = witness.fields(["rule", "gamma", "delta", "dual", "primal", "logarithms"]);
  const brackets = readBrackets(region, parts.gamma, parts.delta);
  readLogarithms(parts.logarithms, needsDigits(objective));
  const rows = readMechanism(mechanism, region.m, region.k);
  requireInRegion(mechanism, rows, region, brackets);
  const levels = levelsOf(region, brackets);
  const dual = readDual(parts.dual, region, objective, levels);
  requireInequality(dual, region, objective, levels, pi);
  const ends = { lower: lower.number(), upper: upper.number() };
  requireBound(dual, objective, pi, ends, { lower, upper });
  requireMechanismSide(parts.primal, objective, rows, pi, ends, { lower, upper });
}

/** Return C of a variance. */
function contrastsOf(objective, k) {
  if (objective.kind === "c-optimal") return [objective.contrast];
  if (objective.kind === "contrasts") return objective.contrasts;
  if (objective.kind === "variance") return [[ZERO, ONE]];
  return identityMatrix(k);
}

/** Return the levels of a region at `above`: {pairs, gamma, delta, hasDelta}. */
function levelsOf(region, { gamma, delta }) {
  const { k } = region;
  if (region.several) {
    return region.several.map(({ pairs, delta: own }, t) => {
      return { pairs, gamma: gamma[t].above, delta: delta[t].above, hasDelta: !isZeroDelta(own) };
    });
  }
  if (isUniform(region)) {
    return [{ pairs: allPairs(k), gamma: gamma.above, delta: delta.above, hasDelta: !hasNoDelta(region) }];
  }
  const levels = [];
  gamma.forEach((row, j) => row.forEach((bound, l) => {
    if (bound) levels.push({ pairs: [[j, l]], gamma: bound.above, delta: ZERO, hasDelta: false });
  }));
  return levels;
}

/** Return the slopes [j, l, beta, gamma, delta] with beta > 0 of a level. */
function readSlopes(place, { pairs, gamma, delta, hasDelta }, k) {
  if (!hasDelta) {
    place.null();
    return [];
  }
  const allowed = new Set(pairs.map(([j, l]) => j * k + l));
  const slopes = [];
  place.matrix(k, k).forEach((row, j) => row.forEach((x, l) => {
    const fits = allowed.has(j * k + l) ? x.sign() >= 0 : x.isZero();
    place.at(j).at(l).require(fits, "beta is negative, or not 0 on the diagonal or for a pair without the level");
    if (!x.isZero()) slopes.push([j, l, x, gamma, delta]);
  }));
  return slopes;
}

/** Return alpha, the slopes of beta, W (null or a matrix) and B. */
function readDual(place, region, objective, levels) {
  const { k } = region;
  const { alpha: alphaPlace, beta: betaPlace, matrix } = place.fields(["alpha", "beta", "matrix"]);
  const alpha = alphaPlace.numbers(k);
  let slopes = [];
  if (region.several) {
    slopes = betaPlace.itemsOf(levels.length).flatMap((one, t) => readSlopes(one, levels[t], k));
  } else if (isUniform(region)) {
    slopes = readSlopes(betaPlace, levels[0], k);
  } else {
    betaPlace.null();
  }
  const W = readW(matrix, objective, k);
  let B = sum(alpha);
  for (const [, , beta, , delta] of slopes) B = B.plus(delta.times(beta));
  return { alpha, slopes, W, B, place };
}

export function readW(place, objective, k) {
  const { kind } = objective;
  if (isMeanOfVariances(objective)) {
    return place.itemsOf(objective.weights.length).map((one) => readW(one, objective.objective, k));
  }
  if (!VARIANCES.includes(kind)) return place.null();
  const widths = { "e-optimal": null, "d-optimal": k - 1 };
  const width = kind in widths ? widths[kind] : contrastsOf(objective, k).length;
  const W = place.matrix(k, width);
  transposed(W).forEach((column, c) => place.require(sum(column).isZero(), `column ${c} of the matrix does not sum to 0`));
  if (kind === "d-optimal") {
    W.forEach((row, i) => row.forEach((x, j) => {
      place.at(i).at(j).require(i >= j || i >= k - 1 || x.isZero(), "an entry above the diagonal is not 0");
      place.at(i).at(j).require(i !== j || !x.isZero(), "an entry on the diagonal is 0");
    }));
  }
  return W;
}

/** Require the inequality of the objective on every ray. */
function requireInequality(dual, region, objective, levels, pi) {
  const { k } = region;
  const weights = objective.kind === "chi-square" ? objective.against : pi;
  const W = dual.W ?? (objective.kind === "chi-square" ? pi.map((x, j) => [x.minus(objective.against[j])]) : null);
  const test = rayTest(dual, region, objective, pi, W, weights);
  if (isUniform(region) && !levels[0].hasDelta) {
    const [{ gamma }] = levels;
    region.place.require(k <= MAX_PATTERN_INPUTS, `the rule takes at most ${MAX_PATTERN_INPUTS} inputs`);
    region.place.require(ONE.less(gamma), "gamma at `above` is 1");
    // a pattern is positive: (alpha.r)(r.weights) >= 0 says that alpha.r >= 0
    if (W && !isMeanOfVariances(objective)) return requireSquares(dual.place, gamma, W, dual.alpha, weights);
    const ray = new Array(k).fill(gamma.d);
    const flip = (j, step) => {
      ray[j] += step;
    };
    return visitPatterns(gamma, k, flip, () => test(ray));
  }
  const walls = levels.filter((one) => !one.hasDelta).flatMap(({ pairs, gamma }) => pairs.map(([j, l]) => [j, l, gamma]));
  const bends = dual.slopes.map(([j, l, , gamma]) => [j, l, gamma]);
  for (const ray of raysOf(walls, bends, k)) test(ray);
  return undefined;
}

/** Return the scalar product of two lists of integers. */
export const dotWhole = (a, b) => {
  let total = 0n;
  for (let i = 0; i < a.length; i++) if (a[i] !== 0n && b[i] !== 0n) total += product(a[i], b[i]);
  return total;
};

/** Return a function that requires the inequality on one ray of integers. */
function rayTest(dual, region, objective, pi, W, weights) {
  const { k } = region;
  const over = dual.slopes.map(([, , beta, gamma]) => new Fraction(beta.n, product(beta.d, gamma.d)));
  const { numbers, denominator: G } = overOneDenominator([...dual.alpha, ...over]);
  const alpha = numbers.slice(0, k);
  const slopes = dual.slopes.map(([j, l, , { n, d }], t) => [j, l, numbers[k + t], n, d]);
  const g = (ray) => {
    let total = dotWhole(alpha, ray);
    for (const [j, l, beta, n, d] of slopes) {
      const excess = product(d, ray[j]) - product(n, ray[l]);
      if (excess > 0n) total += product(beta, excess);
    }
    return total; // over G
  };
  const fail = (ray) => dual.place.reject(`the inequality fails at the ray ${rayText(ray)}`);
  if (isMeanOfVariances(objective)) return meanTest(W, objective, g, G, fail);
  if (isForm(objective)) return formTest(objective, g, G, pi, fail);
  if (W) {
    const own = overOne(transposed(W));
    const s = overOneDenominator(weights);
    const left = product(G, s.denominator);
    const right = product(own.denominator, own.denominator);
    return (ray) => {
      const bound = g(ray);
      let squares = 0n;
      for (const column of own.rows) {
        const x = dotWhole(column, ray);
        squares += product(x, x);
      }
      const holds = bound >= 0n && product(squares, left) <= product(product(bound, dotWhole(s.numbers, ray)), right);
      if (!holds) fail(ray);
    };
  }
  if (objective.kind === "mutual-information") return informationTest(g, G, pi, fail);
  const forms = linearForms(objective, pi).map((form) => overOneDenominator(form));
  return (ray) => {
    const bound = g(ray);
    for (const form of forms) {
      if (product(dotWhole(form.numbers, ray), G) > product(bound, form.denominator)) fail(ray);
    }
  };
}

/** Return the test of sum_b w_b abs(r W_b)^2/(r.pi_b) <= g(r) and g(r) >= 0, r W_b = 0 where r.pi_b = 0. */
export function meanTest(W, { weights, populations }, g, G, fail) {
  const columns = W.map(transposed);
  return (ray) => {
    const r = ray.map((x) => new Fraction(x));
    const bound = Fraction.of(g(ray), G);
    let total = ZERO;
    columns.forEach((own, b) => {
      const squares = sum(own.map((column) => dot(column, r).power(2)));
      const share = dot(r, populations[b]);
      if (share.isZero() && !squares.isZero()) fail(ray);
      if (!share.isZero()) total = total.plus(weights[b].times(squares).over(share));
    });
    if (bound.sign() < 0 || !total.atMost(bound)) fail(ray);
  };
}

/** Return the linear forms that g must bound. */
function linearForms(objective, pi) {
  if (objective.kind === "total-variation") {
    const v = pi.map((x, j) => x.minus(objective.against[j]).times(HALF));
    return [v, v.map((x) => x.negative())];
  }
  if (objective.kind === "trace") return objective.weights.map((w, i) => pi.map((_, j) => (i === j ? w : ZERO)));
  return objective.matrix.map((row) => row.map((loss, j) => pi[j].times(loss).negative()));
}

/** Return the test of sum_j pi_j r_j ln(r_j / s) <= g(r), s = r.pi: the same as with ln r_j and ln s apart. */
export function informationTest(g, G, pi, fail) {
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
export const rayText = (ray) => {
  const text = ray.join(" ");
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
};

/** Require the end that the dual proves. */
export function requireBound({ W, B, place }, objective, pi, ends, places) {
  const k = pi.length;
  const lower = (holds) => places.lower.require(holds, "`lower` is above the bound of the dual");
  const upper = (holds) => places.upper.require(holds, "`upper` is below the bound of the dual");
  if (W) place.require(B.sign() > 0, "B, the bound of the dual, is not positive");
  if (isMeanOfVariances(objective)) {
    const C = contrastsOf(objective.objective, k);
    const total = sum(objective.weights.map((w, b) => w.times(trace(matrixProduct(C, W[b])))));
    return lower(ends.lower.times(B).atMost(total.power(2)));
  }
  switch (objective.kind) {
    case "a-optimal":
    case "c-optimal":
    case "contrasts":
    case "variance":
      return lower(ends.lower.atMost(trace(matrixProduct(contrastsOf(objective, k), W)).power(2).over(B)));
    case "e-optimal":
      return lower(ends.lower.atMost(squareOfNorm(W.flat()).over(B)));
    case "d-optimal": {
      // (k-1) ln(B/(k-1)) - 2 sum ln abs(W_jj) is the logarithm of one fraction
      const determinant = W.slice(0, k - 1).map((row, j) => row[j]).reduce((a, b) => a.times(b)).power(2);
      const value = B.over(whole(k - 1)).power(k - 1).over(determinant);
      return upper(Interval.of(value).log().highIsAtMost(ends.upper));
    }
    case "loss":
      return lower(ends.lower.atMost(B.negative()));
    case "bayes":
    case "trace":
    case "payoff":
    case "chi-square":
    case "mutual-information":
    case "total-variation":
    case "kullback-leibler":
    case "hellinger":
    case "jensen-shannon":
    case "alpha-divergence":
      return upper(B.atMost(ends.upper));
    default:
      return unknownKind(objective.kind);
  }
}

/** Require the end that the mechanism proves. */
export function requireMechanismSide(primal, objective, rows, pi, ends, places) {
  const lower = (holds) => places.lower.require(holds, "`lower` is above the value of the mechanism");
  const upper = (holds) => places.upper.require(holds, "`upper` is below the value of the mechanism");
  if (isMeanOfVariances(objective)) {
    const { objective: inner, weights, populations } = objective;
    const { estimators } = primal.fields(["estimators"]);
    const traces = estimators.itemsOf(weights.length).map((one, b) => {
      return weights[b].times(trace(covarianceOf(one, contrastsOf(inner, pi.length), rows, populations[b])));
    });
    return upper(sum(traces).atMost(ends.upper));
  }
  if (VARIANCES.includes(objective.kind)) return requireEstimator(primal, objective, rows, pi, ends, { lower, upper });
  primal.fields([]);
  if (isForm(objective)) return lower(formReaches(objective, rows, pi, ends.lower));
  switch (objective.kind) {
    case "chi-square":
      return lower(ends.lower.atMost(chiSquareValue(rows, pi, objective.against)));
    case "total-variation":
      return lower(ends.lower.atMost(absoluteSum(rows, pi.map((x, j) => x.minus(objective.against[j]).times(HALF)))));
    case "trace":
      return lower(ends.lower.atMost(linearValue(objective, rows, pi)));
    case "loss":
      return upper(linearValue(objective, rows, pi).atMost(ends.upper));
    case "mutual-information":
      return lower(mutualInformation(rows, pi).lowIsAtLeast(ends.lower));
    default:
      return unknownKind(objective.kind);
  }
}

/** Return V = A diag(lambda) A^T - (C pi)(C pi)^T of an estimator A, which must be unbiased: A P = C. */
export function covarianceOf(estimator, C, rows, pi) {
  const A = estimator.matrix(C.length, rows.length);
  estimator.require(sameMatrix(matrixProduct(A, rows), C), "the estimator is not unbiased");
  const lambda = matrixTimesVector(rows, pi);
  const scaled = A.map((row) => row.map((x, i) => x.times(lambda[i])));
  const mean = matrixTimesVector(C, pi);
  const second = matrixProduct(scaled, transposed(A));
  return second.map((row, i) => row.map((x, j) => x.minus(mean[i].times(mean[j]))));
}

function requireEstimator(primal, objective, rows, pi, ends, { lower, upper }) {
  const k = pi.length;
  const { kind } = objective;
  const withFactor = kind === "e-optimal" || kind === "d-optimal";
  const { estimator, factor } = primal.fields(["estimator", ...(withFactor ? ["factor"] : [])]);
  const V = covarianceOf(estimator, contrastsOf(objective, k), rows, pi);
  if (!withFactor) return upper(trace(V).atMost(ends.upper));
  if (kind === "e-optimal") {
    const F = factor.matrix(k, null);
    const FF = matrixProduct(F, transposed(F));
    const D = V.map((row, i) => row.map((x, j) => (i === j ? ends.upper : ZERO).minus(x).minus(FF[i][j])));
    return requireDominant(factor, D);
  }
  const F = factor.matrix(k - 1, k - 1);
  F.forEach((row, i) => row.forEach((x, j) => {
    factor.at(i).at(j).require(i >= j || x.isZero(), "an entry above the diagonal is not 0");
    factor.at(i).at(j).require(i !== j || !x.isZero(), "an entry on the diagonal is 0");
  }));
  const FF = matrixProduct(F, transposed(F));
  requireDominant(factor, FF.map((row, i) => row.map((x, j) => x.minus(V[i][j]))));
  const determinant = F.map((row, j) => row[j]).reduce((a, b) => a.times(b)).power(2);
  return lower(Interval.of(determinant.inverse()).log().lowIsAtLeast(ends.lower));
}

function requireDominant(place, D) {
  D.forEach((row, i) => {
    const others = sum(row.filter((_, j) => j !== i).map((x) => x.abs()));
    place.require(others.atMost(row[i]), `row ${i} of what is left is not diagonally dominant`);
  });
}
