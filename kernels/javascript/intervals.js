// Intervals with floating decimal ends: an integer of `precision` digits and an exponent, rounded outwards.
//
// A Float stands for m 10^e. m is 0 or has exactly `precision` digits. Ends beyond 10^MAX_POWER_OF_TEN become infinite. Decimals
// with few digits are exact, as in every checker that works in decimals.

import { charge, Rejected } from "./budget.js";
import { absolute, bitsOf, floorQuotient, Fraction } from "./fractions.js";
import { MAX_INTERVAL_DIGITS } from "./limits.js";
import { expEnclosure, integerRoot, lnEnclosure, logOfTen } from "./logarithms.js";

const MAX_POWER_OF_TEN = 999_999;
const RESERVE = 12; // digits beyond those that the file states
let precision = 40;

/** Compute with `digits` decimal digits and a reserve from now on. */
export function setDigits(digits) {
  precision = digits + RESERVE;
}

/** Return the number of decimal digits of the intervals. */
export const currentDigits = () => precision;

/** Return what `compute` returns with these digits; the digits from now on are as before. */
export function atDigits(digits, compute) {
  const before = precision;
  setDigits(digits);
  try {
    return compute();
  } finally {
    precision = before;
  }
}

/** Compute with the digits that a proof states; return them. */
export function readDigits(place) {
  const digits = place.integer(1, MAX_INTERVAL_DIGITS);
  setDigits(digits);
  return digits;
}

class Float {
  constructor(m, e, infinite = 0) {
    this.m = m;
    this.e = e;
    this.infinite = infinite; // -1, 0, 1
  }

  sign() {
    return this.infinite || (this.m > 0n ? 1 : this.m < 0n ? -1 : 0);
  }
}

const NOTHING = new Float(0n, 0);
const PLUS = new Float(0n, 0, 1);
const MINUS = new Float(0n, 0, -1);

const powers = [1n];

function powerOfTen(n) {
  if (n >= 4096) return 10n ** BigInt(n);
  while (powers.length <= n) powers.push(powers.at(-1) * 10n);
  return powers[n];
}

/** Return the number of decimal digits of an integer other than 0. */
function digitsOf(x) {
  const least = Math.floor((bitsOf(x) - 1) * 0.30102999566) + 1; // one too few at most, while x has less than 10^9 digits
  return absolute(x) >= powerOfTen(least) ? least + 1 : least;
}

/** Return n / d for d > 0, rounded down or up. */
function divided(n, d, up) {
  const q = n / d;
  if (q * d === n) return q;
  if (up) return n > 0n ? q + 1n : q;
  return n < 0n ? q - 1n : q;
}

/** Return m 10^e as a Float, rounded down or up. */
function rounded(m, e, up) {
  if (m === 0n) return NOTHING;
  charge(1);
  const excess = digitsOf(m) - precision;
  let mantissa = m;
  if (excess > 0) {
    mantissa = divided(m, powerOfTen(excess), up);
    // rounding away from 0 may reach the next power of ten
    if (digitsOf(mantissa) > precision) return rounded(mantissa, e + excess, up);
  } else if (excess < 0) {
    mantissa = m * powerOfTen(-excess);
  }
  const exponent = e + excess;
  const size = exponent + precision;
  if (size > MAX_POWER_OF_TEN) {
    const largest = powerOfTen(precision) - 1n;
    if (m > 0n) return up ? PLUS : new Float(largest, MAX_POWER_OF_TEN - precision);
    return up ? new Float(-largest, MAX_POWER_OF_TEN - precision) : MINUS;
  }
  if (size < -MAX_POWER_OF_TEN) {
    const tiny = powerOfTen(precision - 1);
    if (m > 0n) return up ? new Float(tiny, -MAX_POWER_OF_TEN - precision) : NOTHING;
    return up ? NOTHING : new Float(-tiny, -MAX_POWER_OF_TEN - precision);
  }
  return new Float(mantissa, exponent);
}

const negated = (a) => (a.infinite ? (a.infinite > 0 ? MINUS : PLUS) : a.m === 0n ? a : new Float(-a.m, a.e));

function compareFloats(a, b) {
  if (a.infinite || b.infinite) return a.infinite - b.infinite;
  const signs = a.sign() - b.sign();
  if (signs !== 0 || a.m === 0n) return Math.sign(signs);
  if (a.e !== b.e) return a.sign() * Math.sign(a.e - b.e); // both have `precision` digits
  return a.m < b.m ? -1 : a.m > b.m ? 1 : 0;
}

/** Return a + b; of infinite ones of unequal signs, the infinite one of the direction. */
function addFloats(a, b, up) {
  if (a.infinite || b.infinite) {
    if (a.infinite && b.infinite && a.infinite !== b.infinite) return up ? PLUS : MINUS;
    return a.infinite ? a : b;
  }
  if (a.m === 0n) return b;
  if (b.m === 0n) return a;
  const [high, low] = a.e >= b.e ? [a, b] : [b, a];
  const gap = high.e - low.e;
  if (gap <= precision + 4) return rounded(high.m * powerOfTen(gap) + low.m, low.e, up);
  // the smaller one is less than a unit of the larger one with four more digits: its sign alone counts
  return rounded(high.m * 10000n + BigInt(low.sign()), high.e - 4, up);
}

/** Return a b, where 0 times an infinite end is 0: factors are finite reals. */
function multiplyFloats(a, b, up) {
  const sign = a.sign() * b.sign();
  if (sign === 0) return NOTHING;
  if (a.infinite || b.infinite) return sign > 0 ? PLUS : MINUS;
  return rounded(a.m * b.m, a.e + b.e, up);
}

/** Return a / b for a finite and b not 0; by an infinite b it is 0. */
function divideFloats(a, b, up) {
  if (a.m === 0n && !a.infinite) return NOTHING;
  const sign = a.sign() * b.sign();
  if (b.infinite) {
    const tiny = rounded(1n, -2 * MAX_POWER_OF_TEN, true);
    return up === sign > 0 ? (sign > 0 ? tiny : negated(tiny)) : NOTHING;
  }
  if (a.infinite) return sign > 0 ? PLUS : MINUS;
  return quotientFloat(absolute(a.m) * BigInt(sign), absolute(b.m), a.e - b.e, up);
}

/** Return n/d 10^e as a Float, d > 0. */
function quotientFloat(n, d, e, up) {
  if (n === 0n) return NOTHING;
  const shift = Math.max(0, precision + 4 - digitsOf(n) + digitsOf(d));
  charge(2);
  return rounded(divided(n * powerOfTen(shift), d, up), e - shift, up);
}

function floatFraction(a) {
  return a.e >= 0 ? new Fraction(a.m * powerOfTen(a.e)) : new Fraction(a.m, powerOfTen(-a.e));
}

const binaryDigits = (digits) => Math.ceil(digits * 3.33) + 24;

/** Return m 10^e 2^bits as an integer, rounded down or up; e is not far from -precision. */
function scaledInteger(m, e, bits, up) {
  const scaled = m << BigInt(bits);
  return e >= 0 ? scaled * powerOfTen(e) : divided(scaled, powerOfTen(-e), up);
}

/** Return m 2^-bits 10^k as a Float. */
const binaryFloat = (m, bits, k, up) => quotientFloat(m, 1n << BigInt(bits), k, up);

/** Return ln of a Float > 0. */
function logFloat(a, up) {
  if (a.infinite) return PLUS;
  const power = a.e + precision; // a lies in [10^(power - 1), 10^power)
  if (power === 0 || power === 1) {
    // near 1 the logarithm is small: as many more digits as a agrees with 1
    const one = powerOfTen(-a.e);
    const off = absolute(a.m - one);
    if (off === 0n) return NOTHING;
    const bits = binaryDigits(precision + Math.max(0, digitsOf(one) - digitsOf(off)) + 1);
    const m = scaledInteger(a.m, a.e, bits, up);
    return binaryFloat(lnEnclosure(m, bits, bitsOf(m))[up ? 1 : 0], bits, 0, up);
  }
  const bits = binaryDigits(precision) + bitsOf(BigInt(Math.abs(power)));
  const m = scaledInteger(a.m, -precision, bits, up);
  const own = lnEnclosure(m, bits, bitsOf(m))[up ? 1 : 0];
  const ten = logOfTen(bits);
  const p = BigInt(power);
  return binaryFloat(own + p * ten[up === power >= 0 ? 1 : 0], bits, 0, up);
}

/** Return exp of a Float. */
function expFloat(a, up) {
  if (a.infinite) return a.infinite > 0 ? PLUS : NOTHING;
  const unit = powerOfTen(precision + 1);
  if (a.m === 0n) return rounded(up ? unit + 1n : unit - 1n, -precision - 1, up); // widened, as other values are
  const top = a.e + precision; // abs(a) < 10^top
  if (top > 7) return rounded(1n, a.m > 0n ? 4 * MAX_POWER_OF_TEN : -4 * MAX_POWER_OF_TEN, up); // out of range
  if (top < -precision - 2) {
    // exp(a) lies between 1 and 1 + 2 a, and abs(2 a) is less than a unit of what follows
    if (a.m > 0n) return up ? rounded(unit + 1n, -precision - 1, true) : rounded(1n, 0, false);
    return up ? rounded(1n, 0, true) : rounded(unit - 1n, -precision - 1, false);
  }
  const bits = binaryDigits(precision + Math.max(0, top));
  const [low, high, k] = expEnclosure(scaledInteger(a.m, a.e, bits, up), bits);
  return binaryFloat(up ? high : low, bits, k, up);
}

/** Return the square root of a Float >= 0, widened by a unit beyond the last digit, as the page of parity-bound says. */
function rootFloat(a, up) {
  if (a.infinite || a.m === 0n) return a;
  const shift = (a.e - precision - 8) % 2 === 0 ? precision + 8 : precision + 9;
  const m = a.m * powerOfTen(shift);
  const root = integerRoot(m, bitsOf(m));
  return rounded(up ? root + 1n : root - 1n, (a.e - shift) / 2, up);
}

/** The reals from `low` to `high`; an infinite end stands for all reals on that side. */
export class Interval {
  constructor(low, high) {
    this.low = low;
    this.high = high;
  }

  /** Return the least interval around a fraction. */
  static of({ n, d }) {
    return new Interval(quotientFloat(n, d, 0, false), quotientFloat(n, d, 0, true));
  }

  static all() {
    return new Interval(MINUS, PLUS);
  }

  static fromZeroTo(high) {
    return new Interval(NOTHING, high);
  }

  plus(other) {
    return new Interval(addFloats(this.low, other.low, false), addFloats(this.high, other.high, true));
  }

  negative() {
    return new Interval(negated(this.high), negated(this.low));
  }

  minus(other) {
    return this.plus(other.negative());
  }

  times(other) {
    const { low: a, high: b } = this;
    const { low: c, high: d } = other;
    if (a.sign() >= 0 && c.sign() >= 0) return new Interval(multiplyFloats(a, c, false), multiplyFloats(b, d, true));
    const pairs = [[a, c], [a, d], [b, c], [b, d]];
    const lows = pairs.map(([x, y]) => multiplyFloats(x, y, false));
    const highs = pairs.map(([x, y]) => multiplyFloats(x, y, true));
    return new Interval(lows.reduce(lowerFloat), highs.reduce(upperFloat));
  }

  /** Return 1/x; the interval must not hold 0. */
  inverse() {
    const one = rounded(1n, 0, true);
    if (this.low.sign() > 0 || this.high.sign() < 0) {
      return new Interval(divideFloats(one, this.high, false), divideFloats(one, this.low, true));
    }
    // 0 is an end that does not belong to it
    if (this.low.sign() === 0 && this.high.sign() > 0) return new Interval(divideFloats(one, this.high, false), PLUS);
    if (this.high.sign() === 0 && this.low.sign() < 0) return new Interval(MINUS, divideFloats(one, this.low, true));
    throw new Rejected("an interval that holds 0 is inverted");
  }

  /** Return ln x of x > 0; an end at 0 gives minus infinity. */
  log() {
    if (this.low.sign() < 0 || this.high.sign() <= 0) throw new Rejected("the logarithm of what may be 0 or less");
    return new Interval(this.low.sign() === 0 ? MINUS : logFloat(this.low, false), logFloat(this.high, true));
  }

  exp() {
    return new Interval(expFloat(this.low, false), expFloat(this.high, true));
  }

  root() {
    if (this.low.sign() < 0) throw new Rejected("the square root of what may be negative");
    return new Interval(rootFloat(this.low, false), rootFloat(this.high, true));
  }

  /** Return the reals that lie in both; reject if there is none. */
  meet(other) {
    const low = upperFloat(this.low, other.low);
    const high = lowerFloat(this.high, other.high);
    if (compareFloats(low, high) > 0) throw new Rejected("two enclosures of one number have nothing in common");
    return new Interval(low, high);
  }

  /** Return the least interval around both. */
  hull(other) {
    return new Interval(lowerFloat(this.low, other.low), upperFloat(this.high, other.high));
  }

  maximum(other) {
    return new Interval(upperFloat(this.low, other.low), upperFloat(this.high, other.high));
  }

  /** Return floor(low) and ceiling(high) of a bounded interval. */
  wholeEnds() {
    const [low, high] = [floatFraction(this.low), floatFraction(this.high)];
    return [floorQuotient(low.n, low.d), -floorQuotient(-high.n, high.d)];
  }

  minimum(other) {
    return new Interval(lowerFloat(this.low, other.low), lowerFloat(this.high, other.high));
  }

  /** Return the low end of a bounded interval as a fraction. */
  lowEnd() {
    return floatFraction(this.low);
  }

  /** Return the high end of a bounded interval as a fraction. */
  highEnd() {
    return floatFraction(this.high);
  }

  isPositive() {
    return this.low.sign() > 0;
  }

  isNegative() {
    return this.high.sign() < 0;
  }

  isAtLeastZero() {
    return this.low.sign() >= 0;
  }

  holdsZero() {
    return this.low.sign() <= 0 && this.high.sign() >= 0;
  }

  isZero() {
    return this.low.sign() === 0 && this.high.sign() === 0;
  }

  isBounded() {
    return !this.low.infinite && !this.high.infinite;
  }

  /** Return whether every number of this interval is at most every number of the other one. */
  liesAtMost(other) {
    return compareFloats(this.high, other.low) <= 0;
  }

  /** Return whether a fraction is at most the low end. */
  lowIsAtLeast(fraction) {
    return this.low.infinite ? this.low.infinite > 0 : fraction.atMost(floatFraction(this.low));
  }

  /** Return whether a fraction is at most the high end. */
  highIsAtLeast(fraction) {
    return this.high.infinite ? this.high.infinite > 0 : fraction.atMost(floatFraction(this.high));
  }

  /** Return whether a fraction is at least the high end. */
  highIsAtMost(fraction) {
    return this.high.infinite ? this.high.infinite < 0 : floatFraction(this.high).atMost(fraction);
  }
}

const lowerFloat = (a, b) => (compareFloats(a, b) <= 0 ? a : b);
const upperFloat = (a, b) => (compareFloats(a, b) >= 0 ? a : b);
