// Exact fractions of BigInt in lowest terms. Every operation is charged to the budget.

import { charge, pieces } from "./budget.js";

export const absolute = (x) => (x < 0n ? -x : x);

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Return the greatest common divisor of two integers (Euclid; the last steps with numbers). */
export function gcd(a, b) {
  let x = absolute(a);
  let y = absolute(b);
  while (y > SAFE) {
    charge(pieces(y));
    [x, y] = [y, x % y];
  }
  if (y === 0n) return x;
  let u = Number(y);
  let v = Number(x % y);
  while (v !== 0) [u, v] = [v, u % v];
  charge(8);
  return BigInt(u);
}

/** Return the product of two integers, charged. */
export function product(a, b) {
  const x = pieces(a);
  const y = pieces(b);
  charge(x === 1 && y === 1 ? 1 : x * y);
  return a * b;
}

/** Return floor(a / b) for b > 0. */
export function floorQuotient(a, b) {
  charge(pieces(a) * pieces(b));
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}

/** Return the number of binary digits of an integer. */
export function bitLength(x) {
  charge(pieces(x));
  return bitsOf(x);
}

/** Return the same of a short integer, at no charge. */
export function bitsOf(x) {
  const text = absolute(x).toString(16);
  return text.length * 4 - Math.clz32(parseInt(text[0], 16)) + 28;
}

/** A rational number n/d in lowest terms, d > 0. */
export class Fraction {
  constructor(n, d = 1n) {
    this.n = n;
    this.d = d;
  }

  /** Return n/d for any integers, d not 0. */
  static of(n, d = 1n) {
    if (d < 0n) return Fraction.of(-n, -d);
    const g = gcd(n, d);
    return g === 1n ? new Fraction(n, d) : new Fraction(n / g, d / g);
  }

  plus(other) {
    if (this.n === 0n) return other;
    if (other.n === 0n) return this;
    if (this.d === other.d) {
      if (this.d === 1n) return new Fraction(this.n + other.n);
      return Fraction.of(this.n + other.n, this.d);
    }
    const n = product(this.n, other.d) + product(other.n, this.d);
    return Fraction.of(n, product(this.d, other.d));
  }

  minus(other) {
    return this.plus(other.negative());
  }

  negative() {
    return new Fraction(-this.n, this.d);
  }

  times(other) {
    if (this.n === 0n || other.n === 0n) return ZERO;
    const g = this.n === 1n || other.d === 1n ? 1n : gcd(this.n, other.d);
    const h = other.n === 1n || this.d === 1n ? 1n : gcd(other.n, this.d);
    return new Fraction(product(this.n / g, other.n / h), product(this.d / h, other.d / g));
  }

  inverse() {
    return this.n < 0n ? new Fraction(-this.d, -this.n) : new Fraction(this.d, this.n);
  }

  over(other) {
    return this.times(other.inverse());
  }

  /** Return this number to the power of a whole number >= 0. */
  power(exponent) {
    return bySquares(this, exponent, ONE, (x, y) => new Fraction(product(x.n, y.n), product(x.d, y.d)));
  }

  abs() {
    return this.n < 0n ? this.negative() : this;
  }

  sign() {
    return this.n > 0n ? 1 : this.n < 0n ? -1 : 0;
  }

  isZero() {
    return this.n === 0n;
  }

  isWhole() {
    return this.d === 1n;
  }

  /** Return -1, 0 or 1: the sign of this - other. */
  compare(other) {
    const a = this.d === other.d ? this.n : product(this.n, other.d);
    const b = this.d === other.d ? other.n : product(other.n, this.d);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other) {
    return this.n === other.n && this.d === other.d;
  }

  less(other) {
    return this.compare(other) < 0;
  }

  atMost(other) {
    return this.compare(other) <= 0;
  }

  /** Test the ends, as of an interval. */
  lowIsAtLeast(other) {
    return other.atMost(this);
  }

  highIsAtMost(other) {
    return this.atMost(other);
  }

  toString() {
    return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`;
  }
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);
export const TWO = new Fraction(2n);
export const HALF = new Fraction(1n, 2n);

/** Return the product of `one` and `exponent` factors x, by repeated squares. */
export function bySquares(x, exponent, one, times) {
  let result = one;
  let square = x;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = times(result, square);
    if (left > 1) square = times(square, square);
  }
  return result;
}

export const whole = (n) => new Fraction(BigInt(n));

export const larger = (a, b) => (a.less(b) ? b : a);

export const smaller = (a, b) => (b.less(a) ? b : a);

export const largest = (list) => list.reduce(larger);

export const least = (list) => list.reduce(smaller);

/** Return the sum of fractions. */
export function sum(list) {
  const { numbers, denominator } = overOneDenominator(list);
  return Fraction.of(numbers.reduce((a, b) => a + b, 0n), denominator);
}

/** Return the sum of the products of two lists of integers. */
export function dotWhole(a, b) {
  let total = 0n;
  for (let i = 0; i < a.length; i++) if (a[i] !== 0n && b[i] !== 0n) total += product(a[i], b[i]);
  return total;
}

/** Return the sum of the products of two lists that are over one denominator each. */
export const dotOver = (a, b) => Fraction.of(dotWhole(a.numbers, b.numbers), product(a.denominator, b.denominator));

/** Return the sum of the products of two lists. */
export const dot = (a, b) => dotOver(overOneDenominator(a), overOneDenominator(b));

/** Return the least common multiple of integers > 0. */
function commonMultiple(list) {
  let multiple = 1n;
  for (const d of list) if (d !== 1n && d !== multiple) multiple = product(multiple / gcd(multiple, d), d);
  return multiple;
}

/** Return integers and one denominator for a list of fractions. */
export function overOneDenominator(list) {
  const denominator = commonMultiple(list.map((x) => x.d));
  const length = pieces(denominator);
  charge(list.length * length);
  const numbers = list.map((x) => (x.d === denominator ? x.n : product(x.n, denominator / x.d)));
  return { numbers, denominator };
}
