// The exact numbers of the explorer page: designs of a yes-or-no question at (gamma, delta), and of k categories.
//
// gamma = exp(epsilon) is rational, and so is every number here. A design of two answers is {p00, p11}. The optimum is
// that of Holohan, Leith and Mason (2016), Theorems 2 to 4.

import { floorQuotient, HALF, ONE, smaller, TWO, whole, ZERO } from "./fractions.js";

/** Return the chance of the answer yes at the prevalence. */
export function yesShare({ p00, p11 }, prevalence) {
  return ONE.minus(prevalence).times(ONE.minus(p00)).plus(prevalence.times(p11));
}

/** Return n Var of the estimated prevalence: yes (1 - yes) / (p00 + p11 - 1)^2; null if the design is uninformative. */
export function variance(design, prevalence) {
  const slope = design.p00.plus(design.p11).minus(ONE);
  if (slope.isZero()) return null;
  const yes = yesShare(design, prevalence);
  return yes.times(ONE.minus(yes)).over(slope.times(slope));
}

/** Return the privacy loss of a report: the likelihood ratio of yes against no; null is infinite. */
export function likelihoodRatios({ p00, p11 }) {
  const ratio = (a, b) => (b.isZero() ? null : a.over(b));
  return { yes: ratio(p11, ONE.minus(p00)), no: ratio(ONE.minus(p11), p00) };
}

/** Return the probability of the trait after a report with this likelihood ratio. */
export function posterior(prior, ratio) {
  if (ratio === null) return ONE;
  return prior.times(ratio).over(ONE.minus(prior).plus(prior.times(ratio)));
}

/** Return the point p00 = p11 at which both ratio constraints are tight: Warner's best design. */
export const diagonal = (gamma, delta) => gamma.plus(delta).over(gamma.plus(ONE));

/** Return g(gamma, delta) = delta (gamma + delta) / (gamma + 2 delta - 1)^2. */
export function threshold(gamma, delta) {
  const slope = gamma.plus(TWO.times(delta)).minus(ONE);
  return delta.times(gamma.plus(delta)).over(slope.times(slope));
}

/** Return all extreme optimal designs of two answers; none if gamma = 1 and delta = 0. */
export function optimalDesigns(gamma, delta, prevalence) {
  const keep = diagonal(gamma, delta);
  const middle = { p00: keep, p11: keep };
  if (gamma.equals(ONE) && delta.isZero()) return [];
  if (delta.isZero() || delta.equals(ONE)) return [middle];
  const rarer = smaller(prevalence, ONE.minus(prevalence));
  const order = rarer.compare(threshold(gamma, delta));
  const found = [];
  if (order <= 0 && prevalence.atMost(HALF)) found.push({ p00: ONE, p11: delta });
  if (order <= 0 && HALF.atMost(prevalence)) found.push({ p00: delta, p11: ONE });
  if (order >= 0) found.push(middle);
  return found.sort((a, b) => a.p00.compare(b.p00));
}

/** Return the largest probability of the true question beside a harmless one that is answered yes with chance `other`. */
export function truthProbability(gamma, delta, other) {
  const c = gamma.minus(ONE).times(smaller(other, ONE.minus(other)));
  return c.plus(delta).over(c.plus(ONE));
}

/** Return n Var of the best mechanism of any number of answers (four of them); the Cramer-Rao bound at the prevalence. */
export function bestVariance(gamma, delta, prevalence) {
  const spread = prevalence.times(ONE.minus(prevalence));
  const lean = gamma.minus(ONE).times(gamma.minus(ONE));
  const flips = ONE.minus(delta).times(lean).over(gamma.plus(lean.times(spread)));
  const information = delta.over(spread).plus(flips);
  return information.isZero() ? null : information.inverse();
}

/**
 * Return the designs of a yes-or-no question within the budget, each at its best: [{name, design, value, parameters}].
 *
 * design is null where the mechanism has no two answers, value null where nothing can be estimated.
 */
export function binaryDesigns({ gamma, delta, prevalence, other }) {
  const optima = optimalDesigns(gamma, delta, prevalence);
  if (optima.length === 0) return { optima, rows: [] };
  const rows = [];
  const add = (name, design, parameters) =>
    rows.push({ name, design, value: variance(design, prevalence), parameters });
  rows.push({ name: "four", design: null, value: bestVariance(gamma, delta, prevalence), parameters: [] });
  const best = optima[0];
  const [yes, no] = [ONE.minus(best.p00), ONE.minus(best.p11)];
  add("optimum", best, [best.p00, best.p11]);
  add("forced", best, [ONE.minus(yes).minus(no), yes, no]);
  const keep = diagonal(gamma, delta);
  add("warner", { p00: keep, p11: keep }, [keep]);
  add("crosswise", { p00: keep, p11: keep }, [keep]);
  const truth = truthProbability(gamma, delta, other);
  const rest = ONE.minus(truth);
  add(
    "unrelated",
    { p00: truth.plus(rest.times(ONE.minus(other))), p11: truth.plus(rest.times(other)) },
    [truth, other],
  );
  if (!delta.isZero()) add("mangat", { p00: delta, p11: ONE }, [delta]);
  add("direct", { p00: ONE, p11: ONE }, []);
  return { optima, rows };
}

/**
 * Return the vertices of the designs (p00, p11) within the budget, counterclockwise: two corners of the unit square, the
 * points (m, m), (1, delta), (delta, 1), and what exchanging the reports makes of them.
 */
export function regionVertices(gamma, delta) {
  const m = diagonal(gamma, delta);
  const half = [[ONE, ZERO], [ONE, delta], [m, m], [delta, ONE]];
  const all = [...half, ...half.map((point) => point.map((x) => ONE.minus(x)))];
  return all.filter(([x, y], i) => {
    const [a, b] = all[(i + 7) % 8];
    return !(x.equals(a) && y.equals(b));
  });
}

/** Return the least number of respondents whose standard error is at most `error`. */
export function respondents(value, error) {
  const needed = value.over(error.times(error));
  const least = floorQuotient(needed.n + needed.d - 1n, needed.d);
  return least > 1n ? least : 1n;
}

/** Return the distribution of k categories: equal shares, or the first with this share and the others equal. */
export function population(k, first = null) {
  if (first === null) return Array.from({ length: k }, () => ONE.over(whole(k)));
  const rest = ONE.minus(first).over(whole(k - 1));
  return Array.from({ length: k }, (_, j) => (j === 0 ? first : rest));
}
