// Rule 14: A-optimal designs over groups of equal shares (orbit_rule.md).

import { charge } from "./budget.js";
import { dot, Fraction, ONE, overOneDenominator, product, sum, whole, ZERO } from "./fractions.js";
import { MAX_ENTRIES, MAX_ORBIT_INPUTS } from "./limits.js";
import { overOne } from "./matrices.js";
import { readDesignProblem, requireOneLevel } from "./problems.js";
import { hasNoDelta, readBrackets } from "./regions.js";

/** Check rule 14. */
export function checkOrbits(problem, claim, witness) {
  const { region, population } = readDesignProblem(problem, ["a-optimal"]);
  requireOneLevel(region);
  region.place.require(hasNoDelta(region) && region.m === null, "the rule needs delta 0 and outputs any");
  region.place.require(region.k <= MAX_ORBIT_INPUTS, `the region has more than ${MAX_ORBIT_INPUTS} inputs`);
  const { lower, upper, mechanism } = claim.fields(["kind", "lower", "upper", "mechanism"]);
  claim.at("kind").oneOf(["design-bracket"]);
  const parts = witness.fields(["rule", "gamma", "delta", "dual", "primal"]);
  const brackets = readBrackets(region, parts.gamma, parts.delta);
  const { groups, rows } = mechanism.fields(["orbits"]).orbits.fields(["groups", "rows"]);
  const sizes = groups.items(region.k, 1).map((x) => x.integer(1, region.k));
  groups.require(sizes.reduce((a, b) => a + b, 0) === region.k, "the groups do not have all inputs");
  const shares = groupShares(groups, sizes, population);
  const orbits = rows.items(MAX_ENTRIES).map((row) => readOrbit(row, sizes, brackets.gamma.below));
  sizes.forEach((n, g) => {
    const column = sum(orbits.map(({ count, S1 }) => S1[g].times(count).over(whole(n))));
    rows.require(column.equals(ONE), `the column of group ${g} does not sum to 1`);
  });
  const squares = sum(sizes.map((n, g) => whole(n).times(shares[g].power(2))));
  const value = requireInverse(parts.primal.fields(["inverse"]).inverse, sizes, shares, orbits, rows);
  upper.require(upper.number().equals(value.minus(squares)), "`upper` is not the value of the mechanism");
  const bound = dualBound(parts.dual, sizes, shares, brackets.gamma.above);
  lower.require(lower.number().equals(bound.minus(squares)), "`lower` is not the bound of the dual");
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
    group.require(left === 0, "the counts do not sum to the size of the group");
    rowsOfGroup = rowsOfGroup.times(Fraction.of(factorial(sizes[g]), divisor));
    S1.push(dot(entries.map(([x]) => x), entries.map(([, c]) => c)));
    S2.push(dot(entries.map(([x]) => x.times(x)), entries.map(([, c]) => c)));
  });
  row.require(high.atMost(gamma.times(low)), "the ratio of two entries is above gamma at `below`");
  return { count: rowsOfGroup, S1, S2 };
}

/** Return the diagonal and the blocks of a matrix in BLOCKS. */
function readBlocks(place, size) {
  const { diagonal, blocks } = place.fields(["diagonal", "blocks"]);
  return { diagonal: diagonal.numbers(size), blocks: blocks.matrix(size, size) };
}

/** Return the trace of the inverse, after condition 2. */
function requireInverse(place, sizes, shares, orbits, rows) {
  const groups = sizes.length;
  const { diagonal: x, blocks: Y } = readBlocks(place, groups);
  const n = sizes.map((size) => whole(size));
  const d = sizes.map(() => []);
  const b = sizes.map(() => sizes.map(() => []));
  for (const { count, S1, S2 } of orbits) {
    const s = dot(shares, S1);
    rows.require(!s.isZero(), "an orbit has probability 0");
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
  const D = d.map(sum);
  const B = b.map((row) => row.map(sum));
  for (let g = 0; g < groups; g++) {
    place.require(D[g].times(x[g]).equals(ONE), `the diagonal of group ${g} is not that of the inverse`);
    for (let h = 0; h < groups; h++) {
      const product_ = sum(sizes.map((_, f) => n[f].times(B[g][f]).times(Y[f][h])));
      const entry = D[g].times(Y[g][h]).plus(B[g][h].times(x[h])).plus(product_);
      place.require(entry.isZero(), `block ${g}, ${h} is not that of the inverse`);
    }
  }
  return sum(sizes.map((_, g) => n[g].times(x[g].plus(Y[g][g]))));
}

/** Return (tr W)^2 / sum alpha, after condition 3. */
function dualBound(place, sizes, shares, gamma) {
  const groups = sizes.length;
  const { alpha: alphaPlace, matrix } = place.fields(["alpha", "matrix"]);
  const alpha = alphaPlace.numbers(groups);
  const { diagonal, blocks } = readBlocks(matrix, groups);
  const { rows, denominator: dW } = overOne([diagonal, ...blocks]);
  const [a, ...B] = rows;
  const al = overOneDenominator(alpha);
  const pi = overOneDenominator(shares);
  const n = sizes.map(BigInt);
  const step = gamma.n - gamma.d;
  const left = product(al.denominator, pi.denominator);
  const right = product(dW, dW);
  const total = sum(alpha.map((x, g) => x.times(whole(sizes[g]))));
  alphaPlace.require(total.sign() > 0, "the sum of alpha is not positive");
  const c = sizes.map(() => 0);
  for (;;) {
    // sigma, t and the squares at gamma = n/d: everything times d
    const sigma = c.map((count, g) => n[g] * gamma.d + step * BigInt(count));
    let squares = 0n;
    for (let g = 0; g < groups; g++) {
      let t = 0n;
      for (let f = 0; f < groups; f++) t += product(sigma[f], B[f][g]);
      const high = product(gamma.n, a[g]) + t;
      const low = product(gamma.d, a[g]) + t;
      squares += BigInt(c[g]) * product(high, high) + (n[g] - BigInt(c[g])) * product(low, low);
    }
    let [x, y] = [0n, 0n];
    sigma.forEach((value, g) => {
      x += product(al.numbers[g], value);
      y += product(pi.numbers[g], value);
    });
    charge(4 * groups);
    const holds = product(squares, left) <= product(product(x, y), right);
    place.require(holds, `the inequality of the dual fails at the pattern with ${c.join(", ")} entries gamma`);
    let g = 0;
    while (g < groups && c[g] === sizes[g]) c[g++] = 0;
    if (g === groups) break;
    c[g]++;
  }
  const tr = sum(sizes.map((size, g) => whole(size).times(diagonal[g].plus(blocks[g][g]))));
  return tr.power(2).over(total);
}
