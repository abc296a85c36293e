// Prove that a function F of counts is at most 0 for all integers 0 <= c_g <= n_g, by slices and boxes (groups_way.md).

import { chargeInBulk } from "./budget.js";
import { absolute, bitLength } from "./fractions.js";
import { integerRoot } from "./logarithms.js";

const TRIES = 6; // linear functions that are tried on a box
const UNIT_BITS = 20n; // a step between two linear functions is a multiple of 2^-20
const LEAST_BITS = 160; // of the largest curvature: its root then has 80 bits
const SMALL_BITS = 40n; // curvatures that are this much smaller than the largest one are not written as squares

const dot = (a, x) => a.reduce((total, y, g) => total + y * x[g], 0);
const dotOf = (a, x) => a.reduce((total, y, g) => total + y * x[g], 0n);

/**
 * Require F(c) <= 0 for all counts.
 *
 * `weights` are the integers a_g >= 0, not all 0, of the slices a.c = N. `given.bounds(low, high, N)` is a generator of
 * linear functions {constant, slopes} of BigInt, which are at least F on the box in the slice, and of the `spread` by
 * which the box is halved. Each time it receives a point where the last function is large.
 */
export function requireForAllCounts(sizes, weights, given, fail) {
  const end = dot(weights, sizes);
  const size = sizes.length;
  for (let total = 0; total <= end; total++) {
    const boxes = [[sizes.map(() => 0), [...sizes]]];
    while (boxes.length > 0) {
      chargeInBulk(64 + 12 * size);
      const box = narrowed(...boxes.pop(), weights, total);
      if (box === null) continue;
      const [low, high] = box;
      const spread = unprovedSpread(given, low, high, weights, total);
      if (spread === null) continue;
      let widest = -1;
      low.forEach((x, g) => {
        if (high[g] > x && (widest < 0 || spread[g] > spread[widest])) widest = g;
      });
      if (widest < 0) fail(low);
      const half = Math.floor((low[widest] + high[widest]) / 2);
      const replaced = (ends, value) => ends.map((x, g) => (g === widest ? value : x));
      boxes.push([replaced(low, half + 1), high], [low, replaced(high, half)]);
    }
  }
}

/** Return a smaller box with all vectors of the box in the slice, or null if there is none. */
function narrowed(low, high, weights, total) {
  const need = total - dot(weights, low);
  const room = dot(weights, high) - total;
  if (need < 0 || room < 0) return null;
  const first = low.map((x, g) => (weights[g] ? Math.max(x, high[g] - Math.floor(room / weights[g])) : x));
  const last = high.map((x, g) => (weights[g] ? Math.min(x, low[g] + Math.floor(need / weights[g])) : x));
  const isEmpty = first.some((x, g) => x > last[g]) || dot(weights, first) > total || dot(weights, last) < total;
  return isEmpty ? null : [first, last];
}

/** Return null if a linear function proves F <= 0 on the box in the slice, else the spread of the last function. */
function unprovedSpread(given, low, high, weights, total) {
  const bounds = given.bounds(low, high, total);
  let { value: linear } = bounds.next();
  for (;;) {
    chargeInBulk(32 + 16 * low.length, given.bits);
    const { most, top } = largest(linear, low, high, weights, total);
    if (most <= 0n) return null;
    const { value, done } = bounds.next(top);
    if (done) return linear.spread;
    linear = value;
  }
}

/**
 * Return a positive multiple of a bound of L(c) = L_0 + t (N - a.c) + l.c on the box in the slice, and a point near it.
 *
 * The point starts at `low` and rises in the order of the l_g/a_g, up to the slice. The group j where it ends gives
 * t = l_j/a_j.
 */
function largest({ constant, slopes }, low, high, weights, total) {
  const a = weights.map((weight) => BigInt(weight));
  const order = weights.map((_, g) => g).filter((g) => weights[g] > 0);
  order.sort((g, h) => {
    const difference = slopes[h] * a[g] - slopes[g] * a[h];
    return difference > 0n ? 1 : difference < 0n ? -1 : 0;
  });
  let left = total - dot(weights, low);
  const top = low.map((x, g) => (weights[g] === 0 && slopes[g] > 0n ? high[g] : x));
  let [j] = order;
  for (const g of order) {
    if (left <= 0) break;
    j = g;
    const rise = Math.min(high[g] - low[g], Math.floor(left / weights[g]));
    top[g] += rise;
    left = top[g] === high[g] ? left - rise * weights[g] : 0;
  }
  let most = a[j] * constant + slopes[j] * BigInt(total);
  slopes.forEach((slope, g) => {
    const rest = a[j] * slope - slopes[j] * a[g];
    most += rest * BigInt(rest > 0n ? high[g] : low[g]);
  });
  return { most, top };
}

/**
 * The function f_0 + f.c + c^T K c, K symmetric, on slices of the weights 1, as f_0 + f.c + c^T H c - sum_v (v.c)^2.
 *
 * The vectors v are chosen so that J_gh = 2 H_gh - H_gg - H_hh is small. On a box, -4 (v.c)^2 <= x^2 - 4 x (v.c) for every
 * x. The bounds are those of 4 F, with x from steps of the method of Frank and Wolfe.
 */
export class Quadratic {
  constructor(constant, slopes, K) {
    const size = slopes.length;
    this.bits = 4 + Math.max(...[constant, ...slopes, ...K.flat()].map(bitLength));
    chargeInBulk(8 * size ** 2, this.bits);
    const apart = K.map((row, g) => row.map((x, h) => 2n * x - K[g][g] - K[h][h]));
    const top = apart.flat().reduce((x, y) => (x > y ? x : y));
    const shift = top > 0n ? 2 * Math.max(0, Math.floor((LEAST_BITS + 1 - bitLength(top)) / 2)) : 0;
    const scaled = (x) => x << BigInt(shift);
    this.bits += shift;
    this.constant = scaled(constant);
    this.slopes = slopes.map(scaled);
    this.own = K.map((row, g) => scaled(row[g]));
    this.apart = apart.map((row) => row.map(scaled));
    this.squares = [];
    while (this.squares.length < size - 1) {
      chargeInBulk(8 * size ** 2, this.bits);
      const v = this.direction(scaled(top) >> SMALL_BITS);
      if (v === null) break;
      this.squares.push(v);
      this.own = this.own.map((x, g) => x + v[g] ** 2n);
      this.apart = this.apart.map((row, g) => row.map((J, h) => J - (v[g] - v[h]) ** 2n));
    }
  }

  /** Return v, of median 0, with (v_g - v_h)^2 close to J_gh for the largest J_gh; null if that is at most `least`. */
  direction(least) {
    let [most, p, q] = [least > 0n ? least : 0n, -1, -1];
    this.apart.forEach((row, g) => row.forEach((J, h) => {
      if (J > most) [most, p, q] = [J, g, h];
    }));
    if (p < 0) return null;
    const root = 2n * integerRoot(most, bitLength(most));
    const v = this.apart[p].map((J, g) => (J + most - this.apart[q][g]) / root);
    const median = [...v].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0))[v.length >> 1];
    return v.map((x) => x - median);
  }

  * bounds(low, high, total) {
    const { squares } = this;
    const size = low.length;
    chargeInBulk(6 * size * (size + 1 + squares.length), this.bits);
    const middle = low.map((x, g) => BigInt(x + high[g])); // times 2
    const width = low.map((x, g) => BigInt(high[g] - x));
    const along = this.apart.map((row) => dotOf(row, middle)); // J_gg = 0
    const slopes = this.slopes.map((f, g) => 4n * (f + BigInt(total) * this.own[g]) + 2n * along[g]);
    const spread = this.apart.map((row, g) => width[g] * dotOf(row.map(absolute), width));
    const pairs = dotOf(middle, along) - spread.reduce((x, y) => x + y, 0n); // each pair g, h counts twice
    const constant = 4n * this.constant - pairs / 2n;
    for (const v of squares) {
      const reach = dotOf(v.map(absolute), width);
      v.forEach((x, g) => {
        spread[g] += absolute(x) * width[g] * reach;
      });
    }
    let x = squares.map((v) => dotOf(v, middle));
    let value = null; // of `slopes` at the point with 2 (v.c) = x
    for (let tried = 0; tried < TRIES; tried++) {
      const tangent = slopes.map((s, g) => squares.reduce((rest, v, i) => rest - 4n * x[i] * v[g], s));
      const top = yield { constant: constant + dotOf(x, x), slopes: tangent, spread };
      if (squares.length === 0) return;
      chargeInBulk(4 * size * (1 + squares.length), this.bits);
      const point = top.map((count) => BigInt(count));
      const goal = dotOf(slopes, point);
      const ends = squares.map((v) => 2n * dotOf(v, point));
      if (value === null) {
        [x, value] = [ends, goal];
        continue;
      }
      const change = ends.map((y, i) => y - x[i]);
      const rise = goal - value - 2n * dotOf(x, change);
      const bend = 2n * dotOf(change, change);
      if (rise <= 0n || bend === 0n) return;
      const unit = 1n << UNIT_BITS;
      const quotient = rise * unit / bend;
      const step = quotient < unit ? quotient : unit;
      if (step === 0n) return;
      x = x.map((y, i) => y + (change[i] * step >> UNIT_BITS));
      value += (goal - value) * step >> UNIT_BITS;
    }
  }
}
