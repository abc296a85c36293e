// Rules 35 and 39: the maximum of the likelihood of a regression, global and in a box (regression_rules.md).

import { charge } from "./budget.js";
import { absolute, Fraction, HALF, larger, ONE, overOneDenominator, product, smaller, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_COVER_DIGITS, MAX_LIST, MAX_PARAMETER_DIGITS, MAX_PREDICTOR, MAX_SPLITS } from "./limits.js";
import { overOne, transposed } from "./matrices.js";
import { readMechanism } from "./regions.js";
import { COVERED, covariatesOf, derivatives, inputsOf, MODELS, predictorsOf, truthAt } from "./regression_models.js";
import { CUTS, Tables } from "./regression_tables.js";

const AXES = "0123456789";

/** Check rule 35. */
export function checkRegressionBox(problem, claim, witness) {
  const isGlobal = claim.named("kind") === "global-maximum";
  const { model } = provedBox(problem, claim, isGlobal ? "global-maximum" : "local-maximum", witness.fields(["rule", "digits"]).digits);
  claim.require(!isGlobal || model === "linear", "a box proves a global maximum in the linear model alone");
}

/** Check rule 39. */
export function checkRegressionCover(problem, claim, witness) {
  const { digits, reach, cells } = witness.fields(["rule", "digits", "reach", "cells"]);
  const box = provedBox(problem, claim, "global-maximum", digits);
  const { rows, p, radius, model } = box;
  claim.require(COVERED.includes(model), "a cover has another model than logit and probit");
  const far = reach.number();
  reach.require(far.sign() > 0, "the reach is not positive");
  claim.at("point").require(p <= AXES.length, "a cover has too many coefficients");
  rows.forEach(({ matrix, place }) => place.require(matrix.length === 2, "a mechanism has another number of outputs than 2"));
  const trees = cells.itemsOf(1 + 2 * p);
  const values = new Values(model, rows);
  const tables = new Tables(model, rows, box.under, values);
  forLeaves(trees[0], new Array(p).fill([far.negative(), far]), (cell, kind, place) => {
    if (kind === "b") {
      const isInside = cell.every(([low, high]) => radius.negative().atMost(low) && high.atMost(radius));
      place.require(isInside, "a cell is not in the box");
    } else if (kind === "g") {
      requireSlope(box, cell, tables, place);
    } else if (!tables.excludesValues(cell, ONE, ONE)) {
      values.requireBelow(rows.map((row) => rangeOf(row.y[0], cell).map((v) => row.t[0].plus(v.over(box.under)))), place);
    }
  });
  trees.slice(1).forEach((tree, number) => {
    const axis = Math.floor(number / 2);
    const sign = number % 2 === 0 ? ONE : ONE.negative();
    const start = Array.from({ length: p }, (_, j) => [j === axis ? ZERO : ONE.negative(), ONE]);
    forLeaves(tree, start, (cell, kind, place) => {
      place.require(kind === "v", "a cell of a cone is excluded by its values alone");
      const face = cell.map((ends, j) => (j === axis ? [sign, sign] : ends));
      const [most, least] = cell[axis].map((z) => (z.isZero() ? null : far.over(z)));
      if (tables.excludesValues(face, least, most)) return;
      values.requireBelow(rows.map((row) => coneRange(row, face, least, most, box.under)), place);
    });
  });
}

/** Check that a Newton step is a contraction of the box; return its rows and numbers. */
function provedBox(problem, claim, kind, digitsPlace) {
  const hasModel = problem.named("kind") === "regression";
  const { groups } = problem.fields(hasModel ? ["kind", "model", "groups"] : ["kind", "groups"]);
  problem.at("kind").oneOf(["logistic-regression", "regression"]);
  const model = hasModel ? problem.at("model").oneOf(MODELS) : "logit";
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
  const rows = readRows(groups, p, model);
  const x = overOneDenominator(rows.flatMap((row) => row.factors.flat()));
  const c = overOneDenominator(centre);
  const under = new Fraction(product(x.denominator, w.denominator));
  const columns = transposed(w.rows);
  let first = 0;
  rows.forEach((row) => {
    const lists = row.factors.map(() => x.numbers.slice(first, (first += p)));
    row.t = lists.map((own) => Fraction.of(inner(own, c.numbers), product(x.denominator, c.denominator)));
    row.y = lists.map((own) => columns.map((column) => inner(own, column)));
  });
  const box = { rows, p, radius: r, under, model, unit: 10n ** BigInt(digits + 6) };
  if (model.startsWith("ordinal") && rows.length > 0) requireOrder(point, centre, w, r, rows[0].t.length);
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
function summed(box, middle, halves, size, inParts = false) {
  const sums = new Sums(box.p, box.unit);
  for (const row of box.rows) {
    const lengths = row.y.map((y) => inner(y.map(absolute), halves));
    const at = row.t.map((t, j) => t.plus(size.times(new Fraction(inner(row.y[j], middle)).over(box.under))));
    const s = lengths.map((length) => size.times(new Fraction(length).over(box.under)));
    const isNear = at.every((t, j) => t.abs().plus(s[j]).atMost(whole(MAX_PREDICTOR)));
    row.place.require(isNear, `a linear predictor is beyond ${MAX_PREDICTOR}`);
    const { slopes, bends } = derivatives(box.model, at, s, row);
    sums.add(row.y, { slopes, bends: inParts ? [[bendOfParts(box.model, at[0], s[0], row)]] : bends }, lengths);
  }
  return sums;
}

/** Return an interval around the second derivatives of a row within s of t, on the parts between the cuts. */
function bendOfParts(model, t, s, row) {
  const [first, end] = [t.minus(s), t.plus(s)];
  let last = first;
  const bends = [...CUTS.filter((cut) => first.less(cut) && cut.less(end)), end].map((cut) => {
    const [middle, half] = [last.plus(cut).times(HALF), cut.minus(last).times(HALF)];
    last = cut;
    return derivatives(model, [middle], [half], row).bends[0][0];
  });
  return bends.reduce((a, b) => a.hull(b));
}

/** Require that the thresholds of an ordinal model, its last coefficients, increase in the whole box. */
function requireOrder(place, centre, w, radius, count) {
  for (let j = centre.length - count; j + 1 < centre.length; j++) {
    const moved = w.rows[j].reduce((total, v, k) => total + absolute(w.rows[j + 1][k] - v), 0n);
    const gap = centre[j + 1].minus(centre[j]);
    place.at(j + 1).require(radius.times(Fraction.of(moved, w.denominator)).less(gap), "the thresholds are not in order in the whole box");
  }
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
function coneRange({ y: [y], t: [t] }, face, near, far, under) {
  return rangeOf(y, face).map((value, end) => {
    const isOutwards = value.sign() === (end === 0 ? -1 : 1);
    const factor = isOutwards ? far : near;
    return factor === null ? null : t.plus(value.times(factor).over(under));
  });
}

/** Require that an entry of the gradient has no zero in a cell. */
function requireSlope(box, cell, tables, place) {
  const parts = [...cell.map(([low, high]) => low.plus(high).times(HALF)), ...cell.map(([low, high]) => high.minus(low).times(HALF))];
  const { numbers, denominator } = overOneDenominator(parts);
  const size = new Fraction(1n, denominator);
  const [middle, halves] = [numbers.slice(0, box.p), numbers.slice(box.p)];
  const sums = new Sums(box.p, box.unit);
  if (tables.addSlopes(sums, middle, halves, size) && sums.isNowhereZero(halves, size, box.under)) return;
  const isSloped = summed(box, middle, halves, size, true).isNowhereZero(halves, size, box.under);
  place.require(isSloped, "the gradient is not proved to have no zero in a cell");
}

/** Largest log-likelihoods over ranges of linear predictors, against that at the point. */
class Values {
  constructor(model, rows) {
    this.model = model;
    this.rows = rows;
    this.peaks = rows.map(({ matrix: [, [a, b]], counts }) => {
      if (a.equals(b)) return ZERO;
      const share = counts[1].over(counts[0].plus(counts[1]));
      return smaller(larger(share.minus(a).over(b.minus(a)), ZERO), ONE);
    });
    this.tops = rows.map((row, i) => valueOf(row, Interval.of(this.peaks[i])));
    this.least = rows.reduce((total, row) => total.plus(valueOf(row, truthAt(model, row.t[0]))), Interval.of(ZERO));
  }

  /** Require that no linear predictors in these ranges reach the value at the point. */
  requireBelow(ranges, place) {
    const limit = whole(MAX_PREDICTOR);
    let total = this.least.negative();
    this.rows.forEach((row, i) => {
      const [low, high] = ranges[i];
      const peak = this.peaks[i];
      let best = this.tops[i];
      const first = low === null || low.atMost(limit.negative()) ? null : truthAt(this.model, smaller(low, limit));
      const last = high === null || limit.atMost(high) ? null : truthAt(this.model, larger(high, limit.negative()));
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

/** Return the rows that have responses, with the factors of their linear predictors. */
function readRows(groups, p, model) {
  let inputs = inputsOf(model);
  let effects = null;
  return groups.items().flatMap((group) => {
    const { mechanism, rows } = group.fields(["mechanism", "rows"]);
    const matrix = readMechanism(mechanism, null, inputs);
    inputs = matrix[0].length;
    mechanism.require(inputs > 1, "a mechanism has one input");
    const estimates = model !== "linear" || (matrix.length === 2 && !matrix[1][0].equals(matrix[1][1]));
    mechanism.require(estimates, "a mechanism of a linear model has not two outputs that depend on the truth");
    return rows.items().flatMap((place) => {
      const row = readRow(place, p, model, matrix, effects);
      effects = row.effects;
      return row.counts.every((count) => count.isZero()) ? [] : [row];
    });
  });
}

function readRow(place, p, model, matrix, known) {
  const hasEffects = model.startsWith("covariate");
  const { covariates, effects, counts } = place.fields(["covariates", ...(hasEffects ? ["effects"] : []), "counts"]);
  const e = hasEffects ? (known === null ? effects.items(MAX_LIST) : effects.itemsOf(known)).map((v) => v.number()) : [];
  const k = matrix[0].length;
  const x = covariates.itemsOf(covariatesOf(model, p, k, e.length)).map((v) => v.number());
  const given = counts.itemsOf(matrix.length).map((text, z) => {
    const count = text.number(MAX_PARAMETER_DIGITS);
    text.require(count.sign() >= 0, "a count is negative");
    const isPossible = count.isZero() || matrix[z].some((v) => !v.isZero());
    text.require(isPossible, "a response was given that the mechanism never gives");
    return count;
  });
  return { factors: predictorsOf(model, k, x, e), effects: e.length, place, matrix, counts: given };
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

  add(y, { slopes, bends }, lengths) {
    const inUnits = (value) => value.times(this.scale).wholeEnds();
    this.addWhole(y, slopes.map(inUnits), bends.map((row) => row.map(inUnits)), lengths);
  }

  /** Add a row whose bounds are integers in one unit. */
  addWhole(y, slopes, bends, lengths) {
    y.forEach((own, j) => {
      const [low, high] = slopes[j];
      const ends = bends[j];
      const spread = ends.reduce((total, [least, most], i) => total + product(most - least, lengths[i]), 0n);
      const turned = own.map((_, k) => ends.reduce((total, [least, most], i) => total + product(least + most, y[i][k]), 0n));
      own.forEach((v, k) => {
        charge(4);
        if (v === 0n) return;
        this.low[k] += (v >= 0n ? low : high) * v;
        this.high[k] += (v >= 0n ? high : low) * v;
        this.width[k] += product(spread, absolute(v));
        for (let m = 0; m < own.length; m++) this.middle[k][m] += product(v, turned[m]);
      });
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
