// Objectives whose value is a sum of phi(row): payoffs, divergences, and Bayesian means of them
// (design_bracket.md). phi is convex and homogeneous; its values are intervals, which are points where they are exact.

import { charge, Rejected, unknownKind } from "./budget.js";
import { dot, Fraction, HALF, largest, least, ONE, overOneDenominator, sum, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";

const DIVERGENCES = ["kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"];

/** Return whether the values of an objective need logarithms, powers or roots. */
export const needsDigits = ({ kind }) => [...DIVERGENCES, "mutual-information", "d-optimal"].includes(kind);

/**
 * Return phi, which rays_way.js describes, as a function of a row of fractions. Its values are fractions, or intervals where
 * they need logarithms, powers or roots.
 */
export function valueOf(phi) {
  const { lines, form, weights, populations } = phi;
  if (lines) return (row) => largest(lines.map((line) => dot(line, row)));
  if (!form) return sumOfSquares(phi);
  const known = new Map(); // logarithms by their argument, and values by what they depend on
  return (row) => {
    const values = populations.map((pi) => ownValue(form, row, pi, known));
    if (values[0] instanceof Fraction) return dot(weights, values);
    return values.map((value, b) => Interval.of(weights[b]).times(value)).reduce((x, y) => x.plus(y));
  };
}

/** Return sum_b w_b sum_j d_j (r.w_j)^2/(r.pi_b), over a mixture or of one population; 0/0 is 0. */
function sumOfSquares({ vectors, d, shares, mean, parts }) {
  const listed = vectors
    ? [[ONE, vectors, d, shares]]
    : parts.map((own, b) => [mean.weights[b], own, own.map(() => ONE), mean.populations[b]]);
  return (row) => {
    let total = ZERO;
    for (const [weight, own, scales, divisor] of listed) {
      const squares = sum(own.map((w, j) => dot(row, w).power(2).times(scales[j])));
      const s = dot(row, divisor);
      if (s.isZero() && !squares.isZero()) infinite();
      if (!s.isZero()) total = total.plus(weight.times(squares).over(s));
    }
    return total;
  };
}

/** Return sum_j d_j w_j w_j^T. */
export function formOf({ vectors, d }) {
  return vectors[0].map((_, a) => vectors[0].map((__, b) => sum(vectors.map((w, j) => d[j].times(w[a]).times(w[b])))));
}

function ownValue(objective, row, pi, known) {
  if (objective.kind === "payoff") {
    return largest(objective.matrix.map((pay) => dot(row, pay.map((u, j) => u.times(pi[j])))));
  }
  if (objective.kind === "mutual-information") return informationValue(row, pi, known);
  return pairValue(objective, dot(row, pi), dot(row, objective.against), known);
}

/** Return t(a, b), the term of a divergence: a fraction where it is rational, else an interval. */
export function pairValue(objective, a, b, known = new Map()) {
  if (["total-variation", "chi-square"].includes(objective.kind)) {
    const difference = a.minus(b);
    if (objective.kind === "total-variation") return difference.abs().times(HALF);
    if (!b.isZero()) return difference.power(2).over(b);
    return difference.isZero() ? ZERO : infinite();
  }
  if (objective.kind === "alpha-divergence" && objective.order.isWhole()) return wholeAlphaTerm(objective.order, a, b);
  if (a.equals(b)) return Interval.of(ZERO); // each divergence is 0 where the two populations give the same
  const m = a.plus(b).times(HALF);
  switch (objective.kind) {
    case "kullback-leibler":
      return b.isZero() ? infinite() : logTerm(a, a, b, known);
    case "hellinger":
      return Interval.of(m).minus(Interval.of(a.times(b)).root());
    case "jensen-shannon":
      return logTerm(a, a, m, known).plus(logTerm(b, b, m, known)).times(Interval.of(HALF));
    case "alpha-divergence":
      return alphaTerm(objective.order, a, b);
    default:
      return unknownKind(objective.kind);
  }
}

/**
 * Return sum_j pi_j r_j ln(r_j/s), s = pi.r. With w(x) = sum of the pi_j with r_j = x it is sum_x w(x) x ln(x/s), and
 * s = sum_x w(x) x: rows with equal pairs (x, w(x)) have one value, which is kept. For any c > 0 it is
 * sum_x w(x) x ln(x/c) - s ln(s/c); with the least entry as c, the rows of a pattern need one new logarithm, that of s/c.
 */
function informationValue(row, pi, known) {
  if (!wholes.has(pi)) wholes.set(pi, overOneDenominator(pi));
  const { numbers, denominator } = wholes.get(pi);
  charge(row.length);
  const terms = new Map(); // by the entry: the entry, and w over the denominator
  row.forEach((x, j) => {
    const name = `${x}`;
    const term = terms.get(name) ?? { x, weight: 0n };
    term.weight += numbers[j];
    terms.set(name, term);
  });
  const listed = [...terms].filter(([, { weight }]) => weight !== 0n);
  const key = listed.map(([name, { weight }]) => `${name} ${weight}/${denominator}`).sort().join(",");
  if (!known.has(key)) {
    const factors = listed.map(([, { x, weight }]) => [Fraction.of(weight, denominator).times(x), x]);
    const positive = factors.filter(([, x]) => !x.isZero());
    if (positive.length === 0) return Interval.of(ZERO);
    const s = sum(positive.map(([factor]) => factor));
    const c = least(positive.map(([, x]) => x));
    const own = positive.map(([factor, x]) => logTerm(factor, x, c, known));
    keep(known, key, own.reduce((x, y) => x.plus(y)).minus(logTerm(s, s, c, known)));
  }
  return known.get(key);
}

const wholes = new WeakMap(); // populations over one denominator

/** Keep a value by its key, and no more than some thousands. */
function keep(known, key, value) {
  if (known.size > 4096) known.clear();
  known.set(key, value);
}

/** Return factor ln(x/y), 0 for a factor 0. */
function logTerm(factor, x, y, known) {
  if (factor.isZero() || x.equals(y)) return Interval.of(ZERO);
  const ratio = x.over(y);
  const key = `${ratio}`;
  if (!known.has(key)) keep(known, key, Interval.of(ratio).log());
  return Interval.of(factor).times(known.get(key));
}

/** Return (a^r b^(1-r) - r a - (1-r) b)/(r (r-1)) for a other than b. */
function alphaTerm(r, a, b) {
  const rest = ONE.minus(r);
  if ((b.isZero() && rest.sign() < 0) || (a.isZero() && r.sign() < 0)) return infinite();
  const linear = r.times(a).plus(rest.times(b));
  const scale = Interval.of(ONE.over(r.times(r.minus(ONE))));
  if (a.isZero() || b.isZero()) return Interval.of(linear.negative()).times(scale);
  const power = Interval.of(a.over(b)).log().times(Interval.of(r)).exp();
  return Interval.of(b).times(power).minus(Interval.of(linear)).times(scale);
}

/** Return the same for a whole order r, as a fraction. */
function wholeAlphaTerm(r, a, b) {
  const rest = ONE.minus(r);
  if ((b.isZero() && !a.isZero() && rest.sign() < 0) || (a.isZero() && !b.isZero() && r.sign() < 0)) return infinite();
  const power = a.isZero() || b.isZero() ? ZERO : b.times(wholePower(a.over(b), r));
  return power.minus(r.times(a)).minus(rest.times(b)).over(r.times(r.minus(ONE)));
}

const wholePower = (x, r) => (r.sign() < 0 ? x.inverse().power(Number(-r.n)) : x.power(Number(r.n)));

function infinite() {
  throw new Rejected("phi is infinite at a row or a ray");
}

/** Return whether `lower` is at most the sum of phi over the rows that are not 0. */
export function formReaches(phi, rows, lower) {
  const values = rows.filter((row) => row.some((x) => !x.isZero())).map(valueOf(phi));
  return values.reduce((x, y) => x.plus(y)).lowIsAtLeast(lower);
}
