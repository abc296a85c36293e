// Rule 42: designs under Renyi differential privacy or zCDP; the inequality is proved cell by cell (divergence_rule.md).

import { charge } from "./budget.js";
import { dot, Fraction, ONE, sum, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { gammaBracket, readLevel } from "./levels.js";
import { MAX_CELL_DEPTH, MAX_COVER_DIGITS, MAX_DIVERGENCE_INPUTS, MAX_LIST, MAX_PARAMETER_DIGITS } from "./limits.js";
import { transposed } from "./matrices.js";
import { readObjective, readPopulation } from "./objectives.js";
import { readLogarithms } from "./pattern_rule.js";
import { formValue, isMeanOfVariances, needsDigits } from "./ray_forms.js";
import { readW, requireBound, requireMechanismSide } from "./rays_rule.js";
import { readMechanism } from "./regions.js";
import { Exponents, ordersOf, pairsOf, requireRho } from "./renyi_rule.js";

/** Check rule 42. */
export function checkDivergenceDesign(problem, claim, witness) {
  const stated = problem.fields(["region", "objective", "population"]);
  const parts = witness.fields(["rule", "gamma", "dual", "primal", "orders", "logarithms", "digits"]);
  const region = readRegion(stated.region, parts.gamma);
  const { k } = region;
  const objective = readObjective(stated.objective, { k, m: null });
  const pi = readPopulation(stated.population, k);
  stated.population.require(pi.every((x) => x.sign() > 0), "a share is 0");
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const rows = readMechanism(mechanism, null, k);
  const digits = parts.digits.integer(1, MAX_COVER_DIGITS);
  const logs = needsDigits(objective) ? parts.logarithms.fields(["digits"]).digits.integer(1, MAX_COVER_DIGITS) : 1;
  setDigits(digits);
  requirePrivate(mechanism, rows, region, parts.orders);
  const dual = readDual(parts.dual, region, objective);
  readLogarithms(parts.logarithms, needsDigits(objective));
  const ends = { lower: lower.number(), upper: upper.number() };
  requireBound(dual, objective, pi, ends, { lower, upper });
  requireMechanismSide(parts.primal, objective, rows, pi, ends, { lower, upper });
  setDigits(Math.max(digits, logs));
  requireCells(dual, k, phiOf(objective, pi, dual.W), isSymmetric(dual, objective, pi));
}

/** Return {k, order, gamma, rho}: the order is null where all orders are bounded. */
function readRegion(place, bracket) {
  const kind = place.named("kind");
  const isRenyi = kind === "renyi-privacy";
  if (!isRenyi && kind !== "zcdp-privacy") place.at("kind").reject("the region is not one of Renyi divergences");
  const parts = place.fields(["kind", "inputs", "outputs", ...(isRenyi ? ["order", "epsilon"] : ["rho"])]);
  const k = parts.inputs.integer(2, MAX_DIVERGENCE_INPUTS);
  parts.outputs.oneOf(["any"]);
  if (isRenyi) return { k, order: readOrder(parts.order), gamma: gammaBracket(bracket, readLevel(parts.epsilon)), rho: null };
  bracket.null();
  const rho = parts.rho.number(MAX_PARAMETER_DIGITS);
  parts.rho.require(rho.sign() >= 0, "rho is negative");
  return { k, order: null, gamma: null, rho };
}

function readOrder(place) {
  const order = place.number(MAX_PARAMETER_DIGITS);
  place.require(ONE.atMost(order), "an order is below 1");
  return order;
}

function requirePrivate(place, rows, { order, gamma, rho }, orders) {
  const pairs = pairsOf(rows);
  place.require(pairs !== null, "a divergence of the mechanism is infinite");
  if (order === null) {
    const lists = orders.itemsOf(pairs.length).map(ordersOf);
    pairs.forEach((pair, i) => requireRho(new Exponents(pair), rho, lists[i], orders));
    return;
  }
  orders.itemsOf(0);
  const level = Interval.of(gamma.below).log();
  const holds = pairs.every((pair) => new Exponents(pair).divergence(order).liesAtMost(level));
  place.require(holds, "a divergence of the mechanism is not proved to be at most the level");
}

/** Return C of an order. */
function allowed({ gamma, rho }, order) {
  const nats = gamma ? Interval.of(gamma.above).log() : Interval.of(rho.times(order));
  return order.equals(ONE) ? nats : nats.times(Interval.of(order.minus(ONE))).exp();
}

/** Return alpha, the curves [order, j, l, lambda], W and B. */
function readDual(place, region, objective) {
  const { k } = region;
  const { alpha: alphaPlace, orders: ordersPlace, multipliers, matrix } = place.fields(["alpha", "orders", "multipliers", "matrix"]);
  const alpha = alphaPlace.numbers(k);
  const orders = ordersPlace.items(MAX_LIST).map(readOrder);
  const fits = region.order === null || (orders.length === 1 && orders[0].equals(region.order));
  ordersPlace.require(fits, "the order of the dual is not that of the region");
  const curves = [];
  const squares = multipliers.itemsOf(orders.length).map((one) => one.matrix(k, k).map((row, j) => row.filter((_, l) => j !== l)).flat());
  let total = Interval.of(sum(alpha));
  multipliers.itemsOf(orders.length).forEach((one, u) => {
    const most = allowed(region, orders[u]);
    one.matrix(k, k).forEach((row, j) => row.forEach((x, l) => {
      one.at(j).at(l).require(x.sign() >= 0 && (j !== l || x.isZero()), "a multiplier is negative, or not 0 on the diagonal");
      if (x.isZero()) return;
      curves.push([orders[u], j, l, Interval.of(x)]);
      total = total.plus(Interval.of(x).times(most));
    }));
  });
  place.require(total.isBounded(), "the bound of the dual is not finite");
  const isEven = areEqual(alpha) && squares.every(areEqual);
  return { alpha: alpha.map((x) => Interval.of(x)), curves, isEven, W: readW(matrix, objective, k), B: total.highEnd(), place };
}

/** Return phi of a row of fractions, as an interval. */
function phiOf(objective, pi, W) {
  if (W === null) return (row) => formValue(objective, row, pi);
  const mixed = isMeanOfVariances(objective);
  const parts = mixed ? W.map((one, b) => [objective.weights[b], one, objective.populations[b]]) : [[ONE, W, pi]];
  const columns = parts.map(([weight, one, shares]) => [weight, transposed(one), shares]);
  return (row) => {
    let total = ZERO;
    for (const [weight, own, shares] of columns) {
      const squares = sum(own.map((column) => dot(column, row).power(2)));
      const s = dot(row, shares);
      if (s.isZero() && !squares.isZero()) objective.place.reject("phi is infinite at a row");
      if (!s.isZero()) total = total.plus(weight.times(squares).over(s));
    }
    return Interval.of(total);
  };
}

const areEqual = (list) => list.every((x) => x.equals(list[0]));

/** Return whether phi and g are the same for all permutations of a row. */
function isSymmetric({ isEven, W }, objective, pi) {
  if (!isEven || !areEqual(pi) || objective.kind === "bayes") return false;
  if (W === null) return objective.kind === "mutual-information";
  const products = W.map((one) => W.map((other) => dot(one, other)));
  charge(W.length * W.length * W[0].length);
  return areEqual(products.map((row, i) => row[i])) && areEqual(products.flatMap((row, i) => row.slice(0, i)));
}

/** Require phi <= g on every row: cells are halved until tangents prove it; by symmetry, rows that do not increase are enough. */
function requireCells(dual, k, phi, isOrdered) {
  const vertex = (row) => ({ row, entries: row.map((x) => Interval.of(x)), phi: phi(row) });
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
