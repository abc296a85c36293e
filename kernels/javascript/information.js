// The information on the rows {1, gamma}^k: tangents of s ln s prove the inequality on most of them (rays_way.md).

import { bitsOf, Fraction, floorQuotient, ONE, overOneDenominator, product } from "./fractions.js";
import { charge, chargeInBulk } from "./budget.js";
import { currentDigits, Interval } from "./intervals.js";

/**
 * Return a function that calls another one with each row on which tangents do not prove phi(r) <= alpha.r, for
 * phi(r) = sum_j pi_j r_j ln(r_j/s), s = r.pi; every other row satisfies the inequality.
 *
 * Rows are those of entries 1 and gamma, over the denominator of gamma. By s ln s >= s (1 + ln t) - t, with t close to s,
 * it suffices to bound a sum over the entries. Numbers are rounded down to multiples of 1/unit.
 */
export function doubtfulRows(alpha, gamma, pi) {
  const k = alpha.length;
  const shares = overOneDenominator(pi);
  const unit = 1n << BigInt(4 * currentDigits());
  const logs = [ONE, gamma].map((x) => (x.equals(ONE) ? new Fraction(0n) : x.times(logEnd(x, true))));
  const entries = alpha.map((a, j) =>
    [ONE, gamma].map((x, end) => {
      charge(6);
      return downwards(a.times(x).minus(pi[j].times(logs[end])), unit);
    }),
  );
  const weights = shares.numbers.map((share) => [product(share, gamma.d), product(share, gamma.n)]);
  const below = product(gamma.d, shares.denominator); // the least s, where all entries are 1
  const width = product(gamma.n - gamma.d, shares.denominator);
  const count = 2 ** Math.floor(k / 2); // with more tangents, computing them takes longer than the rows that they spare
  const tangents = Array.from({ length: count }, (_, b) => {
    charge(6);
    const t = Fraction.of(below * BigInt(count) + width * BigInt(b), below * BigInt(count));
    const slope = ONE.plus(logEnd(t, false));
    return [floorQuotient(slope.n * unit, slope.d * below), -downwards(t.negative(), unit)];
  });
  const halves = (from, to) => {
    let found = [{ value: 0n, chance: 0n, row: [] }];
    for (let j = from; j < to; j++) {
      found = [gamma.d, gamma.n].flatMap((x, end) =>
        found.map(({ value, chance, row }) => ({
          value: value + entries[j][end],
          chance: chance + weights[j][end],
          row: [...row, x],
        })),
      );
    }
    return found;
  };
  chargeInBulk(8 * 2 ** k, 4 * currentDigits() + bitsOf(gamma.n) + bitsOf(shares.denominator));
  const [left, right] = [halves(0, Math.floor(k / 2)), halves(Math.floor(k / 2), k)];
  const last = BigInt(count - 1);
  return (test) => {
    for (const one of left) {
      for (const other of right) {
        const chance = one.chance + other.chance;
        const place = width ? ((chance - below) * BigInt(count)) / width : 0n;
        const [slope, away] = tangents[Number(place < last ? place : last)];
        if (one.value + other.value + chance * slope < away) test([...one.row, ...other.row]);
      }
    }
  };
}

/** Return a fraction times `unit`, rounded down. */
const downwards = (x, unit) => floorQuotient(x.n * unit, x.d);

/** Return an end of an interval around ln x, x >= 1. */
function logEnd(x, up) {
  const found = Interval.of(x).log();
  return up ? found.highEnd() : found.lowEnd();
}
