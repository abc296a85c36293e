// Rules 35 and 39: the maximum of the likelihood of a logistic regression, global and in a box (regression_rules.md).

import { charge } from "./budget.js";
import { absolute, Fraction, HALF, larger, ONE, overOneDenominator, product, smaller, TWO, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_COVER_DIGITS, MAX_LIST, MAX_PARAMETER_DIGITS, MAX_PREDICTOR, MAX_SPLITS } from "./limits.js";
import { overOne, transposed } from "./matrices.js";
import { requireStochastic } from "./regions.js";

const QUARTER = new Fraction(1n, 4n);

const AXES = "0123456789";

/** Check rule 35. */
export function checkRegressionBox(problem, claim, witness) {
  provedBox(problem, claim, "local-maximum", witness.fields(["rule", "digits"]).digits);
}

/** Check rule 39. */
export function checkRegressionCover(problem, claim, witness) {
  const { digits, reach, cells } = witness.fields(["rule", "digits", "reach", "cells"]);
  const box = provedBox(problem, claim, "global-maximum", digits);
  const { rows, p, radius } = box;
  const far = reach.number();
  reach.require(far.sign() > 0, "the reach is not positive");
  claim.at("point").require(p <= AXES.length, "a cover has too many coefficients");
  rows.forEach(({ matrix, place }) => place.require(matrix.length === 2, "a mechanism has another number of outputs than 2"));
  const trees = cells.itemsOf(1 + 2 * p);
  const values = new Values(rows);
  forLeaves(trees[0], new Array(p).fill([far.negative(), far]), (cell, kind, place) => {
    if (kind === "b") {
      const isInside = cell.every(([low, high]) => radius.negative().atMost(low) && high.atMost(radius));
      place.require(isInside, "a cell is not in the box");
    } else if (kind === "g") {
      requireSlope(box, cell, place);
    } else {
      values.requireBelow(rows.map((row) => rangeOf(row.y, cell).map((v) => row.t.plus(v.over(box.under)))), place);
    }
  });
  trees.slice(1).forEach((tree, number) => {
    const axis = Math.floor(number / 2);
    const sign = number % 2 === 0 ? ONE : ONE.negative();
    const start = Array.from({ length: p }, (_, j) => [j === axis ? ZERO : ONE.negative(), ONE]);
    forLeaves(tree, start, (cell, kind, place) => {
      place.require(kind === "v", "a cell of a cone is excluded by its values alone");
      const face = cell.map((ends, j) => (j === axis ? [sign, sign] : ends));
      values.requireBelow(rows.map((row) => coneRange(row, face, cell[axis], far, box.under)), place);
    });
  });
}

/** Check that a Newton step is a contraction of the box; return its rows and numbers. */
function provedBox(problem, claim, kind, digitsPlace) {
  const { groups } = problem.fields(["kind", "groups"]);
  problem.at("kind").oneOf(["logistic-regression"]);
  const { point, directions, radius, errors } = claim.fields(["kind", "point", "directions", "radius", "errors"]);
  claim.at("kind").oneOf([kind]);
  const digits = digitsPlace.integer(1, MAX_COVER_DIGITS);
  setDigits(digits);
  const centre = point.items(MAX_LIST, 1).map((x) => x.number());
  const p = centre.length;
  const w = overOne(directions.matrix(p, p));
  const r = radius.number();
  radius.require(r.sign() > 0, "the radius is not positive");
  const most = errors.itemsOf(p).map((x) => x.number());
  const rows = readRows(groups, p);
  const x = overOneDenominator(rows.flatMap((row) => row.covariates));
  const c = overOneDenominator(centre);
  const under = new Fraction(product(x.denominator, w.denominator));
  const columns = transposed(w.rows);
  rows.forEach((row, i) => {
    const own = x.numbers.slice(i * p, i * p + p);
    row.t = Fraction.of(inner(own, c.numbers), product(x.denominator, c.denominator));
    row.y = columns.map((column) => inner(own, column));
  });
  const box = { rows, p, radius: r, under, unit: 10n ** BigInt(digits + 6) };
  const sums = summed(box, new Array(p).fill(0n), new Array(p).fill(1n), r);
  const { gradient, rho } = sums.bounds(under.n);
  claim.require(rho.less(ONE), "the log-likelihood is not proved to be concave on the box");
  const reached = gradient.over(ONE.minus(rho));
  radius.require(reached.atMost(r), "the box is not proved to contain a stationary point");
  most.forEach((error, j) => {
    const bound = reached.times(Fraction.of(lengthOf(w.rows[j]), w.denominator));
    errors.at(j).require(bound.atMost(error), "an error is below the distance that is proved");
  });
  return box;
}

/** Return the sums over the cell with size (middle - halves) <= u <= size (middle + halves). */
function summed(box, middle, halves, size) {
  const sums = new Sums(box.p, box.unit);
  for (const { t, y, responses, place } of box.rows) {
    const length = inner(y.map(absolute), halves);
    const at = t.plus(size.times(new Fraction(inner(y, middle)).over(box.under)));
    const s = size.times(new Fraction(length).over(box.under));
    place.require(at.abs().plus(s).atMost(whole(MAX_PREDICTOR)), `a linear predictor is beyond ${MAX_PREDICTOR}`);
    sums.add(y, derivatives(at, s, responses), length);
  }
  return sums;
}

/** Call `visit` with every leaf of a tree of halved cells. */
function forLeaves(place, start, visit) {
  const waiting = [[start, 0]];
  for (const character of place.text()) {
    place.require(waiting.length > 0, "a tree of cells goes on after its end");
    const [cell, depth] = waiting.pop();
    charge(2 + cell.length);
    if ("bvg".includes(character)) {
      visit(cell, character, place);
      continue;
    }
    const axis = AXES.indexOf(character);
    place.require(axis >= 0 && axis < cell.length, "a character of a tree of cells is unknown");
    place.require(depth < MAX_SPLITS, `a cell is halved more than ${MAX_SPLITS} times`);
    const [low, high] = cell[axis];
    const middle = low.plus(high).times(HALF);
    for (const part of [[middle, high], [low, middle]]) {
      waiting.push([cell.map((ends, j) => (j === axis ? part : ends)), depth + 1]);
    }
  }
  place.require(waiting.length === 0, "a tree of cells ends before all cells are there");
}

/** Return the least and the largest value of y . u in a cell. */
function rangeOf(y, cell) {
  let [low, high] = [ZERO, ZERO];
  y.forEach((v, j) => {
    const [a, b] = cell[j].map((end) => end.times(new Fraction(v)));
    low = low.plus(smaller(a, b));
    high = high.plus(larger(a, b));
  });
  return [low, high];
}

/** Return the range of a linear predictor over a cell of a cone; null is infinite. */
function coneRange({ y, t }, face, [farthest, nearest], reach, under) {
  return rangeOf(y, face).map((value, end) => {
    const isOutwards = value.sign() === (end === 0 ? -1 : 1);
    const z = isOutwards ? farthest : nearest;
    return z.isZero() ? null : t.plus(value.times(reach).over(under.times(z)));
  });
}

/** Require that an entry of the gradient has no zero in a cell. */
function requireSlope(box, cell, place) {
  const parts = [...cell.map(([low, high]) => low.plus(high).times(HALF)), ...cell.map(([low, high]) => high.minus(low).times(HALF))];
  const { numbers, denominator } = overOneDenominator(parts);
  const size = new Fraction(1n, denominator);
  const halves = numbers.slice(box.p);
  const isSloped = summed(box, numbers.slice(0, box.p), halves, size).isNowhereZero(halves, size, box.under);
  place.require(isSloped, "the gradient is not proved to have no zero in a cell");
}

/** Largest log-likelihoods over ranges of linear predictors, against that at the point. */
class Values {
  constructor(rows) {
    this.rows = rows;
    this.peaks = rows.map(({ matrix: [, [a, b]], counts }) => {
      if (a.equals(b)) return ZERO;
      const share = counts[1].over(counts[0].plus(counts[1]));
      return smaller(larger(share.minus(a).over(b.minus(a)), ZERO), ONE);
    });
    this.tops = rows.map((row, i) => valueOf(row, Interval.of(this.peaks[i])));
    this.least = rows.reduce((total, row) => total.plus(valueOf(row, truthAt(row.t))), Interval.of(ZERO));
  }

  /** Require that no linear predictors in these ranges reach the value at the point. */
  requireBelow(ranges, place) {
    const limit = whole(MAX_PREDICTOR);
    let total = this.least.negative();
    this.rows.forEach((row, i) => {
      const [low, high] = ranges[i];
      const peak = this.peaks[i];
      let best = this.tops[i];
      const first = low === null || low.atMost(limit.negative()) ? null : truthAt(smaller(low, limit));
      const last = high === null || limit.atMost(high) ? null : truthAt(larger(high, limit.negative()));
      if (first !== null && first.minus(Interval.of(peak)).isPositive()) {
        best = valueOf(row, first);
      } else if (last !== null && last.minus(Interval.of(peak)).isNegative()) {
        best = valueOf(row, last);
      }
      total = total.plus(best);
    });
    place.require(total.isNegative(), "a value in a cell may reach that at the point");
  }
}

const truthAt = (t) => Interval.of(ONE).plus(Interval.of(t.negative()).exp()).inverse();

/** Return the log-likelihood of a row; below it is unbounded where a chance may be 0. */
function valueOf({ matrix, counts }, truth) {
  let total = Interval.of(ZERO);
  matrix.forEach(([a, b], z) => {
    if (counts[z].isZero()) return;
    const chance = Interval.of(a).plus(Interval.of(b.minus(a)).times(truth)).maximum(Interval.of(ZERO));
    total = total.plus(chance.isZero() ? Interval.all() : Interval.of(counts[z]).times(chance.log()));
  });
  return total;
}

const lengthOf = (vector) => vector.reduce((total, v) => total + absolute(v), 0n);

const inner = (a, b) => a.reduce((total, v, i) => total + product(v, b[i]), 0n);

/** Return the rows that have responses: covariates, and the ratio a/b (null: b is 0) and count of each response. */
function readRows(groups, p) {
  return groups.items().flatMap((group) => {
    const { mechanism, rows } = group.fields(["mechanism", "rows"]);
    const place = mechanism.fields(["matrix"]).matrix;
    const matrix = place.matrix(null, 2);
    requireStochastic(place, matrix);
    return rows.items().map((row) => readRow(row, p, matrix)).filter(({ responses }) => responses.length > 0);
  });
}

function readRow(place, p, matrix) {
  const { covariates, counts } = place.fields(["covariates", "counts"]);
  const read = covariates.itemsOf(p).map((v) => v.number());
  const responses = [];
  const given = counts.itemsOf(matrix.length).map((text, z) => {
    const count = text.number(MAX_PARAMETER_DIGITS);
    text.require(count.sign() >= 0, "a count is negative");
    if (count.isZero()) return count;
    const [a, b] = matrix[z];
    text.require(!a.isZero() || !b.isZero(), "a response was given that the mechanism never gives");
    responses.push({ ratio: b.isZero() ? null : a.over(b), count });
    return count;
  });
  return { covariates: read, responses, place, matrix, counts: given };
}

/** Return the first derivative of a row's log-likelihood at t, and the range of the second one within s, as intervals. */
function derivatives(t, s, responses) {
  const [near, least, most] = [t, t.plus(s), t.minus(s)].map((at) => Interval.of(at.negative()).exp());
  const total = responses.reduce((n, { count }) => n.plus(count), ZERO);
  let slope = Interval.of(ZERO);
  let bend = slope;
  for (const { ratio, count } of [...responses, { ratio: ONE, count: total.negative() }]) {
    if (ratio === null) continue;
    const weight = Interval.of(count);
    const factor = Interval.of(ratio);
    slope = slope.plus(weight.times(Interval.of(ONE).plus(factor.times(near)).inverse()));
    if (!ratio.isZero()) bend = bend.plus(weight.times(curvatures(factor.times(least), factor.times(most))));
  }
  return { slope, bend };
}

/** Return an interval around 1/(2 + q + 1/q) for all q from `low` to `high`. */
function curvatures(low, high) {
  const [first, last] = [low, high].map((q) => Interval.of(TWO).plus(q).plus(q.inverse()).inverse());
  const range = first.hull(last);
  const turns = !low.lowIsAtLeast(ONE) && !high.highIsAtMost(ONE);
  return turns ? range.hull(Interval.of(QUARTER)) : range;
}

/** Sums over the rows, in integers over `unit` and powers of the denominator of y. */
class Sums {
  constructor(p, unit) {
    this.unit = unit;
    this.scale = Interval.of(new Fraction(unit));
    this.low = new Array(p).fill(0n);
    this.high = new Array(p).fill(0n);
    this.width = new Array(p).fill(0n);
    this.middle = Array.from({ length: p }, () => new Array(p).fill(0n));
  }

  add(y, { slope, bend }, length) {
    const [low, high] = slope.times(this.scale).wholeEnds();
    const [least, most] = bend.times(this.scale).wholeEnds();
    const spread = product(most - least, length);
    y.forEach((v, j) => {
      charge(4);
      this.low[j] += (v >= 0n ? low : high) * v;
      this.high[j] += (v >= 0n ? high : low) * v;
      this.width[j] += product(spread, absolute(v));
      const scaled = product(least + most, v);
      for (let k = 0; k < y.length; k++) this.middle[j][k] += product(scaled, y[k]);
    });
  }

  /** Return the largest entry of the gradient, and rho. */
  bounds(under) {
    const one = product(product(2n * this.unit, under), under);
    const sums = this.middle.map((row, j) => row.reduce((n, v, k) => n + absolute(v + (j === k ? one : 0n)), this.width[j]));
    const largest = (list) => list.map(absolute).reduce((a, b) => (a > b ? a : b));
    return {
      gradient: Fraction.of(largest([...this.low, ...this.high]), product(this.unit, under)),
      rho: Fraction.of(largest(sums), one),
    };
  }

  /** Return whether an entry of the gradient has no zero in a cell. */
  isNowhereZero(halves, size, under) {
    return this.middle.some((row, k) => {
      const change = row.reduce((n, v, j) => n + product(absolute(v), halves[j]), this.width[k]);
      const slope = this.low[k] > -this.high[k] ? this.low[k] : -this.high[k];
      return size.times(new Fraction(change)).less(new Fraction(2n * slope).times(under));
    });
  }
}
