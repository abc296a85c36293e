// Laws of counts in integers, rounded down: weights[i] <= 2^bits Pr(X = start + i); and their sums.

import { charge, pieces } from "./budget.js";

const GUARD = 24n; // bits of a weight beside those of its law
const SHORT = 16; // terms of a sequence that is multiplied term by term
const FEW = 16; // nonzero weights of a law that multiplies another one term by term
const TOGETHER = 256; // such laws that are multiplied one after the other
const PACKED_BITS_PER_UNIT = 8192; // of a packed sequence that is multiplied by an integer of up to 256 bits
const BITS_OF_MEMORY = 512; // of a packed sequence that are charged as one unit
const BITS_PER_UNIT = 64; // of a product of long integers, which costs about their length

/** What the weights lack to 2^bits. */
export function missing({ weights, bits }) {
  return (1n << bits) - weights.reduce((sum, w) => sum + w, 0n);
}

/**
 * Return the law of Bin(n, a/(a + b)): weights from the mode outwards, rounded both ways; where the lower one has come to
 * 0 the rest of a side is at most a geometric series.
 */
export function binomialLaw(n, a, b, bits, place) {
  const [trials, unit] = [BigInt(n), 1n << (bits + GUARD)];
  const top = ((trials + 1n) * a) / (a + b);
  const mode = top < trials ? top : trials;
  let total = unit;
  const side = (start, step, ratio) => {
    const weights = [];
    let [low, high] = [unit, unit];
    for (let j = start; j !== (step > 0n ? trials : 0n); j += step) {
      const [x, y] = ratio(j);
      if (low === 0n) {
        place.require(x < y, "a binomial law has too few bits");
        total += (high * x + y - x - 1n) / (y - x);
        break;
      }
      charge(1 + 2 * pieces(low) * pieces(y));
      low = (low * x) / y;
      high = (high * x + y - 1n) / y;
      weights.push(low);
      total += high;
    }
    return weights;
  };
  const right = side(mode, 1n, (j) => [(trials - j) * a, (j + 1n) * b]);
  const left = side(mode, -1n, (j) => [j * b, (trials - j + 1n) * a]);
  const weights = [...left.reverse(), unit, ...right].map((w) => (w << bits) / total);
  return trimmed({ start: Number(mode) - left.length, weights, bits });
}

/** Return the law of the sum of two independent counts, rounded down. */
export function convolved(one, other) {
  if (one.weights.length === 0 || other.weights.length === 0) return { start: 0, weights: [], bits: one.bits };
  const terms = polynomialProduct(one.weights, other.weights, one.bits + other.bits);
  return trimmed({ start: one.start + other.start, weights: terms.map((c) => c >> other.bits), bits: one.bits });
}

/** Return the law of the sum of independent counts, in a balanced tree; of none it is the constant 0. */
export function lawOfSum(laws, bits) {
  let level = laws.length > 0 ? laws : [{ start: 0, weights: [1n << bits], bits }];
  while (level.length > 1) {
    const next = [];
    for (let i = 0; i + 1 < level.length; i += 2) next.push(convolved(level[i], level[i + 1]));
    if (level.length % 2 === 1) next.push(level[level.length - 1]);
    level = next;
  }
  return level[0];
}

/** Return the law of the sum of `count` independent counts, each 0 or `step`, with these weights. */
export function repeatedChoice(zero, stepWeight, step, count, bits, place) {
  const unit = 1n << bits;
  const lost = unit - zero - stepWeight;
  charge(2 + (count * step) / 8);
  let law = { start: 0, weights: [zero, stepWeight], bits };
  if (count > 1) {
    // (1 - x)^count >= 1 - count x: the probability that no count is missing
    law = zero + stepWeight > 0n ? binomialLaw(count, stepWeight, zero, bits, place) : { start: 0, weights: [], bits };
    const kept = unit - BigInt(count) * lost;
    law = trimmed({ ...law, weights: law.weights.map((w) => (kept > 0n ? (w * kept) >> bits : 0n)) });
  }
  if (law.weights.length === 0 || step === 1) return law;
  if (step === 0) return { start: 0, weights: [law.weights.reduce((sum, w) => sum + w, 0n)], bits };
  const spaced = new Array((law.weights.length - 1) * step + 1).fill(0n);
  law.weights.forEach((w, i) => (spaced[i * step] = w));
  return { start: law.start * step, weights: spaced, bits };
}

/** Return the law of the sum of independent counts, most of which have few values. */
export function lawOfShortLaws(laws, bits) {
  const level = [...laws].sort((x, y) => x.weights.length - y.weights.length);
  const nonzero = ({ weights }) => weights.reduce((count, w) => count + (w !== 0n), 0);
  const few = level.filter((law) => nonzero(law) <= FEW);
  const groups = level.filter((law) => nonzero(law) > FEW);
  for (let i = 0; i < few.length; i += TOGETHER) {
    const group = few.slice(i, i + TOGETHER);
    const { start, weights } = packedProduct(group.map((law) => law.weights), bits);
    groups.push(trimmed({ start: start + group.reduce((sum, law) => sum + law.start, 0), weights, bits }));
  }
  return lawOfSum(groups.sort((x, y) => x.weights.length - y.weights.length), bits);
}

/**
 * Return the product of polynomials with few nonzero coefficients, rounded down by 2^bits each time: the product so far is
 * one integer with a lane for each coefficient.
 */
function packedProduct(factors, bits) {
  const lane = 4n * ((2n * bits + 4n) / 4n);
  const lanes = 1 + factors.reduce((sum, factor) => sum + Math.max(factor.length - 1, 0), 0);
  charge(1 + (lanes * Number(lane)) / BITS_OF_MEMORY);
  const mask = BigInt(`0x${((1n << (lane - bits)) - 1n).toString(16).padStart(Number(lane / 4n), "0").repeat(lanes)}`);
  let [found, start] = [1n << bits, 0];
  for (const factor of factors) {
    const terms = [...factor.entries()].filter(([, weight]) => weight !== 0n);
    if (terms.length === 0) return { start: 0, weights: [] };
    const first = terms[0][0];
    const length = Number(lane) * (lanes - start);
    charge(1 + factor.length / 16 + (terms.length * length * (1 + Number(bits / 256n))) / PACKED_BITS_PER_UNIT);
    let total = 0n;
    for (const [at, weight] of terms) total += (found * weight) << (lane * BigInt(at - first));
    found = (total >> bits) & mask;
    start += first;
    if (found === 0n) return { start: 0, weights: [] };
  }
  const digits = Number(lane / 4n);
  const hex = found.toString(16);
  const text = hex.padStart(digits * Math.ceil(hex.length / digits), "0");
  const count = text.length / digits;
  const weights = Array.from({ length: count }, (_, k) => BigInt(`0x${text.slice(digits * (count - 1 - k), digits * (count - k))}`));
  return { start, weights };
}

/** Return the law without zeros at its ends. */
function trimmed({ start, weights, bits }) {
  let [from, to] = [0, weights.length];
  while (from < to && weights[from] === 0n) from++;
  while (to > from && weights[to - 1] === 0n) to--;
  return { start: start + from, weights: weights.slice(from, to), bits };
}

/** Return the coefficients of a product of polynomials; `bits` are those of a product of two entries. */
function polynomialProduct(first, second, bits) {
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  const found = new Array(first.length + second.length - 1).fill(0n);
  if (short.length <= SHORT) {
    charge(short.length * long.length * (1 + Number(bits) / 1024));
    short.forEach((x, i) => {
      if (x !== 0n) long.forEach((y, j) => (found[i + j] += x * y));
    });
    return found;
  }
  // one product of two long integers (Kronecker): lanes of whole hexadecimal digits, wide enough for every coefficient
  const lane = Math.ceil((Number(bits) + short.length.toString(2).length + 1) / 4);
  charge(4 + Math.ceil((lane * 4 * found.length) / BITS_PER_UNIT) * 4);
  const packed = (list) => BigInt(`0x${list.map((x) => x.toString(16).padStart(lane, "0")).reverse().join("")}`);
  const digits = (packed(first) * packed(second)).toString(16).padStart(lane * found.length, "0");
  return found.map((_, k) => BigInt(`0x${digits.slice(digits.length - lane * (k + 1), digits.length - lane * k)}`));
}
