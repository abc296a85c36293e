// The way of a formula: the largest weighted trace, for any number of categories (formula_way.md).

import { readReports } from "./blocks_rule.js";
import { charge } from "./budget.js";
import { ONE, whole, ZERO } from "./fractions.js";
import { MAX_RUNS } from "./limits.js";

const MAX_CATEGORIES = 10 ** 7;

/** Check a bracket; `readLevels` reads the levels of a problem with their brackets. */
export function checkFormula({ inputs, outputs, levels, bounds, objective, population }, claim, proof, readLevels) {
  const isLoss = objective.named("kind") === "loss";
  const given = objective.fields(["kind", isLoss ? "matrix" : "weights"]);
  given.kind.oneOf(["trace", "loss"]);
  if (isLoss) given.matrix.oneOf(["zero-one"]);
  else population.null();
  const k = inputs.integer(2, MAX_CATEGORIES);
  outputs.require(outputs.integer(2, MAX_CATEGORIES) === k, "there are not as many outputs as inputs");
  bounds.null();
  const { brackets } = proof.fields(["way", "brackets"]);
  const read = readLevels(levels, brackets, k);
  levels.require(read.length === 1 && read[0].pairs === null, "a formula needs one level of all pairs");
  const [{ gamma, delta }] = read;
  const runs = (isLoss ? population : given.weights).fields(["runs"]).runs;
  const weights = readRuns(runs, k);
  for (const { value } of weights) runs.require(value.sign() >= 0, "a weight or a share is negative");
  const { lower, upper, mechanism } = claim.fields(["lower", "upper", "mechanism"]);
  const total = totalOf(weights, () => true);
  if (isLoss) population.require(total.equals(ONE), "the shares do not sum to 1");
  const value = valueOf(mechanism, k, weights, total, gamma.below, delta.below);
  const D = delta.above;
  const bound = D.times(total).plus(ONE.minus(D).times(largest(weights, gamma.above)));
  const [low, high] = isLoss ? [total.minus(bound), total.minus(value)] : [value, bound];
  lower.require(lower.number().atMost(low), "`lower` is above what is proved");
  upper.require(high.atMost(upper.number()), "`upper` is below what is proved");
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
