// Sums over outputs of a rational function of the row, and the proof that it is convex (rational_sums.md).

import { charge } from "./budget.js";
import { dot, dotWhole, Fraction, ONE, overOneDenominator, ZERO } from "./fractions.js";
import { MAX_DEGREE, MAX_LIST, MAX_NAMES, MAX_TERMS } from "./limits.js";
import { matrixProduct, pivotsOf, sameMatrix } from "./matrices.js";
import { Polynomial } from "./polynomials.js";

/** Return the terms N(y)/D(y), where y_i is the product of form i and the row. */
export function readTerms(place, k) {
  return place.items(MAX_LIST, 1).map((entry) => {
    const { forms, numerator, denominator } = entry.fields(["forms", "numerator", "denominator"]);
    const rows = forms.matrix(null, k);
    forms.require(rows.length <= MAX_NAMES, `a term has more than ${MAX_NAMES} forms`);
    const above = readPolynomial(numerator, rows.length);
    const below = readPolynomial(denominator, rows.length);
    entry.require(degreeOf(numerator, above) === degreeOf(denominator, below) + 1, "a term is not homogeneous of degree 1");
    return { forms: rows, above, below };
  });
}

/** Return a polynomial other than 0 of `size` variables, from terms in descending order of their exponents. */
function readPolynomial(place, size) {
  const found = new Polynomial(size);
  let last = null;
  for (const term of place.items(MAX_TERMS, 1)) {
    const [coefficient, ...listed] = term.itemsOf(size + 1);
    const key = listed.map((e) => e.integer(0, MAX_DEGREE));
    const value = coefficient.number();
    charge(size);
    term.require(!value.isZero(), "a coefficient is 0");
    term.require(last === null || isBefore(key, last), "the exponents do not descend");
    found.add(key.join(), value);
    last = key;
  }
  return found.within();
}

function isBefore(key, last) {
  const at = key.findIndex((e, i) => e !== last[i]);
  return at >= 0 && key[at] < last[at];
}

const totalOf = (key) => key.reduce((a, b) => a + b, 0);

function degreeOf(place, polynomial) {
  const degrees = new Set([...polynomial.entries()].map(([key]) => totalOf(key)));
  place.require(degrees.size === 1, "a polynomial is not homogeneous");
  return [...degrees][0];
}

/** Return the value of the sum at a row. */
export function valueAt(place, { terms }, row) {
  return terms.reduce((total, { forms, above, below }) => {
    const point = forms.map((form) => dot(form, row));
    const divisor = below.at(point);
    place.require(!divisor.isZero(), "a denominator of the objective is 0 at a row");
    return total.plus(above.at(point).over(divisor));
  }, ZERO);
}

/** Require that each term, times the sign of the sense, is convex on the cone of the rays, which `visit` lists. */
export function requireConvex(place, { terms, sense }, visit) {
  place.itemsOf(terms.length).forEach((entry, i) => {
    requireConvexTerm(entry, terms[i], sense === "minimise", visit);
  });
}

function requireConvexTerm(place, { forms, above, below }, isTurned, visit) {
  const given = place.fields(["forms", "matrix", "scaled", "power"]);
  const rows = given.forms.matrix(null, forms[0].length);
  const n = rows.length;
  given.forms.require(n <= MAX_NAMES, `a term has more than ${MAX_NAMES} forms`);
  const change = given.matrix.matrix(forms.length, n);
  given.matrix.require(sameMatrix(matrixProduct(change, rows), forms), "the forms are not those of the convexity times the matrix");
  const N = substituted(isTurned ? above.negative() : above, change, n);
  const D = substituted(below, change, n);
  const keys = [...D.entries()];
  place.require(keys.every(([, x]) => x.sign() > 0), "a denominator has a negative coefficient");
  const supports = keys.map(([key]) => key.flatMap((e, i) => (e ? [i] : [])));
  const { nonnegative, positive } = signsOn(place, visit, rows, supports);
  place.require(supports.flat().every((i) => nonnegative[i]), "a form of a denominator is negative on a ray");
  place.require(nonnegative[n - 1] && positive[n - 1], "the last form is negative on a ray, or 0 on all of them");
  const scaled = given.scaled.itemsOf(n - 1).map((flag, i) => {
    const isScaled = flag.truthValue();
    flag.require(!isScaled || (nonnegative[i] && positive[i]), "a scaled form is negative on a ray, or 0 on all of them");
    return isScaled;
  });
  const power = given.power.integer(0, MAX_DEGREE);
  const hessian = coefficientsOf({ N, D, nonnegative, scaled, power });
  for (const [key, matrix] of hessian) {
    const isEven = key.split(",").every((e, i) => nonnegative[i] || Number(e) % 2 === 0);
    place.require(isEven, "a coefficient of the Hessian has an odd power of a form that is negative on a ray");
    place.require(pivotsOf(matrix) !== null, "a coefficient of the Hessian is not positive semidefinite");
  }
}

/** Return a polynomial in the new forms. */
function substituted(polynomial, change, size) {
  const lines = change.map((row) => row.reduce(
    (line, x, i) => line.plus(Polynomial.variable(size, i).scaled(x)), new Polynomial(size),
  ));
  const powers = lines.map(() => [Polynomial.constant(size, ONE)]);
  let found = new Polynomial(size);
  for (const [key, coefficient] of polynomial.entries()) {
    let term = Polynomial.constant(size, coefficient);
    key.forEach((e, i) => {
      while (powers[i].length <= e) powers[i].push(powers[i].at(-1).times(lines[i]));
      if (e) term = term.times(powers[i][e]);
    });
    found = found.plus(term);
  }
  return found;
}

/** Return which forms are nonnegative on all rays, and which positive on one; each ray needs a positive denominator. */
function signsOn(place, visit, forms, supports) {
  const listed = forms.map((form) => overOneDenominator(form).numbers);
  const nonnegative = forms.map(() => true);
  const positive = forms.map(() => false);
  visit((ray) => {
    charge(supports.length);
    const values = listed.map((form) => dotWhole(form, ray));
    values.forEach((x, i) => {
      if (x < 0n) nonnegative[i] = false;
      if (x > 0n) positive[i] = true;
    });
    const isPositive = supports.some((support) => support.every((i) => values[i] > 0n));
    place.require(isPositive, "a denominator of the objective is not positive on a ray");
  });
  return { nonnegative, positive };
}

/** Return the coefficients of D^3 (N/D)'' times the factors, without the last variable: matrices by their exponents. */
function coefficientsOf({ N, D, nonnegative, scaled, power }) {
  const { size } = N;
  const variables = nonnegative.map((_, i) => Polynomial.variable(size, i));
  const total = variables.reduce((sum, z, i) => (nonnegative[i] ? sum.plus(z) : sum), new Polynomial(size));
  const factor = total.power(power);
  const square = D.times(D);
  const first = variables.map((_, i) => [derivative(N, i), derivative(D, i)]);
  const found = new Map();
  for (let i = 0; i < size - 1; i++) {
    for (let j = 0; j <= i; j++) {
      const [nI, dI] = first[i];
      const [nJ, dJ] = first[j];
      const mixed = nI.times(dJ).plus(nJ.times(dI));
      let entry = square.times(derivative(nI, j)).minus(D.times(mixed)).minus(N.times(D).times(derivative(dI, j)));
      entry = entry.plus(N.times(dI.times(dJ)).scaled(new Fraction(2n))).times(factor);
      for (const at of [i, j]) if (scaled[at]) entry = entry.times(variables[at]);
      charge(entry.terms.size * size);
      for (const [key, value] of entry.terms) {
        if (!found.has(key)) {
          charge(size * size);
          found.set(key, Array.from({ length: size - 1 }, () => new Array(size - 1).fill(ZERO)));
        }
        found.get(key)[i][j] = value;
        found.get(key)[j][i] = value;
      }
    }
  }
  return found;
}

/** Return the derivative with respect to variable i. */
function derivative(polynomial, i) {
  const found = new Polynomial(polynomial.size);
  charge(polynomial.terms.size * polynomial.size);
  for (const [key, value] of polynomial.entries()) {
    if (!key[i]) continue;
    const lower = key.map((e, at) => (at === i ? e - 1 : e));
    found.add(lower.join(), value.times(new Fraction(BigInt(key[i]))));
  }
  return found;
}
