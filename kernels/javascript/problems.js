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

/** Require a region with one level, the family `all` and no bounds on entries, of one of these kinds. */
export function requireOneLevel(region, kinds = ["differential-privacy", "criterion"]) {
  const fits = kinds.includes(region.kind) && !region.least && region.family === "all";
  region.place.require(fits, "the rule does not serve this region");
}
