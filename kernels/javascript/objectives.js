// Populations and objectives of design problems (part B of FORMAT.md).

import { unknownKind } from "./budget.js";
import { largest, ONE, sum, ZERO } from "./fractions.js";
import { MAX_ENTRIES, MAX_PARAMETER_DIGITS } from "./limits.js";

/** Return a population: nonnegative numbers with sum 1. */
export function readPopulation(place, k) {
  const shares = place.numbers(k, MAX_PARAMETER_DIGITS);
  shares.forEach((x, j) => place.at(j).require(x.sign() >= 0, "a share of the population is negative"));
  place.require(sum(shares).equals(ONE), "the population does not sum to 1");
  return shares;
}

/** Return a polytope of populations: {vertices} or {rows}. */
export function readPolytope(place, k) {
  if (place.has("vertices")) {
    const { vertices } = place.fields(["vertices"]);
    return { vertices: vertices.items(MAX_ENTRIES, 1).map((vertex) => readPopulation(vertex, k)) };
  }
  const { rows } = place.fields(["rows"]);
  return {
    rows: rows.items().map((row) => {
      const { coefficients, relation, bound } = row.fields(["coefficients", "relation", "bound"]);
      return {
        coefficients: coefficients.numbers(k, MAX_PARAMETER_DIGITS),
        relation: relation.oneOf(["<=", ">=", "="]),
        bound: bound.number(MAX_PARAMETER_DIGITS),
      };
    }),
  };
}

const MAXIMISED = [
  "trace", "mutual-information", "d-optimal", "total-variation", "chi-square", "payoff", "kullback-leibler", "hellinger",
  "jensen-shannon", "alpha-divergence",
];
const LARGEST_ORDER = 10n;

/** Return an objective: its kind, its sense, and what the kind has. */
export function readObjective(place, region) {
  const { k, m } = region;
  const kind = place.named("kind");
  const objective = { kind, maximise: MAXIMISED.includes(kind), place };
  const outputs = () => {
    place.require(m !== null, `the objective ${kind} needs a number of outputs`);
    return m;
  };
  switch (kind) {
    case "variance":
      place.fields(["kind"]);
      place.require(k === 2, "the objective variance needs 2 inputs");
      break;
    case "trace":
      objective.weights = place.fields(["kind", "weights"]).weights.numbers(k);
      place.require(outputs() === k, "the objective trace needs as many outputs as inputs");
      break;
    case "loss":
      objective.matrix = place.fields(["kind", "matrix"]).matrix.matrix(outputs(), k);
      break;
    case "distance": {
      const { norm, matrix } = place.fields(["kind", "norm", "matrix"]);
      objective.norm = norm.oneOf(["largest", "total"]);
      objective.matrix = matrix.matrix(outputs(), k);
      break;
    }
    case "c-optimal": {
      const { contrast } = place.fields(["kind", "contrast"]);
      objective.contrast = contrast.numbers(k, MAX_PARAMETER_DIGITS);
      contrast.require(objective.contrast.some((x) => !x.isZero()), "the contrast is 0");
      break;
    }
    case "contrasts":
      objective.contrasts = place.fields(["kind", "contrasts"]).contrasts.matrix(null, k, MAX_PARAMETER_DIGITS);
      place.require(objective.contrasts.flat().some((x) => !x.isZero()), "all contrasts are 0");
      break;
    case "payoff":
      objective.matrix = place.fields(["kind", "matrix"]).matrix.matrix(null, k);
      break;
    case "alpha-divergence": {
      const { against, order } = place.fields(["kind", "against", "order"]);
      objective.against = readPopulation(against, k);
      objective.order = order.number();
      const { n, d } = objective.order;
      const fits = n !== 0n && n !== d && d <= LARGEST_ORDER && (n < 0n ? -n : n) <= LARGEST_ORDER * d;
      order.require(fits, "the order is 0 or 1, beyond 10, or has a denominator above 10");
      break;
    }
    case "total-variation":
    case "chi-square":
    case "kullback-leibler":
    case "hellinger":
    case "jensen-shannon":
      objective.against = readPopulation(place.fields(["kind", "against"]).against, k);
      break;
    case "mutual-information":
    case "a-optimal":
    case "d-optimal":
    case "e-optimal":
      place.fields(["kind"]);
      break;
    default:
      place.at("kind").reject("an objective that this checker does not know");
  }
  return objective;
}

/** Return the value of a linear objective or a distance at a mechanism. */
export function linearValue(objective, rows, population) {
  switch (objective.kind) {
    case "trace":
      return sum(objective.weights.map((w, i) => w.times(rows[i][i])));
    case "loss":
      return sum(rows.flatMap((row, i) => row.map((p, j) => population[j].times(objective.matrix[i][j]).times(p))));
    case "distance": {
      const distances = rows.flatMap((row, i) => row.map((p, j) => p.minus(objective.matrix[i][j]).abs()));
      return objective.norm === "largest" ? largest([ZERO, ...distances]) : sum(distances);
    }
    default:
      return unknownKind(objective.kind);
  }
}
