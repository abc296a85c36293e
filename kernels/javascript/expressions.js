// Expressions (part A of FORMAT.md): trees of numbers and names, and their values, for example quotients n/d of polynomials.

import { Rejected, unknownKind } from "./budget.js";
import { HALF, ONE, whole } from "./fractions.js";
import { MAX_DEGREE, MAX_ENTRIES, MAX_NAMES } from "./limits.js";
import { Polynomial } from "./polynomials.js";

const NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Return a list of names. */
export function readNames(place) {
  return place.items(MAX_NAMES).map((item) => {
    item.require(NAME.test(item.text()), "a name is a lower-case letter, then at most 31 letters, digits or underscores");
    return item.value;
  });
}

/** Return the only key of an expression that is an object, and its place. */
export function operationOf(place, allowed) {
  place.require(place.isObject() && place.value.size === 1, "an expression is a number, a name or an object with one key");
  const [key] = place.value.keys();
  place.require(allowed.includes(key), "an operation that is not allowed here");
  return [key, place.at(key)];
}

/** Return the parts of a sum, product, minimum or maximum: at least two. */
export const partsOf = (place) => place.items(MAX_ENTRIES, 2);

/**
 * Return the value of an expression, by what reads its parts: `operations` that are allowed, `leaf(place)` for numbers and
 * names, `exponent(place)`, and `divided(a, b, place)` with the place of b.
 */
export function valueOf(place, reader) {
  if (place.isText()) return reader.leaf(place);
  const value = (part) => valueOf(part, reader);
  const [operation, argument] = operationOf(place, reader.operations);
  switch (operation) {
    case "sum":
      return partsOf(argument).map(value).reduce((a, b) => a.plus(b));
    case "product":
      return partsOf(argument).map(value).reduce((a, b) => a.times(b));
    case "negative":
      return value(argument).negative();
    case "power": {
      const [base, exponentPlace] = argument.itemsOf(2);
      const exponent = reader.exponent(exponentPlace);
      return exponent.isWhole() ? value(base).whole(Number(exponent.n)) : value(base).power(exponent);
    }
    case "quotient": {
      const [a, b] = argument.itemsOf(2);
      return reader.divided(value(a), value(b), b);
    }
    case "sqrt":
      return value(argument).power(HALF);
    case "exp":
      return value(argument).exp();
    case "log":
      return value(argument).log();
    case "minimum":
      return partsOf(argument).map(value).reduce((a, b) => a.minimum(b));
    case "maximum":
      return partsOf(argument).map(value).map((x) => x.negative()).reduce((a, b) => a.minimum(b)).negative();
    default:
      return unknownKind(operation);
  }
}

/** A quotient n/d of polynomials, without cancelling. */
export class Quotient {
  constructor(n, d) {
    this.n = n;
    this.d = d;
  }

  made(n, d) {
    return new Quotient(n, d);
  }

  plus(other) {
    if (this.d.equals(other.d)) return this.made(this.n.plus(other.n), this.d);
    return this.made(this.n.times(other.d).plus(other.n.times(this.d)), this.d.times(other.d));
  }

  negative() {
    return this.made(this.n.negative(), this.d);
  }

  minus(other) {
    return this.plus(other.negative());
  }

  times(other) {
    return this.made(this.n.times(other.n), this.d.times(other.d));
  }

  inverse() {
    return this.made(this.d, this.n);
  }

  whole(exponent) {
    return this.made(this.n.power(exponent), this.d.power(exponent));
  }
}

/** Return the quotient n/d of an expression; the numerators of divisors are appended to `divisors`. */
export function expandedPair(place, names, divisors) {
  const size = names.length;
  const over = (n) => new Quotient(n, Polynomial.constant(size, ONE));
  return valueOf(place, {
    operations: ["sum", "product", "negative", "power", "quotient"],
    leaf: (text) => {
      const at = names.indexOf(text.value);
      if (at >= 0) return over(Polynomial.variable(size, at));
      if (/^[a-z]/.test(text.value)) text.reject("a name that the problem does not declare");
      return over(Polynomial.constant(size, text.number()));
    },
    exponent: (text) => whole(text.integer(0, MAX_DEGREE)),
    divided: (a, b, divisor) => {
      divisor.require(!b.n.isZero(), "a divisor is the zero polynomial");
      divisors.push(b.n);
      return a.times(b.inverse());
    },
  });
}

/** Return the expanded polynomial of an expression without quotient. */
export function expandedPolynomial(place, names) {
  const divisors = [];
  const { n } = expandedPair(place, names, divisors);
  if (divisors.length) throw new Rejected("a quotient stands in a polynomial expression", place);
  return n;
}
