// Rule 5: one inequality on all patterns bounds all private mechanisms (pattern_rule.md).

import { charge } from "./budget.js";
import {
  absoluteSum, chiSquareValue, informationMatrix, mutualInformation, requireInverse, requirePositiveRows, requireSolution,
  squareOfNorm,
} from "./designs.js";
import { dot, Fraction, HALF, ONE, smaller, sum, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_COVER_DIGITS, MAX_PATTERN_INPUTS } from "./limits.js";
import { identityMatrix, isSemidefinite, isSymmetric, matrixProduct, positiveMinors, roundedDown, trace } from "./matrices.js";
import { patternText, requireForm, requireSquares } from "./patterns.js";
import { readDesignProblem, requireOneLevel } from "./problems.js";
import { hasNoDelta, readBrackets, readMechanism, requireInRegion } from "./regions.js";

const OBJECTIVES = [
  "a-optimal", "variance", "c-optimal", "d-optimal", "e-optimal", "chi-square", "mutual-information", "total-variation",
];

/** Check rule 5. */
export function checkPattern(problem, claim, witness) {
  const { region, objective, population: pi } = readDesignProblem(problem, OBJECTIVES);
  requireOneLevel(region);
  const { kind } = objective;
  const withDelta = !hasNoDelta(region);
  const binary = region.k === 2 && ["a-optimal", "variance"].includes(kind);
  region.place.require(!withDelta || binary, "with delta the rule serves a-optimal and variance of 2 inputs");
  region.place.require(kind !== "variance" || region.m !== 2, "for the variance the rule needs outputs other than 2");
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const parts = witness.fields(["rule", "gamma", "delta", "dual", "patterns", "primal", "logarithms"]);
  const brackets = readBrackets(region, parts.gamma, parts.delta);
  const gamma = brackets.gamma.above;
  parts.gamma.require(withDelta || ONE.less(gamma), "gamma at `above` is 1");
  readLogarithms(parts.logarithms, ["mutual-information", "d-optimal"].includes(kind));
  readMethod(parts.patterns, kind, region.k);
  const rows = readMechanism(mechanism, region.m, region.k);
  requireInRegion(mechanism, rows, region, brackets);
  requirePositiveRows(mechanism, rows, pi);
  const stated = { region, objective, pi, brackets, gamma, rows, parts, withDelta, lower: lower.number(), upper: upper.number() };
  RULES[kind](stated, { lower, upper });
}

/** Read {"digits": d} or [], and set the digits of intervals. */
export function readLogarithms(place, needed) {
  if (!needed) {
    place.itemsOf(0);
    return;
  }
  setDigits(place.fields(["digits"]).digits.integer(1, MAX_COVER_DIGITS));
}

function readMethod(place, kind, k) {
  if (kind === "total-variation") {
    place.null();
    return;
  }
  place.fields(["kind"]).kind.oneOf(["enumeration"]);
  place.require(k <= MAX_PATTERN_INPUTS, `an enumeration takes at most ${MAX_PATTERN_INPUTS} inputs`);
}

const RULES = {
  "a-optimal": variances,
  variance: variances,
  "c-optimal": contrasts,
  "d-optimal": determinants,
  "e-optimal": eigenvalues,
  "chi-square": chiSquares,
  "mutual-information": informations,
  "total-variation": totalVariations,
};

const requireEnd = (place, holds, words) => place.require(holds, `\`${place.key}\` is not ${words}`);

function variances({ region, objective, pi, brackets, gamma, rows, parts, withDelta, lower, upper }, ends) {
  const half = objective.kind === "variance" ? HALF : ONE;
  const { alpha, W, excess } = readMatrixDual(parts.dual, region.k, withDelta);
  const total = sum(alpha).plus(brackets.delta.above.times(sum(excess)));
  parts.dual.require(total.sign() > 0, "the sum of alpha is not positive");
  requireSquares(parts.dual, gamma, W, alpha, pi);
  if (withDelta) {
    W.forEach((row, j) => {
      const holds = squareOfNorm(row).atMost(alpha[j].plus(excess[j]).times(pi[j]));
      parts.dual.require(holds, `the inequality fails at the unit vector of input ${j}`);
    });
  }
  const squares = squareOfNorm(pi);
  const bound = trace(W).power(2).over(total).minus(squares).times(half);
  requireEnd(ends.lower, lower.equals(bound), "the bound of the dual");
  const value = requireInverse(parts.primal, informationMatrix(rows, pi)).minus(squares).times(half);
  requireEnd(ends.upper, upper.equals(value), "the value of the mechanism");
}

/** Read {"alpha", "matrix"}, with delta {"excess"} too. */
function readMatrixDual(place, k, withExcess) {
  const parts = place.fields(["alpha", "matrix", ...(withExcess ? ["excess"] : [])]);
  const excess = withExcess ? parts.excess.numbers(2) : [];
  if (withExcess) excess.forEach((x, j) => parts.excess.at(j).require(x.sign() >= 0, "an excess is negative"));
  return { alpha: parts.alpha.numbers(k), W: parts.matrix.matrix(k, k), excess, matrix: parts.matrix };
}

/** Return the bound of the dual of a variance at one population, before the squares of shares are subtracted. */
function varianceBound(place, gamma, pi, contrast) {
  const k = pi.length;
  let [alpha, W, top] = [null, null, null];
  if (contrast) {
    const parts = place.fields(["alpha", "vector"]);
    alpha = parts.alpha.numbers(k);
    const y = parts.vector.numbers(k);
    W = y.map((x) => [x]);
    top = dot(contrast, y);
  } else {
    const read = readMatrixDual(place, k, false);
    [alpha, W] = [read.alpha, read.W];
    top = trace(W);
  }
  const total = sum(alpha);
  place.require(total.sign() > 0, "the sum of alpha is not positive");
  requireSquares(place, gamma, W, alpha, pi);
  return top.power(2).over(total);
}

function contrasts({ objective, pi, gamma, rows, parts, lower, upper }, ends) {
  const { contrast } = objective;
  const mean = dot(contrast, pi).power(2);
  const bound = varianceBound(parts.dual, gamma, pi, contrast).minus(mean);
  requireEnd(ends.lower, lower.equals(bound), "the bound of the dual");
  const value = requireSolution(parts.primal, informationMatrix(rows, pi), contrast).minus(mean);
  requireEnd(ends.upper, upper.equals(value), "the value of the mechanism");
}

/** Return R: M, or M rounded down as `primal` says. */
function roundedMatrix(primal, rows, pi) {
  const M = informationMatrix(rows, pi);
  const { rounded } = primal.fields(["rounded"]);
  if (rounded.isNull()) return M;
  const digits = rounded.integer(1, MAX_COVER_DIGITS);
  const less = Fraction.of(BigInt(pi.length), 10n ** BigInt(digits));
  return M.map((row, i) => row.map((x, j) => (i === j ? roundedDown(x, digits).minus(less) : roundedDown(x, digits))));
}

function determinants({ region, pi, gamma, rows, parts, lower, upper }, ends) {
  const { alpha, W, matrix } = readMatrixDual(parts.dual, region.k, false);
  matrix.require(isSymmetric(W), "the matrix is not symmetric");
  const minors = positiveMinors(W);
  matrix.require(minors !== null, "the matrix is not positive definite");
  const total = sum(alpha);
  parts.dual.require(total.sign() > 0, "the sum of alpha is not positive");
  requireForm(parts.dual, gamma, W, alpha, pi);
  const bound = total.over(whole(region.k)).power(region.k).over(minors.at(-1));
  requireEnd(ends.upper, Interval.of(bound).log().highIsAtMost(upper), "at least the bound of the dual");
  const own = positiveMinors(roundedMatrix(parts.primal, rows, pi));
  parts.primal.require(own !== null, "the rounded M is not positive definite");
  requireEnd(ends.lower, Interval.of(own.at(-1)).log().lowIsAtLeast(lower), "at most the value of the mechanism");
}

function eigenvalues({ region, pi, gamma, rows, parts, lower, upper }, ends) {
  const { k } = region;
  const { alpha, W, matrix } = readMatrixDual(parts.dual, k, false);
  matrix.require(isSymmetric(W), "the matrix is not symmetric");
  W.forEach((row, j) => matrix.at(j).require(sum(row).isZero(), "a row of the matrix does not sum to 0"));
  matrix.require(isSemidefinite(W), "the matrix is not positive semidefinite");
  const total = sum(alpha);
  parts.dual.require(total.sign() > 0, "the sum of alpha is not positive");
  requireForm(parts.dual, gamma, W, alpha, pi);
  requireEnd(ends.lower, lower.atMost(trace(W).over(total)), "at most the bound of the dual");
  requireEnd(ends.upper, upper.sign() > 0, "positive");
  const R = roundedMatrix(parts.primal, rows, pi);
  const C = identityMatrix(k).map((row) => row.map((x) => x.minus(ONE.over(whole(k)))));
  const inner = R.map((row, i) => row.map((x, j) => upper.times(x).minus(i === j ? ONE : ZERO)));
  const whole_ = matrixProduct(matrixProduct(C, inner), C);
  requireEnd(ends.upper, isSemidefinite(whole_), "at least the value of the mechanism");
}

function chiSquares({ region, objective, pi, gamma, rows, parts, lower, upper }, ends) {
  const alpha = parts.dual.fields(["alpha"]).alpha.numbers(region.k);
  parts.primal.fields([]);
  const W = pi.map((x, j) => [x.minus(objective.against[j])]);
  requireSquares(parts.dual, gamma, W, alpha, objective.against);
  requireEnd(ends.upper, upper.equals(sum(alpha)), "the sum of alpha");
  requireEnd(ends.lower, lower.equals(chiSquareValue(rows, pi, objective.against)), "the value of the mechanism");
}

function totalVariations({ region, objective, pi, gamma, rows, parts, lower, upper }, ends) {
  const alpha = parts.dual.fields(["alpha"]).alpha.numbers(region.k);
  parts.primal.fields([]);
  const v = pi.map((x, j) => x.minus(objective.against[j]).times(HALF));
  for (const sign of [ONE, ONE.negative()]) {
    const d = alpha.map((a, j) => a.minus(sign.times(v[j])));
    const worst = sum(d.map((x) => smaller(x, gamma.times(x))));
    parts.dual.require(worst.sign() >= 0, "the linear inequality of the dual fails at a pattern");
  }
  requireEnd(ends.upper, upper.equals(sum(alpha)), "the sum of alpha");
  requireEnd(ends.lower, lower.equals(absoluteSum(rows, v)), "the value of the mechanism");
}

function informations({ region, pi, gamma, rows, parts, lower, upper }, ends) {
  const { k } = region;
  const alpha = parts.dual.fields(["alpha"]).alpha.numbers(k);
  parts.primal.fields([]);
  const logOfGamma = Interval.of(gamma).log();
  for (let bits = 0; bits < 2 ** k; bits++) {
    charge(20 + k);
    const heavy = pi.filter((_, j) => (bits >> j) & 1);
    const share = sum(heavy);
    const linear = sum(alpha.map((a, j) => ((bits >> j) & 1 ? a.times(gamma) : a)));
    let holds = linear.sign() >= 0;
    if (!share.isZero() && !share.equals(ONE)) {
      const s = ONE.plus(gamma.minus(ONE).times(share));
      const own = Interval.of(gamma.times(share)).times(logOfGamma);
      const whole_ = Interval.of(s).times(Interval.of(s).log());
      holds = Interval.of(linear).minus(own).plus(whole_).isAtLeastZero();
    }
    parts.dual.require(holds, `the inequality fails at pattern ${patternText(bits, k)}`);
  }
  requireEnd(ends.upper, upper.equals(sum(alpha)), "the sum of alpha");
  const proved = lower.sign() <= 0 || mutualInformation(rows, pi).lowIsAtLeast(lower);
  requireEnd(ends.lower, proved, "at most the value of the mechanism");
}
