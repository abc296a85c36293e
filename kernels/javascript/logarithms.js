// exp and ln in integers with proved errors: a value x stands for x / 2^bits.
//
// Each function returns [low, high], integers with low <= 2^bits f <= high. A truncated product or quotient is less than
// one unit below the true one; the sums of these errors are bounded below, and the ends are moved by more than that.

import { charge, pieces } from "./budget.js";

const cache = new Map();
const tens = new Map();

/** Enclose 2 atanh(1/q) = ln((q+1)/(q-1)) for an integer q >= 3, at `bits` binary digits. */
function logOfRatio(q, bits) {
  // sum of 2/((2i+1) q^(2i+1)): each of `terms` terms is truncated twice, and the rest is below the last term
  const square = q * q;
  let power = (2n << BigInt(bits)) / q;
  let total = 0n;
  let terms = 0n;
  for (let odd = 1n; power > 0n; odd += 2n) {
    total += power / odd;
    power /= square;
    terms += 1n;
  }
  charge(Number(terms) * pieces(total) * 3);
  return [total, total + 3n * terms + 4n];
}

/** Enclose ln 2 = 2 atanh(1/3). */
function logOfTwo(bits) {
  if (!cache.has(bits)) {
    if (cache.size > 64) cache.clear();
    cache.set(bits, logOfRatio(3n, bits));
  }
  return cache.get(bits);
}

/** Enclose ln 10 = 3 ln 2 + 2 atanh(1/9). */
export function logOfTen(bits) {
  if (!tens.has(bits)) {
    if (tens.size > 64) tens.clear();
    const two = logOfTwo(bits);
    const rest = logOfRatio(9n, bits);
    tens.set(bits, [3n * two[0] + rest[0], 3n * two[1] + rest[1]]);
  }
  return tens.get(bits);
}

/**
 * Enclose ln(m / 2^bits), m > 0 an integer.
 *
 * m = 2^s y with y in [3/4, 3/2), and ln y = 2 atanh(z), z = (y-1)/(y+1), abs(z) <= 1/5.
 */
export function lnEnclosure(m, bits, length) {
  const one = 1n << BigInt(bits);
  const guard = bits + 16;
  let shift = length - bits; // m / 2^bits lies in [2^(shift-1), 2^shift)
  // y with guard digits, exact: m moved to the left by what is free
  if (4n * m < 3n << BigInt(length)) shift -= 1;
  const scale = BigInt(guard - bits - shift);
  const y = scale >= 0n ? m << scale : m >> -scale;
  const inexact = scale < 0n ? 1n : 0n; // y is then less than one unit too small, and ln y less than 4/3 unit
  const unit = 1n << BigInt(guard);
  const z = ((y - unit) << BigInt(guard)) / (y + unit); // towards 0, error below 1 unit
  const square = (z * z) >> BigInt(guard);
  let power = z;
  let total = 0n;
  let terms = 0n;
  for (let odd = 1n; power > 1n || power < -1n; odd += 2n) {
    total += power / odd;
    power = (power * square) >> BigInt(guard);
    terms += 1n;
  }
  const size = pieces(unit);
  charge(Number(terms) * (size * size + 2) + 2 * size * size);
  // errors: z one unit, which moves ln y by less than 3 units; each power less than 3 units, each quotient one; the rest
  // of the series is below one tenth of the last power; all doubled.
  const error = 2n * (5n * terms + 10n) + 2n * inexact;
  const [low2, high2] = logOfTwo(guard);
  const s = BigInt(shift);
  const low = 2n * total - error + s * (s >= 0n ? low2 : high2);
  const high = 2n * total + error + s * (s >= 0n ? high2 : low2);
  return one === m ? [0n, 0n] : [low >> 16n, (high >> 16n) + 1n];
}

/**
 * Enclose exp(x / 2^bits) as integers times 2^-bits times 10^k: return [low, high, k].
 *
 * x = k ln 10 + r with abs(r) < 2.4; exp(r) = exp(r / 2^h)^(2^h), by the series and h squares.
 */
export function expEnclosure(x, bits) {
  const halvings = Math.floor(Math.sqrt(bits / 3)) + 1;
  const guard = bits + halvings + 24;
  const extra = BigInt(guard - bits);
  const k = Number((x << 62n) / (0x935d8dddaaa8ac16n << BigInt(bits))); // x / ln 10, about: any integer is right
  const digits = guard + 64;
  const ten = logOfTen(digits);
  const far = BigInt(Math.abs(k));
  const k10 = k >= 0 ? ten : [-ten[1], -ten[0]];
  const r = (x << extra) - ((far * k10[0]) >> 64n); // too large, by less than `wide`
  const wide = ((far * (k10[1] - k10[0])) >> 64n) + 2n;
  const unit = 1n << BigInt(guard);
  const small = r >> BigInt(halvings);
  let term = unit;
  let total = unit;
  let terms = 0n;
  for (let i = 1n; term > 1n || term < -1n; i += 1n) {
    term = ((term * small) >> BigInt(guard)) / i;
    total += term;
    terms += 1n;
  }
  // error of the sum: each term within 3 units (truncations, and `small` less than one unit too small); rest below 2
  let low = total - 3n * terms - 4n;
  let high = total + 3n * terms + 4n;
  for (let i = 0; i < halvings; i++) {
    low = (low * low) >> BigInt(guard);
    high = ((high * high) >> BigInt(guard)) + 1n;
  }
  // the uncertainty of r: exp(r - wide) >= exp(r) (1 - wide)
  low -= ((low * wide) >> BigInt(guard)) + 1n;
  const size = pieces(unit);
  charge((Number(terms) + 2 * halvings + 4) * (size * size + 2));
  return [low >> extra, (high >> extra) + 1n, k];
}

/** Return floor(sqrt(x)) of an integer x >= 0 (Newton). */
export function integerRoot(x, length) {
  if (x < 2n) return x;
  const size = pieces(x);
  let root = 1n << BigInt(Math.ceil(length / 2));
  for (;;) {
    charge(size * size);
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
