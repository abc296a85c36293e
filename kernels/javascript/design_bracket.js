// The statement `design-bracket` (design_bracket.md): the optimum of a design problem lies in a bracket.

import { checkBlocks, OF_BLOCKS } from "./blocks_way.js";
import { readBranches, requireOnBranches } from "./branches_way.js";
import { checkFormula } from "./formula_way.js";
import { checkGroups, GROUPED } from "./groups_way.js";
import { valueAt } from "./rational_sums.js";
import { requireOnRays } from "./rays_way.js";
import { LINEAR, linearValue, RATIONAL, readObjective, readPolytope, readPopulation } from "./objectives.js";
import { dot, largest, ONE, sum, TWO, whole, ZERO } from "./fractions.js";
import { Interval, readDigits } from "./intervals.js";
import { deltaBracket, isZeroDelta, readDelta, readLevel, bracketProver } from "./levels.js";
import { MAX_ENTRIES, MAX_LIST, MAX_PARAMETER_DIGITS } from "./limits.js";
import { identityMatrix, matrixProduct, matrixTimesVector, pivotsOf, positiveDeterminant, sameMatrix, squareOfNorm, transposed } from "./matrices.js";
import { holds, isAfter } from "./places.js";
import { formReaches, needsDigits, valueOf } from "./ray_forms.js";
import { readCuts, requireOnValues } from "./values_way.js";
import { isDivergenceLevel, readCellBound, readDivergenceRegion, requireOnCells, requirePrivate } from "./cells_way.js";
import { allPairs, criterionBracket, readMechanism, readPairs, requireExcess, requireParity } from "./regions.js";

const WORST = "conditional-variance";
const VARIANCES = ["a-optimal", "c-optimal", "contrasts", "variance", WORST];
const OF_VALUES = ["c-optimal", WORST]; // one contrast
const WEIGHTED = ["e-optimal", "d-optimal"];
const QUADRATIC = [...VARIANCES, ...WEIGHTED];

/** Check the statement. */
export function checkDesignBracket(problem, claim, proof) {
  const parts = problem.fields(["inputs", "outputs", "levels", "bounds", "objective", "population"]);
  if (proof.named("way") === "formula") {
    checkFormula(parts, claim, proof, readLevels);
    return;
  }
  const k = parts.inputs.integer(2, MAX_ENTRIES);
  const m = parts.outputs.value === "any" ? null : parts.outputs.integer(2, MAX_ENTRIES);
  parts.bounds.require(!parts.bounds.has("inequalities") || proof.named("way") === "linear", "inequalities in several entries need the linear way");
  const objective = readObjective(parts.objective, { k, m });
  const { kind } = objective;
  const isWorst = kind === WORST;
  const isPolytope = parts.population.isObject() && !parts.population.has("mixture");
  const inCells = isDivergenceLevel(parts.levels);
  if (proof.named("way") === "groups") {
    proof.at("way").require(kind in GROUPED, "groups do not serve this objective");
    const given = proof.fields(["way", "brackets", "alpha", ...GROUPED[kind]]);
    const region = { k, m, levels: readLevels(parts.levels, given.brackets, k), ...readBounds(parts.bounds, k, m) };
    checkGroups({ kind, region, population: readPopulation(parts.population, k), claim, given, proof });
    return;
  }
  if (proof.named("way") === "blocks") {
    proof.at("way").require(OF_BLOCKS.includes(kind) && !inCells, "blocks do not serve this objective and these levels");
    const given = proof.fields(["way", "brackets", "line", "bends", ...(needsDigits(objective) ? ["digits"] : [])]);
    const region = { k, m, levels: readLevels(parts.levels, given.brackets, k), ...readBounds(parts.bounds, k, m) };
    checkBlocks({ parts, region, objective, claim, given, proof }, requireMember);
    return;
  }
  const branched = proof.named("way") === "branches";
  const keys = ["way", "brackets"];
  if (branched) keys.push("duals", "cells");
  else keys.push("alpha", inCells ? "curves" : proof.named("way") === "values" ? "cuts" : "slopes");
  if (!branched && !parts.bounds.isNull()) keys.push("limits");
  if (parts.bounds.has("inequalities")) keys.push("inequalities");
  if (!branched && QUADRATIC.includes(kind)) keys.push("vectors");
  if (QUADRATIC.includes(kind)) keys.push("estimators");
  if (WEIGHTED.includes(kind)) keys.push("weights");
  if (isPolytope || isWorst) keys.push("point");
  if (kind === "distance") keys.push("lines");
  if (proof.named("way") === "linear") keys.push("multipliers");
  if (kind === RATIONAL) keys.push("convexity");
  if (needsDigits(objective) || inCells) keys.push("digits");
  parts.objective.require(!inCells || !LINEAR.includes(kind), "a level of divergences takes no linear objective");
  parts.objective.require(!inCells || kind !== RATIONAL, "a level of divergences takes no rational function");
  const given = proof.fields(keys);
  given.way.oneOf(waysOf(kind, inCells));
  if (given.digits) readDigits(given.digits);
  const region = inCells
    ? readDivergenceRegion(parts, given.brackets)
    : { k, m, levels: readLevels(parts.levels, given.brackets, k), ...readBounds(parts.bounds, k, m) };
  const { lower, upper, mechanism } = claim.fields(["lower", "upper", "mechanism"]);
  const rows = readMechanism(mechanism, m, k);
  if (inCells) requirePrivate(mechanism, rows, region);
  else requireMember(mechanism.at("matrix"), rows, region);
  const ends = { lower: lower.number(), upper: upper.number() };
  claim.require(ends.lower.atMost(ends.upper), "`lower` is above `upper`");
  const branches = branched ? readBranches(given, region, (dual) => readBound(dual, region)) : null;
  const bound = inCells ? readCellBound(given, region) : branched ? null : readBound(given, region);
  const cuts = given.cuts ? readCuts(given.cuts, region) : null;
  const prove = (phi) => {
    if (cuts) requireOnValues(given.cuts, region, bound, cuts, phi);
    else (inCells ? requireOnCells : requireOnRays)(proof, region, bound, phi);
  };
  const mixture = readDistributions(parts.population, kind, k, given.point);
  const design = { region, objective, mixture, rows, ends, places: { lower, upper }, bound, branches, prove, given, proof };
  if (LINEAR.includes(kind)) checkLinear(design);
  else if (VARIANCES.includes(kind)) checkVariances(design, isPolytope ? readPolytope(parts.population, k) : null);
  else if (kind === "e-optimal") checkEigenvalue(design);
  else if (kind === "d-optimal") checkDeterminant(design);
  else if (kind === RATIONAL) checkRational(design);
  else checkSum(design);
}

/** Return the ways that serve an objective, beside those of groups and of a formula. */
function waysOf(kind, inCells) {
  if (inCells) return ["cells"];
  const ways = ["rays"];
  if (LINEAR.includes(kind)) ways.push("linear");
  if (VARIANCES.includes(kind) && kind !== WORST) ways.push("branches");
  if (OF_VALUES.includes(kind)) ways.push("values");
  return ways;
}

// Reading.

/** Return the levels of a problem, with the brackets that the proof has for them. */
export function readLevels(place, brackets, k) {
  const prove = bracketProver();
  const listed = place.items();
  const proofs = brackets.itemsOf(listed.length);
  return listed.map((one, t) => {
    const { epsilon, delta, pairs } = one.fields(["epsilon", "delta", "pairs"]);
    const own = proofs[t].fields(["gamma", "delta"]);
    const all = pairs.value === "all";
    const slack = readDelta(delta);
    const hasDelta = !isZeroDelta(slack);
    let gamma;
    if (epsilon.has("up")) {
      const { up, down } = epsilon.fields(["up", "down"]);
      one.require(!hasDelta && all, "the level of a criterion has a delta, or not all pairs");
      gamma = criterionBracket(up, down, own.gamma);
    } else {
      gamma = prove(own.gamma, epsilon, readLevel(epsilon));
    }
    return { gamma, delta: deltaBracket(own.delta, slack), hasDelta, pairs: all ? null : readPairs(pairs, k) };
  });
}

/** Return least and most, or null for both, and the inequalities in several entries. */
export function readBounds(place, k, m) {
  if (place.isNull()) return { least: null, most: null, inequalities: [] };
  place.require(m !== null, "bounds on entries need a number of outputs");
  const rows = place.has("inequalities") ? ["inequalities"] : [];
  const { least, most, inequalities } = place.fields(["least", "most", ...rows]);
  const ends = { least: least.matrix(m, k), most: most.matrix(m, k) };
  return { ...ends, inequalities: inequalities?.items(MAX_ENTRIES, 1).map((one) => readInequality(one, k, m)) ?? [] };
}

/** Return the functions of each part of an inequality, lists of terms [output, input, coefficient], and its bound. */
function readInequality(place, k, m) {
  const { parts, bound } = place.fields(["parts", "bound"]);
  const readTerms = (terms) => {
    const found = [];
    for (const one of terms.items()) {
      const [i, j, x] = one.itemsOf(3);
      const at = [i.integer(0, m - 1), j.integer(0, k - 1)];
      one.require(found.length === 0 || isAfter(at, found.at(-1).at), "the terms of a function do not ascend strictly");
      const value = x.number();
      x.require(!value.isZero(), "a coefficient of a function is 0");
      found.push({ at, value });
    }
    return found;
  };
  const functions = parts.items(MAX_ENTRIES, 1).map((part) => part.items(MAX_ENTRIES, 1).map(readTerms));
  return { parts: functions, bound: bound.number() };
}

/** Require that a mechanism satisfies every level at `below`, and the bounds. */
export function requireMember(place, rows, { k, levels, least, most, inequalities }) {
  for (const { gamma, delta, hasDelta, pairs } of levels) {
    if (!hasDelta && pairs === null) requireParity(place, rows, gamma.below);
    else requireExcess(place, rows, pairs ?? allPairs(k), gamma.below, delta.below);
  }
  if (least === null) return;
  rows.forEach((row, i) => row.forEach((x, j) => {
    place.at(i).at(j).require(least[i][j].atMost(x) && x.atMost(most[i][j]), "an entry is beyond its bounds");
  }));
  inequalities.forEach(({ parts, bound }, c) => {
    const left = parts.map((part) => largest(part.map((terms) => sum(terms.map(({ at: [i, j], value }) => value.times(rows[i][j]))))));
    place.require(sum(left).atMost(bound), `the mechanism does not satisfy inequality ${c}`);
  });
}

/** Return the level and the pair of three places. */
function readPlace([t, j, l], { k, levels }) {
  const at = [t.integer(0, levels.length - 1), j.integer(0, k - 1), l.integer(0, k - 1)];
  const { pairs } = levels[at[0]];
  const has = pairs === null ? at[1] !== at[2] : pairs.some(([a, b]) => a === at[1] && b === at[2]);
  t.parent.require(has, "the level does not have the pair");
  return at;
}

/** Return alpha + L_i (one row, or one for each output), the slopes and B. */
export function readBound(given, region) {
  const { k, m, levels, least, most } = region;
  const alpha = given.alpha.numbers(k);
  let value = sum(alpha);
  const slopes = [];
  for (const place of given.slopes?.items() ?? []) {
    const [t, j, l, number] = place.itemsOf(4);
    const at = readPlace([t, j, l], region);
    const beta = number.number();
    const { gamma, delta, hasDelta } = levels[at[0]];
    place.require(slopes.length === 0 || isAfter(at, slopes.at(-1).at), "the slopes do not ascend strictly");
    place.require(hasDelta, "a slope belongs to a level whose delta is 0");
    number.require(beta.sign() > 0, "a slope is not positive");
    slopes.push({ at, j: at[1], l: at[2], beta, gamma: gamma.above });
    value = value.plus(beta.times(delta.above));
  }
  if (least === null) return { alphas: [alpha], slopes, value };
  const limits = given.limits.matrix(m, k);
  const spent = limits.map((row, i) => sum(row.map((x, j) => x.times(x.sign() > 0 ? most[i][j] : least[i][j]))));
  const alphas = limits.map((row) => row.map((x, j) => x.plus(alpha[j])));
  value = value.plus(sum(spent));
  if (region.inequalities.length > 0) value = value.plus(addInequalities(given.inequalities, region, alphas));
  return { alphas, slopes, value };
}

/** Add the functions of the inequalities, times their multipliers, to the rows; return the sum of y_c b_c. */
function addInequalities(place, { inequalities }, alphas) {
  const spent = place.itemsOf(inequalities.length).map((one, c) => {
    const { parts, bound } = inequalities[c];
    const totals = one.itemsOf(parts.length).map((listed, n) => {
      const weights = listed.numbers(parts[n].length);
      weights.forEach((y, a) => {
        listed.require(y.sign() >= 0, "a multiplier of an inequality is negative");
        for (const { at: [i, j], value } of parts[n][a]) alphas[i][j] = alphas[i][j].plus(y.times(value));
      });
      return sum(weights);
    });
    one.require(totals.every((total) => total.equals(totals[0])), "the multipliers of the parts do not have equal sums");
    return totals[0].times(bound);
  });
  return sum(spent);
}

/** Return the distributions with their weights: {weights, populations}; none for a trace and a distance. */
function readDistributions(place, kind, k, point) {
  if (["trace", "distance", WORST, RATIONAL].includes(kind)) {
    place.null();
    if (kind !== WORST) return { weights: [], populations: [] };
    return { weights: [ONE], populations: [readPopulation(point.fields(["shares"]).shares, k)] };
  }
  if (!place.isObject()) return { weights: [ONE], populations: [readPopulation(place, k)] };
  if (place.has("mixture")) {
    place.require(![...LINEAR, ...WEIGHTED].includes(kind), "the objective takes no mixture of distributions");
    const listed = place.fields(["mixture"]).mixture.items(MAX_LIST, 1).map((one) => one.fields(["weight", "shares"]));
    const weights = listed.map(({ weight }) => weight.number(MAX_PARAMETER_DIGITS));
    weights.forEach((w, b) => listed[b].weight.require(w.sign() > 0, "a weight is not positive"));
    place.require(sum(weights).equals(ONE), "the weights do not sum to 1");
    return { weights, populations: listed.map(({ shares }) => readPopulation(shares, k)) };
  }
  place.require(VARIANCES.includes(kind), "the objective takes no polytope of distributions");
  const { shares } = point.fields(["shares", place.has("vertices") ? "weights" : "multipliers"]);
  return { weights: [ONE], populations: [readPopulation(shares, k)] };
}

// Both ends.

function requireLower({ ends, places }, value, what) {
  places.lower.require(ends.lower.atMost(value), `\`lower\` is above ${what}`);
}

function requireUpper({ ends, places }, value, what) {
  places.upper.require(value.atMost(ends.upper), `\`upper\` is below ${what}`);
}

const BOUND = "the bound of the proof";
const VALUE = "the value of the mechanism";

function positiveBound({ bound, proof }) {
  proof.require(bound.value.sign() > 0, "B, the bound of the proof, is not positive");
  return bound.value;
}

// Linear objectives.

function checkLinear(design) {
  const { region, objective, mixture, rows, bound, given } = design;
  const [pi] = mixture.populations;
  const value = linearValue(objective, rows, pi);
  let lines;
  if (objective.kind === "trace") {
    lines = objective.weights.map((w, i) => rows[0].map((_, j) => (i === j ? w : ZERO)));
    requireLower(design, value, VALUE);
    requireUpper(design, bound.value, BOUND);
  } else if (objective.kind === "loss") {
    lines = objective.matrix.map((row) => row.map((loss, j) => pi[j].times(loss).negative()));
    requireUpper(design, value, VALUE);
    requireLower(design, bound.value.negative(), BOUND);
  } else {
    lines = given.lines.matrix(rows.length, region.k);
    const norms = lines.flat().map((z) => z.abs());
    const norm = objective.norm === "largest" ? sum(norms) : largest(norms);
    given.lines.require(norm.atMost(ONE), "the dual norm of the lines is above 1");
    requireUpper(design, value, VALUE);
    requireLower(design, dot(lines.flat(), objective.matrix.flat()).minus(bound.value), BOUND);
  }
  if (given.multipliers) requireByMultipliers(design, lines);
  else design.prove({ lines, own: true });
}

/** Require v_ij <= alpha_j + L_ij + sum x_jl - sum gamma_t x_lj (linear_way.md). */
export function requireByMultipliers({ region, bound, given }, lines) {
  const left = lines.map((line, i) => line.map((v, j) => [(bound.alphas[i] ?? bound.alphas[0])[j], v.negative()]));
  const allowed = new Map(bound.slopes.map(({ at, beta }) => [at.join(), beta]));
  let last = [-1];
  for (const place of given.multipliers.items()) {
    const [output, t, j, l, number] = place.itemsOf(5);
    const at = [output.integer(0, lines.length - 1), ...readPlace([t, j, l], region)];
    const x = number.number();
    place.require(isAfter(at, last), "the multipliers do not ascend strictly");
    number.require(x.sign() > 0, "a multiplier is not positive");
    const [i, own, a, b] = at;
    const { gamma, hasDelta } = region.levels[own];
    number.require(!hasDelta || x.atMost(allowed.get(at.slice(1).join()) ?? ZERO), "a multiplier is above the slope of its pair");
    left[i][a].push(x);
    left[i][b].push(x.times(gamma.above).negative());
    last = at;
  }
  left.forEach((row, i) => row.forEach((terms, j) => {
    given.multipliers.require(sum(terms).sign() >= 0, `the inequality of output ${i} is not proved at input ${j}`);
  }));
}

// Sums of convex functions of the rows.

function checkSum(design) {
  const { objective, mixture, rows, bound, ends, places } = design;
  const { weights, populations } = mixture;
  const [pi] = populations;
  const single = weights.length === 1;
  let phi = { form: objective, ...mixture };
  const isNonnegative = objective.kind !== "payoff" && ends.lower.sign() <= 0;
  const infinite = objective.kind === "chi-square" && rows.some((row) => row.some((x) => !x.isZero()) && dot(row, objective.against).isZero());
  places.lower.require(!infinite || populations.every((own) => rows.every((row) => finite(row, own, objective.against))), "the value is infinite");
  places.lower.require(isNonnegative || formReaches(phi, rows, ends.lower), `\`lower\` is above ${VALUE}`);
  requireUpper(design, bound.value, BOUND);
  if (single && objective.kind === "chi-square") {
    const apart = pi.map((x, j) => x.minus(objective.against[j]));
    phi = { vectors: [apart], d: [ONE], shares: objective.against };
  } else if (single && objective.kind === "payoff") {
    phi = { lines: objective.matrix.map((row) => row.map((u, j) => u.times(pi[j]))), own: false };
  } else if (single && objective.kind === "total-variation") {
    const half = pi.map((x, j) => x.minus(objective.against[j]).over(TWO));
    phi = { lines: [half, half.map((x) => x.negative())], own: false };
  }
  design.prove(phi);
}

/** Check a sum of a rational function of the rows, whose convexity the file proves. */
function checkRational(design) {
  const { objective, rows, bound, places, given } = design;
  const used = rows.filter((row) => row.some((x) => !x.isZero()));
  const value = sum(used.map((row) => valueAt(places.lower, objective, row)));
  const isMaximum = objective.sense === "maximise";
  if (isMaximum) {
    requireLower(design, value, VALUE);
    requireUpper(design, bound.value, BOUND);
  } else {
    requireUpper(design, value, VALUE);
    requireLower(design, bound.value.negative(), BOUND);
  }
  const signed = (x) => (isMaximum ? x : x.negative());
  design.prove({ value: (row) => signed(valueAt(places.lower, objective, row)), convexity: given.convexity, objective });
}

/** Return whether (p.(pi - q))^2/(p.q) is finite. */
const finite = (row, pi, q) => !dot(row, q).isZero() || dot(row, pi).isZero();

// Variances, E and D.

/** Return C. */
function contrastsOf({ kind, contrast, contrasts }, k) {
  if (kind === "c-optimal" || kind === WORST) return [contrast];
  if (kind === "contrasts") return contrasts;
  return kind === "variance" ? [[ZERO, ONE]] : identityMatrix(k);
}

/** Return the vectors w_j, whose entries sum to 0. */
function readVectors(place, k, count) {
  const vectors = place.matrix(count, k);
  vectors.forEach((w, j) => place.at(j).require(sum(w).isZero(), "the entries of a vector do not sum to 0"));
  return vectors;
}

function checkVariances(design, polytope) {
  const { region, objective, mixture, rows, bound, branches, given, ends } = design;
  const { weights, populations } = mixture;
  const C = contrastsOf(objective, region.k);
  const estimators = given.estimators.itemsOf(weights.length);
  const isWorst = objective.kind === WORST;
  const [y] = populations;
  const value = isWorst
    ? largest(conditionalVariances(estimators[0], C, rows))
    : polytope
    ? worstCase(design, polytope, tangentOf(estimators[0], C, rows, populations[0]))
    : sum(populations.map((pi, b) => weights[b].times(totalVarianceOf(estimators[b], C, rows, pi))));
  requireUpper(design, value, "the variance of the estimators");
  // the lower end of the variance at the point, of which the variance of x is a part
  const least = isWorst ? ends.lower.plus(dot(y, C[0].map((x) => x.power(2)))).minus(dot(y, C[0]).power(2)) : ends.lower;
  const duals = branches ? branches.duals : [{ vectors: given.vectors, value: bound.value }];
  const phis = duals.map((dual) => readSquares(design, least, C, dual));
  const isAsked = ends.lower.sign() > 0; // a variance is at least 0
  if (branches) requireOnBranches(region, branches, isAsked ? phis.map(valueOf) : null);
  else if (isAsked) design.prove(phis[0]);
}

/** Return phi of a dual with the bound B, which must prove that the variance is at least `least`. */
function readSquares({ region, mixture, ends, places }, least, C, { vectors: place, value }) {
  const { weights, populations } = mixture;
  const vectors = place.itemsOf(weights.length).map((one) => readVectors(one, region.k, C.length));
  const reached = sum(vectors.map((own, b) => weights[b].times(sum(own.map((w, j) => dot(C[j], w))))));
  const proves = value.sign() < 0 || (!reached.isZero() && least.times(value).atMost(reached.power(2)));
  places.lower.require(ends.lower.sign() <= 0 || proves, `\`lower\` is above ${BOUND}`);
  if (weights.length > 1) return { mean: mixture, parts: vectors };
  return { vectors: vectors[0], d: vectors[0].map(() => ONE), shares: populations[0] };
}

/** Return an estimator A, which must be unbiased: A P = C. */
function readEstimator(place, C, rows) {
  const A = place.matrix(C.length, rows.length);
  place.require(sameMatrix(matrixProduct(A, rows), C), "the estimator is not unbiased");
  return A;
}

/** Return sum_i z_i^2 p_ij - x_j^2 of each input, for an estimator z of the numbers x. */
function conditionalVariances(estimator, C, rows) {
  const [z] = readEstimator(estimator, C, rows);
  const squares = z.map((value) => value.power(2));
  return transposed(rows).map((column, j) => dot(squares, column).minus(C[0][j].power(2)));
}

/** Return t, the tangent of the estimator's variance at pi. */
function tangentOf(estimator, C, rows, pi) {
  const A = readEstimator(estimator, C, rows);
  const norms = transposed(A).map(squareOfNorm);
  const mean = C.map((c) => dot(c, pi));
  return transposed(rows).map((column, j) => {
    const along = dot(mean, C.map((c) => c[j]));
    return dot(norms, column).minus(TWO.times(along)).plus(squareOfNorm(mean));
  });
}

/** Return the largest t.q over the polytope, as the point proves it. */
function worstCase({ given, mixture }, { vertices, rows }, t) {
  const [pi] = mixture.populations;
  if (vertices) {
    requireMean(given.point.at("weights"), vertices, pi);
    return largest(vertices.map((vertex) => dot(t, vertex)));
  }
  requireSatisfied(given.point.at("shares"), rows, pi);
  return worstOverRows(given.point.at("multipliers"), rows, t);
}

/** Return vectors, weights d_j and the covariance of the estimator of pi. */
function readQuadratic({ region, mixture, rows, given }, count) {
  const { k } = region;
  const vectors = readVectors(given.vectors.itemsOf(1)[0], k, count);
  const d = given.weights.numbers(vectors.length);
  const [pi] = mixture.populations;
  return { vectors, d, shares: pi, V: covarianceOf(given.estimators.itemsOf(1)[0], identityMatrix(k), rows, pi) };
}

function checkEigenvalue(design) {
  const { given, ends, places } = design;
  const { V, ...phi } = readQuadratic(design, null);
  phi.d.forEach((x, j) => given.weights.at(j).require(x.sign() >= 0, "a weight of a vector is negative"));
  const left = V.map((row, i) => row.map((x, j) => (i === j ? ends.upper : ZERO).minus(x)));
  places.upper.require(pivotsOf(left) !== null, "`upper` is below the largest eigenvalue");
  if (ends.lower.sign() <= 0) return;
  const reached = sum(phi.vectors.map((w, j) => phi.d[j].times(squareOfNorm(w))));
  requireLower(design, reached.over(positiveBound(design)), BOUND);
  design.prove(phi);
}

function checkDeterminant(design) {
  const { region, given, ends, places } = design;
  const n = region.k - 1;
  const { V, ...phi } = readQuadratic(design, n);
  phi.vectors.forEach((w, j) => {
    const fits = w.every((x, i) => (i === j ? x.equals(ONE) : i > j || x.isZero()));
    given.vectors.require(fits, `vector ${j} is not 1 at entry ${j} and 0 before it`);
  });
  phi.d.forEach((x, j) => given.weights.at(j).require(x.sign() > 0, "a weight of a vector is not positive"));
  const minor = positiveDeterminant(V.slice(0, n).map((row) => row.slice(0, n)));
  places.lower.require(minor !== null, "the covariance is not positive definite");
  const low = Interval.of(minor.inverse()).log();
  places.lower.require(low.lowIsAtLeast(ends.lower), "`lower` is above the value of the mechanism");
  // (k-1) ln(B/(k-1)) - sum ln d_j is the logarithm of one fraction
  const volume = positiveBound(design).over(whole(n)).power(n).over(phi.d.reduce((a, b) => a.times(b)));
  places.upper.require(Interval.of(volume).log().highIsAtMost(ends.upper), "`upper` is below the bound of the proof");
  design.prove(phi);
}

/** Require that pi satisfies the rows of a polytope. */
function requireSatisfied(place, rows, pi) {
  rows.forEach(({ coefficients, relation, bound }, i) => {
    place.require(holds(relation, dot(coefficients, pi).compare(bound)), `the population does not satisfy row ${i}`);
  });
}

/** Require that pi is the mean of the vertices with these weights. */
function requireMean(weights, vertices, pi) {
  const w = weights.numbers(vertices.length);
  w.forEach((x, i) => weights.at(i).require(x.sign() >= 0, "a weight is negative"));
  weights.require(sum(w).equals(ONE), "the weights do not sum to 1");
  pi.forEach((share, j) => {
    const mean = dot(w, vertices.map((vertex) => vertex[j]));
    weights.require(mean.equals(share), "the population is not the mean of the vertices");
  });
}

/** Return the bound of t.q over a polytope of rows that multipliers prove, y_0 last. */
function worstOverRows(place, rows, t) {
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

/** Return the trace of the V below: its other entries are not needed. */
function totalVarianceOf(estimator, C, rows, pi) {
  const A = readEstimator(estimator, C, rows);
  const lambda = matrixTimesVector(rows, pi);
  const mean = matrixTimesVector(C, pi);
  const squares = A.map((row) => dot(row.map((x) => x.power(2)), lambda));
  return sum(squares.map((x, i) => x.minus(mean[i].power(2))));
}

/** Return V = A diag(lambda) A^T - (C pi)(C pi)^T of an estimator A. */
function covarianceOf(estimator, C, rows, pi) {
  const A = readEstimator(estimator, C, rows);
  const lambda = matrixTimesVector(rows, pi);
  const scaled = A.map((row) => row.map((x, i) => x.times(lambda[i])));
  const mean = matrixTimesVector(C, pi);
  const second = matrixProduct(scaled, transposed(A));
  return second.map((row, i) => row.map((x, j) => x.minus(mean[i].times(mean[j]))));
}
