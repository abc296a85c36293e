// Rules 7 and 8: a garbling, or a decision problem that refutes one (garbling_rules.md).

import { dot, largest, sum } from "./fractions.js";
import { matrixProduct, sameMatrix } from "./matrices.js";
import { readMechanism, requireStochastic } from "./regions.js";

function readPair(problem) {
  const { source, target } = problem.fields(["kind", "source", "target"]);
  problem.at("kind").oneOf(["garbling"]);
  const p = readMechanism(source);
  return { source: p, target: readMechanism(target, null, p[0].length) };
}

/** Require that `place` holds a kernel C, column-stochastic, with C source = target. */
export function requireGarbling(place, source, target) {
  const kernel = place.matrix(target.length, source.length);
  requireStochastic(place, kernel);
  place.require(sameMatrix(matrixProduct(kernel, source), target), "the kernel times the source is not the target");
}

/** Require that `place` holds a payoff by which no garbling leads from source to target. */
export function requireNoGarbling(place, source, target) {
  const payoff = place.matrix(target.length, source[0].length);
  const best = sum(source.map((row) => largest(payoff.map((pay) => dot(pay, row)))));
  const own = sum(target.map((row, i) => dot(payoff[i], row)));
  place.require(best.less(own), "the payoff of the target is not above that of every use of the source");
}

/** Check rule 7. */
export function checkGarbling(problem, claim, witness) {
  const { source, target } = readPair(problem);
  claim.fields(["kind"]);
  claim.at("kind").oneOf(["garbling"]);
  requireGarbling(witness.fields(["rule", "kernel"]).kernel, source, target);
}

/** Check rule 8. */
export function checkDecision(problem, claim, witness) {
  const { source, target } = readPair(problem);
  claim.fields(["kind"]);
  claim.at("kind").oneOf(["no-garbling"]);
  requireNoGarbling(witness.fields(["rule", "payoff"]).payoff, source, target);
}

