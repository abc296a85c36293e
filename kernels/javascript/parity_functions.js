// Functions of parity-bound (parity_bound.md): their expressions as constants at a point, as pairs n/d, and as expansions.

import { Rejected } from "./budget.js";
import { Pair } from "./parity_constants.js";
import { operationOf, partsOf, valueOf } from "./expressions.js";
import { MAX_DEGREE } from "./limits.js";

const OPERATIONS = [
  "sum", "product", "negative", "power", "quotient", "sqrt", "exp", "log", "minimum", "maximum",
];

/** Require the form of an expression in p (or without p), whatever is evaluated later. */
export function readExpression(place, withP) {
  if (place.isText()) {
    if (place.value === "p" && withP) return;
    if (/^[a-z]/.test(place.value)) place.reject("a name that is not allowed here");
    place.number();
    return;
  }
  const [operation, argument] = operationOf(place, OPERATIONS);
  if (operation === "power") {
    const [base, exponent] = argument.itemsOf(2);
    readExponent(exponent);
    readExpression(base, withP);
  } else if (operation === "quotient") {
    argument.itemsOf(2).forEach((part) => readExpression(part, withP));
  } else if (["sum", "product", "minimum", "maximum"].includes(operation)) {
    partsOf(argument).forEach((part) => readExpression(part, withP));
  } else {
    readExpression(argument, withP);
  }
}

function readExponent(place) {
  const value = place.number();
  const limit = BigInt(MAX_DEGREE);
  place.require(value.sign() >= 0 && value.n <= limit && value.d <= limit, "an exponent is negative or too large");
  return value;
}

/** Return the value of an expression: `p` and `constant(pair)` give the values that it is made of. */
export function evaluated(place, { p, constant }) {
  return valueOf(place, {
    operations: OPERATIONS,
    leaf: (text) => (text.value === "p" ? p : constant(Pair.of(text.number()))),
    exponent: readExponent,
    divided: (a, b) => a.times(b.inverse()),
  });
}

/** Return the operands of a minimum or maximum, turned over on the side `down`, or null. */
export function extremum(place, down) {
  for (const operation of ["minimum", "maximum"]) {
    if (place.has(operation)) {
      return { isMinimum: (operation === "minimum") !== down, operands: partsOf(place.at(operation)) };
    }
  }
  return null;
}

/** Return the value of an expression at a number p: every operand must be defined. */
export const valueAt = (place, p) => evaluated(place, { p: Pair.of(p), constant: (pair) => pair });

/** Return what a proof gives, or null where it is rejected; the end of the budget rejects the file. */
export function attempt(proof) {
  try {
    return proof();
  } catch (error) {
    if (!(error instanceof Rejected) || error.isFinal) throw error;
    return null;
  }
}
