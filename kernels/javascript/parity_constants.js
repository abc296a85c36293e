// Constants and pairs of parity-bound (parity_bound.md): quotients n/d of polynomials in p and in at most eight named constants.
//
// A Pair without p is a constant. A name stands for a root (exponent between 0 and 1), an exponential or a logarithm of a
// constant, and has an interval.

import { Rejected } from "./budget.js";
import { Quotient } from "./expressions.js";
import { bitLength, Fraction, HALF, ONE, product, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";
import { MAX_CONSTANTS } from "./limits.js";
import { integerRoot } from "./logarithms.js";
import { Polynomial } from "./polynomials.js";

const SIZE = 1 + MAX_CONSTANTS; // p, then the names

let names = [];

/** Forget all names. */
export function startConstants() {
  names = [];
}

/** Return how many constants have a name. */
export const namedConstants = () => names.length;

const unit = Polynomial.constant(SIZE, ONE);

const hasP = (polynomial) => [...polynomial.entries()].some(([exponents]) => exponents[0] > 0);

/** Return the coefficients in p of a polynomial, ascending: polynomials in the names. */
export function coefficientsOf(polynomial) {
  const found = [];
  for (const [exponents, x] of polynomial.entries()) {
    const at = exponents[0];
    while (found.length <= at) found.push(new Polynomial(polynomial.size));
    found[at].add([0, ...exponents.slice(1)].join(), x);
  }
  return found.length > 0 ? found : [new Polynomial(polynomial.size)];
}

/** Return whether a polynomial in p may be 0 for all p: no coefficient has a certain sign other than 0. */
function mayVanish(polynomial) {
  return coefficientsOf(polynomial).every((part) => {
    const value = new Pair(part).interval();
    return !value.isPositive() && !value.isNegative();
  });
}

export class Pair extends Quotient {
  constructor(n, d = unit) {
    super(n, d);
  }

  made(n, d) {
    return new Pair(n, d).simplest();
  }

  static of(value) {
    return new Pair(Polynomial.constant(SIZE, value));
  }

  static p() {
    return new Pair(Polynomial.variable(SIZE, 0));
  }

  hasP() {
    return hasP(this.n) || hasP(this.d);
  }

  /** Return this pair; a rational number without p is its value over 1. */
  simplest() {
    if (this.hasP()) return this;
    const value = this.rational();
    return value === null ? this : Pair.of(value);
  }

  /** Return the rational number that this constant is, or null. */
  rational() {
    if (this.n.isZero()) return ZERO;
    if (this.n.terms.size !== this.d.terms.size) return null;
    const [[key, value]] = this.d.terms;
    const own = this.n.terms.get(key);
    if (!own) return null;
    const ratio = own.over(value);
    return this.n.equals(this.d.scaled(ratio)) ? ratio : null;
  }

  isZero() {
    return this.n.isZero();
  }

  inverse() {
    if (this.isZero() || (this.hasP() && mayVanish(this.n))) throw new Rejected("a divisor is 0");
    if (!this.hasP()) this.sign();
    return super.inverse();
  }

  /** Return the sign of a constant; reject if it is not certain. */
  sign() {
    const value = this.rational();
    if (value !== null) return value.sign();
    if (this.hasP()) throw new Rejected("the sign of a function of p is asked for");
    const interval = this.interval();
    if (interval.isPositive()) return 1;
    if (interval.isNegative()) return -1;
    throw new Rejected("the sign of a constant is not certain");
  }

  /** Return an interval around a constant. */
  interval() {
    const value = this.rational();
    if (value !== null) return Interval.of(value);
    return intervalOf(this.n).times(intervalOf(this.d).inverse());
  }

  sameAs(other) {
    return this.n.times(other.d).equals(other.n.times(this.d));
  }

  /** Return this constant to the power of a fraction. */
  power(r) {
    const x = this.constant();
    if (r.isWhole()) return r.sign() < 0 ? x.whole(Number(-r.n)).inverse() : x.whole(Number(r.n));
    const sign = x.sign();
    if (sign < 0 || (sign === 0 && r.sign() < 0)) throw new Rejected("a root of a negative number, or a divisor that is 0");
    if (sign === 0) return x;
    const down = r.n >= 0n ? r.n / r.d : -((-r.n + r.d - 1n) / r.d);
    const root = x.rootOf(r.minus(new Fraction(down)));
    return root.times(down < 0n ? x.whole(Number(-down)).inverse() : x.whole(Number(down)));
  }

  /** Return this constant > 0 to the power of a fraction between 0 and 1. */
  rootOf(r) {
    const value = this.rational();
    if (value?.equals(ONE)) return this;
    if (value && r.equals(HALF)) {
      const roots = [value.n, value.d].map((x) => integerRoot(x, bitLength(x)));
      if (product(roots[0], roots[0]) === value.n && product(roots[1], roots[1]) === value.d) {
        return Pair.of(new Fraction(roots[0], roots[1]));
      }
    }
    const interval = () => powerOfInterval(this.interval(), r);
    return named("root", r, this, interval);
  }

  exp() {
    const x = this.constant();
    if (x.isZero()) return Pair.of(ONE);
    // exp(r log x) is x^r
    for (const [at, name] of names.entries()) {
      const ratio = new Pair(x.n, x.d.times(Polynomial.variable(SIZE, at + 1))).rational();
      if (name.kind === "log" && ratio !== null) return name.argument.power(ratio);
    }
    return named("exp", ZERO, x, () => x.interval().exp());
  }

  log() {
    const x = this.constant();
    if (x.sign() <= 0) throw new Rejected("the logarithm of what is not positive");
    if (x.rational()?.equals(ONE)) return Pair.of(ZERO);
    for (const [at, name] of names.entries()) {
      if (name.kind === "exp" && x.sameAs(new Pair(Polynomial.variable(SIZE, at + 1)))) return name.argument;
    }
    return named("log", ZERO, x, () => x.interval().log());
  }

  /** Return this as a constant: of functions of p only a multiple of m/m, m a monomial: no divisor is 0 for all p. */
  constant() {
    if (!this.hasP()) return this;
    const value = this.d.terms.size === 1 ? this.rational() : null;
    if (value === null) throw new Rejected("a root, an exponential or a logarithm of p is no pair");
    return Pair.of(value);
  }

  minimum(other) {
    if (this.hasP() || other.hasP()) throw new Rejected("a minimum of functions of p is no pair");
    return this.minus(other).sign() <= 0 ? this : other;
  }
}

function named(kind, exponent, argument, interval) {
  let at = names.findIndex((name) => name.kind === kind && name.exponent.equals(exponent) && name.argument.sameAs(argument));
  if (at < 0) {
    if (names.length === MAX_CONSTANTS) throw new Rejected(`more than ${MAX_CONSTANTS} constants need a name`);
    at = names.length;
    names.push({ kind, exponent, argument, interval: interval() });
  }
  return new Pair(Polynomial.variable(SIZE, at + 1));
}

function intervalOf(polynomial) {
  let total = Interval.of(ZERO);
  for (const [exponents, value] of polynomial.entries()) {
    let term = Interval.of(value);
    exponents.slice(1).forEach((e, at) => {
      if (e > 0) term = term.times(wholePower(names[at].interval, e));
    });
    total = total.plus(term);
  }
  return total;
}

/** Return a whole power >= 0 of an interval: repeated products. */
export function wholePower(interval, exponent) {
  let result = Interval.of(ONE);
  for (let i = 0; i < exponent; i++) result = result.times(interval);
  return result;
}

/** Return an interval >= 0 (> 0 if r < 0) to the power of a fraction r. */
export function powerOfInterval(interval, r) {
  if (r.isWhole()) {
    const power = wholePower(interval, Math.abs(Number(r.n)));
    return r.sign() < 0 ? power.inverse() : power;
  }
  if (r.equals(HALF)) return interval.root();
  return interval.log().times(Interval.of(r)).exp();
}
