// The way of branches: a dual for each of several cells, which cover all mechanisms with m outputs (branches_way.md).

import { charge } from "./budget.js";
import { dot, HALF, larger, ONE, smaller, sum, ZERO } from "./fractions.js";
import { MAX_ENTRIES, MAX_ORDERED_INPUTS } from "./limits.js";

/** Return the largest ratio of two entries of a possible row, or null if no ratio above 1 describes the rows. */
export function staircaseRatio({ levels, least, most }) {
  const [only] = levels;
  if (levels.length !== 1 || only.hasDelta || only.pairs !== null) return null;
  const gamma = only.gamma.above;
  const ratio = least ? smaller(gamma, reach(least, most, gamma)) : gamma;
  return ONE.less(ratio) ? ratio : null;
}

/** Return the largest u_ij/least_il, or gamma if an entry may be 0. */
function reach(least, most, gamma) {
  if (least.some((row) => row.some((x) => x.sign() <= 0))) return gamma;
  let g = ZERO;
  least.forEach((row, i) => most[i].forEach((end, j) => {
    const others = sum(least.filter((_, h) => h !== i).map((other) => other[j]));
    const u = smaller(end, ONE.minus(others));
    row.forEach((x, l) => {
      charge(1);
      if (l !== j) g = larger(g, u.over(x));
    });
  }));
  return g;
}

/** Return the duals as `readDual` reads their alpha and limits, with the places of their vectors. */
export function readBranches({ duals, cells }, region, readDual) {
  const ratio = staircaseRatio(region);
  duals.require(ratio !== null && region.m !== null, "branches need one level of all pairs with delta 0, gamma > 1, and a number of outputs");
  duals.require(region.k <= MAX_ORDERED_INPUTS, `branches take at most ${MAX_ORDERED_INPUTS} inputs`);
  const keys = ["alpha", "vectors", ...(region.least ? ["limits"] : [])];
  const listed = duals.items(MAX_ENTRIES).map((place) => {
    const parts = place.fields(keys);
    return { place, ...readDual(parts), vectors: parts.vectors, served: new Set() };
  });
  return { duals: listed, ratio, tokens: cells.items(MAX_ENTRIES), place: cells };
}

/** Return all orders of the inputs, lexicographically. */
function orders(k) {
  const found = [];
  const extend = (order) => {
    if (order.length === k) found.push(order);
    for (let j = 0; j < k; j++) if (!order.includes(j)) extend([...order, j]);
  };
  extend([]);
  return found;
}

const sameRows = (matrix) => matrix.every((row) => row.every((x, j) => x.equals(matrix[0][j])));

/**
 * Require that the tokens are those of the cells, and that a dual serves each cell; `phis` has the function phi of each
 * dual, whose values are fractions, or is null where no dual need serve its cells.
 */
export function requireOnBranches({ k, m, least, most }, { duals, ratio, tokens, place }, phis) {
  const exchangeable = !least || (sameRows(least) && sameRows(most));
  const known = new Map();
  const generator = (members) => {
    const key = members.join();
    if (!known.has(key)) {
      const r = Array.from({ length: k }, (_, j) => (members.includes(j) ? ratio : ONE));
      known.set(key, { name: key, r });
    }
    return known.get(key);
  };
  const cones = orders(k).map((order) =>
    Array.from({ length: k }, (_, s) => generator(order.slice(0, s).sort((a, b) => a - b))),
  );
  let at = 0;
  let halvings = 0;
  const settle = (first) => {
    const open = [first];
    while (open.length > 0) {
      const cell = open.pop();
      place.require(at < tokens.length, "the tokens end before the cells");
      const token = tokens[at++];
      charge(m + open.length);
      if (token.isText()) {
        token.require(duals.length > 0, "no such dual");
        const which = token.integer(0, duals.length - 1);
        if (phis !== null) requireServed(duals[which], phis[which], cell);
        continue;
      }
      const [output, a, b] = token.itemsOf(3);
      const i = output.integer(0, m - 1);
      const [x, y] = [a.integer(0, k - 1), b.integer(0, k - 1)];
      token.require(x !== y, "a cone is halved between a generator and itself");
      const mean = { name: `h${halvings++}`, r: cell[i][x].r.map((v, j) => v.plus(cell[i][y].r[j]).times(HALF)) };
      const put = (where) => cell.map((cone, h) => (h === i ? cone.map((one, s) => (s === where ? mean : one)) : cone));
      open.push(put(x), put(y));
    }
  };
  // m-tuples of orders, lexicographically; without descents where outputs may be exchanged
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

/** Require phi <= g_i at the generators of a cell; what was proved for an output and a generator is not proved again. */
function requireServed({ place, alphas, served }, phi, cell) {
  cell.forEach((cone, i) => {
    const line = alphas.length > 1 ? i : 0;
    for (const { name, r } of cone) {
      const key = `${line}:${name}`;
      if (served.has(key)) continue;
      place.require(phi(r).atMost(dot(alphas[line], r)), `a dual fails at a generator of a cell, for output ${i}`);
      served.add(key);
    }
  });
}
