// Populations and objectives of design problems (part B of FORMAT.md).

import { unknownKind } from "./budget.js";
import { largest, ONE, sum, ZERO } from "./fractions.js";
import { MAX_ENTRIES, MAX_PARAMETER_DIGITS } from "./limits.js";
import { readTerms } from "./rational_sums.js";

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

/** The kind of a sum of a rational function that the file states. */
export const RATIONAL = "rational-sum";
/** The keys of the kinds of objectives, beside `kind`. */
const KEYS = {
  variance: [], "a-optimal": [], "d-optimal": [], "e-optimal": [], "mutual-information": [],
  trace: ["weights"], loss: ["matrix"], distance: ["norm", "matrix"], payoff: ["matrix"],
  "c-optimal": ["contrast"], "conditional-variance": ["contrast"], contrasts: ["contrasts"],
  "total-variation": ["against"], "chi-square": ["against"], "kullback-leibler": ["against"], hellinger: ["against"],
  "jensen-shannon": ["against"], "alpha-divergence": ["against", "order"], [RATIONAL]: ["sense", "terms"],
};
/** The objectives that are linear, or the largest of linear functions, of all entries. */
export const LINEAR = ["trace", "loss", "distance"];
const LARGEST_ORDER = 10n;

/** Return an objective: its kind, and what the kind has. */
export function readObjective(place, { k, m }) {
  const kind = place.named("kind");
  place.at("kind").require(Object.keys(KEYS).includes(kind), "an objective that this checker does not know");
  const isLinear = LINEAR.includes(kind);
  place.require(kind !== "variance" || k === 2, "the objective variance needs 2 inputs");
  place.require(!isLinear || m !== null, `the objective ${kind} needs a number of outputs`);
  place.require(kind !== "trace" || m === k, "the objective trace needs as many outputs as inputs");
  const readers = {
    weights: (at) => at.numbers(k),
    matrix: (at) => at.matrix(isLinear ? m : null, k),
    norm: (at) => at.oneOf(["largest", "total"]),
    contrast: (at) => notZero(at, at.numbers(k, MAX_PARAMETER_DIGITS), "the contrast is 0"),
    contrasts: (at) => notZero(at, at.matrix(null, k, MAX_PARAMETER_DIGITS), "all contrasts are 0"),
    against: (at) => readPopulation(at, k),
    order: readOrder,
    sense: (at) => at.oneOf(["minimise", "maximise"]),
    terms: (at) => readTerms(at, k),
  };
  const given = place.fields(["kind", ...KEYS[kind]]);
  return { kind, ...Object.fromEntries(KEYS[kind].map((key) => [key, readers[key](given[key])])) };
}

function notZero(place, contrasts, reason) {
  place.require(contrasts.flat().some((x) => !x.isZero()), reason);
  return contrasts;
}

function readOrder(place) {
  const order = place.number();
  const { n, d } = order;
  const fits = n !== 0n && n !== d && d <= LARGEST_ORDER && (n < 0n ? -n : n) <= LARGEST_ORDER * d;
  place.require(fits, "the order is 0 or 1, beyond 10, or has a denominator above 10");
  return order;
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
