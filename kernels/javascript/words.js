// What an accepted certificate proves, in words.

import { unknownKind } from "./budget.js";

const NAMES = new Map(Object.entries({
  variance: "n times the variance of the estimated prevalence",
  trace: "the weighted probability of a true response",
  loss: "the expected loss",
  distance: "the distance to the given matrix",
  "mutual-information": "the mutual information in nats",
  "a-optimal": "the trace of the covariance of the estimates (A-optimality), per respondent",
  "c-optimal": "the variance of the estimated contrast, per respondent",
  "d-optimal": "ln det M (D-optimality)",
  "e-optimal": "the largest eigenvalue of the covariance (E-optimality), per respondent",
  "total-variation": "the total variation",
  "chi-square": "the chi-square divergence",
  contrasts: "the sum of the variances of the estimated contrasts, per respondent",
  payoff: "the expected payoff of the best decision",
  "kullback-leibler": "the Kullback-Leibler divergence",
  hellinger: "the squared Hellinger distance",
  "jensen-shannon": "the Jensen-Shannon divergence",
  "alpha-divergence": "the alpha-divergence",
}));

const MAXIMISED = [
  "trace", "mutual-information", "d-optimal", "total-variation", "chi-square", "payoff", "kullback-leibler", "hellinger",
  "jensen-shannon", "alpha-divergence",
];

const bounds = (claim) => {
  const [lower, upper] = [claim.at("lower").value, claim.at("upper").value];
  return lower === upper ? `is exactly ${short(lower)}` : `lies between ${short(lower)} and ${short(upper)}`;
};

/** Return a number for people: as it stands, or as a decimal where it is long. */
function short(text) {
  if (text.length <= 24) return text;
  const [n, d] = text.split("/").map(BigInt);
  if (d === undefined) return `${text.slice(0, 12)}... (${text.length} digits)`;
  const sign = n < 0n ? "-" : "";
  const size = n < 0n ? -n : n;
  const scaled = `${(size * 10n ** 12n) / d}`.padStart(13, "0");
  return `about ${sign}${scaled.slice(0, -12).slice(0, 24)}.${scaled.slice(-12)}`;
}

const known = (words, kind) => words.get(kind) ?? unknownKind(kind);

const levelText = (level) => {
  if (level.has("rational")) return short(level.at("rational").value);
  const times = level.has("times") ? `${short(level.at("times").value)} ` : "";
  return `${times}log(${short(level.at("log").value)})`;
};

function regionText(region) {
  const inner = region.at("kind").value === "bounded" ? region.at("region") : region;
  const outputs = inner.at("outputs").value === "any" ? "any number of outputs" : `${inner.at("outputs").value} outputs`;
  const size = `${inner.at("inputs").value} categories, ${outputs}`;
  const more = region === inner ? "" : ", with bounds on the entries";
  const kind = inner.at("kind").value;
  switch (kind) {
    case "pairwise-privacy":
      return `${size}, ${pairwiseText(inner.at("levels"))}${more}`;
    case "criterion":
      return `${size}, under the stated breach criterion${more}`;
    case "differential-privacy": {
      const family = inner.at("family").value === "warner" ? ", Warner designs" : "";
      return `epsilon = ${levelText(inner.at("epsilon"))}, delta = ${slackText(inner.at("delta"))}, ${size}${family}${more}`;
    }
    default:
      return unknownKind(kind);
  }
}

const slackText = (delta) => (delta.isObject() ? `exp(${short(delta.at("exp").value)})` : short(delta.value));

const pairText = (j, l) => `(${j}, ${l})`;

/** Return the levels of pairs in words: each level once, with its pairs. */
function pairwiseText(levels) {
  const pairs = new Map();
  levels.items().forEach((row, j) =>
    row.items().forEach((level, l) => {
      if (level.isNull()) return;
      const text = levelText(level);
      pairs.set(text, [...(pairs.get(text) ?? []), pairText(j, l)]);
    }),
  );
  return [...pairs].map(([text, listed]) => `epsilon = ${text} for the pairs ${listed.join(", ")}`).join("; ") || "no privacy level";
}

/** Return the mechanism of rule 29 in words. */
const divergingText = (mechanism) => {
  if (mechanism.has("matrix")) return "the mechanism of the file";
  const k = mechanism.at("categories").value;
  const what = k.includes("/") ? `the pair of laws of rule 29 with k = ${k}` : `${k}-ary randomized response`;
  return `${what} at epsilon = ${levelText(mechanism.at("local"))}`;
};

/** Return the levels of a problem of format 2 in words. */
const levelsText = (problem) =>
  problem.at("levels").items().map((level) => {
    if (level.has("rho")) return `zCDP with rho = ${short(level.at("rho").value)}`;
    if (level.has("order")) return `Renyi divergences of order ${short(level.at("order").value)} at most ${levelText(level.at("epsilon"))}`;
    const epsilon = level.at("epsilon");
    const pairs = level.at("pairs").value === "all" ? "all pairs" : `${level.at("pairs").value.length} pairs`;
    const gamma = epsilon.has("up") ? "the stated breach criterion" : `epsilon = ${levelText(epsilon)}`;
    return `${gamma}, delta = ${slackText(level.at("delta"))} (${pairs})`;
  }).join("; ") || "no privacy level";

/** Return a sentence: what an accepted design bracket of format 2 says. */
export function statementOfBracket(problem, claim) {
  const outputs = problem.at("outputs").value === "any" ? "any number of outputs" : `${problem.at("outputs").value} outputs`;
  const bounded = problem.at("bounds").isNull() ? "" : ", with bounds on the entries";
  const kind = problem.at("objective").at("kind").value;
  const population = problem.at("population");
  const worst = !population.isObject() ? "" : population.has("mixture") ? "the mean, over the mixture of populations, of " : "worst case over the populations of ";
  const [best, side] = MAXIMISED.includes(kind) ? ["largest", "at least the lower"] : ["least", "at most the upper"];
  const region = `${problem.at("inputs").value} categories, ${outputs}, ${levelsText(problem)}${bounded}`;
  return `For ${region}: the ${best} value of ${worst}${known(NAMES, kind)} ${bounds(claim)}. The mechanism of the file is in the region, with a value of ${side} end.`;
}

/** Return a sentence: what an accepted binary bracket says. */
export function statementOfBinary(problem, claim) {
  const [low, high] = [problem.at("from").value, problem.at("to").value];
  const family = problem.at("family").value === "warner" ? ", Warner designs" : "";
  const where = low === high ? `at the prevalence ${short(low)}` : `over the prevalences from ${short(low)} to ${short(high)}`;
  const value = problem.at("goal").value === "regret" ? "the largest regret (excess of n Var over its least value)" : `${low === high ? "" : "the largest "}n Var of the estimated prevalence`;
  const pair = (place) => `(${place.items().map((x) => short(x.value)).join(", ")})`;
  const listed = claim.at("optima").isNull() ? [] : claim.at("optima").items().map((one) => one.at("matrix").items().map(pair).join(" "));
  const set = claim.at("set").isNull() ? "" : ` and all (p00, p11) after ${pair(claim.at("set").at("after"))} through ${pair(claim.at("set").at("through"))}`;
  const all = listed.length ? ` All optimal designs: ${listed.join("; ")}${set}.` : "";
  return `For 2 categories, ${problem.at("outputs").value} outputs, ${levelsText(problem)}${family}: the least value of ${value} ${where} ${bounds(claim)}. The mechanism of the file is in the region, with a value of at most the upper end.${all}`;
}

/** Return a sentence: what an accepted composition says. */
export function statementOfComposition(problem, claim) {
  return `At epsilon = ${levelText(problem.at("epsilon"))}: the least delta of every adaptive composition of the listed mechanisms ${bounds(claim)}.`;
}

/** Return a sentence: what the claim of an accepted certificate says. */
export function statementOf(problem, claim) {
  const kind = claim.at("kind").value;
  switch (kind) {
    case "design-bracket": {
      if (problem.has("kind")) return `The least variance over devices for independent questions ${bounds(claim)}.`;
      const stated = problem.at("objective");
      const objective = stated.at("kind").value;
      const best = MAXIMISED.includes(objective) ? "largest" : "least";
      const side = best === "largest" ? "at least the lower" : "at most the upper";
      return `For ${regionText(problem.at("region"))}: the ${best} value of ${known(NAMES, objective)} ${bounds(claim)}. The mechanism of the file is in the region, with a value of ${side} end.`;
    }
    case "shuffled-delta":
      return `At epsilon = ${levelText(problem.at("epsilon"))}: the least delta of the mixed reports, over all neighbouring data sets, ${bounds(claim)}.`;
    case "rho":
      return `Rho of zero-concentrated privacy of ${divergingText(problem.at("mechanism"))} ${bounds(claim)}.`;
    case "divergence":
      return `The Renyi divergence of order ${problem.at("order").value} of ${divergingText(problem.at("mechanism"))} ${bounds(claim)}.`;
    case "infeasible":
      return problem.has("region")
        ? `For ${regionText(problem.at("region"))}: no mechanism meets the constraints.`
        : "No point satisfies the constraints.";
    case "optimal-value":
      return `The optimum of the linear program ${bounds(claim)}.`;
    case "garbling":
      return "The target is the source followed by a randomization.";
    case "no-garbling":
      return "The target is not the source followed by a randomization.";
    case "identity":
      return "The two sides are equal wherever the relations hold and no divisor is 0.";
    case "nonnegative":
      return "The polynomial is nonnegative on the whole domain.";
    case "positive":
      return "The polynomial is positive on the whole domain.";
    case "infimum":
      return claim.at("lower").value === "infinite" ? "The infimum B is infinite." : `The infimum B ${bounds(claim)}.`;
    case "estimate":
      return `The log-likelihood per response at the point is at most ${short(claim.at("gap").value)} below its maximum.`;
    case "parity":
      return `The parity of the mechanism is ${short(claim.at("parity").value)}.`;
    case "profile":
      return `The delta that the mechanism needs at this level ${bounds(claim)}.`;
    case "admissible":
      return "The mechanism is admissible at this level.";
    case "inadmissible":
      return "The mechanism is inadmissible at this level.";
    default:
      return unknownKind(kind);
  }
}
