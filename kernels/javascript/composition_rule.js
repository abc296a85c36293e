// Rule 26: composition of all answers of one respondent (composition_rule.md).

import { charge, pieces } from "./budget.js";
import { bitLength, Fraction, ONE, product, ZERO } from "./fractions.js";
import { gammaBracket, readLevel } from "./levels.js";
import { MAX_COMPOSED_CELLS, MAX_COMPOSED_EXPONENT, MAX_COMPOSED_ITEMS, MAX_PARAMETER_DIGITS } from "./limits.js";

/** Check rule 26. */
export function checkComposition(problem, claim, witness) {
  const { levels, gamma } = witness.fields(["rule", "levels", "gamma"]);
  const { below, above, target, require } = readComposition(problem, claim, levels, gamma);
  require(slack(below, target.above, problem), slack(above, target.below, problem));
}

/**
 * Read problem and claim of rules 26, 27 and 38, and prove the brackets of the levels.
 *
 * Return the parities below and above and the brackets of both with their counts, the bracket of gamma, and what compares
 * the claim with two bounds of d.
 */
export function readComposition(problem, claim, levels, gamma) {
  const { items, epsilon } = problem.fields(["kind", "items", "epsilon"]);
  problem.at("kind").oneOf(["composition"]);
  const { lower, upper } = claim.fields(["kind", "lower", "upper"]);
  claim.at("kind").oneOf(["composed-delta"]);
  const listed = items.items(MAX_COMPOSED_ITEMS);
  const written = levels.itemsOf(listed.length);
  const target = gammaBracket(gamma, readLevel(epsilon), MAX_COMPOSED_EXPONENT);
  const below = new Map();
  const above = new Map();
  const brackets = new Map();
  let kept = ONE;
  listed.forEach((item, i) => {
    const parts = item.fields(["epsilon", "delta", "count"]);
    const bracket = gammaBracket(written[i], readLevel(parts.epsilon));
    const delta = parts.delta.number(MAX_PARAMETER_DIGITS);
    parts.delta.require(delta.sign() >= 0 && delta.atMost(ONE), "a delta is not in [0, 1]");
    const count = parts.count.integer(1, MAX_COMPOSED_CELLS - 1);
    kept = kept.times(ONE.minus(delta).power(count));
    add(below, bracket.below, count);
    add(above, bracket.above, count);
    const key = `${bracket.below} ${bracket.above}`;
    brackets.set(key, { bracket, count: (brackets.get(key)?.count ?? 0) + count });
  });
  const require = (v, u) => {
    const least = ONE.minus(kept.times(ONE.minus(v)));
    lower.require(lower.number().atMost(least), "`lower` is above the delta of the levels below");
    const most = ONE.minus(kept.times(ONE.minus(u)));
    upper.require(most.atMost(upper.number()), "`upper` is below the delta of the levels above");
  };
  const found = { below: [...below.values()], above: [...above.values()], brackets: [...brackets.values()] };
  return { ...found, target, require };
}

function add(counts, parity, count) {
  const key = parity.toString();
  const known = counts.get(key) ?? { parity, count: 0 };
  counts.set(key, { parity, count: known.count + count });
}

/** Return d: the sum of (P - gamma Q)^+ over all answers, by meeting in the middle. */
function slack(counts, gamma, place) {
  const halves = [[], []];
  const sizes = [1, 1];
  const parts = counts.filter(({ parity }) => ONE.less(parity)).sort((x, y) => y.count - x.count);
  for (const part of parts) {
    const side = sizes[0] <= sizes[1] ? 0 : 1;
    halves[side].push(part);
    sizes[side] *= part.count + 1;
    place.require(sizes[side] <= MAX_COMPOSED_CELLS, "half of the answers has too many cells");
  }
  const [first, second] = halves.map(cells);
  second.listed.reverse();
  let [at, p, q, above, below] = [0, 0n, 0n, 0n, 0n];
  for (const [x, y] of first.listed) {
    const left = product(x, gamma.d);
    const right = product(y, gamma.n);
    while (at < second.listed.length) {
      const [s, t] = second.listed[at];
      if (product(left, s) <= product(right, t)) break;
      p += s;
      q += t;
      at += 1;
    }
    above += product(x, p);
    below += product(y, q);
  }
  const unit = product(first.unit, second.unit);
  if (above === 0n) return ZERO;
  return Fraction.of(product(above, gamma.d) - product(below, gamma.n), product(unit, gamma.d));
}

/** Return the cells [P, Q] of independent answers by their odds, over one denominator. */
function cells(parts) {
  let listed = [[1n, 1n]];
  let unit = 1n;
  for (const { parity, count } of parts) {
    const own = powers(parity, count);
    listed = listed.flatMap(([p, q]) => own.map(([x, y]) => [product(p, x), product(q, y)]));
    for (let i = 0; i < count; i++) unit = product(unit, parity.n + parity.d);
  }
  const bits = BigInt(2 * bitLength(unit) + 1);
  charge(listed.length * 8 * pieces(unit) * pieces(unit));
  const sorted = listed.map((cell) => [(cell[0] << bits) / cell[1], cell]);
  sorted.sort((x, y) => (x[0] < y[0] ? -1 : x[0] > y[0] ? 1 : 0));
  return { listed: sorted.map((each) => each[1]), unit };
}

/** Return C(n, j) a^j b^(n-j) and its mirror for j = 0, ..., n. */
function powers(parity, count) {
  const up = [1n];
  const down = [1n];
  for (let j = 0; j < count; j++) {
    up.push(product(up[j], parity.n));
    down.push(product(down[j], parity.d));
  }
  const own = [];
  let ways = 1n;
  for (let j = 0; j <= count; j++) {
    own.push([
      product(ways, product(up[j], down[count - j])),
      product(ways, product(up[count - j], down[j])),
    ]);
    ways = product(ways, BigInt(count - j)) / BigInt(j + 1);
  }
  return own;
}
