// Rule 3 (LP primal-dual) and rule 4 (Farkas), linear_rules.md.

import { dot, ZERO } from "./fractions.js";
import { readDesignProblem } from "./problems.js";
import { combination, designProgram, readSparse, statedProgram, varianceProgram } from "./linear_programs.js";
import { linearValue } from "./objectives.js";
import { readBrackets, readMechanism, requireInRegion } from "./regions.js";

/** Check rule 3. */
export function checkLinearProgram(problem, claim, witness) {
  if (problem.has("kind")) return checkStatedProgram(problem, claim, witness);
  const { region, objective, population } = readDesignProblem(problem, ["trace", "loss", "distance"]);
  region.place.require(region.m !== null && region.family === "all", "rule 3 needs a number of outputs and the family all");
  const parts = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const { gamma, delta, dual } = witness.fields(["rule", "gamma", "delta", "dual"]);
  const brackets = readBrackets(region, gamma, delta);
  const program = designProgram(region, objective, population, brackets);
  const bound = dualBound(program, dual);
  const rows = readMechanism(parts.mechanism, region.m, region.k);
  requireInRegion(parts.mechanism, rows, region, brackets);
  const value = linearValue(objective, rows, population);
  const [own, other] = objective.maximise ? [parts.lower, parts.upper] : [parts.upper, parts.lower];
  own.require(own.number().equals(value), "the value of the mechanism is another one");
  other.require(other.number().equals(bound), "the bound of the dual is another one");
  return undefined;
}

/** Return b.y of a dual, after its conditions. */
function dualBound(program, place) {
  const multipliers = readSparse(place, program.rowCount);
  const { sums, bound } = combination(program, place, multipliers, program.maximise);
  for (const j of new Set([...sums.keys(), ...program.cost.keys()])) {
    const reduced = (program.cost.get(j) ?? ZERO).minus(sums.get(j) ?? ZERO);
    const sign = program.maximise ? -reduced.sign() : reduced.sign();
    const fits = program.isFree(j) ? sign === 0 : sign >= 0;
    place.require(fits, `the reduced cost of variable ${j} has the wrong sign`);
  }
  return bound;
}

function checkStatedProgram(problem, claim, witness) {
  problem.at("kind").oneOf(["linear-programme"]);
  const program = statedProgram(problem);
  const { lower, upper, point } = claim.fields(["kind", "lower", "upper", "point"]);
  claim.at("kind").oneOf(["optimal-value"]);
  const { dual } = witness.fields(["rule", "dual"]);
  const bound = dualBound(program, dual);
  const x = point.numbers(program.variables);
  x.forEach((value, j) => point.at(j).require(program.isFree(j) || value.sign() >= 0, "a variable is negative"));
  for (let i = 0; i < program.rowCount; i++) {
    const { terms, relation, bound: b } = program.row(i);
    const left = dot(terms.map(([, a]) => a), terms.map(([j]) => x[j]));
    const sign = left.compare(b);
    const holds = relation === "=" ? sign === 0 : relation === ">=" ? sign >= 0 : sign <= 0;
    point.require(holds, `the point does not satisfy row ${i}`);
  }
  const costs = [...program.cost];
  const value = dot(costs.map(([, c]) => c), costs.map(([j]) => x[j]));
  point.require(value.equals(bound), "the point and the dual have different values");
  lower.require(lower.number().equals(value), "the optimum is another number");
  upper.require(upper.number().equals(value), "the optimum is another number");
}

/** Check rule 4. */
export function checkFarkas(problem, claim, witness) {
  const { program, multipliers } = farkasProgram(problem, witness);
  claim.fields(["kind"]);
  claim.at("kind").oneOf(["infeasible"]);
  const read = readSparse(multipliers, program.rowCount);
  const { sums, bound } = combination(program, multipliers, read, false);
  for (const [j, sum] of sums) {
    const fits = program.isFree(j) ? sum.isZero() : sum.sign() <= 0;
    multipliers.require(fits, `the combination of the rows at variable ${j} has the wrong sign`);
  }
  multipliers.require(bound.sign() > 0, "the combination of the bounds is not positive");
}

function farkasProgram(problem, witness) {
  if (problem.has("kind")) {
    problem.at("kind").oneOf(["linear-programme"]);
    const { multipliers } = witness.fields(["rule", "multipliers"]);
    return { program: statedProgram(problem), multipliers };
  }
  const { region, objective, population } = readDesignProblem(problem, ["trace", "loss", "variance"]);
  const { gamma, delta, multipliers } = witness.fields(["rule", "gamma", "delta", "multipliers"]);
  const brackets = readBrackets(region, gamma, delta);
  if (objective.kind === "variance") {
    const fits = region.kind === "differential-privacy" && !region.least && region.m === 2;
    region.place.require(fits, "for the variance rule 4 needs differential privacy with 2 outputs");
    return { program: varianceProgram(region, brackets), multipliers };
  }
  region.place.require(region.m !== null && region.family === "all", "rule 4 needs a number of outputs and the family all");
  return { program: designProgram(region, objective, population, brackets), multipliers };
}
