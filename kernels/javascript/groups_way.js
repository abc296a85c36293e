// The way of groups: designs over groups of equal shares (groups_way.md).

import { charge, chargeInBulk } from "./budget.js";
import { Quadratic, requireForAllCounts } from "./counts.js";
import {
  bitLength, dot, floorQuotient, Fraction, larger, ONE, overOneDenominator, product, smaller, sum, whole, ZERO,
} from "./fractions.js";
import { Interval, readDigits } from "./intervals.js";
import { MAX_ENTRIES, MAX_ORBIT_INPUTS } from "./limits.js";
import { pivotsOf, positiveDeterminant } from "./matrices.js";

const CHECKS = { "a-optimal": checkA, "e-optimal": checkE, "d-optimal": checkD, "mutual-information": checkInformation };

/** The keys of a proof by groups beside `way`, `brackets` and `alpha`, by the objective. */
export const GROUPED = {
  "a-optimal": ["inside", "lines", "inverse"],
  "e-optimal": ["inside", "lines", "weights", "inverse"],
  "d-optimal": ["inside", "lines", "weights", "digits"],
  "mutual-information": ["slices", "digits"],
};

/** Check a bracket: `region` has the levels with their brackets, `given` the parts of the proof. */
export function checkGroups({ kind, region, population, claim, given, proof }) {
  const [level] = region.levels;
  const served = region.levels.length === 1 && !level.hasDelta && level.pairs === null && region.m === null && !region.least;
  proof.require(served, "groups need one level of all pairs with delta 0, and any outputs");
  proof.require(region.k <= MAX_ORBIT_INPUTS, `groups take at most ${MAX_ORBIT_INPUTS} inputs`);
  const { lower, upper, mechanism } = claim.fields(["lower", "upper", "mechanism"]);
  const { groups, rows } = mechanism.fields(["orbits"]).orbits.fields(["groups", "rows"]);
  const sizes = groups.items(region.k, 1).map((x) => x.integer(1, region.k));
  groups.require(sizes.reduce((a, b) => a + b, 0) === region.k, "the groups do not have all inputs");
  charge(16 * sizes.length ** 2);
  const shares = groupShares(groups, sizes, population);
  const orbits = rows.items(MAX_ENTRIES).map((row) => readOrbit(row, sizes, level.gamma.below));
  sizes.forEach((n, g) => {
    const column = sum(orbits.map(({ count, S1 }) => S1[g].times(count).over(whole(n))));
    rows.require(column.equals(ONE), `the column of group ${g} does not sum to 1`);
  });
  const n = sizes.map((size) => whole(size));
  const ends = { lower: lower.number(), upper: upper.number() };
  claim.require(ends.lower.atMost(ends.upper), "`lower` is above `upper`");
  const alpha = given.alpha.numbers(n.length);
  const digits = given.digits ? readDigits(given.digits) : null;
  const places = { lower, upper, rows, proof };
  CHECKS[kind]({ sizes, n, shares, orbits, gamma: level.gamma.above, ends, places, digits, given, alpha, total: dot(n, alpha) });
}

function groupShares(place, sizes, population) {
  let at = 0;
  return sizes.map((n, g) => {
    const share = population[at];
    for (let i = 0; i < n; i++) place.at(g).require(population[at++].equals(share), "the shares of a group are not equal");
    return share;
  });
}

const factorials = [1n];

function factorial(n) {
  for (let i = factorials.length; i <= n; i++) factorials.push(factorials[i - 1] * BigInt(i));
  return factorials[n];
}

/** Return the orbit of a ROW: its number of rows, and S1, S2 for each group. */
function readOrbit(row, sizes, gamma) {
  const S1 = [];
  const S2 = [];
  const parts = [];
  let rowsOfGroup = ONE;
  let [low, high] = [null, null];
  row.itemsOf(sizes.length).forEach((group, g) => {
    let left = sizes[g];
    let divisor = 1n;
    const entries = [];
    for (const pair of group.items(sizes[g], 1)) {
      const [entryPlace, countPlace] = pair.itemsOf(2);
      const entry = entryPlace.number();
      entryPlace.require(entry.sign() > 0, "an entry is not positive");
      const count = countPlace.integer(1, sizes[g]);
      left -= count;
      divisor = product(divisor, factorial(count));
      low = low === null || entry.less(low) ? entry : low;
      high = high === null || high.less(entry) ? entry : high;
      entries.push([entry, whole(count)]);
    }
    parts.push(entries);
    group.require(left === 0, "the counts do not sum to the size of the group");
    rowsOfGroup = rowsOfGroup.times(Fraction.of(factorial(sizes[g]), divisor));
    S1.push(dot(entries.map(([x]) => x), entries.map(([, c]) => c)));
    S2.push(dot(entries.map(([x]) => x.times(x)), entries.map(([, c]) => c)));
  });
  row.require(high.atMost(gamma.times(low)), "the ratio of two entries is above gamma at `below`");
  return { count: rowsOfGroup, S1, S2, parts, least: low };
}

/** Return the diagonal and the blocks of a matrix in BLOCKS. */
function readBlocks(place, size) {
  const { diagonal, blocks } = place.fields(["diagonal", "blocks"]);
  return { diagonal: diagonal.numbers(size), blocks: blocks.matrix(size, size) };
}

/** Return d and b of the information in BLOCKS. */
function informationOf({ sizes, n, shares, orbits, places }) {
  const groups = sizes.length;
  const d = sizes.map(() => []);
  const b = sizes.map(() => sizes.map(() => []));
  for (const { count, S1, S2 } of orbits) {
    const s = dot(shares, S1);
    places.rows.require(!s.isZero(), "an orbit has probability 0");
    const weight = count.over(s);
    const mean = S1.map((value, g) => value.over(n[g]));
    for (let g = 0; g < groups; g++) {
      for (let h = 0; h < groups; h++) {
        if (g !== h) b[g][h].push(weight.times(mean[g]).times(mean[h]));
      }
      const E = sizes[g] === 1 ? ZERO : S1[g].power(2).minus(S2[g]).over(n[g].times(n[g].minus(ONE)));
      b[g][g].push(weight.times(E));
      d[g].push(weight.times(S2[g].over(n[g]).minus(E)));
    }
  }
  return { d: d.map(sum), b: b.map((row) => row.map(sum)) };
}

/** Return integers for a vector and a square matrix of fractions, and their denominator. */
function inIntegers(vector, matrix) {
  const size = vector.length;
  const { numbers, denominator } = overOneDenominator([...vector, ...matrix.flat()]);
  const rows = matrix.map((_, g) => numbers.slice(size * (g + 1), size * (g + 2)));
  return { vector: numbers.slice(0, size), rows, denominator };
}

/** Return the inverse (x, Y) of the file, after its equations. */
function readInverse(place, stated) {
  const { sizes } = stated;
  const { diagonal, blocks } = readBlocks(place, sizes.length);
  const information = informationOf(stated);
  const { vector: d, rows: b, denominator: D } = inIntegers(information.d, information.b);
  const { vector: x, rows: Y, denominator: E } = inIntegers(diagonal, blocks);
  const one = product(D, E);
  const counted = b.map((row) => row.map((entry, f) => entry * BigInt(sizes[f])));
  sizes.forEach((_, g) => {
    place.require(product(d[g], x[g]) === one, `the diagonal of group ${g} is not that of the inverse`);
    sizes.forEach((__, h) => {
      const outer = product(d[g], Y[g][h]) + product(b[g][h], x[h]);
      const entry = counted[g].reduce((total, value, f) => total + product(value, Y[f][h]), outer);
      place.require(entry === 0n, `block ${g}, ${h} is not that of the inverse`);
    });
  });
  return { x: diagonal, Y: blocks };
}

/** Require sum_g x_g (Q_g - sigma_g^2/n_g) + sum_j d_j (sigma.F_j)^2 <= (alpha.sigma)(pi.sigma) for all counts. */
function requireSquares({ sizes, n, shares: pi, gamma, alpha, total, places }, x, lines, d) {
  const P = sizes.map((_, g) => sizes.map((__, h) => {
    charge(1 + lines.length);
    const between = sum(lines.map((line, j) => d[j].times(line[g]).times(line[h])));
    return g === h ? between.minus(x[g].over(n[g])) : between;
  }));
  const step = gamma.minus(ONE);
  const along = P.map((row) => dot(row, n));
  const constant = dot(n, x).plus(dot(n, along)).minus(total);
  const slopes = sizes.map((_, g) => {
    const own = gamma.plus(ONE).times(x[g]).plus(along[g]).plus(along[g]);
    return step.times(own.minus(alpha[g]).minus(total.times(pi[g])));
  });
  const half = step.power(2).over(whole(2));
  const K = P.map((row, g) => row.map((value, h) => {
    const mixed = alpha[g].times(pi[h]).plus(alpha[h].times(pi[g]));
    return half.times(value.plus(value).minus(mixed));
  }));
  const { numbers } = overOneDenominator([constant, ...slopes, ...K.flat()]);
  const size = sizes.length;
  const rows = K.map((_, g) => numbers.slice(1 + size * (g + 1), 1 + size * (g + 2)));
  const given = new Quadratic(numbers[0], numbers.slice(1, 1 + size), rows);
  requireForAllCounts(sizes, sizes.map(() => 1), given, (counts) => failAt(places.proof, counts));
}

function failAt(place, counts) {
  place.reject(`the inequality of the dual fails at the pattern with ${counts.join(", ")} entries gamma`);
}

/** Return `inside` and the lines, each of which sums to 0 over the inputs. */
function readSquares({ n, given }, count) {
  const listed = given.lines.items(MAX_ENTRIES);
  given.lines.require(count === null || listed.length === count, `there are not ${count} lines`);
  const lines = listed.map((line) => line.numbers(n.length));
  lines.forEach((line, j) => listed[j].require(dot(n, line).isZero(), "a line does not sum to 0 over the inputs"));
  return { x: given.inside.numbers(n.length), lines };
}

/** Return the diagonal part and the blocks of the least covariance M^-1 - pi pi^T. */
function covarianceOf(stated) {
  const { x, Y } = readInverse(stated.given.inverse, stated);
  return { own: x, blocks: Y.map((row, g) => row.map((y, h) => y.minus(stated.shares[g].times(stated.shares[h])))) };
}

function checkA(stated) {
  const { n, ends, places, total } = stated;
  const { own, blocks } = covarianceOf(stated);
  const value = dot(n, own.map((x, g) => x.plus(blocks[g][g])));
  places.upper.require(value.atMost(ends.upper), "`upper` is below the value of the mechanism");
  const { x: a, lines } = readSquares(stated, n.length);
  const reached = dot(n.map((one) => one.minus(ONE)), a).plus(dot(n, lines.map((line, g) => line[g])));
  if (ends.lower.sign() <= 0) return;
  const proves = total.sign() < 0 || (!reached.isZero() && ends.lower.times(total).atMost(reached.power(2)));
  places.lower.require(proves, "`lower` is above the bound of the proof");
  requireSquares(stated, a.map((x) => x.power(2)), lines, n);
}

function checkE(stated) {
  const { sizes, n, ends, places, given, total } = stated;
  const { own, blocks } = covarianceOf(stated);
  own.forEach((x, g) => {
    places.upper.require(sizes[g] === 1 || x.atMost(ends.upper), `the variance inside group ${g} is larger`);
  });
  const left = blocks.map((row, g) => row.map((y, h) => {
    return (g === h ? n[g].times(ends.upper.minus(own[g])) : ZERO).minus(n[g].times(n[h]).times(y));
  }));
  places.upper.require(pivotsOf(left) !== null, "`upper` is below the largest eigenvalue");
  const { x, lines } = readSquares(stated, null);
  const d = given.weights.numbers(lines.length);
  given.inside.require([...x, ...d].every((value) => value.sign() >= 0), "a number of inside, or a weight, is negative");
  if (ends.lower.sign() <= 0) return;
  const squares = lines.map((line, j) => d[j].times(dot(n, line.map((y) => y.power(2)))));
  const reached = dot(n.map((one) => one.minus(ONE)), x).plus(sum(squares));
  const proves = total.sign() > 0 && ends.lower.times(total).atMost(reached);
  places.lower.require(proves, "`lower` is above the bound of the proof");
  requireSquares(stated, x, lines, d);
}

const logOf = (x) => (x.equals(ONE) ? Interval.of(ZERO) : Interval.of(x).log());

const sumOf = (intervals) => intervals.reduce((a, b) => a.plus(b), Interval.of(ZERO));

/** Return sum_g (n_g - 1) ln x_g over the groups of two inputs and more. */
function insideLogs(n, x) {
  const counted = n.map((size, g) => [size.minus(ONE), x[g]]).filter(([times]) => !times.isZero());
  return sumOf(counted.map(([times, value]) => Interval.of(times).times(logOf(value))));
}

function checkD(stated) {
  const { sizes, n, ends, places, given, total } = stated;
  const { d: own, b } = informationOf(stated);
  places.rows.require(sizes.every((size, g) => size === 1 || own[g].sign() > 0), "a group has no information inside");
  const between = positiveDeterminant(b.map((row, g) => row.map((y, h) => {
    return (g === h ? n[g].times(own[g]) : ZERO).plus(n[g].times(n[h]).times(y));
  })));
  places.rows.require(between !== null, "the information between the groups is not positive definite");
  const low = insideLogs(n, own).plus(logOf(between)).minus(sumOf(n.map(logOf)));
  places.lower.require(low.lowIsAtLeast(ends.lower), "`lower` is above the value of the mechanism");
  const { x, lines } = readSquares(stated, sizes.length - 1);
  const d = given.weights.numbers(lines.length);
  lines.forEach((line, j) => {
    const fits = line.every((y, g) => (g === j ? y.equals(ONE) : g > j || y.isZero()));
    given.lines.require(fits, `line ${j} is not 1 at entry ${j} and 0 before it`);
  });
  const positive = x.every((y, g) => y.sign() > (sizes[g] > 1 ? 0 : -1)) && d.every((y) => y.sign() > 0);
  given.inside.require(positive, "a number of inside, or a weight, is not positive");
  places.proof.require(total.sign() > 0, "the bound of the proof is not positive");
  const others = sum(n).minus(ONE);
  const first = Interval.of(others).times(logOf(total.over(others))).plus(logOf(n.at(-1)));
  const last = insideLogs(n, x).plus(sumOf(d.map(logOf))).plus(sumOf(n.slice(0, -1).map(logOf)));
  places.upper.require(first.minus(last).highIsAtMost(ends.upper), "`upper` is below the bound of the proof");
  requireSquares(stated, x, lines, d);
}

function checkInformation(stated) {
  const { sizes, ends, places, given, total } = stated;
  const value = sumOf(stated.orbits.map((orbit) => informationOfOrbit(orbit, stated.shares)));
  places.lower.require(ends.lower.sign() <= 0 || value.lowIsAtLeast(ends.lower), "`lower` is above the value of the mechanism");
  places.upper.require(total.atMost(ends.upper), "`upper` is below the bound of the proof");
  const slices = given.slices.itemsOf(sizes.length).map((place) => place.integer(0, MAX_ENTRIES));
  given.slices.require(slices.some((a) => a > 0), "all weights of the slices are 0");
  requireForAllCounts(sizes, slices, entropyOf(stated, slices), (counts) => failAt(places.proof, counts));
}

/** Return N (sum_j pi_j p_j ln p_j - s ln s); the rows are divided by their smallest entry first. */
function informationOfOrbit({ count, parts, least: smallest }, shares) {
  const pairs = parts.flatMap((part, g) => part.map(([x, times]) => [shares[g].times(times), x.over(smallest)]));
  const terms = pairs.map(([share, x]) => Interval.of(share.times(x)).times(logOf(x)));
  const s = dot(pairs.map(([share]) => share), pairs.map(([, x]) => x));
  const mean = Interval.of(s).times(logOf(s));
  return sumOf(terms).minus(mean).times(Interval.of(count.times(smallest)));
}

/**
 * Return F = gamma ln gamma pi.c - s ln s - alpha.sigma, s = 1 + (gamma - 1) pi.c, with a tangent of -s ln s as its bound.
 *
 * The tangent is taken at t, the value of s on the box that is closest to 1 + (gamma - 1) N/(a.n). The bounds are those of
 * unit D^2 F.
 */
function entropyOf({ n, shares, gamma, digits, alpha, total: sumOfAlpha }, slices) {
  const step = gamma.minus(ONE);
  const unit = 10n ** BigInt(digits + 4);
  const scaled = Interval.of(new Fraction(unit));
  const log = Interval.of(gamma).times(logOf(gamma)).times(scaled).wholeEnds()[1];
  const { numbers, denominator: D } = overOneDenominator([sumOfAlpha, step, ...alpha.map((a) => step.times(a)), ...shares]);
  const [A, h] = numbers;
  const rise = numbers.slice(2, 2 + shares.length).map((a) => product(unit, product(D, a)));
  const pi = numbers.slice(2 + shares.length);
  const constant = product(unit, product(D, A));
  const square = product(D, D);
  const all = dot(slices.map(whole), n);
  const bits = 2 * bitLength(D) + bitLength(unit);
  let last = null;
  let [slope, top] = [0n, 0n]; // (1 + ln t) unit, rounded down, and t unit, rounded up
  const valueAt = (counts) => pi.reduce((value, p, g) => value + p * BigInt(counts[g]), 0n);
  function* bounds(low, high, total) {
    chargeInBulk(12 * (1 + pi.length), bits);
    const wanted = whole(total).over(all).times(new Fraction(D));
    const along = larger(smaller(wanted, new Fraction(valueAt(high))), new Fraction(valueAt(low))); // D pi.c
    const t = ONE.plus(along.times(Fraction.of(h, square)));
    if (last === null || !t.equals(last)) {
      last = t;
      slope = unit + logOf(t).times(scaled).wholeEnds()[0];
      top = -floorQuotient(-product(t.n, unit), t.d);
    }
    const factor = log * D - slope * h;
    yield {
      constant: (top - slope) * square - constant,
      slopes: pi.map((p, g) => factor * p - rise[g]),
      spread: pi.map((p, g) => p * BigInt(high[g] - low[g])),
    };
  }
  return { bits, bounds };
}
