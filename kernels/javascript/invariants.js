// Conditions that every accepted claim meets, whatever its statement (part D of FORMAT.md): a guard against a mistake in a check.

import { unknownKind } from "./budget.js";
import { dot, Fraction, larger, largest, least, ONE, sum, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_ENTRIES, MAX_RUNS } from "./limits.js";

/** Require the invariants of an accepted design bracket. */
export function requireBracketInvariants(problem, claim) {
  const population = problem.at("population");
  const objective = problem.at("objective");
  if (population.isObject() && population.has("uniform")) {
    return requireReach(uniformReach(population.at("uniform").number(), objective.at("kind").value), claim);
  }
  if (population.isObject()) return requireReach({}, claim); // a mixture, a polytope, or runs
  if (objective.has("weights") && objective.at("weights").isObject()) {
    const w = objective.at("weights").at("runs").items(MAX_RUNS).map((run) => run.at(1).number());
    const k = new Fraction(BigInt(problem.at("inputs").value));
    return requireReach({ least: ZERO, greatest: k.times(largest([ZERO, ...w])) }, claim);
  }
  const pi = population.isNull() ? new Array(problem.at("inputs").integer(2, MAX_ENTRIES)).fill(ZERO) : population.numbers();
  return requireReach(designReach(objective, objective.at("kind").value, pi), claim);
}

/** Require the invariants of an accepted binary bracket: n Var is at least pi (1 - pi), a regret at least 0. */
export function requireBinaryInvariants(problem, claim) {
  const ends = [problem.at("from").number(), problem.at("to").number()].map((pi) => pi.times(ONE.minus(pi)));
  requireReach({ least: problem.at("goal").value === "regret" ? ZERO : largest(ends) }, claim);
}

/** Require the invariant of an optimum: `lower` is at most `upper`. */
export function requireOrder(problem, claim) {
  requireReach({}, claim);
}

/** Require the invariants of a slack: it is in [0, 1]. */
export function requireSlack(problem, claim) {
  requireReach({ least: ZERO, greatest: ONE }, claim);
}

/** Require the invariants of a divergence or of a parity bound: it is at least 0, or infinite. */
export function requireNonnegative(problem, claim) {
  if (claim.at("lower").value !== "infinite" || claim.at("upper").value !== "infinite") requireReach({ least: ZERO }, claim);
}

/** Require the invariant of a gap: it is at least 0. */
export function requireGap(problem, claim) {
  claim.at("gap").require(claim.at("gap").number().sign() >= 0, "the gap is negative");
}

/** Require the invariants of a parity, at least 1 or infinite, and of a profile. */
export function requireLevels(problem, claim) {
  if (claim.has("lower")) requireSlack(problem, claim);
  if (!claim.has("parity") || claim.at("parity").value === "infinite") return;
  claim.at("parity").require(ONE.atMost(claim.at("parity").number()), "a parity is at least 1");
}

function requireReach(reach, claim) {
  const [lowerPlace, upperPlace] = [claim.at("lower"), claim.at("upper")];
  const [lower, upper] = [lowerPlace.number(), upperPlace.number()];
  claim.require(lower.atMost(upper), "`lower` is above `upper`");
  if (reach.least) upperPlace.require(reach.least.atMost(upper), "`upper` is below the least value of any mechanism");
  if (reach.greatest) lowerPlace.require(lower.atMost(reach.greatest), "`lower` is above the largest value of any mechanism");
  if (reach.logarithms) {
    const within = reach.logarithms.highIsAtLeast(lower);
    lowerPlace.require(within, "`lower` is above the largest value of any mechanism");
  }
}

/** Return the reach over k equal shares. */
function uniformReach(k, name) {
  const spread = ONE.minus(ONE.over(k));
  if (name === "a-optimal") return { least: spread };
  if (name === "e-optimal") return { least: spread.over(k.minus(ONE)) };
  setDigits(60);
  const entropy = Interval.of(k).log();
  if (name === "mutual-information") return { least: ZERO, logarithms: entropy };
  return name === "d-optimal" ? { logarithms: Interval.of(k).times(entropy) } : unknownKind(name);
}

/** Require the invariants of a split budget: the value is at least that of the true answers. */
export function requireSplit(problem, claim) {
  const objective = problem.at("objective");
  if (objective.at("kind").value === "joint") return requireReach({ least: ONE.minus(objective.at("squares").number()) }, claim);
  const weights = objective.at("weights").numbers();
  const prevalences = objective.at("prevalences").numbers();
  return requireReach({ least: sum(weights.map((w, l) => w.times(prevalences[l]).times(ONE.minus(prevalences[l])))) }, claim);
}

/** Return {least, greatest}, or `logarithms`, an interval of the greatest value. */
function designReach(objective, name, pi) {
  const k = whole(pi.length);
  const spread = ONE.minus(dot(pi, pi));
  switch (name) {
    case "variance":
      return { least: pi[1].times(ONE.minus(pi[1])) };
    case "a-optimal":
      return { least: spread };
    case "c-optimal": {
      const c = objective.at("contrast").numbers();
      return { least: sum(pi.map((x, j) => x.times(c[j].power(2)))).minus(dot(c, pi).power(2)) };
    }
    case "conditional-variance":
      return { least: ZERO };
    case "e-optimal":
      return { least: spread.over(k.minus(ONE)) };
    case "d-optimal":
      return pi.every((x) => x.sign() > 0) ? { logarithms: logSum(pi, pi.map(() => ONE)) } : {};
    case "mutual-information":
      return { least: ZERO, logarithms: logSum(pi, pi) };
    case "total-variation": {
      const q = objective.at("against").numbers();
      return { least: ZERO, greatest: sum(pi.map((x, j) => x.minus(q[j]).abs())).over(whole(2)) };
    }
    case "chi-square": {
      const q = objective.at("against").numbers();
      if (pi.some((x, j) => q[j].isZero() && !x.isZero())) return { least: ZERO };
      return { least: ZERO, greatest: sum(pi.map((x, j) => (q[j].isZero() ? ZERO : x.power(2).over(q[j])))).minus(ONE) };
    }
    case "trace": {
      const w = objective.at("weights").numbers();
      return { least: k.times(least([ZERO, ...w])), greatest: k.times(largest([ZERO, ...w])) };
    }
    case "loss": {
      const entries = objective.at("matrix").matrix().flat();
      return { least: least(entries), greatest: largest(entries) };
    }
    case "distance": {
      const entries = objective.at("matrix").matrix().flat();
      const far = largest(entries.map((q) => larger(q.abs(), ONE.minus(q).abs())));
      const times = objective.at("norm").value === "total" ? whole(entries.length) : ONE;
      return { least: ZERO, greatest: far.times(times) };
    }
    case "payoff":
    case "rational-sum":
    case "contrasts":
    case "kullback-leibler":
    case "hellinger":
    case "jensen-shannon":
    case "alpha-divergence":
      return {};
    default:
      return unknownKind(name);
  }
}

/** Return the interval of -sum_j w_j ln pi_j over the positive shares. */
function logSum(pi, weights) {
  setDigits(60);
  return pi.reduce(
    (total, x, j) => (x.isZero() || x.equals(ONE) ? total : total.minus(Interval.of(weights[j]).times(Interval.of(x).log()))),
    Interval.of(ZERO),
  );
}
