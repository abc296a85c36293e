// The statements `optimal-value` and `infeasible` (linear_programs.md): linear programs, and regions without a point.

import { readBound, readBounds, readLevels, requireByMultipliers } from "./design_bracket.js";
import { dot, ZERO } from "./fractions.js";
import { MAX_ENTRIES } from "./limits.js";
import { holds } from "./places.js";

/** Check a bracket of the least value of cost.x. */
export function checkOptimalValue(problem, claim, proof) {
  const { cost, signs, rows } = problem.fields(["cost", "signs", "rows"]);
  const { lower, upper, point } = claim.fields(["lower", "upper", "point"]);
  const { multipliers } = proof.fields(["multipliers"]);
  const region = readPolyhedron(signs, rows);
  const costs = cost.numbers(region.free.length);
  const bound = boundOf(region, multipliers, costs);
  const x = point.numbers(costs.length);
  x.forEach((value, j) => point.at(j).require(region.free[j] || value.sign() >= 0, "a variable is negative"));
  region.rows.forEach(({ terms, relation, bound: b }, i) => {
    const sign = dot(terms.map(([, a]) => a), terms.map(([j]) => x[j])).compare(b);
    point.require(holds(relation, sign), `the point does not satisfy row ${i}`);
  });
  lower.require(lower.number().atMost(bound), "`lower` is above the value of the multipliers");
  upper.require(dot(costs, x).atMost(upper.number()), "`upper` is below the value of the point");
}

/** Check that a region has no point: one of rows, or one of mechanisms. */
export function checkInfeasible(problem, claim, proof) {
  claim.fields([]);
  if (problem.has("levels")) return requireNoMechanism(problem, proof);
  const { signs, rows } = problem.fields(["signs", "rows"]);
  const { multipliers } = proof.fields(["multipliers"]);
  const region = readPolyhedron(signs, rows);
  const bound = boundOf(region, multipliers, region.free.map(() => ZERO));
  multipliers.require(bound.sign() > 0, "the combination of the bounds is not positive");
}

/** Require 0 <= g_i on all possible rows and B < 0. */
function requireNoMechanism(problem, proof) {
  const { inputs, outputs, levels, bounds } = problem.fields(["inputs", "outputs", "levels", "bounds"]);
  const more = bounds.has("inequalities") ? ["inequalities"] : [];
  const given = proof.fields(["brackets", "alpha", "slopes", "limits", "multipliers", ...more]);
  const [k, m] = [inputs.integer(2, MAX_ENTRIES), outputs.integer(2, MAX_ENTRIES)];
  bounds.require(!bounds.isNull(), "without bounds, every mechanism that ignores its input is in the region");
  const region = { k, m, levels: readLevels(levels, given.brackets, k), ...readBounds(bounds, k, m) };
  const bound = readBound(given, region);
  requireByMultipliers({ region, bound, given }, bound.alphas.map((row) => row.map(() => ZERO)));
  proof.require(bound.value.sign() < 0, "the bound of the proof is not negative");
}

/** Return the signs and rows of a region. */
function readPolyhedron(signs, rows) {
  const free = signs.items().map((sign) => sign.oneOf(["nonnegative", "free"]) === "free");
  return {
    free,
    rows: rows.items().map((row) => {
      const { coefficients, relation, bound } = row.fields(["coefficients", "relation", "bound"]);
      const terms = readSparse(coefficients, free.length);
      return { terms, relation: relation.oneOf(["<=", ">=", "="]), bound: bound.number() };
    }),
  };
}

/** Return pairs [index, value] with ascending indices below `length` and values that are not 0. */
function readSparse(place, length) {
  let before = -1;
  return place.items().map((pair) => {
    const [index, value] = pair.itemsOf(2);
    const at = index.integer(0, Math.max(0, length - 1));
    index.require(at < length, `the index is not below ${length}`);
    index.require(at > before, "the indices do not ascend");
    before = at;
    const number = value.number();
    value.require(!number.isZero(), "a value is 0");
    return [at, number];
  });
}

/** Return b.y of multipliers that bound costs.x from below. */
function boundOf({ free, rows }, place, costs) {
  const reduced = [...costs];
  let bound = ZERO;
  readSparse(place, rows.length).forEach(([i, y], at) => {
    const { terms, relation, bound: b } = rows[i];
    const fits = relation === "=" || y.sign() === (relation === ">=" ? 1 : -1);
    place.at(at).require(fits, `the multiplier of row ${i} (${relation}) has the wrong sign`);
    for (const [j, a] of terms) reduced[j] = reduced[j].minus(a.times(y));
    bound = bound.plus(b.times(y));
  });
  reduced.forEach((value, j) => {
    place.require(free[j] ? value.isZero() : value.sign() >= 0, `the reduced cost of variable ${j} has the wrong sign`);
  });
  return bound;
}
