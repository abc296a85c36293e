// Tables that bound the cells of a cover by a few operations on integers (rule 39).
//
// For each response, ln P is enclosed at the predictors k/16 from -16 to 16, with its derivative, and its second derivative is
// enclosed next to them; Taylor's formula bounds it in between. Numbers are in units of 2^-40. Tables only accept: what they do
// not exclude is examined again by intervals.

import { charge, Rejected } from "./budget.js";
import { absolute, bitLength, floorQuotient, Fraction, ONE, overOneDenominator, product, ZERO } from "./fractions.js";
import { Interval } from "./intervals.js";
import { derivatives, truthAt } from "./regression_models.js";

const BITS = 40n;
const UNIT = new Fraction(1n << BITS);
const SHIFT = BITS - 4n; // two entries are 2^36 units apart
const NEAR = 1n << (SHIFT - 1n);
const LAST = 256; // index of the last entry, at the predictor 16
const END = BigInt(LAST) << SHIFT;
const REACH = new Fraction(NEAR + 4n, 1n << BITS);
const LONGEST = 512; // bits of the counts over one denominator
const LARGEST = 1n << 100n; // in an entry: beyond it nothing is proved
const PER_RESPONSE = 4; // units


/** The ends of the parts of predictors that belong to the entries. */
export const CUTS = Array.from({ length: 2 * LAST }, (_, i) => new Fraction(BigInt(2 * (i - LAST) + 1), 32n));

const inUnits = (interval) => interval.times(Interval.of(UNIT)).wholeEnds();
const entryAt = (k) => new Fraction(BigInt(k), 16n);
const nextEntry = (t) => Number((t + NEAR) >> SHIFT);
const ceiling = (a, b) => -floorQuotient(-a, b);

/** The table of one response: ln(a + (b - a) F(t)). */
class Curve {
  constructor(model, row, place) {
    Object.assign(this, { model, row, place, entries: new Map(), blocks: new Map() });
  }

  /** Return bounds of ln P at k/16, of its derivative, and of its second derivative next to it; null if none are proved. */
  entry(k) {
    if (!this.entries.has(k)) this.entries.set(k, this.made(entryAt(k)));
    return this.entries.get(k);
  }

  made(t) {
    const [a, b] = this.row;
    try {
      const only = { matrix: [this.row], counts: [ONE], place: this.place };
      const { slopes, bends } = derivatives(this.model, [t], [REACH], only);
      const chance = Interval.of(a).plus(Interval.of(b.minus(a)).times(truthAt(this.model, t)));
      if (!chance.isPositive()) return null;
      const [value, slope, bend] = [chance.log(), slopes[0], bends[0][0]].map(inUnits);
      return [...value, ...slope, ...bend].every((end) => absolute(end) < LARGEST) ? { value: value[1], slope, bend } : null;
    } catch (error) {
      if (!(error instanceof Rejected) || error.isFinal) throw error;
      return null;
    }
  }

  /** Return bounds of the second derivative next to the entries first, ..., last. */
  bends(first, last) {
    const level = 31 - Math.clz32(last - first + 1);
    return this.joined(level, first, last + 1 - 2 ** level);
  }

  joined(level, first, second) {
    const [one, other] = [this.block(level, first), this.block(level, second)];
    return one && other && [one[0] < other[0] ? one[0] : other[0], one[1] > other[1] ? one[1] : other[1]];
  }

  block(level, first) {
    const name = level * 1024 + first + LAST;
    if (!this.blocks.has(name)) {
      const found = level > 0 ? this.joined(level - 1, first, first + 2 ** (level - 1)) : this.entry(first) && this.entry(first).bend;
      this.blocks.set(name, found);
    }
    return this.blocks.get(name);
  }
}

/** The rows of a cover in integers, with the tables of their responses. */
export class Tables {
  constructor(model, rows, under, { peaks, tops, least }) {
    Object.assign(this, { model, under: under.n, truths: new Map(), rows: [] });
    const counts = overOneDenominator(rows.flatMap((row) => row.counts));
    const longest = Math.max(...[counts.denominator, ...counts.numbers].map(bitLength));
    this.isReady = longest <= LONGEST && [least, ...tops].every((value) => value.isBounded());
    if (!this.isReady) return;
    this.least = inUnits(least)[0] * counts.denominator;
    const curves = new Map();
    let place = 0;
    rows.forEach((row, i) => {
      if (!curves.has(row.matrix)) curves.set(row.matrix, row.matrix.map((line) => new Curve(model, line, row.place)));
      const own = counts.numbers.slice(place, (place += row.counts.length));
      const [y] = row.y;
      this.rows.push({
        t: floorQuotient(row.t[0].n << BITS, row.t[0].d),
        y,
        lengths: y.map(absolute),
        given: curves.get(row.matrix).map((curve, z) => [curve, own[z]]).filter(([, count]) => count !== 0n),
        top: inUnits(tops[i])[1] * counts.denominator,
        ...this.turn(peaks[i]),
      });
    });
  }

  /** Return predictors up to which a row's log-likelihood increases, and from which on it decreases; null if not known. */
  turn(peak) {
    const at = Interval.of(peak);
    const [low] = this.around((truth) => truth.minus(at).isNegative());
    const [, high] = this.around((truth) => !truth.minus(at).isPositive());
    return { rising: low < -LAST ? null : BigInt(low) << SHIFT, falling: high > LAST ? null : BigInt(high) << SHIFT };
  }

  /** Return neighbours k and k + 1, so that F(k/16) meets a condition and F((k + 1)/16) does not. */
  around(isBefore) {
    let [low, high] = [-LAST - 1, LAST + 1]; // no entries: nothing is said about them
    while (high - low > 1) {
      const k = Math.floor((low + high) / 2);
      if (!this.truths.has(k)) this.truths.set(k, truthAt(this.model, entryAt(k)));
      if (isBefore(this.truths.get(k))) low = k;
      else high = k;
    }
    return [low, high];
  }

  /** Return whether l is below its value at the point for all u = f v, v in a cell and f from near to far (null: infinity). */
  excludesValues(cell, near, far) {
    if (!this.isReady) return false;
    const { numbers, denominator } = overOneDenominator(cell.flat());
    const under = product(2n * this.under, denominator);
    const inwards = [near.n << BITS, product(near.d, under)];
    const outwards = far && [far.n << BITS, product(far.d, under)];
    const twice = cell.map((_, j) => numbers[2 * j] + numbers[2 * j + 1]);
    const width = cell.map((_, j) => numbers[2 * j + 1] - numbers[2 * j]);
    let total = -this.least;
    for (const row of this.rows) {
      const [at, reach] = [inner(row.y, twice), inner(row.lengths, width)];
      const best = this.best(row, at - reach, at + reach, inwards, outwards);
      if (best === null) return false;
      total += best;
    }
    return total < 0n;
  }

  best(row, low, high, inwards, outwards) {
    const below = low >= 0n ? inwards : outwards;
    if (row.falling !== null && below !== null) {
      const end = row.t + floorQuotient(product(low, below[0]), below[1]);
      if (end >= row.falling) return this.value(row, end < END ? end : END);
    }
    const above = high <= 0n ? inwards : outwards;
    if (row.rising !== null && above !== null) {
      const end = row.t + 1n + ceiling(product(high, above[0]), above[1]);
      if (end <= row.rising) return this.value(row, end > -END ? end : -END);
    }
    return row.top;
  }

  /** Return an upper bound of the log-likelihood of a row at a predictor; null if none is proved. */
  value(row, t) {
    const k = nextEntry(t);
    const d = t - (BigInt(k) << SHIFT);
    let total = 0n;
    for (const [curve, count] of row.given) {
      charge(PER_RESPONSE);
      const entry = curve.entry(k);
      if (entry === null) return null;
      const slope = entry.slope[d > 0n ? 1 : 0];
      total += count * (entry.value + ((slope * d) >> BITS) + ((entry.bend[1] * d * d) >> (2n * BITS + 1n)) + 2n);
    }
    return total;
  }

  /** Add the derivatives of all rows on size (middle - halves) <= u <= size (middle + halves); false if that is not possible. */
  addSlopes(sums, middle, halves, size) {
    if (!this.isReady) return false;
    const [above, below] = [size.n << BITS, product(size.d, this.under)];
    for (const row of this.rows) {
      const length = inner(row.lengths, halves);
      const t = row.t + floorQuotient(product(inner(row.y, middle), above), below); // at most 2 units too small
      const reach = floorQuotient(product(length, above), below) + 3n;
      if (absolute(t) + reach > END) return false;
      const [k, first, last] = [t, t - reach, t + reach].map(nextEntry);
      const d = t - (BigInt(k) << SHIFT);
      const [slope, bend] = [[0n, 0n], [0n, 0n]];
      for (const [curve, count] of row.given) {
        charge(PER_RESPONSE);
        const [entry, ends] = [curve.entry(k), curve.bends(first, last)];
        if (entry === null || ends === null) return false;
        const [low, high] = d < 0n ? [1, 0] : [0, 1];
        const spare = ((-ends[0] > ends[1] ? -ends[0] : ends[1]) >> (BITS - 2n)) + 2n; // the predictor is not exactly t
        slope[0] += count * (entry.slope[0] + ((entry.bend[low] * d) >> BITS) - spare);
        slope[1] += count * (entry.slope[1] + ((entry.bend[high] * d) >> BITS) + spare);
        bend[0] += count * ends[0];
        bend[1] += count * ends[1];
      }
      sums.addWhole([row.y], [slope], [[bend]], [length]);
    }
    return true;
  }
}

const inner = (a, b) => a.reduce((total, v, i) => total + product(v, b[i]), 0n);
