// Linear programs of rules 3 and 4 (linear_rules.md). A program gives each row on demand, so that only rows with a
// multiplier are built.
//
// A program has `variables`, `isFree(j)`, `cost` (a Map of the costs that are not 0), `maximise`, `rowCount` and
// `row(i)`: {terms: [[index, coefficient], ...], relation, bound}.

import { ONE, TWO, ZERO } from "./fractions.js";
import { hasNoDelta, isUniform } from "./regions.js";

const MINUS_ONE = ONE.negative();

/** Return the program of a problem of the kind `linear-programme`. */
export function statedProgram(place) {
  const { sense, cost, signs, rows } = place.fields(["kind", "sense", "cost", "signs", "rows"]);
  const costs = cost.numbers();
  const free = signs.itemsOf(costs.length).map((sign) => sign.oneOf(["nonnegative", "free"]) === "free");
  const read = rows.items().map((row) => {
    const { coefficients, relation, bound } = row.fields(["coefficients", "relation", "bound"]);
    return {
      terms: readSparse(coefficients, costs.length),
      relation: relation.oneOf(["<=", ">=", "="]),
      bound: bound.number(),
    };
  });
  return {
    variables: costs.length,
    maximise: sense.oneOf(["minimise", "maximise"]) === "maximise",
    isFree: (j) => free[j],
    cost: new Map(costs.map((x, j) => [j, x]).filter(([, x]) => !x.isZero())),
    rowCount: read.length,
    row: (i) => read[i],
  };
}

/** Return pairs [index, value] with ascending indices below `length` and values that are not 0. */
export function readSparse(place, length) {
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

/** Return the program of a design problem at `above`. */
export function designProgram(region, objective, population, brackets) {
  const { k, m } = region;
  const cells = m * k;
  const pairs = [];
  const uniform = isUniform(region);
  const plain = uniform && hasNoDelta(region);
  if (!plain) {
    for (let j = 0; j < k; j++) {
      for (let l = 0; l < k; l++) if (j !== l && (uniform || brackets.gamma[j][l])) pairs.push([j, l]);
    }
  }
  const p = (i, j) => i * k + j;
  const gamma = uniform ? brackets.gamma.above : null;
  const extra = uniform ? (plain ? m : m * pairs.length) : 0;
  const distance = objective.kind === "distance";
  const total = distance && objective.norm === "total";
  const s = (i, j) => cells + extra + (total ? p(i, j) : 0);
  const blocks = [];
  const block = (count, row) => blocks.push({ count, row });
  block(k, (j) => rowOf(Array.from({ length: m }, (_, i) => [p(i, j), ONE]), "=", ONE));
  if (plain) {
    const split = (at) => [Math.floor(at / k), at % k];
    block(cells, (at) => rowOf([[at, ONE], [cells + split(at)[0], MINUS_ONE]], ">=", ZERO));
    block(cells, (at) => rowOf([[at, MINUS_ONE], [cells + split(at)[0], gamma]], ">=", ZERO));
  } else if (uniform) {
    const count = pairs.length;
    block(m * count, (at) => {
      const i = Math.floor(at / count);
      const [j, l] = pairs[at % count];
      return rowOf([[p(i, j), MINUS_ONE], [p(i, l), gamma], [cells + at, ONE]], ">=", ZERO);
    });
    block(count, (rank) => {
      const terms = Array.from({ length: m }, (_, i) => [cells + i * count + rank, ONE]);
      return rowOf(terms, "<=", brackets.delta.above);
    });
  } else {
    block(m * pairs.length, (at) => {
      const i = Math.floor(at / pairs.length);
      const [j, l] = pairs[at % pairs.length];
      return rowOf([[p(i, j), MINUS_ONE], [p(i, l), brackets.gamma[j][l].above]], ">=", ZERO);
    });
  }
  if (region.least) {
    block(cells, (at) => rowOf([[at, ONE]], ">=", region.least[Math.floor(at / k)][at % k]));
    block(cells, (at) => rowOf([[at, ONE]], "<=", region.most[Math.floor(at / k)][at % k]));
  }
  if (distance) {
    const target = (at) => objective.matrix[Math.floor(at / k)][at % k];
    const slack = (at) => s(Math.floor(at / k), at % k);
    block(cells, (at) => rowOf([[at, ONE], [slack(at), ONE]], ">=", target(at)));
    block(cells, (at) => rowOf([[at, ONE], [slack(at), MINUS_ONE]], "<=", target(at)));
  }
  return {
    variables: cells + extra + (distance ? (total ? cells : 1) : 0),
    maximise: objective.maximise,
    isFree: () => false,
    cost: designCost(region, objective, population, s),
    rowCount: blocks.reduce((sum, { count }) => sum + count, 0),
    row: (i) => rowAt(blocks, i),
  };
}

const rowOf = (terms, relation, bound) => ({ terms, relation, bound });

function rowAt(blocks, i) {
  let at = i;
  for (const { count, row } of blocks) {
    if (at < count) return row(at);
    at -= count;
  }
  throw new RangeError("no such row");
}

function designCost(region, objective, population, s) {
  const { k, m } = region;
  const cost = new Map();
  if (objective.kind === "trace") objective.weights.forEach((w, i) => cost.set(i * k + i, w));
  if (objective.kind === "loss") {
    objective.matrix.forEach((row, i) => row.forEach((loss, j) => cost.set(i * k + j, population[j].times(loss))));
  }
  if (objective.kind === "distance") {
    for (let i = 0; i < m; i++) for (let j = 0; j < k; j++) cost.set(s(i, j), ONE);
  }
  return new Map([...cost].filter(([, x]) => !x.isZero()));
}

/** Return the rows [a, b, c] of a binary design, each a u + b x + c >= 0, in the order of linear_rules.md. */
function binaryRows(g, delta) {
  const slope = g.minus(ONE);
  return [
    [ONE, MINUS_ONE, ZERO],
    [ZERO, ONE, MINUS_ONE],
    [ZERO, ONE, ZERO],
    [ONE, MINUS_ONE, ONE],
    [slope.plus(delta), slope.negative(), MINUS_ONE],
    [delta, slope, g.negative()],
    [delta, slope, ONE],
    [slope.plus(delta), slope.negative(), g],
  ];
}

/** Return the program of rule 4 for `variance`: u and x free, the eight rows at `above` (and that of `warner`). */
export function varianceProgram(region, brackets) {
  const rows = binaryRows(brackets.gamma.above, brackets.delta.above).map(([a, b, c]) =>
    rowOf([[0, a], [1, b]], ">=", c.negative()),
  );
  if (region.family === "warner") rows.push(rowOf([[0, MINUS_ONE], [1, TWO]], "=", ONE));
  return {
    variables: 2,
    maximise: false,
    isFree: () => true,
    cost: new Map(),
    rowCount: rows.length,
    row: (i) => rows[i],
  };
}

/**
 * Return A^T y as a Map and b.y for multipliers [[row, value], ...].
 *
 * A multiplier is >= 0 on >= and <= 0 on <= where `maximise` is false, else reversed.
 */
export function combination(program, place, multipliers, maximise) {
  const sums = new Map();
  let bound = ZERO;
  multipliers.forEach(([i, y], at) => {
    const { terms, relation, bound: b } = program.row(i);
    const wanted = (relation === ">=") !== maximise ? 1 : -1;
    const fits = relation === "=" || y.sign() === wanted;
    place.at(at).require(fits, `the multiplier of row ${i} (${relation}) has the wrong sign`);
    for (const [j, a] of terms) if (!a.isZero()) sums.set(j, (sums.get(j) ?? ZERO).plus(a.times(y)));
    bound = bound.plus(b.times(y));
  });
  return { sums, bound };
}
