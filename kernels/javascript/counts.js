// Prove that a function F of counts is at most 0 for all integers 0 <= c_g <= n_g, by slices and boxes (orbit_rule.md).

import { charge } from "./budget.js";
import { product } from "./fractions.js";

const dot = (a, x) => a.reduce((total, y, g) => total + y * x[g], 0);

/**
 * Require F(c) <= 0 for all counts.
 *
 * `weights` are the integers a_g >= 0, not all 0, of the slices a.c = N. `bound(low, high, N)` returns a linear function
 * {constant, slopes} of BigInt, which is at least F on the box in the slice, and the `spread` by which the box is halved.
 */
export function requireForAllCounts(sizes, weights, bound, fail) {
  const end = dot(weights, sizes);
  for (let total = 0; total <= end; total++) {
    const boxes = [[sizes.map(() => 0), [...sizes]]];
    while (boxes.length > 0) {
      charge(4 + sizes.length);
      const box = narrowed(...boxes.pop(), weights, total);
      if (box === null) continue;
      const [low, high] = box;
      const linear = bound(low, high, total);
      if (isProved(linear, low, high, weights, total)) continue;
      let widest = -1;
      low.forEach((x, g) => {
        if (high[g] > x && (widest < 0 || linear.spread[g] > linear.spread[widest])) widest = g;
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

/** Return whether L <= 0 follows from L(c) = L_0 + t (N - a.c) + l.c for one of the t = l_j / a_j. */
function isProved({ constant, slopes }, low, high, weights, total) {
  return weights.some((weight, j) => {
    if (weight === 0) return false;
    const a = BigInt(weight);
    let most = a * constant + slopes[j] * BigInt(total);
    slopes.forEach((slope, g) => {
      const rest = product(a, slope) - product(slopes[j], BigInt(weights[g]));
      most += product(rest, BigInt(rest > 0n ? high[g] : low[g]));
    });
    return most <= 0n;
  });
}

/** Return the bound of 4 (f_0 + f.c + c^T K c), K symmetric, on slices of the weights 1. */
export function quadraticBound(constant, slopes, K) {
  const size = slopes.length;
  const apart = K.map((row, g) => row.map((x, h) => (g === h ? 0n : 2n * x - K[g][g] - K[h][h])));
  return (low, high, total) => {
    const middle = low.map((x, g) => BigInt(x + high[g]));
    const width = low.map((x, g) => BigInt(high[g] - x));
    let terms = 0n; // twice the sum over the pairs g < h
    const found = [];
    const spread = [];
    for (let g = 0; g < size; g++) {
      let [along, rest] = [0n, 0n];
      for (let h = 0; h < size; h++) {
        const J = apart[g][h];
        along += product(J, middle[h]);
        rest += product(J < 0n ? -J : J, width[h]);
      }
      spread.push(rest * width[g]);
      found.push(4n * (slopes[g] + K[g][g] * BigInt(total)) + 2n * along);
      terms += product(along, middle[g]) - spread[g];
    }
    return { constant: 4n * constant - terms / 2n, slopes: found, spread };
  };
}
