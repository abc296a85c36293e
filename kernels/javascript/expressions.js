// Expressions (part A of FORMAT.md): trees of numbers and names, expanded to pairs n/d of polynomials.

import { Rejected, unknownKind } from "./budget.js";
import { ONE } from "./fractions.js";
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

/** Return the pair n/d of an expression; the numerators of divisors are appended to `divisors`. */
export function expandedPair(place, names, divisors) {
  const one = Polynomial.constant(names.length, ONE);
  if (place.isText()) {
    const at = names.indexOf(place.value);
    if (at >= 0) return { n: Polynomial.variable(names.length, at), d: one };
    if (/^[a-z]/.test(place.value)) place.reject("a name that the problem does not declare");
    return { n: Polynomial.constant(names.length, place.number()), d: one };
  }
  const pair = (part) => expandedPair(part, names, divisors);
  const [operation, argument] = operationOf(place, ["sum", "product", "negative", "power", "quotient"]);
  switch (operation) {
    case "sum":
      return partsOf(argument).map(pair).reduce(addPairs);
    case "product":
      return partsOf(argument).map(pair).reduce((a, b) => ({ n: a.n.times(b.n), d: a.d.times(b.d) }));
    case "negative": {
      const { n, d } = pair(argument);
      return { n: n.negative(), d };
    }
    case "power": {
      const [base, exponent] = argument.itemsOf(2);
      const t = exponent.integer(0, MAX_DEGREE);
      const { n, d } = pair(base);
      return { n: n.power(t), d: d.power(t) };
    }
    case "quotient": {
      const [a, b] = argument.itemsOf(2);
      const left = pair(a);
      const right = pair(b);
      b.require(!right.n.isZero(), "a divisor is the zero polynomial");
      divisors.push(right.n);
      return { n: left.n.times(right.d), d: left.d.times(right.n) };
    }
    default:
      return unknownKind(operation);
  }
}

export function addPairs(a, b) {
  if (a.d.equals(b.d)) return { n: a.n.plus(b.n), d: a.d };
  return { n: a.n.times(b.d).plus(b.n.times(a.d)), d: a.d.times(b.d) };
}

/** Return the expanded polynomial of an expression without quotient. */
export function expandedPolynomial(place, names) {
  const divisors = [];
  const { n } = expandedPair(place, names, divisors);
  if (divisors.length) throw new Rejected("a quotient stands in a polynomial expression", place);
  return n;
}
