// Objectives whose value is a sum of phi(row): payoffs, divergences, and Bayesian means of them
// (design_bracket.md). phi is convex and homogeneous; its values are intervals, which are points where they are exact.

import { Rejected, unknownKind } from "./budget.js";
import { dot, Fraction, HALF, largest, ONE, sum, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";

const DIVERGENCES = ["kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"];

/** Return whether the values of an objective need logarithms, powers or roots. */
export const needsDigits = ({ kind }) => [...DIVERGENCES, "mutual-information", "d-optimal"].includes(kind);

/** Return the interval of phi at a row of fractions: the mean of the values of an objective over a mixture. */
export function formValue({ form, weights, populations }, row) {
  return weights.map((w, b) => Interval.of(w).times(ownValue(form, row, populations[b]))).reduce((x, y) => x.plus(y));
}

/** Return the exact value of phi at a row, or null where it needs logarithms, powers or roots. */
function exactValue({ form, weights, populations }, row) {
  const values = populations.map((pi) => exactOwn(form, row, pi));
  return values.includes(null) ? null : dot(weights, values);
}

function exactOwn(objective, row, pi) {
  if (objective.kind === "payoff") {
    return largest(objective.matrix.map((pay) => dot(row, pay.map((u, j) => u.times(pi[j])))));
  }
  if (!["total-variation", "chi-square"].includes(objective.kind)) return null;
  const difference = dot(row, pi.map((x, j) => x.minus(objective.against[j])));
  if (objective.kind === "total-variation") return difference.abs().times(HALF);
  const weight = dot(row, objective.against);
  if (!weight.isZero()) return difference.power(2).over(weight);
  return difference.isZero() ? ZERO : infinite();
}

function ownValue(objective, row, pi) {
  const exact = exactOwn(objective, row, pi);
  if (exact !== null) return Interval.of(exact);
  const a = dot(row, pi);
  if (objective.kind === "mutual-information") {
    let total = Interval.of(ZERO);
    row.forEach((x, j) => {
      total = total.plus(logTerm(pi[j].times(x), x, a));
    });
    return total;
  }
  const b = dot(row, objective.against);
  if (a.equals(b)) return Interval.of(ZERO); // each divergence is 0 where the two populations give the same
  const m = a.plus(b).times(HALF);
  switch (objective.kind) {
    case "kullback-leibler":
      return b.isZero() ? infinite() : logTerm(a, a, b);
    case "hellinger":
      return Interval.of(m).minus(Interval.of(a.times(b)).root());
    case "jensen-shannon":
      return logTerm(a, a, m).plus(logTerm(b, b, m)).times(Interval.of(HALF));
    case "alpha-divergence":
      return alphaTerm(objective.order, a, b);
    default:
      return unknownKind(objective.kind);
  }
}

/** Return factor ln(x/y), 0 for a factor 0. */
const logTerm = (factor, x, y) =>
  factor.isZero() || x.equals(y) ? Interval.of(ZERO) : Interval.of(factor).times(Interval.of(x.over(y)).log());

/** Return (a^r b^(1-r) - r a - (1-r) b)/(r (r-1)) for a other than b. */
function alphaTerm(r, a, b) {
  const rest = ONE.minus(r);
  if ((b.isZero() && rest.sign() < 0) || (a.isZero() && r.sign() < 0)) return infinite();
  const linear = r.times(a).plus(rest.times(b));
  const scale = Interval.of(ONE.over(r.times(r.minus(ONE))));
  if (a.isZero() || b.isZero()) return Interval.of(linear.negative()).times(scale);
  const power = r.isWhole() ? Interval.of(wholePower(a.over(b), r)) : Interval.of(a.over(b)).log().times(Interval.of(r)).exp();
  return Interval.of(b).times(power).minus(Interval.of(linear)).times(scale);
}

const wholePower = (x, r) => (r.sign() < 0 ? x.inverse().power(Number(-r.n)) : x.power(Number(r.n)));

function infinite() {
  throw new Rejected("the divergence is infinite at a row or a ray");
}

/** Return the test of phi(r) <= g(r)/G on a ray of integers. */
export function formTest(phi, g, G, fail) {
  return (ray) => {
    const row = ray.map((x) => new Fraction(x));
    const bound = Fraction.of(g(ray), G);
    const exact = exactValue(phi, row);
    const fits = exact === null ? formValue(phi, row).highIsAtMost(bound) : exact.atMost(bound);
    if (!fits) fail(ray);
  };
}

/** Return whether `lower` is at most the sum of phi over the rows that are not 0. */
export function formReaches(phi, rows, lower) {
  const used = rows.filter((row) => row.some((x) => !x.isZero()));
  const exact = used.map((row) => exactValue(phi, row));
  if (!exact.includes(null)) return lower.atMost(sum(exact));
  return used.map((row) => formValue(phi, row)).reduce((x, y) => x.plus(y)).lowIsAtLeast(lower);
}
