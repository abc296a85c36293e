// The models of rules 35 and 39: linear predictors of a row, and enclosures of the derivatives of its log-likelihood.

import { charge } from "./budget.js";
import { Fraction, ONE, TWO, whole, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";

const QUARTER = new Fraction(1n, 4n);
const HALF = new Fraction(1n, 2n);
const NEAR = whole(5); // up to here the normal distribution function is a series, beyond it a continued fraction
const TERMS = 60;
const NOTHING = Interval.of(ZERO);
const unit = () => Interval.of(ONE); // made when it is used: its length is that of the digits then

export const COVERED = ["logit", "probit"];
export const MODELS = [...COVERED, "linear", "ordinal-logit", "ordinal-probit", "multinomial", "covariate-logit", "covariate-probit"];

const isOrdinal = (model) => model.startsWith("ordinal");
const isCovariate = (model) => model.startsWith("covariate");
const isRatio = (model) => model === "logit" || model === "multinomial";

/** Return how many inputs the mechanisms of a model have; null: two or more. */
export function inputsOf(model) {
  if (isCovariate(model)) return 4;
  return isOrdinal(model) || model === "multinomial" ? null : 2;
}

/** Return how many covariates a row has, for p coefficients and k inputs; it may be no whole number of at least 0. */
export function covariatesOf(model, p, k, effects) {
  if (model === "multinomial") return p / (k - 1);
  if (isOrdinal(model)) return p - k + 1;
  return isCovariate(model) ? (p - effects) / 2 : p;
}

/** Return the factors of the coefficients in each linear predictor. */
export function predictorsOf(model, k, x, effects) {
  const none = x.map(() => ZERO);
  const categories = Array.from({ length: k - 1 }, (_, j) => j);
  if (model === "multinomial") return categories.map((j) => categories.flatMap((i) => (i === j ? x : none)));
  if (isOrdinal(model)) return categories.map((j) => [...x.map((v) => v.negative()), ...categories.map((i) => (i === j ? ONE : ZERO))]);
  if (!isCovariate(model)) return [x];
  const without = effects.map(() => ZERO);
  return [[...none, ...without, ...x], [...x, ...without, ...none], [...x, ...effects, ...none]];
}

/** Return slopes and second derivatives of a row in its predictors: t at the point, moved by s at most. */
export function derivatives(model, t, s, { matrix, counts, place }) {
  const responses = matrix.map((row, z) => ({ row, count: counts[z] })).filter(({ count }) => !count.isZero());
  const total = responses.reduce((n, { count }) => n.plus(count), ZERO);
  if (model === "linear") {
    const [, [a, b]] = matrix;
    const pull = counts[1].minus(a.times(total)).over(b.minus(a));
    return { slopes: [Interval.of(pull.minus(total.times(t[0])))], bends: [[Interval.of(total.negative())]] };
  }
  const sums = { slopes: t.map(() => NOTHING), bends: t.map(() => t.map(() => NOTHING)) };
  if (isRatio(model)) {
    const all = [...responses, { row: [ONE, ...t.map(() => ONE)], count: total.negative() }];
    all.forEach(({ row, count }) => addRatios(sums, t, s, row, Interval.of(count)));
    return sums;
  }
  const link = model.endsWith("probit") ? "probit" : "logit";
  const links = t.map((_, j) => (isCovariate(model) && j === 0 ? "logit" : link));
  const here = t.map((v, j) => lettersOf(links[j], v, ZERO));
  const wide = t.map((v, j) => lettersOf(links[j], v, s[j]));
  responses.forEach(({ row, count }) => {
    const weight = Interval.of(count);
    const at = chanceOf(model, row, here, place);
    const around = chanceOf(model, row, wide, place);
    const relative = around.first.map((v) => v.times(around.inverse));
    t.forEach((_, j) => {
      sums.slopes[j] = sums.slopes[j].plus(weight.times(at.first[j].times(at.inverse)));
      t.forEach((__, i) => {
        const curve = around.second[j][i].times(around.inverse).minus(relative[j].times(relative[i]));
        sums.bends[j][i] = sums.bends[j][i].plus(weight.times(curve));
      });
    });
  });
  return sums;
}

/** Add the derivatives of weight ln(sum row_i exp(t_i)), t_0 = 0. */
function addRatios({ slopes, bends }, t, s, row, weight) {
  const center = [ZERO, ...t];
  const low = [ZERO, ...t.map((v, j) => v.minus(s[j]))];
  const high = [ZERO, ...t.map((v, j) => v.plus(s[j]))];
  const shares = t.map((_, at) => {
    const j = at + 1;
    if (row[j].isZero()) return NOTHING;
    const others = center.map((_v, i) => i).filter((i) => i !== j && !row[i].isZero());
    const odds = (up, down) =>
      others.reduce((q, i) => q.plus(Interval.of(row[i].over(row[j])).times(Interval.of(up[i].minus(down[j])).exp())), NOTHING);
    slopes[at] = slopes[at].plus(weight.times(unit().plus(odds(center, center)).inverse()));
    const [least, most] = [odds(low, high), odds(high, low)];
    if (others.length > 0) bends[at][at] = bends[at][at].plus(weight.times(curvatures(least, most)));
    return unit().plus(most).inverse().hull(unit().plus(least).inverse());
  });
  shares.forEach((first, j) =>
    shares.forEach((second, i) => {
      if (i !== j) bends[j][i] = bends[j][i].minus(weight.times(first.times(second)));
    }),
  );
}

/** Return an interval around 1/(2 + q + 1/q) for all q from `low` to `high`. */
function curvatures(low, high) {
  const [first, last] = [low, high].map((q) => Interval.of(TWO).plus(q).plus(q.inverse()).inverse());
  const range = first.hull(last);
  const turns = !low.lowIsAtLeast(ONE) && !high.highIsAtMost(ONE);
  return turns ? range.hull(Interval.of(QUARTER)) : range;
}

/** Return 1/P, and the first and second derivatives of P. */
function chanceOf(model, row, letters, place) {
  const second = letters.map(() => letters.map(() => NOTHING));
  let chance;
  let first;
  if (isCovariate(model)) {
    const [x, low, high] = letters;
    const step = [row[1].minus(row[0]), row[3].minus(row[2])].map((v) => Interval.of(v));
    const [a, b] = [Interval.of(row[0]).plus(step[0].times(low.F)), Interval.of(row[2]).plus(step[1].times(high.F))];
    const no = unit().minus(x.F);
    const [difference, down, up] = [b.minus(a), step[0].times(low.f), step[1].times(high.f)];
    const ends = [new Interval(x.F.low, x.F.low), new Interval(x.F.high, x.F.high)];
    const mixed = ends.map((end) => unit().minus(end).times(a).plus(end.times(b)));
    chance = mixed[0].hull(mixed[1]);
    first = [x.f.times(difference), no.times(down), x.F.times(up)];
    second[0][0] = x.slope.times(difference);
    second[1][1] = no.times(step[0].times(low.slope));
    second[2][2] = x.F.times(step[1].times(high.slope));
    second[0][1] = second[1][0] = x.f.times(down).negative();
    second[0][2] = second[2][0] = x.f.times(up);
  } else {
    const steps = letters.map((_, j) => Interval.of(model === "probit" ? row[j + 1].minus(row[j]) : row[j].minus(row[j + 1])));
    const base = Interval.of(model === "probit" ? row[0] : row.at(-1));
    chance = steps.reduce((total, step, j) => total.plus(step.times(letters[j].F)), base);
    first = steps.map((step, j) => step.times(letters[j].f));
    steps.forEach((step, j) => {
      second[j][j] = step.times(letters[j].slope);
    });
  }
  place.require(chance.isPositive(), "a response is not proved to be possible on the whole box");
  return { inverse: chance.inverse(), first, second };
}

/** Return the ranges of F, its density f and the slope of that, for all numbers within s of t. */
function lettersOf(link, t, s) {
  const [low, high] = [t.minus(s), t.plus(s)];
  const ends = [low, high].map((v) => functionOf(link, v));
  const crosses = low.sign() < 0 && high.sign() > 0;
  const F = ends[0].F.hull(ends[1].F);
  const f = crosses ? ends[0].f.hull(ends[1].f).hull(functionOf(link, ZERO).f) : ends[0].f.hull(ends[1].f);
  const factor = link === "probit" ? Interval.between(high.negative(), low.negative()) : unit().minus(Interval.of(TWO).times(F));
  return { F, f, slope: factor.times(f) };
}

function functionOf(link, t) {
  if (link === "probit") return normal(t);
  const q = Interval.of(t.negative()).exp();
  return { F: unit().plus(q).inverse(), f: curvatures(q, q) };
}

/** Return F(t). */
export const truthAt = (model, t) => functionOf(model, t).F;

/** Return the standard normal distribution function and its density. */
function normal(t) {
  const size = t.abs();
  const density = Interval.of(size.times(size).times(HALF).negative()).exp().times(rootOfCircle());
  let tail;
  if (size.atMost(NEAR)) {
    tail = Interval.of(HALF).minus(density.times(series(size)));
  } else {
    let lower = Interval.of(size);
    let upper = lower; // convergents of t + 1/(t + 2/(t + ...)) lie on both sides of its value
    for (let n = TERMS; n > 0; n--) {
      lower = Interval.of(size).plus(Interval.of(whole(n)).times(lower.inverse()));
      if (n > 1) upper = Interval.of(size).plus(Interval.of(whole(n - 1)).times(upper.inverse()));
    }
    tail = density.times(lower.hull(upper).inverse());
  }
  return { F: t.sign() < 0 ? tail : unit().minus(tail), f: density };
}

const SCALE = 10n ** 360n; // finer than all digits that a file may ask for

/** Return sum x^(2n+1)/(1 3 5 ... (2n+1)) for x >= 0. */
function series(x) {
  const low = (x.n * SCALE) / x.d;
  const ends = [[low, (low * low) / SCALE], [low + 1n, ((low + 1n) * (low + 1n)) / SCALE + 1n]];
  const [first, last] = ends.map(([start, square], up) => {
    let [term, total, n] = [start, start, 1n];
    while (term > 1n || 2n * square > SCALE * (n + 2n)) {
      charge(1);
      n += 2n;
      term = (term * square) / (SCALE * n) + BigInt(up);
      total += term;
    }
    return up ? total + term : total;
  });
  return Interval.between(Fraction.of(first, SCALE), Fraction.of(last, SCALE));
}

let root = null;

/** Return 1/sqrt(2 pi), with pi by Machin's formula. */
function rootOfCircle() {
  if (root === null) {
    const turn = 32n * arctangent(5n) - 8n * arctangent(239n);
    const error = 100_000n; // of some five hundred terms, each off by one unit or two
    root = [Fraction.of(turn - error, SCALE), Fraction.of(turn + error, SCALE)];
  }
  return Interval.between(...root).root().inverse();
}

function arctangent(n) {
  let [power, total, k, sign] = [SCALE / n, 0n, 1n, 1n];
  while (power > 0n) {
    total += (sign * power) / k;
    power /= n * n;
    k += 2n;
    sign = -sign;
  }
  return total;
}
