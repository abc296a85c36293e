// Rule 15: the least worst case over a polytope of populations (saddle_rule.md).

import { squareOfNorm } from "./designs.js";
import { dot, largest, ONE, sum, TWO } from "./fractions.js";
import { MAX_PATTERN_INPUTS } from "./limits.js";
import { identityMatrix, matrixProduct, sameMatrix, transposed } from "./matrices.js";
import { readPopulation } from "./objectives.js";
import { varianceBound } from "./pattern_rule.js";
import { readPolytopeProblem, requireOneLevel } from "./problems.js";
import { hasNoDelta, readBrackets, readMechanism, requireInRegion } from "./regions.js";

/** Check rule 15. */
export function checkSaddle(problem, claim, witness) {
  const { region, objective, polytope } = readPolytopeProblem(problem, ["a-optimal", "c-optimal"]);
  requireOneLevel(region);
  region.place.require(hasNoDelta(region), "the rule needs delta 0");
  const { k, m } = region;
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const parts = witness.fields(["rule", "gamma", "delta", "dual", "population", "weights", "estimator", "multipliers"]);
  const brackets = readBrackets(region, parts.gamma, parts.delta);
  parts.gamma.require(ONE.less(brackets.gamma.above), "gamma at `above` is 1");
  region.place.require(k <= MAX_PATTERN_INPUTS, `the rule takes at most ${MAX_PATTERN_INPUTS} inputs`);
  const pi = readPopulation(parts.population, k);
  requireMember(parts, polytope, pi);
  const { contrast } = objective;
  const bound = varianceBound(parts.dual, brackets.gamma.above, pi, contrast);
  const fixed = contrast ? dot(contrast, pi).power(2) : squareOfNorm(pi);
  lower.require(lower.number().equals(bound.minus(fixed)), "`lower` is not the bound of the dual");
  const rows = readMechanism(mechanism, m, k);
  requireInRegion(mechanism, rows, region, brackets);
  const C = contrast ? [contrast] : identityMatrix(k);
  const T = parts.estimator.matrix(C.length, rows.length);
  parts.estimator.require(sameMatrix(matrixProduct(T, rows), C), "the estimator is not unbiased");
  const norms = transposed(T).map(squareOfNorm);
  const t = pi.map((share, j) => {
    const scale = contrast ? TWO.times(dot(contrast, pi)).times(contrast[j]) : TWO.times(share);
    return dot(norms, rows.map((row) => row[j])).minus(scale).plus(fixed);
  });
  upper.require(upper.number().equals(worstCase(parts.multipliers, polytope, t)), "`upper` is not the worst case of the estimator");
}

/** Require that pi lies in the polytope. */
function requireMember({ population, weights }, { vertices, rows }, pi) {
  if (vertices) return requireMean(weights, vertices, pi);
  weights.null();
  return requireSatisfied(population, rows, pi);
}

/** Require that pi satisfies the rows of a polytope. */
export function requireSatisfied(place, rows, pi) {
  rows.forEach(({ coefficients, relation, bound }, i) => {
    const sign = dot(coefficients, pi).compare(bound);
    const holds = relation === "=" ? sign === 0 : relation === ">=" ? sign >= 0 : sign <= 0;
    place.require(holds, `the population does not satisfy row ${i}`);
  });
}

/** Require that pi is the mean of the vertices with these weights. */
export function requireMean(weights, vertices, pi) {
  const w = weights.numbers(vertices.length);
  w.forEach((x, i) => weights.at(i).require(x.sign() >= 0, "a weight is negative"));
  weights.require(sum(w).equals(ONE), "the weights do not sum to 1");
  pi.forEach((share, j) => {
    const mean = dot(w, vertices.map((vertex) => vertex[j]));
    weights.require(mean.equals(share), "the population is not the mean of the vertices");
  });
}

/** Return the largest t.q over the polytope, as the multipliers prove it. */
function worstCase(place, { vertices, rows }, t) {
  if (!vertices) return worstOverRows(place, rows, t);
  place.null();
  return largest(vertices.map((vertex) => dot(t, vertex)));
}

/** Return the bound of t.q over a polytope of rows that multipliers prove, y_0 last. */
export function worstOverRows(place, rows, t) {
  const y = place.numbers(rows.length + 1);
  const last = y[rows.length];
  rows.forEach(({ relation }, i) => {
    const sign = y[i].sign();
    const fits = relation === "=" || (relation === "<=" ? sign >= 0 : sign <= 0);
    place.at(i).require(fits, "a multiplier has the wrong sign");
  });
  t.forEach((value, j) => {
    const own = sum([last, ...rows.map(({ coefficients }, i) => y[i].times(coefficients[j]))]);
    place.require(value.atMost(own), `the multipliers do not bound input ${j}`);
  });
  return sum([last, ...rows.map(({ bound }, i) => y[i].times(bound))]);
}

