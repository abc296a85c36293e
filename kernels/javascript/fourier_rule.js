// Rule 38: composition through the characteristic function of the loss (fourier_rule.md).

import { charge, pieces } from "./budget.js";
import { readComposition } from "./composition_rule.js";
import { Fraction, HALF, ONE, TWO, ZERO, floorQuotient, whole } from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_FREQUENCIES, MAX_PARAMETER_DIGITS } from "./limits.js";

const BITS = 160n; // of cosines, sines and their products
const GUARD = 32n; // bits more while an angle is doubled
const UNIT = 1n << BITS;
const DIGITS = 60; // of logarithms and exponentials
const TEN = 10n ** 49n;
const PI = Fraction.of(31415926535897932384626433832795028841971693993751n, TEN); // above pi by less than 10^-49
const PI_BELOW = Fraction.of(31415926535897932384626433832795028841971693993750n, TEN);
const PHASES = 256; // cells of half a turn
const SCALE = 2 ** 16; // of slopes, chances and logarithms in the tables
const STEPS = 32; // to which the slack and the weight of an answer are rounded
const SERIES = 8; // terms of -log(1 - u)
const ENOUGH = 48; // bits: a smaller bound of the characteristic function is not needed
const [ABOVE, BELOW] = [72134, 10 ** 5]; // below 1/(2 log 2)
const WIDTH = 128; // bits of the sum of bounds

/** Check rule 38. */
export function checkCompositionFourier(problem, claim, witness) {
  const { levels, gamma, variance, frequencies } = witness.fields(["rule", "levels", "gamma", "variance", "frequencies"]);
  const { below, above, brackets, target, require } = readComposition(problem, claim, levels, gamma);
  const read = frequencies.fields(["spacing", "nodes", "stride", "intervals"]);
  const plan = {
    variance: upToOne(variance, "the variance of the noise is not in (0, 1]"),
    spacing: upToOne(read.spacing, "the spacing of frequencies is not in (0, 1]"),
    nodes: read.nodes.integer(1, MAX_FREQUENCIES),
    stride: read.stride.integer(1, MAX_FREQUENCIES),
    intervals: read.intervals.integer(0, MAX_FREQUENCIES),
    place: frequencies,
  };
  setDigits(DIGITS);
  const own = (counts) => counts.filter(({ parity }) => ONE.less(parity));
  const left = remainder(brackets, plan);
  require(bounds(own(below), target.above, plan, left).v, bounds(own(above), target.below, plan, left).u);
}

function upToOne(place, reason) {
  const found = place.number(MAX_PARAMETER_DIGITS);
  place.require(found.sign() > 0 && found.atMost(ONE), reason);
  return found;
}

/** Return the numbers v and u of the page, within [0, 1]; `behind` bounds the terms behind the first ones. */
function bounds(parts, gamma, plan, behind) {
  const answers = parts.map(({ parity, count }) => {
    const level = Interval.of(parity).log();
    const tau = parity.minus(ONE).over(parity.plus(ONE));
    return { parity, count, level, low: lowEnd(level), tau };
  });
  const target = Interval.of(gamma).log();
  const { test, noisy } = sums(answers, lowEnd(target), plan);
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  const size = BigInt(plan.nodes + 1);
  const rounding = Fraction.of(64n * (BigInt(total) + size) * size * size, UNIT);
  const { wrapped, tail } = period(answers, target, plan);
  const left = behind.plus(wrapped).plus(tail).plus(rounding);
  const within = (x) => (x.sign() < 0 ? ZERO : ONE.less(x) ? ONE : x);
  return { v: within(HALF.plus(test).minus(left).minus(tail)), u: within(HALF.plus(noisy).plus(left)) };
}

const scaled = (x) => floorQuotient(x.n << BITS, x.d);
const FINE = 1n << 200n;
const fineEnds = (interval) => interval.times(Interval.of(new Fraction(FINE))).wholeEnds();
const lowEnd = (interval) => Fraction.of(fineEnds(interval)[0], FINE);
const highEnd = (interval) => Fraction.of(fineEnds(interval.maximum(Interval.of(Fraction.of(1n, FINE))))[1], FINE);

const times = ([p, q], [r, s]) => [(p * r - q * s) >> BITS, (p * s + q * r) >> BITS];

function toPower(a, count) {
  let found = a;
  for (const bit of count.toString(2).slice(1)) {
    found = times(found, found);
    if (bit === "1") found = times(found, a);
  }
  return found;
}

/** Return cosine and sine of an angle over 2^BITS: series for a part of it, which is doubled. */
function circle(angle) {
  charge(60);
  const bits = BITS + GUARD;
  let x = floorQuotient(angle.n << bits, angle.d);
  let doublings = 0n;
  while ((x < 0n ? -x : x) >> doublings >= 1n << (bits - 2n)) doublings += 1n;
  x >>= doublings;
  let [cosine, sine, term] = [1n << bits, 0n, 1n << bits];
  for (let m = 1; term > 1n || term < -1n; m++) {
    term = floorQuotient((term * x) >> bits, BigInt(m));
    if (m % 2 === 1) sine += m % 4 === 1 ? term : -term;
    else cosine += m % 4 === 0 ? term : -term;
  }
  for (; doublings > 0n; doublings--) {
    [cosine, sine] = [(cosine * cosine - sine * sine) >> bits, (cosine * sine) >> (bits - 1n)];
  }
  return [cosine >> GUARD, sine >> GUARD];
}

/** exp(i angle (k + 1/2)) for k = 0, 1, ... */
class Turning {
  constructor(angle) {
    this.here = circle(angle.times(HALF));
    this.step = times(this.here, this.here);
  }

  move() {
    this.here = times(this.here, this.step);
  }
}

const exponential = (x) => Interval.of(x).exp();

/** Return the sums over the first frequencies, of the test and of the noisy answers. */
function sums(answers, centre, { spacing, variance, nodes }) {
  const turns = answers.map(({ low, tau, count }) => ({ turn: new Turning(low.times(spacing)), share: scaled(tau), count }));
  const half = variance.times(HALF);
  const later = new Turning(centre.plus(half).times(spacing));
  const sooner = new Turning(centre.minus(half).times(spacing));
  const squared = variance.times(spacing).times(spacing);
  const factor = scaled(lowEnd(exponential(squared.negative())));
  let fade = scaled(lowEnd(exponential(squared.over(whole(8)).negative())));
  let ratio = factor;
  const [n, d] = [spacing.n, 2n * spacing.d];
  let [test, noisy] = [0n, 0n];
  const squarings = answers.reduce((sum, { count }) => sum + count.toString(2).length - 1, 0);
  charge(nodes * (40 + 12 * turns.length + 16 * squarings) * pieces(d));
  for (let k = 0; k < nodes; k++) {
    let value = [fade, 0n];
    for (const { turn, share, count } of turns) {
      const [x, y] = turn.here;
      value = times(value, toPower([x, (y * share) >> BITS], count));
      turn.move();
    }
    const t = BigInt(2 * k + 1) * n;
    const [x, y] = times(value, [sooner.here[0], -sooner.here[1]]);
    const far = times(value, [later.here[0], -later.here[1]])[1];
    const square = d * d + t * t;
    noisy += floorQuotient((y * d - x * t) * d * d, t * square);
    test += floorQuotient(far * d, t) - floorQuotient((x * d + y * t) * d, square);
    later.move();
    sooner.move();
    fade = (fade * ratio) >> BITS;
    ratio = (ratio * factor) >> BITS;
  }
  const scale = spacing.over(PI);
  return { test: Fraction.of(test, UNIT).times(scale), noisy: Fraction.of(noisy, UNIT).times(scale) };
}

/** Return bounds of what the period of the sums adds: about the target, and outside of half a period. */
function period(answers, target, { spacing, variance, place }) {
  const half = Interval.of(PI_BELOW.over(spacing));
  let centre = Interval.of(variance.times(HALF)).minus(target);
  let proxy = Interval.of(variance);
  for (const { level, tau, count } of answers) {
    const several = level.times(Interval.of(whole(count)));
    centre = centre.plus(several.times(Interval.of(tau)));
    proxy = proxy.plus(several.times(level));
  }
  const off = centre.maximum(centre.negative());
  const room = half.minus(off);
  place.require(room.isPositive(), "half a period of the sums does not hold the mean of the loss");
  const exponent = room.times(room).times(proxy.plus(proxy).inverse());
  return {
    wrapped: highEnd(half.negative().exp()),
    tail: highEnd(exponent.negative().exp()).times(TWO),
  };
}

/** Return a bound of the terms behind the first ones, for all parities within the brackets. */
function remainder(brackets, { spacing, variance, nodes, stride, intervals }) {
  const squared = variance.times(spacing).times(spacing);
  const tables = new Tables();
  const reach = spacing.times(Fraction.of(BigInt(stride), 2n));
  const end = whole(nodes + stride * intervals);
  const rows = brackets.map(({ bracket, count }) => {
    const [least, most] = [lowEnd(Interval.of(bracket.below).log()), highEnd(Interval.of(bracket.above).log())];
    const slack = most.times(reach).plus(most.minus(least).times(end).times(spacing));
    const sum = bracket.above.plus(ONE);
    const table = tables.of(slack, whole(4).times(bracket.above).over(sum.times(sum)));
    const angle = least.times(spacing);
    return {
      start: phase(angle.times(whole(nodes).plus(Fraction.of(BigInt(stride), 2n)))),
      step: phase(angle.times(whole(stride))),
      count,
      table,
      size: table.reduce((all, x) => all + x, 0) * count,
    };
  });
  rows.sort((x, y) => y.size - x.size);
  const enough = Math.floor((ENOUGH * BELOW * SCALE) / ABOVE) + 1;
  const most = BigInt(2 * enough);
  let total = 0n;
  let at = nodes;
  for (let j = 0; j < intervals; j++) {
    const place = BigInt(at) * BigInt(at);
    const gaussian = (squared.n * place * BigInt(SCALE)) / squared.d;
    let found = Number(gaussian < most ? gaussian : most);
    let seen = 0;
    for (; found < enough && seen < rows.length; seen++) {
      const { start, step, count, table } = rows[seen];
      found += count * table[((start + Math.imul(j, step)) >>> 0) >>> 24];
    }
    charge(8 + Math.floor(seen / 4));
    const bits = Math.min(Math.floor((found * ABOVE) / (BELOW * SCALE)), WIDTH);
    const size = BigInt(stride) * (squared.d + squared.n * place);
    total += (size << BigInt(WIDTH - bits)) / (squared.d * place) + 1n;
    at += stride;
  }
  const rest = highEnd(exponential(squared.times(end).times(end).times(HALF).negative()));
  return Fraction.of(total, 1n << BigInt(WIDTH)).plus(rest.over(end)).over(PI_BELOW.times(spacing));
}

/** Return an angle in half turns, modulo one, over 2^32. */
function phase(angle) {
  const part = angle.over(PI);
  return Number(BigInt.asUintN(32, floorQuotient(part.n << 32n, part.d)));
}

/** Lower bounds of -log(1 - weight max(0, |sin x| - slack)^2) over the cells of half a turn, times SCALE. */
class Tables {
  constructor() {
    const step = circle(PI.over(whole(PHASES)));
    const sines = [];
    let here = [UNIT, 0n];
    for (let i = 0; i <= PHASES / 2; i++) {
      sines.push(Math.max(Number(here[1] >> (BITS - 16n)) - 1, 0));
      here = times(here, step);
    }
    const rising = sines.slice(1).map((sine, i) => Math.min(sine, sines[i]));
    this.sines = [...rising, ...rising.toReversed()];
    this.made = new Array((STEPS + 1) ** 2);
  }

  /** Return the table for at least this slack and at most this weight. */
  of(slack, weight) {
    const steps = BigInt(STEPS);
    const rounded = -floorQuotient(-slack.n * steps, slack.d);
    const row = rounded < steps ? Number(rounded) : STEPS;
    const column = Number((weight.n * steps) / weight.d);
    const key = row * (STEPS + 1) + column;
    if (this.made[key] === undefined) {
      charge(2 * PHASES);
      const less = (row * SCALE) / STEPS + SCALE / 256; // the phases are off by less than 1/1024 of half a turn
      this.made[key] = this.sines.map((sine) => {
        const above = Math.max(sine - less, 0);
        return logarithm(Math.floor((column * above * above) / (STEPS * SCALE)));
      });
    }
    return this.made[key];
  }
}

/** Return -log(1 - u) from below, by its series; all over SCALE. */
function logarithm(u) {
  let [total, power] = [u, u];
  for (let m = 2; m <= SERIES; m++) {
    power = Math.floor((power * u) / SCALE);
    total += Math.floor(power / m);
  }
  return total;
}
