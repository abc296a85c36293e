// The way of values: one contrast at one level, on the rows of real numbers z (values_way.md).

import { charge } from "./budget.js";
import { overOneDenominator, product } from "./fractions.js";
import { MAX_ENTRIES, MAX_UNDECIDED } from "./limits.js";

/** Return the cuts of a proof, ascending, for a region of one level of all pairs without delta and bounds. */
export function readCuts(place, { levels, least }) {
  const [level] = levels;
  const serves = levels.length === 1 && !level.hasDelta && level.pairs === null;
  place.require(serves && least === null && isAboveOne(level.gamma.above), "the way of values needs one level of all pairs with delta 0, gamma > 1, and no bounds");
  const cuts = place.items(MAX_ENTRIES).map((one) => one.number());
  cuts.forEach((cut, i) => place.require(i === 0 || cuts[i - 1].less(cut), "the cuts do not ascend strictly"));
  return cuts;
}

const isAboveOne = ({ n, d }) => n > d;

/** Require (b.r)^2 <= (a.r)(y.r) for all rows of all intervals; y.r > 0, so that a.r >= 0 too. */
export function requireOnValues(place, { k, levels }, { alphas: [alpha] }, cuts, { vectors: [w], shares }) {
  const { n, d } = levels[0].gamma.above;
  const all = overOneDenominator([...shares, ...w, ...alpha]).numbers; // a common factor of y, b and a
  const [y, b, a] = [0, 1, 2].map((t) => all.slice(t * k, (t + 1) * k));
  const done = new Set();
  const ends = [null, ...cuts, null];
  for (let i = 0; i + 1 < ends.length; i++) {
    const row = y.map((_, j) => entryBetween({ y: y[j], b: b[j], a: a[j] }, ends[i], ends[i + 1]));
    const open = row.flatMap((entry, j) => (entry === null ? [j] : []));
    place.require(open.length <= MAX_UNDECIDED, `an interval has ${open.length} undecided inputs, more than ${MAX_UNDECIDED}`);
    for (let bits = 0; bits < 2 ** open.length; bits++) {
      charge(1 + k / 64);
      open.forEach((j, t) => {
        row[j] = ((bits >> t) & 1) === 1;
      });
      const name = row.map((isHigh) => (isHigh ? "g" : "1")).join("");
      if (done.has(name)) continue;
      done.add(name);
      const [yr, br, ar] = [y, b, a].map((line) => line.reduce((total, x, j) => total + product(x, row[j] ? n : d), 0n));
      place.require(product(br, br) <= product(ar, yr), `the inequality fails at the row ${name.slice(0, 60)}`);
    }
  }
}

/** Return whether an input has the entry gamma on an interval; null if that is undecided. */
function entryBetween(q, left, right) {
  const { y, b, a } = q;
  if (a >= 0n && product(b, b) <= product(y, a)) return false;
  const values = [left, right].filter((end) => end !== null).map((end) => valueAt(q, end));
  if (values.length === 0) return null;
  // the sign of y z - b at an end
  const slope = (z) => product(y, z.n) - product(b, z.d);
  const isMonotone = (left !== null && slope(left) >= 0n) || (right !== null && slope(right) <= 0n);
  if (values.every((x) => x >= 0n) && isMonotone) return false;
  if (values.some((x) => x > 0n)) return null;
  if (values.length === 2) return true;
  const falls = left !== null ? b >= 0n : b <= 0n;
  return y === 0n && falls ? true : null;
}

/** Return y z^2 - 2 b z + a times the square of the denominator of z. */
function valueAt({ y, b, a }, z) {
  const linear = product(product(y, z.n) - product(2n * b, z.d), z.n);
  return linear + product(a, product(z.d, z.d));
}
