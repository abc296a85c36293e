// The statement every-level-closed: optima in closed form for every gamma of an interval (every_level_closed.md).
// Polynomials in gamma are lists of fractions, the coefficient of 1 first.

import { MAX_CATEGORIES } from "./block_families.js";
import { chargeInBulk } from "./budget.js";
import { isNonnegative, order, readEnd, readStart } from "./every_level.js";
import { Fraction, ONE, overOneDenominator, whole, ZERO } from "./fractions.js";
import { MAX_PARAMETER_DIGITS, MAX_RUNS } from "./limits.js";

const constant = (x) => [x];

function multiply(P, Q) {
  const product = Array.from({ length: P.length + Q.length - 1 }, () => ZERO);
  P.forEach((x, i) => Q.forEach((y, j) => (product[i + j] = product[i + j].plus(x.times(y)))));
  return product;
}

const scale = (P, x) => P.map((y) => y.times(x));
const square = (P) => multiply(P, P);
const plus = (P, Q) => Array.from({ length: Math.max(P.length, Q.length) }, (_, i) => (P[i] ?? ZERO).plus(Q[i] ?? ZERO));
const minus = (P, Q) => plus(P, scale(Q, ONE.negative()));
const coefficient = (P, i) => P[i] ?? ZERO;

/** Return whether a polynomial in gamma of degree 2 at most is >= 0 on an interval of u = gamma - 1. */
function holds(P, low, high) {
  const [a, b, c] = overOneDenominator([0, 1, 2].map((i) => coefficient(P, i))).numbers;
  return isNonnegative([a + b + c, b + 2n * c, c], low, high);
}

/** Return the function that reads a design: {N, D, conditions}, its value N/D and what is >= 0 where it is the best. */
function designsOf(objective, delta) {
  switch (objective.named("kind")) {
    case "variance":
      return verticesOf(objective.fields(["kind", "prevalence"]).prevalence, delta);
    case "trace":
      return heaviestOf(objective.fields(["kind", "runs"]).runs, delta);
    default: {
      const { kind, categories } = objective.fields(["kind", "categories"]);
      kind.oneOf(["a-optimal", "d-optimal", "e-optimal"]);
      return setsOf(kind.value, categories.integer(2, MAX_CATEGORIES), delta);
    }
  }
}

// Two categories: the points (p00, p11) = (s/z, t/z), in this order.

function verticesOf(prevalence, delta) {
  const pi = prevalence.number(MAX_PARAMETER_DIGITS);
  prevalence.require(pi.sign() >= 0 && ONE.minus(pi).sign() >= 0, "the prevalence is not in [0, 1]");
  const told = [delta, ONE];
  const points = new Map([["diagonal", [told, told, [ONE, ONE]]]]);
  if (delta.sign() > 0) {
    points.set("p00", [constant(ONE), constant(delta), constant(ONE)]);
    points.set("p11", [constant(delta), constant(ONE), constant(ONE)]);
  }
  const values = new Map();
  for (const [name, [s, t, z]] of points) {
    const x = plus(scale(t, pi), scale(minus(z, s), ONE.minus(pi)));
    values.set(name, { N: multiply(x, minus(z, x)), D: square(minus(plus(s, t), z)) });
  }
  return (place) => {
    const name = place.oneOf([...values.keys()]);
    const { N, D } = values.get(name);
    const others = [...values.keys()].filter((other) => other !== name).map((other) => values.get(other));
    return { N, D, conditions: others.map((other) => minus(multiply(other.N, D), multiply(N, other.D))) };
  };
}

// Equal proportions: sets of d of the k categories.

function setsOf(kind, k, delta) {
  const sum = (d) => [whole(k - d), whole(d)];
  const pairs = (d) => whole(d).times(whole(k - d));
  return (place) => {
    const d = place.integer(1, k - 1);
    const R2 = square(sum(d));
    const spread = minus(scale([whole(k - d), ZERO, whole(d)], whole(k)), R2);
    const blind = scale(spread, ONE.minus(delta).times(whole(k)));
    const information = plus(blind, scale(R2, delta.times(whole(k)).times(whole(k - 1))));
    const below = scale(R2, whole(k - 1));
    const conditions = [d - 1, d + 1]
      .filter((s) => s >= 1 && s <= k - 1)
      .map((s) => minus(scale(square(sum(s)), pairs(d)), scale(R2, pairs(s))));
    if (kind === "d-optimal") return { N: information, D: below, conditions };
    return { N: scale(below, kind === "a-optimal" ? whole(k - 1) : ONE), D: information, conditions };
  };
}

// Traces: the m categories of largest weight.

function heaviestOf(place, delta) {
  const read = place.items(MAX_RUNS, 1).map((run) => {
    const [n, w] = run.itemsOf(2);
    return { n: n.integer(1, MAX_CATEGORIES), w: w.number() };
  });
  const k = read.reduce((all, { n }) => all + n, 0);
  place.require(k >= 2 && k <= MAX_CATEGORIES, "the runs have too few or too many categories");
  place.require(read.every(({ w }) => w.sign() >= 0), "a weight is negative");
  const { numbers, denominator } = overOneDenominator(read.map(({ w }) => w));
  const runs = read.map(({ n }, i) => ({ n, w: numbers[i] })).sort((a, b) => (a.w < b.w ? 1 : a.w > b.w ? -1 : 0));
  chargeInBulk(8 * runs.length, denominator.toString(16).length * 4);
  let [end, sum] = [0, 0n];
  for (const run of runs) {
    run.end = end += run.n;
    run.sum = sum += BigInt(run.n) * run.w;
  }
  const revealed = delta.times(Fraction.of(sum, denominator));
  return (design) => {
    const m = design.integer(1, k);
    let [first, last] = [0, runs.length - 1];
    while (first < last) {
      const middle = (first + last) >> 1;
      if (runs[middle].end < m) first = middle + 1;
      else last = middle;
    }
    const { w, end: reached, sum: through } = runs[first];
    const own = through - BigInt(reached - m) * w;
    const next = reached > m ? w : runs[first + 1]?.w;
    const line = [whole(m - 1), ONE];
    const total = constant(new Fraction(own));
    const conditions = [minus(scale(line, new Fraction(w)), total)];
    if (m < k) conditions.push(minus(total, scale(line, new Fraction(next))));
    const hit = ONE.minus(delta).times(Fraction.of(own, denominator));
    return { N: plus(scale(line, revealed), [ZERO, hit]), D: line, conditions };
  };
}

/** Require that a stated value is that of a design: its numerator and denominator times one positive number. */
function requireValue(place, N, D) {
  const [above, below] = place.itemsOf(2).map((part) => part.numbers(3));
  const own = [0, 1, 2].flatMap((i) => [coefficient(D, i), coefficient(N, i)]);
  const stated = [0, 1, 2].flatMap((i) => [below[i], above[i]]);
  const first = [0, 2, 4].find((i) => !own[i].isZero());
  const factor = stated[first].over(own[first]);
  place.require(factor.sign() > 0, "the value is not that of the design");
  place.require(own.every((x, i) => x.times(factor).equals(stated[i])), "the value is not that of the design");
}

/** Check the closed form of an optimum for every gamma of an interval. */
export function checkEveryLevelClosed(problem, claim, proof) {
  const { objective, delta, from, to } = problem.fields(["objective", "delta", "from", "to"]);
  proof.fields([]);
  const slack = delta.number(MAX_PARAMETER_DIGITS);
  delta.require(slack.sign() >= 0 && ONE.minus(slack).sign() >= 0, "delta is not in [0, 1]");
  let at = readStart(from);
  const end = readEnd(to);
  const read = designsOf(objective, slack);
  for (const piece of claim.fields(["pieces"]).pieces.items(MAX_RUNS, 1)) {
    const { to: until, value, design } = piece.fields(["to", "value", "design"]);
    const high = readEnd(until);
    piece.require(at !== null && order(at, high) < 0, "a piece is empty");
    const { N, D, conditions } = read(design);
    requireValue(value, N, D);
    design.require(conditions.every((P) => holds(P, at, high)), "another design is better on a part of the piece");
    at = high;
  }
  to.require(order(at, end) === 0, "the pieces do not end where the problem ends");
}
