// Rule 24: three outputs, two inputs: two of four outputs merged (merging_rule.md).

import { dot, largest, ONE, ZERO } from "./fractions.js";
import { readDesignProblem, requireOneLevel } from "./problems.js";
import { readBrackets, readMechanism, requireInRegion } from "./regions.js";

/** Check rule 24. */
export function checkMergedOutputs(problem, claim, witness) {
  const { region, population } = readDesignProblem(problem, ["variance"]);
  requireOneLevel(region);
  region.place.require(region.m === 3, "the rule needs 3 outputs");
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const { gamma, delta } = witness.fields(["rule", "gamma", "delta"]);
  const brackets = readBrackets(region, gamma, delta);
  const rows = readMechanism(mechanism, 3, 2);
  requireInRegion(mechanism, rows, region, brackets);
  const information = (matrix, place) => {
    let total = ZERO;
    for (const row of matrix) {
      if (row.every((x) => x.isZero())) continue;
      const weight = dot(row, population);
      place.require(!weight.isZero(), "a row that is not 0 has probability 0");
      total = total.plus(row[1].minus(row[0]).power(2).over(weight));
    }
    return total;
  };
  const own = upper.number().times(information(rows, mechanism));
  upper.require(ONE.atMost(own), "`upper` is below the value of the mechanism");
  const four = fourAnswers(brackets.gamma.above, brackets.delta.above);
  const merged = [];
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      const added = four[i].map((x, at) => x.plus(four[j][at]));
      merged.push(information([added, ...four.filter((_, at) => at !== i && at !== j)], witness));
    }
  }
  const bound = lower.number().times(largest(merged));
  lower.require(bound.atMost(ONE), "`lower` is above the bound of the six merged mechanisms");
}

/** Return the rows of F(gamma, delta). */
function fourAnswers(gamma, delta) {
  const c = ONE.minus(delta).over(ONE.plus(gamma));
  return [[delta, ZERO], [c.times(gamma), c], [c, c.times(gamma)], [ZERO, delta]];
}
