// Design problems: {"region", "objective", "population"}.

import { readObjective, readPopulation } from "./objectives.js";
import { readRegion } from "./regions.js";

/** Return the parts of a design problem with one population, whose objective is one of `kinds`. */
export function readDesignProblem(place, kinds) {
  const parts = place.fields(["region", "objective", "population"]);
  const region = readRegion(parts.region);
  const objective = readObjective(parts.objective, region);
  parts.objective.require(kinds.includes(objective.kind), `the rule does not serve the objective ${objective.kind}`);
  return { region, objective, population: readPopulation(parts.population, region.k), parts };
}
