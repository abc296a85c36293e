// The statement divergence-level: Renyi divergence at an order; zCDP, the supremum of D_a/a (divergence_level.md).

import { charge } from "./budget.js";
import { Fraction, HALF, ONE, TWO, whole, ZERO } from "./fractions.js";
import { Interval, readDigits } from "./intervals.js";
import { readKary } from "./levels.js";
import { MAX_CELLS, MAX_PARAMETER_DIGITS } from "./limits.js";
import { readMechanism } from "./regions.js";

/** Check bounds on the divergence at an order, or, where the order is null, on the supremum of D_a/a. */
export function checkDivergenceLevel(problem, claim, proof) {
  const { mechanism, order } = problem.fields(["mechanism", "order"]);
  const { lower, upper } = claim.fields(["lower", "upper"]);
  const { brackets, orders, digits } = proof.fields(["brackets", "orders", "digits"]);
  const a = order.isNull() ? null : order.number(MAX_PARAMETER_DIGITS);
  order.require(a === null || ONE.atMost(a), "the order is below 1");
  readDigits(digits);
  const laws = lawsOf(mechanism, brackets);
  const places = orders.itemsOf(laws && a === null ? laws.above.length : 0);
  if (laws === null) {
    const isStated = lower.value === "infinite" && upper.value === "infinite";
    claim.require(isStated, "the divergence is infinite, and the claim is another one");
    return;
  }
  const [least, most] = [lower.number(), upper.number()];
  upper.require(most.sign() >= 0, "`upper` is below 0");
  const [below, above] = [laws.below, laws.above].map((side) => side.map((pair) => new Exponents(pair)));
  const lists = a === null ? places.map(ordersOf) : above.map(() => [a]);
  const valueAt = (pair, at) => (a === null ? pair.quotient(at) : pair.divergence(at));
  const proves = (pair, i) => lists[i].some((at) => valueAt(pair, at).lowIsAtLeast(least));
  lower.require(least.sign() <= 0 || below.some(proves), "`lower` is above the divergence at all of the orders");
  above.forEach((pair, i) => {
    if (a === null) requireRho(pair, most, lists[i], upper);
    else upper.require(pair.divergence(a).highIsAtMost(most), "`upper` is below the divergence at the order");
  });
}

/** Return the orders of a list, after 1. */
export function ordersOf(place) {
  const found = [ONE, ...place.items(MAX_CELLS).map((order) => order.number(MAX_PARAMETER_DIGITS))];
  place.require(found.every((a, i) => i === 0 || found[i - 1].less(a)), "the orders do not increase from 1 on");
  return found;
}

/** Return the pairs of laws that prove lower and upper bounds; null where a divergence is infinite. */
function lawsOf(mechanism, brackets) {
  if (mechanism.has("kind")) {
    const { below, above, k } = readKary(mechanism, brackets.itemsOf(1)[0]);
    return { below: response(below, k), above: response(above, k) };
  }
  brackets.itemsOf(0);
  const pairs = pairsOf(readMechanism(mechanism));
  return pairs && { below: pairs, above: pairs };
}

/** Return the different pairs of unequal columns of a matrix; null where a divergence is infinite. */
export function pairsOf(rows) {
  const inputs = rows[0].map((_, j) => rows.map((row) => row[j]));
  const found = new Map();
  for (const [i, p] of inputs.entries()) {
    for (const [j, q] of inputs.entries()) {
      if (i === j) continue;
      const pair = merged(p, q);
      if (pair === null) return null;
      const key = pair.map(({ p: one, q: other }) => `${one}:${other}`).join(";");
      if (pair.length > 1 && !found.has(key)) found.set(key, pair);
    }
  }
  return [...found.values()];
}

/** Return the pair of k-ary randomized response, unless its two laws are equal. */
function response(g, k) {
  const size = g.plus(k).minus(ONE);
  const [yes, no, rest] = [g, ONE, k.minus(TWO)].map((part) => part.over(size));
  return [merged([yes, no, rest], [no, yes, rest])].filter((pair) => pair.length > 1);
}

/** Return the atoms of two laws by increasing odds, equal odds together; null where the odds are infinite. */
function merged(ps, qs) {
  const found = new Map();
  for (const [i, p] of ps.entries()) {
    charge(3);
    if (p.isZero()) continue;
    if (qs[i].isZero()) return null;
    const odds = p.over(qs[i]);
    const known = found.get(`${odds}`);
    found.set(`${odds}`, known ? { odds, p: known.p.plus(p), q: known.q.plus(qs[i]) } : { odds, p, q: qs[i] });
  }
  return [...found.values()].sort((x, y) => x.odds.compare(y.odds));
}

/** psi(a) = (a - 1) D_a of a pair of laws, and its derivatives. */
export class Exponents {
  constructor(pair) {
    this.masses = pair.map(({ p }) => Interval.of(p));
    this.losses = pair.map(({ odds }) => Interval.of(odds).log());
    this.largest = this.losses.at(-1);
    this.spread = this.largest.minus(this.losses[0]);
    this.known = new Map();
  }

  at(order) {
    const key = `${order}`;
    if (!this.known.has(key)) this.known.set(key, this.compute(order));
    return this.known.get(key);
  }

  compute(order) {
    const isOne = order.equals(ONE);
    const shift = Interval.of(order.minus(ONE));
    const weights = this.masses.map((mass, i) => (isOne ? mass : mass.times(shift.times(this.losses[i]).exp())));
    const total = isOne ? Interval.of(ONE) : added(weights);
    const part = total.inverse();
    const mean = added(weights.map((w, i) => w.times(this.losses[i]))).times(part);
    const away = this.losses.map((loss) => loss.minus(mean));
    const squares = weights.map((w, i) => w.times(squared(away[i])));
    const third = added(squares.map((s, i) => s.times(away[i]))).times(part);
    return { psi: isOne ? Interval.of(ZERO) : total.log(), mean, second: added(squares).times(part), third };
  }

  divergence(order) {
    const { psi, mean } = this.at(order);
    return order.equals(ONE) ? mean : psi.times(Interval.of(order.minus(ONE).inverse()));
  }

  quotient(order) {
    return this.divergence(order).times(Interval.of(order.inverse()));
  }

  /** Return whether the expansion at one end proves U >= 0 on the cell from a to b. */
  isBelow(rho, a, b, end) {
    const { psi, mean, second, third } = this.at(end);
    const isLow = end.equals(a);
    const signed = (x) => (isLow ? x : x.negative());
    const of = (n) => Interval.of(whole(n));
    const c0 = rho.times(Interval.of(end.times(end.minus(ONE)))).minus(psi);
    const c1 = signed(rho.times(Interval.of(end.times(TWO).minus(ONE))).minus(mean));
    const c2 = rho.minus(second.times(Interval.of(HALF)));
    const square = this.spread.times(this.spread);
    const width = b.minus(a);
    const grown = second.times(this.spread.times(Interval.of(width)).exp());
    const most = grown.minimum(square.times(Interval.of(Fraction.of(1n, 4n))));
    const rest = square.times(most).times(Interval.of(width.over(whole(24))));
    const c3 = signed(third).times(Interval.of(Fraction.of(1n, 6n))).plus(rest).negative();
    const step = Interval.of(width.over(whole(3)));
    const [x, y, z] = [c1.times(step), c2.times(step).times(step), c3.times(step).times(step).times(step)];
    return [
      c0,
      c0.plus(x),
      c0.plus(of(2).times(x)).plus(of(3).times(y)),
      c0.plus(of(3).times(x)).plus(of(9).times(y)).plus(of(27).times(z)),
    ].every((coefficient) => coefficient.isAtLeastZero());
  }
}

const added = (list) => list.reduce((x, y) => x.plus(y));

/** Return x^2, which is at least 0. */
function squared(x) {
  const found = x.times(x);
  return x.holdsZero() ? found.maximum(Interval.of(ZERO)) : found;
}

/** Require D_a <= upper a in every cell of orders, and beyond the last one. */
export function requireRho(exponents, upper, orders, place) {
  const tail = exponents.largest.highIsAtMost(upper.times(orders.at(-1)));
  place.require(tail, "`upper` is below the largest loss over the last order");
  const rho = Interval.of(upper);
  for (let i = 1; i < orders.length; i += 1) {
    const [a, b] = [orders[i - 1], orders[i]];
    const holds = [a, b].some((end) => exponents.isBelow(rho, a, b, end));
    place.require(holds, "`upper` is not proved in a cell of orders");
  }
}
