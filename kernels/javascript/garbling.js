// The statement garbling: a kernel, or a decision problem that refutes one (garbling.md).

import { dot, largest, sum } from "./fractions.js";
import { matrixProduct, sameMatrix } from "./matrices.js";
import { readMechanism, requireStochastic } from "./regions.js";

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

/** Check that a garbling exists, by its kernel, or that none exists, by a decision problem. */
export function checkGarbling(problem, claim, proof) {
  const pair = problem.fields(["source", "target"]);
  const source = readMechanism(pair.source);
  const target = readMechanism(pair.target, null, source[0].length);
  const { exists } = claim.fields(["exists"]);
  exists.require(typeof exists.value === "boolean", "exists is not true or false");
  if (exists.value) requireGarbling(proof.fields(["kernel"]).kernel, source, target);
  else requireNoGarbling(proof.fields(["payoff"]).payoff, source, target);
}
