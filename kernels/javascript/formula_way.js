// The way of a formula: weighted traces, and optima at equal shares, for up to 10^7 categories (formula_way.md).

import { MAX_CATEGORIES, readReports, readRevealed } from "./block_families.js";
import { charge } from "./budget.js";
import { least as smallest, ONE, TWO, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_RUNS } from "./limits.js";

const MOST_OUTPUTS = 10n ** 19n;
const MOST_SIZES = 8;

/** Check a bracket; `readLevels` reads the levels of a problem with their brackets. */
export function checkFormula(problem, claim, proof, readLevels) {
  const { inputs, levels, bounds, objective } = problem;
  const kind = objective.named("kind");
  proof.at("way").require(["trace", "loss", ...KINDS].includes(kind), "no formula serves this objective");
  const k = inputs.integer(2, MAX_CATEGORIES);
  bounds.null();
  const read = readLevels(levels, proof.fields(["way", "brackets"]).brackets, k);
  levels.require(read.length === 1 && read[0].pairs === null, "a formula needs one level of all pairs");
  const { lower, upper, mechanism } = claim.fields(["lower", "upper", "mechanism"]);
  const ends = KINDS.includes(kind) ? endsAtEqualShares : traceEnds;
  const { low, high } = ends(problem, mechanism, k, read[0], kind);
  const [first, last] = [lower.number(), upper.number()];
  lower.require(low.lowIsAtLeast(first), "`lower` is above what is proved");
  upper.require(high.highIsAtMost(last), "`upper` is below what is proved");
}

// The weighted trace.

/** Return the ends that are proved of the largest weighted trace, or of the least 0/1 loss. */
function traceEnds({ inputs, outputs, objective, population }, mechanism, k, { gamma, delta }, kind) {
  const isLoss = kind === "loss";
  const given = objective.fields(["kind", isLoss ? "matrix" : "weights"]);
  if (isLoss) given.matrix.oneOf(["zero-one"]);
  else population.null();
  outputs.require(outputs.value === inputs.value, "there are not as many outputs as inputs");
  const runs = (isLoss ? population : given.weights).fields(["runs"]).runs;
  const weights = readRuns(runs, k);
  for (const { value } of weights) runs.require(value.sign() >= 0, "a weight or a share is negative");
  const total = totalOf(weights, () => true);
  if (isLoss) population.require(total.equals(ONE), "the shares do not sum to 1");
  const value = valueOf(mechanism, k, weights, total, gamma.below, delta.below);
  const D = delta.above;
  const bound = D.times(total).plus(ONE.minus(D).times(largest(weights, gamma.above)));
  return isLoss ? { low: total.minus(bound), high: total.minus(value) } : { low: value, high: bound };
}

/** Return runs of categories that follow each other, each {count, value}; k categories in all. */
function readRuns(place, k) {
  const runs = place.items(MAX_RUNS, 1).map((run) => {
    const [count, value] = run.itemsOf(2);
    return { count: count.integer(1, k), value: value.number() };
  });
  charge(4 * runs.length);
  const all = runs.reduce((n, { count }) => n + count, 0);
  place.require(all === k, "the runs have not as many categories as the population");
  return runs;
}

function totalOf(weights, isIn) {
  return weights.reduce((total, run, i) => (isIn(i) ? total.plus(whole(run.count).times(run.value)) : total), ZERO);
}

/** Return the weighted trace of a mechanism that is private at the level below. */
function valueOf(place, k, weights, total, gamma, delta) {
  place.require(place.isObject() && place.value.size === 1, "one form of mechanism is expected");
  const outside = "the mechanism is not private at `below`";
  if (!place.has("restricted-response")) {
    place.require(place.has("blocks"), "the mechanism is none of direct blocks and restricted response");
    place.at("blocks").require(place.at("blocks").named("family") === "direct", "the family is not `direct`");
    const { g, p } = readReports(place, k, true);
    place.require(ONE.atMost(g) && g.minus(gamma).atMost(delta.times(g.plus(whole(k - 1)))), outside);
    return p.times(total);
  }
  const parts = place.at("restricted-response").fields(["runs", "gamma", "delta"]);
  const chosen = readRuns(parts.runs, k);
  for (const { value } of chosen) parts.runs.require(value.isZero() || value.equals(ONE), "a run is neither chosen nor left out");
  const [g, d] = [parts.gamma.number(), parts.delta.number()];
  place.require(ONE.atMost(g) && g.atMost(gamma) && d.sign() >= 0 && d.atMost(delta), outside);
  let [m, sum, run, left] = [0, ZERO, 0, weights[0].count];
  for (const { count, value } of chosen) {
    for (let rest = count; rest > 0; ) {
      if (left === 0) left = weights[++run].count;
      const both = Math.min(rest, left);
      if (!value.isZero()) {
        m += both;
        sum = sum.plus(whole(both).times(weights[run].value));
      }
      rest -= both;
      left -= both;
    }
  }
  place.require(m > 0, "no category is chosen");
  return d.times(total).plus(ONE.minus(d).times(g.times(sum).over(g.plus(whole(m - 1)))));
}

/** Return the largest G W/(G + N - 1) over the ends of the runs, the heaviest first. */
function largest(weights, G) {
  const sorted = [...weights].sort((a, b) => b.value.minus(a.value).sign());
  let [N, W, best] = [0, ZERO, ZERO];
  for (const { count, value } of sorted) {
    N += count;
    W = W.plus(whole(count).times(value));
    const found = G.times(W).over(G.plus(whole(N - 1)));
    if (best.less(found)) best = found;
  }
  return best;
}

// Equal shares.

const KINDS = ["a-optimal", "e-optimal", "d-optimal", "mutual-information"];

/** Return the ends that are proved of an optimum at equal shares: the value of the mechanism, and the bound. */
function endsAtEqualShares({ inputs, outputs, objective, population }, mechanism, k, { gamma, delta, hasDelta }, kind) {
  objective.fields(["kind"]);
  const { uniform } = population.fields(["uniform"]);
  uniform.require(uniform.value === inputs.value, "the population has another number of categories");
  objective.require(!hasDelta || kind !== "mutual-information", "the information needs delta 0");
  const made = readRevealed(mechanism, k, delta.below);
  mechanism.require(ONE.less(made.g) && made.g.atMost(gamma.below), "the mechanism is not private at `below`, or tells nothing");
  if (outputs.value !== "any") {
    outputs.integer(2, MOST_OUTPUTS);
    mechanism.require(made.b !== null && made.b.atMost(outputs.number()), "the mechanism has more outputs than the problem allows");
  }
  mechanism.require(made.balanced || kind === "a-optimal", "the sets have not all the same size");
  setDigits(60);
  if (kind === "mutual-information") return informations(k, made, gamma.above, mechanism);
  const n = kind === "a-optimal" ? ONE : whole(k - 1);
  const own = revealing(k, variance(k, made), made.revealed).over(n);
  const least = revealing(k, bound(k, gamma.above), delta.above).over(n);
  return kind === "d-optimal" ? { low: determinant(k, own), high: determinant(k, least) } : { low: least, high: own };
}

/** Return the total variance of a mechanism that reports the truth with probability d, from that of its other reports. */
function revealing(k, total, d) {
  return ONE.over(ONE.minus(d).over(total).plus(d.times(whole(k).over(whole(k - 1)))));
}

/** Return n times the total variance of the estimator that counts memberships. */
function variance(k, { p, m }) {
  const apart = p.minus(m);
  const first = whole(k).times(m).times(ONE.minus(m));
  const second = apart.times(ONE.minus(TWO.times(m)));
  return first.plus(second).over(apart.power(2)).minus(ONE.over(whole(k)));
}

/** Return the least total variance of all mechanisms. */
function bound(k, G) {
  const near = Number((BigInt(k) * G.d) / (G.n + G.d));
  const values = [near, near + 1].map((x) => {
    const d = whole(Math.min(Math.max(x, 1), k - 1));
    const rest = whole(k).minus(d);
    const above = whole(k - 1).times(d.times(G).plus(rest)).power(2);
    return above.over(whole(k).times(G.minus(ONE).power(2)).times(d).times(rest));
  });
  return smallest(values);
}

/** Return ln k - (k-1) ln v. */
function determinant(k, v) {
  const spread = Interval.of(v).log();
  return Interval.of(whole(k)).log().minus(Interval.of(whole(k - 1)).times(spread));
}

/** Return the information of sets of d of k. */
function information(k, d, g) {
  const P = d.times(g).over(d.times(g).plus(whole(k)).minus(d));
  const part = (x, n) => Interval.of(x).times(Interval.of(x.times(whole(k)).over(n)).log());
  return part(P, d).plus(part(ONE.minus(P), whole(k).minus(d)));
}

/** Return the information of the mechanism, and the largest of all. */
function informations(k, { p, g }, G, place) {
  const low = information(k, whole(k).times(p).over(g.minus(p.times(g.minus(ONE)))), g);
  const steep = Interval.of(G.over(G.minus(ONE))).times(Interval.of(G).log());
  const D = Interval.of(whole(k).over(G.minus(ONE))).times(steep.minus(Interval.of(ONE)));
  const [first, last] = D.wholeEnds().map((x) => Math.min(Math.max(Number(x), 1), k - 1));
  place.require(last - first < MOST_SIZES, "the best size of the sets is not known: gamma is too near 1");
  let high = null;
  for (let d = first; d <= last; d++) {
    const told = information(k, whole(d), G);
    high = high === null ? told : high.maximum(told);
  }
  return { low, high };
}
