// Rule 35: the maximum of the likelihood of a logistic regression in a box (regression_rules.md).

import { charge } from "./budget.js";
import { absolute, Fraction, ONE, overOneDenominator, product, TWO, whole, ZERO } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_COVER_DIGITS, MAX_LIST, MAX_PARAMETER_DIGITS, MAX_PREDICTOR } from "./limits.js";
import { overOne, transposed } from "./matrices.js";
import { requireStochastic } from "./regions.js";

const QUARTER = new Fraction(1n, 4n);

/** Check rule 35. */
export function checkRegressionBox(problem, claim, witness) {
  const { groups } = problem.fields(["kind", "groups"]);
  problem.at("kind").oneOf(["logistic-regression"]);
  const { point, directions, radius, errors } = claim.fields(["kind", "point", "directions", "radius", "errors"]);
  claim.at("kind").oneOf(["local-maximum"]);
  const digits = witness.fields(["rule", "digits"]).digits.integer(1, MAX_COVER_DIGITS);
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
  const under = product(x.denominator, w.denominator);
  const sums = new Sums(p, 10n ** BigInt(digits + 6));
  rows.forEach(({ responses, place }, i) => {
    const own = x.numbers.slice(i * p, i * p + p);
    const t = Fraction.of(inner(own, c.numbers), product(x.denominator, c.denominator));
    const y = transposed(w.rows).map((column) => inner(own, column));
    const s = r.times(Fraction.of(lengthOf(y), under));
    place.require(t.abs().plus(s).atMost(whole(MAX_PREDICTOR)), `a linear predictor is beyond ${MAX_PREDICTOR} on the box`);
    sums.add(y, derivatives(t, s, responses));
  });
  const { gradient, rho } = sums.bounds(under);
  claim.require(rho.less(ONE), "the log-likelihood is not proved to be concave on the box");
  const reached = gradient.over(ONE.minus(rho));
  radius.require(reached.atMost(r), "the box is not proved to contain a stationary point");
  most.forEach((error, j) => {
    const bound = reached.times(Fraction.of(lengthOf(w.rows[j]), w.denominator));
    errors.at(j).require(bound.atMost(error), "an error is below the distance that is proved");
  });
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
  counts.itemsOf(matrix.length).forEach((text, z) => {
    const count = text.number(MAX_PARAMETER_DIGITS);
    text.require(count.sign() >= 0, "a count is negative");
    if (count.isZero()) return;
    const [a, b] = matrix[z];
    text.require(!a.isZero() || !b.isZero(), "a response was given that the mechanism never gives");
    responses.push({ ratio: b.isZero() ? null : a.over(b), count });
  });
  return { covariates: read, responses, place };
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

  add(y, { slope, bend }) {
    const [low, high] = slope.times(this.scale).wholeEnds();
    const [least, most] = bend.times(this.scale).wholeEnds();
    const spread = product(most - least, lengthOf(y));
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
}
