// Rule 14: designs over groups of equal shares (orbit_rule.md).

import { charge, chargeInBulk } from "./budget.js";
import { Quadratic, requireForAllCounts } from "./counts.js";
import {
  bitLength, dot, floorQuotient, Fraction, larger, ONE, overOneDenominator, product, smaller, sum, whole, ZERO,
} from "./fractions.js";
import { Interval, setDigits } from "./intervals.js";
import { MAX_COVER_DIGITS, MAX_ENTRIES, MAX_ORBIT_INPUTS } from "./limits.js";
import { matrixProduct, transposed } from "./matrices.js";
import { readDesignProblem, requireOneLevel } from "./problems.js";
import { hasNoDelta, readBrackets } from "./regions.js";

const OBJECTIVES = { "a-optimal": checkA, "e-optimal": checkE, "d-optimal": checkD, "mutual-information": checkInformation };

/** Check rule 14. */
export function checkOrbits(problem, claim, witness) {
  const { region, objective, population } = readDesignProblem(problem, Object.keys(OBJECTIVES));
  requireOneLevel(region);
  region.place.require(hasNoDelta(region) && region.m === null, "the rule needs delta 0 and outputs any");
  region.place.require(region.k <= MAX_ORBIT_INPUTS, `the region has more than ${MAX_ORBIT_INPUTS} inputs`);
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const usesLogarithms = ["d-optimal", "mutual-information"].includes(objective.kind);
  const names = ["rule", "gamma", "delta", "dual", "primal", ...(usesLogarithms ? ["logarithms"] : [])];
  const { gamma, delta, dual, primal, logarithms } = witness.fields(names);
  const digits = usesLogarithms ? logarithms.fields(["digits"]).digits.integer(1, MAX_COVER_DIGITS) : null;
  if (usesLogarithms) setDigits(digits);
  const brackets = readBrackets(region, gamma, delta);
  const { groups, rows } = mechanism.fields(["orbits"]).orbits.fields(["groups", "rows"]);
  const sizes = groups.items(region.k, 1).map((x) => x.integer(1, region.k));
  groups.require(sizes.reduce((a, b) => a + b, 0) === region.k, "the groups do not have all inputs");
  charge(16 * sizes.length ** 2);
  const shares = groupShares(groups, sizes, population);
  const orbits = rows.items(MAX_ENTRIES).map((row) => readOrbit(row, sizes, brackets.gamma.below));
  sizes.forEach((n, g) => {
    const column = sum(orbits.map(({ count, S1 }) => S1[g].times(count).over(whole(n))));
    rows.require(column.equals(ONE), `the column of group ${g} does not sum to 1`);
  });
  const n = sizes.map((size) => whole(size));
  const ends = { lower: lower.number(), upper: upper.number() };
  const gammaAbove = brackets.gamma.above;
  const places = { lower, upper, dual, primal, rows };
  OBJECTIVES[objective.kind]({ sizes, n, shares, orbits, gamma: gammaAbove, ends, places, digits });
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

/** Return the alpha_g and A, their sum over the inputs. */
function readAlpha(place, n, isPositive) {
  const alpha = place.numbers(n.length);
  const total = dot(n, alpha);
  place.require(!isPositive || total.sign() > 0, "the sum of alpha is not positive");
  return { alpha, total };
}

/** Require sum_g x_g Q_g + sigma P sigma <= (alpha.sigma)(pi.sigma) for all counts. */
function requireSquares(place, { sizes, n, shares: pi, gamma }, { alpha, total }, x, P) {
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
  requireForAllCounts(sizes, sizes.map(() => 1), given, (counts) => failAt(place, counts));
}

function failAt(place, counts) {
  place.reject(`the inequality of the dual fails at the pattern with ${counts.join(", ")} entries gamma`);
}

/** Return a matrix with one row for each group; of one group it may have no columns. */
function readFactor(place, groups, width = null) {
  if (groups === 1 && (width === 0 || (place.isList() && place.value.length === 0))) {
    place.itemsOf(0);
    return [[]];
  }
  return place.matrix(groups, width);
}

const squareOf = (F) => (F[0].length === 0 ? [[ZERO]] : matrixProduct(F, transposed(F)));

function requireDominant(place, D) {
  D.forEach((row, g) => {
    const others = sum(row.filter((_, h) => h !== g).map((x) => x.abs()));
    place.require(others.atMost(row[g]), `row ${g} of what is left is not diagonally dominant`);
  });
}

/** Return the diagonal of a lower triangular matrix without a zero on it. */
function readPivots(place, F) {
  F.forEach((row, g) => row.forEach((x, h) => {
    place.require(g >= h || x.isZero(), "an entry above the diagonal is not 0");
    place.require(g !== h || !x.isZero(), "an entry on the diagonal is 0");
  }));
  return F.map((row, g) => row[g].abs());
}

/** Return A, x and F of a dual of E or D, and F F^T, after its inequality. */
function readFactored(place, stated, width = null) {
  const { sizes, n } = stated;
  const { alpha: alphaPlace, inside, factor } = place.fields(["alpha", "inside", "factor"]);
  const alpha = readAlpha(alphaPlace, n, true);
  const x = inside.numbers(sizes.length);
  inside.require(x.every((value) => value.sign() >= 0), "a number is negative");
  const F = readFactor(factor, sizes.length, width);
  F[0].forEach((_, j) => {
    factor.require(dot(n, F.map((row) => row[j])).isZero(), `column ${j} does not sum to 0 over the inputs`);
  });
  const square = squareOf(F);
  const P = square.map((row, g) => row.map((value, h) => (g === h ? value.minus(x[g].over(n[g])) : value)));
  requireSquares(place, stated, alpha, x, P);
  return { total: alpha.total, x, F, square };
}

function checkA(stated) {
  const { n, shares, ends, places } = stated;
  const squares = dot(n, shares.map((share) => share.power(2)));
  const { x, Y } = readInverse(places.primal.fields(["inverse"]).inverse, stated);
  const value = dot(n, x.map((own, g) => own.plus(Y[g][g])));
  places.upper.require(ends.upper.equals(value.minus(squares)), "`upper` is not the value of the mechanism");
  const { alpha: alphaPlace, matrix } = places.dual.fields(["alpha", "matrix"]);
  const { diagonal: a, blocks: B } = readBlocks(matrix, n.length);
  const alpha = readAlpha(alphaPlace, n, true);
  const counted = B.map((row) => row.map((value_, f) => value_.times(n[f])));
  const P = matrixProduct(counted, transposed(B)).map((row, g) => row.map((value_, h) => {
    return value_.plus(B[g][h].times(a[h])).plus(B[h][g].times(a[g]));
  }));
  requireSquares(places.dual, stated, alpha, a.map((own) => own.power(2)), P);
  const trace = dot(n, a.map((own, g) => own.plus(B[g][g])));
  const bound = trace.power(2).over(alpha.total).minus(squares);
  places.lower.require(ends.lower.equals(bound), "`lower` is not the bound of the dual");
}

function checkE(stated) {
  const { sizes, n, shares, ends, places } = stated;
  const { inverse, factor } = places.primal.fields(["inverse", "factor"]);
  const { x, Y } = readInverse(inverse, stated);
  x.forEach((own, g) => {
    places.upper.require(sizes[g] === 1 || own.atMost(ends.upper), `the variance inside group ${g} is larger`);
  });
  const square = squareOf(readFactor(factor, sizes.length));
  requireDominant(factor, square.map((row, g) => row.map((value, h) => {
    const own = g === h ? n[g].times(ends.upper.minus(x[g])) : ZERO;
    const covariance = Y[g][h].minus(shares[g].times(shares[h]));
    return own.minus(n[g].times(n[h]).times(covariance)).minus(value);
  })));
  const dual = readFactored(places.dual, stated);
  const size = dot(n, dual.square.map((row, g) => row[g])).plus(dot(n.map((one) => one.minus(ONE)), dual.x));
  places.lower.require(ends.lower.times(dual.total).atMost(size), "`lower` is above the bound of the dual");
}

const logOf = (x) => (x.equals(ONE) ? Interval.of(ZERO) : Interval.of(x).log());

const sumOf = (intervals) => intervals.reduce((a, b) => a.plus(b), Interval.of(ZERO));

/** Return sum_g (n_g - 1) ln x_g over the groups of two inputs and more. */
function insideLogs(n, x) {
  const counted = n.map((size, g) => [size.minus(ONE), x[g]]).filter(([times]) => !times.isZero());
  return sumOf(counted.map(([times, value]) => Interval.of(times).times(logOf(value))));
}

function checkD(stated) {
  const { sizes, n, shares, ends, places } = stated;
  const { factor } = places.primal.fields(["factor"]);
  const { d, b } = informationOf(stated);
  const T = factor.matrix(sizes.length, sizes.length);
  const pivots = readPivots(factor, T);
  requireDominant(factor, squareOf(T).map((row, g) => row.map((value, h) => {
    const own = g === h ? n[g].times(d[g]) : ZERO;
    return own.plus(n[g].times(n[h]).times(b[g][h])).minus(value);
  })));
  places.rows.require(sizes.every((size, g) => size === 1 || d[g].sign() > 0), "a group has no information inside");
  const two = Interval.of(whole(2));
  const low = insideLogs(n, d).plus(two.times(sumOf(pivots.map(logOf)))).minus(sumOf(n.map(logOf)));
  places.lower.require(low.lowIsAtLeast(ends.lower), "`lower` is above the value of the mechanism");
  const dual = readFactored(places.dual, stated, sizes.length - 1);
  places.dual.require(sizes.every((size, g) => size === 1 || dual.x[g].sign() > 0), "a number of inside is 0");
  const slopes = readPivots(places.dual.at("factor"), dual.F.slice(0, -1));
  const others = sum(n).minus(ONE);
  const first = Interval.of(others).times(logOf(dual.total.over(others))).plus(logOf(n.at(-1)));
  const last = insideLogs(n, dual.x).plus(two.times(sumOf(slopes.map(logOf)))).plus(sumOf(n.slice(0, -1).map(logOf)));
  places.upper.require(first.minus(last).highIsAtMost(ends.upper), "`upper` is below the bound of the dual");
}

function checkInformation(stated) {
  const { sizes, n, ends, places } = stated;
  places.primal.fields([]);
  const value = sumOf(stated.orbits.map((orbit) => informationOfOrbit(orbit, stated.shares)));
  places.lower.require(value.lowIsAtLeast(ends.lower), "`lower` is above the value of the mechanism");
  const { alpha: alphaPlace, weights } = places.dual.fields(["alpha", "weights"]);
  const alpha = readAlpha(alphaPlace, n, false);
  places.upper.require(alpha.total.atMost(ends.upper), "`upper` is below the bound of the dual");
  const slices = weights.itemsOf(sizes.length).map((place) => place.integer(0, MAX_ENTRIES));
  weights.require(slices.some((a) => a > 0), "all weights are 0");
  requireForAllCounts(sizes, slices, entropyOf(stated, alpha, slices), (counts) => failAt(places.dual, counts));
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
function entropyOf({ n, shares, gamma, digits }, { alpha, total: sumOfAlpha }, slices) {
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
