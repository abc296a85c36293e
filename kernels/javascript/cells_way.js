// The way of cells: phi <= g on all rows, for a level of Renyi divergences or of zCDP (cells_way.md).

import { charge } from "./budget.js";
import { ONE, sum, whole, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";
import { gammaBracket, readLevel } from "./levels.js";
import { MAX_CELL_DEPTH, MAX_DIVERGENCE_INPUTS, MAX_LIST, MAX_PARAMETER_DIGITS } from "./limits.js";
import { formOf, valueOf } from "./ray_forms.js";
import { Exponents, ordersOf, pairsOf, requireRho } from "./divergence_level.js";

/** Return whether a level of a problem bounds divergences. */
export const isDivergenceLevel = (levels) => Array.isArray(levels.value)
  && levels.items().some((one) => one.isObject() && (one.has("order") || one.has("rho")));

/** Return {k, order, gamma, rho, orders}: the order is null where all orders are bounded; `orders` prove it then. */
export function readDivergenceRegion({ inputs, outputs, levels, bounds }, brackets) {
  const k = inputs.integer(2, MAX_DIVERGENCE_INPUTS);
  outputs.oneOf(["any"]);
  bounds.null();
  const [entry] = levels.itemsOf(1);
  const [given] = brackets.itemsOf(1);
  if (entry.has("rho")) {
    const { rho: place } = entry.fields(["rho"]);
    const rho = place.number(MAX_PARAMETER_DIGITS);
    place.require(rho.sign() >= 0, "rho is negative");
    return { k, order: null, gamma: null, rho, orders: given.fields(["orders"]).orders };
  }
  const { order, epsilon } = entry.fields(["order", "epsilon"]);
  return { k, order: readOrder(order), gamma: gammaBracket(given.fields(["gamma"]).gamma, readLevel(epsilon)), rho: null };
}

function readOrder(place) {
  const order = place.number(MAX_PARAMETER_DIGITS);
  place.require(ONE.atMost(order), "an order is below 1");
  return order;
}

/** Require that the divergences of a mechanism are at most the level. */
export function requirePrivate(place, rows, { order, gamma, rho, orders }) {
  const pairs = pairsOf(rows);
  place.require(pairs !== null, "a divergence of the mechanism is infinite");
  if (order === null) {
    const lists = orders.itemsOf(pairs.length).map(ordersOf);
    pairs.forEach((pair, i) => requireRho(new Exponents(pair), rho, lists[i], orders));
    return;
  }
  const level = Interval.of(gamma.below).log();
  const holds = pairs.every((pair) => new Exponents(pair).divergence(order).liesAtMost(level));
  place.require(holds, "a divergence of the mechanism is not proved to be at most the level");
}

/** Return C of an order. */
function allowed({ gamma, rho }, order) {
  const nats = gamma ? Interval.of(gamma.above).log() : Interval.of(rho.times(order));
  return order.equals(ONE) ? nats : nats.times(Interval.of(order.minus(ONE))).exp();
}

/** Return alpha, the curves [order, j, l, lambda] and B. */
export function readCellBound({ alpha: alphaPlace, curves: listed }, region) {
  const { k } = region;
  const alpha = alphaPlace.numbers(k);
  const curves = [];
  let total = Interval.of(ZERO);
  let isEven = areEqual(alpha);
  for (const one of listed.items(MAX_LIST)) {
    const { order: orderPlace, multipliers } = one.fields(["order", "multipliers"]);
    const order = readOrder(orderPlace);
    orderPlace.require(region.order === null || order.equals(region.order), "the order of a curve is not that of the level");
    const most = allowed(region, order);
    const rows = multipliers.matrix(k, k);
    rows.forEach((row, j) => row.forEach((x, l) => {
      multipliers.at(j).at(l).require(x.sign() >= 0 && (j !== l || x.isZero()), "a multiplier is negative, or not 0 on the diagonal");
      if (x.isZero()) return;
      curves.push([order, j, l, Interval.of(x)]);
      total = total.plus(Interval.of(x).times(most));
    }));
    isEven = isEven && areEqual(rows.map((row, j) => row.filter((_, l) => j !== l)).flat());
  }
  listed.require(region.order === null || listed.items().length === 1, "there is not one curve of the level's order");
  listed.require(total.isBounded(), "the bound of the proof is not finite");
  return { alpha: alpha.map((x) => Interval.of(x)), curves, isEven, value: sum(alpha).plus(total.highEnd()) };
}

const areEqual = (list) => list.every((x) => x.equals(list[0]));

/** Return whether phi is the same for all permutations of a row. */
function isSymmetric({ vectors, d, shares, form, populations }) {
  if (form) return form.kind === "mutual-information" && populations.length === 1 && areEqual(populations[0]);
  if (!vectors || !areEqual(shares)) return false;
  charge(shares.length * shares.length * vectors.length);
  const Q = formOf({ vectors, d });
  return areEqual(Q.map((row, i) => row[i])) && areEqual(Q.flatMap((row, i) => row.slice(0, i)));
}

/** Require phi <= g on every row. */
export function requireOnCells(place, { k }, bound, phi) {
  requireCells({ ...bound, place }, k, valueOf(phi), bound.isEven && isSymmetric(phi));
}

/** Require phi <= g on every row: cells are halved until tangents prove it; by symmetry, rows that do not increase are enough. */
function requireCells(dual, k, phi, isOrdered) {
  const asInterval = (x) => (x instanceof Interval ? x : Interval.of(x));
  const vertex = (row) => ({ row, entries: row.map(asInterval), phi: asInterval(phi(row)) });
  const entry = (i, j) => (isOrdered ? i <= j && ONE.over(whole(j + 1)) : i === j && ONE) || ZERO;
  const corners = Array.from({ length: k }, (_, j) => vertex(Array.from({ length: k }, (_, i) => entry(i, j))));
  const left = [[0, corners]];
  while (left.length > 0) {
    const [depth, cell] = left.pop();
    const { line, bends } = tangentsOf(dual, cell);
    const missing = missingOf(line, cell);
    if (missing === null) continue;
    dual.place.require(depth < MAX_CELL_DEPTH * (k - 1), "the inequality is not proved on a cell of rows");
    const [a, b] = edgeOf(cell, bends, missing);
    const middle = vertex(cell[a].row.map((x, j) => x.plus(cell[b].row[j]).over(whole(2))));
    for (const end of [b, a]) left.push([depth + 1, cell.map((one, i) => (i === end ? middle : one))]);
  }
}

/**
 * Return the edge to halve, in floats, since every choice is sound: the first one along which g bends most, or the first one
 * with the largest sum of (x - y)^2/(x + y) if g bends by less than what the proof misses.
 */
function edgeOf(cell, bends, missing) {
  const rows = cell.map(({ row }) => row.map(floatOf));
  const edges = rows.flatMap((u, a) => rows.slice(a + 1).map((v, b) => [a, a + 1 + b, u.map((x, j) => [x, v[j]])]));
  charge(edges.length * (bends.length + rows.length));
  const bent = edges.map(([, , pairs]) => {
    const step = pairs.map(([x, y]) => x - y);
    return bends.reduce((total, { j, l, t, weight }) => total + Math.min(weight * (step[j] - t * step[l]) ** 2, 1e300), 0);
  });
  const plain = edges.map(([, , pairs]) => pairs.reduce((total, [x, y]) => total + (x + y > 0 ? (x - y) ** 2 / (x + y) : 0), 0));
  const lengths = Math.max(...bent) >= missing ? bent : plain;
  const [a, b] = edges[lengths.indexOf(Math.max(...lengths))];
  return [a, b];
}

const floatOf = (x) => Number(x.n) / Number(x.d);
const endOf = (x) => (x.infinite ? x.sign() * 1e300 : Math.max(-1e300, Math.min(1e300, Number(`${x.m}e${x.e}`))));

/** Return the line below g of the tangents of a cell, and the second derivatives `weight (x - t y)^2` of g at its centroid. */
function tangentsOf({ alpha, curves }, cell) {
  const line = [...alpha];
  const bends = [];
  for (const [order, j, l, weight] of curves) {
    const ratio = ratioOf(cell, j, l);
    const t = Interval.of(ratio);
    let [m, b, power] = [null, t, Interval.of(ONE)];
    if (order.equals(ONE)) {
      m = t.log().plus(Interval.of(ONE));
    } else {
      power = t.log().times(Interval.of(order.minus(ONE))).exp();
      m = Interval.of(order).times(power);
      b = Interval.of(order.minus(ONE)).times(t).times(power);
    }
    line[j] = line[j].plus(weight.times(m));
    line[l] = line[l].minus(weight.times(b));
    const steep = order.equals(ONE) ? 1 : floatOf(order) * (floatOf(order) - 1);
    const y = floatOf(sum(cell.map(({ row }) => row[l]))) / cell.length;
    bends.push({ j, l, t: floatOf(ratio), weight: Math.min((endOf(weight.low) * endOf(power.low) * steep) / (floatOf(ratio) * y), 1e200) });
  }
  return { line, bends };
}

/** Return by how much phi <= line is not proved at the first such vertex, about, or null if it is proved at all of them. */
function missingOf(line, cell) {
  for (const { row, entries, phi } of cell) {
    let total = Interval.of(ZERO);
    row.forEach((x, j) => {
      if (!x.isZero()) total = total.plus(line[j].times(entries[j]));
    });
    if (!phi.liesAtMost(total)) return endOf(phi.high) - endOf(total.low);
  }
  return null;
}

/** Return the t of the tangent: that of the centroid, or the least ratio of a cell that has an infinite one. */
function ratioOf(cell, j, l) {
  const finite = cell.filter(({ row }) => !row[l].isZero());
  const isInfinite = cell.some(({ row }) => row[l].isZero() && !row[j].isZero());
  if (isInfinite && finite.every(({ row }) => !row[j].isZero())) {
    return finite.map(({ row }) => row[j].over(row[l])).reduce((x, y) => (y.less(x) ? y : x));
  }
  const [x, y] = [j, l].map((i) => sum(cell.map(({ row }) => row[i])));
  return x.over(y);
}
