// Expanded polynomials with rational coefficients, within the limits of part A of FORMAT.md.
//
// A polynomial is a Map from exponent vectors, written as text `2,0,1`, to coefficients other than 0.

import { charge, Rejected } from "./budget.js";
import { bitLength, bySquares, ONE, ZERO } from "./fractions.js";
import { MAX_COEFFICIENT_BITS, MAX_DEGREE, MAX_TERMS } from "./limits.js";

/** A polynomial in `size` variables. */
export class Polynomial {
  constructor(size, terms = new Map()) {
    this.size = size;
    this.terms = terms;
  }

  static constant(size, value) {
    const result = new Polynomial(size);
    if (!value.isZero()) result.terms.set(new Array(size).fill(0).join(), value);
    return result;
  }

  static variable(size, at) {
    const exponents = new Array(size).fill(0);
    exponents[at] = 1;
    return new Polynomial(size, new Map([[exponents.join(), ONE]]));
  }

  isZero() {
    return this.terms.size === 0;
  }

  /** Return pairs of an exponent vector and a coefficient. */
  *entries() {
    for (const [key, value] of this.terms) yield [key === "" ? [] : key.split(",").map(Number), value];
  }

  plus(other) {
    charge(this.terms.size + other.terms.size);
    const result = new Polynomial(this.size, new Map(this.terms));
    for (const [key, value] of other.terms) result.add(key, value);
    return result.within();
  }

  negative() {
    return this.scaled(ONE.negative());
  }

  minus(other) {
    return this.plus(other.negative());
  }

  scaled(factor) {
    if (factor.isZero()) return new Polynomial(this.size);
    charge(this.terms.size);
    return new Polynomial(this.size, new Map([...this.terms].map(([key, x]) => [key, x.times(factor)]))).within();
  }

  times(other) {
    const result = new Polynomial(this.size);
    const left = [...this.entries()];
    const right = [...other.entries()];
    charge(left.length * right.length * (16 + 4 * this.size));
    for (const [a, x] of left) {
      for (const [b, y] of right) {
        result.add(a.map((e, i) => e + b[i]).join(), x.times(y));
        if (result.terms.size > MAX_TERMS) throw new Rejected(`a polynomial has more than ${MAX_TERMS} terms`);
      }
    }
    return result.within();
  }

  power(exponent) {
    return bySquares(this, exponent, Polynomial.constant(this.size, ONE), (x, y) => x.times(y));
  }

  add(key, value) {
    const total = (this.terms.get(key) ?? ZERO).plus(value);
    if (total.isZero()) this.terms.delete(key);
    else this.terms.set(key, total);
  }

  /** Return this polynomial; reject if it is beyond a limit. */
  within() {
    if (this.terms.size > MAX_TERMS) throw new Rejected(`a polynomial has more than ${MAX_TERMS} terms`);
    charge(this.terms.size * (8 + 2 * this.size));
    for (const [exponents, value] of this.entries()) {
      if (exponents.reduce((a, b) => a + b, 0) > MAX_DEGREE) throw new Rejected(`a polynomial has a degree above ${MAX_DEGREE}`);
      if (isLong(value.n) || isLong(value.d)) throw new Rejected("a coefficient of a polynomial is too long");
    }
    return this;
  }

  equals(other) {
    if (this.terms.size !== other.terms.size) return false;
    for (const [key, value] of this.terms) if (!other.terms.get(key)?.equals(value)) return false;
    return true;
  }

  /** Return the value at a point. */
  at(point) {
    let total = ZERO;
    for (const [exponents, value] of this.entries()) {
      charge(exponents.length);
      const factors = exponents.map((e, i) => (e === 0 ? ONE : boundedPower(point[i], e)));
      total = total.plus(factors.reduce((a, b) => a.times(b), value));
    }
    return total;
  }
}

const LONG = 1n << BigInt(MAX_COEFFICIENT_BITS);
const isLong = (x) => x >= LONG || x <= -LONG;

function boundedPower(x, exponent) {
  const bits = Math.max(bitLength(x.n), bitLength(x.d)) * exponent;
  if (bits > 2 ** 22) throw new Rejected("a power of a number has too many digits");
  return x.power(exponent);
}

