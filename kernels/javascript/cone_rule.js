// Rule 22: few answers, bounds on entries (cone_rule.md).

import { charge } from "./budget.js";
import { informationMatrix, requireInverse, requireSolution, squareOfNorm } from "./designs.js";
import { dot, HALF, larger, ONE, smaller, sum, ZERO } from "./fractions.js";
import { MAX_ENTRIES, MAX_ORDERED_INPUTS, MAX_PATTERN_INPUTS } from "./limits.js";
import { trace, transposed } from "./matrices.js";
import { requireSquares } from "./patterns.js";
import { readDesignProblem } from "./problems.js";
import { hasNoDelta, readBrackets, readMechanism, requireInRegion } from "./regions.js";

/** Check rule 22. */
export function checkCones(problem, claim, witness) {
  const { region, objective, population: pi } = readDesignProblem(problem, ["a-optimal", "c-optimal"]);
  const { k, m, kind, family } = region;
  const served = ["differential-privacy", "criterion"].includes(kind) && family === "all" && hasNoDelta(region);
  region.place.require(served && m !== null, "the rule needs one level, delta 0, and a number of outputs");
  region.place.require(k <= MAX_PATTERN_INPUTS, `the rule takes at most ${MAX_PATTERN_INPUTS} inputs`);
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const parts = witness.fields(["rule", "gamma", "delta", "primal", "duals", "cells"]);
  const brackets = readBrackets(region, parts.gamma, parts.delta);
  parts.gamma.require(ONE.less(brackets.gamma.above), "gamma at `above` is 1");
  const rows = readMechanism(mechanism, m, k);
  requireInRegion(mechanism, rows, region, brackets);
  const { contrast } = objective;
  const q = contrast ? dot(contrast, pi).power(2) : squareOfNorm(pi);
  const M = informationMatrix(rows, pi);
  const own = contrast ? requireSolution(parts.primal, M, contrast) : requireInverse(parts.primal, M);
  upper.require(upper.number().equals(own.minus(q)), "`upper` is not the value of the mechanism");
  const g = reach(region, brackets.gamma.above);
  region.place.require(ONE.less(g), "the reach of the entries is 1");
  const end = lower.number();
  const duals = parts.duals.items(MAX_ENTRIES, 1).map((place) => readDual(place, region, contrast));
  duals.forEach((dual) => requireBound(dual, region, end, q));
  if (parts.cells.isNull()) {
    parts.duals.require(duals.length === 1, "one cell needs one dual");
    const [dual] = duals;
    const answers = dual.beta ? m : 1;
    for (let i = 0; i < answers; i++) requireSquares(dual.place, g, dual.W, weightsOf(dual, i), pi);
    return;
  }
  region.place.require(k <= MAX_ORDERED_INPUTS, `cells take at most ${MAX_ORDERED_INPUTS} inputs`);
  checkCells(parts.cells, region, duals, g, pi);
}

/** Return the reach: the largest ratio of two entries of one answer. */
function reach({ least, most, k, m }, gamma) {
  if (!least) return gamma;
  let g = ZERO;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < k; j++) {
      const others = sum(least.filter((_, h) => h !== i).map((row) => row[j]));
      const u = smaller(most[i][j], ONE.minus(others));
      for (let l = 0; l < k; l++) {
        if (l === j) continue;
        if (least[i][l].sign() <= 0) return gamma;
        g = larger(g, u.over(least[i][l]));
      }
    }
  }
  return smaller(gamma, g);
}

/** Return a dual: alpha, beta (null or a matrix), W with k rows, and t. */
function readDual(place, { k, m, least }, contrast) {
  const parts = place.fields(["alpha", contrast ? "vector" : "matrix", "bounds"]);
  const alpha = parts.alpha.numbers(k);
  const W = contrast ? parts.vector.numbers(k).map((x) => [x]) : parts.matrix.matrix(k, k);
  const t = contrast ? dot(contrast, W.map(([x]) => x)) : trace(W);
  let beta = null;
  if (!parts.bounds.isNull()) {
    parts.bounds.require(least !== null, "bounds need a region of the kind bounded");
    beta = parts.bounds.matrix(m, k);
  }
  return { alpha, W, t, beta, place, served: new Set() };
}

const weightsOf = ({ alpha, beta }, i) => (beta ? alpha.map((a, j) => a.plus(beta[i][j])) : alpha);

/** Require condition 3. */
function requireBound({ alpha, beta, t, place }, { least, most }, lower, q) {
  const extra = (beta ?? []).flatMap((row, i) => row.map((b, j) => b.times(b.sign() > 0 ? most[i][j] : least[i][j])));
  const B = sum([...alpha, ...extra]);
  if (B.sign() < 0) return;
  const holds = !t.isZero() && lower.plus(q).times(B).atMost(t.power(2));
  place.require(holds, "`lower` is above the bound of this dual");
}

/** Return all orders of the inputs, lexicographically. */
function orders(k) {
  if (k === 0) return [[]];
  const found = [];
  const extend = (order) => {
    if (order.length === k) found.push(order);
    for (let j = 0; j < k; j++) if (!order.includes(j)) extend([...order, j]);
  };
  extend([]);
  return found;
}

const sameRows = (matrix) => matrix.every((row) => row.every((x, j) => x.equals(matrix[0][j])));

function checkCells(place, region, duals, g, pi) {
  const { k, m, least, most } = region;
  const tokens = place.items();
  const exchangeable = !least || (sameRows(least) && sameRows(most));
  const known = new Map();
  const generator = (members) => {
    const key = members.join();
    if (!known.has(key)) known.set(key, { name: key, r: pi.map((_, j) => (members.includes(j) ? g : ONE)) });
    return known.get(key);
  };
  const cones = orders(k).map((order) =>
    Array.from({ length: k }, (_, s) => generator(order.slice(0, s).sort((a, b) => a - b))),
  );
  let at = 0;
  let halvings = 0;
  const next = () => {
    place.require(at < tokens.length, "the tokens end before the cells");
    return tokens[at++];
  };
  const settle = (first) => {
    const open = [first];
    while (open.length > 0) {
      const cell = open.pop();
      const token = next();
      charge(m + open.length);
      if (token.isText()) {
        requireServed(duals[readPlace(token, duals.length)], cell, pi);
        continue;
      }
      const [answer, a, b] = token.itemsOf(3);
      const i = answer.integer(0, m - 1);
      const [x, y] = [a.integer(0, k - 1), b.integer(0, k - 1)];
      token.require(x !== y, "a cell is halved between a generator and itself");
      const mean = { name: `h${halvings++}`, r: cell[i][x].r.map((v, j) => v.plus(cell[i][y].r[j]).times(HALF)) };
      const put = (where) => cell.map((cone, h) => (h === i ? cone.map((one, s) => (s === where ? mean : one)) : cone));
      open.push(put(x), put(y));
    }
  };
  // m-tuples of orders, lexicographically; without descents where answers may be exchanged
  const tuple = new Array(m).fill(0);
  for (;;) {
    settle(tuple.map((order) => cones[order]));
    let i = m - 1;
    while (i >= 0 && tuple[i] === cones.length - 1) i--;
    if (i < 0) break;
    tuple[i]++;
    tuple.fill(exchangeable ? tuple[i] : 0, i + 1);
  }
  place.require(at === tokens.length, "tokens are left over");
}

function readPlace(token, count) {
  const at = token.integer(0, Math.max(0, count - 1));
  token.require(at < count, "no such dual");
  return at;
}

/** Require condition 2 of a dual for a cell; what was proved for an answer and a generator is not proved again. */
function requireServed(dual, cell, pi) {
  const columns = (dual.columns ??= transposed(dual.W));
  cell.forEach((cone, i) => {
    for (const { name, r } of cone) {
      const key = dual.beta ? `${i}:${name}` : name;
      if (dual.served.has(key)) continue;
      const squares = sum(columns.map((column) => dot(r, column).power(2)));
      const bound = dot(weightsOf(dual, i), r).times(dot(r, pi));
      dual.place.require(squares.atMost(bound), `the inequality fails for answer ${i} at a generator of a cell`);
      dual.served.add(key);
    }
  });
}
