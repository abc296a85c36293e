// The statement composition: delta of many responses together, by laws on a lattice of odds (composition.md).

import { charge, chargeInBulk, pieces } from "./budget.js";
import { bitLength, bySquares, Fraction, ONE, ZERO } from "./fractions.js";
import { gammaBracket, readLevel } from "./levels.js";
import {
  MAX_COMPOSED_COUNT, MAX_COMPOSED_EXPONENT, MAX_COMPOSED_ITEMS, MAX_LATTICE_BITS, MAX_LATTICE_POINTS, MAX_PARAMETER_DIGITS,
} from "./limits.js";
import { convolved, lawOfShortLaws, lawOfSum, missing, repeatedChoice } from "./tail_sums.js";

const NOT_APART = "the points of the lattice are not apart: it needs more bits";
const GUARD = 64; // bits of powers beside those of the laws
const FITS = 40n; // a lattice fits if all squared parities together are within 2^-40 of powers of its ratio
const SHORT = 4096; // bits of a power that is compared exactly, where integers around it leave a comparison open

/** Check a bracket of the least slack of every adaptive composition. */
export function checkComposition(problem, claim, proof) {
  const { items, epsilon } = problem.fields(["items", "epsilon"]);
  const { lower: least, upper: most } = claim.fields(["lower", "upper"]);
  const { brackets, ratio, bits } = proof.fields(["brackets", "ratio", "bits"]);
  const { parts, below, above, kept, target } = readItems(items, epsilon, brackets);
  const r = ratio.number(MAX_PARAMETER_DIGITS);
  ratio.require(ONE.less(r), "the ratio of the lattice is not above 1");
  const precision = bits.integer(1, MAX_LATTICE_BITS);
  const delta = (d) => ONE.minus(kept.times(ONE.minus(d)));
  const fitted = fittedBounds(parts, target, new Powers(r, precision + GUARD, ratio), precision);
  if (fitted && least.number().atMost(delta(fitted.lower)) && delta(fitted.upper).atMost(most.number())) return;
  const own = (counts) => counts.filter(({ parity }) => ONE.less(parity));
  const v = lower(own(below), target.above, new Powers(r, precision + GUARD, ratio), precision);
  const u = upper(own(above), target.below, new Powers(r, precision + GUARD, ratio), precision);
  least.require(least.number().atMost(delta(v)), "`lower` is above the delta of the levels below");
  most.require(delta(u).atMost(most.number()), "`upper` is below the delta of the levels above");
}

/** Read the items and prove the brackets; return the parities below and above with their counts, and what is kept. */
function readItems(items, epsilon, brackets) {
  const listed = items.items(MAX_COMPOSED_ITEMS);
  const written = brackets.itemsOf(listed.length + 1);
  const target = gammaBracket(written[listed.length], readLevel(epsilon), MAX_COMPOSED_EXPONENT);
  const below = new Map();
  const above = new Map();
  const both = new Map();
  let kept = ONE;
  listed.forEach((item, i) => {
    const parts = item.fields(["epsilon", "delta", "count"]);
    const bracket = gammaBracket(written[i], readLevel(parts.epsilon));
    const delta = parts.delta.number(MAX_PARAMETER_DIGITS);
    parts.delta.require(delta.sign() >= 0 && delta.atMost(ONE), "a delta is not in [0, 1]");
    const count = parts.count.integer(1, MAX_COMPOSED_COUNT);
    kept = kept.times(ONE.minus(delta).power(count));
    add(below, bracket.below, count);
    add(above, bracket.above, count);
    add(both, bracket, count, `${bracket.below} ${bracket.above}`);
  });
  const parts = [...both.values()].map(({ parity, count }) => ({ ...parity, count }));
  return { parts, below: [...below.values()], above: [...above.values()], kept, target };
}

function add(counts, parity, count, key = parity.toString()) {
  const known = counts.get(key) ?? { parity, count: 0 };
  counts.set(key, { parity, count: known.count + count });
}

/**
 * Return bounds of d on a lattice that contains the losses, but for a small relative error; null if the lattice does not.
 *
 * One law of the number T of steps holds for all parities in their brackets. An outcome with T steps has the odds
 * G/(r^T e), and e is within `error` of 1.
 */
function fittedBounds(parts, target, powers, bits) {
  const own = parts.filter(({ above }) => ONE.less(above));
  const [unit, b] = [1n << powers.precision, BigInt(bits)];
  let error = 0n;
  const steps = [];
  for (const { below, above, count } of own) {
    const [step, deviation] = powers.nearest(below.times(below), above.times(above));
    error += BigInt(count) * deviation;
    if (error << FITS > unit) return null;
    steps.push(step);
  }
  const laws = own.map(({ below, above, count }, i) => {
    const yes = (below.n << b) / (below.n + below.d);
    const no = (above.d << b) / (above.n + above.d);
    return repeatedChoice(yes, no, steps[i], count, b, powers.place);
  });
  const law = lawOfShortLaws(laws, b);
  const odds = (end, up) => productOf(own.map((part) => ({ parity: part[end], count: part.count })), powers.precision, up);
  const [least, most] = [odds("below", false), odds("above", true)];
  // the product of (1 + d_i) is at most 1 + 2 sum d_i, and that of (1 - d_i) at least 1 - sum d_i, for a sum of at most 1/2
  const v = fittedSum(law, powers, target.above, unit + 2n * error, least, false);
  const u = fittedSum(law, powers, target.below, unit - error, most, true);
  const over = (sum) => Fraction.of(sum, unit << b);
  return { lower: v > 0n ? over(v) : ZERO, upper: u < unit << b ? over(u) : ONE };
}

/** Return the sum of w_t max(0, 1 - gamma r^t e/G), rounded up with the missing weight at t = 0, or rounded down. */
function fittedSum(law, powers, gamma, e, odds, up) {
  const [unit, shift] = [1n << powers.precision, BigInt(bitLength(odds))];
  const scale = up ? ((gamma.n * e) << shift) / (gamma.d * odds) : ceiling((gamma.n * e) << shift, gamma.d * odds);
  const ends = up ? powers.low : powers.high;
  const limit = unit << shift;
  let [held, sum] = [0n, 0n];
  const end = law.start + law.weights.length;
  for (let t = 0; t < end; t++) {
    powers.upTo(t);
    if (ends[t] * scale >= limit) break;
    if (t < law.start) continue;
    chargeInBulk(1, bitLength(ends[t]));
    held += law.weights[t - law.start];
    sum += law.weights[t - law.start] * ends[t];
  }
  const product = scale * sum;
  const first = unit - ((powers.low[0] * scale) >> shift);
  if (up) return unit * held - (product >> shift) + (first > 0n ? missing(law) * first : 0n);
  return unit * held + (-product >> shift);
}

/** Integers around 2^precision r^l for l = 0, 1, ... */
class Powers {
  constructor(r, precision, place) {
    this.r = r;
    this.precision = BigInt(precision);
    this.place = place;
    this.low = [1n << this.precision];
    this.high = [1n << this.precision];
  }

  upTo(l) {
    this.place.require(l <= MAX_LATTICE_POINTS, "the lattice has too many points");
    while (this.low.length <= l) {
      const last = this.low.length - 1;
      charge(2 * pieces(this.high[last]) * pieces(this.r.n));
      this.low.push((this.low[last] * this.r.n) / this.r.d);
      this.high.push(ceiling(this.high[last] * this.r.n, this.r.d));
    }
  }

  /** Return l and a bound of 2^precision |x/r^l - 1| for all x between two close numbers that are at least 1. */
  nearest(least, most) {
    const unit = 1n << this.precision;
    const [floor, top] = [least, most].map((x) => (x.n << this.precision) / x.d);
    while (this.high[this.high.length - 1] <= floor) this.upTo(this.high.length);
    let [from, to] = [0, this.high.length - 1];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (this.high[middle] <= floor) from = middle;
      else to = middle;
    }
    const place = this.high[to] - floor < floor - this.high[from] ? to : from;
    const over = ceiling((top + 1n) << this.precision, this.low[place]) - unit;
    const under = unit - (floor << this.precision) / this.high[place];
    return [place, [over, under, 0n].reduce((x, y) => (x > y ? x : y))];
  }

  /** Return l and l' with r^l <= x <= r^l': neighbours, but where that remains open. */
  around(x) {
    const most = (x.n << this.precision) / x.d;
    while (this.high[this.high.length - 1] <= most) this.upTo(this.high.length);
    let [from, to] = [0, this.high.length - 1];
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (this.high[middle] <= most) from = middle;
      else to = middle;
    }
    if (this.low[from + 1] * x.d >= x.n << this.precision) return [from, from + 1];
    const isShort = (from + 1) * Math.max(bitLength(this.r.n), bitLength(this.r.d)) <= SHORT;
    const isOnOrBeyond = isShort && this.r.power(from + 1).atMost(x);
    if (isShort && !isOnOrBeyond) return [from, from + 1];
    this.upTo(from + 2);
    this.place.require(this.low[from + 2] * x.d >= x.n << this.precision, NOT_APART);
    return [isOnOrBeyond ? from + 1 : from, from + 2];
  }
}

const ceiling = (x, d) => (x + d - 1n) / d;
const rounded = (x, shift, up) => (up ? -(-x >> shift) : x >> shift);

/** Return a bound of the product of all parities, times 2^precision. */
function productOf(parts, shift, up) {
  let total = 1n << shift;
  for (const { parity, count } of parts) {
    let square = up ? ceiling(parity.n << shift, parity.d) : (parity.n << shift) / parity.d;
    for (let left = count; left > 0; left = Math.floor(left / 2)) {
      charge(2 * pieces(total) * pieces(square));
      if (left % 2 === 1) total = rounded(total * square, shift, up);
      if (left > 1) square = rounded(square * square, shift, up);
    }
  }
  return total;
}

/** Return P(T < tau) - gamma Q(T < tau) from below, or 0. */
function lower(parts, gamma, powers, bits) {
  const finer = BigInt(bits) + BigInt((gamma.n / gamma.d).toString(2).length);
  let whole = 0;
  const laws = parts.map(({ parity, count }) => {
    const [l] = powers.around(parity.times(parity));
    const fourth = parity.power(4);
    const odd = powers.high[l] * powers.high[l + 1] * fourth.d;
    const step = odd < fourth.n << (2n * powers.precision) ? l + 1 : l;
    whole += step * count;
    const [yes, no] = [parity.n, parity.d].map((part) => (part << finer) / (parity.n + parity.d));
    return repeated([[0, yes], [step, no]], count, finer);
  });
  const odds = productOf(parts, powers.precision, false);
  let tau = 0;
  for (; tau <= whole; tau++) {
    powers.upTo(tau);
    charge(2 * pieces(powers.low[tau]));
    if (powers.low[tau] * gamma.n >= odds * gamma.d) break;
  }
  // under Q a step is as likely as no step under P, so T is there what whole - T is under P
  const law = sum(laws, finer);
  let [p, q] = [0n, missing(law)];
  law.weights.forEach((w, i) => {
    if (law.start + i < tau) p += w;
    if (whole - law.start - i < tau) q += w;
  });
  const v = Fraction.of(p, 1n << finer).minus(gamma.times(Fraction.of(q, 1n << finer)));
  return v.sign() > 0 ? v : ZERO;
}

/** Return the sum of U(s) max(0, 1 - gamma r^s/G) from above. */
function upper(parts, gamma, powers, bits) {
  const b = BigInt(bits);
  let whole = 0;
  const laws = parts.map(({ parity, count }) => {
    const square = parity.times(parity);
    const [l, next] = powers.around(square);
    const n = square.n << powers.precision;
    const [wide, most] = [powers.high, powers.low].map((ends) => n - ends[l] * square.d);
    const gap = powers.high[next] - powers.low[l];
    const least = powers.low[next] - powers.high[l];
    powers.place.require(least > 0n, NOT_APART);
    const total = parity.n + parity.d;
    const scale = total * square.d;
    charge(8 * pieces(n) * pieces(scale));
    const moved = wide > 0n ? ((parity.d * wide) << b) / (scale * gap) : 0n;
    const no = (parity.d << b) / total;
    const atMost = most > 0n ? ceiling((parity.d * most) << b, scale * least) : 0n;
    const kept = no > atMost ? no - atMost : 0n;
    whole += next * count;
    return repeated([[0, (parity.n << b) / total], [l, kept], [next, moved]], count, b);
  });
  const odds = productOf(parts, powers.precision, true);
  const law = sum(laws, b);
  const unit = 1n << powers.precision;
  let [total, first] = [0n, 0n];
  const end = Math.min(whole, law.start + law.weights.length);
  for (let s = 0; s <= end; s++) {
    powers.upTo(s);
    charge(3 * pieces(odds) * pieces(gamma.n));
    const factor = unit - ((gamma.n * powers.low[s]) << powers.precision) / (gamma.d * odds);
    if (factor <= 0n) break;
    if (s === 0) first = factor;
    if (s >= law.start && s < law.start + law.weights.length) total += law.weights[s - law.start] * factor;
  }
  const u = Fraction.of(total + missing(law) * first, unit << b);
  return u.less(ONE) ? u : ONE;
}

/** Return the law of the sum of so many copies of a number with these weights at these places. */
function repeated(masses, count, bits) {
  const length = masses[masses.length - 1][0] + 1;
  charge(8 + length);
  const weights = new Array(length).fill(0n);
  for (const [place, weight] of masses) weights[place] += weight;
  return bySquares({ start: 0, weights, bits }, count, null, (found, law) => (found ? convolved(found, law) : law));
}

function sum(laws, bits) {
  return lawOfSum([...laws].sort((x, y) => x.weights.length - y.weights.length), bits);
}
